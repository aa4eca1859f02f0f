// SPDX-License-Identifier: BSL-1.0
//
// Which webs of a lifted program must not share registers, and with which physical registers (FPA-3, point interference).
//
//   unit     one register of a web: what is live is told by units, because of a tuple often only a part is live
//   holder   what has places: a web that is not fixed, by its number in the problem, or a physical register (all that is fixed:
//            webs, what calls and open exits read, hidden operands), by holder numbers behind those of webs
//   meeting  owner, target, distance: the owner may not start `distance` registers behind the target
// A definition meets everything that is live behind its instruction, and the other definitions of the instruction, dead or
// not. A source that dies may share its place with a result, but for shared_place.hpp. Two values
// that are live together meet at the later of their definitions; where neither is written yet, one of the webs holds nothing.
// The order is the present one of program::order. meetings() gives each owner's targets once each, in the order in which the
// walk first sees them, with a bit per distance. Time: operands, and the units live behind each definition. Storage is kept.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../lift/lifted.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/bits.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "shared_place.hpp"

namespace ww::regalloc {

class web_interference {
 public:
  static constexpr std::uint32_t no_holder = 0xffffffffu;

  // `holder_of_web[w]` counts the webs of class c that are not fixed from 0 to `holders` - 1; others have none. `live` is that
  // of l.code. Registers from `limit` on do not count for the peak.
  void build(const lifted_program& l, pressure_class c, const liveness& live, span<const std::uint32_t> holder_of_web,
             std::uint32_t holders, std::uint32_t limit) {
    l_ = &l;
    live_ = &live;
    class_ = c;
    holders_ = holders;
    const auto index = static_cast<std::size_t>(c);
    first_bit_ = live.layout.first_word[index] * 64;
    bits_ = live.layout.count[index];
    physical_ = live.layout.physical[index];
    peak_ = counted_ = 0;
    limit_ = limit;
    meetings_.clear();
    number_units(holder_of_web);
    place_.assign(bits_, 0);
    for (std::uint32_t b = 0; b < l.code.blocks.size(); ++b) walk(b);
    group();
  }

  [[nodiscard]] std::uint32_t physical_registers() const { return physical_; }
  // The most registers below the limit that one place needs, physical ones that are live there included. If it is more than the
  // limit, there is no answer below the limit.
  [[nodiscard]] std::uint32_t peak() const { return peak_; }
  [[nodiscard]] std::size_t raw_meetings() const { return meetings_.size(); }

  // Calls f(target, distances) for each target of an owner: bit k of `distances` stands for distance k - (width - 1) of the
  // owner's width. `target` is a holder, or `holders` plus a physical register. all_distances: more than bits can tell.
  static constexpr std::uint64_t all_distances = ~std::uint64_t{0};
  template <class F>
  void each_target(std::uint32_t owner, F&& f) {
    seen_targets_.clear();
    for (std::size_t k = first_[owner]; k < first_[owner + 1]; ++k) {
      const grouped g = grouped_[k];
      const std::uint32_t bit = static_cast<std::uint32_t>(g.distance + static_cast<std::int32_t>(width_[owner]) - 1);
      const std::uint64_t mask = bit < most_distances ? std::uint64_t{1} << bit : all_distances;
      if (seen_by_[g.target] == owner) {
        distances_[g.target] |= mask;
        continue;
      }
      seen_by_[g.target] = owner;
      distances_[g.target] = mask;
      seen_targets_.push_back(g.target);
    }
    for (const std::uint32_t target : seen_targets_) f(target, distances_[target]);
  }

 private:
  static constexpr std::uint32_t most_distances = 63;

  struct unit {
    std::uint32_t holder = no_holder;
    std::uint32_t part = 0;
  };
  struct meeting {
    std::uint32_t owner;
    std::uint32_t target;
    std::int32_t distance;
  };
  struct grouped {
    std::uint32_t target;
    std::int32_t distance;
  };

