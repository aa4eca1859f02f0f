// SPDX-License-Identifier: BSL-1.0
//
// Real listings: the bound holds for any legal order, and the model reproduces the compiler's own stalls.
#include <cmath>

#include <warpwright/model/bound.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/sass/listing.hpp>

#include "scoreboard/support.hpp"
#include "support/corpus.hpp"

using namespace ww;

namespace {

struct totals {
  std::size_t programs = 0;
  std::size_t pairs = 0;
  double log_after = 0;
  double log_bound = 0;
  std::vector<std::string> bad;
};

// Fixed-latency results of a block are read no earlier than the tightest distance, by the compiler's own stalls.
template <class Arch>
void check_law(const program& p, const std::string& what, totals& t) {
  struct write {
    std::int32_t time = -100000;
    access_point who;
  };
  model::register_units units;
  units.build(p);
  std::vector<write> last(units.count);
  std::int32_t clock = 0;
  for (const block& b : p.blocks) {
    clock += 1000;
    const std::int32_t start = clock;
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      if (i.has(iflag::never)) {  // fillers that never act still pass their stall
        clock += i.ctl.stall;
        continue;
      }
      const bool guarded = i.has(iflag::guarded);
      for (const operand o : p.operands_of(i)) {
        const std::uint32_t u = units.first(o);
        if (u == model::register_units::none || o.is_def()) continue;
        for (unsigned k = 0; k < model::register_units::width(o); ++k) {
          const write& w = last[u + k];
          if (w.time < start || (w.who.guarded && guarded)) continue;
          const access_point me{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), guarded};
          ++t.pairs;
          if (clock - w.time < static_cast<std::int32_t>(Arch::latency::raw(w.who, me).check) && t.bad.size() < 10) {
            t.bad.push_back(what + " closer than the tightest distance at " + std::to_string(i.address));
          }
        }
      }
      for (const operand o : p.operands_of(i)) {
        const std::uint32_t u = units.first(o);
        if (u == model::register_units::none || !o.is_def()) continue;
        const bool counted = Arch::latency::variable(i.iclass) || i.ctl.sets_write();
        for (unsigned k = 0; k < model::register_units::width(o); ++k) {
          last[u + k] = {counted ? -100000 : clock, {i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), guarded}};
        }
      }
      clock += i.ctl.drains() ? 1000 : i.ctl.stall;
    }
  }
}

template <class Arch>
void judge(const program& read, const std::string& what, totals& t) {
  static scoreboard::workspace sw;
  static model::workspace ws;
  static dependence_graph g;
  static graph_workspace gw;
  check_law<Arch>(read, what, t);
  const double before = model::simulate<Arch>(read, {}, ws).cycles;
  const double bound = model::lower_bound<Arch>(read, {}, ws).cycles;
  std::mt19937 random(99);
  double first = 0;
  for (int round = 0; round < 3; ++round) {
    program p = read;
    if (round != 0) ww_test::shuffle_legally<Arch>(p, random, g, gw);
    scoreboard::assign_control<Arch>(p, sw);
    const double after = model::simulate<Arch>(p, {}, ws).cycles;
    if (round == 0) first = after;
    if (after < bound * (1 - 1e-9) && t.bad.size() < 10) {
      t.bad.push_back(what + " bound " + std::to_string(bound) + " above " + std::to_string(after));
    }
    const double again = model::simulate<Arch>(p, {}, ws).cycles;
    if (again < after || again > after) t.bad.push_back(what + " not the same cycles the second time");
  }
  if (before > 0 && first > 0 && bound > 0) {
    t.log_after += std::log(first / before);
    t.log_bound += std::log(bound / before);
    ++t.programs;
  }
}

}  // namespace

TEST_CASE("model corpus: the bound is below every legal order, the compiler's distances are reproduced") {
  totals t;
  using archs = meta::type_list<sm75, sm80, sm86, sm89, sm90, sm90a>;
  for (const std::string& path : ww_test::corpus::listings()) {
    if (path.find("-O0") != std::string::npos) continue;
    const std::string text = ww_test::corpus::text(path);
    const auto r = sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!r) continue;
    for (program p : r.mod.sections) {
      if (!build_cfg(p).ok) continue;
      const std::string what(ww_test::corpus::file_name(path));
      detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() { judge<Arch>(p, what, t); });
    }
  }
  for (const std::string& b : t.bad) UNSCOPED_INFO(b);
  CHECK(t.bad.empty());
  REQUIRE(t.programs > 0);
  const double n = static_cast<double>(t.programs);
  const double after = std::exp(t.log_after / n);
  WARN(t.programs << " programs, " << t.pairs << " pairs; same order, new words: " << after
                  << " of the compiler's cycles, bound " << std::exp(t.log_bound / n));
  CHECK(after <= 1.0);
}
