// SPDX-License-Identifier: BSL-1.0
//
// `warpwright rebuild`: order, registers and control words of every function made anew, proved, as a listing and a cubin.
#pragma once

#include <string>
#include <vector>

#include <warpwright/sass/module.hpp>

#include "job.hpp"

namespace cli {

// Rebuilds every section of `m`, whose graphs are built. What cannot be given other registers is scheduled with those it has, with a
// note that says why.
void rebuild(const std::vector<unit>& named, const options& o, const std::string& file, const ww::sass::module& m,
             const std::string& cubin, file_result& result, std::string& cubin_out);

}  // namespace cli
