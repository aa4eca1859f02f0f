// SPDX-License-Identifier: BSL-1.0
// The control-flow graph of a listing against the one that the disassembler itself draws (-bbcfg).
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>

#include "support/catch.hpp"
#include "support/corpus.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace sass = ww::sass;

using edge_set = std::set<std::pair<unsigned, unsigned>>;

// Nodes carry the addresses of their instructions as "\l00a0:" or ">00a0:"; edges name nodes.
edge_set drawn_edges(const std::string& dot, std::set<unsigned>& blocks) {
  std::map<std::string, unsigned> node;
  edge_set out;
  std::string name;
  std::size_t at = 0;
  std::vector<std::pair<std::string, std::string>> named;
  while (at < dot.size()) {
    const std::size_t stop = dot.find('\n', at);
    const std::string line = dot.substr(at, stop - at);
    at = stop + 1;
    if (line.empty()) continue;
    if (line[0] == '"') {
      const std::size_t end = line.find('"', 1);
      name = line.substr(1, end - 1);
      const std::size_t arrow = line.find("-> \"");
      if (arrow != std::string::npos)
        named.emplace_back(name, line.substr(arrow + 4, line.find('"', arrow + 4) - arrow - 4));
    } else if (line.rfind("[label=", 0) == 0) {
      for (std::size_t i = 1; i + 5 < line.size(); ++i) {
        const bool before = line[i - 1] == '>' || (line[i - 1] == 'l' && line[i - 2] == '\\');
        if (before && line[i + 4] == ':' && line.find_first_not_of("0123456789abcdef", i) == i + 4) {
          node[name] = static_cast<unsigned>(std::stoul(line.substr(i, 4), nullptr, 16));
          blocks.insert(node[name]);
          break;
        }
      }
    }
  }
  for (const auto& [from, to] : named) out.insert({node.at(from), node.at(to)});
  return out;
}

}  // namespace

TEST_CASE("cfg: blocks and edges equal the disassembler's own graph") {
  const std::string dot = corpus::text(corpus::bundled("listings/formats/sgemm_naive.sm80.bbcfg.dot"));
  const std::string text = corpus::text(corpus::bundled("listings/sgemm_naive.sm80.sass"));
  std::set<unsigned> drawn_blocks;
  const edge_set drawn = drawn_edges(dot, drawn_blocks);
  REQUIRE(drawn.size() > 15);
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, "sgemm_naive"});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  std::set<unsigned> blocks;
  edge_set have;
  const auto address = [&](ww::block_id b) { return p[p.order[p[b].first]].address; };
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (!p.blocks[b].padding) blocks.insert(address(ww::block_id{b}));  // the closing self-branch is not drawn
  }
  for (const ww::cfg_edge& e : p.edges) {
    if (!p[e.from].padding) have.insert({address(e.from), address(e.to)});
  }
  CHECK(blocks == drawn_blocks);
  CHECK(have == drawn);
}

TEST_CASE("cfg: every reached block of a listing has a way in, and only dead code is unreached") {
  for (const std::string& path : corpus::listings()) {
    INFO(path);
    const std::string text = corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(r);
    const bool unoptimised = path.find("-O0") != std::string::npos;  // holds code behind jumps that nothing names
    for (ww::program& p : r.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      for (const ww::block& b : p.blocks) {
        CHECK(!(b.reachable && b.padding));
        CHECK((b.reachable || b.padding || unoptimised));
        CHECK((!b.reachable || b.entry || b.pred_count > 0));
        CHECK(b.function.valid());
      }
      for (const ww::branch_table& t : p.tables) CHECK(t.count > 0);
    }
  }
}

TEST_CASE("cfg: calls of the listings: helpers return, loop exits do not") {
  const std::string text = corpus::text(corpus::bundled("listings/noinline_call.sm80.sass"));
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, "noinline_call"});
  REQUIRE(r);
  unsigned calls = 0;
  unsigned rets = 0;
  unsigned open_calls = 0;
  unsigned local = 0;
  for (ww::program& p : r.mod.sections) {
    REQUIRE(ww::build_cfg(p).ok);
    for (const ww::function& f : p.functions) local += !f.kernel;
    for (const ww::cfg_edge& e : p.edges) {
      calls += e.kind == ww::edge_kind::call;
      rets += e.kind == ww::edge_kind::ret;
      const ww::instruction& end = p[p.order[p[e.from].first + p[e.from].count - 1]];
      CHECK(!(end.has(ww::iflag::indirect) && end.target.valid()));
      if (e.kind == ww::edge_kind::ret) CHECK(p[p.order[p[e.from].first + p[e.from].count - 1]].has(ww::iflag::ret));
    }
    for (const ww::block& b : p.blocks) {
      const ww::instruction& x = p[p.order[b.first + b.count - 1]];
      open_calls += b.open_exit && x.has(ww::iflag::call);
    }
  }
  CHECK(local >= 5);
  CHECK(calls >= 5);
  CHECK(rets >= calls);
  CHECK(open_calls == 1);  // the call through the table
}

