// SPDX-License-Identifier: BSL-1.0
//
// A brute-force oracle for instruction order: from operand sets alone, O(n * n), sharing no code with graph/.
//
//   dependent(i, j)     in the original order i stands before j and j has to stay behind i
//   first_misplaced()   the first dependent pair that a new order of the same instructions turns round
//
// What it knows: registers that one instruction writes and the other touches (complementary guards of one value of the
// predicate apart, for registers that each thread has of its own); accesses to memory that may overlap, of which one writes;
// fences and everything that ends a block. `oracle_memory::same_base` lets accesses pass each other that go through one
// unchanged base register to byte ranges that do not overlap, and .CONSTANT loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <warpwright/ir/program.hpp>
#include <warpwright/isa/sched_class.hpp>

namespace ww_test {

enum class oracle_memory : std::uint8_t { conservative, same_base };

struct misplaced_pair {
  bool found = false;
  bool permutation = true;  // false: the new order is no permutation of the old one
  ww::instr_id first;       // stood before `second`, and should still
  ww::instr_id second;
};

class order_oracle {
 public:
  order_oracle(const ww::program& p, std::span<const ww::instr_id> original,
               oracle_memory memory = oracle_memory::conservative)
      : program_(p), order_(original), memory_(memory) {}

  // i and j are places in the original order, i < j.
  [[nodiscard]] bool dependent(std::size_t i, std::size_t j) const {
    const ww::instruction& a = at(i);
    const ww::instruction& b = at(j);
    if (stops(a) || stops(b)) return true;
    if (a.has(ww::iflag::reads_clock) && b.has(ww::iflag::reads_clock)) return true;
    return registers_meet(i, j) || memory_meets(i, j);
  }

  // `moved` is a new order of the same instructions.
  [[nodiscard]] misplaced_pair first_misplaced(std::span<const ww::instr_id> moved) const {
    misplaced_pair result;
    std::vector<std::size_t> place(program_.instructions.size(), moved.size());
    for (std::size_t k = 0; k < moved.size(); ++k) {
      if (place[moved[k].index()] != moved.size()) result.permutation = false;
      place[moved[k].index()] = k;
    }
    if (moved.size() != order_.size()) result.permutation = false;
    for (const ww::instr_id id : order_) result.permutation = result.permutation && place[id.index()] != moved.size();
    if (!result.permutation) return result;
    for (std::size_t j = 0; j < order_.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) {
        if (place[order_[i].index()] < place[order_[j].index()] || !dependent(i, j)) continue;
        result.found = true;
        result.first = order_[i];
        result.second = order_[j];
        return result;
      }
    }
    return result;
  }

 private:
  [[nodiscard]] const ww::instruction& at(std::size_t i) const { return program_[order_[i]]; }

  [[nodiscard]] static bool stops(const ww::instruction& i) {
    using ww::iflag;
    for (const iflag f : {iflag::fence, iflag::sync, iflag::convergence, iflag::unknown, iflag::never, iflag::ends_block,
                          iflag::branch, iflag::call, iflag::ret, iflag::exit, iflag::pc_relative, iflag::behind_barrier}) {
      if (i.has(f)) return true;
    }
    return false;
  }

  [[nodiscard]] static bool overlap(ww::operand a, ww::operand b) {
    if (!a.is_register() || !b.is_register() || a.file() != b.file()) return false;
    const std::uint32_t x = a.base().number();
    const std::uint32_t y = b.base().number();
    return x < y + b.width() && y < x + a.width();
  }

  // True when `o` is not written by anything from place i up to, not including, place j.
  [[nodiscard]] bool unchanged(ww::operand o, std::size_t i, std::size_t j) const {
    for (std::size_t k = i; k < j; ++k) {
      for (const ww::operand d : program_.operands_of(order_[k])) {
        if (d.is_def() && overlap(d, o)) return false;
      }
    }
    return true;
  }

  // Reads registers of other threads: the guards do not tell whose values it needs.
  [[nodiscard]] static bool looks_at_other_threads(const ww::instruction& i) {
    using c = ww::sched_class;
    for (const c k :
         {c::unknown,     c::vote,       c::voteu,      c::match,       c::redux,      c::shfl,        c::movm,
          c::ldsm,        c::stsm,       c::hmma_small, c::hmma_medium, c::hmma_large, c::hmma_sparse, c::imma_small,
          c::imma_medium, c::imma_large, c::bmma_small, c::bmma_large,  c::dmma,       c::qmma,        c::hgmma,
          c::r2ur,        c::elect,      c::tex,        c::tld,         c::collective, c::bar}) {
      if (i.iclass == k) return true;
    }
    return false;
  }

  [[nodiscard]] ww::operand guard_of(std::size_t i) const {
    for (const ww::operand o : program_.operands_of(order_[i])) {
      if (o.is_use() && o.where() == ww::slot::guard && o.is_register()) return o;
    }
    return {};
  }

