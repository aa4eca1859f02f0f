// SPDX-License-Identifier: BSL-1.0
//
// verify::same_order: every exchanged pair of real code is found, orders of the schedulers are the same program, rearranged code
// agrees with the brute-force oracle, and one test per rule.
#include <algorithm>
#include <random>
#include <string>

#include <warpwright/arch/sm80.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/writer.hpp>
#include <warpwright/schedule/compose.hpp>
#include <warpwright/schedule/engine.hpp>
#include <warpwright/strategy/all.hpp>
#include <warpwright/verify/same_order.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/mutate.hpp"
#include "../support/order_oracle.hpp"
#include "../support/program_text.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::instr_id;
using ww::verify::order_difference;
using ww::verify::order_fault;
using ww_test::text;
using differences = ww::vec<order_difference>;

template <class F>
void each_section(F f) {
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    INFO(path);
    REQUIRE(bool(r));
    for (ww::program& p : r.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      f(path, p);
    }
  }
}

// The program as if it had been read in its present order: ids are places.
ww::program as_read(const ww::program& p) {
  ww::program q = p;
  ww::vec<instr_id> place(p.instructions.size(), instr_id{});
  for (std::uint32_t k = 0; k < p.order.size(); ++k) place[p.order[k].index()] = instr_id{k};
  for (std::uint32_t k = 0; k < p.order.size(); ++k) {
    q.instructions[k] = p[p.order[k]];
    // A target is the block that starts there, whoever is first in it now.
    q.order[k] = instr_id{k};
  }
  return q;
}

differences between(const ww::program& original, const ww::program& changed) {
  differences found;
  ww::verify::same_order(original, as_read(changed), found);
  return found;
}

// The instruction at `from` goes to the place `to`.
void move(ww::program& p, std::uint32_t from, std::uint32_t to) {
  const auto first = p.order.begin();
  if (from < to) {
    std::rotate(first + from, first + from + 1, first + to + 1);
  } else {
    std::rotate(first + to, first + from, first + from + 1);
  }
}

// Targets name what begins their block now, as whoever moves an instruction to another block has to see to.
void follow(const ww::program& before, ww::program& after) {
  for (ww::instruction& i : after.instructions) {
    if (!i.target.valid()) continue;
    std::size_t b = 0;
    const auto holds = [&](const ww::block& k) {
      const auto order = before.order_of(k);
      return std::find(order.begin(), order.end(), i.target) != order.end();
    };
    while (!holds(before.blocks[b])) ++b;
    i.target = after.order_of(after.blocks[b])[0];
  }
}

// What is said when it does.
differences moved(const char* lines, std::uint32_t from, std::uint32_t to) {
  const ww::program before = text(lines);
  ww::program after = before;
  move(after, from, to);
  differences found;
  ww::verify::compare_orders(before, after, found);
  return found;
}
bool kept(const char* lines, std::uint32_t from, std::uint32_t to) { return moved(lines, from, to).empty(); }
bool reordered(const char* lines, std::uint32_t from, std::uint32_t to) {
  const differences d = moved(lines, from, to);
  return d.size() == 1 && d[0].fault == order_fault::effect;
}

template <class S>
void schedule_and_compare(const ww::program& before) {
  using config = ww::config_of<ww::sm80, S>;
  ww::program p = before;
  ww::schedule_workspace<config> ws;
  REQUIRE_FALSE(ww::schedule_blocks<config>(p, ws).failed);
  CHECK(between(before, p).empty());
}

}  // namespace

