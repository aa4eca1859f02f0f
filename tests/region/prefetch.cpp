// SPDX-License-Identifier: BSL-1.0
//
// Prefetch insertion: what it writes is what the compiler writes, and in real loops, run by an interpreter of the encoding
// words before and after, every prefetched address is one that the same run loads later.
#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../support/corpus.hpp"
#include "../support/slow.hpp"
#include "support.hpp"
#include "warpwright/lift/lift.hpp"
#include "warpwright/region/prefetch.hpp"
#include "warpwright/sass/listing.hpp"
#include "warpwright/strategies.hpp"
#include "warpwright/verify/hazards.hpp"

namespace {

namespace corpus = ww_test::corpus;
using strategy = ww::strategy::prefetch<>;
using refusal = ww::region::prefetch_refusal;
using ww_test::from_text;

// One warp of one thread: registers as 32-bit numbers, the instructions that a loop counts with by their words, all others
// mix their sources.
struct machine {
  std::map<std::uint32_t, std::uint32_t> registers;            // by packed name
  std::vector<std::uint64_t> loaded;                           // addresses, in order
  std::vector<std::pair<std::uint64_t, std::size_t>> fetched;  // address, loads done before it
  std::map<std::uint64_t, std::uint32_t> memory;
  std::uint64_t passes = 0;

  static std::uint32_t mix(std::uint32_t a, std::uint32_t b) {
    a = (a ^ b) * 0x85ebca6bu + 0x9e3779b9u;
    return a ^ (a >> 15);
  }
  std::uint32_t& at(ww::reg r) { return registers.try_emplace(r.packed, mix(r.packed, 77)).first->second; }
  std::uint32_t R(std::uint64_t n) { return n == 255 ? 0 : at(ww::R(static_cast<std::uint32_t>(n))); }
  bool P(std::uint64_t n) { return n == 7 || (at(ww::P(static_cast<std::uint32_t>(n))) & 1u) != 0; }

  // Source b of the word: register, immediate, constant or uniform register.
  std::uint32_t b(std::uint64_t low, unsigned zero) {
    switch (low >> 9 & 7u) {
      case 1:
        return R(low >> 32 & 255);
      case 4:
        return static_cast<std::uint32_t>(low >> 32);
      case 5:
        return at(ww::reg(ww::reg_file::special, static_cast<std::uint32_t>(low >> 38 & 0xffff)));
      default: {
        const auto n = static_cast<std::uint32_t>(low >> 32 & 255);
        return n == zero ? 0 : at(ww::UR(n));
      }
    }
  }

