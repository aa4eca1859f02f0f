// SPDX-License-Identifier: BSL-1.0
//
// The scheduling record of one instruction (PLS-19): what the unified engine and the placement primitive keep beside an
// instruction. Of 64 bytes, a line of the cache; what only loops between blocks read is in region_record.hpp.
//
//   open             predecessors that are not placed yet; 0 = ready
//   slot             place in the block as it came, 1-based; `placed` the place in the new order, -1 = not placed
//   latency counter  cycles that a barrier target still has to wait for the result it reads, 0 when it is there
//   earliest         first cycle at which the placed producers allow it to issue
//   deadline         last cycle that makes nothing longer
//   barrier group    completion queue of the variable-latency producer that it waits for
//   predecessor cycle, dependence cycle   issue cycle of the last placed predecessor; arrival of the last true dependence
//   margin           cycle - earliest: below 0 it would stall. The text keeps `earliest` relative and tests its sign
// `next_ready` links the ready list in the order of arrival.
#pragma once

#include <cstdint>

#include "../../arch/vocabulary.hpp"
#include "../../isa/sched_class.hpp"

namespace ww::unified {

inline constexpr std::uint32_t no_record = 0xffffffffu;
inline constexpr std::int32_t latency_infinity = 99999;
inline constexpr std::int32_t not_placed = -1;

enum class record_flag : std::uint16_t {
  barrier_target = 1u << 0,    // waits on a dependency counter
  has_dependence = 1u << 1,    // has a true dependence inside the block
  early = 1u << 2,             // may be placed before its region starts
  late = 1u << 3,              // may be placed after its region ends
  register_operand = 1u << 4,  // names at least one register
  expensive_file = 1u << 7,    // names a uniform register or predicate
  hot = 1u << 8,               // memory access with long latency
  cold = 1u << 9,              // memory access with short latency
  yield_boundary = 1u << 10,
  control = 1u << 11,
  shared_memory = 1u << 12,
  imported = 1u << 13,
  batched = 1u << 14,  // belongs to a kind of instruction that DynBatch keeps together
};

struct alignas(64) record {
  // What a placed predecessor writes stands together.
  std::uint32_t open = 0;
  std::uint32_t earliest = 0;           // cycle
  std::uint32_t predecessor_cycle = 0;  // cycle
  std::uint32_t dependence_cycle = 0;   // cycle
  std::uint32_t bucket = no_record;     // where the pick keeps it while it is ready
  std::uint32_t next_ready = no_record;
  std::uint32_t previous_ready = no_record;
  std::int32_t slot = 0;
  std::int32_t placed = not_placed;
  std::uint32_t deadline = 0;  // cycle
  std::uint16_t flags = 0;
  std::uint16_t latency = 1;   // longest latency of an edge to a successor, cycles
  std::int16_t delta[4] = {};  // registers in hardware units: general, predicate, address, uniform
  std::uint8_t barrier_group = 0;
  std::uint8_t pipe = 0;
  std::uint8_t interval = 1;   // cycles
  std::uint8_t min_stall = 1;  // cycles
  sched_class iclass{};
  std::uint8_t resource_class = 0;  // functional unit of PLS-9

  [[nodiscard]] constexpr bool has(record_flag f) const { return (flags & static_cast<std::uint16_t>(f)) != 0; }
  constexpr void add(record_flag f) { flags = static_cast<std::uint16_t>(flags | static_cast<std::uint16_t>(f)); }
  // What 16 bits do not hold stays at their end.
  constexpr void set_delta(unsigned group, std::int32_t units) {
    constexpr std::int32_t most = 0x7fff;
    delta[group] = static_cast<std::int16_t>(units > most ? most : units < -most ? -most : units);
  }
  [[nodiscard]] constexpr std::int32_t margin(std::uint32_t cycle) const {
    return static_cast<std::int32_t>(cycle) - static_cast<std::int32_t>(earliest);
  }
  [[nodiscard]] constexpr std::int32_t latency_counter(std::uint32_t cycle) const {
    return has(record_flag::barrier_target) && earliest > cycle ? static_cast<std::int32_t>(earliest - cycle) : 0;
  }
};

static_assert(sizeof(record) == 64, "a pick that touches a record touches one line");

}  // namespace ww::unified
