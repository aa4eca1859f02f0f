// SPDX-License-Identifier: BSL-1.0
//
// The end of reading: names and offsets become instructions, symbols become functions, closing NOPs become padding.
//
// A label belongs to one section. Where control must go (target, entry) it has to be defined, in the same section, and
// with an instruction behind it. A call may name a function of another section or a symbol that the file does not define:
// that is kept as an external reference; a made-up label (.L..) must be defined in any case.
// In listings without labels a call target is a function if the call comes back (return_points.hpp).
// They do not say either which functions are kernels: one that control leaves by RET is called by others.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "../../arch/control_format.hpp"
#include "../../isa/assumed_descriptor.hpp"
#include "../error.hpp"
#include "../module.hpp"
#include "attached_labels.hpp"
#include "label_table.hpp"
#include "references.hpp"
#include "return_points.hpp"

namespace ww::sass::detail {

class listing_resolver {
 public:
  listing_resolver(sass::module& m, const label_table& labels, error& e) : m_(m), labels_(labels), error_(e) {}

  [[nodiscard]] bool run(const std::vector<reference>& references, const std::vector<symbol_note>& symbols,
                         const std::vector<register_note>& notes) {
    named_.assign(m_.labels.size(), 0);
    for (const reference& r : references) {
      if (!resolve(r)) return false;
    }
    if (!make_functions(symbols)) return false;
    attach_labels(m_, named_);
    // Nothing moves across any other label, also where nothing in the file names it (code compiled with -G has such).
    for (const label& l : m_.labels) {
      program& p = m_.sections[l.section];
      if (l.attached || l.instruction >= p.instructions.size()) continue;
      // An indirect branch has one in front of it that only its own offset is told from; it ends its block anyway.
      if (p.instructions[l.instruction].has(iflag::indirect) && p.instructions[l.instruction].has(iflag::branch)) continue;
      p.leaders.push_back(instr_id{l.instruction});
    }
    for (std::uint32_t s = 0; s < m_.sections.size(); ++s) {
      program& p = m_.sections[s];
      if (m_.form != listing_form::nvdisasm) {
        const return_points returns(p);
        find_callees(s, returns);
        if (returns_to_caller(p, returns)) p.functions.front().kernel = false;
      }
      std::stable_sort(p.functions.begin(), p.functions.end(),
                       [](const function& a, const function& b) { return a.entry < b.entry; });
      std::sort(p.leaders.begin(), p.leaders.end());
      p.leaders.erase(std::unique(p.leaders.begin(), p.leaders.end()), p.leaders.end());
      mark_padding(p);
      // False only for registers from 1024 on, of which listings have none.
      if (!p.has_encoding) (void)isa::narrow_assumed(p);
    }
    for (const register_note& n : notes) {  // a kernel's symbol stands in the section of its name
      const std::uint32_t index = labels_.find(m_, n.function);
      if (index == label_table::none) continue;
      const std::uint32_t section = m_.labels[index].section;
      program& p = m_.sections[section];
      if (p.register_count == 0 && m_.name_of(m_.infos[section]) == n.function) p.register_count = n.count;
    }
    return true;
  }

 private:
  bool fail(std::uint64_t line, std::uint64_t column, const char* expected, std::string_view found) {
    error_.line = line;
    error_.column = column;
    error_.expected = expected;
    error_.set_found(found);
    return false;
  }
  bool fail(const reference& r, const char* expected) {
    const text_record& rec = m_.records[m_.infos[r.section].first_record + r.instruction];
    std::uint32_t at = r.name.empty() ? rec.body_end : static_cast<std::uint32_t>(r.name.data() - m_.text.data());
    if (r.name.empty()) {  // an offset is the last word
      while (at > rec.body && !is_blank(m_.text[at - 1]) && m_.text[at - 1] != ',') --at;
    }
    return fail(rec.line, at - rec.begin + 1, expected,
                m_.text.substr(at, r.name.empty() ? rec.body_end - at : r.name.size()));
  }

  bool resolve(const reference& r) {
    program& p = m_.sections[r.section];
    instr_id to;
    if (r.name.empty()) {
      if (!by_offset(r, to)) {
        return r.kind == reference_kind::soft || r.kind == reference_kind::callee ||
               fail(r, "a branch target inside the section");
      }
    } else {
      const std::uint32_t index = labels_.find(m_, r.name);
      const bool must = r.kind == reference_kind::target || r.kind == reference_kind::entry;
      if (index == label_table::none) {
        if (must || r.name.substr(0, 2) == ".L") return fail(r, "a label that is defined");
        add_external(r);
        return true;
      }
      const label& l = m_.labels[index];
      named_[index] = 1;
      if (l.section != r.section) {
        if (must) return fail(r, "a label of the same section");
        add_external(r);
        return true;
      }
      if (l.instruction >= p.instructions.size()) {
        if (must || r.kind == reference_kind::callee) return fail(r, "a label with an instruction behind it");
        return true;
      }
      to = instr_id{l.instruction};
    }
    switch (r.kind) {
      case reference_kind::target:
      case reference_kind::callee:
        p.instructions[r.instruction].target = to;
        break;
      case reference_kind::entry:
        p.table_targets[r.slot] = to;
        break;
      case reference_kind::soft:
        p.leaders.push_back(to);
        break;
    }
    return true;
  }

