// SPDX-License-Identifier: BSL-1.0
//
// The check of a register allocation, by hand-made programs: one for each of the ten errors and for each thing that an allocator may do,
// then the report, the counters, what cannot be compared, and real listings on virtual registers against themselves.
#include <cstdio>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <warpwright/lift/lift.hpp>
#include <warpwright/sass/listing.hpp>

#include "../support/corpus.hpp"
#include "allocation_support.hpp"

namespace {

using ww::verify::allocation_error;
using ww::verify::allocation_fault;
using ww::verify::allocation_mismatch;
using ww::verify::allocation_report;
using ww_test::allocated;
using ww_test::allocated_pair;
using ww_test::full_text;

bool clean(const std::string& before, const std::string& after) {
  const allocation_report r = allocated(before, after).check();
  INFO(full_text(r));
  CHECK(r.clean());
  CHECK(r.ran);
  return r.clean();
}

// One mismatch, with this error, at this instruction of the program after.
allocation_report one(const std::string& before, const std::string& after, allocation_error code, std::uint32_t at) {
  const allocation_report r = allocated(before, after).check();
  INFO(full_text(r));
  REQUIRE(r.fault == allocation_fault::none);
  REQUIRE(r.mismatches.size() == 1);
  CHECK(static_cast<int>(r.mismatches[0].code) == static_cast<int>(code));
  CHECK(r.mismatches[0].instruction.value == at);
  CHECK(r.total == 1);
  return r;
}

allocation_fault fault_of(const std::string& before, const std::string& after) {
  const allocation_report r = allocated(before, after).check();
  CHECK(r.mismatches.empty());
  CHECK_FALSE(r.clean());
  return r.fault;
}

// Two values that live side by side, and a third one that is used up in between.
const std::string straight =
    "S2R R1024, SR_TID.X\n"
    "S2R R1025, SR_CTAID.X\n"
    "IADD3 R1026, R1024, R1025, RZ\n"
    "IADD3 R1027, R1026, R1024, RZ\n"
    "STG.E [R2.64], R1027\n"
    "EXIT\n";

const std::string diamond =
    "S2R R1024, SR_TID.X\n"
    "ISETP.GE.AND P1024, PT, R1024, R1024, PT\n"
    "@P1024 BRA `(other)\n"
    "IADD3 R1025, R1024, R1024, RZ\n"
    "BRA `(join)\n"
    "other:\n"
    "IADD3 R1025, R1024, RZ, RZ\n"
    "join:\n"
    "STG.E [R2.64], R1025\n"
    "EXIT\n";

// A predicate that is made early and used late.
const std::string late_predicate =
    "S2R R1024, SR_TID.X\n"
    "ISETP.GE.AND P1024, PT, R1024, R1024, PT\n"
    "ISETP.LT.AND P1025, PT, R1024, R1024, PT\n"
    "@P1025 STG.E [R2.64], R1024\n"
    "@P1024 STG.E [R2.64], R1024\n"
    "EXIT\n";

const std::string constants =
    "MOV R1024, 0x11\n"
    "S2R R1025, SR_TID.X\n"
    "IADD3 R1026, R1025, R1024, RZ\n"
    "IADD3 R1027, R1026, R1024, RZ\n"
    "STG.E [R2.64], R1027\n"
    "EXIT\n";

}  // namespace

TEST_CASE("FPA-10 benign: other registers, and one register for values that do not live together") {
  CHECK(clean(straight,
              "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R4, RZ\n"
              "= STG.E [R2.64], R4\n= EXIT\n"));
  CHECK(clean(diamond,
              "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(other)\n= IADD3 R4, R4, R4, RZ\n"
              "= BRA `(join)\nother:\n= IADD3 R4, R4, RZ, RZ\njoin:\n= STG.E [R2.64], R4\n= EXIT\n"));
}

TEST_CASE("FPA-10 benign: spill and refill, in one block and over a join") {
  CHECK(clean(
      straight,
      "= S2R R4, SR_TID.X\nspill STL [R1+0x8], R4\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\nrefill LDL R4, [R1+0x8]\n"
      "= IADD3 R4, R5, R4, RZ\n= STG.E [R2.64], R4\n= EXIT\n"));
  CHECK(
      clean(straight,
            "= S2R R4, SR_TID.X\nspill STS [0x40], R4\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\nrefill LDS R6, [0x40]\n"
            "= IADD3 R4, R5, R6, RZ\n= STG.E [R2.64], R4\n= EXIT\n"));
  CHECK(clean(diamond,
              "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(other)\n= IADD3 R5, R4, R4, RZ\n"
              "spill STL [R1+0x4], R5\n= BRA `(join)\nother:\n= IADD3 R6, R4, RZ, RZ\nspill STL [R1+0x4], R6\njoin:\n"
              "refill LDL R7, [R1+0x4]\n= STG.E [R2.64], R7\n= EXIT\n"));
  // A wide store, and two loads of its halves; and the reverse.
  const std::string wide =
      "LDG.E.64 R1024, [R2.64]\nIADD3 R1026, R1024, R1025, RZ\nSTG.E.64 [R2.64], R1024\nSTG.E [R2.64], R1026\nEXIT\n";
  CHECK(clean(wide,
              "= LDG.E.64 R4, [R2.64]\nspill STL.64 [R1+0x8], R4\n= IADD3 R6, R4, R5, RZ\nrefill LDL R8, [R1+0x8]\nrefill "
              "LDL R9, [R1+0xc]\n"
              "= STG.E.64 [R2.64], R8\n= STG.E [R2.64], R6\n= EXIT\n"));
  CHECK(clean(wide,
              "= LDG.E.64 R4, [R2.64]\nspill STL [R1+0x8], R4\nspill STL [R1+0xc], R5\n= IADD3 R6, R4, R5, RZ\nrefill "
              "LDL.64 R8, [R1+0x8]\n"
              "= STG.E.64 [R2.64], R8\n= STG.E [R2.64], R6\n= EXIT\n"));
}