TEST_CASE("same order: every exchanged pair of real code is found, and no listing differs from itself") {
  unsigned planted = 0;
  unsigned found = 0;
  unsigned named = 0;
  each_section([&](const std::string& path, ww::program& p) {
    INFO(path);
    CHECK(between(p, p).empty());
    if (p.instructions.size() > 3000) return;
    const ww::program before = p;
    ww_test::mutator m(p, 7);
    for (unsigned n = 0; n < 8; ++n) {
      ww_test::edit e;
      if (!m.plant(n % 2 == 0 ? ww_test::bug::swap_moving : ww_test::bug::swap_in_place, e)) continue;
      const ww::instruction& x = before[before.order[e.swap_position]];
      const ww::instruction& y = before[before.order[e.swap_position + 1]];
      if (x.word[0] == y.word[0]) continue;  // r = f(r) twice: nothing is exchanged
      e.apply(p);
      const differences d = between(before, p);
      ++planted;
      found += d.empty() ? 0u : 1u;
      // Who reads the other value is one of the pair, or somebody behind it.
      named += std::any_of(d.begin(), d.end(), [](const order_difference& o) { return o.fault != order_fault::foreign; });
      e.revert(p);
    }
  });
  CHECK(planted > 500);
  CHECK(found == planted);
  CHECK(named == planted);
}

TEST_CASE("same order: what the schedulers make of real code is the same program") {
  each_section([](const std::string& path, ww::program& p) {
    INFO(path);
    schedule_and_compare<ww::strategy::list>(p);
    if (p.instructions.size() < 400) schedule_and_compare<ww::strategy::combined>(p);
  });
}

TEST_CASE("same order: agrees with the brute-force oracle on neighbours and on shuffled blocks") {
  std::mt19937 rng(11);
  unsigned same = 0;
  unsigned different = 0;
  unsigned only_names = 0;  // registers overwritten unread, or work on registers across a meeting
  each_section([&](const std::string& path, ww::program& p) {
    INFO(path);
    if (p.instructions.size() > 1500) return;
    const ww::program before = p;
    for (unsigned n = 0; n < 12; ++n) {
      const ww::block& b = p.blocks[rng() % p.blocks.size()];
      if (b.padding || b.count < 3) continue;
      const std::uint32_t k = static_cast<std::uint32_t>(rng() % (b.count - 2));
      const std::uint32_t other = n % 3 == 0 ? static_cast<std::uint32_t>(rng() % (b.count - 1)) : k + 1;
      if (k == other) continue;
      std::swap(p.order[b.first + k], p.order[b.first + other]);
      const ww_test::order_oracle oracle(p, before.order_of(b), ww_test::oracle_memory::same_base);
      const ww_test::misplaced_pair wrong = oracle.first_misplaced(p.order_of(b));
      differences d;
      ww::verify::compare_orders(before, p, d);
      INFO("block " << b.first << " places " << k << " and " << other);
      if (!wrong.found) {
        CHECK(d.empty());
        ++same;
      } else if (!d.empty()) {
        ++different;
      } else {
        ++only_names;
      }
      p.order = before.order;
    }
  });
  CHECK(same > 300);
  CHECK(different > 200);
  CHECK(only_names < different);
}

