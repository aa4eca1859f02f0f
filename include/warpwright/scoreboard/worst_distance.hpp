// SPDX-License-Identifier: BSL-1.0
//
// The longest distance that any reader could need behind a fixed-latency result.
//
// Used where the reader is not known: at the end of a function whose caller is unknown, and before an opcode that is
// not known. Over a fixed set of reader classes that covers every pipe, as operand, address, descriptor, guard and
// branch condition (facts: hardware 2.7 and 9, "compute the true maximum for block ends"). A kernel has many such ends and
// few kinds of results, so that answers are kept: worst_cells, part of the workspace.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../graph/distance_memo.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"

namespace ww::scoreboard {

template <class Arch>
constexpr unsigned worst_distance(const access_point& writer) {
  using lat = typename Arch::latency;
  constexpr array readers{sched_class::alu,         sched_class::fma,    sched_class::imad_wide, sched_class::half,
                          sched_class::fp64,        sched_class::mufu,   sched_class::ldg,       sched_class::stg,
                          sched_class::hmma_medium, sched_class::branch, sched_class::ualu,      sched_class::uldc,
                          sched_class::r2ur,        sched_class::setp,   sched_class::vote};
  constexpr array slots{slot::a, slot::c, slot::address, slot::desc, slot::guard, slot::branch};
  unsigned worst = 1;
  // LEPC makes the address that a callee returns to: CALL follows once its own stall is over (observed: sm_90 to sm_120).
  if (writer.iclass == sched_class::lepc && Arch::pipes::min_stall(writer.iclass) > worst) {
    return Arch::pipes::min_stall(writer.iclass);
  }
  for (const sched_class c : readers) {
    for (const slot s : slots) {
      const bool guard = s == slot::guard;
      if (guard && writer.file != reg_file::p && writer.file != reg_file::up) continue;
      const access_point reader{c, s, writer.file, 0, guard};
      worst = meta::max<unsigned>(worst, lat::raw(writer, reader).emit);
    }
  }
  return worst;
}

struct worst_cell {
  const void* page = nullptr;  // stands for the architecture
  std::uint32_t place = 0;     // access code and register file above it
  std::uint32_t cycles = 0;
};
struct worst_cells {
  array<worst_cell, 128> cells{};
};

// The same for a result given by its access code and the register file above it.
template <class Arch>
constexpr unsigned worst_distance(std::uint32_t place, worst_cells& memory) {
  using ww::detail::access_code;
  const void* const page = &ww::detail::page_of<Arch>;
  worst_cell& cell = memory.cells[(place + static_cast<std::uint32_t>(Arch::id) * 0x9e37u) * 0x9e3779b1u >> 25u];
  if (cell.place != place || cell.page != page) {
    const std::uint32_t code = place & ((1u << access_code::bits) - 1);
    const auto file = static_cast<reg_file>(place >> access_code::bits);
    cell = {page, place, worst_distance<Arch>(access_code::point(code, file))};
  }
  return cell.cycles;
}

}  // namespace ww::scoreboard
