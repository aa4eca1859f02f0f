// SPDX-License-Identifier: BSL-1.0
//
// Which definitions reach which uses, found by walking: from every definition, and from every entry, along every path one
// instruction at a time until a full write. Quadratic, and shares no code with the library's data flow.
//
//   number   registers of operands are numbered over all operands of all instructions, in the order of instruction ids
//   pair     (number of the register read, number of the register written); an entry counts as -1 - packed register
// Unknown opcodes and open exits are outside what it looks at: give it programs without them.
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include <warpwright/ir/loops.hpp>
#include <warpwright/ir/program.hpp>

namespace ww_test {

class reaching_oracle {
 public:
  using pair = std::pair<std::int64_t, std::int64_t>;
  std::set<pair> pairs;

  // What is followed: all edges; all but the back edges of loops; but those and the returns of functions, where callers do not go on
  // (`ended`), or go on as if nothing had been called (`passed`).
  enum class edges { all, once, ended, passed };

  explicit reaching_oracle(const ww::program& p, edges which = edges::all)
      : p_(p), block_of_(p.order.size()), which_(which) {
    ww::program copy = p;
    ww::loop_forest loops;
    ww::find_loops(copy, loops);
    if (which != edges::all) closed_.insert(loops.back_edges.begin(), loops.back_edges.end());
    for (std::uint32_t at = 0; at < p.edges.size(); ++at) {
      if ((which == edges::ended || which == edges::passed) && p.edges[at].kind == ww::edge_kind::ret) closed_.insert(at);
    }
    std::int64_t n = 0;
    for (const ww::instruction& i : p.instructions) {
      first_.push_back(n);
      for (const ww::operand o : p.operands_of(i)) n += o.width();
    }
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      for (std::uint32_t k = 0; k < p.blocks[b].count; ++k) block_of_[p.blocks[b].first + k] = b;
    }
    std::set<std::uint32_t> names;
    for (std::uint32_t at = 0; at < p.order.size(); ++at) {
      each_part(at, [&](const ww::operand& o, ww::reg r, std::int64_t number) {
        names.insert(r.packed);
        if (o.is_def()) walk_behind(at, r, number);
      });
    }
    for (const ww::block& b : p.blocks) {
      if (!b.entry || b.count == 0) continue;
      for (const std::uint32_t name : names) {
        walk(b.first, ww::reg::from_packed(name), -1 - static_cast<std::int64_t>(name));
      }
    }
  }

  // f(operand, register, number) for every register that the instruction at a position names.
  template <class F>
  void each_part(std::uint32_t at, F&& f) const {
    std::int64_t n = first_[p_.order[at].index()];
    for (const ww::operand& o : p_.operands_of(p_.order[at])) {
      for (unsigned k = 0; k < o.width(); ++k, ++n) {
        if (o.is_register()) f(o, ww::reg(o.file(), o.base().number() + k), n);
      }
    }
  }

 private:
  void walk_behind(std::uint32_t at, ww::reg r, std::int64_t source) {
    const ww::block& b = p_.blocks[block_of_[at]];
    seen_.assign(p_.order.size(), false);
    if (at + 1 < b.first + b.count) {
      step(at + 1, r, source);
    } else {
      leave(b, r, source);
    }
  }
  void walk(std::uint32_t at, ww::reg r, std::int64_t source) {
    seen_.assign(p_.order.size(), false);
    step(at, r, source);
  }
  void leave(const ww::block& b, ww::reg r, std::int64_t source) {
    bool known_call = false;
    for (const ww::cfg_edge& e : p_.edges_of(b)) known_call = known_call || e.kind == ww::edge_kind::call;
    for (std::uint32_t at = b.first_edge; at < b.first_edge + b.edge_count; ++at) {
      const ww::cfg_edge& e = p_.edges[at];
      if (closed_.count(at) != 0) continue;
      if (known_call && e.kind == ww::edge_kind::call_return && which_ != edges::passed) continue;
      step(p_[e.to].first, r, source);
    }
  }
  void step(std::uint32_t at, ww::reg r, std::int64_t source) {
    const ww::block& b = p_.blocks[block_of_[at]];
    for (; at < b.first + b.count; ++at) {
      if (seen_[at]) return;
      seen_[at] = true;
      bool killed = false;
      const bool guarded = p_[p_.order[at]].has(ww::iflag::guarded);
      each_part(at, [&](const ww::operand& o, ww::reg name, std::int64_t number) {
        if (name != r) return;
        if (o.is_use()) pairs.insert({number, source});
        if (o.is_def() && !guarded && !o.is_partial()) killed = true;
      });
      if (killed) return;
    }
    leave(b, r, source);
  }

  const ww::program& p_;
  std::vector<std::int64_t> first_;
  std::vector<std::uint32_t> block_of_;
  std::vector<bool> seen_;
  std::set<std::uint32_t> closed_;  // edges
  edges which_;
};

}  // namespace ww_test
