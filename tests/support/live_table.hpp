// SPDX-License-Identifier: BSL-1.0
//
// Reads the live-register counts that `nvdisasm -plr -lrm count` prints beside a listing.
//
//   one row per instruction: section, address, and a number per register class; blank means 0
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <warpwright/pressure/register_layout.hpp>

namespace ww_test {

struct live_row {
  std::string_view section;  // ".text.NAME"
  std::uint32_t address = 0;
  ww::live_count count;
};

// Rows of a table; the text must stay alive.
inline std::vector<live_row> read_live_table(std::string_view text) {
  std::vector<live_row> rows;
  std::vector<ww::pressure_class> columns;
  std::string_view section;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    if (line.rfind("//-----", 0) == 0) {
      const std::size_t name = line.find(".text.");
      section = name == line.npos ? std::string_view{} : line.substr(name, line.find(' ', name) - name);
      columns.clear();
      continue;
    }
    const std::size_t box = line.rfind("// |");
    if (box == line.npos) continue;
    std::vector<std::string_view> cells;
    std::string_view rest = line.substr(box + 4);
    for (std::size_t bar = rest.find('|'); bar != rest.npos; bar = rest.find('|')) {
      std::string_view cell = rest.substr(0, bar);
      while (!cell.empty() && cell.front() == ' ') cell.remove_prefix(1);
      while (!cell.empty() && cell.back() == ' ') cell.remove_suffix(1);
      cells.push_back(cell);
      rest.remove_prefix(bar + 1);
    }
    if (columns.empty()) {
      if (!cells.empty() && cells[0] == "GPR") {
        for (const std::string_view c : cells) {
          columns.push_back(c == "GPR"    ? ww::pressure_class::r
                            : c == "PRED" ? ww::pressure_class::p
                            : c == "UGPR" ? ww::pressure_class::ur
                                          : ww::pressure_class::up);
        }
      }
      continue;
    }
    const std::size_t open = line.find("/*");
    if (open == line.npos || open > 9 || cells.size() != columns.size()) continue;
    live_row row;
    row.section = section;
    row.address = static_cast<std::uint32_t>(std::strtoul(line.data() + open + 2, nullptr, 16));
    for (std::size_t c = 0; c < cells.size(); ++c) {
      row.count.of[static_cast<std::size_t>(columns[c])] =
          cells[c].empty() ? 0u : static_cast<std::uint32_t>(std::strtoul(cells[c].data(), nullptr, 10));
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace ww_test
