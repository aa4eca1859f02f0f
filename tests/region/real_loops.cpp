// SPDX-License-Identifier: BSL-1.0
//
// Pipelined loops of real kernels, run by an interpreter beside the loops they came from: operations mix their sources, the
// branch condition says how many iterations there are, and registers behind the loop and memory have to agree.
#include <map>
#include <set>
#include <tuple>

#include "../support/corpus.hpp"
#include "support.hpp"
#include "warpwright/lift/lift.hpp"
#include "warpwright/region/software_pipeline.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/warpwright.hpp"

namespace {

namespace corpus = ww_test::corpus;
using pipeline = ww::strategy::software_pipeline<>;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  a = (a ^ b) * 0xff51afd7ed558ccdull + 0x9e3779b9ull;
  return a ^ (a >> 31);
}

// Instructions of both programs are known by the text that they came from.
struct loop_text {
  std::set<std::uint32_t> body;
  std::uint32_t condition = 0;  // the last one that writes what the branch reads
  unsigned operand = 0;         // its operand that does
  bool go_on = true;            // value of the predicate for another iteration
};

struct machine {
  std::map<std::uint32_t, std::uint64_t> registers;
  std::map<std::tuple<int, std::uint64_t>, std::uint64_t> memory;
  std::uint64_t accesses = 0;
  std::uint64_t conditions = 0;

  std::uint64_t& at(ww::reg_file f, std::uint32_t n) {
    const std::uint32_t name = ww::reg(f, n).packed;
    return registers.try_emplace(name, mix(name, 17)).first->second;
  }

  // False if the walk does not come to an end.
  bool run(const ww::program& p, const loop_text& loop, std::uint64_t trips) {
    std::uint32_t b = 0;
    // The first pass may stand in one block with what is in front of the loop; only the loop's own instructions are run.
    const auto inside = [&](std::uint32_t block) {
      for (const ww::instr_id id : p.order_of(p.blocks[block])) {
        if (loop.body.count(p[id].source) != 0) return true;
      }
      return false;
    };
    while (b < p.blocks.size() && !inside(b)) ++b;
    for (unsigned steps = 0; steps < 500; ++steps) {
      if (b >= p.blocks.size() || !inside(b)) return true;
      std::uint32_t to = b + 1;
      for (const ww::instr_id id : p.order_of(p.blocks[b])) {
        const ww::instruction& i = p[id];
        if (loop.body.count(i.source) == 0) continue;
        bool acts = true;
        for (const ww::operand o : p.operands_of(i)) {
          if (o.where() != ww::slot::guard || !o.is_register()) continue;
          acts = (at(o.file(), o.base().number()) & 1u) != (i.guard_negated != 0 ? 1u : 0u);
        }
        if (i.has(ww::iflag::branch)) {
          for (const ww::cfg_edge& e : p.edges_of(p.blocks[b])) {
            if (acts && e.kind == ww::edge_kind::branch) to = e.to.index();
          }
        } else if (acts || i.source == loop.condition) {
          step(p, i, loop, trips);
        }
      }
      b = to;
    }
    return false;
  }

  void step(const ww::program& p, const ww::instruction& i, const loop_text& loop, std::uint64_t trips) {
    std::uint64_t all = mix(static_cast<std::uint64_t>(i.op), i.word[0] >> 32);
    std::uint64_t address = static_cast<std::uint64_t>(std::int64_t{i.mem_offset});
    for (const ww::operand o : p.operands_of(i)) {
      if (!o.is_use() || !o.is_register() || o.where() == ww::slot::guard) continue;
      const bool addresses = o.where() == ww::slot::address || o.where() == ww::slot::uaddress;
      for (unsigned w = 0; w < o.width(); ++w) {
        const std::uint64_t v = at(o.file(), o.base().number() + w);
        if (addresses) {
          address += w == 0 ? v : mix(v, 3);
        } else {
          all = mix(all, v);
        }
      }
    }
    if (i.dir != ww::mem_dir::none) {
      ++accesses;
      const unsigned words = i.mem_bytes < 4 ? 1u : i.mem_bytes / 4u;
      for (unsigned k = 0; k < words; ++k) {
        const auto key = std::make_tuple(static_cast<int>(i.space), address + 4 * k);
        const std::uint64_t old = memory.count(key) != 0 ? memory[key] : mix(address, k);
        if (i.dir != ww::mem_dir::load) memory[key] = i.dir == ww::mem_dir::store ? mix(all, k) : mix(all, old);
        if (i.dir != ww::mem_dir::store) all = mix(all, old);
      }
    }
    unsigned index = 0;
    for (const ww::operand o : p.operands_of(i)) {
      const unsigned own = index++;
      if (!o.is_def() || !o.is_register()) continue;
      for (unsigned w = 0; w < o.width(); ++w) {
        std::uint64_t& to = at(o.file(), o.base().number() + w);
        to = mix(mix(all, own * 8 + w), o.is_partial() ? to : 5);
        if (i.source == loop.condition && own == loop.operand) to = (++conditions < trips) == loop.go_on ? 1 : 0;
      }
    }
  }
};

