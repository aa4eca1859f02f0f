// SPDX-License-Identifier: BSL-1.0
//
// Operand reuse flags: is a kept operand still the register's value when it is used?
//
// A flag on source slot a, b or c keeps the registers just read, for that slot and their banks, until the next read
// of the bank through the slot. A reader that names the same register in the same slot takes the kept value,
// whatever was written to the register in between: hence no write may stand between flag and reader. How many operand caches
// there are is not documented, so a flag must be right both ways: with one cache for all pipes, and with one for each
// group of pipes, where reads of another group drop nothing (compiler output fits the second; 86 flags tell them apart).
// What a block still keeps at its end, with one cache for all, is followed along every edge: that a jump drops it is not known, for
// compilers leave next to nothing there (6 of 239,798 flags of sm_70 and later, some 140 of 57,869 of sm_50 to 62, and never one whose
// register is read too late on any path). That a barrier, the yield form or a change of warp drops it is not relied on either.
// FADD, FADD2, HADD2, DADD, DSETP, HSET2 and HSETP2 are additions without a factor: their second source stands in the field of
// slot b and goes through slot c, so that its flag is the third (compiler output: 1,600 flags, none the other
// way). The flags are those of the control word; which of them reached the text is the reader's business.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "encoding.hpp"
#include "finding.hpp"

namespace ww::verify {

namespace detail {

inline constexpr unsigned reuse_slots = 4;

// Matrix operations on factors in registers.
[[nodiscard]] constexpr bool is_matrix(const instruction& i) {
  return i.op == opcode::hmma || i.op == opcode::imma || i.op == opcode::bmma || i.op == opcode::qmma;
}

// The reuse slot of a source: 0 = a, 1 = b, 2 = c, 3 = what selects the elements of a sparse factor, 4 = none.
template <class Arch>
[[nodiscard]] constexpr unsigned reuse_slot(const instruction& i, slot s) {
  if (s == slot::data && is_matrix(i)) return 3;
  if (s != slot::a && s != slot::b && s != slot::c) return reuse_slots;
  const bool sum = i.op == opcode::fadd || i.op == opcode::fhadd || i.op == opcode::hadd2 || i.op == opcode::dadd ||
                   ((i.op == opcode::dsetp || i.op == opcode::hsetp2) && !short_words<Arch>) || i.op == opcode::hset2 ||
                   i.op == opcode::fadd2;
  return s == slot::b && sum ? 2u : static_cast<unsigned>(s) - static_cast<unsigned>(slot::a);
}

}  // namespace detail

namespace detail {

// What one slot of one cache keeps of one bank.
struct kept_operand {
  instr_id by;
  array<instr_id, 8> writer{};  // by register of the operand: first write since, if any
  std::uint32_t number = 0;     // first register
  unsigned width = 0;           // registers, 0 = nothing kept

