// SPDX-License-Identifier: BSL-1.0
//
// Instructions that have moved to another block: may what they do besides writing registers happen there?
//
//   way       the blocks on the paths between where the instruction was and where it is, both included: it may have passed
//             whatever stands in them, but for the first what is before its place there, and for the last what is behind
//   certain   every path from where it is now comes to where it was before the thread ends
// A load may move to an earlier block where nothing on the way writes what it reads, and where its old place is certain (it could
// fault on a path that did not load); to a later one where nothing on the way writes. One of memory that nobody writes passes
// everything but meetings. Whatever writes memory, meets or takes registers of other threads stays in its block. Which of two
// blocks is the earlier one is a matter of layout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../meta/vec.hpp"
#include "effect.hpp"
#include "effect_order.hpp"

namespace ww::verify::detail {

class effect_motion {
 public:
  effect_motion(const program& before, const program& after) : before_(before), after_(after) {}

  // `id` was in block `from` of the first program and is in block `to` of the second. Whom it has passed and should not have
  // (`first`, none if that is nobody in particular), and itself; nothing where all is well.
  misplaced_effect run(instr_id id, std::uint32_t from, std::uint32_t to) {
    const instruction& i = before_[id];
    const effect e = effect_of(i);
    if (!e.any()) return {};
    if (i.dir != mem_dir::load || e.writes != 0 || e.meeting || e.collective) return {{}, id};
    const bool up = to < from;
    const std::uint32_t first = up ? to : from;
    const std::uint32_t last = up ? from : to;
    const bool certain = find_way(first, last);
    if ((up && !certain) || behind_[first] == 0) return {{}, id};
    for (std::uint32_t b = 0; b < before_.blocks.size(); ++b) {
      if (ahead_[b] == 0 || behind_[b] == 0) continue;
      // At either end of the way: where the instruction is or was.
      const program& p = b == (up ? first : last) ? after_ : before_;
      bool seen = false;
      for (const instr_id other : p.order_of(p.blocks[b])) {
        seen = seen || other == id;
        if ((b == first && !seen) || (b == last && seen && !again_) || other == id) continue;
        const effect o = effect_of(p[other]);
        if (o.any() && !p[other].has(iflag::branch) && e.keeps_order_with(o)) return {other, id};
      }
    }
    return {};
  }

 private:
  // The way from `first` to `last`. False if a path from `first` ends, or leaves for code that is not known, elsewhere.
  bool find_way(std::uint32_t first, std::uint32_t last) {
    const std::size_t n = before_.blocks.size();
    ahead_.assign(n, 0);
    behind_.assign(n, 0);
    work_.clear();
    visit(behind_, last);
    for (std::size_t k = 0; k < work_.size(); ++k) {
      if (work_[k] == first) continue;
      for (const std::uint32_t at : before_.pred_edges_of(before_.blocks[work_[k]])) {
        if (!is_summary(before_, before_.edges[at])) visit(behind_, before_.edges[at].from.index());
      }
    }
    again_ = false;
    for (const cfg_edge& e : before_.edges_of(before_.blocks[last])) {
      again_ = again_ || (!is_summary(before_, e) && e.to.index() != first && behind_[e.to.index()] != 0);
    }
    work_.clear();
    visit(ahead_, first);
    bool certain = true;
    const auto walk = [&](std::size_t from, bool past) {
      for (std::size_t k = from; k < work_.size(); ++k) {
        const block& b = before_.blocks[work_[k]];
        if (work_[k] == last) continue;
        const bool goes_on = follow(b);
        certain = certain && (past || (goes_on && !b.open_exit && !may_end(b)));
      }
    };
    walk(0, false);
    const std::size_t here = work_.size();
    if (ahead_[last] != 0) follow(before_.blocks[last]);
    walk(here, true);  // beyond `last` only what comes there again matters
    return certain;
  }
  void visit(vec<std::uint8_t>& seen, std::uint32_t b) {
    if (seen[b] != 0) return;
    seen[b] = 1;
    work_.push_back(b);
  }
  // Does control go on behind `b`? Where to is ahead.
  bool follow(const block& b) {
    bool any = false;
    for (const cfg_edge& e : before_.edges_of(b)) {
      if (is_summary(before_, e)) continue;
      any = true;
      visit(ahead_, e.to.index());
    }
    return any;
  }
  [[nodiscard]] bool may_end(const block& b) const {
    for (const instr_id i : before_.order_of(b)) {
      if (before_[i].has(iflag::exit)) return true;
    }
    return false;
  }

  const program& before_;
  const program& after_;
  vec<std::uint8_t> ahead_;   // by block: reached from the first
  vec<std::uint8_t> behind_;  // by block: from which the last is reached
  vec<std::uint32_t> work_;
  bool again_ = false;  // the last comes to itself without the first
};

}  // namespace ww::verify::detail
