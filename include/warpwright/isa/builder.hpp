// SPDX-License-Identifier: BSL-1.0
//
// Builds a program in memory, from text or from typed operands.
//
//   isa::builder b(dialect);
//   b.label("loop").text("FFMA R0, R1, R2, R0").text("@P0 BRA `(loop)").text("EXIT");
//   b.emit(opcode::iadd3, {operand::def(R(4), slot::dst), operand::use(R(2), slot::a)});
//   program p = b.finish();                    // labels resolved; b.ok() tells whether everything was understood
//
// `lines` takes many instructions at once, one per line, with labels ("loop:"), blank lines and // comments. The first
// error is kept (line of `lines`, column, what was expected) and stops nothing else: later text is still checked.
// Typed instructions get class, flags and memory direction from the opcode alone; `emit` with a scheduling class names another,
// `memory` says what is accessed (without it the address is compared with no other), `to` where a branch or a call goes.
// Virtual registers are numbers from reg::first_virtual on, in text (R1024) as in typed operands.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../meta/string_view.hpp"
#include "../meta/vec.hpp"
#include "assemble.hpp"

namespace ww::isa {

// An instruction without operands, as its opcode alone says: class, flags and direction of memory. A template only so that a
// unit that builds nothing does not pay for reading instructions; so is the builder.
template <class Instruction = instruction>
[[nodiscard]] constexpr Instruction typed_instruction(opcode op, dialect d = {}) {
  const asm_instruction none;  // what the opcode does whatever stands behind it
  detail::decode_context c(none, row_of(op), d);
  detail::decode_operands(c);
  c.ins.mem_bytes = 0;
  return c.ins;
}

template <class Program = program>
class basic_builder {
 public:
  explicit basic_builder(dialect d = {}) : dialect_(d) {}

  // Adds one instruction; `words`, if given, are its two encoding words.
  basic_builder& text(string_view body, const std::uint64_t* words = nullptr) {
    asm_instruction form;
    error e;
    if (!append(program_, body, words, dialect_, form, e)) {
      e.line = line_;
      fail(e);
      return *this;
    }
    if (words != nullptr) program_.has_encoding = true;
    const instruction& i = program_.instructions.back();
    if ((i.has(iflag::branch) || i.has(iflag::call)) && !i.has(iflag::indirect)) note_target(form);
    return *this;
  }

  // Adds an instruction with these operands; results must stand before sources.
  basic_builder& emit(opcode op, std::initializer_list<operand> operands) { return emit(op, row_of(op).iclass, operands); }
  basic_builder& emit(opcode op, sched_class iclass, std::initializer_list<operand> operands) {
    instruction i = typed_instruction<>(op, dialect_);
    i.iclass = iclass;
    i.first_operand = static_cast<std::uint32_t>(program_.operands.size());
    i.operand_count = static_cast<std::uint8_t>(operands.size());
    if (i.has(iflag::branch) || i.has(iflag::call) || i.has(iflag::exit)) decide(i, row_of(op).shape, operands);
    bool uses_seen = false;
    for (const operand& o : operands) {
      if (o.is_def() && uses_seen) fail({line_, 0, "results before sources"});
      uses_seen = uses_seen || o.is_use();
      if (o.where() == slot::guard) {
        if (!o.base().is_zero()) i.add(iflag::guarded);
        if (o.base().is_zero() && o.is_not()) {
          for (const iflag f : {iflag::never, iflag::fence, iflag::side_effect}) i.add(f);
        }
        i.guard_negated = o.is_not() ? 1 : 0;
      }
      program_.operands.push_back(o);
    }
    const auto index = static_cast<std::uint32_t>(program_.instructions.size());
    i.address = index * (dialect_.word64 ? 8u : 16u);
    program_.instructions.push_back(i);
    program_.order.push_back(instr_id{index});
    return *this;
  }

  // Memory description of the last instruction, for typed ones.
  basic_builder& memory(mem_space space, mem_dir dir, std::uint8_t bytes, std::int32_t offset = 0) {
    if (program_.instructions.empty()) return *this;
    instruction& i = program_.instructions.back();
    i.space = space;
    i.dir = dir;
    i.mem_bytes = bytes;
    i.mem_offset = offset;
    return *this;
  }

  // Where the last instruction goes: a label, before or behind it.
  basic_builder& to(string_view name) {
    if (program_.instructions.empty()) return *this;
    instruction& i = program_.instructions.back();
    if (!i.has(iflag::branch) && !i.has(iflag::call)) fail({line_, 0, "a branch or a call"});
    i.remove(iflag::indirect);
    pending_.push_back(keep(name, static_cast<std::uint32_t>(program_.instructions.size() - 1)));
    return *this;
  }

  // A flag of the last instruction.
  basic_builder& flag(iflag f) {
    if (!program_.instructions.empty()) program_.instructions.back().add(f);
    return *this;
  }

