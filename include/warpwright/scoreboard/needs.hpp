// SPDX-License-Identifier: BSL-1.0
//
// Which results and late reads need a counter, and who needs them first.
//
//   need_none     nothing on any path reads or overwrites it: no counter
//   need_beyond   not in this block, but on some path after it
//   otherwise     the position in program::order of the first instruction that must wait
// A backward data flow over the blocks finds, for every unit, whether a later access and whether a later write exists; a
// backward walk over each block finds the first one. A late read needs nothing when its overwriter goes down the same
// in-order read queue (facts: observed, queues), or when the same instruction's result is waited for first. A result
// needs nothing when the next access is a result of the same in-order queue that replaces it. Who comes behind in the queue but
// may leave the old value (it is guarded, or writes half) counts as the first one here, although it will not wait.
//
// Results of one queue come back in order. So a result whose first consumer stands at or behind the first consumer of a
// later result of its queue is there when that one is: it is covered and takes no counter. Sources of one read queue are
// read in order: so late reads are covered by a later instruction of it whose own reads, or result, are waited for no
// later. The covering instruction must not be guarded, for it would set its counter and enter no queue.
#pragma once

#include <cstdint>

#include "class_table.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

inline constexpr std::uint32_t need_none = 0xffffffffu;
inline constexpr std::uint32_t need_beyond = 0xfffffffeu;

namespace detail {

constexpr bool test_bit(const std::uint64_t* w, std::uint32_t u) { return (w[u >> 6] >> (u & 63u) & 1u) != 0; }
constexpr void set_bit(std::uint64_t* w, std::uint32_t u) { w[u >> 6] |= 1ull << (u & 63u); }

// Per in-order queue the nearest first consumer of the results behind the instruction looked at.
class covering_needs {
 public:
  // Is a result that is first consumed at `need` covered? `enters`: it may cover others before it.
  constexpr bool covers(std::uint8_t queue, std::uint32_t need, bool enters) { return covers(queue, need, need, enters); }
  // The same where others see it done at `done`.
  constexpr bool covers(std::uint8_t queue, std::uint32_t need, std::uint32_t done, bool enters) {
    for (unsigned k = 0; k < used_; ++k) {
      if (queues_[k] != queue) continue;
      const bool covered = needs_[k] <= need;
      if (enters && done < needs_[k]) needs_[k] = done;
      return covered;
    }
    if (enters && used_ < most) {
      queues_[used_] = queue;
      needs_[used_++] = done;
    }
    return false;
  }

 private:
  static constexpr unsigned most = 8;
  std::uint8_t queues_[most];  // the first `used_` of each
  std::uint32_t needs_[most];
  unsigned used_ = 0;
};

// Clears `next` of the units that the program accesses.
constexpr void forget_next(workspace& ws, std::size_t blocks) {
  for (const std::uint32_t w : ws.accessed_words) {
    std::uint64_t any = 0;
    for (std::size_t b = 0; b < blocks; ++b) any |= ws.gen_access[b * ws.words + w];
    for (; any != 0; any &= any - 1) ws.next[w * 64 + static_cast<unsigned>(meta::countr_zero(any))] = {};
  }
}

}  // namespace detail

