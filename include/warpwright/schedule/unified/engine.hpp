// SPDX-License-Identifier: BSL-1.0
//
// The unified engine (PLS-1) with the whole priority function (PLS-4 to PLS-7): one block, one mode.
//
//   1  prologue   records, deltas and peak of the order as it came, the register budget
//   2  pick       what time has changed (operands there, deadlines reached), the pre-scan, the heads of all buckets
//                 evaluated and compared; the best and the second best
//   3  update     slot manager, live registers, spill mode, temperature, batch
//   4  release    successors whose last predecessor was placed
// The result is the same as with a walk over the whole ready list at every pick (tests/schedule/unified_test.cpp keeps that
// walk); the cost of a pick is one evaluation for each bucket in use.
#pragma once

#include <cstdint>

#include "../../graph/graph.hpp"
#include "../../ir/program.hpp"
#include "../../meta/span.hpp"
#include "../block_facts.hpp"
#include "../class_table.hpp"
#include "../stats.hpp"
#include "../timing.hpp"
#include "compare.hpp"
#include "depth_threshold.hpp"
#include "fill_record.hpp"
#include "preliminary_operands.hpp"
#include "quick_key.hpp"
#include "space.hpp"
#include "winner.hpp"

namespace ww::unified {

template <class Config, class Workspace>
class engine {
  using arch = typename Config::arch;
  using mode_type = typename Config::mode;

 public:
  constexpr engine(const program& p, span<const instr_id> order, Workspace& ws)
      : p_(p), order_(order), ws_(ws), own_(ws.own), count_(static_cast<std::uint32_t>(order.size())) {}

  constexpr bool run() {
    prologue();
    const std::uint32_t free_picks = pinned_ ? count_ - 1 : count_;
    while (ws_.sequence.size() < free_picks) {
      if (!pick()) return false;
    }
    if (pinned_) {
      if (own_.records[count_ - 1].open != 0) return false;
      place(count_ - 1, {0xffffffffu, pick_kind::pinned, 0});
    }
    own_.peak_after = own_.values.peak();
    return true;
  }

  // For tests: the state at the present pick, statistics included.
  [[nodiscard]] constexpr const state& now() const { return s_; }

 protected:
  constexpr void prologue() {
    own_.records.assign(count_, record{});
    own_.ready.start();
    own_.targets.start(count_);
    own_.nontargets.start(count_);
    own_.wakes.start(count_);
    own_.arrivals.clear();
    ws_.sequence.reserve(count_);
    pinned_ = detail::last_is_pinned(p_, order_);
    if (own_.want_draft) own_.draft.start(count_, limits_of<arch>(mode_type::batch_limit));
    s_ = {};
    head_ = tail_ = no_record;
    free_targets_ = 0;
    for (std::int32_t& m : most_) m = 0;
    s_.slots.limit = ws_.graph.critical_path;
    s_.hot_active = true;
    s_.hot_budget = mode_type::hot_budget;
    start_values();
    if (mode_type::critical_by_height) own_.urgents.start(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      describe(i);
      if (mode_type::critical_by_height) own_.urgents.add(own_.records[i].deadline, i);
      if (own_.records[i].open == 0) make_ready(i);
    }
    if (mode_type::critical_by_height) own_.urgents.sort(ws_.graph.critical_path);
  }

  constexpr void start_values() {
    live_at_ends(p_, p_[ws_.at], ws_.at, ws_.part_first, count_, own_);
    own_.values.start(p_, order_, own_.live, own_.live_in, own_.live_out);
    own_.peak_before = own_.values.peak_in_order();
    const std::int32_t target =
        mode_type::target(arch::limits::general_registers, p_.register_count, static_cast<unsigned>(own_.peak_before.of[0]));
    s_.budget = make_budget<arch, mode_type>(target);
    copy_live();
  }
  constexpr void copy_live() {
    for (unsigned g = 0; g < 4; ++g) s_.live[g] = own_.values.live().of[g];
    s_.live[0] = to_units<arch>(s_.live[0]);
  }

  constexpr void describe(std::uint32_t i) {
    fill_record<arch>(own_.records[i], i, p_, p_[order_[i]], ws_.graph, ws_.nodes);
    if (own_.records[i].has(record_flag::barrier_target)) ++s_.spill.sequence;
  }

  [[nodiscard]] constexpr bool is_urgent(const record& r) const {
    return mode_type::critical_by_height && s_.cycle() + mode_type::critical_slack >= r.deadline;
  }

