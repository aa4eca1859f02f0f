// SPDX-License-Identifier: BSL-1.0
//
// The cubin patcher: what it writes is checked against the file before it, record by record, with code of the test's own.
#include <map>
#include <set>

#include "cubin/cubin_support.hpp"
#include "support/program_of.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/pipeline/scheduler.hpp"
#include "warpwright/sass/cubin_fixed_places.hpp"
#include "warpwright/sass/line_table.hpp"

using namespace ww_test;
using ww::sass::patch_cubin;
using ww::sass::text_patch;

namespace {

// Instruction words at an offset of a code section, control bits masked out.
struct masked {
  std::uint64_t low = 0, high = 0;
  friend bool operator==(const masked&, const masked&) = default;
};

masked word_at(const bytes& b, const ww::sass::elf_section& s, std::uint64_t offset) {
  REQUIRE(offset + 16 <= s.size);
  return {get<std::uint64_t>(b, s.offset + offset), get<std::uint64_t>(b, s.offset + offset + 8) & ~control_bits};
}

struct attribute_shape {
  std::uint32_t each, at;
};
// Own table of where offsets stand, for the kinds of the corpus.
bool shape_of(unsigned attribute, attribute_shape& s) {
  switch (attribute) {
    case 0x1c:
    case 0x28:
    case 0x31:
    case 0x46:
      s = {4, 0};
      return true;
    case 0x2e:
    case 0x44:
      s = {8, 0};
      return true;
    case 0x55:
      s = {8, 4};
      return true;
    case 0x39:
      s = {16, 0};
      return true;
    default:
      return false;
  }
}

// What one instruction's row says: file, line, column, inlined calls.
std::vector<std::string> line_states(const loaded& l, std::uint32_t section, std::uint32_t text) {
  const auto& s = l.elf.file.sections[section];
  std::vector<ww::sass::line_unit> units;
  const auto e = ww::sass::read_line_units(s.bytes, s.offset, std::string(s.name), units);
  INFO(e.text());
  REQUIRE(!e);
  std::vector<std::string> out(static_cast<std::size_t>(l.elf.file.sections[text].size / 16));
  for (const auto& u : units) {
    for (const auto& q : u.sequences) {
      const ww::sass::elf_relocation* found = nullptr;
      for (const auto& r : l.elf.file.relocations) {
        if (r.target == section && r.offset == q.operand) {
          found = &r;
        }
      }
      REQUIRE(found != nullptr);
      const auto& symbol = l.elf.file.symbols[found->symbol];
      if (symbol.section != text) {
        continue;
      }
      const std::uint64_t base = symbol.value + (found->has_addend ? static_cast<std::uint64_t>(found->addend) : q.start);
      const auto say = [&](std::uint32_t row) {
        std::string t;
        for (unsigned depth = 0; depth < 20; ++depth) {
          const auto& x = u.rows[q.first + row];
          t += std::to_string(x.file) + ":" + std::to_string(x.line) + ":" + std::to_string(x.column) + ":" +
               std::to_string(x.function) + (x.statement ? "s" : "n") + " ";
          if (x.context == 0) {
            return t;
          }
          REQUIRE(x.context <= q.count);
          row = static_cast<std::uint32_t>(x.context) - 1;
        }
        return t + "...";
      };
      std::uint32_t row = 0;
      for (std::uint64_t a = u.rows[q.first].address; a < q.end; a += 16) {
        while (row + 1 < q.count && u.rows[q.first + row + 1].address <= a) {
          ++row;
        }
        REQUIRE((base + a) / 16 < out.size());
        out[static_cast<std::size_t>((base + a) / 16)] = say(row);
      }
    }
  }
  return out;
}

std::uint64_t new_place(const text_patch& p, std::uint64_t old) {
  for (std::uint64_t k = 0; k < p.old_index.size(); ++k) {
    if (p.old_index[static_cast<std::size_t>(k)] == old) return k;
  }
  return p.old_index.size();
}

struct totals {
  std::size_t files = 0, sections = 0, instructions = 0, moved = 0, remaps = 0;
  std::map<std::string, std::size_t> kinds;
};

// Patches and compares old with new.
void check_patch(const loaded& old, const std::vector<text_patch>& patches, totals& sum, bool keep_mercury = false) {
  const auto r = patch_cubin(old.data, patches, {keep_mercury});
  INFO(r.error.text());
  REQUIRE(!r.error);
  const loaded now(r.bytes);
  const auto& of = old.elf.file;
  const auto& nf = now.elf.file;
  REQUIRE(nf.sections.size() == of.sections.size());
  REQUIRE(nf.symbols.size() == of.symbols.size());
  REQUIRE(nf.relocations.size() == of.relocations.size());
  ++sum.files;
  sum.remaps += r.remaps.size();
  std::map<std::uint32_t, const text_patch*> by_section;
  for (const auto& p : patches) {
    by_section[p.section] = &p;
  }
  // sections
  for (std::size_t i = 0; i < of.sections.size(); ++i) {
    const auto& a = of.sections[i];
    const auto& b = nf.sections[i];
    CHECK(a.name == b.name);
    CHECK(a.type == b.type);
    CHECK(a.flags == b.flags);
    CHECK(a.link == b.link);
    CHECK(a.info == b.info);
    const bool line = a.name == ".debug_line" || a.name == ".nv_debug_line_sass";
    if (!line) {
      CHECK(a.size == b.size);
      CHECK(a.offset == b.offset);
    }
    const std::string name(a.name);
    const bool may_change = line || name == ".debug_frame" || name.rfind(".text.", 0) == 0 ||
                            name.rfind(".nv.info.", 0) == 0 || name.rfind(".rela.text.", 0) == 0 ||
                            name.rfind(".rel.text.", 0) == 0 || name.rfind(".nv.resolvedrela.text.", 0) == 0 ||
                            name.find("debug_line") != std::string::npos;
    if (!may_change) {
      INFO(name);
      CHECK(std::equal(a.bytes.begin(), a.bytes.end(), b.bytes.begin(), b.bytes.end()));
    }
  }
  for (std::size_t i = 0; i < of.symbols.size(); ++i) {
    CHECK(of.symbols[i].name == nf.symbols[i].name);
    CHECK(of.symbols[i].value == nf.symbols[i].value);
    CHECK(of.symbols[i].size == nf.symbols[i].size);
    CHECK(of.symbols[i].section == nf.symbols[i].section);
  }
  // code
  for (const auto& p : patches) {
    const auto& a = of.sections[p.section];
    const auto& b = nf.sections[p.section];
    ++sum.sections;
    std::size_t bad = 0;
    for (std::size_t k = 0; k < p.old_index.size(); ++k) {
      const std::uint64_t word[2] = {get<std::uint64_t>(now.data, b.offset + k * 16),
                                     get<std::uint64_t>(now.data, b.offset + k * 16 + 8)};
      bad += word_at(old.data, a, std::uint64_t{p.old_index[k]} * 16) == word_at(now.data, b, k * 16) ? 0u : 1u;
      bad += ww::sm70_128::extract(word) == p.control[k] ? 0u : 1u;
      sum.moved += p.old_index[k] != k ? 1u : 0u;
      ++sum.instructions;
    }
    CHECK(bad == 0);
  }
  // what the patcher says it did
  std::set<std::string> told;
  for (const auto& m : r.remaps) {
    ++sum.kinds[m.kind == "frame" || m.kind == "row" ? m.section + " " + m.kind : m.kind];
    const std::uint64_t back = m.kind == "frame" && m.old_offset != 0 ? 16 : 0;
    const auto& s = of.sections[m.text];
    if (m.old_offset - back >= s.size) {
      CHECK(m.old_offset == m.new_offset);
      continue;
    }
    INFO(ww::sass::describe(m));
    if (m.kind != "frame" || m.old_offset != m.new_offset) {
      CHECK(word_at(old.data, s, m.old_offset - back) == word_at(now.data, nf.sections[m.text], m.new_offset - back));
    }
    told.insert(m.section + " " + std::to_string(m.place));
  }
  // attributes, read with the test's own table
  REQUIRE(old.cubin.value.infos.size() == now.cubin.value.infos.size());
  for (std::size_t k = 0; k < old.cubin.value.infos.size(); ++k) {
    const auto& a = old.cubin.value.infos[k];
    const auto& b = now.cubin.value.infos[k];
    REQUIRE(a.attribute == b.attribute);
    REQUIRE(a.value_place == b.value_place);
    REQUIRE(a.value_size == b.value_size);
    const std::uint32_t text = of.sections[a.section].info;
    attribute_shape shape{};
    const bool shaped = shape_of(a.attribute, shape) && by_section.count(text) != 0;
    for (std::uint32_t q = 0; q < a.value_size; ++q) {
      if (!shaped && !(a.attribute == 0x34 && by_section.count(text) != 0)) {
        CHECK(old.data[a.value_place + q] == now.data[a.value_place + q]);
      }
    }
    if (shaped) {
      for (std::uint32_t q = shape.at; q < a.value_size; q += shape.each) {
        const auto x = get<std::uint32_t>(old.data, a.value_place + q);
        const auto y = get<std::uint32_t>(now.data, a.value_place + q);
        CHECK(word_at(old.data, of.sections[text], x) == word_at(now.data, nf.sections[text], y));
        const text_patch& p = *by_section[text];
        CHECK(p.old_index[y / 16] == x / 16);  // the very instruction, not one like it
        if (x != y) {
          CHECK(told.count(std::string(of.sections[a.section].name) + " " +
                           std::to_string(a.value_place + q - of.sections[a.section].offset)) == 1);
        }
      }
    }
  }
  // relocations of code, and of everything else
  for (std::size_t k = 0; k < of.relocations.size(); ++k) {
    const auto& a = of.relocations[k];
    const auto& b = nf.relocations[k];
    CHECK(a.symbol == b.symbol);
    CHECK(a.type == b.type);
    CHECK(a.addend == b.addend);
    if (by_section.count(a.target) != 0) {
      CHECK(by_section[a.target]->old_index[b.offset / 16] == a.offset / 16);
      CHECK(a.offset % 16 == b.offset % 16);
    } else if (of.sections[a.target].name.find("debug_line") == std::string_view::npos) {
      CHECK(a.offset == b.offset);
    }
  }
  // records of resolved relocations: the very instruction, or the same field
  for (const auto& s : of.sections) {
    if (s.name.rfind(".nv.resolvedrela.", 0) != 0) continue;
    for (std::uint64_t at = s.offset; at < s.offset + s.size; at += 24) {
      const auto a = get<std::uint64_t>(old.data, at), b = get<std::uint64_t>(now.data, at);
      CHECK(b % 16 == a % 16);
      CHECK(b / 16 == (by_section.count(s.info) == 0 ? a / 16 : new_place(*by_section[s.info], a / 16)));
      CHECK(get<std::uint64_t>(old.data, at + 8) == get<std::uint64_t>(now.data, at + 8));
      CHECK(get<std::uint64_t>(old.data, at + 16) == get<std::uint64_t>(now.data, at + 16));
    }
  }
  // line tables: each instruction keeps what is said of it
  for (std::uint32_t i = 1; i < of.sections.size(); ++i) {
    if (of.sections[i].name != ".debug_line" && of.sections[i].name != ".nv_debug_line_sass") {
      continue;
    }
    for (const auto& p : patches) {
      const auto a = line_states(old, i, p.section);
      const auto b = line_states(now, i, p.section);
      std::size_t bad = 0;
      for (std::size_t k = 0; k < p.old_index.size(); ++k) {
        bad += a[p.old_index[k]] == b[k] ? 0u : 1u;
      }
      INFO(of.sections[i].name);
      CHECK(bad == 0);
    }
  }
}

std::vector<text_patch> random_patches(const loaded& l, std::mt19937& rng) {
  std::vector<text_patch> v;
  for (const auto& t : l.cubin.value.texts) {
    v.push_back(random_patch(l.elf.file, l.cubin.value, t, rng));
  }
  return v;
}

bool has_debug_info(const loaded& l) { return l.elf.file.find(".debug_info") != ww::sass::elf_file::none; }

std::vector<std::filesystem::path> all_cubins() {
  auto v = bundled_cubins();
  for (const auto& p : corpus_cubins()) {
    v.push_back(p);
  }
  return v;
}

// A cubin, the index of its section and a random order of it: material for the refusals.
struct refusal {
  loaded l;
  std::vector<text_patch> patches;
  std::size_t n = 0;

