// SPDX-License-Identifier: BSL-1.0
// libFuzzer target of the listing reader. The first byte picks the SM that the caller names; the rest is the text.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "../support/listing_check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint16_t sms[] = {0, 520, 750, 800, 900, 901, 1000, 1200};
  if (size == 0) return 0;
  // A plain listing as seed starts with a tab or a line end: that is SM 0, found from the text.
  const auto sm = static_cast<ww::sm_id>(data[0] >= 'a' && data[0] <= 'h' ? sms[data[0] - 'a'] : 0);
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (const char* wrong = ww_test::check_listing(text, sm); wrong != nullptr) {
    std::fprintf(stderr, "listing: %s\n", wrong);
    std::abort();
  }
  return 0;
}
