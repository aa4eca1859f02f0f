// SPDX-License-Identifier: BSL-1.0
//
// Lays spilled values out in a frame: one slot per value, shared by values that do not live at one time (FPA-8).
//
//   range    the positions of the program from the first to the last at which the value is live; holes count as live
//   shape    width, alignment and phase in words of four bytes. A slot is taken again by a later value of the same shape only
//   phase    the word of a slot is `phase` modulo `alignment`, as the registers of the value are, so that a pair of registers
//            that is aligned lies in an aligned pair of words
// Of the slots that are free again the one that has been free longest is taken. Shapes with the largest alignment come first, so
// that little is lost between them. n log n in ranges.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t slot_word_bytes = 4;
inline constexpr std::uint32_t most_words_at_once = 4;  // STL.128

struct slot_range {
  std::uint32_t first = 0;  // positions, both included
  std::uint32_t last = 0;
  std::uint32_t width = 1;      // words
  std::uint32_t alignment = 1;  // words, a power of two up to four
  std::uint32_t phase = 0;
  std::uint32_t owner = 0;
  std::int64_t offset = 0;  // result: bytes
};

struct slot_layout {
  std::int64_t end = 0;  // bytes: the first one behind all slots
  std::uint32_t slots = 0;
};

struct slot_space {
  struct taken {
    std::uint32_t last = 0;
    std::int64_t offset = 0;
  };
  vec<taken> heap;
};

// Sorts the ranges and gives each its offset, from `base` on.
inline slot_layout lay_slots(vec<slot_range>& ranges, std::int64_t base, slot_space& ws) {
  std::sort(ranges.begin(), ranges.end(), [](const slot_range& a, const slot_range& b) {
    if (a.alignment != b.alignment) return a.alignment > b.alignment;
    if (a.width != b.width) return a.width > b.width;
    if (a.phase != b.phase) return a.phase < b.phase;
    return a.first != b.first ? a.first < b.first : a.owner < b.owner;
  });
  const auto later = [](const slot_space::taken& a, const slot_space::taken& b) {
    return a.last != b.last ? a.last > b.last : a.offset > b.offset;
  };
  slot_layout out;
  out.end = base;
  for (std::size_t k = 0; k < ranges.size(); ++k) {
    slot_range& r = ranges[k];
    const bool same =
        k > 0 && ranges[k - 1].alignment == r.alignment && ranges[k - 1].width == r.width && ranges[k - 1].phase == r.phase;
    if (!same) ws.heap.clear();
    if (!ws.heap.empty() && ws.heap[0].last < r.first) {
      std::pop_heap(ws.heap.begin(), ws.heap.end(), later);
      r.offset = ws.heap.back().offset;
      ws.heap.pop_back();
    } else {
      const std::int64_t word = slot_word_bytes;
      std::int64_t at = (out.end + word - 1) & -word;
      const std::int64_t period = word * r.alignment;
      at += (std::int64_t{r.phase} * word - at) & (period - 1);
      r.offset = at;
      out.end = at + std::int64_t{r.width} * word;
      ++out.slots;
    }
    ws.heap.push_back({r.last, r.offset});
    std::push_heap(ws.heap.begin(), ws.heap.end(), later);
  }
  return out;
}

}  // namespace ww::regalloc
