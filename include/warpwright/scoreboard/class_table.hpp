// SPDX-License-Identifier: BSL-1.0
//
// What the passes of this folder ask about a scheduling class, looked up once per architecture.
//
//   variable, late   the result, or the sources, are covered by a counter
//   write_queue      code of the in-order completion queue; read_queue the same for reading sources; overwrite_queue: the read queue behind
//                    which its results land; replace_queue: the completion queue where that order is relied on.
//                    Codes: 0 nothing, 1..31 a shared queue, 32 + class a queue of the class alone, 255 no queue
//   interval         issue interval of the pipe in cycles, 0 where there is no pipe; min_stall least own stall in cycles
//   paced            what stalls keep of that: the compiler encodes less where the hardware waits by itself (arch/, page
//                    pipes), and BAR is paced by memory accesses on some SMs
//   special          instructions of it may have a role beyond their registers (special.hpp)
//   slow             overwriting one of its sources takes some class three cycles or more
//   late_over        overwriting some fixed reader's source takes this class two cycles (more: `slow` of the reader)
//   landed           cycles after which nobody has to keep away from a fixed result any more (arch/landed.hpp)
//   war              longest distance that any writer needs after a read by this class, by register file (r, p, ur, up)
// The table is data; it does not change what the architecture page says.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../arch/landed.hpp"
#include "../arch/late_source.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "special.hpp"

namespace ww::scoreboard {

struct alignas(64) class_entry {
  bool variable = false;
  bool late = false;
  bool late_over = false;
  bool special = false;
  bool slow = false;
  bool may_be_covered = false;  // its result may go without a counter (needs.hpp)
  bool behind_barrier = false;  // keeps a distance from a BAR (pipes::behind_barrier)
  bool reads_covered = false;   // so may its late sources, and it covers those of others
  array<std::uint8_t, 4> war{1, 1, 1, 1};
  bool beside = false;                           // its counted results keep a distance too (arch/detail/beside_counter.hpp)
  array<std::uint8_t, reg_file_count> landed{};  // by register file, of results that keep a distance
  std::uint8_t write_queue = 255;
  std::uint8_t read_queue = 255;
  std::uint8_t overwrite_queue = 255;
  std::uint8_t replace_queue = 255;
  std::uint8_t interval = 1;
  std::uint8_t paced_interval = 1;
  std::uint8_t min_stall = 1;
  pipe_id pipe = pipe_id::none;
  pipe_id paced_pipe = pipe_id::none;
  array<array<std::uint32_t, 2>, 4> late_slots{};  // bit per slot: by register file, without and with a guard

