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
#include "../support/function_lines.hpp"
#include "../support/slow.hpp"
#include "warpwright/arch/sm120.hpp"
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/isa/branch_words.hpp"
#include "warpwright/isa/builder.hpp"
#include "warpwright/pipeline/branch_tables.hpp"
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
  unsigned tried = 0, fits = 0, spilled = 0, calling = 0, tables = 0, unwritten = 0;
  std::size_t stores = 0, loads = 0, recomputed = 0, largest = 0;
  std::map<std::string, unsigned> kept;
};

template <class T>
span<const T> view(const vec<T>& v) {
  return {v.data(), v.size()};
}

// The text with the spill code; empty and a reason where it cannot be written.
std::string write(const sass::module& m, std::uint32_t s, const spilled_code& x,
                  const std::vector<sass::return_number>& returns, bool tables, std::string& why) {
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
  const sass::laid_out l{s,        &x.code, view(x.came_from), span<const std::string>(bodies.data(), bodies.size()),
                         &returns, tables};
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
    if (b.op == opcode::brx) {  // relative to the beginning of the code
      std::uint64_t words[2] = {b.word[0], b.word[1]};
      REQUIRE(isa::set_distance(dialect_of(got.sm).split_distance, words, -16 * static_cast<std::int64_t>(k) - 16));
      CHECK((words[0] == b.word[0] && words[1] == b.word[1]));
      CHECK(r.mod.body_of(b).find(" -" + sass::detail::hex_text(static_cast<std::uint32_t>(16 * k + 16)) + " ") !=
            std::string_view::npos);
    }
  }
  REQUIRE(got.table_targets.size() == x.code.table_targets.size());
  for (std::size_t k = 0; k < got.table_targets.size(); ++k) {
    CHECK(starts(x.code.table_targets[k]) == x.code.order[got.table_targets[k].index()]);
  }
  // Each call comes back behind itself. Where the number itself is spilled the new code alone does not tell which numbers are addresses.
  std::map<std::uint32_t, instr_id> now;  // by instruction of the old code
  for (std::size_t k = 0; k < got.order.size(); ++k) {
    const instr_id old = x.came_from[x.code.order[k].index()];
    if (old.valid() && !got[got.order[k]].has(iflag::spill)) now.emplace(old.value, got.order[k]);
  }
  for (const sass::return_number& n : returns) {
    CHECK(got[now.at(n.move.value)].word[0] >> 32 == got[now.at(n.call.value)].address + 16);
  }
  std::vector<sass::return_number> found;
  if (sass::find_return_numbers(got, found)) {
    REQUIRE(found.size() == returns.size());
    for (const sass::return_number& n : found) CHECK(got[n.move].word[0] >> 32 == got[n.call].address + 16);
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
    for (std::size_t b = 0; b < same.blocks.size(); ++b) CHECK(same.blocks[b].entry == p.blocks[b].entry);
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
    std::vector<instr_id> readers;
    for (std::uint32_t k = 0; k < p.instructions.size(); ++k) {
      if (l.mod.body_of(p.instructions[k]).find("c[0x2]") != std::string_view::npos) readers.push_back(instr_id{k});
    }
    const bool tables = !p.tables.empty() && has_tables_for_branches_only(p, {readers.data(), readers.size()});
    f.tables += tables ? 1u : 0u;
    const std::string made = write(l.mod, s, x, returns, tables, why);
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
              << " fit spilled, " << f.calling << " of them with calls, " << f.tables << " with branch tables ("
              << f.unwritten << " of them cannot be written), " << f.stores << " stores, " << f.loads << " reloads, "
              << f.recomputed << " computed again, largest frame " << f.largest << kept);
    CHECK(f.tried > (ww_test::slow ? 1u : 5u));
    if (!ww_test::slow) CHECK(f.calling + f.tables > 0);
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

