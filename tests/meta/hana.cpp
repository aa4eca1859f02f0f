// SPDX-License-Identifier: BSL-1.0
//
// Hana algorithms over policy lists.
#if __has_include(<boost/hana/for_each.hpp>)
#include "warpwright/meta/hana.hpp"

#include <boost/hana/any_of.hpp>
#include <boost/hana/at.hpp>
#include <boost/hana/contains.hpp>
#include <boost/hana/core/to.hpp>
#include <boost/hana/equal.hpp>
#include <boost/hana/filter.hpp>
#include <boost/hana/find_if.hpp>
#include <boost/hana/fold_left.hpp>
#include <boost/hana/for_each.hpp>
#include <boost/hana/length.hpp>
#include <boost/hana/transform.hpp>
#include <boost/hana/tuple.hpp>
#include <string_view>

#include "../support/catch.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/constraint/all.hpp"

namespace hana = boost::hana;

TEST_CASE("composer: Hana iterates policy lists") {
  using list = ww::constraint::shipped;
  static_assert(hana::length(list{}) == hana::size_c<4>);
  static_assert(hana::Foldable<list>::value && hana::Iterable<list>::value);
  static_assert(hana::contains(list{}, hana::type_c<ww::constraint::write_distance>));
  static_assert(!hana::contains(list{}, hana::type_c<int>));
  static_assert(hana::at_c<1>(list{}) == hana::type_c<ww::constraint::reuse_limit<>>);

  std::size_t characters = 0;
  hana::for_each(list{}, [&](auto t) { characters += std::string_view(decltype(t)::type::name).size(); });
  CHECK(characters == std::string_view("bank_limitreuse_limitwrite_distancecounters").size());

  const unsigned patience =
      hana::fold_left(list{}, 0u, [](unsigned sum, auto t) { return sum + decltype(t)::type::patience; });
  CHECK(patience == 7);

  constexpr auto found = hana::find_if(list{}, [](auto t) { return hana::bool_c<(decltype(t)::type::patience > 1)>; });
  static_assert(found.value() == hana::type_c<ww::constraint::counters<>>);

  auto eager = hana::filter(hana::to_tuple(list{}), [](auto t) { return hana::bool_c<(decltype(t)::type::patience == 1)>; });
  static_assert(decltype(hana::length(eager))::value == 3);
}

TEST_CASE("composer: Hana walks the architectures") {
  unsigned count = 0;
  hana::for_each(ww::all_archs{}, [&](auto t) {
    using arch = typename decltype(t)::type;
    count += arch::barriers::count == 6 ? 1u : 0u;
  });
  CHECK(count == ww::meta::size_v<ww::all_archs>);
}
#endif
