// SPDX-License-Identifier: BSL-1.0
//
// How soon results and reads of an instruction can be announced inside its block, whatever the order and the words: what the
// lower bound (bound.hpp) may count on.
//
//   result   its own estimate: queues land in order in the simulation too (warp_state.hpp), and what else may be announced by
//            a later one of its kind (matrix operations) is not announced sooner
//   read     its own estimate, or less where something else says that the sources have been read: its result, a later
//            instruction of the same queue, a barrier. (A copy to shared memory and BSYNC can say so too, but not sooner.)
// What is later issues a cycle later at the soonest, or together with it where two may (sm_50..62). These are the rules by which
// the checker (verify/flight_board.hpp) finds words legal, taken generously: an order in which the other one stands later need
// not exist.
// Where DEPBAR counts further than the simulation can tell landings apart (machine.hpp) nothing is known of results.
#pragma once

#include <cstdint>

#include "../arch/concept.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/array.hpp"
#include "class_facts.hpp"
#include "machine.hpp"

namespace ww::model {

// Least own stall that legal words have. Generated ones keep Arch::pipes::min_stall; compilers give one cycle to some (compiled
// code of the corpus: 36 CALL under a guard on sm_50 to sm_89, all 6 BPT of sm_90, 3 fences of sm_90; of libraries: one BREAK of
// sm_90a).
template <class Arch>
[[nodiscard]] constexpr std::int32_t least_stall(sched_class c) {
  if (c == sched_class::call || c == sched_class::bpt || c == sched_class::fence || c == sched_class::brk) return 1;
  const auto own = static_cast<std::int32_t>(unsigned{Arch::pipes::min_stall(c)});
  return own > 1 ? own : 1;
}
// What leaves nothing has no such stall (compiled code, sm_90 to sm_121: PREEXIT 186 and ACQBULK 226 of some 400 and 450).
template <class Arch>
[[nodiscard]] constexpr std::int32_t least_stall(const instruction& i) {
  return i.iclass == sched_class::exit && !i.has(iflag::exit) ? 1 : least_stall<Arch>(i.iclass);
}

// Two instructions may issue together (sm_50 to sm_62): there is a code for stall 0.
template <class Arch>
inline constexpr bool issues_pairs = Arch::control_format::valid(Arch::control_format::encode(control{.stall = 0}));

template <class Arch>
class announcements {
 public:
  void gather(const program& p, const block& k) {
    least_read_.fill(never);
    least_result_.fill(never);
    barrier_ = never;
    unsigned counted = 0;
    bool counts = false;
    for (const instr_id id : p.order_of(k)) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      const class_fact& f = facts_[static_cast<unsigned>(i.iclass)];
      const unsigned size = size_index(i.mem_bytes);
      if (f.variable) {
        ++counted;
        lower(least_result_[place(f.write_queue, f.pipe)], f.result[size]);
      }
      lower(least_read_[place(f.read_queue, f.pipe)], f.read[size]);
      if (i.iclass == sched_class::bar) lower(barrier_, least_stall<Arch>(i.iclass));
      counts = counts || i.iclass == sched_class::depbar;
    }
    untold_ = counts && counted > counter_file::kept;
  }

  // Cycles after its issue, at least.
  [[nodiscard]] std::int32_t result(const instruction& i, const class_fact& f, reg_file file) const {
    if (untold_) return 1;
    const unsigned size = size_index(i.mem_bytes);
    std::int32_t t = f.result[size];
    // The predicate of an atomic comes with its reads (verify/class_table.hpp).
    if (i.iclass == sched_class::atom && file == reg_file::p) lower(t, read(i, f));
    return t;
  }
  [[nodiscard]] std::int32_t read(const instruction& i, const class_fact& f) const {
    if (untold_) return 1;
    const unsigned size = size_index(i.mem_bytes);
    std::int32_t t = f.read[size];
    if (f.variable) lower(t, f.result[size]);
    if (f.read_queue != queue_id::none) lower(t, behind(least_read_[place(f.read_queue, f.pipe)], next));
    if (f.write_queue != queue_id::none) lower(t, behind(least_result_[place(f.write_queue, f.pipe)], next));
    lower(t, behind(barrier_, next));
    return t;
  }

 private:
  static constexpr std::int32_t never = 0x7fffffff;
  static constexpr std::size_t queues = static_cast<std::size_t>(queue_id::count);

  static constexpr std::int32_t next = issues_pairs<Arch> ? 0 : 1;  // from one instruction to the next

  static constexpr std::int32_t behind(std::int32_t t, std::int32_t by) { return t == never ? never : t + by; }
  static constexpr void lower(std::int32_t& least, std::int32_t t) { least = meta::min(least, t); }
  // `own` is one queue per class; classes of one pipe are taken together, for some do cover each other.
  static constexpr std::size_t place(queue_id q, pipe_id pipe) {
    return q == queue_id::own ? queues + static_cast<std::size_t>(pipe) : static_cast<std::size_t>(q);
  }

  const array<class_fact, sched_class_count>& facts_ = class_facts<Arch>();
  array<std::int32_t, queues + pipe_count> least_read_{};
  array<std::int32_t, queues + pipe_count> least_result_{};
  std::int32_t barrier_ = never;
  bool untold_ = false;
};

}  // namespace ww::model
