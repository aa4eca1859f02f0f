// SPDX-License-Identifier: BSL-1.0
//
// Ctrl-C while --search goes on: the search ends where it is, what it has found is proved and written like any other result, and files
// that are left go without a search. A second Ctrl-C ends the program as usual, with nothing written.
#pragma once

#include <atomic>
#include <csignal>

namespace cli {

class interrupt {
 public:
  // From here on the first SIGINT is ours, unless whoever started the program has it ignored.
  static void listen() {
    if (std::signal(SIGINT, &took) == SIG_IGN) std::signal(SIGINT, SIG_IGN);
  }
  [[nodiscard]] static bool came() { return came_.load(std::memory_order_relaxed); }

 private:
  static void took(int) {
    std::signal(SIGINT, SIG_DFL);
    came_.store(true, std::memory_order_relaxed);
  }

  static inline std::atomic<bool> came_{false};
  static_assert(std::atomic<bool>::is_always_lock_free, "what a signal handler writes");
};

}  // namespace cli
