// SPDX-License-Identifier: BSL-1.0
//
// Permutation search (PLS-13): branch and bound over all legal orders.
//
//   up to Most instructions   every legal order is covered: the result is the shortest there is in planned cycles
//                             (schedule/timing.hpp), and space::proved says so
//   above                     a window of Most instructions slides over the best order known, half a window at a time; in
//                             each, up to Nodes picks are spent, those that judge an order included. The best found is kept,
//                             never longer than the list's
//   bound       plan::bound(): longest path below, work left per pipe, issue slots left
//   dominance   same instructions placed, and nothing is available later than in a state already searched: cut, for every
//               way on from here is at least as long as the same way from there
//   symmetry    of ready nodes with equal timing, equal successors and equal earliest cycle only the first is tried
// All three cuts are exact. The cost is the engine's plan, not the cycle model's: the model needs control words, which are
// assigned to the whole program after every block has its order.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "incumbent.hpp"
#include "plan.hpp"

namespace ww::strategy {

template <unsigned Most = 10, unsigned Nodes = 200>
struct permutation {
  using role = ww::role::strategy;
  static constexpr const char* name = "permutation";
  static constexpr bool arguments_fit = Most >= 2 && Most <= 14;
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  struct space {
    plan trial;
    vec<std::uint32_t> best;     // a whole order
    vec<std::uint32_t> choices;  // open selections of all levels, one level behind the other
    vec<std::uint32_t> first;    // where the choices of a level start
    vec<std::uint32_t> next;     // the selection of a level that comes next
    vec<std::uint32_t> twin;     // lowest node with the same timing and successors
    vec<std::uint8_t> inside;    // by node: in the window
    vec<std::uint32_t> slot;     // by node: place in the window
    vec<std::uint8_t> states;    // by set of placed nodes: states kept
    vec<std::uint32_t> kept;     // them
    std::uint64_t picks = 0;     // of the last block
    bool proved = false;         // no order of the last block is shorter
  };

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    return search<Config>(p, order, ws, ws.own, stats);
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own,
                               schedule_stats& stats) {
    own.picks = 0;
    own.proved = false;
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    if constexpr (meta::size_v<typename Config::constraints> != 0) return true;
    const auto n = static_cast<std::uint32_t>(order.size());
    const bool pinned = detail::last_is_pinned(p, order);
    own.best.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) own.best[i] = i;
    keep_better(ws, own.best);
    own.best.assign(ws.sequence.begin(), ws.sequence.end());
    own.trial.start(ws, pinned);
    own.proved = n < 2 || ws.planned <= own.trial.bound();
    if (own.proved) return true;
    searcher s{ws, own, n};
    if (n <= Most) {
      s.window(0, n, ~std::uint64_t{0});
      own.proved = true;
    } else {
      s.slide();
    }
    keep_better(ws, own.best);
    return true;
  }

 private:
  static constexpr unsigned states_per_set = 3;
  static constexpr unsigned state_words = 1 + pipe_count + Most;
  static constexpr std::uint32_t look_ahead = 2 * Most;  // picks behind a window that its orders are judged by

  struct searcher {
    schedule_space& ws;
    space& own;
    std::uint32_t count;
    std::uint32_t base = 0;  // picks before the window
    std::uint32_t size = 0;  // picks in it
    std::uint32_t best_value = 0;
    std::uint32_t least = 0;
    std::uint64_t left = 0;  // picks that may still be spent

    // The best order's windows, from the start to the end.
    constexpr void slide() {
      constexpr std::uint32_t step = Most / 2;
      for (std::uint32_t at = 0; at + 1 < count; at += step) {
        window(at, std::min<std::uint32_t>(Most, count - at), Nodes);
        for (std::uint32_t k = at; k < at + step && k < count; ++k) own.trial.place(own.best[k]);
      }
    }

    // Searches the orders of best[from, from + length); the plan stands at `from` before and after.
    constexpr void window(std::uint32_t from, std::uint32_t length, std::uint64_t budget) {
      plan& t = own.trial;
      left = budget;
      base = from;
      size = length;
      own.inside.assign(count, 0);
      own.slot.resize(count);
      for (std::uint32_t k = 0; k < size; ++k) {
        own.inside[own.best[from + k]] = 1;
        own.slot[own.best[from + k]] = k;
      }
      find_twins();
      if (size == count) {
        own.states.assign(std::size_t{1} << size, 0);
        own.kept.resize((std::size_t{1} << size) * states_per_set * state_words);
      }
      least = t.bound();
      best_value = value_of_best();
      if (best_value <= least) return;
      own.first.clear();
      own.next.clear();
      own.choices.clear();
      std::uint64_t set = 0;
      open_level();
      while (!own.first.empty()) {
        if (own.next.back() == own.choices.size() || left == 0) {
          own.choices.resize(own.first.back());
          own.first.pop_back();
          own.next.pop_back();
          if (own.first.empty()) break;
          set &= ~(std::uint64_t{1} << own.slot[t.pick(t.size() - 1)]);
          t.undo();
          continue;
        }
        const std::uint32_t i = own.choices[own.next.back()++];
        --left;
        ++own.picks;
        t.place(i);
        if (t.size() == base + size) {
          leaf();
          t.undo();
          if (best_value <= least) left = 0;
          continue;
        }
        const std::uint64_t with = set | (std::uint64_t{1} << own.slot[i]);
        if (t.bound() >= best_value || dominated(with)) {
          t.undo();
          continue;
        }
        set = with;
        open_level();
      }
    }

    // The window is placed: goes on in the best order's way and compares.
    constexpr void leaf() {
      plan& t = own.trial;
      if (t.bound() >= best_value) return;
      const std::uint32_t value = value_from_here();
      if (value >= best_value) return;
      best_value = value;
      for (std::uint32_t k = 0; k < size; ++k) own.best[base + k] = t.pick(base + k);
    }
    constexpr std::uint32_t value_from_here() {
      plan& t = own.trial;
      const std::uint32_t start = t.size();
      const std::uint32_t stop = std::min(count, base + size + look_ahead);
      own.picks += stop - start;
      left -= std::min<std::uint64_t>(left, stop - start);
      while (t.size() < stop) t.place(own.best[t.size()]);
      const std::uint32_t value = t.complete() ? t.end() : t.bound();
      while (t.size() > start) t.undo();
      return value;
    }
    constexpr std::uint32_t value_of_best() {
      plan& t = own.trial;
      for (std::uint32_t k = 0; k < size; ++k) t.place(own.best[base + k]);
      const std::uint32_t value = value_from_here();
      for (std::uint32_t k = 0; k < size; ++k) t.undo();
      return value;
    }

    // The selections at this place: soonest issue first, then rank; one of each set of twins.
    constexpr void open_level() {
      const plan& t = own.trial;
      const auto start = static_cast<std::uint32_t>(own.choices.size());
      own.first.push_back(start);
      own.next.push_back(start);
      for (const std::uint32_t i : t.ready()) {
        if (own.inside[i] == 0 || has_earlier_twin(i)) continue;
        const std::uint32_t issue = t.issue_of(i);
        std::size_t at = own.choices.size();
        while (at > start && t.issue_of(own.choices[at - 1]) > issue) --at;
        own.choices.insert(own.choices.begin() + static_cast<std::ptrdiff_t>(at), i);
      }
    }

    [[nodiscard]] constexpr bool has_earlier_twin(std::uint32_t i) const {
      const plan& t = own.trial;
      for (const std::uint32_t j : t.ready()) {
        if (j >= i || own.inside[j] == 0 || own.twin[j] != own.twin[i]) continue;
        if (std::max(ws.nodes[j].earliest, t.cycle()) == std::max(ws.nodes[i].earliest, t.cycle())) return true;
      }
      return false;
    }

    constexpr void find_twins() {
      own.twin.resize(count);
      for (std::uint32_t a = 0; a < size; ++a) {
        const std::uint32_t i = own.best[base + a];
        own.twin[i] = i;
        for (std::uint32_t b = 0; b < a; ++b) {
          const std::uint32_t j = own.best[base + b];
          if (!alike(i, j)) continue;
          own.twin[i] = own.twin[j];
          break;
        }
      }
    }
    [[nodiscard]] constexpr bool alike(std::uint32_t i, std::uint32_t j) const {
      const detail::schedule_node& a = ws.nodes[i];
      const detail::schedule_node& b = ws.nodes[j];
      if (a.pipe != b.pipe || a.interval != b.interval || a.min_stall != b.min_stall) return false;
      const auto x = ws.graph.succ(i);
      const auto y = ws.graph.succ(j);
      return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const dependence_edge& e, const dependence_edge& f) {
        return e.to == f.to && e.latency == f.latency;
      });
    }

    // True when a state with the same nodes placed was searched that has everything at least as early. Keeps the state
    // otherwise. Asked only while the window is the whole block.
    constexpr bool dominated(std::uint64_t set) {
      if (size != count) return false;
      std::uint32_t now[state_words];
      describe(now);
      std::uint8_t& n = own.states[set];
      std::uint32_t* const states = own.kept.data() + set * states_per_set * state_words;
      for (unsigned k = 0; k < n; ++k) {
        if (no_later(states + std::size_t{k} * state_words, now)) return true;
      }
      for (unsigned k = 0; k < n; ++k) {
        if (!no_later(now, states + std::size_t{k} * state_words)) continue;
        std::copy_n(now, state_words, states + std::size_t{k} * state_words);
        return false;
      }
      if (n < states_per_set) std::copy_n(now, state_words, states + std::size_t{n++} * state_words);
      return false;
    }
    constexpr void describe(std::uint32_t (&now)[state_words]) const {
      const plan& t = own.trial;
      now[0] = t.cycle();
      for (unsigned pipe = 0; pipe < pipe_count; ++pipe) now[1 + pipe] = std::max(t.pipe_free(pipe), t.cycle());
      for (std::uint32_t i = 0; i < Most; ++i) {
        now[1 + pipe_count + i] = i < count ? std::max(ws.nodes[i].earliest, t.cycle()) : 0;
      }
      for (std::uint32_t k = 0; k < t.size(); ++k) now[1 + pipe_count + t.pick(k)] = 0;  // placed: no longer of interest
    }
    static constexpr bool no_later(const std::uint32_t* a, const std::uint32_t* b) {
      for (unsigned k = 0; k < state_words; ++k) {
        if (a[k] > b[k]) return false;
      }
      return true;
    }
  };
};

}  // namespace ww::strategy
