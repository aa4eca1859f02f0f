// SPDX-License-Identifier: BSL-1.0
//
// How far apart two dependent instructions have to be, in cycles, as the graph sees it.
//
//   raw, waw   a variable-latency first writer: its result estimate for the class and bytes; else the fixed distance of Arch
//   war        a late reader: its read estimate; else the fixed distance
//   queue      when both go down the same in-order queue, the second cannot overtake the first: the fixed distance is enough
//              (completion queue for waw, read queue for war; facts: in-order completion inside a unit)
//   emit       the distance that generated code keeps; `check` is the tightest one seen in shipped code
//
// `distance_use` picks between the two numbers: schedulers build with emit, lower bounds with check.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/instruction.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"

namespace ww {

enum class distance_use : std::uint8_t { emit, check };

namespace detail {

// What latency rules need to know of one instruction, looked up once per block.
struct timing {
  std::uint16_t result_cycles = 0;  // variable latency: estimate to the result, 0 = fixed
  std::uint16_t read_cycles = 0;    // late reader: estimate until the sources are read, 0 = read at issue
  sched_class iclass{};
  bool guarded = false;
  queue_id completion = queue_id::none;
  queue_id read = queue_id::none;
  queue_id overwrite = queue_id::none;  // its results land behind the reads of that queue
};

[[nodiscard]] constexpr bool same_queue(queue_id a, sched_class class_a, queue_id b, sched_class class_b) {
  return a == b && a != queue_id::none && (a != queue_id::own || class_a == class_b);
}

// What the builders ask about a scheduling class.
struct class_facts {
  bool variable = false;
  bool late = false;
  queue_id completion = queue_id::none;  // of a variable class
  queue_id read = queue_id::none;
  queue_id overwrite = queue_id::none;
};

template <class Arch, distance_use Use>
struct edge_cycles {
  using latency = typename Arch::latency;
  using fact_table = array<class_facts, sched_class_count>;

  // The table of this architecture, made at its first use.
  static const fact_table& facts() {
    static const fact_table table = make_facts();
    return table;
  }

  static constexpr std::uint16_t pick(distance d) { return Use == distance_use::emit ? d.emit : d.check; }

  // What of() is given: the table, or nothing in a constant expression, where each class is worked out when asked for.
  [[nodiscard]] static constexpr const fact_table* known_facts() {
    return __builtin_is_constant_evaluated() ? nullptr : &facts();
  }
  constexpr static timing of(const instruction& ins) { return of(ins, known_facts()); }
  // `far`: cycles by which the result of a load comes later that may miss the first-level cache.
  constexpr static timing of(const instruction& ins, const fact_table* table, std::uint32_t far = 0) {
    const class_facts c = table == nullptr ? make_fact(ins.iclass) : (*table)[static_cast<std::size_t>(ins.iclass)];
    timing t;
    t.iclass = ins.iclass;
    t.guarded = ins.has(iflag::guarded);
    t.completion = c.completion;
    t.read = c.read;
    t.overwrite = c.overwrite;
    if (c.variable || c.late) estimate(t, c, ins.mem_bytes == 0 ? 4u : ins.mem_bytes);
    if (far != 0 && c.variable && leaves_core(ins)) t.result_cycles = clamp(t.result_cycles + far);
    return t;
  }

  static constexpr std::uint16_t fixed_raw(access_point from, access_point to) { return pick(latency::raw(from, to)); }
  static constexpr std::uint16_t fixed_war(access_point from, access_point to) { return pick(latency::war(from, to)); }
  static constexpr std::uint16_t fixed_waw(access_point from, access_point to) { return pick(latency::waw(from, to)); }

  static constexpr std::uint16_t raw(const timing& writer, access_point from, access_point to) {
    return writer.result_cycles != 0 ? writer.result_cycles : fixed_raw(from, to);
  }
  static constexpr std::uint16_t war(const timing& reader, const timing& writer, access_point from, access_point to) {
    if (reader.read_cycles != 0 && !same_queue(reader.read, reader.iclass, writer.overwrite, writer.iclass)) {
      return reader.read_cycles;
    }
    return fixed_war(from, to);
  }
  static constexpr std::uint16_t waw(const timing& first, const timing& second, access_point from, access_point to) {
    if (first.result_cycles != 0 && !same_queue(first.completion, first.iclass, second.completion, second.iclass)) {
      return first.result_cycles;
    }
    return fixed_waw(from, to);
  }

 private:
  [[gnu::noinline]] constexpr static void estimate(timing& t, const class_facts& c, unsigned bytes) {
    if (c.variable) t.result_cycles = clamp(static_cast<unsigned>(latency::result_estimate(t.iclass, bytes)));
    if (c.late) t.read_cycles = clamp(static_cast<unsigned>(latency::read_estimate(t.iclass, bytes)));
  }
  constexpr static class_facts make_fact(sched_class c) {
    class_facts f;
    f.variable = latency::variable(c);
    f.late = latency::late_reader(c);
    if (f.variable) f.completion = latency::completion_queue(c);
    f.read = latency::read_queue(c);
    f.overwrite = latency::overwrite_queue(c);
    return f;
  }
  constexpr static fact_table make_facts() {
    fact_table t{};
    for (std::size_t k = 0; k < t.size(); ++k) t[k] = make_fact(static_cast<sched_class>(k));
    return t;
  }
  static constexpr std::uint16_t clamp(unsigned cycles) {
    return static_cast<std::uint16_t>(meta::min(meta::max(cycles, 1u), 0xffffu));
  }
};

}  // namespace detail
}  // namespace ww
