// SPDX-License-Identifier: BSL-1.0
//
// The statistics object (PLS-18, "Statistics Object Field Map"): 350 words of 32 bits, from which the text's emitters read.
//
//   index    word of a field; its byte offset is four times that
//   integer  stored as it is; float: as its bits
//   cycles   the two latencies: integers there, printed as floating-point numbers. What is behind the point is lost
// encode() fills the words of the map and leaves the others 0; decode() reads the words of the map and no other, so that an object
// from elsewhere may have anything in them. What the map does not name (pipes, tensor-core variants, lat2inst) is not in it.
//
// The text says "~1400 bytes"; that it ends with word 349 is assumed. The last field of the map is word 342.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/array.hpp"
#include "../meta/string_view.hpp"
#include "guidance_numbers.hpp"

namespace ww::report {

enum class statistics_type : std::uint8_t { integer, single, cycles };

// One row of the map.
struct statistics_field {
  unsigned index = 0;
  const char* name = "";
  statistics_type type = statistics_type::integer;
  std::int32_t guidance_numbers::*integer = nullptr;
  float guidance_numbers::*single = nullptr;
  double guidance_numbers::*cycles = nullptr;

  constexpr statistics_field(unsigned i, const char* n, std::int32_t guidance_numbers::*m) : index(i), name(n), integer(m) {}
  constexpr statistics_field(unsigned i, const char* n, float guidance_numbers::*m)
      : index(i), name(n), type(statistics_type::single), single(m) {}
  constexpr statistics_field(unsigned i, const char* n, double guidance_numbers::*m)
      : index(i), name(n), type(statistics_type::cycles), cycles(m) {}
  [[nodiscard]] constexpr unsigned offset() const { return 4 * index; }
};

inline constexpr statistics_field statistics_map[] = {
    {8, "est_latency", &guidance_numbers::est_latency},
    {9, "FP16_vectorization_pct", &guidance_numbers::fp16_vectorized},
    {10, "worstcase_latency", &guidance_numbers::worst_latency},
    {11, "avgcase_latency", &guidance_numbers::average_latency},
    {12, "LSpillB", &guidance_numbers::l_spill},
    {13, "LRefillB", &guidance_numbers::l_refill},
    {14, "SRefillB", &guidance_numbers::s_refill},
    {15, "SSpillB", &guidance_numbers::s_spill},
    {16, "LowLmemSpillSize", &guidance_numbers::low_spill_size},
    {17, "FrameLmemSpillSize", &guidance_numbers::frame_spill_size},
    {18, "LNonSpillB", &guidance_numbers::l_non_spill},
    {19, "LNonRefillB", &guidance_numbers::l_non_refill},
    {20, "NonSpillSize", &guidance_numbers::non_spill_size},
    {26, "Occupancy", &guidance_numbers::occupancy},
    {27, "numDivergentBranches", &guidance_numbers::divergent_branches},
    {28, "attributeMemUsage", &guidance_numbers::attribute_bytes},
    {29, "programSize", &guidance_numbers::program_size},
    {42, "preciseInst", &guidance_numbers::precise_inst},
    {44, "UDPinst", &guidance_numbers::uniform_inst},
    {45, "vecToURConverts", &guidance_numbers::vector_to_uniform},
    {49, "maxLiveAtSuspend", &guidance_numbers::live_at_suspend},
    {50, "issue_thru", &guidance_numbers::issue_thru},
    {54, "fp_thru", &guidance_numbers::fp_thru},
    {57, "half_thru", &guidance_numbers::half_thru},
    {58, "transcendental_thru", &guidance_numbers::transcendental_thru},
    {59, "ipa_thru", &guidance_numbers::ipa_thru},
    {61, "shared_thru", &guidance_numbers::shared_thru},
    {62, "controlFlow_thru", &guidance_numbers::control_flow_thru},
    {65, "texLoadStore_thru", &guidance_numbers::tex_load_store_thru},
    {84, "reg_thru", &guidance_numbers::reg_thru},
    {85, "warp_thru", &guidance_numbers::warp_thru},
    {86, "sharedMemAlloc_thru", &guidance_numbers::shared_alloc_thru},
    {87, "partiallyUnrolledLoops", &guidance_numbers::partially_unrolled_loops},
    {88, "nonUnrolledLoops", &guidance_numbers::non_unrolled_loops},
    {89, "CBBoundTex", &guidance_numbers::constant_tex},
    {90, "PartiallyBoundTex", &guidance_numbers::partially_bound_tex},
    {91, "BindlessTex", &guidance_numbers::bindless_tex},
    {92, "URBoundTex", &guidance_numbers::uniform_tex},
    {93, "SM_architecture_enum", &guidance_numbers::architecture},
    {99, "uniform_reg_count", &guidance_numbers::uniform_registers},
    {102, "R_reg_base", &guidance_numbers::registers_base},
    {159, "R_reg_extra", &guidance_numbers::registers_extra},
    {303, "est_fp", &guidance_numbers::est_fp},
    {306, "est_half", &guidance_numbers::est_half},
    {307, "est_transcendental", &guidance_numbers::est_transcendental},
    {308, "est_ipa", &guidance_numbers::est_ipa},
    {310, "est_shared", &guidance_numbers::est_shared},
    {311, "est_controlFlow", &guidance_numbers::est_control_flow},
    {315, "est_loadStore", &guidance_numbers::est_load_store},
    {316, "est_tex", &guidance_numbers::est_tex},
    {334, "est_pairs", &guidance_numbers::est_pairs},
    {335, "total_inst", &guidance_numbers::total_inst},
    {336, "texInst", &guidance_numbers::texture_inst},
    {337, "FP16inst", &guidance_numbers::fp16_inst},
    {338, "FP16VectInst", &guidance_numbers::fp16_vector_inst},
    {339, "instHint", &guidance_numbers::inst_hint},
    {340, "instPairs", &guidance_numbers::inst_pairs},
    {341, "removed_inst", &guidance_numbers::removed_inst},
    {342, "tepid_inst", &guidance_numbers::tepid_inst},
};

// The row of a name, null if the map has none.
[[nodiscard]] constexpr const statistics_field* find_statistic(string_view name) {
  for (const statistics_field& f : statistics_map) {
    if (string_view(f.name) == name) return &f;
  }
  return nullptr;
}

struct statistics_object {
  static constexpr unsigned words = 350;

