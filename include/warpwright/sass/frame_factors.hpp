// SPDX-License-Identifier: BSL-1.0
//
// How many bytes of code one step of a frame program in .debug_frame stands for.
//
//   CIE     rules shared by several functions; its code alignment factor is that number of bytes
//   of(p)   the factor for an entry of a function whose pointer to its CIE is p; 0 where it is not known
// nvlink leaves pointers that lead to no CIE, 8 to 24 bytes too large, in files linked for sm_90 (observed: 13.0, 13.5). Nothing but the
// factor is asked of a CIE, so such an entry is read where all CIEs of the section have the same factor: whichever was meant, it
// has that one.
#pragma once

#include <cstdint>
#include <vector>

#include "../meta/span.hpp"
#include "elf_bytes.hpp"
#include "section_move.hpp"

namespace ww::sass::detail {

class frame_factors {
 public:
  // `table`: the bytes of the section.
  explicit frame_factors(byte_span table) {
    byte_reader r{table};
    while (r.more()) {
      cie c;
      c.at = r.at;
      const std::uint64_t length = r.take<std::uint32_t>();
      const bool wide = length == 0xffffffffu;
      const std::uint64_t size = wide ? r.take<std::uint64_t>() : length;
      const std::uint64_t body = r.at;
      if (!r.skip(size)) break;
      byte_reader e{table.first(meta::to_size(body + size)), body};
      const std::uint64_t id = wide ? e.take<std::uint64_t>() : e.take<std::uint32_t>();
      if (!e.ok || id != (wide ? ~std::uint64_t{0} : 0xffffffffu)) continue;
      c.factor = factor_of(e);
      common_ = cies_.empty() || common_ == c.factor ? c.factor : 0;
      cies_.push_back(c);
    }
  }

  [[nodiscard]] std::uint64_t of(std::uint64_t pointer) const {
    std::size_t first = 0;
    for (std::size_t last = cies_.size(); first < last;) {
      const std::size_t middle = first + (last - first) / 2;
      if (cies_[middle].at == pointer) return cies_[middle].factor;
      if (cies_[middle].at < pointer) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    return common_;
  }

 private:
  struct cie {
    std::uint64_t at = 0;
    std::uint64_t factor = 0;  // 0 where the entry is not understood
  };

  // Version, augmentation (none), factor.
  static std::uint64_t factor_of(byte_reader& e) {
    const std::uint8_t version = e.take<std::uint8_t>();
    const std::uint8_t augmentation = e.take<std::uint8_t>();
    if (!e.ok || augmentation != 0 || version < 1 || version > 3) return 0;
    const std::uint64_t factor = e.take_uleb();
    return e.ok && factor <= section_move::instruction_bytes ? factor : 0;
  }

  std::vector<cie> cies_;     // by place
  std::uint64_t common_ = 0;  // the factor of all, 0 where they differ
};

}  // namespace ww::sass::detail