  explicit refusal(const char* name, const char* text) : l(bundled(name)) {
    for (const auto& t : l.cubin.value.texts) {
      if (t.name == text) {
        patches.push_back(identity_patch(t));
        n = t.code.instructions.size();
      }
    }
    REQUIRE(patches.size() == 1);
  }
  text_patch& patch() { return patches[0]; }
  void swap(std::size_t a, std::size_t b) {
    std::swap(patch().old_index[a], patch().old_index[b]);
    std::swap(patch().control[a], patch().control[b]);
  }
  std::string error(ww::sass::patch_options o = {}) const { return patch_cubin(l.data, patches, o).error.text(); }
  void refused(const char* a, const char* b) const {
    const auto r = patch_cubin(l.data, patches);
    INFO(r.error.text());
    CHECK(r.error);
    CHECK(r.bytes.empty());
    CHECK(r.remaps.empty());
    CHECK(r.error.text().find(a) != std::string::npos);
    CHECK(r.error.text().find(b) != std::string::npos);
  }
  const ww::program& code() const {
    for (const auto& t : l.cubin.value.texts) {
      if (t.section == patches[0].section) {
        return t.code;
      }
    }
    return l.cubin.value.texts[0].code;
  }
};

}  // namespace

TEST_CASE("cubin patch: the order and control words of the file itself give the same bytes") {
  for (const auto& p : all_cubins()) {
    const loaded l(read_bytes(p));
    std::vector<text_patch> patches;
    for (const auto& t : l.cubin.value.texts) {
      patches.push_back(identity_patch(t));
    }
    const auto r = patch_cubin(l.data, patches, {true});
    INFO(p << " " << r.error.text());
    CHECK(!r.error);
    CHECK((r.bytes == l.data));
    CHECK(r.remaps.empty());
    CHECK((patch_cubin(l.data, std::vector<text_patch>{}, {true}).bytes == l.data));
  }
}

