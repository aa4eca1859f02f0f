// SPDX-License-Identifier: BSL-1.0
//
// The per-instruction walk against the text read word by word (one call per stretch, points by looking back over what was assigned), on
// random programs with hosts that fail by chance.
#include <string>
#include <vector>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/regalloc/instruction_walk.hpp>

#include "../support/program_of.hpp"
#include "../support/random_flow.hpp"
#include "support.hpp"

namespace {

namespace ra = ww::regalloc;
constexpr std::uint32_t nowhere = ra::walk_choice::nowhere;

ww::program program_of(const std::string& text) { return ww_test::program_of<ww::sm80>(text); }

struct scripted {
  std::vector<std::string> log;
  unsigned seed = 0, hard = 0;               // how often assigning fails, of 100
  unsigned refuses = 0;                      // how often spilling does
  std::vector<std::uint32_t> refuse_assign;  // ids, each once
  [[nodiscard]] bool chance(std::uint32_t a, std::uint32_t b, unsigned percent) const {
    return (a * 2654435761u ^ b * 40503u ^ seed * 97u) / 7 % 100 < percent;
  }
  [[nodiscard]] bool counts(ww::operand o) const { return o.base().number() % 5 != 4; }
  [[nodiscard]] bool live_behind(ww::instr_id i, std::uint32_t k) const { return !chance(i.index(), k, 30); }
  bool assign(ww::instr_id i, const ra::walk_sets& sets, ra::walk_level level, bool recompute) {
    log.push_back("assign " + std::to_string(i.index()) + " level " + std::to_string(static_cast<int>(level)) +
                  (recompute ? " again" : "") + (sets.must_not_spill == ra::slot_set{} ? "" : " protected"));
    for (std::uint32_t& r : refuse_assign) {
      if (r != i.index()) continue;
      r = nowhere;
      return false;
    }
    unsigned tries = 0;
    for (const std::string& line : log) tries += line.find("assign " + std::to_string(i.index()) + " ") == 0 ? 1u : 0u;
    return !chance(i.index(), tries, hard);
  }
  bool spill(const ra::walk_choice& c, const ra::walk_sets& sets) {
    log.push_back("spill " + std::to_string(c.at) + " reason " + std::to_string(static_cast<int>(c.reason)) + " level " +
                  std::to_string(static_cast<int>(c.level)) + " pressure " + std::to_string(c.pressure) + " for " +
                  std::to_string(c.failed_at) + (sets.must_not_spill == ra::slot_set{} ? "" : " protected"));
    return !chance(c.failed_at, static_cast<std::uint32_t>(log.size()), refuses);
  }
};

// The text: a call per stretch. `from` is the place of the first instruction; the answer is where the next call begins, or nowhere.
class reading {
 public:
  reading(const ww::program& p, const ra::walk_settings& s, scripted& host) : p_(p), s_(s), host_(host) {}
  bool failed = false;

  void run() {
    std::vector<std::uint32_t> order;
    for (const ww::block& b : p_.blocks) {
      for (std::uint32_t at = b.first; at < b.first + b.count; ++at) {
        place_.push_back(at);
        starts_.push_back(at == b.first);
        ends_.push_back(at + 1 == b.first + b.count);
      }
    }
    std::uint32_t from = 0;
    unsigned level = 0, spill_level = 0;
    std::uint32_t stuck = nowhere;
    while (from < place_.size()) {
      const std::uint32_t stop = stretch(from, level);
      if (stop == nowhere) return;
      if (stuck != stop) spill_level = 0;
      stuck = stop;
      bool done = false;
      for (; spill_level < 2 && !done; ++spill_level) done = spill_for(from, stop, spill_level);
      if (!done) {
        failed = true;
        return;
      }
      level = spill_level - 1;
      from = stop;
    }
  }

