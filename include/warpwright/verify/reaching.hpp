// SPDX-License-Identifier: BSL-1.0
//
// Do two programs over the same instructions read the same values? Compares, for every register that an instruction reads,
// the set of definitions that reach it. For whatever permutes instructions inside blocks, moves them between blocks or
// renames registers: registers are compared by the operand that names them, so both programs may use different numbers.
//
//   verify::reaching_difference d = verify::same_reaching(before, after);
//   if (!d.ok()) ... d.use, d.operand, d.part read something else; d.def reaches it in one of the two only
//
//   definition   an operand that writes a register; a guarded or partial write lets older ones through
//   outside      what stood in the register at an entry, and what code that is not known may have written: an unknown
//                opcode, or a call whose callee is not followed, is a definition of every physical register
//   exclusive    a definition and a read under complementary guards of one value of the predicate, in one block: no thread
//                does both, so their order does not count (but for instructions that read other threads' registers)
//   iteration    sets are compared again without the back edges of loops, and without the returns of functions: a value of this
//                iteration, or of this call, is not one of the last
//   exit         where control leaves to such code, every physical register is read
//   target       what branches, branch tables, leaders and entries name must lead to the block to which it led (block_names.hpp)
// Both programs need blocks and edges; all edges count but summaries (ir/cfg.hpp). Memory order, latencies and, but for names,
// control flow are not looked at. Data flow per register, forward, to the least fixed point; it allocates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "../ir/loops.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "block_names.hpp"
#include "definition_sets.hpp"
#include "reaching_relation.hpp"

namespace ww::verify {

enum class reaching_fault : std::uint8_t {
  none,
  shape,    // the programs do not have the same instructions and operands; `use` is the first one that differs
  missing,  // an instruction stands in the blocks of one program only, or twice
  use,      // an operand reads other definitions
  exit,     // a register holds other definitions where control leaves behind `use`
  carried,  // all operands read the same definitions, but one of another iteration of a loop or of another call (an operand,
            // or at an exit)
  target,   // the same values by the edges, but `use` (a branch, or a leader or entry itself) names another block: `def`
};

struct reaching_difference {
  reaching_fault fault = reaching_fault::none;
  instr_id use;
  std::uint8_t operand = 0;  // of the instruction that reads
  std::uint8_t part = 0;     // register of a wide operand
  reg name;                  // as the first program has it (exit: the register)
  instr_id def;              // a definition that reaches it in one program only; none: what stood there at an entry. Of a
                             // target: what the second program names, none if nothing
  bool in_first = false;     // that program is the first one

