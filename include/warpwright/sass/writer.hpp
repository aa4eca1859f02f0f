// SPDX-License-Identifier: BSL-1.0
//
// Writing a listing: the text that a module came from, with the order and control words that its programs have now.
//
//   std::string out;
//   ww::sass::error e = ww::sass::write_listing(mod, [&](std::string_view piece) { out += piece; });
//
// An unchanged module gives back the same bytes. In a changed one an instruction's lines move as they are to another
// place of its block, or over a guarded exit to the block next to it: the address is that of the place, bits 105..125 of the
// words (on sm_50..62: the slot of the control word) are those of instruction::ctl, `.reuse` follows its bit, dual-issue
// braces follow the stall counts. Labels, directives and columns stay. What cannot be written right is refused before the
// first piece: an order that leaves a block, a moved instruction that depends on its address, live-range columns, control
// words where the text has no hex. The sink is called with pieces in order and must take them at once; they are not kept.
#pragma once

#include <cstdint>
#include <string_view>

#include "error.hpp"
#include "listing/patcher.hpp"
#include "module.hpp"

namespace ww::sass {

// Returns an error that is false if all was written; with an error nothing was written.
template <class Sink>
[[nodiscard]] error write_listing(const sass::module& m, Sink&& sink) {
  detail::listing_patcher patcher(m);
  if (error e = patcher.check(); e) return e;
  patcher.run(sink);
  return {};
}

}  // namespace ww::sass
