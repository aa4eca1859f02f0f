// SPDX-License-Identifier: BSL-1.0
//
// SB-1: the four control-word formats: round trips over every word, fields, and what is not a word.
#include <warpwright/arch/all.hpp>
#include <warpwright/arch/control_format.hpp>

#include "../support/catch.hpp"

namespace {

using namespace ww;

// Decodes and encodes every word; returns how many are valid, or fails the law count.
template <class Format>
unsigned valid_words(unsigned& broken) {
  unsigned n = 0;
  for (std::uint32_t w = 0; w < (1u << Format::bits); ++w) {
    if (Format::valid(w)) {
      ++n;
      broken += Format::encode(Format::decode(w)) != w ? 1u : 0u;
    }
  }
  return n;
}

}  // namespace

TEST_CASE("SB-1 every valid word of every SM's format survives decode and encode") {
  meta::for_each<all_archs>([]<class Arch>() {
    using F = typename Arch::control_format;
    unsigned broken = 0;
    const unsigned n = valid_words<F>(broken);
    INFO(Arch::name);
    CHECK(broken == 0);
    // 27 issue codes on sm_70 and later, 28 before; 7 x 7 counter fields; 64 masks; 16 reuse sets.
    CHECK(n == (F::valid(16u | 7u << 5 | 7u << 8) ? 28u : 27u) * 49u * 64u * 16u);
  });
}

TEST_CASE("SB-1 sm_70 words: undefined codes and counter 6 are rejected") {
  constexpr std::uint32_t none = 7u << 5 | 7u << 8;
  for (std::uint32_t code = 0; code < 32; ++code) {
    const bool defined = code <= 15 || (code >= 17 && code <= 27);
    CHECK(sm70_128::valid(code | none) == defined);
    CHECK(control::defined_code(code) == defined);
  }
  CHECK_FALSE(sm70_128::valid(1u | 6u << 5 | 7u << 8));
  CHECK_FALSE(sm70_128::valid(1u | 7u << 5 | 6u << 8));
  CHECK_FALSE(sm70_128::valid(1u | none | 1u << 21));
  CHECK(sm50_group::valid(16u | none));  // dual issue
  CHECK_FALSE(sm50_group::valid(28u | none));
}

TEST_CASE("SB-1 sm_70 words: fields stand where hardware reads them, and nothing else is touched") {
  control c;
  c.stall = 11;
  c.yield = false;
  c.write_barrier = 2;
  c.read_barrier = 5;
  c.wait_mask = 0x21;
  c.reuse = 0x3;
  std::uint64_t word[2] = {0x123456789abcdef0ull, ~0ull};
  sm70_128::place(word, sm70_128::encode(c));
  CHECK(word[0] == 0x123456789abcdef0ull);
  CHECK(((word[1] >> 41) & 15u) == 11);    // 105..108
  CHECK(((word[1] >> 45) & 1u) == 1);      // 109, raw 1 = stay
  CHECK(((word[1] >> 46) & 7u) == 2);      // 110..112
  CHECK(((word[1] >> 49) & 7u) == 5);      // 113..115
  CHECK(((word[1] >> 52) & 63u) == 0x21);  // 116..121
  CHECK(((word[1] >> 58) & 15u) == 3);     // 122..125
  CHECK((word[1] >> 62) == 3);             // 126 and 127 left alone
  CHECK((word[1] & ((1ull << 41) - 1)) == (1ull << 41) - 1);
  CHECK(sm70_128::decode(sm70_128::extract(word)) == c);
}

