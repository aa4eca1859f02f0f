// SPDX-License-Identifier: BSL-1.0
//
// Labels that stand for an instruction (listing/attached_labels.hpp): a listing by nvdisasm 13.5, whose .nv.info names every
// shuffle, ballot and exit, and texts by hand. That the disassembler prints the same labels of a cubin which was patched with
// the same order was seen once by hand; what is tested here is that each label keeps its instruction.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/written.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/ir/cfg.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/verify/hazards.hpp"
#include "warpwright/warpwright.hpp"

using namespace ww;
using ww_test::without_reuse;
using ww_test::written;

namespace {

// What stands behind each label, by name, and at which place.
struct labelled {
  std::string body;
  std::uint32_t place = 0;
  bool attached = false;
};
std::map<std::string, labelled> labels_of(const sass::module& m) {
  std::map<std::string, labelled> all;
  for (const sass::label& l : m.labels) {
    const program& p = m.sections[l.section];
    if (l.instruction >= p.instructions.size()) continue;
    all[std::string(m.name_of(l))] = {std::string(m.body_of(p.instructions[l.instruction])), l.instruction, l.attached};
  }
  return all;
}

sass::listing_result read(const std::string& text) {
  sass::listing_result r = sass::read_listing(text, {.sm = sm90::id, .file = "labelled"});
  INFO(r.err.message());
  REQUIRE(bool(r));
  return r;
}

std::string line(unsigned at, const std::string& body) {
  char address[48];
  std::snprintf(address, sizeof address, "        /*%04x*/                   ", at);
  return address + body + " ;\n";
}
const std::string head = "\t.target\tsm_90\n\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n";

std::size_t attached(const std::string& text) {
  const sass::listing_result r = read(text);
  return static_cast<std::size_t>(
      std::count_if(r.mod.labels.begin(), r.mod.labels.end(), [](const sass::label& l) { return l.attached; }));
}

}  // namespace

TEST_CASE("attached labels: each keeps its instruction, and no block begins there") {
  const std::string text = ww_test::corpus::text(ww_test::corpus::bundled("listings_versions/labelled.sm90.sass"));
  sass::listing_result r = read(text);
  CHECK(written(r.mod) == text);
  const auto before = labels_of(r.mod);
  program& p = r.mod.sections.at(0);
  std::size_t some = 0;
  for (const auto& [name, l] : before) {
    const bool leads = std::find(p.leaders.begin(), p.leaders.end(), instr_id{l.place}) != p.leaders.end();
    if (name.substr(0, 5) == ".L_x_") CHECK(leads != l.attached);
    some += l.attached ? 1u : 0u;
    // a place that something goes to may be recorded as well
    const bool named = text.find("`(" + name + ")") != std::string::npos;
    if (l.body.find("SHFL") != std::string::npos || l.body.find("VOTE") != std::string::npos) CHECK(l.attached != named);
    if (l.body.find("BRA") != std::string::npos) CHECK_FALSE(l.attached);
  }
  CHECK(some >= 12);

  REQUIRE(build_cfg(p).ok);
  REQUIRE(scheduler<sm90>{}.run(p, {.loads = load_view::hit}).proved);
  const std::string after_text = written(r.mod);
  const sass::listing_result again = read(after_text);
  const auto after = labels_of(again.mod);
  REQUIRE(after.size() == before.size());
  std::size_t moved = 0;
  for (const auto& [name, l] : before) {
    INFO(name);
    REQUIRE(after.count(name) == 1);
    const labelled& now = after.at(name);
    CHECK(now.attached == l.attached);
    if (l.attached) {
      CHECK(without_reuse(now.body) == without_reuse(l.body));
      moved += now.place != l.place ? 1u : 0u;
    } else {
      CHECK(now.place == l.place);
    }
  }
  CHECK(moved > 0);
  CHECK(verify::check<sm90>(again.mod.sections.at(0), {.lints = false}).errors() == 0);
  CHECK(written(again.mod) == after_text);
}

TEST_CASE("attached labels: places are not") {
  const std::string end = line(32, "EXIT") + ".L_x_0:\n" + line(48, "BRA `(.L_x_0)");
  const std::string shuffle = line(16, "SHFL.IDX PT, R2, R3, R4, 0x1f");
  // in front of what attributes name
  CHECK(attached(head + line(0, "MOV R2, R3") + ".L_x_1:\n" + shuffle + end) == 1);
  CHECK(attached(head + line(0, "MOV R2, R3") + ".L_x_1:\n\n" + shuffle + end) == 1);
  for (const char* body :
       {"BAR.SYNC 0x0", "LDS R2, [R3]", "STS [R3], R2", "ATOMS.ADD R2, [R3], R4", "CREDUX.MIN.S32 UR4, R2",
        "UBLKCP.S.G [UR4], [UR6], UR8", "ATOMG.E.CAS.STRONG.GPU PT, R3, [R6], R2, R3"}) {
    INFO(body);
    CHECK(attached(head + line(0, "MOV R2, R3") + ".L_x_1:\n" + line(16, body) + end) == 1);
  }
  // in front of anything else
  CHECK(attached(head + line(0, "MOV R2, R3") + ".L_x_1:\n" + line(16, "FADD R2, R3, R4") + end) == 0);
  // a place that control goes to
  CHECK(attached(head + line(0, "@P0 BRA `(.L_x_1)") + ".L_x_1:\n" + shuffle + end) == 0);
  // a name that somebody gave
  CHECK(attached(head + line(0, "MOV R2, R3") + "helper:\n" + shuffle + end) == 0);
  // a directive stands between
  CHECK(attached(head + line(0, "MOV R2, R3") + ".L_x_1:\n\t.align\t16\n" + shuffle + end) == 0);
  // most of the unnamed labels are places: so are all
  CHECK(attached(head + ".L_x_2:\n" + line(0, "MOV R2, R3") + ".L_x_1:\n" + shuffle + end) == 1);
  CHECK(attached(head + ".L_x_2:\n" + line(0, "MOV R2, R3") + ".L_x_1:\n" + shuffle + ".L_x_3:\n" + line(32, "MOV R5, R3") +
                 ".L_x_4:\n" + line(48, "MOV R6, R3") + line(64, "EXIT") + ".L_x_0:\n" + line(80, "BRA `(.L_x_0)")) == 0);
}

TEST_CASE("attached labels: a listing says whether other sections name places in its code") {
  const std::string code = head + line(0, "MOV R2, R3") + line(16, "EXIT") + ".L_x_0:\n" + line(32, "BRA `(.L_x_0)");
  CHECK_FALSE(read(code).mod.names_places);
  const auto behind = [&](const std::string& section) {
    return read("\t.target\tsm_90\n" + section + code).mod.names_places;
  };
  const std::string info = "\t.section\t.nv.info.k,\"\",@\"SHT_CUDA_INFO\"\n\t//----- nvinfo : ";
  CHECK(behind("\t.section\t.debug_frame,\"\",@progbits\n"));
  CHECK(behind(info + "EIATTR_EXIT_INSTR_OFFSETS\n"));
  CHECK_FALSE(behind(info + "EIATTR_REGCOUNT\n"));
  CHECK_FALSE(behind("\t.section\t.nv.constant0.k,\"a\",@progbits\n"));
}
