// SPDX-License-Identifier: BSL-1.0
//
// .debug_frame after a patch: the rules behind an instruction are still the rules behind that instruction.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cubin/cubin_support.hpp"
#include "support/corpus.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/spilled_patch.hpp"

using namespace ww_test;

namespace {

struct rule_group {
  std::uint64_t offset = 0;  // in the code section
  std::string rules;         // their bytes
};

std::uint64_t uleb(const bytes& b, std::uint64_t& at) {
  std::uint64_t v = 0;
  for (unsigned shift = 0;; shift += 7) {
    const std::uint8_t x = get<std::uint8_t>(b, at++);
    v |= static_cast<std::uint64_t>(x & 0x7fu) << shift;
    if ((x & 0x80u) == 0) {
      return v;
    }
  }
}

// The groups of every FDE by code section; a reader of its own, for what ptxas writes.
std::map<std::uint32_t, std::vector<rule_group>> groups_of(const loaded& l) {
  std::map<std::uint32_t, std::vector<rule_group>> out;
  const auto index = l.elf.file.find(".debug_frame");
  REQUIRE(index != ww::sass::elf_file::none);
  const auto& s = l.elf.file.sections[index];
  std::uint64_t at = s.offset;
  while (at < s.offset + s.size) {
    REQUIRE(get<std::uint32_t>(l.data, at) == 0xffffffffu);
    const std::uint64_t end = at + 12 + get<std::uint64_t>(l.data, at + 4);
    const std::uint64_t field = at + 20;
    if (get<std::uint64_t>(l.data, at + 12) != ~0ull) {
      std::uint64_t base = 0;
      std::uint32_t text = 0;
      for (const auto& r : l.elf.file.relocations) {
        if (r.target == index && r.offset == field - s.offset) {
          const auto& symbol = l.elf.file.symbols[r.symbol];
          text = symbol.section;
          base = symbol.value + (r.has_addend ? static_cast<std::uint64_t>(r.addend) : get<std::uint64_t>(l.data, field));
        }
      }
      REQUIRE(text != 0);
      std::uint64_t p = field + 16, location = 0;
      bool open = false;
      while (p < end) {
        const std::uint64_t start = p;
        const std::uint8_t op = get<std::uint8_t>(l.data, p++);
        if (op == 0x04) {
          location = (location + std::uint64_t{get<std::uint32_t>(l.data, p)} * 4) & 0xffffffffu;
          p += 4;
          out[text].push_back({base + location, {}});
          open = true;
          continue;
        }
        const bool expression = op == 0x10 || op == 0x16;
        const bool one = (op >= 0x06 && op <= 0x08) || op == 0x0d || op == 0x0e;
        REQUIRE((op == 0 || one || expression || op == 0x05 || op == 0x09 || op == 0x0c || op == 0x11 || op == 0x14));
        if (op != 0) {
          const std::uint64_t first = uleb(l.data, p);
          (void)first;
          const std::uint64_t second = one ? 0 : uleb(l.data, p);
          p += expression ? second : 0;
        }
        if (op != 0 && open) {
          for (std::uint64_t k = start; k < p; ++k) {
            out[text].back().rules += static_cast<char>(l.data[k]);
          }
        }
      }
    }
    at = end;
  }
  return out;
}

}  // namespace

TEST_CASE("cubin frames: every rule follows the instruction behind which it begins") {
  std::mt19937 rng(11);
  std::size_t rules = 0, moved = 0;
  auto files = bundled_cubins();
  for (const auto& p : corpus_cubins()) {
    files.push_back(p);
  }
  for (const auto& path : files) {
    const loaded old(read_bytes(path));
    if (old.cubin.value.mercury || old.elf.file.find(".debug_info") != ww::sass::elf_file::none) {
      continue;
    }
    std::vector<ww::sass::text_patch> patches;
    for (const auto& t : old.cubin.value.texts) {
      patches.push_back(random_patch(old.elf.file, old.cubin.value, t, rng));
    }
    auto r = ww::sass::patch_cubin(old.data, patches);
    INFO(path << " " << r.error.text());
    REQUIRE(!r.error);
    const loaded now(std::move(r.bytes));
    auto before = groups_of(old), after = groups_of(now);
    for (const auto& p : patches) {
      ww::sass::section_move move;
      REQUIRE(move.assign(p.section, p.old_index));
      std::multimap<std::string, std::uint64_t> want, got;
      for (const auto& g : before[p.section]) {
        if (!g.rules.empty()) {
          const bool stays = move.closed(g.offset);
          const std::uint64_t to = stays ? g.offset : move.follow(g.offset - 16) + 16;
          want.emplace(g.rules, to);
          ++rules;
          moved += to != g.offset ? 1u : 0u;
        }
      }
      for (const auto& g : after[p.section]) {
        CHECK(g.offset <= old.elf.file.sections[p.section].size);
        if (!g.rules.empty()) {
          got.emplace(g.rules, g.offset);
        }
      }
      std::vector<std::pair<std::string, std::uint64_t>> a(want.begin(), want.end()), b(got.begin(), got.end());
      std::sort(a.begin(), a.end());
      std::sort(b.begin(), b.end());
      CHECK((a == b));
    }
  }
  WARN(rules << " rules, " << moved << " moved");
  CHECK(moved > 20);
}

