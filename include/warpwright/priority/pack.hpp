// SPDX-License-Identifier: BSL-1.0
//
// A priority packed from bits, most significant first as written: pack<a, b, c> puts a at the top.
//
// The key of a candidate is one unsigned integer; the larger key is picked, and equal keys are decided by source
// order, so every comparison is total. A value above the largest of its field counts as that one. `table` says where each
// field lies, and `explain(x, y)` names the field that decided, by the highest bit in which two keys differ. `print(sink)`
// writes the map, one line per field:
//
//   bits 7..7  yield_related
//
// Keys depend on the state at the pick, so they are computed at each pick over the whole ready list (PLS-3: one
// pass); a priority whose key never changes while an instruction waits is priority/critical_path.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/array.hpp"
#include "../meta/role.hpp"
#include "../meta/string_view.hpp"
#include "../meta/type_list.hpp"
#include "candidate.hpp"
#include "concept.hpp"

namespace ww::priority {

struct field {
  const char* name;
  std::uint8_t low;    // lowest bit
  std::uint8_t width;  // bits
  [[nodiscard]] constexpr std::uint64_t mask() const {
    return (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) << low;
  }
};

namespace detail {
template <class Bit>
consteval unsigned width_of() {
  if constexpr (requires(const candidate& c, const pick_state& s) { Bit::value(c, s); }) {
    return unsigned{Bit::width};
  } else {
    return 1;
  }
}
template <class Bit>
constexpr std::uint64_t value_of(const candidate& c, const pick_state& s) {
  if constexpr (requires { Bit::value(c, s); }) {
    constexpr std::uint64_t most = ~std::uint64_t{0} >> (64u - width_of<Bit>());
    const std::uint64_t value = Bit::value(c, s);
    return value < most ? value : most;
  } else {
    return Bit::test(c, s) ? 1u : 0u;
  }
}
}  // namespace detail

template <class... Bits>
struct pack {
  using role = ww::role::priority;
  using bit_list = meta::type_list<Bits...>;
  static constexpr const char* name = "pack";
  static constexpr bool fixed_key = false;
  static constexpr bool all_bits = (priority_bit<Bits> && ...);
  static constexpr bool distinct = meta::unique_v<bit_list>;
  static constexpr unsigned total_bits = [] {
    if constexpr (all_bits) {
      return (0u + ... + detail::width_of<Bits>());
    } else {
      return 0u;
    }
  }();
  static constexpr bool needs_pressure = (detail::needs_pressure<Bits> || ...);
  static constexpr std::size_t field_count = sizeof...(Bits);

  static constexpr array<field, field_count> table = [] {
    array<field, field_count> t{};
    if constexpr (all_bits) {
      unsigned left = total_bits;
      std::size_t i = 0;
      ((left -= detail::width_of<Bits>(),
        t[i++] = field{Bits::name, static_cast<std::uint8_t>(left), static_cast<std::uint8_t>(detail::width_of<Bits>())}),
       ...);
    }
    return t;
  }();

  [[nodiscard, gnu::always_inline]] static constexpr std::uint64_t key(const candidate& c, const pick_state& s) {
    std::uint64_t k = 0;
    ((k = (k << (detail::width_of<Bits>() % 64u)) | detail::value_of<Bits>(c, s)), ...);
    return k;
  }

  // Field in which two keys differ first, field_count when they are equal (source order decides).
  [[nodiscard]] static constexpr unsigned explain(std::uint64_t x, std::uint64_t y) {
    const std::uint64_t differ = x ^ y;
    unsigned i = 0;
    while (i < field_count && (differ & table[i].mask()) == 0) ++i;
    return i;
  }

  [[nodiscard]] static constexpr verdict compare(const candidate& a, const candidate& b, const pick_state& s) {
    const std::uint64_t x = key(a, s);
    const std::uint64_t y = key(b, s);
    if (x != y) return {x > y, static_cast<std::uint8_t>(explain(x, y))};
    return {a.index < b.index, static_cast<std::uint8_t>(field_count)};
  }
  [[nodiscard]] static constexpr const char* reason_name(unsigned reason) {
    return reason < field_count ? table[reason].name : "source_order";
  }

  // Writes the bit map through sink(string_view).
  template <class Sink>
  static constexpr void print(Sink&& sink) {
    for (const field& f : table) {
      char line[16] = "bits ";
      std::size_t n = 5;
      const auto number = [&](unsigned v) {
        if (v >= 10) line[n++] = static_cast<char>('0' + v / 10);
        line[n++] = static_cast<char>('0' + v % 10);
      };
      number(f.low + f.width - 1u);
      line[n++] = '.';
      line[n++] = '.';
      number(f.low);
      while (n < 12) line[n++] = ' ';
      sink(string_view(line, n));
      sink(string_view(f.name));
      sink(string_view("\n"));
    }
  }
};

}  // namespace ww::priority
