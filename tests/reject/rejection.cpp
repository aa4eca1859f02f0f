// SPDX-License-Identifier: BSL-1.0
//
// Wrong compositions, one per case: compiled with -DWW_REJECT_<fault>, each must fail with the sentence of that fault and
// nothing else. Controls: WW_REJECT_control_valid (and _pages, _config, _search) is right and must compile without any sentence of ours, and
// WW_REJECT_control_other is wrong for a reason that is not ours and must fail without one. Every case goes on to use the
// scheduler, which must add no second error. Cases are found by their `#elif defined` lines (cases.cmake,
// scripts/reject.sh). A fault with several cases has WW_REJECT_<fault>_by_<what> beside WW_REJECT_<fault>.
#include "warpwright/arch/sm90.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/priority/packed.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"

// Reading the strategies takes as long as all else: the other cases go without.
#if (defined WW_REJECT_policy_arguments) || (defined WW_REJECT_policy_arguments_by_list) ||                 \
    (defined WW_REJECT_policy_arguments_by_alternative) || (defined WW_REJECT_policy_arguments_by_inner) || \
    (defined WW_REJECT_arch_defaults_by_arguments)
#define WW_STRATEGIES
#include "warpwright/strategy/combined.hpp"
#endif
#if (defined WW_REJECT_no_scheduler) || (defined WW_REJECT_no_scheduler_by_arch) || \
    (defined WW_REJECT_two_strategies_by_search) || (defined WW_REJECT_control_search)
#include "warpwright/pipeline/order_search.hpp"
#endif
#if (defined WW_REJECT_no_role_by_config) || (defined WW_REJECT_two_strategies_by_config) || \
    (defined WW_REJECT_control_config)
#include "warpwright/schedule/order_graph.hpp"
#endif

