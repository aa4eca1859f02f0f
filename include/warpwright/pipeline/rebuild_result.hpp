// SPDX-License-Identifier: BSL-1.0
//
// What ww::rebuilder<...>::run() is asked for, and what it says.
//
//   registers   general registers that the result may ask for, reserved ones included; 0 = as many as keep the occupancy, and no more
//               than before where code that is not here calls it or is called
//   effort      1: the order stays before the allocation; 2: blocks are ordered, the first allocation counts; 3: several
//               allocations are made, the cheapest counts
//   kept        why the registers stayed what they were; the result is then what the scheduler alone made
//   scheduled   what the scheduler says of the result, its `before` figures those of the program as it came
//   proved      order, registers and words were each checked against the program as it came (rebuild.hpp)
#pragma once

#include <cstdint>

#include "../ir/ids.hpp"
#include "../meta/span.hpp"
#include "result.hpp"

namespace ww {

enum class rebuild_kept : std::uint8_t {
  none,             // registers are new
  malformed,        // the program contradicts itself
  unknown_targets,  // a branch may go anywhere
  not_lifted,       // lift_fault says why
  no_encoder,       // 64-bit instructions
  changing_count,   // it changes how many registers it has as it runs
  no_room,          // no allocation was found within the registers
  not_encoded,      // an operand has no known place in its words
  not_proved,       // a check had something against every result
  dearer,           // none was cheaper by the model
  suspected,        // the lints suspect an accident in the result; who runs them decides (the command line does)
  not_asked,        // they were to stay
};

constexpr const char* name_of(rebuild_kept k) {
  switch (k) {
    case rebuild_kept::none:
      return "registers are new";
    case rebuild_kept::malformed:
      return "the program contradicts itself";
    case rebuild_kept::unknown_targets:
      return "an indirect branch has no known targets";
    case rebuild_kept::not_lifted:
      return "its registers cannot be told apart";
    case rebuild_kept::no_encoder:
      return "register numbers of 64-bit instructions are not written";
    case rebuild_kept::changing_count:
      return "it changes how many registers it has as it runs";
    case rebuild_kept::no_room:
      return "no allocation was found within the registers";
    case rebuild_kept::not_encoded:
      return "an operand has no known place in its words";
    case rebuild_kept::not_proved:
      return "no new allocation could be proved";
    case rebuild_kept::dearer:
      return "no new allocation was cheaper by the model";
    case rebuild_kept::suspected:
      return "the check suspects an accident in what is right";
    case rebuild_kept::not_asked:
      return "they were to stay";
  }
  return "?";
}

struct rebuild_options {
  run_options schedule;
  std::uint32_t registers = 0;
  std::uint32_t effort = 2;
  bool calls_outside = false;  // calls code that is not in the program, or is called by it
  // The instructions that move a return address into a register, all of them (sass/return_numbers.hpp, which reads numbers in words).
  // Where they are not known, nothing is put into a program with calls.
  bool knows_return_moves = false;
  span<const instr_id> return_moves = {};
};

struct rebuild_result {
  schedule_result scheduled;
  std::uint32_t registers_before = 0;  // general registers asked for, reserved ones included
  std::uint32_t registers_after = 0;
  std::uint32_t webs = 0;
  std::uint32_t fixed_webs = 0;
  std::uint32_t renamed = 0;      // webs in other registers than before
  std::uint32_t allocations = 0;  // tried
  rebuild_kept kept = rebuild_kept::none;
  bool fits = true;  // the result keeps to `registers`
  bool proved = false;
};

}  // namespace ww
