// SPDX-License-Identifier: BSL-1.0
//
// Which backend an SM gets (PLS-15), as the dispatch table of the reference text.
#include <type_traits>

#include "../support/catch.hpp"
#include "support.hpp"

namespace {

using ww::backend_kind;
namespace st = ww::strategy;

// Backend A everywhere, no codec step.
template <class Arch>
constexpr bool runs_a = ww::text_backend<Arch>::kind == backend_kind::a && !ww::text_backend<Arch>::has_codec &&
                        std::is_same_v<typename ww::text_backend<Arch>::codec, ww::backend::no_stage> &&
                        std::is_same_v<typename ww::text_backend<Arch>::pre_schedule, st::unified> &&
                        std::is_same_v<typename ww::text_backend<Arch>::post_schedule, st::unified> &&
                        std::is_same_v<typename ww::text_backend<Arch>::strategy, st::unified>;
// B for the codec step, C before and after allocation.
template <class Arch>
constexpr bool runs_bc = ww::text_backend<Arch>::kind ==
                         backend_kind::bc&& ww::text_backend<Arch>::has_codec&&
                             std::is_same_v<typename ww::text_backend<Arch>::codec, st::backend_b>&&
                                 std::is_same_v<typename ww::text_backend<Arch>::pre_schedule, st::backend_c_pre>&&
                                     std::is_same_v<typename ww::text_backend<Arch>::post_schedule, st::backend_c>&&
                                         std::is_same_v<typename ww::text_backend<Arch>::strategy, st::backend_bc>;

static_assert(runs_a<ww::sm50>);
static_assert(runs_a<ww::sm60>);
static_assert(runs_a<ww::sm70>);
static_assert(runs_a<ww::sm75>);
static_assert(runs_bc<ww::sm80>);
static_assert(runs_bc<ww::sm86>);
static_assert(runs_bc<ww::sm89>);
static_assert(runs_bc<ww::sm90>);
static_assert(runs_bc<ww::sm90a>);
static_assert(runs_bc<ww::sm100>);
static_assert(runs_bc<ww::sm103>);
static_assert(runs_bc<ww::sm107>);
static_assert(runs_bc<ww::sm110>);
static_assert(runs_bc<ww::sm120>);

template <class Arch>
using force_a = ww::text_backend<Arch, ww::backend::always<backend_kind::a>>;
static_assert(std::is_same_v<force_a<ww::sm90>::strategy, st::unified>);
static_assert(!force_a<ww::sm90>::has_codec);
using force_bc = ww::text_backend<ww::sm50, ww::backend::always<backend_kind::bc>>;
static_assert(std::is_same_v<force_bc::strategy, st::backend_bc>);
using knob = ww::text_backend<ww::sm70, ww::backend::codec_everywhere>;
static_assert(knob::kind == backend_kind::a && knob::has_codec);
static_assert(std::is_same_v<knob::codec, st::backend_b> && std::is_same_v<knob::post_schedule, st::unified>);

struct own_choice {  // a user's policy
  template <class Arch>
  static constexpr backend_kind kind = Arch::limits::sub_cores == 4 ? backend_kind::bc : backend_kind::a;
  template <class Arch>
  static constexpr bool codec = false;
};
static_assert(std::is_same_v<ww::text_backend<ww::sm80, own_choice>::strategy, st::backend_c>);

// The kit's own default is the list engine on every SM.
static_assert(std::is_same_v<ww::config_of<ww::sm90>::strategy, st::list>);

}  // namespace

TEST_CASE("PLS-15: every SM has the backend of the dispatch table") {
  unsigned a = 0;
  unsigned bc = 0;
  ww::meta::for_each<ww::all_archs>([&]<class Arch>() {
    CHECK(runs_a<Arch> != runs_bc<Arch>);
    a += runs_a<Arch> ? 1u : 0u;
    bc += runs_bc<Arch> ? 1u : 0u;
  });
  CHECK(a == 4);
  CHECK(bc == 10);
}

TEST_CASE("PLS-15: what the table gives can be composed and orders a block") {
  ww::meta::for_each<ww::all_archs>([&]<class Arch>() {
    using choice = ww::text_backend<Arch>;
    using config = ww::config_of<Arch, typename choice::strategy>;
    ww::program p = ww_test::random_block(7, 60);
    const ww::program before = p;
    ww::schedule_workspace<config> ws;
    const ww::schedule_stats s = ww::schedule_blocks<config>(p, ws);
    CHECK_FALSE(s.failed);
    CHECK(ww_test::legal(before, p));
  });
}

TEST_CASE("PLS-15: C takes the order of B as the third key") {
  // Equal instructions without dependences: priority and score tie, the number decides.
  ww_test::block_builder k;
  for (unsigned i = 0; i < 6; ++i) k.add(ww::sched_class::alu, {k.d(10 + i), k.a(i), k.b(i)});
  ww_test::opened<st::backend_bc> o(k.finish());
  auto& own = o.ws.own;
  own.c.number = {5, 3, 1, 0, 2, 4};
  REQUIRE(st::backend_c::search<decltype(o)::config>(o.p, o.order(), o.ws, own.c, o.stats));
  CHECK(o.ws.sequence == std::vector<std::uint32_t>{3, 2, 4, 1, 5, 0});

  const ww::program p = ww_test::random_block(5, 70);
  ww_test::opened<st::backend_b> b(p);
  ww_test::opened<st::backend_bc> bc(p);
  REQUIRE(b.run());
  REQUIRE(bc.run());
  for (std::uint32_t at = 0; at < 70; ++at) REQUIRE(bc.ws.own.c.number[b.ws.sequence[at]] == at);
}
