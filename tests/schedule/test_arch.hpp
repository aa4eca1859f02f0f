// SPDX-License-Identifier: BSL-1.0
//
// A small architecture for engine tests, independent of the shipped tables: ALU and FMA results after 4 and 5 cycles,
// loads after 30, two instructions of a half-rate pipe two cycles apart. Its numbers may be changed by no one but
// these tests, so that a change of a real table cannot break a rule's test.
#pragma once

#include "warpwright/arch/concept.hpp"
#include "warpwright/arch/control_format/sm70_128.hpp"

namespace ww_test {

struct tiny_arch {
  using role = ww::role::arch;
  static constexpr ww::sm_id id{9999};
  static constexpr const char* name = "tiny";
  struct limits {
    static constexpr unsigned general_registers = 253;
    static constexpr unsigned reserved_registers = 2;
    static constexpr unsigned predicates = 7;
    static constexpr unsigned uniform_registers = 63;
    static constexpr unsigned uniform_predicates = 7;
    static constexpr unsigned uniform_zero = 63;
    static constexpr unsigned max_warps = 64;
    static constexpr unsigned sub_cores = 4;
    static constexpr unsigned register_granule = 8;
    static constexpr unsigned register_banks = 2;
    static constexpr unsigned warps_for(unsigned) { return 64; }
  };
  struct pipes {
    static constexpr ww::pipe_id pipe_of(ww::sched_class c) {
      switch (c) {
        case ww::sched_class::fma:
        case ww::sched_class::imad:
          return ww::pipe_id::fma;
        case ww::sched_class::mufu:
          return ww::pipe_id::xu;
        case ww::sched_class::ldg:
        case ww::sched_class::stg:
        case ww::sched_class::lds:
          return ww::pipe_id::lsu;
        case ww::sched_class::branch:
        case ww::sched_class::exit:
          return ww::pipe_id::control;
        default:
          return ww::pipe_id::alu;
      }
    }
    static constexpr unsigned interval(ww::sched_class c) {
      switch (pipe_of(c)) {
        case ww::pipe_id::alu:
          return 2;
        case ww::pipe_id::lsu:
          return 4;
        case ww::pipe_id::xu:
          return 8;
        default:
          return 1;
      }
    }
    static constexpr unsigned min_stall(ww::sched_class) { return 1; }
  };
  struct latency {
    static constexpr bool variable(ww::sched_class c) {
      return c == ww::sched_class::ldg || c == ww::sched_class::lds || c == ww::sched_class::mufu;
    }
    static constexpr bool late_reader(ww::sched_class c) { return variable(c) || c == ww::sched_class::stg; }
    static constexpr ww::distance raw(ww::access_point a, ww::access_point b) {
      const std::uint8_t d = pipes::pipe_of(a.iclass) == pipes::pipe_of(b.iclass) ? 4 : 5;
      return {d, d, ww::provenance::assumed};
    }
    static constexpr ww::distance war(ww::access_point, ww::access_point) { return {1, 1, ww::provenance::assumed}; }
    static constexpr ww::distance waw(ww::access_point, ww::access_point) { return {1, 2, ww::provenance::assumed}; }
    static constexpr unsigned result_estimate(ww::sched_class c, unsigned) { return c == ww::sched_class::ldg ? 200 : 30; }
    static constexpr unsigned read_estimate(ww::sched_class, unsigned) { return 10; }
    static constexpr ww::queue_id completion_queue(ww::sched_class c) {
      return c == ww::sched_class::ldg    ? ww::queue_id::global
             : c == ww::sched_class::lds  ? ww::queue_id::shared
             : c == ww::sched_class::mufu ? ww::queue_id::xu
                                          : ww::queue_id::none;
    }
    static constexpr ww::queue_id read_queue(ww::sched_class c) { return completion_queue(c); }
    static constexpr ww::queue_id overwrite_queue(ww::sched_class c) { return read_queue(c); }
    static constexpr unsigned max_fixed = 15;
  };
  struct barriers {
    static constexpr unsigned count = 6;
    static constexpr unsigned set_to_wait = 2;
    static constexpr unsigned counter_max = 63;
    static constexpr unsigned depbar_min_stall = 4;
    static constexpr unsigned max_stall = 15;
    static constexpr unsigned max_stall_stay = 11;
    static constexpr unsigned scoreboard_entries = 31;
    static constexpr unsigned max_triplets = 1;
    static constexpr unsigned dependence_rules = 256;
    static constexpr unsigned raw_max_stall = 39;
    static constexpr unsigned barrier_latency = 56;
    static constexpr unsigned yield_threshold = 4;
    static constexpr unsigned stall_floor = 1;
  };
  using control_format = ww::sm70_128;
  struct defaults {};
};
static_assert(ww::arch_policy<tiny_arch>);

}  // namespace ww_test
