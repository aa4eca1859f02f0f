// SPDX-License-Identifier: BSL-1.0
//
// Random blocks for property tests: a few registers, so that everything conflicts, with all the awkward shapes (wide
// operands, guards and their complements, half writes, redefined guards, virtual numbers, memory in all spaces, fences).
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/isa/sched_class.hpp>

namespace ww_test {

struct random_block_options {
  unsigned count = 40;
  unsigned registers = 12;         // R registers in use
  unsigned guard_percent = 35;     // guarded instructions
  unsigned memory_percent = 30;    // memory instructions
  unsigned fence_percent = 3;      // fences
  bool virtual_registers = false;  // numbers above the physical ones
  bool ends_with_branch = true;
};

// Appends one block to an empty or filled program.
inline void append_random_block(ww::program& p, std::mt19937& rng, const random_block_options& o) {
  using namespace ww;
  const auto roll = [&rng](unsigned n) { return static_cast<unsigned>(rng() % n); };
  const auto percent = [&](unsigned n) { return roll(100) < n; };
  const std::uint32_t base = o.virtual_registers ? reg::first_virtual + 5000u : 0u;
  const auto any_r = [&](unsigned width) { return R(base + roll(o.registers - width + 1)); };
  block b;
  b.first = static_cast<std::uint32_t>(p.order.size());
  for (unsigned i = 0; i < o.count; ++i) {
    instruction ins;
    std::vector<operand> ops;
    const bool last = i + 1 == o.count;
    const auto width = [&] { return roll(5) == 0 ? 4u : (roll(3) == 0 ? 2u : 1u); };
    if (last && o.ends_with_branch) {
      ins.iclass = sched_class::branch;
      ins.add(iflag::ends_block);
      ins.add(iflag::branch);
    } else if (percent(o.fence_percent)) {
      ins.iclass = sched_class::bar;
      ins.add(roll(2) == 0 ? iflag::sync : iflag::fence);
    } else if (percent(2)) {
      ins.iclass = sched_class::cs2r;
      ins.add(iflag::reads_clock);
      ops.push_back(operand::def(any_r(2), slot::dst, 2));
    } else if (percent(o.memory_percent)) {
      static constexpr mem_space spaces[] = {mem_space::global, mem_space::global,  mem_space::shared,
                                             mem_space::local,  mem_space::generic, mem_space::constant};
      ins.space = spaces[roll(6)];
      const unsigned w = width();
      ins.mem_bytes = static_cast<std::uint8_t>(4u * w);
      ins.mem_offset = static_cast<std::int32_t>(roll(6)) * 4 - 8;
      if (percent(10)) ins.add(iflag::volatile_mem);
      if (ins.space == mem_space::constant || percent(50)) {
        ins.dir = mem_dir::load;
        ins.iclass = ins.space == mem_space::shared ? sched_class::lds : sched_class::ldg;
        if (percent(20)) ins.add(iflag::readonly_mem);
        ops.push_back(operand::def(any_r(w), slot::dst, w));
        ops.push_back(operand::use(any_r(2), slot::address, 2));
      } else {
        ins.dir = percent(20) ? mem_dir::atomic : mem_dir::store;
        ins.iclass = ins.space == mem_space::shared ? sched_class::sts : sched_class::stg;
        if (ins.dir == mem_dir::atomic) {
          ins.iclass = sched_class::atomg;
          ops.push_back(operand::def(any_r(1), slot::dst, 1));
        }
        ops.push_back(operand::use(any_r(2), slot::address, 2));
        if (percent(30)) ops.push_back(operand::use(UR(roll(4)), slot::uaddress, 1));
        ops.push_back(operand::use(any_r(w), slot::data, w));
      }
    } else {
      static constexpr sched_class classes[] = {sched_class::alu,  sched_class::imad,       sched_class::fma,
                                                sched_class::mufu, sched_class::imad_wide,  sched_class::setp,
                                                sched_class::shfl, sched_class::hmma_large, sched_class::ualu};
      ins.iclass = classes[roll(9)];
      if (ins.iclass == sched_class::setp) {
        const unsigned first = roll(3);
        ops.push_back(operand::def(P(first), slot::pdst));
        if (percent(30)) ops.push_back(operand::def(P((first + 1) % 3), slot::pdst1));
      } else if (ins.iclass == sched_class::ualu) {
        ops.push_back(operand::def(UR(roll(4)), slot::dst));
      } else {
        const unsigned w = width();
        operand d = operand::def(any_r(w), slot::dst, w);
        if (percent(8)) d.set(operand::bit_partial | (1u << 25));
        ops.push_back(d);
      }
      if (percent(70)) ops.push_back(operand::use(any_r(1), slot::a));
      if (percent(60)) {
        const unsigned w = width();
        ops.push_back(operand::use(any_r(w), slot::b, w));
      }
      if (percent(30)) ops.push_back(operand::use(any_r(2), slot::c, 2));
      if (percent(20)) ops.push_back(operand::use(P(roll(3)), slot::psrc));
      if (percent(20)) ops.push_back(operand::use(UR(roll(4)), slot::b));
      if (percent(10)) ops.push_back(operand::use(RZ, slot::a));
    }
    if (percent(o.guard_percent)) {
      ins.add(iflag::guarded);
      ins.guard_negated = static_cast<std::uint8_t>(roll(2));
      for (operand& d : ops) {
        if (d.is_def()) d.set(operand::bit_partial);
      }
      ops.push_back(operand::use(roll(8) == 0 ? UP(roll(2)) : P(roll(3)), slot::guard));
    }
    ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
    ins.operand_count = static_cast<std::uint8_t>(ops.size());
    p.operands.insert(p.operands.end(), ops.begin(), ops.end());
    p.order.push_back(instr_id(static_cast<std::uint32_t>(p.instructions.size())));
    p.instructions.push_back(ins);
    ++b.count;
  }
  p.blocks.push_back(b);
}

inline ww::program random_block(unsigned seed, const random_block_options& o) {
  ww::program p;
  std::mt19937 rng(seed);
  append_random_block(p, rng, o);
  return p;
}

}  // namespace ww_test
