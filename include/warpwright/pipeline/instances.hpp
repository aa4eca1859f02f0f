// SPDX-License-Identifier: BSL-1.0
//
// Compile a scheduler once in a program of many translation units.
//
//   // common.hpp                                      // one .cpp
//   #include <warpwright/warpwright.hpp>               #include "common.hpp"
//   WW_EXTERN_SM(ww::sm90)                             WW_INSTANTIATE_SM(ww::sm90)
//   WW_EXTERN_SCHEDULER(ww::sm90, my_priority)         WW_INSTANTIATE_SCHEDULER(ww::sm90, my_priority)
//
//   SM          what depends on the architecture alone: control flow, dependence graph, control words, prices and choice by the
//               default policies, hazards, model, bound. What is left of a scheduler with policies of one's own is its engine.
//   SCHEDULER   run() of ww::scheduler<...> with these policies
// `EXTERN` keeps a unit from compiling these again; the unit with `INSTANTIATE` does it for all. Both stand at global scope.
// CMake: warpwright_compile_once(target sm90) does both for the units of a target, without a line in them (scripts/compile_once.cmake).
// The whole check of compiled code has its own pair: verify/instances.hpp.
// Nothing is hidden behind a call that was inlined before: these functions work on whole programs.
#pragma once

#include "../model/bound.hpp"
#include "../model/operand_reads.hpp"
#include "../model/simulate.hpp"
#include "../scoreboard/assign.hpp"
#include "../scoreboard/o0.hpp"
#include "../verify/check_hazards.hpp"
#include "scheduler.hpp"

// clang-format off
#define WW_DETAIL_SM_INSTANCES(EXTERN, ...)                                                                                  \
  EXTERN template ww::verify::report ww::verify::check_hazards<__VA_ARGS__>(                                                 \
      const ww::program&, const ww::verify::options&, ww::verify::hazard_workspace&);                                        \
  EXTERN template ww::verify::report ww::verify::check_hazards<__VA_ARGS__>(const ww::program&, const ww::verify::options&); \
  EXTERN template ww::model::cost ww::model::simulate<__VA_ARGS__>(                                                          \
      const ww::program&, const ww::model::options&, ww::model::workspace&);                                                 \
  EXTERN template ww::model::bound_result ww::model::lower_bound<__VA_ARGS__>(                                               \
      const ww::program&, const ww::model::options&, ww::model::workspace&);                                                 \
  EXTERN template ww::model::operand_reads ww::model::count_operand_reads<__VA_ARGS__>(const ww::program&);                  \
  EXTERN template void ww::scoreboard::decode_program<__VA_ARGS__>(const ww::program&, ww::scoreboard::workspace&);          \
  EXTERN template ww::scoreboard::assign_stats ww::scoreboard::assign_decoded<__VA_ARGS__>(                                  \
      ww::program&, ww::scoreboard::workspace&);                                                                             \
  EXTERN template ww::scoreboard::assign_stats ww::scoreboard::assign_decoded<                                               \
      __VA_ARGS__, ww::barriers::share, ww::yields::observed, ww::reuse::as_compiler>(ww::program&, ww::scoreboard::workspace&); \
  EXTERN template struct ww::pipeline_rounds<__VA_ARGS__, typename ww::scheduler<__VA_ARGS__>::emit_arch,                    \
                                             typename ww::scheduler<__VA_ARGS__>::config::barrier_policy,                    \
                                             typename ww::scheduler<__VA_ARGS__>::config::yield_policy,                      \
                                             typename ww::scheduler<__VA_ARGS__>::config::reuse_policy>;                     \
  EXTERN template void ww::detail::build_part<typename ww::scheduler<__VA_ARGS__>::emit_arch,                                \
                                              typename ww::scheduler<__VA_ARGS__>::config::graph_builder,                    \
                                              typename ww::scheduler<__VA_ARGS__>::config::disambiguation>(                  \
      const ww::program&, ww::span<const ww::instr_id>, ww::schedule_space&);                                                \
  EXTERN template ww::scoreboard::o0_stats ww::scoreboard::assign_o0<__VA_ARGS__>(ww::program&);

#define WW_EXTERN_SM(...) WW_DETAIL_SM_INSTANCES(extern, __VA_ARGS__)
#define WW_INSTANTIATE_SM(...) WW_DETAIL_SM_INSTANCES(, __VA_ARGS__)

#define WW_EXTERN_SCHEDULER(...) extern template struct ww::basic_scheduler<typename ww::scheduler<__VA_ARGS__>::config>;
#define WW_INSTANTIATE_SCHEDULER(...) template struct ww::basic_scheduler<typename ww::scheduler<__VA_ARGS__>::config>;
// clang-format on
