// SPDX-License-Identifier: BSL-1.0
//
// Sets, estimates and queues that several SM pages share; each page names the ones that hold for it.
//
// Sources: facts: variable_latency (how often an opcode sets a counter), observed "Variable latency" and "More rules",
// hardware 2.1, 2.8 and 4. Estimates are for models only and never decide legality: hardware 2.8 for memory (sm_86, all
// hits in the first level), the documented scheduling guesses of hardware 2.8 for the rest.
#pragma once

#include "../vocabulary.hpp"
#include "class_set.hpp"

namespace ww::detail {

// A template over the types of its members, so that a unit pays for the sets of those SMs only that it uses: the pages
// take it as their parameter. What does not depend on a parameter would be worked out in every unit.
template <class Set = class_set, class Map = number_map>
struct common_sets {
  using set = Set;
  using map = Map;

  // Results covered by a counter on every SM.
  static constexpr Set always_counted{
      sched_class::mufu,       sched_class::conv, sched_class::conv_64, sched_class::popc,        sched_class::flo,
      sched_class::brev,       sched_class::fchk, sched_class::movm,    sched_class::match,       sched_class::redux,
      sched_class::shfl,       sched_class::s2r,  sched_class::b2r,     sched_class::getlmembase, sched_class::ld,
      sched_class::atom,       sched_class::ldg,  sched_class::atomg,   sched_class::lds,         sched_class::ldsm,
      sched_class::atoms,      sched_class::ldl,  sched_class::ldc,     sched_class::tex,         sched_class::tld,
      sched_class::txq,        sched_class::suld, sched_class::suatom,  sched_class::ldgdepbar,   sched_class::s2ur,
      sched_class::ldcu,       sched_class::ldtm, sched_class::fence,   sched_class::syncs,       sched_class::bmov_from_b,
      sched_class::collective, sched_class::imul, sched_class::ipa,     sched_class::ald,         sched_class::dmma};

  static constexpr Set double_classes{sched_class::fp64, sched_class::dsetp};
  static constexpr Set half_matrix_classes{sched_class::hmma_small, sched_class::hmma_medium, sched_class::hmma_large,
                                           sched_class::hmma_sparse};
  static constexpr Set integer_matrix_classes{sched_class::imma_small, sched_class::imma_medium, sched_class::imma_large,
                                              sched_class::bmma_small, sched_class::bmma_large};
  static constexpr Set matrix_classes =
      half_matrix_classes | integer_matrix_classes | Set{sched_class::qmma, sched_class::hgmma};

  // Fixed-latency vector arithmetic, which compilers put right behind a BAR.
  static constexpr Set plain_arithmetic =
      integer_matrix_classes | Set{sched_class::alu,     sched_class::alu_dual,  sched_class::setp,
                                   sched_class::setp_64, sched_class::viadd,     sched_class::fma,
                                   sched_class::imad,    sched_class::imad_wide, sched_class::imad_hi,
                                   sched_class::half,    sched_class::hfma2_mma};

  // Sources read some time after issue on every SM, besides those of counted arithmetic.
  static constexpr Set always_late{
      sched_class::mufu, sched_class::conv,   sched_class::conv_64,   sched_class::popc,  sched_class::flo,
      sched_class::brev, sched_class::fchk,   sched_class::movm,      sched_class::match, sched_class::redux,
      sched_class::shfl, sched_class::ld,     sched_class::st,        sched_class::atom,  sched_class::ldg,
      sched_class::stg,  sched_class::atomg,  sched_class::red,       sched_class::lds,   sched_class::sts,
      sched_class::ldsm, sched_class::stsm,   sched_class::atoms,     sched_class::ldl,   sched_class::stl,
      sched_class::ldc,  sched_class::ldgsts, sched_class::tex,       sched_class::tld,   sched_class::txq,
      sched_class::suld, sched_class::sust,   sched_class::suatom,    sched_class::cctl,  sched_class::sttm,
      sched_class::tma,  sched_class::syncs,  sched_class::imul,      sched_class::ipa,   sched_class::ald,
      sched_class::ast,  sched_class::dmma,   sched_class::bmov_to_b, sched_class::bar};

