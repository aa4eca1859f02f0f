// SPDX-License-Identifier: BSL-1.0
//
// Lifts a program from physical to virtual registers: every web (web.hpp) that nothing fixes gets a number of its own.
//
//   lift_workspace ws;
//   lifted_program l;
//   if (lift(p, l, ws) != lift_fault::none) ...     // p needs blocks; l.code is the program to schedule
//
// Dependences through the reuse of a register (WAR, WAW between values) are gone from l.code; those of one value stay. A
// guarded or partial write joins the web of the value that it may leave; operands of one field (field_pair.hpp) are one web. lower()
// (lower.hpp) goes back.
//
// What a call or the start of a part of the code fixes can be set free (lift_options) where the caller knows more than the program says.
//
// Method: liveness first; then one node per register that is live at the start of a block and one per definition. A use
// joins the nodes of all its units; an edge joins what the register holds at its end with the node of the block behind. Two
// definitions end in one set exactly when some use is reached by both, so no set of reaching definitions is ever made.
// Registers of R, P, UR and UP are lifted; convergence, scoreboard, carry and special registers stay. Time is linear in
// operands plus live registers over edges, but for liveness. Storage is reused from call to call. Equal input gives equal
// output.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/known_callers.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "field_pair.hpp"
#include "lifted.hpp"

namespace ww {

struct lift_options {
  // No register holds anything where a kernel starts: what some path reads there and nobody has set is any value, and need not
  // stay where it is. (R1 is written by the kernel itself.) A web is the same web as before, so a guarded write still keeps what a
  // path has set.
  bool unset_at_kernels = false;
  // Functions that calls of this program enter are entered by nothing else (known_callers.hpp), so that their registers are
  // registers like any other. False: they keep to a call convention that others may rely on.
  bool own_calls = false;
  // What a RET or an indirect branch goes by is a value like any other, where it is known where they go to. (Tables for debuggers may
  // name the register of a return address.)
  bool known_branches = false;
};

struct lift_workspace {
  liveness live;
  vec<std::uint32_t> parent;      // union-find over nodes; the smallest node of a set is its root
  vec<std::uint16_t> reasons;     // by node
  vec<std::uint32_t> first_node;  // by block: the node of the first register live at its start
  vec<std::uint32_t> current;     // by register bit: the node that the register holds in this block
  vec<std::uint32_t> node_of;     // by operand
  vec<std::uint32_t> web_of;      // by root
};

namespace detail {

class lifter {
 public:
  lifter(const program& p, lifted_program& out, lift_workspace& ws, const lift_options& o)
      : p_(p), out_(out), ws_(ws), options_(o) {}

  lift_fault run() {
    out_.webs.clear();
    out_.fixed = {};
    out_.physical = {};
    out_.next_virtual.fill(reg::first_virtual);
    out_.fault = check();
    out_.code = p_;
    out_.has_encoding = p_.has_encoding;
    out_.web_of_operand.assign(p_.operands.size(), lifted_program::no_web);
    if (out_.fault != lift_fault::none) return out_.fault;
    ws_.live.compute(p_);
    out_.physical = ws_.live.layout.physical;
    make_nodes();
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) join_block(b);
    for (std::uint32_t n = 0; n < ws_.parent.size(); ++n) {
      if (ws_.reasons[n] != 0) ws_.reasons[find(n)] |= ws_.reasons[n];
    }
    make_webs();
    return out_.fault = number_webs();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  [[nodiscard]] static bool lifts(operand o) {
    return o.is_register() && o.width() != 0 && pressure_class_of(o.file()) != pressure_class::count;
  }

  [[nodiscard]] lift_fault check() {
    if (!p_.order.empty() && p_.blocks.empty()) return lift_fault::no_blocks;
    for (std::size_t k = 0; k < p_.operands.size(); ++k) {
      const operand o = p_.operands[k];
      if (!o.is_register() || o.base().number() + o.width() <= reg::first_virtual) continue;
      if (pressure_class_of(o.file()) == pressure_class::count) continue;
      out_.operand = static_cast<std::uint32_t>(k);
      return lift_fault::virtual_registers;
    }
    return lift_fault::none;
  }

