// SPDX-License-Identifier: BSL-1.0
//
// The cheapest control words for the order that a program has: several ways to give counters are tried, the model judges.
//
//   candidate   words by one barrier policy; `share` also with a margin, cycles by which results may come later than
//               estimated (scoreboard/slack.hpp). None is best everywhere: where counters run out, sharing by the estimates
//               costs some loops more than it saves others. Also with the compiler's slow ends of blocks (workspace)
//   padding     the cheapest words with NOPs in a row as long as compilers make them
//   neighbour   the cheapest words with one counter replaced by another, where a block raises more counters than there are,
//               or with a longer stall, at one end of a block or inside: many warps fall into a better rhythm by it
//   price       cycles of one warp times the cycles of as many warps as count, twice, or once each of two numbers of warps; and times
//               the cycles of the far view (model/far_view.hpp), as often, where something may miss the first-level cache
//   warps       those that were asked for; where the kernel's occupancy says how many, eight count beside them
// The cheapest wins, then the one with the fewest waits, then the first; but none but padding that makes one warp slower by more
// than a hundredth than the fastest before it, or by a cycle in kernels that take fewer than a hundred. Words that were tried
// before are not priced again. Nothing is taken that is dearer in the far view than the words that were considered as present.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"
#include "../model/far_view.hpp"
#include "../model/simulate.hpp"
#include "../scoreboard/assign.hpp"

namespace ww {

template <class Arch, class YieldPolicy = yields::observed, class ReusePolicy = reuse::as_compiler>
class word_search {
 public:
  struct look {
    double once = 0;  // cycles at one distance between the starts of the warps
    double mean = 0;  // as the model counts
  };
  struct workspace {
    scoreboard::workspace scoreboard;
    model::workspace model;
    vec<control> best;             // by instr_id
    vec<std::uint64_t> seen;       // of the words of each candidate
    vec<std::uint32_t> blocks;     // that are run, the heaviest first
    double alone = 0;              // cycles of one warp, of `best`
    double least = 0;              // the same, of the fastest candidate
    double price = 0;              // of `best`
    double most_far = 0;           // cycles that words may take in the far view, 0 = any number
    bool far = false;              // something is loaded that may miss the first-level cache
    array<look, 2> looks{};        // of `best`, by number of warps
    std::uint64_t waits = 0;       // of `best`
    bool settled = false;          // `best` comes from words that wait for all counters in front of loops
    bool padded = false;           // `best` has NOPs as long as compilers make them
    std::uint32_t candidates = 0;  // looked at
    std::uint32_t priced = 0;      // of them, with many warps
  };
  static constexpr array<std::int32_t, 5> margins{0, 6, 12, 24, 48};  // cycles
  static constexpr double slower = 1.012;                             // one warp, over the fastest candidate
  static constexpr double slower_by_one = 1.025;                      // the same, where that is a single cycle
  static constexpr std::uint64_t usual_work = 150000;                 // instructions of all neighbours: tenths of a second
  static constexpr std::uint32_t once = 7;                            // cycles between the starts of two warps
  static constexpr double worth = 0.997;                              // price with a longer stall over the one without
  static constexpr unsigned longest_inside = 2;                       // cycles more at another instruction
  static constexpr unsigned longest_end = 4;                          // cycles more at the end of a block

  static constexpr unsigned padding_end = 4;  // cycles of the last NOP of several

  static constexpr std::size_t small = 256;  // instructions of a program that is searched more thoroughly
  static constexpr unsigned usual_warps = 8;
  static constexpr std::uint64_t usual_issues =
      32;  // of an instruction, by all warps in one simulation, that cost nothing extra

  // `warps` of one sub-core; `also`: another number that the words must be good for, the same or 1 for none; `misses`: they must be
  // good for loads that miss the first-level cache too.
  word_search(program& p, workspace& ws, unsigned warps, unsigned also = 1, bool misses = false)
      : p_(p), ws_(ws), warps_{warps, also} {
    if (also == warps) warps_[1] = 1;
    ws.best.clear();
    ws.seen.clear();
    ws.candidates = ws.priced = 0;
    ws.padded = false;
    ws.most_far = 0;
    ws.far = misses && model::goes_far(p);
    ws.scoreboard.loads_miss = ws.far;
    scoreboard::decode_program<Arch>(p, ws.scoreboard);
  }

