// SPDX-License-Identifier: BSL-1.0
//
// Code of other versions of the compiler than the corpus: CUDA 11.7, 11.8, 12.4, 13.1, 13.3 and 13.5. What they do that no
// other does is in tests/data/listings_versions, one small kernel each: matrix operations that raise counters on sm_80
// (half_counted), double precision that does and does not on sm_100 (double_counted, double_timed), integer matrices there
// (integer_counted), fences of the scope of a block, counted, and the NOPs behind them (fences), results padded with NOPs
// (double_padded, double_shared), acquires (acquires, acquires_unread), a kernel of sm_87 that asks for its first run
// (first_run), loads over the data of stores on sm_70 (exchange), remarks behind spills (spilled), transposed matrices over
// the data of stores (transposed).
#include <cstddef>
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/pipeline/word_search.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/writer.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/scoreboard/assign.hpp"
#include "warpwright/scoreboard/o0.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/warpwright.hpp"

using namespace ww;

namespace {

sass::listing_result read(const std::string& name) {
  const std::string path = ww_test::corpus::bundled("listings_versions/" + name);
  const std::string text = ww_test::corpus::text(path);
  REQUIRE(!text.empty());
  sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
  INFO(path << ' ' << (r ? std::string() : r.err.message()));
  REQUIRE(bool(r));
  for (program& p : r.mod.sections) REQUIRE(build_cfg(p).ok);
  return r;
}

using archs = meta::type_list<sm70, sm75, sm80, sm86, sm90, sm100, sm107, sm110, sm120>;

template <class F>
void each_version(F&& f) {
  unsigned listings = 0;
  for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled("listings_versions"))) {
    INFO(path);
    sass::listing_result r = read(path.substr(path.rfind('/') + 1));
    ++listings;
    for (program& p : r.mod.sections) {
      REQUIRE(detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() { f.template operator()<Arch>(p); }));
    }
  }
  CHECK(listings >= 12);
}

template <class Arch>
std::size_t errors(const program& p) {
  return verify::check<Arch>(p).errors();
}

template <class Arch>
void reword(program& p) {
  scoreboard::workspace ws;
  for (instruction& i : p.instructions) {
    const std::uint8_t fixed = i.has(iflag::reuse_legal) ? std::uint8_t{0} : i.ctl.reuse;
    i.ctl = {};
    i.ctl.reuse = fixed;
  }
  scoreboard::assign_control<Arch>(p, ws);
}

}  // namespace

TEST_CASE("other compilers: no finding, every opcode known, and new control words are right") {
  each_version([]<class Arch>(const program& original) {
    for (const instruction& i : original.instructions) CHECK(!i.has(iflag::unknown));
    const verify::report r = verify::check<Arch>(original);
    for (const verify::finding& f : r.findings) {
      if (f.level != verify::severity::finding) continue;
      INFO(verify::name(f.kind) << " at " << original[f.second].address);
      CHECK(f.level != verify::severity::finding);
    }
    CHECK(r.errors() == 0);
    program p = original;
    reword<Arch>(p);
    CHECK(errors<Arch>(p) == 0);
  });
}

TEST_CASE("other compilers: listings are written back byte for byte, with the remarks behind spills") {
  for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled("listings_versions"))) {
    INFO(path);
    const std::string text = ww_test::corpus::text(path);
    const sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    std::string again;
    CHECK(!sass::write_listing(r.mod, [&](std::string_view piece) { again += piece; }));
    CHECK(again == text);
  }
  CHECK(ww_test::corpus::text(ww_test::corpus::bundled("listings_versions/spilled.sm75.sass")).find("(*\"SpillRefill\"*)") !=
        std::string::npos);
}

TEST_CASE("other compilers: a remark is a remark only behind its quotes, and an indirect branch needs its table") {
  const std::string text = ww_test::corpus::text(ww_test::corpus::bundled("listings_versions/spilled.sm75.sass"));
  const std::string remark = "(*\"SpillRefill\"*)";
  for (const std::string& wrong : {std::string("(*SpillRefill*)   "), std::string("(*\"SpillRefill*) ")}) {
    std::string broken = text;
    broken.replace(broken.find(remark), remark.size(), wrong.substr(0, remark.size()));
    const sass::listing_result r = sass::read_listing(broken, {sm_id{750}, "broken"});
    CHECK(!r);
    CHECK(r.err.message().find("(*\"..\"*)") != std::string::npos);
  }
  std::string branch = text;
  const std::size_t at = branch.rfind("STL", branch.find(remark));
  branch.replace(at, 3, "BRX");
  const sass::listing_result r = sass::read_listing(branch, {sm_id{750}, "branch"});
  CHECK(!r);
  CHECK(r.err.message().find("BRANCH_TARGETS") != std::string::npos);
}

