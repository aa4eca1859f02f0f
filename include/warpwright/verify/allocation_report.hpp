// SPDX-License-Identifier: BSL-1.0
//
// The answer of the check of a register allocation: what is wrong, and which definitions reached each operand at fault.
//
//   fault        why the two programs could not be compared; then there are no mismatches, and the answer is not clean
//   mismatch     one operand that reads something else; those of one instruction stand together, in the order of the program
//                after
//   producer     a definition that reaches the operand in one of the programs; `changed` if not in the other one, `benign`
//                if what it stands for is the same: a refill of what was spilled, a value computed again
//   total        instructions with a mismatch;  old: those of them for which nothing reached any such operand before either
// Instructions of mismatches and of producers `after` are ids of the program after, others those of the program before.
#pragma once

#include <cstdint>

#include "../ir/ids.hpp"
#include "../ir/reg.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_error.hpp"

namespace ww::verify {

enum class allocation_fault : std::uint8_t {
  none,
  program_before,  // instructions without blocks, or ids, slices or registers out of range
  program_after,
  map,          // not one entry per instruction, an id out of range, or two instructions from one
  flow,         // blocks, edges or entries differ, or an instruction that ends a block is not its last one
  place,        // an instruction stands in another block than before, or in another order
  instruction,  // it is not the same but for its registers
  effect,       // an instruction with an effect was deleted, or one that nobody asked for was inserted
  unallocated,  // an operand of the program after is on a register that is not physical
};

[[nodiscard]] constexpr const char* name_of(allocation_fault f) {
  constexpr const char* names[] = {"none",        "bad program before", "bad program after", "bad map",      "other flow",
                                   "other block", "other instruction",  "other effect",      "not allocated"};
  return f <= allocation_fault::unallocated ? names[static_cast<unsigned>(f)] : "?";
}

struct allocation_producer {
  enum class kind : std::uint8_t { definition, entry, outside };  // entry: what stood in `name` before any definition

  kind from = kind::definition;
  bool changed = false;
  bool benign = false;
  std::uint8_t operand = 0;
  instr_id def;  // outside: a call that is not followed, or an opcode that is not known
  reg name;      // entry: the register
};

struct allocation_mismatch {
  static constexpr std::uint8_t at_exit = 0xff;  // for `operand`: a register that code behind the instruction may read

  allocation_error code = allocation_error::none;
  std::uint8_t operand = 0;
  bool old = false;         // nothing reached it before either
  bool mixed_size = false;  // an extra definition writes a part of the register only
  bool by_path = false;     // the same definitions reach it, but on some path, or in some iteration, another one than before
  instr_id instruction;     // of the program after
  instr_id computes;        // code 7: what was to be computed again, in the program before
  instr_id computed_by;     // code 7: the instruction that was to do it
  reg name;                 // the register read, in the program after
  std::uint32_t place = 0;  // in the order of the program after
  std::uint32_t first_producer = 0;
  std::uint32_t before_count = 0;
  std::uint32_t after_count = 0;
};

struct allocation_report {
  allocation_fault fault = allocation_fault::none;
  instr_id at;  // of the fault, in the program that `fault` speaks of: `map` to `unallocated` the one after, but for what
                // was deleted
  bool ran = false;  // false: the check was switched off, or there is a fault
  vec<allocation_mismatch> mismatches;
  vec<allocation_producer> producers;
  std::uint32_t total = 0;
  std::uint32_t old = 0;
  std::uint32_t operands = 0;  // registers of operands that were compared
  std::uint32_t deep = 0;      // those for which the sets were not the same at once

  [[nodiscard]] bool clean() const { return fault == allocation_fault::none && total == 0; }
  // Nothing that the allocation has brought in.
  [[nodiscard]] bool sound() const { return fault == allocation_fault::none && total == old; }
  [[nodiscard]] span<const allocation_producer> before(const allocation_mismatch& m) const {
    return {producers.data() + m.first_producer, m.before_count};
  }
  [[nodiscard]] span<const allocation_producer> after(const allocation_mismatch& m) const {
    return {producers.data() + m.first_producer + m.before_count, m.after_count};
  }
};

}  // namespace ww::verify