  // True if a read of `w` registers from `base` on would take one of `bank` that was written since.
  [[nodiscard]] constexpr bool stale(std::uint32_t base, unsigned w, unsigned bank, unsigned banks,
                                     std::uint32_t& which) const {
    for (unsigned k = 0; k < width; ++k) {
      const std::uint32_t r = number + k;
      if (r % banks != bank || r < base || r >= base + w || !writer[k].valid()) continue;
      which = r;
      return true;
    }
    return false;
  }
  constexpr void note_write(std::uint32_t n, unsigned w, instr_id at) {
    for (unsigned k = 0; k < width; ++k) {
      if (number + k >= n && number + k < n + w && !writer[k].valid()) writer[k] = at;
    }
  }
};

// Does F2F take a double? On sm_50 to sm_62 it takes and drops what the cache of doubles keeps (compiler output, sm_61, one case: DMUL
// keeps R20 for F2F.F32.F64, and DFMA reads R20 written anew; thin), and one that takes a single number drops nothing (4 cases).
[[nodiscard]] inline bool converts_double(const program& p, const instruction& i) {
  if (i.op != opcode::f2f) return false;
  for (const operand& o : p.operands_of(i)) {
    if (o.is_use() && o.where() == slot::b && o.file() == reg_file::r) return o.width() == 2;
  }
  return false;
}

// The operand cache of an instruction: 0 = the one of all pipes (theory one), else 1 + its group of pipes (theory two).
template <class Arch>
[[nodiscard]] unsigned operand_cache_of(const program& p, const instruction& i) {
  // Who takes what R2UR kept: VIADD, LOP3, IMAD, VIMNMX besides R2UR (compiler output, sm_100 and sm_120).
  if (i.iclass == sched_class::r2ur) return 1;
  if (short_words<Arch> && converts_double(p, i)) return 3;
  switch (Arch::pipes::pipe_of(i.iclass)) {
    case pipe_id::alu:
    case pipe_id::fma:
    case pipe_id::fma_heavy:
      return 1;
    case pipe_id::half:  // on sm_60 it has that of other arithmetic (observed)
      return short_words<Arch> ? 1 : 2;
    case pipe_id::fp64:
      return 3;
    case pipe_id::tensor:
      if (i.op == opcode::imma || i.op == opcode::bmma) return 5;
      return i.op == opcode::dmma ? 6 : 4;
    default:
      return 7;
  }
}
inline constexpr unsigned operand_caches = 8;

// Slots of an instruction that may carry a flag, bit by bit. Matrix operations have none on what they add to, those of sm_120 on the
// second factor only (compiler output: none of some 230,000 flagged elsewhere; a disassembler takes such words for undefined). The
// fourth flag is that of a sparse selector (377 HMMA.SP of sm_90a; the text does not show it); from sm_80 to sm_89 it is a bit of the
// instruction itself (312 HMMA.SP of libraries, each followed by one with the same selector; the text shows it).
// DMMA of sm_120 was not seen with flags. HMMA.884 of sm_70 has them on what it adds to as well (96 of HMMA.884.F32.F16).
template <class Arch>
[[nodiscard]] constexpr unsigned flaggable(const instruction& i) {
  constexpr bool one_factor = requires { Arch::limits::matrix_reuse_ports; };
  if (i.iclass == sched_class::hmma_small) return 7u;
  if (is_matrix(i)) return one_factor ? 2u : 11u;
  return i.op == opcode::dmma && !one_factor ? 3u : 7u;
}

// The flag of a sparse selector that stands in the instruction itself.
template <class Arch>
[[nodiscard]] constexpr bool flagged_selector(const instruction& i) {
  if constexpr (requires { Arch::limits::selector_reuse_bit; })
    return is_matrix(i) && (i.word[0] >> Arch::limits::selector_reuse_bit & 1u) != 0;
  return false;
}

// One bank after the other of a read through a slot: what was kept goes, and what the flag keeps comes.
template <std::size_t Banks>
struct operand_slot {
  array<kept_operand, Banks> bank{};

  // Id of the flagged instruction whose value would be taken stale, if any, and the register in question.
  constexpr instr_id read(std::uint32_t n, unsigned w, instr_id reader, bool keep, std::uint32_t& which) {
    instr_id wrong;
    for (unsigned k = 0; k < w && k < Banks; ++k) {
      const kept_operand& e = bank[(n + k) % Banks];
      if (!wrong.valid() && e.stale(n, w, (n + k) % Banks, Banks, which)) wrong = e.by;
    }
    kept_operand e;
    if (keep) {
      e.by = reader;
      e.number = n;
      e.width = w < 8u ? w : 8u;
    }
    for (unsigned k = 0; k < w && k < Banks; ++k) bank[(n + k) % Banks] = e;
    return wrong;
  }
  constexpr void write(std::uint32_t n, unsigned w, instr_id at) {
    for (kept_operand& e : bank) e.note_write(n, w, at);
  }
};

}  // namespace detail

namespace detail {

// One bank of one slot, of the one cache for all pipes, behind the block that left something there.
template <class Arch, unsigned Banks>
class held_operand {
 public:
  held_operand(const program& p, unsigned slot_number, unsigned bank) : p_(p), slot_(slot_number), bank_(bank) {}

