// SPDX-License-Identifier: BSL-1.0
//
// Rules about the control bits of one instruction by itself.
//
//   issue code     stall and yield are one five-bit code; 16 and 28..31 are undefined (facts: code set)
//   counter index  0..5, or 7 for none; 6 is no counter, and DEPBAR names one of 0..5
//   reserved bits  126 and 127 are zero in every instruction of compiler output
//   own stall      DEPBAR holds the next instruction back only with its own stall (facts: DEPBAR 4)
//   reuse code     flags are honoured with the codes 17..27; with 1..3 compilers were seen to set them (note)
//   fence wait     whoever follows a fence of the scope of a block that raises a counter waits for that counter, by its mask
//                  or being a DEPBAR (observed: 415 of 415)
//   fixed counter  compilers set counters on instructions with a late result or late reads only; double precision and matrix
//                  operations are counted by some versions of a compiler and not by others (observed: HMMA on sm_80 until
//                  CUDA 12.2, DFMA and IMMA on sm_100 from 13.3)
// Which of them allege and which only note is in docs/verify.md, with the counts behind it.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "class_table.hpp"
#include "finding.hpp"

namespace ww::verify {

// Stall and yield as one code: what the hardware defines, and what compilers emit besides where a format says so.
template <class Format>
[[nodiscard]] constexpr bool is_issue_code(std::uint32_t word) {
  if constexpr (requires { Format::seen(word); }) {
    return Format::seen(word);
  } else {
    return Format::valid(word);
  }
}

// The rules that need no more than the control fields (and the high word, 0 if not known).
template <class Arch>
void check_fields(instr_id id, const control& c, std::uint64_t high_word, vec<finding>& out) {
  using format = typename Arch::control_format;
  const bool write_ok = c.write_barrier < Arch::barriers::count || c.write_barrier == control::no_barrier;
  const bool read_ok = c.read_barrier < Arch::barriers::count || c.read_barrier == control::no_barrier;
  if (!write_ok || !read_ok) {
    finding f = detail::about(finding_kind::counter_index, severity::finding, id, provenance::documented);
    f.counter = write_ok ? c.read_barrier : c.write_barrier;
    out.push_back(f);
  }
  const unsigned beyond = static_cast<unsigned>(c.wait_mask) >> Arch::barriers::count;
  if (beyond != 0) {
    finding f = detail::about(finding_kind::counter_index, severity::finding, id, provenance::documented);
    f.counter = static_cast<std::uint8_t>(Arch::barriers::count + static_cast<unsigned>(__builtin_ctz(beyond)));
    out.push_back(f);
  }
  control code;
  code.stall = c.stall;
  code.yield = c.yield;
  if (!is_issue_code<format>(format::encode(code))) {
    out.push_back(detail::about(finding_kind::issue_code, severity::finding, id, provenance::documented));
  }
  if constexpr (requires { format::position; }) {
    if ((high_word >> (format::position - 64u + format::bits)) != 0) {
      out.push_back(detail::about(finding_kind::reserved_bits, severity::finding, id, provenance::observed));
    }
  }
}

namespace detail {

// `id` comes `cycles` behind somebody, or stalls so long, where it has to be `required`.
inline void too_soon(instr_id id, severity how, provenance source, unsigned required, unsigned cycles, vec<finding>& out) {
  finding f = about(finding_kind::own_stall, how, id, source);
  f.required = static_cast<std::uint16_t>(required);
  f.short_by = static_cast<std::uint16_t>(required - cycles);
  out.push_back(f);
}

}  // namespace detail

// A note where something else than plain arithmetic follows a BAR sooner than compilers let it, inside the block.
template <class Arch>
void check_behind_barrier(const program& p, const block& b, vec<finding>& out) {
  if constexpr (requires { Arch::pipes::behind_barrier; }) {
    constexpr unsigned least = Arch::pipes::behind_barrier;
    unsigned since = least;  // cycles since the last BAR
    bool alone = false;      // that one is BAR.ARV, or BAR.SYNC without .DEFER_BLOCKING: arithmetic keeps away from it too
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      if (since < least && (alone || !Arch::pipes::free_behind_barrier(i.iclass))) {
        detail::too_soon(id, severity::note, provenance::observed, least, since, out);
      }
      if (i.iclass == sched_class::bar) since = 0;
      if (since == 0) alone = i.has(iflag::arrives) || i.has(iflag::blocks);
      since = i.ctl.drains() || since + i.ctl.stall > least ? least : since + i.ctl.stall;
    }
  }
}

