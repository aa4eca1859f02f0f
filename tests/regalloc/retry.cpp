// SPDX-License-Identifier: BSL-1.0
//
// The retry driver over a host of live ranges, its parts one by one, and both against brute force.
#include <cmath>
#include <limits>
#include <set>
#include <string>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/regalloc/retry_driver.hpp>

#include "range_host.hpp"

using namespace ww_test::regalloc;

namespace {

std::string text_of(const ra::retry_event& e) {
  std::string s;
  ra::write_event(e, [&](ww::string_view piece) { s.append(piece.data(), piece.size()); });
  return s;
}

struct listing_trace {
  static constexpr bool on = true;
  std::vector<std::string>* lines = nullptr;
  void note(const ra::retry_event& e) const { lines->push_back(text_of(e)); }
};
using lines = std::vector<std::string>;
using traced = ra::retry_driver<ra::fat_point_allocator<>, ra::occupancy_budget<>, listing_trace>;

// `count` values, all written first and read last.
range_host crowd(unsigned count, std::uint32_t limit) {
  range_host h;
  h.limit = limit;
  for (unsigned k = 0; k < count; ++k) h.values.push_back({static_cast<int>(k), {static_cast<int>(count + k)}});
  return h;
}

}  // namespace

TEST_CASE("FPA-8 recorder: registers, cost, spills, class width; the first of equals; assignments come back") {
  ra::problem p;
  p.registers.resize(2);
  ra::best_result best;
  CHECK_FALSE(best.has_valid());
  CHECK_FALSE(best.restore(p));
  p.registers[0].physical = 3;
  p.registers[1].set(ra::register_flag::needs_spill);
  CHECK(best.offer(p, {40, 9.0, 5, 64, 0, 0}));
  p.registers[0].physical = 4;
  p.registers[1].flags = 0;
  CHECK_FALSE(best.offer(p, {40, 9.0, 5, 64, 1, 1}));
  CHECK_FALSE(best.offer(p, {41, 1.0, 1, 1}));
  CHECK_FALSE(best.offer(p, {40, 9.5, 1, 1}));
  CHECK_FALSE(best.offer(p, {40, 9.0, 6, 1}));
  CHECK_FALSE(best.offer(p, {40, 9.0, 5, 65}));
  REQUIRE(best.restore(p));
  CHECK(p.registers[0].physical == 3);
  CHECK(p.registers[1].has(ra::register_flag::needs_spill));
  CHECK(best.score().attempt == 0);
  CHECK(best.offer(p, {40, 9.0, 5, 63}));
  CHECK(best.offer(p, {40, 9.0, 4, 99}));
  CHECK(best.offer(p, {40, 8.0, 99, 99}));
  CHECK(best.offer(p, {39, 99.0, 99, 99}));
  CHECK(best.score().density() == 3);
  CHECK(ra::attempt_score{128}.density() == 1);
  CHECK(ra::attempt_score{129}.density() == 0);
  CHECK(ra::attempt_score{}.density() == 128);
  ra::problem other;
  CHECK_FALSE(best.restore(other));
  best.clear();
  CHECK_FALSE(best.has_valid());
}

TEST_CASE("FPA-8 messages") {
  using kind = ra::retry_event::kind;
  CHECK(text_of({kind::no_spill, ra::register_class::r, false, 1, 40, 32}) ==
        "R-CLASS NOSPILL REGALLOC: attemp 1, used 40, target 32");
  CHECK(text_of({kind::spilling, ra::register_class::ur, true, 0, 70, 63}) ==
        "UR-CLASS SPILLING REGALLOC (spill), 70 used, 63 allocated");
  CHECK(text_of({kind::spilling, ra::register_class::p, false, 0, 7, 7}) ==
        "P / UP-CLASS SPILLING REGALLOC (no-spill), 7 used, 7 allocated");
  CHECK(text_of({kind::failed, ra::register_class::r, false, 0, 0, 32}) ==
        "Register allocation failed with register count of '32'. Compile the program with a higher register target");
  CHECK(text_of({kind::no_spill, ra::register_class::tensor, false, 0, 4294967295u, 0}) ==
        "Tensor/Acc-CLASS NOSPILL REGALLOC: attemp 0, used 4294967295, target 0");
}

