// SPDX-License-Identifier: BSL-1.0
//
// ww::spilling_rebuilder<Arch>: machine code made anew in fewer registers than its values need, some of them in local memory.
//
//   ww::spilling_rebuilder<ww::sm90>::workspace ws;
//   ww::spilled_code out;
//   ww::spilled_rebuild r = ww::spilling_rebuilder<ww::sm90>::run(p, options, before, out, ws);   // before: of ww::rebuilder
//
// For what ww::rebuilder gives up as no_room.
//   frame       of the stack, as pipeline/stack_frame.hpp understands it; new slots lie above what was there
//   order       two are tried, the one read and that of the cheapest blocks within the registers (lifted_order.hpp); what sets up the
//               stack pointer goes to the front of its block, so that spill code has room behind it
//   registers   the retry driver spills general registers until they fit (regalloc/); constants are computed again and cost
//               no memory. Then all files are allocated as in pipeline/rebuild.hpp, the driver's places in hand
//   words       spilled_code.hpp, then the scheduler orders all of it and sets control words
//   idle        moves that have one register at both ends go
//   proofs      the order before allocation, the allocation with its spills and reloads (verify/allocation.hpp), the order of the
//               scheduler, its words. What none of them sees, the growth of the frame, is an immediate: no access was at or
//               above the old end (frame.bytes) before, all new ones are
// The cheaper order is taken, by cycles times cycles of the far view. It allocates memory.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../arch/dialect.hpp"
#include "../regalloc/allocate_program.hpp"
#include "../regalloc/occupancy_budget.hpp"
#include "../regalloc/retry_driver.hpp"
#include "../regalloc/spill_host.hpp"
#include "idle_moves.hpp"
#include "rebuild.hpp"
#include "spilled_code.hpp"
#include "stack_frame.hpp"

namespace ww {

enum class spilled_kept : std::uint8_t {
  none,         // it was rebuilt
  as_rebuild,   // rebuild_result::kept says why
  frame,        // frame_fault says why
  fixed,        // a value that keeps its registers lies beyond those asked for (lift/web.hpp: `fixed`)
  no_room,      // it does not fit, whatever is put into memory
  not_encoded,  // an operand has no known place in its words
  not_proved,   // a check had something against every result
};

struct spilled_rebuild {
  rebuild_result rebuilt;  // as of a rebuild of what came in
  spilled_kept kept = spilled_kept::none;
  stack_frame frame;             // of the program as it came
  std::uint32_t bytes = 0;       // of the frame now
  std::uint32_t values = 0;      // webs in memory
  std::uint32_t recomputed = 0;  // webs that are computed again
  std::uint32_t rounds = 0;

  [[nodiscard]] bool ok() const { return kept == spilled_kept::none; }
};

constexpr const char* name_of(const spilled_rebuild& r) {
  switch (r.kept) {
    case spilled_kept::none:
      return "spilled";
    case spilled_kept::as_rebuild:
      return name_of(r.rebuilt.kept);
    case spilled_kept::frame:
      return name_of(r.frame.fault);
    case spilled_kept::fixed:
      return "a value that has to keep its registers lies beyond them";
    case spilled_kept::no_room:
      return "no allocation was found within the registers, with values in memory either";
    case spilled_kept::not_encoded:
      return "an operand has no known place in its words";
    case spilled_kept::not_proved:
      return "no allocation with values in memory could be proved";
  }
  return "?";
}

template <class Arch, class Orders = rebuild_orders<Arch>, class Scheduler = scheduler<Arch>>
struct spilling_rebuilder {
  using steps = rebuild_steps<Arch, Scheduler>;

  struct workspace {
    typename Scheduler::workspace scheduler;
    typename Orders::workspace orders;
    lift_workspace lift;
    lifted_program lifted;
    regalloc::retry_driver<> driver;
    regalloc::allocation_space allocation;
    program read;               // with blocks, in the order read
    vec<std::uint8_t> called;   // by block: forgotten as an entry
    vec<std::uint8_t> address;  // by web: it holds a return address
    rebuild_proof_space proof;
    spilled_code trial;
  };

