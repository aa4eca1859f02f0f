// SPDX-License-Identifier: BSL-1.0
//
// The preliminary draft of one instruction from its operands (PLS-11): what it waits for and what it takes counters for.
//
//   true and output   an instruction that reads or writes a register of an outstanding result waits for it
//   anti              an instruction that writes a late source of an outstanding reader waits until that is read
//   cover             the result of a variable-latency instruction that writes any register; late sources where a later
//                     instruction of the block overwrites one of them and does not wait for the result anyway, since what has
//                     come back has been read before
//   late source       arch/late_source.hpp: general registers of memory accesses, uniform ones of bulk copies and SYNCS
// Registers of all files meet by their numbers, wide operands by all of them; guards are sources, and a guarded result is a
// result. The graph only tells who comes later: edges name one kind where several meet, so the operands are asked. Where it
// has become a chain (graph.over_budget()), every late source is taken to be overwritten.
#pragma once

#include <cstdint>

#include "../../arch/late_source.hpp"
#include "../../graph/graph.hpp"
#include "../../ir/program.hpp"
#include "../../meta/span.hpp"
#include "preliminary.hpp"

namespace ww::unified {

namespace drafting {

// Registers that a value is in; the scoreboard file names counters.
constexpr bool holds_value(const operand& o) { return o.is_register() && o.file() != reg_file::sb; }

constexpr bool meet(const operand& a, const operand& b) {
  if (a.file() != b.file()) return false;
  const std::uint32_t x = a.base().number();
  const std::uint32_t y = b.base().number();
  const unsigned a_width = a.width() == 0 ? 1u : a.width();
  const unsigned b_width = b.width() == 0 ? 1u : b.width();
  return x < y + b_width && y < x + a_width;
}

// Whether an operand of `later` for which `takes` holds meets one of `earlier` for which `holds` does.
template <class Holds, class Takes>
constexpr bool any_meet(span<const operand> earlier, span<const operand> later, Holds&& holds, Takes&& takes) {
  for (const operand& a : earlier) {
    if (!holds_value(a) || !holds(a)) continue;
    for (const operand& b : later) {
      if (holds_value(b) && takes(b) && meet(a, b)) return true;
    }
  }
  return false;
}

constexpr bool is_result(const operand& o) { return o.is_def(); }
constexpr bool is_source(const operand& o) { return o.is_use(); }
constexpr bool is_either(const operand&) { return true; }

// Sources of `ins` that are read some time after issue.
template <class Arch>
struct late_sources {
  const instruction& ins;

  constexpr bool operator()(const operand& o) const {
    if (!o.is_use()) return false;
    for (unsigned part = 0; part < (o.width() == 0 ? 1u : o.width()); ++part) {
      const access_point a{ins.iclass, o.where(), o.file(), static_cast<std::uint8_t>(part), ins.has(iflag::guarded)};
      if (taken_for_late<typename Arch::latency>(a)) return true;
    }
    return false;
  }
};

}  // namespace drafting

// Local index k is the instruction order[k]; `g` is the graph of that order.
template <class Arch>
class operand_draft {
 public:
  constexpr operand_draft(const program& p, span<const instr_id> order, const dependence_graph& g)
      : p_(p), order_(order), graph_(g) {}

  // Instruction `i` issues at `cycle`, all its predecessors are placed.
  constexpr void place(preliminary& draft, std::uint32_t i, std::uint32_t cycle) const {
    const span<const operand> mine = operands(i);
    for (const dependence_edge& e : graph_.pred(i)) {
      if (drafting::any_meet(operands(e.from), mine, drafting::is_result, drafting::is_source)) draft.consume(i, e.from);
    }
    draft.wait(i, met_by(draft, i));
    draft.place(i, cycle, cover_of(i));
  }

  // The outstanding counters that `i` has to wait for.
  [[nodiscard]] constexpr unsigned met_by(const preliminary& draft, std::uint32_t i) const {
    const span<const operand> mine = operands(i);
    unsigned counters = 0;
    for (const barrier_entry& e : draft.outstanding()) {
      if ((counters >> e.counter & 1u) != 0) continue;
      const span<const operand> theirs = operands(e.producer);
      const bool meets = e.sources
                             ? drafting::any_meet(theirs, mine, drafting::late_sources<Arch>{instruction_at(e.producer)},
                                                  drafting::is_result)
                             : drafting::any_meet(theirs, mine, drafting::is_result, drafting::is_either);
      if (meets) counters |= 1u << e.counter;
    }
    return counters;
  }

  [[nodiscard]] constexpr barrier_cover cover_of(std::uint32_t i) const {
    const instruction& ins = instruction_at(i);
    barrier_cover c;
    c.pipe = static_cast<std::uint8_t>(Arch::pipes::pipe_of(ins.iclass));
    if (Arch::latency::variable(ins.iclass)) {
      for (const operand& o : operands(i)) c.result = c.result || (o.is_def() && drafting::holds_value(o));
    }
    c.sources = Arch::latency::late_reader(ins.iclass) && overwritten(i, c.result);
    return c;
  }

 private:
  [[nodiscard]] constexpr const instruction& instruction_at(std::uint32_t i) const { return p_[order_[i]]; }
  [[nodiscard]] constexpr span<const operand> operands(std::uint32_t i) const { return p_.operands_of(instruction_at(i)); }

  // Whether a later instruction writes a late source of `i`, and does not wait for its result.
  [[nodiscard]] constexpr bool overwritten(std::uint32_t i, bool has_result) const {
    const span<const operand> mine = operands(i);
    const drafting::late_sources<Arch> late{instruction_at(i)};
    if (graph_.over_budget()) {
      for (const operand& o : mine) {
        if (drafting::holds_value(o) && late(o)) return true;
      }
      return false;
    }
    for (const dependence_edge& e : graph_.succ(i)) {
      const span<const operand> theirs = operands(e.to);
      if (has_result && drafting::any_meet(mine, theirs, drafting::is_result, drafting::is_either)) continue;
      if (drafting::any_meet(mine, theirs, late, drafting::is_result)) return true;
    }
    return false;
  }

  const program& p_;
  span<const instr_id> order_;
  const dependence_graph& graph_;
};

}  // namespace ww::unified
