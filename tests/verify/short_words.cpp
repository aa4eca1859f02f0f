// SPDX-License-Identifier: BSL-1.0
//
// Code of sm_50 to sm_61: 64-bit instructions in groups behind a control word, by the compiler of CUDA 12.4 from the sources of
// the corpus (tests/data/listings_short). Pairs that issue together and the labels inside them, SYNC and BRK with the targets
// that the listing names, calls through a register, FCHK without a counter, half precision with one, loads that only a later
// one's counter announces, TEX and TEXS.
#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "mutation_run.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/writer.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/verify/same_order.hpp"
#include "warpwright/warpwright.hpp"

using namespace ww;

namespace {

using archs = meta::type_list<sm50, sm60>;

sass::listing_result read(const std::string& text, const std::string& path) {
  sass::listing_result r = sass::read_listing(text, {.sm = sm_id::unknown, .file = path});
  INFO(path << ' ' << (r ? std::string() : r.err.message()));
  REQUIRE(bool(r));
  for (program& p : r.mod.sections) REQUIRE(build_cfg(p).ok);
  return r;
}

std::vector<std::string> paths() {
  std::vector<std::string> all = ww_test::corpus::files(ww_test::corpus::bundled("listings_short"));
  REQUIRE(all.size() >= 8);
  return all;
}

template <class F>
void each_program(F&& f) {
  for (const std::string& path : paths()) {
    INFO(path);
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = read(text, path);
    for (program& p : r.mod.sections) {
      REQUIRE(detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() { f.template operator()<Arch>(p); }));
    }
  }
}

template <class Arch>
std::vector<std::string> findings(const program& p) {
  std::vector<std::string> out;
  for (const verify::finding& f : verify::check<Arch>(p).findings) {
    if (f.level == verify::severity::finding)
      out.push_back(verify::name(f.kind) + (" at " + std::to_string(p[f.second].address)));
  }
  return out;
}

}  // namespace

TEST_CASE("short words: every opcode is known, no finding, the listing is written back byte for byte") {
  for (const std::string& path : paths()) {
    INFO(path);
    const std::string text = ww_test::corpus::text(path);
    const sass::listing_result r = read(text, path);
    std::string again;
    CHECK(!sass::write_listing(r.mod, [&](std::string_view piece) { again += piece; }));
    CHECK(again == text);
  }
  each_program([]<class Arch>(const program& p) {
    for (const instruction& i : p.instructions) CHECK(!i.has(iflag::unknown));
    CHECK(findings<Arch>(p) == std::vector<std::string>{});
    CHECK(ww_test::path_oracle<Arch>(p).run(true).empty());
  });
}

TEST_CASE("short words: the count of DEPBAR stands in bits 20..25") {
  // the number in the text, as a disassembler printed it
  unsigned seen = 0;
  for (const std::string& path : paths()) {
    const std::string text = ww_test::corpus::text(path);
    const sass::listing_result r = read(text, path);
    for (const program& p : r.mod.sections) {
      for (const instruction& i : p.instructions) {
        if (i.op != opcode::depbar) continue;
        const std::string body(r.mod.body_of(i));
        INFO(path << ' ' << body);
        CHECK(depbar_count(i) == std::stoul(body.substr(body.find(", ") + 2), nullptr, 16));
        ++seen;
      }
    }
  }
  CHECK(seen >= 40);
  instruction wide;  // DEPBAR.LE SB0, 0x3
  wide.word[0] = 0x000080c00000791a;
  wide.word[1] = 0x000fc80000000000;
  CHECK(depbar_count(wide) == 3);
  wide.word[1] = 0;  // the control bits are still to be made: two words all the same
  CHECK(!has_short_word(wide));
  CHECK(depbar_count(wide) == 3);

  // DEPBAR.LE SB5, 0x2 with three loads on their way: the first one has landed, the last one has not
  const auto late = [](std::string_view text) {
    isa::builder b(dialect_of(sm50::id));
    const std::uint64_t any[2] = {1, 0};
    const std::uint64_t wait[2] = {0xf0f0000034270000, 0};
    for (const char* load : {"LDG.E R4, [R2]", "LDG.E R5, [R2+0x4]", "LDG.E R6, [R2+0x8]"}) b.text(load, any);
    b.text("DEPBAR.LE SB5, 0x2", wait).text(text, any).text("EXIT", any);
    program p = b.finish();
    REQUIRE(b.ok());
    REQUIRE(build_cfg(p).ok);
    p.has_encoding = p.has_control = true;
    for (instruction& i : p.instructions) {
      i.ctl = {};
      i.ctl.stall = i.op == opcode::ldg ? 2 : 6;
      if (i.op == opcode::ldg) i.ctl.write_barrier = 5;
    }
    bool found = false;
    for (const std::string& f : findings<sm50>(p)) found = found || f.find("raw_counter") == 0;
    return found;
  };
  CHECK_FALSE(late("FADD R7, R4, R4"));
  CHECK(late("FADD R7, R6, R6"));
}

