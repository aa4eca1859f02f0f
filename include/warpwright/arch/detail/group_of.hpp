// SPDX-License-Identifier: BSL-1.0
//
// The latency group of one side of a dependence: the class map (group_maps.hpp) refined by slot and part.
//
// What depends on more than the class: the upper half of an IMAD.WIDE result; the addend of wide and high multiplies and of
// matrix operations; addresses against data; guards and branch conditions against operands; descriptors and bindless
// constant banks among uniform operands.
#pragma once

#include "group_maps.hpp"

namespace ww::detail {

template <class E>
constexpr E group_of(const class_map<E>& m, sched_class c) {
  return m.group[static_cast<std::size_t>(c)];
}

template <class Maps = group_maps<>>
constexpr r_writer r_writer_of(const access_point& a) {
  const r_writer g = group_of(Maps::r_writers, a.iclass);
  return g == r_writer::wide_low && (a.part & 1u) != 0 ? r_writer::wide_high : g;
}

template <class Maps = group_maps<>>
constexpr r_reader r_reader_of(const access_point& a) {
  const r_reader g = group_of(Maps::r_readers, a.iclass);
  switch (g) {
    case r_reader::wide_ab:
      return a.where != slot::c ? g : (a.part & 1u) != 0 ? r_reader::wide_c_high : r_reader::wide_c_low;
    case r_reader::imad_hi:
      // The high half of the addend is read as late as IMAD.WIDE reads it (compiler output, sm_90 and sm_100: 2 cycles).
      return a.where != slot::c ? g : (a.part & 1u) != 0 ? r_reader::wide_c_high : r_reader::imad_hi_c;
    case r_reader::mma_ab:
      return a.where == slot::c ? r_reader::mma_c : g;
    case r_reader::mem_address:
      return a.where == slot::address ? g : r_reader::mem_data;
    default:
      return g;
  }
}

template <class Maps = group_maps<>>
constexpr p_writer p_writer_of(const access_point& a) {
  return group_of(Maps::p_writers, a.iclass);
}

template <class Maps = group_maps<>>
constexpr p_reader p_reader_of(const access_point& a) {
  if (a.where == slot::guard) {
    return p_reader::guard;
  }
  return a.where == slot::branch ? p_reader::control : group_of(Maps::p_readers, a.iclass);
}

template <class Maps = group_maps<>>
constexpr u_writer u_writer_of(const access_point& a) {
  return group_of(Maps::u_writers, a.iclass);
}

template <class Maps = group_maps<>>
constexpr u_reader u_reader_of(const access_point& a) {
  const u_reader g = group_of(Maps::u_readers, a.iclass);
  if (a.where == slot::desc) {
    return g == u_reader::tma ? g : u_reader::descriptor;
  }
  // A uniform base inside an operand of vector arithmetic is a bindless constant bank.
  return a.where == slot::uaddress && g == u_reader::vector ? u_reader::bank : g;
}

template <class Maps = group_maps<>>
constexpr up_writer up_writer_of(const access_point& a) {
  return group_of(Maps::up_writers, a.iclass);
}

template <class Maps = group_maps<>>
constexpr up_reader up_reader_of(const access_point& a) {
  if (a.where == slot::guard) {
    return up_reader::guard;
  }
  return a.where == slot::branch ? up_reader::branch : group_of(Maps::up_readers, a.iclass);
}

}  // namespace ww::detail
