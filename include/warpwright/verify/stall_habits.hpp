// SPDX-License-Identifier: BSL-1.0
//
// What the stalls of a whole program say about one pair of neighbours.
//
//   thrifty   hardly a stall of the program is idle (idle_stalls.hpp), so an idle one means something
//   steady    nobody comes before its pipe is free, but for the few that one exchange may hurry
//   betray    the stalls around a pair say that the opposite order was meant
// Each answer about the program is found once, when the first pair asks for it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "idle_stalls.hpp"

namespace ww::verify::detail {

template <class Arch>
class stall_habits {
 public:
  // The k-th instruction of `b` reads what the one behind it writes. Always asked of the same program.
  [[nodiscard]] bool betray(const program& p, const block& b, std::size_t k) {
    const stall_evidence found = stalls_against<Arch>(p, b, k);
    if (found.hurried && steady(p)) return true;
    return found.idle && thrifty(p) && unexplained<Arch>(p, b, k);
  }

 private:
  [[nodiscard]] bool thrifty(const program& p) {
    if (thrifty_ != answer::unknown) return thrifty_ == answer::yes;
    std::size_t stalls = 0;
    std::size_t idle = 0;
    for (const block& b : p.blocks) {
      if (b.padding) continue;
      for (std::size_t k = 0; k < b.count; ++k) {
        const instruction& i = p[p.order_of(b)[k]];
        if (i.ctl.stall < 3 || i.has(iflag::padding)) continue;
        ++stalls;
        idle += idles<Arch>(p, b, k) ? 1u : 0u;
      }
    }
    thrifty_ = idle <= 4 + stalls / 32 ? answer::yes : answer::no;
    return thrifty_ == answer::yes;
  }

  // An exchange hurries three at most.
  [[nodiscard]] bool steady(const program& p) {
    if (steady_ != answer::unknown) return steady_ == answer::yes;
    std::size_t hurried = 0;
    for (const block& b : p.blocks) {
      for (std::size_t k = 0; k < b.count && !b.padding; ++k) hurried += hurries<Arch>(p, b, k) ? 1u : 0u;
    }
    steady_ = hurried <= 3 ? answer::yes : answer::no;
    return steady_ == answer::yes;
  }

  enum class answer : std::uint8_t { unknown, no, yes };
  answer thrifty_ = answer::unknown;
  answer steady_ = answer::unknown;
};

}  // namespace ww::verify::detail
