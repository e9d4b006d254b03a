# SPDX-License-Identifier: Apache-2.0
# One place for compiler flags and for the way libraries and tests are declared.

include(GNUInstallDirs)
set(DTRMC_INSTALL_HEADERS ${CMAKE_INSTALL_INCLUDEDIR}/dtrmc)
add_library(dtrmc_flags INTERFACE)
target_include_directories(dtrmc_flags INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<INSTALL_INTERFACE:${DTRMC_INSTALL_HEADERS}>)
target_compile_features(dtrmc_flags INTERFACE cxx_std_17)
# Warnings are for our own build, not for whoever uses the installed package.
set(dtrmc_warnings -Wall -Wextra -Wpedantic -Wshadow
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> $<$<BOOL:${DTRMC_WERROR}>:-Werror>)
target_compile_options(dtrmc_flags INTERFACE "$<BUILD_INTERFACE:${dtrmc_warnings}>")
if(DTRMC_SANITIZE)
  target_compile_options(dtrmc_flags INTERFACE -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(dtrmc_flags INTERFACE -fsanitize=address,undefined)
endif()

# dtrmc_export(TARGET): the target becomes part of the installed package, as dtrmc::<its name without dtrmc_>.
function(dtrmc_export name)
  string(REGEX REPLACE "^dtrmc_" "" export_name ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${export_name})
  install(TARGETS ${name} EXPORT dtrmcTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/dtrmc)
endfunction()
dtrmc_export(dtrmc_flags)

# Every library is exported, since a static library needs those that it is built on, but for those of the programs
# (tests, benchmarks, command line) and those that hold other people's cores.
function(dtrmc_export_library name)
  file(RELATIVE_PATH folder ${CMAKE_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  if(NOT DTRMC_NO_EXPORT AND NOT folder MATCHES "^(tests|bench|host/cli|systemc/cpu_rtl)(/|$)")
    dtrmc_export(${name})
  endif()
endfunction()

# dtrmc_library(NAME SOURCES... [DEPENDS targets...])
function(dtrmc_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  if(ARG_SOURCES)
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC dtrmc_flags ${ARG_DEPENDS})
  else()
    add_library(${name} INTERFACE)
    target_link_libraries(${name} INTERFACE dtrmc_flags ${ARG_DEPENDS})
  endif()
  dtrmc_export_library(${name})
endfunction()

# dtrmc_test(NAME SOURCES... [DEPENDS targets...] [LABEL quick|nightly] [OWN_MAIN])
# A Catch2 program, one ctest entry. Exit code 77 is a visible skip: a test that finds its reference data absent
# prints why and returns it. OWN_MAIN: the sources define main (SystemC programs need it).
function(dtrmc_test name)
  cmake_parse_arguments(ARG "OWN_MAIN" "LABEL;TIMEOUT" "SOURCES;DEPENDS" ${ARGN})
  if(NOT DTRMC_TESTS)
    return()
  endif()
  if(NOT ARG_LABEL)
    set(ARG_LABEL quick)
  endif()
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 1200)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_link_libraries(${name} PRIVATE dtrmc_flags ${ARG_DEPENDS} Catch2::Catch2)
  if(NOT ARG_OWN_MAIN)
    target_link_libraries(${name} PRIVATE dtrmc_test_main)
  endif()
  add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS ${ARG_LABEL} SKIP_RETURN_CODE 77 TIMEOUT ${ARG_TIMEOUT})
endfunction()
