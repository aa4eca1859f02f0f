// SPDX-License-Identifier: BSL-1.0
//
// Words of the instructions that spilled values need: loads and stores of local memory, and the step of the stack pointer.
//
//   access   STL, LDL at [Rx + offset], of 32, 64 or 128 bits: base register bits 24..31, signed offset 40..63, result 16..23 or
//            data 32..39, width 73..75 (4, 5, 6 for 4, 8, 16 bytes)
//   step     IADD3 R1, R1, -bytes, RZ, VIADD (sm_90 and later) or IADD (sm_120 and later): the immediate stands in bits 32..63
//   top      the constant from which R1 is loaded where a kernel begins: c[0x0][0x28] where URZ is 63 (up to sm_90), else
//            c[0x0][0x37c]
// Observed in compiled listings for sm_75 to sm_120: 5,331 of 5,331 plain accesses and all 56 steps read so. Reloads of compilers
// often have a cache hint besides (.LU: bits 84 and 85 are 3; here 1, no hint), which these have not.
// sm_50..62, whose words are of 64 bits, are not known here.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../meta/span.hpp"
#include "dialect.hpp"
#include "opcode_id.hpp"

namespace ww::isa {

inline constexpr std::uint32_t stack_pointer = 1;  // R1

// Byte offset in bank 0 of where the stack of a thread begins.
[[nodiscard]] constexpr std::uint32_t stack_top_constant(const dialect& d) { return d.uniform_zero == 63 ? 0x28u : 0x37cu; }

// Writes the words of a load or store of local memory as its operands, width and offset say. False, and nothing is written, where it is
// no such access without a guard.
[[nodiscard]] constexpr bool set_local_access(std::uint64_t (&word)[2], const instruction& i, span<const operand> operands) {
  if (i.op != opcode::stl && i.op != opcode::ldl) return false;
  const bool store = i.op == opcode::stl;
  if (i.mem_bytes != 4 && i.mem_bytes != 8 && i.mem_bytes != 16) return false;
  constexpr std::int32_t reach = 1 << 23;
  if (i.mem_offset < -reach || i.mem_offset >= reach || i.mem_offset % i.mem_bytes != 0) return false;
  std::uint64_t base = reg::zero_number;
  std::uint64_t data = reg::zero_number;
  for (const operand& o : operands) {
    if (!o.is_register() || o.file() != reg_file::r || o.base().is_virtual() || o.where() == slot::guard) return false;
    if (o.where() == slot::address) {
      base = o.base().number();
    } else if (o.is_def() != store && o.width() * 4u == i.mem_bytes) {
      data = o.base().number();
    } else {
      return false;
    }
  }
  if (base > 255 || data > 254) return false;
  const std::uint64_t width = i.mem_bytes == 4 ? 4 : i.mem_bytes == 8 ? 5 : 6;
  constexpr std::uint64_t always = 0x7000;  // PT
  constexpr std::uint64_t plain = 0x100000;
  word[0] = (store ? 0x387u : 0x983u) | always | base << 24 | data << (store ? 32 : 16) |
            (static_cast<std::uint64_t>(static_cast<std::uint32_t>(i.mem_offset)) & 0xffffffu) << 40;
  word[1] = plain | width << 9;
  return true;
}

// IADD3 R1, R1, -bytes, RZ.
constexpr void set_stack_step(std::uint64_t (&word)[2], std::uint32_t bytes) {
  word[0] = 0x1017810u | std::uint64_t{0u - bytes} << 32;
  word[1] = 0x7ffe0ff;
}

// By how many bytes the words move the stack pointer down; 0 if they do something else.
[[nodiscard]] constexpr std::uint32_t stack_step(const std::uint64_t (&word)[2]) {
  constexpr std::uint64_t control = ((std::uint64_t{1} << 21) - 1) << 41;  // bits 105..125
  const std::uint64_t high = word[1] & ~control;
  const auto low = static_cast<std::uint32_t>(word[0]);
  const bool known = (low == 0x1017810u && high == 0x7ffe0ff) || (low == 0x1017836u && high == 0) ||
                     (low == 0x1017835u && high == 0x78e0000);
  const auto step = static_cast<std::uint32_t>(word[0] >> 32);
  return known && (step >> 31) != 0 ? 0u - step : 0u;
}

// Makes a step of another number of bytes of it.
constexpr void change_stack_step(std::uint64_t (&word)[2], std::uint32_t bytes) {
  word[0] = (word[0] & 0xffffffffu) | std::uint64_t{0u - bytes} << 32;
}

// Do the words read the constant c[0x0][offset], 4 bytes?
[[nodiscard]] constexpr bool reads_constant_word(const instruction& i, std::uint32_t offset) {
  if (!i.has(iflag::reads_constant)) return false;
  const std::uint64_t field = i.word[0] >> 38 & 0xffffu;
  const std::uint64_t bank = i.word[0] >> 54 & 0x1fu;
  const std::uint64_t uniform = i.word[0] >> 37 & 0x1ffffu;
  return (field == offset && bank == 0) || (i.op == opcode::ldcu && uniform == offset);
}

}  // namespace ww::isa
