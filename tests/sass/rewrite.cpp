// SPDX-License-Identifier: BSL-1.0
// Changed modules: instructions move inside blocks, control words change, nothing else does.
#include <string>
#include <vector>

#include <warpwright/arch/control_format.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/writer.hpp>

#include "support/catch.hpp"
#include "support/corpus.hpp"
#include "support/written.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace sass = ww::sass;
using ww_test::without_reuse;
using ww_test::written;

bool movable(const ww::instruction& x) {
  return !x.target.valid() && !x.has(ww::iflag::pc_relative) && !x.has(ww::iflag::ends_block);
}

// Reverses the movable instructions of every block.
void reverse_blocks(ww::program& p) {
  for (const ww::block& b : p.blocks) {
    std::vector<std::uint32_t> places;
    for (std::uint32_t k = b.first; k < b.first + b.count; ++k) {
      if (movable(p[p.order[k]])) places.push_back(k);
    }
    for (std::size_t i = 0, j = places.size(); i + 1 < j; ++i) {
      --j;
      std::swap(p.order[places[i]], p.order[places[j]]);
      if (i + 1 >= j) break;
    }
  }
}

std::string label_lines(std::string_view text) {  // everything but instruction lines
  std::string out;
  while (!text.empty()) {
    const std::size_t stop = text.find('\n');
    const std::string_view line = text.substr(0, stop);
    text.remove_prefix(stop == std::string_view::npos ? text.size() : stop + 1);
    const std::size_t at = line.find_first_not_of(" \t");
    const bool instruction = at != std::string_view::npos && line.substr(at, 2) == "/*";
    out += instruction ? std::string("#") : std::string(line);
    out += '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("writer: a changed module holds the same instructions at new places with new control words") {
  std::size_t moved = 0;
  for (const std::string& path : corpus::listings()) {
    INFO(path);
    const std::string text = corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(r);
    std::uint32_t seed = 7;
    for (ww::program& p : r.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      reverse_blocks(p);
      for (ww::instruction& x : p.instructions) {
        seed = seed * 1664525u + 1013904223u;
        x.ctl.stall = static_cast<std::uint8_t>(1 + (seed >> 28) % 11);
        x.ctl.wait_mask = static_cast<std::uint8_t>((seed >> 16) & 63u);
        if (x.has(ww::iflag::reuse_legal) && ((seed >> 12) & 1u) != 0) x.ctl.reuse = 0;
      }
    }
    const std::string out = written(r.mod);
    CHECK((label_lines(out) == label_lines(text)));
    const sass::listing_result again = sass::read_listing(out, {corpus::sm_of(path), path});
    INFO(again.err.message());
    REQUIRE(again);
    REQUIRE(again.mod.sections.size() == r.mod.sections.size());
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      const ww::program& p = r.mod.sections[s];
      const ww::program& q = again.mod.sections[s];
      REQUIRE(p.order.size() == q.instructions.size());
      bool same = true;
      for (std::uint32_t k = 0; k < p.order.size(); ++k) {
        const ww::instruction& x = p[p.order[k]];
        const ww::instruction& y = q.instructions[k];
        moved += p.order[k].index() != k;
        std::uint64_t word[2] = {x.word[0], x.word[1]};
        ww::sm70_128::place(word, ww::sm70_128::encode(x.ctl));
        same = same && y.word[0] == word[0] && y.word[1] == word[1] && y.ctl == x.ctl && y.address == 16 * k;
        same = same && without_reuse(r.mod.body_of(x)) == without_reuse(again.mod.body_of(y));
        if (x.has(ww::iflag::reuse_legal) && x.ctl.reuse == 0) {
          same = same && again.mod.body_of(y).find(".reuse") == std::string_view::npos;
        }
        if (!same) {
          INFO(r.mod.body_of(x) << " -> " << again.mod.body_of(y));
          REQUIRE(same);
        }
      }
    }
    CHECK((written(again.mod) == out));
  }
  CHECK(moved > 1000);
}

TEST_CASE("writer: undoing every change gives the first bytes again") {
  const std::string text = corpus::text(corpus::bundled("listings/sgemm_tiled.sm80.sass"));
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, ""});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  const auto order = p.order;
  reverse_blocks(p);
  CHECK((written(r.mod) != text));
  p.order = order;
  CHECK((written(r.mod) == text));
}

