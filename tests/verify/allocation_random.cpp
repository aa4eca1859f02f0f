// SPDX-License-Identifier: BSL-1.0
//
// The check of a register allocation against execution. Random programs on virtual registers (diamonds, loops, guards, widths 1, 2
// and 4) are allocated by a naive allocator: a random legal colouring, spills, constants computed again, copies put in and taken out,
// predicates kept in bits of a general register. That must be clean. Then one fault of each kind is planted, both programs are run side
// by side on random paths, and wherever an instruction reads another value the check must have said so.
#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "../support/slow.hpp"
#include "allocation_support.hpp"

namespace {

using ww::verify::allocated_as;
using ww::verify::allocation_report;
using ww_test::allocated_pair;

enum class bug {
  none,
  wrong_slot,        // a refill from another slot
  lost_store,        // a definition of a spilled value is not stored
  early_store,       // the store stands before the definition
  one_register,      // two values that live together in one register
  swapped_halves,    // of a pair
  wrong_mask,        // P2R of another predicate
  base_overwritten,  // another value in the register of the predicates
  base_lost,         // P2R without the other bits
  other_constant,    // computed again
  lost_write,        // one definition goes to a register that nobody reads
  other_source,      // one operand reads another register
  lost_copy,         // a copy deleted between different registers
  wrong_copy,        // a copy of another register
  lost_code,         // an instruction deleted that is needed
  other_offset,      // one word further in the slot of a pair
  count
};

const char* const bug_names[] = {"none",         "wrong slot",     "lost store", "early store",
                                 "one register", "swapped halves", "wrong mask", "base overwritten",
                                 "base lost",    "other constant", "lost write", "other source",
                                 "lost copy",    "wrong copy",     "lost code",  "other offset"};

constexpr unsigned codes_of(std::initializer_list<unsigned> list) {
  unsigned bits = 0;
  for (const unsigned k : list) bits |= 1u << k;
  return bits;
}
// The errors that explain each fault. A fault can show at a value that has gone through a slot or a bit since.
const unsigned right_codes[] = {0,
                                codes_of({1, 2}),
                                codes_of({1, 2}),
                                codes_of({1, 2, 5}),
                                codes_of({5, 6, 10}),
                                codes_of({6}),
                                codes_of({3}),
                                codes_of({3, 8}),
                                codes_of({3}),
                                codes_of({7}),
                                codes_of({1, 2, 3, 5, 6, 10}),
                                codes_of({5, 6, 10}),
                                codes_of({1, 2, 3, 5, 6, 10}),
                                codes_of({5, 6, 10}),
                                codes_of({1, 2, 3, 5, 6, 10}),
                                codes_of({1})};

struct variable {
  bool predicate = false;
  unsigned number = 0;  // virtual
  unsigned width = 1;
  bool constant = false;  // defined once, at the start
  // The allocation.
  unsigned colour = 0;
  bool spilled = false;
  unsigned slot = 0;  // bytes, or the place of a predicate that is kept in a register
  int remat = -1;     // the line that is computed again instead
};

struct code_line {
  bool label = false;
  std::string text;
  unsigned id = 0;
};

struct generated {
  std::vector<variable> vars;
  std::vector<code_line> lines;
  std::string text;
  unsigned count = 0;
};

// A random program, structured: sequences, if, if/else, loops.
class generator {
 public:
  explicit generator(unsigned seed) : rng_(seed) {}

  generated run() {
    unsigned next = 1024;
    const auto add = [&](unsigned width) {
      next = (next + width - 1) / width * width;
      variable fresh;
      fresh.number = next;
      fresh.width = width;
      g_.vars.push_back(fresh);
      next += width;
    };
    for (unsigned k = 0; k < 4 + roll(4); ++k) add(1);
    for (unsigned k = 0; k < 1 + roll(2); ++k) add(2);
    if (roll(2) == 0) add(4);
    for (unsigned k = 0; k < 2 + roll(2); ++k) {
      variable fresh;
      fresh.predicate = true;
      fresh.number = 1024 + k;
      g_.vars.push_back(fresh);
    }
    if (roll(2) == 0) g_.vars[0].constant = true;
    // Most are defined at the start, a few on some paths only.
    for (const variable& v : g_.vars) {
      if (v.constant) {
        op("MOV " + name(v) + ", 0x" + std::to_string(10 + roll(90)));
        continue;
      }
      if (roll(16) == 0) continue;
      if (v.width == 1 && !v.predicate) {
        op(roll(2) == 0 ? "S2R " + name(v) + ", SR_TID.X" : "LDG.E " + name(v) + ", [R2.64]");
      } else if (v.width == 2) {
        op("LDG.E.64 " + name(v) + ", [R2.64]");
      } else {
        define(v, "");
      }
    }
    body(2, 3 + roll(3));
    for (const variable& v : g_.vars) {
      if (!v.predicate && roll(2) == 0) store(v);
    }
    op("EXIT");
    for (const code_line& l : g_.lines) g_.text += l.text + "\n";
    return g_;
  }

