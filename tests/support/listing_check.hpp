// SPDX-License-Identifier: BSL-1.0
//
// What must hold for the listing reader on any bytes at all; used by the fuzz target and by its smoke test.
//
//   no crash, no endless loop; an error has words and leaves no module; an accepted text is written back byte for
//   byte, its control-flow graph can be built, its dominator tree too, and a second graph is the same.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <warpwright/ir/cfg.hpp>
#include <warpwright/ir/dominators.hpp>
#include <warpwright/sass/listing.hpp>
#include <warpwright/sass/writer.hpp>

namespace ww_test {

// Null if all holds, else what does not.
inline const char* check_listing(std::string_view text, ww::sm_id sm, bool* accepted = nullptr) {
  ww::sass::listing_result r = ww::sass::read_listing(text, {sm, "fuzz"});
  if (accepted != nullptr) *accepted = static_cast<bool>(r);
  if (!r) {
    if (r.err.expected == nullptr || r.err.expected[0] == '\0') return "an error without words";
    if (!r.mod.sections.empty() || !r.mod.records.empty()) return "an error with a module";
    return nullptr;
  }
  std::size_t at = 0;
  bool same = true;
  const ww::sass::error e = ww::sass::write_listing(r.mod, [&](std::string_view piece) {
    same = same && text.substr(at, piece.size()) == piece;
    at += piece.size();
  });
  if (e) return e.expected;
  if (!same || at != text.size()) return "other bytes than were read";
  for (ww::program& p : r.mod.sections) {
    if (!ww::build_cfg(p).ok) return "no control-flow graph";
    const auto edges = p.edges.size();
    const auto blocks = p.blocks.size();
    const ww::dominator_tree tree(p);
    if (blocks != 0 && !tree.dominates(ww::block_id{0}, ww::block_id{0})) return "an entry that does not dominate itself";
    if (!ww::build_cfg(p).ok || p.edges.size() != edges || p.blocks.size() != blocks) return "another graph the second time";
    std::uint64_t count = 0;
    for (const ww::block& b : p.blocks) count += b.count;
    if (count != p.order.size()) return "blocks that do not cover the order";
  }
  return nullptr;
}

}  // namespace ww_test
