// SPDX-License-Identifier: BSL-1.0
//
// The five static signals of cold code (HC-1), one policy each; the two of a profile are in cold_profile.hpp.
//
//   trap               it traps, or every way on ends in a trap (error handling)
//   error_exit         it ends in an EXIT with an error code that is not 0. Machine code has no such thing: a program built in
//                      memory says it with an operand exit_code(n)
//   nested<3>          it stands below at least 3 conditions, the innermost of them uniform, and leads into no loop
//   behind_loop        a source of a back edge dominates it, and it is in no loop
//   epilogue<4>        at most 4 instructions, the last a branch to a block of at most 4 that returns and has other ways in
// A signal is an empty struct: `name`, `reason`, and `cold(context, block)`. Own ones may use the reason of another, or
// static_cast<cold_reason>(7), which nobody uses. The text leaves both numbers open:
//   3   observed in listings: at 3 and 4 stand the remainders of unrolled loops (sgemm_naive, hashes) and the ways of special values
//       (black_scholes); at 5 and more no condition of 640 programs is known to be uniform
//   4   observed: the last block of the slow ways of square root and division moves three values and returns (rmsnorm_h2)
// Read literally, no block outside a loop that is entered at its header is dominated by a back edge, for every way through that
// edge can leave it out; so the source of the edge is meant. What is in another loop is not "taken only once", so not cold.
#pragma once

#include <cstdint>

#include "cold_context.hpp"
#include "cold_marks.hpp"

namespace ww::layout {

// The error code of an EXIT, as an operand of a program built in memory. It is kept in 20 bits; what is not 0 stays so.
[[nodiscard]] constexpr operand exit_code(std::uint32_t code) {
  operand o = operand::non_register(operand_type::immediate, slot::a);
  const std::uint32_t kept = code & reg::number_mask;
  o.low |= kept == 0 && code != 0 ? reg::number_mask : kept;
  return o;
}

namespace signal {

struct trap {
  static constexpr const char* name = "trap";
  static constexpr cold_reason reason = cold_reason::trap;
  static bool cold(const cold_context& c, block_id b) { return c.has(b, cold_fact::doomed); }
};

struct error_exit {
  static constexpr const char* name = "error_exit";
  static constexpr cold_reason reason = cold_reason::error_exit;
  static bool cold(const cold_context& c, block_id b) {
    const instruction* i = c.last(b);
    if (i == nullptr || !i->has(iflag::exit) || may_fall(*i)) return false;
    for (const operand& o : c.code.operands_of(*i)) {
      if (o.type() == operand_type::immediate && o.base().packed != 0) return true;
    }
    return false;
  }
};

template <unsigned Depth = 3>
struct nested {
  static_assert(Depth > 0, "ww::layout::signal::nested: no condition at all is no nest.");
  static constexpr const char* name = "nested";
  static constexpr cold_reason reason = cold_reason::nested;
  static bool cold(const cold_context& c, block_id b) {
    return c.conditions[b.index()] >= Depth && c.has(b, cold_fact::uniform) && !c.has(b, cold_fact::into_loop);
  }
};

struct behind_loop {
  static constexpr const char* name = "behind_loop";
  static constexpr cold_reason reason = cold_reason::behind_loop;
  static bool cold(const cold_context& c, block_id b) { return c.has(b, cold_fact::behind) && !c.in_loop(b); }
};

template <unsigned Few = 4>
struct epilogue {
  static constexpr const char* name = "epilogue";
  static constexpr cold_reason reason = cold_reason::epilogue;
  static bool cold(const cold_context& c, block_id b) {
    const instruction* i = c.last(b);
    if (i == nullptr || !i->has(iflag::branch) || i->has(iflag::indirect) || may_fall(*i) || !few(c, b)) return false;
    const span<const cfg_edge> on = c.code.edges_of(c.code[b]);
    if (on.size() != 1) return false;
    const block_id to = on[0].to;
    const instruction* end = c.last(to);
    if (end == nullptr || !(end->has(iflag::ret) || end->has(iflag::exit)) || may_fall(*end) || !few(c, to)) return false;
    for (const std::uint32_t e : c.code.pred_edges_of(c.code[to])) {
      if (c.code.edges[e].from != b) return true;
    }
    return false;
  }

 private:
  static bool few(const cold_context& c, block_id b) {
    unsigned n = 0;
    for (const instr_id i : c.code.order_of(c.code[b])) {
      if (!c.code[i].has(iflag::nop) && ++n > Few) return false;
    }
    return true;
  }
};

}  // namespace signal

}  // namespace ww::layout
