// SPDX-License-Identifier: BSL-1.0
//
// The ordered table of scoreboard entries (SB-10; scoreboards and barriers, "Scoreboard Entry Construction").
//
//   entry       one instruction does one thing to one counter: position, counter (16 bits), dependency type (16 bits)
//   order       by counter, then position, then type; inside one instruction waits come before sets, for they happen first
//   type        wait, write set (until the result is there), read set (until the sources are read)
// The text builds a balanced tree while it emits; the entries here are made in one walk and sorted, and looked up by
// bisection. The schedule checks ask it who set a counter last and who waits for it next.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/sort.hpp"
#include "../meta/vec.hpp"

namespace ww::scoreboard {

enum class entry_type : std::uint16_t { wait, write_set, read_set };

struct scoreboard_entry {
  std::uint32_t position = 0;  // in program::order
  std::uint16_t counter = 0;
  entry_type type = entry_type::wait;

  friend constexpr bool operator==(const scoreboard_entry&, const scoreboard_entry&) = default;
  [[nodiscard]] constexpr bool before(const scoreboard_entry& o) const {
    if (counter != o.counter) return counter < o.counter;
    if (position != o.position) return position < o.position;
    return type < o.type;
  }
};

struct entry_table {
  vec<scoreboard_entry> entries;

  // All entries of the program as it stands; the memory is kept.
  void build(const program& p) {
    entries.clear();
    for (std::uint32_t pos = 0; pos < p.order.size(); ++pos) {
      const instruction& i = p[p.order[pos]];
      if (i.has(iflag::padding)) continue;
      for (std::uint16_t k = 0; k < 8; ++k) {
        if ((i.ctl.wait_mask >> k & 1u) != 0) entries.push_back({pos, k, entry_type::wait});
      }
      if (i.iclass == sched_class::depbar) wait_by_name(p, i, pos);
      if (i.ctl.sets_write()) entries.push_back({pos, i.ctl.write_barrier, entry_type::write_set});
      if (i.ctl.sets_read()) entries.push_back({pos, i.ctl.read_barrier, entry_type::read_set});
    }
    ww::detail::sort(entries.begin(), entries.end(),
                     [](const scoreboard_entry& a, const scoreboard_entry& b) { return a.before(b); });
  }

  // Index of the first entry that is not before `e`; entries.size() if there is none.
  [[nodiscard]] std::size_t lower_bound(const scoreboard_entry& e) const {
    std::size_t first = 0;
    for (std::size_t count = entries.size(); count != 0;) {
      const std::size_t half = count / 2;
      if (entries[first + half].before(e)) {
        first += half + 1;
        count -= half + 1;
      } else {
        count = half;
      }
    }
    return first;
  }

  static constexpr std::uint32_t none = 0xffffffffu;

  // First wait for a counter at a position in [from, to), or `none`.
  [[nodiscard]] std::uint32_t next_wait(unsigned counter, std::uint32_t from, std::uint32_t to) const {
    const auto c = static_cast<std::uint16_t>(counter);
    for (std::size_t k = lower_bound({from, c, entry_type::wait}); k < entries.size(); ++k) {
      const scoreboard_entry& e = entries[k];
      if (e.counter != c || e.position >= to) break;
      if (e.type == entry_type::wait) return e.position;
    }
    return none;
  }
  // Whether anything sets a counter at a position in [from, to).
  [[nodiscard]] bool set_within(unsigned counter, std::uint32_t from, std::uint32_t to) const {
    const auto c = static_cast<std::uint16_t>(counter);
    for (std::size_t k = lower_bound({from, c, entry_type::wait}); k < entries.size(); ++k) {
      const scoreboard_entry& e = entries[k];
      if (e.counter != c || e.position >= to) break;
      if (e.type != entry_type::wait) return true;
    }
    return false;
  }

 private:
  // DEPBAR waits for the counter that it names.
  void wait_by_name(const program& p, const instruction& i, std::uint32_t pos) {
    for (const operand o : p.operands_of(i)) {
      if (o.file() != reg_file::sb || o.base().number() >= control::barrier_count) continue;
      entries.push_back({pos, static_cast<std::uint16_t>(o.base().number()), entry_type::wait});
    }
  }
};

}  // namespace ww::scoreboard