  // True where the words say all that the instruction does.
  bool by_words(const ww::instruction& i, unsigned zero) {
    const std::uint64_t low = i.word[0];
    const std::uint64_t high = i.word[1];
    const auto set = [&](std::uint32_t v) {
      if ((low >> 16 & 255) != 255) at(ww::R(static_cast<std::uint32_t>(low >> 16 & 255))) = v;
    };
    const auto predicate = [&](unsigned bit) { return P(high >> bit & 7) != ((high >> (bit + 3) & 1) != 0); };
    const unsigned form = low >> 9 & 7u;
    const bool extended = (high >> 10 & 1) != 0;
    const auto negate = [](std::uint32_t v, std::uint64_t bit) { return bit != 0 ? 0u - v : v; };
    switch (low & 0x1ff) {
      case 0x010: {  // IADD3; negated sources with a carry are left to the mixture
        const bool negative = (high >> 8 & 1) != 0 || (low >> 63 & (form != 4 ? 1u : 0u)) != 0 || (high >> 11 & 1) != 0;
        if (form == 2 || form == 3 || form == 7 || (extended && negative)) return false;
        const std::uint64_t sum = std::uint64_t{negate(R(low >> 24 & 255), high >> 8 & 1)} +
                                  negate(b(low, zero), form == 4 ? 0 : low >> 63) + negate(R(high & 255), high >> 11 & 1) +
                                  (extended ? (predicate(23) ? 1u : 0u) + (predicate(13) ? 1u : 0u) : 0u);
        set(static_cast<std::uint32_t>(sum));
        for (const unsigned bit : {17u, 20u}) {
          const std::uint64_t p = high >> bit & 7;
          if (p != 7) at(ww::P(static_cast<std::uint32_t>(p))) = bit == 17 ? static_cast<std::uint32_t>(sum >> 32 & 1) : 0;
        }
        return true;
      }
      case 0x036:
        if (form != 4) return false;
        set(R(low >> 24 & 255) + static_cast<std::uint32_t>(low >> 32));
        return true;
      case 0x002:
        set(b(low, zero));
        return true;
      case 0x024:
        if (form != 1 && form != 4 && form != 5) return false;
        set(R(low >> 24 & 255) * b(low, zero) + R(high & 255) + (extended && predicate(23) ? 1u : 0u));
        return true;
      case 0x00c: {
        if ((high >> 8 & 1) != 0 || form == 2 || form == 3) return false;
        const std::uint32_t x = R(low >> 24 & 255);
        const std::uint32_t y = b(low, zero);
        const auto sx = static_cast<std::int32_t>(x);
        const auto sy = static_cast<std::int32_t>(y);
        const bool less = (high >> 9 & 1) != 0 ? sx < sy : x < y;
        const unsigned c = static_cast<unsigned>(high >> 12 & 7);
        const bool holds = ((c & 1u) != 0 && less) || ((c & 2u) != 0 && x == y) || ((c & 4u) != 0 && !less && x != y);
        const bool also = predicate(23);
        const unsigned combined = static_cast<unsigned>(high >> 10 & 3);
        const bool first = combined == 0 ? holds && also : combined == 1 ? holds || also : holds != also;
        const bool second = combined == 0 ? !holds && also : combined == 1 ? !holds || also : holds == also;
        if ((high >> 17 & 7) != 7) at(ww::P(static_cast<std::uint32_t>(high >> 17 & 7))) = first ? 1 : 0;
        if ((high >> 20 & 7) != 7) at(ww::P(static_cast<std::uint32_t>(high >> 20 & 7))) = second ? 1 : 0;
        return true;
      }
      default:
        return false;
    }
  }

