// SPDX-License-Identifier: BSL-1.0
//
// Phase 41: marks the cold blocks of a program (HC-1).
//
//   using phase = ww::layout::mark_cold<ww::sm90>;                 the text's seven signals
//   using phase = ww::layout::mark_cold<ww::sm90, my_signal, ww::layout::signal::trap, ww::layout::spread_cold>;
//   ww::layout::cold_workspace ws;  ww::layout::cold_marks marks;
//   phase::run(program, {.profile = &measured}, ws, marks);        true if it acted
//
//   level     it acts from -O2 on
//   budget    knob 499: where it is set, the phase acts so many times and then never again, as if the level were 1. Every
//             call that reaches the knob counts, at any level (the text counts in front of the question for the level)
//   profile   it wins: what ran often is never marked, what ran seldom always is, what was not measured goes by its shape
// Without signals of its own a phase takes those of the SM (Arch::defaults::cold_signals, a type_list) or the text's. The first
// block of a function, a block that no entry reaches and padding are never marked, nor any block of a program whose indices
// lead nowhere. With `keep` marks that are there already stay ("additional" cold blocks), else they are made anew.
// What has dominators and loops already hands them over, and then nothing is allocated that an earlier run has not.
#pragma once

#include <cstdint>

#include "../meta/type_list.hpp"
#include "cold_facts.hpp"
#include "cold_marks.hpp"
#include "cold_profile.hpp"
#include "cold_signals.hpp"
#include "spread_cold.hpp"

namespace ww::layout {

// The text's list of signals.
using text_signals = meta::type_list<signal::trap, signal::error_exit, signal::nested<>, signal::behind_loop,
                                     signal::epilogue<>, signal::seldom<>, signal::improbable<>>;

// Knob 499.
struct cold_budget {
  bool set = false;
  std::uint32_t limit = 0;
  std::uint32_t used = 0;
};

struct cold_options {
  unsigned level = 2;                     // -O
  const flow_profile* profile = nullptr;  // of the program; null: nothing was measured
  cold_budget* budget = nullptr;          // null: not set
  bool keep = false;                      // marks that are there already
};

// The level that the gate sees: `level` itself, or 1 if the budget is used up. Counts.
constexpr unsigned level_left(unsigned level, cold_budget* budget) {
  if (budget == nullptr || !budget->set) return level;
  if (budget->used >= budget->limit) return level < 1 ? level : 1;
  ++budget->used;
  return level;
}

namespace cold_detail {

template <class P>
struct is_step {
  static constexpr bool value = requires { P::spreads; };
};
template <class P>
struct is_signal {
  static constexpr bool value = !is_step<P>::value;
};

template <class Arch, class Named>
struct signals_of {
  using type = Named;
};
template <class Arch>
struct signals_of<Arch, meta::type_list<>> {
  using type = text_signals;
};
template <class Arch>
requires requires { typename Arch::defaults::cold_signals; }
struct signals_of<Arch, meta::type_list<>> {
  using type = typename Arch::defaults::cold_signals;
};

}  // namespace cold_detail

template <class Arch, class... Policies>
struct mark_cold {
  using signals =
      typename cold_detail::signals_of<Arch, meta::filter_t<meta::type_list<Policies...>, cold_detail::is_signal>>::type;
  using steps = meta::filter_t<meta::type_list<Policies...>, cold_detail::is_step>;

  static constexpr unsigned number = 41;
  static constexpr const char* name = "MarkAdditionalColdBlocks";
  static constexpr unsigned least_level = 2;

  // True if it acted. Else `marks` is as it was.
  static bool run(const program& p, const cold_options& o, cold_workspace& ws, cold_marks& marks) {
    if (!gate(o)) return false;
    if (!cold_detail::whole(p)) {
      marks.reasons.assign(p.blocks.size(), 0);
      return true;
    }
    const cold_analysis a(p);
    mark(p, a, o, ws, marks);
    return true;
  }
  static bool run(const program& p, const cold_analysis& a, const cold_options& o, cold_workspace& ws, cold_marks& marks) {
    if (!gate(o)) return false;
    mark(p, a, o, ws, marks);
    return true;
  }

 private:
  static bool gate(const cold_options& o) { return level_left(o.level, o.budget) >= least_level; }

  static void mark(const program& p, const cold_analysis& a, const cold_options& o, cold_workspace& ws, cold_marks& marks) {
    if (!o.keep || marks.reasons.size() != p.blocks.size()) marks.reasons.assign(p.blocks.size(), 0);
    const cold_context c = ws.prepare(p, a, o.profile);
    for (std::uint32_t k = 0; k < p.blocks.size(); ++k) {
      const block_id b{k};
      const block& blk = p[b];
      if (!c.has(b, cold_fact::reached) || blk.padding || blk.count == 0 || entry_of(p, b) == b) continue;
      bool veto = false;
      meta::for_each<signals>([&]<class Signal>() {
        if constexpr (requires { Signal::hot(c, b); }) veto = veto || Signal::hot(c, b);
      });
      if (veto) continue;
      meta::for_each<signals>([&]<class Signal>() {
        if (Signal::cold(c, b)) marks.add(b, Signal::reason);
      });
    }
    meta::for_each<steps>([&]<class Step>() { Step::run(c, ws, marks); });
  }
};

}  // namespace ww::layout