TEST_CASE("FPA-8 queues: the cheapest head, the first queue of equals, the lowest number; each option once") {
  ra::guidance_queues q;
  q.reset(130);
  CHECK(q.empty());
  CHECK((q.pop().queue == ra::guidance::count));
  q.push(ra::guidance::others, 129, 2.0);
  q.push(ra::guidance::self, 7, 2.0);
  q.push(ra::guidance::self, 3, 2.0);
  q.push(ra::guidance::self, 3, 0.5);  // in it already
  q.push(ra::guidance::one_other, 3, 1.0);
  q.push(ra::guidance::self, 500, 0.0);  // no such option
  q.push(ra::guidance::count, 1, 0.0);
  const auto next = [&](ra::guidance from, std::uint32_t number) {
    const auto o = q.pop();
    CHECK((o.queue == from));
    CHECK(o.number == number);
  };
  next(ra::guidance::one_other, 3);
  next(ra::guidance::self, 3);
  next(ra::guidance::self, 7);
  next(ra::guidance::others, 129);
  CHECK(q.empty());
}

TEST_CASE("FPA-8 driver: what fits takes one attempt; two where pressure is low, none where it is high") {
  lines said;
  traced driver(listing_trace{&said});
  range_host h = crowd(6, 8);
  auto r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::fits));
  CHECK(r.registers == 6);
  CHECK(r.final_count == 5);
  CHECK(r.attempts == 1);
  CHECK(h.set_up == 0);
  CHECK(said == lines{"R-CLASS NOSPILL REGALLOC: attemp 0, used 6, target 8"});
  h.check(driver.answer());

  said.clear();
  h = crowd(9, 8);
  r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::fits_spilled));
  CHECK(r.attempts == 2);
  CHECK(r.rounds >= 1);
  CHECK(h.set_up == 1);
  REQUIRE(said.size() >= 4);
  CHECK(said[0] == "R-CLASS NOSPILL REGALLOC: attemp 0, used 9, target 8");
  CHECK(said[1] == "R-CLASS NOSPILL REGALLOC: attemp 1, used 9, target 8");
  CHECK(said[2] == "R-CLASS SPILLING REGALLOC (spill), 9 used, 8 allocated");
  CHECK(said.back().find("R-CLASS SPILLING REGALLOC (no-spill), ") == 0);
  h.check(driver.answer());

  said.clear();
  h = crowd(9, 8);
  h.live_at_once = 9;  // high
  r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::fits_spilled));
  CHECK(r.attempts == 0);
  CHECK(said[0].find("SPILLING") != std::string::npos);

  // Fast: one, or as many as set; special: none.
  ra::retry_settings fast;
  fast.mode.fast = true;
  h = crowd(9, 8);
  h.live_at_once = 9;
  CHECK(driver.run(h, ra::register_class::r, fast).attempts == 1);
  fast.mode.count = 4;
  h = crowd(9, 8);
  CHECK(driver.run(h, ra::register_class::r, fast).attempts == 4);
  fast.mode.special = true;
  h = crowd(6, 8);
  r = driver.run(h, ra::register_class::r, fast);
  CHECK(r.attempts == 0);
  CHECK((r.end == ra::retry_end::fits_spilled));
  CHECK(r.spilled == 0);
}

TEST_CASE("FPA-8 driver: registers that the SM keeps count, and end the attempts") {
  lines said;
  traced driver(listing_trace{&said});
  range_host h = crowd(7, 8);
  h.kept_by_the_chip = 2;
  const auto r = driver.run(h, ra::register_class::r, {});
  CHECK(r.attempts == 1);  // 7 fit, 9 do not: trying on is of no use
  CHECK((r.end == ra::retry_end::fits_spilled));
  CHECK(r.registers <= 6);
  h.check(driver.answer());
}

TEST_CASE("FPA-8 driver: a register beyond a limit of its own does not fit, however many there are") {
  struct limited : range_host {
    bool build(ra::register_class of, ra::problem& p) {
      (void)range_host::build(of, p);
      p.file.class_limit = 3;
      for (ra::allocatable& r : p.registers) r.set(ra::register_flag::limit_override);
      return true;
    }
  };
  limited h;
  static_cast<range_host&>(h) = crowd(5, 8);
  ra::retry_driver<> driver;
  const auto r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::fits_spilled));
  CHECK(r.attempts == 2);
  CHECK(r.spilled >= 1);
  CHECK(r.waiting == 0);
  CHECK(r.registers <= 4);
}

