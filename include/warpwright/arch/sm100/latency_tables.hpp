// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_100 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is source(check, emit): `check` is the tightest distance seen in compiler output, `emit` the one that generated
// code keeps. obs = observed at least ten times, doc = documented, assume = borrowed from a related SM or reader.
// Written by scripts/derive_latency.py from 717019 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 309 observed, 1230 documented, 0 assumed.
#pragma once

#include "../detail/latency_table.hpp"

// clang-format off
namespace ww::detail {

struct sm100_tables {
  // General registers, read after write.
  static constexpr latency_matrix<r_writer, r_reader> r_raw = {{
      //               none       alu          dual         setp         viadd        fma          wide_ab      wide_c_low   wide_c_high  imad_hi      imad_hi_c    half         half_alu     hfma2_mma    fp64         mma_ab       mma_c        dmma         xu           tex          mem_address  mem_data     control      r2ur         alu_64
      /* none        */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* counted     */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* alu         */ {{doc(1, 1), obs(4, 4),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(3, 3),   obs(5, 5),   doc(5, 5),   obs(5, 5),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   obs(7, 7),   obs(7, 7),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   obs(4, 5),   obs(4, 4),   doc(4, 4)}},
      /* dual        */ {{doc(1, 1), obs(4, 4),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(3, 3),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   obs(7, 7),   obs(7, 7),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   obs(4, 5),   obs(4, 4),   doc(4, 4)}},
      /* viadd       */ {{doc(1, 1), obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(4, 4),   obs(4, 4),   obs(4, 4),   doc(4, 6),   doc(2, 4),   doc(4, 4),   doc(4, 4),   obs(5, 5),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   doc(7, 7),   doc(7, 7),   obs(4, 4),   doc(4, 4),   obs(5, 5),   obs(5, 5),   doc(4, 5),   doc(4, 5),   doc(5, 5)}},
      /* vote        */ {{doc(1, 1), obs(4, 4),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   obs(5, 5),   doc(5, 5),   doc(3, 3),   doc(5, 5),   doc(5, 5),   obs(5, 5),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   doc(7, 7),   doc(7, 7),   obs(4, 4),   obs(4, 6),   obs(5, 5),   obs(5, 5),   doc(4, 5),   doc(4, 5),   doc(4, 4)}},
      /* cs2r        */ {{doc(1, 1), obs(6, 6),   doc(6, 6),   doc(6, 6),   doc(6, 6),   obs(6, 11),  doc(6, 6),   doc(6, 6),   doc(4, 6),   doc(6, 6),   doc(6, 6),   doc(6, 6),   doc(6, 6),   doc(6, 6),   doc(6, 6),   doc(7, 10),  obs(7, 7),   doc(7, 10),  doc(4, 4),   doc(4, 4),   doc(5, 5),   doc(5, 5),   doc(4, 5),   doc(4, 5),   doc(6, 6)}},
      /* cs2r_32     */ {{doc(1, 1), obs(4, 4),   doc(4, 4),   doc(4, 4),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(3, 3),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(6, 6),   doc(6, 6),   doc(7, 7),   doc(7, 7),   doc(7, 7),   doc(4, 4),   doc(4, 4),   doc(5, 5),   doc(5, 5),   doc(4, 5),   doc(4, 5),   doc(4, 4)}},
      /* fma         */ {{doc(1, 1), obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(4, 4),   obs(4, 4),   obs(4, 4),   obs(4, 4),   obs(2, 2),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   obs(7, 7),   obs(7, 7),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   obs(4, 6),   obs(5, 5),   doc(5, 5)}},
      /* wide_low    */ {{doc(1, 1), obs(3, 3),   doc(3, 3),   doc(3, 3),   doc(2, 2),   obs(4, 4),   doc(4, 4),   obs(4, 4),   doc(2, 2),   doc(4, 4),   doc(2, 2),   doc(3, 3),   doc(3, 3),   doc(6, 6),   obs(6, 6),   doc(7, 7),   doc(7, 7),   doc(7, 7),   doc(4, 4),   doc(4, 5),   obs(5, 5),   obs(5, 5),   doc(4, 5),   doc(4, 5),   doc(3, 3)}},
      /* wide_high   */ {{doc(1, 1), obs(5, 5),   obs(5, 5),   doc(5, 5),   doc(4, 4),   obs(4, 4),   doc(6, 6),   doc(4, 4),   obs(4, 4),   doc(6, 6),   doc(4, 4),   doc(5, 5),   doc(5, 5),   doc(6, 6),   obs(6, 6),   doc(7, 7),   doc(7, 7),   doc(7, 7),   doc(4, 4),   doc(4, 4),   obs(5, 5),   obs(5, 5),   doc(4, 5),   doc(4, 5),   doc(5, 5)}},
      /* imad_hi     */ {{doc(1, 1), obs(5, 5),   obs(5, 5),   obs(5, 5),   doc(4, 4),   obs(4, 4),   obs(6, 6),   doc(4, 4),   doc(2, 2),   obs(6, 6),   doc(4, 4),   obs(5, 5),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   doc(7, 7),   doc(7, 7),   obs(4, 4),   doc(4, 4),   obs(5, 5),   obs(5, 5),   doc(4, 5),   doc(4, 5),   doc(5, 5)}},
      /* half        */ {{doc(1, 1), obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   doc(5, 5),   doc(3, 6),   obs(5, 5),   obs(5, 5),   obs(4, 4),   obs(5, 5),   doc(6, 6),   obs(6, 6),   obs(7, 7),   doc(7, 7),   doc(7, 7),   obs(4, 4),   obs(4, 4),   obs(5, 5),   obs(5, 5),   doc(4, 5),   obs(4, 5),   doc(5, 5)}},
      /* half_alu    */ {{doc(1, 1), obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   obs(5, 5),   doc(5, 5),   doc(3, 3),   doc(5, 5),   doc(5, 5),   obs(5, 5),   obs(4, 4),   doc(6, 6),   obs(6, 6),   obs(7, 7),   doc(7, 7),   doc(7, 7),   obs(4, 4),   doc(4, 4),   obs(5, 5),   obs(5, 5),   doc(4, 5),   obs(4, 5),   doc(5, 5)}},
      /* hfma2_mma   */ {{doc(1, 1), doc(10, 10), doc(10, 10), doc(10, 10), doc(10, 10), doc(10, 10), doc(10, 10), doc(10, 10), doc(8, 8),   doc(10, 10), doc(10, 10), doc(10, 10), doc(10, 10), doc(10, 10), doc(8, 8),   doc(11, 11), doc(11, 11), doc(11, 11), doc(6, 6),   doc(6, 6),   doc(7, 7),   doc(7, 7),   obs(6, 6),   doc(6, 6),   doc(10, 10)}},
      /* fp64        */ {{doc(1, 1), obs(10, 10), obs(10, 10), obs(10, 10), obs(10, 10), obs(10, 10), obs(10, 10), doc(10, 10), doc(8, 10),  doc(10, 10), doc(10, 10), obs(10, 10), obs(10, 10), doc(10, 10), obs(8, 8),   obs(11, 13), doc(11, 13), obs(11, 11), obs(6, 6),   doc(6, 7),   obs(7, 7),   obs(7, 7),   doc(6, 6),   doc(6, 6),   doc(10, 10)}},
      /* hmma_small  */ {{doc(1, 1), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), doc(19, 20), doc(19, 24), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* hmma_medium */ {{doc(1, 1), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), obs(20, 20), doc(19, 26), obs(19, 19), doc(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* hmma_large  */ {{doc(1, 1), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), obs(23, 24), obs(20, 20), doc(19, 24), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* hmma_sparse */ {{doc(1, 1), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), doc(19, 20), doc(19, 24), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* imma_small  */ {{doc(1, 1), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), doc(19, 20), doc(19, 24), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* imma_medium */ {{doc(1, 1), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), obs(22, 22), doc(19, 24), obs(19, 19), doc(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* imma_large  */ {{doc(1, 1), obs(19, 19), obs(19, 19), obs(19, 19), doc(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), obs(20, 20), doc(19, 24), obs(19, 19), doc(19, 19), doc(19, 19), obs(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* bmma_small  */ {{doc(1, 1), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), doc(19, 20), doc(19, 24), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* bmma_large  */ {{doc(1, 1), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), doc(19, 20), doc(19, 24), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* dmma        */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* qmma        */ {{doc(1, 1), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 24), doc(19, 20), doc(19, 24), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19), doc(19, 19)}},
      /* hgmma       */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1), doc(4, 4),   doc(4, 4),   doc(4, 4),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(3, 3),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(5, 5),   doc(6, 6),   doc(6, 6),   doc(7, 7),   doc(7, 7),   doc(7, 7),   doc(4, 4),   doc(4, 4),   doc(5, 5),   doc(5, 5),   doc(4, 5),   doc(4, 5),   doc(4, 4)}},
  }};

  // Predicates, read after write.
  static constexpr latency_matrix<p_writer, p_reader> p_raw = {{
      //           none       guard        alu         dual        setp        plop3       fma         wide        half         fp64         vote         control      late         uniform
      /* none    */ {{doc(1, 1), doc(1, 1),   doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),   doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* alu     */ {{doc(1, 1), obs(13, 13), obs(4, 4),  obs(4, 4),  obs(4, 4),  obs(4, 4),  obs(5, 5),  doc(5, 7),  doc(13, 13), doc(13, 13), obs(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* dual    */ {{doc(1, 1), doc(13, 13), doc(4, 4),  doc(4, 4),  doc(4, 4),  doc(4, 4),  doc(5, 5),  doc(5, 5),  doc(13, 13), doc(13, 13), doc(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* setp    */ {{doc(1, 1), obs(13, 13), doc(4, 4),  obs(4, 4),  obs(4, 4),  obs(4, 4),  doc(5, 5),  doc(5, 5),  doc(13, 13), obs(13, 13), obs(13, 13), obs(13, 13), doc(13, 13), obs(13, 13)}},
      /* plop3   */ {{doc(1, 1), obs(13, 13), doc(4, 4),  obs(4, 4),  doc(4, 4),  doc(4, 6),  doc(5, 5),  doc(5, 5),  doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* vote    */ {{doc(1, 1), obs(13, 13), doc(4, 4),  obs(4, 4),  obs(4, 4),  doc(4, 4),  doc(5, 5),  doc(5, 5),  doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* r2p     */ {{doc(1, 1), obs(13, 13), doc(4, 4),  doc(4, 4),  doc(4, 4),  doc(4, 4),  doc(5, 5),  doc(5, 5),  doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* fma     */ {{doc(1, 1), doc(13, 13), doc(5, 5),  doc(5, 5),  doc(5, 5),  doc(5, 5),  doc(4, 4),  doc(4, 4),  doc(13, 13), doc(13, 13), doc(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* wide    */ {{doc(1, 1), doc(13, 13), doc(5, 5),  doc(5, 5),  doc(5, 5),  doc(5, 5),  doc(4, 4),  doc(4, 4),  doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* imad_hi */ {{doc(1, 1), doc(13, 13), doc(5, 5),  doc(5, 5),  doc(5, 5),  doc(5, 5),  doc(4, 4),  doc(4, 4),  doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* half    */ {{doc(1, 1), obs(13, 13), doc(5, 5),  obs(5, 5),  obs(5, 5),  doc(5, 6),  doc(5, 5),  doc(5, 5),  doc(5, 5),   doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* fp64    */ {{doc(1, 1), obs(14, 14), doc(6, 6),  obs(6, 6),  obs(6, 6),  doc(6, 6),  doc(6, 6),  doc(6, 6),  doc(14, 14), obs(6, 6),   obs(14, 14), obs(14, 14), doc(14, 14), doc(14, 14)}},
      /* elect   */ {{doc(1, 1), doc(8, 13),  doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13)}},
      /* r2ur    */ {{doc(1, 1), doc(8, 13),  doc(8, 13), doc(8, 13), doc(8, 13), obs(8, 13), doc(8, 13), doc(8, 13), doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13)}},
  }};

  // Uniform registers, read after write.
  static constexpr latency_matrix<u_writer, u_reader> u_raw = {{
      //              none       ualu         ualu_x       usel         umov         uldc         vector       xu           memory       descriptor   tma          branch       bank
      /* none       */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* counted    */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* ualu       */ {{doc(1, 1), obs(4, 4),   obs(4, 10),  obs(4, 8),   doc(4, 7),   obs(12, 12), obs(6, 6),   doc(9, 9),   obs(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* ualu_x     */ {{doc(1, 1), obs(4, 4),   obs(4, 4),   doc(4, 8),   doc(4, 7),   doc(12, 12), obs(6, 6),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* uimad      */ {{doc(1, 1), obs(4, 4),   doc(4, 10),  obs(4, 8),   doc(4, 7),   doc(12, 12), obs(6, 6),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* uimad_wide */ {{doc(1, 1), obs(4, 4),   obs(4, 8),   doc(4, 8),   doc(4, 7),   doc(12, 12), obs(6, 6),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* uldc       */ {{doc(1, 1), doc(2, 2),   doc(2, 9),   doc(2, 9),   doc(2, 9),   doc(5, 5),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(3, 3),   doc(5, 5)}},
      /* umov       */ {{doc(1, 1), obs(2, 2),   doc(2, 9),   doc(2, 9),   doc(2, 9),   doc(5, 5),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(3, 3),   doc(5, 5)}},
      /* voteu      */ {{doc(1, 1), doc(2, 2),   doc(2, 9),   doc(2, 9),   doc(2, 9),   doc(5, 5),   obs(2, 2),   doc(2, 3),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(3, 3),   doc(5, 5)}},
      /* r2ur       */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(15, 15), obs(13, 13), doc(13, 13), obs(13, 13), obs(13, 15), doc(13, 13), doc(13, 13), doc(15, 15)}},
  }};

  // Uniform predicates, read after write.
  static constexpr latency_matrix<up_writer, up_reader> up_raw = {{
      //           none       guard        ualu       ualu_x     vector     branch      uldc
      /* none    */ {{doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1)}},
      /* ualu    */ {{doc(1, 1), doc(11, 11), doc(4, 4), obs(4, 4), doc(6, 6), doc(9, 11), doc(11, 11)}},
      /* usetp   */ {{doc(1, 1), obs(11, 11), obs(4, 4), doc(4, 4), doc(6, 6), obs(9, 9),  doc(11, 11)}},
      /* uplop3  */ {{doc(1, 1), doc(11, 11), doc(4, 4), doc(4, 4), doc(6, 6), doc(9, 11), doc(11, 11)}},
      /* voteu   */ {{doc(1, 1), doc(5, 11),  doc(1, 4), doc(1, 4), doc(1, 6), doc(2, 11), doc(5, 11)}},
  }};

  // General registers, write after write.
  static constexpr latency_matrix<r_writer, second_writer> r_waw = {{
      //               fixed        fma          wide_low     dispatch64   half         slow         mma         late
      /* none        */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* counted     */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* alu         */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* dual        */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* viadd       */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* vote        */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* cs2r        */ {{doc(1, 2),   doc(1, 6),   doc(1, 6),   doc(1, 1),   doc(1, 6),   doc(1, 2),   doc(1, 2),  doc(5, 6)}},
      /* cs2r_32     */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  doc(5, 6)}},
      /* fma         */ {{obs(1, 1),   obs(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* wide_low    */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* wide_high   */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* imad_hi     */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* half        */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* half_alu    */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* hfma2_mma   */ {{doc(1, 6),   doc(1, 6),   doc(1, 8),   doc(1, 4),   doc(1, 6),   doc(1, 3),   doc(1, 2),  doc(1, 10)}},
      /* fp64        */ {{doc(1, 6),   doc(1, 6),   doc(1, 8),   doc(1, 4),   doc(1, 6),   doc(1, 3),   doc(1, 2),  doc(1, 10)}},
      /* hmma_small  */ {{doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(1, 19), doc(6, 18)}},
      /* hmma_medium */ {{obs(14, 19), obs(14, 19), doc(14, 19), doc(14, 19), obs(14, 19), doc(13, 19), obs(1, 20), obs(6, 19)}},
      /* hmma_large  */ {{obs(14, 19), obs(14, 19), obs(14, 19), doc(14, 19), obs(14, 19), doc(13, 19), obs(1, 20), obs(6, 19)}},
      /* hmma_sparse */ {{doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(1, 19), doc(6, 18)}},
      /* imma_small  */ {{doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(1, 19), doc(6, 18)}},
      /* imma_medium */ {{obs(14, 19), obs(14, 19), doc(14, 19), obs(14, 19), obs(14, 19), obs(13, 19), obs(1, 22), obs(6, 19)}},
      /* imma_large  */ {{obs(14, 19), obs(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), obs(1, 20), obs(6, 19)}},
      /* bmma_small  */ {{doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(1, 19), doc(6, 18)}},
      /* bmma_large  */ {{doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(1, 19), doc(6, 18)}},
      /* dmma        */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* qmma        */ {{doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(14, 19), doc(1, 19), doc(6, 18)}},
      /* hgmma       */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  doc(5, 6)}},
  }};

  // Predicates, write after write.
  static constexpr latency_matrix<p_writer, second_writer> p_waw = {{
      //           fixed      fma        wide_low   dispatch64  half        slow       mma        late
      /* none    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* dual    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* setp    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* plop3   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* vote    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* r2p     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* fma     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* wide    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* imad_hi */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* half    */ {{doc(1, 2), doc(1, 2), doc(1, 2), doc(1, 2),  doc(1, 2),  doc(1, 7), doc(1, 2), doc(1, 12)}},
      /* fp64    */ {{doc(1, 2), doc(1, 2), doc(1, 2), doc(1, 2),  doc(1, 10), doc(1, 2), doc(1, 2), doc(1, 13)}},
      /* elect   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* r2ur    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9),  doc(1, 7), doc(1, 1), doc(2, 12)}},
  }};

  // Uniform registers, write after write.
  static constexpr latency_matrix<u_writer, second_writer> u_waw = {{
      //              fixed       fma         wide_low    dispatch64  half        slow        mma         late
      /* none       */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1)}},
      /* counted    */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1)}},
      /* ualu       */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(2, 7),  doc(1, 1),  doc(1, 11)}},
      /* ualu_x     */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(2, 7),  doc(1, 1),  doc(1, 11)}},
      /* uimad      */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(2, 7),  doc(1, 1),  doc(1, 11)}},
      /* uimad_wide */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(2, 7),  doc(1, 1),  doc(1, 11)}},
      /* uldc       */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 4)}},
      /* umov       */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 4)}},
      /* voteu      */ {{doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 4)}},
      /* r2ur       */ {{doc(1, 11), doc(1, 11), doc(1, 11), doc(1, 11), doc(1, 11), doc(1, 11), doc(1, 11), doc(1, 11)}},
  }};
};

}  // namespace ww::detail
// clang-format on
