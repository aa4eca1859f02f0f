// SPDX-License-Identifier: BSL-1.0
//
// The instructions in flight and the dependency counters that announce them, inside one block.
//
// A flight is pending until a wait on a counter that covers it has been passed. Three things cover: the counter that the
// instruction sets itself; the counter of a later instruction of its in-order queue (whose result cannot land earlier);
// for reads, any counter that covers the result. With every increment of a counter the events that it already covers
// become older, which is what DEPBAR.LE with a count asks for; that works only while all outstanding
// increments of the counter belong to one queue.
// A set is invisible to waits for Arch::barriers::set_to_wait cycles; stall 1 with yield leaves one cycle free by itself
// (facts: hardware 1.4).
#pragma once

#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"
#include "class_table.hpp"
#include "flow_state.hpp"

namespace ww::verify::detail {

template <class Arch>
class flight_board {
 public:
  flight_board(const program& p, vec<flight>& flights, vec<std::uint32_t>& flight_of)
      : program_(p), table_(class_table<Arch>::get()), flights_(flights), flight_of_(flight_of) {}

  void load(const flow_state& in) {
    set_at_.fill(-1);
    flights_ = in.flights;
    for (std::uint32_t k = 0; k < flights_.size(); ++k) flight_of_[flights_[k].instr] = k;
    for (unsigned c = 0; c < all_counters; ++c) {
      const counter_state& s = in.counter[c];
      visible_[c] = s.hidden;
      fresh_[c] = s.increments;
      queue_[c] = s.queue;
    }
  }

  void store(flow_state& out, std::int32_t clock) {
    out.flights.clear();
    for (flight f : flights_) {
      if (landed(f, clock)) continue;
      if (f.read_at != flight::unread) f.read_at -= clock;
      out.flights.push_back(f);
    }
    ww::detail::sort(out.flights.begin(), out.flights.end(),
                     [](const flight& a, const flight& b) { return a.instr < b.instr; });
    for (unsigned c = 0; c < all_counters; ++c) {
      counter_state& s = out.counter[c];
      const std::int32_t hidden = visible_[c] - clock;
      s.hidden = hidden > 0 ? static_cast<std::uint8_t>(hidden) : std::uint8_t{0};
      s.increments = hidden > 0 ? fresh_[c] : std::uint8_t{0};
      s.queue = queue_[c];
    }
    forget();
  }

  // Everything has landed.
  void drain(std::int32_t clock) {
    forget();
    for (unsigned c = 0; c < all_counters; ++c) {
      visible_[c] = clock;
      queue_[c] = counter_state::nothing;
    }
  }

  // The flight of an instruction, or null.
  [[nodiscard]] const flight* find(std::uint32_t instr) const {
    const std::uint32_t k = flight_of_[instr];
    return k == nil ? nullptr : &flights_[k];
  }
  [[nodiscard]] const vec<flight>& all() const { return flights_; }

  // Its result has come without a wait, long enough after one for its read counter (`follows_reads`).
  [[nodiscard]] static constexpr bool landed(const flight& f, std::int32_t clock) {
    if constexpr (knows_reads) {
      return clock - f.read_at >= static_cast<std::int32_t>(Arch::latency::dmma_behind_reads);
    } else {
      return false;
    }
  }

  // All that `c` covers is done, save what at most `allowed` outstanding increments may still announce.
  // `late`: the waiter reads the counter late enough to see every earlier set.
  void wait(unsigned c, unsigned allowed, std::int32_t clock, bool late = false) {
    const unsigned hidden = clock < visible_[c] && !late ? fresh_[c] : 0u;
    if (allowed > 0 && queue_[c] == counter_state::mixed) return;
    const unsigned need = meta::max(hidden, allowed);
    for (std::size_t k = 0; k < flights_.size();) {
      flight& f = flights_[k];
      if (f.write_pending && f.write[c] != 0) {
        if (f.write[c] > need) {
          f.write_pending = false;
          f.read_pending = false;
        } else if (f.write[c] <= hidden) {
          f.early = true;
        }
      }
      if (f.read_pending && f.read[c] != 0) {
        if (f.read[c] > need) {
          f.read_pending = false;
          if (follows_reads(program_.instructions[f.instr], c)) f.read_at = clock;
        } else if (f.read[c] <= hidden) {
          f.early = true;
        }
      }
      if (!f.write_pending && !f.read_pending) {
        retire(k);
      } else {
        ++k;
      }
    }
    if (allowed == 0 && hidden == 0) {
      queue_[c] = counter_state::nothing;
    }
  }

