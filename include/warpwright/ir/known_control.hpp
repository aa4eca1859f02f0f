// SPDX-License-Identifier: BSL-1.0
//
// Whether the control words of a program mean anything. A listing without hex has none; one whose words were wiped out has
// words that say nothing: they are all the same, or nobody raises a counter.
//
// Who makes new words asks first: some roles of instructions can be read off the counters that they raised (a fence, an
// asynchronous copy), and off nothing else.
#pragma once

#include "program.hpp"

namespace ww {

// Whether the control words of a program say which counters mean something. They do not where none were read, where nobody
// raises a counter, and where all are the same: such words have been wiped out.
[[nodiscard]] constexpr bool control_is_known(const program& p) {
  if (!p.has_control) return false;
  const instruction* first = nullptr;
  bool differ = false;
  bool raised = false;
  for (const instruction& i : p.instructions) {
    if (i.has(iflag::padding)) continue;
    if (first == nullptr) first = &i;
    const control& a = first->ctl;
    const control& b = i.ctl;
    differ = differ || a.stall != b.stall || a.write_barrier != b.write_barrier || a.read_barrier != b.read_barrier ||
             a.wait_mask != b.wait_mask;
    raised = raised || b.sets_write() || b.sets_read();
    if (differ && raised) return true;  // soon, in compiled code
  }
  return first != nullptr && first == &p.instructions.back() && raised;  // a single instruction
}

}  // namespace ww
