// SPDX-License-Identifier: BSL-1.0
//
// The transfer function: walks one block from an incoming state, checks every access and leaves the outgoing state.
//
// Inside a block accesses hang in short lists, one per register, stamped with the issue clock (the sum of stalls), so that
// nothing ages by hand. An instruction is taken in the order in which hardware acts: it waits, its sources are checked and
// then its results, its own reads and writes become outstanding, its counters are raised, and its stall moves the clock.
//
//   drain        stall 0 with yield ends in a state where everything has landed
//   exclusive    two accesses under complementary guards with no new value of the predicate between them: never both happen
//   in order     an overwriting instruction of the same queue lands (or reads) after the earlier one without any wait
#pragma once

#include <cstdint>

#include "../arch/late_source.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"
#include "acquisition.hpp"
#include "class_table.hpp"
#include "finding.hpp"
#include "flight_board.hpp"
#include "flow_state.hpp"
#include "multiplied_sum.hpp"
#include "options.hpp"
#include "view_fence.hpp"
#include "walk_memory.hpp"

namespace ww::verify::detail {

template <class Arch>
class walker {
 public:
  walker(const program& p, const options& o, walk_memory& m)
      : program_(p), options_(o), table_(class_table<Arch>::get()), m_(m), board_(p, m.flights, m.flight_of), acquired_(p) {}

  void begin() {
    m_.start(program_);
    m_.guard.assign(program_.instructions.size(), nil);
    for (std::size_t k = 0; k < program_.instructions.size(); ++k) {
      const instruction& i = program_.instructions[k];
      if (!i.has(iflag::guarded)) continue;
      for (const operand& o : program_.operands_of(i)) {
        if (o.where() == slot::guard && o.is_use() && o.is_register()) m_.guard[k] = m_.registers.at(o.base(), 0);
      }
    }
  }

  // Runs over a block.
  void walk(const block& b, const flow_state& in, flow_state& out) {
    load(in);
    acquired_.enter(b, board_);
    for (const instr_id i : program_.order_of(b)) {
      if (!program_[i].has(iflag::padding)) step(i);
    }
    store(out);
  }

  // Ages saturate here.
  [[nodiscard]] static constexpr unsigned longest() { return static_cast<unsigned>(horizon); }

 private:
  using latency = typename Arch::latency;
  static constexpr std::int32_t horizon = static_cast<std::int32_t>(latency::max_fixed) + 8;

  void load(const flow_state& in) {
    clock_ = 0;
    board_.load(in);
    for (const access& a : in.accesses) {
      m_.carried[a.instr] = m_.walks;
      live_access l;
      l.issued = -static_cast<std::int32_t>(a.age);
      l.instr = a.instr;
      l.where = a.where;
      l.part = a.part;
      l.guard_version = a.guard_valid != 0 ? m_.versions[m_.guard[a.instr]] : 0;
      l.late = a.late != 0;
      const auto file = static_cast<unsigned>(m_.registers.name(a.index).file());
      l.lasts =
          a.is_read != 0 ? row(program_.instructions[a.instr]).war[file] : row(program_.instructions[a.instr]).landed[file];
      m_.link(a.is_read != 0 ? m_.reads : m_.writes, a.index, l);
    }
  }

  void store(flow_state& out) {
    out.clear();
    out.reached = true;
    m_.each_touched([&](std::uint32_t index) {
      unload(m_.writes[index], index, false, out);
      unload(m_.reads[index], index, true, out);
    });
    m_.forget_touched();
    board_.store(out, clock_);
  }

  void unload(std::uint32_t& head, std::uint32_t index, bool is_read, flow_state& out) {
    const std::size_t first = out.accesses.size();
    for (std::uint32_t k = head; k != nil;) {
      const live_access& l = m_.pool[k];
      const std::uint32_t next = l.next;
      if (outstanding(l, is_read)) {
        access a;
        a.index = index;
        a.instr = l.instr;
        a.age = static_cast<std::uint16_t>(meta::min(clock_ - l.issued, horizon));
        a.is_read = is_read ? 1 : 0;
        a.where = l.where;
        a.part = l.part;
        a.late = l.late ? 1 : 0;
        const std::uint32_t g = m_.guard[l.instr];
        a.guard_valid = g != nil && l.guard_version == m_.versions[g] ? 1 : 0;
        out.accesses.push_back(a);
      }
      m_.free_list.push_back(k);
      k = next;
    }
    head = nil;
    ww::detail::sort(out.accesses.begin() + first, out.accesses.end(),
                     [](const access& a, const access& b) { return a.before(b); });
  }

