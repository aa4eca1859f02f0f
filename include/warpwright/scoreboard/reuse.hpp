// SPDX-License-Identifier: BSL-1.0
//
// Operand-reuse flags (SB-4), made in one pass over the order.
//
// A flag on a source keeps its value for the next reader through the same port (1 = a, 2 = b, 3 = c), register bank and
// operand cache. It is set where that reader
//   - is of the same block and the same cache (reuse_class.hpp), and names the same register with the same width; in the
//     first cache a pair may follow its first register,
//   - comes before any write of the register, the flagged instruction's own result included,
//   - and no instruction from the flagged one up to it has the yield form of its stall or drains.
// The opcode must allow flags and the issue code must be one of 17..27 (facts: public notes 2.1).
// A wide source holds an entry of every bank that it touches. Reads of another cache do not count; that one operand cache
// does not serve all pipes is observed: 86 flags of the compiler reach over such a read and none over one of the
// own cache, and the rule gives all 21,842 flags of the corpus and no other (provenance: observed; docs/scoreboard.md).
// Nothing depends on whether hardware keeps a value: the register is unchanged up to every reader that could take it.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "reuse_class.hpp"
#include "reuse_memory.hpp"
#include "reuse_policy.hpp"
#include "reuse_registers.hpp"

namespace ww::scoreboard {

// The pass over a program: begin() before the first instruction of a block, then visit() for each position in order, with the
// final control word of the instruction but for its flags. Flags are written to instructions already visited.
template <class Arch, class Policy = reuse::as_compiler>
class reuse_pass {
 public:
  constexpr reuse_pass(const program& p, reuse_memory& memory)
      : memory_(memory), base_(memory.take(static_cast<std::uint32_t>(p.order.size()))) {}

  constexpr void begin(std::uint32_t first) { floor_ = base_ + first; }

  // `i` is the instruction at position `pos` of the order, `registers` are its own (reuse_registers.hpp).
  template <class Registers>
  [[gnu::always_inline]] constexpr void visit(program& p, instruction& i, std::uint32_t pos, const Registers& registers) {
    if (i.has(iflag::padding)) return;
    const std::uint32_t stamp = base_ + pos;
    if (!Policy::over_waits && (i.ctl.wait_mask != 0 || i.iclass == sched_class::depbar)) floor_ = stamp;
    if (i.has(iflag::reuse_legal)) {
      const unsigned code = i.ctl.issue_code();
      const unsigned open = code - 17u <= 10u ? (Policy::fresh ? 7u : unsigned{i.ctl.reuse}) : 0u;
      i.ctl.reuse = 0;
      if constexpr (Policy::sets) {
        const reuse_class& c = reuse_classes<Arch>[static_cast<unsigned>(i.iclass)];
        if (c.ports != 0) read(p, c, open & c.ports, registers, stamp);
      }
    }
    if constexpr (Policy::sets) {
      registers.results([&](std::uint32_t n, unsigned width) {
        std::uint32_t* const w = memory_.written.data() + n;
        w[0] = stamp;
        for (unsigned k = 1; k < width; ++k) w[k] = stamp;
      });
    }
    floor_ = i.ctl.yield ? stamp + 1 : floor_;
  }

  // Flags set so far.
  [[nodiscard]] constexpr std::uint64_t flags() const { return flags_; }

 private:
  static constexpr unsigned banks = Arch::limits::register_banks == 0 ? 1u : Arch::limits::register_banks;
  static_assert((banks & (banks - 1)) == 0 && banks <= reuse_memory::most_banks);
  using entry = reuse_memory::entry;

  // Reads of one instruction by bank, and which of them a kept value could save.
  struct bank_reads {
    struct hit {
      entry kept;
      unsigned port = 0;
    };
    array<std::uint8_t, banks> by_bank{};
    array<hit, 3> hits{};
    unsigned noted = 0;