 private:
  const ww::instruction& at(std::uint32_t k) const { return p_[p_.order[place_[k]]]; }
  bool source(std::uint32_t k) const { return ra::computes_constant(p_, at(k)); }
  bool pinned(std::uint32_t k) const { return ra::walk_rules::pinned(p_, at(k)); }
  std::uint32_t pressure(std::uint32_t from, std::uint32_t to) const {
    std::uint32_t n = 0;
    for (std::uint32_t k = from; k <= to; ++k) {
      for (const ww::operand& o : p_.operands_of(at(k))) {
        if (o.is_register() && o.file() == s_.file && host_.counts(o)) n += s_.pairing == ra::pair_mode::single ? 1 : 2;
      }
    }
    return n;
  }
  // Assigned instructions from the start of the stretch to k, k included.
  unsigned count(std::uint32_t from, std::uint32_t k) const {
    unsigned n = 0;
    for (std::uint32_t j = from; j <= k; ++j) n += pinned(j) ? 0u : 1u;
    return n;
  }
  // The first place of the block part that `stop` is in, within the stretch.
  std::uint32_t part(std::uint32_t from, std::uint32_t stop) const {
    std::uint32_t k = stop;
    while (k > from && !starts_[k]) --k;
    return k;
  }
  // Is what stands at k counted among the points when the walk has come to `stop`?
  bool early_before(std::uint32_t from, std::uint32_t k) const {
    for (std::uint32_t j = part(from, k); j < k; ++j) {
      if (!pinned(j) && ra::walk_rules::early(p_, at(j), s_.of)) return true;
    }
    return false;
  }
  bool spills_at(std::uint32_t k) const { return ra::walk_rules::can_spill_at(p_, at(k)); }

  ra::walk_sets sets(std::uint32_t from, unsigned level) const {
    ra::walk_sets x;
    x.start<ra::same_group_conflict>(p_, p_.order[place_[from]], s_.file, s_.pairing, s_.registers,
                                     [&](ww::instr_id i, std::uint32_t k) { return host_.live_behind(i, k); });
    if (level != 0) x.must_not_spill.clear();
    return x;
  }
  // The last place at which the flag was looked at decides it.
  bool flag(std::uint32_t from, std::uint32_t k) const {
    for (std::uint32_t j = k; j-- > from;) {
      if (pinned(j) || source(j)) continue;
      if (early_before(from, j) || ra::walk_rules::early(p_, at(j), s_.of)) continue;
      return !ends_[j] && source(j + 1);
    }
    return source(from);
  }

  std::uint32_t stretch(std::uint32_t from, unsigned level) {
    const ra::walk_sets x = sets(from, level);
    last_level_ = level;
    for (std::uint32_t k = from; k < place_.size(); ++k) {
      if (pinned(k)) continue;
      if (!host_.assign(p_.order[place_[k]], x, static_cast<ra::walk_level>(level), flag(from, k))) return k;
      level = 0;
      if (at(k).has(ww::iflag::call)) return nowhere;
    }
    return nowhere;
  }

  bool spill_for(std::uint32_t from, std::uint32_t stop, unsigned level) {
    ra::walk_choice c;
    c.failed_at = place_[stop];
    c.level = static_cast<ra::walk_level>(level);
    c.pressure = pressure(from, stop);
    const std::uint32_t begin = part(from, stop);
    const auto pick = [&](ra::walk_reason why, auto&& is) {
      for (std::uint32_t k = begin; k < stop && c.at == nowhere; ++k) {
        if (pinned(k) || !is(k)) continue;
        c.at = place_[k];
        c.reason = why;
        if (why == ra::walk_reason::first) c.pressure = pressure(from, k);
      }
    };
    const auto before_store = [&](std::uint32_t k) {
      return !early_before(from, k) && !ra::walk_rules::early(p_, at(k), s_.of);
    };
    pick(ra::walk_reason::rematerialise,
         [&](std::uint32_t k) { return before_store(k) && !source(k) && !ends_[k] && source(k + 1) && spills_at(k); });
    pick(ra::walk_reason::early, [&](std::uint32_t k) { return ra::walk_rules::early(p_, at(k), s_.of); });
    pick(ra::walk_reason::first,
         [&](std::uint32_t k) { return before_store(k) && count(from, k) > 3 && !source(k) && spills_at(k); });
    if (level != 0 && s_.fallback) {
      pick(ra::walk_reason::fallback,
           [&](std::uint32_t k) { return before_store(k) && count(from, k) > 30 && spills_at(k); });
    }
    return host_.spill(c, sets(from, level != 0 ? 1 : last_level_));
  }

  const ww::program& p_;
  const ra::walk_settings& s_;
  scripted& host_;
  unsigned last_level_ = 0;
  std::vector<std::uint32_t> place_;
  std::vector<bool> starts_, ends_;
};

}  // namespace

