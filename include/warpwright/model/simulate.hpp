// SPDX-License-Identifier: BSL-1.0
//
// The cycle model: what an order with its control words costs (the judge of every schedule).
//
// One warp: in order, held by stalls, counters, pipes and register-bank ports (warp_state.hpp). Each block starts from the
// state in which its heaviest predecessor left the machine; programs with loops are walked twice, so that a loop starts
// from its own end. Cycles of a block are counted from the earliest issue of its first instruction to the earliest issue of
// the first one behind it, weighted with the block's executions. N warps: many_warps.hpp.
// The model reads the program only: instructions, control words, blocks, weights. Padding costs nothing.
//
// An observer sees the walk of one warp go by: when each instruction issues and what it waited for (issue_log.hpp). The type
// says that there is none (`unobserved`), and then nothing of it is compiled.
#pragma once

#include <cstdint>

#include "../ir/cfg.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/rounded.hpp"
#include "many_warps.hpp"
#include "options.hpp"
#include "warp_state.hpp"
#include "workspace.hpp"

namespace ww::model {

struct unobserved {
  static constexpr bool watches = false;
};

namespace detail {

template <class Arch, class Observer = unobserved>
class one_warp {
 public:
  one_warp(const program& p, const options& o, workspace& ws) requires(!Observer::watches) : p_(p), options_(o), ws_(ws) {}
  one_warp(const program& p, const options& o, workspace& ws, Observer& seen) : p_(p), options_(o), ws_(ws), seen_(&seen) {}

  cost run() {
    const auto blocks = static_cast<std::uint32_t>(p_.blocks.size());
    ws_.block_cycles.assign(blocks, 0.0);
    ws_.has_exit.assign(blocks, 0);
    ws_.entry_from.assign(blocks, none);
    ws_.exit_states.resize(std::size_t{blocks} * sizeof(state_type));
    if (options_.reasons) {
      ws_.units.build(p_);
      ws_.results.assign(ws_.units.count, {});
      ws_.instructions.assign(p_.instructions.size(), {});
    }
    if constexpr (watched) seen_->start(p_, ws_.units.count);
    const operand_reads operands = price_operand_reads<Arch>(p_, ws_.bubbles);
    if (options_.banks == bank_pricing::none) ws_.bubbles.assign(p_.instructions.size(), 0);
    clock_ = 0;
    bool backward = false;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      const std::uint32_t from = heaviest_predecessor(b);
      backward = backward || (from != none && ws_.has_exit[from] == 0);
      walk(b, from);
    }
    if (backward) {
      for (std::uint32_t b = 0; b < blocks; ++b) walk(b, heaviest_predecessor(b));
    }
    cost c;
    c.warps = 1;
    c.operands = operands;
    for (std::uint32_t b = 0; b < blocks; ++b) {
      const block& k = p_.blocks[b];
      if (!k.reachable || k.padding) continue;
      c.cycles += meta::rounded(k.weight * ws_.block_cycles[b]);
      for (const instr_id id : p_.order_of(k)) {
        if (!p_[id].has(iflag::padding)) c.issues += k.weight;
        if (!options_.reasons) continue;
        const instruction_cost& lost = ws_.instructions[id.index()];
        for (unsigned r = 0; r < reason_count; ++r) c.reasons[r] += meta::rounded(k.weight * lost.lost[r]);
      }
    }
    c.block_cycles = ws_.block_cycles;
    if (options_.reasons) c.instructions = ws_.instructions;
    return c;
  }

 private:
  using state_type = warp_with_pipes<Arch>;
  static constexpr bool watched = Observer::watches;
  static_assert(__is_trivially_copyable(state_type));
  static constexpr std::uint32_t none = 0xffffffffu;

  [[nodiscard]] std::uint32_t heaviest_predecessor(std::uint32_t b) const {
    std::uint32_t best = none;
    for (const std::uint32_t index : p_.pred_edges_of(p_.blocks[b])) {
      const cfg_edge& e = p_.edges[index];
      const std::uint32_t from = e.from.index();
      if (e.kind == edge_kind::call_return && is_summary(p_, e)) continue;
      if (best == none || p_.blocks[from].weight > p_.blocks[best].weight) best = from;
    }
    return best;
  }

