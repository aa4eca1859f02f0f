// SPDX-License-Identifier: BSL-1.0
//
// Cycles that the encoder chain (chain.hpp) keeps between instructions, apart from counters.
//
//   own_stall       behind an instruction whoever comes next: of its class, of its form (special.hpp), behind what is not known
//   distance        of a fixed latency between two instructions, and behind a CTA barrier (arch/concept.hpp, behind_barrier)
//   landing         after which nobody is bound by a fixed-latency result of an instruction, nor by a CTA barrier
//   lands_all       instructions in front of which everything fixed has landed: collectives, calls where the page says so, a change of
//                   the active mask or of the warp's registers, opcodes that are not known
//   drains_behind   what nobody may follow before everything is done
// The rules are those of decode.hpp and special.hpp; sources stand there.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../class_table.hpp"
#include "../decode.hpp"
#include "../special.hpp"
#include "../worst_distance.hpp"
#include "write_barrier.hpp"

namespace ww::scoreboard {

template <class Arch>
struct chain_timing {
  using pipes = typename Arch::pipes;

  [[nodiscard]] static bool has_result(const program& p, const instruction& i) {
    for (const operand o : p.operands_of(i)) {
      if (o.is_def() && o.is_register()) return true;
    }
    return false;
  }

  [[nodiscard]] static unsigned own_stall(const program& p, const instruction& i) {
    unsigned s = std::clamp<unsigned>(pipes::min_stall(i.iclass), 1, 15);
    s = std::max(s, ww::scoreboard::own_stall<pipes>(p, i));
    if (i.iclass == sched_class::depbar) s = std::max<unsigned>(s, Arch::barriers::depbar_min_stall);
    if (goes_collectively(i)) s = std::max(s, std::clamp<unsigned>(pipes::min_stall(sched_class::branch), 1, 15));
    if (resizes_registers(i)) s = std::max(s, 2u);
    return i.has(iflag::unknown) ? std::max(s, detail::behind_unknown) : s;
  }

  [[nodiscard]] static bool lands_all(const instruction& i) {
    return goes_collectively(i) || resizes_registers(i) || i.has(iflag::active_mask) || i.has(iflag::unknown) ||
           lands_before<pipes>(i);
  }

  [[nodiscard]] static bool drains_behind(const program& p, const instruction& i) {
    return i.iclass == sched_class::errbar || i.has(iflag::unknown) || (resizes_registers(i) && !has_result(p, i));
  }

  [[nodiscard]] static std::int32_t distance(const program& p, const instruction& a, const instruction& b) {
    using lat = typename Arch::latency;
    unsigned most = class_table<Arch>()[static_cast<unsigned>(b.iclass)].behind_barrier ? passing(a) : 0u;
    for (const operand x : p.operands_of(a)) {
      for (const operand y : p.operands_of(b)) {
        if ((x.is_use() && y.is_use()) || overlap(x, y) == 0) continue;
        if (x.is_def() && lat::variable(a.iclass)) continue;
        const std::uint32_t low = std::max(x.base().number(), y.base().number());
        for (std::uint32_t r = low; r < low + overlap(x, y); ++r) {
          const access_point f{a.iclass, x.where(), x.file(), static_cast<std::uint8_t>(r - x.base().number()),
                               a.has(iflag::guarded)};
          const access_point t{b.iclass, y.where(), y.file(), static_cast<std::uint8_t>(r - y.base().number()),
                               b.has(iflag::guarded)};
          most = std::max<unsigned>(most, x.is_use()   ? lat::war(f, t).emit
                                          : y.is_use() ? lat::raw(f, t).emit
                                                       : lat::waw(f, t).emit);
        }
      }
    }
    return static_cast<std::int32_t>(most);
  }

  [[nodiscard]] static unsigned landing(const program& p, const instruction& x) {
    unsigned longest = std::max(passing(x), 1u);
    if (Arch::latency::variable(x.iclass)) return longest;
    for (const operand o : p.operands_of(x)) {
      if (!o.is_register() || !o.is_def()) continue;
      for (std::uint8_t part = 0; part < 2; ++part) {
        longest = std::max(longest, worst_distance<Arch>({x.iclass, o.where(), o.file(), part, x.has(iflag::guarded)}));
      }
    }
    return longest;
  }

 private:
  // Cycles from a CTA barrier to what keeps a distance from it, 0 for everything else.
  static unsigned passing(const instruction& i) {
    if constexpr (requires { pipes::behind_barrier; }) {
      const bool at_once = i.op == opcode::ucgabar_arv || i.op == opcode::ucgabar_wait;
      if (i.iclass == sched_class::bar && !at_once) return pipes::behind_barrier;
    }
    return 0;
  }
};

}  // namespace ww::scoreboard
