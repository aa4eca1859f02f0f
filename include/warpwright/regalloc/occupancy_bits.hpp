// SPDX-License-Identifier: BSL-1.0
//
// The occupancy bits of a search: one for each slot, set where a register may not start (FPA-2).
//
//   set_range(first, stop)   bits first to stop - 1, a word at a time
//   set_all_but(slot)        all bits but one
//   set_alternate(odd)       all even bits, or all odd ones
//   widen(width)             sets the width - 1 bits below each set bit: a wider register that starts there reaches it
// There are as many words as 64 slots each need; bits beyond the last slot are set, so that a search ends without counting.
// Ranges may reach beyond either end and may be empty. Nothing allocates once the largest size has been seen.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"

namespace ww::regalloc {

class occupancy_bits {
 public:
  static constexpr std::uint32_t word_bits = 64;

  // All slots free.
  void reset(std::uint32_t slots) {
    slots_ = slots;
    words_.assign((std::size_t{slots} + word_bits - 1) / word_bits, 0);
    close();
  }
  // As many slots as `other` has, occupied like there.
  void copy(const occupancy_bits& other) {
    slots_ = other.slots_;
    words_.resize(other.words_.size());
    for (std::size_t w = 0; w < words_.size(); ++w) words_[w] = other.words_[w];
  }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  [[nodiscard]] std::size_t words() const { return words_.size(); }
  [[nodiscard]] std::uint64_t word(std::size_t w) const { return words_[w]; }
  [[nodiscard]] const std::uint64_t* data() const { return words_.data(); }
  [[nodiscard]] bool operator[](std::uint32_t slot) const {
    return slot >= slots_ || (words_[slot / word_bits] >> (slot % word_bits) & 1u) != 0;
  }

  void set(std::uint32_t slot) {
    if (slot < slots_) words_[slot / word_bits] |= std::uint64_t{1} << (slot % word_bits);
  }
  void set_range(std::int64_t first, std::int64_t stop) {
    if (first < 0) first = 0;
    if (stop > slots_) stop = slots_;
    if (first >= stop) return;
    const std::size_t low = static_cast<std::size_t>(first) / word_bits;
    const std::size_t high = static_cast<std::size_t>(stop - 1) / word_bits;
    const std::uint64_t from = all << (static_cast<std::uint64_t>(first) % word_bits);
    const std::uint64_t to = all >> (word_bits - 1 - static_cast<std::uint64_t>(stop - 1) % word_bits);
    if (low == high) {
      words_[low] |= from & to;
      return;
    }
    words_[low] |= from;
    for (std::size_t w = low + 1; w < high; ++w) words_[w] = all;
    words_[high] |= to;
  }
  void set_all_but(std::int64_t slot) {
    set_range(0, slot);
    set_range(slot < 0 ? 0 : slot + 1, slots_);
  }
  void set_alternate(bool odd) {
    for (std::uint64_t& word : words_) word |= odd ? ~evens : evens;
  }
  void widen(std::uint32_t width) {
    if (width > slots_ + 1) width = slots_ + 1;
    std::uint32_t reached = 1;  // slots below and at each bit that are set already
    while (reached < width) {
      const std::uint32_t more = reached < width - reached ? reached : width - reached;
      merge_shifted(more);
      reached += more;
    }
  }

 private:
  static constexpr std::uint64_t all = ~std::uint64_t{0};
  static constexpr std::uint64_t evens = 0x5555555555555555u;

  void close() {
    if (slots_ % word_bits != 0) words_.back() = all << (slots_ % word_bits);
  }
  // Each bit also at `by` slots below. What lies beyond the last slot counts as set: a register cannot reach there.
  void merge_shifted(std::uint32_t by) {
    const std::size_t far = by / word_bits;
    const std::uint32_t near = by % word_bits;
    for (std::size_t w = 0; w < words_.size(); ++w) {
      const std::uint64_t low = w + far < words_.size() ? words_[w + far] : all;
      const std::uint64_t high = w + far + 1 < words_.size() ? words_[w + far + 1] : all;
      words_[w] |= near == 0 ? low : low >> near | high << (word_bits - near);
    }
  }

  vec<std::uint64_t> words_;
  std::uint32_t slots_ = 0;
};

}  // namespace ww::regalloc
