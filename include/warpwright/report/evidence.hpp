// SPDX-License-Identifier: BSL-1.0
//
// What an edge of a dependence graph rests on.
//
//   documented, observed, measured, assumed   the source of the distance that the architecture's tables give (vocabulary.hpp)
//   estimated   a counted result or a late read: no table says when it lands; the model's guess, every load a cache hit
//   order       one cycle, because instructions issue in order: accesses to memory, fences, the end of a block
// The graph keeps cycles alone (graph/distance.hpp). The source is found again from the operands of the two instructions: the
// first pair of them, in the order of operands, that asks for as many cycles as the edge has. An edge of which no pair asks for
// just that (a builder of somebody's own) counts as assumed, the most careful answer.
#pragma once

#include <cstdint>

#include "../graph/distance.hpp"
#include "../graph/graph.hpp"
#include "../ir/program.hpp"

namespace ww::report {

enum class evidence : std::uint8_t { documented, observed, measured, assumed, estimated, order, count };

inline constexpr unsigned evidence_count = static_cast<unsigned>(evidence::count);

[[nodiscard]] constexpr const char* name(evidence e) {
  constexpr const char* names[evidence_count] = {"documented", "observed", "measured", "assumed", "estimated", "order"};
  return e < evidence::count ? names[static_cast<unsigned>(e)] : "?";
}

[[nodiscard]] constexpr evidence evidence_of(provenance p) {
  switch (p) {
    case provenance::documented:
      return evidence::documented;
    case provenance::observed:
      return evidence::observed;
    case provenance::measured:
      return evidence::measured;
    case provenance::assumed:
      break;
  }
  return evidence::assumed;
}

// What the distance from `a` to `b` rests on; `e` is an edge of a graph that was built for Arch with distance_use::emit.
template <class Arch>
[[nodiscard]] evidence evidence_of(const program& p, const instruction& a, const instruction& b, const dependence_edge& e) {
  using cycles = ww::detail::edge_cycles<Arch, distance_use::emit>;
  using latency = typename Arch::latency;
  if (e.kind == dependence_kind::memory || e.kind == dependence_kind::barrier) return evidence::order;
  const bool from_def = e.kind != dependence_kind::war;
  const bool to_def = e.kind != dependence_kind::raw;
  const auto first = cycles::of(a);
  const auto second = cycles::of(b);
  for (const operand x : p.operands_of(a)) {
    if (!x.is_register() || (from_def ? !x.is_def() : !x.is_use())) continue;
    for (const operand y : p.operands_of(b)) {
      if (!y.is_register() || y.file() != x.file() || (to_def ? !y.is_def() : !y.is_use())) continue;
      const std::uint32_t x_first = x.base().number(), y_first = y.base().number();
      const std::uint32_t x_end = x_first + (x.width() == 0 ? 1u : x.width());
      const std::uint32_t y_end = y_first + (y.width() == 0 ? 1u : y.width());
      for (std::uint32_t n = x_first > y_first ? x_first : y_first; n < x_end && n < y_end; ++n) {
        const access_point from{a.iclass, x.where(), x.file(), static_cast<std::uint8_t>(n - x_first), first.guarded};
        const access_point to{b.iclass, y.where(), y.file(), static_cast<std::uint8_t>(n - y_first), second.guarded};
        if (e.kind == dependence_kind::raw && cycles::raw(first, from, to) == e.latency) {
          return first.result_cycles != 0 ? evidence::estimated : evidence_of(latency::raw(from, to).source);
        }
        if (e.kind == dependence_kind::war && cycles::war(first, second, from, to) == e.latency) {
          const distance d = latency::war(from, to);
          return cycles::pick(d) == e.latency ? evidence_of(d.source) : evidence::estimated;
        }
        if (e.kind == dependence_kind::waw && cycles::waw(first, second, from, to) == e.latency) {
          const distance d = latency::waw(from, to);
          return cycles::pick(d) == e.latency ? evidence_of(d.source) : evidence::estimated;
        }
      }
    }
  }
  return evidence::assumed;
}

}  // namespace ww::report
