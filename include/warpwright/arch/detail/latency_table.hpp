// SPDX-License-Identifier: BSL-1.0
//
// The latency page of an SM, made from its tables.
//
// `Tables` is an SM's data: distances by writer and reader group (groups.hpp), sets of classes and estimates. This template
// turns it into the arch_latency concept. What holds on every SM is here and nowhere else:
//
//   - a result covered by a counter needs no distance: raw, war and waw give 1 and the counter does the rest;
//   - registers that interlock in hardware (convergence registers, the counters themselves) give 1;
//   - a source of a late reader is ordered by a counter or a queue, so that war gives 1.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../far_memory.hpp"
#include "beside_counter.hpp"
#include "class_set.hpp"
#include "group_of.hpp"
#include "latency_cells.hpp"

namespace ww::detail {

constexpr second_writer second_writer_of(r_writer w) {
  switch (w) {
    case r_writer::fma:
    case r_writer::imad_hi:
      return second_writer::fma;
    case r_writer::wide_low:
      return second_writer::wide_low;
    case r_writer::cs2r:
      return second_writer::dispatch64;
    case r_writer::half:
    case r_writer::half_alu:
      return second_writer::half;
    case r_writer::hfma2_mma:
    case r_writer::fp64:
      return second_writer::slow;
    case r_writer::none:
    case r_writer::counted:
      return second_writer::late;
    case r_writer::alu:
    case r_writer::alu_64:
    case r_writer::dual:
    case r_writer::viadd:
    case r_writer::vote:
    case r_writer::cs2r_32:
    case r_writer::wide_high:
    case r_writer::count:
      return second_writer::fixed;
    default:
      return second_writer::mma;
  }
}

template <class Tables>
constexpr unsigned longest_distance() {
  unsigned longest = Tables::cc_raw.emit;
  using cells = typename Tables::cells;
  // An array, for nvcc takes no list in a loop of a constant expression.
  const unsigned of_cells[7] = {cells::r_raw.longest, cells::p_raw.longest, cells::u_raw.longest, cells::up_raw.longest,
                                cells::r_waw.longest, cells::p_waw.longest, cells::u_waw.longest};
  for (const unsigned v : of_cells) longest = v > longest ? v : longest;
  if constexpr (requires { Tables::beside; }) {
    for (unsigned c = 0; c < sched_class_count; ++c) {
      const unsigned v = beside_longest(Tables::beside, static_cast<sched_class>(c));
      longest = v > longest ? v : longest;
    }
  }
  return longest;
}

// The same maps for all SMs; named through the SM, so that they are made when one is used.
template <class>
struct group_maps_of {
  using type = group_maps<>;
};

template <class Tables>
struct latency_table {
  using tables = Tables;
  using cells = typename Tables::cells;
  using maps = typename group_maps_of<Tables>::type;
  static constexpr unsigned max_fixed = longest_distance<Tables>();
  // Loads of global and local memory read their addresses in order among themselves (from sm_90 on). Observed, optimised listings: one
  // such load overwrites the address of an earlier one without a wait 269 times on sm_90 to sm_120, and never, with 147 waits for
  // nothing else, on sm_75 to sm_86; counters are left out likewise.
  static constexpr bool load_reads_covered = requires { Tables::load_reads_covered; };
  // Matrix operations that raise counters are one queue whatever they multiply, results and reads. The checker knows; generated words
  // take each kind for a queue of its own.
  static constexpr bool matrix_in_order = requires { Tables::matrix_in_order; };
  // Results of barriers (B2R) come in order. The checker knows; generated words give each a counter of its own.
  static constexpr bool barrier_results_in_order = requires { Tables::barrier_results_in_order; };
  // A CTA barrier stands behind the reads of all memory operations, not only of those of shared memory. Observed: sm_75 above; in 560,000
  // instructions of sm_80 to sm_120 the sources of global and local stores are waited for behind a barrier too.
  static constexpr bool barrier_behind_memory = requires { Tables::barrier_behind_memory; };
  // So does BAR.SYNC without .DEFER_BLOCKING, which barrier.sync becomes, on sm_80 to sm_89 (observed: CUDA 12.4, eight stores to global
  // memory without a counter in front of one, overwritten behind it). The checker knows.
  static constexpr bool plain_barrier_behind_memory = requires { Tables::plain_barrier_behind_memory; };
  // Loads of global and local memory are in one order with all other memory operations, and only the last one needs a counter.
  static constexpr bool loads_in_order = requires { Tables::loads_in_order; };
  // A load from global memory, or an atomic there, may overwrite the addresses of an earlier LDGSTS, which has read them by then; one
  // from local memory may wherever loads read in order. Code is accepted that counts on it; generated code does not.
  static constexpr bool copy_reads_covered = requires { Tables::copy_reads_covered; };
  // The predicate of a generic atomic comes when its registers have been read: the read counter announces it (from sm_90 on). Observed
  // on sm_75 to sm_89: 382 of 382 such atomics of optimised code raise a write counter for it, and only that.
  static constexpr bool predicates_with_reads = requires { Tables::predicates_with_reads; };
  // Cycles from a wait for the read counter of DMMA.8x8x4 until its result is there, 0 = not known. Code is accepted that counts on it;
  // generated code waits for the write counter.
  static constexpr unsigned dmma_behind_reads = [] {
    if constexpr (requires { Tables::dmma_behind_reads; }) return Tables::dmma_behind_reads;
    return 0u;
  }();

