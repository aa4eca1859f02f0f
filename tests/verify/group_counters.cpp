// SPDX-License-Identifier: BSL-1.0
//
// Counters that no register asks for: groups of asynchronous copies, fences between a thread and the asynchronous units, and what SYNCS
// writes into an object. By hand, and with every one of them dropped by itself in compiled code.
#include <cstdio>
#include <string>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "toy.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;
using namespace toy;

namespace {

template <class Arch>
unsigned fence_waits(const program& p) {
  unsigned n = 0;
  for (const verify::finding& f : verify::check<Arch>(p, {true, true, false, false}).findings)
    n += f.kind == verify::finding_kind::fence_wait && f.level == verify::severity::finding ? 1u : 0u;
  return n;
}

line named(opcode o, sched_class c) {
  line l = op(c, {});
  l.i.op = o;
  return l.stall(6);
}

struct tally {
  unsigned planted = 0, found = 0;
};

struct tallies {
  tally groups, bulk, fences, waits;
  unsigned listings = 0;
};

// Each edit by itself, undone afterwards.
template <class Arch>
void one(program& p, tallies& t) {
  const auto count = [&p](tally& of) {
    ++of.planted;
    of.found += verify::check<Arch>(p).clean() ? 0u : 1u;
  };
  for (const block& b : p.blocks) {
    const auto order = p.order_of(b);
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      instruction& i = p.instructions[order[k].index()];
      const control kept = i.ctl;
      if (i.op == opcode::ldgdepbar && i.ctl.sets_write()) {
        i.ctl.write_barrier = control::no_barrier;
        count(t.groups);
      } else if (i.op == opcode::utmacmdflush && i.ctl.sets_read()) {
        i.ctl.read_barrier = control::no_barrier;
        count(t.bulk);
      } else if (i.op == opcode::fence && i.ctl.sets_write()) {
        // Who comes next in the block and tells others is the one that has waited, or nobody need.
        for (std::uint32_t n = k + 1; n < order.size(); ++n) {
          instruction& next = p.instructions[order[n].index()];
          const bool waits = (next.ctl.wait_mask >> i.ctl.write_barrier & 1u) != 0;
          if (next.op == opcode::fence || (waits && next.op != opcode::bar && next.op != opcode::syncs)) break;
          if (!waits) continue;
          const control was = next.ctl;
          next.ctl.wait_mask = static_cast<std::uint8_t>(next.ctl.wait_mask & ~(1u << i.ctl.write_barrier));
          count(t.waits);
          next.ctl = was;
          i.ctl.write_barrier = control::no_barrier;
          count(t.fences);
          break;
        }
      }
      i.ctl = kept;
    }
  }
}

void all(const std::string& folder, tallies& t) {
  for (const std::string& path : ww_test::corpus::files(folder)) {
    const std::string text = ww_test::corpus::text(path);
    const bool any = text.find("DEPBAR") != std::string::npos || text.find("FENCE.VIEW") != std::string::npos ||
                     text.find("UTMACMDFLUSH") != std::string::npos;
    if (!any) continue;
    sass::listing_result r = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
    INFO(path);
    REQUIRE(bool(r));
    ++t.listings;
    for (program& p : r.mod.sections) {
      if (!build_cfg(p).ok || p.instructions.size() > 4000) continue;
      detail::visit_arch_in(all_archs{}, nearest_sm(p.sm), [&]<class Arch>() {
        if (verify::check<Arch>(p).clean()) one<Arch>(p, t);
      });
    }
  }
}

}  // namespace

TEST_CASE("verify groups: the end of a group of copies raises a counter, or all drains") {
  const auto errors = [](opcode o, sched_class c, bool counter, unsigned stall) {
    line end = named(o, c).stall(stall);
    if (counter && o == opcode::ldgdepbar) end.sets(0);
    if (counter && o != opcode::ldgdepbar) end.sets_read(0);
    line wait = op(sched_class::depbar, {operand::use(reg{reg_file::sb, 0}, slot::none)}).stall(4);
    wait.i.op = opcode::depbar;
    return fence_waits<sm90a>(build({end, wait, exit_()}));
  };
  for (const auto& [o, c] :
       {std::pair{opcode::ldgdepbar, sched_class::ldgdepbar}, {opcode::utmacmdflush, sched_class::tma}}) {
    CHECK(errors(o, c, true, 4) == 0);
    CHECK(errors(o, c, false, 4) == 1);
    CHECK(errors(o, c, false, 0) == 0);
  }
  // What arrives at an object when copies have come raises none.
  CHECK(errors(opcode::arrives, sched_class::ldgdepbar, false, 4) == 0);
}

