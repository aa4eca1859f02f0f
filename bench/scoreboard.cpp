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
// Growth: a block of 4,000 instructions against the same code in pieces of 250, and 16 copies of a program behind each other
// against one of them (sm_80; 0 where there is none).
// --check fails (exit 1) above 1.5 times that, above `limit` for whole programs, whose loops are walked more than once, and above `block_limit` for
// the median block: ratios to the work of bench/reference.hpp that is timed in the same run, which keep what was reached from
// getting lost. No program at all is exit 2.
#include <algorithm>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/scoreboard/assign.hpp>

#include "listings.hpp"
#include "reference.hpp"

namespace {

// Appends the instructions `order` of `from` to the one block of `to`, until that has `most`.
void append(ww::program& to, const ww::program& from, std::span<const ww::instr_id> order, std::size_t most) {
  for (const ww::instr_id id : order) {
    if (to.order.size() >= most) return;
    ww::instruction i = from[id];
    if (i.has(ww::iflag::padding)) continue;
    const auto operands = from.operands_of(i);
    i.first_operand = static_cast<std::uint32_t>(to.operands.size());
    i.target = {};
    to.operands.insert(to.operands.end(), operands.begin(), operands.end());
    to.order.push_back(ww::instr_id(static_cast<std::uint32_t>(to.instructions.size())));
    to.instructions.push_back(i);
  }
}

// A block as a program of its own: nothing comes in, and what leaves is not looked at.
ww::program alone(const ww::program& from, const ww::block& b) {
  ww::program p;
  p.sm = from.sm;
  p.register_count = from.register_count;
  p.has_control = from.has_control;
  p.has_encoding = from.has_encoding;
  append(p, from, from.order_of(b), b.count);
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

constexpr std::uint32_t least_block = 16;   // instructions
constexpr std::uint32_t long_block = 4000;  // the same
constexpr std::uint32_t piece = 250;        // of it
constexpr std::uint32_t copies = 16;        // of a program

// Copies of a whole program behind each other, each a kernel of its own.
ww::program repeated(const ww::program& from) {
  ww::program p;
  p.sm = from.sm;
  p.register_count = from.register_count;
  for (std::uint32_t k = 0; k < copies; ++k) {
    const auto first = static_cast<std::uint32_t>(p.instructions.size());
    const auto operand = static_cast<std::uint32_t>(p.operands.size());
    for (ww::instruction i : from.instructions) {
      i.first_operand += operand;
      if (i.target.valid()) i.target = ww::instr_id(i.target.index() + first);
      p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
      p.instructions.push_back(i);
    }
    p.operands.insert(p.operands.end(), from.operands.begin(), from.operands.end());
    ww::function f;
    f.kernel = true;
    f.entry = ww::instr_id(first);
    p.functions.push_back(f);
  }
  if (!ww::build_cfg(p).ok) p = {};
  return p;
}

// What words cost where there is more of the same code, in ns per instruction.
struct growth {
  double small = 0;
  double large = 0;
  [[nodiscard]] double ratio() const { return small > 0 ? large / small : 0; }
};

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
  ww::program joined;           // blocks of sm_80 in one
  ww::program most_of_several;  // the largest program of sm_80 with several blocks and at most 500 instructions
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
      if constexpr (Arch::id == ww::sm80::id) {
        joined.sm = p.sm;
        for (const ww::block& b : p.blocks) append(joined, p, p.order_of(b), long_block);
        if (p.blocks.size() > 1 && p.order.size() <= 500 && p.order.size() > most_of_several.order.size())
          most_of_several = p;
      }
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
  growth of_length;
  growth of_copies;
  if (!joined.order.empty() && most_of_several.order.size() > 1) {
    for (std::size_t had = joined.order.size(); joined.order.size() < long_block;) {
      const std::vector<ww::instr_id> present(joined.order.begin(), joined.order.begin() + static_cast<std::ptrdiff_t>(had));
      append(joined, joined, present, long_block);
    }
    ww::block own;
    own.reachable = own.entry = true;
    const auto words_of = [&](ww::program& p) {
      ww::scoreboard::decode_program<ww::sm80>(p, ws);
      return fastest(p, [&] { (void)ww::scoreboard::assign_decoded<ww::sm80>(p, ws); });
    };
    // In turn, for what runs again and again costs less: its branches are known. Each in a workspace of its own, so that each
    // stays decoded.
    std::vector<ww::program> parts;
    std::vector<ww::scoreboard::workspace> of_parts(long_block / piece);
    own.count = piece;
    for (std::uint32_t first = 0; first < long_block; first += piece) {
      ww::program& part = parts.emplace_back();
      part.sm = joined.sm;
      append(part, joined, std::span(joined.order.data() + first, piece), piece);
      part.blocks.push_back(own);
      ww::scoreboard::decode_program<ww::sm80>(part, of_parts[parts.size() - 1]);
    }
    of_length.small = fastest(joined, [&] {
      for (std::size_t k = 0; k < parts.size(); ++k) (void)ww::scoreboard::assign_decoded<ww::sm80>(parts[k], of_parts[k]);
    });
    own.count = long_block;
    joined.blocks.push_back(own);
    of_length.large = words_of(joined);
    ww::program several = repeated(most_of_several);
    of_copies.small = words_of(most_of_several);
    of_copies.large = several.order.empty() ? 0 : words_of(several);
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
  constexpr double most_growth = 1.5;
  std::printf(
      "growth: a block of %u %.1f ns, the same in pieces of %u %.1f ns, ratio %.2f; %u copies of a program of %zu "
      "instructions %.1f ns, one %.1f ns, ratio %.2f (budget %.2f)\n",
      long_block, of_length.large, piece, of_length.small, of_length.ratio(), copies, most_of_several.order.size(),
      of_copies.large, of_copies.small, of_copies.ratio(), most_growth);
  const bool grows = of_length.ratio() > most_growth || of_copies.ratio() > most_growth;
  return arguments.check && (ns / reference > limit || of_block / reference > block_limit || grows) ? 1 : 0;
}
