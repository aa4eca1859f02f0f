// SPDX-License-Identifier: BSL-1.0
//
// Which registers hold a value that matters, and which hold a value at all: bit-vector data flows over the whole graph.
//
//   live      some path reads the register before it is overwritten          (backwards)
//   ahead     the same without going back to an earlier block                (backwards, retreating edges left out)
//   defined   some path from the entry has written it                        (forwards, union)
//   sure      every path from the entry has written it                       (forwards, intersection)
//   waits     some path waits for the counter                                (backwards)
// Code that is not known (open calls, returns to unknown callers, unknown opcodes) is taken to read and to define
// everything, and so is the caller of a function. A guarded write defines, but does not end what was there before.
#pragma once

#include <cstdint>

#include "../ir/program.hpp"
#include "../isa/sched_class.hpp"
#include "../meta/algorithm.hpp"
#include "../meta/vec.hpp"
#include "block_order.hpp"
#include "register_index.hpp"

namespace ww::verify {

struct lint_memory {
  register_index registers;
  vec<std::uint32_t> dense;    // register index -> bit
  vec<std::uint64_t> live;     // per block: live in
  vec<std::uint64_t> ahead;    // per block: live behind it without another round of a loop
  vec<std::uint64_t> defined;  // per block: written on some path to it
  vec<std::uint64_t> sure;     // per block: written on every path to it
  vec<std::uint64_t> gen;      // per block: read before written; then: written
  vec<std::uint64_t> kill;     // per block: written on every path through it
  vec<std::uint64_t> row;
  vec<std::uint64_t> sure_row;
  vec<std::uint8_t> waits;  // per block: counters that some path waits for
};

namespace detail {

template <class Memory>
class value_flow {
 public:
  value_flow(const program& p, const block_order& blocks, Memory& m) : p_(p), blocks_(blocks), m_(m) {}

  void number() {
    m_.registers.build(p_);
    m_.dense.assign(m_.registers.size(), register_index::none);
    std::uint32_t n = 0;
    for (const operand& o : p_.operands) {
      if (!o.is_register()) continue;
      for (std::uint32_t part = 0; part < o.width(); ++part) {
        const std::uint32_t index = m_.registers.at(o.base(), part);
        if (index != register_index::none && m_.dense[index] == register_index::none) m_.dense[index] = n++;
      }
    }
    words_ = (n + 63) / 64;
    const std::size_t all = words_ * p_.blocks.size();
    m_.row.assign(words_, 0);
    m_.sure_row.assign(words_, 0);
    m_.live.assign(all, 0);
    m_.ahead.assign(all, 0);
    m_.defined.assign(all, 0);
    m_.sure.assign(all, ~0ull);
    m_.gen.assign(all, 0);
    m_.kill.assign(all, 0);
    m_.waits.assign(p_.blocks.size(), 0);
  }

  // Calls f(bit, part) for every numbered register of an operand.
  template <class F>
  void each(const operand& o, F f) const {
    for (std::uint32_t part = 0; part < o.width(); ++part) {
      const std::uint32_t index = m_.registers.at(o.base(), part);
      if (index == register_index::none) continue;
      const std::uint32_t b = m_.dense[index];
      if (b != register_index::none) f(b, part);
    }
  }
  // The row that step functions move: live behind, or defined before, an instruction.
  [[nodiscard]] bool get(std::uint32_t b) const { return (m_.row[b >> 6] >> (b & 63u) & 1u) != 0; }
  [[nodiscard]] bool sure(std::uint32_t b) const { return (m_.sure_row[b >> 6] >> (b & 63u) & 1u) != 0; }

  // What is live, and which counters are still waited for, behind block `b`.
  void behind(std::uint32_t b, std::uint8_t& waits) { behind(b, waits, false); }