  [[nodiscard]] static constexpr bool variable(sched_class c) { return Tables::variable_classes.has(c); }
  // Whether counted results of the class keep a distance too (beside_counter.hpp), and how long at most.
  [[nodiscard]] static constexpr unsigned kept_beside(sched_class c) {
    if constexpr (requires { Tables::beside; }) {
      if (variable(c)) return beside_longest(Tables::beside, c);
    }
    return 0;
  }
  [[nodiscard]] static constexpr bool late_reader(sched_class c) { return Tables::late_classes.has(c); }

  // Whether surface instructions read their handles late, when those are in uniform registers.
  static constexpr bool surface_handles_late = requires { Tables::surface_handles_late; };

  // Whether this source is read late (late_source.hpp): general registers, the uniform ones of bulk copies, handles of surfaces, and what
  // SYNCS writes into an object (SYNCS.EXCH.64 URZ, [UR8], UR4: who overwrites UR4 has waited, 26 of 26, or all has drained, 12; sm_90 to
  // sm_121).
  [[nodiscard]] static constexpr bool late_source(const access_point& a) {
    if (!late_reader(a.iclass) || a.where == slot::guard) {
      return false;
    }
    const bool surface = a.iclass == sched_class::suld || a.iclass == sched_class::sust || a.iclass == sched_class::suatom;
    return a.file == reg_file::r ||
           (a.file == reg_file::ur && (a.iclass == sched_class::tma || (surface_handles_late && surface) ||
                                       (a.iclass == sched_class::syncs && a.where == slot::data)));
  }

