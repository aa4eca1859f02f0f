// SPDX-License-Identifier: BSL-1.0
//
// Lines of a register-liveness listing (nvdisasm -plr -lrm narrow): for every instruction the registers that it
// defines (^), reads (v) or both (x), by column under vertical digits. Format: corpus README.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ww_test {

struct table_line {
  std::string section;
  std::string body;
  std::uint32_t address = 0;
  std::set<std::string> defs;  // "R4", "P0", "UR12", "UP0"
  std::set<std::string> uses;
};

inline std::vector<table_line> read_register_table(const std::string& text) {
  std::vector<table_line> out;
  std::string section;
  std::string heads;
  std::vector<std::string> digits;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = text.find('\n', at);
    if (end == std::string::npos) end = text.size();
    const std::string_view line(text.data() + at, end - at);
    at = end + 1;
    const std::size_t dots = line.find(".text.");
    if (line.substr(0, 5) == "//---" && dots != std::string_view::npos) {
      section = std::string(line.substr(dots, line.find(' ', dots) - dots));
      continue;
    }
    const std::size_t box = line.rfind("// |");
    if (box == std::string_view::npos) continue;
    const std::string columns(line.substr(box));
    if (columns.find("GPR") != std::string::npos || columns.find("PRED") != std::string::npos) {
      heads = columns;
      digits.clear();
      continue;
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first == box || line.substr(first, 2) != "/*") {
      if (first == box && columns.find_first_of("0123456789") != std::string::npos &&
          columns.find_first_not_of("/ |#0123456789") == std::string::npos) {
        digits.push_back(columns);
      }
      continue;
    }
    const std::size_t close = line.find("*/", first);
    table_line t;
    t.section = section;
    t.address = static_cast<std::uint32_t>(
        std::strtoul(std::string(line.substr(first + 2, close - first - 2)).c_str(), nullptr, 16));
    const std::size_t body = line.find_first_not_of(" \t", close + 2);
    const std::size_t stop = line.rfind(';', box);
    t.body = std::string(line.substr(body, stop - body));
    while (!t.body.empty() && t.body.back() == ' ') t.body.pop_back();
    std::string prefix;
    for (std::size_t i = 3; i < columns.size(); ++i) {
      if (columns[i] == '|') {
        const std::size_t next = heads.find('|', i + 1);
        const std::string name = heads.substr(i, next == std::string::npos ? next : next - i);
        prefix = name.find("UPRED") != std::string::npos  ? "UP"
                 : name.find("UGPR") != std::string::npos ? "UR"
                 : name.find("PRED") != std::string::npos ? "P"
                                                          : "R";
        continue;
      }
      const char mark = columns[i];
      if (mark != '^' && mark != 'v' && mark != 'x') continue;
      int number = 0;
      for (const std::string& d : digits) {
        if (i < d.size() && d[i] >= '0' && d[i] <= '9') number = number * 10 + (d[i] - '0');
      }
      const std::string name = prefix + std::to_string(number);
      if (mark != 'v') t.defs.insert(name);
      if (mark != '^') t.uses.insert(name);
    }
    out.push_back(t);
  }
  return out;
}

}  // namespace ww_test
