// SPDX-License-Identifier: BSL-1.0
//
// What backend C (PLS-17) knows across blocks: results that are still in flight where control enters a block, and the costs
// that come with them, through predecessor blocks and called functions alike.
//
//   in flight    a register written in an earlier block whose result is not there yet: cycles that remain; the instruction
//                that made it (its source), its class and its pressure cost times its latency scale
//   arriving     in flight at the start of a block, the longest over all predecessors. A block's predecessors include the
//                returns of the functions it has called, and the callers of the function it begins
//   propagation  the exit of a block needs what arrives there, so its predecessors are worked out first, recursively, on a
//                stack of our own. A block that is being worked out already (a loop, a recursive call) adds nothing, which
//                ends every recursion. Each exit is worked out once
// Distances are the least that the instructions in between take, so that nothing is thought to have arrived too early.
// A caller's priorities follow from who made a result and when it arrives. The two sums of a block, and with them the cost of
// what is in flight, are kept for who wants to look at them: nothing in the kit reads them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "../../ir/cfg.hpp"
#include "../../ir/program.hpp"
#include "../../meta/rounded.hpp"
#include "../../meta/span.hpp"
#include "../../meta/vec.hpp"
#include "../../pressure/register_layout.hpp"
#include "../../schedule/class_table.hpp"
#include "latency_scale.hpp"
#include "options.hpp"
#include "pressure_cost.hpp"

namespace ww::backend::c {

struct in_flight {
  std::uint32_t bit = 0;        // of the register layout
  std::uint32_t remaining = 0;  // cycles
  double cost = 0;
  std::uint32_t source = 0;  // index of the instruction that made it
  sched_class producer{};
};

struct block_record {
  double pressure_latency = 0;  // sum of latency * pressure cost of what was scheduled, and of what arrives
  double weighted_latency = 0;  // sum of (priority - 2) * latency, and of what arrives
  std::uint32_t first = 0;      // its slice of the exits
  std::uint32_t count = 0;
  enum : std::uint8_t { unknown, open, done } state = unknown;
};

class block_records {
 public:
  void prepare(const program& p, const register_layout& layout) {
    layout_ = &layout;
    records_.assign(p.blocks.size(), block_record{});
    exits_.clear();
    arriving_.clear();
    slot_of_.assign(std::size_t{layout.words()} * 64, none);
    touched_.assign(layout.words(), 0);
    met_.assign(p.instructions.size(), source_met{});
    reader_ = 0;
    entry_ = 0;
  }
  [[nodiscard]] block_record& operator[](block_id b) { return records_[b.index()]; }
  [[nodiscard]] const block_record& operator[](block_id b) const { return records_[b.index()]; }

  // Works out what arrives at block b.
  template <class Arch, class Options>
  void enter(const program& p, block_id b) {
    const auto before = records_[b.index()].state;
    records_[b.index()].state = block_record::open;  // a way back into b does not ask for b's own exit
    for_predecessors(p, b.index(), [&](std::uint32_t from) { propagate<Arch, Options>(p, from); });
    records_[b.index()].state = before;
    merge(p, b.index());
    ++entry_;
  }

  // What arrives in this register at the block entered last, or nullptr.
  [[nodiscard]] const in_flight* arriving(std::uint32_t bit) const {
    const std::uint32_t slot = slot_of_[bit];
    return slot == none ? nullptr : &arriving_[slot];
  }
  // The register has been overwritten: what arrived in it is of no more account.
  void settle(std::uint32_t bit) { slot_of_[bit] = none; }
  // The next instruction asks what it depends on.
  void next_reader() { ++reader_; }
  // Has this reader not met the source yet, in another register or operand?
  bool meets(const in_flight& f) { return std::exchange(met_[f.source].reader, reader_) != reader_; }
  // Takes the source's cost; true for the first taker in the block entered last.
  bool takes(const in_flight& f) { return std::exchange(met_[f.source].entry, entry_) != entry_; }
  [[nodiscard]] bool nothing_arrives() const { return arriving_.empty(); }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  struct source_met {  // who met an instruction's results last
    std::uint32_t reader = 0;
    std::uint32_t entry = 0;
  };
  struct frame {
    std::uint32_t block;
    std::uint32_t next;  // predecessor edge
  };

  template <class F>
  static void for_predecessors(const program& p, std::uint32_t b, F&& f) {
    for (const std::uint32_t e : p.pred_edges_of(p.blocks[b])) {
      if (counts(p, p.edges[e])) f(p.edges[e].from.index());
    }
  }
  static bool counts(const program& p, const cfg_edge& e) { return !is_summary(p, e) && !p[e.from].padding; }