// False where the branch does not read one predicate that one instruction of the body writes last.
bool describe(const ww::program& p, const ww::block& b, loop_text& loop) {
  const auto body = p.order_of(b);
  const ww::instruction& branch = p[body.back()];
  ww::reg predicate;
  for (const ww::operand o : p.operands_of(branch)) {
    if (o.where() == ww::slot::guard && o.is_register()) predicate = o.base();
  }
  loop.go_on = branch.guard_negated == 0;
  bool found = false;
  for (const ww::instr_id id : body) {
    loop.body.insert(p[id].source);
    unsigned index = 0;
    for (const ww::operand o : p.operands_of(id)) {
      if (o.is_def() && o.is_register() && o.base() == predicate) {
        loop.condition = p[id].source;
        loop.operand = index;
        found = true;
      }
      ++index;
    }
  }
  return found;
}

}  // namespace

TEST_CASE("PLS-13 pipelining: real loops leave the same registers and memory for every trip count") {
  std::size_t loops = 0;
  pipeline::space space;
  const auto look = [&]<class Arch>() {
    for (const std::string& path : corpus::listings()) {
      if (corpus::sm_of(path) != Arch::id) continue;
      const std::string text = corpus::text(path);
      ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = Arch::id, .file = path});
      if (!r) continue;
      for (ww::program& p : r.mod.sections) {
        if (!ww::build_cfg(p).ok) continue;
        ww::lifted_program l;
        ww::lift_workspace lift_space;
        if (ww::lift(p, l, lift_space) != ww::lift_fault::none) continue;
        const ww::program before = l.code;
        pipeline::transform<ww::config_of<Arch, ww::base_offset>>(l.code, space);
        ww::liveness live;
        live.compute(before);
        for (const ww::strategy::pipelined_report& x : space.loops) {
          loop_text loop;
          if (x.refusal != ww::region::pipelining_refusal::none || !describe(before, before[x.body], loop)) continue;
          ++loops;
          for (std::uint64_t trips = 1; trips < 10; ++trips) {
            machine a;
            machine b;
            INFO(path << " block " << x.body.index() << " trips " << trips);
            REQUIRE(a.run(before, loop, trips));
            REQUIRE(b.run(l.code, loop, trips));
            REQUIRE(a.conditions == trips);
            REQUIRE(b.conditions == trips);
            REQUIRE(a.accesses == b.accesses);
            REQUIRE(a.memory == b.memory);
            const auto out = live.live_in(ww::block_id{x.body.index() + 1});
            for (const ww::instruction& i : before.instructions) {
              for (const ww::operand o : before.operands_of(i)) {
                if (!o.is_register()) continue;
                for (unsigned w = 0; w < o.width(); ++w) {
                  std::uint32_t bit = 0;
                  const ww::reg name(o.file(), o.base().number() + w);
                  if (!live.layout.bit_of(name, bit) || (out[bit >> 6] >> (bit & 63u) & 1u) == 0) continue;
                  if (a.at(name.file(), name.number()) != b.at(name.file(), name.number()))
                    FAIL("register " << name.number());
                }
              }
            }
          }
        }
      }
    }
  };
  look.operator()<ww::sm80>();
  look.operator()<ww::sm90>();
  INFO(loops);
  CHECK(loops >= 5);
}
