// SPDX-License-Identifier: BSL-1.0
//
// What the command line needs of one SM; compiled once for each, with WW_UNIT_ARCH naming the architecture policy.
#include "unit.hpp"

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include WW_UNIT_HEADER
#include <warpwright/backend/all.hpp>
#include <warpwright/pipeline/instances.hpp>
#include <warpwright/pipeline/region_scheduler.hpp>
#include <warpwright/priority/all.hpp>
#include <warpwright/region/listing.hpp>
#include <warpwright/scoreboard/o0.hpp>
#include <warpwright/strategy/all.hpp>
#include <warpwright/verify/control_only.hpp>

WW_EXTERN_SM(ww::WW_UNIT_ARCH)
WW_EXTERN_SCHEDULER(ww::WW_UNIT_ARCH)

namespace cli {

namespace {

// Runs the composition that the names ask for; false if there is none of that name.
template <class Arch>
class runner {
 public:
  explicit runner(const options& o) : o_(o), strategy_(o.strategy) {
    using choice = ww::text_backend<Arch>;
    if (o.backend == "a") {
      strategy_ = ww::strategy::unified::name;
    } else if (o.backend == "b") {
      strategy_ = ww::strategy::backend_b::name;
    } else if (o.backend == "c") {
      strategy_ = ww::strategy::backend_c::name;
    } else if (o.backend == "text") {
      strategy_ = choice::strategy::name;
    } else if (!o.backend.empty()) {
      strategy_.clear();
    } else if (!o.mode.empty()) {
      strategy_ = ww::strategy::unified::name;
    }
  }

  bool run(ww::program& p, ww::schedule_result& r) {
    return run_strategy(ww::strategy::every{}, p, r) || run_strategy(ww::strategy::regional_listing{}, p, r);
  }

 private:
  template <class... Ss>
  bool run_strategy(ww::meta::type_list<Ss...>, ww::program& p, ww::schedule_result& r) {
    return ((strategy_ == Ss::name && with_strategy<Ss>(p, r)) || ...);
  }

  // Priorities are offered with list scheduling; every pair of strategy and priority would be too many to compile.
  template <class S>
  bool with_strategy(ww::program& p, ww::schedule_result& r) {
    if constexpr (std::is_same_v<S, ww::strategy::list>) {
      if (!o_.priority.empty()) return run_priority<S>(ww::priority::shipped{}, p, r);
    }
    if constexpr (std::is_same_v<S, ww::strategy::unified>) {
      return o_.priority.empty() && run_mode(ww::mode::shipped{}, p, r);
    } else {
      r = ww::scheduler<Arch, S>{}.run(p, {.warps = o_.warps});
      return o_.priority.empty();
    }
  }

  template <class... Ms>
  bool run_mode(ww::meta::type_list<Ms...>, ww::program& p, ww::schedule_result& r) {
    const std::string mode = o_.mode.empty() ? std::string(ww::mode::ilp::name) : o_.mode;
    return ((mode == Ms::name && (r = ww::scheduler<Arch, ww::strategy::unified, Ms>{}.run(p, {.warps = o_.warps}), true)) ||
            ...);
  }

  template <class S, class... Ps>
  bool run_priority(ww::meta::type_list<Ps...>, ww::program& p, ww::schedule_result& r) {
    return ((o_.priority == Ps::name && (r = ww::scheduler<Arch, S, Ps>{}.run(p, {.warps = o_.warps}), true)) || ...);
  }

  const options& o_;
  std::string strategy_;
};

// Phase 116: program order, conservative control words.
template <class Arch>
ww::schedule_result conservative(const options& o, ww::program& p) {
  ww::schedule_result r;
  ww::model::workspace space;
  const unsigned warps = o.warps != 0 ? o.warps : ww::occupancy::kernel::per_sub_core<Arch>(p);
  const ww::model::options m{.warps = warps};
  r.warps = warps;
  r.cycles_before = ww::model::simulate<Arch>(p, m, space).cycles;
  r.hazards_before = static_cast<std::uint32_t>(ww::verify::check<Arch>(p).errors());
  ww::scoreboard::assign_o0<Arch>(p);
  r.cycles_after = ww::model::simulate<Arch>(p, m, space).cycles;
  r.hazards_after = static_cast<std::uint32_t>(ww::verify::check<Arch>(p).errors());
  r.bound = std::min(ww::model::lower_bound<Arch>(p, m, space).cycles, r.cycles_after);
  r.proved = r.hazards_after <= r.hazards_before;
  return r;
}

// Control words by the policies that --scoreboard asks for, in the order that the strategy left: the cheapest by the model,
// then the one with the fewest waits, then the first one.
template <class Arch>
class rewording {
 public:
  rewording(ww::program& p, ww::schedule_result& r) : p_(p), r_(r) {}

  template <class... Policies>
  void run(ww::meta::type_list<Policies...>) {
    (try_policy<Policies>(), ...);
    for (std::size_t i = 0; i < best_.size(); ++i) p_.instructions[i].ctl = best_[i];
    r_.cycles_after = cycles_;
    r_.bound = std::min(r_.bound, cycles_);
    r_.hazards_after = static_cast<std::uint32_t>(ww::verify::check<Arch>(p_).errors());
    r_.proved = r_.hazards_after <= r_.hazards_before;
    r_.kept_all = false;
  }

 private:
  template <class Policy>
  void try_policy() {
    ww::scoreboard::assign_control<Arch, Policy>(p_, space_);
    const double cycles = ww::model::simulate<Arch>(p_, {.warps = r_.warps}, pricing_).cycles;
    unsigned waits = 0;
    for (const ww::instruction& i : p_.instructions) {
      waits += static_cast<unsigned>(std::popcount(static_cast<unsigned>(i.ctl.wait_mask)));
    }
    if (!best_.empty() && (cycles > cycles_ || (cycles == cycles_ && waits >= waits_))) return;
    cycles_ = cycles;
    waits_ = waits;
    best_.clear();
    for (const ww::instruction& i : p_.instructions) best_.push_back(i.ctl);
  }

  ww::program& p_;
  ww::schedule_result& r_;
  ww::scoreboard::workspace space_;
  ww::model::workspace pricing_;
  std::vector<ww::control> best_;
  double cycles_ = 0;
  unsigned waits_ = 0;
};

template <class Arch>
bool schedule(const options& o, ww::program& p, ww::schedule_result& r) {
  if (o.o0) {
    r = conservative<Arch>(o, p);
    return true;
  }
  if (!runner<Arch>(o).run(p, r)) return false;
  if (o.scoreboard == "text") {
    rewording<Arch>(p, r).run(ww::meta::type_list<ww::barriers::literal_text>{});
  } else if (o.scoreboard == "shared") {
    rewording<Arch>(p, r).run(ww::meta::type_list<ww::barriers::share>{});
  } else if (o.scoreboard == "minimal") {
    rewording<Arch>(p, r).run(ww::barriers::shipped{});
  }
  return true;
}

template <class Arch>
ww::verify::report check(const ww::program& p) {
  ww::verify::options options;
  options.notes = false;
  return ww::verify::check<Arch>(p, options);
}

template <class Arch>
ww::verify::report check_controls(std::span<const ww::control> words) {
  return ww::verify::check_control_only<Arch>(words);
}

}  // namespace

template <class Arch>
unit unit_of() {
  return {Arch::name, &check<Arch>, &check_controls<Arch>, &ww::model::count_operand_reads<Arch>, &schedule<Arch>};
}

template unit unit_of<ww::WW_UNIT_ARCH>();

}  // namespace cli
