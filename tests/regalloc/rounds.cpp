// SPDX-License-Identifier: BSL-1.0
//
// The retry driver and the spill code together, on real listings: allocated in fewer and fewer registers, under the check of allocations.
#include <string>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/lift/peak_live.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/allocation.hpp>

#include "../support/corpus.hpp"
#include "../support/slow.hpp"
#include "lifted_host.hpp"
#include "spill_support.hpp"

using namespace ww_test::regalloc;
namespace corpus = ww_test::corpus;

TEST_CASE("FPA-8 rounds: every listing in fewer and fewer registers, right by the check of allocations") {
  struct row {
    std::size_t runs = 0, fit = 0, spilled = 0, failed = 0, memory = 0, again = 0, rounds = 0, most = 0, loads = 0,
                stores = 0;
  };
  row rows[3];
  std::size_t programs = 0, number = 0;
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    auto r = ww::sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(r);
    for (ww::program& p : r.mod.sections) {
      if (!ww_test::chosen(++number, 10) || p.order.size() > 3000 || p.order.empty()) continue;
      REQUIRE(ww::build_cfg(p).ok);
      const ww::lifted_program before = ww::lift(p);
      REQUIRE(before.ok());
      ++programs;
      const std::uint32_t peak = ww::peak_live(before)[ww::pressure_class::r];
      std::int32_t frame = 0;
      for (const ww::instruction& i : p.instructions) {
        if (i.space == ww::mem_space::local) frame = std::max(frame, i.mem_offset + 16);
      }
      for (unsigned part = 0; part < 3; ++part) {
        lifted_host h;
        h.s = ra::start_spills(before);
        h.space.frame_base = frame;
        h.limit = std::max(peak * (4 - part) / 4, 4u);
        ra::retry_driver<> driver;
        ra::retry_settings settings;
        settings.span = ra::span_of<ww::sm80>();
        const auto out = driver.run(h, ra::register_class::r, settings);
        row& t = rows[part];
        ++t.runs;
        t.memory += h.memory;
        t.again += h.again;
        t.rounds += out.rounds;
        t.loads += h.s.reloads;
        t.stores += h.s.stores;
        t.most = std::max<std::size_t>(t.most, out.rounds);
        check_consistent(before, h.s);
        if (out.end == ra::retry_end::no_registers) continue;
        if (out.end == ra::retry_end::failed) {
          ++t.failed;
          continue;
        }
        ++(out.end == ra::retry_end::fits ? t.fit : t.spilled);
        const ww::program after = h.placed(driver.answer());
        const auto report = ww::verify::check_allocation(before.code, after, h.s.map);
        INFO(path << " in " << h.limit << " of " << peak << " registers\n" << report_text(report));
        REQUIRE(report.sound());
      }
    }
  }
  CHECK((rows[0].fit + rows[0].spilled) * 10 > rows[0].runs * 8);
  CHECK(rows[1].failed * 2 < rows[1].runs);
  for (unsigned part = 0; part < 3; ++part) {
    const row& t = rows[part];
    WARN("in " << 4 - part << "/4 of the registers that are live: " << t.runs << " programs, " << t.fit << " fit, "
               << t.spilled << " fit spilled, " << t.failed << " failed; " << t.memory << " webs in memory, " << t.again
               << " computed again, " << t.stores << " stores, " << t.loads << " reloads, " << t.rounds << " rounds, most "
               << t.most);
  }
  CHECK(programs > 5);
}
