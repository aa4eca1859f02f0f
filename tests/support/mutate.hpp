// SPDX-License-Identifier: BSL-1.0
//
// Planted bugs: small edits of the control fields or the order of a real program, from a seed, that can be taken back.
//
//   mutator m(program, seed);
//   edit e;
//   if (m.plant(bug::dropped_wait, e)) { e.apply(program); ... e.revert(program); }
//
// Every kind of bug picks a random site at which the edit makes a difference to the bits. Whether it makes one to
// the meaning is for an oracle to say: a wait that a later wait makes redundant can be dropped. `certain()` names the kinds
// that are wrong wherever they are planted. Edits of kind `harmless_*` keep a legal program legal.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "null_exchange.hpp"
#include "warpwright/ir/program.hpp"
#include "warpwright/isa/opcode_id.hpp"
#include "warpwright/isa/sched_class.hpp"

namespace ww_test {

enum class bug : std::uint8_t {
  dropped_wait,
  dropped_write_barrier,
  dropped_read_barrier,
  short_stall,
  swap_moving,    // dependent neighbours exchanged, each keeping its control fields
  swap_in_place,  // exchanged, the control fields staying where they were
  index_six,
  other_index,  // write or read barrier moved to another counter
  other_wait,   // wait bit moved to another counter
  undefined_code,
  barriers_exchanged,  // write and read barrier fields exchanged
  depbar_count,
  back_edge,    // a stall shortened by one or a wait dropped next to a back edge
  stale_reuse,  // a reuse flag across a write of the register
  reserved_bit,
  harmless_longer_stall,
  harmless_extra_wait,
  harmless_yield,
  count
};
inline constexpr unsigned bug_count = static_cast<unsigned>(bug::count);
inline constexpr unsigned harmful_count = static_cast<unsigned>(bug::harmless_longer_stall);

inline const char* name(bug b) {
  constexpr const char* names[bug_count] = {"dropped_wait",
                                            "dropped_write_barrier",
                                            "dropped_read_barrier",
                                            "short_stall",
                                            "swap_moving",
                                            "swap_in_place",
                                            "index_six",
                                            "other_index",
                                            "other_wait",
                                            "undefined_code",
                                            "barriers_exchanged",
                                            "depbar_count",
                                            "back_edge",
                                            "stale_reuse",
                                            "reserved_bit",
                                            "harmless_longer_stall",
                                            "harmless_extra_wait",
                                            "harmless_yield"};
  return names[static_cast<unsigned>(b)];
}
// Wrong wherever it is planted.
inline bool certain(bug b) {
  return b == bug::index_six || b == bug::undefined_code || b == bug::stale_reuse || b == bug::reserved_bit ||
         b == bug::swap_moving || b == bug::swap_in_place;
}

struct edit {
  bug kind = bug::dropped_wait;
  ww::instr_id at;
  ww::instruction before, after;
  std::uint32_t swap_position = 0xffffffffu;  // exchange order[swap_position] and the next
  bool exchange_control = false;              // and give each place its old control fields

  void apply(ww::program& p) const {
    if (swap_position != 0xffffffffu) {
      exchange(p);
    } else {
      p[at] = after;
    }
  }
  void revert(ww::program& p) const {
    if (swap_position != 0xffffffffu) {
      exchange(p);
    } else {
      p[at] = before;
    }
  }

