// SPDX-License-Identifier: BSL-1.0
//
// FPA-3 on real code: every listing is lifted, allocated within the registers that its compiler used, lowered and checked; in
// the order as read, and in orders that a scheduler makes. The corpus where WARPWRIGHT_CORPUS names its folder.
#include <algorithm>
#include <chrono>
#include <string>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/lift/lift.hpp>
#include <warpwright/lift/lower.hpp>
#include <warpwright/lift/peak_live.hpp>
#include <warpwright/regalloc/all.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/schedule/compose.hpp>
#include <warpwright/schedule/engine.hpp>
#include <warpwright/schedule/unified/unified.hpp>
#include <warpwright/verify/allocation.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace ra = ww::regalloc;

constexpr std::size_t general = static_cast<std::size_t>(ww::pressure_class::r);

struct tally {
  std::size_t programs = 0;
  std::size_t instructions = 0;
  std::size_t constraints = 0;
  std::size_t original = 0;    // registers of the compiler
  std::size_t peak = 0;        // live at once
  std::size_t needed = 0;      // by the attempts
  std::size_t more = 0;        // programs that need more
  std::size_t more_over = 0;   // by how many registers
  std::size_t other_more = 0;  // problems of the other files that need more
  std::size_t kept = 0;        // fitted by the original places
  std::size_t copies = 0;      // of one register, between webs of one file
  std::size_t same = 0;        // of these, both ends in one place
  std::size_t same_before = 0;
  double build = 0;  // seconds
  double fit = 0;

  void print(const char* what) const {
    WARN(what << ": " << programs << " programs, " << instructions << " instructions; general registers: " << original
              << " of the compilers, " << peak << " live at once, " << needed << " needed; " << more
              << " programs need more, by " << more_over << " in all; " << other_more
              << " problems of other files need more; " << kept << " of these fit in the original places; of " << copies
              << " copies " << same << " do nothing any more, " << same_before << " by the compilers; " << constraints
              << " constraints; ns per instruction: " << build * 1e9 / static_cast<double>(instructions) << " for problems, "
              << fit * 1e9 / static_cast<double>(instructions) << " for attempts");
  }
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

std::vector<ww::verify::allocated_from> identity_map(const ww::program& p) {
  std::vector<ww::verify::allocated_from> map(p.instructions.size());
  for (std::uint32_t i = 0; i < map.size(); ++i) map[i].of = ww::instr_id(i);
  return map;
}

void check_lowered(const ww::lifted_program& l, const ww::vec<std::uint32_t>& where, const std::string& name) {
  const ww::lower_result r = ww::lower(l, {where.data(), where.size()});
  INFO(name << ": " << ww::name_of(r.fault) << ", web " << r.web);
  REQUIRE(r.ok());
  const auto map = identity_map(r.code);
  const ww::verify::allocation_report report = ww::verify::check_allocation(l.code, r.code, {map.data(), map.size()});
  INFO(name << ": " << ww::verify::name_of(report.fault) << ", " << report.mismatches.size() << " mismatches");
  REQUIRE(report.clean());
}

// Allocates within what the compiler used; where that does not do, without a budget, so that all answers are checked.
void allocate(const ww::lifted_program& l, const std::string& name, bool unchanged, bool tie, tally& t) {
  static ra::allocation_space space;
  ++t.programs;
  t.instructions += l.code.order.size();
  const double begin = now();
  ra::build_problems(l, space.problems, space.build);
  t.build += now() - begin;
  const ww::live_count peak = ww::peak_live(l);
  for (std::size_t c = 0; c < ww::pressure_class_count; ++c) REQUIRE(space.problems.peak[c] == peak.of[c]);
  for (const ra::problem& p : space.problems.of) t.constraints += p.constraints.size();
  const double middle = now();
  ra::program_allocation_options first;
  first.pre.enable = tie;
  ra::program_allocation a = ra::allocate_built(l, space, first);
  t.fit += now() - middle;
  t.original += l.physical[general];
  t.peak += peak.of[general];
  t.needed += a.registers[general];
  const bool over = !a.fits[general];
  t.more += over ? 1u : 0u;
  if (over) t.more_over += a.registers[general] - l.physical[general];
  for (std::size_t c = 0; c < ww::pressure_class_count; ++c) {
    if (c != general && !a.fits[c]) ++t.other_more;
  }
  if (!a.ok()) {
    ra::program_allocation_options o;
    o.original_places = true;
    o.fit.attempts = 1;
    o.fit.repair_steps = 0;
    a = ra::allocate_program(l, space, o);
    if (a.ok()) ++t.kept;
    if (unchanged) REQUIRE(a.ok());
  }
  if (!a.ok()) {
    ra::program_allocation_options o;
    o.problems.registers = {254, 7, 63, 7};
    a = ra::allocate_program(l, space, o);
    if (!a.ok()) return;
  }
  for (std::size_t w = 0; w < l.webs.size(); ++w) {
    if (!l.webs[w].is_fixed() && l.webs[w].file == ww::reg_file::r && a.where[w] <= 1 && 1 < a.where[w] + l.webs[w].width) {
      FAIL("a web has R1: " << name);
    }
  }
  check_lowered(l, a.where, name);
  for (const ww::instr_id i : l.code.order) {
    const ra::copy_ends ends = ra::copy_of(l, i);
    if (!ends.found) continue;
    ++t.copies;
    t.same += a.where[ends.to] + ends.to_part == a.where[ends.from] + ends.from_part ? 1u : 0u;
    t.same_before += l.webs[ends.to].original + ends.to_part == l.webs[ends.from].original + ends.from_part ? 1u : 0u;
  }
}

template <class Config>
void reorder(const ww::lifted_program& l, const std::string& name, tally& t) {
  ww::lifted_program other = l;
  ww::schedule_workspace<Config> ws;
  ww::schedule_blocks<Config>(other.code, ws);
  allocate(other, name, false, true, t);
}

}  // namespace

TEST_CASE("FPA-3 listings: programs are allocated and read what they read before") {
  tally as_read;
  tally tied;
  tally reduced;
  tally listed;
  ww::lift_workspace ws;
  ww::lifted_program l;
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    auto r = ww::sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(r);
    for (const ww::program& p : r.mod.sections) {
      ww::program code = p;
      REQUIRE(ww::build_cfg(code).ok);
      REQUIRE(ww::lift(code, l, ws) == ww::lift_fault::none);
      l.has_encoding = false;
      allocate(l, path, true, false, as_read);
      allocate(l, path, true, true, tied);
      if (path.find("huge") != std::string::npos) continue;
      reorder<ww::config_of<ww::sm80, ww::strategy::unified, ww::mode::reduce_reg>>(l, path, reduced);
      reorder<ww::config_of<ww::sm80>>(l, path, listed);
    }
  }
  as_read.print("as read");
  tied.print("as read, copies tied");
  reduced.print("reduced");
  listed.print("list");
  CHECK(as_read.programs > 20);
  CHECK(as_read.more * 20 < as_read.programs);
  CHECK(as_read.other_more * 50 < as_read.programs);
  CHECK(as_read.needed < as_read.original);
  CHECK(tied.same > as_read.same);
  CHECK(tied.more <= as_read.more + 2);
}
