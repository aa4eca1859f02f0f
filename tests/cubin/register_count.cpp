// SPDX-License-Identifier: BSL-1.0
//
// How many registers a cubin asks for: against what its code names, changed and read again, and refused by name.
#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "cubin_support.hpp"
#include "support/catch.hpp"
#include "support/corpus.hpp"
#include "warpwright/isa/opcode_id.hpp"
#include "warpwright/sass/cubin_patch.hpp"
#include "warpwright/sass/cubin_register_names.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/register_count.hpp"

namespace {

using ww_test::bytes;
namespace sass = ww::sass;
namespace corpus = ww_test::corpus;

sass::byte_span bytes_of(const bytes& b) { return {b.data(), b.size()}; }

std::uint32_t section_named(const bytes& b, const std::string& name) {
  const sass::elf_result e = sass::read_elf(bytes_of(b));
  REQUIRE_FALSE(e.error);
  return e.file.find(name);
}

std::uint32_t count_in(const bytes& b, std::uint32_t section) {
  const sass::elf_result e = sass::read_elf(bytes_of(b));
  REQUIRE_FALSE(e.error);
  const sass::cubin_result c = sass::read_cubin(e.file);
  REQUIRE_FALSE(c.error);
  std::uint32_t n = 0;
  const sass::elf_error bad = sass::read_register_count(e.file, c.value, section, n);
  REQUIRE(bad.text() == "no error");
  return n;
}

sass::register_counts set_counts(bytes& b, const std::vector<sass::register_request>& r, bool keep_mercury = false) {
  return sass::set_register_counts({b.data(), b.size()}, {r.data(), r.size()}, keep_mercury);
}

// The highest general register that operands name; -1: none.
int highest_register(const ww::program& p) {
  int highest = -1;
  for (const ww::operand& o : p.operands) {
    if (o.file() == ww::reg_file::r && o.is_register())
      highest = std::max(highest, static_cast<int>(o.base().number() + o.width()) - 1);
  }
  return highest;
}

bool reconfigures(const ww::program& p) {
  return std::any_of(p.instructions.begin(), p.instructions.end(), [](const ww::instruction& i) {
    return i.op == ww::opcode::usetmaxreg || i.op == ww::opcode::setmaxreg;
  });
}

}  // namespace

TEST_CASE("register count: a cubin asks for the highest register that its code names plus three") {
  static_assert(sass::register_count_for(1) == 4);
  static_assert(sass::register_count_for(252) == sass::most_registers);
  std::vector<std::pair<std::string, std::filesystem::path>> pairs;  // listing, cubin
  std::vector<std::filesystem::path> cubins = ww_test::bundled_cubins();
  for (const std::filesystem::path& p : ww_test::corpus_cubins()) cubins.push_back(p);
  cubins.push_back(corpus::bundled("demo/sgemm_tiled.sm80.cubin"));
  std::vector<std::string> listings = corpus::listings();
  listings.push_back(corpus::bundled("demo/sgemm_tiled.sm80.sass"));
  for (const std::string& l : listings) {
    const std::string_view name = corpus::file_name(l);
    for (const std::filesystem::path& c : cubins) {
      if (name.substr(0, name.find(".sass")) == c.stem().string()) {
        pairs.emplace_back(l, c);
        break;
      }
    }
  }
  std::size_t kernels = 0;
  for (const auto& [listing, cubin] : pairs) {
    INFO(listing);
    const std::string text = corpus::text(listing);
    const sass::listing_result r = sass::read_listing(text, {.sm = corpus::sm_of(listing)});
    REQUIRE(r);
    const bytes b = ww_test::read_bytes(cubin);
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      const std::uint32_t section = section_named(b, ".text." + std::string(r.mod.name_of(r.mod.infos[s])));
      if (section == sass::elf_file::none || reconfigures(r.mod.sections[s])) continue;
      const int highest = highest_register(r.mod.sections[s]);
      REQUIRE(highest >= 0);
      CHECK(count_in(b, section) == sass::register_count_for(static_cast<std::uint32_t>(highest)));
      ++kernels;
    }
  }
  WARN(kernels << " kernels");
  CHECK(kernels >= 10);
}

