// SPDX-License-Identifier: BSL-1.0
//
// ww::rebuilder<Arch>: the whole back end on machine code. Order, registers and control words are made anew.
//
//   ww::rebuilder<ww::sm90>::workspace ws;
//   ww::program out;
//   ww::rebuild_result r = ww::rebuilder<ww::sm90>::run(p, {}, out, ws);     // out: the ids of p, other operands, order and words
//
//   1  the scheduler makes what it can of the registers as they are
//   2  the lift (lift/) gives every value a register of its own
//   3  each block is ordered as cheap as the registers allow (lifted_order.hpp)
//   4  registers are allocated (regalloc/); where that fails, 3 again with fewer
//   5  the numbers are written into operands and words, and the scheduler orders the result once more
//   6  proofs: the order of 3 (verify/same_order.hpp), the allocation (verify/allocation.hpp), the order of 5, its words
// The cheaper of 1 and 6 is the result, by cycles times cycles of the far view, and 6 is never dearer than the program as it came
// in either. The checker's findings do not grow. It allocates memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/dialect.hpp"
#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../isa/register_words.hpp"
#include "../lift/lift.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/vec.hpp"
#include "../pressure/occupancy.hpp"
#include "../regalloc/allocate_program.hpp"
#include "../schedule/unified/unified.hpp"
#include "../verify/allocation.hpp"
#include "lifted_order.hpp"
#include "rebuild_result.hpp"
#include "rebuild_steps.hpp"
#include "scheduler.hpp"
#include "stack_frame.hpp"

namespace ww {

// The orders that a rebuild tries before allocation: the default list scheduler, one close to the order read, and the unified
// engine in its three modes.
template <class Arch>
using rebuild_orders =
    lifted_order<Arch, config_of<Arch>, config_of<Arch, priority::source_order<8>>, config_of<Arch, strategy::unified>,
                 config_of<Arch, strategy::unified, mode::dyn_batch>, config_of<Arch, strategy::unified, mode::reduce_reg>>;

// What the lift may set free in `p`, which has blocks. That a kernel begins where its first block is is said by its stack pointer,
// loaded from where the stack of a thread begins: a function that is called finds it set.
[[nodiscard]] inline lift_options loose_lift(const program& p, const rebuild_options& o, const isa::dialect& d) {
  return {.unset_at_kernels = stack_frame_of(p, d, true).top.valid(),
          .own_calls = !o.calls_outside && has_own_calls_only(p)};
}

// Lifts `p` as `o` says, and what branches go by is set free if it lies beyond the first `general` registers.
[[nodiscard]] inline lift_fault lift_within(const program& p, lifted_program& out, lift_workspace& ws, lift_options o,
                                            std::uint32_t general) {
  const lift_fault f = lift(p, out, ws, o);
  if (f != lift_fault::none || o.known_branches) return f;
  for (const web& w : out.webs) {
    if (w.file != reg_file::r || w.reason != fixed_reason::branch_operand || w.original + w.width <= general) continue;
    o.known_branches = true;
    return lift(p, out, ws, o);
  }
  return f;
}

// Functions that calls of the program alone enter begin with no more than the edges of these calls: nothing comes from elsewhere, so that
// a value, the stack pointer too, is followed through them. `was` remembers what the blocks said.
inline void forget_called_entries(program& p, vec<std::uint8_t>& was) {
  was.resize(p.blocks.size());
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) was[b] = p.blocks[b].entry && is_only_called(p, block_id{b}) ? 1 : 0;
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) p.blocks[b].entry = p.blocks[b].entry && was[b] == 0;
}
inline void recall_entries(program& p, const vec<std::uint8_t>& was) {
  for (std::uint32_t b = 0; b < p.blocks.size() && b < was.size(); ++b) p.blocks[b].entry = p.blocks[b].entry || was[b] != 0;
}

template <class Arch, class Orders = rebuild_orders<Arch>, class Scheduler = scheduler<Arch>>
struct rebuilder {
  using steps = rebuild_steps<Arch, Scheduler>;

  struct workspace {
    typename Scheduler::workspace scheduler;
    typename Orders::workspace orders;
    lift_workspace lift;
    lifted_program lifted;
    regalloc::allocation_space allocation;
    regalloc::program_allocation allocated;
    vec<instr_id> read;        // the order of the program as it came
    vec<instr_id> chosen;      // the one that was allocated last
    vec<std::uint8_t> called;  // by block: forgotten as an entry
    program trial;
    rebuild_proof_space proof;
    vec<verify::allocated_from> map;
  };

