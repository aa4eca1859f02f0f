// SPDX-License-Identifier: BSL-1.0
//
// The second half of build_cfg(): callees, edges, predecessors, reachability. See ../cfg.hpp for the rules.
//
// Words: a reconvergence leaves a region (region_list.hpp, region_stack.hpp) and is flagged so. A site is a call block with a
// block behind it. A template over the program, as its neighbours are, so that it is compiled where a graph is built and not
// wherever the core is included.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../meta/vec.hpp"
#include "../program.hpp"
#include "cfg_layout.hpp"
#include "grouped_list.hpp"
#include "region_list.hpp"
#include "region_stack.hpp"

namespace ww {

struct cfg_options {
  // A function with more return-to-site edges than this (plus 64 per instruction) is treated as not known: its RETs are
  // open.
  std::uint32_t max_return_edges = 4096;
};

namespace detail {

template <class Program>
class cfg_builder {
 public:
  cfg_builder(Program& p, const cfg_options& options) : p_(p), options_(options), layout_(p), regions_(p, layout_) {}

  [[nodiscard]] cfg_result run() {
    p_.blocks.clear();
    p_.edges.clear();
    p_.pred_edges.clear();
    if (!layout_.run()) return layout_.result();
    find_callees();
    make_edges();
    if (any_open_) follow_stacks();
    mark_padding();
    mark_reachable();
    complete_open_branches();
    make_predecessors();
    return layout_.result();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  const instruction& at(std::uint32_t pos) const { return p_.instructions[p_.order[pos].index()]; }
  const instruction& last(const block& b) const { return at(b.first + b.count - 1); }

  // Which function a call enters, or none: a call without a target, or to a place that no function starts at.
  std::uint32_t callee(const instruction& x) const {
    if (!x.has(iflag::call) || x.has(iflag::indirect) || !x.target.valid()) return none;
    return layout_.function_at(layout_.block_at(x.target));
  }
  static bool is_open_call(const instruction& x) {
    return x.has(iflag::call) && (x.has(iflag::indirect) || !x.target.valid());
  }
  static bool may_fall(const instruction& x) {
    return x.has(iflag::never) || x.has(iflag::guarded) || x.has(iflag::conditional);
  }

  // Lists of call sites and RET blocks by function, and whether a function's callers are all known.
  void find_callees() {
    const auto count = static_cast<std::uint32_t>(p_.functions.size());
    sites_.first.assign(count + 1, 0);
    returns_.first.assign(count + 1, 0);
    for (unsigned pass = 0; pass < 2; ++pass) {
      for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
        const instruction& x = last(p_.blocks[b]);
        if (x.has(iflag::never)) continue;
        if (const std::uint32_t f = callee(x); f != none && b + 1 < p_.blocks.size()) sites_.put(f, b + 1, pass);
        const function_id own = p_.blocks[b].function;
        if (x.has(iflag::ret) && own.valid()) returns_.put(own.index(), b, pass);
      }
      sites_.turn(pass);
      returns_.turn(pass);
    }
    known_.assign(count, 0);
    for (std::uint32_t f = 0; f < count; ++f) {
      const std::uint64_t edges = static_cast<std::uint64_t>(sites_.size(f)) * returns_.size(f);
      known_[f] =
          !p_.functions[f].kernel && sites_.size(f) != 0 && edges <= options_.max_return_edges + 64ull * p_.order.size();
    }
  }

  void edge(std::uint32_t from, std::uint32_t to, edge_kind kind) {
    p_.edges.push_back({block_id{from}, block_id{to}, kind});
  }

  void make_edges() {
    regions_.collect();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      block& blk = p_.blocks[b];
      blk.first_edge = static_cast<std::uint32_t>(p_.edges.size());
      edges_of(b, blk, last(blk));
      blk.edge_count = static_cast<std::uint32_t>(p_.edges.size()) - blk.first_edge;
    }
  }

  void edges_of(std::uint32_t b, block& blk, const instruction& x) {
    const bool has_next = b + 1 < p_.blocks.size();
    bool falls = true;
    const bool collective = x.has(iflag::sync) && x.target.valid();
    if (!x.has(iflag::never) && !collective) {
      if (x.has(iflag::ret)) {
        falls = may_fall(x);
        return_edges(b, blk);
      } else if (x.has(iflag::call)) {
        falls = call_edges(b, blk, x, has_next);
      } else if (x.has(iflag::exit)) {
        falls = may_fall(x);
      } else if (x.has(iflag::branch)) {
        falls = may_fall(x);
        branch_edges(b, blk, x);
      } else if (region_stack<Program>::is_open(p_, x, p_.order[blk.first + blk.count - 1])) {
        falls = may_fall(x);
        any_open_ = true;  // where to: follow_stacks()
      } else if (x.has(iflag::reconverge)) {
        falls = reconverge_edges(b, blk, x);
      }
    }
    if (falls) fall(b, blk);
  }

