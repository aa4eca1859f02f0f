// SPDX-License-Identifier: BSL-1.0
//
// Builds a program in memory, from text or from typed operands.
//
//   isa::builder b(dialect);
//   b.label("loop").text("FFMA R0, R1, R2, R0").text("@P0 BRA `(loop)").text("EXIT");
//   b.emit(opcode::iadd3, {operand::def(R(4), slot::dst), operand::use(R(2), slot::a)});
//   program p = b.finish();                    // labels resolved; b.ok() tells whether everything was understood
//
// `lines` takes many instructions at once, one per line, with labels ("loop:"), ".function NAME" and ".kernel NAME", blank lines and
// // comments. Typed instructions get flags and memory direction from the opcode, the class from opcode and widths (typed_class.hpp);
// `emit` with a class names another, `memory` says what is accessed (without it the address is compared with no other), `to` where a
// branch goes, `flag`, `count`, `no_fence` what modifiers tell (docs/library.md). Virtual registers: from reg::first_virtual on (R1024).
// The first error is kept (line of `lines`, column, what was expected; error_place() is the instruction) and stops nothing else. It
// speaks of the program that finish() gave until something is added to the next one. What can never be right is an error
// (operand_rules.hpp). An opcode that is not known is none: it becomes a fence, unknown_count() and unknown_name() tell. Not checked:
// modifiers, and whether code ends in EXIT or is empty. A label is a place to jump to; `function` begins what CALL calls.
// Without words an access [R2.64] of sm_80..sm_89 may read any uniform pair that the program writes (assumed_descriptor.hpp); who knows
// the pair writes desc[UR4][R2.64], typed: a slot::desc operand of width 2 (URZ: none).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "../meta/string_view.hpp"
#include "../meta/vec.hpp"
#include "assemble.hpp"
#include "operand_rules.hpp"
#include "typed_class.hpp"
#include "typed_state.hpp"

namespace ww::isa {

template <class Program = program>
class basic_builder {
 public:
  explicit basic_builder(dialect d = {}) : dialect_(d) {}

  // Adds one instruction; `words`, if given, are its two encoding words.
  basic_builder& text(string_view body, const std::uint64_t* words = nullptr) {
    begin();
    asm_instruction form;
    error e;
    if (!append(program_, body, words, dialect_, form, e)) {
      e.line = line_;
      fail(e, static_cast<std::uint32_t>(program_.instructions.size()));
      return *this;
    }
    if (words != nullptr) program_.has_encoding = true;
    check_text(form, body);
    note_target(form, body);
    return *this;
  }

  // Adds an instruction with these operands; results must stand before sources.
  basic_builder& emit(opcode op, std::initializer_list<operand> operands) {
    return emit(op, span<const operand>{operands.begin(), operands.size()});
  }
  basic_builder& emit(opcode op, sched_class iclass, std::initializer_list<operand> operands) {
    return emit(op, iclass, span<const operand>{operands.begin(), operands.size()});
  }
  basic_builder& emit(opcode op, span<const operand> operands) {
    return emit(op, typed_class(row_of(op), operands, dialect_), operands);
  }
  basic_builder& emit(opcode op, sched_class iclass, span<const operand> operands) {
    begin();
    instruction i = typed_instruction<>(op, dialect_);
    i.iclass = iclass;
    i.first_operand = static_cast<std::uint32_t>(program_.operands.size());
    if (i.has(iflag::branch) || i.has(iflag::call) || i.has(iflag::exit)) detail::decide(i, row_of(op).shape, operands);
    detail::take_state(i, row_of(op), operands);
    const auto index = static_cast<std::uint32_t>(program_.instructions.size());
    if (static_cast<unsigned>(op) >= opcode_count) fail({line_, 0, "an opcode of isa/opcode_id.hpp"}, index);
    if (i.has(iflag::unknown)) note_unknown({}, index);
    if (operands.size() > most_operands) fail({line_, 0, "fewer operands"}, index);
    bool uses_seen = false;
    for (const operand& o : operands) {
      if (o.is_def() && uses_seen) fail({line_, 0, "results before sources"}, index);
      if (const char* expected = operand_fault(o, dialect_); *expected != '\0') fail({line_, 0, expected}, index);
      uses_seen = uses_seen || o.is_use();
      if (o.type() == operand_type::constant) i.add(iflag::reads_constant);
      if (o.type() == operand_type::immediate) i.add(iflag::reads_immediate);
      if (o.where() == slot::guard) {
        if (!o.base().is_zero()) i.add(iflag::guarded);
        if (o.base().is_zero() && o.is_not()) {
          for (const iflag f : {iflag::never, iflag::fence, iflag::side_effect}) i.add(f);
        }
        i.guard_negated = o.is_not() ? 1 : 0;
      }
      if (program_.operands.size() - i.first_operand < most_operands) program_.operands.push_back(o);
    }
    // Under a guard, or of one half, a result leaves something of the old value, as in text.
    for (std::size_t k = i.first_operand; k < program_.operands.size(); ++k) {
      operand& o = program_.operands[k];
      if (o.is_def() && (o.is_half() || i.has(iflag::guarded) || i.has(iflag::never))) o.set(operand::bit_partial);
    }
    if (lacks_descriptor(row_of(op).shape, operands, dialect_))
      program_.operands.push_back(assumed_descriptor(dialect_.uniform_zero));
    i.operand_count = static_cast<std::uint8_t>(program_.operands.size() - i.first_operand);
    i.address = index * (dialect_.word64 ? 8u : 16u);
    program_.instructions.push_back(i);
    program_.order.push_back(instr_id{index});
    return *this;
  }