TEST_CASE("same order: memory") {
  CHECK(kept("LDG.E R0, [R2.64]\nLDG.E R1, [R4.64]\nEXIT\n", 0, 1));
  CHECK(reordered("LDG.E R0, [R2.64]\nSTG.E [R4.64], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E [R2.64], R0\nSTG.E [R4.64], R1\nEXIT\n", 0, 1));
  CHECK(kept("STG.E [R2.64], R0\nSTG.E [R2.64+0x4], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E.64 [R2.64], R0\nSTG.E [R2.64+0x4], R5\nEXIT\n", 0, 1));
  // Only one address tells offsets apart: another register, one more, another window or an access that orders may meet anywhere.
  CHECK(reordered("STG.E [R2.64], R0\nSTG.E [R4.64+0x4], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E [R2.64], R0\nSTG.E [R2.64+UR4+0x4], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E [R2.64+UR4], R0\nSTG.E [R2.64+UR6+0x4], R1\nEXIT\n", 0, 1));
  CHECK(kept("STG.E [R2.64+UR4], R0\nSTG.E [R2.64+UR4+0x4], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E [R2.64], R0\nST.E [R2.64+0x4], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E.STRONG.GPU [R2.64], R0\nSTG.E [R2.64+0x4], R1\nEXIT\n", 0, 1));
  CHECK(reordered("STG.E [R2.64], R0\nSTG.E.STRONG.GPU [R2.64+0x4], R1\nEXIT\n", 0, 1));
  CHECK(kept("STS [R2], R0\nLDG.E R1, [R4.64]\nEXIT\n", 0, 1));
  CHECK(reordered("STS [R2], R0\nLD.E R1, [R4.64]\nEXIT\n", 0, 1));
  CHECK(kept("STG.E [R2.64], R0\nLDG.E.CONSTANT R1, [R4.64]\nEXIT\n", 0, 1));
  CHECK(reordered("LDG.E.STRONG.GPU R0, [R2.64]\nLDG.E.STRONG.GPU R1, [R2.64+0x8]\nEXIT\n", 0, 1));
  CHECK(reordered("ATOMS.ADD R0, [R2], R1\nLDS R3, [R4]\nEXIT\n", 0, 1));
  // [R2.X4+0x4] and [R2]: the scale stands in the encoding alone.
  ww::program scaled = text("STS [R2], R0\nSTS [R2+0x4], R1\nEXIT\n");
  scaled.instructions[1].word[1] |= 1ull << 14;
  ww::program turned = scaled;
  std::swap(turned.order[0], turned.order[1]);
  differences of_scaled;
  ww::verify::compare_orders(scaled, turned, of_scaled);
  CHECK(of_scaled.size() == 1);
  // The same name, another address.
  const differences d = moved("STS [R2], R0\nIADD3 R2, R2, 0x4, RZ\nSTS [R2+0x4], R1\nEXIT\n", 2, 0);
  REQUIRE(d.size() == 2);
  CHECK(d[0].fault == order_fault::value);
  CHECK(d[0].second == instr_id{2});
  CHECK(d[0].target == ww::R(2));
  CHECK(d[1].fault == order_fault::effect);
  CHECK(d[1].first == instr_id{0});
  CHECK(d[1].second == instr_id{2});
}

TEST_CASE("same order: meetings, other threads, clocks and places") {
  CHECK(reordered("STS [R2], R0\nBAR.SYNC 0x0\nEXIT\n", 0, 1));
  CHECK(kept("IADD3 R2, R3, 0x4, RZ\nBAR.SYNC 0x0\nEXIT\n", 0, 1));
  CHECK(reordered("SHFL.BFLY PT, R0, R1, 0x1, 0x1f\nWARPSYNC 0xffffffff\nEXIT\n", 0, 1));
  CHECK(kept("SHFL.BFLY PT, R0, R1, 0x1, 0x1f\nVOTE.ANY R4, PT, P0\nEXIT\n", 0, 1));
  CHECK(reordered("CS2R R0, SR_CLOCKLO\nCS2R R2, SR_CLOCKLO\nEXIT\n", 0, 1));
  CHECK(reordered("MEMBAR.SC.GPU\nSTG.E [R2.64], R0\nEXIT\n", 0, 1));
  CHECK_FALSE(kept("FROBNICATE R0, R1\nIADD3 R2, R3, 0x4, RZ\nEXIT\n", 0, 1));
}