  // Writer, then reader. Registers that a barrier names are read on the way of memory operations (observed: docs/latency.md).
  [[nodiscard]] static constexpr distance raw(const access_point& w, const access_point& r) {
    if (variable(w.iclass)) {
      if constexpr (requires { Tables::beside; }) {
        const unsigned n = beside_counter<maps>(Tables::beside, w, r);
        if (n > 1) return doc(1, n);
      }
      return doc(1, 1);
    }
    switch (w.file) {
      case reg_file::r: {
        const r_writer by = r_writer_of<maps>(w);
        distance d = cell(cells::r_raw, by, r_reader_of<maps>(r));
        // 64-bit minima land as sums of 64 bits do, but for those who read both halves one behind the other.
        if constexpr (requires { Tables::r_raw_minimum_64; }) {
          if (w.iclass == sched_class::setp_64) {
            if (r.iclass == sched_class::setp_64) return Tables::r_raw_minimum_64;
            if (r.iclass == sched_class::alu_64) return Tables::r_raw_minimum_64_sum;
          }
        }
        // What an atomic on shared memory puts in place of the old value it reads sooner than a store reads what it stores.
        if (r.iclass == sched_class::atoms && r.where == slot::data1) {
          if constexpr (requires { Tables::r_raw_fp64_exchanged; }) {
            if (by == r_writer::fp64) return Tables::r_raw_fp64_exchanged;
          }
          if constexpr (requires { Tables::r_raw_exchanged_emit; }) {
            if (d.emit < Tables::r_raw_exchanged_emit) d.emit = Tables::r_raw_exchanged_emit;
          }
        }
        // HADD2.F32 and comparisons of half precision are one group, and not one pipe: what passes between them takes as long as to HFMA2.
        // Observed (CUDA 13.0): 5 cycles behind HSET2 and HMNMX2 on sm_80 to sm_120, 261 exactly and none sooner; 4 to each other.
        // Of what HADD2.F32 gives to the two nothing was seen.
        if (by == r_writer::half_alu && r_reader_of<maps>(r) == r_reader::half_alu) {
          const distance across = cell(cells::r_raw, by, r_reader::half);
          if (w.iclass != sched_class::half_f32 && r.iclass == sched_class::half_f32) return across;
          if (w.iclass == sched_class::half_f32) d.emit = across.emit;
        }
        if (r.iclass == sched_class::bar) return later(d, cell(cells::r_raw, by, r_reader::mem_data));
        if constexpr (requires { Tables::r_raw_integer_matrix; }) {
          if (multiplies_integers(r.iclass)) return later(d, Tables::r_raw_integer_matrix);
        }
        return d;
      }
      case reg_file::p: {
        distance d = cell(cells::p_raw, p_writer_of<maps>(w), p_reader_of<maps>(r));
        if constexpr (requires { Tables::p_raw_viadd; }) {  // a pipe of its own, for its carries too
          if (w.iclass == sched_class::viadd && d.emit < Tables::p_raw_viadd.emit) return Tables::p_raw_viadd;
        }
        if constexpr (requires { Tables::p_raw_merged; }) {  // who reads it always, written or not: as late as a guard
          if (w.guarded && !r.guarded) return later(d, cell(cells::p_raw, p_writer_of<maps>(w), p_reader::guard));
        }
        if constexpr (requires { Tables::p_raw_read_64; }) {
          if (r.iclass == sched_class::alu_64 && r.where != slot::guard) d = later(d, Tables::p_raw_read_64);
        }
        if constexpr (requires { Tables::p_raw_alu_64; }) {  // the carry of IADD.64; who else reads one was not seen
          if (w.iclass == sched_class::alu_64 && d.emit < Tables::p_raw_alu_64.emit) {
            d.emit = Tables::p_raw_alu_64.emit;
            if (r.iclass == sched_class::alu_64) return Tables::p_raw_alu_64;
          }
        }
        return d;
      }
      case reg_file::ur: {
        distance d = cell(cells::u_raw, u_writer_of<maps>(w), u_reader_of<maps>(r));
        // What UTCATOMSWS takes comes as late as to an address of constants. Observed: ULOP3 to UTCATOMSWS.AND 12 cycles in 139 of 139.
        if (r.where == slot::data1 && r.iclass == sched_class::tma) {
          const distance late = cell(cells::u_raw, u_writer_of<maps>(w), u_reader::uldc);
          if (d.emit < late.emit) d.emit = late.emit;
        }
        // Double precision that is timed may take its uniform sources later than other vector arithmetic.
        if constexpr (requires { Tables::u_raw_double; }) {
          const bool doubles = r.iclass == sched_class::fp64 || r.iclass == sched_class::dsetp;
          if (doubles && r.where != slot::guard && d.emit > 1) return later(d, Tables::u_raw_double);
        }
        // What SYNCS.EXCH takes from uniform registers, address and value: uniform arithmetic keeps more from it than from other SYNCS.
        if constexpr (requires { Tables::u_raw_exchanged; }) {
          const bool exchanged = r.iclass == sched_class::syncs && (r.where == slot::data || r.where == slot::desc);
          const bool late = u_writer_of<maps>(w) == u_writer::ualu || u_writer_of<maps>(w) == u_writer::ualu_x;
          if (exchanged && late) return Tables::u_raw_exchanged;
        }
        return d;
      }
      case reg_file::up:
        return cell(cells::up_raw, up_writer_of<maps>(w), up_reader_of<maps>(r));
      case reg_file::cc:
        return Tables::cc_raw;
      default:
        return doc(1, 1);
    }
  }

