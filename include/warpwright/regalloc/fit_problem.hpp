// SPDX-License-Identifier: BSL-1.0
//
// Several attempts at one problem without spilling, until every register has a place within the budget (FPA-8, no-spill part,
// over orderings instead of relaxation alone).
//
//   attempt 0   the simplify ordering, source order within a list
//   attempt 1   the simplify ordering by spill cost: the text's
//   then        places in the order of a rank, at first the register's width; whatever had no place within the budget rises by
//               `raise` for each attempt that it failed in, and chooses earlier in the next one (the idea of ordering by failures of
//               constraint search: those that fail are the ones that are hard to place)
//   repair      moves what is in the way of those that have no place (place_repair.hpp), behind the last attempt
//   answer      the first attempt that fits; else the one with the fewest registers, ties to the earlier one
// Every attempt is a round of fat_point_allocator with its own number, so that soft constraints relax as the text says. Spill
// costs are the same afterwards as before. Policies but the ordering are the caller's.
// Measured on 459 programs within the registers that their compilers used: attempt 0 alone fails for 51, two for 47, 8 for 23, 32
// for 17, 128 for 13; two and a repair of 100000 steps for 4 (tests/regalloc/program_listings.cpp prints the present figures).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "core.hpp"
#include "ordering.hpp"
#include "place_repair.hpp"
#include "push_order.hpp"

namespace ww::regalloc {

struct fit_options {
  std::uint32_t attempts = 8;          // assumed: more gain less than a repair
  std::uint32_t repair_steps = 65536;  // assumed: 0.1 to 0.8 s at worst; 0 = no repair
  bool banks = false;                  // round_options::banks
};

struct fit_result {
  round_result round;          // the one whose places stand in the problem
  std::uint32_t attempt = 0;   // its number
  std::uint32_t attempts = 0;  // made
  bool fits = false;           // every register has a place within the budget, given ones included
  bool repaired = false;
};

struct fit_space {
  allocator_workspace round;
  place_repair repair;
  vec<double> costs;
  vec<allocatable> best;
};

namespace detail {

[[nodiscard]] inline bool within_budget(const problem& p) {
  for (const allocatable& a : p.registers) {
    if (a.reg_class != p.file.reg_class) continue;
    if (a.physical < 0 || a.has(register_flag::needs_spill)) return false;
    const std::int64_t end = std::int64_t{a.physical} + a.width - p.file.base;  // a given place can be beyond the budget
    if (a.has(register_flag::pre_assigned) && end > std::int64_t{p.file.max_slot} + 1) return false;
  }
  return true;
}

}  // namespace detail

template <class... Policies>
fit_result fit_problem(problem& p, fit_space& s, const fit_options& o = {}) {
  using by_source = fat_point_allocator<Policies..., ordering::simplify<push_order::by_source>>;
  using by_cost = fat_point_allocator<Policies..., ordering::simplify<push_order::by_spill_cost>>;
  using by_rank = fat_point_allocator<Policies..., ordering::straight<push_order::by_spill_cost>>;
  constexpr double raise = 1;
  fit_result result;
  s.costs.clear();
  for (const allocatable& a : p.registers) s.costs.push_back(a.spill_cost);
  const std::uint32_t attempts = o.attempts == 0 ? 1 : o.attempts;
  for (std::uint32_t k = 0; k < attempts && !result.fits; ++k) {
    if (k == 2) {
      for (allocatable& a : p.registers) a.spill_cost = a.width;
    }
    const round_options options{k, o.banks};
    const round_result r = k == 0   ? by_source::run(p, s.round, options)
                           : k == 1 ? by_cost::run(p, s.round, options)
                                    : by_rank::run(p, s.round, options);
    ++result.attempts;
    result.fits = detail::within_budget(p);
    if (k == 0 || result.fits || r.registers < result.round.registers) {
      result.round = r;
      result.attempt = k;
      s.best = p.registers;
    }
    if (k < 2) continue;
    for (allocatable& a : p.registers) {
      if (a.has(register_flag::needs_spill)) a.spill_cost += raise;
    }
  }
  for (std::size_t r = 0; r < p.registers.size(); ++r) {
    p.registers[r] = s.best[r];
    p.registers[r].spill_cost = s.costs[r];
  }
  if (!result.fits && o.repair_steps > 0 && s.repair.run(p, o.repair_steps)) {
    result.fits = detail::within_budget(p);
    result.repaired = true;
    result.round.registers = s.repair.registers();
  }
  return result;
}

}  // namespace ww::regalloc
