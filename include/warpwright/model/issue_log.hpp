// SPDX-License-Identifier: BSL-1.0
//
// issue_log: an observer of the walk of one warp (simulate.hpp, watch()). It keeps, for every instruction:
//
//   issue    cycles behind the earliest issue of its block's first instruction
//   result   when what it produces has landed; the issue itself where it produces nothing that lands
//   read     when its sources have been read; the issue itself where no counter is lowered by that
//   writer   who wrote the fixed-latency result that it needed latest: what `dependence` waits for
//   raiser   who raised the counter that it waited for longest, and which counter: what `barrier` waits for
//   holder   who took its pipe last: what `pipe` waits for
// `bank`, `stall_count` and `drain` are owed to the instruction in front. How many cycles each reason took is what the cost says
// (cost::instructions); the log says on whom. Writers are of the same block; raisers and holders may be of the block whose end
// state this one started from. What is waited for in the second walk of a loop is what stays.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "class_facts.hpp"
#include "machine.hpp"

namespace ww::model {

struct issue_record {
  std::int64_t issue = 0;
  std::int64_t result = 0;
  std::int64_t read = 0;
  instr_id writer;
  instr_id raiser;
  instr_id holder;
  std::uint8_t counter = control::no_barrier;
  bool issued = false;  // its block was walked; padding never is
};

class issue_log {
 public:
  static constexpr bool watches = true;

  // By instruction id.
  [[nodiscard]] span<const issue_record> records() const { return records_; }

  void start(const program& p, std::uint32_t units) {
    records_.assign(p.instructions.size(), {});
    writers_.assign(units, {});
    exits_.assign(p.blocks.size(), {});
    now_ = {};
  }
  // The next block, which starts from the end of `from`, or from nothing.
  void begin(std::uint32_t from) {
    now_ = {};
    if (from < exits_.size()) now_ = exits_[from];
  }
  void end(std::uint32_t b) { exits_[b] = now_; }

  // `w` is the warp in front of the instruction, which issues at `issue` of its block; its counters allow `allowed`.
  template <class Warp>
  void before(const program& p, instr_id id, const class_fact& f, const Warp& w, std::int32_t allowed, double issue) {
    issue_record& r = records_[id.index()];
    const instr_id writer = asked_ == id ? writer_ : instr_id{};
    r = {};
    r.issued = true;
    r.issue = static_cast<std::int64_t>(issue);
    r.writer = writer;
    r.holder = now_.holders[static_cast<unsigned>(f.pipe)];
    asked_ = {};
    find_raiser(p, p[id], w, allowed, r);
  }
  // The same warp behind it; it issued at `t` of the walk's clock.
  template <class Warp>
  void after(const program& p, instr_id id, const class_fact& f, const Warp& w, std::int32_t t, std::int32_t far) {
    const instruction& i = p[id];
    issue_record& r = records_[id.index()];
    if (f.pipe != pipe_id::none) now_.holders[static_cast<unsigned>(f.pipe)] = id;
    const unsigned size = size_index(i.mem_bytes);
    if (i.ctl.sets_write() || defines(p, i)) {
      const bool queued = f.write_queue != queue_id::none && f.write_queue != queue_id::own;
      const std::int32_t own = f.result[size] + (far != 0 && leaves_core(i) ? far : 0);
      r.result = r.issue + (queued ? w.queues.write[static_cast<unsigned>(f.write_queue)] - t : own);
    } else {
      r.result = r.issue;
    }
    r.read = r.issue;
    if (i.ctl.sets_read() && i.ctl.read_barrier < control::barrier_count) {
      const bool queued = f.read_queue != queue_id::none && f.read_queue != queue_id::own;
      r.read = r.issue + (queued ? w.queues.read[static_cast<unsigned>(f.read_queue)] - t : f.read[size]);
      raise(w, i.ctl.read_barrier, id);
    }
    if (i.ctl.sets_write() && i.ctl.write_barrier < control::barrier_count) raise(w, i.ctl.write_barrier, id);
  }
  // The instruction, which is about to issue, needs what was written to the unit.
  void needs(instr_id id, std::uint32_t unit) {
    asked_ = id;
    writer_ = unit < writers_.size() ? writers_[unit] : instr_id{};
  }
  void writes(std::uint32_t unit, instr_id id) { writers_[unit] = id; }

 private:
  using raisers = array<instr_id, counter_file::kept>;  // beside the ring of a counter's landings

  struct tables {
    array<instr_id, pipe_count> holders{};
    array<raisers, control::barrier_count> raised{};
    array<instr_id, control::barrier_count> newest{};
  };

  static bool defines(const program& p, const instruction& i) {
    for (const operand o : p.operands_of(i)) {
      if (o.is_def() && o.is_register()) return true;
    }
    return false;
  }

  // The counter has been raised: once, or for the reads and then for the result, by the same instruction.
  template <class Warp>
  void raise(const Warp& w, unsigned c, instr_id id) {
    const std::uint32_t head = w.counters.counters[c].head;
    now_.raised[c][(head - 1) % counter_file::kept] = id;
    const bool again = head > 1 && now_.newest[c] == id;
    if (again) now_.raised[c][(head - 2) % counter_file::kept] = id;
    now_.newest[c] = id;
  }

  template <class Warp>
  void find_raiser(const program& p, const instruction& i, const Warp& w, std::int32_t allowed, issue_record& r) const {
    for (unsigned c = 0; c < control::barrier_count; ++c) {
      if ((i.ctl.wait_mask >> c & 1u) != 0 && look_at<Warp>(w, c, 0, allowed, r)) return;
    }
    if (i.iclass != sched_class::depbar) return;
    for (const operand o : p.operands_of(i)) {
      if (o.file() != reg_file::sb || o.base().number() >= control::barrier_count) continue;
      if (look_at<Warp>(w, o.base().number(), o.where() == slot::b ? 0u : depbar_count(i), allowed, r)) return;
    }
  }
  // Is it this counter that allows no sooner? Who landed then, or the newest where its own set was still to be seen.
  template <class Warp>
  bool look_at(const Warp& w, unsigned c, unsigned n, std::int32_t allowed, issue_record& r) const {
    if (w.counters.at_most(c, n, Warp::set_to_wait) != allowed) return false;
    r.counter = static_cast<std::uint8_t>(c);
    r.raiser = now_.newest[c];
    const counter_file::counter& k = w.counters.counters[c];
    for (std::uint32_t back = 1; back <= counter_file::kept && back <= k.head; ++back) {
      const std::uint32_t place = (k.head - back) % counter_file::kept;
      if (k.landing[place] != allowed) continue;
      r.raiser = now_.raised[c][place];
      return true;
    }
    return true;
  }

  vec<issue_record> records_;
  vec<instr_id> writers_;  // by register unit
  vec<tables> exits_;      // by block
  tables now_;
  instr_id asked_;
  instr_id writer_;
};

}  // namespace ww::model