TEST_CASE("cubin patch: random orders inside blocks keep sections, symbols and attributes consistent") {
  std::mt19937 rng(20260101);
  totals sum;
  std::size_t refused = 0;
  for (const auto& p : all_cubins()) {
    const loaded l(read_bytes(p));
    INFO(p);
    if (has_debug_info(l)) {
      ++refused;
      continue;
    }
    for (unsigned round = 0; round < 3; ++round) {
      const auto patches = random_patches(l, rng);
      if (l.cubin.value.mercury) {
        const auto r = patch_cubin(l.data, patches);
        CHECK(r.error);
        CHECK(r.error.text().find("merc") != std::string::npos);
      }
      check_patch(l, patches, sum, l.cubin.value.mercury);
    }
  }
  std::string kinds;
  for (const auto& [kind, count] : sum.kinds) {
    kinds += "\n  " + kind + " " + std::to_string(count);
  }
  WARN(sum.files << " patched files, " << sum.sections << " sections, " << sum.instructions << " instructions, " << sum.moved
                 << " moved, " << sum.remaps << " offsets:" << kinds << "\n  left out for debug information: " << refused);
  CHECK(sum.moved * 2 > sum.instructions);
  for (const char* k : {"EIATTR_EXIT_INSTR_OFFSETS", "EIATTR_COOP_GROUP_INSTR_OFFSETS", "EIATTR_INT_WARP_WIDE_INSTR_OFFSETS",
                        "EIATTR_INDIRECT_BRANCH_TARGETS", "EIATTR_MBARRIER_INSTR_OFFSETS", "EIATTR_UNUSED_LOAD_BYTE_OFFSET",
                        "EIATTR_SYSCALL_OFFSETS", "EIATTR_ANNOTATIONS", "EIATTR_ATOM16_EMUL_INSTR_REG_MAP", "relocation",
                        "resolved relocation", ".debug_frame frame", ".debug_line row", ".nv_debug_line_sass row"}) {
    INFO(k);
    CHECK(sum.kinds.count(k) == 1);
  }
}