TEST_CASE("same order: from block to block") {
  // Blocks: 0 up to the branch, 1 the load under the predicate, 2 what both come to.
  constexpr const char* lines =
      "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA `(.L_1)\nLDG.E R4, [R2.64]\nFADD R5, R4, R4\n.L_1:\nLDG.E R6, [R8.64]\n"
      "STG.E [R2.64], R5\nEXIT\n";
  const ww::program before = text(lines);
  REQUIRE(before.blocks.size() == 3);
  // The instruction at `from` to the place `to` of another block.
  const auto across = [&](std::uint32_t from, std::uint32_t to, std::uint32_t block_from, std::uint32_t block_to,
                          bool names_follow = true) {
    ww::program after = before;
    move(after, from, to);
    --after.blocks[block_from].count;
    ++after.blocks[block_to].count;
    for (std::uint32_t b = std::min(block_from, block_to) + 1; b <= std::max(block_from, block_to); ++b) {
      after.blocks[b].first = block_to < block_from ? after.blocks[b].first + 1 : after.blocks[b].first - 1;
    }
    if (names_follow) follow(before, after);
    differences found;
    ww::verify::compare_orders(before, after, found);
    return found;
  };
  CHECK(across(4, 0, 2, 0).empty());  // every thread comes to the load, and nothing writes before
  const differences named = across(4, 0, 2, 0, false);
  REQUIRE(named.size() == 1);  // but the branch goes to the beginning of the first block then
  CHECK(named[0] == order_difference{order_fault::target, instr_id{4}, instr_id{1}, {}});
  const differences faults = across(2, 0, 1, 0);
  REQUIRE(faults.size() == 1);  // not every thread came to this one
  CHECK(faults[0] == order_difference{order_fault::effect, {}, instr_id{2}, {}});
  const differences stored = across(5, 0, 2, 0);
  REQUIRE(stored.size() == 2);  // what it stores is not there yet, and stores stay where they are
  CHECK(stored[0].fault == order_fault::value);
  CHECK(stored[1] == order_difference{order_fault::effect, {}, instr_id{5}, {}});
  const differences late = across(2, 5, 1, 2);
  REQUIRE(late.size() == 2);  // behind its reader, and past nothing that writes
  CHECK(late[0].fault == order_fault::value);
  CHECK(late[1].second == instr_id{2});
}

TEST_CASE("same order: tables, leaders and entries that lead elsewhere") {
  ww::program p = text(
      "ISETP.NE.AND P0, PT, R0, RZ, PT\n@P0 BRA `(.L_1)\nMOV R4, 0x1\nMOV R5, 0x2\n.L_1:\nMOV R6, 0x3\nMOV R7, 0x4\nEXIT\n");
  REQUIRE(p.blocks.size() == 3);
  for (std::uint32_t k = 0; k < p.instructions.size(); ++k) p.instructions[k].word[0] = k;
  p.tables.push_back({instr_id{1}, 0, 2});
  p.table_targets = {instr_id{2}, instr_id{4}};
  p.leaders.push_back(instr_id{4});
  p.functions.push_back({});
  p.functions[0].entry = instr_id{2};
  ww::program reordered = p;  // both other blocks turned round
  move(reordered, 2, 3);
  move(reordered, 4, 5);
  reordered = as_read(reordered);
  const auto faults = [&](auto change) {
    ww::program q = reordered;
    change(q);
    differences found;
    ww::verify::same_order(p, q, found);
    for (const order_difference& d : found) CHECK(d.fault == order_fault::target);
    return found;
  };
  CHECK(faults([](ww::program&) {}).empty());
  const differences table = faults([](ww::program& q) { q.table_targets[0] = instr_id{4}; });
  REQUIRE(table.size() == 1);
  CHECK(table[0] == order_difference{order_fault::target, instr_id{4}, instr_id{1}, {}});
  CHECK(faults([](ww::program& q) { q.leaders[0] = instr_id{2}; }).size() == 1);
  CHECK(faults([](ww::program& q) { q.functions[0].entry = instr_id{4}; }).size() == 1);
  CHECK(std::string(ww::verify::name(order_fault::target)) == "other_target");
}

