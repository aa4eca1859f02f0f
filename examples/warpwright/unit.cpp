// SPDX-License-Identifier: BSL-1.0
//
// What the command line needs of one SM; compiled once for each, with WW_UNIT_ARCH naming the architecture policy.
#include "unit.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include WW_UNIT_HEADER
#include <warpwright/arch/counted_form.hpp>
#include <warpwright/backend/all.hpp>
#include <warpwright/ir/unknown_targets.hpp>
#include <warpwright/layout/layouter.hpp>
#include <warpwright/layout/mark_cold.hpp>
#include <warpwright/pipeline/consistent.hpp>
#include <warpwright/pipeline/instances.hpp>
#include <warpwright/pipeline/order_search.hpp>
#include <warpwright/pipeline/rebuild.hpp>
#include <warpwright/pipeline/region_scheduler.hpp>
#include <warpwright/pipeline/spilling_rebuild.hpp>
#include <warpwright/pipeline/word_search.hpp>
#include <warpwright/priority/all.hpp>
#include <warpwright/region/listing.hpp>
#include <warpwright/report/timeline_of.hpp>
#include <warpwright/scoreboard/o0.hpp>
#include <warpwright/strategy/all.hpp>
#include <warpwright/verify/control_only.hpp>
#include <warpwright/verify/instances.hpp>
#include <warpwright/verify/same_order.hpp>

#include "interrupt.hpp"
#include "progress.hpp"
#include "unsuspected.hpp"

WW_EXTERN_SM(ww::WW_UNIT_ARCH)
WW_EXTERN_SCHEDULER(ww::WW_UNIT_ARCH)
WW_EXTERN_CHECK(ww::WW_UNIT_ARCH)

namespace cli {

namespace {

ww::load_view loads_of(const options& o) {
  return o.loads == "hit" ? ww::load_view::hit : o.loads == "both" ? ww::load_view::both : ww::load_view::as_warps;
}

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
      r = ww::scheduler<Arch, S>{}.run(p, how());
      return o_.priority.empty();
    }
  }

  template <class... Ms>
  bool run_mode(ww::meta::type_list<Ms...>, ww::program& p, ww::schedule_result& r) {
    const std::string mode = o_.mode.empty() ? std::string(ww::mode::ilp::name) : o_.mode;
    return ((mode == Ms::name && (r = ww::scheduler<Arch, ww::strategy::unified, Ms>{}.run(p, how()), true)) || ...);
  }

  template <class S, class... Ps>
  bool run_priority(ww::meta::type_list<Ps...>, ww::program& p, ww::schedule_result& r) {
    return ((o_.priority == Ps::name && (r = ww::scheduler<Arch, S, Ps>{}.run(p, how()), true)) || ...);
  }

  [[nodiscard]] ww::run_options how() const { return {.warps = o_.warps, .loads = loads_of(o_)}; }

  const options& o_;
  std::string strategy_;
};

// What is wrong with timing and words, whatever the order computes: that is proved by itself (job.cpp).
template <class Arch>
std::uint32_t hazards(const ww::program& p) {
  ww::verify::workspace space;
  return static_cast<std::uint32_t>(ww::verify::check_hazards<Arch>(p, {}, space).errors());
}

// Phase 116: program order, conservative control words.
template <class Arch>
ww::schedule_result conservative(const options& o, ww::program& p) {
  ww::schedule_result r;
  ww::model::workspace space;
  const unsigned warps = o.warps != 0 ? o.warps : ww::occupancy::kernel::per_sub_core<Arch>(p);
  const ww::model::options m{.warps = warps};
  r.warps = warps;
  r.cycles_before = ww::model::simulate<Arch>(p, m, space).cycles;
  r.hazards_before = p.has_control ? hazards<Arch>(p) : 0;
  ww::scoreboard::assign_o0<Arch>(p);
  r.cycles_after = ww::model::simulate<Arch>(p, m, space).cycles;
  r.hazards_after = hazards<Arch>(p);
  // As in pipeline/rounds.hpp: with several warps loops may cost less than their limit.
  r.bound = std::min(ww::model::lower_bound<Arch>(p, m, space).cycles, r.cycles_after);
  r.proved = r.hazards_after <= r.hazards_before;
  return r;
}