 private:
  void exchange(ww::program& p) const {
    ww::instr_id& a = p.order[swap_position];
    ww::instr_id& b = p.order[swap_position + 1];
    std::swap(a, b);
    if (!exchange_control) return;
    const std::uint8_t ra = p[a].ctl.reuse;
    const std::uint8_t rb = p[b].ctl.reuse;
    std::swap(p[a].ctl, p[b].ctl);
    p[a].ctl.reuse = ra;  // the flags belong to the operands
    p[b].ctl.reuse = rb;
  }
};

class mutator {
 public:
  mutator(const ww::program& p, std::uint64_t seed) : p_(p), state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567ull) {
    for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
      if (p.blocks[b].padding) continue;
      for (std::uint32_t k = 0; k < p.blocks[b].count; ++k) {
        const std::uint32_t pos = p.blocks[b].first + k;
        if (!p[p.order[pos]].has(ww::iflag::padding)) places_.push_back({pos, b});
      }
    }
  }

  // Finds a site for the bug; false if none of `tries` random places will do.
  bool plant(bug kind, edit& e, unsigned tries = 400) {
    if (places_.empty()) return false;
    for (unsigned t = 0; t < tries; ++t) {
      const place at = places_[next() % places_.size()];
      if (build(kind, at, e)) return true;
    }
    return false;
  }

 private:
  struct place {
    std::uint32_t pos, block;
  };

  std::uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ >> 11;
  }
  static unsigned pick_bit(unsigned mask, std::uint64_t r) {
    unsigned n = 0;
    for (unsigned k = 0; k < 6; ++k) n += mask >> k & 1u;
    r %= n;
    for (unsigned k = 0; k < 6; ++k) {
      if ((mask >> k & 1u) != 0 && r-- == 0) return k;
    }
    return 0;
  }
  bool loops_back(std::uint32_t b) const {
    for (const ww::cfg_edge& e : p_.edges_of(p_.blocks[b])) {
      if (e.to.index() <= b && e.kind != ww::edge_kind::ret && e.kind != ww::edge_kind::call) return true;
    }
    return false;
  }
  bool loop_head(std::uint32_t b) const {
    for (const std::uint32_t k : p_.pred_edges_of(p_.blocks[b])) {
      const ww::cfg_edge& e = p_.edges[k];
      if (e.from.index() >= b && e.kind != ww::edge_kind::ret && e.kind != ww::edge_kind::call) return true;
    }
    return false;
  }
  static bool defines(const ww::program& p, ww::instr_id i, ww::reg r) {
    for (const ww::operand& o : p.operands_of(i)) {
      if (o.is_def() && o.is_register() && o.file() == r.file() && r.number() >= o.base().number() &&
          r.number() < o.base().number() + o.width()) {
        return true;
      }
    }
    return false;
  }
  // Which flag keeps this source; the second summand of an addition goes through the third slot.
  static unsigned reuse_bit(const ww::instruction& i, const ww::operand& o) {
    const unsigned k = static_cast<unsigned>(o.where()) - static_cast<unsigned>(ww::slot::a);
    const bool sum =
        i.op == ww::opcode::fadd || i.op == ww::opcode::dadd || i.op == ww::opcode::hadd2 || i.op == ww::opcode::dsetp;
    return k == 1 && sum ? 2u : k;
  }
  // A true dependence: the second reads a register that the first writes.
  bool depends(ww::instr_id a, ww::instr_id b) const {
    for (const ww::operand& o : p_.operands_of(b)) {
      if (!o.is_use() || !o.is_register() || o.file() == ww::reg_file::sb || o.file() == ww::reg_file::b) continue;
      for (unsigned k = 0; k < o.width(); ++k) {
        if (defines(p_, a, ww::reg(o.file(), o.base().number() + k))) return true;
      }
    }
    return false;
  }

  bool build(bug kind, place at, edit& e) {
    using ww::control;
    const ww::block& blk = p_.blocks[at.block];
    e = edit{};
    e.kind = kind;
    e.at = p_.order[at.pos];
    e.before = e.after = p_[e.at];
    control& c = e.after.ctl;
    const bool bad_reuse = c.reuse != 0;
    switch (kind) {
      case bug::dropped_wait:
        if (c.wait_mask == 0) return false;
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << pick_bit(c.wait_mask, next())));
        return true;
      case bug::dropped_write_barrier:
        if (!c.sets_write()) return false;
        c.write_barrier = control::no_barrier;
        return true;
      case bug::dropped_read_barrier:
        if (!c.sets_read()) return false;
        c.read_barrier = control::no_barrier;
        return true;
      case bug::short_stall:
        if (c.stall < 2) return false;
        c.stall = static_cast<std::uint8_t>(1 + next() % (c.stall - 1u));
        return true;
      case bug::swap_moving:
      case bug::swap_in_place: {
        if (at.pos + 1 >= blk.first + blk.count) return false;
        const ww::instr_id b = p_.order[at.pos + 1];
        if (p_[b].has(ww::iflag::ends_block) || p_[b].has(ww::iflag::branch) || p_[b].has(ww::iflag::padding)) return false;
        if (p_[e.at].has(ww::iflag::never) || p_[b].has(ww::iflag::never)) return false;
        if (!depends(e.at, b) || null_exchange(p_, e.at, b)) return false;
        e.swap_position = at.pos;
        e.exchange_control = kind == bug::swap_in_place;
        return true;
      }
      case bug::index_six:
        if (!c.sets_write() && !c.sets_read()) return false;
        if (c.sets_write() && (!c.sets_read() || next() % 2 == 0)) {
          c.write_barrier = 6;
        } else {
          c.read_barrier = 6;
        }
        return true;
      case bug::other_index: {
        if (!c.sets_write() && !c.sets_read()) return false;
        std::uint8_t& f = c.sets_write() && (!c.sets_read() || next() % 2 == 0) ? c.write_barrier : c.read_barrier;
        f = static_cast<std::uint8_t>((f + 1 + next() % 5) % 6);
        return true;
      }
      case bug::other_wait: {
        if (c.wait_mask == 0) return false;
        const unsigned k = pick_bit(c.wait_mask, next());
        const unsigned n = (k + 1 + static_cast<unsigned>(next() % 5)) % 6;
        if ((c.wait_mask >> n & 1u) != 0) return false;
        c.wait_mask = static_cast<std::uint8_t>((c.wait_mask & ~(1u << k)) | 1u << n);
        return true;
      }
      case bug::undefined_code:
        if (c.stall >= 12 && c.yield) {
          c.yield = false;
          return true;
        }
        if (c.stall == 0 && c.yield) {
          c.yield = false;
          return true;
        }
        if (next() % 16 != 0) return false;  // mostly real long stalls, sometimes an invented one
        c.stall = static_cast<std::uint8_t>(next() % 5 == 0 ? 0 : 12 + next() % 4);
        c.yield = false;
        return true;
      case bug::barriers_exchanged:
        if (c.write_barrier == c.read_barrier) return false;
        std::swap(c.write_barrier, c.read_barrier);
        return true;
      case bug::depbar_count:
        if (e.after.iclass != ww::sched_class::depbar) return false;
        if ((e.after.word[0] | e.after.word[1]) != 0) {
          e.after.word[0] += 1ull << (has_short_word(e.after) ? 20 : 38);
        } else {
          ++e.after.mem_offset;
        }
        return true;
      case bug::back_edge: {
        const bool tail = at.pos + 6 >= blk.first + blk.count && loops_back(at.block);
        const bool head = at.pos < blk.first + 6 && loop_head(at.block);
        if (head && c.wait_mask != 0) {
          c.wait_mask = static_cast<std::uint8_t>(c.wait_mask & ~(1u << pick_bit(c.wait_mask, next())));
          return true;
        }
        if (!tail || c.stall < 2) return false;
        --c.stall;
        return true;
      }
      case bug::stale_reuse: {
        if (!e.after.has(ww::iflag::reuse_legal) || c.issue_code() < 17 || c.issue_code() > 27) return false;
        for (const ww::operand& o : p_.operands_of(e.at)) {
          const unsigned k = reuse_bit(e.after, o);
          if (!o.is_use() || o.file() != ww::reg_file::r || k > 2 || !o.is_register() || (c.reuse >> k & 1u) != 0) continue;
          bool written = defines(p_, e.at, o.base());
          for (std::uint32_t q = at.pos + 1; q < blk.first + blk.count; ++q) {
            bool slot_read = false;
            bool same = false;
            for (const ww::operand& r : p_.operands_of(p_.order[q])) {
              if (r.is_use() && r.file() == ww::reg_file::r && r.is_register() && reuse_bit(p_[p_.order[q]], r) == k) {
                slot_read = true;
                same = r.base() == o.base();
              }
            }
            if (slot_read) {
              if (!same || !written) break;
              c.reuse = static_cast<std::uint8_t>(c.reuse | 1u << k);
              return true;
            }
            written = written || defines(p_, p_.order[q], o.base());
          }
        }
        return false;
      }
      case bug::reserved_bit:
        if (!p_.has_encoding) return false;
        e.after.word[1] |= 1ull << (62 + next() % 2);
        return true;
      case bug::harmless_longer_stall:
        if (c.stall == 0 || c.stall >= 15) return false;
        if (!c.yield && c.stall >= 11) {
          if (bad_reuse) return false;
          c.yield = true;
        } else if (bad_reuse && c.yield) {
          return false;
        }
        // By one, or up to the longest that keeps the form of the code.
        c.stall = static_cast<std::uint8_t>(next() % 2 == 0 ? c.stall + 1u
                                                            : c.stall + 1u + next() % ((c.yield ? 15u : 11u) - c.stall));
        return true;
      case bug::harmless_extra_wait:
        c.wait_mask = static_cast<std::uint8_t>(c.wait_mask | 1u << (next() % 6));
        return !(e.after.ctl == e.before.ctl);
      case bug::harmless_yield:
        if (c.stall == 0 || c.stall > 11 || bad_reuse) return false;
        c.yield = !c.yield;
        return true;
      case bug::count:
        break;
    }
    return false;
  }

  const ww::program& p_;
  std::uint64_t state_;
  std::vector<place> places_;
};

}  // namespace ww_test