TEST_CASE("FPA-8 driver: without spilling the best attempt is the answer") {
  ra::retry_driver<> driver;
  range_host h = crowd(9, 8);
  h.spills = false;
  auto r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::over_budget));
  CHECK(r.registers == 9);
  CHECK(r.waiting == 1);
  CHECK(driver.best().has_valid());
  // The second attempt is worse: the first one comes back.
  struct worse : ra::fat_point_allocator<> {
    static ra::round_result run(ra::problem& p, ra::allocator_workspace& ws, const ra::round_options& o) {
      ra::round_result x = ra::fat_point_allocator<>::run(p, ws, o);
      if (o.attempt == 1) {
        x.registers += 5;
        for (ra::allocatable& a : p.registers) a.physical += 5;
      }
      return x;
    }
  };
  ra::retry_driver<worse> twice;
  r = twice.run(h, ra::register_class::r, {});
  CHECK(r.attempts == 2);
  CHECK(r.registers == 9);
  for (const ra::allocatable& a : twice.answer().registers) CHECK(a.physical < 9);
  h.live_at_once = 9;  // no attempt before
  r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::over_budget));
  CHECK(r.registers == 9);
}

TEST_CASE("FPA-8 driver: what cannot be spilled fails, with one message, and places are taken back") {
  lines said;
  traced driver(listing_trace{&said});
  // One instruction reads nine values.
  range_host h = crowd(0, 8);
  for (int k = 0; k < 9; ++k) h.values.push_back({k, {20}});
  h.values[0].fixed = 0;
  const auto r = driver.run(h, ra::register_class::r, {});
  CHECK((r.end == ra::retry_end::failed));
  CHECK(said.back() ==
        "Register allocation failed with register count of '8'. Compile the program with a higher register target");
  unsigned failures = 0;
  for (const std::string& line : said) failures += line.find("failed") != std::string::npos ? 1u : 0u;
  CHECK(failures == 1);
  for (std::uint32_t k = 0; k < driver.answer().registers.size(); ++k) {
    const ra::allocatable& a = driver.answer().registers[k];
    CHECK((a.physical >= 0) == a.has(ra::register_flag::pre_assigned));
  }
  // A host that spills nothing.
  struct unwilling : range_host {
    std::uint32_t spill(ra::register_class, const ra::problem&, ww::span<const std::uint32_t>) { return 0; }
  };
  unwilling s;
  static_cast<range_host&>(s) = crowd(9, 8);
  const auto stayed = driver.run(s, ra::register_class::r, {});
  CHECK((stayed.end == ra::retry_end::failed));
  CHECK(stayed.rounds == 0);
  CHECK(s.builds == 1);
  // One that says it does, and does not: the rounds end.
  struct liar : range_host {
    std::uint32_t spill(ra::register_class, const ra::problem&, ww::span<const std::uint32_t>) { return 1; }
  };
  liar l;
  static_cast<range_host&>(l) = crowd(9, 8);
  const auto lied = driver.run(l, ra::register_class::r, {});
  CHECK((lied.end == ra::retry_end::failed));
  CHECK(lied.rounds == ra::most_spill_rounds);
}

TEST_CASE(
    "FPA-8 driver: classes in their order, empty ones left out; further registers mark the class; shared memory is set up "
    "first") {
  struct everything : range_host {
    lines asked;
    bool good = true;
    bool build(ra::register_class of, ra::problem& p) {
      asked.push_back(std::string("build ") + name_of(of));
      if (of != ra::register_class::r && of != ra::register_class::ur) return false;
      return range_host::build(ra::register_class::r, p);
    }
    bool uses_shared(ra::register_class of) const { return of == ra::register_class::ur; }
    bool weighted(ra::register_class) const { return true; }
    void begin_spill(ra::register_class, const ra::spill_strategy& s) {
      asked.push_back("begin");
      CHECK(s.bucket == 16);
      CHECK(s.alignment == 16);
    }
    std::uint32_t extra_registers(ra::register_class, std::uint32_t) const { return 4; }
    void before_spill(ra::register_class) { asked.push_back("before"); }
    bool viable(ra::register_class) {
      asked.push_back("viable");
      return good;
    }
    void clean_up(ra::register_class) { asked.push_back("clean"); }
    void done(ra::register_class of, const ra::problem&, const ra::class_outcome&) {
      asked.push_back(std::string("done ") + name_of(of));
    }
  };
  everything h;
  static_cast<range_host&>(h) = crowd(6, 8);
  ra::retry_driver<> driver;
  ra::class_outcome out[7];
  driver.run_all(h, {}, out);
  CHECK(h.asked == lines{"build R", "done R", "build R (alt)", "done R (alt)", "build UR", "begin", "done UR",
                         "build UR (ext)", "done UR (ext)", "build P / UP", "done P / UP", "build Tensor/Acc",
                         "done Tensor/Acc"});
  CHECK((out[1].end == ra::retry_end::fits));
  CHECK((out[2].end == ra::retry_end::no_registers));
  CHECK((out[3].end == ra::retry_end::fits));
  static_cast<range_host&>(h) = crowd(9, 8);
  h.asked.clear();
  CHECK((driver.run(h, ra::register_class::r, {}).end == ra::retry_end::fits_spilled));
  CHECK(driver.marks()[0] == 163);
  CHECK(h.asked[1] == "begin");
  CHECK(h.asked[2] == "before");
  CHECK(h.asked[3] == "viable");
  CHECK(h.asked[4] == "clean");
  static_cast<range_host&>(h) = crowd(9, 8);
  h.asked.clear();
  CHECK((driver.run(h, ra::register_class::ur, {}).end == ra::retry_end::fits_spilled));
  CHECK(std::count(h.asked.begin(), h.asked.end(), "begin") == 1);  // shared memory, set up before the first attempt
  static_cast<range_host&>(h) = crowd(9, 8);
  h.asked.clear();
  h.good = false;
  CHECK((driver.run(h, ra::register_class::r, {}).end == ra::retry_end::fits_spilled));
  CHECK(driver.marks().empty());
  CHECK(h.asked[4] == "build R");  // taken back
}