  // `r.rebuilt` is what ww::rebuilder said of `p` with the same options.
  static spilled_rebuild run(const program& p, const rebuild_options& o, const rebuild_result& before, spilled_code& out,
                             workspace& ws) {
    spilled_rebuild r;
    r.rebuilt = before;
    out = spilled_code{};
    if (before.kept != rebuild_kept::no_room) return keep(r, spilled_kept::as_rebuild);
    ws.read = p;
    if (ws.read.blocks.empty()) (void)build_cfg(ws.read);
    const isa::dialect d = dialect_of(p.sm);
    r.frame = stack_frame_of(ws.read, d, o.knows_return_moves);
    if (o.calls_outside) r.frame.fault = frame_fault::several;
    if (!r.frame.ok()) return keep(r, spilled_kept::frame);
    const std::uint32_t allowed = meta::min(o.registers, steps::most);
    const register_limits registers = steps::limits_of(allowed);
    const std::uint32_t general = registers[static_cast<std::size_t>(pressure_class::r)];
    if (general == 0) return keep(r, spilled_kept::no_room);  // 0 would be "all"
    const lift_options loose = loose_lift(ws.read, o, d);
    if (loose.own_calls) forget_called_entries(ws.read, ws.called);
    if (lift_within(ws.read, ws.lifted, ws.lift, loose, general) != lift_fault::none) return keep(r, spilled_kept::no_room);
    find_addresses(o, ws);
    for (const web& w : ws.lifted.webs) {
      const bool beyond = w.original + w.width > general;
      if (w.file == reg_file::r && w.is_fixed() && beyond) return keep(r, spilled_kept::fixed);
    }
    const vec<instr_id> order = ws.lifted.code.order;
    spilled_kept why = spilled_kept::no_room;
    double best = 0;
    const auto attempt = [&] {
      put_top_first(ws.lifted.code, r.frame);
      const spilled_kept one = allocate(d, registers, best, out, ws, r);
      if (one == spilled_kept::none || why == spilled_kept::no_room) why = why == spilled_kept::none ? why : one;
    };
    attempt();
    if (o.effort > 1) {
      ws.lifted.code.order = order;
      Orders::price(ws.lifted, {.warps = before.scheduled.warps, .far = before.scheduled.far_before != 0}, allowed,
                    ws.orders);
      Orders::choose(ws.lifted.code, registers, ws.orders);
      attempt();
    }
    return keep(r, why);
  }

 private:
  static spilled_rebuild keep(spilled_rebuild r, spilled_kept why) {
    r.kept = why;
    return r;
  }

  // Return addresses stay in registers: who changes their numbers has to see them go from a move to a RET, by copies alone.
  static void find_addresses(const rebuild_options& o, workspace& ws) {
    const program& p = ws.lifted.code;
    ws.address.assign(ws.lifted.webs.size(), 0);
    const auto mark = [&](const instruction& i) {
      bool fresh = false;
      for (std::uint32_t k = i.first_operand; k < i.first_operand + i.operand_count; ++k) {
        const std::uint32_t w = ws.lifted.web_of_operand[k];
        if (w >= ws.address.size() || !p.operands[k].is_def() || ws.address[w] != 0) continue;
        ws.address[w] = 1;
        fresh = true;
      }
      return fresh;
    };
    bool again = false;
    for (const instr_id id : o.return_moves) again = (id.index() < p.instructions.size() && mark(p[id])) || again;
    while (again) {
      again = false;
      for (const instr_id id : p.order) {
        const instruction& i = p[id];
        if (i.op != opcode::mov && i.op != opcode::imad) continue;
        bool copies = false;
        for (std::uint32_t k = i.first_operand; k < i.first_operand + i.operand_count; ++k) {
          const std::uint32_t w = ws.lifted.web_of_operand[k];
          copies = copies || (w < ws.address.size() && ws.address[w] != 0 && p.operands[k].is_use());
        }
        again = (copies && mark(i)) || again;
      }
    }
  }

  // The load of the stack pointer and its step, in front of what stood before them in their block.
  static void put_top_first(program& p, const stack_frame& f) {
    const span<instr_id> order = p.order_of(p.blocks[0]);
    std::size_t place = 0;
    for (const instr_id id : {f.top, f.step}) {
      if (!id.valid()) continue;
      std::size_t at = place;
      while (at < order.size() && order[at] != id) ++at;
      if (at == order.size()) continue;
      for (; at > place; --at) order[at] = order[at - 1];
      order[place++] = id;
    }
  }

  static std::uint32_t rounded(std::uint32_t bytes, std::uint32_t unit) { return (bytes + unit - 1) / unit * unit; }