  // Can what an access brings be acquired? Whether somebody reads it does not matter. An atomic that returns no register and
  // raises no counter for it releases only (compiler output: ATOM ... P0, RZ in front of CCTL.IVALL; the predicate says which
  // memory it was, and comes with the reads). Surfaces are not in the cache that is thrown away (compiler output, sm_80 to sm_120:
  // SULD.STRONG on its way over a CCTL.IVALL).
  [[nodiscard]] bool may_acquire(const instruction& i) const {
    const bool strong =
        i.has(iflag::volatile_mem) && (i.dir == mem_dir::load || i.dir == mem_dir::atomic) && i.space != mem_space::surface;
    if (!strong && i.op != opcode::atoms) return false;
    if (i.dir != mem_dir::atomic || i.ctl.sets_write()) return true;
    for (const operand& o : program_.operands_of(i)) {
      if (o.is_def() && o.file() == reg_file::r && !o.base().is_zero()) return true;
    }
    return false;
  }

  // What has issued so far comes in front of a strong access.
  void pass() {
    for (flight& f : flights_) f.passed = true;
  }

  // `id` issues: its counters rise, and what they announce is in flight.
  void launch(instr_id id, const instruction& i, bool results, bool late_reads, std::int32_t clock) {
    const std::uint32_t old = flight_of_[id.index()];
    if (old != nil) retire(old);
    const bool reads = i.ctl.sets_read() && i.ctl.read_barrier < counters;
    const bool writes = i.ctl.sets_write() && i.ctl.write_barrier < counters;
    const bool shared = reads && writes && i.ctl.write_barrier == i.ctl.read_barrier;
    const bool alone = shared && queue_[i.ctl.read_barrier] == counter_state::nothing;
    if (reads) raise(i, i.ctl.read_barrier, false, clock);
    if (writes) raise(i, i.ctl.write_barrier, true, clock);
    const bool ends_group = i.iclass == sched_class::hgmma && names_group(i);
    if (ends_group) raise(i, group_counter, true, clock);
    // Alone on a counter, an instruction's own reads end before its result lands.
    if (alone) queue_[i.ctl.read_barrier] = static_cast<std::uint16_t>(0x8000u | (id.index() & 0x7ffeu));
    const std::int32_t seen =
        clock + static_cast<std::int32_t>(Arch::barriers::set_to_wait) - (i.ctl.stall == 1 && i.ctl.yield ? 1 : 0);
    if (reads) visible_[i.ctl.read_barrier] = seen;
    if (writes) visible_[i.ctl.write_barrier] = seen;

    flight f;
    f.instr = id.index();
    f.write_pending = results && (table_[i.iclass].variable || writes);
    f.read_pending = late_reads;
    if (!f.write_pending && !f.read_pending) return;
    if (reads) {
      f.read[i.ctl.read_barrier] = shared ? 2 : 1;
    }
    if (writes) {
      f.write[i.ctl.write_barrier] = 1;
      if (f.read[i.ctl.write_barrier] == 0) f.read[i.ctl.write_barrier] = 1;
    }
    if (ends_group) f.write[group_counter] = f.read[group_counter] = 1;
    flight_of_[id.index()] = static_cast<std::uint32_t>(flights_.size());
    flights_.push_back(f);
  }

