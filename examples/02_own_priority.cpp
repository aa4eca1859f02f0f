// SPDX-License-Identifier: BSL-1.0
//
// An own priority bit in ten lines: a struct with a name and one function, and no other file is touched.
//
// `short_reach` prefers what ends soon. It is packed below "is on the critical path" and above the height, and the composed
// scheduler says what its order costs beside the default one.
#include <cstdio>
#include <string_view>
#include <type_traits>
#include <warpwright/warpwright.hpp>

struct short_reach {
  static constexpr const char* name = "short_reach";
  // Prefer what ends soon: an instruction with at most 12 cycles below it.
  static constexpr bool test(const ww::priority::candidate& c, const ww::priority::pick_state&) { return c.height <= 12; }
};

using bits = ww::priority::pack<ww::priority::bits::stall_free, ww::priority::bits::critical_path, short_reach,
                                ww::priority::bits::height_field<12>>;
struct my_priority : bits {};

using usual = ww::scheduler<ww::sm80, ww::occupancy::warps<1>>;
using mine = ww::scheduler<ww::sm80, ww::occupancy::warps<1>, my_priority>;

// The order of the arguments does not matter: these are one type.
static_assert(std::is_same_v<mine, ww::scheduler<my_priority, ww::occupancy::warps<1>, ww::sm80>>);

static ww::program dot_product() {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  b.lines(R"(
      LDG.E.128 R4, [R2.64]
      LDG.E.128 R8, [R2.64+0x10]
      LDG.E.128 R12, [R16.64]
      LDG.E.128 R20, [R16.64+0x10]
      FMUL R24, R4, R12
      FFMA R24, R5, R13, R24
      FFMA R24, R6, R14, R24
      FFMA R24, R7, R15, R24
      FMUL R25, R8, R20
      FFMA R25, R9, R21, R25
      FFMA R25, R10, R22, R25
      FFMA R25, R11, R23, R25
      FADD R24, R24, R25
      STG.E [R18.64], R24
      EXIT
  )");
  return b.finish();
}

int main() {
  bits::print([](std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); });
  ww::program a = dot_product();
  ww::program b = a;
  const ww::schedule_result u = usual{}.run(a);
  const ww::schedule_result m = mine{}.run(b);
  std::printf("default:     %.0f -> %.0f cycles, bound %.0f\n", u.cycles_before, u.cycles_after, u.bound);
  std::printf("my_priority: %.0f -> %.0f cycles, bound %.0f\n", m.cycles_before, m.cycles_after, m.bound);
  std::printf("order of my_priority:");
  for (const ww::instr_id id : b.order) std::printf(" %u", id.index());
  std::printf("\n");
  return u.proved && m.proved ? 0 : 1;
}