TEST_CASE("FPA-10 benign: copies inserted, copies deleted, and reads that pass a copy by") {
  CHECK(clean(
      straight,
      "= S2R R4, SR_TID.X\ncopy MOV R9, R4\n= S2R R4, SR_CTAID.X\n= IADD3 R5, R9, R4, RZ\ncopy IMAD.MOV.U32 R8, RZ, RZ, R9\n"
      "= IADD3 R4, R5, R8, RZ\n= STG.E [R2.64], R4\n= EXIT\n"));
  const std::string moves =
      "S2R R1024, SR_TID.X\nMOV R1025, R1024\nIADD3 R1026, R1025, R1024, RZ\nSTG.E [R2.64], R1025\nSTG.E [R2.64], "
      "R1026\nEXIT\n";
  // Coalesced: the copy is gone.
  CHECK(clean(moves, "= S2R R4, SR_TID.X\n=2 IADD3 R5, R4, R4, RZ\n= STG.E [R2.64], R4\n= STG.E [R2.64], R5\n= EXIT\n"));
  // The copy is there, and who reads it reads its source.
  CHECK(
      clean(moves,
            "= S2R R4, SR_TID.X\n= MOV R6, R4\n= IADD3 R5, R4, R6, RZ\n= STG.E [R2.64], R4\n= STG.E [R2.64], R5\n= EXIT\n"));
  // No copy: another value.
  const std::string not_a_copy = "S2R R1024, SR_TID.X\nIADD3 R1025, R1024, R1024, RZ\nSTG.E [R2.64], R1025\nEXIT\n";
  one(not_a_copy, "= S2R R4, SR_TID.X\n=2 STG.E [R2.64], R4\n= EXIT\n", allocation_error::extra_definitions, 1);
  // What is inserted as a copy must be one.
  for (const char* no_copy :
       {"IADD3 R9, R4, R4, RZ", "IMAD R9, R4, RZ, RZ", "IMAD.MOV.U32 R9, RZ, RZ, -R4", "IMAD R9, RZ, 0x3, R4"}) {
    const allocation_report r =
        allocated(
            straight,
            std::string("= S2R R4, SR_TID.X\ncopy ") + no_copy +
                "\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R9, R5, RZ\n= IADD3 R4, R5, R4, RZ\n= STG.E [R2.64], R4\n= EXIT\n")
            .check();
    INFO(no_copy);
    REQUIRE(r.mismatches.size() == 1);
    CHECK(r.mismatches[0].code == allocation_error::extra_definitions);
    CHECK(r.mismatches[0].instruction.value == 3);
  }
}

TEST_CASE("FPA-10 benign: constants and special registers computed again, dead code deleted") {
  CHECK(clean(
      constants,
      "=1 S2R R4, SR_TID.X\nremat=0 MOV R5, 0x11\n= IADD3 R4, R4, R5, RZ\nremat=0 MOV R6, 0x11\n= IADD3 R4, R4, R6, RZ\n"
      "= STG.E [R2.64], R4\n= EXIT\n"));
  CHECK(clean(
      straight,
      "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\nremat=0 S2R R4, SR_TID.X\n= IADD3 R4, R5, R4, RZ\n"
      "= STG.E [R2.64], R4\n= EXIT\n"));
  CHECK(clean("S2R R1024, SR_TID.X\nIADD3 R1025, R1024, R1024, RZ\nSTG.E [R2.64], R1024\nEXIT\n",
              "= S2R R4, SR_TID.X\n=2 STG.E [R2.64], R4\n= EXIT\n"));
}

TEST_CASE("FPA-10 benign: predicates in a general register, alone, packed, in bytes, and that register spilled") {
  CHECK(clean(
      late_predicate,
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\np2r P2R R6, PR, RZ, 0x1\n= ISETP.LT.AND P0, PT, R4, R4, PT\n"
      "= @P0 STG.E [R2.64], R4\nr2p R2P PR, R6, 0x1\n= @P0 STG.E [R2.64], R4\n= EXIT\n"));
  // Both in one register, one by one; the register goes through the stack.
  CHECK(clean(
      late_predicate,
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\np2r P2R R6, PR, RZ, 0x1\n= ISETP.LT.AND P1, PT, R4, R4, PT\n"
      "p2r P2R R6, PR, R6, 0x2\nspill STL [R1], R6\nrefill LDL R7, [R1]\nr2p R2P PR, R7, 0x2\n"
      "= @P1 STG.E [R2.64], R4\nr2p R2P PR, R7, 0x1\n= @P0 STG.E [R2.64], R4\n= EXIT\n"));
  // The second byte.
  CHECK(clean(
      late_predicate,
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\np2r@8 P2R R6, PR, RZ, 0x1\n= ISETP.LT.AND P0, PT, R4, R4, PT\n"
      "= @P0 STG.E [R2.64], R4\nr2p@8 R2P PR, R6, 0x1\n= @P0 STG.E [R2.64], R4\n= EXIT\n"));
  // Single bits.
  CHECK(clean(late_predicate,
              "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\nbit_out@2 SEL R6, RZ, 0x4, !P0\n= ISETP.LT.AND P0, "
              "PT, R4, R4, PT\n"
              "bit_out@3 SEL R7, RZ, 0x8, !P0\nbit_merge LOP3.LUT R6, R6, R7, RZ, 0xfc, !PT\n"
              "bit_in@3 LOP3.LUT P3, RZ, R6, 0x8, RZ, 0xc0, !PT\n= @P3 STG.E [R2.64], R4\n"
              "bit_in@2 LOP3.LUT P0, RZ, R6, 0x4, RZ, 0xc0, !PT\n= @P0 STG.E [R2.64], R4\n= EXIT\n"));
}

TEST_CASE("FPA-10 code 1: a refill without a spill that fits") {
  const auto with = [](const std::string& spill, const std::string& refill) {
    return "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n" + spill + "= IADD3 R5, R4, R5, RZ\n" + refill +
           "= IADD3 R4, R5, R6, RZ\n= STG.E [R2.64], R4\n= EXIT\n";
  };
  using e = allocation_error;
  CHECK(clean(straight, with("spill STL [R1+0x8], R4\n", "refill LDL R6, [R1+0x8]\n")));
  // Nothing is stored there.
  one(straight, with("spill STL [R1+0x8], R4\n", "refill LDL R6, [R1+0xc]\n"), e::spill_refill, 5);
  one(straight, with("", "refill LDL R6, [R1+0x8]\n"), e::spill_refill, 4);
  // Another value is.
  one(straight, with("spill STL [R1+0x8], R5\n", "refill LDL R6, [R1+0x8]\n"), e::spill_refill, 5);
  // In other memory, another width, another base.
  one(straight, with("spill STS [0x8], R4\n", "refill LDL R6, [0x8]\n"), e::spill_refill, 5);
  one(straight, with("spill STL.U8 [R1+0x8], R4\n", "refill LDL R6, [R1+0x8]\n"), e::spill_refill, 5);
  one(straight, with("spill STL [R1+0x8], R4\n", "refill LDL.U8 R6, [R1+0x8]\n"), e::spill_refill, 5);
  one(straight, with("spill STL [R1+0x8], R4\ncopy MOV R1, R5\n", "refill LDL R6, [R1+0x8]\n"), e::spill_refill, 6);
  // The program itself stores there.
  const std::string own = "S2R R1024, SR_TID.X\nS2R R1025, SR_CTAID.X\nSTL [R1+0x8], R1025\nSTG.E [R2.64], R1024\nEXIT\n";
  one(own,
      "= S2R R4, SR_TID.X\nspill STL [R1+0x8], R4\n= S2R R5, SR_CTAID.X\n= STL [R1+0x8], R5\nrefill LDL R6, [R1+0x8]\n= "
      "STG.E [R2.64], R6\n= EXIT\n",
      e::spill_refill, 5);
  // On one way the store of the new value is missing, and the old one is still there.
  one("S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\n@P1024 BRA `(join)\nIADD3 R1024, R1024, R1024, "
      "RZ\njoin:\n"
      "STG.E [R2.64], R1024\nEXIT\n",
      "= S2R R4, SR_TID.X\nspill STL [R1], R4\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(join)\n= IADD3 R4, R4, R4, "
      "RZ\njoin:\n"
      "refill LDL R4, [R1]\n= STG.E [R2.64], R4\n= EXIT\n",
      e::spill_refill, 6);
}

