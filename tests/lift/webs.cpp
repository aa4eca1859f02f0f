// SPDX-License-Identifier: BSL-1.0
//
// Webs against a brute-force walk over small programs with branches, loops, calls and unreachable code.
#include <map>
#include <numeric>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/graph/build.hpp>
#include <warpwright/graph/reachability.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>
#include <warpwright/lift/peak_live.hpp>
#include <warpwright/verify/reaching.hpp>

#include "../support/catch.hpp"
#include "../support/random_flow.hpp"
#include "../support/reaching_oracle.hpp"
#include "support.hpp"

namespace {

using ww::fixed_reason;
using ww::lifted_program;
using ww_test::reaching_oracle;

struct sets {
  std::vector<std::size_t> parent;
  explicit sets(std::size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), std::size_t{0}); }
  std::size_t find(std::size_t x) {
    while (parent[x] != x) x = parent[x] = parent[parent[x]];
    return x;
  }
  void join(std::size_t a, std::size_t b) { parent[find(a)] = find(b); }
};

// Operand of every numbered register.
std::vector<std::size_t> operand_of_part(const ww::program& p) {
  std::vector<std::size_t> v;
  for (const ww::instruction& i : p.instructions) {
    for (unsigned k = 0; k < i.operand_count; ++k) {
      for (unsigned w = 0; w < p.operands[i.first_operand + k].width(); ++w) v.push_back(i.first_operand + k);
    }
  }
  return v;
}

bool is_lifted(ww::operand o) { return o.is_register() && ww::pressure_class_of(o.file()) != ww::pressure_class::count; }

// A guarded or partial write as a read too: what it may leave belongs to its web.
ww::program reads_what_it_leaves(const ww::program& p) {
  ww::program q = p;
  q.operands.clear();
  for (ww::instruction& i : q.instructions) {
    const auto first = static_cast<std::uint32_t>(q.operands.size());
    for (const ww::operand o : p.operands_of(i)) {
      q.operands.push_back(o);
      if (o.is_def() && o.is_register() && (o.is_partial() || i.has(ww::iflag::guarded))) {
        q.operands.push_back(ww::operand::use(o.base(), ww::slot::implicit, o.width()));
      }
    }
    i.first_operand = first;
    i.operand_count = static_cast<std::uint8_t>(q.operands.size() - first);
  }
  return q;
}

void check_webs(const ww::program& p, const lifted_program& l) {
  const std::vector<std::size_t> owner = operand_of_part(p);
  const reaching_oracle oracle(p);
  sets least(p.operands.size());
  for (const auto& [use, def] : oracle.pairs) {
    const std::size_t u = owner[static_cast<std::size_t>(use)];
    if (!is_lifted(p.operands[u])) continue;
    REQUIRE(l.web_of_operand[u] != lifted_program::no_web);
    if (def < 0) {  // nobody in the program wrote it
      REQUIRE(l.webs[l.web_of_operand[u]].has(fixed_reason::entry));
      continue;
    }
    const std::size_t d = owner[static_cast<std::size_t>(def)];
    REQUIRE(l.web_of_operand[u] == l.web_of_operand[d]);
    least.join(u, d);
  }
  // What a use sees when a guarded write counts as one: nothing further apart may have been joined.
  const ww::program q = reads_what_it_leaves(p);
  const reaching_oracle wide(q);
  const std::vector<std::size_t> wide_owner = operand_of_part(q);
  sets most(q.operands.size());
  std::map<std::int64_t, std::size_t> by_entry;
  for (const auto& [use, def] : wide.pairs) {
    const std::size_t u = wide_owner[static_cast<std::size_t>(use)];
    if (def < 0) {
      const auto [place, fresh] = by_entry.try_emplace(def, u);
      most.join(u, place->second);
    } else {
      most.join(u, wide_owner[static_cast<std::size_t>(def)]);
    }
  }
  for (std::size_t k = 0; k + 1 < q.operands.size(); ++k) {  // the added read belongs to the write before it
    if (q.operands[k].is_def() && q.operands[k + 1].where() == ww::slot::implicit) most.join(k, k + 1);
  }
  std::vector<std::size_t> place(p.operands.size());
  for (std::size_t i = 0; i < p.instructions.size(); ++i) {
    std::size_t at = q.instructions[i].first_operand;
    for (unsigned k = 0; k < p.instructions[i].operand_count; ++k, ++at) {
      if (q.operands[at].where() == ww::slot::implicit && q.operands[at].is_use()) ++at;
      place[p.instructions[i].first_operand + k] = at;
    }
  }
  std::map<std::size_t, std::size_t> first_of_web;
  std::map<std::size_t, std::uint32_t> web_of_set;
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    if (l.web_of_operand[k] == lifted_program::no_web) {
      REQUIRE(!is_lifted(p.operands[k]));
      continue;
    }
    const auto [one, fresh] = first_of_web.try_emplace(l.web_of_operand[k], k);
    // One web, one set; reads that nothing reaches, in code that nothing reaches, may be joined by their block.
    const ww::web& w = l.webs[l.web_of_operand[k]];
    if (!w.has(fixed_reason::unreachable)) REQUIRE(most.find(place[k]) == most.find(place[one->second]));
    // One set, one web.
    const auto [web, first] = web_of_set.try_emplace(least.find(k), l.web_of_operand[k]);
    REQUIRE(web->second == l.web_of_operand[k]);
  }
}

