# SPDX-License-Identifier: Apache-2.0
# Defines dtrmc::systemc, for the build and for the installed package alike. SYSTEMC_HOME (environment) says where an
# installation of your own lies.
#
# The C++ standard that SystemC was built for is part of its ABI, so it must be the user's; SystemC's own link-time
# check would only say "undefined reference to sc_api_version_...".
find_path(SYSTEMC_INCLUDE_DIR systemc HINTS $ENV{SYSTEMC_HOME}/include)
find_library(SYSTEMC_LIBRARY systemc HINTS $ENV{SYSTEMC_HOME}/lib $ENV{SYSTEMC_HOME}/lib-linux64)
if(NOT SYSTEMC_INCLUDE_DIR OR NOT SYSTEMC_LIBRARY)
  message(FATAL_ERROR "dtrmc: SystemC (set SYSTEMC_HOME if it is installed elsewhere) not found. Install it with: "
    "apt-get install libsystemc-dev   (or run: ./run build)")
endif()
include(CheckCXXSourceCompiles)
find_package(Threads REQUIRED)
set(CMAKE_REQUIRED_INCLUDES ${SYSTEMC_INCLUDE_DIR})
set(CMAKE_REQUIRED_LIBRARIES ${SYSTEMC_LIBRARY} Threads::Threads)
set(CMAKE_REQUIRED_FLAGS "-std=c++17")
check_cxx_source_compiles("#include <systemc>\nint sc_main(int, char**) { sc_core::sc_start(); return 0; }" DTRMC_SYSTEMC_LINKS)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT DTRMC_SYSTEMC_LINKS)
  message(FATAL_ERROR "dtrmc: ${SYSTEMC_LIBRARY} was found but does not link with C++17 code: it was built for another "
    "C++ standard. Use Debian's libsystemc-dev, or rebuild SystemC with -DCMAKE_CXX_STANDARD=17 and set SYSTEMC_HOME.")
endif()
if(NOT TARGET dtrmc::systemc)
  add_library(dtrmc::systemc INTERFACE IMPORTED GLOBAL)
  target_include_directories(dtrmc::systemc SYSTEM INTERFACE ${SYSTEMC_INCLUDE_DIR})
  target_link_libraries(dtrmc::systemc INTERFACE ${SYSTEMC_LIBRARY} Threads::Threads)
  # TLM sockets spawn methods; the process macros of sc_spawn are needed for that.
  target_compile_definitions(dtrmc::systemc INTERFACE SC_INCLUDE_DYNAMIC_PROCESSES)
endif()
