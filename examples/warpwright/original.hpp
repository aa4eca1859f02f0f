// SPDX-License-Identifier: BSL-1.0
//
// `check FILE --original OLD`: what FILE computes, held against the listing that it was made from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/sass/module.hpp>

#include "job.hpp"

namespace cli {

// Reads the listing and builds its graphs; what is wrong with it, or nothing. `m` refers to `content`.
std::string read_original(const std::string& path, ww::sm_id sm, std::string& content, ww::sass::module& m);

// Adds a finding for each difference between a section of `m` and the one of the same name in the original, the n-th of that
// name and SM with the n-th. What is wrong with the pair of files, or nothing.
std::string compare_with_original(const ww::sass::module& original, const std::string& path, const ww::sass::module& m,
                                  std::size_t section, function_row& row);

// Adds a row with a finding for each section of the original that `m` has no section for.
void find_missing(const ww::sass::module& original, const std::string& path, const ww::sass::module& m,
                  std::vector<function_row>& rows);

// The first difference between two orders of the same instructions in a few words; empty if there is none.
std::string other_program(const ww::program& before, const ww::program& after);

}  // namespace cli