  // `ahead` of every block; after backward() and before forward().
  void backward_ahead() {
    for (std::size_t k = blocks_.order.size(); k-- > 0;) {
      const std::uint32_t b = blocks_.order[k];
      std::uint8_t waits = 0;
      behind(b, waits, true);
      const std::size_t base = static_cast<std::size_t>(b) * words_;
      meta::copy(m_.row.begin(), m_.row.end(), m_.ahead.begin() + static_cast<std::ptrdiff_t>(base));
    }
  }
  // Is `r` live behind block `b` without another round?
  [[nodiscard]] bool live_ahead(std::uint32_t b, reg r) const {
    const std::uint32_t index = m_.registers.at(r, 0);
    if (index == register_index::none || m_.dense[index] == register_index::none) return false;
    const std::uint32_t bit = m_.dense[index];
    return (m_.ahead[static_cast<std::size_t>(b) * words_ + (bit >> 6)] >> (bit & 63u) & 1u) != 0;
  }
  void backward_step(const instruction& i, std::uint8_t& waits) {
    waits = static_cast<std::uint8_t>(waits | (i.ctl.wait_mask & 0x3fu));
    if (i.iclass == sched_class::depbar) waits = 0x3f;
    if (i.has(iflag::unknown)) {
      fill();
      return;
    }
    if (i.has(iflag::never)) return;
    const auto operands = p_.operands_of(i);
    each_kill(i, [&](std::uint32_t b) { reset(b); });
    for (const operand& o : operands) {
      if (o.is_use() && o.is_register()) each(o, [&](std::uint32_t b, std::uint32_t) { set(b); });
    }
  }

  // To the fixed point: live in and waits of every block.
  void backward() {
    const auto n = static_cast<std::uint32_t>(p_.blocks.size());
    for (std::uint32_t b = 0; b < n; ++b) {
      for (auto& w : m_.row) w = 0;
      std::uint8_t waits = 0;
      const auto order = p_.order_of(p_.blocks[b]);
      const std::size_t base = static_cast<std::size_t>(b) * words_;
      for (std::size_t k = order.size(); k-- > 0;) {
        const instruction& i = p_[order[k]];
        if (i.has(iflag::padding)) continue;
        backward_step(i, waits);
        each_kill(i, [&](std::uint32_t bit_index) { m_.kill[base + (bit_index >> 6)] |= 1ull << (bit_index & 63u); });
      }
      meta::copy(m_.row.begin(), m_.row.end(), m_.gen.begin() + static_cast<std::ptrdiff_t>(base));
      m_.waits[b] = waits;
    }
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t b = n; b-- > 0;) {
        std::uint8_t waits = 0;
        behind(b, waits);
        const std::size_t base = static_cast<std::size_t>(b) * words_;
        for (std::size_t w = 0; w < words_; ++w) {
          const std::uint64_t v = m_.gen[base + w] | (m_.row[w] & ~m_.kill[base + w]);
          changed = changed || m_.live[base + w] != v;
          m_.live[base + w] = v;
        }
        const auto all = static_cast<std::uint8_t>(waits | m_.waits[b]);
        changed = changed || m_.waits[b] != all;
        m_.waits[b] = all;
      }
    }
  }

