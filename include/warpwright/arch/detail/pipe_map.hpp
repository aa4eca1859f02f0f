// SPDX-License-Identifier: BSL-1.0
//
// Which pipe of a sub-core executes a class, before an SM's page says how it differs.
//
//   common_pipe    the two halves of the FMA pipe apart: floating point may follow IMAD at once
//   one_fma_pipe   the same with both halves as one
//   newer_pipe     that, with what went over to the ALU from sm_90 on
//   half_pace      the pipe to which compilers keep half precision apart, which is not the one of its operand cache
//
// Sources: facts: observed "Model that reproduces the minima" and pipe_probe, hardware 4. IMAD and the wide multiplies use
// the heavy half of the FMA pipe; SHFL, memory and special registers share the path to the load/store unit.
#pragma once

#include "../vocabulary.hpp"

namespace ww::detail {

constexpr pipe_id common_pipe(sched_class c) {
  switch (c) {
    case sched_class::alu:
    case sched_class::alu_64:
    case sched_class::i2i:
    case sched_class::alu_dual:
    case sched_class::setp:
    case sched_class::setp_64:
    case sched_class::plop3:
    case sched_class::vote:
    case sched_class::p2r:
    case sched_class::r2p:
    case sched_class::cs2r:
    case sched_class::cs2r_32:
    case sched_class::lepc:
    case sched_class::viadd:
    case sched_class::rro:
    case sched_class::psetp:
      return pipe_id::alu;
    case sched_class::fma:
    case sched_class::xmad:
      return pipe_id::fma;
    case sched_class::imad:
    case sched_class::imad_wide:
    case sched_class::imad_hi:
    case sched_class::idp:
    case sched_class::imul:
      return pipe_id::fma_heavy;
    case sched_class::half:
    case sched_class::half_f32:
    case sched_class::half_alu:
      return pipe_id::half;
    case sched_class::fp64:
    case sched_class::dsetp:
      return pipe_id::fp64;
    case sched_class::hfma2_mma:
    case sched_class::hmma_small:
    case sched_class::hmma_medium:
    case sched_class::hmma_large:
    case sched_class::hmma_sparse:
    case sched_class::imma_small:
    case sched_class::imma_medium:
    case sched_class::imma_large:
    case sched_class::bmma_small:
    case sched_class::bmma_large:
    case sched_class::dmma:
    case sched_class::qmma:
    case sched_class::hgmma:
      return pipe_id::tensor;
    case sched_class::mufu:
    case sched_class::conv:
    case sched_class::conv_64:
    case sched_class::popc:
    case sched_class::flo:
    case sched_class::brev:
    case sched_class::fchk:
    case sched_class::match:
    case sched_class::redux:
      return pipe_id::xu;
    case sched_class::tex:
    case sched_class::tld:
    case sched_class::txq:
      return pipe_id::tex;
    case sched_class::ualu:
    case sched_class::ualu_x:
    case sched_class::usetp:
    case sched_class::uplop3:
    case sched_class::uimad:
    case sched_class::uimad_wide:
    case sched_class::uldc:
    case sched_class::ldcu:
    case sched_class::umov:
    case sched_class::usel:
    case sched_class::voteu:
    case sched_class::r2ur:
    case sched_class::s2ur:
    case sched_class::ucs2r:
    case sched_class::ubit:
    case sched_class::ufp:
    case sched_class::elect:
      return pipe_id::uniform;
    case sched_class::movm:
    case sched_class::shfl:
    case sched_class::s2r:
    case sched_class::b2r:
    case sched_class::r2b:
    case sched_class::getlmembase:
    case sched_class::ld:
    case sched_class::st:
    case sched_class::atom:
    case sched_class::ldg:
    case sched_class::stg:
    case sched_class::atomg:
    case sched_class::red:
    case sched_class::lds:
    case sched_class::sts:
    case sched_class::ldsm:
    case sched_class::stsm:
    case sched_class::atoms:
    case sched_class::ldl:
    case sched_class::stl:
    case sched_class::ldc:
    case sched_class::ldgsts:
    case sched_class::suld:
    case sched_class::sust:
    case sched_class::suatom:
    case sched_class::cctl:
    case sched_class::ldtm:
    case sched_class::sttm:
    case sched_class::tma:
    case sched_class::syncs:
    case sched_class::ipa:
    case sched_class::ald:
    case sched_class::ast:
      return pipe_id::lsu;
    case sched_class::nop:
    case sched_class::unknown:
    case sched_class::count:
      return pipe_id::none;
    default:
      return pipe_id::control;
  }
}

// The same where floating point and IMAD take turns on one FMA pipe.
constexpr pipe_id one_fma_pipe(sched_class c) {
  const pipe_id pipe = common_pipe(c);
  return pipe == pipe_id::fma ? pipe_id::fma_heavy : pipe;
}

// As from sm_90 on. R2UR and ELECT go through the ALU (observed: 2 cycles to and from it, and to each other, some 2,000 neighbours on
// each SM, none closer; 1 to and from FMA).
constexpr pipe_id newer_pipe(sched_class c) {
  return c == sched_class::r2ur || c == sched_class::elect ? pipe_id::alu : one_fma_pipe(c);
}

// From sm_86 on comparisons and minima of half precision keep the pace of the ALU, HADD2.F32 that of IMAD; from sm_90 on HADD2, HMUL2
// and HFMA2 keep that of the FMA pipe too. `own` is the pipe without all this. Observed (CUDA 13.0, 100 generated kernels an SM,
// neighbours): ALU and these 2 apart, 258 of 258 on sm_86 to sm_120, 1 on sm_75 and sm_80; HADD2.F32 and IMAD 2 apart, 287 of 287, 1 on
// sm_75 and sm_80; from sm_90 on floating point and IMAD 2 behind half precision, 3,460 of 3,460 (on sm_86 and sm_89 1), half
// precision 2 behind IMAD, 463 of 463, and 1 behind floating point.
constexpr pipe_id half_pace(sched_class c, pipe_id own, bool with_fma) {
  switch (c) {
    case sched_class::half_alu:
      return pipe_id::alu;
    case sched_class::half_f32:
      return pipe_id::fma_heavy;
    case sched_class::half:
      return with_fma ? pipe_id::fma_heavy : own;
    default:
      return own;
  }
}

}  // namespace ww::detail