 private:
  unsigned roll(unsigned n) { return static_cast<unsigned>(rng_() % n); }
  void op(const std::string& text) { g_.lines.push_back({false, text, g_.count++}); }
  void label(const std::string& name) { g_.lines.push_back({true, name + ":", 0}); }
  const variable& any(bool predicate, unsigned width) {
    std::vector<const variable*> fit;
    for (const variable& v : g_.vars) {
      if (v.predicate == predicate && v.width == width) fit.push_back(&v);
    }
    return *fit[roll(static_cast<unsigned>(fit.size()))];
  }
  // A single register, sometimes a part of a wide one.
  std::string source() {
    std::vector<const variable*> fit;
    for (const variable& v : g_.vars) {
      if (!v.predicate && (v.width == 1 || roll(4) == 0)) fit.push_back(&v);
    }
    const variable& v = *fit[roll(static_cast<unsigned>(fit.size()))];
    return "R" + std::to_string(v.number + roll(v.width));
  }
  static std::string name(const variable& v) { return (v.predicate ? "P" : "R") + std::to_string(v.number); }
  std::string condition() {
    const std::string p = "P" + std::to_string(any(true, 1).number);
    return (roll(2) == 0 ? "@" : "@!") + p + " ";
  }
  void define(const variable& v, const std::string& guard) {
    if (v.predicate) return op(guard + "ISETP.GE.AND " + name(v) + ", PT, " + source() + ", " + source() + ", PT");
    if (v.width == 4) return op(guard + "LDG.E.128 " + name(v) + ", [R2.64]");
    if (v.width == 2) {
      if (roll(2) == 0) return op(guard + "LDG.E.64 " + name(v) + ", [R2.64]");
      return op(guard + "IMAD.WIDE " + name(v) + ", " + source() + ", " + source() + ", " + name(any(false, 2)));
    }
    switch (roll(5)) {
      case 0:
        return op(guard + "S2R " + name(v) + ", SR_TID.X");
      case 1: {
        char value[16];
        std::snprintf(value, sizeof value, "0x%x", 16 + roll(1000));
        return op(guard + "MOV " + name(v) + ", " + value);
      }
      case 2:
        return op(guard + "MOV " + name(v) + ", " + source());
      default:
        return op(guard + "IADD3 " + name(v) + ", " + source() + ", " + source() + ", RZ");
    }
  }
  void store(const variable& v) {
    op(std::string("STG.E") + (v.width == 4 ? ".128" : v.width == 2 ? ".64" : "") + " [R2.64], " + name(v));
  }
  void body(unsigned depth, unsigned length) {
    for (unsigned k = 0; k < length; ++k) {
      const unsigned what = roll(10);
      if (what < 6 || depth == 0) {
        const variable& v = g_.vars[roll(static_cast<unsigned>(g_.vars.size()))];
        if (roll(4) == 0 && !v.predicate) {
          store(v);
        } else if (!v.constant) {
          define(v, roll(5) == 0 ? condition() : "");
        }
        continue;
      }
      const std::string id = std::to_string(labels_++);
      if (what < 8) {
        const bool both = roll(2) == 0;
        op(condition() + "BRA `(else" + id + ")");
        body(depth - 1, 1 + roll(4));
        if (both) op("BRA `(end" + id + ")");
        label("else" + id);
        if (both) {
          body(depth - 1, 1 + roll(4));
          label("end" + id);
        }
        op("NOP");  // so that no label stands alone
      } else {
        label("loop" + id);
        body(depth - 1, 2 + roll(4));
        op(condition() + "BRA `(loop" + id + ")");
      }
    }
  }

  std::mt19937 rng_;
  generated g_;
  unsigned labels_ = 0;
};

class allocator {
 public:
  allocator(const generated& g, const ww::program& p, unsigned seed) : g_(g), p_(p), rng_(seed) {
    vars = g.vars;
    ok = allocate();
  }
  bool ok = false;
  std::vector<variable> vars;

