// SPDX-License-Identifier: BSL-1.0
//
// The encoder chain (SB-4, "Per-Field Encoder Chain"): all field encoders on every instruction of a program, in order.
//
//   wait mask      what its registers are protected by (association.hpp), and everything at a border that needs it
//   write barrier  a variable-latency result takes a counter (write_barrier.hpp)
//   read barrier   so do late sources of an instruction without such a result
//   stall, yield   of the instruction before, so that this one comes late enough (stall_yield.hpp)
//   reuse          from nothing, where the configuration asks for it (reuse_flags.hpp)
// The counters of a block are its own (the text builds a scoreboard object for each): the last instruction of a block waits
// for all of them, and what it raises itself is waited for by the first of the next block. That is what the text's chain
// does and is right for every program; assign.hpp does better, for it sees all paths. `selected`, if given, marks the
// instructions whose words are made; the others keep theirs, and only waits are added to them.
// A listener is told of every eviction, every conflict and every counter that the text would free by age.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../../arch/late_source.hpp"
#include "../../meta/vec.hpp"
#include "../class_table.hpp"
#include "../reuse.hpp"
#include "../special.hpp"
#include "association.hpp"
#include "chain_timing.hpp"
#include "config.hpp"
#include "reuse_flags.hpp"
#include "stall_yield.hpp"
#include "write_barrier.hpp"

namespace ww::scoreboard {

// Hears nothing. `evicted`: the producer at `pos` wants a counter and takes `counter` from its owner; true = somebody else
// makes sure that it is zero, so that the producer need not wait itself. `conflict`: the instruction at
// `pos` waits for `counter`, and its registers meet those of the instruction at `owner`, which raised it. `released`: the
// text would free the counter that the instruction at `pos` raised, for it is 56 cycles back; told for every later one.
struct chain_listener {
  bool evicted(std::uint32_t, unsigned) { return false; }
  void conflict(std::uint32_t, unsigned, std::uint32_t) {}
  void released(std::uint32_t, unsigned) {}
};

template <class Arch>
class encoder_chain {
 public:
  using pool_type = barrier_pool<typename Arch::barriers>;
  using timing = chain_timing<Arch>;

  explicit encoder_chain(const field_config& c = config_of<Arch>()) : config_(c) {}

  // `selected` by instruction index, empty = all.
  template <class Listener = chain_listener>
  void run(program& p, const vec<std::uint8_t>& selected = {}, Listener&& listener = {}) {
    counters_.start(p);
    named_ = named_counters(p);
    known_ = control_is_known(p);
    left_.assign(p.blocks.size(), 0);
    elsewhere_ = 0;
    for (std::uint32_t k = 0; k < p.instructions.size() && !selected.empty(); ++k) {
      const control& c = p.instructions[k].ctl;
      if (selected[k] != 0) continue;
      if (c.sets_write()) elsewhere_ |= 1u << c.write_barrier;
      if (c.sets_read()) elsewhere_ |= 1u << c.read_barrier;
    }
    for (const block& b : p.blocks) encode_block(p, b, selected, listener);
    wait_behind_borders(p);
    p.has_control = true;
    if (!selected.empty()) keep_valid_reuse<Arch>(p);  // words that kept theirs may have new neighbours
    if (!config_.reuse) return;
    for (const block& b : p.blocks) {
      for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
        instruction& i = p[p.order[pos]];
        if (!wanted(p, pos, selected) || !i.has(iflag::reuse_legal)) continue;
        i.ctl.reuse = encode_reuse_flags<Arch>(p, b, pos);
      }
    }
  }

 private:
  static constexpr std::int32_t window = 64;  // cycles after which no fixed latency binds
  static constexpr unsigned every = (1u << pool_type::size) - 1u;

  struct busy_entry {
    std::int32_t set = -1000;  // cycle
    std::uint32_t position = 0;
  };

