// SPDX-License-Identifier: BSL-1.0
//
// Which results and late reads need a counter, and who needs them first.
//
//   need_none     nothing on any path reads or overwrites it: no counter
//   need_beyond   not in this block, but on some path after it
//   otherwise     the position in program::order of the first instruction that must wait
// A backward data flow over the blocks finds, for every unit, whether a later access and whether a later write exists; a
// backward walk over each block finds the first one. A late read needs nothing when its overwriter goes down the same
// in-order read queue (facts: observed, queues), or when the same instruction's result is waited for first.
#pragma once

#include <cstdint>

#include "../arch/late_source.hpp"
#include "class_table.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

inline constexpr std::uint32_t need_none = 0xffffffffu;
inline constexpr std::uint32_t need_beyond = 0xfffffffeu;

namespace detail {

inline bool test_bit(const std::uint64_t* w, std::uint32_t u) { return (w[u >> 6] >> (u & 63u) & 1u) != 0; }
inline void set_bit(std::uint64_t* w, std::uint32_t u) { w[u >> 6] |= 1ull << (u & 63u); }

// True for a source that the instruction may still read after later instructions have issued.
template <class Arch>
bool is_late_source(const instruction& i, operand o) {
  return o.is_use() && late_source<typename Arch::latency>({i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)});
}

}  // namespace detail

// Fills out_access and out_write of every block: units accessed or written on some path after it.
inline void find_later_accesses(const program& p, workspace& ws) {
  const std::size_t blocks = p.blocks.size();
  const std::uint32_t words = (ws.units.count + 63u) / 64u;
  ws.words = words;
  const std::size_t total = blocks * words;
  ws.gen_access.assign(total, 0);
  ws.gen_write.assign(total, 0);
  ws.out_access.assign(total, 0);
  ws.out_write.assign(total, 0);
  for (std::size_t b = 0; b < blocks; ++b) {
    std::uint64_t* ga = ws.gen_access.data() + b * words;
    std::uint64_t* gw = ws.gen_write.data() + b * words;
    if (p.blocks[b].open_exit) {  // code that is not known: it may touch everything
      for (std::uint32_t w = 0; w < words; ++w) ws.out_access[b * words + w] = ws.out_write[b * words + w] = ~0ull;
    }
    for (const instr_id id : p.order_of(p.blocks[b])) {
      for (const operand o : p.operands_of(id)) {
        const std::uint32_t u = ws.units.first(o);
        if (u == unit_map::none) continue;
        const unsigned n = unit_map::width(o);
        for (unsigned k = 0; k < n; ++k) detail::set_bit(ga, u + k);
        if (o.is_def()) {
          for (unsigned k = 0; k < n; ++k) detail::set_bit(gw, u + k);
        }
      }
    }
    detail::set_bit(ga, ws.units.order_unit);
  }
  // in = gen | out; out = union of the successors' in. Reverse layout order settles forward code in one sweep.
  bool changed = blocks > 1;
  while (changed) {
    changed = false;
    for (std::size_t b = blocks; b-- > 0;) {
      std::uint64_t* oa = ws.out_access.data() + b * words;
      std::uint64_t* ow = ws.out_write.data() + b * words;
      for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
        if (detail::skipped(p, e)) continue;
        const std::size_t s = e.to.index();
        for (std::uint32_t w = 0; w < words; ++w) {
          const std::uint64_t a = oa[w] | ws.gen_access[s * words + w] | ws.out_access[s * words + w];
          const std::uint64_t d = ow[w] | ws.gen_write[s * words + w] | ws.out_write[s * words + w];
          changed = changed || a != oa[w] || d != ow[w];
          oa[w] = a;
          ow[w] = d;
        }
      }
    }
  }
}

// Fills need_write and need_read for the positions of one block.
template <class Arch>
void find_needs(const program& p, std::uint32_t block_index, workspace& ws) {
  const auto& table = class_table<Arch>();
  const block& b = p.blocks[block_index];
  const std::uint64_t* oa = ws.out_access.data() + std::size_t{block_index} * ws.words;
  const std::uint64_t* ow = ws.out_write.data() + std::size_t{block_index} * ws.words;
  // next_access and next_write hold a position; one outside this block is stale
  const auto in_block = [&](std::uint32_t pos) { return pos - b.first < b.count; };
  for (std::uint32_t pos = b.first + b.count; pos-- > b.first;) {
    const instruction& i = p[p.order[pos]];
    const class_entry& c = table[static_cast<unsigned>(i.iclass)];
    std::uint32_t nw = need_none;
    std::uint32_t nr = need_none;
    const auto ops = p.operands_of(i);
    if (c.variable || c.late) {
      for (const operand o : ops) {
        const std::uint32_t u = ws.units.first(o);
        if (u == unit_map::none) continue;
        const unsigned n = unit_map::width(o);
        if (o.is_def()) {
          if (!c.variable) continue;
          for (unsigned k = 0; k < n; ++k) {
            const std::uint32_t at = ws.next_access[u + k];
            const std::uint32_t need = in_block(at) ? at : detail::test_bit(oa, u + k) ? need_beyond : need_none;
            if (need < nw) nw = need;
          }
        } else if (c.late && detail::is_late_source<Arch>(i, o)) {
          for (unsigned k = 0; k < n; ++k) {
            const std::uint32_t at = ws.next_write[u + k];
            std::uint32_t need = detail::test_bit(ow, u + k) ? need_beyond : need_none;
            if (in_block(at)) {
              const bool ordered = c.read_queue != queue_mixed && ws.next_write_queue[u + k] == c.read_queue;
              need = ordered ? need_none : at;
            }
            if (need < nr) nr = need;
          }
        }
      }
      // an own source that the instruction overwrites itself is no hazard; the result comes after the read
      if (nw < need_beyond && nr != need_none && nw <= nr) nr = need_none;
    }
    ws.need_write[pos] = nw;
    ws.need_read[pos] = nr;
    for (const operand o : ops) {
      const std::uint32_t u = ws.units.first(o);
      if (u == unit_map::none) continue;
      const unsigned n = unit_map::width(o);
      for (unsigned k = 0; k < n; ++k) ws.next_access[u + k] = pos;
      if (o.is_def()) {
        const bool kills = !i.has(iflag::guarded) && !o.is_partial();
        for (unsigned k = 0; k < n; ++k) {
          ws.next_write[u + k] = pos;
          ws.next_write_queue[u + k] = kills && c.variable ? c.read_queue : queue_mixed;
        }
      }
    }
  }
}

}  // namespace ww::scoreboard
