// SPDX-License-Identifier: BSL-1.0
//
// verify::same_flow on random programs and on real code, each in a random layout that knows nothing of the kit's layouter: the same.
// Then with one fault planted: found, or an oracle of executed instructions sees no difference either.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/isa/builder.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/same_flow.hpp>

#include "../support/catch.hpp"
#include "../support/corpus.hpp"
#include "../support/flow_trace.hpp"
#include "../support/naive_layout.hpp"
#include "../support/slow.hpp"

namespace {

namespace corpus = ww_test::corpus;
using ww::iflag;
using ww::instr_id;
using ww::program;
using ww::verify::same_flow;
using ww::verify::same_flow_difference;

constexpr std::uint32_t none = 0xffffffffu;

// Programs from text: blocks of straight code and every way to end one, in a kernel and local functions.
class random_flow_text {
 public:
  explicit random_flow_text(unsigned seed) : random_(seed) {}

  program make() {
    const unsigned functions = roll(3);
    for (unsigned f = 0; f <= functions; ++f) function(f, functions);
    ww::isa::builder b;
    b.lines(lines_);
    program p = b.finish();
    INFO(lines_);
    REQUIRE(b.ok());
    for (const pending_table& t : tables_) {
      p.tables.push_back({instr_id{t.branch}, static_cast<std::uint32_t>(p.table_targets.size()),
                          static_cast<std::uint32_t>(t.blocks.size())});
      for (const unsigned to : t.blocks) p.table_targets.push_back(instr_id{starts_[to]});
    }
    for (unsigned k = roll(3); k > 0; --k) p.leaders.push_back(instr_id{starts_[roll(starts_.size())]});
    p.has_encoding = roll(2) == 0;
    for (ww::instruction& i : p.instructions) {
      if (!p.has_encoding) continue;
      const bool branch = i.has(iflag::branch);  // without modifiers
      i.word[0] = branch ? 0x947u : random_();
      i.word[1] = branch ? 7ull << 23 : random_() | 1ull << 41;
    }
    REQUIRE(ww::build_cfg(p).ok);
    return p;
  }

 private:
  struct pending_table {
    std::uint32_t branch;
    std::vector<unsigned> blocks;
  };

  unsigned roll(std::size_t n) { return static_cast<unsigned>(random_() % n); }
  static std::string number(const char* prefix, unsigned n) { return prefix + std::to_string(n); }
  std::string r() { return number("R", roll(12)); }
  std::string guard() { return number(roll(2) == 0 ? "@P" : "@!P", roll(3)) + " "; }
  void line(const std::string& s) {
    lines_ += s + "\n";
    ++count_;
  }

  void function(unsigned f, unsigned functions) {
    lines_ += number(f == 0 ? ".kernel k" : ".function f", f) + "\n";
    const auto first = static_cast<unsigned>(starts_.size());
    const unsigned blocks = 2 + roll(9);
    const std::string out = f == 0 ? "EXIT" : "RET.REL.NODEC R20 `(k0)";
    const auto any = [&] { return number("`(b", first + roll(blocks)) + ")"; };
    for (unsigned b = 0; b < blocks; ++b) {
      starts_.push_back(count_);
      lines_ += number("b", first + b) + ":\n";
      for (unsigned k = roll(4); k > 0; --k) straight();
      const unsigned way = b + 1 == blocks ? 0 : roll(16);
      if (way == 0) {
        line(roll(8) == 0 ? "BRA " + any() : out);
      } else if (way < 3) {
        line("BRA " + any());
      } else if (way < 8) {
        line(guard() + "BRA " + any());
      } else if (way == 8) {
        line(guard() + out);
      } else if (way == 9 && functions > 0) {
        line((roll(3) == 0 ? guard() : "") + number("CALL.REL.NOINC `(f", 1 + roll(functions)) + ")");
      } else if (way == 10) {
        pending_table t{count_, {}};
        for (unsigned k = 1 + roll(4); k > 0; --k) t.blocks.push_back(first + roll(blocks));
        tables_.push_back(t);
        line("BRX R2 -0x10");
      } else if (way == 11) {
        line(number("BSSY B", roll(2)) + ", " + any());
      } else if (way == 12) {
        line(number("BSYNC B", roll(2)));
      } else if (way == 13) {
        line(std::string(roll(2) == 0 ? "BRA P1, " : "BRA.U !UP0, ") + any());
      } else if (way == 14) {
        line("WARPSYNC.COLLECTIVE R1, " + any());
      } else {
        straight();
      }
    }
  }
  void straight() {
    switch (roll(5)) {
      case 0:
        return line("IADD3 " + r() + ", " + r() + ", " + r() + ", RZ");
      case 1:
        return line(guard() + "FADD " + r() + ", " + r() + ", " + r());
      case 2:
        return line("LDS " + r() + ", [" + r() + number("+", 4 * roll(8)) + "]");
      case 3:
        return line("STS [" + r() + number("+", 4 * roll(8)) + "], " + r());
      default:
        return line(number("ISETP.GE.AND P", roll(3)) + ", PT, " + r() + ", " + r() + ", PT");
    }
  }

