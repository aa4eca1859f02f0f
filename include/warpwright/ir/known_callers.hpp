// SPDX-License-Identifier: BSL-1.0
//
// Who comes to the first block of a part of the code, where that can be told from the program alone.
//
//   starts_kernel(p, b)    the first block of a kernel: the machine starts threads there, and nobody calls it
//   is_only_called(p, b)   the first block of a function that is no kernel and is entered by calls of this program, all of them known.
//                          (build_cfg() makes `call` edges for such functions only, and `ret` edges back from them)
//   has_own_calls_only(p)  each call enters a function of the program, or is a jump, and each RET goes back to known places
// That a function with known calls has no others is assumed: callers in other sections, and addresses of functions in data, are
// for whoever has the whole file to see (sass/module.hpp: externals, names_places).
// Time is linear in the predecessors of the block, or in blocks.
#pragma once

#include <cstdint>

#include "program.hpp"

namespace ww {

namespace detail {

[[nodiscard]] constexpr bool has_call_edge(const program& p, const block& b) {
  for (const std::uint32_t e : p.pred_edges_of(b)) {
    if (p.edges[e].kind == edge_kind::call) return true;
  }
  return false;
}

// The function that a block is the first of, or null.
[[nodiscard]] constexpr const function* function_from(const program& p, block_id b) {
  const function_id f = p[b].function;
  if (!p[b].entry || !f.valid() || f.index() >= p.functions.size()) return nullptr;
  return p.functions[f.index()].first_block == b ? &p.functions[f.index()] : nullptr;
}

}  // namespace detail

// `b` must be a block of `p`, which has predecessors.
[[nodiscard]] constexpr bool starts_kernel(const program& p, block_id b) {
  const function* const f = detail::function_from(p, b);
  return f != nullptr && f->kernel && !detail::has_call_edge(p, p[b]);
}
[[nodiscard]] constexpr bool is_only_called(const program& p, block_id b) {
  const function* const f = detail::function_from(p, b);
  return f != nullptr && !f->kernel && detail::has_call_edge(p, p[b]);
}

// `p` has blocks.
[[nodiscard]] constexpr bool has_own_calls_only(const program& p) {
  for (const block& b : p.blocks) {
    if (!b.open_exit || b.count == 0) continue;
    const instruction& last = p[p.order[b.first + b.count - 1]];
    if (last.has(iflag::call) || last.has(iflag::ret)) return false;
  }
  return true;
}

}  // namespace ww
