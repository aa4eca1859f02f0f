// SPDX-License-Identifier: BSL-1.0
//
// A note where the encoding of an instruction is that of another one than its operands say: somebody has changed the text and
// left the hex, or the reverse. The text is followed, the hex is what runs.
//
//   registers   general, uniform, predicate and convergence registers in the places of verify/word_fields.hpp, RZ and PT too,
//               and whether a predicate is negated
//   counters    of DEPBAR: the first in bits 44..46, the others as a mask in 32..37
//   offsets     of memory accesses, from bit 40 on
//   distances   of branches, calls and BSSY lead to the target of the text: in words of four bytes from the next instruction,
//               in bits 34..81, from sm_90 on with the low eight bits in 16..23; BSSY has the old form in 34..63 everywhere
//   values      immediates and constants: whoever has read the text has compared them (instruction::other_value)
// Observed: none differs in 3.5 million instructions of compiled code (docs/verify.md).
// A note, because what else a tool writes there is its own affair; but one of the two is wrong. SMs with 64-bit words hold
// all of it elsewhere and are not looked at.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/vec.hpp"
#include "finding.hpp"
#include "word_fields.hpp"

namespace ww::verify {
namespace detail {

class words_view {
 public:
  explicit words_view(const instruction& i) : low_(i.word[0]), high_(i.word[1]) {}
  // A field of 1 to 32 bits.
  [[nodiscard]] std::uint32_t field(unsigned at, unsigned width) const {
    std::uint64_t v = at < 64 ? low_ >> at : high_ >> (at - 64);
    if (at < 64 && at + width > 64) v |= high_ << (64 - at);
    return static_cast<std::uint32_t>(v & ((std::uint64_t{1} << width) - 1));
  }
  [[nodiscard]] unsigned opcode_bits() const { return static_cast<unsigned>(low_) & 0xfffu; }
  // Bytes from the next instruction to where a branch leads.
  [[nodiscard]] std::int64_t distance(bool split) const {
    const std::int64_t upper = sign((low_ >> 34) | (high_ & 0x3ffffu) << 30, 48);
    return split ? upper * 1024 + std::int64_t{field(16, 8)} * 4 : upper * 4;
  }
  [[nodiscard]] std::int64_t short_distance() const { return sign(field(34, 30), 30) * 4; }
  [[nodiscard]] std::int64_t offset(unsigned width) const { return sign(field(40, width), width); }

