// SPDX-License-Identifier: BSL-1.0
//
// What a terminal shows while the work goes on: one line, written over itself at most ten times a second. Workers tell it what they
// have done; nothing that is computed depends on it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <mutex>

namespace cli {

class progress {
 public:
  // `files`: how many there are to do; of a single one only the places that a search has tried are shown.
  explicit progress(std::size_t files) : files_(files) {}

  void file_done() {
    ++done_;
    if (files_ > 1) show(true);
  }
  // A place that --search has tried.
  void tried() {
    ++tries_;
    show(false);
  }
  // The line goes, so that other output can come.
  void clear() {
    const std::lock_guard<std::mutex> lock(one_);
    if (shown_) std::fprintf(stderr, "\r%*s\r", width, "");
    shown_ = false;
  }

 private:
  static constexpr int width = 60;
  using clock = std::chrono::steady_clock;

  void show(bool at_once) {
    const std::int64_t now = std::chrono::duration_cast<std::chrono::milliseconds>(clock::now() - began_).count();
    if (!at_once && now < next_.load(std::memory_order_relaxed)) return;
    const std::lock_guard<std::mutex> lock(one_);
    next_ = now + 100;
    shown_ = true;
    if (files_ > 1) std::fprintf(stderr, "\r%zu of %zu files", done_.load(), files_);
    const unsigned long long tries = tries_;
    if (tries != 0) std::fprintf(stderr, "%s%llu places tried", files_ > 1 ? ", " : "\r", tries);
    std::fflush(stderr);
  }

  const std::size_t files_;
  std::atomic<std::size_t> done_{0};
  std::atomic<std::uint64_t> tries_{0};
  std::atomic<std::int64_t> next_{100};  // milliseconds from the beginning
  const clock::time_point began_ = clock::now();
  std::mutex one_;  // of those who write
  bool shown_ = false;
};

}  // namespace cli
