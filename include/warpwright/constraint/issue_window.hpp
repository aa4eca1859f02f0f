// SPDX-License-Identifier: BSL-1.0
//
// What a scheduling constraint sees: the instruction in question and what was placed before it.
//
//   issue_view    one instruction with its operands, the cycle at which it would issue, and whether its result is variable
//   issue_window  the last placed instruction, the registers it asks the operand cache to keep, and the dependency counters
//                 that a straightforward assignment would have open
//   port          1 = a, 2 = b, 3 = c: through which of them a source is read, and so which entry of the operand cache may hold
//                 it (facts: hardware 3)
//   group         variable results of one in-order queue placed close together share one counter; a group is open until its
//                 last result is estimated to have arrived
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../meta/span.hpp"

namespace ww::constraint {

struct issue_view {
  const instruction* ins = nullptr;
  span<const operand> operands;
  std::uint32_t cycle = 0;       // cycle at which it would issue
  std::uint32_t completion = 0;  // estimated cycle of the result, for variable ones
  queue_id queue = queue_id::none;
  bool variable = false;

  [[nodiscard]] constexpr bool writes_register() const {
    for (const operand& o : operands) {
      if (o.is_def() && o.is_register()) return true;
    }
    return false;
  }
};

// A general register that is read through a port.
[[nodiscard]] constexpr bool reads_through_port(const operand& o) {
  return o.is_use() && o.is_register() && o.file() == reg_file::r && o.read_port() != 0;
}
// The same with a flag: the operand cache is asked to keep it.
[[nodiscard]] constexpr bool keeps_value(const operand& o) { return o.is_reuse() && reads_through_port(o); }

struct counter_group {
  std::uint32_t completion = 0;  // cycle
  std::uint32_t last = 0;        // number of the last member, in placing order
  queue_id queue = queue_id::none;
};

struct issue_window {
  static constexpr unsigned most_groups = 16;
  static constexpr unsigned share_distance = 8;  // instructions; further apart, results do not share a counter

  issue_view previous;
  std::uint32_t placed = 0;  // instructions placed so far
  counter_group groups[most_groups];
  unsigned group_count = 0;

  constexpr void clear() {
    previous = {};
    placed = 0;
    group_count = 0;
  }

  // The group that a variable result of this queue would join, or nullptr when it would open one.
  [[nodiscard]] constexpr const counter_group* joins(const issue_view& v) const {
    for (unsigned i = 0; i < group_count; ++i) {
      const counter_group& g = groups[i];
      if (g.queue == v.queue && placed - g.last <= share_distance) return &g;
    }
    return nullptr;
  }
  [[nodiscard]] constexpr unsigned open_groups(std::uint32_t cycle) const {
    unsigned n = 0;
    for (unsigned i = 0; i < group_count; ++i) n += groups[i].completion > cycle ? 1u : 0u;
    return n;
  }

  constexpr void place(const issue_view& v) {
    ++placed;
    previous = v;
    if (!v.variable) return;
    unsigned kept = 0;
    for (unsigned i = 0; i < group_count; ++i) {
      if (groups[i].completion > v.cycle) groups[kept++] = groups[i];
    }
    group_count = kept;
    for (unsigned i = 0; i < group_count; ++i) {
      if (groups[i].queue == v.queue && placed - groups[i].last <= share_distance) {
        groups[i].last = placed;
        if (v.completion > groups[i].completion) groups[i].completion = v.completion;
        return;
      }
    }
    if (group_count == most_groups) {  // the one that ends first makes room: it is the first to be free
      unsigned first = 0;
      for (unsigned i = 1; i < group_count; ++i) {
        if (groups[i].completion < groups[first].completion) first = i;
      }
      groups[first] = groups[--group_count];
    }
    groups[group_count++] = {v.completion, placed, v.queue};
  }
};

}  // namespace ww::constraint
