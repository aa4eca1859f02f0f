// SPDX-License-Identifier: BSL-1.0
//
// What every shipped policy must be: an empty, trivially copyable type without virtual functions. A plain translation unit
// of static assertions: it passes by compiling (with -fno-rtti -fno-exceptions).
#include <type_traits>

#include "warpwright/arch/all.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/graph/build.hpp"
#include "warpwright/graph/spaced_spills.hpp"
#include "warpwright/meta/type_list.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/priority/packed.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"
#include "warpwright/scoreboard/yield_adjust.hpp"

namespace {

using namespace ww;
using meta::type_list;

using schedule_policies =
    meta::concat_t<strategy::shipped, type_list<mode::ilp>,
                   type_list<ready_list::heap<>, ready_list::sorted_list<>, ready_list::ordered3<>>,
                   type_list<priority::critical_path, priority::source_order<>, priority::packed, priority::refined>,
                   constraint::shipped>;
using graph_policies = type_list<last_writer, pairwise, spaced_spills<>, conservative, base_offset>;
using other_policies =
    type_list<safety_margin<0>, safety_margin<2>, occupancy::kernel, occupancy::warps<1>,
              detail::pipeline_defaults::barrier_policy, detail::pipeline_defaults::yield_policy,
              detail::pipeline_defaults::reuse_policy, reuse::set, reuse::keep, reuse::clear, yields::text,
              yields::limited<2, yields::text, sched_class::mufu>, yields::texture_batches<4, yields::observed>>;
using priority_bits = type_list<priority::bits::yield_related, priority::bits::yield_flag, priority::bits::hot_cold,
                                priority::bits::pressure, priority::bits::same_block, priority::bits::stall_free,
                                priority::bits::critical_path, priority::bits::tiebreaker>;

template <class P>
struct is_plain {
  static constexpr bool value =
      !std::is_polymorphic_v<P> && std::is_empty_v<P> && std::is_trivially_copyable_v<P> && sizeof(P) == 1;
};
template <class P>
struct is_policy {
  static constexpr bool value = is_plain<P>::value && meta::has_role<P>;
};

static_assert(meta::all_of_v<schedule_policies, is_policy>);
static_assert(meta::all_of_v<graph_policies, is_policy>);
static_assert(meta::all_of_v<other_policies, is_policy>);
static_assert(meta::all_of_v<all_archs, is_policy>);
static_assert(meta::all_of_v<priority_bits, is_plain>);

// The control: the predicate can say no.
struct dynamic {
  using role = ww::role::strategy;
  virtual void f();
};
struct stateful {
  using role = ww::role::strategy;
  int x;
};
static_assert(!is_policy<dynamic>::value && !is_policy<stateful>::value && !is_policy<int>::value);

template <class Arch>
struct one_byte_scheduler {
  using s = scheduler<Arch>;
  static constexpr bool value = sizeof(s) == 1 && std::is_empty_v<s> && std::is_trivially_copyable_v<s> && composable<Arch>;
};
static_assert(meta::all_of_v<all_archs, one_byte_scheduler>);
static_assert(std::is_same_v<scheduler<sm90, priority::packed>, scheduler<priority::packed, sm90>>);

// To name a default is to leave it out: one type, compiled once.
template <class P>
struct is_default {
  static constexpr bool value = std::is_same_v<scheduler<sm90, P>, scheduler<sm90>>;
};
using defaults =
    type_list<strategy::list, priority::critical_path, ready_list::heap<>, last_writer, conservative, safety_margin<0>,
              simd::scalar, barriers::share, yields::observed, reuse::as_compiler, occupancy::kernel>;
static_assert(meta::all_of_v<defaults, is_default>);
static_assert(!is_default<priority::packed>::value && !is_default<safety_margin<1>>::value);

// Every shipped constraint can be asked on every architecture.
template <class Arch>
struct all_constraints_on {
  template <class C>
  struct on {
    static constexpr bool value = schedule_constraint<C, Arch>;
  };
  static constexpr bool value = meta::all_of_v<constraint::shipped, on>;
};
static_assert(meta::all_of_v<all_archs, all_constraints_on>);

}  // namespace