  array<std::uint32_t, words> word{};

  friend constexpr bool operator==(const statistics_object&, const statistics_object&) = default;
};
static_assert(sizeof(statistics_object) == 1400);

namespace detail {

// A number of cycles as the object holds it: toward zero, the largest integer where it is more.
[[nodiscard]] constexpr std::int32_t whole_cycles(double cycles) {
  if (!(cycles > 0)) return 0;
  return cycles < 2147483647.0 ? static_cast<std::int32_t>(cycles) : 2147483647;
}

constexpr bool map_is_in_order() {
  unsigned next = 0;
  for (const statistics_field& f : statistics_map) {
    if (f.index < next) return false;
    next = f.index + 1;
  }
  return next <= statistics_object::words;
}
static_assert(map_is_in_order(), "each word once");

}  // namespace detail

[[nodiscard]] constexpr statistics_object encode(const guidance_numbers& n) {
  statistics_object o;
  for (const statistics_field& f : statistics_map) {
    std::uint32_t& word = o.word[f.index];
    if (f.type == statistics_type::integer) word = static_cast<std::uint32_t>(n.*f.integer);
    if (f.type == statistics_type::single) word = __builtin_bit_cast(std::uint32_t, n.*f.single);
    if (f.type == statistics_type::cycles) word = static_cast<std::uint32_t>(detail::whole_cycles(n.*f.cycles));
  }
  return o;
}

[[nodiscard]] constexpr guidance_numbers decode(const statistics_object& o) {
  guidance_numbers n;
  for (const statistics_field& f : statistics_map) {
    const std::uint32_t word = o.word[f.index];
    if (f.type == statistics_type::integer) n.*f.integer = static_cast<std::int32_t>(word);
    if (f.type == statistics_type::single) n.*f.single = __builtin_bit_cast(float, word);
    if (f.type == statistics_type::cycles) n.*f.cycles = static_cast<double>(static_cast<std::int32_t>(word));
  }
  return n;
}

}  // namespace ww::report
