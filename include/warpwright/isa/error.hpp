// SPDX-License-Identifier: BSL-1.0
//
// An error in instruction text, as a value: where it is and what should have stood there.
//
// `line` counts from 1 (0 = the text was one line), `column` from 0. `expected` is static text without a final dot;
// a caller that has a file name puts it in front: "kernel.sass:12:34: expected a register".
#pragma once

#include <cstdint>

namespace ww::isa {

struct error {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  const char* expected = "";

  [[nodiscard]] constexpr bool ok() const { return *expected == '\0'; }
  friend constexpr bool operator==(const error& a, const error& b) {
    return a.line == b.line && a.column == b.column && a.expected == b.expected;
  }
};

}  // namespace ww::isa