TEST_CASE(
    "short words: the count of DEPBAR is that of the text where there are no words, and of words without control bits") {
  const std::uint64_t zero_control[2] = {0x000080400000791aull, 0},
                      with_control[2] = {0x000080400000791aull, 0x000fc80000000000ull};
  const std::uint64_t* const words[] = {nullptr, zero_control, with_control};
  for (const std::uint64_t* w : words) {
    isa::builder b(dialect_of(sm80::id));
    b.text("LDS R4, [R2]").text("LDS R5, [R2+0x4]").text("DEPBAR.LE SB0, 0x1", w).text("FADD R6, R5, R5").text("EXIT");
    program p = b.finish();
    REQUIRE(b.ok());
    for (instruction& i : p.instructions) i.ctl.stall = 8;
    p.instructions[0].ctl.write_barrier = p.instructions[1].ctl.write_barrier = 0;
    p.has_control = true;
    REQUIRE(build_cfg(p).ok);
    INFO((w == nullptr ? 0 : w[1]));
    CHECK(depbar_count(p.instructions[2]) == 1);
    CHECK_FALSE(has_short_word(p.instructions[2]));
    const std::vector<std::string> found = findings<sm80>(p);  // the second load may still be on its way
    REQUIRE(found.size() == 1);
    CHECK(found[0].find("raw_counter") == 0);
  }
  isa::builder b(dialect_of(sm50::id));
  const std::uint64_t one[2] = {0xf0f0000034270000, 0};
  b.text("DEPBAR.LE SB5, 0x2", one).text("DEPBAR.LE SB5, 0x3");
  const program p = b.finish();
  CHECK((has_short_word(p.instructions[0]) && depbar_count(p.instructions[0]) == 2));
  CHECK((!has_short_word(p.instructions[1]) && depbar_count(p.instructions[1]) == 3));
}

TEST_CASE("short words: what textures read and write") {
  const std::string path = ww_test::corpus::bundled("listings_short/texsample.sm52.sass");
  const std::string text = ww_test::corpus::text(path);
  const sass::listing_result r = read(text, path);
  // by text: registers of the results, then of the sources
  const std::map<std::string, std::vector<unsigned>> expected = {
      {"TEX.T R8, R14, 0x50, 2D, 0x5", {2, 2}},
      {"TLD4.G.T R2, R14, 0x50, 2D, 0xa", {2, 2}},
      {"TXD.T R4, R22, R4, 0x50, 2D, 0x6", {2, 2, 4}},
      {"TEXS.LL.P R0, R10, R10, R0, 0x50, 2D, RGA", {1, 2, 2, 1}},
      {"TEXS.T RZ, R11, R14, R8, 0x52, 3D, R", {1, 1, 2, 1}},
      {"TEXS.T RZ, R16, R16, R15, 0x56, ARRAY_2D, R", {1, 1, 2, 1}},
      {"TLDS.LZ.P RZ, R21, R20, 0x58, 1D, R", {1, 1, 1}},
  };
  std::size_t seen = 0;
  for (const program& p : r.mod.sections) {
    for (const instruction& i : p.instructions) {
      const auto at = expected.find(std::string(r.mod.body_of(i)));
      if (at == expected.end()) continue;
      INFO(at->first);
      ++seen;
      std::vector<unsigned> widths;
      for (const operand& o : p.operands_of(i)) {
        if (o.file() == reg_file::r) widths.push_back(o.width());
      }
      CHECK(widths == at->second);
    }
  }
  CHECK(seen == expected.size());
}

