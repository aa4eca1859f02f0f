// SPDX-License-Identifier: BSL-1.0
//
// A sort that is small to compile.
//
// std::sort brings some 3 KB of machine code for each element type and comparison. The arrays sorted here are short and
// often nearly in order: up to 24 elements are sorted by insertion, which is stable, longer arrays as a heap, which is not
// but takes n log n steps at worst. Where more than 24 elements can meet, the comparison is a total order, so that the
// result is the same everywhere.
#pragma once

#include <cstddef>

namespace ww::detail {

template <class T, class Less>
constexpr void insertion_sort(T* first, T* last, Less less) {
  if (first == last) return;
  for (T* next = first + 1; next != last; ++next) {
    T moved = static_cast<T&&>(*next);
    T* hole = next;
    for (; hole != first && less(moved, hole[-1]); --hole) *hole = static_cast<T&&>(hole[-1]);
    *hole = static_cast<T&&>(moved);
  }
}

// Puts `moved` where it belongs at or under `hole` of a heap with its greatest element on top.
template <class T, class Less>
constexpr void sift_down(T* heap, std::size_t hole, std::size_t count, T moved, Less less) {
  for (std::size_t child = 2 * hole + 1; child < count; child = 2 * hole + 1) {
    if (child + 1 < count && less(heap[child], heap[child + 1])) ++child;
    if (!less(moved, heap[child])) break;
    heap[hole] = static_cast<T&&>(heap[child]);
    hole = child;
  }
  heap[hole] = static_cast<T&&>(moved);
}

template <class T, class Less>
constexpr void sort(T* first, T* last, Less less) {
  const std::size_t count = static_cast<std::size_t>(last - first);
  if (count <= 24) return insertion_sort(first, last, less);
  // One loop builds the heap and takes it apart, so that the code for both stands once.
  for (std::size_t step = count / 2 + count; step-- > 1;) {
    const bool build = step >= count;
    const std::size_t hole = build ? step - count : 0;
    T moved = static_cast<T&&>(first[build ? hole : step]);
    if (!build) first[step] = static_cast<T&&>(first[0]);
    sift_down(first, hole, build ? count : step, static_cast<T&&>(moved), less);
  }
}

}  // namespace ww::detail
