// SPDX-License-Identifier: BSL-1.0
//
// Cubins with more code than they had: growth of a section, instructions put in, and the frame that they ask for.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "../support/corpus.hpp"
#include "cubin_support.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/isa/spill_words.hpp"
#include "warpwright/sass/cubin.hpp"
#include "warpwright/sass/cubin_growth.hpp"
#include "warpwright/sass/frame_rule.hpp"
#include "warpwright/sass/frame_size.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/spilled_patch.hpp"

using namespace ww;
using ww_test::bytes;

namespace {

sass::byte_span view(const bytes& b) { return {b.data(), b.size()}; }

std::uint32_t value_of(const sass::elf_file& f, const sass::cubin& c, std::uint8_t attribute, std::uint32_t section) {
  for (const sass::info_record& r : c.infos) {
    if (r.attribute != attribute || r.value_size != 8) continue;
    const auto symbol = sass::detail::load_le<std::uint32_t>(f.bytes, r.value_place);
    if (f.symbols[symbol].section == section) return sass::detail::load_le<std::uint32_t>(f.bytes, r.value_place + 4);
  }
  return 0xffffffffu;
}

// Do all sections but one hold what they held, in the same order, each aligned as it was?
void check_kept(const bytes& before, const bytes& after, std::uint32_t grown, std::uint64_t more) {
  const sass::elf_result a = sass::read_elf(view(before));
  const sass::elf_result b = sass::read_elf(view(after));
  REQUIRE_FALSE(a.error);
  REQUIRE_FALSE(b.error);
  REQUIRE(after.size() == before.size() + more);
  REQUIRE(a.file.sections.size() == b.file.sections.size());
  for (std::uint32_t i = 1; i < a.file.sections.size(); ++i) {
    const sass::elf_section& x = a.file.sections[i];
    const sass::elf_section& y = b.file.sections[i];
    INFO(std::string(x.name));
    CHECK(x.name == y.name);
    CHECK(y.size == x.size + (i == grown ? more : 0));
    if (!x.bytes.empty() && x.align != 0) CHECK(y.offset % x.align == x.offset % x.align);
    const bool numbers = x.name == ".symtab" || x.name == ".debug_frame";
    if (!numbers) CHECK(std::equal(x.bytes.begin(), x.bytes.end(), y.bytes.begin()));
  }
  REQUIRE(a.file.symbols.size() == b.file.symbols.size());
  for (std::size_t k = 0; k < a.file.symbols.size(); ++k) {
    const sass::elf_symbol& x = a.file.symbols[k];
    const bool last = x.section == grown && x.type() == 2 && x.size != 0 && x.value + x.size == a.file.sections[grown].size;
    CHECK(b.file.symbols[k].size == x.size + (last ? more : 0));
    CHECK(b.file.symbols[k].value == a.file.symbols[k].value);
  }
  REQUIRE(a.file.segments.size() == b.file.segments.size());
  for (std::size_t k = 0; k < a.file.segments.size(); ++k) {  // what a segment held it holds
    const sass::elf_segment& x = a.file.segments[k];
    const sass::elf_segment& y = b.file.segments[k];
    for (std::uint32_t i = 1; i < a.file.sections.size(); ++i) {
      const sass::elf_section& s = a.file.sections[i];
      if (s.bytes.empty()) continue;
      const bool held = s.offset >= x.offset && s.offset + s.bytes.size() <= x.offset + x.file_size;
      const sass::elf_section& t = b.file.sections[i];
      CHECK((t.offset >= y.offset && t.offset + t.bytes.size() <= y.offset + y.file_size) == held);
    }
    if (x.type == 6) CHECK((y.offset == b.file.segment_table && y.file_size == x.file_size));
  }
}

}  // namespace

