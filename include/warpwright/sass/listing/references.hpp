// SPDX-License-Identifier: BSL-1.0
//
// The code addresses that an instruction names, found while its text is at hand and resolved later.
//
//   target  control can go there: BRA, JMP, BSSY, SSY, PBK, PCNT, PRET, WARPSYNC.COLLECTIVE; must be in the same section
//   callee  CALL, CAL, JCAL without a register: may be another section's function or a symbol that is not defined
//   entry   one entry of a branch table
//   soft    any other mention (base of RET, LEPC, a relocation): a block starts there, nothing goes there
// A reference is a label name, or in listings without labels a byte offset in the section.
// Facts: listing traps 3, 4, 5 and format 1.6.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../isa/asm_form.hpp"
#include "../../isa/opcode.hpp"
#include "../module.hpp"
#include "directive.hpp"

namespace ww::sass::detail {

enum class reference_kind : std::uint8_t { target, callee, entry, soft };

struct reference {
  std::string_view name;  // empty: `offset` counts
  std::uint64_t offset = 0;
  std::uint32_t section = 0;
  std::uint32_t instruction = 0;
  std::uint32_t slot = 0;  // of program::table_targets
  reference_kind kind = reference_kind::soft;
};

enum class symbol_kind : std::uint8_t { function, kernel, size_end };

struct symbol_note {
  std::string_view name;
  std::uint32_t section = 0;
  std::uint64_t line = 0;
  symbol_kind kind = symbol_kind::function;
};

struct register_note {
  std::string_view function;
  std::uint32_t count = 0;
};

struct reference_request {
  sass::module& m;
  program& p;
  ww::instruction& x;
  const isa::asm_instruction& form;
  std::string_view body;
  std::uint32_t section = 0;
  std::uint32_t index = 0;
  std::string_view table{};
};

[[nodiscard]] inline reference_kind kind_of(const reference_request& q) {
  switch (q.x.op) {
    case opcode::bra:
    case opcode::jmp:
    case opcode::bssy:
    case opcode::ssy:
    case opcode::pbk:
    case opcode::pcnt:
    case opcode::plongjmp:
    case opcode::pret:
    case opcode::warpsync:
      return reference_kind::target;
    case opcode::call:
    case opcode::cal:
    case opcode::jcal:
      return q.form.operand_count == 1 ? reference_kind::callee : reference_kind::soft;
    default:
      return reference_kind::soft;
  }
}

inline void add_table(const reference_request& q, std::vector<reference>& out) {
  branch_table t;
  t.branch = instr_id{q.index};
  t.first = static_cast<std::uint32_t>(q.p.table_targets.size());
  std::string_view rest = q.table;
  for (;;) {
    const std::size_t comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    while (!name.empty() && is_blank(name.front())) name.remove_prefix(1);
    while (!name.empty() && is_blank(name.back())) name.remove_suffix(1);
    reference r{name, 0, q.section, q.index, static_cast<std::uint32_t>(q.p.table_targets.size()), reference_kind::entry};
    q.p.table_targets.push_back(instr_id{});
    out.push_back(r);
    ++t.count;
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  q.p.tables.push_back(t);
}

// BRX R8 -0x1f0 (*"BRANCH_TARGETS .text.f"*) names the code that it stands in: its targets are not known.
[[nodiscard]] inline bool names_no_target(const reference_request& q) {
  return q.x.has(iflag::indirect) && q.table.substr(0, 6) == ".text." && q.table.find(',') == std::string_view::npos;
}

// Returns what was expected, or null if all is well.
[[nodiscard]] inline const char* collect_references(const reference_request& q, std::vector<reference>& out) {
  if (!q.table.empty() && !names_no_target(q)) {
    const bool leaves_region = q.m.infos[q.section].word64 && q.x.has(iflag::reconverge);  // SYNC, BRK, CONT
    if (!q.x.has(iflag::indirect) && !leaves_region) return "no branch table: the instruction is not an indirect branch";
    add_table(q, out);
    return nullptr;
  }
  const reference_kind kind = kind_of(q);
  bool found = false;
  for (std::size_t at = q.body.find('`'); at != std::string_view::npos; at = q.body.find('`', at + 1)) {
    const std::size_t stop = q.body.find(')', at);
    if (stop == std::string_view::npos || at + 2 >= stop || q.body[at + 1] != '(') return "`(NAME)";
    out.push_back({q.body.substr(at + 2, stop - at - 2), 0, q.section, q.index, 0, kind});
    found = true;
  }
  if (found) return nullptr;
  if (q.body.find('@', 1) != std::string_view::npos) {  // 32@lo((F + .L_x_0@srel))
    for (std::size_t at = q.body.find(".L_", 1); at != std::string_view::npos; at = q.body.find(".L_", at + 1)) {
      const std::size_t stop = name_length(q.body, at);
      out.push_back({q.body.substr(at, stop - at), 0, q.section, q.index, 0, reference_kind::soft});
    }
  }
  const bool pushes = q.x.op == opcode::warpsync && !q.form.modifiers.has(isa::modifier::collective);
  const bool absolute = q.form.modifiers.has(isa::modifier::abs_);
  if (q.form.operand_count == 0 && (kind == reference_kind::target || q.x.has(iflag::call))) {
    return q.x.op == opcode::warpsync ? nullptr : "a code address";
  }
  if (kind == reference_kind::soft && q.x.op != opcode::lepc) return nullptr;
  if (pushes || absolute) return nullptr;
  std::size_t start = q.body.size();
  while (start > 0 && !is_blank(q.body[start - 1]) && q.body[start - 1] != ',') --start;
  const std::string_view last = q.body.substr(start);
  std::uint64_t offset = 0;
  if (last.substr(0, 2) == "0x" && read_number(last, offset)) {
    out.push_back({{}, offset, q.section, q.index, 0, kind});
    return nullptr;
  }
  return kind == reference_kind::target ? "a code address" : nullptr;
}

}  // namespace ww::sass::detail
