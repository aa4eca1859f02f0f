// SPDX-License-Identifier: BSL-1.0
//
// The unified engine against the text's way of doing it: at every pick the ready list is walked as a whole, its fourteen
// statistics gathered, every candidate evaluated and compared; the thirteen statistics that the engine keeps, its winner and
// its second best must be the same. So must be what the engine tells the spill mode (the fourteenth, filtered pressure, among
// it), worked out here from the records and the walk, and the records themselves, from graph and issue cycles.
#include "warpwright/schedule/unified/unified.hpp"

#include <algorithm>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/random_block.hpp"
#include "count_allocations.hpp"
#include "warpwright/arch/sm50.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"

namespace {

using namespace ww::unified;

template <class Arch, class Mode>
using config = ww::config_of<Arch, ww::strategy::unified, Mode>;

// The engine, checked before each of its picks.
template <class Config>
class watched : public engine<Config, ww::schedule_workspace<Config>> {
  using base = engine<Config, ww::schedule_workspace<Config>>;
  using arch = typename Config::arch;
  using mode_type = typename Config::mode;

 public:
  using base::base;

  std::uint64_t spills = 0;
  std::uint64_t overflows = 0;
  std::uint64_t scores = 0;      // of narrow classes, above 0
  std::uint64_t yields = 0;      // candidates with the yield flag
  std::uint64_t kept = 0;        // countdowns that a winner has left as they were
  std::uint64_t full_scans = 0;  // scans of more targets than the table holds
  unsigned imported_of_ten = 0;  // instructions that are marked as moved in from another block

  void run_checked() {
    this->prologue();
    for (std::uint32_t i = 0; i < this->count_; ++i) {
      if (i * 7 % 10 < imported_of_ten) this->own_.records[i].add(record_flag::imported);
    }
    issued_.assign(this->count_, 0);
    check_records();
    const std::uint32_t free_picks = this->pinned_ ? this->count_ - 1 : this->count_;
    while (this->ws_.sequence.size() < free_picks) {
      const spill_mode before = this->s_.spill;
      this->catch_up();
      this->survey();
      const auto& records = this->own_.records;
      const state& s = this->s_;
      check_scan(before);
      ready_statistics wanted = scan(records, this->head_, s.cycle(), s.spill.cutoff);
      const std::int32_t filtered = wanted.filtered_pressure;
      wanted.filtered_pressure = s.ready.filtered_pressure;
      REQUIRE(s.ready == wanted);
      std::uint32_t best = no_record;
      std::uint32_t second = no_record;
      evaluated best_value;
      evaluated second_value;
      for (std::uint32_t at = this->head_; at != no_record; at = records[at].next_ready) {
        const evaluated e = evaluate<arch, mode_type>(records[at], s, at == s.ready.preferred);
        overflows += (e.byte & ww::unified::bit::overflow) != 0 ? 1 : 0;
        yields += (e.byte & ww::unified::bit::yield_flag) != 0 ? 1 : 0;
        scores += (e.score[1] | e.score[2] | e.score[3]) != 0 ? 1 : 0;
        check_arrival(at);
        if (best == no_record || compare(e, best_value, s.ready.shared_memory_count).first_wins) {
          second = best;
          second_value = best_value;
          best = at;
          best_value = e;
        } else if (second == no_record || compare(e, second_value, s.ready.shared_memory_count).first_wins) {
          second = at;
          second_value = e;
        }
      }
      const spill_mode wanted_spill = after(s, records[best], best_value, filtered);
      const bool cold = s.temperature_counts() && records[best].has(record_flag::cold);
      const bool hot = s.temperature_counts() && !cold && records[best].has(record_flag::hot);
      const std::uint32_t wanted_budget = s.hot_budget - (cold ? 1u : 0u);
      const bool wanted_active = s.hot_active && !hot;
      kept +=
          before.active() && s.spill.active() && !records[best].has(record_flag::barrier_target) && wanted_spill == s.spill
              ? 1u
              : 0u;
      REQUIRE(this->pick());
      REQUIRE(s.spill == wanted_spill);
      REQUIRE(s.hot_budget == wanted_budget);
      REQUIRE(s.hot_active == wanted_active);
      issued_[best] = static_cast<std::uint32_t>(this->ws_.planned - 1);
      spills += s.spill.active() ? 1 : 0;
      REQUIRE(this->ws_.sequence.back() == best);
      REQUIRE(this->ws_.reasons.back().runner_up == second);
    }
  }

