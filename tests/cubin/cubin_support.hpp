// SPDX-License-Identifier: BSL-1.0
//
// What the cubin tests share: files of the bundled data and of the corpus, random orders that keep blocks apart, and an
// independent reading of what a patched cubin must still say.
//
// The orders shuffle the instructions between two block bounds without asking whether that changes what the code computes:
// the patcher deals with places, not with meanings. Block bounds are found here from the raw words, symbols and branch
// records.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "warpwright/sass/cubin_patch.hpp"

namespace ww_test {

using bytes = std::vector<std::uint8_t>;

inline bytes read_bytes(const std::filesystem::path& p) {
  std::ifstream f(p, std::ios::binary);
  return bytes(std::istreambuf_iterator<char>(f), {});
}

inline bytes bundled(const std::string& name) {
  bytes b = read_bytes(std::filesystem::path(WW_TEST_DATA) / "cubin" / (name + ".cubin"));
  INFO(name);
  REQUIRE(!b.empty());
  return b;
}

// All .cubin files of a folder, in the order of their names.
inline std::vector<std::filesystem::path> cubins_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> v;
  if (std::filesystem::is_directory(folder)) {
    for (const auto& e : std::filesystem::directory_iterator(folder)) {
      if (e.path().extension() == ".cubin") {
        v.push_back(e.path());
      }
    }
  }
  std::sort(v.begin(), v.end());
  return v;
}
inline std::vector<std::filesystem::path> bundled_cubins() {
  return cubins_of(std::filesystem::path(WW_TEST_DATA) / "cubin");
}
inline std::vector<std::filesystem::path> corpus_cubins() {
  const char* c = std::getenv("WARPWRIGHT_CORPUS");
  return c == nullptr ? std::vector<std::filesystem::path>{} : cubins_of(std::filesystem::path(c) / "cubin");
}

template <class Unsigned>
Unsigned get(const bytes& b, std::uint64_t at) {
  REQUIRE(at + sizeof(Unsigned) <= b.size());
  return ww::sass::detail::load_le<Unsigned>(b, at);
}
template <class Unsigned>
void put(bytes& b, std::uint64_t at, Unsigned v) {
  REQUIRE(at + sizeof(Unsigned) <= b.size());
  ww::sass::detail::store_le<Unsigned>(b, at, v);
}

inline constexpr std::uint64_t control_bits = std::uint64_t{0x1fffff} << 41;

// Positions (in instructions) that a legal order does not cross.
inline std::vector<std::uint8_t> block_bounds(const ww::sass::elf_file& f, const ww::sass::cubin& c,
                                              const ww::sass::cubin_text& t) {
  namespace d = ww::sass::detail;
  const auto n = t.code.instructions.size();
  std::vector<std::uint8_t> bound(n + 1, 0);
  bound[0] = bound[n] = 1;
  const auto at = [&](std::uint64_t offset) {
    if (offset % 16 == 0 && offset / 16 <= n) {
      bound[static_cast<std::size_t>(offset / 16)] = 1;
    }
  };
  const auto form = d::branch_form_of(f.sections[t.section].bytes);
  for (const ww::instruction& i : t.code.instructions) {
    if (d::pinned_word(i.word[0])) {
      at(i.address);
      at(i.address + 16u);
    }
    std::uint64_t target = 0;
    if (d::direct_target(form, i.word[0], i.word[1], i.address, target)) {
      at(target);
    }
    if ((i.word[0] & 0xfff) == 0x94e) {  // LEPC with a target: the next call's return address
      at(i.address + 32u);
    }
  }
  for (const ww::sass::elf_symbol& s : f.symbols) {
    if (s.section == t.section) {
      at(s.value);
      at(s.value + s.size);
    }
  }
  for (const ww::sass::elf_relocation& r : f.relocations) {
    if (f.symbols[r.symbol].section == t.section && r.has_addend) {
      at(f.symbols[r.symbol].value + static_cast<std::uint64_t>(r.addend));
    }
  }
  for (const ww::sass::info_record& r : c.infos) {
    if (r.attribute == 0x34 && f.sections[r.section].info == t.section) {
      for (std::uint32_t k = 0; k + 4 <= r.value_size; k += 4) {
        at(d::load_le<std::uint32_t>(f.bytes, r.value_place + k));
      }
    }
  }
  return bound;
}

inline bool pinned(const ww::instruction& i) { return ww::sass::detail::pinned_word(i.word[0]); }

inline ww::sass::text_patch identity_patch(const ww::sass::cubin_text& t) {
  return ww::sass::make_text_patch(t.code, t.section);
}

// A random order inside blocks, each instruction with its own control bits.
inline ww::sass::text_patch random_patch(const ww::sass::elf_file& f, const ww::sass::cubin& c,
                                         const ww::sass::cubin_text& t, std::mt19937& rng) {
  ww::sass::text_patch p = identity_patch(t);
  const auto bound = block_bounds(f, c, t);
  std::size_t first = 0;
  for (std::size_t k = 1; k < bound.size(); ++k) {
    if (bound[k] != 0) {
      for (std::size_t i = k; i > first + 1; --i) {  // std::shuffle differs between libraries
        std::swap(p.old_index[i - 1], p.old_index[first + rng() % (i - first)]);
      }
      first = k;
    }
  }
  for (std::size_t k = 0; k < p.old_index.size(); ++k) {
    p.control[k] = ww::sm70_128::extract(t.code.instructions[p.old_index[k]].word);
  }
  return p;
}

struct loaded {
  bytes data;
  ww::sass::elf_result elf;
  ww::sass::cubin_result cubin;

  explicit loaded(bytes b) : data(std::move(b)), elf(ww::sass::read_elf(data)), cubin(ww::sass::read_cubin(elf.file)) {
    INFO(elf.error.text() << " / " << cubin.error.text());
    REQUIRE(!elf.error);
    REQUIRE(!cubin.error);
  }
  loaded(const loaded&) = delete;
};

}  // namespace ww_test
