// SPDX-License-Identifier: BSL-1.0
//
// strategies.hpp alone is enough for everything that docs/policies.md shows: the core comes with it.
#include <warpwright/strategies.hpp>

namespace {

using refined = ww::scheduler<ww::sm90, ww::priority::refined>;
static_assert(ww::composable<ww::sm90, ww::priority::refined, ww::constraint::counters<>, ww::base_offset>);
static_assert(requires(ww::program & p) { refined{}.run(p, {.warps = 1}); });
static_assert(requires(ww::isa::builder & b) { b.finish(); });
static_assert(requires(ww::block_value<4> block) { ww::schedule_block<refined>(block); });
static_assert(ww::post_schedule_options{.level = 1}.level == 1);  // no warning

}  // namespace
