// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_120 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Written by scripts/derive_latency.py from 1316508 observed dependences of this SM and the documented tables;
// docs/latency.md tells how. Cells: 348 observed, 1195 documented, 25 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm120_tables {
  using cells = latency_cells<sm120_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu         */ "d0101 o0404 o0505 o0505 o0505 o0505 o0505   o0505      o0303       o0505   o0505     o0505 o0505    d0607     o0606 o0707  o0707 o0707 o0404 o0405 o0505       o0505    o0406   d0406 o0505 o0406|"
      /* dual        */ "d0101 o0505 o0505 o0505 o0505 o0506 o0505   o0506      o0303       o0505   o0506     o0505 o0505    d0607     o0607 o0707  o0707 o0708 o0405 o0405 o0506       o0506    o0405   d0406 o0505 o0406|"
      /* viadd       */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   d0506      d0306       o0505   d0506     o0505 o0505    d0607     d0607 o0707  d0708 d0708 o0404 d0405 o0505       o0505    d0406   d0406 o0505 o0406|"
      /* vote        */ "d0101 o0505 o0505 o0505 o0405 o0505 o0505   d0506      d0306       d0506   d0506     o0505 o0505    d0607     o0606 o0707  o0707 d0708 o0404 d0405 o0505       o0505    d0406   d0406 d0405 o0406|"
      /* cs2r        */ "d0101 d0607 d0607 d0607 d0607 d0607 d0607   d0607      d0405       d0607   d0607     d0607 d0607    d0607     d0607 d0713  o0707 d0708 d0405 d0405 d0506       d0506    d0406   d0406 d0607 d0406|"
      /* cs2r_32     */ "d0101 o0405 d0405 d0405 d0405 d0506 d0506   d0506      d0304       d0506   d0506     d0506 d0506    d0607     d0607 d0708  d0708 d0708 d0405 d0405 d0506       d0506    d0406   d0406 d0405 d0406|"
      /* fma         */ "d0101 o0505 o0505 o0505 o0505 o0404 o0404   o0404      o0203       o0404   d0405     o0505 o0505    d0607     o0606 o0707  o0707 o0707 o0404 o0405 o0506       o0506    o0406   d0406 o0505 o0406|"
      /* wide_low    */ "d0101 o0304 o0305 o0305 d0305 o0404 o0406   o0404      d0203       d0405   o0404     d0304 d0304    d0607     o0606 d0708  d0708 d0708 o0404 d0409 o0505       o0505    d0408   d0306 o0505 o0406|"
      /* wide_high   */ "d0101 o0505 o0505 d0506 d0506 o0404 d0607   d0405      o0404       d0607   d0405     o0505 d0506    d0607     o0606 d0708  d0708 d0708 o0405 d0406 o0505       o0505    d0406   d0406 o0505 o0406|"
      /* imad_hi     */ "d0101 o0505 o0505 o0505 o0505 o0404 o0606   d0405      d0206       o0606   d0405     o0505 o0505    d0607     o0607 o0707  o0707 d0708 o0404 d0405 o0505       o0505    d0406   d0406 o0505 o0406|"
      /* half        */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   d0506      d0304       o0505   o0505     o0404 o0505    d0607     o0606 o0707  o0707 d0708 o0404 o0405 o0505       o0505    d0406   d0406 o0505 o0406|"
      /* half_alu    */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   d0506      d0304       o0505   d0506     o0505 o0405    d0607     o0606 o0707  d0708 d0708 o0404 o0405 o0505       o0505    d0406   d0406 d0506 o0406|"
      /* hfma2_mma   */ "d0101 d1011 d1011 d1011 d1011 d1011 d1011   d1011      d0809       d1011   d1011     d1011 d1011    d1011     d0809 d1112  d1112 d1112 d0607 d0607 d0708       d0708    o0607   d0607 d1011 d0607|"
      /* fp64        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* hmma_small  */ "d0101 d2828 d2828 d2828 d2828 d2828 d2828   d2828      d2828       d2828   d2828     d2828 d2828    d2828     d2828 d2833  d2829 d2833 d2828 d2828 d2828       d2828    d2828   d2828 d2828 d2828|"
      /* hmma_medium */ "d0101 o2828 o2828 o2828 d2828 o2828 o2828   d2828      d2828       d2828   d2828     o2828 o2828    d2828     d2831 o2932  o2929 d2833 o2828 o2828 o2828       o2828    d2828   d2828 d2830 o2828|"
      /* hmma_large  */ "d0101 o2828 o2828 o2828 o2828 o2828 o2828   d2828      d2828       o2828   d2828     o2828 o2828    d2828     d2831 o2932  o2929 d2833 o2828 o2828 o2828       o2828    d2828   d2828 d2828 o2828|"
      /* hmma_sparse */ "d0101 d2828 d2828 d2828 d2828 d2828 d2828   d2828      d2828       d2828   d2828     d2828 d2828    d2828     d2828 d2833  d2829 d2833 d2828 d2828 d2828       d2828    d2828   d2828 d2828 d2828|"
      /* imma_small  */ "d0101 d2626 d2626 d2626 d2626 d2626 d2626   d2626      d2626       d2626   d2626     d2626 d2626    d2626     d2626 d2631  d2627 d2631 d2626 d2626 d2626       d2626    d2626   d2626 d2626 d2626|"
      /* imma_medium */ "d0101 o2626 o2626 o2626 d2626 o2626 o2626   d2626      d2626       d2626   d2628     o2626 o2626    d2626     d2629 o2730  o2729 d2631 o2626 o2626 o2626       o2626    d2626   d2626 d2628 o2626|"
      /* imma_large  */ "d0101 o2626 o2626 o2626 d2626 o2626 d2626   d2626      d2626       d2626   d2626     o2626 d2626    d2626     d2629 o2730  o2727 d2631 o2626 d2626 d2626       o2626    d2626   d2626 d2626 o2626|"
      /* bmma_small  */ "d0101 d2828 d2828 d2828 d2828 d2828 d2828   d2828      d2828       d2828   d2828     d2828 d2828    d2828     d2828 d2833  d2829 d2833 d2828 d2828 d2828       d2828    d2828   d2828 d2828 d2828|"
      /* bmma_large  */ "d0101 d2828 d2828 d2828 d2828 d2828 d2828   d2828      d2828       d2828   d2828     d2828 d2828    d2828     d2828 d2833  d2829 d2833 d2828 d2828 d2828       d2828    d2828   d2828 d2828 d2828|"
      /* dmma        */ "d0101 a0113 a0113 a0113 a0113 a0113 a0113   a0113      a0113       a0113   a0113     a0113 a0113    a0113     a0113 a0113  a0113 a0113 a0113 a0113 a0113       a0113    a0113   a0113 a0113 a0113|"
      /* qmma        */ "d0101 o2828 o2828 o2828 d2828 o2828 o2828   d2828      d2828       d2828   d2828     o2828 o2828    d2828     d2828 o2932  d2829 d2833 o2828 d2828 o2828       o2828    d2828   d2828 d2828 o2828|"
      /* hgmma       */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101 d0101|"
      /* alu_64      */ "d0101 o0505 o0606 o0606 o0606 o0606 d0406   o0606      o0606       o0606   d0506     o0506 o0506    d0607     o0707 d0710  d0708 o0808 o0505 d0407 o0606       o0606    d0406   d0406 o0404 o0507|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1313 o0404 o0505 o0505 o0404 d0506 d0507 a0513 d1313 o1313 o0413   d1313 d1313|"
      /* dual    */ "d0101 d1313 d0405 d0405 d0405 d0405 d0506 d0506 a0513 d1313 d1313 o0413   d1313 d1313|"
      /* setp    */ "d0101 o1313 o0505 o0505 o0505 o0505 d0506 d0506 o0513 o1313 o1313 o1313   d1313 o1313|"
      /* setp_64 */ "d0101 o1414 o0506 o0606 o0606 o0506 d0607 d0607 a0614 o1414 o1414 o1414   d1414 o1414|"
      /* plop3   */ "d0101 o1313 d0405 o0505 o0505 d0405 d0506 d0506 a0513 d1313 o1313 d1313   d1313 d1313|"
      /* vote    */ "d0101 o1313 d0405 o0505 o0505 d0405 d0506 d0506 a0513 d1313 o1313 d1313   d1313 d1313|"
      /* r2p     */ "d0101 o1313 d0405 d0405 d0405 d0405 d0506 d0506 a0513 d1313 o1313 d1313   d1313 d1313|"
      /* fma     */ "d0101 d1313 d0506 d0506 d0506 d0506 d0405 d0405 d1313 d1313 d1313 o0413   d1313 d1313|"
      /* wide    */ "d0101 d1313 d0507 d0506 d0506 d0506 d0405 d0405 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* imad_hi */ "d0101 d1313 d0506 d0506 d0506 d0506 d0405 d0405 d1313 d1313 d1313 d1313   d1313 d1313|"
      /* half    */ "d0101 o1313 o0406 o0505 o0505 d0406 d0506 d0506 d0506 d1313 o1313 d1313   d1313 d1313|"
      /* fp64    */ "d0101 d1414 d0607 d0607 d0607 d0607 d0607 d0607 d1414 o0607 d1414 d1414   d1414 d1414|"
      /* elect   */ "d0101 o1313 o0413 d0513 o0513 o0413 d0813 d0813 d0813 d0813 d0813 d0813   d0813 d0813|"
      /* r2ur    */ "d0101 o1313 d0813 d0813 d0813 o0813 d0813 d0813 d0813 d0813 d0813 d0813   d0813 d0813|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 o0404 d0410  d0408 d0407 o1212 o0606  o0909 o0909  d0909      d0910 d1010  d1212|"
      /* ualu_x     */ "d0101 o0404 o0408  d0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uimad      */ "d0101 o0404 d0410  o0408 d0407 d1213 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uimad_wide */ "d0101 d0404 d0410  d0408 d0407 d1212 o0606  d0909 d0909  d0909      d0909 d1010  d1212|"
      /* uldc       */ "d0101 d0202 d0209  d0209 d0209 d0505 d0202  d0202 d0202  d0202      d0202 d0303  d0505|"
      /* umov       */ "d0101 o0202 d0209  d0209 d0209 d0505 d0202  d0202 d0203  d0202      d0202 d0303  d0505|"
      /* voteu      */ "d0101 o0202 d0209  d0209 d0209 d0505 o0202  d0202 d0203  d0202      d0202 d0303  d0505|"
      /* r2ur       */ "d0101 d1313 d1313  d1313 d1313 d1315 d1313  d1313 o1313  o1315      d1313 d1313  d1515|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      //             none  guard ualu  ualu_x vector branch uldc
      /* none    */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* counted */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* ualu    */ "d0101 d1111 d0404 o0404  d0606  d0911  d1111|"
      /* usetp   */ "d0101 d1111 o0404 d0404  d0606  o0909  d1111|"
      /* uplop3  */ "d0101 d1111 d0404 d0404  d0606  d0911  d1111|"
      /* voteu   */ "d0101 d0511 d0104 d0104  d0106  d0211  d0511|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* dual        */ "o0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* viadd       */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* vote        */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* cs2r        */ "d0102 d0106 d0106    d0101      d0106 d0102 d0102 d0506|"
      /* cs2r_32     */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 d0506|"
      /* fma         */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* wide_low    */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* wide_high   */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* imad_hi     */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* half        */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* half_alu    */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0506|"
      /* hfma2_mma   */ "d0106 d0106 d0108    d0104      d0106 d0103 d0102 d0110|"
      /* fp64        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* hmma_small  */ "d1428 d1428 d1428    d1428      d1428 d1428 d0128 d0627|"
      /* hmma_medium */ "o1428 o1428 o1428    d1428      o1428 d1428 o0129 o0628|"
      /* hmma_large  */ "o1428 o1428 o1428    d1428      o1428 d1428 o0129 o0628|"
      /* hmma_sparse */ "d1428 d1428 d1428    d1428      d1428 d1428 d0128 d0627|"
      /* imma_small  */ "d1426 d1426 d1426    d1426      d1426 d1426 d0126 d0625|"
      /* imma_medium */ "o1426 o1426 o1426    o1426      o1426 d1426 o0129 o0626|"
      /* imma_large  */ "o1426 o1426 d1426    d1426      o1426 d1426 o0127 o0626|"
      /* bmma_small  */ "d1428 d1428 d1428    d1428      d1428 d1428 d0128 d0627|"
      /* bmma_large  */ "d1428 d1428 d1428    d1428      d1428 d1428 d0128 d0627|"
      /* dmma        */ "d1428 d1428 d1428    d1428      d1428 d1428 d0128 d0627|"
      /* qmma        */ "o1428 o1428 d1428    d1428      o1428 d1428 d0128 o0628|"
      /* hgmma       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu_64      */ "d0101 d0102 d0103    d0101      d0101 d0102 d0102 o0507|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* dual    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* setp    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      d0110 d0108 d0101 d0213|"
      /* plop3   */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* vote    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* r2p     */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* fma     */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* wide    */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      d0109 d0107 d0101 d0212|"
      /* half    */ "d0102 d0102 d0102    d0102      d0102 d0107 d0102 d0112|"
      /* fp64    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
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
