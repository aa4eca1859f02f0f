// SPDX-License-Identifier: BSL-1.0
//
// What the command line does with a scheduler that is wrong: nothing that is not proved may come out, however sure of it the
// scheduler is. The unit of an SM is a table of functions, so a wrong one is put in the place of `schedule`.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "examples/warpwright/job.hpp"
#include "examples/warpwright/unit.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/scoreboard/assign.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

using arch = ww::sm80;

bool depends(const ww::program& p, ww::instr_id producer, ww::instr_id reader) {
  for (const ww::operand& d : p.operands_of(producer)) {
    if (!d.is_def() || !d.is_register() || d.base().is_zero()) continue;
    for (const ww::operand& u : p.operands_of(reader)) {
      if (u.is_use() && u.is_register() && u.base() == d.base()) return true;
    }
  }
  return false;
}

void sure(ww::schedule_result& r) {
  r = {};
  r.warps = 1;
  r.proved = true;
}

// Control words that are right for the order as it is, in which a reader stands in front of its producer.
bool exchange(const cli::options&, ww::program& p, ww::schedule_result& r) {
  sure(r);
  ww::scoreboard::workspace space;
  for (const ww::block& b : p.blocks) {
    for (std::size_t k = b.first; k + 1 < b.first + b.count; ++k) {
      const ww::instruction& x = p[p.order[k]];
      const ww::instruction& y = p[p.order[k + 1]];
      if (x.iclass != ww::sched_class::fma || y.iclass != ww::sched_class::fma || !depends(p, p.order[k], p.order[k + 1]))
        continue;
      std::swap(p.order[k], p.order[k + 1]);
      ww::scoreboard::assign_control<arch>(p, space);
      return true;
    }
  }
  return false;
}

// The order that came, without a wait.
bool no_waits(const cli::options&, ww::program& p, ww::schedule_result& r) {
  sure(r);
  for (ww::instruction& i : p.instructions) i.ctl.wait_mask = 0;
  return true;
}

bool unsure(const cli::options&, ww::program&, ww::schedule_result& r) {
  sure(r);
  r.proved = false;
  return true;
}

// The order that came, for which the words are made anew.
bool right(const cli::options&, ww::program& p, ww::schedule_result& r) {
  sure(r);
  ww::scoreboard::workspace space;
  ww::scoreboard::assign_control<arch>(p, space);
  return true;
}

std::string error_of(decltype(cli::unit::schedule) schedule) {
  cli::unit u = cli::unit_of<arch>();
  u.schedule = schedule;
  cli::options o;
  o.what = cli::command::schedule;
  const std::string path = ww_test::corpus::bundled("listings") + "/sgemm_naive.sm80.sass";
  const std::string text = ww_test::corpus::text(path);
  ww::sass::listing_result read = ww::sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
  REQUIRE(bool(read));
  cli::file_result result;
  std::string patched;
  cli::work(std::vector<cli::unit>(read.mod.sections.size(), u), o, path, read.mod, {}, result, patched);
  return result.error;
}

}  // namespace

TEST_CASE("command line: a reader in front of its producer is found though every word is right for it") {
  const std::string error = error_of(&exchange);
  INFO(error);
  CHECK(error.find("the new order is another program than the input") != std::string::npos);
}

TEST_CASE("command line: words that are wrong are found though the scheduler calls them proved") {
  const std::string error = error_of(&no_waits);
  INFO(error);
  CHECK(error.find("the rewritten listing has hazards that the input does not have") != std::string::npos);
}

TEST_CASE("command line: what the scheduler has not proved does not come out") {
  CHECK(error_of(&unsure).find("the result has hazards that the input does not have") != std::string::npos);
}

TEST_CASE("command line: what is right comes out") { CHECK(error_of(&right).empty()); }
