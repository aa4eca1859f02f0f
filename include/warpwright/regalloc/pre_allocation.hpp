// SPDX-License-Identifier: BSL-1.0
//
// Pre-allocation: what should share a place or have a certain one, before the search begins (FPA-7).
//
//   pre_allocation<> pass;
//   pre_allocation_result r = pass.run(l, c, t.of[c], t.map);       // after build_problems(), before the attempts
//
//   gates        enable: the pass at all. coalescing: copies, and results with their addends. uniform: uniform instructions of
//                the boundary table
//   modes        the text runs it for allocation modes 3, 5 and 6: uniform registers, predicates, accumulators. Machine code
//                has accumulators in general registers, so that R counts as 6 (`mode_of`)
//   scanner      each instruction of each block in the present order: finds the first result of the class, and links it and the
//                results behind it with the operands from the boundary on, pair by pair; then the instructions beside the table
//                (links_result); then copies. A link ties two registers that may have one place (place_links.hpp), or makes the
//                place of a fixed one the other's candidate
//   assigner     each operand of an instruction of the table: results read, operands below the boundary write (read, where the
//                policy says so), at and above it both. That makes the register a spill candidate; priorities of one register
//                add up
// Policy: what the text asks per instruction. `coalesces`, `excluded`, `reads_first`; the defaults are the text's where it has any.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../lift/lifted.hpp"
#include "../meta/vec.hpp"
#include "boundary_table.hpp"
#include "copies.hpp"
#include "place_links.hpp"
#include "problem.hpp"
#include "program_problem.hpp"

namespace ww::regalloc {

struct pre_allocation_gates {
  bool enable = true;
  bool coalescing = true;
  bool uniform = true;
  bool pairs = true;  // links through the boundary table and beside it; on by default in the text
};

// Of one instruction.
struct every_instruction {
  [[nodiscard]] static constexpr bool coalesces(const instruction&) { return true; }
  [[nodiscard]] static constexpr bool excluded(const instruction&) { return false; }
  [[nodiscard]] static constexpr bool reads_first(const instruction&) { return false; }
};

// A register that pre-allocation has looked at.
struct spill_candidate {
  std::uint32_t reg = no_register;  // of the problem
  block_id block;                   // of its first operand that counted
  std::uint8_t operand = 0;         // index in its instruction
  pre_priority priority = pre_priority::none;
};

struct pre_allocation_result {
  bool ran = false;
  std::uint32_t copies = 0;     // between two webs of the class
  std::uint32_t coalesced = 0;  // of these, tied or given a candidate
  std::uint32_t links = 0;      // other ties and candidates
  std::uint32_t refused = 0;    // of both kinds
};

[[nodiscard]] constexpr std::uint32_t mode_of(pressure_class c) {
  return c == pressure_class::ur ? 3u : c == pressure_class::p || c == pressure_class::up ? 5u : 6u;
}
[[nodiscard]] constexpr bool is_pre_allocated(std::uint32_t mode) { return mode == 3 || mode == 5 || mode == 6; }

template <class Policy = every_instruction>
class pre_allocation {
 public:
  pre_allocation_gates gates;
  vec<spill_candidate> spill_candidates;  // in the order in which the scan met them

  pre_allocation_result run(const lifted_program& l, pressure_class c, problem& p, const program_map& map) {
    return run(l, c, p, map, mode_of(c));
  }
  pre_allocation_result run(const lifted_program& l, pressure_class c, problem& p, const program_map& map,
                            std::uint32_t mode) {
    pre_allocation_result result;
    p.candidates.clear();
    spill_candidates.clear();
    seen_.assign(p.registers.size(), no_register);
    if (!gates.enable || !is_pre_allocated(mode) || map.register_of_web.size() != l.webs.size()) return result;
    l_ = &l;
    class_ = c;
    map_ = &map;
    p_ = &p;
    result.ran = true;
    links_.start(p);
    for (std::uint32_t b = 0; b < l.code.blocks.size(); ++b) {
      for (const instr_id i : l.code.order_of(l.code.blocks[b])) {
        scan(i, result);
        assign(i, block_id{b});
      }
    }
    return result;
  }

 private:
  // The register of an operand in the problem; none for other classes and zero registers.
  [[nodiscard]] std::uint32_t register_at(std::uint32_t k) const {
    const operand o = l_->code.operands[k];
    if (!o.is_register() || pressure_class_of(o.file()) != class_) return no_register;
    const std::uint32_t w = l_->web_of_operand[k];
    if (w == lifted_program::no_web) return no_register;
    const std::uint32_t r = map_->register_of_web[w];
    return r < p_->registers.size() ? r : no_register;
  }