  std::mt19937_64 random_;
  std::string lines_;
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> starts_;  // by number of a block
  std::vector<pending_table> tables_;
};

// Instructions that entries reach, by edges.
std::vector<std::uint32_t> reached(const program& p) {
  std::vector<bool> seen(p.blocks.size(), false);
  std::vector<std::uint32_t> work;
  std::vector<std::uint32_t> found;
  const auto visit = [&](std::uint32_t b) {
    if (!seen[b]) work.push_back(b);
    seen[b] = true;
  };
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (p.blocks[b].entry) visit(b);
  }
  while (!work.empty()) {
    const ww::block& blk = p.blocks[work.back()];
    work.pop_back();
    for (const instr_id i : p.order_of(blk)) found.push_back(i.value);
    for (const ww::cfg_edge& e : p.edges_of(blk)) visit(e.to.index());
  }
  std::sort(found.begin(), found.end());
  return found;
}

enum class planted : unsigned {
  retargeted,     // a branch, a call or the end of a region
  guard_turned,   // and its ways not
  dropped,        // an instruction
  exchanged,      // two neighbours
  operand,        // another register
  offset,         // of an address
  table_entries,  // two exchanged
  repeated,       // an instruction twice
  word,           // one bit
  flag,
  endless,  // a branch to itself
  leader,   // names another block
  count
};
constexpr auto planted_count = static_cast<unsigned>(planted::count);
constexpr const char* planted_names[] = {"retargeted",    "guard_turned", "dropped", "exchanged", "operand", "offset",
                                         "table_entries", "repeated",     "word",    "flag",      "endless", "leader"};

// Changes q, whose ids are places, where something reaches it. False if there is no such place, or nothing changes.
class fault_planter {
 public:
  fault_planter(program& q, std::mt19937& random) : q_(q), random_(random), places_(reached(q)) {
    last_.assign(q.instructions.size(), false);
    for (const ww::block& b : q.blocks) {
      last_[b.first + b.count - 1] = true;
      starts_.push_back(q.order[b.first]);
    }
  }

  bool run(planted kind) { return change(kind) && ww::build_cfg(q_).ok; }