TEST_CASE("writer: lines keep their columns, addresses of five digits shift them by one") {
  std::string text = "\t.section\t.text.k,\"ax\",@progbits\nk:\n";
  const auto line = [](std::uint32_t address) {
    char number[16];
    std::snprintf(number, sizeof number, "%04x", address);
    return "        /*" + std::string(number) +
           "*/                   IADD3 R2, R2.reuse, R4, RZ ;  /* 0x0000000402027210 */\n" +
           "                                                              /* 0x040fe40007ffe0ff */\n";
  };
  for (std::uint32_t a = 0; a < 0x10040; a += 16) text += line(a);
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, ""});
  INFO(r.err.message());
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  std::swap(p.order[4], p.order[4097]);
  CHECK((written(r.mod) == text));  // all lines are alike: nothing but the address may differ
  p.instructions[4].ctl.reuse = 0;
  const std::string out = written(r.mod);
  CHECK(out.find("/*10010*/                   IADD3 R2, R2, R4, RZ ;        /* 0x0000000402027210 */\n") !=
        std::string::npos);
  CHECK(out.find("/* 0x000fe40007ffe0ff */") != std::string::npos);
  p.instructions[4].ctl.reuse = 2;  // the other source instead
  CHECK(written(r.mod).find("IADD3 R2, R2, R4.reuse, RZ ;  /* 0x0000000402027210 */\n") != std::string::npos);
  p.instructions[4].ctl.reuse = 3;
  CHECK(written(r.mod).find("IADD3 R2, R2.reuse, R4.reuse, RZ ; /* 0x0000000402027210 */\n") != std::string::npos);
}

TEST_CASE("writer: sm_52 groups, control words and pairs") {
  const std::string text = corpus::text(corpus::bundled("listings/formats/maxwell.sm52.vliw.txt"));
  const std::string plain = corpus::text(corpus::bundled("listings/formats/maxwell.sm52.novliw.txt"));
  for (const bool braces : {true, false}) {
    sass::listing_result r = sass::read_listing(braces ? text : plain, {ww::sm_id{520}, ""});
    REQUIRE(r);
    ww::program& p = r.mod.sections[0];
    REQUIRE(p.instructions.size() == 12);
    CHECK(p.instructions[0].ctl.stall == 6);
    CHECK(p.instructions[1].ctl.stall == 0);
    CHECK(!p.instructions[1].ctl.yield);
    p.instructions[1].ctl.stall = 4;  // no pair any more
    p.instructions[0].ctl.stall = 0;  // but these two are one now
    p.instructions[0].ctl.yield = false;
    const std::string out = written(r.mod);
    const sass::listing_result again = sass::read_listing(out, {ww::sm_id{520}, ""});
    INFO(out << again.err.message());
    REQUIRE(again);
    for (std::size_t k = 0; k < 12; ++k) {
      CHECK(again.mod.sections[0].instructions[k].ctl == p.instructions[k].ctl);
      CHECK(again.mod.body_of(again.mod.sections[0].instructions[k]) == r.mod.body_of(p.instructions[k]));
    }
    const bool pair =
        out.find("/*0008*/         {         MOV R1, c[0x0][0x20] ;     /* 0x4c98078000870001 */\n") != std::string::npos &&
        out.find(
            "/*0010*/                   FFMA.FTZ R0, R1, R2, R0         }\n"
            "                                                              /* 0x59a0000000270100 */\n") != std::string::npos;
    CHECK(pair == braces);
    // back again: the same bytes
    p.instructions[1].ctl.stall = 0;
    p.instructions[0].ctl = {};
    p.instructions[0].ctl.stall = 6;
    p.instructions[0].ctl.yield = true;
    CHECK((written(r.mod) == (braces ? text : plain)));
  }
}

TEST_CASE("writer: sm_52 pairs do not chain") {
  const std::string text = corpus::text(corpus::bundled("listings/formats/maxwell.sm52.vliw.txt"));
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{520}, ""});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  for (std::size_t k = 0; k < 4; ++k) {  // 0 with 1, 2 with 3
    p.instructions[k].ctl.stall = 0;
    p.instructions[k].ctl.yield = false;
  }
  const std::string out = written(r.mod);
  const sass::listing_result again = sass::read_listing(out, {ww::sm_id{520}, ""});
  INFO(out << again.err.message());
  REQUIRE(again);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(again.mod.records[k].opens_pair == (k % 2 == 0));
    CHECK(again.mod.records[k].closes_pair == (k % 2 == 1));
  }
}