  // The program after. `at`: which of the places for the bug; it says how many there were.
  std::string emit(bug kind, unsigned at, unsigned& places) {
    kind_ = kind;
    at_ = at;
    places_ = 0;
    out_.clear();
    std::mt19937 choice(rng_state_);
    for (const code_line& l : g_.lines) {
      if (l.label) {
        out_ += l.text + "\n";
        continue;
      }
      emit_line(l, choice);
    }
    places = places_;
    return out_;
  }

 private:
  unsigned roll(unsigned n) { return static_cast<unsigned>(rng_() % n); }
  bool here(bug kind) { return kind == kind_ && places_++ == at_; }

  int var_of(const ww::operand& o) const {
    if (!o.is_register() || !o.base().is_virtual()) return -1;
    for (std::size_t v = 0; v < vars.size(); ++v) {
      const bool file = vars[v].predicate ? o.file() == ww::reg_file::p : o.file() == ww::reg_file::r;
      if (file && o.base().number() - vars[v].number < vars[v].width) return static_cast<int>(v);
    }
    return -1;
  }
  struct names {
    std::set<int> defs, uses;
    bool full = true;
  };
  names names_of(std::uint32_t id) const {
    names n;
    const ww::instruction& i = p_.instructions[id];
    for (const ww::operand& o : p_.operands_of(i)) {
      const int v = var_of(o);
      if (v >= 0) (o.is_def() ? n.defs : n.uses).insert(v);
    }
    n.full = !i.has(ww::iflag::guarded);
    return n;
  }
  bool plain_copy(std::uint32_t id) const {
    return g_text(id).rfind("MOV R", 0) == 0 && g_text(id).find(", R") != std::string::npos;
  }
  const std::string& g_text(std::uint32_t id) const {
    for (const code_line& l : g_.lines) {
      if (!l.label && l.id == id) return l.text;
    }
    static const std::string nothing;
    return nothing;
  }

