// SPDX-License-Identifier: BSL-1.0
//
// FPA-5: once a workspace has seen the problems, attempts at them allocate nothing.
#include <cstdlib>
#include <new>

#include "../support/counted_allocations.hpp"
#include "support.hpp"

using namespace ww_test::regalloc;

TEST_CASE("FPA-5 attempts allocate nothing after warm-up") {
  dice rng(53);
  std::vector<ra::problem> problems(6);
  for (ra::problem& p : problems) {
    ra::problem_builder b;
    const std::vector<live_range> ranges = random_ranges(rng, 150, 20);
    for (std::size_t k = 0; k < ranges.size(); ++k) {
      (void)b.add({.width = static_cast<std::uint16_t>(1 + rng() % 2),
                   .alias_parent = rng() % 9 == 0 ? rng() % 150 : ra::no_register});
    }
    interfere_all(b, ranges);
    p.file.reserved.push_back(3);
    b.build(p);
    p.candidates.insert(4, 9);
  }
  ra::fat_point_allocator<>::workspace ws;
  const auto all = [&] {
    for (ra::problem& p : problems) {
      for (std::uint32_t attempt = 0; attempt < 2; ++attempt) (void)ra::fat_point_allocator<>::run(p, ws, {attempt, true});
    }
  };
  const std::size_t cold = allocations;
  all();
  CHECK(allocations > cold);
  for (int run = 0; run < 3; ++run) {
    const std::size_t before = allocations;
    all();
    CHECK(allocations == before);
  }
}
