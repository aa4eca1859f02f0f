// SPDX-License-Identifier: BSL-1.0
//
// A lower bound of the cycles of any legal order with any legal words, under the model of simulate.hpp.
//
//   critical path  every instruction issues no earlier than its operands allow: fixed results after the tightest distance
//                  seen (distance::check), counted results and late sources when they can be announced (announced.hpp)
//   resources      the pipe with the most work, less its longest interval (the last instruction's pipe may stay busy)
//   issue          every instruction takes at least its own least stall; sm_50..62 issue two together
// The last instruction of a block that ends it issues behind all others. Dependences do not change when a block is permuted
// legally, so the bound may be taken from any legal order. One warp: the largest of the three for each block, and no order
// of the block costs less.
// N warps: the largest of three sums over the whole program, for blocks of different warps overlap: what a warp alone takes,
// by N, instructions (one a cycle), the work of one pipe. No order costs less where every block weighs as often as the simulation
// runs it. Where loops weigh more it is what N warps cannot beat once they are in the loop, while the simulation sees its start:
// a cost may come out lower (docs/model.md). `blocks` are then those of a block that nothing else runs beside.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../arch/late_source.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/rounded.hpp"
#include "../meta/span.hpp"
#include "announced.hpp"
#include "class_facts.hpp"
#include "options.hpp"
#include "workspace.hpp"

namespace ww::model {

struct bound_result {
  double cycles = 0;          // weighted, per warp
  span<const double> blocks;  // one execution of each block by itself
};

namespace detail {

template <class Arch>
class bound_walk {
 public:
  bound_walk(const program& p, workspace& ws) : p_(p), ws_(ws) {}

  bound_result run(unsigned warps) {
    ws_.units.build(p_);
    ws_.ready.assign(ws_.units.count, -1);
    ws_.bounds.assign(p_.blocks.size(), 0.0);
    const double n = warps <= 1 ? 1 : warps;
    double turns = 0, slots = 0;
    array<double, pipe_count> works{};
    array<std::int32_t, pipe_count> longest{};
    forget();
    for (std::size_t b = 0; b < p_.blocks.size(); ++b) {
      const block& k = p_.blocks[b];
      if (!k.reachable || k.padding) continue;
      walk(k);
      const auto busy = static_cast<double>(resource());
      const auto issues = static_cast<double>(count_);
      const double turn = meta::max(meta::max<double>(path_, static_cast<double>(stalls_)), busy) / n;
      ws_.bounds[b] = warps <= 1 ? turn : meta::max(turn, meta::max(issues, busy));
      turns += meta::rounded(k.weight * turn);
      slots += meta::rounded(k.weight * issues);
      for (unsigned q = 1; q < pipe_count; ++q) {
        works[q] += meta::rounded(k.weight * static_cast<double>(work_[q]));
        longest[q] = meta::max(longest[q], longest_[q]);
      }
    }
    bound_result r;
    r.cycles = turns;
    if (warps > 1) {
      r.cycles = meta::max(turns, slots);
      for (unsigned q = 1; q < pipe_count; ++q) r.cycles = meta::max(r.cycles, works[q] - (longest[q] - 1) / n);
    }
    r.blocks = ws_.bounds;
    return r;
  }

 private:
  using lat = typename Arch::latency;

  static constexpr bool pairs = issues_pairs<Arch>;
  static constexpr unsigned none = pipe_count;

  // What blocks so far have left behind lies before the clock: more than any result or read takes behind the longest of them.
  static constexpr std::int32_t most_left = 100'000;        // cycles
  static constexpr std::int32_t most_clock = 500'000'000;   // cycles, so that no sum overflows
  static constexpr std::int32_t most_path = 1'000'000'000;  // cycles; a longer path is a bound no better

  void forget() {
    ws_.results.assign(ws_.units.count, {});
    ws_.read_done.assign(ws_.units.count, -1);
    clock_ = path_ = 0;
  }

