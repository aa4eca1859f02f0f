// SPDX-License-Identifier: BSL-1.0
//
// The timeline of a program under its present order and control words, from the model (watch(), issue_log.hpp), the dependence
// graph and liveness.
//
//   critical path   one path through each block's graph that is as long as any: from the first instruction without slack, each
//                   time to the first one that may not issue sooner. Its last instruction counts one cycle, as `order`
//   slack           of the same graph, with the distances that generated code keeps
// The graph is of the block alone: what it waits for from elsewhere the rows say, not the path. Blocks that are not reached and
// padding have no rows. Linear in instructions and edges, beside liveness.
#pragma once

#include <cstdint>

#include "../graph/build.hpp"
#include "../meta/rounded.hpp"
#include "../model/issue_log.hpp"
#include "../model/simulate.hpp"
#include "../pressure/liveness.hpp"
#include "timeline.hpp"

namespace ww::report {

namespace detail {

template <class Arch>
class timeline_maker {
 public:
  timeline_maker(const program& p, timeline& out) : p_(p), out_(out) {}

  void run(unsigned warps) {
    out_ = {};
    const model::cost alone = model::watch<Arch>(p_, {}, space_, log_);
    out_.alone = alone.cycles;
    out_.alone_reasons = alone.reasons;
    liveness live;
    live.compute(p_);
    count_live(p_, live, live_);
    for (const live_count& c : live_) {
      if (c[pressure_class::r] > out_.most_live) out_.most_live = c[pressure_class::r];
    }
    for (std::uint32_t b = 0; b < p_.blocks.size(); ++b) {
      if (p_.blocks[b].reachable && !p_.blocks[b].padding) add(b, alone);
    }
    // the spans of `alone` end here: the workspace is used again
    const model::cost shared = model::simulate<Arch>(p_, {.warps = warps, .reasons = true}, space_);
    out_.warps = shared.warps;
    out_.shared = shared.cycles;
    out_.shared_reasons = shared.reasons;
    for (timeline_block& b : out_.blocks) b.shared = shared.block_cycles[b.number];
  }

 private:
  void add(std::uint32_t number, const model::cost& alone) {
    const block& k = p_.blocks[number];
    timeline_block b;
    b.number = number;
    b.first = static_cast<std::uint32_t>(out_.rows.size());
    b.loop_depth = k.loop_depth;
    b.weight = k.weight;
    b.alone = alone.block_cycles[number];
    ids_.clear();
    for (std::uint32_t at = 0; at < k.count; ++at) {
      const instr_id id = p_.order[k.first + at];
      if (p_[id].has(iflag::padding)) continue;
      ids_.push_back(id);
      out_.rows.push_back(row_of(id, alone));
      timeline_row& r = out_.rows.back();
      r.live = live_[k.first + at][pressure_class::r];
    }
    b.count = static_cast<std::uint32_t>(ids_.size());
    if (b.count != 0) {
      take_behind(b);
      add_graph(b);
    }
    for (unsigned e = 0; e < evidence_count; ++e) out_.path[e] += meta::rounded(b.weight * b.path[e]);
    out_.blocks.push_back(b);
  }

  timeline_row row_of(instr_id id, const model::cost& alone) const {
    const instruction& i = p_[id];
    const model::issue_record& seen = log_.records()[id.index()];
    timeline_row r;
    r.id = id;
    r.address = i.address;
    r.ctl = i.ctl;
    const model::class_fact& f = model::class_facts<Arch>()[static_cast<unsigned>(i.iclass)];
    r.pipe = f.pipe;
    r.busy = f.interval;
    r.counter = seen.counter;
    r.issue = seen.issue;
    r.result = seen.result;
    r.read = seen.read;
    r.lost = alone.instructions[id.index()].lost;
    r.writer = seen.writer;
    r.raiser = seen.raiser;
    r.holder = seen.holder;
    return r;
  }

  // The model gives what is lost behind a block to its last instruction; here it is the block's.
  void take_behind(timeline_block& b) {
    timeline_row& last = out_.rows.back();
    const double behind = b.alone - static_cast<double>(last.issue) - 1;
    b.behind_reason = last.ctl.drains() ? model::stall_reason::drain : model::stall_reason::stall_count;
    if (!(behind > 0)) return;
    std::uint32_t& lost = last.lost[static_cast<unsigned>(b.behind_reason)];
    b.behind = static_cast<std::uint32_t>(behind);
    lost -= b.behind < lost ? b.behind : lost;
  }

  void add_graph(timeline_block& b) {
    build_graph<Arch>(p_, span<const instr_id>(ids_.data(), ids_.size()), graph_, graph_space_);
    b.critical_path = graph_.critical_path;
    b.first_edge = static_cast<std::uint32_t>(out_.edges.size());
    b.edge_count = static_cast<std::uint32_t>(graph_.edges.size());
    for (const dependence_edge& e : graph_.edges) out_.edges.push_back({e, false});
    for (std::uint32_t n = 0; n < b.count; ++n) out_.rows[b.first + n].slack = graph_.slack(n);
    std::uint32_t at = 0;
    while (at + 1 < b.count && (graph_.depth[at] != 0 || graph_.slack(at) != 0))
      ++at;  // every longest path begins at such a one
    out_.rows[b.first + at].critical = true;
    for (bool on = true; on;) {
      on = false;
      for (const dependence_edge& e : graph_.succ(at)) {
        if (e.latency + graph_.height[e.to] != graph_.height[at]) continue;
        b.path[static_cast<unsigned>(evidence_of<Arch>(p_, p_[ids_[e.from]], p_[ids_[e.to]], e))] += e.latency;
        mark(b, e);
        at = e.to;
        out_.rows[b.first + at].critical = true;
        on = true;
        break;
      }
    }
    b.path[static_cast<unsigned>(evidence::order)] += graph_.height[at];
  }
  void mark(const timeline_block& b, const dependence_edge& e) {
    for (std::uint32_t k = graph_.pred_first[e.to]; k < graph_.pred_first[e.to + 1]; ++k) {
      if (graph_.edges[k].from == e.from) out_.edges[b.first_edge + k].critical = true;
    }
  }

  const program& p_;
  timeline& out_;
  model::workspace space_;
  model::issue_log log_;
  vec<live_count> live_;
  vec<instr_id> ids_;
  dependence_graph graph_;
  graph_workspace graph_space_;
};

}  // namespace detail

// Fills `out` for a program whose blocks are built (ir/cfg.hpp). `warps` of one sub-core, at most 64; 0 counts as 1.
template <class Arch>
void make_timeline(const program& p, unsigned warps, timeline& out) {
  detail::timeline_maker<Arch>(p, out).run(warps == 0 ? 1 : warps);
}

}  // namespace ww::report
