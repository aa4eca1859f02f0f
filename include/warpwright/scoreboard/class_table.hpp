// SPDX-License-Identifier: BSL-1.0
//
// What the passes of this folder ask about a scheduling class, looked up once per architecture.
//
//   variable, late   the result, or the sources, are covered by a counter
//   write_queue      code of the in-order completion queue; read_queue the same for reading sources.
//                    Codes: 0 nothing, 1..31 a shared queue, 32 + class a queue of the class alone, 255 no queue
//   interval         issue interval of the pipe in cycles; min_stall least own stall in cycles
//   special          instructions of it may have a role beyond their registers (special.hpp)
//   slow             overwriting one of its sources takes some class three cycles or more
//   late_over        overwriting a fixed reader's source takes this class more than one cycle
//   war              longest distance that any writer needs after a read by this class, by register file (r, p, ur, up)
// The table is data; it does not change what the architecture page says.
#pragma once

#include <array>
#include <cstdint>

#include "../arch/concept.hpp"
#include "../arch/late_source.hpp"
#include "../meta/algorithm.hpp"
#include "special.hpp"

namespace ww::scoreboard {

struct class_entry {
  bool variable = false;
  bool late = false;
  bool late_over = false;
  bool special = false;
  bool slow = false;
  bool may_be_covered = false;  // its result may go without a counter (needs.hpp)
  bool behind_barrier = false;  // keeps a distance from a BAR (pipes::behind_barrier)
  bool reads_covered = false;   // so may its late sources, and it covers those of others
  std::array<std::uint8_t, 4> war{1, 1, 1, 1};
  std::uint8_t write_queue = 255;
  std::uint8_t read_queue = 255;
  std::uint8_t interval = 1;
  std::uint8_t min_stall = 1;
  pipe_id pipe = pipe_id::none;
  std::array<std::array<std::uint32_t, 2>, 4> late_slots{};  // bit per slot: by register file, without and with a guard

  // Whether a source of a late class is read late (late_source.hpp).
  [[nodiscard]] bool reads_late(slot where, reg_file file, bool guarded) const {
    const unsigned f = static_cast<unsigned>(file) - 1u;
    return f < 4u && (late_slots[f][guarded ? 1 : 0] >> static_cast<unsigned>(where) & 1u) != 0;
  }
};

inline constexpr std::uint8_t queue_empty = 0;
inline constexpr std::uint8_t queue_mixed = 255;

namespace detail {

constexpr std::uint8_t queue_code(queue_id q, sched_class c) {
  if (q == queue_id::none) return queue_mixed;
  if (q == queue_id::own) return static_cast<std::uint8_t>(32u + static_cast<unsigned>(c));
  return static_cast<std::uint8_t>(q);
}
static_assert(32u + sched_class_count < 255u);

// Queues of which compilers leave results without a counter where a later one of the queue is waited for first (facts:
// observed, "In-order completion": shared memory, double precision, the XU). Global and local loads always have one in their
// output.
constexpr bool leaves_counters_out(queue_id q) { return q == queue_id::shared || q == queue_id::xu || q == queue_id::fp64; }

// Classes of which compilers leave read counters out where a later instruction of the read queue is waited for first
// (observed on 255 listings of sm_75..sm_90a: special unit, shared memory, stores 1,514 of 1,539 times). Global and local
// loads take part only where the architecture says so: sm_90 left 286 of 322 out, sm_75..sm_89 none of 1,027.
template <class Latency>
constexpr bool leaves_reads_out(sched_class c) {
  if constexpr (requires { Latency::load_reads_covered; }) {
    if (Latency::load_reads_covered) return true;
  }
  return c != sched_class::ldg && c != sched_class::ldl && c != sched_class::ld;
}

template <class Arch>
std::array<class_entry, sched_class_count> make_class_table() {
  using lat = typename Arch::latency;
  using pipes = typename Arch::pipes;
  std::array<class_entry, sched_class_count> t{};
  for (unsigned i = 0; i < sched_class_count; ++i) {
    const auto c = static_cast<sched_class>(i);
    class_entry& e = t[i];
    e.variable = lat::variable(c);
    e.late = lat::late_reader(c);
    e.special = may_be_special(c);
    e.write_queue = queue_code(lat::completion_queue(c), c);
    e.may_be_covered = e.variable && leaves_counters_out(lat::completion_queue(c));
    e.read_queue = queue_code(lat::read_queue(c), c);
    e.reads_covered = e.late && e.read_queue != queue_mixed && leaves_reads_out<lat>(c);
    e.interval = static_cast<std::uint8_t>(pipes::interval(c) > 255u ? 255u : pipes::interval(c));
    e.min_stall = static_cast<std::uint8_t>(meta::clamp<unsigned>(pipes::min_stall(c), 1, 15));
    if constexpr (requires { pipes::behind_barrier; }) e.behind_barrier = !pipes::free_behind_barrier(c);
    e.pipe = pipes::pipe_of(c);
    for (unsigned k = 0; e.late && k < 4 * 2 * 32; ++k) {
      const access_point a{c, static_cast<slot>(k & 31u), static_cast<reg_file>((k >> 6) + 1), 0, (k & 32u) != 0};
      if (a.where <= slot::implicit && late_source<lat>(a)) e.late_slots[k >> 6][k >> 5 & 1u] |= 1u << (k & 31u);
    }
  }
  for (unsigned i = 0; i < sched_class_count; ++i) {
    for (unsigned j = 0; j < sched_class_count; ++j) {
      for (unsigned f = 0; f < 4; ++f) {
        const reg_file file = static_cast<reg_file>(f + 1);
        const access_point reader{static_cast<sched_class>(i), slot::a, file, 0, false};
        const access_point writer{static_cast<sched_class>(j), slot::dst, file, 0, false};
        const std::uint8_t d = lat::war(reader, writer).emit;
        t[i].war[f] = meta::max(t[i].war[f], d);
        if (d > 1) t[j].late_over = true;
        if (d > 2) t[i].slow = true;
      }
    }
  }
  return t;
}

}  // namespace detail

static_assert(static_cast<unsigned>(reg_file::r) == 1 && static_cast<unsigned>(reg_file::up) == 4);

// The table of one architecture, made at its first use.
template <class Arch>
const std::array<class_entry, sched_class_count>& class_table() {
  static const std::array<class_entry, sched_class_count> table = detail::make_class_table<Arch>();
  return table;
}

}  // namespace ww::scoreboard
