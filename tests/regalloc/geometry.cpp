// SPDX-License-Identifier: BSL-1.0
//
// FPA-2: widths, steps, ceilings and budgets of the text's tables, and the occupancy bits against a bit-by-bit oracle.
#include <algorithm>

#include "support.hpp"

using namespace ww_test::regalloc;

TEST_CASE("FPA-2 geometry: aligned widths are those of the table") {
  CHECK(ra::aligned_width(1, 0) == 1);
  CHECK(ra::aligned_width(2, 0) == 2);
  CHECK(ra::aligned_width(2, 1) == 2);
  CHECK(ra::aligned_width(3, 1) == 4);
  CHECK(ra::aligned_width(0, 0) == 1);
  for (std::uint32_t width = 1; width <= 40; ++width) {
    for (std::uint32_t log2 = 0; log2 < 5; ++log2) {
      const std::uint32_t w = ra::aligned_width(width, log2);
      CHECK(w % (1u << log2) == 0);
      CHECK((w >= width && w - width < (1u << log2)));
    }
  }
}

TEST_CASE("FPA-2 geometry: steps and footprints by pair mode") {
  using ra::pair_mode;
  CHECK(ra::step_of(0, pair_mode::single) == 1);
  CHECK(ra::step_of(2, pair_mode::single) == 4);
  CHECK(ra::step_of(2, pair_mode::paired) == 4);
  CHECK(ra::step_of(0, pair_mode::doubled) == 2);
  CHECK(ra::step_of(2, pair_mode::doubled) == 8);
  CHECK(ra::footprint_of(1, 0, pair_mode::paired) == 1);
  CHECK(ra::footprint_of(1, 0, pair_mode::doubled) == 2);
  CHECK(ra::footprint_of(3, 2, pair_mode::doubled) == 8);
  CHECK(ra::consumption_of(7, 1) == 7);
  CHECK(ra::consumption_of(6, ra::footprint_of(1, 0, pair_mode::doubled)) == 7);
  CHECK(ra::consumption_of(4, 4) == 7);
}

TEST_CASE("FPA-2 geometry: the budget has headroom, and more of it for phis") {
  CHECK(ra::budget_of(255, ra::allocation_mode::normal) == 262);
  CHECK(ra::budget_of(255, ra::allocation_mode::phi) == 524);
  CHECK(ra::budget_of(255, ra::allocation_mode::paired_phi) == 1048);
  CHECK(ra::budget_of(7, ra::allocation_mode::normal) == 14);
  CHECK(ra::budget_of(0xffffffffu, ra::allocation_mode::normal) == ra::most_registers + 7);
}

TEST_CASE("FPA-2 geometry: the range of a search") {
  ra::register_file f;
  ra::allocatable r;
  ra::search_geometry g = ra::search_geometry_of(f, r);
  CHECK((g.start == 0 && g.last == 254 && g.end == 262 && g.entries == 266 && g.step == 1 && g.footprint == 1 && !g.paired));
  r.pairing = ra::pair_mode::paired;
  g = ra::search_geometry_of(f, r);
  CHECK((g.last == 509 && g.end == 524 && g.entries == 512 && g.step == 1 && g.footprint == 1 && g.paired));
  r.pairing = ra::pair_mode::doubled;
  g = ra::search_geometry_of(f, r);
  CHECK((g.last == 253 && g.end == 262 && g.step == 2 && g.footprint == 2 && !g.paired));
  f.quad_ceiling = true;
  CHECK(ra::search_geometry_of(f, r).last == 1018);
  r.pairing = ra::pair_mode::single;
  CHECK(ra::search_geometry_of(f, r).last == 254);
  // the ceiling of the class holds for those that ask for it, and only where it is lower
  f.max_slot = 63;
  f.class_limit = 31;
  CHECK(ra::search_geometry_of(f, r).last == 63);
  r.set(ra::register_flag::limit_override);
  CHECK(ra::search_geometry_of(f, r).last == 31);
  f.class_limit = 127;
  CHECK(ra::search_geometry_of(f, r).last == 63);
  // a start, a wider scan alignment, a wide register
  f.start = 4;
  f.scan_alignment = 3;
  r.width = 4;
  g = ra::search_geometry_of(f, r);
  CHECK((g.start == 4 && g.step == 4 && g.footprint == 4 && g.last == 60));
  r.pairing = ra::pair_mode::paired;
  g = ra::search_geometry_of(f, r);
  CHECK((g.start == 8 && g.step == 8 && g.footprint == 4 && g.last == 124));
  r.alignment_log2 = 2;  // four halves: the scan alignment of four registers is wider
  CHECK(ra::search_geometry_of(f, r).step == 8);
  r.alignment_log2 = 4;
  CHECK(ra::search_geometry_of(f, r).step == 16);
  f.scan_alignment = 1;
  r.alignment_log2 = 0;
  CHECK(ra::search_geometry_of(f, r).step == 1);
  // registers that a search looks at: the limit and the headroom, or a number within the budget
  f.slot_count = 300;
  CHECK(f.searched() == 262);
  f.mode = ra::allocation_mode::phi;
  CHECK(f.searched() == 300);
  f.slot_count = 0;
  CHECK(f.searched() == 262);
}

