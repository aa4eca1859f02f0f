// SPDX-License-Identifier: BSL-1.0
//
// Writes what the check of a register allocation found, in the form of FPA-10, piece by piece and without storage.
//
//   allocation_reporter r{{.dump = true}};
//   r.begin_attempt();                                     // a new attempt to allocate
//   r.write(report, [](ww::string_view piece) { ... });
//
//   dump                            every mismatch in full; without it a hint how to get that, once per attempt, and the
//                                   summary
//   ignore_mixed_size               without the question whether a narrow definition leaves the upper bits of a register
// Operands are counted from 0, sources and results together, as the program has them; 255 is a register at an exit. Beyond
// the fixed form: what stood in a register at an entry is listed as "[entry]", what a call that is not followed leaves as
// "[N] outside".
#pragma once

#include <cstdint>

#include "../meta/string_view.hpp"
#include "allocation_report.hpp"

namespace ww::verify {

struct allocation_report_options {
  bool dump = false;               // DUMPIR=AllocateRegisters
  bool ignore_mixed_size = false;  // IgnorePotentialMixedSizeProblems
};

class allocation_reporter {
 public:
  allocation_reporter() = default;
  explicit allocation_reporter(allocation_report_options o) : options_(o) {}

  void begin_attempt() { suggested_ = false; }

  template <class Sink>
  void write(const allocation_report& r, Sink&& sink) {
    if (r.fault != allocation_fault::none) {
      sink(string_view("Register allocation was not checked: "));
      sink(string_view(name_of(r.fault)));
      if (r.at.valid()) {
        sink(string_view(" "));
        id(r.at, sink);
      }
      sink(string_view("\n"));
      return;
    }
    if (!r.ran) return;
    if (options_.dump) {
      for (std::size_t k = 0; k < r.mismatches.size(); ++k) {
        const allocation_mismatch& m = r.mismatches[k];
        if (k == 0 || r.mismatches[k - 1].instruction != m.instruction)
          banner({r.mismatches.data() + k, r.mismatches.size() - k}, sink);
        one(r, m, sink);
      }
    } else if (!r.mismatches.empty() && !suggested_) {
      suggested_ = true;
      sink(string_view("Please use -knob DUMPIR=AllocateRegisters for debugging\n"));
    }
    sink(string_view("TOTAL MISMATCH "));
    number(r.total, sink);
    sink(string_view("   MISMATCH ON OLD "));
    number(r.old, sink);
    sink(string_view("\n"));
  }

 private:
  static constexpr unsigned banner_width = 110;

  template <class Sink>
  static void number(std::uint32_t n, Sink& sink) {
    char digits[10];
    unsigned at = 10;
    do {
      digits[--at] = static_cast<char>('0' + n % 10);
      n /= 10;
    } while (n != 0);
    sink(string_view(digits + at, 10u - at));
  }
  template <class Sink>
  static void id(instr_id i, Sink& sink) {
    sink(string_view("["));
    number(i.index(), sink);
    sink(string_view("]"));
  }
  template <class Sink>
  static void line(Sink& sink) {
    char text[banner_width + 1];
    for (unsigned k = 0; k < banner_width; ++k) text[k] = '=';
    text[banner_width] = '\n';
    sink(string_view(text, banner_width + 1));
  }
  // `rest` begins with the first mismatch of an instruction.
  template <class Sink>
  static void banner(span<const allocation_mismatch> rest, Sink& sink) {
    line(sink);
    for (const allocation_mismatch& m : rest) {
      if (m.instruction != rest[0].instruction) break;
      if (m.code != allocation_error::rematerialization) continue;
      sink(string_view("REMATERIALIZATION PROBLEM. New Instruction "));
      id(m.computed_by, sink);
      sink(string_view(" Old Instruction "));
      id(m.computes, sink);
      sink(string_view("\n"));
      break;
    }
    sink(string_view("INSTRUCTION: "));
    id(rest[0].instruction, sink);
    sink(string_view("\n"));
    line(sink);
  }
  template <class Sink>
  static void producer(const allocation_producer& d, std::uint8_t operand, bool verdict, Sink& sink) {
    sink(string_view("  "));
    if (d.from == allocation_producer::kind::entry) {
      sink(string_view("[entry]"));
    } else {
      id(d.def, sink);
      if (d.from == allocation_producer::kind::outside) {
        sink(string_view(" outside"));
      } else {
        sink(string_view(" def opr # "));
        number(d.operand, sink);
      }
    }
    sink(string_view(verdict ? " src opr # " : " for src opr # "));
    number(operand, sink);
    if (verdict) sink(string_view(d.benign ? "  BENIGN (explainable)" : "  POTENTIAL PROBLEM"));
    sink(string_view("\n"));
  }
  template <class Sink>
  static void changes(string_view title, span<const allocation_producer> list, std::uint8_t operand, Sink& sink) {
    sink(title);
    for (const allocation_producer& d : list) {
      if (d.changed) producer(d, operand, true, sink);
    }
    sink(string_view("\n"));
  }
  template <class Sink>
  void one(const allocation_report& r, const allocation_mismatch& m, Sink& sink) const {
    sink(string_view("\nOperand # "));
    number(m.operand, sink);
    sink(string_view("\nProducers for operand "));
    number(m.operand, sink);
    sink(string_view(" of instruction "));
    id(m.instruction, sink);
    sink(string_view(" before register allocation:\n"));
    for (const allocation_producer& d : r.before(m)) producer(d, m.operand, false, sink);
    sink(string_view("\nProducers for operand # "));
    number(m.operand, sink);
    sink(string_view(" of instruction "));
    id(m.instruction, sink);
    sink(string_view(" after register allocation:\n"));
    for (const allocation_producer& d : r.after(m)) producer(d, m.operand, false, sink);
    changes(string_view("\nAdditions\n"), r.after(m), m.operand, sink);
    changes(string_view("Removals\n"), r.before(m), m.operand, sink);
    sink(string_view(message_of(m.code)));
    if (m.code == allocation_error::rematerialization) {
      sink(string_view(" Old instruction: "));
      id(m.computes, sink);
      sink(string_view(" New instruction: "));
      id(m.computed_by, sink);
    }
    sink(string_view("\n"));
    if (m.code == allocation_error::extra_definitions && m.mixed_size && !options_.ignore_mixed_size) {
      sink(string_view(
          "Does this def potentially clobber upper bits of a register that is supposed to hold unsigned short or "
          "unsigned byte?\nIf not, use -knob IgnorePotentialMixedSizeProblems\n"));
    }
    sink(string_view("\n"));
  }

  allocation_report_options options_;
  bool suggested_ = false;
};

}  // namespace ww::verify
