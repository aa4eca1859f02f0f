// SPDX-License-Identifier: BSL-1.0
//
// The laws of the architecture page, run over every shipped SM (arch/concept.hpp states them).
#include <cstddef>
#include <type_traits>
#include <warpwright/arch/all.hpp>
#include <warpwright/arch/late_source.hpp>
#include <warpwright/arch/margin.hpp>
#include <warpwright/meta/algorithm.hpp>

#include "../support/catch.hpp"

namespace {

using namespace ww;

template <class... Archs>
constexpr bool all_satisfy(meta::type_list<Archs...>) {
  return (arch_policy<Archs> && ...);
}
static_assert(all_satisfy(all_archs{}));
static_assert(meta::size_v<all_archs> == 14);

constexpr slot writer_slots[] = {slot::dst, slot::pdst};
constexpr slot reader_slots[] = {slot::guard,   slot::a,    slot::b,    slot::c,        slot::psrc,
                                 slot::address, slot::data, slot::desc, slot::uaddress, slot::branch};
constexpr reg_file files[] = {reg_file::r, reg_file::p, reg_file::ur, reg_file::up, reg_file::cc, reg_file::b};

// Calls f(writer, reader) for every pair that the tables can tell apart.
template <class F>
void for_all_pairs(F f) {
  for (unsigned i = 0; i < sched_class_count; ++i) {
    for (unsigned j = 0; j < sched_class_count; ++j) {
      for (const reg_file file : files) {
        for (const slot ws : writer_slots) {
          for (const slot rs : reader_slots) {
            for (unsigned part = 0; part < 4; ++part) {
              access_point w{static_cast<sched_class>(i), ws, file, static_cast<std::uint8_t>(part & 1u)};
              access_point r{static_cast<sched_class>(j), rs, file, static_cast<std::uint8_t>(part >> 1)};
              f(w, r);
            }
          }
        }
      }
    }
  }
}

template <class F>
void for_all_archs(F f) {
  meta::for_each<all_archs>(f);
}

// Every pair of accesses takes long in sanitizer builds.
#ifdef WW_TEST_FEW_ARCHS
template <class Arch>
constexpr bool passed_over = !std::is_same_v<Arch, sm80> && !std::is_same_v<Arch, sm100>;
#else
template <class Arch>
constexpr bool passed_over = false;
#endif

// SMs whose numbers contradict each other fit no scheduler.
template <class Limits = sm80::limits, class Pipes = sm80::pipes, class Barriers = sm80::barriers>
struct own_sm : sm80 {
  using limits = Limits;
  using pipes = Pipes;
  using barriers = Barriers;
};
template <unsigned Registers, unsigned Warps>
struct own_limits : sm80::limits {
  static constexpr unsigned general_registers = Registers, max_warps = Warps;
};
template <unsigned Interval, int Stall>
struct own_pipes : sm80::pipes {
  static constexpr unsigned interval(sched_class c) { return c == sched_class::exit ? Interval : 1; }
  static constexpr int min_stall(sched_class c) { return c == sched_class::exit ? Stall : 1; }
};
template <unsigned Most, unsigned Depbar, unsigned Counts>
struct own_barriers : sm80::barriers {
  static constexpr unsigned max_stall = Most, max_stall_stay = Most, depbar_min_stall = Depbar, counter_max = Counts;
};
static_assert(arch_policy<own_sm<own_limits<1, 1>, own_pipes<1, 6>, own_barriers<6, 6, 1>>>);
static_assert(!arch_limits<own_limits<0, 1>> && !arch_limits<own_limits<1, 0>> && !arch_limits<own_limits<1024, 1>>);
static_assert(arch_limits<own_limits<1023, 1>>);
static_assert(!arch_pipes<own_pipes<0, 1>> && arch_pipes<own_pipes<1, 7>>);
static_assert(!arch_barriers<own_barriers<6, 6, 0>>);
static_assert(!arch_stalls<own_pipes<1, 7>, own_barriers<6, 6, 1>> && !arch_stalls<own_pipes<1, -1>, own_barriers<6, 6, 1>>);
static_assert(!arch_stalls<own_pipes<1, 6>, own_barriers<6, 7, 1>>);
static_assert(!arch_policy<own_sm<sm80::limits, own_pipes<1, 7>, own_barriers<6, 6, 1>>>);

}  // namespace