 private:
  std::uint32_t roll(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
  ww::instruction& at(std::uint32_t k) { return q_.instructions[k]; }
  instr_id some_block() { return starts_[roll(starts_.size())]; }
  // A reached instruction that fits, none after many tries.
  std::uint32_t pick(auto fits) {
    for (unsigned tries = 0; tries < 60; ++tries) {
      const std::uint32_t k = places_[roll(places_.size())];
      if (fits(k, q_.instructions[k])) return k;
    }
    return none;
  }
  void rename(auto name) {
    for (ww::instruction& i : q_.instructions) {
      if (i.target.valid()) i.target = name(i.target);
    }
    for (instr_id& i : q_.table_targets) i = name(i);
    for (instr_id& i : q_.leaders) i = name(i);
    for (ww::function& f : q_.functions) {
      if (f.entry.valid()) f.entry = name(f.entry);
    }
  }

  bool change(planted kind) {
    using ww::instruction;
    std::uint32_t k = none;
    const auto found = [&](auto fits) { return (k = pick(fits)) != none; };
    switch (kind) {
      case planted::retargeted: {
        if (!found([](std::uint32_t, const instruction& i) { return i.target.valid(); })) return false;
        const instr_id old = at(k).target;
        at(k).target = some_block();
        return at(k).target != old;
      }
      case planted::guard_turned: {
        if (!found([](std::uint32_t, const instruction& i) { return i.has(iflag::guarded); })) return false;
        at(k).guard_negated ^= 1;
        for (std::uint32_t n = 0; n < at(k).operand_count; ++n) {
          ww::operand& o = q_.operands[at(k).first_operand + n];
          if (o.where() == ww::slot::guard) o.high ^= ww::operand::bit_not;
        }
        return true;
      }
      case planted::dropped: {
        const auto fits = [&](std::uint32_t j, const instruction&) {
          return j + 1 < q_.instructions.size() && q_.table_of(instr_id{j}) == nullptr;
        };
        if (!found(fits)) return false;
        rename([&](instr_id i) { return i.value == k ? instr_id{k + 1} : i; });
        q_.order.erase(q_.order.begin() + k);
        return true;
      }
      case planted::exchanged: {
        const auto fits = [&](std::uint32_t j, const instruction&) {
          return !last_[j] && !at(j + 1).has(iflag::ends_block);
        };
        if (!found(fits)) return false;
        std::swap(at(k), at(k + 1));
        return true;
      }
      case planted::operand: {
        if (!found([](std::uint32_t, const instruction& i) { return i.operand_count != 0; })) return false;
        q_.operands[at(k).first_operand + roll(at(k).operand_count)].low ^= 1u;
        return true;
      }
      case planted::offset: {
        if (!found([](std::uint32_t, const instruction& i) { return i.dir != ww::mem_dir::none; })) return false;
        at(k).mem_offset ^= 4;
        return true;
      }
      case planted::table_entries: {
        if (q_.tables.empty()) return false;
        const ww::branch_table& t = q_.tables[roll(q_.tables.size())];
        if (t.count < 2) return false;
        instr_id& x = q_.table_targets[t.first + roll(t.count)];
        instr_id& y = q_.table_targets[t.first + roll(t.count)];
        if (x == y) return false;
        std::swap(x, y);
        return true;
      }
      case planted::repeated: {
        if (!found([](std::uint32_t, const instruction& i) { return !i.has(iflag::ends_block); })) return false;
        const instruction copy = at(k);
        q_.order.insert(q_.order.begin() + k + 1, instr_id{static_cast<std::uint32_t>(q_.instructions.size())});
        q_.instructions.push_back(copy);
        return true;
      }
      case planted::word: {
        const auto fits = [](std::uint32_t, const instruction& i) {
          return !i.target.valid() && !i.has(iflag::branch) && !i.has(iflag::call) && !i.has(iflag::ret) &&
                 !i.has(iflag::pc_relative);
        };
        if (!q_.has_encoding || !found(fits)) return false;
        at(k).word[0] ^= 1ull << roll(64);
        return true;
      }
      case planted::flag: {
        if (!found([](std::uint32_t, const instruction& i) { return i.dir != ww::mem_dir::none; })) return false;
        at(k).flags ^= static_cast<std::uint32_t>(iflag::volatile_mem);
        return true;
      }
      case planted::endless: {
        const auto fits = [](std::uint32_t j, const instruction& i) {
          return i.has(iflag::branch) && i.target.valid() && i.target != instr_id{j};
        };
        if (!found(fits)) return false;
        at(k).target = instr_id{k};
        return true;
      }
      case planted::leader: {
        if (q_.leaders.empty()) return false;
        instr_id& l = q_.leaders[roll(q_.leaders.size())];
        const instr_id old = l;
        l = some_block();
        return l != old;
      }
      case planted::count:
        break;
    }
    return false;
  }

  program& q_;
  std::mt19937& random_;
  std::vector<std::uint32_t> places_;
  std::vector<bool> last_;        // by place: the last one of its block
  std::vector<instr_id> starts_;  // by block
};

struct tally {
  unsigned planted[planted_count] = {};
  unsigned found[planted_count] = {};
  std::size_t programs = 0;
  std::size_t instructions = 0;
  std::size_t pairs = 0;
  unsigned inserted = 0;
  unsigned removed = 0;
  unsigned turned = 0;
  unsigned moved = 0;

  [[nodiscard]] static unsigned sum(const unsigned (&a)[planted_count]) {
    unsigned n = 0;
    for (const unsigned x : a) n += x;
    return n;
  }
  void print(const char* what) const {
    std::printf(
        "same_flow, %s: %zu programs, %zu instructions, %zu pairs; branches: %u inserted, %u removed, %u turned round; "
        "%u blocks moved\n",
        what, programs, instructions, pairs, inserted, removed, turned, moved);
    std::printf("  planted and found: %u, %u", sum(planted), sum(found));
    for (unsigned k = 0; k < planted_count; ++k) std::printf("; %s %u, %u", planted_names[k], planted[k], found[k]);
    std::printf("\n");
  }
};

// A new layout is the same program; with a fault planted it is not, or executes as before all the same.
void lay_out_and_plant(const program& before, std::mt19937& random, unsigned faults, unsigned ways, tally& t) {
  const ww_test::naive_layout_result layout = ww_test::naive_layout(before, random);
  REQUIRE(layout.ok);
  const same_flow_difference d = same_flow(before, layout.program);
  {
    INFO(ww::verify::name(d.fault) << " at " << d.before.value << ", " << d.after.value << " from " << d.from_before.value
                                   << ", " << d.from_after.value);
    REQUIRE(d.ok());
  }
  REQUIRE(same_flow(layout.program, before).ok());
  REQUIRE(ww_test::same_traces(before, layout.program, ways));
  ++t.programs;
  t.instructions += before.order.size();
  t.pairs += d.pairs;
  t.inserted += layout.inserted;
  t.removed += layout.removed;
  t.turned += layout.turned;
  t.moved += layout.moved;
  for (unsigned n = 0; n < faults; ++n) {
    const auto kind = static_cast<planted>(random() % planted_count);
    program q = layout.program;
    if (!fault_planter(q, random).run(kind)) continue;
    const same_flow_difference e = same_flow(before, q);
    ++t.planted[static_cast<unsigned>(kind)];
    if (!e.ok()) {
      ++t.found[static_cast<unsigned>(kind)];
      continue;
    }
    INFO(planted_names[static_cast<unsigned>(kind)]);
    REQUIRE(ww_test::same_traces(before, q, 5 * ways));
  }
}

}  // namespace

