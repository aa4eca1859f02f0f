// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_50 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is source(check, emit): `check` is the tightest distance seen in compiler output, `emit` the one that generated
// code keeps. obs = observed at least ten times, doc = documented, assume = borrowed from a related SM or reader.
// Written by scripts/derive_latency.py from 1444548 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 76 observed, 1463 documented, 0 assumed.
#pragma once

#include "../detail/latency_table.hpp"

// clang-format off
namespace ww::detail {

struct sm50_tables {
  // General registers, read after write.
  static constexpr latency_matrix<r_writer, r_reader> r_raw = {{
      //               none       alu        dual       setp       viadd      fma         wide_ab    wide_c_low  wide_c_high  imad_hi    imad_hi_c  half       half_alu   hfma2_mma  fp64       mma_ab     mma_c      dmma       xu         tex        mem_address  mem_data   control    r2ur       alu_64
      /* none        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu         */ {{doc(1, 1), obs(4, 6), obs(6, 6), obs(6, 6), doc(6, 6), obs(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), obs(6, 6), obs(6, 6), doc(6, 6), obs(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), obs(2, 4), obs(2, 2), obs(2, 4),   obs(2, 4), obs(2, 6), doc(2, 6), doc(6, 6)}},
      /* dual        */ {{doc(1, 1), obs(4, 6), obs(6, 6), obs(4, 6), doc(6, 6), obs(4, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), obs(4, 6), obs(6, 6), doc(6, 6), obs(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), obs(2, 4), obs(2, 2), obs(2, 4),   obs(2, 4), obs(2, 6), doc(2, 6), doc(6, 6)}},
      /* viadd       */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* vote        */ {{doc(1, 1), obs(4, 6), obs(6, 6), obs(6, 6), doc(6, 6), obs(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), obs(6, 6), obs(6, 6), doc(6, 6), obs(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), obs(2, 4), obs(2, 2), obs(2, 4),   obs(2, 4), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* cs2r        */ {{doc(1, 1), obs(6, 6), doc(6, 6), obs(6, 6), doc(6, 6), obs(6, 12), doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 8), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 8), doc(2, 7),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* cs2r_32     */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* fma         */ {{doc(1, 1), obs(4, 6), obs(6, 6), obs(6, 6), doc(6, 6), obs(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), obs(6, 6), obs(6, 6), doc(6, 6), obs(4, 4), doc(6, 6), doc(6, 6), doc(6, 6), obs(2, 4), obs(2, 2), obs(2, 4),   obs(2, 4), obs(2, 6), doc(2, 6), doc(6, 6)}},
      /* wide_low    */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* wide_high   */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* imad_hi     */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* half        */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* half_alu    */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
      /* hfma2_mma   */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), obs(2, 6), doc(2, 6), doc(6, 6)}},
      /* fp64        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_small  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_medium */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_large  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_sparse */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* imma_small  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* imma_medium */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* imma_large  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* bmma_small  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* bmma_large  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* dmma        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* qmma        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hgmma       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1),  doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),   doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6),  doc(6, 6), doc(6, 6),  doc(6, 6),   doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(4, 6), doc(6, 6), doc(6, 6), doc(6, 6), doc(2, 6), doc(2, 6), doc(2, 6),   doc(2, 6), doc(2, 6), doc(2, 6), doc(6, 6)}},
  }};

  // Predicates, read after write.
  static constexpr latency_matrix<p_writer, p_reader> p_raw = {{
      //           none       guard        alu          dual         setp         plop3        fma          wide         half         fp64         vote         control      late         uniform
      /* none    */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1),   doc(1, 1)}},
      /* alu     */ {{doc(1, 1), obs(13, 13), doc(13, 13), obs(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(13, 13), obs(4, 13),  obs(13, 13), doc(13, 13)}},
      /* dual    */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* setp    */ {{doc(1, 1), obs(13, 13), doc(13, 13), obs(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(13, 13), obs(13, 13), obs(13, 13), doc(13, 13), obs(13, 13)}},
      /* plop3   */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* vote    */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* r2p     */ {{doc(1, 1), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(11, 13), doc(13, 13)}},
      /* fma     */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(4, 13),  doc(13, 13), doc(13, 13)}},
      /* wide    */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* imad_hi */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* half    */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* fp64    */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* elect   */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
      /* r2ur    */ {{doc(1, 1), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), obs(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13), doc(13, 13)}},
  }};

  // Uniform registers, read after write.
  static constexpr latency_matrix<u_writer, u_reader> u_raw = {{
      //              none       ualu       ualu_x     usel       umov       uldc       vector     xu         memory     descriptor  tma        branch     bank
      /* none       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* ualu       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* ualu_x     */ {{doc(1, 1), obs(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* uimad      */ {{doc(1, 1), doc(1, 1), doc(1, 1), obs(1, 1), doc(1, 1), doc(1, 1), obs(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* uimad_wide */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), obs(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* uldc       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* umov       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* voteu      */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* r2ur       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), obs(1, 1), obs(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1)}},
  }};

  // Uniform predicates, read after write.
  static constexpr latency_matrix<up_writer, up_reader> up_raw = {{
      /* none    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* ualu    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* usetp   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* uplop3  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* voteu   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
  }};

  // General registers, write after write.
  static constexpr latency_matrix<r_writer, second_writer> r_waw = {{
      //               fixed      fma        wide_low   dispatch64  half       slow       mma        late
      /* none        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu         */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* dual        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* viadd       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* vote        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* cs2r        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* cs2r_32     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* fma         */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* wide_low    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* wide_high   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* imad_hi     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* half        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* half_alu    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
      /* hfma2_mma   */ {{doc(1, 6), doc(1, 6), doc(1, 8), doc(1, 4),  doc(1, 6), doc(1, 3), doc(1, 2), doc(1, 10)}},
      /* fp64        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_small  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_medium */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_large  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hmma_sparse */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* imma_small  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* imma_medium */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* imma_large  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* bmma_small  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* bmma_large  */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* dmma        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* qmma        */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* hgmma       */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 6)}},
  }};

  // Predicates, write after write.
  static constexpr latency_matrix<p_writer, second_writer> p_waw = {{
      //           fixed      fma        wide_low   dispatch64  half       slow       mma        late
      /* none    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* alu     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* dual    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* setp    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* plop3   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* vote    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* r2p     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* fma     */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* wide    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* imad_hi */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* half    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* fp64    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1)}},
      /* elect   */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
      /* r2ur    */ {{doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 1),  doc(1, 1), doc(1, 1), doc(1, 1), doc(1, 13)}},
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