TEST_CASE("other compilers: sm_101 is sm_110, which counts double precision and times integer matrix operations") {
  for (const char* name : {"doubles_and_integers.sm101.sass", "doubles_and_integers.sm110.sass"}) {
    INFO(name);
    program p = read(name).mod.sections[0];
    CHECK(nearest_sm(p.sm) == sm110::id);
    CHECK(errors<sm110>(p) == 0);
    CHECK(errors<sm103>(p) != 0);  // which counts both
    reword<sm110>(p);
    CHECK(errors<sm110>(p) == 0);
    unsigned timed = 0, counted = 0;
    for (const instruction& i : p.instructions) {
      if (i.iclass == sched_class::imma_large) timed += i.ctl.sets_write() ? 0u : 1u;
      if (i.iclass == sched_class::fp64) counted += i.ctl.sets_write() ? 1u : 0u;
    }
    CHECK((timed == 1 && counted == 5));
  }
}

TEST_CASE("other compilers: code of sm_100 in the counted form is told from code that is timed") {
  CHECK(in_counted_form<sm100>(read("double_counted.sm100.sass").mod.sections[0]));
  CHECK(in_counted_form<sm100>(read("integer_counted.sm100.sass").mod.sections[0]));
  program timed = read("double_timed.sm100.sass").mod.sections[0];
  CHECK_FALSE(in_counted_form<sm100>(timed));
  CHECK_FALSE(in_counted_form<sm103>(timed));
  CHECK_FALSE(in_counted_form<sm80>(read("half_counted.sm80.sass").mod.sections[0]));
  static_assert(std::is_same_v<counted_form_t<sm100>, sm100_counted> && std::is_same_v<counted_form_t<sm90>, sm90>);
  // New words leave out counters that a later one in order covers; one in 33 is enough to tell.
  program few = read("double_counted.sm100.sass").mod.sections[0];
  std::size_t doubles = 0;
  for (instruction& i : few.instructions) {
    if (i.iclass != sched_class::fp64) continue;
    if (doubles++ % 32 != 0) i.ctl.write_barrier = control::no_barrier;
  }
  CHECK(doubles > 1);
  CHECK(in_counted_form<sm100>(few));
  // By the rules of the form nothing may be missing in either, and what is timed has no counter to wait for.
  program counted = read("double_counted.sm100.sass").mod.sections[0];
  CHECK(errors<sm103>(counted) == 0);
  CHECK(errors<sm100_counted>(counted) == 0);
  CHECK(errors<sm103>(timed) != 0);
  CHECK(errors<sm100_counted>(timed) != 0);
  reword<counted_form_t<sm100>>(timed);
  CHECK(errors<sm103>(timed) == 0);
  CHECK(errors<sm100_counted>(timed) == 0);
  // The words are right for the timed form too, but for counters that it does not ask for: results keep the times of sm_100.
  CHECK(errors<sm100>(timed) == 0);
  CHECK(in_counted_form<sm100>(timed));
  timed.has_control = false;
  CHECK_FALSE(in_counted_form<sm100>(timed));
  // Words that were wiped out with zeros name a counter, and say nothing.
  for (instruction& i : counted.instructions) {
    i.ctl = control{};
    i.ctl.write_barrier = i.ctl.read_barrier = 0;
  }
  CHECK_FALSE(in_counted_form<sm100>(counted));
}

namespace {

// Fences that raise a counter for which whoever comes next, on any path, waits; NOPs behind fences that wait for whatever
// is on its way.
struct fence_count {
  unsigned fences = 0;
  unsigned counted = 0;
  unsigned waited = 0;
  unsigned nops = 0;

  explicit fence_count(const program& p) {
    for (std::size_t k = 0; k + 1 < p.order.size(); ++k) {
      const instruction& i = p[p.order[k]];
      const instruction& next = p[p.order[k + 1]];
      if (!i.has(iflag::block_fence)) continue;
      ++fences;
      nops += next.has(iflag::nop) ? 1u : 0u;
      if (!i.ctl.sets_read()) continue;
      ++counted;
      waited += next.ctl.wait_mask >> i.ctl.read_barrier & 1u;
    }
  }
};

}  // namespace

