// SPDX-License-Identifier: BSL-1.0
//
// All that adds up prices, compiled for a processor with a fused multiply-add: check.sh finds none, for a sum that rounds once
// on some processors and twice on others may choose another order (meta/rounded.hpp).
#include <warpwright/arch/sm90.hpp>
#include <warpwright/backend/all.hpp>
#include <warpwright/strategies.hpp>
#include <warpwright/tools.hpp>

#define WW_PROBE(name, ...)                                            \
  extern "C" std::uint32_t probe_##name(ww::program* p) {              \
    return ww::scheduler<ww::sm90, __VA_ARGS__>{}.run(*p).kept_blocks; \
  }

WW_PROBE(list, ww::strategy::list)
WW_PROBE(backend_b, ww::strategy::backend_b)
WW_PROBE(backend_c, ww::strategy::backend_c)
WW_PROBE(backend_c_pre, ww::strategy::backend_c_pre)
WW_PROBE(loop_aware, ww::strategy::loop_aware)
WW_PROBE(global_motion, ww::strategy::global_motion<>)

extern "C" std::uint32_t probe_words(ww::program* p, ww::word_search<ww::sm90>::workspace* ws) {
  ww::word_search<ww::sm90> search(*p, *ws, 8);
  search.consider_present();
  search.consider_usual();
  search.consider_neighbours();
  search.finish();
  return ws->candidates;
}
