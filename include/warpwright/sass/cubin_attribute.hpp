// SPDX-License-Identifier: BSL-1.0
//
// The attribute kinds of .nv.info sections (EIATTR_*), and where in their values instruction offsets stand.
//
//   attribute  the second byte of a record; its name is the one that NVIDIA's cuobjdump -elf prints for that byte
//   layout     what a change of instruction positions does to the value:
//     plain        nothing: no code offset in it
//     flag         nothing while the record has no 32-bit value (formats 1..3); otherwise not understood
//     offsets      a list of 32-bit instruction offsets
//     offset_first pairs: offset, other            offset_second  pairs: other, offset
//     annotations  entries: kind 1, offset (a load or store of a spilled register); kind 2, offset, text; kind 3, text of a function
//     mbarriers    records of 16 bytes, the offset first
//     registers    records of 12 bytes: offset of an instruction, a register in the upper half of the second word, -1 or 0
//     branches     offset of an indirect branch, two 16-bit fields, count, then `count` targets
//     unsupported  may hold code offsets and is not understood: a changed program with it is refused
// Sources: values and names as cuobjdump 13.1 prints them for the corpus and for one file in which the byte was
// stepped through 0..0x77, and 13.5 for 0x5a..0x77; facts: hardware 5.5; format.md trap 6. Kinds never seen with a value are unsupported
// unless the tool prints their parts (0x2e, 0x3a) or the name says a list of offsets.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace ww::sass {

enum class attribute_layout : std::uint8_t {
  plain,
  flag,
  offsets,
  offset_first,
  offset_second,
  annotations,
  mbarriers,
  registers,
  branches,
  unsupported,
};

struct cubin_attribute {
  std::string_view name;
  attribute_layout layout = attribute_layout::unsupported;
};

