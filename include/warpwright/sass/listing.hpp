// SPDX-License-Identifier: BSL-1.0
//
// Reading a listing: text of a disassembler to programs.
//
//   ww::sass::listing_result r = ww::sass::read_listing(text, {.sm = ww::sm90::id, .file = "kernel.sass"});
//   if (!r) print(r.err.message());
//   for (ww::program& p : r.mod.sections) build_cfg(p);
//
// Understood: nvdisasm -c with and without -hex, -raw, -sf, with live-range columns (-plr), whole files with their data
// sections, the 64-bit groups of sm_50..62 with and without dual-issue braces, headers of CUDA 12 and of CUDA 13 tools, raw
// binaries (-b), and cuobjdump -sass. The form is found from the text alone.
// The SM comes from the caller, else from a `.target` or `code for` line, else from EF_CUDA_SMnn flags; a caller's SM that
// contradicts one of these is an error. Without any it stays unknown, and module::sm_source says why.
// All or nothing: a fault anywhere gives an error with its place and no module. Blocks and edges are left to build_cfg().
#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "error.hpp"
#include "listing/reader.hpp"
#include "listing/resolver.hpp"
#include "module.hpp"

namespace ww::sass {

struct read_options {
  sm_id sm = sm_id::unknown;  // the caller's knowledge; unknown = take it from the text
  std::string_view file{};    // for messages
};

struct listing_result {
  sass::module mod;
  error err;

  [[nodiscard]] explicit operator bool() const { return !err; }
};

// The text must stay alive as long as the module.
[[nodiscard]] inline listing_result read_listing(std::string_view text, const read_options& options = {}) {
  listing_result r;
  detail::listing_reader reader(text, options.sm, r.mod, r.err);
  bool ok = reader.run();
  if (ok) {
    detail::listing_resolver resolver(r.mod, reader.labels(), r.err);
    ok = resolver.run(reader.references(), reader.symbols(), reader.register_notes());
  }
  if (!ok) {
    r.mod = sass::module{};
    r.err.file = options.file;
  }
  return r;
}

// The module takes the text over.
[[nodiscard]] inline listing_result read_listing(std::vector<char>&& text, const read_options& options = {}) {
  const auto storage = std::make_shared<const std::vector<char>>(std::move(text));
  listing_result r = read_listing(std::string_view(storage->data(), storage->size()), options);
  if (r) r.mod.storage = storage;
  return r;
}

}  // namespace ww::sass
