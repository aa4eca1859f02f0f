// SPDX-License-Identifier: BSL-1.0
//
// What a walk of many warps asks about an instruction, worked out once for a program: a step. Warps and distances between
// their starts share the steps, so that a simulation reads 32 bytes an issue and looks nothing up.
//
// Steps stand in program order without padding; `code_range` says which are those of a block. Times are cycles after issue.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "class_facts.hpp"
#include "options.hpp"

namespace ww::model {

struct step {
  static constexpr std::uint8_t drains = 1;  // everything in flight lands before the next one
  static constexpr std::uint8_t counts = 2;  // DEPBAR: waits for all but so many of a counter
  static constexpr unsigned no_counter = control::barrier_count;

  std::int32_t result = 0;          // landing of its results
  std::uint16_t read = 0;           // last read of its sources, where a counter tells
  std::uint16_t gap = 0;            // to the next instruction of the warp, by its stall and its register-bank ports
  std::uint16_t bank = 0;           // the same by the ports alone
  std::uint16_t busy = 0;           // until its pipe takes the next one
  instr_id id;                      // the instruction
  std::uint8_t pipe = 0;            // pipe_id
  std::uint8_t bubbles = 0;         // cycles that all warps lose
  std::uint8_t waits = 0;           // counters, bit by bit
  std::uint8_t write = no_counter;  // counter that the landing of its results lowers
  std::uint8_t late = no_counter;   // counter that the last read of its sources lowers
  std::uint8_t write_queue = 0;     // in whose order the results land; 0 = in none
  std::uint8_t read_queue = 0;      // in whose order the sources are read, where a counter tells; 0 = in none
  std::uint8_t flags = 0;
};

struct code_range {
  std::uint32_t first = 0;
  std::uint32_t end = 0;
};

namespace detail {

inline std::uint8_t counter_of(bool set, unsigned c) {
  return static_cast<std::uint8_t>(set && c < control::barrier_count ? c : step::no_counter);
}
inline std::uint8_t order_of_queue(queue_id q) { return static_cast<std::uint8_t>(q == queue_id::own ? queue_id::none : q); }

template <class Arch>
step make_step(const instruction& i, instr_id id, const options& o, unsigned bubbles) {
  const class_fact& f = class_facts<Arch>()[static_cast<unsigned>(i.iclass)];
  const unsigned size = size_index(i.mem_bytes);
  step s;
  s.id = id;
  s.result = f.result[size] + (o.far != 0 && leaves_core(i) ? o.far : 0);
  s.bank = static_cast<std::uint16_t>(bubbles == 0 ? 0u : bubbles + 1);
  s.gap = static_cast<std::uint16_t>(meta::max(i.ctl.stall + (i.ctl.stall == 1 && i.ctl.yield ? 1u : 0u), unsigned{s.bank}));
  const unsigned shared = o.banks == bank_pricing::sub_core ? bubbles : 0;
  s.busy = static_cast<std::uint16_t>(f.interval + shared);
  s.pipe = static_cast<std::uint8_t>(f.pipe);
  s.bubbles = static_cast<std::uint8_t>(shared);
  s.waits = i.ctl.wait_mask & 0x3fu;
  s.write = counter_of(i.ctl.sets_write(), i.ctl.write_barrier);
  s.write_queue = order_of_queue(f.write_queue);
  s.late = counter_of(i.ctl.sets_read(), i.ctl.read_barrier);
  if (s.late != step::no_counter) {
    s.read = f.read[size];
    s.read_queue = order_of_queue(f.read_queue);
  }
  s.flags =
      static_cast<std::uint8_t>((i.ctl.drains() ? step::drains : 0) | (i.iclass == sched_class::depbar ? step::counts : 0));
  return s;
}

}  // namespace detail

// The steps of a program and, by block, which they are. `bubbles` by instruction (operand_reads.hpp). True if one of them counts.
template <class Arch>
bool make_steps(const program& p, const options& o, const vec<std::uint8_t>& bubbles, vec<step>& steps,
                vec<code_range>& ranges) {
  bool counts = false;
  steps.clear();
  ranges.resize(p.blocks.size());
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    ranges[b].first = static_cast<std::uint32_t>(steps.size());
    for (const instr_id id : p.order_of(p.blocks[b])) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      steps.push_back(detail::make_step<Arch>(i, id, o, bubbles[id.index()]));
      counts = counts || (steps.back().flags & step::counts) != 0;
    }
    ranges[b].end = static_cast<std::uint32_t>(steps.size());
  }
  return counts;
}

}  // namespace ww::model
