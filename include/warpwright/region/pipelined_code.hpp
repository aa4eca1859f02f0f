// SPDX-License-Identifier: BSL-1.0
//
// Writes a modulo-scheduled loop out: the program again, with one block replaced by prologue, kernel and epilogues.
//
//   pass      one initiation interval of code: stage s of iteration `pass - s`, for all stages at once, in the order of
//             slots
//   prologue  passes 0 .. stages - 2; behind each, an exit to an epilogue if there is no next iteration
//   kernel    `copies` passes, one per name of modulo variable expansion, the last of which branches back to the first
//   epilogue  one for every pass that can be the last: what is left of the iterations in flight
// Each iteration runs each of its instructions exactly once, whatever the number of iterations. The new program's
// instructions stand in layout order and its control-flow graph is built anew. Weights (executions per warp) of other blocks
// stay; those of the loop follow from its iterations per entry: at least as many as stages, and every entry runs the prologue
// once, the rest of its iterations in the kernel, and one of the epilogues behind the kernel; fewer, and every entry leaves
// at the prologue pass of its last iteration.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "../ir/cfg.hpp"
#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "counted_loop.hpp"
#include "loop_names.hpp"

namespace ww::region {

struct pipelined_loop {
  block_id body;
  span<const std::uint32_t> time;  // by place in the body, without the branch
  std::uint32_t interval = 0;
  std::uint32_t stages = 0;
  std::uint32_t copies = 1;
};

class pipelined_code {
 public:
  pipelined_code(const program& p, const loop_names& names, const pipelined_loop& loop)
      : p_(p), names_(names), loop_(loop) {}