TEST_CASE("writer: what cannot be written right is refused, and nothing is written") {
  const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, ""});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  const auto refused = [&](const sass::module& m, std::string_view words) {
    std::size_t pieces = 0;
    const sass::error e = sass::write_listing(m, [&](std::string_view) { ++pieces; });
    INFO(e.message());
    CHECK(pieces == 0);
    REQUIRE(e);
    CHECK(std::string(e.expected).find(words) != std::string::npos);
  };
  SECTION("an order without blocks") {
    std::swap(p.order[2], p.order[3]);
    refused(r.mod, "basic blocks");
  }
  SECTION("an order that crosses a label, or a block's end that is not an exit") {
    REQUIRE(ww::build_cfg(p).ok);
    std::size_t labels = 0;
    std::size_t exits = 0;
    for (std::size_t b = 1; b < p.blocks.size(); ++b) {
      const std::uint32_t at = p.blocks[b].first;
      if (p.blocks[b].count < 2 || p.blocks[b - 1].count < 2) continue;
      const ww::vec<ww::instr_id> kept = p.order;
      const bool exit = p.instructions[at - 1].has(ww::iflag::exit);
      std::swap(p.order[at], p.order[at - 2]);
      if (!exit && !p.instructions[at].target.valid() && !p.instructions[at].has(ww::iflag::ends_block)) {
        refused(r.mod, "its own block");
        ++labels;
      }
      exits += exit ? 1 : 0;
      p.order = kept;
    }
    CHECK(labels != 0);
    CHECK(exits != 0);
  }
  SECTION("an exit that is not the last of its block, or a label behind it") {
    REQUIRE(ww::build_cfg(p).ok);
    const ww::block& b = p.blocks[0];
    REQUIRE(p.instructions[b.first + b.count - 1].has(ww::iflag::exit));
    std::swap(p.order[b.first + b.count], p.order[b.first + b.count - 2]);  // both blocks as long as before
    p.leaders.push_back(ww::instr_id{b.first + b.count});
    refused(r.mod, "its own block");
    p.leaders.clear();
    std::swap(p.order[b.first + b.count - 1], p.order[b.first]);
    refused(r.mod, "its own block, at its end");
  }
  SECTION("a moved branch") {
    REQUIRE(ww::build_cfg(p).ok);
    for (const ww::block& b : p.blocks) {
      const std::uint32_t last = b.first + b.count - 1;
      if (b.count < 2 || !p.instructions[last].has(ww::iflag::branch)) continue;
      std::swap(p.order[last], p.order[b.first]);
      refused(r.mod, "depends on its address");
      std::swap(p.order[last], p.order[b.first]);
    }
  }
  SECTION("an instruction named twice, or one too few") {
    p.order[1] = p.order[0];
    refused(r.mod, "each instruction once");
    p.order.pop_back();
    refused(r.mod, "the instructions that were read");
  }
  SECTION("reuse bits where no register stands") {
    REQUIRE(p.instructions[1].op == ww::opcode::s2r);
    p.instructions[1].ctl.reuse = 1;
    refused(r.mod, "reuse bits");
  }
  SECTION("live-range columns") {
    const std::string columns = corpus::text(corpus::bundled("listings/formats/saxpy.sm80.plr-narrow.txt"));
    sass::listing_result c = sass::read_listing(columns, {ww::sm_id{800}, ""});
    REQUIRE(c);
    ww::program& q = c.mod.sections[0];
    REQUIRE(ww::build_cfg(q).ok);
    std::swap(q.order[0], q.order[1]);
    refused(c.mod, "live-range columns");
  }
  SECTION("control words without hex") {
    const std::string bare = corpus::text(corpus::bundled("listings/formats/saxpy.sm80.c.txt"));
    sass::listing_result c = sass::read_listing(bare, {ww::sm_id{800}, ""});
    REQUIRE(c);
    c.mod.sections[0].has_control = true;
    refused(c.mod, "no hex");
  }
}

TEST_CASE("writer: an instruction may stand in front of a guarded exit that it stood behind") {
  const std::string text = corpus::text(corpus::bundled("listings/saxpy.sm80.sass"));
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, ""});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  const std::uint32_t exit = p.blocks[0].count - 1;
  std::swap(p.order[exit], p.order[exit + 1]);
  ++p.blocks[0].count;
  ++p.blocks[1].first;
  --p.blocks[1].count;
  const std::string out = written(r.mod);
  CHECK(out.size() == text.size());
  CHECK(out.find("/*0050*/                   MOV R13, c[0x0][0x0] ;") != std::string::npos);
  CHECK(out.find("/*0060*/               @P0 EXIT ;") != std::string::npos);
}

TEST_CASE("writer: text without hex can be reordered") {
  const std::string bare = corpus::text(corpus::bundled("listings/formats/saxpy.sm80.c.txt"));
  sass::listing_result r = sass::read_listing(bare, {ww::sm_id{800}, ""});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  std::swap(p.order[1], p.order[2]);
  const std::string out = written(r.mod);
  CHECK(out.size() == bare.size());
  CHECK(
      out.find("/*0010*/                   S2R R3, SR_TID.X ;\n        /*0020*/                   S2R R0, SR_CTAID.X ;\n") !=
      std::string::npos);
}
