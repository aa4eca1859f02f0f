// SPDX-License-Identifier: BSL-1.0
//
// The cheapest control words for the order that a program has: several ways to give counters are tried, the model judges.
//
//   candidate   words by one barrier policy; `share` also with a margin, cycles by which results may come later than
//               estimated (scoreboard/slack.hpp). None is best everywhere: where counters run out, sharing by the estimates
//               costs some loops more than it saves others. Also with the compiler's slow ends of blocks (workspace)
//   price       cycles of one warp times the mean cycles of `warps` warps over six distances between their starts (one
//               distance alone may suit one of two equally good programs by several percent)
// The cheapest wins, then the one with the fewest waits, then the first. Words that were tried before are not priced again.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/vec.hpp"
#include "../model/simulate.hpp"
#include "../scoreboard/assign.hpp"

namespace ww {

template <class Arch, class YieldPolicy = yields::observed, class ReusePolicy = reuse::as_compiler>
class word_search {
 public:
  struct workspace {
    scoreboard::workspace scoreboard;
    model::workspace model;
    vec<control> best;             // by instr_id
    vec<std::uint64_t> seen;       // of the words of each candidate
    double price = 0;              // of `best`
    std::uint64_t waits = 0;       // of `best`
    std::uint32_t candidates = 0;  // priced
  };
  static constexpr array<std::int32_t, 5> margins{0, 6, 12, 24, 48};       // cycles
  static constexpr array<std::uint32_t, 6> staggers{3, 5, 7, 11, 13, 17};  // cycles between the starts of two warps

  // `warps` of one sub-core.
  word_search(program& p, workspace& ws, unsigned warps) : p_(p), ws_(ws), warps_(warps) {
    ws.best.clear();
    ws.seen.clear();
    ws.candidates = 0;
  }

  // The words that the program has.
  void consider_present() { offer(); }
  // Words by a barrier policy.
  template <class BarrierPolicy>
  void consider(std::int32_t margin = 0, bool slow_ends = false) {
    ws_.scoreboard.landing_margin = margin;
    ws_.scoreboard.slow_ends = slow_ends;
    scoreboard::assign_control<Arch, BarrierPolicy, YieldPolicy, ReusePolicy>(p_, ws_.scoreboard);
    ws_.scoreboard.landing_margin = 0;
    ws_.scoreboard.slow_ends = false;
    offer();
  }
  // Sharing with every margin, with and without the compiler's slow ends of blocks, and every other policy that leaves all waits in place.
  void consider_usual() {
    for (const std::int32_t m : margins) {
      consider<barriers::share>(m);
      consider<barriers::share>(m, true);
    }
    consider<barriers::evict_done_first>();
    consider<barriers::evict_oldest>();
    consider<barriers::literal_text>();
  }
  // Puts the cheapest words into the program.
  void finish() {
    for (std::size_t i = 0; i < ws_.best.size(); ++i) p_.instructions[i].ctl = ws_.best[i];
  }

 private:
  void offer() {
    std::uint64_t hash = 14695981039346656037ull;
    std::uint64_t waits = 0;
    for (const instruction& i : p_.instructions) {
      const control& c = i.ctl;
      hash =
          (hash ^ (std::uint64_t{c.stall} | std::uint64_t{c.yield} << 8 | std::uint64_t{c.write_barrier} << 16 |
                   std::uint64_t{c.read_barrier} << 24 | std::uint64_t{c.wait_mask} << 32 | std::uint64_t{c.reuse} << 40)) *
          1099511628211ull;
      hash ^= hash >> 29;
      waits += static_cast<unsigned>(meta::popcount(static_cast<unsigned>(c.wait_mask)));
    }
    for (const std::uint64_t h : ws_.seen) {
      if (h == hash) return;
    }
    ws_.seen.push_back(hash);
    ++ws_.candidates;
    const double price = price_of();
    if (!ws_.best.empty() && (price > ws_.price || (price == ws_.price && waits >= ws_.waits))) return;
    ws_.price = price;
    ws_.waits = waits;
    ws_.best.resize(p_.instructions.size());
    for (std::size_t i = 0; i < ws_.best.size(); ++i) ws_.best[i] = p_.instructions[i].ctl;
  }

  [[nodiscard]] double price_of() {
    const double alone = model::simulate<Arch>(p_, {.warps = 1}, ws_.model).cycles;
    if (warps_ <= 1) return alone;
    double many = 0;
    for (const std::uint32_t s : staggers) {
      many += model::simulate<Arch>(p_, {.warps = warps_, .stagger = s}, ws_.model).cycles;
    }
    return alone * many;
  }

  program& p_;
  workspace& ws_;
  unsigned warps_;
};

}  // namespace ww
