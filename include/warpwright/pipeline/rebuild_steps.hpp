// SPDX-License-Identifier: BSL-1.0
//
// The steps that both ways to rebuild machine code take (rebuild.hpp, spilling_rebuild.hpp), whatever stands between them.
//
//   most, limits_of     registers that a program of the SM may ask for at all, and what an allocation may use of each file
//   lower_bare          a lifted program in its new registers, without words: who has the room writes those afterwards
//   same_order          whether two orders of one program do the same (verify/same_order.hpp)
//   schedule_again      the result ordered once more, with control words: false where a check has something against it
//   take                figures of a result that was taken; those of the program as it came stay
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../lift/lower.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/vec.hpp"
#include "../pressure/register_layout.hpp"
#include "../verify/same_order.hpp"
#include "lifted_order.hpp"
#include "occupancy.hpp"
#include "rebuild_result.hpp"

namespace ww {

struct rebuild_proof_space {
  program ordered;
  vec<verify::order_difference> differences;
};

template <class Arch, class Scheduler>
struct rebuild_steps {
  using limits = typename Arch::limits;
  static constexpr std::uint32_t most = unsigned{limits::general_registers} + unsigned{limits::reserved_registers};

  // Of a program that asks for `allowed` registers.
  static register_limits limits_of(std::uint32_t allowed) {
    register_limits l{};
    const auto of = [&l](pressure_class c) -> std::uint32_t& { return l[static_cast<std::size_t>(c)]; };
    of(pressure_class::r) = allowed > limits::reserved_registers ? allowed - unsigned{limits::reserved_registers} : 0;
    of(pressure_class::p) = unsigned{limits::predicates};
    of(pressure_class::ur) = unsigned{limits::uniform_registers};
    of(pressure_class::up) = unsigned{limits::uniform_predicates};
    return l;
  }

  static lower_result lower_bare(lifted_program& l, const vec<std::uint32_t>& where) {
    const bool words = l.has_encoding;
    l.has_encoding = false;
    lower_result q = lower(l, where);
    l.has_encoding = words;
    return q;
  }

  static bool same_order(const program& a, const program& b, rebuild_proof_space& space) {
    space.differences.clear();
    verify::compare_orders(a, b, space.differences);
    return space.differences.empty();
  }
  // Does `p` do in its present order what it does in `read`?
  static bool same_order(const program& p, const vec<instr_id>& read, rebuild_proof_space& space) {
    space.ordered = p;
    space.ordered.order = read;
    return same_order(space.ordered, p, space);
  }

  // `came` is the program as it came, `was` what was said of it.
  static bool schedule_again(program& q, const program& came, const schedule_result& was,
                             typename Scheduler::workspace& scheduler, rebuild_proof_space& space, schedule_result& again) {
    q.register_count = 0;
    if (came.register_count != 0) q.register_count = detail::registers_of<Arch>(q);
    space.ordered = q;
    q.has_control = false;
    const load_view loads = was.far_before > 0 ? load_view::both : load_view::hit;
    again = Scheduler{}.run(q, scheduler, {was.warps, loads, true});
    return !again.failed && again.hazards_after <= (came.has_control ? was.hazards_before : 0) &&
           same_order(space.ordered, q, space);
  }

  // Cycles, times those of the far view where something goes far.
  static double price(const schedule_result& s) { return s.cycles_after * (s.far_after > 0 ? s.far_after : 1); }

  static void take(const program& q, const schedule_result& again, rebuild_result& r) {
    r.scheduled.cycles_after = again.cycles_after;
    r.scheduled.far_after = again.far_after;
    r.scheduled.bound = meta::min(r.scheduled.bound, meta::min(again.bound, again.cycles_after));
    r.scheduled.hazards_after = again.hazards_after;
    r.scheduled.kept_blocks = 0;
    r.scheduled.kept_all = false;
    r.scheduled.proved = r.proved = r.fits = true;
    r.registers_after = detail::registers_of<Arch>(q);
  }
};

}  // namespace ww
