// SPDX-License-Identifier: BSL-1.0
#include "original.hpp"

#include <cstdio>
#include <utility>

#include <warpwright/arch/all.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/same_order.hpp>

#include "files.hpp"

namespace cli {

namespace {

// How many of the first `end` sections of `m` have the name and the SM of that section of `other`: a program made of several
// files can hold a function of one name more than once.
std::size_t same_before(const ww::sass::module& m, std::size_t end, const ww::sass::module& other, std::size_t section) {
  const std::string_view name = other.name_of(other.infos[section]);
  const ww::sm_id sm = ww::nearest_sm(other.sections[section].sm);
  std::size_t count = 0;
  for (std::size_t s = 0; s < end; ++s) {
    count += m.name_of(m.infos[s]) == name && ww::nearest_sm(m.sections[s].sm) == sm ? 1u : 0u;
  }
  return count;
}

}  // namespace

std::string read_original(const std::string& path, ww::sm_id sm, std::string& content, ww::sass::module& m) {
  std::string error;
  if (!read_file(path, content, error)) {
    return error;
  }
  if (content.compare(0, 4, "\177ELF") == 0) {
    return path + ": a cubin holds no text to compare with; give its listing";
  }
  ww::sass::listing_result read = ww::sass::read_listing(content, {.sm = sm, .file = path});
  if (!read) {
    const ww::sass::listing_result alone = ww::sass::read_listing(content, {.sm = ww::sm_id::unknown, .file = path});
    return alone ? path + ": expected a listing for the SM of the file that it is compared with" : read.err.message();
  }
  m = std::move(read.mod);
  if (!m.has_hex) {
    return path +
           ": expected hex words beside the instructions (nvdisasm -c -hex): they tell equal instructions from others";
  }
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    if (const ww::cfg_result graph = ww::build_cfg(m.sections[s]); !graph.ok) {
      return path + ": section " + std::string(m.name_of(m.infos[s])) + ": expected " + graph.expected;
    }
  }
  return {};
}

std::string compare_with_original(const ww::sass::module& original, const std::string& path, const ww::sass::module& m,
                                  std::size_t section, function_row& row) {
  const std::string name(m.name_of(m.infos[section]));
  const ww::program& p = m.sections[section];
  const std::size_t nth = same_before(m, section, m, section);
  bool elsewhere = false;
  for (std::size_t s = 0; s < original.sections.size(); ++s) {
    if (original.name_of(original.infos[s]) != name) {
      continue;
    }
    const ww::program& old = original.sections[s];
    if (ww::nearest_sm(old.sm) != ww::nearest_sm(p.sm)) {
      elsewhere = true;
      continue;
    }
    if (same_before(original, s, m, section) != nth) {
      continue;
    }
    ww::vec<ww::verify::order_difference> found;
    ww::verify::same_order(old, p, found);
    for (const ww::verify::order_difference& d : found) {
      row.hazards.push_back(row_of(m, p, d));
    }
    return {};
  }
  if (elsewhere && nth == 0) {
    return path + ": expected code for the SM of the file that is checked";
  }
  return path + ": expected " + (nth == 0 ? "a section " + name : std::to_string(nth + 1) + " sections " + name) +
         " like the file that is checked";
}

void find_missing(const ww::sass::module& original, const std::string& path, const ww::sass::module& m,
                  std::vector<function_row>& rows) {
  for (std::size_t s = 0; s < original.sections.size(); ++s) {
    if (same_before(original, s, original, s) < same_before(m, m.sections.size(), original, s)) {
      continue;
    }
    function_row row;
    row.name = std::string(original.name_of(original.infos[s]));
    row.file = path;
    ww::visit_arch(ww::nearest_sm(original.sections[s].sm), [&]<class Arch>() { row.sm = Arch::name; });
    finding_row missing;
    missing.kind = "missing_function";
    missing.level = "finding";
    missing.evidence = "documented";
    missing.second = "function " + row.name + " is not in the file that is checked";
    row.hazards.push_back(std::move(missing));
    rows.push_back(std::move(row));
  }
}

std::string other_program(const ww::program& before, const ww::program& after) {
  ww::vec<ww::verify::order_difference> found;
  ww::verify::compare_orders(before, after, found);
  if (found.empty()) {
    return {};
  }
  char text[64];
  const ww::instr_id i = found[0].second;
  std::snprintf(text, sizeof text, "%s at /*%04x*/", ww::verify::name(found[0].fault), i.valid() ? before[i].address : 0u);
  return text;
}

}  // namespace cli