TEST_CASE("verify groups: who tells others has waited for the fence in front of it") {
  const line fence = named(opcode::fence, sched_class::fence).sets(1);
  const auto errors = [](const std::vector<line>& lines) {
    std::vector<line> l = lines;
    l.push_back(exit_());
    return fence_waits<sm90a>(build(l));
  };
  const line bar = named(opcode::bar, sched_class::bar);
  const line object = named(opcode::syncs, sched_class::syncs);
  const line store = named(opcode::utmastg, sched_class::tma);
  line arrive = named(opcode::warpgroup, sched_class::warpgroup);
  const line other = alu(R(20)).stall(6);
  for (const line& teller : {bar, object, store, arrive}) {
    CHECK(errors({fence, other, teller}) == 1);
    CHECK(errors({fence, other, line(teller).waits(1)}) == 0);
    CHECK(errors({fence, line(other).waits(1), teller}) == 0);
    CHECK(errors({line(fence).stall(0), other, teller}) == 0);  // it drains
  }
  CHECK(errors({fence, other}) == 0);
  CHECK(errors({fence, other, line(bar).waits(2)}) == 1);                              // for another
  CHECK(errors({fence, other, line(fence).sets(2), other, line(bar).waits(2)}) == 0);  // the later one counts
  line none = fence;
  none.i.ctl.write_barrier = control::no_barrier;
  CHECK(errors({none, other, bar}) == 1);  // it raises no counter
  // across blocks, on either path
  const auto around = [&](unsigned waits) {
    return fence_waits<sm90a>(build({fence, bra(3), line(other).waits(waits), bar, exit_()}, {2, 1, 2},
                                    {{0, 2, edge_kind::branch}, {0, 1, edge_kind::fall}, {1, 2, edge_kind::fall}}));
  };
  CHECK(around(1) == 1);
}

TEST_CASE("verify groups: a barrier object may be set up ten cycles behind a fence whose counter it raises") {
  const line nop = named(opcode::nop, sched_class::nop).stall(1);
  const line fence = named(opcode::fence, sched_class::fence).sets(1).stall(10);
  line object = named(opcode::syncs, sched_class::syncs).stall(1).sets(1);
  object.i.word[0] = 0x3c08ff75b2;  // SYNCS.EXCH.64
  const line bar = named(opcode::bar, sched_class::bar);
  const auto errors = [](const std::vector<line>& lines) {
    program p = build(lines);
    p.has_encoding = true;
    return fence_waits<sm90>(p);
  };
  const auto stalled = [](line l, unsigned n) { return l.stall(n).yield(false); };
  CHECK(errors({nop, fence, object, stalled(nop, 15), object, line(bar).waits(1), exit_()}) == 0);
  CHECK(errors({nop, fence, object, bar, exit_()}) == 1);  // the wait for both
  CHECK(errors({nop, stalled(fence, 11), object, line(nop).waits(1), bar, exit_()}) == 0);
  CHECK(errors({nop, stalled(fence, 9), object, exit_()}) == 1);
  CHECK(errors({nop, fence, line(object).sets(2), exit_()}) == 1);
  CHECK(errors({alu(R(20)).stall(6), fence, object, exit_()}) == 1);
  CHECK(errors({fence, object, exit_()}) == 1);
  line arrives = object;
  arrives.i.word[0] = 0xff79a7;
  CHECK(errors({nop, fence, arrives, exit_()}) == 1);
}

TEST_CASE("verify groups: what SYNCS writes into an object is overwritten when it has been read, its address at once") {
  const auto errors = [](unsigned overwritten, bool waits) {
    line object = op(sched_class::syncs, {operand::use(UR(8), slot::uaddress), operand::use(UR(4), slot::data, 2)}).stall(6);
    object.i.op = opcode::syncs;
    object.sets_read(0);
    line next = op(sched_class::ualu, {operand::def(UR(overwritten), slot::dst)}).stall(6);
    if (waits) next.waits(0);
    unsigned n = 0;
    for (const verify::finding& f :
         verify::check<sm90a>(build({object, next, exit_()}), {true, false, false, false}).findings)
      n += f.kind == verify::finding_kind::war_counter ? 1u : 0u;
    return n;
  };
  CHECK(errors(4, false) == 1);
  CHECK(errors(5, false) == 1);
  CHECK(errors(5, true) == 0);
  CHECK(errors(8, false) == 0);
}

TEST_CASE("verify groups: every one of these counters and waits of compiled code is missed when it is dropped") {
  tallies t;
  for (const char* folder : {"listings", "listings_blackwell", "listings_rare", "listings_versions"})
    all(ww_test::corpus::bundled(folder), t);
  if (!ww_test::corpus::root().empty()) all(ww_test::corpus::root() + "/listings", t);
  std::printf("counters of groups %u of %u, of bulk groups %u of %u, of fences %u of %u, waits for fences %u of %u\n",
              t.groups.found, t.groups.planted, t.bulk.found, t.bulk.planted, t.fences.found, t.fences.planted,
              t.waits.found, t.waits.planted);
  for (const tally& x : {t.groups, t.bulk, t.fences, t.waits}) {
    CHECK(x.planted > 3);
    CHECK(x.found == x.planted);
  }
}
