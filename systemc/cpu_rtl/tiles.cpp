// SPDX-License-Identifier: Apache-2.0
#include "systemc/cpu_rtl/tiles.h"

namespace dtrmc::cpu_rtl {

namespace {

struct Entry {
  const char* name;
  std::unique_ptr<Tile> (*make)();
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all = {
#ifdef DTRMC_HAVE_IBEX
      {"ibex-small", make_ibex_small},
      {"ibex-maxperf", make_ibex_maxperf},
#endif
#ifdef DTRMC_HAVE_PICORV32
      {"picorv32", make_picorv32},
#endif
  };
  return all;
}

} // namespace

std::vector<std::string> tile_names() {
  std::vector<std::string> names;
  for (const Entry& entry : entries()) names.emplace_back(entry.name);
  return names;
}

std::unique_ptr<Tile> make_tile(const std::string& name) {
  for (const Entry& entry : entries()) {
    if (name == entry.name) return entry.make();
  }
  return nullptr;
}

std::string how_to_get(const std::string& name) {
  const std::string package = name.rfind("ibex", 0) == 0 ? "pythondata-cpu-ibex" : "pythondata-cpu-picorv32";
  return "the RTL of " + name + " is not in this build; install the Python package " + package +
         " (.venv/bin/python -m pip install -r systemc/cpu_rtl/requirements.txt) and configure and build again";
}

} // namespace dtrmc::cpu_rtl
