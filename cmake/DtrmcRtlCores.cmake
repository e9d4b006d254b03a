# SPDX-License-Identifier: Apache-2.0
# Finds the RTL of third-party CPU cores in installed Python packages. Nothing is copied: the build reads it where pip
# put it. DTRMC_IBEX_RTL, DTRMC_PICORV32_RTL: AUTO (use it when installed), ON (its absence is an error), OFF.
#
# dtrmc_find_rtl_package(NAME PACKAGE MODULE SUBFOLDER): sets DTRMC_<NAME>_RTL_FOLDER, empty where there is none.
set(DTRMC_IBEX_RTL AUTO CACHE STRING "Verilate Ibex for --cpu ibex-rtl: AUTO, ON, OFF")
set(DTRMC_PICORV32_RTL AUTO CACHE STRING "Verilate PicoRV32 for the tests of its timing: AUTO, ON, OFF")
set_property(CACHE DTRMC_IBEX_RTL DTRMC_PICORV32_RTL PROPERTY STRINGS AUTO ON OFF)

set(dtrmc_rtl_python python3)
if(EXISTS ${CMAKE_SOURCE_DIR}/.venv/bin/python)
  set(dtrmc_rtl_python ${CMAKE_SOURCE_DIR}/.venv/bin/python)
endif()

function(dtrmc_find_rtl_package name package module)
  set(folder "")
  if(NOT DTRMC_${name}_RTL STREQUAL "OFF")
    execute_process(COMMAND ${dtrmc_rtl_python} -c "import ${module}; print(${module}.data_location)"
      OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE result)
    if(NOT result EQUAL 0 OR NOT IS_DIRECTORY "${folder}")
      set(folder "")
    endif()
    if(NOT folder AND DTRMC_${name}_RTL STREQUAL "ON")
      message(FATAL_ERROR "dtrmc: DTRMC_${name}_RTL=ON, but ${dtrmc_rtl_python} has no package ${package}. Install it with: "
        "python3 -m venv --system-site-packages .venv; .venv/bin/python -m pip install -r systemc/cpu_rtl/requirements.txt")
    endif()
    if(folder)
      message(STATUS "dtrmc: RTL of ${package} in ${folder}")
    else()
      message(STATUS "dtrmc: no RTL of ${package} (optional; .venv/bin/python -m pip install -r systemc/cpu_rtl/requirements.txt)")
    endif()
  endif()
  set(DTRMC_${name}_RTL_FOLDER "${folder}" PARENT_SCOPE)
endfunction()
