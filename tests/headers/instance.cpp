// SPDX-License-Identifier: BSL-1.0
//
// One header and one architecture are enough for its main entry (WW_HEADER, WW_USE): what a template body names is looked up
// where it is used, so that a header may compile alone and its entry may not.
#include <warpwright/arch/sm90.hpp>

#ifndef WW_HEADER
#define WW_HEADER <warpwright/scoreboard/phase114.hpp>
#define WW_USE ww::scoreboard::phase114<ww::sm90>{}.run(p)
#endif
#include WW_HEADER

void use(ww::program& p);
void use(ww::program& p) { WW_USE; }