  // False if the new program has no control-flow graph; `out` is of no use then.
  [[nodiscard]] bool write(program& out) {
    q_ = &out;
    out = program{};
    out.sm = p_.sm;
    out.register_count = p_.register_count;
    out.has_control = p_.has_control;
    weight_.clear();
    first_of_.assign(p_.blocks.size(), instr_id{});
    block_of_.assign(p_.instructions.size(), 0);
    new_id_.assign(p_.instructions.size(), instr_id{});
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (p_.blocks[b].count == 0) return false;
      for (const instr_id i : p_.order_of(p_.blocks[b])) block_of_[i.index()] = b;
    }
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      first_of_[b] = next();
      now_ = p_.blocks[b].weight;
      if (b == loop_.body.index()) {
        write_loop();
      } else {
        for (const instr_id i : p_.order_of(p_.blocks[b])) {
          new_id_[i.index()] = next();
          copy(p_[i], [](operand o) { return o; });
        }
      }
    }
    resolve();
    if (!build_cfg(out).ok) return false;
    for (block& b : out.blocks) {
      if (b.count != 0) b.weight = weight_[out.order[b.first].index()];
    }
    return true;
  }

 private:
  struct jump {
    instr_id from;
    std::uint32_t pass = 0;  // label: epilogue of that pass, or
    bool kernel = false;     // the kernel's first instruction, or
    bool exit = false;       // the exit block
  };

  [[nodiscard]] instr_id next() const { return instr_id{static_cast<std::uint32_t>(q_->instructions.size())}; }

  template <class Name>
  instruction& copy(const instruction& from, Name&& name) {
    instruction i = from;
    i.first_operand = static_cast<std::uint32_t>(q_->operands.size());
    for (const operand o : p_.operands_of(from)) q_->operands.push_back(name(o));
    i.address = static_cast<std::uint32_t>(q_->instructions.size()) * 16u;
    q_->order.push_back(next());
    q_->instructions.push_back(i);
    weight_.push_back(now_);
    return q_->instructions.back();
  }

  void write_loop() {
    const span<const instr_id> body = p_.order_of(p_[loop_.body]);
    by_slot_.clear();
    for (std::uint32_t k = 0; k + 1 < body.size(); ++k) by_slot_.push_back(k);
    std::sort(by_slot_.begin(), by_slot_.end(), [&](std::uint32_t a, std::uint32_t b) {
      const std::uint32_t x = loop_.time[a] % loop_.interval;
      const std::uint32_t y = loop_.time[b] % loop_.interval;
      return x != y ? x < y : a < b;
    });
    const std::uint32_t s = loop_.stages;
    const std::uint32_t passes = s - 1 + loop_.copies;
    for (std::uint32_t pass = 0; pass < passes; ++pass) {
      if (pass == s - 1) kernel_ = next();
      now_ = weight_of(pass, false);
      write_pass(body, pass, pass, 0);
      const bool last = pass + 1 == passes;
      instruction& branch =
          copy(p_[body.back()], [&](operand o) { return names_.name(o, last_place(body), pass, loop_.copies); });
      jumps_.push_back({instr_id{next().index() - 1}, pass, last, false});
      if (!last) invert(branch);
    }
    // The last kernel pass falls into its own epilogue, the others jump to theirs; all but the last jump to the exit.
    epilogue_.assign(passes, instr_id{});
    for (std::uint32_t k = 0; k < passes; ++k) {
      const std::uint32_t pass = k == 0 ? passes - 1 : k - 1;
      epilogue_[pass] = next();
      now_ = weight_of(pass, true);
      for (std::uint32_t t = pass + 1; t < pass + s; ++t) write_pass(body, t, pass, 1);
      if (k + 1 == passes) break;
      instruction& branch = copy(p_[body.back()], [](operand o) { return o; });
      make_unconditional(branch);
      jumps_.push_back({instr_id{next().index() - 1}, 0, false, true});
    }
  }
  static std::uint32_t last_place(span<const instr_id> body) { return static_cast<std::uint32_t>(body.size() - 1); }

  // One pass, of iterations up to `newest`, from stage `least` on.
  void write_pass(span<const instr_id> body, std::uint32_t pass, std::uint32_t newest, std::uint32_t least) {
    for (const std::uint32_t k : by_slot_) {
      const std::uint32_t stage = loop_.time[k] / loop_.interval;
      if (stage < least || stage > pass || pass - stage > newest) continue;
      copy(p_[body[k]], [&](operand o) { return names_.name(o, k, pass - stage, loop_.copies); });
    }
  }

  void invert(instruction& branch) {
    branch.guard_negated ^= 1u;
    for (unsigned k = 0; k < branch.operand_count; ++k) {
      operand& o = q_->operands[branch.first_operand + k];
      if (o.where() == slot::guard) o.high ^= operand::bit_not;
    }
  }
  void make_unconditional(instruction& branch) {
    branch.remove(iflag::guarded);
    branch.guard_negated = 0;
    std::uint8_t kept = 0;
    for (unsigned k = 0; k < branch.operand_count; ++k) {
      const operand o = q_->operands[branch.first_operand + k];
      if (o.where() != slot::guard) q_->operands[branch.first_operand + kept++] = o;
    }
    branch.operand_count = kept;
  }

  // Targets mean blocks: an old one the first instruction of the block that the old target stands in.
  void resolve() {
    const auto moved = [&](instr_id old) { return old.valid() ? first_of_[block_of_[old.index()]] : old; };
    for (instruction& i : q_->instructions) i.target = moved(i.target);
    for (const jump& j : jumps_) {
      instruction& i = q_->instructions[j.from.index()];
      i.target = j.exit ? first_of_[loop_.body.index() + 1] : j.kernel ? kernel_ : epilogue_[j.pass];
    }
    for (const branch_table& t : p_.tables) {
      branch_table n = t;
      n.branch = new_id_[t.branch.index()];
      q_->tables.push_back(n);
    }
    for (const instr_id t : p_.table_targets) q_->table_targets.push_back(moved(t));
    for (const instr_id t : p_.leaders) q_->leaders.push_back(moved(t));
    for (const function& f : p_.functions) {
      function n = f;
      n.entry = moved(f.entry);
      q_->functions.push_back(n);
    }
  }

  // Executions of a pass, or of its epilogue.
  [[nodiscard]] double weight_of(std::uint32_t pass, bool epilogue) const {
    const double trips = iterations_per_entry(p_, loop_.body);
    const double entries = p_[loop_.body].weight / trips;
    const std::uint32_t prologue = loop_.stages - 1;  // passes
    const double copies = loop_.copies;
    if (trips < loop_.stages) {  // never comes to the kernel
      const auto last = static_cast<std::uint32_t>(std::lround(trips)) - 1;
      return epilogue ? (pass == last ? entries : 0) : (pass <= last ? entries : 0);
    }
    if (pass < prologue) return epilogue ? 0 : entries;
    return epilogue ? entries / copies : entries * (trips - prologue) / copies;
  }

  const program& p_;
  const loop_names& names_;
  const pipelined_loop& loop_;
  program* q_ = nullptr;
  vec<instr_id> first_of_;  // by old block: first new instruction
  vec<std::uint32_t> block_of_;
  vec<instr_id> new_id_;
  vec<std::uint32_t> by_slot_;
  vec<jump> jumps_;
  vec<instr_id> epilogue_;  // by pass
  instr_id kernel_;
  vec<double> weight_;  // by new instruction: executions of what it belongs to
  double now_ = 1;      // of what is being written
};

}  // namespace ww::region