TEST_CASE("FPA-8 driver: odd input") {
  ra::retry_driver<> driver;
  range_host empty;
  CHECK((driver.run(empty, ra::register_class::r, {}).end == ra::retry_end::no_registers));
  CHECK((driver.run(empty, ra::register_class::p, {}).end == ra::retry_end::no_registers));
  struct odd_host {
    ra::problem p;
    bool build(ra::register_class, ra::problem& out) {
      out = p;
      return true;
    }
    std::uint32_t spill(ra::register_class, const ra::problem&, ww::span<const std::uint32_t>) { return 1; }
  };
  dice rng(5);
  for (int k = 0; k < 300; ++k) {
    odd_host h;
    ra::problem_builder b;
    const unsigned n = 1 + rng() % 12;
    for (unsigned r = 0; r < n; ++r) {
      ra::allocatable a{.width = static_cast<std::uint16_t>(rng() % 3 == 0 ? rng() : rng() % 5)};
      a.alignment_log2 = static_cast<std::uint8_t>(rng() % 16);
      a.pairing = rng() % 3 == 0 ? ra::pair_mode::paired : rng() % 3 == 0 ? ra::pair_mode::doubled : ra::pair_mode::single;
      a.flags = rng();
      a.physical = static_cast<std::int32_t>(rng() % 3 == 0 ? rng() : rng() % 20);
      a.alias_parent = rng() % 3 == 0 ? rng() % 20 : ra::no_register;
      a.reg_class = static_cast<std::uint8_t>(rng() % 5 == 0);
      (void)b.add(a);
    }
    for (unsigned c = 0; c < 30; ++c) {
      b.constrain(rng() % (n + 1), {rng() % 8 == 0 ? rng() : rng() % n, static_cast<std::int32_t>(rng() % 9),
                                    static_cast<std::uint8_t>(rng() % 17), rng() % 4 == 0, rng() % 4 == 0});
    }
    b.build(h.p);
    h.p.file = file_of(1 + rng() % 9);
    if (rng() % 6 == 0) h.p.file.max_slot = rng();
    if (rng() % 6 == 0) h.p.file.start = rng() % 20;
    h.p.file.reserved.push_back(rng() % 12);
    const auto r = driver.run(h, ra::register_class::r, {});
    CHECK(r.rounds <= ra::most_spill_rounds);
  }
}

