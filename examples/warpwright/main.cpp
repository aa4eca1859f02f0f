// SPDX-License-Identifier: BSL-1.0
//
// warpwright, the command line: listings and cubins in, checked and re-scheduled listings and cubins out.
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <new>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <warpwright/arch/all.hpp>
#include <warpwright/sass/cubin.hpp>
#include <warpwright/sass/listing.hpp>

#include "files.hpp"
#include "interrupt.hpp"
#include "job.hpp"
#include "list.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "report_job.hpp"
#include "unit.hpp"

namespace {

constexpr int exit_good = 0;
constexpr int exit_found = 1;
constexpr int exit_unusable = 2;

// One call per shipped SM; the instantiations stand in their own translation units. False if no shipped SM serves.
bool find_unit(ww::sm_id sm, cli::unit& u) {
  return ww::visit_arch(ww::nearest_sm(sm), [&]<class Arch>() { u = cli::unit_of<Arch>(); });
}

// A dump of a fat binary holds code for several SMs: each section goes to its own.
void work_for(const cli::options& o, const std::string& file, ww::sass::module& m, const std::string& cubin,
              cli::file_result& result, std::string& cubin_out) {
  std::vector<cli::unit> units(m.sections.size());
  for (std::size_t s = 0; s < units.size(); ++s) {
    if (!find_unit(m.sections[s].sm, units[s])) {
      result.error = file + ":" + std::to_string(m.infos[s].line) + ":1: the SM is not known" +
                     (m.sm_source != nullptr ? std::string(": ") + m.sm_source : std::string()) + "; name it with --sm";
      return;
    }
  }
  cli::work(units, o, file, m, cubin, result, cubin_out);
}

// A cubin without its listing as a module of programs that hold control words only.
void check_cubin(const cli::options& o, const std::string& file, const std::string& content, ww::sm_id named,
                 cli::file_result& result) {
  const ww::sass::cubin_result read =
      ww::sass::read_cubin(ww::sass::byte_span(reinterpret_cast<const std::uint8_t*>(content.data()), content.size()));
  if (read.error) {
    result.error = file + ": " + read.error.text();
    return;
  }
  ww::sass::module m;
  m.names.reserve(read.value.texts.size());
  for (const ww::sass::cubin_text& t : read.value.texts) {
    ww::sass::section_info info;
    info.name = static_cast<std::uint32_t>(m.names.size());
    m.names.push_back(t.name);
    m.infos.push_back(info);
    m.sections.push_back(t.code);
  }
  const ww::sm_id sm = read.value.target.id();
  if (named != ww::sm_id::unknown && ww::nearest_sm(named) != ww::nearest_sm(sm)) {
    result.error = file + ": the cubin is for another SM than --sm " + o.sm;
    return;
  }
  cli::unit u{};
  if (!find_unit(sm, u)) {
    result.error = file + ": no shipped architecture serves the SM of this cubin";
    return;
  }
  cli::check_controls(u, file, m, result);
}

// The letter of an SM is not in the flags that a listing shows of a newer cubin: the cubin that belongs to it has it. The SM to
// read the listing with again, or unknown.
ww::sm_id letter_of(const ww::sass::module& m, const std::string& cubin) {
  const ww::sass::cubin_result read =
      ww::sass::read_cubin(ww::sass::byte_span(reinterpret_cast<const std::uint8_t*>(cubin.data()), cubin.size()));
  if (read.error || read.value.target.variant == 0) {
    return ww::sm_id::unknown;
  }
  const ww::sm_id sm = read.value.target.id();
  const auto plain = static_cast<ww::sm_id>(read.value.target.number * 10u);
  const bool lacks = std::all_of(m.sections.begin(), m.sections.end(), [&](const ww::program& p) { return p.sm == plain; });
  return lacks ? sm : ww::sm_id::unknown;
}

void process(const cli::options& o, const std::string& file, const std::string& cubin, cli::file_result& result,
             std::string& cubin_out) {
  std::string content;
  if (!cli::read_file(file, content, result.error)) {
    return;
  }
  const ww::sm_id named = o.sm.empty() ? ww::sm_id::unknown : ww::parse_sm(o.sm);
  const std::string shown = file == "-" ? "standard input" : file;
  if (content.compare(0, 4, "\177ELF") == 0) {
    if (o.what == cli::command::check && !o.original.empty()) {
      result.error = shown + ": a cubin holds no text to compare with " + o.original + "; give its listing";
    } else if (o.what == cli::command::check) {
      check_cubin(o, shown, content, named, result);
    } else {
      result.error = shown + ": a cubin holds no text to schedule; give its listing and name the cubin with --cubin";
    }
    return;
  }
  ww::sass::listing_result read = ww::sass::read_listing(content, {.sm = named, .file = shown});
  if (!read) {
    result.error = read.err.message();
    return;
  }
  if (read.mod.sections.empty()) {
    result.error = shown + ":1:1: expected at least one code section";
    return;
  }
  if (named == ww::sm_id::unknown && !cubin.empty()) {
    if (const ww::sm_id sm = letter_of(read.mod, cubin); sm != ww::sm_id::unknown) {
      read = ww::sass::read_listing(content, {.sm = sm, .file = shown});
      if (!read) {
        result.error = read.err.message();
        return;
      }
    }
  }
  work_for(o, shown, read.mod, cubin, result, cubin_out);
}

int finish(const cli::options& o, std::vector<cli::file_result>& results, const std::string& cubin_out) {
  bool unusable = false;
  for (const cli::file_result& r : results) {
    if (!r.error.empty()) {
      std::fprintf(stderr, "warpwright: %s\n", r.error.c_str());
      unusable = true;
    }
  }
  const bool profiled = std::any_of(results.begin(), results.end(), [](const cli::file_result& r) { return r.profiled; });
  if (!unusable && !o.profile.empty() && !profiled) {
    std::fprintf(stderr, "warpwright: %s:1:1: expected a line with the name of a section of the input\n", o.profile.c_str());
    unusable = true;
  }
  if (unusable) {
    return exit_unusable;
  }
  std::string text;
  if (o.json) {
    text = cli::json(results);
  } else if (o.what == cli::command::check) {
    text = cli::check_text(results);
  } else if (o.what == cli::command::compare) {
    text = cli::compare_text(results);
  } else if (o.what == cli::command::layout) {
    text = cli::layout_text(results);
  } else {
    text = cli::schedule_text(results);
  }
  std::string error;
  bool good = true;
  if (o.what == cli::command::schedule || o.what == cli::command::layout || o.what == cli::command::rebuild) {
    const bool taken = o.output == "-" || o.cubin_out == "-";  // standard output
    cli::output_set outputs;
    good = (o.output.empty() || outputs.add(o.output, results.front().listing, error)) &&
           (o.cubin_out.empty() || outputs.add(o.cubin_out, cubin_out, error)) && (taken || outputs.add("-", text, error)) &&
           outputs.commit(error);
    if (good && taken) {
      std::fputs(text.c_str(), stderr);
    }
  } else if (o.what == cli::command::report) {
    good = cli::write_reports(o, results, text, error);
  } else {
    good = cli::print(text, error);
  }
  if (!good) {
    std::fprintf(stderr, "warpwright: %s\n", error.c_str());
    return exit_unusable;
  }
  if (o.what != cli::command::check) {
    return exit_good;
  }
  for (const cli::file_result& r : results) {
    for (const cli::function_row& f : r.rows) {
      for (const cli::finding_row& h : f.hazards) {
        if (h.level == "finding") {
          return exit_found;
        }
      }
    }
  }
  return exit_good;
}

int print(std::string_view text) {
  std::string error;
  if (cli::print(text, error)) return exit_good;
  std::fprintf(stderr, "warpwright: %s\n", error.c_str());
  return exit_unusable;
}

int run(cli::options& o) {
  std::string cubin;
  std::string error;
  if (!o.profile.empty() && !cli::read_file(o.profile, o.counts, error)) {
    std::fprintf(stderr, "warpwright: %s\n", error.c_str());
    return exit_unusable;
  }
  if (!o.cubin_in.empty() && !cli::read_file(o.cubin_in, cubin, error)) {
    std::fprintf(stderr, "warpwright: %s\n", error.c_str());
    return exit_unusable;
  }
  if (!o.cubin_in.empty() && cubin.empty()) {
    std::fprintf(stderr, "warpwright: %s: expected a cubin, found nothing\n", o.cubin_in.c_str());
    return exit_unusable;
  }
  std::vector<cli::file_result> results(o.files.size());
  std::string cubin_out;
  std::atomic<std::size_t> next{0};
  cli::progress shown(o.files.size());
  if (!o.quiet && ::isatty(2) != 0) o.shown = &shown;
  if (o.tries != 0) cli::interrupt::listen();
  std::vector<std::uint8_t> short_of_memory(o.files.size(), 0);
  const auto work_on = [&](std::size_t i) {
    try {
      process(o, o.files[i], cubin, results[i], cubin_out);
      short_of_memory[i] = 0;
    } catch (const std::bad_alloc&) {
      results[i] = {};
      short_of_memory[i] = 1;
    }
  };
  const auto worker = [&] {
    for (std::size_t i = next++; i < o.files.size(); i = next++) {
      work_on(i);
      if (o.shown != nullptr) o.shown->file_done();
    }
  };
  const std::size_t wanted = o.jobs != 0 ? o.jobs : std::max(1u, std::thread::hardware_concurrency());
  const std::size_t count = std::min(wanted, o.files.size());
  std::vector<std::thread> threads;
  threads.reserve(count);
  try {
    for (std::size_t t = 1; t < count; ++t) threads.emplace_back(worker);
  } catch (const std::system_error&) {
    // No more threads are to be had: those that there are do the work.
  } catch (const std::bad_alloc&) {
  }
  worker();
  for (std::thread& t : threads) {
    t.join();
  }
  // What others at work at the same time left too little for gets all that there is.
  for (std::size_t i = 0; i < o.files.size(); ++i) {
    if (short_of_memory[i] != 0 && !threads.empty() && o.files[i] != "-") work_on(i);
    if (short_of_memory[i] == 0) continue;
    results[i].error = (o.files[i] == "-" ? "standard input" : o.files[i]) + ": there is not enough memory for it";
  }
  if (o.shown != nullptr) o.shown->clear();
  if (cli::interrupt::came()) std::fputs("warpwright: the search was ended; what it had found is the result\n", stderr);
  return finish(o, results, cubin_out);
}

}  // namespace

