// SPDX-License-Identifier: BSL-1.0
//
// Records of resolved relocations (.nv.resolvedrela.NAME): which are understood, and what is refused. That they follow the
// instructions of every bundled file is tests/cubin/cubin_patch.cpp's.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cubin/cubin_support.hpp"

using namespace ww_test;

namespace {

struct fixture {
  bytes data;
  std::uint64_t code = 0;     // file offset of the records of the kernel
  std::uint64_t frame = 0;    // of those of .debug_frame
  std::uint64_t headers = 0;  // of the section table
  std::uint32_t code_section = 0, frame_section = 0, text = 0;
  std::vector<ww::sass::text_patch> patches;

  explicit fixture(const char* name) : data(bundled(name)) {
    const loaded l(data);
    const auto& f = l.elf.file;
    code_section = f.find(".nv.resolvedrela.text.linked");
    frame_section = f.find(".nv.resolvedrela.debug_frame");
    text = f.find(".text.linked");
    REQUIRE((code_section != f.none && frame_section != f.none && text != f.none));
    code = f.sections[code_section].offset;
    frame = f.sections[frame_section].offset;
    headers = f.section_table;
    std::mt19937 rng(15);
    for (const auto& t : l.cubin.value.texts) patches.push_back(random_patch(f, l.cubin.value, t, rng));
  }

  [[nodiscard]] std::uint64_t header(std::uint32_t section, unsigned field) const { return headers + 64 * section + field; }
  [[nodiscard]] std::string error() const {
    const auto r = ww::sass::patch_cubin(data, patches);
    REQUIRE((r.bytes.empty() || !r.error));
    return r.error ? r.error.expected : std::string();
  }
};

template <class Unsigned>
std::string with(const fixture& f, std::uint64_t at, Unsigned v) {
  fixture g = f;
  put<Unsigned>(g.data, at, v);
  return g.error();
}

}  // namespace

TEST_CASE("cubin resolved: records of a kernel follow its instructions, and come back with them") {
  for (const char* name : {"linked.sm75", "linked.sm90"}) {
    INFO(name);
    const fixture f(name);
    const auto once = ww::sass::patch_cubin(f.data, f.patches);
    INFO(once.error.text());
    REQUIRE(!once.error);
    unsigned followed = 0;
    for (const auto& m : once.remaps) {
      followed += m.kind == "resolved relocation" && m.text == f.text && m.old_offset != m.new_offset ? 1u : 0u;
    }
    CHECK(followed > 1);
    auto back = f.patches;
    for (auto& p : back) {
      const auto q = p;
      for (std::uint32_t k = 0; k < q.old_index.size(); ++k) {
        p.old_index[q.old_index[k]] = k;
        p.control[q.old_index[k]] = q.control[k];
      }
    }
    const auto twice = ww::sass::patch_cubin(once.bytes, back);
    REQUIRE(!twice.error);
    const loaded l(f.data);
    for (const std::uint32_t section : {f.code_section, f.frame_section, f.text}) {
      const auto& s = l.elf.file.sections[section];
      for (std::uint64_t k = s.offset; k < s.offset + s.size; ++k) REQUIRE(twice.bytes[k] == f.data[k]);
    }
  }
}

