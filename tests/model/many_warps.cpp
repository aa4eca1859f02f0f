// SPDX-License-Identifier: BSL-1.0
//
// Many warps: the fast walk against a plain one that asks every warp at every issue, cycle for cycle and reason for reason.
#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <warpwright/model/far_view.hpp>
#include <warpwright/model/simulate.hpp>
#include <warpwright/sass/listing.hpp>

#include "scoreboard/support.hpp"
#include "support/corpus.hpp"

using namespace ww;

namespace {

constexpr std::int32_t never = 0x3fffffff;

// One start of the warps, by the words of many_warps.hpp: greedy on the warp that issued last, else the youngest ready one.
template <class Arch>
class plain_walk {
 public:
  plain_walk(const program& p, const model::options& o) : p_(p), o_(o), warps_(o.warps) {
    model::detail::make_trace(p, trace_);
    static_cast<void>(model::price_operand_reads<Arch>(p, bubbles_));
    if (o.banks == model::bank_pricing::none) bubbles_.assign(p.instructions.size(), 0);
    cycles.assign(p.blocks.size(), 0);
    lost.assign(p.instructions.size(), {});
    for (const std::uint32_t b : trace_) visits.resize(p.blocks.size()), ++visits[b];
  }

  std::vector<double> cycles;  // by block
  std::vector<std::uint32_t> visits;
  std::vector<model::instruction_cost> lost;

  void run(std::uint32_t stagger) {
    const auto& facts = model::class_facts<Arch>();
    for (unsigned w = 0; w < o_.warps; ++w) {
      warps_[w] = {};
      warps_[w].state.next = static_cast<std::int32_t>(w * stagger);
      step(warps_[w]);
    }
    std::vector<std::int32_t> pipes(pipe_count, 0);
    const auto when = [&](const one& w, std::int32_t now) {
      if (w.done) return never;
      const instruction& i = p_[w.next];
      return std::max(
          {w.state.ready(p_, i), pipes[static_cast<unsigned>(facts[static_cast<unsigned>(i.iclass)].pipe)], now});
    };
    std::int32_t now = 0;
    unsigned last = 0;
    for (;;) {
      unsigned pick = last;
      for (unsigned w = o_.warps; w-- > 0;) {
        if (when(warps_[w], now) < when(warps_[pick], now)) pick = w;
      }
      one& w = warps_[pick];
      const std::int32_t t = when(w, now);
      if (t == never) return;
      const instruction& i = p_[w.next];
      const model::class_fact& f = facts[static_cast<unsigned>(i.iclass)];
      const std::int32_t own = std::max(w.state.next, w.state.bank);
      if (t > now) {
        const model::stall_reason why = w.state.ready(p_, i) < t           ? model::stall_reason::pipe
                                        : w.state.by_counters(p_, i) > own ? model::stall_reason::barrier
                                                                           : model::stall_reason::stall_count;
        lost[w.next.index()].lost[static_cast<unsigned>(why)] += static_cast<std::uint32_t>(t - now);
      }
      const std::int32_t bubbles = bubbles_[w.next.index()];
      const std::int32_t shared = o_.banks == model::bank_pricing::sub_core ? bubbles : 0;
      if (f.pipe != pipe_id::none) pipes[static_cast<unsigned>(f.pipe)] = t + f.interval + shared;
      cycles[w.block] += t + 1 - now + shared;
      now = t + 1 + shared;
      w.state.issue(i, f, t, bubbles, o_.far);
      last = pick;
      step(w);
    }
  }

 private:
  struct one {
    model::warp_state<Arch> state;
    std::size_t place = 0;
    std::uint32_t position = 0, end = 0, block = 0;
    instr_id next;
    bool done = false;
  };
  void step(one& w) {
    for (;;) {
      while (w.position < w.end) {
        w.next = p_.order[w.position++];
        if (!p_[w.next].has(iflag::padding)) return;
      }
      w.done = w.place == trace_.size();
      if (w.done) return;
      w.block = trace_[w.place++];
      w.position = p_.blocks[w.block].first;
      w.end = w.position + p_.blocks[w.block].count;
    }
  }