TEST_CASE("register count: changed in every cubin, read again, and nothing else is another byte") {
  std::vector<std::filesystem::path> files = ww_test::bundled_cubins();
  for (const std::filesystem::path& p : ww_test::corpus_cubins()) files.push_back(p);
  std::size_t sections = 0;
  for (const std::filesystem::path& path : files) {
    INFO(path.string());
    const bytes original = ww_test::read_bytes(path);
    const sass::elf_result e = sass::read_elf(bytes_of(original));
    const sass::cubin_result c = sass::read_cubin(e.file);
    REQUIRE_FALSE(c.error);
    for (const sass::cubin_text& t : c.value.texts) {
      const std::uint32_t was = count_in(original, t.section);
      CHECK(was == t.code.register_count);
      bytes b = original;
      CHECK(set_counts(b, {{t.section, was}}).changed.empty());
      CHECK((b == original));
      if (c.value.mercury) {
        const std::string why = set_counts(b, {{t.section, was + 1}}).error.expected;
        const bool by_form = why.find("internal form") != std::string::npos;
        CHECK((by_form || why.find("MAXREG_COUNT") != std::string::npos));
        CHECK((b == original));
      }
      const sass::register_counts up = set_counts(b, {{t.section, was + 1}}, true);
      if (up.error) {  // the limit of the compiler
        CHECK(up.error.expected.find("MAXREG_COUNT") != std::string::npos);
        CHECK((b == original));
        continue;
      }
      CHECK(count_in(b, t.section) == was + 1);
      bool named = false;
      for (const sass::register_request& r : up.changed) named = named || (r.section == t.section && r.count == was + 1);
      CHECK(named);
      // one byte of .nv.info for each section, and one of its header where the count stands there too
      const bool in_header = (e.file.sections[t.section].info >> 24) != 0;
      std::size_t different = 0;
      for (std::size_t k = 0; k < b.size(); ++k) different += b[k] != original[k] ? 1u : 0u;
      CHECK(different == up.changed.size() * (in_header ? 2 : 1));
      ++sections;
      if (e.file.type == 1) continue;  // relocatable: a caller may have asked for fewer than what it calls
      std::vector<sass::register_request> back;
      for (const sass::register_request& r : up.changed) back.push_back({r.section, count_in(original, r.section)});
      CHECK(set_counts(b, back, true).changed.size() == up.changed.size());
      CHECK((b == original));
    }
  }
  CHECK(sections > 30);
}

TEST_CASE("register count: callers ask for as many as what they call, through pointers too") {
  const bytes original = ww_test::bundled("noinline_call-rdc.sm80");
  const auto after = [&](const std::string& raised, const std::string& looked_at) {
    bytes b = original;
    const sass::register_counts r = set_counts(b, {{section_named(b, raised), 40}});
    REQUIRE(r.error.text() == "no error");
    return count_in(b, section_named(b, looked_at));
  };
  REQUIRE(count_in(original, section_named(original, ".text.call_poly")) == 24);
  CHECK(after(".text._Z4polyfPKfi$9", ".text.call_poly") == 40);  // a direct call
  CHECK(after(".text._Z3ackii", ".text.call_recursive") == 40);   // of a function that calls itself
  CHECK(after(".text._Z2faff", ".text.call_indirect") == 40);     // through a pointer
  CHECK(after(".text._Z2faff", ".text.call_poly") == 24);
  CHECK(after(".text._Z2faff", ".text._Z2fbff") == 24);
  CHECK(after(".text.call_poly", ".text._Z4polyfPKfi$9") == 24);  // not the other way round
  // fewer than what it calls is as many
  bytes b = original;
  REQUIRE_FALSE(set_counts(b, {{section_named(b, ".text._Z3ackii"), 30}}).error);
  const sass::register_counts r = set_counts(b, {{section_named(b, ".text.call_recursive"), 10}});
  CHECK(r.changed.empty());
  CHECK(count_in(b, section_named(b, ".text.call_recursive")) == 30);
}

