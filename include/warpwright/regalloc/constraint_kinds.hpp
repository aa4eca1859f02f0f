// SPDX-License-Identifier: BSL-1.0
//
// The constraint kinds: what each adds to the pressure of which slots (FPA-4).
//
//   0 point            the target's slots                 1 exclude_one        one slot
//   2 exclude_all_but  every slot but one                 3 below_point        every slot below
//   5 paired_low       the low half of the target's pair  6 paired_high        its high half
//   7 aligned_pair     both halves                        8 phi                every second slot, the target's among them
//  11 even_parity      odd slots                         12 odd_parity         even slots
//  13 parity_group     of a target at an even slot, every slot but the odd one of its pair
//  14 parity_extended  of a target at an odd slot, every slot but the even one of its pair
//  15 range            the second cost of every slot but the target's
//   4, 9, 10 reserved<Type, Hook>: the hook's business
//  33 other_bank       own: the second cost of slots of the target's parity
//  34 apart            own: the second cost of the target's slots
//  32 part_point    own: starts at given distances from the target, which make parts of both meet (web_interference.hpp)
// A kind has `type`, `name`, `interferes` (register against register, for the ordering) and accumulate(view, place). A kind
// that is not soft blocks the slots it adds to; phi, range and reserved kinds never do by themselves. kinds<...> is a list,
// and the first kind of a type counts: kinds<mine, point, ...> or extend<constraint_kinds, mine> replaces a shipped one.
#pragma once

#include <cstdint>

#include "pressure_arrays.hpp"
#include "role.hpp"

namespace ww::regalloc {

// Where the target of a constraint is, in slots of the register that is being placed.
struct target_place {
  std::int64_t slot = 0;
  std::int64_t extent = 1;  // slots
  std::int64_t unit = 1;    // slots of one physical register: 2 where slots are halves
  std::int32_t weight = 0;
  bool hard = true;
  std::int64_t low = 0;  // of part_point: distances from `slot`
  std::int64_t high = 0;

  [[nodiscard]] std::int64_t pair() const { return slot - (slot & 1); }
};

struct point {
  static constexpr std::uint8_t type = 0;
  static constexpr const char* name = "point";
  static constexpr bool interferes = true;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_covering(t.slot, t.slot + t.extent, t.weight, t.hard);
  }
};

struct exclude_one {
  static constexpr std::uint8_t type = 1;
  static constexpr const char* name = "exclude_one";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_covering(t.slot, t.slot + (t.extent < t.unit ? t.extent : t.unit), t.weight, t.hard);
  }
};

struct exclude_all_but {
  static constexpr std::uint8_t type = 2;
  static constexpr const char* name = "exclude_all_but";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_all_but(t.slot, t.weight, t.hard);
  }
};

struct below_point {
  static constexpr std::uint8_t type = 3;
  static constexpr const char* name = "below_point";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add(0, t.slot, t.weight, t.hard);
  }
};

struct paired_low {
  static constexpr std::uint8_t type = 5;
  static constexpr const char* name = "paired_low";
  static constexpr bool interferes = true;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    const std::int64_t half = v.pairing == pair_mode::doubled ? 2 : 1;
    v.add_covering(t.pair(), t.pair() + half, t.weight, t.hard);
  }
};

struct paired_high {
  static constexpr std::uint8_t type = 6;
  static constexpr const char* name = "paired_high";
  static constexpr bool interferes = true;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_covering(t.pair() + 1, t.pair() + 2, t.weight, t.hard);
  }
};

struct aligned_pair {
  static constexpr std::uint8_t type = 7;
  static constexpr const char* name = "aligned_pair";
  static constexpr bool interferes = true;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_covering(t.pair(), t.pair() + 2, t.weight, t.hard);
  }
};

struct phi {
  static constexpr std::uint8_t type = 8;
  static constexpr const char* name = "phi";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_alternate((t.slot & 1) != 0, t.weight, false);
  }
};

struct even_parity {
  static constexpr std::uint8_t type = 11;
  static constexpr const char* name = "even_parity";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_alternate(true, t.weight, t.hard);
  }
};

