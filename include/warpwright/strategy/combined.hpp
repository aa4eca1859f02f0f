// SPDX-License-Identifier: BSL-1.0
//
// The combined pass (PLS-13, "Multi-strategy combined pass for complex code patterns"): several strategies per block.
//
// Every block is list scheduled. Then its shape says which of the alternatives, a compile-time list, are worth trying:
//   critical ratio   critical path / planned cycles. At 1 the list's order is optimal and nothing is tried
//   size             up to `small` instructions: permutation search proves its order; above: windows, and only up to `Large`
//   memory           share of long memory operations: latency scheduling
//   tensor           share of matrix instructions: runs
//   pressure         peak of live general registers of the source order against the budget: pressure scheduling
// The order with the fewest planned cycles is taken, the earlier alternative at a tie; so the result is never longer than
// the list's. Work is bounded, for each alternative's is. An alternative says itself when it is worth a try, if it has a
// member worth_trying(shape); those below are asked by name.
#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "../meta/span.hpp"
#include "../meta/type_list.hpp"
#include "../meta/vec.hpp"
#include "backtracking.hpp"
#include "latency.hpp"
#include "permutation.hpp"
#include "pressure.hpp"
#include "scoreboard_reuse.hpp"
#include "tensor.hpp"

namespace ww::strategy {

// What a block looks like. Shares are in percent.
struct block_shape {
  std::uint32_t size = 0;  // instructions
  std::uint32_t memory = 0;
  std::uint32_t tensor = 0;
  std::uint32_t critical = 0;   // critical path of the planned cycles
  std::uint32_t contended = 0;  // planned cycles beyond the critical path, of the planned cycles
};

namespace detail_combined {

template <class S>
inline constexpr bool is_permutation = false;
template <unsigned M, unsigned N>
inline constexpr bool is_permutation<permutation<M, N>> = true;
template <class S>
inline constexpr bool is_backtracking = false;
template <unsigned D, unsigned W, unsigned T, unsigned B>
inline constexpr bool is_backtracking<backtracking<D, W, T, B>> = true;
template <class S>
inline constexpr bool is_latency = false;
template <unsigned L>
inline constexpr bool is_latency<latency<L>> = true;
template <class S>
inline constexpr bool is_tensor = false;
template <unsigned R, unsigned G>
inline constexpr bool is_tensor<tensor<R, G>> = true;

// A strategy of a block that searches in a space of its own.
template <class S>
concept alternative = list_strategy<S> && meta::arguments_fit<S>() && requires {
  typename S::space;
};

}  // namespace detail_combined

template <class Alternatives, unsigned Large = 4096>
struct combined_of {  // no list of types
  using role = ww::role::strategy;
  static constexpr bool arguments_fit = false;
};

template <class... As, unsigned Large>
struct combined_of<meta::type_list<As...>, Large> {
  static constexpr bool arguments_fit = sizeof...(As) >= 1 && (detail_combined::alternative<As> && ...);
  using role = ww::role::strategy;
  static constexpr const char* name = "combined";
  static constexpr bool models_cycles = true;
  static constexpr bool uses_priority = true;

  struct space {
    std::tuple<typename ww::detail::strategy_space<As>::type...> spaces;
    vec<std::uint32_t> best;
    vec<pick_reason> reasons;
    block_shape shape;
    std::uint32_t tried = 0;  // alternatives tried on the last block, one bit each
    std::uint32_t taken = 0;  // 0 = the list's order, k = the k-th alternative
  };

  template <class Config, class Workspace>
  static constexpr void prepare(const program& p, Workspace& ws) {
    if constexpr (arguments_fit)
      std::apply([&](auto&... s) { (look_one<As, typename Config::vectors>(p, s), ...); }, ws.own.spaces);
  }

  template <class Config, class Workspace>
  static constexpr bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    if constexpr (arguments_fit) {
      return search<Config>(p, order, ws, ws.own, stats);
    } else {
      return false;
    }
  }

  template <class Config, class Workspace>
  static constexpr bool search(const program& p, span<const instr_id> order, Workspace& ws, space& own,
                               schedule_stats& stats) {
    if (!list_incumbent<Config>(p, order, ws, stats)) return false;
    own.tried = 0;
    own.taken = 0;
    own.shape = shape_of<typename Config::arch>(p, order, ws);
    if (order.size() < 2 || ws.planned <= ws.graph.critical_path) return true;
    own.best.assign(ws.sequence.begin(), ws.sequence.end());
    own.reasons.assign(ws.reasons.begin(), ws.reasons.end());
    std::uint64_t planned = ws.planned;
    std::uint32_t number = 0;
    bool good = true;
    const auto one = [&]<class A>(typename A::space& s) {
      ++number;
      if (!good || !worth<A>(own.shape)) return;
      own.tried |= 1u << number;
      schedule_stats ignored;
      if (!A::template search<Config>(p, order, ws, s, ignored)) {
        good = false;
        return;
      }
      const std::uint64_t cycles = detail::cycles_of(ws, ws.sequence);
      if (cycles >= planned) return;
      planned = cycles;
      own.taken = number;
      own.best.assign(ws.sequence.begin(), ws.sequence.end());
      own.reasons.assign(ws.reasons.begin(), ws.reasons.end());
    };
    std::apply([&](auto&... s) { (one.template operator()<As>(s), ...); }, own.spaces);
    if (!good) return false;
    ws.sequence.assign(own.best.begin(), own.best.end());
    ws.reasons.assign(own.reasons.begin(), own.reasons.end());
    ws.planned = planned;
    return true;
  }

  template <class Arch>
  [[nodiscard]] static constexpr block_shape shape_of(const program& p, span<const instr_id> order,
                                                      const schedule_space& ws) {
    block_shape s;
    s.size = static_cast<std::uint32_t>(order.size());
    if (s.size == 0) return s;
    for (const instr_id id : order) {
      s.memory += latency<>::is_long<Arch>(p[id]) ? 1u : 0u;
      s.tensor += tensor<>::is_matrix<Arch>(p[id].iclass) ? 1u : 0u;
    }
    s.memory = s.memory * 100 / s.size;
    s.tensor = (s.tensor * 100 + s.size - 1) / s.size;
    const std::uint64_t planned = ws.planned == 0 ? 1 : ws.planned;
    s.critical = static_cast<std::uint32_t>(ws.graph.critical_path * std::uint64_t{100} / planned);
    s.contended = 100 - std::min(s.critical, 100u);
    return s;
  }

  // Is the alternative worth a try on a block of this shape?
  template <class A>
  [[nodiscard]] static constexpr bool worth(const block_shape& s) {
    using namespace detail_combined;
    if constexpr (requires { A::worth_trying(s); }) {
      return A::worth_trying(s);
    } else if constexpr (is_permutation<A> || is_backtracking<A>) {
      return s.size <= Large;
    } else if constexpr (is_latency<A>) {
      return s.memory >= 5;
    } else if constexpr (is_tensor<A>) {
      return s.tensor != 0;
    } else {
      return true;
    }
  }

 private:
  template <class A, class Vectors>
  static constexpr void look_one(const program& p, typename A::space& s) {
    if constexpr (requires { A::template look_at<Vectors>(p, s); }) A::template look_at<Vectors>(p, s);
  }
};

using combined =
    combined_of<meta::type_list<permutation<>, backtracking<>, latency<>, tensor<>, scoreboard_reuse, pressure>>;

}  // namespace ww::strategy