  // The guard itself is read by every thread: a new value of it comes behind.
  [[nodiscard]] static bool guards(ww::operand o) { return o.is_use() && o.where() == ww::slot::guard; }

  [[nodiscard]] bool exclusive(std::size_t i, std::size_t j, ww::reg_file file) const {
    const ww::operand g = guard_of(i);
    const ww::operand h = guard_of(j);
    if (!g.is_register() || !h.is_register() || g.base() != h.base()) return false;
    if (at(i).guard_negated == at(j).guard_negated || !unchanged(g, i, j)) return false;
    if (looks_at_other_threads(at(i)) || looks_at_other_threads(at(j))) return false;
    return file == ww::reg_file::r || file == ww::reg_file::p || g.file() == ww::reg_file::up;
  }

  [[nodiscard]] bool registers_meet(std::size_t i, std::size_t j) const {
    for (const ww::operand x : program_.operands_of(order_[i])) {
      for (const ww::operand y : program_.operands_of(order_[j])) {
        if ((x.is_def() || y.is_def()) && overlap(x, y) && (guards(x) || !exclusive(i, j, x.file()))) return true;
      }
    }
    return false;
  }

  struct footprint {
    unsigned reads = 0;
    unsigned writes = 0;
  };
  // One bit each: global 1, shared 2, local 4, textures and surfaces 8.
  [[nodiscard]] static footprint touches(const ww::instruction& i) {
    using ww::mem_dir;
    using ww::mem_space;
    using c = ww::sched_class;
    if (i.iclass == c::cctl && i.dir == mem_dir::none && !i.has(ww::iflag::fence)) return {0, 0};  // a prefetch
    for (const c k : {c::syncs, c::depbar, c::ldgdepbar, c::membar, c::errbar, c::fence, c::cctl, c::tensor_shift}) {
      if (i.iclass == k) return {15, 15};
    }
    if (i.dir == mem_dir::order) return {15, 15};
    if (i.dir == mem_dir::none) return {};
    const unsigned strong = i.has(ww::iflag::volatile_mem) ? 15u : 0u;
    if (i.iclass == c::ldgsts) return {1, 2u | (strong & 1u)};
    if (i.iclass == c::tma) return {3, 3};
    unsigned where = 0;
    if (i.space == mem_space::generic) where = 7;
    if (i.space == mem_space::global) where = 1;
    if (i.space == mem_space::shared || i.space == mem_space::cluster_shared) where = 2;
    if (i.space == mem_space::local) where = 4;
    if (i.space == mem_space::texture || i.space == mem_space::surface) where = 8;
    return {where, i.dir == mem_dir::load ? where & strong : where};
  }

  [[nodiscard]] bool memory_meets(std::size_t i, std::size_t j) const {
    const footprint a = touches(at(i));
    const footprint b = touches(at(j));
    if (((a.writes & (b.reads | b.writes)) | (a.reads & b.writes)) == 0) return false;
    if (memory_ == oracle_memory::conservative) return true;
    for (const ww::instruction* x : {&at(i), &at(j)}) {
      if (x->has(ww::iflag::readonly_mem) && !x->has(ww::iflag::volatile_mem) && x->dir == ww::mem_dir::load) return false;
    }
    return !apart(i, j);
  }

  // Both addresses are the same unchanged registers plus constants, and the byte ranges do not overlap.
  [[nodiscard]] bool apart(std::size_t i, std::size_t j) const {
    const ww::instruction& a = at(i);
    const ww::instruction& b = at(j);
    if (a.space != b.space || a.mem_bytes == 0 || b.mem_bytes == 0) return false;
    if (a.has(ww::iflag::volatile_mem) || b.has(ww::iflag::volatile_mem)) return false;
    if (a.iclass == ww::sched_class::ldgsts || b.iclass == ww::sched_class::ldgsts) return false;
    if (a.iclass == ww::sched_class::tma || b.iclass == ww::sched_class::tma) return false;
    std::vector<ww::operand> first;
    std::vector<ww::operand> second;
    for (const ww::operand o : program_.operands_of(order_[i])) {
      if (o.is_use() && (o.where() == ww::slot::address || o.where() == ww::slot::uaddress)) first.push_back(o);
    }
    for (const ww::operand o : program_.operands_of(order_[j])) {
      if (o.is_use() && (o.where() == ww::slot::address || o.where() == ww::slot::uaddress)) second.push_back(o);
    }
    if (first.size() != second.size()) return false;
    for (std::size_t k = 0; k < first.size(); ++k) {
      const std::uint32_t shape = ~ww::operand::bit_reuse;
      if (first[k].low != second[k].low || ((first[k].high ^ second[k].high) & shape) != 0) return false;
      if (!unchanged(first[k], i, j)) return false;
    }
    const long long x = a.mem_offset;
    const long long y = b.mem_offset;
    return x + a.mem_bytes <= y || y + b.mem_bytes <= x;
  }

  const ww::program& program_;
  std::span<const ww::instr_id> order_;
  oracle_memory memory_;
};

}  // namespace ww_test
