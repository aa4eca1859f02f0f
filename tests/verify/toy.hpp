// SPDX-License-Identifier: BSL-1.0
//
// A small SM with round numbers and a builder of hand-made programs, for the tests of the checker's rules.
//
// Distances: alu after alu 4, alu after fma or fma after alu 5, anything to a guard 13, fixed to a variable-latency
// reader 6, uniform anti-dependence 3, everything else 1. Loads, MUFU, double
// precision and S2R are variable; loads, stores and copies read late.
#pragma once

#include <initializer_list>
#include <vector>

#include "warpwright/arch/concept.hpp"
#include "warpwright/ir/program.hpp"
#include "warpwright/verify/hazards.hpp"

namespace toy {

using namespace ww;

struct limits {
  static constexpr unsigned general_registers = 253, reserved_registers = 2, predicates = 7, uniform_registers = 63,
                            uniform_predicates = 7, uniform_zero = 63, max_warps = 64, sub_cores = 4, register_granule = 8,
                            register_banks = 2;
  static constexpr unsigned warps_for(unsigned) { return 8; }
};
struct pipes {
  static constexpr pipe_id pipe_of(sched_class c) {
    switch (c) {
      case sched_class::half:
        return pipe_id::half;
      case sched_class::fma:
        return pipe_id::fma;
      case sched_class::fp64:
        return pipe_id::fp64;
      default:
        return pipe_id::alu;
    }
  }
  // Two cycles for what the lints take for plain arithmetic.
  static constexpr unsigned interval(sched_class c) { return c == sched_class::alu || c == sched_class::alu_dual ? 2 : 1; }
  static constexpr unsigned min_stall(sched_class c) {
    return c == sched_class::depbar ? 4 : c == sched_class::branch ? 5 : 1;
  }
};
struct latency {
  static constexpr unsigned max_fixed = 24;
  static constexpr bool variable(sched_class c) {
    return c == sched_class::ldg || c == sched_class::lds || c == sched_class::mufu || c == sched_class::s2r ||
           c == sched_class::fp64;
  }
  static constexpr bool late_reader(sched_class c) {
    return c == sched_class::ldg || c == sched_class::lds || c == sched_class::stg || c == sched_class::sts ||
           c == sched_class::ldgsts;
  }
  static constexpr bool copy_reads_covered = true;
  static constexpr distance raw(access_point w, access_point r) {
    if (r.where == slot::guard) return {13, 13, provenance::observed};
    if (variable(r.iclass) || late_reader(r.iclass)) return {6, 6, provenance::observed};
    if (w.iclass == sched_class::hmma_large) return {24, 24, provenance::observed};
    const std::uint8_t d = w.iclass == r.iclass ? 4 : 5;
    return {d, d, provenance::observed};
  }
  static constexpr distance war(access_point, access_point w) {
    const std::uint8_t d = w.iclass == sched_class::umov ? 3 : 1;
    return {d, d, provenance::observed};
  }
  static constexpr distance waw(access_point a, access_point b) {
    const std::uint8_t d = a.iclass == sched_class::hmma_large && b.iclass != sched_class::hmma_large ? 20 : 1;
    return {d, d, provenance::observed};
  }
  static constexpr unsigned result_estimate(sched_class, unsigned) { return 30; }
  static constexpr unsigned read_estimate(sched_class, unsigned) { return 20; }
  static constexpr queue_id completion_queue(sched_class c) {
    switch (c) {
      case sched_class::ldg:
      case sched_class::stg:
        return queue_id::global;
      case sched_class::lds:
      case sched_class::sts:
        return queue_id::shared;
      case sched_class::mufu:
        return queue_id::xu;
      default:
        return queue_id::none;
    }
  }
  static constexpr queue_id read_queue(sched_class c) {
    if (c == sched_class::ldgsts) return queue_id::none;
    return late_reader(c) ? queue_id::global : completion_queue(c);
  }
  static constexpr queue_id overwrite_queue(sched_class c) { return read_queue(c); }
};
struct barriers {
  static constexpr unsigned count = 6, set_to_wait = 2, counter_max = 63, depbar_min_stall = 4, max_stall = 15,
                            max_stall_stay = 11, scoreboard_entries = 0, max_triplets = 0, dependence_rules = 0,
                            raw_max_stall = 39, barrier_latency = 56, yield_threshold = 4, stall_floor = 1;
};
struct control_format {
  static constexpr unsigned bits = 21;
  static constexpr std::uint32_t encode(control c) {
    return c.issue_code() | static_cast<std::uint32_t>(c.write_barrier) << 5 |
           static_cast<std::uint32_t>(c.read_barrier) << 8 | static_cast<std::uint32_t>(c.wait_mask) << 11 |
           static_cast<std::uint32_t>(c.reuse) << 17;
  }
  static constexpr control decode(std::uint32_t w) {
    control c;
    c.stall = w & 15u;
    c.yield = (w >> 4 & 1u) == 0;
    c.write_barrier = w >> 5 & 7u;
    c.read_barrier = w >> 8 & 7u;
    c.wait_mask = w >> 11 & 63u;
    c.reuse = w >> 17 & 15u;
    return c;
  }
  static constexpr bool valid(std::uint32_t w) {
    const unsigned wb = w >> 5 & 7u;
    const unsigned rb = w >> 8 & 7u;
    return control::defined_code(w & 31u) && wb != 6 && rb != 6;
  }
};
struct sm {
  using role = ww::role::arch;
  static constexpr sm_id id{1};
  static constexpr const char* name = "toy";
  using limits = toy::limits;
  using pipes = toy::pipes;
  using latency = toy::latency;
  using barriers = toy::barriers;
  using control_format = toy::control_format;
  struct defaults {};
};
static_assert(ww::arch_policy<sm>);

// One instruction under construction: set what differs from "stall 1, no counters".
struct line {
  instruction i;
  std::vector<operand> operands;

