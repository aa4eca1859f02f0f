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

#include <algorithm>
#include <cstdint>
#include <vector>

#include "../arch/late_source.hpp"
#include "class_table.hpp"
#include "finding.hpp"
#include "flow_state.hpp"
#include "options.hpp"
#include "register_index.hpp"

namespace ww::verify::detail {

inline constexpr std::uint32_t nil = 0xffffffffu;

struct live_access {
  std::int32_t issued = 0;
  std::uint32_t instr = 0;
  std::uint32_t next = nil;
  std::uint32_t guard_version = 0;  // 0: no longer comparable
  std::uint8_t where = 0;
  std::uint8_t part = 0;
  std::uint8_t lasts = 0;  // cycles after which a fixed-latency access is over
  bool late = false;       // a read that a counter announces
};

// Memory that one check needs; kept from check to check so that nothing is allocated in the loops.
struct walk_memory {
  register_index registers;
  std::vector<live_access> pool;
  std::vector<std::uint32_t> free_list;
  std::vector<std::uint32_t> writes;  // list heads by register index
  std::vector<std::uint32_t> reads;
  std::vector<std::uint64_t> touched;       // register indices with a list
  std::vector<std::uint32_t> versions;      // of predicates: how many values ago
  std::vector<std::uint32_t> flight_of;     // by instruction
  std::vector<std::uint32_t> guard;         // by instruction: register index of its guard, nil if none
  std::vector<flight> flights;
  std::vector<finding> found;
};

template <class Arch>
class walker {
 public:
  walker(const program& p, const options& o, walk_memory& m)
      : program_(p), options_(o), table_(class_table<Arch>::get()), m_(m) {}

