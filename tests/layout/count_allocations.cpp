// SPDX-License-Identifier: BSL-1.0
//
// The counting operator new of tests/schedule, for this executable.
#include "../schedule/count_allocations.cpp"
