// SPDX-License-Identifier: BSL-1.0
//
// The seven checks of SB-10 on random programs of real instructions: no fault in words made by the kit, and a fault wherever the
// judge of verify/ finds one inside a block after a stall or a wait has been cut.
#include <map>

#include <warpwright/sass/listing.hpp>
#include <warpwright/scoreboard/schedule_checks.hpp>

#include "support.hpp"
#include "support/corpus.hpp"
#include "support/random_code.hpp"

using namespace ww;
using namespace ww::scoreboard;

namespace {

const std::map<sm_id, ww_test::random_code>& samples() {
  static const std::map<sm_id, ww_test::random_code> all = [] {
    std::map<sm_id, ww_test::random_code> code;
    std::vector<std::string> paths = ww_test::corpus::listings();
    for (const char* more : {"listings_blackwell", "listings_rare", "listings_versions"}) {
      for (std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(more))) paths.push_back(std::move(path));
    }
    for (const std::string& path : paths) {
      const std::string text = ww_test::corpus::text(path);
      const auto read = sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
      if (!read) continue;
      for (const program& s : read.mod.sections) code[s.sm].add(s);
    }
    return code;
  }();
  return all;
}

template <class Arch>
std::string text_of(const program& p, const schedule_fault& f) {
  const auto op = [&p](std::uint32_t pos) {
    return pos < p.order.size() ? std::string(isa::row_of(p[p.order[pos]].op).name) : std::string("beyond");
  };
  return std::string(Arch::name) + " " + name(f.check) + ", " + op(f.first) + " " + std::to_string(f.first) + " -> " +
         op(f.second) + " " + std::to_string(f.second) + ", " + std::to_string(f.value) + " of " + std::to_string(f.limit);
}

struct run {
  std::string faults;  // the first few
  unsigned programs = 0;
  unsigned cuts = 0;  // of which the judge finds something inside a block
  unsigned missed = 0;
  std::string first_missed;
};

// Inside one block the checks and the judge look for the same.
bool inside_a_block(const program& p, const verify::finding& f) {
  using k = verify::finding_kind;
  const bool kind = f.kind == k::raw_distance || f.kind == k::raw_counter || f.kind == k::waw_distance ||
                    f.kind == k::waw_counter || f.kind == k::war_counter || f.kind == k::set_to_wait;
  if (f.level != verify::severity::finding || !kind || !f.first.valid() || !f.second.valid()) return false;
  for (const block& b : p.blocks) {
    if (!b.reachable) continue;
    std::uint32_t first = entry_table::none;
    for (std::uint32_t pos = b.first; pos < b.first + b.count; ++pos) {
      if (p.order[pos] == f.first) first = pos;
      if (p.order[pos] == f.second) return first != entry_table::none && first < pos;
    }
  }
  return false;
}

template <class Arch>
void try_arch(run& r, unsigned count) {
  const auto found = samples().find(Arch::id);
  if (found == samples().end() || found->second.empty()) return;
  workspace ws;
  workspace other;
  verify::workspace vw;
  schedule_checks<Arch> checks;
  std::mt19937 random(static_cast<unsigned>(Arch::id) + 3);
  for (unsigned n = 0; n < count; ++n) {
    program p = found->second.program(random, Arch::id);
    if (p.order.empty()) continue;
    ++r.programs;
    assign_control<Arch>(p, ws);
    vec<schedule_fault> faults;
    if (checks.run(p, other, faults) != 0) {
      if (r.faults.size() < 500) r.faults += std::to_string(n) + ": " + text_of<Arch>(p, faults[0]) + "\n";
      continue;
    }
    for (unsigned k = 0; k < 6; ++k) {
      program q = p;
      control& c = q[q.order[random() % q.order.size()]].ctl;
      if (k % 2 == 0 && c.wait_mask != 0) {
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & (c.wait_mask - 1u));
      } else if (c.stall > 1) {
        c.stall = static_cast<std::uint8_t>(c.stall - 1);
      } else {
        continue;
      }
      bool hazard = false;
      for (const verify::finding& f : verify::check<Arch>(q, ww_test::hazards_only(), vw).findings) {
        hazard = hazard || inside_a_block(q, f);
      }
      if (!hazard) continue;
      ++r.cuts;
      faults.clear();
      if (checks.run(q, other, faults) != 0) continue;
      ++r.missed;
      if (r.first_missed.empty())
        r.first_missed = std::string(Arch::name) + " " + std::to_string(n) + ": " + ww_test::first_finding<Arch>(q);
    }
  }
}

}  // namespace

TEST_CASE(
    "SB-10: words made by the kit pass all seven checks on random programs of real instructions, and cut ones do not") {
  run r;
  try_arch<sm75>(r, 1500);
  try_arch<sm80>(r, 1500);
#if !defined(WW_TEST_FEW_ARCHS)
  try_arch<sm90>(r, 1500);
  try_arch<sm100>(r, 1500);
  try_arch<sm120>(r, 1500);
#endif
  INFO(r.faults);
  CHECK(r.faults.empty());
  CHECK(r.programs > 1000);
  INFO(r.cuts << " cuts, " << r.missed << " missed; " << r.first_missed);
  CHECK(r.cuts > 1000);
  CHECK(r.missed == 0);
}
