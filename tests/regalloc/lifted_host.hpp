// SPDX-License-Identifier: BSL-1.0
//
// A plain host for the retry driver over a lifted program: problems from live sets, pair by pair, spill code by insert_spills(). Slow, and
// knows nothing of banks or wishes: what is proved with it is the driver and the spill code.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include <warpwright/lift/lift.hpp>
#include <warpwright/pressure/liveness.hpp>
#include <warpwright/regalloc/retry_driver.hpp>
#include <warpwright/regalloc/spill_code.hpp>

#include "support.hpp"

namespace ww_test::regalloc {

struct lifted_host {
  ra::spilled_program s;
  ra::spill_space space;
  ra::spill_workspace ws;
  ra::spill_plan plan;
  std::uint32_t limit = 255;
  std::vector<std::uint32_t> web_of;  // by register of the problem
  unsigned memory = 0, again = 0;

  static constexpr std::uint32_t none = 0xffffffffu;

  bool build(ra::register_class of, ra::problem& p) {
    if (of != ra::register_class::r) return false;
    const ww::lifted_program& l = s.lifted;
    // Which webs may be spilled, and which can be computed again: ask for all of them.
    std::vector<std::uint32_t> all(l.webs.size());
    for (std::uint32_t w = 0; w < all.size(); ++w) all[w] = w;
    plan.make(l, s.state, {}, all, space);
    constant_.assign(l.webs.size(), false);
    for (std::uint32_t w = 0; w < all.size(); ++w) constant_[w] = plan.does(w, ra::spill_wish::recompute);
    ra::spill_space wide = space;
    wide.frame_limit = 0xffffff;
    plan.make(l, s.state, all, {}, wide);
    ra::problem_builder b;
    web_of.clear();
    std::vector<std::uint32_t> number(l.webs.size(), none);
    for (std::uint32_t w = 0; w < l.webs.size(); ++w) {
      const ww::web& one = l.webs[w];
      if (one.is_fixed() || one.file != ww::reg_file::r || one.defs + one.uses == 0) continue;
      number[w] = static_cast<std::uint32_t>(web_of.size());
      web_of.push_back(w);
      // One that begins inside of its alignment gets the registers in front of it as well.
      ra::allocatable r{.width = static_cast<std::uint16_t>(one.width + one.phase),
                        .alignment_log2 = static_cast<std::uint8_t>(std::countr_zero(unsigned{one.alignment}))};
      r.spill_cost = constant_[w] ? one.weight / 4 : one.weight;
      if (!constant_[w] && !plan.does(w, ra::spill_wish::memory)) r.set(ra::register_flag::must_not_spill);
      (void)b.add(r);
    }
    interfere(b, number);
    b.build(p);
    p.file = file_of(limit);
    p.file.hardware_limit = 255;
    return true;
  }
  std::uint32_t spill(ra::register_class, const ra::problem&, ww::span<const std::uint32_t> victims) {
    std::vector<std::uint32_t> to_memory, to_recompute;
    for (const std::uint32_t r : victims) (constant_[web_of[r]] ? to_recompute : to_memory).push_back(web_of[r]);
    const ra::spill_result done = ra::insert_spills(s, to_memory, to_recompute, space, ws);
    REQUIRE(done.ok);
    CHECK(done.in_memory + done.recomputed == victims.size());
    space.frame_base = static_cast<std::int32_t>(s.frame_end);
    memory += done.in_memory;
    again += done.recomputed;
    return done.in_memory + done.recomputed;
  }
  [[nodiscard]] bool recomputes(ra::register_class, std::uint32_t r) const { return constant_[web_of[r]]; }

