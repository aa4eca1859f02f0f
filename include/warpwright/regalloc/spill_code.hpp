// SPDX-License-Identifier: BSL-1.0
//
// Spills webs of a lifted program (FPA-8): a store behind every definition, a reload in front of every use, each on a register of
// its own that lives for one instruction.
//
//   spilled_program s = start_spills(std::move(l));         // a lifted program, and where its instructions come from
//   insert_spills(s, to_memory, to_recompute, space, ws);   // web numbers; as often as needed, with the frame behind the last one
//   verify::check_allocation(before, after, s.map)          // once registers are given; `before` is l.code
//
//   instructions  keep their ids; new ones follow behind them. came_from says which was which in the call just made. Those that
//                 are deleted (computed again everywhere else, and nobody jumps to them) stand in no block any more
//   webs          keep their numbers; `state` says what became of them; new ones, short_lived, follow behind
//   one register  per instruction and overlapping operands of a web: reloaded as far as the operands read, stored as far as they
//                 write and somebody reads. An instruction that reads and writes a web keeps one register for both, as it had before
//   guards        a guarded or partial write is preceded by a reload, and what is there behind it is stored without a guard.
//                 Liveness does not know guards: without the reload the new register would be live back to the start; and
//                 neither does the check of allocations, which takes a store under a guard for one that may have been left out
//   accesses      of one, two or four words, as the alignment of registers and slots allows
// Predicates and uniform registers are not spilled. New instructions have no encoding words and no control. Linear but for
// spill_plan.hpp and the sorting of insertions.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../isa/builder.hpp"
#include "../lift/lifted.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../verify/allocation_map.hpp"
#include "spill_plan.hpp"
#include "spilled_program.hpp"

namespace ww::regalloc {

struct spill_result {
  bool ok = false;              // false: the program contradicts itself, or register numbers ran out. Nothing was changed
  std::uint32_t in_memory = 0;  // webs
  std::uint32_t recomputed = 0;
  std::uint32_t slots = 0;
};

struct spill_workspace {
  spill_plan plan;  // of the last call: plan.refusal says of each web why not
  struct insertion {
    std::uint64_t key;  // position, side, and the order in which it was made
    instr_id id;
  };
  vec<insertion> insertions;
  vec<instr_id> order;
  vec<std::uint32_t> group;  // by old position: where its group begins in the new order
  vec<std::uint8_t> flags;   // by old instruction
};

namespace detail {

class spill_inserter {
 public:
  spill_inserter(spilled_program& s, const spill_space& space, spill_workspace& ws)
      : s_(s), p_(s.lifted.code), l_(s.lifted), space_(space), ws_(ws), plan_(ws.plan) {}

  spill_result run(span<const std::uint32_t> to_memory, span<const std::uint32_t> to_recompute) {
    spill_result r;
    if (!sound()) return r;
    plan_.make(l_, s_.state, to_memory, to_recompute, space_);
    if (!room()) return r;
    r.ok = true;
    const auto olds = static_cast<std::uint32_t>(p_.instructions.size());
    s_.came_from.resize(olds);
    for (std::uint32_t i = 0; i < olds; ++i) s_.came_from[i] = instr_id{i};
    ws_.insertions.clear();
    find_deleted();
    for (const block& b : p_.blocks) insert_in(b);
    put_in_order();
    for (std::uint32_t w = 0; w < plan_.wish.size(); ++w) {
      if (plan_.wish[w] == spill_wish::none) continue;
      const bool memory = plan_.wish[w] == spill_wish::memory;
      ++(memory ? r.in_memory : r.recomputed);
      s_.state[w] = memory ? web_state::in_memory : web_state::recomputed;
      l_.webs[w].defs = l_.webs[w].uses = 0;
      l_.webs[w].weight = 0;
      --l_.fixed[0];
    }
    r.slots = plan_.slots;
    s_.frame_end = plan_.frame_end;
    return r;
  }

