// SPDX-License-Identifier: BSL-1.0
//
// PLS-3: which accesses are hot, which are cold, and which are neither; as both engines are told.
#include <string>

#include "../support/catch.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/unified/unified.hpp"

namespace {

enum class temperature { hot, cold, neither };

temperature of(bool hot, bool cold) {
  REQUIRE_FALSE((hot && cold));
  return hot ? temperature::hot : cold ? temperature::cold : temperature::neither;
}

// Of one instruction: what its traits say, and what the records and candidates of a block with it say.
temperature temperature_of(const std::string& text) {
  INFO(text);
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.text(text).text("EXIT");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  REQUIRE(ww::build_cfg(p).ok);
  using ww::priority::trait;
  ww::priority::candidate c;
  c.traits = ww::detail::traits_of(p.instructions[0], false);
  const temperature t = of(c.has(trait::hot), c.has(trait::cold));

  using unified = ww::config_of<ww::sm90, ww::strategy::unified, ww::mode::ilp>;
  ww::schedule_workspace<unified> ws;
  ww::program scheduled = p;
  ww::schedule_blocks<unified>(scheduled, ws);
  const ww::unified::record& r = ws.own.records[0];
  using ww::unified::record_flag;
  CHECK(of(r.has(record_flag::hot), r.has(record_flag::cold)) == t);
  CHECK(r.has(record_flag::shared_memory) == c.has(trait::shared_memory));

  using per_pick = ww::config_of<ww::sm90, ww::priority::refined>;
  ww::schedule_workspace<per_pick> picks;
  ww::schedule_blocks<per_pick>(p, picks);
  CHECK(of(picks.candidates[0].has(trait::hot), picks.candidates[0].has(trait::cold)) == t);
  return t;
}

}  // namespace

TEST_CASE("PLS-3 temperature: loads from global memory, textures and surfaces are hot") {
  CHECK(temperature_of("LDG.E R4, desc[UR4][R2.64]") == temperature::hot);
  CHECK(temperature_of("LD.E R4, desc[UR4][R2.64]") == temperature::hot);
  CHECK(temperature_of("TEX.SCR.LL RZ, R4, R4, R6, UR4, 2D") == temperature::hot);
  CHECK(temperature_of("TLD.SCR.LZ RZ, R4, R4, UR4, 2D") == temperature::hot);
  CHECK(temperature_of("SULD.D.BA.2D.STRONG.SM.TRAP R4, [R2], UR4") == temperature::hot);
  CHECK(temperature_of("SUATOM.D.BA.2D.ADD.STRONG.GPU.TRAP PT, R4, [R2], R6, UR4") == temperature::hot);
}

TEST_CASE("PLS-3 temperature: constant loads and shared memory are cold") {
  CHECK(temperature_of("LDC R4, c[0x0][R2]") == temperature::cold);
  CHECK(temperature_of("LDS R4, [R2]") == temperature::cold);
  CHECK(temperature_of("LDSM.16.M88.4 R4, [R2]") == temperature::cold);
  CHECK(temperature_of("STS [R2], R4") == temperature::cold);
}

TEST_CASE("PLS-3 temperature: stores to global memory, local memory and arithmetic are neither") {
  CHECK(temperature_of("STG.E desc[UR4][R2.64], R4") == temperature::neither);
  CHECK(temperature_of("ST.E desc[UR4][R2.64], R4") == temperature::neither);
  CHECK(temperature_of("LDL R4, [R2]") == temperature::neither);
  CHECK(temperature_of("STL [R2], R4") == temperature::neither);
  CHECK(temperature_of("FFMA R4, R5, R6, R7") == temperature::neither);
  CHECK(temperature_of("IADD3 R4, R5, c[0x0][0x210], RZ") == temperature::neither);
}
