// SPDX-License-Identifier: BSL-1.0
//
// Return addresses among the numbers of a program: which are told, and what refuses it.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/function_lines.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/return_numbers.hpp"

using namespace ww;

namespace {

program of(const std::vector<std::string>& lines) {
  program p = ww_test::functions_of(lines);
  REQUIRE(build_cfg(p).ok);
  return p;
}
bool told(const program& p, std::size_t many) {
  std::vector<sass::return_number> numbers;
  return sass::find_return_numbers(p, numbers) && numbers.size() == many;
}
bool matched(const program& p) {
  std::vector<sass::return_number> numbers;
  (void)sass::find_return_numbers(p, numbers);
  return sass::detail::matched_calls(p).run(numbers);
}

// Two calls of one function: what is done to registers in front of each, behind each, and in the function.
struct parts {
  std::vector<std::string> first{}, first_behind{}, second{}, second_behind{}, function{};
  std::string first_number{}, second_number{};  // where they are not those of their own calls
};
program two_calls(const parts& x) {
  std::vector<std::string> lines;
  const auto add = [&lines](const std::vector<std::string>& more) { lines.insert(lines.end(), more.begin(), more.end()); };
  const auto hex = [](std::size_t v) {
    std::string s;
    for (; v != 0; v /= 16) s.insert(s.begin(), "0123456789abcdef"[v % 16]);
    return "0x" + s;
  };
  const std::size_t behind_first = x.first.size() + 2;
  const std::size_t behind_second = behind_first + x.first_behind.size() + x.second.size() + 2;
  lines.push_back("MOV R20, " + (x.first_number.empty() ? hex(16 * behind_first) : x.first_number));
  add(x.first);
  lines.emplace_back("CALL.REL.NOINC `(f)");
  add(x.first_behind);
  lines.push_back("MOV R20, " + (x.second_number.empty() ? hex(16 * behind_second) : x.second_number));
  add(x.second);
  lines.emplace_back("CALL.REL.NOINC `(f)");
  add(x.second_behind);
  lines.emplace_back("EXIT");
  lines.emplace_back("f:");
  add(x.function);
  lines.emplace_back("MOV R2, R20");
  lines.emplace_back("MOV R3, RZ");
  lines.emplace_back("RET.REL.NODEC R2 `(f)");
  return of(lines);
}

}  // namespace

TEST_CASE("return numbers: calls that come back behind themselves, and numbers that are something else") {
  CHECK(told(two_calls({}), 2));
  CHECK(matched(two_calls({})));
  CHECK_FALSE(told(two_calls({.first = {"STG.E [R8.64], R20"}}), 2));  // the number is used for something
  CHECK_FALSE(told(two_calls({.function = {"MOV R20, R9"}}), 2));      // it goes where nobody knows
  CHECK_FALSE(told(two_calls({.function = {"@P0 MOV R20, R9"}}), 2));
  CHECK_FALSE(told(two_calls({.function = {"IADD3 R20, R20, R9, RZ"}}), 2));
  CHECK(told(two_calls({.function = {"MOV R21, R20", "MOV R20, R21"}}), 2));  // copies there and back
  CHECK(matched(two_calls({.function = {"MOV R21, R20", "MOV R20, R21"}})));
}

TEST_CASE("return numbers: what a function does not write is what it was in front of its own call") {
  // R5 holds a number that nobody needs at the first call, and a value across the second.
  const std::vector<std::string> copy = {"MOV R5, R20"}, value = {"MOV R5, R9"}, use = {"STG.E [R8.64], R5"};
  CHECK(told(two_calls({.first = copy, .second = value, .second_behind = use}), 2));
  CHECK_FALSE(told(two_calls({.first = copy, .first_behind = use}), 2));
  CHECK_FALSE(told(two_calls({.first = copy, .second_behind = use}), 2));
  // Written by the function, it is what the function leaves.
  CHECK(told(two_calls({.first = copy, .first_behind = use, .function = value}), 2));
  CHECK_FALSE(told(two_calls({.first = value, .first_behind = use, .function = copy}), 2));
  CHECK_FALSE(told(two_calls({.first = copy, .second = value, .second_behind = use, .function = {"@P0 MOV R5, R9"}}), 2));
}

