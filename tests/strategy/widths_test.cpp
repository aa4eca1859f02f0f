// SPDX-License-Identifier: BSL-1.0
//
// PLS-9: the vector width of a composition is the one that strategies work with, and it changes no order.
#include <cstdint>

#include "../support/catch.hpp"
#include "warpwright/backend/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/region/loop_aware.hpp"
#include "warpwright/schedule/inline_graph.hpp"
#include "warpwright/schedule/unified/unified.hpp"
#include "warpwright/strategy/all.hpp"
#include "warpwright/warpwright.hpp"

namespace {

struct counted : ww::simd::scalar {
  static inline unsigned calls = 0;
  static void bit_or(std::uint64_t* to, const std::uint64_t* from, std::size_t words) {
    ++calls;
    scalar::bit_or(to, from, words);
  }
  static void add(std::int32_t* to, const std::int32_t* from, std::size_t count) {
    ++calls;
    scalar::add(to, from, count);
  }
};

template <class Config>
ww::program ordered(ww::program p) {
  ww::schedule_workspace<Config> ws;
  ww::schedule_blocks<Config>(p, ws);
  return p;
}

template <class... Strategies>
void compare(const ww::program& p, ww::meta::type_list<Strategies...>) {
  const auto one = [&]<class S>() {
    INFO(S::name);
    const unsigned before = counted::calls;
    CHECK(ordered<ww::config_of<ww::sm80, S, counted>>(p).order == ordered<ww::config_of<ww::sm80, S>>(p).order);
    CHECK(counted::calls > before);
  };
  (one.template operator()<Strategies>(), ...);
}

}  // namespace

TEST_CASE("PLS-9: strategies work with the vector width of the composition") {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines(
      "LDG.E R4, [R2.64]\nFMUL R5, R4, R4\nLDG.E R8, [R2.64+0x10]\nFMUL R9, R8, R5\nISETP.GE.AND P0, PT, R0, R1, PT\n"
      "@P0 BRA `(x)\nFADD R16, R15, R4\nSTG.E [R2.64], R16\nx:\nSTG.E [R2.64], R9\nEXIT");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  REQUIRE(ww::build_cfg(p).ok);
  using namespace ww::strategy;
  compare(p,
          ww::meta::type_list<unified, pressure, combined, backend_b, backend_c, backend_bc, loop_aware, inline_graph<>>{});
}
