// SPDX-License-Identifier: BSL-1.0
//
// Register deltas of one block that follow the order being made (PLS-4, PLS-10).
//
//   value    what one full write of a register leaves, up to the next full write; guarded and partial writes stay inside it
//   delta    registers that placing an instruction next adds, less those that it frees, per class
//   touch    one instruction and one value that it reads or writes
// An instruction frees a value only when it is the last reader left, so deltas change while others are placed. Each value
// keeps the exclusive-or of its readers that are not placed: when one is left, that is its name, and only its delta has to
// be looked at again. Where a guarded writer ends a value that nobody reads, another guarded writer of it keeps the delta that
// it had; the number of live registers is right. Classes: 0 general, 1 predicate, 2 address (uniform predicates), 3 uniform.
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
  constexpr void start(const program& p, span<const instr_id> order, const liveness& l, span<const std::uint64_t> live_in,
                       span<const std::uint64_t> live_out) {
    const std::size_t bits = std::size_t{l.layout.words()} * 64;
    if (current_.size() < bits) {
      current_.assign(bits, {});
      epoch_ = 0;
    }
    if (++epoch_ == 0) {
      current_.assign(current_.size(), {});
      epoch_ = 1;
    }
    live_ = {};
    count_bits(l, live_in);
    touch_count_ = value_count_ = 0;
    again_.clear();
    first_.resize(order.size() + 1);
    births_.assign(order.size(), 0);
    deaths_.assign(order.size(), 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      first_[i] = touch_count_;
      number(p[order[i]], p.operands_of(order[i]), i, l, live_in);
    }
    first_[order.size()] = touch_count_;
    for (std::uint32_t v = 0; v < value_count_; ++v) {
      const history& h = history_[v];
      if (current_[h.bit].value == v && (live_out[h.bit >> 6] >> (h.bit & 63u) & 1u) != 0) {
        values_[v].live_out = 1;
      } else if (h.from != never) {
        deaths_[h.death()] += one_of(values_[v].group);
      }
    }
    for (const rewrite& w : again_) {  // alive once more where nobody reads it any longer
      if (values_[w.value].live_out != 0 || w.at <= history_[w.value].death()) continue;
      births_[w.at] += one_of(values_[w.value].group);
      deaths_[w.at] += one_of(values_[w.value].group);
    }
    before_ = peak_ = live_;
  }

  // The largest numbers of live registers in the order that start() was given.
  [[nodiscard]] constexpr class_counts peak_in_order() const {
    class_counts now = before_;
    class_counts most = before_;
    for (std::size_t i = 0; i < births_.size(); ++i) {
      for (unsigned g = 0; g < 4; ++g) {
        now.of[g] += count_in(births_[i], g);
        most.of[g] = now.of[g] > most.of[g] ? now.of[g] : most.of[g];
        now.of[g] -= count_in(deaths_[i], g);
      }
    }
    return most;
  }

  // Here and below: what a touch does is worked out without jumps, for it cannot be guessed, and added up in registers.
  [[nodiscard]] constexpr class_counts delta(std::uint32_t i) const {
    sums births;
    sums deaths;
    const value* const values = values_.data();
    const touch* const end = touches_.data() + first_[i + 1];
    for (const touch* t = touches_.data() + first_[i]; t != end; ++t) {
      const value& v = values[t->value()];
      const unsigned born = t->writes() & (v.alive ^ 1u);
      births.add(v.group, born);
      deaths.add(v.group, (born | v.alive) & (v.live_out ^ 1u) & static_cast<unsigned>(v.open == t->reads()));
    }
    class_counts c;
    for (unsigned g = 0; g < 4; ++g) c.of[g] = births.of(g) - deaths.of(g);
    return c;
  }

  // Places `i` and calls changed(j) for every instruction that is now the last reader of a value.
  template <class F>
  constexpr void place(std::uint32_t i, F&& changed) {
    value* const values = values_.data();
    const touch* const begin = touches_.data() + first_[i];
    const touch* const end = touches_.data() + first_[i + 1];
    sums births;
    for (const touch* t = begin; t != end; ++t) {
      value& v = values[t->value()];
      const unsigned born = t->writes() & (v.alive ^ 1u);
      v.alive = static_cast<std::uint8_t>(v.alive | born);
      births.add(v.group, born);
    }
    for (unsigned g = 0; g < 4; ++g) {
      live_.of[g] += births.of(g);
      peak_.of[g] = live_.of[g] > peak_.of[g] ? live_.of[g] : peak_.of[g];
    }
    for (const touch* t = begin; t != end; ++t) {
      value& v = values[t->value()];
      const std::uint32_t open = v.open - t->reads();
      const unsigned inside = v.alive & (v.live_out ^ 1u);
      const unsigned dies = inside & static_cast<unsigned>(open == 0);
      const unsigned alone = inside & t->reads() & static_cast<unsigned>(open == 1);
      v.open = open;
      v.readers ^= i & (0u - t->reads());
      v.alive = static_cast<std::uint8_t>(v.alive ^ dies);
      live_.of[v.group] -= static_cast<std::int32_t>(dies);
      if (alone != 0) changed(v.readers);
    }
  }

  [[nodiscard]] constexpr const class_counts& live() const { return live_; }
  [[nodiscard]] constexpr const class_counts& peak() const { return peak_; }

  [[nodiscard]] static constexpr std::uint8_t group_of(reg_file f) {
    return f == reg_file::r ? 0 : f == reg_file::p ? 1 : f == reg_file::up ? 2 : 3;
  }

 private:
  // What placing an instruction looks at, and what only the start of a block needs, apart.
  struct value {
    std::uint32_t open = 0;     // readers that are not placed
    std::uint32_t readers = 0;  // their exclusive-or
    std::uint8_t group = 0;
    std::uint8_t alive = 0;  // 0 or 1, as all that follow
    std::uint8_t live_out = 0;
  };
  static constexpr std::uint32_t never = 0xffffffffu;
  struct history {
    std::uint32_t bit = 0;
    std::uint32_t last_read = 0;   // place of the last reader in the order that start() was given
    std::uint32_t last_touch = 0;  // its newest touch and one, 0 = none
    std::uint32_t from = never;    // place of the first touch of a value that is alive by then
    [[nodiscard]] constexpr std::uint32_t death() const { return from > last_read ? from : last_read; }
  };
  // A guarded or partial write of a value that has been alive before.
  struct rewrite {
    std::uint32_t value = 0;
    std::uint32_t at = 0;  // place
  };
  // Four counts, one by group, in two words: an instruction touches fewer than 2^31 registers.
  struct sums {
    std::uint64_t low = 0;   // groups 0 and 1
    std::uint64_t high = 0;  // groups 2 and 3
    constexpr void add(unsigned group, std::uint64_t n) {
      const std::uint64_t x = n << (32u * (group & 1u));
      const std::uint64_t upper = 0u - static_cast<std::uint64_t>(group >> 1);
      low += x & ~upper;
      high += x & upper;
    }
    [[nodiscard]] constexpr std::int32_t of(unsigned group) const {
      return static_cast<std::int32_t>((group < 2 ? low : high) >> (32u * (group & 1u)));
    }
  };
  struct touch {
    std::uint32_t of = 0;  // four times the value, 1 for a read, 2 for a write
    [[nodiscard]] constexpr std::uint32_t value() const { return of >> 2; }
    [[nodiscard]] constexpr std::uint32_t reads() const { return of & 1u; }  // 0 or 1
    [[nodiscard]] constexpr std::uint32_t writes() const { return of >> 1 & 1u; }
  };

  // Four counts of at most 65,535 in a word: an instruction has at most 255 operands of 255 registers.
  [[nodiscard]] static constexpr std::uint64_t one_of(unsigned group) { return std::uint64_t{1} << (16u * group); }
  [[nodiscard]] static constexpr std::int32_t count_in(std::uint64_t four, unsigned group) {
    return static_cast<std::int32_t>(four >> (16u * group) & 0xffffu);
  }

  constexpr void count_bits(const liveness& l, span<const std::uint64_t> live_in) {
    constexpr std::uint8_t group[pressure_class_count] = {0, 1, 3, 2};  // r, p, ur, up
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      for (std::uint32_t w = l.layout.first_word[c]; w < l.layout.first_word[c + 1]; ++w) {
        live_.of[group[c]] += __builtin_popcountll(live_in[w]);
      }
    }
  }
  // Instruction `i` in the order given. Its touches of one value are one.
  constexpr void number(const instruction& ins, span<const operand> ops, std::uint32_t i, const liveness& l,
                        span<const std::uint64_t> live_in) {
    const std::size_t most = std::size_t{255} * ops.size();  // registers of an operand: its width has eight bits
    if (touches_.size() - touch_count_ < most) touches_.resize(2 * touches_.size() + most);
    if (values_.size() - value_count_ < 2 * most) {
      values_.resize(2 * values_.size() + 2 * most);
      history_.resize(values_.size());
    }
    const std::uint32_t begin = touch_count_;
    std::uint32_t touches_used = touch_count_;
    std::uint32_t values_used = value_count_;
    touch* const touches = touches_.data();
    value* const values = values_.data();
    history* const past = history_.data();
    newest* const current = current_.data();
    const std::uint32_t epoch = epoch_;
    const auto alive_at_start = [&](std::uint32_t bit) {
      return static_cast<std::uint8_t>(live_in[bit >> 6] >> (bit & 63u) & 1u);
    };
    const auto fresh = [&](std::uint8_t group, std::uint32_t bit, std::uint8_t alive, bool from_here) {
      values[values_used] = {0, 0, group, alive, 0};
      past[values_used] = {bit, 0, 0, from_here ? i : never};
      current[bit] = {epoch, values_used++};
    };
    std::uint64_t births = 0;
    for (const operand& o : ops) {
      if (!o.is_use() || !o.is_register()) continue;
      const std::uint8_t group = group_of(o.file());
      l.each_bit(o, [&](std::uint32_t bit) {
        if (current[bit].epoch != epoch) {
          const std::uint8_t alive = alive_at_start(bit);
          fresh(group, bit, alive, alive != 0);
        }
        const std::uint32_t v = current[bit].value;
        history& h = past[v];
        if (h.last_touch > begin) return;  // by this instruction already
        touches[touches_used++] = {v << 2 | 1u};
        h.last_touch = touches_used;
        h.last_read = i;
        ++values[v].open;
        values[v].readers ^= i;
      });
    }
    for (const operand& o : ops) {
      if (!o.is_def() || !o.is_register()) continue;
      const std::uint8_t group = group_of(o.file());
      const bool full = !ins.has(iflag::guarded) && !o.is_partial();
      l.each_bit(o, [&](std::uint32_t bit) {
        if (current[bit].epoch != epoch && (!full || alive_at_start(bit) != 0)) {
          const std::uint8_t alive = alive_at_start(bit);
          fresh(group, bit, alive, alive != 0 && !full);
        }
        if (full) fresh(group, bit, 0, false);
        const std::uint32_t v = current[bit].value;
        history& h = past[v];
        const bool born = h.from == never;
        if (born) {
          h.from = i;
          births += one_of(group);
        }
        if (h.last_touch > begin) {
          touches[h.last_touch - 1].of |= 2u;
          return;
        }
        if (!born) again_.push_back({v, i});
        touches[touches_used++] = {v << 2 | 2u};
        h.last_touch = touches_used;
      });
    }
    births_[i] = births;
    touch_count_ = touches_used;
    value_count_ = values_used;
  }

  struct newest {
    std::uint32_t epoch = 0;  // in which `value` was set
    std::uint32_t value = 0;
  };

  vec<value> values_;  // the first `value_count_`
  vec<history> history_;
  vec<touch> touches_;  // the first `touch_count_`
  std::uint32_t value_count_ = 0;
  std::uint32_t touch_count_ = 0;
  vec<std::uint32_t> first_;  // per instruction, into touches_
  vec<newest> current_;       // per register bit: its latest value
  std::uint32_t epoch_ = 0;
  class_counts live_, before_, peak_;

  // In the order that start() was given, per instruction: values that it makes alive, and those that end with it.
  vec<std::uint64_t> births_;
  vec<std::uint64_t> deaths_;
  vec<rewrite> again_;
};

}  // namespace ww::unified