TEST_CASE("FPA-8 guidance: the cheapest way to make room, against brute force") {
  dice rng(11);
  unsigned compared = 0, moved_others = 0, several = 0, closed = 0;
  for (int k = 0; k < 4000; ++k) {
    ra::problem_builder b;
    const std::uint32_t limit = 4 + rng() % 5;
    const unsigned n = 5 + rng() % 10;
    for (unsigned r = 0; r < n; ++r) {
      const auto log2 = static_cast<std::uint8_t>(rng() % 4 == 0 ? 1 + rng() % 2 : 0);
      ra::allocatable a{.width = static_cast<std::uint16_t>(1u << log2), .alignment_log2 = log2};
      a.spill_cost = 1 + rng() % 20;
      if (rng() % 6 == 0) a.set(ra::register_flag::must_not_spill);
      (void)b.add(a);
    }
    for (unsigned x = 0; x < n; ++x) {
      for (unsigned y = x + 1; y < n; ++y) {
        if (rng() % 3 == 0) continue;
        for (unsigned points = 1 + rng() % 2; points > 0; --points) b.interfere(x, y);
      }
    }
    ra::problem p;
    b.build(p);
    p.file = file_of(limit);
    p.file.hardware_limit = 60;
    if (rng() % 3 == 0) p.file.reserved.push_back(rng() % limit);
    ra::allocator_workspace ws;
    (void)ra::fat_point_allocator<>::run(p, ws, {99});
    std::uint32_t needy = n;
    for (unsigned r = n; r-- > 0;) needy = p.registers[r].has(ra::register_flag::needs_spill) ? r : needy;
    if (needy == n) continue;
    ra::problem one = p;  // it alone
    for (unsigned r = 0; r < n; ++r) one.registers[r].set(ra::register_flag::needs_spill, r == needy);
    ra::guidance_workspace g;
    ra::guidance_counts counts;
    counts.registers = limit + 1;
    counts.class_budget = limit - 1;
    const bool look_around = rng() % 4 != 0;
    counts.marked = look_around;
    if (!look_around) counts.class_budget = 1000000, counts.span = {0, 255};
    ra::spill_guidance<ra::fat_point_allocator<>>::run(one, ws.sets, counts, g, [](std::uint32_t) { return false; });

    const double never = std::numeric_limits<double>::infinity();
    double best = one.registers[needy].has(ra::register_flag::must_not_spill) ? never : one.registers[needy].spill_cost;
    const bool forced = std::isinf(best);
    if (look_around || forced) {
      const std::uint32_t width = one.registers[needy].width;
      for (std::uint32_t at = 0; at + width <= limit; at += width) {
        double cost = 0;
        for (const std::uint32_t x : p.file.reserved) cost += x >= at && x < at + width ? never : 0.0;
        std::set<std::uint32_t> seen;
        for (const ra::constraint& c : one.constraints_of(needy)) {
          const ra::allocatable& o = one.registers[c.target];
          if (o.physical < 0 || c.target == needy || !seen.insert(c.target).second) continue;
          // What has a place beyond the budget is in nobody's way.
          if (static_cast<std::uint32_t>(o.physical) >= at + width || static_cast<std::uint32_t>(o.physical) + o.width <= at)
            continue;
          cost += o.has(ra::register_flag::must_not_spill) ? never : o.spill_cost;
        }
        best = std::min(best, cost);
      }
    }
    double chosen = 0;
    for (const std::uint32_t v : g.victims) {
      CHECK_FALSE(one.registers[v].has(ra::register_flag::must_not_spill));
      chosen += one.registers[v].spill_cost;
    }
    if (std::isinf(best)) {
      // The cheapest neighbour that can go at all.
      double cheapest = never;
      for (const ra::constraint& c : one.constraints_of(needy)) {
        const ra::allocatable& o = one.registers[c.target];
        if (o.physical >= 0 && c.target != needy && !o.has(ra::register_flag::must_not_spill))
          cheapest = std::min(cheapest, o.spill_cost);
      }
      CHECK(g.victims.size() == (std::isinf(cheapest) ? 0 : 1));
      if (g.victims.size() == 1) CHECK(chosen == cheapest);
      ++closed;
      continue;
    }
    ++compared;
    moved_others += !g.victims.empty() && g.victims[0] != needy ? 1u : 0u;
    several += g.victims.size() > 1 ? 1u : 0u;
    CHECK(chosen == best);
  }
  CHECK(compared > 500);
  CHECK(moved_others > 100);
  CHECK(several > 10);
  CHECK(closed > 10);
}

TEST_CASE("FPA-8 guidance: room made for one needy register is not there for the next") {
  ra::problem_builder b;
  for (unsigned k = 0; k < 4; ++k) {
    ra::allocatable a;
    a.spill_cost = k == 0 ? 1 : 5;
    if (k < 2) {
      a.physical = static_cast<std::int32_t>(k);
    } else {
      a.set(ra::register_flag::needs_spill);
      a.set(ra::register_flag::must_not_spill);
    }
    (void)b.add(a);
  }
  for (unsigned x = 0; x < 4; ++x) {
    for (unsigned y = x + 1; y < 4; ++y) b.interfere(x, y);
  }
  ra::problem p;
  b.build(p);
  p.file = file_of(2);
  ra::alias_sets sets;
  sets.build(p);
  ra::guidance_workspace g;
  ra::spill_guidance<ra::fat_point_allocator<>>::run(p, sets, {}, g, [](std::uint32_t) { return false; });
  REQUIRE(g.victims.size() == 2);
  CHECK(g.victims[0] == 0);
  CHECK(g.victims[1] == 1);
}

