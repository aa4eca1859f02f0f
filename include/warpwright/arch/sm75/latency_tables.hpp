// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_75 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from 633764 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 205 observed, 1380 documented, 5 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm75_tables {
  using cells = latency_cells<sm75_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu         */ "d0101 o0404 o0404 o0404 d0404 o0505 o0505   o0505      o0505       o0505   d0505     o0606 o0606    d0606     o0606 o0606  d0606 d0606 o0606 o0606 o0808       o0808    o0606   d0406 d0404 o0606|"
      /* dual        */ "d0101 o0404 o0404 o0404 d0404 o0505 o0505   o0505      o0505       o0505   o0505     o0606 o0606    d0606     o0606 o0606  o0606 d0606 o0606 o0606 o0808       o0808    o0608   d0406 d0404 o0606|"
      /* viadd       */ "d0101 d0404 d0404 d0404 d0404 d0505 d0505   d0505      d0303       d0505   d0505     d0606 d0606    d0606     d0606 d0606  d0606 d0606 d0606 d0606 d0606       d0606    d0606   d0606 d0404 d0606|"
      /* vote        */ "d0101 o0404 o0404 o0404 d0404 o0505 o0505   d0505      d0303       d0505   d0505     o0606 d0606    d0606     o0606 d0606  d0608 d0606 o0606 d0606 o0808       o0808    d0606   d0606 d0404 o0606|"
      /* cs2r        */ "d0101 o0606 d0606 d0606 d0606 o0611 d0606   d0606      d0404       d0606   d0606     d0606 d0606    d0606     d0606 d0606  d0606 d0606 d0606 d0606 d0606       d0606    d0606   d0606 d0606 d0606|"
      /* cs2r_32     */ "d0101 d0404 d0404 d0404 d0404 d0506 d0505   d0505      d0303       d0505   d0505     d0606 d0606    d0606     d0606 d0606  d0606 d0606 d0606 d0606 d0606       d0606    d0606   d0606 d0404 d0606|"
      /* fma         */ "d0101 o0505 o0505 o0505 d0505 o0404 o0404   o0404      o0404       o0404   o0404     o0606 o0606    d0606     o0606 o0606  o0606 d0606 o0606 o0606 o0808       o0808    o0606   d0606 d0505 o0606|"
      /* wide_low    */ "d0101 o0505 o0505 o0505 d0303 o0404 d0406   o0606      d0202       d0404   o0606     d0606 d0606    d0606     o0606 d0606  d0606 d0606 o0606 d0610 o0808       o0808    d0606   d0606 d0303 o0606|"
      /* wide_high   */ "d0101 o0505 o0505 d0505 d0505 o0404 d0606   d0202      o0606       d0606   d0202     d0606 d0606    d0606     o0606 d0608  d0606 d0606 o0606 d0606 o0808       o0808    d0606   d0606 d0505 o0606|"
      /* imad_hi     */ "d0101 o0505 o0505 o0505 d0505 o0404 o0606   o0406      d0202       o0606   d0202     o0606 o0606    d0606     d0606 d0606  d0606 d0606 o0606 o0606 o0808       o0808    d0606   d0606 d0505 o0606|"
      /* half        */ "d0101 o0808 o0808 o0808 d0808 o0808 o0808   d0808      d0608       o0808   d0808     o0606 o0606    d0808     o0808 o0808  d0808 d0808 o0808 o0808 o0808       o0808    d0808   d0808 d0808 o0808|"
      /* half_alu    */ "d0101 o0808 o0808 o0808 d0808 o0808 o0808   d0808      d0606       d0808   d0808     o0606 o0606    d0808     o0808 o0808  d0808 d0808 o0808 o0808 o0808       o0808    d0808   d0808 d0808 o0808|"
      /* hfma2_mma   */ "d0101 d0909 d0909 d0909 d0909 d0909 d0909   d0909      d0707       d0909   d0909     d0909 d0909    d0909     d0808 d0909  d0909 d0909 d0909 d0909 d0909       d0909    o0909   d0909 d0909 d0909|"
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
      /* alu_64      */ "d0101 d0404 d0404 d0404 d0404 d0505 d0505   d0505      d0303       d0505   d0505     d0606 d0606    d0606     d0606 d0606  d0606 d0606 d0606 d0606 d0606       d0606    d0606   d0606 d0404 d0606|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1212 o0404 o0404 o0404 o0404 o0505 d0507 d1212 d1212 o1212 o0412   d1212 d1212|"
      /* dual    */ "d0101 d1212 d0404 d0404 d0404 d0404 d0505 d0505 d1212 d1212 d1212 o0412   d1212 d1212|"
      /* setp    */ "d0101 o1212 d0404 o0404 o0404 o0404 d0505 d0505 d1212 o1212 o1212 o1212   d1212 o1212|"
      /* setp_64 */ "d0101 o1212 d0404 o0404 o0404 o0404 d0505 d0505 d1212 o1212 o1212 o1212   d1212 o1212|"
      /* plop3   */ "d0101 o1212 d0404 o0404 d0404 d0404 d0505 d0505 d1212 d1213 o1212 d1212   d1212 d1212|"
      /* vote    */ "d0101 d1212 d0404 d0404 d0404 d0404 d0505 d0505 d1212 d1212 d1212 d1212   d1212 d1212|"
      /* r2p     */ "d0101 o1212 a0406 o0406 a0406 a0406 a0506 a0506 d1212 d1212 o1212 d1212   d1212 d1212|"
      /* fma     */ "d0101 d1212 d0505 d0505 d0505 d0505 d0404 d0404 d1212 d1212 d1212 o0412   d1212 d1212|"
      /* wide    */ "d0101 d1212 d0505 d0505 d0505 d0505 d0404 o0606 d1212 d1212 d1212 d1212   d1212 d1212|"
      /* imad_hi */ "d0101 d1212 d0505 d0505 d0505 d0505 d0404 d0406 d1212 d1212 d1212 d1212   d1212 d1212|"
      /* half    */ "d0101 o1414 d0808 o0808 o0808 d0808 d0808 d0808 d0606 d1414 o1414 d1414   d1414 d1414|"
      /* fp64    */ "d0101 d1515 d0909 d0909 d0909 d0909 d0909 d0909 d1515 o0808 d1515 d1515   d1515 d1515|"
      /* elect   */ "d0101 d0813 d0813 d0813 d0813 d0413 d0813 d0813 d0813 d0813 d0813 d0813   d0813 d0813|"
      /* r2ur    */ "d0101 d0813 d0813 d0813 d0813 o0813 d0813 d0813 d0813 d0813 d0813 d0813   d0813 d0813|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 o0404 o0410  o0408 d0407 o1212 o0606  d0909 o0909  d0909      d0909 o0910  d1212|"
      /* ualu_x     */ "d0101 o0404 o0404  d0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 o0910  d1212|"
      /* uimad      */ "d0101 o0404 d0410  o0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uimad_wide */ "d0101 d0404 d0410  d0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uldc       */ "d0101 o0202 o0208  d0209 d0209 d0505 o0202  d0204 o0202  d0202      d0202 d0303  d0505|"
      /* umov       */ "d0101 d0202 d0209  d0209 d0209 d0505 d0202  d0202 d0202  d0202      d0202 d0303  d0505|"
      /* voteu      */ "d0101 d0202 d0209  d0209 d0209 d0505 o0202  d0202 d0202  d0202      d0202 d0303  d0505|"
      /* r2ur       */ "d0101 d1313 d1313  d1313 d1313 d1515 d1313  d1313 o1313  o1315      d1313 d1313  d1515|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      //             none  guard ualu  ualu_x vector branch uldc
      /* none    */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* counted */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* ualu    */ "d0101 d1111 d0404 o0404  d0606  d0911  d1111|"
      /* usetp   */ "d0101 d1111 o0404 d0404  d0606  d0911  d1111|"
      /* uplop3  */ "d0101 d1111 d0404 d0404  d0606  d0911  d1111|"
      /* voteu   */ "d0101 d0511 d0104 d0104  d0106  d0211  d0511|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* dual        */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* viadd       */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 d0506|"
      /* vote        */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* cs2r        */ "d0102 d0106 d0106    d0101      d0106 d0102 d0104 d0506|"
      /* cs2r_32     */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 d0506|"
      /* fma         */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* wide_low    */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* wide_high   */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* imad_hi     */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 o0506|"
      /* half        */ "d0104 d0104 d0106    d0104      d0102 d0102 d0104 d0506|"
      /* half_alu    */ "d0104 d0104 d0106    d0104      d0102 d0102 d0104 d0506|"
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
      /* alu_64      */ "d0101 d0102 d0103    d0101      d0102 d0102 d0104 d0506|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* dual    */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* setp    */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* plop3   */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* vote    */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* r2p     */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* fma     */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* wide    */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* half    */ "d0104 d0102 d0102    d0102      d0102 d0107 d0102 d0112|"
      /* fp64    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* elect   */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|"
      /* r2ur    */ "d0101 d0101 d0101    d0101      d0106 d0104 d0101 d0212|";

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