TEST_CASE("other compilers: whoever follows a fence of the scope of a block waits for it, and NOPs stay behind fences") {
  sass::listing_result r = read("fences.sm90.sass");
  fence_count came(r.mod.sections[0]), came_too(r.mod.sections[1]);
  REQUIRE(came.fences + came_too.fences == 5);
  REQUIRE(came.counted + came_too.counted == 5);
  REQUIRE(came.nops + came_too.nops == 4);
  for (const program& original : r.mod.sections) {
    const fence_count before(original);
    for (const bool known : {true, false}) {
      program p = original;
      if (!known) reword<sm90>(p);
      scoreboard::workspace ws;
      scoreboard::assign_control<sm90>(p, ws);
      const fence_count after(p);
      CHECK(after.counted == before.counted);
      CHECK(after.waited == before.counted);
      CHECK(errors<sm90>(p) == 0);
    }
    program moved = original;
    scheduler<sm90>{}.run(moved, {.warps = 1});
    const fence_count after(moved);
    CHECK(after.counted == before.counted);
    CHECK(after.waited == before.counted);
    CHECK(after.nops == before.nops);
    program slow = original;
    scoreboard::assign_o0<sm90>(slow);
    CHECK(fence_count(slow).waited == before.counted);
    CHECK(errors<sm90>(slow) == 0);
    // On sm_80 nobody raises a counter there, and a wiped program gets none.
    program older = original;
    reword<sm80>(older);
    CHECK(fence_count(older).counted == 0);
  }
}

TEST_CASE("other compilers: a NOP is a fence where it waits, and where it stands behind a fence") {
  const auto fences = [](program p, bool behind, bool waiting) {
    for (instruction& i : p.instructions) {
      if (!behind) i.remove(iflag::block_fence);
      if (!i.has(iflag::nop)) continue;
      i.remove(iflag::fence);
      if (!waiting) i.ctl.wait_mask = 0;
    }
    REQUIRE(build_cfg(p).ok);
    unsigned n = 0;
    for (const instruction& i : p.instructions) n += i.has(iflag::nop) && i.has(iflag::fence) ? 1u : 0u;
    return n;
  };
  unsigned nops = 0;
  for (const program& original : read("fences.sm90.sass").mod.sections) {
    const unsigned behind = fence_count(original).nops;
    nops += behind;
    CHECK(fences(original, true, true) == behind);
    CHECK(fences(original, true, false) == behind);
    CHECK(fences(original, false, true) == behind);
    CHECK(fences(original, false, false) == 0);
  }
  CHECK(nops == 4);
}

TEST_CASE("other compilers: a fence whose counter the next instruction does not wait for is found") {
  unsigned planted = 0;
  for (const program& original : read("fences.sm90.sass").mod.sections) {
    const auto& order = original.order;
    for (std::size_t k = 0; k + 1 < order.size(); ++k) {
      if (!original[order[k]].has(iflag::block_fence)) continue;
      program p = original;
      control& next = p[order[k + 1]].ctl;
      next.wait_mask = static_cast<std::uint8_t>(next.wait_mask & ~(1u << p[order[k]].ctl.read_barrier));
      unsigned found = 0;
      for (const verify::finding& f : verify::check<sm90>(p).findings) {
        if (f.kind != verify::finding_kind::fence_wait) continue;
        ++found;
        CHECK(f.first == order[k]);
        CHECK(f.second == order[k + 1]);
        CHECK(f.counter == p[order[k]].ctl.read_barrier);
      }
      CHECK(found == 1);
      ++planted;
    }
  }
  CHECK(planted == 5);
}

TEST_CASE("other compilers: NOPs in a row are made as long as the compiler's, where that is a candidate") {
  program p = read("double_padded.sm120.sass").mod.sections[0];
  const program original = p;
  reword<sm120>(p);
  program padded = p;
  REQUIRE(word_search<sm120>::lengthen_padding(padded));
  CHECK(errors<sm120>(padded) == 0);
  unsigned rows = 0;
  for (std::size_t k = 0; k + 1 < p.order.size(); ++k) {
    const instruction& i = original[p.order[k]];
    if (!i.has(iflag::nop) || i.has(iflag::padding) || i.has(iflag::fence)) continue;
    CHECK(padded[p.order[k]].ctl.stall == i.ctl.stall);
    ++rows;
  }
  CHECK(rows >= 8);
  word_search<sm120>::workspace space;
  word_search<sm120> search(p, space, 4);
  search.consider<barriers::share>();
  CHECK(space.candidates == 1);
  search.consider_padding();
  CHECK(space.candidates == 2);
  // Nothing to pad, nothing to price.
  program plain = read("half_counted.sm80.sass").mod.sections[0];
  const program before = plain;
  CHECK_FALSE(word_search<sm80>::lengthen_padding(plain));
  for (std::size_t k = 0; k < plain.instructions.size(); ++k) CHECK(plain.instructions[k].ctl == before.instructions[k].ctl);
}

TEST_CASE("other compilers: padding is taken where several warps gain by it, and kept while neighbours are looked at") {
  // A loop of double precision that hangs on itself: without padding the warps get in each other's way.
  program p = read("double_shared.sm120.sass").mod.sections[0];
  const program original = p;
  reword<sm120>(p);
  word_search<sm120>::workspace space;
  word_search<sm120> search(p, space, 4);
  search.consider_usual();
  REQUIRE(space.padded);
  unsigned pads = 0;
  for (std::size_t k = 0; k < p.order.size(); ++k) {
    const instruction& i = original[p.order[k]];
    if (!i.has(iflag::nop) || i.has(iflag::padding)) continue;
    CHECK(p[p.order[k]].ctl.stall == i.ctl.stall);
    ++pads;
  }
  CHECK(pads == 12);
  CHECK(errors<sm120>(p) == 0);
  const double price = space.price;
  search.consider_neighbours();
  CHECK(space.padded);
  CHECK(space.price < price);
  CHECK(errors<sm120>(p) == 0);
}

