// SPDX-License-Identifier: BSL-1.0
//
// The opcodes: mnemonics of sm_50 .. sm_120 machine code without their modifiers.
//
// One enumerator per mnemonic, in lower case, with a trailing underscore where C++ has the word already. The names
// come from listings (all of the corpus, newer listings of sm_100 and sm_120) and from the public opcode lists of
// facts/hardware.md 2.1 and 5.2. Order is that of the rows in opcode_table.hpp, which a test checks.
// `unknown` is every other mnemonic: decoding gives a full fence and never guesses.
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"

namespace ww {

// clang-format off
enum class opcode : std::uint16_t {
  unknown = 0,
  // arith
  fadd, fmul, ffma, ffma32i, fadd32i, fmul32i, fswzadd, fswz, fadd2, fmul2, ffma2, fcmp, fhadd, fhfma, fmnmx, fsel,
  fset, mov, sel, imnmx, vimnmx, mov32i, fmnmx3, vimnmx3, icmp, iset, iadd3, lea, lop3, shf, prmt, iabs, bmsk, sgxt,
  viaddmnmx, vabsdiff, vabsdiff4, f2fp, i2fp, i2ip, f2ip, i2i, iadd, iadd2, iadd32i, lop, lop32i, shl, shr, bfe, bfi,
  iscadd, iscadd32i, vadd, vmnmx, vset, vshl, vshr, vsel, vhmnmx, viadd4, viadd2, viset, lea32i, viadd, imad, imadsp,
  imad32i, vmad, idp, idp4a, idp2a, xmad, imul, imul32i, hadd2, hmul2, hfma2, hadd2_32i, hmul2_32i, hfma2_32i, hset2,
  hmnmx2, hmnmx3, hsetp2, dadd, dmul, dfma, dmnmx, dset, clmad, dsetp, isetp, fsetp, psetp, pset, csetp, cset, plop3,
  vote, vsetp, p2r, r2p, cs2r, lepc, rpcmov, fchk, mufu, rro, f2f, f2i, i2f, frnd, popc, flo, brev, movm, match,
  redux, credux, shfl, s2r, b2r, r2b, getlmembase, setlmembase, r2ur, s2ur, cs2ur, ucs2r, elect, hmma, imma, bmma,
  dmma, qmma, omma, hgmma, igmma, qgmma, bgmma, utchmma, utcimma, utcqmma, utcomma, utcmxqmma,
  // uniform
  uiadd3, ulop3, ushf, ulea, uprmt, uiabs, usgxt, ubmsk, ulop, ushl, ushr, uviadd, uimnmx, uvimnmx, uvimnmx3,
  uviaddmnmx, uiadd, uf2fp, ui2fp, ui2i, umov, umov32i, usel, uimad, ufadd, ufmul, uffma, ufmnmx, ufsel, ufset, uf2f,
  uf2i, ui2f, ufrnd, ui2ip, uf2ip, ufmnmx3, uisetp, ufsetp, uplop3, upsetp, voteu, uflo, upopc, ubrev, ur2ur, p2ur,
  up2ur, ur2up, r2up,
  // memory
  ld, st, atom, ldg, stg, atomg, red, redg, reds, lds, sts, umemsets, ldsm, stsm, atoms, ldl, stl, ldc, uldc, ldcu, ldgmc, ldt,
  ldtm, ldtram, ldu, stas, redas, sttm, stt, ldgsts, tex, tld4, txd, tmml, texs, tld4s, txa, tld, tlds, txq, suld,
  suldga, sust, sustga, suatom, sured, suquery, suclamp, subfm, sueau, footprint, cctl, cctll, cctlt, qspc, membar,
  errbar, cgaerrbar, ugetnextworkid, uredgr, ustgr, fence, ldgdepbar, arrives, depbar, utmaldg, utmastg, utmaredg, utmapf,
  utmal2cctl, utmacctl, ublkcp, ublkpf, ublkl2cctl, ublkred, utmacmdflush, utccp, utcshift, utcbar, utcatomsws, utcldsws,
  utcstsws, syncs, usyncs, ucpabar, cpabar, ald, isberd, ast, isbewr, ipa, pixld, al2p, out, texdepbar,
  // control
  nop, bar, ucgabar_arv, ucgabar_wait, ucgabar_get, ucgabar_set, barcp, nanosleep, usetmaxreg, setmaxreg, warpsync,
  endcollective, warpgroup, warpgroupset, bmov, bssy, bsync, break_, bclear, yield, bpt, pmtrig, kill, bra, jmp, brx,
  jmx, brxu, jmxu, call, cal, jcal, pret, ret, exit, preexit, acqbulk, acqshminit, rtt, ram, sam, setctaid,
  setsmemsize, usetshmsz, uvirtcount, ssy, pbk, pcnt, plongjmp, sync, brk, cont, longjmp,
  count
};
// clang-format on

inline constexpr unsigned opcode_count = static_cast<unsigned>(opcode::count);

}  // namespace ww