  // Runs one block as long as it branches to itself; false if it does not end.
  bool run(const ww::program& p, ww::block_id body, unsigned zero) {
    for (passes = 1; passes < 300; ++passes) {
      for (const ww::instr_id id : p.order_of(p[body])) {
        const ww::instruction& i = p[id];
        const bool acts = P(i.word[0] >> 12 & 7) != ((i.word[0] >> 15 & 1) != 0);
        if (i.has(ww::iflag::branch)) {
          if (!acts) return true;
          continue;
        }
        if (acts) step(p, i, zero);
      }
    }
    return false;
  }
  void step(const ww::program& p, const ww::instruction& i, unsigned zero) {
    const auto base = [&] {
      const std::uint64_t n = i.word[0] >> 24 & 255;
      return R(n) + (std::uint64_t{R(n + 1)} << 32);
    };
    if (i.op == ww::opcode::cctl) {
      fetched.emplace_back(base() + static_cast<std::uint64_t>(static_cast<std::int32_t>(i.word[0] >> 32)), loaded.size());
      return;
    }
    if (by_words(i, zero)) return;
    std::uint32_t all = static_cast<std::uint32_t>(i.op);
    for (const ww::operand o : p.operands_of(i)) {
      if (!o.is_use() || !o.is_register() || o.where() == ww::slot::guard) continue;
      for (unsigned w = 0; w < o.width(); ++w) all = mix(all, at(ww::reg(o.file(), o.base().number() + w)));
    }
    if (i.op == ww::opcode::ldg) {
      const std::uint64_t address = base() + static_cast<std::uint64_t>(std::int64_t{i.mem_offset});
      loaded.push_back(address);
      all = mix(all, static_cast<std::uint32_t>(address));
    }
    unsigned n = 0;
    for (const ww::operand o : p.operands_of(i)) {
      if (!o.is_def() || !o.is_register()) continue;
      for (unsigned w = 0; w < o.width(); ++w) {
        std::uint32_t& to = at(ww::reg(o.file(), o.base().number() + w));
        to = mix(all, ++n) & (o.file() == ww::reg_file::p ? 1u : ~0u);
      }
    }
  }
};

struct figures {
  std::size_t loops = 0;
  std::size_t done = 0;
  std::size_t prefetches = 0;
  std::size_t runs = 0;
  std::size_t fetched = 0;
  std::size_t taken = 0;      // prefetches in scheduled programs
  std::size_t lifted = 0;     // in lifted ones
  std::size_t unguarded = 0;  // programs that are found out without the read counters of prefetches
  std::size_t refused[32] = {};
};

// The registers that the loop decides about its end by: what the ISETPs of the body compare, for the test to vary.
std::set<std::uint32_t> compared(const ww::program& p, ww::block_id b) {
  std::set<std::uint32_t> found;
  for (const ww::instr_id id : p.order_of(p[b])) {
    if (p[id].op != ww::opcode::isetp) continue;
    for (const ww::operand o : p.operands_of(id)) {
      if (o.is_use() && o.is_register() && o.where() == ww::slot::a) found.insert(o.base().packed);
    }
  }
  return found;
}

template <class Arch>
void run_loops(figures& f) {
  typename strategy::space space;
  using config = typename ww::scheduler<Arch, strategy>::config;
  for (const std::string& path : corpus::listings()) {
    if (corpus::sm_of(path) != Arch::id) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = Arch::id, .file = path});
    if (!r) continue;
    for (ww::program& p : r.mod.sections) {
      if (!ww::build_cfg(p).ok) continue;
      ww::program q = p;
      CHECK(strategy::transform<config>(q, space) == 0);  // as it came it has encodings
      for (const ww::strategy::prefetch_report& x : space.loops) {
        CHECK((x.refusal == refusal::placed || x.refusal == refusal::several_exits || x.refusal == refusal::not_innermost));
      }
      p.has_encoding = false;
      q = p;
      const unsigned changes = strategy::transform<config>(q, space);
      unsigned inserted = 0;
      INFO(path);
      for (const ww::strategy::prefetch_report& x : space.loops) {
        ++f.loops;
        ++f.refused[static_cast<unsigned>(x.refusal)];
        if (x.refusal != refusal::none) continue;
        ++f.done;
        f.prefetches += x.prefetches;
        inserted += x.prefetches;
        REQUIRE(x.distance * x.iteration >= strategy::tuning::memory_latency);
        REQUIRE((x.distance - 1) * x.iteration < strategy::tuning::memory_latency);
        REQUIRE(q[x.body].count == p[x.body].count + x.prefetches + x.guard);
        // All the registers that either program knows but the ones that only the guard writes.
        for (const std::int32_t bound : {0, 40, -40}) {
          for (std::int32_t start = -70; start <= 70; ++start) {
            machine before;
            machine after;
            for (machine* m : {&before, &after}) {
              for (const ww::instr_id id : p.order_of(p[x.body])) {
                if (p[id].op != ww::opcode::isetp) continue;
                for (const ww::operand o : p.operands_of(id)) {
                  if (o.is_use() && o.is_register() && o.where() == ww::slot::b) {
                    m->at(o.base()) = static_cast<std::uint32_t>(bound * 16);
                  }
                }
              }
              for (const ww::instr_id id : p.order_of(p[x.body])) {
                if (p[id].op != ww::opcode::isetp || (p[id].word[0] >> 9 & 7u) != 5) continue;
                m->at(ww::reg(ww::reg_file::special, static_cast<std::uint32_t>(p[id].word[0] >> 38 & 0xffff))) =
                    static_cast<std::uint32_t>(bound * 16);
              }
              for (const std::uint32_t name : compared(p, x.body)) {
                m->at(ww::reg::from_packed(name)) = static_cast<std::uint32_t>(start * 16);
              }
            }
            if (!before.run(p, x.body, Arch::limits::uniform_zero)) continue;
            ++f.runs;
            INFO("block " << x.body.index() << " distance " << x.distance << " start " << start << " bound " << bound);
            REQUIRE(after.run(q, x.body, Arch::limits::uniform_zero));
            REQUIRE(after.passes == before.passes);
            REQUIRE(after.loaded == before.loaded);
            for (const auto& [name, value] : before.registers) REQUIRE(after.registers.at(name) == value);
            for (const auto& [address, done] : after.fetched) {
              bool later = false;
              for (std::size_t k = done; k < after.loaded.size() && !later; ++k) later = after.loaded[k] == address;
              REQUIRE(later);
            }
            // None is left out that could be done.
            const std::uint64_t ahead = after.passes > x.distance ? after.passes - x.distance : 0;
            REQUIRE(after.fetched.size() <= ahead * x.prefetches);
            f.fetched += after.fetched.size();
          }
        }
      }
      REQUIRE(inserted == changes);
      if (changes == 0) continue;
      ww::program again = p;
      CHECK(strategy::transform<config>(again, space) == changes);
      REQUIRE(again.order.size() == q.order.size());
      for (std::size_t k = 0; k < q.order.size(); ++k) {
        REQUIRE(again[again.order[k]].word[0] == q[q.order[k]].word[0]);
        REQUIRE(again[again.order[k]].word[1] == q[q.order[k]].word[1]);
      }
      // On virtual registers, for whoever allocates afterwards.
      ww::lifted_program l;
      ww::lift_workspace lift_space;
      if (ww::lift(p, l, lift_space) == ww::lift_fault::none) {
        f.lifted += strategy::transform<config>(l.code, space);
        ww::schedule_workspace<config> ws;
        REQUIRE_FALSE(ww::schedule_blocks<config>(l.code, ws).failed);
      }
      // Scheduled: no new finding, and without its read counter a prefetch is one.
      const std::size_t errors = ww::verify::check<Arch>(p).errors();
      const ww::schedule_result s = ww::scheduler<Arch, strategy>{}.run(p);
      REQUIRE(ww::verify::check<Arch>(p).errors() <= errors);
      std::size_t written = 0;
      for (const ww::instr_id id : p.order)
        written += p[id].op == ww::opcode::cctl && !p[id].has(ww::iflag::fence) ? 1u : 0u;
      REQUIRE(written == (s.changes != 0 ? inserted : 0u));
      f.taken += written;
      if (written == 0) continue;
      REQUIRE(s.proved);
      ww::program broken = p;
      for (const ww::instr_id id : broken.order) {
        if (broken[id].op == ww::opcode::cctl && !broken[id].has(ww::iflag::fence)) {
          broken[id].ctl.read_barrier = ww::control::no_barrier;
        }
      }
      f.unguarded += ww::verify::check<Arch>(broken).errors() > errors ? 1u : 0u;
    }
  }
}

}  // namespace

