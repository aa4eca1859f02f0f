// SPDX-License-Identifier: BSL-1.0
//
// Code and data on a device: what one launch needs.
//
//   cu       the driver's functions (driver.hpp), found once
//   failure  what a CUDA call said; thrown, for nothing can go on
//   code     a loaded cubin and one kernel of it
//   stage    device copies of the buffers of a launch: the contents before it, and what the kernel works on
//   run()    one launch from fresh buffers; returns its milliseconds. A kernel that does not end within 10 s ends the process with
//            code 1: it cannot be taken back
#pragma once

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "cases.hpp"
#include "driver.hpp"

namespace ww_gpu {

inline driver cu;

struct failure {
  std::string what;
};

inline void check(CUresult r, const char* what) {
  if (r != CUDA_SUCCESS) {
    const char* name = nullptr;
    cu.cuGetErrorName_(r, &name);
    throw failure{std::string(what) + ": " + (name == nullptr ? "unknown error" : name)};
  }
}

inline std::vector<char> read_file(const std::filesystem::path& p) {
  std::ifstream f(p, std::ios::binary);
  return std::vector<char>(std::istreambuf_iterator<char>(f), {});
}

// The first device made current; false if there is none.
inline bool use_device() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  return cu.cuInit_(0) == CUDA_SUCCESS && cu.cuDeviceGet_(&device, 0) == CUDA_SUCCESS &&
         cu.cuDevicePrimaryCtxRetain_(&context, device) == CUDA_SUCCESS && cu.cuCtxSetCurrent_(context) == CUDA_SUCCESS;
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

class code {
 public:
  code(const std::vector<char>& cubin, const char* kernel) {
    check(cu.cuModuleLoadData_(&module_, cubin.data()), "cuModuleLoadData");
    check(cu.cuModuleGetFunction_(&kernel_, module_, kernel), "cuModuleGetFunction");
  }
  code(const code&) = delete;
  code& operator=(const code&) = delete;
  ~code() { cu.cuModuleUnload_(module_); }

  void set_constants(const launch& l) const {
    for (const constant& k : l.constants) {
      CUdeviceptr at = 0;
      std::size_t size = 0;
      check(cu.cuModuleGetGlobal_(&at, &size, module_, k.name), "cuModuleGetGlobal");
      check(cu.cuMemcpyHtoD_(at, k.bytes.data(), k.bytes.size() < size ? k.bytes.size() : size), "cuMemcpyHtoD");
    }
  }
  [[nodiscard]] CUfunction kernel() const { return kernel_; }

 private:
  CUmodule module_ = nullptr;
  CUfunction kernel_ = nullptr;
};

class stage {
 public:
  explicit stage(launch l) : launch_(std::move(l)) {
    for (argument& a : launch_.arguments) {
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
    for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
      argument& a = launch_.arguments[i];
      pointers_.push_back(a.kind == role::scalar ? static_cast<void*>(a.bytes.data()) : static_cast<void*>(&work_[i]));
    }
  }
  stage(const stage&) = delete;
  stage& operator=(const stage&) = delete;
  ~stage() {
    for (const auto* list : {&work_, &first_}) {
      for (const CUdeviceptr p : *list) {
        if (p != 0) cu.cuMemFree_(p);
      }
    }
  }

  [[nodiscard]] const launch& what() const { return launch_; }

  float run(const code& c, const events& e) {
    for (std::size_t i = 0; i < work_.size(); ++i) {
      if (work_[i] != 0) {
        check(cu.cuMemcpyDtoDAsync_(work_[i], first_[i], launch_.arguments[i].bytes.size(), nullptr), "cuMemcpyDtoD");
      }
    }
    check(cu.cuEventRecord_(e.begin, nullptr), "cuEventRecord");
    check(cu.cuLaunchKernel_(c.kernel(), launch_.grid[0], launch_.grid[1], launch_.grid[2], launch_.block[0],
                             launch_.block[1], launch_.block[2], 0, nullptr, pointers_.data(), nullptr),
          "cuLaunchKernel");
    check(cu.cuEventRecord_(e.end, nullptr), "cuEventRecord");
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
      const CUresult r = cu.cuEventQuery_(e.end);
      if (r == CUDA_SUCCESS) break;
      if (r != CUDA_ERROR_NOT_READY) check(r, "kernel");
      if (std::chrono::steady_clock::now() - start > std::chrono::seconds(10)) {
        std::printf("kernel does not end: stopped after 10 s\n");
        std::fflush(stdout);
        std::_Exit(1);
      }
    }
    float ms = 0;
    check(cu.cuEventElapsedTime_(&ms, e.begin, e.end), "cuEventElapsedTime");
    return ms;
  }

  // What the last launch left in a buffer.
  [[nodiscard]] std::vector<std::uint8_t> output(std::size_t i) const {
    std::vector<std::uint8_t> v(launch_.arguments[i].bytes.size());
    check(cu.cuMemcpyDtoH_(v.data(), work_[i], v.size()), "cuMemcpyDtoH");
    return v;
  }
  // All compared buffers behind each other.
  [[nodiscard]] std::vector<std::uint8_t> outputs() const {
    std::vector<std::uint8_t> all;
    for (std::size_t i = 0; i < launch_.arguments.size(); ++i) {
      if (!launch_.arguments[i].compared) continue;
      const std::vector<std::uint8_t> one = output(i);
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

 private:
  launch launch_;
  std::vector<CUdeviceptr> work_, first_;
  std::vector<void*> pointers_;
};

}  // namespace ww_gpu
