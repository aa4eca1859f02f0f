// SPDX-License-Identifier: BSL-1.0
#include <warpwright/arch/control_format.hpp>
#include <warpwright/arch/control_format/internal_record.hpp>

#include "support/catch.hpp"

using namespace ww;

namespace {

internal_record wide() {
  internal_record r;
  r.stall = 27;
  r.extended_stall = 9;
  r.barrier_flags = 5;
  r.yield = true;
  r.write_barrier = 3;
  r.read_mask = 0x16;
  r.wait_mask = 0x21;
  r.reuse = 0x39;
  return r;
}

}  // namespace

TEST_CASE("SB-1 record: 15 bits hold stall, extended stall and flags exactly") {
  const std::uint32_t w = internal15::encode(wide());
  CHECK(w == (27u | 9u << 5 | 5u << 10));
  internal_record back;
  internal15::decode(w, back);
  CHECK(back.stall == 27);
  CHECK(back.extended_stall == 9);
  CHECK(back.barrier_flags == 5);
}

TEST_CASE("SB-1 loss: stall cycles above 15, the extended stall and the flags") {
  const lossy_word w = to_internal26(wide());
  CHECK(w.loss == record_loss{12, 9, 5, 0, 0});
  internal_record kept = wide();
  kept.stall = 15;
  kept.extended_stall = kept.barrier_flags = 0;
  CHECK(from_internal26(w.word) == kept);  // read mask and six reuse bits are all there
  CHECK(to_internal26(kept).loss.none());
}

TEST_CASE("SB-1 loss: a slot has no reuse bits") {
  internal_record r = wide();
  r.stall = 4;
  r.extended_stall = r.barrier_flags = 0;
  const lossy_word w = to_slot23(r);
  CHECK(w.loss == record_loss{0, 0, 0, 0, 0x39});
  r.reuse = 0;
  CHECK(from_slot23(w.word) == r);
  CHECK(w.word >> 20 == 0);
}

TEST_CASE("SB-1 loss: a control keeps one read counter and four reuse bits") {
  const lossy_control c = to_control(wide());
  CHECK(c.ctl.read_barrier == 1);
  CHECK(c.ctl.reuse == 9);
  CHECK(c.loss == record_loss{12, 9, 5, 0x14, 0x30});
  internal_record one = from_control(c.ctl);
  CHECK(one.read_mask == 2);
  CHECK(to_control(one).loss.none());
  CHECK(to_control(one).ctl == c.ctl);
}

TEST_CASE("SB-1 block: three slots in 69 bits, the other 59 untouched") {
  slot_block empty;
  empty.word[0] = ~0ull;
  empty.word[1] = ~0ull;
  internal_record r[3] = {wide(), wide(), wide()};
  r[1].write_barrier = 5;
  const slot_block b = encode_block(empty, r, 3);
  CHECK(text_slot23::extract(b.word, 0) == to_slot23(r[0]).word);
  CHECK(text_slot23::extract(b.word, 1) == to_slot23(r[1]).word);
  CHECK(text_slot23::extract(b.word, 2) == to_slot23(r[2]).word);
  CHECK(b.word[1] >> 5 == ~0ull >> 5);
  CHECK(b.loss[2].stall_cycles == 12);
  const slot_block part = encode_block(empty, r, 1);
  CHECK(text_slot23::extract(part.word, 1) == text_slot23::mask);
  CHECK(part.loss[1].none());
}
