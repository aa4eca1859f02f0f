// SPDX-License-Identifier: BSL-1.0
//
// The parts of the silicon harness that need no GPU: patterns, argument tables against the cubins, statistics, comparison.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "cases.hpp"
#include "fresh_process.hpp"
#include "generated.hpp"
#include "statistics.hpp"
#include "support/catch.hpp"
#include "support/corpus.hpp"
#include "warpwright/sass/cubin.hpp"

using namespace ww_gpu;

TEST_CASE("silicon: at least twelve kernels and eight patterns") {
  std::set<std::string> kernels;
  for (const auto& c : all_cases()) {
    kernels.insert(c.kernel);
  }
  CHECK(kernels.size() == all_cases().size());
  CHECK(kernels.size() >= 12);
  CHECK(pattern_count >= 8);
}

TEST_CASE("silicon: no two patterns agree in any element") {
  for (const element e : {element::f32, element::f64, element::u8, element::u32, element::u64}) {
    const unsigned size = size_of(e);
    std::vector<std::vector<std::uint8_t>> all;
    for (unsigned p = 0; p < pattern_count; ++p) {
      all.push_back(fill(e, p, 1, 3000));
      CHECK((all.back() == fill(e, p, 1, 3000)));
      CHECK((all.back() != fill(e, p, 2, 3000)));
    }
    std::size_t same = 0;
    for (unsigned p = 0; p < pattern_count; ++p) {
      for (unsigned q = 0; q < p; ++q) {
        for (std::size_t i = 0; i < 3000; ++i) {
          same += std::equal(all[p].begin() + static_cast<std::ptrdiff_t>(i * size),
                             all[p].begin() + static_cast<std::ptrdiff_t>((i + 1) * size),
                             all[q].begin() + static_cast<std::ptrdiff_t>(i * size))
                      ? 1u
                      : 0u;
        }
      }
    }
    INFO(size);
    CHECK(same == 0);
  }
}

TEST_CASE("silicon: floats of all patterns are finite, and their ranges differ") {
  std::map<unsigned, double> largest;
  for (unsigned p = 0; p < pattern_count; ++p) {
    const auto b = fill(element::f32, p, 1, 5000);
    for (std::size_t i = 0; i < 5000; ++i) {
      std::uint32_t bits = 0;
      std::memcpy(&bits, b.data() + 4 * i, 4);
      CHECK((bits & 0x7f800000u) != 0x7f800000u);
      largest[p] = std::max(largest[p], std::abs(static_cast<double>(std::bit_cast<float>(bits))));
    }
  }
  CHECK(largest[0] < 1.001);
  CHECK(largest[2] == ww_test::Approx(32).epsilon(0.01));
  CHECK(largest[3] > 1000);
  CHECK(largest[7] < 1e-10);
  CHECK(largest[9] > 1000);
}

TEST_CASE("silicon: outputs are poisoned differently for every pattern") {
  for (unsigned p = 1; p < pattern_count; ++p) {
    const auto a = poison(p, 4096), b = poison(p - 1, 4096);
    CHECK(compare(a, b).count > 3900);
  }
}

TEST_CASE("silicon: launches are within limits and every kernel has something to compare") {
  for (const auto& c : all_cases()) {
    for (unsigned p = 0; p < pattern_count; ++p) {
      const launch l = c.make(p);
      INFO(c.kernel << " pattern " << p);
      CHECK(l.block[0] * l.block[1] * l.block[2] <= 1024);
      bool compared = false;
      for (const auto& a : l.arguments) {
        compared = compared || a.compared;
        CHECK(!a.bytes.empty());
        CHECK((a.kind != role::scalar || a.bytes.size() <= 8));
        CHECK((!a.compared || a.kind != role::scalar));
      }
      CHECK(compared);
    }
    // inputs differ between patterns: some argument that the kernel reads is not the same
    const launch a = c.make(0), b = c.make(1);
    bool differ = false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i) {
      differ = differ || (a.arguments[i].kind != role::out && a.arguments[i].bytes != b.arguments[i].bytes);
    }
    CHECK(differ);
  }
}

