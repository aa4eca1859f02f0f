// SPDX-License-Identifier: BSL-1.0
//
// Properties of values that all compiler output has, so that their absence betrays a misplaced instruction.
//
//   undefined read   a register is read that no path from the entry has written
//   dead carry       a carry out of an addition that nothing reads
//   exchanged pair   a dead result next to an instruction that should read it (exchanged_pair.hpp)
//   dead result      all results of an instruction without side effect are overwritten or forgotten on every path;
//                    compilers leave a few of those behind, so by itself it is a note
//   unused counter   a write barrier whose counter no path waits for afterwards
// Both directions are bit-vector data flows over the whole graph. Code that is not known (open calls, returns to unknown
// callers, unknown opcodes) is taken to read and to define everything, so a fragment makes no noise.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "../meta/vec.hpp"
#include "class_table.hpp"
#include "encoding.hpp"
#include "exchanged_pair.hpp"
#include "register_index.hpp"

namespace ww::verify {

struct lint_memory {
  register_index registers;
  vec<std::uint32_t> dense;    // register index -> bit
  vec<std::uint64_t> live;     // per block: live in
  vec<std::uint64_t> defined;  // per block: written on some path to it
  vec<std::uint64_t> gen;      // per block: read before written; then: written
  vec<std::uint64_t> kill;     // per block: written on every path through it
  vec<std::uint64_t> row;
  vec<std::uint8_t> waits;  // per block: counters that some path waits for
};

namespace detail {

template <class Arch>
class linter {
 public:
  linter(const program& p, lint_memory& m, vec<finding>& out) : p_(p), m_(m), out_(out) {}

  void run() {
    number();
    // Code that no scheduler has touched (every instruction waits as long as it can) is full of idle copies.
    std::size_t all = 0;
    std::size_t longest = 0;
    for (const instruction& i : p_.instructions) {
      if (i.has(iflag::padding)) continue;
      ++all;
      longest += i.ctl.stall == Arch::barriers::max_stall ? 1u : 0u;
    }
    scheduled_ = 2 * longest < all;
    backward();
    forward();
  }

 private:
  [[nodiscard]] std::uint32_t bit(const operand& o, std::uint32_t part) const {
    const std::uint32_t index = m_.registers.at(o.base(), part);
    return index == register_index::none ? register_index::none : m_.dense[index];
  }
  template <class F>
  void each(const operand& o, F f) const {
    for (std::uint32_t part = 0; part < o.width(); ++part) {
      const std::uint32_t b = bit(o, part);
      if (b != register_index::none) f(b, part);
    }
  }
  [[nodiscard]] bool get(std::uint32_t b) const { return (m_.row[b >> 6] >> (b & 63u) & 1u) != 0; }
  void set(std::uint32_t b) { m_.row[b >> 6] |= 1ull << (b & 63u); }
  void reset(std::uint32_t b) { m_.row[b >> 6] &= ~(1ull << (b & 63u)); }
  void fill() {
    for (auto& w : m_.row) w = ~0ull;
  }

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
    m_.row.assign(words_, 0);
    m_.live.assign(words_ * p_.blocks.size(), 0);
    m_.defined.assign(words_ * p_.blocks.size(), 0);
    m_.gen.assign(words_ * p_.blocks.size(), 0);
    m_.kill.assign(words_ * p_.blocks.size(), 0);
    m_.waits.assign(p_.blocks.size(), 0);
  }

  // What is live, and which counters are still waited for, behind block `b`.
  void behind(std::uint32_t b, std::uint8_t& waits) {
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
      const std::size_t base = static_cast<std::size_t>(e.to.index()) * words_;
      for (std::size_t w = 0; w < words_; ++w) m_.row[w] |= m_.live[base + w];
      waits = static_cast<std::uint8_t>(waits | m_.waits[e.to.index()]);
    }
    if (blk.edge_count == 0 && !leaves) open = true;
    if (open) {
      fill();
      waits = 0x3f;
    }
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
      std::copy(m_.row.begin(), m_.row.end(), m_.gen.begin() + static_cast<std::ptrdiff_t>(base));
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
    for (std::uint32_t b = 0; b < n; ++b) {
      if (p_.blocks[b].padding) continue;
      std::uint8_t waits = 0;
      behind(b, waits);
      const auto order = p_.order_of(p_.blocks[b]);
      for (std::size_t k = order.size(); k-- > 0;) {
        const instruction& i = p_[order[k]];
        if (i.has(iflag::padding)) continue;
        judge_results(order, k);
        if (i.ctl.sets_write() && i.ctl.write_barrier < control::barrier_count && (waits >> i.ctl.write_barrier & 1u) == 0) {
          finding f = about(finding_kind::unused_counter, severity::note, order[k], provenance::observed);
          f.counter = i.ctl.write_barrier;
          out_.push_back(f);
        }
        backward_step(i, waits);
      }
    }
  }

