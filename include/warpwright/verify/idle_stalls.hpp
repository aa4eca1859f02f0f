// SPDX-License-Identifier: BSL-1.0
//
// Two neighbours X and Y, of which X reads what Y writes: do the stalls around them say that Y was meant to stand first?
//
//   idle        a stall of three cycles or more that nothing needs (stall_reason.hpp)
//   hurried     a stall shorter than the pipe is busy, though the next instruction takes the same one
//   explained   one stall in the neighbourhood made shorter gives a reason to all that is idle there
// Schedulers give no cycle away (observed: 111 idle stalls in 119,091 instructions) and hurry nobody (observed: none of 80,000
// pairs of arithmetic for one pipe on sm_75 to sm_103), so either is evidence if it goes away in the opposite
// order. But code with one stall made longer is as legal as before and runs past all pairs across that stall, so nothing idle is
// alleged that one longer stall explains; a hurry none explains. Compilers let go of the warp where they wait for three cycles or more
// and never where they wait for one (observed: all but 27 of 49,000 stalls of arithmetic in the sm_80 and sm_90 listings), so a
// stall that lets go of the warp has not been made longer from one, and one that does not comes from one or two.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "stall_reason.hpp"

namespace ww::verify::detail {

// Does the k-th instruction of `b` keep a distance that nothing needs?
template <class Arch>
[[nodiscard]] bool idles(const program& p, const block& b, std::size_t k, const supposed& other = {}) {
  const instruction& i = other.get(p, b, k);
  if (other.of(p, b, k) < 3 || Arch::latency::variable(i.iclass) || Arch::latency::late_reader(i.iclass)) return false;
  return !other.fields(p, b, k).sets_write() && !reasoned<Arch>(p, b, k, other);
}

// Does the instruction behind the k-th of `b` come before the pipe is free that both take? Plain arithmetic only, and not where
// parts of the ALU issue every cycle (sm_120).
template <class Arch>
[[nodiscard]] bool hurries(const program& p, const block& b, std::size_t k, const supposed& other = {}) {
  using pipes = typename Arch::pipes;
  if (k + 1 >= b.count || pipes::interval(sched_class::alu_dual) == 1) return false;
  const sched_class first = other.get(p, b, k).iclass;
  const sched_class second = other.get(p, b, k + 1).iclass;
  const auto plain = [](pipe_id pipe) { return pipe == pipe_id::alu || pipe == pipe_id::fma || pipe == pipe_id::fma_heavy; };
  if (!plain(pipes::pipe_of(first)) || !plain(pipes::pipe_of(second))) return false;
  if (first == sched_class::lepc || second == sched_class::cs2r || first == sched_class::cs2r) return false;
  const unsigned stall = other.of(p, b, k);
  return stall != 0 && stall < pace<Arch>(first, second);
}

// What the stalls of the k-th instruction, the one behind it and the one before say.
struct stall_evidence {
  bool idle = false;
  bool hurried = false;