TEST_CASE("PLS-13 prefetch: every IADD3 and ISETP that it writes is what the compiler writes") {
  std::size_t same = 0;
  std::size_t additions = 0;
  for (const std::string& path : corpus::listings()) {
    const ww::sm_id sm = corpus::sm_of(path);
    if (static_cast<unsigned>(sm) < 750) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = sm, .file = path});
    if (!r) continue;
    for (const ww::program& p : r.mod.sections) {
      for (const ww::instruction& i : p.instructions) {
        const bool test = i.op == ww::opcode::isetp;
        if ((!test && i.op != ww::opcode::iadd3) || i.has(ww::iflag::guarded)) continue;
        const std::uint64_t form = i.word[0] >> 9 & 7u;
        constexpr std::uint64_t control = ((1ull << 21) - 1) << 41;
        const std::uint64_t high = i.word[1] & ~control;
        ww::program out;
        ww::isa::dialect d;
        ww::region::prefetch_writer w(out, d);
        std::string body(r.mod.body_of(i));
        std::string plain;
        for (std::size_t at = 0; at < body.size(); ++at) {
          if (body.compare(at, 6, ".reuse") == 0)
            at += 5;
          else
            plain += body[at];
        }
        while (!plain.empty() && (plain.back() == ' ' || plain.back() == ';')) plain.pop_back();
        INFO(path << " " << plain);
        ww::operand a, also, dst;
        for (const ww::operand o : p.operands_of(i)) {
          if (o.where() == ww::slot::a) a = o;
          if (o.where() == ww::slot::psrc) also = o;
          if (o.where() == (test ? ww::slot::pdst : ww::slot::dst)) dst = o;
        }
        if (!a.is_register() || a.file() != ww::reg_file::r || a.is_negated()) continue;
        if (!test) {
          if (form != 4 || (high & 0xff) != 0xff || high != 0x07ffe0ffu) continue;
          (void)w.add(dst.base(), a.base(), static_cast<std::int32_t>(i.word[0] >> 32));
          ++additions;
        } else {
          const auto c = static_cast<ww::region::comparison>(high >> 12 & 7u);
          const bool is_signed = (high >> 9 & 1u) != 0;
          if ((form != 1 && form != 4 && form != 5 && form != 6) || (high >> 8 & 1u) != 0 || (high >> 10 & 3u) != 0 ||
              (high >> 16 & 1u) != 0)
            continue;
          if (also.is_not() || (high >> 20 & 7u) != 7) continue;
          if (form != 4 && (i.word[0] >> 63 & 1u) != 0) continue;  // negated b
          if (form == 4) {
            (void)w.compare(dst.base(), a.base(), c, is_signed, static_cast<std::int32_t>(i.word[0] >> 32), also.base());
          } else {
            ww::program host = p;
            ww::region::prefetch_writer h(host, d);
            const ww::instr_id made = h.compare(dst.base(), a.base(), c, is_signed, i, also.base());
            REQUIRE(h.ok());
            REQUIRE(host[made].word[0] == i.word[0]);
            REQUIRE(host[made].word[1] == high);
            ++same;
            continue;
          }
        }
        REQUIRE(w.ok());
        REQUIRE(out.instructions[0].word[0] == i.word[0]);
        REQUIRE(out.instructions[0].word[1] == high);
        ++same;
      }
    }
  }
  CHECK(same > 100);
  CHECK(additions > 30);
}