TEST_CASE("arch laws: emit is never below check, and nothing fixed is longer than max_fixed") {
  for_all_archs([]<class Arch>() {
    if (passed_over<Arch>) return;
    using L = typename Arch::latency;
    unsigned bad = 0;
    unsigned longest = 0;
    for_all_pairs([&](const access_point& a, const access_point& b) {
      for (const distance d : {L::raw(a, b), L::war(a, b), L::waw(a, b)}) {
        bad += d.emit < d.check || d.check < 1u ? 1u : 0u;
        longest = d.emit > longest ? d.emit : longest;
      }
    });
    INFO(Arch::name);
    CHECK(bad == 0);
    CHECK(longest <= L::max_fixed);
    // a row of the tables that no class of the SM has may be longer by a cycle (R2UR on sm_75)
    CHECK(longest + 1 >= L::max_fixed);
  });
}

// What verify/flow_walk.hpp alleges by assumed distances rests on this.
TEST_CASE("arch laws: no fixed result is known to be read one cycle behind its writer, a predicate not three") {
  for_all_archs([]<class Arch>() {
    if (passed_over<Arch>) return;
    using L = typename Arch::latency;
    unsigned known = 0;
    unsigned sooner = 0;
    for_all_pairs([&](const access_point& a, const access_point& b) {
      if (a.file != reg_file::r && a.file != reg_file::p) return;
      const distance d = L::raw(a, b);
      if (d.source == provenance::assumed || L::variable(a.iclass) || d.emit == 1)
        return;  // of the last, no row has distances
      ++known;
      sooner += d.check < (a.file == reg_file::p ? 4u : 2u) ? 1u : 0u;
    });
    INFO(Arch::name);
    CHECK(known > 1000);
    CHECK(sooner == 0);
  });
}

TEST_CASE("arch laws: a counted result needs no distance, has an estimate, and a queue where it comes in order") {
  for_all_archs([]<class Arch>() {
    using L = typename Arch::latency;
    INFO(Arch::name);
    for (unsigned i = 0; i < sched_class_count; ++i) {
      const auto c = static_cast<sched_class>(i);
      INFO("class " << i);
      if (L::variable(c)) {
        CHECK(L::result_estimate(c, 4) > 0);
        const bool alone = c == sched_class::s2r || c == sched_class::b2r || c == sched_class::ldcu ||
                           c == sched_class::r2ur || c == sched_class::match;
        CHECK((L::completion_queue(c) == queue_id::none) == alone);
        const reg_file file = c == sched_class::dsetp ? reg_file::p : reg_file::r;
        const access_point w{c, slot::dst, file, 0};
        const access_point r{sched_class::alu, slot::a, file, 0};
        CHECK(L::raw(w, r).check == 1);
        CHECK((L::raw(w, r).emit > 1) == (L::kept_beside(c) > 1));
        CHECK(L::raw(w, r).emit <= meta::max(1u, L::kept_beside(c)));
        CHECK(L::waw(w, w).emit == 1);
      }
      if (L::late_reader(c)) {
        CHECK(L::read_estimate(c, 4) > 0);
        CHECK(L::read_estimate(c, 16) >= L::read_estimate(c, 4));
      }
      CHECK(L::result_estimate(c, 16) >= L::result_estimate(c, 4));
      CHECK(Arch::pipes::interval(c) >= 1);
      CHECK(Arch::pipes::min_stall(c) >= 1);
      CHECK(Arch::pipes::min_stall(c) <= Arch::barriers::max_stall);
    }
  });
}

TEST_CASE("arch laws: counters") {
  for_all_archs([]<class Arch>() {
    using B = typename Arch::barriers;
    INFO(Arch::name);
    CHECK(B::count == 6);
    CHECK(B::set_to_wait == 2);
    CHECK(B::counter_max == 63);
    CHECK(B::max_stall == 15);
    CHECK(B::max_stall_stay == 11);
    CHECK(B::raw_max_stall == 39);
    CHECK(B::barrier_latency == 56);
    CHECK(B::yield_threshold == 4);
    CHECK(B::stall_floor == 3);
    CHECK(B::depbar_min_stall >= 3);
  });
}