  // Every reader that takes an old value on some path from the end of `from`, once in `out` behind `first`.
  void follow(const block& from, const kept_operand& held, vec<finding>& out, std::size_t first) {
    count_ = 0;
    leave(from, held);
    for (bool again = true; again;) {
      again = false;
      for (unsigned v = 0; v < count_; ++v) {
        if (!visits_[v].pending) continue;
        visits_[v].pending = false;
        again = true;
        kept_operand left = visits_[v].held;
        if (passes(p_[visits_[v].at], left, out, first)) leave(p_[visits_[v].at], left);
      }
    }
  }

 private:
  // A slot of a bank is read again within a block or two; what lies farther is not looked at.
  static constexpr unsigned most = 32;
  struct visit {
    block_id at;
    bool pending = false;
    kept_operand held;  // at the start of the block, with the writes of all paths that came
  };

  void leave(const block& b, const kept_operand& held) {
    for (std::uint32_t e = 0; e < b.edge_count; ++e) enter(p_.edges[b.first_edge + e].to, held);
  }
  void enter(block_id at, const kept_operand& held) {
    for (unsigned v = 0; v < count_; ++v) {
      if (visits_[v].at != at) continue;
      for (unsigned k = 0; k < held.width; ++k) {
        if (!held.writer[k].valid() || visits_[v].held.writer[k].valid()) continue;
        visits_[v].held.writer[k] = held.writer[k];
        visits_[v].pending = true;
      }
      return;
    }
    if (count_ < most) visits_[count_++] = {at, true, held};
  }
  // False if a read in the block drops it.
  bool passes(const block& b, kept_operand& held, vec<finding>& out, std::size_t first) const {
    for (const instr_id id : p_.order_of(b)) {
      const instruction& i = p_[id];
      if (i.has(iflag::padding)) continue;
      const auto operands = p_.operands_of(i);
      for (const operand& o : operands) {
        if (!o.is_use() || o.file() != reg_file::r || o.base().is_zero() || reuse_slot<Arch>(i, o.where()) != slot_)
          continue;
        if (dropped(o, id, held, out, first)) return false;
      }
      for (const operand& o : operands) {
        if (!o.is_def() || o.file() != reg_file::r || o.base().is_zero()) continue;
        held.note_write(o.base().number(), o.width() == 0 ? 1u : o.width(), id);
      }
    }
    return true;
  }
  bool dropped(const operand& o, instr_id reader, const kept_operand& held, vec<finding>& out, std::size_t first) const {
    const std::uint32_t n = o.base().number();
    const unsigned w = o.width() == 0 ? 1u : o.width();
    bool mine = false;
    for (unsigned k = 0; k < w && k < Banks; ++k) mine = mine || (n + k) % Banks == bank_;
    std::uint32_t which = 0;
    if (!mine || !held.stale(n, w, bank_, Banks, which)) return mine;
    for (std::size_t f = first; f < out.size(); ++f) {
      if (out[f].kind == finding_kind::reuse_stale && out[f].first == held.by && out[f].second == reader) return true;
    }
    finding f = about(finding_kind::reuse_stale, severity::finding, reader, provenance::assumed);
    f.first = held.by;
    f.target = reg{reg_file::r, which};
    out.push_back(f);
    return true;
  }