TEST_CASE("cubin patch: control words alone change nothing but bits 105..125") {
  for (const auto& p : bundled_cubins()) {
    const loaded l(read_bytes(p));
    std::vector<text_patch> patches;
    for (const auto& t : l.cubin.value.texts) {
      patches.push_back(identity_patch(t));
      for (auto& c : patches.back().control) {
        c = 0x7ef;  // stall 15, yield, no counters
      }
    }
    const auto r = patch_cubin(l.data, patches, {true});
    INFO(p << " " << r.error.text());
    REQUIRE(!r.error);
    REQUIRE(r.bytes.size() == l.data.size());
    std::size_t bad = 0;
    std::vector<std::uint8_t> in_text(l.data.size(), 0);
    for (const auto& t : l.cubin.value.texts) {
      const auto& s = l.elf.file.sections[t.section];
      for (std::uint64_t a = 0; a < s.size; a += 16) {
        for (unsigned k = 0; k < 16; ++k) {
          in_text[s.offset + a + k] = 1;
        }
        bad += get<std::uint64_t>(l.data, s.offset + a) == get<std::uint64_t>(r.bytes, s.offset + a) ? 0u : 1u;
        const auto x = get<std::uint64_t>(l.data, s.offset + a + 8);
        const auto y = get<std::uint64_t>(r.bytes, s.offset + a + 8);
        bad += y == ((x & ~control_bits) | std::uint64_t{0x7ef} << 41) ? 0u : 1u;
      }
    }
    for (std::size_t k = 0; k < l.data.size(); ++k) {
      bad += in_text[k] == 0 && l.data[k] != r.bytes[k] ? 1u : 0u;
    }
    CHECK(bad == 0);
  }
}

TEST_CASE("cubin patch: an order applied and taken back gives the same code and attributes") {
  std::mt19937 rng(3);
  const loaded l(bundled("tma_pipeline.sm90"));
  const auto patches = random_patches(l, rng);
  const auto once = patch_cubin(l.data, patches);
  REQUIRE(!once.error);
  auto back = patches;
  for (auto& p : back) {
    const text_patch q = p;
    for (std::uint32_t k = 0; k < q.old_index.size(); ++k) {
      p.old_index[q.old_index[k]] = k;
      p.control[q.old_index[k]] = q.control[k];
    }
  }
  const auto twice = patch_cubin(once.bytes, back);
  INFO(twice.error.text());
  REQUIRE(!twice.error);
  CHECK((once.bytes != l.data));
  CHECK((twice.bytes == l.data));
}

TEST_CASE("cubin patch: orders and control words that are wrong are refused") {
  refusal r("saxpy.sm90", "saxpy");
  SECTION("an instruction twice") {
    r.patch().old_index[3] = r.patch().old_index[4];
    r.refused(".text.saxpy", "each instruction once");
  }
  SECTION("an index behind the section") {
    r.patch().old_index[3] = 0xfffffff0u;
    r.refused(".text.saxpy", "each instruction once");
  }
  SECTION("too short") {
    r.patch().old_index.pop_back();
    r.patch().control.pop_back();
    r.refused(".text.saxpy", "instructions");
  }
  SECTION("control words missing") {
    r.patch().control.pop_back();
    r.refused(".text.saxpy", "instructions");
  }
  SECTION("undefined issue code 28") {
    r.patch().control[0] = 0x7fc;
    r.refused(".text.saxpy", "control word");
  }
  SECTION("counter 6") {
    r.patch().control[0] = 0x7c1;
    r.refused(".text.saxpy", "control word");
  }
  SECTION("bits above the control word") {
    r.patch().control[0] = 0x200000;
    r.refused(".text.saxpy", "control word");
  }
  SECTION("two patches of one section") {
    r.patches.push_back(r.patches[0]);
    r.refused(".text.saxpy", "one patch");
  }
  SECTION("a section that holds no code") {
    r.patch().section = 1;
    r.refused("section 1", ".text");
  }
  SECTION("a section that does not exist") {
    r.patch().section = 4000;
    r.refused("section 4000", ".text");
  }
}