TEST_CASE("FPA-11 geometry by pair mode") {
  const auto is = [](ra::pair_mode m, std::uint32_t stride, std::uint32_t divisor, std::uint32_t width) {
    const ra::walk_geometry g = ra::walk_geometry_of(m);
    CHECK(g.stride == stride);
    CHECK(g.divisor == divisor);
    CHECK(g.pair_width == width);
  };
  is(ra::pair_mode::single, 2, 2, 4);
  is(ra::pair_mode::paired, 1, 1, 2);
  is(ra::pair_mode::doubled, 4, 4, 8);
}

TEST_CASE("FPA-11 sets: assigned, used, must not be spilled; a result in the bank of a source is taken out") {
  const ww::program p = program_of("IADD3 R8, R9, R20, RZ\nFFMA R12, R16, R17, R18\nEXIT\n");
  ra::walk_sets s;
  const auto start = [&](std::uint32_t at, ra::pair_mode m, std::uint32_t registers) {
    s.start<ra::same_group_conflict>(p, ww::instr_id{at}, ww::reg_file::r, m, registers,
                                     [](ww::instr_id, std::uint32_t k) { return k == 0; });
  };
  start(0, ra::pair_mode::single, 255);
  CHECK(s.used.has(8));
  CHECK(s.used.has(9));
  CHECK(s.used.has(20));
  CHECK_FALSE(s.used.has(21));
  CHECK_FALSE(s.must_not_spill.has(8));  // somebody reads it
  CHECK(s.must_not_spill.has(9));
  CHECK(s.must_not_spill.has(20));
  CHECK_FALSE(s.assigned.has(8));  // in one group with R9
  CHECK(s.assigned.has(9));
  CHECK(s.assigned.has(254));
  CHECK_FALSE(s.assigned.has(255));
  start(1, ra::pair_mode::single, 18);
  CHECK(s.assigned.has(12));
  CHECK(s.assigned.has(17));
  CHECK_FALSE(s.assigned.has(18));
  CHECK_FALSE(s.used.has(8));
  start(0, ra::pair_mode::paired, 16);
  CHECK(s.used.has(16));
  CHECK_FALSE(s.used.has(8));
  CHECK(s.assigned.has(31));
  CHECK_FALSE(s.assigned.has(32));
  CHECK_FALSE(s.assigned.has(16));
  CHECK(s.assigned.has(17));
  // Where two share a register a group is eight halves: R8 and R11 are in one, R8 and R12 are not.
  const ww::program pairs = program_of("IADD3 R8, R11, R20, RZ\nIADD3 R8, R12, R20, RZ\nEXIT\n");
  for (const std::uint32_t at : {0u, 1u}) {
    s.start<ra::same_group_conflict>(pairs, ww::instr_id{at}, ww::reg_file::r, ra::pair_mode::paired, 32,
                                     [](ww::instr_id, std::uint32_t) { return true; });
    CHECK(s.assigned.has(16) == (at == 1));
  }
  start(1, ra::pair_mode::paired, 255);
  CHECK(s.assigned.has(255));
  // Registers from 256 on are in no set.
  const ww::program far = program_of("IADD3 R1024, R1025, R1026, RZ\nEXIT\n");
  s.start<ra::same_group_conflict>(far, ww::instr_id{0}, ww::reg_file::r, ra::pair_mode::single, 255,
                                   [](ww::instr_id, std::uint32_t) { return false; });
  CHECK(s.used == ra::slot_set{});
}