 private:
  static std::int64_t sign(std::uint64_t v, unsigned width) {
    const std::uint64_t top = std::uint64_t{1} << (width - 1);
    return static_cast<std::int64_t>((v ^ top) - top);
  }
  std::uint64_t low_, high_;
};

// The offset of an address stands in bits 40..63, or 40..62 for atomics; 0: elsewhere, or in no word of its own.
constexpr unsigned offset_width(unsigned opcode_bits) {
  switch (opcode_bits) {
    case 0x377:
    case 0x378:
    case 0x381:
    case 0x981:
    case 0x386:
    case 0x986:
    case 0x387:
    case 0x987:
    case 0x388:
    case 0x988:
    case 0x983:
    case 0x984:
    case 0x985:
    case 0x83b:
    case 0x844:
    case 0x38c:
    case 0x98c:
    case 0x38d:
    case 0x98e:
    case 0x9a6:
    case 0x5a7:
    case 0x9a7:
    case 0x5b2:
    case 0x5bf:
    case 0x9bf:
      return 24;
    case 0x38b:
    case 0x3a9:
    case 0x98a:
    case 0x9a2:
    case 0x9a8:
      return 23;
    default:
      return 0;
  }
}

// Distances and the mask of WARPSYNC have other places since then (docs/cubin.md, "Branch distances").
template <class Arch>
inline constexpr bool since_sm90 = static_cast<unsigned>(Arch::id) >= 900;

// There are more than 63 uniform registers since then.
template <class Arch>
inline constexpr bool since_sm100 = Arch::limits::uniform_zero > 63;

// The register that is in none of its places, or none.
template <class Arch>
[[nodiscard]] bool other_register(const program& p, const instruction& i, const words_view& w, reg& found) {
  constexpr unsigned uniform_bits = Arch::limits::uniform_zero > 63 ? 8 : 6;
  constexpr std::uint8_t width_of[] = {0, 8, 3, uniform_bits, 3, 4, 3, 0};  // by reg_file
  constexpr std::uint32_t always = 7;                                       // PT
  const unsigned op = w.opcode_bits();
  const unsigned form = op >> 9;
  const bool other_place = (other_places[(op & 0x1ffu) >> 6] >> (op & 63u) & 1u) != 0;
  bool guard = false;
  std::uint32_t listed = 0;  // counters of DEPBAR behind the first
  const auto operands = p.operands_of(i);
  for (std::size_t k = 0; k < operands.size(); ++k) {
    const operand o = operands[k];
    const reg_file f = o.file();
    const bool named = o.type() == operand_type::physical || (o.type() == operand_type::fixed && f != reg_file::special);
    if (!named || o.is_hidden() || f == reg_file::none || f >= reg_file::cc) continue;
    const slot s = o.where();
    guard = guard || s == slot::guard;
    unsigned above = 0;
    unsigned at = usual_places[static_cast<unsigned>(s) * places_of_slot + form * 8 + static_cast<unsigned>(f)];
    if (at == by_opcode || (other_place && at != no_place)) {
      unsigned nth = 0;
      for (std::size_t before = 0; before < k; ++before) {
        nth += operands[before].where() == s && operands[before].file() != reg_file::none ? 1u : 0u;
      }
      at = place_of_opcode(i, o, nth, static_cast<std::uint8_t>(at), since_sm90<Arch>, since_sm100<Arch>);
      above = above_field(op, s, nth);
      if (f == reg_file::sb && s == slot::b) listed |= 1u << (o.base().number() & 7u);
    }
    if (at == no_place || at == by_opcode) continue;  // the opcode does not say where
    const unsigned width = width_of[static_cast<unsigned>(f)];
    const bool negatable = width == 3 && f != reg_file::sb && o.is_use();
    const std::uint32_t number = negatable && counts_down(op, s) ? always - o.base().number() : o.base().number() - above;
    const std::uint32_t meant = (number & ((1u << width) - 1u)) | (negatable && o.is_not() ? 8u : 0u);
    if (w.field(at, width + (negatable ? 1u : 0u)) == meant) continue;
    found = o.base();
    return true;
  }
  if (i.op == opcode::depbar && w.field(32, 6) != listed) return true;
  return !guard && w.field(12, 4) != always;
}

// A target or an offset that is not that of the words.
template <class Arch>
[[nodiscard]] bool other_distance(const program& p, const instruction& i, const words_view& w) {
  const unsigned op = w.opcode_bits();
  if (i.target.valid()) {
    constexpr bool split = since_sm90<Arch>;
    const std::int64_t meant = std::int64_t{p[i.target].address} - std::int64_t{i.address} - 16;
    if (op == 0x945) return w.short_distance() != meant;
    if (op == 0x947 || op == 0x944) return w.distance(split) != meant;
    return split && (op == 0x547 || op == 0x348 || op == 0x948) && w.distance(true) != meant;
  }
  if (i.dir == mem_dir::none && i.space == mem_space::none) return false;
  const unsigned width = i.has(iflag::symbolic_mem) ? 0 : offset_width(op);
  return width != 0 && w.offset(width) != i.mem_offset;
}

}  // namespace detail

// Whether the words of one instruction of a program are those of another; `found` is the register that tells, if one does.
template <class Arch>
[[nodiscard]] bool has_other_words(const program& p, const instruction& i, reg& found) {
  found = reg{reg_file::none, 0};
  if constexpr (requires { Arch::control_format::position; }) {
    if (i.has(iflag::unknown) || i.has(iflag::padding) || (i.word[0] | i.word[1]) == 0) return false;
    const detail::words_view w(i);
    return i.other_value != 0 || detail::other_register<Arch>(p, i, w, found) || detail::other_distance<Arch>(p, i, w);
  }
  return false;
}

template <class Arch>
void note_other_words(const program& p, vec<finding>& out) {
  if (!p.has_encoding) return;
  for (const instr_id id : p.order) {
    reg found;
    if (!has_other_words<Arch>(p, p[id], found)) continue;
    finding f = detail::about(finding_kind::other_words, severity::note, id, provenance::observed);
    f.target = found;
    out.push_back(f);
  }
}

}  // namespace ww::verify
