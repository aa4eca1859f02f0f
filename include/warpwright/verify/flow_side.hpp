// SPDX-License-Identifier: BSL-1.0
//
// One of two programs that same_flow.hpp walks in lockstep: checked for contradictions first, then asked where control goes.
//
//   place    a position of the order. Control enters a block at its first one, wherever in it a target stands (block_starts.hpp)
//   plain    a BRA that nothing decides; land() follows such branches to the first instruction that is none
//   endless  where a circle of plain branches leads
//   ways     how control goes on behind an instruction: falls, to its aim (a branch, a callee, the end of a region), back from
//            a call. Inside a block it falls; behind the last instruction the edges say, and check() has held them against
//            the instruction: kinds, number and targets
// Where a BSYNC, SYNC, BRK or CONT goes on without a table is told by the openers of regions, whose aims are walked; what edges
// say of it beside falling is a guess from the order of blocks, and is not used. Ways behind a RET are those behind the calls.
// Everything is linear in instructions, operands, edges and tables.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "equal_instruction.hpp"
#include "flow_difference.hpp"

namespace ww::verify::detail {

struct flow_ways {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t fall = none;  // places, not yet followed through plain branches
  std::uint32_t aim = none;
  std::uint32_t back = none;
  bool guessed = false;  // edges name ends of regions that a SYNC, BRK or CONT may go to; where it falls is a guess too
  bool open = false;     // to code that is not known
};

class flow_side {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t endless = none - 1;

  explicit flow_side(const program& p) : p_(p) {}

  // Does the program contradict itself? where() is the instruction then, if it is one's fault.
  [[nodiscard]] flow_fault check() {
    where_ = {};
    if (!arrays_agree() || !names_agree()) return flow_fault::malformed;
    find_owners();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (!edges_agree(b)) return flow_fault::graph;
    }
    where_ = {};
    return flow_fault::none;
  }
  [[nodiscard]] instr_id where() const { return where_; }

  [[nodiscard]] instr_id id(std::uint32_t place) const { return place < p_.order.size() ? p_.order[place] : instr_id{}; }
  [[nodiscard]] const instruction& at(std::uint32_t place) const { return p_[p_.order[place]]; }
  [[nodiscard]] std::uint32_t block_of(instr_id i) const { return block_of_[place_[i.index()]]; }
  [[nodiscard]] std::uint32_t start_of(instr_id i) const { return p_.blocks[block_of(i)].first; }
  [[nodiscard]] std::uint32_t owner(std::uint32_t place) const { return p_.blocks[block_of_[place]].function.value; }
  // First places of blocks that are entries without being a function's.
  [[nodiscard]] const vec<std::uint32_t>& further_entries() const { return further_; }
  [[nodiscard]] std::uint32_t passed() const { return passed_; }

  [[nodiscard]] std::uint32_t land(std::uint32_t place) {
    path_.clear();
    while (place != endless && is_plain(at(place))) {
      if (lands_[place] == none) {
        lands_[place] = endless;  // until it is known; who comes back to it goes in a circle
        path_.push_back(place);
        place = start_of(at(place).target);
      } else {
        place = lands_[place];
      }
    }
    for (const std::uint32_t q : path_) lands_[q] = place;
    passed_ += static_cast<std::uint32_t>(path_.size());
    return place;
  }

  [[nodiscard]] flow_ways ways(std::uint32_t place) const {
    flow_ways w;
    const instruction& x = at(place);
    if (x.target.valid()) w.aim = start_of(x.target);
    const block& blk = p_.blocks[block_of_[place]];
    if (place + 1 < blk.first + blk.count) {
      w.fall = place + 1;
      return w;
    }
    w.open = blk.open_exit;
    for (const cfg_edge& e : p_.edges_of(blk)) {
      if (e.kind == edge_kind::fall) w.fall = p_.blocks[e.to.index()].first;
      if (e.kind == edge_kind::call_return) w.back = p_.blocks[e.to.index()].first;
      if (e.kind == edge_kind::branch && leaves_region(x)) w.guessed = x.region != region_kind::none && !may_fall(x);
    }
    return w;
  }

  // The branch table of the instruction there; null where it has none or an empty one.
  [[nodiscard]] const branch_table* table(std::uint32_t place) const {
    const branch_table* t = p_.table_of(p_.order[place]);
    return t != nullptr && t->count != 0 ? t : nullptr;
  }

  // An indirect branch that may go anywhere. One behind PRET is a call, which comes back.
  [[nodiscard]] bool goes_anywhere(std::uint32_t place, const flow_ways& w) const {
    const instruction& x = at(place);
    if (!is_open_branch(x) || table(place) != nullptr) return false;
    for (const cfg_edge& e : p_.edges_of(p_.blocks[block_of_[place]])) {
      if (e.kind == edge_kind::indirect) return true;
    }
    return w.back == none;
  }