  bool allocate() {
    // Liveness.
    const std::size_t blocks = p_.blocks.size();
    std::vector<std::set<int>> in(blocks);
    conflicts_.assign(vars.size(), {});
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t b = blocks; b-- > 0;) {
        std::set<int> live;
        for (const ww::cfg_edge& e : p_.edges_of(p_.blocks[b]))
          live.insert(in[e.to.index()].begin(), in[e.to.index()].end());
        const auto order = p_.order_of(p_.blocks[b]);
        for (std::size_t k = order.size(); k-- > 0;) {
          const names n = names_of(order[k].index());
          for (const int d : n.defs) {
            for (const int l : live) {
              if (l != d)
                conflicts_[static_cast<std::size_t>(d)].insert(l), conflicts_[static_cast<std::size_t>(l)].insert(d);
            }
            for (const int other : n.defs) {
              if (other != d) conflicts_[static_cast<std::size_t>(d)].insert(other);
            }
          }
          if (n.full) {
            for (const int d : n.defs) live.erase(d);
          }
          live.insert(n.uses.begin(), n.uses.end());
        }
        if (live != in[b]) {
          in[b] = live;
          changed = true;
        }
      }
    }
    std::vector<unsigned> defs(vars.size(), 0);
    std::vector<std::uint32_t> def_at(vars.size(), 0);
    for (std::uint32_t i = 0; i < p_.instructions.size(); ++i) {
      for (const int d : names_of(i).defs) {
        ++defs[static_cast<std::size_t>(d)];
        def_at[static_cast<std::size_t>(d)] = i;
      }
    }
    unsigned slot = 0;
    unsigned bits = 0;
    std::vector<std::size_t> order;
    for (std::size_t v = 0; v < vars.size(); ++v) {
      variable& x = vars[v];
      if (x.predicate) {
        if (bits < 2 && roll(3) == 0) {
          x.spilled = true;
          x.slot = bits++;
        }
      } else {
        const bool constant = defs[v] == 1 && g_text(def_at[v]).rfind("MOV R", 0) == 0 && !plain_copy(def_at[v]);
        if (constant && roll(2) == 0) {
          x.remat = static_cast<int>(def_at[v]);
        } else if (roll(3) == 0) {
          x.spilled = true;
          slot = (slot + 4 * x.width - 1) / (4 * x.width) * (4 * x.width);
          x.slot = slot;
          slot += 4 * x.width;
        }
      }
      order.push_back(v);
    }
    std::shuffle(order.begin(), order.end(), rng_);
    std::vector<std::size_t> done;
    for (const std::size_t v : order) {
      if (vars[v].spilled || vars[v].remat >= 0) continue;
      std::vector<unsigned> fit;
      const unsigned room = vars[v].predicate ? 5 : 40;
      for (unsigned c = vars[v].predicate ? 0 : 4; c + vars[v].width <= room; c += vars[v].width) {
        if (std::none_of(done.begin(), done.end(), [&](std::size_t o) {
              return vars[o].predicate == vars[v].predicate && conflicts_[v].count(static_cast<int>(o)) != 0 &&
                     c < vars[o].colour + vars[o].width && vars[o].colour < c + vars[v].width;
            })) {
          fit.push_back(c);
        }
      }
      if (fit.empty()) return false;
      // Few registers, so that many values share one.
      vars[v].colour = fit[roll(static_cast<unsigned>(std::min<std::size_t>(fit.size(), 3)))];
      done.push_back(v);
    }
    rng_state_ = static_cast<unsigned>(rng_());
    return true;
  }

  static constexpr unsigned scratch = 100;  // general registers of single instructions
  static constexpr unsigned copies = 140;   // of copies
  static constexpr unsigned spare = 160;    // that nobody reads
  static std::string wide(unsigned width) { return width == 4 ? ".128" : width == 2 ? ".64" : ""; }
  static std::string hex(unsigned n) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%x", n);
    return text;
  }
  static std::string r(unsigned n) { return "R" + std::to_string(n); }
  std::string slot_of(const variable& v, unsigned more = 0) const { return "[R1+" + hex(16 + v.slot + more) + "]"; }

  void emit_line(const code_line& l, std::mt19937& choice) {
    const names n = names_of(l.id);
    if (n.defs.size() == 1 && vars[static_cast<std::size_t>(*n.defs.begin())].remat == static_cast<int>(l.id)) return;
    if (!n.defs.empty() && here(bug::lost_code)) return;
    std::string before, behind;
    std::map<int, unsigned> now;  // the register of each value in this instruction
    unsigned next = scratch;
    unsigned copied = 0;
    std::set<int> all = n.uses;
    all.insert(n.defs.begin(), n.defs.end());
    for (const int k : all) {
      const variable& v = vars[static_cast<std::size_t>(k)];
      const bool read = n.uses.count(k) != 0 || (n.defs.count(k) != 0 && !n.full);
      const bool written = n.defs.count(k) != 0;
      if (v.predicate && v.spilled) {
        const unsigned p = 5 + v.slot;
        now[k] = p;
        if (read) {
          if (here(bug::base_overwritten)) before += "copy MOV R150, R4\n";
          before += "r2p R2P PR, R150, " + hex(1u << p) + "\n";
        }
        if (written) {
          const unsigned mask = here(bug::wrong_mask) ? 1u << (p == 5 ? 6 : 5) : 1u << p;
          behind += "p2r P2R R150, PR, " + std::string(here(bug::base_lost) ? "RZ" : "R150") + ", " + hex(mask) + "\n";
        }
      } else if (v.remat >= 0) {
        now[k] = next++;
        const std::string& text = g_text(static_cast<std::uint32_t>(v.remat));
        const std::string value = here(bug::other_constant) ? "0x7" : text.substr(text.find(", ") + 2);
        if (read) before += "remat=" + std::to_string(v.remat) + " MOV " + r(now[k]) + ", " + value + "\n";
      } else if (v.spilled) {
        next = (next + 3) / 4 * 4;
        now[k] = next;
        next += 4;
        if (read) {
          const variable* from = &v;
          if (here(bug::wrong_slot)) {
            for (const variable& o : vars) {
              if (o.spilled && !o.predicate && o.width >= v.width && o.number != v.number) from = &o;
            }
          }
          if (v.width > 1 && here(bug::other_offset)) {
            before += "refill LDL " + r(now[k]) + ", " + slot_of(v, 4) + "\n";
            for (unsigned w = 1; w < v.width; ++w) before += "refill LDL " + r(now[k] + w) + ", " + slot_of(v, 4 * w) + "\n";
          } else {
            before += "refill LDL" + wide(v.width) + " " + r(now[k]) + ", " + slot_of(*from) + "\n";
          }
        }
        if (written) {
          const std::string store = "spill STL" + wide(v.width) + " " + slot_of(v) + ", " + r(now[k]) + "\n";
          if (here(bug::early_store)) {
            before += store;
          } else if (!here(bug::lost_store)) {
            behind += store;
          }
        }
      } else {
        now[k] = v.colour;
        if (read && !written && !v.predicate && v.width == 1 && choice() % 6 == 0) {
          now[k] = copies + copied++;
          before += "copy MOV " + r(now[k]) + ", " + r(here(bug::wrong_copy) ? (v.colour == 4 ? 5 : 4) : v.colour) + "\n";
        } else if (v.width == 2 && read && !written && here(bug::swapped_halves)) {
          now[k] = copies + 8;
          before += "copy MOV " + r(copies + 8) + ", " + r(v.colour + 1) + "\ncopy MOV " + r(copies + 9) + ", " +
                    r(v.colour) + "\n";
        }
      }
    }
    if (kind_ == bug::one_register) {
      // The whole program: value a in the register of value b, with which it conflicts.
      for (std::size_t a = 0; a < vars.size(); ++a) {
        for (const int b : conflicts_[a]) {
          const variable& x = vars[a];
          const variable& y = vars[static_cast<std::size_t>(b)];
          if (x.spilled || y.spilled || x.remat >= 0 || y.remat >= 0 || x.predicate != y.predicate || x.width > y.width)
            continue;
          if (l.id == 0) ++places_;
          if (pair_of(a, b) == at_ && now.count(static_cast<int>(a)) != 0 && now[static_cast<int>(a)] == x.colour)
            now[static_cast<int>(a)] = y.colour;
        }
      }
    }
    // Rename.
    const std::string& text = l.text;
    std::string renamed;
    bool first = true;
    for (std::size_t at = 0; at < text.size();) {
      const bool name = (text[at] == 'R' || text[at] == 'P') && at + 4 < text.size() && text[at + 1] == '1' &&
                        std::isdigit(static_cast<unsigned char>(text[at + 2])) != 0 &&
                        std::isdigit(static_cast<unsigned char>(text[at + 3])) != 0 &&
                        std::isdigit(static_cast<unsigned char>(text[at + 4])) != 0;
      const bool name_at_end = !name && (text[at] == 'R' || text[at] == 'P') && at + 5 == text.size() && text[at + 1] == '1';
      if (!name && !name_at_end) {
        renamed += text[at++];
        continue;
      }
      const unsigned number = static_cast<unsigned>(std::stoul(text.substr(at + 1, 4)));
      const bool predicate = text[at] == 'P';
      int k = -1;
      for (std::size_t v = 0; v < vars.size(); ++v) {
        if (vars[v].predicate == predicate && number - vars[v].number < vars[v].width) k = static_cast<int>(v);
      }
      const variable& v = vars[static_cast<std::size_t>(k)];
      unsigned to = now[k] + (number - v.number);
      const bool definition =
          first && n.defs.count(k) != 0 && (at == 0 || text[at - 1] != '!') && (at == 0 || text[at - 1] != '@');
      if (definition) {
        if (!v.predicate && here(bug::lost_write)) to = spare;
        first = false;
      } else if (!predicate && v.width == 1 && here(bug::other_source)) {
        to = to == 5 ? 6 : 5;
      }
      renamed += text[at] + std::to_string(to);
      at += 5;
    }
    // A copy between values in one register is gone.
    if (plain_copy(l.id)) {
      const std::size_t comma = renamed.find(", ");
      const bool same = renamed.substr(4, comma - 4) == renamed.substr(comma + 2);
      if (same || here(bug::lost_copy)) {
        out_ += before + behind;
        return;
      }
    }
    out_ += before + "=" + std::to_string(l.id) + " " + renamed + "\n" + behind;
  }
  unsigned pair_of(std::size_t a, int b) const {
    unsigned n = 0;
    for (std::size_t x = 0; x < vars.size(); ++x) {
      for (const int y : conflicts_[x]) {
        const variable& u = vars[x];
        const variable& w = vars[static_cast<std::size_t>(y)];
        if (u.spilled || w.spilled || u.remat >= 0 || w.remat >= 0 || u.predicate != w.predicate || u.width > w.width)
          continue;
        if (x == a && y == b) return n;
        ++n;
      }
    }
    return n;
  }

  const generated& g_;
  const ww::program& p_;
  std::mt19937 rng_;
  unsigned rng_state_ = 0;
  std::vector<std::set<int>> conflicts_;
  bug kind_ = bug::none;
  unsigned at_ = 0;
  unsigned places_ = 0;
  std::string out_;
};