  // `out` has the instruction ids of `p`.
  static rebuild_result run(const program& p, const rebuild_options& o, program& out, workspace& ws) {
    rebuild_result r;
    out = p;
    r.scheduled = Scheduler{}.run(out, ws.scheduler, o.schedule);
    r.registers_before = r.registers_after = detail::registers_of<Arch>(p);
    const std::uint32_t allowed = allowed_for(p, o);
    r.fits = r.registers_before <= allowed;
    r.proved = r.scheduled.proved;
    if (r.scheduled.malformed) return keep(r, rebuild_kept::malformed);
    if (r.scheduled.unknown_targets) return keep(r, rebuild_kept::unknown_targets);
    ws.trial = p;
    if (ws.trial.blocks.empty()) (void)build_cfg(ws.trial);
    if (p.has_encoding && dialect_of(p.sm).word64) return keep(r, rebuild_kept::no_encoder);
    if (changes_registers(p)) return keep(r, rebuild_kept::changing_count);
    if (allowed_general(allowed) == 0)
      return keep(r, rebuild_kept::no_room);  // to an allocation it would be no limit at all
    // Fewer registers than there are: what need not keep its place must not be in the way.
    const lift_options loose = r.fits ? lift_options{} : loose_lift(ws.trial, o, dialect_of(p.sm));
    ws.called.clear();
    if (loose.own_calls) forget_called_entries(ws.trial, ws.called);
    if (lift_within(ws.trial, ws.lifted, ws.lift, loose, r.fits ? steps::most : allowed_general(allowed)) !=
        lift_fault::none)
      return keep(r, rebuild_kept::not_lifted);
    r.webs = static_cast<std::uint32_t>(ws.lifted.webs.size());
    r.fixed_webs = r.webs - ws.lifted.virtual_webs();
    ws.read = ws.lifted.code.order;
    const rebuild_kept why = search(p, o, allowed, out, ws, r);  // which changes `r`
    return keep(r, why);
  }

 private:
  static constexpr auto general = static_cast<std::size_t>(pressure_class::r);
  // What an allocation may need beyond what is live, tried one after the other: alignment and tuples leave gaps.
  static constexpr array<std::uint32_t, 6> gaps{0, 1, 2, 4, 8, 16};
  // Weights of what allocations are asked for (regalloc/program_wishes.hpp), the first `effort` of them or all. The two that go best
  // together of those tried on 206 functions for sm_80 and sm_90: 0.863 of the price before, where one alone came to 0.867 and six
  // to 0.860.
  struct wish {
    std::int32_t bank;
    std::int32_t apart;
  };
  static constexpr array<wish, 4> wishes{{{0, 1}, {4, 0}, {1, 2}, {0, 0}}};

  static rebuild_result keep(rebuild_result r, rebuild_kept why) {
    r.kept = why;
    return r;
  }

  static std::uint32_t allowed_general(std::uint32_t allowed) { return steps::limits_of(allowed)[general]; }
  // Registers that the result may ask for.
  static std::uint32_t allowed_for(const program& p, const rebuild_options& o) {
    if (o.registers != 0) return meta::min(o.registers, steps::most);
    const std::uint32_t before = detail::registers_of<Arch>(p);
    return o.calls_outside ? before : meta::min(steps::most, meta::max(before, occupancy_of<Arch>(before).budget));
  }
  // Parts of it have fewer registers than others: which, no web knows.
  static bool changes_registers(const program& p) {
    for (const instruction& i : p.instructions) {
      if (i.op == opcode::usetmaxreg || i.op == opcode::setmaxreg) return true;
    }
    return false;
  }

