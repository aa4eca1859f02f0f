// SPDX-License-Identifier: BSL-1.0
// Where SYNC, BRK and CONT go on when no table says so: one test per rule, on programs made by hand.
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include <warpwright/ir/cfg.hpp>

#include "support/catch.hpp"

namespace {

using ww::iflag;
using ww::instr_id;
using ww::region_kind;

constexpr std::uint32_t bits(std::initializer_list<iflag> flags) {
  std::uint32_t b = 0;
  for (const iflag f : flags) b |= static_cast<std::uint32_t>(f);
  return b;
}

struct row {
  std::uint32_t flags = 0;
  int target = -1;
  region_kind region = region_kind::none;
};

row ssy(int to) { return {0, to, region_kind::sync}; }
row pbk(int to) { return {0, to, region_kind::loop}; }
row pcnt(int to) { return {0, to, region_kind::next}; }
row bra(int to) { return {bits({iflag::branch, iflag::ends_block}), to}; }
row brx() { return {bits({iflag::branch, iflag::indirect, iflag::ends_block})}; }
row call(int to) { return {bits({iflag::call, iflag::ends_block}), to}; }
row ret() { return {bits({iflag::ret, iflag::ends_block})}; }
row exit_() { return {bits({iflag::exit, iflag::ends_block})}; }
row leave(region_kind k) { return {bits({iflag::reconverge, iflag::ends_block}), -1, k}; }
row syn() { return leave(region_kind::sync); }
row brk() { return leave(region_kind::loop); }
row cont() { return leave(region_kind::next); }
row guarded(row r) {
  r.flags |= bits({iflag::guarded});
  return r;
}
row never(row r) {
  r.flags |= bits({iflag::never});
  return r;
}

ww::program make(const std::vector<row>& rows, std::initializer_list<unsigned> entries = {}) {
  ww::program p;
  for (const row& r : rows) {
    ww::instruction x;
    x.flags = r.flags;
    x.region = r.region;
    if (r.target >= 0) x.target = instr_id{static_cast<std::uint32_t>(r.target)};
    p.order.push_back(instr_id{static_cast<std::uint32_t>(p.instructions.size())});
    p.instructions.push_back(x);
  }
  for (const unsigned e : entries) {
    ww::function f;
    f.name = e;
    f.entry = instr_id{e};
    f.kernel = e == 0;
    p.functions.push_back(f);
  }
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

// Where the block that ends with an instruction goes.
std::set<unsigned> goes(const ww::program& p, unsigned last) {
  std::set<unsigned> s;
  for (const ww::cfg_edge& e : p.edges) {
    const ww::block& from = p[e.from];
    if (from.first + from.count == last + 1) s.insert(p[e.to].first);
  }
  return s;
}
using places = std::set<unsigned>;

}  // namespace

TEST_CASE("region stack: SYNC goes to the youngest open SSY, also where others stand in between") {
  // 0 SSY 6   1 SSY 4   2 @P SYNC -> 4   3 SYNC -> 4   4 NOP   5 SYNC -> 6
  const ww::program p = make({ssy(6), ssy(4), guarded(syn()), syn(), row{}, syn(), exit_()});
  CHECK(goes(p, 2) == places{3, 4});
  CHECK(goes(p, 3) == places{4});
  CHECK(goes(p, 5) == places{6});
}

TEST_CASE("region stack: a closed region that stands nearer is not gone to") {
  // the region of 1 is closed when the branch of 4 comes to 6
  const ww::program p = make({ssy(8), ssy(3), syn(), guarded(bra(6)), exit_(), exit_(), row{}, syn(), exit_()});
  CHECK(goes(p, 2) == places{3});
  CHECK(goes(p, 7) == places{8});
}

TEST_CASE("region stack: BRK and CONT take what is above their entry with it, SYNC does not take theirs") {
  // 0 SSY 9  1 PBK 8  2 PCNT 7  3 SSY 7  4 @P BRK -> 8  5 @P CONT -> 7  6 SYNC -> 7  7 BRK -> 8  8 SYNC -> 9
  const ww::program p =
      make({ssy(9), pbk(8), pcnt(7), ssy(7), guarded(brk()), guarded(cont()), syn(), brk(), syn(), exit_()});
  CHECK(goes(p, 4) == places{5, 8});
  CHECK(goes(p, 5) == places{6, 7});
  CHECK(goes(p, 6) == places{7});
  CHECK(goes(p, 8) == places{9});  // whichever way it was reached, the outermost SSY is left
}

TEST_CASE("region stack: an opener that never acts opens nothing") {
  const ww::program p = make({ssy(5), never(ssy(4)), syn(), exit_(), exit_(), exit_()});
  CHECK(goes(p, 2) == places{5});
}

TEST_CASE("region stack: where ways disagree each opener of the kind may be meant") {
  SECTION("two ways") {
    // 0 @P BRA 3   1 SSY 6   2 BRA 4   3 SSY 7   4 NOP   5 SYNC
    const ww::program p = make({guarded(bra(3)), ssy(6), bra(4), ssy(7), row{}, syn(), exit_(), exit_()});
    CHECK(goes(p, 5) == places{6, 7});
  }
  SECTION("an opener under a guard") {
    const ww::program p = make({ssy(5), guarded(ssy(4)), pbk(3), syn(), exit_(), exit_()});
    CHECK(goes(p, 3) == places{4, 5});
  }
  SECTION("a region left more often than opened, or opened on each turn of a loop") {
    const ww::program p = make({ssy(2), syn(), syn(), exit_()});
    CHECK(goes(p, 1) == places{2});
    CHECK(goes(p, 2) == places{2});  // nothing is open any more: the target of the opener that there is
    const ww::program q = make({ssy(4), ssy(3), guarded(bra(1)), syn(), exit_()});
    CHECK(goes(q, 3) == places{3, 4});
  }
}

TEST_CASE("region stack: a function starts with nothing open and gives back what its caller had") {
  // A region was closed before the call: it is not open behind it.
  //                          0       1      2       3        4      5        6        7       8      9
  const ww::program p = make({ssy(2), syn(), ssy(5), call(7), syn(), exit_(), exit_(), ssy(9), syn(), ret()}, {0, 7});
  CHECK(goes(p, 4) == places{5});
  CHECK(goes(p, 8) == places{9});
}

TEST_CASE("region stack: what PRET pushes is gone where the callee comes back") {
  // 0 SSY 2  1 SYNC -> 2  2 SSY 8  3 @P BRA 6  4 PRET 6  5 BRX  6 SYNC -> 8  7 EXIT  8 EXIT
  const row pret{bits({iflag::ends_block}), 6, region_kind::call};
  const ww::program p = make({ssy(2), syn(), ssy(8), guarded(bra(6)), pret, brx(), syn(), exit_(), exit_()});
  CHECK(goes(p, 5).count(6) == 1);
  CHECK(goes(p, 6) == places{8});
}

TEST_CASE("region stack: what only an open branch reaches starts with that branch's stack") {
  //              0       1      2       3       4      5       6      7
  const ww::program p = make({ssy(7), brx(), ssy(4), syn(), syn(), ssy(7), syn(), exit_()});
  CHECK(goes(p, 1) == places{2, 5});
  CHECK(goes(p, 3) == places{4});
  CHECK(goes(p, 4) == places{7});
  // Two switches in regions of their own: the parts behind the second one have its stack.
  //                          0       1      2      3       4      5       6      7      8
  const ww::program q = make({ssy(4), brx(), syn(), exit_(), ssy(8), brx(), syn(), exit_(), exit_()}, {0});
  CHECK(goes(q, 2) == places{4});
  CHECK(goes(q, 6) == places{8});
  // .. and another function knows nothing of it.
  const ww::program r = make({ssy(3), brx(), syn(), exit_(), ssy(6), syn(), exit_(), syn(), exit_()}, {0, 4});
  CHECK(goes(r, 2) == places{3});
  CHECK(goes(r, 7) == places{6});
}

TEST_CASE("region stack: a table is believed, and its ways leave the region too") {
  std::vector<row> rows{ssy(5), ssy(3), syn(), syn(), exit_(), exit_()};
  ww::program p = make(rows);
  ww::branch_table t;
  t.branch = instr_id{2};
  t.first = 0;
  t.count = 1;
  p.table_targets.push_back(instr_id{3});
  p.tables.push_back(t);
  REQUIRE(ww::build_cfg(p).ok);
  CHECK(goes(p, 2) == places{3});
  CHECK(goes(p, 3) == places{5});
}
