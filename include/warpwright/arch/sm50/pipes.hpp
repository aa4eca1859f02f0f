// SPDX-License-Identifier: BSL-1.0
//
// Pipes and rates of sm_50.
//
// One issue per cycle and two where paired; XMAD is the fast multiply, full-rate like the rest of the
// arithmetic; compares take two cycles, and so do shifts, which are of the class of plain arithmetic and counted as that.
// Double precision is shared and slow. Sources: facts: hardware 4 and observed "Issue distance"; own stalls: observed per-opcode
// minima and hardware 1.4.
#pragma once

#include "../detail/class_set.hpp"
#include "../detail/class_sets.hpp"
#include "../detail/pipe_map.hpp"

namespace ww {

template <class Sets = detail::common_sets<>>
struct sm50_pipes_page {
  // Cycles before the same pipe takes another warp instruction.
  static constexpr typename Sets::map intervals{
      1, {{sched_class::nop, 1},       {sched_class::bssy, 1},      {sched_class::bsync, 1},
          {sched_class::brk, 1},       {sched_class::branch, 1},    {sched_class::branch_indirect, 1},
          {sched_class::call, 1},      {sched_class::ret, 1},       {sched_class::exit, 1},
          {sched_class::yield, 1},     {sched_class::bpt, 1},       {sched_class::kill, 1},
          {sched_class::warpsync, 1},  {sched_class::elect, 1},     {sched_class::collective, 1},
          {sched_class::warpgroup, 1}, {sched_class::bar, 1},       {sched_class::membar, 1},
          {sched_class::errbar, 1},    {sched_class::fence, 1},     {sched_class::ldgdepbar, 1},
          {sched_class::depbar, 1},    {sched_class::nanosleep, 1}, {sched_class::bmov_from_b, 1},
          {sched_class::bmov_to_b, 1}, {sched_class::unknown, 1},   {sched_class::b2r, 1},
          {sched_class::r2b, 1},       {sched_class::ssy, 1},       {sched_class::sync, 1},
          {sched_class::texdepbar, 1}, {sched_class::ld, 4},        {sched_class::st, 4},
          {sched_class::atom, 4},      {sched_class::ldg, 4},       {sched_class::stg, 4},
          {sched_class::atomg, 4},     {sched_class::red, 4},       {sched_class::lds, 4},
          {sched_class::sts, 4},       {sched_class::ldsm, 4},      {sched_class::stsm, 4},
          {sched_class::atoms, 4},     {sched_class::ldl, 4},       {sched_class::stl, 4},
          {sched_class::ldgsts, 4},    {sched_class::suld, 4},      {sched_class::sust, 4},
          {sched_class::suatom, 4},    {sched_class::shfl, 4},      {sched_class::movm, 4},
          {sched_class::tex, 4},       {sched_class::tld, 4},       {sched_class::txq, 4},
          {sched_class::cctl, 4},      {sched_class::tma, 4},       {sched_class::syncs, 4},
          {sched_class::s2r, 4},       {sched_class::mufu, 4},      {sched_class::conv, 4},
          {sched_class::conv_64, 4},   {sched_class::popc, 4},      {sched_class::flo, 4},
          {sched_class::brev, 4},      {sched_class::fchk, 4},      {sched_class::match, 4},
          {sched_class::redux, 4},     {sched_class::ldc, 4},       {sched_class::imad_wide, 1},
          {sched_class::imad_hi, 1},   {sched_class::fp64, 32},     {sched_class::dsetp, 32},
          {sched_class::setp, 2},      {sched_class::setp_64, 2},   {sched_class::imul, 4},
          {sched_class::psetp, 2}}};
  // Own stall that generated code keeps at least.
  static constexpr typename Sets::map min_stalls = Sets::common_stalls.with({{sched_class::bar, 5},
                                                                             {sched_class::membar, 5},
                                                                             {sched_class::warpsync, 5},
                                                                             {sched_class::cctl, 5},
                                                                             {sched_class::depbar, 3},
                                                                             {sched_class::sync, 5}});

  [[nodiscard]] static constexpr pipe_id pipe_of(sched_class c) { return detail::common_pipe(c); }
  [[nodiscard]] static constexpr unsigned interval(sched_class c) { return intervals(c); }
  static constexpr bool spaced_writes = false;  // a slot between two writes of one register: from sm_90 on (PS-2)
  [[nodiscard]] static constexpr unsigned min_stall(sched_class c) { return min_stalls(c); }
};

using sm50_pipes = sm50_pipes_page<>;

}  // namespace ww
