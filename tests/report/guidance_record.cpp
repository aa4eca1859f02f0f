// SPDX-License-Identifier: BSL-1.0
//
// PLS-18: the statistics object word for word as the map of the text has it, and the compact records.
#include "warpwright/report/guidance_record.hpp"

#include <cstring>
#include <random>
#include <set>
#include <string>

#include "../support/catch.hpp"
#include "warpwright/report/statistics_object.hpp"

namespace {

using ww::report::guidance_numbers;
using ww::report::read_instruction_record;
using ww::report::statistics_object;
using ww::report::statistics_type;

// The map of the text: index, type, name.
struct row {
  unsigned index;
  bool is_float;
  const char* name;
};
constexpr row text_map[] = {
    {8, false, "est_latency"},
    {9, true, "FP16_vectorization_pct"},
    {10, false, "worstcase_latency"},
    {11, false, "avgcase_latency"},
    {12, false, "LSpillB"},
    {13, false, "LRefillB"},
    {14, false, "SRefillB"},
    {15, false, "SSpillB"},
    {16, false, "LowLmemSpillSize"},
    {17, false, "FrameLmemSpillSize"},
    {18, false, "LNonSpillB"},
    {19, false, "LNonRefillB"},
    {20, false, "NonSpillSize"},
    {26, true, "Occupancy"},
    {27, false, "numDivergentBranches"},
    {28, false, "attributeMemUsage"},
    {29, false, "programSize"},
    {42, false, "preciseInst"},
    {44, false, "UDPinst"},
    {45, false, "vecToURConverts"},
    {49, false, "maxLiveAtSuspend"},
    {50, true, "issue_thru"},
    {54, true, "fp_thru"},
    {57, true, "half_thru"},
    {58, true, "transcendental_thru"},
    {59, true, "ipa_thru"},
    {61, true, "shared_thru"},
    {62, true, "controlFlow_thru"},
    {65, true, "texLoadStore_thru"},
    {84, true, "reg_thru"},
    {85, true, "warp_thru"},
    {86, true, "sharedMemAlloc_thru"},
    {87, false, "partiallyUnrolledLoops"},
    {88, false, "nonUnrolledLoops"},
    {89, false, "CBBoundTex"},
    {90, false, "PartiallyBoundTex"},
    {91, false, "BindlessTex"},
    {92, false, "URBoundTex"},
    {93, false, "SM_architecture_enum"},
    {99, false, "uniform_reg_count"},
    {102, false, "R_reg_base"},
    {159, false, "R_reg_extra"},
    {303, false, "est_fp"},
    {306, false, "est_half"},
    {307, false, "est_transcendental"},
    {308, false, "est_ipa"},
    {310, false, "est_shared"},
    {311, false, "est_controlFlow"},
    {315, false, "est_loadStore"},
    {316, false, "est_tex"},
    {334, false, "est_pairs"},
    {335, false, "total_inst"},
    {336, false, "texInst"},
    {337, false, "FP16inst"},
    {338, false, "FP16VectInst"},
    {339, false, "instHint"},
    {340, false, "instPairs"},
    {341, false, "removed_inst"},
    {342, false, "tepid_inst"},
};

using ww::report::find_statistic;
static_assert(find_statistic("est_latency")->offset() == 32);
static_assert(find_statistic("Occupancy")->offset() == 104);
static_assert(find_statistic("R_reg_base")->offset() == 408);
static_assert(find_statistic("R_reg_extra")->offset() == 636);
static_assert(find_statistic("total_inst")->offset() == 1340);
static_assert(find_statistic("removed_inst")->offset() == 1364);
static_assert(find_statistic("tepid_inst")->offset() == 1368);
static_assert(find_statistic("nothing") == nullptr);

constexpr guidance_numbers some() {
  guidance_numbers n;
  n.total_inst = 145;
  n.removed_inst = 3;
  n.registers_base = 22;
  n.registers_extra = 2;
  n.occupancy = 0.75f;
  n.average_latency = 52.5;
  n.worst_latency = 87;
  return n;
}
static_assert(encode(some()).word[335] == 145 && encode(some()).word[341] == 3);
static_assert(encode(some()).word[26] == 0x3f400000u, "0.75 as the bits of a float");
static_assert(encode(some()).word[11] == 52 && encode(some()).word[10] == 87, "latencies are integers");
static_assert(decode(encode(some())).instructions() == 142 && decode(encode(some())).registers() == 24);

constexpr ww::report::guidance_record record = instruction_record(some());
static_assert(record.bytes().size() == 8 + 41);
static_assert(read_instruction_record(record.bytes()).instructions == 142);
static_assert(read_instruction_record(record.bytes()).registers == 24);

std::string bytes_of(const ww::report::guidance_record& r) { return std::string(r.bytes()); }

}  // namespace

