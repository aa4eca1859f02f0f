// SPDX-License-Identifier: BSL-1.0
//
// Scheduling one block in a constant expression (small blocks, up to 64 instructions).
//
//   constexpr auto block = ww::block_value(add(...), load(...));      // or filled by hand
//   constexpr auto s = ww::schedule_block<ww::scheduler<ww::sm90>>(block);
//   static_assert(s.cycles == 12 && s.order[0] == 1);
//
//   block_value<N>      N instructions with their operands, as a value that needs no memory
//   block_schedule<N>   the order (places in the block as given), cycles before and after by the engine's own view
//
// The graph, the ready lists and the engine are the ones that run at run time. Registers are taken to be live behind the
// block; nothing is known of other blocks. `Sched` is a ww::scheduler<...> or a scheduler_config.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "engine.hpp"
#include "workspace.hpp"

namespace ww {

inline constexpr std::size_t constant_block_limit = 64;   // instructions
inline constexpr std::size_t constant_operand_limit = 8;  // operands of one instruction

template <std::size_t N>
struct block_value {
  static_assert(N >= 1 && N <= constant_block_limit, "ww::block_value<N>: N is 1 to 64 instructions");
  std::array<instruction, N> instructions{};
  std::array<std::array<operand, constant_operand_limit>, N> operands{};

  // Sets instruction `i`; definitions come before uses.
  template <class... Operands>
  constexpr block_value& set(std::size_t i, instruction ins, Operands... ops) {
    static_assert(sizeof...(Operands) <= constant_operand_limit, "ww::block_value: at most 8 operands");
    instructions[i] = ins;
    instructions[i].operand_count = static_cast<std::uint8_t>(sizeof...(Operands));
    std::size_t k = 0;
    ((operands[i][k++] = ops), ...);
    return *this;
  }
};

template <std::size_t N>
struct block_schedule {
  std::array<std::uint32_t, N> order{};  // places in the block as given, in issue order
  std::uint64_t cycles = 0;
  std::uint64_t original_cycles = 0;
  std::uint64_t critical_cycles = 0;
  bool kept = false;    // the order as given was at least as good
  bool failed = false;  // the dependences are cyclic: the order is as given
};

namespace detail {

template <class Sched>
struct config_behind {
  using type = typename Sched::config;
};
template <class Sched>
requires requires { Sched::composed; }
struct config_behind<Sched> {
  using type = Sched;
};

}  // namespace detail

template <class Sched, std::size_t N>
constexpr block_schedule<N> schedule_block(const block_value<N>& given) {
  using config = typename detail::config_behind<Sched>::type;
  program p;
  for (std::size_t i = 0; i < N; ++i) {
    instruction ins = given.instructions[i];
    ins.first_operand = static_cast<std::uint32_t>(p.operands.size());
    for (std::size_t k = 0; k < ins.operand_count; ++k) p.operands.push_back(given.operands[i][k]);
    p.instructions.push_back(ins);
    p.order.push_back(instr_id(static_cast<std::uint32_t>(i)));
  }
  block b;
  b.count = static_cast<std::uint32_t>(N);
  b.reachable = true;
  p.blocks.push_back(b);
  schedule_workspace<config> ws;
  const schedule_stats stats = schedule_block<config>(p, block_id(0), ws);
  block_schedule<N> s;
  for (std::size_t i = 0; i < N; ++i) s.order[i] = p.order[i].index();
  s.cycles = stats.planned_cycles;
  s.original_cycles = stats.original_cycles;
  s.critical_cycles = stats.critical_cycles;
  s.kept = stats.kept_blocks != 0;
  s.failed = stats.failed;
  return s;
}

}  // namespace ww
