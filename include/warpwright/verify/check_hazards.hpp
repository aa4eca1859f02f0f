// SPDX-License-Identifier: BSL-1.0
//
// The hazard checker: is every result waited for, every source read before it is overwritten, on every path?
//
//   auto r = ww::verify::check_hazards<ww::sm90>(program);      if (!r.clean()) for (const auto& f : r.findings) ...
//
// One forward data flow over the whole control-flow graph, to a fixed point: the state of verify/flow_state.hpp (least issue
// distances, counter identities and counts, together) flows along every edge, loops and calls included. At
// a kernel entry, and behind a call whose callee is not known, everything has landed. Encodings are checked instruction by
// instruction (verify/encoding.hpp), operand reuse inside blocks (verify/reuse.hpp). verify/hazards.hpp asks besides for what
// compiled code never does. This folder shares no code with the scheduler or the counter assignment: it knows ir/, isa/ and arch/
// only.
#pragma once

#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"
#include "block_order.hpp"
#include "encoding.hpp"
#include "flow_walk.hpp"
#include "open_exit.hpp"
#include "options.hpp"
#include "report.hpp"
#include "reuse.hpp"

namespace ww::verify {

// Memory of a check, reused from call to call.
struct hazard_workspace {
  detail::walk_memory walk;
  vec<detail::flow_state> in;
  detail::flow_state out;
  vec<detail::access> scratch;
  vec<detail::flight> scratch_flights;
  block_order blocks;
  vec<std::uint64_t> dirty;  // by rank
};

namespace detail {

// Sorts and keeps one finding per pair and register: the gravest, then the one with most cycles short.
inline void tidy(vec<finding>& v, bool notes) {
  if (!notes) {
    v.erase(meta::remove_if(v.begin(), v.end(), [](const finding& f) { return f.level == severity::note; }), v.end());
  }
  ww::detail::sort(v.begin(), v.end(), [](const finding& a, const finding& b) {
    if (a.second != b.second) return a.second < b.second;
    if (a.first != b.first) return a.first < b.first;
    if (a.target.packed != b.target.packed) return a.target.packed < b.target.packed;
    if (a.level != b.level) return a.level > b.level;
    if (a.kind != b.kind) return a.kind < b.kind;
    return a.short_by > b.short_by;
  });
  v.erase(meta::unique(v.begin(), v.end(),
                       [](const finding& a, const finding& b) {
                         const bool pair = a.first.valid() && a.first == b.first;
                         return a.second == b.second && a.first == b.first && a.target == b.target &&
                                (pair || a.kind == b.kind);
                       }),
          v.end());
}

template <class Arch>
void run_flow(const program& p, const options& o, report& r, hazard_workspace& w) {
  walker<Arch> walk(p, o, w.walk);
  walk.begin();
  const auto n = static_cast<std::uint32_t>(p.blocks.size());
  const vec<std::uint32_t>& order = w.blocks.order;
  const vec<std::uint32_t>& rank = w.blocks.rank;
  if (w.in.size() < n) w.in.resize(n);
  for (std::uint32_t b = 0; b < n; ++b) {
    w.in[b].clear();
    w.in[b].reached = w.in[b].changed = p.blocks[b].entry;
  }
  w.dirty.assign((n + 63) / 64, 0);
  auto mark = [&](std::uint32_t at) { w.dirty[at >> 6] |= 1ull << (at & 63u); };
  for (std::uint32_t b = 0; b < n; ++b) {
    if (p.blocks[b].entry) mark(rank[b]);
  }
  vec<flow_state>& in = w.in;
  w.out.accesses.make_room(w.walk.registers.accesses());
  w.out.flights.make_room(p.instructions.size());
  w.scratch.make_room(w.walk.registers.accesses());
  w.scratch_flights.make_room(p.instructions.size());
  auto pass = [&](block_id to, const flow_state& s) {
    if (to.index() < n && join(in[to.index()], s, w.scratch, w.scratch_flights)) mark(rank[to.index()]);
  };
  const unsigned transfer = class_table<Arch>::get()[sched_class::branch].min_stall;
  flow_state landed;
  landed.reached = true;

  auto visit = [&](std::uint32_t b) {
    const block& blk = p.blocks[b];
    settle(in[b], w.scratch, w.scratch_flights);
    if (!in[b].changed) return;
    in[b].changed = false;
    walk.walk(blk, in[b], w.out);
    ++r.visits;
    check_open_exit<Arch>(p, blk, w.out, w.walk.registers, w.walk.found);
    // A transfer of control takes its least time even where the encoded stall is shorter (compilers leave stall 1 on
    // guarded calls that are jumps): first the edges that fall through, then, later by so much, the others.
    for (const cfg_edge& e : p.edges_of(blk)) {
      if (e.kind == edge_kind::fall) pass(e.to, w.out);
    }
    if (blk.count != 0) {
      const instruction& last = p[p.order[blk.first + blk.count - 1]];
      const unsigned stall = last.ctl.stall;
      if (stall < transfer && (last.has(iflag::branch) || last.has(iflag::call) || last.has(iflag::ret)))
        age(w.out, transfer - stall, walk.longest());
    }
    for (const cfg_edge& e : p.edges_of(blk)) {
      if (e.kind != edge_kind::fall) pass(e.to, e.kind == edge_kind::call_return ? landed : w.out);
    }
  };
  // Blocks that no entry reaches (a listing may hide an indirect jump) are walked as if they were entries.
  std::uint32_t rest = 0;
  for (;;) {
    bool any = true;
    while (any) {
      any = false;
      for (std::size_t word = 0; word < w.dirty.size(); ++word) {
        if (w.dirty[word] == 0) continue;
        const auto at = static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(__builtin_ctzll(w.dirty[word])));
        w.dirty[word] &= w.dirty[word] - 1;
        visit(order[at]);
        any = true;
        break;
      }
    }
    while (rest < n && (in[order[rest]].reached || p.blocks[order[rest]].padding)) ++rest;
    if (rest == n) break;
    in[order[rest]].reached = in[order[rest]].changed = true;
    mark(rest);
  }
  r.findings.insert(r.findings.end(), w.walk.found.begin(), w.walk.found.end());
}

// What timing and words are wrong, in no order yet.
template <class Arch>
[[nodiscard]] report collect_hazards(const program& p, const options& o, hazard_workspace& w) {
  report r;
  r.blocks = static_cast<std::uint32_t>(p.blocks.size());
  for (const block& b : p.blocks) {
    for (const instr_id i : p.order_of(b)) {
      if (p[i].has(iflag::padding)) continue;
      ++r.instructions;
      if (p[i].has(iflag::unknown)) ++r.unknown_opcodes;
    }
  }
  w.blocks.build(p);
  if (o.dependences) run_flow<Arch>(p, o, r, w);
  if (o.encoding) {
    check_encoding<Arch>(p, r.findings);
    check_reuse<Arch>(p, r.findings);
  }
  return r;
}

}  // namespace detail

// Hazards, encodings and reuse, and no lints, whatever the options say.
template <class Arch>
[[nodiscard]] report check_hazards(const program& p, const options& o, hazard_workspace& w) {
  report r = detail::collect_hazards<Arch>(p, o, w);
  detail::tidy(r.findings, o.notes);
  return r;
}

template <class Arch>
[[nodiscard]] report check_hazards(const program& p, const options& o = {}) {
  hazard_workspace w;
  return check_hazards<Arch>(p, o, w);
}

}  // namespace ww::verify
