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
  r.open = node.open;
  r.slot = static_cast<std::int32_t>(i) + 1;
  r.deadline = g.critical_path - g.height[i];
  r.iclass = node.iclass;
  r.pipe = node.pipe;
  r.interval = node.interval;
  r.min_stall = node.min_stall;
  r.resource_class = static_cast<std::uint8_t>(unit_of(node.iclass));
  using priority::trait;
  priority::candidate c;
  c.traits = detail::traits_of(ins, detail::row_of<Arch>(node.iclass).variable);
  if (c.has(trait::hot)) r.add(record_flag::hot);
  if (c.has(trait::cold)) r.add(record_flag::cold);
  if (c.has(trait::yield_boundary)) r.add(record_flag::yield_boundary);
  if (c.has(trait::control)) r.add(record_flag::control);
  if (c.has(trait::shared_memory)) r.add(record_flag::shared_memory);
  if (unit_of(node.iclass) == functional_unit::tensor) r.add(record_flag::batched);
  for (const operand& o : p.operands_of(ins)) {
    if (!o.is_register()) continue;
    r.add(record_flag::register_operand);
    if (o.file() == reg_file::ur || o.file() == reg_file::up) r.add(record_flag::expensive_file);
  }
  for (const dependence_edge& e : g.succ(i)) r.latency = e.latency > r.latency ? e.latency : r.latency;
  for (const dependence_edge& e : g.pred(i)) {
    if (e.kind != dependence_kind::raw) continue;
    r.add(record_flag::has_dependence);
    const sched_class from = nodes[e.from].iclass;
    if (!detail::row_of<Arch>(from).variable) continue;
    r.add(record_flag::barrier_target);
    const auto group = static_cast<std::uint8_t>(Arch::latency::completion_queue(from));
    r.barrier_group = group > r.barrier_group ? group : r.barrier_group;
  }
}

}  // namespace ww::unified
