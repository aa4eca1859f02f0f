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

template <class P>
std::string phase_line() {
  char buffer[160];
  const char* on = P::acts_on == ww::phase::gate::every           ? "every SM"
                   : P::acts_on == ww::phase::gate::post_schedule ? "SMs with post-scheduling"
                                                                  : "SMs without post-scheduling";
  std::snprintf(buffer, sizeof buffer, "%3u %-28s -O%u..-O%u  %-28s %s\n", P::number, P::name, P::least_level, P::most_level,
                on, P::here ? "runs" : "named only");
  return buffer;
}

}  // namespace

std::string list_text(const std::string& what) {
  if (what == "archs") {
    return lines(ww::all_archs{}, []<class A>() { return arch_line<A>(); });
  }
  if (what == "strategies") {
    return lines(ww::strategy::every{}, []<class S>() { return name_line<S>(); });
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

}  // namespace cli
