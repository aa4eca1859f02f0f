// SPDX-License-Identifier: BSL-1.0
//
// Does a program compute what the one it was made from computes? For whatever moves instructions, inside blocks or between
// them: a scheduler, a hand at an editor. hazards.hpp asks whether a program is timed right; an order that is timed right
// and computes something else only the original can betray.
//
//   vec<verify::order_difference> found;
//   verify::same_order(original, changed, found);       // ids in `found` are those of `changed`
//
//   foreign   an instruction that the original does not have
//   value     an operand reads what another instruction has written than in the original
//   round     the same, but from another round of a loop, or another call of a function
//   exit      a register holds something else where control leaves to code that is not known
//   effect    two accesses to memory, barriers, clocks or their like stand the other way round; or one left its place or block
//             and must not
//   target    a branch, a branch table, a leader or an entry leads to another block (block_names.hpp)
// Instructions are the same where opcode, operands, target and all bits of the encoding but the control field (105..125)
// are; of equal ones the first is the first. Code addresses that are printed as numbers (BSSY B0, 0x350 of cuobjdump) are no operands: the
// target or the encoding tells them. Names of labels do not count; where listings have different labels, join_leaders() makes the blocks
// of one those of the other. Both programs need blocks, edges and encodings, and
// their ids are places as read. Per program the first difference in values (reaching.hpp), per block and per moved instruction the
// first one in effects (effect_order.hpp, effect_motion.hpp). It allocates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "effect_motion.hpp"
#include "effect_order.hpp"
#include "reaching.hpp"

namespace ww::verify {

enum class order_fault : std::uint8_t { foreign, value, round, exit, effect, target, count };

[[nodiscard]] constexpr const char* name(order_fault f) {
  constexpr const char* names[] = {"foreign_instruction", "other_value",       "other_round",
                                   "other_value_at_exit", "effects_reordered", "other_target"};
  return f < order_fault::count ? names[static_cast<unsigned>(f)] : "?";
}

struct order_difference {
  order_fault fault = order_fault::foreign;
  instr_id first;  // the definition that is read in one program only (none: what stood there at an entry), or the effect, or
                   // what is named now
  instr_id second;  // who reads, who was overtaken, who is foreign, who names it
  reg target;       // as the program names it

  friend constexpr bool operator==(const order_difference&, const order_difference&) = default;
};

namespace detail {

class order_match {
 public:
  order_match(const program& original, const program& changed) : a_(original), b_(changed) {}

  // Finds for each instruction of `changed` the one of `original`. The first that has none, or none of them.
  [[nodiscard]] instr_id run() {
    to_original.assign(b_.instructions.size(), instr_id{});
    find_blocks(a_, block_a_);
    find_blocks(b_, block_b_);
    list(a_, block_a_, keys_a_);
    list(b_, block_b_, keys_b_);
    pair_equal();
    for (const instr_id j : b_.order) {
      if (!to_original[j.index()].valid()) return j;
    }
    return {};
  }

  vec<instr_id> to_original;

 private:
  struct key {
    std::uint64_t hash = 0;
    std::uint32_t place = 0;
    std::uint32_t id = 0;
  };
  // Bits 105..125 are stall, yield, counters, waits and reuse flags (facts/hardware.md).
  static constexpr std::uint64_t no_control = ~(((1ull << 21) - 1) << 41);

  static void find_blocks(const program& p, vec<std::uint32_t>& block_of) {
    block_of.assign(p.order.size(), 0);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      for (std::uint32_t k = 0; k < p.blocks[b].count; ++k) block_of[p.blocks[b].first + k] = b;
    }
  }
  // Where an instruction whose encoding holds a distance goes: the block, for places move.
  [[nodiscard]] static std::uint32_t aim(const instruction& i, const vec<std::uint32_t>& block_of) {
    return i.target.index() < block_of.size() ? block_of[i.target.index()] : 0xffffffffu;
  }

  static void list(const program& p, const vec<std::uint32_t>& block_of, vec<key>& keys) {
    keys.clear();
    for (std::uint32_t k = 0; k < p.order.size(); ++k) {
      const instruction& i = p[p.order[k]];
      std::uint64_t h = static_cast<std::uint64_t>(i.op) + 1;
      const auto mix = [&](std::uint64_t v) {
        h = (h ^ v) * 0x9e3779b97f4a7c15ull;
        h ^= h >> 29;
      };
      mix(i.target.valid() ? aim(i, block_of) : i.word[0]);
      mix(i.target.valid() ? 0 : i.word[1] & no_control);
      keys.push_back({h, k, p.order[k].index()});
    }
    std::sort(keys.begin(), keys.end(),
              [](const key& x, const key& y) { return x.hash != y.hash ? x.hash < y.hash : x.place < y.place; });
  }

