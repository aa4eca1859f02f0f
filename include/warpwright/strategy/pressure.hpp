// SPDX-License-Identifier: BSL-1.0
//
// Scheduling for pressure (PLS-13, ScheduleForPressure): definitions as close to their uses as possible.
//
// The block is filled from its end to its start. Of the instructions whose readers are all placed the next one (upwards) is
//   1  the one that leaves the fewest registers live above it (general registers, then all classes)
//   2  the one whose result was asked for last, so that a definition comes right before its use
//   3  the one that needs fewer registers itself (its Sethi-Ullman number): of two operands of one reader the costlier is
//      computed first
//   4  the later one in source order
// Lives are counted by value: what a full write leaves, up to the next full write; guarded and partial writes stay inside.
// What is live behind the block comes from the program's liveness, computed once per program (schedule_blocks) or, for a
// single block, at the call. If the peak of any register class would rise, the source order is kept; a longer schedule is
// no reason against it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/array.hpp"
#include "../meta/sort.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "../schedule/timing.hpp"
#include "incumbent.hpp"

namespace ww::strategy {

struct pressure {
  using role = ww::role::strategy;
  static constexpr const char* name = "pressure";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;

  static constexpr std::uint32_t none = 0xffffffffu;
  using peaks = array<std::uint32_t, pressure_class_count>;

  struct space {
    liveness live;
    struct touch {
      std::uint32_t value = 0;
      bool births = false;  // the full write that the value starts with
      bool reads = false;
      std::uint32_t old = none;  // births: the value that the register held before, or none
    };
    struct value {
      std::uint8_t register_class = 0;
      bool live_out = false;
      bool alive = false;
      std::uint32_t readers = 0;  // instructions that read it and are not placed
    };
    vec<value> values;
    vec<touch> touches;          // grouped by instruction
    vec<std::uint32_t> first;    // by instruction
    vec<std::uint32_t> current;  // by register bit: its present value
    vec<std::uint32_t> last_of;  // by register bit: instruction that touched it last, while numbering
    vec<std::uint32_t> waiting;  // by instruction: successors not placed
    vec<std::uint32_t> asked;    // by instruction: picks made when a reader of it was placed last
    vec<std::uint32_t> needs;    // by instruction: Sethi-Ullman number
    vec<std::uint32_t> scratch;
    vec<std::uint32_t> ready;
    peaks before{};
    peaks after{};
  };

  template <class Config, class Workspace>
  static constexpr void prepare(const program& p, Workspace& ws) {
    look_at<typename Config::vectors>(p, ws.own);
  }
  template <class Vectors>
  static constexpr void look_at(const program& p, space& own) {
    own.live.template compute<Vectors>(p);
  }

  // Cycles are not its business.
  template <class Config, class Workspace>
  static constexpr bool worse(const Workspace&, const schedule_stats&) {
    return false;
  }

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own, schedule_stats&) {
    detail::fill_nodes<typename Config::arch>(p, order, ws);
    const dependence_graph& g = ws.graph;
    if (!g.forward) return false;
    if (!ws.prepared) look_at<typename Config::vectors>(p, own);
    number(p, order, own);
    ws.sequence.resize(g.count);
    for (std::uint32_t i = 0; i < g.count; ++i) ws.sequence[i] = i;
    own.before = peaks_of(own, ws.sequence);
    if (!fill_upwards(g, detail::last_is_pinned(p, order), own, ws.sequence)) return false;
    own.after = peaks_of(own, ws.sequence);
    for (std::size_t c = 0; c < pressure_class_count; ++c) {
      if (own.after[c] <= own.before[c]) continue;
      for (std::uint32_t i = 0; i < g.count; ++i) ws.sequence[i] = i;
      own.after = own.before;
      break;
    }
    if (ws.want_reasons) {
      ws.reasons.clear();
      for (std::uint32_t i = 0; i < g.count; ++i) note_pick(ws, ws.sequence[i], i);  // beside the source order
    }
    ws.planned = detail::cycles_of(ws, ws.sequence);
    return true;
  }

