// SPDX-License-Identifier: BSL-1.0
//
// Where the 128 bits of an instruction hold the registers that its text names.
//
//   form        bits 9..11: 2, 3 and 7 have an immediate, a constant or a uniform register in third place, which takes the
//               field of b, and the second source that of c
//   usual       guard 12..15, result 16, a 24, b 32, c 64, predicate results 81 and 84, predicate sources 87, 77 and 68
//   by opcode   memory, textures and bulk copies have addresses and descriptors elsewhere; so have a few others
// A predicate source has a fourth bit, which negates it. Observed, not documented: in 41,468 listings of sm_75 to sm_120, with
// 70 million registers, each stands where this header says, for every opcode by itself. Passed over is what was seen less than 20
// times, or has no field of its own: the third scale of QMMA.SF and OMMA.SF (two fields), UGETNEXTWORKID, QSPC, masks of UTC*MMA,
// P2R and R2P. Places of QMMA.SF and OMMA.SF: observed, 68 instructions of sm_120.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/array.hpp"

namespace ww::verify::detail {

inline constexpr std::uint8_t no_place = 0;     // not compared
inline constexpr std::uint8_t by_opcode = 255;  // the form does not tell

constexpr std::uint8_t usual_place(slot s, reg_file f, unsigned form) {
  const bool vector = f == reg_file::r;
  const bool uniform = f == reg_file::ur;
  const bool third = form == 2 || form == 3 || form == 7;
  if (f == reg_file::b || f == reg_file::sb) return by_opcode;
  if (!vector && !uniform) {
    switch (s) {
      case slot::guard:
        return 12;
      case slot::pdst:
        return 81;
      case slot::pdst1:
        return 84;
      case slot::psrc:
      case slot::branch:
        return 87;
      case slot::psrc1:
        return 77;
      case slot::psrc2:
        return 68;
      default:
        return no_place;
    }
  }
  switch (s) {
    case slot::dst:
      return 16;
    case slot::dst1:
      return 64;
    case slot::a:
    case slot::branch:
      return 24;
    case slot::b:
      return (vector && third) || form == 2 ? 64 : 32;
    case slot::c:
      return uniform && form == 7 ? 32 : 64;
    case slot::address:
      return form == 6 || form == 7 ? by_opcode : 24;
    case slot::data:
      return uniform && form == 1 ? 64 : 32;
    case slot::data1:
      return 64;
    case slot::uaddress:
    case slot::desc:
      return by_opcode;
    default:
      return no_place;
  }
}

inline constexpr unsigned slot_count = static_cast<unsigned>(slot::implicit) + 1;
inline constexpr unsigned places_of_slot = 8 * 8;  // forms and files

inline constexpr auto usual_places = [] {
  array<std::uint8_t, slot_count * places_of_slot> t{};
  for (unsigned s = 0; s < slot_count; ++s) {
    for (unsigned form = 0; form < 8; ++form) {
      for (const reg_file f : {reg_file::r, reg_file::p, reg_file::ur, reg_file::up, reg_file::b, reg_file::sb}) {
        t[s * places_of_slot + form * 8 + static_cast<unsigned>(f)] = usual_place(static_cast<slot>(s), f, form);
      }
    }
  }
  return t;
}();

// Bits 0..8 of opcodes whose places are others, as a set: what is not in it needs no look at `place_of_opcode`.
inline constexpr auto other_places = [] {
  array<std::uint64_t, 8> set{};
  for (const unsigned op :
       {0x007u, 0x00cu, 0x022u, 0x029u, 0x037u, 0x03au, 0x03cu, 0x03eu, 0x02fu, 0x054u, 0x07au, 0x07fu, 0x083u, 0x084u,
        0x08cu, 0x003u, 0x004u, 0x11du, 0x147u, 0x148u, 0x160u, 0x163u, 0x166u, 0x16cu, 0x177u, 0x178u, 0x17fu, 0x185u,
        0x189u, 0x1a1u, 0x1bfu, 0x1c4u, 0x1cbu, 0x1eeu, 0x1e3u, 0x1f0u, 0x1f1u, 0x1f2u, 0x1f3u, 0x1eau}) {
    set[op >> 6] |= std::uint64_t{1} << (op & 63u);
  }
  return set;
}();

// `nth` operand in its slot of an instruction whose low word begins with `op`, where the usual place would be `usual`.
constexpr std::uint8_t place_of_opcode(const instruction& i, operand o, unsigned nth, std::uint8_t usual, bool since_sm90,
                                       bool since_sm100) {
  const auto op = static_cast<unsigned>(i.word[0]) & 0xfffu;
  const slot s = o.where();
  const reg_file f = o.file();
  const bool predicate = f == reg_file::p || f == reg_file::up;
  if (s == slot::guard) return usual;
  switch (op & 0x1ffu) {
    case 0x003:  // P2R, R2P, UP2UR, UR2UP: a mask names predicates
    case 0x004:
    case 0x083:
    case 0x084:
      return predicate ? no_place : usual;
    case 0x007:  // SEL
      return s == slot::b && f == reg_file::r ? 32 : usual;
    case 0x00c:  // ISETP, UISETP
    case 0x08c:
      return s == slot::psrc1 ? 68 : usual;
    case 0x022:  // FSWZADD
    case 0x029:  // DADD
      return s == slot::b && f == reg_file::r ? 64 : usual;
    case 0x02f:  // ELECT
    case 0x03a:  // MOVM
    case 0x1a1:  // MATCH
    case 0x1c4:  // REDUX
      return s == slot::b ? 24 : usual;
    case 0x037:  // sparse matrices
    case 0x03c:
      return s == slot::data ? 40 : usual;
    case 0x03e:  // F2FP.UNPACK_B of two registers; before sm_100 the form of constants
      return op == 0x63e && s == slot::b && since_sm100 ? 32 : usual;
    case 0x054:  // UFADD (observed: sm_120 code, and 64 words as a disassembler prints them)
      return s == slot::b && f == reg_file::ur ? 64 : usual;
    case 0x07a:  // QMMA.SF, OMMA.SF: the scales, the first of them or of a pair with the selector of a sparse factor
    case 0x07f:
      if (predicate && op != 0x27a) return no_place;
      if (op >> 9 != 2) return s == slot::data ? 40 : usual == by_opcode ? no_place : usual;  // QMMA.SP: the selector
      if (s == slot::data) return f != reg_file::r ? no_place : nth == 0 ? 40 : nth == 1 ? 52 : no_place;
      return s == slot::b && f == reg_file::r ? 32 : usual;
    case 0x1ae:  // LDGSTS: the shared address, if a vector register is in it, and the global one, a pair
      return s == slot::address                       ? (nth == 0 && o.width() == 1 ? 16 : 24)
             : s == slot::uaddress || s == slot::desc ? 64
                                                      : usual;
    case 0x11d:  // BAR
      return s == slot::a || s == slot::b ? 32 : usual;
    case 0x11a:  // DEPBAR: the list behind the first is a mask
      return f != reg_file::sb ? usual : s == slot::a ? 44 : no_place;
    case 0x141:  // BSYNC, BREAK, BSSY
    case 0x142:
    case 0x145:
      return f == reg_file::b ? 16 : usual;
    case 0x155:  // BMOV, out of a register of its file and into one
      return f == reg_file::b ? (s == slot::dst ? 16 : 24) : usual;
    case 0x156:
      return f == reg_file::b ? (op == 0xf56 ? 16 : 24) : usual;
    case 0x147:  // BRA, BRA.U
      return f == reg_file::up ? 24 : usual;
    case 0x148:  // WARPSYNC
      return s == slot::branch && f == reg_file::r && !since_sm90 ? 32 : usual;
    case 0x17f:  // STG of 256 bits
      return s == slot::data1 ? 16 : s == slot::uaddress || s == slot::desc ? 64 : usual;
    case 0x185:  // ST
      return s == slot::data && op == 0x385 ? 64 : s == slot::uaddress || s == slot::desc ? 64 : usual;
    case 0x189:  // SHFL
      return s == slot::b && f == reg_file::r ? 32 : usual;
    case 0x17e:  // LDG, LD, LDL, LDS, LDSM
    case 0x180:
    case 0x181:
    case 0x183:
    case 0x184:
    case 0x03b:
      return s == slot::uaddress || s == slot::desc ? 32 : usual;
    case 0x177:  // USTGR
    case 0x178:  // UREDGR, UMEMSETS
    case 0x1cb:
      return s == slot::uaddress ? 24 : s == slot::data ? 32 : usual;
    case 0x1e3:  // UTCATOMSWS
      return s == slot::data1 ? 32 : usual;
    case 0x1bf:  // USYNCS
      return s == slot::uaddress || s == slot::data1 ? 24 : usual;
    case 0x1ee:  // LDTM
      return s == slot::dst1 ? 24 : s == slot::uaddress ? 32 : usual;
    case 0x1bd:  // STAS, REDAS
    case 0x1be:
      return s == slot::address ? 24 : usual == by_opcode ? no_place : usual;
    case 0x186:  // STG, ATOM, RED, STS, ATOMS, STL, LDGMC, STTM, SYNCS and surfaces with a descriptor in a register
    case 0x18a:
    case 0x18e:
    case 0x188:
    case 0x18c:
    case 0x187:
    case 0x1a2:
    case 0x1a3:
    case 0x1a5:
    case 0x1a6:
    case 0x1a8:
    case 0x1b0:
    case 0x1b1:
    case 0x19a:
    case 0x1ed:
    case 0x1a7:
      return s == slot::uaddress || s == slot::desc ? 64 : s == slot::address ? 24 : usual;
    case 0x1bc:  // UBLKPF, UBLKL2CCTL
      return s == slot::uaddress ? 24 : s == slot::desc ? 40 : usual;
    case 0x0bb:  // ULDC, LDCU, CCTL, UTMACCTL, UTCSHIFT, SYNCS.EXCH
    case 0x1ac:
    case 0x140:
    case 0x1b9:
    case 0x1e6:
    case 0x1b2:
      return nth == 0 && (s == slot::uaddress || s == slot::desc) ? 24 : usual == by_opcode ? no_place : usual;
    case 0x1b4:  // bulk copies
    case 0x1b5:
    case 0x1b6:
    case 0x1b8:
    case 0x1ba:
    case 0x1bb:
      return s == slot::uaddress ? (nth == 0 ? 32 : 24) : s == slot::desc ? 40 : usual;
    case 0x160:  // textures and surfaces
    case 0x163:
    case 0x166:
    case 0x16c:
      if (s == slot::b) return 32;
      [[fallthrough]];
    case 0x16f:
    case 0x199:
    case 0x19b:
    case 0x19d:
    case 0x19f:
      return s == slot::desc && f == reg_file::ur ? 40 : s == slot::address ? 24 : usual;
    case 0x1e7:  // UTCCP
      return s == slot::uaddress ? 24 : s == slot::desc ? 32 : usual;
    case 0x1e9:  // UTCBAR
      return s == slot::uaddress ? 24 : s == slot::desc ? (nth == 0 ? 32 : 64) : usual;
    case 0x1ea:           // matrices in tensor memory
      if (op == 0x9ea) {  // the first factor there too
        if (s == slot::uaddress) return nth == 0 ? 24 : nth == 1 ? 64 : nth == 2 ? 40 : no_place;
        return s == slot::desc ? (nth == 0 ? 32 : nth == 1 ? 40 : no_place) : usual;
      }
      if (op != 0x5ea) return no_place;
      if (s == slot::uaddress) return nth == 0 ? 64 : nth == 1 ? 40 : 48;
      return s == slot::desc ? (nth == 0 ? 24 : nth == 1 ? 32 : nth == 2 ? 40 : no_place) : usual;
    case 0x1f0:  // matrices of a warp group
    case 0x1f1:
    case 0x1f2:
    case 0x1f3:
      if (s == slot::data) return 40;  // the selector of a sparse factor
      return s == slot::desc ? (op >= 0xc00 ? 32 : 24) : usual;
    default:
      return usual == by_opcode ? no_place : usual;
  }
}

// How far an operand's number is above the one in its field: idesc is the register behind the last tmem, whose field it shares, and
// what USYNCS takes behind its address (263 of 263 instructions) has none of its own, nor has the policy of LDGSTS to a uniform
// address (66 of 66).
constexpr unsigned above_field(unsigned op, slot s, unsigned nth) {
  if ((op & 0x1ffu) == 0x1bf) return s == slot::data1 ? 1 : 0;
  if (op == 0xdae) return s == slot::desc ? 1 : 0;
  if ((op & 0x1ffu) != 0x1ea || s != slot::desc) return 0;
  return nth == (op >> 9 == 4 ? 1u : 2u) ? 1 : 0;
}

// Does the field hold 7 minus the number of a predicate source? So it is with the switch of matrix operations: 0 in all words without
// one, which is UPT (observed: what a disassembler prints for every value of the four bits, HMMA, IMMA, BMMA, DMMA and QMMA of sm_86
// to sm_120; those of sm_75 and sm_80 have no such field).
constexpr bool counts_down(unsigned op, slot s) {
  if (s != slot::psrc) return false;
  const unsigned code = op & 0x1ffu;
  return code == 0x037 || code == 0x03c || code == 0x03d || code == 0x03f || code == 0x07a ||
         (code >= 0x1f0 && code <= 0x1f3);
}

}  // namespace ww::verify::detail
