// SPDX-License-Identifier: BSL-1.0
//
// Register deltas of one block that follow the order being made (PLS-4, PLS-10).
//
//   value    what one full write of a register leaves, up to the next full write; guarded and partial writes stay inside it
//   delta    registers that placing an instruction next adds, less those that it frees, per class
//   touch    one instruction and one value that it reads or writes
// An instruction frees a value only when it is the last reader left, so deltas change while others are placed. Each value
// keeps the exclusive-or of its readers that are not placed: when one is left, that is its name, and only its delta has to
// be looked at again. Classes: 0 general, 1 predicate, 2 address (uniform predicates), 3 uniform.
#pragma once

#include <cstdint>
#include "../../meta/span.hpp"
#include "../../meta/vec.hpp"

#include "../../ir/program.hpp"
#include "../../pressure/liveness.hpp"

namespace ww::unified {

struct class_counts {
  std::int32_t of[4] = {};
};

class live_values {
 public:
  // Starts a block or a part of one. `live_in`, `live_out`: bit sets in the layout of `l` at its ends.
  void start(const program& p, span<const instr_id> order, const liveness& l, span<const std::uint64_t> live_in,
             span<const std::uint64_t> live_out) {
    values_.clear();
    touches_.clear();
    first_.clear();
    const std::size_t bits = std::size_t{l.layout.words()} * 64;
    if (seen_.size() < bits) {
      seen_.assign(bits, 0);
      current_.resize(bits);
      epoch_ = 0;
    }
    if (++epoch_ == 0) {
      seen_.assign(seen_.size(), 0);
      epoch_ = 1;
    }
    live_ = {};
    count_bits(l, live_in);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      first_.push_back(static_cast<std::uint32_t>(touches_.size()));
      number(p[order[i]], p.operands_of(order[i]), i, l, live_in);
    }
    first_.push_back(static_cast<std::uint32_t>(touches_.size()));
    for (std::uint32_t v = 0; v < values_.size(); ++v) {
      const std::uint32_t bit = values_[v].bit;
      if (current_[bit] == v && (live_out[bit >> 6] >> (bit & 63u) & 1u) != 0) values_[v].live_out = true;
    }
    at_start_ = values_;
    live_at_start_ = live_;
    peak_ = live_;
  }

  // Back to the start of the block, without numbering it again.
  void rewind() {
    values_ = at_start_;
    live_ = live_at_start_;
    peak_ = live_;
  }

  [[nodiscard]] class_counts delta(std::uint32_t i) const {
    class_counts c;
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      const value& v = values_[touches_[t].value];
      const bool born = touches_[t].writes && !v.alive;
      const bool dies = (born || v.alive) && !v.live_out && v.open == (touches_[t].reads ? 1u : 0u);
      c.of[v.group] += (born ? 1 : 0) - (dies ? 1 : 0);
    }
    return c;
  }

  // Places `i` and calls changed(j) for every instruction that is now the last reader of a value.
  template <class F>
  void place(std::uint32_t i, F&& changed) {
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      value& v = values_[touches_[t].value];
      if (!touches_[t].writes || v.alive) continue;
      v.alive = true;
      ++live_.of[v.group];
    }
    for (unsigned g = 0; g < 4; ++g) peak_.of[g] = live_.of[g] > peak_.of[g] ? live_.of[g] : peak_.of[g];
    for (std::uint32_t t = first_[i]; t < first_[i + 1]; ++t) {
      value& v = values_[touches_[t].value];
      if (touches_[t].reads) {
        --v.open;
        v.readers ^= i;
      }
      if (v.live_out || !v.alive) continue;
      if (v.open == 0) {
        v.alive = false;
        --live_.of[v.group];
      } else if (v.open == 1 && touches_[t].reads) {
        changed(v.readers);
      }
    }
  }

  [[nodiscard]] const class_counts& live() const { return live_; }
  [[nodiscard]] const class_counts& peak() const { return peak_; }

  [[nodiscard]] static constexpr std::uint8_t group_of(reg_file f) {
    return f == reg_file::r ? 0 : f == reg_file::p ? 1 : f == reg_file::up ? 2 : 3;
  }

 private:
  struct value {
    std::uint32_t bit = 0;
    std::uint32_t open = 0;     // readers that are not placed
    std::uint32_t readers = 0;  // their exclusive-or
    std::uint8_t group = 0;
    bool alive = false;
    bool live_out = false;
  };
  struct touch {
    std::uint32_t value = 0;
    bool reads = false;
    bool writes = false;
  };

  void count_bits(const liveness& l, span<const std::uint64_t> live_in) {
    constexpr std::uint8_t group[pressure_class_count] = {0, 1, 3, 2};  // r, p, ur, up
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      for (std::uint32_t w = l.layout.first_word[c]; w < l.layout.first_word[c + 1]; ++w) {
        live_.of[group[c]] += __builtin_popcountll(live_in[w]);
      }
    }
  }
  [[nodiscard]] bool known(std::uint32_t bit) const { return seen_[bit] == epoch_; }
  std::uint32_t fresh(reg_file file, std::uint32_t bit, bool alive) {
    const auto v = static_cast<std::uint32_t>(values_.size());
    values_.push_back({bit, 0, 0, group_of(file), alive, false});
    seen_[bit] = epoch_;
    current_[bit] = v;
    return v;
  }
  void add(std::size_t begin, std::uint32_t v, std::uint32_t i, bool writes) {
    for (std::size_t t = begin; t < touches_.size(); ++t) {
      if (touches_[t].value != v) continue;
      touches_[t].writes = touches_[t].writes || writes;
      return;
    }
    touches_.push_back({v, !writes, writes});
    if (writes) return;
    ++values_[v].open;
    values_[v].readers ^= i;
  }
  void number(const instruction& ins, span<const operand> ops, std::uint32_t i, const liveness& l,
              span<const std::uint64_t> live_in) {
    const std::size_t begin = touches_.size();
    const auto alive_at_start = [&](std::uint32_t bit) { return (live_in[bit >> 6] >> (bit & 63u) & 1u) != 0; };
    for (const operand o : ops) {
      if (!o.is_use() || !o.is_register()) continue;
      l.each_bit(o, [&](std::uint32_t bit) {
        if (!known(bit)) fresh(o.file(), bit, alive_at_start(bit));
        add(begin, current_[bit], i, false);
      });
    }
    for (const operand o : ops) {
      if (!o.is_def() || !o.is_register()) continue;
      const bool full = !ins.has(iflag::guarded) && !o.is_partial();
      l.each_bit(o, [&](std::uint32_t bit) {
        if (!known(bit) && (!full || alive_at_start(bit))) fresh(o.file(), bit, alive_at_start(bit));
        if (full) fresh(o.file(), bit, false);
        add(begin, current_[bit], i, true);
      });
    }
  }

  vec<value> values_;
  vec<value> at_start_;
  vec<touch> touches_;
  vec<std::uint32_t> first_;    // per instruction, into touches_
  vec<std::uint32_t> seen_;     // per register bit: epoch in which current_ was set
  vec<std::uint32_t> current_;  // per register bit: its latest value
  std::uint32_t epoch_ = 0;
  class_counts live_, live_at_start_, peak_;
};

}  // namespace ww::unified