  void record(vec<std::uint32_t>& heads, std::uint32_t index, const live_access& l, bool is_read) {
    m_.record(heads, index, l, short_words<Arch> && !is_read,
              [&](const live_access& o) { return !outstanding(o, is_read); });
  }

  [[nodiscard]] const class_row& row(const instruction& i) const { return table_[i.iclass]; }

  [[nodiscard]] bool outstanding(const live_access& l, bool is_read) const {
    const instruction& i = program_.instructions[l.instr];
    const bool old = clock_ - l.issued >= l.lasts;
    const flight* f = board_.find(l.instr);
    if (is_read) return l.late ? f != nullptr && f->read_pending : !old;
    if (row(i).variable) {
      if (f == nullptr || !f->write_pending || board_.landed(*f, clock_)) return false;
      // A generic atomic decides its predicate (handled or not) when it reads its address: there the read counter covers that.
      if (row(i).early_predicate && static_cast<slot>(l.where) == slot::pdst) return f->read_pending;
      return true;
    }
    return !old && !(i.ctl.sets_write() && (f == nullptr || !f->write_pending));
  }

  [[nodiscard]] bool exclusive(const live_access& l, std::uint32_t guard, bool negated) const {
    if (guard == nil || l.guard_version == 0 || l.guard_version != m_.versions[guard]) return false;
    return m_.guard[l.instr] == guard && (program_.instructions[l.instr].guard_negated != 0) != negated;
  }

  [[nodiscard]] access_point point(const instruction& i, std::uint8_t where, std::uint8_t part, reg_file file) const {
    return {i.iclass, static_cast<slot>(where), file, part, i.has(iflag::guarded)};
  }

  void drain(instr_id id) {
    if (options_.notes) {
      for (const flight& f : board_.all()) {
        m_.found.push_back(about(finding_kind::drained_counter, severity::note, id, provenance::documented));
        m_.found.back().first = instr_id{f.instr};
      }
    }
    m_.each_touched([&](std::uint32_t index) {
      m_.unlink_all(m_.writes[index]);
      m_.unlink_all(m_.reads[index]);
    });
    m_.forget_touched();
    board_.drain(clock_);
  }

  // WARPSYNC.COLLECTIVE goes to its label only when every fixed-latency result has landed: nothing is known of who reads it
  // there (observed: 23,000 of 23,000).
  void lands_all(instr_id id, provenance source = provenance::observed) {
    m_.each_touched([&](std::uint32_t index) {
      for (std::uint32_t k = m_.writes[index]; k != nil; k = m_.pool[k].next) {
        const live_access& l = m_.pool[k];
        const class_row& w = row(program_.instructions[l.instr]);
        if (w.variable || !outstanding(l, false)) continue;
        near(finding_kind::raw_distance, l, id, index, {l.lasts, l.lasts, source});
      }
    });
  }

  // Before CALL, LEPC in front of it, and BSYNC, compilers wait for every fixed-latency result on some SMs: a note.
  static constexpr bool lands_before_calls = requires { requires Arch::pipes::lands_before_calls; };

