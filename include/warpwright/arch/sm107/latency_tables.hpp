// SPDX-License-Identifier: BSL-1.0
//
// Distances of sm_107 by writer group (rows) and reader group (columns); groups are named in detail/groups.hpp.
//
// A cell is read character by character: d0406 is d, 04, 06. The first is its source: d = documented, o = observed at least
// ten times, a = assumed, borrowed from a related SM or reader. Then come the tightest distance seen in compiler output
// (`check`) and the one that generated code keeps (`emit`), both in cycles. A bar ends a row. The text is read at compile
// time when the SM is used (detail/latency_cells.hpp), and a malformed one does not compile.
// Arithmetic is that of sm_120 (moves, selects, comparisons and IADD are 5 cycles from everything else), matrix operations that of
// sm_100; double precision takes two cycles more than there, UMOV and VOTEU as long as other uniform arithmetic. Observed: 488715
// dependences in code by CUDA 13.5 (bench/distances.cpp). Cells: 193 observed, 592 documented, 805 assumed.
#pragma once

#include "../detail/latency_cells.hpp"

// clang-format off
namespace ww::detail {

struct sm107_tables {
  using cells = latency_cells<sm107_tables>;

  // General registers, read after write.
  static constexpr char r_raw[] =
      //                 none  alu   dual  setp  viadd fma   wide_ab wide_c_low wide_c_high imad_hi imad_hi_c half  half_alu hfma2_mma fp64  mma_ab mma_c dmma  xu    tex   mem_address mem_data control r2ur  alu_64 conv_64
      /* none        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* counted     */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* alu         */ "d0101 o0404 o0505 o0505 o0505 o0505 o0505   o0505      o0303       o0505   a0505     o0505 a0505    a0607     o0606 a0707  a0707 a0707 o0404 a0405 o0505       o0505    o0405   o0404 o0505  o0404|"
      /* dual        */ "d0101 o0505 o0405 o0505 o0505 o0505 o0505   o0505      o0303       o0505   o0505     o0505 a0505    a0607     o0606 a0707  a0707 a0708 o0404 a0405 o0505       o0505    o0404   o0405 o0505  a0406|"
      /* viadd       */ "d0101 o0505 o0505 o0505 o0505 o0505 o0505   a0506      o0303       o0505   a0506     a0505 a0505    a0607     o0606 a0707  a0708 a0708 o0404 a0405 o0505       o0505    a0406   o0405 o0505  o0406|"
      /* vote        */ "d0101 o0505 a0505 a0505 a0405 a0505 a0505   a0506      a0306       a0506   a0506     a0505 a0505    a0607     a0606 a0707  a0707 a0708 a0404 a0405 a0505       a0505    o0404   a0406 a0405  a0406|"
      /* cs2r        */ "d0101 a0607 a0607 a0607 a0607 a0607 a0607   a0607      a0405       a0607   a0607     a0607 a0607    a0607     a0607 a0713  a0707 a0708 a0405 a0405 a0506       a0506    a0406   a0406 a0607  a0406|"
      /* cs2r_32     */ "d0101 a0405 a0405 a0405 a0405 o0505 a0506   a0506      a0304       a0506   a0506     a0506 a0506    a0607     a0607 a0708  a0708 a0708 a0405 a0405 a0506       a0506    a0406   a0406 a0405  a0406|"
      /* fma         */ "d0101 o0505 o0505 o0505 o0505 o0404 o0404   o0404      a0203       o0404   a0405     a0505 a0505    a0607     a0608 o0707  a0707 a0707 o0404 a0405 o0505       o0505    a0406   o0405 o0505  o0404|"
      /* wide_low    */ "d0101 o0304 o0303 o0305 a0305 o0404 a0406   o0404      a0203       a0405   o0404     a0304 a0304    a0607     a0608 a0708  a0708 a0708 a0404 a0409 o0505       o0505    a0408   a0306 o0505  a0406|"
      /* wide_high   */ "d0101 o0505 o0505 o0505 o0505 o0404 a0607   a0405      o0404       a0607   a0405     a0505 a0506    a0607     a0608 a0708  a0708 a0708 a0405 a0406 o0505       o0505    a0406   a0406 o0505  a0406|"
      /* imad_hi     */ "d0101 o0505 a0505 a0505 o0505 o0404 a0606   o0405      a0206       o0606   a0405     a0505 a0505    a0607     a0608 a0707  a0707 a0708 a0404 a0405 a0505       a0505    a0406   a0406 a0505  a0406|"
      /* half        */ "d0101 o0505 o0505 o0505 o0505 o0505 a0505   a0506      o0304       a0505   o0505     o0404 a0505    a0607     o0606 a0707  a0707 a0708 a0404 a0405 a0505       o0505    o0404   a0406 o0505  a0406|"
      /* half_alu    */ "d0101 a0505 a0505 a0505 a0505 o0505 a0505   a0506      a0304       a0505   a0506     a0505 a0405    a0607     a0606 a0707  a0708 a0708 a0404 a0405 a0505       a0505    a0406   a0406 a0506  a0406|"
      /* hfma2_mma   */ "d0101 a1011 a1011 a1011 a1011 a1011 a1011   a1011      a0809       a1011   a1011     a1011 a1011    a1011     a0809 a1112  a1112 a1112 a0607 a0607 a0708       a0708    a0607   a0607 a1011  a0607|"
      /* fp64        */ "d0101 o1212 o1212 o1212 o1212 o1212 a1212   a1212      a1012       a1212   a1212     a1212 a1212    a1212     o1010 a1315  a1315 a1313 o0808 a0809 a0909       o0909    a0808   a0812 o1213  o0808|"
      /* hmma_small  */ "d0101 a1919 a1919 a1919 a1919 a1919 a1919   a1919      a1919       a1919   a1919     a1919 a1919    a1919     a1919 a1924  a1920 a1924 a1919 a1919 a1919       a1919    a1919   a1919 a1919  a1919|"
      /* hmma_medium */ "d0101 a1919 a1919 a1919 a1919 a1919 a1919   a1919      a1919       a1919   a1919     a1919 a1919    a1919     a1919 a2024  o2020 a1926 a1919 a1919 a1919       a1919    a1919   a1919 a1919  a1919|"
      /* hmma_large  */ "d0101 a1919 a1919 a1919 a1919 a1919 a1919   a1919      a1919       a1919   a1919     a1919 a1919    a1919     a1919 a2024  o2020 a1924 a1919 a1919 a1919       a1919    a1919   a1919 a1919  a1919|"
      /* hmma_sparse */ "d0101 a1919 a1919 a1919 a1919 a1919 a1919   a1919      a1919       a1919   a1919     a1919 a1919    a1919     a1919 a1924  a1920 a1924 a1919 a1919 a1919       a1919    a1919   a1919 a1919  a1919|"
      /* imma_small  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* imma_medium */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* imma_large  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* bmma_small  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* bmma_large  */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* dmma        */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* qmma        */ "d0101 a1919 a1919 a1919 a1919 a1919 a1919   a1919      a1919       a1919   a1919     a1919 a1919    a1919     a1919 a1924  a1920 a1924 a1919 a1919 a1919       a1919    a1919   a1919 a1919  a1919|"
      /* hgmma       */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101      d0101       d0101   d0101     d0101 d0101    d0101     d0101 d0101  d0101 d0101 d0101 d0101 d0101       d0101    d0101   d0101 d0101  d0101|"
      /* alu_64      */ "d0101 o0505 o0606 o0606 o0406 o0606 a0406   o0606      o0606       o0506   a0506     a0506 a0506    a0607     o0707 a0710  a0708 a0808 a0505 a0407 o0606       o0606    a0406   o0406 o0404  o0507|";