TEST_CASE("FPA-10 code 2: a refill of a slot that one path does not write") {
  one(diamond,
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(other)\n= IADD3 R5, R4, R4, RZ\n"
      "spill STL [R1+0x4], R5\n= BRA `(join)\nother:\n= IADD3 R6, R4, RZ, RZ\njoin:\n"
      "refill LDL R7, [R1+0x4]\n= STG.E [R2.64], R7\n= EXIT\n",
      allocation_error::refill_uninitialised, 8);
  // Nothing had defined it on that path before either.
  const std::string partly =
      "S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\n@P1024 BRA `(join)\nIADD3 R1025, R1024, R1024, "
      "RZ\njoin:\n"
      "STG.E [R2.64], R1025\nEXIT\n";
  CHECK(clean(partly,
              "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(join)\n= IADD3 R5, R4, R4, RZ\nspill STL "
              "[R1], R5\njoin:\n"
              "refill LDL R5, [R1]\n= STG.E [R2.64], R5\n= EXIT\n"));
}

TEST_CASE("FPA-10 codes 3 and 8: R2P without its P2R, and somebody else in the register") {
  const auto with = [](const std::string& out, const std::string& between, const std::string& in) {
    return "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n" + out + "= ISETP.LT.AND P0, PT, R4, R4, PT\n" +
           between + "= @P0 STG.E [R2.64], R4\n" + in + "= @P0 STG.E [R2.64], R4\n= EXIT\n";
  };
  using e = allocation_error;
  CHECK(clean(late_predicate, with("p2r P2R R6, PR, RZ, 0x1\n", "", "r2p R2P PR, R6, 0x1\n")));
  one(late_predicate, with("p2r P2R R6, PR, RZ, 0x2\n", "", "r2p R2P PR, R6, 0x1\n"), e::p2r_r2p, 6);
  one(late_predicate, with("", "", "r2p R2P PR, R6, 0x1\n"), e::p2r_r2p, 5);
  one(late_predicate, with("p2r P2R R6, PR, RZ, 0x1\n", "", "r2p@8 R2P PR, R6, 0x1\n"), e::p2r_r2p, 6);
  // The other predicate came in between.
  one(late_predicate, with("", "p2r P2R R6, PR, RZ, 0x1\n", "r2p R2P PR, R6, 0x1\n"), e::p2r_r2p, 6);
  one(late_predicate, with("p2r P2R R6, PR, RZ, 0x1\n", "p2r P2R R6, PR, R6, 0x1\n", "r2p R2P PR, R6, 0x1\n"), e::p2r_r2p,
      7);
  // Not what the map says.
  one(late_predicate, with("p2r MOV R6, R4\n", "", "r2p R2P PR, R6, 0x1\n"), e::p2r_r2p, 6);
  // The register is written in between.
  one(late_predicate, with("p2r P2R R6, PR, RZ, 0x1\n", "remat=0 S2R R6, SR_TID.X\n", "r2p R2P PR, R6, 0x1\n"),
      e::p2r_r2p_base, 7);
  const std::string one_way =
      "S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\n@P1024 BRA `(join)\nS2R R1025, SR_CTAID.X\nSTG.E "
      "[R2.64], R1025\njoin:\n"
      "@P1024 STG.E [R2.64], R1024\nEXIT\n";
  one(one_way,
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\np2r P2R R6, PR, RZ, 0x1\n= @P0 BRA `(join)\n= S2R R6, "
      "SR_CTAID.X\n"
      "= STG.E [R2.64], R6\njoin:\nr2p R2P PR, R6, 0x1\n= @P0 STG.E [R2.64], R4\n= EXIT\n",
      e::p2r_r2p_base, 7);
}

TEST_CASE("FPA-10 codes 4 and 9: single bits") {
  const auto with = [](const std::string& out, const std::string& between, const std::string& in) {
    return "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n" + out + "= ISETP.LT.AND P0, PT, R4, R4, PT\n" +
           between + "= @P0 STG.E [R2.64], R4\n" + in + "= @P0 STG.E [R2.64], R4\n= EXIT\n";
  };
  using e = allocation_error;
  const std::string out = "bit_out@2 SEL R6, RZ, 0x4, !P0\n";
  const std::string in = "bit_in@2 LOP3.LUT P0, RZ, R6, 0x4, RZ, 0xc0, !PT\n";
  CHECK(clean(late_predicate, with(out, "", in)));
  CHECK(clean(late_predicate, with("p2r P2R R6, PR, RZ, 0x1\n", "", "bit_in@0 LOP3.LUT P0, RZ, R6, 0x1, RZ, 0xc0, !PT\n")));
  one(late_predicate, with("bit_out@3 SEL R6, RZ, 0x8, !P0\n", "", in), e::bit_spill_refill, 6);
  one(late_predicate, with("", "", in), e::bit_spill_refill, 5);
  one(late_predicate, with("bit_out@2 SEL R6, RZ, 0x4, P0\n", "", in), e::bit_spill_refill, 6);  // the opposite
  one(late_predicate, with("", out, in), e::bit_spill_refill, 6);                                // the other predicate
  one(late_predicate, with(out, "bit_merge IADD3 R6, R6, R6, RZ\n", in), e::bit_spill_refill, 7);
  one(late_predicate, with(out, "remat=0 S2R R6, SR_TID.X\n", in), e::bit_spill_base, 7);
}

TEST_CASE("FPA-10 bits: where the encoding shows the bit, it must be that of the map") {
  const std::string after =
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\nbit_out@2 SEL R6, RZ, 0x4, !P0\n= ISETP.LT.AND P0, PT, R4, "
      "R4, PT\n"
      "= @P0 STG.E [R2.64], R4\nbit_merge LOP3.LUT R6, R6, R6, RZ, 0xfc, !PT\nbit_in@2 LOP3.LUT P0, RZ, R6, 0x4, RZ, 0xc0, "
      "!PT\n"
      "= @P0 STG.E [R2.64], R4\n= EXIT\n";
  allocated_pair a = allocated(late_predicate, after);
  const auto give = [&](std::uint32_t i, std::uint32_t bits) {
    a.after.instructions[i].word[0] = std::uint64_t{bits} << 32 | 0x7812u;
    a.after.instructions[i].word[1] = 0xc0u << 8;
  };
  give(6, 4);
  give(2, 4);
  CHECK(a.check().clean());
  give(6, 12);
  REQUIRE(a.check().mismatches.size() == 1);
  CHECK(a.check().mismatches[0].code == allocation_error::bit_spill_refill);
  give(6, 4);
  give(2, 8);
  CHECK(a.check().total == 1);
  give(2, 4);
  a.after.instructions[5].word[0] = 0x7212u;
  a.after.instructions[5].word[1] = 0xc0u << 8;  // "and"
  CHECK(a.check().total == 1);
  a.after.instructions[5].word[1] = 0xfcu << 8;
  CHECK(a.check().clean());
}

TEST_CASE("FPA-10 code 5: what stood in the register at the entry can be read") {
  one(straight,
      "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R7, RZ\n= STG.E [R2.64], R4\n= "
      "EXIT\n",
      allocation_error::uninitialised, 3);
  // One half of a pair.
  one("LDG.E.64 R1024, [R2.64]\nSTG.E.64 [R2.64], R1024\nEXIT\n",
      "= LDG.E.64 R4, [R2.64]\ncopy MOV R8, R4\n= STG.E.64 [R2.64], R8\n= EXIT\n", allocation_error::uninitialised, 2);
  // A spill before the value is there, on one path.
  one(diamond,
      "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\nspill STL [R1], R5\n= @P0 BRA `(other)\n= IADD3 R5, R4, R4, "
      "RZ\n"
      "spill STL [R1], R5\n= BRA `(join)\nother:\n= IADD3 R5, R4, RZ, RZ\njoin:\nrefill LDL R5, [R1]\n= STG.E [R2.64], "
      "R5\n= EXIT\n",
      allocation_error::uninitialised, 9);
}

