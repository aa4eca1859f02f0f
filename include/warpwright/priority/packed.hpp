// SPDX-License-Identifier: BSL-1.0
//
// The packed order of PLS-3: the eight bits in the text's order, compared as one integer.
//
//   7 yield_related | 6 yield_flag | 5 hot_cold | 4 pressure | 3 same_block | 2 stall_free | 1 critical_path | 0 tiebreaker
//
// Equal bytes are decided by source order. priority/refined.hpp is the other way the text compares the same byte.
#pragma once

#include "bits.hpp"
#include "pack.hpp"

namespace ww::priority {

using text_byte = pack<bits::yield_related, bits::yield_flag, bits::hot_cold, bits::pressure, bits::same_block,
                       bits::stall_free, bits::critical_path, bits::tiebreaker>;

struct packed : text_byte {
  static constexpr const char* name = "packed";
};

}  // namespace ww::priority