TEST_CASE("FPA-8 spilled cubin: a section of code grows by whole lines of NOPs, and all else stays what it was") {
  unsigned grown = 0, refused = 0, functions = 0;
  for (const auto& path : ww_test::bundled_cubins()) {
    const bytes before = ww_test::read_bytes(path);
    const sass::elf_result e = sass::read_elf(view(before));
    const sass::cubin_result c = sass::read_cubin(e.file);
    if (c.error) continue;
    for (const sass::cubin_text& t : c.value.texts) {
      const auto n = static_cast<std::uint32_t>(t.code.instructions.size());
      INFO(path << " " << t.name);
      bytes after = before;
      CHECK_FALSE(sass::grow_code(after, t.section, n));
      CHECK(after == before);  // there is room
      const sass::elf_error bad = sass::grow_code(after, t.section, n + 9);
      if (bad) {
        ++refused;
        CHECK(after == before);
        continue;
      }
      ++grown;
      const std::uint64_t more = after.size() - before.size();
      CHECK(more == 256);
      check_kept(before, after, t.section, more);
      const sass::elf_result f = sass::read_elf(view(after));
      const auto code = f.file.sections[t.section].bytes;
      for (std::uint64_t at = code.size() - more; at < code.size(); at += 16) {
        CHECK(sass::detail::load_le<std::uint64_t>(code, at) == 0x7918);
      }
      const std::uint32_t frames = f.file.find(".debug_frame");  // the function is as long as its section
      if (frames != sass::elf_file::none) {
        const auto s = f.file.sections[frames].bytes;
        bool told = false;
        std::uint64_t last = 0;  // where the last function of the section begins
        for (const sass::elf_symbol& x : f.file.symbols) {
          if (x.section == t.section && x.type() == 2) last = std::max(last, x.value);
        }
        functions += last != 0 ? 1u : 0u;
        for (std::uint64_t at = 0; at + 8 <= s.size(); at += 4) {
          told = told || sass::detail::load_le<std::uint64_t>(s, at) == code.size() - last;
        }
        CHECK(told);
      }
    }
  }
  CHECK(grown > 15);
  CHECK(functions > 2);
  CHECK(refused > 5);
}

TEST_CASE("FPA-8 spilled cubin: the frame is told twice, and nothing is written that differs from the code") {
  const bytes before = ww_test::bundled("saxpy.sm80");
  const sass::elf_result e = sass::read_elf(view(before));
  const sass::cubin_result c = sass::read_cubin(e.file);
  REQUIRE_FALSE(c.error);
  const std::uint32_t text = c.value.texts[0].section;
  const auto set = [](bytes& b, sass::frame_request q) {
    return sass::set_frame_sizes({b.data(), b.size()}, span<const sass::frame_request>(&q, 1));
  };
  bytes after = before;
  REQUIRE_FALSE(set(after, {text, 0, 0x48}));
  const sass::elf_result f = sass::read_elf(view(after));
  const sass::cubin_result d = sass::read_cubin(f.file);
  CHECK(value_of(f.file, d.value, 0x11, text) == 0x48);
  CHECK(value_of(f.file, d.value, 0x12, text) == 0x48);
  std::size_t others = 0;
  for (std::size_t k = 0; k < before.size(); ++k) others += before[k] != after[k] ? 1u : 0u;
  CHECK(others == 2);
  for (const sass::frame_request q :
       {sass::frame_request{text, 8, 16}, sass::frame_request{1, 0, 16}, sass::frame_request{999, 0, 16}}) {
    bytes same = before;
    CHECK(set(same, q));
    CHECK(same == before);
  }
  bytes calls = ww_test::bundled("noinline_call.sm80");  // several functions in one section
  const bytes kept = calls;
  const sass::elf_result g = sass::read_elf(view(kept));
  const sass::cubin_result h = sass::read_cubin(g.file);
  unsigned refused = 0;
  for (const sass::cubin_text& t : h.value.texts) refused += set(calls, {t.section, 0, 16}) ? 1u : 0u;
  CHECK(refused > 0);
}

