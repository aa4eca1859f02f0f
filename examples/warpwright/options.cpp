// SPDX-License-Identifier: BSL-1.0
#include "options.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "files.hpp"

namespace cli {

namespace {

bool number(const char* text, unsigned limit, unsigned& out) {
  char* end = nullptr;
  errno = 0;
  const unsigned long value = std::strtoul(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || *text < '0' || *text > '9' || value > limit) {
    return false;
  }
  out = static_cast<unsigned>(value);
  return true;
}

command command_of(const std::string& word) {
  struct entry {
    const char* word;
    command what;
  };
  static constexpr entry table[] = {
      {"check", command::check},     {"schedule", command::schedule}, {"layout", command::layout},
      {"rebuild", command::rebuild}, {"compare", command::compare},   {"report", command::report},
      {"list", command::list},       {"help", command::help},         {"--help", command::help},
      {"-h", command::help},         {"--version", command::version},
  };
  for (const entry& e : table) {
    if (word == e.word) {
      return e.what;
    }
  }
  return command::none;
}

constexpr const char* of_results[] = {"-o", "--cubin", "--cubin-out"};
constexpr const char* of_layout[] = {"--cold-arms", "--in-loops"};
constexpr const char* of_rebuild[] = {"--max-regs", "-O0", "-O1", "-O2", "-O3"};
constexpr const char* of_report[] = {"--html", "--trace", "--dot"};
constexpr const char* of_order[] = {"--keep-order", "--strategy", "--priority", "--backend", "--mode", "--search"};
constexpr const char* of_words[] = {"--scoreboard", "--o0", "--warps", "--loads", "--profile"};

bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
bool has(const char* const (&words)[N], const std::string& word) {
  return std::any_of(words, words + N, [&](const char* w) { return word == w; });
}

// An option of `given` that the command has no use for; empty if there is none. Taken silently it would lose what was meant.
std::string misplaced(command what, const std::vector<std::string>& given) {
  for (const std::string& word : given) {
    const bool writes = what == command::schedule || what == command::layout || what == command::rebuild;
    const bool wrong = (what != command::check && word == "--original") || what == command::list ||
                       (!writes && has(of_results, word)) || (what != command::rebuild && has(of_rebuild, word)) ||
                       (what == command::rebuild && word != "--search" &&
                        (has(of_order, word) || word == "--o0" || word == "--scoreboard")) ||
                       (what != command::layout && has(of_layout, word)) ||
                       (what != command::report && has(of_report, word)) ||
                       (what == command::layout && (has(of_order, word) || word == "--o0")) ||
                       (what == command::check && (has(of_order, word) || has(of_words, word)));
    if (wrong) return word;
  }
  return {};
}

// Two options that cannot both have their way, in a sentence; empty if there are none.
std::string contradiction(const options& o, const std::vector<std::string>& given) {
  if (has(given, "--o0")) {
    if (has(given, "--scoreboard")) {
      return "--scoreboard and --o0 exclude each other: --o0 gives the same counters to every instruction";
    }
    if (has(given, "--loads")) return "--loads and --o0 exclude each other: --o0 looks at no loads";
    for (const char* word : of_order) {
      if (has(given, word)) return std::string(word) + " and --o0 exclude each other: --o0 is an order and words of its own";
    }
  }
  if (has(given, "--keep-order")) {
    for (const char* word : of_order) {
      if (word != std::string("--keep-order") && has(given, word)) {
        return std::string(word) + " and --keep-order exclude each other: nothing is ordered anew";
      }
    }
  }
  const bool strategy = has(given, "--strategy");
  if (strategy && o.strategy == "keep" && has(given, "--search")) {
    return "--search and --strategy keep exclude each other: nothing is ordered anew";
  }
  if (has(given, "--backend") && strategy) {
    return "--backend and --strategy exclude each other: a, b, c and text are strategies of their own";
  }
  if (has(given, "--mode") && ((has(given, "--backend") && o.backend != "a") || (strategy && o.strategy != "unified"))) {
    return "--mode belongs to the unified engine (--strategy unified, --backend a)";
  }
  if (has(given, "--priority") && (has(given, "--backend") || has(given, "--mode") || o.strategy != options{}.strategy)) {
    return "--priority belongs to list scheduling (--strategy list, the default)";
  }
  return {};
}

}  // namespace

const char* usage() {
  return "usage:\n"
         "  warpwright check    FILE...  [--original OLD] [--json] [--sm NAME]\n"
         "  warpwright schedule FILE...  [-o OUT] [--cubin IN --cubin-out OUT] [--json] [--sm NAME] [SCHEDULING]\n"
         "  warpwright layout   FILE...  [-o OUT] [--cubin IN --cubin-out OUT] [--json] [--sm NAME] [LAYOUT]\n"
         "  warpwright rebuild  FILE...  [-o OUT] [--cubin IN --cubin-out OUT] [--json] [--sm NAME] [REBUILDING]\n"
         "  warpwright compare  FILE...  [--json] [--sm NAME] [SCHEDULING]\n"
         "  warpwright report   FILE...  [--html OUT] [--trace OUT] [--dot OUT] [--json] [--sm NAME] [SCHEDULING]\n"
         "  warpwright list     archs | strategies | modes | backends | constraints | priorities | phases\n"
         "\n"
         "FILE is nvdisasm -c -hex or cuobjdump -sass output (- is standard input), or a cubin for `check`.\n"
         "The SM is read from the input; --sm names it where the input does not.\n"
         "--original OLD the listing that FILE was made from: check also finds what reads another value, or acts in another "
         "order,\n"
         "               and functions that are missing (for moved code: schedule, edits; not for rebuild and layout)\n"
         "--jobs N       files worked on at once (default: all cores)\n"
         "--quiet        no count of finished files and of places tried on a terminal\n"
         "--             what follows are files, whatever they begin with\n"
         "An option stands once; its value is the next word, or follows a '=' (--warps 4, --warps=4).\n"
         "--version, --help\n"
         "\n"
         "SCHEDULING, one of:\n"
         "--strategy NAME    `list strategies` names them; list is the default, and takes --priority NAME\n"
         "--backend NAME     of the reference text: a, b, c, or text (the one of the SM)\n"
         "--mode NAME        of the unified engine: ilp, reduce_reg or dyn_batch (reduce-reg and dynbatch are understood)\n"
         "--keep-order       the order as it is, new control words where the model finds them better\n"
         "--o0               program order, conservative control words\n"
         "and beside it:\n"
         "--scoreboard NAME  (not with --o0) fixes how counters are given, also where the model finds the words that came "
         "cheaper:\n"
         "                   text (as the reference text does), shared (one for results with the same first consumer), "
         "minimal\n"
         "                   (the cheapest by the model of several policies and their neighbours). Without it they are "
         "given "
         "as\n"
         "                   the strategy does, and with --keep-order as minimal does, the words that came included\n"
         "--warps N          schedule and model for N warps of one sub-core; without it, the occupancy of the kernel\n"
         "--loads NAME       (not with --o0) hit: every load finds its data in the first-level cache, as the model counts; "
         "both:\n"
         "                   the result is never dearer than the input when they miss either. Without it both, and hit with "
         "--warps\n"
         "--search N         (not with --o0 or --keep-order) tries N other places for instructions of the result, and keeps "
         "what "
         "the\n"
         "                   model does not find dearer; takes time for each instruction of the function with each try.\n"
         "                   Ctrl-C ends it and keeps what it has found\n"
         "--profile FILE     lines of `section block count` that weigh the blocks, and of `section from->to probability`\n"
         "\n"
         "LAYOUT, which blocks stand where; --profile, --scoreboard, --warps and --loads beside it:\n"
         "--cold-arms NAME   where the cold arm of an if/else goes: behind the function (the default), or beside the hot "
         "one\n"
         "--in-loops NAME    off (the default), or mac-first: blocks that multiply and accumulate in front of the others\n"
         "\n"
         "REBUILDING, order, registers and words made anew; --profile, --warps, --loads and --search beside it:\n"
         "--max-regs N       general registers that a kernel may ask for; without it as many as keep its occupancy\n"
         "-O0 .. -O3         0: registers and order as they are, conservative words; 1: new registers for the order that "
         "came;\n"
         "                   2 (the default): ordered before and behind the allocation; 3: the cheapest of several "
         "allocations\n"
         "\n"
         "REPORT, before and after scheduling; at least one of:\n"
         "--html OUT         a page that needs nothing else: what costs cycles, instruction by instruction, and why\n"
         "--trace OUT        trace events for chrome://tracing and Perfetto, a microsecond for a cycle\n"
         "--dot OUT          the dependence graphs for Graphviz\n"
         "exit: 0 nothing found, 1 hazards found, 2 unusable input or command line\n";
}

options parse(int argc, char** argv) {
  options o;
  if (argc < 2) {
    o.error = "a command is missing";
    return o;
  }
  o.what = command_of(argv[1]);
  if (o.what == command::none) {
    o.error =
        std::string("unknown command '") + argv[1] + "'; one of check, schedule, layout, rebuild, compare, report, list";
    return o;
  }
  struct text_option {
    const char* name;
    std::string options::*field;
  };
  static constexpr text_option texts[] = {
      {"-o", &options::output},
      {"--cubin", &options::cubin_in},
      {"--cubin-out", &options::cubin_out},
      {"--sm", &options::sm},
      {"--strategy", &options::strategy},
      {"--priority", &options::priority},
      {"--backend", &options::backend},
      {"--mode", &options::mode},
      {"--profile", &options::profile},
      {"--scoreboard", &options::scoreboard},
      {"--loads", &options::loads},
      {"--original", &options::original},
      {"--cold-arms", &options::cold_arms},
      {"--in-loops", &options::in_loops},
      {"--html", &options::html},
      {"--trace", &options::trace},
      {"--dot", &options::dot},
  };
  struct number_option {
    const char* name;
    unsigned options::*field;
    unsigned limit;
  };
  static constexpr number_option numbers[] = {{"--warps", &options::warps, 64},
                                              {"--jobs", &options::jobs, 256},
                                              {"--max-regs", &options::max_regs, 255},
                                              {"--search", &options::tries, 1000000}};
  struct flag_option {
    const char* name;
    bool options::*field;
  };
  static constexpr flag_option flags[] = {{"--json", &options::json}, {"--o0", &options::o0}, {"--quiet", &options::quiet}};

  bool only_files = false;
  std::vector<std::string> given;
  unsigned levels = 0;
  for (int i = 2; i < argc; ++i) {
    const std::string whole = argv[i];
    if (only_files || whole == "-" || whole.empty() || whole[0] != '-') {
      o.files.push_back(whole);
      continue;
    }
    // --name=value, and --name with the value in the next word
    const std::size_t equals = whole.compare(0, 2, "--") == 0 ? whole.find('=') : std::string::npos;
    const bool joined = equals != std::string::npos;
    const std::string word = whole.substr(0, equals);
    const char* value = joined ? argv[i] + equals + 1 : i + 1 < argc ? argv[i + 1] : "";
    if (word == "--" && !joined) {
      only_files = true;
      continue;
    }
    if ((word == "--help" && !joined) || word == "-h") {
      o.what = command::help;
      return o;
    }
    const bool twice = has(given, word);
    given.push_back(word);
    bool known = false;
    bool takes_value = false;
    for (const flag_option& f : flags) {
      if (word == f.name) {
        o.*f.field = true;
        known = true;
      }
    }
    for (const text_option& t : texts) {
      if (word == t.name) {
        known = takes_value = true;
        if (value[0] == '\0') {
          o.error = word + " needs a value";
          return o;
        }
        o.*t.field = value;
      }
    }
    for (const number_option& n : numbers) {
      if (word == n.name) {
        known = takes_value = true;
        if (!number(value, n.limit, o.*n.field)) {
          o.error = word + " needs a number from 0 to " + std::to_string(n.limit);
          return o;
        }
      }
    }
    if (word == "--keep-order") {
      known = true;
      o.strategy = "keep";
    }
    if (word.size() == 3 && word.compare(0, 2, "-O") == 0 && word[2] >= '0' && word[2] <= '3') {
      known = true;
      o.effort = static_cast<unsigned>(word[2] - '0');
      o.o0 = o.effort == 0;
      ++levels;
    }
    if (!known) {
      o.error = "unknown option '" + whole + "'" + (whole.compare(0, 3, "-o=") == 0 ? "; write -o " + whole.substr(3) : "");
    } else if (joined && !takes_value) {
      o.error = word + " takes no value";
    } else if (twice) {
      o.error = word + " is given twice";
    }
    if (!o.error.empty()) return o;
    if (takes_value && !joined) ++i;
  }
  if (!o.output.empty() && is_standard_output(o.output)) o.output = "-";
  if (!o.cubin_out.empty() && is_standard_output(o.cubin_out)) o.cubin_out = "-";
  for (std::string* out : {&o.html, &o.trace, &o.dot}) {
    if (!out->empty() && is_standard_output(*out)) *out = "-";
  }
  const auto from_standard =
      std::count(o.files.begin(), o.files.end(), "-") + (o.cubin_in == "-") + (o.profile == "-") + (o.original == "-");
  const auto replaces = [&](const std::string& out) {
    return std::any_of(o.files.begin(), o.files.end(), [&](const std::string& in) { return one_file(out, in); });
  };
  if (o.mode == "reduce-reg") o.mode = "reduce_reg";
  if (o.mode == "dynbatch") o.mode = "dyn_batch";
  const std::string wrong = misplaced(o.what, given);
  if (!wrong.empty()) {
    o.error = std::string(argv[1]) + " has no option " + wrong;
  } else if (const std::string both = contradiction(o, given); !both.empty()) {
    o.error = both;
  } else if (o.files.empty() && (o.what == command::check || o.what == command::schedule || o.what == command::layout ||
                                 o.what == command::rebuild || o.what == command::compare || o.what == command::report)) {
    o.error = "an input file is missing";
  } else if (levels > 1) {
    o.error = "one of -O0, -O1, -O2, -O3";
  } else if (o.effort == 0 && o.max_regs != 0) {
    o.error = "--max-regs and -O0 exclude each other: -O0 leaves the registers as they are";
  } else if (o.effort == 0 && has(given, "--search")) {
    o.error = "--search and -O0 exclude each other: -O0 leaves the order as it is";
  } else if (o.what == command::report && o.html.empty() && o.trace.empty() && o.dot.empty()) {
    o.error = "report needs one of --html, --trace, --dot with the file to write";
  } else if ((o.html == "-") + (o.trace == "-") + (o.dot == "-") > 1) {
    o.error = "only one of --html, --trace and --dot can be standard output";
  } else if (replaces(o.html) || replaces(o.trace) || replaces(o.dot)) {
    o.error = "one of --html, --trace and --dot is the listing that is read, and would replace it";
  } else if (!o.original.empty() && o.files.size() != 1) {
    o.error = "--original takes one input file";
  } else if (o.original == "-" && o.files.front() == "-") {
    o.error = "the file and its original cannot both be standard input";
  } else if (from_standard > 1) {
    o.error = "standard input (-) is read once, and named more than once";
  } else if (o.what == command::list && o.files.size() != 1) {
    o.error = "list needs one of archs, strategies, modes, backends, constraints, priorities, phases";
  } else if ((o.what == command::schedule || o.what == command::layout || o.what == command::rebuild) &&
             o.files.size() > 1 && !(o.output.empty() && o.cubin_out.empty())) {
    o.error = "-o and --cubin-out take one input file";
  } else if (!o.scoreboard.empty() && o.scoreboard != "text" && o.scoreboard != "shared" && o.scoreboard != "minimal") {
    o.error = "--scoreboard is one of text, shared, minimal; not '" + o.scoreboard + "'";
  } else if (!o.loads.empty() && o.loads != "hit" && o.loads != "both") {
    o.error = "--loads is one of hit, both; not '" + o.loads + "'";
  } else if (!o.cold_arms.empty() && o.cold_arms != "behind" && o.cold_arms != "beside") {
    o.error = "--cold-arms is one of behind, beside; not '" + o.cold_arms + "'";
  } else if (!o.in_loops.empty() && o.in_loops != "off" && o.in_loops != "mac-first") {
    o.error = "--in-loops is one of off, mac-first; not '" + o.in_loops + "'";
  } else if (o.output == "-" && o.cubin_out == "-") {
    o.error = "-o and --cubin-out cannot both be standard output";
  } else if (o.cubin_in.empty() != o.cubin_out.empty()) {
    o.error = "--cubin and --cubin-out go together";
  } else if (one_file(o.output, o.cubin_in)) {
    o.error = "-o is the file of --cubin, and a listing would replace it";
  } else if (replaces(o.cubin_out)) {
    o.error = "--cubin-out is the listing that is read, and a cubin would replace it";
  } else if (const std::string * outputs[] = {&o.output, &o.cubin_out, &o.html, &o.trace, &o.dot};
             std::any_of(std::begin(outputs), std::end(outputs),
                         [&](const std::string* out) { return one_file(*out, o.profile); })) {
    o.error = "the file of --profile is read, and an output would replace it";
  }
  return o;
}

}  // namespace cli
