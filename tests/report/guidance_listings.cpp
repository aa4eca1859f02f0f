// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the numbers of the lines on compiled code are those that the compiler's own tools tell: instructions and bytes of the
// listing, registers and spill code of the compiler's resource usage, textures and tensor-core shapes of the text.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/program_of.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/report/all.hpp"
#include "warpwright/sass/listing.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::report::guidance_numbers;

guidance_numbers numbers_of(const ww::program& p) {
  guidance_numbers n;
  ww::detail::visit_arch_in(ww::all_archs{}, ww::nearest_sm(p.sm), [&]<class Arch>() {
    ww::model::workspace ws;
    n = ww::report::guidance_of<Arch>(p, ww::model::collect_guidance<Arch>(p, ws));
  });
  return n;
}

// What the compiler said of a kernel (-v): registers, bytes of spill stores and loads.
struct usage {
  int registers = 0;
  int stores = 0;
  int loads = 0;
};

// Lines of the corpus' resources.csv that are bundled, by "unit|kernel|sm".
const std::map<std::string, usage>& bundled_usage() {
  static const std::map<std::string, usage> all = {
      {"dct8x8-r64|dct8x8|80", {64, 96, 96}},
      {"saxpy|saxpy|90", {14, 0, 0}},
      {"saxpy|saxpy_vec4|90", {32, 0, 0}},
      {"saxpy|saxpy|120", {16, 0, 0}},
      {"histogram|histogram256|100", {32, 0, 0}},
      {"printf_assert|printf_assert|75", {24, 0, 0}},
      {"printf_assert|printf_assert|90", {27, 0, 0}},
      {"noinline_call|call_recursive|80", {27, 0, 0}},
      {"noinline_call|call_recursive|90", {27, 0, 0}},
      {"noinline_call|call_recursive|100", {24, 0, 0}},
      {"sgemm_tiled|sgemm_tiled|90", {32, 0, 0}},
      {"wgmma_gemm|wgmma_gemm|90a", {126, 0, 0}},
  };
  return all;
}

std::map<std::string, usage> corpus_usage() {
  std::map<std::string, usage> all;
  if (corpus::root().empty()) return all;
  std::istringstream file(corpus::text(corpus::root() + "/resources.csv"));
  for (std::string line; std::getline(file, line);) {
    std::istringstream cells(line);
    std::array<std::string, 6> cell;
    for (std::string& c : cell) std::getline(cells, c, ',');
    if (cell[2].rfind("sm_", 0) != 0) continue;
    all[cell[0] + "|" + cell[1] + "|" + cell[2].substr(3)] = {std::atoi(cell[3].c_str()), std::atoi(cell[4].c_str()),
                                                              std::atoi(cell[5].c_str())};
  }
  return all;
}

std::string key_of(const std::string& path, std::string_view kernel) {
  const auto sm = static_cast<unsigned>(corpus::sm_of(path));
  return corpus::unit_of(path) + "|" + std::string(kernel) + "|" + std::to_string(sm / 10) + (sm % 10 != 0 ? "a" : "");
}

// Instructions of a section in its text: address lines without the closing NOPs and what is not counted with them.
std::uint32_t counted(const ww::program& p) {
  std::uint32_t n = 0;
  for (const ww::block& b : p.blocks) {
    for (const ww::instr_id id : p.order_of(b)) n += b.padding || p[id].has(ww::iflag::padding) ? 0u : 1u;
  }
  return n;
}

}  // namespace

TEST_CASE("PLS-18 listings: instructions, bytes, registers and spill code as the compiler tells them") {
  std::map<std::string, usage> usages = corpus_usage();
  for (const auto& [key, u] : bundled_usage()) {
    const auto [place, fresh] = usages.emplace(key, u);
    if (!fresh) CHECK((place->second.registers == u.registers && place->second.stores == u.stores));
  }
  unsigned kernels = 0;
  unsigned spilling = 0;
  for (const std::string& path : corpus::listings()) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {});
    if (!r) continue;
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      ww::program& p = r.mod.sections[s];
      if (!ww::build_cfg(p).ok) continue;
      const guidance_numbers n = numbers_of(p);
      const std::string key = key_of(path, r.mod.name_of(r.mod.infos[s]));
      INFO(path << ' ' << key);
      CHECK(n.instructions() == static_cast<std::int32_t>(counted(p)));
      CHECK(n.program_size == 16 * n.instructions());
      if (p.register_count != 0) CHECK(n.registers() == static_cast<std::int32_t>(p.register_count));
      const auto found = usages.find(key);
      if (found == usages.end()) continue;
      ++kernels;
      spilling += found->second.stores != 0 ? 1u : 0u;
      CHECK(n.registers() == found->second.registers);
      CHECK(n.l_spill == found->second.stores);
      CHECK(n.l_refill == found->second.loads);
      std::string out;
      ww::report::write_after_allocation(n, 0, {}, [&out](ww::string_view piece) { out += std::string(piece); });
      CHECK(out.find("[LSpillB=" + std::to_string(found->second.stores) +
                     "] [LRefillB=" + std::to_string(found->second.loads) + "]") != std::string::npos);
      CHECK(out.find("[rregs=" + std::to_string(found->second.registers) + "]") != std::string::npos);
    }
  }
  CHECK(kernels >= bundled_usage().size());
  CHECK(spilling >= 1);
  std::printf("guidance: %u kernels with the compiler's account, %u with spill code\n", kernels, spilling);
}

