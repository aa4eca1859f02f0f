// SPDX-License-Identifier: BSL-1.0
//
// Random programs of real instructions: what compilers emitted, thrown together with branches and loops in between and few
// registers, so that every class meets every other at every distance. No compiler writes such code, and all of it is legal: its
// words have to be right.
//
//   add(program)     takes samples of each opcode that does nothing to the flow of control
//   program(...)     a program of 8 to 57 instructions. Registers are others, aligned as their width asks; some sources are zero
//                    registers, some instructions get a guard
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/program.hpp>
#include <warpwright/isa/opcode.hpp>
#include <warpwright/isa/opcode_id.hpp>
#include <warpwright/isa/sched_class.hpp>

namespace ww_test {

class random_code {
 public:
  void add(const ww::program& p) {
    for (const ww::instr_id id : p.order) {
      const ww::instruction& i = p[id];
      // What a group of these works on is waited for by WARPGROUP.DEPBAR, not by control words: that is up to the program.
      if (i.iclass == ww::sched_class::hgmma) continue;
      const std::size_t kind = static_cast<std::size_t>(i.op) * 2 + (i.has(ww::iflag::guarded) ? 1 : 0);
      if (steers(i) || flagged_selector(p, i)) continue;
      if (taken_.size() <= kind) taken_.resize(kind + 1);
      // of many, a few from everywhere: the first ones, and later ones ever more rarely
      if (++taken_[kind] > 6 && (taken_[kind] & (taken_[kind] - 1)) != 0) continue;
      const auto operands = p.operands_of(i);
      samples_.push_back({i, {operands.begin(), operands.end()}});
      samples_.back().instruction.ctl = {};
    }
  }
  [[nodiscard]] bool empty() const { return samples_.empty(); }

  // Empty if its blocks could not be found.
  [[nodiscard]] ww::program program(std::mt19937& random, ww::sm_id sm) const {
    const auto roll = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
    ww::program p;
    p.sm = sm;
    const std::uint32_t count = 8 + roll(50);
    const std::uint32_t registers = 6 + 2 * roll(6);
    const std::uint32_t branches = 8 * roll(3);  // percent
    const bool memory = roll(2) == 0;            // mostly what goes to memory
    for (std::uint32_t k = 0; k < count; ++k) {
      sample s;
      if (k + 1 == count) {
        s.instruction.op = ww::opcode::exit;
        s.instruction.iclass = ww::sched_class::exit;
        s.instruction.add(ww::iflag::exit);
        s.instruction.add(ww::iflag::ends_block);
      } else if (roll(100) < branches) {
        s.instruction.op = ww::opcode::bra;
        s.instruction.iclass = ww::sched_class::branch;
        s.instruction.add(ww::iflag::branch);
        s.instruction.add(ww::iflag::ends_block);
        s.instruction.target = ww::instr_id{roll(count)};
        if (roll(4) != 0) guard(s, roll(6));
      } else {
        std::uint32_t which = roll(samples_.size());
        for (int again = 0; again < 4 && memory && samples_[which].instruction.dir == ww::mem_dir::none; ++again) {
          which = roll(samples_.size());
        }
        s = samples_[which];
        if (!s.instruction.has(ww::iflag::guarded) && roll(4) == 0) guard(s, roll(6));
        for (ww::operand& o : s.operands) rename(o, registers, roll);
      }
      s.instruction.first_operand = static_cast<std::uint32_t>(p.operands.size());
      s.instruction.operand_count = static_cast<std::uint8_t>(s.operands.size());
      p.operands.insert(p.operands.end(), s.operands.begin(), s.operands.end());
      p.order.push_back(ww::instr_id{k});
      p.instructions.push_back(s.instruction);
    }
    ww::function kernel;
    kernel.kernel = true;
    kernel.entry = ww::instr_id{0};
    p.functions.push_back(kernel);
    if (!ww::build_cfg(p).ok) return {};
    return p;
  }

 private:
  // The reuse flag of a sparse selector is a bit of the instruction (sm_80 to sm_89), so no control word can take it back.
  static bool flagged_selector(const ww::program& p, const ww::instruction& i) {
    for (const ww::operand& o : p.operands_of(i)) {
      if (o.is_reuse() && o.port() == 0 && o.where() == ww::slot::data) return true;
    }
    return false;
  }

  struct sample {
    ww::instruction instruction;
    std::vector<ww::operand> operands;
  };
  std::vector<sample> samples_;
  std::vector<std::uint32_t> taken_;  // by opcode, without and with a guard

  // Control flow, what is named elsewhere by its counter, and what is not known.
  static bool steers(const ww::instruction& i) {
    for (const ww::iflag f : {ww::iflag::ends_block, ww::iflag::branch, ww::iflag::call, ww::iflag::exit, ww::iflag::ret,
                              ww::iflag::padding, ww::iflag::unknown}) {
      if (i.has(f)) return true;
    }
    return i.target.valid() || i.op == ww::opcode::bssy || i.op == ww::opcode::bsync || i.op == ww::opcode::depbar ||
           i.op == ww::opcode::ldgdepbar;
  }
  static void guard(sample& s, std::uint32_t predicate) {
    s.instruction.add(ww::iflag::guarded);
    for (ww::operand& o : s.operands) {
      if (o.is_def()) o.set(ww::operand::bit_partial);
    }
    s.operands.push_back(ww::operand::use(ww::P(predicate), ww::slot::guard));
  }
  template <class Roll>
  static void rename(ww::operand& o, std::uint32_t registers, const Roll& roll) {
    const ww::reg_file f = o.file();
    const bool uniform = f == ww::reg_file::ur;
    const bool general = f == ww::reg_file::r;
    if (!o.is_register() || (!general && !uniform && f != ww::reg_file::p && f != ww::reg_file::up)) return;
    if (general && !o.is_def() && roll(5) == 0) {
      o.low |= ww::reg::number_mask;
      return;
    }
    const std::uint32_t width = std::max<std::uint32_t>(o.width(), 1);
    std::uint32_t aligned = 1;
    while (aligned < width && aligned < 4) aligned *= 2;
    const std::uint32_t limit = general ? std::max(registers, 2 * width + 4) : uniform ? std::max(8u, 2 * width) : 4u;
    const std::uint32_t number = roll(limit / aligned) * aligned;
    o.low = (o.low & ~ww::reg::number_mask) | (number + width <= 200 ? number : 0);
  }
};

}  // namespace ww_test
