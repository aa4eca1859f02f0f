// SPDX-License-Identifier: BSL-1.0
//
// A program with spill code on physical registers, made whole: instructions that are gone are dropped, the others numbered as they
// stand, the new ones given their words, and the frame of the stack made larger.
//
//   spilled_code out;
//   fault = make_spilled_code(p, lowered, map, frame, bytes, d, out);
//
//   came_from   by new instruction: that of `p`; none for what is new
//   computes    by new instruction that computes a value again: that of `p` which computes it first
//   names       targets, tables, leaders and entries name the first instruction of the block that theirs stands in
//   step        of the stack pointer: `bytes` more; where there was none, one is put in behind the load of R1
// Words: registers of old instructions and of copies are written into the words that `p` has for them (isa/register_words.hpp), accesses and
// the step by isa/spill_words.hpp. Control bits are not set. Linear.
#pragma once

#include <cstdint>

#include "../ir/block_starts.hpp"
#include "../ir/cfg.hpp"
#include "../isa/builder.hpp"
#include "../isa/register_words.hpp"
#include "../isa/spill_words.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../verify/allocation_map.hpp"
#include "stack_frame.hpp"

namespace ww {

struct spilled_code {
  program code;
  vec<instr_id> came_from;
  vec<instr_id> computes;
  instr_id step;             // of the stack pointer, in `code`; none: the frame stays
  std::uint32_t stores = 0;  // put in
  std::uint32_t loads = 0;
  std::uint32_t recomputed = 0;  // instructions that compute a value again
};

enum class spilled_code_fault : std::uint8_t { none, not_encoded, no_blocks };

namespace detail {

class spilled_code_maker {
 public:
  spilled_code_maker(const program& p, const program& q, span<const verify::allocated_from> map, const stack_frame& frame,
                     std::uint32_t more, const isa::dialect& d, spilled_code& out)
      : p_(p), q_(q), map_(map), frame_(frame), more_(more), d_(d), out_(out) {}

  spilled_code_fault run() {
    out_ = spilled_code{};
    copy_code();
    rename();
    if (!words()) return spilled_code_fault::not_encoded;
    return build_cfg(out_.code).ok && !out_.code.blocks.empty() ? spilled_code_fault::none : spilled_code_fault::no_blocks;
  }

 private:
  void copy_code() {
    program& c = out_.code;
    c.operands = q_.operands;
    c.functions = q_.functions;
    c.sm = p_.sm;
    new_id_.assign(q_.instructions.size(), instr_id{});
    for (const block& b : q_.blocks) {
      for (const instr_id id : q_.order_of(b)) {
        new_id_[id.index()] = add(q_[id], map_[id.index()]);
        if (more_ != 0 && !frame_.step.valid() && id == frame_.top) put_step();
      }
    }
  }
  instr_id add(const instruction& i, const verify::allocated_from& from) {
    program& c = out_.code;
    const instr_id id{static_cast<std::uint32_t>(c.instructions.size())};
    c.instructions.push_back(i);
    c.order.push_back(id);
    c.instructions.back().address = id.index() * 16;
    const bool old = from.what == verify::allocated_as::original;
    const bool again = from.what == verify::allocated_as::remat;
    out_.came_from.push_back(old ? from.of : instr_id{});
    out_.computes.push_back(again ? from.of : instr_id{});
    if (!old) c.instructions.back().source = 0xffffffffu;
    if (!old && !again && i.dir != mem_dir::none)
      c.instructions.back().iclass = isa::typed_class(isa::row_of(i.op), c.operands_of(i), d_);
    out_.stores += from.what == verify::allocated_as::spill ? 1u : 0u;
    out_.loads += from.what == verify::allocated_as::refill ? 1u : 0u;
    out_.recomputed += again ? 1u : 0u;
    return id;
  }
  void put_step() {
    program& c = out_.code;
    instruction i = isa::typed_instruction<>(opcode::iadd3, d_);
    i.first_operand = static_cast<std::uint32_t>(c.operands.size());
    isa::basic_builder<> text(d_);
    isa::set_stack_step(i.word, more_);
    text.text(d_.uniform_zero == 63 ? "IADD3 R1, R1, -0x8, RZ" : "IADD3 R1, PT, PT, R1, -0x8, RZ", i.word);
    const program one = text.finish();
    const instruction& read = one.instructions[0];
    const std::uint64_t word[2] = {i.word[0], i.word[1]};
    const std::uint32_t first = i.first_operand;
    i = read;
    i.other_value = 0;
    i.word[0] = word[0];
    i.word[1] = word[1];
    i.first_operand = first;
    for (const operand& o : one.operands_of(read)) c.operands.push_back(o);
    out_.step = add(i, {verify::allocated_as::copy, 0, {}});
  }

  // What names an instruction names the first of its block, as a label in front of the block will.
  void rename() {
    const block_starts starts(q_);
    const auto now = [&](instr_id id) {
      const instr_id first = starts(id);
      return first.valid() && first.index() < new_id_.size() ? new_id_[first.index()] : instr_id{};
    };
    program& c = out_.code;
    for (instruction& i : c.instructions) i.target = now(i.target);
    for (const instr_id id : q_.leaders) c.leaders.push_back(now(id));
    for (const instr_id id : q_.table_targets) c.table_targets.push_back(now(id));
    for (branch_table t : q_.tables) {
      t.branch = new_id_[t.branch.index()];
      c.tables.push_back(t);
    }
    for (function& f : c.functions) f.entry = now(f.entry);
  }

  bool words() {
    program& c = out_.code;
    c.has_encoding = p_.has_encoding;
    for (std::uint32_t k = 0; k < c.instructions.size(); ++k) {
      instruction& i = c.instructions[k];
      const instr_id old = out_.came_from[k].valid() ? out_.came_from[k] : out_.computes[k];
      if (old.valid()) {
        const instruction& was = p_[old];
        i.word[0] = was.word[0];
        i.word[1] = was.word[1];
        if (!isa::set_registers(i.word, was, p_.operands_of(was), c.operands_of(i), d_).ok()) return false;
        if (out_.came_from[k].valid() && old == frame_.step && more_ != 0) {
          isa::change_stack_step(i.word, frame_.bytes + more_);
          out_.step = instr_id{k};
        }
      } else if (out_.step != instr_id{k} && !isa::set_local_access(i.word, i, c.operands_of(i))) {
        return false;
      }
    }
    return true;
  }

  const program& p_;
  const program& q_;
  span<const verify::allocated_from> map_;
  const stack_frame& frame_;
  std::uint32_t more_;
  const isa::dialect& d_;
  spilled_code& out_;
  vec<instr_id> new_id_;  // by instruction of q_; none where it stands in no block
};

}  // namespace detail

// `q` is `p` with spill code, lowered; `map` says of each of its instructions where it comes from; `more` bytes are added to the frame.
inline spilled_code_fault make_spilled_code(const program& p, const program& q, span<const verify::allocated_from> map,
                                            const stack_frame& frame, std::uint32_t more, const isa::dialect& d,
                                            spilled_code& out) {
  return detail::spilled_code_maker(p, q, map, frame, more, d, out).run();
}

}  // namespace ww
