// SPDX-License-Identifier: BSL-1.0
//
// A product that is rounded before anything is added to it.
//
// Compilers may contract a * b + c to one instruction that rounds once, where the processor they compile for has it. Then the
// last bit of a price depends on the flags, and so may the order that is chosen by it. Every product of floating-point numbers
// that is added to something goes through here; tests/dispatch reads the object code.
#pragma once

namespace ww::meta {

template <class T>
[[nodiscard]] constexpr T rounded(T product) {
  if (!__builtin_is_constant_evaluated()) {
#if defined(__SSE2__)
    asm("" : "+x"(product));
#elif defined(__aarch64__)
    asm("" : "+w"(product));
#else
    asm("" : "+m"(product));
#endif
  }
  return product;
}

}  // namespace ww::meta