  // Matrix instructions of two steps and more: the second step reads its sources later.
  [[nodiscard]] static constexpr bool reads_in_steps(sched_class c) {
    return c == sched_class::hmma_large || c == sched_class::hmma_sparse || c == sched_class::imma_large ||
           c == sched_class::bmma_large || c == sched_class::qmma;
  }

  [[nodiscard]] static constexpr bool multiplies_integers(sched_class c) {
    return c == sched_class::imma_small || c == sched_class::imma_medium || c == sched_class::imma_large ||
           c == sched_class::bmma_small || c == sched_class::bmma_large;
  }
  [[nodiscard]] static constexpr distance later(const distance& a, const distance& b) {
    distance d = a.check < b.check ? b : a;
    if (d.emit < a.emit) d.emit = a.emit;
    if (d.emit < b.emit) d.emit = b.emit;
    return d;
  }

  // Reader, then the writer that overwrites what it read.
  [[nodiscard]] static constexpr distance war(const access_point& r, const access_point& w) {
    if (late_source(r)) {
      return doc(1, 1);
    }
    switch (w.file) {
      case reg_file::r: {
        bool slow = variable(w.iclass) || second_writer_of(r_writer_of<maps>(w)) == second_writer::mma;
        if constexpr (requires { Tables::cs2r_over_slowly; }) slow = slow || w.iclass == sched_class::cs2r;
        if constexpr (requires { Tables::r_war_deep; }) {
          constexpr bool all = requires { Tables::small_matrices_deep; };
          const bool matrix = second_writer_of(r_writer_of<maps>(r)) == second_writer::mma && r.iclass != sched_class::dmma;
          if (!slow && (reads_in_steps(r.iclass) || (all && matrix))) return Tables::r_war_deep;
        }
        return slow ? Tables::r_war_slow : Tables::r_war;
      }
      case reg_file::ur:
        return is_uniform_reader(r) && is_direct(w) ? Tables::u_war_direct : Tables::u_war;
      case reg_file::up:
        return is_direct(w) ? Tables::up_war_direct : Tables::u_war;
      default:
        return doc(1, 1);
    }
  }

  // First writer, then second writer of the same register.
  [[nodiscard]] static constexpr distance waw(const access_point& a, const access_point& b) {
    if (variable(a.iclass)) {
      return doc(1, 1);
    }
    switch (a.file) {
      case reg_file::r: {
        const second_writer s = variable(b.iclass) ? second_writer::late : second_writer_of(r_writer_of<maps>(b));
        distance d = cell(cells::r_waw, r_writer_of<maps>(a), s);
        // A counted double lands after any result but a matrix one. Observed: guarded DADD and DMUL one to four cycles
        // behind a move to the same pair, 43 cases in 2.1 million instructions of public sources; likewise guarded IMMA, 2 and 3
        // behind moves to its registers (sm_100).
        const bool counted_late =
            s == second_writer::late && (b.iclass == sched_class::fp64 || b.iclass == sched_class::dsetp ||
                                         b.iclass == sched_class::dmma || multiplies_integers(b.iclass));
        if (counted_late && second_writer_of(r_writer_of<maps>(a)) != second_writer::mma) {
          d.check = 1;
        }
        // Loads, atomics, shuffles and S2R may land later on these SMs than other counted results.
        if constexpr (requires { Tables::r_waw_memory_emit; }) {
          const bool memory = r_reader_of<maps>(b) == r_reader::mem_data;
          const bool late = s == second_writer::late && (memory || b.iclass == sched_class::s2r);
          if (late && d.emit < Tables::r_waw_memory_emit) d.emit = Tables::r_waw_memory_emit;
        }
        // A second writer that has a guard takes the old value as an operand there.
        if constexpr (requires { Tables::r_waw_merged; }) {
          access_point old = b;
          old.where = slot::c;
          if (b.guarded) d.emit = later(d, raw(a, old)).emit;
        }
        // The larger documented number is the one for a guarded first writer; where compilers are seen to use the smaller one
        // for others, so is it here.
        if constexpr (requires { Tables::r_waw_fma_over_alu; }) {
          const r_writer first = r_writer_of<maps>(a);
          if (!a.guarded && s == second_writer::fma && (first == r_writer::alu || first == r_writer::dual)) {
            return Tables::r_waw_fma_over_alu;
          }
        }
        return d;
      }
      case reg_file::p:
        return cell(cells::p_waw, p_writer_of<maps>(a), second_of_predicate(b));
      case reg_file::ur:
        return cell(cells::u_waw, u_writer_of<maps>(a), second_of_uniform(b));
      case reg_file::up:
        return is_direct(b) ? Tables::up_waw_direct : Tables::up_waw;
      case reg_file::cc:
        return Tables::cc_waw;
      default:
        return doc(1, 1);
    }
  }

