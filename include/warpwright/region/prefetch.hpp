// SPDX-License-Identifier: BSL-1.0
//
// strategy::prefetch<Inner>: loads of an innermost loop get a prefetch some iterations ahead (PLS-13, "Inserts and schedules
// memory prefetch instructions"); `Inner` schedules it with the rest.
//
//   which      unguarded global loads whose 64-bit address grows by a known step from iteration to iteration
//              (loop_values.hpp), one for every cache line; not volatile ones, nor loops left in another way than at the end
//   distance   iterations ahead: memory latency / planned cycles of one iteration, rounded up
//   guard      the prefetch is done only where that iteration is going to be run (prefetch_guard.hpp): it then names an
//              address that the program loads anyway, and cannot fault where the program does not. Into the second level,
//              which all SMs share, so that no fence can find a stale line
//   registers  one predicate and mostly no or one general register, in physical numbers that are free over the whole body
//              and below the program's count, or in new virtual ones while live registers stay below it
// It works on programs in memory with their words: a listing or a cubin has no place for new instructions. `space::loops`
// says what became of every loop. The model's caches always hit, so what a prefetch gains is not in its cycles: the
// scheduler takes the result when it is proved and costs at most `accepted_cost` percent of them.
#pragma once

#include <algorithm>
#include <cstdint>

#include "../arch/concept.hpp"
#include "../arch/prefetch.hpp"
#include "../ir/program.hpp"
#include "../pressure/liveness.hpp"
#include "../schedule/strategy.hpp"
#include "counted_loop.hpp"
#include "loop_values.hpp"
#include "plan_length.hpp"
#include "prefetch_code.hpp"
#include "prefetch_guard.hpp"

namespace ww::region {

enum class prefetch_refusal : std::uint8_t {
  none,
  no_encoding,     // no prefetch instruction of the SM is known
  placed,          // it goes back to a listing or a cubin
  not_innermost,   // loop of several blocks
  several_exits,   // left otherwise than by falling through at its end
  too_large,       // more instructions than `max_prefetch_body`
  unknown_effect,  // calls, unknown opcodes, reads of its own address
  no_load,         // no unguarded global load that is not volatile
  no_step,         // no load whose address grows by a known step
  no_guard,        // the number of iterations left cannot be told from the branch condition
  too_far,         // the offset does not fit into the instruction
  trip_too_small,  // known to run no more iterations than the distance
  no_registers,    // no predicate or general register free, or above the budget
};

constexpr const char* name_of(prefetch_refusal r) {
  constexpr const char* names[] = {"none",
                                   "no prefetch instruction known for this SM",
                                   "program with encodings: nothing can be inserted",
                                   "loop of several blocks",
                                   "several exits",
                                   "too many instructions",
                                   "call, unknown opcode or own address",
                                   "no plain global load",
                                   "no load with a known step",
                                   "iterations left not known",
                                   "offset too large",
                                   "fewer iterations than the distance",
                                   "no register free within the budget"};
  return names[static_cast<unsigned>(r)];
}

inline constexpr std::uint32_t max_prefetch_body = 1024;  // instructions

}  // namespace ww::region

