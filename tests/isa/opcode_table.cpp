// SPDX-License-Identifier: BSL-1.0
//
// The opcode table against the enumeration and the lookup, at compile time and at run time.
#include "warpwright/isa/opcode_table.hpp"

#include <cstddef>

#include "../support/catch.hpp"
#include "warpwright/isa/modifier_text.hpp"
#include "warpwright/isa/opcode.hpp"

namespace {

using namespace ww;
using namespace ww::isa;

consteval bool rows_in_order() {
  for (std::size_t i = 0; i < opcode_count; ++i) {
    if (static_cast<std::size_t>(opcode_table[i].op) != i) return false;
    if (opcode_table[i].name[15] != '\0') return false;
    if (i != 0 && opcode_table[i].name[0] == '\0') return false;
  }
  return true;
}
static_assert(rows_in_order(), "opcode rows and the opcode enumeration differ in order");

// Every modifier that is named can be spelled, in one way.
consteval bool all_are_spelled() {
  std::size_t seen[static_cast<std::size_t>(modifier::count)] = {};
  for (const auto& row : isa::detail::modifier_words) ++seen[static_cast<std::size_t>(row.value)];
  for (const std::size_t n : seen) {
    if (n != 1) return false;
  }
  return true;
}
static_assert(all_are_spelled());

static_assert(find_opcode("FADD") == opcode::fadd && find_opcode("LONGJMP") == opcode::longjmp);
static_assert(find_opcode("FADDX") == opcode::unknown && find_opcode("") == opcode::unknown);
static_assert(find_modifier("WIDE") == modifier::wide && find_modifier("RN") == modifier::count);

}  // namespace

TEST_CASE("every opcode is found by its mnemonic") {
  for (unsigned i = 1; i < opcode_count; ++i) {
    const auto op = static_cast<opcode>(i);
    CHECK(find_opcode(name(op)) == op);
  }
}

TEST_CASE("a word that is no mnemonic is found nowhere") {
  CHECK(find_opcode("") == opcode::unknown);
  CHECK(find_opcode("FADDX") == opcode::unknown);
  CHECK(find_opcode("FAD") == opcode::unknown);
  CHECK(find_opcode("SIXTEEN_LETTERS_") == opcode::unknown);
  CHECK(find_opcode("ENDCOLLECTIVEENDCOLLECTIVE") == opcode::unknown);
}

TEST_CASE("every modifier is found by its word, and none stands twice") {
  for (const auto& row : isa::detail::modifier_words) {
    CHECK(find_modifier(row.name) == row.value);
  }
}
