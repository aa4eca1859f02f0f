// SPDX-License-Identifier: BSL-1.0
//
// Cubins whose code was laid out anew: bundled ones with their listings, and those of the corpus where WARPWRIGHT_CORPUS names it.
// Cold are blocks that a pseudo-random number picks.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/random_marks.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/layout/layouter.hpp"
#include "warpwright/pipeline/fill_code.hpp"
#include "warpwright/sass/cubin.hpp"
#include "warpwright/sass/cubin_listing.hpp"
#include "warpwright/sass/laid_out_listing.hpp"
#include "warpwright/sass/laid_out_patch.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/scoreboard/assign.hpp"

using namespace ww;

namespace {

namespace corpus = ww_test::corpus;

struct figures {
  std::size_t files = 0;
  std::size_t sections = 0;
  std::size_t patched = 0;
  std::size_t inserted = 0;
  std::size_t offsets = 0;  // recorded in the file and moved
  std::map<std::string, unsigned> refused;
};

sass::byte_span bytes_of(const std::string& s) { return {reinterpret_cast<const std::uint8_t*>(s.data()), s.size()}; }

// The instructions of code without the NOPs at its end, behind the closing branch to itself.
std::size_t without_filling(const program& p) {
  std::size_t n = p.order.size();
  while (n > 0 && p[p.order[n - 1]].has(iflag::nop) && p[p.order[n - 1]].has(iflag::padding)) --n;
  return n;
}

// `seed` picks the cold blocks.
template <class Arch>
void one(const std::string& listing, const std::string& file, figures& f, std::uint32_t seed = 0) {
  const std::string text = corpus::text(listing);
  sass::listing_result r = sass::read_listing(text, {.sm = Arch::id, .file = listing});
  REQUIRE(r);
  const std::string bytes = corpus::text(file);
  const sass::cubin_result c = sass::read_cubin(bytes_of(bytes));
  REQUIRE_FALSE(c.error);
  INFO(file);
  ++f.files;
  scoreboard::workspace words;
  for (std::uint32_t s = 0; s < r.mod.sections.size(); ++s) {
    program& p = r.mod.sections[s];
    REQUIRE(build_cfg(p).ok);
    const sass::text_match match = sass::match_text(c.value, r.mod.name_of(r.mod.infos[s]), p);
    if (match.error) continue;
    const layout::cold_marks marks = ww_test::random_marks(p, static_cast<std::uint32_t>(p.instructions.size()) + seed);
    program q;
    typename layout::layouter<Arch>::workspace ws;
    const layout::layout_result l = layout::layouter<Arch>{}.run(p, marks, q, ws);
    if (!l.changed) continue;
    ++f.sections;
    (void)scoreboard::assign_control<Arch>(q, words);
    vec<instr_id>& came_from = ws.changes.came_from;
    sass::text_patch unfilled;  // the same without fill_code: NOPs at the end are still all there
    const sass::laid_out before{s, &q, span<const instr_id>(came_from.data(), came_from.size())};
    const bool fits_unfilled = !sass::make_laid_out_patch(r.mod, before, *match.text, unfilled);
    fill_code(p, q, came_from);
    std::vector<std::string> bodies(came_from.size());
    for (std::uint32_t k = 0; k < came_from.size(); ++k) {
      if (!came_from[k].valid() && q[instr_id{k}].has(iflag::nop)) bodies[k] = "NOP";
    }
    const sass::laid_out out{s, &q, span<const instr_id>(came_from.data(), came_from.size()),
                             span<const std::string>(bodies.data(), bodies.size())};
    sass::text_patch patch;
    const std::string no_room = "as many NOPs at the end as branches were put in";
    const bool fits = without_filling(q) <= p.instructions.size();
    if (const sass::error e = sass::make_laid_out_patch(r.mod, out, *match.text, patch)) {
      if (e.expected == no_room) CHECK_FALSE(fits);
      ++f.refused[std::string(e.expected)];
      continue;
    }
    CHECK(fits);
    CHECK(fits_unfilled);
    CHECK(unfilled.words == patch.words);
    const sass::patch_result done = sass::patch_cubin(bytes_of(bytes), std::vector<sass::text_patch>{patch});
    if (done.error) {
      CHECK(done.bytes.empty());
      ++f.refused[done.error.expected];
      continue;
    }
    ++f.patched;
    f.inserted += l.inserted;
    REQUIRE(done.bytes.size() == bytes.size());
    // Word for word what the listing says, filling at the end.
    std::string made;
    REQUIRE_FALSE(
        sass::write_laid_out(r.mod, span<const sass::laid_out>(&out, 1), [&](std::string_view piece) { made += piece; }));
    sass::listing_result again = sass::read_listing(made, {.sm = Arch::id, .file = listing});
    REQUIRE(again);
    const program& t = again.mod.sections[s];
    const sass::cubin_result d = sass::read_cubin(sass::byte_span(done.bytes.data(), done.bytes.size()));
    REQUIRE_FALSE(d.error);
    const auto found = std::find_if(d.value.texts.begin(), d.value.texts.end(),
                                    [&](const sass::cubin_text& x) { return x.section == match.text->section; });
    REQUIRE(found != d.value.texts.end());
    const auto& code = found->code.instructions;
    REQUIRE(code.size() == match.text->code.instructions.size());
    REQUIRE(t.instructions.size() == p.instructions.size());  // of one length with the listing that was read
    for (std::size_t k = 0; k < t.instructions.size(); ++k) {
      REQUIRE(code[k].word[0] == t.instructions[k].word[0]);
      REQUIRE(code[k].word[1] == t.instructions[k].word[1]);
    }
    for (std::size_t k = t.instructions.size(); k < code.size(); ++k) REQUIRE((code[k].word[0] & 0xfffu) == 0x918);
    // Recorded offsets lead to the instructions that they led to: the same word but for control bits and distances.
    const auto& old = match.text->code.instructions;
    for (const sass::cubin_remap& x : done.remaps) {
      if (x.text != match.text->section) continue;
      if (x.kind == "frame") {  // a place between two instructions that stayed
        REQUIRE(x.old_offset == x.new_offset);
        continue;
      }
      const std::uint64_t was = old[x.old_offset / 16].word[0] & 0xfffu;
      const std::uint64_t now = code[x.new_offset / 16].word[0] & 0xfffu;
      // A row of a line table may have meant a branch that is gone, or filling where one stands now.
      const bool row = x.kind == "row" && ((was == 0x947 && now == 0x918) || (was == 0x918 && now == 0x947));
      INFO(x.section << " " << x.kind << " " << x.old_offset << " " << x.new_offset << " opcodes " << was << " " << now);
      REQUIRE((was == now || row));
      f.offsets += x.old_offset != x.new_offset ? 1u : 0u;
    }
  }
}

// Listings and their cubins, by name.
std::vector<std::pair<std::string, std::string>> pairs_of(const std::string& listings, const std::string& cubins) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& file : corpus::files(cubins)) {
    const std::size_t slash = file.rfind('/') + 1;
    const std::string stem = file.substr(slash, file.rfind('.') - slash);
    for (const char* end : {".sass", ".sass.xz"}) {
      const std::string listing = listings + "/" + stem + end;
      std::FILE* there = std::fopen(listing.c_str(), "rb");
      if (there == nullptr) continue;
      std::fclose(there);
      pairs.emplace_back(listing, file);
    }
  }
  return pairs;
}

}  // namespace