// The words that --scoreboard asks for; without it the cheapest of all.
template <class Arch>
void consider(const options& o, ww::word_search<Arch>& search) {
  if (o.scoreboard == "text") {
    search.template consider<ww::barriers::literal_text>();
  } else if (o.scoreboard == "shared") {
    search.template consider<ww::barriers::share>();
  } else {
    search.consider_usual();
    search.consider_neighbours();
  }
}

// Besides what was asked for they have to be good for the usual number of warps if none was.
template <class Arch>
unsigned also_for(const options& o) {
  return o.warps == 0 ? ww::word_search<Arch>::usual_warps : 1;
}
// And for loads that miss.
bool misses(const options& o) { return o.loads.empty() ? o.warps == 0 : o.loads == "both"; }

// Control words for the order that the strategy left, by what --scoreboard asks for; without it the cheapest of all and of
// those that the scheduler left, and nothing that the model finds dearer than those.
template <class Arch>
void reword(const options& o, ww::program& p, ww::schedule_result& r, bool had_words) {
  typename ww::word_search<Arch>::workspace space;
  ww::word_search<Arch> search(p, space, r.warps, also_for<Arch>(o), misses(o));
  std::vector<ww::control> left;
  for (const ww::instruction& i : p.instructions) left.push_back(i.ctl);
  if (o.scoreboard.empty() && r.hazards_after == 0) search.consider_present();
  consider<Arch>(o, search);
  search.finish();
  bool same = true;
  for (std::size_t i = 0; i < left.size(); ++i) same = same && left[i] == p.instructions[i].ctl;
  if (same) return;
  ww::model::workspace model;
  const double cycles = ww::model::simulate<Arch>(p, {.warps = r.warps}, model).cycles;
  const std::uint32_t found = hazards<Arch>(p);
  if (o.scoreboard.empty() && (found > r.hazards_after || (had_words && cycles > r.cycles_after))) {
    for (std::size_t i = 0; i < left.size(); ++i) p.instructions[i].ctl = left[i];
    return;
  }
  r.cycles_after = cycles;
  if (r.far_before != 0) r.far_after = ww::model::simulate<Arch>(p, ww::model::far_view<Arch>(), model).cycles;
  r.bound = std::min(r.bound, cycles);
  r.hazards_after = found;
  r.proved = had_words ? r.hazards_after <= r.hazards_before : r.hazards_after == 0;
  r.kept_all = false;
}

// Neighbours of the order that the strategy left.
template <class Arch>
void search(const options& o, ww::program& p, ww::schedule_result& r, bool had_words) {
  const ww::search_options how{{.warps = o.warps, .loads = loads_of(o)}, o.tries};
  const ww::schedule_result found = ww::order_search<ww::scheduler<Arch>>::run(p, how, [&](const ww::search_progress&) {
    if (o.shown != nullptr) o.shown->tried();
    return !interrupt::came();
  });
  if (found.malformed || found.kept_all) return;
  r.cycles_after = found.cycles_after;
  r.far_after = found.far_after;
  r.bound = std::min(r.bound, found.cycles_after);
  r.hazards_after = found.hazards_after;
  r.proved = had_words ? r.hazards_after <= r.hazards_before : r.hazards_after == 0;
  r.kept_all = false;
}
// How many blocks have the order that they came with.
void count_kept(const ww::program& came, const ww::program& p, ww::schedule_result& r) {
  r.kept_blocks = 0;
  for (const ww::block& b : p.blocks) {
    const auto first = p.order.begin() + b.first;
    if (!b.padding && b.count != 0 && std::equal(first, first + b.count, came.order.begin() + b.first)) ++r.kept_blocks;
  }
}

