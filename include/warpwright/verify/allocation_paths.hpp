// SPDX-License-Identifier: BSL-1.0
//
// The second half of the check of an allocation: sets of definitions do not tell on which path, or in which iteration, a
// definition comes. Here every path is told apart, by walking both programs backwards together.
//
//   demand     at this place, `after` must hold in one register, slot or bit what `before` holds in a register; made by an
//              operand that reads it, and moved backwards through copies, spills, refills and packed predicates
//   met        by an original instruction that writes both at the same operand
//   failed     written by the program before only. Written by the one after only, the value is lost there, and the demand is
//              that the program before has none: nothing is on any path above that defines it
//   again      what an instruction computes again demands that the register before still holds what that instruction
//              computed, and that its sources are what they were then
//   entry      at an entry a register must be demanded of itself; one that does not exist before the allocation holds
//              nothing
// Deleted copies move demands on the side of the program before. A guarded write meets nothing, but must write both alike.
// Demands and writes under complementary guards of one value of a predicate, in one block, have nothing to do with each
// other. Bits behind a merge are not followed: there the sets must do. Demands at the start of each block grow to the least
// fixed point; time is that of all instructions times the demands that are open at once, until then.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_chains.hpp"
#include "allocation_demand.hpp"
#include "allocation_side.hpp"

namespace ww::verify::detail {

class allocation_paths {
 public:
  vec<allocation_demand> failed;  // one per origin and register, in the order of origins

  allocation_paths(const allocation_side& before, const allocation_side& after, const frame_slots& slots,
                   span<const std::uint32_t> named, span<const reg> preserved)
      : x_(before), y_(after), slots_(slots), named_(named), preserved_(preserved) {}

