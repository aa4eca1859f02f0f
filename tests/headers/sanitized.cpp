// SPDX-License-Identifier: BSL-1.0
//
// Schedulers of all SMs under a compiler with sanitizers on, which takes less for a constant than one without, under that of
// CUDA, and behind the macro of <complex.h>.
#define I _Complex_I
#include <warpwright/warpwright.hpp>

template <class... Archs>
unsigned blocks_of(ww::program& p, ww::meta::type_list<Archs...>) {
  return (static_cast<unsigned>(ww::scheduler<Archs>{}.run(p).blocks) + ...);
}

unsigned blocks(ww::program& p);
unsigned blocks(ww::program& p) { return blocks_of(p, ww::all_archs{}); }