int main(int argc, char** argv) {
  cli::options o = cli::parse(argc, argv);
  if (!o.error.empty()) {
    std::fprintf(stderr, "warpwright: %s\n%s", o.error.c_str(), o.what == cli::command::none ? cli::usage() : "");
    return exit_unusable;
  }
  if (!o.sm.empty() && ww::nearest_sm(ww::parse_sm(o.sm)) == ww::sm_id::unknown) {
    std::fprintf(stderr, "warpwright: --sm %s: not an SM that this build serves; see `warpwright list archs`\n",
                 o.sm.c_str());
    return exit_unusable;
  }
  switch (o.what) {
    case cli::command::help:
      return print(cli::usage());
    case cli::command::version:
      return print("warpwright 0.1.0\n");
    case cli::command::list: {
      const std::string text = cli::list_text(o.files.front());
      if (text.empty()) {
        std::fputs("warpwright: list needs one of archs, strategies, modes, backends, constraints, priorities, phases\n",
                   stderr);
        return exit_unusable;
      }
      return print(text);
    }
    default:
      break;
  }
  std::string why = cli::unknown_name(o);
  if (why.empty()) {
    why = cli::refusal_of(o.strategy);
  }
  if (!why.empty()) {
    std::fprintf(stderr, "warpwright: %s\n", why.c_str());
    return exit_unusable;
  }
  try {
    return run(o);
  } catch (const std::bad_alloc&) {
    std::fputs("warpwright: there is not enough memory\n", stderr);
    return exit_unusable;
  }
}
