// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_50 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from 1444548 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 80 observed, 1488 documented, 0 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm50_tables {
  using cells = latency_cells<sm50_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu         */ "d0101 o0606 o0606 o0606 d0606 o0606 d0606   d0606      d0606       d0606   d0606     o0606 o0606    d0606     o0406 d0606  d0606 d0606 o0204 o0202 o0204       o0204    o0206   d0206 d0606 o0206|"
      /* dual        */ "d0101 o0606 o0606 o0606 d0606 o0606 d0606   d0606      d0606       d0606   d0606     o0606 o0606    d0606     o0406 d0606  d0606 d0606 o0204 o0202 o0204       o0204    o0206   d0206 d0606 o0206|"
      /* viadd       */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* vote        */ "d0101 o0606 o0606 o0606 d0606 o0606 d0606   d0606      d0606       d0606   d0606     o0606 o0606    d0606     o0406 d0606  d0606 d0606 o0204 o0202 o0204       o0204    d0206   d0206 d0606 o0206|"
      /* cs2r        */ "d0101 o0606 d0606 o0606 d0606 o0612 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0408 d0606  d0606 d0606 d0206 d0208 d0207       d0206    d0206   d0206 d0606 d0206|"
      /* cs2r_32     */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* fma         */ "d0101 o0606 o0606 o0606 d0606 o0606 d0606   d0606      d0606       d0606   d0606     o0606 o0606    d0606     o0404 d0606  d0606 d0606 o0204 o0202 o0204       o0204    o0206   d0206 d0606 o0206|"
      /* wide_low    */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0406     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* wide_high   */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0406     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* imad_hi     */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* half        */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* half_alu    */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|"
      /* hfma2_mma   */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    o0206   d0206 d0606 d0206|"
      /* fp64        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* hmma_small  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* hmma_medium */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* hmma_large  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* hmma_sparse */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* imma_small  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* imma_medium */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* imma_large  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* bmma_small  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* bmma_large  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* dmma        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* qmma        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* hgmma       */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu_64      */ "d0101 d0606 d0606 d0606 d0606 d0606 d0606   d0606      d0606       d0606   d0606     d0606 d0606    d0606     d0406 d0606  d0606 d0606 d0206 d0206 d0206       d0206    d0206   d0206 d0606 d0206|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1313 d1313 o1313 o1313 d1313 d1313 d1313 d1313 d1313 o1313 o0413   o1313 d1313|"
      /* dual    */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 o0413   d1313 d1313|"
      /* setp    */ "d0101 o1313 d1313 o1313 o1313 d1313 d1313 d1313 d1313 o1313 o1313 o1313   d1313 o1313|"
      /* setp_64 */ "d0101 o1313 d1313 o1313 o1313 d1313 d1313 d1313 d1313 o1313 o1313 o1313   d1313 o1313|"
      /* plop3   */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* vote    */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* r2p     */ "d0101 o1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 o1313 d1313   d1113 d1313|"
      /* fma     */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 o0413   d1313 d1313|"
      /* wide    */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* imad_hi */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* half    */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* fp64    */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 o1313 d1313 d1313   d1313 d1313|"
      /* elect   */ "d0101 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* r2ur    */ "d0101 d1313 d1313 d1313 d1313 o1313 d1313 d1313 d1313 d1313 d1313 d1313   d1313 d1313|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu_x     */ "d0101 o0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* uimad      */ "d0101 d0101 d0101  o0101 d0101 d0101 o0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* uimad_wide */ "d0101 d0101 d0101  d0101 d0101 d0101 o0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* uldc       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* umov       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* voteu      */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* r2ur       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 o0101  o0101      d0101 d0101  d0101|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101|"
      /* ualu    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101|"
      /* usetp   */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101|"
      /* uplop3  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101|"
      /* voteu   */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* dual        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* viadd       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* vote        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* cs2r        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* cs2r_32     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* fma         */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* wide_low    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* wide_high   */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* imad_hi     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* half        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* half_alu    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|"
      /* hfma2_mma   */ "d0106 d0106 d0108    d0104      d0106 d0103 d0102 d0110|"
      /* fp64        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* hmma_small  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* hmma_medium */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* hmma_large  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* hmma_sparse */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* imma_small  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* imma_medium */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* imma_large  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* bmma_small  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* bmma_large  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* dmma        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* qmma        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* hgmma       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu_64      */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0106|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* dual    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* setp    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* plop3   */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* vote    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* r2p     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* fma     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* wide    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* half    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* fp64    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* elect   */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|"
      /* r2ur    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0113|";

  // Uniform registers, write after write.
  static constexpr char u_waw[] =
      //                fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* ualu       */ "d0101 d0101 d0101    d0101      d0101 d0207 d0101 d0111|"
      /* ualu_x     */ "d0101 d0101 d0101    d0101      d0101 d0207 d0101 d0111|"
      /* uimad      */ "d0101 d0101 d0101    d0101      d0101 d0207 d0101 d0111|"
      /* uimad_wide */ "d0101 d0101 d0101    d0101      d0101 d0207 d0101 d0111|"
      /* uldc       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0104|"
      /* umov       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0104|"
      /* voteu      */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0104|"
      /* r2ur       */ "d0111 d0111 d0111    d0111      d0111 d0111 d0111 d0111|";
};

}  // namespace ww::detail
// clang-format on
