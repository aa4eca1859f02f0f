// SPDX-License-Identifier: BSL-1.0
//
// What the checker needs to know of every scheduling class of one SM, gathered once from Arch::latency and Arch::pipes.
//
//   queue       identity of the in-order completion queue, 0 = completes in no order with anything;
//               queue_id::own is one queue per class
//   read_queue  the same for reading sources
//   overwrites  the read queue behind whose members its results land
//   landed      cycles after which no reader and no second writer of any class can come too early for a fixed-latency
//               result of the class, by register file
//   war         the longest anti-dependence distance that any writer asks of a reader of the class, by register file;
//               a reader for which that is one cycle can never be overwritten too early, so it is not tracked
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/span.hpp"

namespace ww::verify::detail {

// 64-bit instructions in groups behind a control word, sm_50..62.
template <class Arch>
inline constexpr bool short_words = requires {
  Arch::control_format::group_bytes;
};

struct class_row {
  bool variable = false;
  bool late = false;
  bool by_itself = false;        // no later result of its queue announces that its own has landed
  bool reads_by_itself = false;  // no later reader of its queue announces that its own sources were read
  std::uint16_t queue = 0;
  std::uint16_t read_queue = 0;
  std::uint16_t overwrites = 0;
  bool over_copies = false;      // its result lands behind the reads of LDGSTS too
  bool covers_loads = false;     // reads in order with loads of global and local memory
  bool memory = false;           // goes down the path of memory operations
  bool early_predicate = false;  // its predicate comes with its reads
  bool in_groups = false;        // a matrix operation of four warps: WARPGROUP.DEPBAR waits for its group, no counter
  std::uint8_t min_stall = 0;
  array<std::uint8_t, reg_file_count> war{};
  array<std::uint8_t, reg_file_count> landed{};
};

template <class Arch>
class class_table {
 public:
  [[nodiscard]] static const class_table& get() {
    static const class_table table;
    return table;
  }
  [[nodiscard]] const class_row& operator[](sched_class c) const {
    const auto i = static_cast<unsigned>(c);
    return rows_[i < sched_class_count ? i : 0];
  }
  // Does LDGSTS announce that the sources of an earlier LDGSTS were read? It does where loads do so of loads.
  static constexpr bool copies_cover_copies = [] {
    if constexpr (requires { Arch::latency::load_reads_covered; }) return Arch::latency::load_reads_covered;
    return false;
  }();

 private:
  class_table() {
    using latency = typename Arch::latency;
    constexpr reg_file files[] = {reg_file::r, reg_file::p, reg_file::ur, reg_file::up, reg_file::cc};
    for (unsigned i = 0; i < sched_class_count; ++i) {
      const auto c = static_cast<sched_class>(i);
      class_row& r = rows_[i];
      r.variable = latency::variable(c);
      r.late = latency::late_reader(c);
      r.by_itself = announced_by_itself(c);
      if constexpr (requires { latency::loads_in_order; }) r.by_itself = r.by_itself && !latency::loads_in_order;
      r.queue = identity(latency::completion_queue(c), i);
      if constexpr (requires { latency::barrier_results_in_order; }) {
        if (latency::barrier_results_in_order && c == sched_class::b2r) r.queue = identity(queue_id::own, i);
      }
      const bool with_loads = loads_read_behind() && (c == sched_class::sust || c == sched_class::cctl);
      const sched_class reads = with_loads ? sched_class::ldg : c;
      r.read_queue = identity(latency::read_queue(c == sched_class::bar ? sched_class::stg : reads), i);
      r.overwrites = identity(latency::overwrite_queue(c), i);
      r.reads_by_itself = c == sched_class::ldgsts || (c == sched_class::atomg && !covered_loads());
      if constexpr (requires { latency::matrix_in_order; }) {
        if (latency::matrix_in_order && r.variable && Arch::pipes::pipe_of(c) == pipe_id::tensor) {
          r.queue = identity(queue_id::own, static_cast<unsigned>(sched_class::hmma_small));
          r.read_queue = r.queue;
          r.overwrites = r.queue;
        }
      }
      if (c == sched_class::hgmma) {
        r.variable = r.late = r.in_groups = true;
        r.queue = r.read_queue = r.overwrites = identity(queue_id::own, i);
      }
      if constexpr (requires { latency::copy_reads_covered; })
        r.over_copies =
            latency::copy_reads_covered && (c == sched_class::ldg || c == sched_class::ld || c == sched_class::atomg);
      if constexpr (requires { latency::load_reads_covered; })
        r.over_copies = r.over_copies || (latency::load_reads_covered && c == sched_class::ldl);
      if constexpr (requires { latency::predicates_with_reads; })
        r.early_predicate = latency::predicates_with_reads && c == sched_class::atom;
      r.covers_loads = latency::read_queue(c) == queue_id::loads;
      r.memory = goes_to_memory(latency::completion_queue(c), c);
      r.min_stall = static_cast<std::uint8_t>(Arch::pipes::min_stall(c));
      for (const reg_file f : files) {
        r.war[static_cast<unsigned>(f)] = longest_war(c, f);
        r.landed[static_cast<unsigned>(f)] = r.variable ? std::uint8_t{0} : longest_landing(c, f);
      }
    }
  }

