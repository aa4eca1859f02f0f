// SPDX-License-Identifier: BSL-1.0
//
// Every vector policy, as a compile-time list from the narrowest to the widest.
//
//   scalar   no vector instructions; constexpr
//   sse2, avx2, avx512   x86-64 only; compiled by target attributes, so that no -march is needed
//
// Opt-in, because the vendor's intrinsic headers cost more to include than the whole of the rest of this folder.
// All policies give identical results; which one the machine can run is for the caller to know.
#pragma once

#include "../meta/type_list.hpp"
#include "avx2.hpp"
#include "avx512.hpp"
#include "scalar.hpp"
#include "sse2.hpp"

namespace ww::simd {

#if defined(__x86_64__) || defined(_M_X64)
using shipped = meta::type_list<scalar, sse2, avx2, avx512>;
#else
using shipped = meta::type_list<scalar>;
#endif

}  // namespace ww::simd
