// SPDX-License-Identifier: BSL-1.0
//
// Register files and register names.
//
//   r   general registers, R0..R254, RZ = 255      ur  uniform registers, UR0..URZ (63; 255 from sm_100 on)
//   p   predicates, P0..P6, PT = 7                 up  uniform predicates, UP0..UP6, UPT = 7
//   b   convergence barriers, B0..B15              sb  dependency barriers (scoreboards), SB0..SB5
//   cc  the carry flag of sm_50..62                special  SR_*, program counter and the like
//
// A register is a file and a 20-bit number. Numbers at or above `first_virtual` are virtual
// registers, so one representation serves before and after allocation. The zero registers
// (RZ, URZ, PT, UPT) have the number `zero_number`, whatever their encoding is on an SM; reading them
// yields a constant and writing them has no effect, so they never carry a dependence.
// Packed into 24 bits (file << 20 | number), it is the reg_id of the operand descriptor (FPA-3).
#pragma once

#include <cstdint>

namespace ww {

enum class reg_file : std::uint8_t { none, r, p, ur, up, b, sb, cc, special, count };

inline constexpr unsigned reg_file_count = static_cast<unsigned>(reg_file::count);

struct reg {
  static constexpr std::uint32_t number_bits = 20;
  static constexpr std::uint32_t number_mask = (1u << number_bits) - 1;
  static constexpr std::uint32_t zero_number = number_mask;  // RZ, URZ, PT, UPT
  static constexpr std::uint32_t first_virtual = 1024;       // the physical ones end below

  std::uint32_t packed = zero_number;

  constexpr reg() = default;
  constexpr reg(reg_file f, std::uint32_t n) : packed((static_cast<std::uint32_t>(f) << number_bits) | (n & number_mask)) {}
  static constexpr reg from_packed(std::uint32_t p) {
    reg r;
    r.packed = p & 0xffffffu;
    return r;
  }

  [[nodiscard]] constexpr reg_file file() const { return static_cast<reg_file>(packed >> number_bits); }
  [[nodiscard]] constexpr std::uint32_t number() const { return packed & number_mask; }
  [[nodiscard]] constexpr bool is_zero() const { return number() == zero_number; }
  [[nodiscard]] constexpr bool is_virtual() const { return number() >= first_virtual && !is_zero(); }
  [[nodiscard]] constexpr bool is_none() const { return file() == reg_file::none; }
  friend constexpr bool operator==(reg, reg) = default;
};

constexpr reg R(std::uint32_t n) { return {reg_file::r, n}; }
constexpr reg UR(std::uint32_t n) { return {reg_file::ur, n}; }
constexpr reg P(std::uint32_t n) { return {reg_file::p, n}; }
constexpr reg UP(std::uint32_t n) { return {reg_file::up, n}; }
constexpr reg B(std::uint32_t n) { return {reg_file::b, n}; }
inline constexpr reg RZ{reg_file::r, reg::zero_number};
inline constexpr reg URZ{reg_file::ur, reg::zero_number};
inline constexpr reg PT{reg_file::p, reg::zero_number};
inline constexpr reg UPT{reg_file::up, reg::zero_number};

}  // namespace ww
