// SPDX-License-Identifier: BSL-1.0
//
// libFuzzer target: any bytes through the ELF reader, the cubin reader, the line-table reader and the patcher. The order
// given to the patcher comes from the last bytes of the input, so that the fuzzer can find orders too. Seeds:
// tests/data/cubin and the corpus cubins.
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "warpwright/sass/cubin_patch.hpp"

namespace {

void require(bool b) {
  if (!b) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ww::sass;
  const byte_span bytes(data, size);
  const elf_result e = read_elf(bytes);
  if (e.error) {
    require(!e.error.where.empty() && !e.error.text().empty());
    return 0;
  }
  const cubin_result c = read_cubin(e.file);
  if (c.error) {
    return 0;
  }
  std::vector<line_unit> units;
  for (const elf_section& s : e.file.sections) {
    if (s.name == ".debug_line") {
      (void)read_line_units(s.bytes, s.offset, "line", units);
    }
  }
  std::vector<text_patch> patches;
  std::uint64_t state = size;
  for (std::size_t k = size > 8 ? size - 8 : 0; k < size; ++k) {
    state = state * 1099511628211u + data[k];
  }
  for (const cubin_text& t : c.value.texts) {
    text_patch p = make_text_patch(t.code, t.section);
    for (std::size_t k = 1; k < p.old_index.size(); ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      if ((state >> 60) < 3 && !detail::pinned_word(t.code.instructions[p.old_index[k]].word[0]) &&
          !detail::pinned_word(t.code.instructions[p.old_index[k - 1]].word[0])) {
        std::swap(p.old_index[k], p.old_index[k - 1]);
        std::swap(p.control[k], p.control[k - 1]);
      }
    }
    patches.push_back(std::move(p));
  }
  const patch_result r = patch_cubin(bytes, patches, {true});
  require(r.error ? r.bytes.empty() : r.bytes.size() >= size);
  if (!r.error) {
    require(!read_cubin(r.bytes).error);
  }
  return 0;
}
