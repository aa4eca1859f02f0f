// SPDX-License-Identifier: BSL-1.0
//
// Instructions for blocks in constant expressions, and a block of 64 of them.
#pragma once

#include "constant_block.hpp"
#include "warpwright/ir/operand.hpp"
#include "warpwright/schedule/block_value.hpp"

namespace ww_test {

constexpr ww::instruction ldg(unsigned registers = 1) {
  return memory(ww::sched_class::ldg, ww::mem_space::global, ww::mem_dir::load, 4 * registers);
}
constexpr ww::instruction stg(unsigned registers = 1) {
  return memory(ww::sched_class::stg, ww::mem_space::global, ww::mem_dir::store, 4 * registers);
}
constexpr ww::instruction lds(unsigned registers = 1) {
  return memory(ww::sched_class::lds, ww::mem_space::shared, ww::mem_dir::load, 4 * registers);
}
constexpr ww::instruction sts() { return memory(ww::sched_class::sts, ww::mem_space::shared, ww::mem_dir::store, 4); }
constexpr ww::instruction guarded(ww::sched_class c) {
  ww::instruction i = of(c);
  i.add(ww::iflag::guarded);
  return i;
}
constexpr ww::instruction bar() {
  ww::instruction i = of(ww::sched_class::bar);
  i.add(ww::iflag::sync);
  i.add(ww::iflag::fence);
  return i;
}

// 64 instructions of 22 classes: matrix operands from global through shared memory, guards, uniform registers, conversions.
constexpr auto make_tile() {
  ww::block_value<64> b;
  unsigned k = 0;
  const auto def = [](unsigned r, unsigned width = 1) { return ww::operand::def(ww::R(r), ww::slot::dst, width); };
  const auto use = [](unsigned r, ww::slot where, unsigned width = 1) { return ww::operand::use(ww::R(r), where, width); };
  for (unsigned i = 0; i < 10; ++i) b.set(k++, ldg(4), def(16 + 4 * i, 4), use(2 + 2 * (i % 4), ww::slot::address, 2));
  for (unsigned i = 0; i < 8; ++i) {
    b.set(k++, of(ww::sched_class::fma), def(60 + i), use(16 + i, ww::slot::a), use(20 + i, ww::slot::b),
          use(60 + i, ww::slot::c));
  }
  for (unsigned i = 0; i < 6; ++i) {
    b.set(k++, of(ww::sched_class::imad_wide), def(80 + 2 * i, 2), use(24 + i, ww::slot::a), use(28 + i, ww::slot::b),
          use(12, ww::slot::c, 2));
  }
  for (unsigned i = 0; i < 6; ++i) {
    b.set(k++, of(ww::sched_class::setp), ww::operand::def(ww::P(i), ww::slot::pdst), use(80 + i, ww::slot::a),
          use(60 + i, ww::slot::b));
  }
  for (unsigned i = 0; i < 6; ++i) {
    b.set(k++, guarded(ww::sched_class::alu_dual), def(100 + i), use(60 + i, ww::slot::a), use(81, ww::slot::b),
          ww::operand::use(ww::P(i), ww::slot::guard));
  }
  for (unsigned i = 0; i < 4; ++i) b.set(k++, sts(), use(10, ww::slot::address), use(100 + i, ww::slot::data));
  b.set(k++, bar());
  for (unsigned i = 0; i < 6; ++i) b.set(k++, lds(2), def(110 + 2 * i, 2), use(11, ww::slot::address));
  for (unsigned i = 0; i < 4; ++i) b.set(k++, of(ww::sched_class::mufu), def(130 + i), use(110 + i, ww::slot::a));
  for (unsigned i = 0; i < 4; ++i) b.set(k++, of(ww::sched_class::shfl), def(134 + i), use(130 + i, ww::slot::a));
  for (unsigned i = 0; i < 3; ++i) {
    b.set(k++, of(ww::sched_class::hmma_medium), def(140 + 4 * i, 4), use(110, ww::slot::a, 2), use(112, ww::slot::b),
          use(140 + 4 * i, ww::slot::c, 4));
  }
  b.set(k++, of(ww::sched_class::r2ur), ww::operand::def(ww::UR(4), ww::slot::dst), use(134, ww::slot::a));
  b.set(k++, of(ww::sched_class::ualu), ww::operand::def(ww::UR(5), ww::slot::dst),
        ww::operand::use(ww::UR(4), ww::slot::a));
  b.set(k++, of(ww::sched_class::conv), def(1), use(135, ww::slot::a));
  for (; k < 64; ++k) b.set(k, stg(4), use(2, ww::slot::address, 2), use(140 + 4 * (k % 3), ww::slot::data, 4));
  return b;
}
inline constexpr auto tile = make_tile();

}  // namespace ww_test
