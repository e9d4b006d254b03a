# SPDX-License-Identifier: Apache-2.0
# What `cmake --install build --prefix P` installs: the binary, the libraries with their headers as the CMake package
# dtrmc, the firmware images, and the scoring unit's RTL with its register map. examples/README.md shows its use.
include(CMakePackageConfigHelpers)
set(dtrmc_share ${CMAKE_INSTALL_DATADIR}/dtrmc)
set(dtrmc_package ${CMAKE_INSTALL_LIBDIR}/cmake/dtrmc)

install(TARGETS dtrmc RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
get_property(dtrmc_wave_modules GLOBAL PROPERTY DTRMC_WAVE_MODULES)
if(dtrmc_wave_modules) # cosim --wave looks for them beside the binary
  install(TARGETS ${dtrmc_wave_modules} LIBRARY DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

foreach(folder firmware host rtl systemc)
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/${folder} DESTINATION ${DTRMC_INSTALL_HEADERS}
    FILES_MATCHING PATTERN "*.h" PATTERN "host/cli" EXCLUDE PATTERN "systemc/cpu_rtl" EXCLUDE)
endforeach()
foreach(image dtrmc_firmware_elf dtrmc_firmware_batch_elf)
  install(FILES $<TARGET_PROPERTY:${image},DTRMC_ELF> DESTINATION ${dtrmc_share}/firmware)
endforeach()
install(FILES ${CMAKE_SOURCE_DIR}/rtl/regs/scoring_unit.rdl ${CMAKE_SOURCE_DIR}/rtl/generated/registers.md
              ${CMAKE_SOURCE_DIR}/rtl/generated/scoring_unit_regs_pkg.sv ${CMAKE_SOURCE_DIR}/rtl/generated/scoring_unit_regs.h
  DESTINATION ${dtrmc_share}/rtl)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/rtl/src DESTINATION ${dtrmc_share}/rtl FILES_MATCHING PATTERN "*.sv" PATTERN "*.svh")

install(EXPORT dtrmcTargets NAMESPACE dtrmc:: DESTINATION ${dtrmc_package})
configure_package_config_file(${CMAKE_SOURCE_DIR}/cmake/dtrmcConfig.cmake.in ${CMAKE_BINARY_DIR}/package/dtrmcConfig.cmake
  INSTALL_DESTINATION ${dtrmc_package} PATH_VARS dtrmc_share)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/dtrmcConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/dtrmcConfig.cmake ${CMAKE_BINARY_DIR}/package/dtrmcConfigVersion.cmake
              ${CMAKE_SOURCE_DIR}/cmake/DtrmcSystemC.cmake
  DESTINATION ${dtrmc_package})
