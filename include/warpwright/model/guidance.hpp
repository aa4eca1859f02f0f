// SPDX-License-Identifier: BSL-1.0
//
// The data of the scheduling guidance (PLS-18): what the statistics lines of the text are made of. report/ prints them.
//
//   est latency   modelled cycles of one walk over every reachable block, one warp; worst case: blocks by their weights;
//                 average case: blocks to which only one side of a branch leads count half. A block behind a call, where
//                 sides meet, at the head of a loop or behind its end is none of these
//   spill, refill bytes that one thread stores to and loads from local memory for want of registers (the text's L..B), and
//                 otherwise (LNon..B): local_bytes.hpp. S..B count spills to shared memory, which machine code cannot tell from
//                 other shared accesses, and stay 0
//   tepid         instructions that read the result of a texture access of their block (texture pending)
//   units         instructions per hardware unit, post-allocation names; the pre-allocation names are sums of them
//   thru          part of the estimated cycles in which a unit takes instructions, 0 to 1
//   bytes         of the instructions themselves: up to sm_62 without the control words between them
//   loops         headers of loops as ir/loops.hpp finds them
//   registers     the highest that the code names, or the declared ones; base, extra: the highest, and what is declared beside it
//                 (not declared: what the SM reserves). The sum is what a compiler reports (observed: every kernel of the corpus)
//   fp16 vector   half instructions that do not take one half alone of every source, nor widen one (HADD2.F32)
//   matrix        instructions per tensor-core variant of the lines (matrix_pipe.hpp)
//   deferred      blocks that no known edge reaches: classified last. The text calls them type 8; that they are these is assumed
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../ir/loops.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/array.hpp"
#include "../meta/rounded.hpp"
#include "../meta/vec.hpp"
#include "local_bytes.hpp"
#include "matrix_pipe.hpp"
#include "simulate.hpp"
#include "texture_binding.hpp"

