// SPDX-License-Identifier: BSL-1.0
//
// Iterative modulo scheduling (Rau 1994) of one loop body.
//
//   II       initiation interval: cycles from one iteration's start to the next one's
//   ResMII   least II that pipes and issue slots allow: the busiest pipe's intervals of Arch::pipes, or one slot each
//   RecMII   least II that cycles of dependences allow: latencies around a cycle over the iterations around it
//   time     cycle of issue in the iteration's own time; stage = time / II, slot = time % II
//   distance iterations between the two ends of a dependence: 0, or 1 (a longer one is implied by one of 1)
// The branch stands at the end of stage 0: the next iteration starts when it is known to exist, and nothing is speculative.
// A latency that counters enforce is worth at most `hidden` intervals where no cycle of dependences passes through it: a
// load is not worth more stages than that. Ties end by height, then by place. Evictions are bounded by `budget` per
// instruction; then the next II is tried.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww::region {

struct modulo_edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t latency = 0;   // cycles
  std::uint32_t distance = 0;  // iterations
  bool recurrence = false;     // on a cycle of dependences
  bool memory = false;         // order of accesses that could not be told apart
};

struct modulo_node {
  std::uint8_t pipe = 0;
  std::uint8_t interval = 1;        // cycles that the pipe is taken
  std::uint32_t before_branch = 0;  // cycles before the branch at which it has to issue, 0 = none
};

class modulo_scheduler {
 public:
  static constexpr unsigned budget = 12;  // placements per instruction and II
  static constexpr std::uint32_t hidden = 2;
  static constexpr std::uint32_t max_fixed = 15;  // cycles; a longer latency is waited for with a counter

  vec<modulo_node> nodes;
  vec<modulo_edge> edges;
  vec<std::uint32_t> time;  // result, by node
  std::uint32_t interval = 0;
  std::uint32_t res_mii = 0;
  std::uint32_t rec_mii = 0;
  std::uint32_t stages = 0;

  // The recurrence bound without the order of accesses between iterations, after run().
  [[nodiscard]] std::uint32_t bound_without_memory() {
    vec<modulo_edge> kept;
    kept.swap(edges);
    for (const modulo_edge& e : kept) {
      if (!e.memory || e.distance == 0) edges.push_back(e);
    }
    mark_recurrences();
    const std::uint32_t bound = recurrence_bound();
    edges.swap(kept);
    return bound;
  }

  // Finds the least II below `limit` that it can schedule in at most `max_stages` stages.
  [[nodiscard]] bool run(std::uint32_t limit, std::uint32_t max_stages) {
    mark_recurrences();
    res_mii = resource_bound();
    rec_mii = recurrence_bound();
    unsigned tried = 0;
    for (interval = std::max(res_mii, rec_mii); interval < limit && tried < 64; ++interval, ++tried) {
      if (!heights(interval) || !place_all()) continue;
      stages = 0;
      for (const std::uint32_t t : time) stages = std::max(stages, t / interval + 1);
      if (stages <= max_stages) return true;
    }
    return false;
  }

 private:
  static constexpr std::int64_t unset = -1;

  [[nodiscard]] std::uint32_t recurrence_bound() {
    std::uint32_t low = 1;
    std::uint32_t high = 1u << 16;  // the least one that holds is in [low, high]
    while (low < high) {
      const std::uint32_t mid = low + (high - low) / 2;
      if (heights(mid)) {
        high = mid;
      } else {
        low = mid + 1;
      }
    }
    return low;
  }

  [[nodiscard]] std::int64_t weight(const modulo_edge& e, std::uint32_t ii) const {
    std::uint32_t latency = e.latency;
    if (latency > max_fixed && !e.recurrence) latency = std::min(latency, std::max(max_fixed, hidden * ii));
    return static_cast<std::int64_t>(latency) - static_cast<std::int64_t>(e.distance) * ii;
  }

  [[nodiscard]] std::uint32_t resource_bound() const {
    std::uint32_t work[pipe_count] = {};
    std::uint32_t most = static_cast<std::uint32_t>(nodes.size()) + 1;
    for (const modulo_node& n : nodes) most = std::max(most, work[n.pipe] += n.interval);
    for (const modulo_node& n : nodes) most = std::max(most, n.before_branch + 1);
    return most;
  }