TEST_CASE("register count: pairs of the call graph behind other marks are no calls, and a section has one count") {
  bytes b = ww_test::bundled("noinline_call-rdc.sm80");
  const sass::elf_result e = sass::read_elf(bytes_of(b));
  const sass::elf_section& graph = e.file.sections[e.file.find(".nv.callgraph")];
  for (std::uint64_t at = 0; at < graph.size; at += 8) {  // what was resolved is now something else
    const std::uint64_t place = graph.offset + at + 4;
    if (ww_test::get<std::uint32_t>(b, place) == 0xfffffffcu) ww_test::put<std::uint32_t>(b, place, 0xfffffffbu);
  }
  REQUIRE_FALSE(set_counts(b, {{section_named(b, ".text._Z2faff"), 40}}).error);
  CHECK(count_in(b, section_named(b, ".text.call_indirect")) == 24);
  b = ww_test::bundled("saxpy.sm90");
  const sass::elf_result f = sass::read_elf(bytes_of(b));
  const sass::cubin_result c = sass::read_cubin(f.file);
  std::uint64_t first = 0;
  for (const sass::info_record& r : c.value.infos) {
    if (r.attribute != 0x2f) continue;
    if (first != 0) ww_test::put<std::uint32_t>(b, r.value_place, ww_test::get<std::uint32_t>(b, first));
    first = r.value_place;
  }
  const sass::register_counts r = set_counts(b, {{section_named(b, ".text.saxpy"), 40}});
  CHECK(r.error.expected.find("the same register count for all functions") != std::string::npos);
}

TEST_CASE("register count: refused by name, and the bytes stay") {
  const bytes original = ww_test::bundled("saxpy.sm80");
  bytes b = original;
  const std::uint32_t saxpy = section_named(b, ".text.saxpy");
  const auto refused = [&](const std::vector<sass::register_request>& r, const std::string& why) {
    const bytes before = b;
    const sass::register_counts out = set_counts(b, r);
    INFO(out.error.text());
    CHECK(out.error.expected.find(why) != std::string::npos);
    CHECK(out.changed.empty());
    CHECK((b == before));
  };
  refused({{saxpy, 0}}, "1 to 255 registers");
  refused({{saxpy, 256}}, "1 to 255 registers");
  refused({{0, 20}}, "a code section with a register count");
  refused({{9999, 20}}, "a code section with a register count");
  refused({{section_named(b, ".nv.info"), 20}}, "a code section with a register count");
  refused({{saxpy, 20}, {9999, 20}}, "a code section with a register count");
  // the attributes of the kernel, one of them made another one
  const sass::elf_result e = sass::read_elf(bytes_of(original));
  const sass::cubin_result c = sass::read_cubin(e.file);
  bool limited = false, reconfigured = false, doubled = false;
  for (const sass::info_record& r : c.value.infos) {
    if (e.file.sections[r.section].info == saxpy && r.attribute == 0x1b) {
      b = original;
      b[r.value_place] = 19;
      refused({{saxpy, 20}}, "at most 19 registers");
      REQUIRE_FALSE(set_counts(b, {{saxpy, 19}}).error);
      limited = true;
    }
    if (e.file.sections[r.section].info == saxpy && r.attribute == 0x19) {
      b = original;
      b[r.place + 1] = 0x54;
      refused({{saxpy, 20}}, "REG_RECONFIG");
      CHECK(set_counts(b, {{saxpy, count_in(original, saxpy)}}).error.text() == "no error");
      reconfigured = true;
    }
    if (r.attribute == 0x2f && e.file.symbols[ww_test::get<std::uint32_t>(original, r.value_place)].section == saxpy) {
      b = original;
      b[r.value_place + 4] ^= 1;
      refused({{saxpy, 20}}, "in the info field too");
      // linkers raise the record alone where code is called through pointers; that is no fault while the count stays
      CHECK(set_counts(b, {{saxpy, count_in(b, saxpy)}}).error.text() == "no error");
      doubled = true;
    }
  }
  CHECK((limited && reconfigured && doubled));
}

