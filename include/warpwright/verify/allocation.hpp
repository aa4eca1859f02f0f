// SPDX-License-Identifier: BSL-1.0
//
// The check behind register allocation ("memcheck", FPA-10): does every operand still read what it read before?
//
//   verify::allocation_report r = verify::check_allocation(before, after, map);
//   if (!r.clean()) ... r.fault, or r.mismatches: the operand, one of ten errors, and the definitions that reach it
//
//   before, after   the program on virtual registers, and the one on physical registers: spills, refills, copies, packed
//                   predicates and recomputed values inserted, dead instructions and copies deleted. Both with blocks
//   map             one entry per instruction of `after` (allocation_map.hpp)
// For every register that an original instruction reads, the definitions that reach it are compared, and behind calls and
// branches into code that is not known every physical register that the program before names. What is computed again must
// read the same as what it stands for, and be the same. Then both programs are walked backwards together, which tells paths
// and iterations apart (allocation_paths.hpp). allocation_writer.hpp prints the answer.
// Not told apart: two calls of one function, and the order of memory accesses. A spill and its refill stand in one frame:
// one across a call that is followed, into a function that moves the stack pointer, is not recognised. Uniform predicates
// are not unpacked. Time: that of the data flow of both programs (reaching.hpp), then what allocation_paths.hpp says, and
// the operands whose sets differ. It allocates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../ir/program.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_compare.hpp"
#include "allocation_map.hpp"
#include "allocation_paths.hpp"
#include "allocation_report.hpp"
#include "allocation_shape.hpp"
#include "allocation_side.hpp"

namespace ww::verify {

struct allocation_options {
  bool memcheck = true;            // off: nothing is done
  span<const reg> preserved = {};  // physical registers that a call to unknown code leaves as they are
};

namespace detail {

class allocation_check {
 public:
  allocation_check(const program& before, const program& after, span<const allocated_from> map, const allocation_options& o,
                   allocation_report& out)
      : before_(before),
        after_(after),
        map_(map),
        out_(out),
        preserved_(o.preserved),
        compare_(x_, y_, pool_, o.preserved) {}

  void run() {
    build();
    compare_sets();
    compare_paths();
    std::stable_sort(out_.mismatches.begin(), out_.mismatches.end(),
                     [](const allocation_mismatch& a, const allocation_mismatch& b) {
                       return a.place != b.place ? a.place < b.place : a.operand < b.operand;
                     });
    for (std::size_t k = 0; k < out_.mismatches.size();) {
      bool old = true;
      const std::uint32_t place = out_.mismatches[k].place;
      for (; k < out_.mismatches.size() && out_.mismatches[k].place == place; ++k) old = old && out_.mismatches[k].old;
      ++out_.total;
      out_.old += old ? 1u : 0u;
    }
  }

 private:
  using verdict = allocation_compare::verdict;
  static constexpr std::uint32_t none = 0xffffffffu;

  void build() {
    x_.build_before(before_, slots_);
    y_.build_after(after_, map_, x_, slots_);
    slots_.number();
    x_.add_slots(before_, slots_);
    y_.add_slots(after_, slots_);
    x_.number_parts(nullptr);
    y_.number_parts(&x_);
    reported_.assign(y_.parts, 0);
    place_of_.assign(y_.code.instructions.size(), none);
    for (const block& b : y_.code.blocks) {
      for (std::uint32_t at = b.first; at < b.first + b.count; ++at) place_of_[y_.code.order[at].index()] = at;
    }
    for (const operand& o : before_.operands) {
      for (unsigned k = 0; k < o.width() && o.is_register(); ++k) {
        const reg r(o.file(), o.base().number() + k);
        if (!r.is_virtual()) named_.push_back(r.packed);
      }
    }
    std::sort(named_.begin(), named_.end());
    named_.erase(std::unique(named_.begin(), named_.end()), named_.end());
  }

  void compare_sets() {
    solve(true);
    for (const block& b : y_.code.blocks) {
      for (const instr_id i : y_.code.order_of(b)) {
        const allocated_from from = y_.role[i.index()];
        if (from.what == allocated_as::original) {
          compare_operands(i.index(), i.index(), true);
        } else if (from.what == allocated_as::remat) {
          compare_remat(i.index(), from.of.index());
        }
      }
    }
    compare_exits();
    if (guarded_.empty()) return;
    solve(false);
    for (const std::uint32_t n : guarded_) compare_operands(n, n, false);
  }
  void solve(bool tell_guards_apart) {
    x_.compute(pool_, tell_guards_apart);
    y_.compute(pool_, tell_guards_apart);
    compare_.start();
  }