TEST_CASE("silicon: argument tables match the parameter records of the cubins") {
  const char* corpus = std::getenv("WARPWRIGHT_CORPUS");
  if (corpus != nullptr && *corpus == '\0') corpus = nullptr;
  unsigned checked = 0;
  for (const auto& c : all_cases()) {
    const std::string name = std::string(c.unit) + ".sm90.cubin";
    std::filesystem::path path = std::filesystem::path(WW_TEST_DATA) / "cubin" / name;
    if (!std::filesystem::exists(path) && corpus != nullptr) {
      path = std::filesystem::path(corpus) / "cubin" / name;
    }
    std::ifstream f(path, std::ios::binary);
    const std::vector<std::uint8_t> b(std::istreambuf_iterator<char>(f), {});
    if (b.empty()) {
      continue;
    }
    const auto elf = ww::sass::read_elf(b);
    const auto r = ww::sass::read_cubin(elf.file);
    REQUIRE(!r.error);
    const launch l = c.make(0);
    std::map<unsigned, unsigned> sizes;  // ordinal -> bytes
    unsigned threads = 1024;
    for (const auto& i : r.value.infos) {
      if (elf.file.sections[i.section].name != ".nv.info." + std::string(c.kernel)) {
        continue;
      }
      using ww::sass::detail::load_le;
      if (i.attribute == 0x17) {  // index, ordinal and offset, then flags with the size above bit 18 of the last word
        sizes[load_le<std::uint16_t>(b, i.value_place + 4)] = load_le<std::uint32_t>(b, i.value_place + 8) >> 18;
      } else if (i.attribute == 0x05) {
        threads = load_le<std::uint32_t>(b, i.value_place) * load_le<std::uint32_t>(b, i.value_place + 4);
      }
    }
    INFO(c.kernel);
    if (sizes.empty()) continue;  // a cubin of this name with other kernels
    ++checked;
    REQUIRE(sizes.size() == l.arguments.size());
    for (unsigned k = 0; k < l.arguments.size(); ++k) {
      INFO("argument " << k);
      CHECK(sizes[k] == (l.arguments[k].kind == role::scalar ? l.arguments[k].bytes.size() : 8u));
    }
    CHECK(l.block[0] * l.block[1] <= threads);
    for (const auto& k : l.constants) {
      bool found = false;
      for (const auto& s : elf.file.symbols) {
        found = found || (s.name == k.name && s.size == k.bytes.size());
      }
      CHECK(found);
    }
  }
  CHECK(checked >= 2);
  CHECK((!ww_test::corpus::reference() || checked == all_cases().size()));
}

TEST_CASE("silicon: median and its interval") {
  CHECK(median_interval({}).median == 0);
  CHECK(median_interval({5}).low == 5);
  CHECK(median_interval({4, 1, 3, 2}).median == 2.5);
  std::vector<double> v;
  for (int i = 1; i <= 100; ++i) {
    v.push_back(i);
  }
  const interval r = median_interval(v);
  CHECK(r.median == 50.5);
  CHECK(r.low == 40);  // the known order statistics 40 and 61 of a sample of 100
  CHECK(r.high == 61);
  const interval six = median_interval({1, 2, 3, 4, 5, 6});
  CHECK(six.low == 1);
  CHECK(six.high == 6);
}

TEST_CASE("silicon: comparison is of bits") {
  const std::vector<std::uint8_t> a = {1, 2, 3}, b = {1, 9, 3, 4};
  CHECK(compare(a, a).count == 0);
  CHECK(compare(a, b).count == 2);
  CHECK(compare(a, b).first == 1);
  std::vector<std::uint8_t> zero(4, 0), minus(4, 0);  // 0.0f and -0.0f
  minus[3] = 0x80;
  CHECK(compare(zero, minus).count == 1);
}

TEST_CASE("silicon: a fault, a hang and a request for a fresh process cost one item each, and the rest is done") {
  const auto start = [] { return true; };
  const auto work = [](std::size_t k, bool& again) -> std::uint8_t {
    if (k == 2) std::_Exit(1);
    if (k == 4) kill(getpid(), SIGKILL);
    if (k == 6) sleep(60);
    again = k == 8;
    return static_cast<std::uint8_t>(k);
  };
  const auto done = each_in_fresh_process(11, 0.3, 60, start, work);
  CHECK(done == std::vector<std::uint8_t>{0, 1, failed_item, 3, failed_item, 5, hung_item, 7, 8, 9, 10});
  CHECK(each_in_fresh_process(0, 0.3, 60, start, work).empty());
}

TEST_CASE("silicon: without a device nothing is done, and each child starts anew") {
  const auto none = each_in_fresh_process(
      3, 0.3, 60, [] { return false; }, [](std::size_t, bool&) -> std::uint8_t { return 0; });
  CHECK(none == std::vector<std::uint8_t>(3, skipped_item));
  unsigned begun = 0;
  const auto once = each_in_fresh_process(
      4, 0.3, 60, [&] { return ++begun == 1; },  // of this process, which never starts: 1 in every child
      [&](std::size_t, bool& again) -> std::uint8_t {
        again = true;
        return static_cast<std::uint8_t>(begun);
      });
  CHECK(once == std::vector<std::uint8_t>(4, 1));
  CHECK(begun == 0);
}

TEST_CASE("silicon: a limit of time leaves the rest") {
  const auto done = each_in_fresh_process(
      3, 30, 1, [] { return true; },
      [](std::size_t k, bool&) -> std::uint8_t {
        if (k == 1) sleep(60);
        return 7;
      });
  CHECK(done == std::vector<std::uint8_t>{7, skipped_item, skipped_item});
}

TEST_CASE("silicon: generated kernels write every output, and read as much as there is") {
  const launch l = generated_launch(3);
  REQUIRE(l.arguments.size() == 3);
  const std::size_t bytes = std::size_t{4} * generated_blocks * generated_threads * words_per_thread;
  CHECK(l.arguments[0].bytes.size() == bytes);
  CHECK(l.arguments[1].bytes.size() == bytes);
  CHECK(l.arguments[1].compared);
  CHECK(l.arguments[2].bytes.size() == 4);
  CHECK(l.block[0] * l.grid[0] * words_per_thread == bytes / 4);
}