 private:
  // What the records say from the start, from the graph.
  void check_records() {
    const auto& nodes = this->ws_.nodes;
    for (std::uint32_t i = 0; i < this->count_; ++i) {
      const record& r = this->own_.records[i];
      unsigned latency = 1;
      for (const ww::dependence_edge& e : this->ws_.graph.succ(i)) latency = std::max<unsigned>(latency, e.latency);
      unsigned group = 0;
      bool target = false;
      for (const ww::dependence_edge& e : this->ws_.graph.pred(i)) {
        if (e.kind != ww::dependence_kind::raw || !arch::latency::variable(nodes[e.from].iclass)) continue;
        target = true;
        group = std::max<unsigned>(group, static_cast<unsigned>(arch::latency::completion_queue(nodes[e.from].iclass)));
      }
      REQUIRE(r.latency == latency);
      REQUIRE(r.barrier_group == group);
      REQUIRE(r.has(record_flag::barrier_target) == target);
    }
  }
  // The cycles of a ready instruction, from those at which its predecessors issued.
  void check_arrival(std::uint32_t at) {
    const record& r = this->own_.records[at];
    std::uint32_t earliest = 0;
    std::uint32_t dependence = 0;
    std::uint32_t predecessor = 0;
    for (const ww::dependence_edge& e : this->ws_.graph.pred(at)) {
      earliest = std::max(earliest, issued_[e.from] + e.latency);
      predecessor = std::max(predecessor, issued_[e.from]);
      if (e.kind == ww::dependence_kind::raw) dependence = std::max(dependence, issued_[e.from] + e.latency);
    }
    REQUIRE(r.earliest == earliest);
    REQUIRE(r.dependence_cycle == dependence);
    REQUIRE(r.predecessor_cycle == predecessor);
  }
  // The state of the spill mode behind the pre-scan, from that in front of it; slots and yield.
  void check_scan(const spill_mode& before) {
    const auto& records = this->own_.records;
    const state& s = this->s_;
    spill_mode wanted = before;
    std::int32_t left = 0;
    for (const record& r : records) left += r.placed == not_placed && r.has(record_flag::barrier_target) ? 1 : 0;
    wanted.sequence = left;
    std::vector<std::uint32_t> targets;
    std::int32_t free_targets = 0;
    bool all_wait = true;
    for (std::uint32_t at = this->head_; at != no_record; at = records[at].next_ready) {
      const record& r = records[at];
      const std::uint32_t issue = std::max(r.earliest, s.slots.pipe_free[r.pipe]);
      all_wait = all_wait && issue >= s.cycle() + arch::barriers::yield_threshold;
      if (!r.has(record_flag::barrier_target)) continue;
      targets.push_back(at);
      free_targets += r.earliest <= s.cycle() ? 1 : 0;
    }
    const auto ready = static_cast<std::int32_t>(targets.size());
    if (before.threshold == rescan) {
      wanted.countdown = 0;
      wanted.threshold = 0;
      wanted.targets = ready;
      wanted.stall_free_targets = wanted.supply = free_targets;
      wanted.cutoff = 999999;
      if (ready > 0) {  // the first tier of the table
        std::sort(targets.begin(), targets.end());
        full_scans += targets.size() > 32 ? 1 : 0;
        targets.resize(std::min<std::size_t>(targets.size(), 32));
        const auto wait = [&](std::uint32_t at) {
          return records[at].earliest > s.cycle() ? static_cast<std::int32_t>(records[at].earliest - s.cycle()) : 0;
        };
        for (const std::uint32_t at : targets) wanted.cutoff = std::min(wanted.cutoff, wait(at));
        for (const std::uint32_t at : targets) wanted.threshold += wait(at) == wanted.cutoff ? 1 : 0;
        wanted.no_threshold = false;
      }
    }
    if (wanted.no_threshold && ready >= wanted.threshold) {
      wanted.threshold = ready;
      wanted.cutoff = 999999;
    }
    REQUIRE(s.spill == wanted);
    REQUIRE(s.slots.limit == this->ws_.graph.critical_path);
    REQUIRE(s.yield == all_wait);
  }
  // The state of the spill mode behind the pick of `r`, whose value is `v`.
  [[nodiscard]] static spill_mode after(const state& s, const record& r, const evaluated& v, std::int32_t filtered) {
    spill_step step;
    step.barrier_target = (v.byte & ww::unified::bit::barrier_target) != 0;
    step.stall_free = s.cycle() >= r.earliest;
    step.pressing = (v.byte & (ww::unified::bit::same_block | ww::unified::bit::stall_free)) != 0;
    step.within_slots = s.slots.cursor + static_cast<std::uint32_t>(v.slot_cycles) + s.slots.stride <= s.slots.limit;
    step.ready_targets = static_cast<std::int32_t>(s.ready.barrier_count);
    step.total_pressure = s.ready.positive_pressure;
    step.partial_pressure = filtered;
    step.live_after = s.live[0] + r.delta[0];
    step.budget = s.budget.budget;
    step.max_stall_cycles = 16;
    spill_mode m = s.spill;
    ww::unified::step(m, step);
    return m;
  }

