// SPDX-License-Identifier: BSL-1.0
#include "count_allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::size_t> count{0};
}

namespace ww_test {
std::size_t allocations() { return count.load(); }
}  // namespace ww_test

void* operator new(std::size_t n) {
  ++count;
  if (void* p = std::malloc(n != 0 ? n : 1)) return p;
  std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
