// SPDX-License-Identifier: BSL-1.0
//
// Control words and simulation on real programs: bench_scoreboard [--check] [LISTING...]; without listings, the bundled
// ones.
//
// Per program the fastest of several repeats with a warm workspace, in processor time; printed as ns per instruction over all
// programs, and as the median of the programs. The same per block of 16 instructions and more, as a program of its own; printed as
// the median of the blocks, as bench_graph does. What does not depend on the order is decoded once for
// all orders of a program (scoreboard/decode.hpp) and is timed by itself: a scheduler makes words for four or five orders, the
// search for the cheapest words for hundreds. Budget of the control words of an order: 50 ns per instruction of a block.
// --check fails (exit 1) above `limit` for whole programs, whose loops are walked more than once, and above `block_limit` for
// the median block: ratios to the work of bench/reference.hpp that is timed in the same run, which keep what was reached from
// getting lost. No program at all is exit 2.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/scoreboard/assign.hpp>

#include "listings.hpp"
#include "reference.hpp"

namespace {

// A block as a program of its own: nothing comes in, and what leaves is not looked at.
ww::program alone(const ww::program& from, const ww::block& b) {
  ww::program p;
  p.sm = from.sm;
  p.register_count = from.register_count;
  p.has_control = from.has_control;
  p.has_encoding = from.has_encoding;
  for (const ww::instr_id id : from.order_of(b)) {
    ww::instruction i = from[id];
    const auto operands = from.operands_of(i);
    i.first_operand = static_cast<std::uint32_t>(p.operands.size());
    i.target = {};
    p.operands.insert(p.operands.end(), operands.begin(), operands.end());
    p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
    p.instructions.push_back(i);
  }
  ww::block own;
  own.count = static_cast<std::uint32_t>(p.order.size());
  own.reachable = own.entry = true;
  p.blocks.push_back(own);
  return p;
}

// Fastest of several repeats, ns per instruction: a neighbour of the machine only ever lengthens one. A repeat is long enough
// that asking for the time does not count.
template <class F>
double fastest(const ww::program& p, F&& f, std::size_t instructions = 8000) {
  const std::size_t inner = std::max<std::size_t>(1, instructions / p.order.size());
  double best = 1e30;
  for (int k = 0; k < 15; ++k) {
    const double begin = ww_bench::now();
    for (std::size_t n = 0; n < inner; ++n) f();
    best = std::min(best, ww_bench::now() - begin);
  }
  return best / static_cast<double>(inner * p.order.size());
}

constexpr std::uint32_t least_block = 16;  // instructions

double median(std::vector<double>& v) {
  if (v.empty()) return 0;
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

}  // namespace

int main(int argc, char** argv) {
  ww::scoreboard::workspace ws;
  ww::model::workspace mw;
  double words = 0;
  double decoding = 0;
  double one = 0;
  double eight = 0;
  double instructions = 0;
  using archs = ww::meta::type_list<ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a>;
  ww_bench::arguments arguments(argc, argv);
  std::vector<std::string>& paths = arguments.paths;
  if (paths.empty()) paths = ww_test::corpus::files(ww_test::corpus::bundled("listings"));
  std::vector<double> of_programs;
  std::vector<double> of_blocks;
  std::vector<double> decoding_blocks;
  const double reference_before = ww_bench::reference();
  const unsigned unusable = ww_bench::each_program(paths, [&](ww::program& p) {
    ww::detail::visit_arch_in(archs{}, ww::nearest_sm(p.sm), [&]<class Arch>() {
      const auto count = static_cast<double>(p.order.size());
      decoding += count * fastest(p, [&] { ww::scoreboard::decode_program<Arch>(p, ws); });
      of_programs.push_back(fastest(p, [&] { (void)ww::scoreboard::assign_decoded<Arch>(p, ws); }));
      words += count * of_programs.back();
      one += count * fastest(p, [&] { (void)ww::model::simulate<Arch>(p, {}, mw); });
      eight += count * fastest(
                           p, [&] { (void)ww::model::simulate<Arch>(p, {.warps = 8}, mw); }, 300);
      instructions += count;
      for (const ww::block& b : p.blocks) {
        if (b.count < least_block || b.padding) continue;
        ww::program block = alone(p, b);
        decoding_blocks.push_back(fastest(block, [&] { ww::scoreboard::decode_program<Arch>(block, ws); }));
        of_blocks.push_back(fastest(block, [&] { (void)ww::scoreboard::assign_decoded<Arch>(block, ws); }));
      }
    });
  });
  if (unusable != 0 || instructions <= 0) {
    std::fprintf(stderr, "a listing cannot be read, or there is no program in them\n");
    return 2;
  }
  const double reference = (reference_before + ww_bench::reference()) / 2;
  constexpr double budget = 50;        // ns per instruction
  constexpr double limit = 4.0;        // sorted numbers per instruction
  constexpr double block_limit = 2.0;  // the same, of the median block
  const double ns = words / instructions;
  std::printf(
      "ns per instruction: control words %.1f (budget %.0f), decoding %.1f, simulation of one warp %.1f, of eight warps "
      "%.1f "
      "(%.0f instructions)\n",
      ns, budget, decoding / instructions, one / instructions, eight / instructions, instructions);
  std::printf("control words: median of %zu programs %.1f ns\n", of_programs.size(), median(of_programs));
  const double of_block = median(of_blocks);
  std::printf(
      "control words: median of %zu blocks of %u and more %.1f ns (budget %.0f), %.2f of one sorted number; decoding %.1f "
      "ns\n",
      of_blocks.size(), least_block, of_block, budget, of_block / reference, median(decoding_blocks));
  std::printf("ratio: control words %.2f of one sorted number, %.1f ns (limit %.2f), median block %.2f (limit %.2f)\n",
              ns / reference, reference, limit, of_block / reference, block_limit);
  return arguments.check && (ns / reference > limit || of_block / reference > block_limit) ? 1 : 0;
}