  std::vector<std::uint32_t> issued_;  // cycle, by instruction
};

struct seen {
  std::uint64_t spills = 0;
  std::uint64_t overflows = 0;
  std::uint64_t scores = 0;
  std::uint64_t yields = 0;
  std::uint64_t kept = 0;
  std::uint64_t full_scans = 0;
};

template <class Config>
void check_against_scan(const ww::program& p, seen& all, unsigned imported_of_ten = 0) {
  ww::schedule_workspace<Config> ws;
  ws.want_reasons = true;
  ww::strategy::unified::prepare<Config>(p, ws);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const ww::block& k = p.blocks[b];
    if (k.padding || k.count == 0 || k.count > 1500) continue;
    ws.at = ww::block_id(b);
    ws.sequence.clear();
    ws.reasons.clear();
    const std::span<const ww::instr_id> order = p.order_of(k);
    ww::build_graph<typename Config::arch, typename Config::graph_builder, typename Config::disambiguation>(
        p, order, ws.graph, ws.graph_space);
    ww::detail::fill_nodes<typename Config::arch>(p, order, ws);
    watched<Config> e(p, order, ws);
    e.imported_of_ten = imported_of_ten;
    e.run_checked();
    all.spills += e.spills;
    all.overflows += e.overflows;
    all.scores += e.scores;
    all.yields += e.yields;
    all.kept += e.kept;
    all.full_scans += e.full_scans;
    if (imported_of_ten != 0) continue;
    // Without reasons picks are shorter; they are the same ones.
    const auto sequence = ws.sequence;
    ws.sequence.clear();
    ws.want_reasons = false;
    REQUIRE(engine<Config, ww::schedule_workspace<Config>>(p, order, ws).run());
    REQUIRE(ws.sequence.size() >= sequence.size());  // a pinned last one is not picked
    REQUIRE(std::equal(sequence.begin(), sequence.end(), ws.sequence.begin()));
    ws.want_reasons = true;
  }
}

// Predicates P0.. and uniform registers UR0.. of a block, `predicates` and `uniforms` of them instead of three and four.
void spread_narrow(ww::program& p, std::mt19937& rng, unsigned predicates, unsigned uniforms) {
  using O = ww::operand;
  const auto roll = [&](unsigned n) { return static_cast<unsigned>(rng() % n); };
  for (O& o : p.operands) {
    if (!o.is_register() || (o.file() != ww::reg_file::p && o.file() != ww::reg_file::ur)) continue;
    const ww::reg other = o.file() == ww::reg_file::p ? ww::P(roll(predicates)) : ww::UR(roll(uniforms));
    const bool partial = o.is_partial();
    o = o.is_def() ? O::def(other, o.where()) : O::use(other, o.where());
    if (partial) o.set(O::bit_partial);
  }
}