  // The words that the program has.
  void consider_present() {
    if (ws_.far) ws_.most_far = far_cycles();
    if (offer()) ws_.settled = false;
  }
  // Words by a barrier policy.
  template <class BarrierPolicy>
  void consider(std::int32_t margin = 0, bool slow_ends = false) {
    ws_.scoreboard.landing_margin = margin;
    ws_.scoreboard.slow_ends = slow_ends;
    scoreboard::assign_decoded<Arch, BarrierPolicy, YieldPolicy, ReusePolicy>(p_, ws_.scoreboard);
    ws_.scoreboard.landing_margin = 0;
    ws_.scoreboard.slow_ends = false;
    if (offer()) ws_.settled = ws_.scoreboard.settle_before_loops;
  }
  // Sharing with every margin, with and without the compiler's slow ends of blocks; once without paying in front of loops;
  // waiting for all counters there, with the first margin and the last; every other policy that leaves all waits in place.
  void consider_usual() {
    for (const std::int32_t m : margins) {
      consider<barriers::share>(m);
      consider<barriers::share>(m, true);
    }
    if (ws_.far) {
      ws_.scoreboard.loads_miss = false;
      for (const std::int32_t m : margins) consider<barriers::share>(m);
      ws_.scoreboard.loads_miss = true;
    }
    ws_.scoreboard.pay_before_loops = false;
    consider<barriers::share>();
    ws_.scoreboard.pay_before_loops = true;
    ws_.scoreboard.settle_before_loops = true;
    for (const std::int32_t m : {margins.front(), margins.back()}) consider<barriers::share>(m);
    ws_.scoreboard.settle_before_loops = false;
    consider<barriers::evict_done_first>();
    consider<barriers::evict_oldest>();
    consider<barriers::literal_text>();
    consider_padding();
  }
  // The cheapest words so far, with padding.
  void consider_padding() {
    if (ws_.best.empty()) return;
    finish();
    if (lengthen_padding(p_)) offer({.padded = true});
    finish();
  }
  // Makes NOPs, and whoever is before them, as long as compilers do: double precision is padded to 64 cycles where its pipe is shared
  // (observed on sm_120), and several warps keep out of each other's way. In front of an instruction for that pipe they get what is
  // missing since the one before it; elsewhere several in a row get all they hold but the last. False if there are none.
  static bool lengthen_padding(program& p) {
    constexpr unsigned most = Arch::barriers::max_stall;
    const auto at = [&](std::uint32_t pos) -> instruction& { return p.instructions[p.order[pos].index()]; };
    const auto pads = [&](std::uint32_t pos) {
      const instruction& i = at(pos);
      return i.has(iflag::nop) && !i.has(iflag::padding) && !i.has(iflag::fence);
    };
    const auto pace = [&](std::uint32_t pos) {  // of the shared pipe, 0 for all others
      const sched_class c = at(pos).iclass;
      const unsigned cycles = Arch::pipes::pipe_of(c) == pipe_id::fp64 ? Arch::pipes::interval(c) : 0u;
      return cycles > most ? cycles : 0u;
    };
    bool any = false;
    for (const block& b : p.blocks) {
      const std::uint32_t end = b.first + b.count;
      std::uint32_t shared = end;  // the last instruction for the shared pipe
      for (std::uint32_t pos = b.first; pos < end; ++pos) {
        if (pace(pos) != 0) shared = pos;
        if (pos == b.first || !pads(pos) || pads(pos - 1)) continue;
        std::uint32_t behind = pos;
        while (behind < end && pads(behind)) ++behind;
        unsigned row = 0;  // cycles of the row and of whoever is before it: they do not become fewer
        bool drains = false;
        for (std::uint32_t k = pos - 1; k < behind; ++k) {
          row += at(k).ctl.stall;
          drains = drains || at(k).ctl.stall == 0;
        }
        if (drains) continue;
        unsigned missing = 0;
        if (shared != end && behind != end && pace(behind) != 0) {
          unsigned had = row;
          for (std::uint32_t k = shared; k < pos - 1; ++k) had += at(k).ctl.stall;
          missing = pace(behind) - meta::min(had, pace(behind));
        } else if (behind > pos + 1) {
          const unsigned whole = most * (behind - pos) + padding_end;
          missing = whole - meta::min(row, whole);
        }
        if (missing == 0) continue;
        unsigned left = meta::min(row + missing, most * (behind - pos + 1));
        for (std::uint32_t k = pos - 1; k < behind; ++k) {  // the first ones get all they hold
          control& c = at(k).ctl;
          c.stall = static_cast<std::uint8_t>(meta::min(most, left - (behind - 1 - k)));
          c.yield = true;
          left -= c.stall;
        }
        any = true;
      }
    }
    return any;
  }
  // Neighbours of the cheapest words so far, as long as they get better; at most `work` instructions in all.
  void consider_neighbours(std::uint64_t work = usual_work) {
    if (ws_.best.empty()) return;
    std::uint64_t ends = work / 5;  // dear, for they are priced with many warps
    std::uint64_t inside = warps_[0] > 1 || warps_[1] > 1 ? work / 10 : 0;
    std::uint64_t moves = work - ends - inside;
    move_counters(moves);
    lengthen_ends(ends);
    lengthen_inside(inside);
  }
  // Puts the cheapest words into the program.
  void finish() {
    for (std::size_t i = 0; i < ws_.best.size(); ++i) p_.instructions[i].ctl = ws_.best[i];
  }

