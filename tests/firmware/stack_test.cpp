// SPDX-License-Identifier: Apache-2.0
// The image's call graph, as the compiler wrote it (-fcallgraph-info=su): no recursion, no floating point, no heap,
// and a deepest path that fits the stack.
#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "firmware/config.h"

namespace {

constexpr char kIndirect[] = "__indirect_call";
constexpr std::uint64_t kRuntimeBytes = 64; // assumed for a function of libgcc, all of which are leaves

struct Graph {
  std::map<std::string, std::uint64_t> frame; // bytes, of functions that the image defines
  std::map<std::string, std::set<std::string>> calls;
  std::set<std::string> named; // every node
};

Graph read_graph(const std::filesystem::path& folder) {
  const std::regex node("node: \\{ title: \"([^\"]+)\" label: \"([^\"]*)\"");
  const std::regex bytes("([0-9]+) bytes \\(static\\)");
  const std::regex edge("edge: \\{ sourcename: \"([^\"]+)\" targetname: \"([^\"]+)\"");
  Graph graph;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".ci") continue;
    ++files;
    const std::string file = entry.path().filename().string();
    const bool heuristic = file.rfind("heuristic_", 0) == 0 || file.rfind("region", 0) == 0;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      std::smatch match;
      if (std::regex_search(line, match, edge)) {
        graph.calls[match[1]].insert(match[2]);
      } else if (std::regex_search(line, match, node)) {
        const std::string name = match[1];
        const std::string label = match[2];
        graph.named.insert(name);
        CHECK(label.find("dynamic") == std::string::npos);
        std::smatch size;
        if (std::regex_search(label, size, bytes)) {
          graph.frame[name] = std::stoull(size[1]);
          if (heuristic) graph.calls[kIndirect].insert(name); // its hooks are among them; more does no harm
        }
      }
    }
  }
  REQUIRE(files > 10);
  return graph;
}

// The deepest path from a function; -1 bytes mark one that is on the path, which finds recursion.
struct Path {
  std::int64_t bytes = -1;
  std::string text;
};
Path deepest(const Graph& graph, const std::string& function, std::map<std::string, Path>& known) {
  const auto found = known.find(function);
  if (found != known.end()) {
    INFO("recursion through " << function);
    REQUIRE(found->second.bytes >= 0);
    return found->second;
  }
  known[function] = Path();
  Path below{0, ""};
  const auto calls = graph.calls.find(function);
  if (calls != graph.calls.end()) {
    for (const std::string& callee : calls->second) {
      const Path path = deepest(graph, callee, known);
      if (path.bytes > below.bytes) below = path;
    }
  }
  const auto frame = graph.frame.find(function);
  std::int64_t own = 0;
  if (frame != graph.frame.end()) {
    own = static_cast<std::int64_t>(frame->second);
  } else if (function != kIndirect) {
    own = kRuntimeBytes;
  }
  const std::string name = function.substr(function.rfind('/') + 1);
  return known[function] = {own + below.bytes,
                            name + " " + std::to_string(own) + (below.text.empty() ? "" : " > ") + below.text};
}

} // namespace

TEST_CASE("nothing recurses and the deepest path fits the stack") {
  const Graph graph = read_graph(DTRMC_FIRMWARE_FOLDER);
  REQUIRE(graph.frame.count("fw_controller") == 1);
  REQUIRE(graph.calls.at(kIndirect).size() > 5);
  std::map<std::string, Path> known;
  const Path path = deepest(graph, "fw_controller", known);
  INFO(path.bytes << " bytes: " << path.text);
  CHECK(path.bytes > 100);
  CHECK(path.bytes <= DTRMC_CONFIG_STACK_BYTES);
}

TEST_CASE("outside the image only the compiler's integer support is called") {
  const Graph graph = read_graph(DTRMC_FIRMWARE_FOLDER);
  const std::set<std::string> integer_support = {"__ashldi3", "__lshrdi3", "__ashrdi3",
                                                 "__muldi3",  "__clzsi2",  "__clzdi2"};
  for (const std::string& name : graph.named) {
    if (graph.frame.count(name) != 0 || name == kIndirect) continue;
    INFO(name);
    CHECK(integer_support.count(name) == 1);
  }
}
