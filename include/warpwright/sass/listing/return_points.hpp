// SPDX-License-Identifier: BSL-1.0
//
// return_points: which calls of a listing without labels are calls, and which are jumps.
//
// Compilers write far jumps as CALL, too, and text without symbols shows no difference. A call is taken for one that comes
// back to the instruction behind it where
//
//   handed over   a 32-bit immediate among the 64 instructions in front of it is the address behind it (facts, traps 4 and 5:
//                 460 of 460 real calls and none of 34 loop exits of the corpus)
//   called once   its target leads to a RET, and a move anywhere in the section holds that address: a function with one caller
//                 makes the address itself, in front of its RET (observed: lgamma on sm_75 to sm_90)
//   or nothing    its target leads to a RET, and nothing but a return leads to the instruction behind it
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../ir/program.hpp"
#include "../../isa/opcode_id.hpp"

namespace ww::sass::detail {

class return_points {
 public:
  explicit return_points(const program& p) : p_(p), named_(p.instructions.size(), 0) {
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
      const instruction& x = p.instructions[i];
      if (x.target.valid() && x.target.index() != i) named_[x.target.index()] = 1;
      if (is_move(x)) moved_.push_back(x.word[0] >> 32);
      hidden_ = hidden_ || (x.has(iflag::indirect) && !x.has(iflag::ret));
    }
    std::sort(moved_.begin(), moved_.end());
    find_returning();
  }

  // Does control go on behind the call `i`?
  [[nodiscard]] bool comes_back(std::uint32_t i) const {
    const instruction& call = p_.instructions[i];
    if (!call.target.valid() || call.op == opcode::cal || call.op == opcode::jcal) return true;
    const std::uint64_t behind = static_cast<std::uint64_t>(call.address) + 16;
    if (handed_over(i, behind)) return true;
    if (returning_[call.target.index()] == 0) return false;
    return std::binary_search(moved_.begin(), moved_.end(), behind) || only_by_return(i);
  }

 private:
  static bool is_move(const instruction& x) {
    return x.has(iflag::reads_immediate) && (x.op == opcode::mov || x.op == opcode::imad || x.op == opcode::umov);
  }

  bool handed_over(std::uint32_t call, std::uint64_t behind) const {
    constexpr std::uint32_t window = 64;
    for (std::uint32_t k = call; k-- > 0 && call - k <= window;) {
      const instruction& x = p_.instructions[k];
      if (x.has(iflag::reads_immediate) && (x.word[0] >> 32) == behind) return true;
    }
    return false;
  }

  // The text does not tell where indirect branches go.
  bool only_by_return(std::uint32_t call) const {
    const std::size_t behind = std::size_t{call} + 1;
    return !hidden_ && behind < p_.instructions.size() && named_[behind] == 0 && !may_pass(p_.instructions[call]) &&
           p_.instructions[behind].op != opcode::nop;
  }

  static bool may_pass(const instruction& x) {
    return x.has(iflag::guarded) || x.has(iflag::never) || x.has(iflag::conditional);
  }
  static bool passes(const instruction& x) {
    return may_pass(x) || x.has(iflag::call) ||
           !(x.has(iflag::exit) || x.has(iflag::branch) || x.has(iflag::ret) || x.has(iflag::reconverge));
  }

  // From which instructions a RET can be reached, calls taken for both: against the direction of control from every RET.
  void find_returning() {
    const std::size_t n = p_.instructions.size();
    std::vector<std::uint32_t> first(n + 2, 0), from;
    for (const instruction& x : p_.instructions) {
      if (x.target.valid()) ++first[x.target.index() + 2];
    }
    for (std::size_t i = 2; i < first.size(); ++i) first[i] += first[i - 1];
    from.resize(first[n + 1]);
    std::vector<std::uint32_t> open;
    returning_.assign(n, 0);
    const auto reach = [&](std::uint32_t i) {
      if (returning_[i] != 0) return;
      returning_[i] = 1;
      open.push_back(i);
    };
    for (std::uint32_t i = 0; i < n; ++i) {
      const instruction& x = p_.instructions[i];
      if (x.target.valid()) from[first[x.target.index() + 1]++] = i;
      if (x.has(iflag::ret) && !x.has(iflag::never)) reach(i);
    }
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      open.pop_back();
      for (std::uint32_t k = first[i]; k < first[i + 1]; ++k) reach(from[k]);
      if (i > 0 && passes(p_.instructions[i - 1])) reach(i - 1);
    }
  }

  const program& p_;
  std::vector<std::uint8_t> named_;      // by instruction: another one names it as its target
  std::vector<std::uint8_t> returning_;  // by instruction: control may come from here to a RET
  std::vector<std::uint64_t> moved_;     // immediates of moves, sorted
  bool hidden_ = false;                  // there are branches or calls through registers
};

}  // namespace ww::sass::detail
