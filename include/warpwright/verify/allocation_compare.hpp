// SPDX-License-Identifier: BSL-1.0
//
// Compares the definitions that reach one register of one operand before and after an allocation, and says what is wrong.
//
//   fast     the sets are equal: one comparison of two numbers
//   deep     every definition is followed to its roots (allocation_chains.hpp). The operand is right if the roots are equal
//   extra    a root that is none before: 5 if it is what stood in a register at an entry, else the error of the route to it
//            (1, 3, 4, 7), else 6
//   lost     a root before that is none after. If nothing else is wrong: the error of the routes of what was added, else 10
// An operand that nothing defined on some path before may read anything at all from an entry or an empty slot; but an extra
// definition is an error there too, since sets do not tell on which path it comes. Roots are compared first as they are,
// then through all copies.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../meta/algorithm.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "allocation_chains.hpp"
#include "allocation_side.hpp"
#include "definition_sets.hpp"

namespace ww::verify::detail {

class allocation_compare {
 public:
  struct verdict {
    allocation_error code = allocation_error::none;
    bool old = false;         // nothing reached it before either
    bool mixed_size = false;  // an extra definition writes a part of the register
    std::uint32_t remat = allocation_chains::none;
  };
  // What became of each element of the two sets.
  struct element {
    std::uint32_t is = 0;
    bool changed = false;
    bool benign = true;
  };
  vec<element> before_elements, after_elements;  // of the last comparison that was deep

  allocation_compare(const allocation_side& before, const allocation_side& after, const definition_sets& pool,
                     span<const reg> preserved)
      : before_(before), after_(after), pool_(pool), preserved_(preserved) {}
  // After the data flow of both programs was computed.
  void start() {
    nothing_.assign(after_.code.instructions.size(), 0);
    deleted_.assign(before_.code.instructions.size(), 0);
    for (std::size_t n = 0; n < deleted_.size(); ++n) deleted_[n] = after_.placed[n] != 0 ? 0 : 1;
    chains_before_.start(before_, pool_, deleted_);
    chains_after_.start(after_, pool_, nothing_);
  }

  void forget() {
    before_elements.clear();
    after_elements.clear();
  }

  // `x` of the register `of_x` before, `y` of `of_y` after.
  verdict deep(definition_sets::key x, reg of_x, definition_sets::key y, reg of_y) {
    const vec<std::uint32_t> left = elements(x, of_x);
    const vec<std::uint32_t> right = elements(y, of_y);
    verdict v = once(left, right, false);
    if (v.code != allocation_error::none) {
      const verdict through = once(left, right, true);
      if (through.code == allocation_error::none) return through;
      v = once(left, right, false);
    }
    return v;
  }

 private:
  using relation = reaching_relation;

  [[nodiscard]] vec<std::uint32_t> elements(definition_sets::key k, reg of) const {
    vec<std::uint32_t> list = pool_.elements(k);
    if (std::find(preserved_.begin(), preserved_.end(), of) == preserved_.end()) return list;
    vec<std::uint32_t> kept;
    for (const std::uint32_t e : list) {
      if ((e & (relation::from_entry | relation::from_outside)) != relation::from_outside) kept.push_back(e);
    }
    return kept;
  }
  static bool is_entry(std::uint32_t e) { return (e & relation::from_entry) != 0; }
  static reg entry_of(std::uint32_t e) { return reg::from_packed(e); }
  // Nothing has defined it: what stood in a register that does not exist before the allocation.
  static bool is_undefined(std::uint32_t e) {
    return is_entry(e) && entry_of(e).is_virtual() && !frame_slots::is_slot(entry_of(e));
  }

  static void unique(vec<std::uint32_t>& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  static bool has(const vec<std::uint32_t>& sorted, std::uint32_t e) {
    return std::binary_search(sorted.begin(), sorted.end(), e);
  }

  verdict once(const vec<std::uint32_t>& left, const vec<std::uint32_t>& right, bool through) {
    verdict v;
    roots_before_.clear();
    before_elements.clear();
    for (const std::uint32_t e : left) {
      chains_before_.walk(e, through);
      roots_before_.insert(roots_before_.end(), chains_before_.roots.begin(), chains_before_.roots.end());
    }
    unique(roots_before_);
    bool undefined = false;
    bool defined = false;
    for (const std::uint32_t r : roots_before_) (is_undefined(r) ? undefined : defined) = true;
    v.old = !defined;
    roots_after_.clear();
    after_elements.clear();
    error_set errors;
    error_set routes;  // of what was added
    for (const std::uint32_t e : right) {
      chains_after_.walk(e, through);
      const bool added = !has(left, e);
      const error_set found = errors_of(e, undefined, v);
      errors.add(found);
      if (added) routes.add(chains_after_.routes);
      if (chains_after_.remat != allocation_chains::none) v.remat = chains_after_.remat;
      roots_after_.insert(roots_after_.end(), chains_after_.roots.begin(), chains_after_.roots.end());
      after_elements.push_back({e, added, found.empty()});
    }
    unique(roots_after_);
    bool lost = false;
    for (const std::uint32_t r : roots_before_) lost = lost || (!is_undefined(r) && !has(roots_after_, r));
    if (lost && errors.empty()) errors.add(routes);
    if (lost && errors.empty()) errors.add(allocation_error::lost_definitions);
    for (const std::uint32_t e : left) {
      chains_before_.walk(e, through);
      bool kept = true;
      for (const std::uint32_t r : chains_before_.roots) kept = kept && (is_undefined(r) || has(roots_after_, r));
      before_elements.push_back({e, !has(right, e), kept});
    }
    v.code = errors.lowest();
    return v;
  }
  // Of the walk that was just made, from `start`.
  error_set errors_of(std::uint32_t start, bool undefined, verdict& v) const {
    error_set found = chains_after_.faults;
    if (!undefined) found.add(chains_after_.empty);
    for (const std::uint32_t r : chains_after_.roots) {
      if (has(roots_before_, r)) continue;
      if (is_entry(r) && !frame_slots::is_slot(entry_of(r))) {
        if (!undefined) found.add(allocation_error::uninitialised);
      } else if (!chains_after_.routes.empty()) {
        found.add(chains_after_.routes.lowest());
      } else {
        found.add(allocation_error::extra_definitions);
        v.mixed_size = v.mixed_size || narrow(start);
      }
    }
    return found;
  }
  // Does that definition write less than the register?
  [[nodiscard]] bool narrow(std::uint32_t e) const {
    if ((e & (relation::from_entry | relation::from_outside)) != 0) return false;
    const allocation_side::place_of_part at = after_.locate(e);
    const instruction& i = after_.code.instructions[at.number];
    const operand o = after_.code.operands_of(instr_id{at.number})[at.operand];
    const bool half = o.is_half() || (o.is_partial() && !i.has(iflag::guarded));
    return half || (i.dir == mem_dir::load && i.mem_bytes != 0 && i.mem_bytes < frame_access::word_bytes);
  }

  const allocation_side& before_;
  const allocation_side& after_;
  const definition_sets& pool_;
  span<const reg> preserved_;
  allocation_chains chains_before_, chains_after_;
  vec<std::uint8_t> deleted_, nothing_;  // by number
  vec<std::uint32_t> roots_before_, roots_after_;
};

}  // namespace ww::verify::detail
