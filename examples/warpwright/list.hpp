// SPDX-License-Identifier: BSL-1.0
//
// `warpwright list`: what the kit ships, by walking its compile-time lists.
#pragma once

#include <string>

#include "options.hpp"

namespace cli {

// The text for one of archs, strategies, constraints, priorities, phases; empty if `what` is none of them.
std::string list_text(const std::string& what);

// What is wrong with the names of strategy, backend, mode and priority that were asked for; empty if nothing is.
std::string unknown_name(const options& o);

// Why files cannot be scheduled with that strategy; empty where they can, or where there is no such strategy.
std::string refusal_of(const std::string& strategy);

}  // namespace cli
