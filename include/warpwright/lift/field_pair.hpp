// SPDX-License-Identifier: BSL-1.0
//
// Two operands that the encoding of an instruction tells by one field, so that the second is always the register behind the first.
//
//   UTCHMMA gdesc[UR8], gdesc[UR10], tmem[UR12], tmem[UR6], idesc[UR7], UP0     idesc stands behind the last tmem
//   UGETNEXTWORKID.BROADCAST [UR4], [UR5]                                       barrier object behind the place of the answer
//   USYNCS.PHASECHK.TRANS64.TRYWAIT UP0, [UR4], UR5                             phase behind the address
//   LDGSTS.E.64 [UR4], desc[UR5][R2.64]                                         descriptor behind the address in shared memory
// The text names them apart and each is one register wide, but they are a pair: who gives them registers must keep them together
// (lift.hpp), or the words cannot hold them. All of them were seen at an even register. Number and threads of BAR share a field too;
// both are the same register, so nothing has to be said about them. Places of fields: isa/register_place.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/instruction.hpp"
#include "../ir/operand.hpp"
#include "../isa/opcode_id.hpp"
#include "../meta/span.hpp"

namespace ww {

struct field_pair {
  bool found = false;
  std::uint8_t first = 0;  // indices of operands of the instruction
  std::uint8_t second = 0;
};

// `ops` are the operands of `i`. Not found where the registers do not follow each other: no compiler writes that.
[[nodiscard]] constexpr field_pair field_pair_of(const instruction& i, span<const operand> ops) {
  slot behind = slot::implicit;  // of the second operand
  switch (i.op) {
    case opcode::utchmma:
    case opcode::utcimma:
    case opcode::utcqmma:
    case opcode::utcomma:
    case opcode::utcmxqmma:
    case opcode::ldgsts:
      behind = slot::desc;
      break;
    case opcode::ugetnextworkid:
      behind = slot::uaddress;
      break;
    case opcode::usyncs:
      behind = slot::data1;
      break;
    default:
      return {};
  }
  for (std::size_t k = 1; k < ops.size(); ++k) {
    const std::size_t before =
        ops[k - 1].where() == slot::address && k > 1 ? k - 2 : k - 1;  // of LDGSTS: the global address
    const operand a = ops[before];
    const operand b = ops[k];
    if (a.where() != slot::uaddress || b.where() != behind || a.width() != 1 || b.width() != 1) continue;
    if (!a.is_use() || !b.is_use() || a.file() != reg_file::ur || b.file() != reg_file::ur) continue;
    if (b.base().number() != a.base().number() + 1) continue;
    return {true, static_cast<std::uint8_t>(before), static_cast<std::uint8_t>(k)};
  }
  return {};
}

}  // namespace ww
