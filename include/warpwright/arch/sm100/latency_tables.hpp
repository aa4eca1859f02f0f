// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_100 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from 717019 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 341 observed, 1246 documented, 3 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm100_tables {
  using cells = latency_cells<sm100_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu         */ "d0101 o0404 o0404 o0404 o0505 o0505 o0505   o0505      o0303       o0505   d0505     o0505 o0505    d0606     o0606 o0707  o0707 o0707 o0404 o0404 o0505       o0505    o0405   o0404 d0404 o0406|"
      /* dual        */ "d0101 o0404 o0404 o0404 o0505 o0505 o0505   o0505      o0303       o0505   o0505     o0505 o0505    d0606     o0606 o0707  o0707 o0707 o0404 o0404 o0505       o0505    o0405   o0404 d0404 o0406|"
      /* viadd       */ "d0101 o0505 o0505 o0505 o0404 o0404 o0404   d0406      d0204       d0404   d0404     o0505 o0505    d0606     o0606 o0707  d0707 d0707 o0404 d0404 o0505       o0505    d0405   d0405 d0505 o0406|"
      /* vote        */ "d0101 o0404 o0404 o0404 o0505 o0505 o0505   d0505      d0303       d0505   d0505     o0505 o0505    d0606     o0606 o0707  d0707 d0707 o0404 o0406 o0505       o0505    d0405   d0405 d0404 o0406|"
      /* cs2r        */ "d0101 o0606 d0606 d0606 d0606 o0611 d0606   d0606      d0406       d0606   d0606     d0606 d0606    d0606     d0606 d0710  o0707 d0710 d0404 d0404 d0505       d0505    d0405   d0405 d0606 d0406|"
      /* cs2r_32     */ "d0101 o0404 d0404 d0404 d0505 d0505 d0505   d0505      d0303       d0505   d0505     d0505 d0505    d0606     d0606 d0707  d0707 d0707 d0404 d0404 d0505       d0505    d0405   d0405 d0404 d0406|"
      /* fma         */ "d0101 o0505 o0505 o0505 o0404 o0404 o0404   o0404      o0202       o0404   o0404     o0505 o0505    d0606     o0606 o0707  o0707 o0707 o0404 o0404 o0505       o0505    o0406   o0505 d0505 o0406|"
      /* wide_low    */ "d0101 o0303 d0303 d0303 d0202 o0404 o0406   o0404      d0202       d0404   o0404     d0303 d0303    d0606     o0606 d0707  d0707 d0707 d0404 d0405 o0505       o0505    d0405   d0305 d0303 d0406|"
      /* wide_high   */ "d0101 o0505 o0505 d0505 d0404 o0404 d0606   d0404      o0404       d0606   d0404     d0505 d0505    d0606     o0606 d0707  d0707 d0707 d0404 d0404 o0505       o0505    d0405   d0405 d0505 d0406|"
      /* imad_hi     */ "d0101 o0505 o0505 o0505 d0404 o0404 o0606   d0404      d0202       o0606   d0404     o0505 o0505    d0606     o0606 o0707  d0707 d0707 o0404 d0404 o0505       o0505    d0405   d0405 d0505 o0406|"
      /* half        */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   d0505      d0306       o0505   o0505     o0404 o0505    d0606     o0606 o0707  d0707 d0707 o0404 o0404 o0505       o0505    d0405   o0405 d0505 o0406|"
      /* half_alu    */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   d0505      d0303       d0505   d0505     o0505 o0404    d0606     o0606 o0707  d0707 d0707 o0404 d0404 o0505       o0505    d0405   o0405 d0505 o0406|"
      /* hfma2_mma   */ "d0101 d1010 d1010 d1010 d1010 d1010 d1010   d1010      d0808       d1010   d1010     d1010 d1010    d1010     d0808 d1111  d1111 d1111 d0606 d0606 d0707       d0707    o0606   d0606 d1010 d0606|"
      /* fp64        */ "d0101 o1010 o1010 o1010 o1010 o1010 o1010   d1010      d0810       d1010   d1010     o1010 o1010    d1010     o0808 o1113  d1113 o1111 o0606 d0607 o0707       o0707    d0606   d0610 d1010 o0610|"
      /* hmma_small  */ "d0101 d1919 d1919 d1919 d1919 d1919 d1919   d1919      d1919       d1919   d1919     d1919 d1919    d1919     d1919 d1924  d1920 d1924 d1919 d1919 d1919       d1919    d1919   d1919 d1919 d1919|"
      /* hmma_medium */ "d0101 o1919 o1919 o1919 o1919 o1919 o1919   d1919      d1919       d1919   d1919     o1919 o1919    d1919     d1919 o2024  o2020 d1926 o1919 d1919 o1919       o1919    d1919   d1919 d1919 o1919|"
      /* hmma_large  */ "d0101 o1919 o1919 o1919 o1919 o1919 o1919   d1919      d1919       d1919   d1919     o1919 o1919    d1919     d1919 o2024  o2020 d1924 o1919 o1919 o1919       o1919    d1919   d1919 d1919 o1919|"
      /* hmma_sparse */ "d0101 d1919 d1919 d1919 d1919 d1919 d1919   d1919      d1919       d1919   d1919     d1919 d1919    d1919     d1919 d1924  d1920 d1924 d1919 d1919 d1919       d1919    d1919   d1919 d1919 d1919|"
      /* imma_small  */ "d0101 d1919 d1919 d1919 d1919 d1919 d1919   d1919      d1919       d1919   d1919     d1919 d1919    d1919     d1919 d1924  d1920 d1924 d1919 d1919 d1919       d1919    d1919   d1919 d1919 d1919|"
      /* imma_medium */ "d0101 o1919 o1919 o1919 o1919 o1919 o1919   d1919      d1919       d1919   d1919     o1919 o1919    d1919     d1919 o2024  o2022 d1924 o1919 d1919 o1919       o1919    d1919   d1919 d1919 o1919|"
      /* imma_large  */ "d0101 o1919 o1919 o1919 d1919 o1919 d1919   d1919      d1919       d1919   d1919     o1919 d1919    d1919     d1919 o2024  o2020 d1924 o1919 d1919 d1919       o1919    d1919   d1919 d1919 o1919|"
      /* bmma_small  */ "d0101 d1919 d1919 d1919 d1919 d1919 d1919   d1919      d1919       d1919   d1919     d1919 d1919    d1919     d1919 d1924  d1920 d1924 d1919 d1919 d1919       d1919    d1919   d1919 d1919 d1919|"
      /* bmma_large  */ "d0101 d1919 d1919 d1919 d1919 d1919 d1919   d1919      d1919       d1919   d1919     d1919 d1919    d1919     d1919 d1924  d1920 d1924 d1919 d1919 d1919       d1919    d1919   d1919 d1919 d1919|"
      /* dmma        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* qmma        */ "d0101 d1919 d1919 d1919 d1919 d1919 d1919   d1919      d1919       d1919   d1919     d1919 d1919    d1919     d1919 d1924  d1920 d1924 d1919 d1919 d1919       d1919    d1919   d1919 d1919 d1919|"
      /* hgmma       */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu_64      */ "d0101 d0404 d0404 d0404 d0505 d0505 d0505   d0505      d0303       d0505   d0505     d0505 d0505    d0606     d0606 d0707  d0707 d0707 d0404 d0404 d0505       d0505    d0405   d0405 d0404 d0406|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1313 o0404 o0404 o0404 o0404 o0505 d0507 d1313 d1313 o1313 o0413   d1313 d1313|"
      /* dual    */ "d0101 d1313 d0404 d0404 d0404 d0404 d0505 d0505 d1313 d1313 d1313 o0413   d1313 d1313|"
      /* setp    */ "d0101 o1313 d0404 o0404 o0404 o0404 d0505 d0505 d1313 o1313 o1313 o1313   d1313 o1313|"
      /* setp_64 */ "d0101 o1313 d0404 o0404 o0404 o0404 d0505 d0505 d1313 o1313 o1313 o1313   d1313 o1313|"
      /* plop3   */ "d0101 o1313 d0404 o0404 d0404 d0406 d0505 d0505 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* vote    */ "d0101 o1313 d0404 o0404 o0404 d0404 d0505 d0505 d1313 d1313 o1313 d1313   d1313 d1313|"
      /* r2p     */ "d0101 o1313 a0405 o0405 a0405 a0405 d0505 d0505 d1313 d1313 o1313 d1313   d1313 d1313|"
      /* fma     */ "d0101 d1313 d0505 d0505 d0505 d0505 d0404 d0404 d1313 d1313 d1313 o0413   d1313 d1313|"
      /* wide    */ "d0101 d1313 d0505 d0505 d0505 d0505 d0404 d0406 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* imad_hi */ "d0101 d1313 d0505 d0505 d0505 d0505 d0404 d0406 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* half    */ "d0101 o1313 d0505 o0505 o0505 d0506 d0505 d0505 d0505 d1313 o1313 d1313   d1313 d1313|"
      /* fp64    */ "d0101 o1414 d0606 o0606 o0606 d0606 d0606 d0606 d1414 o0606 o1414 o1414   d1414 d1414|"
      /* elect   */ "d0101 o1313 o0413 d0413 o0413 o0413 d0813 d0813 d0813 d0813 d0813 d0813   d0813 d0813|"
      /* r2ur    */ "d0101 o1313 d0813 d0813 d0813 o0813 d0813 d0813 d0813 d0813 d0813 d0813   d0813 d0813|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 o0404 o0410  o0408 d0407 o1212 o0606  d0909 o0909  d0909      d0909 d1010  d1212|"
      /* ualu_x     */ "d0101 o0404 o0404  d0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uimad      */ "d0101 o0404 d0410  o0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uimad_wide */ "d0101 o0404 o0408  d0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uldc       */ "d0101 d0202 d0209  d0209 d0209 d0505 d0202  d0202 d0202  d0202      d0202 d0303  d0505|"
      /* umov       */ "d0101 o0202 d0209  d0209 d0209 d0505 d0202  d0202 d0202  d0202      d0202 d0303  d0505|"
      /* voteu      */ "d0101 d0202 d0209  d0209 d0209 d0505 o0202  d0203 d0202  d0202      d0202 d0303  d0505|"
      /* r2ur       */ "d0101 d1313 d1313  d1313 d1313 d1315 o1313  d1313 o1313  o1315      d1313 d1313  d1515|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      //             none  guard ualu  ualu_x vector branch uldc
      /* none    */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* counted */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* ualu    */ "d0101 d1111 d0404 o0404  d0606  d0911  d1111|"
      /* usetp   */ "d0101 o1111 o0404 d0404  d0606  o0909  d1111|"
      /* uplop3  */ "d0101 d1111 d0404 d0404  d0606  d0911  d1111|"
      /* voteu   */ "d0101 d0511 d0104 d0104  d0106  d0211  d0511|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* dual        */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* viadd       */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* vote        */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* cs2r        */ "d0102 d0106 d0106    d0101      d0106 d0102 d0102 d0506|"
      /* cs2r_32     */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 d0506|"
      /* fma         */ "o0101 o0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* wide_low    */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* wide_high   */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* imad_hi     */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* half        */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* half_alu    */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* hfma2_mma   */ "d0106 d0106 d0108    d0104      d0106 d0103 d0102 d0110|"
      /* fp64        */ "d0106 d0106 d0108    d0104      d0106 d0103 d0102 d0110|"
      /* hmma_small  */ "d1419 d1419 d1419    d1419      d1419 d1419 d0119 d0618|"
      /* hmma_medium */ "o1419 o1419 d1419    d1419      o1419 d1319 o0120 o0619|"
      /* hmma_large  */ "o1419 o1419 o1419    d1419      o1419 d1319 o0120 o0619|"
      /* hmma_sparse */ "d1419 d1419 d1419    d1419      d1419 d1419 d0119 d0618|"
      /* imma_small  */ "d1419 d1419 d1419    d1419      d1419 d1419 d0119 d0618|"
      /* imma_medium */ "o1419 o1419 d1419    o1419      o1419 o1319 o0122 o0619|"
      /* imma_large  */ "o1419 o1419 d1419    d1419      d1419 d1419 o0120 o0619|"
      /* bmma_small  */ "d1419 d1419 d1419    d1419      d1419 d1419 d0119 d0618|"
      /* bmma_large  */ "d1419 d1419 d1419    d1419      d1419 d1419 d0119 d0618|"
      /* dmma        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* qmma        */ "d1419 d1419 d1419    d1419      d1419 d1419 d0119 d0618|"
      /* hgmma       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu_64      */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 d0506|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* dual    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* setp    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* plop3   */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* vote    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* r2p     */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* fma     */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* wide    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* half    */ "d0102 d0102 d0102    d0102      d0102 d0107 d0102 d0112|"
      /* fp64    */ "d0102 d0102 d0102    d0102      d0110 d0102 d0102 d0113|"
      /* elect   */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* r2ur    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|";

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
