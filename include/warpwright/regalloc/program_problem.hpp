// SPDX-License-Identifier: BSL-1.0
//
// From a lifted program to allocation problems, one for each register file, and back (FPA-3).
//
//   program_problems t;
//   program_problem_space space;
//   build_problems(l, t, space);                    // or build_problem(l, pressure_class::r, p, map, space)
//   ... allocate t.of[0] to t.of[3] ...
//   vec<std::uint32_t> where;
//   if (assignment_of(l, t, where)) lower(l, where)
//
//   register      one per web, in the order of webs. Spill cost is the web's weight. A fixed web is pre-assigned
//   constraints   of webs that are not fixed: 0 point and 32 part_point against webs (web_interference.hpp), 1 exclude_one and
//                 32 part_point against physical registers. Of fixed webs: 2 exclude_all_but. What holds between two webs stands
//                 with both. Wishes, where options ask for them (program_wishes.hpp): 15 range between the webs of a copy, 33
//                 other_bank between narrow sources of one instruction, 34 apart between webs that follow each other closely
//   file          registers 0 to `registers` - 1 of the file; R1 is reserved
// The order is the present one. What another holds only in part may share a tuple's other registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../isa/opcode.hpp"
#include "../lift/lifted.hpp"
#include "../meta/array.hpp"
#include "../meta/bits.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "constraint_kinds.hpp"
#include "problem.hpp"
#include "program_wishes.hpp"
#include "web_interference.hpp"

namespace ww::regalloc {

struct program_problem_options {
  array<std::uint32_t, pressure_class_count> registers{};  // that may be used, by class; 0: as many as the file has
  bool keep_stack_pointer = true;                          // nothing but R1 itself goes to R1
  std::int32_t copy_weight = 0;                            // of the wish that both ends of a copy have one place
  std::int32_t bank_weight = 0;                            // of the wish that sources of one instruction differ in parity
  std::int32_t apart_weight = 0;  // of the wish that webs do not follow each other closely in a register
};

// Which register of which problem a web is, and back.
struct program_map {
  vec<std::uint32_t> register_of_web;                               // number in the problem of the web's class
  array<vec<std::uint32_t>, pressure_class_count> web_of_register;  // by class
};

struct program_problems {
  array<problem, pressure_class_count> of;
  array<std::uint32_t, pressure_class_count>
      peak{};  // registers live at once, of those that may be used; more than may be used: there is no answer
  program_map map;
};

struct program_problem_space {
  liveness live;
  web_interference meetings;
  wish_space wishes;
  vec<std::uint32_t> holder_of_web;
  vec<std::uint32_t> register_of_holder;
};

// R0..R254, P0..P6, UP0..UP6; UR0..UR62, and UR0..UR254 where the program or the options name more.
[[nodiscard]] inline std::uint32_t hardware_limit_of(pressure_class c, std::uint32_t named) {
  switch (c) {
    case pressure_class::p:
    case pressure_class::up:
      return 7;
    case pressure_class::ur:
      return named <= 63 ? 63 : 255;
    default:
      return 255;
  }
}

namespace detail {

class program_problem_maker {
 public:
  program_problem_maker(const lifted_program& l, pressure_class c, problem& p, program_map& map, program_problem_space& s,
                        const program_problem_options& o)
      : l_(l), class_(c), p_(p), map_(map), s_(s), o_(o) {}

  // s.live is that of the program in its present order.
  void run() {
    make_file();
    make_registers();
    s_.meetings.build(l_, class_, s_.live, {s_.holder_of_web.data(), s_.holder_of_web.size()}, holders_,
                      p_.file.max_slot + 1);
    p_.constraints.clear();
    p_.first_constraint.assign(p_.registers.size() + 1, 0);
    make_wishes();
    for (std::uint32_t r = 0; r < p_.registers.size(); ++r) {
      const std::uint32_t w = map_.web_of_register[index()][r];
      if (l_.webs[w].is_fixed()) {
        p_.constraints.push_back({l_.webs[w].original, 1, exclude_all_but::type, false, true});
      } else {
        make_hard(r, s_.holder_of_web[w]);
        s_.wishes.each_of(r, [&](const constraint& c) { p_.constraints.push_back(c); });
      }
      p_.first_constraint[r + 1] = static_cast<std::uint32_t>(p_.constraints.size());
    }
  }

 private:
  [[nodiscard]] std::size_t index() const { return static_cast<std::size_t>(class_); }

  void make_file() {
    const std::uint32_t asked = o_.registers[index()];
    const std::uint32_t named = l_.physical[index()];
    p_.file = register_file{};
    p_.file.hardware_limit = hardware_limit_of(class_, asked > named ? asked : named);
    const std::uint32_t limit = p_.file.hardware_limit;
    const std::uint32_t most = asked == 0 ? (named == 0 ? 1 : named) : asked;
    p_.file.max_slot = (most < limit ? most : limit) - 1;
    p_.file.class_limit = p_.file.max_slot;
    p_.file.reg_class = static_cast<std::uint8_t>(class_);
    if (class_ == pressure_class::r && o_.keep_stack_pointer) p_.file.reserved.push_back(1);
  }