namespace ww::model {

enum class guidance_unit : std::uint8_t {
  adu,
  alu,
  cbu,
  fma2x,
  fma,
  half,
  transcendental,
  ipa,
  lsu,
  redux,
  dispatch,
  tex,
  ttu,
  udp,
  imma,
  bmma,
  hmma_small,
  hmma_medium,
  hmma_large,
  hmma_sparse,
  dmma,
  hgmma,
  count
};

inline constexpr std::size_t guidance_unit_count = static_cast<std::size_t>(guidance_unit::count);

[[nodiscard]] constexpr const char* name(guidance_unit u) {
  constexpr const char* names[guidance_unit_count] = {
      "adu", "alu", "cbu", "fma2x", "fma",  "half",       "trancedental", "ipa",        "lsu",         "redux", "schedDisp",
      "tex", "ttu", "udp", "imma",  "bmma", "hmma_small", "hmma_medium",  "hmma_large", "hmma_sparse", "dmma",  "hgmma"};
  return names[static_cast<std::size_t>(u) % guidance_unit_count];
}

[[nodiscard]] constexpr guidance_unit guidance_unit_of(sched_class c) {
  using s = sched_class;
  using u = guidance_unit;
  if (c >= s::ualu && c <= s::ufp) return u::udp;
  if (c >= s::hmma_small && c <= s::hmma_sparse) {
    return static_cast<u>(static_cast<unsigned>(u::hmma_small) + static_cast<unsigned>(c) -
                          static_cast<unsigned>(s::hmma_small));
  }
  if (c >= s::imma_small && c <= s::imma_large) return u::imma;
  switch (c) {
    case s::bmma_small:
    case s::bmma_large:
      return u::bmma;
    case s::dmma:
      return u::dmma;
    case s::qmma:
    case s::hgmma:
      return u::hgmma;
    case s::fma:
    case s::imad:
    case s::imad_wide:
    case s::imad_hi:
    case s::xmad:
    case s::imul:
      return u::fma;
    case s::fp64:
    case s::dsetp:
      return u::fma2x;
    case s::half:
    case s::half_f32:
    case s::half_alu:
    case s::hfma2_mma:
      return u::half;
    case s::mufu:
    case s::conv:
    case s::conv_64:
    case s::popc:
    case s::flo:
    case s::brev:
    case s::rro:
      return u::transcendental;
    case s::ipa:
      return u::ipa;
    case s::redux:
    case s::match:
    case s::vote:
      return u::redux;
    case s::tex:
    case s::tld:
    case s::txq:
    case s::suld:
    case s::sust:
    case s::suatom:
    case s::texdepbar:
      return u::tex;
    case s::ldc:
    case s::s2r:
    case s::b2r:
    case s::r2b:
    case s::getlmembase:
      return u::adu;
    case s::nop:
    case s::depbar:
    case s::ldgdepbar:
      return u::dispatch;
    default:
      break;
  }
  if (c >= s::ld && c <= s::syncs) return u::lsu;
  if (c == s::shfl || c == s::movm || c == s::ald || c == s::ast) return u::lsu;
  if (c >= s::bar && c <= s::exit) return u::cbu;
  return u::alu;
}

enum class block_order : std::uint8_t { first_pass, deferred, skipped };

struct block_guidance {
  block_id block;
  block_order order = block_order::first_pass;
  instr_id back_edge;  // the branch that closes a loop at this block, as a hint for its scheduling; none if there is none
};

struct guidance {
  std::uint32_t instructions = 0, texture = 0, fp16 = 0, fp16_vector = 0, tepid = 0, precise = 0;
  std::uint32_t uniform = 0, vector_to_uniform = 0;
  std::uint32_t registers = 0, uniform_registers = 0;
  double est_latency = 0, worst_latency = 0, average_latency = 0;  // cycles
  std::uint64_t spill_bytes = 0, refill_bytes = 0, shared_spill_bytes = 0, shared_refill_bytes = 0;
  local_bytes local;         // the same of local memory, with what is no spill code and the sizes of both
  std::uint32_t shared = 0;  // shared-memory operations, part of the load/store unit's
  std::uint32_t base_registers = 0, extra_registers = 0;
  std::uint32_t constant_textures = 0, uniform_textures = 0, bindless_textures = 0;
  double occupancy = 0;  // resident warps of the most that the SM holds
  std::uint32_t divergent_branches = 0, program_bytes = 0, loops = 0;
  array<std::uint32_t, guidance_unit_count> units{};
  array<double, guidance_unit_count> throughput{};
  array<std::uint32_t, matrix_pipe_count> matrix{};
  array<double, matrix_pipe_count> matrix_throughput{};
  double shared_throughput = 0, load_store_throughput = 0;  // shared memory, and the rest of the load/store unit
  double issue_throughput = 0, register_throughput = 0, warp_throughput = 0;

  [[nodiscard]] std::uint32_t of(guidance_unit u) const { return units[static_cast<std::size_t>(u)]; }
  // The abstract names of the lines before allocation.
  [[nodiscard]] std::uint32_t est_fp() const { return of(guidance_unit::fma) + of(guidance_unit::alu); }
  [[nodiscard]] std::uint32_t est_control() const { return of(guidance_unit::cbu); }
  [[nodiscard]] std::uint32_t est_load_store() const { return of(guidance_unit::lsu); }
};

// From where an edge to a block is a back edge. The text compares two numbers of the blocks, which are taken for their places:
// the other block stands behind this one. A loop of one block is none then; `own_too`, the kit's default, has it.
enum class back_edge_rule : std::uint8_t { own_too, behind };

// The blocks in the order in which the text hands them to the scheduler: everything reachable first, then what was deferred.
// A back edge comes from a block that stands behind (back_edge_rule) and ends in a direct branch to this one. Of several the
// last in the order of the predecessors is the hint; which one the text takes it does not say. Linear in blocks and edges.
template <back_edge_rule Rule = back_edge_rule::own_too, class F>
void classify_blocks(const program& p, F&& f) {
  const auto visit = [&](std::uint32_t b, block_order order) {
    block_guidance g;
    g.block = block_id(b);
    g.order = order;
    for (const std::uint32_t e : p.pred_edges_of(p.blocks[b])) {
      const cfg_edge& edge = p.edges[e];
      const block& from = p[edge.from];
      const std::uint32_t first = Rule == back_edge_rule::own_too ? b : b + 1;
      if (edge.kind != edge_kind::branch || edge.from.index() < first || from.count == 0) continue;
      const instr_id last = p.order[from.first + from.count - 1];
      if (p[last].has(iflag::branch)) g.back_edge = last;
    }
    f(g);
  };
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const block& k = p.blocks[b];
    if (k.padding || k.count == 0) {
      visit(b, block_order::skipped);
    } else if (k.reachable) {
      visit(b, block_order::first_pass);
    }
  }
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const block& k = p.blocks[b];
    if (!k.padding && k.count != 0 && !k.reachable) visit(b, block_order::deferred);
  }
}

