// Two files in one: with PART=1 the kernel, with PART=2 what it calls.
#if PART == 1
extern __device__ float other(float x, int n);
__constant__ float table[8];
__shared__ float shared[64];
extern "C" __global__ void linked(float* p, int n) {
  float s = p[threadIdx.x];
  for (int i = 0; i < n; ++i) {
    s += other(p[i], n) * table[i & 7];
    shared[threadIdx.x] = s;
    __syncthreads();
    s += shared[(i * 7) & 63];
  }
  p[0] = s / p[1];
}
#else
__device__ int count;
__device__ __noinline__ float other(float x, int n) {
  return n > 3 ? x * count : x + __expf(x);
}
#endif
