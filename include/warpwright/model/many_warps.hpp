// SPDX-License-Identifier: BSL-1.0
//
// N warps of one sub-core: every warp runs the same trace of blocks, they share pipes and the one issue slot per cycle.
//
// The scheduler is greedy on the warp that issued last while it is ready, otherwise the youngest ready one
// (facts: hardware 1.4). The trace is the program in layout order, each loop body twice, so that a block is also seen
// behind its own end; a cycle of the sub-core belongs to the block of the instruction that ended it. Cycles of a block
// are per execution and per warp: sub-core cycles divided by executions of all warps. So with pipes saturated the cost is
// the resource cost, and with one warp it would be the latency cost. Cycles are a mean over six distances between the starts
// of the warps, unless the options name one (options.hpp).
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "cost.hpp"
#include "options.hpp"
#include "warp_state.hpp"
#include "workspace.hpp"

namespace ww::model {

namespace detail {

template <class Arch>
struct warp_with_pipes {
  warp_state<Arch> warp;
  array<std::int32_t, pipe_count> pipes{};

  void shift(std::int32_t origin) {
    warp.shift(origin);
    for (auto& t : pipes) t -= origin;
  }
};

// Block numbers in the order in which a warp runs them: layout order, each loop body once more from its last block.
inline void make_trace(const program& p, vec<std::uint32_t>& trace) {
  trace.clear();
  const auto blocks = static_cast<std::uint32_t>(p.blocks.size());
  const std::size_t limit = 4 * p.order.size() + 4096;  // instructions; deep nests are not unrolled without end
  std::size_t length = 0;
  for (std::uint32_t b = 0; b < blocks; ++b) {
    const block& k = p.blocks[b];
    if (!k.reachable || k.padding) continue;
    trace.push_back(b);
    length += k.count;
    for (const cfg_edge& e : p.edges_of(k)) {
      const std::uint32_t head = e.to.index();
      if (head > b || (e.kind != edge_kind::branch && e.kind != edge_kind::fall)) continue;
      for (std::uint32_t again = head; again <= b && length < limit; ++again) {
        if (!p.blocks[again].reachable || p.blocks[again].padding || p.blocks[again].loop_depth < p.blocks[head].loop_depth)
          continue;
        trace.push_back(again);
        length += p.blocks[again].count;
      }
    }
  }
}

template <class Arch>
class many_warps {
 public:
  many_warps(const program& p, const options& o, workspace& ws) : p_(p), options_(o), ws_(ws) {}

  cost run() {
    const auto blocks = static_cast<std::uint32_t>(p_.blocks.size());
    ws_.block_cycles.assign(blocks, 0.0);
    ws_.visits.assign(blocks, 0);
    if (options_.reasons) ws_.instructions.assign(p_.instructions.size(), {});
    make_trace(p_, ws_.trace);
    for (const std::uint32_t b : ws_.trace) ++ws_.visits[b];
    cost c;
    c.warps = options_.warps;
    c.operands = price_operand_reads<Arch>(p_, ws_.bubbles);
    if (options_.banks == bank_pricing::none) ws_.bubbles.assign(p_.instructions.size(), 0);
    unsigned starts = 0;
    for (const std::uint32_t stagger : mean_staggers) {
      if (options_.stagger != 0 && starts != 0) break;
      simulate(options_.stagger != 0 ? options_.stagger : stagger);
      ++starts;
    }
    for (std::uint32_t b = 0; b < blocks; ++b) {
      if (ws_.visits[b] == 0) continue;
      const block& k = p_.blocks[b];
      ws_.block_cycles[b] /= static_cast<double>(ws_.visits[b]) * options_.warps * starts;
      c.cycles += k.weight * ws_.block_cycles[b];
      for (const instr_id id : p_.order_of(k)) c.issues += p_[id].has(iflag::padding) ? 0.0 : k.weight;
    }
    if (options_.reasons) {
      for (std::uint32_t b = 0; b < blocks; ++b) {
        if (ws_.visits[b] == 0) continue;
        const double scale = p_.blocks[b].weight / (static_cast<double>(ws_.visits[b]) * options_.warps * starts);
        for (const instr_id id : p_.order_of(p_.blocks[b])) {
          for (unsigned r = 0; r < reason_count; ++r) c.reasons[r] += scale * ws_.instructions[id.index()].lost[r];
        }
      }
      for (instruction_cost& i : ws_.instructions) {
        for (std::uint32_t& lost : i.lost) lost /= starts;
      }
      c.instructions = ws_.instructions;
    }
    c.block_cycles = ws_.block_cycles;
    return c;
  }

