// SPDX-License-Identifier: BSL-1.0
//
// A lower bound of the cycles of any legal order of each block, under the model of simulate.hpp.
//
//   critical path  every instruction issues no earlier than its operands allow: fixed results after the tightest distance
//                  seen (distance::check), counted results after their estimate, overwritten late sources after they were
//                  read
//   resources      the pipe with the most work, less its longest interval (the last instruction's pipe may stay busy)
//   issue          every instruction takes at least its own least stall
// The last instruction of a block that ends it issues behind all others. Dependences do not change when a block is permuted
// legally, so the bound may be taken from any legal order. For N warps latencies are hidden by the other warps: the critical
// path counts 1/N, the resources in full.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../arch/late_source.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/rounded.hpp"
#include "../meta/span.hpp"
#include "class_facts.hpp"
#include "options.hpp"
#include "workspace.hpp"

namespace ww::model {

struct bound_result {
  double cycles = 0;          // weighted, per warp
  span<const double> blocks;  // one execution of each block
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
    bound_result r;
    forget();
    for (std::size_t b = 0; b < p_.blocks.size(); ++b) {
      const block& k = p_.blocks[b];
      if (!k.reachable || k.padding) continue;
      walk(k);
      const double path = static_cast<double>(path_) / (warps == 0 ? 1 : warps);
      const double work = warps <= 1 ? meta::max<double>(stalls_, resource_) : meta::max<double>(count_, resource_);
      ws_.bounds[b] = meta::max(path, work);
      r.cycles += meta::rounded(k.weight * ws_.bounds[b]);
    }
    r.blocks = ws_.bounds;
    return r;
  }

 private:
  using lat = typename Arch::latency;

  // What blocks so far have left behind lies before the clock: more than any result or read takes behind the longest of them.
  static constexpr std::int32_t most_ahead = 100'000;      // cycles
  static constexpr std::int32_t most_clock = 500'000'000;  // cycles, so that no sum overflows

  void forget() {
    ws_.results.assign(ws_.units.count, {});
    ws_.read_done.assign(ws_.units.count, -1);
    clock_ = path_ = 0;
  }

  void walk(const block& k) {
    clock_ += path_ + most_ahead;
    if (clock_ > most_clock) forget();
    array<std::int32_t, pipe_count> work{};
    array<std::int32_t, pipe_count> longest{};
    std::int32_t all = 0;  // every instruction so far has issued and stalled
    path_ = stalls_ = resource_ = count_ = 0;
    for (const instr_id id : p_.order_of(k)) {
      const instruction& i = p_[id];
      if (i.has(iflag::padding)) continue;
      const class_fact& f = facts_[static_cast<unsigned>(i.iclass)];
      const auto own = static_cast<std::int32_t>(meta::max(1u, static_cast<unsigned>(Arch::pipes::min_stall(i.iclass))));
      std::int32_t t = i.has(iflag::ends_block) ? all : 0;
      t = meta::max(t, earliest(i));
      record(i, f, t);
      all = meta::max(all, t + own);
      stalls_ += own;
      ++count_;
      work[static_cast<unsigned>(f.pipe)] += f.interval;
      longest[static_cast<unsigned>(f.pipe)] = meta::max<std::int32_t>(longest[static_cast<unsigned>(f.pipe)], f.interval);
    }
    path_ = all;
    for (unsigned q = 1; q < pipe_count; ++q) {  // 0 is no pipe
      if (work[q] > 0) resource_ = meta::max(resource_, work[q] - longest[q] + 1);
    }
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
        if (w.time >= clock_) {
          const bool counted = facts_[static_cast<unsigned>(w.who.iclass)].variable;
          if (counted) {
            // a result of the same queue lands in order, without a wait
            if (!(o.is_def() && variable)) t = meta::max(t, ws_.ready[u + n]);
          } else if (!(o.is_def() && (w.who.guarded || me.guarded))) {
            const distance d = o.is_def() ? lat::waw(w.who, me) : lat::raw(w.who, me);
            if (!(w.who.guarded && me.guarded)) t = meta::max(t, w.time - clock_ + static_cast<std::int32_t>(d.check));
          }
        }
        if (o.is_def() && !variable && ws_.read_done[u + n] >= clock_) t = meta::max(t, ws_.read_done[u + n] - clock_);
      }
    }
    return t;
  }

  void record(const instruction& i, const class_fact& f, std::int32_t t) {
    const unsigned size = size_index(i.mem_bytes);
    for (const operand o : p_.operands_of(i)) {
      const std::uint32_t u = ws_.units.first(o);
      if (u == register_units::none) continue;
      const access_point me{i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)};
      for (unsigned n = 0; n < register_units::width(o); ++n) {
        if (o.is_def()) {
          access_point who = me;
          who.part = static_cast<std::uint8_t>(n);
          ws_.results[u + n] = {clock_ + t, who};
          ws_.ready[u + n] = t + f.result[size];
          ws_.read_done[u + n] = -1;
        } else if (!me.guarded && late_source<lat>(me)) {
          ws_.read_done[u + n] = meta::max(ws_.read_done[u + n], clock_ + t + f.read[size]);
        }
      }
    }
  }

  const program& p_;
  workspace& ws_;
  const array<class_fact, sched_class_count>& facts_ = class_facts<Arch>();
  std::int32_t clock_ = 0;
  std::int32_t path_ = 0, stalls_ = 0, resource_ = 0, count_ = 0;
};

}  // namespace detail

// The bound of every block and of the program for `o.warps` warps of a sub-core.
template <class Arch>
[[nodiscard]] bound_result lower_bound(const program& p, const options& o, workspace& ws) {
  return detail::bound_walk<Arch>(p, ws).run(meta::min(o.warps, most_warps));
}

}  // namespace ww::model
