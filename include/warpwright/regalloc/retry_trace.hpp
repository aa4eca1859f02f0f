// SPDX-License-Identifier: BSL-1.0
//
// What the retry driver says of its work, and the text of it (FPA-8).
//
//   no_trace      the default trace: says nothing and costs nothing
//   retry_event   an attempt without spilling, a round with it, or the failure
//   write_event   the text, piece by piece, as the text of the allocator has it, the missing letter included:
//                 R-CLASS NOSPILL REGALLOC: attemp 0, used 40, target 32
//                 R-CLASS SPILLING REGALLOC (spill), 33 used, 32 allocated
//                 Register allocation failed with register count of '32'. Compile the program with a higher register target
// A trace is a type with `static constexpr bool on = true` and a static or const note(const retry_event&).
#pragma once

#include <cstddef>
#include <cstdint>

#include "../meta/string_view.hpp"
#include "retry_mode.hpp"

namespace ww::regalloc {

struct retry_event {
  enum class kind : std::uint8_t { no_spill, spilling, failed };

  kind what = kind::no_spill;
  register_class of = register_class::r;
  bool spilled = false;       // spilling: something was put into memory in this round
  std::uint32_t attempt = 0;  // no_spill
  std::uint32_t used = 0;     // registers
  std::uint32_t target = 0;   // registers that there may be; failed: the count of the message
};

struct no_trace {
  static constexpr bool on = false;
  static constexpr void note(const retry_event&) {}
};

namespace detail {

template <class Sink>
void write_number(std::uint32_t n, Sink&& sink) {
  char digits[10];
  std::size_t at = sizeof digits;
  do {
    digits[--at] = static_cast<char>('0' + n % 10);
    n /= 10;
  } while (n != 0);
  sink(string_view(digits + at, sizeof digits - at));
}

}  // namespace detail

// `sink(string_view)` gets the pieces; no end of line.
template <class Sink>
void write_event(const retry_event& e, Sink&& sink) {
  const auto number = [&](const char* before, std::uint32_t n) {
    sink(string_view(before));
    detail::write_number(n, sink);
  };
  switch (e.what) {
    case retry_event::kind::no_spill:
      sink(string_view(name_of(e.of)));
      number("-CLASS NOSPILL REGALLOC: attemp ", e.attempt);
      number(", used ", e.used);
      number(", target ", e.target);
      return;
    case retry_event::kind::spilling:
      sink(string_view(name_of(e.of)));
      sink(string_view("-CLASS SPILLING REGALLOC ("));
      sink(string_view(e.spilled ? "spill" : "no-spill"));
      number("), ", e.used);
      number(" used, ", e.target);
      sink(string_view(" allocated"));
      return;
    case retry_event::kind::failed:
      number("Register allocation failed with register count of '", e.target);
      sink(string_view("'. Compile the program with a higher register target"));
      return;
  }
}

}  // namespace ww::regalloc
