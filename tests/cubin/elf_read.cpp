// SPDX-License-Identifier: BSL-1.0
//
// The ELF reader: what it reads of real cubins, and that no damage to the file gets past it.
#include <random>

#include "cubin/cubin_support.hpp"

using namespace ww_test;
using ww::sass::elf_section_type;
using ww::sass::read_elf;

TEST_CASE("ELF reader: sections, symbols, relocations and segments of a cubin") {
  const bytes b = bundled("noinline_call.sm90");
  const auto r = read_elf(b);
  INFO(r.error.text());
  REQUIRE(!r.error);
  CHECK(r.file.machine == 190);
  CHECK(r.file.type == 2);
  CHECK(r.file.sections.size() == get<std::uint16_t>(b, 60));
  CHECK(r.file.segments.size() == 6);
  const auto text = r.file.find(".text.call_poly");
  REQUIRE(text != ww::sass::elf_file::none);
  CHECK(r.file.sections[text].executable());
  CHECK(r.file.sections[text].size == 2432);
  std::size_t functions = 0;
  for (const auto& s : r.file.symbols) {
    functions += s.type() == 2 ? 1u : 0u;
    if (s.name == "$call_poly$_Z4polyfPKfi") {
      CHECK(s.section == text);
      CHECK(s.value == 0x1d0);
      CHECK(s.size == 1968);
    }
  }
  CHECK(functions == 8);
  std::size_t frames = 0;
  for (const auto& x : r.file.relocations) {
    CHECK(x.has_addend);
    frames += r.file.sections[x.target].name == ".debug_frame" ? 1u : 0u;
  }
  CHECK(frames == 13);
}

TEST_CASE("ELF reader: every bundled cubin reads without an error") {
  REQUIRE(bundled_cubins().size() >= 20);
  for (const auto& p : bundled_cubins()) {
    const bytes b = read_bytes(p);
    const auto r = read_elf(b);
    INFO(p << " " << r.error.text());
    CHECK(!r.error);
  }
}

TEST_CASE("ELF reader: a file cut short is an error with a place inside it") {
  for (const char* name : {"saxpy.sm80", "noinline_call.sm90", "saxpy.sm100", "reduce_shfl-lineinfo.sm90"}) {
    const bytes b = bundled(name);
    for (std::size_t k = 0; k < 64; ++k) {
      const bytes cut(b.begin(), b.begin() + static_cast<std::ptrdiff_t>(b.size() * k / 64));
      const auto r = read_elf(cut);
      INFO(name << " cut to " << k << "/64: " << r.error.text());
      CHECK(r.error);
      CHECK(r.error.offset <= b.size());
      CHECK(!r.error.where.empty());
      const auto c = ww::sass::read_cubin(cut);
      CHECK(c.error);
    }
  }
}

TEST_CASE("ELF reader: wild values in every field of the header and of the section headers") {
  const bytes good = bundled("noinline_call.sm80");
  const std::uint64_t wild[] = {
      0, 1, 2, 0x40, 0xffff, 0x7fffffff, 0xffffffff, 0x100000000, 0x7fffffffffffffff, ~0ull, ~0ull - 63, 1ull << 63};
  const auto attempt = [](const bytes& b, const std::string& what) {
    const auto r = read_elf(b);
    INFO(what << ": " << r.error.text());
    if (r.error) {
      CHECK(!r.error.where.empty());
      return;
    }
    const auto c = ww::sass::read_cubin(r.file);
    if (!c.error) {  // then patching must end too, with or without an error
      std::vector<ww::sass::text_patch> patches;
      for (const auto& t : c.value.texts) {
        patches.push_back(identity_patch(t));
      }
      (void)ww::sass::patch_cubin(b, patches);
    }
  };
  struct field {
    unsigned at, size;
  };
  for (const field f : {field{16, 2},
                        {18, 2},
                        {20, 4},
                        {24, 8},
                        {32, 8},
                        {40, 8},
                        {48, 4},
                        {52, 2},
                        {54, 2},
                        {56, 2},
                        {58, 2},
                        {60, 2},
                        {62, 2}}) {
    for (const std::uint64_t w : wild) {
      bytes b = good;
      for (unsigned k = 0; k < f.size; ++k) {
        b[f.at + k] = static_cast<std::uint8_t>(w >> (8 * k));
      }
      attempt(b, "header field " + std::to_string(f.at));
    }
  }
  const std::uint64_t table = get<std::uint64_t>(good, 40);
  const unsigned count = get<std::uint16_t>(good, 60);
  for (unsigned s = 0; s < count; ++s) {
    for (const field f : {field{0, 4}, {4, 4}, {8, 8}, {24, 8}, {32, 8}, {40, 4}, {44, 4}, {56, 8}}) {
      for (const std::uint64_t w : wild) {
        bytes b = good;
        for (unsigned k = 0; k < f.size; ++k) {
          b[table + s * 64 + f.at + k] = static_cast<std::uint8_t>(w >> (8 * k));
        }
        attempt(b, "section " + std::to_string(s) + " field " + std::to_string(f.at));
      }
    }
  }
}

