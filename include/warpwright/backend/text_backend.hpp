// SPDX-License-Identifier: BSL-1.0
//
// Which backend the reference text runs on an SM (PLS-15), chosen at compile time.
//
//   stage           sm_50 to sm_75      sm_80 and later
//   codec           none                B
//   pre-schedule    A                   C, before allocation
//   post-schedule   A                   C, after allocation
//
//   text_backend<Arch>           by the architecture's defaults page; `strategy` goes into ww::scheduler
//   text_backend<Arch, Select>   by a policy: backend::always<backend_kind::a>, backend::codec_everywhere (the text's knob
//                                that runs B on any SM), or one of the user's own with the same two members
// A is the unified engine (schedule/unified/). ww::scheduler<Arch> itself does not ask this table: its default is the list
// engine on every SM (docs/deviations.md).
#pragma once

#include <type_traits>

#include "../arch/backend.hpp"
#include "../schedule/unified/unified.hpp"
#include "backend_b.hpp"
#include "backend_bc.hpp"
#include "backend_c.hpp"

namespace ww {

namespace backend {

// The dispatch of the text.
struct by_architecture {
  template <class Arch>
  static constexpr backend_kind kind = Arch::defaults::backend;
  template <class Arch>
  static constexpr bool codec = kind<Arch> == backend_kind::bc;
};

// One backend for all SMs.
template <backend_kind Kind>
struct always {
  template <class Arch>
  static constexpr backend_kind kind = Kind;
  template <class Arch>
  static constexpr bool codec = Kind == backend_kind::bc;
};

// B runs on every SM, the rest as usual.
struct codec_everywhere : by_architecture {
  template <class Arch>
  static constexpr bool codec = true;
};

// A stage that an SM does not have.
struct no_stage {
  static constexpr const char* name = "none";
};

}  // namespace backend

template <class Arch, class Select = backend::by_architecture>
struct text_backend {
  static constexpr backend_kind kind = Select::template kind<Arch>;
  static constexpr bool has_codec = Select::template codec<Arch>;
  static constexpr bool is_a = kind == backend_kind::a;

  using codec = std::conditional_t<has_codec, ww::strategy::backend_b, backend::no_stage>;
  using pre_schedule = std::conditional_t<is_a, ww::strategy::unified, ww::strategy::backend_c_pre>;
  using post_schedule = std::conditional_t<is_a, ww::strategy::unified, ww::strategy::backend_c>;

  // All stages that order already allocated code, as one strategy.
  using strategy = std::conditional_t<is_a, std::conditional_t<has_codec, ww::strategy::backend_b, ww::strategy::unified>,
                                      std::conditional_t<has_codec, ww::strategy::backend_bc, ww::strategy::backend_c>>;
};

}  // namespace ww
