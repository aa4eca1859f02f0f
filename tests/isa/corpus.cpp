// SPDX-License-Identifier: BSL-1.0
//
// Every instruction of every listing: understood, known, and in agreement with its encoding.
//
// Oracles that need no tables: the number fields of the encoding (facts/hardware.md 5.1 and 5.3), the reuse bits, and
// the alignment of register groups (a pair starts at an even register, a group of three or four at a multiple of four).

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <warpwright/isa/decode.hpp>
#include <warpwright/isa/instruction_text.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "listing_lines.hpp"

namespace {

using namespace ww;

struct totals {
  std::uint64_t lines = 0, unparsed = 0, unknown = 0, misaligned = 0, fields = 0, wrong_fields = 0, reuse = 0,
                wrong_reuse = 0, hidden = 0;
  std::array<bool, opcode_count> seen{};
  std::vector<std::string> samples;
  void note(const std::string& what, const std::string& body) {
    if (samples.size() < 12) samples.push_back(what + ": " + body);
  }
};

std::uint32_t bits(const std::uint64_t* w, unsigned at, unsigned n) {
  const std::uint64_t v = at < 64 ? w[0] >> at : w[1] >> (at - 64);
  return static_cast<std::uint32_t>(v & ((1ull << n) - 1));
}

bool aligned(const operand& o) {
  const unsigned w = o.width();
  const unsigned step = w == 2 ? 2 : (w >= 3 ? 4 : 1);
  return o.base().number() % step == 0;
}

// First bit of the number field of a source. A constant, immediate or uniform register in third place takes the field
// of b, and b moves to the field of c.
unsigned field_of(opcode op, unsigned port, const ww::vec<operand>& operands) {
  if (port == 1) return 24;
  if (port == 3) {
    const bool sum = op == opcode::fadd || op == opcode::hadd2 || op == opcode::hsetp2 || op == opcode::hset2 ||
                     op == opcode::dsetp || op == opcode::fadd2 || op == opcode::fhadd;
    return sum ? 32 : 64;
  }
  unsigned third = 0;
  bool third_general = false;
  for (const operand& o : operands) {
    if (!o.is_use() || o.where() != slot::c) continue;
    ++third;
    third_general = third_general || o.file() == reg_file::r;
  }
  const unsigned shift = op == opcode::lea ? 1 : 0;  // the shift of LEA is no source field
  return third > shift && !third_general ? 64 : 32;
}

void check_line(const ww_test::listing_line& l, isa::dialect d, totals& t, ww::vec<operand>& operands) {
  ++t.lines;
  isa::asm_instruction form;
  if (!isa::parse_instruction(l.body, form).ok) {
    ++t.unparsed;
    t.note("not parsed", l.body);
    return;
  }
  operands.clear();
  const instruction i = isa::decode(form, l.word, l.words == 2, d, operands);
  if (i.op == opcode::unknown) {
    ++t.unknown;
    t.note("unknown opcode", l.body);
    return;
  }
  t.seen[static_cast<std::size_t>(i.op)] = true;
  unsigned reuse = 0;
  for (const operand& o : operands) {
    if (!o.is_register() || o.width() == 0) continue;
    const reg_file f = o.file();
    if ((f == reg_file::r || f == reg_file::ur) && o.width() > 1 && !aligned(o)) {
      ++t.misaligned;
      t.note("misaligned group", l.body);
    }
    if (o.is_hidden()) ++t.hidden;
    if (l.words != 2 || d.word64) continue;
    const unsigned port = o.port();
    if (f == reg_file::r && o.is_use() && port != 0 && i.has(iflag::reuse_legal)) {
      ++t.fields;
      const unsigned at = field_of(i.op, port, operands);
      if (bits(l.word, at, 8) != o.base().number()) {
        ++t.wrong_fields;
        t.note("source field", l.body);
      }
      if (o.is_reuse()) reuse |= 1u << (port - 1);
    }
    if (f == reg_file::r && o.is_def() && o.where() == slot::dst) {
      ++t.fields;
      if (bits(l.word, 16, 8) != o.base().number()) {
        ++t.wrong_fields;
        t.note("result field", l.body);
      }
    }
    if (f == reg_file::p && o.where() == slot::guard) {
      ++t.fields;
      if (bits(l.word, 12, 3) != o.base().number() || bits(l.word, 15, 1) != (o.is_not() ? 1u : 0u)) {
        ++t.wrong_fields;
        t.note("guard field", l.body);
      }
    }
  }
  if (l.words == 2 && !d.word64 && i.has(iflag::reuse_legal)) {
    ++t.reuse;
    if (bits(l.word, 122, 4) != reuse) {
      ++t.wrong_reuse;
      t.note("reuse bits", l.body);
    }
  }
}

void check_files(const std::vector<std::string>& paths, totals& t) {
  ww::vec<operand> operands;
  for (const std::string& path : paths) {
    if (path.find(".sass") == std::string::npos) continue;
    isa::dialect d;
    d.hidden_descriptor = path.find(".sm8") != std::string::npos;
    d.word64 = path.find(".sm5") != std::string::npos || path.find(".sm6") != std::string::npos;
    for (const ww_test::listing_line& l : ww_test::read_lines(ww_test::corpus::text(path))) check_line(l, d, t, operands);
  }
}

void report(const totals& t) {
  for (const std::string& s : t.samples) {
    INFO(s);
    CHECK(false);
  }
  CHECK(t.unparsed == 0);
  CHECK(t.unknown == 0);
  CHECK(t.misaligned == 0);
  CHECK(t.wrong_fields == 0);
  CHECK(t.wrong_reuse == 0);
  WARN("opcodes " << std::count(t.seen.begin(), t.seen.end(), true) << " of " << opcode_count - 1 << ", lines " << t.lines
                  << ", register fields compared " << t.fields << ", reuse fields compared " << t.reuse
                  << ", hidden descriptors " << t.hidden);
}

}  // namespace

