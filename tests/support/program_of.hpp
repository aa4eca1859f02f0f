// SPDX-License-Identifier: BSL-1.0
//
// A small program from text.
#pragma once

#include <string_view>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>

#include "catch.hpp"

namespace ww_test {

// Lines of assembly with labels, as a program with blocks.
template <class Arch>
ww::program program_of(std::string_view text) {
  ww::isa::builder b(ww::dialect_of(Arch::id));
  b.lines(text);
  ww::program p = b.finish();
  REQUIRE(b.ok());
  p.sm = Arch::id;
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

}  // namespace ww_test