TEST_CASE("FPA-8 spilled cubin: the call-frame rule of a kernel says what its code does, and is changed with it") {
  const auto program_of = [](std::initializer_list<std::vector<std::uint8_t>> parts) {
    std::vector<std::uint8_t> out;
    for (const auto& p : parts) out.insert(out.end(), p.begin(), p.end());
    return out;
  };
  const auto advance = [](std::uint8_t by) { return std::vector<std::uint8_t>{0x04, by, 0, 0, 0}; };
  const auto rule = [](std::initializer_list<std::uint8_t> number) {
    std::vector<std::uint8_t> out{0x0c, 0x81, 0x80, 0x80, 0x28};
    out.insert(out.end(), number.begin(), number.end());
    return out;
  };
  const std::vector<std::uint8_t> fill(4, 0);
  const auto now = [](const std::vector<std::uint8_t>& old, sass::frame_request q) {
    return sass::detail::new_frame_program({old.data(), old.size()}, q, 4);
  };
  // A frame of 0x68 bytes, moved by the instruction at 0x20, becomes one of 0x98: a byte more.
  const auto old = program_of({advance(4), advance(8), rule({0x68}), advance(100), fill});
  CHECK(now(old, {1, 0x68, 0x98, 0x20}) ==
        program_of({advance(12), rule({0x98, 1}), advance(100), fill, std::vector<std::uint8_t>(4, 0)}));
  CHECK(now(old, {1, 0x60, 0x98, 0x20}).empty());  // not what it says
  CHECK(now(old, {1, 0x68, 0x98, 0x30}).empty());  // not where it is said
  CHECK(now(program_of({rule({0x68}), advance(100)}), {1, 0x68, 0x98, 0x20}).empty());
  const auto tight = program_of({advance(12), rule({0x68}), advance(100)});
  CHECK(now(tight, {1, 0x68, 0x78, 0x20}) == program_of({advance(12), rule({0x78}), advance(100)}));
  CHECK(now(tight, {1, 0x68, 0x98, 0x20}).empty());  // no room
  CHECK(now(program_of({advance(12), rule({0x68}), rule({0x68}), fill}), {1, 0x68, 0x98, 0x20}).empty());
  CHECK(now(program_of({advance(12), {0x0a}, rule({0x68}), fill}), {1, 0x68, 0x98, 0x20}).empty());  // remember_state
  CHECK(
      now(program_of({advance(12), {0x0c, 0x82, 0x80, 0x80, 0x28, 0x68}, fill}), {1, 0x68, 0x98, 0x20}).empty());  // not R1
  // No frame, wherever that was said: it is behind the new instruction at 0x10 that there is one.
  CHECK(now(program_of({advance(4), advance(90), rule({0}), advance(6), fill}), {1, 0, 0x18, 0x10}) ==
        program_of({advance(8), rule({0x18}), advance(92), fill, std::vector<std::uint8_t>(5, 0)}));
  CHECK(now({}, {1, 0, 0x18, 0x10}).empty());

  unsigned kernels = 0, changed = 0;
  auto paths = ww_test::bundled_cubins();
  for (const auto& path : ww_test::corpus_cubins()) paths.push_back(path);
  for (const auto& path : paths) {
    bytes b = ww_test::read_bytes(path);
    const bytes before = b;
    const sass::elf_result e = sass::read_elf(view(before));
    const sass::cubin_result c = sass::read_cubin(e.file);
    if (c.error || e.file.find(".debug_frame") == sass::elf_file::none) continue;
    for (const sass::cubin_text& t : c.value.texts) {
      std::uint32_t step = 0, has = 0;
      for (std::uint32_t k = 0; k < t.code.instructions.size() && has == 0; ++k) {
        has = isa::stack_step(t.code.instructions[k].word);
        step = 16 * k;
      }
      if (has == 0) step = 0;
      const sass::frame_request q{t.section, has, has + 16, step};
      std::uint64_t places[2];
      if (sass::detail::find_frame_records(e.file, c.value, q, places)) continue;
      ++kernels;
      std::uint32_t one = 0;
      CHECK_FALSE(sass::set_frame_rules({b.data(), b.size()}, span<const sass::frame_request>(&q, 1), one));
      CHECK(one <= 1);
      changed += one;
      if (one == 0) continue;
      std::uint32_t back = 0;
      const sass::frame_request undo{t.section, has + 16, has, step};
      CHECK_FALSE(sass::set_frame_rules({b.data(), b.size()}, span<const sass::frame_request>(&undo, 1), back));
      CHECK(back == 1);
      const sass::elf_result f = sass::read_elf(view(b));
      CHECK_FALSE(f.error);
      for (std::uint32_t i = 1; i < e.file.sections.size(); ++i) {
        const auto x = e.file.sections[i].bytes, y = f.file.sections[i].bytes;
        if (e.file.sections[i].name != ".debug_frame") CHECK(std::equal(x.begin(), x.end(), y.begin(), y.end()));
      }
    }
  }
  WARN(changed << " call-frame rules of " << kernels << " kernels are understood");
  CHECK(changed * 10 > kernels * 9);
}