  [[nodiscard]] bool any() const { return idle || hurried; }
};
template <class Arch>
[[nodiscard]] stall_evidence stalls_around(const program& p, const block& b, std::size_t k, const supposed& other = {}) {
  stall_evidence found;
  for (std::size_t at = k == 0 ? 0 : k - 1; at < k + 2; ++at) {
    found.idle = found.idle || idles<Arch>(p, b, at, other);
    found.hurried = found.hurried || hurries<Arch>(p, b, at, other);
  }
  return found;
}

// ... of which nothing is left if the two stand in the opposite order, with their control fields or without.
template <class Arch>
[[nodiscard]] stall_evidence stalls_against(const program& p, const block& b, std::size_t k) {
  stall_evidence found = stalls_around<Arch>(p, b, k);
  // A drain stands for any stall: what it was before, and what was needed behind it, nobody knows.
  for (std::size_t at = k == 0 ? 0 : k - 1; at < k + 2; ++at) found.idle = found.idle && !p[p.order_of(b)[at]].ctl.drains();
  const bool explained = found.any() && stalls_around<Arch>(p, b, k, {nullptr, 0, &b, k, false}).any() &&
                         stalls_around<Arch>(p, b, k, {nullptr, 0, &b, k, true}).any();
  return explained ? stall_evidence{} : found;
}

// Arithmetic that lets go of the warp though it stalls for two cycles only: compilers do that once ten cycles have passed since the
// last one that let go (observed on sm_80: all of 5,156 such stalls with another one before them in their block).
template <class Arch>
[[nodiscard]] bool may_release_at_two(const program& p, const block& b, std::size_t k) {
  constexpr unsigned quiet = 10;  // cycles
  const auto order = p.order_of(b);
  unsigned since = 0;
  for (std::size_t at = k; at-- > 0 && since < quiet;) {
    const control& c = p[order[at]].ctl;
    if (c.yield) return false;
    since += c.stall;
  }
  return true;
}

// Might the compiler have given the k-th instruction of `b` the stall that it is supposed to have?
template <class Arch>
[[nodiscard]] bool plausible(const program& p, const block& b, std::size_t k, const supposed& other) {
  const control& c = p[p.order_of(b)[k]].ctl;
  const bool released = !c.drains() && c.yield && c.stall <= 11;
  if (other.stall == 1) return !released && !hurries<Arch>(p, b, k, other);
  if (other.stall > 2 && !c.drains() && !c.yield && c.stall <= 11) return false;
  if (other.stall == 2 && released) return may_release_at_two<Arch>(p, b, k);  // with a reason or without
  return reasoned<Arch>(p, b, k, other);
}

// Is there one stall whose length alone makes idle whatever is idle among the instructions [begin, end) of `b`?
template <class Arch>
[[nodiscard]] bool one_stall_explains(const program& p, const block& b, std::size_t begin, std::size_t end) {
  constexpr std::size_t near = 12;   // instructions of the block looked at before these
  constexpr std::size_t beyond = 6;  // and of each block before, where it begins sooner
  constexpr unsigned drained = 16;   // a drain stands for any stall
  const auto explains = [&](const block& in, std::size_t position) {
    const instruction& i = p[p.order_of(in)[position]];
    const unsigned length = i.ctl.drains() ? drained : i.ctl.stall;
    for (unsigned shorter = 1; shorter < length; ++shorter) {
      const supposed other{&i, shorter};
      bool rest = !plausible<Arch>(p, in, position, other);
      for (std::size_t at = begin; at < end && !rest; ++at) rest = idles<Arch>(p, b, at, other);
      if (!rest) return true;
    }
    return false;
  };
  const auto any = [&](const block& in, std::size_t from, std::size_t to) {
    for (; from < to; ++from) {
      if (explains(in, from)) return true;
    }
    return false;
  };
  if (any(b, begin < near ? 0 : begin - near, end)) return true;
  if (begin >= near) return false;
  for (const std::uint32_t e : p.pred_edges_of(b)) {
    const block& from = p[p.edges[e].from];
    if (any(from, from.count < beyond ? 0 : from.count - beyond, from.count)) return true;
  }
  return false;
}

// The k-th instruction of `b` is X, the one behind it Y. Who is before them counts if it stands as far from X as it would have to
// from Y. Asked of few pairs only: it tries every shorter stall nearby.
template <class Arch>
[[nodiscard]] bool unexplained(const program& p, const block& b, std::size_t k) {
  std::size_t begin = k;
  if (k > 0) {
    const auto order = p.order_of(b);
    const instruction& before = p[order[k - 1]];
    const wanted need = needed<Arch>(p, before, p[order[k + 1]]);
    if (before.ctl.stall <= meta::max(need.least, need.safe)) begin = k - 1;
  }
  return !one_stall_explains<Arch>(p, b, begin, k + 2);
}

}  // namespace ww::verify::detail
