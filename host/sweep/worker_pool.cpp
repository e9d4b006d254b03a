// SPDX-License-Identifier: Apache-2.0
#include "host/sweep/worker_pool.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace dtrmc::sweep {

namespace {

bool write_all(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t put = ::write(file, data, size);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    data += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

bool read_all(int file, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(file, data, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// A message: this, then its text.
struct Head {
  std::uint64_t size = 0;
  std::uint64_t failed = 0;
};

bool send(int file, bool failed, const std::string& text) {
  const Head head{text.size(), failed ? 1u : 0u};
  return write_all(file, reinterpret_cast<const char*>(&head), sizeof head) &&
         write_all(file, text.data(), text.size());
}

bool receive(int file, bool& failed, std::string& text) {
  Head head;
  if (!read_all(file, reinterpret_cast<char*>(&head), sizeof head)) return false;
  failed = head.failed != 0;
  text.resize(head.size);
  return read_all(file, text.data(), text.size());
}

[[noreturn]] void serve(int tasks, int outcomes, const std::function<std::string(const std::string&)>& work) {
  bool ignored = false;
  for (std::string task; receive(tasks, ignored, task);) {
    std::string text;
    bool failed = false;
    try {
      text = work(task);
    } catch (const std::bad_alloc&) {
      failed = true;
      text = "out of memory";
    } catch (const std::exception& error) {
      failed = true;
      text = error.what();
    }
    if (!send(outcomes, failed, text)) break;
  }
  ::_exit(0); // no destructors and no buffers of the parent's
}

} // namespace

WorkerPool::WorkerPool(unsigned workers, std::function<std::string(const std::string& task)> work)
    : work_(std::move(work)), workers_(workers) {
  std::signal(SIGPIPE, SIG_IGN); // a dead worker is an error of write
  for (Worker& worker : workers_) spawn(worker);
}

WorkerPool::~WorkerPool() {
  for (Worker& worker : workers_) {
    if (worker.busy) ::kill(worker.process, SIGKILL);
    std::string ignored;
    bury(worker, ignored);
  }
}

void WorkerPool::spawn(Worker& worker) {
  int down[2];
  int up[2];
  if (::pipe2(down, O_CLOEXEC) != 0) throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  if (::pipe2(up, O_CLOEXEC) != 0) {
    ::close(down[0]);
    ::close(down[1]);
    throw std::runtime_error(fmt::format("no pipe: {}", std::strerror(errno)));
  }
  std::fflush(nullptr); // or the child would carry a copy of what is buffered
  const pid_t parent = ::getpid();
  const pid_t process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(0); // it died before the line above
    ::close(down[1]);
    ::close(up[0]);
    // The others' pipes: as long as a copy is open here, they would not see theirs end.
    for (const Worker& other : workers_) {
      if (other.tasks >= 0) ::close(other.tasks);
      if (other.outcomes >= 0) ::close(other.outcomes);
    }
    serve(down[0], up[1], work_);
  }
  ::close(down[0]);
  ::close(up[1]);
  if (process < 0) {
    ::close(down[1]);
    ::close(up[0]);
    throw std::runtime_error(fmt::format("no process: {}", std::strerror(errno)));
  }
  worker = {process, down[1], up[0], false, 0};
}

// Waits for its end, and says how it came.
void WorkerPool::bury(Worker& worker, std::string& how) {
  if (worker.process < 0) return;
  ::close(worker.tasks);
  ::close(worker.outcomes);
  int status = 0;
  while (::waitpid(worker.process, &status, 0) < 0 && errno == EINTR) {
  }
  how = WIFSIGNALED(status) ? fmt::format("the process of this run died of signal {} ({})", WTERMSIG(status),
                                          ::strsignal(WTERMSIG(status)))
                            : fmt::format("the process of this run ended with code {}", WEXITSTATUS(status));
  worker = Worker();
}

void WorkerPool::start(std::uint64_t id, const std::string& task) {
  for (int attempt = 0;; ++attempt) {
    const auto worker = std::find_if(workers_.begin(), workers_.end(), [](const Worker& w) { return !w.busy; });
    if (worker->process < 0) spawn(*worker);
    if (send(worker->tasks, false, task)) {
      worker->busy = true;
      worker->id = id;
      ++busy_;
      return;
    }
    std::string how;
    bury(*worker, how);
    if (attempt == 3) throw std::runtime_error(how);
  }
}

bool WorkerPool::wait(int milliseconds, Outcome& outcome) {
  std::vector<pollfd> polled;
  std::vector<Worker*> of;
  for (Worker& worker : workers_) {
    if (!worker.busy) continue;
    polled.push_back({worker.outcomes, POLLIN, 0});
    of.push_back(&worker);
  }
  if (::poll(polled.data(), polled.size(), milliseconds) <= 0) return false;
  for (std::size_t i = 0; i < polled.size(); ++i) {
    if (polled[i].revents == 0) continue;
    Worker& worker = *of[i];
    outcome = {worker.id, false, ""};
    if (!receive(worker.outcomes, outcome.failed, outcome.text)) {
      outcome.failed = true;
      bury(worker, outcome.text);
    }
    worker.busy = false;
    --busy_;
    return true;
  }
  return false;
}

} // namespace dtrmc::sweep