  constexpr void make_ready(std::uint32_t i) {
    if (pinned_ && i == count_ - 1) return;
    record& r = own_.records[i];
    r.previous_ready = tail_;
    r.next_ready = no_record;
    (tail_ == no_record ? head_ : own_.records[tail_].next_ready) = i;
    tail_ = i;
    update_delta(r, i);
    (r.has(record_flag::barrier_target) ? own_.targets : own_.nontargets).insert(i);
    s_.ready.total_ready += 1;
    s_.ready.barrier_count += r.has(record_flag::barrier_target) ? 1u : 0u;
    s_.ready.dependence_count += r.has(record_flag::has_dependence) ? 1u : 0u;
    s_.ready.shared_memory_count += r.has(record_flag::shared_memory) ? 1u : 0u;
    book_delta(r, 1);
    const bool free = r.earliest <= s_.cycle();
    const bool urgent = is_urgent(r);
    if (!free) own_.wakes.push(r.earliest, i);
    if (ws_.want_reasons) own_.arrivals.push({~r.dependence_cycle, i});
    if (free && r.has(record_flag::barrier_target)) ++free_targets_;
    r.bucket = own_.ready.template bucket_of<mode_type>(r, free, urgent);
    own_.ready.put(r.bucket, r, i, own_.records);
  }

  constexpr void update_delta(record& r, std::uint32_t i) {
    const class_counts d = own_.values.delta(i);
    for (unsigned g = 0; g < 4; ++g) {
      r.set_delta(g, g == 0 ? to_units<arch>(d.of[0]) : d.of[g]);
      if (r.delta[g] > most_[g]) most_[g] = r.delta[g];
    }
  }
  constexpr void book_delta(const record& r, std::int32_t sign) {
    if (r.delta[0] > 0) s_.ready.positive_pressure += sign * r.delta[0];
    if (r.delta[0] < 0) s_.ready.register_deficit += sign * r.delta[0];
  }
  constexpr void move(std::uint32_t i, std::uint32_t to) {
    record& r = own_.records[i];
    const std::uint32_t from = r.bucket;
    if (to == from) return;
    r.bucket = to;
    own_.ready.put(to, r, i, own_.records);
    own_.ready.left(from, i, own_.records);
  }

  // Operands that have arrived and deadlines that have been reached since the last pick.
  constexpr void catch_up() {
    own_.wakes.each_until(s_.cycle(), [&](std::uint32_t i) {
      const record& r = own_.records[i];
      if (r.bucket == no_record || ready_index::is_free(r.bucket)) return;
      if (r.has(record_flag::barrier_target)) ++free_targets_;
      move(i, ready_index::freed(r.bucket));
    });
    if (!mode_type::critical_by_height) return;
    own_.urgents.each_until(s_.cycle() + mode_type::critical_slack, [&](std::uint32_t i) {
      if (!own_.targets.has(i) && !own_.nontargets.has(i)) return;  // not ready, as most; asked without its record
      const record& r = own_.records[i];
      if (ready_index::is_critical(r.bucket)) return;
      move(i, ready_index::made_critical(r.bucket));
    });
  }

  // The pre-scan: what is not kept up to date all the time.
  constexpr void survey() {
    ready_statistics& t = s_.ready;
    t.max_predecessor_cycle = tail_ == no_record ? 0 : static_cast<std::int32_t>(own_.records[tail_].predecessor_cycle);
    t.preferred = own_.nontargets.largest();
    const std::uint32_t cycle = s_.cycle();
    s_.yield = !own_.ready.any_issues_before(cycle + arch::barriers::yield_threshold, s_.slots.pipe_free);
    t.any_stall_free = own_.ready.any_free();
    t.min_barrier_latency = t.barrier_count == 0 ? latency_infinity : 0;
    if ((mode_type::tracks_pressure || ws_.want_reasons) && t.barrier_count != 0 && free_targets_ == 0) {
      t.min_barrier_latency = own_.ready.least_wait_of_targets(cycle, latency_infinity);
    }
    if (ws_.want_reasons) survey_rest(own_.records.data(), cycle);
    if (s_.spill.threshold == rescan) scan_targets();
    const auto targets = static_cast<std::int32_t>(t.barrier_count);
    if (s_.spill.no_threshold && targets >= s_.spill.threshold) {
      s_.spill.threshold = targets;
      s_.spill.cutoff = no_cutoff;
    }
  }