  void step(instr_id id) {
    const instruction& i = program_[id];
    const class_row& r = row(i);
    for (unsigned c = 0; c < counters; ++c) {
      if ((i.ctl.wait_mask >> c & 1u) != 0) board_.wait(c, 0, clock_);
    }
    if (i.iclass == sched_class::depbar) board_.depbar(i, clock_);
    if (i.iclass == sched_class::warpgroup) board_.group_depbar(i, clock_);
    if (i.iclass == sched_class::bar) board_.memory_has_read(i);
    acquired_.before(id, i, board_, m_.found);
    check_view_fences(program_, id, i, board_, m_.found);
    if (i.iclass == sched_class::bsync) board_.converges(i);
    if (i.iclass == sched_class::collective && i.op == opcode::warpsync) lands_all(id);
    if (lands_before_calls &&
        (i.iclass == sched_class::call || i.iclass == sched_class::lepc || i.iclass == sched_class::bsync))
      lands_all(id, provenance::assumed);

    const bool acts = !i.has(iflag::never) && !i.has(iflag::unknown);
    const std::uint32_t guard = m_.guard[id.index()];
    const bool negated = i.guard_negated != 0;
    bool results = false;
    bool late_reads = false;
    if (acts) {
      const auto operands = program_.operands_of(i);
      for (const operand& o : operands) {
        if (!o.is_use() || !o.is_register()) continue;
        for (std::uint32_t part = 0; part < o.width(); ++part) {
          const std::uint32_t index = m_.registers.at(o.base(), part);
          if (index != register_index::none && m_.writes[index] != nil) {
            check_use(id, i, o, static_cast<std::uint8_t>(part), index, guard, negated);
          }
        }
      }
      for (const operand& o : operands) {
        if (!o.is_def() || !o.is_register()) continue;
        for (std::uint32_t part = 0; part < o.width(); ++part) {
          const std::uint32_t index = m_.registers.at(o.base(), part);
          if (index == register_index::none) continue;
          results = true;
          if (m_.reads[index] != nil) check_over_read(id, i, o, static_cast<std::uint8_t>(part), index, guard, negated);
          if (m_.writes[index] != nil) check_over_write(id, i, o, static_cast<std::uint8_t>(part), index, guard, negated);
          if (guard == nil && !o.is_partial()) {
            m_.unlink_all(m_.writes[index]);
            m_.unlink_all(m_.reads[index]);
          }
        }
      }
      // The accesses of this instruction become outstanding; a source that it overwrites itself is covered by the result.
      live_access l;
      l.issued = clock_;
      l.instr = id.index();
      l.guard_version = guard == nil ? 0 : m_.versions[guard];
      for (const operand& o : operands) {
        if (!o.is_use() || !o.is_register()) continue;
        const bool late =
            r.late && (r.in_groups ? o.file() == reg_file::r
                                   : late_source<latency>(point(i, static_cast<std::uint8_t>(o.where()), 0, o.file())));
        if (!late && r.war[static_cast<unsigned>(o.file())] <= 1) continue;
        for (std::uint32_t part = 0; part < o.width(); ++part) {
          const std::uint32_t index = m_.registers.at(o.base(), part);
          if (index == register_index::none) continue;
          l.where = static_cast<std::uint8_t>(o.where());
          l.part = static_cast<std::uint8_t>(part);
          l.late = late;
          l.lasts = r.war[static_cast<unsigned>(o.file())];
          record(m_.reads, index, l, true);
          late_reads = late_reads || late;
        }
      }
      l.late = false;
      for (const operand& o : operands) {
        if (!o.is_def() || !o.is_register()) continue;
        for (std::uint32_t part = 0; part < o.width(); ++part) {
          const std::uint32_t index = m_.registers.at(o.base(), part);
          if (index == register_index::none) continue;
          l.where = static_cast<std::uint8_t>(o.where());
          l.part = static_cast<std::uint8_t>(part);
          if (guard == nil && !o.is_partial()) m_.unlink_all(m_.reads[index]);
          l.lasts = r.landed[static_cast<unsigned>(o.file())];
          record(m_.writes, index, l, false);
          if (++m_.versions[index] == 0) m_.versions[index] = 1;
        }
      }
    }

    const bool acquires = acts && r.variable && board_.may_acquire(i);
    if (acquires) acquired_.may_be(id, i, board_);
    board_.launch(id, i, results || acquires || is_view_fence(i), late_reads, clock_);

    clock_ += i.ctl.stall;
    if (i.ctl.drains() && zero_drains()) drain(id);
  }

  [[nodiscard]] static constexpr bool zero_drains() {
    if constexpr (requires { Arch::barriers::zero_drains; }) {
      return Arch::barriers::zero_drains;
    } else {
      return true;
    }
  }

  void check_use(instr_id id, const instruction& i, const operand& o, std::uint8_t part, std::uint32_t index,
                 std::uint32_t guard, bool negated) {
    bool replaced = false;
    for (std::uint32_t k = m_.writes[index]; k != nil; k = m_.pool[k].next) {
      const live_access& l = m_.pool[k];
      const instruction& w = program_.instructions[l.instr];
      if (!outstanding(l, false)) {
        replaced = replaced || row(w).variable;
        continue;
      }
      if (exclusive(l, guard, negated)) continue;
      if (row(w).variable) {
        if (row(w).in_groups && row(i).in_groups && o.where() == slot::c) continue;  // the sum goes on
        missing(finding_kind::raw_counter, l, id, index, w.ctl.write_barrier);
        continue;
      }
      // Who has waited for a counted result needs no distance to an older fixed one of the register (observed, sm_52 to sm_61: a
      // guarded conversion over MOV32I or IADD, its counter awaited 1 to 5 cycles behind those, 14 cases in three kernels).
      if (short_words<Arch> && replaced) continue;
      const access_point from = point(w, l.where, l.part, o.file());
      const distance needed = latency::raw(from, point(i, static_cast<std::uint8_t>(o.where()), part, o.file()));
      const distance d = as_factor<latency>(needed, program_, from, i, o);
      near(finding_kind::raw_distance, l, id, index, d, never_forwarded(d, o.file()));
    }
  }

