// SPDX-License-Identifier: BSL-1.0
//
// What a scheduling record (PLS-19) says of an instruction before anything is placed: place, deadline, pipe, flags, and what
// it waits for.
//
//   barrier target   some true dependence of it comes from a variable-latency producer
//   barrier group    the completion queue of that producer, the highest if there are several
//   batched          a tensor instruction: DynBatch keeps runs of one kind together
#pragma once

#include <cstdint>

#include "../../graph/graph.hpp"
#include "../../ir/program.hpp"
#include "../../pressure/resource_vector.hpp"
#include "../block_facts.hpp"
#include "../class_table.hpp"
#include "../workspace.hpp"
#include "record.hpp"

namespace ww::unified {

// `i`: place of `ins` in the block, and its node.
template <class Arch, class Nodes>
constexpr void fill_record(record& r, std::uint32_t i, const program& p, const instruction& ins, const dependence_graph& g,
                           const Nodes& nodes) {
  const detail::schedule_node& node = nodes[i];
  const detail::class_row& row = detail::row_of<Arch>(node.iclass);
  r.open = node.open;
  r.slot = static_cast<std::int32_t>(i) + 1;
  r.deadline = g.critical_path - g.height[i];
  r.iclass = node.iclass;
  r.pipe = node.pipe;
  r.interval = node.interval;
  r.min_stall = node.min_stall;
  r.resource_class = row.unit;
  using priority::trait;
  priority::candidate c;
  c.traits = detail::traits_of(ins, row.variable);
  unsigned flags = 0;
  const auto add = [&](record_flag f, bool yes) { flags |= yes ? static_cast<unsigned>(f) : 0u; };
  add(record_flag::hot, c.has(trait::hot));
  add(record_flag::cold, c.has(trait::cold));
  add(record_flag::yield_boundary, c.has(trait::yield_boundary));
  add(record_flag::control, c.has(trait::control));
  add(record_flag::shared_memory, c.has(trait::shared_memory));
  add(record_flag::batched, row.unit == static_cast<std::uint8_t>(functional_unit::tensor));
  for (const operand& o : p.operands_of(ins)) {
    const bool named = o.is_register();
    add(record_flag::register_operand, named);
    add(record_flag::expensive_file, named && (o.file() == reg_file::ur || o.file() == reg_file::up));
  }
  std::uint16_t latency = r.latency;
  for (const dependence_edge& e : g.succ(i)) latency = e.latency > latency ? e.latency : latency;
  r.latency = latency;
  std::uint8_t group = 0;
  for (const dependence_edge& e : g.pred(i)) {
    if (e.kind != dependence_kind::raw) continue;
    add(record_flag::has_dependence, true);
    const detail::class_row& from = detail::row_of<Arch>(nodes[e.from].iclass);
    if (!from.variable) continue;
    add(record_flag::barrier_target, true);
    group = from.queue > group ? from.queue : group;
  }
  r.barrier_group = group;
  r.flags = static_cast<std::uint16_t>(flags);
}

}  // namespace ww::unified