TEST_CASE("PLS-18 listings: the lines of a bundled kernel") {
  const std::string path = corpus::bundled("listings/dct8x8-r64.sm80.sass");
  const std::string text = corpus::text(path);
  ww::sass::listing_result r = ww::sass::read_listing(text, {});
  REQUIRE(r);
  ww::program& p = r.mod.sections[0];
  REQUIRE(ww::build_cfg(p).ok);
  const guidance_numbers n = numbers_of(p);
  CHECK(n.frame_spill_size == 80);  // the compiler's stack frame
  CHECK(n.low_spill_size == 0);
  CHECK(n.l_non_spill == 0);
  const auto opcode = [&text](const std::string& name) {
    std::int32_t k = 0;
    for (std::size_t at = text.find(" " + name); at != std::string::npos; at = text.find(" " + name, at + 1)) ++k;
    return k;
  };
  CHECK(n.est_load_store == opcode("STL") + opcode("LDL") + opcode("LDG") + opcode("STG"));
  CHECK(n.est_shared == 0);
  CHECK(n.est_tex == 0);
}

TEST_CASE("PLS-18 listings: pairs of one issue are those that the disassembler puts into braces") {
  std::vector<std::string> paths = corpus::files(corpus::bundled("listings_short"));
  paths.push_back(corpus::bundled("listings/formats/maxwell.sm52.vliw.txt"));
  unsigned braces = 0;
  unsigned possible = 0;
  for (const std::string& path : paths) {
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {});
    INFO(path << ' ' << r.err.message());
    REQUIRE(r);
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      std::int32_t pairs = 0;
      for (const ww::instruction& i : p.instructions) {
        pairs += r.mod.records[i.source].opens_pair && !i.has(ww::iflag::padding) ? 1 : 0;
      }
      const guidance_numbers n = numbers_of(p);
      CHECK(n.inst_pairs == pairs);
      CHECK(n.program_size == 8 * n.instructions());
      CHECK_FALSE(n.has_uniform_registers());
      braces += static_cast<unsigned>(pairs);
      possible += static_cast<unsigned>(n.est_pairs);
    }
  }
  CHECK(braces > 10);
  CHECK(possible > 10);
  std::printf("guidance: %u pairs in braces, %u possible\n", braces, possible);
}

