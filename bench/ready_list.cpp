// SPDX-License-Identifier: BSL-1.0
//
// Ready lists, nanoseconds per operation against size: bench_ready_list [--check].
//
// One operation takes the best item out and puts another one in, with `size` items waiting all the time. Keys get smaller
// as time goes on, as they do while a block is scheduled. First table: three keys (int, double, number), the queue of
// backend C. Second table: the 64-bit entries of the list engine. Best of 9 runs, processor time of this thread.
// --check fails (exit 1) when the default of a table is more than 1.1 times as slow as another structure of it that serves
// every size; sorted_list does not, it is linear.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

#include "warpwright/schedule/ready_list/heap.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"
#include "warpwright/schedule/ready_list/red_black_tree.hpp"
#include "warpwright/schedule/ready_list/sorted_list.hpp"
#include "warpwright/schedule/ready_list/three_key.hpp"

namespace {

namespace rl = ww::ready_list;

constexpr std::size_t sizes[] = {10, 30, 100, 300, 1000, 3000, 10000};
constexpr std::size_t size_count = std::size(sizes);
constexpr std::size_t operations = 60000;

double now() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e9 * static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec);
}

std::uint64_t sink = 0;

// `make(priority, latency, number)` gives an item, `number(item)` the instruction in it.
template <class Queue, class Make, class Number>
double nanoseconds(std::size_t size, Make&& make, Number&& number) {
  std::mt19937 rng(7);
  struct raw {
    int priority;
    double latency;
  };
  std::vector<raw> keys(4096);
  for (raw& k : keys) k = {static_cast<int>(rng() % 64), static_cast<double>(rng() % 512) / 8};
  double best = 1e30;
  for (unsigned run = 0; run < 9; ++run) {
    Queue q;
    q.reserve(size + 1);
    std::uint32_t next = 0;
    int base = 1 << 20;
    const auto add = [&] {
      const raw& k = keys[next % keys.size()];
      if (next % size == 0) base -= 32;
      q.push(make(base + k.priority, k.latency, next));
      ++next;
    };
    for (std::size_t i = 0; i < size; ++i) add();
    const double start = now();
    for (std::size_t i = 0; i < operations; ++i) {
      sink += number(q.top());
      q.pop();
      add();
    }
    best = std::min(best, (now() - start) / static_cast<double>(operations));
  }
  return best;
}

struct line {
  double at[size_count] = {};
};

template <class Queue, class Make, class Number>
line row(const char* name, Make make, Number number) {
  line l;
  std::printf("%-34s", name);
  for (std::size_t i = 0; i < size_count; ++i) std::printf("%8.1f", l.at[i] = nanoseconds<Queue>(sizes[i], make, number));
  std::puts("");
  return l;
}

bool slower(const char* what, const line& chosen, const line& other) {
  bool bad = false;
  for (std::size_t i = 0; i < size_count; ++i) {
    if (chosen.at[i] <= 1.1 * other.at[i]) continue;
    std::printf("%s: %.1f ns at %zu items, another one %.1f\n", what, chosen.at[i], sizes[i], other.at[i]);
    bad = true;
  }
  return bad;
}

void head(const char* title) {
  std::printf("%-34s", title);
  for (const std::size_t s : sizes) std::printf("%8zu", s);
  std::puts("");
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  const auto key = [](int p, double l, std::uint32_t n) { return rl::three_key{l, p, n}; };
  const auto key_number = [](const rl::three_key& k) { return k.number; };
  const auto rank_number = [](const rl::three_rank& k) { return k.number(); };
  head("three keys, ns per pop and push");
  const line tree = row<rl::red_black_queue<rl::three_key>>("red_black_tree, keys", key, key_number);
  row<rl::red_black_queue<rl::three_rank>>("red_black_tree, ranks", key, rank_number);
  row<rl::ordered_queue<rl::three_key>>("ordered3, keys", key, key_number);
  const line ordered = row<rl::ordered_queue<rl::three_rank>>("ordered3, ranks (default)", key, rank_number);
  const auto entry = [](int p, double l, std::uint32_t n) {
    return rl::entry::of((static_cast<std::uint64_t>(p) << 16) | static_cast<std::uint64_t>(l * 8),
                         n % rl::entry::most_index);
  };
  const auto entry_index = [](const rl::entry& e) { return e.index(); };
  head("entries, ns per pop and push");
  row<rl::red_black_tree<>::queue>("red_black_tree", entry, entry_index);
  row<rl::ordered3<>::queue>("ordered3", entry, entry_index);
  row<rl::heap<>::queue>("heap (default of the list engine)", entry, entry_index);
  row<rl::sorted_list<>::queue>("sorted_list", entry, entry_index);
  if (sink == 0) return 2;
  return check && slower("the default for three keys", ordered, tree) ? 1 : 0;
}