  void run() {
    const std::size_t blocks = y_.code.blocks.size();
    starts_.assign(blocks, vec<allocation_demand>{});
    enter_.assign(blocks, vec<std::uint32_t>{});
    follows_.assign(y_.code.edges.size(), 0);
    for (std::uint32_t e = 0; e < y_.code.edges.size(); ++e) {
      if (is_summary(y_.code, y_.code.edges[e])) continue;
      follows_[e] = 1;
      enter_[y_.code.edges[e].to.index()].push_back(y_.code.edges[e].from.index());
    }
    vec<std::uint8_t> waiting(blocks, 1);
    vec<std::uint32_t> work;
    for (std::size_t b = 0; b < blocks; ++b) work.push_back(static_cast<std::uint32_t>(b));
    // The last blocks first.
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      waiting[b] = 0;
      if (!block_demands(b)) continue;
      for (const std::uint32_t from : enter_[b]) {
        if (waiting[from] != 0) continue;
        waiting[from] = 1;
        work.push_back(from);
      }
    }
    const auto order = [](const allocation_demand& a, const allocation_demand& b) {
      if (a.origin != b.origin) return a.origin < b.origin;
      return a.name != b.name ? a.name < b.name : a.less(b);
    };
    std::sort(failed.begin(), failed.end(), order);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < failed.size(); ++k) {
      const bool again = kept != 0 && failed[kept - 1].origin == failed[k].origin &&
                         ((failed[k].origin & allocation_demand::at_exit) == 0 || failed[kept - 1].name == failed[k].name);
      if (again) {
        failed[kept - 1].routes.add(failed[k].routes);
      } else {
        failed[kept++] = failed[k];
      }
    }
    failed.resize(kept);
  }

 private:
  using demand = allocation_demand;
  static constexpr std::uint32_t none = 0xffffffffu;

  using written = demand_written;

  [[nodiscard]] static const operand& operand_at(const allocation_side& s, std::uint32_t n, std::uint32_t k) {
    return s.code.operands_of(instr_id{n})[k];
  }

  void fail(const demand& d) { failed.push_back(d); }
  // The program after has the value no longer, above this place; the one before must have none.
  void lose(demand d) {
    d.how = demand::nothing;
    d.after = 0;
    next_.push_back(d);
  }

  // The demands at the start of a block, from those of the blocks behind it; whether there are more than before.
  bool block_demands(std::uint32_t b) {
    now_.clear();
    const block& blk = y_.code.blocks[b];
    for (std::uint32_t e = blk.first_edge; e < blk.first_edge + blk.edge_count; ++e) {
      if (follows_[e] == 0) continue;
      const vec<demand>& from = starts_[y_.code.edges[e].to.index()];
      now_.insert(now_.end(), from.begin(), from.end());
    }
    unique_demands(now_);
    if (blk.open_exit && blk.count != 0) demand_all(y_.code.order[blk.first + blk.count - 1].index());
    const span<const instr_id> was = x_.code.order_of(x_.code.blocks[b]);
    const span<const instr_id> is = y_.code.order_of(blk);
    std::size_t left = was.size();
    for (std::size_t k = is.size(); k-- > 0;) {
      const std::uint32_t n = is[k].index();
      if (n >= y_.originals) {
        inserted(n);
        continue;
      }
      while (left > 0 && was[left - 1].index() != n) deleted(was[--left].index());
      if (left > 0) --left;
      const bool called = blk.open_exit && k + 1 == is.size() && y_.code.instructions[n].has(iflag::call);
      original(n, called || y_.code.instructions[n].has(iflag::unknown));
    }
    while (left > 0) deleted(was[--left].index());
    for (demand& d : now_) d.guard = 0;
    unique_demands(now_);
    if (blk.entry) entry();
    vec<demand>& kept = starts_[b];
    const std::size_t known = kept.size();
    kept.insert(kept.end(), now_.begin(), now_.end());
    unique_demands(kept);
    return kept.size() != known;
  }
  void entry() {
    for (const demand& d : now_) {
      const reg b = reg::from_packed(d.before);
      if (b.is_virtual() && !frame_slots::is_slot(b)) continue;
      if (d.how != demand::whole || d.after != d.before) fail(d);
    }
  }
  void add(const demand& d) {
    for (demand& o : now_) {
      if (!o.same(d)) continue;
      if (o.guard != d.guard) o.guard = 0;
      return;
    }
    now_.push_back(d);
  }
  void demand_all(std::uint32_t n) {
    for (const std::uint32_t name : named_) {
      demand d;
      d.before = d.after = d.name = name;
      d.origin = demand::at_exit | n;
      add(d);
    }
  }

  static bool is_file(std::uint32_t packed, reg_file f) { return reg::from_packed(packed).file() == f; }
  // A slot of the allocator whose base register is written by an instruction of the program after.
  [[nodiscard]] bool loses_base(const demand& d) const {
    if (!d.has_place() || !frame_slots::is_slot(reg::from_packed(d.after))) return false;
    if (frame_slots::is_slot(reg::from_packed(d.before))) return false;  // of the program: written in both
    return find_written(after_, slots_.base_of(reg::from_packed(d.after)).packed) != nullptr;
  }
  // Is the value that is to be computed again made of a register that is written here? `before_` is what is written.
  [[nodiscard]] bool loses_source(const demand& d) const {
    if (d.how != demand::again) return false;
    const std::uint32_t n = x_.locate(d.after).number;
    for (const operand& o : x_.code.operands_of(instr_id{n})) {
      if (!o.is_use() || !o.is_register()) continue;
      for (std::uint32_t w = 0; w < o.width(); ++w) {
        if (find_written(before_, register_name(o, w)) != nullptr) return true;
      }
    }
    return false;
  }

  static std::uint32_t guard_of(const program& p, const instruction& i) {
    if (!i.has(iflag::guarded)) return 0;
    for (const operand& o : p.operands_of(i)) {
      if (o.where() == slot::guard && o.is_use()) return 1 + 2 * o.base().packed + (i.guard_negated != 0 ? 1u : 0u);
    }
    return 0;
  }
  static bool exclusive(std::uint32_t a, std::uint32_t b) { return a != 0 && b != 0 && ((a - 1) ^ (b - 1)) == 1; }

  void original(std::uint32_t n, bool outside) {
    const instruction& ins = x_.code.instructions[n];
    const bool alone = reaching_relation::keeps_threads_apart(ins);
    const std::uint32_t guard = alone ? guard_of(x_.code, ins) : 0;
    const bool guarded = ins.has(iflag::guarded);
    written_by(x_, n, before_);
    written_by(y_, n, after_);
    if (outside) clobbered();
    const std::uint32_t from = copied_operand(x_.code, ins, false);
    next_.clear();
    for (const demand& d : now_) {
      if (loses_source(d)) {
        lose(d);
        continue;
      }
      if (exclusive(d.guard, guard) && find_written(before_, (d.guard - 1) / 2) == nullptr) {
        next_.push_back(d);
        continue;
      }
      const written* const w = find_written(before_, d.before);
      if (d.how == demand::again && w != nullptr) {
        if (guarded || x_.part_of(n, w->operand, w->word) != d.after) fail(d);
        continue;
      }
      const written* const v = d.has_place() ? find_written(after_, d.after) : nullptr;
      if (loses_base(d) && w == nullptr) {
        lose(d);
        continue;
      }
      if (w == nullptr && v == nullptr) {
        next_.push_back(d);
        continue;
      }
      const bool both =
          d.how == demand::whole && w != nullptr && v != nullptr && w->operand == v->operand && w->word == v->word;
      if (both) {
        if (guarded || operand_at(x_, n, w->operand).is_partial()) next_.push_back(d);
        continue;
      }
      if (from == none) {
        if (w != nullptr) fail(d);
        if (w == nullptr || guarded) lose(d);
        continue;
      }
      demand moved = d;
      if (w != nullptr) moved.before = register_name(operand_at(x_, n, from), w->word);
      if (v != nullptr) moved.after = register_name(operand_at(y_, n, from), v->word);
      next_.push_back(moved);
      if (guarded) next_.push_back(d);
    }
    settle(before_);
    const span<const operand> x = x_.code.operands_of(instr_id{n});
    const span<const operand> y = y_.code.operands_of(instr_id{n});
    for (std::uint32_t k = 0; k < x.size() && k < y.size(); ++k) {
      if (x[k].is_use() && x[k].is_register() && y[k].is_register()) demand_operand(x[k], y[k], y_.part_of(n, k), guard, {});
    }
    if (outside && ins.has(iflag::unknown)) demand_all(n);
  }
  void demand_operand(const operand& x, const operand& y, std::uint32_t part, std::uint32_t guard, error_set routes) {
    for (std::uint32_t w = 0; w < x.width() && w < y.width(); ++w) {
      const bool own = x.where() != slot::guard &&
                       (guard == 0 || is_file(x.base().packed, reg_file::r) || is_file(x.base().packed, reg_file::p));
      add({register_name(x, w), register_name(y, w), demand::whole, part + w, own ? guard : 0, register_name(x, w), 0,
           routes});
    }
  }
  // Takes over `next_`; a guard whose predicate is written above this place is no longer that value.
  void settle(const vec<written>& writes_before) {
    now_.swap(next_);
    for (demand& d : now_) {
      if (d.guard != 0 && find_written(writes_before, (d.guard - 1) / 2) != nullptr) d.guard = 0;
    }
  }
  // Code that is not known may write every physical register of the program after, and that of the same name before.
  void clobbered() {
    next_.clear();
    for (const demand& d : now_) {
      const reg a = reg::from_packed(d.after);
      const bool own = reg::from_packed(d.before).is_virtual();
      const bool kept = d.before == d.after || (own && (!d.has_place() || frame_slots::is_slot(a) || is_preserved(a)));
      if (kept) {
        next_.push_back(d);
      } else {
        lose(d);
      }
    }
    now_.swap(next_);
  }

  [[nodiscard]] bool is_preserved(reg r) const {
    return std::find(preserved_.begin(), preserved_.end(), r) != preserved_.end();
  }

  void deleted(std::uint32_t n) {
    const instruction& ins = x_.code.instructions[n];
    written_by(x_, n, before_);
    const std::uint32_t from = copied_operand(x_.code, ins, false);
    next_.clear();
    for (const demand& d : now_) {
      const written* const w = find_written(before_, d.before);
      if (loses_source(d)) {
        lose(d);
        continue;
      }
      if (w == nullptr) {
        next_.push_back(d);
        continue;
      }
      const bool same = d.how == demand::again && x_.part_of(n, w->operand, w->word) == d.after;
      if (same && !ins.has(iflag::guarded)) continue;
      if (from == none) {
        fail(d);
        continue;
      }
      demand moved = d;
      moved.before = register_name(operand_at(x_, n, from), w->word);
      next_.push_back(moved);
      if (ins.has(iflag::guarded)) next_.push_back(d);
    }
    settle(before_);
  }

  void inserted(std::uint32_t n) {
    written_by(y_, n, after_);
    if (after_.empty()) return;
    const bool guarded = y_.code.instructions[n].has(iflag::guarded);
    bool again = false;
    next_.clear();
    for (const demand& d : now_) {
      const written* const w = d.has_place() ? find_written(after_, d.after) : nullptr;
      if (loses_base(d)) {
        lose(d);
        continue;
      }
      if (w == nullptr) {
        next_.push_back(d);
        continue;
      }
      demand moved = d;
      switch (demand_source(x_, y_, n, *w, moved)) {
        case demand_outcome::moved:
          next_.push_back(moved);
          if (guarded) next_.push_back(d);
          again = again || moved.how == demand::again;
          break;
        case demand_outcome::dropped:
          break;
        case demand_outcome::failed:
          lose(moved);
          break;
      }
    }
    now_.swap(next_);
    unique_demands(now_);
    if (!again) return;
    error_set route;
    route.add(allocation_error::rematerialization);
    const span<const operand> x = x_.code.operands_of(y_.role[n].of);
    const span<const operand> y = y_.code.operands_of(instr_id{n});
    for (std::uint32_t k = 0; k < x.size() && k < y.size(); ++k) {
      if (x[k].is_use() && x[k].is_register() && y[k].is_register()) demand_operand(x[k], y[k], y_.part_of(n, k), 0, route);
    }
  }

  const allocation_side& x_;
  const allocation_side& y_;
  const frame_slots& slots_;
  span<const std::uint32_t> named_;
  span<const reg> preserved_;
  vec<vec<demand>> starts_;        // by block
  vec<vec<std::uint32_t>> enter_;  // by block: where edges come from
  vec<std::uint8_t> follows_;      // by edge
  vec<demand> now_, next_;
  vec<written> before_, after_;
};

}  // namespace ww::verify::detail
