// SPDX-License-Identifier: BSL-1.0
//
// Fills the entries of backend C (PLS-17) for a part of a block: operand counts, pressure costs, scores, keys.
//
//   live       a source operand, or a result that is read later in the part or live at its end
//   multiple   an operand whose value has a reader after this one (a source) or more than one (a result)
//   carried    results from other blocks: whoever reads or overwrites one cannot issue before it arrives, until an unguarded
//              instruction has overwritten all of it. A reader depends on the instruction that made it like on one of its own
//              block, once however many registers it reads of it; the first reader takes its cost into the record of the block
//   number     the place in the part, or in another order that the caller gives
// One walk up for the counts, one walk down for costs and scores.
#pragma once

#include <cstdint>

#include "../../graph/graph.hpp"
#include "../../ir/program.hpp"
#include "../../meta/rounded.hpp"
#include "../../meta/span.hpp"
#include "../../schedule/timing.hpp"
#include "pressure_cost.hpp"
#include "score.hpp"
#include "space.hpp"

namespace ww::backend::c {

template <class Arch, class Options>
class describe_part {
 public:
  // `own.live.out` and `own.number` are filled.
  describe_part(const program& p, block_id b, span<const instr_id> order, schedule_space& ws, space<Options>& own)
      : p_(p), order_(order), ws_(ws), own_(own), record_(own.records[b]) {
    const auto n = static_cast<std::uint32_t>(order.size());
    own.entries.assign(n, entry{});
    own.counts.assign(n, operand_counts{});
    own.carried.assign(n, 0);
    own.items.resize(n);
    const bool first_part = order.data() == p.order_of(p[b]).data();
    crossing_ = first_part && !own.records.nothing_arrives();
    if (first_part) record_.pressure_latency = record_.weighted_latency = 0;
    count_operands();
    for (std::uint32_t i = 0; i < n; ++i) describe(i);
  }

 private:
  void count_operands() {
    const register_layout& layout = own_.live.of_blocks.layout;
    own_.readers.assign(std::size_t{layout.words()} * 64, 0);
    for (std::size_t w = 0; w < own_.live.out.size(); ++w) {
      for (std::uint64_t left = own_.live.out[w]; left != 0; left &= left - 1) {
        own_.readers[w * 64 + static_cast<unsigned>(__builtin_ctzll(left))] = 1;
      }
    }
    for (std::size_t i = order_.size(); i-- > 0;) {
      const instruction& ins = p_[order_[i]];
      operand_counts& counts = own_.counts[i];
      for (const operand o : p_.operands_of(ins)) {
        if (!o.is_def() || !counts_for_pressure(o)) continue;
        std::uint32_t readers = 0;
        each_bit(o, [&](std::uint32_t bit) {
          readers = own_.readers[bit] > readers ? own_.readers[bit] : readers;
          if (!ins.has(iflag::guarded) && !o.is_partial()) own_.readers[bit] = 0;
        });
        if (readers > 0) ++counts.live;
        if (readers > 1) ++counts.multiple;
      }
      for (const operand o : p_.operands_of(ins)) {
        if (!o.is_use() || !counts_for_pressure(o)) continue;
        std::uint32_t readers = 0;
        each_bit(o, [&](std::uint32_t bit) {
          ++own_.readers[bit];
          readers = own_.readers[bit] > readers ? own_.readers[bit] : readers;
        });
        ++counts.live;
        if (readers > 1) ++counts.multiple;
      }
    }
  }

  void describe(std::uint32_t i) {
    const instruction& ins = p_[order_[i]];
    const dependence_graph& g = ws_.graph;
    entry& e = own_.entries[i];
    e.class_id = ins.iclass;
    e.latency = latency_scale<Arch>(ins.iclass);
    e.long_latency = class_cycles<Arch>(ins.iclass) > Options::long_latency;
    e.mode = mode_of(ins);
    own_.producers.clear();
    if (crossing_) carry(i, ins);
    const operand_counts& counts = own_.counts[i];
    double cost = meta::rounded(Options::operand_weight * counts.live) +
                  opcode_bonus(ins.op, ins.iclass, Options::latency_weight, !own_.producers.empty());
    if (last_register_negated(p_.operands_of(ins))) cost *= Options::damping;
    if (ww::detail::row_of<Arch>(ins.iclass).variable) cost *= e.latency;
    e.pressure_cost = with_live_range_penalty<Options>(cost, counts.multiple, e.mode);
    composite_score score(e.pressure_cost);
    for (const dependence_edge& d : g.pred(i)) {
      if (d.kind == dependence_kind::raw) depend(score, ws_.nodes[d.from].iclass);
    }
    for (const sched_class producer : own_.producers) depend(score, producer);
    e.score = score.value(e.long_latency);
    const std::uint32_t height = g.height[i];
    e.priority = static_cast<std::int32_t>(Options::when == stage::pre ? height / coarse : height);
    own_.items[i] = ready_list::three_key{e.score, e.priority, own_.number[i]};
  }
  static void depend(composite_score& score, sched_class producer) {
    score.depend(latency_scale<Arch>(producer), ww::detail::row_of<Arch>(producer).variable);
  }
  static entry_mode mode_of(const instruction& ins) {
    if (ins.has(iflag::fence) || ins.has(iflag::unknown) || ins.has(iflag::ends_block) || ins.has(iflag::padding)) {
      return entry_mode::fixed;
    }
    return Options::when == stage::pre ? entry_mode::pre : entry_mode::post;
  }

  // What the instruction reads or overwrites of other blocks' results.
  void carry(std::uint32_t i, const instruction& ins) {
    own_.records.next_reader();
    for (const operand o : p_.operands_of(ins)) {
      each_bit(o, [&](std::uint32_t bit) {
        const in_flight* f = own_.records.arriving(bit);
        if (f == nullptr) return;
        if (f->remaining > own_.carried[i]) own_.carried[i] = f->remaining;
        if (!o.is_use()) return;
        if (own_.records.meets(*f)) own_.producers.push_back(f->producer);
        if (!own_.records.takes(*f)) return;
        record_.pressure_latency += f->cost;
        record_.weighted_latency += latency_scale<Arch>(f->producer);
      });
    }
    if (ins.has(iflag::guarded)) return;
    for (const operand o : p_.operands_of(ins)) {
      if (o.is_def() && !o.is_partial()) each_bit(o, [&](std::uint32_t bit) { own_.records.settle(bit); });
    }
  }
  template <class F>
  void each_bit(operand o, F&& f) const {
    if (o.is_register()) own_.live.of_blocks.each_bit(o, f);
  }

  static constexpr std::uint32_t coarse = 8;  // cycles per step of the priority before allocation

  const program& p_;
  span<const instr_id> order_;
  schedule_space& ws_;
  space<Options>& own_;
  block_record& record_;
  bool crossing_ = false;
};

}  // namespace ww::backend::c