TEST_CASE("cubin frames: a rule behind an instruction that is gone begins behind the one in front of it") {
  const std::string path = ww_test::corpus::bundled("listings/noinline_call.sm80.sass");
  const std::string text = ww_test::corpus::text(path);
  ww::sass::listing_result l = ww::sass::read_listing(text, {ww_test::corpus::sm_of(path), path});
  REQUIRE(l);
  const loaded old(bundled("noinline_call.sm80"));
  const auto rules_of = [](const loaded& x, std::uint32_t section) {
    std::vector<std::pair<std::string, std::uint64_t>> out;
    auto groups = groups_of(x);
    for (const rule_group& g : groups[section]) {
      if (!g.rules.empty()) out.emplace_back(g.rules, g.offset);
    }
    std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return out;
  };
  unsigned tried = 0;
  for (std::size_t s = 0; s < l.mod.sections.size(); ++s) {
    const ww::program& p = l.mod.sections[s];
    REQUIRE(ww::build_cfg(l.mod.sections[s]).ok);
    std::uint32_t section = 0;
    for (const auto& t : old.cubin.value.texts) section = t.name == l.mod.name_of(l.mod.infos[s]) ? t.section : section;
    REQUIRE(section != 0);
    const auto before = rules_of(old, section);
    for (const auto& [rules, offset] : before) {
      const auto d = static_cast<std::uint32_t>(offset / 16 - 1);
      bool first = false;
      for (const ww::block& b : p.blocks) first = first || b.first == d;
      if (first || p.instructions[d].has(ww::iflag::ends_block)) continue;
      ww::program q = p;
      q.instructions.clear();
      q.order.clear();
      std::vector<ww::instr_id> came;
      for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
        if (k == d) continue;
        q.order.push_back(ww::instr_id{static_cast<std::uint32_t>(q.instructions.size())});
        q.instructions.push_back(p.instructions[k]);
        came.push_back(ww::instr_id{k});
      }
      for (ww::block& b : q.blocks) {
        if (b.first <= d && d < b.first + b.count) --b.count;
        if (b.first > d) --b.first;
      }
      bytes grown = old.data;
      ww::sass::text_patch patch;
      const auto bad = ww::sass::make_spilled_patch(grown, section, p, q, {came.data(), came.size()}, patch);
      INFO(bad.text());
      REQUIRE_FALSE(bad);
      const auto done = ww::sass::patch_cubin({grown.data(), grown.size()}, ww::span<const ww::sass::text_patch>(&patch, 1));
      INFO(done.error.text());
      REQUIRE_FALSE(done.error);
      ++tried;
      const auto after = rules_of(loaded(done.bytes), section);
      REQUIRE(after.size() == before.size());
      for (std::size_t k = 0; k < after.size(); ++k) {
        CHECK(after[k].first == before[k].first);
        CHECK(after[k].second == before[k].second - (before[k].second > 16 * d ? 16 : 0));
      }
    }
  }
  CHECK(tried > 2);
}