  // Memory description of the last instruction, for typed ones.
  basic_builder& memory(mem_space space, mem_dir dir, std::uint8_t bytes, std::int32_t offset = 0) {
    instruction* i = last();
    if (i == nullptr) return *this;
    i->space = space;
    i->dir = dir;
    i->mem_bytes = bytes;
    i->mem_offset = offset;
    return *this;
  }

  // How many increments of its counter a DEPBAR lets be outstanding, 0 to 63; 0 where nothing is said.
  basic_builder& count(unsigned n) {
    instruction* i = last();
    if (i == nullptr) return *this;
    if (i->op != opcode::depbar) fail({line_, 0, "a DEPBAR"});
    if (n > 63) fail({line_, 0, "a count of 63 at most"});
    i->mem_offset = static_cast<std::int32_t>(n & 63u);
    return *this;
  }

  // Where the last instruction goes: a label, before or behind it; where the groups of WARPSYNC meet, or the region of BSSY, SSY ends.
  // With a register in slot::branch: BRA that can fall through (BRA.DIV, BRA.CONV); of others the base of a relative address, as in text.
  basic_builder& to(string_view name) {
    instruction* i = last();
    if (i == nullptr) return *this;
    const detail::form shape = row_of(i->op).shape;
    const bool opens = shape == detail::form::bssy || shape == detail::form::ssy;
    const bool by_register = i->has(iflag::indirect) && detail::names_place(program_.operands_of(*i));
    const bool base = by_register && shape != detail::form::branch;
    if (i->op == opcode::warpsync) {
      i->iclass = sched_class::collective;
      for (const iflag f : {iflag::branch, iflag::conditional, iflag::ends_block}) i->add(f);
    }
    if (!i->has(iflag::branch) && !i->has(iflag::call) && !opens && !base) fail({line_, 0, "a branch or a call"});
    if (!base) i->remove(iflag::indirect);
    if (by_register && !base) i->add(iflag::conditional);
    pending_.push_back(keep(name, last_index(), 0, !base));
    return *this;
  }

  // A flag of the last instruction.
  basic_builder& flag(iflag f) {
    if (instruction* i = last(); i != nullptr) i->add(f);
    return *this;
  }

  // The last CCTL only fetches (.PF1, .PF2; `memory` tells what) or works on lines of L2 (.DML2, .PML2, .RML2).
  basic_builder& no_fence() {
    instruction* i = last();
    if (i == nullptr) return *this;
    if (i->op != opcode::cctl) fail({line_, 0, "a CCTL"});
    i->remove(iflag::fence);
    return *this;
  }

  // Begins a function, or a kernel, at the next instruction. The name is a label too. What stands in front of the first one is a kernel.
  basic_builder& function(string_view name, bool kernel = false) {
    begin();
    program_.functions.push_back(function_at(static_cast<std::uint32_t>(program_.instructions.size()), kernel));
    return label(name);
  }

