// SPDX-License-Identifier: BSL-1.0
#include "support.hpp"

#include <algorithm>

#include <warpwright/schedule/unified/preliminary.hpp>
#include <warpwright/scoreboard/reconcile.hpp>

using namespace ww;
using namespace ww::scoreboard;

namespace {

struct drafted {
  program p;
  std::vector<control> draft;
  std::vector<std::uint8_t> tracked;
  reconcile_report report;

  explicit drafted(const std::string& text) : p(ww_test::program_of<sm90>(text)) {
    draft.assign(p.instructions.size(), control{});
    tracked.assign(p.instructions.size(), 1);
  }
  void run() { report = reconcile<sm90>(p, draft, tracked); }
  [[nodiscard]] const reconcile_event* find(reconcile_kind k, std::uint32_t pos) const {
    for (const reconcile_event& e : report) {
      if (e.kind == k && e.position == pos) return &e;
    }
    return nullptr;
  }
};

constexpr const char* sample =
    "LDG.E R4, desc[UR4][R2.64]\n"
    "IADD3 R5, R6, R7, RZ\n"
    "IADD3 R8, R5, R4, RZ\n"
    "EXIT\n";

}  // namespace

TEST_CASE("SB-9 reclassify: a counter for a fixed latency becomes a stall, a load without one gets it") {
  drafted d(sample);
  d.draft[1].write_barrier = 3;  // the estimate was above 15 cycles
  d.draft[2].wait_mask = 1u << 3;
  d.run();
  const reconcile_event* down = d.find(reconcile_kind::downgraded, 1);
  REQUIRE(down != nullptr);
  CHECK(*down == reconcile_event{1, reconcile_kind::downgraded, 3, 4});
  REQUIRE(d.find(reconcile_kind::upgraded, 0) != nullptr);
  const std::uint8_t c = d.p.instructions[0].ctl.write_barrier;
  CHECK(*d.find(reconcile_kind::waits, 2) == reconcile_event{2, reconcile_kind::waits, 1u << 3, 1u << c});
  CHECK(d.p.instructions[1].ctl.stall == 4);
  CHECK(ww_test::first_finding<sm90>(d.p).empty());
}

TEST_CASE("SB-9 index: the draft's counter does not survive") {
  drafted d(sample);
  d.draft[0].write_barrier = 5;
  d.run();
  REQUIRE(d.p.instructions[0].ctl.write_barrier != 5);
  CHECK(d.find(reconcile_kind::reindexed, 0)->old_value == 5);
  CHECK(d.find(reconcile_kind::reindexed, 0)->new_value == d.p.instructions[0].ctl.write_barrier);
}

TEST_CASE("SB-9 late sources: their counter is compared as that of a result is") {
  const std::string text =
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R8, R9\n"
      "EXIT\n";
  drafted d(text);
  d.run();
  const std::uint8_t c = d.p.instructions[0].ctl.read_barrier;
  REQUIRE(c < 5);
  REQUIRE(d.find(reconcile_kind::read_given, 0) != nullptr);
  CHECK(d.find(reconcile_kind::read_given, 0)->new_value == c);
  for (std::size_t k = 0; k < 3; ++k) d.draft[k] = d.p.instructions[k].ctl;
  d.run();
  CHECK(d.report.empty());
  d.draft[0].read_barrier = 5;
  d.draft[1].read_barrier = 4;
  d.draft[1].wait_mask = 1u << 5;
  d.run();
  REQUIRE(d.report.size() == 3);
  CHECK(d.report[0] == reconcile_event{0, reconcile_kind::read_reindexed, 5, c});
  CHECK(d.report[1] == reconcile_event{1, reconcile_kind::read_dropped, 4, 0});
  CHECK(d.report[2] == reconcile_event{1, reconcile_kind::waits, 1u << 5, 1u << c});
}

TEST_CASE("SB-9 release: a producer 56 cycles back is reported once, and waited for all the same") {
  std::string text = "LDG.E R4, desc[UR4][R2.64]\n";
  for (int k = 0; k < 17; ++k) text += "FADD R5, R5, R5\n";  // 4 cycles each
  drafted d(text + "FADD R8, R4, R5\nEXIT\n");
  d.run();
  REQUIRE(d.find(reconcile_kind::released, 0) != nullptr);
  CHECK(std::count_if(d.report.begin(), d.report.end(),
                      [](const reconcile_event& e) { return e.kind == reconcile_kind::released; }) == 1);
  CHECK(d.p.instructions[18].ctl.wait_mask == 1u << d.p.instructions[0].ctl.write_barrier);
  std::string exact = "LDG.E R4, desc[UR4][R2.64]\n";
  for (int k = 0; k < 15; ++k) exact += "FADD R5, R5, R5\n";  // the last one 57 cycles behind the load
  drafted x(exact + "FADD R8, R4, R5\nEXIT\n");
  x.run();
  CHECK(x.find(reconcile_kind::released, 0) != nullptr);
  std::string near = "LDG.E R4, desc[UR4][R2.64]\n";
  for (int k = 0; k < 14; ++k) near += "FADD R5, R5, R5\n";
  drafted n(near + "FADD R8, R4, R5\nEXIT\n");
  n.run();
  CHECK(n.find(reconcile_kind::released, 0) == nullptr);
}