namespace mine {

namespace role = ww::role;
using ww::sm90;

struct undefined;
struct plain {};
struct odd_role {
  using role = int;
};
struct dynamic {
  using role = ww::role::strategy;
  virtual void f() const {}
};
struct stateful {
  using role = ww::role::mode;
  int weight = 3;
};
template <class Role>
struct policy {  // a policy of a role, with a name and nothing else
  using role = Role;
  static constexpr const char* name = "policy";
};
template <class Role>
struct other : policy<Role> {};
template <class Role>
struct nameless {
  using role = Role;
};

struct no_limits {
  using role = ww::role::arch;
};
struct no_pipes : no_limits {
  using limits = sm90::limits;
};
struct pace_by_number : no_pipes {
  struct pipes : sm90::pipes {
    static constexpr unsigned paced_interval(unsigned number) { return number; }
  };
};
struct pace_by_class : no_pipes {
  struct pipes : sm90::pipes {
    static constexpr unsigned paced_pipe(ww::sched_class) { return 0; }
  };
};
struct barrier_by_pipe : no_pipes {
  struct pipes : sm90::pipes {
    static constexpr bool free_behind_barrier(ww::pipe_id) { return true; }
  };
};
struct no_latency : no_pipes {
  using pipes = sm90::pipes;
};
struct late_by_class : no_latency {
  struct latency : sm90::latency {
    static constexpr bool late_source(ww::sched_class) { return true; }
  };
};
struct no_barriers : no_latency {
  using latency = sm90::latency;
};
struct no_control : no_barriers {
  using barriers = sm90::barriers;
};
struct no_identity : no_control {
  using control_format = sm90::control_format;
};

struct bit {
  static constexpr const char* name = "bit";
  static constexpr bool test(const ww::priority::candidate&, const ww::priority::pick_state&) { return false; }
};
// Pages that are nearly right.
struct sub_priority : role::priority {};
struct sub_role {
  using role = sub_priority;
};
struct unfinished;
struct unfinished_role {
  using role = unfinished;
};
struct const_role {
  using role = const ww::role::strategy;
};
struct runtime_margin {
  using role = ww::role::margin;
  static inline unsigned cycles = 1;
};
struct text_margin {
  using role = ww::role::margin;
  static constexpr const char* cycles = "x";
};
struct ungated {
  using role = ww::role::mode;
  static constexpr const char* name = "ungated";
  static constexpr bool reduces_registers = false;
  static constexpr int budget(unsigned, unsigned) { return 100; }
  static constexpr unsigned queue_depth = 4, hot_budget = 16, critical_slack = 0;
};
struct list_without_at {
  using role = ww::role::ready_list;
  static constexpr bool iterable = true;
  using queue = ww::ready_list::heap<>::queue;
};
struct runtime_key : ww::priority::critical_path {
  static inline bool fixed_key = true;
};
struct no_width {
  static constexpr const char* name = "no_width";
  static constexpr unsigned width = 0;
  static constexpr unsigned value(const ww::priority::candidate&, const ww::priority::pick_state&) { return 1; }
};
struct half_value : bit {
  static constexpr unsigned value(const ww::priority::candidate&, const ww::priority::pick_state&) { return 1; }
};
struct odd_value : bit {
  static constexpr unsigned width = 4;
  static constexpr unsigned value(const ww::priority::candidate&) { return 1; }
};
struct negative_counters : ww::constraint::write_distance {
  static constexpr int counters_used = -1;
};
struct runtime_counters : ww::constraint::write_distance {
  static inline unsigned counters_used = 2;
};
struct text_counters : ww::constraint::write_distance {
  static constexpr const char* counters_used = "2";
};
struct text_rhythm : ww::yields::observed {
  static constexpr const char* rhythm = "10";
};
struct runtime_rhythm : ww::yields::observed {
  static inline int rhythm = 10;
};
struct adjust_without_visit : ww::yields::observed {
  struct adjust {};
};
struct impatient : ww::constraint::write_distance {
  static constexpr int patience = -1;
};
struct backwards : ww::conservative {
  static constexpr int window = -1;
};
struct order_of_int : ww::strategy::list {
  template <class Config>
  static bool order(int) {
    return true;
  }
};
struct no_order : policy<role::strategy> {
  static constexpr bool models_cycles = true, uses_priority = false;
};
struct no_transform : ww::strategy::list {
  static constexpr bool transforms_program = true;
  using inner = ww::strategy::list;
};
struct reference_space : ww::strategy::list {
  using space = int&;
};
struct many_barriers : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned count = 64;
  };
};
struct long_stalls : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned max_stall = 16;
  };
};
struct long_stay : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned max_stall_stay = 15;
  };
};
struct no_stalls : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned max_stall = 0;
  };
};
struct short_stalls : sm90 {  // BAR keeps 6 cycles
  struct barriers : sm90::barriers {
    static constexpr unsigned max_stall = 5, max_stall_stay = 5;
  };
};
struct long_own_stall : sm90 {
  struct pipes : sm90::pipes {
    static constexpr unsigned min_stall(ww::sched_class c) { return c == ww::sched_class::exit ? 16 : 1; }
  };
};
struct negative_stall : sm90 {
  struct pipes : sm90::pipes {
    static constexpr int min_stall(ww::sched_class c) { return c == ww::sched_class::exit ? -1 : 1; }
  };
};
struct long_depbar : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned depbar_min_stall = 16;
  };
};
struct no_interval : sm90 {
  struct pipes : sm90::pipes {
    static constexpr unsigned interval(ww::sched_class c) { return c == ww::sched_class::exit ? 0 : 1; }
  };
};
struct no_counting : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned counter_max = 0;
  };
};
struct no_counters : sm90 {
  struct barriers : sm90::barriers {
    static constexpr unsigned count = 0;
  };
};
struct no_registers : sm90 {
  struct limits : sm90::limits {
    static constexpr unsigned general_registers = 0;
  };
};
struct many_registers : sm90 {
  struct limits : sm90::limits {
    static constexpr unsigned general_registers = 1024;
  };
};
struct no_warps : sm90 {
  struct limits : sm90::limits {
    static constexpr int max_warps = 0;
  };
};
struct minus_registers : sm90 {
  struct limits : sm90::limits {
    static constexpr int general_registers = -1;
  };
};
struct declared_defaults : sm90 {
  struct defaults;
};
struct runtime_id : sm90 {
  static inline ww::sm_id id{900};
};
struct runtime_banks : sm90 {
  struct limits : sm90::limits {
    static inline unsigned register_banks = 2;
  };
};
template <class Policy>
struct default_strategy : sm90 {
  struct defaults : sm90::defaults {
    using strategy = Policy;
  };
};
struct bare_constraint : sm90 {
  struct defaults : sm90::defaults {
    using constraints = ww::constraint::counters<>;
  };
};
struct default_list : sm90 {
  struct defaults : sm90::defaults {
    using ready_list = int;
  };
};
struct int_defaults : sm90 {
  using defaults = int;
};
struct last_sm final : sm90 {  // stalls as short as they may be
  struct barriers : sm90::barriers {
    static constexpr unsigned max_stall = 7, max_stall_stay = 7, depbar_min_stall = 7;
  };
};

