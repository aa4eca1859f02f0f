// SPDX-License-Identifier: BSL-1.0
//
// `warpwright layout`: the blocks of every function in another order, proved, with control words of their own, as a listing.
#pragma once

#include <string>
#include <vector>

#include <warpwright/sass/module.hpp>

#include "job.hpp"

namespace cli {

// Lays out every section of `m`, whose graphs are built and whose profile, if any, has been read into `o.counts`. What a
// listing, or the cubin if there is one, cannot hold stays as it was, with a note that says why.
void lay_out(const std::vector<unit>& named, const options& o, const std::string& file, const ww::sass::module& m,
             const std::string& cubin, file_result& result, std::string& cubin_out);

}  // namespace cli