TEST_CASE("cfg: cuobjdump text without labels gives the same blocks and edges where it can") {
  for (const char* unit : {"saxpy", "noinline_call"}) {
    INFO(unit);
    const std::string with = corpus::text(corpus::bundled(std::string("listings/") + unit + ".sm80.sass"));
    const std::string without =
        corpus::text(corpus::bundled(std::string("listings/formats/cuobjdump-") + unit + ".sm80.txt"));
    sass::listing_result a = sass::read_listing(with, {ww::sm_id{800}, unit});
    sass::listing_result b = sass::read_listing(without, {ww::sm_id{800}, unit});
    REQUIRE(a);
    REQUIRE(b);
    REQUIRE(a.mod.sections.size() == b.mod.sections.size());
    for (std::size_t s = 0; s < a.mod.sections.size(); ++s) {
      ww::program& p = a.mod.sections[s];
      ww::program* q = nullptr;  // cuobjdump has another order of sections
      for (std::size_t t = 0; t < b.mod.sections.size(); ++t) {
        if (b.mod.name_of(b.mod.infos[t]) == a.mod.name_of(a.mod.infos[s])) q = &b.mod.sections[t];
      }
      REQUIRE(q != nullptr);
      REQUIRE(ww::build_cfg(p).ok);
      REQUIRE(ww::build_cfg(*q).ok);
      CHECK(p.functions.size() == q->functions.size());
      CHECK(p.blocks.size() == q->blocks.size());
      std::set<std::tuple<unsigned, unsigned, int>> x, y;
      for (const ww::cfg_edge& e : p.edges) x.insert({p[e.from].first, p[e.to].first, static_cast<int>(e.kind)});
      for (const ww::cfg_edge& e : q->edges) y.insert({(*q)[e.from].first, (*q)[e.to].first, static_cast<int>(e.kind)});
      CHECK((x == y));
    }
  }
}

TEST_CASE("cfg: without labels a call is a function call if its return address is loaded before it") {
  const std::string text =
      "\n\tcode for sm_80\n\t\tFunction : k\n"
      "        /*0000*/                   MOV R2, 0x20 ;                 /* 0x0000002000027802 */\n"
      "                                                                 /* 0x000fe40000000f00 */\n"
      "        /*0010*/                   CALL.REL.NOINC 0x50 ;          /* 0x0000003000007944 */\n"
      "                                                                 /* 0x000fea0003c00000 */\n"
      "        /*0020*/              @!P0 CALL.REL.NOINC 0x40 ;          /* 0x0000001000008944 */\n"
      "                                                                 /* 0x000fea0003c00000 */\n"
      "        /*0030*/                   BRA 0x0 ;                      /* 0xffffffc000007947 */\n"
      "                                                                 /* 0x000fea000383ffff */\n"
      "        /*0040*/                   EXIT ;                         /* 0x000000000000794d */\n"
      "                                                                 /* 0x000fea0003800000 */\n"
      "        /*0050*/                   RET.REL.NODEC R2 0x0 ;         /* 0xffffffa002007950 */\n"
      "                                                                 /* 0x000fea0003c3ffff */\n"
      "\t\t..........\n";
  sass::listing_result r = sass::read_listing(text, {ww::sm_id{800}, ""});
  INFO(r.err.message());
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  REQUIRE(p.functions.size() == 2);
  CHECK(p.functions[1].entry == ww::instr_id{5});
  CHECK(!p.functions[1].kernel);
  std::set<std::tuple<unsigned, unsigned, int>> have;
  for (const ww::cfg_edge& e : p.edges) have.insert({p[e.from].first, p[e.to].first, static_cast<int>(e.kind)});
  const auto kind = [](ww::edge_kind k) { return static_cast<int>(k); };
  CHECK((have == std::set<std::tuple<unsigned, unsigned, int>>{{0, 2, kind(ww::edge_kind::call_return)},
                                                               {0, 5, kind(ww::edge_kind::call)},
                                                               {2, 3, kind(ww::edge_kind::fall)},
                                                               {2, 4, kind(ww::edge_kind::branch)},
                                                               {3, 0, kind(ww::edge_kind::branch)},
                                                               {5, 2, kind(ww::edge_kind::ret)}}));
}
