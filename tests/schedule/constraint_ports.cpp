// SPDX-License-Identifier: BSL-1.0
//
// PS-2: ports of the operand cache, the SM's of which the text says that writes keep a distance, and that each constraint
// changes an order that ww::scheduler makes.
#include <vector>

#include "../support/catch.hpp"
#include "../support/program_text.hpp"
#include "test_arch.hpp"
#include "warpwright/arch/sm75.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/pipeline/scheduler.hpp"

namespace {

namespace con = ww::constraint;
using ww_test::tiny_arch;

con::issue_view view(const ww::program& p, std::uint32_t n) { return ww::detail::view_of<ww::sm90>(p, ww::instr_id{n}, 0); }

// The window behind the first instruction of a text.
con::issue_window behind_first(const ww::program& p) {
  con::issue_window w;
  w.place(view(p, 0));
  return w;
}

// Reads of the fullest bank by the second of two instructions.
template <unsigned Limit = 2>
unsigned reads(const char* lines) {
  const ww::program p = ww_test::text(lines);
  const con::issue_window w = behind_first(p);
  const unsigned n = con::bank_limit<Limit>::template reads<ww::sm90>(view(p, 1), w);
  CHECK(con::bank_limit<Limit>::template admits<ww::sm90>(view(p, 1), w) == (n <= Limit));
  return n;
}

bool keeps_both(const char* lines) {
  const ww::program p = ww_test::text(lines);
  return con::reuse_limit<>::admits<ww::sm90>(view(p, 1), behind_first(p));
}

// The order of the first block as the composition makes it.
template <class Scheduler>
std::vector<std::uint32_t> order_of(const ww::program& before) {
  using config = typename Scheduler::config;
  ww::program p = before;
  ww::schedule_workspace<config> ws;
  ww::schedule_block<config>(p, ww::block_id{0}, ws);
  std::vector<std::uint32_t> out;
  for (const ww::instr_id i : p.order) out.push_back(i.index());
  return out;
}
template <class Constraint>
void check_changes(const char* lines, const std::vector<std::uint32_t>& with, const std::vector<std::uint32_t>& without) {
  INFO(Constraint::name);
  const ww::program p = ww_test::text(lines);
  CHECK(order_of<ww::scheduler<ww::sm90>>(p) == without);
  CHECK(order_of<ww::scheduler<ww::sm90, Constraint>>(p) == with);
}

// The SM of tests without the stall of PS-2.
struct close_writes : tiny_arch {
  struct pipes : tiny_arch::pipes {
    static constexpr bool spaced_writes = false;
  };
};
struct far_writes : tiny_arch {
  struct pipes : tiny_arch::pipes {
    static constexpr bool spaced_writes = true;
  };
};

template <class Arch>
bool admits_second_write() {
  const ww::program p = ww_test::text("MOV R4, R5\nMOV R4, R6\nEXIT\n");
  return con::write_distance::admits<Arch>(view(p, 1), behind_first(p));
}
// What a shipped SM has to say, once its page says anything.
template <class Arch>
bool admits_if_told(bool wanted) {
  if constexpr (requires { Arch::pipes::spaced_writes; }) {
    return admits_second_write<Arch>() == wanted;
  } else {
    return true;
  }
}

}  // namespace

TEST_CASE("PS-2 ports: the second source of FADD goes through port c, and a kept value is found by its port") {
  const ww::program p = ww_test::text("FADD R1, R2, R3\nFMUL R1, R2, R3\nFFMA R1, R2, R3, R4\nMOV R1, R2\nEXIT\n");
  const auto ports = [&](std::uint32_t n) {
    std::vector<unsigned> out;
    for (const ww::operand& o : p.operands_of(ww::instr_id{n})) {
      if (con::reads_through_port(o)) out.push_back(o.read_port());
    }
    return out;
  };
  CHECK(ports(0) == std::vector<unsigned>{1, 3});
  CHECK(ports(1) == std::vector<unsigned>{1, 2});
  CHECK(ports(2) == std::vector<unsigned>{1, 2, 3});
  CHECK(ports(3) == std::vector<unsigned>{2});
  // An operand made without a port: that of its slot; an address has none.
  CHECK(ww::operand::use(ww::R(1), ww::slot::c).read_port() == 3);
  CHECK(ww::operand::use(ww::R(1), ww::slot::address).read_port() == 0);
}

TEST_CASE("PS-2 bank limit: hits go by port, not by slot") {
  // R3 is kept for port c: there it needs no read, in port b it does.
  CHECK(reads("FADD R1, R2, R3.reuse\nFFMA R4, R5, R7, R3\nEXIT\n") == 2);
  CHECK(reads("FADD R1, R2, R3.reuse\nFFMA R4, R5, R3, R7\nEXIT\n") == 3);
  CHECK(reads("FFMA R1, R2, R3.reuse, R4\nFFMA R4, R5, R3, R7\nEXIT\n") == 2);
  CHECK(reads("FFMA R1, R2, R4, R3.reuse\nFADD R4, R5, R3\nEXIT\n") == 1);
  CHECK(reads("FFMA R1, R2, R3.reuse, R4\nFADD R4, R5, R3\nEXIT\n") == 2);
  // Without the flag, another register, and no flag at all.
  CHECK(reads("FADD R1, R2, R3\nFFMA R4, R5, R7, R3\nEXIT\n") == 3);
  CHECK(reads("FADD R1, R2, R9.reuse\nFFMA R4, R5, R7, R3\nEXIT\n") == 3);
  CHECK(reads<1>("FADD R1, R2, R9.reuse\nFFMA R4, R5, R2, R8\nEXIT\n") == 2);
}

