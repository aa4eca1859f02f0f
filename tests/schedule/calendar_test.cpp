// SPDX-License-Identifier: BSL-1.0
//
// What the unified engine keeps so that a pick looks at few instructions: events by cycle, deadlines in order, and the heads of
// the ready list, each against the plain way of doing it.
#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "../support/catch.hpp"
#include "warpwright/schedule/unified/deadline_order.hpp"
#include "warpwright/schedule/unified/ready_index.hpp"
#include "warpwright/schedule/unified/wake_ring.hpp"

using namespace ww::unified;

TEST_CASE("PLS-4: events come out once, when their cycle is reached") {
  std::mt19937 random(7);
  wake_ring ring;
  ring.start(2);  // the last cycle of the ring, and the first one beyond it
  ring.each_until(0, [](std::uint32_t) {});
  ring.push(wake_ring::cycles, 0);
  ring.push(wake_ring::cycles + 1, 1);
  unsigned out = 0;
  ring.each_until(wake_ring::cycles - 1, [&](std::uint32_t) { ++out; });
  CHECK(out == 0);
  ring.each_until(wake_ring::cycles, [&](std::uint32_t i) { out += 1 + 10 * i; });
  CHECK(out == 1);
  ring.each_until(wake_ring::cycles + 1, [&](std::uint32_t i) { out += 1 + 10 * i; });
  CHECK(out == 12);
  for (unsigned round = 0; round < 50; ++round) {
    const std::uint32_t count = 1 + static_cast<std::uint32_t>(random() % 600);
    std::vector<std::uint32_t> due(count);
    std::vector<int> seen(count, 0);
    ring.start(count);
    std::uint32_t cycle = 0;
    std::uint32_t next = 0;
    ring.each_until(cycle, [&](std::uint32_t) { FAIL("nothing has been put in"); });
    while (std::count(seen.begin(), seen.end(), 1) != static_cast<std::ptrdiff_t>(count)) {
      for (unsigned k = 0; k < 3 && next < count; ++k, ++next) {
        // some beyond the ring, and in rounds of long steps all of them
        due[next] = cycle + 1 + static_cast<std::uint32_t>(random() % (random() % 8 == 0 ? 5000 : 700));
        ring.push(due[next], next);
      }
      cycle += round % 3 == 0 ? static_cast<std::uint32_t>(random() % 3000) : static_cast<std::uint32_t>(random() % 5);
      ring.each_until(cycle, [&](std::uint32_t i) { ++seen[i]; });
      bool right = true;
      for (std::uint32_t i = 0; i < next; ++i) right = right && seen[i] == (due[i] <= cycle ? 1 : 0);
      REQUIRE(right);
    }
  }
}

TEST_CASE("PLS-4: deadlines are reached in order, equal ones in source order") {
  std::mt19937 random(8);
  deadline_order order;
  for (const std::uint32_t count : {0u, 1u, 2u, 47u, 48u, 49u, 200u, 4000u}) {
    for (const std::uint32_t last : {0u, 5u, 255u, 256u, 70000u, 20000000u}) {
      std::vector<std::uint32_t> deadline(count);
      std::vector<std::uint32_t> wanted(count);
      order.start(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        deadline[i] = static_cast<std::uint32_t>(random() % (last + 1));
        wanted[i] = i;
        order.add(deadline[i], i);
      }
      order.sort(last);
      std::stable_sort(wanted.begin(), wanted.end(),
                       [&](std::uint32_t a, std::uint32_t b) { return deadline[a] < deadline[b]; });
      std::vector<std::uint32_t> got;
      for (std::uint32_t cycle = 0; got.size() < count; cycle += 1 + last / 7) {
        order.each_until(cycle, [&](std::uint32_t i) {
          REQUIRE(deadline[i] <= cycle);
          got.push_back(i);
        });
        const std::uint32_t ahead = got.size() < count ? deadline[wanted[got.size()]] : ~0u;
        REQUIRE(ahead > cycle);
      }
      REQUIRE(got == wanted);
    }
  }
}

