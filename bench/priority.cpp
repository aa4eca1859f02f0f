// SPDX-License-Identifier: BSL-1.0
//
// Nanoseconds per priority evaluation, per packer and SM, in three lanes that compute the same number:
//
//   composed   from policies: pack<bits...>, score<weights>, composite_score
//   by hand    one function with the same criteria written out
//   virtual    each criterion an object behind a base class, called through a pointer
// Packers: packed (the byte of PLS-3), refined (one comparison), float (backend B, PLS-16), composite (backend C, PLS-17).
// An evaluation is timed over 1,024 candidates drawn from a fixed generator with the limits of the SM; best of many
// repeats, lanes interleaved. --check: composed at most 1.05 of by hand (and 0.3 ns), summed over the SMs.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "warpwright/arch/all.hpp"
#include "warpwright/backend/b/score.hpp"
#include "warpwright/backend/c/score.hpp"
#include "warpwright/priority/all.hpp"

namespace {

using ww::priority::candidate;
using ww::priority::pick_state;
using ww::priority::trait;
using clock_type = std::chrono::steady_clock;

constexpr unsigned candidates = 1024;

struct sample {
  std::vector<candidate> c;
  std::vector<double> live;  // live registers after each, for the float score
  pick_state s;
};

template <class Arch>
sample draw() {
  sample out;
  std::mt19937 rng(12345);
  const auto roll = [&](unsigned n) { return static_cast<std::uint32_t>(rng() % n); };
  pick_state& s = out.s;
  s.cycle = 100;
  s.critical_length = 400;
  s.limit[0] = static_cast<std::int32_t>(Arch::limits::general_registers);
  s.limit[1] = static_cast<std::int32_t>(Arch::limits::predicates);
  s.limit[2] = static_cast<std::int32_t>(Arch::limits::uniform_predicates);
  s.limit[3] = static_cast<std::int32_t>(Arch::limits::uniform_registers);
  s.reduced_limit = s.limit[0] - s.limit[0] / 16;
  s.live[0] = s.limit[0];
  s.live[1] = 5;
  s.hot_budget = 3;
  s.shared_count = 2;
  s.yield_state = true;
  s.positive_pressure = 7;
  for (auto& f : s.pipe_free) f = 95 + roll(12);
  for (unsigned i = 0; i < candidates; ++i) {
    candidate c;
    c.index = i;
    c.height = 250 + roll(100);
    c.earliest = 90 + roll(20);
    c.deadline = 90 + roll(50);
    c.latency = 4 + roll(3);
    c.traits = static_cast<std::uint16_t>(rng() & 0xffu);
    c.delta[0] = static_cast<std::int8_t>(static_cast<int>(roll(5)) - 2);
    c.delta[1] = static_cast<std::int8_t>(static_cast<int>(roll(3)) - 1);
    c.pipe = static_cast<ww::pipe_id>(roll(4));
    c.barrier_group = static_cast<std::uint8_t>(roll(2));
    out.c.push_back(c);
    out.live.push_back(20.0 + roll(Arch::limits::general_registers));
  }
  return out;
}

// ---- packed: the byte ------------------------------------------------------------------------
struct packed_composed {
  static std::uint64_t at(const sample& x, unsigned i) { return ww::priority::packed::key(x.c[i], x.s); }
};

std::uint64_t packed_by_hand(const candidate& c, const pick_state& s) {
  const unsigned t = c.traits;
  const auto flag = [](trait x) { return static_cast<unsigned>(x); };
  const bool hot = (t & flag(trait::hot)) != 0;
  bool relief = false;
  if ((t & flag(trait::cold)) == 0) {
    relief = (s.live[0] > s.limit[0] && c.delta[0] < 0) || (s.live[1] > s.limit[1] && c.delta[1] < 0) ||
             (s.live[2] > s.limit[2] && c.delta[2] < 0) || (s.live[3] >= s.limit[3] && c.delta[3] < 0);
  }
  const std::uint32_t pipe = s.pipe_free[static_cast<unsigned>(c.pipe)];
  std::uint64_t k = (t & flag(trait::yield_boundary)) != 0 ? 1 : 0;
  k = k << 1 | ((t & flag(trait::control)) != 0 && s.yield_state && !hot ? 1u : 0u);
  k = k << 1 | (hot && s.hot_budget > 0 ? 1u : 0u);
  k = k << 1 | (relief ? 1u : 0u);
  k = k << 1 | ((t & flag(trait::imported)) == 0 ? 1u : 0u);
  k = k << 1 | (c.earliest <= s.cycle && pipe <= s.cycle ? 1u : 0u);
  k = k << 1 | (s.cycle + c.height + s.slack >= s.critical_length ? 1u : 0u);
  return k << 1 | ((t & flag(trait::barrier_target)) != 0 ? 1u : 0u);
}
struct packed_hand {
  static std::uint64_t at(const sample& x, unsigned i) { return packed_by_hand(x.c[i], x.s); }
};

struct criterion {
  virtual ~criterion() = default;
  [[nodiscard]] virtual bool test(const candidate& c, const pick_state& s) const = 0;
};
template <class Bit>
struct criterion_of final : criterion {
  [[nodiscard]] bool test(const candidate& c, const pick_state& s) const override { return Bit::test(c, s); }
};
template <class... Bits>
std::vector<std::unique_ptr<criterion>> criteria_of(ww::meta::type_list<Bits...>) {
  std::vector<std::unique_ptr<criterion>> out;
  (out.push_back(std::make_unique<criterion_of<Bits>>()), ...);
  return out;
}
const std::vector<std::unique_ptr<criterion>>& criteria() {
  static const auto all = criteria_of(ww::priority::text_byte::bit_list{});
  return all;
}
std::uint64_t packed_through_pointers(const candidate& c, const pick_state& s) {
  std::uint64_t k = 0;
  for (const auto& one : criteria()) k = k << 1 | (one->test(c, s) ? 1u : 0u);
  return k;
}
struct packed_virtual {
  static std::uint64_t at(const sample& x, unsigned i) { return packed_through_pointers(x.c[i], x.s); }
};

// ---- refined: one comparison with the next candidate -----------------------------------------
struct refined_composed {
  static std::uint64_t at(const sample& x, unsigned i) {
    const auto v = ww::priority::refined::compare(x.c[i], x.c[(i + 1) % candidates], x.s);
    return v.first_wins ? v.reason + 32u : v.reason;
  }
};
// The same comparison with the byte and the scores written out.
template <class Byte>
std::uint64_t refined_with(const candidate& a, const candidate& b, const pick_state& s, Byte&& byte) {
  using ww::priority::reg_group;
  using r = ww::priority::refined;
  const auto say = [](bool first, unsigned why) { return std::uint64_t{why} + (first ? 32u : 0u); };
  for (unsigned g = 0; g < 4; ++g) {
    const auto score = [&](const candidate& c) {
      const std::int32_t total = s.live[g] + c.delta[g];
      if (g == 0) {
        std::int32_t over = total > s.limit[0] ? total - s.limit[0] : 0;
        if (over > 0 && c.delta[0] > 0 && c.latency < s.max_predecessor_cycle) ++over;
        if (over > 0 && (c.traits & static_cast<unsigned>(trait::control)) != 0) ++over;
        return over;
      }
      if (g == 3) return total < s.limit[3] ? 0 : total;
      return total <= s.limit[g] - 1 || (total == s.limit[g] && c.delta[g] <= 0) ? 0 : total;
    };
    const std::int32_t x = score(a);
    const std::int32_t y = score(b);
    if (x != y) return say(x < y, g);
  }
  const auto x = static_cast<unsigned>(byte(a));
  const auto y = static_cast<unsigned>(byte(b));
  const unsigned differ = x ^ y;
  if ((differ & 0x10u) != 0) return say((x & 0x10u) != 0, r::pressure_bit);
  if ((differ & 0x40u) != 0) return say((x & 0x40u) != 0, r::yield_bit);
  if ((differ & 0x02u) != 0) return say((x & 0x02u) != 0, r::critical_bit);
  if ((differ & 0x04u) != 0) return say((x & 0x04u) != 0, r::stall_free_bit);
  if ((differ & 0x20u) != 0) return say((x & 0x20u) != 0, r::hot_cold_bit);
  if (a.barrier_group != b.barrier_group) return say(a.barrier_group < b.barrier_group, r::barrier_group);
  if (a.latency != b.latency) return say(a.latency > b.latency, r::latency);
  if (s.shared_count > 0 && (differ & 0x80u) != 0) return say((x & 0x80u) != 0, r::yield_related_bit);
  const auto contention = [&](const candidate& c) {
    const std::int32_t after = s.live[0] + c.delta[0];
    return s.reduced_limit >= after ? 0 : 2 * (after - s.reduced_limit) - (s.positive_pressure + c.delta[0] <= 0 ? 1 : 0);
  };
  if (contention(a) != contention(b)) return say(contention(a) < contention(b), r::contention);
  if (s.issue(a) != s.issue(b)) return say(s.issue(a) < s.issue(b), r::pipe_wait);
  if (a.earliest != b.earliest) return say(a.earliest < b.earliest, r::earliest);
  if (a.dependence_cycle != b.dependence_cycle) return say(a.dependence_cycle < b.dependence_cycle, r::dependence);
  if (a.deadline != b.deadline) return say(a.deadline < b.deadline, r::deadline);
  if (a.delta[0] != b.delta[0]) return say(a.delta[0] < b.delta[0], r::register_delta);
  return say(a.index < b.index, r::source_order);
}
struct refined_hand {
  static std::uint64_t at(const sample& x, unsigned i) {
    return refined_with(x.c[i], x.c[(i + 1) % candidates], x.s, [&](const candidate& c) { return packed_by_hand(c, x.s); });
  }
};
struct refined_virtual {
  static std::uint64_t at(const sample& x, unsigned i) {
    return refined_with(x.c[i], x.c[(i + 1) % candidates], x.s,
                        [&](const candidate& c) { return packed_through_pointers(c, x.s); });
  }
};

// ---- float: the quadratic score of backend B -------------------------------------------------
namespace b = ww::backend::b;

struct float_composed {
  static std::uint64_t at(const sample& x, unsigned i) {
    const b::score<> q({4.0, static_cast<double>(x.s.limit[0])});
    return static_cast<std::uint64_t>(q.first(x.live[i]) + q.second(x.live[i]));
  }
};
struct float_hand {
  static std::uint64_t at(const sample& x, unsigned i) {
    const double range = static_cast<double>(x.s.limit[0]) - 4.0;
    const double live = x.live[i];
    const double first = live * (-0.8 / range * (live - 4.0) + 1.8);
    return static_cast<std::uint64_t>(first + std::floor(live * (-2.2 / range * (live - 4.0) + 3.2)));
  }
};
struct quadratic {
  virtual ~quadratic() = default;
  [[nodiscard]] virtual double at(double live, double range) const = 0;
};
struct first_quadratic final : quadratic {
  [[nodiscard]] double at(double live, double range) const override { return live * (-0.8 / range * (live - 4.0) + 1.8); }
};
struct second_quadratic final : quadratic {
  [[nodiscard]] double at(double live, double range) const override {
    return std::floor(live * (-2.2 / range * (live - 4.0) + 3.2));
  }
};
const std::array<std::unique_ptr<quadratic>, 2>& quadratics() {
  static const std::array<std::unique_ptr<quadratic>, 2> both{std::make_unique<first_quadratic>(),
                                                              std::make_unique<second_quadratic>()};
  return both;
}
struct float_virtual {
  static std::uint64_t at(const sample& x, unsigned i) {
    const double range = static_cast<double>(x.s.limit[0]) - 4.0;
    double sum = 0;
    for (const auto& q : quadratics()) sum += q->at(x.live[i], range);
    return static_cast<std::uint64_t>(sum);
  }
};

// ---- composite: the score of backend C over four producers -----------------------------------
struct composite_composed {
  static std::uint64_t at(const sample& x, unsigned i) {
    ww::backend::c::composite_score score(x.live[i]);
    for (unsigned k = 1; k <= 4; ++k) {
      const candidate& p = x.c[(i + k) % candidates];
      score.depend(0.25 * p.latency, p.has(trait::variable));
    }
    return static_cast<std::uint64_t>(score.value(x.c[i].has(trait::hot)));
  }
};
struct composite_hand {
  static std::uint64_t at(const sample& x, unsigned i) {
    double depth = 0;
    double worst = 1;
    for (unsigned k = 1; k <= 4; ++k) {
      const candidate& p = x.c[(i + k) % candidates];
      const double scale = 0.25 * p.latency;
      if ((p.traits & static_cast<unsigned>(trait::variable)) != 0 && scale > worst) worst = scale;
      depth += scale * x.live[i];
    }
    return static_cast<std::uint64_t>(depth + (x.c[i].has(trait::hot) ? worst * 10.0 : 0.0));
  }
};
struct term {
  virtual ~term() = default;
  virtual void add(const candidate& p, double cost, double& depth, double& worst) const = 0;
};
struct depth_term final : term {
  void add(const candidate& p, double cost, double& depth, double&) const override { depth += 0.25 * p.latency * cost; }
};
struct conflict_term final : term {
  void add(const candidate& p, double, double&, double& worst) const override {
    if (p.has(trait::variable)) worst = std::max(worst, 0.25 * p.latency);
  }
};
const std::array<std::unique_ptr<term>, 2>& terms() {
  static const std::array<std::unique_ptr<term>, 2> both{std::make_unique<depth_term>(), std::make_unique<conflict_term>()};
  return both;
}
struct composite_virtual {
  static std::uint64_t at(const sample& x, unsigned i) {
    double depth = 0;
    double worst = 1;
    for (unsigned k = 1; k <= 4; ++k) {
      for (const auto& t : terms()) t->add(x.c[(i + k) % candidates], x.live[i], depth, worst);
    }
    return static_cast<std::uint64_t>(depth + (x.c[i].has(trait::hot) ? worst * 10.0 : 0.0));
  }
};

// ---- timing ----------------------------------------------------------------------------------
template <class Lane>
[[gnu::noinline, gnu::aligned(64)]] std::uint64_t sweep(const sample& x) {
  std::uint64_t sum = 0;
  for (unsigned i = 0; i < candidates; ++i) sum = sum * 31 + Lane::at(x, i);
  return sum;
}

struct figure {
  double composed = 1e30, hand = 1e30, indirect = 1e30;  // ns per evaluation
};

template <class Lane>
void time_lane(const sample& x, std::uint64_t wanted, double& best, bool& same) {
  const auto start = clock_type::now();
  std::uint64_t sum = 0;
  for (unsigned r = 0; r < 4; ++r) {
    sum = sweep<Lane>(x);
    asm volatile("" : "+r"(sum) : : "memory");  // a sweep is a pure function: four of the same would be one
  }
  const std::chrono::duration<double, std::nano> took = clock_type::now() - start;
  same = same && sum == wanted;
  best = std::min(best, took.count() / (4.0 * candidates));
}

template <class Composed, class Hand, class Virtual>
figure measure(const sample& x, bool& same) {
  figure f;
  const std::uint64_t wanted = sweep<Composed>(x);
  for (unsigned repeat = 0; repeat < 60; ++repeat) {
    time_lane<Composed>(x, wanted, f.composed, same);
    time_lane<Hand>(x, wanted, f.hand, same);
    time_lane<Virtual>(x, wanted, f.indirect, same);
  }
  return f;
}

struct total {
  const char* name;
  figure sum{0, 0, 0};
};

template <class Arch>
void row(std::array<total, 4>& totals, bool& same) {
  const sample x = draw<Arch>();
  const figure all[4] = {measure<packed_composed, packed_hand, packed_virtual>(x, same),
                         measure<refined_composed, refined_hand, refined_virtual>(x, same),
                         measure<float_composed, float_hand, float_virtual>(x, same),
                         measure<composite_composed, composite_hand, composite_virtual>(x, same)};
  std::printf("%-7s", Arch::name);
  for (unsigned k = 0; k < 4; ++k) {
    std::printf("  %6.2f %6.2f %6.2f", all[k].composed, all[k].hand, all[k].indirect);
    totals[k].sum.composed += all[k].composed;
    totals[k].sum.hand += all[k].hand;
    totals[k].sum.indirect += all[k].indirect;
  }
  std::puts("");
}

template <class... As>
void rows(ww::meta::type_list<As...>, std::array<total, 4>& totals, bool& same) {
  (row<As>(totals, same), ...);
}

}  // namespace

int main(int argc, char** argv) {
  const bool check = argc > 1 && std::strcmp(argv[1], "--check") == 0;
  std::array<total, 4> totals{{{"packed"}, {"refined"}, {"float"}, {"composite"}}};
  bool same = true;
  std::puts("ns per evaluation: composed, by hand, virtual");
  std::printf("%-7s", "");
  for (const total& t : totals) std::printf("  %-20s", t.name);
  std::puts("");
  rows(ww::all_archs{}, totals, same);
  bool good = same;
  if (!same) std::puts("the lanes do not compute the same numbers");
  for (const total& t : totals) {
    const double ratio = t.sum.composed / t.sum.hand;
    const bool met = ratio <= 1.05 || t.sum.composed - t.sum.hand <= 0.3 * 12;
    std::printf("%-10s composed / by hand %.3f, virtual / by hand %.2f%s\n", t.name, ratio, t.sum.indirect / t.sum.hand,
                met ? "" : "  OVER 1.05");
    good = good && met;
  }
  return check && !good ? 1 : (same ? 0 : 1);
}
