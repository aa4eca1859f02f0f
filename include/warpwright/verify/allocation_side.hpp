// SPDX-License-Identifier: BSL-1.0
//
// One of the two programs that the check of an allocation compares, with its reaching definitions; stack slots are registers
// in it.
//
//   number     of an instruction: its id before, for both programs; inserted ones follow behind all of these. So equal sets
//              of definitions have equal keys in both (definition_sets.hpp)
//   part       a register that an operand names, numbered over all operands by instruction number (reaching_relation.hpp)
//   frame      memory that is told apart by its address: [register + offset] of what was inserted, local memory at [R1 +
//              offset] and absolute addresses of local and shared memory of the program itself
//   slot       a word of four bytes of the frame: a register of a file of its own. Who accesses the frame has one operand
//              more, behind all others, that names the slots. A call does not write them
// Assumed: other accesses of the program do not touch what an allocator stores in the frame, and R1 is the stack pointer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_map.hpp"
#include "definition_sets.hpp"
#include "reaching_relation.hpp"

namespace ww::verify::detail {

// Where in memory an instruction loads or stores, if that can be told.
struct frame_access {
  static constexpr std::uint32_t word_bytes = 4;
  static constexpr reg stack_pointer = R(1);

  bool known = false;
  bool aligned = false;   // to whole words
  std::uint64_t key = 0;  // of the first word; the next ones have the next keys
  std::uint32_t words = 0;
  std::uint32_t address = none;  // operand that holds the base
  std::uint32_t data = none;     // operand stored or loaded

  static constexpr std::uint32_t none = 0xffffffffu;

  static frame_access of(const program& p, const instruction& i, bool inserted) {
    frame_access f;
    const bool load = i.dir == mem_dir::load;
    const bool local = i.space == mem_space::local;
    if ((!load && i.dir != mem_dir::store) || (!local && i.space != mem_space::shared)) return f;
    if (i.has(iflag::symbolic_mem) || i.mem_bytes == 0) return f;
    const span<const operand> ops = p.operands_of(i);
    reg base{reg_file::none, 0};
    for (std::uint32_t k = 0; k < ops.size(); ++k) {
      const operand o = ops[k];
      if (o.where() == slot::uaddress || o.where() == slot::desc) return f;
      if (o.where() == slot::address && o.is_register()) {
        if (f.address != none || o.width() != 1) return f;
        f.address = k;
        base = o.base();
      }
      if (o.where() == (load ? slot::dst : slot::data) && o.is_register()) f.data = k;
    }
    if (!inserted && f.address != none && (!local || base != stack_pointer)) return f;
    const std::int64_t first = i.mem_offset;
    const std::int64_t last = first + i.mem_bytes - 1;
    const auto word = [](std::int64_t byte) { return (byte + (std::int64_t{1} << 31)) / word_bytes; };
    f.words = static_cast<std::uint32_t>(word(last) - word(first) + 1);
    f.aligned = first % word_bytes == 0;
    f.key =
        std::uint64_t{local ? 1u : 0u} << 63 | std::uint64_t{base.packed} << 32 | static_cast<std::uint64_t>(word(first));
    f.known = true;
    return f;
  }
};

// The slots of both programs.
class frame_slots {
 public:
  static constexpr reg_file file = reg_file::special;

  void clear() { keys_.clear(); }
  void add(const frame_access& f) {
    for (std::uint32_t k = 0; k < f.words; ++k) keys_.push_back(f.key + k);
  }
  void number() {
    std::sort(keys_.begin(), keys_.end());
    keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  }
  [[nodiscard]] reg first_of(const frame_access& f) const {
    const auto at = static_cast<std::uint32_t>(std::lower_bound(keys_.begin(), keys_.end(), f.key) - keys_.begin());
    return reg(file, reg::first_virtual + at);
  }
  // The register that the address of a slot begins with; none for an absolute one.
  [[nodiscard]] reg base_of(reg slot) const {
    return reg::from_packed(static_cast<std::uint32_t>(keys_[slot.number() - reg::first_virtual] >> 32) & 0xffffffu);
  }
  [[nodiscard]] static constexpr bool is_slot(reg r) { return r.file() == file && r.number() >= reg::first_virtual; }

 private:
  vec<std::uint64_t> keys_;
};

class allocation_side {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  program code;                   // instructions by number
  vec<std::uint32_t> first_part;  // by number
  vec<std::uint32_t> id_of;       // by number: the id in the program as it came, or `none`
  vec<allocated_from> role;       // by number
  vec<std::uint8_t> placed;       // by number: stands in a block
  vec<frame_access> frame;        // by number; of what has the operand more
  std::uint32_t parts = 0;
  std::uint32_t originals = 0;  // instructions of the program before
  reaching_relation relation;

