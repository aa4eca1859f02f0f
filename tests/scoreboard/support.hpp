// SPDX-License-Identifier: BSL-1.0
//
// Small programs from text, their control words, and an independent verdict on them.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/arch/dialect.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>
#include <warpwright/scoreboard/assign.hpp>
#include <warpwright/verify/hazards.hpp>

#include "support/catch.hpp"
#include "support/program_of.hpp"

namespace ww_test {

// The control word of the n-th instruction.
inline const ww::control& word(const ww::program& p, std::uint32_t n) { return p.instructions[n].ctl; }

inline ww::verify::options hazards_only() {
  ww::verify::options o;
  o.lints = false;
  return o;
}

// Text of the first finding, empty if there is none.
template <class Arch>
std::string first_finding(const ww::program& p) {
  for (const ww::verify::finding& f : ww::verify::check<Arch>(p, hazards_only()).findings) {
    if (f.level != ww::verify::severity::finding) continue;
    return std::string(ww::verify::name(f.kind)) + " " + std::to_string(f.first.valid() ? f.first.index() : 9999) + " -> " +
           std::to_string(f.second.index()) + ", short by " + std::to_string(f.short_by);
  }
  return {};
}

// Replaces the order of every block by a random one that keeps all dependences.
template <class Arch>
void shuffle_legally(ww::program& p, std::mt19937& random, ww::dependence_graph& g, ww::graph_workspace& w) {
  std::vector<ww::instr_id> order;
  std::vector<std::uint32_t> missing;
  std::vector<std::uint32_t> ready;
  for (const ww::block& b : p.blocks) {
    if (b.padding || b.count < 2) continue;
    const auto span = p.order_of(b);
    order.assign(span.begin(), span.end());
    ww::build_graph<Arch>(p, order, g, w);
    missing.assign(order.size(), 0);
    ready.clear();
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      missing[i] = static_cast<std::uint32_t>(g.pred(i).size());
      if (missing[i] == 0) ready.push_back(i);
    }
    std::uint32_t place = 0;
    while (!ready.empty()) {
      const std::size_t pick = random() % ready.size();
      const std::uint32_t i = ready[pick];
      ready[pick] = ready.back();
      ready.pop_back();
      span[place++] = order[i];
      for (const auto& e : g.succ(i)) {
        if (--missing[e.to] == 0) ready.push_back(e.to);
      }
    }
    REQUIRE(place == order.size());
  }
}

}  // namespace ww_test
