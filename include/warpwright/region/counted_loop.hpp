// SPDX-License-Identifier: BSL-1.0
//
// Innermost loops of one block that software pipelining can take, and the reason for each one that it cannot.
//
//   body      one block that branches to itself under a predicate and else falls through to the exit block
//   counted   what decides about the next iteration is computed in the loop from registers alone: no load, no other
//             thread's register is among what the predicate depends on. The number of iterations need not be known
//   placed    the program has encodings, so it goes back to a listing or a cubin; new instructions have no place there
// Threads may leave a loop one by one, and finish their last iterations while others go on: what reads other threads'
// registers, or writes registers of the whole warp, would then see another state than before.
#pragma once

#include <cstdint>

#include "../graph/guard.hpp"
#include "../graph/memory_access.hpp"
#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"

namespace ww::region {

enum class pipelining_refusal : std::uint8_t {
  none,
  not_a_loop,      // the block does not branch to itself
  not_innermost,   // it branches to a header of a longer loop (several blocks)
  several_exits,   // it is left in another way than by falling through
  placed,          // it goes back to a listing or a cubin
  call,            // calls, returns, indirect branches
  fence,           // barriers, fences, convergence, unknown opcodes
  clock,           // reads time or its own address
  lanes,           // reads other threads' registers
  warp_register,   // writes uniform, convergence or carry registers
  not_counted,     // the predicate of the branch depends on a load, or is not written in the loop
  too_large,       // more instructions than `max_body`
  trip_too_small,  // known to run fewer iterations than the pipeline has stages
  no_registers,    // the register numbers do not suffice
  memory_unknown,  // accesses that may meet keep the iterations apart
  no_schedule,     // no initiation interval below the length of one iteration was found
  no_gain,         // one stage, or an interval of more than nine tenths of one iteration
};

constexpr const char* name_of(pipelining_refusal r) {
  constexpr const char* names[] = {"none",
                                   "not a loop of one block",
                                   "loop of several blocks",
                                   "several exits",
                                   "program with encodings: nothing can be inserted",
                                   "call, return or indirect branch",
                                   "fence, barrier or convergence",
                                   "reads a clock or its own address",
                                   "reads other threads' registers",
                                   "writes a register of the whole warp",
                                   "not counted: the branch depends on a load",
                                   "too many instructions",
                                   "fewer iterations than stages",
                                   "no register numbers left beyond the physical ones",
                                   "memory accesses that may meet",
                                   "no schedule found",
                                   "no shorter than one iteration"};
  return names[static_cast<unsigned>(r)];
}

inline constexpr std::uint32_t max_body = 192;  // instructions

namespace loop_detail {

// Does the branch depend, inside the body, on registers alone?
inline bool counted(const program& p, span<const instr_id> order) {
  vec<reg> wanted;
  const auto want_uses = [&](const instruction& ins) {
    for (const operand o : p.operands_of(ins)) {
      if (!o.is_use() || !o.is_register()) continue;
      for (unsigned w = 0; w < o.width(); ++w) {
        const reg r(o.file(), o.base().number() + w);
        bool known = false;
        for (const reg old : wanted) known = known || old.packed == r.packed;
        if (!known) wanted.push_back(r);
      }
    }
  };
  want_uses(p[order.back()]);
  bool any = false;
  for (std::size_t done = 0; done < wanted.size(); ++done) {
    const reg r = wanted[done];
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
      const instruction& ins = p[order[k]];
      bool writes = false;
      for (const operand o : p.operands_of(ins)) {
        writes =
            writes || (o.is_def() && o.is_register() && o.file() == r.file() && r.number() - o.base().number() < o.width());
      }
      if (!writes) continue;
      if (ins.dir != mem_dir::none && ins.space != mem_space::constant) return false;
      any = true;
      want_uses(ins);
    }
  }
  return any;
}

}  // namespace loop_detail

// Is block `b` an innermost loop that branches to itself under a predicate and else falls through to the next block?
// Iterations per entry of the loop whose body is block `b`: its weight over that of the blocks in front of it; 10 where they
// have none.
[[nodiscard]] inline double iterations_per_entry(const program& p, block_id b) {
  double outside = 0;
  for (const std::uint32_t e : p.pred_edges_of(p[b])) {
    if (p.edges[e].from != b) outside += p[p.edges[e].from].weight;
  }
  return outside > 0 ? meta::max(1.0, p[b].weight / outside) : 10.0;
}

[[nodiscard]] inline pipelining_refusal inspect_shape(const program& p, block_id b) {
  using r = pipelining_refusal;
  const block& blk = p[b];
  if (blk.count < 2 || blk.padding || !blk.reachable) return r::not_a_loop;
  bool self = false;
  bool falls = false;
  bool other = false;
  bool back = false;
  for (const cfg_edge& e : p.edges_of(blk)) {
    if (e.to == b && e.kind == edge_kind::branch) {
      self = true;
    } else if (e.kind == edge_kind::fall && e.to.index() == b.index() + 1) {
      falls = true;
    } else {
      other = true;
      back = back || (e.to.index() < b.index() && p[e.to].loop_depth != 0 && blk.loop_depth >= p[e.to].loop_depth);
    }
  }
  if (!self) return back ? r::not_innermost : r::not_a_loop;
  const instruction& last = p[p.order_of(blk).back()];
  if (!falls || other || blk.open_exit || last.has(iflag::exit)) return r::several_exits;
  if (!last.has(iflag::branch) || !last.has(iflag::guarded) || last.has(iflag::conditional)) return r::several_exits;
  return r::none;
}

// Can block `b` be pipelined, as far as its shape and its instructions go?
[[nodiscard]] inline pipelining_refusal inspect_loop(const program& p, block_id b) {
  using r = pipelining_refusal;
  const pipelining_refusal shape = inspect_shape(p, b);
  if (shape != r::none) return shape;
  const block& blk = p[b];
  const span<const instr_id> order = p.order_of(blk);
  if (p.has_encoding) return r::placed;
  if (blk.count > max_body) return r::too_large;
  for (std::size_t k = 0; k + 1 < order.size(); ++k) {
    const instruction& ins = p[order[k]];
    if (ins.has(iflag::call) || ins.has(iflag::ret) || ins.has(iflag::indirect) || ins.target.valid()) return r::call;
    if (ins.has(iflag::reads_clock) || ins.has(iflag::pc_relative)) return r::clock;
    for (const iflag f : {iflag::fence, iflag::unknown, iflag::never, iflag::sync, iflag::convergence, iflag::ends_block}) {
      if (ins.has(f)) return r::fence;
    }
    const memory_access m = ww::detail::describe_access(ins, 0, p.operands_of(ins).data(), false, [](reg) { return 0u; });
    if (ins.dir == mem_dir::order || m.writes == memory_access::all) return r::fence;
    if (ww::detail::crosses_lanes(ins.iclass)) return r::lanes;
    for (const operand o : p.operands_of(ins)) {
      if (o.is_def() && o.is_register() && o.file() != reg_file::r && o.file() != reg_file::p) return r::warp_register;
    }
  }
  return loop_detail::counted(p, order) ? r::none : r::not_counted;
}

}  // namespace ww::region