TEST_CASE("isa corpus: bundled listings are understood and agree with their encoding") {
  totals t;
  for (const char* folder : {"listings", "listings_blackwell", "listings_rare", "isa"}) {
    check_files(ww_test::corpus::files(ww_test::corpus::bundled(folder)), t);
  }
  report(t);
  CHECK(t.lines > 10000);
}

TEST_CASE("isa corpus: every listing of the corpus is understood and agrees with its encoding") {
  const std::string root = ww_test::corpus::root();
  if (root.empty()) return;
  totals t;
  check_files(ww_test::corpus::files(root + "/listings"), t);
  report(t);
  CHECK(t.lines > 0);
  if (!ww_test::corpus::reference()) return;
  CHECK(t.lines == 165720);
  CHECK(t.hidden > 4800);
}

TEST_CASE("isa speed: parse and decode take well under a microsecond") {
  const std::string text = ww_test::corpus::text(ww_test::corpus::bundled("isa/tma_pipeline.sm90.sass"));
  const std::vector<ww_test::listing_line> lines = ww_test::read_lines(text);
  REQUIRE(!lines.empty());
  ww::vec<operand> operands;
  operands.reserve(64 * lines.size());
  double best = 1e9;
  std::uint64_t sum = 0;
  for (int round = 0; round < 20; ++round) {
    operands.clear();
    const auto start = std::chrono::steady_clock::now();
    for (const ww_test::listing_line& l : lines) {
      isa::asm_instruction form;
      if (isa::parse_instruction(l.body, form).ok) sum += isa::decode(form, l.word, true, {}, operands).operand_count;
    }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    const double each = took.count() / static_cast<double>(lines.size());
    if (each < best) best = each;
  }
  WARN("parse and decode: " << best << " ns per instruction (" << sum << " operands)");
  CHECK(best < 20000.0);  // loose: shared machines, sanitizers
}
