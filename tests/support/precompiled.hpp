// SPDX-License-Identifier: BSL-1.0
//
// What every test unit is given before its first line: the test framework, and the note that the work of the shipped SMs
// is compiled elsewhere (examples/instances). A test includes what it uses all the same.
#pragma once

#include "catch.hpp"
#include "instances.hpp"
