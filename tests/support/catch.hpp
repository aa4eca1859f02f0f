// SPDX-License-Identifier: BSL-1.0
//
// One place that knows which Catch2 is installed: version 2.13 has one header, version 3 several.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
namespace ww_test {
using Approx = Catch::Approx;
}
#else
#include <catch2/catch.hpp>
namespace ww_test {
using Approx = Catch::Detail::Approx;
}
#endif
