// SPDX-License-Identifier: BSL-1.0
//
// What of a program's local memory is spill code, and what is not (PLS-18): bytes moved, and bytes of the stack.
//
//   frame     accesses of a function through the stack pointer (R1) and a constant: [R1+0x8]
//   low       accesses at a constant alone: [0x8]
//   cell      bytes of a frame whose accesses overlap; all of a cell is one or the other
//   spill     a cell of a frame, or of low addresses
//   no spill  every access at another address (an array); a frame whose address is taken, by anything that reads R1 but the
//             addresses of local accesses and its own update: arrays lie there, and machine code does not tell which; and a cell in
//             which a function that is no kernel keeps a register of its caller, which it has not written before
// Sizes are bytes that accesses name: a frame may be larger, for it is aligned.
//
// Assumed; measured against the compiler's own account: "bytes spill stores" and "bytes spill loads" are these numbers for every
// kernel of the corpus whose listing can be read (tests/report/guidance_listings.cpp).
// n log n in local accesses.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../graph/stack_slot.hpp"
#include "../ir/program.hpp"
#include "../meta/vec.hpp"

namespace ww::model {

struct local_bytes {
  std::uint64_t spill = 0, refill = 0;          // moved by one thread, each instruction once
  std::uint64_t non_spill = 0, non_refill = 0;  // the same of what is no spill code
  std::uint64_t frame_size = 0, low_size = 0;   // bytes of the stack that spill code names
  std::uint64_t non_spill_size = 0;             // bytes of frames that are named otherwise
};

namespace detail {

class local_survey {
 public:
  explicit local_survey(const program& p) : p_(p) {
    frames_.resize(p.functions.size() + 1);
    for (const block& b : p.blocks) {
      if (b.padding) continue;
      const std::uint32_t f = b.function.index() < p.functions.size() ? b.function.index() + 1 : 0;
      for (const instr_id id : p.order_of(b)) read(p[id], f);
    }
  }

  [[nodiscard]] local_bytes total() {
    std::sort(accesses_.begin(), accesses_.end(), [](const access& a, const access& b) {
      if (a.function != b.function) return a.function < b.function;
      if (a.low != b.low) return a.low < b.low;
      return a.first != b.first ? a.first < b.first : a.number < b.number;
    });
    for (std::size_t i = 0; i < accesses_.size();) i = cell(i);
    return sum_;
  }

 private:
  struct access {
    std::int64_t first = 0;
    std::uint32_t function = 0, number = 0;
    std::uint8_t bytes = 0;
    bool low = false, store = false, keeps = false;
  };
  struct frame {
    std::uint64_t written[4] = {};  // general registers, so far
    bool taken = false;
  };

  [[nodiscard]] static bool names_stack(const operand& o) {
    return o.is_register() && o.file() == reg_file::r && o.base().number() <= stack_pointer &&
           o.base().number() + o.width() > stack_pointer;
  }
  [[nodiscard]] bool is_kernel(std::uint32_t f) const { return f == 0 || p_.functions[f - 1].kernel; }

  void read(const instruction& ins, std::uint32_t f) {
    const span<const operand> operands = p_.operands_of(ins);
    const bool local = is_spill(ins) || is_reload(ins);
    bool reads = false;
    bool updates = false;
    bool keeps = !is_kernel(f);
    for (const operand& o : operands) {
      if (names_stack(o) && o.is_def()) updates = true;
      if (names_stack(o) && o.is_use() && !(local && o.where() == slot::address)) reads = true;
      if (o.where() != slot::data || !o.is_register() || o.file() != reg_file::r) continue;
      for (std::uint32_t n = o.base().number(); n < o.base().number() + o.width() && n < 256; ++n) {
        keeps = keeps && (frames_[f].written[n >> 6] >> (n & 63u) & 1u) == 0;
      }
    }
    if (reads && !updates) frames_[f].taken = true;
    if (local) note(ins, operands, f, keeps);
    for (const operand& o : operands) {
      if (!o.is_def() || !o.is_register() || o.file() != reg_file::r) continue;
      for (std::uint32_t n = o.base().number(); n < o.base().number() + o.width() && n < 256; ++n) {
        frames_[f].written[n >> 6] |= std::uint64_t{1} << (n & 63u);
      }
    }
  }

  void note(const instruction& ins, span<const operand> operands, std::uint32_t f, bool keeps) {
    const stack_slot s = slot_of(ins, operands);
    const bool framed = s.base_width == 1 && s.base == reg{reg_file::r, stack_pointer};
    if (!s.known() || (s.base_width != 0 && !framed)) {
      (is_spill(ins) ? sum_.non_spill : sum_.non_refill) += ins.mem_bytes;
      return;
    }
    access a;
    a.first = s.offset;
    a.function = f;
    a.number = static_cast<std::uint32_t>(accesses_.size());
    a.bytes = s.bytes;
    a.low = !framed;
    a.store = is_spill(ins);
    a.keeps = a.store && keeps;
    accesses_.push_back(a);
  }

  // One cell, from an access on; returns what stands behind it.
  std::size_t cell(std::size_t from) {
    const access& start = accesses_[from];
    std::int64_t end = start.first;
    std::uint64_t stored = 0;
    std::uint64_t loaded = 0;
    bool keeps = false;
    std::size_t i = from;
    for (; i < accesses_.size(); ++i) {
      const access& a = accesses_[i];
      if (a.function != start.function || a.low != start.low || (i != from && a.first >= end)) break;
      if (a.first + a.bytes > end) end = a.first + a.bytes;
      (a.store ? stored : loaded) += a.bytes;
      keeps = keeps || a.keeps;
    }
    const auto size = static_cast<std::uint64_t>(end - start.first);
    const bool spill = !keeps && (start.low || !frames_[start.function].taken);
    (spill ? sum_.spill : sum_.non_spill) += stored;
    (spill ? sum_.refill : sum_.non_refill) += loaded;
    (!spill ? sum_.non_spill_size : start.low ? sum_.low_size : sum_.frame_size) += size;
    return i;
  }

  static constexpr std::uint32_t stack_pointer = 1;

  const program& p_;
  vec<frame> frames_;  // by function and one; 0 = code of no function
  vec<access> accesses_;
  local_bytes sum_;
};

}  // namespace detail

[[nodiscard]] inline local_bytes local_bytes_of(const program& p) { return detail::local_survey(p).total(); }

}  // namespace ww::model
