// SPDX-License-Identifier: BSL-1.0
//
// Recent results and recently raised counters at block borders, for stalls.hpp.
//
// At the end of a block every fixed-latency result that may still bind somebody has an age: the cycles from its
// issue to the earliest issue of the next block's first instruction. A block starts from the minimum over the blocks
// that lead into it. A longer stall at the end of a block makes all its ages larger, which never invalidates a stall that
// was found from the smaller ones.
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

namespace detail {

// From when on a record with these bits, of an instruction that issued at `time`, binds nobody.
constexpr std::int32_t binds_until(const class_entry* rows, std::uint32_t what, std::int32_t time) {
  const unsigned file = what >> access::file_at & 15u;
  const class_entry& c = rows[what & 0xffu];
  return time + ((what & write_record::read_bit) == 0 ? c.landed[file] : c.war[(file - 1u) & 3u]);
}

// Adds the sorted list `from` to the sorted list `into`, the smaller age where both have a key.
constexpr void merge_ages(vec<fixed_entry>& into, const vec<fixed_entry>& from, vec<fixed_entry>& scratch) {
  if (into.empty()) {
    into = from;
    return;
  }
  scratch.clear();
  std::size_t x = 0;
  std::size_t y = 0;
  while (x < into.size() || y < from.size()) {
    if (y == from.size() || (x < into.size() && into[x].key() < from[y].key())) {
      scratch.push_back(into[x++]);
    } else if (x == into.size() || from[y].key() < into[x].key()) {
      scratch.push_back(from[y++]);
    } else {
      scratch.push_back(into[x].age < from[y].age ? into[x] : from[y]);
      ++x;
      ++y;
    }
  }
  into.swap(scratch);
  scratch.reserve(into.capacity());
}

}  // namespace detail

// Joins the ages of all visited predecessors into the entry of block `b`. True if an age is new or smaller than before.
constexpr bool join_ages(const program& p, std::uint32_t b, workspace& ws) {
  block_flow& f = ws.flow[b];
  auto& merged = ws.merged_fixed;
  merged.clear();
  array<std::uint8_t, control::barrier_count> ages{};
  ages.fill(255);
  for (const std::uint32_t index : p.pred_edges_of(p.blocks[b])) {
    if (detail::skipped(p, p.edges[index])) continue;
    const block_flow& from = ws.flow[p.edges[index].from.index()];
    if (!from.fixed_seen) continue;
    detail::merge_ages(merged, from.fixed_out, ws.fixed_scratch);
    for (unsigned c = 0; c < ages.size(); ++c) ages[c] = meta::min(ages[c], from.set_age_out[c]);
  }
  bool worse = false;
  for (unsigned c = 0; c < ages.size(); ++c) worse = worse || ages[c] < f.set_age_in[c];
  std::size_t y = 0;
  for (const fixed_entry& e : merged) {
    while (y < f.fixed_in.size() && f.fixed_in[y].key() < e.key()) ++y;
    if (y == f.fixed_in.size() || f.fixed_in[y].key() != e.key() || e.age < f.fixed_in[y].age) worse = true;
  }
  if (worse) {
    f.fixed_in.assign(merged.begin(), merged.end());
    f.set_age_in = ages;
  }
  return worse;
}

// Stores the ages at the end of block `b`, sorted, and marks the successors that have been visited already. `horizon`: what
// ended before is of another walk. A counter that was set `set_to_wait` cycles ago may be waited for by anybody.
constexpr void collect_ages(const program& p, std::uint32_t b, std::int32_t end, std::int32_t horizon,
                            const class_entry* rows, const std::int32_t* set_time, std::int32_t set_to_wait, workspace& ws) {
  block_flow& f = ws.flow[b];
  f.fixed_out.clear();
  if (p.blocks[b].edge_count != 0) {
    const auto keep = [&](std::uint32_t unit, const write_record& w) {
      if (detail::binds_until(rows, w.what, w.time) > end) f.fixed_out.push_back({w.what, unit, end - w.time});
    };
    const std::int32_t since = meta::max(horizon, end + 1);
    detail::each_result(ws, since, keep);
    detail::each_read(ws, since, keep);
    ww::detail::sort(f.fixed_out.begin(), f.fixed_out.end(), [](const fixed_entry& x, const fixed_entry& y) {
      const std::uint64_t kx = x.key();
      const std::uint64_t ky = y.key();
      return kx != ky ? kx < ky : x.age < y.age;
    });
    f.fixed_out.erase(meta::unique(f.fixed_out.begin(), f.fixed_out.end(),
                                   [](const fixed_entry& x, const fixed_entry& y) { return x.key() == y.key(); }),
                      f.fixed_out.end());
  }
  for (unsigned c = 0; c < control::barrier_count; ++c) {
    const std::int32_t age = end - set_time[c];
    f.set_age_out[c] = age < set_to_wait ? static_cast<std::uint8_t>(meta::max(age, 0)) : std::uint8_t{255};
  }
  for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
    block_flow& to = ws.flow[e.to.index()];
    if (to.fixed_seen) to.fixed_dirty = true;
  }
}

// The end of block `b` takes `cycles` longer.
constexpr void grow_ages(std::uint32_t b, std::int32_t cycles, workspace& ws) {
  block_flow& f = ws.flow[b];
  for (fixed_entry& e : f.fixed_out) e.age += cycles;
  for (std::uint8_t& a : f.set_age_out) a = static_cast<std::uint8_t>(meta::min<std::int32_t>(255, a + cycles));
}

}  // namespace ww::scoreboard
