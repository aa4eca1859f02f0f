// SPDX-License-Identifier: BSL-1.0
//
// Scheduling classes: what latency, pipe, queue and issue tables are indexed by. A class is a property of
// opcode plus modifiers and is the same on every SM; how an SM treats it (pipe, fixed or variable, cycles) is in arch/.
//
// The names follow the units of facts/observed: `alu` IADD3 LOP3 SHF LEA PRMT IABS SGXT F2FP I2FP ...;
// `alu_dual` SEL FSEL MOV FMNMX (V)IMNMX FSET, the moves and selects that form a class of their own on sm_120;
// `setp` ISETP FSETP; `half_f32` HADD2.F32, `half_alu` HSET2 HSETP2 HMNMX2 (the slower half-precision paths);
// `hfma2_mma` the HFMA2.MMA form; mma sizes: small/medium/large by the k extent (see isa/decode).
#pragma once

#include <cstdint>

#include "../ir/instruction.hpp"

namespace ww {

enum class sched_class : std::uint8_t {
  unknown,
  nop,
  // fixed-latency vector
  alu,
  alu_dual,
  setp,
  plop3,
  vote,
  p2r,
  r2p,
  cs2r,
  cs2r_32,
  lepc,
  viadd,
  fma,
  imad,
  imad_wide,
  imad_hi,
  idp,
  half,
  half_f32,
  half_alu,
  hfma2_mma,
  fp64,
  dsetp,
  // matrix
  hmma_small,
  hmma_medium,
  hmma_large,
  hmma_sparse,
  imma_small,
  imma_medium,
  imma_large,
  bmma_small,
  bmma_large,
  dmma,
  qmma,
  hgmma,
  // variable-latency arithmetic and data movement
  mufu,
  conv,
  conv_64,
  popc,
  flo,
  brev,
  fchk,
  movm,
  match,
  redux,
  shfl,
  s2r,
  b2r,
  r2b,
  getlmembase,
  // memory
  ld,
  st,
  atom,
  ldg,
  stg,
  atomg,
  red,
  lds,
  sts,
  ldsm,
  stsm,
  atoms,
  ldl,
  stl,
  ldc,
  ldgsts,
  tex,
  tld,
  txq,
  suld,
  sust,
  suatom,
  cctl,
  membar,
  errbar,
  fence,
  ldgdepbar,
  depbar,
  ldtm,  // tensor memory (sm_100)
  sttm,
  tensor_shift,  // UTCSHIFT: rows of tensor memory moved by one
  tma,
  syncs,
  // synchronisation and control
  bar,
  nanosleep,
  warpsync,
  elect,
  collective,
  warpgroup,
  bmov_from_b,
  bmov_to_b,
  bssy,
  bsync,
  brk,
  yield,
  bpt,
  kill,
  branch,
  branch_indirect,
  call,
  ret,
  exit,
  // uniform datapath
  ualu,
  ualu_x,
  usetp,
  uplop3,
  uimad,
  uimad_wide,
  uldc,
  ldcu,
  umov,
  usel,
  voteu,
  r2ur,
  s2ur,
  ucs2r,
  ubit,
  ufp,
  // sm_50..62 only
  xmad,
  imul,
  rro,
  psetp,
  ssy,
  sync,
  texdepbar,
  ipa,
  ald,
  ast,
  // sm_120 and later: 64-bit integer add
  alu_64,
  // the same: comparison of 64-bit integers
  setp_64,
  // I2I: counted on sm_50..62, plain arithmetic later
  i2i,
  count
};

inline constexpr unsigned sched_class_count = static_cast<unsigned>(sched_class::count);

}  // namespace ww
