// SPDX-License-Identifier: BSL-1.0
//
// Which webs had better not follow each other in one register: a value that is written soon after the last access to another one
// would have to wait for it (WAR, WAW), and could not be moved in front of it any more.
//
//   apart_wishes w;
//   w.each_pair(l, pressure_class::r, live, [](std::uint32_t old_web, std::uint32_t new_web, std::int32_t weight) { ... });
//
//   death    the last access to a web in a block behind which it is not live
//   birth    the first access to a web in a block in front of which it is not live
//   window   births so many instructions behind a death are its pairs: `near` of a source that is read as its instruction issues,
//            `far` of one that is read later (memory, textures, special units), which a counter has to tell
//   weight   1 for the former, 4 for the latter, times the rank of the block: 1 plus the binary logarithm of its weight
// Windows and weights are assumed; what they gain is measured (docs/rebuild.md). Linear in operands times windows.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/sched_class.hpp"
#include "../lift/lifted.hpp"
#include "../meta/bits.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"

namespace ww::regalloc {

// How much more a wish counts in blocks that are run more often.
[[nodiscard]] inline std::int32_t rank_of(double weight) {
  std::int32_t rank = 1;
  for (; weight >= 2 && rank < 16; weight /= 2) ++rank;
  return rank;
}

class apart_wishes {
 public:
  static constexpr std::uint32_t near = 12;  // instructions
  static constexpr std::uint32_t far = 48;
  static constexpr std::int32_t near_weight = 1;
  static constexpr std::int32_t far_weight = 4;

  // `live` is that of the program in its present order.
  template <class F>
  void each_pair(const lifted_program& l, pressure_class c, const liveness& live, F&& f) {
    last_.assign(l.webs.size(), never);
    first_.assign(l.webs.size(), never);
    for (std::uint32_t b = 0; b < l.code.blocks.size(); ++b) {
      const block& k = l.code.blocks[b];
      find_ends(l, c, k);
      deaths_.clear();
      const std::int32_t rank = rank_of(k.weight);
      std::size_t oldest = 0;
      for (std::uint32_t at = k.first; at < k.first + k.count; ++at) {
        const instruction& i = l.code[l.code.order[at]];
        while (oldest < deaths_.size() && deaths_[oldest].at + far < at) ++oldest;
        each_web(l, i, c, [&](std::uint32_t w, const operand& o) {
          if (first_[w] != at || !o.is_def() || lives(live, live.live_in(block_id{b}), o)) return;
          first_[w] = never;  // once, however many operands
          for (std::size_t d = oldest; d < deaths_.size(); ++d) {
            const death& old = deaths_[d];
            if (old.web != w && old.at + (old.late ? far : near) >= at)
              f(old.web, w, (old.late ? far_weight : near_weight) * rank);
          }
        });
        each_web(l, i, c, [&](std::uint32_t w, const operand& o) {
          if (last_[w] != at || lives(live, live.live_out(block_id{b}), o)) return;
          last_[w] = never;
          deaths_.push_back({at, w, reads_late(i)});
        });
      }
    }
  }

 private:
  static constexpr std::uint32_t never = 0xffffffffu;
  struct death {
    std::uint32_t at;
    std::uint32_t web;
    bool late;
  };

  template <class F>
  static void each_web(const lifted_program& l, const instruction& i, pressure_class c, F&& f) {
    for (std::uint32_t n = i.first_operand; n < i.first_operand + i.operand_count; ++n) {
      const std::uint32_t w = l.web_of_operand[n];
      if (w != lifted_program::no_web && !l.webs[w].is_fixed() && pressure_class_of(l.webs[w].file) == c)
        f(w, l.code.operands[n]);
    }
  }
  // Where in the block each web of it is accessed first and last.
  void find_ends(const lifted_program& l, pressure_class c, const block& k) {
    for (std::uint32_t at = k.first + k.count; at-- > k.first;) {
      each_web(l, l.code[l.code.order[at]], c, [&](std::uint32_t w, const operand&) { first_[w] = at; });
    }
    for (std::uint32_t at = k.first; at < k.first + k.count; ++at) {
      each_web(l, l.code[l.code.order[at]], c, [&](std::uint32_t w, const operand&) { last_[w] = at; });
    }
  }
  static bool lives(const liveness& live, span<const std::uint64_t> set, const operand& o) {
    bool found = false;
    live.each_bit(o, [&](std::uint32_t bit) { found = found || (set[bit >> 6] >> (bit & 63u) & 1u) != 0; });
    return found;
  }
  // Are its sources read later than it issues? Classes from the special units on are of variable latency (isa/sched_class.hpp).
  static bool reads_late(const instruction& i) { return i.iclass >= sched_class::mufu; }

  vec<std::uint32_t> first_;  // by web
  vec<std::uint32_t> last_;
  vec<death> deaths_;
};

}  // namespace ww::regalloc
