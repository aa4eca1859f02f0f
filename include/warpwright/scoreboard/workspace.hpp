// SPDX-License-Identifier: BSL-1.0
//
// The reusable memory of control-word assignment. A caller keeps one workspace and passes it to every call: after the
// largest program has been seen once, nothing is allocated any more (what largest is: pipeline/scheduler.hpp).
//
//   unit_state     which counters protect a register unit (pending results, pending reads), and by which queue
//   pending_entry  the same at a block border, as a sorted sparse list
//   unit_heads     the newest fixed-latency result of a unit, and what else of it matters still
//   write_record   an older such result, or a read that matters for WAR
//   fixed_entry    the same at a block border, with its age in cycles at the earliest issue of the next block
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "access.hpp"
#include "reuse_memory.hpp"
#include "units.hpp"
#include "worst_distance.hpp"

namespace ww::scoreboard {

struct unit_state {
  std::uint8_t writes = 0;       // counters that a pending result of this unit is under
  std::uint8_t reads = 0;        // counters that a pending read of this unit is under
  std::uint8_t write_queue = 0;  // queue code of all of them, 255 if they differ
  std::uint8_t read_queue = 0;
  [[nodiscard]] constexpr bool empty() const { return (writes | reads) == 0; }
  constexpr bool operator==(const unit_state&) const = default;
};

struct pending_entry {
  std::uint32_t unit = 0;
  unit_state state;
  constexpr bool operator==(const pending_entry&) const = default;
};

struct write_record {
  static constexpr std::uint32_t read_bit = 1u << 31;  // a source read kept for WAR, not a result
  static constexpr std::uint32_t place = (1u << (access::file_at + 4)) - 1;

  std::int32_t time = 0;             // of issue
  std::uint32_t what = 0;            // access code and register file, and the bits above
  std::uint32_t pos = 0;             // position of the instruction; the first of the block for what came in
  std::uint32_t next = 0xffffffffu;  // index of the next older record of the same unit and kind that still matters

  [[nodiscard]] constexpr bool read() const { return (what & read_bit) != 0; }
  [[nodiscard]] constexpr std::uint32_t code() const { return what & ((1u << access::file_at) - 1); }
};

// What was last written to and read from a unit, and the times from which on that binds nobody.
struct alignas(32) unit_heads {  // found by a shift
  std::int32_t write_until = -0x40000000;
  std::int32_t read_until = -0x40000000;
  write_record write;                // the newest result
  std::uint32_t read = 0xffffffffu;  // index of the newest record of a read
};

struct fixed_entry {
  std::uint32_t what = 0;  // as in write_record
  std::uint32_t unit = 0;
  std::int32_t age = 0;

  [[nodiscard]] constexpr bool read() const { return (what & write_record::read_bit) != 0; }
  [[nodiscard]] constexpr std::uint32_t code() const { return what & ((1u << access::file_at) - 1); }
  [[nodiscard]] constexpr access_point who() const {
    return ww::detail::access_code::point(code(), static_cast<reg_file>(what >> access::file_at & 15u));
  }
  [[nodiscard]] constexpr std::uint64_t key() const { return (std::uint64_t{unit} << 32) | what; }
};

// What comes later in the block that is walked backwards (needs.hpp): the next access of a unit and the next write to it, each with
// its position and a queue in one word, for they are stored more often than asked.
struct alignas(16) unit_next {  // found by a shift
  static constexpr std::uint64_t certain = 1ull << 40;

  std::uint64_t access = at(0xffffffffu, 255);  // completion queue, if it replaces the value without reading it
  std::uint64_t write = at(
      0xffffffffu, 0);  // queue whose reads it lands behind; and `certain` if it replaces all of the value: reads that are
                        // done before it need nothing else
  static constexpr std::uint64_t at(std::uint32_t pos, std::uint8_t queue) { return pos | std::uint64_t{queue} << 32; }
  [[nodiscard]] constexpr std::uint32_t access_pos() const { return static_cast<std::uint32_t>(access); }
  [[nodiscard]] constexpr std::uint32_t write_pos() const { return static_cast<std::uint32_t>(write); }
  [[nodiscard]] constexpr std::uint8_t access_queue() const { return static_cast<std::uint8_t>(access >> 32); }
  [[nodiscard]] constexpr std::uint8_t write_queue() const { return static_cast<std::uint8_t>(write >> 32); }
};

struct need_pair {
  std::uint32_t write = 0;    // position of the first consumer of the result, or need_*
  std::uint32_t read = 0;     // position of the first overwriter of a late source, or need_*
  bool covered = false;       // a later result of the same in-order queue is waited for first: no counter for the result
  bool read_covered = false;  // the same for the late sources and their queue