  void number_units(span<const std::uint32_t> holder_of_web) {
    units_.assign(bits_, unit{});
    width_.assign(holders_, 1);
    for (std::uint32_t n = 0; n < physical_ && n < bits_; ++n) units_[n].holder = holders_ + n;
    for (std::size_t w = 0; w < l_->webs.size() && w < holder_of_web.size(); ++w) {
      const web& one = l_->webs[w];
      if (holder_of_web[w] >= holders_ || pressure_class_of(one.file) != class_) continue;
      width_[holder_of_web[w]] = one.width;
      std::uint32_t bit = 0;
      const std::uint32_t n = live_->layout.bits_of(reg(one.file, one.number), one.width, bit);
      for (std::uint32_t k = 0; k < n; ++k) units_[bit - first_bit_ + k] = {holder_of_web[w], k};
    }
  }

  [[nodiscard]] std::uint32_t counts(std::uint32_t u) const { return u >= physical_ || u < limit_ ? 1u : 0u; }
  void add_live(std::uint32_t u) {
    if (place_[u] != 0) return;
    now_.push_back(u);
    counted_ += counts(u);
    place_[u] = static_cast<std::uint32_t>(now_.size());
  }
  void drop(std::uint32_t u) {
    if (place_[u] == 0) return;
    const std::uint32_t last = now_.back();
    now_[place_[u] - 1] = last;
    place_[last] = place_[u];
    place_[u] = 0;
    now_.pop_back();
    counted_ -= counts(u);
  }
  template <class F>
  void each_unit(operand o, F&& f) const {
    if (!o.is_register() || pressure_class_of(o.file()) != class_) return;
    std::uint32_t bit = 0;
    const std::uint32_t n = live_->layout.bits_of(o.base(), o.width(), bit);
    for (std::uint32_t k = 0; k < n; ++k) f(bit - first_bit_ + k);
  }

  void walk(std::uint32_t b) {
    for (const std::uint32_t u : now_) place_[u] = 0;
    now_.clear();
    counted_ = 0;
    const span<const std::uint64_t> out = live_->live_out(block_id{b});
    for (std::uint32_t w = first_bit_ / 64; w * 64 < first_bit_ + bits_; ++w) {
      for (std::uint64_t rest = out[w]; rest != 0; rest &= rest - 1) {
        const std::uint32_t u = w * 64 - first_bit_ + static_cast<std::uint32_t>(meta::countr_zero(rest));
        if (u < bits_) add_live(u);
      }
    }
    const span<const instr_id> order = l_->code.order_of(l_->code.blocks[b]);
    for (std::size_t k = order.size(); k-- > 0;) step(l_->code[order[k]]);
  }

  void step(const instruction& ins) {
    const span<const operand> ops = l_->code.operands_of(ins);
    const std::size_t behind = now_.size();
    for (const operand o : ops) {
      if (o.is_def()) each_unit(o, [&](std::uint32_t u) { add_live(u); });
    }
    peak_ = peak_ > counted_ ? peak_ : counted_;
    added_.clear();
    for (std::size_t k = behind; k < now_.size(); ++k) added_.push_back(now_[k]);
    for (const operand o : ops) {
      if (!o.is_def()) continue;
      each_unit(o, [&](std::uint32_t u) { define(u); });
      for (const operand use : ops) {
        if (use.is_use()) keep_apart(ins, o, use);
      }
    }
    for (const std::uint32_t u : added_) drop(u);
    for (const operand o : ops) {
      if (o.is_def() && !ins.has(iflag::guarded) && !o.is_partial()) each_unit(o, [&](std::uint32_t u) { drop(u); });
    }
    for (const operand o : ops) {
      if (o.is_use()) each_unit(o, [&](std::uint32_t u) { add_live(u); });
    }
    peak_ = peak_ > counted_ ? peak_ : counted_;
    if (!ins.has(iflag::unknown)) return;
    for (std::uint32_t n = 0; n < physical_; ++n) add_live(n);
  }