  // Predicates, read after write.
  static constexpr char p_raw[] =
      //             none  guard alu   dual  setp  plop3 fma   wide  half  fp64  vote  control late  uniform
      /* none    */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* counted */ "d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101 d0101   d0101 d0101|"
      /* alu     */ "d0101 o1313 o0404 o0505 a0505 o0404 a0506 a0507 a0513 a1313 o1313 a0413   a1313 a1313|"
      /* dual    */ "d0101 a1313 a0405 a0405 a0405 a0405 a0506 a0506 a0513 a1313 a1313 a0413   a1313 a1313|"
      /* setp    */ "d0101 o1313 o0505 o0505 o0505 o0505 a0506 a0506 a0513 a1313 o1313 o1313   a1313 o1313|"
      /* setp_64 */ "d0101 o1414 a0506 o0606 o0606 a0506 a0607 a0607 a0614 a1414 a1414 a1414   a1414 a1414|"
      /* plop3   */ "d0101 o1313 a0405 o0505 a0505 a0405 a0506 a0506 a0513 a1313 a1313 a1313   a1313 a1313|"
      /* vote    */ "d0101 a1313 a0405 a0505 a0505 a0405 a0506 a0506 a0513 a1313 a1313 a1313   a1313 a1313|"
      /* r2p     */ "d0101 a1313 a0405 o0505 a0405 a0405 a0506 a0506 a0513 a1313 o1313 a1313   a1313 a1313|"
      /* fma     */ "d0101 a1313 a0506 a0506 a0506 a0506 a0405 a0405 a1313 a1313 a1313 a0413   a1313 a1313|"
      /* wide    */ "d0101 a1313 o0505 a0506 a0506 a0506 a0405 a0405 a1313 a1313 a1313 a1313   a1313 a1313|"
      /* imad_hi */ "d0101 a1313 a0506 a0506 a0506 a0506 a0405 a0405 a1313 a1313 a1313 a1313   a1313 a1313|"
      /* half    */ "d0101 a1313 a0406 a0505 a0505 o0406 a0506 a0506 a0506 a1313 a1313 a1313   a1313 a1313|"
      /* fp64    */ "d0101 o1616 a0808 o0808 a0808 a0808 a0808 a0808 a1616 o0808 a1616 o1616   a1616 a1616|"
      /* elect   */ "d0101 o1313 a0413 a0513 a0513 o0413 a0813 a0813 a0813 a0813 a0813 a0813   a0813 a0813|"
      /* r2ur    */ "d0101 a1313 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813 a0813   a0813 a0813|";

