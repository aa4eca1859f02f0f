// SPDX-License-Identifier: BSL-1.0
//
// Files that tests read: the bundled listings, and the whole corpus where WARPWRIGHT_CORPUS names its folder.
//
//   corpus::root()            the corpus folder, empty if there is none
//   corpus::reference()       it is the one that was counted: exact numbers hold of that one, and what it is known to contain
//   corpus::bundled("x")      path of a bundled file, relative to tests/data
//   corpus::files(folder)     the paths of a folder's plain files, sorted by name
//   corpus::text(path)        a file's bytes; names that end in .xz are read through `xz -dc`
//   corpus::sm_of(path)       the SM that a file name like kernel.sm90a.sass states, in the numbering of sm_id
//   corpus::unit_of(path)     "kernel" of that name
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <warpwright/ir/program.hpp>

namespace ww_test::corpus {

inline std::string root() {
  const char* value = std::getenv("WARPWRIGHT_CORPUS");
  return value != nullptr ? std::string(value) : std::string();
}

inline std::string bundled(std::string_view name) {
  std::string path(WW_TEST_DATA);
  path += '/';
  path += name;
  return path;
}

inline std::vector<std::string> files(const std::string& folder) {
  std::vector<std::string> found;
  std::error_code bad;
  for (const auto& entry : std::filesystem::directory_iterator(folder, bad)) {
    if (entry.is_regular_file(bad)) found.push_back(entry.path().string());
  }
  std::sort(found.begin(), found.end());
  return found;
}

inline bool ends_with(std::string_view s, std::string_view tail) {
  return s.size() >= tail.size() && s.substr(s.size() - tail.size()) == tail;
}

inline std::string text(const std::string& path) {
  const bool packed = ends_with(path, ".xz");
  std::string quoted;  // for the shell: the name in single quotes
  for (const char c : path) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  std::FILE* f = packed ? ::popen(("xz -dc '" + quoted + "'").c_str(), "r") : std::fopen(path.c_str(), "rb");
  std::string all;
  if (f == nullptr) return all;
  std::vector<char> buffer(1u << 16);
  std::size_t n = 0;
  while ((n = std::fread(buffer.data(), 1, buffer.size(), f)) > 0) all.append(buffer.data(), n);
  if (packed) {
    ::pclose(f);
  } else {
    std::fclose(f);
  }
  return all;
}

inline std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

inline std::string unit_of(std::string_view path) {
  const std::string_view name = file_name(path);
  return std::string(name.substr(0, name.find(".sm")));
}

inline ww::sm_id sm_of(std::string_view path) {
  const std::string_view name = file_name(path);
  std::size_t at = name.find(".sm");
  if (at == std::string_view::npos) return ww::sm_id::unknown;
  at += 3;
  unsigned n = 0;
  while (at < name.size() && name[at] >= '0' && name[at] <= '9') n = n * 10 + static_cast<unsigned>(name[at++] - '0');
  return static_cast<ww::sm_id>(n * 10 + (at < name.size() && name[at] == 'a' ? 1 : 0));
}

inline bool reference() {
  static const bool is = [] {
    std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a of its table of counts
    if (root().empty()) return false;
    for (const char c : text(root() + "/stats.csv")) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    return hash == 0xf564c43b6c2cf239ull;
  }();
  return is;
}

// The bundled listings (nvdisasm -c -hex), and those of the corpus if it is there.
inline std::vector<std::string> listings() {
  std::vector<std::string> all = files(bundled("listings"));
  if (!root().empty()) {
    const std::vector<std::string> more = files(root() + "/listings");
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// Other shapes of the text: no hex, raw, whole file, live-range columns, relocatable, sm_52 groups, cuobjdump.
inline std::vector<std::string> other_forms() {
  std::vector<std::string> all = files(bundled("listings/formats"));
  if (!root().empty()) {
    for (const char* folder : {"/formats", "/cuobjdump", "/plr", "/plr_registers"}) {
      const std::vector<std::string> more = files(root() + folder);
      all.insert(all.end(), more.begin(), more.end());
    }
  }
  all.erase(std::remove_if(all.begin(), all.end(), [](const std::string& p) { return ends_with(p, ".dot"); }), all.end());
  return all;
}

}  // namespace ww_test::corpus
