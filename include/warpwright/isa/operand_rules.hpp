// SPDX-License-Identifier: BSL-1.0
//
// What can never be right in an instruction that a program makes: for the builder. Readers of listings do not ask.
//
//   operand_fault(operand, dialect)   "" or what was expected: register numbers, widths, ends and alignment of groups
//   form_fault(text, row)             the same of kinds and numbers of operands in text, with the place
//
// A group of registers ends in its file; a pair begins at an even number, a longer group at a multiple of four (all groups of the corpus:
// tests/isa/corpus.cpp). 128 registers are the most that one operand names (HGMMA.64x256 with F32, LDTM.x128). Virtual registers may
// begin anywhere. Kinds and numbers of operands are asked for where listings leave no doubt: of every opcode in `operand_counts` some
// twenty forms or more were seen, and none that differs (15 million lines of listings, sm_50 to sm_120);
// memory operations have their address in one place; branches name a label, an offset, a register or a constant. Other opcodes are not
// judged, modifiers neither: a word behind a dot that is not known has no bearing on registers, classes and memory, and is left as it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/operand.hpp"
#include "../meta/string_view.hpp"
#include "asm_form.hpp"
#include "dialect.hpp"
#include "opcode_row.hpp"
#include "special_register.hpp"

namespace ww::isa {
namespace detail {

// The first number behind the registers of a file that an SM of the dialect has; 0: not limited.
constexpr unsigned file_end(reg_file f, const dialect& d) {
  switch (f) {
    case reg_file::r:
      return 255;
    case reg_file::ur:
      return d.word64 ? 0 : d.uniform_zero;
    case reg_file::p:
    case reg_file::up:
      return 7;
    case reg_file::b:
      return 16;
    case reg_file::sb:
      return 6;
    default:
      return 0;
  }
}

struct operand_count {
  opcode op;
  std::uint8_t least, most;                           // sources that are no predicates
  std::uint8_t predicate_results, predicate_sources;  // at most
};

// clang-format off
inline constexpr operand_count operand_counts[] = {
    {opcode::fadd, 2, 2, 0, 0}, {opcode::fmul, 2, 2, 0, 0}, {opcode::ffma, 3, 3, 0, 0}, {opcode::fmnmx, 2, 2, 0, 1},
    {opcode::fsel, 2, 2, 0, 1}, {opcode::dadd, 2, 2, 0, 0}, {opcode::dmul, 2, 2, 0, 0}, {opcode::dfma, 3, 3, 0, 0},
    {opcode::hadd2, 2, 3, 0, 0}, {opcode::hmul2, 2, 3, 0, 0}, {opcode::hfma2, 3, 4, 0, 0}, {opcode::mufu, 1, 1, 0, 0},
    {opcode::mov, 1, 2, 0, 0}, {opcode::sel, 2, 2, 0, 1}, {opcode::iabs, 1, 1, 0, 0}, {opcode::iadd, 2, 2, 1, 1},
    {opcode::iadd3, 3, 3, 2, 2}, {opcode::viadd, 2, 2, 0, 0}, {opcode::imad, 3, 3, 1, 1}, {opcode::lop3, 4, 4, 1, 1},
    {opcode::lea, 2, 4, 1, 1}, {opcode::shf, 3, 3, 0, 0}, {opcode::prmt, 3, 3, 0, 0}, {opcode::popc, 1, 1, 0, 0},
    {opcode::flo, 1, 1, 1, 0}, {opcode::brev, 1, 1, 0, 0}, {opcode::shfl, 3, 3, 1, 0}, {opcode::f2f, 1, 1, 0, 0},
    {opcode::f2i, 1, 1, 0, 0}, {opcode::i2f, 1, 1, 0, 0}, {opcode::i2fp, 1, 1, 0, 0}, {opcode::idp, 3, 3, 0, 0},
    {opcode::s2r, 1, 1, 0, 0}, {opcode::s2ur, 1, 1, 0, 0}, {opcode::cs2r, 1, 1, 0, 0}, {opcode::r2ur, 1, 1, 1, 0},
    {opcode::umov, 1, 1, 0, 0}, {opcode::uiadd3, 3, 3, 2, 2}, {opcode::uimad, 3, 3, 1, 1}, {opcode::ulop3, 4, 4, 1, 1},
    {opcode::ulea, 2, 4, 1, 1}, {opcode::ushf, 3, 3, 0, 0}, {opcode::usel, 2, 2, 0, 1}, {opcode::isetp, 2, 2, 2, 2},
    {opcode::fsetp, 2, 2, 2, 1}, {opcode::dsetp, 2, 2, 2, 1}, {opcode::uisetp, 2, 2, 2, 2},
};
// clang-format on

constexpr bool is_predicate(const asm_operand& o) {
  return o.kind == asm_kind::reg && (o.base.file() == reg_file::p || o.base.file() == reg_file::up);
}
constexpr bool is_value_register(const asm_operand& o) {
  return o.kind == asm_kind::reg && (o.base.file() == reg_file::r || o.base.file() == reg_file::ur);
}

}  // namespace detail

constexpr const char* operand_fault(const operand& o, const dialect& d) {
  const bool names = o.type() == operand_type::physical || o.type() == operand_type::virtual_def ||
                     o.type() == operand_type::virtual_use || o.type() == operand_type::fixed;
  if (o.is_def() == o.is_use()) return "a result or a source";
  if (!names) return o.is_def() ? "a register as result" : "";
  const reg_file f = o.file();
  const std::uint32_t first = o.base().number();
  const std::uint32_t end = first + o.width();
  if (f == reg_file::none || f >= reg_file::count) return "a register";
  if (o.where() == slot::guard && f != reg_file::p && f != reg_file::up) return "a predicate as guard";
  if (o.width() == 0) return "a width of one register or more";
  if (o.width() > 128) return "a width of 128 registers at most";
  if (o.base().is_zero()) return "";
  if (o.base().is_virtual()) {
    if (f != reg_file::r && f != reg_file::ur && f != reg_file::p && f != reg_file::up) return "a register of the machine";
    return end <= reg::zero_number ? "" : "a group of registers that ends in its file";
  }
  const unsigned limit = detail::file_end(f, d);
  if (f == reg_file::cc || f == reg_file::special) return "";
  if (first >= limit) return "a register that the SM has, or one from number 1024 on";
  if (end > limit) return "a group of registers that ends in its file";
  const bool odd_addend = d.word64 && o.where() == slot::c;  // IMAD.U32.U32.HI R10, R3, R4, R5 (observed, sm_61)
  if ((f != reg_file::r && f != reg_file::ur) || odd_addend) return "";
  if (o.width() == 2 && first % 2 != 0) return "a pair that begins at an even register";
  return o.width() > 2 && first % 4 != 0 ? "a group that begins at a multiple of four" : "";
}

struct form_error {
  const char* expected = "";
  const char* at = nullptr;  // into the text; null: behind its end
};

constexpr std::uint32_t column_in(string_view body, const char* at) {
  return static_cast<std::uint32_t>(at == nullptr ? body.size() : static_cast<std::size_t>(at - body.data()));
}

namespace detail {

// Opcodes of operand_counts: results, sources, and which of them are predicates.
constexpr form_error arithmetic_fault(const asm_instruction& x, const opcode_row& row, const operand_count& n) {
  const auto fault = [&x](unsigned i, const char* expected) {
    return form_error{expected, i < x.operand_count ? x.operands[i].text.data() : nullptr};
  };
  const bool compares = row.shape == form::setp;
  const bool uniform = row.name[0] == 'U';
  const reg_file file = uniform || row.op == opcode::r2ur || row.op == opcode::s2ur ? reg_file::ur : reg_file::r;
  unsigned i = 0, predicates = 0, values = 0;
  const auto predicate_results = [&] {
    for (; i < x.operand_count && is_predicate(x.operands[i]); ++i) {
      if (++predicates > n.predicate_results) return false;
    }
    return true;
  };
  if (!predicate_results()) return fault(i, compares ? "a source" : "a result register");
  if (compares) {
    if (i == 0) return fault(i, "a predicate as result");
  } else {
    if (i >= x.operand_count || !is_value_register(x.operands[i]) || x.operands[i].base.file() != file) {
      return fault(i, file == reg_file::ur ? "a uniform register as result" : "a general register as result");
    }
    ++i;
    if (!predicate_results()) return fault(i, "a source that is no predicate");
  }
  predicates = 0;
  for (; i < x.operand_count; ++i) {
    const asm_operand& o = x.operands[i];
    if (is_predicate(o)) {
      if (values < n.least) return fault(i, "a source that is no predicate");
      if (++predicates > n.predicate_sources) return fault(i, "no further predicate");
      continue;
    }
    const bool constant = o.kind == asm_kind::integer || o.kind == asm_kind::floating || o.kind == asm_kind::constant ||
                          o.kind == asm_kind::label || (o.kind == asm_kind::special && is_special_name(o.text));
    if (!constant && !is_value_register(o)) return fault(i, "a register, a number or a constant");
    if (uniform && o.kind == asm_kind::reg && o.base.file() == reg_file::r) return fault(i, "a uniform register");
    if (predicates != 0 || ++values > n.most) return fault(i, "no further source");
  }
  return values < n.least ? fault(x.operand_count, "one more source") : form_error{};
}

// Memory: registers in front of the address of a load, what is stored behind that of a store.
constexpr form_error memory_fault(const asm_instruction& x, form shape) {
  const bool results = shape == form::load || shape == form::atomic;
  for (unsigned i = 0; i < x.operand_count; ++i) {
    const asm_operand& o = x.operands[i];
    const bool place = o.kind == asm_kind::address || (shape == form::load && o.kind == asm_kind::constant);
    if (place) {
      if (results && i == 0) return {"a result in front of the address", o.text.data()};
      if (!results && i + 1 == x.operand_count) return {"what is stored, behind the address", nullptr};
      return {};
    }
    if (o.kind != asm_kind::reg) return {results ? "a result or an address" : "an address", o.text.data()};
    if (!results && !is_predicate(o)) return {"an address", o.text.data()};
  }
  return {"an address", nullptr};
}

// Who goes to a place names it: `(label), an offset, a register or a constant.
constexpr form_error place_fault(const asm_instruction& x, bool opens) {
  bool named = false;
  for (unsigned i = 0; i < x.operand_count; ++i) {
    const asm_operand& o = x.operands[i];
    if (o.kind == asm_kind::special) return {"a label in backticks and parentheses: `(name)", o.text.data()};
    named = named || o.kind == asm_kind::label || o.kind == asm_kind::integer ||
            (!opens && (is_value_register(o) || o.kind == asm_kind::constant));
  }
  return named ? form_error{} : form_error{"a label: `(name)", nullptr};
}

}  // namespace detail

constexpr form_error form_fault(const asm_instruction& x, const detail::opcode_row& row) {
  using detail::form;
  for (const detail::operand_count& n : detail::operand_counts) {
    if (n.op == row.op) return detail::arithmetic_fault(x, row, n);
  }
  switch (row.shape) {
    case form::load:
    case form::store:
    case form::atomic:
    case form::red:
    case form::ldgsts:
      return detail::memory_fault(x, row.shape);
    case form::branch:
    case form::branchi:
    case form::call:
      return detail::place_fault(x, false);
    case form::bssy:
    case form::ssy:
      return detail::place_fault(x, true);
    case form::mma:
      for (unsigned i = 0; i < 4; ++i) {
        if (i >= x.operand_count) return {"a result and three factors and addends", nullptr};
        if (!detail::is_value_register(x.operands[i])) return {"a register", x.operands[i].text.data()};
      }
      return {};
    default:
      return {};
  }
}

}  // namespace ww::isa
