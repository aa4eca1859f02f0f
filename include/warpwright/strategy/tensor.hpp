// SPDX-License-Identifier: BSL-1.0
//
// Tensor scheduling (PLS-13): matrix instructions in runs, so that operands, accumulators and the pipe stay with them.
//
//   kind    opcode and scheduling class (which names the shape) of a matrix instruction
//   run     matrix instructions of one kind with nothing else between them
//   start   a run is not begun before `Run` instructions of the kind, or all that are left of it, could issue within `Gap`
//           cycles, as long as anything else could issue no later
//   stay    a run goes on while one of its kind could issue at most `Gap` cycles later than the best other instruction;
//           of several the one whose accumulator the run wrote longest ago goes first (chains take turns), and, at equal
//           age, the one with the best rank
// Warpgroup matrix instructions (HGMMA) are kept together with no limit on the gap inside a batch: what stands between two
// of them delays the warpgroup's commit. A block without matrix instructions is left to the list scheduler.
#pragma once

#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "incumbent.hpp"
#include "plan.hpp"

namespace ww::strategy {

template <unsigned Run = 4, unsigned Gap = 8>
struct tensor {
  using role = ww::role::strategy;
  static constexpr const char* name = "tensor";
  static constexpr bool arguments_fit = Run >= 1;
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  struct space {
    plan trial;
    vec<std::uint32_t> kinds;   // by node: number of its kind, 0 = no matrix instruction
    vec<std::uint32_t> left;    // by kind: not placed
    vec<std::uint64_t> labels;  // by kind: opcode and class
    vec<std::uint32_t> wrote;   // by node: picks made when the node that made its accumulator was placed, plus one
    std::uint32_t runs = 0;     // of the last block
  };

  // A matrix instruction: everything that runs on the tensor pipe but HFMA2.MMA.
  template <class Arch>
  [[nodiscard]] static constexpr bool is_matrix(sched_class c) {
    return Arch::pipes::pipe_of(c) == pipe_id::tensor && c != sched_class::hfma2_mma;
  }

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own,
                               schedule_stats& stats) {
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    if constexpr (meta::size_v<typename Config::constraints> != 0) return true;
    if (!find_kinds<typename Config::arch>(p, order, own)) return true;
    plan& t = own.trial;
    t.start(ws, detail::last_is_pinned(p, order));
    own.wrote.assign(order.size(), 0);
    own.runs = 0;
    ws.reasons.clear();
    std::uint32_t run = 0;  // kind of the run that the last pick belongs to
    while (!t.complete()) {
      const std::uint32_t best = t.greedy();
      if (best == plan::none) return false;
      std::uint32_t next = best;
      if (const std::uint32_t on = go_on(own, run); on != plan::none) {
        const bool batch = p[order[on]].iclass == sched_class::hgmma;
        if (batch || t.issue_of(on) <= t.issue_of(best) + Gap) next = on;
      }
      if (own.kinds[next] != 0 && own.kinds[next] != run) next = postpone(own, next);
      if (own.kinds[next] != 0 && own.kinds[next] != run) ++own.runs;
      run = own.kinds[next];
      if (run != 0) --own.left[run];
      note_pick(ws, next, best);
      t.place(next);
      if (run == 0) continue;
      for (const dependence_edge& e : ws.graph.succ(next)) {
        if (e.kind == dependence_kind::raw && own.kinds[e.to] != 0) own.wrote[e.to] = t.size();
      }
    }
    t.copy_sequence(ws.sequence);
    ws.planned = t.end();
    return true;
  }

 private:
  // Numbers the kinds of the block; false when it has no matrix instruction.
  template <class Arch>
  static constexpr bool find_kinds(const program& p, span<const instr_id> order, space& own) {
    own.kinds.assign(order.size(), 0);
    own.labels.assign(1, 0);
    own.left.assign(1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const instruction& ins = p[order[i]];
      if (!is_matrix<Arch>(ins.iclass)) continue;
      const std::uint64_t label =
          (static_cast<std::uint64_t>(ins.op) << 16) | static_cast<std::uint64_t>(static_cast<unsigned>(ins.iclass) + 1);
      std::uint32_t k = 1;
      while (k < own.labels.size() && own.labels[k] != label) ++k;
      if (k == own.labels.size()) {
        own.labels.push_back(label);
        own.left.push_back(0);
      }
      own.kinds[i] = k;
      ++own.left[k];
    }
    return own.labels.size() > 1;
  }

  // The ready instruction that continues the run, or none.
  static constexpr std::uint32_t go_on(const space& own, std::uint32_t run) {
    if (run == 0) return plan::none;
    std::uint32_t best = plan::none;
    for (const std::uint32_t i : own.trial.ready()) {
      if (own.kinds[i] != run) continue;
      if (best == plan::none || own.trial.issue_of(i) < own.trial.issue_of(best) ||
          (own.trial.issue_of(i) == own.trial.issue_of(best) && own.wrote[i] < own.wrote[best])) {
        best = i;
      }
    }
    return best;
  }

  // `first` would begin a run: another instruction instead, while the run is not ready and something else could go now.
  static constexpr std::uint32_t postpone(const space& own, std::uint32_t first) {
    const plan& t = own.trial;
    const std::uint32_t kind = own.kinds[first];
    std::uint32_t ready = 0;
    std::uint32_t other = plan::none;
    for (const std::uint32_t i : t.ready()) {
      if (own.kinds[i] == kind && t.issue_of(i) <= t.issue_of(first) + Gap) ++ready;
      if (own.kinds[i] != 0 || t.issue_of(i) > t.issue_of(first)) continue;
      if (other == plan::none || t.issue_of(i) < t.issue_of(other)) other = i;
    }
    const std::uint32_t wanted = Run < own.left[kind] ? Run : own.left[kind];
    return ready >= wanted || other == plan::none ? first : other;
  }
};

}  // namespace ww::strategy
