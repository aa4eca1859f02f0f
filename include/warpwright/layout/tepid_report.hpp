// SPDX-License-Identifier: BSL-1.0
//
// The report of the tepid mode (HC-5): block by block, how math and memory stand to each other.
//
//   baseline   a block that is neither: its budgets become the reference of the blocks behind it. With math in it:
//              MacUtil = math * math_cycles * 100 / wait         TepidMacUtil = ((math - 1) * next + last) * 100 / tepid
//   dma        MathToDmaWaitRatio = reference wait / wait        MathToDmaTepidRatio = reference tepid / tepid
//   epilogue   MathToEpilogueWaitRatio = reference wait / (wait / N), MathToEpilogueTepidRatio the same; wait / N is a division of
//              integers, N is knob 294
//   brief      the mode is off: MacUtil and TepidMacUtil of every block alike; nothing becomes a reference
//   verbosity  the first line of each path is written above 2, the second above 0; that brief has the same limits is assumed
//   gap        why a line has no value: no math, no reference, nothing to divide by. Such a line is not written, no infinity ever
//   reference  of two sentences of the text one has every baseline block set it (`latest`), one only the first (`first`); `math`,
//              which is ours, has the latest with math in it, so that an empty block between two loops is none
//
// A report is a value; write_lines() turns it into text, "Name: value" and a line feed, two decimals. The text names the metrics
// alone; punctuation and decimals are assumed. A divisor is rounded to single precision first, as in the text.
#pragma once

#include <cstdint>

#include "../meta/rounded.hpp"
#include "../meta/string_view.hpp"
#include "epilogue.hpp"

namespace ww::layout {

// The numbers of one block (tepid_counts.hpp makes them from code).
struct tepid_block {
  std::uint8_t marks = 0;          // dma_mark, epilogue_mark
  std::uint32_t forced = 0;        // knob 490 of this block
  std::uint32_t math = 0;          // instructions
  std::uint32_t math_cycles = 0;   // of each
  std::uint32_t wait_budget = 0;   // cycles
  std::uint32_t tepid_budget = 0;  // cycles
  std::uint32_t last_cycles = 0;   // of the last one, in tepid mode
  std::uint32_t next_cycles = 0;   // of each before it
};

enum class tepid_path : std::uint8_t { dma, epilogue, baseline, brief };
enum class tepid_metric : std::uint8_t {
  math_to_dma_wait_ratio,
  math_to_dma_tepid_ratio,
  math_to_epilogue_wait_ratio,
  math_to_epilogue_tepid_ratio,
  mac_util,
  tepid_mac_util,
  count
};
enum class tepid_gap : std::uint8_t { none, no_math, no_reference, no_divisor };
enum class tepid_reference : std::uint8_t { latest, first, math };

[[nodiscard]] constexpr string_view name_of(tepid_metric m) {
  constexpr const char* names[] = {
      "MathToDmaWaitRatio", "MathToDmaTepidRatio", "MathToEpilogueWaitRatio", "MathToEpilogueTepidRatio", "MacUtil",
      "TepidMacUtil"};
  return m < tepid_metric::count ? names[static_cast<unsigned>(m)] : "";
}

struct tepid_line {
  tepid_metric metric = tepid_metric::count;
  tepid_gap gap = tepid_gap::none;
  std::uint8_t above = 0;  // the verbosity above which it is written
  double value = 0;        // 0 with a gap

  [[nodiscard]] constexpr bool written(unsigned verbosity) const { return gap == tepid_gap::none && verbosity > above; }
};

struct tepid_report {
  static constexpr std::uint8_t wait_above = 2;
  static constexpr std::uint8_t tepid_above = 0;

  tepid_path path = tepid_path::brief;
  tepid_line wait;   // a ratio or share of the wait budget
  tepid_line tepid;  // of the tepid budget
};

// Keeps the reference from block to block; blocks come in the order in which they are scheduled.
template <tepid_reference Rule = tepid_reference::latest>
class tepid_reporter {
 public:
  constexpr explicit tepid_reporter(const tepid_mode& mode) : mode_(mode) {}