// Cycles that an instruction holds the next one back in compiled code, whatever that is.
template <class Arch>
unsigned least_stall(const instruction& i, unsigned of_class) {
  if constexpr (requires { Arch::pipes::behind_mask; }) {
    const bool mask_in_register = i.op == opcode::warpsync && i.operand_count > (i.has(iflag::guarded) ? 1 : 0);
    if (mask_in_register && of_class < Arch::pipes::behind_mask) return Arch::pipes::behind_mask;
  }
  return of_class;
}

// A note where a branch or BSSY follows BSSY sooner than compilers let it, inside the block.
template <class Arch>
void check_behind_bssy(const program& p, const block& b, vec<finding>& out) {
  if constexpr (requires { Arch::pipes::paced_interval(sched_class::bssy); }) {
    constexpr unsigned least = Arch::pipes::paced_interval(sched_class::bssy);
    unsigned since = least;  // cycles since the last BSSY
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      const bool opens = i.op == opcode::bssy;
      if (since < least && (opens || i.has(iflag::branch))) {
        detail::too_soon(id, severity::note, provenance::observed, least, since, out);
      }
      if (opens) since = 0;
      since = i.ctl.drains() || since + i.ctl.stall > least ? least : since + i.ctl.stall;
    }
  }
}

// A finding where a matrix operation of a warp group comes too soon behind WARPGROUP.ARRIVE, WARPGROUP.DEPBAR behind the operation
// that raises gsb0, or somebody behind DEPBAR, inside the block.
template <class Arch>
void check_warp_groups(const program& p, const block& b, vec<finding>& out) {
  if constexpr (requires { Arch::pipes::behind_group; }) {
    using pipes = typename Arch::pipes;
    constexpr unsigned far = 15;
    unsigned arrived = far, raised = far, waited = far;  // cycles since
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      const bool group = i.op == opcode::warpgroup;
      const bool waits = group && i.operand_count > 1;
      const bool matrix = i.iclass == sched_class::hgmma;
      const auto least = [&](unsigned since, unsigned required) {
        if (since < required) detail::too_soon(id, severity::finding, provenance::observed, required, since, out);
      };
      if (matrix) least(arrived, pipes::behind_arrival);
      if (waits) least(raised, pipes::behind_group);
      least(waited, pipes::behind_group_wait);
      if (group && !waits) arrived = 0;
      if (waits) waited = 0;
      if (matrix) {
        for (const operand& o : p.operands_of(i)) {
          if (o.is_def() && o.file() == reg_file::special) raised = 0;  // gsb0
        }
      }
      const unsigned stall = i.ctl.drains() ? far : i.ctl.stall == 1 && i.ctl.yield ? 2u : unsigned{i.ctl.stall};
      for (unsigned* since : {&arrived, &raised, &waited}) *since = *since + stall > far ? far : *since + stall;
    }
  }
}

