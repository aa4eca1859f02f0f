// SPDX-License-Identifier: BSL-1.0
//
// Runs original and re-scheduled cubins on a GPU: same inputs, outputs compared bit for bit, times interleaved.
//
//   ww_gpu ORIGINAL_DIR RESCHEDULED_DIR [--sm NN] [--repeats N] [--kernel NAME]
//
// Both folders hold UNIT.smNN.cubin. Prints a markdown table for docs/gpu.md. Every launch starts from the same
// buffers. Each kernel runs `pattern_count` patterns; times are taken on pattern 0 in pairs whose order alternates.
// Exit code: 0 all outputs equal, 1 some differ or a kernel failed, 2 wrong use, 77 no GPU or no driver.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cases.hpp"
#include "device.hpp"
#include "statistics.hpp"

namespace {

using namespace ww_gpu;

// One row of the table; true if all outputs are the same.
bool run_case(const test_case& c, const std::filesystem::path& a, const std::filesystem::path& b, unsigned repeats) {
  const std::vector<char> before = read_file(a), after = read_file(b);
  if (before.empty() || after.empty()) {
    throw failure{(before.empty() ? a : b).string() + ": cannot be read"};
  }
  const code original(before, c.kernel), changed(after, c.kernel);
  const events e;
  unsigned equal = 0;
  std::string trouble;
  for (unsigned p = 0; p < pattern_count; ++p) {
    stage first(c.make(p)), second(c.make(p));
    const launch& l = first.what();
    original.set_constants(l);
    changed.set_constants(l);
    first.run(original, e);
    second.run(changed, e);
    bool same = true, written = false;
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      if (!l.arguments[i].compared) {
        continue;
      }
      const auto x = first.output(i), y = second.output(i);
      const difference d = compare(x, y);
      if (d.count != 0) {
        same = false;
        trouble += " pattern " + std::to_string(p) + " argument " + std::to_string(i) + ": " + std::to_string(d.count) +
                   " bytes differ from " + std::to_string(d.first) + ";";
      }
      written = written || x != l.arguments[i].bytes;
    }
    if (!written) {
      trouble += " pattern " + std::to_string(p) + ": the original wrote nothing;";
      same = false;
    }
    equal += same ? 1u : 0u;
  }
  stage first(c.make(0)), second(c.make(0));
  original.set_constants(first.what());
  changed.set_constants(first.what());
  std::vector<double> old_us, new_us, ratio;
  for (unsigned r = 0; r < repeats + 10; ++r) {
    double x = 0, y = 0;
    if (r % 2 == 0) {
      x = 1000.0 * static_cast<double>(first.run(original, e));
      y = 1000.0 * static_cast<double>(second.run(changed, e));
    } else {
      y = 1000.0 * static_cast<double>(second.run(changed, e));
      x = 1000.0 * static_cast<double>(first.run(original, e));
    }
    if (r >= 10) {  // the first ten warm up
      old_us.push_back(x);
      new_us.push_back(y);
      ratio.push_back(y / x);
    }
  }
  const interval o = median_interval(old_us), n = median_interval(new_us), q = median_interval(ratio);
  std::printf("| `%s` | %u of %u | %.2f (%.2f..%.2f) | %.2f (%.2f..%.2f) | %.3f (%.3f..%.3f) |%s\n", c.kernel, equal,
              pattern_count, o.median, o.low, o.high, n.median, n.low, n.high, q.median, q.low, q.high, trouble.c_str());
  std::fflush(stdout);
  return equal == pattern_count;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> folders;
  std::string sm = "90", only;
  unsigned repeats = 200;
  for (int i = 1; i < argc; ++i) {
    const std::string a = argv[i];
    if (a == "--sm" && i + 1 < argc) {
      sm = argv[++i];
    } else if (a == "--repeats" && i + 1 < argc) {
      repeats = static_cast<unsigned>(std::strtoul(argv[++i], nullptr, 10));
    } else if (a == "--kernel" && i + 1 < argc) {
      only = argv[++i];
    } else {
      folders.push_back(a);
    }
  }
  if (folders.size() != 2 || repeats == 0) {
    std::fprintf(stderr, "usage: ww_gpu ORIGINAL_DIR RESCHEDULED_DIR [--sm NN] [--repeats N] [--kernel NAME]\n");
    return 2;
  }
  const std::string missing = cu.load();
  if (!missing.empty()) {
    std::fprintf(stderr, "%s\n", missing.c_str());
    return 77;
  }
  bool good = true;
  try {
    CUdevice device = 0;
    CUcontext context = nullptr;
    if (cu.cuInit_(0) != CUDA_SUCCESS || cu.cuDeviceGet_(&device, 0) != CUDA_SUCCESS) {
      std::fprintf(stderr, "no CUDA device\n");
      return 77;
    }
    check(cu.cuDevicePrimaryCtxRetain_(&context, device), "cuDevicePrimaryCtxRetain");
    check(cu.cuCtxSetCurrent_(context), "cuCtxSetCurrent");
    char name[256] = {};
    int version = 0, major = 0, minor = 0;
    check(cu.cuDeviceGetName_(name, sizeof name, device), "cuDeviceGetName");
    check(cu.cuDriverGetVersion_(&version), "cuDriverGetVersion");
    check(cu.cuDeviceGetAttribute_(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device), "cuDeviceGetAttribute");
    check(cu.cuDeviceGetAttribute_(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device), "cuDeviceGetAttribute");
    if (sm != std::to_string(major * 10 + minor)) {
      std::fprintf(stderr, "this device is sm_%d%d, the cubins are for sm_%s\n", major, minor, sm.c_str());
      return 77;
    }
    std::printf("Card: %s. Driver: CUDA %d.%d. Repeats: %u pairs. Times in microseconds: median (95 %% interval).\n\n", name,
                version / 1000, version % 1000 / 10, repeats);
    std::printf("| kernel | patterns equal | original | re-scheduled | ratio |\n|---|---|---|---|---|\n");
    for (const test_case& c : all_cases()) {
      if (!only.empty() && only != c.kernel) {
        continue;
      }
      const std::string file = std::string(c.unit) + ".sm" + sm + ".cubin";
      try {
        good =
            run_case(c, std::filesystem::path(folders[0]) / file, std::filesystem::path(folders[1]) / file, repeats) && good;
      } catch (const failure& f) {
        std::printf("| `%s` | failed | | | | %s\n", c.kernel, f.what.c_str());
        good = false;
      }
    }
  } catch (const failure& f) {
    std::fprintf(stderr, "%s\n", f.what.c_str());
    return 1;
  }
  return good ? 0 : 1;
}