TEST_CASE("FPA-10 code 6: extra definitions, and the question about narrow ones") {
  const allocation_report r = one(straight,
                                  "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R4, R4, R5, RZ\n= IADD3 R4, R4, R4, "
                                  "RZ\n= STG.E [R2.64], R4\n= EXIT\n",
                                  allocation_error::extra_definitions, 3);
  CHECK_FALSE(r.mismatches[0].mixed_size);
  CHECK(full_text(r).find("upper bits") == std::string::npos);
  const std::string narrow =
      "LDG.E R1024, [R2.64]\nLDG.E.U8 R1025, [R2.64]\nSTG.E [R2.64], R1025\nSTG.E [R2.64], R1024\nEXIT\n";
  const allocation_report n =
      one(narrow, "= LDG.E R4, [R2.64]\n= LDG.E.U8 R4, [R2.64]\n= STG.E [R2.64], R4\n= STG.E [R2.64], R4\n= EXIT\n",
          allocation_error::extra_definitions, 3);
  CHECK(n.mismatches[0].mixed_size);
  CHECK(full_text(n).find("Does this def potentially clobber upper bits of a register that is supposed to hold unsigned "
                          "short or unsigned byte?") != std::string::npos);
  CHECK(full_text(n).find("-knob IgnorePotentialMixedSizeProblems") != std::string::npos);
  ww::verify::allocation_reporter quiet({true, true});
  const std::string text = ww_test::text_of(n, quiet);
  CHECK(text.find("upper bits") == std::string::npos);
  CHECK(text.find("After reg-alloc there are some extra def(s)") != std::string::npos);
  // Halves of a pair exchanged.
  one("LDG.E.64 R1024, [R2.64]\nSTG.E.64 [R2.64], R1024\nEXIT\n",
      "= LDG.E.64 R4, [R2.64]\ncopy MOV R8, R5\ncopy MOV R9, R4\n= STG.E.64 [R2.64], R8\n= EXIT\n",
      allocation_error::extra_definitions, 3);
}

TEST_CASE("FPA-10 code 7: computed again, and not the same") {
  const allocation_report r = one(constants,
                                  "=1 S2R R4, SR_TID.X\nremat=0 MOV R5, 0x12\n= IADD3 R4, R4, R5, RZ\n= IADD3 R4, R4, R5, "
                                  "RZ\n= STG.E [R2.64], R4\n= EXIT\n",
                                  allocation_error::rematerialization, 1);
  CHECK(r.mismatches[0].computes.value == 0);
  CHECK(r.mismatches[0].computed_by.value == 1);
  CHECK(full_text(r).find("REMATERIALIZATION PROBLEM. New Instruction [1] Old Instruction [0]\nINSTRUCTION: [1]\n") !=
        std::string::npos);
  CHECK(full_text(r).find("Rematerialization problem: Old instruction: [0] New instruction: [1]\n") != std::string::npos);
  // The same, of another register.
  const std::string sum =
      "S2R R1024, SR_TID.X\nS2R R1025, SR_CTAID.X\nIADD3 R1026, R1024, R1024, RZ\nSTG.E [R2.64], R1026\nSTG.E [R2.64], "
      "R1026\nSTG.E [R2.64], R1025\nEXIT\n";
  CHECK(clean(
      sum,
      "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R6, R4, R4, RZ\n= STG.E [R2.64], R6\nremat=2 IADD3 R7, R4, R4, RZ\n"
      "= STG.E [R2.64], R7\n= STG.E [R2.64], R5\n= EXIT\n"));
  one(sum,
      "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R6, R4, R4, RZ\n= STG.E [R2.64], R6\nremat=2 IADD3 R7, R4, R5, RZ\n"
      "= STG.E [R2.64], R7\n= STG.E [R2.64], R5\n= EXIT\n",
      allocation_error::rematerialization, 4);
  // Another value is computed than the one that is read; and one that must not be computed twice.
  const allocation_report wrong = one(straight,
                                      "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\nremat=1 S2R R4, "
                                      "SR_CTAID.X\n= IADD3 R4, R5, R4, RZ\n"
                                      "= STG.E [R2.64], R4\n= EXIT\n",
                                      allocation_error::rematerialization, 4);
  CHECK(wrong.mismatches[0].computes.value == 1);
  CHECK(wrong.mismatches[0].computed_by.value == 3);
  one("LDG.E R1024, [R2.64]\nSTG.E [R2.64], R1024\nSTG.E [R2.64], R1024\nEXIT\n",
      "= LDG.E R4, [R2.64]\n= STG.E [R2.64], R4\nremat=0 LDG.E R4, [R2.64]\n= STG.E [R2.64], R4\n= EXIT\n",
      allocation_error::rematerialization, 2);
}

TEST_CASE("FPA-10 code 10: definitions disappeared") {
  const allocation_report r =
      one("S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\nS2R R1025, SR_CTAID.X\n@P1024 IADD3 R1025, R1024, "
          "R1024, RZ\n"
          "STG.E [R2.64], R1025\nEXIT\n",
          "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= S2R R5, SR_CTAID.X\n= @P0 IADD3 R6, R4, R4, RZ\n"
          "= STG.E [R2.64], R5\n= EXIT\n",
          allocation_error::lost_definitions, 4);
  REQUIRE(r.mismatches[0].before_count == 2);
  REQUIRE(r.mismatches[0].after_count == 1);
}