struct regional : ww::strategy::list {
  using inner = ww::strategy::list;
  static constexpr bool transforms_program = true;
  struct space {};
  template <class Config>
  static unsigned transform(ww::program&, space&) {
    return 0;
  }
};
struct hook_of_int {
  static int insert(int) { return 0; }
};
#ifdef WW_STRATEGIES
struct around : ww::strategy::list {  // of a strategy that cannot be
  using inner = ww::strategy::combined_of<ww::meta::type_list<ww::strategy::backtracking<8, 0>>>;
};
#endif
struct late_prepare : ww::strategy::list {
  template <class Config, class Workspace>
  static void prepare(const ww::program&, Workspace&, unsigned) {}
};
struct worse_of_nothing : ww::strategy::list {
  template <class Config, class Workspace>
  static bool worse(const Workspace&) {
    return false;
  }
};
struct finish_of_const : ww::strategy::list {
  template <class Arch>
  static void finish(const ww::program&) {}
};

// As the pages say: valid.
struct per_pick {
  using role = ww::role::priority;
  static constexpr bool fixed_key = false;
  static constexpr ww::priority::verdict compare(const ww::priority::candidate& a, const ww::priority::candidate& b,
                                                 const ww::priority::pick_state&) {
    return {a.index < b.index, 0};
  }
  static constexpr const char* reason_name(unsigned) { return "index"; }
};
struct derived_list : ww::strategy::list {
  static constexpr const char* name = "derived_list";
  struct space {
    unsigned programs = 0;
  };
  template <class Config, class Workspace>
  static void prepare(ww::program&, Workspace& ws) {
    ++ws.own.programs;
  }
  template <class Config, class Workspace>
  static bool worse(const Workspace&, const ww::schedule_stats&) {
    return false;
  }
  template <class Arch>
  static void finish(ww::program&, space&, unsigned) {}
};

using wide = ww::priority::bits::height_field<32>;
using less = ww::priority::bits::height_field<31>;

}  // namespace mine

using ww::sm90;
namespace role = ww::role;

