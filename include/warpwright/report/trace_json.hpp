// SPDX-License-Identifier: BSL-1.0
//
// A report as trace events: JSON in the array form of the Trace Event Format, for chrome://tracing and Perfetto.
//
//   1 cycle = 1 microsecond ("ts" and "dur" are cycles); blocks stand one behind the other in layout order, each executed once
//   process   a function                thread   a side (before, after), and below it each pipe that it uses
//   slices    on a side: blocks, in them what an instruction waited for and its issue (one cycle); on a pipe: how long it is taken
//   arrows    from who is waited for to who waits, inside a block
//   spans     "result" and "read": from the issue until the result has landed, until the sources have been read
//   counter   live general registers
// Every instruction says its address, control word, waits and slack in "args". All of it is of one warp alone.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "../meta/span.hpp"
#include "kernel_report.hpp"
#include "markup.hpp"

namespace ww::report {

namespace detail {

class trace_writer {
 public:
  explicit trace_writer(std::string& out) : out_(out) {}

  void write(span<const kernel_report> kernels) {
    out_ += '[';
    for (std::size_t n = 0; n < kernels.size(); ++n) {
      k_ = &kernels[n];
      process_ = n + 1;
      meta("process_name", 0, "name", k_->name);
      meta("process_labels", 0, "labels", k_->sm + ", 1 cycle = 1 us, one warp alone, each block once");
      one_side(k_->before, side::before);
      one_side(k_->after, side::after);
    }
    out_ += first_ ? "]\n" : "\n]\n";
  }

 private:
  static constexpr unsigned threads_of_side = 1 + pipe_count;

  void open(const char* phase, string_view name, unsigned thread, std::uint64_t at) {
    out_ += first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"";
    first_ = false;
    out_ += phase;
    out_ += "\",\"name\":\"";
    escape_json(out_, name);
    out_ +=
        "\",\"pid\":" + std::to_string(process_) + ",\"tid\":" + std::to_string(thread) + ",\"ts\":" + std::to_string(at);
  }
  void number(const char* key, std::uint64_t n) {
    out_ += ",\"";
    out_ += key;
    out_ += "\":" + std::to_string(n);
  }
  void string(const char* key, string_view text) {
    out_ += ",\"";
    out_ += key;
    out_ += "\":\"";
    escape_json(out_, text);
    out_ += '"';
  }
  void arguments() { out_ += ",\"args\":{"; }
  // The first of an object has no comma in front of it.
  void close_arguments() { out_ += "}}"; }

  void meta(const char* what, unsigned thread, const char* key, string_view text) {
    open("M", what, thread, 0);
    arguments();
    out_ += '"';
    out_ += key;
    out_ += "\":\"";
    escape_json(out_, text);
    out_ += '"';
    close_arguments();
  }

  void one_side(const timeline& t, side s) {
    const unsigned thread = 1 + (s == side::before ? 0u : threads_of_side);
    meta("thread_name", thread, "name", name(s));
    array<bool, pipe_count> used{};
    for (const timeline_row& r : t.rows) used[static_cast<unsigned>(r.pipe)] = true;
    for (unsigned p = 1; p < pipe_count; ++p) {
      if (used[p]) meta("thread_name", thread + p, "name", std::string(name(s)) + ": " + words(static_cast<pipe_id>(p)));
    }
    starts_.assign(k_->texts.size(), none);
    std::uint64_t start = 0;
    for (const timeline_block& b : t.blocks) {
      const auto cycles = static_cast<std::uint64_t>(b.alone > 0 ? b.alone : 0);
      open("X", "block " + std::to_string(b.number), thread, start);
      number("dur", cycles);
      arguments();
      out_ += "\"weight\":\"";
      add_decimal(out_, b.weight);
      out_ += '"';
      number("cycles", cycles);
      number("critical path", b.critical_path);
      close_arguments();
      std::uint64_t free = start;
      instr_id front;
      for (const timeline_row& r : t.rows_of(b)) {
        row(r, s, thread, start, free, front);
        free = start + static_cast<std::uint64_t>(r.issue) + 1;
        front = r.id;
      }
      if (b.behind != 0) wait(b.behind_reason, b.behind, thread, free, front);
      for (const timeline_row& r : t.rows_of(b)) {
        if (r.id.index() < starts_.size()) starts_[r.id.index()] = none;
      }
      start += cycles;
    }
  }

