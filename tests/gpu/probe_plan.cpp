// SPDX-License-Identifier: BSL-1.0
//
// Edits of control words that ask the hardware what it really needs: a plan for ww_gpu_probe.
//
//   probe_plan EACH CUBIN LISTING [CUBIN LISTING]...
//
// CUBIN is a generated kernel for sm_90 (tests/gpu/generated.hpp), LISTING what nvdisasm -c -hex says of it. One field of one control word is
// changed at a time, and the checker says what that breaks:
//
//   distance   a stall lowered by one or more, so that results of fixed latency are read or replaced too early; kept if all findings are
//              about one pair of opcodes, register file and kind. CELL names it, REQUIRED is the checker's number
//   counter    a wait left out, or a counter not raised; CELL names the opcode whose result or late read is unprotected
//   harmless   a stall lowered where nothing is found: the hardware must agree
//
// Lines to standard output, tab-separated: CUBIN, file offset, the two new words, kind, CELL, REQUIRED, DISTANCE (cycles, 0 for
// counters). At most EACH for one cell and distance, 20 * EACH for a counter's cell, and EACH harmless ones per kernel.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <warpwright/arch/sm90.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/sass/cubin.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/instances.hpp>

WW_EXTERN_CHECK(ww::sm90)

namespace {

using arch = ww::sm90;

struct edit {
  std::string line;  // without the name of the cubin
  std::string cell;  // with kind and distance
};

std::string text_of(const char* path) {
  std::ifstream f(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(f), {});
}

class planner {
 public:
  planner(unsigned each, std::mt19937& random) : each_(each), random_(random) {}

  // Edits of one function whose code begins at `place` in the file.
  void add(const std::string& cubin, const ww::sass::module& m, ww::program& p, std::size_t place) {
    module_ = &m;
    p_ = &p;
    place_ = place;
    edits_.clear();
    harmless_.clear();
    for (ww::instruction& i : p.instructions) {
      if (i.has(ww::iflag::padding) || i.has(ww::iflag::unknown)) continue;
      const ww::control was = i.ctl;
      stalls(i, was);
      counters(i, was);
    }
    std::shuffle(edits_.begin(), edits_.end(), random_);
    std::shuffle(harmless_.begin(), harmless_.end(), random_);
    std::map<std::string, unsigned> here;  // of one kernel few, so that a cell is seen in several
    for (const edit& e : edits_) {
      unsigned& all = taken_[e.cell];
      const bool counter = e.line.find("\tcounter\t") != std::string::npos;
      if (all >= (counter ? 20 * each_ : each_) || here[e.cell] >= 3) continue;
      ++all;
      ++here[e.cell];
      std::printf("%s\t%s\n", cubin.c_str(), e.line.c_str());
    }
    for (std::size_t k = 0; k < harmless_.size() && k < each_; ++k) {
      std::printf("%s\t%s\n", cubin.c_str(), harmless_[k].line.c_str());
    }
  }

 private:
  void stalls(ww::instruction& i, const ww::control& was) {
    if (was.stall < 2 || was.drains()) return;
    for (unsigned less = 1; less < was.stall && less <= 6; ++less) {
      i.ctl.stall = static_cast<std::uint8_t>(was.stall - less);
      i.ctl.yield = i.ctl.stall == 1 || i.ctl.stall < 12 ? false : was.yield;
      const ww::verify::report r = check();
      if (r.errors() == 0) {
        if (less == 1 || random_() % 4 == 0) keep(harmless_, i, "harmless", "stall", 0, 0);
        continue;
      }
      keep_distance(r, i);
    }
    i.ctl = was;
  }

  void counters(ww::instruction& i, const ww::control& was) {
    for (unsigned c = 0; c < ww::control::barrier_count; ++c) {
      if ((was.wait_mask >> c & 1u) == 0) continue;
      i.ctl.wait_mask = static_cast<std::uint8_t>(was.wait_mask & ~(1u << c));
      keep_counter(check(), i, "wait");
      i.ctl = was;
    }
    if (was.sets_write()) {
      i.ctl.write_barrier = ww::control::no_barrier;
      keep_counter(check(), i, "result");
      i.ctl = was;
    }
    if (was.sets_read()) {
      i.ctl.read_barrier = ww::control::no_barrier;
      keep_counter(check(), i, "read");
      i.ctl = was;
    }
  }

