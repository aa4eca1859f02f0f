// SPDX-License-Identifier: BSL-1.0
//
// How much each instruction of a block can wait where counters run out.
//
//   group      the counters that one instruction is the first to need: they may be one counter at no cost
//   crowded    more groups are outstanding somewhere between a producer and its first consumer than there are counters
//   early      when an instruction issues with a counter for every producer: fixed distances, pipes, least own stalls and
//              the estimates of the architecture; the block starts at 0
//   latest     when it may issue without making the block longer than that
// Two producers can share a counter without loss if each is done before the other's consumer has to issue. Crowded blocks
// are rare: a caller asks only where the block has more producers than counters.
#pragma once

#include <cstdint>

#include "../graph/distance.hpp"
#include "../graph/distance_memo.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "needs.hpp"
#include "pool.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

namespace detail {

// Set bits from `from` to before `to`: few, so they are counted one by one.
constexpr unsigned bits_between(const std::uint64_t* words, std::uint32_t from, std::uint32_t to) {
  unsigned count = 0;
  while (from < to) {
    const std::uint32_t left = 64 - (from & 63u);
    const std::uint32_t n = meta::min(left, to - from);
    for (std::uint64_t m = (words[from / 64] >> (from & 63u)) << (64 - n); m != 0; m &= m - 1) ++count;
    from += n;
  }
  return count;
}

// Fills ws.next_crowd of the instructions that may raise counters (ws.raisers): where at or behind them more than `available`
// groups are outstanding, or need_none. True if anywhere. Nothing else begins a group.
constexpr bool mark_crowds(const block& b, unsigned available, workspace& ws) {
  auto& consumers = ws.consumers;  // of groups, one bit per instruction of the block
  consumers.assign(b.count / 64 + 1, 0);
  std::uint32_t past = b.first;  // consumers before it no longer wait
  unsigned live = 0;
  const auto add = [&](std::uint32_t need) {
    std::uint64_t& word = consumers[(need - b.first) / 64];
    const std::uint64_t bit = 1ull << ((need - b.first) & 63u);
    live += (word & bit) == 0 ? 1u : 0u;
    word |= bit;
  };
  bool reads_leave = false;
  bool crowded = false;
  for (std::size_t k = ws.raisers.size(); k-- != 0;) {
    const std::uint32_t pos = ws.raisers[k];
    live -= bits_between(consumers.data(), past - b.first, pos + 1 - b.first);
    past = pos + 1;
    if (ws.sites[pos].has(site::variable | site::late)) {
      const need_pair& n = ws.needs[pos];
      const std::uint32_t write = n.set_write();
      const std::uint32_t read = n.set_read();
      if (write < need_beyond) {
        add(write);
      } else if (write == need_beyond) {
        ++live;
      }
      if (read < need_beyond) {
        add(read);
      } else if (read == need_beyond && !reads_leave) {
        ++live;
        reads_leave = true;
      }
    }
    ws.next_crowd[pos] = live > available ? pos : need_none;
    crowded = crowded || live > available;
  }
  if (!crowded) return false;
  std::uint32_t next = need_none;
  for (const std::uint32_t pos : ws.raisers) {  // from the end
    if (ws.next_crowd[pos] == need_none) ws.next_crowd[pos] = next;
    next = ws.next_crowd[pos];
  }
  return true;
}

// What a producer of a crowded block that is `behind` cycles late asks of the pool; `estimate` cycles until it is done.
constexpr void ask_in_crowd(barrier_request& q, const workspace& ws, std::uint32_t pos, std::int32_t behind,
                            std::int32_t estimate) {
  q.behind = behind;
  q.landed = ws.early[pos] + behind + estimate + ws.landing_margin;
  if (q.need_pos < need_beyond) q.latest = ws.latest[q.need_pos];
  q.crowded = ws.next_crowd[pos] < q.need_pos;
}

}  // namespace detail