TEST_CASE("PLS-18 listings: how textures are named, by the text of their operands") {
  unsigned seen = 0;
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"listings_rare", "isa"}) {
    for (const std::string& path : corpus::files(corpus::bundled(folder))) paths.push_back(path);
  }
  for (const std::string& path : paths) {
    if (!corpus::ends_with(path, ".sass") && !corpus::ends_with(path, ".sass.xz")) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {});
    if (!r) continue;
    for (const ww::program& p : r.mod.sections) {
      for (const ww::instruction& i : p.instructions) {
        const ww::model::texture_binding b = ww::model::binding_of(i, p.operands_of(i));
        const ww::sass::text_record& record = r.mod.records[i.source];
        const std::string body = text.substr(record.body, record.body_end - record.body);
        INFO(path << ": " << body);
        const std::string name = body[0] == '@' ? body.substr(body.find(' ') + 1) : body;
        bool texture = false;
        for (const char* start : {"TEX", "TLD", "TXD", "TXQ", "TMML"}) texture = texture || name.rfind(start, 0) == 0;
        REQUIRE((b != ww::model::texture_binding::none) == texture);
        if (!texture) continue;
        const bool uniform = body.find(", UR") != std::string::npos;
        const bool constant = body.find(", 0x0, 0x") != std::string::npos && !uniform;
        const bool bindless = body.find(".B.") != std::string::npos || body.find(".B ") != std::string::npos;
        CHECK((b == ww::model::texture_binding::uniform) == uniform);
        CHECK((b == ww::model::texture_binding::constant) == (constant && !bindless));
        CHECK((b == ww::model::texture_binding::bindless) == bindless);
        ++seen;
      }
    }
  }
  CHECK(seen > 15);
  // Words of one half do not tell.
  const std::string text = corpus::text(corpus::bundled("listings_short/texsample.sm52.sass"));
  ww::sass::listing_result r = ww::sass::read_listing(text, {});
  REQUIRE(r);
  unsigned unknown = 0;
  for (const ww::program& p : r.mod.sections) {
    for (const ww::instruction& i : p.instructions) {
      const ww::model::texture_binding b = ww::model::binding_of(i, p.operands_of(i));
      CHECK((b == ww::model::texture_binding::none || b == ww::model::texture_binding::unknown));
      unknown += b == ww::model::texture_binding::unknown ? 1u : 0u;
    }
  }
  CHECK(unknown > 5);
  // Programs without words: by operands.
  const ww::program made = ww_test::program_of<ww::sm90>(
      "TEX.LL R12, R16, R14, R2, UR8, 0x0, 2D, 0x3\nTEX.LL R12, R16, R14, R2, 0x0, 0x58, 2D, 0x3\nEXIT\n");
  const auto of = [&made](std::size_t k) {
    return ww::model::binding_of(made.instructions[k], made.operands_of(made.instructions[k]));
  };
  CHECK(of(0) == ww::model::texture_binding::uniform);
  CHECK(of(1) == ww::model::texture_binding::unknown);
  CHECK(of(2) == ww::model::texture_binding::none);
  std::printf("guidance: %u texture instructions\n", seen);
}

TEST_CASE("PLS-18 listings: tensor-core variants of the text go to the variant that does the same work") {
  using m = ww::model::matrix_pipe;
  const std::pair<std::string_view, m> all[] = {
      {"HMMA.16816.F32 ", m::hmma16816},
      {"HMMA.16816.F32.BF16 ", m::hmma16816},
      {"HMMA.16816.F16 ", m::hmma16816f16},
      {"HMMA.1688.F32 ", m::hmma1688},
      {"HMMA.1688.F16 ", m::hmma1688f16},
      {"HMMA.1688.F32.TF32 ", m::hmma16816},
      {"HMMA.1684.F32.TF32 ", m::hmma1688},
      {"HMMA.SP.16816.F32 ", m::hmma_sp1688},
      {"HMMA.SP.16832.F32.BF16 ", m::hmma_sp1688},
      {"HMMA.SP.1688.F32.TF32 ", m::hmma_sp1688},
      {"HMMA.SP.16816.F16 ", m::hmma_sp1688f16},
      {"IMMA.16816.S8.S8 ", m::imma16816},
      {"IMMA.16832.S8.S8 ", m::imma16832},
      {"IMMA.16832.U8.S8.SAT ", m::imma16832},
      {"IMMA.16864.S4.S4 ", m::imma16832},
      {"IMMA.SP.16832.S8.S8 ", m::imma_sp16832},
      {"IMMA.SP.16864.S8.S8 ", m::imma_sp16832},
      {"IMMA.SP.8832.S8.S8 ", m::imma_sp8832},
      {"IMMA.8816.S8.S8 ", m::none},
      {"DMMA.884 ", m::dmma},
      {"DMMA.8x8x4 ", m::dmma},
      {"BMMA.168256.XOR.POPC ", m::none},
      {"HMMA.884.F32.F32.STEP0 ", m::none},
  };
  for (const auto& [name, pipe] : all) {
    const bool sparse = name.find(".SP.") != std::string_view::npos;
    std::string text(name);
    text += sparse ? "R4, R8, R12, R4, R20, 0x0\n" : "R4, R8, R12, R4\n";
    INFO(text);
    ww::isa::builder b;
    b.lines(text + "EXIT\n");
    const ww::program p = b.finish();
    REQUIRE(b.ok());
    CHECK(ww::model::matrix_pipe_of(p.instructions[0], p.operands_of(p.instructions[0])) == pipe);
  }
  ww::isa::builder b;
  b.lines("FADD R1, R2, R3\n");
  const ww::program p = b.finish();
  CHECK(ww::model::matrix_pipe_of(p.instructions[0], p.operands_of(p.instructions[0])) == m::none);
}

