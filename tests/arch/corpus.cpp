// SPDX-License-Identifier: BSL-1.0
//
// The architecture pages against every listing of a corpus (environment variable WARPWRIGHT_CORPUS).
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
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../support/catch.hpp"

namespace {

using namespace ww;

std::string read_file(const std::filesystem::path& path) {
  std::string text;
  if (path.extension() == ".xz") {
    const std::string command = "xz -dc '" + path.string() + "'";
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) {
      return text;
    }
    char buffer[1 << 16];
    for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) {
      text.append(buffer, n);
    }
    pclose(pipe);
  } else {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream s;
    s << in.rdbuf();
    text = s.str();
  }
  return text;
}

// "bitonic.sm80.sass.xz" -> "sm80"
std::string sm_of(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  const std::size_t at = name.find(".sm");
  return at == std::string::npos ? std::string{} : name.substr(at + 1, name.find('.', at + 1) - at - 1);
}

std::vector<std::filesystem::path> listings() {
  std::vector<std::filesystem::path> out;
  const char* corpus = std::getenv("WARPWRIGHT_CORPUS");
  if (corpus != nullptr) {
    for (const auto& e : std::filesystem::directory_iterator(std::filesystem::path(corpus) / "listings")) {
      out.push_back(e.path());
    }
    std::sort(out.begin(), out.end());
  }
  return out;
}

enum class dependence : std::uint8_t { raw, war, waw };

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
          const touch t{{i.iclass, o.where(), o.file(), static_cast<std::uint8_t>(k), !guard.is_none()}, id, now,
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

reg guard_of(const program& p, const instruction& i);

}  // namespace