template <class Arch>
bool schedule(const options& o, ww::program& p, ww::schedule_result& r) {
  if (ww::has_unknown_targets(p)) {
    ww::model::workspace space;
    r = {};
    r.unknown_targets = r.kept_all = r.proved = true;
    r.hazards_before = r.hazards_after = hazards<Arch>(p);
    r.warps = o.warps != 0 ? o.warps : 1;
    r.cycles_before = r.cycles_after = r.bound = ww::model::simulate<Arch>(p, {.warps = r.warps}, space).cycles;
    return true;
  }
  if (o.o0) {
    r = conservative<Arch>(o, p);
    return true;
  }
  const bool had_words = p.has_control;
  const ww::program came = p;
  if (!runner<Arch>(o).run(p, r)) return false;
  if (r.malformed) return true;
  const auto finish = [&](ww::program& of, ww::schedule_result& result) {
    if (!o.scoreboard.empty() || o.strategy == ww::strategy::keep::name) reword<Arch>(o, of, result, had_words);
    unsuspected<Arch>(came, of, result, o.strategy == ww::strategy::keep::name).run([&](ww::program& q) {
      typename ww::word_search<Arch>::workspace space;
      ww::word_search<Arch> search(q, space, result.warps, also_for<Arch>(o), misses(o));
      consider<Arch>(o, search);
      search.finish();
    });
  };
  if (o.tries == 0) {
    finish(p, r);
    return true;
  }
  // Words that the search has not priced may suit the order that it started from better.
  ww::program found = p;
  ww::schedule_result of_found = r;
  search<Arch>(o, found, of_found, had_words);
  count_kept(came, found, of_found);
  finish(found, of_found);
  finish(p, r);
  const bool dearer = of_found.cycles_after > r.cycles_after || of_found.far_after > r.far_after;
  if (!dearer && of_found.hazards_after <= r.hazards_after) {
    p = found;
    r = of_found;
  }
  return true;
}

template <class Arch>
void measure(const options& o, const ww::program& p, ww::schedule_result& r) {
  if (!p.has_control || p.blocks.empty() || !ww::consistent(p) || ww::has_unknown_targets(p)) {
    options keep = o;
    keep.strategy = ww::strategy::keep::name;
    ww::program same = p;
    (void)schedule<Arch>(keep, same, r);
    return;
  }
  ww::model::workspace space;
  const unsigned warps = o.warps != 0 ? o.warps : ww::occupancy::kernel::per_sub_core<Arch>(p);
  r = {};
  r.warps = std::min(warps, ww::model::most_warps);
  r.cycles_before = r.cycles_after = r.bound = ww::model::simulate<Arch>(p, {.warps = r.warps}, space).cycles;
  r.hazards_before = r.hazards_after = hazards<Arch>(p);
}

template <class Arch, class... Policies>
void lay_out_by(const ww::program& p, const ww::layout::cold_marks& marks, ww::program& out,
                ww::vec<ww::instr_id>& came_from, layout_figures& f) {
  typename ww::layout::layouter<Arch, Policies...>::workspace space;
  const ww::layout::layout_result r = ww::layout::layouter<Arch, Policies...>{}.run(p, marks, out, space);
  f.changed = r.changed;
  f.patterns = r.flow.patterns;
  f.moved = r.moved;
  f.inserted = r.inserted;
  f.removed = r.removed;
  f.inverted = r.inverted;
  came_from = space.changes.came_from;
}

template <class Arch>
void lay_out(const options& o, const ww::program& p, const ww::flow_profile* profile, ww::program& out,
             ww::vec<ww::instr_id>& came_from, layout_figures& f) {
  using beside = ww::layout::hot_cold_flow<ww::layout::cold_place::beside>;
  using mac_first = ww::layout::in_loop::mac_first<>;
  ww::layout::cold_marks marks;
  ww::layout::cold_workspace space;
  ww::layout::mark_cold<Arch>::run(p, {.profile = profile}, space, marks);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) f.cold += marks.cold(ww::block_id{b}) ? 1u : 0u;
  const bool near = o.cold_arms == "beside";
  if (o.in_loops == "mac-first") {
    near ? lay_out_by<Arch, beside, mac_first>(p, marks, out, came_from, f)
         : lay_out_by<Arch, mac_first>(p, marks, out, came_from, f);
  } else {
    near ? lay_out_by<Arch, beside>(p, marks, out, came_from, f) : lay_out_by<Arch>(p, marks, out, came_from, f);
  }
  if (!f.changed) return;
  ww::scoreboard::workspace words;
  (void)ww::scoreboard::assign_control<Arch>(out, words);
}

template <class Arch>
ww::verify::report check(const ww::program& p) {
  ww::verify::options options;
  options.notes = false;
  return ww::verify::check<Arch>(p, options);
}