// A finding where somebody right behind a fence of the scope of a block does not wait for the counter that it raises.
inline void check_block_fence(const program& p, const block& b, std::size_t k, vec<finding>& out) {
  const auto order = p.order_of(b);
  const instruction& fence = p[order[k]];
  const std::uint8_t counter = fence.ctl.sets_read() ? fence.ctl.read_barrier : fence.ctl.write_barrier;
  const auto judge = [&](instr_id id) {
    const instruction& next = p[id];
    bool waits = (next.ctl.wait_mask >> counter & 1u) != 0;
    for (const operand& o : p.operands_of(next)) {
      waits = waits || (next.iclass == sched_class::depbar && o.file() == reg_file::sb && o.base().number() == counter);
    }
    if (waits) return;
    finding f = detail::about(finding_kind::fence_wait, severity::finding, id, provenance::observed);
    f.first = order[k];
    f.counter = counter;
    out.push_back(f);
  };
  // WARPGROUP.DEPBAR cannot wait for a counter (public tools refuse such words): the obligation is that of who comes behind it.
  // So it is behind what never executes and another fence that drains, at the head of a loop (compiler output, sm_100: @!PT LDS RZ, [RZ]
  // and MEMBAR.ALL.CTA; thin).
  const auto waits_for_none = [&](instr_id id) {
    const bool waits = (p[id].ctl.wait_mask >> counter & 1u) != 0;
    if (p[id].has(iflag::never) || (p[id].has(iflag::block_fence) && p[id].ctl.drains())) return !waits;
    if (p[id].op == opcode::nop && p[id].ctl.wait_mask == 0) return true;  // it only makes the stall longer
    return p[id].op == opcode::warpgroup && p[id].operand_count > 1 && !p[id].has(iflag::guarded);
  };
  std::size_t next = k + 1;
  while (next < order.size() && waits_for_none(order[next])) ++next;
  if (next < order.size()) return judge(order[next]);
  for (const cfg_edge& e : p.edges_of(b)) {
    const auto list = p.order_of(p[e.to]);
    std::size_t first = 0;
    while (first < list.size() && waits_for_none(list[first])) ++first;
    if (first < list.size() && !p[e.to].padding) judge(list[first]);
  }
}

// A finding where a group of asynchronous copies raises a counter that no DEPBAR of the program names, though there is one that names some:
// DEPBAR.LE n counts groups on one counter. Compilers keep all on SB0 (observed: 206 LDGDEPBAR in 88 functions, sm_80 to sm_120). A
// search for cheaper words once moved one away, and on silicon the copies were read too early.
inline void check_copy_groups(const program& p, vec<finding>& out) {
  unsigned named = 0, raised = 0;
  for (const instruction& i : p.instructions) {
    if (i.iclass == sched_class::ldgdepbar && i.ctl.sets_write()) raised |= 1u << i.ctl.write_barrier;
    if (i.iclass != sched_class::depbar) continue;
    for (const operand& o : p.operands_of(i)) {
      if (o.file() == reg_file::sb && o.base().number() < control::barrier_count) named |= 1u << o.base().number();
    }
  }
  if (named == 0 || (raised & ~named) == 0) return;
  for (const block& b : p.blocks) {
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      if (i.iclass != sched_class::ldgdepbar || !i.ctl.sets_write() || (named >> i.ctl.write_barrier & 1u) != 0) continue;
      finding f = detail::about(finding_kind::fence_wait, severity::finding, id, provenance::observed);
      f.counter = i.ctl.write_barrier;
      out.push_back(f);
    }
  }
}

// What CCTL throws out of the cache of constants is gone before the next UTMACCTL of the block goes on: a write counter tells (compiler
// output, sm_100 to sm_121: 49 of 49), or whoever lets everything drain (-O0).
inline void check_emptied_constants(const program& p, const block& b, std::size_t k, vec<finding>& out) {
  const auto order = p.order_of(b);
  const control& empties = p[order[k]].ctl;
  for (std::size_t n = k + 1; n < order.size(); ++n) {
    const instruction& next = p[order[n]];
    if (p[order[n - 1]].ctl.drains()) return;
    if (empties.sets_write() && (next.ctl.wait_mask >> empties.write_barrier & 1u) != 0) return;
    if (next.op != opcode::utmacctl) continue;
    finding f = detail::about(finding_kind::fence_wait, severity::finding, order[n], provenance::observed);
    f.first = order[k];
    f.counter = empties.write_barrier;
    out.push_back(f);
    return;
  }
}

