// SPDX-License-Identifier: BSL-1.0
//
// A permutation of the 16-byte instructions of one code section, and the questions that a patcher asks of it.
//
//   position   place of an instruction in the section, counted in instructions; offset = 16 * position
//   old_index  [new position] -> old position
//   closed     a position that no instruction crosses: everything before it stays before it. The start of a block
//              is closed when instructions move only inside blocks. A branch, a symbol, a jump-table entry or a
//              return address may point at a closed position and need not change; a pointer to any other position
//              means one instruction, and has to follow it.
//   place      where a position between instructions is now: a closed one where it was. Where code was put in, the start of a
//              block is known to have moved, if whoever put it in says so (set_places)
#pragma once

#include <cstdint>
#include <vector>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"

namespace ww::sass {

class section_move {
 public:
  static constexpr std::uint32_t instruction_bytes = 16;

  // False when old_index is not a permutation of 0 .. n-1; the value is then empty.
  bool assign(std::uint32_t section, span<const std::uint32_t> old_index) {
    section_ = section;
    const auto n = static_cast<std::uint32_t>(old_index.size());
    new_index_.assign(n, 0xffffffffu);
    closed_.assign(static_cast<std::size_t>(n) + 1, 0);
    old_index_.assign(old_index.begin(), old_index.end());
    moved_ = false;
    closed_[0] = 1;
    std::uint32_t highest = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
      const std::uint32_t i = old_index[k];
      if (i >= n || new_index_[i] != 0xffffffffu) {
        new_index_.clear();
        old_index_.clear();
        closed_.assign(1, 1);
        return false;
      }
      new_index_[i] = k;
      moved_ = moved_ || i != k;
      highest = i > highest ? i : highest;
      closed_[k + 1] = highest == k ? 1 : 0;
    }
    return true;
  }

  // By old position: the instruction is not in the code any more, and where it went is filling.
  void set_gone(span<const std::uint8_t> gone) { gone_.assign(gone.begin(), gone.end()); }
  [[nodiscard]] bool gone(std::uint64_t offset) const {
    const std::uint64_t at = offset / instruction_bytes;
    return at < gone_.size() && gone_[meta::to_size(at)] != 0;
  }

  // What the constants of the kernel hold are targets of its branches, and nothing else.
  void move_tables() { tables_ = true; }
  [[nodiscard]] bool moves_tables() const { return tables_; }

  // Blocks stand in another order: what lies between two instructions lies elsewhere now, not only the instructions.
  void lay_out() { laid_out_ = true; }
  [[nodiscard]] bool laid_out() const { return laid_out_; }

  // By old position: the new one of the block that starts there, 0xffffffff where none does. False, and nothing is taken over, unless
  // both grow together: blocks stand in the order that they stood in.
  bool set_places(span<const std::uint32_t> places) {
    std::uint32_t next = 0;
    for (const std::uint32_t p : places) {
      if (p == no_place) continue;
      if (p < next || p > count()) return false;
      next = p + 1;
    }
    places_.assign(places.begin(), places.end());
    return true;
  }
  // False for an offset that means no position known to be between instructions still.
  [[nodiscard]] bool place(std::uint64_t offset, std::uint64_t& now) const {
    if (closed(offset)) {
      now = offset;
      return true;
    }
    const std::uint64_t at = offset / instruction_bytes;
    if (offset % instruction_bytes != 0 || at >= places_.size() || places_[meta::to_size(at)] == no_place) return false;
    now = std::uint64_t{places_[meta::to_size(at)]} * instruction_bytes;
    return true;
  }

  // Does symbol plus addend still name the place that it named, where the symbol goes with its own?
  [[nodiscard]] bool keeps(std::uint64_t symbol, std::uint64_t addend) const {
    std::uint64_t start = 0;
    std::uint64_t now = 0;
    return place(symbol + addend, now) && place(symbol, start) && now == start + addend;
  }

  [[nodiscard]] std::uint32_t section() const { return section_; }
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(old_index_.size()); }
  [[nodiscard]] bool moved() const { return moved_; }
  [[nodiscard]] std::uint32_t old_index(std::uint32_t k) const { return old_index_[k]; }

  // True for a byte offset that no instruction crosses; the end of the section is one.
  [[nodiscard]] bool closed(std::uint64_t offset) const {
    return offset % instruction_bytes == 0 && offset / instruction_bytes < closed_.size() &&
           closed_[meta::to_size(offset / instruction_bytes)] != 0;
  }
  // True for a byte offset inside an instruction.
  [[nodiscard]] bool inside(std::uint64_t offset) const { return offset / instruction_bytes < count(); }
  // The offset to which a byte of an instruction goes; demands inside(offset).
  [[nodiscard]] std::uint64_t follow(std::uint64_t offset) const {
    return std::uint64_t{new_index_[meta::to_size(offset / instruction_bytes)]} * instruction_bytes +
           offset % instruction_bytes;
  }

 private:
  static constexpr std::uint32_t no_place = 0xffffffffu;

  std::uint32_t section_ = 0;
  bool moved_ = false;
  bool laid_out_ = false;
  bool tables_ = false;
  std::vector<std::uint32_t> old_index_;
  std::vector<std::uint32_t> new_index_;
  std::vector<std::uint8_t> closed_ = {1};
  std::vector<std::uint32_t> places_;
  std::vector<std::uint8_t> gone_;
};

}  // namespace ww::sass
