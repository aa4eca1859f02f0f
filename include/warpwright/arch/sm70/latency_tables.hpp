// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_70 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from 477241 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 170 observed, 784 documented, 636 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm70_tables {
  using cells = latency_cells<sm70_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu         */ "d0101 o0404 o0404 o0404 a0404 o0505 o0505   a0505      o0505       o0505   a0505     o0606 o0606    a0606     o0606 a0606  a0606 a0606 o0606 o0606 o0808       o0808    o0406   a0406 a0404 o0606|"
      /* dual        */ "d0101 o0404 o0404 o0404 a0404 o0505 o0505   o0505      o0505       o0505   o0505     o0606 o0606    a0606     o0606 a0606  a0606 a0606 o0606 o0606 o0808       o0808    o0406   a0406 a0404 o0606|"
      /* viadd       */ "d0101 a0404 a0404 a0404 a0404 a0505 a0505   a0505      a0303       a0505   a0505     a0606 a0606    a0606     a0606 a0606  a0606 a0606 a0606 a0606 a0606       a0606    a0606   a0606 a0404 a0606|"
      /* vote        */ "d0101 o0404 o0404 o0404 a0404 o0505 o0505   a0505      a0305       a0505   a0505     o0606 a0606    a0606     o0606 a0606  a0606 a0606 o0606 o0606 o0808       o0808    a0606   a0606 a0404 o0606|"
      /* cs2r        */ "d0101 o0606 a0606 a0606 a0606 o0606 a0606   a0606      a0404       a0606   a0606     a0606 a0606    a0606     a0606 a0606  a0606 a0606 a0606 a0606 a0606       a0606    a0606   a0606 a0606 a0606|"
      /* cs2r_32     */ "d0101 o0404 a0404 a0404 a0404 o0505 a0505   a0505      a0303       a0505   a0505     a0606 a0606    a0606     a0606 a0606  a0606 a0606 a0606 a0606 a0606       a0606    a0606   a0606 a0404 a0606|"
      /* fma         */ "d0101 o0505 o0505 o0505 a0505 o0404 o0404   o0404      o0404       o0404   o0404     o0606 o0606    a0606     o0606 a0606  a0606 a0606 o0606 o0606 o0808       o0808    o0406   a0606 a0505 o0606|"
      /* wide_low    */ "d0101 o0505 o0505 o0505 a0303 a0204 a0406   a0206      a0202       a0404   a0202     a0606 a0606    a0606     o0606 a0606  a0606 a0606 o0606 a0606 o0808       o0808    a0606   a0606 a0303 o0606|"
      /* wide_high   */ "d0101 o0505 o0505 o0505 a0505 o0404 a0606   a0202      a0206       a0606   a0202     o0606 a0606    a0606     o0606 a0606  a0606 a0606 o0606 a0606 o0808       o0808    a0606   a0606 a0505 o0606|"
      /* imad_hi     */ "d0101 o0505 o0505 o0505 a0505 o0404 a0606   a0202      a0202       a0606   a0202     o0606 o0606    a0606     a0606 a0606  a0606 a0606 o0606 a0606 a0608       o0808    a0606   a0606 a0505 o0606|"
      /* half        */ "d0101 o0808 o0808 o0808 a0808 o0808 o0808   a0808      a0608       a0808   a0808     o0606 o0606    a0808     o0808 a0808  a0808 a0808 o0808 o0808 o0808       o0808    a0808   a0808 a0808 o0808|"
      /* half_alu    */ "d0101 o0808 o0808 o0808 a0808 o0808 o0808   a0808      a0608       a0808   a0808     o0606 a0606    a0808     o0808 a0808  a0808 a0808 o0808 a0808 o0808       o0808    a0808   a0808 a0808 o0808|"
      /* hfma2_mma   */ "d0101 a0909 a0909 a0909 a0909 a0909 a0909   a0909      a0707       a0909   a0909     a0909 a0909    a0909     a0808 a0909  a0909 a0909 a0909 a0909 a0909       a0909    o0909   a0909 a0909 a0909|"
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
      /* alu_64      */ "d0101 a0404 a0404 a0404 a0404 a0505 a0505   a0505      a0303       a0505   a0505     a0606 a0606    a0606     a0606 a0606  a0606 a0606 a0606 a0606 a0606       a0606    a0606   a0606 a0404 a0606|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1212 o0404 o0404 o0404 a0404 o0505 a0505 a1212 a1212 o1212 o0413   a1212 a1212|"
      /* dual    */ "d0101 a1212 a0404 a0404 a0404 a0404 a0505 a0505 a1212 a1212 a1212 o0412   a1212 a1212|"
      /* setp    */ "d0101 o1212 a0404 o0404 o0404 o0404 a0505 a0505 a1212 o1212 o1212 o1212   a1212 o1212|"
      /* setp_64 */ "d0101 o1212 a0404 o0404 o0404 o0404 a0505 a0505 a1212 o1212 o1212 o1212   a1212 o1212|"
      /* plop3   */ "d0101 o1212 a0404 o0404 o0404 a0404 a0505 a0505 a1212 a1212 a1212 a1212   a1212 a1212|"
      /* vote    */ "d0101 a1212 a0404 a0404 a0404 a0404 a0505 a0505 a1212 a1212 a1212 a1212   a1212 a1212|"
      /* r2p     */ "d0101 o1212 a0406 o0406 a0406 a0406 a0506 a0506 a1212 a1212 o1212 a1212   a1212 a1212|"
      /* fma     */ "d0101 a1212 a0505 a0505 a0505 a0505 a0404 a0404 a1212 a1212 a1212 o0412   a1212 a1212|"
      /* wide    */ "d0101 a1212 a0505 a0505 a0505 a0505 a0404 a0406 a1212 a1212 a1212 a1212   a1212 a1212|"
      /* imad_hi */ "d0101 a1212 a0505 a0505 a0505 a0505 a0404 a0406 a1212 a1212 a1212 a1212   a1212 a1212|"
      /* half    */ "d0101 o1414 a0808 o0808 o0808 a0808 a0808 a0808 a0606 a1414 a1414 a1414   a1414 a1414|"
      /* fp64    */ "d0101 a1515 a0909 a0909 a0909 a0909 a0909 a0909 a1515 o0808 a1515 a1515   a1515 a1515|"
      /* elect   */ "d0101 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813   a0813 a0813|"
      /* r2ur    */ "d0101 a0813 a0813 a0813 a0813 o0813 a0813 a0813 a0813 a0813 a0813 a0813   a0813 a0813|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 a0404 a0410  a0408 a0407 a1212 a0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* ualu_x     */ "d0101 o0404 a0410  a0408 a0407 a1212 a0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uimad      */ "d0101 a0404 a0410  o0408 a0407 a1212 o0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uimad_wide */ "d0101 a0404 a0410  a0408 a0407 a1212 o0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uldc       */ "d0101 a0202 a0209  a0209 a0209 a0505 a0202  a0202 a0202  a0202      a0202 a0303  a0505|"
      /* umov       */ "d0101 a0202 a0209  a0209 a0209 a0505 a0202  a0202 a0202  a0202      a0202 a0303  a0505|"
      /* voteu      */ "d0101 a0202 a0209  a0209 a0209 a0505 a0202  a0202 a0202  a0202      a0202 a0303  a0505|"
      /* r2ur       */ "d0101 a1313 a1313  a1313 a1313 a1515 a1313  a1313 o1313  o1315      a1313 a1313  a1515|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      //             none  guard ualu  ualu_x vector branch uldc
      /* none    */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* counted */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* ualu    */ "d0101 a1111 a0404 a0404  a0606  a0911  a1111|"
      /* usetp   */ "d0101 a1111 a0404 a0404  a0606  a0911  a1111|"
      /* uplop3  */ "d0101 a1111 a0404 a0404  a0606  a0911  a1111|"
      /* voteu   */ "d0101 a0511 a0104 a0104  a0106  a0211  a0511|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* dual        */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* viadd       */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 a0506|"
      /* vote        */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* cs2r        */ "a0102 o0106 a0106    d0101      a0106 a0102 a0104 a0506|"
      /* cs2r_32     */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 a0506|"
      /* fma         */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* wide_low    */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* wide_high   */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* imad_hi     */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 o0506|"
      /* half        */ "a0104 a0104 a0106    a0104      a0102 a0102 a0104 a0506|"
      /* half_alu    */ "a0104 a0104 a0106    a0104      a0102 a0102 a0104 a0506|"
      /* hfma2_mma   */ "a0106 a0106 a0108    a0104      a0106 a0103 a0102 a0110|"
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
      /* alu_64      */ "d0101 a0102 a0103    d0101      a0102 a0102 a0104 a0506|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* dual    */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* setp    */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* plop3   */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* vote    */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* r2p     */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* fma     */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* wide    */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* half    */ "a0104 a0102 a0102    a0102      a0102 a0107 a0102 a0112|"
      /* fp64    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* elect   */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|"
      /* r2ur    */ "d0101 d0101 d0101    d0101      a0106 a0104 d0101 a0212|";

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
