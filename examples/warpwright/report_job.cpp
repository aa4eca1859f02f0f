// SPDX-License-Identifier: BSL-1.0
#include "report_job.hpp"

#include <cstdio>

#include <warpwright/report/graph_dot.hpp>
#include <warpwright/report/html_page.hpp>
#include <warpwright/report/trace_json.hpp>

#include "files.hpp"

namespace cli {

ww::report::kernel_report report_of(const unit& u, const ww::sass::module& m, const ww::program& came,
                                    const ww::program& left, const ww::schedule_result& r, const function_row& row) {
  ww::report::kernel_report k;
  k.name = row.name;
  k.sm = row.sm;
  k.file = row.file;
  k.bound = r.bound;
  k.registers = came.register_count;
  k.blocks_kept = r.kept_blocks;
  k.notes = row.notes;
  const ww::program& longer = left.instructions.size() > came.instructions.size() ? left : came;
  k.texts.reserve(longer.instructions.size());
  k.addresses.reserve(longer.instructions.size());
  for (const ww::instruction& i : longer.instructions) {
    k.texts.push_back(i.source < m.records.size() ? ww::report::without_reuse(m.body_of(i)) : std::string());
    k.addresses.push_back(i.address);
  }
  u.observe(came, r.warps, k.before);
  u.observe(left, r.warps, k.after);
  return k;
}

bool write_reports(const options& o, const std::vector<file_result>& results, const std::string& text, std::string& error) {
  std::vector<ww::report::kernel_report> kernels;
  for (const file_result& f : results) kernels.insert(kernels.end(), f.reports.begin(), f.reports.end());
  const ww::span<const ww::report::kernel_report> all(kernels.data(), kernels.size());
  std::string html, trace, dot;
  if (!o.html.empty()) ww::report::write_html_page(html, all);
  if (!o.trace.empty()) ww::report::write_trace_json(trace, all);
  if (!o.dot.empty()) ww::report::write_graph_dot(dot, all);
  const bool taken = o.html == "-" || o.trace == "-" || o.dot == "-";  // standard output
  output_set outputs;
  const bool good =
      (o.html.empty() || outputs.add(o.html, html, error)) && (o.trace.empty() || outputs.add(o.trace, trace, error)) &&
      (o.dot.empty() || outputs.add(o.dot, dot, error)) && (taken || outputs.add("-", text, error)) && outputs.commit(error);
  if (good && taken) std::fputs(text.c_str(), stderr);
  return good;
}

}  // namespace cli