TEST_CASE("SB-1 sm_50 groups: three slots in one word") {
  const std::uint64_t g = 0x001f9400fe2007e6ull;
  CHECK(sm50_group::extract(g, 0) == 0x7e6);
  CHECK(sm50_group::extract(g, 1) == 0x7f1);
  CHECK(sm50_group::extract(g, 2) == 0x7e5);
  const control a = sm50_group::decode(0x7e6);
  const control b = sm50_group::decode(0x7f1);
  const control d = sm50_group::decode(0x7e5);
  CHECK((a.stall == 6 && a.yield && b.stall == 1 && !b.yield && d.stall == 5 && d.yield));
  CHECK((!a.sets_write() && !a.sets_read() && a.wait_mask == 0 && a.reuse == 0));
  std::uint64_t again = 0;
  for (unsigned k = 0; k < 3; ++k) {
    again = sm50_group::place(again, k, sm50_group::encode(sm50_group::decode(sm50_group::extract(g, k))));
  }
  CHECK(again == g);
  // Placing a slot leaves the others and bit 63 alone.
  CHECK(sm50_group::place(~0ull, 1, 0) == ~(0x1fffffull << 21));
  // Masks of facts: hardware 1.2.
  CHECK(sm50_group::place(0, 0, 0x1ffff) == 0x1ffffull);
  CHECK(sm50_group::place(0, 2, 0x1e0000) == 0xfull << 59);
  // Instruction addresses skip the control words.
  const std::uint32_t expected[] = {8, 16, 24, 40, 48, 56, 72};
  for (std::uint32_t i = 0; i < 7; ++i) {
    CHECK(sm50_group::instruction_offset(i) == expected[i]);
    CHECK(sm50_group::control_offset(i) == i / 3 * 32);
  }
}

TEST_CASE("SB-1 hand-made Maxwell control words") {
  // Slot fields by hand: stall | yield | write | read | wait | reuse, as printed by Maxwell assemblers.
  struct sample {
    std::uint32_t word;
    unsigned stall;
    bool yield;
    unsigned write, read, wait, reuse;
  };
  const sample samples[] = {
      {0x0007e1, 1, true, 7, 7, 0x00, 0},  {0x0007f1, 1, false, 7, 7, 0x00, 0}, {0x0007f6, 6, false, 7, 7, 0x00, 0},
      {0x000711, 1, false, 0, 7, 0x00, 0}, {0x0000f2, 2, false, 7, 0, 0x00, 0}, {0x000fe1, 1, true, 7, 7, 0x01, 0},
      {0x0187f5, 5, false, 7, 7, 0x30, 0}, {0x1207f0, 0, false, 7, 7, 0x00, 9}, {0x00170d, 13, true, 0, 7, 0x02, 0},
  };
  for (const sample& s : samples) {
    const control c = sm50_group::decode(s.word);
    INFO("word " << s.word);
    CHECK(sm50_group::valid(s.word));
    CHECK((c.stall == s.stall && c.yield == s.yield && c.write_barrier == s.write && c.read_barrier == s.read));
    CHECK((c.wait_mask == s.wait && c.reuse == s.reuse));
    CHECK(sm50_group::encode(c) == s.word);
  }
}

TEST_CASE("SB-1 the layouts of the reference: 23-bit slots and 26-bit words") {
  unsigned broken = 0;
  // 27 codes, 7 write fields, none or one of six read bits, 64 wait masks.
  CHECK(valid_words<text_slot23>(broken) == 27u * 7u * 7u * 64u);
  CHECK(broken == 0);
  CHECK(valid_words<internal26>(broken) == 27u * 7u * 7u * 64u * 16u);
  CHECK(broken == 0);
  control c;
  c.stall = 4;
  c.yield = true;
  c.write_barrier = 1;
  c.read_barrier = 3;
  c.wait_mask = 0x12;
  c.reuse = 0x5;
  CHECK(text_slot23::encode(c) == (4u | 1u << 4 | 1u << 5 | 8u << 8 | 0x12u << 14));
  CHECK(internal26::decode(internal26::encode(c)) == c);
  control without_reuse = c;
  without_reuse.reuse = 0;
  CHECK(text_slot23::decode(text_slot23::encode(c)) == without_reuse);
  CHECK_FALSE(text_slot23::valid(text_slot23::encode(c) | 1u << 8));  // two read counters have no index
  CHECK_FALSE(text_slot23::valid(text_slot23::encode(c) | 1u << 20));
  std::uint64_t word[2] = {0, 0};
  const std::uint32_t slots[] = {0x123456, 0x7abcde, 0x0f0f0f};
  for (unsigned k = 0; k < 3; ++k) {
    text_slot23::place(word, k, slots[k]);
  }
  for (unsigned k = 0; k < 3; ++k) {
    CHECK(text_slot23::extract(word, k) == slots[k]);
  }
}
