// SPDX-License-Identifier: BSL-1.0
//
// A program from the text of its instructions, with its control-flow graph; a test that gives bad text fails.
#pragma once

#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>

#include "catch.hpp"

namespace ww_test {

inline ww::program text(const char* lines) {
  ww::isa::builder b;
  b.lines(lines);
  INFO(b.first_error().expected);
  REQUIRE(b.ok());
  ww::program p = b.finish();
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

}  // namespace ww_test
