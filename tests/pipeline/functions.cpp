// SPDX-License-Identifier: BSL-1.0
//
// Programs of several functions built in memory: a call is followed into its function and back, as in listings.
#include <algorithm>
#include <string>

#include "../support/catch.hpp"
#include "warpwright/arch/dialect.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/scheduler.hpp"

namespace {

using namespace ww;

constexpr const char* body =
    "MOV R4, 0x5\n"
    "CALL.REL.NOINC `(f)\n"
    "LDG.E R6, [R2.64]\n"
    "CALL.REL.NOINC `(f)\n"
    "FADD R6, R6, R8\n"
    "STG.E [R2.64], R6\n"
    "EXIT\n";
constexpr const char* callee =
    "LDG.E R8, [R2.64+0x40]\n"
    "FMUL R4, R4, R4\n"
    "RET.REL.NODEC R20 `(f)\n";

program built(isa::builder& b) {
  program p = b.finish();
  INFO(b.first_error().expected);
  REQUIRE(b.ok());
  REQUIRE(build_cfg(p).ok);
  return p;
}

unsigned edges(const program& p, edge_kind k) {
  return static_cast<unsigned>(
      std::count_if(p.edges.begin(), p.edges.end(), [k](const cfg_edge& e) { return e.kind == k; }));
}

}  // namespace

TEST_CASE("builder functions: a call leads into its function and back") {
  isa::builder text(dialect_of(sm80::id)), typed(dialect_of(sm80::id));
  text.lines(std::string(body) + ".function f\n" + callee);
  typed.lines(body).function("f").lines(callee);
  for (isa::builder* b : {&text, &typed}) {
    const program p = built(*b);
    REQUIRE(p.functions.size() == 2);
    CHECK((p.functions[0].entry == instr_id{0} && p.functions[0].kernel));
    CHECK((p.functions[1].entry == instr_id{7} && !p.functions[1].kernel));
    CHECK(edges(p, edge_kind::call) == 2);
    CHECK(edges(p, edge_kind::ret) == 2);
    for (const block& k : p.blocks) CHECK((k.reachable && !k.open_exit));
  }
  // a label alone is a place to jump to: what stands behind the call is not reached
  isa::builder label(dialect_of(sm80::id));
  label.lines(std::string(body) + "f:\n" + callee);
  const program p = built(label);
  CHECK(edges(p, edge_kind::call) == 0);
  CHECK(edges(p, edge_kind::branch) == 2);
}

TEST_CASE("builder functions: code behind a call waits for what the function has in flight") {
  isa::builder b(dialect_of(sm80::id));
  b.lines(std::string(body) + ".function f\n" + callee);
  program p = b.finish();
  const schedule_result r = scheduler<sm80>{}.run(p, {.warps = 1});
  CHECK(r.proved);
  CHECK(r.hazards_after == 0);
  const control load = p.instructions[7].ctl;  // R8, which FADD reads behind the second call
  REQUIRE(load.sets_write());
  const unsigned bit = 1u << load.write_barrier;
  bool waits = (p.instructions[4].ctl.wait_mask & bit) != 0;
  for (const unsigned k : {8u, 9u}) waits = waits || (p.instructions[k].ctl.wait_mask & bit) != 0;
  CHECK(waits);
}

TEST_CASE("builder functions: kernels, names and ends") {
  isa::builder b;
  b.lines(".kernel k\nEXIT\n.function f\nRET.REL.NODEC R20 `(f)\n.kernel other\nBRA `(k)\n");
  const program p = built(b);
  REQUIRE(p.functions.size() == 3);
  CHECK((p.functions[0].kernel && !p.functions[1].kernel && p.functions[2].kernel));
  CHECK(p.instructions[2].target == instr_id{0});
  isa::builder empty;
  empty.text("EXIT").function("f");
  (void)empty.finish();
  CHECK(std::string(empty.first_error().expected) == "an instruction in the function");
  CHECK(empty.error_place() == instr_id{1});
  isa::builder twice;
  twice.function("f").text("NOP").function("f").text("EXIT");
  CHECK(std::string(twice.first_error().expected) == "a label that is not defined yet");
}
