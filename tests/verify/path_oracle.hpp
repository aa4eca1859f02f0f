// SPDX-License-Identifier: BSL-1.0
//
// A brute-force judge of planted bugs: one access at a time, followed along every path, no joins and no shared state.
//
// For each result and each late read of each instruction, depth-first search over (instruction, cycles since, what a wait
// would mean) until the access is over or someone collides with it. Slow and simple; it uses the distance tables of
// the architecture and nothing of the checker. DEPBAR counts are taken to be of one queue.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "warpwright/arch/late_source.hpp"
#include "warpwright/arch/vocabulary.hpp"
#include "warpwright/ir/program.hpp"

namespace ww_test {

template <class Arch>
class path_oracle {
 public:
  explicit path_oracle(const ww::program& p) : p_(p) {}

  struct collision {
    ww::instr_id first, second;
    friend auto operator<=>(const collision& a, const collision& b) = default;
  };

  // Everything that collides, or only the first collision found.
  std::set<collision> run(bool first_only) {
    found_.clear();
    first_only_ = first_only;
    rebuild();
    for (std::uint32_t pos = 0; pos < p_.order.size(); ++pos) {
      if (block_of_[pos] == none) continue;
      from(pos);
      if (first_only_ && !found_.empty()) break;
    }
    return found_;
  }

 private:
  using L = typename Arch::latency;
  static constexpr std::uint32_t none = 0xffffffffu;

  void rebuild() {
    block_of_.assign(p_.order.size(), none);
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (p_.blocks[b].padding) continue;
      for (std::uint32_t k = 0; k < p_.blocks[b].count; ++k) block_of_[p_.blocks[b].first + k] = b;
    }
  }
  const ww::instruction& at(std::uint32_t pos) const { return p_[p_.order[pos]]; }

  struct guard {
    ww::reg r{ww::reg_file::none, 0};
    bool negated = false;
  };
  guard guard_of(const ww::instruction& i) const {
    guard g;
    if (!i.has(ww::iflag::guarded)) return g;
    for (const ww::operand& o : p_.operands_of(i)) {
      if (o.where() == ww::slot::guard) g.r = o.base();
    }
    g.negated = i.guard_negated != 0;
    return g;
  }
  static ww::access_point point(const ww::instruction& i, const ww::operand& o, unsigned part) {
    return {i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(part), i.has(ww::iflag::guarded)};
  }
  // Surface stores and CCTL read in order with loads where loads and stores do (sm_50..62).
  static ww::queue_id reads_of(ww::sched_class c) {
    const bool with_loads = Arch::latency::loads_in_order && (c == ww::sched_class::sust || c == ww::sched_class::cctl);
    return L::read_queue(with_loads ? ww::sched_class::ldg : c);
  }
  // Compilers give each of their results a counter, in order or not; those for sm_50..62 do not.
  static bool announced_alone(const ww::instruction& i) {
    using c = ww::sched_class;
    if (Arch::latency::loads_in_order) return false;
    return i.iclass == c::ldg || i.iclass == c::ldl || i.iclass == c::ld || i.iclass == c::atom || i.iclass == c::atomg ||
           i.iclass == c::ldc;
  }
  static bool same_queue(ww::queue_id a, ww::sched_class ca, ww::queue_id b, ww::sched_class cb) {
    if (a == ww::queue_id::none || a != b) return false;
    return a != ww::queue_id::own || ca == cb;
  }

  void from(std::uint32_t pos) {
    const ww::instruction& i = at(pos);
    if (i.has(ww::iflag::never) || i.has(ww::iflag::unknown) || i.has(ww::iflag::padding)) return;
    for (const ww::operand& o : p_.operands_of(i)) {
      if (!o.is_register()) continue;
      if (o.file() == ww::reg_file::b || o.file() == ww::reg_file::sb || o.file() == ww::reg_file::special) continue;
      const bool result = o.is_def();
      if (!result && !ww::late_source<L>(point(i, o, 0))) continue;
      for (unsigned part = 0; part < o.width(); ++part) {
        if (!result && overwrites(i, ww::reg(o.file(), o.base().number() + part))) continue;
        follow(pos, o, part, result);
        if (first_only_ && !found_.empty()) return;
      }
    }
  }
  // `i` needs the convergence register that `e` has written.
  bool converges_on(const ww::instruction& e, const ww::instruction& i) const {
    for (const ww::operand& o : p_.operands_of(i)) {
      if (o.is_use() && o.file() == ww::reg_file::b && e.iclass == ww::sched_class::bmov_to_b && overwrites(e, o.base()))
        return true;
    }
    return false;
  }
  bool overwrites(const ww::instruction& i, ww::reg r) const {
    if (i.has(ww::iflag::guarded)) return false;
    for (const ww::operand& o : p_.operands_of(i)) {
      if (o.is_def() && !o.is_partial() && o.file() == r.file() && r.number() >= o.base().number() &&
          r.number() < o.base().number() + o.width()) {
        return true;
      }
    }
    return false;
  }

