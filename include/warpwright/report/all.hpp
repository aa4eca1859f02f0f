// SPDX-License-Identifier: BSL-1.0
//
// What compilers print about a program, made from what the kit knows of it (PLS-18), and what a schedule does and why.
//
//   escape.hpp               text of any bytes in pages, JSON and DOT
//   evidence.hpp             what the distances of a dependence graph rest on
//   figures_text.hpp         numbers and control words as reports show them
//   graph_dot.hpp            dependence graphs for a drawer of graphs
//   guidance_lines.hpp       the statistics lines before and after register allocation
//   guidance_numbers.hpp     the numbers in them
//   guidance_of.hpp          the numbers from a program and what its user knows
//   guidance_record.hpp      the compact records in code objects
//   html_page.hpp            a report as one page
//   issue_pairs.hpp          instructions that issue together
//   kernel_report.hpp        a function before and after scheduling: what pages, traces and graphs are written from
//   scheduling_guidance.hpp  the header and the blocks behind it
//   statistics_object.hpp    the numbers as the words of the text's statistics object
//   text_line.hpp            a line of text from a format and numbers
//   timeline_of.hpp          what each instruction of a program waits for, and on whom
//   trace_json.hpp           a report as trace events
#pragma once

#include "escape.hpp"
#include "evidence.hpp"
#include "figures_text.hpp"
#include "graph_dot.hpp"
#include "guidance_lines.hpp"
#include "guidance_numbers.hpp"
#include "guidance_of.hpp"
#include "guidance_record.hpp"
#include "html_block.hpp"
#include "html_kernel.hpp"
#include "html_page.hpp"
#include "html_style.hpp"
#include "issue_pairs.hpp"
#include "kernel_report.hpp"
#include "markup.hpp"
#include "scheduling_guidance.hpp"
#include "statistics_object.hpp"
#include "text_line.hpp"
#include "timeline.hpp"
#include "timeline_of.hpp"
#include "trace_json.hpp"
