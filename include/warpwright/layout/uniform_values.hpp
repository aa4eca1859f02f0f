// SPDX-License-Identifier: BSL-1.0
//
// Which registers hold the same value in all threads of a warp that get here: for the signal of uniform conditions (HC-1).
//
//   uniform   what uniform registers and predicates hold; immediates, constants, and special registers of the block or the grid;
//             votes; loads from the constant bank by a uniform address; and what arithmetic makes of such values alone
//   guarded   a write under a guard is uniform if the guard is and the old value was
// Everything else is not known to be: loads, shuffles, matrix operations, thread numbers, results of opcodes that are not known.
// What is known follows control along blocks with one way in. It ends where ways meet, behind calls, and where a loop is left:
// threads may leave it in different iterations, with different values of what was uniform in each of them.
// The caller walks such chains depth first: enter() a block, scan() it, leave() it when all below it is done. Linear in
// instructions, and in the greatest register number.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../isa/sched_class.hpp"
#include "../isa/special_register.hpp"
#include "../meta/vec.hpp"

namespace ww::layout {

namespace cold_detail {

// One value for all threads of a warp: numbers of the block, the grid, the warp and the SM.
[[nodiscard]] constexpr bool uniform_special(reg r) {
  if (r.is_zero()) return true;  // SRZ
  for (const char* name :
       {"SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z", "SR_NTID", "SR_NCTAID.X", "SR_NCTAID.Y", "SR_NCTAID.Z", "SR_CgaCtaId",
        "SR_CgaSize", "SR_WARPID", "SR_NWARPID", "SR_SMID", "SR_NSMID", "SR_GRIDID", "SR_SMEMSZ"}) {
    if (isa::special_register(name) == r) return true;
  }
  return false;
}

// Every thread computes its result from its own sources and nothing else.
[[nodiscard]] constexpr bool own_sources_only(const instruction& i) {
  if (i.op == opcode::fswzadd || i.op == opcode::fswz) return false;
  if (i.has(iflag::unknown) || i.has(iflag::reads_clock) || i.has(iflag::active_mask)) return false;
  if (i.dir != mem_dir::none) return i.dir == mem_dir::load && i.space == mem_space::constant;
  switch (i.iclass) {
    case sched_class::alu:
    case sched_class::alu_dual:
    case sched_class::setp:
    case sched_class::plop3:
    case sched_class::p2r:
    case sched_class::r2p:
    case sched_class::cs2r:
    case sched_class::cs2r_32:
    case sched_class::viadd:
    case sched_class::fma:
    case sched_class::imad:
    case sched_class::imad_wide:
    case sched_class::imad_hi:
    case sched_class::idp:
    case sched_class::half:
    case sched_class::half_f32:
    case sched_class::half_alu:
    case sched_class::hfma2_mma:
    case sched_class::fp64:
    case sched_class::dsetp:
    case sched_class::mufu:
    case sched_class::conv:
    case sched_class::conv_64:
    case sched_class::popc:
    case sched_class::flo:
    case sched_class::brev:
    case sched_class::fchk:
    case sched_class::s2r:
      return true;
    default:
      return false;
  }
}

}  // namespace cold_detail

class uniform_values {
 public:
  // Nothing is known, of any register of `p`.
  void reset(const program& p) {
    std::uint32_t most[2] = {0, 0};
    for (const operand& o : p.operands) {
      const unsigned f = o.file() == reg_file::p ? 1 : 0;
      if ((f == 0 && o.file() != reg_file::r) || !o.is_register()) continue;
      const std::uint32_t end = o.base().number() + o.width();
      if (end > most[f]) most[f] = end;
    }
    for (unsigned f = 0; f < 2; ++f) since_[f].assign(most[f], 0);
    log_.clear();
    age_ = newest_ = 1;
  }

  // Begins a block: `fresh` if nothing of the block before it holds here. Returns what leave() wants.
  std::size_t enter(bool fresh) {
    const std::size_t mark = log_.size();
    if (fresh) forget();
    return mark;
  }
  void leave(std::size_t mark) {
    while (log_.size() > mark) {
      const change c = log_.back();
      log_.pop_back();
      if (c.file == whole) {
        age_ = c.old;
      } else {
        since_[c.file][c.number] = c.old;
      }
    }
  }

  // The instructions of a block, in order. True if control leaves it by a condition that is uniform.
  bool scan(const program& p, const block& b) {
    bool decided = false;
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      decided = decides(p, i);
      step(p, i);
    }
    return decided;
  }

  [[nodiscard]] bool is_uniform(const operand& o) const {
    switch (o.type()) {
      case operand_type::immediate:
      case operand_type::constant:
        return true;
      case operand_type::physical:
      case operand_type::virtual_def:
      case operand_type::virtual_use:
      case operand_type::fixed:
        break;
      default:
        return false;
    }
    switch (o.file()) {
      case reg_file::ur:
      case reg_file::up:
        return true;
      case reg_file::special:
        return cold_detail::uniform_special(o.base());
      case reg_file::r:
        return known(0, o);
      case reg_file::p:
        return known(1, o);
      default:
        return false;
    }
  }

 private:
  static constexpr std::uint32_t whole = 2;  // a change of age_

  struct change {
    std::uint32_t file;
    std::uint32_t number;
    std::uint32_t old;
  };

  [[nodiscard]] bool known(unsigned f, const operand& o) const {
    if (o.base().is_zero()) return true;
    for (std::uint32_t n = o.base().number(); n < o.base().number() + o.width(); ++n) {
      if (n >= since_[f].size() || since_[f][n] != age_) return false;
    }
    return true;
  }
  void set(unsigned f, const operand& o, bool uniform) {
    if (o.base().is_zero()) return;
    for (std::uint32_t n = o.base().number(); n < o.base().number() + o.width(); ++n) {
      if (n >= since_[f].size()) return;
      const std::uint32_t now = uniform ? age_ : 0;
      if (since_[f][n] == now) continue;
      log_.push_back({f, n, since_[f][n]});
      since_[f][n] = now;
    }
  }
  void forget() {
    log_.push_back({whole, 0, age_});
    age_ = ++newest_;
  }

  [[nodiscard]] bool decides(const program& p, const instruction& i) const {
    if (!i.has(iflag::ends_block) && !i.has(iflag::branch)) return false;
    bool any = false;
    for (const operand& o : p.operands_of(i)) {
      if (!o.is_use() || (o.where() != slot::guard && o.where() != slot::branch)) continue;
      if (!is_uniform(o)) return false;
      any = true;
    }
    return any;
  }

  void step(const program& p, const instruction& i) {
    if (i.has(iflag::unknown)) return forget();
    const span<const operand> operands = p.operands_of(i);
    const bool vote = i.op == opcode::vote;
    bool uniform = vote || cold_detail::own_sources_only(i);
    for (std::size_t k = 0; uniform && k < operands.size(); ++k) {
      const operand& o = operands[k];
      const bool asked = o.is_use() ? !vote || o.where() == slot::guard : o.is_partial();
      if (asked && !is_uniform(o)) uniform = false;
    }
    for (const operand& o : operands) {
      if (!o.is_def()) continue;
      if (o.file() == reg_file::r) set(0, o, uniform);
      if (o.file() == reg_file::p) set(1, o, uniform);
    }
  }

  vec<std::uint32_t> since_[2];  // by number, of R and P: the age in which it became uniform, 0 = it is not
  vec<change> log_;
  std::uint32_t age_ = 1;
  std::uint32_t newest_ = 1;
};

}  // namespace ww::layout
