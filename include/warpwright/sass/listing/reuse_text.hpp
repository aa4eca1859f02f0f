// SPDX-License-Identifier: BSL-1.0
//
// The `.reuse` suffixes of an instruction's text, kept equal to the reuse bits of its control word.
//
// A register token is R0..R254 or RZ as an operand or part of one. The tokens of a text stand in the order of the
// instruction's general-register operands (results, then sources), each source operand knows the encoding field it stands in
// (port 1, 2, 3 = bits 122, 123, 124), and so a bit leads to a token. Spelling (facts, listing format 1.4): the suffix
// follows the register or its closing '|' and stands before any other suffix; in 64-bit instructions (sm_50..62) it stands behind the
// others (observed: R8.H1.reuse, R10.H0_H0.reuse, |R4|.reuse).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../ir/program.hpp"
#include "directive.hpp"

namespace ww::sass::detail {

class reuse_text {
 public:
  enum class outcome : std::uint8_t { same, edited, impossible };

  // Makes the text of `body` for the reuse bits `wanted`; `result` is valid until the next call.
  [[nodiscard]] outcome edit(const program& p, const instruction& x, std::string_view body, unsigned present,
                             unsigned wanted, std::string_view& result) {
    result = body;
    if (present == wanted) return outcome::same;
    if (!x.has(iflag::reuse_legal)) return outcome::impossible;
    find_tokens(body, x.short_word != 0);
    bool written = false;
    for (const token& t : tokens_) written = written || t.reuse;
    if (!written && (wanted & ~present) == 0) return outcome::same;  // the text was silent before (TLD4 on sm_75)
    if (!match(p, x)) {
      if (wanted != 0) return outcome::impossible;
      for (token& t : tokens_) t.want = false;
    } else {
      unsigned covered = wanted & present & selector;
      for (token& t : tokens_) {
        t.want = t.port != 0 ? (wanted >> (t.port - 1) & 1u) != 0 : t.reuse && (present & ~wanted & selector) == 0;
        if (t.want && t.port != 0) covered |= 1u << (t.port - 1);
      }
      if (covered != wanted) return outcome::impossible;
    }
    rebuild(body);
    result = std::string_view(buffer_.data(), buffer_.size());
    return outcome::edited;
  }

 private:
  static constexpr std::string_view suffix = ".reuse";
  // The flag of what selects elements of a sparse factor: the fourth bit of the control word on sm_90, a bit of the instruction itself
  // before (sm_80 to sm_89, limits::selector_reuse_bit), which stays what it is.
  static constexpr unsigned selector = 8;

  struct token {
    std::size_t stop = 0;  // where the suffix stands or would stand
    bool reuse = false;
    bool want = false;
    unsigned port = 0;
  };

  void find_tokens(std::string_view s, bool behind_others) {
    tokens_.clear();
    std::size_t i = 0;
    while (i < s.size() && !is_blank(s[i])) ++i;  // guard or mnemonic
    while (i < s.size()) {
      const bool starts = s[i] == 'R' && !is_name_char(s[i - 1]);
      if (!starts) {
        ++i;
        continue;
      }
      std::size_t e = i + 1;
      if (e < s.size() && s[e] == 'Z') {
        ++e;
      } else {
        while (e < s.size() && s[e] >= '0' && s[e] <= '9') ++e;
      }
      if (e == i + 1 || (e < s.size() && s[e] != '.' && is_name_char(s[e]))) {
        i = e;
        continue;
      }
      token t;
      t.stop = s[i - 1] == '|' && e < s.size() && s[e] == '|' ? e + 1 : e;
      while (behind_others && t.stop < s.size() && s[t.stop] == '.' && s.substr(t.stop, suffix.size()) != suffix) {
        do ++t.stop;
        while (t.stop < s.size() && s[t.stop] != '.' && is_name_char(s[t.stop]));
      }
      t.reuse = s.substr(t.stop, suffix.size()) == suffix;
      tokens_.push_back(t);
      i = t.stop;
    }
  }

  bool match(const program& p, const instruction& x) {
    std::size_t n = 0;
    for (const operand& o : p.operands_of(x)) {
      if (o.file() != reg_file::r || o.is_hidden() || o.where() == slot::implicit) continue;
      if (n == tokens_.size()) return false;
      tokens_[n].port = o.is_use() ? (o.high >> 22) & 3u : 0u;
      if (tokens_[n].reuse != o.is_reuse()) return false;
      ++n;
    }
    return n == tokens_.size();
  }

  void rebuild(std::string_view body) {
    buffer_.clear();
    std::size_t from = 0;
    for (const token& t : tokens_) {
      buffer_.insert(buffer_.end(), body.begin() + static_cast<std::ptrdiff_t>(from),
                     body.begin() + static_cast<std::ptrdiff_t>(t.stop));
      from = t.stop;
      if (t.want) buffer_.insert(buffer_.end(), suffix.begin(), suffix.end());
      if (t.reuse) from += suffix.size();
    }
    buffer_.insert(buffer_.end(), body.begin() + static_cast<std::ptrdiff_t>(from), body.end());
  }

  std::vector<token> tokens_;
  std::vector<char> buffer_;
};

}  // namespace ww::sass::detail