  void walk(std::uint32_t b, std::uint32_t from) {
    state_type s;
    if (from != none && ws_.has_exit[from] != 0) {
      __builtin_memcpy(&s, ws_.exit_states.data() + std::size_t{from} * sizeof(state_type), sizeof(state_type));
    }
    if constexpr (watched) seen_->begin(from != none && ws_.has_exit[from] != 0 ? from : none);
    const block& k = p_.blocks[b];
    begin_clock(1000);  // results of other blocks are out of reach for the attribution
    double before = 0;
    bool any = false;
    instr_id last;
    std::int32_t previous = -1;
    for (const instr_id id : p_.order_of(k)) {
      const instruction& i = p_[id];
      if (i.has(iflag::padding)) continue;
      const class_fact& f = facts_[static_cast<unsigned>(i.iclass)];
      const std::int32_t pipe = s.pipes[static_cast<unsigned>(f.pipe)];
      const std::int32_t counters = s.warp.by_counters(p_, i);
      const std::int32_t t = meta::max(meta::max(s.warp.next, s.warp.bank), meta::max(pipe, counters));
      if (options_.reasons) explain(id, i, s, previous, pipe, counters, t);
      if constexpr (watched) seen_->before(p_, id, f, s.warp, counters, before + t);
      const std::int32_t bubbles = ws_.bubbles[id.index()];
      if (f.pipe != pipe_id::none) s.pipes[static_cast<unsigned>(f.pipe)] = t + f.interval + (wide_ ? bubbles : 0);
      s.warp.issue(i, f, t, bubbles, options_.far);
      if constexpr (watched) seen_->after(p_, id, f, s.warp, t, options_.far);
      if (options_.reasons) remember(id, i, t);
      previous = t;
      last = id;
      any = true;
      if (t > most_time) {
        s.shift(t);
        begin_clock(t);
        before += t;
        previous = 0;
      }
    }
    if (!any) s.warp.next = meta::max(s.warp.next, 0);
    const std::int32_t end = s.warp.next;
    if (options_.reasons && any && end > previous + 1) {
      const stall_reason why = s.warp.drained ? stall_reason::drain : stall_reason::stall_count;
      ws_.instructions[last.index()].lost[static_cast<unsigned>(why)] += static_cast<std::uint32_t>(end - previous - 1);
    }
    ws_.block_cycles[b] = before + end;
    if constexpr (watched) seen_->end(b);
    s.shift(end);
    begin_clock(end);
    __builtin_memcpy(ws_.exit_states.data() + std::size_t{b} * sizeof(state_type), &s, sizeof(state_type));
    ws_.has_exit[b] = 1;
  }

  // The attribution's clock goes on. When it goes back what was remembered is forgotten.
  void begin_clock(std::int32_t by) {
    if (clock_ > most_time) {
      clock_ = 0;
      if (options_.reasons) ws_.results.assign(ws_.units.count, {});
    }
    clock_ += by;
  }

  // Attributes the cycles between the previous issue and this one.
  void explain(instr_id id, const instruction& i, const state_type& s, std::int32_t previous, std::int32_t pipe,
               std::int32_t counters, std::int32_t t) {
    instruction_cost& lost = ws_.instructions[id.index()];
    lost = {};
    const std::int32_t from = previous + 1;
    if (t <= from) return;
    const auto give = [&lost](stall_reason r, std::int32_t cycles) {
      if (cycles > 0) lost.lost[static_cast<unsigned>(r)] = static_cast<std::uint32_t>(cycles);
    };
    const std::int32_t stall = meta::max(from, s.warp.next);
    if (previous >= 0 && s.warp.drained) {
      give(stall_reason::drain, stall - from);
    } else {
      const need asked = dependence(i);
      if constexpr (watched) {
        if (asked.time > from) seen_->needs(id, asked.unit);
      }
      const std::int32_t needed = meta::clamp(asked.time, from, stall);
      const std::int32_t busy = meta::clamp(meta::max(pipe, s.warp.bank), needed, stall);
      give(stall_reason::dependence, needed - from);
      give(pipe >= s.warp.bank ? stall_reason::pipe : stall_reason::bank, busy - needed);
      give(stall_reason::stall_count, stall - busy);
    }
    if (t > stall) {
      const stall_reason r = counters == t ? stall_reason::barrier : pipe == t ? stall_reason::pipe : stall_reason::bank;
      lost.lost[static_cast<unsigned>(r)] += static_cast<std::uint32_t>(t - stall);
    }
  }