  // The program on physical registers; what is not of the class stays where it was.
  [[nodiscard]] ww::program placed(const ra::problem& p) const {
    const ww::lifted_program& l = s.lifted;
    std::vector<std::uint32_t> where(l.webs.size());
    for (std::uint32_t w = 0; w < where.size(); ++w) where[w] = l.webs[w].original;
    for (std::uint32_t r = 0; r < web_of.size(); ++r) {
      const ww::web& one = l.webs[web_of[r]];
      REQUIRE(p.registers[r].physical >= 0);
      where[web_of[r]] = static_cast<std::uint32_t>(p.registers[r].physical) + one.phase;
      REQUIRE(where[web_of[r]] + one.width <= limit);
      REQUIRE((where[web_of[r]] & (one.alignment - 1u)) == one.phase);
    }
    ww::program code = l.code;
    for (std::size_t k = 0; k < code.operands.size(); ++k) {
      const std::uint32_t w = l.web_of_operand[k];
      if (w == ww::lifted_program::no_web || l.webs[w].is_fixed()) continue;
      ww::operand& o = code.operands[k];
      const ww::reg now(o.file(), where[w] + (o.base().number() - l.webs[w].number));
      o.low =
          (o.low & ~((7u << 28) | 0xffffffu)) | static_cast<std::uint32_t>(ww::operand_type::physical) << 28 | now.packed;
    }
    return code;
  }

 private:
  void interfere(ra::problem_builder& b, const std::vector<std::uint32_t>& number) {
    const ww::lifted_program& l = s.lifted;
    ww::liveness live;
    live.compute(l.code, l.physical);
    // By bit of class R: a register of the problem, or a physical number with the high bit.
    std::vector<std::uint32_t> name(std::size_t{live.layout.words()} * 64, none);
    for (std::uint32_t n = 0; n < live.layout.physical[0]; ++n) name[live.layout.first_word[0] * 64 + n] = n | 1u << 31;
    for (std::uint32_t w = 0; w < l.webs.size(); ++w) {
      if (number[w] == none) continue;
      std::uint32_t bit = 0;
      const std::uint32_t n = live.layout.bits_of(ww::reg(l.webs[w].file, l.webs[w].number), l.webs[w].width, bit);
      for (std::uint32_t k = 0; k < n; ++k) name[bit + k] = number[w];
    }
    std::unordered_set<std::uint64_t> seen;
    const auto meet = [&](std::uint32_t x, std::uint32_t y) {
      if (x == y || x == none || y == none || ((x & y) >> 31) != 0) return;
      if ((x >> 31) != 0) std::swap(x, y);
      if ((y >> 31) == 0 && y < x) std::swap(x, y);
      if (!seen.insert(std::uint64_t{x} << 32 | y).second) return;
      if ((y >> 31) != 0) {
        b.constrain(x, {.target = y & 0x7fffffffu, .physical = true});
      } else {
        b.interfere(x, y);
      }
    };
    std::vector<std::uint64_t> row;
    std::vector<std::uint32_t> defs;
    for (std::uint32_t k = 0; k < l.code.blocks.size(); ++k) {
      const auto out = live.live_out(ww::block_id{k});
      row.assign(out.begin(), out.end());
      const auto order = l.code.order_of(l.code.blocks[k]);
      for (std::size_t at = order.size(); at-- > 0;) {
        const ww::instruction& i = l.code[order[at]];
        defs.clear();
        for (const ww::operand& o : l.code.operands_of(i)) {
          if (o.is_def() && o.is_register()) live.each_bit(o, [&](std::uint32_t bit) { defs.push_back(bit); });
        }
        for (const std::uint32_t d : defs) {
          if (name[d] == none) continue;
          for (const std::uint32_t e : defs) meet(name[d], name[e]);
          for (std::uint32_t w = live.layout.first_word[0]; w < live.layout.first_word[1]; ++w) {
            for (std::uint64_t rest = row[w]; rest != 0; rest &= rest - 1) {
              meet(name[d], name[w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest))]);
            }
          }
        }
        live.step(l.code, i, row.data());
      }
    }
  }

  std::vector<bool> constant_;
};

}  // namespace ww_test::regalloc
