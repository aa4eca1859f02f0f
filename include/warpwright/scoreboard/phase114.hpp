// SPDX-License-Identifier: BSL-1.0
//
// Phase 114, FixUpTexDepBarAndSync (SB-7): makes the control words of texture and surface operations right again, before
// and apart from the main pass.
//
//   texture        TEX, TLD and their relatives, surface loads, stores and atomics (opcodes 60, 62, 78, 79 of the text)
//   write barrier  a texture whose result has no counter, or an index that does not exist, gets one
//   read barrier   the same for a texture that only reads, such as a surface store
//   wait mask      whoever reads or overwrites the result, or overwrites a source, waits for that counter, on every path
//   stall, yield   what its issue code says is made a code that exists; a wait right behind the set comes late enough
// All other words keep their fields but for a stall that is too short for a wait that was added behind it; waits are only added,
// so that what was legal stays legal. A new index is the one that the last texture of the block used (they come back together),
// else the one that fewest instructions raise, never one that DEPBAR names unless it names all. The text's default is an empty pass, active where a class may have several triplets: `active`.
#pragma once

#include <cstdint>

#include "../ir/cfg.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "fields/association.hpp"
#include "fields/config.hpp"
#include "fields/dispatch.hpp"
#include "special.hpp"

namespace ww::scoreboard {

struct phase114_stats {
  std::uint64_t textures = 0;
  std::uint64_t indices = 0;  // counters given or replaced
  std::uint64_t waits = 0;    // instructions whose wait mask grew
  std::uint64_t stalls = 0;   // issue codes changed

  [[nodiscard]] bool changed() const { return indices + waits + stalls != 0; }
};

template <class Arch>
class phase114 {
 public:
  static constexpr unsigned number = 114;
  static constexpr const char* name = "FixUpTexDepBarAndSync";
  static constexpr bool active = config_of<Arch>().extended;

  phase114_stats run(program& p) {
    phase114_stats s;
    fix_indices(p, s);
    if (s.textures == 0) return s;
    flow(p);
    add_waits(p, s);
    for (const block& b : p.blocks) fix_issue(p, b, s);
    for (const block& b : p.blocks) see_new_waits(p, b, s);
    return s;
  }

 private:
  static constexpr unsigned count = Arch::barriers::count;

  static bool has_result(const program& p, const instruction& i) {
    for (const operand o : p.operands_of(i)) {
      if (o.is_def() && o.is_register()) return true;
    }
    return false;
  }

  void fix_indices(program& p, phase114_stats& s) {
    array<std::uint32_t, count> uses{};
    for (const instruction& i : p.instructions) {
      if (i.ctl.write_barrier < count) ++uses[i.ctl.write_barrier];
      if (i.ctl.read_barrier < count) ++uses[i.ctl.read_barrier];
    }
    const unsigned named = named_counters(p);
    std::uint8_t rare = control::no_barrier;
    for (std::uint8_t c = 0; c < count; ++c) {
      if ((named >> c & 1u) == 0 && (rare == control::no_barrier || uses[c] < uses[rare])) rare = c;
    }
    if (rare == control::no_barrier) rare = 0;
    for (const block& b : p.blocks) {
      std::uint8_t last = rare;
      for (const instr_id id : p.order_of(b)) {
        instruction& i = p[id];
        if (!is_texture(i.iclass) || i.has(iflag::padding)) continue;
        ++s.textures;
        std::uint8_t& index = has_result(p, i) ? i.ctl.write_barrier : i.ctl.read_barrier;
        std::uint8_t& other = has_result(p, i) ? i.ctl.read_barrier : i.ctl.write_barrier;
        if (index >= count) {
          index = last;
          ++s.indices;
        }
        if (other >= count && other != control::no_barrier) {
          other = control::no_barrier;
          ++s.indices;
        }
        if ((named >> index & 1u) == 0) last = index;
      }
    }
  }

  // What `i` must wait for, given the state before it; the state is taken past it.
  unsigned step(const program& p, const instruction& i, bool leaves) {
    unsigned need = encode_wait_mask(p, i, state_);
    if (leaves || i.has(iflag::unknown)) need |= any();
    state_.clear(need | i.ctl.wait_mask);
    if (is_texture(i.iclass) && !i.has(iflag::padding)) {
      for (const operand o : p.operands_of(i)) {
        if (!o.is_register()) continue;
        if (o.is_def() && i.ctl.sets_write()) state_.set_result(o, i.ctl.write_barrier);
        if (o.is_use() && i.ctl.sets_write()) state_.set_source(o, i.ctl.write_barrier);
        // The result's counter also says that the sources have been read, so either of the two would do; a reader's own
        // counter is the one that is waited for.
        if (o.is_use() && i.ctl.sets_read()) state_.set_source(o, i.ctl.read_barrier);
      }
    }
    return need;
  }

  [[nodiscard]] unsigned any() const {
    unsigned m = 0;
    for (std::uint32_t u = 0; u < state_.units.count; ++u) m |= unsigned{state_.results[u]} | state_.sources[u];
    return m;
  }

