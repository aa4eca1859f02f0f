// SPDX-License-Identifier: BSL-1.0
//
// What the hazard checker says: one value per defect.
//
//   first, second   the two instructions of the pair, in the order in which they execute (`second` alone where one
//                   instruction is wrong by itself)
//   target          the register that carries the dependence, if any
//   distance        least issue distance of the pair over all paths, in cycles; saturates beyond the longest fixed latency
//   short_by        cycles that the distance lacks, 0 where a counter is missing
//   counter         the dependency counter that should have been waited for, `control::no_barrier` if none covers the event
//   severity        `finding` alleges a defect; `note` is worth reading and never fails a check
//   evidence        where the requirement comes from: an assumed number makes a finding only where nothing is read so soon
//
// Findings are ordered by (second, first, register, kind) and there is at most one per such key.
#pragma once

#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../ir/control.hpp"
#include "../ir/ids.hpp"
#include "../ir/reg.hpp"

namespace ww::verify {

enum class finding_kind : std::uint8_t {
  // dependences
  raw_distance,  // a fixed-latency result is read too early
  raw_counter,   // a variable-latency result is read and no wait covers it
  war_distance,  // a source is overwritten before a fixed-latency reader has read it
  war_counter,   // a source is overwritten while a late reader may still read it
  waw_distance,  // two fixed-latency results can land in the wrong order
  waw_counter,   // a register is written while a variable-latency result is still to land in it
  set_to_wait,   // the wait stands so close behind the set that it cannot see it
  // one instruction by itself
  issue_code,     // stall and yield form a code that the hardware does not define
  counter_index,  // a barrier field names a counter that does not exist
  reserved_bits,  // reserved bits of the control field are set
  own_stall,      // stall below the least that an instruction of this class may carry
  depbar_count,   // DEPBAR with a count larger than the counter can hold
  reuse_code,     // reuse flag with an issue code that drops it
  reuse_operand,  // reuse flag on an instruction or a slot that has no reusable operand
  reuse_stale,    // a register kept by a reuse flag is written before the flag's reader
  fence_wait,     // a fence raises a counter, and who is right behind it does not wait; or nobody waits for what it orders
  fixed_counter,  // a write barrier on an instruction that has no late result
  other_words,    // the encoding is that of another instruction than the text, which was followed
  // properties that all compiler output has; see docs/verify.md
  undefined_read,   // no path has written the register
  dead_result,      // every result is overwritten or forgotten on all paths, and there is no side effect
  dead_carry,       // a carry is computed that nothing reads
  exchanged_pair,   // a dead result whose reader stands right before it, spaced as if it stood behind
  unused_counter,   // a write barrier whose counter no path waits for
  drained_counter,  // a counted event is covered by a drain (stall 0) only
  idle_wait,        // a wait for a counter that no path has set
  count
};

inline constexpr unsigned finding_kind_count = static_cast<unsigned>(finding_kind::count);

[[nodiscard]] constexpr const char* name(finding_kind k) {
  constexpr const char* names[finding_kind_count] = {
      "raw_distance",   "raw_counter",    "war_distance",    "war_counter", "waw_distance",   "waw_counter", "set_to_wait",
      "issue_code",     "counter_index",  "reserved_bits",   "own_stall",   "depbar_count",   "reuse_code",  "reuse_operand",
      "reuse_stale",    "fence_wait",     "fixed_counter",   "other_words", "undefined_read", "dead_result", "dead_carry",
      "exchanged_pair", "unused_counter", "drained_counter", "idle_wait"};
  return static_cast<unsigned>(k) < finding_kind_count ? names[static_cast<unsigned>(k)] : "?";
}

static_assert(name(finding_kind::idle_wait)[0] == 'i', "a name for each kind, in order");

enum class severity : std::uint8_t { note, finding };

struct finding {
  finding_kind kind = finding_kind::raw_distance;
  verify::severity level = severity::finding;
  provenance evidence = provenance::observed;
  std::uint8_t counter = control::no_barrier;
  std::uint16_t distance = 0;
  std::uint16_t short_by = 0;
  std::uint16_t required = 0;  // cycles, where a distance is short
  instr_id first;
  instr_id second;
  reg target{reg_file::none, 0};

  friend constexpr bool operator==(const finding&, const finding&) = default;
};

namespace detail {

// A finding about one instruction.
[[nodiscard]] inline finding about(finding_kind k, severity s, instr_id i, provenance e) {
  finding f;
  f.kind = k;
  f.level = s;
  f.evidence = e;
  f.second = i;
  return f;
}

}  // namespace detail

}  // namespace ww::verify
