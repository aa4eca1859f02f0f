// SPDX-License-Identifier: BSL-1.0
//
// Liveness over the control-flow graph (PLS-10): which registers are live at the start and the end of every block.
//
//   live      some path reads the register before a full write of it
//   kill      a full write: not guarded, not partial. A guarded write keeps the old value for the threads that do not act
//   edges     all of them, call and return edges included, but for the summary edge beside a known call (ir/cfg.hpp)
//   open exit control may go to code that is not known: every physical register is live there. Such code, and an opcode
//             that is not known, cannot name virtual registers
//
// Backward data flow with one bit set per block; blocks are visited in reverse layout order until nothing changes, and only
// blocks whose successors changed are visited again. Storage is reused from call to call. The order inside the
// blocks is program::order at the time of the call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../simd/scalar.hpp"
#include "register_layout.hpp"

namespace ww {

struct liveness {
  register_layout layout;
  vec<std::uint64_t> in;   // words() per block
  vec<std::uint64_t> out;  // words() per block
  vec<std::uint64_t> gen;
  vec<std::uint64_t> kill;
  vec<std::uint8_t> pending;
  vec<std::uint8_t> follows;  // per edge

  [[nodiscard]] constexpr span<const std::uint64_t> live_in(block_id b) const {
    return {in.data() + std::size_t{b.index()} * layout.words(), layout.words()};
  }
  [[nodiscard]] constexpr span<const std::uint64_t> live_out(block_id b) const {
    return {out.data() + std::size_t{b.index()} * layout.words(), layout.words()};
  }

  // `at_least` is the number of physical registers that exist beside those named (register_layout).
  template <class V = simd::scalar>
  constexpr void compute(const program& p, const array<std::uint32_t, pressure_class_count>& at_least = {}) {
    layout.compute(p, at_least);
    const std::size_t words = layout.words();
    const std::size_t blocks = p.blocks.size();
    for (auto* set : {&in, &out, &gen, &kill}) set->assign(words * blocks, 0);
    follows.resize(p.edges.size());
    for (std::size_t e = 0; e < p.edges.size(); ++e) follows[e] = is_summary(p, p.edges[e]) ? 0 : 1;
    for (std::size_t b = 0; b < blocks; ++b) {
      const span<const instr_id> order = p.order_of(p.blocks[b]);
      for (std::size_t k = order.size(); k-- > 0;) {
        step(p, p[order[k]], gen.data() + b * words, kill.data() + b * words);
      }
      if (p.blocks[b].open_exit) meta::fill_n(out.begin() + static_cast<std::ptrdiff_t>(b * words), words, ~0ull);
    }
    trim();
    pending.assign(blocks, 1);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t b = blocks; b-- > 0;) {
        if (pending[b] == 0) continue;
        pending[b] = 0;
        again = (__builtin_is_constant_evaluated() ? visit<simd::scalar>(p, b) : visit<V>(p, b)) || again;
      }
    }
  }

  // Calls f(bit) for every register bit of an operand.
  template <class F>
  constexpr void each_bit(operand o, F&& f) const {
    std::uint32_t bit = 0;
    for (std::uint32_t n = layout.bits_of(o.base(), o.width(), bit); n != 0; --n, ++bit) f(bit);
  }

  // Turns a set live behind `ins` into the set live before it. `kills`, where given, collects the full writes.
  constexpr void step(const program& p, const instruction& ins, std::uint64_t* live, std::uint64_t* kills = nullptr) const {
    const span<const operand> ops = p.operands_of(ins);
    for (const operand o : ops) {
      if (!o.is_def() || !o.is_register() || ins.has(iflag::guarded) || o.is_partial()) continue;
      each_bit(o, [&](std::uint32_t bit) {
        live[bit >> 6] &= ~(1ull << (bit & 63u));
        if (kills != nullptr) kills[bit >> 6] |= 1ull << (bit & 63u);
      });
    }
    for (const operand o : ops) {
      if (!o.is_use() || !o.is_register()) continue;
      each_bit(o, [&](std::uint32_t bit) { live[bit >> 6] |= 1ull << (bit & 63u); });
    }
    if (ins.has(iflag::unknown)) {
      for (std::size_t w = 0; w < layout.words(); ++w) live[w] |= word_mask(w);
    }
  }
  // Adds what `ins` defines.
  constexpr void add_defs(const program& p, const instruction& ins, std::uint64_t* bits) const {
    for (const operand o : p.operands_of(ins)) {
      if (o.is_def() && o.is_register()) each_bit(o, [&](std::uint32_t b) { bits[b >> 6] |= 1ull << (b & 63u); });
    }
  }

 private:
  // Bits of word w that stand for physical registers.
  [[nodiscard]] constexpr std::uint64_t word_mask(std::size_t w) const {
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      if (w < layout.first_word[c] || w >= layout.first_word[c + 1]) continue;
      const std::size_t below = 64 * (w - layout.first_word[c]);
      if (layout.physical[c] <= below) return 0;
      const std::size_t left = layout.physical[c] - below;
      return left >= 64 ? ~0ull : (1ull << left) - 1;
    }
    return 0;
  }
  constexpr void trim() {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] &= word_mask(i % layout.words());
  }
  template <class V>
  constexpr bool visit(const program& p, std::size_t b) {
    const std::size_t words = layout.words();
    std::uint64_t* const live = out.data() + b * words;
    const block& blk = p.blocks[b];
    for (std::uint32_t e = blk.first_edge; e < blk.first_edge + blk.edge_count; ++e) {
      if (follows[e] != 0) V::bit_or(live, in.data() + std::size_t{p.edges[e].to.index()} * words, words);
    }
    bool changed = false;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t now = (live[w] & ~kill[b * words + w]) | gen[b * words + w];
      changed = changed || now != in[b * words + w];
      in[b * words + w] = now;
    }
    if (!changed) return false;
    for (const std::uint32_t e : p.pred_edges_of(blk)) pending[p.edges[e].from.index()] = 1;
    return true;
  }
};

// Registers live at every instruction: those live before it and those that it writes. Indexed by position in the order.
template <class V = simd::scalar>
constexpr void count_live(const program& p, const liveness& l, vec<live_count>& counts) {
  counts.assign(p.order.size(), live_count{});
  vec<std::uint64_t> live(l.layout.words());
  vec<std::uint64_t> row(l.layout.words());
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const block& blk = p.blocks[b];
    meta::copy_n(l.live_out(block_id(b)).begin(), live.size(), live.begin());
    for (std::uint32_t at = blk.first + blk.count; at-- > blk.first;) {
      const instruction& ins = p[p.order[at]];
      l.step(p, ins, live.data());
      meta::copy(live.begin(), live.end(), row.begin());
      l.add_defs(p, ins, row.data());
      counts[at] = l.layout.population<V>(row.data());
    }
  }
}

}  // namespace ww
