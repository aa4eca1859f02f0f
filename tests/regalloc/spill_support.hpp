// SPDX-License-Identifier: BSL-1.0
//
// What the tests of spill code share: registers for a lifted program by a linear scan that knows nothing of the allocator, the check of
// the result, and faults to plant.
//
//   spread(l, code)     every web that is not fixed gets registers from 256 on, of its own while it is live; false: more than there are
//   checked(l, s)       spread, then verify::check_allocation against the program that was lifted
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <vector>

#include <warpwright/lift/lift.hpp>
#include <warpwright/pressure/liveness.hpp>
#include <warpwright/regalloc/spill_code.hpp>
#include <warpwright/verify/allocation.hpp>
#include <warpwright/verify/allocation_writer.hpp>

#include "../support/catch.hpp"

namespace ww_test::regalloc {

struct web_range {
  std::uint32_t web = 0;
  std::uint32_t first = 0xffffffffu;
  std::uint32_t last = 0;
};

inline std::vector<web_range> web_ranges(const ww::lifted_program& l) {
  std::vector<web_range> ranges(l.webs.size());
  for (std::uint32_t w = 0; w < ranges.size(); ++w) ranges[w].web = w;
  ww::liveness live;
  live.compute(l.code, l.physical);
  std::vector<std::uint32_t> of_bit(std::size_t{live.layout.words()} * 64, 0xffffffffu);
  for (std::uint32_t w = 0; w < l.webs.size(); ++w) {
    if (l.webs[w].is_fixed()) continue;
    std::uint32_t bit = 0;
    const std::uint32_t n = live.layout.bits_of(ww::reg(l.webs[w].file, l.webs[w].number), l.webs[w].width, bit);
    for (std::uint32_t k = 0; k < n; ++k) of_bit[bit + k] = w;
  }
  const auto extend = [&](std::uint32_t w, std::uint32_t at) {
    ranges[w].first = std::min(ranges[w].first, at);
    ranges[w].last = std::max(ranges[w].last, at);
  };
  const auto all = [&](ww::span<const std::uint64_t> set, std::uint32_t at) {
    for (std::uint32_t k = 0; k < set.size(); ++k) {
      for (std::uint64_t rest = set[k]; rest != 0; rest &= rest - 1) {
        const std::uint32_t w = of_bit[k * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))];
        if (w != 0xffffffffu) extend(w, at);
      }
    }
  };
  for (std::uint32_t b = 0; b < l.code.blocks.size(); ++b) {
    const ww::block& blk = l.code.blocks[b];
    if (blk.count == 0) continue;
    all(live.live_in(ww::block_id{b}), blk.first);
    all(live.live_out(ww::block_id{b}), blk.first + blk.count - 1);
    for (std::uint32_t at = blk.first; at < blk.first + blk.count; ++at) {
      const ww::instruction& i = l.code[l.code.order[at]];
      for (std::uint32_t k = i.first_operand; k < i.first_operand + i.operand_count; ++k) {
        const std::uint32_t w = l.web_of_operand[k];
        if (w != ww::lifted_program::no_web && !l.webs[w].is_fixed()) extend(w, at);
      }
    }
  }
  return ranges;
}

inline bool spread(const ww::lifted_program& l, ww::program& code) {
  std::vector<web_range> ranges = web_ranges(l);
  std::stable_sort(ranges.begin(), ranges.end(), [](const web_range& a, const web_range& b) { return a.first < b.first; });
  constexpr std::uint32_t lowest = 256, end = ww::reg::first_virtual;
  std::vector<std::uint32_t> where(l.webs.size(), 0);
  std::vector<std::vector<std::int64_t>> busy(ww::pressure_class_count, std::vector<std::int64_t>(end, -1));
  for (const web_range& r : ranges) {
    const ww::web& w = l.webs[r.web];
    if (w.is_fixed() || r.first == 0xffffffffu) continue;
    std::vector<std::int64_t>& file = busy[static_cast<std::size_t>(ww::pressure_class_of(w.file))];
    const auto find = [&](std::uint32_t from) {
      std::uint32_t at = from + ((w.phase - from) & (w.alignment - 1u));
      for (; at + w.width <= end; at += w.alignment) {
        bool free = true;
        for (std::uint32_t k = at; k < at + w.width && free; ++k) free = file[k] < static_cast<std::int64_t>(r.first);
        if (free) break;
      }
      return at;
    };
    // Seldom the register that was free last: what stood there must not be right by chance.
    std::uint32_t at = find(lowest + 31 * r.web % 512);
    if (at + w.width > end) at = find(lowest);
    if (at + w.width > end) return false;
    for (std::uint32_t k = at; k < at + w.width; ++k) file[k] = r.last;
    where[r.web] = at;
  }
  code = l.code;
  for (std::size_t k = 0; k < code.operands.size(); ++k) {
    const std::uint32_t index = l.web_of_operand[k];
    if (index == ww::lifted_program::no_web || l.webs[index].is_fixed()) continue;
    const ww::web& w = l.webs[index];
    ww::operand& o = code.operands[k];
    const ww::reg now(w.file, where[index] + (o.base().number() - w.number));
    o.low = (o.low & ~((7u << 28) | 0xffffffu)) | static_cast<std::uint32_t>(ww::operand_type::physical) << 28 | now.packed;
  }
  return true;
}