TEST_CASE("FPA-10 loops: a value of this iteration is not one of the last") {
  const std::string loop =
      "S2R R1024, SR_TID.X\ntop:\nIADD3 R1025, R1024, R1024, RZ\nIADD3 R1024, R1025, R1024, RZ\nSTG.E [R2.64], R1024\n"
      "ISETP.GE.AND P1024, PT, R1024, R1025, PT\n@P1024 BRA `(top)\nEXIT\n";
  CHECK(clean(loop,
              "= S2R R4, SR_TID.X\ntop:\n= IADD3 R5, R4, R4, RZ\n= IADD3 R4, R5, R4, RZ\n= STG.E [R2.64], R4\n"
              "= ISETP.GE.AND P0, PT, R4, R5, PT\n= @P0 BRA `(top)\n= EXIT\n"));
  CHECK(clean(loop,
              "= S2R R4, SR_TID.X\nspill STL [R1], R4\ntop:\nrefill LDL R6, [R1]\n= IADD3 R5, R6, R6, RZ\n= IADD3 R4, R5, "
              "R6, RZ\nspill STL [R1], R4\n"
              "= STG.E [R2.64], R4\n= ISETP.GE.AND P0, PT, R4, R5, PT\n= @P0 BRA `(top)\n= EXIT\n"));
  // One iteration late: over all edges the same definitions reach the store.
  const std::string late =
      "S2R R1024, SR_TID.X\nMOV R1026, R1024\ntop:\nSTG.E [R2.64], R1026\nIADD3 R1024, R1024, R1024, RZ\nMOV R1026, R1024\n"
      "ISETP.GE.AND P1024, PT, R1024, R1024, PT\n@P1024 BRA `(top)\nSTG.E [R2.64], R1026\nEXIT\n";
  const allocation_report r = allocated(late,
                                        "= S2R R4, SR_TID.X\n= MOV R5, R4\ntop:\n= STG.E [R2.64], R5\ncopy MOV R5, R4\n= "
                                        "IADD3 R4, R4, R4, RZ\n= MOV R6, R4\n"
                                        "= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(top)\n= STG.E [R2.64], R6\n= EXIT\n")
                                  .check();
  INFO(full_text(r));
  REQUIRE(r.mismatches.size() == 1);
  CHECK(r.mismatches[0].by_path);
  CHECK(r.mismatches[0].instruction.value == 2);
  CHECK(r.mismatches[0].code == allocation_error::extra_definitions);
  // A sum computed again, when what it is made of is of the next iteration already.
  const std::string sum =
      "S2R R1024, SR_TID.X\nIADD3 R1026, R1024, R1024, RZ\ntop:\nIADD3 R1024, R1024, R1024, RZ\nSTG.E [R2.64], R1026\n"
      "IADD3 R1026, R1024, R1024, RZ\nISETP.GE.AND P1024, PT, R1024, R1024, PT\n@P1024 BRA `(top)\nSTG.E [R2.64], "
      "R1026\nEXIT\n";
  const auto with = [](const std::string& inside, const std::string& behind) {
    return "= S2R R4, SR_TID.X\n= IADD3 R5, R4, R4, RZ\ntop:\n= IADD3 R4, R4, R4, RZ\n" + inside +
           "= IADD3 R5, R4, R4, RZ\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(top)\n" + behind + "= EXIT\n";
  };
  CHECK(clean(sum, with("= STG.E [R2.64], R5\n", "remat=4 IADD3 R6, R4, R4, RZ\n= STG.E [R2.64], R6\n")));
  CHECK_FALSE(
      allocated(sum, with("remat=4 IADD3 R6, R4, R4, RZ\n= STG.E [R2.64], R6\n", "= STG.E [R2.64], R5\n")).check().clean());
}

TEST_CASE("FPA-10 paths: the same definitions from the wrong arms") {
  const std::string arms =
      "S2R R1024, SR_TID.X\nS2R R1025, SR_CTAID.X\nISETP.GE.AND P1024, PT, R1024, R1025, PT\n@P1024 BRA `(other)\nMOV "
      "R1026, R1024\n"
      "BRA `(join)\nother:\nMOV R1026, R1025\nNOP\njoin:\nSTG.E [R2.64], R1026\nEXIT\n";
  const auto with = [](const std::string& first, const std::string& second, const std::string& behind) {
    return "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= ISETP.GE.AND P0, PT, R4, R5, PT\n= @P0 BRA `(other)\n" + first +
           "=5 BRA `(join)\nother:\n" + second + "=7 NOP\njoin:\n" + behind + "=8 STG.E [R2.64], R6\n= EXIT\n";
  };
  CHECK(clean(arms, with("copy MOV R6, R4\n", "copy MOV R6, R5\n", "")));
  const allocation_report r =
      one(arms, with("copy MOV R6, R5\n", "copy MOV R6, R4\n", ""), allocation_error::extra_definitions, 8);
  CHECK(r.mismatches[0].by_path);
  CHECK(clean(arms, with("spill STL [R1], R4\n", "spill STL [R1], R5\n", "refill LDL R6, [R1]\n")));
  const allocation_report s = one(arms, with("spill STL [R1], R5\n", "spill STL [R1], R4\n", "refill LDL R6, [R1]\n"),
                                  allocation_error::spill_refill, 9);
  CHECK(s.mismatches[0].by_path);
}

TEST_CASE("FPA-10 paths: arguments, guarded writes and values computed again") {
  // Registers that are there at the entry, from the wrong arms.
  const std::string entry =
      "ISETP.GE.AND P1024, PT, R6, R7, PT\n@P1024 BRA `(other)\nMOV R1026, R6\nBRA `(join)\nother:\nMOV R1026, R7\njoin:\n"
      "STG.E [R2.64], R1026\nEXIT\n";
  const auto arms = [](const std::string& first, const std::string& second) {
    return "= ISETP.GE.AND P0, PT, R6, R7, PT\n= @P0 BRA `(other)\ncopy MOV R8, " + first +
           "\n=3 BRA `(join)\nother:\ncopy MOV R8, " + second + "\njoin:\n=5 STG.E [R2.64], R8\n= EXIT\n";
  };
  CHECK(clean(entry, arms("R6", "R7")));
  CHECK(one(entry, arms("R7", "R6"), allocation_error::extra_definitions, 5).mismatches[0].by_path);
  // The same behind a write that not all threads do.
  const std::string guarded =
      "ISETP.GE.AND P1024, PT, R6, R7, PT\n@P1024 BRA `(other)\nMOV R1026, R6\nBRA `(join)\nother:\nMOV R1026, R7\njoin:\n"
      "@P1024 IADD3 R1026, R6, R6, RZ\nSTG.E [R2.64], R1026\nEXIT\n";
  const auto write = [](const std::string& first, const std::string& second) {
    return "= ISETP.GE.AND P0, PT, R6, R7, PT\n= @P0 BRA `(other)\ncopy MOV R8, " + first +
           "\n=3 BRA `(join)\nother:\ncopy MOV R8, " + second +
           "\njoin:\n=5 @P0 IADD3 R8, R6, R6, RZ\n= STG.E [R2.64], R8\n= EXIT\n";
  };
  CHECK(clean(guarded, write("R6", "R7")));
  CHECK(one(guarded, write("R7", "R6"), allocation_error::extra_definitions, 6).mismatches[0].by_path);
  // Copies deleted, and a value that is overwritten on the way where it is needed.
  const std::string coalesced =
      "ISETP.GE.AND P1024, PT, R6, R7, PT\nS2R R1024, SR_TID.X\nMOV R1026, R1024\n@P1024 BRA `(first)\nS2R R1025, "
      "SR_CTAID.X\nfirst:\n"
      "@!P1024 BRA `(second)\nMOV R1026, R1025\nNOP\nsecond:\nSTG.E [R2.64], R1026\nEXIT\n";
  const auto other = [](const std::string& second, const std::string& moved) {
    return "= ISETP.GE.AND P0, PT, R6, R7, PT\n= S2R R4, SR_TID.X\n=3 @P0 BRA `(first)\n= S2R " + second +
           ", SR_CTAID.X\nfirst:\n= @!P0 BRA `(second)\n" + moved + "=7 NOP\nsecond:\n= STG.E [R2.64], R4\n= EXIT\n";
  };
  CHECK(clean(coalesced, other("R5", "=6 MOV R4, R5\n")));
  CHECK(one(coalesced, other("R4", ""), allocation_error::extra_definitions, 6).mismatches[0].by_path);
  // Computed again of a register that is of the next iteration already.
  const std::string again =
      "S2R R1027, SR_TID.X\ntop:\nLDG.E R1024, [R2.64]\nSTG.E [R2.64], R1026\nIADD3 R1026, R1024, R1027, RZ\n"
      "ISETP.GE.AND P1024, PT, R1024, R1027, PT\n@P1024 BRA `(top)\nEXIT\n";
  CHECK(clean(again,
              "= S2R R5, SR_TID.X\ntop:\n= LDG.E R4, [R2.64]\n= STG.E [R2.64], R6\n= IADD3 R6, R4, R5, RZ\n"
              "= ISETP.GE.AND P0, PT, R4, R5, PT\n= @P0 BRA `(top)\n= EXIT\n"));
  const allocation_report r =
      one(again,
          "= S2R R5, SR_TID.X\ntop:\n= LDG.E R4, [R2.64]\nremat=3 IADD3 R6, R4, R5, RZ\n= STG.E [R2.64], R6\n"
          "=4 ISETP.GE.AND P0, PT, R4, R5, PT\n= @P0 BRA `(top)\n= EXIT\n",
          allocation_error::rematerialization, 3);
  CHECK(r.mismatches[0].by_path);
  CHECK(r.mismatches[0].computes.value == 3);
  CHECK(r.mismatches[0].computed_by.value == 2);
}