namespace {

struct pressure_mode {
  static constexpr bool tracks_pressure = true;
  static constexpr std::uint32_t batch_cap = 0;
};

}  // namespace

TEST_CASE("PLS-4: the head of a bucket is the best of those in it, however they come and go") {
  std::mt19937 random(9);
  ready_index index;
  for (unsigned round = 0; round < 30; ++round) {
    std::vector<record> records(1 + random() % 400);
    index.start();
    CHECK(index.empty());
    std::vector<std::uint32_t> ready;
    const auto better = [&](std::uint32_t a, std::uint32_t b) {
      const record& x = records[a];
      const record& y = records[b];
      if (x.earliest != y.earliest) return x.earliest < y.earliest;
      if (x.dependence_cycle != y.dependence_cycle) return x.dependence_cycle < y.dependence_cycle;
      return x.deadline != y.deadline ? x.deadline < y.deadline : x.slot < y.slot;
    };
    const auto check = [&] {
      std::size_t heads = 0;
      bool free = false;
      for (unsigned set = 0; set < ready_index::sets; ++set) {
        for (const ready_index::top& t : index.heads(set)) {
          ++heads;
          REQUIRE(records[t.index].bucket == t.bucket);
          REQUIRE(ready_index::is_free(t.bucket) == ((set & 1u) != 0));
          REQUIRE((records[t.index].barrier_group != 0) == (set >= 2));
          bool best = true;
          for (const std::uint32_t i : ready)
            best = best && (records[i].bucket != t.bucket || i == t.index || better(t.index, i));
          REQUIRE(best);
        }
      }
      std::vector<std::uint32_t> buckets;
      for (const std::uint32_t i : ready) buckets.push_back(records[i].bucket);
      std::sort(buckets.begin(), buckets.end());
      buckets.erase(std::unique(buckets.begin(), buckets.end()), buckets.end());
      for (const std::uint32_t b : buckets) free = free || ready_index::is_free(b);
      REQUIRE(buckets.size() == heads);
      REQUIRE(index.any_free() == free);
      REQUIRE(index.empty() == ready.empty());
    };
    std::uint32_t cycle = 0;
    for (std::uint32_t i = 0; i < records.size(); ++i) {
      record& r = records[i];
      r.slot = static_cast<std::int32_t>(i) + 1;
      r.earliest = cycle + static_cast<std::uint32_t>(random() % (round % 2 == 0 ? 3 : 40));  // nearly in order, or not
      r.dependence_cycle = static_cast<std::uint32_t>(random() % 3);
      r.deadline = static_cast<std::uint32_t>(random() % 5);
      r.pipe = static_cast<std::uint8_t>(random() % 2);
      r.barrier_group = static_cast<std::uint8_t>(random() % 2);
      r.bucket = index.bucket_of<pressure_mode>(r, random() % 2 == 0, random() % 4 == 0);
      index.put(r.bucket, r, i, records);
      ready.push_back(i);
      cycle += static_cast<std::uint32_t>(random() % 2);
      for (unsigned k = 0; k < random() % 3 && !ready.empty(); ++k) {  // some move, some go
        const std::size_t at = random() % ready.size();
        const std::uint32_t j = ready[at];
        const std::uint32_t from = records[j].bucket;
        if (random() % 2 == 0) {
          records[j].bucket = no_record;
          ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(at));
        } else {
          const std::uint32_t to = random() % 2 == 0 ? ready_index::freed(from) : ready_index::made_critical(from);
          if (to == from) continue;
          records[j].bucket = to;
          index.put(to, records[j], j, records);
        }
        index.left(from, j, records);
      }
      if (i % 7 == 0) check();
    }
    while (!ready.empty()) {
      const std::uint32_t j = ready.back();
      ready.pop_back();
      const std::uint32_t from = records[j].bucket;
      records[j].bucket = no_record;
      index.left(from, j, records);
    }
    check();
  }
}