TEST_CASE("other compilers: a cache is thrown away when what is acquired has come") {
  const sass::listing_result r = read("acquires.sm90.sass");
  unsigned caches = 0;
  unsigned planted = 0;
  for (const program& original : r.mod.sections) {
    for (const instruction& i : original.instructions) caches += i.iclass == sched_class::cctl ? 1u : 0u;
    program p = original;
    reword<sm90>(p);
    CHECK(errors<sm90>(p) == 0);
    for (const program* from : {static_cast<const program*>(&p), &original}) {
      // Nobody waits at the CCTL any more.
      program broken = *from;
      for (instruction& i : broken.instructions) {
        if (i.iclass == sched_class::cctl) i.ctl.wait_mask = 0;
      }
      unsigned found = 0;
      for (const verify::finding& f : verify::check<sm90>(broken).findings) {
        if (f.kind != verify::finding_kind::fence_wait) continue;
        CHECK(broken[f.second].iclass == sched_class::cctl);
        CHECK(broken[f.first].has(iflag::volatile_mem));
        ++found;
      }
      planted += found;
    }
  }
  CHECK(caches >= 3);
  CHECK(planted == 4);  // the third kernel has an ERRBAR in between, which drains
  // Other loads may still be on their way: the compiler has seven of them there.
  const std::string path = ww_test::corpus::bundled("listings_rare/cluster.sm100.sass");
  sass::listing_result weak = sass::read_listing(ww_test::corpus::text(path), {ww_test::corpus::sm_of(path), path});
  REQUIRE(bool(weak));
  for (program& p : weak.mod.sections) {
    REQUIRE(build_cfg(p).ok);
    reword<sm100>(p);
    CHECK(errors<sm100>(p) == 0);
    for (const instruction& i : p.instructions) {
      if (i.iclass == sched_class::cctl) CHECK(i.ctl.wait_mask == 0);
      if (i.op == opcode::ucgabar_arv || i.op == opcode::ucgabar_wait) CHECK(i.ctl.stall == 1);  // BAR has 6 there
    }
  }
}

TEST_CASE("other compilers: what nobody reads, and what comes from shared memory, is acquired too") {
  const sass::listing_result r = read("acquires_unread.sm90.sass");
  unsigned waits = 0;
  unsigned unread = 0;
  unsigned planted = 0;
  for (const program& original : r.mod.sections) {
    CHECK(errors<sm90>(original) == 0);
    program p = original;
    p.has_control = false;
    reword<sm90>(p);
    CHECK(errors<sm90>(p) == 0);
    instr_id acquired;
    bool drained = false;
    for (const instr_id id : p.order) {
      const instruction& i = p[id];
      const bool strong = i.has(iflag::volatile_mem) && i.dir != mem_dir::store;
      if (strong || i.op == opcode::atoms || i.op == opcode::lds) {
        acquired = id;
        drained = false;
      }
      drained = drained || i.op == opcode::errbar;
      if (i.iclass != sched_class::cctl) continue;
      REQUIRE(acquired.valid());
      // As the compiler: the last access in front of it, or nothing behind a drain.
      CHECK((i.ctl.wait_mask != 0) == !drained);
      CHECK((original[id].ctl.wait_mask != 0) == !drained);
      if (drained) {
        CHECK_FALSE(p[acquired].ctl.sets_write());
        continue;
      }
      ++waits;
      const instruction& from = p[acquired];
      CHECK((i.ctl.wait_mask >> from.ctl.write_barrier & 1u) != 0);
      bool read = false;
      for (const operand& o : p.operands_of(from)) {
        read = read || (o.is_def() && o.is_register() && o.file() == reg_file::r && !o.base().is_zero());
      }
      unread += read ? 0u : 1u;
      if (from.op == opcode::lds) continue;  // nothing tells it from any other load
      for (const program* words : {static_cast<const program*>(&p), &original}) {
        program broken = *words;
        broken[id].ctl.wait_mask = 0;
        unsigned found = 0;
        for (const verify::finding& f : verify::check<sm90>(broken).findings) {
          if (f.kind != verify::finding_kind::fence_wait) continue;
          CHECK(f.first == acquired);
          CHECK(f.second == id);
          ++found;
        }
        CHECK(found == 1);
        planted += found;
      }
    }
  }
  CHECK(waits == 6);
  CHECK(unread == 3);
  CHECK(planted == 10);
}