TEST_CASE("PLS-13 prefetch: in real loops every prefetched address is loaded later, and nothing else changes") {
  figures f;
  run_loops<ww::sm80>(f);
  run_loops<ww::sm90>(f);
  if (!ww_test::slow) {
    run_loops<ww::sm75>(f);
    run_loops<ww::sm100>(f);
  }
  std::printf("prefetch: %zu loops, %zu with %zu prefetches (%zu lifted, %zu taken); %zu runs fetched %zu times\n", f.loops,
              f.done, f.prefetches, f.lifted, f.taken, f.runs, f.fetched);
  for (unsigned k = 1; k < 32; ++k) {
    if (f.refused[k] == 0) continue;
    std::printf("  %zu: %s\n", f.refused[k], ww::region::name_of(static_cast<refusal>(k)));
  }
  CHECK(f.done >= 5);
  CHECK(f.fetched > 100);
  CHECK(f.lifted >= f.prefetches / 2);
  CHECK(f.taken > 0);
  CHECK(f.unguarded > 0);
}

namespace {

// A loop that loads through R2:R3, 256 bytes further each time, and goes on while R6 `c` bound.
struct loop_kind {
  ww::region::comparison c = ww::region::comparison::ne;
  bool is_signed = true;
  std::int32_t step = -1;
  char bound = 'z';  // z RZ, i immediate, r R7, u UR4, c constant
  std::int32_t value = 0;
  bool first = false;     // the test stands in front of the step
  bool inverted = false;  // @!P0 BRA on the opposite comparison
  const char* load = "LDG.E.CONSTANT R4, [R2.64]";
  std::int32_t stride = 256;
};

ww::program make(const loop_kind& k) {
  ww::isa::builder b;
  const auto say = [&](const std::string& text, std::uint64_t low, std::uint64_t high) {
    const std::uint64_t w[2] = {low, high};
    b.text(text, w);
  };
  const auto hex = [](std::int64_t v) {
    char text[32];
    std::snprintf(text, sizeof text, "%s0x%llx", v < 0 ? "-" : "", static_cast<unsigned long long>(v < 0 ? -v : v));
    return std::string(text);
  };
  const auto upper = [](std::int32_t v) { return std::uint64_t{static_cast<std::uint32_t>(v)} << 32; };
  b.text("MOV R5, RZ");
  b.label("loop");
  say(k.load, 0x7981u | 4u << 16 | 2u << 24, 0xc1e9900);
  say("IADD3 R5, R5, R4, RZ", 0x7210u | 5u << 16 | 5u << 24 | 4ull << 32, 0x07ffe0ff);
  say("IADD3 R2, P1, R2, " + hex(k.stride) + ", RZ", 0x7810u | 2u << 16 | 2u << 24 | upper(k.stride), 0x07f3e0ff);
  if (k.stride < 0) {
    say("IADD3.X R3, R3, -0x1, RZ, P1, !PT", 0x7810u | 3u << 16 | 3u << 24 | upper(-1), 0x00ffe4ff);
  } else {
    say("IADD3.X R3, RZ, R3, RZ, P1, !PT", 0x7210u | 3u << 16 | 0xffull << 24 | 3ull << 32, 0x00ffe4ff);
  }
  const auto count = [&] {
    say("IADD3 R6, R6, " + hex(k.step) + ", RZ", 0x7810u | 6u << 16 | 6u << 24 | upper(k.step), 0x07ffe0ff);
  };
  if (!k.first) count();
  constexpr const char* names[] = {"F", "LT", "EQ", "LE", "GT", "NE", "GE", "T"};
  const auto c = static_cast<unsigned>(k.inverted ? ww::region::opposite(k.c) : k.c);
  std::string text = std::string("ISETP.") + names[c] + (k.is_signed ? ".AND" : ".U32.AND") + " P0, PT, R6, ";
  std::uint64_t low = 0x7000u | 6u << 24;
  std::uint64_t high = 0x03f00070u | (k.is_signed ? 0x200u : 0u) | std::uint64_t{c} << 12;
  switch (k.bound) {
    case 'z':
      text += "RZ";
      low |= 0x20cu | 0xffull << 32;
      break;
    case 'i':
      text += hex(k.value);
      low |= 0x80cu | upper(k.value);
      break;
    case 'r':
      text += "R7";
      low |= 0x20cu | 7ull << 32;
      break;
    case 'u':
      text += "UR4";
      low |= 0xc0cu | 4ull << 32;
      high |= 1u << 27;
      break;
    default:
      text += "c[0x0][0x160]";
      low |= 0xa0cu | 0x160ull << 38;
      break;
  }
  say(text + ", PT", low, high);
  if (k.first) count();
  say(k.inverted ? "@!P0 BRA `(loop)" : "@P0 BRA `(loop)", 0x0947u | (k.inverted ? 0x8000u : 0u), 0);
  b.text("STG.E [R10.64], R5");
  b.text("EXIT");
  ww::program p = b.finish();
  REQUIRE(b.ok());
  p.has_encoding = false;
  REQUIRE(ww::build_cfg(p).ok);
  REQUIRE(p.blocks.size() == 3);
  return p;
}

struct first_level : ww::strategy::prefetch_tuning {
  static constexpr unsigned level = 1;
  static constexpr std::uint32_t memory_latency = 1;
};
template <class Arch>
using config_for = typename ww::scheduler<Arch>::config;

template <class Arch = ww::sm80, class Tuning = ww::strategy::prefetch_tuning>
refusal outcome(const ww::program& from, std::uint32_t trips = 0, ww::program* out = nullptr) {
  using s = ww::strategy::prefetch<ww::strategy::list, Tuning>;
  ww::program p = from;
  typename s::space space;
  space.trip_count = trips;
  const unsigned changes = s::template transform<config_for<Arch>>(p, space);
  REQUIRE(space.loops.size() == 1);
  REQUIRE((changes != 0) == (space.loops[0].refusal == refusal::none));
  REQUIRE((p.order.size() > from.order.size()) == (changes != 0));
  if (out != nullptr) *out = p;
  return space.loops[0].refusal;
}

}  // namespace

