// SPDX-License-Identifier: BSL-1.0
//
// The working record of the reference text, wider than any encoding (SB-1; scoreboards and barriers, "Per-Instruction
// Control Word"), and what is lost on the way out of it.
//
//   0..4 stall | 5..9 extended stall | 10..14 barrier flags          the 15 bits of offset 200
//   0..3 stall | 4 yield | 5..7 write barrier | 8..13 read mask | 14..19 wait mask | 20..25 reuse      the 26 bits
//   record_loss    what one target cannot hold, as values: cycles and bits, zero where nothing is lost
//   slot_block     three 23-bit slots in one 128-bit control instruction; the 59 bits above them are left alone
// Each step to a narrower format has its own function and its own loss: the 26-bit word drops stall cycles above 15, the
// extended stall and the flags; the slot drops the reuse bits as well; the hardware word keeps four of the six reuse bits
// and one of the read bits, for it holds an index. Where a loss is zero the round trip is exact (static_asserts).
#pragma once

#include <cstdint>

#include "../../ir/control.hpp"
#include "internal26.hpp"
#include "text_slot23.hpp"

namespace ww {

struct internal_record {
  static constexpr unsigned max_stall = 31;  // cycles; five bits

  std::uint8_t stall = 1;           // cycles, 0..31
  std::uint8_t extended_stall = 0;  // cycles, 0..31: the second stall of a dual-issue pair
  std::uint8_t barrier_flags = 0;   // five bits that the text does not name
  bool yield = false;
  std::uint8_t write_barrier = control::no_barrier;
  std::uint8_t read_mask = 0;  // bit i: counter i is held until the sources are read
  std::uint8_t wait_mask = 0;
  std::uint8_t reuse = 0;  // six bits

  friend constexpr bool operator==(const internal_record&, const internal_record&) = default;
};

struct record_loss {
  std::uint8_t stall_cycles = 0;    // cycles above the field
  std::uint8_t extended_stall = 0;  // cycles of the second stall
  std::uint8_t barrier_flags = 0;   // bits
  std::uint8_t read_bits = 0;       // counters of the read mask that are not named any more
  std::uint8_t reuse_bits = 0;      // operands that are not kept any more

  [[nodiscard]] constexpr bool none() const { return *this == record_loss{}; }
  friend constexpr bool operator==(const record_loss&, const record_loss&) = default;
};

struct lossy_word {
  std::uint32_t word = 0;
  record_loss loss;
};

struct lossy_control {
  control ctl;
  record_loss loss;
};

// The 15 bits of offset 200, which hold their three fields exactly.
struct internal15 {
  static constexpr unsigned bits = 15;

