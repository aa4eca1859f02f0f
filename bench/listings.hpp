// SPDX-License-Identifier: BSL-1.0
//
// What the benchmarks over listings share: arguments, and the programs of the listings with their control-flow graphs.
//
//   arguments     [--check] [LISTING...]
//   of_corpus()   the listings of the corpus that WARPWRIGHT_CORPUS names, else the bundled ones
//   each_program  calls use(program&) for every section that has a control-flow graph, in the order of the paths; says which
//                 listing cannot be read, and returns how many could not
#pragma once

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "../tests/support/corpus.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"

namespace ww_bench {

struct arguments {
  bool check = false;
  std::vector<std::string> paths;

  arguments(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
      if (std::string_view(argv[i]) == "--check") {
        check = true;
      } else {
        paths.emplace_back(argv[i]);
      }
    }
  }
};

inline std::vector<std::string> of_corpus() {
  if (ww_test::corpus::root().empty()) return ww_test::corpus::files(ww_test::corpus::bundled("listings"));
  return ww_test::corpus::files(ww_test::corpus::root() + "/listings");
}

template <class Use>
unsigned each_program(const std::vector<std::string>& paths, Use&& use) {
  unsigned unusable = 0;
  for (const std::string& path : paths) {
    const std::string text = ww_test::corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
    if (!r) {
      std::fprintf(stderr, "%s\n", r.err.message().c_str());
      ++unusable;
      continue;
    }
    for (ww::program& p : r.mod.sections) {
      if (ww::build_cfg(p, {}).ok) use(p);
    }
  }
  return unusable;
}

}  // namespace ww_bench
