// SPDX-License-Identifier: BSL-1.0
//
// Control words for a whole program (phase 115, SB-7): given any legal order, fills instruction::ctl of every instruction.
//
//   counters.hpp  which counter each producer raises, and who waits for which (whole program, all paths)
//   stalls.hpp    issue distances of fixed-latency results, own stalls, yield
//   reuse.hpp     operand-cache flags
// The result is right for the kernel as a whole: across blocks, loops and calls. The program must have its blocks
// and edges (ir/cfg.hpp). A program that was read from a listing keeps what its control words said about counters without
// registers (special.hpp). Policies are found by role: barrier_policy, yield_policy and reuse_policy;
// others are ignored.
#pragma once

#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/pick.hpp"
#include "../meta/traits.hpp"
#include "conflict_waits.hpp"
#include "counters.hpp"
#include "decode.hpp"
#include "old_waits.hpp"
#include "reuse.hpp"
#include "stalls.hpp"
#include "yield_rhythm.hpp"

namespace ww::scoreboard {

struct assign_stats {
  std::uint64_t instructions = 0;
  std::uint64_t stall_cycles = 0;  // sum of all stalls, each instruction once
  std::uint64_t waits = 0;         // instructions with a wait mask
  std::uint64_t write_sets = 0;
  std::uint64_t read_sets = 0;
  std::uint64_t drains = 0;  // dependences that no stall could cover
  std::uint64_t reuse_flags = 0;
};

namespace detail {

template <class Role, class Default, class... Policies>
struct policy_of {
  using type = Default;
};
template <class Role, class Default, class Slot, class... Rest>
struct policy_of<Role, Default, meta::by_default<Slot>, Rest...> : policy_of<Role, Default, Rest...> {};  // nobody's choice
template <class Role, class Default, class First, class... Rest>
struct policy_of<Role, Default, First, Rest...> {
  template <class P>
  struct matches {
    static constexpr bool value = false;
  };
  template <class P>
  requires requires { typename P::role; }
  struct matches<P> {
    static constexpr bool value = __is_same(typename P::role, Role);
  };
  using type = meta::conditional_t<matches<First>::value, First, typename policy_of<Role, Default, Rest...>::type>;
};

template <class Barrier, class Yield, class Reuse>
struct control_policies {
  using barrier = Barrier;
  using yield = Yield;
  using reuse = Reuse;
};
// Those of a list in any order, with the defaults of what it leaves out.
template <class... Policies>
using chosen_policies = control_policies<typename policy_of<role::barrier_policy, barriers::share, Policies...>::type,
                                         typename policy_of<role::yield_policy, yields::observed, Policies...>::type,
                                         typename policy_of<role::reuse_policy, reuse::as_compiler, Policies...>::type>;

// What assign_decoded() does, also in constant expressions.
template <class Arch, class Policies>
constexpr assign_stats make_control(program& p, workspace& ws) {
  assign_stats s;
  const std::uint8_t reserved = begin_words<Arch>(p, ws);
  counter_pass<Arch, typename Policies::barrier> counters(p, ws);
  counters.reserved = reserved;
  counters.run();
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {  // another program may have a loop here, or take another round
    block_flow& f = ws.flow[b];
    f.hint.make_room(f.pending_in.capacity());
    f.known.make_room(2 * f.pending_in.capacity());
  }
  if constexpr (requires { Policies::barrier::waits_at_conflicts; }) (void)add_conflict_waits(p, ws, reserved);
  stall_pass<Arch, typename Policies::yield> stalls(p, ws);
  stalls.run();
  s.drains = stalls.drains;
  s.instructions = p.order.size();
  if constexpr (requires { Policies::barrier::drops_old_waits; }) drop_old_waits<Arch>(p, ws);
  reuse_pass<Arch, typename Policies::reuse> reuse(p, ws.reuse);
  yield_rhythm<typename Policies::yield, Arch::barriers::max_stall_stay> rhythm;
  for (const block& b : p.blocks) {
    reuse.begin(b.first);
    rhythm.begin();
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const site& x = ws.sites[pos];
      instruction& i = p.instructions[x.instruction];
      i.ctl = x.ctl;
      rhythm.visit(i.ctl, x.iclass, pos + 1 == b.first + b.count);
      reuse.visit(p, i, pos, access_registers(ws, x));
      s.stall_cycles += x.ctl.stall;
      s.waits += x.ctl.wait_mask != 0 ? 1u : 0u;
      s.write_sets += x.ctl.sets_write() ? 1u : 0u;
      s.read_sets += x.ctl.sets_read() ? 1u : 0u;
    }
  }
  s.reuse_flags = reuse.flags();
  p.has_control = true;
  return s;
}

}  // namespace detail

// New words for a program that was decoded in `ws` for the same architecture: as it was then, but for the order inside its blocks
// and its control words.
template <class Arch, class... Policies>
assign_stats assign_decoded(program& p, workspace& ws) {
  return detail::make_control<Arch, detail::chosen_policies<Policies...>>(p, ws);
}

// New words for any program.
template <class Arch, class... Policies>
assign_stats assign_control(program& p, workspace& ws) {
  decode_program<Arch>(p, ws);
  return assign_decoded<Arch, Policies...>(p, ws);
}

}  // namespace ww::scoreboard
