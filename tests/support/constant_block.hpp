// SPDX-License-Identifier: BSL-1.0
//
// Instructions for blocks that are scheduled in constant expressions.
#pragma once

#include <cstdint>

#include "warpwright/ir/instruction.hpp"
#include "warpwright/isa/sched_class.hpp"

namespace ww_test {

constexpr ww::instruction of(ww::sched_class c) {
  ww::instruction i;
  i.iclass = c;
  return i;
}
constexpr ww::instruction memory(ww::sched_class c, ww::mem_space space, ww::mem_dir dir, unsigned bytes) {
  ww::instruction i = of(c);
  i.space = space;
  i.dir = dir;
  i.mem_bytes = static_cast<std::uint8_t>(bytes);
  return i;
}

}  // namespace ww_test
