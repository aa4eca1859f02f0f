// SPDX-License-Identifier: BSL-1.0
//
// The lower bound against every legal order of small random blocks, on every SM: none costs less, and often one costs just that.
// And against compiled code as it came, block by block, and for several warps where every block weighs as often as it runs.
#include <warpwright/model/bound.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <warpwright/model/simulate.hpp>
#include <warpwright/sass/listing.hpp>

#include "scoreboard/support.hpp"
#include "support/corpus.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

struct tally {
  unsigned blocks = 0;
  unsigned orders = 0;
  unsigned tight = 0;  // blocks whose best order costs the bound
  double best = 0;     // sum of the best orders' cycles
  double bound = 0;    // and of the bounds
  std::vector<std::string> bad;
};

template <class Arch>
class texts {
 public:
  explicit texts(std::mt19937& random) : random_(random) {}

  std::string block(unsigned guards) {
    std::string t;
    const unsigned n = 2 + roll(5);
    for (unsigned k = 0; k < n; ++k) t += guard(guards) + line();
    return t + (roll(2) != 0 ? "EXIT\n" : "@P0 EXIT\nNOP\nEXIT\n");
  }

 private:
  static constexpr bool old = dialect_of(Arch::id).word64;

  unsigned roll(unsigned n) { return static_cast<unsigned>(random_() % n); }
  // Few registers, so that they meet.
  std::string reg(unsigned width = 1) { return "R" + std::to_string(roll(16 / width) * width); }
  std::string at() { return "[" + reg(2) + (old ? "]" : ".64]"); }
  std::string wide() {
    const char* const w[] = {"", ".64", ".128"};
    return w[roll(3)];
  }
  std::string guard(unsigned often) {
    if (roll(often) != 0) return {};
    const char* const g[] = {"@P0 ", "@!P0 ", "@P1 "};
    return g[roll(3)];
  }
  static unsigned width_of(const std::string& w) { return w == ".128" ? 4 : w == ".64" ? 2 : 1; }

  std::string line() {
    const std::string w = wide();
    switch (roll(old ? 13 : 17)) {
      case 0:
        return "FADD " + reg() + ", " + reg() + ", " + reg() + "\n";
      case 1:
        return "FFMA " + reg() + ", " + reg() + ", " + reg() + ", " + reg() + "\n";
      case 2:
        return old ? "IADD " + reg() + ", " + reg() + ", " + reg() + "\n"
                   : "IADD3 " + reg() + ", " + reg() + ", " + reg() + ", RZ\n";
      case 3:
        return "MUFU.RCP " + reg() + ", " + reg() + "\n";
      case 4:
        return "LDG.E" + w + " " + reg(width_of(w)) + ", " + at() + "\n";
      case 5:
        return "STG.E" + w + " " + at() + ", " + reg(width_of(w)) + "\n";
      case 6:
        return "LDS" + w + " " + reg(width_of(w)) + ", [" + reg() + "]\n";
      case 7:
        return "ISETP.LT.AND P" + std::to_string(roll(2)) + ", PT, " + reg() + ", " + reg() + ", PT\n";
      case 8:
        return "MOV " + reg() + ", " + reg() + "\n";
      case 9:
        return "DADD " + reg(2) + ", " + reg(2) + ", " + reg(2) + "\n";
      case 10:
        return "STS" + w + " [" + reg() + "], " + reg(width_of(w)) + "\n";
      case 11:
        return roll(2) != 0 ? "S2R " + reg() + ", SR_TID.X\n" : "BAR.SYNC 0x0\n";
      case 12:
        return "LD.E" + w + " " + reg(width_of(w)) + ", " + at() + "\n";
      case 13:
        return "IMAD.WIDE " + reg(2) + ", " + reg() + ", " + reg() + ", " + reg(2) + "\n";
      case 14:
        return "SHFL.IDX PT, " + reg() + ", " + reg() + ", " + reg() + ", 0x1f\n";
      case 15:
        return "DFMA " + reg(2) + ", " + reg(2) + ", " + reg(2) + ", " + reg(2) + "\n";
      default:
        return "HMMA.16816.F32 " + reg(4) + ", " + reg(4) + ", " + reg(2) + ", " + reg(4) + "\n";
    }
  }

  std::mt19937& random_;
};

// Calls `f` for legal orders of the first block, at most so many.
template <class Arch, class F>
class orders {
 public:
  orders(program& p, unsigned most, F& f) : p_(p), left_(most), f_(f) {
    const auto now = p.order_of(p.blocks[0]);
    came_.assign(now.begin(), now.end());
    build_graph<Arch>(p, came_, graph_, space_);
    missing_.resize(came_.size());
    for (std::uint32_t i = 0; i < came_.size(); ++i) missing_[i] = static_cast<std::uint32_t>(graph_.pred(i).size());
    taken_.assign(came_.size(), false);
    next();
  }

 private:
  void next() {
    if (left_ == 0) return;
    if (place_ == came_.size()) {
      --left_;
      f_(p_);
      return;
    }
    for (std::uint32_t i = 0; i < came_.size(); ++i) {
      if (taken_[i] || missing_[i] != 0) continue;
      taken_[i] = true;
      p_.order_of(p_.blocks[0])[place_++] = came_[i];
      for (const auto& e : graph_.succ(i)) --missing_[e.to];
      next();
      for (const auto& e : graph_.succ(i)) ++missing_[e.to];
      --place_;
      taken_[i] = false;
    }
  }

  program& p_;
  unsigned left_;
  F& f_;
  std::vector<instr_id> came_;
  std::vector<std::uint32_t> missing_;
  std::vector<bool> taken_;
  std::uint32_t place_ = 0;
  dependence_graph graph_;
  graph_workspace space_;
};