  [[nodiscard]] static constexpr bool leaves_region(const instruction& x) {
    return x.has(iflag::reconverge) && !has_any(x, {iflag::never, iflag::ret, iflag::call, iflag::exit, iflag::branch});
  }
  [[nodiscard]] static constexpr bool may_fall(const instruction& x) {
    return has_any(x, {iflag::guarded, iflag::never, iflag::conditional});
  }

 private:
  enum class falling : std::uint8_t { no, yes, unclear };

  static constexpr bool is_plain(const instruction& x) {
    return x.op == opcode::bra && x.has(iflag::branch) && x.target.valid() && !may_fall(x) && !has_modifier_bits(x) &&
           !has_any(x,
                    {iflag::indirect, iflag::call, iflag::ret, iflag::exit, iflag::sync, iflag::reconverge, iflag::unknown});
  }
  static constexpr bool is_open_branch(const instruction& x) {
    return x.has(iflag::branch) && (x.has(iflag::indirect) || !x.target.valid()) &&
           !has_any(x, {iflag::never, iflag::ret, iflag::call, iflag::exit}) && !is_collective(x);
  }
  static constexpr bool is_collective(const instruction& x) { return x.has(iflag::sync) && x.target.valid(); }

  [[nodiscard]] bool in_order(instr_id i) const { return i.index() < place_.size() && place_[i.index()] != none; }

