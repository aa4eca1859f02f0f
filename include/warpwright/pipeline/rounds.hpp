// SPDX-License-Identifier: BSL-1.0
//
// The rounds of a run that are the same for every strategy: control words, prices, the choice among candidates.
//
//   arrangement   an order and control words, with what the model says of them
//   candidate     the program as it came; its order with new control words; the engine's order; the order close to the old
//                 one; each block in the cheapest of these
//   price         cycles, times the cycles of the far view where something may miss the first-level cache (model/far_view.hpp)
//   choice        of the candidates with the fewest findings of the checker the cheapest, none of which is dearer than the
//                 program as it came in either view unless that has more findings; the program as it came is one, unless a
//                 safety margin was asked for, which it need not keep: then it stays only where all others have more findings
// Compiled once for an SM and its control-word policies, whatever strategies run between the calls: hence not inlined, so that a
// unit that has them from another (instances.hpp) compiles none of what they call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../ir/unknown_targets.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/sort.hpp"
#include "../meta/traits.hpp"
#include "../meta/vec.hpp"
#include "../model/bound.hpp"
#include "../model/far_view.hpp"
#include "../model/simulate.hpp"
#include "../scoreboard/assign.hpp"
#include "../verify/check_hazards.hpp"
#include "consistent.hpp"
#include "result.hpp"

namespace ww {

enum class candidate_order : std::uint8_t { as_it_came, same_order, reordered, near_order, mixed };

namespace detail {

// One way to arrange the program: an order and control words, with what the model says of it.
struct arrangement {
  vec<instr_id> order;
  vec<control> controls;  // by instr_id
  vec<double> block_cycles;
  double cycles = 0;
  vec<double> far_blocks;  // the same in the far view (model/far_view.hpp); empty if nothing goes far
  double far = 1;

  // So that none of them grows later than another.
  void make_room(const program& p) {
    order.make_room(p.order.size());
    controls.make_room(p.instructions.size());
    block_cycles.make_room(p.blocks.size());
    far_blocks.make_room(p.blocks.size());
  }
  [[nodiscard]] double price() const { return cycles * far; }
  [[nodiscard]] double price(std::size_t block) const {
    return far_blocks.empty() ? block_cycles[block] : block_cycles[block] * far_blocks[block];
  }
  void take_far(const model::cost& c) {
    far = c.cycles;
    far_blocks.assign(c.block_cycles.begin(), c.block_cycles.end());
  }
  void take(const program& p, const model::cost& c) {
    far_blocks.clear();
    far = 1;
    order = p.order;
    controls.resize(p.instructions.size());
    for (std::size_t i = 0; i < p.instructions.size(); ++i) controls[i] = p.instructions[i].ctl;
    block_cycles.assign(c.block_cycles.begin(), c.block_cycles.end());
    cycles = c.cycles;
  }
  // The present order and words of the program, which cost what they cost.
  [[nodiscard]] bool is(const program& p) const {
    if (order.size() != p.order.size() || !meta::equal(order.begin(), order.end(), p.order.begin())) return false;
    for (const instr_id id : order) {
      if (!(controls[id.index()] == p[id].ctl)) return false;
    }
    return true;
  }
  void swap(arrangement& other) {
    order.swap(other.order);
    controls.swap(other.controls);
    block_cycles.swap(other.block_cycles);
    far_blocks.swap(other.far_blocks);
    const double c = cycles, f = far;
    cycles = other.cycles;
    far = other.far;
    other.cycles = c;
    other.far = f;
  }
  void put(program& p) const {
    p.order = order;
    for (std::size_t i = 0; i < p.instructions.size(); ++i) p.instructions[i].ctl = controls[i];
  }
};

}  // namespace detail

// `Arch` prices and checks, `EmitArch` (the same with the safety margin) makes control words.
template <class Arch, class EmitArch, class BarrierPolicy, class YieldPolicy, class ReusePolicy = reuse::as_compiler>
struct pipeline_rounds {
  struct workspace {
    scoreboard::workspace scoreboard;
    model::workspace model;
    verify::hazard_workspace verify;
    array<detail::arrangement, 5> candidates;
    detail::arrangement spare;
    model::options pricing;
    unsigned priced = 0;  // candidates of this run, bit by bit
    bool far = false;     // something is loaded that may come from beyond the first-level cache
    bool verified = true;
    bool had_words = false;  // the program came with control words
    schedule_result result;

