// SPDX-License-Identifier: BSL-1.0
//
// A listing in memory: the programs of its code sections, and the text they came from.
//
//   sections  one program per code section (a kernel and its local functions), in the order of the file
//   infos     what belongs to a section beside its program; same index
//   records   one per instruction: where its pieces stand in the text. instruction::source is the index
//   labels    every label of the code sections, in file order
//   names     section, function and external names; function::name is an index into it
//   form      which tool and options made the text
// The text is not copied unless the module was made from an owning buffer: `text` must stay alive as long as
// the module is used. A module that owns its text may be copied and moved; copies share it.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "../ir/program.hpp"

namespace ww::sass {

enum class listing_form : std::uint8_t {
  nvdisasm,   // sections with directives and labels
  cuobjdump,  // "Function : NAME", no labels, targets are offsets
  raw,        // bare instruction lines of a raw binary
};

// Byte positions of one instruction in the text. It ends behind its last comment, before the line end.
struct text_record {
  static constexpr std::uint32_t none = 0xffffffffu;

  std::uint32_t begin = 0;              // start of the address line, or of the line of a label that is attached to it
  std::uint32_t end = 0;                // one past its last byte (second hex comment, or ';')
  std::uint32_t address = 0;            // first address digit
  std::uint32_t body = 0;               // guard or mnemonic
  std::uint32_t body_end = 0;           // one past the last operand (or branch table), before blanks, ';' and '}'
  std::uint32_t hex[2] = {none, none};  // first of the 16 digits, low word first
  // Behind the '}' of an instruction that closes a pair its word stands on a line of its own; labels of the next instruction may
  // stand in front of that. One past the '}', and one past the last such label; both the end of any other instruction.
  std::uint32_t labels = 0;
  std::uint32_t labels_end = 0;
  std::uint32_t line = 0;  // 1-based
  std::uint8_t address_digits = 0;
  bool opens_pair = false;   // '{' in front of the body
  bool closes_pair = false;  // '}' instead of ';'
};

struct label {
  std::uint32_t name = 0;         // byte position in the text
  std::uint32_t name_length = 0;  // bytes
  std::uint32_t section = 0;
  std::uint32_t instruction = 0;  // the instruction behind it; the number of instructions if none
  std::uint32_t line = 0;
  bool attached = false;  // it stands for its instruction, and goes where that goes (listing/attached_labels.hpp)
};

struct section_info {
  std::uint32_t name = 0;  // index into names; without ".text."
  std::uint32_t first_record = 0;
  std::uint32_t record_count = 0;
  std::uint32_t line = 0;           // where it starts
  std::uint32_t first_group = 0;    // index into control_words, word64 only
  std::uint32_t group_count = 0;    // control words, one for three instructions
  bool word64 = false;              // 64-bit instructions with control words (sm_50..62)
  bool live_range_columns = false;  // lines carry "// |" columns
};

// A reference that leaves the section: a call to another function, or a symbol that the file does not define.
struct external_reference {
  std::uint32_t section = 0;
  instr_id instruction;
  std::uint32_t name = 0;  // index into names
};

struct module {
  std::string_view text;
  std::vector<program> sections;
  std::vector<section_info> infos;
  std::vector<text_record> records;
  std::vector<label> labels;
  std::vector<std::uint32_t> control_words;  // word64: position of the 16 digits of each control word
  std::vector<external_reference> externals;
  std::vector<std::string_view> names;
  listing_form form = listing_form::nvdisasm;
  bool has_hex = false;
  bool names_places = false;        // other sections name places in code: .nv.info with offsets, .debug_frame, ..
  bool source_lines = false;        // lines between the instructions say which source they come from (nvdisasm -g, -gi, -gp)
  const char* sm_source = nullptr;  // where the SM came from, or why it is not known
  std::shared_ptr<const std::vector<char>> storage;  // set if the module owns its text

  [[nodiscard]] std::string_view name_of(const section_info& s) const { return names[s.name]; }
  [[nodiscard]] std::string_view name_of(const function& f) const {
    return f.name < names.size() ? names[f.name] : std::string_view{};
  }
  [[nodiscard]] const text_record& record_of(const instruction& i) const { return records[i.source]; }
  // Guard, mnemonic and operands as written.
  [[nodiscard]] std::string_view body_of(const instruction& i) const {
    const text_record& r = record_of(i);
    return text.substr(r.body, r.body_end - r.body);
  }
  [[nodiscard]] std::string_view name_of(const label& l) const { return text.substr(l.name, l.name_length); }
};

}  // namespace ww::sass