TEST_CASE("FPA-10 guards: one register for values under complementary guards, also when the predicate was away") {
  const std::string guards =
      "S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\n@P1024 IADD3 R1025, R1024, R1024, RZ\n@!P1024 IADD3 "
      "R1026, R1024, RZ, RZ\n"
      "@P1024 STG.E [R2.64], R1025\n@!P1024 STG.E [R2.64], R1026\nEXIT\n";
  const auto with = [](const std::string& between, const std::string& second) {
    return "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 IADD3 R5, R4, R4, RZ\n" + between +
           "= @!P0 IADD3 " + second + ", R4, RZ, RZ\n= @P0 STG.E [R2.64], R5\n= @!P0 STG.E [R2.64], " + second +
           "\n= EXIT\n";
  };
  CHECK(clean(guards, with("", "R5")));
  CHECK(clean(guards, with("", "R6")));
  CHECK(clean(guards, with("p2r P2R R7, PR, RZ, 0x1\nr2p R2P PR, R7, 0x1\n", "R6")));
  // What is read under the complement is not what was written; the predicate that comes back is the same one.
  const std::string away =
      "S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\nS2R R1025, SR_CTAID.X\n@P1024 IADD3 R1025, R1024, "
      "R1024, RZ\n"
      "@!P1024 STG.E [R2.64], R1025\n@P1024 STG.E [R2.64], R1025\nEXIT\n";
  const auto moved = [](const std::string& between) {
    return "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= S2R R5, SR_CTAID.X\n= @P0 IADD3 R5, R4, R4, RZ\n" +
           between + "= @!P0 STG.E [R2.64], R5\n= @P0 STG.E [R2.64], R5\n= EXIT\n";
  };
  CHECK(clean(away, moved("")));
  CHECK(clean(away, moved("p2r P2R R7, PR, RZ, 0x1\nr2p R2P PR, R7, 0x1\n")));
  CHECK_FALSE(allocated(away, moved("copy @P0 MOV R5, R4\n")).check().clean());
  CHECK_FALSE(allocated(away, moved("copy @!P0 MOV R5, R4\n")).check().clean());
  // The predicate itself is needed by all threads.
  const std::string nested =
      "S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\n@!P1024 ISETP.LT.AND P1025, PT, R1024, R1024, PT\n"
      "@!P1024 PLOP3.LUT P1026, PT, P1025, PT, PT, 0x80, 0x8\n@P1024 STG.E [R2.64], R1024\nEXIT\n";
  CHECK(clean(nested,
              "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @!P0 ISETP.LT.AND P1, PT, R4, R4, PT\n"
              "= @!P0 PLOP3.LUT P2, PT, P1, PT, PT, 0x80, 0x8\n= @P0 STG.E [R2.64], R4\n= EXIT\n"));
  CHECK_FALSE(allocated(nested,
                        "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @!P0 ISETP.LT.AND P0, PT, R4, R4, PT\n"
                        "= @!P0 PLOP3.LUT P2, PT, P0, PT, PT, 0x80, 0x8\n= @P0 STG.E [R2.64], R4\n= EXIT\n")
                  .check()
                  .clean());
}

TEST_CASE("FPA-10 calls: code that is not known reads physical registers and writes all but the preserved ones") {
  const std::string unknown = "S2R R1024, SR_TID.X\nMOV R4, R1024\nCALL.ABS R8\nSTG.E [R2.64], R1024\nEXIT\n";
  const std::string after = "= S2R R16, SR_TID.X\n= MOV R4, R16\n= CALL.ABS R8\n= STG.E [R2.64], R16\n= EXIT\n";
  const allocation_report r = one(unknown, after, allocation_error::extra_definitions, 3);
  CHECK(full_text(r).find("[2] outside src opr # ") != std::string::npos);
  const ww::reg kept[] = {ww::R(16)};
  ww::verify::allocation_options o;
  o.preserved = kept;
  CHECK(allocated(unknown, after).check(o).clean());
  // The argument.
  const allocation_report argument = one(unknown,
                                         "= S2R R16, SR_TID.X\n= MOV R5, R16\nspill STL [R1], R16\n= CALL.ABS R8\nrefill "
                                         "LDL R16, [R1]\n= STG.E [R2.64], R16\n= EXIT\n",
                                         allocation_error::uninitialised, 3);
  CHECK(argument.mismatches[0].operand == allocation_mismatch::at_exit);
  CHECK(argument.mismatches[0].name == ww::R(4));
}

TEST_CASE("FPA-10 counters: instructions, and those that read nothing before either") {
  const std::string undefined =
      "IADD3 R1025, R1024, R1024, RZ\nS2R R1026, SR_TID.X\nSTG.E [R2.64], R1026\nSTG.E [R2.64], R1026\nEXIT\n";
  const std::string junk = "S2R R1030, SR_TID.X\nSTG.E [R2.64], R1030\n" + undefined;
  const allocation_report r =
      allocated(junk,
                "= S2R R4, SR_TID.X\n= STG.E [R2.64], R4\n= IADD3 R5, R4, R4, RZ\n= S2R R6, SR_TID.X\n= STG.E [R2.64], R6\n"
                "= STG.E [R2.64], R7\n= EXIT\n")
          .check();
  INFO(full_text(r));
  CHECK(r.mismatches.size() == 3);  // two operands of one instruction
  CHECK(r.total == 2);
  CHECK(r.old == 1);
  CHECK_FALSE(r.clean());
  CHECK_FALSE(r.sound());
  CHECK(r.mismatches[0].old);
  CHECK(r.mismatches[1].old);
  CHECK_FALSE(r.mismatches[2].old);
  // Undefined before, and still: nothing to say.
  CHECK(clean(undefined, "= IADD3 R5, R4, R4, RZ\n= S2R R6, SR_TID.X\n= STG.E [R2.64], R6\n= STG.E [R2.64], R6\n= EXIT\n"));
}