  void row(const timeline_row& r, side s, unsigned thread, std::uint64_t start, std::uint64_t free, instr_id front) {
    const std::uint64_t issue = start + static_cast<std::uint64_t>(r.issue);
    const string_view text = k_->text_of(r.id);
    for (const model::stall_reason reason : reasons_in_order) {
      const std::uint32_t n = r.lost[static_cast<unsigned>(reason)];
      if (n == 0) continue;
      const bool counted = reason == model::stall_reason::barrier;
      const instr_id whom = counted                                     ? r.raiser
                            : reason == model::stall_reason::dependence ? r.writer
                            : reason == model::stall_reason::pipe       ? r.holder
                                                                        : front;
      wait(reason, n, thread, free, whom);
      free += n;
      if (counted || reason == model::stall_reason::dependence) arrow(whom, thread, issue);
    }
    open("X", text, thread, issue);
    number("dur", 1);
    details(r);
    if (r.id.index() < starts_.size()) starts_[r.id.index()] = issue;
    if (r.pipe != pipe_id::none) {
      open("X", text, thread + static_cast<unsigned>(r.pipe), issue);
      number("dur", r.busy == 0 ? 1u : r.busy);
      out_ += '}';
    }
    flight("result", text, thread, issue, r.result - r.issue);
    flight("read", text, thread, issue, r.read - r.issue);
    open("C", s == side::before ? "live registers, before" : "live registers, after", thread, issue);
    arguments();
    out_ += "\"registers\":" + std::to_string(r.live);
    close_arguments();
  }

  void details(const timeline_row& r) {
    arguments();
    out_ += "\"address\":\"";
    add_hex(out_, r.address);
    out_ += "\",\"control\":\"";
    add_control(out_, r.ctl);
    out_ += '"';
    string("pipe", words(r.pipe));
    for (const model::stall_reason reason : reasons_in_order) {
      const std::uint32_t n = r.lost[static_cast<unsigned>(reason)];
      if (n != 0) number(words(reason), n);
    }
    if (r.counter != control::no_barrier) number("counter", r.counter);
    number("live", r.live);
    number("slack", r.slack);
    out_ += r.critical ? ",\"critical\":true" : ",\"critical\":false";
    close_arguments();
  }

  void wait(model::stall_reason reason, std::uint32_t cycles, unsigned thread, std::uint64_t at, instr_id whom) {
    open("X", std::string("wait: ") + words(reason), thread, at);
    number("dur", cycles);
    arguments();
    out_ += "\"on\":\"";
    escape_json(out_, k_->text_of(whom));
    out_ += '"';
    close_arguments();
  }

  void arrow(instr_id from, unsigned thread, std::uint64_t issue) {
    if (!from.valid() || from.index() >= starts_.size() || starts_[from.index()] == none) return;
    ++arrows_;
    open("s", "wait", thread, starts_[from.index()]);
    string("cat", "wait");
    number("id", arrows_);
    out_ += '}';
    open("f", "wait", thread, issue);
    string("cat", "wait");
    string("bp", "e");
    number("id", arrows_);
    out_ += '}';
  }

  void flight(const char* what, string_view text, unsigned thread, std::uint64_t issue, std::int64_t cycles) {
    if (cycles <= 1) return;
    ++flights_;
    for (const bool begins : {true, false}) {
      open(begins ? "b" : "e", text, thread, begins ? issue : issue + static_cast<std::uint64_t>(cycles));
      string("cat", what);
      number("id", flights_);
      out_ += '}';
    }
  }

  static constexpr std::uint64_t none = ~std::uint64_t{0};

  std::string& out_;
  const kernel_report* k_ = nullptr;
  std::size_t process_ = 0;
  std::uint64_t arrows_ = 0;
  std::uint64_t flights_ = 0;
  std::vector<std::uint64_t> starts_;  // by instruction id: its issue, once it has one in this block
  bool first_ = true;
};

}  // namespace detail

// Appends the trace of all kernels.
inline void write_trace_json(std::string& out, span<const kernel_report> kernels) {
  detail::trace_writer(out).write(kernels);
}

}  // namespace ww::report
