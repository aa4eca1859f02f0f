// SPDX-License-Identifier: BSL-1.0
//
// Roles of load, store, atomic and copy operands, and what of memory they touch.
//
// Addresses of global and generic accesses with .E are 64 bits wide (a register pair) unless the register carries
// .U32. On the SMs whose dialect says so, an address written [R2.64] comes with a uniform descriptor pair that is only
// in the encoding: bits 32..37 for loads, 64..69 for the others (facts: format.md 1.5, where 4896 of 4896 agree). Without words it
// may be any pair (assumed_descriptor.hpp). [R2.64+UR4] has none: the field is that of UR4.
// Sizes: isa/element_type.hpp. `volatile_mem` marks strong, volatile and atomic accesses.
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "assumed_descriptor.hpp"
#include "decode_alu.hpp"
#include "element_type.hpp"
#include "text_cursor.hpp"

namespace ww::isa::detail {

constexpr mem_space space_of(opcode op) {
  switch (op) {
    case opcode::ldg:
    case opcode::stg:
    case opcode::atomg:
    case opcode::redg:
    case opcode::ldgmc:
    case opcode::ldu:
      return mem_space::global;
    case opcode::lds:
    case opcode::sts:
    case opcode::umemsets:
    case opcode::ldsm:
    case opcode::stsm:
    case opcode::atoms:
    case opcode::reds:
      return mem_space::shared;
    case opcode::stas:
    case opcode::redas:
      return mem_space::cluster_shared;
    case opcode::ldl:
    case opcode::stl:
      return mem_space::local;
    case opcode::ldc:
    case opcode::uldc:
    case opcode::ldcu:
      return mem_space::constant;
    case opcode::tex:
    case opcode::tld:
    case opcode::tld4:
    case opcode::txd:
    case opcode::texs:
    case opcode::tlds:
    case opcode::tld4s:
    case opcode::tmml:
      return mem_space::texture;
    case opcode::suld:
    case opcode::sust:
    case opcode::suatom:
    case opcode::sured:
      return mem_space::surface;
    default:
      return mem_space::generic;
  }
}

constexpr bool has_64bit_address(const auto& c) {
  const mem_space s = space_of(c.row.op);
  return c.has(modifier::e) && (s == mem_space::global || s == mem_space::generic);
}

constexpr void set_memory(auto& c, mem_dir dir, unsigned bytes) {
  c.ins.space = space_of(c.row.op);
  c.ins.dir = dir;
  c.ins.mem_bytes = static_cast<std::uint8_t>(bytes > 255 ? 0 : bytes);
  if (c.has(modifier::strong) || c.has(modifier::vol) || c.has(modifier::mmio)) c.ins.add(iflag::volatile_mem);
  if (dir == mem_dir::load && (c.has(modifier::constant) || c.has(modifier::ci))) c.ins.add(iflag::readonly_mem);
  if (dir == mem_dir::load && c.ins.space == mem_space::constant) c.ins.add(iflag::readonly_mem);
  if (dir == mem_dir::store || dir == mem_dir::atomic) c.ins.add(iflag::side_effect);
}

constexpr std::uint32_t field(const auto& c, unsigned bit, unsigned width) {
  const std::uint64_t v = bit < 64 ? c.word[0] >> bit : c.word[1] >> (bit - 64);
  return static_cast<std::uint32_t>(v & ((1ull << width) - 1));
}

// The uniform descriptor pair that the text does not print. A uniform register that is printed stands in its field.
constexpr void hidden_descriptor(auto& c, const asm_operand& address, unsigned bit) {
  if (!c.machine.hidden_descriptor || !address.has(asm_flag::wide64) || !address.desc.is_none() || !address.ubase.is_none())
    return;
  if (!c.has_words) {
    c.push_use(assumed_descriptor(c.machine.uniform_zero));
    return;
  }
  const std::uint32_t n = field(c, bit, 6);
  if (n == 63) return;
  c.push_use(operand::use(reg{reg_file::ur, n}, slot::desc, 2).set(operand::bit_hidden));
}

// STL.128 [0xfffeb0], R4: without a register the disassembler prints the signed offset of 24 bits as a number without
// sign (observed: nvdisasm 13.5, all of LDL, STL, LDS, STS, LDG, STG and atomics; LDSM and STSM print [-0x150], what names URZ
// does too). LD and ST without a descriptor have 32 bits.
constexpr std::int32_t offset_of(const auto& c, const asm_operand& o) {
  constexpr std::int64_t sign = 0x800000;
  const bool wider = c.row.op == opcode::ld || c.row.op == opcode::st;
  const bool negative = !wider && o.base.is_none() && o.ubase.is_none() && o.value >= sign && o.value < 2 * sign;
  return static_cast<std::int32_t>(negative ? o.value - 2 * sign : o.value);
}

constexpr void memory_address(auto& c, const asm_operand& o) {
  const bool wide = has_64bit_address(c) && !o.has(asm_flag::u32);
  const bool pair = wide || o.has(asm_flag::wide64);
  const bool uniform_pair = has_64bit_address(c);
  c.use_address(o, pair ? 2 : 1, uniform_pair ? 2 : 1);
  c.ins.mem_offset = offset_of(c, o);
  // The scale of a base register stands in the encoding: without it two addresses cannot be compared.
  const bool scaled = o.has(asm_flag::scaled) && !c.has_words;
  if (o.has(asm_flag::symbolic) || scaled) c.ins.add(iflag::symbolic_mem);
}

// LDSM and STSM move 1, 2 or 4 matrices of one register per thread, LDSM.8.MT1616 matrices of two (observed on sm_100).
constexpr unsigned matrix_bytes(const auto& c) {
  const unsigned bytes = c.has(modifier::num4) ? 16 : (c.has(modifier::num2) ? 8 : 4);
  return c.text.modifier_text.find("MT1616") != string_view::npos ? 2 * bytes : bytes;
}

constexpr unsigned moved_bytes(const auto& c) {
  if (c.row.op == opcode::ldsm || c.row.op == opcode::stsm) return matrix_bytes(c);
  return access_bytes(c.text.modifier_text);
}

constexpr unsigned words(unsigned bytes) { return bytes <= 4 ? 1 : bytes / 4; }

// Registers of one thread that LDTM and STTM move: .x32, times the words of the shape.
constexpr unsigned tensor_registers(const auto& c) {
  unsigned times = 1, shape = 1;
  for_each_modifier(c.text.modifier_text, [&](string_view w) {
    if (w.size() > 1 && w[0] == 'x' && is_digit(w[1])) {
      times = 0;
      for (char ch : w.substr(1))
        times = is_digit(ch) && times < 1000 ? times * 10 + static_cast<unsigned>(ch - '0') : times;
    } else if (w == "16dp128bit") {
      shape = 2;
    } else if (w == "16dp256bit") {
      shape = 4;
    }
    return true;
  });
  const unsigned n = times * shape;
  return n == 0 || n > 255 ? 255 : n;
}

// LDTM.16dp32bit_t16_t31 R4, tmem[UR4]: the threads of one half of the warp write their registers, those of the other keep them.
constexpr bool half_of_threads(const auto& c) { return c.text.modifier_text.find(".16dp32bit_t") != string_view::npos; }

// LDG.E.ENL2.256 R24, R46, desc[UR24][R24.64], 0xf9: of the upper four words, which the first register begins, those of the upper four
// bits are wanted, of the lower four those of the lower bits, one behind the other (observed on sm_100 and sm_103: what four bits leave
// out is neither aligned nor waited for).
constexpr unsigned wanted_words(const auto& c, bool lower, unsigned all) {
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind != asm_kind::integer) continue;
    unsigned n = 0;
    for (unsigned bit = 0; bit < 4; ++bit) n += static_cast<unsigned>(o.value >> (bit + (lower ? 0u : 4u))) & 1u;
    return n == 0 ? 1u : n;  // of RZ
  }
  return all;
}

