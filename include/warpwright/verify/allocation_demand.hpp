// SPDX-License-Identifier: BSL-1.0
//
// A demand of allocation_paths.hpp, and what an inserted instruction makes of it.
//
//   whole     `after`, a register or a slot, must hold what `before` holds
//   bit       1 + n: bit n of the register or slot `after`, for a predicate `before`
//   nothing   the program after has lost the value: right only if the program before has none either
//   again     `before` must hold what the part `after` of the program before has computed
//   origin    the part of the operand that asked first; its errors are told there
//   outcome   `moved` to where an inserted instruction takes its value from; `dropped`, not followed further (merged bits);
//             `failed`: it makes another value
// Copies and the like are the inserted instructions of allocation_map.hpp; chains of them are followed in
// allocation_chains.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_chains.hpp"
#include "allocation_side.hpp"

namespace ww::verify::detail {

struct allocation_demand {
  static constexpr std::uint32_t whole = 0;  // of a register or slot; 1 + bit: of one bit of it
  static constexpr std::uint32_t nothing = 65;
  static constexpr std::uint32_t again = 64;  // `after` is a part of the program before, that must have computed `before`
  static constexpr std::uint32_t at_exit = 1u << 31;  // in `origin`: number of the last instruction instead of a part

  std::uint32_t before = 0;  // packed register
  std::uint32_t after = 0;   // packed register or slot
  std::uint32_t how = whole;
  std::uint32_t origin = 0;  // part of the operand after
  std::uint32_t guard = 0;   // 1 + 2 * packed predicate + negated, while that has the same value; 0: none
  std::uint32_t name = 0;    // `before` where it was asked
  std::uint32_t remat = 0;   // number of what computes again, where `routes` has it
  error_set routes;

  // Is `after` a register or a slot?
  [[nodiscard]] bool has_place() const { return how < again; }
  [[nodiscard]] bool same(const allocation_demand& o) const {
    return before == o.before && after == o.after && how == o.how;
  }
  [[nodiscard]] bool less(const allocation_demand& o) const {
    if (before != o.before) return before < o.before;
    return after != o.after ? after < o.after : how < o.how;
  }
};

// Sorts them, each once. Of two under different guards the one without remains.
inline void unique_demands(vec<allocation_demand>& list) {
  std::stable_sort(list.begin(), list.end(),
                   [](const allocation_demand& a, const allocation_demand& b) { return a.less(b); });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (kept != 0 && list[kept - 1].same(list[k])) {
      list[kept - 1].routes.add(list[k].routes);
      if (list[kept - 1].guard != list[k].guard) list[kept - 1].guard = 0;
      continue;
    }
    list[kept++] = list[k];
  }
  list.resize(kept);
}

// One register that an instruction writes, in one program or in both.
struct demand_written {
  std::uint32_t name;
  std::uint32_t operand;
  std::uint32_t word;
};

[[nodiscard]] inline std::uint32_t register_name(const operand& o, std::uint32_t word) {
  return reg(o.file(), o.base().number() + word).packed;
}
inline void written_by(const allocation_side& s, std::uint32_t n, vec<demand_written>& out) {
  out.clear();
  const span<const operand> ops = s.code.operands_of(instr_id{n});
  for (std::uint32_t k = 0; k < ops.size(); ++k) {
    if (!ops[k].is_def() || !ops[k].is_register()) continue;
    for (std::uint32_t w = 0; w < ops[k].width(); ++w) out.push_back({register_name(ops[k], w), k, w});
  }
}
[[nodiscard]] inline const demand_written* find_written(const vec<demand_written>& list, std::uint32_t name) {
  for (const demand_written& w : list) {
    if (w.name == name) return &w;
  }
  return nullptr;
}
[[nodiscard]] inline std::uint32_t only_use(span<const operand> ops, reg_file f) {
  for (std::uint32_t k = 0; k < ops.size(); ++k) {
    if (ops[k].is_use() && ops[k].is_register() && ops[k].file() == f && ops[k].where() != slot::guard) return k;
  }
  return 0xffffffffu;
}

enum class demand_outcome : std::uint8_t { moved, dropped, failed };

// What an inserted instruction makes of a demand on something that it writes.
[[nodiscard]] inline demand_outcome demand_source(const allocation_side& before, const allocation_side& after,
                                                  std::uint32_t n, const demand_written& w, allocation_demand& d) {
  using demand = allocation_demand;
  using outcome = demand_outcome;
  constexpr std::uint32_t none = 0xffffffffu;
  const instruction& ins = after.code.instructions[n];
  const span<const operand> ops = after.code.operands_of(instr_id{n});
  const auto read = [&](std::uint32_t k, std::uint32_t word) {
    d.after = register_name(ops[k], word);
    return outcome::moved;
  };
  switch (after.role[n].what) {
    case allocated_as::copy: {
      const std::uint32_t from = copied_operand(after.code, ins, true);
      return from == none ? outcome::failed : read(from, w.word);
    }
    case allocated_as::spill:
      return after.frame[n].data == none || ops[after.frame[n].data].width() <= w.word ? outcome::failed
                                                                                       : read(after.frame[n].data, w.word);
    case allocated_as::refill:
      d.routes.add(allocation_error::spill_refill);
      return !after.frame[n].known || after.frame[n].data != w.operand || after.frame[n].words <= w.word
                 ? outcome::failed
                 : read(static_cast<std::uint32_t>(ops.size()) - 1, w.word);
    case allocated_as::r2p:
    case allocated_as::bit_in: {
      const bool mask = after.role[n].what == allocated_as::r2p;
      d.routes.add(mask ? allocation_error::p2r_r2p : allocation_error::bit_spill_refill);
      if (d.how != demand::whole) return outcome::failed;
      d.how = 1 + ((after.role[n].first_bit + (mask ? reg::from_packed(w.name).number() : 0u)) & 31u);
      const std::uint32_t base = only_use(ops, reg_file::r);
      return base == none ? outcome::failed : read(base, 0);
    }
    case allocated_as::p2r:
      if (d.how == demand::whole) return outcome::failed;
      for (std::uint32_t k = 0; k < ops.size(); ++k) {
        const bool predicate =
            ops[k].is_use() && ops[k].is_register() && ops[k].file() == reg_file::p && ops[k].where() != slot::guard;
        if (!predicate || after.role[n].first_bit + ops[k].base().number() + 1 != d.how) continue;
        d.how = demand::whole;
        return read(k, 0);
      }
      return only_use(ops, reg_file::r) == none ? outcome::failed : read(only_use(ops, reg_file::r), 0);
    case allocated_as::bit_out:
      if (d.how != 1u + after.role[n].first_bit || only_use(ops, reg_file::p) == none) return outcome::failed;
      d.how = demand::whole;
      return read(only_use(ops, reg_file::p), 0);
    case allocated_as::bit_merge:
      return d.how == demand::whole ? outcome::failed : outcome::dropped;
    case allocated_as::remat: {
      d.routes.add(allocation_error::rematerialization);
      d.remat = n;
      const std::uint32_t of = after.role[n].of.index();
      const span<const operand> x = before.code.operands_of(instr_id{of});
      if (d.how != demand::whole || w.operand >= x.size() || !x[w.operand].is_def() || ins.has(iflag::guarded))
        return outcome::failed;
      d.how = demand::again;
      d.after = before.part_of(of, w.operand, w.word);
      return outcome::moved;
    }
    default:
      return outcome::failed;
  }
}

}  // namespace ww::verify::detail