// The numbers of the webs and what operands say agree, blocks tile the order, short-lived webs are short-lived.
inline void check_consistent(const ww::lifted_program& l, const ww::regalloc::spilled_program& s) {
  const ww::program& p = s.lifted.code;
  REQUIRE(s.lifted.web_of_operand.size() == p.operands.size());
  REQUIRE(s.map.size() == p.instructions.size());
  REQUIRE(s.came_from.size() == p.instructions.size());
  REQUIRE(s.state.size() == s.lifted.webs.size());
  REQUIRE(p.blocks.size() == l.code.blocks.size());
  std::vector<std::uint32_t> defs(s.lifted.webs.size(), 0), uses(s.lifted.webs.size(), 0);
  std::vector<double> weight(s.lifted.webs.size(), 0.0);
  std::uint32_t next = 0;
  std::set<std::uint32_t> seen;
  for (const ww::block& b : p.blocks) {
    REQUIRE(b.first == next);
    next += b.count;
    for (const ww::instr_id id : p.order_of(b)) {
      REQUIRE(seen.insert(id.index()).second);
      const ww::instruction& i = p[id];
      if (id.index() >= l.code.instructions.size() && i.dir != ww::mem_dir::none && i.space != ww::mem_space::constant) {
        const std::uint32_t k = i.first_operand + (i.dir == ww::mem_dir::load ? 0u : i.operand_count - 1u);
        const ww::web& one = s.lifted.webs[s.lifted.web_of_operand[k]];
        const unsigned words = i.mem_bytes / 4u;
        REQUIRE(words <= one.alignment);
        REQUIRE((one.phase + p.operands[k].base().number() - one.number) % words == 0);
        REQUIRE(i.mem_offset % static_cast<int>(i.mem_bytes) == 0);
      }
      bool use_seen = false;
      for (std::uint32_t k = i.first_operand; k < i.first_operand + i.operand_count; ++k) {
        const ww::operand o = p.operands[k];
        REQUIRE_FALSE((o.is_def() && use_seen));
        use_seen = use_seen || o.is_use();
        const std::uint32_t w = s.lifted.web_of_operand[k];
        if (w == ww::lifted_program::no_web) continue;
        const ww::web& one = s.lifted.webs[w];
        REQUIRE(o.file() == one.file);
        REQUIRE(o.base().number() >= one.number);
        REQUIRE(o.base().number() + o.width() <= one.number + one.width);
        REQUIRE((one.number & (one.alignment - 1u)) == one.phase);
        REQUIRE(o.base().is_virtual() == !one.is_fixed());
        ++(o.is_def() ? defs[w] : uses[w]);
        weight[w] += b.weight;
      }
    }
  }
  REQUIRE(next == p.order.size());
  std::uint32_t lifted = 0;
  for (std::uint32_t w = 0; w < s.lifted.webs.size(); ++w) {
    const ww::web& one = s.lifted.webs[w];
    const bool gone = s.state[w] == ww::regalloc::web_state::in_memory || s.state[w] == ww::regalloc::web_state::recomputed;
    REQUIRE(defs[w] == one.defs);
    REQUIRE(uses[w] == one.uses);
    REQUIRE(std::abs(weight[w] - one.weight) <= 1e-9 * (1.0 + one.weight));
    REQUIRE(gone <= (defs[w] + uses[w] == 0));
    lifted += !one.is_fixed() && !gone ? 1u : 0u;
  }
  REQUIRE(lifted == s.lifted.virtual_webs());
  // Nothing made by spilling reaches further than from the code put in front of one instruction to that put behind it.
  std::vector<std::uint32_t> own(p.order.size() + 1, 0);
  for (std::size_t at = 0; at < p.order.size(); ++at)
    own[at + 1] = own[at] + (s.map[p.order[at].index()].what == ww::verify::allocated_as::original ? 1u : 0u);
  for (const web_range& r : web_ranges(s.lifted)) {
    if (s.state[r.web] != ww::regalloc::web_state::short_lived || r.first == 0xffffffffu) continue;
    bool at_end = false;  // stored by the blocks behind
    for (const ww::block& b : p.blocks) {
      if (b.count == 0) continue;
      const ww::instruction& last = p[p.order[b.first + b.count - 1]];
      for (std::uint32_t k = last.first_operand; k < last.first_operand + last.operand_count; ++k) {
        at_end =
            at_end || (last.has(ww::iflag::ends_block) && s.lifted.web_of_operand[k] == r.web && p.operands[k].is_def());
      }
    }
    if (!at_end) REQUIRE(own[r.last + 1] - own[r.first] <= 1);
  }
}

inline std::string report_text(const ww::verify::allocation_report& r) {
  ww::verify::allocation_reporter writer({true, false});
  std::string s = std::string(name_of(r.fault)) + "\n";
  writer.write(r, [&](ww::string_view piece) { s.append(piece.data(), piece.size()); });
  return s;
}

}  // namespace ww_test::regalloc