TEST_CASE(
    "FPA-11 points: the first behind three instructions, a store, what can be computed again, the fallback behind thirty") {
  const auto walked = [](const std::string& text, std::vector<std::uint32_t> fails, bool fallback, unsigned refuses,
                         ra::walk_result& w) {
    const ww::program p = program_of(text);
    ra::walk_settings s;
    s.fallback = fallback;
    scripted h;
    h.refuse_assign = std::move(fails);
    h.refuses = refuses;
    ra::instruction_walk<>::run(p, ww::block_id{0}, static_cast<std::uint32_t>(p.blocks.size()), s, h, w);
    return h.log;
  };
  std::string adds;
  for (int k = 0; k < 8; ++k) adds += "IADD3 R4, R5, R6, RZ\n";
  ra::walk_result w;
  (void)walked(adds + "EXIT\n", {6}, false, 0, w);
  REQUIRE(w.choices.size() == 1);
  CHECK(w.choices[0].at == 3);  // more than three are assigned then
  CHECK((w.choices[0].reason == ra::walk_reason::first));
  CHECK(w.choices[0].pressure == 4 * 2);  // R4 does not count in this host
  CHECK(w.choices[0].failed_at == 6);
  CHECK(w.assigned == 8);  // EXIT is pinned
  CHECK_FALSE(w.failed);
  (void)walked(adds + "EXIT\n", {3}, false, 0, w);
  CHECK(w.choices[0].at == nowhere);
  CHECK((w.choices[0].reason == ra::walk_reason::none));
  (void)walked("IADD3 R4, R5, R6, RZ\nSTG.E desc[UR4][R2.64], R4\n" + adds + "EXIT\n", {8}, false, 0, w);
  CHECK(w.choices[0].at == 1);
  CHECK((w.choices[0].reason == ra::walk_reason::early));
  (void)walked(adds + "MOV R4, 0x7\n" + adds + "EXIT\n", {12}, false, 0, w);
  CHECK(w.choices[0].at == 7);
  CHECK((w.choices[0].reason == ra::walk_reason::rematerialise));
  // Constants only: no first point, and behind thirty of them the fallback, once protection is lifted.
  std::string moves;
  for (int k = 0; k < 34; ++k) moves += "MOV R4, 0x7\n";
  (void)walked(moves + "EXIT\n", {33}, true, 100, w);
  CHECK(w.failed);
  CHECK(w.choices.empty());
  const std::vector<std::string> log = walked(moves + "EXIT\n", {33}, true, 100, w);
  CHECK(log[log.size() - 2].find("spill 4294967295 reason 0 level 0") == 0);
  CHECK(log.back().find("spill 30 reason 4 level 1") == 0);
  (void)walked(moves + "EXIT\n", {33}, false, 100, w);
  CHECK(w.failed);
  CHECK(w.stopped_at == 33);
  // A call ends it.
  (void)walked("IADD3 R4, R5, R6, RZ\nCALL.REL.NOINC `(f)\nIADD3 R4, R5, R6, RZ\nEXIT\nf:\nRET.REL.NODEC R20 `(f)\n", {},
               false, 0, w);
  CHECK(w.at_call);
  CHECK(w.assigned == 2);
  CHECK(w.stopped_at == 1);
}

TEST_CASE("FPA-11 walk: the text, read as calls of itself, on random programs") {
  unsigned choices = 0, failures = 0, programs = 0;
  unsigned by_reason[5] = {}, lifted = 0;
  for (unsigned seed = 0; seed < 6000; ++seed) {
    std::mt19937 rng(seed);
    ww_test::random_flow_options o;
    o.count = 10 + static_cast<unsigned>(rng() % 70);
    o.open = seed % 3 == 0;
    o.calls = seed % 4 == 0;
    ww::program p = ww_test::random_flow(seed, o);
    if (p.blocks.empty()) continue;
    // Fewer branches, some stores, constants and pinned instructions.
    for (ww::instruction& i : p.instructions) {
      if (i.has(ww::iflag::ends_block)) continue;
      const unsigned what = static_cast<unsigned>(rng() % 12);
      if (what == 0) i.op = ww::opcode::stg;
      if (what == 1) i.add(ww::iflag::reads_clock);
      if (what == 2) i.add(ww::iflag::behind_barrier);
      if (what == 3 && i.operand_count > 0) i.operand_count = 1, i.dir = ww::mem_dir::none;
      if (what >= 8 && rng() % 2 == 0) i.remove(ww::iflag::guarded);
    }
    if (seed % 8 == 5) {  // constants only
      for (ww::instruction& i : p.instructions) {
        if (&i == &p.instructions.back()) continue;
        i.target = {};
        if (i.operand_count == 0) i.first_operand = 0;
        i.flags = 0;
        i.dir = ww::mem_dir::none;
        i.op = ww::opcode::mov;
        i.operand_count = 1;
        p.operands[i.first_operand] = ww::operand::def(ww::R(4), ww::slot::dst);
      }
    }
    if (seed % 8 == 5 || rng() % 3 == 0) {  // one long block
      for (ww::instruction& i : p.instructions) {
        i.remove(ww::iflag::ends_block);
        i.remove(ww::iflag::branch);
        i.remove(ww::iflag::call);
      }
      p.blocks.resize(1);
      p.blocks[0].first = 0;
      p.blocks[0].count = static_cast<std::uint32_t>(p.order.size());
    }
    ra::walk_settings s;
    s.pairing = rng() % 3 == 0 ? ra::pair_mode::paired : rng() % 3 == 0 ? ra::pair_mode::doubled : ra::pair_mode::single;
    s.fallback = rng() % 2 == 0;
    s.of = rng() % 4 == 0 ? ra::register_class::tensor : ra::register_class::r;
    scripted h;
    h.seed = seed;
    h.hard = static_cast<unsigned>(rng() % 3) * 6;
    h.refuses = static_cast<unsigned>(rng() % 3) * 20;
    scripted same = h;
    ra::walk_result w;
    ra::instruction_walk<>::run(p, ww::block_id{0}, static_cast<std::uint32_t>(p.blocks.size()), s, h, w);
    reading r(p, s, same);
    r.run();
    INFO("seed " << seed);
    for (std::size_t k = 0; k < h.log.size() && k < same.log.size(); ++k) REQUIRE(h.log[k] == same.log[k]);
    REQUIRE(h.log.size() == same.log.size());
    REQUIRE(w.failed == r.failed);
    ++programs;
    failures += w.failed ? 1u : 0u;
    for (const ra::walk_choice& c : w.choices) {
      ++choices;
      ++by_reason[static_cast<unsigned>(c.reason)];
      lifted += c.level != ra::walk_level::protect ? 1u : 0u;
    }
  }
  CHECK(failures > 50);
  CHECK(lifted > 50);
  for (const unsigned n : by_reason) CHECK(n > 0);
  WARN(programs << " programs, " << choices << " choices: " << by_reason[0] << " nowhere, " << by_reason[1]
                << " computed again, " << by_reason[2] << " early, " << by_reason[3] << " first, " << by_reason[4]
                << " fallback; " << lifted << " with protection lifted, " << failures << " failed");
}

