// SPDX-License-Identifier: BSL-1.0
//
// The temperature of memory instructions (HC-2): two policies, each a pair of tests that are duals of one another.
//
//   temperature::text<Variant>   the text's two functions, to the letter
//     loads and stores   hot: global memory   cold: constant memory   shared memory: hot in variant 1, cold in variant 2
//     atomics            hot: a reduction in global memory, which returns nothing to a register; cold: every other one
//     anything else      neither, and so are the other spaces and variants
//   temperature::wide            what the scheduler goes by (PLS-3, schedule/block_facts.hpp): loads and atomics of global,
//                                generic and texture memory and surfaces hot, constant and shared memory cold
//   temperature::variant         how shared memory is split; the text has a field of three bits for it, without a name
//     standard   2 throughout, the text's "standard access"
//     by_form    1 where a matrix is gathered or spread (LDSM, STSM: the text's "special access pattern"; assumed), else 2
// An address in generic space may be in global memory; the text's letter asks for global memory alone of loads and stores. Its
// atomics (ATOM, RED) have generic addresses on machine code, so both spaces count as global there.
// A policy: `candidate`, `hot` and `cold` of a program and one of its instructions. hot and cold imply candidate, never both.
#pragma once

#include "../ir/program.hpp"
#include "../isa/opcode_id.hpp"
#include "../schedule/block_facts.hpp"

namespace ww::layout {

namespace temperature {

namespace variant {

inline constexpr unsigned hot = 1;
inline constexpr unsigned cold = 2;

struct standard {
  static constexpr unsigned of(const program&, const instruction&) { return cold; }
};
struct by_form {
  static constexpr unsigned of(const program&, const instruction& i) {
    return i.op == opcode::ldsm || i.op == opcode::stsm ? hot : cold;
  }
};

}  // namespace variant

// Does an atomic give nothing back? RED in its forms, and an atomic whose results all go to RZ, PT and the like.
[[nodiscard]] constexpr bool is_reduction(const program& p, const instruction& i) {
  for (const operand& o : p.operands_of(i)) {
    if (o.is_def() && !o.base().is_zero()) return false;
  }
  return i.dir == mem_dir::atomic;
}

template <class Variant = variant::standard>
struct text {
  static constexpr const char* name = "text";
  // The opcodes that both functions ask about: loads, stores, atomics; those of textures and surfaces are others.
  static constexpr bool candidate(const program&, const instruction& i) {
    return (i.dir == mem_dir::load || i.dir == mem_dir::store || i.dir == mem_dir::atomic) &&
           i.space != mem_space::texture && i.space != mem_space::surface;
  }
  static constexpr bool hot(const program& p, const instruction& i) {
    if (!candidate(p, i)) return false;
    if (i.dir == mem_dir::atomic) return reduces_globally(p, i);
    return in(p, i, mem_space::global, variant::hot);
  }
  static constexpr bool cold(const program& p, const instruction& i) {
    if (!candidate(p, i)) return false;
    if (i.dir == mem_dir::atomic) return !reduces_globally(p, i);
    return in(p, i, mem_space::constant, variant::cold);
  }

 private:
  static constexpr bool in(const program& p, const instruction& i, mem_space wanted, unsigned wanted_variant) {
    if (i.space == mem_space::shared) return Variant::of(p, i) == wanted_variant;
    return i.space == wanted;
  }
  static constexpr bool reduces_globally(const program& p, const instruction& i) {
    return (i.space == mem_space::global || i.space == mem_space::generic) && is_reduction(p, i);
  }
};

struct wide {
  static constexpr const char* name = "wide";
  static constexpr bool candidate(const program&, const instruction& i) {
    return i.mem_bytes != 0 || i.space != mem_space::none;
  }
  static constexpr bool hot(const program&, const instruction& i) { return has(i, priority::trait::hot); }
  static constexpr bool cold(const program&, const instruction& i) { return has(i, priority::trait::cold); }

 private:
  static constexpr bool has(const instruction& i, priority::trait t) {
    return (ww::detail::traits_of(i, false) & static_cast<std::uint16_t>(t)) != 0;
  }
};

}  // namespace temperature

// False for an instruction that the program does not have.
template <class Policy = temperature::text<>>
[[nodiscard]] constexpr bool is_hot_memory(const program& p, instr_id i) {
  return i.index() < p.instructions.size() && Policy::hot(p, p[i]);
}
template <class Policy = temperature::text<>>
[[nodiscard]] constexpr bool is_cold_memory(const program& p, instr_id i) {
  return i.index() < p.instructions.size() && Policy::cold(p, p[i]);
}

}  // namespace ww::layout