  // Orders and allocations, the cheapest of which goes to `out` if it is cheaper than what stands there.
  static rebuild_kept search(const program& p, const rebuild_options& o, std::uint32_t allowed, program& out, workspace& ws,
                             rebuild_result& r) {
    const bool ordered = o.effort > 1;
    const bool all = o.effort > 2;
    const register_limits most = steps::limits_of(allowed);
    if (ordered) {
      Orders::price(ws.lifted, {.warps = r.scheduled.warps, .far = r.scheduled.far_before != 0}, allowed, ws.orders);
    }
    rebuild_kept why = rebuild_kept::no_room;
    ws.chosen.clear();
    const auto attempt = [&] {
      if (same(ws.chosen, ws.lifted.code.order)) return false;
      ws.chosen = ws.lifted.code.order;
      const rebuild_kept one = allocate(p, o, most, out, ws, r);
      if (one == rebuild_kept::none || why != rebuild_kept::none) why = one;
      return one != rebuild_kept::no_room;
    };
    for (const std::uint32_t gap : gaps) {
      if (!ordered) break;
      register_limits least = most;
      least[general] = most[general] > gap ? most[general] - gap : 0;
      ws.lifted.code.order = ws.read;
      Orders::choose(ws.lifted.code, least, ws.orders);
      if (attempt() && !all) break;
    }
    ws.lifted.code.order = ws.read;
    (void)attempt();
    return why;
  }
  static bool same(const vec<instr_id>& a, const vec<instr_id>& b) {
    return a.size() == b.size() && meta::equal(a.begin(), a.end(), b.begin());
  }

  // Registers for the present order of the lifted program, by several wishes.
  static rebuild_kept allocate(const program& p, const rebuild_options& o, const register_limits& most, program& out,
                               workspace& ws, rebuild_result& r) {
    rebuild_kept why = rebuild_kept::no_room;
    const std::size_t tried = o.effort > 2 ? wishes.size() : o.effort;
    for (std::size_t w = 0; w < tried && w < wishes.size(); ++w) {
      regalloc::program_allocation_options how;
      how.problems.registers = most;
      how.problems.bank_weight = wishes[w].bank;
      how.problems.apart_weight = wishes[w].apart;
      how.original_places = w == 0;
      ws.allocated = regalloc::allocate_program(ws.lifted, ws.allocation, how);
      ++r.allocations;
      if (!ws.allocated.ok()) continue;
      const rebuild_kept one = take(p, out, ws, r);
      if (one == rebuild_kept::none || why != rebuild_kept::none) why = one;
    }
    return why;
  }

  // Takes the allocation that was made into `out`, if it is proved and cheaper than what stands there.
  static rebuild_kept take(const program& p, program& out, workspace& ws, rebuild_result& r) {
    const lower_result lowered = steps::lower_bare(ws.lifted, ws.allocated.where);
    if (!lowered.ok()) return rebuild_kept::no_room;
    program& q = ws.trial;
    q = lowered.code;
    if (!encode(p, q, ws.lifted.has_encoding)) return rebuild_kept::not_encoded;
    if (!steps::same_order(ws.lifted.code, ws.read, ws.proof) || !proves_allocation(q, ws)) return rebuild_kept::not_proved;
    recall_entries(q, ws.called);
    schedule_result again;
    if (!steps::schedule_again(q, p, r.scheduled, ws.scheduler, ws.proof, again)) return rebuild_kept::not_proved;
    if (r.fits && !cheaper(again, r.scheduled)) return rebuild_kept::dearer;
    steps::take(q, again, r);
    r.renamed = 0;
    for (std::size_t w = 0; w < ws.lifted.webs.size(); ++w) {
      r.renamed += ws.allocated.where[w] != ws.lifted.webs[w].original ? 1u : 0u;
    }
    out = q;
    return rebuild_kept::none;
  }
  static bool cheaper(const schedule_result& now, const schedule_result& was) {
    return now.cycles_after <= was.cycles_before && (was.far_before <= 0 || now.far_after <= was.far_before) &&
           steps::price(now) < steps::price(was);
  }

  // Writes the operands of `q` into its words.
  static bool encode(const program& p, program& q, bool words) {
    q.has_encoding = words;
    if (!words) return true;
    const isa::dialect d = dialect_of(p.sm);
    for (std::uint32_t k = 0; k < q.instructions.size(); ++k) {
      instruction& now = q.instructions[k];
      const instruction& was = p.instructions[k];
      if (!isa::set_registers(now.word, was, p.operands_of(was), q.operands_of(now), d).ok()) return false;
    }
    return true;
  }

  static bool proves_allocation(const program& q, workspace& ws) {
    ws.map.clear();
    for (std::uint32_t k = 0; k < q.instructions.size(); ++k) ws.map.push_back({.of = instr_id{k}});
    return verify::check_allocation(ws.lifted.code, q, {ws.map.data(), ws.map.size()}).clean();
  }
};

}  // namespace ww