  // Spills the lifted program in its present order, and takes the result if it is proved and the cheapest so far.
  static spilled_kept allocate(const isa::dialect& d, const register_limits& registers, double& best, spilled_code& out,
                               workspace& ws, spilled_rebuild& r) {
    if (!steps::same_order(ws.lifted.code, ws.read.order, ws.proof)) return spilled_kept::not_proved;
    regalloc::spill_space space;
    space.frame_base = static_cast<std::int32_t>(rounded(r.frame.bytes, frame_unit));
    space.base_alignment = frame_unit;
    regalloc::program_problem_options problems;
    problems.registers = registers;
    regalloc::spill_host host(regalloc::start_spills(ws.lifted), space, problems);
    for (std::uint32_t w = 0; w < ws.address.size(); ++w) {
      if (ws.address[w] != 0) host.s.state[w] = regalloc::web_state::short_lived;
    }
    regalloc::retry_settings settings;
    settings.span = regalloc::span_of<Arch>();
    const regalloc::class_outcome done = ws.driver.run(host, regalloc::register_class::r, settings);
    if (done.end != regalloc::retry_end::fits && done.end != regalloc::retry_end::fits_spilled) return spilled_kept::no_room;
    vec<std::uint32_t> where;
    if (!places(host, registers, ws, where)) return spilled_kept::no_room;
    lower_result lowered = steps::lower_bare(host.s.lifted, where);
    if (!lowered.ok()) return spilled_kept::no_room;
    (void)drop_idle_moves(lowered.code);
    const span<const verify::allocated_from> map(host.s.map.data(), host.s.map.size());
    if (!verify::check_allocation(ws.lifted.code, lowered.code, map).clean()) return spilled_kept::not_proved;
    const auto end = host.in_memory != 0 ? static_cast<std::uint32_t>(host.s.frame_end) : r.frame.bytes;
    const std::uint32_t more = rounded(end - r.frame.bytes, r.frame.step.valid() ? grown_frame_unit : frame_unit);
    if (make_spilled_code(ws.read, lowered.code, map, r.frame, more, d, ws.trial) != spilled_code_fault::none)
      return spilled_kept::not_encoded;
    return take(best, more, done.rounds, host, out, ws, r);
  }

  // Places of all webs: those of a full allocation, with the driver's where the general registers do not fit otherwise.
  static bool places(regalloc::spill_host& host, const register_limits& registers, workspace& ws,
                     vec<std::uint32_t>& where) {
    const lifted_program& l = host.s.lifted;
    regalloc::program_allocation_options how;
    how.problems.registers = registers;
    how.problems.apart_weight = 1;  // as the first wish of pipeline/rebuild.hpp
    how.original_places = true;
    regalloc::program_allocation a = regalloc::allocate_program(l, ws.allocation, how);
    constexpr auto general = static_cast<std::size_t>(pressure_class::r);
    if (!a.fits[general]) {
      const vec<std::uint32_t>& webs = host.map.web_of_register[general];
      for (std::uint32_t k = 0; k < webs.size(); ++k) {
        const std::int32_t place = ws.driver.answer().registers[k].physical;
        if (place < 0) return false;
        a.where[webs[k]] = static_cast<std::uint32_t>(place);
      }
      a.fits[general] = true;
    }
    where = a.where;
    return a.ok();
  }

  static spilled_kept take(double& best, std::uint32_t more, std::uint32_t rounds, const regalloc::spill_host& host,
                           spilled_code& out, workspace& ws, spilled_rebuild& r) {
    program& q = ws.trial.code;
    schedule_result now;
    if (!steps::schedule_again(q, ws.read, r.rebuilt.scheduled, ws.scheduler, ws.proof, now))
      return spilled_kept::not_proved;
    const double price = steps::price(now);
    if (best != 0 && price >= best) return spilled_kept::none;
    best = price;
    out = ws.trial;
    r.bytes = r.frame.bytes + more;
    r.values = host.in_memory;
    r.recomputed = host.recomputed;
    r.rounds = rounds;
    r.rebuilt.scheduled.bound = now.bound;  // that of the program as it came is of one without spill code
    steps::take(q, now, r.rebuilt);
    r.rebuilt.kept = rebuild_kept::none;
    return spilled_kept::none;
  }
};

}  // namespace ww