  // Statistics that nothing is decided by; they are known where reasons are wanted.
  constexpr void survey_rest(const record* records, std::uint32_t cycle) {
    ready_statistics& t = s_.ready;
    while (!own_.arrivals.empty() && records[own_.arrivals.top().index].bucket == no_record) own_.arrivals.pop();
    t.max_dependence_cycle = own_.arrivals.empty() ? -1 : static_cast<std::int32_t>(~own_.arrivals.top().cycle);
    const std::uint32_t last_target = own_.targets.largest();
    t.max_barrier_slot = last_target == slot_set::none ? -1 : records[last_target].slot;
    t.max_nonbarrier_margin = -1;
    for (const unsigned set : ready_index::likely_first) {
      for (const ready_index::top& h : own_.ready.heads(set)) {
        const std::int32_t margin = records[h.index].margin(cycle);
        if (!h.target() && margin > t.max_nonbarrier_margin) t.max_nonbarrier_margin = margin;
      }
    }
  }

  // The barrier-target scan that the sentinel asks for.
  constexpr void scan_targets() {
    spill_mode& m = s_.spill;
    begin_scan(m);
    if (m.sequence <= 0 || s_.ready.barrier_count == 0) return;
    own_.table.clear();
    own_.targets.each([&](std::uint32_t i) {
      own_.table.push_back(own_.records[i].latency_counter(s_.cycle()));
      return own_.table.size() < depth_table_entries;
    });
    m.targets = static_cast<std::int32_t>(s_.ready.barrier_count);
    m.stall_free_targets = static_cast<std::int32_t>(free_targets_);
    m.supply = m.stall_free_targets;
    const depth_threshold d = derive_threshold(own_.table, m.targets, m.threshold);
    m.threshold = d.threshold;
    m.cutoff = d.cutoff;
    m.no_threshold = false;
  }

  struct chosen {
    std::uint32_t index = no_record;
    std::uint64_t key = 0;
  };
  [[nodiscard]] constexpr chosen look_at(std::uint32_t i, const pick_view& v) {
    ++own_.evaluations;
    return {i, quick_key<arch, mode_type>(own_.records[i], s_, v, i == s_.ready.preferred)};
  }
  [[nodiscard]] constexpr bool first_wins(const chosen& a, const chosen& b) const {
    if (mode_type::tracks_pressure && !narrow_scores_fit(s_, most_)) {
      return compare(value_of(a.index), value_of(b.index), s_.ready.shared_memory_count).first_wins;
    }
    return a.key != b.key ? a.key < b.key : rest_wins<arch>(own_.records[a.index], own_.records[b.index], s_);
  }
  [[nodiscard]] constexpr evaluated value_of(std::uint32_t i) const {
    return evaluate<arch, mode_type>(own_.records[i], s_, i == s_.ready.preferred);
  }

  constexpr bool pick() {
    catch_up();
    survey();
    const pick_view view = view_of<arch, mode_type>(s_);
    chosen best;
    chosen second;
    if (own_.ready.empty()) return false;
    if (s_.ready.total_ready == 1) {
      best.index = head_;
    } else if (!ws_.want_reasons) {
      best.index = winner_search<arch, mode_type>(s_, own_.ready, own_.records.data(), most_, own_.evaluations).find(view);
    }
    if (best.index != no_record) {
      take(best.index);
    } else {
      const auto offer = [&](std::uint32_t i) {
        const chosen c = look_at(i, view);
        if (best.index == no_record) {
          best = c;
        } else if (first_wins(c, best)) {
          second = best;
          best = c;
        } else if (ws_.want_reasons && (second.index == no_record || first_wins(c, second))) {
          second = c;
        }
      };
      for (const unsigned set : ready_index::likely_first) {
        for (const ready_index::top& h : own_.ready.heads(set)) offer(h.index);
      }
      const std::uint32_t preferred = s_.ready.preferred;
      if (preferred != no_record && preferred != best.index && preferred != second.index &&
          own_.ready.head(own_.records[preferred].bucket, own_.records[preferred]) != preferred) {
        offer(preferred);
      }
      take(best.index);
      // The runner-up may stand behind the winner in its own bucket.
      const std::uint32_t next = ws_.want_reasons ? own_.ready.head(bucket_left_, own_.records[best.index]) : no_record;
      if (next != no_record && next != second.index) {
        const chosen c = look_at(next, view);
        if (second.index == no_record || first_wins(c, second)) second = c;
      }
    }
    ++own_.picks;
    const record& r = own_.records[best.index];
    const bool preferred_won = best.index == s_.ready.preferred;
    spill_step step;
    step.barrier_target = r.has(record_flag::barrier_target);
    step.stall_free = r.margin(s_.cycle()) >= 0;
    step.pressing = !r.has(record_flag::imported) || step.stall_free || preferred_won;
    step.within_slots = s_.slots.within_limit(s_.slots.contention(r));
    step.ready_targets = static_cast<std::int32_t>(s_.ready.barrier_count);
    step.live_after = s_.live[0] + r.delta[0];
    step.total_pressure = s_.ready.positive_pressure;
    step.budget = s_.budget.budget;
    step.max_stall_cycles = static_cast<std::int32_t>(mode_type::batch_limit);
    step.partial_pressure = step.total_pressure;
    if (step.barrier_target && !s_.spill.active() && step.total_pressure + step.live_after > step.budget) {
      step.partial_pressure = filtered_pressure(best.index);
    }
    unified::step(s_.spill, step);
    note_temperature(s_, r);
    note_batch<mode_type>(s_.batch, r);
    pick_reason why;
    if (ws_.want_reasons && second.index != no_record) {
      const outcome o = compare(value_of(best.index), value_of(second.index), s_.ready.shared_memory_count);
      why = {second.index, pick_kind::compared, static_cast<std::uint8_t>(o.why)};
    }
    forget(best.index);
    place(best.index, why);
    return true;
  }

