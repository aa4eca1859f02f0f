// SPDX-License-Identifier: BSL-1.0
//
// Where control leaves to code that is not known, everything has landed and every source has been read.
//
//   where     an indirect call, a call that leaves the program, a RET of a function whose callers are not all known
//   why       the other side may read or overwrite anything, and takes for granted that nothing is on its way: an entry and the
//             place behind such a call are walked with an empty state
//   source    compiler output, sm_75 to sm_120: of the calls and returns of this kind in 5.9 million instructions none leaves a counter
//             to the other side or a result that is too young for its slowest reader
//   but for   the predicate of a generic atomic, which comes with its reads (a loop of sm_100 and sm_120, eight cases), and a stack
//             pointer that nobody waits for because nobody uses it (LDC R1 without a counter at the entry, sm_90 to sm_120, ten cases)
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"
#include "class_table.hpp"
#include "finding.hpp"
#include "flow_state.hpp"
#include "register_index.hpp"

namespace ww::verify::detail {

// A load of the stack pointer that raises no counter.
[[nodiscard]] inline bool unused_stack(const program& p, const instruction& i) {
  if (i.iclass != sched_class::ldc || i.ctl.sets_write()) return false;
  for (const operand& o : p.operands_of(i)) {
    if (o.is_def() && o.file() == reg_file::r) return o.base().number() == 1;
  }
  return false;
}

// Does control leave behind `b` by a call or a return that nobody follows?
[[nodiscard]] inline bool leaves_to_unknown(const program& p, const block& b) {
  if (!b.open_exit || b.count == 0) return false;
  const instruction& last = p[p.order[b.first + b.count - 1]];
  return last.has(iflag::call) || last.has(iflag::ret);
}

// `out`: the state behind the block.
template <class Arch>
void check_open_exit(const program& p, const block& b, const flow_state& out, const register_index& registers,
                     vec<finding>& found) {
  if (short_words<Arch> || !leaves_to_unknown(p, b)) return;
  const instr_id last = p.order[b.first + b.count - 1];
  for (const flight& f : out.flights) {
    const instruction& i = p.instructions[f.instr];
    if ((i.iclass == sched_class::atom && !f.read_pending) || unused_stack(p, i)) continue;
    finding g = about(f.write_pending ? finding_kind::raw_counter : finding_kind::war_counter, severity::finding, last,
                      provenance::observed);
    g.first = instr_id{f.instr};
    g.counter = !f.write_pending && i.ctl.sets_read() ? i.ctl.read_barrier : i.ctl.write_barrier;
    found.push_back(g);
  }
  for (const access& a : out.accesses) {
    const instruction& i = p.instructions[a.instr];
    const class_row& r = class_table<Arch>::get()[i.iclass];
    const unsigned lasts = r.landed[static_cast<unsigned>(registers.name(a.index).file())];
    if (a.is_read != 0 || r.variable || i.ctl.sets_write() || a.age >= lasts) continue;  // what has landed is mostly gone
    finding g = about(finding_kind::raw_distance, severity::finding, last, provenance::observed);
    g.first = instr_id{a.instr};
    g.target = registers.name(a.index);
    g.distance = a.age;
    g.required = static_cast<std::uint16_t>(lasts);
    g.short_by = static_cast<std::uint16_t>(lasts - a.age);
    found.push_back(g);
  }
}

}  // namespace ww::verify::detail