TEST_CASE("cubin frames: a rule that begins inside an instruction keeps its distance from the start of it") {
  std::mt19937 rng(12);
  std::size_t rules = 0, moved = 0, inner = 0;
  for (const auto& path : bundled_cubins()) {
    const loaded full(read_bytes(path));
    if (full.cubin.value.mercury || full.elf.file.find(".debug_info") != ww::sass::elf_file::none) continue;
    INFO(path);
    // all advances of one instruction and more begin 8 bytes earlier, as compilers of CUDA 10.2 have them
    bytes half = full.data;
    const auto& s = full.elf.file.sections[full.elf.file.find(".debug_frame")];
    for (std::uint64_t at = s.offset; at < s.offset + s.size; at += 12 + get<std::uint64_t>(half, at + 4)) {
      if (get<std::uint64_t>(half, at + 12) == ~0ull) continue;
      const std::uint64_t end = at + 12 + get<std::uint64_t>(half, at + 4);
      bool earlier = false;
      std::uint64_t location = 0;
      for (std::uint64_t p = at + 36; p < end;) {
        const std::uint8_t op = get<std::uint8_t>(half, p++);
        if (op == 0x04) {
          const auto steps = get<std::uint32_t>(half, p);
          location += std::uint64_t{steps} * 4;
          if (!earlier && location >= 16) {
            put<std::uint32_t>(half, p, steps - 2);
            earlier = true;
          }
          p += 4;
        } else if (op != 0) {
          const bool one = (op >= 0x06 && op <= 0x08) || op == 0x0d || op == 0x0e;
          (void)uleb(half, p);
          const std::uint64_t second = one ? 0 : uleb(half, p);
          p += op == 0x10 || op == 0x16 ? second : 0;
        }
      }
    }
    const loaded old(half);
    std::vector<ww::sass::text_patch> patches;
    for (const auto& t : full.cubin.value.texts) patches.push_back(random_patch(full.elf.file, full.cubin.value, t, rng));
    auto a = ww::sass::patch_cubin(full.data, patches);
    auto b = ww::sass::patch_cubin(half, patches);
    INFO(b.error.text());
    REQUIRE((!a.error && !b.error));
    const loaded whole(std::move(a.bytes)), now(std::move(b.bytes));
    auto was = groups_of(old), want = groups_of(whole), got = groups_of(now);
    for (const auto& p : patches) {
      // What holds where an instruction begins is what held there with rules between instructions.
      const auto boundaries = [](const std::vector<rule_group>& groups) {
        std::vector<std::pair<std::uint64_t, std::string>> v;
        for (const rule_group& g : groups) {
          if (!g.rules.empty()) v.emplace_back((g.offset + 15) / 16 * 16, g.rules);
        }
        return v;
      };
      CHECK((boundaries(want[p.section]) == boundaries(got[p.section])));
      std::multimap<std::string, std::uint64_t> before;
      for (const rule_group& g : was[p.section]) before.emplace(g.rules, g.offset % 16);
      std::uint64_t last = 0;
      for (const rule_group& g : got[p.section]) {
        if (g.rules.empty()) continue;
        CHECK(last <= g.offset);
        last = g.offset;
        ++rules;
        inner += g.offset % 16 == 8 ? 1u : 0u;
        const auto range = before.equal_range(g.rules);
        CHECK(std::any_of(range.first, range.second, [&g](const auto& r) { return r.second == g.offset % 16; }));
      }
      for (const rule_group& g : was[p.section]) {
        const auto same = [&g](const rule_group& x) { return x.offset == g.offset && x.rules == g.rules; };
        moved += g.rules.empty() || std::any_of(got[p.section].begin(), got[p.section].end(), same) ? 0u : 1u;
      }
    }
  }
  WARN(rules << " rules, " << inner << " inside an instruction, " << moved << " moved");
  CHECK(inner > 20);
  CHECK(moved > 5);
}

TEST_CASE("cubin frames: an entry without a relocation stays where it describes no code, and is refused where it may") {
  const bytes original = bundled("noinline_call.sm80");
  const loaded l(original);
  const auto table = l.elf.file.find(".debug_frame");
  const std::uint64_t frame = l.elf.file.sections[table].offset;
  // the relocation of the last entry, made one of the first
  bytes b = original;
  std::uint64_t field = 0;
  for (std::uint64_t at = frame; at < frame + l.elf.file.sections[table].size; at += 12 + get<std::uint64_t>(b, at + 4)) {
    if (get<std::uint64_t>(b, at + 12) != ~0ull) field = at + 20 - frame;
  }
  std::uint32_t of = 0;
  std::uint64_t other = 0;
  for (const auto& r : l.elf.file.relocations) {
    if (r.target == table && r.offset != field) other = r.place;
  }
  for (const auto& r : l.elf.file.relocations) {
    if (r.target != table || r.offset != field) continue;
    of = l.elf.file.symbols[r.symbol].section;
    for (std::uint64_t k = 0; k < 16; ++k) b[r.place + k] = original[other + k];
  }
  REQUIRE((of != 0 && other != 0));
  const std::uint64_t start = frame + field;
  REQUIRE(field != 0);
  std::mt19937 rng(13);
  std::vector<ww::sass::text_patch> patches;
  for (const auto& t : l.cubin.value.texts) patches.push_back(random_patch(l.elf.file, l.cubin.value, t, rng));
  const auto patched = [&](std::uint64_t begin, std::uint64_t size) {
    put<std::uint64_t>(b, start, begin);
    put<std::uint64_t>(b, start + 8, size);
    return ww::sass::patch_cubin(b, patches);
  };
  const std::string wanted = "a relocation that says which function the entry describes";
  CHECK(patched(0, get<std::uint64_t>(original, start + 8)).error.expected == wanted);
  CHECK(patched(0, 16).error.expected == wanted);
  CHECK(patched(16, 0).error.expected == wanted);
  const auto r = patched(0, 0);
  INFO(r.error.text());
  REQUIRE(!r.error);
  const std::uint64_t first = start - 20;
  const std::uint64_t bytes_of_entry = 12 + get<std::uint64_t>(b, first + 4);
  for (std::uint64_t k = first; k < first + bytes_of_entry; ++k) CHECK(r.bytes[k] == b[k]);
  // code that grows leaves it alone too
  const auto grown = [&](std::uint64_t size) {
    bytes c = b;
    put<std::uint64_t>(c, start + 8, size);
    const auto text = std::find_if(l.cubin.value.texts.begin(), l.cubin.value.texts.end(),
                                   [of](const auto& x) { return x.section == of; });
    return ww::sass::grow_code(c, of, static_cast<std::uint32_t>(text->code.instructions.size()) + 1).text();
  };
  CHECK(grown(0) == "no error");
  CHECK(grown(16).find("which function a frame entry describes") != std::string::npos);
  // all else is what it is with the relocation
  const auto with = ww::sass::patch_cubin(original, patches);
  REQUIRE(!with.error);
  for (const auto& s : l.elf.file.sections) {
    if (s.name.substr(0, 6) != ".text." && s.name.substr(0, 8) != ".nv.info") continue;
    for (std::uint64_t k = s.offset; k < s.offset + s.size; ++k) REQUIRE(r.bytes[k] == with.bytes[k]);
  }
}

