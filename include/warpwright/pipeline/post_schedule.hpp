// SPDX-License-Identifier: BSL-1.0
//
// Phase 110: scheduling on physical registers, as the SM has it (PS-1).
//
//   post_schedule<ww::sm100>::workspace ws;
//   post_schedule_result r = post_schedule<ww::sm100>::run(p, ws, {.level = 2});
//
//   gate   SMs whose page says `post_schedule`, at -O1 and above; elsewhere nothing happens, and the program is as it was
//   hook   what the SM does in that phase: a type, found at compile time. `defaults::post_schedule_hook` of the SM's page where it
//          names one, else post_schedule_hooks::regrouping where `defaults::regroups_tensor` says so, else ::plain
//
// A hook is an empty type with `workspace<Scheduler>` and `run<Scheduler>(p, ws, options, result)`. `plain` calls the scheduler. `regrouping`
// brings the tensor-core operations of a group together behind that (regroup.hpp) and makes words anew; the result is taken if it
// has no more findings and is no dearer by the model, in either view (model/far_view.hpp). It allocates memory.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"
#include "../model/far_view.hpp"
#include "../model/simulate.hpp"
#include "../scoreboard/assign.hpp"
#include "../verify/hazards.hpp"
#include "phases.hpp"
#include "regroup.hpp"
#include "result.hpp"
#include "scheduler.hpp"

namespace ww {

struct post_schedule_options {
  unsigned level = 2;      // -O
  run_options schedule{};  // with an initializer of its own, for `{.level = 2}` not to warn
};

struct post_schedule_result {
  schedule_result scheduled;
  regroup_result groups;
  bool ran = false;        // the gate was open
  bool regrouped = false;  // the order with the groups together was taken
};

namespace post_schedule_hooks {

struct plain {
  template <class Scheduler>
  struct workspace {
    typename Scheduler::workspace scheduler;
  };
  template <class Scheduler>
  static void run(program& p, workspace<Scheduler>& ws, const run_options& o, post_schedule_result& r) {
    r.scheduled = Scheduler{}.run(p, ws.scheduler, o);
  }
};

template <class Groups = tensor_groups>
struct regrouping {
  template <class Scheduler>
  struct workspace {
    using grouper = regroup<typename Scheduler::arch, Groups>;
    typename Scheduler::workspace scheduler;
    typename grouper::workspace groups;
    scoreboard::workspace words;
    model::workspace model;
    verify::hazard_workspace verify;
    vec<instr_id> before;
    program trial;
  };

  template <class Scheduler>
  static void run(program& p, workspace<Scheduler>& ws, const run_options& o, post_schedule_result& r) {
    using arch = typename Scheduler::arch;
    using config = typename Scheduler::config;
    ws.before = p.order;
    r.scheduled = Scheduler{}.run(p, ws.scheduler, o);
    if (r.scheduled.malformed || r.scheduled.unknown_targets) return;
    program& q = ws.trial;
    q = p;
    r.groups = workspace<Scheduler>::grouper::run(q, {ws.before.data(), ws.before.size()}, ws.groups);
    if (r.groups.moved == 0) return;
    scoreboard::assign_control<typename Scheduler::emit_arch, typename config::barrier_policy, typename config::yield_policy,
                               typename config::reuse_policy>(q, ws.words);
    const double near = model::simulate<arch>(q, {.warps = r.scheduled.warps}, ws.model).cycles;
    const bool both = r.scheduled.far_after > 0;
    const double far = both ? model::simulate<arch>(q, model::far_view<arch>(), ws.model).cycles : 0;
    if (near > r.scheduled.cycles_after || (both && far > r.scheduled.far_after)) return;
    const auto found = o.verify ? static_cast<std::uint32_t>(verify::check_hazards<arch>(q, {}, ws.verify).errors()) : 0u;
    if (found > r.scheduled.hazards_after) return;
    p = q;
    r.scheduled.hazards_after = found;
    r.scheduled.cycles_after = near;
    r.scheduled.far_after = far;
    r.regrouped = true;
  }
};

template <class Page>
struct of_page {
  static auto choose() {
    if constexpr (requires { typename Page::post_schedule_hook; }) {
      return typename Page::post_schedule_hook{};
    } else if constexpr (requires { Page::regroups_tensor; }) {
      if constexpr (Page::regroups_tensor) {
        return regrouping<>{};
      } else {
        return plain{};
      }
    } else {
      return plain{};
    }
  }
  using type = decltype(choose());
};

}  // namespace post_schedule_hooks

template <class Arch, class... Policies>
struct post_schedule {
  using scheduler_type = scheduler<Arch, Policies...>;
  using hook = typename post_schedule_hooks::of_page<typename Arch::defaults>::type;
  using workspace = typename hook::template workspace<scheduler_type>;

  static post_schedule_result run(program& p, workspace& ws, const post_schedule_options& o = {}) {
    post_schedule_result r;
    r.ran = phase::runs<phase::post_schedule, Arch>(o.level);
    if (r.ran) hook::template run<scheduler_type>(p, ws, o.schedule, r);
    return r;
  }
};

}  // namespace ww