  void begin() {
    m_.registers.build(program_);
    const std::size_t n = m_.registers.size();
    m_.pool.clear();
    m_.free_list.clear();
    m_.writes.assign(n, nil);
    m_.reads.assign(n, nil);
    m_.touched.assign((n + 63) / 64, 0);
    m_.versions.assign(n, 1);
    m_.flight_of.assign(program_.instructions.size(), nil);
    m_.flights.clear();
    m_.found.clear();
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

  // ---- boundaries

  void load(const flow_state& in) {
    clock_ = 0;
    set_at_.fill(-1);
    m_.flights = in.flights;
    for (std::uint32_t k = 0; k < m_.flights.size(); ++k) m_.flight_of[m_.flights[k].instr] = k;
    for (const access& a : in.accesses) {
      live_access l;
      l.issued = -static_cast<std::int32_t>(a.age);
      l.instr = a.instr;
      l.where = a.where;
      l.part = a.part;
      l.guard_version = a.guard_valid != 0 ? m_.versions[m_.guard[a.instr]] : 0;
      l.late = a.late != 0;
      const auto file = static_cast<unsigned>(m_.registers.name(a.index).file());
      l.lasts = a.is_read != 0 ? row(program_.instructions[a.instr]).war[file] : row(program_.instructions[a.instr]).landed[file];
      link(a.is_read != 0 ? m_.reads : m_.writes, a.index, l);
    }
    for (unsigned c = 0; c < counters; ++c) {
      const counter_state& s = in.counter[c];
      visible_[c] = s.hidden;
      fresh_[c] = s.increments;
      queue_[c] = s.queue;
    }
  }

  void store(flow_state& out) {
    out.clear();
    out.reached = true;
    for (std::size_t w = 0; w < m_.touched.size(); ++w) {
      std::uint64_t bits = m_.touched[w];
      m_.touched[w] = 0;
      while (bits != 0) {
        const auto bit = static_cast<std::uint32_t>(__builtin_ctzll(bits));
        bits &= bits - 1;
        const auto index = static_cast<std::uint32_t>(w * 64 + bit);
        unload(m_.writes[index], index, false, out);
        unload(m_.reads[index], index, true, out);
      }
    }
    out.flights = m_.flights;
    std::sort(out.flights.begin(), out.flights.end(), [](const flight& a, const flight& b) { return a.instr < b.instr; });
    for (const flight& f : m_.flights) m_.flight_of[f.instr] = nil;
    m_.flights.clear();
    for (unsigned c = 0; c < counters; ++c) {
      counter_state& s = out.counter[c];
      const std::int32_t hidden = visible_[c] - clock_;
      s.hidden = hidden > 0 ? static_cast<std::uint8_t>(hidden) : std::uint8_t{0};
      s.increments = hidden > 0 ? fresh_[c] : std::uint8_t{0};
      s.queue = queue_[c];
    }
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
        a.age = static_cast<std::uint16_t>(std::min(clock_ - l.issued, horizon));
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
    std::sort(out.accesses.begin() + static_cast<std::ptrdiff_t>(first), out.accesses.end(),
              [](const access& a, const access& b) { return a.before(b); });
  }

  // ---- lists

  void link(std::vector<std::uint32_t>& heads, std::uint32_t index, const live_access& l) {
    std::uint32_t k;
    if (m_.free_list.empty()) {
      k = static_cast<std::uint32_t>(m_.pool.size());
      m_.pool.push_back(l);
    } else {
      k = m_.free_list.back();
      m_.free_list.pop_back();
      m_.pool[k] = l;
    }
    m_.pool[k].next = heads[index];
    heads[index] = k;
    m_.touched[index >> 6] |= 1ull << (index & 63u);
  }

  void unlink_all(std::uint32_t& head) {
    for (std::uint32_t k = head; k != nil;) {
      const std::uint32_t next = m_.pool[k].next;
      m_.free_list.push_back(k);
      k = next;
    }
    head = nil;
  }

  // Replaces an access of the same instruction and place, else adds one.
  void record(std::vector<std::uint32_t>& heads, std::uint32_t index, const live_access& l) {
    for (std::uint32_t k = heads[index]; k != nil; k = m_.pool[k].next) {
      live_access& o = m_.pool[k];
      if (o.instr == l.instr && o.where == l.where && o.part == l.part) {
        const std::uint32_t next = o.next;
        o = l;
        o.next = next;
        return;
      }
    }
    link(heads, index, l);
  }

  // ---- meaning

  [[nodiscard]] const class_row& row(const instruction& i) const { return table_[i.iclass]; }

  [[nodiscard]] bool outstanding(const live_access& l, bool is_read) const {
    const instruction& i = program_.instructions[l.instr];
    const bool old = clock_ - l.issued >= l.lasts;
    const std::uint32_t f = m_.flight_of[l.instr];
    if (is_read) {
      if (l.late) return f != nil && m_.flights[f].read_pending;
      return !old;
    }
    if (row(i).variable) {
      if (f == nil || !m_.flights[f].write_pending) return false;
      // A generic atomic decides its predicate (handled or not) when it reads its address: the read barrier covers that.
      if (i.iclass == sched_class::atom && static_cast<slot>(l.where) == slot::pdst) return m_.flights[f].read_pending;
      return true;
    }
    return !old && !(i.ctl.sets_write() && (f == nil || !m_.flights[f].write_pending));
  }

  [[nodiscard]] bool exclusive(const live_access& l, std::uint32_t guard, bool negated) const {
    if (guard == nil || l.guard_version == 0 || l.guard_version != m_.versions[guard]) return false;
    return m_.guard[l.instr] == guard && (program_.instructions[l.instr].guard_negated != 0) != negated;
  }

  [[nodiscard]] access_point point(const instruction& i, std::uint8_t where, std::uint8_t part, reg_file file) const {
    return {i.iclass, static_cast<slot>(where), file, part, i.has(iflag::guarded)};
  }

  // ---- counters

  // All that `c` covers is done, save what at most `allowed` outstanding increments may still announce.
  // `late`: the waiter reads the counter late enough to see every earlier set.
  void wait(unsigned c, unsigned allowed, bool late = false) {
    const unsigned hidden = clock_ < visible_[c] && !late ? fresh_[c] : 0u;
    if (allowed > 0 && queue_[c] == counter_state::mixed) return;
    const unsigned need = std::max(hidden, allowed);
    for (std::size_t k = 0; k < m_.flights.size();) {
      flight& f = m_.flights[k];
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

  void retire(std::size_t k) {
    m_.flight_of[m_.flights[k].instr] = nil;
    if (k + 1 != m_.flights.size()) {
      m_.flights[k] = m_.flights.back();
      m_.flight_of[m_.flights[k].instr] = static_cast<std::uint32_t>(k);
    }
    m_.flights.pop_back();
  }

  // `i` raises counter `c`, for its results or for its reads.
  void raise(const instruction& i, unsigned c, bool for_results) {
    const class_row& r = row(i);
    for (flight& f : m_.flights) {
      if (f.write[c] != 0 && f.write[c] != 0xff) ++f.write[c];
      if (f.read[c] != 0 && f.read[c] != 0xff) ++f.read[c];
      const class_row& o = row(program_.instructions[f.instr]);
      const bool reads_in_order = o.read_queue != 0 && o.read_queue == r.read_queue;
      const bool ends_in_order = for_results && o.queue != 0 && o.queue == r.queue;
      if (f.write[c] == 0 && ends_in_order) f.write[c] = 1;
      if (f.read[c] == 0 && (reads_in_order || ends_in_order)) f.read[c] = 1;
    }
    if (clock_ != set_at_[c] || visible_[c] <= clock_) fresh_[c] = 0;
    ++fresh_[c];
    set_at_[c] = clock_;
    const std::uint16_t q = for_results ? r.queue : r.read_queue;
    const auto tag = static_cast<std::uint16_t>(q == 0 ? counter_state::mixed : q * 2u + (for_results ? 0u : 1u));
    if (queue_[c] == counter_state::nothing) {
      queue_[c] = tag;
    } else if (queue_[c] != tag) {
      queue_[c] = counter_state::mixed;
    }
  }

  void drain() {
    for (std::size_t w = 0; w < m_.touched.size(); ++w) {
      std::uint64_t bits = m_.touched[w];
      m_.touched[w] = 0;
      while (bits != 0) {
        const std::size_t index = w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
        bits &= bits - 1;
        unlink_all(m_.writes[index]);
        unlink_all(m_.reads[index]);
      }
    }
    for (const flight& f : m_.flights) m_.flight_of[f.instr] = nil;
    m_.flights.clear();
    for (unsigned c = 0; c < counters; ++c) {
      visible_[c] = clock_;
      queue_[c] = counter_state::nothing;
    }
  }

  // ---- one instruction

  void step(instr_id id) {
    const instruction& i = program_[id];
    const class_row& r = row(i);
    for (unsigned c = 0; c < counters; ++c) {
      if ((i.ctl.wait_mask >> c & 1u) != 0) wait(c, 0);
    }
    if (i.iclass == sched_class::depbar) depbar(i);
    if (i.iclass == sched_class::bar) memory_has_read();

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
            unlink_all(m_.writes[index]);
            unlink_all(m_.reads[index]);
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
        const bool late = r.late && late_source<latency>(point(i, static_cast<std::uint8_t>(o.where()), 0, o.file()));
        if (!late && r.war[static_cast<unsigned>(o.file())] <= 1) continue;
        for (std::uint32_t part = 0; part < o.width(); ++part) {
          const std::uint32_t index = m_.registers.at(o.base(), part);
          if (index == register_index::none) continue;
          l.where = static_cast<std::uint8_t>(o.where());
          l.part = static_cast<std::uint8_t>(part);
          l.late = late;
          l.lasts = r.war[static_cast<unsigned>(o.file())];
          record(m_.reads, index, l);
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
          if (guard == nil && !o.is_partial()) unlink_all(m_.reads[index]);
          l.lasts = r.landed[static_cast<unsigned>(o.file())];
          record(m_.writes, index, l);
        }
      }
      for (const operand& o : operands) {
        if (!o.is_def() || !o.is_register()) continue;
        if (o.file() != reg_file::p && o.file() != reg_file::up) continue;
        for (std::uint32_t part = 0; part < o.width(); ++part) {
          const std::uint32_t index = m_.registers.at(o.base(), part);
          if (index != register_index::none) ++m_.versions[index];
        }
      }
    }

    launch(id, i, r, results, late_reads);

    const int stall = i.ctl.stall;
    clock_ += stall;
    if (i.ctl.drains() && zero_drains()) drain();
  }

  [[nodiscard]] static constexpr bool zero_drains() {
    if constexpr (requires { Arch::barriers::zero_drains; }) {
      return Arch::barriers::zero_drains;
    } else {
      return true;
    }
  }

  void launch(instr_id id, const instruction& i, const class_row& r, bool results, bool late_reads) {
    const std::uint32_t old = m_.flight_of[id.index()];
    if (old != nil) retire(old);
    const bool reads = i.ctl.sets_read() && i.ctl.read_barrier < counters;
    const bool writes = i.ctl.sets_write() && i.ctl.write_barrier < counters;
    const bool shared = reads && writes && i.ctl.write_barrier == i.ctl.read_barrier;
    const bool alone = shared && queue_[i.ctl.read_barrier] == counter_state::nothing;
    if (reads) raise(i, i.ctl.read_barrier, false);
    if (writes) raise(i, i.ctl.write_barrier, true);
    // Alone on a counter, an instruction's own reads end before its result lands.
    if (alone) queue_[i.ctl.read_barrier] = static_cast<std::uint16_t>(0x8000u | (id.index() & 0x7ffeu));
    const std::int32_t seen = clock_ + static_cast<std::int32_t>(Arch::barriers::set_to_wait) -
                              (i.ctl.stall == 1 && i.ctl.yield ? 1 : 0);
    if (reads) visible_[i.ctl.read_barrier] = seen;
    if (writes) visible_[i.ctl.write_barrier] = seen;

    flight f;
    f.instr = id.index();
    f.write_pending = results && (r.variable || writes);
    f.read_pending = late_reads;
    if (!f.write_pending && !f.read_pending) return;
    if (reads) {
      f.read[i.ctl.read_barrier] = shared ? 2 : 1;
    }
    if (writes) {
      f.write[i.ctl.write_barrier] = 1;
      if (f.read[i.ctl.write_barrier] == 0) f.read[i.ctl.write_barrier] = 1;
    }
    m_.flight_of[id.index()] = static_cast<std::uint32_t>(m_.flights.size());
    m_.flights.push_back(f);
  }

  // A CTA barrier goes down the memory pipe behind all earlier memory operations and holds the warp until it is through:
  // their sources have been read (seen in compiler output: stores before BAR.SYNC need no counter).
  void memory_has_read() {
    for (std::size_t k = 0; k < m_.flights.size();) {
      flight& f = m_.flights[k];
      if (program_.instructions[f.instr].dir != mem_dir::none) f.read_pending = false;
      if (!f.write_pending && !f.read_pending) {
        retire(k);
      } else {
        ++k;
      }
    }
  }

  // DEPBAR.LE SBx, n {set}: the counter is the sb operand, the count stands in bits 38..43 of the encoding (or
  // in mem_offset of an instruction that was built without one), the set in bits 32..37. It sees sets of the instruction
  // right before it (compiler output: S2UR with stall 1, then DEPBAR).
  void depbar(const instruction& i) {
    const bool encoded = (i.word[0] | i.word[1]) != 0;
    for (const operand& o : program_.operands_of(i)) {
      if (o.file() != reg_file::sb || o.base().number() >= counters) continue;
      wait(o.base().number(), (encoded ? static_cast<unsigned>(i.word[0] >> 38) : static_cast<unsigned>(i.mem_offset)) & 0x3fu, true);
    }
    if (!encoded) return;
    for (unsigned c = 0; c < counters; ++c) {
      if ((i.word[0] >> (32u + c) & 1u) != 0) wait(c, 0, true);
    }
  }

  void check_use(instr_id id, const instruction& i, const operand& o, std::uint8_t part, std::uint32_t index,
                 std::uint32_t guard, bool negated) {
    for (std::uint32_t k = m_.writes[index]; k != nil; k = m_.pool[k].next) {
      const live_access& l = m_.pool[k];
      if (!outstanding(l, false) || exclusive(l, guard, negated)) continue;
      const instruction& w = program_.instructions[l.instr];
      if (row(w).variable) {
        missing(finding_kind::raw_counter, l, id, index, w.ctl.write_barrier);
        continue;
      }
      const distance d = latency::raw(point(w, l.where, l.part, o.file()),
                                      point(i, static_cast<std::uint8_t>(o.where()), part, o.file()));
      near(finding_kind::raw_distance, l, id, index, d);
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
        if (b.variable && a.queue != 0 && a.queue == b.queue) continue;
        missing(finding_kind::waw_counter, l, id, index, w.ctl.write_barrier);
        continue;
      }
      const distance d = latency::waw(point(w, l.where, l.part, o.file()),
                                      point(i, static_cast<std::uint8_t>(o.where()), part, o.file()));
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
        if (b.variable && a.read_queue != 0 && a.read_queue == b.read_queue) continue;
        const std::uint8_t c = reader.ctl.sets_read() ? reader.ctl.read_barrier : reader.ctl.write_barrier;
        missing(finding_kind::war_counter, l, id, index, c);
        continue;
      }
      const distance d = latency::war(point(reader, l.where, l.part, o.file()),
                                      point(i, static_cast<std::uint8_t>(o.where()), part, o.file()));
      near(finding_kind::war_distance, l, id, index, d);
    }
  }