struct tight : ww::mode::reduce_reg {
  static constexpr const char* name = "tight";
  static constexpr int explicit_reduction = 4;
};
struct tight_literal : tight {
  static constexpr const char* name = "tight_literal";
  static constexpr bool critical_by_height = false;
  static constexpr bool literal_overflow = true;
};
struct batches : ww::mode::dyn_batch {
  static constexpr const char* name = "batches";
  static constexpr bool critical_by_height = false;
  static constexpr bool literal_overflow = true;
};

// Every block in the order that it has: the peak known beforehand is what placing one by one comes to, each placement changes
// what is live by its delta, and the end is what is live behind the block.
void check_values(const ww::program& p, space& own, std::uint64_t& guarded) {
  own.live.compute(p);
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    const auto order = p.order_of(p.blocks[b]);
    live_at_ends(p, p.blocks[b], ww::block_id{b}, 0, p.blocks[b].count, own);
    own.values.start(p, order, own.live, own.live_in, own.live_out);
    const class_counts peak = own.values.peak_in_order();
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      const class_counts before = own.values.live();
      const class_counts delta = own.values.delta(i);
      own.values.place(i, [](std::uint32_t) {});
      for (unsigned g = 0; g < 4; ++g) REQUIRE(own.values.live().of[g] == before.of[g] + delta.of[g]);
      guarded += p[order[i]].has(ww::iflag::guarded) ? 1u : 0u;
    }
    for (unsigned g = 0; g < 4; ++g) REQUIRE(own.values.peak().of[g] == peak.of[g]);
  }
}

}  // namespace

TEST_CASE("PLS-4: the peak of the order as it came, and deltas, are what placing one by one comes to") {
  space own;
  std::uint64_t guarded = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ww_test::random_block_options o;
    o.count = 5 + seed % 120;
    o.registers = seed % 3 == 0 ? 8 : 40;
    o.guard_percent = seed % 4 == 0 ? 0 : 40;
    INFO("seed " << seed);
    ww::program p = ww_test::random_block(seed, o);
    REQUIRE(ww::build_cfg(p).ok);
    check_values(p, own, guarded);
  }
  CHECK(guarded > 1000);
  // R0 ends at its last reader; the guarded write behind that makes it alive once more, beside R1 and R2.
  ww::isa::builder b;
  b.text("MOV R0, 0x1").text("MOV R1, R0").text("MOV R2, 0x2").text("@P0 MOV R0, 0x3");
  b.text("ISETP.GT.AND P1, PT, R1, R2, PT").text("@P1 EXIT").text("EXIT");
  ww::program p = b.finish();
  REQUIRE(ww::build_cfg(p).ok);
  own.live.compute(p);
  live_at_ends(p, p.blocks[0], ww::block_id{0}, 0, p.blocks[0].count, own);
  own.values.start(p, p.order_of(p.blocks[0]), own.live, own.live_in, own.live_out);
  CHECK(own.values.peak_in_order().of[0] == 3);
  check_values(p, own, guarded);
}

TEST_CASE("PLS-4: kept statistics and picks equal the walk over the whole ready list") {
  seen all;
  for (unsigned seed = 0; seed < 150; ++seed) {
    ww_test::random_block_options o;
    o.count = 5 + seed % 120;
    o.registers = seed % 3 == 0 ? 8 : 40;
    o.guard_percent = seed % 4 == 0 ? 0 : 30;
    INFO("seed " << seed);
    ww::program p = ww_test::random_block(seed, o);
    check_against_scan<config<ww::sm90, ww::mode::reduce_reg>>(p, all);
    check_against_scan<config<ww::sm90, tight>>(p, all);
    check_against_scan<config<ww::sm90, ww::mode::ilp>>(p, all);
    check_against_scan<config<ww::sm50, batches>>(p, all);
  }
  CHECK(all.spills > 1000);     // spill mode was reached,
  CHECK(all.overflows > 1000);  // and so was the overflow
}

