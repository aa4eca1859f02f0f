// SPDX-License-Identifier: BSL-1.0
#include <warpwright/arch/sm80.hpp>
#include <warpwright/scoreboard/board.hpp>

#include "support/catch.hpp"

using namespace ww;
using namespace ww::scoreboard;
using board_type = board<sm80_barriers>;

TEST_CASE("SB-5 board: 35 counters, 14 records, and two owners for every link") {
  board_type b;
  CHECK(board_type::counters == 35);
  CHECK(board_type::records == 14);
  CHECK(b.counter(0).owners == 1);
  CHECK(b.counter(1).owners == 1 + 2);            // the list node
  CHECK(b.counter(19).owners == 1 + 13 * 2 + 2);  // records 0..12 and the list node
  CHECK(b.counter(25).owners == 1 + 2);           // the sentinel
  CHECK(b.counter(34).owners == 1);
  CHECK(b.record(12).counter == 19);
  CHECK(b.record(13).counter == 25);
  CHECK(board_type::barrier_slot(counter_class_of(reg_file::r)) == 0);
  CHECK(board_type::stall_slot(counter_class_of(reg_file::up)) == 7);
  CHECK(board_type::stall_slot(counter_class::own8) == 17);
}

TEST_CASE("SB-5 on issue: 15 cycles are a stall of the class, 16 take a barrier") {
  board_type b;
  CHECK(b.on_issue(instr_id{0}, counter_class::p, 13, 0).barrier == control::no_barrier);
  CHECK(b.on_issue(instr_id{1}, counter_class::p, 15, 1).barrier == control::no_barrier);
  CHECK(b.on_issue(instr_id{2}, counter_class::p, 4, 2).barrier == control::no_barrier);
  CHECK(b.counter(3).value == 15);
  CHECK(b.live_barrier(counter_class::r) == control::no_barrier);
  const issue_answer a = b.on_issue(instr_id{3}, counter_class::r, 16, 3);
  CHECK(a.barrier == 0);
  CHECK(a.wait_mask == 0);
  CHECK(b.live_barrier(counter_class::r) == 0);
  CHECK(b.record(0).producer == instr_id{3});
  CHECK(b.record(0).set_cycle == 3);
}

TEST_CASE("SB-5 on issue: with six in use the oldest is waited for and taken") {
  board_type b;
  for (std::uint32_t k = 0; k < 6; ++k) CHECK(b.on_issue(instr_id{k}, counter_class::r, 400, 20 - k).barrier == k);
  const issue_answer a = b.on_issue(instr_id{9}, counter_class::ur, 400, 30);
  CHECK(a.barrier == 5);  // set at cycle 15
  CHECK(a.wait_mask == 1u << 5);
  CHECK(b.record(5).producer == instr_id{9});
  CHECK(b.live_barrier(counter_class::ur) == 5);
  CHECK(b.live_barrier(counter_class::r) == control::no_barrier);
}

TEST_CASE("SB-5 on set: the first barrier of the block is the active node, also for barrier 0 and 1") {
  board_type b;
  b.on_set(1, instr_id{4}, 7);
  b.on_set(0, instr_id{5}, 8);
  CHECK(b.node().active);
  CHECK(b.node().index == 1);
  CHECK(b.node().producer == instr_id{4});
  CHECK(b.node().set_cycle == 7);
  b.release(0);
  CHECK(b.node().active);
  b.release(1);
  CHECK_FALSE(b.node().active);
}

TEST_CASE("SB-5 on wait: counts its consumers, and leaves the wait out only by age or by a new owner") {
  board_type b;
  b.on_set(2, instr_id{1}, 100);
  CHECK(b.on_wait(2, instr_id{1}, 110) == wait_answer::wait);
  CHECK(b.on_wait(2, instr_id{1}, 5000) == wait_answer::wait);  // no number of cycles is proof
  CHECK(b.record(2).waiters == 2);
  CHECK(b.on_wait(2, instr_id{8}, 110) == wait_answer::owner_changed);
  CHECK(b.on_wait(2, instr_id{1}, 156, 56) == wait_answer::wait);
  CHECK(b.on_wait(2, instr_id{1}, 157, 56) == wait_answer::released_by_age);
  CHECK(b.record(2).status == barrier_status::free);
}

TEST_CASE("SB-5 release: gives back what the set has taken, once") {
  board_type b;
  const std::uint32_t before = b.counter(19).owners;
  b.on_set(3, instr_id{1}, 0);
  b.on_set(3, instr_id{2}, 1);
  CHECK(b.counter(19).owners == before + 1);
  b.release(3);
  b.release(3);
  CHECK(b.counter(19).owners == before);
  CHECK(b.record(3).producer == instr_id{});
}

TEST_CASE("SB-5 ownership: a counter lives until its last context gives it up") {
  board_type alone;
  alone.on_set(0, instr_id{1}, 0);
  CHECK(alone.close() == 0);
  board_type shared;
  shared.share(20);
  shared.share(19);
  CHECK(shared.close() == 2);
  CHECK(shared.drop(20));
  CHECK(shared.drop(19));
  CHECK_FALSE(shared.drop(19));
}
