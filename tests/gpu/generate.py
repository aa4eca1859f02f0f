#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
"""CUDA kernels from a seed, for runs on silicon: tests/gpu/generate.py SEED COUNT OUT_DIR

Writes OUT_DIR/gNNN.cu with the signature of tests/gpu/generated.hpp. Sixteen 32-bit values per thread are read, pushed through
random statements of a few families (integer, 64 and 128 bits, single, double, half, eight bits, video, shared memory, global memory,
local arrays, constants, lane exchange, matrices, asynchronous copies, calls, switches, loops) and stored. The result does not depend
on the order of threads: no floating-point atomics, shared memory only between barriers, no clock. The first line of a file names
the compiler's options.
"""
import pathlib
import random
import sys

VALUES = 16

INT = [
    '{x} + {y} * {z}', '{x} - {y} + {z}', '{x} ^ ({y} >> ({z} & 31))', '({x} & {y}) | (~{x} & {z})', '({x} << ({y} & 31)) + {z}',
    '__funnelshift_l({x}, {y}, {z})', '__funnelshift_rc({x}, {y}, {z})', '__byte_perm({x}, {y}, {z})', '__popc({x}) + {y}',
    '__clz({x}) ^ {y}', '__brev({x})', '__ffs({x}) + {z}', '__umulhi({x}, {y})', '(unsigned)__mulhi((int){x}, (int){y})',
    'min({x}, {y})', '(unsigned)max((int){x}, (int){y})', '(unsigned)abs((int){x})', '__usad({x}, {y}, {z})', '__sad((int){x}, (int){y}, {z})',
    '({x} > {y} ? {z} : {x} + 1u)', '((int){x} < (int){y} ? {x} : {z})', '{x} / ({y} | 1u)', '{x} % ({y} | 7u)', '(unsigned)((int){x} / (int)({y} | 3u))',
    '(unsigned)((int){x} >> ({y} & 31))', '__umul24({x}, {y}) + {z}', '__uhadd({x}, {y})', '(unsigned)__rhadd((int){x}, (int){y})',
    'bfe_u({x}, {y} & 31, {z} & 31)', 'bfe_s({x}, {y} & 31, {z} & 31)', 'bfi({x}, {y}, {z} & 31, {x} & 15)', 'lop3<0x96>({x}, {y}, {z})', 'lop3<0xe8>({x}, {y}, {z})',
    'bmsk({x} & 31, {y} & 31)', 'szext({x}, {y} & 31)', 'prmt_f4e({x}, {y}, {z} & 3)', '({x} == {y}) + {z}', '(({x} & 1u) && ({y} & 2u) ? {z} : {y})',
    'fns({x}, {y} & 31, 1)', '{x} * {k}u + {y}', '({x} & {k}u) ^ {y}', '({x} >> {s}) | ({y} << {s})', '(unsigned)(unsigned char)({x} >> 8) + (unsigned)(short){y}',
]
VIDEO = [
    '__dp4a({x}, {y}, {z})', '(unsigned)__dp4a((int){x}, (int){y}, (int){z})', '__dp2a_lo({x}, {y}, {z})', '(unsigned)__dp2a_hi((int){x}, (int){y}, (int){z})',
    '__vadd2({x}, {y})', '__vsub4({x}, {y})', '__vabsdiffu4({x}, {y})', '__vavgu4({x}, {y})', '__vmaxs2({x}, {y})', '__vminu4({x}, {y})', '__vcmpgtu4({x}, {y})',
    '__vsadu4({x}, {y}) + {z}', '__vseteq2({x}, {y})', '__vaddss2({x}, {y})', '(unsigned)__viaddmax_s32((int){x}, (int){y}, (int){z})', '__viaddmin_u32({x}, {y}, {z})',
    '(unsigned)__vimax3_s32((int){x}, (int){y}, (int){z})', '__vimin3_u16x2({x}, {y}, {z})', '__viaddmax_s16x2_relu({x}, {y}, {z})', '__vimax_s16x2_relu({x}, {y})',
    '(unsigned)__vimin3_s32_relu((int){x}, (int){y}, (int){z})', '__viaddmax_u16x2({x}, {y}, {z})',
]
F = 'F({x})', 'F({y})', 'F({z})'
FLOAT = [
    'U(F({x}) + F({y}))', 'U(F({x}) * F({y}))', 'U(fmaf(F({x}), F({y}), F({z})))', 'U(__fadd_rz(F({x}), F({y})))', 'U(__fmul_ru(F({x}), F({y})))', 'U(__fmaf_rd(F({x}), F({y}), F({z})))',
    'U(fminf(F({x}), F({y})))', 'U(fmaxf(F({x}), F({y})))', 'U(__saturatef(F({x})))', 'U(sqrtf(F({x})))', 'U(rsqrtf(F({x})))', 'U(__fdividef(F({x}), F({y})))', 'U(F({x}) / F({y}))',
    'U(__sinf(F({x})))', 'U(__cosf(F({x})))', 'U(__expf(F({x})))', 'U(__logf(F({x})))', 'U(exp2f(F({x})))', 'U(tanh_approx(F({x})))', 'U(floorf(F({x}) * 77.f))', 'U(rintf(F({x}) * 9.f))',
    'U(fabsf(F({x})) - F({y}))', 'U(copysignf(F({x}), F({y})))', '(unsigned)(int)(F({x}) * 1000.f)', '(unsigned)(F({x}) * 5000.f)', 'U((float)(int){x})', 'U((float){x})', 'U(__uint2float_rd({x}))',
    '(F({x}) < F({y}) ? {z} : {x})', 'U(F({x}) > 1.5f ? F({y}) : F({z}))', '(isnan(R({x})) ? {y} : {z})', 'U(min_nan(R({x}), R({y})))', 'U(R({x}) + R({y}))', 'U(fmaf(R({x}), F({y}), R({z})))',
    'U((float)(signed char){x})', 'U((float)(unsigned short)({x} >> 3))', '(unsigned)__float2ll_rn(F({x}) * 3e9f)', 'tf32(F({x}))', 'U(fmaf(F({x}), 0.5f, 1.25f))', 'U(-F({x}) * fabsf(F({y})))',
    'U(add_ftz(R({x}), R({y})))', 'U(fmodf(F({x}) * 50.f, F({y})))', 'U(sinf(F({x})))', 'U(powf(F({x}), F({y})))', 'U(ldexpf(F({x}), (int)({y} & 7)))',
]
DOUBLE = [
    'fold(D({x}, {y}) + D({y}, {z}))', 'fold(D({x}, {y}) * D({z}, {y}))', 'fold(fma(D({x}, {y}), D({y}, {z}), D({z}, {x})))', 'fold(D({x}, {y}) / D({z}, {x}))', 'fold(sqrt(D({x}, {y})))',
    '(D({x}, {y}) < D({z}, {y}) ? {x} : {z})', 'fold(fmax(D({x}, {y}), D({y}, {z})))', 'fold(rint(D({x}, {y}) * 99.0))', '(unsigned)(int)(D({x}, {y}) * 1e6)', 'U((float)D({x}, {y}))',
    'fold((double)(int){x} + D({y}, {z}))', 'fold((double)F({x}) * D({y}, {z}))', 'fold(__dadd_rz(D({x}, {y}), D({z}, {x})))', '(unsigned)(unsigned long long)(D({x}, {y}) * 1e12)', 'fold(-D({x}, {y}) + fabs(D({y}, {x})))',
]
HALF = [
    'W(__hadd2(H({x}), H({y})))', 'W(__hmul2(H({x}), H({y})))', 'W(__hfma2(H({x}), H({y}), H({z})))', 'W(__hsub2(H({x}), H({y})))', 'W(__hmax2(H({x}), H({y})))', 'W(__hmin2(H({x}), H({y})))',
    '__hgtu2_mask(H({x}), H({y})) ^ {z}', 'W(__hfma2_relu(H({x}), H({y}), H({z})))', 'W(__hadd2_sat(H({x}), H({y})))', 'W(h2exp2(H({x})))', 'W(h2rcp(H({x})))', 'W(__hneg2(H({x})))', 'W(__habs2(H({x})))',
    'U(__low2float(H({x})) + __high2float(H({y})))', 'W(__floats2half2_rn(F({x}), F({y})))', 'W(__lows2half2(H({x}), H({y})))', '(__hbgt2(H({x}), H({y})) ? {x} : {z})', 'W(__hmul2(H({x}), __float2half2_rn(1.5f)))',
    '(unsigned)__half2int_rn(__low2half(H({x}))) + {y}', 'W(__half2half2(__hadd(__low2half(H({x})), __high2half(H({y})))))', 'B(__hadd2(N({x}), N({y})))', 'B(__hmul2(N({x}), N({y})))', 'B(__hfma2(N({x}), N({y}), N({z})))',
    'B(__hmax2(N({x}), N({y})))', 'B(__floats2bfloat162_rn(F({x}), F({y})))', 'U(__bfloat162float(__low2bfloat16(N({x}))) * F({y}))', 'B(__hfma2_relu(N({x}), N({y}), N({z})))', '(__hbltu2(N({x}), N({y})) ? {y} : {z})',
    'W(H({x}) == H({y}) ? H({z}) : H({x}))', 'W(h2sqrt(H({x})))', 'W(h2tanh_a(H({x})))', 'e4m3(H({x})) + {y}', 'W(from_e4m3((unsigned short){x}))', 'e5m2_of(F({x}), F({y})) ^ {z}', 'W(from_e5m2((unsigned short)({x} >> 7)))',
]
WIDE = [
    'u64 p = P({x}, {y}) + P({z}, {w}); {d} = (unsigned)p; {e} ^= (unsigned)(p >> 32);', 'u64 p = P({x}, {y}) - P({z}, {w}); {d} = (unsigned)(p >> 32); {e} += (unsigned)p;',
    'u64 p = P({x}, {y}) * P({z}, {w}); {d} = (unsigned)p ^ (unsigned)(p >> 32);', 'u64 p = P({x}, {y}) << ({z} & 63); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);', 'u64 p = P({x}, {y}) >> ({z} & 63); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);',
    's64 p = (s64)P({x}, {y}) >> ({z} & 63); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);', 'u64 p = P({x}, {y}) / (P({z}, {w}) | 1); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);', 'u64 p = P({x}, {y}) % (P(0u, {w}) | 1); {d} = (unsigned)p;',
    'u64 p = __umul64hi(P({x}, {y}), P({z}, {w})); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);', '{d} = P({x}, {y}) < P({z}, {w}) ? {x} : {w};', 'u64 p = max(P({x}, {y}), P({z}, {w})); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);',
    'u64 p = (u64){x} * {y} + P({z}, {w}); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);', 's64 p = (s64)(int){x} * (int){y} + (s64)P({z}, {w}); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);',
    'add128({d}, {e}, {x}, {y}, {z}, {w});', 'mad_wide({d}, {e}, {x}, {y}, {z}, {w});', 'u64 p = P({x}, {y}); {d} = __popcll(p) + __clzll(p) + __ffsll(p); {e} += (unsigned)__brevll(p);', 'u64 p = {x} > {y} ? P({z}, {w}) : P({y}, {x}); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);',
]
LOCAL = ['loc[{x} & 7] ^= {y}; {d} = loc[{z} & 7];', 'loc[({x} >> 3) & 7] += {y}; {d} ^= loc[({z} >> 5) & 7];', '{d} = loc[{z} & 7] + loc[{x} & 7];']
CONST = ['{d} = table[{x} & 63] + {y};', '{d} = {x} ^ table[({y} >> 4) & 63];', '{d} += (unsigned)bytes[{x} & 255];', '{d} = table[(salt + {i}) & 63] * {x};', '{d} ^= wide[{x} & 31].x + wide[{y} & 31].w;', 'double2 q = doubles[{x} & 7]; {d} = fold(q.x * D({y}, {z}) + q.y);']
GLOBAL = [
    '{d} = in[{x} & 16383];', '{d} ^= ((const volatile unsigned*)in)[{x} & 16383];', 'uint4 q = *(const uint4*)&in[{x} & 16380]; {d} = q.x ^ q.w; {e} += q.y * q.z;', 'uint2 q = *(const uint2*)&in[{x} & 16382]; {d} = q.x + q.y;',
    '{d} += ((const unsigned char*)in)[{x} & 65535];', '{d} ^= (unsigned)((const short*)in)[{x} & 32767];', '{d} = ldcg(&in[{x} & 16383]) + {y};', '{d} += ((const volatile signed char*)in)[{y} & 65535];',
    'mine[{i}] = {x}; {d} += mine[{i}];', 'mine[{i}] = {x}; {d} ^= atomicAdd(&mine[{i}], {y});', 'mine[{i}] = {x}; atomicXor(&mine[{i}], {y}); {d} += ((volatile unsigned*)mine)[{i}];', 'mine[{i}] = {x}; {d} = atomicCAS(&mine[{i}], {x}, {y}) + atomicExch(&mine[{i}], {z});',
    'mine[{i}] = {x}; atomicMax((int*)&mine[{i}], (int){y}); __threadfence(); {d} ^= ((volatile unsigned*)mine)[{i}];', 'mine[{i}] = {x}; __threadfence_block(); {d} += ((volatile unsigned*)mine)[{i}];', '*(uint4*)&mine[{i4}] = make_uint4({x}, {y}, {z}, {w}); {d} ^= mine[{i4} + 2];',
    '*(uint2*)&mine[{i2}] = make_uint2({x}, {y}); {d} += mine[{i2} + 1];', '((unsigned char*)mine)[{i} * 4 + 1] = (unsigned char){x}; {d} ^= (unsigned char){x} + mine[{i}] * 0u;', 'asm volatile("prefetch.global.L2 [%0];" :: "l"(&in[{x} & 16383]));',
    '{d} = *(const unsigned*)((const char*)gen + ({x} & 65532));',
]
# Everything below needs all threads of the warp, or of the block.
WARP = [
    '{d} = __shfl_xor_sync(~0u, {x}, {l});', '{d} += __shfl_up_sync(~0u, {x}, {l});', '{d} ^= __shfl_down_sync(~0u, {x}, {l});', '{d} = __shfl_sync(~0u, {x}, {y} & 31);', '{d} += __shfl_sync(~0u, {x}, {l}, 8);', '{d} ^= __ballot_sync(~0u, {x} > {y});',
    '{d} += __any_sync(~0u, {x} == {y}) ? {z} : {w};', '{d} ^= __all_sync(~0u, ({x} & 1) == 0) ? {z} : {w};', '{d} = __match_any_sync(~0u, {x} & 3) + {y};', 'int all; {d} ^= __match_all_sync(~0u, salt & 7, &all) + all;', '{d} += __reduce_add_sync(~0u, {x});',
    '{d} ^= __reduce_min_sync(~0u, {x});', '{d} += (unsigned)__reduce_max_sync(~0u, (int){x});', '{d} ^= __reduce_or_sync(~0u, {x} & {y});', '{d} += __reduce_xor_sync(~0u, {x});', 'u64 p = __shfl_xor_sync(~0u, P({x}, {y}), {l}); {d} = (unsigned)p; {e} = (unsigned)(p >> 32);', '{d} = U(__shfl_xor_sync(~0u, F({x}), {l}) + F({y}));',
    '{d} = movmatrix({x});', '__syncwarp(); {d} += elect({x});', '{d} += lanemask_lt() & {x};',
]
SHARED = [
    'sm[tid] = {x}; __syncthreads(); {d} = sm[(tid ^ {l}) & 127]; __syncthreads();', 'sm[tid] = {x}; sm[tid + 128] = {y}; __syncthreads(); {d} = sm[{z} & 255]; {e} ^= sm[({z} >> 9) & 255]; __syncthreads();',
    '((uint4*)sm)[tid] = make_uint4({x}, {y}, {z}, {w}); __syncthreads(); uint4 q = ((uint4*)sm)[({x} >> 3) & 127]; {d} = q.x + q.y; {e} = q.z ^ q.w; __syncthreads();', '((uint2*)sm)[tid] = make_uint2({x}, {y}); __syncthreads(); uint2 q = ((uint2*)sm)[{z} & 127]; {d} = q.x ^ q.y; __syncthreads();',
    '((unsigned char*)sm)[tid] = (unsigned char){x}; __syncthreads(); {d} += ((signed char*)sm)[{y} & 127]; __syncthreads();', '((unsigned short*)sm)[tid] = (unsigned short){x}; __syncthreads(); {d} ^= ((unsigned short*)sm)[{y} & 127]; __syncthreads();',
    'sm[tid & 63] = 0; __syncthreads(); atomicAdd(&sm[{x} & 63], {y}); __syncthreads(); {d} ^= sm[{z} & 63]; __syncthreads();', 'sm[tid & 63] = ~0u; __syncthreads(); atomicMin(&sm[{x} & 63], {y}); __syncthreads(); {d} += sm[{z} & 63]; __syncthreads();',
    'sm[tid & 31] = 0; __syncthreads(); atomicXor(&sm[{x} & 31], {y}); atomicOr(&sm[32 + ({x} & 31)], 0u); __syncthreads(); {d} ^= sm[{z} & 31]; __syncthreads();', 'sm[tid] = {x}; __syncthreads(); unsigned old = atomicCAS(&sm[tid], {x}, {y}); {d} += old + atomicExch(&sm[tid], {z}); __syncthreads();',
    '{d} += __syncthreads_count({x} & 1);', '{d} ^= __syncthreads_or({x} > 0x40000000u) ? {y} : {z};', '{d} += __syncthreads_and({x} | 1) ? 1 : 2;', 'sm[tid] = {x}; asm volatile("bar.sync 1;" ::: "memory"); {d} ^= sm[127 - tid]; asm volatile("bar.sync 1;" ::: "memory");',
    'sm[tid] = {x}; sm[tid + 128] = {y}; sm[tid + 256] = {z}; sm[tid + 384] = {w}; __syncthreads(); ldmatrix4({d}, {e}, {x}, {y}, &sm[(tid & 31) * 4]); __syncthreads();', 'stmatrix2({x}, {y}, &sm[(tid >> 5) * 64 + (tid & 15) * 4]); __syncthreads(); {d} ^= sm[(tid >> 5) * 64 + (tid & 63)]; __syncthreads();',
    'cp_async16(&sm[tid * 4], &in[({x} & 4095) * 4]); cp_commit(); cp_wait(); __syncthreads(); {d} ^= sm[({y} & 127) * 4 + 1]; __syncthreads();', 'cp_async4(&sm[tid], &in[{x} & 16383]); cp_commit(); cp_async4(&sm[tid + 128], &in[{y} & 16383]); cp_commit(); cp_wait1(); {d} += sm[tid]; cp_wait(); __syncthreads(); {e} ^= sm[128 + ({z} & 127)]; __syncthreads();',
    'if (tid == 0) mbar_init(&bar, 128); __syncthreads(); sm[tid] = {x}; mbar_wait(&bar, mbar_arrive(&bar)); {d} += sm[(tid + {l}) & 127]; __syncthreads(); if (tid == 0) mbar_drop(&bar); __syncthreads();', '{{ volatile unsigned* v = sm; v[tid] = {x}; __syncwarp(); {d} += v[tid ^ 1]; __syncwarp(); }} __syncthreads();',
]
MMA = [
    'mma_f16({d}, {e}, {x}, {y}, {z}, {w});', 'mma_bf16({d}, {e}, {x}, {y}, {z}, {w});', 'mma_tf32({d}, {e}, {x}, {y}, {z}, {w});', 'mma_s8({d}, {e}, {x}, {y}, {z}, {w});', 'mma_f64({d}, {e}, {x}, {y}, {z}, {w});', 'mma_f16f16({d}, {e}, {x}, {y}, {z}, {w});', 'mma_b1({d}, {e}, {x}, {y}, {z}, {w});', 'mma_u4({d}, {e}, {x}, {y}, {z}, {w});',
    'mma_f16({d}, {e}, {x}, {y}, {z}, {w}); mma_f16({e}, {d}, {x}, {w}, {y}, {z}); mma_bf16({d}, {e}, {x}, {y}, {z}, {w});', 'mma_s8({d}, {e}, {x}, {y}, {z}, {w}); mma_s8({d}, {e}, {y}, {x}, {w}, {z});',
]
HEAD = r'''
#include <cuda_bf16.h>
#include <cuda_fp16.h>
using u64 = unsigned long long;
using s64 = long long;
#define I __device__ __forceinline__
I float F(unsigned x) { return __uint_as_float((x & 0x807fffffu) | 0x3f800000u | (x & 0x00800000u) << 7 >> 7); }
I float R(unsigned x) { return __uint_as_float(x); }
I unsigned U(float f) { return __float_as_uint(f); }
I double D(unsigned x, unsigned y) { return __hiloint2double((int)((x & 0x800fffffu) | 0x3ff00000u), (int)y); }
I unsigned fold(double d) { return (unsigned)__double2hiint(d) ^ (unsigned)__double2loint(d); }
I __half2 H(unsigned x) { unsigned v = x & 0xbfffbfffu; return *(__half2*)&v; }
I unsigned W(__half2 h) { return *(unsigned*)&h; }
I __nv_bfloat162 N(unsigned x) { unsigned v = x & 0xbfffbfffu; return *(__nv_bfloat162*)&v; }
I unsigned B(__nv_bfloat162 h) { return *(unsigned*)&h; }
I u64 P(unsigned h, unsigned l) { return (u64)h << 32 | l; }
I unsigned bfe_u(unsigned a, unsigned b, unsigned c) { unsigned r; asm("bfe.u32 %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
I unsigned bfe_s(unsigned a, unsigned b, unsigned c) { int r; asm("bfe.s32 %0,%1,%2,%3;" : "=r"(r) : "r"((int)a), "r"(b), "r"(c)); return (unsigned)r; }
I unsigned bfi(unsigned a, unsigned b, unsigned c, unsigned d) { unsigned r; asm("bfi.b32 %0,%1,%2,%3,%4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
template <int L> I unsigned lop3(unsigned a, unsigned b, unsigned c) { unsigned r; asm("lop3.b32 %0,%1,%2,%3,%4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(L)); return r; }
I unsigned bmsk(unsigned a, unsigned b) { unsigned r; asm("bmsk.clamp.b32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
I unsigned szext(unsigned a, unsigned b) { unsigned r; asm("szext.wrap.s32 %0,%1,%2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
I unsigned prmt_f4e(unsigned a, unsigned b, unsigned c) { unsigned r; asm("prmt.b32.f4e %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
I unsigned fns(unsigned a, unsigned b, int c) { unsigned r; asm("fns.b32 %0,%1,%2,%3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
I float tanh_approx(float a) { float r; asm("tanh.approx.f32 %0,%1;" : "=f"(r) : "f"(a)); return r; }
I float min_nan(float a, float b) { float r; asm("min.NaN.f32 %0,%1,%2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
I float add_ftz(float a, float b) { float r; asm("add.ftz.f32 %0,%1,%2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
I unsigned tf32(float a) { unsigned r; asm("cvt.rna.tf32.f32 %0,%1;" : "=r"(r) : "f"(a)); return r; }
I __half2 h2tanh_a(__half2 a) { unsigned r, v = W(a); asm("tanh.approx.f16x2 %0,%1;" : "=r"(r) : "r"(v)); return *(__half2*)&r; }
I unsigned e4m3(__half2 a) { unsigned short r; asm("cvt.rn.satfinite.e4m3x2.f16x2 %0,%1;" : "=h"(r) : "r"(W(a))); return r; }
I __half2 from_e4m3(unsigned short a) { unsigned r; asm("cvt.rn.f16x2.e4m3x2 %0,%1;" : "=r"(r) : "h"(a)); return *(__half2*)&r; }
I __half2 from_e5m2(unsigned short a) { unsigned r; asm("cvt.rn.f16x2.e5m2x2 %0,%1;" : "=r"(r) : "h"(a)); return *(__half2*)&r; }
I unsigned e5m2_of(float a, float b) { unsigned short r; asm("cvt.rn.satfinite.e5m2x2.f32 %0,%1,%2;" : "=h"(r) : "f"(a), "f"(b)); return r; }
I void add128(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { unsigned a, b, c, g; asm("add.cc.u32 %0,%4,%5; addc.cc.u32 %1,%6,%7; addc.cc.u32 %2,%5,%6; addc.u32 %3,%4,%7;" : "=r"(a), "=r"(b), "=r"(c), "=r"(g) : "r"(x), "r"(y), "r"(z), "r"(w)); d = a ^ c; e = b + g; }
I void mad_wide(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { unsigned a, b; asm("mad.lo.cc.u32 %0,%2,%3,%4; madc.hi.u32 %1,%2,%3,%5;" : "=r"(a), "=r"(b) : "r"(x), "r"(y), "r"(z), "r"(w)); d = a; e = b; }
I unsigned ldcg(const unsigned* p) { unsigned r; asm volatile("ld.global.cg.u32 %0,[%1];" : "=r"(r) : "l"(p)); return r; }
I unsigned lanemask_lt() { unsigned r; asm volatile("mov.u32 %0,%%lanemask_lt;" : "=r"(r)); return r; }
I unsigned elect(unsigned x) { unsigned r; asm volatile("{.reg .pred p; .reg .b32 l; elect.sync l|p,0xffffffff; selp.b32 %0,%1,7,p;}" : "=r"(r) : "r"(x)); return r; }
I unsigned sa(const void* p) { return (unsigned)__cvta_generic_to_shared(p); }
I unsigned movmatrix(unsigned x) { unsigned r; asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0,%1;" : "=r"(r) : "r"(x)); return r; }
I void ldmatrix4(unsigned& a, unsigned& b, unsigned& c, unsigned& d, const void* p) { asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3},[%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(sa(p)) : "memory"); }
I void stmatrix2(unsigned a, unsigned b, void* p) { asm volatile("stmatrix.sync.aligned.m8n8.x2.shared.b16 [%0],{%1,%2};" :: "r"(sa(p)), "r"(a), "r"(b) : "memory"); }
I void cp_async16(void* s, const void* g) { asm volatile("cp.async.cg.shared.global [%0],[%1],16;" :: "r"(sa(s)), "l"(g) : "memory"); }
I void cp_async4(void* s, const void* g) { asm volatile("cp.async.ca.shared.global [%0],[%1],4;" :: "r"(sa(s)), "l"(g) : "memory"); }
I void cp_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
I void cp_wait() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }
I void cp_wait1() { asm volatile("cp.async.wait_group 1;" ::: "memory"); }
I void mbar_init(u64* b, unsigned n) { asm volatile("mbarrier.init.shared.b64 [%0],%1;" :: "r"(sa(b)), "r"(n) : "memory"); }
I void mbar_drop(u64* b) { asm volatile("mbarrier.inval.shared.b64 [%0];" :: "r"(sa(b)) : "memory"); }
I u64 mbar_arrive(u64* b) { u64 r; asm volatile("mbarrier.arrive.shared.b64 %0,[%1];" : "=l"(r) : "r"(sa(b)) : "memory"); return r; }
I void mbar_wait(u64* b, u64 t) { unsigned done; do { asm volatile("{.reg .pred p; mbarrier.test_wait.shared.b64 p,[%1],%2; selp.u32 %0,1,0,p;}" : "=r"(done) : "r"(sa(b)), "l"(t) : "memory"); } while (!done); }
I void mma_f16(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { float a = F(x), b = F(y), c = F(z), g = F(w); x &= 0xbfffbfffu; y &= 0xbfffbfffu; z &= 0xbfffbfffu; w &= 0xbfffbfffu; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%5,%7},{%0,%1,%2,%3};" : "+f"(a), "+f"(b), "+f"(c), "+f"(g) : "r"(x), "r"(y), "r"(z), "r"(w)); d = U(a) ^ U(c); e += U(b) ^ U(g); }
I void mma_bf16(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { float a = F(x), b = F(y), c = F(z), g = F(w); x &= 0xbfffbfffu; y &= 0xbfffbfffu; asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%5,%7},{%0,%1,%2,%3};" : "+f"(a), "+f"(b), "+f"(c), "+f"(g) : "r"(x), "r"(y), "r"(z & 0xbfffbfffu), "r"(w & 0xbfffbfffu)); d = U(a) + U(c); e ^= U(b) + U(g); }
I void mma_tf32(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { float a = F(x), b = F(y), c = F(z), g = F(w); asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%5,%7},{%0,%1,%2,%3};" : "+f"(a), "+f"(b), "+f"(c), "+f"(g) : "r"(tf32(F(x))), "r"(tf32(F(y))), "r"(tf32(F(z))), "r"(tf32(F(w)))); d = U(a) ^ U(c); e += U(b) ^ U(g); }
I void mma_f16f16(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { x &= 0xbfffbfffu; y &= 0xbfffbfffu; unsigned a = z & 0xbfffbfffu, b = w & 0xbfffbfffu; asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%3,%5},{%0,%1};" : "+r"(a), "+r"(b) : "r"(x), "r"(y), "r"(z & 0xbfffbfffu), "r"(w & 0xbfffbfffu)); d = a; e ^= b; }
I void mma_s8(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { int a = (int)x, b = (int)y, c = (int)z, g = (int)w; asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%5,%7},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(g) : "r"(x), "r"(y), "r"(z), "r"(w)); d = (unsigned)(a ^ c); e += (unsigned)(b ^ g); }
I void mma_u4(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { int a = (int)x, b = (int)y, c = (int)z, g = (int)w; asm volatile("mma.sync.aligned.m16n8k64.row.col.s32.u4.u4.s32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%5,%7},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(g) : "r"(x), "r"(y), "r"(z), "r"(w)); d = (unsigned)(a ^ c); e += (unsigned)(b ^ g); }
I void mma_b1(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { int a = (int)x, b = (int)y, c = (int)z, g = (int)w; asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3},{%4,%5,%6,%7},{%5,%7},{%0,%1,%2,%3};" : "+r"(a), "+r"(b), "+r"(c), "+r"(g) : "r"(x), "r"(y), "r"(z), "r"(w)); d = (unsigned)(a ^ c); e += (unsigned)(b ^ g); }
I void mma_f64(unsigned& d, unsigned& e, unsigned x, unsigned y, unsigned z, unsigned w) { double a = D(x, y), b = D(z, w); asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};" : "+d"(a), "+d"(b) : "d"(D(y, x)), "d"(D(w, z))); d = fold(a); e ^= fold(b); }
'''
OPTIONS = ['', '', '', '', '-Xptxas -O1', '-Xptxas -O2', '-Xptxas -O0', '-maxrregcount=32', '-use_fast_math', '-fmad=false']
EXPRESSIONS = {'int': INT, 'video': VIDEO, 'float': FLOAT, 'double': DOUBLE, 'half': HALF}
STATEMENTS = {'wide': WIDE, 'local': LOCAL, 'const': CONST, 'global': GLOBAL}
TOGETHER = {'warp': WARP, 'shared': SHARED, 'mma': MMA}