  [[nodiscard]] bool ok() const { return fault == reaching_fault::none; }
};

namespace detail {

inline reaching_difference same_shape(const program& a, const program& b) {
  reaching_difference d;
  const std::size_t n = std::min(a.instructions.size(), b.instructions.size());
  for (std::size_t i = 0; i < n; ++i) {
    const span<const operand> x = a.operands_of(a.instructions[i]);
    const span<const operand> y = b.operands_of(b.instructions[i]);
    bool same = x.size() == y.size();
    for (std::size_t k = 0; same && k < x.size(); ++k) {
      same = x[k].is_def() == y[k].is_def() && x[k].width() == y[k].width() && x[k].is_register() == y[k].is_register() &&
             x[k].file() == y[k].file();
    }
    if (!same) return {reaching_fault::shape, instr_id{static_cast<std::uint32_t>(i)}, 0, 0, {}, {}, false};
  }
  if (a.instructions.size() != b.instructions.size()) {
    return {reaching_fault::shape, instr_id{static_cast<std::uint32_t>(n)}, 0, 0, {}, {}, false};
  }
  vec<std::uint8_t> count(n, 0);  // 1 per place in the first program, 4 per place in the second, at most 3 each
  const program* const both[] = {&a, &b};
  for (unsigned k = 0; k < 2; ++k) {
    for (const block& blk : both[k]->blocks) {
      for (const instr_id i : both[k]->order_of(blk)) {
        std::uint8_t& c = count[i.index()];
        if ((c >> 2 * k & 3u) < 3) c = static_cast<std::uint8_t>(c + (1u << 2 * k));
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (count[i] == 0 || count[i] == 5) continue;
    return {reaching_fault::missing, instr_id{static_cast<std::uint32_t>(i)}, 0, 0, {}, {}, (count[i] & 3u) != 0};
  }
  return d;
}

// Compares the relations of two programs of the same shape.
class reaching_comparison {
 public:
  reaching_comparison(const program& first, const program& second) : first_(first), second_(second) {
    for (const instruction& ins : first.instructions) {
      first_part_.push_back(parts_);
      for (const operand o : first.operands_of(ins)) parts_ += o.width();
    }
  }

  // Over all edges.
  [[nodiscard]] reaching_difference run() {
    solve(calls::through);
    return compare();
  }
  // Without the back edges of loops; then without returns too, where a difference counts that is there whether callers go on or
  // not: what moves across a call makes one of the two only.
  [[nodiscard]] reaching_difference run_once() {
    ww::detail::loop_search(first_, loops_[0]).run();
    ww::detail::loop_search(second_, loops_[1]).run();
    solve(calls::through);
    reaching_difference d = compare();
    if (!d.ok() || !returns()) return d;
    solve(calls::ended);
    vec<std::uint8_t> suspects(parts_, 0);
    for (std::uint32_t k = 0; k < parts_; ++k) suspects[k] = x_.sets[k] != y_.sets[k] ? 1 : 0;
    solve(calls::passed);
    for (std::uint32_t k = 0; k < parts_; ++k) {
      if (suspects[k] == 0) x_.sets[k] = y_.sets[k];
    }
    compare_uses(d);
    return d;
  }

 private:
  using exit_read = reaching_relation::exit_read;
  using calls = reaching_relation::calls;

  void solve(calls how) {
    x_.compute(first_, first_part_, parts_, pool_, loops_[0].back_edges, how);
    y_.compute(second_, first_part_, parts_, pool_, loops_[1].back_edges, how);
  }
  reaching_difference compare() const {
    reaching_difference d;
    if (!compare_uses(d)) compare_exits(d);
    return d;
  }
  [[nodiscard]] bool returns() const {
    for (const cfg_edge& e : first_.edges) {
      if (e.kind == edge_kind::ret) return true;
    }
    return false;
  }

  // Both say whether they found a difference.
  bool compare_uses(reaching_difference& d) const {
    for (std::uint32_t i = 0; i < first_.instructions.size(); ++i) {
      std::uint32_t part = first_part_[i];
      const span<const operand> ops = first_.operands_of(instr_id{i});
      for (std::size_t k = 0; k < ops.size(); ++k) {
        for (unsigned w = 0; w < ops[k].width(); ++w, ++part) {
          if (x_.sets[part] == y_.sets[part]) continue;
          d.fault = reaching_fault::use;
          d.use = instr_id{i};
          d.operand = static_cast<std::uint8_t>(k);
          d.part = static_cast<std::uint8_t>(w);
          d.name = reg(ops[k].file(), ops[k].base().number() + w);
          name_definition(d, x_.sets[part], y_.sets[part]);
          return true;
        }
      }
    }
    return false;
  }
  bool compare_exits(reaching_difference& d) const {
    const auto [l, r] = std::mismatch(x_.exits.begin(), x_.exits.end(), y_.exits.begin(), y_.exits.end());
    if (l == x_.exits.end() && r == y_.exits.end()) return false;
    const bool only_left = r == y_.exits.end() || (l != x_.exits.end() && l->before(*r));
    const bool only_right = !only_left && (l == x_.exits.end() || r->before(*l));
    const exit_read& where = only_right ? *r : *l;
    d.fault = reaching_fault::exit;
    d.use = where.last;
    d.name = reg::from_packed(where.name);
    name_definition(d, only_right ? definition_sets::empty : l->set, only_left ? definition_sets::empty : r->set);
    return true;
  }
  void name_definition(reaching_difference& d, definition_sets::key in_first, definition_sets::key in_second) const {
    const vec<std::uint32_t> l = pool_.elements(in_first);
    const vec<std::uint32_t> r = pool_.elements(in_second);
    vec<std::uint32_t> one;
    std::set_difference(l.begin(), l.end(), r.begin(), r.end(), std::back_inserter(one));
    d.in_first = !one.empty();
    if (one.empty()) std::set_difference(r.begin(), r.end(), l.begin(), l.end(), std::back_inserter(one));
    if (one.empty() || (one[0] & reaching_relation::from_entry) != 0) return;
    if ((one[0] & reaching_relation::from_outside) != 0) {
      d.def = instr_id{one[0] & ~reaching_relation::from_outside};
      return;
    }
    const auto owner = std::upper_bound(first_part_.begin(), first_part_.end(), one[0]) - first_part_.begin();
    d.def = instr_id{static_cast<std::uint32_t>(owner - 1)};
  }

  const program& first_;
  const program& second_;
  vec<std::uint32_t> first_part_;  // by instruction
  std::uint32_t parts_ = 0;
  definition_sets pool_;
  reaching_relation x_, y_;
  ww::loop_forest loops_[2];  // none looked for at first
};

}  // namespace detail

// The first difference, by instruction id and operand; uses come before exits, both before what a back edge carries, names last.
[[nodiscard]] inline reaching_difference same_reaching(const program& first, const program& second) {
  reaching_difference d = detail::same_shape(first, second);
  if (!d.ok()) return d;
  detail::reaching_comparison comparison(first, second);
  d = comparison.run();
  if (!d.ok()) return d;
  d = comparison.run_once();
  if (!d.ok()) {
    d.fault = reaching_fault::carried;
    return d;
  }
  if (const detail::other_name n = detail::block_names(first, second).run(); n.found) {
    return {reaching_fault::target, n.by, 0, 0, {}, n.second, false};
  }
  return d;
}

}  // namespace ww::verify
