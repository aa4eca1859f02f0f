// SPDX-License-Identifier: BSL-1.0
//
// Which latency group a scheduling class belongs to, per register file (groups: groups.hpp).
//
// Eight maps by class; group_of.hpp refines them by slot and part. Classes that never write or read a file map
// to `none`, whose distance is 1. A class that stands in `counted` has a counter on every SM; a class in another group
// may still be counted on some SM: that is the latency page's `variable`.
#pragma once

#include "groups.hpp"

namespace ww::detail {

// A template over the types of its members, so that only units that use an SM pay for the maps.
template <template <class> class Map = class_map, class Set = class_set>
struct group_maps {
  // Control flow and what belongs to it.
  static constexpr Set control{sched_class::unknown,
                               sched_class::nop,
                               sched_class::bar,
                               sched_class::warpsync,
                               sched_class::elect,
                               sched_class::collective,
                               sched_class::warpgroup,
                               sched_class::bmov_from_b,
                               sched_class::bmov_to_b,
                               sched_class::bssy,
                               sched_class::bsync,
                               sched_class::brk,
                               sched_class::yield,
                               sched_class::bpt,
                               sched_class::kill,
                               sched_class::branch,
                               sched_class::branch_indirect,
                               sched_class::call,
                               sched_class::ret,
                               sched_class::exit,
                               sched_class::ssy,
                               sched_class::sync,
                               sched_class::texdepbar};
  // What goes to the special unit and its neighbours.
  static constexpr Set special_units{
      sched_class::mufu,  sched_class::conv,        sched_class::conv_64, sched_class::popc,
      sched_class::flo,   sched_class::brev,        sched_class::fchk,    sched_class::movm,
      sched_class::match, sched_class::redux,       sched_class::s2r,     sched_class::b2r,
      sched_class::r2b,   sched_class::getlmembase, sched_class::ldc,     sched_class::nanosleep};
  // Accesses to memory and the order between them.
  static constexpr Set memory{sched_class::shfl,      sched_class::ld,          sched_class::st,     sched_class::atom,
                              sched_class::ldg,       sched_class::stg,         sched_class::atomg,  sched_class::red,
                              sched_class::lds,       sched_class::sts,         sched_class::ldsm,   sched_class::stsm,
                              sched_class::atoms,     sched_class::ldl,         sched_class::stl,    sched_class::ldgsts,
                              sched_class::cctl,      sched_class::membar,      sched_class::errbar, sched_class::fence,
                              sched_class::ldgdepbar, sched_class::depbar,      sched_class::ipa,    sched_class::ald,
                              sched_class::ast,       sched_class::tensor_shift};
  // Textures and surfaces.
  static constexpr Set texture{sched_class::tex,  sched_class::tld,  sched_class::txq,
                               sched_class::suld, sched_class::sust, sched_class::suatom};
  // Matrix instructions but for those in double precision.
  static constexpr Set matrix{sched_class::hmma_small,  sched_class::hmma_medium, sched_class::hmma_large,
                              sched_class::hmma_sparse, sched_class::imma_small,  sched_class::imma_medium,
                              sched_class::imma_large,  sched_class::bmma_small,  sched_class::bmma_large,
                              sched_class::qmma,        sched_class::hgmma};
  // The uniform path.
  static constexpr Set uniform{sched_class::ualu,  sched_class::ualu_x,     sched_class::usetp, sched_class::uplop3,
                               sched_class::uimad, sched_class::uimad_wide, sched_class::uldc,  sched_class::ldcu,
                               sched_class::umov,  sched_class::usel,       sched_class::voteu, sched_class::r2ur,
                               sched_class::s2ur,  sched_class::ucs2r,      sched_class::ubit,  sched_class::ufp};
  // Vector arithmetic, moves and predicates.
  static constexpr Set arithmetic{
      sched_class::i2i,      sched_class::alu_64,    sched_class::alu,       sched_class::alu_dual, sched_class::setp,
      sched_class::setp_64,  sched_class::plop3,     sched_class::vote,      sched_class::p2r,      sched_class::r2p,
      sched_class::cs2r,     sched_class::cs2r_32,   sched_class::lepc,      sched_class::viadd,    sched_class::fma,
      sched_class::imad,     sched_class::imad_wide, sched_class::imad_hi,   sched_class::idp,      sched_class::half,
      sched_class::half_f32, sched_class::half_alu,  sched_class::hfma2_mma, sched_class::fp64,     sched_class::dsetp,
      sched_class::dmma};
  // Classes whose results come when they come, and whose sources are read so.
  static constexpr Set counted =
      special_units | memory | texture |
      Set{sched_class::ldtm, sched_class::sttm, sched_class::tma, sched_class::syncs, sched_class::imul};