  // later[c]: increments of c since the access is announced by c, 0 = not announced, else count + 1; since[c]: cycles since
  // the newest
  struct walk_state {
    std::uint32_t pos = 0;
    unsigned age = 0;
    std::array<std::uint8_t, 6> later{};
    std::array<std::uint8_t, 6> since{};  // capped at 3
    bool guard_intact = true;
    auto key() const { return std::tie(pos, age, later, since, guard_intact); }
    friend bool operator<(const walk_state& a, const walk_state& b) { return a.key() < b.key(); }
  };

  void follow(std::uint32_t start, const ww::operand& o, unsigned part, bool result) {
    const ww::instruction& e = at(start);
    const ww::reg r(o.file(), o.base().number() + part);
    const bool counted = result ? L::variable(e.iclass) : true;
    const guard eg = guard_of(e);
    // A generic atomic decides its predicate when it reads, on some SMs.
    bool early = false;
    if constexpr (requires { L::predicates_with_reads; }) early = L::predicates_with_reads;
    early = early && result && e.iclass == ww::sched_class::atom && o.where() == ww::slot::pdst;
    walk_state s;
    s.pos = start;
    s.since.fill(3);
    const auto& c = e.ctl;
    if (c.write_barrier < 6) s.later[c.write_barrier] = 1, s.since[c.write_barrier] = 0;
    if ((!result || early) && c.read_barrier < 6) {
      s.later[c.read_barrier] = c.write_barrier == c.read_barrier ? 2 : 1;
      s.since[c.read_barrier] = 0;
    }
    if (eg.r.file() != ww::reg_file::none && defines(e, eg.r)) s.guard_intact = false;
    std::set<walk_state> seen;
    std::vector<walk_state> todo;
    leave(start, s, todo);
    while (!todo.empty()) {
      walk_state w = todo.back();
      todo.pop_back();
      if (!seen.insert(w).second) continue;
      if (seen.size() > 20000) return;  // judged harmless: the caller drops such sites
      const ww::instruction& i = at(w.pos);
      if (i.has(ww::iflag::padding)) continue;
      if (!counted && w.age >= L::max_fixed + 4u) continue;
      // waits
      bool over = false;
      for (unsigned k = 0; k < 6; ++k) {
        if ((i.ctl.wait_mask >> k & 1u) == 0 || w.later[k] == 0) continue;
        if (w.since[k] >= Arch::barriers::set_to_wait || w.later[k] > 1) over = true;
      }
      if (i.iclass == ww::sched_class::depbar) {
        const std::uint64_t word = i.word[0];
        unsigned n = static_cast<unsigned>(i.mem_offset);
        if ((word | i.word[1]) != 0) n = static_cast<unsigned>(i.word[1] == 0 ? word >> 20 : word >> 38) & 63u;
        for (const ww::operand& d : p_.operands_of(i)) {
          if (d.file() != ww::reg_file::sb || d.base().number() > 5) continue;
          if (w.later[d.base().number()] > n) over = true;
          n = 0;  // those in braces
        }
      }
      const bool memory =
          e.dir != ww::mem_dir::none || e.iclass == ww::sched_class::shfl || e.iclass == ww::sched_class::bar;
      if (i.iclass == ww::sched_class::bar && !result && memory) over = true;
      if (i.iclass == ww::sched_class::bsync && !result && converges_on(e, i)) over = true;
      if (over) continue;
      bool ended = false;
      if (!i.has(ww::iflag::never) && !i.has(ww::iflag::unknown)) {
        const guard ig = guard_of(i);
        const bool apart = w.guard_intact && eg.r.file() != ww::reg_file::none && ig.r == eg.r && ig.negated != eg.negated;
        if (!apart) {
          for (const ww::operand& d : p_.operands_of(i)) {
            if (!d.is_register() || d.file() != r.file() || r.number() < d.base().number() ||
                r.number() >= d.base().number() + d.width()) {
              continue;
            }
            const unsigned dp = r.number() - d.base().number();
            if (result && d.is_use()) {
              if (counted || w.age < L::raw(point(e, o, part), point(i, d, dp)).check) hit(start, w.pos);
            }
            if (d.is_def()) {
              if (result && counted) {
                const bool in_order =
                    L::variable(i.iclass) && !announced_alone(e) &&
                    same_queue(L::completion_queue(e.iclass), e.iclass, L::completion_queue(i.iclass), i.iclass);
                if (!in_order) hit(start, w.pos);
              } else if (result) {
                const bool lands_last =
                    Arch::latency::loads_in_order && L::variable(i.iclass);  // sm_50..62: may issue together
                if (!lands_last && w.age < L::waw(point(e, o, part), point(i, d, dp)).check) hit(start, w.pos);
              } else {
                const bool in_order = L::variable(i.iclass) &&
                                      same_queue(reads_of(e.iclass), e.iclass, L::overwrite_queue(i.iclass), i.iclass);
                if (!in_order) hit(start, w.pos);
              }
            }
          }
          if (first_only_ && !found_.empty()) return;
        }
        ended = overwrites(i, r);
        if (eg.r.file() != ww::reg_file::none && defines(i, eg.r)) w.guard_intact = false;
      }
      if (ended) continue;
      // raises
      auto raise = [&](unsigned k, bool for_result) {
        const bool complete = for_result && !announced_alone(e) &&
                              same_queue(L::completion_queue(e.iclass), e.iclass, L::completion_queue(i.iclass), i.iclass);
        const bool read = !result && same_queue(reads_of(e.iclass), e.iclass, reads_of(i.iclass), i.iclass);
        if (w.later[k] != 0) {
          if (w.later[k] < 250) ++w.later[k];
        } else if (complete || read) {
          w.later[k] = 1;
        }
        w.since[k] = 0;
      };
      if (i.ctl.read_barrier < 6) raise(i.ctl.read_barrier, false);
      if (i.ctl.write_barrier < 6) raise(i.ctl.write_barrier, true);
      if (w.pos == start) continue;  // the next turn of a loop is followed from its own start
      leave(w.pos, w, todo);
    }
  }
  bool defines(const ww::instruction& i, ww::reg r) const {
    if (i.has(ww::iflag::never)) return false;
    for (const ww::operand& o : p_.operands_of(i)) {
      if (o.is_def() && o.file() == r.file() && r.number() >= o.base().number() &&
          r.number() < o.base().number() + o.width())
        return true;
    }
    return false;
  }
  void leave(std::uint32_t pos, walk_state s, std::vector<walk_state>& todo) const {
    const ww::instruction& i = at(pos);
    if (i.ctl.drains()) return;
    const unsigned stall = i.ctl.stall;
    s.age = std::min(s.age + stall, 64u);
    for (auto& t : s.since) {
      const unsigned gap = t == 0 && stall == 1 && i.ctl.yield ? 2u : stall;
      t = static_cast<std::uint8_t>(std::min(t + gap, 3u));
    }
    const ww::block& b = p_.blocks[block_of_[pos]];
    if (pos + 1 < b.first + b.count) {
      s.pos = pos + 1;
      todo.push_back(s);
      return;
    }
    const bool jumps = i.has(ww::iflag::branch) || i.has(ww::iflag::call) || i.has(ww::iflag::ret);
    const walk_state through = s;
    for (const ww::cfg_edge& e : p_.edges_of(b)) {
      if (e.kind == ww::edge_kind::call_return) continue;
      s = through;
      const unsigned least = Arch::pipes::min_stall(ww::sched_class::branch);
      if (jumps && e.kind != ww::edge_kind::fall && stall < least) {
        s.age = std::min(s.age + least - stall, 64u);
        s.since.fill(3);
      }
      const ww::block& t = p_[e.to];
      if (t.count == 0 || t.padding) continue;
      s.pos = t.first;
      todo.push_back(s);
    }
  }
  void hit(std::uint32_t a, std::uint32_t b) { found_.insert({p_.order[a], p_.order[b]}); }

  const ww::program& p_;
  std::vector<std::uint32_t> block_of_;
  std::set<collision> found_;
  bool first_only_ = false;
};

}  // namespace ww_test