TEST_CASE("HC-4 layout of cubins: code in another order, in the room that there is, and what is recorded of it") {
  figures f;
  auto pairs = pairs_of(corpus::bundled("listings"), corpus::bundled("cubin"));
  if (!corpus::root().empty()) {
    for (auto& both : pairs_of(corpus::root() + "/listings", corpus::root() + "/cubin")) pairs.push_back(std::move(both));
  }
  std::size_t number = 0;
  for (const auto& both : pairs) {
    const std::string& listing = both.first;
    const std::string& file = both.second;
    if (!ww_test::chosen(number++, 3)) continue;
    meta::for_each<all_archs>([&]<class Arch>() {
      if (corpus::sm_of(listing) == Arch::id) one<Arch>(listing, file, f);
    });
  }
  std::printf("layout of cubins: %zu files, %zu sections laid out, %zu patched; %zu branches inserted, %zu offsets moved\n",
              f.files, f.sections, f.patched, f.inserted, f.offsets);
  for (const auto& [why, count] : f.refused) std::printf("layout of cubins: %u refused: %s\n", count, why.c_str());
  CHECK(f.files > 0);
  CHECK(f.patched > 0);
  CHECK(f.offsets > 0);
}

TEST_CASE(
    "HC-4 layout of cubins: what has room is laid out, whatever the draw of cold blocks, and what has none is refused") {
  figures f;
  for (const auto& both : pairs_of(corpus::bundled("listings"), corpus::bundled("cubin"))) {
    for (std::uint32_t seed = 1; seed <= 24; ++seed) {
      meta::for_each<all_archs>([&]<class Arch>() {
        if (corpus::sm_of(both.first) == Arch::id) one<Arch>(both.first, both.second, f, seed);
      });
    }
  }
  std::printf("layout of cubins, draws: %zu sections laid out, %zu patched\n", f.sections, f.patched);
  CHECK(f.patched > 100);
  CHECK(f.refused["as many NOPs at the end as branches were put in"] > 0);
}