  ww::verify::report check() {
    ww::verify::options o;
    o.lints = false;
    o.notes = false;
    return ww::verify::check<arch>(*p_, o, space_);
  }
  [[nodiscard]] std::string opcode_of(ww::instr_id id) const {
    std::string_view body = module_->body_of((*p_)[id]);
    if (!body.empty() && body[0] == '@') body.remove_prefix(std::min(body.size(), body.find(' ') + 1));
    return std::string(body.substr(0, body.find_first_of(" ;")));
  }
  [[nodiscard]] static const char* file_of(const ww::verify::finding& f) {
    switch (f.target.file()) {
      case ww::reg_file::r:
        return "R";
      case ww::reg_file::p:
        return "P";
      case ww::reg_file::ur:
        return "UR";
      case ww::reg_file::up:
        return "UP";
      default:
        return "?";
    }
  }

  void keep_distance(const ww::verify::report& r, const ww::instruction& i) {
    using k = ww::verify::finding_kind;
    std::string cell;
    unsigned required = 0, distance = 1000;
    for (const ww::verify::finding& f : r.findings) {
      if (f.level != ww::verify::severity::finding) continue;
      if (f.kind != k::raw_distance && f.kind != k::waw_distance && f.kind != k::war_distance) return;
      const std::string one = std::string(ww::verify::name(f.kind)).substr(0, 3) + " " + file_of(f) + " " +
                              opcode_of(f.first) + " > " + opcode_of(f.second);
      if (!cell.empty() && (one != cell || f.required != required)) return;
      cell = one;
      required = f.required;
      distance = std::min<unsigned>(distance, f.distance);
    }
    keep(edits_, i, "distance", cell, required, distance);
  }

  void keep_counter(const ww::verify::report& r, const ww::instruction& i, const char* what) {
    std::string cell;
    for (const ww::verify::finding& f : r.findings) {
      if (f.level != ww::verify::severity::finding) continue;
      const std::string one =
          std::string(ww::verify::name(f.kind)) + " " + (f.first.valid() ? opcode_of(f.first) : std::string("-"));
      if (!cell.empty() && one != cell) return;
      cell = one;
    }
    if (!cell.empty()) keep(edits_, i, "counter", std::string(what) + " " + cell, 0, 0);
  }

  void keep(std::vector<edit>& list, const ww::instruction& i, const char* kind, const std::string& cell, unsigned required,
            unsigned distance) {
    std::uint64_t w[2] = {i.word[0], i.word[1]};
    arch::control_format::place(w, arch::control_format::encode(i.ctl));
    char line[400];
    std::snprintf(line, sizeof line, "%zu\t%016llx\t%016llx\t%s\t%s\t%u\t%u", place_ + i.address,
                  static_cast<unsigned long long>(w[0]), static_cast<unsigned long long>(w[1]), kind, cell.c_str(), required,
                  distance);
    list.push_back({line, std::string(kind) + cell + " " + std::to_string(distance)});
  }

  unsigned each_;
  std::mt19937& random_;
  const ww::sass::module* module_ = nullptr;
  ww::program* p_ = nullptr;
  std::size_t place_ = 0;
  std::vector<edit> edits_, harmless_;
  std::map<std::string, unsigned> taken_;
  ww::verify::workspace space_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc % 2 != 0) {
    std::fprintf(stderr, "usage: probe_plan EACH CUBIN LISTING [CUBIN LISTING]...\n");
    return 2;
  }
  std::mt19937 random(20261127);
  planner plan(static_cast<unsigned>(std::strtoul(argv[1], nullptr, 10)), random);
  for (int k = 2; k + 1 < argc; k += 2) {
    const std::string bytes = text_of(argv[k]);
    const std::string listing = text_of(argv[k + 1]);
    const std::vector<std::uint8_t> image(bytes.begin(), bytes.end());
    const auto elf = ww::sass::read_elf(image);
    ww::sass::listing_result r = ww::sass::read_listing(listing, {.sm = arch::id, .file = argv[k + 1]});
    if (elf.error || !r) {
      std::fprintf(stderr, "%s: cannot be read\n", elf.error ? argv[k] : argv[k + 1]);
      return 2;
    }
    for (std::size_t s = 0; s < r.mod.sections.size(); ++s) {
      ww::program& p = r.mod.sections[s];
      if (p.instructions.empty() || !ww::build_cfg(p).ok ||
          ww::verify::check<arch>(p, {.lints = false, .notes = false}).errors() != 0)
        continue;
      for (const auto& section : elf.file.sections) {
        if (section.name == std::string(".text.") + std::string(r.mod.name_of(r.mod.infos[s]))) {
          plan.add(argv[k], r.mod, p, section.offset);
        }
      }
    }
  }
  return 0;
}
