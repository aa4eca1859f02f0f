// SPDX-License-Identifier: BSL-1.0
//
// What one instruction does to memory, as far as order is concerned.
//
//   domain    a part of memory that only its own accesses can touch: global, shared, local, surface. A generic address may
//             be in any of the first three; cluster shared memory is in `shared`
//   reads     domains that it may read            writes   domains that it may write
//   known     the address is a base register value plus a constant, so that two accesses can be compared
//
// Two accesses are ordered when one writes what the other touches, unless the disambiguation policy knows better. Volatile
// accesses count as writes; fences, cache controls, DEPBAR and mbarrier operations write everything.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/array.hpp"

namespace ww {

struct memory_access {
  static constexpr std::uint8_t global = 1;
  static constexpr std::uint8_t shared = 2;
  static constexpr std::uint8_t local = 4;
  static constexpr std::uint8_t surface = 8;
  static constexpr std::uint8_t all = 15;
  static constexpr unsigned domain_count = 4;

  std::uint32_t node = 0;
  std::uint8_t reads = 0;
  std::uint8_t writes = 0;
  std::uint8_t bytes = 0;
  bool known = false;
  mem_space space = mem_space::none;
  bool readonly = false;   // never written while the kernel runs
  std::uint8_t scale = 0;  // encoded scale of the base register ([R2.X4]), 0 = none
  std::int32_t offset = 0;
  // Base registers and, per register, the node + 1 of its newest writer before this access (0 = value from before the
  // block).
  operand base;
  operand ubase;
  array<std::uint32_t, 4> version{};

  [[nodiscard]] constexpr bool any() const { return (reads | writes) != 0; }
  [[nodiscard]] constexpr bool same_base(const memory_access& o) const {
    return known && o.known && space == o.space && scale == o.scale && base == o.base && ubase == o.ubase &&
           version == o.version;
  }
  [[nodiscard]] constexpr bool same_place(const memory_access& o) const {
    return same_base(o) && offset == o.offset && bytes == o.bytes;
  }
};

namespace detail {

constexpr std::uint8_t domains_of(mem_space s) {
  switch (s) {
    case mem_space::generic:
      return memory_access::global | memory_access::shared | memory_access::local;
    case mem_space::global:
      return memory_access::global;
    case mem_space::shared:
    case mem_space::cluster_shared:
      return memory_access::shared;
    case mem_space::local:
      return memory_access::local;
    case mem_space::texture:
    case mem_space::surface:
      return memory_access::surface;
    case mem_space::none:
    case mem_space::constant:
      break;
  }
  return 0;
}

// Keeps its place among all accesses.
constexpr bool orders_memory(const instruction& ins) {
  switch (ins.iclass) {
    case sched_class::syncs:
    case sched_class::depbar:
    case sched_class::ldgdepbar:
    case sched_class::membar:
    case sched_class::errbar:
    case sched_class::fence:
    case sched_class::tensor_shift:
      return true;
    case sched_class::cctl:
      return ins.dir == mem_dir::order || ins.has(iflag::fence);
    default:
      return ins.dir == mem_dir::order;
  }
}

// False for what describe_access() would call nothing.
constexpr bool touches_memory(const instruction& ins) { return ins.dir != mem_dir::none || orders_memory(ins); }

// [R2.X4] and [R2] have the same operands; bits 78 and 79 of a 128-bit encoding tell them apart (facts: observed,
// nvdisasm listings). Elsewhere these bits may mean something else: then two accesses only look more different than they
// are.
constexpr std::uint8_t encoded_scale(const instruction& ins) { return static_cast<std::uint8_t>((ins.word[1] >> 14) & 3u); }

// `version_of(reg)` is called for each base register of an access whose address can be compared.
template <class VersionOf>
constexpr memory_access describe_access(const instruction& ins, std::uint32_t node, const operand* ops, bool wants_address,
                                        VersionOf&& version_of) {
  memory_access m;
  m.node = node;
  if (orders_memory(ins)) {
    m.reads = m.writes = memory_access::all;
    return m;
  }
  if (ins.dir == mem_dir::none) return m;
  if (ins.iclass == sched_class::ldgsts) {
    m.reads = memory_access::global;
    m.writes = memory_access::shared;
    if (ins.has(iflag::volatile_mem)) m.writes = m.reads | m.writes;
    return m;
  }
  if (ins.iclass == sched_class::tma) {
    m.reads = m.writes = memory_access::global | memory_access::shared;
    return m;
  }
  m.space = ins.space;
  m.reads = domains_of(ins.space);
  m.readonly = ins.has(iflag::readonly_mem) && ins.dir == mem_dir::load && !ins.has(iflag::volatile_mem);
  if (ins.dir != mem_dir::load || ins.has(iflag::volatile_mem)) m.writes = m.reads;
  if (!wants_address || ins.has(iflag::volatile_mem) || ins.has(iflag::symbolic_mem) || ins.mem_bytes == 0) return m;
  m.bytes = ins.mem_bytes;
  m.offset = ins.mem_offset;
  m.known = true;
  m.scale = encoded_scale(ins);
  unsigned versions = 0;
  unsigned bases = 0;
  unsigned ubases = 0;
  for (unsigned k = 0; k < ins.operand_count; ++k) {
    operand o = ops[k];
    if (!o.is_use() || (o.where() != slot::address && o.where() != slot::uaddress)) continue;
    const bool uniform = o.where() == slot::uaddress;
    if (uniform ? ++ubases > 1 : ++bases > 1) m.known = false;
    o.high &= ~operand::bit_reuse;
    (uniform ? m.ubase : m.base) = o;
    for (unsigned part = 0; part < o.width() && o.is_register(); ++part) {
      if (versions == m.version.size()) {
        m.known = false;
        break;
      }
      m.version[versions++] = version_of(reg(o.file(), o.base().number() + part));
    }
  }
  return m;
}

}  // namespace detail
}  // namespace ww
