// SPDX-License-Identifier: BSL-1.0
//
// A block built by hand and printed as hex: a code generator has its own encoder and no back end.
//
// It hands over each instruction with its 128-bit word, bits 105..125 (the control bits) left zero. The scheduler orders the
// block and computes the control words; placing them into the words gives machine code.
#include <cstdint>
#include <cstdio>
#include <warpwright/warpwright.hpp>

struct encoded {
  const char* text;
  std::uint64_t word[2];
};

// y = a*x + y for one thread on sm_80, as an own encoder would make it.
constexpr encoded saxpy[] = {
    {"MOV R1, c[0x0][0x28]", {0x00000a0000017a02, 0x0000000000000f00}},
    {"S2R R4, SR_TID.X", {0x0000000000047919, 0x0000000000002100}},
    {"MOV R5, 0x4", {0x0000000400057802, 0x0000000000000f00}},
    {"ULDC.64 UR4, c[0x0][0x118]", {0x0000460000047ab9, 0x0000000000000a00}},
    {"IMAD.WIDE R2, R4, R5, c[0x0][0x168]", {0x00005a0004027625, 0x00000000078e0205}},
    {"IMAD.WIDE R4, R4, R5, c[0x0][0x170]", {0x00005c0004047625, 0x00000000078e0205}},
    {"LDG.E R2, [R2.64]", {0x0000000402027981, 0x00000000001e1900}},
    {"LDG.E R7, [R4.64]", {0x0000000404077981, 0x00000000001e1900}},
    {"FFMA R7, R2, c[0x0][0x164], R7", {0x0000590002077a23, 0x0000000000000007}},
    {"STG.E [R4.64], R7", {0x0000000704007986, 0x0000000000101904}},
    {"EXIT", {0x000000000000794d, 0x0000000003800000}},
};

using sched = ww::scheduler<ww::sm80, ww::occupancy::warps<1>>;
using format = ww::sm80::control_format;

int main() {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  for (const encoded& e : saxpy) b.text(e.text, e.word);
  ww::program program = b.finish();
  if (!b.ok()) {  // after finish(), which looks for the labels
    std::printf("expected %s\n", b.first_error().expected);
    return 1;
  }
  const ww::schedule_result r = sched{}.run(program);

  for (const ww::instr_id id : program.order) {
    std::uint64_t word[2] = {program[id].word[0], program[id].word[1]};
    format::place(word, format::encode(program[id].ctl));
    std::printf("/* 0x%016llx 0x%016llx */  %s\n", static_cast<unsigned long long>(word[0]),
                static_cast<unsigned long long>(word[1]), saxpy[id.index()].text);
  }
  std::printf("%.0f cycles, bound %.0f, proved %d\n", r.cycles_after, r.bound, r.proved);
  return r.proved ? 0 : 1;
}