#if defined WW_REJECT_control_valid
using Sched = ww::scheduler<sm90, ww::priority::packed, ww::constraint::counters<>>;
#elif defined WW_REJECT_control_pages
using Sched = ww::scheduler<mine::last_sm, mine::per_pick, mine::derived_list, ww::safety_margin<0>, ww::reuse::set>;
#elif defined WW_REJECT_control_other
using Sched = ww::scheduler<sm90>;
int wrong = Sched{}.no_such_member;
#elif defined WW_REJECT_not_plain
using Sched = ww::scheduler<sm90, const ww::strategy::list&>;
#elif defined WW_REJECT_incomplete
using Sched = ww::scheduler<sm90, mine::undefined>;
#elif defined WW_REJECT_no_role
using Sched = ww::scheduler<sm90, mine::plain>;
#elif defined WW_REJECT_unknown_role
using Sched = ww::scheduler<sm90, mine::odd_role>;
#elif defined WW_REJECT_polymorphic
using Sched = ww::scheduler<sm90, mine::dynamic>;
#elif defined WW_REJECT_not_empty
using Sched = ww::scheduler<sm90, mine::stateful>;
#elif defined WW_REJECT_no_arch
using Sched = ww::scheduler<ww::strategy::list>;
#elif defined WW_REJECT_two_archs
using Sched = ww::scheduler<sm90, mine::no_identity>;
#elif defined WW_REJECT_two_strategies
using Sched = ww::scheduler<sm90, ww::strategy::list, ww::strategy::depth_first>;
#elif defined WW_REJECT_two_modes
using Sched = ww::scheduler<sm90, ww::mode::ilp, mine::policy<role::mode>>;
#elif defined WW_REJECT_two_ready_lists
using Sched = ww::scheduler<sm90, ww::ready_list::heap<>, ww::ready_list::ordered3<>>;
#elif defined WW_REJECT_two_priorities
using Sched = ww::scheduler<sm90, ww::priority::packed, ww::priority::refined>;
#elif defined WW_REJECT_two_graph_builders
using Sched = ww::scheduler<sm90, ww::last_writer, ww::pairwise>;
#elif defined WW_REJECT_two_disambiguations
using Sched = ww::scheduler<sm90, ww::conservative, ww::base_offset>;
#elif defined WW_REJECT_two_vector_widths
using Sched = ww::scheduler<sm90, mine::policy<role::vector_width>, mine::other<role::vector_width>>;
#elif defined WW_REJECT_two_barrier_policies
using Sched = ww::scheduler<sm90, mine::policy<role::barrier_policy>, mine::other<role::barrier_policy>>;
#elif defined WW_REJECT_two_yield_policies
using Sched = ww::scheduler<sm90, mine::policy<role::yield_policy>, mine::other<role::yield_policy>>;
#elif defined WW_REJECT_two_reuse_policies
using Sched = ww::scheduler<sm90, mine::policy<role::reuse_policy>, mine::other<role::reuse_policy>>;
#elif defined WW_REJECT_two_occupancies
using Sched = ww::scheduler<sm90, ww::occupancy::warps<1>, ww::occupancy::warps<8>>;
#elif defined WW_REJECT_two_margins
using Sched = ww::scheduler<sm90, ww::safety_margin<1>, ww::safety_margin<2>>;
#elif defined WW_REJECT_two_phase_lists
using Sched = ww::scheduler<sm90, mine::policy<role::phases>, mine::other<role::phases>>;
#elif defined WW_REJECT_two_allocator_budgets
using Sched = ww::scheduler<sm90, mine::policy<role::allocator_budget>, mine::other<role::allocator_budget>>;
#elif defined WW_REJECT_arch_identity
using Sched = ww::scheduler<mine::no_identity>;
#elif defined WW_REJECT_arch_limits
using Sched = ww::scheduler<mine::no_limits>;
#elif defined WW_REJECT_arch_pipes
using Sched = ww::scheduler<mine::no_pipes>;
#elif defined WW_REJECT_arch_pipes_by_number
using Sched = ww::scheduler<mine::pace_by_number>;
#elif defined WW_REJECT_arch_pipes_by_class
using Sched = ww::scheduler<mine::pace_by_class>;
#elif defined WW_REJECT_arch_pipes_by_barrier
using Sched = ww::scheduler<mine::barrier_by_pipe>;
#elif defined WW_REJECT_arch_latency
using Sched = ww::scheduler<mine::no_latency>;
#elif defined WW_REJECT_arch_latency_by_class
using Sched = ww::scheduler<mine::late_by_class>;
#elif defined WW_REJECT_arch_barriers
using Sched = ww::scheduler<mine::no_barriers>;
#elif defined WW_REJECT_arch_control
using Sched = ww::scheduler<mine::no_control>;
#elif defined WW_REJECT_strategy_page
using Sched = ww::scheduler<sm90, mine::policy<role::strategy>>;
#elif defined WW_REJECT_mode_page
using Sched = ww::scheduler<sm90, mine::policy<role::mode>>;
#elif defined WW_REJECT_ready_list_page
using Sched = ww::scheduler<sm90, mine::policy<role::ready_list>>;
#elif defined WW_REJECT_priority_page
using Sched = ww::scheduler<sm90, mine::policy<role::priority>>;
#elif defined WW_REJECT_pack_empty
using Sched = ww::scheduler<sm90, ww::priority::pack<>>;
#elif defined WW_REJECT_pack_not_a_bit
using Sched = ww::scheduler<sm90, ww::priority::pack<mine::bit, mine::plain>>;
#elif defined WW_REJECT_pack_twice
using Sched = ww::scheduler<sm90, ww::priority::pack<mine::bit, ww::priority::bits::stall_free, mine::bit>>;
#elif defined WW_REJECT_pack_too_wide
using Sched = ww::scheduler<sm90, ww::priority::pack<mine::wide, mine::less, mine::bit, ww::priority::bits::stall_free>>;
#elif defined WW_REJECT_constraint_page
using Sched = ww::scheduler<sm90, mine::policy<role::constraint>>;
#elif defined WW_REJECT_constraint_twice
using Sched = ww::scheduler<sm90, ww::constraint::counters<>, ww::constraint::bank_limit<>, ww::constraint::counters<>>;
#elif defined WW_REJECT_disambiguation_page
using Sched = ww::scheduler<sm90, mine::policy<role::disambiguation>>;
#elif defined WW_REJECT_margin_page
using Sched = ww::scheduler<sm90, mine::policy<role::margin>>;
#elif defined WW_REJECT_policy_name
using Sched = ww::scheduler<sm90, mine::nameless<role::reuse_policy>>;
#elif defined WW_REJECT_ready_list_order
using Sched = ww::scheduler<sm90, ww::ready_list::heap<>, ww::priority::packed>;
#elif defined WW_REJECT_too_many_counters
using Sched = ww::scheduler<sm90, ww::constraint::counters<7>>;
#elif defined WW_REJECT_unknown_role_by_derived
using Sched = ww::scheduler<sm90, mine::sub_role>;
#elif defined WW_REJECT_unknown_role_by_incomplete
using Sched = ww::scheduler<sm90, mine::unfinished_role>;
#elif defined WW_REJECT_unknown_role_by_const
using Sched = ww::scheduler<sm90, mine::const_role>;
#elif defined WW_REJECT_margin_page_by_negative
using Sched = ww::scheduler<sm90, ww::safety_margin<-1>>;
#elif defined WW_REJECT_margin_page_by_far
using Sched = ww::scheduler<sm90, ww::safety_margin<129>>;
#elif defined WW_REJECT_margin_page_by_runtime
using Sched = ww::scheduler<sm90, mine::runtime_margin>;
#elif defined WW_REJECT_margin_page_by_text
using Sched = ww::scheduler<sm90, mine::text_margin>;
#elif defined WW_REJECT_mode_page_by_gate
using Sched = ww::scheduler<sm90, mine::ungated>;
#elif defined WW_REJECT_ready_list_page_by_at
using Sched = ww::scheduler<sm90, mine::list_without_at, ww::priority::packed>;
#elif defined WW_REJECT_priority_page_by_runtime
using Sched = ww::scheduler<sm90, mine::runtime_key>;
#elif defined WW_REJECT_pack_not_a_bit_by_width
using Sched = ww::scheduler<sm90, ww::priority::pack<mine::no_width>>;
#elif defined WW_REJECT_pack_not_a_bit_by_test_and_value
using Sched = ww::scheduler<sm90, ww::priority::pack<mine::half_value>>;
#elif defined WW_REJECT_pack_not_a_bit_by_odd_value
using Sched = ww::scheduler<sm90, ww::priority::pack<mine::odd_value>>;
#elif defined WW_REJECT_constraint_page_by_negative_counters
using Sched = ww::scheduler<sm90, mine::negative_counters>;
#elif defined WW_REJECT_constraint_page_by_runtime_counters
using Sched = ww::scheduler<sm90, mine::runtime_counters>;
#elif defined WW_REJECT_constraint_page_by_text_counters
using Sched = ww::scheduler<sm90, mine::text_counters>;
#elif defined WW_REJECT_yield_page_by_text_rhythm
using Sched = ww::scheduler<sm90, mine::text_rhythm>;
#elif defined WW_REJECT_yield_page_by_runtime_rhythm
using Sched = ww::scheduler<sm90, mine::runtime_rhythm>;
#elif defined WW_REJECT_yield_page_by_adjust
using Sched = ww::scheduler<sm90, mine::adjust_without_visit>;
#elif defined WW_REJECT_constraint_page_by_patience
using Sched = ww::scheduler<sm90, mine::impatient>;
#elif defined WW_REJECT_disambiguation_page_by_window
using Sched = ww::scheduler<sm90, mine::backwards>;
#elif defined WW_REJECT_strategy_order
using Sched = ww::scheduler<sm90, mine::no_order>;
#elif defined WW_REJECT_strategy_order_by_signature
using Sched = ww::scheduler<sm90, mine::order_of_int>;
#elif defined WW_REJECT_strategy_order_by_transform
using Sched = ww::scheduler<sm90, mine::no_transform>;
#elif defined WW_REJECT_strategy_hook
using Sched = ww::scheduler<sm90, mine::late_prepare>;
#elif defined WW_REJECT_strategy_hook_by_worse
using Sched = ww::scheduler<sm90, mine::worse_of_nothing>;
#elif defined WW_REJECT_strategy_hook_by_finish
using Sched = ww::scheduler<sm90, mine::finish_of_const>;
#elif defined WW_REJECT_mode_unread
using Sched = ww::scheduler<sm90, ww::mode::reduce_reg>;
#elif defined WW_REJECT_mode_unread_by_keep
using Sched = ww::scheduler<sm90, ww::strategy::keep, ww::mode::ilp>;
#elif defined WW_REJECT_priority_unread
using Sched = ww::scheduler<sm90, ww::priority::refined, ww::strategy::depth_first>;
#elif defined WW_REJECT_strategy_region
using Sched = ww::scheduler<sm90, mine::regional>;
#elif defined WW_REJECT_policy_arguments
using Sched = ww::scheduler<sm90, ww::strategy::backtracking<0>>;
#elif defined WW_REJECT_policy_arguments_by_list
using Sched = ww::scheduler<sm90, ww::strategy::combined_of<int>>;
#elif defined WW_REJECT_policy_arguments_by_alternative
using Sched = ww::scheduler<sm90, ww::strategy::combined_of<ww::meta::type_list<int>>>;
#elif defined WW_REJECT_policy_arguments_by_inner
using Sched = ww::scheduler<sm90, mine::around>;
#elif defined WW_REJECT_policy_arguments_by_hook
using Sched = ww::scheduler<sm90, ww::ready_list::heap<mine::hook_of_int>>;
#elif defined WW_REJECT_policy_arguments_by_warps
using Sched = ww::scheduler<sm90, ww::occupancy::warps<0>>;
#elif defined WW_REJECT_policy_arguments_by_bank
using Sched = ww::scheduler<sm90, ww::constraint::bank_limit<0>>;
#elif defined WW_REJECT_policy_arguments_by_window
using Sched = ww::scheduler<sm90, ww::priority::source_order<0>>;
#elif defined WW_REJECT_pack_not_a_bit_by_wide_height
using Sched = ww::scheduler<sm90, ww::priority::pack<ww::priority::bits::height_field<33>>>;
#elif defined WW_REJECT_pack_not_a_bit_by_height
using Sched = ww::scheduler<sm90, ww::priority::pack<ww::priority::bits::height_field<0>>>;
#elif defined WW_REJECT_arch_defaults_by_arguments
using Sched = ww::scheduler<mine::default_strategy<ww::strategy::backtracking<65>>>;
#elif defined WW_REJECT_strategy_page_by_space
using Sched = ww::scheduler<sm90, mine::reference_space>;
#elif defined WW_REJECT_graph_builder_page
using Sched = ww::scheduler<sm90, mine::policy<role::graph_builder>>;
#elif defined WW_REJECT_barrier_page
using Sched = ww::scheduler<sm90, mine::policy<role::barrier_policy>>;
#elif defined WW_REJECT_yield_page
using Sched = ww::scheduler<sm90, mine::policy<role::yield_policy>>;
#elif defined WW_REJECT_reuse_page
using Sched = ww::scheduler<sm90, mine::policy<role::reuse_policy>>;
#elif defined WW_REJECT_occupancy_page
using Sched = ww::scheduler<sm90, mine::policy<role::occupancy>>;
#elif defined WW_REJECT_vector_width_page
using Sched = ww::scheduler<sm90, mine::policy<role::vector_width>>;
#elif defined WW_REJECT_role_unread
using Sched = ww::scheduler<sm90, mine::policy<role::phases>>;
#elif defined WW_REJECT_role_unread_by_budget
using Sched = ww::scheduler<sm90, mine::policy<role::allocator_budget>>;
#elif defined WW_REJECT_arch_barriers_by_count
using Sched = ww::scheduler<mine::many_barriers>;
#elif defined WW_REJECT_arch_words
using Sched = ww::scheduler<mine::long_stalls>;
#elif defined WW_REJECT_arch_words_by_stay
using Sched = ww::scheduler<mine::long_stay>;
#elif defined WW_REJECT_arch_stalls
using Sched = ww::scheduler<mine::short_stalls>;
#elif defined WW_REJECT_arch_stalls_by_class
using Sched = ww::scheduler<mine::long_own_stall>;
#elif defined WW_REJECT_arch_stalls_by_sign
using Sched = ww::scheduler<mine::negative_stall>;
#elif defined WW_REJECT_arch_stalls_by_depbar
using Sched = ww::scheduler<mine::long_depbar>;
#elif defined WW_REJECT_arch_pipes_by_interval
using Sched = ww::scheduler<mine::no_interval>;
#elif defined WW_REJECT_arch_barriers_by_counting
using Sched = ww::scheduler<mine::no_counting>;
#elif defined WW_REJECT_arch_barriers_by_none
using Sched = ww::scheduler<mine::no_counters>;
#elif defined WW_REJECT_arch_limits_by_registers
using Sched = ww::scheduler<mine::no_registers>;
#elif defined WW_REJECT_arch_limits_by_virtual
using Sched = ww::scheduler<mine::many_registers>;
#elif defined WW_REJECT_arch_limits_by_warps
using Sched = ww::scheduler<mine::no_warps>;
#elif defined WW_REJECT_arch_limits_by_sign
using Sched = ww::scheduler<mine::minus_registers>;
#elif defined WW_REJECT_arch_barriers_by_stall
using Sched = ww::scheduler<mine::no_stalls>;
#elif defined WW_REJECT_arch_identity_by_declaration
using Sched = ww::scheduler<mine::declared_defaults>;
#elif defined WW_REJECT_arch_identity_by_runtime
using Sched = ww::scheduler<mine::runtime_id>;
#elif defined WW_REJECT_arch_limits_by_runtime
using Sched = ww::scheduler<mine::runtime_banks>;
#elif defined WW_REJECT_arch_identity_by_defaults
using Sched = ww::scheduler<mine::int_defaults>;
#elif defined WW_REJECT_arch_defaults
using Sched = ww::scheduler<mine::default_strategy<ww::mode::ilp>>;
#elif defined WW_REJECT_arch_defaults_by_int
using Sched = ww::scheduler<mine::default_strategy<int>>;
#elif defined WW_REJECT_arch_defaults_by_constraint
using Sched = ww::scheduler<mine::bare_constraint>;
#elif defined WW_REJECT_arch_defaults_by_ready_list
using Sched = ww::scheduler<mine::default_list>;
#elif defined WW_REJECT_arch_final
using Sched = ww::scheduler<mine::last_sm, ww::safety_margin<1>>;
#elif defined WW_REJECT_control_config
using Config = ww::config_of<sm90, ww::strategy::keep>;
#define WW_CONFIG
#elif defined WW_REJECT_control_search
using Search = ww::order_search<ww::scheduler<sm90, ww::strategy::keep>>;
#define WW_SEARCH
#elif defined WW_REJECT_no_role_by_config
using Config = ww::config_of<sm90, int>;
#define WW_CONFIG
#elif defined WW_REJECT_two_strategies_by_config
using Config = ww::config_of<sm90, ww::strategy::list, ww::strategy::keep>;
#define WW_CONFIG
#elif defined WW_REJECT_no_scheduler
using Search = ww::order_search<int>;
#define WW_SEARCH
#elif defined WW_REJECT_no_scheduler_by_arch
using Search = ww::order_search<sm90>;
#define WW_SEARCH
#elif defined WW_REJECT_two_strategies_by_search
using Search = ww::order_search<ww::scheduler<sm90, ww::strategy::list, ww::strategy::keep>>;
#define WW_SEARCH
#else
#error "give one -DWW_REJECT_<case>"
#endif

