// SPDX-License-Identifier: BSL-1.0
//
// Which instruction of a generated kernel that gives other outputs than its original is the one to blame?
//
//   ww_gpu_blame ORIGINAL.cubin CHANGED.cubin
//
// Makes instructions of the changed kernel careful: they wait for all counters, and eleven cycles pass behind them. If the kernel is right
// with all of them careful, the shortest careful beginning of the code is looked for with which it is right: the last instruction of that
// is needed, as it waits or keeps its distance; then the shortest careful end. Every run has a process of its own. Prints the file
// offset of the section and the numbers of the two instructions; exit code 0 equal from the start, 1 blamed, 2 wrong use, 3 careful code
// is not right either, 77 no GPU.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <warpwright/sass/cubin.hpp>

#include "device.hpp"
#include "fresh_process.hpp"
#include "generated.hpp"

namespace {

using namespace ww_gpu;

struct text_section {
  std::size_t offset = 0, count = 0;
};

std::vector<text_section> texts_of(const std::vector<char>& image) {
  const std::vector<std::uint8_t> bytes(image.begin(), image.end());
  std::vector<text_section> found;
  const auto elf = ww::sass::read_elf(bytes);
  for (const auto& s : elf.file.sections) {
    if (s.name.substr(0, 6) == ".text.") found.push_back({s.offset, s.size / 16});
  }
  return found;
}

void make_careful(std::vector<char>& image, std::size_t at) {
  std::uint64_t high = 0;
  std::memcpy(&high, image.data() + at + 8, 8);
  high |= std::uint64_t{63} << (116 - 64);
  const std::uint64_t code = high >> (105 - 64) & 31;
  if (code != 0 && (code & 15) != 0)
    high = (high & ~(std::uint64_t{31} << (105 - 64))) | std::uint64_t{16 + 11} << (105 - 64);
  std::memcpy(image.data() + at + 8, &high, 8);
}

// Outputs on all patterns, in a process of its own: 1 equal, 0 not, 2 no device.
int equal(const std::vector<char>& original, const std::vector<char>& changed) {
  const auto note = each_in_fresh_process(
      1, 5, 60, [] { return use_device(); },
      [&](std::size_t, bool&) -> std::uint8_t {
        try {
          const events e;
          std::vector<std::vector<std::uint8_t>> right;
          const code a(original, generated_kernel);
          for (unsigned p = 0; p < pattern_count; ++p) {
            stage s(generated_launch(p));
            s.run(a, e);
            right.push_back(s.outputs());
          }
          const code b(changed, generated_kernel);
          for (unsigned p = 0; p < pattern_count; ++p) {
            stage s(generated_launch(p));
            s.run(b, e);
            if (s.outputs() != right[p]) return 0;
          }
          return 1;
        } catch (const failure& f) {
          std::fprintf(stderr, "%s\n", f.what.c_str());
          std::_Exit(1);
        }
      });
  return note[0] == 1 ? 1 : note[0] == skipped_item ? 2 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: ww_gpu_blame ORIGINAL.cubin CHANGED.cubin\n");
    return 2;
  }
  const std::vector<char> original = read_file(argv[1]), changed = read_file(argv[2]);
  const std::vector<text_section> texts = texts_of(changed);
  if (original.empty() || texts.empty()) {
    std::fprintf(stderr, "%s: no code\n", argv[2]);
    return 2;
  }
  if (!cu.load().empty()) return 77;
  std::vector<std::size_t> places;
  for (const text_section& t : texts) {
    for (std::size_t k = 0; k < t.count; ++k) places.push_back(t.offset + 16 * k);
  }
  const auto with = [&](std::size_t from, std::size_t to) {
    std::vector<char> image = changed;
    for (std::size_t k = from; k < to; ++k) make_careful(image, places[k]);
    return equal(original, image);
  };
  const std::size_t all = places.size();
  const int as_it_is = with(0, 0);
  if (as_it_is == 2) return 77;
  if (as_it_is == 1) {
    std::printf("%s: equal\n", argv[2]);
    return 0;
  }
  if (with(0, all) != 1) {
    std::printf("%s: not right with careful code either; original twice: %d\n", argv[2], equal(original, original));
    return 3;
  }
  std::size_t low = 0, high = all;  // careful below `high` is right, below `low` is not
  while (high - low > 1) {
    const std::size_t mid = low + (high - low) / 2;
    (with(0, mid) == 1 ? high : low) = mid;
  }
  const std::size_t last = high - 1;
  low = 0;
  high = all;  // careful from `low` on is right, from `high` on is not
  while (high - low > 1) {
    const std::size_t mid = low + (high - low) / 2;
    (with(mid, all) == 1 ? low : high) = mid;
  }
  const auto say = [&](std::size_t k) {
    for (const text_section& t : texts) {
      if (places[k] >= t.offset && places[k] < t.offset + 16 * t.count) {
        std::printf(" section at %zu, instruction at %04zx", t.offset, places[k] - t.offset);
      }
    }
  };
  std::printf("%s: careful up to", argv[2]);
  say(last);
  std::printf("; careful from");
  say(low);
  std::printf("\n");
  return 1;
}