  [[nodiscard]] static constexpr std::uint32_t encode(const internal_record& r) {
    return (r.stall & 31u) | ((r.extended_stall & 31u) << 5) | ((r.barrier_flags & 31u) << 10);
  }
  // Fills the three fields of `r` and leaves the others.
  static constexpr void decode(std::uint32_t w, internal_record& r) {
    r.stall = static_cast<std::uint8_t>(w & 31u);
    r.extended_stall = static_cast<std::uint8_t>((w >> 5) & 31u);
    r.barrier_flags = static_cast<std::uint8_t>((w >> 10) & 31u);
  }
};

namespace detail {

constexpr std::uint8_t field_stall(const internal_record& r) { return r.stall < 15 ? r.stall : std::uint8_t{15}; }

constexpr record_loss common_loss(const internal_record& r) {
  return {static_cast<std::uint8_t>(r.stall - field_stall(r)), r.extended_stall, r.barrier_flags, 0, 0};
}

constexpr std::uint32_t slot_fields(const internal_record& r) {
  return field_stall(r) | (r.yield ? 16u : 0u) | ((r.write_barrier & 7u) << 5) | ((r.read_mask & 63u) << 8) |
         ((r.wait_mask & 63u) << 14);
}

}  // namespace detail

[[nodiscard]] constexpr lossy_word to_internal26(const internal_record& r) {
  return {detail::slot_fields(r) | ((r.reuse & 63u) << 20), detail::common_loss(r)};
}

[[nodiscard]] constexpr lossy_word to_slot23(const internal_record& r) {
  record_loss loss = detail::common_loss(r);
  loss.reuse_bits = static_cast<std::uint8_t>(r.reuse & 63u);
  return {detail::slot_fields(r), loss};
}

// The control that hardware can hold; the lowest read counter is the one that stays.
[[nodiscard]] constexpr lossy_control to_control(const internal_record& r) {
  lossy_control out;
  out.loss = detail::common_loss(r);
  out.loss.read_bits = static_cast<std::uint8_t>(r.read_mask & (r.read_mask - 1u) & 63u);
  out.loss.reuse_bits = static_cast<std::uint8_t>(r.reuse & 0x30u);
  out.ctl.stall = detail::field_stall(r);
  out.ctl.yield = r.yield;
  out.ctl.write_barrier = r.write_barrier;
  out.ctl.read_barrier = text_slot23::index_of(r.read_mask);
  out.ctl.wait_mask = static_cast<std::uint8_t>(r.wait_mask & 63u);
  out.ctl.reuse = static_cast<std::uint8_t>(r.reuse & 15u);
  return out;
}

[[nodiscard]] constexpr internal_record from_internal26(std::uint32_t w) {
  internal_record r;
  r.stall = static_cast<std::uint8_t>(w & 15u);
  r.yield = (w & 16u) != 0;
  r.write_barrier = static_cast<std::uint8_t>((w >> 5) & 7u);
  r.read_mask = static_cast<std::uint8_t>((w >> 8) & 63u);
  r.wait_mask = static_cast<std::uint8_t>((w >> 14) & 63u);
  r.reuse = static_cast<std::uint8_t>((w >> 20) & 63u);
  return r;
}
[[nodiscard]] constexpr internal_record from_slot23(std::uint32_t w) { return from_internal26(w & ((1u << 20) - 1u)); }
[[nodiscard]] constexpr internal_record from_control(const control& c) { return from_internal26(internal26::encode(c)); }

struct slot_block {
  static constexpr unsigned reserved_bits = 128 - text_slot23::slots * text_slot23::bits;

  std::uint64_t word[2] = {0, 0};
  record_loss loss[text_slot23::slots];
};
static_assert(slot_block::reserved_bits == 59);

// Up to three records, in issue order, over the reserved bits of `block`; empty slots keep what they hold.
constexpr slot_block encode_block(slot_block block, const internal_record* records, unsigned count) {
  for (unsigned k = 0; k < count && k < text_slot23::slots; ++k) {
    const lossy_word w = to_slot23(records[k]);
    text_slot23::place(block.word, k, w.word);
    block.loss[k] = w.loss;
  }
  return block;
}

namespace detail {

// Every value of every field, one field after the other: where nothing is lost, the way back gives the same record.
constexpr bool record_round_trips() {
  for (unsigned n = 0; n < 64; ++n) {
    const auto six = static_cast<std::uint8_t>(n);
    internal_record wide;
    wide.stall = wide.extended_stall = wide.barrier_flags = static_cast<std::uint8_t>(n & 31u);
    internal_record back;
    internal15::decode(internal15::encode(wide), back);
    if (!(back == wide)) return false;
    internal_record r;
    r.stall = static_cast<std::uint8_t>(n & 31u);
    r.yield = (n & 32u) != 0;
    r.read_mask = r.wait_mask = six;
    r.write_barrier = static_cast<std::uint8_t>(n & 7u);
    const lossy_word slot = to_slot23(r);
    if (slot.loss.none() != (from_slot23(slot.word) == r)) return false;
    r.reuse = six;
    const lossy_word whole = to_internal26(r);
    if (whole.loss.none() != (from_internal26(whole.word) == r)) return false;
    const lossy_control real = to_control(r);
    if (real.loss.none() != (from_control(real.ctl) == r)) return false;
  }
  return true;
}
static_assert(record_round_trips());

}  // namespace detail

}  // namespace ww
