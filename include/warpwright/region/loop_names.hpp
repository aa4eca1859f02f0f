// SPDX-License-Identifier: BSL-1.0
//
// Modulo variable expansion: which virtual registers of a loop body get a new name in every iteration.
//
//   local     written before it is read in the body, and not read behind the loop: name k in iteration k
//   carried   read first, written once in full, not read behind the loop: iteration k reads name k, and what it writes,
//             and reads after that, is name k + 1. Name 0 is the register that holds the value before the loop
//   kept      all others (physical registers, results of the loop, guarded sums): one name, ordered by dependences
// Name k of register n is n + (k mod copies) * stride, so wide operands stay aligned. A wide operand whose registers are not
// all of one kind is kept altogether.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"

namespace ww::region {

class loop_names {
 public:
  enum class kind : std::uint8_t { kept, local, carried };

  // `body` without its branch counts the same as with it. False if there are no numbers for `copies` names.
  bool compute(const program& p, block_id b, block_id exit, const liveness& live, unsigned copies) {
    layout_ = &live.layout;
    const std::size_t bits = std::size_t{live.layout.words()} * 64;
    kind_.assign(bits, kind::kept);
    def_at_.assign(bits, 0);
    vec<std::uint32_t> defs(bits, 0);
    vec<std::uint8_t> weak(bits, 0);
    std::fill_n(stride_, reg_file_count, 0u);
    for (const operand& o : p.operands) {
      if (!o.is_register() || !o.base().is_virtual()) continue;
      std::uint32_t& s = stride_[static_cast<unsigned>(o.file())];
      s = std::max(s, o.base().number() + o.width() - reg::first_virtual);
    }
    for (std::uint32_t& s : stride_) {
      s = (s + 7u) & ~7u;
      if (reg::first_virtual + std::uint64_t{s} * copies >= reg::zero_number) return false;
    }
    const span<const instr_id> order = p.order_of(p[b]);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const instruction& ins = p[order[k]];
      for (const operand o : p.operands_of(ins)) {
        if (!o.is_register()) continue;
        live.each_bit(o, [&](std::uint32_t bit) {
          kind_[bit] = o.base().is_virtual() ? kind::local : kind::kept;
          if (!o.is_def()) return;
          ++defs[bit];
          def_at_[bit] = k;
          weak[bit] = weak[bit] != 0 || ins.has(iflag::guarded) || o.is_partial() ? 1 : 0;
        });
      }
    }
    const span<const std::uint64_t> in = live.live_in(b);
    const span<const std::uint64_t> out = live.live_in(exit);
    const auto has = [](span<const std::uint64_t> set, std::size_t bit) { return (set[bit >> 6] >> (bit & 63u) & 1u) != 0; };
    for (std::size_t bit = 0; bit < bits; ++bit) {
      if (kind_[bit] == kind::kept) continue;
      const bool carried = has(in, bit);
      if (has(out, bit) || defs[bit] == 0 || (carried && (defs[bit] != 1 || weak[bit] != 0))) {
        kind_[bit] = kind::kept;
      } else if (carried) {
        kind_[bit] = kind::carried;
      }
    }
    for (bool again = true; again;) {  // wide operands are of one kind
      again = false;
      for (const instr_id i : order) {
        for (const operand o : p.operands_of(i)) {
          if (!o.is_register() || o.width() < 2) continue;
          bool mixed = false;
          bool all_kept = true;
          kind first{};
          std::uint32_t at = 0;
          bool seen = false;
          live.each_bit(o, [&](std::uint32_t bit) {
            if (!seen) first = kind_[bit], at = def_at_[bit];
            mixed = mixed || kind_[bit] != first || (first == kind::carried && def_at_[bit] != at);
            all_kept = all_kept && kind_[bit] == kind::kept;
            seen = true;
          });
          if (!mixed || all_kept) continue;
          live.each_bit(o, [&](std::uint32_t bit) { kind_[bit] = kind::kept; });
          again = true;
        }
      }
    }
    return true;
  }

  [[nodiscard]] kind kind_of(operand o) const {
    std::uint32_t bit = 0;
    return o.is_register() && layout_->bit_of(o.base(), bit) ? kind_[bit] : kind::kept;
  }

  // The operand of the instruction at place `at` of the body, in iteration `iteration`, with `copies` names.
  [[nodiscard]] operand name(operand o, std::uint32_t at, std::uint32_t iteration, std::uint32_t copies) const {
    std::uint32_t bit = 0;
    if (!o.is_register() || !layout_->bit_of(o.base(), bit) || kind_[bit] == kind::kept) return o;
    if (kind_[bit] == kind::carried && (o.is_def() || at > def_at_[bit])) ++iteration;
    const std::uint32_t n = o.base().number() + iteration % copies * stride_[static_cast<unsigned>(o.file())];
    o.low = (o.low & ~0xffffffu) | reg(o.file(), n).packed;
    return o;
  }

 private:
  const register_layout* layout_ = nullptr;
  vec<kind> kind_;             // by register bit
  vec<std::uint32_t> def_at_;  // by register bit: place of the last write in the body
  std::uint32_t stride_[reg_file_count] = {};
};

}  // namespace ww::region
