// SPDX-License-Identifier: BSL-1.0
//
// The text of programs with spill code: what an allocation that put values into memory has made of programs that were read from text.
//
//   spilled_section   a section of the module, its new program, and where the instructions of that come from (pipeline/spilled_code.hpp)
//   spilled_names(p, s)       the program as it was read, with the new registers in operands that are still there: for write_renamed()
//   spilled_bodies(m, s, out) the texts of what is new: for write_laid_out() on the renamed listing read again
// New are accesses to local memory (STL.64 [R1+0x8], R4), NOPs at the end, copies of instructions whose value is computed again, under their own register
// names, and the step of the stack pointer, whose number is another one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../arch/dialect.hpp"
#include "../isa/spill_words.hpp"
#include "../meta/span.hpp"
#include "error.hpp"
#include "listing/record_text.hpp"
#include "listing/register_names.hpp"
#include "module.hpp"

namespace ww::sass {

struct spilled_section {
  std::uint32_t section = 0;
  const program* code = nullptr;
  span<const instr_id> came_from;  // by new instruction; none for what is new
  span<const instr_id> computes;   // by new instruction: the old one that it computes again, or none
  instr_id step;                   // of the stack pointer, new or changed; none: it stays
};

namespace detail {

inline std::string hex_text(std::uint32_t v) { return "0x" + hex_digits(v, 1); }

// STL.64 [R1+0x8], R4; empty if it is no access to local memory as spill code has them.
inline std::string access_text(const instruction& i, span<const operand> operands) {
  std::string base, data;
  for (const operand& o : operands) {
    const std::string name = "R" + std::to_string(o.base().number());
    (o.where() == slot::address ? base : data) = name;
  }
  if (base.empty() || data.empty() || i.mem_offset < 0 || (i.op != opcode::stl && i.op != opcode::ldl)) return {};
  std::string out = i.op == opcode::stl ? "STL" : "LDL";
  if (i.mem_bytes > 4) out += "." + std::to_string(8 * i.mem_bytes);
  std::string place = "[" + base;
  if (i.mem_offset != 0) place += "+" + hex_text(static_cast<std::uint32_t>(i.mem_offset));
  place += "]";
  return i.op == opcode::stl ? out + " " + place + ", " + data : out + " " + data + ", " + place;
}

// The text of a step of the stack pointer by `from` bytes, with `to` bytes; empty if its number is not where it should be.
inline std::string step_text(std::string_view body, std::uint32_t from, std::uint32_t to) {
  const std::string forms[2][2] = {{"-" + hex_text(from), "-" + hex_text(to)}, {hex_text(0u - from), hex_text(0u - to)}};
  for (const auto& [was, now] : forms) {
    const std::size_t at = body.rfind(was);
    if (at == std::string_view::npos || at == 0 || body[at - 1] != ' ') continue;
    const std::size_t end = at + was.size();
    if (end != body.size() && body[end] != ',') continue;
    return std::string(body.substr(0, at)) + now + std::string(body.substr(end));
  }
  return {};
}

}  // namespace detail

[[nodiscard]] inline program spilled_names(const program& p, const spilled_section& s) {
  program out = p;
  for (std::uint32_t k = 0; k < s.code->instructions.size() && k < s.came_from.size(); ++k) {
    const instr_id old = s.came_from[k];
    if (!old.valid() || old.index() >= p.instructions.size()) continue;
    const span<const operand> now = s.code->operands_of(instr_id{k});
    if (now.size() != p[old].operand_count) continue;
    for (std::size_t o = 0; o < now.size(); ++o) out.operands[p[old].first_operand + o] = now[o];
  }
  return out;
}

// Empty texts stand for instructions as they were read. The error names what has no text.
[[nodiscard]] inline error spilled_bodies(const sass::module& m, const spilled_section& s, std::vector<std::string>& out) {
  const program& p = m.sections[s.section];
  const program& q = *s.code;
  const auto refuse = [&](std::uint32_t line, const char* expected, std::string_view found = {}) {
    error e;
    e.line = line;
    e.column = 1;
    e.expected = expected;
    e.set_found(found);
    return e;
  };
  const isa::dialect d = dialect_of(p.sm);
  detail::register_names names;
  out.assign(q.instructions.size(), {});
  if (s.came_from.size() != out.size() || s.computes.size() != out.size())
    return refuse(m.infos[s.section].line, "a program of this section");
  for (std::uint32_t k = 0; k < out.size(); ++k) {
    const instruction& i = q.instructions[k];
    const instr_id old = s.came_from[k];
    if (s.step == instr_id{k}) {
      const std::uint32_t bytes = isa::stack_step(i.word);
      out[k] = old.valid() ? detail::step_text(m.body_of(p[old]), isa::stack_step(p[old].word), bytes)
                           : (d.uniform_zero == 63 ? "IADD3 R1, R1, -" : "IADD3 R1, PT, PT, R1, -") +
                                 detail::hex_text(bytes) + ", RZ";
      if (out[k].empty())
        return refuse(m.record_of(p[old]).line, "a number that the stack pointer is moved by", m.body_of(p[old]));
      continue;
    }
    if (old.valid()) continue;
    if (s.computes[k].valid()) {
      const instruction& maker = p[s.computes[k]];
      const char* expected = names.rename(maker, m.body_of(maker), p.operands_of(maker), q.operands_of(i), d, out[k]);
      if (expected != nullptr) return refuse(m.record_of(maker).line, expected, m.body_of(maker));
      continue;
    }
    out[k] = i.op == opcode::nop ? "NOP" : detail::access_text(i, q.operands_of(i));
    if (out[k].empty()) return refuse(m.infos[s.section].line, "spill code that has a text");
  }
  return {};
}

}  // namespace ww::sass
