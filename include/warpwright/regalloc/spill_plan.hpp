// SPDX-License-Identifier: BSL-1.0
//
// Which webs of a lifted program can be spilled or computed again, and where their slots are: everything that is decided before
// the program is touched (spill_code.hpp does that).
//
//   may be spilled   a web of general registers that is not fixed, was not made by spilling, and is read somewhere
//   recomputed       a web that is the whole result of one instruction without a guard that reads nothing but constants,
//                    immediates and zero registers and does nothing else: MOV and its like, ALU of constants, LDC c[][], loads
//                    that are marked as read-only. Special registers are not read again
//   live behind      a result that somebody reads later: others are not stored
//   at block ends    a result of an instruction that ends its block is stored at the start of each block behind, which must have
//                    no other predecessor
// A web that is asked for and cannot be done has its refusal; the others are done. Uniform registers are left alone: code that
// writes them must not stand where threads have parted. Linear but for the sorting of slots and for liveness.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../lift/lifted.hpp"
#include "../meta/span.hpp"
#include "../meta/vec.hpp"
#include "../pressure/liveness.hpp"
#include "spill_base.hpp"
#include "spill_slots.hpp"
#include "spill_space.hpp"

namespace ww::regalloc {

enum class spill_wish : std::uint8_t { none, memory, recompute };

// Can this instruction be computed again anywhere, with the same result?
[[nodiscard]] inline bool computes_constant(const program& p, const instruction& i) {
  if (i.dir != mem_dir::none && !(i.dir == mem_dir::load && i.has(iflag::readonly_mem))) return false;
  for (const iflag f :
       {iflag::guarded,       iflag::never,        iflag::branch,      iflag::call,        iflag::ret,
        iflag::exit,          iflag::ends_block,   iflag::fence,       iflag::unknown,     iflag::sync,
        iflag::convergence,   iflag::volatile_mem, iflag::pc_relative, iflag::reads_clock, iflag::side_effect,
        iflag::symbolic_mem,  iflag::reconverge,   iflag::arrives,     iflag::active_mask, iflag::block_fence,
        iflag::behind_barrier}) {
    if (i.has(f)) return false;
  }
  unsigned results = 0;
  for (const operand& o : p.operands_of(i)) {
    if (!o.is_register()) continue;
    if (!o.is_def() || o.is_partial()) return false;
    ++results;
  }
  return results == 1;
}

struct spill_plan {
  vec<spill_wish> wish;           // by web: what is done
  vec<spill_refusal> refusal;     // by web that was asked for
  vec<std::uint32_t> made_by;     // by web that is computed again: the instruction
  vec<std::int64_t> offset;       // by web in memory: bytes from the base to its first word
  vec<std::uint8_t> live_behind;  // by operand: a result of such a web of which some register is read later
  vec<std::uint32_t> first_live;  // by such operand: where its registers stand in live_parts
  vec<std::uint8_t> live_parts;
  std::int64_t frame_end = 0;
  std::uint32_t slots = 0;
  base_versions versions;