TEST_CASE("PLS-18 record: the statistics object has every field of the text's map, at its index and of its type") {
  REQUIRE(std::size(ww::report::statistics_map) == std::size(text_map));
  std::size_t k = 0;
  for (const ww::report::statistics_field& f : ww::report::statistics_map) {
    INFO(f.name);
    CHECK(f.index == text_map[k].index);
    CHECK(std::string(f.name) == text_map[k].name);
    CHECK((f.type == statistics_type::single) == text_map[k].is_float);
    ++k;
  }
}

TEST_CASE("PLS-18 record: every word of the map goes to a number of its own and comes back; no other word is touched") {
  std::mt19937 random(1818);
  for (unsigned round = 0; round < 200; ++round) {
    statistics_object o;
    for (const row& r : text_map) {
      const auto share = static_cast<float>(random() % 100000) / 65536.0f;
      std::uint32_t bits = static_cast<std::uint32_t>(random());
      if (r.is_float) std::memcpy(&bits, &share, sizeof bits);
      if (r.index == 10 || r.index == 11) bits &= 0x7fffffffu;  // cycles
      o.word[r.index] = bits;
    }
    const guidance_numbers n = decode(o);
    CHECK(encode(n) == o);
    CHECK(decode(encode(n)) == n);
    statistics_object other = o;
    for (unsigned w = 0; w < statistics_object::words; ++w) {
      bool mapped = false;
      for (const row& r : text_map) mapped = mapped || r.index == w;
      if (!mapped) other.word[w] = static_cast<std::uint32_t>(random());
    }
    CHECK(decode(other) == n);
    (void)n.instructions();  // of any fields
    (void)n.registers();
    (void)n.spill_size();
  }
}

TEST_CASE("PLS-18 record: the fields stand where the lines read them") {
  const auto at = [](unsigned word, std::uint32_t bits) {
    statistics_object o;
    o.word[word] = bits;
    return decode(o);
  };
  CHECK(at(8, 7).est_latency == 7);
  CHECK(at(9, 0x3f000000u).fp16_vectorized == 0.5f);
  CHECK(at(10, 7).worst_latency == 7);
  CHECK(at(11, 7).average_latency == 7);
  CHECK(at(12, 7).l_spill == 7);
  CHECK(at(13, 7).l_refill == 7);
  CHECK(at(14, 7).s_refill == 7);  // refill stands in front of spill here
  CHECK(at(15, 7).s_spill == 7);
  CHECK(at(16, 7).low_spill_size == 7);
  CHECK(at(17, 7).frame_spill_size == 7);
  CHECK(at(18, 7).l_non_spill == 7);
  CHECK(at(19, 7).l_non_refill == 7);
  CHECK(at(20, 7).non_spill_size == 7);
  CHECK(at(26, 0x3f000000u).occupancy == 0.5f);
  CHECK(at(27, 7).divergent_branches == 7);
  CHECK(at(28, 7).attribute_bytes == 7);
  CHECK(at(29, 7).program_size == 7);
  CHECK(at(42, 7).precise_inst == 7);
  CHECK(at(44, 7).uniform_inst == 7);
  CHECK(at(45, 7).vector_to_uniform == 7);
  CHECK(at(49, 7).live_at_suspend == 7);
  CHECK(at(50, 0x3f000000u).issue_thru == 0.5f);
  CHECK(at(54, 0x3f000000u).fp_thru == 0.5f);
  CHECK(at(57, 0x3f000000u).half_thru == 0.5f);
  CHECK(at(58, 0x3f000000u).transcendental_thru == 0.5f);
  CHECK(at(59, 0x3f000000u).ipa_thru == 0.5f);
  CHECK(at(61, 0x3f000000u).shared_thru == 0.5f);
  CHECK(at(62, 0x3f000000u).control_flow_thru == 0.5f);
  CHECK(at(65, 0x3f000000u).tex_load_store_thru == 0.5f);
  CHECK(at(84, 0x3f000000u).reg_thru == 0.5f);
  CHECK(at(85, 0x3f000000u).warp_thru == 0.5f);
  CHECK(at(86, 0x3f000000u).shared_alloc_thru == 0.5f);
  CHECK(at(87, 7).partially_unrolled_loops == 7);
  CHECK(at(88, 7).non_unrolled_loops == 7);
  CHECK(at(89, 7).constant_tex == 7);
  CHECK(at(90, 7).partially_bound_tex == 7);
  CHECK(at(91, 7).bindless_tex == 7);
  CHECK(at(92, 7).uniform_tex == 7);
  CHECK(at(93, 0x6000).has_uniform_registers());
  CHECK_FALSE(at(93, 0x5fff).has_uniform_registers());
  CHECK(at(99, 7).uniform_registers == 7);
  CHECK(at(102, 7).registers_base == 7);
  CHECK(at(159, 7).registers_extra == 7);
  CHECK(at(303, 7).est_fp == 7);
  CHECK(at(306, 7).est_half == 7);
  CHECK(at(307, 7).est_transcendental == 7);
  CHECK(at(308, 7).est_ipa == 7);
  CHECK(at(310, 7).est_shared == 7);
  CHECK(at(311, 7).est_control_flow == 7);
  CHECK(at(315, 7).est_load_store == 7);
  CHECK(at(316, 7).est_tex == 7);
  CHECK(at(334, 7).est_pairs == 7);
  CHECK(at(335, 7).total_inst == 7);
  CHECK(at(336, 7).texture_inst == 7);
  CHECK(at(337, 7).fp16_inst == 7);
  CHECK(at(338, 7).fp16_vector_inst == 7);
  CHECK(at(339, 7).inst_hint == 7);
  CHECK(at(340, 7).inst_pairs == 7);
  CHECK(at(341, 7).removed_inst == 7);
  CHECK(at(342, 7).tepid_inst == 7);
}