  // Instruction `n` after, which is to read what `m` reads before. A predicate that was put aside is another value when it
  // comes back, so that guards are no longer told apart: what differs under a guard is compared again without that, and left
  // to the paths.
  void compare_operands(std::uint32_t m, std::uint32_t n, bool first_time) {
    const bool later = first_time && y_.code.instructions[n].has(iflag::guarded);
    const span<const operand> ops = y_.code.operands_of(instr_id{n});
    const span<const operand> was = x_.code.operands_of(instr_id{m});
    std::uint32_t x = x_.first_part[m];
    std::uint32_t y = y_.first_part[n];
    for (std::uint32_t k = 0; k < ops.size() && k < was.size(); ++k) {
      const operand o = ops[k];
      allocation_mismatch found;
      for (std::uint32_t w = 0; w < o.width(); ++w, ++x, ++y) {
        if (!o.is_use() || !o.is_register() || reported_[y] != 0) continue;
        out_.operands += first_time ? 1u : 0u;
        if (x_.relation.sets[x] == y_.relation.sets[y]) continue;
        out_.deep += first_time ? 1u : 0u;
        const reg is(o.file(), o.base().number() + w);
        const verdict v =
            compare_.deep(x_.relation.sets[x], reg(was[k].file(), was[k].base().number() + w), y_.relation.sets[y], is);
        if (v.code == allocation_error::none) continue;
        if (later) {
          if (guarded_.empty() || guarded_.back() != n) guarded_.push_back(n);
          continue;
        }
        note(found, v, n, is);
        if (m != n) remat_of(found, n);
      }
      if (found.code == allocation_error::none) continue;
      for (std::uint32_t w = 0; w < o.width(); ++w) reported_[y - o.width() + w] = 1;
      found.operand = static_cast<std::uint8_t>(k);
      close(found);
    }
  }
  void compare_remat(std::uint32_t n, std::uint32_t of) {
    if (!same_value(of, n)) {
      allocation_mismatch found;
      compare_.forget();
      note(found, {}, n, reg{reg_file::none, 0});
      remat_of(found, n);
      return close(found);
    }
    compare_operands(of, n, false);
  }
  // Can what `of` computes be computed again, and does `n` do that?
  [[nodiscard]] bool same_value(std::uint32_t of, std::uint32_t n) const {
    const instruction& i = x_.code.instructions[of];
    const bool constant = i.dir == mem_dir::none || (i.dir == mem_dir::load && i.has(iflag::readonly_mem));
    if (!constant ||
        has_any(i, {iflag::side_effect, iflag::volatile_mem, iflag::reads_clock, iflag::pc_relative, iflag::symbolic_mem})) {
      return false;
    }
    return same_but_registers(before_, before_[instr_id{of}], after_, after_[instr_id{y_.id_of[n]}]);
  }
  void remat_of(allocation_mismatch& m, std::uint32_t n) const {
    m.code = allocation_error::rematerialization;
    m.computes = y_.role[n].of;
    m.computed_by = instr_id{y_.id_of[n]};
  }

  // Registers that code behind an instruction may read, as the program before names them.
  void compare_exits() {
    const vec<reaching_relation::exit_read>& a = x_.relation.exits;
    const vec<reaching_relation::exit_read>& b = y_.relation.exits;
    for (std::size_t l = 0, r = 0; l < a.size() || r < b.size();) {
      const bool left = r == b.size() || (l < a.size() && !b[r].before(a[l]));
      const bool right = l == a.size() || (r < b.size() && !a[l].before(b[r]));
      const reaching_relation::exit_read& where = left ? a[l] : b[r];
      const definition_sets::key was = left ? a[l].set : reaching_relation::from_entry | where.name;
      const definition_sets::key is = right ? b[r].set : reaching_relation::from_entry | where.name;
      l += left ? 1 : 0;
      r += right ? 1 : 0;
      if (was == is || !std::binary_search(named_.begin(), named_.end(), where.name)) continue;
      const reg name = reg::from_packed(where.name);
      const verdict v = compare_.deep(was, name, is, name);
      if (v.code == allocation_error::none) continue;
      allocation_mismatch found;
      found.operand = allocation_mismatch::at_exit;
      note(found, v, where.last.index(), name);
      exits_.push_back(std::uint64_t{where.last.index()} << 32 | where.name);
      close(found);
    }
  }

