// SPDX-License-Identifier: BSL-1.0
//
// Moves the call-frame table (.debug_frame) along with the instructions.
//
//   entry   CIE (rules shared by several functions) or FDE (one function: start, size, program)
//   group   the rules that a program sets after one `advance`: they hold from an offset of the function on, because
//           the instruction just before that offset has run. When that instruction moves, the group follows it; when it is gone, the
//           one in front of it.
// Compilers before CUDA 11.1 or so start the first group inside an instruction (8 bytes from the start, where instructions take 16): it
// holds when that instruction has run, follows it, and keeps its distance from the start of it.
// An entry without a relocation whose start and size are 0 describes no code (nvJitLink leaves such of functions that it inlined): it stays.
// Groups keep their rules and their bytes; they are put into the order of their new offsets and only the operands
// of their `advance` change, so the section keeps its size. The start and end of a function must not be crossed by any
// instruction; where code was put in they move with their blocks (section_move::place). A rule or an `advance` form that cannot be
// kept so is refused.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "cubin_code_place.hpp"
#include "cubin_remap.hpp"
#include "elf.hpp"
#include "elf_error.hpp"
#include "frame_factors.hpp"

namespace ww::sass::detail {

class frame_mover {
 public:
  // `out` is the whole file.
  frame_mover(const elf_file& file, const relocation_index& relocations, std::uint32_t section, const move_table& moves,
              span<std::uint8_t> out, cubin_remaps& remaps)
      : file_(file),
        table_(file.sections[section]),
        fields_(file, relocations.of(section)),
        factors_(table_.bytes),
        moves_(moves),
        all_(out),
        out_(out.subspan(meta::to_size(table_.offset), table_.bytes.size())),
        remaps_(remaps) {}

  elf_error run() {
    byte_reader r{table_.bytes};
    while (r.more()) {
      const std::uint64_t start = r.at;
      std::uint64_t length = r.take<std::uint32_t>();
      const bool wide = length == 0xffffffffu;
      if (wide) {
        length = r.take<std::uint64_t>();
      }
      const std::uint64_t body = r.at;
      if (!r.skip(length)) {
        return fail(start, "a frame entry that ends inside the section");
      }
      if (elf_error e = entry(start, body, length, wide)) {
        return e;
      }
    }
    return r.ok ? elf_error{} : fail(table_.bytes.size(), "a whole frame entry");
  }

 private:
  struct group {
    std::uint64_t offset = 0;  // in the function, new
    std::uint64_t old_offset = 0;
    std::uint64_t operand = 0;  // byte of the section at which the old advance operand stands
    std::uint64_t first = 0;    // bytes of its rules
    std::uint64_t last = 0;
  };

  elf_error fail(std::uint64_t at, const std::string& wanted) const {
    return elf_error(table_.offset + at, table_.name, wanted);
  }

  elf_error entry(std::uint64_t start, std::uint64_t body, std::uint64_t length, bool wide) {
    byte_reader r{table_.bytes.first(meta::to_size(body + length)), body};
    const std::uint64_t id = wide ? r.take<std::uint64_t>() : r.take<std::uint32_t>();
    if (id == (wide ? ~std::uint64_t{0} : 0xffffffffu)) {
      return {};  // a CIE names no place in the code
    }
    const std::uint64_t field = r.at;
    const std::uint64_t stored = r.take<std::uint64_t>();
    const std::uint64_t range = r.take<std::uint64_t>();
    if (!r.ok) {
      return fail(start, "a frame entry with start and size of a function");
    }
    const code_place p = fields_.at(field, stored);
    if (!p.known && stored == 0 && range == 0) {
      return {};
    }
    if (!p.known) {
      return fail(field, "a relocation that says which function the entry describes");
    }
    const section_move* move = moves_.find(p.section);
    if (move == nullptr) {
      return {};
    }
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    if (!move->place(p.offset, first) || (range != 0 && !move->place(p.offset + range, end))) {
      return fail(field, "a function whose first and last instruction keep their sides of its bounds");
    }
    if (first != p.offset && !begin_at(field, first, *move)) {
      return fail(field, "a relocation that can say where the function begins now");
    }
    if (range != 0) {
      store_le<std::uint64_t>(out_, field + 8, end - first);
    }
    const std::uint64_t align = factors_.of(id);
    if (align == 0) {
      return fail(start, "a CIE with a code alignment factor");
    }
    return program(r, p.offset, first, *move, align);
  }

  // Lets the field name `first` of its section: symbol, which may have moved, plus addend.
  bool begin_at(std::uint64_t field, std::uint64_t first, const section_move& move) {
    const elf_relocation& r = *fields_.find(field);
    std::uint64_t symbol = 0;
    if (!move.place(file_.symbols[r.symbol].value, symbol)) return false;
    if (r.has_addend) {
      store_le<std::uint64_t>(all_, r.place + 16, first - symbol);
    } else {
      store_le<std::uint64_t>(out_, field, first - symbol);
    }
    return true;
  }