TEST_CASE("FPA-2 occupancy bits: ranges against an oracle, bit by bit") {
  dice rng(5);
  for (int run = 0; run < 3000; ++run) {
    const std::uint32_t slots = 1 + rng() % 300;
    ra::occupancy_bits bits;
    bits.reset(slots);
    std::vector<bool> oracle(slots, false);
    REQUIRE(bits.words() == (slots + 63) / 64);
    for (int k = 0; k < 4; ++k) {
      const int first = static_cast<int>(rng() % (slots + 40)) - 20;
      const int stop = first + static_cast<int>(rng() % (rng() % 2 == 0 ? 6u : slots + 20)) - 2;
      switch (rng() % 8) {
        case 0:
          bits.set_all_but(first);
          for (int s = 0; s < static_cast<int>(slots); ++s)
            oracle[static_cast<std::size_t>(s)] = oracle[static_cast<std::size_t>(s)] || s != first;
          break;
        case 1:
          bits.set_alternate((first & 1) != 0);
          for (int s = first & 1; s < static_cast<int>(slots); s += 2) oracle[static_cast<std::size_t>(s)] = true;
          break;
        case 2:
          bits.set(static_cast<std::uint32_t>(stop < 0 ? 0 : stop));
          if (stop < static_cast<int>(slots)) oracle[static_cast<std::size_t>(stop < 0 ? 0 : stop)] = true;
          break;
        default:
          bits.set_range(first, stop);
          for (int s = std::max(first, 0); s < std::min(stop, static_cast<int>(slots)); ++s)
            oracle[static_cast<std::size_t>(s)] = true;
      }
    }
    if (rng() % 2 == 0) {
      const std::uint32_t width = 1 + rng() % (rng() % 4 == 0 ? 400 : 9);
      bits.widen(width);
      std::vector<bool> wide(slots, false);
      for (std::uint32_t s = 0; s < slots; ++s) {
        for (std::uint32_t k = 0; k < width; ++k) wide[s] = wide[s] || s + k >= slots || oracle[s + k];
      }
      oracle = wide;
    }
    for (std::uint32_t s = 0; s < slots; ++s) REQUIRE(bits[s] == oracle[s]);
    CHECK(bits[slots]);
    for (std::uint32_t s = slots; s < bits.words() * 64; ++s) REQUIRE((bits.word(s / 64) >> (s % 64) & 1u) == 1u);
  }
}

TEST_CASE("FPA-2 search geometry: bits of a step and of a range") {
  for (std::uint32_t step = 1; step <= 512; step *= 2) {
    for (std::size_t w = 0; w < 9; ++w) {
      for (std::uint32_t b = 0; b < 64; ++b)
        CHECK((ra::step_bits(w, step) >> b & 1u) == ((w * 64 + b) % step == 0 ? 1u : 0u));
    }
  }
  for (std::uint32_t step = 1; step <= 512; step *= 2) {  // and of steps that begin elsewhere
    for (std::uint32_t phase = 0; phase < step; phase += 1 + step / 16) {
      for (std::size_t w = 0; w < 9; ++w) {
        for (std::uint32_t b = 0; b < 64; ++b)
          CHECK((ra::step_bits(w, step, phase) >> b & 1u) == ((w * 64 + b) % step == phase ? 1u : 0u));
      }
    }
  }
  ra::allocatable shifted{.width = 3, .alignment_log2 = 2, .phase = 1};
  shifted.set(ra::register_flag::exact_width);
  ra::register_file f;
  f.max_slot = 11;
  ra::occupancy_bits blocked;
  blocked.reset(64);
  CHECK(ra::free_starts(ra::search_geometry_of(f, shifted), blocked) == 3);  // 1, 5 and 9
  blocked.set(4);
  CHECK(ra::free_starts(ra::search_geometry_of(f, shifted), blocked) == 3);
  blocked.set(5);
  CHECK(ra::free_starts(ra::search_geometry_of(f, shifted), blocked) == 2);
  for (std::int64_t from : {-3, 0, 1, 63, 64, 100}) {
    for (std::int64_t last : {-1, 0, 5, 63, 64, 127, 128, 150}) {
      for (std::size_t w = 0; w < 3; ++w) {
        for (std::int64_t b = 0; b < 64; ++b) {
          const std::int64_t s = static_cast<std::int64_t>(w) * 64 + b;
          CHECK((ra::range_bits(w, from, last) >> b & 1u) == (s >= from && s <= last ? 1u : 0u));
        }
      }
    }
  }
}
