// SPDX-License-Identifier: BSL-1.0
//
// Rules about control fields and operand reuse, on hand-made programs and bare words.
#include <array>
#include <span>

#include "../support/catch.hpp"
#include "toy.hpp"
#include "warpwright/verify/control_only.hpp"

using namespace toy;
using verify::finding_kind;
using verify::severity;

namespace {
ww::vec<verify::finding> found(const program& p) {
  verify::options o;
  o.dependences = false;
  o.lints = false;
  o.notes = true;
  return verify::check<sm>(p, o).findings;
}
struct wide : toy::sm {
  struct control_format : toy::control_format {
    static constexpr unsigned position = 105;
    static constexpr std::uint32_t extract(const std::uint64_t (&w)[2]) {
      return static_cast<std::uint32_t>(w[1] >> 41) & 0x1fffffu;
    }
  };
};
verify::finding only(const program& p) {
  const auto v = found(p);
  REQUIRE(v.size() == 1);
  return v[0];
}
}  // namespace

TEST_CASE("verify encoding: the 32 issue codes") {
  for (unsigned code = 0; code < 32; ++code) {
    INFO(code);
    const auto v = found(build({alu(R(0)).stall(code & 15u).yield(code < 16)}));
    const bool undefined = code == 16 || code >= 28;
    REQUIRE(v.size() == (undefined ? 1u : 0u));
    if (undefined) {
      CHECK(v[0].kind == finding_kind::issue_code);
      CHECK(v[0].level == severity::finding);
    }
  }
}

TEST_CASE("verify encoding: counter indices") {
  CHECK(only(build({ldg(R(0), R(2)).sets(6).stall(2)})).kind == finding_kind::counter_index);
  CHECK(only(build({ldg(R(0), R(2)).sets_read(6).stall(2)})).counter == 6);
  for (unsigned c = 0; c < 6; ++c) CHECK(found(build({ldg(R(0), R(2)).sets(c).sets_read(c).stall(2)})).empty());
}

TEST_CASE("verify encoding: DEPBAR holds the next instruction back with its own stall only") {
  const verify::finding f = only(build({depbar(0, 1).stall(3)}));
  CHECK(f.kind == finding_kind::own_stall);
  CHECK(f.level == severity::finding);
  CHECK(f.short_by == 1);
  CHECK(found(build({depbar(0, 1).stall(4)})).empty());
}

TEST_CASE("verify encoding: a short own stall of a branch is worth a note") {
  const verify::finding f = only(build({bra(0).stall(4)}));
  CHECK(f.kind == finding_kind::own_stall);
  CHECK(f.level == severity::note);
}

TEST_CASE("verify encoding: counters belong on late results and late reads") {
  CHECK(only(build({alu(R(0)).sets(2)})).kind == finding_kind::fixed_counter);
  CHECK(only(build({alu(R(0)).sets_read(2)})).kind == finding_kind::fixed_counter);
  CHECK(found(build({stg(R(2), R(4)).sets_read(2)})).empty());
  CHECK(found(build({mufu(R(2), R(4)).sets(2)})).empty());
}

TEST_CASE("verify encoding: reuse flags and issue codes") {
  CHECK(found(build({alu(R(0), R(1), R(2)).reuse(3)})).empty());
  CHECK(found(build({alu(R(0), R(1), R(2)).stall(11).reuse(3)})).empty());
  const verify::finding f = only(build({alu(R(0), R(1), R(2)).stall(4).yield(true).reuse(1)}));
  CHECK(f.kind == finding_kind::reuse_code);
  CHECK(f.level == severity::finding);
  CHECK(only(build({alu(R(0), R(1), R(2)).stall(2).yield(true).reuse(1)})).level == severity::note);
}

TEST_CASE("verify encoding: reuse flags stand on registers") {
  CHECK(only(build({alu(R(0), R(1)).reuse(2)})).kind == finding_kind::reuse_operand);
  CHECK(only(build({alu(R(0), R(1)).reuse(4)})).kind == finding_kind::reuse_operand);
  SECTION("bits that an opcode uses for something else are not flags") { CHECK(found(build({bra(0).reuse(1)})).empty()); }
}

