// SPDX-License-Identifier: BSL-1.0
//
// Encoder of the barrier indices (SB-4: EncodeWriteBarrierIndex and the combined EncodeScoreboardFields).
//
//   encode_write_barrier   a free counter, with affinity; else the oldest, and the producer must wait for it first
//   barrier_operands       at most two results and two sources of the instruction that a counter stands for
//   conflict_vector        the intersection test of the text: four elements, any of them not zero is a conflict
//                          0 result over result | 1 result over source | 2 source over result | 3 same bank among sources
// The text frees a counter by distance before it looks for one; here age only orders the choice among busy ones (SB-2). The
// bank element never forces a wait: a bank conflict costs a cycle and a wait costs many.
#pragma once

#include <cstdint>

#include "../../ir/program.hpp"
#include "../../meta/array.hpp"
#include "../pool.hpp"
#include "config.hpp"

namespace ww::scoreboard {

template <class Pool>
[[nodiscard]] barrier_choice encode_write_barrier(Pool& pool, const barrier_request& q, bool prefer_done = true) {
  unsigned i = pool.find_free(q.queue);
  barrier_choice c;
  if (i == Pool::size) {
    i = pool.find_oldest(q.cycle, prefer_done);
    if (i == Pool::size) return c;  // every counter is named elsewhere
    c.wait_first = true;
    pool.release(i);
  }
  pool.set(i, q);
  c.index = static_cast<std::uint8_t>(i);
  return c;
}

struct barrier_operands {
  array<operand, 2> results{};
  array<operand, 2> sources{};
};

[[nodiscard]] inline barrier_operands operands_for_barrier(const program& p, const instruction& i) {
  barrier_operands b;
  unsigned r = 0;
  unsigned s = 0;
  for (const operand o : p.operands_of(i)) {
    if (!o.is_register()) continue;
    if (o.is_def() && r < 2) b.results[r++] = o;
    if (o.is_use() && s < 2) b.sources[s++] = o;
  }
  return b;
}

// Registers that both operands name.
[[nodiscard]] constexpr unsigned overlap(operand a, operand b) {
  if (!a.is_register() || !b.is_register() || a.file() != b.file()) return 0;
  const std::uint32_t wa = a.width() == 0 ? 1u : a.width();
  const std::uint32_t wb = b.width() == 0 ? 1u : b.width();
  const std::uint32_t from = a.base().number() > b.base().number() ? a.base().number() : b.base().number();
  const std::uint32_t ea = a.base().number() + wa;
  const std::uint32_t eb = b.base().number() + wb;
  const std::uint32_t to = ea < eb ? ea : eb;
  return to > from ? to - from : 0;
}

[[nodiscard]] constexpr array<std::uint8_t, 4> conflict_vector(const barrier_operands& candidate,
                                                               const barrier_operands& live, unsigned banks) {
  array<std::uint8_t, 4> v{};
  const auto add = [&v](unsigned k, unsigned n) { v[k] = static_cast<std::uint8_t>(v[k] + n); };
  for (unsigned a = 0; a < 2; ++a) {
    for (unsigned b = 0; b < 2; ++b) {
      add(0, overlap(candidate.results[a], live.results[b]));
      add(1, overlap(candidate.results[a], live.sources[b]));
      add(2, overlap(candidate.sources[a], live.results[b]));
      const operand x = candidate.sources[a];
      const operand y = live.sources[b];
      const bool r = x.is_register() && y.is_register() && x.file() == reg_file::r && y.file() == reg_file::r;
      if (r && x.base() != y.base() && x.base().number() % banks == y.base().number() % banks) add(3, 1);
    }
  }
  return v;
}

[[nodiscard]] constexpr bool conflicting(const array<std::uint8_t, 4>& v) { return (v[0] | v[1] | v[2]) != 0; }

}  // namespace ww::scoreboard
