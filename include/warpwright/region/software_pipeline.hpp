// SPDX-License-Identifier: BSL-1.0
//
// strategy::software_pipeline<Inner>: innermost counted loops start an iteration before the one before has ended (PLS-13,
// "Loop body overlapping -- interleaves iterations to fill pipeline bubbles").
//
//   region/counted_loop.hpp      which loops, and the reasons against the others
//   region/loop_names.hpp        modulo variable expansion on virtual registers
//   region/modulo_schedule.hpp   the initiation interval, from resources and recurrences
//   region/pipelined_code.hpp    prologue, kernel, epilogues
// Dependences with their distances come from the dependence graph of two iterations in a row, under the composition's
// disambiguation policy; what it cannot tell apart is a dependence. It works on programs in memory, lifted ones
// (lift/) included: a listing has no place for new instructions. `space::loops` says what became of every loop.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "../arch/margin.hpp"
#include "../graph/build.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../pressure/liveness.hpp"
#include "../schedule/class_table.hpp"
#include "../schedule/strategy.hpp"
#include "counted_loop.hpp"
#include "loop_names.hpp"
#include "modulo_schedule.hpp"
#include "pipelined_code.hpp"
#include "plan_length.hpp"

namespace ww::strategy {

// What became of one loop.
struct pipelined_report {
  block_id body;  // in the program as it was when the loop was looked at
  region::pipelining_refusal refusal = region::pipelining_refusal::none;
  std::uint32_t instructions = 0;
  std::uint32_t iteration = 0;  // cycles of one iteration by the list scheduler
  std::uint32_t res_mii = 0;    // cycles
  std::uint32_t rec_mii = 0;    // cycles
  std::uint32_t interval = 0;   // cycles
  std::uint32_t stages = 0;
  std::uint32_t copies = 0;  // names per expanded register
};

template <class Inner = list>
struct software_pipeline {
  using role = ww::role::strategy;
  using inner = Inner;
  static constexpr const char* name = "software_pipeline";
  static constexpr bool arguments_fit = list_strategy<Inner>;
  static constexpr bool models_cycles = ww::detail::strategy_or_list<Inner>::models_cycles;
  static constexpr bool uses_priority = ww::detail::strategy_or_list<Inner>::uses_priority;
  static constexpr bool transforms_program = true;

  static constexpr std::uint32_t max_stages = 4;
  static constexpr std::uint32_t max_copies = 4;

  struct space {
    vec<pipelined_report> loops;
    std::uint32_t trip_count = 0;  // iterations of every loop, if the caller knows; 0 = not known
    liveness live;
    region::loop_names names;
    region::modulo_scheduler modulo;
    region::plan_space plan;
    schedule_space graph;
    program iterations;  // two of them, with names of their own
    program rewritten;
  };

  template <class Config>
  static unsigned transform(program& p, space& own) {
    own.loops.clear();
    unsigned changes = 0;
    for (std::uint32_t b = static_cast<std::uint32_t>(p.blocks.size()); b-- > 0;) {
      pipelined_report r;
      r.body = block_id{b};
      r.refusal = region::inspect_loop(p, r.body);
      if (r.refusal == region::pipelining_refusal::not_a_loop) continue;
      r.instructions = p.blocks[b].count;
      if (r.refusal == region::pipelining_refusal::none) {
        r.refusal = overlap<Config>(p, own, r);
        if (r.refusal == region::pipelining_refusal::none) ++changes;
      }
      own.loops.push_back(r);
    }
    return changes;
  }

 private:
  using refusal = region::pipelining_refusal;

  template <class Config>
  static refusal overlap(program& p, space& own, pipelined_report& r) {
    const block blk = p[r.body];
    const block_id exit{r.body.index() + 1};
    own.live.compute(p);
    if (!own.names.compute(p, r.body, exit, own.live, std::max(max_copies, 3u))) return refusal::no_registers;
    describe<Config>(p, blk, own);
    r.iteration = region::plan_length<Config>(p, r.body, own.plan);
    const bool found = own.modulo.run(r.iteration, max_stages);
    r.res_mii = own.modulo.res_mii;
    r.rec_mii = own.modulo.rec_mii;
    const bool gains = found && own.modulo.stages > 1 && own.modulo.interval * 10 <= r.iteration * 9;
    if (!gains) {
      if (r.rec_mii > r.res_mii && own.modulo.bound_without_memory() < r.rec_mii) return refusal::memory_unknown;
      return found || std::max(r.res_mii, r.rec_mii) >= r.iteration ? refusal::no_gain : refusal::no_schedule;
    }
    r.interval = own.modulo.interval;
    r.stages = own.modulo.stages;
    if (own.trip_count != 0 && own.trip_count < r.stages) return refusal::trip_too_small;
    r.copies = copies_needed(p, blk, own);
    if (r.copies > max_copies) return refusal::no_schedule;
    const region::pipelined_loop loop{r.body, own.modulo.time, r.interval, r.stages, r.copies};
    region::pipelined_code code(p, own.names, loop);
    if (!code.write(own.rewritten)) return refusal::several_exits;
    std::swap(p, own.rewritten);
    return refusal::none;
  }

