// SPDX-License-Identifier: BSL-1.0
//
// N warps of one sub-core: every warp runs the same trace of blocks, they share pipes and the one issue slot per cycle.
//
// The scheduler is greedy on the warp that issued last while it is ready, otherwise the youngest ready one
// (facts: hardware 1.4). The trace is the program in layout order, each loop body twice, so that a block is also seen
// behind its own end; a cycle of the sub-core belongs to the block of the instruction that ended it. Cycles of a block
// are per execution and per warp: sub-core cycles divided by executions of all warps. So with pipes saturated the cost is
// the resource cost, and with one warp it would be the latency cost. Cycles are a mean over six distances between the starts
// of the warps, unless the options name one (options.hpp). Who may issue is kept as bits: awake by stalls and counters
// (wake_wheel.hpp), not held by a pipe (pipe_gates.hpp).
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/rounded.hpp"
#include "../meta/vec.hpp"
#include "cost.hpp"
#include "options.hpp"
#include "pipe_gates.hpp"
#include "step.hpp"
#include "wake_wheel.hpp"
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
    for (auto& t : pipes) t = meta::max(t - origin, counter_file::floor_time);
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
    ws_.sums.assign(blocks, 0);
    ws_.visits.assign(blocks, 0);
    if (options_.reasons) ws_.instructions.assign(p_.instructions.size(), {});
    make_trace(p_, ws_.trace);
    for (const std::uint32_t b : ws_.trace) ++ws_.visits[b];
    cost c;
    c.warps = options_.warps;
    c.operands = price_operand_reads<Arch>(p_, ws_.bubbles);
    if (options_.banks == bank_pricing::none) ws_.bubbles.assign(p_.instructions.size(), 0);
    counted_ = make_steps<Arch>(p_, options_, ws_.bubbles, ws_.steps, ws_.ranges);
    unsigned starts = 0;
    for (const std::uint32_t stagger : mean_staggers) {
      if (options_.stagger != 0 && starts != 0) break;
      simulate(options_.stagger != 0 ? options_.stagger : stagger);
      ++starts;
    }
    for (std::uint32_t b = 0; b < blocks; ++b) {
      if (ws_.visits[b] == 0) continue;
      const block& k = p_.blocks[b];
      ws_.block_cycles[b] =
          static_cast<double>(ws_.sums[b]) / (static_cast<double>(ws_.visits[b]) * options_.warps * starts);
      c.cycles += meta::rounded(k.weight * ws_.block_cycles[b]);
      for (const instr_id id : p_.order_of(k)) c.issues += p_[id].has(iflag::padding) ? 0.0 : k.weight;
    }
    if (options_.reasons) {
      for (std::uint32_t b = 0; b < blocks; ++b) {
        if (ws_.visits[b] == 0) continue;
        const double scale = p_.blocks[b].weight / (static_cast<double>(ws_.visits[b]) * options_.warps * starts);
        for (const instr_id id : p_.order_of(p_.blocks[b])) {
          for (unsigned r = 0; r < reason_count; ++r)
            c.reasons[r] += meta::rounded(scale * ws_.instructions[id.index()].lost[r]);
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
  static constexpr unsigned counters = control::barrier_count;
  static constexpr auto set_to_wait = static_cast<std::int32_t>(Arch::barriers::set_to_wait);

  static constexpr unsigned queues = static_cast<unsigned>(queue_id::count);

  struct runner {
    array<std::int32_t, counters + 1> open{};  // when each counter is seen to be zero; the last is nobody's
    array<std::int32_t, queues> lands{};       // by queue, latest landing; of no queue: always 0
    array<std::int32_t, queues> reads{};
    std::int32_t landed = 0;     // latest landing of anything in flight
    std::uint32_t place = 0;     // in the trace
    std::uint32_t position = 0;  // of its next step
    std::uint32_t end = 0;
    std::uint32_t block = 0;
    bool held_by_counter = false;
  };

  // Warp `w`, which may issue at `own` by itself, moves to its next step; false at the end of the trace.
  bool advance(unsigned w, std::int32_t own) {
    runner& r = runners_[w];
    while (r.position == r.end) {
      if (r.place == ws_.trace.size()) return false;
      r.block = ws_.trace[r.place++];
      r.position = ws_.ranges[r.block].first;
      r.end = ws_.ranges[r.block].end;
    }
    const step& s = ws_.steps[r.position];
    std::int32_t t = own;
    if (s.waits != 0) {
      for (unsigned c = 0; c < counters; ++c) t = meta::max(t, r.open[c] & -static_cast<std::int32_t>(s.waits >> c & 1u));
    }
    if ((s.flags & step::counts) != 0) t = meta::max(t, by_count(w, p_[s.id]));
    r.held_by_counter = t > own;
    gates_.hold(w, s.pipe);
    wheel_.set(w, t);
    return true;
  }

  // What DEPBAR waits for.
  [[nodiscard]] std::int32_t by_count(unsigned w, const instruction& i) const {
    std::int32_t t = counter_file::floor_time;
    for (const operand o : p_.operands_of(i)) {
      if (o.file() != reg_file::sb || o.base().number() >= counters) continue;
      t = meta::max(t, ws_.counted[w].at_most(o.base().number(), o.where() == slot::b ? 0u : depbar_count(i), set_to_wait));
    }
    return t;
  }

  // The warp issues its step at `t`; when it may issue the next one by itself. Nothing here branches but what is rare: which warp
  // comes next, with what, cannot be predicted.
  std::int32_t issue(unsigned w, const step& s, std::int32_t t) {
    runner& r = runners_[w];
    const std::int32_t result = meta::max(t + s.result, r.lands[s.write_queue]);
    const std::int32_t read = meta::max(t + s.read, r.reads[s.read_queue]);
    r.lands[s.write_queue] = s.write_queue == 0 ? 0 : result;
    r.reads[s.read_queue] = s.read_queue == 0 ? 0 : read;
    r.landed = meta::max(r.landed, meta::max(result, read));
    const std::int32_t set = t + set_to_wait;
    r.open[s.late] = meta::max(r.open[s.late], meta::max(read, set));
    r.open[s.write] = meta::max(r.open[s.write], meta::max(result, set));
    if (counted_) {
      if (s.late < counters) ws_.counted[w].raise(s.late, t, read);
      if (s.write < counters) ws_.counted[w].raise(s.write, t, result);
    }
    if ((s.flags & step::drains) == 0) return t + s.gap;
    return meta::max(meta::max(t + drain_least, r.landed), t + s.bank);
  }

  void simulate(std::uint32_t stagger) {
    const unsigned n = options_.warps;
    wheel_.reset();
    gates_.reset();
    if (counted_) ws_.counted.assign(n, {});
    unsigned alive = 0;
    for (unsigned w = 0; w < n; ++w) {
      runners_[w] = runner{};
      if (advance(w, static_cast<std::int32_t>(w * stagger))) ++alive;
    }
    std::int32_t now = 0;  // first cycle without an issue so far
    unsigned last = 0;
    while (alive != 0) {
      const std::uint64_t free = wheel_.awake() & ~gates_.held();
      if (free == 0) {
        go_to(meta::min(gates_.next(), wheel_.next()));
        continue;
      }
      // the warp that issued last wins a tie, otherwise the youngest (highest number)
      const unsigned youngest = 63u - static_cast<unsigned>(meta::countl_zero(free));
      const unsigned pick = (free >> last & 1u) != 0 ? last : youngest;
      const std::int32_t when = wheel_.now();
      runner& r = runners_[pick];
      const step& s = ws_.steps[r.position++];
      ws_.sums[r.block] += static_cast<std::uint64_t>(when + 1 - now) + s.bubbles;
      if (options_.reasons && when > now) {
        const stall_reason why = wheel_.time_of(pick) < when ? stall_reason::pipe
                                 : r.held_by_counter         ? stall_reason::barrier
                                                             : stall_reason::stall_count;
        ws_.instructions[s.id.index()].lost[static_cast<unsigned>(why)] += static_cast<std::uint32_t>(when - now);
      }
      now = when + 1 + s.bubbles;
      last = pick;
      gates_.leave(pick, s.pipe, when + s.busy);
      const std::int32_t own = issue(pick, s, when);
      for (std::int32_t t = when + 1; t <= now; ++t) go_to(t);
      if (!advance(pick, own)) {
        wheel_.remove(pick);
        --alive;
      }
      if (now > most_time) [[unlikely]]
        now = start_over(now);
    }
  }

  // The clock goes back to a time at which everything past counts as 0, so that no time overflows.
  [[gnu::noinline, gnu::cold]] std::int32_t start_over(std::int32_t now) {
    const std::int32_t by = (now - 256) & ~255;  // slots of the wheel and of the ring stay where they are
    const auto earlier = [by](std::int32_t& t) { t = t > by ? t - by : 0; };
    for (runner& r : runners_) {
      for (std::int32_t& t : r.open) earlier(t);
      for (std::int32_t& t : r.lands) earlier(t);
      for (std::int32_t& t : r.reads) earlier(t);
      earlier(r.landed);
    }
    if (counted_) {
      for (counter_file& c : ws_.counted) c.shift(by);
    }
    wheel_.shift(by);
    gates_.shift(by);
    return now - by;
  }

  void go_to(std::int32_t t) {
    wheel_.jump(t);
    gates_.jump(t);
  }

  const program& p_;
  const options& options_;
  workspace& ws_;
  array<runner, most_warps> runners_;
  wake_wheel wheel_;
  pipe_gates gates_;
  bool counted_ = false;  // some DEPBAR counts: the newest landings of each counter are kept
};

}  // namespace detail

}  // namespace ww::model
