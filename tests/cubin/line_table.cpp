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

TEST_CASE("line table: an end without a start has no rows, and a unit of nothing else is copied") {
  // .debug_line of ptxas 13.5 -lineinfo where no code has source lines
  const bytes alone = {0x1c, 0, 0, 0, 3, 0, 0x13, 0, 0, 0, 1, 1, 0xfb, 0x0e, 0x0d, 0,
                       1,    1, 1, 1, 0, 0, 0,    1, 0, 0, 1, 0, 0,    0,    1,    1};
  std::vector<line_unit> units;
  REQUIRE(!read_line_units(alone, 0, "alone", units));
  REQUIRE(units.size() == 1);
  CHECK((units[0].sequences.empty() && units[0].rows.empty()));
  bytes out;
  std::vector<std::uint64_t> operands = {7};
  write_line_unit(alone, units[0], out, operands);
  CHECK((out == alone));
  CHECK(operands.empty());
  // at another address than 0 it says something of code that nobody names
  bytes away = alone;
  away.insert(away.begin() + 0x1d, {2, 4});
  away[0] = 0x1e;
  units.clear();
  CHECK(read_line_units(away, 0, "away", units).expected.find("extended opcode 1, 2") != std::string::npos);
  // before a sequence: that has its rows still
  const loaded l(bundled("layernorm-lineinfo.sm80"));
  const auto& s = l.elf.file.sections[l.elf.file.find(".debug_line")];
  bytes b(s.bytes.begin(), s.bytes.end());
  std::vector<line_unit> was, now;
  REQUIRE(!read_line_units(b, 0, "as it was", was));
  REQUIRE(was.size() == 1);
  b.insert(b.begin() + static_cast<std::ptrdiff_t>(was[0].program), {0, 1, 1});
  put<std::uint32_t>(b, 0, get<std::uint32_t>(b, 0) + 3);
  REQUIRE(!read_line_units(b, 0, "with an end", now));
  REQUIRE(now.size() == 1);
  CHECK(now[0].rows == was[0].rows);
  CHECK(now[0].sequences.size() == was[0].sequences.size());
}