 private:
  static constexpr unsigned counters = Arch::barriers::count;

  [[nodiscard]] static bool spend(std::uint64_t& work, std::uint64_t instructions) {
    if (work < instructions) return false;
    work -= instructions;
    return true;
  }
  // What it costs to price words with many warps, in instructions: loops inside loops are walked several times.
  [[nodiscard]] std::uint64_t dear() const {
    if (warps_[0] <= 1 && warps_[1] <= 1) return p_.order.size();
    std::uint64_t steps = 0;
    for (std::size_t b = 0; b < p_.blocks.size(); ++b) {
      if (b < ws_.model.visits.size()) steps += std::uint64_t{ws_.model.visits[b]} * p_.blocks[b].count;
    }
    return meta::max<std::uint64_t>(p_.order.size(), steps * (warps_[0] + warps_[1]) / usual_issues);
  }

  // Each producer of a block that raises more counters than there are, on every other counter.
  void move_counters(std::uint64_t& work) {
    ws_.scoreboard.keep_indices = true;
    ws_.scoreboard.settle_before_loops = ws_.settled;
    const std::uint64_t each = dear();
    finish();  // once: below, what is tried is taken back at once, and a copy for each block would cost their square
    for (bool again = true; again;) {
      again = false;
      for (const block& b : p_.blocks) {
        if (b.padding || !b.reachable) continue;
        unsigned raised = 0;
        for (const instr_id id : p_.order_of(b))
          raised += (p_[id].ctl.sets_write() ? 1u : 0u) + (p_[id].ctl.sets_read() ? 1u : 0u);
        if (raised <= counters) continue;
        for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
          const instr_id id = p_.order[pos];
          for (const bool read : {false, true}) {
            // what DEPBAR or the next instruction names stays where it is: a counter without a register means what its index says
            const scoreboard::special_role role = ws_.scoreboard.sites[pos].role;
            using kind = scoreboard::special_role;
            if (role.has(read ? kind::pin_read : kind::pin_write) || role.has(kind::force_next)) continue;
            for (std::uint8_t c = 0; c < counters; ++c) {
              control& ctl = p_.instructions[id.index()].ctl;
              std::uint8_t& field = read ? ctl.read_barrier : ctl.write_barrier;
              if (field >= counters) break;
              if (field == c) continue;
              if (!spend(work, p_.order.size())) {
                ws_.scoreboard.keep_indices = ws_.scoreboard.settle_before_loops = false;
                return finish();
              }
              field = c;
              scoreboard::assign_decoded<Arch, barriers::share, YieldPolicy, ReusePolicy>(p_, ws_.scoreboard);
              const std::uint32_t priced = ws_.priced;
              again = offer({.faster = true}) || again;
              finish();
              if (ws_.priced != priced && !spend(work, each)) work = 0;
            }
          }
        }
      }
    }
    ws_.scoreboard.keep_indices = ws_.scoreboard.settle_before_loops = false;
    finish();
  }

  // A longer stall at the first and at the last instruction of a block, the heaviest blocks first.
  void lengthen_ends(std::uint64_t& work) {
    finish();
    by_weight();
    const std::uint64_t each = dear();
    for (bool again = true; again;) {
      again = false;
      for (const std::uint32_t at : ws_.blocks) {
        const block& b = p_.blocks[at];
        for (const std::uint32_t pos : {b.first, b.first + b.count - 1}) {
          if (!lengthen(p_.order[pos], longest_end, work, each, again)) return finish();
        }
      }
    }
  }
  // The same anywhere.
  void lengthen_inside(std::uint64_t& work) {
    finish();
    by_weight();
    const std::uint64_t each = dear();
    for (bool again = true; again;) {
      again = false;
      for (const std::uint32_t b : ws_.blocks) {
        for (const instr_id id : p_.order_of(p_.blocks[b])) {
          if (!lengthen(id, longest_inside, work, each, again)) return finish();
        }
      }
    }
  }
  // The stall of one instruction, by up to `most` cycles longer. False when the work is used up.
  bool lengthen(instr_id id, unsigned most, std::uint64_t& work, std::uint64_t each, bool& better) {
    control& c = p_.instructions[id.index()].ctl;
    const unsigned before = c.stall;
    if (before == 0) return true;  // drains
    for (unsigned more = 1; more <= most && before + more <= Arch::barriers::max_stall_stay; ++more) {
      if (!spend(work, each)) return false;
      c.stall = static_cast<std::uint8_t>(before + more);
      better = offer({.below = worth}) || better;
    }
    c = ws_.best[id.index()];
    return true;
  }

