// SPDX-License-Identifier: BSL-1.0
#include "original.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include <warpwright/arch/all.hpp>
#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/unknown_targets.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/verify/same_order.hpp>

#include "files.hpp"

namespace cli {

namespace {

using ww::sass::module;

// The code of cuobjdump says neither where functions begin nor where branches through registers go: of two listings, one of which
// does, both get what that one says, if they agree on where its instructions are.
void share_symbols(const module& from, const ww::program& p, const module& to, ww::program& q) {
  if (from.form != ww::sass::listing_form::nvdisasm || to.form == ww::sass::listing_form::nvdisasm) return;
  if (p.order.size() != q.order.size()) return;
  q.functions = p.functions;
  for (const ww::branch_table& t : p.tables) {
    if (q[t.branch].op != p[t.branch].op) return;
  }
  q.tables = p.tables;
  q.table_targets = p.table_targets;
}

// The names of an instruction that are not registers: `(NAME), and what stands in an operand with a relocation, 32@lo((F + .L_x_0@srel)).
std::vector<std::string_view> names_in(std::string_view body) {
  std::vector<std::string_view> found;
  constexpr std::string_view first = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.$";
  constexpr std::string_view more = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_.$0123456789";
  std::size_t at = !body.empty() && body[0] == '@' ? body.find(' ') : 0;  // behind a guard
  while (at < body.size()) {
    const std::size_t end = std::min(body.find(", ", at), body.size());
    const std::string_view operand = body.substr(at, end - at);
    at = end + 1;
    if (const std::size_t quote = operand.find('`'); quote != std::string_view::npos) {
      const std::size_t close = std::min(operand.find(')', quote), operand.size());
      found.push_back(operand.substr(quote + 2, close - quote - 2));
    } else if (operand.find('@') != std::string_view::npos) {
      for (std::size_t k = operand.find_first_of(first); k < operand.size(); k = operand.find_first_of(first, k)) {
        const std::size_t stop = std::min(operand.find_first_not_of(more, k), operand.size());
        found.push_back(operand.substr(k, stop - k));
        k = stop;
      }
    }
  }
  return found;
}

std::uint32_t block_at(const ww::program& p, std::uint32_t place) {
  for (std::uint32_t b = 0; b < p.blocks.size(); ++b) {
    if (place - p.blocks[b].first < p.blocks[b].count) return b;
  }
  return 0xffffffffu;
}

bool made_up(std::string_view name) { return name.substr(0, 2) == ".L"; }

}  // namespace

std::string read_original(const std::string& path, ww::sm_id sm, std::string& content, ww::sass::module& m) {
  std::string error;
  if (!read_file(path, content, error)) {
    return error;
  }
  if (content.compare(0, 4, "\177ELF") == 0) {
    return path + ": a cubin holds no text to compare with; give its listing";
  }
  ww::sass::listing_result read = ww::sass::read_listing(content, {.sm = sm, .file = path});
  if (!read) {
    const ww::sass::listing_result alone = ww::sass::read_listing(content, {.sm = ww::sm_id::unknown, .file = path});
    return alone ? path + ": expected a listing for the SM of the file that it is compared with" : read.err.message();
  }
  m = std::move(read.mod);
  if (!m.has_hex) {
    return path +
           ": expected hex words beside the instructions (nvdisasm -c -hex): they tell equal instructions from others";
  }
  for (std::size_t s = 0; s < m.sections.size(); ++s) {
    if (const ww::cfg_result graph = ww::build_cfg(m.sections[s]); !graph.ok) {
      return path + ": section " + std::string(m.name_of(m.infos[s])) + ": expected " + graph.expected;
    }
  }
  return {};
}

const ww::sass::label* listing_labels::find(std::string_view name) {
  if (by_name_.empty()) {
    for (const ww::sass::label& l : m_->labels) by_name_.emplace(m_->name_of(l), &l);
  }
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

void listing_labels::drop_unnamed(std::size_t section, ww::program& p) {
  if (m_->form != ww::sass::listing_form::nvdisasm || ww::has_unknown_targets(p)) return;
  if (of_section_.empty()) {
    of_section_.resize(m_->sections.size());
    for (std::size_t k = 0; k < m_->labels.size(); ++k) {
      if (m_->labels[k].section < of_section_.size()) of_section_[m_->labels[k].section].push_back(k);
    }
    named_.assign(m_->labels.size(), false);
    for (const ww::program& q : m_->sections) {
      for (const ww::instruction& i : q.instructions) {
        for (const std::string_view name : names_in(m_->body_of(i))) {
          const ww::sass::label* l = made_up(name) ? find(name) : nullptr;
          if (l != nullptr) named_[static_cast<std::size_t>(l - m_->labels.data())] = true;
        }
      }
    }
  }
  std::vector<bool> place(p.order.size() + 1, false);
  for (const std::size_t k : of_section_[section]) {
    const ww::sass::label& l = m_->labels[k];
    if (l.instruction < place.size() && (named_[k] || !made_up(m_->name_of(l)))) place[l.instruction] = true;
  }
  std::size_t kept = 0;
  for (const ww::instr_id i : p.leaders) {
    if (place[i.index()]) p.leaders[kept++] = i;
  }
  p.leaders.resize(kept);
}

void section_names::find_all() {
  if (!by_name_.empty()) return;
  for (std::size_t s = 0; s < m_->sections.size(); ++s) {
    std::vector<sections_of_sm>& of_name = by_name_[m_->name_of(m_->infos[s])];
    const ww::sm_id sm = ww::nearest_sm(m_->sections[s].sm);
    auto found = std::find_if(of_name.begin(), of_name.end(), [sm](const sections_of_sm& x) { return x.sm == sm; });
    if (found == of_name.end()) found = of_name.insert(found, {sm, {}});
    before_.push_back(found->sections.size());
    found->sections.push_back(s);
  }
}

const std::vector<std::size_t>& section_names::like(const module& other, std::size_t section) {
  static const std::vector<std::size_t> none;
  find_all();
  const auto of_name = by_name_.find(other.name_of(other.infos[section]));
  if (of_name == by_name_.end()) return none;
  for (const sections_of_sm& x : of_name->second) {
    if (x.sm == ww::nearest_sm(other.sections[section].sm)) return x.sections;
  }
  return none;
}

std::size_t section_names::before(std::size_t section) {
  find_all();
  return before_[section];
}

bool section_names::elsewhere(const module& other, std::size_t section) {
  find_all();
  const auto of_name = by_name_.find(other.name_of(other.infos[section]));
  return of_name != by_name_.end() && of_name->second.size() > (like(other, section).empty() ? 0u : 1u);
}

comparison::comparison(const module& original, const std::string& path, const module& m)
    : original_(original), path_(path), m_(m), old_labels_(original), labels_(m), old_names_(original), names_(m) {}

// A label of its listing has to lead to the same block, any other name to be the same.
bool comparison::same_name(std::string_view x, std::string_view y) {
  if (!made_up(x) || !made_up(y)) return x == y;  // functions, data
  const ww::sass::label* u = old_labels_.find(x);
  const ww::sass::label* v = labels_.find(y);
  if (u == nullptr || v == nullptr) return x == y;
  const ww::program& old = original_.sections[u->section];
  const ww::program& now = m_.sections[v->section];
  if (original_.name_of(original_.infos[u->section]) != m_.name_of(m_.infos[v->section])) return false;
  return u->instruction == v->instruction ||
         (old.blocks.size() == now.blocks.size() && block_at(old, u->instruction) == block_at(now, v->instruction));
}

// What instructions name besides targets, which the programs hold. `came_from`: by instruction of p, that of `old`.
void comparison::compare_names(const ww::program& old, const ww::program& p, const ww::vec<ww::instr_id>& came_from,
                               differences& found) {
  constexpr auto with_names = ww::sass::listing_form::nvdisasm;
  if (original_.form != with_names || m_.form != with_names) return;
  for (const ww::instr_id j : p.order) {
    const ww::instr_id i = j.index() < came_from.size() ? came_from[j.index()] : ww::instr_id{};
    if (!i.valid() || p[j].target.valid()) continue;
    const std::vector<std::string_view> x = names_in(original_.body_of(old[i]));
    const std::vector<std::string_view> y = names_in(m_.body_of(p[j]));
    const bool same = std::equal(x.begin(), x.end(), y.begin(), y.end(),
                                 [&](std::string_view a, std::string_view b) { return same_name(a, b); });
    if (!same) found.push_back({ww::verify::order_fault::target, {}, j, {}});
  }
}

// Of two sections. Labels that nothing names are in one listing and not in the other, or have names that say nothing: they do not count.
comparison::differences comparison::compare(std::size_t old_section, std::size_t section) {
  const ww::program& old = original_.sections[old_section];
  const ww::program& p = m_.sections[section];
  differences found;
  ww::vec<ww::instr_id> came_from;
  ww::verify::same_order(old, p, found, &came_from);
  if (!found.empty() && (original_.form != m_.form || !old.leaders.empty() || !p.leaders.empty())) {
    ww::program a = old;
    ww::program b = p;
    old_labels_.drop_unnamed(old_section, a);
    labels_.drop_unnamed(section, b);
    share_symbols(original_, old, m_, b);
    share_symbols(m_, p, original_, a);
    differences joined;
    ww::vec<ww::instr_id> of_joined;
    if (ww::verify::join_leaders(a, b)) {
      ww::verify::same_order(a, b, joined, &of_joined);
      if (joined.empty() || found[0].fault == ww::verify::order_fault::foreign) {
        found = std::move(joined);
        came_from = std::move(of_joined);
      }
    }
  }
  compare_names(old, p, came_from, found);
  return found;
}

std::string comparison::run(std::size_t section, function_row& row) {
  const std::string name(m_.name_of(m_.infos[section]));
  const std::size_t nth = names_.before(section);
  const std::vector<std::size_t>& old = old_names_.like(m_, section);
  if (nth < old.size()) {
    for (const ww::verify::order_difference& d : compare(old[nth], section)) {
      row.hazards.push_back(row_of(m_, m_.sections[section], d));
    }
    return {};
  }
  if (nth == 0 && old_names_.elsewhere(m_, section)) {
    return path_ + ": expected code for the SM of the file that is checked";
  }
  return path_ + ": expected " + (nth == 0 ? "a section " + name : std::to_string(nth + 1) + " sections " + name) +
         " like the file that is checked";
}

void find_missing(const ww::sass::module& original, const std::string& path, const ww::sass::module& m,
                  std::vector<function_row>& rows) {
  section_names old_names(original);
  section_names names(m);
  for (std::size_t s = 0; s < original.sections.size(); ++s) {
    if (old_names.before(s) < names.like(original, s).size()) continue;
    function_row row;
    row.name = std::string(original.name_of(original.infos[s]));
    row.file = path;
    ww::visit_arch(ww::nearest_sm(original.sections[s].sm), [&]<class Arch>() { row.sm = Arch::name; });
    finding_row missing;
    missing.kind = "missing_function";
    missing.level = "finding";
    missing.evidence = "documented";
    missing.second = "function " + row.name + " is not in the file that is checked";
    row.hazards.push_back(std::move(missing));
    rows.push_back(std::move(row));
  }
}

std::string other_program(const ww::program& before, const ww::program& after) {
  ww::vec<ww::verify::order_difference> found;
  ww::verify::compare_orders(before, after, found);
  if (found.empty()) {
    return {};
  }
  char text[64];
  const ww::instr_id i = found[0].second;
  std::snprintf(text, sizeof text, "%s at /*%04x*/", ww::verify::name(found[0].fault), i.valid() ? before[i].address : 0u);
  return text;
}

}  // namespace cli
