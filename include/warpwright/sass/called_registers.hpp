// SPDX-License-Identifier: BSL-1.0
//
// How many registers the sections of a listing ask for when their code gets others, for the sake of what they call.
//
//   own       what the code of a section needs by itself: one more than the highest register that it names, and the reserved ones
//   callers   a section that calls another asks for as many as that does; where either count changes it has to stay so
//   surplus   a section that asked for more than its own code needs, and than any section that it is seen to call asks for, did so for
//             code that is not seen (a call through a pointer, a compiler's option): it never asks for fewer
// Calls are the references that leave a section of the listing for another one. register_count.hpp does the same with the call graph of
// a cubin, which knows more calls. Observed: code that calls nothing asks for its own number and no more (1,271 of 1,271 sections).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "../ir/program.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "module.hpp"
#include "register_count.hpp"

namespace ww::sass {

// General registers of the code alone, reserved ones included.
[[nodiscard]] inline std::uint32_t own_registers(const program& p) {
  std::uint32_t past = 0;
  for (const operand& o : p.operands) {
    if (o.is_register() && o.file() == reg_file::r && !o.base().is_virtual())
      past = meta::max(past, std::uint32_t{o.base().number()} + meta::max(std::uint32_t{1}, std::uint32_t{o.width()}));
  }
  return past + reserved_registers;
}

namespace detail {

// Which section a name means: its own, or that of a function in it; of several the first.
class section_names {
 public:
  explicit section_names(const module& m) {
    for (std::size_t s = 0; s < m.sections.size(); ++s) {
      names_.emplace_back(m.name_of(m.infos[s]), s);
      for (const function& f : m.sections[s].functions) names_.emplace_back(m.name_of(f), s);
    }
    std::sort(names_.begin(), names_.end());
  }
  // `none` if there is none of that name.
  [[nodiscard]] std::size_t find(std::string_view name, std::size_t none) const {
    const auto at = std::lower_bound(names_.begin(), names_.end(), std::pair(name, std::size_t{0}));
    return at != names_.end() && at->first == name ? at->second : none;
  }

 private:
  std::vector<std::pair<std::string_view, std::size_t>> names_;
};

}  // namespace detail

// By section: `before` is what was asked for (0: not known, stays out), `counts` what the new code needs by itself; that is raised.
inline void raise_register_counts(const module& m, span<const std::uint32_t> before, span<std::uint32_t> counts) {
  std::vector<std::pair<std::size_t, std::size_t>> calls;     // caller, callee
  std::vector<std::uint8_t> explained(m.sections.size(), 0);  // by something that it is seen to call
  const detail::section_names names(m);
  for (const external_reference& r : m.externals) {
    const std::size_t to = names.find(m.names[r.name], m.sections.size());
    const auto call = std::pair(std::size_t{r.section}, to);
    if (to < m.sections.size() && to != r.section && before[to] != 0 && (calls.empty() || calls.back() != call))
      calls.push_back(call);
  }
  for (const auto& [from, to] : calls) {
    if (before[to] >= before[from]) explained[from] = 1;
  }
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    if (counts[s] >= before[s] || before[s] <= own_registers(m.sections[s])) continue;
    if (explained[s] == 0) counts[s] = before[s];
  }
  for (bool again = true; again;) {
    again = false;
    for (const auto& [from, to] : calls) {
      const bool other = counts[to] > before[to] || counts[from] < before[from];
      if (!other || before[from] == 0 || counts[from] >= counts[to]) continue;
      counts[from] = counts[to];
      again = true;
    }
  }
}

}  // namespace ww::sass
