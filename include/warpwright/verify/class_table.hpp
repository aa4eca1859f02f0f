// SPDX-License-Identifier: BSL-1.0
//
// What the checker needs to know of every scheduling class of one SM, gathered once from Arch::latency and Arch::pipes.
//
//   queue       identity of the in-order completion queue, 0 = completes in no order with anything;
//               queue_id::own is one queue per class
//   read_queue  the same for reading sources
//   war         the longest anti-dependence distance that any writer asks of a reader of the class, by register file;
//               a reader for which that is one cycle can never be overwritten too early, so it is not tracked
#pragma once

#include <array>
#include <cstdint>

#include "../arch/concept.hpp"

namespace ww::verify::detail {

struct class_row {
  bool variable = false;
  bool late = false;
  std::uint16_t queue = 0;
  std::uint16_t read_queue = 0;
  std::uint8_t min_stall = 0;
  std::array<std::uint8_t, reg_file_count> war{};
};

template <class Arch>
class class_table {
 public:
  [[nodiscard]] static const class_table& get() {
    static const class_table table;
    return table;
  }
  [[nodiscard]] const class_row& operator[](sched_class c) const {
    const auto i = static_cast<unsigned>(c);
    return rows_[i < sched_class_count ? i : 0];
  }

 private:
  class_table() {
    using latency = typename Arch::latency;
    constexpr reg_file files[] = {reg_file::r, reg_file::p, reg_file::ur, reg_file::up};
    constexpr slot reads[] = {slot::a, slot::c, slot::guard, slot::address, slot::uaddress, slot::desc, slot::data, slot::psrc};
    for (unsigned i = 0; i < sched_class_count; ++i) {
      const auto c = static_cast<sched_class>(i);
      class_row& r = rows_[i];
      r.variable = latency::variable(c);
      r.late = latency::late_reader(c);
      r.queue = identity(latency::completion_queue(c), i);
      r.read_queue = identity(latency::read_queue(c), i);
      r.min_stall = static_cast<std::uint8_t>(Arch::pipes::min_stall(c));
      for (const reg_file f : files) {
        std::uint8_t most = 0;
        for (unsigned w = 0; w < sched_class_count; ++w) {
          for (const slot s : reads) {
            access_point reader{c, s, f, 0, false};
            access_point writer{static_cast<sched_class>(w), f == reg_file::r || f == reg_file::ur ? slot::dst : slot::pdst, f, 0, false};
            const distance d = latency::war(reader, writer);
            if (d.check > most) most = d.check;
          }
        }
        r.war[static_cast<unsigned>(f)] = most;
      }
    }
  }
  [[nodiscard]] static constexpr std::uint16_t identity(queue_id q, unsigned c) {
    if (q == queue_id::none) return 0;
    if (q == queue_id::own) return static_cast<std::uint16_t>(256u + c);
    return static_cast<std::uint16_t>(q);
  }

  std::array<class_row, sched_class_count> rows_{};
};

}  // namespace ww::verify::detail
