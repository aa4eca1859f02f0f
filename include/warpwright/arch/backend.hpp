// SPDX-License-Identifier: BSL-1.0
//
// The scheduling back ends of the reference text, and what an SM's defaults page says about them.
//
//   A   list scheduling with the packed priority in three modes (PLS-1 to PLS-9), sm_50 to sm_75
//   BC  the red-black-tree list scheduler before and after allocation with the float-weighted pass (PLS-16, PLS-17), sm_80 and later
//
// An SM page chooses; nothing outside arch/ asks for an SM's number.
#pragma once

#include <cstdint>

namespace ww {

enum class backend_kind : std::uint8_t { a, bc };

}  // namespace ww
