// SPDX-License-Identifier: BSL-1.0
//
// Allocates the registers of a class: attempts without spilling, then rounds of spilling until it fits (FPA-8).
//
//   retry_driver<fat_point_allocator<>> driver;
//   class_outcome r = driver.run(host, register_class::r, settings);       // driver.answer() is the problem, with places
//   driver.run_all(host, settings, outcomes);                              // all classes, 1 to 6
//
//   host          owns the program (retry_host.hpp): makes the problem of a class, and puts victims into memory
//   attempt       one round of the allocator. It fits if the registers used, adjusted for the SM, are no more than the target,
//                 which is one more than the highest that the problem allows. If they fit unadjusted only, trying on is of no use
//   recorder      keeps the best attempt (best_result.hpp); where nothing may be spilled, that is the answer
//   spill phase   the spill code is set up once; the guidance chooses victims (spill_guidance.hpp), the host spills them and the
//                 problem is made anew; attempt 99. Again until it fits, nothing more can be spilled, or `most_rounds` are made
//   failure       one message (retry_trace.hpp). Places that were not given from outside are taken back
// Every round puts at least one register into memory for good, so that it ends. Nothing allocates in the attempts once the workspace
// has seen the largest problem. Policies in any order, besides the allocator: a budget (occupancy_budget<>), a trace (no_trace).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "best_result.hpp"
#include "core.hpp"
#include "retry_host.hpp"
#include "retry_mode.hpp"
#include "retry_trace.hpp"
#include "spill_guidance.hpp"

namespace ww::regalloc {

inline constexpr std::uint32_t most_spill_rounds =
    64;  // assumed: a bound on the time; 1,359 runs over real listings took 9 at most (tests/regalloc/rounds.cpp)
inline constexpr std::uint8_t spill_sentinel = 163;  // the text's mark of a register that may be spilled

struct retry_settings {
  retry_mode mode;
  bool banks = false;
  occupancy_span span;  // of the SM: span_of<Arch>()
  std::uint32_t most_rounds = most_spill_rounds;
};

enum class retry_end : std::uint8_t {
  no_registers,  // the class has none in this program
  fits,
  fits_spilled,
  over_budget,  // nothing may be spilled: the best attempt, with more registers than the target
  failed,
};

struct class_outcome {
  retry_end end = retry_end::no_registers;
  std::uint32_t registers = 0;    // used, unadjusted
  std::uint32_t final_count = 0;  // the highest register used
  std::uint32_t target = 0;
  std::uint32_t attempts = 0;  // without spilling
  std::uint32_t rounds = 0;    // with it
  std::uint32_t spilled = 0;   // registers that the host has put aside
  std::uint32_t waiting = 0;   // registers of the answer that have no place and are not in memory
  double spill_cost = 0;       // of the rounds, summed
};

template <class Allocator = fat_point_allocator<>, class Budget = occupancy_budget<>, class Trace = no_trace>
class retry_driver {
 public:
  using allocator = Allocator;

  explicit retry_driver(const Trace& trace = {}) : trace_(trace) {}

  // The problem of the class that was run last, as it stands.
  [[nodiscard]] const problem& answer() const { return p_; }
  [[nodiscard]] const best_result& best() const { return best_; }
  [[nodiscard]] const vec<std::uint8_t>& marks() const { return marks_; }

  template <retry_host Host>
  class_outcome run(Host& host, register_class of, const retry_settings& settings) {
    class_outcome out;
    best_.clear();
    triggered_ = false;
    if (!host.build(of, p_) || count_of_class() == 0) return out;
    out.target = target();
    if (host_uses_shared(host, of)) trigger(host, of);
    if (without_spills(host, of, settings, out)) return out;
    if (!host_may_spill(host, of)) {
      best_.restore(p_);
      out.registers = best_.has_valid() ? best_.score().registers : round(host, of, settings, 0, out).registers;
      out.end = out.registers > sanity_peak ? retry_end::failed : retry_end::over_budget;
      finish(out);
      fail_if(out, of);
      return out;
    }
    with_spills(host, of, settings, out);
    finish(out);
    fail_if(out, of);
    return out;
  }