  // The same for what takes a counter of its own.
  [[nodiscard]] constexpr std::uint32_t set_write() const { return covered ? 0xffffffffu : write; }
  [[nodiscard]] constexpr std::uint32_t set_read() const { return read_covered ? 0xffffffffu : read; }
  // First wait that ends the late reads if the instruction raises a counter for them.
  [[nodiscard]] constexpr std::uint32_t reads_end() const { return set_read() < set_write() ? set_read() : set_write(); }
};

// A register of a covered result or of covered late sources, until the counter that covers it is raised.
struct covered_unit {
  std::uint32_t unit = 0;
  std::uint32_t need = 0;          // of a source that a later read covers: position of the first overwriter
  std::uint8_t queue = 0;          // in which the result comes back
  std::uint8_t replace_queue = 0;  // the same, where a later result may replace it in that order
  std::uint8_t read_queue = 0;     // of a late source
  bool read = false;
  bool by_read = false;  // a later read covers it, not a later result
};

// Of crowded blocks (slack.hpp): the newest fixed-latency result of a unit, and the distance that a reader keeps from it.
struct alignas(16) fixed_result {  // found by a shift
  std::int32_t until = 0;          // in cycles of least own stalls: who comes later is far enough behind it by those alone
  std::uint32_t pos = 0;           // of its writer
  std::uint32_t code = 0;
};
struct fixed_edge {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int32_t cycles = 0;
};

struct block_flow {
  std::uint32_t accesses = 0;  // of all instructions of the block
  vec<pending_entry> pending_in;
  std::uint8_t busy_in = 0;   // counters that may be non-zero at entry
  std::uint8_t force_in = 0;  // counters that the first instruction must wait for
  std::uint8_t known_in = 0;  // counters that were known to be busy at entry when indices were chosen
  std::uint8_t far_in = 0;    // counters that may come in with a result from beyond the first-level cache
  std::uint8_t chosen = 0;    // counters that the block's own producers raise
  vec<pending_entry> pending_out;
  std::uint8_t busy_out = 0;  // as above, at the end of the block
  std::uint8_t force_out = 0;
  std::uint8_t far_out = 0;
  vec<pending_entry> hint;   // pending_in of the round before
  vec<pending_entry> known;  // of the head of a loop: what was known to be pending when indices were chosen
  std::uint8_t hint_busy = 0;
  std::uint8_t hint_force = 0;
  bool rechoose = false;     // the choice of the round before led two producers to one counter
  bool heads_loop = false;   // control comes from a block further on
  bool slack_found = false;  // early and latest of its instructions are there (slack.hpp)
  bool pending_dirty = true;
  bool pending_seen = false;

  vec<fixed_entry> fixed_in;
  vec<fixed_entry> fixed_out;
  array<std::uint8_t, control::barrier_count> set_age_in{};  // cycles since the counter was last set, 255 = long ago
  array<std::uint8_t, control::barrier_count> set_age_out{};
  bool fixed_dirty = true;
  bool fixed_seen = false;
};

struct kept_choice {
  std::uint8_t write = control::no_barrier;
  std::uint8_t read = control::no_barrier;
  std::uint8_t wait = 0;
};

struct workspace {
  unit_map units;

  // of the program that was decoded last (decode.hpp): sites by instr_id, without their control words
  vec<site> decoded;
  vec<access> accesses;

  // by position in program::order
  vec<site> sites;
  vec<need_pair> needs;  // only of sites with a variable result or a late source
  vec<std::uint32_t>
      raisers;  // of the block looked at last, from its end: positions of those sites and of those with a role
  vec<std::int32_t> estimate;  // issue time inside the block, counters left out
  vec<kept_choice> kept;       // the best round so far

  // by position, of a block in which counters run out (slack.hpp)
  vec<std::int32_t> early;
  vec<std::int32_t> latest;
  vec<std::int32_t> ready;
  vec<std::uint32_t> next_crowd;
  vec<std::uint64_t> consumers;
  vec<fixed_edge> fixed_edges;
  vec<fixed_result> fixed_results;  // by unit
  std::int32_t fixed_clock = 0;

