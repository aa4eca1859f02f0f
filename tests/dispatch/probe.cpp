// SPDX-License-Identifier: BSL-1.0
//
// One function per composition whose pick loop must hold no indirect call. Compiled at -O2 with -fno-jump-tables, so that
// every `jmp *` that is left would be an indirect tail call. check.sh reads the object code.
#include "warpwright/arch/sm80.hpp"
#include "warpwright/arch/sm90.hpp"
#include "warpwright/constraint/all.hpp"
#include "warpwright/priority/packed.hpp"
#include "warpwright/priority/refined.hpp"
#include "warpwright/priority/source_order.hpp"
#include "warpwright/schedule/compose.hpp"
#include "warpwright/schedule/engine.hpp"
#include "warpwright/schedule/ready_list/ordered3.hpp"

struct own_bit {
  static constexpr const char* name = "own_bit";
  static constexpr bool test(const ww::priority::candidate& c, const ww::priority::pick_state&) { return c.fanout > 3; }
};

#define WW_PROBE(name, ...)                                                                                       \
  extern "C" std::uint64_t probe_##name(ww::program* p, ww::schedule_workspace<ww::config_of<__VA_ARGS__>>* ws) { \
    return ww::schedule_block<ww::config_of<__VA_ARGS__>>(*p, ww::block_id{0}, *ws).planned_cycles;               \
  }

WW_PROBE(default_sm80, ww::sm80)
WW_PROBE(default_sm90, ww::sm90)
WW_PROBE(sorted_list, ww::sm90, ww::ready_list::sorted_list<>)
WW_PROBE(ordered3, ww::sm90, ww::ready_list::ordered3<>)
WW_PROBE(source_order, ww::sm90, ww::priority::source_order<>)
WW_PROBE(packed, ww::sm90, ww::priority::packed)
WW_PROBE(refined, ww::sm90, ww::priority::refined)
WW_PROBE(own_bit, ww::sm90, ww::priority::pack<own_bit, ww::priority::bits::stall_free>)
WW_PROBE(constraints, ww::sm90, ww::constraint::bank_limit<>, ww::constraint::reuse_limit<>, ww::constraint::write_distance,
         ww::constraint::counters<>)
WW_PROBE(depth_first, ww::sm90, ww::strategy::depth_first)
WW_PROBE(critical_path, ww::sm90, ww::strategy::critical_path)
WW_PROBE(pairwise, ww::sm90, ww::pairwise, ww::base_offset)