TEST_CASE("ELF reader: named damage is refused with its place") {
  const bytes good = bundled("noinline_call.sm90");
  const auto g = read_elf(good);
  REQUIRE(!g.error);
  const std::uint64_t table = g.file.section_table;
  const auto header = [&](const char* name) { return table + std::uint64_t{g.file.find(name)} * 64; };
  const auto refused = [](const bytes& b, std::uint64_t offset, const char* part) {
    const auto r = read_elf(b);
    INFO(r.error.text());
    CHECK(r.error);
    CHECK(r.error.offset == offset);
    CHECK(r.error.text().find(part) != std::string::npos);
  };
  bytes b = good;
  SECTION("not an ELF file") {
    b[0] = 'M';
    refused(b, 0, "magic");
  }
  SECTION("32-bit class") {
    b[4] = 1;
    refused(b, 4, "64 bits");
  }
  SECTION("big endian") {
    b[5] = 2;
    refused(b, 5, "little endian");
  }
  SECTION("section table that wraps around") {
    put<std::uint64_t>(b, 40, ~0ull - 32);
    refused(b, 40, "inside the file");
  }
  SECTION("more section headers than bytes") {
    put<std::uint16_t>(b, 60, 0xfeff);
    refused(b, 60, "inside the file");
  }
  SECTION("a count of 2^60 sections in section 0") {
    put<std::uint16_t>(b, 60, 0);
    put<std::uint64_t>(b, table + 32, 1ull << 60);
    refused(b, 60, "inside the file");
  }
  SECTION("section offset that wraps around with its size") {
    put<std::uint64_t>(b, header(".text.call_poly") + 24, ~0ull - 15);
    refused(b, header(".text.call_poly") + 24, "offset inside the file");
  }
  SECTION("section size that wraps around") {
    put<std::uint64_t>(b, header(".text.call_poly") + 32, ~0ull - 15);
    refused(b, header(".text.call_poly") + 32, "ends inside the file");
  }
  SECTION("two sections that share some bytes") {
    const std::uint64_t at = g.file.sections[g.file.find(".text.call_poly")].offset + 16;
    put<std::uint64_t>(b, header(".nv.constant4") + 24, at);
    refused(b, header(".nv.constant4") + 24, "no other section");
  }
  SECTION("a section over the ELF header") {
    put<std::uint64_t>(b, header(".nv.constant4") + 24, 8);
    refused(b, header(".nv.constant4") + 24, "no other section");
  }
  SECTION("a symbol table linked to itself") {
    put<std::uint32_t>(b, header(".symtab") + 40, g.file.find(".symtab"));
    refused(b, header(".symtab") + 40, "string table");
  }
  SECTION("two tables linked to each other") {
    put<std::uint32_t>(b, header(".symtab") + 40, g.file.find(".rela.debug_frame"));
    put<std::uint32_t>(b, header(".rela.debug_frame") + 40, g.file.find(".rela.debug_frame"));
    refused(b, header(".symtab") + 40, "string table");
  }
  SECTION("relocations linked to a section that is no symbol table") {
    // Compilers of CUDA 12.0 to 12.2 write such a number; the symbols are those of the only table then.
    put<std::uint32_t>(b, header(".rela.debug_frame") + 40, 1);
    const ww::sass::elf_result again = read_elf(b);
    REQUIRE(!again.error);
    REQUIRE(again.file.relocations.size() == g.file.relocations.size());
    for (std::size_t k = 0; k < g.file.relocations.size(); ++k) {
      CHECK(again.file.relocations[k].symbol == g.file.relocations[k].symbol);
    }
    for (const std::uint32_t nowhere : {0u, 0xffffu}) {
      put<std::uint32_t>(b, header(".rela.debug_frame") + 40, nowhere);
      refused(b, header(".rela.debug_frame") + 40, "symbol table");
    }
  }
  SECTION("relocations of a section that does not exist") {
    put<std::uint32_t>(b, header(".rela.debug_frame") + 44, 0xffff);
    refused(b, header(".rela.debug_frame") + 44, "relocated");
  }
  SECTION("relocation behind its section") {
    const std::uint64_t at = g.file.sections[g.file.find(".rela.debug_frame")].offset;
    put<std::uint64_t>(b, at, 1ull << 40);
    refused(b, at, "inside .debug_frame");
  }
  SECTION("relocation with a wild symbol") {
    const std::uint64_t at = g.file.sections[g.file.find(".rela.debug_frame")].offset;
    put<std::uint32_t>(b, at + 12, 0x00ffffff);
    refused(b, at + 8, "index below");
  }
  SECTION("symbol with a wild name") {
    const std::uint64_t at = g.file.sections[g.file.find(".symtab")].offset + 24;
    put<std::uint32_t>(b, at, 0x7fffffff);
    refused(b, at, "name");
  }
  SECTION("symbol in a section that does not exist") {
    const std::uint64_t at = g.file.sections[g.file.find(".symtab")].offset + 24;
    put<std::uint16_t>(b, at + 6, 0x7fff);
    refused(b, at + 6, "index below");
  }
  SECTION("entry size of the symbol table") {
    put<std::uint64_t>(b, header(".symtab") + 56, 0);
    refused(b, header(".symtab") + 56, "24");
  }
  SECTION("program headers behind the end") {
    put<std::uint64_t>(b, 32, b.size() - 8);
    refused(b, 32, "program header table");
  }
}

