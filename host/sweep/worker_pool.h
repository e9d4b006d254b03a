// SPDX-License-Identifier: Apache-2.0
// Processes that work side by side: a task is a text, so is its outcome. A worker that dies takes one task with it and
// is replaced; nothing it does can harm the others.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dtrmc::sweep {

class WorkerPool {
 public:
  // `work` runs in the workers, which are copies (fork) of this process as it is when they start: it must have one
  // thread alone. An exception of `work` becomes the task's error. Workers die with this process.
  WorkerPool(unsigned workers, std::function<std::string(const std::string& task)> work);
  ~WorkerPool(); // ends all workers, busy ones too
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  bool full() const { return busy_ == workers_.size(); }
  bool empty() const { return busy_ == 0; }

  // Not while full().
  void start(std::uint64_t id, const std::string& task);

  struct Outcome {
    std::uint64_t id = 0;
    bool failed = false;
    std::string text; // what `work` returned, or the error in one line
  };
  // The next outcome there is, in any order; not while empty(). After `milliseconds` without one: false.
  bool wait(int milliseconds, Outcome& outcome);

 private:
  struct Worker {
    pid_t process = -1;
    int tasks = -1;    // to it
    int outcomes = -1; // from it
    bool busy = false;
    std::uint64_t id = 0;
  };

  void spawn(Worker& worker);
  void bury(Worker& worker, std::string& how);

  std::function<std::string(const std::string&)> work_;
  std::vector<Worker> workers_;
  std::size_t busy_ = 0;
};

} // namespace dtrmc::sweep
