// SPDX-License-Identifier: BSL-1.0
//
// Back from virtual to physical registers.
//
//   vec<std::uint32_t> where = identity_assignment(l);   // one first register per web
//   lower_result r = lower(l, where);                            // r.code, or r.fault and the web at fault
//
// The identity assignment on an order that was not changed gives back the program that was lifted, bit for bit. Another
// assignment is taken only where the program has no encoding words, which lower() does not write: it is refused as
// `needs_encoder`. Who writes them (isa/register_words.hpp) sets l.has_encoding to false first. lower() checks file, alignment and range; it does not check that values that are live
// together have different registers: verify::same_reaching (verify/reaching.hpp) on l.code and r.code does.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "lifted.hpp"

namespace ww {

enum class lower_fault : std::uint8_t {
  none,
  not_lifted,       // the lift failed
  wrong_length,     // not one number per web
  fixed_web,        // a fixed web was given other registers
  misaligned,       // the number is not `phase` modulo `alignment`
  out_of_range,     // beyond R254, UR254, P6 or UP6
  needs_encoder,    // the program has encoding words and the assignment is not the identity
  operands_differ,  // l.code was changed otherwise than in its order
};

constexpr const char* name_of(lower_fault f) {
  switch (f) {
    case lower_fault::none:
      return "none";
    case lower_fault::not_lifted:
      return "the lift failed";
    case lower_fault::wrong_length:
      return "the assignment has not one number per web";
    case lower_fault::fixed_web:
      return "a fixed web must keep its registers";
    case lower_fault::misaligned:
      return "the first register does not have the web's alignment";
    case lower_fault::out_of_range:
      return "the registers are outside their file";
    case lower_fault::needs_encoder:
      return "other registers than the original ones have to be written into the words as well";
    case lower_fault::operands_differ:
      return "the operands are not those of the lift";
  }
  return "?";
}

struct lower_result {
  program code;  // empty on a fault
  lower_fault fault = lower_fault::none;
  std::uint32_t web = 0;  // index of the web at fault

  [[nodiscard]] bool ok() const { return fault == lower_fault::none; }
};

// Every web in the registers that it came from.
[[nodiscard]] inline vec<std::uint32_t> identity_assignment(const lifted_program& l) {
  vec<std::uint32_t> where;
  where.reserve(l.webs.size());
  for (const web& w : l.webs) where.push_back(w.original);
  return where;
}

// `assignment[w]` is the first physical register of web w.
[[nodiscard]] inline lower_result lower(const lifted_program& l, span<const std::uint32_t> assignment) {
  lower_result r;
  const auto fail = [&r](lower_fault f, std::size_t w) {
    r.fault = f;
    r.web = static_cast<std::uint32_t>(w);
    return r;
  };
  if (!l.ok()) return fail(lower_fault::not_lifted, 0);
  if (assignment.size() != l.webs.size()) return fail(lower_fault::wrong_length, 0);
  if (l.web_of_operand.size() != l.code.operands.size()) return fail(lower_fault::operands_differ, 0);
  for (std::size_t w = 0; w < assignment.size(); ++w) {
    const ww::web& one = l.webs[w];
    if (assignment[w] == one.original) continue;
    if (one.is_fixed()) return fail(lower_fault::fixed_web, w);
    if ((assignment[w] & (one.alignment - 1u)) != one.phase) return fail(lower_fault::misaligned, w);
    const bool predicate = one.file == reg_file::p || one.file == reg_file::up;
    const std::uint32_t limit = predicate ? 7u : 255u;
    if (assignment[w] >= limit || one.width > limit - assignment[w]) return fail(lower_fault::out_of_range, w);
    if (l.has_encoding) return fail(lower_fault::needs_encoder, w);
  }
  r.code = l.code;
  for (std::size_t k = 0; k < r.code.operands.size(); ++k) {
    const std::uint32_t index = l.web_of_operand[k];
    if (index == lifted_program::no_web || l.webs[index].is_fixed()) continue;
    const ww::web& w = l.webs[index];
    operand& o = r.code.operands[k];
    const std::uint32_t part = o.base().number() - w.number;
    if (o.file() != w.file || part >= w.width || o.width() > w.width - part) {
      r.code = program{};
      return fail(lower_fault::operands_differ, index);
    }
    const reg now(w.file, assignment[index] + part);
    o.low = (o.low & ~((7u << 28) | 0xffffffu)) | static_cast<std::uint32_t>(operand_type::physical) << 28 | now.packed;
  }
  r.code.has_encoding = l.has_encoding;
  return r;
}

}  // namespace ww
