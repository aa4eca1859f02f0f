// SPDX-License-Identifier: BSL-1.0
//
// Register pressure while the instructions of one block are placed in some order (PLS-10, "Register Pressure Tracking").
//
//   value      what one full write of a register leaves, up to the next full write; guarded and partial writes stay inside
//              the value
//   alive      from its write (or from the start, if live into the block) to its last reader in the order being made, or to
//              the end if it is the last value of a register that is live out
//   delta      registers that placing an instruction next adds or frees, per class; the largest in between is `high`
//   pairs      dual tracking: even-odd register pairs with a live half, for code that works on 64-bit values
//
// Values are numbered once from the original order; every legal order keeps them. Live registers are a bit vector, counted
// by popcount through the vector policy V, and by increments; both agree at every step. Storage is reused from block to
// block.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../simd/scalar.hpp"
#include "liveness.hpp"

namespace ww {

struct pressure_change {
  array<std::int32_t, pressure_class_count> delta{};  // after the instruction
  array<std::int32_t, pressure_class_count> high{};   // while it issues: its results beside its dying sources

  [[nodiscard]] std::int32_t operator[](pressure_class c) const { return delta[static_cast<std::size_t>(c)]; }
};

template <class V = simd::scalar>
class pressure_tracker {
 public:
  // Starts a block. `order` is its original order; indices below are places in it.
  void start(const program& p, block_id b, span<const instr_id> order, const liveness& l) {
    start(p, order, l, l.live_in(b), l.live_out(b));
  }
  // The same for a part of a block: `in` and `out` are live at its start and at its end.
  void start(const program& p, span<const instr_id> order, const liveness& l, span<const std::uint64_t> in,
             span<const std::uint64_t> out) {
    layout_ = l.layout;
    live_.assign(in.begin(), in.end());
    values_.clear();
    touches_.clear();
    first_.clear();
    current_.assign(std::size_t{layout_.words()} * 64, none);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      first_.push_back(static_cast<std::uint32_t>(touches_.size()));
      number(p[order[i]], p.operands_of(order[i]), l);
    }
    first_.push_back(static_cast<std::uint32_t>(touches_.size()));
    for (std::uint32_t bit = 0; bit < current_.size(); ++bit) {
      if (current_[bit] != none && (out[bit >> 6] >> (bit & 63u) & 1u) != 0) values_[current_[bit]].live_out = true;
    }
    count_ = layout_.template population<V>(live_.data());
    peak_ = count_;
  }

  // What placing instruction `i` next would change.
  [[nodiscard]] pressure_change delta(std::uint32_t i) const {
    pressure_change change;
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      const touch& use = touches_[t];
      const value& v = values_[use.value];
      const std::size_t c = v.register_class;
      const std::uint32_t left = v.open - (use.reads ? 1u : 0u);
      const bool born = use.writes && !v.alive;
      if (born) ++change.high[c];
      change.delta[c] += (born ? 1 : 0) - ((born || v.alive) && left == 0 && !v.live_out ? 1 : 0);
    }
    return change;
  }

  void place(std::uint32_t i) {
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      value& v = values_[touches_[t].value];
      if (!touches_[t].writes || v.alive) continue;
      v.alive = true;
      ++count_.of[v.register_class];
      live_[v.bit >> 6] |= 1ull << (v.bit & 63u);
    }
    for (std::size_t c = 0; c < pressure_class_count; ++c) peak_.of[c] = meta::max(peak_.of[c], count_.of[c]);
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      value& v = values_[touches_[t].value];
      if (touches_[t].reads) --v.open;
      if (v.open != 0 || v.live_out || !v.alive) continue;
      v.alive = false;
      --count_.of[v.register_class];
      if (!touched_by_other(i, t, v.bit)) live_[v.bit >> 6] &= ~(1ull << (v.bit & 63u));
    }
  }

  [[nodiscard]] live_count live() const { return count_; }
  [[nodiscard]] live_count peak() const { return peak_; }
  [[nodiscard]] span<const std::uint64_t> bits() const { return live_; }
  // The same from the bit vector.
  [[nodiscard]] live_count population() const { return layout_.template population<V>(live_.data()); }
  // Even-odd pairs of a class with at least one live register.
  [[nodiscard]] std::uint32_t pairs(pressure_class c) const {
    std::uint32_t n = 0;
    for (std::uint32_t w = layout_.first_word[static_cast<std::size_t>(c)];
         w < layout_.first_word[static_cast<std::size_t>(c) + 1]; ++w) {
      const std::uint64_t either = (live_[w] | live_[w] >> 1) & 0x5555555555555555ull;
      n += static_cast<std::uint32_t>(V::popcount(&either, 1));
    }
    return n;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct value {
    std::uint32_t bit = 0;
    std::uint32_t open = 0;  // instructions that read it and have not been placed
    std::uint8_t register_class = 0;
    bool alive = false;
    bool live_out = false;
  };
  struct touch {
    std::uint32_t value = 0;
    bool reads = false;
    bool writes = false;
  };

  void number(const instruction& ins, span<const operand> ops, const liveness& l) {
    const std::size_t begin = touches_.size();
    for (const operand o : ops) {
      if (!o.is_use() || !o.is_register()) continue;
      l.each_bit(o, [&](std::uint32_t bit) {
        if (current_[bit] == none) current_[bit] = fresh(o.file(), bit, (live_[bit >> 6] >> (bit & 63u) & 1u) != 0);
        add(begin, current_[bit], false);
      });
    }
    for (const operand o : ops) {
      if (!o.is_def() || !o.is_register()) continue;
      const bool full = !ins.has(iflag::guarded) && !o.is_partial();
      l.each_bit(o, [&](std::uint32_t bit) {
        if (full) {
          if (current_[bit] == none && (live_[bit >> 6] >> (bit & 63u) & 1u) != 0) fresh(o.file(), bit, true);
          current_[bit] = fresh(o.file(), bit, false);
        } else if (current_[bit] == none) {
          current_[bit] = fresh(o.file(), bit, (live_[bit >> 6] >> (bit & 63u) & 1u) != 0);
        }
        add(begin, current_[bit], true);
      });
    }
  }
  std::uint32_t fresh(reg_file file, std::uint32_t bit, bool alive) {
    value v;
    v.bit = bit;
    v.register_class = static_cast<std::uint8_t>(pressure_class_of(file));
    v.alive = alive;
    values_.push_back(v);
    return static_cast<std::uint32_t>(values_.size() - 1);
  }
  // One entry per instruction and value.
  void add(std::size_t begin, std::uint32_t v, bool writes) {
    for (std::size_t t = begin; t < touches_.size(); ++t) {
      if (touches_[t].value != v) continue;
      touches_[t].writes = touches_[t].writes || writes;
      return;
    }
    touches_.push_back({v, !writes, writes});
    if (!writes) ++values_[v].open;
  }
  // True when the instruction leaves another value alive in the same register.
  [[nodiscard]] bool touched_by_other(std::uint32_t i, std::uint32_t except, std::uint32_t bit) const {
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      const value& v = values_[touches_[t].value];
      if (t != except && v.bit == bit && v.alive) return true;
    }
    return false;
  }

  register_layout layout_;
  vec<value> values_;
  vec<touch> touches_;
  vec<std::uint32_t> first_;    // per instruction: its slice of touches_
  vec<std::uint32_t> current_;  // per bit: the value that stands in the register, while numbering
  vec<std::uint64_t> live_;
  live_count count_;
  live_count peak_;
};

}  // namespace ww