  // Classes whose time to the result grows with the width, and classes whose stored data is read by width.
  static constexpr Set load_classes_of_all{sched_class::ld, sched_class::ldg, sched_class::lds, sched_class::ldl};
  static constexpr Set store_classes_of_all{sched_class::st,  sched_class::stg,   sched_class::sts,  sched_class::stl,
                                            sched_class::red, sched_class::atomg, sched_class::atoms};

  // Cycles to the result. First-level hits; a model that wants misses scales them itself.
  static constexpr Map common_result_estimate{
      4, {{sched_class::mufu, 15},        {sched_class::conv, 15},        {sched_class::conv_64, 15},
          {sched_class::popc, 15},        {sched_class::flo, 15},         {sched_class::brev, 15},
          {sched_class::fchk, 15},        {sched_class::movm, 16},        {sched_class::match, 16},
          {sched_class::redux, 15},       {sched_class::shfl, 15},        {sched_class::s2r, 16},
          {sched_class::b2r, 16},         {sched_class::getlmembase, 16}, {sched_class::ld, 34},
          {sched_class::atom, 48},        {sched_class::ldg, 32},         {sched_class::atomg, 48},
          {sched_class::lds, 24},         {sched_class::ldsm, 33},        {sched_class::atoms, 32},
          {sched_class::ldl, 32},         {sched_class::ldtm, 32},        {sched_class::ldc, 29},
          {sched_class::tex, 32},         {sched_class::tld, 32},         {sched_class::txq, 32},
          {sched_class::suld, 32},        {sched_class::suatom, 48},      {sched_class::ldgdepbar, 39},
          {sched_class::s2ur, 16},        {sched_class::ldcu, 26},        {sched_class::fence, 32},
          {sched_class::syncs, 24},       {sched_class::bmov_from_b, 16}, {sched_class::collective, 16},
          {sched_class::imul, 86},        {sched_class::ipa, 16},         {sched_class::ald, 24},
          {sched_class::ldgsts, 39},      {sched_class::fp64, 48},        {sched_class::dsetp, 54},
          {sched_class::dmma, 25},        {sched_class::r2ur, 15},        {sched_class::hmma_small, 22},
          {sched_class::hmma_medium, 22}, {sched_class::hmma_large, 24},  {sched_class::hmma_sparse, 24},
          {sched_class::imma_small, 22},  {sched_class::imma_medium, 22}, {sched_class::imma_large, 24},
          {sched_class::bmma_small, 22},  {sched_class::bmma_large, 24},  {sched_class::qmma, 34},
          {sched_class::hgmma, 64},       {sched_class::half, 6},         {sched_class::half_f32, 6},
          {sched_class::half_alu, 6},     {sched_class::imad_wide, 5},    {sched_class::hfma2_mma, 10}}};

  // Own stall that generated code keeps at least, on all SMs and from sm_90 on: 1 where nothing is said. Sources: observed
  // per-opcode minima and facts: hardware 1.4. Pages of pipes say how an SM differs.
  static constexpr Map common_stalls{1,
                                     {{sched_class::branch, 5},
                                      {sched_class::branch_indirect, 5},
                                      {sched_class::call, 5},
                                      {sched_class::ret, 5},
                                      {sched_class::exit, 5},
                                      {sched_class::bsync, 5},
                                      {sched_class::kill, 5},
                                      {sched_class::bpt, 5},
                                      {sched_class::depbar, 4}}};
  static constexpr Map newer_stalls = common_stalls.with({{sched_class::membar, 6},
                                                          {sched_class::errbar, 6},
                                                          {sched_class::warpsync, 5},
                                                          {sched_class::nanosleep, 5},
                                                          {sched_class::yield, 5},
                                                          {sched_class::brk, 5},
                                                          {sched_class::bmov_from_b, 5},
                                                          {sched_class::bmov_to_b, 5},
                                                          {sched_class::fence, 2},
                                                          {sched_class::lepc, 7}});

