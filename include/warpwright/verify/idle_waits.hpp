// SPDX-License-Identifier: BSL-1.0
//
// Waits for counters that no path has set: legal, for such a counter is zero, and worth a note.
//
// A forward flow over blocks and edges keeps the counters that some path from an entry may have set, whether they have been
// waited for since or not. A wait for any other counter never holds anything back; compilers write such waits without
// optimisation (facts: hardware 1.4, "waiting on a free counter costs nothing").
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/vec.hpp"
#include "finding.hpp"

namespace ww::verify {

namespace detail {

[[nodiscard]] inline unsigned counters_set_by(const control& c) {
  unsigned m = 0;
  if (c.sets_write() && c.write_barrier < control::barrier_count) m |= 1u << c.write_barrier;
  if (c.sets_read() && c.read_barrier < control::barrier_count) m |= 1u << c.read_barrier;
  return m;
}

}  // namespace detail

// Adds a note for every wait bit of that kind. `may_set` is scratch memory.
inline void note_idle_waits(const program& p, vec<std::uint8_t>& may_set, vec<finding>& out) {
  may_set.assign(p.blocks.size(), 0);  // at the start of each block
  const auto behind = [&](std::size_t b) {
    unsigned m = may_set[b];
    for (const instr_id id : p.order_of(p.blocks[b])) m |= detail::counters_set_by(p[id].ctl);
    return m;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      const unsigned m = behind(b);
      for (const cfg_edge& e : p.edges_of(p.blocks[b])) {
        std::uint8_t& to = may_set[e.to.index()];
        if ((m & ~static_cast<unsigned>(to)) == 0) continue;
        to = static_cast<std::uint8_t>(to | m);
        changed = true;
      }
    }
  }
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    unsigned m = may_set[b];
    for (const instr_id id : p.order_of(p.blocks[b])) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      for (unsigned c = 0; c < control::barrier_count; ++c) {
        if ((i.ctl.wait_mask >> c & 1u) == 0 || (m >> c & 1u) != 0) continue;
        finding f = detail::about(finding_kind::idle_wait, severity::note, id, provenance::documented);
        f.counter = static_cast<std::uint8_t>(c);
        out.push_back(f);
        break;  // one note for one instruction
      }
      m |= detail::counters_set_by(i.ctl);
    }
  }
}

}  // namespace ww::verify
