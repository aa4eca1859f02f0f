// SPDX-License-Identifier: BSL-1.0
//
// The strategies that work on regions and loops, as a compile-time list: strategy::regional (PLS-13).
//
//   global_motion<Inner>      instructions move between blocks, then Inner orders the blocks
//   software_pipeline<Inner>  innermost counted loops of programs in memory overlap their iterations
//   loop_aware                the body of a loop is judged by two iterations in a row
//   barrier_coalescence<Inner>  the second of two barriers with nothing to order between them goes
//   prefetch<Inner>           loads of a loop with a known step get a guarded prefetch some iterations ahead
// Those with an Inner change the program: ww::scheduler runs the inner strategy with and without the change and takes the
// cheaper program. regional_listing are those that a listing can hold, regional_memory those that insert instructions or
// leave some out, and so need a program in memory.
#pragma once

#include "../meta/type_list.hpp"
#include "barrier_coalescence.hpp"
#include "listing.hpp"
#include "prefetch.hpp"
#include "software_pipeline.hpp"

namespace ww::strategy {

using regional_memory = meta::type_list<software_pipeline<>, barrier_coalescence<>, prefetch<>>;

using regional = meta::concat_t<regional_listing, regional_memory>;

}  // namespace ww::strategy