  // Uniform registers, read after write.
  static constexpr char u_raw[] =
      //                none  ualu  ualu_x usel  umov  uldc  vector xu    memory descriptor tma   branch bank
      /* none       */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* counted    */ "d0101 d0101 d0101  d0101 d0101 d0101 d0101  d0101 d0101  d0101      d0101 d0101  d0101|"
      /* ualu       */ "d0101 o0404 o0405  o0405 o0404 a1212 o0606  o0909 o0909  a0909      o0909 a1010  a1212|"
      /* ualu_x     */ "d0101 o0404 o0404  a0408 a0407 a1212 o0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uimad      */ "d0101 o0404 o0505  a0408 a0407 a1213 o0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uimad_wide */ "d0101 o0404 o0404  a0408 a0407 a1212 o0606  a0909 a0909  a0909      a0909 a1010  a1212|"
      /* uldc       */ "d0101 a0202 a0209  a0209 a0209 a0505 a0202  a0202 a0202  a0202      a0202 a0303  a0505|"
      /* umov       */ "d0101 o0404 o0404  a0408 a0407 a1212 o0606  a0909 a0909  a0909      a0910 o1010  a1212|"
      /* voteu      */ "d0101 o0404 a0410  a0408 a0407 a1212 a0606  o0909 a0909  a0909      a0910 a1010  a1212|"
      /* r2ur       */ "d0101 o1313 a1313  a1313 o1313 a1315 o1313  a1313 a1313  o1313      o1313 a1313  a1515|";