  // Offsets name instructions; on word64 also the control word of a group, which stands for its first instruction.
  bool by_offset(const reference& r, instr_id& out) const {
    const program& p = m_.sections[r.section];
    const bool word64 = m_.infos[r.section].word64;
    std::uint64_t index = r.offset / 16;
    bool aligned = r.offset % 16 == 0;
    if (word64) {
      const std::uint64_t in_group = r.offset % 32;
      aligned = in_group % 8 == 0;
      index = r.offset / 32 * 3 + (in_group == 0 ? 0 : in_group / 8 - 1);
    }
    if (!aligned || index >= p.instructions.size()) return false;
    out = instr_id{static_cast<std::uint32_t>(index)};
    return true;
  }

  void add_external(const reference& r) {
    m_.externals.push_back({r.section, instr_id{r.instruction}, static_cast<std::uint32_t>(m_.names.size())});
    m_.names.push_back(r.name);
  }

  bool make_functions(const std::vector<symbol_note>& symbols) {
    std::vector<std::uint32_t> function_of(m_.labels.size(), 0xffffffffu);  // by label
    for (const symbol_note& s : symbols) {
      const std::uint32_t index = labels_.find(m_, s.name);
      if (index == label_table::none) {
        if (s.kind == symbol_kind::size_end && s.name.substr(0, 2) != ".L") continue;
        return fail(s.line, 1, "a label for the symbol of the directive", s.name);
      }
      const label& l = m_.labels[index];
      named_[index] = 1;
      program& p = m_.sections[s.section];
      if (s.kind == symbol_kind::size_end || l.section != s.section || l.instruction >= p.instructions.size()) continue;
      if (function_of[index] == 0xffffffffu) {
        function added;
        added.name = static_cast<std::uint32_t>(m_.names.size());
        added.entry = instr_id{l.instruction};
        m_.names.push_back(s.name);
        function_of[index] = static_cast<std::uint32_t>(p.functions.size());
        p.functions.push_back(added);
      }
      if (s.kind == symbol_kind::kernel) p.functions[function_of[index]].kernel = true;
    }
    for (std::size_t s = 0; s < m_.sections.size(); ++s) {
      program& p = m_.sections[s];
      if (!p.functions.empty()) continue;
      function f;  // no symbols in this form, or none printed
      f.name = m_.infos[s].name;
      f.entry = instr_id{0};
      f.kernel = true;
      p.functions.push_back(f);
    }
    return true;
  }

  void find_callees(std::uint32_t section, const return_points& returns) {
    program& p = m_.sections[section];
    std::vector<instr_id> found;
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
      const instruction& x = p.instructions[i];
      if (x.has(iflag::call) && x.target.valid() && returns.comes_back(i)) found.push_back(x.target);
    }
    add_callable(p, found);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    for (const instr_id entry : found) {
      if (entry == instr_id{0}) continue;
      function f;
      f.name = 0xffffffffu;
      f.entry = entry;
      p.functions.push_back(f);
    }
  }

  // Where a section calls through registers, what nothing jumps or falls to can be a function (unless there are indirect
  // branches, whose targets look the same).
  static void add_callable(const program& p, std::vector<instr_id>& found) {
    bool calls = false;
    bool branches = false;
    for (const instruction& x : p.instructions) {
      calls = calls || (x.has(iflag::call) && x.has(iflag::indirect));
      branches = branches || (x.has(iflag::branch) && x.has(iflag::indirect));
    }
    if (!calls || branches) return;
    std::vector<std::uint8_t> named(p.instructions.size(), 0);
    for (std::uint32_t i = 0; i < p.instructions.size(); ++i) {
      const instr_id to = p.instructions[i].target;
      if (to.valid()) named[to.index()] = 1;
    }
    for (std::uint32_t i = 1; i < p.instructions.size(); ++i) {
      const instruction& before = p.instructions[i - 1];
      const bool leaves = before.has(iflag::exit) || before.has(iflag::ret) || before.has(iflag::branch);
      const bool may_fall = before.has(iflag::guarded) || before.has(iflag::never) || before.has(iflag::conditional);
      if (leaves && !may_fall && named[i] == 0 && p.instructions[i].op != opcode::nop) found.push_back(instr_id{i});
    }
  }

  // Does control come from the front to a RET, without the bodies of functions that are called on the way?
  static bool returns_to_caller(const program& p, const return_points& returns) {
    std::vector<std::uint8_t> seen(p.instructions.size(), 0);
    std::vector<std::uint32_t> open;
    const auto reach = [&](std::size_t i) {
      if (i >= seen.size() || seen[i] != 0) return;
      seen[i] = 1;
      open.push_back(static_cast<std::uint32_t>(i));
    };
    reach(0);
    while (!open.empty()) {
      const std::uint32_t i = open.back();
      open.pop_back();
      const instruction& x = p.instructions[i];
      if (x.has(iflag::ret) && !x.has(iflag::never)) return true;
      const bool comes_back = x.has(iflag::call) && returns.comes_back(i);
      if (x.target.valid() && !comes_back) reach(x.target.index());
      const bool may_fall = x.has(iflag::guarded) || x.has(iflag::never) || x.has(iflag::conditional) || comes_back;
      const bool leaves = x.has(iflag::exit) || x.has(iflag::branch) || x.has(iflag::call) || x.has(iflag::reconverge);
      if (may_fall || !leaves) reach(std::size_t{i} + 1);
    }
    return false;
  }

  static void mark_padding(program& p) {
    for (std::size_t i = p.instructions.size(); i-- > 0;) {
      if (p.instructions[i].op != opcode::nop) break;
      p.instructions[i].add(iflag::padding);
    }
  }

  sass::module& m_;
  const label_table& labels_;
  error& error_;
  std::vector<std::uint8_t> named_;  // by label
};

}  // namespace ww::sass::detail