namespace detail {

// Does a half instruction work on two values? One that reads the same half of all its registers works on one, twice.
[[nodiscard]] inline bool works_on_two_lanes(const program& p, const instruction& ins) {
  if (ins.iclass == sched_class::half_f32) return false;
  bool sources = false;
  for (const operand o : p.operands_of(ins)) {
    if (!o.is_use() || !o.is_register() || o.file() != reg_file::r || o.where() == slot::guard) continue;
    if (!o.is_half()) return true;
    sources = true;
  }
  return !sources;
}

[[nodiscard]] inline bool is_shared_access(const instruction& ins) {
  return guidance_unit_of(ins.iclass) == guidance_unit::lsu && ins.space == mem_space::shared;
}

// Counts what single instructions say.
template <class Arch>
void count_instruction(const program& p, const instruction& ins, guidance& g) {
  constexpr bool one_word = requires { Arch::control_format::group_bytes; };  // up to sm_62
  ++g.instructions;
  g.program_bytes += one_word ? 8u : 16u;
  const guidance_unit unit = guidance_unit_of(ins.iclass);
  ++g.units[static_cast<std::size_t>(unit)];
  if (unit == guidance_unit::tex) ++g.texture;
  if (unit == guidance_unit::udp) ++g.uniform;
  if (unit == guidance_unit::half) ++g.fp16;
  if (unit == guidance_unit::half && works_on_two_lanes(p, ins)) ++g.fp16_vector;
  if (is_shared_access(ins)) ++g.shared;
  if (const matrix_pipe m = matrix_pipe_of(ins, p.operands_of(ins)); m != matrix_pipe::none) {
    ++g.matrix[static_cast<std::size_t>(m)];
  }
  switch (binding_of(ins, p.operands_of(ins))) {
    case texture_binding::constant:
      ++g.constant_textures;
      break;
    case texture_binding::uniform:
      ++g.uniform_textures;
      break;
    case texture_binding::bindless:
      ++g.bindless_textures;
      break;
    default:
      break;
  }
  if (ins.op == opcode::r2ur) ++g.vector_to_uniform;
  if (ins.iclass == sched_class::fp64) ++g.precise;
  if (ins.space == mem_space::local) {
    (ins.dir == mem_dir::store ? g.spill_bytes : g.refill_bytes) += ins.mem_bytes;
  }
  for (const operand o : p.operands_of(ins)) {
    if (!o.is_register() || o.base().is_virtual()) continue;
    std::uint32_t* const most = o.file() == reg_file::r    ? &g.registers
                                : o.file() == reg_file::ur ? &g.uniform_registers
                                                           : nullptr;
    if (most != nullptr && o.base().number() + o.width() > *most) *most = o.base().number() + o.width();
  }
  const bool guarded_branch = ins.has(iflag::branch) && (ins.has(iflag::guarded) || ins.has(iflag::conditional));
  if (guarded_branch && !ins.has(iflag::call)) ++g.divergent_branches;
}

// Readers of texture results inside one block.
inline void count_tepid(const program& p, const block& k, guidance& g) {
  std::uint64_t pending[4] = {};
  for (const instr_id id : p.order_of(k)) {
    const instruction& ins = p[id];
    bool reads = false;
    for (const operand o : p.operands_of(ins)) {
      for (unsigned i = 0; o.is_use() && o.is_register() && o.file() == reg_file::r && i < o.width(); ++i) {
        const std::uint32_t n = o.base().number() + i;
        reads = reads || (n < 256 && (pending[n >> 6] >> (n & 63u) & 1u) != 0);
      }
    }
    g.tepid += reads ? 1u : 0u;
    const bool texture = guidance_unit_of(ins.iclass) == guidance_unit::tex;
    for (const operand o : p.operands_of(ins)) {
      for (unsigned i = 0; o.is_def() && o.is_register() && o.file() == reg_file::r && i < o.width(); ++i) {
        const std::uint32_t n = o.base().number() + i;
        if (n >= 256) continue;
        const std::uint64_t bit = std::uint64_t{1} << (n & 63u);
        pending[n >> 6] = texture ? pending[n >> 6] | bit : pending[n >> 6] & ~bit;
      }
    }
  }
}

// Does only one side of a branch lead to the block? `back` says of every edge whether it closes a loop; those are no sides.
inline bool is_arm(const program& p, const block& k, const vec<std::uint8_t>& back) {
  const block* from = nullptr;
  for (const std::uint32_t e : p.pred_edges_of(k)) {
    if (back[e] != 0) continue;
    if (from != nullptr) return false;
    from = &p[p.edges[e].from];
  }
  if (from == nullptr) return false;
  unsigned sides = 0;
  for (std::uint32_t e = from->first_edge; e < from->first_edge + from->edge_count; ++e) {
    sides += ww::detail::inside_function(p.edges[e].kind) && back[e] == 0 ? 1u : 0u;
  }
  return sides > 1;
}

}  // namespace detail