  // Every class in its turn. `out` by class.
  template <retry_host Host>
  void run_all(Host& host, const retry_settings& settings,
               class_outcome (&out)[static_cast<unsigned>(register_class::count)]) {
    for (unsigned c = first_class; c <= last_class; ++c) {
      const auto of = static_cast<register_class>(c);
      out[c] = run(host, of, settings);
      if constexpr (requires { host.done(of, p_, out[c]); }) host.done(of, p_, out[c]);
    }
  }

 private:
  [[nodiscard]] std::uint32_t target() const {
    return p_.file.max_slot < most_registers ? p_.file.max_slot + 1 : most_registers;
  }
  [[nodiscard]] std::uint32_t count_of_class() const {
    std::uint32_t n = 0;
    for (const allocatable& r : p_.registers) n += r.reg_class == p_.file.reg_class ? 1u : 0u;
    return n;
  }

  template <class Host>
  round_result round(Host& host, register_class of, const retry_settings& settings, std::uint32_t attempt,
                     class_outcome& out) {
    const round_result r = Allocator::run(p_, ws_, {attempt, settings.banks});
    attempt_score s;
    s.registers = r.registers;
    s.cost = r.account.spill_cost;
    s.spills = r.account.needing_spill;
    s.class_width = p_.file.class_limit < most_registers ? p_.file.class_limit + 1 : most_registers;
    s.pressure = r.account.cumulative_pressure;
    s.attempt = attempt;
    best_.offer(p_, s);
    out.registers = r.registers;
    adjusted_ = r.error == round_error::none ? host_adjusted(host, of, r.registers) : r.registers;
    return r;
  }
  [[nodiscard]] bool fits(const round_result& r, std::uint32_t target) const {
    return r.error == round_error::none && r.account.needing_spill == 0 && adjusted_ <= target;
  }

  template <class Host>
  bool without_spills(Host& host, register_class of, const retry_settings& settings, class_outcome& out) {
    const std::uint32_t attempts = settings.mode.attempts(host_demand(host, of) <= out.target);
    for (std::uint32_t k = 0; k < attempts; ++k) {
      const round_result r = round(host, of, settings, k, out);
      ++out.attempts;
      note({retry_event::kind::no_spill, of, false, k, r.registers, out.target});
      if (fits(r, out.target)) {
        out.end = retry_end::fits;
        finish(out);
        return true;
      }
      if (r.error == round_error::none && r.account.needing_spill == 0 && r.registers <= out.target) break;
    }
    return false;
  }

  template <class Host>
  void with_spills(Host& host, register_class of, const retry_settings& settings, class_outcome& out) {
    out.end = retry_end::failed;
    trigger(host, of);
    const bool marked = mark(host, of, out);
    for (bool again = true; again;) {
      best_.clear();  // of another problem
      const round_result r = round(host, of, settings, spill_attempt, out);
      out.spill_cost += r.account.spill_cost;
      const bool good = fits(r, out.target);
      if (good) {
        out.end = retry_end::fits_spilled;
        note({retry_event::kind::spilling, of, false, 0, r.registers, out.target});
        return;
      }
      again = out.rounds < settings.most_rounds && spill_round(host, of, settings, r, marked, out);
      note({retry_event::kind::spilling, of, again, 0, r.registers, out.target});
    }
  }