  // What the sets do not tell.
  void compare_paths() {
    allocation_paths paths(x_, y_, slots_, named_, preserved_);
    paths.run();
    for (const allocation_demand& d : paths.failed) {
      if ((d.origin & allocation_demand::at_exit) != 0) {
        const std::uint32_t n = d.origin & ~allocation_demand::at_exit;
        if (std::binary_search(exits_.begin(), exits_.end(), std::uint64_t{n} << 32 | d.name)) continue;
        path_mismatch(d, n, allocation_mismatch::at_exit, reg::from_packed(d.name));
        continue;
      }
      if (reported_[d.origin] != 0) continue;
      reported_[d.origin] = 1;
      const allocation_side::place_of_part at = y_.locate(d.origin);
      const operand o = y_.code.operands_of(instr_id{at.number})[at.operand];
      for (std::uint32_t w = 0; w < o.width(); ++w) reported_[d.origin - at.word + w] = 1;
      path_mismatch(d, at.number, at.operand, reg(o.file(), o.base().number() + at.word));
    }
  }
  void path_mismatch(const allocation_demand& d, std::uint32_t n, std::uint32_t operand, reg name) {
    const allocated_from from = y_.role[n];
    const std::uint32_t m = from.what == allocated_as::remat ? from.of.index() : n;
    verdict v;
    if (operand != allocation_mismatch::at_exit) {
      const reg was = reg::from_packed(d.name);
      const std::uint32_t word = d.origin - y_.part_of(n, operand);
      v = compare_.deep(x_.relation.sets[x_.part_of(m, operand, word)], was, y_.relation.sets[d.origin], name);
    } else {
      compare_.forget();
    }
    v.code = d.routes.empty() ? allocation_error::extra_definitions : d.routes.lowest();
    v.remat = from.what == allocated_as::remat ? n : d.remat;
    allocation_mismatch found;
    found.operand = static_cast<std::uint8_t>(operand);
    found.by_path = true;
    note(found, v, n, name);
    if (from.what == allocated_as::remat) remat_of(found, n);
    close(found);
  }

  // One register of an operand is wrong: the lowest error of an operand counts.
  void note(allocation_mismatch& m, const verdict& v, std::uint32_t n, reg name) {
    const bool first = m.code == allocation_error::none;
    m.old = (first || m.old) && v.old;
    m.mixed_size = m.mixed_size || v.mixed_size;
    m.instruction = instr_id{y_.id_of[n]};
    m.place = place_of_[n];
    if (first || v.code < m.code) {
      m.code = v.code;
      m.name = name;
      if (v.code == allocation_error::rematerialization) remat_of(m, v.remat);
    }
    for (const allocation_compare::element& e : compare_.before_elements) add_producer(before_list_, x_, e);
    for (const allocation_compare::element& e : compare_.after_elements) add_producer(after_list_, y_, e);
  }
  void add_producer(vec<allocation_producer>& list, const allocation_side& side,
                    const allocation_compare::element& e) const {
    allocation_producer p;
    if ((e.is & reaching_relation::from_entry) != 0) {
      p.from = allocation_producer::kind::entry;
      p.name = reg::from_packed(e.is);
    } else if ((e.is & reaching_relation::from_outside) != 0) {
      p.from = allocation_producer::kind::outside;
      p.def = instr_id{side.id_of[e.is & ~reaching_relation::from_outside]};
    } else {
      const allocation_side::place_of_part at = side.locate(e.is);
      p.def = instr_id{side.id_of[at.number]};
      p.operand = static_cast<std::uint8_t>(at.operand);
    }
    p.changed = e.changed;
    p.benign = e.benign;
    for (allocation_producer& other : list) {
      if (other.from != p.from || other.def != p.def || other.operand != p.operand) continue;
      if (p.from == allocation_producer::kind::entry && other.name != p.name) continue;
      other.changed = other.changed || p.changed;
      other.benign = other.benign && p.benign;
      return;
    }
    list.push_back(p);
  }
  void close(allocation_mismatch& m) {
    m.first_producer = static_cast<std::uint32_t>(out_.producers.size());
    m.before_count = static_cast<std::uint32_t>(before_list_.size());
    m.after_count = static_cast<std::uint32_t>(after_list_.size());
    out_.producers.insert(out_.producers.end(), before_list_.begin(), before_list_.end());
    out_.producers.insert(out_.producers.end(), after_list_.begin(), after_list_.end());
    before_list_.clear();
    after_list_.clear();
    out_.mismatches.push_back(m);
  }

  const program& before_;
  const program& after_;
  span<const allocated_from> map_;
  allocation_report& out_;
  span<const reg> preserved_;
  allocation_side x_, y_;
  definition_sets pool_;
  allocation_compare compare_;
  frame_slots slots_;
  vec<std::uint64_t> exits_;     // reported; sorted, since exits are
  vec<std::uint32_t> named_;     // physical registers of the program before
  vec<std::uint8_t> reported_;   // by part
  vec<std::uint32_t> place_of_;  // by number
  vec<std::uint32_t> guarded_;   // instructions to compare again
  vec<allocation_producer> before_list_, after_list_;
};

}  // namespace detail

[[nodiscard]] inline allocation_report check_allocation(const program& before, const program& after,
                                                        span<const allocated_from> map, const allocation_options& o = {}) {
  allocation_report r;
  if (!o.memcheck) return r;
  detail::allocation_shape shape;
  r.fault = shape.check(before, after, map, r.at);
  if (r.fault != allocation_fault::none) return r;
  r.ran = true;
  detail::allocation_check(before, after, map, o, r).run();
  return r;
}

}  // namespace ww::verify
