// SPDX-License-Identifier: BSL-1.0
//
// Results as text for people and as JSON for programs.
#pragma once

#include <string>
#include <vector>

#include "job.hpp"

namespace cli {

std::string json(const std::vector<file_result>& results);
std::string check_text(const std::vector<file_result>& results);
std::string schedule_text(const std::vector<file_result>& results);
std::string layout_text(const std::vector<file_result>& results);
std::string compare_text(const std::vector<file_result>& results);

}  // namespace cli
