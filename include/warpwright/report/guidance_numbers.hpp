// SPDX-License-Identifier: BSL-1.0
//
// The numbers that the guidance lines print (PLS-18), with the types of the text: one value, made from a program
// (guidance_of.hpp), by hand, or out of the statistics object (statistics_object.hpp).
//
//   instructions   total less removed; R-regs: base plus extra
//   L.., S..       long and short spill code: local and shared memory. Non: not for want of registers
//   low, frame     local memory of spills at low addresses and in frames; the lines after allocation print their sum
//   est_.., .._thru   instructions of a unit, and its share of the estimated cycles, 0 to 1
//   pipes, matrix  the same by hardware pipe, which only the lines after allocation have
//   lat2inst       printed as it is; the text does not say of what it is the ratio (0.0 beside 87 cycles and 142 instructions)
//
// What nobody counts stays 0, as the text prints it.
#pragma once

#include <cstdint>

#include "../meta/array.hpp"
#include "../model/guidance.hpp"

namespace ww::report {

struct guidance_numbers {
  std::int32_t total_inst = 0, removed_inst = 0;
  std::int32_t texture_inst = 0, tepid_inst = 0;
  std::int32_t registers_base = 0, registers_extra = 0, uniform_registers = 0;
  std::int32_t architecture = 0;  // the text's number of the SM
  float lat2inst = 0;
  std::int32_t fp16_inst = 0, fp16_vector_inst = 0;
  float fp16_vectorized = 0;  // fraction
  std::int32_t est_latency = 0;
  double worst_latency = 0, average_latency = 0;  // cycles
  std::int32_t l_spill = 0, l_refill = 0, s_spill = 0, s_refill = 0;
  std::int32_t low_spill_size = 0, frame_spill_size = 0;
  std::int32_t l_non_spill = 0, l_non_refill = 0, non_spill_size = 0;
  float occupancy = 0;
  std::int32_t divergent_branches = 0, attribute_bytes = 0, program_size = 0;
  std::int32_t est_fp = 0, est_half = 0, est_transcendental = 0, est_ipa = 0, est_shared = 0, est_control_flow = 0;
  std::int32_t est_load_store = 0, est_tex = 0, est_pairs = 0;
  float issue_thru = 0, fp_thru = 0, half_thru = 0, transcendental_thru = 0, ipa_thru = 0, shared_thru = 0;
  float control_flow_thru = 0, tex_load_store_thru = 0, reg_thru = 0, warp_thru = 0, shared_alloc_thru = 0;
  std::int32_t partially_unrolled_loops = 0, non_unrolled_loops = 0;
  std::int32_t constant_tex = 0, uniform_tex = 0, bindless_tex = 0, partially_bound_tex = 0;
  std::int32_t uniform_inst = 0, vector_to_uniform = 0;
  std::int32_t live_at_suspend = 0, precise_inst = 0;
  std::int32_t inst_hint = 0, inst_pairs = 0;

  array<std::int32_t, model::guidance_unit_count> pipes{};
  array<float, model::guidance_unit_count> pipe_thru{};
  array<std::int32_t, model::matrix_pipe_count> matrix{};
  array<float, model::matrix_pipe_count> matrix_thru{};

  // Uniform registers are printed above this number of the SM (the text's 0x5FFF).
  static constexpr std::int32_t uniform_above = 0x5fff;

  [[nodiscard]] constexpr std::int32_t instructions() const { return fit(std::int64_t{total_inst} - removed_inst); }
  [[nodiscard]] constexpr std::int32_t registers() const { return fit(std::int64_t{registers_base} + registers_extra); }
  [[nodiscard]] constexpr std::int32_t spill_size() const { return fit(std::int64_t{low_spill_size} + frame_spill_size); }
  [[nodiscard]] constexpr bool has_uniform_registers() const { return architecture > uniform_above; }

  friend constexpr bool operator==(const guidance_numbers&, const guidance_numbers&) = default;

 private:
  // Fields from elsewhere may hold anything.
  static constexpr std::int32_t fit(std::int64_t v) {
    constexpr std::int64_t most = 0x7fffffff;
    return static_cast<std::int32_t>(v > most ? most : v < -most ? -most : v);
  }
};

}  // namespace ww::report
