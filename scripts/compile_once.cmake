# SPDX-License-Identifier: BSL-1.0
# Compile what depends on an SM alone once in a build, and its default scheduler with it (warpwright/pipeline/instances.hpp):
#
#   warpwright_compile_once(app sm90 sm80)      # after find_package(warpwright) or add_subdirectory
#
# Each SM named becomes one static library, shared by all targets that name it and linked to `app`. Every unit of `app` that
# includes <warpwright/warpwright.hpp> takes its schedulers from there: ww::scheduler<ww::sm90> is no longer compiled in it, and
# of ww::scheduler<ww::sm90, my_priority> only the engine is. No source changes: the header reads a list of `extern template`
# declarations, whose name it is given. The result is the same, for these functions work on whole programs and were calls before.
function(warpwright_compile_once target)
  if(NOT TARGET "${target}")
    message(FATAL_ERROR "warpwright_compile_once: ${target} is no target; write warpwright_compile_once(target sm90 ...)")
  endif()
  if(NOT ARGN)
    message(FATAL_ERROR "warpwright_compile_once(${target}): names no SM; write warpwright_compile_once(${target} sm90 ...)")
  endif()
  get_target_property(kind "${target}" TYPE)
  if(kind STREQUAL "INTERFACE_LIBRARY")
    message(FATAL_ERROR "warpwright_compile_once(${target}): an interface library compiles nothing; name the target that does")
  endif()
  set(folder "${CMAKE_BINARY_DIR}/warpwright_compiled")
  get_target_property(sms "${target}" WARPWRIGHT_COMPILED)
  if(NOT sms)
    set(sms)
  endif()
  foreach(sm IN LISTS ARGN)
    set(known FALSE)
    get_target_property(includes warpwright::warpwright INTERFACE_INCLUDE_DIRECTORIES)
    foreach(include "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../include" ${includes})  # the sources, or where they were installed
      if(sm MATCHES "^sm[0-9]+[a-z]?$" AND EXISTS "${include}/warpwright/arch/${sm}.hpp")
        set(known TRUE)
      endif()
    endforeach()
    if(NOT known)
      message(FATAL_ERROR "warpwright_compile_once(${target}): ${sm} is no SM of the kit; write e.g. sm90")
    endif()
    if(NOT TARGET warpwright_compiled_${sm})
      file(CONFIGURE OUTPUT "${folder}/${sm}.cpp" CONTENT
"#include <warpwright/warpwright.hpp>
WW_INSTANTIATE_SM(ww::@sm@)
WW_INSTANTIATE_SCHEDULER(ww::@sm@)
" @ONLY)
      add_library(warpwright_compiled_${sm} STATIC "${folder}/${sm}.cpp")
      target_link_libraries(warpwright_compiled_${sm} PRIVATE warpwright::warpwright)
      set_target_properties(warpwright_compiled_${sm} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    endif()
    list(APPEND sms "${sm}")
  endforeach()
  list(REMOVE_DUPLICATES sms)
  set_target_properties("${target}" PROPERTIES WARPWRIGHT_COMPILED "${sms}")
  set(text "// Made by warpwright_compile_once: what this target does not compile again.\n")
  foreach(sm IN LISTS sms)
    string(APPEND text "WW_EXTERN_SM(ww::${sm})\nWW_EXTERN_SCHEDULER(ww::${sm})\n")
    target_link_libraries("${target}" PRIVATE warpwright_compiled_${sm})
  endforeach()
  file(CONFIGURE OUTPUT "${folder}/${target}.hpp" CONTENT "${text}" @ONLY)
  target_compile_definitions("${target}" PRIVATE "WARPWRIGHT_COMPILED_ONCE=\"${folder}/${target}.hpp\"")
endfunction()