  constexpr tepid_report report(const tepid_block& b) {
    using m = tepid_metric;
    tepid_report r;
    if (!mode_.on) {
      r.path = tepid_path::brief;
      usage(b, r);
    } else if ((b.marks & dma_mark) != 0) {
      r.path = tepid_path::dma;
      r.wait = ratio(m::math_to_dma_wait_ratio, wait_, b.wait_budget);
      r.tepid = ratio(m::math_to_dma_tepid_ratio, tepid_, b.tepid_budget);
    } else if (is_epilogue(b.marks, b.forced | mode_.forced, mode_.on)) {
      r.path = tepid_path::epilogue;
      r.wait = ratio(m::math_to_epilogue_wait_ratio, wait_, part(b.wait_budget));
      r.tepid = ratio(m::math_to_epilogue_tepid_ratio, tepid_, part(b.tepid_budget));
    } else {
      r.path = tepid_path::baseline;
      const bool sets = Rule == tepid_reference::latest || (Rule == tepid_reference::first ? !known_ : b.math != 0);
      if (sets) {
        wait_ = b.wait_budget;
        tepid_ = b.tepid_budget;
        known_ = true;
      }
      usage(b, r);
    }
    r.wait.above = tepid_report::wait_above;
    r.tepid.above = tepid_report::tepid_above;
    return r;
  }

  [[nodiscard]] constexpr bool has_reference() const { return known_; }
  [[nodiscard]] constexpr std::uint32_t wait_reference() const { return wait_; }
  [[nodiscard]] constexpr std::uint32_t tepid_reference_budget() const { return tepid_; }

 private:
  // 0 where there is no N: a line with nothing to divide by.
  [[nodiscard]] constexpr std::uint32_t part(std::uint32_t budget) const {
    return mode_.epilogue_count == 0 ? 0 : budget / mode_.epilogue_count;
  }
  [[nodiscard]] constexpr tepid_line ratio(tepid_metric m, std::uint32_t reference, std::uint32_t budget) const {
    tepid_line l;
    l.metric = m;
    l.gap = !known_ ? tepid_gap::no_reference : budget == 0 ? tepid_gap::no_divisor : tepid_gap::none;
    if (l.gap == tepid_gap::none) l.value = double{static_cast<float>(reference) / static_cast<float>(budget)};
    return l;
  }
  [[nodiscard]] static constexpr tepid_line share(tepid_metric m, bool math, std::uint64_t cycles, std::uint32_t budget) {
    tepid_line l;
    l.metric = m;
    l.gap = !math ? tepid_gap::no_math : budget == 0 ? tepid_gap::no_divisor : tepid_gap::none;
    if (l.gap == tepid_gap::none) l.value = static_cast<double>(cycles) * 100.0 / double{static_cast<float>(budget)};
    return l;
  }
  static constexpr void usage(const tepid_block& b, tepid_report& r) {
    const bool math = b.math != 0;
    const std::uint64_t one_by_one = std::uint64_t{b.math} * b.math_cycles;
    const std::uint64_t in_turns = math ? std::uint64_t{b.math - 1} * b.next_cycles + b.last_cycles : 0;
    r.wait = share(tepid_metric::mac_util, math, one_by_one, b.wait_budget);
    r.tepid = share(tepid_metric::tepid_mac_util, math, in_turns, b.tepid_budget);
  }

  tepid_mode mode_;
  std::uint32_t wait_ = 0;
  std::uint32_t tepid_ = 0;
  bool known_ = false;
};

// One line as text. The longest name with the largest number takes less than `most` characters.
struct tepid_text {
  static constexpr unsigned most = 64;
  static constexpr double largest = 1e15;  // what is more is written as this: 19 digits hold it in hundredths

  char characters[most] = {};
  unsigned size = 0;

  constexpr explicit tepid_text(const tepid_line& l) {
    for (const char c : name_of(l.metric)) add(c);
    add(':');
    add(' ');
    const double value = l.value < largest ? l.value : largest;
    const double scaled = meta::rounded(value * 100.0);
    auto hundredths = static_cast<std::uint64_t>(scaled);
    if (scaled - static_cast<double>(hundredths) >= 0.5) ++hundredths;
    char digits[24] = {};
    unsigned n = 0;
    for (std::uint64_t left = hundredths; left != 0 || n < 3; left /= 10) digits[n++] = static_cast<char>('0' + left % 10);
    for (; n > 0; --n) {
      if (n == 2) add('.');
      add(digits[n - 1]);
    }
    add('\n');
  }
  [[nodiscard]] constexpr string_view view() const { return {characters, size}; }

 private:
  constexpr void add(char c) { characters[size++] = c; }
};

// Gives the lines that this verbosity shows to `sink`, one string_view each.
template <class Sink>
constexpr void write_lines(const tepid_report& r, unsigned verbosity, Sink&& sink) {
  const tepid_line* const lines[] = {&r.wait, &r.tepid};
  for (const tepid_line* l : lines) {
    if (l->written(verbosity)) sink(tepid_text(*l).view());
  }
}

}  // namespace ww::layout