TEST_CASE("PLS-4: the same where narrow classes are above their limits, with control and yield instructions between") {
  seen all;
  for (unsigned seed = 0; seed < 40; ++seed) {
    INFO("seed " << seed);
    std::mt19937 rng(seed);
    ww_test::random_block_options o;
    o.count = seed % 8 == 7 ? 600 : 5 + seed % 7 * 30;  // the long ones have 63 uniform registers alive
    o.registers = seed % 3 == 0 ? 8 : 60;
    o.guard_percent = seed % 4 == 0 ? 0 : 30;
    o.memory_percent = 20 + seed % 50;
    ww::program p = ww_test::random_block(seed, o);
    spread_narrow(p, rng, seed % 2 == 0 ? 12 : 3, 200);
    for (ww::instruction& i : p.instructions) {
      if (rng() % 15 == 0 && !i.has(ww::iflag::ends_block)) i.add(ww::iflag::convergence);
      if (rng() % 30 == 0 && i.iclass == ww::sched_class::alu) i.iclass = ww::sched_class::yield;
    }
    check_against_scan<config<ww::sm90, tight>>(p, all);
    check_against_scan<config<ww::sm90, tight_literal>>(p, all);
    check_against_scan<config<ww::sm50, batches>>(p, all);
  }
  CHECK(all.scores > 5000);
  CHECK(all.yields > 50);
}

TEST_CASE("PLS-5: an imported winner that nothing presses leaves the countdown as it is, if the slots allow") {
  seen all;
  for (unsigned seed = 0; seed < 600; ++seed) {
    INFO("seed " << seed);
    ww_test::random_block_options o;
    o.count = 20 + seed % 100;
    o.registers = 40;
    o.memory_percent = 30;
    const ww::program p = ww_test::random_block(seed, o);
    check_against_scan<config<ww::sm90, ww::mode::reduce_reg>>(p, all, 10);
    check_against_scan<config<ww::sm90, tight>>(p, all, 10);
    check_against_scan<config<ww::sm90, ww::mode::ilp>>(p, all, 10);
  }
  CHECK(all.kept > 40);
}

TEST_CASE("PLS-5: the table of a scan holds 32 targets") {
  seen all;
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    std::mt19937 rng(seed);
    ww::isa::builder b;
    for (unsigned k = 0; k < 80; ++k)
      b.text("LDG.E R" + std::to_string(10 + 2 * k) + ", [R2.64+" + std::to_string(8 * k) + "]");
    for (unsigned k = 0; k < 80; ++k) {
      const std::string r = "R" + std::to_string(10 + 2 * (rng() % 80));
      b.text("FADD R" + std::to_string(11 + 2 * k) + ", " + r + ", " + r);
    }
    b.text("EXIT");
    ww::program p = b.finish();
    REQUIRE(ww::build_cfg(p).ok);
    check_against_scan<config<ww::sm90, ww::mode::reduce_reg>>(p, all);
    check_against_scan<config<ww::sm90, ww::mode::ilp>>(p, all);
  }
  CHECK(all.full_scans > 100);
}

TEST_CASE("PLS-4: the same on bundled listings") {
  seen all;
  unsigned read = 0;
  for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled("listings"))) {
    if (!ww_test::corpus::ends_with(path, ".sm90.sass")) continue;
    ww::sass::listing_result r = ww::sass::read_listing(ww_test::corpus::text(path), {});
    REQUIRE(r);
    INFO(path);
    for (ww::program& p : r.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      check_against_scan<config<ww::sm90, tight>>(p, all);
      check_against_scan<config<ww::sm90, ww::mode::dyn_batch>>(p, all);
    }
    ++read;
  }
  CHECK(read > 3);
}