  void fall(std::uint32_t b, block& blk) {
    if (b + 1 < p_.blocks.size()) {
      edge(b, b + 1, edge_kind::fall);
    } else if (!blk.padding && !last(blk).has(iflag::padding)) {
      blk.open_exit = true;  // runs off the end of what is known
    }
  }

  // PRET and then BRX is a call through a register (sm_50..62), which comes back to where PRET says.
  static bool is_return_point(const instruction& x) {
    return x.region == region_kind::call && x.target.valid() && !x.has(iflag::never);
  }

  void branch_edges(std::uint32_t b, block& blk, const instruction& x) {
    if (!x.has(iflag::indirect) && x.target.valid()) {
      edge(b, layout_.block_at(x.target), edge_kind::branch);
      return;
    }
    const branch_table* t = p_.table_of(p_.order[blk.first + blk.count - 1]);
    if (t == nullptr || t->count == 0) {
      blk.open_exit = true;
      if (b > 0 && is_return_point(last(p_.blocks[b - 1]))) {
        edge(b, layout_.block_at(last(p_.blocks[b - 1]).target), edge_kind::call_return);
      }
      return;
    }
    table_edges(b, *t, edge_kind::indirect);
  }

  void table_edges(std::uint32_t b, const branch_table& t, edge_kind kind) {
    const auto first = static_cast<std::uint32_t>(p_.edges.size());
    seen_.resize(p_.blocks.size(), none);
    for (std::uint32_t k = 0; k < t.count; ++k) {
      const std::uint32_t to = layout_.block_at(p_.table_targets[t.first + k]);
      if (seen_[to] != none && seen_[to] >= first) continue;  // a table may name a target twice
      seen_[to] = static_cast<std::uint32_t>(p_.edges.size());
      edge(b, to, kind);
    }
  }

  // True if control can also reach the next block without a call.
  bool call_edges(std::uint32_t b, block& blk, const instruction& x, bool has_next) {
    const std::uint32_t f = callee(x);
    if (f == none && !is_open_call(x)) {  // a call to a plain label never returns: a jump
      edge(b, layout_.block_at(x.target), edge_kind::branch);
      return may_fall(x);
    }
    if (f != none && known_[f] != 0) {
      edge(b, p_.functions[f].first_block.index(), edge_kind::call);
    } else {
      blk.open_exit = true;
    }
    if (has_next) edge(b, b + 1, edge_kind::call_return);
    return may_fall(x) && has_next;
  }

  void return_edges(std::uint32_t b, block& blk) {
    const function_id own = blk.function;
    if (!own.valid() || known_[own.index()] == 0) {
      blk.open_exit = true;
      return;
    }
    for (std::uint32_t k = 0; k < sites_.size(own.index()); ++k) edge(b, sites_.item(own.index(), k), edge_kind::ret);
  }

  // SYNC, BRK and CONT go to what the stack says, else to the targets of the openers of their kind in their function.
  void follow_stacks() {
    region_stack<Program> stacks(p_, layout_);
    stacks.run();
    insert_edges([&](std::uint32_t b) {
      block& blk = p_.blocks[b];
      const std::uint32_t pos = blk.first + blk.count - 1;
      if (!region_stack<Program>::is_open(p_, at(pos), p_.order[pos])) return;
      if (const std::uint32_t to = stacks.target(b); to != none) {
        edge(b, to, edge_kind::branch);
      } else if (reconverge_edges(b, blk, at(pos)) && !may_fall(at(pos))) {
        fall(b, blk);
      }
    });
  }

  // Edges behind those that a block has: more(b) makes them.
  void insert_edges(auto more) {
    vec<cfg_edge> old;
    old.swap(p_.edges);
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      block& blk = p_.blocks[b];
      const std::uint32_t first = blk.first_edge;
      blk.first_edge = static_cast<std::uint32_t>(p_.edges.size());
      for (std::uint32_t k = 0; k < blk.edge_count; ++k) p_.edges.push_back(old[first + k]);
      more(b);
      blk.edge_count = static_cast<std::uint32_t>(p_.edges.size()) - blk.first_edge;
    }
  }

  bool reconverge_edges(std::uint32_t b, block& blk, const instruction& x) {
    const branch_table* t = p_.table_of(p_.order[blk.first + blk.count - 1]);
    if (t != nullptr && t->count != 0) {  // the listing says where it goes (sm_50..62)
      table_edges(b, *t, edge_kind::branch);
      return may_fall(x);
    }
    return regions_.leave(b, x, [&](std::uint32_t to) { edge(b, to, edge_kind::branch); }) || may_fall(x);
  }

