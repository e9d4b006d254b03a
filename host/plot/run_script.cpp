// SPDX-License-Identifier: Apache-2.0
#include "host/plot/run_script.h"

#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>

extern char** environ;

namespace dtrmc::plot {

namespace {

int run_with(const std::string& python, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {python, "-c", script()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawnp(&child, python.c_str(), nullptr, nullptr, argv.data(), environ) != 0) return kNoPython;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

} // namespace

int run_script(const std::vector<std::string>& pythons, const std::vector<std::string>& arguments) {
  int code = kNoPython;
  for (const std::string& python : pythons) {
    const int tried = run_with(python, arguments);
    if (tried != kNoPython && tried != kNoMatplotlib) return tried;
    if (tried == kNoMatplotlib) code = tried;
  }
  return code;
}

} // namespace dtrmc::plot
