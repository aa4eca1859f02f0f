// SPDX-License-Identifier: BSL-1.0
#include "output.hpp"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <range/v3/algorithm/count_if.hpp>
#include <range/v3/numeric/accumulate.hpp>
#include <range/v3/view/filter.hpp>
#include <range/v3/view/join.hpp>
#include <range/v3/view/transform.hpp>

namespace cli {

namespace {

[[gnu::format(printf, 1, 2)]] std::string format(const char* pattern, ...) {
  va_list arguments;
  va_start(arguments, pattern);
  va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(nullptr, 0, pattern, arguments);
  va_end(arguments);
  std::string out(length > 0 ? static_cast<std::size_t>(length) : 0, '\0');
  std::vsnprintf(out.data(), out.size() + 1, pattern, again);  // names and branch tables have no limit
  va_end(again);
  return out;
}

// How many bytes the UTF-8 character at `i` has; 0 if none stands there.
std::size_t utf8_length(const std::string& text, std::size_t i) {
  const auto byte = [&](std::size_t k) { return k < text.size() ? static_cast<unsigned char>(text[k]) : 0u; };
  const unsigned first = byte(i);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : 2;
  if (length == 1) {
    return 1;
  }
  if (first < 0xc2 || first > 0xf4) {
    return 0;
  }
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(i + k) & 0xc0u) != 0x80u) {
      return 0;
    }
  }
  const unsigned second = byte(i + 1);
  const bool wild = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) ||
                    (first == 0xf0 && second < 0x90) || (first == 0xf4 && second >= 0x90);
  return wild ? 0 : length;
}

// File names may hold any bytes, JSON only characters: a byte that is none is written as the character of its number.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    const std::size_t length = utf8_length(text, i);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (length == 0 || static_cast<unsigned char>(c) < 0x20) {
      out += format("\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      out.append(text, i, length);
    }
    i += length == 0 ? 1 : length;
  }
  return out + "\"";
}

std::string json_of(const finding_row& f) {
  std::string out =
      "{\"kind\": " + quoted(f.kind) + ", \"level\": " + quoted(f.level) + ", \"evidence\": " + quoted(f.evidence);
  if (!f.first.empty()) {
    out += ", \"first\": " + quoted(f.first) + format(", \"first_address\": %u", f.first_address);
  }
  out += ", \"second\": " + quoted(f.second) + format(", \"second_address\": %u", f.second_address);
  if (!f.target.empty()) {
    out += ", \"register\": " + quoted(f.target);
  }
  if (f.counter >= 0) {
    out += format(", \"barrier\": %d", f.counter);
  }
  return out + format(", \"short_by\": %u, \"required\": %u}", f.short_by, f.required);
}

template <class Range, class F>
std::string list_of(const Range& range, F&& one, const char* separator) {
  std::string out;
  for (const auto& item : range) {
    out += (out.empty() ? "" : separator) + one(item);
  }
  return out;
}

std::string json_of(const function_row& r) {
  std::string out = "  {\"name\": " + quoted(r.name) + ", \"sm\": " + quoted(r.sm) + ", \"file\": " + quoted(r.file);
  out += format(", \"instructions\": %llu, \"blocks\": %llu, \"blocks_kept\": %llu, \"warps\": %u",
                static_cast<unsigned long long>(r.instructions), static_cast<unsigned long long>(r.blocks),
                static_cast<unsigned long long>(r.blocks_kept), r.warps);
  out +=
      format(", \"cycles_before\": %.2f, \"cycles_after\": %.2f, \"bound\": %.2f", r.before.cycles, r.after.cycles, r.bound);
  out += format(", \"stalls_before\": %llu, \"stalls_after\": %llu, \"waits_before\": %llu, \"waits_after\": %llu",
                static_cast<unsigned long long>(r.before.stalls), static_cast<unsigned long long>(r.after.stalls),
                static_cast<unsigned long long>(r.before.waits), static_cast<unsigned long long>(r.after.waits));
  const auto pair = [](const char* name, std::uint64_t before, std::uint64_t after) {
    return format(", \"%s_before\": %llu, \"%s_after\": %llu", name, static_cast<unsigned long long>(before), name,
                  static_cast<unsigned long long>(after));
  };
  out += pair("barrier_sets", r.before.barriers, r.after.barriers) + pair("counters", r.before.counters, r.after.counters) +
         pair("depbars", r.before.depbars, r.after.depbars) + pair("reuse", r.before.reuse, r.after.reuse) +
         pair("reuse_hits", r.before.reuse_hits, r.after.reuse_hits) +
         pair("bank_conflicts", r.before.bank_conflicts, r.after.bank_conflicts);
  out += format(", \"max_live_before\": %u, \"max_live_after\": %u, \"registers_before\": %u, \"registers_after\": %u",
                r.before.max_live, r.after.max_live, r.before.registers, r.after.registers);
  if (r.layout.patterns != 0 || r.layout.cold != 0 || r.layout.changed) {
    out += format(
        ", \"layout\": {\"changed\": %s, \"cold\": %u, \"patterns\": %u, \"moved\": %u, \"inserted\": %u, \"removed\": %u, "
        "\"inverted\": %u}",
        r.layout.changed ? "true" : "false", r.layout.cold, r.layout.patterns, r.layout.moved, r.layout.inserted,
        r.layout.removed, r.layout.inverted);
  }
  if (r.spilled) {
    out += format(", \"spill_stores\": %u, \"spill_loads\": %u, \"spill_bytes\": %u", r.spill.stores, r.spill.loads,
                  r.spill.bytes);
  }
  out += ", \"hazards\": [" +
         list_of(
             r.hazards, [](const finding_row& f) { return json_of(f); }, ", ") +
         "]";
  out += ", \"notes\": [" + list_of(r.notes, quoted, ", ") + "]";
  return out + format(", \"seconds\": %.6f}", r.seconds);
}