  static constexpr std::int32_t far_cycles = ww::far_cycles<Tables>;
  [[nodiscard]] static constexpr unsigned result_estimate(sched_class c, unsigned bytes) {
    return Tables::result_base(c) + width_extra(c, bytes);
  }
  [[nodiscard]] static constexpr unsigned read_estimate(sched_class c, unsigned bytes) {
    return Tables::read_base(c) + (Tables::store_classes.has(c) ? store_extra(bytes) : 0u);
  }
  [[nodiscard]] static constexpr queue_id completion_queue(sched_class c) { return Tables::completion_queue(c); }
  [[nodiscard]] static constexpr queue_id read_queue(sched_class c) {
    if (loads_in_order || !loads_far(c)) return Tables::read_queue(c);
    return load_reads_covered ? queue_id::loads : queue_id::none;
  }
  // The read queue behind whose members results of the class land: they may overwrite what those read. Of memory operations those
  // that come through shared memory (LDS, LDSM, ATOMS, SHFL, MOVM), and loads where those read in order. Observed: STL, STG, STS or RED
  // overwritten by one of these without a wait, by LDG or LDL never (counts: docs/latency.md).
  [[nodiscard]] static constexpr queue_id overwrite_queue(sched_class c) {
    const queue_id q = read_queue(c);
    if (q != queue_id::shared && q != queue_id::global && q != queue_id::local) return q;
    return c == sched_class::lds || c == sched_class::ldsm || c == sched_class::atoms || c == sched_class::shfl ||
                   c == sched_class::movm || (loads_in_order && Tables::variable_classes.has(c))
               ? q
               : queue_id::none;
  }

 private:
  [[nodiscard]] static constexpr bool loads_far(sched_class c) {
    return c == sched_class::ldg || c == sched_class::ldl || c == sched_class::ld ||
           (load_reads_covered && c == sched_class::atomg);
  }
  // A wider load takes longer (facts: hardware 2.8: 32, 34, 38 for LDG; 24, 24, 26 for LDS).
  [[nodiscard]] static constexpr unsigned width_extra(sched_class c, unsigned bytes) {
    if (!Tables::load_classes.has(c)) {
      return 0;
    }
    if (c == sched_class::lds) {
      return bytes >= 16u ? 2u : 0u;
    }
    return bytes >= 16u ? 6u : bytes >= 8u ? 2u : 0u;
  }
  [[nodiscard]] static constexpr unsigned store_extra(unsigned bytes) { return bytes >= 16u ? 6u : bytes >= 8u ? 2u : 0u; }
  [[nodiscard]] static constexpr bool is_direct(const access_point& a) {
    return a.iclass == sched_class::uldc || a.iclass == sched_class::umov || a.iclass == sched_class::voteu;
  }
  [[nodiscard]] static constexpr bool is_uniform_reader(const access_point& a) {
    const u_reader g = u_reader_of<maps>(a);
    return g == u_reader::ualu || g == u_reader::ualu_x || g == u_reader::usel;
  }
  [[nodiscard]] static constexpr second_writer second_of_predicate(const access_point& b) {
    if (variable(b.iclass)) {
      return p_writer_of<maps>(b) == p_writer::fp64 ? second_writer::slow : second_writer::late;
    }
    switch (p_writer_of<maps>(b)) {
      case p_writer::half:
        return second_writer::half;
      case p_writer::fp64:
        return second_writer::slow;
      default:
        return second_writer::fixed;
    }
  }
  [[nodiscard]] static constexpr second_writer second_of_uniform(const access_point& b) {
    if (variable(b.iclass) || u_writer_of<maps>(b) == u_writer::r2ur) {
      return second_writer::late;
    }
    return is_direct(b) ? second_writer::slow : second_writer::fixed;
  }
};

}  // namespace ww::detail
