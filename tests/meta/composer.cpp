// SPDX-License-Identifier: BSL-1.0
//
// Type lists, picking by role, the composer and its faults.
#include "warpwright/schedule/compose.hpp"

#include <string>
#include <string_view>

#include "../support/catch.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/meta/fixed_string.hpp"
#include "warpwright/meta/type_name.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"

namespace {

using namespace ww;
using meta::type_list;

template <class T>
struct is_big {
  static constexpr bool value = sizeof(T) > 1;
};
template <class T>
struct add_pointer {
  using type = T*;
};
template <class... Ts>
struct holder {};

using three = type_list<int, char, long>;
static_assert(meta::size_v<three> == 3 && meta::size_v<type_list<>> == 0);
static_assert(std::is_same_v<meta::at_t<0, three>, int> && std::is_same_v<meta::at_t<2, three>, long>);
static_assert(std::is_same_v<meta::at_t<1, type_list<int, int>>, int>);
static_assert(meta::contains_v<three, char> && !meta::contains_v<three, short>);
static_assert(meta::index_of_v<three, long> == 2 && meta::index_of_v<three, short> == 3);
static_assert(meta::count_v<type_list<int, char, int>, int> == 2);
static_assert(std::is_same_v<meta::filter_t<three, is_big>, type_list<int, long>>);
static_assert(std::is_same_v<meta::map_t<three, add_pointer>, type_list<int*, char*, long*>>);
static_assert(std::is_same_v<meta::concat_t<>, type_list<>>);
static_assert(std::is_same_v<meta::concat_t<three, type_list<>, type_list<short>>, type_list<int, char, long, short>>);
static_assert(std::is_same_v<meta::unpack_t<three, holder>, holder<int, char, long>>);
static_assert(meta::unique_v<three> && meta::unique_v<type_list<>> && !meta::unique_v<type_list<int, char, int>>);
static_assert(meta::any_of_v<three, is_big> && !meta::all_of_v<three, is_big>);

struct own_bit {
  static constexpr const char* name = "own_bit";
  static constexpr bool test(const priority::candidate& c, const priority::pick_state&) { return c.fanout > 3; }
};

template <class Role>
struct named {
  using role = Role;
  static constexpr const char* name = "named";
};

struct list_arch : sm90 {  // names a ready list that serves fixed keys only
  struct defaults : sm90_defaults {
    using ready_list = ww::ready_list::ordered3<>;
  };
};

struct strange_arch : sm90 {
  struct defaults : sm90_defaults {
    using priority = ww::priority::packed;
    using constraints = type_list<constraint::write_distance>;
    using mode = struct never_defined;  // declared only: counts as absent
  };
};

}  // namespace

TEST_CASE("composer: policies in any order are one canonical type") {
  using a = config_of<sm90, priority::packed, constraint::counters<>, ready_list::sorted_list<>, base_offset>;
  using b = config_of<base_offset, ready_list::sorted_list<>, constraint::counters<>, sm90, priority::packed>;
  using c = config_of<constraint::counters<>, sm90, base_offset, priority::packed>;  // sorted_list is the default here
  static_assert(std::is_same_v<a, b> && std::is_same_v<a, c>);
  // Constraints are a list: their order is the user's.
  static_assert(!std::is_same_v<config_of<sm90, constraint::counters<>, constraint::bank_limit<>>,
                                config_of<sm90, constraint::bank_limit<>, constraint::counters<>>>);
  static_assert(!std::is_same_v<config_of<sm90>, config_of<sm80>>);
  CHECK(meta::type_name<a>() == meta::type_name<b>());
}

TEST_CASE("composer: what is left out comes from the architecture, then from the kit") {
  using plain = config_of<sm90>;
  static_assert(std::is_same_v<plain::strategy, strategy::list>);
  static_assert(std::is_same_v<plain::mode, mode::ilp>);
  static_assert(std::is_same_v<plain::priority, priority::critical_path>);
  static_assert(std::is_same_v<plain::ready_list, ready_list::heap<>>);
  static_assert(std::is_same_v<plain::graph_builder, last_writer>);
  static_assert(std::is_same_v<plain::disambiguation, conservative>);
  static_assert(std::is_same_v<plain::margin, safety_margin<0>>);
  static_assert(std::is_same_v<plain::vector_width, simd::scalar>);
  static_assert(std::is_same_v<plain, config_of<sm90, simd::scalar>>);
  static_assert(std::is_same_v<plain::phases, meta::by_default<role::phases>>);
  using mine = config_of<strange_arch>;
  static_assert(std::is_same_v<mine::priority, priority::packed>);
  static_assert(std::is_same_v<mine::ready_list, ready_list::sorted_list<>>);
  static_assert(std::is_same_v<mine::constraints, type_list<constraint::write_distance>>);
  static_assert(std::is_same_v<mine::mode, mode::ilp>);
  static_assert(std::is_same_v<config_of<strange_arch, priority::refined>::priority, priority::refined>);
  static_assert(std::is_same_v<config_of<list_arch>::ready_list, ready_list::ordered3<>>);
  static_assert(std::is_same_v<config_of<list_arch, priority::packed>::ready_list, ready_list::sorted_list<>>);
  static_assert(
      std::is_same_v<config_of<strange_arch, constraint::counters<>>::constraints, type_list<constraint::counters<>>>);
  SUCCEED();
}

TEST_CASE("composer: composable asks without an error") {
  static_assert(composable<sm90>);
  static_assert(composable<sm90, priority::pack<own_bit>>);
  static_assert(!composable<>);
  static_assert(!composable<sm90, sm80>);
  static_assert(!composable<sm90, int>);
  static_assert(!composable<sm90, const priority::packed>);
  static_assert(!composable<sm90, priority::packed, priority::refined>);
  static_assert(!composable<sm90, priority::pack<>>);
  static_assert(!composable<sm90, priority::pack<own_bit, own_bit>>);
  static_assert(!composable<sm90, priority::packed, ready_list::ordered3<>>);
  static_assert(composable<sm90, ready_list::ordered3<>>);
  static_assert(!composable<sm90, constraint::counters<7>>);
  static_assert(!composable<sm90, safety_margin<-1>> && composable<sm90, safety_margin<128>>);
  static_assert(!composable<sm90, constraint::bank_limit<0>, priority::packed>);
  static_assert(!composable<sm90, named<role::graph_builder>> && !composable<sm90, named<role::phases>>);
  SUCCEED();
}

TEST_CASE("composer: names and fixed strings") {
  CHECK(meta::type_name<int>() == "int");
  CHECK(meta::type_name<ww::sm90>() == "ww::sm90");
  CHECK(meta::name_of<priority::packed>() == "packed");
  CHECK(meta::name_of<three>() == meta::type_name<three>());
  constexpr meta::fixed_string a = "pre";
  constexpr auto joined = meta::concat(a, meta::fixed_string("fix"));
  static_assert(joined.view() == "prefix" && joined.size() == 6);
  static_assert(a == meta::fixed_string("pre"));
  std::string walked;
  meta::for_each<constraint::shipped>([&]<class C>() { walked += C::name[0]; });
  CHECK(walked == "brwc");
}