TEST_CASE("cubin patch: what may not be crossed is refused by name") {
  SECTION("a branch that moves") {
    refusal r("saxpy.sm90", "saxpy");
    std::size_t branch = 0;
    for (std::size_t k = 1; k < r.n && branch == 0; ++k) {
      branch = (r.code().instructions[k].word[0] & 0xfff) == 0x947 ? k : 0;
    }
    REQUIRE(branch > 0);
    r.swap(branch, branch - 1);
    r.refused(".text.saxpy", "stay where it is");
  }
  SECTION("a branch target between the swapped instructions") {
    refusal r("scan.sm86", "scan_lookback");
    const auto& text = r.l.elf.file.sections[r.patch().section];
    const auto form = ww::sass::detail::branch_form_of(text.bytes);
    bool done = false;
    for (const auto& i : r.code().instructions) {
      std::uint64_t target = 0;
      if (!done && (i.word[0] & 0xfff) == 0x947 &&
          ww::sass::detail::direct_target(form, i.word[0], i.word[1], i.address, target) && target >= 16 &&
          target < text.size) {
        const std::size_t k = target / 16;
        if (!pinned(r.code().instructions[k]) && !pinned(r.code().instructions[k - 1])) {
          r.swap(k, k - 1);
          done = true;
        }
      }
    }
    REQUIRE(done);
    r.refused(".text.scan_lookback", "cross the target");
  }
  SECTION("the bounds of a local function") {
    refusal r("noinline_call.sm90", "call_indirect");
    // exchange the first instruction of the second local function with the one before: symbols bound both
    const std::size_t k = 0x1d0 / 16;
    auto& p = r.patch();
    // pinned words would be reported first, so make sure that both may move
    if (!pinned(r.code().instructions[k - 1]) && !pinned(r.code().instructions[k])) {
      r.swap(k, k - 1);
    } else {
      std::swap(p.old_index[k - 2], p.old_index[k]);
    }
    r.refused("", "bounds");
  }
  SECTION("the end of a symbol") {
    refusal r("saxpy.sm90", "saxpy");
    std::size_t k = 2;
    while (pinned(r.code().instructions[k]) || pinned(r.code().instructions[k - 1])) {
      ++k;
    }
    r.swap(k, k - 1);
    CHECK(!patch_cubin(r.l.data, r.patches).error);
    for (const auto& x : r.l.elf.file.symbols) {
      if (x.name == "saxpy") {
        put<std::uint64_t>(r.l.data, x.place + 16, k * 16);  // now it ends between the two
      }
    }
    r.refused("symbol saxpy", "bounds of the symbol");
  }
  SECTION("a jump table entry") {
    refusal r("jumptable.sm90", "jump_asm");
    bytes without = r.l.data;  // the same file without the record that lists the targets
    for (const auto& i : r.l.cubin.value.infos) {
      if (i.attribute == 0x34) {
        without[i.place + 1] = 0x01;
      }
    }
    const auto& table = r.l.elf.file.sections[r.l.elf.file.find(".nv.constant2.jump_asm")];
    REQUIRE(table.size == 32);
    unsigned by_record = 0, by_table = 0;
    for (std::uint64_t e = 0; e < table.size; e += 4) {
      const std::size_t k = get<std::uint32_t>(r.l.data, table.offset + e) / 16;
      std::size_t a = k;  // the nearest instruction before the entry that may move
      while (a > 0 && pinned(r.code().instructions[a - 1])) {
        --a;
      }
      REQUIRE(a > 0);
      if (pinned(r.code().instructions[k])) {
        continue;
      }
      auto p = r.patches;
      std::swap(p[0].old_index[a - 1], p[0].old_index[k]);
      const auto x = patch_cubin(r.l.data, p), y = patch_cubin(without, p);
      INFO(x.error.text() << " / " << y.error.text());
      CHECK(x.error);
      CHECK(y.error);
      by_record += x.error.text().find("EIATTR_INDIRECT_BRANCH_TARGETS") != std::string::npos ? 1u : 0u;
      by_table += y.error.text().find(".nv.constant2.jump_asm, jump table") != std::string::npos ? 1u : 0u;
    }
    CHECK(by_record > 0);
    CHECK(by_table > 0);
  }
  SECTION("a return address of a relocatable file") {
    refusal r("noinline_call-rdc.sm90", "call_poly");
    const auto& f = r.l.elf.file;
    std::uint64_t addend = 0;
    for (const auto& x : f.relocations) {
      if (x.target == r.patch().section && f.symbols[x.symbol].section == x.target && x.addend != 0) {
        addend = static_cast<std::uint64_t>(x.addend);
      }
    }
    REQUIRE(addend >= 16);
    // turn the call in front of the return address into something that may move
    bytes b = r.l.data;
    const auto& s = f.sections[r.patch().section];
    put<std::uint64_t>(b, s.offset + addend - 16, 0x7918);
    const auto relocation_moves = [&] {
      auto p = r.patches;
      std::swap(p[0].old_index[addend / 16], p[0].old_index[addend / 16 - 1]);
      return patch_cubin(b, p);
    }();
    INFO(relocation_moves.error.text());
    CHECK(relocation_moves.error);
    CHECK(relocation_moves.error.text().find("relocated place") != std::string::npos);
  }
}

TEST_CASE("cubin patch: records that are not understood are refused, and only when something moves") {
  const auto with_attribute = [](unsigned kind, bool move) {
    refusal r("reduce_shfl.sm90", "reduce_shfl");
    bytes b = r.l.data;
    for (const auto& i : r.l.cubin.value.infos) {
      if (i.attribute == 0x1c && r.l.elf.file.sections[i.section].info == r.patch().section) {
        b[i.place + 1] = static_cast<std::uint8_t>(kind);  // the list of EXIT offsets under another name
      }
    }
    std::mt19937 rng(5);
    if (move) {
      for (const auto& t : r.l.cubin.value.texts) {
        if (t.section == r.patch().section) {
          r.patches[0] = random_patch(r.l.elf.file, r.l.cubin.value, t, rng);
        }
      }
    }
    return patch_cubin(b, r.patches);
  };
  for (const unsigned kind : {0x03u, 0x14u, 0x43u, 0x4bu, 0x4fu, 0x56u, 0x61u, 0x70u, 0xfeu, 0x2au, 0x54u}) {
    const auto r = with_attribute(kind, true);
    INFO(kind << " " << r.error.text());
    CHECK(r.error);
    CHECK(r.error.text().find(".nv.info.reduce_shfl") != std::string::npos);
    CHECK(r.error.text().find("EIATTR_") != std::string::npos);
    CHECK(!with_attribute(kind, false).error);
  }
  CHECK(!with_attribute(0x1c, true).error);
  CHECK(!with_attribute(0x27, true).error);
}

