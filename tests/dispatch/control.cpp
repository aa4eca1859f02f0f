// SPDX-License-Identifier: BSL-1.0
//
// The positive control: the same pick loop with the priority behind a virtual function. check.sh must find its indirect
// calls, its vtable and its type information; if it does not, a clean result of the probe proves nothing.
#include <cstdint>
#include <vector>

#include "warpwright/priority/packed.hpp"

struct priority_base {
  virtual ~priority_base() = default;
  virtual std::uint64_t key(const ww::priority::candidate& c, const ww::priority::pick_state& s) const = 0;
};
struct packed_lane final : priority_base {
  std::uint64_t key(const ww::priority::candidate& c, const ww::priority::pick_state& s) const override;
};
std::uint64_t packed_lane::key(const ww::priority::candidate& c, const ww::priority::pick_state& s) const {
  return ww::priority::packed::key(c, s);
}

extern "C" std::size_t control_pick(const priority_base* p, const std::vector<ww::priority::candidate>* ready,
                                    const ww::priority::pick_state* s) {
  std::size_t best = 0;
  std::uint64_t best_key = 0;
  for (std::size_t i = 0; i < ready->size(); ++i) {
    const std::uint64_t k = p->key((*ready)[i], *s);
    if (k > best_key) {
      best_key = k;
      best = i;
    }
  }
  return best;
}
extern "C" std::uint64_t control_tail(const priority_base* p, const ww::priority::candidate* c,
                                      const ww::priority::pick_state* s) {
  return p->key(*c, *s);
}
