// SPDX-License-Identifier: BSL-1.0
//
// What compilers keep between dependent instructions, beside the tables: bench_distances [--check] [LISTING...]; without listings,
// the corpus that WARPWRIGHT_CORPUS names, or the bundled ones, those of newer SMs with them.
//
//   distance   issue cycles between writer and reader (RAW), two writers (WAW), or reader and writer (WAR), inside a block; a stall
//              of 0 ends what is known, and so does a result under a counter, or a source that is read late
//   closer     some compiled pair keeps less than `check`: the checker would complain. --check exits 1
//   tighter    words made here may keep less (`emit`) than any compiled pair, though ten or more stand exactly at the least: what to
//              look at when an SM gets its tables. Compilers have other reasons for distance, so that most of these mean nothing
//
// Pairs are told apart by class, slot, half of the register and register file; the mnemonics printed are one example at the least.
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "listings.hpp"
#include "warpwright/arch/all.hpp"
#include "warpwright/isa/opcode.hpp"

namespace {

enum class dependence : std::uint8_t { raw, waw, war };
constexpr const char* names[] = {"RAW", "WAW", "WAR"};

using side = std::tuple<unsigned, unsigned, unsigned, bool>;  // class, slot, part, guarded
using key = std::tuple<dependence, unsigned, side, side>;     // with the register file

struct seen {
  std::map<unsigned, std::uint64_t> cases;  // by distance
  ww::distance table;
  ww::opcode first{}, second{};  // an example at the least
};

struct access {
  unsigned at = 0;  // cycle
  ww::access_point point;
  ww::opcode op{};
};

side side_of(const ww::access_point& a) {
  return {static_cast<unsigned>(a.iclass), static_cast<unsigned>(a.where), a.part & 1u, a.guarded};
}

template <class Arch>
class miner {
 public:
  void take(const ww::program& p) {
    for (const ww::block& b : p.blocks) {
      if (!b.reachable || b.padding) continue;
      forget();
      for (const ww::instr_id id : p.order_of(b)) {
        const ww::instruction& i = p[id];
        ++instructions;
        read(p, i);
        write(p, i);
        if (i.ctl.stall == 0) forget();
        now_ += i.ctl.stall;
      }
    }
  }

  // How many pairs are closer than `check`.
  unsigned print() const {
    unsigned closer = 0, tighter = 0;
    std::uint64_t all = 0;
    std::string text;
    for (const auto& [k, s] : pairs_) {
      const auto& [kind, file, first, second] = k;
      std::uint64_t cases = 0;
      for (const auto& [distance, n] : s.cases) cases += n;
      all += cases;
      const auto [least, at_least] = *s.cases.begin();
      const bool close = least < s.table.check;
      const bool tight = least > s.table.emit && at_least >= 10 && least <= 32;
      if (!close && !tight) continue;
      ++(close ? closer : tighter);
      std::array<char, 200> line{};
      const ww::string_view a = ww::isa::name(s.first), b = ww::isa::name(s.second);
      std::snprintf(line.data(), line.size(),
                    "  %-8s %s %2u cycles, %llu of %llu; check %u, emit %u: %.*s%s (half %u) %.*s%s (slot %u, half %u)\n",
                    close ? "closer" : "tighter", names[static_cast<unsigned>(kind)], least,
                    static_cast<unsigned long long>(at_least), static_cast<unsigned long long>(cases), s.table.check + 0u,
                    s.table.emit + 0u, static_cast<int>(a.size()), a.data(), std::get<3>(first) ? " guarded" : "",
                    std::get<2>(first), static_cast<int>(b.size()), b.data(), std::get<3>(second) ? " guarded" : "",
                    std::get<1>(second), std::get<2>(second));
      text += line.data();
    }
    if (instructions == 0) return 0;
    std::printf("%s: %llu instructions, %llu dependences of %zu kinds; %u closer than the checker allows, %u tighter\n%s",
                Arch::name, static_cast<unsigned long long>(instructions), static_cast<unsigned long long>(all),
                pairs_.size(), closer, tighter, text.c_str());
    return closer;
  }

  std::uint64_t instructions = 0;

 private:
  using latency = typename Arch::latency;

  void forget() {
    writers_.clear();
    readers_.clear();
  }
  void note(dependence kind, const access& a, const ww::access_point& b, ww::opcode op, const ww::distance& table) {
    seen& s = pairs_[{kind, static_cast<unsigned>(b.file), side_of(a.point), side_of(b)}];
    const unsigned distance = now_ - a.at;
    if (s.cases.empty() || distance < s.cases.begin()->first) {
      s.first = a.op;
      s.second = op;
    }
    ++s.cases[distance];
    s.table = table;
  }
  template <class Use>
  static void each_register(const ww::program& p, const ww::instruction& i, bool defs, Use&& use) {
    for (const ww::operand o : p.operands_of(i)) {
      if (!o.is_register() || o.is_def() != defs || o.file() > ww::reg_file::up) continue;
      for (unsigned n = 0; n < (o.width() > 1 ? o.width() : 1u); ++n) {
        const ww::access_point a{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(n), i.has(ww::iflag::guarded)};
        use(o, ww::reg(o.file(), o.base().number() + n).packed, a);
      }
    }
  }
  void read(const ww::program& p, const ww::instruction& i) {
    each_register(p, i, false, [&](ww::operand, std::uint32_t r, const ww::access_point& a) {
      for (const access& w : writers_[r]) note(dependence::raw, w, a, i.op, latency::raw(w.point, a));
      if (!latency::late_source(a)) readers_[r].push_back({now_, a, i.op});
    });
  }
  void write(const ww::program& p, const ww::instruction& i) {
    each_register(p, i, true, [&](ww::operand o, std::uint32_t r, const ww::access_point& a) {
      std::vector<access>& before = writers_[r];
      for (const access& w : before) note(dependence::waw, w, a, i.op, latency::waw(w.point, a));
      for (const access& u : readers_[r]) {
        if (u.at != now_) note(dependence::war, u, a, i.op, latency::war(u.point, a));
      }
      readers_[r].clear();
      if (!a.guarded && !o.is_partial()) before.clear();  // else the older value may still be there
      if (!latency::variable(i.iclass)) before.push_back({now_, a, i.op});
    });
  }

  unsigned now_ = 0;
  std::unordered_map<std::uint32_t, std::vector<access>> writers_, readers_;  // by register
  std::map<key, seen> pairs_;
};

template <class... Archs>
struct miners : miner<Archs>... {
  void take(const ww::program& p) {
    (void)((Archs::id == ww::nearest_sm(p.sm) ? (miner<Archs>::take(p), true) : false) || ...);
  }
  unsigned print() const { return (0u + ... + miner<Archs>::print()); }
};

}  // namespace

int main(int argc, char** argv) {
  ww_bench::arguments given(argc, argv);
  if (given.paths.empty()) {
    given.paths = ww_bench::of_corpus();
    const std::vector<std::string> newer = ww_test::corpus::files(ww_test::corpus::bundled("listings_blackwell"));
    given.paths.insert(given.paths.end(), newer.begin(), newer.end());
  }
  miners<ww::sm70, ww::sm75, ww::sm80, ww::sm86, ww::sm89, ww::sm90, ww::sm90a, ww::sm100, ww::sm103, ww::sm107, ww::sm110,
         ww::sm120>
      all;
  unsigned unusable = ww_bench::each_program(given.paths, [&](const ww::program& p) { all.take(p); });
  const unsigned closer = all.print();
  return unusable != 0 ? 2 : given.check && closer != 0 ? 1 : 0;
}