TEST_CASE(
    "register count: files without any record have it in the section header alone, as compilers of CUDA 10 write them") {
  const auto without_records = [](const bytes& original, std::size_t most) {
    bytes b = original;
    const sass::elf_result e = sass::read_elf(bytes_of(original));
    const sass::cubin_result c = sass::read_cubin(e.file);
    for (const sass::info_record& r : c.value.infos) {
      if (r.attribute != 0x2f || most == 0) continue;
      b[r.place + 1] = 0x12;  // MIN_STACK_SIZE: a symbol and a number too
      --most;
    }
    return b;
  };
  const bytes original = without_records(ww_test::bundled("noinline_call.sm80"), 99);
  const sass::elf_result e = sass::read_elf(bytes_of(original));
  const sass::cubin_result c = sass::read_cubin(e.file);
  REQUIRE(c.value.texts.size() > 2);
  std::vector<std::uint32_t> all;
  REQUIRE_FALSE(sass::read_register_counts(e.file, c.value, all));
  REQUIRE(all.size() == e.file.sections.size());
  for (const sass::cubin_text& t : c.value.texts) {
    CHECK(all[t.section] == count_in(original, t.section));
    const std::uint32_t info = e.file.sections[t.section].info;
    REQUIRE(info >> 24 != 0);
    CHECK(count_in(original, t.section) == info >> 24);
    CHECK(t.code.register_count == info >> 24);
    bytes b = original;
    const sass::register_counts r = set_counts(b, {{t.section, 101}});
    INFO(r.error.text());
    REQUIRE_FALSE(r.error);
    CHECK(count_in(b, t.section) == 101);
    for (const sass::register_request& x : r.changed) {  // callers too
      const std::uint64_t at = e.file.section_table + 64 * x.section + 47;
      CHECK(b[at] == 101);
      b[at] = original[at];
    }
    CHECK((b == original));
  }
  // where others have one, a section without a record has no count
  unsigned refused = 0;
  for (const sass::cubin_text& t : c.value.texts) {
    bytes some = without_records(ww_test::bundled("noinline_call.sm80"), 1);
    const sass::elf_error bad = set_counts(some, {{t.section, 101}}).error;
    refused += bad.expected == "a code section with a register count" ? 1u : 0u;
  }
  CHECK(refused == 1);
}

TEST_CASE("register limit: the least that is told of this section, and nothing where nothing is told") {
  const bytes b = ww_test::bundled("features.sm90");
  const sass::elf_result e = sass::read_elf(bytes_of(b));
  sass::cubin_result c = sass::read_cubin(e.file);
  REQUIRE_FALSE(c.error);
  REQUIRE(c.value.texts.size() >= 2);
  const std::uint32_t section = c.value.texts[0].section;
  const std::uint32_t other = c.value.texts[1].section;
  std::uint32_t told = 1;
  REQUIRE_FALSE(sass::read_register_limit(bytes_of(b), section, told));
  CHECK(told == sass::most_registers);
  CHECK(sass::register_limit_of(e.file, c.value, section) == told);

  bytes smaller = b;
  for (const sass::info_record& r : c.value.infos) {
    if (r.attribute == sass::detail::attribute_max_registers && e.file.sections[r.section].info == section)
      smaller[r.value_place] = 40;
  }
  CHECK_FALSE(sass::read_register_limit(bytes_of(smaller), section, told));
  CHECK(told == 40);
  CHECK_FALSE(sass::read_register_limit(bytes_of(smaller), other, told));
  CHECK(told == sass::most_registers);

  std::erase_if(c.value.infos,
                [](const sass::info_record& r) { return r.attribute == sass::detail::attribute_max_registers; });
  CHECK(sass::register_limit_of(e.file, c.value, section) == 0);
}

