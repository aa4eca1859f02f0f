// SPDX-License-Identifier: BSL-1.0
//
// Conflict avoidance (SB-2, phase 3 of the text's allocation): an instruction that takes a counter waits for every other pending
// counter whose registers are its own.
//
//   registers of a counter   results and sources of the producers that have raised it since somebody waited for it, inside a block
//   conflict                 a register of the one is a register of the other: result or source against result or source, the four
//                            pairs of the text's conflict vector
// Three of the four pairs are dependences, for which a wait is there already or another covers it (a queue in order, a wait at the
// reader in between). What is new is the pair of two sources: a store that has not read its address yet, and a load of the same
// address. No hardware needs that wait; the text makes it, so it is a policy: barriers::avoid_conflicts<...>.
// General registers only; numbers above 255, before allocation, share the place of their low eight bits.
#pragma once

#include <cstdint>

#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "workspace.hpp"

namespace ww::scoreboard {

class conflict_registers {
 public:
  constexpr void clear() { words_ = {}; }
  constexpr void add(std::uint32_t number) { words_[number >> 6 & 3u] |= std::uint64_t{1} << (number & 63u); }
  constexpr void add(const conflict_registers& o) {
    for (unsigned k = 0; k < words_.size(); ++k) words_[k] |= o.words_[k];
  }
  [[nodiscard]] constexpr bool meets(const conflict_registers& o) const {
    std::uint64_t both = 0;
    for (unsigned k = 0; k < words_.size(); ++k) both |= words_[k] & o.words_[k];
    return both != 0;
  }

 private:
  array<std::uint64_t, 4> words_{};
};

// Puts the waits into the sites' words; `reserved` are the counters that an operand names, which stay as they are. Returns how
// many waits.
constexpr std::uint64_t add_conflict_waits(const program& p, workspace& ws, unsigned reserved) {
  const unit_map::file_units general = ws.units.files[static_cast<unsigned>(reg_file::r)];  // they stand first
  std::uint64_t added = 0;
  for (const block& b : p.blocks) {
    array<conflict_registers, control::barrier_count> live{};
    unsigned pending = 0;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      site& s = ws.sites[pos];
      control& c = s.ctl;
      pending &= ~unsigned{c.wait_mask};
      unsigned takes = 0;
      if (c.sets_write()) takes |= 1u << c.write_barrier;
      if (c.sets_read()) takes |= 1u << c.read_barrier;
      if (takes == 0) continue;
      conflict_registers mine;
      const access* const first = detail::begin_of(ws, s);
      for (const access* a = first; a != first + s.count; ++a) {
        if (a->unit < general.limit) mine.add(a->unit);
      }
      for (unsigned m = s.leave() || cannot_wait(p[instr_id{s.instruction}]) ? 0u : pending & ~takes & ~reserved; m != 0;
           m &= m - 1) {
        const auto k = static_cast<unsigned>(meta::countr_zero(m));
        if (!mine.meets(live[k])) continue;
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask | 1u << k);
        pending &= ~(1u << k);
        ++added;
      }
      for (unsigned m = takes; m != 0; m &= m - 1) {
        const auto k = static_cast<unsigned>(meta::countr_zero(m));
        if ((pending >> k & 1u) == 0) live[k].clear();
        live[k].add(mine);
      }
      pending |= takes;
    }
  }
  return added;
}

}  // namespace ww::scoreboard
