// SPDX-License-Identifier: BSL-1.0
//
// The four control-word formats (SB-1), each a stateless policy with constexpr encode, decode and valid:
//
//   sm70_128     21 bits at bit 105 of each 128-bit instruction (sm_70 and later)
//   sm50_group   three 21-bit slots in the 64-bit word before three 64-bit instructions (sm_50..62)
//   text_slot23  the 23-bit slot of the reference text, read barriers as a mask
//   internal26   the 26-bit working layout of the reference text, with all six reuse bits
//
// control_format/internal_record.hpp, kept apart, has the still wider record in front of them and what each step loses.
// The first two are what hardware reads. The last two are layouts of the reference, kept for its record formats.
#pragma once

#include "control_format/internal26.hpp"
#include "control_format/sm50_group.hpp"
#include "control_format/sm70_128.hpp"
#include "control_format/text_slot23.hpp"