  // `state` by web. Webs out of range are passed over, webs asked for twice are computed again.
  void make(const lifted_program& l, span<const web_state> state, span<const std::uint32_t> to_memory,
            span<const std::uint32_t> to_recompute, const spill_space& space) {
    l_ = &l;
    wish.assign(l.webs.size(), spill_wish::none);
    refusal.assign(l.webs.size(), spill_refusal::none);
    made_by.assign(l.webs.size(), none);
    offset.assign(l.webs.size(), 0);
    version_.assign(l.webs.size(), none);
    live_behind.assign(l.code.operands.size(), 0);
    first_live.assign(l.code.operands.size(), 0);
    live_parts.clear();
    for (const std::uint32_t w : to_memory) ask(w, state, spill_wish::memory);
    for (const std::uint32_t w : to_recompute) ask(w, state, spill_wish::recompute);
    live_.compute(l.code, l.physical);
    find_makers();
    find_live();
    versions.compute(l.code, space.base);
    for (const block& b : l.code.blocks) check_block(b);
    lay_out(space);
  }
  [[nodiscard]] bool does(std::uint32_t w, spill_wish what) const { return w < wish.size() && wish[w] == what; }
  // Is register `part` of the result that is operand k read later?
  [[nodiscard]] bool is_live(std::uint32_t k, std::uint32_t part) const {
    return live_behind[k] != 0 && live_parts[first_live[k] + part] != 0;
  }
  [[nodiscard]] spill_wish wish_of_operand(std::uint32_t k) const {
    const std::uint32_t w = l_->web_of_operand[k];
    return w < wish.size() ? wish[w] : spill_wish::none;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  void ask(std::uint32_t w, span<const web_state> state, spill_wish what) {
    if (w >= wish.size()) return;
    const web& one = l_->webs[w];
    refusal[w] = one.is_fixed()                                      ? spill_refusal::fixed
                 : one.file != reg_file::r                           ? spill_refusal::not_general
                 : w >= state.size() || state[w] != web_state::whole ? spill_refusal::not_whole
                 : one.uses == 0                                     ? spill_refusal::never_read
                 : what == spill_wish::recompute && one.defs != 1    ? spill_refusal::not_constant
                                                                     : spill_refusal::none;
    wish[w] = refusal[w] == spill_refusal::none ? what : spill_wish::none;
  }
  void refuse(std::uint32_t w, spill_refusal why) {
    wish[w] = spill_wish::none;
    refusal[w] = why;
  }

  template <class F>
  void each_operand(const instruction& i, F&& f) {
    for (std::uint32_t k = i.first_operand; k < i.first_operand + i.operand_count; ++k) {
      if (wish_of_operand(k) != spill_wish::none) f(k, l_->code.operands[k], l_->web_of_operand[k]);
    }
  }

  void find_makers() {
    for (const block& b : l_->code.blocks) {
      for (const instr_id id : l_->code.order_of(b)) {
        each_operand(l_->code[id], [&](std::uint32_t, operand o, std::uint32_t w) {
          if (!o.is_def() || wish[w] != spill_wish::recompute) return;
          const bool whole = o.base().number() == l_->webs[w].number && o.width() == l_->webs[w].width;
          if (whole && computes_constant(l_->code, l_->code[id])) made_by[w] = id.index();
        });
      }
    }
    for (std::uint32_t w = 0; w < wish.size(); ++w) {
      if (wish[w] == spill_wish::recompute && made_by[w] == none) refuse(w, spill_refusal::not_constant);
    }
  }

  // From where to where each web is live, and which results are read later.
  void find_live() {
    range_of_.assign(wish.size(), none);
    ranges_.clear();
    web_of_bit_.assign(std::size_t{live_.layout.words()} * 64, none);
    for (std::uint32_t w = 0; w < wish.size(); ++w) {
      if (wish[w] != spill_wish::memory) continue;
      const web& one = l_->webs[w];
      slot_range r;
      r.first = none;
      r.owner = w;
      r.width = one.width;
      r.alignment = std::min<std::uint32_t>(one.alignment, most_words_at_once);
      r.phase = one.phase & (r.alignment - 1);
      range_of_[w] = static_cast<std::uint32_t>(ranges_.size());
      ranges_.push_back(r);
      std::uint32_t bit = 0;
      const std::uint32_t bits = live_.layout.bits_of(reg(one.file, one.number), one.width, bit);
      for (std::uint32_t k = 0; k < bits; ++k) web_of_bit_[bit + k] = w;
    }
    for (std::uint32_t b = 0; b < l_->code.blocks.size(); ++b) {
      const block& blk = l_->code.blocks[b];
      if (blk.count == 0) continue;
      const auto out = live_.live_out(block_id{b});
      extend(live_.live_in(block_id{b}), blk.first);
      extend(out, blk.first + blk.count - 1);
      row_.assign(out.begin(), out.end());
      for (std::uint32_t at = blk.first + blk.count; at-- > blk.first;) {
        const instruction& i = l_->code[l_->code.order[at]];
        each_operand(i, [&](std::uint32_t k, operand o, std::uint32_t w) {
          if (wish[w] != spill_wish::memory) return;
          extend(w, at);
          if (!o.is_def()) return;
          first_live[k] = static_cast<std::uint32_t>(live_parts.size());
          live_.each_bit(o, [&](std::uint32_t bit) {
            const bool live = (row_[bit >> 6] >> (bit & 63u) & 1u) != 0;
            live_parts.push_back(live ? 1 : 0);
            if (live) live_behind[k] = 1;
          });
        });
        live_.step(l_->code, i, row_.data());
      }
    }
  }
  void extend(std::uint32_t w, std::uint32_t at) {
    slot_range& r = ranges_[range_of_[w]];
    r.first = std::min(r.first, at);
    r.last = std::max(r.last, at);
  }
  void extend(span<const std::uint64_t> set, std::uint32_t at) {
    for (std::uint32_t k = 0; k < set.size(); ++k) {
      for (std::uint64_t rest = set[k]; rest != 0; rest &= rest - 1) {
        const std::uint32_t w = web_of_bit_[k * 64 + static_cast<std::uint32_t>(meta::countr_zero(rest))];
        if (w != none) extend(w, at);
      }
    }
  }

  // What stands in the way at the places where code would have to stand.
  void check_block(const block& b) {
    const program& p = l_->code;
    const auto index = static_cast<std::size_t>(&b - p.blocks.data());
    std::uint32_t version = versions.at_start[index];
    const span<const instr_id> order = p.order_of(b);
    for (std::size_t at = 0; at < order.size(); ++at) {
      const instruction& i = p[order[at]];
      const bool next_waits = at + 1 < order.size() && p[order[at + 1]].has(iflag::behind_barrier);
      const std::uint32_t behind = versions.writes(p, order[at]) ? order[at].index() : version;
      each_operand(i, [&](std::uint32_t k, operand o, std::uint32_t w) {
        const bool in_memory = wish[w] == spill_wish::memory;
        const bool keeps = o.is_def() && (o.is_partial() || i.has(iflag::guarded));
        const bool stored = in_memory && o.is_def() && live_behind[k] != 0;
        if ((o.is_use() || (stored && keeps))) {
          if (i.has(iflag::behind_barrier)) return refuse(w, spill_refusal::behind_barrier);
          if (in_memory && !same_version(w, version)) return refuse(w, spill_refusal::base_differs);
        }
        if (!stored) return;
        if (next_waits) return refuse(w, spill_refusal::behind_barrier);
        if (!same_version(w, behind)) return refuse(w, spill_refusal::base_differs);
        if (i.has(iflag::ends_block) && !stores_behind(b)) refuse(w, spill_refusal::at_block_end);
      });
      version = behind;
    }
  }
  bool same_version(std::uint32_t w, std::uint32_t version) {
    if (version_[w] == none) version_[w] = version;
    if (version == base_versions::none || version_[w] != version) return false;
    const block_id met = base_versions::met_at(version);
    return !met.valid() || !is_live_at(w, met);
  }
  [[nodiscard]] bool is_live_at(std::uint32_t w, block_id b) const {
    std::uint32_t bit = 0;
    const std::uint32_t bits = live_.layout.bits_of(reg(l_->webs[w].file, l_->webs[w].number), l_->webs[w].width, bit);
    for (const std::uint32_t end = bit + bits; bit < end; ++bit) {
      if ((live_.live_in(b)[bit >> 6] >> (bit & 63u) & 1u) != 0) return true;
    }
    return false;
  }
  [[nodiscard]] bool stores_behind(const block& b) const {
    const program& p = l_->code;
    for (const cfg_edge& e : p.edges_of(b)) {
      const block& to = p[e.to];
      if (e.kind == edge_kind::call || e.kind == edge_kind::ret || to.pred_count != 1 || to.entry || to.count == 0 ||
          p[p.order[to.first]].has(iflag::behind_barrier)) {
        return false;
      }
    }
    return true;
  }

  void lay_out(const spill_space& space) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < ranges_.size(); ++k) {
      if (wish[ranges_[k].owner] == spill_wish::memory) ranges_[kept++] = ranges_[k];
    }
    ranges_.resize(kept);
    const slot_layout all = lay_slots(ranges_, space.frame_base, slots_);
    slots = all.slots;
    frame_end = space.frame_base;
    const std::int64_t limit = std::int64_t{space.frame_base} + space.frame_limit;
    constexpr std::int64_t reach = 1 << 23;  // offsets of STL and LDL are signed and have 24 bits
    for (const slot_range& r : ranges_) {
      const std::int64_t end = r.offset + std::int64_t{r.width} * slot_word_bytes;
      if (end > limit || end > reach || r.offset < -reach) {
        refuse(r.owner, spill_refusal::frame_full);
        continue;
      }
      offset[r.owner] = r.offset;
      frame_end = std::max(frame_end, end);
    }
  }

  const lifted_program* l_ = nullptr;
  liveness live_;
  vec<std::uint64_t> row_;
  vec<std::uint32_t> web_of_bit_;
  vec<std::uint32_t> range_of_;  // by web
  vec<slot_range> ranges_;
  vec<std::uint32_t> version_;  // by web: of the base register at its accesses
  slot_space slots_;
};

}  // namespace ww::regalloc