// Fills ws.early and ws.latest for the positions of a block, and ws.next_crowd, and returns true if it is crowded with
// `available` counters. The needs of the block must be there (needs.hpp).
template <class Arch>
constexpr bool find_slack(const program& p, std::uint32_t block_index, unsigned available, workspace& ws) {
  const block& b = p.blocks[block_index];
  using memo_type = ww::detail::distance_memo<ww::detail::edge_cycles<Arch, distance_use::emit>>;
  constexpr std::int32_t never = 1 << 29;
  const std::size_t positions = p.order.size();
  if (ws.latest.size() < positions) {
    ws.early.resize(positions);
    ws.latest.resize(positions);
    ws.ready.resize(positions);
    ws.next_crowd.resize(positions);
  }
  if (!detail::mark_crowds(b, available, ws)) return false;
  if (ws.flow[block_index].slack_found) return true;
  ws.flow[block_index].slack_found = true;

  const site* const sites = ws.sites.data();
  const need_pair* const needs = ws.needs.data();
  std::int32_t* const early = ws.early.data();
  std::int32_t* const latest = ws.latest.data();
  std::int32_t* const ready = ws.ready.data();
  const class_entry* const table = class_rows<Arch>(ws.classes);
  const memo_type memo(ws.distances);
  const std::uint32_t end = b.first + b.count;

  for (std::uint32_t pos = b.first; pos < end; ++pos) ready[pos] = 0;
  if (ws.fixed_results.size() < ws.units.count) ws.fixed_results.resize(ws.units.count);
  if (ws.fixed_clock > 1 << 29) {
    ws.fixed_results.assign(ws.fixed_results.size(), {});
    ws.fixed_clock = 0;
  }
  std::int32_t own = ws.fixed_clock + 256;  // by least own stalls alone; results of other blocks are long ago
  const std::size_t most = ws.flow[block_index].accesses;
  if (ws.fixed_edges.size() < most) ws.fixed_edges.resize(most);
  fixed_result* const written = ws.fixed_results.data();
  fixed_edge* const edges = ws.fixed_edges.data();
  std::size_t edge = 0;
  array<std::int32_t, pipe_count> pipe{};
  std::int32_t next = 0;
  for (std::uint32_t pos = b.first; pos < end; ++pos) {
    const site& s = sites[pos];
    const class_entry& c = table[static_cast<unsigned>(s.iclass)];
    std::int32_t& free = pipe[static_cast<unsigned>(c.pipe)];
    std::int32_t t = meta::max(meta::max(next, free), ready[pos]);
    const access* a = detail::begin_of(ws, s);
    const access* const sources = a + s.results;
    const access* const last = a + s.count;
    for (const access* r = sources; r != last; ++r) {
      const fixed_result& w = written[r->unit];
      if (w.until <= own) continue;
      const auto q = ww::detail::distance_question::of_place(dependence_kind::raw, r->what);
      const auto d = static_cast<std::int32_t>(memo.fixed(q, w.code));
      t = meta::max(t, early[w.pos] + d);
      edges[edge++] = {w.pos, pos, d};
    }
    for (; a != sources; ++a) {  // a class that is not fixed has landed at once here: its counter sees to it
      written[a->unit] = {own + c.landed[static_cast<unsigned>(a->file())], pos, a->code()};
    }
    const std::int32_t least = s.leave() ? 0 : c.min_stall;
    free = t + c.interval;
    next = t + least;
    own += least;
    early[pos] = t;
    latest[pos] = never;
    if (!s.has(site::variable | site::late)) continue;
    const need_pair& n = needs[pos];
    if (n.write < need_beyond) ready[n.write] = meta::max(ready[n.write], t + s.result_cycles + detail::far_of(ws, s));
    if (n.read < need_beyond) ready[n.read] = meta::max(ready[n.read], t + s.read_cycles);
  }

  ws.fixed_clock = own;
  pipe.fill(never);
  std::int32_t after = never;
  latest[end - 1] = early[end - 1];
  for (std::uint32_t pos = end; pos-- > b.first;) {
    const site& s = sites[pos];
    const class_entry& c = table[static_cast<unsigned>(s.iclass)];
    std::int32_t t = meta::min(latest[pos], after - (s.leave() ? 0 : c.min_stall));
    std::int32_t& behind = pipe[static_cast<unsigned>(c.pipe)];  // same pipe
    t = meta::min(t, behind - c.interval);
    if (s.has(site::variable | site::late)) {
      const need_pair& n = needs[pos];
      if (n.write < need_beyond) t = meta::min(t, latest[n.write] - s.result_cycles - detail::far_of(ws, s));
      if (n.read < need_beyond) t = meta::min(t, latest[n.read] - s.read_cycles);
    }
    for (; edge != 0 && edges[edge - 1].to == pos; --edge) {
      const fixed_edge& e = edges[edge - 1];
      latest[e.from] = meta::min(latest[e.from], t - e.cycles);
    }
    behind = t;
    after = t;
    latest[pos] = t;
  }
  return true;
}

}  // namespace ww::scoreboard