  // Whether a source of a late class is read late (late_source.hpp).
  [[nodiscard]] constexpr bool reads_late(slot where, reg_file file, bool guarded) const {
    const unsigned f = static_cast<unsigned>(file) - 1u;
    return f < 4u && (late_slots[f][guarded ? 1 : 0] >> static_cast<unsigned>(where) & 1u) != 0;
  }
};

static_assert(sizeof(class_entry) == 64);  // found by a shift

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

// Loads of global, local, generic and constant memory and atomics there: compilers never leave a counter of theirs out for a later
// one's (facts: observed; 102,000 results, and 107,000 of LDC), so that results of these land in order is not relied on.
constexpr bool lands_by_itself(sched_class c) {
  return c == sched_class::ldg || c == sched_class::ldl || c == sched_class::ld || c == sched_class::atomg ||
         c == sched_class::atom || c == sched_class::atoms || c == sched_class::ldc;
}

// The queue in which results land. Conversions from and to 64 bits are not relied on to keep their place among those of the special
// unit: compilers let F2F and F2I land in order with others in half of the cases only, and await them before others replace them.
template <class Latency>
constexpr queue_id landing_queue(sched_class c) {
  return c == sched_class::conv_64 ? queue_id::own : Latency::completion_queue(c);
}

// The queue in which sources are read, where compilers are seen to rely on it. They do for shared memory and stores, loads from sm_90
// on, the special unit, double precision and the transfer engine. For a class that is a queue of its own (REDUX, generic and surface
// atomics, matrix operations) or reads with the textures no compiled listing does, and LDC, for which none did either, reads out of
// order on silicon: such sources have counters of their own. So have those of ATOMG where loads read in no order, and those of LDGSTS,
// which from sm_90 on is covered by LDGSTS alone (counts: docs/latency.md).
template <class Latency>
constexpr queue_id relied_on(sched_class c) {
  const queue_id q = Latency::read_queue(c);
  constexpr bool loads_read_in_order = Latency::load_reads_covered;
  if (c == sched_class::ldgsts) return loads_read_in_order ? queue_id::own : queue_id::none;
  if (c == sched_class::atomg && !loads_read_in_order && !Latency::loads_in_order) return queue_id::none;
  return q == queue_id::texture || (q == queue_id::own && c != sched_class::tma) ? queue_id::none : q;
}

// A row without what depends on other classes.
template <class Arch>
constexpr class_entry own_class_entry(sched_class c) {
  using lat = typename Arch::latency;
  using pipes = typename Arch::pipes;
  class_entry e;
  e.variable = lat::variable(c);
  e.late = lat::late_reader(c);
  e.special = may_be_special(c);
  e.write_queue = queue_code(landing_queue<lat>(c), c);
  e.may_be_covered = e.variable && leaves_counters_out(landing_queue<lat>(c));
  const queue_id reads = relied_on<lat>(c);
  e.read_queue = queue_code(reads, c);
  e.replace_queue = lands_by_itself(c) ? queue_mixed : e.write_queue;
  e.overwrite_queue = queue_code(reads == queue_id::none ? queue_id::none : lat::overwrite_queue(c), c);
  e.reads_covered = e.late && e.read_queue != queue_mixed;
  if constexpr (requires { lat::kept_beside(c); }) e.beside = lat::kept_beside(c) != 0;
  for (unsigned k = 0; k < 2 * reg_file_count; ++k) {
    const unsigned file = k >> 1;
    const access_point w{c, slot::dst, static_cast<reg_file>(file), static_cast<std::uint8_t>(k & 1u), false};
    e.landed[file] =
        static_cast<std::uint8_t>(meta::max<unsigned>(e.landed[file], e.variable && !e.beside ? 0u : ww::landed<lat>(w)));
  }
  e.interval = static_cast<std::uint8_t>(pipes::interval(c) > 255u ? 255u : pipes::interval(c));
  e.min_stall = static_cast<std::uint8_t>(meta::clamp<unsigned>(pipes::min_stall(c), 1, 15));
  if constexpr (requires { pipes::behind_barrier; }) e.behind_barrier = !pipes::free_behind_barrier(c);
  e.pipe = pipes::pipe_of(c);
  if (e.pipe == pipe_id::none) e.interval = 0;
  e.paced_interval = e.interval;
  e.paced_pipe = e.pipe;
  if constexpr (requires { pipes::paced_interval(c); })
    e.paced_interval = static_cast<std::uint8_t>(pipes::paced_interval(c));
  if constexpr (requires { pipes::paced_pipe(c); }) e.paced_pipe = pipes::paced_pipe(c);
  if (e.paced_pipe == pipe_id::none) e.paced_interval = 0;
  for (unsigned k = 0; e.late && k < 4 * 2; ++k) {
    const reg_file file = static_cast<reg_file>((k >> 1) + 1);
    for (unsigned where = 0; where <= static_cast<unsigned>(slot::implicit); ++where) {
      if (taken_for_late<lat>(access_point{c, static_cast<slot>(where), file, 0, (k & 1u) != 0})) {
        e.late_slots[k >> 1][k & 1u] |= 1u << where;
      }
    }
  }
  return e;
}

// Notes in the rows of two classes what overwriting a source of the first by a result of the second takes.
template <class Arch>
constexpr void note_overwriting(sched_class reads, class_entry& reader, sched_class writes, class_entry& writer) {
  for (unsigned f = 0; f < 4; ++f) {
    const reg_file file = static_cast<reg_file>(f + 1);
    const std::uint8_t d =
        Arch::latency::war(access_point{reads, slot::a, file, 0, false}, access_point{writes, slot::dst, file, 0, false})
            .emit;
    reader.war[f] = meta::max(reader.war[f], d);
    if (d == 2) writer.late_over = true;
    if (d > 2) reader.slow = true;
  }
}

// Fills the rows of `count` classes, as if there were no other ones.
template <class Arch>
constexpr void fill_class_rows(class_entry* rows, const sched_class* classes, unsigned count) {
  const auto row = [&](unsigned i) -> class_entry& { return rows[static_cast<unsigned>(classes[i])]; };
  for (unsigned i = 0; i < count; ++i) row(i) = own_class_entry<Arch>(classes[i]);
  for (unsigned i = 0; i < count; ++i) {
    for (unsigned j = 0; j < count; ++j) note_overwriting<Arch>(classes[i], row(i), classes[j], row(j));
  }
}

template <class Arch>
array<class_entry, sched_class_count> make_class_table() {
  array<class_entry, sched_class_count> t{};
  array<sched_class, sched_class_count> every{};
  for (unsigned i = 0; i < sched_class_count; ++i) every[i] = static_cast<sched_class>(i);
  fill_class_rows<Arch>(t.data(), every.data(), sched_class_count);
  return t;
}

}  // namespace detail

static_assert(static_cast<unsigned>(reg_file::r) == 1 && static_cast<unsigned>(reg_file::up) == 4);

// The table of one architecture, made at its first use.
template <class Arch>
const array<class_entry, sched_class_count>& class_table() {
  static const array<class_entry, sched_class_count> table = detail::make_class_table<Arch>();
  return table;
}

// The rows that a pass looks at, by class: the table. A constant expression has no table; there they are `worked_out`, which
// has the rows of the classes that occur in the program and leaves those that do not out of account (workspace::classes).
template <class Arch>
[[nodiscard]] constexpr const class_entry* class_rows(const vec<class_entry>& worked_out) {
  if (__builtin_is_constant_evaluated()) return worked_out.data();
  return class_table<Arch>().data();
}

}  // namespace ww::scoreboard