 private:
  static constexpr std::uint32_t no_web = lifted_program::no_web;
  static constexpr std::uint8_t is_named = 1, is_placed = 2, is_deleted = 4;  // flags of instructions
  enum side : std::uint64_t { block_start, in_front, behind };

  [[nodiscard]] bool sound() {
    if (!l_.ok() || l_.web_of_operand.size() != p_.operands.size() || s_.map.size() != p_.instructions.size()) return false;
    if (s_.state.size() != l_.webs.size() || p_.order.size() >= (1u << 30)) return false;
    if (space_.space != mem_space::local && space_.space != mem_space::shared) return false;
    if (!space_.base.is_zero() && (space_.base.file() != reg_file::r || space_.base.is_virtual())) return false;
    ws_.flags.assign(p_.instructions.size(), 0);
    for (const instr_id i : p_.order) {
      if (i.index() >= ws_.flags.size() || ws_.flags[i.index()] != 0) return false;
      const instruction& ins = p_[i];
      if (ins.first_operand > p_.operands.size() || ins.operand_count > p_.operands.size() - ins.first_operand) return false;
      ws_.flags[i.index()] = is_placed;
    }
    std::uint32_t next = 0;
    ws_.group.assign(p_.order.size() + 1, 0);
    for (const block& b : p_.blocks) {
      if (b.first > p_.order.size() || b.count > p_.order.size() - b.first) return false;
      if (b.first_edge > p_.edges.size() || b.edge_count > p_.edges.size() - b.first_edge) return false;
      for (std::uint32_t at = b.first; at < b.first + b.count; ++at) {
        if (ws_.group[at]++ != 0) return false;
      }
      next += b.count;
    }
    for (const cfg_edge& e : p_.edges) {
      if (e.to.index() >= p_.blocks.size() || e.from.index() >= p_.blocks.size()) return false;
    }
    for (const std::uint32_t w : l_.web_of_operand) {
      if (w != no_web && w >= l_.webs.size()) return false;
    }
    return next == p_.order.size();
  }
  // Are there numbers for all that may be new? At most one web per operand, and each with its alignment in front of it.
  [[nodiscard]] bool room() const {
    std::uint64_t need = l_.next_virtual[static_cast<std::size_t>(pressure_class::r)];
    for (std::uint32_t k = 0; k < p_.operands.size(); ++k) {
      const std::uint32_t w = l_.web_of_operand[k];
      if (w < plan_.wish.size() && plan_.wish[w] != spill_wish::none) need += 2 * l_.webs[w].width + l_.webs[w].alignment;
    }
    return need < reg::zero_number;
  }

  // Parts of a web that operands of one instruction name, by bit.
  struct part_set {
    std::uint64_t bits[4] = {0, 0, 0, 0};
    void add(std::uint32_t from, std::uint32_t width) {
      for (std::uint32_t k = from; k < from + width && k < 256; ++k) bits[k >> 6] |= 1ull << (k & 63u);
    }
    [[nodiscard]] bool has(std::uint32_t k) const { return k < 256 && (bits[k >> 6] >> (k & 63u) & 1u) != 0; }
  };

  void insert_in(const block& b) {
    for (std::uint32_t at = b.first; at < b.first + b.count; ++at) {
      const instr_id id = p_.order[at];
      if (deleted(id)) continue;
      const std::uint32_t first = p_[id].first_operand;
      const std::uint32_t end = first + p_[id].operand_count;
      for (std::uint32_t k = first; k < end; ++k) {
        if (plan_.wish_of_operand(k) != spill_wish::none) replace(b, at, id, k, end);
      }
    }
  }

