// SPDX-License-Identifier: BSL-1.0
//
// The numbers of the guidance lines from a program and what its user knows beside it (PLS-18).
//
//   given     what only a front end, a driver or the source knows. 0 where nobody says it, as the text prints it
//   fp        the units alu and fma; loadStore: the load/store unit without shared memory; texLoadStore: that and textures
//   est pairs, instPairs   issue_pairs.hpp
//   loops     all loops that the code has less those that somebody says are partially unrolled
//   shares    of two units together: their sum, 1 at most. That, and the share of shared memory (bytes of one block of threads of
//             those of the SM), is assumed
//   architecture   the text's number of the SM is known only to be above 0x5FFF where there are uniform registers: 0x6000 stands
//             for that unless one is given, 0 for the others
// Numbers that do not fit are the largest that do.
#pragma once

#include <cstdint>

#include "../model/guidance.hpp"
#include "guidance_numbers.hpp"
#include "issue_pairs.hpp"
#include "statistics_object.hpp"

namespace ww::report {

struct guidance_given {
  std::int32_t removed_instructions = 0;  // counted in the program, but not in what is printed
  std::int32_t architecture = 0;
  float lat2inst = 0;
  std::int32_t attribute_bytes = 0;
  std::uint32_t shared_bytes = 0;  // of a block of threads
  std::int32_t partially_unrolled_loops = 0;
  std::int32_t partially_bound_textures = 0;
  std::int32_t live_at_suspend = 0;
  std::int32_t instruction_hint = 0;
};

namespace detail {

[[nodiscard]] constexpr std::int32_t as_field(std::uint64_t v) {
  return v < 0x7fffffffu ? static_cast<std::int32_t>(v) : 0x7fffffff;
}
[[nodiscard]] constexpr float as_share(double v) { return static_cast<float>(v < 1 ? v : 1); }

}  // namespace detail

template <class Arch>
[[nodiscard]] guidance_numbers guidance_of(const program& p, const model::guidance& g, const guidance_given& given = {}) {
  using u = model::guidance_unit;
  using detail::as_field;
  using detail::as_share;
  const auto share = [&g](u unit) { return g.throughput[static_cast<std::size_t>(unit)]; };
  guidance_numbers n;
  n.total_inst = as_field(g.instructions);
  n.removed_inst = given.removed_instructions;
  n.texture_inst = as_field(g.texture);
  n.tepid_inst = as_field(g.tepid);
  n.registers_base = as_field(g.base_registers);
  n.registers_extra = as_field(g.extra_registers);
  n.uniform_registers = as_field(g.uniform_registers);
  constexpr bool uniform = unsigned{Arch::limits::uniform_registers} != 0;
  n.architecture = given.architecture != 0 ? given.architecture : uniform ? guidance_numbers::uniform_above + 1 : 0;
  n.lat2inst = given.lat2inst;
  n.fp16_inst = as_field(g.fp16);
  n.fp16_vector_inst = as_field(g.fp16_vector);
  if (g.fp16 != 0) n.fp16_vectorized = static_cast<float>(double{1} * g.fp16_vector / g.fp16);
  n.est_latency = detail::whole_cycles(g.est_latency);
  n.worst_latency = g.worst_latency;
  n.average_latency = g.average_latency;
  n.l_spill = as_field(g.spill_bytes);
  n.l_refill = as_field(g.refill_bytes);
  n.s_spill = as_field(g.shared_spill_bytes);
  n.s_refill = as_field(g.shared_refill_bytes);
  n.low_spill_size = as_field(g.local.low_size);
  n.frame_spill_size = as_field(g.local.frame_size);
  n.l_non_spill = as_field(g.local.non_spill);
  n.l_non_refill = as_field(g.local.non_refill);
  n.non_spill_size = as_field(g.local.non_spill_size);
  n.occupancy = as_share(g.occupancy);
  n.divergent_branches = as_field(g.divergent_branches);
  n.attribute_bytes = given.attribute_bytes;
  n.program_size = as_field(g.program_bytes);
  n.est_fp = as_field(g.est_fp());
  n.est_half = as_field(g.of(u::half));
  n.est_transcendental = as_field(g.of(u::transcendental));
  n.est_ipa = as_field(g.of(u::ipa));
  n.est_shared = as_field(g.shared);
  n.est_control_flow = as_field(g.est_control());
  n.est_load_store = as_field(g.est_load_store() - g.shared);
  n.est_tex = as_field(g.of(u::tex));
  n.issue_thru = as_share(g.issue_throughput);
  n.fp_thru = as_share(share(u::alu) + share(u::fma));
  n.half_thru = as_share(share(u::half));
  n.transcendental_thru = as_share(share(u::transcendental));
  n.ipa_thru = as_share(share(u::ipa));
  n.shared_thru = as_share(g.shared_throughput);
  n.control_flow_thru = as_share(share(u::cbu));
  n.tex_load_store_thru = as_share(share(u::tex) + g.load_store_throughput);
  n.reg_thru = as_share(g.register_throughput);
  n.warp_thru = as_share(g.warp_throughput);
  n.shared_alloc_thru = as_share(given.shared_bytes / double{Arch::limits::shared_bytes});
  n.partially_unrolled_loops = given.partially_unrolled_loops;
  const std::int32_t loops = as_field(g.loops);
  n.non_unrolled_loops = loops > given.partially_unrolled_loops ? loops - given.partially_unrolled_loops : 0;
  n.constant_tex = as_field(g.constant_textures);
  n.uniform_tex = as_field(g.uniform_textures);
  n.bindless_tex = as_field(g.bindless_textures);
  n.partially_bound_tex = given.partially_bound_textures;
  n.uniform_inst = as_field(g.uniform);
  n.vector_to_uniform = as_field(g.vector_to_uniform);
  n.live_at_suspend = given.live_at_suspend;
  n.precise_inst = as_field(g.precise);
  const issue_pairs pairs = count_pairs<Arch>(p);
  n.est_pairs = as_field(pairs.possible);
  n.inst_pairs = as_field(pairs.made);
  n.inst_hint = given.instruction_hint;
  for (std::size_t i = 0; i < model::guidance_unit_count; ++i) {
    n.pipes[i] = as_field(g.units[i]);
    n.pipe_thru[i] = as_share(g.throughput[i]);
  }
  for (std::size_t i = 0; i < model::matrix_pipe_count; ++i) {
    n.matrix[i] = as_field(g.matrix[i]);
    n.matrix_thru[i] = as_share(g.matrix_throughput[i]);
  }
  return n;
}

}  // namespace ww::report
