// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_90 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is source(check, emit): `check` is the tightest distance seen in compiler output, `emit` the one that generated
// code keeps. obs = observed at least ten times, doc = documented, assume = borrowed from a related SM or reader.
// Written by scripts/derive_latency.py from 831495 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 339 observed, 418 documented, 782 assumed.
#pragma once

#include "../detail/latency_table.hpp"

// clang-format off
namespace ww::detail {

struct sm90_tables {
  // General registers, read after write.
  static constexpr latency_matrix<r_writer, r_reader> r_raw = {{
      //               none       alu             dual            setp            viadd           fma             wide_ab         wide_c_low      wide_c_high     imad_hi         imad_hi_c       half            half_alu        hfma2_mma       fp64            mma_ab          mma_c           dmma            xu              tex             mem_address     mem_data        control         r2ur            alu_64
      /* none        */ {{doc(1, 1), doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* counted     */ {{doc(1, 1), doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* alu         */ {{doc(1, 1), obs(4, 4),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(3, 3),      obs(5, 5),      assume(5, 5),   obs(5, 5),      obs(5, 5),      obs(6, 6),      obs(6, 6),      obs(7, 7),      obs(7, 7),      obs(7, 7),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(4, 5),      assume(4, 5),   assume(4, 4)}},
      /* dual        */ {{doc(1, 1), obs(4, 4),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(3, 3),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(6, 6),      obs(6, 6),      obs(7, 7),      obs(7, 7),      obs(7, 7),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(4, 5),      assume(4, 5),   assume(4, 4)}},
      /* viadd       */ {{doc(1, 1), obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(4, 4),      obs(4, 4),      obs(4, 4),      assume(4, 4),   assume(2, 2),   assume(4, 4),   assume(4, 4),   obs(5, 5),      obs(5, 5),      obs(6, 6),      obs(6, 6),      obs(7, 7),      assume(7, 7),   assume(7, 8),   obs(4, 4),      obs(4, 6),      obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(5, 5)}},
      /* vote        */ {{doc(1, 1), obs(4, 4),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(5, 5),      assume(5, 5),   assume(3, 3),   assume(5, 5),   assume(5, 5),   obs(5, 5),      obs(5, 5),      obs(6, 6),      obs(6, 6),      obs(7, 7),      assume(7, 7),   assume(7, 7),   obs(4, 4),      assume(4, 4),   obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(4, 4)}},
      /* cs2r        */ {{doc(1, 1), obs(6, 6),      assume(6, 6),   assume(6, 6),   assume(6, 6),   obs(6, 11),     assume(6, 6),   assume(6, 6),   assume(4, 4),   assume(6, 6),   assume(6, 6),   assume(6, 6),   assume(6, 6),   assume(6, 6),   assume(6, 6),   assume(7, 7),   assume(7, 7),   assume(7, 7),   assume(4, 4),   assume(4, 4),   assume(5, 8),   assume(5, 5),   assume(4, 5),   assume(4, 5),   assume(6, 6)}},
      /* cs2r_32     */ {{doc(1, 1), obs(4, 4),      assume(4, 4),   assume(4, 4),   assume(5, 5),   assume(5, 7),   assume(5, 5),   assume(5, 5),   assume(3, 3),   assume(5, 5),   assume(5, 5),   assume(5, 5),   assume(5, 5),   assume(6, 6),   assume(6, 6),   assume(7, 7),   assume(7, 7),   assume(7, 7),   assume(4, 4),   assume(4, 4),   assume(5, 5),   assume(5, 5),   assume(4, 5),   assume(4, 5),   assume(4, 4)}},
      /* fma         */ {{doc(1, 1), obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(4, 4),      obs(4, 4),      obs(4, 4),      obs(4, 4),      obs(2, 2),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(6, 6),      obs(6, 6),      obs(7, 7),      obs(7, 7),      obs(7, 7),      obs(4, 4),      obs(4, 4),      obs(5, 5),      obs(5, 5),      obs(4, 5),      assume(4, 5),   assume(5, 5)}},
      /* wide_low    */ {{doc(1, 1), obs(3, 3),      assume(3, 3),   assume(3, 3),   assume(2, 2),   obs(4, 4),      assume(4, 6),   obs(4, 4),      assume(2, 2),   assume(4, 4),   assume(2, 2),   assume(3, 3),   assume(3, 3),   assume(6, 6),   obs(6, 6),      assume(7, 7),   assume(7, 7),   assume(7, 7),   assume(4, 4),   assume(4, 4),   obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(3, 3)}},
      /* wide_high   */ {{doc(1, 1), obs(5, 5),      obs(5, 5),      obs(5, 5),      assume(4, 4),   obs(4, 4),      assume(6, 6),   assume(4, 4),   obs(4, 4),      assume(6, 6),   assume(4, 4),   assume(5, 5),   assume(5, 5),   assume(6, 6),   obs(6, 6),      assume(7, 7),   assume(7, 7),   assume(7, 7),   assume(4, 4),   assume(4, 4),   obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(5, 5)}},
      /* imad_hi     */ {{doc(1, 1), obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(4, 4),      obs(4, 4),      obs(6, 6),      assume(4, 4),   assume(2, 2),   obs(6, 6),      assume(4, 4),   obs(5, 5),      obs(5, 5),      obs(6, 6),      assume(6, 6),   obs(7, 7),      assume(7, 7),   assume(7, 8),   obs(4, 4),      assume(4, 4),   obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(5, 5)}},
      /* half        */ {{doc(1, 1), obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      assume(5, 5),   assume(3, 3),   obs(5, 5),      assume(5, 5),   obs(4, 4),      obs(5, 5),      obs(6, 6),      obs(6, 6),      obs(7, 7),      obs(7, 7),      assume(7, 7),   obs(4, 4),      assume(4, 4),   obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(5, 5)}},
      /* half_alu    */ {{doc(1, 1), obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      obs(5, 5),      assume(5, 5),   assume(3, 3),   obs(5, 5),      assume(5, 5),   obs(5, 5),      obs(4, 4),      obs(6, 6),      obs(6, 6),      obs(7, 7),      assume(7, 9),   assume(7, 7),   obs(4, 4),      assume(4, 4),   obs(5, 5),      obs(5, 5),      assume(4, 5),   assume(4, 5),   assume(5, 5)}},
      /* hfma2_mma   */ {{doc(1, 1), obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    assume(10, 13), assume(8, 10),  obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(8, 8),      obs(8, 8),      assume(11, 11), assume(11, 11), assume(11, 11), obs(6, 6),      assume(6, 6),   obs(7, 7),      obs(7, 7),      obs(6, 6),      assume(6, 6),   assume(10, 10)}},
      /* fp64        */ {{doc(1, 1), obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    obs(10, 10),    assume(10, 10), assume(8, 10),  assume(10, 10), assume(10, 10), obs(10, 10),    obs(10, 10),    assume(10, 10), obs(8, 8),      assume(11, 11), assume(11, 11), obs(11, 11),    obs(6, 6),      assume(6, 7),   obs(7, 7),      obs(7, 7),      assume(6, 6),   assume(6, 6),   assume(10, 10)}},
      /* hmma_small  */ {{doc(1, 1), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 21), assume(16, 17), assume(16, 21), assume(14, 14), assume(14, 14), assume(15, 15), assume(15, 15), assume(14, 16), assume(14, 16), assume(16, 16)}},
      /* hmma_medium */ {{doc(1, 1), obs(16, 16),    obs(16, 16),    obs(16, 16),    obs(16, 16),    obs(16, 16),    obs(16, 16),    assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), obs(16, 16),    obs(16, 16),    assume(16, 16), assume(16, 18), obs(16, 19),    obs(16, 16),    assume(16, 21), obs(14, 14),    assume(14, 15), obs(15, 15),    obs(15, 15),    assume(14, 16), assume(14, 16), assume(16, 16)}},
      /* hmma_large  */ {{doc(1, 1), obs(24, 24),    obs(24, 24),    obs(24, 24),    obs(24, 24),    obs(24, 24),    obs(24, 24),    assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), obs(24, 24),    obs(24, 24),    assume(24, 24), assume(24, 25), obs(24, 27),    obs(24, 24),    assume(24, 29), obs(22, 22),    assume(22, 23), obs(23, 23),    obs(23, 23),    assume(22, 24), assume(22, 24), assume(24, 24)}},
      /* hmma_sparse */ {{doc(1, 1), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29), assume(14, 29)}},
      /* imma_small  */ {{doc(1, 1), obs(13, 13),    obs(13, 13),    obs(13, 13),    assume(13, 13), obs(13, 13),    assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), obs(13, 16),    obs(14, 14),    assume(13, 18), obs(11, 11),    assume(11, 12), assume(12, 12), obs(12, 12),    assume(11, 13), assume(11, 13), assume(13, 13)}},
      /* imma_medium */ {{doc(1, 1), obs(16, 16),    obs(16, 16),    obs(16, 16),    assume(16, 16), obs(16, 16),    assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), assume(16, 16), obs(16, 16),    assume(16, 16), assume(16, 16), assume(16, 16), obs(16, 19),    obs(16, 17),    assume(16, 21), obs(14, 14),    assume(14, 14), assume(15, 15), obs(15, 15),    assume(14, 16), assume(14, 16), assume(16, 16)}},
      /* imma_large  */ {{doc(1, 1), obs(24, 24),    obs(24, 24),    obs(24, 24),    assume(24, 24), obs(24, 24),    assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), obs(24, 24),    assume(24, 24), assume(24, 24), assume(24, 24), obs(24, 29),    obs(24, 24),    assume(24, 29), obs(22, 22),    assume(22, 23), assume(23, 23), obs(23, 23),    assume(22, 24), assume(22, 24), assume(24, 24)}},
      /* bmma_small  */ {{doc(1, 1), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 18), assume(13, 14), assume(13, 18), assume(11, 11), assume(11, 11), assume(12, 12), assume(12, 12), assume(11, 13), assume(11, 13), assume(13, 13)}},
      /* bmma_large  */ {{doc(1, 1), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 29), assume(24, 25), assume(24, 29), assume(22, 22), assume(22, 22), assume(23, 23), assume(23, 23), assume(22, 24), assume(22, 24), assume(24, 24)}},
      /* dmma        */ {{doc(1, 1), doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* qmma        */ {{doc(1, 1), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 24), assume(24, 29), assume(24, 25), assume(24, 29), assume(22, 22), assume(22, 22), assume(23, 23), assume(23, 23), assume(22, 24), assume(22, 24), assume(24, 24)}},
      /* hgmma       */ {{doc(1, 1), doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1), assume(4, 4),   assume(4, 4),   assume(4, 4),   assume(5, 5),   assume(5, 5),   assume(5, 5),   assume(5, 5),   assume(3, 3),   assume(5, 5),   assume(5, 5),   assume(5, 5),   assume(5, 5),   assume(6, 6),   assume(6, 6),   assume(7, 7),   assume(7, 7),   assume(7, 7),   assume(4, 4),   assume(4, 4),   assume(5, 5),   assume(5, 5),   assume(4, 5),   assume(4, 5),   assume(4, 4)}},
  }};

  // Predicates, read after write.
  static constexpr latency_matrix<p_writer, p_reader> p_raw = {{
      //           none       guard           alu            dual           setp           plop3         fma            wide           half            fp64            vote            control         late            uniform
      /* none    */ {{doc(1, 1), doc(1, 1),      doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),    doc(1, 1),     doc(1, 1),     doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),      doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),    doc(1, 1),     doc(1, 1),     doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* alu     */ {{doc(1, 1), obs(13, 13),    obs(4, 4),     obs(4, 4),     obs(4, 4),     obs(4, 4),    obs(5, 5),     assume(5, 5),  assume(13, 13), assume(13, 15), obs(13, 13),    obs(4, 13),     assume(13, 13), assume(13, 13)}},
      /* dual    */ {{doc(1, 1), assume(13, 13), assume(4, 4),  assume(4, 4),  assume(4, 4),  assume(4, 4), assume(5, 5),  assume(5, 5),  assume(13, 13), assume(13, 13), assume(13, 13), obs(4, 13),     assume(13, 13), assume(13, 13)}},
      /* setp    */ {{doc(1, 1), obs(13, 13),    assume(4, 4),  obs(4, 4),     obs(4, 4),     obs(4, 4),    assume(5, 5),  assume(5, 5),  assume(13, 13), obs(13, 13),    obs(13, 13),    obs(13, 13),    assume(13, 13), obs(13, 13)}},
      /* plop3   */ {{doc(1, 1), obs(13, 13),    assume(4, 4),  obs(4, 4),     obs(4, 4),     assume(4, 4), assume(5, 5),  assume(5, 5),  assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13)}},
      /* vote    */ {{doc(1, 1), obs(13, 13),    assume(4, 4),  obs(4, 4),     obs(4, 4),     assume(4, 4), assume(5, 5),  assume(5, 5),  assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13)}},
      /* r2p     */ {{doc(1, 1), obs(13, 13),    assume(4, 4),  assume(4, 4),  assume(4, 4),  assume(4, 4), assume(5, 5),  assume(5, 5),  assume(13, 13), assume(13, 13), obs(13, 13),    assume(13, 13), assume(13, 13), assume(13, 13)}},
      /* fma     */ {{doc(1, 1), assume(13, 13), assume(5, 5),  assume(5, 5),  assume(5, 5),  assume(5, 5), assume(4, 4),  assume(4, 4),  assume(13, 13), assume(13, 13), assume(13, 13), obs(4, 13),     assume(13, 13), assume(13, 13)}},
      /* wide    */ {{doc(1, 1), assume(13, 13), assume(5, 5),  assume(5, 5),  assume(5, 5),  assume(5, 5), assume(4, 4),  assume(4, 4),  assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13)}},
      /* imad_hi */ {{doc(1, 1), assume(13, 13), assume(5, 5),  assume(5, 5),  assume(5, 5),  assume(5, 5), assume(4, 4),  assume(4, 4),  assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13), assume(13, 13)}},
      /* half    */ {{doc(1, 1), obs(13, 13),    assume(5, 5),  obs(5, 5),     obs(5, 5),     assume(5, 5), assume(5, 5),  assume(5, 5),  assume(5, 5),   assume(13, 13), obs(13, 13),    assume(13, 13), assume(13, 13), assume(13, 13)}},
      /* fp64    */ {{doc(1, 1), obs(14, 14),    assume(6, 6),  obs(6, 6),     obs(6, 6),     assume(6, 6), assume(6, 6),  assume(6, 6),  assume(14, 14), obs(6, 6),      obs(14, 14),    obs(14, 14),    assume(14, 14), assume(14, 14)}},
      /* elect   */ {{doc(1, 1), obs(8, 13),     assume(8, 13), assume(8, 13), assume(8, 13), obs(8, 13),   assume(8, 13), assume(8, 13), assume(8, 13),  assume(8, 13),  assume(8, 13),  assume(8, 13),  assume(8, 13),  assume(8, 13)}},
      /* r2ur    */ {{doc(1, 1), assume(8, 13),  assume(8, 13), assume(8, 13), assume(8, 13), obs(8, 13),   assume(8, 13), assume(8, 13), assume(8, 13),  assume(8, 13),  assume(8, 13),  assume(8, 13),  assume(8, 13),  assume(8, 13)}},
  }};

  // Uniform registers, read after write.
  static constexpr latency_matrix<u_writer, u_reader> u_raw = {{
      //              none       ualu          ualu_x          usel            umov            uldc            vector          xu              memory        descriptor     tma             branch          bank
      /* none       */ {{doc(1, 1), doc(1, 1),    doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),    doc(1, 1),     doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* counted    */ {{doc(1, 1), doc(1, 1),    doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),      doc(1, 1),    doc(1, 1),     doc(1, 1),      doc(1, 1),      doc(1, 1)}},
      /* ualu       */ {{doc(1, 1), obs(4, 4),    obs(4, 10),     obs(4, 8),      assume(4, 7),   obs(12, 12),    obs(6, 6),      assume(9, 9),   obs(9, 9),    assume(9, 11), assume(9, 9),   assume(10, 10), assume(12, 12)}},
      /* ualu_x     */ {{doc(1, 1), obs(4, 4),    obs(4, 4),      assume(4, 8),   assume(4, 7),   assume(12, 12), obs(6, 6),      assume(9, 9),   assume(9, 9), assume(9, 9),  assume(9, 9),   assume(10, 10), assume(12, 12)}},
      /* uimad      */ {{doc(1, 1), obs(4, 4),    assume(4, 10),  obs(4, 8),      assume(4, 7),   assume(12, 12), obs(6, 6),      assume(9, 9),   assume(9, 9), assume(9, 9),  assume(9, 9),   assume(10, 10), assume(12, 12)}},
      /* uimad_wide */ {{doc(1, 1), obs(4, 4),    obs(4, 8),      assume(4, 8),   assume(4, 7),   assume(12, 12), obs(6, 8),      assume(9, 9),   assume(9, 9), assume(9, 9),  assume(9, 9),   assume(10, 10), assume(12, 12)}},
      /* uldc       */ {{doc(1, 1), obs(2, 2),    obs(6, 6),      assume(2, 9),   assume(2, 9),   assume(5, 5),   obs(2, 2),      assume(2, 2),   assume(2, 2), assume(2, 2),  assume(2, 2),   assume(3, 3),   assume(5, 5)}},
      /* umov       */ {{doc(1, 1), obs(2, 2),    assume(2, 9),   assume(2, 9),   assume(2, 9),   assume(5, 5),   obs(2, 2),      assume(2, 2),   assume(2, 2), assume(2, 2),  assume(2, 2),   assume(3, 3),   assume(5, 5)}},
      /* voteu      */ {{doc(1, 1), assume(2, 2), assume(2, 9),   assume(2, 9),   assume(2, 9),   assume(5, 5),   obs(2, 2),      assume(2, 2),   assume(2, 2), assume(2, 2),  assume(2, 2),   assume(3, 3),   assume(5, 5)}},
      /* r2ur       */ {{doc(1, 1), obs(13, 13),  assume(13, 13), assume(13, 13), assume(13, 13), assume(15, 15), assume(13, 13), assume(13, 13), obs(13, 13),  obs(13, 15),   assume(13, 13), assume(13, 13), assume(15, 15)}},
  }};

  // Uniform predicates, read after write.
  static constexpr latency_matrix<up_writer, up_reader> up_raw = {{
      //           none       guard           ualu          ualu_x        vector        branch         uldc
      /* none    */ {{doc(1, 1), doc(1, 1),      doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),     doc(1, 1)}},
      /* counted */ {{doc(1, 1), doc(1, 1),      doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),     doc(1, 1)}},
      /* ualu    */ {{doc(1, 1), assume(11, 11), assume(4, 4), obs(4, 4),    assume(6, 6), assume(9, 11), assume(11, 11)}},
      /* usetp   */ {{doc(1, 1), assume(11, 11), obs(4, 4),    assume(4, 4), assume(6, 6), assume(9, 11), assume(11, 11)}},
      /* uplop3  */ {{doc(1, 1), assume(11, 11), assume(4, 4), assume(4, 4), assume(6, 6), assume(9, 11), assume(11, 11)}},
      /* voteu   */ {{doc(1, 1), assume(5, 11),  assume(1, 4), assume(1, 4), assume(1, 6), assume(2, 11), assume(5, 11)}},
  }};

  // General registers, write after write.
  static constexpr latency_matrix<r_writer, second_writer> r_waw = {{
      //               fixed          fma            wide_low       dispatch64     half           slow           mma            late
      /* none        */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* counted     */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* alu         */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* dual        */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* viadd       */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* vote        */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* cs2r        */ {{assume(1, 2),  assume(1, 6),  assume(1, 6),  doc(1, 1),     assume(1, 6),  assume(1, 2),  assume(1, 2),  assume(5, 6)}},
      /* cs2r_32     */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  assume(5, 6)}},
      /* fma         */ {{obs(1, 1),     obs(1, 2),     assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* wide_low    */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* wide_high   */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* imad_hi     */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* half        */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* half_alu    */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  obs(5, 6)}},
      /* hfma2_mma   */ {{assume(1, 6),  assume(1, 6),  assume(1, 8),  assume(1, 4),  assume(1, 6),  assume(1, 3),  assume(1, 2),  assume(1, 10)}},
      /* fp64        */ {{assume(1, 6),  assume(1, 6),  assume(1, 8),  assume(1, 4),  assume(1, 6),  assume(1, 3),  assume(1, 2),  assume(1, 10)}},
      /* hmma_small  */ {{assume(9, 16), assume(9, 16), assume(9, 16), assume(9, 16), assume(9, 16), assume(9, 16), assume(1, 16), assume(6, 15)}},
      /* hmma_medium */ {{obs(9, 16),    obs(9, 16),    obs(9, 18),    assume(9, 16), obs(9, 16),    assume(9, 16), obs(1, 16),    obs(6, 15)}},
      /* hmma_large  */ {{obs(9, 24),    obs(9, 24),    obs(9, 24),    assume(9, 24), obs(9, 24),    assume(9, 24), obs(1, 24),    obs(6, 23)}},
      /* hmma_sparse */ {{assume(9, 16), assume(9, 16), assume(9, 16), assume(9, 16), assume(9, 16), assume(9, 16), assume(1, 16), assume(6, 15)}},
      /* imma_small  */ {{obs(9, 13),    obs(9, 13),    assume(9, 13), assume(9, 13), assume(8, 13), assume(9, 13), obs(1, 14),    obs(6, 13)}},
      /* imma_medium */ {{obs(9, 16),    obs(9, 16),    assume(9, 16), assume(9, 16), obs(9, 16),    assume(9, 16), obs(1, 19),    obs(6, 15)}},
      /* imma_large  */ {{obs(9, 24),    obs(9, 24),    assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), obs(1, 24),    obs(6, 23)}},
      /* bmma_small  */ {{assume(9, 13), assume(9, 13), assume(9, 13), assume(9, 13), assume(9, 13), assume(9, 13), assume(1, 13), assume(6, 12)}},
      /* bmma_large  */ {{assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), assume(1, 24), assume(6, 23)}},
      /* dmma        */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* qmma        */ {{assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), assume(9, 24), assume(1, 24), assume(6, 23)}},
      /* hgmma       */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* alu_64      */ {{doc(1, 1),     assume(1, 2),  assume(1, 3),  doc(1, 1),     doc(1, 1),     assume(1, 2),  assume(1, 2),  assume(5, 6)}},
  }};

  // Predicates, write after write.
  static constexpr latency_matrix<p_writer, second_writer> p_waw = {{
      //           fixed         fma           wide_low      dispatch64    half           slow          mma           late
      /* none    */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),     doc(1, 1),    doc(1, 1),    doc(1, 1)}},
      /* counted */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),     doc(1, 1),    doc(1, 1),    doc(1, 1)}},
      /* alu     */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* dual    */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* setp    */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* plop3   */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* vote    */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* r2p     */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* fma     */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* wide    */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* imad_hi */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* half    */ {{assume(1, 2), assume(1, 2), assume(1, 2), assume(1, 2), assume(1, 2),  assume(1, 7), assume(1, 2), assume(1, 12)}},
      /* fp64    */ {{assume(1, 2), assume(1, 2), assume(1, 2), assume(1, 2), assume(1, 10), assume(1, 2), assume(1, 2), assume(1, 13)}},
      /* elect   */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
      /* r2ur    */ {{doc(1, 1),    doc(1, 1),    doc(1, 1),    doc(1, 1),    assume(1, 9),  assume(1, 7), doc(1, 1),    assume(2, 12)}},
  }};

  // Uniform registers, write after write.
  static constexpr latency_matrix<u_writer, second_writer> u_waw = {{
      //              fixed          fma            wide_low       dispatch64     half           slow           mma            late
      /* none       */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* counted    */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1)}},
      /* ualu       */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(2, 7),  doc(1, 1),     assume(1, 11)}},
      /* ualu_x     */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(2, 7),  doc(1, 1),     assume(1, 11)}},
      /* uimad      */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(2, 7),  doc(1, 1),     assume(1, 11)}},
      /* uimad_wide */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(2, 7),  doc(1, 1),     assume(1, 11)}},
      /* uldc       */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(1, 4)}},
      /* umov       */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(1, 4)}},
      /* voteu      */ {{doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     doc(1, 1),     assume(1, 4)}},
      /* r2ur       */ {{assume(1, 11), assume(1, 11), assume(1, 11), assume(1, 11), assume(1, 11), assume(1, 11), assume(1, 11), assume(1, 11)}},
  }};
};

}  // namespace ww::detail
// clang-format on