  // Cycles before the same pipe takes another warp instruction, as on most SMs from sm_70 on: 2 where nothing is said.
  // Sources: facts: hardware 4 and observed "Issue distance". Pages of pipes say how an SM differs.
  static constexpr Map common_intervals{
      2, {{sched_class::nop, 1},          {sched_class::bssy, 1},      {sched_class::bsync, 1},
          {sched_class::brk, 1},          {sched_class::branch, 1},    {sched_class::branch_indirect, 1},
          {sched_class::call, 1},         {sched_class::ret, 1},       {sched_class::exit, 1},
          {sched_class::yield, 1},        {sched_class::bpt, 1},       {sched_class::kill, 1},
          {sched_class::warpsync, 1},     {sched_class::elect, 1},     {sched_class::collective, 1},
          {sched_class::warpgroup, 1},    {sched_class::bar, 1},       {sched_class::membar, 1},
          {sched_class::errbar, 1},       {sched_class::fence, 1},     {sched_class::ldgdepbar, 1},
          {sched_class::tensor_shift, 1}, {sched_class::depbar, 1},    {sched_class::nanosleep, 1},
          {sched_class::bmov_from_b, 1},  {sched_class::bmov_to_b, 1}, {sched_class::unknown, 1},
          {sched_class::b2r, 1},          {sched_class::r2b, 1},       {sched_class::ssy, 1},
          {sched_class::sync, 1},         {sched_class::texdepbar, 1}, {sched_class::ld, 4},
          {sched_class::st, 4},           {sched_class::atom, 4},      {sched_class::ldg, 4},
          {sched_class::stg, 4},          {sched_class::atomg, 4},     {sched_class::red, 4},
          {sched_class::lds, 4},          {sched_class::sts, 4},       {sched_class::ldsm, 4},
          {sched_class::stsm, 4},         {sched_class::atoms, 4},     {sched_class::ldl, 4},
          {sched_class::stl, 4},          {sched_class::ldgsts, 4},    {sched_class::suld, 4},
          {sched_class::sust, 4},         {sched_class::suatom, 4},    {sched_class::shfl, 4},
          {sched_class::movm, 4},         {sched_class::tex, 4},       {sched_class::tld, 4},
          {sched_class::txq, 4},          {sched_class::cctl, 4},      {sched_class::ldtm, 4},
          {sched_class::sttm, 4},         {sched_class::tma, 4},       {sched_class::syncs, 4},
          {sched_class::mufu, 8},         {sched_class::conv, 8},      {sched_class::conv_64, 8},
          {sched_class::popc, 8},         {sched_class::flo, 8},       {sched_class::brev, 8},
          {sched_class::fchk, 8},         {sched_class::match, 8},     {sched_class::redux, 8},
          {sched_class::ldc, 8},          {sched_class::imad_wide, 4}, {sched_class::imad_hi, 4},
          {sched_class::hgmma, 16}}};

