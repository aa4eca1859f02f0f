// SPDX-License-Identifier: BSL-1.0
//
// Properties of values that all compiler output has, so that their absence betrays a misplaced instruction.
//
//   undefined read   a register is read that no path from the entry has written
//   dead carry       a carry out of an addition that nothing reads
//   exchanged pair   an instruction reads what the one right behind it writes, and the order is betrayed: by the stalls
//                    around, by a result or a carry that is lost, by bits that nothing is left of, by a value that is
//                    not there on every path (exchanged_pair.hpp)
//   dead result      all results of an instruction without side effect are overwritten or forgotten on every path;
//                    compilers leave a few of those behind, so by itself it is a note
//   unused counter   a write barrier whose counter no path waits for afterwards
// The flows are in value_flow.hpp. Code that nobody has optimised (every instruction waits as long as it can, or much of it
// is copies, or some are of registers to themselves, whoever wrote its control words since) is full of idle copies and idle
// stalls, and code that spills of recomputed values, so there the respective questions are not asked.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode_id.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "absorbed_bits.hpp"
#include "carry_pair.hpp"
#include "class_table.hpp"
#include "encoding.hpp"
#include "exchanged_pair.hpp"
#include "half_pair.hpp"
#include "stall_habits.hpp"
#include "unoptimised_pair.hpp"
#include "value_flow.hpp"

namespace ww::verify {

namespace detail {

template <class Arch>
class linter {
  // What betrays an order was learned from compilers for sm_70 and later; of those for 64-bit instructions it is not known.
  static constexpr bool judges_order = !short_words<Arch>;

 public:
  linter(const program& p, const block_order& blocks, lint_memory& m, vec<finding>& out)
      : p_(p), m_(m), flow_(p, blocks, m), out_(out) {}

  void run() {
    flow_.number();
    std::size_t all = 0;
    std::size_t longest = 0;
    std::size_t copies = 0;
    std::size_t drained = 0;
    std::size_t idle = 0;
    for (const instruction& i : p_.instructions) {
      if (i.has(iflag::padding)) continue;
      ++all;
      longest += i.ctl.stall == Arch::barriers::max_stall ? 1u : 0u;
      copies += i.op == opcode::mov ? 1u : 0u;
      idle += self_copy(i) ? 1u : 0u;
      drained += i.ctl.stall == 0 ? 1u : 0u;
      spills_ = spills_ || (i.space == mem_space::local && i.dir == mem_dir::store) || i.has(iflag::spill);
    }
    // Observed: MOV is 39 to 62 % of the instructions at -O0, 25 % at most otherwise (548 listings); with debug information
    // for sm_103 every instruction drains, and 28 % are MOV. A register is copied to itself by one instruction in 100 at least there
    // where MOV are fewer (observed: 1.07 to 3.1 % in hashes, 235 listings), and by hardly any otherwise (93 in 13 million).
    optimised_ = 2 * longest < all && 10 * copies < 3 * all && 2 * drained < all && (idle < 8 || 128 * idle < all);
    // Neither: code that only waits or copies much (observed: double precision and unrolled copies of sm_120).
    unoptimised_ = !optimised_ && 128 * idle >= all;
    flow_.backward();
    flow_.backward_ahead();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (!p_.blocks[b].padding) judge_results(b);
    }
    flow_.forward();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (!p_.blocks[b].padding) judge_sources(b);
    }
  }