TEST_CASE("cubin frames: a pointer that leads to no CIE is taken for one of those that there are, and keeps what it says") {
  const bytes original = bundled("linked.sm90");
  const loaded l(original);
  const auto& s = l.elf.file.sections[l.elf.file.find(".debug_frame")];
  // what stands where: CIEs, and pointers to them in all other entries
  std::vector<std::uint64_t> cies, pointers;
  for (std::uint64_t at = 0; at < s.size; at += 12 + get<std::uint64_t>(original, s.offset + at + 4)) {
    const bool shared = get<std::uint64_t>(original, s.offset + at + 12) == ~0ull;
    (shared ? cies : pointers).push_back(shared ? at : s.offset + at + 12);
  }
  REQUIRE((cies.size() == 3 && pointers.size() == 3));
  CHECK((cies[1] == 0x68 && get<std::uint64_t>(original, pointers[1]) == 0x70));  // as nvlink 13.5 left it
  std::mt19937 rng(14);
  std::vector<ww::sass::text_patch> patches;
  for (const auto& t : l.cubin.value.texts) patches.push_back(random_patch(l.elf.file, l.cubin.value, t, rng));
  bytes right = original;
  put<std::uint64_t>(right, pointers[1], cies[1]);
  const std::size_t record = l.elf.file.find(".nv.resolvedrela.debug_frame");
  REQUIRE(record != ww::sass::elf_file::none);
  const auto a = ww::sass::patch_cubin(original, patches), b = ww::sass::patch_cubin(right, patches);
  INFO(a.error.text() << " / " << b.error.text());
  REQUIRE((!a.error && !b.error));
  bytes want = b.bytes;
  put<std::uint64_t>(want, pointers[1], 0x70);
  CHECK((a.bytes == want));
  CHECK((a.bytes != original));
  // Where CIEs differ in the factor nobody knows which is meant, and a pointer that leads to one has that one's.
  const auto factor = [&](bytes from, std::size_t k, std::uint8_t value) {
    REQUIRE(from[s.offset + cies[k] + 22] == 4);
    from[s.offset + cies[k] + 22] = value;
    return ww::sass::patch_cubin(from, patches);
  };
  for (std::size_t k = 0; k < cies.size(); ++k) {
    CHECK(factor(original, k, 2).error.expected == "a CIE with a code alignment factor");
    CHECK(factor(original, k, 0).error.expected == "a CIE with a code alignment factor");
    CHECK(factor(original, k, 17).error.expected == "a CIE with a code alignment factor");
    CHECK(factor(right, k, 0).error.expected == "a CIE with a code alignment factor");
  }
  CHECK_FALSE(factor(right, 0, 16).error);  // no rule of its function moves
  // the factor of the last is 1: its function has 4-byte steps of 1 there, and only there
  bytes one = right;
  one[s.offset + cies[2] + 22] = 1;
  for (std::uint64_t p = pointers[2] + 24, end = s.offset + s.size; p + 5 <= end;) {
    if (original[p] == 0x04) {
      put<std::uint32_t>(one, p + 1, get<std::uint32_t>(original, p + 1) * 4);
      p += 5;
    } else {
      p += original[p] == 0x0c ? 7 : 1;  // def_cfa R1: register of five bytes, bytes
    }
  }
  auto c = ww::sass::patch_cubin(one, patches);
  INFO(c.error.text());
  REQUIRE(!c.error);
  std::vector<std::uint64_t> x, y;
  for (const auto& m : b.remaps) {
    if (m.kind == "frame") x.push_back(m.new_offset);
  }
  for (const auto& m : c.remaps) {
    if (m.kind == "frame") y.push_back(m.new_offset);
  }
  CHECK((!x.empty() && x == y));
}