  // by unit
  vec<unit_state> state;
  vec<unit_next> next;
  vec<std::uint64_t> pending_units;  // one bit per unit, to sort them by
  vec<std::uint32_t> seen;  // while decoding: stamp of the last block that accesses the unit, one more if it writes it
  vec<unit_heads> heads;

  array<vec<std::uint32_t>, control::barrier_count> counter_units;
  vec<write_record> records;   // of the block being walked: results that the newest one did not replace, and reads
  vec<std::uint32_t> touched;  // units with a result or a read in the walk; only the first `touched_count` count
  std::uint32_t touched_count = 0;
  vec<covered_unit> covered;
  vec<pending_entry> left_pending;  // at the end of a block that nothing follows
  vec<fixed_entry> merged_fixed;
  vec<fixed_entry> fixed_scratch;
  vec<block_flow> flow;

  // later_access and later_write: one bit per unit and block, `words` 64-bit words each
  std::uint32_t words = 0;
  vec<std::uint64_t> gen_access, gen_write, out_access, out_write;
  vec<std::uint32_t> accessed_words;  // those of a block in which any unit of the program stands

  ww::detail::distance_cells distances;
  worst_cells worst;
  reuse_memory reuse;
  vec<class_entry> classes;  // in constant expressions only (class_table.hpp)

  std::int32_t clock = 0;
  std::uint32_t seen_stamp = 0;
  bool acquires = false;  // something waits for the acquire unit

  // Counters that the words of the program name are kept where they are still needed: only waits and stalls are made anew.
  bool keep_indices = false;
  // Cycles by which results may come later than estimated, when counters are shared (slack.hpp).
  std::int32_t landing_margin = 0;
  // Counters are chosen as if loads that may miss the first-level cache did (arch/far_memory.hpp).
  bool loads_miss = false;
  std::int32_t far_cycles = 0;  // of the architecture that decoded last (arch/far_memory.hpp)
  // A stall of two at the first instruction and where a block falls through, as compilers often have it (observed on sm_75 to
  // sm_89: 173 of 283); nothing asks for it, but many warps may fall into a better rhythm.
  bool slow_ends = false;
  // What the head of a loop lacks to results from in front of it is waited for in front of the loop, and not in each iteration.
  bool pay_before_loops = true;
  // All counters that are outstanding where control goes into a loop are waited for in front of it (pending_border.hpp).
  bool settle_before_loops = false;
};

namespace detail {

// Cycles by which the result of an instruction may come later than estimated.
[[nodiscard]] constexpr std::int32_t far_of(const workspace& ws, const site& s) {
  return ws.loads_miss && s.has(site::far) ? ws.far_cycles : 0;
}
// The same of a counter that comes into a block, if it is one of `far`.
[[nodiscard]] constexpr std::int32_t far_of(const workspace& ws, std::uint8_t far, unsigned counter) {
  return ws.loads_miss && (far >> counter & 1u) != 0 ? ws.far_cycles : 0;
}

[[nodiscard]] constexpr const access* begin_of(const workspace& ws, const site& s) { return ws.accesses.data() + s.first; }

// Calls f(unit, record) for every result that matters at the end of the walk; `horizon`: what ended before is of another walk.
template <class F>
constexpr void each_result(const workspace& ws, std::int32_t horizon, F&& f) {
  for (std::uint32_t k = 0; k < ws.touched_count; ++k) {
    const unit_heads& h = ws.heads[ws.touched[k]];
    if (h.write_until < horizon) continue;
    f(ws.touched[k], h.write);
    for (std::uint32_t at = h.write.next; at != 0xffffffffu; at = ws.records[at].next) f(ws.touched[k], ws.records[at]);
  }
}
// The same for reads.
template <class F>
constexpr void each_read(const workspace& ws, std::int32_t horizon, F&& f) {
  for (std::uint32_t k = 0; k < ws.touched_count; ++k) {
    const unit_heads& h = ws.heads[ws.touched[k]];
    if (h.read_until < horizon) continue;
    for (std::uint32_t at = h.read; at != 0xffffffffu; at = ws.records[at].next) f(ws.touched[k], ws.records[at]);
  }
}

// Summary edges stand for the call and ret edges of the same block, which the passes here follow.
constexpr bool skipped(const program& p, const cfg_edge& e) { return e.kind == edge_kind::call_return && is_summary(p, e); }

}  // namespace detail

}  // namespace ww::scoreboard