  // Earliest issue (block time), and the register unit that it is for.
  struct need {
    std::int32_t time = -1000000;
    std::uint32_t unit = register_units::none;
  };

  // What the fixed-latency results of this block allow, by the tightest distances seen.
  [[nodiscard]] need dependence(const instruction& i) const {
    need most;
    for (const operand o : p_.operands_of(i)) {
      const std::uint32_t u = ws_.units.first(o);
      if (u == register_units::none) continue;
      for (unsigned k = 0; k < register_units::width(o); ++k) {
        const last_result& w = ws_.results[u + k];
        if (w.time < clock_) continue;
        const access_point me{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), i.has(iflag::guarded)};
        const distance d = o.is_def() ? Arch::latency::waw(w.who, me) : Arch::latency::raw(w.who, me);
        const std::int32_t time = w.time - clock_ + static_cast<std::int32_t>(d.check);
        if (time > most.time) most = {time, u + k};
      }
    }
    return most;
  }

  void remember([[maybe_unused]] instr_id id, const instruction& i, std::int32_t t) {
    if (facts_[static_cast<unsigned>(i.iclass)].variable) return;
    for (const operand o : p_.operands_of(i)) {
      const std::uint32_t u = ws_.units.first(o);
      if (!o.is_def() || u == register_units::none) continue;
      for (unsigned k = 0; k < register_units::width(o); ++k) {
        ws_.results[u + k] = {clock_ + t,
                              {i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), i.has(iflag::guarded)}};
        if constexpr (watched) seen_->writes(u + k, id);
      }
    }
  }

  const program& p_;
  const options& options_;
  workspace& ws_;
  Observer* seen_ = nullptr;
  const array<class_fact, sched_class_count>& facts_ = class_facts<Arch>();
  const bool wide_ = options_.banks == bank_pricing::sub_core;
  std::int32_t clock_ = 0;
};

}  // namespace detail

// Room for both kinds of simulation: which of them a program is looked at with depends on more than its size.
template <class Arch>
void make_room(const program& p, workspace& ws) {
  const std::size_t blocks = p.blocks.size();
  const std::size_t positions = p.order.size();
  ws.block_cycles.make_room(blocks);
  ws.exit_states.make_room(blocks * sizeof(detail::warp_with_pipes<Arch>));
  ws.has_exit.make_room(blocks);
  ws.bubbles.make_room(p.instructions.size());
  ws.entry_from.make_room(blocks);
  ws.trace.make_room(blocks);
  ws.visits.make_room(blocks);
  ws.steps.make_room(positions);
  ws.ranges.make_room(blocks);
  ws.sums.make_room(blocks);
  ws.counted.reserve(most_warps);
}

// Weighted cycles per warp of the whole program under its present order and control words.
template <class Arch>
[[nodiscard]] cost simulate(const program& p, const options& o, workspace& ws) {
  options at_most = o;
  at_most.warps = meta::min(o.warps, most_warps);
  at_most.stagger = meta::min(o.stagger, static_cast<std::uint32_t>(most_ahead));
  at_most.far = meta::clamp(o.far, -most_ahead, most_ahead);
  if (o.warps <= 1) return detail::one_warp<Arch>(p, at_most, ws).run();
  return detail::many_warps<Arch>(p, at_most, ws).run();
}

// The same for one warp, with reasons, while `seen` looks on.
template <class Arch, class Observer>
requires(Observer::watches) [[nodiscard]] cost watch(const program& p, const options& o, workspace& ws, Observer& seen) {
  options alone = o;
  alone.warps = 1;
  alone.far = meta::clamp(alone.far, -most_ahead, most_ahead);
  alone.reasons = true;
  return detail::one_warp<Arch, Observer>(p, alone, ws, seen).run();
}

}  // namespace ww::model