// A group of asynchronous copies raises a counter when it ends (LDGDEPBAR its write counter, 1,591 of 1,591, sm_80 to sm_121), or when its
// sources have been read (UTMACMDFLUSH its read counter, 838 of 838, sm_90 to sm_121), but for -O0, where all drains (103). Without it
// DEPBAR waits for nothing.
inline void check_group_counter(const instruction& i, instr_id id, vec<finding>& out) {
  const bool copies = i.op == opcode::ldgdepbar;
  const bool bulk = i.op == opcode::utmacmdflush;
  if ((!copies && !bulk) || i.ctl.drains() || i.has(iflag::never)) return;
  if (copies ? i.ctl.sets_write() : i.ctl.sets_read()) return;
  out.push_back(detail::about(finding_kind::fence_wait, severity::finding, id, provenance::observed));
}

template <class Arch>
void check_encoding(const program& p, vec<finding>& out) {
  const auto& table = detail::class_table<Arch>::get();
  check_copy_groups(p, out);
  for (const block& b : p.blocks) {
    check_behind_barrier<Arch>(p, b, out);
    check_behind_bssy<Arch>(p, b, out);
    check_warp_groups<Arch>(p, b, out);
    const auto order = p.order_of(b);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const instr_id id = order[k];
      const instruction& i = p[id];
      check_fields<Arch>(id, i.ctl, p.has_encoding ? i.word[1] : 0, out);
      if (i.has(iflag::padding)) continue;
      check_group_counter(i, id, out);
      if (i.has(iflag::block_fence) && (i.ctl.sets_read() || i.ctl.sets_write()) && !i.ctl.drains()) {
        check_block_fence(p, b, k, out);
      }
      if (i.iclass == sched_class::cctl && i.has(iflag::fence) && i.space == mem_space::constant) {
        check_emptied_constants(p, b, k, out);
      }
      if (i.iclass == sched_class::depbar && i.ctl.stall < Arch::barriers::depbar_min_stall && !i.ctl.drains()) {
        detail::too_soon(id, severity::finding, provenance::documented, Arch::barriers::depbar_min_stall, i.ctl.stall, out);
      } else if (const unsigned least = least_stall<Arch>(i, table[i.iclass].min_stall);
                 i.ctl.stall != 0 && i.ctl.stall < least) {
        detail::too_soon(id, severity::note, provenance::observed, least, i.ctl.stall, out);
      }
      for (const operand& o : p.operands_of(i)) {  // DEPBAR names its counter
        if (i.iclass != sched_class::depbar || o.file() != reg_file::sb || o.base().number() < Arch::barriers::count)
          continue;
        finding f = detail::about(finding_kind::counter_index, severity::finding, id, provenance::documented);
        f.counter = static_cast<std::uint8_t>(o.base().number());
        out.push_back(f);
      }
      if (i.has(iflag::unknown)) continue;
      const detail::class_row& row = table[i.iclass];
      const pipe_id pipe = Arch::pipes::pipe_of(i.iclass);
      const bool plain = !row.variable && !row.late && pipe != pipe_id::fp64 && pipe != pipe_id::tensor &&
                         i.dir == mem_dir::none && !i.has(iflag::sync) && !i.has(iflag::convergence) &&
                         !i.has(iflag::fence) && !i.has(iflag::side_effect) && !i.has(iflag::branch);
      if (plain && (i.ctl.sets_write() || i.ctl.sets_read())) {
        finding f = detail::about(finding_kind::fixed_counter, severity::finding, id, provenance::observed);
        f.counter = i.ctl.sets_write() ? i.ctl.write_barrier : i.ctl.read_barrier;
        out.push_back(f);
      }
    }
  }
}

}  // namespace ww::verify
