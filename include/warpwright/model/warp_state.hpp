// SPDX-License-Identifier: BSL-1.0
//
// One warp of the model machine: what it waits for before an instruction and what the instruction leaves behind.
//
// ready() is the earliest issue that the warp itself allows (stalls, waits, bank ports); the pipe is the caller's business,
// for warps share it. issue() moves the warp past the instruction:
//   stall n          the next one issues n cycles later at the earliest; stall 1 with yield gives one cycle away
//   drain            raw code 0: everything in flight lands first, and never less than `drain_least` cycles
//                    (facts: public notes 2.2, 31 to 45 cycles)
//   stall 0, stay    sm_50..62 only: issues together with the next one
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "class_facts.hpp"
#include "machine.hpp"

namespace ww::model {

inline constexpr std::int32_t drain_least = 32;

template <class Arch>
struct warp_state {
  counter_file counters;
  queue_file queues;
  std::int32_t next = 0;    // by stalls
  std::int32_t bank = 0;    // by register-bank ports of the previous instruction
  std::int32_t landed = 0;  // latest landing of anything in flight
  bool drained = false;     // the previous instruction drains

  static constexpr auto set_to_wait = static_cast<std::int32_t>(Arch::barriers::set_to_wait);

  // Earliest issue by counters alone.
  [[nodiscard]] std::int32_t by_counters(const program& p, const instruction& i) const {
    std::int32_t t = counter_file::floor_time;
    for (unsigned m = i.ctl.wait_mask & 0x3fu, c = 0; m != 0; m >>= 1u, ++c) {
      if ((m & 1u) != 0) t = meta::max(t, counters.at_most(c, 0, set_to_wait));
    }
    if (i.iclass == sched_class::depbar) {
      for (const operand o : p.operands_of(i)) {
        if (o.file() == reg_file::sb && o.base().number() < control::barrier_count) {
          t = meta::max(t, counters.at_most(o.base().number(), o.where() == slot::b ? 0u : depbar_count(i), set_to_wait));
        }
      }
    }
    return t;
  }

  [[nodiscard]] std::int32_t ready(const program& p, const instruction& i) const {
    return meta::max(meta::max(next, bank), by_counters(p, i));
  }

  // `bubbles`: cycles that the read of the sources holds up the next instruction (operand_reads.hpp).
  void issue(const instruction& i, const class_fact& f, std::int32_t t, std::int32_t bubbles, std::int32_t far = 0) {
    const unsigned size = size_index(i.mem_bytes);
    std::int32_t result = t + f.result[size] + (far != 0 && leaves_core(i) ? far : 0);
    if (f.write_queue != queue_id::none && f.write_queue != queue_id::own) {
      result = queue_file::in_order(queues.write[static_cast<unsigned>(f.write_queue)], result);
    }
    landed = meta::max(landed, result);
    if (i.ctl.sets_read() && i.ctl.read_barrier < control::barrier_count) {
      std::int32_t read = t + f.read[size];
      if (f.read_queue != queue_id::none && f.read_queue != queue_id::own) {
        read = queue_file::in_order(queues.read[static_cast<unsigned>(f.read_queue)], read);
      }
      counters.raise(i.ctl.read_barrier, t, read);
      landed = meta::max(landed, read);
    }
    if (i.ctl.sets_write() && i.ctl.write_barrier < control::barrier_count) counters.raise(i.ctl.write_barrier, t, result);
    bank = bubbles == 0 ? t : t + 1 + bubbles;
    drained = i.ctl.drains();
    if (drained) {
      next = meta::max(t + drain_least, landed);
    } else {
      next = t + i.ctl.stall + (i.ctl.stall == 1 && i.ctl.yield ? 1 : 0);
    }
  }

  // Makes `origin` the new time zero.
  void shift(std::int32_t origin) {
    counters.shift(origin);
    queues.shift(origin);
    next -= origin;
    bank -= origin;
    landed -= origin;
  }
};

}  // namespace ww::model
