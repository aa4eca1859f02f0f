// SPDX-License-Identifier: BSL-1.0
//
// Compile the check of an SM once in a program of many translation units, as pipeline/instances.hpp does for schedulers.
//
//   WW_EXTERN_CHECK(ww::sm90)          in a common header: units that include it do not compile verify::check<ww::sm90> again
//   WW_INSTANTIATE_CHECK(ww::sm90)     in one unit, which does it for all
// Both stand at global scope.
#pragma once

#include "hazards.hpp"

// clang-format off
#define WW_DETAIL_CHECK_INSTANCES(EXTERN, ...)                                                                               \
  EXTERN template ww::verify::report ww::verify::check<__VA_ARGS__>(                                                         \
      const ww::program&, const ww::verify::options&, ww::verify::workspace&);                                               \
  EXTERN template ww::verify::report ww::verify::check<__VA_ARGS__>(const ww::program&, const ww::verify::options&);

#define WW_EXTERN_CHECK(...) WW_DETAIL_CHECK_INSTANCES(extern, __VA_ARGS__)
#define WW_INSTANTIATE_CHECK(...) WW_DETAIL_CHECK_INSTANCES(, __VA_ARGS__)
// clang-format on
