// SPDX-License-Identifier: BSL-1.0
//
// What a program executes on one way through it, by its instructions and their order alone: blocks and edges are not asked. An oracle
// for whoever compares two layouts of one program.
//
//   flow_trace(program, function, seed)   one hash per executed instruction but plain branches, and how it ended last
// Conditions are drawn from the seed and the number of the step, so that two layouts of one program see the same ones. A BSYNC
// falls, or goes to the end of the region that its register holds, as the seed says.
#pragma once

#include <cstdint>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/isa/opcode_id.hpp>

namespace ww_test {

class flow_tracer {
 public:
  explicit flow_tracer(const ww::program& p) : p_(p), place_(p.instructions.size(), 0) {
    for (std::uint32_t k = 0; k < p.order.size(); ++k) place_[p.order[k].index()] = k;
    starts_.assign(p.order.size(), false);
    for (const ww::function& f : p.functions) starts_[f.entry.valid() ? place_[f.entry.index()] : 0] = true;
  }

  std::vector<std::uint64_t> run(ww::instr_id entry, std::uint64_t seed, unsigned most) const {
    std::vector<std::uint64_t> out;
    std::vector<std::uint32_t> calls;
    struct region {
      ww::region_kind kind;
      std::uint32_t name, to;
    };
    std::vector<region> regions;
    std::uint32_t at = entry.valid() ? place_[entry.index()] : 0;
    std::size_t plain = 0;
    std::uint64_t step = 0;
    while (out.size() < most) {
      if (at >= p_.order.size()) return end(out, 1);
      const ww::instruction& x = p_[p_.order[at]];
      const bool decided = x.has(ww::iflag::guarded) || x.has(ww::iflag::conditional) || x.has(ww::iflag::never);
      if (x.op == ww::opcode::bra && x.target.valid() && !decided) {
        if (++plain > p_.order.size()) return end(out, 2);
        at = place_[x.target.index()];
        continue;
      }
      plain = 0;
      ++step;
      out.push_back(meaning(x));
      const auto draw = [&](std::uint64_t what) { return mix(mix(seed + step * 0x9e3779b97f4a7c15ull) + what); };
      bool acts = !x.has(ww::iflag::never);
      if (acts && x.has(ww::iflag::guarded)) {
        std::uint64_t guard = 0;
        for (const ww::operand& o : p_.operands_of(x)) guard = o.where() == ww::slot::guard ? o.low : guard;
        acts = ((draw(guard) & 1u) ^ x.guard_negated) != 0;
      }
      if (acts && x.has(ww::iflag::conditional)) acts = (draw(1) & 1u) != 0;
      if (!acts) {
        ++at;
      } else if (x.has(ww::iflag::ret)) {
        if (calls.empty()) return end(out, 3);
        at = calls.back();
        calls.pop_back();
      } else if (x.has(ww::iflag::call)) {
        if (x.target.valid() && !x.has(ww::iflag::indirect)) {
          const std::uint32_t to = place_[x.target.index()];
          if (starts_[to]) calls.push_back(at + 1);
          at = to;
        } else {
          ++at;
        }
      } else if (x.has(ww::iflag::exit)) {
        return end(out, 4);
      } else if (const ww::branch_table* t = p_.table_of(p_.order[at]); t != nullptr && t->count != 0) {
        at = place_[p_.table_targets[t->first + draw(2) % t->count].index()];
      } else if (x.has(ww::iflag::branch)) {
        if (!x.target.valid()) return end(out, 5);
        at = place_[x.target.index()];
      } else if (x.has(ww::iflag::reconverge)) {
        std::size_t k = regions.size();
        while (k > 0 && !(regions[k - 1].kind == x.region && regions[k - 1].name == register_of(x))) --k;
        const bool falls = x.region == ww::region_kind::none && (k == 0 || (seed & 1u) == 0);
        if (!falls && k == 0) return end(out, 6);
        at = falls ? at + 1 : regions[k - 1].to;
        if (k > 0) regions.resize(k - 1);
      } else {
        if (x.target.valid() && !x.has(ww::iflag::sync)) {
          regions.push_back({x.region, register_of(x), place_[x.target.index()]});
        }
        ++at;
      }
    }
    return out;
  }

 private:
  static std::uint64_t mix(std::uint64_t v) {
    v = (v ^ v >> 31) * 0xbf58476d1ce4e5b9ull;
    v = (v ^ v >> 29) * 0x94d049bb133111ebull;
    return v ^ v >> 32;
  }
  static std::vector<std::uint64_t> end(std::vector<std::uint64_t>& out, std::uint64_t how) {
    out.push_back(how);
    return out;
  }
  std::uint32_t register_of(const ww::instruction& x) const {
    for (const ww::operand& o : p_.operands_of(x)) {
      if (o.file() == ww::reg_file::b) return o.base().number();
    }
    return 99;
  }
  std::uint64_t meaning(const ww::instruction& x) const {
    std::uint64_t h = static_cast<std::uint64_t>(x.op);
    const auto add = [&h](std::uint64_t v) { h = mix(h * 31 + v); };
    for (const ww::operand& o : p_.operands_of(x)) {
      add(o.low);
      add(o.high & ~(o.where() == ww::slot::guard && x.has(ww::iflag::branch) ? ww::operand::bit_not : 0u));
    }
    add(static_cast<std::uint32_t>(x.mem_offset));
    add(x.mem_bytes);
    add(x.has(ww::iflag::volatile_mem));
    const bool distance = x.target.valid() || x.has(ww::iflag::branch) || x.has(ww::iflag::call) || x.has(ww::iflag::ret) ||
                          x.has(ww::iflag::pc_relative);
    if (!distance) {
      add(x.word[0]);
      add(x.word[1] & ((1ull << 41) - 1));
    }
    return h;
  }

  const ww::program& p_;
  std::vector<std::uint32_t> place_;
  std::vector<bool> starts_;
};

// Do both programs execute the same on `ways` ways from each function?
inline bool same_traces(const ww::program& p, const ww::program& q, unsigned ways, unsigned most = 300) {
  const flow_tracer x(p);
  const flow_tracer y(q);
  for (std::size_t f = 0; f < p.functions.size(); ++f) {
    for (std::uint64_t seed = 0; seed < ways; ++seed) {
      if (x.run(p.functions[f].entry, seed, most) != y.run(q.functions[f].entry, seed, most)) return false;
    }
  }
  return true;
}

}  // namespace ww_test
