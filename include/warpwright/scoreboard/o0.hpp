// SPDX-License-Identifier: BSL-1.0
//
// Control words without analysis (phase 116, SB-7): slow, and right for any order.
//
//   assign_o0<Arch>(p)   what the compiler's -O0 does (facts: observed, "-O0"): every instruction stalls 15 and yields,
//                        raises counter 0 for its result and counter 1 for its sources where it needs one, waits for both,
//                        and keeps no operand. A fixed result that takes longer than 15 cycles drains instead
//   o0_text_control()    the control word of the reference text: stall 15, yield, wait for all six counters, raise none.
//                        It waits for counters that nothing raises, so a load would never be waited for: it is
//                        kept for comparison and never emitted (docs/deviations.md)
// Counters that are named elsewhere (LDGDEPBAR with DEPBAR.LE) keep their index. Padding is not touched.
#pragma once

#include <cstdint>

#include "../arch/late_source.hpp"
#include "../meta/algorithm.hpp"
#include "class_table.hpp"
#include "special.hpp"
#include "worst_distance.hpp"

namespace ww::scoreboard {

[[nodiscard]] constexpr control o0_text_control() {
  control c;
  c.stall = 15;
  c.yield = true;
  c.wait_mask = 0x3f;
  return c;
}

struct o0_stats {
  std::uint64_t instructions = 0;
  std::uint64_t drains = 0;
};

template <class Arch>
o0_stats assign_o0(program& p) {
  constexpr std::uint8_t result_counter = 0;
  constexpr std::uint8_t source_counter = 1;
  using lat = typename Arch::latency;
  const auto& table = class_table<Arch>();
  const std::uint8_t named = named_counters(p);
  const bool known = control_is_known(p);
  o0_stats stats;
  for (const instr_id id : p.order) {
    instruction& i = p[id];
    const class_entry& c = table[static_cast<unsigned>(i.iclass)];
    bool result = false;
    bool late = false;
    unsigned longest = 1;
    for (const operand o : p.operands_of(i)) {
      if (!o.is_register()) continue;
      const access_point a{i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)};
      if (o.is_def()) {
        result = true;
        if (c.variable) continue;
        for (unsigned part = 0; part < 2; ++part) {
          longest = meta::max(
              longest, worst_distance<Arch>({i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(part), a.guarded}));
        }
      } else {
        late = late || taken_for_late<lat>(a);
      }
    }
    const special_role role = role_of<Arch>(i, i.ctl, known, result, named);
    if (role.has(special_role::leave)) continue;
    control k;
    k.wait_mask = cannot_wait(i) ? 0u : (1u << result_counter) | (1u << source_counter);
    k.yield = true;
    const bool drain = longest > Arch::barriers::max_stall || i.iclass == sched_class::errbar || i.has(iflag::unknown) ||
                       resizes_registers(i);
    k.stall = drain ? std::uint8_t{0} : static_cast<std::uint8_t>(Arch::barriers::max_stall);
    const bool pinned = role.has(special_role::force_next) && !role.has(special_role::order_read);
    if (role.has(special_role::pin_write) || pinned) {
      k.write_barrier = role.write_pin;
    } else if ((c.variable && result) || role.has(special_role::order_write)) {
      k.write_barrier = result_counter;
    }
    if ((role.has(special_role::pin_read) && counted_by_depbar(i)) || pinned) {
      k.read_barrier = role.read_pin;
    } else if (late || role.has(special_role::order_read) || role.has(special_role::pin_read)) {
      k.read_barrier = source_counter;
    }
    if (pinned) k.wait_mask = 0x3f;
    if (!i.has(iflag::reuse_legal)) k.reuse = i.ctl.reuse;  // these bits are part of the encoding
    i.ctl = k;
    ++stats.instructions;
    stats.drains += drain ? 1u : 0u;
  }
  p.has_control = true;
  return stats;
}

}  // namespace ww::scoreboard
