// SPDX-License-Identifier: BSL-1.0
#include "list.hpp"

#include <cstdio>
#include <warpwright/tools.hpp>

namespace cli {

namespace {

template <class... Ts, class F>
std::string lines(ww::meta::type_list<Ts...>, F&& one) {
  std::string out;
  ((out += one.template operator()<Ts>()), ...);
  return out;
}

template <class A>
std::string arch_line() {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, "%-7s %3u registers, %2u uniform, %2u warps per SM, backend %s, %s\n", A::name,
                static_cast<unsigned>(A::limits::general_registers), static_cast<unsigned>(A::limits::uniform_registers),
                static_cast<unsigned>(A::limits::max_warps), A::defaults::backend == ww::backend_kind::a ? "a" : "b and c",
                A::defaults::post_schedule ? "scheduled after allocation" : "not scheduled after allocation by default");
  return buffer;
}

template <class A>
std::string backend_line() {
  using choice = ww::text_backend<A>;
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, "%-7s codec %-10s before allocation %-14s after %-10s text: %s\n", A::name,
                choice::codec::name, choice::pre_schedule::name, choice::post_schedule::name, choice::strategy::name);
  return buffer;
}

template <class P>
std::string name_line() {
  return std::string(P::name) + "\n";
}

// Name, what it works on, and what it needs beside a block and its dependence graph.
template <class S>
std::string strategy_line(const char* scope) {
  using config = ww::config_of<ww::sm80, S>;
  using space = ww::schedule_workspace<config>;
  std::string needs;
  const auto add = [&](const char* what) { needs += (needs.empty() ? "" : ", ") + std::string(what); };
  if constexpr (ww::region_strategy<S>) {
    if constexpr (requires { S::keeps_instructions; }) {
      add("control flow; in a listing it moves over guarded exits alone");
    } else {
      add("a program in memory: it inserts instructions or leaves some out");
    }
  } else {
    if constexpr (S::uses_priority) add("a priority");
    if constexpr (requires(const ww::program& p, space& s) { S::template prepare<config>(p, s); }) {
      add("liveness or blocks of the whole function");
    }
    if constexpr (
        requires(ww::program & p, space & s) { S::template finish<ww::sm80>(p, s.own); } ||
        requires(ww::program & p, space & s) { S::template finish<ww::sm80>(p, s.own, 1u); }) {
      add("assigned control words");
    }
  }
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, "%-20s %-7s %s\n", S::name, scope, needs.empty() ? "nothing else" : needs.c_str());
  return buffer;
}

template <class... Ss>
std::string memory_only(ww::meta::type_list<Ss...>, const std::string& name) {
  std::string found;
  ((name == Ss::name ? found = Ss::name : found), ...);
  return found;
}

template <class... Ts>
bool is_one(ww::meta::type_list<Ts...>, const std::string& name) {
  return ((name == Ts::name) || ...);
}

template <class P>
std::string phase_line() {
  char buffer[160];
  std::string on = P::acts_on == ww::phase::gate::every ? "every SM" : "";
  if (P::acts_on == ww::phase::gate::post_schedule) {
    on = "SMs with post-scheduling";
  } else if (on.empty()) {
    ww::meta::for_each<ww::all_archs>([&]<class A>() {
      if (ww::phase::runs<P, A>(P::least_level)) {
        on += (on.empty() ? "" : ", ") + std::string(A::name);
      }
    });
  }
  std::snprintf(buffer, sizeof buffer, "%3u %-28s -O%u..-O%u  %-28s %s\n", P::number, P::name, P::least_level, P::most_level,
                on.c_str(), P::here ? "there" : "named only");
  return buffer;
}

}  // namespace

std::string list_text(const std::string& what) {
  if (what == "archs") {
    return lines(ww::all_archs{}, []<class A>() { return arch_line<A>(); });
  }
  if (what == "strategies") {
    return lines(ww::strategy::every{}, []<class S>() { return strategy_line<S>("block"); }) +
           lines(ww::strategy::regional{}, []<class S>() { return strategy_line<S>("region"); });
  }
  if (what == "backends") {
    return "a       unified\n"
           "b       backend_b\n"
           "c       backend_c\n"
           "text    what the reference text runs on the SM:\n" +
           lines(ww::all_archs{}, []<class A>() { return backend_line<A>(); });
  }
  if (what == "modes") {
    return lines(ww::mode::shipped{}, []<class M>() { return name_line<M>(); });
  }
  if (what == "constraints") {
    return lines(ww::constraint::shipped{}, []<class C>() { return name_line<C>(); });
  }
  if (what == "priorities") {
    return lines(ww::priority::shipped{}, []<class P>() { return name_line<P>(); });
  }
  if (what == "phases") {
    return lines(ww::phase::band{}, []<class P>() { return phase_line<P>(); });
  }
  return {};
}

std::string unknown_name(const options& o) {
  const auto no = [](const char* what, const std::string& name, const char* list) {
    return std::string("no ") + what + " '" + name + "'; see `warpwright list " + list + "`";
  };
  if (!is_one(ww::strategy::every{}, o.strategy) && !is_one(ww::strategy::regional{}, o.strategy)) {
    return no("strategy", o.strategy, "strategies");
  }
  if (!o.backend.empty() && o.backend != "a" && o.backend != "b" && o.backend != "c" && o.backend != "text") {
    return no("backend", o.backend, "backends");
  }
  if (!o.mode.empty() && !is_one(ww::mode::shipped{}, o.mode)) {
    return no("mode", o.mode, "modes");
  }
  if (!o.priority.empty() && !is_one(ww::priority::shipped{}, o.priority)) {
    return no("priority", o.priority, "priorities");
  }
  return {};
}

std::string refusal_of(const std::string& strategy) {
  const std::string name = memory_only(ww::strategy::regional_memory{}, strategy);
  if (name.empty()) {
    return {};
  }
  return "strategy '" + name +
         "' inserts instructions or leaves some out, and a listing or a cubin has no place for that: branch distances, "
         "labels "
         "and tables would slide; it works on programs in memory, ww::strategy::" +
         name;
}

}  // namespace cli