namespace ww::strategy {

// What became of one loop.
struct prefetch_report {
  block_id body;
  region::prefetch_refusal refusal = region::prefetch_refusal::none;
  std::uint32_t loads = 0;       // with a known step
  std::uint32_t prefetches = 0;  // inserted
  std::uint32_t guard = 0;       // instructions of the guard
  std::uint32_t iteration = 0;   // planned cycles of one iteration
  std::uint32_t distance = 0;    // iterations ahead
  std::int64_t step = 0;         // bytes, of the first load
};

// What may be chosen; derive to override.
struct prefetch_tuning {
  static constexpr std::uint32_t memory_latency = 500;  // cycles of a load that misses both caches; assumed
  static constexpr unsigned level = 2;                  // of the cache, 1 or 2
  static constexpr std::uint32_t max_prefetches = 8;    // per loop
};

template <class T>
concept prefetch_tuning_policy = requires {
  typename meta::constant<std::uint32_t{T::memory_latency} + std::uint32_t{T::max_prefetches}>;
  typename meta::holds<(unsigned{T::level} == 1 || unsigned{T::level} == 2)>;
};

template <class Inner = list, class Tuning = prefetch_tuning>
struct prefetch {
  using role = ww::role::strategy;
  using inner = Inner;
  using tuning = Tuning;
  static constexpr const char* name = "prefetch";
  static constexpr bool arguments_fit = list_strategy<Inner> && prefetch_tuning_policy<Tuning>;
  static constexpr bool models_cycles = ww::detail::strategy_or_list<Inner>::models_cycles;
  static constexpr bool uses_priority = ww::detail::strategy_or_list<Inner>::uses_priority;
  static constexpr bool transforms_program = true;

  static constexpr unsigned accepted_cost = 10;  // percent of the modelled cycles

  struct space {
    vec<prefetch_report> loops;
    std::uint32_t trip_count = 0;  // iterations of every loop, if the caller knows; 0 = not known
    liveness live;
    region::plan_space plan;
    region::loop_values values;
    struct target {
      std::uint32_t place;  // of the load in the body
      reg low;
      std::int64_t line;    // offset of the load from the root
      std::int64_t offset;  // bytes, of the prefetch from low
      region::loop_values::address root;
    };
    vec<target> targets;
    vec<instr_id> order;
    vec<std::uint64_t> row;
  };

  template <class Config>
  static unsigned transform(program& p, space& own) {
    own.loops.clear();
    unsigned changes = 0;
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      prefetch_report r;
      r.body = block_id{b};
      switch (region::inspect_shape(p, r.body)) {
        case region::pipelining_refusal::not_a_loop:
          continue;
        case region::pipelining_refusal::not_innermost:
          r.refusal = refusal::not_innermost;
          break;
        case region::pipelining_refusal::none:
          r.refusal = insert<Config>(p, own, r);
          break;
        default:
          r.refusal = refusal::several_exits;
          break;
      }
      if (r.refusal == refusal::none) changes += r.prefetches;
      own.loops.push_back(r);
    }
    return changes;
  }

 private:
  using refusal = region::prefetch_refusal;

  template <class Config>
  static refusal insert(program& p, space& own, prefetch_report& r) {
    using arch = typename Config::arch;
    if constexpr (!has_prefetch<arch>) {
      return refusal::no_encoding;
    } else {
      if (p.has_encoding) return refusal::placed;
      if (p[r.body].count > region::max_prefetch_body) return refusal::too_large;
      const span<const instr_id> body = p.order_of(p[r.body]);
      for (std::size_t k = 0; k + 1 < body.size(); ++k) {
        for (const iflag f :
             {iflag::call, iflag::ret, iflag::indirect, iflag::unknown, iflag::pc_relative, iflag::ends_block}) {
          if (p[body[k]].has(f)) return refusal::unknown_effect;
        }
      }
      own.values.start(p, body);
      if (!find_loads(p, body, own)) return refusal::no_load;
      r.loads = static_cast<std::uint32_t>(own.targets.size());
      if (r.loads == 0) return refusal::no_step;
      r.step = own.targets[0].offset;
      r.iteration = std::max(region::plan_length<Config>(p, r.body, own.plan), 1u);
      r.distance = (Tuning::memory_latency + r.iteration - 1) / r.iteration;
      if (own.trip_count != 0 && own.trip_count <= r.distance) return refusal::trip_too_small;
      const region::prefetch_guard guard = region::guard_of(p, body, own.values, r.distance);
      if (!guard.known) return refusal::no_guard;
      choose_lines<arch>(p, body, own, r.distance);
      if (own.targets.empty()) return refusal::too_far;
      reg t;
      reg q;
      if (!find_registers<arch>(p, r.body, guard.moved, own, t, q)) return refusal::no_registers;
      r.guard = guard.instructions();
      r.prefetches = static_cast<std::uint32_t>(own.targets.size());
      return write<arch>(p, r.body, guard, t, q, own) ? refusal::none : refusal::no_encoding;
    }
  }

