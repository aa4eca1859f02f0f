// SPDX-License-Identifier: BSL-1.0
//
// Line tables: reading, writing back, and damage.
#include "cubin/cubin_support.hpp"
#include "warpwright/sass/line_table_write.hpp"

using namespace ww_test;
using ww::sass::line_unit;
using ww::sass::read_line_units;

TEST_CASE("line table: rows survive writing and reading") {
  unsigned tables = 0;
  for (const auto& p : bundled_cubins()) {
    const loaded l(read_bytes(p));
    for (const auto& s : l.elf.file.sections) {
      if (s.name != ".debug_line" && s.name != ".nv_debug_line_sass") {
        continue;
      }
      INFO(p << " " << s.name);
      ++tables;
      std::vector<line_unit> a, b;
      const auto e = read_line_units(s.bytes, s.offset, std::string(s.name), a);
      INFO(e.text());
      REQUIRE(!e);
      bytes out;
      std::vector<std::uint64_t> operands;
      for (const auto& u : a) {
        write_line_unit(s.bytes, u, out, operands);
        CHECK(operands.size() == u.sequences.size());
      }
      CHECK(out.size() <= s.bytes.size());
      REQUIRE(!read_line_units(out, 0, "again", b));
      REQUIRE(a.size() == b.size());
      for (std::size_t k = 0; k < a.size(); ++k) {
        CHECK(a[k].rows == b[k].rows);
        REQUIRE(a[k].sequences.size() == b[k].sequences.size());
        for (std::size_t q = 0; q < a[k].sequences.size(); ++q) {
          CHECK(a[k].sequences[q].start == b[k].sequences[q].start);
          CHECK(a[k].sequences[q].end == b[k].sequences[q].end);
          CHECK(a[k].sequences[q].count == b[k].sequences[q].count);
        }
      }
    }
  }
  CHECK(tables >= 8);
}

TEST_CASE("line table: inlined calls are numbered inside their sequence") {
  const loaded l(bundled("reduce_shfl-lineinfo.sm90"));
  const auto& s = l.elf.file.sections[l.elf.file.find(".debug_line")];
  std::vector<line_unit> units;
  REQUIRE(!read_line_units(s.bytes, s.offset, std::string(s.name), units));
  std::size_t contexts = 0;
  for (const auto& u : units) {
    REQUIRE(u.sequences.size() == 2);
    for (const auto& q : u.sequences) {
      for (std::uint32_t k = 0; k < q.count; ++k) {
        const auto& row = u.rows[q.first + k];
        if (row.context != 0) {
          ++contexts;
          REQUIRE(row.context <= k);                                        // a row before this one
          CHECK(u.rows[q.first + row.context - 1].address <= row.address);  // that begins no later
        }
      }
    }
  }
  CHECK(contexts > 10);
}

TEST_CASE("line table: damage at every byte ends in rows or in an error") {
  const loaded l(bundled("layernorm-lineinfo.sm80"));
  const auto& s = l.elf.file.sections[l.elf.file.find(".debug_line")];
  const bytes good(s.bytes.begin(), s.bytes.end());
  for (std::size_t k = 0; k < good.size(); ++k) {
    for (const unsigned v : {0x00u, 0x7fu, 0x80u, 0xffu}) {
      bytes b = good;
      b[k] = static_cast<std::uint8_t>(v);
      std::vector<line_unit> units;
      (void)read_line_units(b, 0, "damaged", units);
    }
    std::vector<line_unit> units;
    const auto e = read_line_units(ww::sass::byte_span(good).first(k), 0, "short", units);
    CHECK((k == 0 || e));
  }
}
