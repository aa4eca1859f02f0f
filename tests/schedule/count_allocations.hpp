// SPDX-License-Identifier: BSL-1.0
//
// How many times this test program has called operator new so far.
#pragma once

#include <cstddef>

namespace ww_test {
std::size_t allocations();
}
