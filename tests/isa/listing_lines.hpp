// SPDX-License-Identifier: BSL-1.0
//
// Instruction lines of a listing for the tests of isa/: the body, the two words and the section of each line.
// Deliberately simple and apart from sass/, so that the two cannot share a mistake.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace ww_test {

struct listing_line {
  std::string section;
  std::string body;
  std::uint32_t address = 0;
  std::uint64_t word[2] = {0, 0};
  int words = 0;
  std::uint32_t line = 0;
};

inline bool hex_word(std::string_view line, std::uint64_t& value) {
  const std::size_t at = line.rfind("/* 0x");
  if (at == std::string_view::npos) return false;
  value = std::strtoull(std::string(line.substr(at + 5, 16)).c_str(), nullptr, 16);
  return true;
}

inline std::vector<listing_line> read_lines(const std::string& text) {
  std::vector<listing_line> out;
  std::string section;
  std::uint32_t number = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    ++number;
    const std::size_t dots = line.find(".text.");
    if (line.substr(0, 5) == "//---" && dots != std::string_view::npos) {
      const std::size_t stop = line.find(' ', dots);
      section = std::string(line.substr(dots, stop - dots));
      continue;
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == std::string_view::npos || line.substr(first, 2) != "/*") continue;
    if (line.substr(first, 5) == "/* 0x") {
      if (!out.empty() && out.back().words == 1 && hex_word(line, out.back().word[1])) out.back().words = 2;
      continue;
    }
    const std::size_t close = line.find("*/", first);
    if (close == std::string_view::npos) continue;
    const std::size_t body = line.find_first_not_of(" \t{", close + 2);
    std::size_t stop = line.find(';', body);
    if (stop == std::string_view::npos) stop = line.find('}', body);
    if (body == std::string_view::npos || stop == std::string_view::npos) continue;
    listing_line l;
    l.section = section;
    l.line = number;
    l.address = static_cast<std::uint32_t>(
        std::strtoul(std::string(line.substr(first + 2, close - first - 2)).c_str(), nullptr, 16));
    l.body = std::string(line.substr(body, stop - body));
    if (line.find("(*", body) != std::string_view::npos) {
      l.body = std::string(line.substr(body, line.find("*)", body) + 2 - body));
    }
    while (!l.body.empty() && l.body.back() == ' ') l.body.pop_back();
    if (hex_word(line, l.word[0])) l.words = 1;
    out.push_back(l);
  }
  return out;
}

}  // namespace ww_test