  // Names the place of the next instruction.
  basic_builder& label(string_view name) {
    begin();
    if (2 * labels_.size() >= by_name_.size()) {
      by_name_.assign(by_name_.empty() ? 64 : 4 * by_name_.size(), 0);
      for (std::uint32_t k = 0; k < labels_.size(); ++k) slot_of(view(labels_[k])) = k + 1;
    }
    if (std::uint32_t& slot = slot_of(name); slot != 0) {
      fail({line_, 0, "a label that is not defined yet"}, static_cast<std::uint32_t>(program_.instructions.size()));
    } else {
      labels_.push_back(keep(name, static_cast<std::uint32_t>(program_.instructions.size())));
      slot = static_cast<std::uint32_t>(labels_.size());
    }
    return *this;
  }

  basic_builder& lines(string_view source);

  [[nodiscard]] bool ok() const { return error_.ok(); }
  [[nodiscard]] const error& first_error() const { return error_; }
  // The instruction that the first error speaks of; none if there is no error. It may lie behind the last one.
  [[nodiscard]] instr_id error_place() const { return error_.ok() ? instr_id{} : instr_id{error_index_}; }
  [[nodiscard]] const program& current() const { return program_; }
  // Instructions whose opcode is not known, in the order of the program; the name is that of the text, empty if typed.
  [[nodiscard]] std::size_t unknown_count() const { return unknown_.size(); }
  [[nodiscard]] instr_id unknown(std::size_t k) const { return instr_id{unknown_[k].instruction}; }
  [[nodiscard]] string_view unknown_name(std::size_t k) const {
    return {unknown_names_.data() + unknown_[k].first, unknown_[k].length};
  }

  // Resolves the labels and hands the program over; the builder is empty afterwards. ok(), the error and the unknown opcodes speak of it
  // until something is added.
  program finish();

 private:
  static constexpr std::size_t most_operands = 254;  // of a typed instruction; one more may be assumed

  struct named {
    std::uint32_t first = 0;  // into names_
    std::uint32_t length = 0;
    std::uint32_t instruction = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    bool must = true;  // be the name of a label
  };

