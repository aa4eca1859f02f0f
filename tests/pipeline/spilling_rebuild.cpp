// SPDX-License-Identifier: BSL-1.0
//
// Kernels in fewer registers than their values need: spilled, proved, written and read again. Bundled listings, and those of the corpus
// where WARPWRIGHT_CORPUS names it.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/sm120.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/spilling_rebuild.hpp"
#include "warpwright/sass/laid_out_listing.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/sass/renamed_listing.hpp"
#include "warpwright/sass/return_numbers.hpp"
#include "warpwright/sass/spilled_listing.hpp"
#include "warpwright/verify/hazards.hpp"

using namespace ww;
namespace corpus = ww_test::corpus;

namespace {

struct figures {
  unsigned tried = 0, fits = 0, spilled = 0, calling = 0, unwritten = 0;
  std::size_t stores = 0, loads = 0, recomputed = 0, largest = 0;
  std::map<std::string, unsigned> kept;
};

template <class T>
span<const T> view(const vec<T>& v) {
  return {v.data(), v.size()};
}

// The text with the spill code; empty and a reason where it cannot be written.
std::string write(const sass::module& m, std::uint32_t s, const spilled_code& x,
                  const std::vector<sass::return_number>& returns, std::string& why) {
  const sass::spilled_section section{s, &x.code, view(x.came_from), view(x.computes), x.step};
  std::vector<program> codes(m.sections.begin(), m.sections.end());
  codes[s] = sass::spilled_names(m.sections[s], section);
  std::string renamed, out;
  if (const sass::error e = sass::write_renamed(m, span<const program>(codes.data(), codes.size()), renamed)) {
    why = e.message();
    return {};
  }
  sass::listing_result r = sass::read_listing(renamed, {.sm = m.sections[s].sm, .file = "renamed"});
  REQUIRE(r);
  REQUIRE(build_cfg(r.mod.sections[s]).ok);
  std::vector<std::string> bodies;
  const sass::error bad = sass::spilled_bodies(m, section, bodies);
  INFO(bad.message());
  REQUIRE_FALSE(bad);
  const sass::laid_out l{s, &x.code, view(x.came_from), span<const std::string>(bodies.data(), bodies.size()), &returns};
  if (const sass::error e =
          sass::write_laid_out(r.mod, span<const sass::laid_out>(&l, 1), [&](std::string_view piece) { out += piece; })) {
    why = e.message();
    return {};
  }
  return out;
}

// The listing read again says what the program says, and its words are those of its text.
template <class Arch>
void read_again(const std::string& text, std::uint32_t s, const spilled_code& x,
                const std::vector<sass::return_number>& returns) {
  sass::listing_result r = sass::read_listing(text, {.sm = x.code.sm, .file = "spilled"});
  INFO(r.err.message());
  REQUIRE(r);
  program& got = r.mod.sections[s];
  REQUIRE(build_cfg(got).ok);
  REQUIRE(got.instructions.size() == x.code.instructions.size());
  REQUIRE(got.blocks.size() == x.code.blocks.size());
  const block_starts starts(x.code);
  for (std::size_t k = 0; k < got.order.size(); ++k) {
    const instruction& a = x.code[x.code.order[k]];
    const instruction& b = got[got.order[k]];
    INFO(k << ": " << r.mod.body_of(b));
    REQUIRE(a.op == b.op);
    REQUIRE(a.iclass == b.iclass);
    REQUIRE(a.ctl == b.ctl);
    REQUIRE(a.space == b.space);
    REQUIRE(a.mem_bytes == b.mem_bytes);
    REQUIRE(a.mem_offset == b.mem_offset);
    REQUIRE(a.operand_count == b.operand_count);
    for (std::size_t o = 0; o < a.operand_count; ++o) REQUIRE(x.code.operands_of(a)[o].low == got.operands_of(b)[o].low);
    if (a.target.valid()) REQUIRE(starts(a.target) == x.code.order[b.target.index()]);
  }
  std::vector<sass::return_number> found;  // each call comes back behind itself
  REQUIRE(sass::find_return_numbers(got, found));
  REQUIRE(found.size() == returns.size());
  std::map<std::uint32_t, std::uint32_t> call_of;
  for (const sass::return_number& n : returns) call_of[n.move.value] = n.call.value;
  for (const sass::return_number& n : found) {
    const auto old_of = [&](instr_id id) { return x.came_from[x.code.order[id.index()].index()]; };
    CHECK(call_of.at(old_of(n.move).value) == old_of(n.call).value);
    CHECK(got[n.move].word[0] >> 32 == got[n.call].address + 16);
  }
  unsigned odd = 0;
  for (const verify::finding& f : verify::check<Arch>(got, {.dependences = false, .lints = false, .notes = true}).findings) {
    odd += f.kind == verify::finding_kind::other_words ? 1u : 0u;
  }
  CHECK(odd == 0);
}

// Where the new slots lie, and where the stack pointer is set up.
void check_frame(const program& p, const spilled_rebuild& r, const spilled_code& x) {
  CHECK(r.bytes % frame_unit == 0);
  for (const instr_id id : x.code.order) {  // nobody but the kernel moves the stack pointer
    for (const operand& o : x.code.operands_of(id)) {
      if (!o.is_def() || !o.is_register() || o.file() != reg_file::r || o.base().number() > 1) continue;
      if (o.base().number() + o.width() > 1 && id != x.step) CHECK(x.came_from[id.index()] == r.frame.top);
    }
  }
  CHECK((r.bytes - r.frame.bytes) % (r.frame.step.valid() ? grown_frame_unit : frame_unit) == 0);
  bool set = r.bytes == r.frame.bytes;
  std::uint32_t end = r.frame.bytes;
  for (const instr_id id : x.code.order) {
    const instruction& i = x.code[id];
    if (id == x.step) {
      set = true;
      CHECK(isa::stack_step(i.word) == r.bytes);
    }
    if (x.came_from[id.index()].valid() || x.computes[id.index()].valid() || i.space != mem_space::local) continue;
    CHECK(set);  // blocks stand in order, and the first is the entry
    CHECK(i.mem_offset >= static_cast<std::int32_t>(r.frame.bytes));
    CHECK(i.mem_offset % i.mem_bytes == 0);
    CHECK(i.mem_bytes <= frame_unit);
    end = std::max(end, static_cast<std::uint32_t>(i.mem_offset) + i.mem_bytes);
  }
  CHECK(set);
  CHECK(end <= r.bytes);
  CHECK(end + grown_frame_unit > r.bytes);  // and not larger than it has to be
  std::vector<unsigned> seen(p.instructions.size(), 0);
  for (const instr_id old : x.came_from) {
    if (old.valid()) ++seen[old.index()];
  }
  CHECK(std::all_of(seen.begin(), seen.end(), [](unsigned n) { return n <= 1; }));
}

template <class Arch>
void one(const std::string& path, unsigned part, figures& f) {
  const std::string text = corpus::text(path);
  sass::listing_result l = sass::read_listing(text, {.sm = Arch::id, .file = path});
  REQUIRE(l);
  for (std::uint32_t s = 0; s < l.mod.sections.size(); ++s) {
    program& p = l.mod.sections[s];
    if (p.order.empty() || p.order.size() > 3000 || !build_cfg(p).ok) continue;
    std::vector<sass::return_number> returns;
    std::vector<instr_id> moves;
    const bool known = sass::find_return_numbers(p, returns);
    for (const sass::return_number& n : returns) moves.push_back(n.move);
    typename rebuilder<Arch>::workspace first;
    program same;
    rebuild_options o;
    o.registers = std::max(8u, detail::registers_of<Arch>(p) * part / 4);
    o.calls_outside = !l.mod.externals.empty();
    o.knows_return_moves = known;
    o.return_moves = {moves.data(), moves.size()};
    const rebuild_result before = rebuilder<Arch>::run(p, o, same, first);
    ++f.tried;
    if (before.fits) {
      ++f.fits;
      continue;
    }
    typename spilling_rebuilder<Arch>::workspace ws;
    spilled_code x;
    const spilled_rebuild r = spilling_rebuilder<Arch>::run(p, o, before, x, ws);
    INFO(path << ", section " << s << " in " << o.registers << " registers");
    if (!r.ok()) {
      ++f.kept[name_of(r)];
      CHECK_FALSE(r.rebuilt.fits);
      CHECK(r.kept != spilled_kept::not_proved);
      continue;
    }
    ++f.spilled;
    f.calling += returns.empty() ? 0u : 1u;
    f.stores += x.stores;
    f.loads += x.loads;
    f.recomputed += x.recomputed;
    f.largest = std::max<std::size_t>(f.largest, r.bytes);
    CHECK(r.rebuilt.fits);
    CHECK(r.rebuilt.proved);
    CHECK(r.rebuilt.registers_after <= o.registers);
    CHECK(detail::registers_of<Arch>([&] {
            program q = x.code;
            q.register_count = 0;
            return q;
          }()) <= o.registers);
    verify::workspace hazards;
    CHECK(verify::check_hazards<Arch>(x.code, {}, hazards).errors() <= before.scheduled.hazards_before);
    model::workspace model;
    const double bound = model::lower_bound<Arch>(x.code, {.warps = r.rebuilt.scheduled.warps}, model).cycles;
    CHECK(r.rebuilt.scheduled.bound == std::min(bound, r.rebuilt.scheduled.cycles_after));  // of the code with its spills
    check_frame(p, r, x);
    std::string why;
    const std::string made = write(l.mod, s, x, returns, why);
    if (made.empty()) {
      ++f.unwritten;
      ++f.kept["not written: " + why.substr(why.rfind("expected"))];
      continue;
    }
    read_again<Arch>(made, s, x, returns);
  }
}

template <class Arch>
void all(const char* name) {
  for (const unsigned part : {3u, 2u}) {
    figures f;
    std::size_t number = 0;
    for (const std::string& path : corpus::listings()) {
      if (corpus::sm_of(path) == Arch::id && ww_test::chosen(++number, 4)) one<Arch>(path, part, f);
    }
    std::string kept;
    for (const auto& [why, n] : f.kept) kept += "\n  " + std::to_string(n) + " " + why;
    WARN(name << " in " << part << "/4 of the registers: " << f.tried << " sections, " << f.fits << " fit, " << f.spilled
              << " fit spilled, " << f.calling << " of them with calls (" << f.unwritten << " of them cannot be written), "
              << f.stores << " stores, " << f.loads << " reloads, " << f.recomputed << " computed again, largest frame "
              << f.largest << kept);
    CHECK(f.tried > (ww_test::slow ? 1u : 5u));
    CHECK((f.fits + f.spilled) * (ww_test::slow ? 5u : 3u) > f.tried);
  }
}

const std::uint64_t none_words[2] = {0, 0};

program of_text(std::initializer_list<std::pair<const char*, std::uint64_t>> lines) {
  isa::builder b(dialect_of(sm80::id));
  for (const auto& [text, low] : lines) {
    const std::uint64_t words[2] = {low, 0x7ffe0ff};
    b.text(text, low != 0 ? words : none_words);
  }
  program p = b.finish();
  p.has_encoding = true;
  p.sm = sm80::id;
  (void)build_cfg(p);
  return p;
}
constexpr std::uint64_t top = 0x00000a0000017a02, step = 0xffffffc001017810;

}  // namespace