  // Gives the operands of one web that overlap operand k a register of their own.
  void replace(const block& b, std::uint32_t at, instr_id id, std::uint32_t k, std::uint32_t end) {
    const std::uint32_t old = l_.web_of_operand[k];
    const web was = l_.webs[old];
    const bool again = plan_.wish[old] == spill_wish::recompute;
    const auto part_of = [&](std::uint32_t j) { return p_.operands[j].base().number() - was.number; };
    std::uint32_t low = again ? 0 : part_of(k);
    std::uint32_t high = again ? was.width : low + p_.operands[k].width();
    for (bool grows = true; grows;) {
      grows = false;
      for (std::uint32_t j = k; j < end; ++j) {
        if (l_.web_of_operand[j] != old) continue;
        const std::uint32_t from = part_of(j);
        const std::uint32_t to = from + p_.operands[j].width();
        if (from >= high || to <= low || (from >= low && to <= high)) continue;
        low = std::min(low, from);
        high = std::max(high, to);
        grows = true;
      }
    }
    const auto mine = [&](std::uint32_t j) { return l_.web_of_operand[j] == old && part_of(j) >= low && part_of(j) < high; };
    std::uint32_t align = again ? was.alignment : 1;
    part_set reads, writes, live;
    bool has_read = false;
    const instruction ins = p_[id];
    for (std::uint32_t j = k; j < end; ++j) {
      if (!mine(j)) continue;
      const operand o = p_.operands[j];
      align = std::max(align, alignment_of(was.original + part_of(j), o.width()));
      const bool stored = o.is_def() && plan_.live_behind[j] != 0;
      const bool keeps = o.is_partial() || ins.has(iflag::guarded);
      if (o.is_use() || (stored && keeps)) {
        reads.add(part_of(j) - low, o.width());
        has_read = true;
      }
      if (stored) writes.add(part_of(j) - low, o.width());
      for (std::uint32_t part = 0; part < o.width() && stored; ++part) {
        if (plan_.is_live(j, part)) live.add(part_of(j) - low + part, 1);
      }
    }
    const std::uint32_t fresh = new_web(was, low, high - low, align);
    for (std::uint32_t j = k; j < end; ++j) {
      if (!mine(j)) continue;
      operand& o = p_.operands[j];
      const reg now(was.file, l_.webs[fresh].number + (part_of(j) - low));
      o.low = (o.low & ~0xffffffu) | now.packed;
      l_.web_of_operand[j] = fresh;
      count(fresh, o, b.weight);
    }
    if (again) {
      if (has_read) compute_again(b, at, old, fresh);
      return;
    }
    const piece_of where{old, fresh, low};
    access(b.weight, key_of(at, in_front), where, reads, reads, false);
    if (!ins.has(iflag::ends_block)) return access(b.weight, key_of(at, behind), where, writes, live, true);
    for (const cfg_edge& e : p_.edges_of(b)) {
      const block& to = p_[e.to];
      access(to.weight, key_of(to.first, block_start), where, writes, live, true);
    }
  }

  [[nodiscard]] static std::uint32_t alignment_of(std::uint32_t number, std::uint32_t width) {
    const std::uint32_t most = std::bit_ceil(width);
    return number == 0 ? most : std::min(most, number & (0u - number));
  }
  std::uint32_t new_web(const web& was, std::uint32_t part, std::uint32_t width, std::uint32_t align) {
    web w;
    w.file = was.file;
    w.width = static_cast<std::uint16_t>(width);
    w.alignment = static_cast<std::uint16_t>(align);
    w.original = was.original + part;
    w.phase = static_cast<std::uint16_t>(w.original & (align - 1u));
    std::uint32_t& next = l_.next_virtual[static_cast<std::size_t>(pressure_class_of(w.file))];
    w.number = next + ((w.phase - next) & (align - 1u));
    next = w.number + width;
    l_.webs.push_back(w);
    s_.state.push_back(web_state::short_lived);
    ++l_.fixed[0];
    return static_cast<std::uint32_t>(l_.webs.size() - 1);
  }
  void count(std::uint32_t w, operand o, double weight) {
    ++(o.is_def() ? l_.webs[w].defs : l_.webs[w].uses);
    l_.webs[w].weight += weight;
  }

