// SPDX-License-Identifier: BSL-1.0
//
// Do the names of two programs over the same instructions lead to the same blocks?
//
//   names   instruction::target, the entries of branch tables, the leaders, the entries of functions: each is an instruction, and
//           control goes to the beginning of the block that holds it (ir/block_starts.hpp)
//   same    where both programs have the same edges, blocks are the same by their number; else (a layouter moved them) a block of the
//           second program is the one of the first that had most of its instructions, of several the one that had its last
//   none    leaders are compared where both programs have some: cuobjdump prints no labels
// So an instruction that leaves its block while somebody names it is told, and so is a name that was changed. Linear.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"

namespace ww::verify::detail {

struct other_name {
  bool found = false;
  instr_id by;      // the branch; of a leader or an entry: what the first program names
  instr_id second;  // what the second program names, if anything
};

class block_names {
 public:
  block_names(const program& first, const program& second) : first_(first), second_(second) {
    hold(first_, in_first_);
    hold(second_, in_second_);
    pair_blocks();
  }

  // The first difference: targets by instruction, then tables, leaders and entries.
  [[nodiscard]] other_name run() const {
    for (std::uint32_t k = 0; k < first_.instructions.size() && k < second_.instructions.size(); ++k) {
      const instr_id x = first_.instructions[k].target;
      const instr_id y = second_.instructions[k].target;
      if (in_first_[k] != nowhere && !same(x, y)) return {true, instr_id{k}, y};
    }
    if (const other_name d = compare_tables(); d.found) return d;
    const bool labels = !first_.leaders.empty() && !second_.leaders.empty();
    for (std::size_t k = 0; labels && (k < first_.leaders.size() || k < second_.leaders.size()); ++k) {
      const instr_id x = k < first_.leaders.size() ? first_.leaders[k] : instr_id{};
      const instr_id y = k < second_.leaders.size() ? second_.leaders[k] : instr_id{};
      if (!same(x, y)) return {true, x, y};
    }
    return compare_entries();
  }

 private:
  static constexpr std::uint32_t nowhere = 0xffffffffu;

  static void hold(const program& p, vec<std::uint32_t>& in) {
    in.assign(p.instructions.size(), nowhere);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      for (const instr_id i : p.order_of(p.blocks[b])) in[i.index()] = b;
    }
  }
  [[nodiscard]] bool same_edges() const {
    if (first_.blocks.size() != second_.blocks.size() || first_.edges.size() != second_.edges.size()) return false;
    for (std::size_t k = 0; k < first_.edges.size(); ++k) {
      const cfg_edge& x = first_.edges[k];
      const cfg_edge& y = second_.edges[k];
      if (x.from != y.from || x.to != y.to || x.kind != y.kind) return false;
    }
    return true;
  }
  void pair_blocks() {
    const bool by_number = same_edges();
    vec<std::uint32_t> votes(first_.blocks.size(), 0);
    for (std::uint32_t b = 0; b < second_.blocks.size(); ++b) {
      const span<const instr_id> order = second_.order_of(second_.blocks[b]);
      std::uint32_t best = nowhere;
      std::uint32_t most = 0;
      for (std::size_t k = order.size(); k-- > 0 && !by_number;) {  // backwards: the last instruction wins a tie
        const std::uint32_t was = in_first_[order[k].index()];
        if (was != nowhere) ++votes[was];
      }
      for (std::size_t k = order.size(); k-- > 0 && !by_number;) {
        const std::uint32_t was = in_first_[order[k].index()];
        if (was == nowhere) continue;
        if (votes[was] > most) {
          most = votes[was];
          best = was;
        }
        votes[was] = 0;
      }
      pair_.push_back(by_number ? b : best);
    }
  }

  // Do `x` in the first program and `y` in the second lead to the same place?
  [[nodiscard]] bool same(instr_id x, instr_id y) const {
    if (!x.valid() || !y.valid()) return x.valid() == y.valid();
    if (x.index() >= in_first_.size() || y.index() >= in_second_.size()) return x == y;
    const std::uint32_t from = in_first_[x.index()];
    const std::uint32_t to = in_second_[y.index()];
    if (from == nowhere || to == nowhere) return from == to && x == y;
    return pair_[to] == from;
  }
  [[nodiscard]] other_name compare_tables() const {
    const std::size_t n = first_.tables.size();
    for (std::size_t k = 0; k < n; ++k) {
      const branch_table& x = first_.tables[k];
      const branch_table* y = second_.table_of(x.branch);
      if (y == nullptr || y->count != x.count) return {true, x.branch, {}};
      for (std::uint32_t t = 0; t < x.count; ++t) {
        const instr_id to = second_.table_targets[y->first + t];
        if (!same(first_.table_targets[x.first + t], to)) return {true, x.branch, to};
      }
    }
    for (const branch_table& y : second_.tables) {
      if (first_.table_of(y.branch) == nullptr) return {true, y.branch, {}};
    }
    return {};
  }
  // Where a function says nothing it begins at the program's first block, and so does a program without functions.
  [[nodiscard]] other_name compare_entries() const {
    const std::size_t n = first_.functions.size();
    if (n != second_.functions.size()) return {true, n > 0 ? first_.functions[0].entry : instr_id{}, {}};
    for (std::size_t k = 0; k < n; ++k) {
      const instr_id x = first_.functions[k].entry;
      const instr_id y = second_.functions[k].entry;
      if (x.valid() || y.valid() ? !same(x, y) : !same_beginning()) return {true, x, y};
    }
    if (n == 0 && !same_beginning()) return {true, first_.order[0], second_.order[0]};
    return {};
  }
  [[nodiscard]] bool same_beginning() const { return pair_.empty() || pair_[0] == 0 || pair_[0] == nowhere; }

  const program& first_;
  const program& second_;
  vec<std::uint32_t> in_first_;   // the block, by instruction
  vec<std::uint32_t> in_second_;  // likewise
  vec<std::uint32_t> pair_;       // by block of the second program: the one of the first
};

}  // namespace ww::verify::detail