  // Writers of R.
  static constexpr Map<r_writer> r_writers{
      r_writer::none,
      {
          {r_writer::alu,
           {sched_class::i2i, sched_class::alu, sched_class::setp, sched_class::p2r, sched_class::elect, sched_class::xmad,
            sched_class::psetp}},
          {r_writer::alu_64, {sched_class::alu_64, sched_class::setp_64}},  // the latter IMNMX.U64
          {r_writer::dual, {sched_class::alu_dual, sched_class::rro}},      // RRO: observed, 4 cycles to FADD
          {r_writer::vote, {sched_class::vote}},
          {r_writer::cs2r, {sched_class::cs2r, sched_class::lepc}},
          {r_writer::cs2r_32, {sched_class::cs2r_32}},
          {r_writer::viadd, {sched_class::viadd}},
          {r_writer::fma, {sched_class::fma, sched_class::imad, sched_class::idp}},
          {r_writer::wide_low, {sched_class::imad_wide}},
          {r_writer::imad_hi, {sched_class::imad_hi}},
          {r_writer::half, {sched_class::half}},
          {r_writer::half_alu, {sched_class::half_f32, sched_class::half_alu}},
          {r_writer::hfma2_mma, {sched_class::hfma2_mma}},
          {r_writer::fp64, {sched_class::fp64, sched_class::dsetp}},
          {r_writer::hmma_small, {sched_class::hmma_small}},
          {r_writer::hmma_medium, {sched_class::hmma_medium}},
          {r_writer::hmma_large, {sched_class::hmma_large}},
          {r_writer::hmma_sparse, {sched_class::hmma_sparse}},
          {r_writer::imma_small, {sched_class::imma_small}},
          {r_writer::imma_medium, {sched_class::imma_medium}},
          {r_writer::imma_large, {sched_class::imma_large}},
          {r_writer::bmma_small, {sched_class::bmma_small}},
          {r_writer::bmma_large, {sched_class::bmma_large}},
          {r_writer::dmma, {sched_class::dmma}},
          {r_writer::qmma, {sched_class::qmma}},
          {r_writer::hgmma, {sched_class::hgmma}},
          {r_writer::counted, counted | Set{sched_class::bmov_from_b}},
      }};

  // Readers of R.
  static constexpr Map<r_reader> r_readers{
      r_reader::none,
      {
          {r_reader::control, control},
          {r_reader::alu,
           {sched_class::i2i, sched_class::alu, sched_class::plop3, sched_class::vote, sched_class::p2r, sched_class::r2p,
            sched_class::cs2r, sched_class::cs2r_32, sched_class::lepc, sched_class::xmad, sched_class::rro,
            sched_class::psetp}},
          {r_reader::alu_64, {sched_class::alu_64}},
          {r_reader::conv_64, {sched_class::conv_64}},
          {r_reader::tex, texture},
          {r_reader::dual, {sched_class::alu_dual}},
          {r_reader::setp, {sched_class::setp, sched_class::setp_64}},
          {r_reader::viadd, {sched_class::viadd}},
          {r_reader::fma, {sched_class::fma, sched_class::imad, sched_class::idp}},
          {r_reader::wide_ab, {sched_class::imad_wide}},
          {r_reader::imad_hi, {sched_class::imad_hi}},
          {r_reader::half, {sched_class::half}},
          {r_reader::half_alu, {sched_class::half_f32, sched_class::half_alu}},
          {r_reader::hfma2_mma, {sched_class::hfma2_mma}},
          {r_reader::fp64, {sched_class::fp64, sched_class::dsetp}},
          {r_reader::mma_ab, matrix},
          {r_reader::dmma, {sched_class::dmma}},
          {r_reader::xu, (special_units - Set{sched_class::conv_64, sched_class::movm}) |
                             Set{sched_class::ldtm, sched_class::sttm, sched_class::syncs, sched_class::imul}},
          // MOVM goes down the path of shared memory. Observed: 5 cycles (8 on sm_75) in 1,500 cases, none sooner.
          {r_reader::mem_address, memory | Set{sched_class::tma, sched_class::movm}},
          {r_reader::r2ur, uniform},
      }};

  // Writers of P.
  static constexpr Map<p_writer> p_writers{
      p_writer::none,
      {
          {p_writer::alu,
           {sched_class::i2i, sched_class::alu_64, sched_class::alu, sched_class::p2r, sched_class::viadd,
            sched_class::xmad}},
          {p_writer::dual, {sched_class::alu_dual}},
          {p_writer::setp, {sched_class::setp, sched_class::psetp}},
          {p_writer::setp_64, {sched_class::setp_64}},
          {p_writer::plop3, {sched_class::plop3}},
          {p_writer::vote, {sched_class::vote}},
          {p_writer::r2p, {sched_class::r2p}},
          {p_writer::fma, {sched_class::fma, sched_class::imad, sched_class::idp}},
          {p_writer::wide, {sched_class::imad_wide}},
          {p_writer::imad_hi, {sched_class::imad_hi}},
          {p_writer::half, {sched_class::half, sched_class::half_f32, sched_class::half_alu, sched_class::hfma2_mma}},
          {p_writer::fp64, {sched_class::fp64, sched_class::dsetp}},
          {p_writer::counted, counted},
          {p_writer::elect, {sched_class::elect}},
          {p_writer::r2ur, {sched_class::usetp, sched_class::uplop3, sched_class::voteu, sched_class::r2ur}},
      }};

