// SPDX-License-Identifier: BSL-1.0
//
// Runs original and re-scheduled cubins on a GPU: same inputs, outputs compared bit for bit, times interleaved.
//
//   ww_gpu ORIGINAL_DIR RESCHEDULED_DIR [--sm NN] [--repeats N] [--kernel NAME]
//
// Both folders hold UNIT.smNN.cubin. Prints a markdown table for docs/gpu.md. Every launch starts from the same
// buffers. Each kernel runs `pattern_count` patterns; times are taken on pattern 0 in pairs whose order alternates.
// Exit code: 0 all outputs equal, 1 some differ or a kernel failed, 2 wrong use, 77 no GPU or no driver.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cases.hpp"
#include "driver.hpp"
#include "statistics.hpp"

namespace {

using namespace ww_gpu;

driver cu;

struct failure {
  std::string what;
};

void check(CUresult r, const char* what) {
  if (r != CUDA_SUCCESS) {
    const char* name = nullptr;
    cu.cuGetErrorName_(r, &name);
    throw failure{std::string(what) + ": " + (name == nullptr ? "unknown error" : name)};
  }
}

std::vector<char> read_file(const std::filesystem::path& p) {
  std::ifstream f(p, std::ios::binary);
  return std::vector<char>(std::istreambuf_iterator<char>(f), {});
}

struct events {
  CUevent begin = nullptr, end = nullptr;
  events() {
    check(cu.cuEventCreate_(&begin, CU_EVENT_DEFAULT), "cuEventCreate");
    check(cu.cuEventCreate_(&end, CU_EVENT_DEFAULT), "cuEventCreate");
  }
  events(const events&) = delete;
  events& operator=(const events&) = delete;
  ~events() {
    cu.cuEventDestroy_(begin);
    cu.cuEventDestroy_(end);
  }
};

// One module with its kernel, and device copies of all buffers.
class runner {
 public:
  runner(const std::vector<char>& cubin, const test_case& c) {
    check(cu.cuModuleLoadData_(&module_, cubin.data()), "cuModuleLoadData");
    check(cu.cuModuleGetFunction_(&kernel_, module_, c.kernel), "cuModuleGetFunction");
  }
  runner(const runner&) = delete;
  runner& operator=(const runner&) = delete;
  ~runner() {
    release();
    cu.cuModuleUnload_(module_);
  }

  void prepare(const launch& l) {
    release();
    launch_ = &l;
    for (const constant& k : l.constants) {
      CUdeviceptr at = 0;
      std::size_t size = 0;
      check(cu.cuModuleGetGlobal_(&at, &size, module_, k.name), "cuModuleGetGlobal");
      check(cu.cuMemcpyHtoD_(at, k.bytes.data(), k.bytes.size() < size ? k.bytes.size() : size), "cuMemcpyHtoD");
    }
    for (const argument& a : l.arguments) {
      CUdeviceptr work = 0, first = 0;
      if (a.kind != role::scalar) {
        check(cu.cuMemAlloc_(&work, a.bytes.size() + 256), "cuMemAlloc");
        work_.push_back(work);
        check(cu.cuMemAlloc_(&first, a.bytes.size() + 256), "cuMemAlloc");
        first_.push_back(first);
        check(cu.cuMemcpyHtoD_(first, a.bytes.data(), a.bytes.size()), "cuMemcpyHtoD");
      } else {
        work_.push_back(0);
        first_.push_back(0);
      }
    }
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      pointers_.push_back(l.arguments[i].kind == role::scalar ? const_cast<std::uint8_t*>(l.arguments[i].bytes.data())
                                                              : static_cast<void*>(&work_[i]));
    }
  }

  // Milliseconds of one launch from fresh buffers.
  float run(events& e) {
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (work_[i] != 0) {
        check(cu.cuMemcpyDtoDAsync_(work_[i], first_[i], launch_->arguments[i].bytes.size(), nullptr), "cuMemcpyDtoD");
      }
    }
    check(cu.cuEventRecord_(e.begin, nullptr), "cuEventRecord");
    check(cu.cuLaunchKernel_(kernel_, launch_->grid[0], launch_->grid[1], launch_->grid[2], launch_->block[0],
                             launch_->block[1], launch_->block[2], 0, nullptr, pointers_.data(), nullptr),
          "cuLaunchKernel");
    check(cu.cuEventRecord_(e.end, nullptr), "cuEventRecord");
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
      const CUresult r = cu.cuEventQuery_(e.end);
      if (r == CUDA_SUCCESS) {
        break;
      }
      if (r != CUDA_ERROR_NOT_READY) {
        check(r, "kernel");
      }
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10)) {
        std::printf("kernel does not end: stopped after 10 s\n");
        std::fflush(stdout);
        std::_Exit(1);  // a hanging kernel cannot be taken back
      }
    }
    float ms = 0;
    check(cu.cuEventElapsedTime_(&ms, e.begin, e.end), "cuEventElapsedTime");
    return ms;
  }

  std::vector<std::uint8_t> output(std::size_t i) const {
    std::vector<std::uint8_t> v(launch_->arguments[i].bytes.size());
    check(cu.cuMemcpyDtoH_(v.data(), work_[i], v.size()), "cuMemcpyDtoH");
    return v;
  }

 private:
  void release() {
    for (const auto* list : {&work_, &first_}) {
      for (const CUdeviceptr p : *list) {
        if (p != 0) {
          cu.cuMemFree_(p);
        }
      }
    }
    work_.clear();
    first_.clear();
    pointers_.clear();
  }

  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
  const launch* launch_ = nullptr;
  std::vector<CUdeviceptr> work_, first_;
  std::vector<void*> pointers_;
};

// One row of the table; true if all outputs are the same.
bool run_case(const test_case& c, const std::filesystem::path& a, const std::filesystem::path& b, unsigned repeats) {
  const std::vector<char> before = read_file(a), after = read_file(b);
  if (before.empty() || after.empty()) {
    throw failure{(before.empty() ? a : b).string() + ": cannot be read"};
  }
  runner original(before, c), changed(after, c);
  events e;
  unsigned equal = 0;
  std::string trouble;
  for (unsigned p = 0; p < pattern_count; ++p) {
    const launch l = c.make(p);
    original.prepare(l);
    changed.prepare(l);
    original.run(e);
    changed.run(e);
    bool same = true, written = false;
    for (std::size_t i = 0; i < l.arguments.size(); ++i) {
      if (!l.arguments[i].compared) {
        continue;
      }
      const auto x = original.output(i), y = changed.output(i);
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
  const launch l = c.make(0);
  original.prepare(l);
  changed.prepare(l);
  std::vector<double> old_us, new_us, ratio;
  for (unsigned r = 0; r < repeats + 10; ++r) {
    double x = 0, y = 0;
    if (r % 2 == 0) {
      x = 1000.0 * static_cast<double>(original.run(e));
      y = 1000.0 * static_cast<double>(changed.run(e));
    } else {
      y = 1000.0 * static_cast<double>(changed.run(e));
      x = 1000.0 * static_cast<double>(original.run(e));
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