TEST_CASE("cubin patch: line tables without relocations are refused when something moves") {
  const loaded l(bundled("reduce_shfl-lineinfo.sm80"));
  const auto& file = l.elf.file;
  bytes b = l.data;
  unsigned taken = 0;
  for (std::uint32_t i = 0; i < file.sections.size(); ++i) {
    const std::string name(file.sections[i].name);
    const bool relocates = name.rfind(".rel", 0) == 0 && name.find("debug_line") != std::string::npos;
    if (!relocates) continue;
    put<std::uint32_t>(b, file.section_table + std::uint64_t{i} * 64 + 4, 1);  // as if it held something else
    ++taken;
  }
  REQUIRE(taken >= 1);
  std::mt19937 rng(3);
  const auto moved = patch_cubin(b, random_patches(l, rng));
  INFO(moved.error.text());
  CHECK(moved.error);
  CHECK(moved.error.text().find("debug_line") != std::string::npos);
  CHECK(moved.error.text().find("a relocation that says which function") != std::string::npos);
  std::vector<text_patch> still;
  for (const auto& t : l.cubin.value.texts) still.push_back(identity_patch(t));
  CHECK(!patch_cubin(b, still).error);
  CHECK(!patch_cubin(l.data, random_patches(l, rng)).error);
}

TEST_CASE("cubin patch: the line table of tile code moves like every other one") {
  const loaded l(bundled("reduce_shfl-lineinfo.sm80"));
  const auto& file = l.elf.file;
  bytes b = l.data;  // with a new table of section names at its end
  const std::uint32_t names = file.find(".shstrtab"), table = file.find(".debug_line"),
                      relocation = file.find(".rel.debug_line");
  REQUIRE((names < file.sections.size() && table < file.sections.size() && relocation < file.sections.size()));
  const auto header = [&](std::uint32_t i) { return file.section_table + std::uint64_t{i} * 64; };
  const std::size_t begin = b.size();
  const auto old = file.sections[names].bytes;
  b.insert(b.end(), old.begin(), old.end());
  for (const auto& [section, name] :
       {std::pair{table, ".nv.tileir.debug_line"}, {relocation, ".rel.nv.tileir.debug_line"}}) {
    put<std::uint32_t>(b, header(section), static_cast<std::uint32_t>(b.size() - begin));
    const std::string_view text(name);
    b.insert(b.end(), text.begin(), text.end());
    b.push_back(0);
  }
  put<std::uint64_t>(b, header(names) + 24, begin);
  put<std::uint64_t>(b, header(names) + 32, b.size() - begin);
  const loaded renamed(b);
  REQUIRE(renamed.elf.file.find(".debug_line") >= file.sections.size());
  std::mt19937 one(5), other(5);
  const auto was = patch_cubin(l.data, random_patches(l, one));
  const auto is = patch_cubin(b, random_patches(renamed, other));
  INFO(is.error.text());
  REQUIRE((!was.error && !is.error));
  const loaded moved(bytes(was.bytes.begin(), was.bytes.end()));
  const loaded moved_tiles(bytes(is.bytes.begin(), is.bytes.end()));
  const auto rows = moved.elf.file.sections[moved.elf.file.find(".debug_line")].bytes;
  const auto tile_rows = moved_tiles.elf.file.sections[moved_tiles.elf.file.find(".nv.tileir.debug_line")].bytes;
  CHECK(bytes(rows.begin(), rows.end()) == bytes(tile_rows.begin(), tile_rows.end()));
  const auto unmoved = file.sections[table].bytes;
  CHECK(bytes(rows.begin(), rows.end()) != bytes(unmoved.begin(), unmoved.end()));
}

TEST_CASE("cubin patch: the header of a line table may be relocated; the field moves with its header") {
  const loaded l(bundled("inlined-rdc-lineinfo.sm80"));
  const auto& file = l.elf.file;
  // The relocation of .debug_str stands in the header, in front of all start addresses.
  const auto strings = [](const ww::sass::elf_file& f) {
    std::vector<std::uint64_t> at;
    for (const auto& r : f.relocations) {
      if (f.sections[r.target].name == ".debug_line" && f.sections[f.symbols[r.symbol].section].name == ".debug_str")
        at.push_back(r.offset);
    }
    return at;
  };
  const auto before = strings(file);
  REQUIRE(before.size() == 1);
  std::mt19937 rng(4);
  for (unsigned round = 0; round < 10; ++round) {
    const auto r = patch_cubin(l.data, random_patches(l, rng));
    INFO(r.error.text());
    REQUIRE(!r.error);
    const loaded now(bytes(r.bytes.begin(), r.bytes.end()));
    CHECK(strings(now.elf.file) == before);  // of the only unit
  }
}

