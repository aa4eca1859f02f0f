// SPDX-License-Identifier: BSL-1.0
//
// Work on a device that must go on after a fault.
//
//   A kernel that reads a wrong address leaves its CUDA context unusable, and one that never ends cannot be stopped but with its process.
//   So the parent never calls CUDA. It forks a child, which works through the items in order and notes in shared memory what came
//   of each; when the child dies, or notes nothing for `patience` seconds, the parent kills it, calls the item that was under way
//   failed, and lets another child go on behind it.
//
//   each_in_fresh_process(count, patience, limit, start, work)
//     limit     seconds for all of it; what is not reached by then is skipped
//     start()   in each child, before its first item; false: no device, the child ends and nothing is done
//     work(k, again)  one item; returns what is noted, 0 to 250; `again` = true asks for a fresh process behind it
// Returns what came of each item: what `work` noted, failed_item (the child died), hung_item, or skipped_item (no
// device, no time).
#pragma once

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace ww_gpu {

inline constexpr std::uint8_t failed_item = 253, hung_item = 254, skipped_item = 255;

template <class Start, class Work>
std::vector<std::uint8_t> each_in_fresh_process(std::size_t count, double patience, double limit, Start&& start,
                                                Work&& work) {
  struct board {
    volatile std::uint32_t at;     // item under way
    volatile std::uint32_t beats;  // goes up with every item
    volatile std::uint8_t ready;   // start() was true
  };
  std::vector<std::uint8_t> done(count, skipped_item);
  if (count == 0) return done;
  void* const memory = mmap(nullptr, sizeof(board) + count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return done;
  auto* const b = static_cast<board*>(memory);
  auto* const notes = static_cast<volatile std::uint8_t*>(memory) + sizeof(board);
  for (std::size_t k = 0; k < count; ++k) notes[k] = skipped_item;
  const std::time_t begun = std::time(nullptr);
  const auto late = [&] { return std::difftime(std::time(nullptr), begun) > limit; };
  for (std::uint32_t from = 0; from < count && !late();) {
    b->at = from;
    b->ready = 0;
    const std::uint32_t beats_before = b->beats;
    const pid_t child = fork();
    if (child < 0) break;
    if (child == 0) {
      if (!start()) std::_Exit(1);
      b->ready = 1;
      b->beats = b->beats + 1;
      for (std::uint32_t k = from; k < count; ++k) {
        b->at = k;
        bool again = false;
        notes[k] = work(k, again);
        b->beats = b->beats + 1;
        if (again) std::_Exit(3);
      }
      std::_Exit(0);
    }
    std::uint32_t seen = beats_before;
    double quiet = 0;
    bool hung = false;
    int status = 0;
    for (;;) {
      const pid_t ended = waitpid(child, &status, WNOHANG);
      if (ended != 0) break;
      constexpr double step = 0.01;  // seconds
      const timespec nap{0, 10000000};
      nanosleep(&nap, nullptr);
      if (late()) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        break;
      }
      if (b->beats != seen) {
        seen = b->beats;
        quiet = 0;
      } else if ((quiet += step) > patience + (b->ready == 0 ? 30.0 : 0.0)) {  // a context takes its time
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        hung = true;
        break;
      }
    }
    if (b->ready == 0 || late()) break;  // no device, or no time
    if (!hung && WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    const std::uint32_t at = b->at;
    if (notes[at] == skipped_item) notes[at] = hung ? hung_item : failed_item;
    from = at + 1;
  }
  for (std::size_t k = 0; k < count; ++k) done[k] = notes[k];
  munmap(memory, sizeof(board) + count);
  return done;
}

}  // namespace ww_gpu
