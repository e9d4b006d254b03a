// SPDX-License-Identifier: Apache-2.0
#include "systemc/platform/child_process.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace dtrmc::platform {

namespace {

constexpr char kResult = 'r';
constexpr char kException = 'x';

void write_all(int descriptor, const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(descriptor, text.data() + written, text.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return; // the parent is gone; nobody is left to tell
    written += static_cast<std::size_t>(count);
  }
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

} // namespace

std::string run_in_child(const std::function<std::string()>& work) {
  std::array<int, 2> ends;
  if (::pipe(ends.data()) != 0) throw std::runtime_error("cannot create a pipe for a child process");
  std::fflush(nullptr); // or the child would print what the parent has buffered once more
  const pid_t child = ::fork();
  if (child < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    throw std::runtime_error("cannot start a child process");
  }
  if (child == 0) {
    ::close(ends[0]);
    std::string message;
    try {
      message = kResult + work();
    } catch (const std::exception& error) {
      message = kException + std::string(error.what());
    }
    write_all(ends[1], message);
    std::fflush(nullptr);
    ::_exit(0); // no destructors of the parent's objects, no second run of its exit handlers
  }
  ::close(ends[1]);
  const std::string message = read_all(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (message.empty() || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error(WIFSIGNALED(status)
                                 ? fmt::format("a platform run died of signal {}", WTERMSIG(status))
                                 : fmt::format("a platform run ended with exit code {}", WEXITSTATUS(status)));
  }
  if (message.front() == kException) throw std::runtime_error(message.substr(1));
  return message.substr(1);
}

} // namespace dtrmc::platform
