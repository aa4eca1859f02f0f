// SPDX-License-Identifier: BSL-1.0
//
// The first half of build_cfg(): where blocks and functions start. See ../cfg.hpp for the rules.
//
//   place    position of an instruction in the order, none if it is not in it
//   leader   a position where a block starts
//   starts   the function that starts at a block, none if none does
#pragma once

#include <cstdint>

#include "../../meta/vec.hpp"
#include "../program.hpp"

namespace ww {

struct cfg_result {
  bool ok = true;
  const char* expected = nullptr;  // what the program contradicts
  instr_id where;                  // the instruction at fault
};

namespace detail {

template <class Program>
class cfg_layout {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;

  explicit cfg_layout(Program& p) : p_(p) {}

  // False if the program contradicts itself; `result()` says how.
  [[nodiscard]] bool run() {
    if (!find_leaders()) return false;
    make_blocks();
    make_functions();
    return true;
  }

  [[nodiscard]] const cfg_result& result() const { return result_; }
  [[nodiscard]] std::uint32_t block_of(std::uint32_t position) const { return block_of_[position]; }
  [[nodiscard]] std::uint32_t block_at(instr_id id) const { return block_of_[place_[id.index()]]; }
  [[nodiscard]] std::uint32_t function_at(std::uint32_t b) const { return starts_[b]; }

 private:
  const instruction& at(std::uint32_t pos) const { return p_.instructions[p_.order[pos].index()]; }

  bool fail(const char* expected, instr_id where) {
    result_ = {false, expected, where};
    return false;
  }

  bool mark(instr_id id, instr_id from) {
    if (id.index() >= place_.size() || place_[id.index()] == none) return fail("a target inside the program", from);
    leader_[place_[id.index()]] = 1;
    return true;
  }

  bool find_leaders() {
    const auto n = static_cast<std::uint32_t>(p_.order.size());
    place_.assign(p_.instructions.size(), none);
    for (std::uint32_t i = 0; i < n; ++i) {
      const instr_id id = p_.order[i];
      if (id.index() >= place_.size()) return fail("an order that names instructions of the program", id);
      if (place_[id.index()] != none) return fail("an order that names each instruction once", id);
      place_[id.index()] = i;
    }
    leader_.assign(n, 0);
    if (n == 0) return true;
    leader_[0] = 1;
    for (std::uint32_t i = 0; i < n; ++i) {
      const instruction& x = at(i);
      if (x.target.valid() && !mark(x.target, p_.order[i])) return false;
      if (x.has(iflag::ends_block) && i + 1 < n) leader_[i + 1] = 1;
    }
    for (const branch_table& t : p_.tables) {
      if (t.branch.index() >= place_.size() || t.count > p_.table_targets.size() ||
          t.first > p_.table_targets.size() - t.count) {
        return fail("a branch table that belongs to an instruction", t.branch);
      }
      for (std::uint32_t k = 0; k < t.count; ++k) {
        if (!mark(p_.table_targets[t.first + k], t.branch)) return false;
      }
    }
    for (const instr_id id : p_.leaders) {
      if (!mark(id, id)) return false;
    }
    for (const function& f : p_.functions) {
      if (f.entry.valid() && !mark(f.entry, f.entry)) return false;
    }
    std::uint32_t tail = n;  // the closing NOPs
    while (tail > 0 && at(tail - 1).has(iflag::padding) && !at(tail - 1).has(iflag::branch)) --tail;
    if (tail < n) leader_[tail] = 1;
    return true;
  }

  void make_blocks() {
    const auto n = static_cast<std::uint32_t>(p_.order.size());
    block_of_.assign(n, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      if (leader_[i] != 0) {
        block b;
        b.first = i;
        p_.blocks.push_back(b);
      }
      block_of_[i] = static_cast<std::uint32_t>(p_.blocks.size() - 1);
      ++p_.blocks.back().count;
    }
  }

  void make_functions() {
    if (p_.blocks.empty()) {
      for (function& f : p_.functions) {
        f.first_block = block_id{};
        f.block_count = 0;
      }
      return;
    }
    if (p_.functions.empty()) {
      function f;
      f.name = none;
      f.kernel = true;
      p_.functions.push_back(f);
    }
    starts_.assign(p_.blocks.size(), none);  // function that starts at a block
    for (std::uint32_t i = 0; i < p_.functions.size(); ++i) {
      function& f = p_.functions[i];
      const std::uint32_t b = f.entry.valid() ? block_at(f.entry) : 0;
      f.first_block = block_id{b};
      f.block_count = 0;
      if (starts_[b] == none) starts_[b] = i;  // a second name for the same place stays empty
      p_.blocks[b].entry = true;
    }
    std::uint32_t owner = starts_[0];
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (starts_[b] != none) owner = starts_[b];
      if (owner != none) {
        p_.blocks[b].function = function_id{owner};
        ++p_.functions[owner].block_count;
      }
    }
    if (starts_[0] == none) p_.blocks[0].entry = true;
  }

  Program& p_;
  cfg_result result_;
  vec<std::uint32_t> place_;     // by instruction
  vec<std::uint8_t> leader_;     // by position
  vec<std::uint32_t> block_of_;  // by position
  vec<std::uint32_t> starts_;    // by block
};

}  // namespace detail

}  // namespace ww