  // A CTA barrier goes down the pipe of shared memory behind all earlier operations there (on sm_75 of all memory) and holds the
  // warp until it is through: their sources have been read, and those of earlier barriers (seen in compiler output: stores, shuffles
  // and MOVM before BAR.SYNC need no counter; on sm_75 the registers of a BAR.ARV are overwritten behind a BAR.SYNC).
  // BAR.SYNC and BAR.RED without .DEFER_BLOCKING stand behind all memory on sm_80 to sm_89 too, where their words say that they are
  // such (BAR.RED.OR behind STG: without a counter 13 of 13 times, with .DEFER_BLOCKING never in 41).
  void memory_has_read(const instruction& at) {
    constexpr bool each = requires { requires Arch::latency::barrier_behind_memory; };
    constexpr bool plain = requires { requires Arch::latency::plain_barrier_behind_memory; };
    const bool reduces_at_once = at.op == opcode::bar && (at.word[1] & 0x16000u) == 0x4000u;
    const bool all = each || (plain && (at.has(iflag::blocks) || reduces_at_once) && at.word[0] != 0);
    has_read([&](const instruction& i) {
      const bool shared = i.space == mem_space::shared || i.space == mem_space::cluster_shared;
      return (i.dir != mem_dir::none && (all || shared) && i.iclass != sched_class::hgmma) ||
             i.iclass == sched_class::shfl || i.iclass == sched_class::movm || i.iclass == sched_class::bar;
    });
  }

  // BSYNC needs its convergence register: the move that wrote it has read its source (compiler output, sm_100: BMOV.32 B11,
  // R2 raises a counter, BSYNC B11 follows, and R2 is loaded anew without a wait).
  void converges(const instruction& at) {
    has_read([&](const instruction& i) {
      if (i.iclass != sched_class::bmov_to_b) return false;
      for (const operand& d : program_.operands_of(i)) {
        if (!d.is_def() || d.file() != reg_file::b) continue;
        for (const operand& u : program_.operands_of(at)) {
          if (u.is_use() && u.file() == reg_file::b && u.base() == d.base()) return true;
        }
      }
      return false;
    });
  }

  // DEPBAR.LE SBx, n, {set}: at most n of the counter, none of those of the set (slot b). It sees sets of the instruction
  // right before it (compiler output: S2UR with stall 1, then DEPBAR).
  void depbar(const instruction& i, std::int32_t clock) {
    for (const operand& o : program_.operands_of(i)) {
      if (o.file() != reg_file::sb || o.base().number() >= counters) continue;
      wait(o.base().number(), o.where() == slot::b ? 0u : depbar_count(i), clock, true);
    }
  }

  // WARPGROUP.DEPBAR.LE gsb0, n: of the groups that matrix operations of four warps ended with gsb0 at most n are still on their
  // way. The count stands in bits 72..76 (or in mem_offset of an instruction without encoding).
  void group_depbar(const instruction& i, std::int32_t clock) {
    if (!names_group(i)) return;
    const bool encoded = (i.word[0] | i.word[1]) != 0;
    wait(group_counter, (encoded ? static_cast<unsigned>(i.word[1] >> 8) : static_cast<unsigned>(i.mem_offset)) & 0x1fu,
         clock, true);
  }

 private:
  static constexpr bool knows_reads = requires { requires Arch::latency::dmma_behind_reads != 0; };

  // `c` says that `i` has read its sources, and its result comes in known time after that: DMMA.8x8x4, which gives two doubles, where
  // the architecture says in what time. Larger shapes take longer, and nothing was seen of them.
  [[nodiscard]] bool follows_reads(const instruction& i, unsigned c) const {
    if (!knows_reads || i.iclass != sched_class::dmma || !i.ctl.sets_read() || i.ctl.read_barrier != c) return false;
    return i.operand_count != 0 && program_.operands_of(i)[0].width() == 4;
  }

  [[nodiscard]] bool names_group(const instruction& i) const {
    for (const operand& o : program_.operands_of(i)) {
      if (o.file() == reg_file::special) return true;
    }
    return false;
  }