  // Pairs what is equal, the first with the first.
  void pair_equal() {
    std::size_t x = 0;
    std::size_t y = 0;
    while (x < keys_a_.size() && y < keys_b_.size()) {
      if (keys_a_[x].hash < keys_b_[y].hash) {
        ++x;
      } else if (keys_b_[y].hash < keys_a_[x].hash || !same(instr_id{keys_a_[x].id}, instr_id{keys_b_[y].id})) {
        ++y;
      } else {
        to_original[keys_b_[y++].id] = instr_id{keys_a_[x++].id};
      }
    }
  }

  [[nodiscard]] bool same(instr_id i, instr_id j) const {
    const instruction& x = a_[i];
    const instruction& y = b_[j];
    if (x.op != y.op || x.iclass != y.iclass || x.mem_offset != y.mem_offset || x.target.valid() != y.target.valid()) {
      return false;
    }
    if (x.target.valid() ? aim(x, block_a_) != aim(y, block_b_)
                         : (x.word[0] != y.word[0] || ((x.word[1] ^ y.word[1]) & no_control) != 0)) {
      return false;
    }
    const bool address = names_code(x);
    std::size_t m = 0;
    std::size_t n = 0;
    for (;; ++m, ++n) {
      m = next_operand(a_, x, m, address);
      n = next_operand(b_, y, n, address);
      if (m == x.operand_count || n == y.operand_count) return m == x.operand_count && n == y.operand_count;
      const operand u = a_.operands_of(x)[m];
      const operand v = b_.operands_of(y)[n];
      if (u.low != v.low || ((u.high ^ v.high) & ~operand::bit_reuse) != 0) return false;
    }
  }
  // A target, or a distance in the encoding: a number in the text is a code address.
  [[nodiscard]] static bool names_code(const instruction& i) { return i.target.valid() || i.op == opcode::lepc; }
  [[nodiscard]] static std::size_t next_operand(const program& p, const instruction& i, std::size_t k, bool address) {
    while (address && k < i.operand_count && p.operands_of(i)[k].type() == operand_type::immediate) ++k;
    return k;
  }

  const program& a_;
  const program& b_;
  vec<std::uint32_t> block_a_;  // by place
  vec<std::uint32_t> block_b_;
  vec<key> keys_a_;
  vec<key> keys_b_;
};

inline void compare_effects(const program& before, const program& after, vec<order_difference>& out) {
  constexpr std::uint32_t nowhere = 0xffffffffu;
  struct home {
    std::uint32_t block = nowhere;
    std::uint32_t place = 0;
  };
  vec<home> was(before.instructions.size(), home{});
  vec<home> is(before.instructions.size(), home{});
  const auto find = [](const program& p, vec<home>& homes) {
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      for (std::uint32_t k = p.blocks[b].first; k < p.blocks[b].first + p.blocks[b].count; ++k)
        homes[p.order[k].index()] = {b, k};
    }
  };
  find(before, was);
  find(after, is);
  effect_order effects;
  effect_motion motion(before, after);
  vec<instr_id> stayed[2];
  const auto report = [&](const misplaced_effect& e) {
    if (e.found()) out.push_back({order_fault::effect, e.first, e.second, {}});
  };
  for (std::uint32_t b = 0; b < before.blocks.size(); ++b) {
    stayed[0].clear();
    stayed[1].clear();
    for (const instr_id i : before.order_of(before.blocks[b])) {
      if (is[i.index()].block == b) stayed[0].push_back(i);
    }
    for (const instr_id i : after.order_of(after.blocks[b])) {
      if (was[i.index()].block == b) stayed[1].push_back(i);
    }
    report(effects.run(before, stayed[0], stayed[1]));
  }
  for (std::uint32_t k = 0; k < before.instructions.size(); ++k) {
    if (was[k].block == nowhere || is[k].block == nowhere) continue;
    const instr_id i{k};
    if (before[i].has(iflag::pc_relative) && !before[i].target.valid() && was[k].place != is[k].place) {
      out.push_back({order_fault::effect, {}, i, {}});
    } else if (was[k].block != is[k].block) {
      report(motion.run(i, was[k].block, is[k].block));
    }
  }
}

}  // namespace detail

