// SPDX-License-Identifier: BSL-1.0
//
// What the text of a listing says of register counts, changed.
//
//   note     `.sectioninfo @"SHI_REGISTERS=14"` in front of the code of .text.NAME, and in .nv.info of a whole file the line
//            `.word 0x0000000e` behind `.word index@(NAME)` of EIATTR_REGCOUNT
//   set_register_notes(text, counts)   each note of a section of `counts` says the new number; all else stays byte for byte
// Listings of sm_90 and later have notes in .nv.info alone. What no note tells, the cubin does (register_count.hpp). A text that is no
// listing comes back as it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../meta/span.hpp"

namespace ww::sass {

struct register_note_count {
  std::string_view section;  // without ".text."
  std::uint32_t count = 0;
};

namespace detail {

class register_note_writer {
 public:
  register_note_writer(std::string_view text, span<const register_note_count> counts) : text_(text), counts_(counts) {}

  [[nodiscard]] std::string run() {
    std::string out;
    out.reserve(text_.size());
    for (std::size_t at = 0; at < text_.size();) {
      std::size_t stop = text_.find('\n', at);
      stop = stop == std::string_view::npos ? text_.size() : stop + 1;
      add_line(text_.substr(at, stop - at), out);
      at = stop;
    }
    return out;
  }

 private:
  [[nodiscard]] const register_note_count* find(std::string_view name) const {
    for (const register_note_count& c : counts_) {
      if (c.section == name) return &c;
    }
    return nullptr;
  }
  static bool is_digit(char c, bool hex) {
    return (c >= '0' && c <= '9') || (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
  }

  void add_line(std::string_view line, std::string& out) {
    constexpr std::string_view section = ".section";
    constexpr std::string_view text = ".text.";
    constexpr std::string_view note = "SHI_REGISTERS=";
    constexpr std::string_view attribute = "EIATTR_";
    constexpr std::string_view index = "index@(";
    constexpr std::string_view word = ".word";
    const std::size_t at = line.find(section);
    const bool begins = at != std::string_view::npos && at + section.size() < line.size() &&
                        (line[at + section.size()] == ' ' || line[at + section.size()] == '\t');
    if (begins && line.substr(0, at).find("/*") == std::string_view::npos) {
      const std::size_t name = line.find(text, at);
      const std::size_t comma = line.find(',', at);
      const bool code = name != std::string_view::npos && comma != std::string_view::npos && name < comma;
      current_ = code ? find(line.substr(name + text.size(), comma - name - text.size())) : nullptr;
      noted_ = nullptr;
      counts_registers_ = false;
    } else if (const std::size_t key = line.find(note); current_ != nullptr && key != std::string_view::npos) {
      replace(line, key + note.size(), false, current_->count, out);
      return;
    } else if (const std::size_t name = line.find(attribute); name != std::string_view::npos) {
      counts_registers_ = line.substr(name, 15) == "EIATTR_REGCOUNT";
      noted_ = nullptr;
    } else if (const std::size_t value = line.find(word); counts_registers_ && value != std::string_view::npos) {
      const std::size_t open = line.find(index, value);
      const std::size_t close = open == std::string_view::npos ? open : line.find(')', open);
      if (close != std::string_view::npos) {
        noted_ = find(line.substr(open + index.size(), close - open - index.size()));
      } else if (const std::size_t hex = line.find("0x", value); noted_ != nullptr && hex != std::string_view::npos) {
        const std::uint32_t count = noted_->count;
        noted_ = nullptr;
        replace(line, hex + 2, true, count, out);
        return;
      }
    }
    out += line;
  }
  // The number at `at` of the line becomes another one; a hexadecimal one keeps its digits.
  static void replace(std::string_view line, std::size_t at, bool hex, std::uint32_t count, std::string& out) {
    std::size_t stop = at;
    while (stop < line.size() && is_digit(line[stop], hex)) ++stop;
    out += line.substr(0, at);
    if (hex) {
      for (std::size_t k = stop - at; k-- > 0;) out += k < 8 ? "0123456789abcdef"[count >> (4 * k) & 15u] : '0';
    } else {
      out += std::to_string(count);
    }
    out += line.substr(stop);
  }

  std::string_view text_;
  span<const register_note_count> counts_;
  const register_note_count* current_ = nullptr;  // of the code section that the lines stand in
  const register_note_count* noted_ = nullptr;    // of the function whose count follows
  bool counts_registers_ = false;
};

}  // namespace detail

[[nodiscard]] inline std::string set_register_notes(std::string_view text, span<const register_note_count> counts) {
  return detail::register_note_writer(text, counts).run();
}

}  // namespace ww::sass