  const program& p_;
  const model::options& o_;
  std::vector<one> warps_;
  vec<std::uint32_t> trace_;
  vec<std::uint8_t> bubbles_;
};

template <class Arch>
std::string compare(const program& p, model::options o) {
  static model::workspace ws;
  const model::cost fast = model::simulate<Arch>(p, o, ws);
  plain_walk<Arch> plain(p, o);
  unsigned starts = 0;
  if (o.stagger != 0) {
    plain.run(o.stagger);
    starts = 1;
  } else {
    for (const std::uint32_t s : model::mean_staggers) plain.run(s), ++starts;
  }
  for (std::size_t b = 0; b < p.blocks.size(); ++b) {
    if (plain.visits.empty() || plain.visits[b] == 0) continue;
    const double wanted = plain.cycles[b] / (static_cast<double>(plain.visits[b]) * o.warps * starts);
    if (fast.block_cycles[b] < wanted || fast.block_cycles[b] > wanted) {
      return "block " + std::to_string(b) + ": " + std::to_string(fast.block_cycles[b]) + " for " + std::to_string(wanted);
    }
  }
  if (!o.reasons) return {};
  for (std::size_t k = 0; k < p.instructions.size(); ++k) {
    for (unsigned r = 0; r < model::reason_count; ++r) {
      if (fast.instructions[k].lost[r] != plain.lost[k].lost[r] / starts)
        return "reasons of instruction " + std::to_string(k);
    }
  }
  return {};
}

const std::vector<model::options> ways{
    {.warps = 2, .reasons = true, .stagger = 7, .far = 250},
    {.warps = 3, .reasons = true},
    {.warps = 8},
    {.warps = 16, .reasons = true, .banks = model::bank_pricing::sub_core},
    {.warps = 5, .reasons = true, .stagger = 400, .banks = model::bank_pricing::none, .far = 77},
    {.warps = 64, .stagger = 3},
};

// Any words: stalls, yields, drains, counters that are set and awaited without sense.
void scramble(program& p, std::mt19937& random) {
  for (instruction& i : p.instructions) {
    const auto draw = [&](unsigned n) { return static_cast<std::uint8_t>(random() % n); };
    i.ctl.stall = draw(4) == 0 ? draw(16) : draw(3);
    i.ctl.yield = draw(2) == 0;
    i.ctl.write_barrier = draw(3) == 0 ? draw(6) : std::uint8_t{7};
    i.ctl.read_barrier = draw(4) == 0 ? draw(6) : std::uint8_t{7};
    i.ctl.wait_mask = draw(4) == 0 ? draw(64) : std::uint8_t{0};
  }
}

template <class Arch>
void over_listings(std::initializer_list<const char*> names) {
  std::mt19937 random(20261128);
  unsigned programs = 0;
  for (const char* name : names) {
    const auto r = sass::read_listing(ww_test::corpus::text(ww_test::corpus::bundled(name)), {.sm = Arch::id, .file = name});
    REQUIRE(bool(r));
    for (program p : r.mod.sections) {
      REQUIRE(build_cfg(p).ok);
      for (int round = 0; round < 3; ++round) {
        for (const model::options& o : ways) {
          const std::string fault = compare<Arch>(p, o);
          INFO(name << ", round " << round << ", " << o.warps << " warps: " << fault);
          REQUIRE(fault.empty());
        }
        scramble(p, random);
      }
      ++programs;
    }
  }
  CHECK(programs >= names.size());
}

}  // namespace

TEST_CASE("many warps: as a plain walk over all warps, with the compiler's words and any others") {
  over_listings<sm60>({"listings_short/scan.sm60.sass", "listings_short/rmsnorm_h2.sm61.sass"});
  over_listings<sm75>({"listings/reduce_shfl.sm75.sass", "listings_rare/textures.sm75.sass"});
  over_listings<sm80>({"listings/sync_heavy.sm80.sass", "listings_rare/surfaces.sm80.sass"});
  over_listings<sm90>({"listings/reduce_shfl.sm90.sass", "listings/saxpy.sm90.sass"});
}

TEST_CASE("many warps: who is asleep wakes at its time, however far") {
  std::mt19937 random(5);
  for (int round = 0; round < 200; ++round) {
    model::wake_wheel wheel;
    wheel.reset();
    std::vector<std::int32_t> times(64, -1);  // of those that are there
    std::int32_t now = 0;
    for (int k = 0; k < 400; ++k) {
      const auto w = static_cast<unsigned>(random() % 64);
      const bool awake = times[w] < 0 || times[w] <= now;
      if (awake && random() % 8 == 0) {
        wheel.remove(w);
        times[w] = -1;
      } else if (awake) {
        times[w] = now + static_cast<std::int32_t>(random() % (random() % 3 == 0 ? 1000u : 4u));
        wheel.set(w, times[w]);
        CHECK(wheel.time_of(w) == times[w]);
      }
      std::int32_t next = model::wake_wheel::never;
      for (const std::int32_t t : times) {
        if (t > now) next = std::min(next, t);
      }
      REQUIRE(wheel.next() == next);
      if (random() % 2 == 0) {
        now = random() % 3 == 0 && next != model::wake_wheel::never ? next : now + 1;
        wheel.jump(now);
      }
      for (unsigned i = 0; i < 64; ++i) REQUIRE((wheel.awake() >> i & 1u) == (times[i] >= 0 && times[i] <= now));
    }
  }
}

TEST_CASE("many warps: who is for a pipe that is busy is held until it opens, however late") {
  std::mt19937 random(6);
  for (int round = 0; round < 200; ++round) {
    model::pipe_gates gates;
    gates.reset();
    std::vector<unsigned> pipe(64, pipe_count);  // by warp; pipe_count: for none yet
    std::vector<std::int32_t> opens(pipe_count, 0);
    std::int32_t now = 0;
    for (int k = 0; k < 400; ++k) {
      const auto w = static_cast<unsigned>(random() % 64);
      if (pipe[w] == pipe_count) {
        pipe[w] = static_cast<unsigned>(random() % pipe_count);
        gates.hold(w, pipe[w]);
      } else if (opens[pipe[w]] <= now) {
        const std::int32_t t = now + static_cast<std::int32_t>(random() % (random() % 4 == 0 ? 700u : 5u));
        if (pipe[w] != static_cast<unsigned>(pipe_id::none)) opens[pipe[w]] = t;
        gates.leave(w, pipe[w], t);
        if (t == now) opens[pipe[w]] = now;  // a pipe that takes the next one at once is not closed
        pipe[w] = pipe_count;
        ++now;
        gates.jump(now);
      }
      std::int32_t next = model::pipe_gates::never;
      for (const std::int32_t t : opens) {
        if (t > now) next = std::min(next, t);
      }
      REQUIRE(gates.next() == next);
      if (random() % 4 == 0) {
        now = next != model::pipe_gates::never ? next : now + 1;
        gates.jump(now);
      }
      for (unsigned i = 0; i < 64; ++i) REQUIRE((gates.held() >> i & 1u) == (pipe[i] < pipe_count && opens[pipe[i]] > now));
    }
  }
}