auto all_rows(const std::vector<file_result>& results) {
  return results |
         ranges::views::transform([](const file_result& f) -> const std::vector<function_row>& { return f.rows; }) |
         ranges::views::join;
}

std::string hazard_line(const finding_row& f) {
  std::string out = format("    %s", f.kind.c_str());
  if (!f.target.empty()) {
    out += " on " + f.target;
  }
  if (f.counter >= 0) {
    out += format(", SB%d", f.counter);
  }
  if (f.short_by > 0) {
    out += format(", %u cycles short of %u", f.short_by, f.required);
  }
  out += " (" + f.level + ", " + f.evidence + ")\n";
  if (!f.first.empty()) {
    out += format("      /*%04x*/ %s\n", f.first_address, f.first.c_str());
  }
  return out + format("      /*%04x*/ %s\n", f.second_address, f.second.c_str());
}

std::string hazards_of(const function_row& r) {
  return list_of(r.hazards, hazard_line, "") +
         list_of(
             r.notes, [](const std::string& n) { return "    note: " + n + "\n"; }, "");
}

double ratio(const function_row& r) { return r.before.cycles > 0 ? r.after.cycles / r.before.cycles : 1.0; }

std::string row_head() {
  return format("%-28s %-7s %6s %6s %5s %11s %11s %6s %11s %13s %13s %9s %5s\n", "function", "sm", "instr", "blocks",
                "warps", "cycles", "new cycles", "ratio", "bound", "stalls", "waits", "live", "kept");
}

std::string row_line(const function_row& r) {
  const std::string stalls =
      format("%llu>%llu", static_cast<unsigned long long>(r.before.stalls), static_cast<unsigned long long>(r.after.stalls));
  const std::string waits =
      format("%llu>%llu", static_cast<unsigned long long>(r.before.waits), static_cast<unsigned long long>(r.after.waits));
  const std::string live = format("%u>%u", r.before.max_live, r.after.max_live);
  return format("%-28.28s %-7s %6llu %6llu %5u %11.0f %11.0f %6.3f %11.0f %13s %13s %9s %5llu\n", r.name.c_str(),
                r.sm.c_str(), static_cast<unsigned long long>(r.instructions), static_cast<unsigned long long>(r.blocks),
                r.warps, r.before.cycles, r.after.cycles, ratio(r), r.bound, stalls.c_str(), waits.c_str(), live.c_str(),
                static_cast<unsigned long long>(r.blocks_kept));
}

std::string summary(const std::vector<file_result>& results) {
  auto rows = all_rows(results);
  auto measured =
      rows | ranges::views::filter([](const function_row& r) { return r.before.cycles > 0 && r.after.cycles > 0; });
  const double count = static_cast<double>(ranges::count_if(measured, [](const function_row&) { return true; }));
  if (count < 1) {
    return {};
  }
  const double after =
      ranges::accumulate(measured, 0.0, std::plus<>{}, [](const function_row& r) { return std::log(ratio(r)); });
  const double bound = ranges::accumulate(measured, 0.0, std::plus<>{},
                                          [](const function_row& r) { return std::log(r.bound / r.before.cycles); });
  const auto slower = ranges::count_if(measured, [](const function_row& r) { return ratio(r) > 1.0; });
  return format("%.0f functions: cycles after/before %.3f (geometric mean), bound/before %.3f, %lld above 1.00\n", count,
                std::exp(after / count), std::exp(bound / count), static_cast<long long>(slower));
}

