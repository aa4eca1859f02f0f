// SPDX-License-Identifier: BSL-1.0
//
// Register reads of arithmetic instructions: how many there are, how many the operand caches save, and what bank conflicts
// cost.
//
//   reads      source registers read through the ports a, b, c; zero registers, constants and uniform registers are none
//   hits       of these, the ones that are taken from an operand cache: a reuse flag kept the same register for this port
//   bubbles    of one instruction: reads left in its fullest bank - issue interval of its pipe, if positive (facts: hardware
//              3, reconciled rule; inferred from sm_50, sm_70 and sm_86 measurements of others). Priced for fixed-latency
//              vector arithmetic only (class_facts.hpp: banked)
//   conflicts  sum of the bubbles
// Operand caches: one per group of pipes (class_facts.hpp: cache; observed in compiler output), with one entry per port and
// bank, lost at the next read of both, at the yield form of a stall, at a drain and at the end of a block.
// All of it follows from order, flags and banks alone, not from time: one pass serves every walk of a simulation.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/array.hpp"
#include "../meta/rounded.hpp"
#include "../meta/vec.hpp"
#include "class_facts.hpp"

namespace ww::model {

struct operand_reads {
  double reads = 0;                            // per warp, weighted with the executions of each block
  double hits = 0;                             // registers, weighted
  double conflicts = 0;                        // cycles, weighted
  std::uint64_t instructions_hit = 0;          // instructions with a hit, each once
  std::uint64_t instructions_in_conflict = 0;  // instructions with a bubble, each once
};

namespace detail {

template <class Arch>
class operand_reader {
 public:
  operand_reader() = default;

  void begin(std::uint32_t first) { floor_ = first + 1; }

  struct result {
    std::uint8_t reads = 0;
    std::uint8_t hits = 0;
    std::uint8_t bubbles = 0;
  };

  // The instruction at position `pos`; positions grow.
  [[gnu::always_inline]] result visit(const program& p, const instruction& i, const class_fact& f, std::uint32_t pos) {
    result r;
    if (f.cache != no_cache) {
      const unsigned flags = i.has(iflag::reuse_legal) ? i.ctl.reuse : 0u;
      const operand* o = p.operands.data() + i.first_operand;
      const operand* const end = o + i.operand_count;
      std::uint32_t left = 0;  // reads that are left, a byte per bank
      for (; o != end; ++o) {
        const std::uint32_t n = number_of(*o);
        if (n >= registers || !o->is_use()) continue;
        const unsigned port = port_of(*o);
        if (port > 2) continue;
        const unsigned w = o->width() == 0 ? 1u : o->width();
        const entry mine{n | w << 16, (flags >> port & 1u) != 0 ? pos + 1 : 0u};
        auto& kept = cache_[f.cache][port];
        const entry first = kept[n % banks];
        unsigned taken = 0;
        if (first.stamp >= floor_ && (first.key & 0xffffu) == n) {
          taken = first.key == mine.key ? w : first.key >> 16 == 1 ? 1u : 0u;
          if (taken > 1 && !whole(kept, first, n, w)) taken = 0;
        }
        r.hits = static_cast<std::uint8_t>(r.hits + taken);
        r.reads = static_cast<std::uint8_t>(r.reads + w);
        for (unsigned k = 0; k < w; ++k) {
          const unsigned b = (n + k) % banks;
          if (k >= taken) left += 1u << (8 * b);
          kept[b] = mine;
        }
      }
      if (f.banked) {
        const unsigned most = fullest(left);
        if (most > f.interval) r.bubbles = static_cast<std::uint8_t>(most - f.interval);
      }
    }
    floor_ = i.ctl.yield ? pos + 2 : floor_;
    return r;
  }

 private:
  static constexpr unsigned banks = Arch::limits::register_banks == 0 ? 1u : Arch::limits::register_banks;
  static constexpr std::uint32_t registers = reg::first_virtual;
  static_assert(banks <= 4 && (banks & (banks - 1)) == 0);

  struct entry {
    std::uint32_t key = 0;    // first register | registers << 16
    std::uint32_t stamp = 0;  // position + 1 of the instruction that keeps it, 0 = nothing kept
    friend constexpr bool operator==(const entry&, const entry&) = default;
  };

  static constexpr std::uint32_t number_of(operand o) {
    constexpr std::uint32_t mask = 7u << 28 | 15u << reg::number_bits | reg::number_mask;
    constexpr std::uint32_t general = static_cast<std::uint32_t>(operand_type::physical) << 28 |
                                      static_cast<std::uint32_t>(reg_file::r) << reg::number_bits;
    return (o.low & mask) - general;
  }
  // The port of a source, 0 to 2, and more for none.
  static constexpr unsigned port_of(operand o) { return o.read_port() - 1u; }
  static bool whole(const array<entry, banks>& kept, const entry& first, std::uint32_t n, unsigned w) {
    bool all = true;
    for (unsigned k = 1; k < w; ++k) all = all && kept[(n + k) % banks] == first;
    return all;
  }
  static constexpr unsigned fullest(std::uint32_t reads) {
    unsigned most = 0;
    for (unsigned b = 0; b < banks; ++b) {
      const unsigned n = reads >> (8 * b) & 0xffu;
      most = n > most ? n : most;
    }
    return most;
  }

  array<array<array<entry, banks>, 3>, operand_caches> cache_{};
  std::uint32_t floor_ = 1;
};

}  // namespace detail

// Counts the reads of the whole program; `bubbles`, indexed by instruction, gets what each instruction costs.
template <class Arch>
operand_reads price_operand_reads(const program& p, vec<std::uint8_t>& bubbles) {
  const auto& facts = class_facts<Arch>();
  bubbles.resize(p.instructions.size());
  operand_reads all;
  detail::operand_reader<Arch> reader;
  for (const block& b : p.blocks) {
    reader.begin(b.first);
    std::uint32_t reads = 0;
    std::uint32_t hits = 0;
    std::uint32_t conflicts = 0;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const instr_id id = p.order[pos];
      const instruction& i = p[id];
      std::uint8_t& cost = bubbles[id.index()];
      cost = 0;
      if (i.has(iflag::padding)) continue;
      const auto r = reader.visit(p, i, facts[static_cast<unsigned>(i.iclass)], pos);
      cost = r.bubbles;
      reads += r.reads;
      hits += r.hits;
      conflicts += r.bubbles;
      all.instructions_hit += r.hits != 0 ? 1u : 0u;
      all.instructions_in_conflict += r.bubbles != 0 ? 1u : 0u;
    }
    if (!b.reachable || b.padding) continue;
    all.reads += meta::rounded(b.weight * reads);
    all.hits += meta::rounded(b.weight * hits);
    all.conflicts += meta::rounded(b.weight * conflicts);
  }
  return all;
}

// The same without the costs of single instructions.
template <class Arch>
[[nodiscard]] operand_reads count_operand_reads(const program& p) {
  vec<std::uint8_t> bubbles;
  return price_operand_reads<Arch>(p, bubbles);
}

}  // namespace ww::model
