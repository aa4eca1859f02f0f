// SPDX-License-Identifier: BSL-1.0
//
// Fixed distances that were worked out before, so that an edge costs one load.
//
//   access code   class, slot, guard and register part of one access in 22 bits
//   cell          what was asked (kind, register file, both access codes) and the answer in cycles, in one 64-bit word
//
// A direct-mapped table: a question that meets another one in its cell works the distance out anew and takes the cell. Real
// code asks a few hundred questions. The table belongs to one latency page and one distance_use and is emptied when another
// one comes; it lives in the workspace, so that nothing is shared between threads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/vocabulary.hpp"
#include "../meta/vec.hpp"
#include "graph.hpp"

namespace ww::detail {

// Guarded accesses have this bit in their code; the part of the register counts in steps of `next_part`.
struct access_code {
  static constexpr std::uint32_t guarded = 1u << 13;
  static constexpr std::uint32_t next_part = 1u << 14;
  static constexpr unsigned bits = 22;

  static constexpr std::uint32_t of(sched_class c, slot where, bool is_guarded) {
    return static_cast<std::uint32_t>(c) | (static_cast<std::uint32_t>(where) << 8) | (is_guarded ? guarded : 0u);
  }
  static constexpr slot where(std::uint32_t code) { return static_cast<slot>(code >> 8 & 0x1fu); }
  static constexpr access_point point(std::uint32_t code, reg_file file) {
    return {static_cast<sched_class>(code & 0xffu), where(code), file, static_cast<std::uint8_t>(code >> 14),
            (code & guarded) != 0};
  }
};

// The memory of distance_memo, part of the workspace.
struct distance_cells {
  // Few in a constant expression, where every cell costs a step.
  [[nodiscard]] static constexpr unsigned index_bits() { return __builtin_is_constant_evaluated() ? 7u : 11u; }

  vec<std::uint64_t> cells;
  const void* page = nullptr;  // which edge_cycles the cells belong to

  [[gnu::noinline]] constexpr void start(const void* for_page) {
    page = for_page;
    cells.assign(std::size_t{1} << index_bits(), 0);
  }
};

// What is asked of the memo, but for the earlier access: kind, register file and the code of the later access.
struct distance_question {
  static constexpr unsigned file_at = 2 * access_code::bits;
  static constexpr unsigned kind_at = file_at + 4;
  static constexpr std::uint64_t kind_step = std::uint64_t{1} << kind_at;

  std::uint64_t bits;

  // `asked` is raw, war or waw.
  constexpr distance_question(dependence_kind asked, std::uint32_t later, reg_file in)
      : bits(std::uint64_t{later} << access_code::bits | std::uint64_t{static_cast<std::uint32_t>(in)} << file_at |
             (std::uint64_t{static_cast<std::uint32_t>(asked)} + 1) << kind_at) {}
  // The same from one word: the code of the later access and the file above it.
  constexpr static distance_question of_place(dependence_kind asked, std::uint32_t later) {
    constexpr std::uint32_t place = (1u << (access_code::bits + 4)) - 1;
    return distance_question(std::uint64_t{later & place} << access_code::bits |
                             (std::uint64_t{static_cast<std::uint32_t>(asked)} + 1) << kind_at);
  }
  constexpr void next_part() { bits += std::uint64_t{access_code::next_part} << access_code::bits; }
  constexpr void ask(dependence_kind asked) {
    bits = (bits & (kind_step - 1)) | (std::uint64_t{static_cast<std::uint32_t>(asked)} + 1) << kind_at;
  }
  [[nodiscard]] constexpr std::uint32_t code() const {
    return static_cast<std::uint32_t>(bits >> access_code::bits) & ((1u << access_code::bits) - 1);
  }
  [[nodiscard]] constexpr reg_file file() const { return static_cast<reg_file>(bits >> file_at & 15u); }
  [[nodiscard]] constexpr dependence_kind kind() const { return static_cast<dependence_kind>((bits >> kind_at) - 1); }

 private:
  constexpr explicit distance_question(std::uint64_t b) : bits(b) {}
};

// Its address stands for a latency page.
template <class Cycles>
inline constexpr char page_of = 0;

template <class Cycles>
struct distance_memo {
  std::uint64_t* cells;

  constexpr explicit distance_memo(distance_cells& memory) {
    const bool fits = memory.page == &page_of<Cycles> && !memory.cells.empty();  // a workspace that was moved from has none
    if (__builtin_is_constant_evaluated() || !fits) memory.start(&page_of<Cycles>);
    cells = memory.cells.data();
  }

  // Cycles from the access with code `from` to the one that `q` names.
  [[nodiscard]] [[gnu::always_inline]] constexpr std::uint32_t fixed(distance_question q, std::uint32_t from) const {
    const std::uint64_t asked = q.bits | from;
    std::uint64_t& cell = cells[asked * 0x9e3779b97f4a7c15ull >> (64u - distance_cells::index_bits())];
    if (cell >> 8 != asked) [[unlikely]] {
      cell = asked << 8 | work_out(q, from);
    }
    return static_cast<std::uint32_t>(cell & 0xffu);
  }

 private:
  [[gnu::noinline]] constexpr static std::uint8_t work_out(distance_question q, std::uint32_t from) {
    const access_point a = access_code::point(from, q.file());
    const access_point b = access_code::point(q.code(), q.file());
    if (q.kind() == dependence_kind::raw) return static_cast<std::uint8_t>(Cycles::fixed_raw(a, b));
    if (q.kind() == dependence_kind::war) return static_cast<std::uint8_t>(Cycles::fixed_war(a, b));
    return static_cast<std::uint8_t>(Cycles::fixed_waw(a, b));
  }
};

}  // namespace ww::detail
