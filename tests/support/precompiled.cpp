// SPDX-License-Identifier: BSL-1.0
//
// The unit that the precompiled header is made for; nothing else is in it.
#include "precompiled.hpp"
