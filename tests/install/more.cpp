// SPDX-License-Identifier: BSL-1.0
//
// A second unit of the same target.
#include <warpwright/warpwright.hpp>

using sched = ww::scheduler<ww::sm80>;

int more();
int more() {
  ww::program p;
  return sched{}.run(p).blocks == 0 ? 0 : 1;
}
