// SPDX-License-Identifier: BSL-1.0
//
// A user's names meet those inside the kit's templates, and a user's warnings are for code of his own: this compiles with
// warnings that the kit itself is not written for, and with WW_OWN_FAULT it does not, for its own sake.
#ifdef WW_SINGLE
#include <warpwright/warpwright_tools.hpp>
#else
#include <warpwright/tools.hpp>
#endif

using arch = ww::sm90;
using sched = ww::scheduler<arch>;
using other = int;
extern ww::program p;
extern int at, b, c, count, cycles, first, i, id, k, n, order, out, r, s, x, y;

unsigned blocks(ww::program& program_of_mine);
unsigned blocks(ww::program& program_of_mine) {
#ifdef WW_OWN_FAULT
  int count = 0;
  (void)count;
#endif
  return sched{}.run(program_of_mine).blocks + static_cast<unsigned>(ww::verify::check<arch>(program_of_mine).errors());
}