// Both programs side by side. Values are hashes; 0 stands for what nobody has defined.
class machine {
 public:
  explicit machine(const allocated_pair& a, unsigned seed) : a_(a), rng_(seed), salt_(seed) {}

  // Does some instruction read another value than before?
  bool differs() {
    std::uint32_t b = 0;
    for (unsigned steps = 0; steps < 60; ++steps) {
      const ww::block& x = a_.before.blocks[b];
      const ww::block& y = a_.after.blocks[b];
      std::size_t left = 0;
      const auto was = a_.before.order_of(x);
      for (const ww::instr_id i : a_.after.order_of(y)) {
        const ww::verify::allocated_from from = a_.map[i.index()];
        if (from.what != allocated_as::original) {
          inserted(i, from);
          continue;
        }
        while (was[left] != from.of) deleted(was[left++]);
        ++left;
        if (!original(from.of, i)) return different_;
      }
      while (left < was.size()) deleted(was[left++]);
      std::uint32_t next = 0xffffffffu;
      for (const ww::cfg_edge& e : a_.before.edges_of(x)) {
        const bool branch = e.kind == ww::edge_kind::branch;
        if (branch == taken_ || x.edge_count == 1) next = e.to.index();
      }
      if (next == 0xffffffffu) return false;
      b = next;
    }
    return false;
  }

