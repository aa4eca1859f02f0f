// SPDX-License-Identifier: BSL-1.0
//
// Yield policies made of others (SB-6): the override by instruction and the batches of textures of the text's EncodeYieldField.
//
//   yields::limited<2, yields::observed, sched_class::mufu>   behind a MUFU the rule sees no more than two cycles of a stall, and
//                                                             so does not yield
//   yields::texture_batches<4, yields::text>                  of textures one behind the other the last of every four yields, at
//                                                             any stall, and no other
//   yields::texture_batches<4, yields::limited<...>>          both, the outer one last
//
// The text takes the limit from the instruction before, by a flag and a signed byte of its descriptor, and the size of a batch
// from a number of the back end, a quarter of it; it gives neither the kinds nor the number, so both are parameters here. It also
// shortens the stall to the limit: the kit does not, for a dependence would break (docs/deviations.md). A limit only lowers: one of
// three cycles and more changes nothing for `text`. State is of one block.
#pragma once

#include <cstdint>

#include "../isa/sched_class.hpp"
#include "yield_policy.hpp"

namespace ww::yields {

namespace detail {

template <class Base, bool There = scoreboard::names_adjust<Base>>
struct adjust_of_base {
  typename Base::adjust own;
  constexpr bool visit(sched_class of, unsigned stall, bool yields) { return own.visit(of, stall, yields); }
};
template <class Base>
struct adjust_of_base<Base, false> {
  constexpr bool visit(sched_class, unsigned, bool yields) { return yields; }
};

struct no_barriers {
  static constexpr unsigned max_stall_stay = 255;  // cycles
};

}  // namespace detail

// `Cycles`: of a stall, as much as the rule of `Base` sees of it behind an instruction of one of the classes.
template <unsigned Cycles, class Base, sched_class... Behind>
struct limited : Base {
  static constexpr const char* name = "limited";
  static_assert(sizeof...(Behind) != 0, "ww::yields::limited<Cycles, Base, Classes...>: no class to limit behind.");

  struct adjust {
    detail::adjust_of_base<Base> base;
    bool after = false;

    constexpr bool visit(sched_class of, unsigned stall, bool yields) {
      bool now = base.visit(of, stall, yields);
      if (after && stall > Cycles) now = now && Base::template yield<detail::no_barriers>(Cycles, true);
      after = ((of == Behind) || ...);
      return now;
    }
  };
};

template <unsigned Size, class Base>
struct texture_batches : Base {
  static constexpr const char* name = "texture batches";
  static_assert(Size != 0, "ww::yields::texture_batches<Size, Base>: a batch has at least one texture.");

  struct adjust {
    detail::adjust_of_base<Base> base;
    unsigned in_batch = 0;  // textures of the present one

    constexpr bool visit(sched_class of, unsigned stall, bool yields) {
      const bool now = base.visit(of, stall, yields);
      if (of != sched_class::tex && of != sched_class::tld && of != sched_class::txq) {
        in_batch = 0;
        return now;
      }
      if (++in_batch != Size) return false;
      in_batch = 0;
      return true;
    }
  };
};

}  // namespace ww::yields