TEST_CASE("FPA-10 report: the documented form") {
  const allocation_report r = allocated(
                                  "S2R R1024, SR_TID.X\nISETP.GE.AND P1024, PT, R1024, R1024, PT\nS2R R1025, "
                                  "SR_CTAID.X\n@P1024 IADD3 R1025, R1024, R1024, RZ\n"
                                  "STG.E [R2.64], R1025\nEXIT\n",
                                  "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= S2R R5, SR_CTAID.X\nspill STL "
                                  "[R1], R5\n= @P0 IADD3 R5, R4, R4, RZ\n"
                                  "refill LDL R6, [R1]\n= STG.E [R2.64], R6\n= EXIT\n")
                                  .check();
  const std::string line(110, '=');
  CHECK(full_text(r) ==
        line + "\nINSTRUCTION: [6]\n" + line +
            "\n\nOperand # 1\n"
            "Producers for operand 1 of instruction [6] before register allocation:\n"
            "  [2] def opr # 0 for src opr # 1\n"
            "  [3] def opr # 0 for src opr # 1\n"
            "\nProducers for operand # 1 of instruction [6] after register allocation:\n"
            "  [5] def opr # 0 for src opr # 1\n"
            "\nAdditions\n"
            "  [5] def opr # 0 src opr # 1  BENIGN (explainable)\n"
            "\nRemovals\n"
            "  [2] def opr # 0 src opr # 1  BENIGN (explainable)\n"
            "  [3] def opr # 0 src opr # 1  POTENTIAL PROBLEM\n"
            "\nFailed to find matching spill for refilling load that is involved in this operand computation\n\n"
            "TOTAL MISMATCH 1   MISMATCH ON OLD 0\n");
  // Not dumped: a hint, once per attempt.
  ww::verify::allocation_reporter writer;
  const std::string hint = "Please use -knob DUMPIR=AllocateRegisters for debugging\n";
  const std::string sum = "TOTAL MISMATCH 1   MISMATCH ON OLD 0\n";
  CHECK(ww_test::text_of(r, writer) == hint + sum);
  CHECK(ww_test::text_of(r, writer) == sum);
  writer.begin_attempt();
  CHECK(ww_test::text_of(r, writer) == hint + sum);
  allocation_report nothing;
  nothing.ran = true;
  writer.begin_attempt();
  CHECK(ww_test::text_of(nothing, writer) == "TOTAL MISMATCH 0   MISMATCH ON OLD 0\n");
}

TEST_CASE("FPA-10 messages: ten codes with their texts") {
  for (unsigned k = 1; k < ww::verify::allocation_error_count; ++k) {
    CHECK(std::string(name_of(static_cast<allocation_error>(k))).size() > 10);
    CHECK(std::string(message_of(static_cast<allocation_error>(k))).size() > 20);
  }
  CHECK(std::string(message_of(static_cast<allocation_error>(10))).find("yet some original old ones disappeared") !=
        std::string::npos);
  CHECK(std::string(name_of(static_cast<allocation_error>(8))) == "P2R-R2P base destroyed");
  CHECK(std::string(name_of(static_cast<allocation_error>(11))) == "?");
}

TEST_CASE("FPA-10 gate: nothing is done where the check is off") {
  const allocated_pair a = allocated(straight, "= S2R R4, SR_TID.X\n= EXIT\n=1 S2R R5, SR_CTAID.X\n");
  ww::verify::allocation_options o;
  o.memcheck = false;
  const allocation_report r = a.check(o);
  CHECK_FALSE(r.ran);
  CHECK(r.total == 0);
  CHECK(full_text(r).empty());
}

