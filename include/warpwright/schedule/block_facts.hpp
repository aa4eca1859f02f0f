// SPDX-License-Identifier: BSL-1.0
//
// Facts about the instructions of one block that the per-pick priorities read: traits, register deltas, deadlines.
//
//   delta      block-local: a definition starts a life (+ its registers), the last read before the next definition in
//              the block's own order ends one. A register that is not defined again in the block is taken to live on
//   live-in    registers read before they are defined in the block; the pressure at the block's start
//   hot, cold  PLS-3: global, texture and surface accesses are hot; constant and shared ones are cold
// Cost is one backward walk over the operands. Fixed-key priorities never come here.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../priority/candidate.hpp"
#include "class_table.hpp"
#include "group_bits.hpp"

namespace ww::detail {

[[nodiscard]] constexpr int group_of(reg_file f) {
  switch (f) {
    case reg_file::r:
      return 0;
    case reg_file::p:
      return 1;
    case reg_file::up:
      return 2;
    case reg_file::ur:
      return 3;
    default:
      return -1;
  }
}

[[nodiscard]] constexpr std::uint16_t traits_of(const instruction& i, bool variable) {
  priority::candidate c;
  using priority::trait;
  if (variable) c.add(trait::variable);
  if (i.mem_bytes != 0 || i.space != mem_space::none) {
    switch (i.space) {
      case mem_space::global:
      case mem_space::generic:
      case mem_space::texture:
      case mem_space::surface:
        if (i.dir != mem_dir::store) c.add(trait::hot);
        break;
      case mem_space::constant:
        c.add(trait::cold);
        break;
      case mem_space::shared:
        c.add(trait::cold);
        c.add(trait::shared_memory);
        break;
      default:
        break;
    }
  }
  if (i.iclass == sched_class::yield) c.add(trait::yield_boundary);
  if (i.has(iflag::sync) || i.has(iflag::convergence)) c.add(trait::control);
  return c.traits;
}

// What the walk remembers: registers whose next definition below has been seen and that nobody has read since; registers
// live above the instruction being looked at.
struct pressure_bits {
  group_bits pending;
  group_bits known;
};

// Fills `delta` of every candidate and `live` with the pressure at the start of the block.
constexpr void fill_pressure(const program& p, span<const instr_id> order, span<priority::candidate> candidates,
                             std::int32_t (&live)[priority::group_count], pressure_bits& bits) {
  group_bits& pending = bits.pending;
  group_bits& known = bits.known;
  pending.clear();
  known.clear();
  for (std::int32_t& l : live) l = 0;
  for (std::size_t i = order.size(); i-- > 0;) {
    priority::candidate& c = candidates[i];
    int delta[priority::group_count] = {0, 0, 0, 0};
    for (const operand& o : p.operands_of(order[i])) {
      const int g = o.is_register() ? group_of(o.file()) : -1;
      if (g < 0) continue;
      for (unsigned k = 0; k < o.width(); ++k) {
        const std::uint32_t number = o.base().number() + k;
        if (o.is_def()) {
          ++delta[g];
          if (!o.is_partial()) {
            pending.set(o.file(), number);
            if (known.clear(o.file(), number)) --live[g];
          }
        } else {
          if (pending.clear(o.file(), number)) --delta[g];
          if (known.set(o.file(), number)) ++live[g];
        }
      }
    }
    for (unsigned g = 0; g < priority::group_count; ++g) {
      c.delta[g] = static_cast<std::int8_t>(delta[g] < -128 ? -128 : delta[g] > 127 ? 127 : delta[g]);
    }
  }
}

}  // namespace ww::detail