TEST_CASE("PLS-13 prefetch: the guard holds exactly while that iteration is still to come") {
  using c = ww::region::comparison;
  std::vector<loop_kind> kinds;
  for (const bool first : {false, true}) {
    for (const bool inverted : {false, true}) {
      for (const std::int32_t size : {1, 4}) {
        if (size == 1 && inverted) continue;
        for (const char bound : {'z', 'i'}) {
          const std::int32_t value = bound == 'z' ? 0 : 5 * size;
          kinds.push_back({c::ne, true, -size, bound, value, first, inverted});
          kinds.push_back({c::ne, true, size, bound, value, first, inverted});
        }
        for (const char bound : {'z', 'i', 'r', 'u', 'c'}) {
          for (const bool is_signed : {true, false}) {
            if (!is_signed && bound == 'z') continue;
            const std::int32_t value = is_signed && bound != 'i' ? -3 : 400;
            kinds.push_back({c::lt, is_signed, size, bound, value, first, inverted});
            kinds.push_back({c::le, is_signed, size, bound, value, first, inverted});
            kinds.push_back({c::gt, is_signed, -size, bound, value, first, inverted});
            kinds.push_back({c::ge, is_signed, -size, bound, value, first, inverted});
          }
        }
      }
    }
  }
  constexpr std::size_t every = ww_test::slow ? 37 : 1;  // of the kinds
  std::size_t runs = 0;
  for (std::size_t number = 0; number < kinds.size(); number += every) {
    const loop_kind& k = kinds[number];
    const ww::program before = make(k);
    ww::program after;
    strategy::space space;
    after = before;
    INFO("comparison " << static_cast<int>(k.c) << " signed " << k.is_signed << " step " << k.step << " bound " << k.bound
                       << " " << k.value << " first " << k.first << " inverted " << k.inverted);
    REQUIRE(strategy::transform<config_for<ww::sm80>>(after, space) == 1);
    const std::uint32_t ahead = space.loops[0].distance;
    REQUIRE(ahead >= 2);
    const std::int64_t value = k.bound == 'z' ? 0 : k.value;
    std::vector<std::int64_t> starts;
    for (std::int64_t n = -12; n <= 60; n += n < 12 ? 1 : 4) starts.push_back(value - n * k.step);
    // Next to where numbers wrap.
    for (const std::int64_t edge : {0ll, 0x7fffffffll, 0x80000000ll, 0xffffffffll}) {
      for (std::int64_t n = -3; n <= 3; ++n) starts.push_back(edge + n);
    }
    for (const std::int64_t start : starts) {
      for (const std::int64_t at : {value, std::int64_t{0x7fffffff}, std::int64_t{-0x7fffffff}, std::int64_t{-1}}) {
        if (at != value && (k.bound == 'z' || k.bound == 'i')) continue;
        machine a;
        machine b;
        for (machine* m : {&a, &b}) {
          m->at(ww::R(6)) = static_cast<std::uint32_t>(start);
          m->at(ww::R(7)) = static_cast<std::uint32_t>(at);
          m->at(ww::UR(4)) = static_cast<std::uint32_t>(at);
          m->at(ww::reg(ww::reg_file::special, 0x160)) = static_cast<std::uint32_t>(at);
        }
        const bool ends = a.run(before, ww::block_id{1}, 63);
        const auto same = [&](bool holds) {
          if (!holds) FAIL("start " << start << " bound " << at << " passes " << a.passes);
        };
        same(b.run(after, ww::block_id{1}, 63) == ends);
        same(a.loaded == b.loaded);
        for (const auto& [address, done] : b.fetched) {
          const std::size_t meant = done + ahead;
          if (meant < b.loaded.size() || ends) same(meant < b.loaded.size() && b.loaded[meant] == address);
        }
        if (!ends) continue;
        ++runs;
        const std::size_t wanted = b.passes > ahead ? b.passes - ahead : 0;
        // Numbers that wrap in a loop that still ends are the only ones that may be left out.
        same(b.fetched.size() <= wanted);
        if (b.passes <= 100 && start - value < 400 && value - start < 400 && at == value) same(b.fetched.size() == wanted);
      }
    }
  }
  CHECK(runs * every > 5000);
}

