// SPDX-License-Identifier: BSL-1.0
//
// The whole check of a program that somebody else has made, compiled or written.
//
//   auto r = ww::verify::check<ww::sm90>(program);      if (!r.clean()) for (const auto& f : r.findings) ...
//
//   hazards      what is wrong for the hardware: verify/check_hazards.hpp
//   lints        what compiled code never does, such as results that nobody takes: verify/lints.hpp
//   idle waits   waits for counters that nobody has raised: verify/idle_waits.hpp, notes
//   other words  an encoding that is that of another instruction than the text: verify/other_words.hpp, notes
// The core asks for hazards only, because it knows the order of what it makes; this header comes with tools.hpp.
#pragma once

#include <cstdint>

#include "../meta/vec.hpp"
#include "check_hazards.hpp"
#include "idle_waits.hpp"
#include "lints.hpp"
#include "other_words.hpp"

namespace ww::verify {

// Memory of a check, reused from call to call.
struct workspace : hazard_workspace {
  lint_memory lints;
  vec<std::uint8_t> may_set;
};

template <class Arch>
[[nodiscard]] report check(const program& p, const options& o, workspace& w) {
  report r = detail::collect_hazards<Arch>(p, o, w);
  if (o.lints) check_lints<Arch>(p, w.blocks, w.lints, r.findings);
  if (o.encoding && o.notes) note_other_words<Arch>(p, r.findings);
  if (o.lints && o.notes) note_idle_waits(p, w.may_set, r.findings);
  detail::tidy(r.findings, o.notes);
  return r;
}

template <class Arch>
[[nodiscard]] report check(const program& p, const options& o = {}) {
  workspace w;
  return check<Arch>(p, o, w);
}

}  // namespace ww::verify