    [[nodiscard]] detail::arrangement& operator[](candidate_order k) { return candidates[static_cast<std::size_t>(k)]; }
  };

  // Makes blocks where there are none and decodes the program for control words; false when it contradicts itself, or has a
  // branch of which nobody knows where it goes.
  [[gnu::noinline]] static bool well_formed(program& p, workspace& ws) {
    ws.result = {};
    ws.result.malformed = !consistent(p) || (p.blocks.empty() && !p.instructions.empty() && !build_cfg(p).ok);
    ws.result.unknown_targets = !ws.result.malformed && has_unknown_targets(p);
    ws.result.kept_all = ws.result.unknown_targets;
    if (ws.result.malformed || ws.result.unknown_targets) return false;
    ws.had_words = p.has_control;
    look_far(ws, false);
    decode(p, ws);
    return true;
  }
  // Whether words are chosen for loads that miss, and priced in both views.
  static void look_far(workspace& ws, bool far) { ws.far = ws.scoreboard.loads_miss = far; }
  // What a run begins with: the program that came is the first candidate. False where nothing is to be done. `make_words(p)` is
  // called for a program without control words, once it is decoded.
  template <class Occupancy, class MakeWords>
  static bool begin(program& p, workspace& ws, const run_options& options, MakeWords&& make_words) {
    if (!well_formed(p, ws)) return false;
    const unsigned warps = options.warps != 0 ? options.warps : Occupancy::template per_sub_core<Arch>(p);
    const bool both = options.loads == load_view::both || (options.loads == load_view::as_warps && options.warps == 0);
    look_far(ws, both && model::goes_far(p));
    if (!p.has_control) make_words(p);
    start(p, ws, warps, options.verify);
    return true;
  }
  static void decode(const program& p, workspace& ws) { scoreboard::decode_program<EmitArch>(p, ws.scoreboard); }
  [[gnu::noinline]] static void start(program& p, workspace& ws, unsigned warps, bool verified) {
    ws.result.warps = meta::min(warps, model::most_warps);
    ws.pricing = {.warps = ws.result.warps};
    ws.verified = verified;
    ws.priced = 0;
    for (detail::arrangement& a : ws.candidates) a.make_room(p);
    ws.spare.make_room(p);
    model::make_room<Arch>(p, ws.model);
    ws.result.hazards_before = verified ? hazards(p, ws) : 0;
    price(p, ws, candidate_order::as_it_came);
  }
  // Control words for the present order of the program that was decoded last.
  [[gnu::noinline]] static void assign(program& p, workspace& ws) {
    scoreboard::assign_decoded<EmitArch, BarrierPolicy, YieldPolicy, ReusePolicy>(p, ws.scoreboard);
  }
  static void price(program& p, workspace& ws, candidate_order as) {
    price(p, ws, ws[as]);
    ws.priced |= 1u << static_cast<unsigned>(as);
  }
  // The present words instead of those that were priced for the same order, if they are better.
  static void price_instead(program& p, workspace& ws, candidate_order as) {
    if (ws[as].is(p)) return;
    price(p, ws, ws.spare);
    if (better(ws.spare, ws[as], ws)) ws.spare.swap(ws[as]);
  }
  [[gnu::noinline]] static void price(program& p, workspace& ws, detail::arrangement& a) {
    for (unsigned left = ws.priced; left != 0; left &= left - 1) {  // many candidates come out as another one did
      const detail::arrangement& other = ws.candidates[static_cast<unsigned>(meta::countr_zero(left))];
      if (&other == &a || !other.is(p)) continue;
      a = other;
      return;
    }
    a.take(p, model::simulate<Arch>(p, ws.pricing, ws.model));
    if (ws.far) a.take_far(model::simulate<Arch>(p, model::far_view<Arch>(), ws.model));
  }
  static void restore_order(program& p, workspace& ws) { p.order = ws[candidate_order::as_it_came].order; }