TEST_CASE("short words: surface stores and CCTL read in order with loads, which may replace what they read") {
  for (const char* reader :
       {"SUST.D.BA.1D.TRAP [R4], R6, 0x52", "SURED.D.BA.ADD.1D.TRAP [R4], R6, 0x52", "CCTL.E.PF1 [R4]"}) {
    isa::builder b(dialect_of(sm50::id));
    b.lines(std::string("      ") + reader + "\n      LDG.E R4, [R8]\n      MOV R5, R4\n      EXIT\n");
    INFO(reader);
    REQUIRE(b.ok());
    program p = b.finish();
    REQUIRE(build_cfg(p).ok);
    const auto word = [&](std::uint32_t k) -> control& { return p.instructions[p.order[k].index()].ctl; };
    for (std::uint32_t k = 0; k < 4; ++k) word(k) = {};
    for (std::uint32_t k = 0; k < 4; ++k) word(k).stall = 2;
    word(1).write_barrier = 0;
    word(2).wait_mask = 1;
    word(3).stall = 5;
    const auto alleged = [&p] {
      const std::vector<std::string> found = findings<sm50>(p);
      return std::any_of(found.begin(), found.end(), [](const std::string& f) { return f.find("war_counter") == 0; });
    };
    CHECK_FALSE(alleged());
    p.instructions[p.order[1].index()].iclass = sched_class::mufu;  // what is no memory operation replaces it too early
    CHECK(alleged());
  }
}

TEST_CASE("short words: whoever has waited for a counted result needs no distance to what it replaced") {
  isa::builder b(dialect_of(sm50::id));
  b.lines(R"(
      MOV32I R22, 0x80000000
      @!P0 F2F.F32.F16.RZ R22, R3
      FFMA R7, R4, R7, R22
      EXIT
  )");
  REQUIRE(b.ok());
  program p = b.finish();
  REQUIRE(build_cfg(p).ok);
  const auto word = [&](std::uint32_t k) -> control& { return p.instructions[p.order[k].index()].ctl; };
  for (std::uint32_t k = 0; k < 4; ++k) word(k) = {};
  word(0).stall = 0;
  word(0).yield = false;
  word(1).stall = 2;
  word(1).write_barrier = 2;
  word(2).stall = 1;
  word(2).wait_mask = 4;
  word(3).stall = 5;
  CHECK(findings<sm50>(p) == std::vector<std::string>{});
  const auto first = p.order[0].index();  // a counted result that is still on its way is not made good by the later one
  const instruction fixed = p.instructions[first];
  p.instructions[first].iclass = sched_class::ldg;
  const std::vector<std::string> late = findings<sm50>(p);
  CHECK(std::any_of(late.begin(), late.end(), [](const std::string& f) { return f.find("raw_counter") == 0; }));
  p.instructions[first] = fixed;
  word(2).wait_mask = 0;  // the counter, and then the distance too
  CHECK(findings<sm50>(p).size() == 2);
  word(1).write_barrier = control::no_barrier;
  p.instructions[p.order[1].index()].op = opcode::nop;
  p.instructions[p.order[1].index()].operand_count = 0;
  p.instructions[p.order[1].index()].iclass = sched_class::nop;
  const std::vector<std::string> near = findings<sm50>(p);
  REQUIRE(near.size() == 1);
  CHECK(near[0].find("raw_distance") == 0);
}

TEST_CASE("short words: SYNC goes where the listing says, and calls through a register anywhere") {
  unsigned named = 0;
  unsigned open = 0;
  each_program([&]<class>(const program& p) {
    for (const block& b : p.blocks) {
      const instruction& last = p[p.order[b.first + b.count - 1]];
      if (last.op == opcode::sync && !b.padding) {
        const auto own = std::find_if(p.tables.begin(), p.tables.end(),
                                      [&](const branch_table& t) { return &p[t.branch] == &last && t.count != 0; });
        if (own == p.tables.end()) continue;
        ++named;
        std::set<std::uint32_t> listed;
        for (std::uint32_t k = 0; k < own->count; ++k) listed.insert(p.table_targets[own->first + k].index());
        std::set<std::uint32_t> jumps;
        for (const cfg_edge& e : p.edges_of(b)) {
          if (e.kind == edge_kind::branch) jumps.insert(p.order[p[e.to].first].index());
        }
        CHECK(jumps == listed);
      }
      open += last.op == opcode::brx && b.open_exit ? 1u : 0u;
    }
  });
  CHECK(named > 20);
  CHECK(open > 0);
}