  std::uint64_t key_of(std::uint32_t at, side where) { return std::uint64_t{at} << 34 | where << 32; }
  void put(std::uint64_t key, instr_id id) { ws_.insertions.push_back({key | ws_.insertions.size(), id}); }

  // A web in memory, the register that stands for a piece of it, and the first part that this holds.
  struct piece_of {
    std::uint32_t old, fresh, low;
  };
  // Loads or stores the parts of it that are in the set, in accesses that have one of those that matter.
  void access(double weight, std::uint64_t key, const piece_of& where, const part_set& set, const part_set& matter,
              bool store) {
    const web now = l_.webs[where.fresh];
    const std::int64_t word0 = plan_.offset[where.old] / std::int64_t{slot_word_bytes} + where.low;
    for (std::uint32_t at = 0; at < now.width;) {
      if (!set.has(at)) {
        ++at;
        continue;
      }
      std::uint32_t size = most_words_at_once;
      const auto fits = [&](std::uint32_t n) {
        for (std::uint32_t k = 0; k < n; ++k) {
          if (at + k >= now.width || !set.has(at + k)) return false;
        }
        return n <= now.alignment && ((now.phase + at) & (n - 1)) == 0 && ((word0 + at) & (std::int64_t{n} - 1)) == 0 &&
               n * slot_word_bytes <= space_.base_alignment;
      };
      while (size > 1 && !fits(size)) size /= 2;
      bool any = false;
      for (std::uint32_t k = at; k < at + size; ++k) any = any || matter.has(k);
      if (any) put(key, emit(weight, where, at, size, store));
      at += size;
    }
  }
  instr_id emit(double weight, const piece_of& where, std::uint32_t at, std::uint32_t size, bool store) {
    const std::uint32_t fresh = where.fresh;
    const bool local = space_.space == mem_space::local;
    const opcode op = store ? (local ? opcode::stl : opcode::sts) : (local ? opcode::ldl : opcode::lds);
    instruction i = isa::typed_instruction<>(op);
    i.space = space_.space;
    i.dir = store ? mem_dir::store : mem_dir::load;
    i.mem_bytes = static_cast<std::uint8_t>(size * slot_word_bytes);
    i.mem_offset =
        static_cast<std::int32_t>(plan_.offset[where.old] + std::int64_t{where.low + at} * std::int64_t{slot_word_bytes});
    i.first_operand = static_cast<std::uint32_t>(p_.operands.size());
    const reg data(l_.webs[fresh].file, l_.webs[fresh].number + at);
    if (!store) add(operand::def(data, slot::dst, size), fresh, weight);
    if (!space_.base.is_zero()) add(operand::use(space_.base, slot::address), base_web(), weight);
    if (store) add(operand::use(data, slot::data, size), fresh, weight);
    ++(store ? s_.stores : s_.reloads);
    return add(i, {store ? verify::allocated_as::spill : verify::allocated_as::refill, 0, {}});
  }
  void compute_again(const block& b, std::uint32_t at, std::uint32_t old, std::uint32_t fresh) {
    const std::uint32_t maker = plan_.made_by[old];
    instruction i = p_.instructions[maker];
    const std::uint32_t from = i.first_operand;
    i.first_operand = static_cast<std::uint32_t>(p_.operands.size());
    for (std::uint32_t k = from; k < from + i.operand_count; ++k) {
      operand o = p_.operands[k];
      if (!o.is_def() || !o.is_register()) {
        add(o, no_web, b.weight);
        continue;
      }
      o.low = (o.low & ~0xffffffu) | reg(l_.webs[fresh].file, l_.webs[fresh].number).packed;
      add(o, fresh, b.weight);
    }
    ++s_.recomputed;
    put(key_of(at, in_front), add(i, {verify::allocated_as::remat, 0, s_.map[maker].of}));
  }
  void add(operand o, std::uint32_t w, double weight) {
    p_.operands.push_back(o);
    l_.web_of_operand.push_back(w);
    if (w != no_web) count(w, o, weight);
  }
  instr_id add(instruction& i, verify::allocated_from from) {
    i.operand_count = static_cast<std::uint8_t>(p_.operands.size() - i.first_operand);
    p_.instructions.push_back(i);
    s_.map.push_back(from);
    s_.came_from.push_back({});
    return instr_id{static_cast<std::uint32_t>(p_.instructions.size() - 1)};
  }
  // The fixed web that the base register is in: the first one of the program, or a new one.
  std::uint32_t base_web() {
    if (base_web_ != no_web) return base_web_;
    const std::uint32_t n = space_.base.number();
    for (std::uint32_t w = 0; w < l_.webs.size(); ++w) {
      const web& one = l_.webs[w];
      if (!one.is_fixed() || one.file != reg_file::r || one.original > n || n - one.original >= one.width) continue;
      return base_web_ = w;
    }
    web w;
    w.file = reg_file::r;
    w.reason = fixed_reason::stack_pointer;
    w.reasons = static_cast<std::uint16_t>(1u << static_cast<unsigned>(w.reason));
    w.original = w.number = n;
    l_.webs.push_back(w);
    s_.state.push_back(web_state::whole);
    ++l_.fixed[static_cast<unsigned>(w.reason)];
    return base_web_ = static_cast<std::uint32_t>(l_.webs.size() - 1);
  }