  // The program before; then the one after, whose numbers it gives: `number_of` by id.
  void build_before(const program& p, frame_slots& slots) {
    start(p, p.instructions.size());
    originals = static_cast<std::uint32_t>(p.instructions.size());
    code.order = p.order;
    for (const block& b : p.blocks) {
      for (const instr_id i : p.order_of(b)) place(p, i, i.index(), {allocated_as::original, 0, i}, slots);
    }
  }
  void build_after(const program& p, span<const allocated_from> map, const allocation_side& before, frame_slots& slots) {
    originals = before.originals;
    vec<std::uint32_t> number_of(p.instructions.size(), none);
    std::uint32_t next = originals;
    for (const block& b : p.blocks) {
      for (const instr_id i : p.order_of(b)) number_of[i.index()] = 0;
    }
    for (std::uint32_t i = 0; i < number_of.size(); ++i) {
      if (number_of[i] != none) number_of[i] = map[i].what == allocated_as::original ? map[i].of.index() : next++;
    }
    start(p, next);
    code.order.resize(p.order.size());
    for (const block& b : p.blocks) {
      for (std::uint32_t at = b.first; at < b.first + b.count; ++at) {
        const instr_id i = p.order[at];
        const std::uint32_t n = number_of[i.index()];
        code.order[at] = instr_id{n};
        place(p, i, n, map[i.index()], slots);
        if (n < originals) frame[n] = before.frame[n];  // the same operand more as before
      }
    }
  }
  // Behind the numbering of the slots.
  void add_slots(const program& p, const frame_slots& slots) {
    code.operands.clear();
    first_part.resize(code.instructions.size());
    for (std::uint32_t n = 0; n < code.instructions.size(); ++n) {
      instruction& ins = code.instructions[n];
      const auto first = static_cast<std::uint32_t>(code.operands.size());
      if (id_of[n] != none) {
        const span<const operand> ops = p.operands_of(instr_id{id_of[n]});
        code.operands.insert(code.operands.end(), ops.begin(), ops.end());
        if (frame[n].known) {
          const bool store = ins.dir == mem_dir::store;
          operand o = operand::make(slots.first_of(frame[n]), slot::implicit, frame[n].words, store);
          if (store && ins.has(iflag::guarded)) o.set(operand::bit_partial);
          code.operands.push_back(o);
        }
      }
      ins.first_operand = first;
      ins.operand_count = static_cast<std::uint8_t>(code.operands.size() - first);
    }
  }
  // Parts that both programs have get the numbers of the one before: of deleted instructions too.
  void number_parts(const allocation_side* before) {
    parts = 0;
    for (std::uint32_t n = 0; n < code.instructions.size(); ++n) {
      if (before != nullptr && n < originals) {
        first_part[n] = before->first_part[n];
        parts = n + 1 < originals ? before->first_part[n + 1] : before->parts;
        continue;
      }
      first_part[n] = parts;
      for (const operand& o : code.operands_of(instr_id{n})) parts += o.width();
    }
  }
  void compute(definition_sets& pool, bool tell_guards_apart) {
    relation.tell_guards_apart = tell_guards_apart;
    relation.compute(code, first_part, parts, pool, {}, reaching_relation::calls::through);
  }

  struct place_of_part {
    std::uint32_t number = 0;
    std::uint32_t operand = 0;
    std::uint32_t word = 0;
  };
  [[nodiscard]] place_of_part locate(std::uint32_t part) const {
    place_of_part at;
    at.number =
        static_cast<std::uint32_t>(std::upper_bound(first_part.begin(), first_part.end(), part) - first_part.begin() - 1);
    std::uint32_t rest = part - first_part[at.number];
    for (const operand& o : code.operands_of(instr_id{at.number})) {
      if (rest < o.width()) break;
      rest -= o.width();
      ++at.operand;
    }
    at.word = rest;
    return at;
  }
  [[nodiscard]] std::uint32_t part_of(std::uint32_t number, std::uint32_t operand, std::uint32_t word = 0) const {
    std::uint32_t part = first_part[number];
    const span<const ww::operand> ops = code.operands_of(instr_id{number});
    for (std::uint32_t k = 0; k < operand; ++k) part += ops[k].width();
    return part + word;
  }

 private:
  void start(const program& p, std::size_t count) {
    code = program{};
    code.blocks = p.blocks;
    code.edges = p.edges;
    code.instructions.assign(count, instruction{});
    id_of.assign(count, none);
    role.assign(count, allocated_from{});
    placed.assign(count, 0);
    frame.assign(count, frame_access{});
  }
  void place(const program& p, instr_id id, std::uint32_t number, allocated_from from, frame_slots& slots) {
    code.instructions[number] = p[id];
    id_of[number] = id.index();
    role[number] = from;
    placed[number] = 1;
    const bool inserted = from.what == allocated_as::spill || from.what == allocated_as::refill;
    if (!inserted && from.what != allocated_as::original) return;
    const frame_access f = frame_access::of(p, p[id], inserted);
    if (!f.known || p[id].operand_count >= 254) return;
    frame[number] = f;
    slots.add(f);
  }
};

}  // namespace ww::verify::detail
