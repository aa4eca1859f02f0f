// SPDX-License-Identifier: BSL-1.0
//
// `warpwright report`: every function before and after scheduling, as a page, a trace and graphs.
#pragma once

#include <string>
#include <vector>

#include <warpwright/pipeline/result.hpp>
#include <warpwright/report/kernel_report.hpp>
#include <warpwright/sass/module.hpp>

#include "job.hpp"

namespace cli {

// A section of `m` as it came and as it was left, with what `row` says of it so far.
ww::report::kernel_report report_of(const unit& u, const ww::sass::module& m, const ww::program& came,
                                    const ww::program& left, const ww::schedule_result& r, const function_row& row);

// Writes what the options name, all of it or nothing; the text for people goes where nothing else does. False with a sentence
// in `error`.
bool write_reports(const options& o, const std::vector<file_result>& results, const std::string& text, std::string& error);

}  // namespace cli
