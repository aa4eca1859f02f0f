// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_120 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is source(check, emit): `check` is the tightest distance seen in compiler output, `emit` the one that generated
// code keeps. obs = observed at least ten times, doc = documented, assume = borrowed from a related SM or reader.
// Written by scripts/derive_latency.py from 1316508 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 332 observed, 1183 documented, 24 assumed.
#pragma once

#include "../detail/latency_table.hpp"

// clang-format off
namespace ww::detail {

struct sm120_tables {
  // General registers, read after write.
  static constexpr latency_matrix<r_writer, r_reader> r_raw = {{
      //               none       alu            dual           setp           viadd          fma            wide_ab        wide_c_low     wide_c_high    imad_hi        imad_hi_c      half           half_alu       hfma2_mma      fp64           mma_ab         mma_c          dmma           xu             tex            mem_address    mem_data       control        r2ur           alu_64
      /* none        */ {{doc(1, 1), doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* counted     */ {{doc(1, 1), doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* alu         */ {{doc(1, 1), obs(4, 4),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(3, 3),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     doc(6, 7),     obs(6, 6),     obs(7, 7),     obs(7, 7),     obs(7, 7),     obs(4, 4),     obs(4, 5),     obs(5, 5),     obs(5, 5),     obs(4, 6),     doc(4, 6),     obs(5, 5)}},
      /* dual        */ {{doc(1, 1), obs(5, 5),     obs(4, 5),     obs(4, 5),     obs(5, 5),     obs(5, 6),     obs(5, 5),     obs(5, 6),     obs(3, 3),     obs(5, 5),     obs(5, 6),     obs(5, 5),     obs(5, 5),     doc(6, 7),     obs(6, 7),     obs(7, 7),     obs(7, 7),     obs(7, 8),     obs(4, 5),     obs(4, 5),     obs(5, 6),     obs(5, 6),     obs(4, 5),     doc(4, 6),     obs(4, 5)}},
      /* viadd       */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(4, 5),     obs(5, 5),     obs(5, 5),     doc(5, 6),     doc(3, 6),     obs(5, 5),     doc(5, 6),     obs(5, 5),     obs(5, 5),     doc(6, 7),     doc(6, 7),     obs(7, 7),     doc(7, 8),     doc(7, 8),     obs(4, 4),     doc(4, 5),     obs(5, 5),     obs(5, 5),     doc(4, 6),     doc(4, 6),     doc(4, 5)}},
      /* vote        */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(4, 5),     obs(5, 5),     obs(5, 5),     doc(5, 6),     doc(3, 6),     doc(5, 6),     doc(5, 6),     obs(5, 5),     obs(5, 5),     doc(6, 7),     obs(6, 6),     obs(7, 7),     obs(7, 7),     doc(7, 8),     obs(4, 4),     doc(4, 5),     obs(5, 5),     obs(5, 5),     doc(4, 6),     doc(4, 6),     doc(4, 5)}},
      /* cs2r        */ {{doc(1, 1), doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(4, 5),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(6, 7),     doc(7, 13),    obs(7, 7),     doc(7, 8),     doc(4, 5),     doc(4, 5),     doc(5, 6),     doc(5, 6),     doc(4, 6),     doc(4, 6),     doc(6, 7)}},
      /* cs2r_32     */ {{doc(1, 1), obs(4, 5),     doc(4, 5),     doc(4, 5),     doc(4, 5),     doc(5, 6),     doc(5, 6),     doc(5, 6),     doc(3, 4),     doc(5, 6),     doc(5, 6),     doc(5, 6),     doc(5, 6),     doc(6, 7),     doc(6, 7),     doc(7, 8),     doc(7, 8),     doc(7, 8),     doc(4, 5),     doc(4, 5),     doc(5, 6),     doc(5, 6),     doc(4, 6),     doc(4, 6),     doc(4, 5)}},
      /* fma         */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(4, 4),     obs(4, 4),     obs(4, 4),     obs(2, 3),     obs(4, 4),     doc(4, 5),     obs(5, 5),     obs(5, 5),     doc(6, 7),     obs(6, 6),     obs(7, 7),     obs(7, 7),     obs(7, 7),     obs(4, 4),     obs(4, 5),     obs(5, 6),     obs(5, 6),     obs(4, 6),     doc(4, 6),     obs(5, 5)}},
      /* wide_low    */ {{doc(1, 1), obs(3, 4),     obs(3, 5),     obs(3, 5),     doc(3, 5),     obs(4, 4),     obs(6, 6),     obs(4, 4),     doc(2, 3),     doc(4, 5),     doc(2, 4),     doc(3, 4),     doc(3, 4),     doc(6, 7),     obs(6, 6),     doc(7, 8),     doc(7, 8),     doc(7, 8),     obs(4, 4),     doc(4, 9),     obs(5, 5),     obs(5, 5),     doc(4, 8),     doc(4, 6),     obs(5, 5)}},
      /* wide_high   */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     doc(5, 6),     doc(5, 6),     obs(4, 4),     doc(6, 7),     doc(4, 5),     obs(4, 4),     doc(6, 7),     doc(4, 5),     obs(5, 5),     doc(5, 6),     doc(6, 7),     obs(6, 6),     doc(7, 8),     doc(7, 8),     doc(7, 8),     obs(4, 5),     doc(4, 6),     obs(5, 5),     obs(5, 5),     doc(4, 6),     doc(4, 6),     obs(5, 5)}},
      /* imad_hi     */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(4, 4),     obs(6, 6),     doc(4, 5),     doc(2, 6),     obs(6, 6),     doc(4, 5),     obs(5, 5),     obs(5, 5),     doc(6, 7),     obs(6, 7),     obs(7, 7),     obs(7, 7),     doc(7, 8),     obs(4, 4),     doc(4, 5),     obs(5, 5),     obs(5, 5),     doc(4, 6),     doc(4, 6),     obs(5, 5)}},
      /* half        */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     doc(5, 6),     doc(3, 4),     obs(5, 5),     obs(5, 5),     obs(4, 4),     obs(5, 5),     doc(6, 7),     obs(6, 6),     obs(7, 7),     obs(7, 7),     doc(7, 8),     obs(4, 4),     obs(4, 5),     obs(5, 5),     obs(5, 5),     doc(4, 6),     doc(4, 6),     obs(5, 5)}},
      /* half_alu    */ {{doc(1, 1), obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     obs(5, 5),     doc(5, 6),     doc(3, 4),     obs(5, 5),     doc(5, 6),     obs(5, 5),     obs(4, 5),     doc(6, 7),     obs(6, 6),     obs(7, 7),     doc(7, 8),     doc(7, 8),     obs(4, 4),     obs(4, 5),     obs(5, 5),     obs(5, 5),     doc(4, 6),     doc(4, 6),     doc(5, 6)}},
      /* hfma2_mma   */ {{doc(1, 1), doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(8, 9),     doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(10, 11),   doc(8, 9),     doc(11, 12),   doc(11, 12),   doc(11, 12),   doc(6, 7),     doc(6, 7),     doc(7, 8),     doc(7, 8),     obs(6, 7),     doc(6, 7),     doc(10, 11)}},
      /* fp64        */ {{doc(1, 1), doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* hmma_small  */ {{doc(1, 1), doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 33),   doc(28, 29),   doc(28, 33),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28)}},
      /* hmma_medium */ {{doc(1, 1), obs(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 31),   obs(32, 32),   obs(29, 29),   doc(28, 33),   obs(28, 28),   obs(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 30)}},
      /* hmma_large  */ {{doc(1, 1), obs(28, 28),   obs(28, 28),   obs(28, 28),   obs(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   obs(28, 28),   doc(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 31),   obs(32, 32),   obs(29, 29),   doc(28, 33),   obs(28, 28),   obs(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28)}},
      /* hmma_sparse */ {{doc(1, 1), doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 33),   doc(28, 29),   doc(28, 33),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28)}},
      /* imma_small  */ {{doc(1, 1), doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 31),   doc(26, 27),   doc(26, 31),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26)}},
      /* imma_medium */ {{doc(1, 1), obs(26, 26),   obs(26, 26),   obs(26, 26),   doc(26, 26),   obs(26, 26),   obs(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 28),   obs(26, 26),   obs(26, 26),   doc(26, 26),   doc(26, 29),   obs(30, 30),   obs(29, 29),   doc(26, 31),   obs(26, 26),   obs(26, 26),   obs(26, 26),   obs(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 28)}},
      /* imma_large  */ {{doc(1, 1), obs(26, 26),   obs(26, 26),   obs(26, 26),   doc(26, 26),   obs(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26),   obs(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 29),   obs(30, 30),   obs(27, 27),   doc(26, 31),   obs(26, 26),   doc(26, 26),   doc(26, 26),   obs(26, 26),   doc(26, 26),   doc(26, 26),   doc(26, 26)}},
      /* bmma_small  */ {{doc(1, 1), doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 33),   doc(28, 29),   doc(28, 33),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28)}},
      /* bmma_large  */ {{doc(1, 1), doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 33),   doc(28, 29),   doc(28, 33),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28)}},
      /* dmma        */ {{doc(1, 1), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13), assume(1, 13)}},
      /* qmma        */ {{doc(1, 1), obs(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   obs(32, 32),   doc(28, 29),   doc(28, 33),   obs(28, 28),   doc(28, 28),   obs(28, 28),   obs(28, 28),   doc(28, 28),   doc(28, 28),   doc(28, 28)}},
      /* hgmma       */ {{doc(1, 1), doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1), obs(5, 5),     obs(4, 5),     obs(6, 6),     doc(4, 6),     obs(6, 6),     doc(5, 6),     obs(6, 6),     obs(6, 6),     doc(5, 6),     doc(5, 6),     obs(5, 6),     obs(5, 6),     doc(6, 7),     obs(7, 7),     doc(7, 10),    doc(7, 8),     obs(8, 8),     obs(5, 5),     doc(4, 7),     obs(6, 6),     obs(6, 6),     doc(4, 6),     doc(4, 6),     obs(4, 4)}},
  }};

  // Predicates, read after write.
  static constexpr latency_matrix<p_writer, p_reader> p_raw = {{
      //           none       guard        alu         dual        setp        plop3       fma         wide        half         fp64         vote         control      late         uniform
      /* none    */ {{doc(1, 1), doc(1, 1),   doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),   doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),  doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* alu     */ {{doc(1, 1), obs(13, 13), obs(4, 4),  obs(5, 5),  obs(5, 5),  obs(4, 4),  doc(5, 6),  doc(5, 7),  doc(13, 13), doc(13, 13), obs(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* dual    */ {{doc(1, 1), doc(13, 13), doc(4, 5),  doc(4, 5),  doc(4, 5),  doc(4, 5),  doc(5, 6),  doc(5, 6),  doc(13, 13), doc(13, 13), doc(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* setp    */ {{doc(1, 1), obs(13, 13), doc(1, 5),  obs(5, 5),  obs(5, 5),  obs(5, 5),  doc(5, 6),  doc(5, 6),  doc(13, 13), obs(13, 13), obs(13, 13), obs(13, 13), doc(13, 13), obs(13, 13)}},
      /* plop3   */ {{doc(1, 1), obs(13, 13), doc(4, 5),  obs(5, 5),  obs(5, 5),  doc(4, 5),  doc(5, 6),  doc(5, 6),  doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* vote    */ {{doc(1, 1), obs(13, 13), doc(4, 5),  obs(5, 5),  obs(5, 5),  doc(4, 5),  doc(5, 6),  doc(5, 6),  doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* r2p     */ {{doc(1, 1), obs(13, 13), doc(4, 5),  doc(4, 5),  doc(4, 5),  doc(4, 5),  doc(5, 6),  doc(5, 6),  doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* fma     */ {{doc(1, 1), doc(13, 13), doc(5, 6),  doc(5, 6),  doc(5, 6),  doc(5, 6),  doc(4, 5),  doc(4, 5),  doc(13, 13), doc(13, 13), doc(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* wide    */ {{doc(1, 1), doc(13, 13), doc(5, 7),  doc(5, 6),  doc(5, 6),  doc(5, 6),  doc(4, 5),  doc(4, 5),  doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* imad_hi */ {{doc(1, 1), doc(13, 13), doc(5, 6),  doc(5, 6),  doc(5, 6),  doc(5, 6),  doc(4, 5),  doc(4, 5),  doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* half    */ {{doc(1, 1), obs(13, 13), doc(5, 6),  obs(5, 5),  obs(5, 5),  doc(4, 6),  doc(5, 6),  doc(5, 6),  doc(5, 6),   doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* fp64    */ {{doc(1, 1), doc(14, 14), doc(6, 7),  doc(6, 7),  doc(6, 7),  doc(6, 7),  doc(6, 7),  doc(6, 7),  doc(14, 14), obs(6, 7),   doc(14, 14), doc(14, 14), doc(14, 14), doc(14, 14)}},
      /* elect   */ {{doc(1, 1), doc(8, 13),  doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13), doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13)}},
      /* r2ur    */ {{doc(1, 1), doc(8, 13),  doc(8, 13), doc(8, 13), doc(8, 13), obs(8, 13), doc(8, 13), doc(8, 13), doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13),  doc(8, 13)}},
  }};

  // Uniform registers, read after write.
  static constexpr latency_matrix<u_writer, u_reader> u_raw = {{
      //              none       ualu         ualu_x       usel         umov         uldc         vector       xu           memory       descriptor   tma          branch       bank
      /* none       */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* counted    */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* ualu       */ {{doc(1, 1), obs(4, 4),   doc(4, 10),  doc(4, 8),   doc(4, 7),   obs(12, 12), obs(6, 6),   obs(9, 9),   obs(9, 9),   doc(9, 9),   doc(9, 10),  doc(10, 10), doc(12, 12)}},
      /* ualu_x     */ {{doc(1, 1), obs(4, 4),   obs(4, 8),   doc(4, 8),   doc(4, 7),   doc(12, 12), obs(6, 6),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* uimad      */ {{doc(1, 1), obs(4, 4),   doc(4, 10),  obs(4, 8),   doc(4, 7),   doc(12, 13), obs(6, 6),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* uimad_wide */ {{doc(1, 1), doc(4, 4),   doc(4, 10),  doc(4, 8),   doc(4, 7),   doc(12, 12), obs(6, 6),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(9, 9),   doc(10, 10), doc(12, 12)}},
      /* uldc       */ {{doc(1, 1), doc(2, 2),   doc(2, 9),   doc(2, 9),   doc(2, 9),   doc(5, 5),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(2, 2),   doc(3, 3),   doc(5, 5)}},
      /* umov       */ {{doc(1, 1), obs(2, 2),   doc(2, 9),   doc(2, 9),   doc(2, 9),   doc(5, 5),   doc(2, 2),   doc(2, 2),   doc(2, 3),   doc(2, 2),   doc(2, 2),   doc(3, 3),   doc(5, 5)}},
      /* voteu      */ {{doc(1, 1), obs(2, 2),   doc(2, 9),   doc(2, 9),   doc(2, 9),   doc(5, 5),   obs(2, 2),   doc(2, 2),   doc(2, 3),   doc(2, 2),   doc(2, 2),   doc(3, 3),   doc(5, 5)}},
      /* r2ur       */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(15, 15), doc(13, 13), doc(13, 13), obs(13, 13), obs(13, 15), doc(13, 13), doc(13, 13), doc(15, 15)}},
  }};

  // Uniform predicates, read after write.
  static constexpr latency_matrix<up_writer, up_reader> up_raw = {{
      //           none       guard        ualu       ualu_x     vector     branch      uldc
      /* none    */ {{doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1)}},
      /* ualu    */ {{doc(1, 1), doc(11, 11), doc(4, 4), obs(4, 4), doc(6, 6), doc(9, 11), doc(11, 11)}},
      /* usetp   */ {{doc(1, 1), doc(11, 11), obs(4, 4), doc(4, 4), doc(6, 6), obs(9, 9),  doc(11, 11)}},
      /* uplop3  */ {{doc(1, 1), doc(11, 11), doc(4, 4), doc(4, 4), doc(6, 6), doc(9, 11), doc(11, 11)}},
      /* voteu   */ {{doc(1, 1), doc(5, 11),  doc(1, 4), doc(1, 4), doc(1, 6), doc(2, 11), doc(5, 11)}},
  }};

  // General registers, write after write.
  static constexpr latency_matrix<r_writer, second_writer> r_waw = {{
      //               fixed        fma          wide_low     dispatch64   half         slow         mma         late
      /* none        */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* counted     */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* alu         */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* dual        */ {{obs(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* viadd       */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* vote        */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* cs2r        */ {{doc(1, 2),   doc(1, 6),   doc(1, 6),   doc(1, 1),   doc(1, 6),   doc(1, 2),   doc(1, 2),  doc(5, 6)}},
      /* cs2r_32     */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  doc(5, 6)}},
      /* fma         */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* wide_low    */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* wide_high   */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* imad_hi     */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* half        */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* half_alu    */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  obs(5, 6)}},
      /* hfma2_mma   */ {{doc(1, 6),   doc(1, 6),   doc(1, 8),   doc(1, 4),   doc(1, 6),   doc(1, 3),   doc(1, 2),  doc(1, 10)}},
      /* fp64        */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* hmma_small  */ {{doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(1, 28), doc(6, 27)}},
      /* hmma_medium */ {{obs(14, 28), obs(14, 28), obs(14, 28), doc(14, 28), obs(14, 28), doc(14, 28), obs(1, 29), obs(6, 28)}},
      /* hmma_large  */ {{obs(14, 28), obs(14, 28), obs(14, 28), doc(14, 28), obs(14, 28), doc(14, 28), obs(1, 29), obs(6, 28)}},
      /* hmma_sparse */ {{doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(1, 28), doc(6, 27)}},
      /* imma_small  */ {{doc(14, 26), doc(14, 26), doc(14, 26), doc(14, 26), doc(14, 26), doc(14, 26), doc(1, 26), doc(6, 25)}},
      /* imma_medium */ {{obs(14, 26), obs(14, 26), obs(14, 26), obs(14, 26), obs(14, 26), doc(14, 26), obs(1, 29), obs(6, 26)}},
      /* imma_large  */ {{obs(14, 26), obs(14, 26), doc(14, 26), doc(14, 26), obs(14, 26), doc(14, 26), obs(1, 27), obs(6, 26)}},
      /* bmma_small  */ {{doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(1, 28), doc(6, 27)}},
      /* bmma_large  */ {{doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(1, 28), doc(6, 27)}},
      /* dmma        */ {{doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(14, 28), doc(1, 28), doc(6, 27)}},
      /* qmma        */ {{obs(14, 28), obs(14, 28), doc(14, 28), doc(14, 28), obs(14, 28), doc(14, 28), doc(1, 28), obs(6, 28)}},
      /* hgmma       */ {{doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),  doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1),   doc(1, 2),   doc(1, 3),   doc(1, 1),   doc(1, 1),   doc(1, 2),   doc(1, 2),  doc(5, 6)}},
  }};

  // Predicates, write after write.
  static constexpr latency_matrix<p_writer, second_writer> p_waw = {{
      //           fixed      fma        wide_low   dispatch64  half       slow       mma        late
      /* none    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* dual    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* setp    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* plop3   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* vote    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* r2p     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* fma     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* wide    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* imad_hi */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* half    */ {{doc(1, 2), doc(1, 2), doc(1, 2), doc(1, 2),  doc(1, 2), doc(1, 7), doc(1, 2), doc(1, 12)}},
      /* fp64    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* elect   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
      /* r2ur    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 9), doc(1, 7), doc(1, 1), doc(2, 12)}},
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