 private:
  static constexpr std::int32_t never = 0x7fffffff;

  struct runner {
    warp_state<Arch> warp;
    std::uint32_t place = 0;     // in the trace
    std::uint32_t position = 0;  // in program::order
    std::uint32_t end = 0;
    instr_id next;
    std::uint32_t block = 0;
    bool held_by_counter = false;
  };

  // When warp `w` would issue, `now` at the earliest.
  [[nodiscard]] std::int32_t issue_of(unsigned w, const array<std::int32_t, pipe_count>& pipes, std::int32_t now) const {
    return meta::max(meta::max(ready_[w], pipes[pipe_[w]]), now);
  }

  // Moves to the next instruction that is not padding; false at the end of the trace.
  bool advance(unsigned w) {
    runner& r = runners_[w];
    for (;;) {
      while (r.position < r.end) {
        const instr_id id = p_.order[r.position++];
        const instruction& i = p_[id];
        if (i.has(iflag::padding)) continue;
        r.next = id;
        const std::int32_t counters = r.warp.by_counters(p_, i);
        const std::int32_t own = meta::max(r.warp.next, r.warp.bank);
        ready_[w] = meta::max(own, counters);
        r.held_by_counter = counters > own;
        pipe_[w] = static_cast<std::uint8_t>(facts_[static_cast<unsigned>(i.iclass)].pipe);
        return true;
      }
      if (r.place == ws_.trace.size()) {
        ready_[w] = never;
        return false;
      }
      r.block = ws_.trace[r.place++];
      r.position = p_.blocks[r.block].first;
      r.end = r.position + p_.blocks[r.block].count;
    }
  }

  void simulate(std::uint32_t stagger) {
    const unsigned n = options_.warps;
    unsigned alive = 0;
    for (unsigned w = 0; w < n; ++w) {
      runners_[w] = runner{};
      runners_[w].warp.next = static_cast<std::int32_t>(w * stagger);
      if (advance(w)) ++alive;
    }
    array<std::int32_t, pipe_count> pipes{};
    std::int32_t now = 0;  // first cycle without an issue so far
    unsigned last = 0;
    while (alive != 0) {
      // the warp that issued last wins a tie, otherwise the youngest (highest number)
      unsigned pick = last;
      std::int32_t when = issue_of(last, pipes, now);
      if (when > now) {  // nobody else would be earlier
        for (unsigned w = n; w-- > 0;) {
          const std::int32_t t = issue_of(w, pipes, now);
          if (t >= when) continue;
          when = t;
          pick = w;
          if (t == now) break;
        }
      }
      runner& r = runners_[pick];
      const instruction& i = p_[r.next];
      const class_fact& f = facts_[static_cast<unsigned>(i.iclass)];
      ws_.block_cycles[r.block] += when + 1 - now;
      if (options_.reasons && when > now) {
        auto& lost = ws_.instructions[r.next.index()].lost;
        const stall_reason why = ready_[pick] < when ? stall_reason::pipe
                                 : r.held_by_counter ? stall_reason::barrier
                                                     : stall_reason::stall_count;
        lost[static_cast<unsigned>(why)] += static_cast<std::uint32_t>(when - now);
      }
      const std::int32_t bubbles = ws_.bubbles[r.next.index()];
      const std::int32_t shared = options_.banks == bank_pricing::sub_core ? bubbles : 0;
      if (f.pipe != pipe_id::none) pipes[static_cast<unsigned>(f.pipe)] = when + f.interval + shared;
      r.warp.issue(i, f, when, bubbles, options_.far);
      now = when + 1 + shared;
      ws_.block_cycles[r.block] += shared;
      last = pick;
      if (!advance(pick)) --alive;
    }
  }

  const program& p_;
  const options& options_;
  workspace& ws_;
  const array<class_fact, sched_class_count>& facts_ = class_facts<Arch>();
  array<runner, most_warps> runners_;
  array<std::int32_t, most_warps> ready_;  // by warp, without the pipe
  array<std::uint8_t, most_warps> pipe_;   // by warp, of its next instruction
};

}  // namespace detail

}  // namespace ww::model
