// SPDX-License-Identifier: BSL-1.0
//
// A lifted program with spill code in it, and where its instructions come from (FPA-8): what insert_spills() works on.
//
//   lifted      the program; instructions and webs of the one that was lifted keep their numbers, new ones follow behind
//   map         by instruction, for verify::check_allocation: original, spill, refill or computed again. `of` is an instruction of
//               the program that start_spills() was given, however many calls there were since
//   came_from   by instruction: its id before the last call, none for what that call has made
//   state       by web: whole, short_lived, in_memory, recomputed (spill_space.hpp). Webs that operands no longer name stay in the
//               list with no definitions and uses, so that numbers hold; nobody needs to give them registers
// A value: copy it before a call to be able to go back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../lift/lifted.hpp"
#include "../meta/vec.hpp"
#include "../verify/allocation_map.hpp"
#include "spill_space.hpp"

namespace ww::regalloc {

struct spilled_program {
  lifted_program lifted;
  vec<verify::allocated_from> map;  // by instruction; `of` speaks of the program that start_spills() was given
  vec<instr_id> came_from;          // by instruction: its id before the last call, none: new
  vec<web_state> state;             // by web
  std::int64_t frame_end = 0;       // the frame base of the next call
  std::uint32_t stores = 0;         // of all calls
  std::uint32_t reloads = 0;
  std::uint32_t recomputed = 0;
  std::uint32_t deleted = 0;
};

[[nodiscard]] inline spilled_program start_spills(lifted_program l) {
  spilled_program s;
  s.lifted = static_cast<lifted_program&&>(l);
  s.map.resize(s.lifted.code.instructions.size());
  s.came_from.resize(s.map.size());
  for (std::uint32_t i = 0; i < s.map.size(); ++i) {
    s.map[i].of = instr_id{i};
    s.came_from[i] = instr_id{i};
  }
  s.state.assign(s.lifted.webs.size(), web_state::whole);
  return s;
}

}  // namespace ww::regalloc