TEST_CASE("FPA-8 spilled cubin: instructions put in find a place, with what the file says of the others") {
  const std::string name = GENERATE(std::string("saxpy.sm80"), std::string("scan.sm86"));  // the second has functions
  const std::string path = ww_test::corpus::bundled("listings/" + name + ".sass");
  const std::string text = ww_test::corpus::text(path);
  sass::listing_result l = sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
  REQUIRE(l);
  const bytes before = ww_test::bundled(name);
  const sass::elf_result e = sass::read_elf(view(before));
  const sass::cubin_result c = sass::read_cubin(e.file);
  std::size_t functions = 0;
  for (std::size_t s = 0; s < l.mod.sections.size(); ++s) {
    program& p = l.mod.sections[s];
    REQUIRE(build_cfg(p).ok);
    const auto text_of = std::find_if(c.value.texts.begin(), c.value.texts.end(),
                                      [&](const sass::cubin_text& t) { return t.name == l.mod.name_of(l.mod.infos[s]); });
    REQUIRE(text_of != c.value.texts.end());
    for (const std::uint32_t inserted : {1u, 3u, 40u}) {
      program q = p;  // NOPs of another kind in front of everything: a word that is found again
      std::vector<instr_id> came(q.instructions.size());
      for (std::uint32_t k = 0; k < came.size(); ++k) came[k] = instr_id{k};
      vec<instr_id> order;
      for (std::uint32_t k = 0; k < inserted; ++k) {
        instruction i = p.instructions[0];
        i.word[0] = 0x0000000000007918 | std::uint64_t{k + 1} << 40;
        i.word[1] = 0;
        i.flags = 0;
        order.push_back(instr_id{static_cast<std::uint32_t>(q.instructions.size())});
        q.instructions.push_back(i);
        came.push_back(instr_id{});
      }
      for (const instr_id id : p.order) order.push_back(id);
      q.order = order;
      for (function& one : q.functions) one.entry = one.entry == instr_id{0} ? order[0] : one.entry;
      for (instr_id& one : q.leaders) one = one == instr_id{0} ? order[0] : one;
      for (instruction& one : q.instructions) one.target = one.target == instr_id{0} ? order[0] : one.target;
      REQUIRE(build_cfg(q).ok);
      bytes after = before;
      sass::text_patch patch;
      const sass::elf_error bad =
          sass::make_spilled_patch(after, text_of->section, p, q, span<const instr_id>(came.data(), came.size()), patch);
      INFO(bad.text());
      REQUIRE_FALSE(bad);
      const sass::patch_result done = sass::patch_cubin(view(after), span<const sass::text_patch>(&patch, 1));
      INFO(done.error.text());
      REQUIRE_FALSE(done.error);
      const sass::elf_result f = sass::read_elf(view(done.bytes));
      const auto code = f.file.sections[text_of->section].bytes;
      for (std::uint32_t k = 0; k < inserted; ++k) {
        CHECK(sass::detail::load_le<std::uint64_t>(code, 16 * k) >> 40 == k + 1);
      }
      const sass::cubin_result d = sass::read_cubin(f.file);
      REQUIRE_FALSE(d.error);
      std::vector<std::uint64_t> ends;
      std::vector<std::uint64_t> bounds = {code.size()};  // symbols and frame entries begin where their functions do
      for (std::size_t k = 0; k < e.file.symbols.size(); ++k) {
        const sass::elf_symbol& was = e.file.symbols[k];
        const sass::elf_symbol& is = f.file.symbols[k];
        if (was.section != text_of->section || was.type() != 2) continue;
        std::uint64_t first = 0;
        for (const block& b : q.blocks) {
          const instr_id id{static_cast<std::uint32_t>(was.value / 16)};
          if (was.value != 0 && q.order[b.first] == id) first = 16 * std::uint64_t{b.first};
        }
        CHECK(is.value == first);
        ends.push_back(is.value + is.size);
        bounds.push_back(is.value);
      }
      functions += bounds.size();
      for (const std::uint64_t end : ends) CHECK(std::count(bounds.begin(), bounds.end(), end) > 0);
      const std::uint32_t frames = f.file.find(".debug_frame");
      const sass::detail::relocation_index index(f.file);
      const sass::detail::field_relocations fields(f.file, index.of(frames));
      const auto table = f.file.sections[frames].bytes;
      unsigned entries = 0;
      for (std::uint64_t at = 0; at + 16 <= table.size(); at += 4) {
        const sass::detail::code_place place = fields.at(at, sass::detail::load_le<std::uint64_t>(table, at));
        const std::uint64_t range = sass::detail::load_le<std::uint64_t>(table, at + 8);
        if (!place.known || place.section != text_of->section || range == 0 || range > code.size()) continue;
        ++entries;
        CHECK(std::count(bounds.begin(), bounds.end(), place.offset) > 0);
        CHECK(std::count(bounds.begin(), bounds.end(), place.offset + range) > 0);
      }
      CHECK(entries == bounds.size() - 1);
      unsigned exits = 0;  // EXIT_INSTR_OFFSETS leads to EXIT
      for (const sass::info_record& r : d.value.infos) {
        if (r.attribute != 0x1c || f.file.sections[r.section].info != text_of->section) continue;
        for (std::uint32_t k = 0; k < r.value_size; k += 4) {
          const auto at = sass::detail::load_le<std::uint32_t>(f.file.bytes, r.value_place + k);
          CHECK((sass::detail::load_le<std::uint64_t>(code, at) & 0xfff) == 0x94d);
          ++exits;
        }
      }
      CHECK(exits > 0);
    }
    bytes same = before;
    sass::text_patch patch;
    program other = p;
    other.instructions[1].word[0] ^= std::uint64_t{1} << 40;  // not the code of the cubin
    std::vector<instr_id> came(p.instructions.size());
    for (std::uint32_t k = 0; k < came.size(); ++k) came[k] = instr_id{k};
    CHECK(sass::make_spilled_patch(same, text_of->section, other, p, span<const instr_id>(came.data(), came.size()), patch));
    came[1] = came[0];  // twice
    CHECK(sass::make_spilled_patch(same, text_of->section, p, p, span<const instr_id>(came.data(), came.size()), patch));
    CHECK(same == before);
  }
  CHECK(functions > (name == "scan.sm86" ? 3u * 3u * l.mod.sections.size() : 0u));
}