TEST_CASE("SB-9 new instructions: what the draft does not know is made and reported as such") {
  drafted d(sample);
  d.tracked[1] = 0;
  d.run();
  CHECK(d.find(reconcile_kind::created, 1) != nullptr);
  CHECK(d.find(reconcile_kind::created, 2) == nullptr);
  CHECK(d.find(reconcile_kind::stall, 1) == nullptr);
}

TEST_CASE("SB-9 eviction and order: seven loads, events by position") {
  std::string text;
  for (int k = 0; k < 7; ++k) text += "LDG.E R" + std::to_string(10 + k) + ", desc[UR4][R2.64]\n";
  drafted d(text + "EXIT\n");
  d.run();
  REQUIRE(d.find(reconcile_kind::evicted, 6) != nullptr);
  CHECK(d.find(reconcile_kind::evicted, 6)->new_value == d.p.instructions[0].ctl.write_barrier);
  for (std::size_t k = 1; k < d.report.size(); ++k) CHECK(d.report[k - 1].position <= d.report[k].position);
}

TEST_CASE("SB-9 draft of the unified engine: what it wrote on virtual distances becomes legal") {
  drafted d(
      "LDG.E R4, desc[UR4][R2.64]\n"
      "LDG.E R6, desc[UR4][R2.64+8]\n"
      "FADD R5, R4, R4\n"
      "FADD R7, R6, R5\n"
      "STG.E desc[UR4][R2.64], R7\n"
      "EXIT\n");
  unified::preliminary before;
  before.start(6, unified::limits_of<sm90>());
  const bool variable[] = {true, true, false, false, false, false};
  for (std::uint32_t i = 0; i < 6; ++i) {
    if (i == 2) before.consume(2, 0);
    if (i == 3) before.consume(3, 1);
    before.place(i, 2 * i, variable[i]);  // two cycles apart, as an estimate without latencies would have it
  }
  d.draft.assign(before.words().begin(), before.words().end());
  d.run();
  CHECK(ww_test::first_finding<sm90>(d.p).empty());
  REQUIRE(d.find(reconcile_kind::stall, 2) != nullptr);
  CHECK(*d.find(reconcile_kind::stall, 2) == reconcile_event{2, reconcile_kind::stall, 2, 4});
  CHECK(d.find(reconcile_kind::waits, 2) == nullptr);  // the same counter in both
}

TEST_CASE("SB-9 conflict: a source that the owner of a live counter still reads is waited for") {
  drafted d(
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R8, R9\n"
      "EXIT\n");
  reconcile_report r = reconcile<sm90>(d.p, d.draft, d.tracked);
  CHECK(d.p.instructions[1].ctl.wait_mask == 1u << d.p.instructions[0].ctl.read_barrier);
  // The draft did not know that they meet: it does not wait.
  drafted over(
      "STG.E desc[UR4][R2.64], R8\n"
      "MOV R2, R9\n"
      "EXIT\n");
  over.run();
  REQUIRE(over.find(reconcile_kind::conflict, 1) != nullptr);
  CHECK(over.find(reconcile_kind::conflict, 1)->new_value == over.p.instructions[0].ctl.read_barrier);
  // It did, under another index.
  over.draft[0].read_barrier = 4;
  over.draft[1].wait_mask = 1u << 4;
  over.run();
  CHECK(over.find(reconcile_kind::conflict, 1) == nullptr);
  // The producer is new: no draft can have known of it. A new consumer has none to compare with.
  over.tracked[0] = 0;
  over.run();
  CHECK(over.find(reconcile_kind::conflict, 1) != nullptr);
  over.tracked[1] = 0;
  over.run();
  CHECK(over.find(reconcile_kind::conflict, 1) == nullptr);
  // What the draft waited for is one thing for results and another for sources.
  drafted load(sample);
  load.draft[0].write_barrier = 2;
  load.draft[0].read_barrier = 3;
  load.draft[2].wait_mask = 1u << 2;
  load.run();
  CHECK(load.find(reconcile_kind::conflict, 2) == nullptr);
  load.draft[2].wait_mask = 1u << 3;
  load.run();
  CHECK(load.find(reconcile_kind::conflict, 2) != nullptr);
  field_config silent = scoreboard::config_of<sm90>();
  silent.conflicts = false;
  load.report = reconcile<sm90>(load.p, load.draft, load.tracked, silent);
  CHECK(load.find(reconcile_kind::conflict, 2) == nullptr);
  // An operand pair that meets without a hazard (both only read): no wait.
  drafted same(
      "STG.E desc[UR4][R2.64], R8\n"
      "IADD3 R10, R8, R9, RZ\n"
      "EXIT\n");
  same.run();
  CHECK(same.p.instructions[1].ctl.wait_mask == 0);
  CHECK(same.find(reconcile_kind::conflict, 1) == nullptr);
}