  line& stall(unsigned n) {
    i.ctl.stall = static_cast<std::uint8_t>(n);
    i.ctl.yield = n >= 12 || n == 0;
    return *this;
  }
  line& yield(bool y) { return i.ctl.yield = y, *this; }
  line& sets(unsigned c) { return i.ctl.write_barrier = static_cast<std::uint8_t>(c), *this; }
  line& sets_read(unsigned c) { return i.ctl.read_barrier = static_cast<std::uint8_t>(c), *this; }
  line& waits(unsigned c) { return i.ctl.wait_mask = static_cast<std::uint8_t>(i.ctl.wait_mask | 1u << c), *this; }
  line& reuse(unsigned bits) { return i.ctl.reuse = static_cast<std::uint8_t>(bits), *this; }
  line& flag(iflag f) { return i.add(f), *this; }
  line& guard(reg p, bool negated = false) {
    i.add(iflag::guarded);
    i.guard_negated = negated ? 1 : 0;
    for (operand& o : operands) {
      if (o.is_def()) o.set(operand::bit_partial);
    }
    operands.push_back(operand::use(p, slot::guard));
    return *this;
  }
};

inline line op(sched_class c, std::initializer_list<operand> operands) {
  line l;
  l.i.iclass = c;
  l.operands = operands;
  if (c == sched_class::ldg || c == sched_class::lds) l.i.dir = mem_dir::load;
  if (c == sched_class::stg || c == sched_class::sts) {
    l.i.dir = mem_dir::store;
    l.i.add(iflag::side_effect);
  }
  return l;
}
// Destination first, then sources in the slots a, b, c.
inline line alu(reg d, reg a = RZ, reg b = RZ, sched_class c = sched_class::alu) {
  const bool predicate = d.file() == reg_file::p;
  return op(c, {operand::def(d, predicate ? slot::pdst : slot::dst), operand::use(a, slot::a), operand::use(b, slot::b)})
      .flag(iflag::reuse_legal);
}
inline line fma(reg d, reg a = RZ, reg b = RZ) { return alu(d, a, b, sched_class::fma); }
inline line ldg(reg d, reg a, unsigned width = 1) {
  return op(sched_class::ldg, {operand::def(d, slot::dst, width), operand::use(a, slot::address, 2)});
}
inline line lds(reg d, reg a) { return op(sched_class::lds, {operand::def(d, slot::dst), operand::use(a, slot::address)}); }
inline line stg(reg a, reg v) {
  return op(sched_class::stg, {operand::use(a, slot::address, 2), operand::use(v, slot::data)});
}
inline line mufu(reg d, reg a) { return op(sched_class::mufu, {operand::def(d, slot::dst), operand::use(a, slot::b)}); }
inline line bra(unsigned target) {
  line l = op(sched_class::branch, {});
  l.i.target = instr_id{target};
  return l.flag(iflag::branch).flag(iflag::ends_block).flag(iflag::side_effect).stall(5);
}
inline line exit_() {
  return op(sched_class::exit, {}).flag(iflag::exit).flag(iflag::ends_block).flag(iflag::side_effect).stall(5);
}
inline line depbar(unsigned counter, unsigned n) {
  line l = op(sched_class::depbar, {operand::use(reg{reg_file::sb, counter}, slot::none)});
  l.i.mem_offset = static_cast<std::int32_t>(n);
  return l.flag(iflag::side_effect).stall(4);
}

// Blocks are given by the instruction counts; edges by block numbers.
struct cut {
  unsigned from, to;
  edge_kind kind = edge_kind::fall;
};
inline program build(const std::vector<line>& lines, std::vector<unsigned> sizes = {}, const std::vector<cut>& edges = {},
                     std::vector<unsigned> entries = {0}) {
  program p;
  for (const line& l : lines) {
    instruction i = l.i;
    i.first_operand = static_cast<std::uint32_t>(p.operands.size());
    i.operand_count = static_cast<std::uint8_t>(l.operands.size());
    p.operands.insert(p.operands.end(), l.operands.begin(), l.operands.end());
    i.address = static_cast<std::uint32_t>(p.instructions.size() * 16);
    p.order.push_back(instr_id{static_cast<std::uint32_t>(p.instructions.size())});
    p.instructions.push_back(i);
  }
  if (sizes.empty()) sizes = {static_cast<unsigned>(lines.size())};
  unsigned at = 0;
  for (const unsigned n : sizes) {
    block b;
    b.first = at;
    b.count = n;
    b.reachable = true;
    at += n;
    p.blocks.push_back(b);
  }
  for (const unsigned e : entries) p.blocks[e].entry = true;
  for (unsigned b = 0; b < sizes.size(); ++b) {
    p.blocks[b].first_edge = static_cast<std::uint32_t>(p.edges.size());
    for (const cut& c : edges) {
      if (c.from != b) continue;
      p.edges.push_back({block_id{b}, block_id{c.to}, c.kind});
      ++p.blocks[b].edge_count;
    }
  }
  for (unsigned b = 0; b < sizes.size(); ++b) {
    p.blocks[b].first_pred = static_cast<std::uint32_t>(p.pred_edges.size());
    for (std::uint32_t e = 0; e < p.edges.size(); ++e) {
      if (p.edges[e].to.index() != b) continue;
      p.pred_edges.push_back(e);
      ++p.blocks[b].pred_count;
    }
  }
  p.has_control = true;
  return p;
}

// Checks only the dependences, with notes.
inline verify::report flow(const program& p) {
  verify::options o;
  o.lints = false;
  o.encoding = false;
  o.notes = true;
  return verify::check<sm>(p, o);
}

}  // namespace toy