// Of two orders of the same instructions: the same ids, the same number of blocks with the same edges.
inline void compare_orders(const program& before, const program& after, vec<order_difference>& out) {
  if (before.blocks.size() != after.blocks.size()) {
    out.push_back({order_fault::foreign, {}, after.order.empty() ? instr_id{} : after.order[0], {}});
    return;
  }
  const reaching_difference d = same_reaching(before, after);
  if (!d.ok()) {
    order_difference o;
    o.fault = d.fault == reaching_fault::use       ? order_fault::value
              : d.fault == reaching_fault::exit    ? order_fault::exit
              : d.fault == reaching_fault::carried ? order_fault::round
              : d.fault == reaching_fault::target  ? order_fault::target
                                                   : order_fault::foreign;
    o.first = d.def;
    o.second = d.use;
    o.target = d.name;
    out.push_back(o);
    if (o.fault == order_fault::foreign) return;
  }
  detail::compare_effects(before, after, out);
}

namespace detail {

// The names of `changed`, by the instructions of the original: `to_original` by id.
inline void take_names(const program& changed, const vec<instr_id>& to_original, program& after) {
  const auto was = [&](instr_id i) { return i.index() < to_original.size() ? to_original[i.index()] : instr_id{}; };
  for (const instr_id i : changed.order) after[was(i)].target = was(changed[i].target);
  for (instr_id& i : after.table_targets) i = was(i);
  for (instr_id& i : after.leaders) i = was(i);
  for (branch_table& t : after.tables) t.branch = was(t.branch);
  std::sort(after.tables.begin(), after.tables.end(),
            [](const branch_table& x, const branch_table& y) { return x.branch < y.branch; });
  for (function& f : after.functions) f.entry = was(f.entry);
}

}  // namespace detail

// Labels begin blocks, and listings of one code differ in them: cuobjdump prints none, disassemblers invent some for records. Lets blocks
// of both programs begin at the places (ids are places as read) where labels of either stand, and builds them anew. False if that
// cannot be done. What an instruction names by a label that is no target (LEPC) is lost by that: whoever has the text compares it.
[[nodiscard]] inline bool join_leaders(program& x, program& y) {
  if (x.order.size() != y.order.size()) return false;
  vec<instr_id> all = x.leaders;
  for (const instr_id i : y.leaders) all.push_back(i);
  std::sort(all.begin(), all.end());
  all.resize(static_cast<std::size_t>(std::unique(all.begin(), all.end()) - all.begin()));
  x.leaders = all;
  y.leaders = all;
  return build_cfg(x).ok && build_cfg(y).ok;
}

// Of a program and what was made from it. `came_from`, where asked for: by id of `changed` the instruction of the original, as far as
// there is one.
inline void same_order(const program& original, const program& changed, vec<order_difference>& out,
                       vec<instr_id>* came_from = nullptr) {
  const std::size_t from = out.size();
  bool same = changed.order.size() == original.order.size() && changed.blocks.size() == original.blocks.size() &&
              changed.edges.size() == original.edges.size();
  for (std::size_t k = 0; same && k < changed.edges.size(); ++k) {
    const cfg_edge& x = changed.edges[k];
    const cfg_edge& y = original.edges[k];
    same = x.from == y.from && x.to == y.to && x.kind == y.kind;
  }
  detail::order_match match(original, changed);
  const instr_id stray = match.run();
  if (came_from != nullptr) *came_from = match.to_original;
  if (!same || stray.valid()) {
    out.push_back({order_fault::foreign, {}, stray.valid() || changed.order.empty() ? stray : changed.order[0], {}});
    return;
  }
  program after = changed;
  after.instructions = original.instructions;
  after.operands = original.operands;
  vec<instr_id> to_changed(original.instructions.size(), instr_id{});
  for (std::size_t k = 0; k < changed.order.size(); ++k) {
    const instr_id mine = changed.order[k];
    const instr_id theirs = match.to_original[mine.index()];
    after.order[k] = theirs;
    to_changed[theirs.index()] = mine;
  }
  detail::take_names(changed, match.to_original, after);
  compare_orders(original, after, out);
  for (std::size_t k = from; k < out.size(); ++k) {
    if (out[k].first.valid()) out[k].first = to_changed[out[k].first.index()];
    if (out[k].second.valid()) out[k].second = to_changed[out[k].second.index()];
  }
}

}  // namespace ww::verify
