// SPDX-License-Identifier: BSL-1.0
//
// The block layouter: which blocks are cold, and in which order the blocks of a function stand (HC-1 to HC-8).
//
//   cold_marks.hpp      which blocks are cold, and why
//   layouter.hpp        the order of the blocks: inside loops, of if/else, the final places
#pragma once

#include "cold_marks.hpp"
#include "layouter.hpp"