  // Instructions whose result is computed again wherever it is read go, unless somebody names them as a place to go to.
  void find_deleted() {
    const auto named = [this](instr_id i) {
      if (i.index() < ws_.flags.size()) ws_.flags[i.index()] |= is_named;
    };
    for (const instruction& i : p_.instructions) named(i.target);
    for (const instr_id i : p_.table_targets) named(i);
    for (const instr_id i : p_.leaders) named(i);
    for (const function& f : p_.functions) named(f.entry);
    for (std::uint32_t w = 0; w < plan_.wish.size(); ++w) {
      if (plan_.wish[w] != spill_wish::recompute || (ws_.flags[plan_.made_by[w]] & is_named) != 0) continue;
      ws_.flags[plan_.made_by[w]] |= is_deleted;
      ++s_.deleted;
    }
  }
  [[nodiscard]] bool deleted(instr_id i) const { return (ws_.flags[i.index()] & is_deleted) != 0; }

  void put_in_order() {
    vec<spill_workspace::insertion>& list = ws_.insertions;
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    ws_.order.clear();
    std::size_t next = 0;
    const auto take = [&](std::uint64_t limit) {
      for (; next < list.size() && list[next].key < limit; ++next) ws_.order.push_back(list[next].id);
    };
    const auto count = static_cast<std::uint32_t>(p_.order.size());
    for (std::uint32_t at = 0; at < count; ++at) {
      ws_.group[at] = static_cast<std::uint32_t>(ws_.order.size());
      take(key_of(at, behind));
      if (!deleted(p_.order[at])) ws_.order.push_back(p_.order[at]);
      take(key_of(at + 1, block_start));
    }
    ws_.group[count] = static_cast<std::uint32_t>(ws_.order.size());
    for (block& b : p_.blocks) {
      const std::uint32_t end = ws_.group[b.first + b.count];
      b.first = ws_.group[b.first];
      b.count = end - b.first;
    }
    p_.order = ws_.order;
  }

  spilled_program& s_;
  program& p_;
  lifted_program& l_;
  const spill_space& space_;
  spill_workspace& ws_;
  spill_plan& plan_;
  std::uint32_t base_web_ = no_web;
};

}  // namespace detail

inline spill_result insert_spills(spilled_program& s, span<const std::uint32_t> to_memory,
                                  span<const std::uint32_t> to_recompute, const spill_space& space, spill_workspace& ws) {
  return detail::spill_inserter(s, space, ws).run(to_memory, to_recompute);
}

}  // namespace ww::regalloc
