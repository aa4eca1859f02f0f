// SPDX-License-Identifier: BSL-1.0
//
// Generated kernels on a GPU: every re-scheduled form beside the original, bit for bit.
//
//   ww_gpu_generated ORIGINAL_DIR RESCHEDULED_DIR...  [--sm NN]
//
// Runs each NAME.smNN.cubin of the first folder (tests/gpu/generated.hpp says how) on all patterns, twice: one whose outputs are not the
// same both times is set aside. Then the file of that name in each other folder. A kernel that faults or does not end counts as
// failed, and the rest goes on in a fresh process. Prints a row per folder, and the names of kernels that are not equal.
// Exit code: 0 all equal, 1 some differ or failed, 2 wrong use, 77 no GPU or no driver.
#include "generated.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "device.hpp"
#include "fresh_process.hpp"
#include "statistics.hpp"

namespace {

using namespace ww_gpu;

constexpr std::uint8_t not_deterministic = 128;  // beside one bit for each folder that differs
constexpr std::size_t most_folders = 7;

struct bench {
  events e;
  std::vector<std::unique_ptr<stage>> stages;

  bench() {
    for (unsigned p = 0; p < pattern_count; ++p) stages.push_back(std::make_unique<stage>(generated_launch(p)));
  }
  std::vector<std::uint8_t> outputs(const code& c, unsigned pattern) {
    stages[pattern]->run(c, e);
    return stages[pattern]->outputs();
  }
};

std::uint8_t compare_all(bench& b, const std::vector<std::filesystem::path>& folders, const std::string& file) {
  const code original(read_file(folders[0] / file), generated_kernel);
  std::vector<std::vector<std::uint8_t>> right;
  for (unsigned p = 0; p < pattern_count; ++p) {
    right.push_back(b.outputs(original, p));
    if (b.outputs(original, p) != right.back()) return not_deterministic;
  }
  unsigned differ = 0;
  for (std::size_t f = 1; f < folders.size(); ++f) {
    const std::vector<char> cubin = read_file(folders[f] / file);
    if (cubin.empty()) continue;
    const code changed(cubin, generated_kernel);
    for (unsigned p = 0; p < pattern_count; ++p) {
      if (b.outputs(changed, p) != right[p]) differ |= 1u << (f - 1);
    }
  }
  return static_cast<std::uint8_t>(differ);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::filesystem::path> folders;
  std::string sm = "90";
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--sm" && i + 1 < argc) {
      sm = argv[++i];
    } else {
      folders.emplace_back(a);
    }
  }
  if (folders.size() < 2 || folders.size() > most_folders + 1) {
    std::fprintf(stderr, "usage: ww_gpu_generated ORIGINAL_DIR RESCHEDULED_DIR... [--sm NN]\n");
    return 2;
  }
  std::vector<std::string> files;
  std::error_code bad;
  for (const auto& f : std::filesystem::directory_iterator(folders[0], bad)) {
    const std::string name = f.path().filename().string();
    const std::string tail = ".sm" + sm + ".cubin";
    if (name.size() > tail.size() && name.compare(name.size() - tail.size(), tail.size(), tail) == 0) files.push_back(name);
  }
  std::sort(files.begin(), files.end());
  if (bad || files.empty()) {
    std::fprintf(stderr, "%s: no cubin for sm_%s\n", folders[0].string().c_str(), sm.c_str());
    return 2;
  }
  const std::string missing = cu.load();
  if (!missing.empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
    return 77;
  }
  std::unique_ptr<bench> b;  // of the child
  const auto notes = each_in_fresh_process(
      files.size(), 20, 600,
      [&b] {
        if (!use_device()) return false;
        b = std::make_unique<bench>();
        return true;
      },
      [&](std::size_t k, bool&) -> std::uint8_t {
        try {
          return compare_all(*b, folders, files[k]);
        } catch (const failure& f) {
          std::printf("%s: %s\n", files[k].c_str(), f.what.c_str());
          std::fflush(stdout);
          std::_Exit(1);
        }
      });
  std::size_t set_aside = 0, failed = 0, skipped = 0;
  std::vector<std::string> wrong(folders.size());
  std::vector<std::size_t> differ(folders.size(), 0), compared(folders.size(), 0);
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string name = files[k].substr(0, files[k].find('.'));
    if (notes[k] == skipped_item) {
      ++skipped;
    } else if (notes[k] == failed_item || notes[k] == hung_item) {
      ++failed;
      std::printf("%s: %s\n", name.c_str(), notes[k] == failed_item ? "failed" : "did not end");
    } else if (notes[k] == not_deterministic) {
      ++set_aside;
      std::printf("%s: the original is not the same twice\n", name.c_str());
    } else {
      for (std::size_t f = 1; f < folders.size(); ++f) {
        if (!std::filesystem::exists(folders[f] / files[k])) continue;
        ++compared[f];
        if ((notes[k] >> (f - 1) & 1u) == 0) continue;
        ++differ[f];
        wrong[f] += " " + name;
      }
    }
  }
  if (skipped == files.size()) {
    std::fprintf(stderr, "no CUDA device\n");
    return 77;
  }
  std::printf("%zu kernels, %zu not the same twice, %zu failed, %zu not reached\n\n", files.size(), set_aside, failed,
              skipped);
  std::printf("| schedule | kernels | all %u patterns equal | different |\n|---|---|---|---|\n", pattern_count);
  bool good = failed == 0 && skipped == 0;
  for (std::size_t f = 1; f < folders.size(); ++f) {
    std::printf("| %s | %zu | %zu |%s |\n", folders[f].filename().string().c_str(), compared[f], compared[f] - differ[f],
                differ[f] == 0 ? " 0" : wrong[f].c_str());
    good = good && differ[f] == 0;
  }
  return good ? 0 : 1;
}
