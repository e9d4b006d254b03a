# SPDX-License-Identifier: Apache-2.0
set(DTRMC_WAVE_UNITS "exact-l4" CACHE STRING
  "Scoring units that cosim --wave can record (each is verilated once more): names separated by ;, or all")

# A module with waveforms is loaded at run time, so it and the program must have been compiled with the same classes:
# both hold this text, and the program refuses a module with another one.
set(interface "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_CXX_STANDARD} ${CMAKE_BUILD_TYPE}")
foreach(header rtl/model/wave_unit.h rtl/model/rtl_unit.h rtl/model/axi_lite_pins.h rtl/model/score_key.h
    host/record/window.h)
  set_property(DIRECTORY ${CMAKE_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${header})
  file(SHA256 ${CMAKE_SOURCE_DIR}/${header} header)
  string(APPEND interface " ${header}")
endforeach()
string(SHA256 interface "${interface}")
set(DTRMC_WAVE_INTERFACE "DTRMC_WAVE_INTERFACE=\"${interface}\"" CACHE INTERNAL "")

set(DTRMC_COVERAGE_UNITS "" CACHE STRING
  "Scoring units that count coverage (tests/rtl/coverage), and then the only ones: names separated by ;")
set(DTRMC_COVERAGE_KINDS "line;toggle" CACHE STRING "What they count: line, toggle (ten times the code), or both")

# dtrmc_coverage(NAME VERILATED ARGUMENTS OPTIMISE): the target VERILATED simulates unit NAME; if that is to count
# coverage, sets the variable ARGUMENTS to Verilator's, and OPTIMISE to what verilate() is told so that what runs in
# every cycle is optimised (most of the code only names the counters, and is compiled as it is).
function(dtrmc_coverage name verilated arguments optimise)
  if(NOT name IN_LIST DTRMC_COVERAGE_UNITS)
    return()
  endif()
  target_compile_definitions(${verilated} INTERFACE DTRMC_COUNT_COVERAGE)
  list(TRANSFORM DTRMC_COVERAGE_KINDS PREPEND --coverage- OUTPUT_VARIABLE kinds)
  # Wide enough for the entries of four lanes side by side; memories of more bits count by their ports.
  set(${arguments} ${kinds} --coverage-max-width 1300 PARENT_SCOPE)
  set(${optimise} OPT_FAST -O1 PARENT_SCOPE)
endfunction()

# Once all units are there: a misspelt name would measure nothing.
function(dtrmc_check_coverage_units)
  foreach(name ${DTRMC_COVERAGE_UNITS})
    string(MAKE_C_IDENTIFIER "${name}" identifier)
    if(NOT TARGET dtrmc_unit_${identifier} AND NOT name STREQUAL "scoring_unit_apb")
      message(FATAL_ERROR "DTRMC_COVERAGE_UNITS: there is no scoring unit ${name}")
    endif()
  endforeach()
endfunction()

option(DTRMC_UNIT_ASSERTIONS "All scoring units, not only those of tests, stop at an assertion that does not hold" OFF)

# Packages, which come before any module.
set(DTRMC_SCORING_UNIT_PACKAGES
  ${CMAKE_SOURCE_DIR}/rtl/generated/scoring_unit_regs_pkg.sv
  ${CMAKE_SOURCE_DIR}/rtl/generated/scoring_unit_log2_pkg.sv
  ${CMAKE_SOURCE_DIR}/rtl/src/scoring_unit_pkg.sv
  CACHE INTERNAL "")

# dtrmc_add_scoring_unit(NAME [PARAMETERS P=V...] [TOP module] [SOURCES files...] [VERILATOR_ARGS ...] [TEST_ONLY])
# Verilates one configuration of a scoring unit and registers it: C++ finds it as dtrmc::unit::make_unit("NAME").
#
# Without SOURCES it is rtl/src/scoring_unit.sv. With SOURCES, TOP (default scoring_unit) is looked for there first;
# the packages and modules of rtl/src can be used by those files. TOP has the ports and the register map of our unit.
# TEST_ONLY: known only to programs that link dtrmc_units_test, and not listed to users. Its assertions
# (rtl/src/scoring_unit_assert.svh) are on, those of others with DTRMC_UNIT_ASSERTIONS.
function(dtrmc_add_scoring_unit name)
  cmake_parse_arguments(ARG "TEST_ONLY" "TOP" "PARAMETERS;SOURCES;VERILATOR_ARGS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dtrmc_add_scoring_unit(${name}): unknown argument ${ARG_UNPARSED_ARGUMENTS}")
  endif()
  set(registry dtrmc_units)
  if(ARG_TEST_ONLY)
    set(registry dtrmc_units_test)
    set(DTRMC_NO_EXPORT ON)
    if(NOT DTRMC_TESTS)
      return()
    endif()
  endif()
  # What a measurement does not look at need not be compiled for it: that is most of the time.
  if(DTRMC_COVERAGE_UNITS AND NOT name IN_LIST DTRMC_COVERAGE_UNITS)
    return()
  endif()
  string(MAKE_C_IDENTIFIER "${name}" identifier)
  if(TARGET dtrmc_unit_${identifier})
    message(FATAL_ERROR "dtrmc_add_scoring_unit(${name}): there is a scoring unit of this name already")
  endif()
  if(NOT ARG_TOP)
    set(ARG_TOP scoring_unit)
  endif()
  set(rtl ${CMAKE_SOURCE_DIR}/rtl)
  set(sources ${DTRMC_SCORING_UNIT_PACKAGES})
  foreach(source ${ARG_SOURCES})
    get_filename_component(source ${source} ABSOLUTE BASE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
    list(APPEND sources ${source})
  endforeach()
  if(NOT ARG_SOURCES)
    list(APPEND sources ${rtl}/src/scoring_unit.sv)
  endif()
  # For the behavioural model; a module of another source has none.
  string(JOIN " " parameters ${ARG_PARAMETERS})
  set(parameters "\"${parameters}\"")
  if(ARG_SOURCES)
    set(parameters nullptr)
  endif()
  list(TRANSFORM ARG_PARAMETERS PREPEND -G)

  # What is never to be reached does not count as not covered.
  set(assertions)
  if((DTRMC_UNIT_ASSERTIONS OR ARG_TEST_ONLY) AND NOT name IN_LIST DTRMC_COVERAGE_UNITS)
    set(assertions -DSCORING_UNIT_ASSERTIONS)
  endif()

  # Generated code: optimised in every build type (it is 50 times slower otherwise), warnings are not ours.
  add_library(dtrmc_verilated_${identifier} STATIC)
  set(coverage)
  set(optimise)
  dtrmc_coverage(${name} dtrmc_verilated_${identifier} coverage optimise)
  verilate(dtrmc_verilated_${identifier}
    SOURCES ${sources}
    TOP_MODULE ${ARG_TOP}
    PREFIX V${identifier}
    INCLUDE_DIRS ${rtl}/src
    VERILATOR_ARGS -O3 --x-assign fast --x-initial fast ${assertions} ${coverage} ${ARG_PARAMETERS}
      ${ARG_VERILATOR_ARGS}
    ${optimise})
  target_compile_options(dtrmc_verilated_${identifier} PRIVATE $<IF:$<BOOL:${coverage}>,-O0,-O3> -w)
  # Nobody but the file below sees the generated headers and Verilator's.
  get_target_property(includes dtrmc_verilated_${identifier} INTERFACE_INCLUDE_DIRECTORIES)
  set_target_properties(dtrmc_verilated_${identifier} PROPERTIES SYSTEM TRUE EXPORT_COMPILE_COMMANDS OFF
    INTERFACE_INCLUDE_DIRECTORIES "$<BUILD_INTERFACE:${includes}>")

  set(DTRMC_UNIT_NAME ${name})
  set(DTRMC_UNIT_IDENTIFIER ${identifier})
  configure_file(${rtl}/model/unit_instance.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/unit_${identifier}.cpp @ONLY)
  dtrmc_library(dtrmc_unit_${identifier} SOURCES ${CMAKE_CURRENT_BINARY_DIR}/unit_${identifier}.cpp
    DEPENDS dtrmc_verilated_${identifier})
  dtrmc_export_library(dtrmc_verilated_${identifier})

  # The same unit with tracing, for waveforms: a module that cosim --wave loads, so that the unit above stays fast.
  if((name IN_LIST DTRMC_WAVE_UNITS OR DTRMC_WAVE_UNITS STREQUAL "all") AND NOT ARG_TEST_ONLY)
    configure_file(${rtl}/model/wave_instance.cpp.in ${CMAKE_CURRENT_BINARY_DIR}/wave_${identifier}.cpp @ONLY)
    add_library(dtrmc_wave_${identifier} MODULE
      ${CMAKE_CURRENT_BINARY_DIR}/wave_${identifier}.cpp ${rtl}/model/fst_to_vcd.cpp)
    verilate(dtrmc_wave_${identifier}
      SOURCES ${sources}
      TOP_MODULE ${ARG_TOP}
      PREFIX V${identifier}
      INCLUDE_DIRS ${rtl}/src
      TRACE_FST
      VERILATOR_ARGS -O3 --x-assign fast --x-initial fast ${assertions} ${ARG_PARAMETERS} ${ARG_VERILATOR_ARGS})
    target_compile_options(dtrmc_wave_${identifier} PRIVATE -O2 -w)
    target_compile_definitions(dtrmc_wave_${identifier} PRIVATE ${DTRMC_WAVE_INTERFACE})
    target_include_directories(dtrmc_wave_${identifier} PRIVATE ${CMAKE_SOURCE_DIR})
    target_link_libraries(dtrmc_wave_${identifier} PRIVATE ZLIB::ZLIB)
    # Its own copy of Verilator's run-time library must not meet the program's.
    target_link_options(dtrmc_wave_${identifier} PRIVATE -Wl,-Bsymbolic)
    set_target_properties(dtrmc_wave_${identifier} PROPERTIES PREFIX "" OUTPUT_NAME dtrmc-wave-${name}
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR} CXX_VISIBILITY_PRESET default EXPORT_COMPILE_COMMANDS OFF)
    set_property(GLOBAL APPEND PROPERTY DTRMC_WAVE_MODULES dtrmc_wave_${identifier})
  endif()

  target_link_libraries(${registry} PUBLIC dtrmc_unit_${identifier})
  # The table of units is generated at the end of configuration, from what all calls have left here.
  set_property(TARGET ${registry} APPEND PROPERTY DTRMC_UNITS "DTRMC_UNIT(${identifier}, \"${name}\", ${parameters})")
endfunction()