ww::rebuild_options rebuilding(const options& o, const call_facts& calls) {
  return {{.warps = o.warps, .loads = loads_of(o)},
          o.max_regs,
          o.effort,
          calls.outside,
          calls.knows_return_moves,
          calls.return_moves};
}

// The same for what has new registers, which is proved by itself: an order that is not the same program, or that looks like an
// accident to the whole check, is not taken. False if it stays what it was.
template <class Arch>
bool search_rebuilt(const options& o, ww::program& code, ww::schedule_result& r, bool had_words) {
  if (o.tries == 0 || r.malformed || r.unknown_targets || !r.proved) return false;
  const ww::program left = code;
  const ww::schedule_result was = r;
  search<Arch>(o, code, r, had_words);
  ww::vec<ww::verify::order_difference> differences;
  ww::verify::compare_orders(left, code, differences);
  if (r.proved && differences.empty() && check<Arch>(code).errors() <= check<Arch>(left).errors()) return true;
  code = left;
  r = was;
  return false;
}

template <class Arch>
ww::rebuild_result rebuild(const options& o, const ww::program& p, const call_facts& calls, ww::program& out) {
  if (o.effort == 0) {
    ww::rebuild_result r;
    out = p;
    (void)schedule<Arch>(o, out, r.scheduled);
    r.registers_before = r.registers_after = ww::detail::registers_of<Arch>(p);
    r.kept = ww::rebuild_kept::not_asked;
    r.proved = r.scheduled.proved;
    return r;
  }
  typename ww::rebuilder<Arch>::workspace space;
  ww::rebuild_result r = ww::rebuilder<Arch>::run(p, rebuilding(o, calls), out, space);
  const bool found = r.fits && search_rebuilt<Arch>(o, out, r.scheduled, p.has_control);
  if (found && r.kept != ww::rebuild_kept::none) count_kept(p, out, r.scheduled);
  // A register that nobody has set, and that is written by another value now, looks like an accident to the whole check.
  const bool may_stay = o.max_regs == 0 || r.registers_before <= o.max_regs;
  if (r.kept == ww::rebuild_kept::none && may_stay && check<Arch>(out).errors() > check<Arch>(p).errors()) {
    out = p;
    (void)schedule<Arch>(o, out, r.scheduled);
    r.registers_after = r.registers_before;
    r.kept = ww::rebuild_kept::suspected;
    r.proved = r.scheduled.proved;
  }
  return r;
}

template <class Arch>
ww::rebuild_result rebuild_spilled(const options& o, const ww::program& p, const call_facts& calls,
                                   const ww::rebuild_result& before, ww::spilled_code& out, spill_figures& f) {
  typename ww::spilling_rebuilder<Arch>::workspace space;
  const ww::spilled_rebuild r = ww::spilling_rebuilder<Arch>::run(p, rebuilding(o, calls), before, out, space);
  ww::rebuild_result done = r.rebuilt;
  if (done.fits) (void)search_rebuilt<Arch>(o, out.code, done.scheduled, p.has_control);
  f = {r.values, r.recomputed, out.stores, out.loads, r.bytes - r.frame.bytes, r.bytes, ww::name_of(r)};
  return done;
}

template <class Arch>
ww::verify::report check_words(const ww::program& p) {
  return ww::verify::check<Arch>(p, {.dependences = false, .lints = false, .notes = true});
}

template <class Arch>
ww::verify::report check_controls(std::span<const ww::control> words) {
  return ww::verify::check_control_only<Arch>(words);
}

}  // namespace

template <class Arch>
unit unit_of() {
  return {Arch::name,
          &check<Arch>,
          &hazards<Arch>,
          &check_words<Arch>,
          &check_controls<Arch>,
          &ww::model::count_operand_reads<Arch>,
          &schedule<Arch>,
          &measure<Arch>,
          &lay_out<Arch>,
          &rebuild<Arch>,
          &rebuild_spilled<Arch>,
          &ww::report::make_timeline<Arch>,
          &ww::in_counted_form<Arch>,
          &unit_of<ww::counted_form_t<Arch>>};
}

template unit unit_of<ww::WW_UNIT_ARCH>();

}  // namespace cli
