// SPDX-License-Identifier: BSL-1.0
//
// Small random programs with branches and loops (reducible or not), unreachable blocks, calls and, if asked for, opcodes
// that are not known: few registers, wide operands, guards and half writes, so that webs meet in every way.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/program.hpp>
#include <warpwright/isa/opcode.hpp>
#include <warpwright/isa/sched_class.hpp>

namespace ww_test {

struct random_flow_options {
  unsigned count = 24;
  unsigned registers = 10;  // R registers in use
  bool open = false;        // unknown opcodes, calls to nowhere, returns, indirect branches
  bool calls = true;        // a local function and calls of it
};

inline ww::program random_flow(unsigned seed, const random_flow_options& o) {
  using namespace ww;
  std::mt19937 rng(seed);
  const auto roll = [&rng](unsigned n) { return static_cast<unsigned>(rng() % n); };
  const auto percent = [&](unsigned n) { return roll(100) < n; };
  program p;
  const bool has_function = o.calls && percent(30);
  const unsigned callee = o.count - 6;
  for (unsigned i = 0; i < o.count; ++i) {
    instruction ins;
    std::vector<operand> ops;
    const auto any_r = [&](unsigned width) {
      const unsigned base = width == 1 ? roll(o.registers) : roll(o.registers / width) * width;
      return R(base + (width == 2 && percent(5) ? 1u : 0u));
    };
    const auto width = [&] { return roll(6) == 0 ? 4u : (roll(4) == 0 ? 2u : 1u); };
    const bool in_function = has_function && i >= callee;
    if (i + 1 == o.count || (has_function && i + 1 == callee)) {
      ins.iclass = in_function ? sched_class::ret : sched_class::exit;
      ins.add(in_function ? iflag::ret : iflag::exit);
      ins.add(iflag::ends_block);
    } else if (percent(22)) {
      ins.iclass = sched_class::branch;
      ins.add(iflag::branch);
      ins.add(iflag::ends_block);
      const unsigned low = in_function ? callee : 0;
      const unsigned high = has_function && !in_function ? callee : o.count;
      ins.target = instr_id{low + roll(high - low)};
      if (has_function && !in_function && percent(30)) {
        ins.remove(iflag::branch);
        ins.add(iflag::call);
        ins.iclass = sched_class::call;
        ins.target = instr_id{callee};
      } else if (o.open && percent(15)) {
        ins.add(iflag::indirect);
        ins.target = instr_id{};
        ops.push_back(operand::use(any_r(2), slot::branch, 2));
      }
      if (percent(70)) {
        ins.add(iflag::guarded);
        ops.push_back(operand::use(P(roll(3)), slot::guard));
      }
    } else {
      ins.iclass = percent(30) ? sched_class::ldg : sched_class::alu;
      if (ins.iclass == sched_class::ldg) {
        ins.space = mem_space::global;
        ins.dir = mem_dir::load;
      }
      if (o.open && percent(3)) {
        ins.add(iflag::unknown);
        ins.add(iflag::fence);
      }
      const unsigned kind = roll(8);
      if (kind == 0) {
        ops.push_back(operand::def(P(roll(3)), slot::pdst));
      } else if (kind == 1) {
        ops.push_back(operand::def(UR(roll(4)), slot::dst));
      } else {
        const unsigned w = width();
        operand d = operand::def(any_r(w), slot::dst, w);
        if (percent(6)) d.set(operand::bit_partial | (1u << 25));
        ops.push_back(d);
      }
      if (percent(4)) {
        ins.op = opcode::p2r;
        ops.push_back(operand::use(P(roll(3)), slot::psrc));
      }
      if (percent(70)) ops.push_back(operand::use(any_r(1), slot::a));
      const unsigned w = width();
      if (percent(60)) ops.push_back(operand::use(any_r(w), slot::b, w));
      if (percent(20)) ops.push_back(operand::use(P(roll(3)), slot::psrc));
      if (percent(20)) ops.push_back(operand::use(UR(roll(4)), slot::c).set(percent(20) ? operand::bit_hidden : 0u));
      if (percent(10)) ops.push_back(operand::use(RZ, slot::c));
      if (percent(25)) {
        ins.add(iflag::guarded);
        for (operand& d : ops) {
          if (d.is_def()) d.set(operand::bit_partial);
        }
        ops.push_back(operand::use(P(roll(3)), slot::guard));
      }
    }
    ins.word[0] = rng();
    ins.word[1] = rng();
    ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
    ins.operand_count = static_cast<std::uint8_t>(ops.size());
    p.operands.insert(p.operands.end(), ops.begin(), ops.end());
    p.order.push_back(instr_id{i});
    p.instructions.push_back(ins);
  }
  function kernel;
  kernel.kernel = true;
  kernel.entry = instr_id{0};
  p.functions.push_back(kernel);
  if (has_function) {
    function local;
    local.entry = instr_id{callee};
    p.functions.push_back(local);
  }
  if (!build_cfg(p).ok) return {};
  return p;
}

}  // namespace ww_test
