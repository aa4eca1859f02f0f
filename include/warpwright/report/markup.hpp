// SPDX-License-Identifier: BSL-1.0
//
// markup: the pieces that pages are put together from, appended to a string of the caller.
//
//   add     markup as it is         text    any bytes, escaped (escape.hpp)
//   count, decimal, percent, hex, control   figures (figures_text.hpp); `integer` without commas, for positions and ids
// and the names of reasons, pipes and sides as they are shown, with the one-letter class that the style gives a reason its
// colour by (html_style.hpp).
#pragma once

#include <cstdint>
#include <string>

#include "../arch/vocabulary.hpp"
#include "../model/cost.hpp"
#include "escape.hpp"
#include "figures_text.hpp"

namespace ww::report {

// Which of the two programs of a report.
enum class side : std::uint8_t { before, after };

[[nodiscard]] constexpr const char* name(side s) { return s == side::before ? "before" : "after"; }
[[nodiscard]] constexpr const char* title(side s) { return s == side::before ? "Before" : "After"; }

[[nodiscard]] constexpr const char* words(model::stall_reason r) {
  constexpr const char* names[model::reason_count] = {"dependence",    "barrier",     "pipe",
                                                      "register bank", "stall count", "drain"};
  return static_cast<unsigned>(r) < model::reason_count ? names[static_cast<unsigned>(r)] : "?";
}
[[nodiscard]] constexpr char letter(model::stall_reason r) {
  return "dbpkcz"[static_cast<unsigned>(r) % model::reason_count];
}

[[nodiscard]] constexpr const char* words(pipe_id p) {
  constexpr const char* names[pipe_count] = {"none",   "alu", "fma", "fma heavy", "half",    "fp64",
                                             "tensor", "xu",  "lsu", "tex",       "uniform", "control"};
  return static_cast<unsigned>(p) < pipe_count ? names[static_cast<unsigned>(p)] : "?";
}

// Reasons in the order in which an instruction meets them: what its stall is for, then what holds it beyond that.
inline constexpr model::stall_reason reasons_in_order[model::reason_count] = {
    model::stall_reason::dependence, model::stall_reason::drain,       model::stall_reason::bank,
    model::stall_reason::pipe,       model::stall_reason::stall_count, model::stall_reason::barrier};

class markup {
 public:
  explicit markup(std::string& out) : out_(out) {}

  markup& add(const char* piece) {
    out_ += piece;
    return *this;
  }
  markup& add(char c) {
    out_ += c;
    return *this;
  }
  markup& text(string_view any) {
    escape_html(out_, any);
    return *this;
  }
  markup& integer(std::uint64_t n) {
    out_ += std::to_string(n);
    return *this;
  }
  markup& count(std::uint64_t n) {
    add_count(out_, n);
    return *this;
  }
  markup& decimal(double x) {
    add_decimal(out_, x);
    return *this;
  }
  markup& percent(double part, double whole) {
    add_percent(out_, part, whole);
    return *this;
  }
  markup& hex(std::uint64_t n) {
    add_hex(out_, n);
    return *this;
  }
  markup& control(const ww::control& c) {
    add_control(out_, c);
    return *this;
  }
  // "1 cycle", "2 cycles"
  markup& counted(std::uint64_t n, const char* one, const char* many) { return count(n).add(' ').add(n == 1 ? one : many); }

 private:
  std::string& out_;
};

}  // namespace ww::report