TEST_CASE(
    "arch laws: only general registers are read late, uniform ones by bulk copies, and handles of surfaces from sm_100 on") {
  for_all_archs([]<class Arch>() {
    using L = typename Arch::latency;
    INFO(Arch::name);
    CHECK(late_source<L>({sched_class::stg, slot::data, reg_file::r, 0}));
    CHECK(late_source<L>({sched_class::ldg, slot::address, reg_file::r, 0}));
    CHECK_FALSE(late_source<L>({sched_class::ldg, slot::guard, reg_file::p, 0}));
    CHECK_FALSE(late_source<L>({sched_class::ldg, slot::uaddress, reg_file::ur, 0}));
    CHECK_FALSE(late_source<L>({sched_class::fma, slot::a, reg_file::r, 0}));
    CHECK(late_source<L>({sched_class::tma, slot::desc, reg_file::ur, 0}));
    for (const sched_class c : {sched_class::suld, sched_class::sust, sched_class::suatom}) {
      CHECK(late_source<L>({c, slot::c, reg_file::ur, 0}) == (Arch::id >= sm100::id));
    }
    CHECK_FALSE(late_source<L>({sched_class::tex, slot::c, reg_file::ur, 0}));
    // A late source is ordered by a counter or a queue: no distance.
    CHECK(L::war({sched_class::ldg, slot::address, reg_file::r, 0}, {sched_class::alu, slot::dst, reg_file::r, 0}).emit ==
          1);
  });
}

TEST_CASE("arch laws: a margin lengthens what is emitted and nothing else") {
  using padded = with_margin<sm90, safety_margin<3>>;
  static_assert(arch_policy<padded>);
  static_assert(std::is_same_v<with_margin<sm90, safety_margin<0>>, sm90>);
  static_assert(std::is_same_v<safety_margin<3>::role, role::margin>);
  CHECK(padded::latency::max_fixed == sm90::latency::max_fixed + 3);
  unsigned bad = 0;
  for_all_pairs([&](const access_point& a, const access_point& b) {
    const distance d = sm90::latency::raw(a, b);
    const distance p = padded::latency::raw(a, b);
    bad += p.check != d.check || p.source != d.source || p.emit != (d.emit > 1u ? d.emit + 3u : d.emit) ? 1u : 0u;
  });
  CHECK(bad == 0);
}

// How many distances above one cycle have each source, asked for every pair of classes, also of those that an SM does not have:
// a figure to read (docs/promises.md). Judged is that none claims to be measured, for which the kit has had no device.
TEST_CASE("arch laws: every distance says where it comes from") {
  std::size_t by_source[4] = {};
  for_all_archs([&]<class Arch>() {
    if (passed_over<Arch>) return;
    using L = typename Arch::latency;
    std::size_t of_arch[4] = {};
    for (unsigned i = 0; i < sched_class_count; ++i) {
      for (unsigned j = 0; j < sched_class_count; ++j) {
        for (const reg_file file : {reg_file::r, reg_file::p, reg_file::ur, reg_file::up}) {
          const bool predicate = file == reg_file::p || file == reg_file::up;
          const access_point w{static_cast<sched_class>(i), predicate ? slot::pdst : slot::dst, file, 0};
          const access_point r{static_cast<sched_class>(j), predicate ? slot::psrc : slot::a, file, 0};
          const access_point guard{static_cast<sched_class>(j), slot::guard, file, 0};
          const access_point over{static_cast<sched_class>(j), w.where, file, 0};
          const auto add = [&](const distance d) { of_arch[static_cast<unsigned>(d.source)] += d.emit > 1 ? 1u : 0u; };
          add(L::raw(w, r));
          add(L::war(r, w));
          add(L::waw(w, over));
          if (predicate) add(L::raw(w, guard));
        }
      }
    }
    INFO(Arch::name);
    CHECK(of_arch[static_cast<unsigned>(provenance::observed)] > 0);
    CHECK(of_arch[static_cast<unsigned>(provenance::measured)] == 0);
    for (unsigned k = 0; k < 4; ++k) by_source[k] += of_arch[k];
  });
  WARN("distances above one cycle of every pair of classes of "
       << meta::size_v<all_archs> << " SMs: documented " << by_source[0] << ", observed " << by_source[1] << ", measured "
       << by_source[2] << ", assumed " << by_source[3]);
}
