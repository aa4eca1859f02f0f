// SPDX-License-Identifier: BSL-1.0
//
// The statistics lines of the scheduling guidance (PLS-18), in the order, with the names and the punctuation of the text.
//
//   before allocation   abstract units (fp, shared, controlFlow, ..), commas behind some brackets
//   after allocation    no commas between brackets, one SpillSize, hardware pipes and tensor-core variants in place of the units.
//                       The text lists the lines that are its own; the others are those of before, in the same places. Not "[est
//                       tex] [est pairs]": tex stands among the pipes, and pairs are left to the line of instPairs
//   detail              bits of the user: 3 the detailed statistics, 4 the worst case, 5 the average case; of 4 and 5 one or
//                       neither is written: with both set, the conditions of both lines fail
//   detail_lines        which lines bit 3 stands for. The text marks one (FP16), but its table counts units and throughputs to
//                       them: `marked`, the default, goes by the mark; `table` keeps back the lines est.. and ..thru as well
//   conditions          urregs above the text's 0x5FFF; SharedMem Alloc, instHint and instPairs where they are not zero
//   annotations         lines of the user behind all others, each with "# " in front of it
//
// A sink takes pieces of text, string_view each; every line ends in a line feed. "trancedental" is spelled as in the text.
#pragma once

#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/string_view.hpp"
#include "guidance_numbers.hpp"
#include "text_line.hpp"

namespace ww::report {

struct guidance_detail {
  static constexpr std::uint32_t none = 0;
  static constexpr std::uint32_t statistics = 1u << 3;
  static constexpr std::uint32_t worst_case = 1u << 4;
  static constexpr std::uint32_t average_case = 1u << 5;
};

enum class detail_lines : std::uint8_t { marked, table };

namespace detail {

// Writes the lines of one value.
template <detail_lines Lines, class Sink>
class guidance_writer {
 public:
  constexpr guidance_writer(const guidance_numbers& n, std::uint32_t bits, Sink& sink) : n_(n), bits_(bits), sink_(sink) {}

  constexpr void before(span<const string_view> annotations) {
    head();
    line(
        "# [est latency = %d] [LSpillB=%d] [LRefillB=%d], [SSpillB=%d], [SRefillB=%d], [LowLmemSpillSize=%d] "
        "[FrameLmemSpillSize=%d]\n",
        {d(n_.est_latency), d(n_.l_spill), d(n_.l_refill), d(n_.s_spill), d(n_.s_refill), d(n_.low_spill_size),
         d(n_.frame_spill_size)});
    line("# [LNonSpillB=%d] [LNonRefillB=%d], [NonSpillSize=%d]\n",
         {d(n_.l_non_spill), d(n_.l_non_refill), d(n_.non_spill_size)});
    line("# [Occupancy = %f], [est numDivergentBranches=%d] [attributeMemUsage=%d], [programSize=%d]\n",
         {d(n_.occupancy), d(n_.divergent_branches), d(n_.attribute_bytes), d(n_.program_size)});
    if (units()) {
      line(
          "# [est fp=%d] [est half=%d], [est trancedental=%d], [est ipa=%d], [est shared=%d], [est controlFlow=%d], "
          "[est loadStore=%d]\n",
          {d(n_.est_fp), d(n_.est_half), d(n_.est_transcendental), d(n_.est_ipa), d(n_.est_shared), d(n_.est_control_flow),
           d(n_.est_load_store)});
      line("# [est tex=%d] [est pairs=%d]\n", {d(n_.est_tex), d(n_.est_pairs)});
      line("# [issue thru=%f] [fp thru=%f] [half thru=%f], [trancedental thru=%f], [ipa thru=%f]\n",
           {d(n_.issue_thru), d(n_.fp_thru), d(n_.half_thru), d(n_.transcendental_thru), d(n_.ipa_thru)});
      line("# [shared thru=%f] [controlFlow thru=%f] [texLoadStore thru=%f], [reg thru=%f], [warp thru=%f]\n",
           {d(n_.shared_thru), d(n_.control_flow_thru), d(n_.tex_load_store_thru), d(n_.reg_thru), d(n_.warp_thru)});
    }
    tail(annotations);
  }

