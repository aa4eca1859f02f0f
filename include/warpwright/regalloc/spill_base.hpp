// SPDX-License-Identifier: BSL-1.0
//
// Which value the base register of the spill slots holds, at every block: slots at [R1 + offset] are the same bytes only while R1
// is (FPA-8).
//
//   version   of the base register: the instruction that wrote it last (also under a guard, and one that is not known), `entry`
//             where a kernel or function starts, the block where paths meet that wrote it differently, `none` where no path leads.
//             No base: `entry` everywhere
//   meeting   a version that a block began. It is one value until that block is entered again: a web that is live there must not
//             rely on it
// A call to code that is not known gives the stack pointer back as it was (the convention; the check of allocations assumes it
// too). A call that is known is followed, as the check does: behind it there is another version, so that nothing is spilled across
// the call where values of the caller could live. A block's version changes at most twice: linear in edges, and once
// more for each time that a meeting turns out to be none.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../meta/vec.hpp"

namespace ww::regalloc {

struct base_versions {
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t entry = 0xfffffffeu;
  static constexpr std::uint32_t meeting = 0x80000000u;  // and the number of the block

  reg base;
  vec<std::uint32_t> at_start;  // by block

  // The block that began a version, none if it was no block.
  [[nodiscard]] static constexpr block_id met_at(std::uint32_t version) {
    return version < meeting || version >= entry ? block_id{} : block_id{version & ~meeting};
  }

  [[nodiscard]] bool writes(const program& p, instr_id id) const {
    const instruction& i = p[id];
    if (base.is_none() || base.is_zero()) return false;
    if (i.has(iflag::unknown)) return true;
    for (const operand& o : p.operands_of(i)) {
      if (!o.is_def() || !o.is_register() || o.file() != base.file()) continue;
      if (o.base().number() <= base.number() && base.number() - o.base().number() < o.width()) return true;
    }
    return false;
  }

  void compute(const program& p, reg of) {
    base = of;
    const std::size_t blocks = p.blocks.size();
    at_start.assign(blocks, none);
    written_.assign(blocks, none);
    stack_.clear();
    for (std::uint32_t b = 0; b < blocks; ++b) {
      for (const instr_id i : p.order_of(p.blocks[b])) {
        if (writes(p, i)) written_[b] = i.index();
      }
    }
    for (std::uint32_t b = 0; b < blocks; ++b) {
      if (p.blocks[b].entry || base.is_zero()) meet(b, entry);
    }
    while (!stack_.empty()) {
      const std::uint32_t b = stack_.back();
      stack_.pop_back();
      const std::uint32_t out = written_[b] != none ? written_[b] : at_start[b];
      for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
        if (!is_summary(p, e)) meet(e.to.index(), out);
      }
    }
    settle(p);
  }

 private:
  void meet(std::uint32_t b, std::uint32_t version) {
    const std::uint32_t now = at_start[b] == none || at_start[b] == version ? version : meeting | b;
    if (now == at_start[b]) return;
    at_start[b] = now;
    stack_.push_back(b);
  }

  // Meetings of one version with itself are that version. A block can be met before what comes to it is known, so that some are.
  void settle(const program& p) {
    same_.assign(at_start.size(), none);
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t b = 0; b < at_start.size(); ++b) {
        if (at_start[b] != (meeting | b) || same_[b] != none) continue;
        std::uint32_t only = p.blocks[b].entry ? entry : none;
        bool one = true;
        for (const std::uint32_t e : p.pred_edges_of(p.blocks[b])) {
          const std::uint32_t from = p.edges[e].from.index();
          if (is_summary(p, p.edges[e])) continue;
          const std::uint32_t v = resolved(written_[from] != none ? written_[from] : at_start[from]);
          if (v == none || v == (meeting | b)) continue;
          one = one && (only == none || only == v);
          only = v;
        }
        if (!one || only == none) continue;
        same_[b] = only;
        again = true;
      }
    }
    for (std::uint32_t& v : at_start) v = resolved(v);
  }
  [[nodiscard]] std::uint32_t resolved(std::uint32_t v) const {
    while (met_at(v).valid() && same_[met_at(v).index()] != none) v = same_[met_at(v).index()];
    return v;
  }

  vec<std::uint32_t> same_;     // by block: what its meeting is in truth
  vec<std::uint32_t> written_;  // by block: the last write
  vec<std::uint32_t> stack_;
};

}  // namespace ww::regalloc
