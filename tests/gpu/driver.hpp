// SPDX-License-Identifier: BSL-1.0
//
// The few CUDA driver functions that the harness uses, found at run time: it builds wherever cuda.h is, and says
// politely that there is no driver where there is none.
#pragma once

#include <cuda.h>
#include <dlfcn.h>

#include <string>

namespace ww_gpu {

// cuda.h renames functions to their current versions by macros; the names looked up are the renamed ones.
#define WW_GPU_TEXT2(x) #x
#define WW_GPU_TEXT(x) WW_GPU_TEXT2(x)
// clang-format off
#define WW_GPU_FUNCTIONS(X)                                                                                        \
  X(cuInit)                                                                                                        \
  X(cuDriverGetVersion)                                                                                            \
  X(cuDeviceGet) X(cuDeviceGetName) X(cuDeviceGetAttribute) X(cuDevicePrimaryCtxRetain) X(cuCtxSetCurrent)         \
      X(cuModuleLoadData) X(cuModuleUnload) X(cuModuleGetFunction) X(cuModuleGetGlobal) X(cuMemAlloc) X(cuMemFree) \
          X(cuMemcpyHtoD) X(cuMemcpyDtoH) X(cuMemcpyDtoDAsync) X(cuLaunchKernel) X(cuEventCreate) X(cuEventRecord) \
              X(cuEventQuery) X(cuEventElapsedTime) X(cuEventDestroy) X(cuGetErrorName)
// clang-format on

struct driver {
#define WW_GPU_MEMBER(f) decltype(&::f) f##_ = nullptr;
  WW_GPU_FUNCTIONS(WW_GPU_MEMBER)
#undef WW_GPU_MEMBER

  // Empty on success, else what is missing.
  std::string load() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) {
      return "libcuda.so.1: no CUDA driver on this machine";
    }
#define WW_GPU_FIND(f)                                                     \
  f##_ = reinterpret_cast<decltype(&::f)>(dlsym(library, WW_GPU_TEXT(f))); \
  if (f##_ == nullptr) {                                                   \
    return std::string(WW_GPU_TEXT(f)) + ": not in this driver";           \
  }
    WW_GPU_FUNCTIONS(WW_GPU_FIND)
#undef WW_GPU_FIND
    return {};
  }
};

}  // namespace ww_gpu
