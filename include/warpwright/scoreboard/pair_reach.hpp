// SPDX-License-Identifier: BSL-1.0
//
// The longest distance between two scheduling classes, whatever the operand slots, filled on demand.
//
// Most accesses to a recently written register are far enough behind the write for any pair of slots. One byte per
// (writer class, reader class, register file) answers that without asking the latency page for the exact slots. A pair is
// worked out when it first occurs; the table lives in the workspace and is forgotten when the architecture changes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../arch/concept.hpp"
#include "../meta/vec.hpp"

namespace ww::scoreboard {

struct pair_reach {
  const void* architecture = nullptr;
  vec<std::uint8_t> longest;  // 0 = not known yet

  template <class Arch>
  void use() {
    static constexpr char tag = 0;  // its address stands for the architecture
    if (architecture == &tag) return;
    architecture = &tag;
    longest.assign(std::size_t{sched_class_count} * sched_class_count * files, 0);
  }

  template <class Arch>
  [[nodiscard]] unsigned of(sched_class writer, sched_class reader, reg_file file) {
    const std::size_t at =
        (static_cast<std::size_t>(writer) * sched_class_count + static_cast<std::size_t>(reader)) * files +
        (static_cast<std::size_t>(file) & (files - 1));
    if (longest[at] == 0) longest[at] = work_out<typename Arch::latency>(writer, reader, file);
    return longest[at];
  }

 private:
  static constexpr std::size_t files = 8;
  static_assert(reg_file_count <= 9);

  template <class Latency>
  static std::uint8_t work_out(sched_class w, sched_class r, reg_file file) {
    std::uint8_t worst = 1;
    for (std::uint8_t part = 0; part < 2; ++part) {
      for (unsigned s = 0; s <= static_cast<unsigned>(slot::implicit); ++s) {
        const auto where = static_cast<slot>(s);
        for (const bool guarded : {false, true}) {
          const access_point reader{r, where, file, part, guarded};
          for (const slot d : {slot::dst, slot::dst1, slot::pdst}) {
            for (std::uint8_t other = 0; other < 2; ++other) {
              const access_point writer{w, d, file, other, guarded};
              worst = std::max({worst, Latency::raw(writer, reader).emit, Latency::waw(writer, reader).emit});
            }
          }
        }
      }
    }
    return worst;
  }
};

}  // namespace ww::scoreboard