  static void add_wait(instruction& i, unsigned mask) {
    i.ctl.wait_mask = static_cast<std::uint8_t>(i.ctl.wait_mask | mask);
  }
  // What the last instruction of a block raises is waited for where control goes on, by the first that can wait. A block without
  // such a one falls into the next, so that one sweep is enough.
  void wait_behind_borders(program& p) {
    for (const block& b : p.blocks) {
      unsigned in = 0;
      for (const std::uint32_t e : p.pred_edges_of(b)) in |= left_[p.edges[e].from.index()];
      const auto passed = [&](const instruction& i) { return i.has(iflag::padding) || cannot_wait(i); };
      std::uint32_t pos = b.first;
      while (pos < b.first + b.count && passed(p[p.order[pos]])) ++pos;
      if (pos < b.first + b.count) {
        add_wait(p[p.order[pos]], in);
      } else {
        left_[static_cast<std::size_t>(&b - p.blocks.data())] |= in;
      }
    }
  }
  static bool wanted(const program& p, std::uint32_t pos, const vec<std::uint8_t>& selected) {
    const instr_id id = p.order[pos];
    return !p[id].has(iflag::padding) && (selected.empty() || selected[id.index()] != 0);
  }

  template <class Listener>
  void encode_block(program& p, const block& b, const vec<std::uint8_t>& selected, Listener& listener) {
    pool_.reset();
    const bool all_named = (named_ & every) == every;  // then whoever takes one shares it with DEPBAR, which waits longer
    for (unsigned c = 0; c < pool_type::size; ++c) {
      busy_[c] = {};
      pool_.records[c].reserved = !all_named && (named_ >> c & 1u) != 0;
    }
    counters_.clear(0xff);
    pending_ = 0;
    entry_known_ = selected.empty() || b.pred_count == 0;
    unknown_ = entry_known_ ? 0 : elsewhere_;
    issue_.assign(b.count, 0);
    pos_base_ = b.first;
    force_ = false;
    drained_ = 0;
    const auto& table = class_table<Arch>();
    bool any = false;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) any = any || wanted(p, pos, selected);
    if (!any) return;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      instruction& i = p[p.order[pos]];
      if (i.has(iflag::padding)) continue;
      const class_entry& c = table[static_cast<unsigned>(i.iclass)];
      const bool mine = wanted(p, pos, selected);
      const control had = i.ctl;
      const bool results = timing::has_result(p, i);
      bool late = false;
      for (const operand o : p.operands_of(i)) {
        late = late || (o.is_use() && o.is_register() &&
                        taken_for_late<typename Arch::latency>({i.iclass, o.where(), o.file(), 0, i.has(iflag::guarded)}));
      }
      const bool said = known_ && !(mine && !selected.empty());  // what is new among kept words has none of its own yet
      const special_role role = role_of<Arch>(i, had, said, results, named_);
      if (mine) {
        i.ctl = control{};
        if (!i.has(iflag::reuse_legal)) i.ctl.reuse = had.reuse;
      }
      const std::uint32_t last = b.first + b.count - 1;
      unsigned wait = encode_wait_mask(p, i, counters_) | (mine ? unknown_ : 0u);
      const bool orders = role.has(special_role::order_wait) || role.has(special_role::wait_all);
      if (orders || pos == last || force_) wait |= pending_;
      const bool never = role.has(special_role::never_waits);  // then whoever comes behind it waits
      force_ = role.has(special_role::force_next) || (never && force_);
      wait |= i.ctl.wait_mask;
      if (never) wait = 0;
      tell_conflicts(p, pos, wait, listener);
      settle(i, wait);
      place(p, b, pos, selected);
      for (unsigned k = 0; k < pool_type::size; ++k) {
        const bool old = now(pos) - busy_[k].set >= static_cast<std::int32_t>(config_.barrier_latency);
        if ((pending_ >> k & 1u) != 0 && old) listener.released(busy_[k].position, k);
      }
      if (mine) {
        raise(p, pos, c, role, results, late, listener);
      } else {
        note(p, pos, had.write_barrier, had.read_barrier);
      }
      if (timing::drains_behind(p, i)) drain(i, mine);
      if (pos == last) finish(p, b, pos, mine);
    }
  }

  // The wait has been decided: its counters are free again.
  void settle(instruction& i, unsigned wait) {
    i.ctl.wait_mask = static_cast<std::uint8_t>(i.ctl.wait_mask | wait);
    counters_.clear(wait);
    pending_ &= ~wait;
    unknown_ &= ~wait;
    for (unsigned c = 0; c < pool_type::size; ++c) {
      if ((wait >> c & 1u) != 0) pool_.release(c);
    }
  }

  // Of the counters that `pos` waits for, those whose owner's registers meet its own.
  template <class Listener>
  void tell_conflicts(const program& p, std::uint32_t pos, unsigned wait, Listener& listener) {
    if (!config_.conflicts) return;
    const barrier_operands mine = operands_for_barrier(p, p[p.order[pos]]);
    for (unsigned c = 0; c < pool_type::size; ++c) {
      if ((pending_ & wait & 1u << c) == 0) continue;
      const instruction& owner = p[p.order[busy_[c].position]];
      barrier_operands live = operands_for_barrier(p, owner);
      if (owner.ctl.write_barrier != c) live.results = {};  // a read counter stands for sources alone
      if (owner.ctl.read_barrier != c) live.sources = {};
      if (conflicting(conflict_vector(mine, live, config_.banks))) listener.conflict(pos, c, busy_[c].position);
    }
  }

  // Issue cycle of `pos`, and the stall of the instruction before it.
  void place(program& p, const block& b, std::uint32_t pos, const vec<std::uint8_t>& selected) {
    const std::uint32_t k = pos - b.first;
    if (!entry_known_ && wanted(p, pos, selected)) land_everything(p, b, k);
    if (k == 0) return;
    instruction& before = p[p.order[pos - 1]];
    if (before.has(iflag::padding)) return;
    const std::int32_t from = issue_[k - 1];
    const instruction& here = p[p.order[pos]];
    std::int32_t at = from + static_cast<std::int32_t>(std::max(timing::own_stall(p, before), stall_in_front(here)));
    for (unsigned c = 0; c < pool_type::size; ++c) {
      if ((here.ctl.wait_mask >> c & 1u) != 0) {
        at = std::max(at, busy_[c].set + static_cast<std::int32_t>(config_.set_to_wait));
      }
    }
    for (std::uint32_t e = k; e-- > drained_ && from - issue_[e] < window;) {
      const instruction& earlier = p[p.order[b.first + e]];
      at = std::max(at, issue_[e] + timing::distance(p, earlier, here));
      if (timing::lands_all(here)) at = std::max(at, issue_[e] + static_cast<std::int32_t>(timing::landing(p, earlier)));
    }
    const bool mine = wanted(p, pos - 1, selected);
    stall_field f = encode_stall_and_yield(static_cast<unsigned>(at - from), config_);
    if (!mine && f.stall <= before.ctl.stall && f.short_by == 0) {
      f.stall = before.ctl.stall;
    } else if (!before.ctl.drains() && f.short_by == 0) {
      before.ctl.stall = static_cast<std::uint8_t>(f.stall);
      before.ctl.yield = f.yield;
    } else {
      drain(before, true);
    }
    if (before.ctl.drains()) drained_ = k;
    issue_[k] = std::max(at, from + static_cast<std::int32_t>(f.stall));
  }

  // Kept words of the blocks before know nothing of what is made here: their fixed results land first.
  void land_everything(program& p, const block& b, std::uint32_t k) {
    entry_known_ = true;
    if (k != 0) {
      if (issue_[k - 1] < window) drain(p[p.order[b.first + k - 1]], true);
      return;
    }
    for (const std::uint32_t e : p.pred_edges_of(b)) {
      const block& before = p[p.edges[e].from];
      if (before.count != 0) drain(p[p.order[before.first + before.count - 1]], true);
    }
  }

  static void drain(instruction& i, bool mine) {
    if (!mine) return;
    i.ctl.stall = 0;
    i.ctl.yield = true;
  }

  template <class Listener>
  void raise(program& p, std::uint32_t pos, const class_entry& c, const special_role& role, bool results, bool late,
             Listener& listener) {
    instruction& i = p[p.order[pos]];
    const bool pinned = role.has(special_role::force_next) && !role.has(special_role::order_read);
    if (pinned || role.has(special_role::pin_write)) {
      i.ctl.write_barrier = role.write_pin;
    } else if ((c.variable && results && i.iclass != sched_class::hgmma) || role.has(special_role::order_write)) {
      i.ctl.write_barrier = take(p, pos, c, true, listener);
    }
    if (pinned || role.has(special_role::pin_read)) {
      i.ctl.read_barrier = role.read_pin;
    } else if ((late && !i.ctl.sets_write()) || role.has(special_role::order_read)) {
      i.ctl.read_barrier = take(p, pos, c, false, listener);
    }
    note(p, pos, i.ctl.write_barrier, i.ctl.read_barrier);
  }

  template <class Listener>
  std::uint8_t take(program& p, std::uint32_t pos, const class_entry& c, bool write, Listener& listener) {
    barrier_request q;
    q.producer = p.order[pos];
    q.queue = write ? c.write_queue : c.read_queue;
    q.write = write;
    q.cycle = now(pos);
    q.done_cycle = q.cycle + static_cast<std::int32_t>(config_.barrier_latency);
    const barrier_choice choice = encode_write_barrier(pool_, q);
    if (choice.wait_first) {
      const unsigned bit = 1u << choice.index;
      if (!listener.evicted(pos, choice.index)) add_wait(p[p.order[pos]], bit);
      counters_.clear(bit);
      pending_ &= ~bit;
      // the wait must see the counter that was raised just before
      if (busy_[choice.index].position + 1 == pos) {
        control& before = p[p.order[pos - 1]].ctl;
        if (!before.drains() && before.stall < config_.set_to_wait)
          before.stall = static_cast<std::uint8_t>(config_.set_to_wait);
      }
    }
    return choice.index;
  }

  [[nodiscard]] std::int32_t now(std::uint32_t pos) const { return issue_[pos - pos_base_]; }

  // `pos` raises these counters.
  void note(const program& p, std::uint32_t pos, std::uint8_t write, std::uint8_t read) {
    const instruction& i = p[p.order[pos]];
    for (const operand o : p.operands_of(i)) {
      if (!o.is_register()) continue;
      if (o.is_def() && write != control::no_barrier) counters_.set_result(o, write);
      if (o.is_use() && read != control::no_barrier) counters_.set_source(o, read);
      if (o.is_use() && write != control::no_barrier) counters_.set_source(o, write);
    }
    for (const std::uint8_t k : {write, read}) {
      if (k >= pool_type::size) continue;
      busy_[k] = {now(pos), pos};
      pending_ |= 1u << k;
      if (pool_.is_free(k)) {
        barrier_request q;
        q.producer = p.order[pos];
        q.cycle = now(pos);
        pool_.set(k, q);
      }
    }
  }

  // The last instruction of a block: everything fixed has landed when the next block begins.
  void finish(program& p, const block& b, std::uint32_t pos, bool mine) {
    instruction& i = p[p.order[pos]];
    left_[static_cast<std::size_t>(&b - p.blocks.data())] = pending_;
    unsigned need = mine ? timing::own_stall(p, i) : i.ctl.stall;
    if (pending_ != 0) need = std::max(need, config_.set_to_wait);
    const auto& table = class_table<Arch>();
    for (std::uint32_t e = b.count; e-- > drained_ && issue_[b.count - 1] - issue_[e] < window;) {
      const instruction& x = p[p.order[b.first + e]];
      const class_entry& c = table[static_cast<unsigned>(x.iclass)];
      unsigned longest = timing::landing(p, x);
      for (const operand o : p.operands_of(x)) {
        const unsigned f = static_cast<unsigned>(o.file()) - 1u;
        if (o.is_register() && o.is_use() && f < 4u) longest = std::max<unsigned>(longest, c.war[f]);
      }
      const std::int32_t left = issue_[e] + static_cast<std::int32_t>(longest) - issue_[b.count - 1];
      if (left > static_cast<std::int32_t>(need)) need = static_cast<unsigned>(left);
    }
    const stall_field f = encode_stall_and_yield(need, config_);
    if (f.short_by != 0 || i.ctl.drains()) {
      drain(i, true);
    } else if (mine || f.stall > i.ctl.stall) {
      i.ctl.stall = static_cast<std::uint8_t>(f.stall);
      i.ctl.yield = f.yield;
    }
  }

  field_config config_;
  register_counters counters_;
  pool_type pool_;
  busy_entry busy_[pool_type::size];
  vec<std::int32_t> issue_;     // by place in the block
  vec<std::uint32_t> left_;     // by block: counters that its last instruction leaves raised
  std::uint32_t pos_base_ = 0;  // position of the block's first instruction
  std::uint32_t drained_ = 0;   // first place after the last drain
  unsigned pending_ = 0;        // counters raised in this block and not waited for
  unsigned unknown_ = 0;        // counters that kept words of other blocks may have left raised
  unsigned elsewhere_ = 0;
  std::uint8_t named_ = 0;
  bool known_ = false;
  bool force_ = false;
  bool entry_known_ = true;
};

}  // namespace ww::scoreboard
