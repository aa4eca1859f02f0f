// SPDX-License-Identifier: BSL-1.0
//
// A host for the retry driver over nothing but live ranges: straight-line code of values that are written once and read now and then.
// An example of what regalloc/retry_host.hpp asks for.
//
//   time      instruction k reads at 2k and writes at 2k + 1; a value is live from its write to its last read
//   spilling  splits a value into one piece for its write and one for every read, each live for one moment
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <warpwright/regalloc/retry_driver.hpp>

#include "support.hpp"

namespace ww_test::regalloc {

struct value {
  int written = 0;
  std::vector<int> read;
  std::uint16_t width = 1;
  std::uint8_t alignment_log2 = 0;
  bool constant = false;  // can be computed again
  bool spilled = false;
  int fixed = -1;  // a given register
  [[nodiscard]] double cost() const { return constant ? 0.5 : 1.0 + static_cast<double>(read.size()); }
};

struct piece {
  std::uint32_t of = 0;
  int from = 0, to = 0;  // live at the times from, .., to - 1
  bool tiny = false;
};

struct range_host {
  std::vector<value> values;
  std::uint32_t limit = 8;
  std::uint32_t live_at_once = 0;
  bool spills = true;
  std::uint32_t kept_by_the_chip = 0;  // registers that it adds to every count
  std::vector<piece> pieces;           // of the last problem: its registers
  unsigned builds = 0, set_up = 0, memory = 0, again = 0;
  std::vector<std::string> said;

  bool build(ra::register_class of, ra::problem& p) {
    if (of != ra::register_class::r) return false;
    ++builds;
    pieces.clear();
    ra::problem_builder b;
    for (std::uint32_t v = 0; v < values.size(); ++v) {
      const value& x = values[v];
      if (!x.spilled) {
        const int last = x.read.empty() ? x.written : *std::max_element(x.read.begin(), x.read.end());
        pieces.push_back({v, 2 * x.written + 1, std::max(2 * last + 1, 2 * x.written + 2), false});
        continue;
      }
      if (!x.constant) pieces.push_back({v, 2 * x.written + 1, 2 * x.written + 2, true});
      for (const int at : x.read) pieces.push_back({v, 2 * at, 2 * at + 1, true});
    }
    for (const piece& q : pieces) {
      const value& x = values[q.of];
      ra::allocatable r{.width = x.width, .alignment_log2 = x.alignment_log2};
      r.spill_cost = x.cost();
      if (q.tiny) r.set(ra::register_flag::must_not_spill);
      if (x.fixed >= 0 && !q.tiny) {
        r.set(ra::register_flag::pre_assigned);
        r.physical = x.fixed;
      }
      (void)b.add(r);
    }
    for (std::uint32_t x = 0; x < pieces.size(); ++x) {
      for (std::uint32_t y = x + 1; y < pieces.size(); ++y) {
        if (pieces[x].from < pieces[y].to && pieces[y].from < pieces[x].to) b.interfere(x, y);
      }
    }
    b.build(p);
    p.file = file_of(limit);
    p.file.hardware_limit = 255;
    return true;
  }
  std::uint32_t spill(ra::register_class, const ra::problem&, ww::span<const std::uint32_t> victims) {
    for (const std::uint32_t r : victims) {
      REQUIRE_FALSE(pieces[r].tiny);
      REQUIRE_FALSE(values[pieces[r].of].spilled);
      values[pieces[r].of].spilled = true;
      ++(values[pieces[r].of].constant ? again : memory);
    }
    return static_cast<std::uint32_t>(victims.size());
  }
  [[nodiscard]] bool recomputes(ra::register_class, std::uint32_t r) const { return values[pieces[r].of].constant; }
  [[nodiscard]] std::uint32_t demand(ra::register_class) const { return live_at_once; }
  [[nodiscard]] bool may_spill(ra::register_class) const { return spills; }
  [[nodiscard]] std::uint32_t adjusted(ra::register_class, std::uint32_t n) const { return n + kept_by_the_chip; }
  void begin_spill(ra::register_class, const ra::spill_strategy& s) {
    ++set_up;
    CHECK(s.limit == 0x100000);
  }

  // Two pieces that are live at one time have different registers, all within the limit.
  void check(const ra::problem& p) const {
    REQUIRE(p.registers.size() == pieces.size());
    for (std::uint32_t x = 0; x < pieces.size(); ++x) {
      const ra::allocatable& a = p.registers[x];
      REQUIRE(a.physical >= 0);
      REQUIRE(static_cast<std::uint32_t>(a.physical) + values[pieces[x].of].width + kept_by_the_chip <= limit);
      REQUIRE(a.physical % (1 << a.alignment_log2) == 0);
      for (std::uint32_t y = x + 1; y < pieces.size(); ++y) {
        if (pieces[x].from < pieces[y].to && pieces[y].from < pieces[x].to)
          REQUIRE_FALSE(overlap(cover_of(a), cover_of(p.registers[y])));
      }
    }
  }
  [[nodiscard]] std::uint32_t most_live() const {
    int end = 0;
    for (const value& v : values) end = std::max(end, v.written + 1);
    std::uint32_t most = 0;
    for (int at = 0; at < 2 * end + 2; ++at) {
      std::uint32_t live = 0;
      for (const value& v : values) {
        const int last = v.read.empty() ? v.written : *std::max_element(v.read.begin(), v.read.end());
        const int from = 2 * v.written + 1, to = std::max(2 * last + 1, 2 * v.written + 2);
        if (from <= at && at < to) live += v.width;
      }
      most = std::max(most, live);
    }
    return most;
  }
};

// Instruction k writes value k and reads up to `reads` of the values before it.
inline range_host random_code(dice& rng, int count, unsigned reads, bool wide) {
  range_host h;
  h.values.resize(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k) {
    value& v = h.values[static_cast<std::size_t>(k)];
    v.written = k;
    v.constant = rng() % 6 == 0;
    if (wide && rng() % 4 == 0) {
      v.alignment_log2 = static_cast<std::uint8_t>(1 + rng() % 2);
      v.width = static_cast<std::uint16_t>(1u << v.alignment_log2);
    }
    for (unsigned j = 0; k > 0 && j < reads; ++j) {
      value& source = h.values[rng() % static_cast<unsigned>(k)];
      if (source.read.empty() || source.read.back() != k) source.read.push_back(k);
    }
  }
  return h;
}

}  // namespace ww_test::regalloc
