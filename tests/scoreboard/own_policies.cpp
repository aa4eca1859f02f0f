// SPDX-License-Identifier: BSL-1.0
//
// Policies of a user's own that choose what hardware does not have: words are right all the same.
#include <cstdint>
#include <string>

#include "scoreboard/support.hpp"

using namespace ww;
using ww_test::program_of;

namespace {

// Always the same counter, whether it exists or not, and never waits for it.
template <unsigned Index>
struct one_counter {
  using role = ww::role::barrier_policy;
  [[maybe_unused]] static constexpr const char* name = "one_counter";
  template <class Pool>
  static constexpr scoreboard::barrier_choice choose(const Pool&, const scoreboard::barrier_request&) {
    return {static_cast<std::uint8_t>(Index), false, true};
  }
};

// Yields at short stalls, stays at long ones: the reverse of what exists.
struct short_ones {
  using role = ww::role::yield_policy;
  [[maybe_unused]] static constexpr const char* name = "short_ones";
  template <class Barriers>
  static constexpr bool yield(unsigned stall, bool) {
    return stall < Barriers::max_stall_stay;
  }
};

constexpr const char* loads =
    "LDG.E R4, desc[UR4][R2.64]\nLDG.E R8, desc[UR4][R2.64+0x10]\nFMUL R5, R4, R4\nFADD R6, R5, R8\n"
    "ISETP.GT.AND P0, PT, R6, RZ, PT\n@P0 FMUL R6, R6, R6\nSTG.E desc[UR4][R2.64], R6\nEXIT\n";

}  // namespace

TEST_CASE("SB-2 own policy: a counter that does not exist is not taken") {
  const auto finding = []<unsigned Index>() {
    program p = program_of<sm90>(loads);
    scoreboard::workspace ws;
    scoreboard::assign_control<sm90, one_counter<Index>>(p, ws);
    for (const instruction& i : p.instructions) {
      CHECK((!i.ctl.sets_write() || i.ctl.write_barrier < control::barrier_count));
      CHECK((!i.ctl.sets_read() || i.ctl.read_barrier < control::barrier_count));
    }
    return ww_test::first_finding<sm90>(p);
  };
  CHECK(finding.operator()<0>() == "");
  CHECK(finding.operator()<5>() == "");
  CHECK(finding.operator()<6>() == "");
  CHECK(finding.operator()<9>() == "");
  CHECK(finding.operator()<255>() == "");
}

TEST_CASE("SB-2 own policy: a counter is waited for before it overflows") {
  std::string text;
  for (unsigned i = 0; i < 100; ++i) text += "LDG.E R" + std::to_string(10 + i) + ", desc[UR4][R2.64]\n";
  for (unsigned i = 0; i < 100; ++i) text += "STG.E desc[UR4][R2.64+0x10], R" + std::to_string(10 + i) + "\n";
  program p = program_of<sm90>(text + "EXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90, one_counter<0>>(p, ws);
  unsigned raised = 0;
  unsigned most = 0;
  for (const instruction& i : p.instructions) {
    if ((i.ctl.wait_mask & 1u) != 0) raised = 0;
    raised += (i.ctl.sets_write() && i.ctl.write_barrier == 0 ? 1u : 0u) +
              (i.ctl.sets_read() && i.ctl.read_barrier == 0 ? 1u : 0u);
    most = raised > most ? raised : most;
  }
  CHECK(most > 40);
  CHECK(most <= sm90::barriers::counter_max);
  CHECK(ww_test::first_finding<sm90>(p) == "");
}

TEST_CASE("SB-6 own policy: a stall that exists with yield only yields") {
  program p = program_of<sm90>("ISETP.GT.AND P0, PT, R6, RZ, PT\n@P0 FMUL R6, R6, R6\nFADD R6, R6, R6\nEXIT\n");
  scoreboard::workspace ws;
  scoreboard::assign_control<sm90, short_ones>(p, ws);
  bool long_one = false;
  for (const instruction& i : p.instructions) {
    CHECK(sm90::control_format::valid(sm90::control_format::encode(i.ctl)));
    long_one = long_one || i.ctl.stall > sm90::barriers::max_stall_stay;
  }
  CHECK(long_one);
  CHECK(ww_test::first_finding<sm90>(p) == "");
}