TEST_CASE("ELF reader: random damage never crashes, and reading stays linear in the file") {
  std::mt19937 rng(7);
  const bytes good = bundled("reduce_shfl-lineinfo.sm90");
  for (unsigned k = 0; k < 3000; ++k) {
    bytes b = good;
    const unsigned edits = 1 + rng() % 4;
    for (unsigned e = 0; e < edits; ++e) {
      b[rng() % b.size()] = static_cast<std::uint8_t>(rng());
    }
    const auto r = read_elf(b);
    if (r.error) {
      continue;
    }
    const auto c = ww::sass::read_cubin(r.file);
    if (c.error) {
      continue;
    }
    std::vector<ww::sass::text_patch> patches;
    for (const auto& t : c.value.texts) {
      patches.push_back(random_patch(r.file, c.value, t, rng));
    }
    const auto p = ww::sass::patch_cubin(b, patches);
    CHECK((p.bytes.empty() || !p.error));
  }
}

TEST_CASE("ELF reader: ten thousand names inside one long text are cheap") {
  // a file of 10,000 symbols that all start in one string of 2 MB
  const std::uint64_t strings = 64, string_bytes = 2'000'000, symbols = 10'000;
  const std::uint64_t table = strings + string_bytes, headers = table + symbols * 24;
  bytes b(headers + 3 * 64, 'x');
  for (std::uint64_t k = 0; k < 64; ++k) {
    b[k] = 0;
  }
  const std::uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  std::copy(std::begin(ident), std::end(ident), b.begin());
  put<std::uint16_t>(b, 18, 190);
  put<std::uint64_t>(b, 40, headers);
  put<std::uint16_t>(b, 52, 64);
  put<std::uint16_t>(b, 58, 64);
  put<std::uint16_t>(b, 60, 3);
  put<std::uint16_t>(b, 62, 1);
  b[table - 1] = 0;
  for (std::uint64_t k = 0; k < symbols; ++k) {
    for (unsigned q = 0; q < 24; ++q) {
      b[table + k * 24 + q] = 0;
    }
    put<std::uint32_t>(b, table + k * 24, static_cast<std::uint32_t>(k));
  }
  for (unsigned s = 0; s < 3; ++s) {
    const std::uint64_t h = headers + s * 64;
    for (unsigned q = 0; q < 64; ++q) {
      b[h + q] = 0;
    }
    put<std::uint32_t>(b, h + 4, s == 0 ? 0u : (s == 1 ? 3u : 2u));
    put<std::uint64_t>(b, h + 24, s == 1 ? strings : table);
    put<std::uint64_t>(b, h + 32, s == 1 ? string_bytes : symbols * 24);
    put<std::uint32_t>(b, h + 40, 1);
    put<std::uint64_t>(b, h + 56, s == 2 ? 24u : 0u);
  }
  const auto r = read_elf(b);
  INFO(r.error.text());
  REQUIRE(!r.error);
  REQUIRE(r.file.symbols.size() == symbols);
  CHECK(r.file.symbols[0].name.size() == string_bytes - 1);
  CHECK(r.file.symbols[9999].name.size() == string_bytes - 10000);
}