TEST_CASE("PLS-13 prefetch: what it cannot do is refused by name") {
  const ww::program good = make({});
  CHECK(outcome(good) == refusal::none);
  CHECK(outcome<ww::sm75>(good) == refusal::none);
  CHECK(outcome<ww::sm120>(good) == refusal::none);
  CHECK(outcome<ww::sm50>(good) == refusal::no_encoding);
  CHECK(outcome<ww::sm70>(good) == refusal::no_encoding);
  ww::program placed = good;
  placed.has_encoding = true;
  CHECK(outcome(placed) == refusal::placed);
  CHECK(outcome(make({.load = "LDG.E.STRONG.SYS R4, [R2.64]"})) == refusal::no_load);
  CHECK(outcome(make({.load = "@P3 LDG.E R4, [R2.64]"})) == refusal::no_load);
  CHECK(outcome(make({.load = "LDS R4, [R2]"})) == refusal::no_load);
  CHECK(outcome(make({.load = "LDG.E R4, [R8.64]"})) == refusal::no_step);
  CHECK(outcome(make({.load = "LDG.E R4, [R2.64+UR8]"})) == refusal::no_step);
  CHECK(outcome(make({.c = ww::region::comparison::gt, .step = 1})) == refusal::no_guard);  // away from the bound
  CHECK(outcome(make({.c = ww::region::comparison::lt, .step = -1})) == refusal::no_guard);
  CHECK(outcome(make({.c = ww::region::comparison::eq})) == refusal::no_guard);
  CHECK(outcome(make({.bound = 'r'})) == refusal::no_guard);  // != a register
  CHECK(outcome(make({.stride = 0x700000})) == refusal::too_far);
  CHECK(outcome(make({.stride = -0x700000})) == refusal::too_far);
  CHECK(outcome(good, 3) == refusal::trip_too_small);
  CHECK(outcome(good, 1000) == refusal::none);
  ww::program words = good;
  for (ww::instruction& i : words.instructions) i.word[0] = i.word[1] = 0;
  CHECK(outcome(words) == refusal::no_step);
  // R0..R7 and what is stored through: nothing is free within eight registers; the guard of != 0 needs a predicate alone.
  ww::program tight = make({.bound = 'i', .value = 8});
  CHECK(outcome(tight) == refusal::none);
  tight.register_count = 2;
  CHECK(outcome(tight) == refusal::no_registers);
  ww::program loose = good;
  loose.register_count = 2;
  CHECK(outcome(loose) == refusal::none);
  // On virtual registers the budget counts what is live.
  ww::lifted_program l;
  ww::lift_workspace space;
  REQUIRE(ww::lift(tight, l, space) == ww::lift_fault::none);
  CHECK(outcome(l.code) == refusal::no_registers);
  l.code.register_count = 24;
  ww::program out;
  CHECK(outcome(l.code, 0, &out) == refusal::none);
  bool virtual_guard = false;
  for (const ww::instr_id id : out.order) {
    if (out[id].op != ww::opcode::cctl) continue;
    for (const ww::operand o : out.operands_of(id)) {
      virtual_guard = virtual_guard || (o.where() == ww::slot::guard && o.base().is_virtual());
    }
  }
  CHECK(virtual_guard);
}

