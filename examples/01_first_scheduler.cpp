// SPDX-License-Identifier: BSL-1.0
//
// First scheduler: build a small program in memory, name an SM, run.
//
// Two loads feed two dependent chains. The defaults of sm_90 issue both loads before either result is needed, and write the
// stall counts, barriers and wait masks that the hardware does not find out by itself.
#include <cstdio>
#include <warpwright/warpwright.hpp>

using sched = ww::scheduler<ww::sm90>;

int main() {
  ww::isa::builder b(ww::dialect_of(ww::sm90::id));
  b.lines(R"(
      LDG.E R4, desc[UR4][R2.64]
      FMUL R5, R4, R4
      FADD R5, R5, R6
      LDG.E R8, desc[UR4][R2.64+0x100]
      FMUL R9, R8, R8
      FADD R9, R9, R6
      FADD R10, R5, R9
      STG.E desc[UR4][R2.64+0x200], R10
      EXIT
  )");
  ww::program program = b.finish();
  if (!b.ok()) {  // after finish(), which looks for the labels
    std::printf("line %u: expected %s\n", b.first_error().line, b.first_error().expected);
    return 1;
  }
  const ww::schedule_result r = sched{}.run(program, {.warps = 1});

  for (const ww::instr_id id : program.order) {
    const ww::instruction& i = program[id];
    std::printf("%u %-6.*s stall %2u %c", id.index(), static_cast<int>(ww::isa::name(i.op).size()),
                ww::isa::name(i.op).data(), i.ctl.stall, i.ctl.yield ? 'Y' : '-');
    if (i.ctl.sets_write()) std::printf("  sets SB%u", i.ctl.write_barrier);
    if (i.ctl.wait_mask != 0) std::printf("  waits 0x%02x", i.ctl.wait_mask);
    std::printf("\n");
  }
  std::printf("cycles %.0f -> %.0f, bound %.0f, proved %d\n", r.cycles_before, r.cycles_after, r.bound, r.proved);
  return r.proved ? 0 : 1;
}