  // Loads with a known step; `offset` holds the step for now. False where there is no plain load at all.
  static bool find_loads(const program& p, span<const instr_id> body, space& own) {
    own.targets.clear();
    bool any = false;
    for (std::uint32_t k = 0; k < body.size(); ++k) {
      const instruction& i = p[body[k]];
      if (i.op != opcode::ldg || i.dir != mem_dir::load || i.has(iflag::guarded) || i.has(iflag::volatile_mem)) continue;
      reg low;
      bool other = false;
      for (const operand o : p.operands_of(i)) {
        if (!o.is_use() || !o.is_register()) continue;
        if (o.where() == slot::address && o.width() == 2 && o.file() == reg_file::r) low = o.base();
        other = other || o.where() == slot::uaddress;
      }
      any = true;
      if (low.is_none() || other) continue;
      const reg high(reg_file::r, low.number() + 1);
      const region::loop_values::address a = own.values.at(low, high, k);
      std::int64_t step = 0;
      if (!a.known || !own.values.step(a.low, a.high, step) || step == 0) continue;
      own.targets.push_back({k, low, a.offset + i.mem_offset, step, a});
    }
    return any;
  }

  // One load for each cache line, in order, and how far from its address the prefetch goes.
  template <class Arch>
  static void choose_lines(const program& p, span<const instr_id> body, space& own, std::uint32_t distance) {
    constexpr prefetch_form form = Arch::prefetch;
    std::uint32_t kept = 0;
    for (std::uint32_t n = 0; n < own.targets.size() && kept < Tuning::max_prefetches; ++n) {
      typename space::target t = own.targets[n];
      bool covered = false;
      for (std::uint32_t m = 0; m < kept; ++m) {
        const typename space::target& have = own.targets[m];
        const std::int64_t apart = t.line - have.line;
        covered = covered || (t.root.same_root(have.root) && apart < form.line && -apart < form.line);
      }
      if (covered) continue;
      t.offset = p[body[t.place]].mem_offset + t.offset * distance;
      if (t.offset > form.max_offset || -t.offset > form.max_offset) continue;
      own.targets[kept++] = t;
    }
    own.targets.resize(kept);
  }