TEST_CASE("register count: set before or after new words, a cubin says both") {
  const bytes original = ww_test::bundled("saxpy.sm80");
  const std::uint32_t saxpy = section_named(original, ".text.saxpy");
  const sass::cubin_result c = sass::read_cubin(bytes_of(original));
  std::vector<sass::text_patch> patches;
  for (const sass::cubin_text& t : c.value.texts) patches.push_back(sass::make_text_patch(t.code, t.section));
  REQUIRE_FALSE(patches.empty());
  patches[0].control[0] ^= 1u;  // a stall count
  bytes first = original;
  REQUIRE_FALSE(set_counts(first, {{saxpy, 40}}).error);
  const sass::patch_result a = sass::patch_cubin(bytes_of(first), {patches.data(), patches.size()});
  REQUIRE_FALSE(a.error);
  const sass::patch_result p = sass::patch_cubin(bytes_of(original), {patches.data(), patches.size()});
  REQUIRE_FALSE(p.error);
  bytes second = p.bytes;
  REQUIRE_FALSE(set_counts(second, {{saxpy, 40}}).error);
  CHECK((a.bytes == second));
  CHECK(count_in(second, saxpy) == 40);
  CHECK((second != original));
}

TEST_CASE("register names: what tells registers outside the code is found by name") {
  const auto found = [](const bytes& b, const std::string& section) {
    const sass::elf_result e = sass::read_elf(bytes_of(b));
    const sass::cubin_result c = sass::read_cubin(e.file);
    REQUIRE_FALSE(c.error);
    return sass::find_register_names(e.file, c.value, e.file.find(section));
  };
  CHECK_FALSE(found(ww_test::bundled("saxpy.sm80"), ".text.saxpy"));
  CHECK_FALSE(found(ww_test::bundled("layernorm-lineinfo.sm80"), ".text.layernorm"));
  CHECK(found(ww_test::bundled("transpose-debug.sm90"), ".text.transpose32").expected.find("debug information") !=
        std::string::npos);
  // masks: none told, then one told, then forgotten
  bytes b = ww_test::bundled("reduce_shfl.sm90");
  const sass::elf_result e = sass::read_elf(bytes_of(b));
  const sass::cubin_result c = sass::read_cubin(e.file);
  std::uint32_t section = 0;
  std::uint64_t place = 0;
  std::uint64_t record = 0;
  for (const sass::info_record& r : c.value.infos) {
    if (r.attribute != 0x29 || r.value_size < 8) continue;
    section = e.file.sections[r.section].info;
    place = r.value_place + 4;
    record = r.place;
  }
  REQUIRE(section != 0);
  std::uint32_t changed = 9;
  REQUIRE_FALSE(sass::forget_mask_registers({b.data(), b.size()}, section, changed));
  const bytes without = b;
  const std::string name(e.file.sections[section].name);
  CHECK_FALSE(found(b, name));
  ww_test::put<std::uint32_t>(b, place, 7);
  CHECK(found(b, name).expected.find("COOP_GROUP_MASK_REGIDS") != std::string::npos);
  CHECK_FALSE(found(b, ".text.none"));  // of another section
  REQUIRE_FALSE(sass::forget_mask_registers({b.data(), b.size()}, section, changed));
  CHECK(changed == 1);
  CHECK((b == without));
  REQUIRE_FALSE(sass::forget_mask_registers({b.data(), b.size()}, section, changed));
  CHECK(changed == 0);
  for (const std::uint8_t map : {std::uint8_t{0x2e}, std::uint8_t{0x3c}, std::uint8_t{0x40}}) {
    bytes m = without;
    m[static_cast<std::size_t>(record) + 1] = map;
    CHECK(found(m, name).expected.find("names registers of instructions") != std::string::npos);
  }
}

TEST_CASE("register count: damaged cubins give errors or counts, and end") {
  const bytes original = ww_test::bundled("noinline_call-rdc.sm80");
  std::mt19937 random(3);
  for (unsigned n = 0; n < 3000; ++n) {
    bytes b = original;
    for (unsigned k = 0; k <= n % 4; ++k) b[random() % b.size()] = static_cast<std::uint8_t>(random());
    if (n % 5 == 0) b.resize(random() % b.size());
    const bytes before = b;
    const sass::register_counts r = set_counts(b, {{33, static_cast<std::uint32_t>(20 + random() % 240)}}, true);
    if (r.error) CHECK((b == before));
    std::uint32_t changed = 0;
    (void)sass::forget_mask_registers({b.data(), b.size()}, static_cast<std::uint32_t>(random() % 50), changed);
  }
}
