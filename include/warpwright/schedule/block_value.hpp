// SPDX-License-Identifier: BSL-1.0
//
// block_value<N>: one block of N instructions with their operands, as a value that needs no memory, for constant expressions
// (pipeline/constant.hpp).
//
//   constexpr auto load = ww::isa::typed_instruction(ww::opcode::ldg), add = ...;      (isa/builder.hpp)
//   ww::block_value<2> b;
//   b.set(0, load, operand::def(R(4), slot::dst), operand::use(R(2), slot::address, 2));
//   b.set(1, add, operand::def(R(5), slot::dst), operand::use(R(4), slot::a));
//
// code() makes the program of that one block. Nothing is known of what runs before and behind it: its exit is open, so that
// every register counts as live there.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"

namespace ww {

inline constexpr std::size_t constant_block_limit = 64;   // instructions
inline constexpr std::size_t constant_operand_limit = 8;  // operands of one instruction

template <std::size_t N>
struct block_value {
  static_assert(N >= 1 && N <= constant_block_limit, "ww::block_value<N>: N is 1 to 64 instructions");
  array<instruction, N> instructions{};
  array<array<operand, constant_operand_limit>, N> operands{};

  // Sets instruction `i`; definitions come before uses.
  template <class... Operands>
  constexpr block_value& set(std::size_t i, instruction ins, Operands... ops) {
    static_assert(sizeof...(Operands) <= constant_operand_limit, "ww::block_value: at most 8 operands");
    instructions[i] = ins;
    instructions[i].operand_count = static_cast<std::uint8_t>(sizeof...(Operands));
    [[maybe_unused]] std::size_t k = 0;  // no operands, no use
    ((operands[i][k++] = ops), ...);
    return *this;
  }

  [[nodiscard]] constexpr program code() const {
    program p;
    for (std::size_t i = 0; i < N; ++i) {
      instruction ins = instructions[i];
      ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
      for (std::size_t k = 0; k < ins.operand_count; ++k) p.operands.push_back(operands[i][k]);
      p.instructions.push_back(ins);
      p.order.push_back(instr_id(static_cast<std::uint32_t>(i)));
    }
    block b;
    b.count = static_cast<std::uint32_t>(N);
    b.entry = true;
    b.reachable = true;
    b.open_exit = true;
    p.blocks.push_back(b);
    return p;
  }
};

}  // namespace ww
