// SPDX-License-Identifier: BSL-1.0
//
// The `.reuse` of a written text says what the reuse bits of its control words say: of every listing as read, without its flags, and with
// control words made anew, 64-bit instructions (sm_50 to sm_62) among them.
#include <string>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/writer.hpp>
#include <warpwright/scoreboard/assign.hpp>

#include "support/catch.hpp"
#include "support/corpus.hpp"
#include "support/written.hpp"

namespace {

namespace corpus = ww_test::corpus;
namespace sass = ww::sass;
using archs = ww::meta::type_list<ww::sm50, ww::sm60, ww::sm70, ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a,
                                  ww::sm100, ww::sm103, ww::sm107, ww::sm110, ww::sm120>;

// Bits 0 to 2: the ports whose operands say `.reuse`.
unsigned said(const ww::program& p, const ww::instruction& i) {
  unsigned mask = 0;
  for (const ww::operand& o : p.operands_of(i)) {
    if (o.is_reuse() && o.port() != 0) mask |= 1u << ((o.port() & 3u) - 1u);
  }
  return mask;
}

// The selector of a sparse matrix operation says `.reuse`: it has no port of the control word.
bool selector_said(const ww::program& p, const ww::instruction& i) {
  for (const ww::operand& o : p.operands_of(i)) {
    if (o.is_reuse() && o.port() == 0) return true;
  }
  return false;
}

struct figures {
  std::size_t flags = 0, short_flags = 0, selectors = 0, listings = 0;
};

void agree(const sass::module& m, figures& f) {
  for (const ww::program& p : m.sections) {
    for (const ww::instr_id id : p.order) {
      const ww::instruction& i = p[id];
      if (!i.has(ww::iflag::reuse_legal)) continue;
      INFO(m.body_of(i) << ": bits " << unsigned{i.ctl.reuse});
      const unsigned mask = said(p, i);
      REQUIRE(mask == (i.ctl.reuse & 7u));  // the fourth is that of a selector, which not every disassembler shows
      if (selector_said(p, i)) {
        REQUIRE(((i.word[0] >> 50 & 1u) != 0 || (i.ctl.reuse & 8u) != 0));
        ++f.selectors;
      }
      const auto flags = static_cast<unsigned>(__builtin_popcount(mask));
      f.flags += flags;
      f.short_flags += i.short_word != 0 ? flags : 0;
    }
  }
}

// False: the text cannot be read again, or was refused.
bool written_agrees(const sass::module& m, const std::string& path, figures& f) {
  std::string out;
  const sass::error e = sass::write_listing(m, [&](std::string_view piece) { out += piece; });
  INFO(e.message());
  CHECK_FALSE(e);
  if (e) return false;
  const sass::listing_result again = sass::read_listing(out, {corpus::sm_of(path), path});
  INFO(again.err.message());
  REQUIRE(again);
  agree(again.mod, f);
  return true;
}

std::vector<std::string> all_listings() {
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"listings_short", "listings_rare", "listings_blackwell"}) {
    for (const std::string& p : corpus::files(corpus::bundled(folder))) paths.push_back(p);
  }
  return paths;
}

}  // namespace

TEST_CASE("writer: what the text says of reuse is what the words say") {
  static ww::scoreboard::workspace ws;
  figures as_read, bare, anew;
  for (const std::string& path : all_listings()) {
    INFO(path);
    const std::string text = corpus::text(path);
    sass::listing_result r = sass::read_listing(text, {corpus::sm_of(path), path});
    REQUIRE(r);
    if (r.mod.sections.empty() || !r.mod.sections[0].has_encoding) continue;
    bool all = true;
    for (ww::program& p : r.mod.sections) all = all && ww::build_cfg(p).ok;
    if (!all) continue;
    agree(r.mod, as_read);
    ++as_read.listings;
    const auto each = [&](auto make) {
      for (ww::program& p : r.mod.sections) {
        ww::detail::visit_arch_in(archs{}, ww::nearest_sm(p.sm), [&]<class Arch>() { make.template operator()<Arch>(p); });
      }
    };
    each([]<class Arch>(ww::program& p) { ww::scoreboard::assign_reuse<Arch, ww::reuse::clear>(p); });
    (void)written_agrees(r.mod, path, bare);
    each([]<class Arch>(ww::program& p) { ww::scoreboard::assign_control<Arch>(p, ws); });
    (void)written_agrees(r.mod, path, anew);
  }
  WARN("flags as read " << as_read.flags << " (" << as_read.short_flags << " of 64-bit instructions), with new words "
                        << anew.flags << " (" << anew.short_flags << "), " << as_read.listings << " listings");
  CHECK(as_read.listings > 60);
  CHECK(as_read.short_flags > 50);
  CHECK(anew.short_flags > 50);
  CHECK(bare.flags == 0);
  CHECK(as_read.selectors > 0);
  CHECK(bare.selectors == as_read.selectors);  // bits of the instructions themselves
  CHECK(anew.selectors == as_read.selectors);
}

TEST_CASE("writer: .reuse stands behind the other suffixes in 64-bit instructions, in front of them in others") {
  const std::string path = corpus::bundled("listings_short/rmsnorm_h2.sm61.sass");
  const std::string text = corpus::text(path);
  sass::listing_result r = sass::read_listing(text, {corpus::sm_of(path), path});
  REQUIRE(r);
  std::size_t behind = 0;
  for (std::size_t at = text.find(".H1.reuse"); at != std::string::npos; at = text.find(".H1.reuse", at + 1)) ++behind;
  REQUIRE(behind > 2);
  CHECK(ww_test::written(r.mod) == text);
  // Every flag taken away, and put back.
  std::vector<std::uint8_t> flags;
  for (ww::program& p : r.mod.sections) {
    REQUIRE(ww::build_cfg(p).ok);
    for (ww::instruction& i : p.instructions) {
      flags.push_back(i.ctl.reuse);
      i.ctl.reuse = 0;
    }
  }
  const std::string wiped = ww_test::written(r.mod);
  CHECK(wiped.find(".reuse") == std::string::npos);
  CHECK(wiped.size() == text.size());
  sass::listing_result again = sass::read_listing(wiped, {corpus::sm_of(path), path});
  REQUIRE(again);
  std::size_t k = 0;
  for (ww::program& p : again.mod.sections) {
    REQUIRE(ww::build_cfg(p).ok);
    for (ww::instruction& i : p.instructions) i.ctl.reuse = flags[k++];
  }
  CHECK(ww_test::written(again.mod) == text);
}
