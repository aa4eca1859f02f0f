// SPDX-License-Identifier: BSL-1.0
//
// Text of listings as tests compare it.
//
//   written(module)       what write_listing() gives; a test that asks for what is refused fails
//   without_reuse(body)   an instruction's text without its reuse marks
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <warpwright/sass/writer.hpp>

#include "catch.hpp"

namespace ww_test {

inline std::string written(const ww::sass::module& m) {
  std::string out;
  const ww::sass::error e = ww::sass::write_listing(m, [&](std::string_view piece) { out += piece; });
  INFO(e.message());
  REQUIRE(!e);
  return out;
}

inline std::string without_reuse(std::string_view body) {
  std::string s(body);
  for (std::size_t at = s.find(".reuse"); at != std::string::npos; at = s.find(".reuse", at)) s.erase(at, 6);
  return s;
}

}  // namespace ww_test