  // Calls f(bit, k) for the k-th set bit of a set of registers.
  template <class F>
  static void each_set(span<const std::uint64_t> set, F&& f) {
    std::uint32_t k = 0;
    for (std::uint32_t w = 0; w < set.size(); ++w) {
      for (std::uint64_t rest = set[w]; rest != 0; rest &= rest - 1) {
        f(w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)), k++);
      }
    }
  }

  std::uint32_t find(std::uint32_t n) {
    std::uint32_t* const parent = ws_.parent.data();
    while (parent[n] != n) {
      parent[n] = parent[parent[n]];
      n = parent[n];
    }
    return n;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    if (a == b) return;
    a = find(a);
    b = find(b);
    if (a < b) {
      ws_.parent[b] = a;
    } else {
      ws_.parent[a] = b;
    }
  }
  void fix(std::uint32_t node, fixed_reason why) {
    ws_.reasons[node] = static_cast<std::uint16_t>(ws_.reasons[node] | 1u << static_cast<unsigned>(why));
  }

  void make_nodes() {
    std::uint32_t nodes = 0;
    ws_.first_node.resize(p_.blocks.size());
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      ws_.first_node[b] = nodes;
      for (const std::uint64_t w : ws_.live.live_in(block_id{b})) nodes += static_cast<std::uint32_t>(std::popcount(w));
    }
    ws_.parent.clear();
    ws_.parent.reserve(nodes + p_.operands.size());
    for (std::uint32_t n = 0; n < nodes; ++n) ws_.parent.push_back(n);
    ws_.reasons.assign(nodes + p_.operands.size(), 0);
    ws_.node_of.assign(p_.operands.size(), none);
    ws_.current.resize(std::size_t{ws_.live.layout.words()} * 64);
  }

  void join_block(std::uint32_t b) {
    const block& blk = p_.blocks[b];
    std::uint32_t* const current = ws_.current.data();
    std::fill(ws_.current.begin(), ws_.current.end(), none);
    const std::uint32_t first = ws_.first_node[b];
    const bool holds = blk.entry && !(options_.unset_at_kernels && starts_kernel(p_, block_id{b})) &&
                       !(options_.own_calls && is_only_called(p_, block_id{b}));
    each_set(ws_.live.live_in(block_id{b}), [&](std::uint32_t bit, std::uint32_t k) {
      current[bit] = first + k;
      if (holds) fix(first + k, fixed_reason::entry);
      if (!blk.reachable) fix(first + k, fixed_reason::unreachable);
    });
    keeps_branches_ = blk.open_exit || !options_.known_branches;
    for (const instr_id i : p_.order_of(blk)) join_instruction(p_[i]);
    if (blk.count != 0) {
      const instruction& last = p_[p_.order[blk.first + blk.count - 1]];
      const bool calls = (last.has(iflag::call) || last.has(iflag::ret)) && (blk.open_exit || !options_.own_calls);
      if (calls || blk.open_exit) {
        each_set(ws_.live.live_out(block_id{b}), [&](std::uint32_t bit, std::uint32_t) {
          if (current[bit] == none) return;
          if (calls) fix(current[bit], fixed_reason::call);
          if (blk.open_exit) fix(current[bit], fixed_reason::open_exit);
        });
      }
    }
    for (std::uint32_t e = blk.first_edge; e < blk.first_edge + blk.edge_count; ++e) {
      if (ws_.live.follows[e] == 0) continue;
      const block_id to = p_.edges[e].to;
      const std::uint32_t nodes = ws_.first_node[to.index()];
      each_set(ws_.live.live_in(to), [&](std::uint32_t bit, std::uint32_t k) {
        if (current[bit] != none) join(current[bit], nodes + k);
      });
    }
  }

  void join_instruction(const instruction& ins) {
    std::uint32_t* const current = ws_.current.data();
    const std::uint32_t end = ins.first_operand + ins.operand_count;
    for (std::uint32_t k = ins.first_operand; k < end; ++k) {
      const operand o = p_.operands[k];
      if (!o.is_use() || !lifts(o)) continue;
      std::uint32_t node = none;
      ws_.live.each_bit(o, [&](std::uint32_t bit) {
        if (current[bit] == none) current[bit] = new_node();  // only in a program whose blocks are not those of its order
        if (node == none) node = current[bit];
        join(node, current[bit]);
      });
      note(ins, k, o, node);
    }
    if (const field_pair pair = field_pair_of(ins, p_.operands_of(ins)); pair.found) {
      const std::uint32_t a = ws_.node_of[ins.first_operand + pair.first];
      const std::uint32_t b = ws_.node_of[ins.first_operand + pair.second];
      if (a != none && b != none) join(a, b);
    }
    if (ins.has(iflag::unknown)) fix_all();  // what it may read; below, what it may leave
    for (std::uint32_t k = ins.first_operand; k < end; ++k) {
      const operand o = p_.operands[k];
      if (!o.is_def() || !lifts(o)) continue;
      const std::uint32_t node = new_node();
      const bool keeps_old = ins.has(iflag::guarded) || o.is_partial();
      ws_.live.each_bit(o, [&](std::uint32_t bit) {
        if (keeps_old && current[bit] != none) join(node, current[bit]);
        current[bit] = node;
      });
      note(ins, k, o, node);
    }
    if (ins.has(iflag::unknown)) fix_all();
  }

  void fix_all() {
    for (const std::uint32_t node : ws_.current) {
      if (node != none) fix(node, fixed_reason::unknown_opcode);
    }
  }

  std::uint32_t new_node() {
    const auto node = static_cast<std::uint32_t>(ws_.parent.size());
    ws_.parent.push_back(node);
    if (ws_.reasons.size() <= node) ws_.reasons.resize(node + 1, 0);
    return node;
  }

  // Remembers the node of an operand, and what fixes it there.
  void note(const instruction& ins, std::uint32_t k, operand o, std::uint32_t node) {
    ws_.node_of[k] = node;
    const std::uint32_t n = o.base().number();
    if (o.file() == reg_file::r && n <= 1 && 1 < n + o.width()) fix(node, fixed_reason::stack_pointer);
    if (o.is_hidden()) fix(node, fixed_reason::hidden);
    if (keeps_branches_ && o.where() == slot::branch &&
        (ins.has(iflag::indirect) || ins.has(iflag::call) || ins.has(iflag::ret))) {
      fix(node, fixed_reason::branch_operand);
    }
    if (o.file() == reg_file::p || o.file() == reg_file::up) {
      if (o.width() > 1 || (o.where() != slot::guard && names_predicates_by_mask(ins.op))) {
        fix(node, fixed_reason::predicate_mask);
      }
    } else if (ins.iclass == sched_class::hgmma) {
      fix(node, fixed_reason::async_list);
    }
  }
  static bool names_predicates_by_mask(opcode op) {
    return op == opcode::p2r || op == opcode::r2p || op == opcode::up2ur || op == opcode::ur2up || op == opcode::r2up;
  }

  void make_webs() {
    ws_.web_of.assign(ws_.parent.size(), none);
    for (const block& blk : p_.blocks) {
      for (const instr_id i : p_.order_of(blk)) {
        const instruction& ins = p_[i];
        for (std::uint32_t k = ins.first_operand; k < ins.first_operand + ins.operand_count; ++k) {
          if (ws_.node_of[k] != none) count(k, blk.weight);
        }
        if (const field_pair pair = field_pair_of(ins, p_.operands_of(ins)); pair.found) {
          const std::uint32_t first = ins.first_operand + pair.first;
          if (ws_.node_of[first] != none) align(out_.web_of_operand[first], p_.operands[first].base().number(), 2);
        }
      }
    }
  }
  void count(std::uint32_t k, double weight) {
    const operand o = p_.operands[k];
    const std::uint32_t root = find(ws_.node_of[k]);
    const std::uint32_t first = o.base().number();
    if (ws_.web_of[root] == none) {
      ws_.web_of[root] = static_cast<std::uint32_t>(out_.webs.size());
      web fresh;
      fresh.file = o.file();
      fresh.original = first;
      fresh.reasons = ws_.reasons[root];
      if (fresh.reasons != 0) fresh.reason = static_cast<fixed_reason>(std::countr_zero(fresh.reasons));
      out_.webs.push_back(fresh);
    }
    const std::uint32_t index = ws_.web_of[root];
    out_.web_of_operand[k] = index;
    web& w = out_.webs[index];
    const std::uint32_t low = std::min(w.original, first);
    const std::uint32_t high = std::max(w.original + w.width, first + o.width());
    w.original = low;
    w.width = static_cast<std::uint16_t>(high - low);
    align(index, first, o.width());
    ++(o.is_def() ? w.defs : w.uses);
    w.weight += weight;
  }
  // `width` registers from `first` on are one operand, or are named together.
  void align(std::uint32_t index, std::uint32_t first, std::uint32_t width) {
    std::uint32_t a = std::bit_ceil(width);
    if (first != 0) a = std::min(a, first & (0u - first));
    out_.webs[index].alignment = std::max(out_.webs[index].alignment, static_cast<std::uint16_t>(a));
  }

  [[nodiscard]] lift_fault number_webs() {
    for (web& w : out_.webs) {
      w.phase = static_cast<std::uint16_t>(w.original & (w.alignment - 1u));
      w.number = w.original;
      ++out_.fixed[static_cast<unsigned>(w.reason)];
      if (w.is_fixed()) continue;
      std::uint32_t& next = out_.next_virtual[static_cast<std::size_t>(pressure_class_of(w.file))];
      w.number = next + ((w.phase - next) & (w.alignment - 1u));
      next = w.number + w.width;
      if (next >= reg::zero_number) return lift_fault::too_many;
    }
    for (std::size_t k = 0; k < out_.web_of_operand.size(); ++k) {
      if (out_.web_of_operand[k] == lifted_program::no_web) continue;
      const web& w = out_.webs[out_.web_of_operand[k]];
      if (w.is_fixed()) continue;
      operand& o = out_.code.operands[k];
      const operand_type type = o.is_def() ? operand_type::virtual_def : operand_type::virtual_use;
      const reg now(w.file, w.number + (o.base().number() - w.original));
      o.low = (o.low & ~((7u << 28) | 0xffffffu)) | static_cast<std::uint32_t>(type) << 28 | now.packed;
    }
    out_.code.has_encoding = false;
    return lift_fault::none;
  }

  const program& p_;
  lifted_program& out_;
  lift_workspace& ws_;
  lift_options options_;
  bool keeps_branches_ = true;  // in the block at hand
};

}  // namespace detail

// On a fault `out` holds the program unchanged and no webs.
inline lift_fault lift(const program& p, lifted_program& out, lift_workspace& ws, const lift_options& o = {}) {
  out.operand = 0;
  detail::lifter l(p, out, ws, o);
  const lift_fault f = l.run();
  if (f != lift_fault::none) {
    out.webs.clear();
    out.fixed = {};
    out.web_of_operand.assign(p.operands.size(), lifted_program::no_web);
  }
  return f;
}

[[nodiscard]] inline lifted_program lift(const program& p, const lift_options& o = {}) {
  lift_workspace ws;
  lifted_program out;
  lift(p, out, ws, o);
  return out;
}

}  // namespace ww
