// SPDX-License-Identifier: BSL-1.0
//
// Where in its block an instruction may stand, all others staying as they are.
//
//   built of     the dependence graph of each block (graph/), from any legal order of the program: all of them give the same pairs
//   neighbours   of an instruction: what it has to stay behind (in front of `split`), and what has to stay behind it
//   range        the places from the nearest of the ones to the nearest of the others; its own place alone where it cannot move
// What ends its block stays last, and padding stays where it is. Places are those of program::order. Building is linear in
// instructions and edges, a question in the length of the range and the neighbours of one instruction.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"
#include "../schedule/engine.hpp"
#include "../schedule/workspace.hpp"

namespace ww {

class block_moves {
 public:
  struct range {
    std::uint32_t first = 0;  // places in program::order, both of them in the range
    std::uint32_t last = 0;
  };

  // `GraphArch`, `Builder` and `Disambiguation` are those of the scheduler whose orders are to be improved.
  template <class GraphArch, class Builder, class Disambiguation>
  void build(program& p, schedule_space& space) {
    near_.assign(p.instructions.size(), {});
    marked_.assign(p.instructions.size(), 0);
    round_ = 0;
    ids_.clear();
    for (const block& b : p.blocks) {
      if (!worth_it(b)) continue;
      const span<const instr_id> order = p.order_of(b);
      detail::build_part<GraphArch, Builder, Disambiguation>(p, order, space);
      for (std::uint32_t n = 0; n < b.count; ++n) {
        neighbours& of = near_[order[n].index()];
        of.first = static_cast<std::uint32_t>(ids_.size());
        for (const dependence_edge& e : space.graph.pred(n)) ids_.push_back(order[e.from]);
        of.split = static_cast<std::uint32_t>(ids_.size());
        for (const dependence_edge& e : space.graph.succ(n)) ids_.push_back(order[e.to]);
        of.last = static_cast<std::uint32_t>(ids_.size());
      }
    }
  }

  // Is there anything to move in a block?
  [[nodiscard]] static bool worth_it(const block& b) { return !b.padding && b.reachable && b.count > 1; }

  // Of the instruction at place `at`, which is in block `b`.
  [[nodiscard]] range range_of(const program& p, const block& b, std::uint32_t at) {
    const instr_id id = p.order[at];
    range r{at, at};
    if (stays(p[id])) return r;
    const neighbours& of = near_[id.index()];
    ++round_;
    for (std::uint32_t k = of.first; k < of.last; ++k) marked_[ids_[k].index()] = round_;
    while (r.first > b.first && !stops(p, p.order[r.first - 1])) --r.first;
    while (r.last + 1 < b.first + b.count && !stops(p, p.order[r.last + 1])) ++r.last;
    return r;
  }

  // Puts what stands at `from` at `to`; what is between them moves up by one place.
  static void move(program& p, std::uint32_t from, std::uint32_t to) {
    const instr_id id = p.order[from];
    for (; from > to; --from) p.order[from] = p.order[from - 1];
    for (; from < to; ++from) p.order[from] = p.order[from + 1];
    p.order[to] = id;
  }

 private:
  struct neighbours {
    std::uint32_t first = 0, split = 0, last = 0;  // places in ids_
  };

  [[nodiscard]] static bool stays(const instruction& i) { return i.has(iflag::ends_block) || i.has(iflag::padding); }
  [[nodiscard]] bool stops(const program& p, instr_id other) const {
    return marked_[other.index()] == round_ || stays(p[other]);
  }

  vec<neighbours> near_;  // by instr_id
  vec<instr_id> ids_;
  vec<std::uint32_t> marked_;  // by instr_id: the question that it is a neighbour in
  std::uint32_t round_ = 0;
};

}  // namespace ww
