// SPDX-License-Identifier: BSL-1.0
//
// The unit that the precompiled test framework is made for; nothing else is in it.
#include "catch.hpp"