  // Steps over the operands of a rule; false when the rule is not known.
  static bool step(byte_reader& r, std::uint8_t op) {
    switch (op >> 6) {
      case 2:  // offset(reg), N
        (void)r.take_uleb();
        return r.ok;
      case 3:  // restore(reg)
        return true;
      default:
        break;
    }
    switch (op) {
      case 0x00:  // nop
      case 0x0a:  // remember_state
      case 0x0b:  // restore_state
        return true;
      case 0x06:  // restore_extended
      case 0x07:  // undefined
      case 0x08:  // same_value
      case 0x0d:  // def_cfa_register
      case 0x0e:  // def_cfa_offset
        (void)r.take_uleb();
        return r.ok;
      case 0x05:  // offset_extended
      case 0x09:  // register
      case 0x0c:  // def_cfa
      case 0x14:  // val_offset
        (void)r.take_uleb();
        (void)r.take_uleb();
        return r.ok;
      case 0x11:  // offset_extended_sf
      case 0x12:  // def_cfa_sf
      case 0x15:  // val_offset_sf
        (void)r.take_uleb();
        (void)r.take_sleb();
        return r.ok;
      case 0x13:  // def_cfa_offset_sf
        (void)r.take_sleb();
        return r.ok;
      case 0x0f:  // def_cfa_expression
        return r.skip(r.take_uleb());
      case 0x10:  // expression
      case 0x16:  // val_expression
        (void)r.take_uleb();
        return r.skip(r.take_uleb());
      default:
        return false;
    }
  }

  // `function` and `first`: where it began, and where it begins now.
  elf_error program(byte_reader r, std::uint64_t function, std::uint64_t first, const section_move& move,
                    std::uint64_t align) {
    groups_.clear();
    const std::uint64_t begin = r.at;
    std::uint64_t offset = 0;
    bool ordered = false;  // rules that depend on the order of groups
    while (r.more()) {
      const std::uint64_t at = r.at;
      const std::uint8_t op = r.take<std::uint8_t>();
      if (op == 0x04) {  // advance_loc4, the form that ptxas writes
        const std::uint64_t operand = r.at;
        // offsets count modulo 2^32: ptxas writes a step back as a large step (seen as the last, empty group)
        offset = (offset + std::uint64_t{r.take<std::uint32_t>()} * align) & 0xffffffffu;
        group g;
        g.old_offset = offset;
        g.operand = operand;
        g.first = r.at;
        g.last = r.at;
        groups_.push_back(g);
      } else if ((op >> 6) == 1 || op == 0x01 || op == 0x02 || op == 0x03) {
        return fail(at, "advances of four bytes in a frame program");
      } else if (!step(r, op)) {
        return fail(at, "a frame rule that is known");
      } else if (op != 0) {
        ordered = ordered || op == 0x0a || op == 0x0b;
        if (!groups_.empty()) {
          groups_.back().last = r.at;
        }
      }
      if (!r.ok) {
        return fail(at, "a whole frame rule");
      }
    }
    bool changed = false;
    for (group& g : groups_) {
      g.offset = g.old_offset;
      const std::uint64_t over = (function + g.old_offset) % section_move::instruction_bytes;
      const std::uint64_t into =
          over == 0 ? std::uint64_t{section_move::instruction_bytes} : over;  // from the start of its instruction
      std::uint64_t before = function + g.old_offset - into;
      if (g.first != g.last && g.old_offset != 0 && !move.closed(before + section_move::instruction_bytes)) {
        if (move.laid_out()) {
          return fail(g.operand, "a frame rule that starts in front of all code that was laid out anew, or behind it");
        }
        if (before < function || !move.inside(before)) {
          return fail(g.operand, "a frame rule that starts behind an instruction of its function, or inside one");
        }
        while (move.gone(before) && before > function) before -= section_move::instruction_bytes;
        g.offset = move.gone(before) ? 0 : move.follow(before) + into - first;
      }
      changed = changed || g.offset != g.old_offset;
      if (g.first != g.last) {
        remaps_.push_back(
            {short_name(table_.name), "frame", g.operand, move.section(), function + g.old_offset, first + g.offset});
      }
    }
    if (changed && ordered) {
      return fail(begin, "no remember_state or restore_state in a frame program whose rules move");
    }
    return changed ? rewrite(align) : elf_error{};
  }

  elf_error rewrite(std::uint64_t align) {
    std::stable_sort(groups_.begin(), groups_.end(), [](const group& a, const group& b) { return a.offset < b.offset; });
    std::uint64_t at = groups_.front().operand;
    for (const group& g : groups_) {
      at = std::min(at, g.operand);
    }
    at -= 1;  // the opcode of the first advance
    std::uint64_t end = at;
    for (const group& g : groups_) {
      end = std::max(end, g.last);
    }
    std::uint64_t offset = 0;
    const std::uint64_t limit = end;
    for (const group& g : groups_) {
      const std::uint64_t delta = g.offset - offset;
      if (delta % align != 0 || delta / align > 0xffffffffu || g.last - g.first + 5 > limit - at) {
        return fail(g.operand, "frame offsets that fit their fields");
      }
      out_[meta::to_size(at)] = 0x04;
      store_le<std::uint32_t>(out_, at + 1, static_cast<std::uint32_t>(delta / align));
      at += 5;
      for (std::uint64_t k = g.first; k < g.last; ++k) {
        out_[meta::to_size(at++)] = table_.bytes[meta::to_size(k)];
      }
      offset = g.offset;
    }
    while (at < limit) {  // nops that stood between groups go to the end
      out_[meta::to_size(at++)] = 0;
    }
    return {};
  }

  const elf_file& file_;
  const elf_section& table_;
  field_relocations fields_;
  frame_factors factors_;
  const move_table& moves_;
  span<std::uint8_t> all_;
  span<std::uint8_t> out_;  // of the section
  cubin_remaps& remaps_;
  std::vector<group> groups_;
};

}  // namespace ww::sass::detail
