// SPDX-License-Identifier: BSL-1.0
//
// From the entries of a profile file (profile.hpp) to the measured control flow of a program, ir/flow_profile.hpp (HC-7).
//
//   count         entries of one block add up; a block without any was not measured, and is not taken for one that never ran
//                 (`absent_never_ran` says that the file is complete)
//   probability   of every edge between the two blocks: `FROM->TO` does not tell edges apart that go the same way. Of several
//                 entries for one edge the first holds, the others are counted as repeated
//   derived       where a block has no probability of its own, but it and all blocks behind it have counts: an edge to a block
//                 with no other way in gets the ratio of the two counts, at most 1. Other edges stay unknown, for the count of
//                 their target does not say from where control came
//   excess        blocks whose given probabilities, each target once, add up to more than 1 (and a thousandth: rounded numbers)
// Blocks that the program does not have, and edges that it does not have, are counted; the place of the first one is told.
// Linear in entries, blocks and edges.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../ir/flow_profile.hpp"
#include "../ir/loops.hpp"
#include "profile.hpp"

namespace ww::model {

struct flow_options {
  bool absent_never_ran = false;  // a block without a count ran 0 times, if the section has any count
};

struct flow_result {
  std::uint32_t counts = 0;         // entries taken as counts
  std::uint32_t probabilities = 0;  // entries taken as probabilities
  std::uint32_t derived = 0;        // edges whose probability follows from counts
  std::uint32_t repeated = 0;       // entries for an edge that had one
  std::uint32_t excess = 0;         // blocks
  std::uint32_t unknown = 0;        // entries of this section that name a block or an edge that it does not have
  std::uint32_t line = 0;           // of the first of them
  std::uint32_t column = 0;
};

namespace detail {

class flow_reader {
 public:
  flow_reader(const program& p, flow_profile& out, flow_result& r) : p_(p), out_(out), r_(r) {}

  void run(std::string_view section, const vec<profile_entry>& entries, const flow_options& o) {
    out_.reset(p_);
    first_.assign(p_.blocks.size() + 1, 0);
    for (const profile_entry& e : entries) {
      if (!names_section(e.section, section)) continue;
      if (e.block >= p_.blocks.size() || (e.edge && e.to >= p_.blocks.size())) continue;
      if (e.edge) {
        ++first_[e.block + 1];
      } else {
        out_.count[e.block] = (out_.has_count(block_id{e.block}) ? out_.count[e.block] : 0.0) + e.count;
        ++r_.counts;
      }
    }
    sort_by_block(section, entries);
    take_probabilities(entries);
    for (std::size_t k = 0; k < entries.size(); ++k) {
      const profile_entry& e = entries[k];
      if (!names_section(e.section, section)) continue;
      const bool there = e.block < p_.blocks.size() && (!e.edge || (e.to < p_.blocks.size() && found_[k] != 0));
      if (there || r_.unknown++ != 0) continue;
      r_.line = e.line;
      r_.column = e.column;
    }
    if (o.absent_never_ran && r_.counts != 0) {
      for (double& c : out_.count) c = c >= 0 ? c : 0.0;
    }
    for (const block& b : p_.blocks) derive(b);
  }

 private:
  // Places of the entries of edges, grouped by the block before the arrow, in the order of the file.
  void sort_by_block(std::string_view section, const vec<profile_entry>& entries) {
    for (std::size_t b = 0; b < p_.blocks.size(); ++b) first_[b + 1] += first_[b];
    sorted_.assign(first_[p_.blocks.size()], 0);
    next_.assign(first_.begin(), first_.end());
    for (std::uint32_t k = 0; k < entries.size(); ++k) {
      const profile_entry& e = entries[k];
      if (!e.edge || !names_section(e.section, section)) continue;
      if (e.block >= p_.blocks.size() || e.to >= p_.blocks.size()) continue;
      sorted_[next_[e.block]++] = k;
    }
  }

  void take_probabilities(const vec<profile_entry>& entries) {
    constexpr double rounding = 1e-3;
    constexpr double none = flow_profile::unknown;
    found_.assign(entries.size(), 0);
    to_.assign(p_.blocks.size(), 0);
    given_.assign(p_.blocks.size(), none);
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (first_[b] == first_[b + 1]) continue;
      for (const cfg_edge& e : p_.edges_of(p_.blocks[b])) {
        to_[e.to.index()] = b + 1;
        given_[e.to.index()] = none;
      }
      double sum = 0;
      for (std::uint32_t k = first_[b]; k < first_[b + 1]; ++k) {
        const profile_entry& e = entries[sorted_[k]];
        if (to_[e.to] != b + 1) continue;
        found_[sorted_[k]] = 1;
        if (given_[e.to] >= 0) {
          ++r_.repeated;
          continue;
        }
        given_[e.to] = e.count;
        sum += e.count;
        ++r_.probabilities;
      }
      r_.excess += sum > 1 + rounding ? 1u : 0u;
      for (std::uint32_t k = 0; k < p_.blocks[b].edge_count; ++k) {
        const std::uint32_t edge = p_.blocks[b].first_edge + k;
        out_.probability[edge] = given_[p_.edges[edge].to.index()];
      }
    }
  }

  void derive(const block& b) {
    const auto from = static_cast<std::uint32_t>(&b - p_.blocks.data());
    if (!out_.has_count(block_id{from}) || out_.count[from] <= 0) return;
    for (std::uint32_t k = 0; k < b.edge_count; ++k) {
      const std::uint32_t edge = b.first_edge + k;
      if (out_.has_probability(edge) || !out_.has_count(p_.edges[edge].to)) return;
    }
    for (std::uint32_t k = 0; k < b.edge_count; ++k) {
      const std::uint32_t edge = b.first_edge + k;
      const block_id to = p_.edges[edge].to;
      if (p_[to].entry || p_[to].pred_count != 1 || !ww::detail::inside_function(p_.edges[edge].kind)) continue;
      const double ratio = out_.count[to.index()] / out_.count[from];
      out_.probability[edge] = ratio < 1 ? ratio : 1.0;
      ++r_.derived;
    }
  }

  const program& p_;
  flow_profile& out_;
  flow_result& r_;
  vec<std::uint32_t> first_, next_, sorted_;  // entries of edges by block
  vec<std::uint8_t> found_;                   // by entry: the program has the edge
  vec<std::uint32_t> to_;                     // by block: 1 + the block from which an edge leads here
  vec<double> given_;                         // by block: the probability given for that way
};

}  // namespace detail

// Fills `out` from the entries of `section`. Blocks, edges and predecessors of `p` are those of build_cfg().
inline flow_result read_flow(const program& p, std::string_view section, const vec<profile_entry>& entries,
                             flow_profile& out, const flow_options& options = {}) {
  flow_result r;
  detail::flow_reader(p, out, r).run(section, entries, options);
  return r;
}

}  // namespace ww::model