TEST_CASE("PS-2 bank limit: wide sources are saved as the cache holds them") {
  using ww::operand;
  const auto reads_of = [](unsigned kept_width, unsigned width) {
    ww::program p;
    const operand kept = operand::use(ww::R(4), ww::slot::a, kept_width).set(operand::bit_reuse);
    const operand read = operand::use(ww::R(4), ww::slot::a, width);
    p.operands = {kept, read};
    con::issue_view first, second;
    first.operands = {p.operands.data(), 1};
    second.operands = {p.operands.data() + 1, 1};
    con::issue_window w;
    w.place(first);
    return con::bank_limit<>::reads<ww::sm90>(second, w);
  };
  CHECK(reads_of(2, 2) == 0);
  CHECK(reads_of(4, 4) == 0);
  CHECK(reads_of(1, 1) == 0);
  CHECK(reads_of(1, 2) == 1);  // R5 is left
  CHECK(reads_of(1, 4) == 2);  // R5 and R7
  CHECK(reads_of(2, 1) == 1);
  CHECK(reads_of(2, 4) == 2);
}

TEST_CASE("PS-2 reuse limit: an entry for each bank and port") {
  // The same bank and port: the first value would be lost.
  CHECK_FALSE(keeps_both("FFMA R1, R2.reuse, R5, R7\nFFMA R3, R4.reuse, R5, R7\nEXIT\n"));
  CHECK_FALSE(keeps_both("FADD R1, R5, R2.reuse\nFFMA R3, R5, R7, R4.reuse\nEXIT\n"));  // both port c
  // The same bank through another port, another bank through the same port, the same register.
  CHECK(keeps_both("FFMA R1, R2.reuse, R5, R7\nFFMA R3, R5, R4.reuse, R7\nEXIT\n"));
  CHECK(keeps_both("FADD R1, R5, R2.reuse\nFFMA R3, R5, R4.reuse, R7\nEXIT\n"));  // ports c and b
  CHECK(keeps_both("FFMA R1, R2.reuse, R5, R7\nFFMA R3, R5.reuse, R4, R7\nEXIT\n"));
  CHECK(keeps_both("FFMA R1, R2.reuse, R5, R7\nFFMA R3, R2.reuse, R5, R7\nEXIT\n"));
  // Three flags of one bank in one instruction: three entries.
  CHECK(keeps_both("MOV R1, R3\nFFMA R1, R2.reuse, R4.reuse, R6.reuse\nEXIT\n"));
  CHECK(keeps_both("FFMA R1, R2.reuse, R4.reuse, R6.reuse\nFFMA R3, R2.reuse, R4.reuse, R6.reuse\nEXIT\n"));
  CHECK_FALSE(keeps_both("FFMA R1, R2.reuse, R4.reuse, R6.reuse\nFFMA R3, R2.reuse, R4.reuse, R8.reuse\nEXIT\n"));
  // A pair is in both banks.
  CHECK_FALSE(keeps_both("DADD R10, R2.reuse, R4\nDADD R12, R6.reuse, R4\nEXIT\n"));
  CHECK_FALSE(keeps_both("FFMA R1, R3.reuse, R5, R7\nDADD R12, R6.reuse, R4\nEXIT\n"));
  CHECK_FALSE(keeps_both("DADD R12, R6.reuse, R4\nFFMA R1, R3.reuse, R5, R7\nEXIT\n"));
  const ww::program p = ww_test::text("FFMA R1, R2.reuse, R5, R7\nFFMA R3, R4.reuse, R5, R7\nEXIT\n");
  CHECK(con::reuse_limit<2>::admits<ww::sm90>(view(p, 1), behind_first(p)));
}

TEST_CASE("PS-2 write distance: only where the SM stalls on it") {
  CHECK_FALSE(admits_second_write<far_writes>());
  CHECK(admits_second_write<close_writes>());
  CHECK_FALSE(admits_second_write<tiny_arch>());  // says nothing
  CHECK_FALSE(admits_second_write<ww::sm90>());
  CHECK(admits_if_told<ww::sm75>(true));
  CHECK(admits_if_told<ww::sm80>(true));
  CHECK(admits_if_told<ww::sm90>(false));
}

TEST_CASE("PS-2 patience: each constraint changes an order that ww::scheduler makes") {
  check_changes<con::bank_limit<>>(
      "FFMA R10, R2, R4, R6\n"
      "FFMA R11, R3, R4, R6\n"
      "EXIT\n",
      {1, 0, 2}, {0, 1, 2});
  check_changes<con::reuse_limit<>>(
      "FFMA R10, R2.reuse, R5, R7\n"
      "FFMA R12, R4.reuse, R5, R7\n"
      "FFMA R14, R2, R5, R7\n"
      "EXIT\n",
      {0, 2, 1, 3}, {0, 1, 2, 3});
  check_changes<con::write_distance>(
      "MOV R4, R20\n"
      "MOV R4, R21\n"
      "MOV R6, R22\n"
      "EXIT\n",
      {0, 2, 1, 3}, {0, 1, 2, 3});
  // By the port: the second one of each hits what FADD keeps, or does not.
  check_changes<con::bank_limit<>>(
      "FADD R20, R2, R3.reuse\n"
      "FFMA R21, R5, R7, R3\n"
      "FFMA R22, R5, R8, R3\n"
      "EXIT\n",
      {0, 1, 2, 3}, {0, 1, 2, 3});
  check_changes<con::bank_limit<>>(
      "FADD R20, R2, R3.reuse\n"
      "FFMA R21, R5, R3, R7\n"
      "FFMA R22, R5, R8, R3\n"
      "EXIT\n",
      {0, 2, 1, 3}, {0, 1, 2, 3});
}
