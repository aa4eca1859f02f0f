// SPDX-License-Identifier: BSL-1.0
//
// The opcode table against the enumeration and the lookup, at compile time.
#include "warpwright/isa/opcode_table.hpp"

#include <cstddef>
#include <cstdint>

#include "../support/catch.hpp"
#include "warpwright/isa/opcode.hpp"

namespace {

using namespace ww;
using namespace ww::isa;

consteval bool rows_in_order() {
  for (std::size_t i = 0; i < opcode_count; ++i) {
    if (static_cast<std::size_t>(opcode_table[i].op) != i) return false;
    if (opcode_table[i].name.size() > 16) return false;
    if (i != 0 && opcode_table[i].name.empty()) return false;
  }
  return true;
}
static_assert(rows_in_order(), "opcode rows and the opcode enumeration differ in order");

consteval bool every_mnemonic_found() {
  for (std::uint16_t i = 1; i < opcode_count; ++i) {
    if (ww::isa::detail::opcode_words.find(opcode_table[i].name) != i) return false;
  }
  return true;
}
static_assert(every_mnemonic_found(), "a mnemonic stands twice in the opcode rows");

}  // namespace

TEST_CASE("every opcode is found by its mnemonic") {
  for (unsigned i = 1; i < opcode_count; ++i) {
    const auto op = static_cast<opcode>(i);
    CHECK(find_opcode(name(op)) == op);
  }
}