  void walk(const block& k) {
    clock_ += path_ + most_left;
    if (clock_ > most_clock) forget();
    announced_.gather(p_, k);
    work_ = {};
    longest_ = {};
    std::int32_t all = 0;   // every instruction so far has issued and stalled
    std::int32_t last = 0;  // the same with the stall of one that is not the first of a pair
    std::int64_t may_pair = 0;
    stalls_ = count_ = 0;
    end_ = none;
    end_stall_ = 0;
    for (const instr_id id : p_.order_of(k)) {
      const instruction& i = p_[id];
      if (i.has(iflag::padding)) continue;
      const class_fact& f = facts_[static_cast<unsigned>(i.iclass)];
      const std::int32_t own = least_stall<Arch>(i);
      std::int32_t t = i.has(iflag::ends_block) ? all : 0;
      if (!i.has(iflag::never)) {
        t = meta::min(meta::max(t, earliest(i)), most_path);
        record(i, f, t);
      }
      all = meta::max(all, t + (pairs && own == 1 ? 0 : own));
      last = meta::max(last, t + own);
      stalls_ += own;
      may_pair += own == 1 ? 1 : 0;
      ++count_;
      const auto q = static_cast<unsigned>(f.pipe);
      work_[q] += f.interval;
      longest_[q] = meta::max<std::int32_t>(longest_[q], f.interval);
      if (i.has(iflag::ends_block)) {
        end_ = q;
        end_stall_ = own;
      }
    }
    path_ = last;
    if constexpr (pairs) stalls_ -= meta::min(may_pair, count_ / 2);
  }

  // The busiest pipe; 0 is none. The last instruction of a pipe may keep it beyond the end, but what ends the block issues
  // behind it.
  [[nodiscard]] std::int64_t resource() const {
    std::int64_t most = 0;
    for (unsigned q = 1; q < pipe_count; ++q) {
      if (work_[q] == 0) continue;
      const std::int32_t behind = end_ == none || end_ == q ? 1 : end_stall_ + (pairs ? 0 : 1);
      most = meta::max(most, work_[q] - longest_[q] + behind);
    }
    return most;
  }

  [[nodiscard]] std::int32_t earliest(const instruction& i) const {
    std::int32_t t = 0;
    const bool variable = facts_[static_cast<unsigned>(i.iclass)].variable;
    for (const operand o : p_.operands_of(i)) {
      const std::uint32_t u = ws_.units.first(o);
      if (u == register_units::none) continue;
      for (unsigned n = 0; n < register_units::width(o); ++n) {
        const last_result& w = ws_.results[u + n];
        const access_point me{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(n), i.has(iflag::guarded)};
        // two guards may exclude each other
        if (w.time >= clock_ && !(w.who.guarded && me.guarded)) {
          if (facts_[static_cast<unsigned>(w.who.iclass)].variable) {
            // a result of the same queue lands in order, without a wait
            if (!(o.is_def() && variable)) t = meta::max(t, ws_.ready[u + n]);
          } else if (!(o.is_def() && (w.who.guarded || me.guarded))) {
            const distance d = o.is_def() ? lat::waw(w.who, me) : lat::raw(w.who, me);
            t = meta::max(t, meta::min(w.time - clock_ + static_cast<std::int32_t>(d.check), ws_.ready[u + n]));
          }
        }
        if (o.is_def() && !variable && ws_.read_done[u + n] >= clock_) t = meta::max(t, ws_.read_done[u + n] - clock_);
      }
    }
    return t;
  }

  void record(const instruction& i, const class_fact& f, std::int32_t t) {
    for (const operand o : p_.operands_of(i)) {
      const std::uint32_t u = ws_.units.first(o);
      if (u == register_units::none) continue;
      const access_point me{i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)};
      for (unsigned n = 0; n < register_units::width(o); ++n) {
        if (o.is_def()) {
          access_point who = me;
          who.part = static_cast<std::uint8_t>(n);
          ws_.results[u + n] = {clock_ + t, who};
          // a counter on a fixed result announces it too
          ws_.ready[u + n] = f.variable || i.ctl.sets_write() ? t + announced_.result(i, f, o.file()) : most_clock;
          ws_.read_done[u + n] = -1;
        } else if (!me.guarded && late_source<lat>(me)) {
          ws_.read_done[u + n] = meta::max(ws_.read_done[u + n], clock_ + t + announced_.read(i, f));
        }
      }
    }
  }

  const program& p_;
  workspace& ws_;
  const array<class_fact, sched_class_count>& facts_ = class_facts<Arch>();
  announcements<Arch> announced_;
  array<std::int64_t, pipe_count> work_{};     // of the block
  array<std::int32_t, pipe_count> longest_{};  // interval of one of its instructions
  unsigned end_ = none;                        // pipe of the instruction that ends the block
  std::int32_t end_stall_ = 0;
  std::int32_t clock_ = 0;
  std::int32_t path_ = 0;
  std::int64_t stalls_ = 0, count_ = 0;
};

}  // namespace detail

// The bound of every block and of the program for `o.warps` warps of a sub-core.
template <class Arch>
[[nodiscard]] bound_result lower_bound(const program& p, const options& o, workspace& ws) {
  return detail::bound_walk<Arch>(p, ws).run(meta::min(o.warps, most_warps));
}

}  // namespace ww::model