namespace {

// The words of what sets up the stack pointer are those of compilers.
program of_lines(const std::vector<std::string>& lines) {
  return ww_test::functions_of(lines, [](const std::string& line, std::uint64_t(&words)[2]) {
    if (line == "MOV R1, c[0x0][0x28]") words[0] = top;
    if (line == "IADD3 R1, R1, -0x40, RZ") words[0] = step, words[1] = 0x7ffe0ff;
  });
}
program built(program p) {
  REQUIRE(build_cfg(p).ok);
  return p;
}

}  // namespace

TEST_CASE("FPA-8 stack frame: functions that only the kernel calls, and that leave its stack pointer alone") {
  const auto of = [](const std::vector<std::string>& in_front, const std::vector<std::string>& inside, bool follows = true,
                     const std::vector<std::string>& behind = {}) {
    std::vector<std::string> lines = {"MOV R1, c[0x0][0x28]"};
    lines.insert(lines.end(), in_front.begin(), in_front.end());
    lines.insert(lines.end(), {"MOV R20, 0x50", "CALL.REL.NOINC `(f)", "EXIT", "f:"});
    lines.insert(lines.end(), inside.begin(), inside.end());
    lines.emplace_back("RET.REL.NODEC R20 `(f)");
    lines.insert(lines.end(), behind.begin(), behind.end());
    return stack_frame_of(built(of_lines(lines)), dialect_of(sm80::id), follows);
  };
  const std::vector<std::string> frame = {"IADD3 R1, R1, -0x40, RZ"}, nothing = {"MOV R5, R6"};
  CHECK(of({}, nothing).ok());
  CHECK(of({}, nothing, false).fault == frame_fault::several);  // who asks cannot follow calls
  CHECK(of(frame, nothing).ok());
  CHECK(of(frame, nothing).bytes == 0x40);
  CHECK(of(frame, {"STL [R1+0x8], R5"}).ok());  // into the kernel's frame
  CHECK(of({}, {"STL [R1+0x8], R5"}).fault == frame_fault::local_without);
  CHECK(of({}, {"LDL R5, [R6]"}).fault == frame_fault::local_without);
  CHECK(of(frame, {"IADD3 R1, R1, -0x40, RZ", "IADD3 R1, R1, 0x40, RZ"}).fault == frame_fault::moved);  // a frame of its own
  CHECK(of(frame, {"MOV R2, c[0x0][0x28]"}).fault == frame_fault::none);  // the words are not those of the constant
  CHECK(of(frame, {"CALL.REL.NOINC `(f)"}).ok());                         // it calls itself: one frame all the same
  CHECK(of(frame, nothing, true, {"g:", "MOV R5, R6", "RET.REL.NODEC R20 `(f)"}).fault == frame_fault::several);  // by whom?
  CHECK(of(frame, nothing, true, {"g:", "EXIT"}).fault == frame_fault::several);
  CHECK(of(frame, {"CALL.REL.NOINC R8 `(f)"}).fault == frame_fault::several);  // goes anywhere
  const program jump =
      built(of_lines({"MOV R1, c[0x0][0x28]", "CALL.REL.NOINC `(.x)", ".x:", "EXIT"}));  // comes back to nobody
  CHECK(stack_frame_of(jump, dialect_of(sm80::id), true).ok());
  CHECK(stack_frame_of(jump, dialect_of(sm80::id), false).fault == frame_fault::several);
  program p = of_lines({"MOV R1, c[0x0][0x28]", "CALL.REL.NOINC `(f)", "EXIT", "f:", "RET.REL.NODEC R20 `(f)"});
  p.functions[1].kernel = true;  // started by others
  CHECK(stack_frame_of(built(p), dialect_of(sm80::id), true).fault == frame_fault::several);
}