  // Where loads read in one order with stores (sm_50 to sm_62), surface stores, reductions there and CCTL belong to it: docs/verify.md.
  [[nodiscard]] static constexpr bool loads_read_behind() {
    if constexpr (requires { Arch::latency::loads_in_order; }) return Arch::latency::loads_in_order;
    return false;
  }

  // Do loads of global and local memory read their addresses in order?
  [[nodiscard]] static constexpr bool covered_loads() {
    using latency = typename Arch::latency;
    if constexpr (requires { latency::loads_in_order; }) {
      if (latency::loads_in_order) return true;
    }
    return copies_cover_copies;
  }

  // Loads of global, local, generic and constant memory and atomics there: compilers never leave out a counter of theirs, though
  // results of one queue land in order (observed: see docs/verify.md).
  [[nodiscard]] static constexpr bool announced_by_itself(sched_class c) {
    using k = sched_class;
    for (const k one : {k::ld, k::ldg, k::ldl, k::atom, k::atomg, k::ldc}) {
      if (c == one) return true;
    }
    return false;
  }

  [[nodiscard]] static constexpr bool goes_to_memory(queue_id q, sched_class c) {
    return q == queue_id::shared || q == queue_id::global || q == queue_id::local || c == sched_class::ld ||
           c == sched_class::st;
  }

  // The places in which a register of a file can be read.
  static constexpr slot general_places[6] = {slot::a, slot::b, slot::c, slot::address, slot::data, slot::branch};
  static constexpr slot uniform_places[6] = {slot::a, slot::b, slot::c, slot::uaddress, slot::desc, slot::branch};
  static constexpr slot predicate_places[3] = {slot::guard, slot::psrc, slot::branch};
  [[nodiscard]] static constexpr span<const slot> places(reg_file f) {
    if (f == reg_file::r) return general_places;
    return f == reg_file::ur ? span<const slot>(uniform_places) : span<const slot>(predicate_places);
  }
  [[nodiscard]] static constexpr slot result(reg_file f) {
    return f == reg_file::r || f == reg_file::ur ? slot::dst : slot::pdst;
  }

  [[nodiscard]] static std::uint8_t longest_war(sched_class reader, reg_file f) {
    std::uint8_t most = 0;
    for (unsigned w = 0; w < sched_class_count; ++w) {
      for (const slot s : places(f)) {
        const distance d =
            Arch::latency::war({reader, s, f, 0, false}, {static_cast<sched_class>(w), result(f), f, 0, false});
        most = meta::max(most, d.check);
      }
    }
    return most;
  }

  [[nodiscard]] static std::uint8_t longest_landing(sched_class writer, reg_file f) {
    std::uint8_t most = 1;
    for (std::uint8_t part = 0; part < 2; ++part) {
      const access_point w{writer, result(f), f, part, false};
      for (unsigned r = 0; r < sched_class_count; ++r) {
        const auto other = static_cast<sched_class>(r);
        for (const slot s : places(f)) {
          most = meta::max(most, Arch::latency::raw(w, {other, s, f, 0, false}).check);
          most = meta::max(most, Arch::latency::raw(w, {other, s, f, 1, false}).check);
        }
        most = meta::max(most, Arch::latency::waw(w, {other, result(f), f, 0, false}).check);
      }
    }
    return most;
  }

  [[nodiscard]] static constexpr std::uint16_t identity(queue_id q, unsigned c) {
    if (q == queue_id::none) return 0;
    if (q == queue_id::own) return static_cast<std::uint16_t>(256u + c);
    return static_cast<std::uint16_t>(q);
  }

  array<class_row, sched_class_count> rows_{};
};

}  // namespace ww::verify::detail
