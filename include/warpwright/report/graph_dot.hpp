// SPDX-License-Identifier: BSL-1.0
//
// The dependence graphs of a report in the DOT language, for Graphviz.
//
//   cluster   a function, and in it each block of the program as it came. A schedule keeps the graph, and changes the order alone
//   node      an instruction: address, text, and its slack where it has some
//   edge      kind and cycles: raw in full, war dashed, waw dotted, memory and order grey
//   bold      the critical path that the report marks (timeline_of.hpp)
// Nodes stand in the order of the program, edges by their end and then their start. Same kernels, same bytes.
#pragma once

#include <cstdint>
#include <string>

#include "../meta/span.hpp"
#include "kernel_report.hpp"
#include "markup.hpp"

namespace ww::report {

[[nodiscard]] constexpr const char* name(dependence_kind k) {
  constexpr const char* names[dependence_kind_count] = {"raw", "war", "waw", "memory", "order"};
  return static_cast<unsigned>(k) < dependence_kind_count ? names[static_cast<unsigned>(k)] : "?";
}

namespace detail {

inline void dot_node(std::string& out, std::size_t kernel, instr_id id) {
  out += 'k';
  out += std::to_string(kernel);
  out += 'i';
  out += std::to_string(id.index());
}

inline void dot_edge(std::string& out, std::size_t kernel, const timeline_edge& e, span<const timeline_row> rows) {
  constexpr const char* looks[dependence_kind_count] = {"", ", style=dashed", ", style=dotted", ", color=\"#888888\"",
                                                        ", color=\"#888888\", style=dashed"};
  out += "      ";
  dot_node(out, kernel, rows[e.edge.from].id);
  out += " -> ";
  dot_node(out, kernel, rows[e.edge.to].id);
  out += " [label=\"";
  out += name(e.edge.kind);
  out += ' ';
  out += std::to_string(e.edge.latency);
  out += '"';
  if (e.critical) {
    out += ", penwidth=3, color=\"#b3261e\"";
  } else {
    out += looks[static_cast<unsigned>(e.edge.kind) % dependence_kind_count];
  }
  out += "];\n";
}

inline void dot_block(std::string& out, std::size_t kernel, const kernel_report& k, const timeline_block& b) {
  const std::string number = std::to_string(b.number);
  out += "    subgraph cluster_k" + std::to_string(kernel) + "_b" + number + " {\n      label=\"block " + number +
         ", critical path " + std::to_string(b.critical_path) + " cycles\";\n";
  const span<const timeline_row> rows = k.before.rows_of(b);
  for (const timeline_row& r : rows) {
    out += "      ";
    dot_node(out, kernel, r.id);
    out += " [label=\"";
    add_hex(out, r.address);
    out += "  ";
    escape_dot(out, k.text_of(r.id));
    if (r.slack != 0) out += "\\lslack " + std::to_string(r.slack);
    out += r.critical ? "\\l\", penwidth=2.5, color=\"#b3261e\"];\n" : "\\l\"];\n";
  }
  for (const timeline_edge& e : k.before.edges_of(b)) dot_edge(out, kernel, e, rows);
  out += "    }\n";
}

}  // namespace detail

// Appends one graph with all kernels.
inline void write_graph_dot(std::string& out, span<const kernel_report> kernels) {
  out +=
      "digraph dependences {\n  graph [rankdir=TB, fontname=\"sans-serif\", labeljust=l];\n"
      "  node [shape=box, fontname=\"monospace\", fontsize=10];\n  edge [fontname=\"sans-serif\", fontsize=9];\n";
  for (std::size_t n = 0; n < kernels.size(); ++n) {
    const kernel_report& k = kernels[n];
    out += "  subgraph cluster_k" + std::to_string(n) + " {\n    label=\"";
    escape_dot(out, k.name);
    out += " (";
    escape_dot(out, k.sm);
    out += ")\";\n";
    for (const timeline_block& b : k.before.blocks) {
      if (b.count != 0) detail::dot_block(out, n, k, b);
    }
    out += "  }\n";
  }
  out += "}\n";
}

}  // namespace ww::report