void check_records(const ww::program& p, const lifted_program& l) {
  std::vector<std::uint32_t> defs(l.webs.size(), 0);
  std::vector<std::uint32_t> uses(l.webs.size(), 0);
  std::array<std::uint32_t, ww::fixed_reason_count> fixed{};
  std::map<std::pair<ww::reg_file, std::uint32_t>, std::size_t> taken;
  for (std::size_t k = 0; k < p.operands.size(); ++k) {
    if (l.web_of_operand[k] == lifted_program::no_web) {
      REQUIRE(l.code.operands[k] == p.operands[k]);
      continue;
    }
    const ww::web& w = l.webs[l.web_of_operand[k]];
    const ww::operand was = p.operands[k];
    const ww::operand now = l.code.operands[k];
    REQUIRE(w.file == was.file());
    REQUIRE(now.base().number() - w.number == was.base().number() - w.original);
    REQUIRE(was.base().number() + was.width() <= w.original + w.width);
    REQUIRE(now.high == was.high);
    REQUIRE(now.base().is_virtual() == !w.is_fixed());
    ++(was.is_def() ? defs : uses)[l.web_of_operand[k]];
    if (now.base().is_virtual() && was.width() > 1 && was.base().number() % was.width() == 0) {
      REQUIRE(now.base().number() % was.width() == 0);
    }
  }
  for (std::size_t w = 0; w < l.webs.size(); ++w) {
    const ww::web& one = l.webs[w];
    REQUIRE(one.defs == defs[w]);
    REQUIRE(one.uses == uses[w]);
    REQUIRE((one.number & (one.alignment - 1u)) == one.phase);
    REQUIRE((one.original & (one.alignment - 1u)) == one.phase);
    ++fixed[static_cast<unsigned>(one.reason)];
    REQUIRE((one.reasons != 0) == one.is_fixed());
    for (unsigned k = 0; !one.is_fixed() && k < one.width; ++k) {
      REQUIRE(taken.try_emplace({one.file, one.number + k}, w).second);  // no two webs share a virtual register
    }
  }
  REQUIRE(fixed == l.fixed);
}

void check_whole(const ww::program& p, const lifted_program& l) {
  check_records(p, l);
  REQUIRE(ww_test::live_lines(p) == ww_test::live_lines(l.code, &l));
  REQUIRE(ww::peak_live(p) == ww::peak_live(l));
  REQUIRE(ww::peak_live(p) == ww_test::highest(ww_test::live_lines(p)));
  const ww::verify::reaching_difference d = ww::verify::same_reaching(p, l.code);
  INFO("use " << d.use.index() << " operand " << int{d.operand});
  REQUIRE(d.ok());
  const ww::lower_result back = ww::lower(l, ww::identity_assignment(l));
  REQUIRE(back.ok());
  REQUIRE(ww_test::identical(back.code, p));
  ww::graph_workspace ws;
  ww::dependence_graph before;
  ww::dependence_graph after;
  ww::reachability x;
  ww::reachability y;
  for (const ww::block& b : p.blocks) {
    ww::build_graph<ww::sm80>(p, p.order_of(b), before, ws);
    ww::build_graph<ww::sm80>(l.code, p.order_of(b), after, ws);
    x.compute(before);
    y.compute(after);
    for (std::uint32_t i = 0; i < b.count; ++i) {
      for (std::uint32_t j = i + 1; j < b.count; ++j) {
        if (y.reaches(i, j)) REQUIRE(x.reaches(i, j));
      }
    }
  }
}

}  // namespace

TEST_CASE("lift: every use is reached by definitions of its own web, and webs are no larger than that") {
  std::size_t webs = 0;
  std::size_t lifted = 0;
  std::size_t unreachable = 0;
  ww::lift_workspace ws;
  lifted_program l;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    ww_test::random_flow_options o;
    o.count = 8 + seed % 40;
    o.registers = 6 + seed % 9;
    const ww::program p = ww_test::random_flow(seed, o);
    INFO("seed " << seed);
    REQUIRE(!p.blocks.empty());
    bool open = false;
    for (const ww::block& b : p.blocks) {
      open = open || b.open_exit;
      unreachable += b.reachable ? 0u : 1u;
    }
    REQUIRE(ww::lift(p, l, ws) == ww::lift_fault::none);
    if (!open) check_webs(p, l);
    check_whole(p, l);
    webs += l.webs.size();
    lifted += l.virtual_webs();
  }
  CHECK(unreachable > 100);
  CHECK(lifted * 5 > webs);
}

TEST_CASE("lift: unknown opcodes, open calls and open branches keep what they may touch") {
  std::size_t unknown = 0;
  std::size_t exits = 0;
  for (unsigned seed = 0; seed < 1500; ++seed) {
    ww_test::random_flow_options o;
    o.count = 10 + seed % 30;
    o.open = true;
    const ww::program p = ww_test::random_flow(seed, o);
    INFO("seed " << seed);
    const lifted_program l = ww::lift(p);
    REQUIRE(l.ok());
    check_whole(p, l);
    unknown += l.fixed[static_cast<unsigned>(fixed_reason::unknown_opcode)];
    exits += l.fixed[static_cast<unsigned>(fixed_reason::open_exit)];
    for (const ww::block& b : p.blocks) {  // nothing that an unknown instruction names may move
      for (const ww::instr_id i : p.order_of(b)) {
        const ww::instruction& ins = p[i];
        for (unsigned k = 0; k < ins.operand_count; ++k) {
          const std::uint32_t w = l.web_of_operand[ins.first_operand + k];
          if (w == lifted_program::no_web) continue;
          if (ins.has(ww::iflag::unknown)) REQUIRE(l.webs[w].has(fixed_reason::unknown_opcode));
          if (ins.has(ww::iflag::indirect) && p.operands[ins.first_operand + k].where() == ww::slot::branch) {
            REQUIRE(l.webs[w].has(fixed_reason::branch_operand));
          }
        }
      }
    }
  }
  CHECK(unknown > 100);
  CHECK(exits > 100);
}