 private:
  using value = std::uint64_t;
  struct state {
    std::map<std::uint32_t, value> regs;
    std::map<std::uint32_t, std::array<value, 32>> bits;
    std::map<std::int32_t, value> slots;
  };
  static value mix(value h, value v) {
    h = (h ^ v) * 0x9e3779b97f4a7c15ull;
    return (h ^ h >> 29) | 1;
  }
  static value get(const state& s, std::uint32_t name) {
    const auto at = s.regs.find(name);
    return at == s.regs.end() ? 0 : at->second;
  }
  static void set(state& s, std::uint32_t name, value v) {
    s.regs[name] = v;
    s.bits.erase(name);
  }
  static std::uint32_t name(const ww::operand& o, unsigned w) { return ww::reg(o.file(), o.base().number() + w).packed; }

  // Reads both sides; false ends the run: a difference was seen, or what is read was never defined and decides something.
  bool original(ww::instr_id m, ww::instr_id n) {
    const ww::instruction& ins = a_.before[m];
    const auto x = a_.before.operands_of(m);
    const auto y = a_.after.operands_of(n);
    bool acts = true;
    taken_ = false;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (x[k].where() != ww::slot::guard || !x[k].is_register()) continue;
      const value p = get(before_, name(x[k], 0));
      if (p == 0) return false;
      if (!check(p, get(after_, name(y[k], 0)))) return false;
      acts = ((p >> 7 & 1u) != 0) != (ins.guard_negated != 0);
    }
    taken_ = acts && ins.has(ww::iflag::branch);
    if (!acts) return true;
    value h = mix(mix(m.index() + 77, salt_), count_[m.index()]++);
    value source = 0;
    bool undefined = false;
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!x[k].is_use() || !x[k].is_register() || x[k].where() == ww::slot::guard) continue;
      for (unsigned w = 0; w < x[k].width(); ++w) {
        const bool own = !x[k].base().is_virtual();  // R2
        const value v = own ? 1 : get(before_, name(x[k], w));
        if (!own && v != 0 && !check(v, get(after_, name(y[k], w)))) return false;
        undefined = undefined || v == 0;
        h = mix(h, v);
        source = v;
      }
    }
    const bool constant = ins.op == ww::opcode::mov && ins.has(ww::iflag::reads_immediate);
    if (constant) h = mix(5, ins.word[0] >> 32);
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!x[k].is_def() || !x[k].is_register()) continue;
      for (unsigned w = 0; w < x[k].width(); ++w) {
        value v = constant ? h : mix(h, k * 8 + w);
        if (ins.op == ww::opcode::mov && !constant) v = source;
        if (undefined) v = 0;  // may be anything
        set(before_, name(x[k], w), v);
        set(after_, name(y[k], w), v);
      }
    }
    return true;
  }
  bool check(value v, value w) {
    different_ = v != w;
    return !different_;
  }
  void deleted(ww::instr_id m) {
    const ww::instruction& ins = a_.before[m];
    const auto x = a_.before.operands_of(m);
    for (const ww::operand& o : x) {
      if (o.where() != ww::slot::guard || !o.is_register()) continue;
      const value p = get(before_, name(o, 0));
      if (((p >> 7 & 1u) != 0) == (ins.guard_negated != 0)) return;
    }
    for (const ww::operand& d : x) {
      if (!d.is_def() || !d.is_register()) continue;
      for (unsigned w = 0; w < d.width(); ++w) {
        value v = mix(rng_(), m.index());
        if (ins.op == ww::opcode::mov) {
          v = mix(5, ins.word[0] >> 32);
          for (const ww::operand& u : x) {
            if (u.is_use() && u.is_register() && u.where() != ww::slot::guard) v = get(before_, name(u, w));
          }
        }
        set(before_, name(d, w), v);
      }
    }
  }
  void inserted(ww::instr_id n, ww::verify::allocated_from from) {
    const ww::instruction& ins = a_.after[n];
    const auto y = a_.after.operands_of(n);
    const auto find = [&](ww::slot s) {
      for (const ww::operand& o : y) {
        if (o.where() == s) return o;
      }
      return ww::operand{};
    };
    switch (from.what) {
      case allocated_as::copy:
      case allocated_as::remat:
        for (const ww::operand& u : y) {
          if (!u.is_use() || !u.is_register()) continue;
          const value v = get(after_, name(u, 0));
          set(after_, name(y[0], 0), v);
          return;
        }
        set(after_, name(y[0], 0), mix(5, ins.word[0] >> 32));
        return;
      case allocated_as::spill:
        for (unsigned w = 0; w < find(ww::slot::data).width(); ++w) {
          after_.slots[ins.mem_offset + static_cast<std::int32_t>(4 * w)] = get(after_, name(find(ww::slot::data), w));
        }
        return;
      case allocated_as::refill:
        for (unsigned w = 0; w < y[0].width(); ++w)
          set(after_, name(y[0], w), after_.slots[ins.mem_offset + static_cast<std::int32_t>(4 * w)]);
        return;
      case allocated_as::p2r: {
        std::array<value, 32> bits{};
        const ww::operand old = find(ww::slot::a);
        if (old.is_register()) bits = after_.bits[name(old, 0)];
        for (const ww::operand& o : y) {
          if (o.is_use() && o.is_register() && o.file() == ww::reg_file::p)
            bits[o.base().number()] = get(after_, name(o, 0));
        }
        set(after_, name(y[0], 0), 3);
        after_.bits[name(y[0], 0)] = bits;
        return;
      }
      case allocated_as::r2p: {
        const std::array<value, 32> bits = after_.bits[name(find(ww::slot::a), 0)];
        for (const ww::operand& o : y) {
          if (o.is_def() && o.is_register()) set(after_, name(o, 0), bits[o.base().number()]);
        }
        return;
      }
      default:
        FAIL("not inserted by this allocator");
    }
  }

  const allocated_pair& a_;
  std::mt19937 rng_;
  value salt_;  // other data in each run
  state before_, after_;
  std::map<std::uint32_t, unsigned> count_;
  bool taken_ = false;
  bool different_ = false;
};

