// SPDX-License-Identifier: BSL-1.0
//
// The answer of a check: findings, and how much was looked at.
//
// An empty program has nothing to complain about, so a caller compares `instructions` with what it meant to check:
// a listing that failed to decode must never read as clean.
//
//   findings      all findings and notes, in program order of the later instruction, without duplicates
//   instructions  instructions that the data flow walked over (padding is left out)
//   visits        block visits until the fixed point, at least one per reachable block
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/vec.hpp"
#include "finding.hpp"

namespace ww::verify {

struct report {
  vec<finding> findings;
  std::uint32_t instructions = 0;
  std::uint32_t unknown_opcodes = 0;
  std::uint32_t blocks = 0;
  std::uint32_t visits = 0;

  [[nodiscard]] std::size_t errors() const {
    std::size_t n = 0;
    for (const finding& f : findings) n += f.level == severity::finding ? 1u : 0u;
    return n;
  }
  [[nodiscard]] std::size_t notes() const { return findings.size() - errors(); }
  [[nodiscard]] bool clean() const { return errors() == 0; }
};

}  // namespace ww::verify
