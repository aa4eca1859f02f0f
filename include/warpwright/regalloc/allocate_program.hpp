// SPDX-License-Identifier: BSL-1.0
//
// Registers for a lifted program, without spilling: problems, attempts, and the assignment that lower() takes (FPA-3).
//
//   allocation_space space;
//   program_allocation a = allocate_program(l, space);                   // within the registers that the program names
//   if (a.ok()) lower_result r = lower(l, {a.where.data(), a.where.size()});
//
// The files are independent of each other and are done in the order R, P, UR, UP ("per-class iteration" of the text, without
// the classes that machine code does not have). What does not fit is for the retry driver: space.problems has the problems with
// the best attempt, registers without a place marked needs_spill.
//   pre               gates of pre-allocation (FPA-7), which ties copies and gives places. Where a file does not fit with it, once
//                     more without
//   original_places   where no attempt fits, one more in which every web that can gets the registers it came from, and the others
//                     what is left. For an order that was not changed this always fits: it is the compiler's own allocation
#pragma once

#include <cstddef>
#include <cstdint>

#include "../lift/lifted.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "fit_problem.hpp"
#include "pre_allocation.hpp"
#include "program_problem.hpp"

namespace ww::regalloc {

struct program_allocation_options {
  program_problem_options problems;
  fit_options fit;
  pre_allocation_gates pre;
  bool original_places = false;
};

struct program_allocation {
  vec<std::uint32_t> where;                                // first register of every web
  array<std::uint32_t, pressure_class_count> registers{};  // one more than the highest taken
  array<std::uint32_t, pressure_class_count> attempts{};
  array<bool, pressure_class_count> fits{};
  array<bool, pressure_class_count> original{};              // the places that it came from were asked for
  array<pre_allocation_result, pressure_class_count> pre{};  // `ran` is false where its ties were dropped again

  [[nodiscard]] bool ok() const {
    for (const bool f : fits) {
      if (!f) return false;
    }
    return true;
  }
};

struct allocation_space {
  program_problems problems;
  program_problem_space build;
  fit_space fit;
  pre_allocation<> pre;
};

namespace detail {

// One more attempt in which the places that webs came from are candidates.
template <class... Policies>
void fit_original(const lifted_program& l, pressure_class c, allocation_space& s, fit_result& result) {
  using allocator = fat_point_allocator<Policies..., ordering::straight<>>;
  const auto index = static_cast<std::size_t>(c);
  problem& p = s.problems.of[index];
  const vec<std::uint32_t>& webs = s.problems.map.web_of_register[index];
  s.fit.best = p.registers;
  p.candidates.clear();
  for (std::uint32_t r = 0; r < webs.size(); ++r) p.candidates.insert(r, l.webs[webs[r]].original);
  const round_result round = allocator::run(p, s.fit.round, {.attempt = 1});
  p.candidates.clear();
  ++result.attempts;
  if (within_budget(p)) {
    result.round = round;
    result.attempt = result.attempts - 1;
    result.fits = true;
  } else {
    p.registers = s.fit.best;
  }
}

}  // namespace detail

// Without ties and candidates.
inline void drop_links(problem& p) {
  p.candidates.clear();
  for (allocatable& a : p.registers) a.alias_parent = no_register;
}

// space.problems must have been built from the program in its present order (build_problems).
template <class... Policies>
program_allocation allocate_built(const lifted_program& l, allocation_space& space,
                                  const program_allocation_options& o = {}) {
  program_allocation a;
  for (std::size_t c = 0; c < pressure_class_count; ++c) {
    problem& p = space.problems.of[c];
    space.pre.gates = o.pre;
    a.pre[c] = space.pre.run(l, static_cast<pressure_class>(c), p, space.problems.map);
    fit_options fit = o.fit;
    if (space.problems.peak[c] >
        p.file.max_slot + 1) {  // there is no answer: a good start for spilling is all there is to find
      fit.attempts = fit.attempts < 2 ? fit.attempts : 2;
      fit.repair_steps = 0;
    }
    fit_result f = fit_problem<Policies...>(p, space.fit, fit);
    const std::uint32_t tied = f.attempts;
    if (!f.fits && a.pre[c].coalesced + a.pre[c].links > 0) {
      drop_links(p);
      a.pre[c].ran = false;
      f = fit_problem<Policies...>(p, space.fit, fit);
      f.attempts += tied;
    }
    if (!f.fits && o.original_places) {
      detail::fit_original<Policies...>(l, static_cast<pressure_class>(c), space, f);
      a.original[c] = f.fits;
    }
    a.registers[c] = f.round.registers;
    a.attempts[c] = f.attempts;
    a.fits[c] = f.fits;
  }
  (void)assignment_of(l, space.problems, a.where);
  return a;
}

template <class... Policies>
program_allocation allocate_program(const lifted_program& l, allocation_space& space,
                                    const program_allocation_options& o = {}) {
  build_problems(l, space.problems, space.build, o.problems);
  return allocate_built<Policies...>(l, space, o);
}

}  // namespace ww::regalloc
