// SPDX-License-Identifier: BSL-1.0
//
// The type of everything that comes out of a wrong composition.
//
// A wrong `ww::scheduler<...>` fails one static assertion at the user's line. What follows it (construction, `run`,
// reading a result) must not add a second error, so the alias still names a type: this one. It is made from
// anything, converts to anything, and calling or reading it gives another `ignore`. It exists only to be compiled:
// the program that mentions it is already rejected.
#pragma once

namespace ww::meta {

struct ignore {
  static constexpr bool composed = false;

  constexpr ignore() = default;
  template <class... Args>
  constexpr explicit ignore(Args&&...) {}

  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): never defined, never called

  template <class... Args>
  constexpr ignore operator()(Args&&...) const {
    return {};
  }
  template <class... Args>
  constexpr ignore run(Args&&...) const {
    return {};
  }
  template <class... Args>
  constexpr ignore why(Args&&...) const {
    return {};
  }
};

}  // namespace ww::meta
