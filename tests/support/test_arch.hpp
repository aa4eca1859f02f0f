// SPDX-License-Identifier: BSL-1.0
//
// An architecture for tests: satisfies ww::arch_policy, and gives every combination of classes, slots, parts, files and
// guards a distance of its own (1..15), so that an edge built from the wrong operand shows up as a wrong latency.
#pragma once

#include <warpwright/arch/concept.hpp>

namespace ww_test {

struct scattered_latency {
  static constexpr unsigned max_fixed = 15;

  static constexpr bool variable(ww::sched_class c) {
    return c == ww::sched_class::ldg || c == ww::sched_class::lds || c == ww::sched_class::mufu ||
           c == ww::sched_class::atomg;
  }
  static constexpr bool late_reader(ww::sched_class c) {
    return c == ww::sched_class::ldg || c == ww::sched_class::stg || c == ww::sched_class::sts;
  }
  static constexpr unsigned mix(ww::access_point a, ww::access_point b, unsigned salt) {
    unsigned h = salt;
    for (const ww::access_point& p : {a, b}) {
      h = h * 31u + static_cast<unsigned>(p.iclass);
      h = h * 31u + static_cast<unsigned>(p.where);
      h = h * 31u + static_cast<unsigned>(p.file);
      h = h * 31u + p.part;
      h = h * 31u + (p.guarded ? 1u : 0u);
      h ^= h >> 7;
    }
    return h;
  }
  static constexpr ww::distance scatter(ww::access_point a, ww::access_point b, unsigned salt) {
    const unsigned check = 1u + mix(a, b, salt) % 13u;
    return {static_cast<std::uint8_t>(check), static_cast<std::uint8_t>(check + mix(b, a, salt) % 3u),
            ww::provenance::assumed};
  }
  static constexpr ww::distance raw(ww::access_point a, ww::access_point b) { return scatter(a, b, 1); }
  static constexpr ww::distance war(ww::access_point a, ww::access_point b) { return scatter(a, b, 2); }
  static constexpr ww::distance waw(ww::access_point a, ww::access_point b) { return scatter(a, b, 3); }
  static constexpr unsigned result_estimate(ww::sched_class c, unsigned bytes) {
    return 20u + static_cast<unsigned>(c) + bytes;
  }
  static constexpr unsigned read_estimate(ww::sched_class c, unsigned bytes) {
    return 17u + static_cast<unsigned>(c) % 7u + bytes;
  }
  static constexpr ww::queue_id completion_queue(ww::sched_class c) {
    return c == ww::sched_class::ldg ? ww::queue_id::global
                                     : (c == ww::sched_class::lds ? ww::queue_id::shared : ww::queue_id::own);
  }
  static constexpr ww::queue_id read_queue(ww::sched_class c) {
    return c == ww::sched_class::ldg || c == ww::sched_class::stg ? ww::queue_id::global : ww::queue_id::none;
  }
  static constexpr ww::queue_id overwrite_queue(ww::sched_class c) { return read_queue(c); }
};

struct test_limits {
  static constexpr unsigned general_registers = 255, reserved_registers = 0, predicates = 7, uniform_registers = 63,
                            uniform_predicates = 7, uniform_zero = 63, max_warps = 64, sub_cores = 4, register_granule = 8,
                            register_banks = 2;
  static constexpr unsigned warps_for(unsigned registers) { return registers == 0 ? 64u : 2048u / registers; }
};

struct test_arch {
  using role = ww::role::arch;
  static constexpr ww::sm_id id{1234};
  static constexpr const char* name = "test";
  using latency = scattered_latency;
  using limits = test_limits;
};

}  // namespace ww_test