TEST_CASE(
    "FPA-8 spilling rebuild: called functions are no entries while registers are given, and entries again afterwards") {
  const program p = built(of_lines({"MOV R1, c[0x0][0x28]", "CALL.REL.NOINC `(f)", "EXIT", "f:", "RET.REL.NODEC R20 `(f)",
                                    "g:", "RET.REL.NODEC R20 `(f)"}));
  program q = p;
  vec<std::uint8_t> was;
  forget_called_entries(q, was);
  const std::uint32_t f = p.functions[1].first_block.index(), g = p.functions[2].first_block.index();
  CHECK(q.blocks[0].entry);
  CHECK_FALSE(q.blocks[f].entry);
  CHECK(q.blocks[g].entry);  // nobody calls it
  recall_entries(q, was);
  for (std::size_t b = 0; b < p.blocks.size(); ++b) CHECK(q.blocks[b].entry == p.blocks[b].entry);
  // What may move: nothing of a kernel whose stack pointer is not set up, or of code with calls that are not known.
  const isa::dialect d = dialect_of(sm80::id);
  CHECK_FALSE(loose_lift(p, {}, d).own_calls);  // g goes back to nobody
  const program only =
      built(of_lines({"MOV R1, c[0x0][0x28]", "CALL.REL.NOINC `(f)", "EXIT", "f:", "RET.REL.NODEC R20 `(f)"}));
  CHECK(loose_lift(only, {}, d).own_calls);
  CHECK(loose_lift(only, {}, d).unset_at_kernels);
  rebuild_options outside;
  outside.calls_outside = true;
  CHECK_FALSE(loose_lift(only, outside, d).own_calls);
  CHECK_FALSE(loose_lift(built(of_lines({"MOV R2, R3", "EXIT"})), {}, d).unset_at_kernels);
}

TEST_CASE("FPA-8 spilling rebuild: a branch moves to another register only where it is known to go, and where it must") {
  const program p = built(of_lines({"MOV R1, c[0x0][0x28]", "MOV R20, 0x40", "MOV R21, RZ", "CALL.REL.NOINC `(f)", "EXIT",
                                    "f:", "RET.REL.NODEC R20 `(f)"}));
  lift_workspace ws;
  lifted_program l;
  const auto fixed = [&l] {
    const std::uint32_t w = l.web_of_operand[l.code.instructions[1].first_operand];
    return l.webs[w].reason == fixed_reason::branch_operand;
  };
  REQUIRE(lift_within(p, l, ws, {.own_calls = true}, 22) == lift_fault::none);
  CHECK(fixed());
  REQUIRE(lift_within(p, l, ws, {.own_calls = true}, 21) == lift_fault::none);
  CHECK_FALSE(fixed());
  const program open =
      built(of_lines({"MOV R1, c[0x0][0x28]", "MOV R20, 0x40", "MOV R21, RZ", "RET.REL.NODEC R20 `(f)", "f:", "EXIT"}));
  REQUIRE(lift(open, l, ws, {.own_calls = true, .known_branches = true}) == lift_fault::none);
  CHECK(l.webs[l.web_of_operand[l.code.instructions[1].first_operand]].has(fixed_reason::branch_operand));
}

