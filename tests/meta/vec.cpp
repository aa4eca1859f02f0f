// SPDX-License-Identifier: BSL-1.0
//
// ww::vec against std::vector: the same calls, the same elements.
#include "warpwright/meta/vec.hpp"

#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../support/catch.hpp"

namespace {

using ww::vec;

// A long text, so that elements own memory.
std::string word(unsigned n) { return "element number " + std::to_string(n) + " of an array of strings"; }
unsigned number(unsigned n) { return n; }

template <class T, class Make>
void same_as_std(Make make) {
  std::mt19937 rng(7);
  vec<T> v;
  std::vector<T> s;
  for (unsigned step = 0; step < 4000; ++step) {
    const std::size_t at = s.empty() ? 0 : rng() % (s.size() + 1);
    switch (rng() % 10) {
      case 0:
        v.resize(at), s.resize(at);
        break;
      case 1:
        v.resize(at + 5, make(step)), s.resize(at + 5, make(step));
        break;
      case 2:
        v.insert(v.begin() + at, make(step)), s.insert(s.begin() + static_cast<std::ptrdiff_t>(at), make(step));
        break;
      case 3: {
        const T more[] = {make(step), make(step + 1)};
        v.insert(v.begin() + at, more, more + 2);
        s.insert(s.begin() + static_cast<std::ptrdiff_t>(at), more, more + 2);
        break;
      }
      case 4:
        v.erase(v.begin() + at / 2, v.begin() + at);
        s.erase(s.begin() + static_cast<std::ptrdiff_t>(at / 2), s.begin() + static_cast<std::ptrdiff_t>(at));
        break;
      case 5:
        if (!s.empty()) v.pop_back(), s.pop_back();
        break;
      case 6:
        if (!s.empty()) v.push_back(v[0]), s.push_back(s[0]);  // an element of the array itself
        break;
      case 7:
        if (step % 50 == 0) v.assign(3, make(step)), s.assign(3, make(step));
        break;
      default:
        v.push_back(make(step)), s.push_back(make(step));
    }
    REQUIRE(v == s);
    REQUIRE(v.capacity() >= v.size());
  }
  vec<T> copy = v;
  CHECK(copy == v);
  vec<T> moved = std::move(copy);
  CHECK(moved == s);
  CHECK(copy.empty());  // a moved-from vec is empty
  copy = moved;
  moved.clear();
  moved.swap(copy);
  CHECK(moved == s);
  CHECK(copy.empty());
  CHECK_FALSE(moved == copy);
}

}  // namespace

TEST_CASE("vec does what std::vector does") {
  same_as_std<unsigned>(number);
  same_as_std<std::string>(word);
}

TEST_CASE("vec takes counts, ranges and lists apart") {
  vec<unsigned> v;
  v.assign(3u, 4u);
  CHECK(v == vec<unsigned>{4, 4, 4});
  v = {1, 2};
  CHECK(std::span<const unsigned>(v).size() == 2);
  CHECK(vec<unsigned>(v.begin() + 1, v.end()) == vec<unsigned>{2});
  CHECK(vec<unsigned>(2) == vec<unsigned>{0, 0});
  vec<vec<int>> nested(2);
  nested[1].push_back(5);
  nested.resize(40);
  CHECK(nested[1] == vec<int>{5});
}

TEST_CASE("vec keeps the alignment of its elements") {
  struct alignas(64) line {
    unsigned value = 0;
  };
  vec<line> v;
  for (unsigned i = 0; i < 100; ++i) {
    v.push_back({i});
    REQUIRE(reinterpret_cast<std::uintptr_t>(v.data()) % 64 == 0);
  }
  CHECK(v[99].value == 99);
}
