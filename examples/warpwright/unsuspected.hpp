// SPDX-License-Identifier: BSL-1.0
//
// What `schedule` writes passes `check`, suspicions included. An order that was made here is proved to be the same program, but
// compilers leave dead results behind, and beside a reader that it had not stood at before such a result looks like a pair that
// somebody has exchanged (verify/exchanged_pair.hpp).
//
//   suspected   a pair of which `check` says that it was exchanged, in the result and not in the program that came
//   apart       one of the two moves on by one place, where the program stays the same (verify/same_order.hpp)
//   restored    the block gets the order that it came with; last of all the whole program does, and at once where the order was
//               to be kept: new words, too, can make a pair look exchanged
// Words are made anew each time, and nothing that the model finds dearer than what came is left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/model/far_view.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/pipeline/result.hpp>
#include <warpwright/verify/hazards.hpp>
#include <warpwright/verify/same_order.hpp>

namespace cli {

template <class Arch>
class unsuspected {
 public:
  // `came`: the program before it was scheduled; `p`, `r`: what was made of it; `keeps_order`: no instruction may move.
  unsuspected(const ww::program& came, ww::program& p, ww::schedule_result& r, bool keeps_order = false)
      : came_(came), p_(p), r_(r), keeps_order_(keeps_order) {}

  // `words(program)` makes new control words as they were asked for.
  template <class Words>
  void run(const Words& words) {
    if (r_.kept_all || !r_.proved) return;
    const std::size_t now = errors(p_);
    if (now == 0) return;
    const std::vector<ww::verify::finding> first = pairs_;
    const std::size_t before = errors(came_);
    if (now <= before) return;
    if (r_.changes == 0 && !keeps_order_) {
      for (const ww::verify::finding& f : first) apart(f);
      words(p_);
      if (settled(before)) return;
      for (const ww::verify::finding& f : pairs_) restore(f);
      words(p_);
      if (settled(before)) return;
    }
    p_ = came_;
    r_.cycles_after = r_.cycles_before;
    r_.far_after = r_.far_before;
    r_.hazards_after = r_.hazards_before;
    r_.kept_blocks = r_.blocks;
    r_.changes = 0;
    r_.kept_all = true;
  }

 private:
  // How much `check` finds; `pairs_`: what it suspects.
  std::size_t errors(const ww::program& p) {
    const ww::verify::report found = ww::verify::check<Arch>(p, {.notes = false}, check_);
    pairs_.clear();
    for (const ww::verify::finding& f : found.findings) {
      if (f.level == ww::verify::severity::finding && f.kind == ww::verify::finding_kind::exchanged_pair)
        pairs_.push_back(f);
    }
    return found.errors();
  }

  // The block that the first of the pair stands in, and its place in program::order.
  const ww::block* block_of(const ww::verify::finding& f, std::size_t& at) const {
    for (const ww::block& b : p_.blocks) {
      for (at = b.first; at < std::size_t{b.first} + b.count; ++at) {
        if (p_.order[at] == f.first) return &b;
      }
    }
    return nullptr;
  }

  // Arithmetic that may stand anywhere between what it reads and what reads it.
  [[nodiscard]] static bool movable(const ww::instruction& i) {
    using ww::iflag;
    for (const iflag f : {iflag::never, iflag::branch, iflag::ends_block, iflag::fence, iflag::unknown, iflag::padding,
                          iflag::sync, iflag::convergence, iflag::pc_relative, iflag::reads_clock, iflag::side_effect}) {
      if (i.has(f)) return false;
    }
    return i.dir == ww::mem_dir::none;
  }

  // Changes places with a neighbour if that leaves the program the same.
  bool exchange(std::size_t at) {
    if (!movable(p_[p_.order[at]]) || !movable(p_[p_.order[at + 1]])) return false;
    std::swap(p_.order[at], p_.order[at + 1]);
    ww::vec<ww::verify::order_difference> found;
    ww::verify::compare_orders(came_, p_, found);
    if (found.empty()) return true;
    std::swap(p_.order[at], p_.order[at + 1]);
    return false;
  }

  void apart(const ww::verify::finding& f) {
    std::size_t at = 0;
    const ww::block* const b = block_of(f, at);
    if (b == nullptr || (at + 2 < std::size_t{b->first} + b->count && exchange(at + 1))) return;
    if (at > b->first) (void)exchange(at - 1);
  }

  void restore(const ww::verify::finding& f) {
    std::size_t at = 0;
    const ww::block* const b = block_of(f, at);
    if (b == nullptr) return;
    bool moved = false;
    for (std::size_t k = b->first; k < std::size_t{b->first} + b->count; ++k) {
      moved = moved || p_.order[k] != came_.order[k];
      p_.order[k] = came_.order[k];
    }
    r_.kept_blocks += moved ? 1u : 0u;
  }

  // Do the new words leave nothing more to find, and nothing dearer?
  bool settled(std::size_t before) {
    ww::model::workspace model;
    r_.cycles_after = ww::model::simulate<Arch>(p_, {.warps = r_.warps}, model).cycles;
    if (r_.far_before != 0) r_.far_after = ww::model::simulate<Arch>(p_, ww::model::far_view<Arch>(), model).cycles;
    r_.hazards_after = static_cast<std::uint32_t>(ww::verify::check_hazards<Arch>(p_, {}, check_).errors());
    r_.bound = r_.bound < r_.cycles_after ? r_.bound : r_.cycles_after;
    return errors(p_) <= before && r_.hazards_after <= r_.hazards_before && r_.cycles_after <= r_.cycles_before &&
           r_.far_after <= r_.far_before;
  }

  const ww::program& came_;
  ww::program& p_;
  ww::schedule_result& r_;
  bool keeps_order_;
  ww::verify::workspace check_;
  std::vector<ww::verify::finding> pairs_;
};

}  // namespace cli