class Kernel:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.families = self.r.sample(sorted(EXPRESSIONS), self.r.randint(2, 4)) + self.r.sample(sorted(STATEMENTS), self.r.randint(1, 3))
        if 'int' not in self.families and self.r.random() < 0.5:
            self.families.append('int')
        self.together = self.r.sample(sorted(TOGETHER), self.r.randint(0, 3))
        self.functions = self.r.choice([0, 0, 1, 2])
        self.loop = 0

    def pick(self, values):
        r = self.r
        names = [f'a{r.randrange(VALUES)}' for _ in range(5)] if values is None else [r.choice(values) for _ in range(5)]
        d = names[0] if values is not None else f'a{r.randrange(VALUES)}'
        e = r.choice([n for n in (values or [f'a{k}' for k in range(VALUES)]) if n != d])
        return dict(d=d, e=e, x=names[1], y=names[2], z=names[3], w=names[4], k=r.randrange(1, 1 << 31), s=r.randrange(1, 31), l=r.randrange(1, 31),
                    i=r.randrange(16), i4=4 * r.randrange(4), i2=2 * r.randrange(8))

    def simple(self, values=None, only=None):
        family = self.r.choice(only or self.families)
        names = self.pick(values)
        if family in EXPRESSIONS:
            text = self.r.choice(EXPRESSIONS[family]).format(**names)
            return f'{names["d"]} {self.r.choice(["=", "=", "^=", "+="])} {text};'
        return '{ ' + self.r.choice(STATEMENTS[family]).format(**names) + ' }'

    def condition(self):
        n = self.pick(None)
        return self.r.choice(['{x} > {y}', '({x} & {k}u) == 0', '(int){x} < (int){y}', '({x} ^ {y}) & 8', '{x} % 3 == 1', 'tid & {s}', 'salt & 1', '({x} & 3) && ({y} & 3)', '({x} & 12) || ({z} & 48) == 16', 'F({x}) < F({y})']).format(**n)

    def block(self, size, depth):
        out = []
        r = self.r
        while size > 0:
            roll = r.random()
            inner = min(size, r.randint(2, 10))
            if depth < 3 and roll < 0.06:
                out += [f'if ({self.condition()}) {{', *self.block(inner, depth + 1), '}']
                if r.random() < 0.5:
                    out[-1] = '} else {'
                    out += [*self.block(inner, depth + 1), '}']
                size -= inner
            elif depth < 2 and roll < 0.10:
                self.loop += 1
                i = f'i{self.loop}'
                n = self.pick(None)
                bound = r.choice(['({x} & 3) + 1', '(salt & 3) + 2', '4', '({x} >> 30) + (blockIdx.x & 1)']).format(**n)
                unroll = r.choice(['#pragma unroll 1\n', ''])
                leave = [f'if ({self.condition()}) {r.choice(["break", "continue"])};'] if r.random() < 0.3 else []
                out += [f'{unroll}for (unsigned {i} = 0, n{i} = {bound}; {i} < n{i}; ++{i}) {{', *self.block(inner // 2, depth + 1), *leave,
                        *self.block(inner - inner // 2, depth + 1), f'{n["d"]} += {i};', '}']
                size -= inner
            elif depth < 2 and roll < 0.12:
                n = self.pick(None)
                out.append(f'switch ({n["x"]} & 7) {{')
                for case in range(r.randint(4, 8)):
                    out += [f'case {case}:', *self.block(2, 3), 'break;']
                out += ['default:', *self.block(1, 3), '}']
                size -= inner
            elif self.functions and roll < 0.15:
                n = self.pick(None)
                out.append('{d} = f{f}({x}, {y}, {z});'.format(f=r.randrange(self.functions), **n))
                size -= 1
            elif depth == 0 and self.together and roll < 0.32:
                out.append('{ ' + r.choice(TOGETHER[r.choice(self.together)]).format(**self.pick(None)) + ' }')
                size -= 2
            else:
                out.append(self.simple())
                size -= 1
        return out

    def source(self):
        r = self.r
        lines = [f'// nvcc: {r.choice(OPTIONS)}'.rstrip(), HEAD]
        constants = lambda n, bits: ', '.join(f'{r.getrandbits(bits)}u' for _ in range(n))
        lines.append(f'__constant__ unsigned table[64] = {{{constants(64, 32)}}};')
        lines.append(f'__constant__ unsigned char bytes[256] = {{{constants(256, 8)}}};')
        lines.append('__constant__ uint4 wide[32] = {' + ', '.join('{' + constants(4, 32) + '}' for _ in range(32)) + '};')
        lines.append('__constant__ double2 doubles[8] = {' + ', '.join(f'{{{r.random()!r}, {r.random()!r}}}' for _ in range(8)) + '};')
        plain = [f for f in self.families if f in EXPRESSIONS] or ['int']
        for f in range(self.functions):
            body = [self.simple(['p', 'q', 's'], plain) for _ in range(r.randint(3, 12))]
            guard = f'if (p > {r.randrange(1 << 31)}u) {{ {self.simple(["p", "q", "s"], plain)} }}'
            lines.append(f'__device__ __noinline__ unsigned f{f}(unsigned p, unsigned q, unsigned s) {{ {" ".join(body)} {guard} return p ^ q + s; }}')
        lines.append('extern "C" __global__ void __launch_bounds__(128) kernel(const unsigned* __restrict__ in, unsigned* __restrict__ out, unsigned salt) {')
        lines.append('__shared__ __align__(16) unsigned sm[512]; __shared__ u64 bar; const void* volatile where = in; const void* gen = where; const unsigned tid = threadIdx.x, t = blockIdx.x * 128 + tid; unsigned* const mine = out + t * 16; (void)bar; (void)gen; (void)sm;')
        lines.append('unsigned loc[8] = {1, 2, 3, 5, 8, 13, 21, 34}; (void)loc;')
        for k in range(0, VALUES, 4):
            lines.append(f'uint4 q{k} = *(const uint4*)&in[t * 16 + {k}]; unsigned a{k} = q{k}.x, a{k + 1} = q{k}.y, a{k + 2} = q{k}.z, a{k + 3} = q{k}.w;')
        lines += self.block(r.randint(40, 260), 0)
        if r.random() < 0.4:
            lines += [f'if ({self.condition()}) {{', *[f'mine[{k}] = a{k} + {k}u;' for k in range(VALUES)], 'return; }']
        self.together = []
        lines += self.block(r.randint(2, 20), 1)
        if 'local' in self.families:
            lines.append('for (unsigned k = 0; k < 8; ++k) a0 = a0 * 31 + loc[k];')
        lines += [f'mine[{k}] = a{k};' for k in range(VALUES)]
        lines.append('}')
        return '\n'.join(lines) + '\n'


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    seed, count, out = int(sys.argv[1]), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    for k in range(count):
        (out / f'g{k:03}.cu').write_text(Kernel(seed * 100003 + k).source())


if __name__ == '__main__':
    main()
