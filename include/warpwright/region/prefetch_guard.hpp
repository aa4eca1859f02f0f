// SPDX-License-Identifier: BSL-1.0
//
// Will the loop run `distance` more iterations? Worked out from its branch condition, so that a prefetch is done only where
// the program itself is going to load: a prefetch of an address that is not mapped might fault, and nothing says that it
// does not.
//
//   condition  an ISETP without further predicates compares a counter with an immediate, a uniform register, a constant or
//              a register that the loop does not write; one iteration adds a known step to the counter
//   ordered    < <= > >= towards the bound: iteration i + distance runs exactly when the last of the comparisons until then
//              holds. An immediate bound is moved instead of the counter; any other bound is compared with counter + shift,
//              which must not have wrapped
//   unequal    !=: the counter is still more than that far away from the bound, as unsigned numbers
// The answer is a predicate, made by at most three instructions (prefetch_code.hpp) from the counter at the start of the
// body: [t = counter + addend] [q = t not wrapped] q = counter or t, compared. The comparison number is that of the words:
// facts, hardware 5, and observed in every ISETP of the corpus (tests/region/prefetch.cpp).
#pragma once

#include <cstdint>
#include <limits>

#include "loop_values.hpp"

namespace ww::region {

enum class comparison : std::uint8_t { never, lt, eq, le, gt, ne, ge, always };  // bits 76..78

constexpr comparison opposite(comparison c) { return static_cast<comparison>(7u - static_cast<unsigned>(c)); }

struct prefetch_guard {
  bool known = false;
  reg counter;
  bool moved = false;    // t = counter + addend is compared, else the counter itself
  bool checked = false;  // t might have wrapped: compared with the counter first, by `wrap`
  std::int32_t addend = 0;
  comparison wrap = comparison::always;
  comparison compare = comparison::always;
  bool is_signed = true;
  bool immediate = false;  // compared with `bound`, else with the operand of the branch condition
  std::int32_t bound = 0;  // as encoded
  instr_id condition;      // the ISETP of the loop

  [[nodiscard]] unsigned instructions() const { return moved ? (checked ? 3u : 2u) : 1u; }
};

// The guard for a prefetch `distance` iterations ahead, 1 or more.
[[nodiscard]] inline prefetch_guard guard_of(const program& p, span<const instr_id> body, loop_values& values,
                                             std::uint32_t distance) {
  prefetch_guard g;
  const instruction& branch = p[body.back()];
  reg decides;
  for (const operand o : p.operands_of(branch)) {
    if (o.where() == slot::guard && o.is_register()) decides = o.base();
  }
  if (decides.file() != reg_file::p) return g;
  const std::uint32_t at = values.last_write(decides, values.end() - 1);
  if (at == loop_values::none) return g;
  g.condition = body[at];
  const instruction& test = p[g.condition];
  if (test.op != opcode::isetp || !words::is(test, words::isetp) || test.has(iflag::guarded)) return g;
  const std::uint64_t high = test.word[1];
  // No .EX, no .U64, combined by AND.
  const bool plain = ((high >> 8) & 1u) == 0 && ((high >> 16) & 1u) == 0 && ((high >> 10) & 3u) == 0;
  operand a;
  operand b;
  for (const operand o : p.operands_of(test)) {
    if (o.is_def() && o.is_register() && !(o.base() == decides && o.where() == slot::pdst)) return g;
    if (o.is_use() && o.is_register() && (o.file() == reg_file::p || o.file() == reg_file::up)) return g;
    if (o.is_use() && o.where() == slot::a) a = o;
    if (o.is_use() && o.where() == slot::b) b = o;
  }
  if (!plain || !a.is_register() || a.file() != reg_file::r || a.width() != 1 || a.is_negated()) return g;

  const loop_values::value tested = values.at(a.base(), at);
  std::int64_t step = 0;
  if (!tested.known || !values.step(tested.root, step) || step == 0) return g;
  if (tested.offset != 0 && (tested.offset < 0) != (step < 0)) return g;
  const auto encoded = static_cast<comparison>((high >> 12) & 7u);
  const comparison go = branch.guard_negated != 0 ? opposite(encoded) : encoded;
  const bool is_signed = ((high >> 9) & 1u) != 0;
  g.counter = tested.root;
  g.is_signed = is_signed;

  // What the bound is.
  const bool zero_bound = b.base().file() == reg_file::r && b.base().is_zero();
  const bool number = zero_bound || words::form(test) == words::immediate_b;
  const std::int32_t bound = zero_bound ? 0 : words::immediate(test);
  if (!number) {
    const bool constant = words::form(test) == words::constant_b && b.type() == operand_type::constant &&
                          ((high >> 27) & 1u) == 0;  // c[bank][offset]
    const bool still = b.is_register() && b.width() == 1 && !b.is_negated() && values.invariant(b.base());
    if (!constant && !still) return g;
  }

  // The counter at the last comparison that has to hold is `shift` away from the counter at the start.
  const std::int64_t shift = tested.offset + (std::int64_t{distance} - 1) * step;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  if (shift > most || -shift > most) return g;
  const bool up = (go == comparison::lt || go == comparison::le) && step > 0;
  const bool down = (go == comparison::gt || go == comparison::ge) && step < 0;
  if (up || down) {
    g.compare = go;
    if (number) {
      const std::int64_t wanted =
          (is_signed ? std::int64_t{bound} : std::int64_t{static_cast<std::uint32_t>(bound)}) - shift;
      if (is_signed ? (wanted < -most - 1 || wanted > most) : (wanted < 0 || wanted > 2 * most + 1)) return g;
      g.immediate = true;
      g.bound = static_cast<std::int32_t>(static_cast<std::uint32_t>(wanted));
    } else if (shift != 0) {
      g.moved = g.checked = true;
      g.addend = static_cast<std::int32_t>(shift);
      g.wrap = up ? comparison::gt : comparison::lt;
    }
    g.known = true;
  } else if (go == comparison::ne && number) {
    // Distance to the bound, unsigned: more than |shift|. It shrinks by |step| each time and is 0 at the end.
    const std::int64_t room = shift < 0 ? -shift : shift;
    g.is_signed = false;
    g.immediate = true;
    if (step < 0) {
      g.compare = comparison::gt;
      g.moved = bound != 0;
      g.addend = static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(bound));
      g.bound = static_cast<std::int32_t>(room);
    } else {  // t = counter - bound - 1 = -(distance) - 1
      g.compare = comparison::lt;
      g.moved = true;
      g.addend = static_cast<std::int32_t>(0u - static_cast<std::uint32_t>(bound) - 1u);
      g.bound = static_cast<std::int32_t>(0xffffffffu - static_cast<std::uint32_t>(room));
    }
    g.known = true;
  }
  return g;
}

}  // namespace ww::region