TEST_CASE("FPA-8 spilling rebuild: sm_80 listings in 3/4 and 1/2 of their registers, proved, written, read again") {
  all<sm80>("sm_80");
}
TEST_CASE("FPA-8 spilling rebuild: sm_90 listings in 3/4 and 1/2 of their registers, proved, written, read again") {
  all<sm90>("sm_90");
}
TEST_CASE("FPA-8 spilling rebuild: sm_120 listings in 3/4 and 1/2 of their registers, proved, written, read again") {
  all<sm120>("sm_120");
}

TEST_CASE("FPA-8 stack frame: what sets up the stack pointer is found, or why not") {
  const isa::dialect d = dialect_of(sm80::id);
  const auto of = [&](const program& p) { return stack_frame_of(p, d); };
  {
    const program p = of_text({{"MOV R1, c[0x0][0x28]", top},
                               {"MOV R2, RZ", 0},
                               {"IADD3 R1, R1, -0x40, RZ", step},
                               {"STL [R1], R2", 0},
                               {"EXIT", 0}});
    const stack_frame f = of(p);
    REQUIRE(f.ok());
    CHECK(f.top == instr_id{0});
    CHECK(f.step == instr_id{2});
    CHECK(f.bytes == 0x40);
  }
  {
    const stack_frame f = of(of_text({{"MOV R1, c[0x0][0x28]", top}, {"MOV R2, RZ", 0}, {"EXIT", 0}}));
    REQUIRE(f.ok());
    CHECK_FALSE(f.step.valid());
    CHECK(f.bytes == 0);
  }
  const auto why = [&](std::initializer_list<std::pair<const char*, std::uint64_t>> lines) {
    return of(of_text(lines)).fault;
  };
  CHECK(why({{"MOV R2, RZ", 0}, {"EXIT", 0}}) == frame_fault::no_top);
  CHECK(why({{"MOV R1, RZ", 0}, {"EXIT", 0}}) == frame_fault::no_top);
  CHECK(why({{"MOV R1, c[0x0][0x160]", 0x0000580000017a02}, {"EXIT", 0}}) == frame_fault::no_top);
  CHECK(why({{"@P0 MOV R1, c[0x0][0x28]", 0x00000a0000010a02}, {"EXIT", 0}}) == frame_fault::no_top);
  CHECK(why({{"STL [R1], R2", 0}, {"MOV R1, c[0x0][0x28]", top}, {"EXIT", 0}}) == frame_fault::no_top);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"STL [R1+-0x8], R2", 0}, {"EXIT", 0}}) == frame_fault::local_without);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"IADD3 R2, R1, 0x8, RZ", 0}, {"EXIT", 0}}) == frame_fault::local_without);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"LDL R2, [R4]", 0}, {"EXIT", 0}}) == frame_fault::local_without);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"MOV R2, c[0x0][0x28]", 0x00000a0000027a02}, {"EXIT", 0}}) ==
        frame_fault::read_again);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"STL [R1], R2", 0}, {"IADD3 R1, R1, -0x40, RZ", step}, {"EXIT", 0}}) ==
        frame_fault::moved);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top},
             {"IADD3 R1, R1, -0x40, RZ", step},
             {"IADD3 R1, R1, -0x40, RZ", step},
             {"EXIT", 0}}) == frame_fault::moved);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"IADD3 R1, R1, R2, RZ", 0x0000000201017210}, {"EXIT", 0}}) ==
        frame_fault::moved);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"LDG.E.64 R0, [R4.64]", 0}, {"EXIT", 0}}) == frame_fault::moved);
  CHECK(why({{"MOV R1, c[0x0][0x28]", top}, {"RET.REL.NODEC R20 `(f)", 0}, {"EXIT", 0}}) == frame_fault::several);
  program p = of_text({{"MOV R1, c[0x0][0x28]", top}, {"EXIT", 0}});
  p.has_encoding = false;
  CHECK(of(p).fault == frame_fault::no_words);
  CHECK_FALSE(of(program{}).ok());
}