TEST_CASE("FPA-10 faults: programs and maps that cannot be compared") {
  using f = allocation_fault;
  const std::string good =
      "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R4, RZ\n= STG.E [R2.64], R4\n= "
      "EXIT\n";
  // An effect lost, an effect brought in, another instruction, another modifier, two of one, registers that are not allocated.
  CHECK(fault_of(straight,
                 "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R4, RZ\n=5 EXIT\n") ==
        f::effect);
  CHECK(fault_of(straight, "copy STG.E [R2.64], R4\n" + good) == f::effect);
  CHECK(fault_of(straight, "spill STG.E [R2.64], R4\n" + good) == f::effect);
  CHECK(fault_of(straight, "copy MEMBAR.SC.GPU\n" + good) == f::effect);
  CHECK(fault_of(straight,
                 "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, -R5, RZ\n= IADD3 R4, R5, R4, RZ\n= STG.E "
                 "[R2.64], R4\n= EXIT\n") == f::instruction);
  CHECK(fault_of(straight,
                 "= S2R R4, SR_TID.X\n= S2R R5, SR_TID.Y\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R4, RZ\n= STG.E [R2.64], "
                 "R4\n= EXIT\n") == f::instruction);
  CHECK(fault_of(straight,
                 "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, R4\n= IADD3 R4, R5, R4, RZ\n= STG.E "
                 "[R2.64], R4\n= EXIT\n") == f::instruction);
  CHECK(fault_of(straight,
                 "= S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R4, RZ\n= STG.E "
                 "[R2.64+0x4], R4\n= EXIT\n") == f::instruction);
  CHECK(fault_of(constants,
                 "= MOV R3, 0x12\n= S2R R4, SR_TID.X\n= IADD3 R4, R4, R3, RZ\n= IADD3 R4, R4, R3, RZ\n= STG.E [R2.64], "
                 "R4\n= EXIT\n") == f::instruction);
  CHECK(fault_of(straight,
                 "= S2R R4, SR_TID.X\n=0 S2R R4, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, "
                 "R4, RZ\n= STG.E [R2.64], R4\n= EXIT\n") == f::map);
  CHECK(fault_of(straight, "remat=9 S2R R4, SR_TID.X\n" + good) == f::map);
  CHECK(fault_of(straight,
                 "= S2R R1024, SR_TID.X\n= S2R R5, SR_CTAID.X\n= IADD3 R5, R1024, R5, RZ\n= IADD3 R4, R5, R1024, RZ\n= "
                 "STG.E [R2.64], R4\n= EXIT\n") == f::unallocated);
  // Control flow.
  CHECK(fault_of(diamond,
                 "= S2R R4, SR_TID.X\n= ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(join)\n= IADD3 R4, R4, R4, RZ\n"
                 "= BRA `(join)\nother:\n= IADD3 R4, R4, RZ, RZ\njoin:\n= STG.E [R2.64], R4\n= EXIT\n") == f::flow);
  CHECK(fault_of(diamond,
                 "= S2R R4, SR_TID.X\n=1 ISETP.GE.AND P0, PT, R4, R4, PT\n= @P0 BRA `(other)\n=5 IADD3 R4, R4, RZ, RZ\n"
                 "=4 BRA `(join)\nother:\n=3 IADD3 R4, R4, R4, RZ\njoin:\n=6 STG.E [R2.64], R4\n= EXIT\n") == f::place);
  // Another order in the block.
  CHECK(fault_of(straight,
                 "=1 S2R R5, SR_CTAID.X\n=0 S2R R4, SR_TID.X\n=2 IADD3 R5, R4, R5, RZ\n= IADD3 R4, R5, R4, RZ\n"
                 "= STG.E [R2.64], R4\n= EXIT\n") == f::place);
  // Predicates that stand in a mask keep their names.
  const std::string mask = "ISETP.GE.AND P1, PT, R0, R0, PT\nP2R R1024, PR, RZ, 0x2\nSTG.E [R2.64], R1024\nEXIT\n";
  CHECK(clean(mask, "= ISETP.GE.AND P1, PT, R0, R0, PT\n= P2R R4, PR, RZ, 0x2\n= STG.E [R2.64], R4\n= EXIT\n"));
  CHECK(fault_of(mask, "= ISETP.GE.AND P0, PT, R0, R0, PT\n= P2R R4, PR, RZ, 0x1\n= STG.E [R2.64], R4\n= EXIT\n") ==
        f::instruction);
  // Encoding words on one side only, and words that differ elsewhere than in registers.
  {
    allocated_pair words = allocated(constants,
                                     "= MOV R6, 0x11\n= S2R R4, SR_TID.X\n= IADD3 R4, R4, R6, RZ\n"
                                     "= IADD3 R4, R4, R6, RZ\n= STG.E [R2.64], R4\n= EXIT\n");
    CHECK(words.check().clean());
    words.after.instructions[0].word[1] |= 1ull << 45;  // a control bit
    CHECK(words.check().clean());
    words.after.instructions[0].word[1] |= 1ull << 20;
    CHECK(words.check().fault == f::instruction);
    words.after.instructions[0].word[0] = words.after.instructions[0].word[1] = 0;
    CHECK(words.check().fault == f::instruction);
    std::swap(words.before.instructions[0].word, words.after.instructions[0].word);
    CHECK(words.check().fault == f::instruction);
  }
  // Values out of range.
  allocated_pair a = allocated(straight, good);
  const auto fault = [&](auto&& change, bool before) {
    allocated_pair bad = a;
    change(before ? bad.before : bad.after);
    return bad.check().fault;
  };
  CHECK(a.check().clean());
  for (const bool before : {true, false}) {
    const f expected = before ? f::program_before : f::program_after;
    CHECK(fault([](ww::program& p) { p.order[1] = ww::instr_id{99}; }, before) == expected);
    CHECK(fault([](ww::program& p) { p.order[1] = p.order[0]; }, before) == expected);
    CHECK(fault([](ww::program& p) { p.blocks[0].count = 99; }, before) == expected);
    CHECK(fault([](ww::program& p) { p.blocks[0].first_edge = 99; }, before) == expected);
    CHECK(fault([](ww::program& p) { p.blocks.clear(); }, before) == expected);
    CHECK(fault([](ww::program& p) { p.instructions[2].first_operand = 9999; }, before) == expected);
    CHECK(fault([](ww::program& p) { p.instructions[0].operand_count = 200; }, before) == expected);
    CHECK(fault(
              [](ww::program& p) {
                p.edges.push_back({ww::block_id{7}, ww::block_id{8}, ww::edge_kind::fall});
              },
              before) == expected);
  }
  a.map.pop_back();
  CHECK(a.check().fault == f::map);
  // Nothing at all.
  const ww::program empty;
  CHECK(ww::verify::check_allocation(empty, empty, {}).clean());
  CHECK(ww::verify::check_allocation(empty, a.after, a.map).fault != f::none);
  const allocation_report r = fault_of(straight, "remat=9 S2R R4, SR_TID.X\n" + good) == f::map
                                  ? allocated(straight, "remat=9 S2R R4, SR_TID.X\n" + good).check()
                                  : allocation_report{};
  CHECK(full_text(r) == "Register allocation was not checked: bad map [0]\n");
}

namespace {

struct figures {
  std::size_t programs = 0, instructions = 0, operands = 0, deep = 0, exchanges = 0, found = 0;
};

void check_listing(const std::string& path, figures& f) {
  const std::string text = ww_test::corpus::text(path);
  ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww_test::corpus::sm_of(path), .file = path});
  if (!r) return;
  INFO(path);
  std::mt19937 rng(static_cast<unsigned>(text.size()));
  for (ww::program& p : r.mod.sections) {
    if (!ww::build_cfg(p).ok) continue;
    ww::lifted_program l;
    ww::lift_workspace ws;
    if (ww::lift(p, l, ws) != ww::lift_fault::none) continue;
    std::vector<ww::verify::allocated_from> map(p.instructions.size());
    for (std::uint32_t i = 0; i < map.size(); ++i) map[i].of = ww::instr_id{i};
    const allocation_report same = ww::verify::check_allocation(l.code, p, map);
    INFO(full_text(same).substr(0, 1500));
    REQUIRE(same.ran);
    REQUIRE(same.clean());
    ++f.programs;
    f.instructions += p.instructions.size();
    f.operands += same.operands;
    f.deep += same.deep;
    // One source of an instruction gets another register that is written somewhere.
    for (unsigned k = 0; k < 4 && p.instructions.size() > 8; ++k) {
      ww::program q = p;
      const auto i = static_cast<std::uint32_t>(rng() % p.order.size());
      const ww::instruction& ins = q[q.order[i]];
      for (std::uint32_t at = ins.first_operand; at < ins.first_operand + ins.operand_count; ++at) {
        ww::operand& o = q.operands[at];
        if (!o.is_use() || !o.is_register() || o.file() != ww::reg_file::r || o.width() != 1 ||
            l.web_of_operand[at] == l.no_web)
          continue;
        o.low = (o.low & ~0xffffffu) | ww::reg(ww::reg_file::r, (o.base().number() + 1) % 200).packed;
        const allocation_report wrong = ww::verify::check_allocation(l.code, q, map);
        ++f.exchanges;
        f.found += wrong.clean() ? 0u : 1u;
        break;
      }
    }
  }
}

}  // namespace

TEST_CASE("FPA-10 listings: compiled code is right on its own registers, and wrong on others") {
  figures f;
  for (const std::string& path : ww_test::corpus::listings()) check_listing(path, f);
  std::printf(
      "check_allocation: %zu programs, %zu instructions, %zu operands, %zu deep; %zu registers exchanged, %zu found\n",
      f.programs, f.instructions, f.operands, f.deep, f.exchanges, f.found);
  CHECK(f.programs > 20);
  CHECK(f.exchanges > 20);
  CHECK(f.found * 100 >= f.exchanges * 99);
}