  // The closing self-branch: nothing reaches it but itself. It and the NOPs behind it belong to no path.
  void mark_padding() {
    vec<std::uint32_t>& into = scratch_;
    into.assign(p_.blocks.size(), 0);
    for (const cfg_edge& e : p_.edges) {
      if (e.from != e.to) ++into[e.to.index()];
    }
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      block& blk = p_.blocks[b];
      const instruction& x = last(blk);
      const bool self =
          blk.count == 1 && x.has(iflag::branch) && !may_fall(x) && x.target.valid() && layout_.block_at(x.target) == b;
      if (self && into[b] == 0 && !blk.entry) {
        blk.padding = true;
        p_.instructions[p_.order[blk.first].index()].add(iflag::padding);
      } else if (at(blk.first).has(iflag::padding) && !x.has(iflag::branch)) {
        blk.padding = true;
      }
    }
  }

  void make_predecessors() {
    vec<std::uint32_t>& fill = scratch_;
    fill.assign(p_.blocks.size() + 1, 0);
    for (const cfg_edge& e : p_.edges) ++fill[e.to.index() + 1];
    for (std::size_t b = 0; b < p_.blocks.size(); ++b) {
      p_.blocks[b].pred_count = fill[b + 1];
      fill[b + 1] += fill[b];
      p_.blocks[b].first_pred = fill[b];
    }
    p_.pred_edges.assign(p_.edges.size(), 0);
    for (std::uint32_t e = 0; e < p_.edges.size(); ++e) p_.pred_edges[fill[p_.edges[e].to.index()]++] = e;
  }

  void mark_reachable() {
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (p_.blocks[b].entry && !p_.blocks[b].padding) flood(b);
    }
  }

  void flood(std::uint32_t root) {
    vec<std::uint32_t>& stack = scratch_;
    stack.assign(1, root);
    p_.blocks[root].reachable = true;
    while (!stack.empty()) {
      const std::uint32_t b = stack.back();
      stack.pop_back();
      for (const cfg_edge& e : p_.edges_of(p_.blocks[b])) {
        block& to = p_.blocks[e.to.index()];
        if (!to.reachable) {
          to.reachable = true;
          stack.push_back(e.to.index());
        }
      }
    }
  }

  // What nothing else reaches in a function with an indirect branch without a table, by its first blocks in layout order, is
  // where that branch goes. With several such branches each part becomes an entry instead: on a way that is only guessed the
  // checker would find hazards that are none (text of cuobjdump: cases of one switch as if reached from another one).
  void complete_open_branches() {
    vec<std::uint32_t>& only = seen_;  // by function: block of its only open branch, `several`, or none
    constexpr std::uint32_t several = none - 1;
    only.assign(p_.functions.size() + 1, none);
    bool any = false;
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const instruction& x = last(p_.blocks[b]);
      if (!p_.blocks[b].open_exit || !x.has(iflag::branch) || x.has(iflag::never)) continue;
      std::uint32_t& branch = only[function_of(b)];
      branch = branch == none ? b : several;
      any = true;
    }
    if (!any) return;
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const std::uint32_t branch = only[function_of(b)];
      if (p_.blocks[b].reachable || p_.blocks[b].padding || branch == none) continue;
      if (branch == several) {
        p_.blocks[b].entry = true;
      } else {
        parts_.push_back(b);
      }
      flood(b);
    }
    std::size_t next = 0;  // parts are in the order of their functions
    insert_edges([&](std::uint32_t b) {
      if (only[function_of(b)] != b) return;
      for (; next < parts_.size() && function_of(parts_[next]) == function_of(b); ++next) {
        edge(b, parts_[next], edge_kind::indirect);
      }
    });
  }

  std::size_t function_of(std::uint32_t b) const {
    const function_id f = p_.blocks[b].function;
    return f.valid() ? f.index() : p_.functions.size();
  }

  Program& p_;
  const cfg_options& options_;
  cfg_layout<Program> layout_;
  region_list<Program> regions_;
  vec<std::uint8_t> known_;   // by function: callers are known and its returns are edges
  vec<std::uint32_t> parts_;  // first blocks of what nothing else reaches
  bool any_open_ = false;     // some SYNC, BRK or CONT without a table
  vec<std::uint32_t> seen_;
  vec<std::uint32_t> scratch_;
  grouped_list sites_;
  grouped_list returns_;
};

}  // namespace detail

}  // namespace ww
