// SPDX-License-Identifier: BSL-1.0
#include <warpwright/arch/sm80.hpp>
#include <warpwright/scoreboard/barrier_policy.hpp>

#include "support/catch.hpp"

using namespace ww;
using namespace ww::scoreboard;
using pool_type = barrier_pool<sm80_barriers>;

namespace {

barrier_request request(std::uint32_t producer, std::int32_t cycle, std::uint8_t queue, std::int32_t done,
                        std::int32_t need = pool_type::never, std::uint32_t pos = 1000) {
  barrier_request q;
  q.producer = instr_id{producer};
  q.cycle = cycle;
  q.queue = queue;
  q.done_cycle = done;
  q.need_cycle = need;
  q.need_pos = pos;
  return q;
}

}  // namespace

TEST_CASE("SB-2 pool: free, pending, completed, free") {
  pool_type pool;
  CHECK(pool.is_free(0));
  pool.set(0, request(1, 10, 2, 40));
  CHECK(pool.records[0].status == barrier_status::pending);
  pool.advance(39);
  CHECK(pool.records[0].status == barrier_status::pending);
  pool.advance(40);
  CHECK(pool.records[0].status == barrier_status::completed);
  pool.release(0);
  CHECK(pool.is_free(0));
  CHECK(pool.records[0].last_queue == 2);  // kept for affinity
  pool.set(0, request(2, 50, 2, 90));
  pool.release(0);  // a forced wait frees a pending one
  CHECK(pool.is_free(0));
}

TEST_CASE("SB-2 pool: affinity wins over first free") {
  pool_type pool;
  pool.set(3, request(1, 0, 7, 30));
  pool.release(3);
  CHECK(pool.find_free(7) == 3);
  CHECK(pool.find_free(8) == 0);
  pool.records[0].reserved = true;
  CHECK(pool.find_free(8) == 1);
}

TEST_CASE("SB-2 pool: oldest first, stale before young") {
  pool_type pool;
  for (unsigned i = 0; i < pool_type::size; ++i) {
    pool.set(i, request(i, static_cast<std::int32_t>(30 - 5 * i), 1, i == 2 ? 31 : 1000));  // 5 is the oldest
  }
  CHECK(pool.find_oldest(31, false) == 5);
  pool.advance(31);
  CHECK(pool.find_oldest(31, true) == 2);
  CHECK(pool.find_oldest(31, false) == 5);
  // 56 cycles after its set a counter counts as stale
  CHECK_FALSE(pool.is_stale(0, 30 + 55));
  CHECK(pool.is_stale(0, 30 + 56));
}

TEST_CASE("SB-2 policies: a seventh producer evicts, shares, or follows the text") {
  pool_type pool;
  for (unsigned i = 0; i < pool_type::size; ++i) {
    pool.set(i, request(i, static_cast<std::int32_t>(i), 1, 400 + static_cast<std::int32_t>(i), 300, 500 + i));
  }
  const barrier_request q = request(9, 20, 1, 420, 310, 503);
  const barrier_choice evict = barriers::evict_oldest::choose(pool, q);
  CHECK(evict.index == 0);
  CHECK(evict.wait_first);
  const barrier_choice shared = barriers::share::choose(pool, q);
  CHECK(shared.index == 3);  // same first consumer: free of charge
  CHECK(shared.shared);
  CHECK_FALSE(shared.wait_first);
  const barrier_choice young = barriers::literal_text::choose(pool, q);
  CHECK(young.wait_first);
  barrier_request late = q;
  late.cycle = 100;
  const barrier_choice stale = barriers::literal_text::choose(pool, late);
  CHECK_FALSE(stale.wait_first);  // older than 56 cycles: taken without a wait of the producer
  CHECK(stale.shared);
}

TEST_CASE("SB-2 literal_text: who takes an old counter makes it young") {
  pool_type pool;
  for (unsigned i = 0; i < pool_type::size; ++i) pool.set(i, request(i, static_cast<std::int32_t>(i), 1, 1000));
  // 56 cycles later each of six producers takes another one, and the seventh waits for the first.
  for (unsigned i = 0; i < pool_type::size; ++i) {
    const barrier_request q = request(10 + i, static_cast<std::int32_t>(100 + i), 1, 1000);
    const barrier_choice c = barriers::literal_text::choose(pool, q);
    CHECK(c.index == i);
    CHECK(c.shared);
    pool.set(c.index, q);
  }
  const barrier_choice seventh = barriers::literal_text::choose(pool, request(20, 106, 1, 1000));
  CHECK(seventh.index == 0);
  CHECK(seventh.wait_first);
}

TEST_CASE("SB-2 affinity: of free counters the one whose last producer used the same queue") {
  const auto freed = [](std::uint8_t queue) {
    pool_type pool;
    pool.set(3, request(1, 0, queue, 30));
    pool.release(3);
    return pool;
  };
  const barrier_request q = request(2, 40, 7, 80, 60, 12);
  CHECK(barriers::share::choose(freed(7), q).index == 3);
  CHECK(barriers::share::choose(freed(6), q).index == 0);
  CHECK(barriers::literal_text::choose(freed(7), q).index == 3);
  CHECK(barriers::literal_text::choose(freed(6), q).index == 0);
  CHECK(barriers::evict_oldest::choose(freed(7), q).index == 3);
}

TEST_CASE("SB-2 share: takes a free counter unless the consumer is the same") {
  pool_type pool;
  pool.set(0, request(0, 0, 1, 30, 40, 77));
  CHECK(barriers::share::choose(pool, request(1, 4, 1, 34, 40, 77)).index == 0);
  CHECK(barriers::share::choose(pool, request(1, 4, 1, 34, 44, 78)).index != 0);
  // with all busy, the one that costs its consumers least
  for (unsigned i = 1; i < pool_type::size; ++i) pool.set(i, request(i, 0, 1, 500, 10, 60 + i));
  CHECK(barriers::share::choose(pool, request(9, 4, 1, 34, 44, 78)).index == 0);
}

TEST_CASE("SB-2 evict_done_first: the counter that is zero first goes, not the oldest") {
  pool_type pool;
  for (unsigned i = 0; i < pool_type::size; ++i) {
    pool.set(i, request(i, static_cast<std::int32_t>(i), 1, i == 4 ? 60 : 400 + static_cast<std::int32_t>(i)));
  }
  const barrier_request q = request(9, 20, 1, 420);
  CHECK(barriers::evict_oldest::choose(pool, q).index == 0);
  const barrier_choice c = barriers::evict_done_first::choose(pool, q);
  CHECK(c.index == 4);
  CHECK(c.wait_first);
  pool.records[4].reserved = true;
  CHECK(barriers::evict_done_first::choose(pool, q).index == 0);
  pool.release(2);
  CHECK(barriers::evict_done_first::choose(pool, q).index == 2);
  CHECK_FALSE(barriers::evict_done_first::choose(pool, q).wait_first);
}
