// SPDX-License-Identifier: BSL-1.0
//
// The check of code whose instructions cannot be decoded: a cubin without its listing.
//
// Only the control fields are looked at: issue codes, counter indices, reserved bits. second.index() of a finding is the
// instruction's number in the given words. Padding (stall 0 with yield, no counters) has nothing to complain about.
#pragma once

#include <cstdint>

#include "../meta/span.hpp"
#include "encoding.hpp"
#include "report.hpp"

namespace ww::verify {

// `words`: two per instruction, low word first.
template <class Arch>
requires requires { Arch::control_format::position; }
[[nodiscard]] report check_control_only(span<const std::uint64_t> words) {
  report r;
  r.instructions = static_cast<std::uint32_t>(words.size() / 2);
  for (std::uint32_t i = 0; i < r.instructions; ++i) {
    const std::uint64_t w[2] = {words[2 * i], words[2 * i + 1]};
    check_fields<Arch>(instr_id{i}, Arch::control_format::decode(Arch::control_format::extract(w)), w[1], r.findings);
  }
  return r;
}

// For formats that keep the control fields apart from the instructions: fields already taken apart.
template <class Arch>
[[nodiscard]] report check_control_only(span<const control> fields) {
  report r;
  r.instructions = static_cast<std::uint32_t>(fields.size());
  for (std::uint32_t i = 0; i < r.instructions; ++i) check_fields<Arch>(instr_id{i}, fields[i], 0, r.findings);
  return r;
}

}  // namespace ww::verify
