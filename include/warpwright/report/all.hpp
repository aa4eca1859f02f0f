// SPDX-License-Identifier: BSL-1.0
//
// What compilers print about a program, made from what the kit knows of it (PLS-18).
//
//   guidance_lines.hpp       the statistics lines before and after register allocation
//   guidance_numbers.hpp     the numbers in them
//   guidance_of.hpp          the numbers from a program and what its user knows
//   guidance_record.hpp      the compact records in code objects
//   issue_pairs.hpp          instructions that issue together
//   scheduling_guidance.hpp  the header and the blocks behind it
//   statistics_object.hpp    the numbers as the words of the text's statistics object
//   text_line.hpp            a line of text from a format and numbers
#pragma once

#include "guidance_lines.hpp"
#include "guidance_numbers.hpp"
#include "guidance_of.hpp"
#include "guidance_record.hpp"
#include "issue_pairs.hpp"
#include "scheduling_guidance.hpp"
#include "statistics_object.hpp"
#include "text_line.hpp"
