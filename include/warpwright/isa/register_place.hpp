// SPDX-License-Identifier: BSL-1.0
//
// In which bits of a 128-bit instruction a register operand stands.
//
//   place    first bit of the field, and what its number is above the one that the field holds (`above`); `inverted` fields count
//            down from PT, whose number is 0 there
//   field    8 bits for R, 3 for P and UP; for UR 6 bits where URZ is 63, else 8
//   form     bits 9..11 of the opcode: what kind of operand stands in third place. Forms 2, 3 and 7 give it the field of b; the
//            second source then has that of c
//   nth      the operand's number among those of its slot, from 0 on
// Usual places hold for all arithmetic; `other_places` names by bits 0..8 of the opcode what differs, which is most of memory,
// textures, bulk copies and matrices. Observed, not documented: text against hex of 14,775 listings of sm_75 to sm_120 with 20 million
// registers, of which each stands where this header says; and whole instructions with other numbers in their fields, as a disassembler
// prints them (figures: tests/sass/renamed_listing.cpp). What has no field of its own, or was never seen, has no place:
// predicates that a mask names, the third scale of QMMA.SF (two fields).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/operand.hpp"
#include "../meta/array.hpp"
#include "dialect.hpp"

namespace ww::isa {

struct register_place {
  std::uint8_t at = 0;     // 0: not known
  std::uint8_t width = 0;  // bits
  std::uint8_t above = 0;  // number of the operand = number in the field + above
  bool inverted = false;   // the field holds the highest number that it can, less that of the operand

