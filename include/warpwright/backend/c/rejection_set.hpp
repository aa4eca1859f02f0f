// SPDX-License-Identifier: BSL-1.0
//
// The rejection set of backend C (PLS-17): instructions that an evaluation has turned down and that wait to be retried.
//
//   insert   remembers an instruction and why it was turned down
//   retry    takes the instruction that goes on after all: the first one turned down by nothing but the threshold, else the
//            first of all. It is called when a pick has found nothing to accept
//   clear    forgets the rest, when another candidate was accepted: they go back into the queue
// Instructions come in queue order, so first means best. Room for one pick.
#pragma once

#include <cstdint>

namespace ww::backend::c {

// Which step of the evaluation said no.
enum class verdict : std::uint8_t { accepted, constraint, architecture, pressure, above_threshold };

template <unsigned Room>
class rejection_set {
 public:
  [[nodiscard]] bool full() const { return count_ == Room; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] unsigned size() const { return count_; }
  [[nodiscard]] std::uint32_t operator[](unsigned k) const { return instructions_[k]; }
  void clear() {
    count_ = 0;
    valid_ = Room;
  }

  void insert(std::uint32_t i, verdict why) {
    if (why == verdict::above_threshold && valid_ == Room) valid_ = count_;
    instructions_[count_++] = i;
  }
  // Not for an empty set.
  [[nodiscard]] std::uint32_t retry() const { return instructions_[valid_ == Room ? 0 : valid_]; }

 private:
  std::uint32_t instructions_[Room];
  unsigned count_ = 0;
  unsigned valid_ = Room;  // first one that only the threshold has turned down
};

}  // namespace ww::backend::c
