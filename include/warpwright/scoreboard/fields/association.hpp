// SPDX-License-Identifier: BSL-1.0
//
// Which counters protect which registers, and the two wait encoders that ask (SB-4: EncodeReadBarrierMask and
// EncodeWaitBarrierMask).
//
//   result mask   counters that stand for a result that is not there yet, by register unit (units.hpp)
//   source mask   counters that stand for a source that is not read yet
//   encode_read_mask   what the sources of an instruction must wait for
//   encode_wait_mask   all that it must wait for: sources, results that it overwrites, sources of others that it overwrites
// The text has a read mask and a wait mask in every word and says of both that the instruction waits for them; hardware has
// one wait mask, so that the first is a part of the second here.
#pragma once

#include <cstdint>

#include "../../ir/program.hpp"
#include "../../meta/vec.hpp"
#include "../units.hpp"

namespace ww::scoreboard {

struct register_counters {
  unit_map units;
  vec<std::uint8_t> results;  // by unit
  vec<std::uint8_t> sources;

  void start(const program& p) {
    units.build(p);
    results.assign(units.count, 0);
    sources.assign(units.count, 0);
  }
  void set_result(operand o, unsigned counter) { put(results, o, counter); }
  void set_source(operand o, unsigned counter) { put(sources, o, counter); }
  // The counters of `mask` have been waited for.
  void clear(unsigned mask) {
    for (std::uint8_t& m : results) m = static_cast<std::uint8_t>(m & ~mask);
    for (std::uint8_t& m : sources) m = static_cast<std::uint8_t>(m & ~mask);
  }
  [[nodiscard]] unsigned results_of(operand o) const { return get(results, o); }
  [[nodiscard]] unsigned sources_of(operand o) const { return get(sources, o); }

 private:
  void put(vec<std::uint8_t>& where, operand o, unsigned counter) {
    if (!units.has(o)) return;
    const std::uint32_t u = units.first(o);
    for (unsigned k = 0; k < unit_map::width(o); ++k) where[u + k] = static_cast<std::uint8_t>(where[u + k] | 1u << counter);
  }
  [[nodiscard]] unsigned get(const vec<std::uint8_t>& where, operand o) const {
    unsigned m = 0;
    if (!units.has(o)) return 0;
    const std::uint32_t u = units.first(o);
    for (unsigned k = 0; k < unit_map::width(o); ++k) m |= where[u + k];
    return m;
  }
};

[[nodiscard]] inline unsigned encode_read_mask(const program& p, const instruction& i, const register_counters& c) {
  unsigned m = 0;
  for (const operand o : p.operands_of(i)) m |= o.is_use() ? c.results_of(o) : 0u;
  return m;
}

[[nodiscard]] inline unsigned encode_wait_mask(const program& p, const instruction& i, const register_counters& c) {
  unsigned m = encode_read_mask(p, i, c);
  for (const operand o : p.operands_of(i)) m |= o.is_def() ? c.results_of(o) | c.sources_of(o) : 0u;
  return m;
}

}  // namespace ww::scoreboard
