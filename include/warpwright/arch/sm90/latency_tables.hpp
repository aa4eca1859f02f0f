// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_90 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from 831495 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 407 observed, 428 documented, 755 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm90_tables {
  using cells = latency_cells<sm90_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu         */ "d0101 o0404 o0404 o0404 o0505 o0505 o0505   o0505      o0303       o0505   a0505     o0505 o0505    o0606     o0606 o0707  o0707 o0707 o0404 o0404 o0505       o0505    o0405   o0405 a0404 o0406|"
      /* dual        */ "d0101 o0404 o0404 o0404 o0505 o0505 o0505   o0505      o0303       o0505   o0505     o0505 o0505    o0606     o0606 o0707  o0707 o0707 o0404 o0404 o0505       o0505    o0405   a0405 a0404 o0406|"
      /* viadd       */ "d0101 o0505 o0505 o0505 o0404 o0404 o0404   a0404      o0202       a0404   a0404     o0505 o0505    o0606     o0606 o0707  a0707 a0708 o0404 o0406 o0505       o0505    a0405   a0405 a0505 o0406|"
      /* vote        */ "d0101 o0404 o0404 o0404 o0505 o0505 o0505   a0505      a0303       a0505   a0505     o0505 o0505    o0606     o0606 o0707  a0707 a0707 o0404 a0404 o0505       o0505    a0405   a0405 a0404 o0406|"
      /* cs2r        */ "d0101 o0606 a0606 a0606 a0606 o0611 a0606   a0606      a0404       a0606   a0606     a0606 a0606    a0606     a0606 a0707  a0707 a0707 a0404 a0404 a0508       a0505    a0405   a0405 a0606 a0406|"
      /* cs2r_32     */ "d0101 o0404 a0404 a0404 a0505 a0507 a0505   a0505      a0303       a0505   a0505     a0505 a0505    a0606     a0606 a0707  a0707 a0707 o0404 a0404 a0505       a0505    a0405   a0405 a0404 a0406|"
      /* fma         */ "d0101 o0505 o0505 o0505 o0404 o0404 o0404   o0404      o0202       o0404   o0404     o0505 o0505    o0606     o0606 o0707  o0707 o0707 o0404 o0404 o0505       o0505    o0405   a0405 a0505 o0406|"
      /* wide_low    */ "d0101 o0303 o0303 o0303 a0202 o0404 o0406   o0404      a0202       o0404   o0404     a0303 a0303    a0606     o0606 a0707  a0707 a0707 a0404 a0404 o0505       o0505    a0405   a0305 a0303 a0406|"
      /* wide_high   */ "d0101 o0505 o0505 o0505 o0404 o0404 a0606   a0404      o0404       a0606   a0404     a0505 a0505    a0606     o0606 a0707  a0707 a0707 a0404 a0404 o0505       o0505    a0405   a0405 a0505 a0406|"
      /* imad_hi     */ "d0101 o0505 o0505 o0505 o0404 o0404 o0606   o0404      a0202       o0606   a0404     o0505 o0505    o0606     a0606 o0707  a0707 a0708 o0404 a0404 o0505       o0505    a0405   a0405 a0505 o0406|"
      /* half        */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   a0505      a0303       o0505   a0505     o0404 o0505    o0606     o0606 o0707  o0707 a0707 o0404 a0404 o0505       o0505    a0405   a0405 a0505 o0406|"
      /* half_alu    */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   a0505      a0303       o0505   a0505     o0505 o0404    o0606     o0606 o0707  a0709 a0707 o0404 a0404 o0505       o0505    a0405   a0405 a0505 o0406|"
      /* hfma2_mma   */ "d0101 o1010 o1010 o1010 o1010 o1010 o1010   a1013      o0810       o1010   o1010     o1010 o1010    o0808     o0808 a1111  a1111 a1111 o0606 a0606 o0707       o0707    o0606   a0610 a1010 o0606|"
      /* fp64        */ "d0101 o1010 o1010 o1010 o1010 o1010 o1010   a1010      a0810       a1010   a1010     o1010 o1010    a1010     o0808 a1111  a1111 o1111 o0606 a0607 o0707       o0707    a0606   o1010 a1010 o0610|"
      /* hmma_small  */ "d0101 a1616 a1616 a1616 a1616 a1616 a1616   a1616      a1616       a1616   a1616     a1616 a1616    a1616     a1616 a1621  a1617 a1621 a1414 a1414 a1515       a1515    a1416   a1416 a1616 a1414|"
      /* hmma_medium */ "d0101 o1616 o1616 o1616 o1616 o1616 o1616   a1616      a1616       a1616   a1616     o1616 o1616    a1616     a1618 o1619  o1616 a1621 o1414 a1415 o1515       o1515    a1416   a1416 a1616 o1414|"
      /* hmma_large  */ "d0101 o2424 o2424 o2424 o2424 o2424 o2424   a2424      a2424       a2424   a2424     o2424 o2424    a2424     a2425 o2427  o2424 a2429 o2222 a2223 o2323       o2323    a2224   a2224 a2424 o2222|"
      /* hmma_sparse */ "d0101 a1429 a1429 a1429 a1429 a1429 a1429   a1429      a1429       a1429   a1429     a1429 a1429    a1429     a1429 a1429  a1429 a1429 a1429 a1429 a1429       a1429    a1429   a1429 a1429 a1429|"
      /* imma_small  */ "d0101 o1313 o1313 o1313 a1313 o1313 a1313   a1313      a1313       a1313   a1313     a1313 a1313    a1313     a1313 o1316  o1414 a1318 o1111 a1112 a1212       o1212    a1113   a1113 a1313 o1111|"
      /* imma_medium */ "d0101 o1616 o1616 o1616 a1616 o1616 a1616   a1616      a1616       a1616   a1616     o1616 a1616    a1616     a1616 o1619  o1617 a1621 o1414 a1414 a1515       o1515    a1416   a1416 a1616 o1414|"
      /* imma_large  */ "d0101 o2424 o2424 o2424 a2424 o2424 a2424   a2424      a2424       a2424   a2424     o2424 a2424    a2424     a2424 o2429  o2424 a2429 o2222 a2223 a2323       o2323    a2224   a2224 a2424 o2222|"
      /* bmma_small  */ "d0101 a1313 a1313 a1313 a1313 a1313 a1313   a1313      a1313       a1313   a1313     a1313 a1313    a1313     a1313 a1318  a1314 a1318 a1111 a1111 a1212       a1212    a1113   a1113 a1313 a1111|"
      /* bmma_large  */ "d0101 a2424 a2424 a2424 a2424 a2424 a2424   a2424      a2424       a2424   a2424     a2424 a2424    a2424     a2424 a2429  a2425 a2429 a2222 a2222 a2323       a2323    a2224   a2224 a2424 a2222|"
      /* dmma        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* qmma        */ "d0101 a2424 a2424 a2424 a2424 a2424 a2424   a2424      a2424       a2424   a2424     a2424 a2424    a2424     a2424 a2429  a2425 a2429 a2222 a2222 a2323       a2323    a2224   a2224 a2424 a2222|"
      /* hgmma       */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu_64      */ "d0101 a0404 a0404 a0404 a0505 a0505 a0505   a0505      a0303       a0505   a0505     a0505 a0505    a0606     a0606 a0707  a0707 a0707 a0404 a0404 a0505       a0505    a0405   a0405 a0404 a0406|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1313 o0404 o0404 o0404 o0404 o0505 o0505 a1313 a1315 o1313 o0413   a1313 a1313|"
      /* dual    */ "d0101 a1313 a0404 a0404 a0404 a0404 a0505 a0505 a1313 a1313 a1313 o0413   a1313 a1313|"
      /* setp    */ "d0101 o1313 o0404 o0404 o0404 o0404 a0505 a0505 a1313 o1313 o1313 o1313   o1313 o1313|"
      /* setp_64 */ "d0101 o1313 a0404 o0404 o0404 o0404 a0505 a0505 a1313 o1313 o1313 o1313   a1313 o1313|"
      /* plop3   */ "d0101 o1313 o0404 o0404 o0404 a0404 a0505 a0505 a1313 o1313 o1313 o1313   a1313 a1313|"
      /* vote    */ "d0101 o1313 a0404 o0404 o0404 a0404 a0505 a0505 a1313 a1313 a1313 a1313   a1313 o1313|"
      /* r2p     */ "d0101 o1313 a0406 o0406 a0406 a0406 a0506 a0506 a1313 a1313 o1313 a1313   a1313 a1313|"
      /* fma     */ "d0101 a1313 a0505 a0505 a0505 a0505 a0404 a0404 a1313 a1313 a1313 o0413   a1313 a1313|"
      /* wide    */ "d0101 a1313 a0505 a0505 a0505 a0505 o0404 a0406 a1313 a1313 a1313 a1313   a1313 a1313|"
      /* imad_hi */ "d0101 a1313 a0505 a0505 a0505 a0505 a0404 a0406 a1313 a1313 a1313 a1313   a1313 a1313|"
      /* half    */ "d0101 o1313 a0505 o0505 o0505 a0505 a0505 a0505 a0505 a1313 o1313 a1313   a1313 a1313|"
      /* fp64    */ "d0101 o1414 a0606 o0606 o0606 a0606 a0606 a0606 a1414 o0606 o1414 o1414   a1414 a1414|"
      /* elect   */ "d0101 o1313 o0413 a0413 o0413 o0413 a0813 a0813 a0813 a0813 a0813 a0813   a0813 a0813|"
      /* r2ur    */ "d0101 o1313 a0813 a0813 a0813 o0813 a0813 a0813 a0813 a0813 a0813 a0813   a0813 a0813|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 o0404 o0410  o0408 a0407 o1212 o0606  o0909 o0909  o0911      o0909 o1010  a1212|"
      /* ualu_x     */ "d0101 o0404 o0404  o0408 a0407 a1212 o0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uimad      */ "d0101 o0404 o0410  o0408 a0407 a1212 o0606  a0909 a0909  o0909      a0909 a1010  a1212|"
      /* uimad_wide */ "d0101 o0404 o0408  a0408 a0407 a1212 o0608  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uldc       */ "d0101 o0202 o0206  a0209 a0209 a0505 o0202  o0202 a0202  o0202      a0202 a0303  a0505|"
      /* umov       */ "d0101 o0202 a0209  a0209 a0209 a0505 o0202  a0202 a0202  o0202      a0203 o0303  a0505|"
      /* voteu      */ "d0101 o0202 a0209  a0209 a0209 a0505 o0202  o0202 a0202  a0202      a0202 a0303  a0505|"
      /* r2ur       */ "d0101 o1313 a1313  a1313 a1313 a1515 o1313  a1313 o1313  o1315      o1313 a1313  a1515|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      //             none  guard ualu  ualu_x vector branch uldc
      /* none    */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* counted */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* ualu    */ "d0101 a1111 a0404 o0404  o0606  o0911  a1111|"
      /* usetp   */ "d0101 o1111 o0404 a0404  o0606  a0911  a1111|"
      /* uplop3  */ "d0101 a1111 a0404 a0404  a0606  a0911  a1111|"
      /* voteu   */ "d0101 o0511 a0104 a0104  a0106  a0211  a0511|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* dual        */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* viadd       */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* vote        */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* cs2r        */ "a0102 a0106 a0106    d0101      a0106 a0102 a0102 a0506|"
      /* cs2r_32     */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* fma         */ "o0101 o0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* wide_low    */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* wide_high   */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* imad_hi     */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* half        */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* half_alu    */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 o0506|"
      /* hfma2_mma   */ "a0106 a0106 a0108    a0104      a0106 a0103 a0102 a0110|"
      /* fp64        */ "a0106 a0106 a0108    a0104      a0106 a0103 a0102 a0110|"
      /* hmma_small  */ "a0916 a0916 a0916    a0916      a0916 a0916 a0116 a0615|"
      /* hmma_medium */ "o0916 o0916 o0918    a0916      o0916 a0916 o0116 o0615|"
      /* hmma_large  */ "o0924 o0924 o0924    a0924      o0924 a0924 o0124 o0623|"
      /* hmma_sparse */ "a0916 a0916 a0916    a0916      a0916 a0916 a0116 a0615|"
      /* imma_small  */ "o0913 o0913 a0913    a0913      a0813 a0913 o0114 o0613|"
      /* imma_medium */ "o0916 o0916 a0916    a0916      o0916 a0916 o0119 o0615|"
      /* imma_large  */ "o0924 o0924 a0924    a0924      a0924 a0924 o0124 o0623|"
      /* bmma_small  */ "a0913 a0913 a0913    a0913      a0913 a0913 a0113 a0612|"
      /* bmma_large  */ "a0924 a0924 a0924    a0924      a0924 a0924 a0124 a0623|"
      /* dmma        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* qmma        */ "a0924 a0924 a0924    a0924      a0924 a0924 a0124 a0623|"
      /* hgmma       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu_64      */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* dual    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* setp    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* plop3   */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* vote    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* r2p     */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* fma     */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* wide    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* half    */ "a0102 a0102 a0102    a0102      a0102 a0107 a0102 a0112|"
      /* fp64    */ "a0102 a0102 a0102    a0102      a0110 a0102 a0102 a0113|"
      /* elect   */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* r2ur    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|";

  // Uniform registers, write after write.
  static constexpr char u_waw[] =
      //                fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* ualu       */ "d0101 d0101 d0101    d0101      d0101 a0207 d0101 a0111|"
      /* ualu_x     */ "d0101 d0101 d0101    d0101      d0101 a0207 d0101 a0111|"
      /* uimad      */ "d0101 d0101 d0101    d0101      d0101 a0207 d0101 a0111|"
      /* uimad_wide */ "d0101 d0101 d0101    d0101      d0101 a0207 d0101 a0111|"
      /* uldc       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 a0104|"
      /* umov       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 a0104|"
      /* voteu      */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 a0104|"
      /* r2ur       */ "a0111 a0111 a0111    a0111      a0111 a0111 a0111 a0111|";
};

}  // namespace ww::detail
// clang-format on
