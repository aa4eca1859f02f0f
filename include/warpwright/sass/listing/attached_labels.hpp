// SPDX-License-Identifier: BSL-1.0
//
// Labels that stand for an instruction and not for a place that control goes to.
//
// Disassemblers of CUDA 13.5 put a label in front of every instruction that an attribute of the file names by its offset
// (EXIT, SHFL, CALL, SYNCS, spills, ..: docs/cubin.md), whether the attributes are printed or not; those of 13.1 and before print
// offsets. Such a label is attached: it goes where its instruction goes, and no block begins there.
//
//   named     a branch, a call, a table, a symbol or an address in the code names the label: a place, never attached
//   recorded  the instruction behind it is of a kind that attributes name
// Code compiled with -G has unnamed labels of another kind, for its scopes: they are places. They stand in front of instructions
// of all kinds, so a section with more unnamed labels that are not recorded than such that are has no attached labels at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../isa/opcode_id.hpp"
#include "../module.hpp"

namespace ww::sass::detail {

// Of the kinds that attributes name (docs/cubin.md: checked in compiled code by the opcode at each offset; of BAR, CREDUX, LDS, STS, ATOMS
// and ATOMG in 140 generated kernels: barriers and votes of groups, barrier objects of sm_80 to sm_89, 16-bit atomics;
// of UBLKCP in 10 files of a public library).
[[nodiscard]] constexpr bool recorded_kind(opcode op) {
  switch (op) {
    case opcode::exit:
    case opcode::call:
    case opcode::shfl:
    case opcode::vote:
    case opcode::voteu:
    case opcode::match:
    case opcode::redux:
    case opcode::credux:
    case opcode::warpsync:
    case opcode::bar:
    case opcode::nop:
    case opcode::syncs:
    case opcode::usyncs:
    case opcode::ldl:
    case opcode::stl:
    case opcode::ldg:
    case opcode::lds:
    case opcode::sts:
    case opcode::ld:
    case opcode::atom:
    case opcode::atomg:
    case opcode::atoms:
    case opcode::ublkcp:
      return true;
    default:
      return false;
  }
}

// Marks the attached labels and lets the lines of their instructions begin with them. `named`: by label, whether the code or a
// symbol names it.
inline void attach_labels(sass::module& m, const std::vector<std::uint8_t>& named) {
  constexpr std::string_view made_up = ".L_x_";  // by the disassembler
  struct counts {
    std::uint32_t recorded = 0;
    std::uint32_t other = 0;
  };
  std::vector<counts> of_section(m.sections.size());
  const auto candidate = [&](std::size_t index) {
    const label& l = m.labels[index];
    return named[index] == 0 && !m.infos[l.section].word64 && l.instruction < m.sections[l.section].instructions.size() &&
           m.name_of(l).substr(0, made_up.size()) == made_up;
  };
  const auto recorded = [&](const label& l) { return recorded_kind(m.sections[l.section].instructions[l.instruction].op); };
  for (std::size_t k = 0; k < m.labels.size(); ++k) {
    if (!candidate(k)) continue;
    counts& c = of_section[m.labels[k].section];
    ++(recorded(m.labels[k]) ? c.recorded : c.other);
  }
  for (std::size_t k = 0; k < m.labels.size(); ++k) {
    label& l = m.labels[k];
    if (!candidate(k) || !recorded(l) || of_section[l.section].other > of_section[l.section].recorded) continue;
    // nothing but the end of its line stands between the label and its instruction
    text_record& r = m.records[m.infos[l.section].first_record + l.instruction];
    const std::size_t behind = std::size_t{l.name} + l.name_length;
    bool next = behind < r.begin && m.text[behind] == ':';
    for (std::size_t at = behind + 1; at < r.begin && next; ++at) {
      next = m.text[at] == '\n' || m.text[at] == '\r' || m.text[at] == ' ' || m.text[at] == '\t';
    }
    if (!next) continue;
    r.begin = l.name;
    l.attached = true;
  }
}

}  // namespace ww::sass::detail