TEST_CASE("short words: a label between an instruction that closes a pair and its word is the next one's") {
  const std::string path = ww_test::corpus::bundled("listings_short/jumptable.sm52.sass");
  const std::string text = ww_test::corpus::text(path);
  const sass::listing_result r = read(text, path);
  unsigned inside = 0;
  for (const sass::label& l : r.mod.labels) {
    const program& p = r.mod.sections[l.section];
    if (l.instruction == 0 || l.instruction > p.instructions.size()) continue;
    const sass::text_record& before = r.mod.record_of(p.instructions[l.instruction - 1]);
    if (l.name < before.end && l.name > before.begin) {
      ++inside;
      CHECK(before.labels < l.name);
      CHECK(before.labels_end == l.name + l.name_length + 1);
    }
  }
  CHECK(inside > 0);
  // between the two words of a 128-bit instruction there is none
  const std::string wide = ww_test::corpus::text(ww_test::corpus::bundled("listings_versions/exchange.sm70.sass"));
  const std::size_t first = wide.find('\n', wide.find("/*0000*/"));
  REQUIRE(first != std::string::npos);
  const std::string wrong = wide.substr(0, first + 1) + ".L_x_77:\n" + wide.substr(first + 1);
  const sass::listing_result refused = sass::read_listing(wrong, {.sm = sm_id::unknown, .file = "wrong"});
  CHECK(!refused);
  CHECK(refused.err.message().find("the second word") != std::string::npos);
}

TEST_CASE("short words: scheduled, written, read again: the same program without findings") {
  unsigned changed = 0;
  for (const std::string& path : paths()) {
    INFO(path);
    const std::string text = ww_test::corpus::text(path);
    sass::listing_result r = read(text, path);
    const std::vector<program> before = r.mod.sections;
    for (program& p : r.mod.sections) {
      REQUIRE(detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() {
        const schedule_result s = scheduler<Arch>{}.run(p);
        CHECK((s.proved || s.unknown_targets));  // where a branch may go anywhere nothing is done
        CHECK(s.cycles_after <= s.cycles_before * 1.0001);
      }));
    }
    std::string out;
    const sass::error bad = sass::write_listing(r.mod, [&](std::string_view piece) { out += piece; });
    INFO(bad.message());
    REQUIRE(!bad);
    changed += out != text ? 1u : 0u;
    const sass::listing_result again = read(out, path);
    REQUIRE(again.mod.sections.size() == before.size());
    for (std::size_t s = 0; s < before.size(); ++s) {
      const program& p = again.mod.sections[s];
      vec<verify::order_difference> other;
      verify::same_order(before[s], p, other);
      CHECK(other.empty());
      REQUIRE(detail::visit_arch_in(archs{}, nearest_sm(p.sm),
                                    [&]<class Arch>() { CHECK(findings<Arch>(p) == std::vector<std::string>{}); }));
    }
  }
  CHECK(changed >= 4);
}

TEST_CASE("short words: planted bugs of counters and waits are found") {
  ww_test::tally all;
  std::uint64_t seed = 0;
  verify::workspace w;
  each_program([&]<class Arch>(program& p) {
    if (p.instructions.size() > 700) return;
    ww_test::mutator m(p, ++seed);
    ww_test::path_oracle<Arch> oracle(p);
    using ww_test::bug;
    for (const bug kind : {bug::dropped_wait, bug::dropped_write_barrier, bug::dropped_read_barrier, bug::other_wait,
                           bug::other_index, bug::index_six}) {
      for (unsigned n = 0; n < 6; ++n) {
        ww_test::edit e;
        if (!m.plant(kind, e)) break;
        e.apply(p);
        const bool found = !verify::check<Arch>(p, {}, w).clean();
        const bool real = ww_test::certain(kind) || !oracle.run(true).empty();
        ++all.planted;
        all.real += real ? 1u : 0u;
        all.caught += real && found ? 1u : 0u;
        e.revert(p);
      }
    }
  });
  CHECK(all.real >= 100);
  CHECK(all.caught * 1000u >= all.real * 985u);
}