  void near(finding_kind kind, const live_access& l, instr_id second, std::uint32_t index, distance d) {
    const std::int32_t age = clock_ - l.issued;
    if (age >= d.check) return;
    finding f;
    f.kind = kind;
    f.level = d.source == provenance::assumed ? severity::note : severity::finding;
    f.evidence = d.source;
    f.distance = static_cast<std::uint16_t>(age);
    f.short_by = static_cast<std::uint16_t>(d.check - age);
    f.required = d.check;
    f.first = instr_id{l.instr};
    f.second = second;
    f.target = m_.registers.name(index);
    m_.found.push_back(f);
  }

  void missing(finding_kind kind, const live_access& l, instr_id second, std::uint32_t index, std::uint8_t counter) {
    finding f;
    f.kind = kind;
    const std::uint32_t k = m_.flight_of[l.instr];
    if (k != nil && m_.flights[k].early) {
      f.kind = finding_kind::set_to_wait;
      f.short_by = 1;
    }
    f.evidence = provenance::observed;
    f.counter = counter;
    f.first = instr_id{l.instr};
    f.distance = static_cast<std::uint16_t>(std::min(clock_ - l.issued, horizon));
    f.second = second;
    f.target = m_.registers.name(index);
    m_.found.push_back(f);
  }

  const program& program_;
  const options& options_;
  const class_table<Arch>& table_;
  walk_memory& m_;
  std::int32_t clock_ = 0;
  std::array<std::int32_t, counters> visible_{};
  std::array<std::int32_t, counters> set_at_{};
  std::array<std::uint8_t, counters> fresh_{};
  std::array<std::uint16_t, counters> queue_{};
};

}  // namespace ww::verify::detail