TEST_CASE("PLS-18 local memory: frames, arrays, low addresses and what a callee keeps") {
  using ww::model::local_bytes;
  const auto of = [](std::string_view text) { return ww::model::local_bytes_of(ww_test::program_of<ww::sm80>(text)); };
  {
    const local_bytes n =
        of("IADD3 R1, R1, -0x10, RZ\nSTL.64 [R1+0x8], R4\nSTL [R1], R6\nLDL R4, [R1+0xc]\nLDL R6, [R1]\nEXIT\n");
    CHECK(n.spill == 12);
    CHECK(n.refill == 8);
    CHECK(n.frame_size == 12);
    CHECK(n.low_size == 0);
    CHECK(n.non_spill + n.non_refill + n.non_spill_size == 0);
  }
  {  // the same bytes twice are one place; what touches without overlapping is two cells of one size
    const local_bytes n = of("STL [R1], R4\nSTL.64 [R1], R4\nSTL [R1+0x8], R6\nSTL [R1+0x20], R6\nEXIT\n");
    CHECK(n.spill == 20);
    CHECK(n.frame_size == 16);
  }
  {
    const local_bytes n = of("STL [0x8], R4\nLDL R4, [0x8]\nSTL [R1+0x8], R4\nEXIT\n");
    CHECK(n.spill == 8);
    CHECK(n.refill == 4);
    CHECK(n.low_size == 4);
    CHECK(n.frame_size == 4);
  }
  {  // a cell reaches as far as the longest of its accesses
    const local_bytes n = of("STL.128 [R1], R4\nSTL [R1+0x4], R4\nSTL [R1+0xc], R4\nEXIT\n");
    CHECK(n.spill == 24);
    CHECK(n.frame_size == 16);
  }
  {  // low addresses are no part of the frame whose address is taken
    const local_bytes n = of("IADD3 R2, R1, R3, RZ\nSTL [0x8], R4\nSTL [R1+0x8], R4\nEXIT\n");
    CHECK(n.spill == 4);
    CHECK(n.low_size == 4);
    CHECK(n.non_spill == 4);
  }
  {  // an array by a register; its address is taken, so the frame may be the array
    const local_bytes n = of("IADD3 R2, R1, R3, RZ\nSTL [R1], R4\nLDL R5, [R2]\nLDL R6, [R1]\nEXIT\n");
    CHECK(n.spill + n.refill + n.frame_size == 0);
    CHECK(n.non_spill == 4);
    CHECK(n.non_refill == 8);
    CHECK(n.non_spill_size == 4);
  }
  {  // by a register of another kind alone
    const local_bytes n = of("STL [R1], R4\nLDL R5, [R2]\nEXIT\n");
    CHECK(n.spill == 4);
    CHECK(n.non_refill == 4);
  }
  CHECK(of("STL [R1], R1\nEXIT\n").non_spill == 4);  // the address goes to memory
  CHECK(of("MOV R1, c[0x0][0x28]\nSTL [R1], R4\nEXIT\n").spill == 4);
  CHECK(of("STL [R2], R4\nEXIT\n").non_spill == 4);
  // A callee keeps R16 for its caller and spills R5 of its own.
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines(
      ".kernel k\n"
      "STL.64 [R1], R16\n"
      "CALL.REL.NOINC `(f)\n"
      "LDL R16, [R1]\n"
      "LDL R17, [R1+0x4]\n"
      "EXIT\n"
      ".function f\n"
      "IADD3 R1, R1, -0x8, RZ\n"
      "STL [R1+0x4], R16\n"
      "FADD R5, R6, R7\n"
      "STL [R1], R5\n"
      "LDL.64 R8, [R1+0x8]\n"
      "LDL R5, [R1]\n"
      "LDL R16, [R1+0x4]\n"
      "IADD3 R1, R1, 0x8, RZ\n"
      "RET.REL.NODEC R20 0x0\n");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  p.sm = ww::sm80::id;
  REQUIRE(ww::build_cfg(p).ok);
  const local_bytes n = ww::model::local_bytes_of(p);
  CHECK(n.spill == 12);  // of the kernel, and R5
  CHECK(n.refill == 20);
  CHECK(n.frame_size == 20);  // 8 of the kernel; 4 and 8 of the callee, at the same offsets
  CHECK(n.non_spill == 4);
  CHECK(n.non_refill == 4);
  CHECK(n.non_spill_size == 4);
  CHECK(ww::model::local_bytes_of(ww::program{}).spill == 0);
}