TEST_CASE("same order: a load out of a loop that stores") {
  const auto hoisted = [](const char* lines) {
    const ww::program before = text(lines);
    REQUIRE(before.blocks.size() == 3);
    ww::program after = before;
    move(after, 1, 0);  // the load in front of the MOV
    ++after.blocks[0].count;
    --after.blocks[1].count;
    ++after.blocks[1].first;
    follow(before, after);
    differences found;
    ww::verify::compare_orders(before, after, found);
    return found;
  };
  const differences stores =
      hoisted("MOV R6, R7\n.L_1:\nLDG.E R4, [R2.64]\nFADD R5, R4, R6\nSTG.E [R8.64], R5\n@P0 BRA `(.L_1)\nEXIT\n");
  REQUIRE(stores.size() == 1);  // the next round would load what this one stores
  CHECK(stores[0] == order_difference{order_fault::effect, instr_id{3}, instr_id{1}, {}});
  CHECK(hoisted("MOV R6, R7\n.L_1:\nLDG.E R4, [R2.64]\nFADD R5, R4, R6\nSTS [R8], R5\n@P0 BRA `(.L_1)\nEXIT\n").empty());
  CHECK(hoisted("MOV R6, R7\n.L_1:\nLDG.E.CONSTANT R4, [R2.64]\nFADD R5, R4, R6\nSTG.E [R8.64], R5\n@P0 BRA `(.L_1)\nEXIT\n")
            .empty());
}

TEST_CASE("same order: values") {
  const differences d = moved("IADD3 R2, R3, 0x4, RZ\nFMUL R4, R2, R2\nSTG.E [R6.64], R4\nEXIT\n", 0, 1);
  REQUIRE(d.size() == 1);
  CHECK(d[0].fault == order_fault::value);
  CHECK(d[0].second == instr_id{1});
  CHECK(d[0].target == ww::R(2));
  // A result that nobody reads may be lost anywhere; complementary guards may change places.
  CHECK(kept("MOV R2, R3\nMOV R2, R4\nEXIT\n", 0, 1));
  CHECK(kept("@P0 MOV R2, R3\n@!P0 MOV R2, R4\nSTG.E [R6.64], R2\nEXIT\n", 0, 1));
}

TEST_CASE("same order: lines moved, doubled and taken out at random") {
  std::mt19937 rng(5);
  unsigned read = 0;
  unsigned told = 0;
  for (const std::string& path : corpus::files(corpus::bundled("listings"))) {
    const std::string content = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(content, {.sm = corpus::sm_of(path), .file = path});
    REQUIRE(bool(r));
    if (r.mod.sections.front().instructions.size() > 400) continue;
    for (ww::program& p : r.mod.sections) REQUIRE(ww::build_cfg(p).ok);
    std::vector<std::string> lines;
    for (std::size_t from = 0; from < content.size();) {
      const std::size_t end = std::min(content.find('\n', from), content.size() - 1) + 1;
      lines.push_back(content.substr(from, end - from));
      from = end;
    }
    for (unsigned n = 0; n < 12; ++n) {
      std::vector<std::string> changed = lines;
      for (unsigned k = 0; k < 1 + n % 3; ++k) {
        const std::size_t at = rng() % changed.size();
        const std::size_t other = rng() % changed.size();
        if (n % 4 == 0) {
          changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(at));
        } else if (n % 4 == 1) {
          changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(other), changed[at]);
        } else {
          std::swap(changed[at], changed[other]);
        }
      }
      std::string text_of;
      for (const std::string& line : changed) text_of += line;
      ww::sass::listing_result q = ww::sass::read_listing(text_of, {.sm = corpus::sm_of(path), .file = path});
      if (!q) continue;
      for (std::size_t s = 0; s < q.mod.sections.size(); ++s) {
        if (!ww::build_cfg(q.mod.sections[s]).ok) continue;
        ++read;
        for (const ww::program& p : r.mod.sections) {
          differences d;
          ww::verify::same_order(p, q.mod.sections[s], d);
          told += d.empty() ? 0u : 1u;
          for (const order_difference& o : d) {
            CHECK((!o.second.valid() || o.second.index() < q.mod.sections[s].instructions.size()));
            CHECK((!o.first.valid() || o.first.index() < q.mod.sections[s].instructions.size()));
          }
        }
      }
    }
  }
  CHECK(read > 20);
  CHECK(told > 10);
}

