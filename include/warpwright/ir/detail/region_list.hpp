// SPDX-License-Identifier: BSL-1.0
//
// Where a reconvergence goes on, by the regions that its function opens: the first and the last resort of build_cfg().
//
// Words: a region opener is an instruction with a target that neither branches nor calls nor synchronises (BSSY, SSY,
// PBK, PCNT). A region's name is its convergence register; those of the stack (sm_50..62) have a kind instead.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/vec.hpp"
#include "../program.hpp"
#include "cfg_layout.hpp"

namespace ww::detail {

template <class Program>
class region_list {
 public:
  region_list(const Program& p, const cfg_layout<Program>& layout) : p_(p), layout_(layout) {}

  void collect() {
    openers_.clear();
    moved_ = 0;
    ends_.assign(p_.blocks.size(), 0);
    for (std::uint32_t i = 0; i < p_.order.size(); ++i) {
      const instruction& x = at(i);
      if (opens_region(x)) {
        openers_.push_back(i);
        const std::uint32_t name = barrier_of(x);
        const std::uint32_t to = layout_.block_at(x.target);
        if (name < 32 && to < ends_.size()) ends_[to] |= 1u << name;
      } else if (x.has(iflag::convergence)) {
        note_move(x);
      }
    }
  }

  // BSYNC Bn goes on behind itself when a BSSY Bn says so (all compiler output does: facts, 1063 of 1063), else at the
  // target of each BSSY Bn of its function, nearest first. SYNC, BRK and CONT name no register and go to targets of their kind.
  // What a BMOV has written to Bn may be any region: there a BSSY of any name says so (compiler output: regions nested deeper
  // than there are registers, BMOV.32 B10, R4 right before BSYNC B10).
  // put(block) takes each target other than the next block, once; true if control may also go on there. x ends block b.
  [[nodiscard]] bool leave(std::uint32_t b, const instruction& x, auto put) {
    const block& blk = p_.blocks[b];
    const std::uint32_t name = barrier_of(x);
    if (name < 32 && b + 1 < ends_.size()) {
      const bool moved = (moved_ >> name & 1u) != 0;
      if (moved ? ends_[b + 1] != 0 : (ends_[b + 1] >> name & 1u) != 0) return true;
    }
    bool behind = false;
    bool any = false;
    seen_.clear();
    std::size_t k = openers_before(blk.first + blk.count - 1);
    for (std::uint32_t tried = 0; k > 0 && tried < max_regions; ++tried) {
      const std::uint32_t pos = openers_[--k];
      const instruction& o = at(pos);
      if (p_.blocks[layout_.block_of(pos)].function != blk.function) break;
      if (barrier_of(o) != name || o.region != x.region) continue;
      any = true;
      const std::uint32_t to = layout_.block_at(o.target);
      bool listed = to == b + 1;
      behind = behind || listed;
      for (const std::uint32_t t : seen_) listed = listed || t == to;
      if (listed) continue;
      seen_.push_back(to);
      put(to);
    }
    return behind || !any || name != none;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t max_regions = 64;  // openers looked at for one reconvergence that ends elsewhere

  const instruction& at(std::uint32_t pos) const { return p_.instructions[p_.order[pos].index()]; }

  // The convergence register that an instruction names, none if it names none.
  std::uint32_t barrier_of(const instruction& x) const {
    for (const operand& o : p_.operands_of(x)) {
      if (o.file() == reg_file::b) return o.base().number();
    }
    return none;
  }
  static bool opens_region(const instruction& x) {
    return x.target.valid() && !x.has(iflag::branch) && !x.has(iflag::call) && !x.has(iflag::sync) && !x.has(iflag::ret);
  }

  // BMOV Bn, R4: n is noted.
  void note_move(const instruction& x) {
    std::uint32_t names = 0;
    bool from_register = false;
    for (const operand& o : p_.operands_of(x)) {
      if (o.is_def() && o.file() == reg_file::b && o.base().number() < 32) names |= 1u << o.base().number();
      from_register =
          from_register || (o.is_use() && o.where() != slot::guard && (o.file() == reg_file::r || o.file() == reg_file::ur));
    }
    if (from_register) moved_ |= names;
  }

  // How many openers stand in front of a position.
  std::size_t openers_before(std::uint32_t here) const {
    std::size_t k = openers_.size();
    std::size_t low = 0;
    while (low < k) {
      const std::size_t mid = low + (k - low) / 2;
      if (openers_[mid] < here) {
        low = mid + 1;
      } else {
        k = mid;
      }
    }
    return k;
  }

  const Program& p_;
  const cfg_layout<Program>& layout_;
  vec<std::uint32_t> openers_;  // positions of region openers
  vec<std::uint32_t> ends_;     // by block: names of the regions that end in front of it, bit by bit
  vec<std::uint32_t> seen_;
  std::uint32_t moved_ = 0;  // convergence registers that some BMOV writes, bit by bit
};

}  // namespace ww::detail