namespace detail {

inline constexpr auto cubin_attributes = [] {
  using enum attribute_layout;
  std::array<cubin_attribute, 256> t{};
  const auto set = [&t](std::uint8_t k, std::string_view name, attribute_layout l = plain) { t[k] = {name, l}; };
  set(0x00, "ERROR");
  set(0x01, "PAD");
  set(0x02, "IMAGE_SLOT");
  set(0x03, "JUMPTABLE_RELOCS", unsupported);
  set(0x04, "CTAIDZ_USED");
  set(0x05, "MAX_THREADS");
  set(0x06, "IMAGE_OFFSET");
  set(0x07, "IMAGE_SIZE");
  set(0x08, "TEXTURE_NORMALIZED");
  set(0x09, "SAMPLER_INIT");
  set(0x0a, "PARAM_CBANK");
  set(0x0b, "SMEM_PARAM_OFFSETS");
  set(0x0c, "CBANK_PARAM_OFFSETS");
  set(0x0d, "SYNC_STACK");
  set(0x0e, "TEXID_SAMPID_MAP");
  set(0x0f, "EXTERNS");
  set(0x10, "REQNTID");
  set(0x11, "FRAME_SIZE");
  set(0x12, "MIN_STACK_SIZE");
  set(0x13, "SAMPLER_FORCE_UNNORMALIZED");
  set(0x14, "BINDLESS_IMAGE_OFFSETS", unsupported);
  set(0x15, "BINDLESS_TEXTURE_BANK");
  set(0x16, "BINDLESS_SURFACE_BANK");
  set(0x17, "KPARAM_INFO");
  set(0x18, "SMEM_PARAM_SIZE");
  set(0x19, "CBANK_PARAM_SIZE");
  set(0x1a, "QUERY_NUMATTRIB");
  set(0x1b, "MAXREG_COUNT");
  set(0x1c, "EXIT_INSTR_OFFSETS", offsets);
  set(0x1d, "S2RCTAID_INSTR_OFFSETS", offsets);
  set(0x1e, "CRS_STACK_SIZE");
  set(0x1f, "NEED_CNP_WRAPPER");
  set(0x20, "NEED_CNP_PATCH");
  set(0x21, "EXPLICIT_CACHING");
  set(0x22, "ISTYPEP_USED");
  set(0x23, "MAX_STACK_SIZE");
  set(0x24, "SUQ_USED");
  set(0x25, "LD_CACHEMOD_INSTR_OFFSETS", offsets);
  set(0x26, "LOAD_CACHE_REQUEST");
  set(0x27, "ATOM_SYS_INSTR_OFFSETS", offsets);
  set(0x28, "COOP_GROUP_INSTR_OFFSETS", offsets);
  set(0x29, "COOP_GROUP_MASK_REGIDS");
  set(0x2a, "SW1850030_WAR", flag);
  set(0x2b, "WMMA_USED");
  set(0x2c, "HAS_PRE_V10_OBJECT");
  set(0x2d, "ATOMF16_EMUL_INSTR_OFFSETS", offsets);
  set(0x2e, "ATOM16_EMUL_INSTR_REG_MAP", offset_first);
  set(0x2f, "REGCOUNT");
  set(0x30, "SW2393858_WAR", flag);
  set(0x31, "INT_WARP_WIDE_INSTR_OFFSETS", offsets);
  set(0x32, "SHARED_SCRATCH");
  set(0x33, "STATISTICS");
  set(0x34, "INDIRECT_BRANCH_TARGETS", branches);
  set(0x35, "SW2861232_WAR", flag);
  set(0x36, "SW_WAR");
  set(0x37, "CUDA_API_VERSION");
  set(0x38, "NUM_MBARRIERS");
  set(0x39, "MBARRIER_INSTR_OFFSETS", mbarriers);
  set(0x3a, "COROUTINE_RESUME_ID_OFFSETS", offset_second);
  set(0x3b, "SAM_REGION_STACK_SIZE");
  set(0x3c, "PER_REG_TARGET_PERF_STATS");
  set(0x3d, "CTA_PER_CLUSTER");
  set(0x3e, "EXPLICIT_CLUSTER");
  set(0x3f, "MAX_CLUSTER_RANK");
  set(0x40, "INSTR_REG_MAP", registers);
  set(0x41, "RESERVED_SMEM_USED");
  set(0x42, "RESERVED_SMEM_0_SIZE");
  set(0x43, "UCODE_SECTION_DATA", unsupported);
  set(0x44, "UNUSED_LOAD_BYTE_OFFSET", offset_first);
  set(0x45, "KPARAM_INFO_V2");
  set(0x46, "SYSCALL_OFFSETS", offsets);
  set(0x47, "SW_WAR_MEMBAR_SYS_INSTR_OFFSETS", offsets);
  set(0x48, "GRAPHICS_GLOBAL_CBANK");
  set(0x49, "SHADER_TYPE");
  set(0x4a, "VRC_CTA_INIT_COUNT");
  set(0x4b, "TOOLS_PATCH_FUNC", unsupported);
  set(0x4c, "NUM_BARRIERS");
  set(0x4d, "TEXMODE_INDEPENDENT");
  set(0x4e, "PERF_STATISTICS");
  set(0x4f, "AT_ENTRY_FRAGMENTS", unsupported);
  set(0x50, "SPARSE_MMA_MASK");
  set(0x51, "TCGEN05_1CTA_USED");
  set(0x52, "TCGEN05_2CTA_USED");
  set(0x53, "GEN_ERRBAR_AT_EXIT", flag);
  set(0x54, "REG_RECONFIG", flag);
  set(0x55, "ANNOTATIONS", annotations);
  set(0x57, "STACK_CANARY_TRAP_OFFSETS", offsets);
  set(0x58, "STUB_FUNCTION_KIND");
  set(0x59, "LOCAL_CTA_ASYNC_STORE_OFFSETS", offsets);
  set(0x5a, "MERCURY_FINALIZER_OPTIONS");
  set(0x5b, "BLOCKS_ARE_CLUSTERS", flag);
  set(0x5c, "SANITIZE");
  set(0x5e, "CUDA_REQ");
  set(0x5f, "MERCURY_ISA_VERSION");
  set(0x61, "RTCORE_ENTRY", unsupported);
  set(0x62, "CLUSTER_LAUNCH_CONTROL_USED", flag);
  set(0x65, "IGNOREOOB_CP_ASYNC_BULK_INSTR_OFFSETS",
      offsets);                        // each leads to UBLKCP (observed: 20 records of CUDA 13.2 and later)
  set(0x66, "LANGUAGE");               // from CUDA 13.2 on, as 0x6b and 0x6d: fixed values that name no place in the code
  set(0x68, "GRID_ATTRIBUTES", flag);  // 16 bits, 4 or 12 (sm_90a with multimem, 19 kernels): no place in the code
  set(0x6b, "NVSAL_SW_WAR");
  set(0x6d, "PREEXIT_USED");
  return t;
}();

}  // namespace detail

// The kind of an attribute byte; one that is not known has the name "unknown" and is unsupported.
[[nodiscard]] constexpr cubin_attribute attribute_of(std::uint8_t kind) {
  const cubin_attribute a = detail::cubin_attributes[kind];
  return a.name.empty() ? cubin_attribute{"unknown", attribute_layout::unsupported} : a;
}

static_assert(attribute_of(0x1c).layout == attribute_layout::offsets);
static_assert(attribute_of(0x29).layout == attribute_layout::plain);
static_assert(attribute_of(0x60).layout == attribute_layout::unsupported);

}  // namespace ww::sass
