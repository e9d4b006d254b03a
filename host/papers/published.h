// SPDX-License-Identifier: Apache-2.0
// A published number against ours, in the digits it was published with.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace dtrmc::papers {

using Json = nlohmann::ordered_json;

// Numbers agree if ours rounds to the published digits ("2.24": 2.235 .. 2.245; all 16 or more digits: the same
// double); anything else must be the same text.
bool agrees(const std::string& published, const Json& ours);

// Part of a JSON value: keys and numbers of elements divided by points; [key=value,...] picks the first element of an
// array that has them all: differences[operator=2266,nesting=1].works.shortfall. Null where there is no such part.
Json part_of(const Json& value, const std::string& path);

std::string shown(const Json& value);

} // namespace dtrmc::papers