  void make_registers() {
    p_.registers.clear();
    p_.candidates.clear();
    vec<std::uint32_t>& webs = map_.web_of_register[index()];
    webs.clear();
    map_.register_of_web.resize(l_.webs.size(), no_register);
    s_.holder_of_web.assign(l_.webs.size(), web_interference::no_holder);
    s_.register_of_holder.clear();
    holders_ = 0;
    for (std::uint32_t w = 0; w < l_.webs.size(); ++w) {
      const web& one = l_.webs[w];
      if (pressure_class_of(one.file) != class_) continue;
      const auto r = static_cast<std::uint32_t>(p_.registers.size());
      map_.register_of_web[w] = r;
      webs.push_back(w);
      allocatable a;
      a.width = one.width;
      a.reg_class = static_cast<std::uint8_t>(class_);
      a.spill_cost = one.weight;
      a.set(register_flag::exact_width);
      if (one.is_fixed()) {
        a.physical = static_cast<std::int32_t>(one.original);
        a.set(register_flag::pre_assigned);
      } else {
        a.alignment_log2 = static_cast<std::uint8_t>(meta::countr_zero(std::uint32_t{one.alignment}));
        a.phase = one.phase;
        s_.holder_of_web[w] = holders_++;
        s_.register_of_holder.push_back(r);
      }
      p_.registers.push_back(a);
    }
  }

  void make_hard(std::uint32_t r, std::uint32_t holder) {
    const std::int32_t own = p_.registers[r].width;
    s_.meetings.each_target(holder, [&](std::uint32_t target, std::uint64_t distances) {
      const bool physical = target >= holders_;
      const std::uint32_t id = physical ? target - holders_ : s_.register_of_holder[target];
      const std::int32_t other = physical ? 1 : p_.registers[id].width;
      const std::int32_t count = own + other - 1;
      if (count >= 63 || distances == (std::uint64_t{1} << count) - 1) {
        p_.constraints.push_back({id, 1, physical ? exclude_one::type : point::type, false, physical});
        return;
      }
      for (std::int32_t k = 0; distances != 0;) {
        const std::int32_t skip = static_cast<std::int32_t>(meta::countr_zero(distances));
        distances >>= skip;
        const std::int32_t run = static_cast<std::int32_t>(meta::countr_zero(~distances));
        distances >>= run;
        k += skip;
        p_.constraints.push_back({id, 1, part_point::type, false, physical, static_cast<std::int16_t>(k + 1 - own),
                                  static_cast<std::int16_t>(k + run - own)});
        k += run;
      }
    });
  }

  void make_wishes() {
    s_.wishes.clear();
    if (o_.copy_weight <= 0 && o_.bank_weight <= 0 && o_.apart_weight <= 0) return;
    wish_weights weights{o_.copy_weight, o_.bank_weight, o_.apart_weight};
    s_.wishes.collect(l_, class_, s_.live, {map_.register_of_web.data(), map_.register_of_web.size()}, weights,
                      p_.registers.size());
  }

  const lifted_program& l_;
  pressure_class class_;
  problem& p_;
  program_map& map_;
  program_problem_space& s_;
  const program_problem_options& o_;
  std::uint32_t holders_ = 0;
};

}  // namespace detail

// The problem of one file. Of `map` only what belongs to the class is written.
inline void build_problem(const lifted_program& l, pressure_class c, problem& p, program_map& map,
                          program_problem_space& space, const program_problem_options& options = {}) {
  space.live.compute(l.code, l.physical);
  detail::program_problem_maker(l, c, p, map, space, options).run();
}

// All four.
inline void build_problems(const lifted_program& l, program_problems& t, program_problem_space& space,
                           const program_problem_options& options = {}) {
  space.live.compute(l.code, l.physical);
  t.map.register_of_web.assign(l.webs.size(), no_register);
  for (std::size_t c = 0; c < pressure_class_count; ++c) {
    detail::program_problem_maker(l, static_cast<pressure_class>(c), t.of[c], t.map, space, options).run();
    t.peak[c] = space.meetings.peak();
  }
}

// The first register of every web, for lower(). False where a web has no place within the budget; its entry is then the place
// beyond it, or no_register.
[[nodiscard]] inline bool assignment_of(const lifted_program& l, span<const problem> by_class, const program_map& map,
                                        vec<std::uint32_t>& where) {
  where.assign(l.webs.size(), no_register);
  bool all = map.register_of_web.size() == l.webs.size();
  for (std::size_t w = 0; w < l.webs.size(); ++w) {
    if (l.webs[w].is_fixed()) {
      where[w] = l.webs[w].original;
      continue;
    }
    const auto c = static_cast<std::size_t>(pressure_class_of(l.webs[w].file));
    const std::uint32_t r = w < map.register_of_web.size() ? map.register_of_web[w] : no_register;
    if (c >= by_class.size() || r >= by_class[c].registers.size()) {
      all = false;
      continue;
    }
    const allocatable& a = by_class[c].registers[r];
    if (a.physical >= 0) where[w] = static_cast<std::uint32_t>(a.physical);
    all = all && a.physical >= 0 && !a.has(register_flag::needs_spill);
  }
  return all;
}
[[nodiscard]] inline bool assignment_of(const lifted_program& l, const program_problems& t, vec<std::uint32_t>& where) {
  return assignment_of(l, {t.of.data(), t.of.size()}, t.map, where);
}

}  // namespace ww::regalloc