bool runs_differently(const allocated_pair& a, unsigned runs) {
  for (unsigned k = 0; k < runs; ++k) {
    if (machine(a, k).differs()) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("FPA-10 random: naive allocations are clean, and planted faults that change a value are found") {
  const unsigned seeds = ww_test::slow ? 60 : 600;
  std::map<int, std::map<int, unsigned>> codes;  // by bug
  std::map<int, std::array<unsigned, 4>> tally;  // planted, changes a value, that found, found without a change
  unsigned programs = 0;
  unsigned found = 0;
  unsigned right = 0;
  unsigned by_path = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const generated g = generator(seed).run();
    const ww::program before = ww_test::built(g.text);
    allocator a(g, before, seed * 7 + 1);
    if (!a.ok) continue;
    unsigned places = 0;
    const std::string after = a.emit(bug::none, 0, places);
    const allocated_pair good = ww_test::allocated(g.text, after);
    const allocation_report r = good.check();
    INFO("seed " << seed << "\n" << g.text << "\n" << after << "\n" << ww_test::full_text(r));
    if (r.fault == ww::verify::allocation_fault::flow) continue;  // nothing is left of a block
    REQUIRE_FALSE(runs_differently(good, 4));
    REQUIRE(r.ran);
    REQUIRE(r.sound());
    ++programs;
    std::mt19937 rng(seed);
    for (int k = 1; k < static_cast<int>(bug::count); ++k) {
      a.emit(static_cast<bug>(k), 0xffffffffu, places);
      if (places == 0) continue;
      const std::string bad_text = a.emit(static_cast<bug>(k), static_cast<unsigned>(rng() % places), places);
      if (bad_text == after) continue;
      const allocated_pair bad = ww_test::allocated(g.text, bad_text);
      const allocation_report w = bad.check();
      INFO(bug_names[k] << "\n" << bad_text << "\n" << ww_test::full_text(w) << "fault " << name_of(w.fault));
      if (w.fault == ww::verify::allocation_fault::flow) continue;  // nothing is left of a block
      REQUIRE(w.ran);
      std::array<unsigned, 4>& t = tally[k];
      ++t[0];
      const bool changes = runs_differently(bad, 40);
      t[1] += changes ? 1u : 0u;
      t[2] += changes && !w.sound() ? 1u : 0u;
      t[3] += !changes && !w.sound() ? 1u : 0u;
      if (!w.sound()) {
        const auto fresh = std::find_if(w.mismatches.begin(), w.mismatches.end(), [](const auto& m) { return !m.old; });
        const auto code = static_cast<unsigned>(fresh->code);
        ++codes[k][static_cast<int>(code)];
        ++found;
        right += (right_codes[k] >> code & 1u) != 0 ? 1u : 0u;
        by_path += std::all_of(w.mismatches.begin(), w.mismatches.end(), [](const auto& m) { return m.by_path; }) ? 1u : 0u;
      }
      REQUIRE((w.sound() ? !changes : true));
    }
  }
  std::printf("check_allocation: %u random programs clean\n", programs);
  for (const auto& [k, t] : tally) {
    std::printf("  %-17s planted %4u, changes a value %4u, of these found %4u; found besides %4u; codes", bug_names[k], t[0],
                t[1], t[2], t[3]);
    for (const auto& [code, n] : codes[k]) std::printf(" %d:%u", code, n);
    std::printf("\n");
    CHECK(t[0] > 0);
    CHECK(t[2] == t[1]);
  }
  std::printf("  %u found, %u with a code that explains the fault, %u by their path only\n", found, right, by_path);
  CHECK(programs * 10 > seeds * 8);
  CHECK(right * 100 >= found * 99);
  CHECK(tally.size() + 1 == static_cast<std::size_t>(bug::count));
}

TEST_CASE("FPA-10 random: programs and maps that are damaged are told, or compared, and never do harm") {
  const unsigned seeds = ww_test::slow ? 20 : 100;
  unsigned faults = 0;
  unsigned compared = 0;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    const generated g = generator(seed).run();
    const ww::program before = ww_test::built(g.text);
    allocator a(g, before, seed * 7 + 1);
    if (!a.ok) continue;
    unsigned places = 0;
    const allocated_pair good = ww_test::allocated(g.text, a.emit(bug::none, 0, places));
    std::mt19937 rng(seed);
    const auto roll = [&](std::size_t n) { return static_cast<std::uint32_t>(rng() % n); };
    for (unsigned k = 0; k < 60; ++k) {
      allocated_pair bad = good;
      ww::program& p = roll(2) == 0 ? bad.before : bad.after;
      const std::uint32_t any = roll(3) == 0 ? 0xffffffffu >> roll(32) : roll(12);
      for (unsigned times = 0; times <= roll(3); ++times) {
        switch (roll(14)) {
          case 0:
            p.order[roll(p.order.size())] = ww::instr_id{any};
            break;
          case 1:
            p.blocks[roll(p.blocks.size())].first = any;
            break;
          case 2:
            p.blocks[roll(p.blocks.size())].count = any;
            break;
          case 3:
            p.blocks[roll(p.blocks.size())].edge_count = any;
            break;
          case 4:
            if (!p.edges.empty()) p.edges[roll(p.edges.size())].to = ww::block_id{any};
            break;
          case 5:
            p.instructions[roll(p.instructions.size())].first_operand = any;
            break;
          case 6:
            p.instructions[roll(p.instructions.size())].operand_count = static_cast<std::uint8_t>(any);
            break;
          case 7:
            p.operands[roll(p.operands.size())].low ^= 1u << roll(32);
            break;
          case 8:
            p.operands[roll(p.operands.size())].high ^= 1u << roll(32);
            break;
          case 9:
            bad.map[roll(bad.map.size())].of = ww::instr_id{any};
            break;
          case 10:
            bad.map[roll(bad.map.size())].what = static_cast<allocated_as>(any);
            break;
          case 11:
            bad.map[roll(bad.map.size())].first_bit = static_cast<std::uint8_t>(any);
            break;
          case 12:
            p.instructions[roll(p.instructions.size())].mem_bytes = static_cast<std::uint8_t>(any);
            break;
          default:
            p.instructions[roll(p.instructions.size())].flags ^= 1u << roll(32);
            break;
        }
      }
      const allocation_report r = bad.check();
      ++(r.ran ? compared : faults);
      const std::string text = ww_test::full_text(r);
      REQUIRE_FALSE(text.empty());
      REQUIRE(ww_test::full_text(bad.check()) == text);
    }
  }
  CHECK(faults > 100);
  CHECK(compared > 100);
}
