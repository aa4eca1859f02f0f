// SPDX-License-Identifier: BSL-1.0
//
// ww::order_search<Scheduler>: a better order than a scheduler's, by trying neighbours of it with the model as judge.
//
//   try       one instruction moves to another place of its block where it may stand (block_moves.hpp), the whole program gets new
//             control words, the model prices it; the move stays unless the program is dearer by it. Equal prices stay too: plateaus
//             are walked, and what is behind them is found
//   choice    of the instruction: its block by the cycles that are spent in it and by how many of its instructions can move, then one
//             of those by chance. Of the distance: a power of two by chance, then any distance up to it, so that short moves are tried
//             as often as long ones
//   dearer    in either view than the program as it came (rounds.hpp), or by the price: cycles of one warp times the cycles of as many
//             warps as count, twice, times those of the far view
//   result    that of a scheduler's run (result.hpp): never dearer than the program that was given (with a safety margin than that
//             program with new words), no new findings
//   watch     called after every try with what has been done so far (search_progress); says whether to go on. For who shows progress,
//             or has only so much time: a search that is ended has the result of one that was asked for so many tries
// Give it what a scheduler made of a program, or the program itself. The same program, options and seed give the same order on
// every compiler. A try costs words and price of the whole program (bench/README.md says how much), so that short kernels gain most.
// With many warps the model runs them all, and which of them meets which is partly chance: a part of what is gained there holds for
// no other number of warps (docs/policies.md has the figures). Hence the one warp in the price.
// The constraints and the priority of the scheduler are not asked, nor is the last step of a strategy that makes words of its own.
#pragma once

#include <cstdint>

#include "../arch/margin.hpp"
#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/bits.hpp"
#include "../meta/faults.hpp"
#include "../meta/traits.hpp"
#include "../meta/vec.hpp"
#include "../model/far_view.hpp"
#include "../model/simulate.hpp"
#include "block_moves.hpp"
#include "result.hpp"
#include "rounds.hpp"
#include "scheduler.hpp"

namespace ww {

struct search_options : run_options {
  std::uint32_t tries = 1000;
  std::uint64_t seed = 0;
};

struct search_progress {
  std::uint32_t tries = 0;  // that were priced
  std::uint32_t taken = 0;  // of them, moves that stayed
  double began_at = 0;      // modelled cycles of the order that was given, with words of our own
  double cycles = 0;        // of the order that has stayed
};

// The watch of who does not want to know.
struct unwatched {
  constexpr bool operator()(const search_progress&) const { return true; }
};

namespace detail {

template <class Scheduler>
concept searchable = requires {
  typename Scheduler::config;
  typename Scheduler::arch;
  typename Scheduler::rounds;
};

}  // namespace detail

template <detail::searchable Scheduler>
class basic_order_search {
  using config = typename Scheduler::config;
  using arch = typename Scheduler::arch;
  using emit_arch = with_margin<arch, typename config::margin>;
  using rounds = typename Scheduler::rounds;

 public:
  struct workspace {
    typename rounds::workspace pricing;
    schedule_space graphs;
    block_moves moves;
    vec<std::uint32_t> blocks;  // that have something to move
    vec<double> wishes;         // cycles, by block of these
    vec<std::uint64_t> share;   // of the tries, of them and of all before them
    search_progress done;       // in the last run
  };

  template <class Watch = unwatched>
  static schedule_result run(program& p, workspace& ws, const search_options& options = {}, Watch&& watch = {}) {
    using k = candidate_order;
    typename rounds::workspace& w = ws.pricing;
    ws.done = {};
    if (!rounds::template begin<typename config::occupancy>(p, w, options, [&](program& q) { rounds::assign(q, w); })) {
      return w.result;
    }
    const price words = first_words(p, w);
    rounds::price(p, w, k::same_order);
    climb(p, ws, words, options, watch);
    rounds::assign(p, w);
    rounds::price(p, w, k::reordered);
    rounds::price(p, w, k::mixed);
    rounds::choose(p, w, false);
    return w.result;
  }
  template <class Watch = unwatched>
  static schedule_result run(program& p, const search_options& options = {}, Watch&& watch = {}) {
    workspace ws;
    return run(p, ws, options, watch);
  }

