// SPDX-License-Identifier: BSL-1.0
//
// The eight priority bits of PLS-3, each a policy of its own. A bit is an empty struct with a name and one function:
//
//   struct my_bit {
//     static constexpr const char* name = "my_bit";
//     static constexpr bool test(const ww::priority::candidate& c, const ww::priority::pick_state& s) { ... }
//   };
//   using mine = ww::scheduler<ww::sm90, ww::priority::pack<my_bit, ww::priority::bits::stall_free>>;
//
// Nothing else has to be told about it. A 1 is preferred to a 0. A wider field has `width` (bits) and `value` (unsigned, cut
// off at the largest value of the field) instead of `test`; see `bits::height_field`. `text_bit` is the bit's number in the
// text's byte; the refined comparison scans by it. A bit that reads register deltas says `needs_pressure = true`, so that
// others do not pay for them.
#pragma once

#include <cstdint>

#include "candidate.hpp"

namespace ww::priority::bits {

// 7: the instruction is a yield boundary; it goes first so that the yield hint stands where the block is cut.
struct yield_related {
  static constexpr const char* name = "yield_related";
  static constexpr unsigned text_bit = 7;
  static constexpr bool test(const candidate& c, const pick_state&) { return c.has(trait::yield_boundary); }
};

// 6: control instructions carry the yield state, unless they are hot; the unified engine has all conditions of the text.
struct yield_flag {
  static constexpr const char* name = "yield_flag";
  static constexpr unsigned text_bit = 6;
  static constexpr bool test(const candidate& c, const pick_state& s) {
    return c.has(trait::control) && s.yield_state && !c.has(trait::hot);
  }
};

// 5: long-latency memory first, while the block's budget of cold accesses lasts.
struct hot_cold {
  static constexpr const char* name = "hot_cold";
  static constexpr unsigned text_bit = 5;
  static constexpr bool test(const candidate& c, const pick_state& s) { return c.has(trait::hot) && s.hot_budget > 0; }
};

// 4: a register group is over its limit and this instruction lowers it. Cold accesses never claim it.
// The three narrow groups overflow above seven; the uniform one as soon as it reaches its limit.
struct pressure {
  static constexpr const char* name = "pressure";
  static constexpr unsigned text_bit = 4;
  static constexpr bool needs_pressure = true;
  static constexpr bool test(const candidate& c, const pick_state& s) {
    static_assert(group_count == 4);
    if (c.has(trait::cold)) return false;
    return over(c, s, 0, s.limit[0]) || over(c, s, 1, s.limit[1]) || over(c, s, 2, s.limit[2]) ||
           over(c, s, 3, s.limit[3] - 1);
  }

 private:
  static constexpr bool over(const candidate& c, const pick_state& s, unsigned g, std::int32_t most) {
    return s.live[g] > most && c.delta[g] < 0;
  }
};

// 3: the instruction belongs to this block, it was not brought here from another one.
struct same_block {
  static constexpr const char* name = "same_block";
  static constexpr unsigned text_bit = 3;
  static constexpr bool test(const candidate& c, const pick_state&) { return !c.has(trait::imported); }
};

// 2: placing it now costs no stall: its producers are done and its pipe is free.
struct stall_free {
  static constexpr const char* name = "stall_free";
  static constexpr unsigned text_bit = 2;
  static constexpr bool test(const candidate& c, const pick_state& s) {
    const std::uint32_t pipe = s.pipe_free[static_cast<unsigned>(c.pipe)];
    return (static_cast<unsigned>(c.earliest <= s.cycle) & static_cast<unsigned>(pipe <= s.cycle)) != 0;
  }
};

// 1: on the critical path: placed later than now, it makes the block longer.
struct critical_path {
  static constexpr const char* name = "critical_path";
  static constexpr unsigned text_bit = 1;
  static constexpr bool test(const candidate& c, const pick_state& s) {
    return s.cycle + c.height + s.slack >= s.critical_length;
  }
};

// 0: waits on a dependency counter; placed promptly, it frees the counter.
struct tiebreaker {
  static constexpr const char* name = "tiebreaker";
  static constexpr unsigned text_bit = 0;
  static constexpr bool test(const candidate& c, const pick_state&) { return c.has(trait::barrier_target); }
};

// A field of 1 to 32 bits: the height in cycles, cut off at the largest value of the field.
template <unsigned Width>
struct height_field {
  static constexpr const char* name = "height";
  static constexpr unsigned width = Width <= 32 ? Width : 0;  // heights have 32 bits; the pack refuses a width of 0
  static constexpr std::uint32_t value(const candidate& c, const pick_state&) {
    constexpr std::uint32_t most = Width >= 32 ? 0xffffffffu : (1u << (Width % 32u)) - 1u;
    return c.height < most ? c.height : most;
  }
};

}  // namespace ww::priority::bits