constexpr void decode_load(auto& c) {
  unsigned bytes = moved_bytes(c);
  unsigned first = 0;
  while (first < c.count() && c.at(first).kind != asm_kind::address && c.at(first).kind != asm_kind::constant) ++first;
  unsigned results = 0;
  for (unsigned i = 0; i < first; ++i) results += c.is_predicate(i) ? 0u : 1u;
  unsigned width = words(bytes) / (results == 0 ? 1 : results);
  if (c.row.op == opcode::ldtm) {
    width = tensor_registers(c);
    bytes = 0;
  }
  if (width == 0) width = 1;
  unsigned predicates = 0, registers = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (i < first) {
      if (c.is_predicate(i)) {
        c.def(o, predicate_result_slot(predicates++));
      } else {
        // Of two results (LDG.E.ENL2.256) the second one stands in the first field of the encoding. The first one of
        // LDTM.STAT.x8.MIN.F32 R21, R12, tmem[UR4] is the least of the others.
        const bool last = ++registers == results;
        const bool half = results == 2 && c.row.op == opcode::ldg;
        c.def(o, last ? slot::dst : slot::dst1,
              half ? wanted_words(c, last, width) : (!last && c.row.op == opcode::ldtm ? 1 : width));
      }
    } else if (o.kind == asm_kind::address) {
      memory_address(c, o);
      hidden_descriptor(c, o, 32);
    } else {
      c.use(o, c.is_predicate(i) ? slot::psrc : slot::uaddress);
      if (o.kind == asm_kind::constant) c.ins.mem_offset = static_cast<std::int32_t>(o.value);
    }
  }
  set_memory(c, mem_dir::load, bytes);
  if (c.row.op != opcode::ldtm) return;
  c.ins.dir = mem_dir::order;
  if (half_of_threads(c)) c.keep_old_values();
}