TEST_CASE("FPA-8 branch tables: what is loaded from them goes to branches alone") {
  const auto alone = [](const std::vector<std::string>& lines) {
    std::vector<std::string> all = lines;
    all.insert(all.end(), {".a:", "STG.E [R8.64], R10", "EXIT", ".b:", "EXIT"});
    program p = of_lines(all);
    std::vector<instr_id> readers;
    for (std::uint32_t k = 0; k < lines.size(); ++k) {
      if (lines[k].find("c[0x2]") != std::string::npos) readers.push_back(instr_id{k});
      if (p.instructions[k].op != opcode::brx) continue;
      p.tables.push_back({instr_id{k}, 0, 2});
    }
    const auto n = static_cast<std::uint32_t>(lines.size());
    p.table_targets = {instr_id{n}, instr_id{n + 2}};
    p = built(p);
    return has_tables_for_branches_only(p, {readers.data(), readers.size()});
  };
  const std::string load = "LDC R4, c[0x2][R10]", upper = "SHF.R.S32.HI R5, RZ, R4, 0x1f", go = "BRX R4 -0x160";
  CHECK(alone({load, upper, go}));
  CHECK(alone({load, "MOV R12, R11", upper, go}));
  CHECK_FALSE(alone({load, upper, "STG.E [R8.64], R4", go}));  // the address is a number too
  CHECK_FALSE(alone({load, upper, "STG.E [R8.64], R5", go}));
  CHECK_FALSE(alone({load, upper, "IADD3 R4, R4, R9, RZ", go}));    // computed with
  CHECK_FALSE(alone({load, "SHF.R.S32.HI R5, RZ, R4, 0x10", go}));  // not the upper half
  CHECK_FALSE(alone({load, "SHF.R.S32.HI R4, RZ, R4, 0x1f", go}));  // in the place of the lower one
  CHECK_FALSE(alone({load, upper, "@P0 SHF.R.S32.HI R4, RZ, R4, 0x1f", go}));
  CHECK_FALSE(alone({load, "SHF.R.S32.HI R5, R11, R4, 0x1f", go}));  // of something else besides
  CHECK_FALSE(alone({load, upper, "SHF.R.S32.HI R7, RZ, R4, 0x1f", "STG.E [R8.64], R7", go}));
  CHECK_FALSE(alone({load, upper, "MOV R6, R9", "MOV R7, RZ", "BRX R6 -0x160"}));  // goes by something else
  CHECK_FALSE(alone({load, "@P0 MOV R4, R9", upper, go}));
  CHECK_FALSE(alone({load, "LDC R12, c[0x2][R11]", "STG.E [R8.64], R12", upper, go}));  // another reader of the bank
  CHECK_FALSE(alone({"LDC.64 R4, c[0x2][R10]", go}));
  CHECK_FALSE(alone({"LDC.U8 R4, c[0x2][R10]", upper, go}));
  CHECK_FALSE(alone({"IADD3 R4, R9, c[0x2][0x0], RZ", upper, go}));
  CHECK_FALSE(alone({"LDC R4, c[0x3][R10]", upper, go}));  // no reader of the bank
  CHECK(has_tables_for_branches_only(program{}, {}));
}

TEST_CASE("FPA-8 idle moves: a register moved to itself goes, and nothing else does") {
  const auto left = [](const std::vector<std::string>& lines) {
    std::vector<std::string> all = {"MOV R2, R2"};  // the first of its block
    all.insert(all.end(), lines.begin(), lines.end());
    all.insert(all.end(), {"BRA `(.end)", ".end:", "MOV R2, R2", "EXIT"});
    program p = built(of_lines(all));
    const std::size_t before = p.order.size();
    const std::uint32_t dropped = drop_idle_moves(p);
    CHECK(p.order.size() + dropped == before);
    std::size_t next = 0;
    for (const block& b : p.blocks) {
      CHECK(b.first == next);
      CHECK(b.count > 0);
      next += b.count;
    }
    CHECK(next == p.order.size());
    return lines.size() - dropped;
  };
  for (const char* idle : {"MOV R4, R4", "@P0 MOV R4, R4", "IMAD.MOV.U32 R4, RZ, RZ, R4", "UMOV UR4, UR4"}) {
    INFO(idle);
    CHECK(left({idle}) == 0);
    CHECK(left({"MOV R5, R4", idle, "MOV R6, R5", idle, idle}) == 2);
  }
  for (const char* kept :
       {"MOV R4, R5", "MOV R4, RZ", "MOV R4, 0x4", "MOV R4, c[0x0][0x4]", "IADD3 R4, R4, RZ, RZ", "IMAD R4, R4, R4, R4",
        "IMAD.X R4, RZ, RZ, R4, P0", "IMAD R4, R5, RZ, R4", "FADD R4, R4, -RZ", "SEL R4, R4, R4, P0"}) {
    INFO(kept);
    CHECK(left({kept}) == 1);
  }
  program named = built(of_lines({"MOV R2, R2", "MOV R4, R4", "MOV R5, R5", "MOV R6, R6", "MOV R7, R7", "EXIT"}));
  named.instructions[5].target = instr_id{1};  // whoever it is
  named.leaders.push_back(instr_id{2});
  named.table_targets.push_back(instr_id{3});
  CHECK(drop_idle_moves(named) == 1);
  program none;
  CHECK(drop_idle_moves(none) == 0);
}