TEST_CASE("PLS-13 prefetch: the distance covers the latency, the level is the one asked for, one per line") {
  ww::program p;
  REQUIRE(outcome<ww::sm80, first_level>(make({}), 0, &p) == refusal::none);
  for (const ww::instr_id id : p.order) {
    if (p[id].op != ww::opcode::cctl) continue;
    CHECK(p[id].word[0] == 0x000001000200298full);  // @P2, one iteration further: 256 bytes
    CHECK(p[id].word[1] == 0x100);
    CHECK(p[id].mem_offset == 0x100);
    CHECK_FALSE(p[id].has(ww::iflag::fence));
    CHECK(p[id].has(ww::iflag::guarded));
  }
  // The second level by default, and one prefetch for what lies in one line.
  ww::program q = make({.load = "LDG.E.CONSTANT R4, [R2.64+0x10]"});
  REQUIRE(outcome(q, 0, &p) == refusal::none);
  std::size_t found = 0;
  for (const ww::instr_id id : p.order) {
    if (p[id].op != ww::opcode::cctl) continue;
    ++found;
    CHECK(p[id].word[1] == 0x00800100);
    CHECK(p[id].mem_offset % 256 == 0x10);
  }
  CHECK(found == 1);
  // A cache control that is no prefetch stays a fence.
  const ww::program other = from_text("CCTL.IVALL\nCCTL.E.PF2 [R2]\nEXIT");
  CHECK(other.instructions[0].has(ww::iflag::fence));
  CHECK_FALSE(other.instructions[1].has(ww::iflag::fence));
  CHECK(ww::detail::touches_memory(other.instructions[0]));
  CHECK_FALSE(ww::detail::touches_memory(other.instructions[1]));
}
