// SPDX-License-Identifier: BSL-1.0
//
// Scoreboard reuse (PLS-13): as few dependency counters and waits as the code allows.
//
//   order    list scheduling in which a producer with a counted result pulls the other producers with the same first
//            consumer behind it, where they can issue no later than the list's choice: they can then share one counter and
//            one wait
//   finish   the counters are chosen a second time by `fewest_counters`: first a busy counter with the same first consumer,
//            then one that sharing does not delay, then the lowest free one. The choice is taken where it has fewer waits or
//            counters, and the one-warp model does not count one cycle more
// Waits follow from the choice of counters by the whole-program analysis of scoreboard/, so any choice is legal.
#pragma once

#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../model/simulate.hpp"
#include "../scoreboard/assign.hpp"
#include "incumbent.hpp"
#include "plan.hpp"

namespace ww::strategy {

// A barrier policy: see above. Estimates of cycles are the pool's.
struct fewest_counters {
  using role = ww::role::barrier_policy;
  static constexpr const char* name = "fewest_counters";

  template <class Pool>
  static scoreboard::barrier_choice choose(const Pool& pool, const scoreboard::barrier_request& q) {
    return scoreboard::cheapest_counter(pool, q, [&](const scoreboard::barrier_record& r, bool free, unsigned index) {
      return price(r, free, index, q, Pool::never);
    });
  }

 private:
  static constexpr std::int64_t price(const scoreboard::barrier_record& r, bool free, unsigned index,
                                      const scoreboard::barrier_request& q, std::int32_t never) {
    if (free) return 8 + index;
    if (r.need_pos == q.need_pos && (q.need_cycle < never || (!q.write && !r.writes))) return 0;
    // cycles that the other one's consumer, and this one's, would wait longer
    const std::int64_t mine = positive(std::int64_t{r.done_cycle} - later(q.done_cycle, q.need_cycle));
    const std::int64_t theirs = positive(std::int64_t{q.done_cycle} - later(r.done_cycle, r.first_need));
    return mine + theirs == 0 ? 4 : 16 + 4 * (mine + theirs) + r.producers;
  }
  static constexpr std::int64_t positive(std::int64_t v) { return v > 0 ? v : 0; }
  static constexpr std::int64_t later(std::int32_t a, std::int32_t b) { return a > b ? a : b; }
};

struct scoreboard_reuse {
  using role = ww::role::strategy;
  static constexpr const char* name = "scoreboard_reuse";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  // What a program's control words use.
  struct usage {
    std::uint32_t counters = 0;  // distinct ones raised, summed over blocks
    std::uint32_t waits = 0;     // bits of wait masks
    std::uint32_t waiting = 0;   // instructions with a wait mask
    [[nodiscard]] std::uint32_t sum() const { return counters + waits + waiting; }
  };

  struct space {
    plan trial;
    vec<std::uint32_t> consumer;  // by node: first reader of its counted result, or none
    vec<std::uint32_t> found;
    ww::scoreboard::workspace board;
    ww::model::workspace machine;
    vec<ww::control> kept;
    usage before;  // of the last program
    usage after;
  };

  [[nodiscard]] static usage usage_of(const program& p) {
    usage u;
    for (const block& b : p.blocks) {
      unsigned raised = 0;
      for (const instr_id id : p.order_of(b)) {
        const control& c = p[id].ctl;
        if (c.sets_write()) raised |= 1u << c.write_barrier;
        if (c.sets_read()) raised |= 1u << c.read_barrier;
        u.waits += static_cast<unsigned>(__builtin_popcount(c.wait_mask));
        u.waiting += c.wait_mask != 0 ? 1u : 0u;
      }
      u.counters += static_cast<unsigned>(__builtin_popcount(raised));
    }
    return u;
  }

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own,
                               schedule_stats& stats) {
    using arch = typename Config::arch;
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    if constexpr (meta::size_v<typename Config::constraints> != 0) return true;
    const dependence_graph& g = ws.graph;
    own.consumer.assign(g.count, plan::none);
    bool shared = false;
    for (std::uint32_t i = 0; i < g.count; ++i) {
      if (!detail::row_of<arch>(ws.nodes[i].iclass).variable) continue;
      for (const dependence_edge& e : g.succ(i)) {
        if (e.kind == dependence_kind::raw && e.to < own.consumer[i]) own.consumer[i] = e.to;
      }
      shared = shared || own.consumer[i] != plan::none;
    }
    if (!shared) return true;
    plan& t = own.trial;
    t.start(ws, detail::last_is_pinned(p, order));
    std::uint32_t wanted = plan::none;  // first consumer of the producer placed last
    while (!t.complete()) {
      std::uint32_t next = t.greedy();
      if (next == plan::none) return false;
      if (wanted != plan::none && own.consumer[next] != wanted) {
        for (const std::uint32_t i : t.ready()) {
          if (own.consumer[i] != wanted || t.issue_of(i) > t.issue_of(next)) continue;
          next = i;
          break;
        }
      }
      if (own.consumer[next] != plan::none) wanted = own.consumer[next];
      t.place(next);
    }
    // Not longer than the list's order, or the list's it is.
    if (t.end() > ws.planned) return true;
    if (ws.want_reasons) {
      ws.reasons.clear();
      for (std::uint32_t k = 0; k < t.size(); ++k) note_pick(ws, t.pick(k), ws.sequence[k]);
    }
    t.copy_sequence(ws.sequence);
    ws.planned = t.end();
    return true;
  }

  template <class Arch>
  static void finish(program& p, space& own) {
    own.before = usage_of(p);
    own.after = own.before;
    own.kept.resize(p.instructions.size());
    for (std::size_t i = 0; i < p.instructions.size(); ++i) own.kept[i] = p.instructions[i].ctl;
    const double old_cycles = model::simulate<Arch>(p, {}, own.machine).cycles;
    (void)scoreboard::assign_control<Arch, fewest_counters>(p, own.board);
    const usage now = usage_of(p);
    if (now.sum() < own.before.sum() && model::simulate<Arch>(p, {}, own.machine).cycles <= old_cycles) {
      own.after = now;
      return;
    }
    for (std::size_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].ctl = own.kept[i];
  }
};

}  // namespace ww::strategy
