// SPDX-License-Identifier: BSL-1.0
//
// Plants bugs into one program, asks the oracle and the checker, and counts.
//
//   planted  edits made
//   real     those that an oracle independent of the checker calls wrong (or that are wrong by definition)
//   caught   real ones with at least one finding
//   raw      edits with a finding, whatever the oracle says
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "../support/mutate.hpp"
#include "path_oracle.hpp"
#include "warpwright/verify/hazards.hpp"

namespace ww_test {

struct tally {
  unsigned planted = 0, real = 0, caught = 0, raw = 0;
  tally& operator+=(const tally& o) {
    planted += o.planted;
    real += o.real;
    caught += o.caught;
    raw += o.raw;
    return *this;
  }
};
using tallies = std::array<tally, bug_count>;
using miss_sink = std::function<void(const ww::program&, const edit&)>;

template <class Arch>
void run_mutations(ww::program& p, std::uint64_t seed, unsigned per_kind, tallies& out, ww::verify::workspace& w,
                   const miss_sink& missed = {}) {
  mutator m(p, seed);
  path_oracle<Arch> oracle(p);
  for (unsigned k = 0; k < bug_count; ++k) {
    const auto kind = static_cast<bug>(k);
    for (unsigned n = 0; n < per_kind; ++n) {
      edit e;
      if (!m.plant(kind, e)) break;
      e.apply(p);
      const bool found = !ww::verify::check<Arch>(p, {}, w).clean();
      const bool harmless = k >= harmful_count;
      const bool real = !harmless && (certain(kind) || !oracle.run(true).empty());
      tally& t = out[k];
      ++t.planted;
      t.raw += found ? 1u : 0u;
      t.real += real ? 1u : 0u;
      t.caught += real && found ? 1u : 0u;
      if (missed && (harmless ? found : real && !found)) missed(p, e);
      e.revert(p);
    }
  }
}

}  // namespace ww_test