  // Nodes and edges of the body: the dependence graph of iterations 0 and 1, three names apart.
  template <class Config>
  static void describe(const program& p, const block& blk, space& own) {
    using arch = typename Config::arch;
    using graph_arch = with_margin<arch, typename Config::margin>;
    const span<const instr_id> body = p.order_of(blk);
    const auto n = static_cast<std::uint32_t>(body.size() - 1);
    program& two = own.iterations;
    two = program{};
    vec<instr_id> order;
    const auto add = [&](std::uint32_t k, std::uint32_t iteration) {
      instruction i = p[body[k]];
      i.first_operand = static_cast<std::uint32_t>(two.operands.size());
      for (const operand o : p.operands_of(body[k])) two.operands.push_back(own.names.name(o, k, iteration, 3));
      order.push_back(instr_id{static_cast<std::uint32_t>(two.instructions.size())});
      two.instructions.push_back(i);
    };
    for (std::uint32_t k = 0; k < 2 * n; ++k) add(k % n, k / n);
    const auto build = [&]() -> const dependence_graph& {
      build_graph<graph_arch, typename Config::graph_builder, typename Config::disambiguation>(two, order, own.graph.graph,
                                                                                               own.graph.graph_space);
      return own.graph.graph;
    };
    own.modulo.nodes.assign(n, {});
    own.modulo.edges.clear();
    for (std::uint32_t k = 0; k < n; ++k) {
      const ww::detail::class_row& row = ww::detail::row_of<arch>(p[body[k]].iclass);
      own.modulo.nodes[k].pipe = row.pipe;
      own.modulo.nodes[k].interval = row.interval;
    }
    for (const dependence_edge& e : build().edges) {
      if (e.from < n)
        own.modulo.edges.push_back({e.from, e.to % n, e.latency, e.to / n, false, e.kind == dependence_kind::memory});
    }
    // The branch: what it reads has to be there in time.
    two = program{};
    order.clear();
    for (std::uint32_t k = 0; k <= n; ++k) add(k, 0);
    for (const dependence_edge& e : build().pred(n)) {
      if (e.kind == dependence_kind::raw) own.modulo.nodes[e.from].before_branch = std::max<std::uint32_t>(e.latency, 1);
    }
  }

  // Intervals that the longest-lived expanded register lives, one name each.
  static std::uint32_t copies_needed(const program& p, const block& blk, const space& own) {
    using kind = region::loop_names::kind;
    const span<const instr_id> body = p.order_of(blk);
    const std::uint32_t ii = own.modulo.interval;
    std::uint32_t most = 1;
    // Every write of a name comes behind the last read of what the name meant `copies` iterations before.
    for (std::uint32_t d = 0; d + 1 < body.size(); ++d) {
      for (const operand w : p.operands_of(body[d])) {
        if (!w.is_def() || own.names.kind_of(w) == kind::kept) continue;
        for (std::uint32_t u = 0; u < body.size(); ++u) {
          const std::uint32_t read = u + 1 == body.size() ? ii - 1 : own.modulo.time[u];
          for (const operand o : p.operands_of(body[u])) {
            if (!o.is_register() || o.file() != w.file()) continue;
            const bool meets =
                o.base().number() < w.base().number() + w.width() && w.base().number() < o.base().number() + o.width();
            if (!meets) continue;
            // Iterations between the write of a value and this access to it.
            const std::uint32_t later = own.names.kind_of(w) == kind::carried && u <= d && o.is_use() ? 1u : 0u;
            const std::uint32_t end = read + later * ii;
            const std::uint32_t begin = own.modulo.time[d];
            if (end >= begin) most = std::max(most, (end - begin) / ii + 1);
          }
        }
      }
    }
    return most;
  }
};

}  // namespace ww::strategy