// Fills out_access and out_write of every block: units accessed or written on some path after it. The accesses and writes
// of each block itself (gen_*) are there already.
constexpr void find_later_accesses(const program& p, workspace& ws) {
  const std::size_t blocks = p.blocks.size();
  const std::uint32_t words = ws.words;
  ws.out_access.assign(blocks * words, 0);
  ws.out_write.assign(blocks * words, 0);
  for (std::size_t b = 0; b < blocks; ++b) {
    if (p.blocks[b].open_exit) {  // code that is not known: it may touch everything
      for (std::uint32_t w = 0; w < words; ++w) ws.out_access[b * words + w] = ws.out_write[b * words + w] = ~0ull;
    }
  }
  // in = gen | out; out = union of the successors' in. Reverse layout order settles forward code in one sweep.
  bool changed = !p.edges.empty();
  while (changed) {
    changed = false;
    for (std::size_t b = blocks; b-- > 0;) {
      std::uint64_t* oa = ws.out_access.data() + b * words;
      std::uint64_t* ow = ws.out_write.data() + b * words;
      for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
        if (detail::skipped(p, e)) continue;
        const std::size_t s = e.to.index();
        for (const std::uint32_t w : ws.accessed_words) {
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

// Fills workspace::needs for the positions of one block, and workspace::raisers. Returns how many counters its instructions raise.
template <class Arch>
constexpr unsigned find_needs(const program& p, std::uint32_t block_index, workspace& ws) {
  const class_entry* const table = class_rows<Arch>(ws.classes);
  const block& b = p.blocks[block_index];
  const std::uint64_t* oa = ws.out_access.data() + std::size_t{block_index} * ws.words;
  const std::uint64_t* ow = ws.out_write.data() + std::size_t{block_index} * ws.words;
  const access* const accesses = ws.accesses.data();
  unit_next* const next = ws.next.data();
  detail::covering_needs covering;
  detail::covering_needs reading;
  unsigned raised = 0;
  ws.raisers.clear();
  bool passed = false;  // there is a strong access or a drain further on in the block, with nothing in between that acquires
  // `next` holds positions; one outside this block is stale
  const auto in_block = [&](std::uint32_t pos) { return pos - b.first < b.count; };
  for (std::uint32_t pos = b.first + b.count; pos-- > b.first;) {
    const site& s = ws.sites[pos];
    const access* const begin = accesses + s.first;
    const access* const sources = begin + s.results;
    const access* const end = begin + s.count;
    const std::uint64_t here = unit_next::at(pos, queue_mixed);
    if (!s.has(site::variable | site::late) && s.role.bits == 0) {
      for (const access* a = begin; a != sources; ++a) next[a->unit] = {here, here};
      for (const access* a = sources; a != end; ++a) next[a->unit].access = here;
      continue;
    }
    ws.raisers.push_back(pos);
    std::uint8_t queue = queue_mixed;
    std::uint8_t result_queue = queue_mixed;
    if (s.has(site::variable | site::late)) {
      const class_entry& c = table[static_cast<unsigned>(s.iclass)];
      std::uint32_t nw = need_none;
      std::uint32_t nr = need_none;
      if (s.has(site::variable)) {
        queue = c.overwrite_queue;
        result_queue = c.replace_queue;
        for (const access* a = begin; a != sources; ++a) {
          const unit_next& n = next[a->unit];
          std::uint32_t need = detail::test_bit(oa, a->unit) ? need_beyond : need_none;
          if (in_block(n.access_pos())) {
            const bool replaced = result_queue != queue_mixed && n.access_queue() == result_queue;
            need = replaced ? need_none : n.access_pos();
          }
          if (need < nw) nw = need;
        }
        if (s.has(site::early)) {
          nr = nw;
          nw = need_none;
        }
        if (ws.acquires && !passed && may_acquire(p.instructions[s.instruction])) {
          const std::uint32_t at = next[ws.units.acquire_unit].access_pos();
          const bool beyond = detail::test_bit(oa, ws.units.acquire_unit);
          nw = meta::min(nw, in_block(at) ? at : beyond ? need_beyond : need_none);
          passed = is_strong(p.instructions[s.instruction]);
        }
      }
      for (const access* a = sources; a != end; ++a) {
        if (!a->has(access::late)) continue;
        const unit_next& n = next[a->unit];
        std::uint32_t need = detail::test_bit(ow, a->unit) ? need_beyond : need_none;
        if (in_block(n.write_pos())) {
          const bool ordered =
              (n.write & unit_next::certain) != 0 && c.read_queue != queue_mixed && n.write_queue() == c.read_queue;
          need = ordered ? need_none : n.write_pos();
        }
        if (need < nr) nr = need;
      }
      // once the result has been waited for, the sources have been read
      if (nw < need_beyond && nw <= nr) nr = need_none;
      bool covered = false;
      if (c.may_be_covered && nw < need_beyond && s.role.bits == 0) {
        covered = covering.covers(c.write_queue, nw, !s.has(site::guarded));
      }
      need_pair need{nw, nr, covered, false};
      if (c.reads_covered && s.role.bits == 0) {
        const std::uint32_t done = need.reads_end();
        const bool enters = done < need_beyond && !s.has(site::guarded);
        const bool asks = nr < need_beyond;
        if (asks || enters) need.read_covered = reading.covers(c.read_queue, nr, done, enters) && asks;
      }
      ws.needs[pos] = need;
      raised += (need.set_write() != need_none ? 1u : 0u) + (need.set_read() != need_none ? 1u : 0u);
    }
    passed = passed || s.drains();
    if (s.role.has(special_role::acquire)) {
      next[ws.units.acquire_unit].access = here;
      passed = false;
    }
    const std::uint64_t write = unit_next::at(pos, queue);
    for (const access* a = begin; a != sources; ++a) {
      next[a->unit] = a->has(access::kills) ? unit_next{unit_next::at(pos, result_queue), write | unit_next::certain}
                                            : unit_next{here, write};
    }
    for (const access* a = sources; a != end; ++a) next[a->unit].access = here;
  }
  return raised;
}

}  // namespace ww::scoreboard