TEST_CASE("verify reuse: a kept operand must not change before its reader") {
  const verify::finding f = only(build({alu(R(8), R(1)).reuse(1), alu(R(1)), alu(R(9), R(1))}));
  CHECK(f.kind == finding_kind::reuse_stale);
  CHECK(f.first == instr_id{0});
  CHECK(f.second == instr_id{2});
  CHECK(f.target == R(1));
  CHECK(found(build({alu(R(8), R(1)).reuse(1), alu(R(9), R(1)), alu(R(1))})).empty());
  SECTION("the instruction's own result counts") {
    CHECK(only(build({alu(R(1), R(1)).reuse(1), alu(R(9), R(1))})).kind == finding_kind::reuse_stale);
  }
  SECTION("another slot reads the register file") {
    CHECK(found(build({alu(R(8), R(1)).reuse(1), alu(R(1)), alu(R(9), R(5), R(1))})).empty());
  }
  SECTION("a read of the same bank and slot drops what was kept") {
    CHECK(found(build({alu(R(8), R(1)).reuse(1), alu(R(1)), alu(R(10), R(3)), alu(R(9), R(1))})).empty());
    CHECK(found(build({alu(R(8), R(1)).reuse(1), alu(R(1)), alu(R(10), R(2)), alu(R(9), R(1))})).size() == 1);
  }
  SECTION("a result inside a wide destination") {
    CHECK(found(build({alu(R(8), R(1)).reuse(1), ldg(R(0), R(6), 2).sets(0), alu(R(9), R(1)).waits(0)})).size() == 1);
  }
  SECTION("one operand cache or one per group of pipes: wrong in either is wrong") {
    const line keeps = alu(R(8), R(1), RZ, sched_class::half).reuse(1);
    const line takes = alu(R(9), R(1), RZ, sched_class::half);
    CHECK(found(build({keeps, alu(R(10), R(3)), takes})).empty());
    CHECK(only(build({keeps, alu(R(10), R(3)), alu(R(1)), takes})).kind == finding_kind::reuse_stale);  // not dropped by alu
    CHECK(only(build({keeps, alu(R(1)), alu(R(9), R(1))})).kind == finding_kind::reuse_stale);          // taken by alu
  }
  SECTION("a register inside a wide source") {
    line pair = alu(R(8), R(2)).reuse(1);
    pair.operands[1] = operand::use(R(2), slot::a, 2);
    line reader = alu(R(10), R(2));
    reader.operands[1] = operand::use(R(2), slot::a, 2);
    CHECK(found(build({pair, reader})).empty());
    const verify::finding second = only(build({pair, alu(R(3)), reader}));
    CHECK(second.kind == finding_kind::reuse_stale);
    CHECK(second.target == R(3));
  }
}

TEST_CASE("verify reuse: what a block keeps at its end is followed along every edge") {
  const auto old_value = [](const program& p, unsigned by, unsigned reader) {
    const verify::finding f = only(p);
    CHECK(f.kind == finding_kind::reuse_stale);
    CHECK(f.first == instr_id{by});
    CHECK(f.second == instr_id{reader});
    CHECK(f.target == R(1));
  };
  const line keeps = alu(R(8), R(1)).reuse(1), writes = alu(R(1)), takes = alu(R(9), R(1)), drops = alu(R(10), R(3));
  SECTION("written in the block") { old_value(build({keeps, writes, takes}, {2, 1}, {{0, 1}}), 0, 2); }
  SECTION("written behind it") { old_value(build({keeps, writes, takes}, {1, 2}, {{0, 1}}), 0, 2); }
  SECTION("not written") { CHECK(found(build({keeps, takes, writes}, {1, 2}, {{0, 1}})).empty()); }
  SECTION("another read of bank and slot drops it") {
    CHECK(found(build({keeps, writes, drops, takes}, {2, 2}, {{0, 1}})).empty());
    CHECK(found(build({keeps, drops, writes, takes}, {2, 2}, {{0, 1}})).empty());
  }
  SECTION("no edge, no path") { CHECK(found(build({keeps, writes, takes}, {2, 1}, {})).empty()); }
  SECTION("on one path of two") {
    const std::initializer_list<line> code = {keeps, bra(2), drops, writes, takes};
    old_value(build(code, {2, 1, 2}, {{0, 1}, {0, 2}, {1, 2}}), 0, 4);
    CHECK(found(build(code, {2, 1, 2}, {{0, 1}, {1, 2}})).empty());
  }
  SECTION("the write of a longer path counts as well as that of a shorter one") {
    old_value(build({keeps, bra(2), writes, takes}, {2, 1, 1}, {{0, 2}, {0, 1}, {1, 2}}), 0, 3);
  }
  SECTION("around a loop") { old_value(build({takes, keeps, writes, bra(0)}, {4}, {{0, 0}}), 1, 0); }
}

TEST_CASE("verify control only: bare words") {
  constexpr std::array<std::uint64_t, 8> words = {
      0x791aull, 0x000fc80000000000ull,  // DEPBAR
      0x7918ull, 0x000fc00000000000ull,  // padding
      0x7918ull, 0x000fe00000000000ull,  // code 16
      0x7918ull, 0x400fe20000000000ull,  // bit 126
  };
  const verify::report r = verify::check_control_only<wide>(std::span<const std::uint64_t>(words));
  CHECK(r.instructions == 4);
  REQUIRE(r.findings.size() == 2);
  CHECK(r.findings[0].kind == finding_kind::issue_code);
  CHECK(r.findings[0].second == instr_id{2});
  CHECK(r.findings[1].kind == finding_kind::reserved_bits);
  CHECK(r.findings[1].second == instr_id{3});
  std::array<control, 2> fields;
  fields[1].write_barrier = 6;
  CHECK(verify::check_control_only<toy::sm>(std::span<const control>(fields)).findings.size() == 1);
}