// The statistics of a program with control words. Cycles are those of the model.
template <class Arch>
[[nodiscard]] guidance collect_guidance(const program& p, workspace& ws) {
  guidance g;
  array<double, guidance_unit_count> busy{};
  array<double, matrix_pipe_count + 1> matrix_busy{};
  double shared_busy = 0;
  for (const block& k : p.blocks) {
    if (k.padding || k.count == 0) continue;
    for (const instr_id id : p.order_of(k)) {
      if (p[id].has(iflag::padding)) continue;
      detail::count_instruction<Arch>(p, p[id], g);
      busy[static_cast<std::size_t>(guidance_unit_of(p[id].iclass))] += Arch::pipes::interval(p[id].iclass);
      const double cycles = Arch::pipes::interval(p[id].iclass);
      matrix_busy[static_cast<std::size_t>(matrix_pipe_of(p[id], p.operands_of(p[id])))] += cycles;
      if (detail::is_shared_access(p[id])) shared_busy += cycles;
    }
    detail::count_tepid(p, k, g);
  }
  loop_forest loops;
  ww::detail::loop_search(p, loops).run();
  for (const std::uint8_t header : loops.is_header) g.loops += header;
  vec<std::uint8_t> back;
  back.assign(p.edges.size(), 0);
  for (const std::uint32_t e : loops.back_edges) back[e] = 1;
  const cost c = simulate<Arch>(p, {}, ws);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const block& k = p.blocks[b];
    if (k.padding || k.count == 0 || !k.reachable) continue;
    const double cycles = c.block_cycles[b];
    g.est_latency += cycles;
    g.worst_latency += meta::rounded(k.weight * cycles);
    g.average_latency += detail::is_arm(p, k, back) ? cycles / 2 : cycles;
  }
  g.local = local_bytes_of(p);
  g.spill_bytes -= g.local.non_spill;
  g.refill_bytes -= g.local.non_refill;
  g.base_registers = g.registers;
  g.extra_registers = p.register_count == 0            ? unsigned{Arch::limits::reserved_registers}
                      : p.register_count > g.registers ? p.register_count - g.registers
                                                       : 0;
  if (p.register_count > g.registers) g.registers = p.register_count;
  g.occupancy = static_cast<double>(Arch::limits::warps_for(g.base_registers + g.extra_registers)) /
                static_cast<double>(Arch::limits::max_warps);
  const double all = g.est_latency > 0 ? g.est_latency : 1;
  const auto part = [all](double cycles) { return cycles < all ? cycles / all : 1.0; };
  for (std::size_t u = 0; u < guidance_unit_count; ++u) g.throughput[u] = part(busy[u]);
  for (std::size_t m = 0; m < matrix_pipe_count; ++m) g.matrix_throughput[m] = part(matrix_busy[m]);
  g.shared_throughput = part(shared_busy);
  g.load_store_throughput = part(busy[static_cast<std::size_t>(guidance_unit::lsu)] - shared_busy);
  g.issue_throughput = part(g.instructions);
  g.register_throughput = static_cast<double>(g.registers) /
                          static_cast<double>(Arch::limits::general_registers + Arch::limits::reserved_registers);
  g.warp_throughput = g.occupancy;
  return g;
}

}  // namespace ww::model
