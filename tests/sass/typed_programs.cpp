// SPDX-License-Identifier: BSL-1.0
//
// Whole listings built again from their operands: control goes where it goes in the listing.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/arch/dialect.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"

namespace {

using namespace ww;

std::string label_of(std::uint32_t k) { return "i" + std::to_string(k); }

program typed_again(const program& p, isa::builder& b) {
  std::set<std::uint32_t> targets;
  for (const instruction& i : p.instructions) {
    if (i.target.valid()) targets.insert(i.target.index());
  }
  for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
    const instruction& i = p.instructions[k];
    if (targets.count(k) != 0) b.label(label_of(k));
    std::vector<operand> operands;
    for (operand x : p.operands_of(i)) {
      x.high &= ~(operand::bit_hidden | operand::bit_partial | operand::bit_reuse);
      if (!x.is_assumed()) operands.push_back(x);
    }
    b.emit(i.op, span<const operand>{operands.data(), operands.size()});
    if (i.target.valid()) b.to(label_of(i.target.index()));
    // Only the modifier tells: BRA.U under a guard; BRA.DIV and BRA.CONV of sm_75 name no register.
    const bool silent = i.has(iflag::guarded) || i.operand_count == 0;
    if (i.op == opcode::bra && i.has(iflag::conditional) && silent) b.flag(iflag::conditional);
  }
  program q = b.finish();
  for (std::uint32_t k = 0; k < p.instructions.size() && k < q.instructions.size(); ++k) {
    if (p.instructions[k].has(iflag::padding)) q.instructions[k].add(iflag::padding);
  }
  q.functions = p.functions;
  q.tables = p.tables;
  q.table_targets = p.table_targets;
  q.leaders = p.leaders;
  return q;
}

}  // namespace

TEST_CASE("sass typed programs: of every bundled listing, targets, blocks and edges are the same typed") {
  unsigned programs = 0, edges = 0;
  for (const char* folder : {"listings", "listings_blackwell", "listings_rare", "listings_short", "listings_versions"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
      if (path.find(".sass") == std::string::npos) continue;
      const std::string text = ww_test::corpus::text(path);
      const sm_id sm = ww_test::corpus::sm_of(path);
      sass::listing_result r = sass::read_listing(text, {.sm = sm, .file = path});
      if (!r) continue;
      for (program& p : r.mod.sections) {
        bool outside = false;  // goes to a symbol of another file
        for (const instruction& i : p.instructions) {
          outside =
              outside || ((i.has(iflag::branch) || i.has(iflag::call)) && !i.has(iflag::indirect) && !i.target.valid());
        }
        if (outside) continue;
        INFO(path);
        isa::builder b(dialect_of(sm));
        program q = typed_again(p, b);
        CAPTURE(b.first_error().expected, b.error_place().index());
        REQUIRE(b.ok());
        REQUIRE(build_cfg(p).ok);
        REQUIRE(build_cfg(q).ok);
        bool same = p.blocks.size() == q.blocks.size() && p.edges.size() == q.edges.size();
        for (std::size_t k = 0; same && k < p.instructions.size(); ++k) {
          same = p.instructions[k].target == q.instructions[k].target;
        }
        for (std::size_t k = 0; same && k < p.blocks.size(); ++k) {
          same = p.blocks[k].first == q.blocks[k].first && p.blocks[k].count == q.blocks[k].count;
        }
        for (std::size_t k = 0; same && k < p.edges.size(); ++k) {
          same = p.edges[k].from == q.edges[k].from && p.edges[k].to == q.edges[k].to && p.edges[k].kind == q.edges[k].kind;
        }
        CHECK(same);
        ++programs;
        edges += static_cast<unsigned>(p.edges.size());
      }
    }
  }
  CHECK(programs > 100);
  CHECK(edges > 1000);
}
