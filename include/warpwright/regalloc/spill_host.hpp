// SPDX-License-Identifier: BSL-1.0
//
// The host of the retry driver for general registers of a lifted program (FPA-8): problems by program_problem.hpp, spill code by
// spill_code.hpp.
//
//   spill_host h(start_spills(lifted), space, options);
//   class_outcome r = driver.run(h, register_class::r, settings);
//   h.s                     // the program with spill code, and the map for verify::check_allocation
//   h.map                   // which register of driver.answer() each of its webs is
//
// A web that can be computed again costs a quarter of what it costs in memory (assumed: one instruction of fixed latency for one use,
// against a store, loads and their waits), and is never put into memory. One that can be neither must not be spilled. The frame
// grows from space.frame_base on; h.s.frame_end is its end. Classes but the general registers have no registers here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "program_problem.hpp"
#include "retry_host.hpp"
#include "spill_code.hpp"

namespace ww::regalloc {

inline constexpr double recomputing_is_cheaper = 4;  // assumed, see above

struct spill_host {
  spilled_program s;
  spill_space space;
  program_problem_options options;
  program_map map;
  std::uint32_t in_memory = 0;   // webs
  std::uint32_t recomputed = 0;  // webs

  spill_host(spilled_program program, const spill_space& where, const program_problem_options& how)
      : s(static_cast<spilled_program&&>(program)), space(where), options(how) {}

  bool build(register_class of, problem& p) {
    if (of != register_class::r) return false;
    const lifted_program& l = s.lifted;
    all_.resize(l.webs.size());
    for (std::uint32_t w = 0; w < all_.size(); ++w) all_[w] = w;
    const span<const std::uint32_t> all(all_.data(), all_.size());
    plan_.make(l, s.state, {}, all, space);
    again_.assign(l.webs.size(), 0);
    for (std::uint32_t w = 0; w < all_.size(); ++w) again_[w] = plan_.does(w, spill_wish::recompute) ? 1 : 0;
    spill_space wide = space;  // all webs at once are no measure of the room: each is asked for by itself
    wide.frame_limit = spill_strategy{}.limit * most_frames;
    plan_.make(l, s.state, all, {}, wide);
    build_problem(l, pressure_class::r, p, map, build_, options);
    const vec<std::uint32_t>& webs = map.web_of_register[static_cast<std::size_t>(pressure_class::r)];
    for (std::uint32_t r = 0; r < webs.size(); ++r) {
      const std::uint32_t w = webs[r];
      if (again_[w] != 0) {
        p.registers[r].spill_cost /= recomputing_is_cheaper;
      } else if (!plan_.does(w, spill_wish::memory)) {
        p.registers[r].set(register_flag::must_not_spill);
      }
    }
    return true;
  }

  std::uint32_t spill(register_class, const problem&, span<const std::uint32_t> victims) {
    to_memory_.clear();
    to_recompute_.clear();
    const vec<std::uint32_t>& webs = map.web_of_register[static_cast<std::size_t>(pressure_class::r)];
    for (const std::uint32_t r : victims) {
      if (r < webs.size()) (again_[webs[r]] != 0 ? to_recompute_ : to_memory_).push_back(webs[r]);
    }
    const spill_result done =
        insert_spills(s, {to_memory_.data(), to_memory_.size()}, {to_recompute_.data(), to_recompute_.size()}, space, ws_);
    if (!done.ok) return 0;
    if (done.in_memory != 0) {
      const auto end = static_cast<std::int32_t>(s.frame_end);
      space.frame_limit -= static_cast<std::uint32_t>(end - space.frame_base);
      space.frame_base = end;
    }
    in_memory += done.in_memory;
    recomputed += done.recomputed;
    return done.in_memory + done.recomputed;
  }

  [[nodiscard]] bool recomputes(register_class, std::uint32_t r) const {
    const vec<std::uint32_t>& webs = map.web_of_register[static_cast<std::size_t>(pressure_class::r)];
    return r < webs.size() && again_[webs[r]] != 0;
  }

 private:
  static constexpr std::uint32_t most_frames = 15;  // offsets of STL and LDL reach as far

  program_problem_space build_;
  spill_workspace ws_;
  spill_plan plan_;
  vec<std::uint32_t> all_, to_memory_, to_recompute_;
  vec<std::uint8_t> again_;  // by web
};

}  // namespace ww::regalloc
