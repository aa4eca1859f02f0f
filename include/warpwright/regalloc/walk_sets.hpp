// SPDX-License-Identifier: BSL-1.0
//
// What the per-instruction walk knows of the registers of a class: geometry by pair mode, and three sets of 256 slots (FPA-11).
//
//   stride, divisor, pair width   of a pair mode, in halves of registers: single 2, 2, 4; paired (halves) 1, 1, 2; doubled 4, 4, 8
//   assigned        slots of registers that the class has, without those whose use would meet a bank conflict
//   used            slots that the first instruction names
//   must_not_spill  of those, the ones that it does not leave to anybody: spilling them there would free nothing
//   slot            the number of a register, twice that where two of the class share one. Slots from 256 on are in no set
// The operands of the first instruction are looked at from the last to the first, as the text does; the sets are the same in any
// order. Registers that the architecture names for itself (the text's 41 to 44, the always-true predicate and its like) are zero
// registers here, and no registers at all.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "geometry.hpp"

namespace ww::regalloc {

struct walk_geometry {
  std::uint32_t stride = 2;
  std::uint32_t divisor = 2;
  std::uint32_t pair_width = 4;
};

[[nodiscard]] constexpr walk_geometry walk_geometry_of(pair_mode m) {
  switch (m) {
    case pair_mode::paired:
      return {1, 1, 2};
    case pair_mode::doubled:
      return {4, 4, 8};
    default:
      return {2, 2, 4};
  }
}

class slot_set {
 public:
  static constexpr std::uint32_t slots = 256;

  void clear() {
    for (std::uint64_t& w : words_) w = 0;
  }
  void insert(std::uint32_t slot) {
    if (slot < slots) words_[slot >> 6] |= 1ull << (slot & 63u);
  }
  void erase(std::uint32_t slot) {
    if (slot < slots) words_[slot >> 6] &= ~(1ull << (slot & 63u));
  }
  [[nodiscard]] bool has(std::uint32_t slot) const { return slot < slots && (words_[slot >> 6] >> (slot & 63u) & 1u) != 0; }
  friend bool operator==(const slot_set&, const slot_set&) = default;

 private:
  std::uint64_t words_[slots / 64] = {};
};

// Assumed: a result conflicts with a source of the same instruction in the same group of four registers, of eight halves where two
// share one: what the bank mask of the selection calls one bank (fat_point.hpp). The text does not say what its check looks at.
struct same_group_conflict {
  template <class Slot>
  [[nodiscard]] static bool conflicts(const program& p, const instruction& i, operand result, pair_mode m, Slot&& slot_of) {
    const std::uint32_t mask = m == pair_mode::paired ? ~7u : ~3u;
    for (const operand& o : p.operands_of(i)) {
      if (!o.is_use() || !o.is_register() || o.file() != result.file()) continue;
      if (((slot_of(o) ^ slot_of(result)) & mask) == 0) return true;
    }
    return false;
  }
};

struct walk_sets {
  walk_geometry geometry;
  slot_set assigned;
  slot_set used;
  slot_set must_not_spill;

  [[nodiscard]] static std::uint32_t slot_of(operand o, pair_mode m) {
    return o.base().number() << (m == pair_mode::paired ? 1 : 0);
  }

  // `registers`: how many the class has. `live_behind(instr_id, operand index)`: does somebody read what the operand names behind the
  // instruction?
  template <class Conflict, class LiveBehind>
  void start(const program& p, instr_id first, reg_file file, pair_mode m, std::uint32_t registers,
             LiveBehind&& live_behind) {
    geometry = walk_geometry_of(m);
    assigned.clear();
    used.clear();
    must_not_spill.clear();
    const std::uint32_t shift = m == pair_mode::paired ? 1 : 0;
    for (std::uint32_t n = 0; n < registers && n << shift < slot_set::slots; ++n) {
      assigned.insert(n << shift);
      if (shift != 0) assigned.insert((n << shift) + 1);
    }
    const instruction& i = p[first];
    const auto place = [m](operand o) { return slot_of(o, m); };
    for (std::uint32_t k = i.operand_count; k-- > 0;) {
      const operand o = p.operands[i.first_operand + k];
      if (!o.is_register() || o.file() != file) continue;
      const std::uint32_t slot = place(o);
      used.insert(slot);
      if (!live_behind(first, k)) must_not_spill.insert(slot);
      if (o.is_def() && slot < slot_set::slots && Conflict::conflicts(p, i, o, m, place)) assigned.erase(slot);
    }
  }
};

}  // namespace ww::regalloc
