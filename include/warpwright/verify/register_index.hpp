// SPDX-License-Identifier: BSL-1.0
//
// Numbers for the registers that carry dependences: one dense index per 32-bit register or predicate.
//
// Files R, UR, P, UP and CC are covered. Convergence barriers are interlocked by hardware, special registers and
// dependency counters carry no register dependence. Physical numbers map to a fixed place; virtual
// registers (numbers from reg::first_virtual on) follow behind, as many as the program names.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"

namespace ww::verify {

class register_index {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t files = 5;

  void build(const program& p) {
    std::uint32_t most[files] = {};
    accesses_ = 0;
    for (const operand& o : p.operands) {
      if (!o.is_register()) continue;
      accesses_ += o.width();
      const std::uint32_t f = ordinal(o.file());
      if (f == none) continue;
      const std::uint32_t end = o.base().number() + (o.width() == 0 ? 1u : o.width());
      if (end > reg::first_virtual && end - reg::first_virtual > most[f]) most[f] = end - reg::first_virtual;
    }
    std::uint32_t at = files * reg::first_virtual;
    for (std::uint32_t f = 0; f < files; ++f) {
      virtual_base_[f] = at;
      at += most[f];
    }
    size_ = at;
  }

  [[nodiscard]] std::uint32_t size() const { return size_; }
  // Registers of all operands.
  [[nodiscard]] std::size_t accesses() const { return accesses_; }

  // The index of the register that stands `part` places after `r`, or `none`.
  [[nodiscard]] std::uint32_t at(reg r, std::uint32_t part) const {
    const std::uint32_t f = ordinal(r.file());
    if (f == none || r.is_zero()) return none;
    const std::uint32_t n = r.number() + part;
    return n < reg::first_virtual ? f * reg::first_virtual + n : virtual_base_[f] + (n - reg::first_virtual);
  }

  // The register behind an index.
  [[nodiscard]] reg name(std::uint32_t index) const {
    constexpr reg_file order[files] = {reg_file::r, reg_file::ur, reg_file::p, reg_file::up, reg_file::cc};
    if (index < files * reg::first_virtual) return {order[index / reg::first_virtual], index % reg::first_virtual};
    std::uint32_t f = files - 1;
    while (f > 0 && index < virtual_base_[f]) --f;
    return {order[f], reg::first_virtual + (index - virtual_base_[f])};
  }

 private:
  [[nodiscard]] static constexpr std::uint32_t ordinal(reg_file f) {
    switch (f) {
      case reg_file::r:
        return 0;
      case reg_file::ur:
        return 1;
      case reg_file::p:
        return 2;
      case reg_file::up:
        return 3;
      case reg_file::cc:
        return 4;
      default:
        return none;
    }
  }

  std::uint32_t virtual_base_[files] = {};
  std::uint32_t size_ = files * reg::first_virtual;
  std::size_t accesses_ = 0;
};

}  // namespace ww::verify