void add(figures& to, const figures& f) {
  to.stalls += f.stalls;
  to.waits += f.waits;
  to.barriers += f.barriers;
  to.counters = f.counters > to.counters ? f.counters : to.counters;
  to.depbars += f.depbars;
  to.reuse += f.reuse;
  to.reuse_hits += f.reuse_hits;
  to.bank_conflicts += f.bank_conflicts;
}

// What the control words cost, before>after: of every function, then of all.
std::string control_table(const std::vector<file_result>& results) {
  const auto line = [](const char* name, const char* sm, const figures& before, const figures& after) {
    const auto pair = [](std::uint64_t x, std::uint64_t y) {
      return format("%llu>%llu", static_cast<unsigned long long>(x), static_cast<unsigned long long>(y));
    };
    return format("%-28.28s %-7s %13s %11s %11s %8s %7s %11s %11s %11s\n", name, sm,
                  pair(before.stalls, after.stalls).c_str(), pair(before.waits, after.waits).c_str(),
                  pair(before.barriers, after.barriers).c_str(), pair(before.counters, after.counters).c_str(),
                  pair(before.depbars, after.depbars).c_str(), pair(before.reuse, after.reuse).c_str(),
                  pair(before.reuse_hits, after.reuse_hits).c_str(),
                  pair(before.bank_conflicts, after.bank_conflicts).c_str());
  };
  std::string out = format("\n%-28s %-7s %13s %11s %11s %8s %7s %11s %11s %11s\n", "control words", "sm", "stall cycles",
                           "waits", "barriers", "counters", "DEPBARs", "reuse flags", "reuse hits", "conflicts");
  figures before;
  figures after;
  std::size_t functions = 0;
  for (const file_result& f : results) {
    for (const function_row& r : f.rows) {
      out += line(r.name.c_str(), r.sm.c_str(), r.before, r.after);
      add(before, r.before);
      add(after, r.after);
      ++functions;
    }
  }
  return functions > 1 ? out + line("all", "", before, after) : out;
}

}  // namespace

std::string json(const std::vector<file_result>& results) {
  return "[\n" +
         list_of(
             all_rows(results), [](const function_row& r) { return json_of(r); }, ",\n") +
         "\n]\n";
}

std::string check_text(const std::vector<file_result>& results) {
  std::string out;
  std::size_t found = 0;
  std::size_t functions = 0;
  unsigned long long instructions = 0;
  for (const file_result& f : results) {
    for (const function_row& r : f.rows) {
      const auto findings = ranges::count_if(r.hazards, [](const finding_row& h) { return h.level == "finding"; });
      found += static_cast<std::size_t>(findings);
      ++functions;
      instructions += r.instructions;
      if (!r.hazards.empty() || !r.notes.empty()) {
        out += format("  %s (%s, %s):\n", r.name.c_str(), r.sm.c_str(), r.file.c_str()) + hazards_of(r);
      }
    }
  }
  return out + format("%zu hazards in %zu functions, %llu instructions\n", found, functions, instructions);
}

std::string schedule_text(const std::vector<file_result>& results) {
  std::string out = row_head();
  for (const file_result& f : results) {
    for (const function_row& r : f.rows) {
      out += row_line(r) + hazards_of(r);
    }
  }
  return out + summary(results);
}

std::string layout_text(const std::vector<file_result>& results) {
  std::string out = format("%-28s %-7s %6s %6s %5s %8s %6s %8s %7s %8s %11s %11s %6s\n", "function", "sm", "instr", "blocks",
                           "cold", "patterns", "moved", "inserted", "removed", "inverted", "cycles", "new cycles", "ratio");
  std::size_t changed = 0;
  std::size_t functions = 0;
  for (const file_result& f : results) {
    for (const function_row& r : f.rows) {
      ++functions;
      changed += r.layout.changed ? 1u : 0u;
      out += format("%-28.28s %-7s %6llu %6llu %5u %8u %6u %8u %7u %8u %11.0f %11.0f %6.3f\n", r.name.c_str(), r.sm.c_str(),
                    static_cast<unsigned long long>(r.instructions), static_cast<unsigned long long>(r.blocks),
                    r.layout.cold, r.layout.patterns, r.layout.changed ? r.layout.moved : 0,
                    r.layout.changed ? r.layout.inserted : 0, r.layout.changed ? r.layout.removed : 0,
                    r.layout.changed ? r.layout.inverted : 0, r.before.cycles, r.after.cycles, ratio(r)) +
             hazards_of(r);
    }
  }
  return out + format("%zu of %zu functions laid out anew\n", changed, functions);
}

std::string compare_text(const std::vector<file_result>& results) { return schedule_text(results) + control_table(results); }

}  // namespace cli
