// SPDX-License-Identifier: BSL-1.0
//
// The unified engine with its whole priority function, nanoseconds per pick against ready width: bench_ready_width
// [--check].
//
//   width   instructions that are ready at a time: as many independent chains, interleaved, in one block of 4,000
//   kinds   arithmetic, moves, comparisons, loads of global, shared and constant memory, conversions and special functions,
//           in about the shares of the corpus, so that candidates differ in class, latency, registers and counters
//   heads   candidates evaluated per pick (one for each group that the comparison cannot tell apart)
// Only the order is timed (records, ready list, picks), not the graph, not liveness; processor time of this program, best of
// several runs, taken in rounds over all widths, so that a disturbance spoils one round and not a width. Budget: 400 ns per
// instruction at any width, raised by the factor by which the sort of bench/reference.hpp is slower than nominal; --check
// fails (exit 1) above twice that.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "reference.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/unified/unified.hpp"

namespace {

constexpr unsigned block_size = 4000;
constexpr unsigned widths[] = {1, 3, 10, 30, 100, 300, 1000};

ww::program chains(unsigned width) {
  ww::isa::builder b;
  std::uint32_t x = 2463534242u;
  for (unsigned i = 0; i < block_size; ++i) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    const unsigned chain = i % width;
    const std::string r = "R" + std::to_string(1024 + 4 * chain);
    const std::string other = "R" + std::to_string(1024 + 4 * chain + 1);
    const unsigned kind = x % 100;
    std::string text;
    if (kind < 30) {
      text = "FFMA " + r + ", " + r + ", R8, R9";
    } else if (kind < 44) {
      text = "IADD3 " + r + ", " + r + ", R10, RZ";
    } else if (kind < 56) {
      text = "IMAD " + r + ", " + r + ", R11, R12";
    } else if (kind < 64) {
      text = "LOP3.LUT " + r + ", " + r + ", R10, RZ, 0xc0, !PT";
    } else if (kind < 70) {
      text = "MOV " + other + ", " + r;
    } else if (kind < 76) {
      text = "FADD " + r + ", " + other + ", " + r;
    } else if (kind < 80) {
      text = "SHF.R.U32.HI " + r + ", RZ, 0x3, " + r;
    } else if (kind < 84) {
      text = "ISETP.GT.AND P" + std::to_string(x / 128 % 4) + ", PT, " + r + ", R10, PT";
    } else if (kind < 89) {
      text = "LDG.E " + r + ", [R4.64+0x" + std::to_string(chain % 100 * 4) + "]";
    } else if (kind < 94) {
      text = "LDS " + r + ", [" + r + "]";
    } else if (kind < 97) {
      text = "MUFU.RCP " + r + ", " + r;
    } else {
      text = "F2I.TRUNC.NTZ " + r + ", " + r;
    }
    b.text(text);
  }
  b.text("EXIT");
  return b.finish();
}

struct figure {
  double ns = 1e30;  // per instruction
  double heads = 0;  // evaluated per pick
};

constexpr unsigned rounds = 20;
constexpr unsigned runs = 6;  // of a round; the first one warms up

template <class Mode>
bool measure(const ww::program& p, figure& f) {
  using config = ww::config_of<ww::sm80, ww::strategy::unified, Mode>;
  ww::schedule_workspace<config> ws;
  ws.own.live.compute(p);
  ws.at = ww::block_id{0};
  ws.prepared = true;
  ww::build_graph<ww::sm80>(p, p.order, ws.graph, ws.graph_space);
  for (unsigned run = 0; run < runs; ++run) {
    ww::schedule_stats stats;
    ws.own.evaluations = 0;
    const double start = ww_bench::now();
    if (!ww::order_nodes<config>(p, p.order, ws, stats)) return false;
    f.ns = std::min(f.ns, (ww_bench::now() - start) / block_size);
    f.heads = static_cast<double>(ws.own.evaluations) / block_size;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const double before = ww_bench::reference();
  std::printf("%6s  %-18s %-18s %-18s\n%6s  %-18s %-18s %-18s\n", "width", "ilp", "reduce_reg", "dyn_batch", "",
              "ns/pick  heads", "ns/pick  heads", "ns/pick  heads");
  std::vector<ww::program> programs;
  for (const unsigned w : widths) {
    programs.push_back(chains(w));
    if (!ww::build_cfg(programs.back()).ok) return 2;
  }
  std::vector<std::array<figure, 3>> all(programs.size());
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t k = 0; k < programs.size(); ++k) {
      if (!measure<ww::mode::ilp>(programs[k], all[k][0]) || !measure<ww::mode::reduce_reg>(programs[k], all[k][1]) ||
          !measure<ww::mode::dyn_batch>(programs[k], all[k][2])) {
        return 2;
      }
    }
  }
  double worst = 0;
  for (std::size_t k = 0; k < programs.size(); ++k) {
    std::printf("%6u", widths[k]);
    for (const figure& f : all[k]) {
      std::printf("  %7.0f %7.1f   ", f.ns, f.heads);
      worst = std::max(worst, f.ns);
    }
    std::puts("");
  }
  const double slower = std::max(1.0, (before + ww_bench::reference()) / 2 / ww_bench::reference_budget_ns);
  constexpr double budget = 400;
  std::printf("largest: %.0f ns per instruction (budget %.0f, %.2f times slower now than nominal)\n", worst, budget, slower);
  return check && worst > 2 * budget * slower ? 1 : 0;
}