  template <class Arch, class Options>
  void propagate(const program& p, std::uint32_t root) {
    if (records_[root].state != block_record::unknown) return;
    stack_.clear();
    open<Arch>(p, root);
    while (!stack_.empty()) {
      frame& f = stack_.back();
      const block& blk = p.blocks[f.block];
      if (f.next == blk.pred_count) {
        leave<Arch, Options>(p, f.block);
        stack_.pop_back();
        continue;
      }
      const cfg_edge& e = p.edges[p.pred_edges_of(blk)[f.next++]];
      if (counts(p, e) && records_[e.from.index()].state == block_record::unknown) open<Arch>(p, e.from.index());
    }
  }
  template <class Arch>
  void open(const program& p, std::uint32_t b) {
    records_[b].state = block_record::open;
    // What comes from further up has arrived when the block alone takes longer than the longest latency.
    const bool reaches = p.blocks[b].count < longest_latency<Arch>();
    stack_.push_back({b, reaches ? 0 : p.blocks[b].pred_count});
  }

  // Gathers the exits of all predecessors that are known: per register the one that takes longest.
  void merge(const program& p, std::uint32_t b) {
    for (const in_flight& a : arriving_) slot_of_[a.bit] = none;
    arriving_.clear();
    for_predecessors(p, b, [&](std::uint32_t from) {
      const block_record& r = records_[from];
      if (r.state != block_record::done) return;
      for (std::uint32_t k = r.first; k < r.first + r.count; ++k) {
        const in_flight& f = exits_[k];
        std::uint32_t& slot = slot_of_[f.bit];
        if (slot == none) {
          slot = static_cast<std::uint32_t>(arriving_.size());
          arriving_.push_back(f);
        } else if (f.remaining > arriving_[slot].remaining) {
          arriving_[slot] = f;
        }
      }
    });
  }

  // The exit of b: its own results that are not there yet, and what arrives and only passes through.
  template <class Arch, class Options>
  void leave(const program& p, std::uint32_t b) {
    merge(p, b);
    block_record& r = records_[b];
    r.first = static_cast<std::uint32_t>(exits_.size());
    std::fill(touched_.begin(), touched_.end(), 0);
    const span<const instr_id> order = p.order_of(p.blocks[b]);
    std::uint32_t distance = 0;  // cycles from the issue of the instruction to the end of the block
    for (std::size_t k = order.size(); k-- > 0 && distance < longest_latency<Arch>();) {
      const instruction& ins = p[order[k]];
      distance += ww::detail::row_of<Arch>(ins.iclass).min_stall;
      own_results<Arch, Options>(p, order[k].index(), distance);
    }
    for (const in_flight& a : arriving_) {
      if (a.remaining > distance && !touched(a.bit)) {
        exits_.push_back(a);
        exits_.back().remaining -= distance;
      }
    }
    r.count = static_cast<std::uint32_t>(exits_.size()) - r.first;
    r.state = block_record::done;
  }
  template <class Arch, class Options>
  void own_results(const program& p, std::uint32_t source, std::uint32_t distance) {
    const instruction& ins = p.instructions[source];
    const unsigned cycles = detail::latency_rows<Arch>[static_cast<unsigned>(ins.iclass)].cycles;
    if (cycles > distance) {
      in_flight f;
      f.remaining = cycles - distance;
      f.producer = ins.iclass;
      f.source = source;
      unsigned operands = 0;
      for (const operand o : p.operands_of(ins)) operands += counts_for_pressure(o) ? 1u : 0u;
      f.cost = latency_scale<Arch>(ins.iclass) * (meta::rounded(Options::operand_weight * operands) +
                                                  opcode_bonus(ins.op, ins.iclass, Options::latency_weight, true));
      for (const operand o : p.operands_of(ins)) {
        if (!o.is_def()) continue;
        each_bit(o, [&](std::uint32_t bit) {
          if (touched(bit)) return;
          f.bit = bit;
          exits_.push_back(f);
          touch(bit);
        });
      }
    }
    for (const operand o : p.operands_of(ins)) each_bit(o, [&](std::uint32_t bit) { touch(bit); });
  }

  template <class F>
  void each_bit(operand o, F&& f) const {
    if (!o.is_register()) return;
    std::uint32_t bit = 0;
    for (std::uint32_t n = layout_->bits_of(o.base(), o.width(), bit); n != 0; --n, ++bit) f(bit);
  }
  [[nodiscard]] bool touched(std::uint32_t bit) const { return (touched_[bit >> 6] >> (bit & 63u) & 1u) != 0; }
  void touch(std::uint32_t bit) { touched_[bit >> 6] |= std::uint64_t{1} << (bit & 63u); }

  const register_layout* layout_ = nullptr;
  vec<block_record> records_;
  vec<in_flight> exits_;
  vec<in_flight> arriving_;
  vec<std::uint32_t> slot_of_;  // per bit: its place in arriving_
  vec<std::uint64_t> touched_;
  vec<source_met> met_;  // by instruction
  std::uint32_t reader_ = 0;
  std::uint32_t entry_ = 0;  // blocks entered so far
  vec<frame> stack_;
};

}  // namespace ww::backend::c