  // True if `i` reads (or writes) a register that `writer` writes.
  [[nodiscard]] bool meets(const instruction& writer, const instruction& i, bool reads) const {
    if (i.has(iflag::never) || i.has(iflag::padding)) return false;
    for (const operand& d : p_.operands_of(writer)) {
      if (!d.is_def() || !d.is_register()) continue;
      for (const operand& o : p_.operands_of(i)) {
        if ((reads ? !o.is_use() : !o.is_def()) || !o.is_register() || o.file() != d.file()) continue;
        if (o.base().number() < d.base().number() + d.width() && d.base().number() < o.base().number() + o.width())
          return true;
      }
    }
    return false;
  }

  // A carry out of an addition is asked for only where something adds it; everything else may compute a predicate idly.
  void judge_carry(instr_id id, const instruction& i) {
    switch (i.iclass) {
      case sched_class::alu:
      case sched_class::imad:
      case sched_class::imad_wide:
      case sched_class::viadd:
      case sched_class::ualu:
      case sched_class::ualu_x:
      case sched_class::uimad:
        break;
      default:
        return;
    }
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_def() || !o.is_register() || (o.file() != reg_file::p && o.file() != reg_file::up)) continue;
      bool live = false;
      each(o, [&](std::uint32_t b, std::uint32_t) { live = live || get(b); });
      if (live) continue;
      finding f = about(finding_kind::dead_carry, severity::finding, id, provenance::observed);
      f.target = o.base();
      out_.push_back(f);
    }
  }

  // m_.row holds what is live behind order[k].
  void judge_results(std::span<const instr_id> order, std::size_t k) {
    const instr_id id = order[k];
    const instruction& i = p_[id];
    if (i.has(iflag::unknown) || i.has(iflag::never) || i.has(iflag::side_effect) || i.has(iflag::branch) ||
        i.has(iflag::fence) || i.has(iflag::ends_block) || i.has(iflag::sync) || i.has(iflag::convergence) ||
        i.has(iflag::volatile_mem) || i.has(iflag::reads_clock) || i.dir == mem_dir::store || i.dir == mem_dir::atomic ||
        i.dir == mem_dir::order) {
      return;
    }
    bool any = false;
    bool used = false;
    reg first{reg_file::none, 0};
    for (const operand& o : p_.operands_of(i)) {
      if (!o.is_def() || !o.is_register()) continue;
      each(o, [&](std::uint32_t b, std::uint32_t part) {
        if (!any) first = reg{o.file(), o.base().number() + part};
        any = true;
        used = used || get(b);
      });
    }
    if (used) judge_carry(id, i);
    if (!any || used) return;
    finding f = about(finding_kind::dead_result, severity::note, id, provenance::observed);
    if (scheduled_ && k > 0 && exchanged<Arch>(p_, order, k - 1)) {
      f.kind = finding_kind::exchanged_pair;
      f.level = severity::finding;
      f.first = order[k - 1];
    } else if (scheduled_ && k + 1 < order.size() && meets(p_[order[k + 1]], i, false) && exchanged<Arch>(p_, order, k)) {
      f.kind = finding_kind::exchanged_pair;
      f.level = severity::finding;
      f.second = order[k + 1];
      f.first = id;
    }
    f.target = first;
    out_.push_back(f);
  }

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
    }
    auto step = [&](const instruction& i) {
      if (i.has(iflag::unknown)) fill();
      if (i.has(iflag::never)) return;
      for (const operand& o : p_.operands_of(i)) {
        if (o.is_def() && o.is_register()) each(o, [&](std::uint32_t b, std::uint32_t) { set(b); });
      }
    };
    for (std::uint32_t b = 0; b < n; ++b) {
      for (auto& w : m_.row) w = 0;
      for (const instr_id id : p_.order_of(p_.blocks[b])) step(p_[id]);
      std::copy(m_.row.begin(), m_.row.end(), m_.gen.begin() + static_cast<std::ptrdiff_t>(b * words_));
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
          }
        }
      }
    }
    for (std::uint32_t b = 0; b < n; ++b) {
      const block& blk = p_.blocks[b];
      if (blk.padding) continue;
      for (std::size_t w = 0; w < words_; ++w) m_.row[w] = in[b * words_ + w];
      for (const instr_id id : p_.order_of(blk)) {
        const instruction& i = p_[id];
        if (i.has(iflag::padding)) continue;
        if (!i.has(iflag::never) && !i.has(iflag::unknown)) {
          for (const operand& o : p_.operands_of(i)) {
            if (!o.is_use() || !o.is_register()) continue;
            each(o, [&](std::uint32_t bit_index, std::uint32_t part) {
              if (get(bit_index)) return;
              finding f = about(finding_kind::undefined_read, meets(i, i, true) ? severity::note : severity::finding, id,
                                provenance::observed);
              f.target = reg{o.file(), o.base().number() + part};
              out_.push_back(f);
            });
          }
        }
        step(i);
      }
    }
  }

  const program& p_;
  lint_memory& m_;
  vec<finding>& out_;
  std::size_t words_ = 0;
  bool scheduled_ = true;
};

}  // namespace detail

template <class Arch>
void check_lints(const program& p, lint_memory& m, vec<finding>& out) {
  detail::linter<Arch>(p, m, out).run();
}

}  // namespace ww::verify