  constexpr void after(span<const string_view> annotations) {
    using u = model::guidance_unit;
    using m = model::matrix_pipe;
    head();
    line("# [est latency = %d] [LSpillB=%d] [LRefillB=%d] [SSpillB=%d] [SRefillB=%d] [SpillSize=%d]\n",
         {d(n_.est_latency), d(n_.l_spill), d(n_.l_refill), d(n_.s_spill), d(n_.s_refill), d(n_.spill_size())});
    line("# [LNonSpillB=%d] [LNonRefillB=%d] [NonSpillSize=%d]\n",
         {d(n_.l_non_spill), d(n_.l_non_refill), d(n_.non_spill_size)});
    line("# [Occupancy = %f] [est numDivergentBranches=%d] [attributeMemUsage=%d] [programSize=%d]\n",
         {d(n_.occupancy), d(n_.divergent_branches), d(n_.attribute_bytes), d(n_.program_size)});
    if (units()) {
      line("# [est adu=%d] [est alu=%d] [est cbu=%d] [est fma2x=%d] [est fma=%d] [est half=%d]\n",
           {est(u::adu), est(u::alu), est(u::cbu), est(u::fma2x), est(u::fma), est(u::half)});
      line("# [est trancedental=%d] [est ipa=%d] [est lsu=%d] [est redux=%d]\n",
           {est(u::transcendental), est(u::ipa), est(u::lsu), est(u::redux)});
      line("# [est schedDisp=%d] [est tex=%d] [est ttu=%d] [est udp=%d]\n",
           {est(u::dispatch), est(u::tex), est(u::ttu), est(u::udp)});
      line("# [est imma16816=%d] [est imma16832=%d] [est immaSp8832=%d] [est immaSp16832=%d]\n",
           {est(m::imma16816), est(m::imma16832), est(m::imma_sp8832), est(m::imma_sp16832)});
      line("# [est dmma=%d] [est fma64=%d] [est hmma16816=%d] [est hmma16816f16=%d]\n",
           {est(m::dmma), est(m::fma64), est(m::hmma16816), est(m::hmma16816f16)});
      line("# [est hmma1688=%d] [est hmma1688f16=%d] [est hmmaSp1688=%d] [est hmmaSp1688f16=%d]\n",
           {est(m::hmma1688), est(m::hmma1688f16), est(m::hmma_sp1688), est(m::hmma_sp1688f16)});
      line("# [issue thru=%f] [adu thru=%f] [alu thru=%f] [cbu thru=%f] [fma2x thru=%f] [fma thru=%f]\n",
           {d(n_.issue_thru), thru(u::adu), thru(u::alu), thru(u::cbu), thru(u::fma2x), thru(u::fma)});
      line("# [trancedental thru=%f] [ipa thru=%f] [lsu thru=%f] [redux thru=%f]\n",
           {thru(u::transcendental), thru(u::ipa), thru(u::lsu), thru(u::redux)});
      line("# [schedDisp thru=%f] [tex thru=%f] [ttu thru=%f] [udp thru=%f]\n",
           {thru(u::dispatch), thru(u::tex), thru(u::ttu), thru(u::udp)});
      line("# [imma16816 thru=%f] [imma16832 thru=%f] [immaSp8832 thru=%f] [immaSp16832 thru=%f]\n",
           {thru(m::imma16816), thru(m::imma16832), thru(m::imma_sp8832), thru(m::imma_sp16832)});
      line("# [dmma thru=%f] [fma64 thru=%f] [hmma16816 thru=%f] [hmma16816f16 thru=%f]\n",
           {thru(m::dmma), thru(m::fma64), thru(m::hmma16816), thru(m::hmma16816f16)});
      line("# [hmma1688 thru=%f] [hmma1688f16 thru=%f] [hmmaSp1688 thru=%f] [hmmaSp1688f16 thru=%f]\n",
           {thru(m::hmma1688), thru(m::hmma1688f16), thru(m::hmma_sp1688), thru(m::hmma_sp1688f16)});
      line("# [reg thru=%f] [warp thru=%f]\n", {d(n_.reg_thru), d(n_.warp_thru)});
    }
    tail(annotations);
  }

