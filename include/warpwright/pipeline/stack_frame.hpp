// SPDX-License-Identifier: BSL-1.0
//
// The stack frame of a kernel as its code sets it up, and whether more bytes can be had in it.
//
//   top      the load of R1 from the constant that holds where the stack of a thread begins
//   step     the one instruction behind it that moves R1 down; none where the kernel has no frame. The frame are the bytes
//            [R1, R1 + bytes) behind it
//   growth   more bytes: the step grows by them, and they lie above the frame that was there, at [R1 + bytes, ..). What is relative to
//            R1, addresses made of it included, stays where it is in that frame
// Understood are kernels that load R1 once and move it at most once, without a guard, in a first block that is entered once, and read
// it behind that only; and, where the caller can follow calls, those whose calls all enter functions of the same program that
// nobody else calls. As nothing but the step writes R1, these functions have no frames of their own, and an access relative to R1
// means one place in all of the code. All else is refused by name: code that is called, or calls others; R1 written
// elsewhere (functions with frames, alloca, or a register like any other); the top of the stack read again from the constants.
#pragma once

#include <cstdint>

#include "../ir/known_callers.hpp"
#include "../ir/program.hpp"
#include "../isa/spill_words.hpp"

namespace ww {

enum class frame_fault : std::uint8_t {
  none,
  no_words,       // the step of the stack pointer stands in the words
  several,        // it is called, or calls others
  no_top,         // R1 is not loaded from where the stack begins
  moved,          // R1 is written elsewhere, or under a guard, or read before
  read_again,     // the top of the stack is read a second time
  local_without,  // no frame, but accesses to local memory or uses of R1
};

constexpr const char* name_of(frame_fault f) {
  switch (f) {
    case frame_fault::none:
      return "the stack frame can grow";
    case frame_fault::no_words:
      return "there are no 128-bit words to write spill code beside";
    case frame_fault::several:
      return "it is called or calls others, and their stack frames are not told apart";
    case frame_fault::no_top:
      return "its stack pointer is not set up where it begins";
    case frame_fault::moved:
      return "its stack pointer is written or read in ways that are not understood";
    case frame_fault::read_again:
      return "where its stack begins is read a second time";
    case frame_fault::local_without:
      return "it uses local memory without a stack frame of its own";
  }
  return "?";
}

struct stack_frame {
  frame_fault fault = frame_fault::none;
  instr_id top;
  instr_id step;  // none: there is no frame
  std::uint32_t bytes = 0;

  [[nodiscard]] bool ok() const { return fault == frame_fault::none; }
};

// How far a frame that was there grows: frames of compilers are multiples of eight bytes (observed, 89 of 89), and what lies in one
// may be aligned to sixteen.
inline constexpr std::uint32_t frame_unit = 8;
inline constexpr std::uint32_t grown_frame_unit = 16;

// `p` has blocks and is in the order read. `follows_calls`: whoever makes the frame larger can have code put into a program with calls.
[[nodiscard]] inline stack_frame stack_frame_of(const program& p, const isa::dialect& d, bool follows_calls = false) {
  stack_frame f;
  const auto fail = [&f](frame_fault why) {
    f.fault = why;
    return f;
  };
  if (!p.has_encoding || d.word64) return fail(frame_fault::no_words);
  if (p.blocks.empty() || !p.blocks[0].entry || p.blocks[0].pred_count != 0) return fail(frame_fault::several);
  for (std::uint32_t b = 1; b < p.blocks.size(); ++b) {
    if (p.blocks[b].entry && !(follows_calls && is_only_called(p, block_id{b}))) return fail(frame_fault::several);
  }
  if (!has_own_calls_only(p)) return fail(frame_fault::several);
  const std::uint32_t constant = isa::stack_top_constant(d);
  bool used = false;
  for (std::uint32_t at = 0; at < p.order.size(); ++at) {
    const instr_id id = p.order[at];
    const instruction& i = p[id];
    if (!follows_calls && (i.has(iflag::call) || i.has(iflag::ret))) return fail(frame_fault::several);
    if (i.has(iflag::unknown)) return fail(frame_fault::moved);
    bool reads = false, writes = false, others = false;
    for (const operand& o : p.operands_of(i)) {
      if (!o.is_register() || o.file() == reg_file::none || o.base().is_zero()) continue;
      const bool hit = o.file() == reg_file::r && o.base().number() <= isa::stack_pointer &&
                       isa::stack_pointer - o.base().number() < o.width();
      reads = reads || (hit && o.is_use());
      writes = writes || (hit && o.is_def());
      others = others || !hit || o.width() != 1;
    }
    const bool from_top = isa::reads_constant_word(i, constant);
    if (writes) {
      const bool first = at < p.blocks[0].count && !i.has(iflag::guarded) && !others;
      if (first && !f.top.valid() && from_top && !reads) {
        f.top = id;
      } else if (first && f.top.valid() && !f.step.valid() && !used && isa::stack_step(i.word) != 0) {
        f.step = id;
        f.bytes = isa::stack_step(i.word);
      } else {
        return fail(f.top.valid() ? frame_fault::moved : frame_fault::no_top);
      }
      continue;
    }
    if (from_top) return fail(frame_fault::read_again);
    if (reads && !f.top.valid()) return fail(frame_fault::no_top);
    used = used || reads || i.space == mem_space::local;
  }
  if (!f.top.valid()) return fail(frame_fault::no_top);
  if (!f.step.valid() && used) return fail(frame_fault::local_without);
  return f;
}

}  // namespace ww