  void load(std::size_t b) {
    const std::size_t n = state_.units.count;
    for (std::size_t u = 0; u < n; ++u) {
      state_.results[u] = in_[b * 2 * n + u];
      state_.sources[u] = in_[b * 2 * n + n + u];
    }
  }

  // The union over all paths, to a fixed point.
  void flow(const program& p) {
    state_.start(p);
    const std::size_t n = state_.units.count;
    in_.assign(p.blocks.size() * 2 * n, 0);
    vec<std::uint8_t> dirty(p.blocks.size(), 1);
    for (bool again = true; again;) {
      again = false;
      for (std::size_t b = 0; b < p.blocks.size(); ++b) {
        if (dirty[b] == 0) continue;
        dirty[b] = 0;
        load(b);
        walk(p, p.blocks[b], [](instr_id, unsigned) {});
        for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
          if (e.kind == edge_kind::call_return && is_summary(p, e)) continue;
          std::uint8_t* to = in_.data() + e.to.index() * 2 * n;
          bool grew = false;
          for (std::size_t u = 0; u < n; ++u) {
            grew = grew || ((state_.results[u] & ~to[u]) | (state_.sources[u] & ~to[n + u])) != 0;
            to[u] = static_cast<std::uint8_t>(to[u] | state_.results[u]);
            to[n + u] = static_cast<std::uint8_t>(to[n + u] | state_.sources[u]);
          }
          if (!grew) continue;
          dirty[e.to.index()] = 1;
          again = true;
        }
      }
    }
  }

  template <class F>
  void walk(const program& p, const block& b, F f) {
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      const bool leaves = b.open_exit && pos + 1 == b.first + b.count;
      f(p.order[pos], step(p, p[p.order[pos]], leaves));
    }
  }

  void add_waits(program& p, phase114_stats& s) {
    added_.assign(p.instructions.size(), 0);
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      load(b);
      walk(p, p.blocks[b], [&](instr_id id, unsigned need) {
        instruction& i = p[id];
        if ((need & ~static_cast<unsigned>(i.ctl.wait_mask)) == 0 || i.has(iflag::padding)) return;
        added_[id.index()] = static_cast<std::uint8_t>(need & ~static_cast<unsigned>(i.ctl.wait_mask));
        i.ctl.wait_mask = static_cast<std::uint8_t>(i.ctl.wait_mask | need);
        ++s.waits;
      });
    }
  }

  static void fix_issue(program& p, const block& b, phase114_stats& s) {
    constexpr unsigned stay = Arch::barriers::max_stall_stay;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      instruction& i = p[p.order[pos]];
      if (!is_texture(i.iclass) || i.has(iflag::padding)) continue;
      const control had = i.ctl;
      if (i.ctl.stall > Arch::barriers::max_stall) i.ctl.stall = Arch::barriers::max_stall;
      if (i.ctl.stall == 0 && !i.ctl.yield) i.ctl.stall = 1;
      if (i.ctl.stall > stay) i.ctl.yield = true;
      unsigned sets = 0;
      if (i.ctl.sets_write()) sets |= 1u << i.ctl.write_barrier;
      if (i.ctl.sets_read()) sets |= 1u << i.ctl.read_barrier;
      const bool last = pos + 1 == b.first + b.count;
      const bool near = !i.ctl.drains() && i.ctl.stall < Arch::barriers::set_to_wait;
      if (near && (last || (p[p.order[pos + 1]].ctl.wait_mask & sets) != 0)) i.ctl.stall = Arch::barriers::set_to_wait;
      s.stalls += had == i.ctl ? 0u : 1u;
    }
  }

  // Whoever raises a counter for which the next instruction now waits is seen by it.
  void see_new_waits(program& p, const block& b, phase114_stats& s) {
    const auto added_at = [&](const block& at, std::uint32_t pos) {
      while (pos < at.first + at.count && p[p.order[pos]].has(iflag::padding)) ++pos;
      return pos < at.first + at.count ? unsigned{added_[p.order[pos].index()]} : 0u;
    };
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      control& c = p[p.order[pos]].ctl;
      if (p[p.order[pos]].has(iflag::padding) || c.drains() || c.stall >= Arch::barriers::set_to_wait) continue;
      unsigned next = added_at(b, pos + 1);
      for (const cfg_edge& e : p.edges_of(b)) next |= pos + 1 == b.first + b.count ? added_at(p[e.to], p[e.to].first) : 0u;
      const unsigned write = c.sets_write() ? 1u << (c.write_barrier & 7u) : 0u;
      const unsigned read = c.sets_read() ? 1u << (c.read_barrier & 7u) : 0u;
      if ((next & (write | read)) == 0) continue;
      c.stall = Arch::barriers::set_to_wait;
      ++s.stalls;
    }
  }

  register_counters state_;
  vec<std::uint8_t> added_;  // by instruction: counters for which it now waits and did not
  vec<std::uint8_t> in_;     // by block: results, then sources, one mask for each unit
};

}  // namespace ww::scoreboard