 private:
  // MOV R1, R1: left behind where nobody has optimised, so what it does beside others says nothing.
  [[nodiscard]] bool self_copy(const instruction& i) const {
    if (i.op != opcode::mov) return false;
    reg written;
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_register()) continue;
      if (o.is_def()) written = o.base();
      if (o.is_use() && o.base() == written) return true;
    }
    return false;
  }

  // A register and its copy back: a saved stack pointer that nothing changed (observed).
  [[nodiscard]] bool copies_back(instr_id x, instr_id y) const {
    reg from[2], to[2];
    for (unsigned k = 0; k < 2; ++k) {
      const instruction& i = p_[k == 0 ? x : y];
      unsigned sources = 0;
      for (const operand& o : p_.operands_of(i)) {
        if (!o.is_register()) continue;
        if (o.is_def()) to[k] = o.base();
        if (o.is_use()) {
          from[k] = o.base();
          ++sources;
        }
      }
      if (sources != 1 || i.has(iflag::guarded) || (i.op != opcode::mov && i.op != opcode::imad)) return false;
    }
    return from[0] == to[1] && from[1] == to[0];
  }

  // A value that the instruction names and does not take: the source of a selection that its own guard rules out, and that of
  // a guarded copy between uniform registers (observed: an indexed uniform array, written out as a chain of copies).
  [[nodiscard]] bool never_taken(const instruction& i, const operand& source) const {
    if (!i.has(iflag::guarded)) return false;
    if (i.op == opcode::umov) return source.file() == reg_file::ur;
    if (i.op != opcode::sel && i.op != opcode::fsel && i.op != opcode::usel) return false;
    const operand* guard = nullptr;
    const operand* selector = nullptr;
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_use()) continue;
      if (o.where() == slot::guard) guard = &o;
      if (o.where() == slot::psrc) selector = &o;
    }
    if (guard == nullptr || selector == nullptr || guard->base() != selector->base()) return false;
    return source.where() == (guard->is_not() == selector->is_not() ? slot::b : slot::a);
  }

  // A value that a predicate may not take, as source of a selection or of a guarded copy: it may never have been set (observed on
  // sm_120 and sm_86).
  [[nodiscard]] static bool selected(const instruction& i, const operand& source) {
    const bool source_of_two = i.op == opcode::sel || i.op == opcode::fsel || i.op == opcode::usel;
    return (source_of_two && (source.where() == slot::a || source.where() == slot::b)) ||
           (i.has(iflag::guarded) && source.where() != slot::guard);
  }

  // A copy of a pair of which only one half holds something (MOV.64; observed on sm_120).
  [[nodiscard]] bool copies_other_half(const instruction& i, const operand& source) const {
    bool some = false;
    if (i.op == opcode::mov) flow_.each(source, [&](std::uint32_t bit, std::uint32_t) { some = some || flow_.get(bit); });
    return some;
  }

  // A copy, or bytes put together: what is copied need not have been set (one half of a pair, or an array set in part).
  [[nodiscard]] bool copies(const instruction& i) const {
    if (i.op == opcode::mov || i.op == opcode::umov || i.op == opcode::r2ur || i.op == opcode::prmt) return true;
    if (i.op == opcode::sel || i.op == opcode::fsel) return true;  // of two, one need not have been set (observed on sm_100)
    if (i.op == opcode::usel) return true;                         // likewise: createpolicy there
    if (i.op != opcode::imad || i.has(iflag::reads_immediate) || i.has(iflag::reads_constant)) return false;
    unsigned sources = 0;
    for (const operand& o : p_.operands_of(i)) {
      sources += o.is_use() && o.is_register() && o.where() != slot::guard && !o.base().is_zero() ? 1u : 0u;
    }
    return sources == 1;
  }

  // Takes a predicate out of a register where predicates are put aside: of an array of them, some need never have been put there
  // (observed: LOP3.LUT P3, RZ, R29, 0x2000 and ISETP.NE.AND P6, PT, R34, RZ in a selection of elements).
  [[nodiscard]] bool takes_back(const instruction& i, reg r) const {
    if (r.file() != reg_file::r || (i.op != opcode::lop3 && i.op != opcode::isetp)) return false;
    unsigned sources = 0;
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_register() || o.file() != reg_file::r || o.base().is_zero()) continue;
      if (o.is_def()) return false;
      ++sources;
    }
    return sources == 1;
  }

  // Kernels of sm_87 begin with a question to a uniform register that nobody has set, and clear the convergence registers
  // where it is zero (observed: compilers of CUDA 11.7).
  [[nodiscard]] bool asks_for_first_run(const block& b, std::size_t k, const operand& o) const {
    if (k != 0 || o.file() != reg_file::ur || &b != p_.blocks.data() || p_.blocks.size() < 2) return false;
    const auto next = p_.order_of(p_.blocks[1]);
    return next.size() != 0 && p_[next[0]].op == opcode::bmov;
  }

  // The k-th instruction and the one behind it.
  void exchanged_finding(const block& b, std::size_t k) {
    const instr_id x = p_.order_of(b)[k];
    const instr_id y = p_.order_of(b)[k + 1];
    if (self_copy(p_[x]) || self_copy(p_[y]) || copies_back(x, y) || !fits_other_way<Arch>(p_, b, k) ||
        written_before(p_, b, k))
      return;
    finding f = about(finding_kind::exchanged_pair, severity::finding, y, provenance::observed);
    f.first = x;
    out_.push_back(f);
  }

  void judge_results(std::uint32_t b) {
    const block& blk = p_.blocks[b];
    std::uint8_t waits = 0;
    flow_.behind(b, waits);
    const auto order = p_.order_of(blk);
    for (std::size_t k = order.size(); k-- > 0;) {
      const instruction& i = p_[order[k]];
      if (i.has(iflag::padding)) continue;
      const bool dead = judge_result(order[k]);
      if (k > 0 && judges_order && (optimised_ ? exchanged(blk, k, dead) : unoptimised_ && exchanged_idle(blk, k)))
        exchanged_finding(blk, k - 1);
      if (i.ctl.sets_write() && i.ctl.write_barrier < control::barrier_count && (waits >> i.ctl.write_barrier & 1u) == 0) {
        finding f = about(finding_kind::unused_counter, severity::note, order[k], provenance::observed);
        f.counter = i.ctl.write_barrier;
        out_.push_back(f);
      }
      flow_.backward_step(i, waits);
    }
  }

  // The row holds what is live behind `id`. True if no path reads any result of it.
  bool judge_result(instr_id id) {
    const instruction& i = p_[id];
    if (!removable(i)) return false;
    bool any = false;
    bool used = false;
    reg first{reg_file::none, 0};
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_def() || !o.is_register()) continue;
      flow_.each(o, [&](std::uint32_t bit, std::uint32_t part) {
        if (!any) first = reg{o.file(), o.base().number() + part};
        any = true;
        used = used || flow_.get(bit);
      });
    }
    if (used) judge_carry(id, i);
    if (!any || used) return false;
    finding f = about(finding_kind::dead_result, severity::note, id, provenance::observed);
    f.target = first;
    out_.push_back(f);
    return true;
  }

  // A carry out of an addition is asked for only where something adds it; everything else may compute a predicate idly.
  void judge_carry(instr_id id, const instruction& i) {
    if (!adds(i)) return;
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_def() || !o.is_register() || (o.file() != reg_file::p && o.file() != reg_file::up)) continue;
      bool live = false;
      flow_.each(o, [&](std::uint32_t bit, std::uint32_t) { live = live || flow_.get(bit); });
      if (live) continue;
      finding f = about(finding_kind::dead_carry, severity::finding, id, provenance::observed);
      f.target = o.base();
      out_.push_back(f);
    }
  }

  // Does anybody read what operand `d` of the k-th instruction gives before control goes back to where it has been?
  [[nodiscard]] bool read_this_round(const block& b, std::size_t k, const operand& d) const {
    const auto order = p_.order_of(b);
    const auto number = static_cast<std::uint32_t>(&b - p_.blocks.data());
    for (std::uint32_t part = 0; part < d.width(); ++part) {
      const reg r{d.file(), d.base().number() + part};
      bool gone = false;
      for (std::size_t at = k + 1; at < order.size() && !gone; ++at) {
        const instruction& later = p_[order[at]];
        if (reads(p_, later, r) || later.has(iflag::unknown)) return true;
        gone = writes(p_, later, r) && !later.has(iflag::guarded);
      }
      if (!gone && flow_.live_ahead(number, r)) return true;
    }
    return false;
  }
  [[nodiscard]] bool read_this_round(const block& b, std::size_t k) const {
    for (const operand& d : p_.operands_of(p_.order_of(b)[k])) {
      if (d.is_def() && d.is_register() && read_this_round(b, k, d)) return true;
    }
    return false;
  }

  // The carry that is given too late is added in another round only: no compiler keeps carries that long.
  [[nodiscard]] bool carry_for_another_round(const block& b, std::size_t k) const {
    return carry_exchanged(p_, b, k, [&](const operand& d) { return !read_this_round(b, k + 1, d); });
  }
  // The k-th instruction of `b` and the one before it; `dead`: no path reads the results of the k-th.
  [[nodiscard]] bool exchanged(const block& b, std::size_t k, bool dead) const {
    const auto order = p_.order_of(b);
    const instruction& x = p_[order[k - 1]];
    const instruction& y = p_[order[k]];
    if (x.has(iflag::never) || x.has(iflag::padding) || x.has(iflag::unknown) || x.has(iflag::sync)) return false;
    if (y.has(iflag::never) || !overwritten(p_, x, y, false)) return false;
    // Where a call comes back to is put down last of all, and what stands before it has landed by then (observed on sm_90).
    if (y.iclass == sched_class::lepc) return false;
    if (wasted(p_, x, y)) {
      if (high_half_left(p_, x, y) || wide_half_left(p_, b, k - 1)) return false;
      // The number of a barrier is shifted behind it, for nobody (observed on sm_110).
      if (x.op == opcode::shf && k >= 2 && p_[order[k - 2]].iclass == sched_class::bar) return false;
      if (!spills_ || computes(p_, x)) return true;
    }
    // A clock is read where the source asks for it, though nobody wants it, and stalls around it have reasons of their own.
    if (y.has(iflag::reads_clock)) return false;
    if (saves_before_half(p_, b, k - 1) || (dead && (left_in_row(p_, b, k) || made_again(p_, b, k)))) return false;
    if (absorbed(p_, x, y) || half_made(p_, b, k - 1) || stalls_.betray(p_, b, k - 1) || carry_for_another_round(b, k - 1))
      return true;
    if (!dead || x.iclass == sched_class::p2r || y.has(iflag::guarded)) return false;
    if (overwritten(p_, x, y, true) && overwritten(p_, y, x, false)) return false;  // a chain either way round
    if (half_left_over(p_, x, y)) return false;
    // The mask of a barrier of all threads is made and not taken (observed: WARPSYNC.COLLECTIVE.ALL on sm_90).
    if (k + 1 < order.size() && p_[order[k + 1]].iclass == sched_class::collective) return false;
    return ((!spills_ || computes(p_, y)) && !among_threads(y) && !left_over(p_, y) && !idle_by_habit(p_, y)) ||
           (!overwritten(p_, y, x, false) && crossed_wait(p_, b, k - 1));  // not what Y needs of X
  }

  [[nodiscard]] bool exchanged_idle(const block& b, std::size_t k) const {
    return exchanged_unoptimised(p_, b, k - 1, [&](const operand& d, std::uint32_t part) {
      bool live = false;
      flow_.each(d, [&](std::uint32_t bit, std::uint32_t n) { live = live || (n == part && flow_.get(bit)); });
      return live;
    });
  }

  void judge_sources(std::uint32_t b) {
    const auto order = p_.order_of(p_.blocks[b]);
    flow_.forward_begin(b);
    for (std::size_t k = 0; k < order.size(); ++k) {
      const instruction& i = p_[order[k]];
      if (i.has(iflag::padding)) continue;
      // What RPCMOV puts aside in another file may be set or not (observed: -O1 in front of CS2R.32 SR_CgaSize, sm_100).
      if (!i.has(iflag::never) && !i.has(iflag::unknown) && i.op != opcode::rpcmov && i.iclass != sched_class::nop)
        judge_source(p_.blocks[b], k);
      flow_.forward_step(i);
    }
  }

  // Programs do read what they never set, and compilers let them (observed: 130 places in 24 million instructions of public
  // libraries). It alleges something only where the register is written soon behind, of copies where it is right behind, of copies of
  // uniform registers never (those are put aside and taken back whatever they hold). Who changes a part of it does not count.
  // Of predicates that are taken back the two must have been able to stand the other way round.
  [[nodiscard]] bool written_soon(const block& b, std::size_t k, reg r) const {
    const auto order = p_.order_of(b);
    const instruction& i = p_[order[k]];
    const bool back = takes_back(i, r);
    const std::size_t soon = !copies(i) && !back ? 8 : (r.file() == reg_file::ur ? 0 : 1);  // instructions
    for (std::size_t at = k + 1; at < order.size() && at <= k + soon; ++at) {
      const instruction& later = p_[order[at]];
      if (!writes(p_, later, r) || reads(p_, later, r)) continue;
      return !back || (!later.has(iflag::guarded) && !overwritten(p_, later, i, false) && fits_other_way<Arch>(p_, b, k));
    }
    return false;
  }

  // The rows hold what is defined before the k-th instruction.
  void judge_source(const block& b, std::size_t k) {
    const auto order = p_.order_of(b);
    const instruction& i = p_[order[k]];
    bool unsure = false;  // not there on every path, and written right behind
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_use() || !o.is_register() || o.is_assumed()) continue;
      flow_.each(o, [&](std::uint32_t bit, std::uint32_t part) {
        if (flow_.sure(bit)) return;
        const reg r{o.file(), o.base().number() + part};
        if (flow_.get(bit)) {
          unsure = unsure || (k + 1 < order.size() && !selected(i, o) && writes(p_, p_[order[k + 1]], r));
          return;
        }
        // Register saves store what may never have been set (observed: spill stores at the start of a function).
        const bool saved = i.space == mem_space::local && i.dir == mem_dir::store && o.where() == slot::data;
        const bool into_itself = overwritten(p_, i, i, false) && o.where() != slot::address;
        const bool harmless = !written_soon(b, k, r) || saved || into_itself || never_taken(i, o) ||
                              asks_for_first_run(b, k, o) || copies_other_half(i, o);
        finding f = about(finding_kind::undefined_read, harmless ? severity::note : severity::finding, order[k],
                          provenance::observed);
        f.target = r;
        out_.push_back(f);
      });
    }
    if (!unsure || !optimised_ || p_[order[k + 1]].has(iflag::guarded) || overwritten(p_, i, i, false)) return;
    // Y needs what X gives (observed: bytes put together in a register that holds nothing yet).
    if (overwritten(p_, p_[order[k + 1]], i, false)) return;
    // Registers of arrays that are set in part are read as if they were: it counts if what is written serves another round only. A
    // wait does not witness, for one more than is needed is legal. (Stalls witness in exchanged().)
    if (read_this_round(b, k + 1)) return;
    exchanged_finding(b, k);
  }

  const program& p_;
  lint_memory& m_;
  value_flow<lint_memory> flow_;
  vec<finding>& out_;
  mutable stall_habits<Arch> stalls_;
  bool unoptimised_ = false;
  bool optimised_ = true;
  bool spills_ = false;
};

}  // namespace detail

template <class Arch>
void check_lints(const program& p, const block_order& blocks, lint_memory& m, vec<finding>& out) {
  detail::linter<Arch>(p, blocks, m, out).run();
}

}  // namespace ww::verify
