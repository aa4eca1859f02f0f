// SPDX-License-Identifier: BSL-1.0
//
// One unit for clang-tidy: everything that the library offers, with one scheduler instantiated so that template bodies are
// seen.
#include <warpwright/meta/hana.hpp>
#include <warpwright/tools.hpp>

unsigned tidy(ww::program& p, ww::sass::module& m, ww::sass::byte_span bytes) {
  unsigned sum = ww::scheduler<ww::sm80>{}.run(p).blocks;
  ww::scoreboard::assign_o0<ww::sm90>(p);
  const ww::sass::error e =
      ww::sass::write_listing(m, [&](std::string_view text) { sum += static_cast<unsigned>(text.size()); });
  sum += e ? 1u : 0u;
  sum += ww::sass::patch_cubin(bytes, {}).error ? 1u : 0u;
  return sum;
}