  // Puts the victims of a round that did not fit into memory, and makes the problem anew; false: nothing could be spilled.
  template <class Host>
  bool spill_round(Host& host, register_class of, const retry_settings& settings, const round_result& r, bool marked,
                   class_outcome& out) {
    guidance_counts counts;
    counts.spilled = out.spilled;
    counts.registers = r.registers;
    counts.class_budget = p_.file.highest({});
    counts.paired = false;
    for (const allocatable& a : p_.registers) {
      counts.paired = counts.paired || (a.reg_class == p_.file.reg_class && a.pairing == pair_mode::paired);
    }
    counts.marked = marked;
    counts.span = settings.span;
    if (r.account.needing_spill == 0 && r.error == round_error::none) {
      // All have places, and the SM wants fewer: the highest ones have to move.
      lift_highest(r.registers);
    }
    spill_guidance<Allocator, Budget>::run(p_, ws_.sets, counts, guidance_,
                                           [&](std::uint32_t reg) { return host_recomputes(host, of, reg); });
    if (guidance_.victims.empty()) return false;
    const span<const std::uint32_t> victims(guidance_.victims.data(), guidance_.victims.size());
    const std::uint32_t done = host.spill(of, p_, victims);
    if (done == 0) return false;
    ++out.rounds;
    out.spilled += done;
    if constexpr (requires { host.clean_up(of); }) host.clean_up(of);
    return host.build(of, p_);
  }
  // Registers that reach the last one used count as needy.
  void lift_highest(std::uint32_t used) {
    for (allocatable& a : p_.registers) {
      if (a.reg_class != p_.file.reg_class || a.physical < 0 || a.has(register_flag::pre_assigned)) continue;
      const search_geometry g = search_geometry_of(p_.file, a);
      const std::int64_t slots = std::int64_t{g.footprint} >> (g.paired ? 1 : 0);
      if (std::int64_t{a.physical} - p_.file.base + (slots == 0 ? 1 : slots) >= std::int64_t{used}) {
        a.set(register_flag::needs_spill);
      }
    }
  }

  template <class Host>
  void trigger(Host& host, register_class of) {
    if (triggered_) return;
    triggered_ = true;
    if constexpr (requires { host.begin_spill(of, spill_strategy{}); }) {
      host.begin_spill(of, spill_strategy::of(host_weighted(host, of)));
    }
  }

  // Where the SM has further registers for what is spilled, all of the class are marked, unless the host finds that not viable.
  template <class Host>
  bool mark(Host& host, register_class of, const class_outcome& out) {
    marks_.clear();
    if constexpr (requires { host.extra_registers(of, out.target); }) {
      if (host.extra_registers(of, out.target) == 0) return false;
      if constexpr (requires { host.before_spill(of); }) host.before_spill(of);
      marks_.assign(p_.registers.size(), 0);
      for (std::size_t r = 0; r < marks_.size(); ++r) {
        if (p_.registers[r].reg_class == p_.file.reg_class) marks_[r] = spill_sentinel;
      }
      bool viable = true;
      if constexpr (requires { host.viable(of); }) viable = host.viable(of);
      if (viable) return true;
      marks_.clear();
      (void)host.build(of, p_);
    }
    (void)out;
    return false;
  }

  void finish(class_outcome& out) {
    out.final_count = out.registers == 0 ? 0 : out.registers - 1;
    out.waiting = 0;
    for (const allocatable& a : p_.registers) {
      if (a.reg_class != p_.file.reg_class) continue;
      out.waiting += a.has(register_flag::needs_spill) && !a.has(register_flag::spilled) ? 1u : 0u;
    }
  }
  void fail_if(const class_outcome& out, register_class of) {
    if (out.end != retry_end::failed) return;
    for (allocatable& a : p_.registers) {
      if (a.reg_class == p_.file.reg_class && !a.has(register_flag::pre_assigned)) a.physical = -1;
    }
    note({retry_event::kind::failed, of, false, 0, out.registers, out.target});
  }
  void note(const retry_event& e) {
    if constexpr (Trace::on) trace_.note(e);
  }

  problem p_;
  allocator_workspace ws_;
  guidance_workspace guidance_;
  best_result best_;
  vec<std::uint8_t> marks_;
  bool triggered_ = false;
  std::uint32_t adjusted_ = 0;
  [[no_unique_address]] Trace trace_;
};

}  // namespace ww::regalloc
