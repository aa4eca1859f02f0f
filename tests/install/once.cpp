// SPDX-License-Identifier: BSL-1.0
//
// A scheduler of the user's own and a default one in a target whose SMs are compiled once: same results as elsewhere.
#include <warpwright/warpwright.hpp>

using own = ww::scheduler<ww::sm90, ww::priority::source_order<4>>;
using sched = ww::scheduler<ww::sm90>;

int more();

int main() {
  ww::program p;
  return own{}.run(p).blocks == 0 && sched{}.run(p).blocks == 0 && more() == 0 ? 0 : 1;
}
