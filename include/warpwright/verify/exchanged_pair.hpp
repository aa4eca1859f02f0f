// SPDX-License-Identifier: BSL-1.0
//
// Two neighbours in the wrong order: a producer that stands right behind its only consumer.
//
// The order alone is legal; the control fields betray it. They keep the distance (or the wait) that the opposite order
// needed and that nothing else needs, whether they moved along with the instructions or stayed in their places. The
// question is asked only where a result is dead, so that longer stalls elsewhere mean nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "../arch/vocabulary.hpp"
#include "../ir/program.hpp"

namespace ww::verify::detail {

// The longest distance that any true dependence from `w` to `r` asks for, 0 if there is none.
template <class Arch>
[[nodiscard]] unsigned needed(const program& p, const instruction& w, const instruction& r) {
  unsigned need = 0;
  if (r.has(iflag::never) || r.has(iflag::unknown)) return 0;
  for (const operand& d : p.operands_of(w)) {
    if (!d.is_def() || !d.is_register()) continue;
    for (const operand& o : p.operands_of(r)) {
      if (!o.is_use() || !o.is_register() || o.file() != d.file()) continue;
      for (std::uint32_t part = 0; part < d.width(); ++part) {
        const std::uint32_t n = d.base().number() + part;
        if (n < o.base().number() || n >= o.base().number() + o.width()) continue;
        const distance c = Arch::latency::raw(
            {w.iclass, d.where(), d.file(), static_cast<std::uint8_t>(part), w.has(iflag::guarded)},
            {r.iclass, o.where(), o.file(), static_cast<std::uint8_t>(n - o.base().number()), r.has(iflag::guarded)});
        need = c.check > need ? c.check : need;
      }
    }
  }
  return need;
}

// Does some true dependence across order[k] need every cycle that order[k] waits?
template <class Arch>
[[nodiscard]] bool tight(const program& p, std::span<const instr_id> order, std::size_t k) {
  using latency = typename Arch::latency;
  constexpr std::size_t reach = 16;
  const std::size_t first = k < reach ? 0 : k - reach;
  unsigned since = 0;
  for (std::size_t a = k + 1; a-- > first;) {
    const instruction& w = p[order[a]];
    since += w.ctl.stall;
    if (latency::variable(w.iclass) || w.has(iflag::never)) continue;
    unsigned distance_to = since;
    for (std::size_t b = k + 1; b < order.size() && b < k + reach; ++b) {
      const instruction& r = p[order[b]];
      if (needed<Arch>(p, w, r) == distance_to) return true;
      distance_to += r.ctl.stall;
    }
  }
  return false;
}

// Do two neighbours look like a producer behind its consumer? `x` reads what `y` writes only afterwards, and the control
// fields still keep the distance (or hold the wait) of the opposite order: they moved along, or they stayed in place.
template <class Arch>
[[nodiscard]] bool exchanged(const program& p, std::span<const instr_id> order, std::size_t k) {
  const instruction& x = p[order[k]];
  const instruction& y = p[order[k + 1]];
  if (x.has(iflag::never) || y.has(iflag::never) || y.has(iflag::unknown) || x.has(iflag::sync)) return false;
  const unsigned need = needed<Arch>(p, y, x);
  if (need == 0) return false;
  if (Arch::latency::variable(y.iclass)) {
    const auto waits = [](const control& waiter, const control& setter) {
      return setter.write_barrier < control::barrier_count && (waiter.wait_mask >> setter.write_barrier & 1u) != 0;
    };
    return waits(x.ctl, y.ctl) || waits(y.ctl, x.ctl);
  }
  if (need <= 2) return false;
  return (y.ctl.stall >= need && !tight<Arch>(p, order, k + 1)) || (x.ctl.stall >= need && !tight<Arch>(p, order, k));
}

}  // namespace ww::verify::detail