  [[nodiscard]] string_view view(const named& n) const { return {names_.data() + n.first, n.length}; }
  named keep(string_view name, std::uint32_t instruction, std::uint32_t column = 0, bool must = true) {
    const auto first = static_cast<std::uint32_t>(names_.size());
    names_.insert(names_.end(), name.begin(), name.end());
    return {first, static_cast<std::uint32_t>(name.size()), instruction, line_, column, must};
  }
  static ww::function function_at(std::uint32_t entry, bool kernel) {
    return {.name = 0xffffffffu, .first_block = {}, .block_count = 0, .kernel = kernel, .entry = instr_id{entry}};
  }
  // Something is added: what was kept of the last program ends.
  void begin() {
    if (!finished_) return;
    finished_ = false;
    error_ = {};
    unknown_.clear();
    unknown_names_.clear();
  }
  [[nodiscard]] std::uint32_t last_index() const {
    return program_.instructions.empty() ? 0u : static_cast<std::uint32_t>(program_.instructions.size() - 1);
  }
  // Null, with an error, if there is none.
  instruction* last() {
    begin();
    if (program_.instructions.empty()) fail({line_, 0, "an instruction before what is said of it"});
    return program_.instructions.empty() ? nullptr : &program_.instructions.back();
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
  void fail(const error& e) { fail(e, last_index()); }
  void fail(const error& e, std::uint32_t instruction) {
    if (!error_.ok()) return;
    error_ = e;
    error_index_ = instruction;
  }
  void note_unknown(string_view name, std::uint32_t instruction) {
    const auto first = static_cast<std::uint32_t>(unknown_names_.size());
    unknown_names_.insert(unknown_names_.end(), name.begin(), name.end());
    unknown_.push_back({first, static_cast<std::uint32_t>(name.size()), instruction, line_, 0, false});
  }
  // What the text of the last instruction can never mean.
  void check_text(const asm_instruction& form, string_view body) {
    const instruction& i = program_.instructions.back();
    if (i.has(iflag::unknown)) return note_unknown(form.mnemonic, last_index());
    const form_error f = form_fault(form, row_of(i.op));
    if (*f.expected != '\0') return fail({line_, column_in(body, f.at), f.expected});
    for (const operand& o : program_.operands_of(i)) {
      const char* expected = operand_fault(o, dialect_);
      if (*expected == '\0') continue;
      const char* at = body.data();
      for (unsigned k = 0; k < form.operand_count; ++k) {
        const asm_operand& t = form.operands[k];
        if (t.base == o.base() || t.ubase == o.base() || t.desc == o.base()) at = t.text.data();
      }
      return fail({line_, column_in(body, at), expected});
    }
  }
  struct branch_offset {
    std::uint32_t instruction;
    std::uint32_t line, column;
    std::uint64_t target;  // bytes
  };

  // Code addresses in the text of the last instruction: where control goes or regions end, or any other mention (RET, LEPC).
  void note_target(const asm_instruction& form, string_view body) {
    instruction& i = program_.instructions.back();
    if (i.op == opcode::pret) i.remove(iflag::call);  // pushes a return address and goes on
    const detail::form shape = row_of(i.op).shape;
    const bool opens = shape == detail::form::bssy || shape == detail::form::ssy;
    const bool goes = opens || ((i.has(iflag::branch) || i.has(iflag::call)) && !i.has(iflag::indirect));
    for (unsigned k = 0; k < form.operand_count; ++k) {
      const asm_operand& o = form.operands[k];
      if (o.kind == asm_kind::label) {
        pending_.push_back(keep(o.text, last_index(), column_in(body, o.text.data()), goes));
      } else if (o.kind == asm_kind::integer && goes && i.op != opcode::warpsync) {
        offsets_.push_back({last_index(), line_, column_in(body, o.text.data()), static_cast<std::uint64_t>(o.value)});
      }
    }
  }
  void resolve();

  dialect dialect_;
  Program program_;
  error error_;
  std::uint32_t error_index_ = 0;
  std::uint32_t line_ = 0;
  bool finished_ = false;  // and nothing added since
  vec<char> names_;
  vec<named> labels_;
  vec<std::uint32_t> by_name_;  // hash table with a power of two of places: number of a label and one, 0 where there is none
  vec<named> pending_;
  vec<branch_offset> offsets_;
  vec<named> unknown_;  // names into unknown_names_
  vec<char> unknown_names_;
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
    const bool kernel = line.substr(first, 8) == ".kernel ";
    if (kernel || line.substr(first, 10) == ".function ") {
      const std::size_t name = line.find_first_not_of(" \t", first + (kernel ? 8 : 10));
      function(line.substr(name, last + 1 - name), kernel);
    } else if (line[last] == ':') {
      label(line.substr(first, last - first));
    } else {
      text(line.substr(0, last + 1));
    }
  }
  line_ = outer;
  return *this;
}

// Names and offsets become instructions.
template <class Program>
void basic_builder<Program>::resolve() {
  const std::size_t count = program_.instructions.size();
  for (const named& p : pending_) {
    const std::uint32_t known = by_name_.empty() ? 0 : slot_of(view(p));  // 0: none
    const bool found = known != 0 && labels_[known - 1].instruction < count;
    if (!found && p.must) fail({p.line, p.column, "a label in front of an instruction"}, p.instruction);
    if (!found) continue;
    const instr_id to{labels_[known - 1].instruction};
    if (p.must) program_.instructions[p.instruction].target = to;
    if (!p.must) program_.leaders.push_back(to);
  }
  const std::uint32_t step = dialect_.word64 ? 8u : 16u;
  for (const branch_offset& o : offsets_) {
    if (o.target % step != 0 || o.target / step >= count) {
      fail({o.line, o.column, "a branch offset inside the program"}, o.instruction);
      continue;
    }
    program_.instructions[o.instruction].target = instr_id{static_cast<std::uint32_t>(o.target / step)};
  }
  for (std::uint32_t k = 0; k < count; ++k) {
    const instruction& i = program_.instructions[k];
    const bool goes = (i.has(iflag::branch) || i.has(iflag::call)) && !i.has(iflag::indirect);
    if (goes && !i.target.valid()) fail({0, 0, "a place to go to: to(label) behind the branch"}, k);
  }
  for (const ww::function& f : program_.functions) {
    if (f.entry.index() >= count) fail({0, 0, "an instruction in the function"}, f.entry.index());
  }
}

template <class Program>
program basic_builder<Program>::finish() {
  begin();
  resolve();
  if (!narrow_assumed(program_))
    fail({0, 0, "desc[..] in front of addresses, where uniform registers have numbers from 1024 on"}, 0);
  if (!program_.functions.empty() && program_.functions[0].entry != instr_id{0}) {
    program_.functions.insert(program_.functions.begin(), function_at(0, true));
  }
  program out = static_cast<program&&>(program_);
  program_ = program{};
  names_.clear();
  labels_.clear();
  by_name_.clear();
  pending_.clear();
  offsets_.clear();
  finished_ = true;
  return out;
}

using builder = basic_builder<>;

}  // namespace ww::isa