TEST_CASE("FPA-8 spilled cubin: a place between instructions stays where nothing crosses it, or goes with its block") {
  constexpr std::uint32_t none = 0xffffffffu;
  sass::section_move m;
  const std::vector<std::uint32_t> order = {0, 1, 5, 2, 3, 4};  // what stood at the end is put in as the third
  REQUIRE(m.assign(1, span<const std::uint32_t>(order.data(), order.size())));
  std::uint64_t now = 1;
  CHECK((m.place(0x20, now) && now == 0x20));  // nothing in front of it has moved
  CHECK_FALSE(m.place(0x40, now));             // nobody has said where it is
  const auto set = [&m](const std::vector<std::uint32_t>& places) {
    return m.set_places(span<const std::uint32_t>(places.data(), places.size()));
  };
  CHECK_FALSE(set({0, none, 4, 3}));  // blocks have changed places
  CHECK_FALSE(set({0, 3, 3}));
  CHECK_FALSE(set({0, 7}));
  REQUIRE(set({0, none, none, none, 5, none}));
  CHECK((m.place(0x40, now) && now == 0x50));
  CHECK_FALSE(m.place(0x30, now));  // no block starts there
  CHECK_FALSE(m.place(0x48, now));
  CHECK((m.place(0x60, now) && now == 0x60));  // the end
  CHECK_FALSE(m.place(0x70, now));

  program was, is;  // an instruction that has left its block
  was.instructions.resize(3);
  is.instructions.resize(3);
  was.order = {instr_id{0}, instr_id{1}, instr_id{2}};
  is.order = was.order;
  was.blocks.resize(2);
  was.blocks[0].count = 2;
  was.blocks[1].first = 2;
  was.blocks[1].count = 1;
  is.blocks = was.blocks;
  const std::vector<instr_id> came = {instr_id{0}, instr_id{1}, instr_id{2}}, left = {instr_id{0}, instr_id{2}, instr_id{1}};
  std::vector<std::uint32_t> places;
  CHECK(sass::detail::block_places(was, is, span<const instr_id>(came.data(), came.size()), 3, places));
  CHECK(places == std::vector<std::uint32_t>{0, none, 2});
  CHECK_FALSE(sass::detail::block_places(was, is, span<const instr_id>(left.data(), left.size()), 3, places));
}
