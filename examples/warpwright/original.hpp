// SPDX-License-Identifier: BSL-1.0
//
// `check FILE --original OLD`: what FILE computes, held against the listing that it was made from.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/sass/module.hpp>
#include <warpwright/verify/same_order.hpp>

#include "job.hpp"

namespace cli {

// Reads the listing and builds its graphs; what is wrong with it, or nothing. `m` refers to `content`.
std::string read_original(const std::string& path, ww::sm_id sm, std::string& content, ww::sass::module& m);

// The labels of a listing, found when they are first asked for.
class listing_labels {
 public:
  explicit listing_labels(const ww::sass::module& m) : m_(&m) {}

  // The label of that name, or none.
  const ww::sass::label* find(std::string_view name);
  // Takes away the leaders of a section at which no label stands that an instruction names; none where code is reached by addresses
  // that are not known.
  void drop_unnamed(std::size_t section, ww::program& p);

 private:
  const ww::sass::module* m_;
  std::unordered_map<std::string_view, const ww::sass::label*> by_name_;
  std::vector<bool> named_;                           // by label
  std::vector<std::vector<std::size_t>> of_section_;  // labels, once `named_` is known
};

// The sections of a listing by name and SM, found when they are first asked for: a program made of several files can hold a function
// of one name more than once, and a file tens of thousands of functions.
class section_names {
 public:
  explicit section_names(const ww::sass::module& m) : m_(&m) {}

  // All of the name and the SM of a section of `other`, in the order of the file.
  const std::vector<std::size_t>& like(const ww::sass::module& other, std::size_t section);
  // How many of them stand in front of a section of this listing.
  std::size_t before(std::size_t section);
  // Is there one of that name for another SM than that of a section of `other`?
  bool elsewhere(const ww::sass::module& other, std::size_t section);

 private:
  struct sections_of_sm {
    ww::sm_id sm;
    std::vector<std::size_t> sections;
  };

  void find_all();

  const ww::sass::module* m_;
  std::unordered_map<std::string_view, std::vector<sections_of_sm>> by_name_;
  std::vector<std::size_t> before_;  // by section
};

// Holds sections of `m` against those of the original. Labels are compared as places and not as names: listings of one code differ
// in them.
class comparison {
 public:
  comparison(const ww::sass::module& original, const std::string& path, const ww::sass::module& m);

  // Adds a finding for each difference between a section and the one of the same name in the original, the n-th of that
  // name and SM with the n-th. What is wrong with the pair of files, or nothing.
  std::string run(std::size_t section, function_row& row);

 private:
  using differences = ww::vec<ww::verify::order_difference>;

  bool same_name(std::string_view x, std::string_view y);
  void compare_names(const ww::program& old, const ww::program& p, const ww::vec<ww::instr_id>& came_from,
                     differences& found);
  differences compare(std::size_t old_section, std::size_t section);

  const ww::sass::module& original_;
  const std::string& path_;
  const ww::sass::module& m_;
  listing_labels old_labels_;
  listing_labels labels_;
  section_names old_names_;
  section_names names_;
};

// Adds a row with a finding for each section of the original that `m` has no section for.
void find_missing(const ww::sass::module& original, const std::string& path, const ww::sass::module& m,
                  std::vector<function_row>& rows);

// The first difference between two orders of the same instructions in a few words; empty if there is none.
std::string other_program(const ww::program& before, const ww::program& after);

}  // namespace cli