TEST_CASE("PLS-18 record: cycles that no integer holds") {
  guidance_numbers n;
  n.worst_latency = 1e30;
  n.average_latency = __builtin_nan("");
  CHECK(encode(n).word[10] == 0x7fffffffu);
  CHECK(encode(n).word[11] == 0);
  n.worst_latency = -5;
  CHECK(encode(n).word[10] == 0);
}

TEST_CASE("PLS-18 record: a statistics string has type 3, its length and the text's sentence") {
  using namespace std::string_literals;
  const std::string text = "instr/R-regs: 142 instructions, 24 R-regs";
  std::string expected = "\3\0\0\0"s;
  expected += static_cast<char>(text.size());
  expected += "\0\0\0"s + text;
  CHECK(bytes_of(record) == expected);
  CHECK(bytes_of(ww::report::undefined_register_record("UR", 12)) ==
        "\2\0\0\0\x24\0\0\0Referencing undefined register: UR12"s);
}

TEST_CASE("PLS-18 record: records are read one behind the other, and nothing that is cut or false is taken") {
  const std::string one = bytes_of(record);
  const std::string both = one + bytes_of(ww::report::undefined_register_record("R", 254));
  const ww::report::read_record_result first = ww::report::read_record(both);
  REQUIRE(first.ok);
  CHECK(first.type == 3);
  CHECK(first.next == one.size());
  const ww::report::read_record_result second = ww::report::read_record(ww::string_view(both).substr(first.next));
  REQUIRE(second.ok);
  CHECK(second.type == 2);
  CHECK(second.text == "Referencing undefined register: R254");
  CHECK(first.next + second.next == both.size());
  CHECK_FALSE(read_instruction_record(ww::string_view(both).substr(first.next)).ok);
  for (std::size_t length = 0; length < one.size(); ++length) {
    CHECK_FALSE(ww::report::read_record(ww::string_view(one).substr(0, length)).ok);
  }
  std::string wrong = one;
  wrong[7] = '\x7f';  // a length of two thousand million
  CHECK_FALSE(ww::report::read_record(wrong).ok);
  wrong[7] = '\xff';
  CHECK_FALSE(ww::report::read_record(wrong).ok);
  // Every byte of the sentence that is no digit counts.
  for (std::size_t at = 8; at < one.size(); ++at) {
    wrong = one;
    wrong[at] = '#';
    CHECK_FALSE(read_instruction_record(wrong).ok);
  }
  const ww::report::guidance_record other(ww::report::record_type::undefined_register, first.text);
  CHECK_FALSE(read_instruction_record(other.bytes()).ok);  // the sentence under another type
  std::mt19937 random(3);
  for (unsigned k = 0; k < 10000; ++k) {
    std::string any = one;
    any[random() % any.size()] = static_cast<char>(random());
    (void)read_instruction_record(any);
  }
}

TEST_CASE("PLS-18 record: any two numbers come back") {
  std::mt19937 random(42);
  for (unsigned k = 0; k < 2000; ++k) {
    guidance_numbers n;
    n.total_inst = static_cast<std::int32_t>(random());
    n.registers_base = static_cast<std::int32_t>(random());
    if (n.total_inst == -2147483647 - 1 || n.registers_base == -2147483647 - 1) continue;
    const auto r = read_instruction_record(instruction_record(n).bytes());
    REQUIRE(r.ok);
    CHECK(r.instructions == n.total_inst);
    CHECK(r.registers == n.registers_base);
  }
  const std::string huge = "instr/R-regs: 2147483648 instructions, 24 R-regs";
  CHECK_FALSE(read_instruction_record(ww::report::guidance_record(ww::report::record_type::statistics, huge).bytes()).ok);
  const std::string most(500, 'x');
  CHECK(ww::report::guidance_record(ww::report::record_type::statistics, most).bytes().size() == 128);
  CHECK(ww::report::read_record(ww::report::guidance_record(ww::report::record_type::statistics, most).bytes()).ok);
}
