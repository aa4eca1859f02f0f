// SPDX-License-Identifier: BSL-1.0
//
// Profile files (HC-7): block weights instead of loop depths, and how likely branches are.
//
// The file is text, one fact per line: the name of the code section with or without `.text.`, then a block's number in layout
// order and how often one warp executed it, or two block numbers with an arrow and the probability, from 0 to 1, that control
// leaves the first one to the second. Blanks separate (none around the arrow); `#` starts a comment; empty lines are skipped.
//
//     # section            block  count
//     .text.saxpy            0      1
//     .text.saxpy            1      512.5
//     .text.saxpy            0->2   0.01
//
// Errors are values: line, column and what was expected there. Nothing is applied from a file with an error.
// apply_profile() sets the weights of blocks and asks for counts alone; read_flow() (flow_profile_read.hpp) takes everything.
#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

#include "../ir/program.hpp"
#include "../meta/vec.hpp"

namespace ww::model {

struct profile_entry {
  std::string_view section;  // points into the text
  std::uint32_t block = 0;
  double count = 0;          // of an edge: its probability
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // of the block number, from 1
  std::uint32_t to = 0;      // of an edge: the block behind the arrow
  bool edge = false;         // FROM->TO
};

struct profile_error {
  bool failed = false;
  std::uint32_t line = 0;    // from 1
  std::uint32_t column = 0;  // from 1
  const char* expected = "";
};

namespace detail {

// A non-negative decimal number with an optional fraction and exponent; false if the whole of `t` is not one.
// The first 19 digits make a whole number, which is multiplied or divided once by a power of ten: up to 15 digits with powers up to
// 10^22, all of which are exact, the result is the nearest double. Longer ones lose what lies behind their 19th digit, greater
// powers are taken in steps; then the last bits may differ.
inline bool read_count(std::string_view t, double& out) {
  std::size_t k = 0;
  std::uint64_t value = 0;
  unsigned taken = 0;  // digits of `value` from the first that is not 0 on
  int power = 0;
  bool digits = false;
  bool fraction = false;
  for (; k < t.size(); ++k) {
    if (t[k] == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (t[k] < '0' || t[k] > '9') break;
    digits = true;
    if (taken < 19) {
      value = value * 10 + static_cast<unsigned>(t[k] - '0');
      taken += value != 0 ? 1u : 0u;
      power -= fraction ? 1 : 0;
    } else {
      power += fraction ? 0 : 1;
    }
  }
  if (digits && k < t.size() && (t[k] == 'e' || t[k] == 'E')) {
    ++k;
    bool negative = false;
    if (k < t.size() && (t[k] == '+' || t[k] == '-')) negative = t[k++] == '-';
    int exponent = 0;
    bool any = false;
    while (k < t.size() && t[k] >= '0' && t[k] <= '9' && exponent < 1000) {
      exponent = exponent * 10 + (t[k++] - '0');
      any = true;
    }
    if (!any || exponent > 300) return false;
    power += negative ? -exponent : exponent;
  }
  const auto ten_to = [](int n) {
    double p = 1;
    for (; n > 0; --n) p *= 10;
    return p;
  };
  constexpr int exact = 22;  // 10^22 is the greatest power of ten that a double holds
  double count = static_cast<double>(value);
  for (; power < 0 && count > 0; power = power < -exact ? power + exact : 0)
    count /= ten_to(power < -exact ? exact : -power);
  for (; power > 0 && count > 0 && count <= 1e30; power = power > exact ? power - exact : 0)
    count *= ten_to(power > exact ? exact : power);
  out = count;
  return digits && k == t.size() && count <= 1e30;
}

inline bool read_block(std::string_view t, std::uint32_t& out) {
  const auto parsed = std::from_chars(t.data(), t.data() + t.size(), out);
  return parsed.ec == std::errc{} && parsed.ptr == t.data() + t.size();
}

}  // namespace detail

// Appends the entries of `text` to `out`. On an error `out` is as it was.
[[nodiscard]] inline profile_error read_profile(std::string_view text, vec<profile_entry>& out) {
  const std::size_t before = out.size();
  std::uint32_t line = 0;
  std::size_t at = 0;
  const auto fail = [&](std::size_t column, const char* expected) {
    out.resize(before);
    return profile_error{true, line, static_cast<std::uint32_t>(column + 1), expected};
  };
  while (at < text.size()) {
    ++line;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view rest = text.substr(at, end - at);
    at = end + 1;
    const std::size_t hash = rest.find('#');
    const std::string_view body = rest.substr(0, hash);
    std::string_view field[3];
    std::size_t column[3] = {};
    std::size_t fields = 0;
    for (std::size_t k = 0; k < body.size();) {
      if (body[k] == ' ' || body[k] == '\t' || body[k] == '\r') {
        ++k;
        continue;
      }
      std::size_t stop = k;
      while (stop < body.size() && body[stop] != ' ' && body[stop] != '\t' && body[stop] != '\r') ++stop;
      if (fields == 3) return fail(k, "end of line after section, block and count");
      field[fields] = body.substr(k, stop - k);
      column[fields++] = k;
      k = stop;
    }
    if (fields == 0) continue;
    if (fields < 3) return fail(body.size(), fields == 1 ? "a block number" : "an execution count");
    profile_entry e;
    e.section = field[0];
    e.line = line;
    e.column = static_cast<std::uint32_t>(column[1] + 1);
    const std::size_t arrow = field[1].find("->");
    e.edge = arrow != std::string_view::npos;
    if (!detail::read_block(field[1].substr(0, arrow), e.block)) return fail(column[1], "a block number");
    if (e.edge && !detail::read_block(field[1].substr(arrow + 2), e.to)) {
      return fail(column[1] + arrow + 2, "a block number behind the arrow");
    }
    if (!detail::read_count(field[2], e.count)) {
      return fail(column[2], e.edge ? "a probability from 0 to 1" : "a non-negative execution count");
    }
    if (e.edge && e.count > 1) return fail(column[2], "a probability from 0 to 1");
    out.push_back(e);
  }
  return {};
}

struct profile_result {
  std::uint32_t applied = 0;
  std::uint32_t unknown = 0;  // entries of this section that name a block it does not have
  std::uint32_t line = 0;     // of the first of them
  std::uint32_t column = 0;
};

// Does an entry of this name mean the section? Listings of sections leave `.text.` out, tools that count may not.
[[nodiscard]] inline bool names_section(std::string_view entry, std::string_view section) {
  constexpr std::string_view text = ".text.";
  return entry == section || (entry.substr(0, text.size()) == text && entry.substr(text.size()) == section);
}

// Sets the weights of `p` from the entries of `section`; blocks without a count never ran and get weight 0, if there is any
// count at all.
inline profile_result apply_profile(program& p, std::string_view section, const vec<profile_entry>& entries) {
  profile_result r;
  bool any = false;
  for (const profile_entry& e : entries) any = any || (!e.edge && names_section(e.section, section));
  if (!any) return r;
  for (block& b : p.blocks) b.weight = 0;
  for (const profile_entry& e : entries) {
    if (e.edge || !names_section(e.section, section)) continue;
    if (e.block >= p.blocks.size()) {
      if (r.unknown++ == 0) {
        r.line = e.line;
        r.column = e.column;
      }
      continue;
    }
    p.blocks[e.block].weight += e.count;
    ++r.applied;
  }
  return r;
}

}  // namespace ww::model