  // A predicate, and a general register if wanted.
  template <class Arch>
  static bool find_registers(const program& p, block_id b, bool wants_general, space& own, reg& t, reg& q) {
    using limits = typename Arch::limits;
    std::uint32_t next[2] = {0, 0};  // numbers in use above the physical ones, R and P
    for (const operand& o : p.operands) {
      if (!o.is_register() || !o.base().is_virtual()) continue;
      if (o.file() != reg_file::r && o.file() != reg_file::p) continue;
      std::uint32_t& n = next[o.file() == reg_file::r ? 0 : 1];
      n = std::max(n, o.base().number() + o.width());
    }
    const std::uint32_t budget =
        p.register_count != 0 ? p.register_count : static_cast<std::uint32_t>(limits::general_registers);
    own.live.compute(p,
                     {limits::general_registers, limits::predicates, limits::uniform_registers, limits::uniform_predicates});
    // Live anywhere in the body, or touched by it.
    const span<const std::uint64_t> out = own.live.live_out(b);
    own.row.assign(out.begin(), out.end());
    std::uint32_t most = 0;
    std::uint32_t most_predicates = 0;
    vec<std::uint64_t> taken(own.row.size(), 0);
    const span<const instr_id> body = p.order_of(p[b]);
    for (std::size_t k = body.size(); k-- > 0;) {
      own.live.step(p, p[body[k]], own.row.data());
      const live_count now = own.live.layout.template population<simd::scalar>(own.row.data());
      most = std::max(most, now[pressure_class::r]);
      most_predicates = std::max(most_predicates, now[pressure_class::p]);
      for (std::size_t w = 0; w < taken.size(); ++w) taken[w] |= own.row[w] | out[w];
      for (const operand o : p.operands_of(body[k])) {
        if (o.is_register()) own.live.each_bit(o, [&](std::uint32_t bit) { taken[bit >> 6] |= 1ull << (bit & 63u); });
      }
    }
    const auto free = [&](reg r) {
      std::uint32_t bit = 0;
      return !own.live.layout.bit_of(r, bit) || (taken[bit >> 6] >> (bit & 63u) & 1u) == 0;
    };
    if (next[0] != 0 || next[1] != 0) {  // before allocation
      if (wants_general && most + 1 > budget) return false;
      if (most_predicates + 1 > limits::predicates) return false;
      t = reg(reg_file::r, std::max(next[0], reg::first_virtual));
      q = reg(reg_file::p, std::max(next[1], reg::first_virtual));
      return true;
    }
    q = t = reg{};
    for (std::uint32_t n = 0; n < limits::predicates && q.is_none(); ++n) {
      if (free(P(n))) q = P(n);
    }
    // The declared count has the reserved registers in it.
    const std::uint32_t held = p.register_count != 0 ? limits::reserved_registers : 0u;
    const std::uint32_t usable = std::min<std::uint32_t>(budget - std::min(budget, held), limits::general_registers);
    for (std::uint32_t n = 0; wants_general && n < usable && t.is_none(); ++n) {
      if (n != 1 && free(R(n))) t = R(n);  // R1 is the stack
    }
    return !q.is_none() && (!wants_general || !t.is_none());
  }

  // The guard at the start of the body, each prefetch in front of its load.
  template <class Arch>
  static bool write(program& p, block_id b, const region::prefetch_guard& g, reg t, reg q, space& own) {
    isa::dialect dialect;
    dialect.uniform_zero = Arch::limits::uniform_zero;
    region::prefetch_writer w(p, dialect);
    const std::uint32_t first = p[b].first;
    const std::uint32_t count = p[b].count;
    own.order.clear();
    const instruction condition = p[g.condition];
    const reg compared = g.moved ? t : g.counter;
    if (g.moved) own.order.push_back(w.add(t, g.counter, g.addend));
    if (g.checked) own.order.push_back(w.compare(q, t, g.wrap, g.is_signed, g.counter, PT));
    const reg also = g.checked ? q : PT;
    own.order.push_back(g.immediate ? w.compare(q, compared, g.compare, g.is_signed, g.bound, also)
                                    : w.compare(q, compared, g.compare, g.is_signed, condition, also));
    std::uint32_t next = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
      for (; next < own.targets.size() && own.targets[next].place == k; ++next) {
        const typename space::target& x = own.targets[next];
        own.order.push_back(w.prefetch(Arch::prefetch, Tuning::level, q, x.low, static_cast<std::int32_t>(x.offset)));
      }
      own.order.push_back(p.order[first + k]);
    }
    if (!w.ok()) {
      p.instructions.resize(p.instructions.size() - (own.order.size() - count));
      return false;
    }
    const auto added = static_cast<std::uint32_t>(own.order.size()) - count;
    const auto old_end = static_cast<std::ptrdiff_t>(std::size_t{first} + count);
    vec<instr_id> rest(p.order.begin() + old_end, p.order.end());
    p.order.resize(first);
    p.order.insert(p.order.end(), own.order.begin(), own.order.end());
    p.order.insert(p.order.end(), rest.begin(), rest.end());
    p[b].count += added;
    for (std::uint32_t later = b.index() + 1; later < p.blocks.size(); ++later) p.blocks[later].first += added;
    return true;
  }
};

}  // namespace ww::strategy
