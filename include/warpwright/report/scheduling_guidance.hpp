// SPDX-License-Identifier: BSL-1.0
//
// The scheduling guidance of a program (PLS-18): its header, and its blocks handed to a scheduler one by one.
//
//   level 0    nothing at all
//   1 and up   "SCHEDULING GUIDANCE:", then every block that is to be scheduled, those that wait last (model/guidance.hpp)
//   2 and up   the caller's hook is called before the header
//   4 and up   "LOOP STATIC METRICS : " behind the header
// Level 3 is 2. The header lines end in a line feed each, which is assumed: the text appends them to one stream.
//
//   before()                 the hook
//   block(block_guidance)    schedules a block, and may write to the same sink. A back edge brings its branch as a hint
#pragma once

#include "../meta/string_view.hpp"
#include "../model/guidance.hpp"

namespace ww::report {

struct guidance_level {
  static constexpr unsigned header = 1;
  static constexpr unsigned hook = 2;
  static constexpr unsigned loops = 4;
};

template <model::back_edge_rule Rule = model::back_edge_rule::own_too, class Sink, class Before, class Block>
void write_scheduling_guidance(const program& p, unsigned level, Sink&& sink, Before&& before, Block&& block) {
  if (level < guidance_level::header) return;
  if (level >= guidance_level::hook) before();
  sink(string_view("SCHEDULING GUIDANCE:\n"));
  if (level >= guidance_level::loops) sink(string_view("LOOP STATIC METRICS : \n"));
  model::classify_blocks<Rule>(p, [&block](const model::block_guidance& g) {
    if (g.order != model::block_order::skipped) block(g);
  });
}

}  // namespace ww::report