template <class Arch>
void judge(const std::string& text, tally& t) {
  static scoreboard::workspace sw;
  static model::workspace ws;
  program p = program_of<Arch>(text);
  const double bound = model::lower_bound<Arch>(p, {}, ws).blocks[0];
  const double all = model::lower_bound<Arch>(p, {.warps = 3}, ws).cycles;
  double best = 1e9;
  const auto complain = [&](const char* what, double cost, double limit) {
    if (t.bad.size() < 5)
      t.bad.push_back("SM " + std::to_string(static_cast<unsigned>(Arch::id)) + ", " + what + " " + std::to_string(cost) +
                      ", bound " + std::to_string(limit) + "\n" + text);
  };
  const auto price = [&](program& q) {
    ++t.orders;
    scoreboard::assign_control<Arch>(q, sw);
    best = std::min(best, model::simulate<Arch>(q, {}, ws).block_cycles[0]);
    const double three = t.orders % 8 == 0 ? model::simulate<Arch>(q, {.warps = 3}, ws).cycles : all;
    if (three < all * (1 - 1e-9)) complain("three warps", three, all);
  };
  orders<Arch, decltype(price)>(p, 500, price);
  ++t.blocks;
  if (best < bound) complain("one warp", best, bound);
  t.tight += best <= bound ? 1u : 0u;
  t.best += best;
  t.bound += bound;
}

struct compiled {
  unsigned programs = 0;
  unsigned blocks = 0;
  unsigned pairs = 0;  // instructions that issue with the next one
  std::vector<std::string> bad;
};

template <class Arch>
void judge_compiled(program p, const std::string& what, compiled& t) {
  static model::workspace ws;
  ++t.programs;
  for (const instruction& i : p.instructions) t.pairs += i.ctl.stall == 0 && !i.ctl.yield ? 1u : 0u;
  const auto above = [](double bound, double cost) { return bound > cost * (1 + 1e-9); };
  const model::cost c = model::simulate<Arch>(p, {}, ws);
  const std::vector<double> cycles(c.block_cycles.begin(), c.block_cycles.end());
  const model::bound_result b = model::lower_bound<Arch>(p, {}, ws);
  for (std::size_t k = 0; k < cycles.size(); ++k) {
    if (!p.blocks[k].reachable || p.blocks[k].padding) continue;
    ++t.blocks;
    if (above(b.blocks[k], cycles[k])) {
      t.bad.push_back(what + " block " + std::to_string(k) + " costs " + std::to_string(cycles[k]) + ", bound " +
                      std::to_string(b.blocks[k]));
    }
  }
  vec<std::uint32_t> trace;
  model::detail::make_trace(p, trace);
  for (block& k : p.blocks) k.weight = 0;
  for (const std::uint32_t k : trace) ++p.blocks[k].weight;
  for (const unsigned warps : {2u, 7u}) {
    const double cost = model::simulate<Arch>(p, {.warps = warps}, ws).cycles;
    const double bound = model::lower_bound<Arch>(p, {.warps = warps}, ws).cycles;
    if (above(bound, cost)) {
      t.bad.push_back(what + " for " + std::to_string(warps) + " warps costs " + std::to_string(cost) + ", bound " +
                      std::to_string(bound));
    }
  }
}

}  // namespace

TEST_CASE("model bound: compiled code costs no less, block by block and for several warps") {
  compiled t;
  std::vector<std::string> paths = ww_test::corpus::listings();
  for (const char* folder : {"listings_short", "listings_rare", "listings_blackwell", "listings_versions"}) {
    const std::vector<std::string> more = ww_test::corpus::files(ww_test::corpus::bundled(folder));
    paths.insert(paths.end(), more.begin(), more.end());
  }
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    const auto r = sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!r) continue;
    for (program p : r.mod.sections) {
      if (!build_cfg(p).ok || !p.has_control) continue;
      const std::string what(ww_test::corpus::file_name(path));
      detail::visit_arch_in(all_archs{}, nearest_sm(p.sm), [&]<class Arch>() { judge_compiled<Arch>(p, what, t); });
    }
  }
  INFO(t.programs << " programs, " << t.blocks << " blocks, " << t.pairs << " pairs");
  for (const std::string& b : t.bad) UNSCOPED_INFO(b);
  CHECK(t.bad.empty());
  CHECK(t.programs > 100);
  CHECK(t.pairs > 50);
}

TEST_CASE("model bound: no legal order of a small block costs less, on any SM, and often one costs just that") {
  std::mt19937 random(20261129);
  meta::for_each<all_archs>([&random]<class Arch>() {
    tally t;
    texts<Arch> make(random);
    for (unsigned k = 0; k < 150; ++k) judge<Arch>(make.block(k % 3 == 0 ? 2 : 8), t);
    INFO("SM " << static_cast<unsigned>(Arch::id) << ": " << t.tight << " of " << t.blocks << " blocks, " << t.orders
               << " orders, bounds " << t.bound << " of " << t.best);
    for (const std::string& b : t.bad) UNSCOPED_INFO(b);
    CHECK(t.bad.empty());
    CHECK(t.orders > 8 * t.blocks);
    // 31 to 52 of 100; where two may issue together, which words made here never ask for, 2 to 4
    CHECK(t.tight >= (dialect_of(Arch::id).word64 ? 2u : t.blocks / 4));
    CHECK(t.bound > 0.7 * t.best);  // 0.74 to 0.84; blocks differ by compiler, in which order numbers are drawn
  });
}