  // Readers of P as an operand.
  static constexpr Map<p_reader> p_readers{
      p_reader::none,
      {
          {p_reader::control, control | Set{sched_class::r2p}},
          {p_reader::alu,
           {sched_class::i2i, sched_class::alu_64, sched_class::alu, sched_class::p2r, sched_class::cs2r,
            sched_class::cs2r_32, sched_class::lepc, sched_class::viadd, sched_class::xmad, sched_class::rro}},
          {p_reader::dual, {sched_class::alu_dual}},
          {p_reader::setp, {sched_class::setp, sched_class::setp_64, sched_class::psetp}},
          {p_reader::plop3, {sched_class::plop3}},
          {p_reader::vote, {sched_class::vote}},
          {p_reader::fma, {sched_class::fma, sched_class::imad, sched_class::imad_hi, sched_class::idp}},
          {p_reader::wide, {sched_class::imad_wide}},
          {p_reader::half, {sched_class::half, sched_class::half_f32, sched_class::half_alu, sched_class::hfma2_mma}},
          {p_reader::fp64, matrix | Set{sched_class::fp64, sched_class::dsetp, sched_class::dmma}},
          {p_reader::late, counted},
          {p_reader::uniform, uniform},
      }};

  // Writers of UR.
  static constexpr Map<u_writer> u_writers{
      u_writer::none,
      {
          {u_writer::r2ur, {sched_class::redux, sched_class::r2ur}},
          {u_writer::counted, {sched_class::collective, sched_class::ldcu, sched_class::s2ur}},
          {u_writer::ualu,
           {sched_class::ualu, sched_class::usetp, sched_class::uplop3, sched_class::usel, sched_class::ucs2r,
            sched_class::ubit, sched_class::ufp}},
          {u_writer::ualu_x, {sched_class::ualu_x}},
          {u_writer::uimad, {sched_class::uimad}},
          {u_writer::uimad_wide, {sched_class::uimad_wide}},
          {u_writer::uldc, {sched_class::uldc}},
          {u_writer::umov, {sched_class::umov}},
          {u_writer::voteu, {sched_class::voteu, sched_class::elect}},
      }};

  // Readers of UR.
  static constexpr Map<u_reader> u_readers{
      u_reader::none,
      {
          {u_reader::branch, control},
          {u_reader::vector, matrix | arithmetic},
          {u_reader::xu, special_units},
          {u_reader::memory, memory | texture | Set{sched_class::ldtm, sched_class::sttm}},
          {u_reader::tma, {sched_class::tma, sched_class::syncs}},
          {u_reader::ualu,
           {sched_class::ualu, sched_class::usetp, sched_class::uplop3, sched_class::uimad, sched_class::uimad_wide,
            sched_class::ucs2r, sched_class::ubit, sched_class::ufp}},
          {u_reader::ualu_x, {sched_class::ualu_x}},
          {u_reader::uldc, {sched_class::uldc, sched_class::ldcu}},
          {u_reader::umov, {sched_class::umov, sched_class::voteu, sched_class::r2ur, sched_class::s2ur}},
          {u_reader::usel, {sched_class::usel}},
      }};

  // Writers of UP.
  static constexpr Map<up_writer> up_writers{
      up_writer::none,
      {
          {up_writer::counted,
           {sched_class::redux, sched_class::syncs, sched_class::uldc, sched_class::ldcu, sched_class::s2ur}},
          {up_writer::voteu, {sched_class::elect, sched_class::voteu, sched_class::r2ur}},
          {up_writer::ualu,
           {sched_class::ualu, sched_class::ualu_x, sched_class::uimad, sched_class::uimad_wide, sched_class::umov,
            sched_class::usel, sched_class::ubit, sched_class::ufp}},
          {up_writer::usetp, {sched_class::usetp}},
          {up_writer::uplop3, {sched_class::uplop3}},
      }};

  // Readers of UP as an operand.
  static constexpr Map<up_reader> up_readers{
      up_reader::none,
      {
          {up_reader::branch, control},
          {up_reader::vector, ((counted | arithmetic) - Set{sched_class::tma, sched_class::syncs}) |
                                  Set{sched_class::xmad, sched_class::rro, sched_class::psetp}},
          {up_reader::uldc, matrix | Set{sched_class::tma, sched_class::syncs, sched_class::uldc, sched_class::ldcu}},
          {up_reader::ualu, uniform - Set{sched_class::ualu_x, sched_class::uldc, sched_class::ldcu, sched_class::ucs2r}},
          {up_reader::ualu_x, {sched_class::ualu_x}},
      }};
};

}  // namespace ww::detail