  // Largest number of live registers per class at any instruction of an order: those live before it and those it writes.
  static constexpr peaks peaks_of(space& own, span<const std::uint32_t> sequence) {
    count_readers(own);
    peaks live{};
    peaks peak{};
    // A value that nothing here starts comes in live, if anything wants it.
    own.scratch.assign(own.values.size(), 0);
    for (const space::touch& t : own.touches) own.scratch[t.value] |= t.births ? 1u : 0u;
    for (std::size_t v = 0; v < own.values.size(); ++v) {
      space::value& x = own.values[v];
      x.alive = own.scratch[v] == 0 && (x.readers != 0 || x.live_out);
      if (x.alive) ++live[x.register_class];
    }
    peak = live;
    for (const std::uint32_t i : sequence) {
      const auto touches = touches_of(own, i);
      for (const space::touch& t : touches) {
        space::value& x = own.values[t.value];
        if (t.reads) --x.readers;
        if (t.old != none && own.values[t.old].alive) {  // the register is taken over, not taken besides
          own.values[t.old].alive = false;
          --live[x.register_class];
        }
        if (x.alive) continue;
        x.alive = true;  // written, if only for a moment
        ++live[x.register_class];
      }
      for (std::size_t c = 0; c < pressure_class_count; ++c) peak[c] = std::max(peak[c], live[c]);
      for (const space::touch& t : touches) {
        space::value& x = own.values[t.value];
        if (!x.alive || x.readers != 0 || x.live_out) continue;
        x.alive = false;
        --live[x.register_class];
      }
    }
    return peak;
  }

 private:
  static constexpr span<const space::touch> touches_of(const space& own, std::uint32_t i) {
    return {own.touches.data() + own.first[i], own.first[i + 1] - own.first[i]};
  }

  static constexpr void count_readers(space& own) {
    for (space::value& x : own.values) {
      x.readers = 0;
      x.alive = false;
    }
    for (const space::touch& t : own.touches) {
      if (t.reads) ++own.values[t.value].readers;
    }
  }

  // Numbers the values of the block from its source order.
  static constexpr void number(const program& p, span<const instr_id> order, space& own) {
    const register_layout& layout = own.live.layout;
    own.values.clear();
    own.touches.clear();
    own.first.clear();
    own.current.assign(std::size_t{layout.words()} * 64, none);
    for (const instr_id id : order) {
      const instruction& i = p[id];
      own.first.push_back(static_cast<std::uint32_t>(own.touches.size()));
      for (const operand o : p.operands_of(i)) {
        if (o.is_use() && o.is_register()) touch_all(own, o, true, false);
      }
      for (const operand o : p.operands_of(i)) {
        if (o.is_def() && o.is_register()) touch_all(own, o, false, !i.has(iflag::guarded) && !o.is_partial());
      }
    }
    own.first.push_back(static_cast<std::uint32_t>(own.touches.size()));
    const std::uint64_t* const out = live_out_of(p, order, own);
    for (std::uint32_t bit = 0; bit < own.current.size(); ++bit) {
      if (own.current[bit] == none) continue;
      own.values[own.current[bit]].live_out = out == nullptr || (out[bit >> 6] >> (bit & 63u) & 1u) != 0;
    }
  }

  static constexpr void touch_all(space& own, operand o, bool reads, bool full_write) {
    own.live.each_bit(o, [&](std::uint32_t bit) {
      std::uint32_t& v = own.current[bit];
      const std::uint32_t old = full_write ? v : none;
      if (full_write || v == none) {
        v = static_cast<std::uint32_t>(own.values.size());
        space::value x;
        const auto& words = own.live.layout.first_word;
        while (x.register_class + 1u < pressure_class_count && bit / 64 >= words[x.register_class + 1u]) ++x.register_class;
        own.values.push_back(x);
      } else if (repeated(own, v)) {
        return;
      }
      own.touches.push_back({v, full_write, reads, old});
    });
  }
  // The instruction at hand touches the value already.
  static constexpr bool repeated(const space& own, std::uint32_t v) {
    for (std::size_t t = own.first.back(); t < own.touches.size(); ++t) {
      if (own.touches[t].value == v) return true;
    }
    return false;
  }