  // Each block in the cheapest of the first `orders` priced orders; the first one wins a tie.
  [[gnu::noinline]] static void mix(program& p, workspace& ws, std::size_t orders) {
    const detail::arrangement* const from = &ws[candidate_order::same_order];
    for (std::size_t b = 0; b < p.blocks.size(); ++b) {
      const block& k = p.blocks[b];
      const detail::arrangement* best = from;
      for (std::size_t i = 1; i < orders; ++i) {
        if (from[i].price(b) < best->price(b)) best = &from[i];
      }
      meta::copy_n(best->order.begin() + k.first, k.count, p.order.begin() + k.first);
    }
  }

  // Puts the best candidate into the program: of those with the fewest findings the cheapest, so that a program that came
  // with hazards leaves without them. `near`: the order close to the old one is among them.
  [[gnu::noinline]] static void choose(program& p, workspace& ws, bool near) {
    using k = candidate_order;
    schedule_result& r = ws.result;
    array<k, 5> by_cost{k::as_it_came, k::mixed, k::reordered, k::same_order, k::near_order};
    detail::insertion_sort(by_cost.begin(), by_cost.end() - (near ? 0 : 1),
                           [&](k x, k y) { return better(ws[x], ws[y], ws); });
    k best = k::as_it_came;
    std::uint32_t fewest = r.hazards_before;
    bool found = false;
    for (const k one : by_cost) {
      if (one == k::near_order && !near) continue;
      if (!meta::is_same_v<Arch, EmitArch> && one == k::as_it_came) continue;
      if (ws.verified && one != k::as_it_came) ws[one].put(p);
      const std::uint32_t n = !ws.verified ? 0 : one == k::as_it_came ? r.hazards_before : hazards(p, ws);
      if (found && n >= fewest) continue;
      if (n <= fewest) {
        found = true;
        best = one;
        fewest = n;
      }
      if (n == 0) break;
    }
    ws[best].put(p);
    r.hazards_after = fewest;
    // Hazards of words that were made here are no excuse.
    r.proved = ws.verified && (ws.had_words || fewest == 0);
    r.kept_all = best == k::as_it_came;
    r.cycles_after = ws[best].cycles;
    r.cycles_before = ws[k::as_it_came].cycles;
    r.far_after = ws.far ? ws[best].far : 0;
    r.far_before = ws.far ? ws[k::as_it_came].far : 0;
    // One warp never costs less. Several may where loops weigh more than the simulation runs them (model/bound.hpp): then what was
    // reached is as good a limit.
    r.bound = meta::min(model::lower_bound<Arch>(p, ws.pricing, ws.model).cycles, r.cycles_after);
    count_blocks(p, ws[k::as_it_came].order, r);
  }

 private:
  // In either view than the program as it came.
  static bool dearer(const detail::arrangement& a, workspace& ws) {
    const detail::arrangement& came = ws[candidate_order::as_it_came];
    return a.cycles > came.cycles || a.far > came.far;
  }
  static bool better(const detail::arrangement& a, const detail::arrangement& b, workspace& ws) {
    const bool dear = dearer(a, ws), dear_too = dearer(b, ws);
    return dear != dear_too ? dear_too : a.price() < b.price();
  }
  static std::uint32_t hazards(const program& p, workspace& ws) {
    // What is odd about compiled code (the lints) says nothing of an order that was made here.
    return static_cast<std::uint32_t>(verify::check_hazards<Arch>(p, {}, ws.verify).errors());
  }
  static void count_blocks(const program& p, const vec<instr_id>& before, schedule_result& r) {
    for (const block& k : p.blocks) {
      if (k.padding || k.count == 0) continue;
      ++r.blocks;
      r.instructions += k.count;
      if (meta::equal(p.order.begin() + k.first, p.order.begin() + k.first + k.count, before.begin() + k.first))
        ++r.kept_blocks;
    }
  }
};

}  // namespace ww
