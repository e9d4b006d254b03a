// SPDX-License-Identifier: Apache-2.0
#include "host/trace/lookup.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <vector>

#include "host/trace/trace_error.h"

namespace dtrmc::trace {

namespace fs = std::filesystem;

std::string find_trace(const std::string& path_or_name) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path_or_name, ignored);
  const bool path_only = path_or_name.find('/') != std::string::npos;
  if (fs::exists(status) && (path_only || !fs::is_directory(status))) return path_or_name;
  if (path_or_name.empty()) throw TraceError("trace", 0, "the name is empty; give a file or a name from traces/");
  if (path_only) throw TraceError(path_or_name, 0, "no such file");

  const char* shared = std::getenv("DTRMC_SHARED");
  const std::vector<fs::path> folders = {"traces", fs::path(DTRMC_SOURCE_DIR) / "traces",
                                         fs::path(shared != nullptr ? shared : "../shared") / "traces" / "public"};
  std::string tried;
  for (const fs::path& folder : folders) {
    for (const char* extension : {"", ".log", ".jsonl", ".log.gz", ".jsonl.gz", ".log.zst", ".jsonl.zst"}) {
      const fs::path candidate = folder / (path_or_name + extension);
      if (fs::is_regular_file(candidate, ignored)) return candidate.string();
    }
    tried += fmt::format("{}{}", tried.empty() ? "" : ", ", folder.string());
  }
  if (fs::is_directory(status)) throw TraceError(path_or_name, 0, "is a directory; name a trace file in it");
  throw TraceError(path_or_name, 0,
                   fmt::format("no such file, and no such trace (.log or .jsonl, also .gz or .zst) in {}", tried));
}

} // namespace dtrmc::trace
