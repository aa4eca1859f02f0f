// SPDX-License-Identifier: BSL-1.0
//
// Kernels whose cubins carry attribute kinds that the corpus lacks: 16-bit atomics, grid synchronisation, device malloc,
// recursion, virtual calls.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
namespace cg = cooperative_groups;
extern "C" __global__ void coop(float* p, int n) {
  auto g = cg::this_grid();
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<32>(b);
  float s = 0;
  for (int i = g.thread_rank(); i < n; i += g.size()) s += p[i];
  s = cg::reduce(t, s, cg::plus<float>());
  g.sync();
  if (t.thread_rank() == 0) atomicAdd(p, s);
}
extern "C" __global__ void h16(__half2* p, __half* q, unsigned short* u) {
  atomicAdd(p, __float2half2_rn(1.f));
  atomicAdd(q, __float2half(2.f));
  atomicCAS(u, (unsigned short)1, (unsigned short)2);
}
extern "C" __global__ void sys(int* p) {
  atomicAdd_system(p, 1);
  __threadfence_system();
  p[1] = __ldcg(p + 2) + __ldcs(p + 3);
  __nanosleep(100);
}
extern "C" __global__ void divg(int* p) {
  int i = threadIdx.x;
  if (i & 1) {
    auto a = cg::coalesced_threads();
    p[i] = a.thread_rank();
    if (i & 2) p[i] += a.shfl(p[i], 0);
  } else
    __syncwarp(0x55555555);
  p[i + 32] = __activemask();
}
extern "C" __global__ void __launch_bounds__(128) tex(cudaTextureObject_t t, float* o) {
  o[threadIdx.x] = tex2D<float>(t, threadIdx.x, 2.f);
}
extern "C" __global__ void mall(int** p) {
  p[threadIdx.x] = (int*)malloc(threadIdx.x * 4);
  if (!p[threadIdx.x]) __trap();
  free(p[threadIdx.x]);
}
template <int N>
__device__ __noinline__ int rec(int x) {
  return x < 2 ? 1 : rec<N>(x - 1) * N + rec<N>(x - 2);
}
extern "C" __global__ void recu(int* p) { p[0] = rec<3>(p[0]); }
struct V {
  virtual __device__ int f(int) = 0;
};
struct A : V {
  __device__ int f(int x) override { return x + 1; }
};
struct B2 : V {
  __device__ int f(int x) override { return x * 3; }
};
extern "C" __global__ void virt(int* p, int n) {
  A a;
  B2 b;
  V* v[2] = {&a, &b};
  for (int i = 0; i < n; ++i) p[i] = v[p[i] & 1]->f(i);
}
extern "C" __global__ void alloca_k(int* p, int n) {
  int* a = (int*)alloca(n * 4);
  for (int i = 0; i < n; ++i) a[i] = p[i];
  for (int i = 0; i < n; ++i) p[i] = a[n - 1 - i];
}
