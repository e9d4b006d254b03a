// SPDX-License-Identifier: Apache-2.0
#include "host/record/run_record.h"

namespace dtrmc::record {

const char* to_string(Status status) {
  switch (status) {
    case Status::kOk:
      return "ok";
    case Status::kOom:
      return "oom";
    case Status::kThrash:
      return "thrash";
    case Status::kMetadataFull:
      return "metadata_full";
  }
  return "unknown";
}

} // namespace dtrmc::record