// Uses that follow a wrong composition: no further error.
#if defined WW_CONFIG
void use(ww::program& p) {
  ww::schedule_workspace<Config> kept;
  kept.graph.reset(3);
  kept.graph.add(0, 2, 4, ww::dependence_kind::raw);
  ww::schedule_stats stats = ww::schedule_blocks<Config>(p, kept);
  stats += ww::schedule_block<Config>(p, ww::block_id(0), kept);
  if (const ww::graph_error e = ww::order_graph<Config>(p, p.order, kept, stats)) static_cast<void>(e.fault);
}
#elif defined WW_SEARCH
void use(ww::program& p) {
  Search::workspace kept;
  const auto watch = [](const ww::search_progress& now) { return now.cycles > 500; };
  static_cast<void>(Search::run(p, {{.warps = 1}, 100}).proved);
  static_cast<void>(Search::run(p, kept, {}, watch).cycles_after > Search::run(p, {}, watch).cycles_before);
  static_cast<void>(kept.done.tries);
}
#else
void use(ww::program& p) {
  auto result = Sched{}.run(p);
  static_cast<void>(result);
  Sched::workspace kept;
  const ww::run_options options;
  static_cast<void>(Sched{}.run(p, kept, options).proved);
  static_cast<void>(Sched{}.run(p, {.warps = 1}).cycles_after > Sched{}.run(p, kept).cycles_before);
}
#endif
