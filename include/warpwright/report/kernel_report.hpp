// SPDX-License-Identifier: BSL-1.0
//
// kernel_report: a function before and after scheduling, with the texts that reports show: what the three writers take.
//
//   name, file   as the user wrote them, any bytes; the writers escape them
//   texts        of the instructions, by id: guard, opcode and operands, without an end. Reuse flags are of the control words
//   bound        least cycles of any order of the same blocks, for the warps of the timelines
//   html_page.hpp    one page that needs nothing else
//   trace_json.hpp   trace events for a viewer of traces
//   graph_dot.hpp    the dependence graphs for a drawer of graphs
// An instruction that one side has and the other has not (a strategy may take some away) is shown where it is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../meta/string_view.hpp"
#include "timeline.hpp"

namespace ww::report {

struct kernel_report {
  std::string name;
  std::string sm;
  std::string file;
  std::vector<std::string> texts;
  std::vector<std::uint32_t> addresses;  // as read, by id
  timeline before;
  timeline after;
  double bound = 0;
  std::uint32_t registers = 0;    // declared, 0 = not known
  std::uint32_t blocks_kept = 0;  // in their original order
  std::vector<std::string> notes;

  [[nodiscard]] string_view text_of(instr_id id) const {
    return id.valid() && id.index() < texts.size() ? string_view(texts[id.index()]) : string_view();
  }
};

// "R2, R4.reuse" as "R2, R4".
[[nodiscard]] inline std::string without_reuse(std::string_view text) {
  constexpr std::string_view flag = ".reuse";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at, flag.size()) == flag) {
      at += flag.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

}  // namespace ww::report
