// SPDX-License-Identifier: Apache-2.0
// Uses the FST reader that comes with Verilator's run-time library.
#include <cstdio>

#include "gtkwave/fstapi.h"
#include "rtl/model/fst_trace.h"

namespace dtrmc::unit {

bool fst_to_vcd(const char* fst_path, const char* vcd_path) {
  void* reader = fstReaderOpen(fst_path);
  if (reader == nullptr) return false;
  std::FILE* out = std::fopen(vcd_path, "wb");
  bool good = out != nullptr;
  if (good) {
    good = fstReaderProcessHier(reader, out) != 0;
    fstReaderSetFacProcessMaskAll(reader);
    good = fstReaderIterBlocks(reader, nullptr, nullptr, out) != 0 && good;
    good = std::fclose(out) == 0 && good;
  }
  fstReaderClose(reader);
  return good;
}

} // namespace dtrmc::unit