  // The order names instructions, each once; blocks tile it; slices lie inside their arrays.
  [[nodiscard]] bool arrays_agree() {
    const std::size_t count = p_.order.size();
    place_.assign(p_.instructions.size(), none);
    for (std::uint32_t k = 0; k < count; ++k) {
      if (p_.order[k].index() >= place_.size()) return false;
      where_ = p_.order[k];
      if (place_[where_.index()] != none) return false;
      place_[where_.index()] = k;
      const instruction& x = p_[where_];
      if (x.first_operand > p_.operands.size() || x.operand_count > p_.operands.size() - x.first_operand) return false;
    }
    where_ = {};
    block_of_.assign(count, none);
    lands_.assign(count, none);
    std::size_t next = 0;
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const block& blk = p_.blocks[b];
      if (blk.first != next || blk.count == 0 || blk.count > count - next) return false;
      if (blk.first_edge > p_.edges.size() || blk.edge_count > p_.edges.size() - blk.first_edge) return false;
      for (std::uint32_t k = 0; k < blk.count; ++k) block_of_[next + k] = b;
      next += blk.count;
      for (const cfg_edge& e : p_.edges_of(blk)) {
        if (e.from != block_id{b} || e.to.index() >= p_.blocks.size()) return false;
      }
    }
    return next == count;
  }

  // Every target, table entry, leader and function is inside the program.
  [[nodiscard]] bool names_agree() {
    for (const instr_id i : p_.order) {
      where_ = i;
      if (p_[i].target.valid() && !in_order(p_[i].target)) return false;
    }
    for (std::size_t k = 0; k < p_.tables.size(); ++k) {
      const branch_table& t = p_.tables[k];
      where_ = in_order(t.branch) ? t.branch : instr_id{};
      if (!where_.valid() || (k > 0 && !(p_.tables[k - 1].branch < t.branch))) return false;
      if (t.first > p_.table_targets.size() || t.count > p_.table_targets.size() - t.first) return false;
      for (std::uint32_t n = 0; n < t.count; ++n) {
        if (!in_order(p_.table_targets[t.first + n])) return false;
      }
    }
    where_ = {};
    for (const instr_id i : p_.leaders) {
      if (!in_order(i)) return false;
    }
    for (const function& f : p_.functions) {
      if (f.entry.valid() && !in_order(f.entry)) return false;
      if (p_.blocks.empty()) continue;
      if (f.first_block.index() >= p_.blocks.size()) return false;
      if (f.first_block.index() != (f.entry.valid() ? block_of(f.entry) : 0u)) return false;
    }
    return true;
  }

  // A function owns the blocks from its entry to the next one; of two at one place the first.
  void find_owners() {
    starts_.assign(p_.blocks.size(), none);
    for (std::uint32_t f = 0; f < p_.functions.size() && !p_.blocks.empty(); ++f) {
      std::uint32_t& s = starts_[p_.functions[f].first_block.index()];
      if (s == none) s = f;
    }
    further_.clear();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (p_.blocks[b].entry && starts_[b] == none) further_.push_back(p_.blocks[b].first);
      if (starts_[b] == none && b > 0) starts_[b] = starts_[b - 1];
    }
  }

  // Does every edge of the block say what its last instruction says, and does nothing leave before that?
  [[nodiscard]] bool edges_agree(std::uint32_t b) {
    const block& blk = p_.blocks[b];
    for (std::uint32_t k = blk.first; k + 1 < blk.first + blk.count; ++k) {
      where_ = p_.order[k];
      if (has_any(p_[where_], {iflag::ends_block, iflag::branch, iflag::call, iflag::ret, iflag::exit, iflag::reconverge})) {
        return false;
      }
    }
    const std::uint32_t end = blk.first + blk.count - 1;
    where_ = p_.order[end];
    const instruction& x = at(end);
    const bool has_next = b + 1 < p_.blocks.size();
    std::uint32_t fall = 0;
    std::uint32_t branch = 0;
    std::uint32_t call = 0;
    std::uint32_t back = 0;
    std::uint32_t indirect = 0;
    std::uint32_t ret = 0;
    const std::uint32_t aim = x.target.valid() ? block_of(x.target) : none;
    bool aimed = true;  // every branch and call leads to the target
    for (const cfg_edge& e : p_.edges_of(blk)) {
      const std::uint32_t to = e.to.index();
      switch (e.kind) {
        case edge_kind::fall:
          ++fall;
          if (to != b + 1) return false;
          break;
        case edge_kind::branch:
          ++branch;
          aimed = aimed && to == aim;
          break;
        case edge_kind::call:
          ++call;
          aimed = aimed && to == aim;
          break;
        case edge_kind::call_return:
          ++back;
          if (to != (x.has(iflag::branch) ? return_point(b) : b + 1)) return false;
          break;
        case edge_kind::indirect:
          ++indirect;
          break;
        case edge_kind::ret:
          ++ret;
          break;
      }
    }
    const bool direct = !x.has(iflag::indirect) && x.target.valid();
    const branch_table* t = table(end);
    falling falls = may_fall(x) ? falling::yes : falling::no;
    std::uint32_t others = branch + call + back + indirect + ret;  // that the instruction does not account for
    if (x.has(iflag::never) || is_collective(x)) {
      falls = falling::yes;
    } else if (x.has(iflag::ret)) {
      others -= ret;
    } else if (x.has(iflag::call)) {
      if (branch + call > 1 || (branch + call == 1 && !(direct && aimed))) return false;
      if (branch == 0 && back != (has_next ? 1u : 0u)) return false;
      if (branch + call == 0 && !blk.open_exit) return false;
      if (branch == 0 && !has_next) falls = falling::no;
      others -= branch == 0 ? call + back : branch;
    } else if (x.has(iflag::exit)) {
      // nothing but falling where it does not act
    } else if (x.has(iflag::branch)) {
      if (direct) {
        if (branch != 1 || !aimed) return false;
        others -= branch;
      } else if (t != nullptr) {
        if (!leads_to(blk, *t, edge_kind::indirect)) return false;
        others -= indirect;
      } else {
        if (!blk.open_exit || back > 1) return false;
        others -= indirect + back;
      }
    } else if (x.has(iflag::reconverge)) {
      if (t != nullptr && !leads_to(blk, *t, edge_kind::branch)) return false;
      if (t == nullptr && falls == falling::no) falls = falling::unclear;
      others -= branch;
    } else {
      falls = falling::yes;
    }
    if (others != 0 || fall > 1 || (falls == falling::no && fall != 0)) return false;
    if (falls == falling::yes && fall == 0 && (has_next || !(blk.open_exit || x.has(iflag::padding)))) return false;
    return blk.function.value == starts_[b];
  }

  // Where PRET in front of an indirect branch says that a callee comes back to.
  [[nodiscard]] std::uint32_t return_point(std::uint32_t b) const {
    if (b == 0) return none;
    const instruction& x = at(p_.blocks[b].first - 1);
    return x.region == region_kind::call && x.target.valid() ? block_of(x.target) : none;
  }

  // Are the blocks that edges of this kind lead to those that the table names?
  [[nodiscard]] bool leads_to(const block& blk, const branch_table& t, edge_kind kind) {
    seen_.resize(p_.blocks.size(), 0);
    ++round_;
    std::uint32_t named = 0;
    for (std::uint32_t k = 0; k < t.count; ++k) {
      std::uint32_t& s = seen_[block_of(p_.table_targets[t.first + k])];
      named += s != round_ ? 1u : 0u;
      s = round_;
    }
    for (const cfg_edge& e : p_.edges_of(blk)) {
      if (e.kind != kind) continue;
      if (seen_[e.to.index()] != round_) return false;
      seen_[e.to.index()] = 0;
      --named;
    }
    return named == 0;
  }

  const program& p_;
  instr_id where_;
  vec<std::uint32_t> place_;     // by instruction
  vec<std::uint32_t> block_of_;  // by place
  vec<std::uint32_t> lands_;     // by place, of plain branches: where they lead, none = not asked yet
  vec<std::uint32_t> starts_;    // by block: its function
  vec<std::uint32_t> further_;
  vec<std::uint32_t> path_;
  vec<std::uint32_t> seen_;  // by block: the round in which a table named it
  std::uint32_t round_ = 0;
  std::uint32_t passed_ = 0;
};

}  // namespace ww::verify::detail
