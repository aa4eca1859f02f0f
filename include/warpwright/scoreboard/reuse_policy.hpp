// SPDX-License-Identifier: BSL-1.0
//
// Which operand-reuse flags a program gets (SB-4). Each policy is an empty type of role reuse_policy.
//
//   reuse::as_compiler  (default) a flag wherever the next reader takes the same register, as the compiler does: the rule of
//                       reuse.hpp gives all flags of the compiled listings, and no others (docs/scoreboard.md)
//   reuse::set          of those only the flags that save a register-bank conflict, and none over a wait
//   reuse::keep         of those only the ones that the program already had
//   reuse::clear        none
// A flag is made only where its value is proved current, whatever the policy. What a policy says:
//   sets            flags are set at all
//   fresh           flags are made from nothing; false = only where the instruction came with one
//   conflicts_only  only where the read that is saved shortens the reading of the fullest bank
//   over_waits      also where an instruction up to the reader waits for a counter: the warp may be switched there, and a
//                   kept value is then lost (a lost benefit, never a wrong value)
#pragma once

#include "../meta/pick.hpp"
#include "../meta/role.hpp"
#include "../meta/traits.hpp"

namespace ww::scoreboard {
template <class R>
concept reuse_chooser = requires {
  { R::name } -> meta::convertible_to<const char*>;
  typename meta::constant<bool{R::sets} + bool{R::fresh} + bool{R::conflicts_only} + bool{R::over_waits}>;
};
}  // namespace ww::scoreboard

template <>
struct ww::meta::role_page<ww::role::reuse_policy> {
  template <class P, class>
  static constexpr bool filled = ww::scoreboard::reuse_chooser<P>;
};

namespace ww::reuse {

struct as_compiler {
  using role = ww::role::reuse_policy;
  static constexpr const char* name = "as_compiler";
  static constexpr bool sets = true;
  static constexpr bool fresh = true;
  static constexpr bool conflicts_only = false;
  static constexpr bool over_waits = true;
};

struct set {
  using role = ww::role::reuse_policy;
  static constexpr const char* name = "set";
  static constexpr bool sets = true;
  static constexpr bool fresh = true;
  static constexpr bool conflicts_only = true;
  static constexpr bool over_waits = false;
};

struct keep {
  using role = ww::role::reuse_policy;
  static constexpr const char* name = "keep";
  static constexpr bool sets = true;
  static constexpr bool fresh = false;
  static constexpr bool conflicts_only = false;
  static constexpr bool over_waits = true;
};

struct clear {
  using role = ww::role::reuse_policy;
  static constexpr const char* name = "clear";
  static constexpr bool sets = false;
  static constexpr bool fresh = false;
  static constexpr bool conflicts_only = false;
  static constexpr bool over_waits = false;
};

}  // namespace ww::reuse