TEST_CASE("HC-4 same flow: random programs in random layouts are the same, and planted faults are found") {
  tally t;
  std::mt19937 random(17);
  const unsigned programs = ww_test::slow ? 200 : 2000;
  for (unsigned seed = 0; seed < programs; ++seed) {
    INFO("seed " << seed);
    lay_out_and_plant(random_flow_text(seed).make(), random, 12, 20, t);
  }
  t.print("random programs");
  CHECK(tally::sum(t.planted) > 5 * programs);
  CHECK(100 * tally::sum(t.found) > 95 * tally::sum(t.planted));
  CHECK(t.removed > programs / 50);
  CHECK(t.turned > programs / 10);
}

TEST_CASE("HC-4 same flow: real code in random layouts is the same, and planted faults are found") {
  tally t;
  std::mt19937 random(23);
  std::vector<std::string> paths = corpus::listings();
  for (const char* folder : {"listings_blackwell", "listings_rare", "listings_short", "listings_versions"}) {
    for (const std::string& path : corpus::files(corpus::bundled(folder))) paths.push_back(path);
  }
  for (const std::string& path : corpus::other_forms()) paths.push_back(path);
  std::size_t number = 0;
  for (const std::string& path : paths) {
    if (!ww_test::chosen(number++, 7)) continue;
    const std::string text = corpus::text(path);
    ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = corpus::sm_of(path), .file = path});
    INFO(path);
    if (!r) continue;
    for (program& p : r.mod.sections) {
      REQUIRE(ww::build_cfg(p).ok);
      REQUIRE(same_flow(p, p).ok());
      lay_out_and_plant(p, random, p.order.size() < 3000 ? 8 : 1, 4, t);
    }
  }
  t.print("real code");
  CHECK(t.programs > (ww_test::slow ? 10u : 200u));
  CHECK(100 * tally::sum(t.found) > 95 * tally::sum(t.planted));
}

TEST_CASE("HC-4 same flow: no array of numbers makes it crash or run for ever") {
  std::mt19937 random(5);
  const auto roll = [&](std::size_t n) { return static_cast<std::uint32_t>(random() % n); };
  unsigned told = 0;
  const unsigned rounds = ww_test::slow ? 2000 : 20000;
  program good;
  for (unsigned n = 0; n < rounds; ++n) {
    if (n % 50 == 0) good = random_flow_text(n).make();
    if (good.edges.empty()) continue;
    program bad = good;
    for (unsigned k = 1 + roll(2); k > 0; --k) {
      const std::uint32_t any = roll(3) == 0 ? static_cast<std::uint32_t>(random()) : roll(2 + bad.order.size());
      ww::block& b = bad.blocks[roll(bad.blocks.size())];
      ww::instruction& i = bad.instructions[roll(bad.instructions.size())];
      ww::cfg_edge& e = bad.edges[roll(bad.edges.size())];
      std::uint32_t* const numbers[] = {
          &b.first,         &b.count,    &b.first_edge, &b.edge_count, &b.function.value, &i.target.value,    &i.flags,
          &i.first_operand, &e.to.value, &e.from.value, &i.flags,      &i.target.value,   &bad.order[0].value};
      if (roll(4) == 0) {
        e.kind = static_cast<ww::edge_kind>(roll(6));
      } else if (roll(8) == 0) {
        ww::function& f = bad.functions[roll(bad.functions.size())];
        (roll(2) == 0 ? f.entry.value : f.first_block.value) = any;
      } else if (roll(8) == 0 && !bad.tables.empty()) {
        ww::branch_table& t = bad.tables[roll(bad.tables.size())];
        (roll(2) == 0 ? t.first : t.count) = any;
      } else if (roll(8) == 0) {
        bad.leaders.push_back(instr_id{any});
      } else if (roll(4) == 0) {
        i.flags ^= 1u << roll(32);
      } else {
        *numbers[roll(std::size(numbers))] = any;
      }
    }
    told += same_flow(good, bad).ok() ? 0u : 1u;
    told += same_flow(bad, good).ok() ? 0u : 1u;
    CHECK(same_flow(bad, bad).pairs <= bad.order.size());
  }
  CHECK(told > rounds);
}
