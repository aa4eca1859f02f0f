// SPDX-License-Identifier: BSL-1.0
//
// What CCTL.IVALL acquires: throwing a cache away lets nobody see more than what has come by then.
//
//   the last      strong access in front of it, or atomic of shared memory of the block, may not be on its way any more
//                 (of shared memory what raises no counter is wanted by nobody: compiler output, sm_103 and sm_110)
//   earlier ones  may (compiler output: ATOMS before LDG.STRONG, LD.STRONG before another)
//   behind MEMBAR everything has come, whatever counter it has (compiler output, sm_90: ATOMG without a wait, MEMBAR, CCTL.IVALL)
//   others        behind DEPBAR.LE and UCGABAR_WAIT what copies or other blocks have brought is acquired, and no access of this thread
//                 (compiler output, sm_90 and sm_110: an exchange that nobody waits for in front of either); likewise where the guard is
//                 what SYNCS has said of a barrier object (sm_90: ATOMG in flight, SYNCS.PHASECHK P1, @P1 CCTL.IVALL)
//   LDS           behind the last strong access is what CCTL acquires, if it waits for it and not for that access (ld.acquire.shared
//                 behind a relaxed atomic: 5 of 5, sm_100 to sm_120)
#pragma once

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "finding.hpp"
#include "flight_board.hpp"

namespace ww::verify::detail {

template <class Arch>
class acquisition {
 public:
  explicit acquisition(const program& p) : program_(p) {}

  // A block begins, and `board` holds what is in flight.
  void enter(const block& b, flight_board<Arch>& board) {
    block_ = &b;
    last_access_ = {};
    shared_ = {};
    before_ = opcode::unknown;
    if (fence_in_front(b)) board.pass();
  }

  // `id` is about to issue.
  void before(instr_id id, const instruction& i, flight_board<Arch>& board, vec<finding>& found) {
    const bool others = before_ == opcode::depbar || before_ == opcode::ucgabar_wait;
    before_ = i.op;
    if (i.iclass == sched_class::membar) board.pass();
    if (i.op == opcode::lds && i.ctl.sets_write()) shared_ = id;
    if (i.iclass != sched_class::cctl || !i.has(iflag::fence) || others || guarded_by_barrier_object(id, i)) return;
    invalidates(id, board, found);
  }

  // `id` may be meant to acquire what it brings.
  void may_be(instr_id id, const instruction& i, flight_board<Arch>& board) {
    last_access_ = id;
    shared_ = {};
    if (i.has(iflag::volatile_mem)) board.pass();
  }

 private:
  // Whether what last wrote the guard of `i` in its block is SYNCS.
  [[nodiscard]] bool guarded_by_barrier_object(instr_id id, const instruction& i) const {
    if (!i.has(iflag::guarded)) return false;
    reg guard;
    for (const operand& o : program_.operands_of(i)) {
      if (o.where() == slot::guard) guard = o.base();
    }
    bool written = false;
    for (const instr_id at : program_.order_of(*block_)) {
      if (at == id) break;
      for (const operand& o : program_.operands_of(program_[at])) {
        if (o.is_def() && o.base() == guard) written = program_[at].iclass == sched_class::syncs;
      }
    }
    return written;
  }

  // A fence whose scope is chosen when it runs (MEMBAR.SC.GPU or MEMBAR.SC.SYS, each behind a branch of its own) has been on every
  // path that can be taken, though one that can not goes around both.
  [[nodiscard]] bool fence_in_front(const block& b) const {
    for (const std::uint32_t e : program_.pred_edges_of(b)) {
      const auto order = program_.order_of(program_.blocks[program_.edges[e].from.index()]);
      if (!order.empty() && program_[order[order.size() - 1]].iclass == sched_class::membar) return true;
    }
    return false;
  }

  void invalidates(instr_id id, const flight_board<Arch>& board, vec<finding>& found) const {
    const bool of_shared = shared_.valid() && (program_[id].ctl.wait_mask >> program_[shared_].ctl.write_barrier & 1u) != 0;
    for (const flight& f : board.all()) {
      const instruction& load = program_.instructions[f.instr];
      if (!f.write_pending || f.passed || of_shared || !board.may_acquire(load)) continue;
      if (!load.has(iflag::volatile_mem) && (instr_id{f.instr} != last_access_ || !load.ctl.sets_write())) continue;
      found.push_back(about(finding_kind::fence_wait, severity::finding, id, provenance::observed));
      found.back().first = instr_id{f.instr};
      found.back().counter = load.ctl.write_barrier;
    }
  }

  const program& program_;
  const block* block_ = nullptr;
  instr_id last_access_;             // of the block, that may acquire
  instr_id shared_;                  // behind it: LDS that raises a counter
  opcode before_ = opcode::unknown;  // the instruction before
};

}  // namespace ww::verify::detail