  void define(std::uint32_t u) {
    const unit d = units_[u];
    if (d.holder == no_holder) return;
    for (const std::uint32_t other : now_) {
      const unit x = units_[other];
      if (x.holder == d.holder || x.holder == no_holder) continue;
      meet(d, x, 0);
    }
  }
  // The first registers of both may not be `apart` from each other.
  void meet(unit a, unit b, std::int32_t apart) {
    const std::int32_t between = apart + static_cast<std::int32_t>(b.part) - static_cast<std::int32_t>(a.part);
    if (a.holder < holders_) meetings_.push_back({a.holder, b.holder, between});
    if (b.holder < holders_) meetings_.push_back({b.holder, a.holder, -between});
  }

  void keep_apart(const instruction& ins, operand def, operand use) {
    const shared_place how = shared_place_of(ins, use);
    if (how == shared_place::free) return;
    std::uint32_t d = no_holder;
    std::uint32_t u = no_holder;
    each_unit(def, [&](std::uint32_t x) { d = d == no_holder ? x : d; });
    each_unit(use, [&](std::uint32_t x) { u = u == no_holder ? x : u; });
    if (d == no_holder || u == no_holder) return;
    const unit x = units_[d];
    const unit y = units_[u];
    if (x.holder == no_holder || y.holder == no_holder || x.holder == y.holder) return;
    const std::int32_t wide = static_cast<std::int32_t>(def.width());
    const std::int32_t source = static_cast<std::int32_t>(use.width());
    for (std::int32_t apart = 1 - wide; apart < source; ++apart) {
      const std::int32_t ends = source - wide;
      if (how == shared_place::nested && apart >= meta::min(0, ends) && apart <= meta::max(0, ends)) continue;
      if (how == shared_place::ends_together && apart == ends) continue;
      if (how == shared_place::starts_together && apart == 0) continue;
      meet_apart(x, y, apart);
    }
  }
  // As meet(); a physical register is moved by the distance, so that distances stay between parts.
  void meet_apart(unit x, unit y, std::int32_t apart) {
    if (y.holder >= holders_) {
      const std::int64_t at = std::int64_t{y.holder} - holders_ + apart;
      if (at >= 0 && at < physical_) meet(x, {holders_ + static_cast<std::uint32_t>(at), 0}, 0);
    } else if (x.holder >= holders_) {
      const std::int64_t at = std::int64_t{x.holder} - holders_ - apart;
      if (at >= 0 && at < physical_) meet({holders_ + static_cast<std::uint32_t>(at), 0}, y, 0);
    } else {
      meet(x, y, apart);
    }
  }

  void group() {
    first_.assign(holders_ + std::size_t{1}, 0);
    for (const meeting& m : meetings_) ++first_[m.owner];
    std::uint32_t sum = 0;
    for (std::uint32_t& f : first_) {
      const std::uint32_t count = f;
      f = sum;
      sum += count;
    }
    grouped_.resize(meetings_.size());
    for (const meeting& m : meetings_) grouped_[first_[m.owner]++] = {m.target, m.distance};
    for (std::size_t h = holders_; h > 0; --h) first_[h] = first_[h - 1];
    first_[0] = 0;
    seen_by_.assign(std::size_t{holders_} + physical_, no_holder);
    distances_.resize(std::size_t{holders_} + physical_);
  }

  const lifted_program* l_ = nullptr;
  const liveness* live_ = nullptr;
  pressure_class class_ = pressure_class::r;
  std::uint32_t holders_ = 0;
  std::uint32_t first_bit_ = 0;
  std::uint32_t bits_ = 0;
  std::uint32_t physical_ = 0;
  std::uint32_t limit_ = 0;
  std::uint32_t peak_ = 0;
  std::uint32_t counted_ = 0;  // of now_
  vec<unit> units_;            // by bit of the class
  vec<std::uint32_t> place_;   // by unit: one more than its place in now_, 0 = not live
  vec<std::uint32_t> now_;     // units live at the present place
  vec<std::uint32_t> added_;
  vec<std::uint32_t> width_;  // by holder
  vec<meeting> meetings_;
  vec<std::uint32_t> first_;  // by owner
  vec<grouped> grouped_;
  vec<std::uint32_t> seen_by_;  // by target
  vec<std::uint64_t> distances_;
  vec<std::uint32_t> seen_targets_;
};

}  // namespace ww::regalloc