  // Names the place of the next instruction.
  basic_builder& label(string_view name) {
    if (2 * labels_.size() >= by_name_.size()) {
      by_name_.assign(by_name_.empty() ? 64 : 4 * by_name_.size(), 0);
      for (std::uint32_t k = 0; k < labels_.size(); ++k) slot_of(view(labels_[k])) = k + 1;
    }
    if (std::uint32_t& slot = slot_of(name); slot != 0) {
      fail({line_, 0, "a label that is not defined yet"});
    } else {
      labels_.push_back(keep(name, static_cast<std::uint32_t>(program_.instructions.size())));
      slot = static_cast<std::uint32_t>(labels_.size());
    }
    return *this;
  }

  basic_builder& lines(string_view source);

  [[nodiscard]] bool ok() const { return error_.ok(); }
  [[nodiscard]] const error& first_error() const { return error_; }
  [[nodiscard]] const program& current() const { return program_; }

  // Resolves the labels and hands the program over; the builder is empty afterwards.
  program finish();

 private:
  struct named {
    std::uint32_t first = 0;  // into names_
    std::uint32_t length = 0;
    std::uint32_t instruction = 0;
    std::uint32_t line = 0;
  };

  [[nodiscard]] string_view view(const named& n) const { return {names_.data() + n.first, n.length}; }
  named keep(string_view name, std::uint32_t instruction) {
    const auto first = static_cast<std::uint32_t>(names_.size());
    names_.insert(names_.end(), name.begin(), name.end());
    return {first, static_cast<std::uint32_t>(name.size()), instruction, line_};
  }
  // Where the number of a label of that name stands in by_name_, or would.
  std::uint32_t& slot_of(string_view name) {
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    const std::size_t last = by_name_.size() - 1;
    std::size_t at = hash & last;
    while (by_name_[at] != 0 && view(labels_[by_name_[at] - 1]) != name) at = (at + 1) & last;
    return by_name_[at];
  }
  void fail(const error& e) {
    if (error_.ok()) error_ = e;
  }
  // A register says where a branch goes, a predicate whether it does.
  static void decide(instruction& i, detail::form form, std::initializer_list<operand> operands) {
    bool place = false;
    bool condition = false;
    for (const operand& o : operands) {
      if (o.where() != slot::branch) continue;
      place = place || o.file() == reg_file::r || o.file() == reg_file::ur;
      condition =
          condition || ((o.file() == reg_file::p || o.file() == reg_file::up) && (!o.base().is_zero() || o.is_not()));
    }
    if (place && !i.has(iflag::exit)) i.add(iflag::indirect);
    if (!place && (form == detail::form::branch || form == detail::form::call)) i.remove(iflag::indirect);
    if (condition) i.add(iflag::conditional);
  }
  struct branch_offset {
    std::uint32_t instruction;
    std::uint64_t target;  // bytes
  };

  void note_target(const asm_instruction& form) {
    const auto index = static_cast<std::uint32_t>(program_.instructions.size() - 1);
    for (unsigned k = 0; k < form.operand_count; ++k) {
      const asm_operand& o = form.operands[k];
      if (o.kind == asm_kind::label) {
        pending_.push_back(keep(o.text, index));
      } else if (o.kind == asm_kind::integer) {
        offsets_.push_back({index, static_cast<std::uint64_t>(o.value)});
      }
    }
  }

  dialect dialect_;
  Program program_;
  error error_;
  std::uint32_t line_ = 0;
  vec<char> names_;
  vec<named> labels_;
  vec<std::uint32_t> by_name_;  // hash table with a power of two of places: number of a label and one, 0 where there is none
  vec<named> pending_;
  vec<branch_offset> offsets_;
};

template <class Program>
basic_builder<Program>& basic_builder<Program>::lines(string_view source) {
  const std::uint32_t outer = line_;
  line_ = 0;
  for (std::size_t at = 0; at < source.size();) {
    std::size_t end = source.find('\n', at);
    if (end == string_view::npos) end = source.size();
    string_view line = source.substr(at, end - at);
    at = end + 1;
    ++line_;
    const std::size_t comment = line.find("//");
    if (comment != string_view::npos) line = line.substr(0, comment);
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == string_view::npos) continue;
    const std::size_t last = line.find_last_not_of(" \t\r");
    if (line[last] == ':') {
      label(line.substr(first, last - first));
    } else {
      text(line.substr(0, last + 1));
    }
  }
  line_ = outer;
  return *this;
}

template <class Program>
program basic_builder<Program>::finish() {
  for (const named& p : pending_) {
    const std::uint32_t known = by_name_.empty() ? 0 : slot_of(view(p));  // 0: none
    const bool found = known != 0 && labels_[known - 1].instruction < program_.instructions.size();
    if (found) program_.instructions[p.instruction].target = instr_id{labels_[known - 1].instruction};
    if (!found) fail({p.line, 0, "a label in front of an instruction"});
  }
  const std::uint32_t step = dialect_.word64 ? 8u : 16u;
  for (const auto& [index, offset] : offsets_) {
    if (offset % step != 0 || offset / step >= program_.instructions.size()) {
      fail({0, 0, "a branch offset inside the program"});
      continue;
    }
    program_.instructions[index].target = instr_id{static_cast<std::uint32_t>(offset / step)};
  }
  program out = static_cast<program&&>(program_);
  program_ = program{};
  names_.clear();
  labels_.clear();
  by_name_.clear();
  pending_.clear();
  offsets_.clear();
  return out;
}

using builder = basic_builder<>;

}  // namespace ww::isa