  // Late sources of the instructions in flight that `done` is true of have been read.
  template <class F>
  void has_read(F&& done) {
    for (std::size_t k = 0; k < flights_.size();) {
      flight& f = flights_[k];
      if (f.read_pending && done(program_.instructions[f.instr])) f.read_pending = false;
      if (!f.write_pending && !f.read_pending) {
        retire(k);
      } else {
        ++k;
      }
    }
  }

  void forget() {
    for (const flight& f : flights_) flight_of_[f.instr] = nil;
    flights_.clear();
  }

  void retire(std::size_t k) {
    flight_of_[flights_[k].instr] = nil;
    if (k + 1 != flights_.size()) {
      flights_[k] = flights_.back();
      flight_of_[flights_[k].instr] = static_cast<std::uint32_t>(k);
    }
    flights_.pop_back();
  }

  // `i` raises counter `c`, for its results or for its reads.
  void raise(const instruction& i, unsigned c, bool for_results, std::int32_t clock) {
    const class_row& r = table_[i.iclass];
    for (flight& f : flights_) {
      if (f.write[c] != 0 && f.write[c] != 0xff) ++f.write[c];
      if (f.read[c] != 0 && f.read[c] != 0xff) ++f.read[c];
      const class_row& o = table_[program_.instructions[f.instr].iclass];
      // The registers that a barrier names are read on the way of memory operations: any later one covers them (observed:
      // a library of collectives, sm_80, spilled code; BAR.SYNC R0, R0 without a counter, then STL or LDL that is waited for,
      // then R0 overwritten, 11 cases in three kernels). Generated words do not rely on it.
      // So it is between loads of global and local memory and LDGSTS, which does both, from sm_90 on: 36 cases in 140 kernels, of
      // LDG, LDL and ATOMG covered by a later LDGSTS and the other way round.
      const bool barrier = r.memory && program_.instructions[f.instr].iclass == sched_class::bar;
      const bool copy = r.covers_loads && program_.instructions[f.instr].iclass == sched_class::ldgsts;
      const bool copied = o.covers_loads && i.iclass == sched_class::ldgsts;
      // LDGSTS, and atomics where loads read in no order, cover others and are not covered: on sm_75 to sm_89 compilers waited for
      // 1,484 sources of LDGSTS and 931 of ATOMG though the counter of a later memory operation had been awaited, and left out none;
      // from sm_90 on for 248 of LDGSTS behind LDS (1 left out), while LDGSTS covers LDGSTS (162 left out).
      const bool alone =
          o.reads_by_itself && !(table_.copies_cover_copies && program_.instructions[f.instr].iclass == i.iclass);
      const bool same = o.read_queue != 0 && o.read_queue == r.read_queue && !alone;
      const bool reads_in_order = same || barrier || copy || copied;
      const bool ends_in_order = for_results && o.queue != 0 && o.queue == r.queue && !o.by_itself;
      if (f.write[c] == 0 && ends_in_order) f.write[c] = 1;
      if (f.read[c] == 0 && (reads_in_order || ends_in_order)) f.read[c] = 1;
    }
    if (clock != set_at_[c] || visible_[c] <= clock) fresh_[c] = 0;
    ++fresh_[c];
    set_at_[c] = clock;
    const std::uint16_t q = for_results ? r.queue : r.read_queue;
    const auto tag = static_cast<std::uint16_t>(q == 0 ? counter_state::mixed : q * 2u + (for_results ? 0u : 1u));
    if (queue_[c] == counter_state::nothing) {
      queue_[c] = tag;
    } else if (queue_[c] != tag) {
      queue_[c] = counter_state::mixed;
    }
  }

  const program& program_;
  const class_table<Arch>& table_;
  vec<flight>& flights_;
  vec<std::uint32_t>& flight_of_;  // by instruction: index into flights, nil if none
  array<std::int32_t, all_counters> visible_{};
  array<std::int32_t, all_counters> set_at_{};
  array<std::uint8_t, all_counters> fresh_{};
  array<std::uint16_t, all_counters> queue_{};
};

}  // namespace ww::verify::detail