// UMEMSETS clears shared memory, and is among STS and LDS what STS is (observed: st.bulk by ptxas 13.0 for sm_100 and sm_120, in
// order with them without a counter, its sources protected as theirs are, UMOV 2 and other uniform results 9 cycles in front).
constexpr void decode_store(auto& c) {
  unsigned bytes = moved_bytes(c);
  unsigned width = words(bytes);
  if (c.row.op == opcode::sttm) {
    width = tensor_registers(c);
    bytes = 0;
  } else if (c.row.op == opcode::umemsets) {  // [address], value, how many: of eight bytes, in one register
    width = 1;
    bytes = 0;
  }
  unsigned data = 0;
  unsigned registers = 0;
  for (unsigned i = 0; i < c.count(); ++i) registers += is_general(c.at(i)) ? 1u : 0u;
  if (registers > 1 && width > registers) width /= registers;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      memory_address(c, o);
      hidden_descriptor(c, o, 64);
    } else {
      const bool predicate = c.is_predicate(i);  // of ST.E on sm_50 to sm_62
      c.use(o, predicate ? slot::psrc : (data++ == 0 ? slot::data : slot::data1), predicate ? 1 : width);
    }
  }
  set_memory(c, mem_dir::store, bytes);
  if (c.row.op == opcode::sttm || c.row.op == opcode::stas) c.ins.dir = mem_dir::order;
}

// [predicate,] result, [address], data, [data]; a reduction has no result.
constexpr void decode_atomic(auto& c, bool has_result) {
  const unsigned bytes = access_bytes(c.text.modifier_text);
  unsigned data_count = 0;
  bool seen = false;
  for (unsigned i = 0; i < c.count(); ++i) {
    seen = seen || c.at(i).kind == asm_kind::address;
    if (seen && is_general(c.at(i))) ++data_count;
  }
  // sm_50..62 name compare and swap values by one register group.
  const bool joined = c.has(modifier::cas) && data_count == 1;
  unsigned predicates = 0, data = 0;
  seen = false;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      seen = true;
      memory_address(c, o);
      if (!c.has(modifier::cas)) hidden_descriptor(c, o, 64);
    } else if (!seen && has_result) {
      c.def(o, c.is_predicate(i) ? predicate_result_slot(predicates++) : slot::dst, c.is_predicate(i) ? 1 : words(bytes));
    } else if (c.is_predicate(i)) {
      c.use(o, slot::psrc);
    } else {
      c.use(o, data++ == 0 ? slot::data : slot::data1, o.kind == asm_kind::reg ? words(bytes) * (joined ? 2 : 1) : 1);
    }
  }
  set_memory(c, mem_dir::atomic, bytes);
}