TEST_CASE("FPA-8 driver: random code in fewer and fewer registers, always right, and never more than it takes") {
  dice rng(71);
  std::size_t programs = 0, fitted = 0, spilled_values = 0, rounds = 0, most_rounds = 0, needless = 0, could_fit = 0;
  ra::retry_driver<> driver;
  ra::retry_settings settings;
  settings.span = ra::span_of<ww::sm80>();
  for (int k = 0; k < 250; ++k) {
    const bool wide = k % 2 == 0;
    const range_host code = random_code(rng, 20 + static_cast<int>(rng() % 100), 1 + rng() % 3, wide);
    const std::uint32_t live = code.most_live();
    // An instruction reads three values of at most four registers each, and writes one.
    const std::uint32_t least = wide ? 12 : 3;
    for (std::uint32_t limit = std::max(live, least); limit >= least; limit = limit * 3 / 4) {
      range_host h = code;
      h.limit = limit;
      h.live_at_once = live;
      const auto r = driver.run(h, ra::register_class::r, settings);
      ++programs;
      INFO("program " << k << ", limit " << limit << ", live " << live << ", spilled " << r.spilled);
      REQUIRE((r.end == ra::retry_end::fits || r.end == ra::retry_end::fits_spilled));
      h.check(driver.answer());
      CHECK(r.registers <= limit);
      CHECK(r.spilled == h.memory + h.again);
      ++fitted;
      spilled_values += r.spilled;
      rounds += r.rounds;
      most_rounds = std::max<std::size_t>(most_rounds, r.rounds);
      if (!wide && limit >= live) {
        ++could_fit;
        needless += r.spilled != 0 ? 1u : 0u;
      }
      if (limit == least) break;
    }
  }
  CHECK(needless == 0);  // intervals of one register each: as many registers as are live always do
  WARN(programs << " runs, " << spilled_values << " values spilled in " << rounds << " rounds (most in a run: "
                << most_rounds << "); of " << could_fit << " that could do without, " << needless << " spilled");
}

TEST_CASE("FPA-8 driver: what spilling costs, against the least that it takes") {
  dice rng(73);
  ra::retry_driver<> driver;
  unsigned runs = 0;
  double total = 0, least_total = 0, worst = 0;
  for (int k = 0; k < 300; ++k) {
    const range_host code = random_code(rng, 10, 2, false);
    for (std::uint32_t limit = 3; limit < 6; ++limit) {
      if (code.most_live() <= limit) continue;
      // The cheapest values whose spilling brings what is live at one time down to the limit.
      double least = 1e9;
      for (unsigned set = 0; set < 1u << 10; ++set) {
        double cost = 0;
        for (unsigned v = 0; v < 10; ++v) cost += (set >> v & 1u) != 0 ? code.values[v].cost() : 0.0;
        if (cost >= least) continue;
        range_host h = code;
        for (unsigned v = 0; v < 10; ++v) h.values[v].spilled = (set >> v & 1u) != 0;
        h.limit = limit;
        ra::problem p;
        (void)h.build(ra::register_class::r, p);
        bool over = false;
        for (int at = 0; at < 22 && !over; ++at) {
          std::uint32_t live = 0;
          for (const piece& q : h.pieces) live += q.from <= at && at < q.to ? 1u : 0u;
          over = live > limit;
        }
        if (!over) least = cost;
      }
      range_host h = code;
      h.limit = limit;
      h.live_at_once = code.most_live();
      const auto r = driver.run(h, ra::register_class::r, {});
      REQUIRE((r.end == ra::retry_end::fits || r.end == ra::retry_end::fits_spilled));
      double cost = 0;
      for (const value& v : h.values) cost += v.spilled ? v.cost() : 0.0;
      CHECK(cost >= least);
      ++runs;
      total += cost;
      least_total += least;
      worst = std::max(worst, cost - least);
    }
  }
  CHECK(total <= least_total * 1.6);
  WARN(runs << " runs: cost " << total << ", at least " << least_total << "; at most " << worst << " more in one");
}
