// SPDX-License-Identifier: BSL-1.0
//
// Uses the installed headers from outside the project.
#include <warpwright/warpwright.hpp>

using sched = ww::scheduler<ww::sm90>;

int main() {
  ww::program p;
  return sched{}.run(p).blocks == 0 ? 0 : 1;
}
