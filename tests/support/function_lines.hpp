// SPDX-License-Identifier: BSL-1.0
//
// A program with functions from lines of text, with words that hold the numbers of the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <warpwright/arch/dialect.hpp>
#include <warpwright/arch/sm80.hpp>
#include <warpwright/isa/builder.hpp>

namespace ww_test {

struct no_other_words {
  void operator()(const std::string&, std::uint64_t (&)[2]) const {}
};

// Lines of a kernel for sm_80; "name:" begins a function, ".name:" is a label. The last number of a line stands in its word as compilers
// write it; `words(line, word)` may change that. Without blocks.
template <class Words = no_other_words>
ww::program functions_of(const std::vector<std::string>& lines, Words words = {}) {
  ww::isa::builder b(ww::dialect_of(ww::sm80::id));
  std::vector<ww::function> functions(1);
  functions[0].kernel = true;
  functions[0].entry = ww::instr_id{0};
  std::uint32_t at = 0;
  for (const std::string& line : lines) {
    if (line.back() == ':') {
      b.label(line.substr(0, line.size() - 1).c_str());
      if (line[0] == '.') continue;
      ww::function f;
      f.entry = ww::instr_id{at};
      functions.push_back(f);
      continue;
    }
    const std::size_t number = line.rfind("0x");
    const std::uint64_t value = number == std::string::npos ? 0 : std::stoull(line.substr(number), nullptr, 16);
    std::uint64_t word[2] = {value << 32 | 1u, 0};
    words(line, word);
    b.text(line.c_str(), word);
    ++at;
  }
  ww::program p = b.finish();
  p.has_encoding = true;
  p.sm = ww::sm80::id;
  p.functions.assign(functions.begin(), functions.end());
  return p;
}

}  // namespace ww_test