TEST_CASE("same order: instructions that are not in the original") {
  const std::string path = corpus::listings().front();
  const std::string content = corpus::text(path);
  ww::sass::listing_result r = ww::sass::read_listing(content, {.sm = corpus::sm_of(path), .file = path});
  REQUIRE(bool(r));
  ww::program p = r.mod.sections.front();
  REQUIRE(ww::build_cfg(p).ok);
  ww::program q = p;
  std::uint32_t at = 0;
  while (q.instructions[at].target.valid() || q.instructions[at].operand_count == 0) ++at;
  q.instructions[at].word[0] ^= 1ull << 40;  // another immediate, or another modifier
  differences d = between(p, q);
  REQUIRE(d.size() == 1);
  CHECK(d[0] == order_difference{order_fault::foreign, {}, instr_id{at}, {}});
  q = p;
  q.instructions[at].word[1] ^= 15ull << 58;  // reuse flags are nobody's business here
  q.instructions[at].ctl.stall = static_cast<std::uint8_t>(q.instructions[at].ctl.stall ^ 1u);
  CHECK(between(p, q).empty());
  q = p;
  q.order.pop_back();
  q.instructions.pop_back();
  --q.blocks.back().count;
  d = between(p, q);
  REQUIRE(d.size() == 1);
  CHECK(d[0].fault == order_fault::foreign);
  CHECK(std::string(ww::verify::name(order_fault::foreign)) == "foreign_instruction");
}

TEST_CASE("same order: listings of one code with other labels, or with none") {
  const auto read = [](const std::string& name) {
    const std::string path = std::string(WW_TEST_DATA) + "/listings/" + name;
    const std::string content = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(content, {.sm = ww::sm_id::unknown, .file = path});
    REQUIRE(bool(r));
    ww::program p = r.mod.sections.front();
    REQUIRE(ww::build_cfg(p).ok);
    return p;
  };
  const ww::program labelled = read("saxpy.sm80.sass");
  const ww::program plain = read("formats/cuobjdump-saxpy.sm80.txt");  // its BSSY has the place as a number
  REQUIRE(labelled.order.size() == plain.order.size());
  const auto faults = [](ww::program a, ww::program b) {
    differences found;
    ww::vec<instr_id> came_from;
    CHECK(ww::verify::join_leaders(a, b));
    ww::verify::same_order(a, b, found, &came_from);
    if (found.empty()) {
      for (const instr_id i : b.order) CHECK(came_from[i.index()] == i);
    }
    return found;
  };
  differences as_they_are;
  ww::verify::same_order(labelled, plain, as_they_are);
  ww::verify::same_order(plain, labelled, as_they_are);
  CHECK(as_they_are.empty());
  // A label that only one of them has, in the middle of a block.
  ww::program more = labelled;
  const ww::block& first = labelled.blocks.front();
  REQUIRE(first.count > 4);
  more.leaders.push_back(instr_id{3});
  REQUIRE(ww::build_cfg(more).ok);
  REQUIRE(more.blocks.size() == labelled.blocks.size() + 1);
  ww::verify::same_order(labelled, more, as_they_are);
  CHECK(!as_they_are.empty());
  CHECK(faults(labelled, more).empty());
  ww::program joined[2] = {labelled, more};
  REQUIRE(ww::verify::join_leaders(joined[0], joined[1]));
  for (const ww::program& p : joined) {
    CHECK(std::count(p.leaders.begin(), p.leaders.end(), instr_id{3}) == 1);
    CHECK(p.blocks.size() == more.blocks.size());
  }
  CHECK(faults(more, plain).empty());
  CHECK(faults(plain, more).empty());
  // A target that differs is one.
  for (const instr_id i : labelled.order) {
    if (!labelled[i].target.valid()) continue;
    ww::program other = plain;
    other[i].target = labelled[i].target == instr_id{0} ? instr_id{8} : instr_id{0};
    REQUIRE(ww::build_cfg(other).ok);
    CHECK(!faults(labelled, other).empty());
    CHECK(!faults(other, labelled).empty());
  }
  ww::program shorter = plain;
  shorter.order.pop_back();
  ww::program whole = labelled;
  CHECK_FALSE(ww::verify::join_leaders(whole, shorter));
}