TEST_CASE("PLS-4: the same with more than 32 groups of candidates that the comparison tells apart") {
  constexpr const char* kinds[] = {"FFMA", "IADD3", "IMAD",      "FADD",          "LOP3.LUT",
                                   "DFMA", "HFMA2", "IMAD.WIDE", "HMMA.16816.F32"};
  constexpr const char* loads[] = {"LDG.E",  "LDG.E.64", "LDG.E.128", "LDS",  "LDS.64",  "LDS.128",      "LDL",
                                   "LDL.64", "LDL.128",  "MUFU.RCP",  "POPC", "I2F.F64", "F2I.F64.TRUNC"};
  ww::isa::builder b;
  unsigned next = 1024;
  const auto fresh = [&] { return "R" + std::to_string(next += 4); };
  // What adds most registers comes first, so that the winner stands far behind.
  for (unsigned round = 0; round < 3; ++round) {
    for (const char* load : loads) {
      for (const bool kept : {true, false}) {
        const std::string address = kept ? "R8" : fresh();
        const bool plain = load[0] != 'L';
        const std::string place = load[2] == 'G' ? "[" + address + ".64]" : "[" + address + "]";
        b.text(std::string(load) + " " + fresh() + ", " + (plain ? address : place));
      }
    }
    for (unsigned sources = 0; sources < 4; ++sources) {
      for (const char* kind : kinds) {
        std::string text = std::string(kind) + " " + fresh();
        for (unsigned k = 0; k < 3; ++k) text += k < sources ? ", " + fresh() : std::string(", RZ");
        if (kind == std::string("LOP3.LUT")) text += ", 0xc0, !PT";
        b.text(text);
      }
    }
    for (const char* store : {"STG.E [", "STG.E.128 [", "STS.64 [", "STS.128 ["}) {
      for (const char* address : {"R8", ""}) {
        const bool global = store[2] == 'G';
        b.text(store + (*address != '\0' ? std::string(address) : fresh()) + (global ? ".64], " : "], ") + fresh());
      }
    }
  }
  b.text("EXIT");
  ww::program p = b.finish();
  REQUIRE(ww::build_cfg(p).ok);
  seen all;
  check_against_scan<config<ww::sm90, ww::mode::reduce_reg>>(p, all);
  check_against_scan<config<ww::sm90, tight>>(p, all);
  check_against_scan<config<ww::sm90, ww::mode::dyn_batch>>(p, all);
  CHECK(all.overflows > 500);
}

TEST_CASE("PLS-6: the same with more than a thousand live predicates, whose scores do not fit the short key") {
  using O = ww::operand;
  seen all;
  for (unsigned seed = 0; seed < 4; ++seed) {
    INFO("seed " << seed);
    std::mt19937 rng(seed);
    ww_test::random_block_options options;
    options.count = 200;
    options.registers = 60;
    options.guard_percent = 10;
    options.fence_percent = 0;
    options.ends_with_branch = false;
    ww::program p = ww_test::random_block(seed, options);
    spread_narrow(p, rng, 40, 4);
    for (unsigned i = 0; i < 1075; ++i) {
      ww::instruction reader;
      reader.iclass = ww::sched_class::alu;
      reader.first_operand = static_cast<std::uint32_t>(p.operands.size());
      reader.operand_count = 2;
      p.operands.push_back(O::def(ww::R(2), ww::slot::dst));
      p.operands.push_back(O::use(ww::P(100 + i), ww::slot::psrc));
      p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
      p.instructions.push_back(reader);
      ++p.blocks[0].count;
    }
    check_against_scan<config<ww::sm90, tight>>(p, all);
  }
}

TEST_CASE("PLS-4: a delta beyond the 16 bits of a record stays at their end") {
  using O = ww::operand;
  using c = config<ww::sm90, ww::mode::reduce_reg>;
  ww::program p;
  const auto add = [&](bool def) {  // all of them defined, or read
    ww::instruction i;
    i.iclass = ww::sched_class::alu;
    i.first_operand = static_cast<std::uint32_t>(p.operands.size());
    i.operand_count = 70;
    for (unsigned k = 0; k < 70; ++k) {  // 70 * 250 registers of two units
      const ww::reg r = ww::R(ww::reg::first_virtual + k * 250);
      p.operands.push_back(def ? O::def(r, ww::slot::dst, 250) : O::use(r, ww::slot::a, 250));
    }
    p.order.push_back(ww::instr_id(static_cast<std::uint32_t>(p.instructions.size())));
    p.instructions.push_back(i);
  };
  add(true);
  add(false);
  add(false);  // a block of two is left alone
  ww::block b;
  b.count = 3;
  b.entry = b.reachable = true;
  p.blocks = {b};
  ww::schedule_workspace<c> ws;
  ww::schedule_block<c>(p, ww::block_id(0), ws);
  REQUIRE(ws.own.records.size() == 3);
  CHECK(ws.own.records[0].delta[0] == 0x7fff);
  CHECK(ws.own.records[1].delta[0] + ws.own.records[2].delta[0] == -0x7fff);  // the last of the two ends them
}

