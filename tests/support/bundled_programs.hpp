// SPDX-License-Identifier: BSL-1.0
//
// The programs of the bundled listings of one SM, with their blocks.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>

#include "catch.hpp"
#include "corpus.hpp"

namespace ww_test {

// Calls f(program&) for each of at most `largest` instructions.
template <class Arch, class F>
void each_bundled_program(std::size_t largest, F&& f) {
  for (const std::string& path : corpus::files(corpus::bundled("listings"))) {
    if (corpus::sm_of(path) != Arch::id) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(bool(r));
    for (ww::program& p : r.mod.sections) {
      if (p.instructions.size() > largest) continue;
      REQUIRE(ww::build_cfg(p).ok);
      INFO(path);
      f(p);
    }
  }
}

}  // namespace ww_test
