// SPDX-License-Identifier: BSL-1.0
//
// An own SM: six pages, of which four are taken from a shipped SM by declared reuse and two are changed.
//
// This imaginary part is an sm_80 whose FP32 pipe takes an instruction every cycle and whose global loads return four times
// later. Nothing else in the kit has to be told; the scheduler, the barrier allocator, the checker and the model follow.
#include <cstdio>
#include <warpwright/warpwright.hpp>

struct my_pipes : ww::sm80::pipes {
  static constexpr unsigned interval(ww::sched_class c) {
    return c == ww::sched_class::fma ? 1u : ww::sm80::pipes::interval(c);  // assumed: full-rate FP32
  }
};

struct my_latency : ww::sm80::latency {
  static constexpr unsigned result_estimate(ww::sched_class c, unsigned bytes) {
    const unsigned usual = ww::sm80::latency::result_estimate(c, bytes);
    return c == ww::sched_class::ldg ? 4 * usual : usual;  // assumed: far memory
  }
};

struct sm_mine {
  using role = ww::role::arch;
  static constexpr ww::sm_id id{8009};
  static constexpr const char* name = "sm_mine";
  using limits = ww::sm80::limits;  // same: declared reuse, never silent inheritance
  using pipes = my_pipes;
  using latency = my_latency;
  using barriers = ww::sm80::barriers;              // same
  using control_format = ww::sm80::control_format;  // same
  using defaults = ww::sm80::defaults;              // same
};
static_assert(ww::arch_policy<sm_mine>);

template <class Arch>
void show() {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines(R"(
      LDG.E R4, [R2.64]
      FMUL R5, R4, R6
      LDG.E R8, [R2.64+0x40]
      FMUL R9, R8, R6
      FFMA R10, R6, R6, R6
      FFMA R11, R6, R6, R7
      FFMA R12, R10, R11, R5
      FADD R12, R12, R9
      STG.E [R2.64+0x80], R12
      EXIT
  )");
  ww::program p = b.finish();
  const ww::schedule_result r = ww::scheduler<Arch, ww::occupancy::warps<1>>{}.run(p);
  std::printf("%-8s %3.0f -> %3.0f cycles, bound %3.0f, proved %d\n", Arch::name, r.cycles_before, r.cycles_after, r.bound,
              r.proved);
}

int main() {
  show<ww::sm80>();
  show<sm_mine>();
}