  [[nodiscard]] constexpr bool known() const { return at != 0; }
};

namespace detail {

constexpr bool is_third_form(unsigned form) { return form == 2 || form == 3 || form == 7; }

constexpr std::uint8_t usual_predicate_place(slot s) {
  switch (s) {
    case slot::guard:
      return 12;
    case slot::psrc2:
      return 68;
    case slot::psrc1:
      return 77;
    case slot::pdst:
      return 81;
    case slot::pdst1:
      return 84;
    case slot::psrc:
    case slot::branch:
      return 87;
    default:
      return 0;
  }
}

constexpr std::uint8_t usual_vector_place(slot s, unsigned form) {
  switch (s) {
    case slot::dst:
      return 16;
    case slot::a:
    case slot::address:
    case slot::branch:
      return 24;
    case slot::b:
      return is_third_form(form) ? 64 : 32;
    case slot::data:
      return 32;
    case slot::dst1:
    case slot::c:
    case slot::data1:
      return 64;
    default:
      return 0;
  }
}

constexpr std::uint8_t usual_uniform_place(slot s, unsigned form) {
  switch (s) {
    case slot::dst:
      return 16;
    case slot::a:
    case slot::branch:
      return 24;
    case slot::b:
      return form == 2 ? 64 : 32;
    case slot::c:
      return form == 7 ? 32 : 64;
    case slot::data:
    case slot::data1:
      return 64;
    default:
      return 0;  // addresses and descriptors: by opcode
  }
}

inline constexpr std::uint8_t any_form = 0xff;
inline constexpr std::uint8_t any_nth = 0xff;
inline constexpr std::uint8_t counts_down = 0xff;  // in place of `above`
constexpr std::uint8_t only(unsigned form) { return static_cast<std::uint8_t>(1u << form); }

inline constexpr std::uint8_t two_or_six = only(2) | only(6);

// The first row that fits is taken; `at` 0 says that there is no field. Ordered by opcode.
struct other_place {
  std::uint16_t op;    // bits 0..8
  std::uint8_t forms;  // set of bits 9..11
  slot where;
  char file;  // 'r', 'u' (UR), 'p' (P and UP)
  std::uint8_t nth;
  std::uint8_t at;
  std::uint8_t above = 0;
};

// clang-format off
inline constexpr other_place other_places[] = {
    {0x003, any_form, slot::psrc, 'p', any_nth, 0},         // P2R: a mask
    {0x004, any_form, slot::pdst, 'p', any_nth, 0},         // R2P
    {0x007, any_form, slot::b, 'r', any_nth, 32},           // SEL
    {0x00c, any_form, slot::psrc1, 'p', any_nth, 68},       // ISETP
    {0x022, any_form, slot::b, 'r', any_nth, 64},           // FSWZADD
    {0x029, any_form, slot::b, 'r', any_nth, 64},           // DADD
    {0x02f, any_form, slot::b, 'u', any_nth, 24},           // ELECT
    {0x037, any_form, slot::data, 'r', any_nth, 40},        // IMMA.SP
    {0x037, any_form, slot::psrc, 'p', any_nth, 87, counts_down},
    {0x03a, any_form, slot::b, 'r', any_nth, 24},           // MOVM
    {0x03b, any_form, slot::uaddress, 'u', any_nth, 32},    // LDSM
    {0x03c, any_form, slot::data, 'r', any_nth, 40},        // HMMA.SP
    {0x03c, any_form, slot::psrc, 'p', any_nth, 87, counts_down},
    {0x03d, any_form, slot::psrc, 'p', any_nth, 87, counts_down},  // BMMA
    {0x03f, any_form, slot::psrc, 'p', any_nth, 87, counts_down},  // DMMA
    {0x054, any_form, slot::b, 'u', any_nth, 64},           // UFADD
    {0x07a, only(1), slot::data, 'r', any_nth, 40},         // QMMA.SP without scales
    {0x07a, only(1), slot::psrc, 'p', any_nth, 87, counts_down},
    {0x07a, any_form, slot::psrc, 'p', any_nth, 0},
    {0x07a, only(2), slot::b, 'r', any_nth, 32},            // QMMA.SF: the scales, or a pair with the selector
    {0x07a, only(2), slot::data, 'r', 0, 40},
    {0x07a, only(2), slot::data, 'r', 1, 52},
    {0x07a, only(2), slot::data, 'u', any_nth, 0},
    {0x07f, any_form, slot::psrc, 'p', any_nth, 0},              // OMMA: never seen
    {0x07f, only(2), slot::b, 'r', any_nth, 32},            // OMMA.SF: the same
    {0x07f, only(2), slot::data, 'r', 0, 40},
    {0x07f, only(2), slot::data, 'r', 1, 52},
    {0x07f, only(2), slot::data, 'u', any_nth, 0},
    {0x083, any_form, slot::psrc, 'p', any_nth, 0},         // UP2UR
    {0x084, any_form, slot::pdst, 'p', any_nth, 0},         // UR2UP
    {0x08c, any_form, slot::psrc1, 'p', any_nth, 68},       // UISETP
    {0x0bb, any_form, slot::uaddress, 'u', 0, 24},          // ULDC
    {0x11d, any_form, slot::a, 'r', any_nth, 32},           // BAR: number and threads in one register
    {0x11d, any_form, slot::b, 'r', any_nth, 32},
    {0x140, any_form, slot::uaddress, 'u', 0, 24},          // CCTL of uniform addresses
    {0x147, only(2), slot::branch, 'p', any_nth, 24},       // BRA.U
    {0x160, any_form, slot::b, 'r', any_nth, 32},           // TEX
    {0x160, any_form, slot::desc, 'u', any_nth, 40},
    {0x163, any_form, slot::b, 'r', any_nth, 32},           // TLD4
    {0x163, any_form, slot::desc, 'u', any_nth, 40},
    {0x166, any_form, slot::b, 'r', any_nth, 32},           // TLD
    {0x166, any_form, slot::desc, 'u', any_nth, 40},
    {0x16c, any_form, slot::b, 'r', any_nth, 32},           // TXD
    {0x16c, any_form, slot::desc, 'u', any_nth, 40},
    {0x16f, any_form, slot::desc, 'u', any_nth, 40},        // TXQ
    {0x177, any_form, slot::uaddress, 'u', 0, 24},          // USTGR
    {0x177, any_form, slot::data, 'u', any_nth, 32},
    {0x178, any_form, slot::uaddress, 'u', 0, 24},          // UREDGR
    {0x178, any_form, slot::data, 'u', any_nth, 32},
    {0x17e, any_form, slot::desc, 'u', any_nth, 32},        // LDG of 256 bits
    {0x17f, any_form, slot::data1, 'r', any_nth, 16},       // STG of 256 bits
    {0x17f, any_form, slot::desc, 'u', any_nth, 64},
    {0x180, any_form, slot::uaddress, 'u', any_nth, 32},    // LD
    {0x180, any_form, slot::desc, 'u', any_nth, 32},
    {0x181, any_form, slot::uaddress, 'u', any_nth, 32},    // LDG
    {0x181, any_form, slot::desc, 'u', any_nth, 32},
    {0x183, any_form, slot::uaddress, 'u', any_nth, 32},    // LDL
    {0x184, any_form, slot::uaddress, 'u', any_nth, 32},    // LDS
    {0x185, only(1), slot::data, 'r', any_nth, 64},         // ST without a descriptor
    {0x185, any_form, slot::uaddress, 'u', any_nth, 64},
    {0x185, any_form, slot::desc, 'u', any_nth, 64},
    {0x186, any_form, slot::uaddress, 'u', any_nth, 64},    // STG
    {0x186, any_form, slot::desc, 'u', any_nth, 64},
    {0x187, any_form, slot::uaddress, 'u', any_nth, 64},    // STL
    {0x188, any_form, slot::uaddress, 'u', any_nth, 64},    // STS
    {0x189, any_form, slot::b, 'r', any_nth, 32},           // SHFL
    {0x18a, any_form, slot::uaddress, 'u', any_nth, 64},    // ATOM
    {0x18a, any_form, slot::desc, 'u', any_nth, 64},
    {0x18c, any_form, slot::uaddress, 'u', any_nth, 64},    // ATOMS
    {0x18e, any_form, slot::uaddress, 'u', any_nth, 64},    // RED
    {0x18e, any_form, slot::desc, 'u', any_nth, 64},
    {0x199, any_form, slot::desc, 'u', any_nth, 40},        // SULD
    {0x19a, any_form, slot::desc, 'r', any_nth, 64},        // SULD.D: the handle
    {0x19b, any_form, slot::desc, 'u', any_nth, 40},        // SUST.P
    {0x19d, any_form, slot::desc, 'u', any_nth, 40},        // SUST.D
    {0x19f, any_form, slot::desc, 'u', any_nth, 40},        // SURED
    {0x1a1, any_form, slot::b, 'r', any_nth, 24},           // MATCH
    {0x1a2, any_form, slot::desc, 'u', any_nth, 64},        // ATOM of packed numbers
    {0x1a3, any_form, slot::desc, 'u', any_nth, 64},        // ATOMG of floating point
    {0x1a5, any_form, slot::uaddress, 'u', any_nth, 64},    // LDGMC
    {0x1a6, any_form, slot::uaddress, 'u', any_nth, 64},    // REDG
    {0x1a6, any_form, slot::desc, 'u', any_nth, 64},
    {0x1a7, any_form, slot::uaddress, 'u', any_nth, 64},    // SYNCS
    {0x1a8, any_form, slot::uaddress, 'u', any_nth, 64},    // ATOMG
    {0x1a8, any_form, slot::desc, 'u', any_nth, 64},
    {0x1aa, any_form, slot::uaddress, 'u', 0, 32},          // QSPC
    {0x1ac, any_form, slot::uaddress, 'u', 0, 24},          // LDCU
    {0x1ae, any_form, slot::address, 'r', 0, 16},           // LDGSTS: shared, then global
    {0x1ae, any_form, slot::address, 'r', 1, 24},
    {0x1ae, any_form, slot::uaddress, 'u', any_nth, 64},
    {0x1ae, only(6), slot::desc, 'u', any_nth, 64, 1},      // behind a uniform address: the next register (66 of 66)
    {0x1ae, any_form, slot::desc, 'u', any_nth, 64},
    {0x1b0, any_form, slot::uaddress, 'u', any_nth, 64},    // ARRIVES
    {0x1b1, any_form, slot::uaddress, 'u', any_nth, 64},    // SYNCS.CCTL
    {0x1b2, any_form, slot::data, 'u', any_nth, 32},        // SYNCS.EXCH
    {0x1b2, any_form, slot::desc, 'u', 0, 24},
    {0x1b2, any_form, slot::uaddress, 'u', any_nth, 24},    // USYNCS.CCTL
    {0x1b4, any_form, slot::uaddress, 'u', 0, 32},          // UTMALDG
    {0x1b4, any_form, slot::uaddress, 'u', 1, 24},
    {0x1b4, any_form, slot::desc, 'u', any_nth, 40},
    {0x1b5, any_form, slot::uaddress, 'u', 0, 32},          // UTMASTG
    {0x1b5, any_form, slot::uaddress, 'u', 1, 24},
    {0x1b6, any_form, slot::uaddress, 'u', 0, 32},          // UTMAREDG
    {0x1b6, any_form, slot::uaddress, 'u', 1, 24},
    {0x1b8, any_form, slot::uaddress, 'u', 0, 32},          // UTMAPF, UTMAL2CCTL
    {0x1b8, any_form, slot::uaddress, 'u', 1, 24},
    {0x1b8, any_form, slot::desc, 'u', any_nth, 40},
    {0x1b9, any_form, slot::uaddress, 'u', 0, 24},          // UTMACCTL
    {0x1ba, any_form, slot::uaddress, 'u', 0, 32},          // UBLKCP
    {0x1ba, any_form, slot::uaddress, 'u', 1, 24},
    {0x1bb, any_form, slot::uaddress, 'u', 0, 32},          // UBLKRED
    {0x1bb, any_form, slot::uaddress, 'u', 1, 24},
    {0x1bc, any_form, slot::uaddress, 'u', 0, 24},          // UBLKPF, UBLKL2CCTL
    {0x1bc, any_form, slot::desc, 'u', any_nth, 40},
    {0x1bf, any_form, slot::uaddress, 'u', any_nth, 24},    // USYNCS: two that follow each other
    {0x1bf, any_form, slot::data1, 'u', any_nth, 24, 1},
    {0x1c4, any_form, slot::b, 'r', any_nth, 24},           // REDUX
    {0x1ca, any_form, slot::uaddress, 'u', 0, 24},          // UGETNEXTWORKID: two that follow each other
    {0x1ca, any_form, slot::uaddress, 'u', 1, 24, 1},
    {0x1cb, any_form, slot::uaddress, 'u', 0, 24},          // UMEMSETS
    {0x1cb, any_form, slot::data, 'u', any_nth, 32},
    {0x1e3, any_form, slot::data1, 'u', any_nth, 32},       // UTCATOMSWS
    {0x1e6, any_form, slot::uaddress, 'u', 0, 24},          // UTCSHIFT
    {0x1e7, any_form, slot::uaddress, 'u', 0, 24},          // UTCCP
    {0x1e7, any_form, slot::desc, 'u', 0, 32},
    {0x1e9, any_form, slot::uaddress, 'u', 0, 24},          // UTCBAR
    {0x1e9, any_form, slot::desc, 'u', 0, 32},
    {0x1e9, any_form, slot::desc, 'u', 1, 64},
    {0x1ea, two_or_six, slot::uaddress, 'u', 0, 64},        // matrices in tensor memory, both factors in shared memory
    {0x1ea, two_or_six, slot::uaddress, 'u', 1, 40},
    {0x1ea, two_or_six, slot::uaddress, 'u', 2, 48},
    {0x1ea, two_or_six, slot::desc, 'u', 0, 24},
    {0x1ea, two_or_six, slot::desc, 'u', 1, 32},
    {0x1ea, two_or_six, slot::desc, 'u', 2, 40, 1},         // idesc is the next register
    {0x1ea, two_or_six, slot::desc, 'u', 3, 48},
    {0x1ea, only(4), slot::uaddress, 'u', 0, 24},           // one factor in tensor memory
    {0x1ea, only(4), slot::uaddress, 'u', 1, 64},
    {0x1ea, only(4), slot::uaddress, 'u', 2, 40},
    {0x1ea, only(4), slot::uaddress, 'u', 3, 48},
    {0x1ea, only(4), slot::desc, 'u', 0, 32},
    {0x1ea, only(4), slot::desc, 'u', 1, 40, 1},
    {0x1ea, only(4), slot::desc, 'u', 2, 48},
    {0x1ed, any_form, slot::uaddress, 'u', any_nth, 64},    // STTM
    {0x1ee, any_form, slot::dst1, 'r', any_nth, 24},        // LDTM
    {0x1ee, any_form, slot::uaddress, 'u', any_nth, 32},
    {0x1f0, only(4), slot::desc, 'u', 0, 24},               // matrices of a warp group
    {0x1f0, only(6), slot::desc, 'u', 0, 32},
    {0x1f0, only(7), slot::desc, 'u', 0, 32},
    {0x1f0, any_form, slot::data, 'r', any_nth, 40},        // the selector of a sparse factor
    {0x1f0, any_form, slot::psrc, 'p', any_nth, 87, counts_down},
    {0x1f1, only(4), slot::desc, 'u', 0, 24},               // IGMMA, BGMMA: the same
    {0x1f1, only(6), slot::desc, 'u', 0, 32},
    {0x1f1, only(7), slot::desc, 'u', 0, 32},
    {0x1f1, any_form, slot::data, 'r', any_nth, 40},
    {0x1f1, any_form, slot::psrc, 'p', any_nth, 87, counts_down},
    {0x1f2, only(4), slot::desc, 'u', 0, 24},
    {0x1f2, only(6), slot::desc, 'u', 0, 32},
    {0x1f2, only(7), slot::desc, 'u', 0, 32},
    {0x1f2, any_form, slot::data, 'r', any_nth, 0},
    {0x1f2, any_form, slot::psrc, 'p', any_nth, 87, counts_down},
    {0x1f3, only(4), slot::desc, 'u', 0, 24},
    {0x1f3, only(6), slot::desc, 'u', 0, 32},
    {0x1f3, only(7), slot::desc, 'u', 0, 32},
    {0x1f3, any_form, slot::data, 'r', any_nth, 40},
    {0x1f3, any_form, slot::psrc, 'p', any_nth, 87, counts_down},
};
// clang-format on
inline constexpr std::size_t other_place_count = sizeof other_places / sizeof *other_places;

// Index of the first row of each opcode.
inline constexpr auto first_other_place = [] {
  array<std::uint16_t, 513> first{};
  std::size_t row = 0;
  for (unsigned op = 0; op < 513; ++op) {
    while (row < other_place_count && other_places[row].op < op) ++row;
    first[op] = static_cast<std::uint16_t>(row);
  }
  return first;
}();

}  // namespace detail

// `opcode` are bits 0..11 of the low word; `o` a register operand, the `nth` of its slot.
[[nodiscard]] constexpr register_place place_of(unsigned opcode, operand o, unsigned nth, const dialect& d) {
  const unsigned op = opcode & 0x1ffu;
  const unsigned form = opcode >> 9 & 7u;
  const slot s = o.where();
  register_place p;
  char file = 'p';
  switch (o.file()) {
    case reg_file::r:
      p = {detail::usual_vector_place(s, form), 8};
      file = 'r';
      break;
    case reg_file::ur:
      p = {detail::usual_uniform_place(s, form), static_cast<std::uint8_t>(d.uniform_zero > 63 ? 8 : 6)};
      file = 'u';
      break;
    case reg_file::p:
    case reg_file::up:
      p = {detail::usual_predicate_place(s), 3};
      break;
    default:
      return p;
  }
  for (std::size_t k = detail::first_other_place[op]; k < detail::first_other_place[op + 1]; ++k) {
    const detail::other_place& row = detail::other_places[k];
    if (row.where != s || row.file != file || (row.forms >> form & 1u) == 0) continue;
    if (row.nth != detail::any_nth && row.nth != nth) continue;
    p.at = row.at;
    p.above = row.above;
    if (row.above == detail::counts_down) {
      p.above = 0;
      p.inverted = true;
    }
    break;
  }
  if (op == 0x148 && s == slot::branch && file == 'r' && !d.split_distance) p.at = 32;  // WARPSYNC
  // LDGSTS to [UR4] has one vector address only: the pair of the global one.
  if (op == 0x1ae && s == slot::address && o.width() == 2) p.at = 24;
  // F2FP.UNPACK_B of two registers since sm_100, which has no constants in third place any more.
  if (opcode == 0x63e && s == slot::b && file == 'r' && d.uniform_zero > 63) p.at = 32;
  return p;
}

}  // namespace ww::isa