 private:
  static constexpr double d(std::int32_t v) { return v; }
  static constexpr double d(float v) { return double{v}; }
  [[nodiscard]] constexpr double est(model::guidance_unit u) const { return d(n_.pipes[static_cast<std::size_t>(u)]); }
  [[nodiscard]] constexpr double est(model::matrix_pipe m) const { return d(n_.matrix[static_cast<std::size_t>(m)]); }
  [[nodiscard]] constexpr double thru(model::guidance_unit u) const { return d(n_.pipe_thru[static_cast<std::size_t>(u)]); }
  [[nodiscard]] constexpr double thru(model::matrix_pipe m) const { return d(n_.matrix_thru[static_cast<std::size_t>(m)]); }
  [[nodiscard]] constexpr bool detailed() const { return (bits_ & guidance_detail::statistics) != 0; }
  [[nodiscard]] constexpr bool units() const { return Lines == detail_lines::marked || detailed(); }

  constexpr void line(string_view format, std::initializer_list<double> numbers) {
    sink_(text_line(format, numbers).view());
  }

  constexpr void head() {
    line("# %d instructions, %d R-regs\n", {d(n_.instructions()), d(n_.registers())});
    line("# [inst=%d] [texInst=%d] [tepid=%d] [rregs=%d]\n",
         {d(n_.instructions()), d(n_.texture_inst), d(n_.tepid_inst), d(n_.registers())});
    if (n_.has_uniform_registers()) line("# [urregs=%d]\n", {d(n_.uniform_registers)});
    line("# [_lat2inst=%.1f]\n", {d(n_.lat2inst)});
    if (detailed()) {
      line("# [FP16 inst=%d] [FP16 VectInst=%d] [Percentage Vectorized=%.2f]\n",
           {d(n_.fp16_inst), d(n_.fp16_vector_inst), d(n_.fp16_vectorized)});
    }
  }

  constexpr void tail(span<const string_view> annotations) {
    if (n_.shared_alloc_thru != 0) line("# [SharedMem Alloc thru=%f]\n", {d(n_.shared_alloc_thru)});
    line("# [partially unrolled loops=%d] [non-unrolled loops=%d]\n",
         {d(n_.partially_unrolled_loops), d(n_.non_unrolled_loops)});
    line("# [CB-Bound Tex=%d] [UR-Bound Tex=%d] [Bindless Tex=%d] [Partially Bound Tex=%d]\n",
         {d(n_.constant_tex), d(n_.uniform_tex), d(n_.bindless_tex), d(n_.partially_bound_tex)});
    line("# [UDP inst=%d] [numVecToURConverts inst=%d]\n", {d(n_.uniform_inst), d(n_.vector_to_uniform)});
    line("# [maxNumLiveValuesAtSuspend=%d]\n", {d(n_.live_at_suspend)});
    line("# [Precise inst=%d]\n", {d(n_.precise_inst)});
    constexpr std::uint32_t both = guidance_detail::worst_case | guidance_detail::average_case;
    if ((bits_ & both) == guidance_detail::worst_case) line("# [worstcaseLat=%f]\n", {n_.worst_latency});
    if ((bits_ & both) == guidance_detail::average_case) line("# [avgcaseLat=%f]\n", {n_.average_latency});
    if (n_.inst_pairs != 0) line("# [instHint=%d] [instPairs=%d]\n", {d(n_.inst_hint), d(n_.inst_pairs)});
    for (string_view text : annotations) {
      for (bool more = true; more;) {  // a line of its own for each line of it
        const std::size_t end = text.find('\n');
        more = end != string_view::npos;
        sink_(string_view("# "));
        sink_(text.substr(0, end));
        sink_(string_view("\n"));
        if (more) text.remove_prefix(end + 1);
      }
    }
  }

  const guidance_numbers& n_;
  std::uint32_t bits_;
  Sink& sink_;
};

}  // namespace detail

template <detail_lines Lines = detail_lines::marked, class Sink>
constexpr void write_before_allocation(const guidance_numbers& n, std::uint32_t detail, span<const string_view> annotations,
                                       Sink&& sink) {
  detail::guidance_writer<Lines, Sink>(n, detail, sink).before(annotations);
}

template <detail_lines Lines = detail_lines::marked, class Sink>
constexpr void write_after_allocation(const guidance_numbers& n, std::uint32_t detail, span<const string_view> annotations,
                                      Sink&& sink) {
  detail::guidance_writer<Lines, Sink>(n, detail, sink).after(annotations);
}

}  // namespace ww::report