// [shared address], [global address]: reads global memory and writes shared memory, so it is a store to either.
// [UR4], desc[UR5][R2.64] has one field for both, of a pair in which the address has taken the place of the lower half of the descriptor
// (observed: UMOV UR4 behind LDCU.64 UR4; all 66 name the register behind that of the address).
// [R66+UR16], [R72.64] has one field too, which is that of UR16: bit 76 says whether it is that of a descriptor (observed: 0 wherever
// the text has a uniform register or the field is URZ, 1 in all 2,183 that hide or print a descriptor, sm_80 to sm_89).
constexpr void decode_ldgsts(auto& c) {
  unsigned addresses = 0;
  bool uniform = false;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind != asm_kind::address) {
      c.use(o, c.is_predicate(i) ? slot::psrc : slot::none);
    } else if (addresses++ == 0) {
      c.use_address(o, 1, 1);
      uniform = !o.ubase.is_none();
      c.ins.mem_offset = static_cast<std::int32_t>(o.value);
    } else {
      const bool pair = !o.has(asm_flag::u32);
      c.use_address(o, pair ? 2 : 1, 2, uniform ? 1 : 2);
      constexpr unsigned has_descriptor = 76;
      if (c.has_words ? field(c, has_descriptor, 1) != 0 : !uniform) hidden_descriptor(c, o, 64);
    }
  }
  set_memory(c, mem_dir::store, access_bytes(c.text.modifier_text));
  c.ins.space = mem_space::generic;
}

constexpr void decode_qspc(auto& c) {
  unsigned predicates = 0;
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      c.use_address(o, c.has(modifier::e) ? 2 : 1, c.has(modifier::e) ? 2 : 1);
    } else if (c.is_predicate(i)) {
      c.def(o, predicate_result_slot(predicates++));
    } else {
      c.def(o, slot::dst);
    }
  }
}

// CCTL, MEMBAR, FENCE: ordered against every access. A prefetch is not: no value that anybody reads depends on it. What
// manages lines of L2 (CCTL.E.DML2 discards one) throws nothing away that has been loaded: it acquires nothing.
constexpr void decode_order(auto& c) {
  if (c.row.op == opcode::membar && c.has(modifier::cta)) c.ins.add(iflag::block_fence);
  const bool local = c.row.op == opcode::cctll;
  const bool prefetch = (local || c.row.op == opcode::cctl) && (c.has(modifier::pf1) || c.has(modifier::pf2));
  for (unsigned i = 0; i < c.count(); ++i) {
    const asm_operand& o = c.at(i);
    if (o.kind == asm_kind::address) {
      const bool pair = c.has(modifier::e) || o.has(asm_flag::wide64);
      c.use_address(o, pair ? 2 : 1, pair ? 2 : 1);
      if (prefetch) {
        c.ins.mem_offset = static_cast<std::int32_t>(o.value);
      } else {
        hidden_descriptor(c, o, 64);
      }
    } else {
      c.use(o, c.is_predicate(i) ? slot::psrc : slot::a);
    }
  }
  if (prefetch) {
    c.ins.remove(iflag::fence);
    c.ins.space = local ? mem_space::local : mem_space::global;
    c.ins.dir = mem_dir::none;
    c.ins.add(iflag::side_effect);
    return;
  }
  if (c.row.op == opcode::cctl && c.text.modifier_text.find("ML2") != string_view::npos) c.ins.remove(iflag::fence);
  const bool constants = c.row.op == opcode::cctl && c.text.modifier_text.find("LDCU") != string_view::npos;
  c.ins.space = constants ? mem_space::constant : mem_space::generic;
  c.ins.dir = mem_dir::order;
  c.ins.add(iflag::side_effect);
}

}  // namespace ww::isa::detail
