// SPDX-License-Identifier: BSL-1.0
//
// The types that stand in for standard ones: string_view, array, and the traits and bit counts of meta/.
#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iomanip>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../support/catch.hpp"
#include "warpwright/ir/ids.hpp"
#include "warpwright/meta/array.hpp"
#include "warpwright/meta/binary_heap.hpp"
#include "warpwright/meta/bits.hpp"
#include "warpwright/meta/string_view.hpp"
#include "warpwright/meta/traits.hpp"

namespace {

using ww::string_view;

// Conversions: from literals, std::string and std::string_view; to std::string_view; to std::string only in words.
static_assert(std::convertible_to<const char*, string_view> && std::convertible_to<std::string, string_view>);
static_assert(std::convertible_to<std::string_view, string_view> && std::convertible_to<string_view, std::string_view>);
static_assert(!std::convertible_to<string_view, std::string> && std::constructible_from<std::string, string_view>);
static_assert(!std::convertible_to<std::vector<int>, string_view> && !std::convertible_to<string_view, std::vector<char>>);

constexpr string_view word = "IMAD.WIDE";
static_assert(word.size() == 9 && word.front() == 'I' && word.back() == 'E' && !word.empty() && string_view().empty());
static_assert(word == "IMAD.WIDE" && word != "IMAD" && word == std::string_view("IMAD.WIDE"));
static_assert(std::string_view("IMAD.WIDE") == word && "IMAD.WIDE" == word && std::string_view("IMAD") != word);
static_assert(word.find('.') == 4 && word.find("WI") == 5 && word.find('x') == string_view::npos && word.rfind('D') == 7);
static_assert(word.find('D', 4) == 7 && word.find("IDEA") == string_view::npos && word.find("") == 0);
static_assert(word.substr(5) == "WIDE" && word.substr(5, 2) == "WI" && word.substr(20).empty());
static_assert(word.starts_with("IMAD") && !word.starts_with("IMAD.WIDE.U32") && word.ends_with("DE") && word.contains("."));
static_assert(word.find_first_of(".W") == 4 && word.find_first_not_of("IMA") == 3 && word.find_last_not_of("EDI") == 5);
static_assert(string_view("a") < "b" && string_view("a") < "ab" && string_view("b") > "ab" && !(word < word));
static_assert(string_view("\xff").compare("a") > 0 && string_view("").compare("") == 0);

constexpr ww::array<int, 3> three{3, 1, 2};
static_assert(three.size() == 3 && three[1] == 1 && three.front() == 3 && three.back() == 2 &&
              three.data() == three.begin());
static_assert(three == std::array<int, 3>{3, 1, 2} && three != ww::array<int, 3>{3, 1, 0} &&
              std::is_trivially_copyable_v<ww::array<int, 3>>);
static_assert(std::same_as<decltype(ww::array{1u, 2u}), ww::array<unsigned, 2>>);

struct id_pair {
  ww::instr_id first, second;
  friend auto operator<=>(const id_pair&, const id_pair&) = default;
};

struct base {};
struct derived : base {};
static_assert(ww::meta::same_as<int, int> && !ww::meta::same_as<int, const int>);
static_assert(ww::meta::convertible_to<derived*, base*> && !ww::meta::convertible_to<base*, derived*>);
static_assert(ww::meta::convertible_to<const unsigned&, unsigned> && !ww::meta::convertible_to<const char*, int>);
static_assert(ww::meta::unsigned_integral<std::uint64_t> && !ww::meta::unsigned_integral<int>);
static_assert(std::same_as<ww::meta::conditional_t<true, int, char>, int>);
static_assert(std::same_as<ww::meta::conditional_t<false, int, char>, char>);
static_assert(ww::meta::is_decorated_v<int&> && ww::meta::is_decorated_v<int*> && ww::meta::is_decorated_v<const int>);
static_assert(ww::meta::is_decorated_v<volatile int> && !ww::meta::is_decorated_v<base>);
static_assert(ww::meta::popcount(0xf0f0u) == 8 && ww::meta::popcount(~0ull) == 64 && ww::meta::countr_zero(8u) == 3);

}  // namespace

TEST_CASE("string_view compares at run time as in constant expressions, and a std::string may be made of it") {
  const std::string text = "LDG.E.128";
  const string_view v = text;
  CHECK(v == text);
  CHECK(text == v);
  CHECK(v.substr(4) == "E.128");
  CHECK(std::string(v.substr(0, 3)) + "!" == "LDG!");
  std::string sum = "<";
  sum += v;
  CHECK(sum == "<LDG.E.128");
  string_view rest = v;
  rest.remove_prefix(4);
  rest.remove_suffix(4);
  CHECK(rest == "E");
  CHECK(string_view() == "");
}

TEST_CASE("string_view prints as std::string_view does") {
  for (const auto& side : {std::left, std::right}) {
    std::ostringstream own, standard;
    own << '[' << std::setw(6) << std::setfill('.') << side << string_view("abc") << string_view("d") << ']';
    standard << '[' << std::setw(6) << std::setfill('.') << side << std::string_view("abc") << std::string_view("d") << ']';
    CHECK(own.str() == standard.str());
  }
}

TEST_CASE("array is filled and walked") {
  ww::array<std::size_t, 5> a{};
  a.fill(7);
  std::size_t sum = 0;
  for (const std::size_t e : a) sum += e;
  CHECK(sum == 35);
  a[2] = 1;
  CHECK(a != ww::array<std::size_t, 5>{7, 7, 7, 7, 7});
}

TEST_CASE("small headers: an array of none is empty") {
  constexpr ww::array<int, 0> none{};
  static_assert(none.empty() && none.size() == 0 && none.begin() == none.end());
  CHECK(none == ww::array<int, 0>{});
}

TEST_CASE("ids are ordered by their number, also as members of what is ordered by default") {
  const ww::instr_id one{1}, two{2};
  CHECK(one < two);
  CHECK(two >= one);
  CHECK(((one <=> two) < 0) == true);
  CHECK(id_pair{one, two} < id_pair{two, one});
  CHECK(id_pair{one, two} == id_pair{one, two});
}

namespace {
struct shorter {
  static constexpr bool before(int a, int b) { return a < b; }
};
constexpr bool heap_in_order() {
  ww::meta::binary_heap<int, shorter> h;
  for (const int x : {5, 1, 4, 1, 3}) h.push(x);
  int last = 0;
  for (; !h.empty(); h.pop()) {
    if (h.top() < last) return false;
    last = h.top();
  }
  return last == 5;
}
static_assert(heap_in_order());
}  // namespace

TEST_CASE("binary heap: the least comes out first, whatever goes in between") {
  std::mt19937 random(3);
  ww::meta::binary_heap<int, shorter> heap;
  std::vector<int> plain;
  for (unsigned step = 0; step < 20000; ++step) {
    if (plain.empty() || random() % 5 < (step < 12000 ? 3u : 2u)) {
      const int x = static_cast<int>(random() % 1000);
      heap.push(x);
      plain.push_back(x);
    } else {
      const auto least = std::min_element(plain.begin(), plain.end());
      REQUIRE(heap.top() == *least);
      plain.erase(least);
      heap.pop();
    }
    REQUIRE(heap.size() == plain.size());
  }
  std::vector<int> left(heap.begin(), heap.end());
  std::sort(left.begin(), left.end());
  std::sort(plain.begin(), plain.end());
  CHECK(left == plain);
  heap.clear();
  CHECK(heap.empty());
}