  const program& p_;
  unsigned slot_, bank_;
  unsigned count_ = 0;
  array<visit, most> visits_{};
};

}  // namespace detail

template <class Arch>
void check_reuse(const program& p, vec<finding>& out) {
  constexpr unsigned banks = Arch::limits::register_banks == 0 ? 1u : Arch::limits::register_banks;
  using cache_type = array<detail::operand_slot<banks>, detail::reuse_slots>;
  array<cache_type, detail::operand_caches> caches{};
  unsigned live = 0;  // caches that may keep something
  for (const block& b : p.blocks) {
    for (unsigned c = 0; c < detail::operand_caches; ++c) {
      if ((live >> c & 1u) != 0) caches[c] = {};
    }
    live = 0;
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      if (i.has(iflag::padding)) continue;
      const bool legal = i.has(iflag::reuse_legal);
      const bool selector = legal && detail::flagged_selector<Arch>(i);
      if (live == 0 && (!legal || i.ctl.reuse == 0) && !selector) continue;
      const auto operands = p.operands_of(i);
      const array<unsigned, 2> mine{0u, detail::operand_cache_of<Arch>(p, i)};
      unsigned real = 0;  // flags that stand on a register
      for (const operand& o : operands) {
        if (!o.is_use() || o.file() != reg_file::r || o.base().is_zero()) continue;
        const unsigned k = detail::reuse_slot<Arch>(i, o.where());
        if (k >= detail::reuse_slots) continue;
        const unsigned w = o.width() == 0 ? 1u : o.width();
        const bool keep = legal && ((i.ctl.reuse >> k & 1u) != 0 || (selector && k == 3));
        bool told = false;
        for (const unsigned c : mine) {
          std::uint32_t which = 0;
          const instr_id by = caches[c][k].read(o.base().number(), w, id, keep, which);
          if (!by.valid() || told) continue;
          told = true;
          finding f = detail::about(finding_kind::reuse_stale, severity::finding, id, provenance::documented);
          f.first = by;
          f.target = reg{reg_file::r, which};
          out.push_back(f);
        }
        if (keep) real |= 1u << k;
      }
      // Besides the flag of slot b, compilers set the third one of ISCADD, which the text does not show (46 of 800).
      if (detail::short_words<Arch> && i.op == opcode::iscadd) real |= i.ctl.reuse & 4u;
      // R2P of sm_50 and sm_52 too has some that the text does not show (9 of 83).
      if (detail::short_words<Arch> && i.op == opcode::r2p) real |= i.ctl.reuse & 3u;
      if (real != 0) live |= 1u << mine[0] | 1u << mine[1];
      if (i.ctl.reuse != 0 && legal && !i.has(iflag::unknown)) {
        const unsigned code = i.ctl.issue_code();
        const bool paired = code == 16u && Arch::control_format::valid(16u);  // issues with the next one
        if ((code < 17u || code > 27u) && !paired) {
          const severity level = code >= 1u && code <= 3u ? severity::note : severity::finding;
          out.push_back(detail::about(finding_kind::reuse_code, level, id, provenance::observed));
        }
        if ((i.ctl.reuse & ~(real & detail::flaggable<Arch>(i))) != 0) {
          out.push_back(detail::about(finding_kind::reuse_operand, severity::finding, id, provenance::observed));
        }
      }
      for (const operand& o : operands) {
        if (!o.is_def() || o.file() != reg_file::r || o.base().is_zero()) continue;
        const unsigned w = o.width() == 0 ? 1u : o.width();
        for (unsigned c = 0; c < detail::operand_caches; ++c) {
          if ((live >> c & 1u) == 0) continue;
          for (auto& slot : caches[c]) slot.write(o.base().number(), w, id);
        }
      }
    }
    if (live == 0 || b.edge_count == 0) continue;
    const std::size_t first = out.size();
    for (unsigned k = 0; k < detail::reuse_slots; ++k) {
      for (unsigned n = 0; n < banks; ++n) {
        const detail::kept_operand& e = caches[0][k].bank[n];
        if (e.width != 0) detail::held_operand<Arch, banks>(p, k, n).follow(b, e, out, first);
      }
    }
  }
}

}  // namespace ww::verify