  // Uniform predicates, read after write.
  static constexpr char up_raw[] =
      //             none  guard ualu  ualu_x vector branch uldc
      /* none    */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* counted */ "d0101 d0101 d0101 d0101  d0101  d0101  d0101|"
      /* ualu    */ "d0101 a1111 a0404 o0404  a0606  o0909  a1111|"
      /* usetp   */ "d0101 a1111 o0404 a0404  o0606  o0909  a1111|"
      /* uplop3  */ "d0101 a1111 a0404 a0404  a0606  a0911  a1111|"
      /* voteu   */ "d0101 o1111 a0404 a0404  a0606  a0911  a1111|";

  // General registers, write after write.
  static constexpr char r_waw[] =
      //                 fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted     */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu         */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* dual        */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* viadd       */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* vote        */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* cs2r        */ "a0102 a0106 a0106    d0101      a0106 a0102 a0102 a0506|"
      /* cs2r_32     */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* fma         */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* wide_low    */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* wide_high   */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* imad_hi     */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* half        */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* half_alu    */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0506|"
      /* hfma2_mma   */ "a0106 a0106 a0108    a0104      a0106 a0103 a0102 a0110|"
      /* fp64        */ "a0109 a0109 a0111    a0107      a0109 a0106 a0105 a0113|"
      /* hmma_small  */ "a1419 a1419 a1419    a1419      a1419 a1419 a0119 a0618|"
      /* hmma_medium */ "a1419 a1419 a1419    a1419      a1419 a1319 a0120 a0619|"
      /* hmma_large  */ "a1419 a1419 a1419    a1419      a1419 a1319 a0120 a0619|"
      /* hmma_sparse */ "a1419 a1419 a1419    a1419      a1419 a1419 a0119 a0618|"
      /* imma_small  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* imma_medium */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* imma_large  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* bmma_small  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* bmma_large  */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* dmma        */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* qmma        */ "a1419 a1419 a1419    a1419      a1419 a1419 a0119 a0618|"
      /* hgmma       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu_64      */ "d0101 a0102 a0103    d0101      d0101 a0102 a0102 a0507|";

  // Predicates, write after write.
  static constexpr char p_waw[] =
      //             fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* alu     */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* dual    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* setp    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* setp_64 */ "d0101 d0101 d0101    d0101      a0110 a0108 d0101 a0213|"
      /* plop3   */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* vote    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* r2p     */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* fma     */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* wide    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* imad_hi */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* half    */ "a0102 a0102 a0102    a0102      a0102 a0107 a0102 a0112|"
      /* fp64    */ "a0104 a0104 a0104    a0104      a0112 a0104 a0104 a0115|"
      /* elect   */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|"
      /* r2ur    */ "d0101 d0101 d0101    d0101      a0109 a0107 d0101 a0212|";

  // Uniform registers, write after write.
  static constexpr char u_waw[] =
      //                fixed fma   wide_low dispatch64 half  slow  mma   late
      /* none       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* counted    */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 d0101|"
      /* ualu       */ "d0101 d0101 d0101    d0101      d0101 a0107 d0101 a0111|"
      /* ualu_x     */ "d0101 d0101 d0101    d0101      d0101 a0107 d0101 a0111|"
      /* uimad      */ "d0101 d0101 d0101    d0101      d0101 a0107 d0101 a0111|"
      /* uimad_wide */ "d0101 d0101 d0101    d0101      d0101 a0107 d0101 a0111|"
      /* uldc       */ "d0101 d0101 d0101    d0101      d0101 d0101 d0101 a0104|"
      /* umov       */ "d0101 d0101 d0101    d0101      d0101 a0107 d0101 a0111|"
      /* voteu      */ "d0101 d0101 d0101    d0101      d0101 a0107 d0101 a0111|"
      /* r2ur       */ "a0111 a0111 a0111    a0111      a0111 a0111 a0111 a0111|";
};

}  // namespace ww::detail
// clang-format on