  // To the fixed point: defined and sure of every block.
  void forward() {
    const auto n = static_cast<std::uint32_t>(p_.blocks.size());
    vec<std::uint64_t>& in = m_.defined;
    auto all = [&](std::uint32_t b) {
      for (std::size_t w = 0; w < words_; ++w) in[b * words_ + w] = ~0ull;
    };
    for (std::uint32_t b = 0; b < n; ++b) {
      const block& blk = p_.blocks[b];
      // Only a kernel entry is known to start with nothing; a function may be called from elsewhere.
      bool kernel = b == 0 && p_.functions.empty();
      if (blk.function.valid() && blk.function.index() < p_.functions.size()) {
        const function& f = p_.functions[blk.function.index()];
        kernel = f.kernel && f.first_block.index() == b;
      }
      if ((blk.entry && !kernel) || !blk.reachable) all(b);
      if (kernel) meta::fill_n(m_.sure.begin() + static_cast<std::ptrdiff_t>(b * words_), words_, 0ull);
    }
    for (std::uint32_t b = 0; b < n; ++b) {
      for (auto& w : m_.row) w = 0;
      for (const instr_id id : p_.order_of(p_.blocks[b])) forward_step(p_[id]);
      meta::copy(m_.row.begin(), m_.row.end(), m_.gen.begin() + static_cast<std::ptrdiff_t>(b * words_));
    }
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::uint32_t b = 0; b < n; ++b) {
        const block& blk = p_.blocks[b];
        for (std::size_t w = 0; w < words_; ++w) m_.row[w] = in[b * words_ + w] | m_.gen[b * words_ + w];
        bool known = false;
        for (const cfg_edge& e : p_.edges_of(blk)) known = known || e.kind == edge_kind::call;
        for (const cfg_edge& e : p_.edges_of(blk)) {
          const std::size_t base = static_cast<std::size_t>(e.to.index()) * words_;
          for (std::size_t w = 0; w < words_; ++w) {
            const std::uint64_t v = in[base + w] | (e.kind == edge_kind::call_return ? (known ? 0ull : ~0ull) : m_.row[w]);
            changed = changed || v != in[base + w];
            in[base + w] = v;
            if (e.kind == edge_kind::call || e.kind == edge_kind::call_return || e.kind == edge_kind::ret) continue;
            const std::uint64_t s = m_.sure[base + w] & (m_.sure[b * words_ + w] | m_.gen[b * words_ + w]);
            changed = changed || s != m_.sure[base + w];
            m_.sure[base + w] = s;
          }
        }
      }
    }
  }
  void forward_begin(std::uint32_t b) {
    for (std::size_t w = 0; w < words_; ++w) {
      m_.row[w] = m_.defined[b * words_ + w];
      m_.sure_row[w] = m_.sure[b * words_ + w];
    }
  }
  void forward_step(const instruction& i) {
    if (i.has(iflag::unknown)) fill();
    if (i.has(iflag::never)) return;
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_def() || !o.is_register()) continue;
      each(o, [&](std::uint32_t b, std::uint32_t) {
        set(b);
        m_.sure_row[b >> 6] |= 1ull << (b & 63u);
      });
    }
  }

 private:
  void behind(std::uint32_t b, std::uint8_t& waits, bool this_round) {
    const block& blk = p_.blocks[b];
    for (auto& w : m_.row) w = 0;
    waits = 0;
    bool open = blk.open_exit;
    bool leaves = blk.count == 0;
    if (blk.count != 0) leaves = p_[p_.order[blk.first + blk.count - 1]].has(iflag::exit);
    bool summary = false;
    for (const cfg_edge& e : p_.edges_of(blk)) summary = summary || e.kind == edge_kind::call;
    for (const cfg_edge& e : p_.edges_of(blk)) {
      if (e.kind == edge_kind::call_return && !summary) open = true;  // unknown callee
      // Into a function that stands before its caller nobody goes another round: what comes back from it to another caller makes
      // that edge a retreating one.
      const bool back = this_round && blocks_.retreating(e);
      if (back && e.kind != edge_kind::call) continue;
      const std::size_t base = static_cast<std::size_t>(e.to.index()) * words_;
      for (std::size_t w = 0; w < words_; ++w) {
        m_.row[w] |= this_round && !back ? m_.gen[base + w] | (m_.ahead[base + w] & ~m_.kill[base + w]) : m_.live[base + w];
      }
      waits = static_cast<std::uint8_t>(waits | m_.waits[e.to.index()]);
    }
    if (blk.edge_count == 0 && !leaves) open = true;
    if (open) {
      fill();
      waits = 0x3f;
    }
  }
  void set(std::uint32_t b) { m_.row[b >> 6] |= 1ull << (b & 63u); }
  void reset(std::uint32_t b) { m_.row[b >> 6] &= ~(1ull << (b & 63u)); }
  void fill() {
    for (auto& w : m_.row) w = ~0ull;
    for (auto& w : m_.sure_row) w = ~0ull;
  }

  // Registers that hold nothing older behind `i`.
  template <class F>
  void each_kill(const instruction& i, F f) const {
    if (i.has(iflag::never) || i.has(iflag::unknown) || i.has(iflag::guarded)) return;
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_def() || !o.is_register() || o.is_partial()) continue;
      each(o, [&](std::uint32_t b, std::uint32_t) { f(b); });
    }
  }

  const program& p_;
  const block_order& blocks_;
  Memory& m_;
  std::size_t words_ = 0;
};

}  // namespace detail

}  // namespace ww::verify