TEST_CASE("FPA-11 rules: a store to global memory is an early point for classes 1 to 3") {
  const ww::program p = program_of("STG.E desc[UR4][R2.64], R4\nSTS [R2], R4\nEXIT\n");
  for (unsigned c = 0; c <= ra::last_class; ++c) {
    const auto of = static_cast<ra::register_class>(c);
    CHECK(ra::walk_rules::early(p, p.instructions[0], of) == (c >= 1 && c <= 3));
    CHECK_FALSE(ra::walk_rules::early(p, p.instructions[1], of));
  }
}

TEST_CASE("FPA-11 rules: what stays as it is, and in front of what there is room") {
  const ww::program p = program_of("IADD3 R4, R5, R6, RZ\nEXIT\n");
  const auto with = [&](ww::iflag flag) {
    ww::instruction i = p.instructions[0];
    i.add(flag);
    return i;
  };
  CHECK(ra::walk_rules::can_spill_at(p, p.instructions[0]));
  CHECK(!ra::walk_rules::can_spill_at(p, with(ww::iflag::ends_block)));
  CHECK(!ra::walk_rules::can_spill_at(p, with(ww::iflag::behind_barrier)));
  CHECK(!ra::walk_rules::pinned(p, p.instructions[0]));
  for (const ww::iflag flag : {ww::iflag::fence, ww::iflag::pc_relative, ww::iflag::reads_clock}) {
    ww::instruction i = with(flag);
    CHECK(ra::walk_rules::pinned(p, i));
    i.add(ww::iflag::call);
    CHECK(!ra::walk_rules::pinned(p, i));
  }
}

TEST_CASE("FPA-11 walk: odd input") {
  scripted h;
  ra::walk_result w;
  ra::instruction_walk<>::run(ww::program{}, ww::block_id{0}, 5, {}, h, w);
  CHECK(w.assigned == 0);
  ww::program p = program_of("NOP\nEXIT\n");
  ra::instruction_walk<>::run(p, ww::block_id{7}, 5, {}, h, w);
  ra::instruction_walk<>::run(p, ww::block_id{}, 0xffffffffu, {}, h, w);
  CHECK(w.assigned == 0);
  p.blocks[0].count = 99;
  ra::instruction_walk<>::run(p, ww::block_id{0}, 1, {}, h, w);
  CHECK(w.assigned == 0);
}
