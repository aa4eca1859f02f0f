// SPDX-License-Identifier: BSL-1.0
//
// What one instruction does besides writing registers, as far as its order among others goes.
//
//   spaces      parts of memory that only their own accesses can touch: global, shared (with that of a cluster), local,
//               textures and surfaces; a generic address may be in any of the first three
//   meeting     barriers, fences, convergence, clocks, transfers of control, unknown code: no effect passes it; work on registers
//               alone may
//   collective  takes registers of other threads, so it stays between the meetings that decide who takes part
//   plain       an access whose address is all that decides whether it meets another one
// Loads read, everything else reads and writes; volatile, strong and scoped accesses count as writes, asynchronous copies
// write shared memory, transfer engines both. Memory fences and their like read and write everything. A prefetch does nothing
// that anybody sees.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"
#include "../isa/sched_class.hpp"

namespace ww::verify::detail {

struct effect {
  static constexpr std::uint8_t global = 1;
  static constexpr std::uint8_t shared = 2;
  static constexpr std::uint8_t local = 4;
  static constexpr std::uint8_t texture = 8;
  static constexpr std::uint8_t everywhere = 15;

  std::uint8_t reads = 0;  // spaces
  std::uint8_t writes = 0;
  bool meeting = false;
  bool collective = false;
  bool plain = false;
  bool constant = false;  // a load of memory that nobody writes while the kernel runs

  [[nodiscard]] constexpr bool any() const { return reads != 0 || writes != 0 || meeting || collective; }

  // Whether two that have effects must keep their order, addresses aside.
  [[nodiscard]] constexpr bool keeps_order_with(const effect& o) const {
    if (meeting || o.meeting) return true;
    if (constant || o.constant) return false;
    return ((writes & (o.reads | o.writes)) | (reads & o.writes)) != 0;
  }
};

[[nodiscard]] constexpr bool takes_other_threads(sched_class c) {
  using s = sched_class;
  if (c >= s::hmma_small && c <= s::hgmma) return true;
  constexpr s kinds[] = {s::vote, s::voteu, s::match, s::redux, s::shfl, s::movm, s::ldsm, s::stsm, s::elect, s::collective};
  for (const s k : kinds) {
    if (c == k) return true;
  }
  return false;
}

[[nodiscard]] constexpr bool meets(const instruction& i) {
  constexpr iflag flags[] = {iflag::sync,    iflag::convergence, iflag::reconverge,  iflag::fence,
                             iflag::unknown, iflag::branch,      iflag::call,        iflag::ret,
                             iflag::exit,    iflag::ends_block,  iflag::reads_clock, iflag::behind_barrier};
  for (const iflag f : flags) {
    if (i.has(f)) return true;
  }
  return false;
}

// Keeps its place among all accesses to memory.
[[nodiscard]] constexpr bool orders_accesses(const instruction& i) {
  using s = sched_class;
  constexpr s kinds[] = {s::syncs, s::depbar, s::ldgdepbar, s::membar, s::errbar, s::fence, s::tensor_shift};
  for (const s k : kinds) {
    if (i.iclass == k) return true;
  }
  return i.dir == mem_dir::order;
}

[[nodiscard]] constexpr effect effect_of(const instruction& i) {
  using s = sched_class;
  effect e;
  if (i.has(iflag::never)) return e;
  e.collective = takes_other_threads(i.iclass);
  e.meeting = meets(i);
  if (e.meeting || orders_accesses(i)) {
    e.reads = e.writes = effect::everywhere;
    return e;
  }
  if (i.dir == mem_dir::none) {
    // A prefetch changes nothing that anybody sees; whatever else acts beyond registers is ordered with everything.
    if (i.has(iflag::side_effect) && i.iclass != s::cctl) e.reads = e.writes = effect::everywhere;
    return e;
  }
  switch (i.space) {
    case mem_space::global:
      e.reads = effect::global;
      break;
    case mem_space::shared:
    case mem_space::cluster_shared:
      e.reads = effect::shared;
      break;
    case mem_space::local:
      e.reads = effect::local;
      break;
    case mem_space::texture:
    case mem_space::surface:
      e.reads = effect::texture;
      break;
    case mem_space::generic:
      e.reads = effect::global | effect::shared | effect::local;
      break;
    case mem_space::constant:
    case mem_space::none:
      break;
  }
  const bool strong = i.has(iflag::volatile_mem);
  e.writes = i.dir == mem_dir::load && !strong ? std::uint8_t{0} : e.reads;
  if (i.iclass == s::ldgsts || i.iclass == s::tma) {  // from one space into the other, some time later
    e.reads = i.iclass == s::tma ? effect::global | effect::shared : effect::global;
    e.writes = i.iclass == s::tma || strong ? effect::global | effect::shared : effect::shared;
    return e;
  }
  e.constant = i.has(iflag::readonly_mem) && i.dir == mem_dir::load && !strong;
  e.plain = !strong && i.mem_bytes != 0 && !i.has(iflag::symbolic_mem);
  return e;
}

}  // namespace ww::verify::detail