  // Blocks that are run, the heaviest first.
  void by_weight() {
    ws_.blocks.clear();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const block& k = p_.blocks[b];
      if (k.count != 0 && !k.padding && k.reachable) ws_.blocks.push_back(b);
    }
    detail::sort(ws_.blocks.begin(), ws_.blocks.end(), [&](std::uint32_t a, std::uint32_t b) {
      const double x = p_.blocks[a].weight;
      const double y = p_.blocks[b].weight;
      return x != y ? x > y : a < b;
    });
  }

  // What words must be to be taken.
  struct terms {
    bool faster = false;  // than the cheapest so far, with one warp
    double below = 1;     // at most so much of its price
    bool padded = false;  // they may make one warp slower
  };
  // Takes the words of the program if they are the cheapest so far.
  bool offer() { return offer(terms{}); }
  bool offer(const terms& asked) {
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
      if (h == hash) return false;
    }
    ws_.seen.push_back(hash);
    ++ws_.candidates;
    const double alone = model::simulate<Arch>(p_, {.warps = 1}, ws_.model).cycles;
    const bool first = ws_.best.empty();
    if (first || alone < ws_.least) ws_.least = alone;
    if (!first && ((alone > slowest() && !asked.padded) || (asked.faster && alone >= ws_.alone))) return false;
    const double far = ws_.far ? far_cycles() : 1;
    if (!first && ws_.most_far != 0 && far > ws_.most_far) return false;
    ++ws_.priced;
    const bool too_slow = !first && ws_.alone > slowest();  // the cheapest so far, beside this one
    array<look, 2> looks{};
    const double one = warps_[0] > 1 || warps_[1] > 1 ? alone * far * far : alone * far;
    const double price = price_of(one, looks, (!asked.faster && asked.below == 1) || too_slow);
    const double most = asked.below * ws_.price;
    if (!first && !too_slow && (price > most || (price == most && waits >= ws_.waits))) return false;
    ws_.price = price;
    ws_.looks = looks;
    ws_.alone = alone;
    ws_.waits = waits;
    ws_.padded = asked.padded || (ws_.padded && asked.below < 1);
    ws_.best.resize(p_.instructions.size());
    for (std::size_t i = 0; i < ws_.best.size(); ++i) ws_.best[i] = p_.instructions[i].ctl;
    return true;
  }

  // Cycles of one warp that words may take beside the fastest ones, or beside the padded ones where those are the cheapest.
  [[nodiscard]] double slowest() const {
    const double least = ws_.padded ? ws_.alone : ws_.least;
    return meta::max(slower * least, meta::min(least + 1, slower_by_one * least));
  }
  // The price, or something above it as soon as it is clear that the words are not worth a whole look.
  double price_of(double price, array<look, 2>& looks, bool all) {
    for (std::size_t k = 0; k < warps_.size(); ++k) {
      if (warps_[k] <= 1) continue;
      looks[k].once = cycles_of(warps_[k], once);
      if (!all && looks[k].once > hopeless() * ws_.looks[k].once) return 2 * ws_.price;
      looks[k].mean = cycles_of(warps_[k], 0);
      if (!all && looks[k].mean > hopeless() * ws_.looks[k].mean) return 2 * ws_.price;
      price *= warps_[1] > 1 ? looks[k].mean : looks[k].mean * looks[k].mean;
    }
    return price;
  }
  [[nodiscard]] double far_cycles() { return model::simulate<Arch>(p_, model::far_view<Arch>(), ws_.model).cycles; }
  // Cycles of several warps with a longer stall over those without it, above which it is not looked at any more.
  [[nodiscard]] double hopeless() const { return p_.order.size() <= small ? 1.03 : 1.005; }
  [[nodiscard]] double cycles_of(unsigned warps, std::uint32_t stagger) {
    return model::simulate<Arch>(p_, {.warps = warps, .stagger = stagger}, ws_.model).cycles;
  }

  program& p_;
  workspace& ws_;
  array<unsigned, 2> warps_;
};

}  // namespace ww
