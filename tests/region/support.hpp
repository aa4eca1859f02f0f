// SPDX-License-Identifier: BSL-1.0
//
// What the tests of region strategies share: programs from text, and where their instructions stand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "../support/catch.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"

namespace ww_test {

// Instructions one per line, labels with a colon; ids count instructions from 0.
inline ww::program from_text(std::string_view lines) {
  ww::isa::builder b;
  b.lines(lines);
  ww::program p = b.finish();
  INFO("line " << b.first_error().line << " column " << b.first_error().column);
  REQUIRE(b.ok());
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

inline std::uint32_t place_in(const ww::program& p, std::uint32_t id) {
  return static_cast<std::uint32_t>(std::find(p.order.begin(), p.order.end(), ww::instr_id{id}) - p.order.begin());
}
inline ww::block_id block_of(const ww::program& p, std::uint32_t id) {
  const std::uint32_t place = place_in(p, id);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (place - p.blocks[b].first < p.blocks[b].count) return ww::block_id{b};
  }
  return {};
}

}  // namespace ww_test
