// SPDX-License-Identifier: BSL-1.0
//
// FPA-9: the text's worked example, the tiers, and what triggers a spill.
#include <warpwright/arch/sm100.hpp>
#include <warpwright/arch/sm80.hpp>

#include "support.hpp"

using namespace ww_test::regalloc;

namespace {
using budget = ra::occupancy_budget<>;
constexpr ra::occupancy_span example{240, 480};

struct steep : ra::occupancy_coefficients {
  static constexpr double low_scale = 0.1;
  static constexpr double high_scale = 0.9;
  static constexpr double medium_scale = 0.5;
};

}  // namespace

TEST_CASE("FPA-9 occupancy budget: the worked example") {
  using ww_test::Approx;
  CHECK(budget::slope(example) == Approx(0.00292).margin(0.000005));
  CHECK(budget::budget_fraction(300, example) == Approx(0.475));
  CHECK(budget::spill_threshold(300, false, 128, 0, example) == Approx(61.3).margin(0.05));
  CHECK(budget::budget_fraction(250, example) == Approx(0.329).margin(0.0005));
  CHECK(budget::spill_threshold(250, false, 128, 0, example) == Approx(42).margin(0.5));
  CHECK(budget::budget_fraction(240, example) == Approx(0.3));
  CHECK(budget::budget_fraction(480, example) == Approx(1.0));
}

TEST_CASE("FPA-9 occupancy budget: pairs count half, and a spill comes above the threshold") {
  using ww_test::Approx;
  CHECK(budget::spill_threshold(599, true, 128, 0, example) == budget::spill_threshold(300, false, 128, 0, example));
  CHECK(budget::spill_threshold(600, true, 128, 0, example) == budget::spill_threshold(300, false, 128, 0, example));
  CHECK(budget::spill_threshold(300, false, 127, 28, example) == Approx(47.5));
  CHECK_FALSE(budget::triggers_spill(20, 21, 20, 61.3));
  CHECK(budget::triggers_spill(20, 21, 21, 61.3));
  CHECK_FALSE(budget::triggers_spill(20, 21, 21, 62.0));
}

TEST_CASE("FPA-9 occupancy budget: the step function is low up to the limit of the file") {
  for (const unsigned registers : {0u, 119u, 120u, 160u, 161u, 255u}) CHECK(budget::step_scale(registers) == 0.2);
  CHECK(budget::step_scale(256) == 1.0);
  CHECK(budget::step_scale(224, 31) == 0.2);
  CHECK(budget::step_scale(225, 31) == 1.0);
  CHECK(budget::step_scale(500, 300) == 1.0);
  CHECK(ra::total_threads(2048, false, 119) == 2048);
  CHECK(ra::total_threads(2048, true, 119) == 118);
  CHECK(ra::total_threads(64, true, 119) == 64);
}

TEST_CASE("FPA-9 occupancy budget: coefficients are a policy, the span comes from the architecture") {
  using ww_test::Approx;
  CHECK(ra::occupancy_budget<steep>::step_scale(10) == 0.1);
  CHECK(ra::occupancy_budget<steep>::step_scale(256) == 0.9);
  CHECK(ra::occupancy_budget<steep>::budget_fraction(360, example) == Approx(0.7));
  constexpr ra::occupancy_span span = ra::span_of<ww::sm100>();
  CHECK(span.highest == 32);
  CHECK(span.lowest == 253);
  CHECK(budget::budget_fraction(32, span) == Approx(0.3));
  CHECK(budget::budget_fraction(253, span) == Approx(1.0));
  CHECK(ra::span_of<ww::sm80>().highest == 32);
  CHECK(budget::slope({7, 7}) == 0);
}
