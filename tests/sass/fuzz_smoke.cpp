// SPDX-License-Identifier: BSL-1.0
// The fuzz target's check on mutated listings, two seconds of it, so that the target cannot rot.
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/corpus.hpp"
#include "support/listing_check.hpp"

namespace {

struct generator {
  std::uint64_t state = 0x9e3779b97f4a7c15ull;
  std::size_t operator()(std::size_t n) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return n == 0 ? 0 : static_cast<std::size_t>(state % n);
  }
};

std::size_t line_start(const std::string& s, std::size_t at) {
  const std::size_t before = at == 0 ? std::string::npos : s.rfind('\n', at - 1);
  return before == std::string::npos ? 0 : before + 1;
}

void mutate(std::string& s, generator& random) {
  if (s.empty()) return;
  const std::size_t at = random(s.size());
  switch (random(10)) {
    case 0:
      s[at] = static_cast<char>(random(256));
      break;
    case 1:
      s.erase(at, 1 + random(4));
      break;
    case 2:
      s.insert(at, 1, "`();{}/*.,\n @!RPU0f:"[random(20)]);
      break;
    case 3: {  // drop a line
      const std::size_t from = line_start(s, at);
      s.erase(from, s.find('\n', from) == std::string::npos ? std::string::npos : s.find('\n', from) + 1 - from);
      break;
    }
    case 4: {  // repeat a line
      const std::size_t from = line_start(s, at);
      const std::size_t stop = s.find('\n', from);
      if (stop != std::string::npos) s.insert(stop + 1, s.substr(from, stop + 1 - from));
      break;
    }
    case 5:  // cut
      s.resize(at);
      break;
    case 6: {  // another label
      const std::size_t label = s.find(".L_x_", at);
      if (label != std::string::npos && label + 5 < s.size()) s[label + 5] = static_cast<char>('0' + random(10));
      break;
    }
    case 7: {  // swap two lines
      const std::size_t a = line_start(s, at);
      const std::size_t b = s.find('\n', a);
      if (b == std::string::npos || b + 1 >= s.size()) break;
      const std::size_t c = s.find('\n', b + 1);
      if (c == std::string::npos) break;
      const std::string first = s.substr(a, b + 1 - a);
      s.replace(a, c + 1 - a, s.substr(b + 1, c - b) + first);
      break;
    }
    case 8: {  // another hex digit
      const std::size_t hex = s.find("/* 0x", at);
      if (hex != std::string::npos && hex + 21 < s.size()) s[hex + 5 + random(16)] = "0123456789abcdef"[random(16)];
      break;
    }
    default: {  // a piece from elsewhere
      const std::size_t from = random(s.size());
      s.insert(at, s.substr(from, random(200)));
      break;
    }
  }
}

}  // namespace

TEST_CASE("listing fuzz: mutated listings never crash, and what is accepted is whole") {
  std::vector<std::string> seeds;
  std::vector<ww::sm_id> sms;
  for (const char* folder : {"listings", "listings/formats"}) {
    for (const std::string& path : ww_test::corpus::files(ww_test::corpus::bundled(folder))) {
      std::string text = ww_test::corpus::text(path);
      if (text.size() > 60000 || ww_test::corpus::ends_with(path, ".dot")) continue;
      seeds.push_back(std::move(text));
      sms.push_back(ww_test::corpus::sm_of(path));
    }
  }
  REQUIRE(seeds.size() > 20);
  generator random;
  std::size_t tried = 0;
  std::size_t good = 0;
  const auto stop = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (std::chrono::steady_clock::now() < stop) {
    const std::size_t k = random(seeds.size());
    std::string text = seeds[k];
    for (std::size_t n = 1 + random(4); n > 0; --n) mutate(text, random);
    bool accepted = false;
    const char* wrong = ww_test::check_listing(text, random(4) == 0 ? ww::sm_id::unknown : sms[k], &accepted);
    if (wrong != nullptr) {
      INFO(text);
      FAIL(wrong);
    }
    ++tried;
    good += accepted ? 1 : 0;
  }
  CHECK(tried > 200);
  CHECK(good > tried / 50);  // mutations that the reader must bear are among them
  CHECK(good < tried);
}