  // Cycles until the sources have been read.
  static constexpr Map common_read_estimate{
      3, {{sched_class::mufu, 8},     {sched_class::conv, 8},  {sched_class::conv_64, 8}, {sched_class::popc, 8},
          {sched_class::flo, 8},      {sched_class::brev, 8},  {sched_class::fchk, 8},    {sched_class::movm, 8},
          {sched_class::match, 9},    {sched_class::redux, 9}, {sched_class::shfl, 9},    {sched_class::ld, 11},
          {sched_class::st, 14},      {sched_class::atom, 14}, {sched_class::ldg, 11},    {sched_class::stg, 14},
          {sched_class::atomg, 14},   {sched_class::red, 14},  {sched_class::lds, 9},     {sched_class::sts, 12},
          {sched_class::ldsm, 9},     {sched_class::stsm, 12}, {sched_class::atoms, 12},  {sched_class::ldl, 11},
          {sched_class::stl, 14},     {sched_class::ldc, 29},  {sched_class::ldgsts, 13}, {sched_class::tex, 13},
          {sched_class::tld, 13},     {sched_class::txq, 13},  {sched_class::suld, 13},   {sched_class::sust, 16},
          {sched_class::suatom, 16},  {sched_class::cctl, 11}, {sched_class::sttm, 12},   {sched_class::tma, 32},
          {sched_class::syncs, 12},   {sched_class::imul, 12}, {sched_class::ipa, 8},     {sched_class::ald, 12},
          {sched_class::ast, 12},     {sched_class::dmma, 16}, {sched_class::fp64, 12},   {sched_class::dsetp, 12},
          {sched_class::bmov_to_b, 8}}};
};

// In-order queues of results (facts: observed, "More rules"). Double precision joins where it is counted.
constexpr queue_id common_completion_queue(sched_class c, bool counted) {
  switch (c) {
    case sched_class::lds:
    case sched_class::sts:
    case sched_class::ldsm:
    case sched_class::stsm:
    case sched_class::atoms:
    case sched_class::shfl:  // observed: 554 shuffles of 1.4 million instructions have only a later shared access's counter
    case sched_class::movm:  // observed: the same, with counters of MOVM, LDSM and STS
      return queue_id::shared;
    case sched_class::ldg:
    case sched_class::stg:
    case sched_class::red:
    case sched_class::atomg:
    case sched_class::ldgsts:
      return queue_id::global;
    case sched_class::ldl:
    case sched_class::stl:
      return queue_id::local;
    case sched_class::mufu:
    case sched_class::conv:
    case sched_class::conv_64:
    case sched_class::popc:
    case sched_class::flo:
    case sched_class::brev:
    case sched_class::fchk:  // observed: covered by a later MUFU's counter
      return queue_id::xu;
    case sched_class::tex:  // observed: DEPBAR.LE over mixed TEX, TXD, TLD, TLD4, TXQ and SULD on one counter
    case sched_class::tld:
    case sched_class::txq:
    case sched_class::suld:
      return queue_id::texture;
    case sched_class::ldtm:  // observed: four LDTM, a counter on the last; STTM read before a later LDTM has landed
    case sched_class::sttm:
      return queue_id::tensor;
    case sched_class::fp64:
    case sched_class::dsetp:
      return counted ? queue_id::fp64 : queue_id::none;
    // Each has a counter of its own in compiled code (5,947 S2R, sm_75 to sm_120), where REDUX and S2UR do without.
    case sched_class::s2r:
    case sched_class::b2r:
    case sched_class::ldcu:
    case sched_class::r2ur:
    case sched_class::match:
      return queue_id::none;
    default:
      return counted ? queue_id::own : queue_id::none;
  }
}

// Where all memory operations but loads of global and local memory read their sources as one queue, that queue is named
// `global`. A shuffle goes down the same path (observed: it overwrites the data of an earlier store without a wait on sm_80 and
// sm_90). For the loads see latency_table.hpp.
constexpr queue_id one_memory_read_queue(sched_class c, queue_id completion) {
  switch (completion) {
    case queue_id::shared:
    case queue_id::global:
    case queue_id::local:
      return queue_id::global;
    default:
      if (c == sched_class::tma) return queue_id::own;  // observed: UTMALDG covered by a later UTMALDG, UTCHMMA by UTCHMMA
      if (c == sched_class::bar) return queue_id::barrier;  // observed: BAR.ARV covered by BAR.SYNC, both naming registers
      if (c == sched_class::sust || c == sched_class::suatom) return queue_id::texture;  // observed: SUST covered by SURED
      // Constant loads with a register read it when their line is there, in no order: measured on an H100 (docs/gpu.md). Compilers
      // give each late read a counter.
      if (c == sched_class::ldc) return queue_id::none;
      return c == sched_class::ld || c == sched_class::st || c == sched_class::shfl ? queue_id::global : completion;
  }
}

}  // namespace ww::detail
