// SPDX-License-Identifier: BSL-1.0
//
// Programs before and after a register allocation, written by hand.
//
// The lines of the program after begin with what they come from: "=" the next instruction of the program before, "=7" instruction 7 of
// it; "copy", "spill", "refill", "p2r", "r2p", "bit_out", "bit_merge", "bit_in", with "@8" for the first bit; "remat=3".
// Lines that end in a colon are labels. MOV of a whole number gets encoding words, so that constants can be told apart.
#pragma once

#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>
#include <warpwright/isa/opcode_id.hpp>
#include <warpwright/verify/allocation.hpp>
#include <warpwright/verify/allocation_writer.hpp>

#include "../support/catch.hpp"

namespace ww_test {

// The words of MOV Rd, constant (sm_70 and later).
inline void set_constant(ww::instruction& i, std::uint32_t rd, std::uint32_t value) {
  i.word[0] = std::uint64_t{value} << 32 | (rd & 255u) << 16 | 0x7802u;
  i.word[1] = 0xf00u;
}

inline void set_constants(ww::program& p, const std::vector<std::string>& bodies) {
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const std::size_t comma = bodies[k].find(", 0x");
    if (bodies[k].rfind("MOV R", 0) != 0 || comma == std::string::npos) continue;
    ww::instruction& i = p.instructions[k];
    set_constant(i, p.operands_of(i)[0].base().number(),
                 static_cast<std::uint32_t>(std::strtoul(bodies[k].c_str() + comma + 2, nullptr, 16)));
  }
}

struct allocated_pair {
  ww::program before, after;
  std::vector<ww::verify::allocated_from> map;

  [[nodiscard]] ww::verify::allocation_report check(const ww::verify::allocation_options& o = {}) const {
    return ww::verify::check_allocation(before, after, map, o);
  }
};

inline ww::program built(const std::string& lines) {
  ww::isa::builder b;
  b.lines(lines);
  ww::program p = b.finish();
  INFO(lines << "\n" << b.first_error().line << ": " << b.first_error().expected);
  REQUIRE(b.ok());
  REQUIRE(ww::build_cfg(p).ok);
  return p;
}

inline std::string trimmed(const std::string& line) {
  const std::size_t first = line.find_first_not_of(' ');
  return first == std::string::npos ? std::string() : line.substr(first);
}

inline allocated_pair allocated(const std::string& before, const std::string& after) {
  using ww::verify::allocated_as;
  allocated_pair r;
  r.before = built(before);
  std::vector<std::string> bodies;
  std::string line;
  for (std::istringstream in(before); std::getline(in, line);) {
    line = trimmed(line);
    if (!line.empty() && line.back() != ':') bodies.push_back(line);
  }
  set_constants(r.before, bodies);
  bodies.clear();
  std::string text;
  std::uint32_t next = 0;
  for (std::istringstream in(after); std::getline(in, line);) {
    line = trimmed(line);
    if (line.empty()) continue;
    if (line.back() == ':') {
      text += line + "\n";
      continue;
    }
    const std::string tag = line.substr(0, line.find(' '));
    bodies.push_back(line.substr(tag.size() + 1));
    text += bodies.back() + "\n";
    ww::verify::allocated_from from;
    const std::size_t mark = tag.find_first_of("=@");
    const std::string number = mark == std::string::npos ? "" : tag.substr(mark + 1);
    if (tag[0] == '=') {
      if (!number.empty()) next = static_cast<std::uint32_t>(std::stoul(number));
      from.of = ww::instr_id{next++};
    } else {
      for (unsigned k = 0; k < static_cast<unsigned>(allocated_as::count); ++k) {
        if (tag.substr(0, mark) == name_of(static_cast<allocated_as>(k))) from.what = static_cast<allocated_as>(k);
      }
      REQUIRE(from.what != allocated_as::original);
      if (from.what == allocated_as::remat) {
        from.of = ww::instr_id{static_cast<std::uint32_t>(std::stoul(number))};
      } else if (!number.empty()) {
        from.first_bit = static_cast<std::uint8_t>(std::stoul(number));
      }
    }
    r.map.push_back(from);
  }
  r.after = built(text);
  set_constants(r.after, bodies);
  return r;
}

inline std::string text_of(const ww::verify::allocation_report& r, ww::verify::allocation_reporter& writer) {
  std::string s;
  writer.write(r, [&](ww::string_view piece) { s.append(piece.data(), piece.size()); });
  return s;
}
inline std::string full_text(const ww::verify::allocation_report& r) {
  ww::verify::allocation_reporter writer({true, false});
  return text_of(r, writer);
}

}  // namespace ww_test