    constexpr void count(std::uint32_t n, unsigned width, slot where) {
      const unsigned s = static_cast<unsigned>(where) - static_cast<unsigned>(slot::a);
      for (unsigned k = 0; k < width && s <= 2; ++k) ++by_bank[(n + k) % banks];
    }
    constexpr void note(const entry& kept, unsigned port) {
      if (noted < hits.size()) hits[noted++] = {kept, port};
    }
    // Whether one of its reads stands in a bank that is read for longer than the pipe is busy.
    [[nodiscard]] constexpr bool saves(const entry& kept, const reuse_class& c) const {
      bool longer = false;
      for (unsigned k = 0; k < kept.width(); ++k) longer = longer || by_bank[(kept.number() + k) % banks] > c.interval;
      return c.banked && longer;
    }
  };

  // The sources of an instruction of class `c` that may set the flags `open`.
  template <class Registers>
  [[gnu::always_inline]] constexpr void read(program& p, const reuse_class& c, unsigned open, const Registers& registers,
                                             std::uint32_t stamp) {
    [[maybe_unused]] bank_reads reads{};
    entry* const ports_of_cache = memory_.ports_of(c.cache);
    registers.sources([&](std::uint32_t n, unsigned width, unsigned ports, slot where) {
      if constexpr (Policy::conflicts_only) reads.count(n, width, where);
      const unsigned port = ports - 1u;
      if (ports == 0 || (c.ports >> port & 1u) == 0) return;
      const std::uint32_t key = n | width << 8;
      const entry read_here{key | (~open >> port) << 31, stamp};
      entry* const bank = ports_of_cache + port * reuse_memory::most_banks;
      if (width > 1) return wide(p, c, bank, read_here, port, reads);
      entry& kept = bank[n % banks];
      if (kept.key == key && kept.stamp >= floor_ && memory_.written[n] < kept.stamp) take(p, kept, port, reads);
      kept = read_here;
    });
    if constexpr (Policy::conflicts_only) {
      for (unsigned k = 0; k < reads.noted; ++k) {
        if (reads.saves(reads.hits[k].kept, c)) set(p, reads.hits[k].kept, reads.hits[k].port);
      }
    }
  }

  // A source of several registers.
  [[gnu::noinline]] constexpr void wide(program& p, const reuse_class& c, entry* bank, entry mine, unsigned port,
                                        bank_reads& reads) {
    const std::uint32_t n = mine.number();
    const unsigned w = mine.width();
    const entry kept = bank[n % banks];
    const unsigned held = kept.width();
    bool whole = (kept.key & entry::closed) == 0 && kept.number() == n && (held == w || (held == 1 && c.cache == 0)) &&
                 kept.stamp >= floor_;
    for (unsigned k = 0; whole && k < held; ++k) {
      whole = bank[(n + k) % banks] == kept && memory_.written[n + k] < kept.stamp;
    }
    if (whole) take(p, kept, port, reads);
    if (w > c.widest) mine.key |= entry::closed;
    for (unsigned k = 0; k < w && k < banks; ++k) bank[(n + k) % banks] = mine;
  }

  // The value kept with `kept` is taken.
  constexpr void take(program& p, const entry& kept, unsigned port, bank_reads& reads) {
    if constexpr (Policy::conflicts_only) {
      reads.note(kept, port);
    } else {
      set(p, kept, port);
    }
  }

  constexpr void set(program& p, const entry& e, unsigned port) {
    control& at = p[p.order[e.stamp - base_]].ctl;
    at.reuse = static_cast<std::uint8_t>(at.reuse | 1u << port);
    ++flags_;
  }

  reuse_memory& memory_;
  std::uint32_t base_;       // stamp of the first position
  std::uint32_t floor_ = 0;  // entries with a smaller stamp are lost
  std::uint64_t flags_ = 0;
};

// Makes the flags of a whole program by `Policy`, with the other control fields as they are. Returns how many there are.
template <class Arch, class Policy = reuse::as_compiler>
constexpr std::uint64_t assign_reuse(program& p) {
  reuse_memory memory;
  reuse_pass<Arch, Policy> pass(p, memory);
  for (const block& b : p.blocks) {
    pass.begin(b.first);
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      instruction& i = p[p.order[pos]];
      pass.visit(p, i, pos, operand_registers(p, i));
    }
  }
  return pass.flags();
}

// Clears the flags that are no longer good; returns how many were kept.
template <class Arch>
constexpr std::uint64_t keep_valid_reuse(program& p) {
  return assign_reuse<Arch, reuse::keep>(p);
}

}  // namespace ww::scoreboard
