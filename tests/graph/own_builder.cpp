// SPDX-License-Identifier: BSL-1.0
//
// Graph builders of one's own: what they leave is held against the block before anything walks it.
#include <cstdint>

#include <warpwright/graph/spaced_spills.hpp>
#include <warpwright/pipeline/order_search.hpp>
#include <warpwright/strategies.hpp>
#include <warpwright/tools.hpp>

#include "support/catch.hpp"

namespace {

using namespace ww;
using o = operand;

// `Answer` changes what last_writer has built.
template <class Answer>
struct builder {
  using role = ww::role::graph_builder;
  static constexpr const char* name = "builder";
  template <class Cycles, class Disambiguation>
  constexpr static void build(const program& p, span<const instr_id> order, dependence_graph& out, graph_workspace& ws) {
    last_writer::build<Cycles, Disambiguation>(p, Answer::part(order), out, ws);
    Answer::change(out);
  }
};
struct unchanged {
  static constexpr span<const instr_id> part(span<const instr_id> order) { return order; }
  static constexpr void change(dependence_graph&) {}
};
struct no_nodes : unchanged {
  static constexpr void change(dependence_graph& g) { g.reset(0); }
};
struct many_nodes : unchanged {
  static constexpr void change(dependence_graph& g) { g.reset(g.count + 1000); }
};
struct one_node_less : unchanged {
  static constexpr void change(dependence_graph& g) { --g.count; }
};
struct first_half : unchanged {  // the rest of pred_first holds anything
  static constexpr span<const instr_id> part(span<const instr_id> order) { return order.subspan(0, order.size() / 2); }
  static constexpr void change(dependence_graph& g) {
    for (std::uint32_t i = g.count / 2; i < g.count; ++i) g.pred_first[i] = 0x7fffffffu;
  }
};
struct edge_beyond : unchanged {
  static constexpr void change(dependence_graph& g) {
    const std::uint32_t nodes = g.count;
    g.reset(nodes);
    g.add(0, nodes + 100000, 1, dependence_kind::raw);
  }
};
struct edge_from_beyond : unchanged {
  static constexpr void change(dependence_graph& g) {
    const std::uint32_t nodes = g.count;
    g.reset(nodes);
    g.add(nodes, 1, 1, dependence_kind::raw);
  }
};
struct placed_backward : unchanged {
  static constexpr void change(dependence_graph& g) { g.added[0].from = g.added[0].to; }
};
struct circle : unchanged {
  static constexpr void change(dependence_graph& g) {
    const std::uint32_t nodes = g.count;
    g.reset(nodes);
    g.add(0, 1, 1, dependence_kind::raw);
    g.add(1, 0, 1, dependence_kind::raw);
  }
};

// Loads in front of what uses them: every order but the first gains something.
program loads_and_uses() {
  isa::builder b(dialect_of(sm80::id));
  for (unsigned i = 0; i < 12; ++i) {
    b.emit(opcode::ldg, {o::def(R(16 + i), slot::dst), o::use(R(2), slot::address, 2), o::use(UR(4), slot::desc, 2)})
        .memory(mem_space::global, mem_dir::load, 4, static_cast<int>(4 * i));
    b.emit(opcode::fadd, {o::def(R(40 + i), slot::dst), o::use(R(16 + i), slot::a), o::use(R(1), slot::b)});
  }
  b.emit(opcode::exit, {});
  program p = b.finish();
  REQUIRE(build_cfg(p).ok);
  return p;
}

template <class Answer, class... Policies>
schedule_result result_of(program& p) {
  using sched = scheduler<sm80, builder<Answer>, Policies...>;
  p = loads_and_uses();
  return sched{}.run(p, {.warps = 1});
}
template <class Answer, class... Policies>
void refuse() {
  program p;
  const schedule_result r = result_of<Answer, Policies...>(p);
  CHECK(r.failed);
  CHECK(r.proved);
  CHECK(p.order == loads_and_uses().order);
}

}  // namespace

TEST_CASE("PLS-8 a graph builder of one's own that leaves no graph of the block is refused") {
  refuse<no_nodes>();
  refuse<many_nodes>();
  refuse<one_node_less>();
  refuse<first_half>();
  refuse<edge_beyond>();
  refuse<edge_from_beyond>();
  refuse<placed_backward>();
  refuse<circle>();
  refuse<no_nodes, strategy::permutation<>>();
  refuse<edge_beyond, strategy::backtracking<>>();
}

TEST_CASE("PLS-8 a graph builder of one's own that builds what last_writer does is taken") {
  program own;
  const schedule_result r = result_of<unchanged>(own);
  program p = loads_and_uses();
  const schedule_result by_kit = scheduler<sm80>{}.run(p, {.warps = 1});
  CHECK_FALSE(r.failed);
  CHECK(own.order == p.order);
  CHECK_FALSE(own.order == loads_and_uses().order);
  CHECK(r.cycles_after == by_kit.cycles_after);
}

TEST_CASE("PLS-8 searches and builders that wrap it see source order in place of a refused graph") {
  program p = loads_and_uses();
  CHECK(order_search<scheduler<sm80, builder<many_nodes>>>::run(p, {{.warps = 1}, 50}).proved);
  CHECK(p.order == loads_and_uses().order);
  p = loads_and_uses();
  dependence_graph g;
  graph_workspace ws;
  build_graph<sm80, spaced_spills<builder<edge_beyond>>>(p, p.order, g, ws);
  CHECK(g.refused);
  CHECK(g.count == p.order.size());
  CHECK(g.edges.size() == p.order.size() - 1);
  build_graph<sm80, spaced_spills<builder<unchanged>>>(p, p.order, g, ws);
  CHECK_FALSE(g.refused);
}
