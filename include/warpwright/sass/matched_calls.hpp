// SPDX-License-Identifier: BSL-1.0
//
// Does every function of a program go back to the call that entered it, and what does it leave as it was?
//
//   matched_calls m(p);
//   if (m.run(numbers)) ...     // numbers: the moves of addresses behind calls (return_numbers.hpp)
//
//   body      of a function: the blocks that its entry reaches without calls and returns. The kernel has one too; a block in two
//             bodies, or a function that others enter as well, and nothing is claimed
//   written   by a function: general registers that its body or a function that it calls may write
//   way back  the register in which a function is given its return address: each RET of the body goes where the register said when the
//             body was entered. At each call of the function it holds the address behind that call, and nothing else
// By induction over the returns of a run every RET then goes behind the call that entered its body, and a call leaves all registers
// as they were but those that its function writes. So what is known in front of one call is not mixed up with what is known in front
// of another one. Data flow over 256 registers per block, to the greatest fixed point; linear in instructions, plus 256 per edge
// that is visited again.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "../ir/known_callers.hpp"
#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"

namespace ww::sass {

struct return_number {
  instr_id move;  // the instruction that holds the number
  instr_id call;  // the number is the address behind this call
};

namespace detail {

inline constexpr unsigned general_registers = 256;

[[nodiscard]] constexpr bool is_move(const instruction& x) { return x.op == opcode::mov || x.op == opcode::imad; }

// The only general register that a move writes, when it moves and does nothing else; general_registers if it does not.
[[nodiscard]] inline unsigned moved_register(const program& p, const instruction& x) {
  unsigned to = general_registers;
  for (const operand& o : p.operands_of(x)) {
    if (!o.is_def()) continue;
    if (to != general_registers || !o.is_register() || o.file() != reg_file::r || o.width() != 1) return general_registers;
    to = o.base().number();
  }
  return to < general_registers ? to : general_registers;
}
// The register that a plain copy takes: MOV R2, R20 and IMAD.MOV.U32 R2, RZ, RZ, R20.
[[nodiscard]] inline unsigned copied_register(const program& p, const instruction& x) {
  if (!is_move(x) || x.has(iflag::reads_immediate) || x.has(iflag::reads_constant)) return general_registers;
  unsigned from = general_registers;
  for (const operand& o : p.operands_of(x)) {
    if (!o.is_use() || !o.is_register() || o.where() == slot::guard) continue;
    if (from != general_registers || o.file() != reg_file::r || o.width() != 1) return general_registers;
    from = o.base().number();
  }
  return from < general_registers ? from : general_registers;
}

class matched_calls {
 public:
  using registers = std::bitset<general_registers>;
  static constexpr std::uint32_t none = 0xffffffffu;

  explicit matched_calls(const program& p) : p_(p) {}

  [[nodiscard]] bool run(const std::vector<return_number>& numbers) {
    if (!find_bodies() || !find_written()) return false;
    call_of_.assign(p_.instructions.size(), none);
    for (const return_number& n : numbers) call_of_[n.move.index()] = n.call.index();
    return find_ways_back() && check_calls();
  }
  // The function that the last instruction of a block calls, or none.
  [[nodiscard]] std::uint32_t callee_of(std::uint32_t b) const {
    for (const cfg_edge& e : p_.edges_of(p_.blocks[b])) {
      if (e.kind == edge_kind::call) return body_of_[e.to.index()];
    }
    return none;
  }
  // The function in whose body a block is; none: the kernel's, or no path reaches it.
  [[nodiscard]] std::uint32_t body_of(std::uint32_t b) const { return body_of_[b]; }
  [[nodiscard]] const registers& written_by(std::uint32_t function) const { return written_[function]; }

 private:
  // A known value of each register: that of register k at the entry of the body, or the address behind call k. `unknown` else.
  static constexpr std::uint32_t unknown = none;
  struct values {
    std::array<std::uint32_t, general_registers> of{};
    bool seen = false;
  };

  static bool follows(const cfg_edge& e) { return e.kind != edge_kind::ret && e.kind != edge_kind::call; }

  [[nodiscard]] bool find_bodies() {
    constexpr std::uint32_t outside = none - 1;  // the kernel's
    body_of_.assign(p_.blocks.size(), none);
    std::vector<std::uint32_t> work;
    for (std::uint32_t root = 0; root < p_.blocks.size(); ++root) {
      if (!p_.blocks[root].entry || p_.blocks[root].padding) continue;
      const bool called = is_only_called(p_, block_id{root});
      if (!called && ww::detail::has_call_edge(p_, p_.blocks[root])) return false;
      const std::uint32_t name = called ? p_.blocks[root].function.index() : outside;
      work.assign(1, root);
      if (body_of_[root] != none) return false;
      body_of_[root] = name;
      while (!work.empty()) {
        const std::uint32_t b = work.back();
        work.pop_back();
        for (const cfg_edge& e : p_.edges_of(p_.blocks[b])) {
          const std::uint32_t to = e.to.index();
          if (!follows(e) || body_of_[to] == name) continue;
          if (body_of_[to] != none) return false;
          body_of_[to] = name;
          work.push_back(to);
        }
      }
    }
    for (std::uint32_t& f : body_of_) f = f == outside ? none : f;
    return true;
  }

