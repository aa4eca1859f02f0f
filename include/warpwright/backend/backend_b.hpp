// SPDX-License-Identifier: BSL-1.0
//
// Backend B (PLS-16) as a strategy: a forward and a backward pass over each block, weighted by floating-point scores.
//
//   strategy::backend_b            with the weights and gates of the text
//   strategy::basic_backend_b<O>   with a user's options (b/options.hpp); give it a name of its own:
//
//     struct softer : ww::backend::b::options { using weights = ww::backend::b::own_weights<1400, 2000>; };
//     struct my_b : ww::strategy::basic_backend_b<softer> { static constexpr const char* name = "my_b"; };
//     using sched = ww::scheduler<ww::sm90, my_b>;
//
// The graph alone decides what is legal. The engine takes the order only where it is not longer than the old one.
#pragma once

#include "../meta/role.hpp"
#include "../meta/span.hpp"
#include "../schedule/stats.hpp"
#include "../schedule/strategy.hpp"
#include "b/backward_pass.hpp"
#include "b/forward_pass.hpp"
#include "b/options.hpp"
#include "b/space.hpp"

namespace ww::strategy {

template <class Options>
struct basic_backend_b {
  using role = ww::role::strategy;
  using space = backend::b::space;
  static constexpr const char* name = "basic_backend_b";
  static constexpr bool models_cycles = false;
  static constexpr bool uses_priority = false;

  template <class Config, class Workspace>
  static void prepare(const program& p, Workspace& ws) {
    ws.own.live.template prepare<typename Config::vectors>(p);
  }

  template <class Config, class Workspace>
  static bool order(const program& p, span<const instr_id> order, Workspace& ws, schedule_stats& stats) {
    if (!ws.prepared) prepare<Config>(p, ws);
    return search<Config>(p, order, ws, ws.own, stats);
  }

  // The two passes over `order`, a block or a part of one; the result is in ws.sequence. `own` is prepared.
  template <class Config>
  static bool search(const program& p, span<const instr_id> order, schedule_space& ws, space& own, schedule_stats& stats) {
    using arch = typename Config::arch;
    own.live.start(p, ws.at, order);
    return backend::b::forward_pass<arch, Options>(p, order, ws, own, stats).run() &&
           backend::b::backward_pass<arch, Options>(p, order, ws, own, stats).run();
  }
};

struct backend_b : basic_backend_b<backend::b::options> {
  static constexpr const char* name = "backend_b";
};

}  // namespace ww::strategy
