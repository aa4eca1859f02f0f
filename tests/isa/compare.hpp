// SPDX-License-Identifier: BSL-1.0
//
// Compares decoded defs and uses with NVIDIA's register tables, line by line, for R, P, UR and UP registers.
//
// Left out, and counted apart: CALL, whose table line carries a summary of the callee. Known differences, counted apart
// too: P2R (the table shows no read of the predicates although the instruction copies them) and one TLD form of sm_120
// (the table shows half of its handle pair). Every other difference is a failure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <warpwright/isa/decode.hpp>
#include <warpwright/isa/instruction_text.hpp>

#include "listing_lines.hpp"
#include "register_table.hpp"

namespace ww_test {

struct comparison {
  unsigned lines = 0;
  unsigned equal = 0;
  unsigned calls = 0;
  unsigned known = 0;
  std::vector<std::string> differences;
};

inline std::string register_name(ww::reg r) {
  static const char* const prefix[] = {"", "R", "P", "UR", "UP", "B", "SB", "CC", "SR"};
  return prefix[static_cast<unsigned>(r.file())] + std::to_string(r.number());
}

inline bool in_tables(ww::reg_file f) {
  return f == ww::reg_file::r || f == ww::reg_file::p || f == ww::reg_file::ur || f == ww::reg_file::up;
}

inline std::string list(const std::set<std::string>& s) {
  std::string out;
  for (const std::string& x : s) out += " " + x;
  return out;
}

inline void compare(const std::string& name, const std::string& listing, const std::string& table, ww::isa::dialect d,
                    comparison& out) {
  std::map<std::pair<std::string, std::uint32_t>, listing_line> by_place;
  for (const listing_line& l : read_lines(listing)) by_place[{l.section, l.address}] = l;
  for (const table_line& t : read_register_table(table)) {
    ++out.lines;
    const auto it = by_place.find({t.section, t.address});
    ww::isa::asm_instruction form;
    if (it == by_place.end() || !ww::isa::parse_instruction(it->second.body, form).ok) {
      out.differences.push_back(name + ": no such line: " + t.body);
      continue;
    }
    ww::vec<ww::operand> operands;
    const ww::instruction i = ww::isa::decode(form, it->second.word, it->second.words == 2, d, operands);
    if (i.op == ww::opcode::call) {
      ++out.calls;
      continue;
    }
    std::set<std::string> defs, uses;
    for (const ww::operand& o : operands) {
      if (!o.is_register() || !in_tables(o.file())) continue;
      for (unsigned k = 0; k < o.width(); ++k) {
        (o.is_def() ? defs : uses).insert(register_name({o.file(), o.base().number() + k}));
      }
    }
    if (defs == t.defs && uses == t.uses) {
      ++out.equal;
    } else if (defs == t.defs &&
               (i.op == ww::opcode::p2r || (i.op == ww::opcode::tld && name.find(".sm1") != std::string::npos))) {
      ++out.known;
    } else {
      out.differences.push_back(name + ": " + t.body + "\n  decoded:" + list(defs) + " <-" + list(uses) +
                                "\n  table:  " + list(t.defs) + " <-" + list(t.uses));
    }
  }
}

}  // namespace ww_test