  [[nodiscard]] bool find_written() {
    written_.assign(p_.functions.size(), registers{});
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (body_of_[b] == none) continue;
      for (const instr_id id : p_.order_of(p_.blocks[b])) {
        if (p_[id].has(iflag::unknown)) return false;
        each_written(p_[id], [&](unsigned r, bool) { written_[body_of_[b]].set(r); });
      }
    }
    for (bool again = true; again;) {
      again = false;
      for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
        const std::uint32_t g = callee_of(b);
        if (body_of_[b] == none || g == none) continue;
        registers& w = written_[body_of_[b]];
        const registers all = w | written_[g];
        again = again || all != w;
        w = all;
      }
    }
    return true;
  }

  template <class F>
  void each_written(const instruction& x, F&& f) const {
    for (const operand& o : p_.operands_of(x)) {
      if (!o.is_def() || !o.is_register() || o.file() != reg_file::r) continue;
      for (unsigned part = 0; part < o.width() && o.base().number() + part < general_registers; ++part) {
        f(static_cast<unsigned>(o.base().number()) + part, o.is_partial() || x.has(iflag::guarded));
      }
    }
  }

  // Through a block; `by_number`: values are addresses behind calls, else registers at the entry of the body.
  void pass(std::uint32_t b, values& v, bool by_number) const {
    for (const instr_id id : p_.order_of(p_.blocks[b])) {
      const instruction& x = p_[id];
      const unsigned from = copied_register(p_, x);
      const bool copy = from != general_registers && moved_register(p_, x) != general_registers;
      const std::uint32_t now = copy ? v.of[from] : by_number ? call_of_[id.index()] : unknown;
      each_written(x, [&](unsigned r, bool keeps) { v.of[r] = keeps && v.of[r] != now ? unknown : now; });
      if (x.has(iflag::unknown)) v.of.fill(unknown);
    }
  }

  // To the greatest fixed point, within bodies; at entries `start` says what is known.
  template <class Start>
  void solve(std::vector<values>& at, bool by_number, Start&& start) const {
    at.assign(p_.blocks.size(), values{});
    std::vector<std::uint8_t> waits(p_.blocks.size(), 0);
    std::vector<std::uint32_t> work;
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (!p_.blocks[b].entry) continue;
      start(b, at[b]);
      if (!at[b].seen) continue;
      waits[b] = 1;
      work.push_back(b);
    }
    for (std::size_t next = 0; next < work.size(); ++next) {
      const std::uint32_t b = work[next];
      waits[b] = 0;
      values v = at[b];
      pass(b, v, by_number);
      const std::uint32_t g = callee_of(b);
      for (const cfg_edge& e : p_.edges_of(p_.blocks[b])) {
        if (!follows(e)) continue;
        values out = v;
        for (unsigned r = 0; r < general_registers && e.kind == edge_kind::call_return; ++r) {
          if (g == none || written_[g][r]) out.of[r] = unknown;
        }
        const std::uint32_t to = e.to.index();
        if (!meet(at[to], out) || waits[to] != 0) continue;
        waits[to] = 1;
        work.push_back(to);
      }
    }
  }
  static bool meet(values& to, const values& from) {
    if (!to.seen) {
      to = from;
      to.seen = true;
      return true;
    }
    bool changed = false;
    for (unsigned r = 0; r < general_registers; ++r) {
      if (to.of[r] == unknown || to.of[r] == from.of[r]) continue;
      to.of[r] = unknown;
      changed = true;
    }
    return changed;
  }

  // The register that a RET goes to, general_registers if none says.
  [[nodiscard]] unsigned target_of(const instruction& x) const {
    for (const operand& o : p_.operands_of(x)) {
      if (o.is_use() && o.is_register() && o.file() == reg_file::r) return static_cast<unsigned>(o.base().number());
    }
    return general_registers;
  }

  [[nodiscard]] bool find_ways_back() {
    std::vector<values> at;
    solve(at, false, [this](std::uint32_t b, values& v) {
      v.seen = body_of_[b] != none;
      for (unsigned r = 0; r < general_registers; ++r) v.of[r] = r;
    });
    way_back_.assign(p_.functions.size(), none);
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const block& blk = p_.blocks[b];
      if (blk.count == 0 || !blk.reachable) continue;
      const instruction& last = p_[p_.order[blk.first + blk.count - 1]];
      if (!last.has(iflag::ret)) continue;
      if (body_of_[b] == none || !at[b].seen) return false;
      values v = at[b];
      pass(b, v, false);
      const unsigned r = target_of(last);
      std::uint32_t& way = way_back_[body_of_[b]];
      if (r >= general_registers || v.of[r] == unknown || (way != none && way != v.of[r])) return false;
      way = v.of[r];
    }
    return true;
  }

  [[nodiscard]] bool check_calls() const {
    std::vector<values> at;
    solve(at, true, [](std::uint32_t, values& v) {
      v.seen = true;
      v.of.fill(unknown);
    });
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      const std::uint32_t g = callee_of(b);
      if (g == none || !p_.blocks[b].reachable || way_back_[g] == none)
        continue;  // who never comes back may be given anything
      values v = at[b];
      pass(b, v, true);
      const instr_id call = p_.order[p_.blocks[b].first + p_.blocks[b].count - 1];
      if (!at[b].seen || v.of[way_back_[g]] != call.index()) return false;
    }
    return true;
  }

  const program& p_;
  std::vector<std::uint32_t> body_of_;   // by block: function, none for the kernel's
  std::vector<registers> written_;       // by function
  std::vector<std::uint32_t> way_back_;  // by function: register at its entry
  std::vector<std::uint32_t> call_of_;   // by instruction: that whose address it moves, or none
};

}  // namespace detail

}  // namespace ww::sass
