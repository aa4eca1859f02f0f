// SPDX-License-Identifier: BSL-1.0
//
// Programs of one block for engine tests: built instruction by instruction, or at random from a seed.
//
// Random blocks mix ALU, FMA, MUFU, loads, stores, predicates, guards and wide results over a small set of registers, so
// that true, anti and output dependences are all frequent. `legal` is an independent check of an order: every pair of
// instructions that touch a common register (at least one writing it) or memory of one space (at least one storing) keeps
// its order.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "warpwright/ir/program.hpp"
#include "warpwright/isa/sched_class.hpp"

namespace ww_test {

struct block_builder {
  ww::program p;

  ww::instr_id add(ww::sched_class c, std::vector<ww::operand> operands) {
    ww::instruction i;
    i.iclass = c;
    i.first_operand = static_cast<std::uint32_t>(p.operands.size());
    i.operand_count = static_cast<std::uint8_t>(operands.size());
    for (const ww::operand& o : operands) {
      p.operands.push_back(o);
      if (o.is_use() && o.where() == ww::slot::guard) i.add(ww::iflag::guarded);
    }
    using ww::sched_class;
    if (c == sched_class::ldg || c == sched_class::stg) i.space = ww::mem_space::global;
    if (c == sched_class::lds || c == sched_class::sts) i.space = ww::mem_space::shared;
    if (c == sched_class::ldg || c == sched_class::lds) i.dir = ww::mem_dir::load;
    if (c == sched_class::stg || c == sched_class::sts) i.dir = ww::mem_dir::store;
    if (i.dir != ww::mem_dir::none) i.mem_bytes = 4;
    if (c == sched_class::exit || c == sched_class::branch) {
      i.add(ww::iflag::ends_block);
      i.add(c == sched_class::exit ? ww::iflag::exit : ww::iflag::branch);
    }
    const ww::instr_id id{static_cast<std::uint32_t>(p.instructions.size())};
    p.instructions.push_back(i);
    p.order.push_back(id);
    return id;
  }
  ww::program finish() {
    ww::block b;
    b.count = static_cast<std::uint32_t>(p.order.size());
    b.entry = true;
    b.reachable = true;
    p.blocks = {b};
    return p;
  }

  static ww::operand d(unsigned n, unsigned width = 1) { return ww::operand::def(ww::R(n), ww::slot::dst, width); }
  static ww::operand a(unsigned n, unsigned width = 1) { return ww::operand::use(ww::R(n), ww::slot::a, width); }
  static ww::operand b(unsigned n) { return ww::operand::use(ww::R(n), ww::slot::b); }
  static ww::operand c(unsigned n) { return ww::operand::use(ww::R(n), ww::slot::c); }
  static ww::operand addr(unsigned n) { return ww::operand::use(ww::R(n), ww::slot::address, 2); }
  static ww::operand data(unsigned n) { return ww::operand::use(ww::R(n), ww::slot::data); }
  static ww::operand guard(unsigned n) { return ww::operand::use(ww::P(n), ww::slot::guard); }
};

struct random_options {
  unsigned registers = 24;  // how many general registers are in play: fewer means more anti and output dependences
  bool branch = true;
};

inline ww::program random_block(std::uint32_t seed, unsigned instructions, random_options o = {}) {
  std::mt19937 rng(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(rng() % n); };
  block_builder b;
  using B = block_builder;
  using ww::sched_class;
  const unsigned body = o.branch && instructions > 0 ? instructions - 1 : instructions;
  for (unsigned i = 0; i < body; ++i) {
    const unsigned kind = pick(20);
    std::vector<ww::operand> ops;
    const unsigned dst = pick(o.registers);
    if (kind < 7) {
      ops = {B::d(dst), B::a(pick(o.registers)), B::b(pick(o.registers))};
      if (pick(6) == 0) {
        ops[0].set(ww::operand::bit_partial);
        ops.push_back(B::guard(pick(3)));
      }
      b.add(sched_class::alu, ops);
    } else if (kind < 13) {
      b.add(sched_class::fma, {B::d(dst), B::a(pick(o.registers)), B::b(pick(o.registers)), B::c(pick(o.registers))});
    } else if (kind == 13) {
      b.add(sched_class::mufu, {B::d(dst), B::a(pick(o.registers))});
    } else if (kind < 17) {
      b.add(sched_class::ldg, {B::d(dst & ~1u, 1 + pick(2)), B::addr(pick(o.registers) & ~1u)});
    } else if (kind == 17) {
      b.add(sched_class::stg, {B::addr(pick(o.registers) & ~1u), B::data(pick(o.registers))});
    } else if (kind == 18) {
      b.add(sched_class::setp,
            {ww::operand::def(ww::P(pick(3)), ww::slot::pdst), B::a(pick(o.registers)), B::b(pick(o.registers))});
    } else {
      b.add(sched_class::lds, {B::d(dst), B::a(pick(o.registers))});
    }
  }
  if (body != instructions) b.add(sched_class::exit, {});
  return b.finish();
}

inline bool overlap(const ww::operand& x, const ww::operand& y) {
  return x.is_register() && y.is_register() && x.file() == y.file() && x.base().number() < y.base().number() + y.width() &&
         y.base().number() < x.base().number() + x.width();
}

inline bool must_stay_ordered(const ww::program& p, ww::instr_id a, ww::instr_id b) {
  const ww::instruction& x = p[a];
  const ww::instruction& y = p[b];
  if (x.has(ww::iflag::ends_block) || y.has(ww::iflag::ends_block)) return true;
  for (const ww::operand& o : p.operands_of(a)) {
    for (const ww::operand& q : p.operands_of(b)) {
      if ((o.is_def() || q.is_def()) && overlap(o, q)) return true;
    }
  }
  return x.space == y.space && x.space != ww::mem_space::none &&
         (x.dir == ww::mem_dir::store || y.dir == ww::mem_dir::store);
}

// O(n^2): `after` is a permutation of `before` that keeps every pair that must keep its order.
inline bool legal(const ww::program& before, const ww::program& after) {
  const std::size_t n = before.order.size();
  if (after.order.size() != n) return false;
  std::vector<std::uint32_t> place(before.instructions.size(), 0xffffffffu);
  for (std::uint32_t i = 0; i < n; ++i) {
    std::uint32_t& at = place[after.order[i].index()];
    if (at != 0xffffffffu) return false;
    at = i;
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const ww::instr_id a = before.order[i];
      const ww::instr_id b = before.order[j];
      if (place[a.index()] > place[b.index()] && must_stay_ordered(before, a, b)) return false;
    }
  }
  return true;
}

}  // namespace ww_test
