// SPDX-License-Identifier: BSL-1.0
//
// The encoding beside the text: compilers write the guard and the registers that the text names; words that stand beside the
// wrong text are noted.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;

namespace {

using archs = meta::type_list<sm70, sm75, sm80, sm86, sm89, sm90, sm90a, sm100, sm103, sm110, sm120>;

std::size_t notes_of(const program& p) {
  verify::options o;
  o.dependences = false;
  o.lints = false;
  o.notes = true;
  std::size_t count = 0;
  detail::visit_arch_in(archs{}, nearest_sm(p.sm), [&]<class Arch>() {
    for (const verify::finding& f : verify::check<Arch>(p, o).findings) {
      if (f.kind != verify::finding_kind::other_words) continue;
      CHECK(f.level == verify::severity::note);
      ++count;
    }
  });
  return count;
}

void exchange_words(instruction& a, instruction& b) {
  std::swap(a.word[0], b.word[0]);
  std::swap(a.word[1], b.word[1]);
}

}  // namespace

TEST_CASE("verify words: guard and registers of the encoding are those of the text in all compiled code") {
  std::vector<std::string> paths = ww_test::corpus::listings();
  for (const char* folder : {"listings_blackwell", "listings_versions", "listings_rare"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) paths.push_back(path);
  }
  std::size_t instructions = 0;
  std::size_t exchanged = 0;
  std::size_t seen = 0;
  for (const std::string& path : paths) {
    sass::listing_result r = sass::read_listing(ww_test::corpus::text(path), {ww_test::corpus::sm_of(path), path});
    REQUIRE(bool(r));
    INFO(path);
    for (program& p : r.mod.sections) {
      if (!p.has_encoding || p.instructions.empty() || p.instructions[0].word[1] == 0 || !build_cfg(p).ok) continue;
      instructions += p.order.size();
      REQUIRE(notes_of(p) == 0);
      if (p.order.size() > 400) continue;
      for (std::size_t k = 0; k + 1 < p.order.size(); k += 7) {
        instruction& a = p.instructions[p.order[k].index()];
        instruction& b = p.instructions[p.order[k + 1].index()];
        if (a.has(iflag::padding) || b.has(iflag::padding)) continue;
        exchange_words(a, b);
        seen += notes_of(p) != 0 ? 1 : 0;
        exchange_words(a, b);
        ++exchanged;
      }
    }
  }
  CHECK(instructions > 10000);
  CHECK(exchanged > 1000);
  CHECK(seen * 100 > exchanged * 90);
}

TEST_CASE("verify words: each field that is compared, and a note for each that differs") {
  constexpr const char* text =
      "\t.headerflags\t@\"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)\"\n"
      "\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n"
      "        /*0000*/              @!P0 FFMA R8, R4, R5, R6 ;            /* 0x0000000504088223 */\n"
      "                                                                  /* 0x000fe20000000006 */\n"
      "        /*0010*/                   ISETP.GT.AND P1, PT, R4, R5, PT ; /* 0x000000050400720c */\n"
      "                                                                  /* 0x000fe20003f24270 */\n"
      "        /*0020*/                   EXIT ;                           /* 0x000000000000794d */\n"
      "                                                                  /* 0x000fea0003800000 */\n";
  sass::listing_result r = sass::read_listing(text, {.file = "text"});
  INFO((r ? std::string() : r.err.message()));
  REQUIRE(bool(r));
  program& p = r.mod.sections[0];
  REQUIRE(build_cfg(p).ok);
  REQUIRE(notes_of(p) == 0);
  const auto noted_with = [&](std::size_t at, unsigned word, unsigned bit) {
    std::uint64_t& w = p.instructions[at].word[word];
    w ^= std::uint64_t{1} << bit;
    const std::size_t n = notes_of(p);
    w ^= std::uint64_t{1} << bit;
    return n;
  };
  for (const unsigned bit : {12u, 13u, 14u, 15u, 16u, 23u, 24u, 31u}) CHECK(noted_with(0, 0, bit) == 1);
  for (const unsigned bit : {0u, 7u}) CHECK(noted_with(0, 1, bit) == 1);
  for (const unsigned bit : {12u, 14u, 24u}) CHECK(noted_with(1, 0, bit) == 1);
  for (const unsigned bit : {17u, 18u, 19u}) CHECK(noted_with(1, 1, bit) == 1);
  CHECK(noted_with(0, 0, 32) == 0);  // source b is not where its slot says in every form, and is not compared
  CHECK(noted_with(2, 0, 13) == 1);  // nothing stands before EXIT
}
