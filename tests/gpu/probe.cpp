// SPDX-License-Identifier: BSL-1.0
//
// Runs a plan of probe_plan on a GPU: does the hardware mind the edit?
//
//   ww_gpu_probe PLAN [--shard K/N] [--seconds S]
//
// For each line the cubin is patched in memory, loaded and run on three patterns; the outputs are compared with those of the cubin
// as it is. `wrong` outputs may come with wrong stores, so that buffers are not to be trusted any more: where the
// original does not give its own outputs again, a fresh process goes on. Lines whose cubin is not the same twice are left out.
// Prints each line with what came of it: right, wrong, fault, hang, unstable or unread. --shard takes every N-th kernel from K on, so that
// several processes share the work.
// Exit code: 0 done, 2 wrong use, 77 no GPU or no driver.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "device.hpp"
#include "fresh_process.hpp"
#include "generated.hpp"

namespace {

using namespace ww_gpu;

constexpr unsigned patterns[] = {0, 1, 8};
enum note : std::uint8_t { right, wrong, unstable, unread };

struct experiment {
  std::string line;
  std::string cubin;
  std::size_t offset = 0;
  std::uint64_t word[2] = {0, 0};
};

// What a child holds: buffers, and the kernel that the last line was about.
struct laboratory {
  events e;
  std::vector<std::unique_ptr<stage>> stages;
  std::string name;
  std::vector<char> image;
  bool stable = false;
  std::vector<std::vector<std::uint8_t>> reference;

  laboratory() {
    for (const unsigned p : patterns) stages.push_back(std::make_unique<stage>(generated_launch(p)));
  }
  std::vector<std::vector<std::uint8_t>> outputs(const std::vector<char>& cubin) {
    const code c(cubin, generated_kernel);
    std::vector<std::vector<std::uint8_t>> all;
    for (const auto& s : stages) {
      s->run(c, e);
      all.push_back(s->outputs());
    }
    return all;
  }
  void open(const std::string& cubin) {
    name = cubin;
    image = read_file(cubin);
    stable = false;
    if (image.empty()) return;
    reference = outputs(image);
    stable = outputs(image) == reference;
  }
  std::uint8_t run(const experiment& x, bool& again) {
    if (x.cubin != name) open(x.cubin);
    if (image.empty() || x.offset + 16 > image.size()) return unread;
    if (!stable) return unstable;
    std::vector<char> edited = image;
    std::memcpy(edited.data() + x.offset, x.word, 16);
    if (outputs(edited) == reference) return right;
    again = outputs(image) != reference;
    return wrong;
  }
};

bool read_line(const std::string& line, experiment& x) {
  char cubin[512] = {};
  unsigned long long low = 0, high = 0;
  if (std::sscanf(line.c_str(), "%511[^\t]\t%zu\t%llx\t%llx", cubin, &x.offset, &low, &high) != 4) return false;
  x.line = line;
  x.cubin = cubin;
  x.word[0] = low;
  x.word[1] = high;
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned shard = 0, shards = 1;
  double seconds = 600;
  bool good = argc >= 2;
  for (int i = 2; i < argc; i += 2) {
    if (i + 1 < argc && std::strcmp(argv[i], "--shard") == 0) {
      good = good && std::sscanf(argv[i + 1], "%u/%u", &shard, &shards) == 2 && shard < shards;
    } else if (i + 1 < argc && std::strcmp(argv[i], "--seconds") == 0) {
      seconds = std::strtod(argv[i + 1], nullptr);
    } else {
      good = false;
    }
  }
  if (!good) {
    std::fprintf(stderr, "usage: ww_gpu_probe PLAN [--shard K/N] [--seconds S]\n");
    return 2;
  }
  std::vector<experiment> all;
  std::ifstream plan(argv[1]);
  std::string last;
  unsigned kernels = 0;
  for (std::string line; std::getline(plan, line);) {
    experiment x;
    if (!read_line(line, x)) {
      std::fprintf(stderr, "%s: a line that is none of probe_plan: %s\n", argv[1], line.c_str());
      return 2;
    }
    kernels += x.cubin != last ? 1u : 0u;
    last = x.cubin;
    if (kernels % shards == shard) all.push_back(x);
  }
  const std::string missing = cu.load();
  if (!missing.empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
    return 77;
  }
  std::unique_ptr<laboratory> lab;  // of the child
  const auto notes = each_in_fresh_process(
      all.size(), 1.5, seconds,
      [&lab] {
        if (!use_device()) return false;
        lab = std::make_unique<laboratory>();
        return true;
      },
      [&](std::size_t k, bool& again) -> std::uint8_t {
        try {
          return lab->run(all[k], again);
        } catch (const failure&) {
          std::_Exit(1);
        }
      });
  bool any = false;
  for (std::size_t k = 0; k < all.size(); ++k) {
    constexpr const char* names[] = {"right", "wrong", "unstable", "unread"};
    const char* const what = notes[k] < 4              ? names[notes[k]]
                             : notes[k] == failed_item ? "fault"
                             : notes[k] == hung_item   ? "hang"
                                                       : "skipped";
    any = any || notes[k] != skipped_item;
    std::printf("%s\t%s\n", all[k].line.c_str(), what);
  }
  if (!any && !all.empty()) {
    std::fprintf(stderr, "no CUDA device\n");
    return 77;
  }
  return 0;
}