TEST_CASE("PLS-11: the draft keeps every dependence of the block, with six counters and a table of 32") {
  using c = config<ww::sm90, ww::mode::ilp>;
  ww::schedule_workspace<c> ws;
  ws.own.want_draft = true;
  unsigned evictions = 0;
  unsigned takeovers = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    ww_test::random_block_options o;
    o.count = 20 + seed % 100;
    o.registers = 60;
    o.guard_percent = 0;
    o.fence_percent = 0;
    o.memory_percent = 60;
    INFO("seed " << seed);
    ww::program p = ww_test::random_block(seed, o);
    ww::schedule_block<c>(p, ww::block_id(0), ws);
    const auto& draft = ws.own.draft;
    evictions += draft.evictions();
    takeovers += draft.takeovers();
    // Replayed as counters: a consumer is safe when, somewhere between its producer and itself, the producer's counter was
    // waited for.
    std::vector<std::uint32_t> place(ws.sequence.size());
    for (std::uint32_t k = 0; k < ws.sequence.size(); ++k) place[ws.sequence[k]] = k;
    for (std::uint32_t i = 0; i < ws.graph.count; ++i) {
      for (const ww::dependence_edge& e : ws.graph.pred(i)) {
        const bool variable = ww::sm90::latency::variable(ws.nodes[e.from].iclass);
        if (e.kind != ww::dependence_kind::raw || !variable) continue;
        const ww::control& from = draft.words()[e.from];
        REQUIRE(from.write_barrier < 6);
        bool waited = false;
        for (std::uint32_t k = place[e.from] + 1; k <= place[i]; ++k) {
          waited = waited || (draft.words()[ws.sequence[k]].wait_mask >> from.write_barrier & 1) != 0;
        }
        REQUIRE(waited);
      }
    }
    for (const ww::control& w : draft.words()) {
      REQUIRE(w.stall <= 15);
      REQUIRE(w.yield == (w.stall >= 4));
    }
  }
  CHECK(evictions > 100);
  CHECK(takeovers > 100);
}

TEST_CASE("PLS-11: the oldest assignment is evicted, one whose producer is done is taken over") {
  preliminary d;
  d.start(10, limits_of<ww::sm90>());
  for (std::uint32_t i = 0; i < 6; ++i) d.place(i, i, true);
  CHECK(d.words()[5].write_barrier == 5);
  d.place(6, 20, true);  // all six are busy and none is done: the oldest goes, and is waited for
  CHECK(d.words()[6].write_barrier == 0);
  CHECK(d.words()[6].wait_mask == 1);
  CHECK(d.evictions() == 1);
  d.place(7, 58, true);  // counter 1 was set in cycle 1: 57 cycles, more than 56
  CHECK(d.words()[7].write_barrier == 1);
  CHECK(d.words()[7].wait_mask == 0);
  CHECK(d.takeovers() == 1);
  CHECK(d.words()[6].stall == 15);  // 38 cycles do not fit the field
  d.consume(7, 1);                  // the old consumer still waits
  CHECK(d.words()[7].wait_mask == 2);
}

TEST_CASE("PLS-1: a graph made by hand is ordered without a word about its block") {
  using c = config<ww::sm90, ww::mode::ilp>;
  ww_test::random_block_options o;
  o.count = 40;
  ww::program p = ww_test::random_block(5, o);
  ww::schedule_workspace<c> ws;
  ww::build_graph<ww::sm90>(p, p.order, ws.graph, ws.graph_space);
  ww::schedule_stats stats;
  REQUIRE(ww::order_nodes<c>(p, p.order, ws, stats));
  CHECK(ws.sequence.size() == p.order.size());
  CHECK(ws.at == ww::block_id(0));
}
