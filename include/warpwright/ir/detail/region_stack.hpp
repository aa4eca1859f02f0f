// SPDX-License-Identifier: BSL-1.0
//
// Where SYNC, BRK and CONT go on when the listing does not say (sm_50..62, text of cuobjdump): what the convergence stack
// holds at each block, found by a data flow from the entries of functions.
//
// Words: an opener (SSY, PBK, PCNT) pushes its target; who leaves a region takes the youngest entry of its own kind and
// everything above it. A stack is the number of its top entry: 0 is the empty one, 1 one that is not known (ways that meet
// with different stacks, an opener under a guard). Entries are shared: a stack is a list from its top down.
// What no entry reaches, behind a branch whose targets are not known, starts with what that branch has when it leaves (the
// nearest one in front: compilers put the cases of a switch behind it).
// Linear: the stack of a block changes at most twice, an opener makes at most two entries, and each entry knows the youngest
// one of every kind from itself down.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/array.hpp"
#include "../../meta/vec.hpp"
#include "../program.hpp"
#include "cfg_layout.hpp"

namespace ww::detail {

template <class Program>
class region_stack {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  region_stack(const Program& p, const cfg_layout<Program>& layout) : p_(p), layout_(layout) {}

  // Leaves a region of the stack, and no table says where to.
  static bool is_open(const Program& p, const instruction& x, instr_id id) {
    const branch_table* t = p.table_of(id);
    return x.has(iflag::reconverge) && x.region != region_kind::none && !x.has(iflag::never) &&
           (t == nullptr || t->count == 0);
  }

  // Edges are there but for those of the instructions that leave a region without a table.
  void run() {
    entries_.assign(2, entry{});
    entries_[empty].youngest.fill(empty);
    entries_[not_known].youngest.fill(not_known);
    last_of_.assign(p_.order.size(), none);
    in_.assign(p_.blocks.size(), none);
    target_.assign(p_.blocks.size(), none);
    out_.assign(p_.blocks.size(), none);
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (p_.blocks[b].entry) enter(b, empty);
    }
    drain();
    std::uint32_t open = none;  // the stack of the nearest such branch in front
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const block& blk = p_.blocks[b];
      if (b > 0 && blk.function != p_.blocks[b - 1].function) open = none;
      if (in_[b] == none && open != none) {
        enter(b, open);
        drain();
      }
      if (blk.open_exit && at(blk.first + blk.count - 1).has(iflag::branch)) open = out_[b];
    }
  }

  // The block where the last instruction of block b goes on; none if the stack does not say.
  [[nodiscard]] std::uint32_t target(std::uint32_t b) const { return target_[b]; }

 private:
  static constexpr std::uint32_t empty = 0;
  static constexpr std::uint32_t not_known = 1;
  static constexpr std::size_t kinds = 3;
  static constexpr std::size_t place(region_kind k) { return static_cast<std::size_t>(k) - 1; }
  // Not what PRET pushes: a RET takes that.
  static constexpr bool is_kept(region_kind k) { return k != region_kind::none && place(k) < kinds; }

  struct entry {
    std::uint32_t opener = none;  // position
    std::uint32_t below = none;   // the stack under it
    std::uint32_t other = none;   // another entry of the same opener
    // By kind: the youngest entry from this one down, or the bottom.
    array<std::uint32_t, kinds> youngest{};
  };

  const instruction& at(std::uint32_t pos) const { return p_.instructions[p_.order[pos].index()]; }
  static std::uint32_t join(std::uint32_t a, std::uint32_t b) { return a == none || a == b ? b : not_known; }

  void enter(std::uint32_t b, std::uint32_t stack) {
    const std::uint32_t met = join(in_[b], stack);
    if (met == in_[b]) return;
    in_[b] = met;
    work_.push_back(b);
  }
  void drain() {
    while (!work_.empty()) {
      const std::uint32_t b = work_.back();
      work_.pop_back();
      visit(b);
    }
  }

  std::uint32_t push(std::uint32_t stack, std::uint32_t pos) {
    if (at(pos).has(iflag::guarded)) return not_known;
    for (std::uint32_t e = last_of_[pos]; e != none; e = entries_[e].other) {
      if (entries_[e].below == stack) return e;
    }
    entry made;
    made.opener = pos;
    made.below = stack;
    made.other = last_of_[pos];
    made.youngest = entries_[stack].youngest;
    made.youngest[place(at(pos).region)] = static_cast<std::uint32_t>(entries_.size());
    last_of_[pos] = static_cast<std::uint32_t>(entries_.size());
    entries_.push_back(made);
    return last_of_[pos];
  }
  void visit(std::uint32_t b) {
    const block& blk = p_.blocks[b];
    std::uint32_t stack = in_[b];
    for (std::uint32_t pos = blk.first; pos < blk.first + blk.count; ++pos) {
      const instruction& x = at(pos);
      if (is_kept(x.region) && x.target.valid() && !x.has(iflag::never)) stack = push(stack, pos);
    }
    const std::uint32_t end = blk.first + blk.count - 1;
    const instruction& last = at(end);
    std::uint32_t left = stack;  // the stack of who takes a branch
    target_[b] = none;
    if (last.has(iflag::reconverge) && is_kept(last.region)) {
      const std::uint32_t e = entries_[stack].youngest[place(last.region)];  // or one of the two bottoms
      left = e > not_known ? entries_[e].below : not_known;
      if (e > not_known && is_open(p_, last, p_.order[end])) {
        target_[b] = layout_.block_at(at(entries_[e].opener).target);
        enter(target_[b], left);
      }
    }
    out_[b] = stack;
    for (const cfg_edge& e : p_.edges_of(blk)) {
      if (e.kind == edge_kind::call || e.kind == edge_kind::ret) continue;  // a callee starts on an empty stack of its own
      enter(e.to.index(), e.kind == edge_kind::branch ? left : stack);
    }
  }

  const Program& p_;
  const cfg_layout<Program>& layout_;
  vec<entry> entries_;
  vec<std::uint32_t> last_of_;  // by position of an opener: its newest entry
  vec<std::uint32_t> in_;       // by block: stack in front of it
  vec<std::uint32_t> target_;   // by block
  vec<std::uint32_t> out_;      // by block: stack behind it, of who takes no entry
  vec<std::uint32_t> work_;
};

}  // namespace ww::detail