  void mark_recurrences() {
    const std::size_t n = nodes.size();
    vec<std::uint8_t> reach(n * n, 0);
    for (const modulo_edge& e : edges) reach[e.from * n + e.to] = 1;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t i = 0; i < n; ++i) {
        if (reach[i * n + k] == 0) continue;
        for (std::size_t j = 0; j < n; ++j) reach[i * n + j] |= reach[k * n + j];
      }
    }
    for (modulo_edge& e : edges) e.recurrence = reach[e.to * n + e.from] != 0;
  }

  // Longest paths to the end, and the latest times; false if some cycle of dependences is longer than II allows.
  bool heights(std::uint32_t ii) {
    const std::size_t n = nodes.size();
    height_.assign(n, 0);
    latest_.assign(n, std::int64_t{1} << 40);
    for (std::size_t i = 0; i < n; ++i) {
      if (nodes[i].before_branch != 0) latest_[i] = std::int64_t{ii} - 1 - nodes[i].before_branch;
    }
    bool changed = true;
    for (std::size_t round = 0; changed && round <= n; ++round) {
      changed = false;
      for (const modulo_edge& e : edges) {
        const std::int64_t w = weight(e, ii);
        if (height_[e.to] + w > height_[e.from]) {
          height_[e.from] = height_[e.to] + w;
          changed = true;
        }
        if (latest_[e.to] - w < latest_[e.from]) {
          latest_[e.from] = latest_[e.to] - w;
          changed = true;
        }
      }
    }
    if (changed) return false;
    for (const std::int64_t l : latest_) {
      if (l < 0) return false;
    }
    return true;
  }

  bool place_all() {
    const std::size_t n = nodes.size();
    at_.assign(n, unset);
    tried_.assign(n, unset);
    table_.assign(std::size_t{interval} * (pipe_count + 1), none);
    std::size_t left = n;
    for (std::size_t step = 0; left != 0; ++step) {
      if (step > budget * n) return false;
      std::size_t x = n;
      for (std::size_t i = 0; i < n; ++i) {
        if (at_[i] != unset) continue;
        // What the branch waits for goes first; then the longest path.
        if (x == n || latest_[i] < latest_[x] || (latest_[i] == latest_[x] && height_[i] > height_[x])) x = i;
      }
      std::int64_t earliest = 0;
      for (const modulo_edge& e : edges) {
        if (e.to == x && e.from != x && at_[e.from] != unset) {
          earliest = std::max(earliest, at_[e.from] + weight(e, interval));
        }
      }
      if (earliest > latest_[x]) return false;
      std::int64_t when = unset;
      const std::int64_t last = std::min(earliest + interval - 1, latest_[x]);
      for (std::int64_t t = earliest; t <= last && when == unset; ++t) {
        if (is_free(x, t)) when = t;
      }
      if (when == unset) when = std::min(latest_[x], tried_[x] == unset ? earliest : std::max(earliest, tried_[x] + 1));
      if (when % interval == interval - 1) {  // the branch's own slot
        if (++when > latest_[x]) return false;
      }
      tried_[x] = when;
      left += evict(x, when);
      put(x, when, static_cast<std::uint32_t>(x));
      at_[x] = when;
      --left;
    }
    time.resize(n);
    for (std::size_t i = 0; i < n; ++i) time[i] = static_cast<std::uint32_t>(at_[i]);
    return true;
  }

  static constexpr std::uint32_t none = 0xffffffffu;
  std::uint32_t& cell(unsigned row, std::int64_t t) {
    return table_[row * std::size_t{interval} + static_cast<std::size_t>(t % interval)];
  }
  bool is_free(std::size_t x, std::int64_t t) {
    if (t % interval == interval - 1 || cell(pipe_count, t) != none) return false;
    for (unsigned k = 0; k < nodes[x].interval; ++k) {
      if (cell(nodes[x].pipe, t + k) != none) return false;
    }
    return true;
  }
  void put(std::size_t x, std::int64_t t, std::uint32_t what) {
    cell(pipe_count, t) = what;
    for (unsigned k = 0; k < nodes[x].interval; ++k) cell(nodes[x].pipe, t + k) = what;
  }
  std::size_t remove(std::uint32_t y) {
    if (y == none || at_[y] == unset) return 0;
    put(y, at_[y], none);
    at_[y] = unset;
    return 1;
  }
  // Takes out what stands in the way of x at time t, and what depends on x and would come too early.
  std::size_t evict(std::size_t x, std::int64_t t) {
    std::size_t out = remove(cell(pipe_count, t));
    for (unsigned k = 0; k < nodes[x].interval; ++k) out += remove(cell(nodes[x].pipe, t + k));
    for (const modulo_edge& e : edges) {
      if (e.from == x && e.to != x && at_[e.to] != unset && at_[e.to] < t + weight(e, interval)) out += remove(e.to);
      if (e.to == x && e.from != x && at_[e.from] != unset && t < at_[e.from] + weight(e, interval)) out += remove(e.from);
    }
    return out;
  }

  vec<std::int64_t> height_, latest_, at_, tried_;
  vec<std::uint32_t> table_;  // one row per pipe and one for issue: who takes the slot
};

}  // namespace ww::region
