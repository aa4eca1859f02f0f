// SPDX-License-Identifier: BSL-1.0
//
// The counting operator new of tests/schedule, for this executable; and the one that does not throw, for listings are read here,
// whose sorting asks for it, and what it gives must suit the same operator delete.
#include "../schedule/count_allocations.cpp"

void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  ++count;
  return std::malloc(n != 0 ? n : 1);
}
