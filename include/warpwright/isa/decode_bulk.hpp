// SPDX-License-Identifier: BSL-1.0
//
// Roles of bulk copies, tensor-map copies and barrier objects, whose operands are groups of uniform registers.
//
//   UTMALDG.2D [UR12], [UR6]   UR12..: shared address, barrier address, one coordinate per dimension; UR6:UR7 tensor map
//   UTMASTG.2D [UR12], [UR6]   UR12..: shared address, one coordinate per dimension; UR6:UR7 tensor map
//   UBLKCP.S.G [UR6], [UR4], UR8   shared address and barrier, global address pair, size
//   UBLKCP.G.S [UR4], [UR7], UR6   global address pair, shared address, size
//   UREDGR.E.ADD [UR6+0x10], UR4   global address pair, what is added there; USTGR stores it
//   UTMAL2CCTL.PF.2D [UR8], [UR16], desc[UR14]   one coordinate per dimension, tensor map, policy of the cache
//   UBLKL2CCTL.PF [UR8], UR4, desc[UR6]   global address pair, size, policy of the cache
//   SYNCS.EXCH.64 URZ, [UR8], UR4  a 64-bit barrier object
// Each of them is ordered against every memory access: the copy engine reads and writes on its own.
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "decode_memory.hpp"

namespace ww::isa::detail {

// Coordinates. Four rows at once are one column and four rows: UTMALDG.2D.GATHER4 [UR8], [UR4] takes UR8 to UR14 (observed: seven
// R2UR before it).
constexpr unsigned tensor_dimensions(string_view modifiers) {
  unsigned n = 5;  // not written: as many as there can be
  bool rows = false;
  for_each_modifier(modifiers, [&](string_view w) {
    if (w.size() == 2 && w[1] == 'D' && w[0] >= '1' && w[0] <= '5') n = static_cast<unsigned>(w[0] - '0');
    rows = rows || w == "GATHER4" || w == "SCATTER4";
    return true;
  });
  return rows ? 5 : n;
}

// Uniform registers that the address number `index` of a bulk operation names.
constexpr unsigned bulk_address_width(const auto& c, unsigned index) {
  const string_view m = c.text.modifier_text;
  switch (c.row.op) {
    case opcode::utmaldg:
      return index == 0 ? tensor_dimensions(m) + 2 : 2;
    case opcode::utmastg:
    case opcode::utmaredg:
      return index == 0 ? tensor_dimensions(m) + 1 : 2;
    case opcode::utmapf:  // coordinates only
    case opcode::utmal2cctl:
      return index == 0 ? tensor_dimensions(m) : 2;
    case opcode::ublkcp:
    case opcode::ublkred: {
      const bool from_global = m.find(".S.G") != string_view::npos;
      return index == 0 || from_global ? 2 : 1;
    }
    // Where in shared memory, and the barrier object. Issues like ERRBAR: stall 6, sources read at once (24 of 24).
    case opcode::ugetnextworkid:
      return 1;
    default:
      return 2;
  }
}

constexpr void decode_tma(auto& c) {
  const bool to_global = c.row.op == opcode::uredgr || c.row.op == opcode::ustgr;
  unsigned addresses = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      const bool descriptor_only = o.base.is_none() && o.ubase.is_none();
      const unsigned width = descriptor_only ? 1 : bulk_address_width(c, addresses++);
      c.use_address(o, width, width);
      if (to_global) c.ins.mem_offset = static_cast<std::int32_t>(o.value);
    } else if (c.is_predicate(i)) {
      c.use(o, slot::psrc);
    } else {
      // Offsets of IM2COL or a mask of MULTICAST: one register. What UREDGR adds and USTGR stores may have 64 bits.
      c.use(o, slot::data, to_global && c.has(modifier::w64) ? 2 : 1);
    }
  }
  c.ins.space = mem_space::generic;
  c.ins.dir = mem_dir::order;
}

constexpr void decode_syncs(auto& c) {
  const unsigned width = c.has(modifier::w64) ? 2 : 1;
  bool address_seen = false;
  unsigned predicates = 0;
  // USYNCS.ARRIVE.TRANS64.ACT0 UR4, [UR6], UR7: the last has no field of its own, and compilers leave anything in it.
  const bool without_count = c.row.op == opcode::usyncs && c.text.modifier_text.find(".ACT0") != string_view::npos;
  // What EXCH stores is taken later than the phase or count of the others.
  unsigned data = c.row.op == opcode::usyncs && !c.has(modifier::exch) ? 1 : 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      address_seen = true;
      if (c.has(modifier::exch) && o.base.is_none() && !o.ubase.is_none()) {
        c.use(o.ubase, slot::desc);  // later than other addresses (arch/detail/latency_table.hpp)
      } else {
        c.use_address(o, 1, 1);
      }
      c.ins.mem_offset = static_cast<std::int32_t>(o.value);
    } else if (!address_seen) {
      if (c.is_predicate(i)) {
        c.def(o, predicate_result_slot(predicates++));
      } else {  // the state of a 64-bit barrier object
        c.def(o, slot::dst, c.has(modifier::trans64) || c.has(modifier::w64) ? 2 : 1);
      }
    } else if (c.is_predicate(i)) {
      c.use(o, slot::psrc);
    } else if (!without_count) {
      c.use(o, data++ == 0 ? slot::data : slot::data1, width);
    }
  }
  c.ins.space = mem_space::shared;
  c.ins.dir = mem_dir::order;
  c.ins.mem_bytes = 8;
  c.ins.add(iflag::volatile_mem);
}

}  // namespace ww::isa::detail
