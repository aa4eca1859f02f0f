// SPDX-License-Identifier: BSL-1.0
//
// The scratch memory of the graph builders. Keep one per thread and hand it to every call: after the largest block has
// been seen once (or announced to make_room()), building allocates nothing; largest also in dependences.
//
//   register table  one entry per register file and number: its newest writer, older ones that still count, and the readers
//                   since (lists in `accesses`).
//                   Physical and virtual numbers index directly; a table grows to the largest number seen in its file.
//                   Entries carry an epoch, so that nothing is cleared between blocks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../ir/reg.hpp"
#include "../meta/array.hpp"
#include "../meta/vec.hpp"
#include "distance.hpp"
#include "distance_memo.hpp"
#include "guard.hpp"
#include "memory_access.hpp"

namespace ww {

struct graph_workspace {
  static constexpr std::uint32_t none = 0xffffffffu;

  // One reader or writer of one 32-bit register (or predicate).
  struct access {
    std::uint32_t node = none;
    std::uint32_t next = none;  // the one before it in its list
    std::uint32_t code = 0;     // detail::access_code
    std::uint32_t cycles = 0;   // estimate of a variable result (writer) or of a late read (reader), 0 = fixed

    // Field by field: one wide copy of what was just stored in parts would wait for the parts.
    [[gnu::always_inline]] constexpr void set(std::uint32_t n, std::uint32_t x, std::uint32_t c, std::uint32_t t) {
      node = n;
      next = x;
      code = c;
      cycles = t;
    }
  };
  struct register_entry {
    std::uint32_t epoch = 0;
    std::uint32_t readers = none;
    access writer;               // the newest one; older ones that still count are listed behind it
    std::uint64_t reserved = 0;  // 32 bytes in all, so that finding an entry is a shift

    // Newest writer + 1, 0 = none in this block.
    [[nodiscard]] constexpr std::uint32_t version() const { return writer.node + 1; }
  };
  // The pair-wise builder's view: one entry per register that an instruction touches.
  struct touched_register {
    reg name;
    slot where = slot::none;
    std::uint8_t part = 0;
    bool is_def = false;
    bool full = false;
    bool killed = false;
  };

  array<vec<register_entry>, reg_file_count> registers;
  vec<access> accesses;  // room for lists, see access_pool
  detail::distance_cells distances;
  vec<detail::timing> timings;
  vec<detail::guard_key> guards;
  array<vec<memory_access>, memory_access::domain_count> loads;
  array<vec<memory_access>, memory_access::domain_count> stores;
  vec<touched_register> touched;
  vec<std::uint32_t> touched_first;
  vec<memory_access> memory;
  std::uint32_t epoch = 0;
  // Cycles by which the result of a load counts as later that may miss the first-level cache (arch/far_memory.hpp). With 0 all
  // hit; a scheduler that looks at both builds with the misses: what hangs on a load is urgent, and what hides it stands behind it.
  std::uint32_t far_cycles = 0;

  constexpr void start(std::size_t nodes) {
    if (++epoch == 0) {
      for (auto& table : registers) table.assign(table.size(), register_entry{});
      epoch = 1;
    }
    if (timings.size() < nodes) timings.resize(nodes);
    if (guards.size() < nodes) guards.resize(nodes);
    for (auto& list : loads) list.clear();
    for (auto& list : stores) list.clear();
    touched.clear();
    touched_first.clear();
    memory.clear();
  }
  // Room for blocks of that many accesses of registers (operands by their widths) and instructions that touch memory.
  constexpr void make_room(std::size_t register_accesses, std::size_t memory_accesses) {
    accesses.make_room(register_accesses);
    for (auto& list : loads) list.make_room(memory_accesses);
    for (auto& list : stores) list.make_room(memory_accesses);
  }

  // The entries of `width` registers from `number` on; valid until the next call for the file.
  [[nodiscard]] [[gnu::always_inline]] constexpr register_entry* entries(reg_file file, std::uint32_t number,
                                                                         std::uint32_t width) {
    auto& table = registers[static_cast<std::size_t>(file)];
    if (number + width > table.size()) table.resize(static_cast<std::size_t>(number) + width + 256);
    return table.data() + number;
  }
  // Empties an entry that is from an earlier block.
  constexpr register_entry& fresh(register_entry& e) const {
    if (e.epoch != epoch) e = register_entry{epoch, none, access{}};
    return e;
  }
  // The entry of a register, emptied when it is from an earlier block.
  [[nodiscard]] constexpr register_entry& entry(reg_file file, std::uint32_t number) {
    return fresh(*entries(file, number, 1));
  }
};

namespace detail {

// The lists of accesses of one block: entries that are given back are used again, which keeps the working set small.
struct access_pool {
  using access = graph_workspace::access;
  static constexpr std::uint32_t none = graph_workspace::none;

  vec<access>* store;
  access* at;
  std::uint32_t capacity;
  std::uint32_t used = 0;
  std::uint32_t free = none;  // list of entries given back

  constexpr explicit access_pool(vec<access>& v) : store(&v), at(v.data()), capacity(static_cast<std::uint32_t>(v.size())) {}

  // Puts an access in front of a list.
  [[gnu::always_inline]] constexpr void push(std::uint32_t& head, const access& a) {
    std::uint32_t place = free;
    if (place != none) {
      free = at[place].next;
    } else {
      if (used == capacity) {
        grow(*store);
        at = store->data();
        capacity = static_cast<std::uint32_t>(store->size());
      }
      place = used++;
    }
    at[place].set(a.node, head, a.code, a.cycles);
    head = place;
  }
  // Gives back a list by its ends.
  constexpr void release(std::uint32_t head, std::uint32_t tail) {
    at[tail].next = free;
    free = head;
  }

 private:
  [[gnu::noinline]] constexpr static void grow(vec<access>& v) {
    const std::size_t n = v.size() * 2 + 256;
    v.resize(v.size() < v.capacity() && v.capacity() < n ? v.capacity() : n);  // what there is room for comes first
  }
};

}  // namespace detail
}  // namespace ww