  // Bits live behind the block, or null (everything) for a part of a block that does not end it.
  static constexpr const std::uint64_t* live_out_of(const program& p, span<const instr_id> order, const space& own) {
    const auto* const at = order.data() + order.size();
    if (order.empty() || order.data() < p.order.data() || at > p.order.data() + p.order.size()) return nullptr;
    const auto end = static_cast<std::uint32_t>(at - p.order.data());
    const auto b = std::lower_bound(p.blocks.begin(), p.blocks.end(), end,
                                    [](const block& k, std::uint32_t e) { return k.first + k.count < e; });
    if (b == p.blocks.end() || b->first + b->count != end) return nullptr;
    const auto index = static_cast<std::uint32_t>(b - p.blocks.begin());
    return own.live.live_out(block_id{index}).data();
  }

  static constexpr bool fill_upwards(const dependence_graph& g, bool pinned, space& own, span<std::uint32_t> sequence) {
    count_readers(own);
    for (space::value& x : own.values) x.alive = x.live_out;
    sethi_ullman(g, own);
    own.waiting.resize(g.count);
    own.asked.assign(g.count, 0);
    own.ready.clear();
    for (std::uint32_t i = 0; i < g.count; ++i) {
      own.waiting[i] = g.succ_first[i + 1] - g.succ_first[i];
      if (own.waiting[i] == 0) own.ready.push_back(i);
    }
    for (std::uint32_t left = g.count; left != 0; --left) {
      if (own.ready.empty()) return false;
      std::size_t best = 0;
      if (pinned && left == g.count) {
        best = static_cast<std::size_t>(std::find(own.ready.begin(), own.ready.end(), g.count - 1) - own.ready.begin());
        if (best == own.ready.size()) return false;
      } else {
        change best_change = change_of(own, own.ready[0]);
        for (std::size_t k = 1; k < own.ready.size(); ++k) {
          const change c = change_of(own, own.ready[k]);
          if (!goes_first(own, own.ready[k], c, own.ready[best], best_change)) continue;
          best = k;
          best_change = c;
        }
      }
      const std::uint32_t i = own.ready[best];
      own.ready[best] = own.ready.back();
      own.ready.pop_back();
      sequence[left - 1] = i;
      for (const space::touch& t : touches_of(own, i)) mark(own.values[t.value], t);
      for (const dependence_edge& e : g.pred(i)) {
        if (e.kind == dependence_kind::raw) own.asked[e.from] = g.count - left + 1;
        if (--own.waiting[e.from] == 0) own.ready.push_back(e.from);
      }
    }
    return true;
  }

  struct change {
    std::int32_t general = 0;
    std::int32_t all = 0;
  };
  // Registers live above the instruction minus those live below it.
  static constexpr change change_of(const space& own, std::uint32_t i) {
    change c;
    for (const space::touch& t : touches_of(own, i)) {
      const space::value& x = own.values[t.value];
      const std::int32_t d = t.births ? (x.alive ? -1 : 0) : (t.reads && !x.alive ? 1 : 0);
      c.all += d;
      if (x.register_class == 0) c.general += d;
    }
    return c;
  }
  static constexpr void mark(space::value& x, const space::touch& t) {
    if (t.births || t.reads) x.alive = !t.births;
  }
  static constexpr bool goes_first(const space& own, std::uint32_t a, const change& x, std::uint32_t b, const change& y) {
    if (x.general != y.general) return x.general < y.general;
    if (x.all != y.all) return x.all < y.all;
    if (own.asked[a] != own.asked[b]) return own.asked[a] > own.asked[b];
    if (own.needs[a] != own.needs[b]) return own.needs[a] < own.needs[b];
    return a > b;
  }

  // Registers that computing a value takes when its operands are computed one after the other, the costliest first.
  static constexpr void sethi_ullman(const dependence_graph& g, space& own) {
    own.needs.assign(g.count, 1);
    for (std::uint32_t i = 0; i < g.count; ++i) {
      own.scratch.clear();
      for (const dependence_edge& e : g.pred(i)) {
        if (e.kind == dependence_kind::raw) own.scratch.push_back(own.needs[e.from]);
      }
      ww::detail::sort(own.scratch.begin(), own.scratch.end(), [](std::uint32_t a, std::uint32_t b) { return a > b; });
      for (std::uint32_t k = 0; k < own.scratch.size(); ++k) own.needs[i] = std::max(own.needs[i], own.scratch[k] + k);
    }
  }
};

}  // namespace ww::strategy
