// SPDX-License-Identifier: BSL-1.0
//
// What a check looks at.
//
//   dependences  the data flow over stalls, counters and reads: the hazards proper
//   encoding     issue codes, counter indices, reserved bits, own stalls, reuse flags
//   lints        properties that all compiler output has (docs/verify.md); sensible for whole programs, not for fragments
//   notes        also report what is worth reading but no defect
#pragma once

namespace ww::verify {

struct options {
  bool dependences = true;
  bool encoding = true;
  bool lints = true;
  bool notes = false;
};

}  // namespace ww::verify