TEST_CASE("cubin patch: a recorded register follows the instruction that reads it, and is not crossed elsewhere") {
  const loaded l(bundled("reduce_shfl.sm90"));
  const auto word = [](const bytes& b, std::uint64_t at) {
    std::uint64_t v = 0;
    for (unsigned k = 8; k-- > 0;) v = v << 8 | b[at + k];
    return v;
  };
  constexpr std::uint64_t shfl = 0xf89;
  // Parameters of the kernel have records of the same size: one of them becomes INSTR_REG_MAP (0x40) of the SHFL at `at`.
  const auto record = [&](std::uint64_t& place, std::uint64_t& code, std::uint32_t& at, std::uint8_t& reads) {
    bytes b = l.data;
    for (const auto& i : l.cubin.value.infos) {
      if (i.attribute != 0x17 || i.value_size != 12) continue;
      const auto& text = l.elf.file.sections[l.elf.file.sections[i.section].info];
      code = text.offset;
      place = i.value_place;
      for (at = 0; at < text.bytes.size() && (word(b, code + at) & 0xfffu) != shfl; at += 16) {
      }
      if (at >= text.bytes.size()) continue;
      reads = b[code + at + 3];
      b[i.place + 1] = 0x40;
      put<std::uint32_t>(b, place, at);
      put<std::uint32_t>(b, place + 4, std::uint32_t{reads} << 16 | 0x201u);
      put<std::uint32_t>(b, place + 8, 0xffffffffu);
      break;
    }
    return b;
  };
  std::uint64_t place = 0;
  std::uint64_t code = 0;
  std::uint32_t at = 0;
  std::uint8_t reads = 0;
  bytes b = record(place, code, at, reads);
  REQUIRE(place != 0);
  std::mt19937 rng(11);
  unsigned moved = 0;
  for (unsigned round = 0; round < 20; ++round) {
    const auto r = patch_cubin(b, random_patches(l, rng));
    INFO(r.error.text());
    REQUIRE(!r.error);
    const auto now = static_cast<std::uint32_t>(word(r.bytes, place) & 0xffffffffu);
    CHECK(word(b, code + at) == word(r.bytes, code + now));
    CHECK(word(b, place + 4) == word(r.bytes, place + 4));
    moved += now != at ? 1u : 0u;
  }
  CHECK(moved > 0);
  // a register that the instruction does not read: nobody says who has written it
  put<std::uint32_t>(b, place + 4, 0xc80201u);
  unsigned refused = 0;
  for (unsigned round = 0; round < 20; ++round) {
    const auto r = patch_cubin(b, random_patches(l, rng));
    if (!r.error) continue;
    ++refused;
    CHECK(r.error.text().find("EIATTR_INSTR_REG_MAP") != std::string::npos);
    CHECK(r.error.text().find("no instruction to cross") != std::string::npos);
  }
  CHECK(refused > 0);
  std::vector<text_patch> same;
  for (const auto& t : l.cubin.value.texts) same.push_back(identity_patch(t));
  CHECK(!patch_cubin(b, same).error);

  // who orders the code is told of the place, and pins what stands there
  const auto places = [&](const bytes& of) {
    std::vector<std::uint32_t> found;
    const ww::sass::elf_result elf = ww::sass::read_elf(ww::sass::byte_span(of.data(), of.size()));
    const ww::sass::cubin_result read = ww::sass::read_cubin(elf.file);
    REQUIRE(!read.error);
    for (const auto& t : read.value.texts) {
      if (elf.file.sections[t.section].offset == code) ww::sass::find_fixed_places(elf.file, read.value, t.section, found);
    }
    return found;
  };
  CHECK(places(b) == std::vector<std::uint32_t>{at});
  put<std::uint32_t>(b, place + 4, std::uint32_t{reads} << 16 | 0x201u);
  CHECK(places(b).empty());
  put<std::uint32_t>(b, place, 0x00fffff0u);  // behind the code
  CHECK(places(b) == std::vector<std::uint32_t>{0x00fffff0u});
  ww::program p = ww_test::program_of<ww::sm90>("MUFU.RCP R4, R5\nIADD3 R6, R4, R8, RZ\nIADD3 R9, R10, R11, RZ\nEXIT\n");
  ww::program pinned = p;
  ww::sass::pin_places(pinned, {0x10, 0x00fffff0u});
  ww::scheduler<ww::sm90>{}.run(p, {.warps = 1});
  ww::scheduler<ww::sm90>{}.run(pinned, {.warps = 1});
  CHECK(p.order[1] == ww::instr_id{2});
  for (std::uint32_t k = 0; k < 4; ++k) CHECK(pinned.order[k] == ww::instr_id{k});
}