  void check_over_write(instr_id id, const instruction& i, const operand& o, std::uint8_t part, std::uint32_t index,
                        std::uint32_t guard, bool negated) {
    for (std::uint32_t k = m_.writes[index]; k != nil; k = m_.pool[k].next) {
      const live_access& l = m_.pool[k];
      if (!outstanding(l, false) || exclusive(l, guard, negated)) continue;
      const instruction& w = program_.instructions[l.instr];
      const class_row& a = row(w);
      const class_row& b = row(i);
      if (a.variable) {
        if (b.variable && a.queue != 0 && a.queue == b.queue && !a.by_itself) continue;
        missing(finding_kind::waw_counter, l, id, index, w.ctl.write_barrier);
        continue;
      }
      // Two that issue together: what comes late lands last (observed, sm_50 to sm_61: loads over MOV, MOV32I and IADD, 83 cases).
      if (short_words<Arch> && b.variable) continue;
      const distance d =
          latency::waw(point(w, l.where, l.part, o.file()), point(i, static_cast<std::uint8_t>(o.where()), part, o.file()));
      near(finding_kind::waw_distance, l, id, index, d);
    }
  }

  void check_over_read(instr_id id, const instruction& i, const operand& o, std::uint8_t part, std::uint32_t index,
                       std::uint32_t guard, bool negated) {
    for (std::uint32_t k = m_.reads[index]; k != nil; k = m_.pool[k].next) {
      const live_access& l = m_.pool[k];
      if (!outstanding(l, true) || exclusive(l, guard, negated)) continue;
      const instruction& reader = program_.instructions[l.instr];
      const class_row& a = row(reader);
      const class_row& b = row(i);
      if (l.late) {
        if (b.variable && a.read_queue != 0 && a.read_queue == b.overwrites && !a.reads_by_itself) continue;
        if (b.over_copies && reader.iclass == sched_class::ldgsts) continue;
        const std::uint8_t c = reader.ctl.sets_read() ? reader.ctl.read_barrier : reader.ctl.write_barrier;
        missing(finding_kind::war_counter, l, id, index, c);
        continue;
      }
      const distance d = latency::war(point(reader, l.where, l.part, o.file()),
                                      point(i, static_cast<std::uint8_t>(o.where()), part, o.file()));
      near(finding_kind::war_distance, l, id, index, d);
    }
  }

  // The age below which no fixed result is read, where the tables say four cycles or more: an assumed distance is believed so far.
  // Observed and documented on all SMs: no cell of general registers is read one cycle behind its writer, none of predicates
  // three; uniform predicates that are (VOTEU) have cells of less than four.
  [[nodiscard]] static constexpr std::int32_t never_forwarded(distance d, reg_file f) {
    if (d.check < 4) return 0;
    return f == reg_file::p ? 4 : 2;
  }

  // An assumed distance makes a note, but a finding below the age `never`.
  void near(finding_kind kind, const live_access& l, instr_id second, std::uint32_t index, distance d,
            std::int32_t never = 0) {
    const std::int32_t age = clock_ - l.issued;
    if (age >= d.check) return;
    const bool alleged = d.source != provenance::assumed || age < never;
    finding f = about(kind, alleged ? severity::finding : severity::note, second, d.source);
    f.distance = static_cast<std::uint16_t>(age);
    f.short_by = static_cast<std::uint16_t>(d.check - age);
    f.required = d.check;
    f.first = instr_id{l.instr};
    f.target = m_.registers.name(index);
    m_.found.push_back(f);
  }

  void missing(finding_kind kind, const live_access& l, instr_id second, std::uint32_t index, std::uint8_t counter) {
    finding f = about(kind, severity::finding, second, provenance::observed);
    const flight* in_flight = board_.find(l.instr);
    if (in_flight != nullptr && in_flight->early) {
      f.kind = finding_kind::set_to_wait;
      f.short_by = 1;
    }
    f.counter = counter;
    f.first = instr_id{l.instr};
    f.distance = static_cast<std::uint16_t>(meta::min(clock_ - l.issued, horizon));
    f.target = m_.registers.name(index);
    m_.found.push_back(f);
  }

  const program& program_;
  const options& options_;
  const class_table<Arch>& table_;
  walk_memory& m_;
  std::int32_t clock_ = 0;
  flight_board<Arch> board_;
  acquisition<Arch> acquired_;
};

}  // namespace ww::verify::detail
