// SPDX-License-Identifier: BSL-1.0
//
// strategy::barrier_coalescence<Inner>: of two barriers of the whole block of threads with nothing between them that a
// barrier could order, the second one goes (PLS-13, "Merges adjacent barrier instructions to reduce overhead").
//
//   full barrier  BAR.SYNC 0x0, with or without .DEFER_BLOCKING, unguarded, told by its encoding words. Arrivals,
//                 reductions, other numbers and thread counts are not: leaving one out would change what others wait for
//                 (facts: observed, words of all BAR.SYNC 0x0 of the corpus, sm_75 .. sm_90)
//   between       no memory access, no fence, no other synchronisation, no call, no block end
//   all threads   every exit comes behind both (no thread leaves before), they are in no loop, and all other barriers of the
//                 program are such too, so that every thread meets the same barriers in the same order
// It works on programs in memory whose instructions have words (lifted ones, or built with words); in a listing or a cubin
// nothing can be left out. What was found and not merged is counted by reason.
#pragma once

#include <cstdint>

#include "../graph/memory_access.hpp"
#include "../ir/dominators.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode.hpp"
#include "../meta/array.hpp"
#include "../schedule/strategy.hpp"

namespace ww::region {

enum class barrier_refusal : std::uint8_t {
  none,
  not_full,   // no barrier that is known to be one of all threads
  between,    // memory, a fence or a synchronisation stands between
  divergent,  // not every thread meets the program's barriers in the same order
  placed,     // the program goes back to a listing or a cubin
};

constexpr const char* name_of(barrier_refusal r) {
  constexpr const char* names[] = {"none", "not a barrier of all threads", "memory or synchronisation between",
                                   "not met by all threads alike", "program with a text: nothing can be left out"};
  return names[static_cast<unsigned>(r)];
}

[[nodiscard]] constexpr bool is_full_barrier(const instruction& i) {
  constexpr std::uint64_t control = ((1ull << 21) - 1) << 41;  // bits 105..125
  const std::uint64_t high = i.word[1] & ~control;
  return i.op == opcode::bar && !i.has(iflag::guarded) && i.word[0] == 0x7b1d && (high == 0 || high == 0x10000);
}

}  // namespace ww::region

namespace ww::strategy {

template <class Inner = list>
struct barrier_coalescence {
  using role = ww::role::strategy;
  using inner = Inner;
  static constexpr const char* name = "barrier_coalescence";
  static constexpr bool arguments_fit = list_strategy<Inner>;
  static constexpr bool models_cycles = ww::detail::strategy_or_list<Inner>::models_cycles;
  static constexpr bool uses_priority = ww::detail::strategy_or_list<Inner>::uses_priority;
  static constexpr bool transforms_program = true;

  using refusal = region::barrier_refusal;
  struct space {
    array<std::uint32_t, 5> refused{};  // pairs of barriers in one block, by reason
  };

  template <class Config>
  static unsigned transform(program& p, space& own) {
    own.refused = {};
    unsigned merged = 0;
    const dominator_tree tree(p);
    const bool alike = all_alike(p, tree);
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      std::uint32_t last = none;  // place of the last barrier of this block
      bool between = false;
      for (std::uint32_t k = p.blocks[b].first; k < p.blocks[b].first + p.blocks[b].count; ++k) {
        const instruction& i = p[p.order[k]];
        if (i.op != opcode::bar) {
          between = between || orders(p, i);
          continue;
        }
        if (last != none) {
          const refusal why = judge(p, p[p.order[last]], i, between, alike);
          if (why == refusal::none) {
            remove(p, b, k--);
            ++merged;
            continue;
          }
          ++own.refused[static_cast<unsigned>(why)];
        }
        last = k;
        between = false;
      }
    }
    return merged;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  static refusal judge(const program& p, const instruction& first, const instruction& second, bool between, bool alike) {
    if (!region::is_full_barrier(first) || !region::is_full_barrier(second)) return refusal::not_full;
    if (between) return refusal::between;
    if (!alike) return refusal::divergent;
    return p.has_encoding && second.source != none ? refusal::placed : refusal::none;
  }
  // Would a barrier order it, or does it synchronise itself?
  static bool orders(const program& p, const instruction& i) {
    if (i.has(iflag::fence) || i.has(iflag::sync) || i.has(iflag::unknown) || i.has(iflag::never)) return true;
    return ww::detail::describe_access(i, 0, p.operands_of(i).data(), false, [](reg) { return 0u; }).any();
  }
  // Every barrier is full, in no loop, and in front of every exit.
  static bool all_alike(const program& p, const dominator_tree& tree) {
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      for (const instr_id id : p.order_of(p.blocks[b])) {
        const instruction& i = p[id];
        if (i.has(iflag::sync) && i.op != opcode::bar) return false;
        if (i.op != opcode::bar) continue;
        if (!region::is_full_barrier(i) || p.blocks[b].loop_depth != 0 || !p.blocks[b].reachable) return false;
        for (std::uint32_t x = 0; x < p.blocks.size(); ++x) {
          const block& out = p.blocks[x];
          if (!out.reachable || out.padding || out.count == 0) continue;
          const instruction& end = p[p.order[out.first + out.count - 1]];
          const bool leaves = end.has(iflag::exit) || end.has(iflag::call) || out.open_exit || out.edge_count == 0;
          if (leaves && !tree.dominates(block_id{b}, block_id{x})) return false;
        }
      }
    }
    return true;
  }
  // The instruction keeps its id and has no place any more.
  static void remove(program& p, std::uint32_t b, std::uint32_t place) {
    p.order.erase(p.order.begin() + place);
    p.blocks[b].count -= 1;
    for (std::uint32_t later = b + 1; later < p.blocks.size(); ++later) p.blocks[later].first -= 1;
  }
};

}  // namespace ww::strategy
