// SPDX-License-Identifier: BSL-1.0
//
// The architecture pages against the bundled listings and every listing of a corpus (WARPWRIGHT_CORPUS).
//
//   control words  every one decodes, is valid and encodes to itself
//   distances      no compiler listing of the corpus goes below a `check` distance inside a block
//   halves         minima taken from one half of the kernels are not undercut by the other half
// The walk is the plainest possible: per block, the issue cycle of each instruction is the sum of the stalls before it.
#include <warpwright/arch/all.hpp>
#include <warpwright/arch/control_format.hpp>
#include <warpwright/arch/late_source.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/listing.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"

namespace {

using namespace ww;
namespace corpus = ww_test::corpus;

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

// "bitonic.sm80.sass.xz" -> "sm80"
std::string sm_text(const std::string& path) {
  const std::string name = file_name(path);
  const std::size_t at = name.find(".sm");
  return at == std::string::npos ? std::string{} : name.substr(at + 1, name.find('.', at + 1) - at - 1);
}

// Bundled listings always, the corpus where it is named; without the directory listing's own order.
std::vector<std::string> listings() {
  std::vector<std::string> out = corpus::files(corpus::bundled("listings"));
  const std::vector<std::string> blackwell = corpus::files(corpus::bundled("listings_blackwell"));
  out.insert(out.end(), blackwell.begin(), blackwell.end());
  if (!corpus::root().empty()) {
    const std::vector<std::string> whole = corpus::files(corpus::root() + "/listings");
    out.insert(out.end(), whole.begin(), whole.end());
  }
  std::erase_if(out, [](const std::string& path) { return file_name(path).find(".sm") == std::string::npos; });
  return out;
}

enum class dependence : std::uint8_t { raw, war, waw };

// The guard of an instruction, or a register of no file.
reg guard_of(const program& p, const instruction& i) {
  for (const operand& o : p.operands_of(i)) {
    if (o.where() == slot::guard) {
      return o.base();
    }
  }
  return {reg_file::none, 0};
}

struct observed_pair {
  dependence kind;
  access_point first, second;
  unsigned distance;
  instr_id from, to;
};

// Calls f(observed_pair) for every dependence inside a block whose first side needs no counter.
template <class Latency, class F>
void walk(const program& p, F f) {
  struct touch {
    access_point at;
    instr_id who;
    unsigned cycle;
    bool variable;
  };
  std::vector<unsigned> cycle(p.instructions.size(), 0);
  for (const block& b : p.blocks) {
    std::map<std::uint32_t, std::vector<touch>> writes;
    std::map<std::uint32_t, std::vector<touch>> reads;
    unsigned now = 0;
    for (const instr_id id : p.order_of(b)) {
      const instruction& i = p[id];
      const reg guard = guard_of(p, i);
      const auto complementary = [&](const touch& t) {
        const instruction& o = p[t.who];
        return !guard.is_none() && guard_of(p, o) == guard && o.guard_negated != i.guard_negated;
      };
      for (const operand& o : p.operands_of(i)) {
        if (!o.is_register()) {
          continue;
        }
        for (unsigned k = 0; k < std::max(1u, o.width()); ++k) {
          const std::uint32_t key = o.base().packed + k;
          access_point at{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), !guard.is_none()};
          if (o.is_use()) {
            for (const touch& t : writes[key]) {
              if (!t.variable && !complementary(t)) {
                f(observed_pair{dependence::raw, t.at, at, now - t.cycle, t.who, id});
              }
            }
          }
          if (o.is_def()) {
            for (const touch& t : writes[key]) {
              if (!t.variable && !complementary(t)) {
                f(observed_pair{dependence::waw, t.at, at, now - t.cycle, t.who, id});
              }
            }
            for (const touch& t : reads[key]) {
              if (t.who != id && !late_source<Latency>(t.at) && !complementary(t)) {
                f(observed_pair{dependence::war, t.at, at, now - t.cycle, t.who, id});
              }
            }
          }
        }
      }
      for (const operand& o : p.operands_of(i)) {
        if (!o.is_register()) {
          continue;
        }
        for (unsigned k = 0; k < std::max(1u, o.width()); ++k) {
          const std::uint32_t key = o.base().packed + k;
          const touch t{{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), !guard.is_none()},
                        id,
                        now,
                        Latency::variable(i.iclass)};
          if (o.is_def()) {
            if (!o.is_partial() && guard.is_none()) {
              writes[key].clear();
              reads[key].clear();
            }
            writes[key].push_back(t);
          } else {
            reads[key].push_back(t);
          }
        }
      }
      now += i.ctl.drains() ? 64u : i.ctl.stall;
    }
  }
}

// Minima by SM, kind, file and group pair, with what is needed to name an offender.
struct group_key {
  dependence kind;
  reg_file file;
  unsigned first, second;
  auto operator<=>(const group_key&) const = default;
};

group_key key_of(const observed_pair& o) {
  unsigned first = 0;
  unsigned second = 0;
  switch (o.first.file) {
    case reg_file::r:
      first = static_cast<unsigned>(detail::r_writer_of(o.first));
      second = static_cast<unsigned>(o.kind == dependence::raw ? static_cast<unsigned>(detail::r_reader_of(o.second))
                                                               : static_cast<unsigned>(detail::r_writer_of(o.second)));
      break;
    case reg_file::p:
      first = static_cast<unsigned>(detail::p_writer_of(o.first));
      second = static_cast<unsigned>(o.kind == dependence::raw ? static_cast<unsigned>(detail::p_reader_of(o.second))
                                                               : static_cast<unsigned>(detail::p_writer_of(o.second)));
      break;
    case reg_file::ur:
      first = static_cast<unsigned>(detail::u_writer_of(o.first));
      second = static_cast<unsigned>(o.kind == dependence::raw ? static_cast<unsigned>(detail::u_reader_of(o.second))
                                                               : static_cast<unsigned>(detail::u_writer_of(o.second)));
      break;
    default:
      first = static_cast<unsigned>(o.first.iclass);
      second = static_cast<unsigned>(o.second.iclass);
      break;
  }
  return {o.kind, o.first.file, first, second};
}