  // Positive deltas within the cutoff: all but those of targets that wait longer. Only asked for at the start of a spill
  // episode over budget.
  [[nodiscard]] constexpr std::int32_t filtered_pressure(std::uint32_t winner) const {
    std::int32_t near = s_.ready.positive_pressure;
    const auto leave_out = [&](std::uint32_t i) {
      const record& r = own_.records[i];
      if (r.delta[0] > 0 && r.latency_counter(s_.cycle()) > s_.spill.cutoff) near -= r.delta[0];
    };
    own_.ready.each_waiting(own_.records, leave_out);
    leave_out(winner);
    return near;
  }

  constexpr void take(std::uint32_t i) {
    record& r = own_.records[i];
    bucket_left_ = r.bucket;
    was_free_ = ready_index::is_free(r.bucket);
    r.bucket = no_record;
    own_.ready.left(bucket_left_, i, own_.records);
  }

  // Takes a winner out of the ready list and its statistics.
  constexpr void forget(std::uint32_t i) {
    record& r = own_.records[i];
    (r.previous_ready == no_record ? head_ : own_.records[r.previous_ready].next_ready) = r.next_ready;
    (r.next_ready == no_record ? tail_ : own_.records[r.next_ready].previous_ready) = r.previous_ready;
    const bool target = r.has(record_flag::barrier_target);
    (target ? own_.targets : own_.nontargets).erase(i);
    if (target && was_free_) --free_targets_;
    s_.ready.total_ready -= 1;
    s_.ready.barrier_count -= target ? 1u : 0u;
    s_.ready.dependence_count -= r.has(record_flag::has_dependence) ? 1u : 0u;
    s_.ready.shared_memory_count -= r.has(record_flag::shared_memory) ? 1u : 0u;
    book_delta(r, -1);
  }

  constexpr void place(std::uint32_t i, const pick_reason& why) {
    record& r = own_.records[i];
    const std::uint32_t issue = s_.slots.place(r, i);
    ws_.sequence.push_back(i);
    ws_.planned = issue + std::uint64_t{1};
    if (ws_.want_reasons) ws_.reasons.push_back(why);
    if (own_.want_draft) draft(i, issue);
    r.placed = static_cast<std::int32_t>(ws_.sequence.size());
    own_.values.place(i, [&](std::uint32_t j) {
      record& other = own_.records[j];
      if (other.bucket == no_record) return;
      book_delta(other, -1);
      update_delta(other, j);
      book_delta(other, 1);
      move(j, own_.ready.template bucket_of<mode_type>(other, ready_index::is_free(other.bucket),
                                                       ready_index::is_critical(other.bucket)));
    });
    copy_live();
    for (const dependence_edge& e : ws_.graph.succ(i)) {
      record& to = own_.records[e.to];
      const std::uint32_t at = issue + e.latency;
      if (at > to.earliest) to.earliest = at;
      if (e.kind == dependence_kind::raw && at > to.dependence_cycle) to.dependence_cycle = at;
      if (issue > to.predecessor_cycle) to.predecessor_cycle = issue;
      if (--to.open == 0) make_ready(e.to);
    }
  }

  constexpr void draft(std::uint32_t i, std::uint32_t issue) {
    operand_draft<arch>(p_, order_, ws_.graph).place(own_.draft, i, issue);
  }

  const program& p_;
  span<const instr_id> order_;
  Workspace& ws_;
  space& own_;
  std::uint32_t count_;
  bool pinned_ = false;
  bool was_free_ = false;
  std::uint32_t bucket_left_ = no_record;
  std::uint32_t head_ = no_record;  // of the ready list, in the order of arrival
  std::uint32_t tail_ = no_record;
  std::uint32_t free_targets_ = 0;
  std::int32_t most_[4] = {};  // the largest delta of any instruction that has been ready, units
  state s_;
};

}  // namespace ww::unified