 private:
  struct price {
    double near = 0;   // cycles
    double alone = 1;  // of one warp, where there are others
    double far = 1;    // in the far view, where something goes there
    bool dear = false;

    // By what they are over one another, for a profile may give blocks weights of any size.
    [[nodiscard]] bool dearer_than(const price& other) const {
      if (dear != other.dear) return dear;
      const double n = over(near, other.near);
      return n * n * over(alone, other.alone) * over(far, other.far) > 1;
    }
    [[nodiscard]] static double over(double x, double than) { return x == than ? 1 : than > 0 ? x / than : 2; }
  };

  // Numbers by chance, the same everywhere (SplitMix64).
  struct chance {
    std::uint64_t state;
    std::uint64_t next() {
      state += 0x9e3779b97f4a7c15ull;
      std::uint64_t z = state;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
      return z ^ (z >> 31);
    }
    // From 0 to n - 1; n > 0. That low numbers come a little more often does no harm here.
    std::uint64_t below(std::uint64_t n) { return next() % n; }
  };

  // What the present order costs with words of our own, which the program then has.
  static price price_of(program& p, typename rounds::workspace& w) {
    const detail::arrangement& came = w[candidate_order::as_it_came];
    rounds::assign(p, w);
    price now;
    now.near = model::simulate<arch>(p, w.pricing, w.model).cycles;
    if (w.result.warps > 1) now.alone = model::simulate<arch>(p, {.warps = 1}, w.model).cycles;
    if (w.far) now.far = model::simulate<arch>(p, model::far_view<arch>(), w.model).cycles;
    now.dear = now.near > came.cycles || now.far > came.far;
    return now;
  }

  // Whether words expect loads to miss is decided for the order that came, and holds for all others.
  static price first_words(program& p, typename rounds::workspace& w) {
    const price misses = price_of(p, w);
    if (!w.far) return misses;
    w.scoreboard.loads_miss = false;
    const price hits = price_of(p, w);
    if (misses.dearer_than(hits)) return hits;
    w.scoreboard.loads_miss = true;
    return price_of(p, w);
  }

  // The place of an instruction that can move, and where; the end of the block if there is none. Chance has some goes at it, then the next
  // one that can is taken.
  static std::uint32_t draw_movable(const program& p, workspace& ws, const block& b, chance& draw, block_moves::range& r) {
    constexpr unsigned goes = 64;
    std::uint32_t at = b.first;
    for (unsigned n = 0; n < goes; ++n) {
      at = b.first + static_cast<std::uint32_t>(draw.below(b.count));
      r = ws.moves.range_of(p, b, at);
      if (r.first != r.last) return at;
    }
    const std::uint32_t end = b.first + b.count;
    for (std::uint32_t n = 0; n < b.count; ++n) {
      if (++at == end) at = b.first;
      r = ws.moves.range_of(p, b, at);
      if (r.first != r.last) return at;
    }
    return end;
  }

  // What a block gets of the tries: cycles spent in it, by the part of it that can move.
  static double wish(const program& p, workspace& ws, std::uint32_t b) {
    const block& k = p.blocks[b];
    if (!block_moves::worth_it(k)) return -1;
    std::uint32_t movable = 0;
    for (std::uint32_t at = k.first; at < k.first + k.count; ++at) {
      const block_moves::range r = ws.moves.range_of(p, k, at);
      movable += r.first != r.last ? 1u : 0u;
    }
    if (movable == 0) return -1;
    return k.weight * ws.pricing[candidate_order::same_order].block_cycles[b] * movable / k.count;
  }