template <class Latency>
distance required(const observed_pair& o) {
  switch (o.kind) {
    case dependence::raw:
      return Latency::raw(o.first, o.second);
    case dependence::war:
      return Latency::war(o.first, o.second);
    default:
      return Latency::waw(o.first, o.second);
  }
}

const char* name_of(dependence k) { return k == dependence::raw ? "RAW" : k == dependence::war ? "WAR" : "WAW"; }

}  // namespace

TEST_CASE("SB-1 corpus: every control word decodes, is valid and encodes to itself") {
  const auto files = listings();
  REQUIRE_FALSE(files.empty());
  std::size_t words = 0;
  std::size_t wrong = 0;
  for (const auto& path : files) {
    const std::string text = corpus::text(path);
    const auto r = sass::read_listing(text, {.sm = parse_sm(sm_text(path)), .file = {}});
    INFO(file_name(path));
    REQUIRE(static_cast<bool>(r));
    visit_arch(nearest_sm(parse_sm(sm_text(path))), [&]<class Arch>() {
      using F = typename Arch::control_format;
      for (const program& p : r.mod.sections) {
        for (const instruction& i : p.instructions) {
          const std::uint32_t w = sm70_128::extract(i.word);
          std::uint64_t again[2] = {i.word[0], i.word[1]};
          sm70_128::place(again, F::encode(F::decode(w)));
          ++words;
          wrong +=
              !F::valid(w) || F::encode(F::decode(w)) != w || again[1] != i.word[1] || !(F::decode(w) == i.ctl) ? 1u : 0u;
        }
      }
    });
  }
  std::printf("control words: %zu of %zu identical\n", words - wrong, words);
  CHECK(wrong == 0);
  CHECK(words > 0);
}

TEST_CASE("arch corpus: compiler listings keep every check distance, and halves of the corpus agree") {
  const auto files = listings();
  REQUIRE_FALSE(files.empty());
  std::map<std::string, std::map<group_key, std::pair<unsigned, std::size_t>>> half[2];
  std::size_t pairs = 0;
  std::size_t below = 0;
  std::size_t listings_read = 0;
  for (const auto& path : files) {
    const std::string name = file_name(path);
    if (name.find("-O0") != std::string::npos) {
      continue;  // unscheduled output teaches nothing about distances
    }
    const std::string text = corpus::text(path);
    auto r = sass::read_listing(text, {.sm = parse_sm(sm_text(path)), .file = {}});
    REQUIRE(static_cast<bool>(r));
    ++listings_read;
    // FNV-1a of the program's name, so that all SMs of one program fall into the same half.
    std::uint32_t hash = 2166136261u;
    for (const char c : name.substr(0, name.find(".sm"))) {
      hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    }
    auto& minima = half[(hash >> 7) & 1u][sm_text(path)];
    visit_arch(nearest_sm(parse_sm(sm_text(path))), [&]<class Arch>() {
      using L = typename Arch::latency;
      for (program& p : r.mod.sections) {
        REQUIRE(build_cfg(p).ok);
        walk<L>(p, [&](const observed_pair& o) {
          ++pairs;
          const distance d = required<L>(o);
          if (o.distance < d.check) {
            if (++below <= 60) {
              std::printf("%s: %s %.*s -> %.*s (%x -> %x): %u, check %u\n", name.c_str(), name_of(o.kind),
                          static_cast<int>(r.mod.body_of(p[o.from]).size()), r.mod.body_of(p[o.from]).data(),
                          static_cast<int>(r.mod.body_of(p[o.to]).size()), r.mod.body_of(p[o.to]).data(), p[o.from].address,
                          p[o.to].address, o.distance, d.check);
            }
          }
          auto [at, fresh] = minima.try_emplace(key_of(o), o.distance, 0);
          if (o.distance < at->second.first) {
            at->second = {o.distance, 0};
          }
          at->second.second += o.distance == at->second.first ? 1u : 0u;
        });
      }
    });
  }
  std::size_t shared = 0;
  std::size_t undercut = 0;
  for (const auto& [sm, train] : half[0]) {
    for (const auto& [key, least] : train) {
      const auto other = half[1][sm].find(key);
      if (other == half[1][sm].end()) {
        continue;
      }
      for (const auto& [a, b] : {std::pair{least, other->second}, std::pair{other->second, least}}) {
        if (a.second >= 10) {
          ++shared;
          if (b.first < a.first) {
            ++undercut;
            std::printf("%s %s file %u groups %u %u: %u (%zu cases) in one half, %u (%zu) in the other\n", sm.c_str(),
                        name_of(key.kind), static_cast<unsigned>(key.file), key.first, key.second, a.first, a.second,
                        b.first, b.second);
          }
        }
      }
    }
  }
  std::printf("%zu listings, %zu dependences, %zu below check; halves: %zu trusted cells, %zu undercut\n", listings_read,
              pairs, below, shared, undercut);
  CHECK(below == 0);
}