  void count(tie_result t, std::uint32_t& good, pre_allocation_result& result) {
    if (t == tie_result::refused) {
      ++result.refused;
    } else if (t != tie_result::known) {
      ++good;
    }
  }
  void link(std::uint32_t a, std::uint32_t b, pre_allocation_result& result) {
    const std::uint32_t x = register_at(a);
    const std::uint32_t y = register_at(b);
    if (x == no_register || y == no_register || x == y) return;
    count(links_.tie(*p_, x, y), result.links, result);
  }

  void scan(instr_id i, pre_allocation_result& result) {
    const instruction& ins = l_->code[i];
    const bool coalesces = gates.coalescing && Policy::coalesces(ins);
    if (!coalesces && !gates.uniform) return;
    const std::int32_t boundary = boundary_of(ins.op);
    const bool uniform = gates.uniform && is_uniform_candidate(ins.op);
    if (boundary >= 0 && gates.pairs && (coalesces || uniform) && !Policy::excluded(ins)) {
      const std::uint32_t first = ins.first_operand;
      const std::uint32_t end = first + ins.operand_count;
      std::uint32_t result_at = first;
      while (result_at < end && l_->code.operands[result_at].is_def() && register_at(result_at) == no_register) ++result_at;
      for (std::uint32_t k = result_at; k < end && l_->code.operands[k].is_def(); ++k) {
        const std::uint32_t other = first + static_cast<std::uint32_t>(boundary) + (k - result_at);
        if (other < end && l_->code.operands[other].is_use()) link(k, other, result);
      }
    }
    if (!coalesces) return;
    if (gates.pairs && links_result(ins.op)) link_result(ins, result);
    const copy_ends ends = copy_of(*l_, i);
    if (!ends.found || ends.file_class != class_) return;
    ++result.copies;
    if (!ends.aligned()) return;
    count(links_.tie(*p_, map_->register_of_web[ends.to], map_->register_of_web[ends.from]), result.coalesced, result);
  }
  // The result of a matrix instruction with its addend; of HSET2 and UTCSTSWS with the sources, the first first.
  void link_result(const instruction& ins, pre_allocation_result& result) {
    const bool matrix = ins.op != opcode::hset2 && ins.op != opcode::utcstsws;
    const std::uint32_t end = ins.first_operand + ins.operand_count;
    if (ins.operand_count == 0 || !l_->code.operands[ins.first_operand].is_def()) return;
    for (std::uint32_t k = ins.first_operand + 1; k < end; ++k) {
      const operand o = l_->code.operands[k];
      if (!o.is_use() || (matrix && o.where() != slot::c)) continue;
      link(ins.first_operand, k, result);
      if (ins.op == opcode::hset2) return;
    }
  }

  void assign(instr_id i, block_id b) {
    const instruction& ins = l_->code[i];
    const std::int32_t boundary = boundary_of(ins.op);
    if (boundary < 0) return;
    for (std::uint32_t n = 0; n < ins.operand_count; ++n) {
      const std::uint32_t k = ins.first_operand + n;
      const std::uint32_t r = register_at(k);
      if (r == no_register || p_->registers[r].has(register_flag::pre_assigned)) continue;
      pre_priority what = pre_priority::both;
      if (l_->code.operands[k].is_def()) {
        what = pre_priority::read;
      } else if (n < static_cast<std::uint32_t>(boundary)) {
        what = Policy::reads_first(ins) ? pre_priority::read : pre_priority::write;
      }
      if (seen_[r] == no_register) {
        seen_[r] = static_cast<std::uint32_t>(spill_candidates.size());
        spill_candidates.push_back({r, b, static_cast<std::uint8_t>(n), what});
      } else {
        spill_candidate& s = spill_candidates[seen_[r]];
        s.priority = static_cast<pre_priority>(static_cast<unsigned>(s.priority) | static_cast<unsigned>(what));
      }
    }
  }

  const lifted_program* l_ = nullptr;
  const program_map* map_ = nullptr;
  problem* p_ = nullptr;
  pressure_class class_ = pressure_class::r;
  place_links links_;
  vec<std::uint32_t> seen_;  // by register: its place among the spill candidates
};

}  // namespace ww::regalloc