struct odd_parity {
  static constexpr std::uint8_t type = 12;
  static constexpr const char* name = "odd_parity";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_alternate(false, t.weight, t.hard);
  }
};

struct parity_group {
  static constexpr std::uint8_t type = 13;
  static constexpr const char* name = "parity_group";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    if ((t.slot & 1) == 0) v.add_all_but(t.slot + 1, t.weight, t.hard);
  }
};

struct parity_extended {
  static constexpr std::uint8_t type = 14;
  static constexpr const char* name = "parity_extended";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    if ((t.slot & 1) != 0) v.add_all_but(t.slot - 1, t.weight, t.hard);
  }
};

struct range {
  static constexpr std::uint8_t type = 15;
  static constexpr const char* name = "range";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_secondary(0, t.slot, t.weight);
    v.add_secondary(t.slot + v.width, v.entries, t.weight);
  }
};

// Point interference of parts: of two wide registers only some slots are live together. A start from `low` to `high` slots
// behind the target's makes those meet. Types from 32 on are the kit's own.
struct part_point {
  static constexpr std::uint8_t type = 32;
  static constexpr const char* name = "part_point";
  static constexpr bool interferes = true;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add(t.slot + t.low, t.slot + t.high + 1, t.weight, t.hard);
  }
};

// A wish for another bank than the target's, where even and odd registers are in different ones.
struct other_bank {
  static constexpr std::uint8_t type = 33;
  static constexpr const char* name = "other_bank";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_secondary_alternate((t.slot & 1) != 0, t.weight);
  }
};

// A wish for none of the target's registers.
struct apart {
  static constexpr std::uint8_t type = 34;
  static constexpr const char* name = "apart";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_secondary(t.slot - v.width + 1, t.slot + t.extent, t.weight);
  }
};

// A hook that does nothing.
struct no_effect {
  template <class View>
  static void accumulate(View&, const target_place&) {}
};

template <std::uint8_t Type, class Hook = no_effect>
struct reserved {
  static constexpr std::uint8_t type = Type;
  static constexpr const char* name = "reserved";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    Hook::accumulate(v, t);
  }
};

// The second reading of kinds 1, 11 and 12: their loops, which speak for one slot and against all others.
namespace by_loop {

struct exclude_one : exclude_all_but {
  static constexpr std::uint8_t type = 1;
  static constexpr const char* name = "exclude_one_by_loop";
};
struct even_parity : exclude_all_but {
  static constexpr std::uint8_t type = 11;
  static constexpr const char* name = "even_parity_by_loop";
};
struct odd_parity {
  static constexpr std::uint8_t type = 12;
  static constexpr const char* name = "odd_parity_by_loop";
  static constexpr bool interferes = false;
  template <class View>
  static void accumulate(View& v, const target_place& t) {
    v.add_all_but(t.slot ^ 1, t.weight, t.hard);
  }
};

}  // namespace by_loop

template <class... Ks>
struct kinds {
  using role = role::kinds;

  // False: no kind of this type is known.
  template <class View>
  static bool accumulate(std::uint8_t type, View& v, const target_place& t) {
    return ((type == Ks::type && (Ks::accumulate(v, t), true)) || ...);
  }
  [[nodiscard]] static constexpr bool interferes(std::uint8_t type) {
    bool result = false;
    static_cast<void>(((type == Ks::type && (result = Ks::interferes, true)) || ...));
    return result;
  }
};

using constraint_kinds = kinds<point, exclude_one, exclude_all_but, below_point, reserved<4>, paired_low, paired_high,
                               aligned_pair, phi, reserved<9>, reserved<10>, even_parity, odd_parity, parity_group,
                               parity_extended, range, part_point, other_bank, apart>;

namespace detail {
template <class List, class... Own>
struct extended;
template <class... Ks, class... Own>
struct extended<kinds<Ks...>, Own...> {
  using type = kinds<Own..., Ks...>;
};
}  // namespace detail

template <class List, class... Own>
using extend = typename detail::extended<List, Own...>::type;

using constraint_kinds_by_loop = extend<constraint_kinds, by_loop::exclude_one, by_loop::even_parity, by_loop::odd_parity>;

}  // namespace ww::regalloc