TEST_CASE("return numbers: what a function calls is its own doing, and its code is its own") {
  // Lines of the kernel, of f, which calls g at the place given, and of g.
  const auto nested = [](const std::vector<std::string>& behind, const std::vector<std::string>& g) {
    std::vector<std::string> lines = {"MOV R20, 0x30", "MOV R5, R20", "CALL.REL.NOINC `(f)",
                                      "MOV R20, 0x60", "MOV R5, R9",  "CALL.REL.NOINC `(f)"};
    lines.insert(lines.end(), behind.begin(), behind.end());
    lines.emplace_back("EXIT");
    const std::size_t in_f = lines.size();
    lines.insert(lines.end(), {"f:", "MOV R22, 0x" + std::string(in_f == 7 ? "90" : "a0"), "CALL.REL.NOINC `(g)",
                               "RET.REL.NODEC R20 `(f)", "g:"});
    lines.insert(lines.end(), g.begin(), g.end());
    lines.emplace_back("RET.REL.NODEC R22 `(f)");
    return of(lines);
  };
  const std::vector<std::string> use = {"STG.E [R8.64], R5"};
  CHECK(matched(nested({}, {})));
  CHECK(told(nested({}, {}), 3));
  CHECK(told(nested(use, {}), 3));                         // R5 is a value in front of the second call, and kept
  CHECK_FALSE(told(nested(use, {"@P0 MOV R5, R22"}), 3));  // g writes it, and so does f
  CHECK_FALSE(matched(nested({}, {"MOV R20, R9"})));       // g writes what f goes back by
  CHECK_FALSE(matched(nested({"BRA `(.x)"}, {"MOV R6, R9", ".x:", "MOV R7, R9"})));  // the kernel jumps into g
}

TEST_CASE("return numbers: calls are not told apart where a function may come back behind another one") {
  const std::vector<std::string> copy = {"MOV R5, R20"}, value = {"MOV R5, R9"}, use = {"STG.E [R8.64], R5"};
  parts x{.first = copy, .second = value, .second_behind = use};
  REQUIRE(matched(two_calls(x)));
  x.second_number = "0x30";  // the first call's
  CHECK_FALSE(matched(two_calls(x)));
  CHECK_FALSE(told(two_calls(x), 2));
  x = {.first = copy, .second = value, .second_behind = use, .function = {"@P1 MOV R20, R21"}};
  CHECK_FALSE(matched(two_calls(x)));
  x = {.first = {"MOV R21, R20", "MOV R5, R20"}, .second = {"MOV R21, R20", "MOV R5, R9"}, .second_behind = use};
  x.function = {"@P1 MOV R20, R21"};  // the same number: which of two registers held it is not asked
  CHECK_FALSE(matched(two_calls(x)));
}

TEST_CASE("return numbers: under one guard a register holds what was written under it") {
  const auto with = [](const std::vector<std::string>& then) {
    std::vector<std::string> body = {"MOV R5, R20"};  // a number that stays there where the guard is false
    body.insert(body.end(), then.begin(), then.end());
    return told(two_calls({.function = body}), 2);
  };
  CHECK_FALSE(with({"STG.E [R8.64], R5"}));
  CHECK(with({"@P0 IADD3 R5, R9, R9, RZ", "@P0 STG.E [R8.64], R5"}));
  CHECK(with({"@!P0 IADD3 R5, R9, R9, RZ", "@!P0 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IADD3 R5, R9, R9, RZ", "STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IADD3 R5, R9, R9, RZ", "@!P0 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IADD3 R5, R9, R9, RZ", "@P1 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IADD3 R5, R9, R9, RZ", "ISETP.NE.AND P0, PT, R9, RZ, PT", "@P0 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IADD3 R5, R9, R9, RZ", "@P0 MOV R5, R20", "@P0 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IADD3 R5, R9, R9, RZ", "MOV R5, R20", "@P0 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 IMAD.MOV.U32 R5, RZ, RZ, R20", "@!P0 IADD3 R5, R9, R9, RZ", "@P0 STG.E [R8.64], R5"}));
  CHECK_FALSE(with({"@P0 MOV R5, R9", "@P0 STG.E [R8.64], R5"}));  // MOV may write some bytes only
}

TEST_CASE("return numbers: odd input is answered") {
  std::vector<sass::return_number> numbers;
  CHECK(sass::find_return_numbers(program{}, numbers));
  CHECK(numbers.empty());
  CHECK(told(of({"EXIT"}), 0));
  CHECK_FALSE(told(of({"RET.REL.NODEC R2 `(f)", "f:", "EXIT"}), 0));  // goes back to nobody
  const program uncalled = of({"EXIT", "f:", "RET.REL.NODEC R2 `(f)"});
  CHECK_FALSE(told(uncalled, 0));
  CHECK_FALSE(matched(uncalled));
}

TEST_CASE("return numbers: each is the address behind its call, in listings") {
  unsigned with_calls = 0, known = 0, matching = 0;
  for (const std::string& path : ww_test::corpus::listings()) {
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result l = sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    REQUIRE(l);
    for (program& p : l.mod.sections) {
      if (!build_cfg(p).ok) continue;
      bool returns = false;
      for (const instruction& i : p.instructions) returns = returns || i.has(iflag::ret);
      if (!returns || !p.has_encoding || dialect_of(p.sm).word64) continue;
      ++with_calls;
      std::vector<sass::return_number> numbers;
      if (!sass::find_return_numbers(p, numbers)) continue;
      ++known;
      matching += sass::detail::matched_calls(p).run(numbers) ? 1u : 0u;
      for (const sass::return_number& n : numbers) CHECK(p[n.move].word[0] >> 32 == p[n.call].address + 16);
    }
  }
  WARN(with_calls << " sections with RET, the return addresses of " << known << " are told, calls of " << matching
                  << " are matched");
  CHECK(known * 3 > with_calls);
}