TEST_CASE("cubin patch: annotations with texts follow their instructions, texts stay, and nothing is read behind a record") {
  const loaded l(bundled("scan.sm86"));
  const auto offset_of = [](std::uint64_t at) { return static_cast<std::uint32_t>(at); };
  // A list of offsets of SHFL becomes ANNOTATIONS (0x55).
  const ww::sass::info_record* found = nullptr;
  for (const auto& i : l.cubin.value.infos) {
    if (i.attribute == 0x28 && i.value_size == 52) found = &i;
  }
  REQUIRE(found != nullptr);
  const auto& text = l.elf.file.sections[l.elf.file.sections[found->section].info];
  const auto first = get<std::uint32_t>(l.data, found->value_place);  // two SHFL
  const auto second = get<std::uint32_t>(l.data, found->value_place + 4);
  bytes b = l.data;
  b[found->place + 1] = 0x55;
  std::uint64_t at = found->value_place;
  const auto add = [&](std::uint32_t word) {
    put<std::uint32_t>(b, at, word);
    at += 4;
  };
  add(2), add(first), add(5), add(0x65726f6d), add(0);  // "more"
  add(3), add(8), add(0x01010101), add(0x00010101);
  const std::uint64_t spill = at;
  add(1), add(second);
  // what is left is one text
  const auto left = static_cast<std::uint32_t>(found->value_place + found->value_size - at);
  const std::uint64_t last = at;
  if (left != 0) {
    REQUIRE(left >= 8);
    add(3), add(left - 8);
  }
  std::mt19937 rng(7);
  unsigned moved = 0;
  for (unsigned round = 0; round < 20; ++round) {
    const auto r = patch_cubin(b, random_patches(l, rng));
    INFO(r.error.text());
    REQUIRE(!r.error);
    for (std::uint64_t k = found->value_place; k < found->value_place + found->value_size; k += 4) {
      const auto old = get<std::uint32_t>(b, k);
      const auto now = get<std::uint32_t>(r.bytes, k);
      if (k == found->value_place + 4 || k == spill + 4) {
        CHECK(get<std::uint64_t>(b, text.offset + old) == get<std::uint64_t>(r.bytes, text.offset + now));
        moved += old != now ? 1u : 0u;
      } else {
        CHECK(old == now);
      }
    }
  }
  CHECK(moved > 0);
  const auto refused = [&](std::uint64_t place, std::uint32_t word) {
    bytes c = b;
    put<std::uint32_t>(c, place, word);
    return patch_cubin(c, random_patches(l, rng)).error.text().find("EIATTR_ANNOTATIONS") != std::string::npos;
  };
  CHECK(refused(found->value_place, 0));  // no such kind
  CHECK(refused(found->value_place, 4));
  CHECK(refused(found->value_place + 4, offset_of(text.bytes.size())));  // behind the code
  CHECK(refused(found->value_place + 4, 8));                             // no instruction
  CHECK(refused(found->value_place + 8, 0xffffffffu));                   // texts that are longer than the record
  CHECK(refused(found->value_place + 8, static_cast<std::uint32_t>(found->value_size)));
  CHECK(refused(spill, 3));
  if (left != 0) CHECK(refused(last + 4, left - 7));
}

TEST_CASE("cubin patch: sections that are not understood are refused, and only when something moves") {
  std::mt19937 rng(6);
  const loaded debug(bundled("transpose-debug.sm90"));
  auto r = patch_cubin(debug.data, random_patches(debug, rng));
  INFO(r.error.text());
  CHECK(r.error);
  CHECK((r.error.where.find("debug_") != std::string::npos));
  std::vector<text_patch> same;
  for (const auto& t : debug.cubin.value.texts) {
    same.push_back(identity_patch(t));
  }
  CHECK(!patch_cubin(debug.data, same).error);

  const loaded l(bundled("saxpy.sm90"));
  bytes b = l.data;  // .nv.callgraph under a name that nobody knows
  const auto& names = l.elf.file.sections[1];
  const std::string text(reinterpret_cast<const char*>(names.bytes.data()), names.bytes.size());
  const auto at = text.find(".nv.callgraph");
  REQUIRE(at != std::string::npos);
  b[names.offset + at + 4] = 'X';
  r = patch_cubin(b, random_patches(l, rng));
  CHECK(r.error);
  CHECK(r.error.text().find(".nv.Xallgraph") != std::string::npos);
}

TEST_CASE("cubin patch: an internal form of the code beside the code is refused unless asked for") {
  const loaded l(bundled("saxpy.sm100"));
  std::mt19937 rng(8);
  const auto patches = random_patches(l, rng);
  const auto r = patch_cubin(l.data, patches);
  CHECK(r.error);
  CHECK(r.error.where.find(".nv.capmerc.text.") == 0);
  CHECK(!patch_cubin(l.data, patches, {true}).error);
}

TEST_CASE("cubin patch: an attribute offset outside the code is refused") {
  refusal r("reduce_shfl.sm90", "reduce_shfl");
  bytes b = r.l.data;
  std::mt19937 rng(5);
  std::uint64_t place = 0;
  for (const auto& i : r.l.cubin.value.infos) {
    if (i.attribute == 0x1c && r.l.elf.file.sections[i.section].info == r.patch().section) {
      place = i.value_place;
    }
  }
  for (const auto& t : r.l.cubin.value.texts) {
    if (t.section == r.patch().section) {
      r.patches[0] = random_patch(r.l.elf.file, r.l.cubin.value, t, rng);
    }
  }
  for (const std::uint32_t wild : {0xffffffffu, 0x8u, 0x100000u}) {
    put<std::uint32_t>(b, place, wild);
    const auto p = patch_cubin(b, r.patches);
    INFO(p.error.text());
    CHECK(p.error);
    CHECK(p.error.text().find("EIATTR_EXIT_INSTR_OFFSETS") != std::string::npos);
    CHECK(p.error.offset == place);
  }
}