  static void share_out(const program& p, workspace& ws) {
    ws.blocks.clear();
    ws.wishes.clear();
    ws.share.clear();
    double all = 0;
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      const double w = wish(p, ws, b);
      if (w < 0) continue;
      ws.blocks.push_back(b);
      ws.wishes.push_back(w);
      all += w;
    }
    constexpr double whole = 4294967296.0;
    const bool known = all > 0 && all < 1e300;  // a profile may say anything
    std::uint64_t sum = 0;
    for (const double w : ws.wishes) {
      sum += 1 + (known ? static_cast<std::uint64_t>(w / all * whole) : 0);
      ws.share.push_back(sum);
    }
  }

  template <class Watch>
  static void climb(program& p, workspace& ws, price best, const search_options& options, Watch& watch) {
    ws.done.began_at = ws.done.cycles = best.near;
    ws.moves.template build<emit_arch, typename config::graph_builder, typename config::disambiguation>(p, ws.graphs);
    share_out(p, ws);
    if (ws.blocks.empty()) return;
    chance draw{options.seed};
    while (ws.done.tries < options.tries) {
      const block& b = p.blocks[ws.blocks[first_above(ws.share, draw.below(ws.share.back()))]];
      block_moves::range r;
      const std::uint32_t from = draw_movable(p, ws, b, draw, r);
      if (from == b.first + b.count) return;  // cannot be: a block in which something could move stays one
      ++ws.done.tries;
      const std::uint32_t to = another_place(r, from, draw);
      block_moves::move(p, from, to);
      const price now = price_of(p, ws.pricing);
      if (now.dearer_than(best)) {
        block_moves::move(p, to, from);
      } else {
        best = now;
        ws.done.cycles = now.near;
        ++ws.done.taken;
      }
      if (!watch(ws.done)) return;
    }
  }

  // The first whose sum is above `value`.
  [[nodiscard]] static std::size_t first_above(const vec<std::uint64_t>& sums, std::uint64_t value) {
    std::size_t first = 0;
    for (std::size_t n = sums.size(); n > 1;) {
      const std::size_t half = n / 2;
      if (sums[first + half - 1] <= value) first += half;
      n -= half;
    }
    return first;
  }

  // Another place of the range than `from`.
  [[nodiscard]] static std::uint32_t another_place(const block_moves::range& r, std::uint32_t from, chance& draw) {
    const bool up = from == r.last || (from != r.first && draw.below(2) == 0);
    const std::uint32_t room = up ? from - r.first : r.last - from;
    const std::uint64_t reach = std::uint64_t{1} << draw.below(64u - static_cast<unsigned>(meta::countl_zero(room)));
    const auto distance = static_cast<std::uint32_t>(1 + draw.below(meta::min<std::uint64_t>(room, reach)));
    return up ? from - distance : from + distance;
  }
};

namespace detail {

// What is no scheduler names: everything that a search has, so that its uses add no error to ours.
struct rejected_search {
  struct workspace {
    search_progress done;
  };
  template <class Watch = unwatched>
  static schedule_result run(program&, workspace&, const search_options& = {}, Watch&& = {}) {
    return {};
  }
  template <class Watch = unwatched>
  static schedule_result run(program&, const search_options& = {}, Watch&& = {}) {
    return {};
  }
};

template <class Reported>
struct search_instead {
  using type = rejected_search;
};
template <class Scheduler>
struct search_of {
  using type = typename search_instead<decltype(meta::report(meta::fault_is<meta::fault::no_scheduler>{},
                                                             meta::type_identity<Scheduler>{}))>::type;
};
// A wrong composition has had its sentence already.
template <>
struct search_of<rejected_scheduler> {
  using type = rejected_search;
};
template <searchable Scheduler>
struct search_of<Scheduler> {
  using type = basic_order_search<Scheduler>;
};

}  // namespace detail

// The user-facing name: the search of a scheduler, or one sentence where the argument is none.
template <class Scheduler>
using order_search = typename detail::search_of<Scheduler>::type;

}  // namespace ww