TEST_CASE("cubin resolved: what cannot be kept is refused by name") {
  const fixture f("linked.sm75");
  const loaded l(f.data);
  CHECK(f.error().empty());
  const auto& sections = l.elf.file.sections;
  const std::string kinds = "resolved relocations of code, constants, variables or .debug_frame";
  // the info field leads to no section, to another one, to one whose fields are not known
  CHECK(with<std::uint32_t>(f, f.header(f.code_section, 44), 0) == kinds);
  CHECK(with<std::uint32_t>(f, f.header(f.code_section, 44), 9999) == kinds);
  CHECK(with<std::uint32_t>(f, f.header(f.frame_section, 44), f.text) == kinds);
  for (const char* x : {".nv.info.linked", ".nv.callgraph"}) {
    const std::uint32_t info = l.elf.file.find(x);
    REQUIRE(info != l.elf.file.none);
    CHECK(with<std::uint32_t>(f, f.header(f.code_section, 44), info) == kinds);
  }
  fixture other = f;  // records of a section whose fields are not known, by their name and by the section that they lead to
  const std::string records = ".nv.resolvedrela", was = ".debug_frame", now = ".note.Xframe";
  const std::string names(f.data.begin(), f.data.begin() + static_cast<std::ptrdiff_t>(f.headers));
  const std::size_t a = names.find(records + was + '\0'), b = names.find('\0' + was + '\0');
  REQUIRE((a != std::string::npos && b != std::string::npos));
  std::copy(now.begin(), now.end(), other.data.begin() + static_cast<std::ptrdiff_t>(a + records.size()));
  std::copy(now.begin(), now.end(), other.data.begin() + static_cast<std::ptrdiff_t>(b + 1));
  CHECK(other.error() == kinds);
  // whole entries
  CHECK(with<std::uint64_t>(f, f.header(f.code_section, 56), 16) == "entries of 24 bytes");
  CHECK(with<std::uint64_t>(f, f.header(f.frame_section, 32), sections[f.frame_section].size - 8) == "entries of 24 bytes");
  // symbols
  CHECK(with<std::uint32_t>(f, f.code + 12, 9999) == "the index of a symbol");
  CHECK(with<std::uint32_t>(f, f.header(f.code_section, 40), 5).empty());  // a wrong link, as CUDA 12.0 has them
  // offsets
  CHECK(with<std::uint64_t>(f, f.code, sections[f.text].size) == "an offset inside .text.linked");
  CHECK(with<std::uint64_t>(f, f.frame, 1u << 30) == "an offset inside .debug_frame");
}

TEST_CASE("cubin resolved: a record of the frame table names a field that does not change") {
  const fixture f("linked.sm90");
  const loaded l(f.data);
  CHECK(f.error().empty());
  const auto done = ww::sass::patch_cubin(f.data, f.patches);
  REQUIRE(!done.error);
  const auto& s = l.elf.file.sections[l.elf.file.find(".debug_frame")];
  unsigned changed = 0;
  for (std::uint64_t at = 0; at < s.size; ++at) {
    bool same = true;
    for (std::uint64_t k = at; k < at + 8 && k < s.size; ++k)
      same = same && f.data[s.offset + k] == done.bytes[s.offset + k];
    changed += same ? 0u : 1u;
    CHECK(with<std::uint64_t>(f, f.frame, at) == (same ? "" : "the offset of a field that holds what it held"));
  }
  CHECK(changed > 0);
}

TEST_CASE("cubin resolved: no instruction crosses a place that a record names, and none is gone") {
  fixture f("linked.sm75");
  const loaded l(f.data);
  std::uint32_t symbol = 0;
  const std::uint32_t table = l.elf.file.find(".symtab");
  std::uint32_t k = 0;
  for (const auto& s : l.elf.file.symbols) {
    if (s.table == table && s.section == f.text && s.value == 0 && s.type() == 2) symbol = k;
    k += s.table == table ? 1u : 0u;
  }
  REQUIRE(symbol != 0);
  ww::sass::section_move move;
  for (const auto& p : f.patches) {
    if (p.section == f.text) REQUIRE(move.assign(p.section, p.old_index));
  }
  put<std::uint32_t>(f.data, f.frame + 12, symbol);
  unsigned crossed = 0, kept = 0;
  for (std::uint64_t at = 0; at <= l.elf.file.sections[f.text].size; at += 16) {
    const std::string e = with<std::uint64_t>(f, f.frame + 16, at);
    CHECK(e == (move.closed(at) ? "" : "no instruction to cross the place that a resolved relocation names"));
    (e.empty() ? kept : crossed) += 1;
  }
  CHECK((crossed > 10 && kept > 10));
  fixture g("linked.sm75");
  for (auto& p : g.patches) {
    if (p.section != g.text) continue;
    p.gone.assign(p.old_index.size(), 0);
    p.gone[get<std::uint64_t>(g.data, g.code) / 16] = 1;
  }
  CHECK(g.error() == "the offset of an instruction that is still there");
}
