// SPDX-License-Identifier: Apache-2.0
#include "host/sweep/sweep.h"

#include <algorithm>
#include <deque>
#include <iterator>
#include <set>
#include <utility>

#include "host/sweep/worker_pool.h"

namespace dtrmc::sweep {

namespace {

// What a row says in the columns of the series' key, as text: CSV does not tell "1" from 1.
std::string key_of(const Json& row, const Json& key) {
  std::string out;
  for (const auto& [name, ignored] : key.items()) {
    const Json value = row.contains(name) ? row[name] : Json(nullptr);
    out += (value.is_string() ? value.get<std::string>() : value.dump()) + '\n';
  }
  return out;
}

std::map<std::string, std::size_t> series_by_key(const Plan& plan) {
  std::map<std::string, std::size_t> out;
  for (std::size_t s = 0; s < plan.series.size(); ++s) out.emplace(key_of(plan.series[s].key, plan.series[s].key), s);
  return out;
}

class Work {
 public:
  Work(const Plan& plan, ResultFile& file) : plan_(plan), file_(file), lines_(plan.series.size()) {}

  Tally run(const std::vector<Json>& rows) {
    take_in(rows);
    for (std::size_t s = 0; s < plan_.series.size(); ++s) {
      for (const auto& [budget, ratio] : plan_.series[s].budgets) ask(s, budget, ratio);
      extend(s);
    }
    if (queue_.empty()) return tally_; // not even processes are started
    WorkerPool pool(static_cast<unsigned>(std::min<std::size_t>(plan_.jobs, kMostJobs)),
                    [this](const std::string& task) {
                      const Json point = Json::parse(task);
                      return plan_.run(point[0].get<std::size_t>(), point[1].get<std::uint64_t>()).dump();
                    });
    std::map<std::uint64_t, Point> running;
    std::uint64_t next_id = 0;
    while (!queue_.empty() || !pool.empty()) {
      while (!queue_.empty() && !pool.full()) {
        const Point point = queue_.front();
        queue_.pop_front();
        pool.start(next_id, Json({point.series, point.budget}).dump());
        running.emplace(next_id++, point);
      }
      WorkerPool::Outcome outcome;
      if (pool.wait(500, outcome)) {
        const auto point = running.extract(outcome.id);
        finish(point.mapped(), outcome);
      }
      if (plan_.on_progress) plan_.on_progress(tally_.done + tally_.failed, asked_);
    }
    return tally_;
  }

 private:
  static constexpr std::size_t kMostJobs = 4096;

  struct Point {
    std::size_t series = 0;
    std::uint64_t budget = 0;
    std::optional<double> ratio;
  };
  struct Line {
    std::set<std::uint64_t> asked;
    std::map<std::uint64_t, Outcome> done; // also what the file has beyond
    std::uint64_t open = 0;                // asked for and without outcome yet
    bool failed = false;                   // one of its points has no outcome
  };

  void take_in(const std::vector<Json>& rows) {
    const std::map<std::string, std::size_t> by_key = series_by_key(plan_);
    for (const Json& row : rows) {
      const auto series = plan_.series.empty() ? by_key.end() : by_key.find(key_of(row, plan_.series.front().key));
      if (series == by_key.end()) continue; // of a trace that cannot be read now
      note(series->second, row.at("budget").get<std::uint64_t>(), row);
      ++tally_.there;
    }
  }

  void note(std::size_t series, std::uint64_t budget, const Json& row) {
    Outcome outcome;
    outcome.status = row.at("status").get<std::string>();
    if (!row.at("overhead").is_null()) outcome.overhead = row.at("overhead").get<double>();
    ++tally_.statuses[outcome.status];
    lines_[series].done[budget] = outcome;
  }

  void ask(std::size_t series, std::uint64_t budget, const std::optional<double>& ratio) {
    lines_[series].asked.insert(budget);
    if (lines_[series].done.count(budget) != 0) return;
    queue_.push_back({series, budget, ratio});
    ++lines_[series].open;
    ++asked_;
  }

  // Asks for finer points once all of a wave have their outcome. Waves are replayed from the plan's budgets, with what
  // the file had: what is asked for in the end depends on outcomes alone, whichever of them were there before.
  void extend(std::size_t series) {
    const std::uint64_t step = plan_.series[series].refine_step;
    Line& line = lines_[series];
    if (step == 0) return;
    while (line.open == 0 && !line.failed) {
      std::map<std::uint64_t, Outcome> wave;
      for (const std::uint64_t budget : line.asked) wave.emplace(budget, line.done.at(budget));
      const std::vector<std::uint64_t> finer = refine(wave, step);
      if (finer.empty()) return;
      for (const std::uint64_t budget : finer) ask(series, budget, std::nullopt);
    }
  }

  void finish(const Point& point, const WorkerPool::Outcome& outcome) {
    const Series& series = plan_.series[point.series];
    --lines_[point.series].open;
    if (outcome.failed) {
      ++tally_.failed;
      plan_.on_failure(series, point.budget, outcome.text);
      // No finer points beside one without outcome: they would depend on luck.
      lines_[point.series].failed = true;
      return;
    }
    Json row = series.key;
    row["ratio"] = point.ratio ? Json(*point.ratio) : Json(nullptr);
    row["budget"] = point.budget;
    row.update(Json::parse(outcome.text));
    file_.add(row);
    ++tally_.done;
    note(point.series, point.budget, row);
    extend(point.series);
  }

  const Plan& plan_;
  ResultFile& file_;
  Tally tally_;
  std::vector<Line> lines_; // by series
  std::deque<Point> queue_;
  std::uint64_t asked_ = 0;
};

} // namespace

std::vector<std::uint64_t> refine(const std::map<std::uint64_t, Outcome>& done, std::uint64_t step) {
  std::vector<std::uint64_t> out;
  if (done.empty() || step == 0) return out;
  for (auto low = done.begin(), high = std::next(low); high != done.end(); low = high++) {
    const std::uint64_t gap = high->first - low->first;
    if (gap / 2 < step) continue;
    bool differ = low->second.status != high->second.status;
    if (low->second.overhead && high->second.overhead) {
      const double a = *low->second.overhead;
      const double b = *high->second.overhead;
      differ = differ || a > b * kRefineFactor || b > a * kRefineFactor;
    }
    if (differ) out.push_back(low->first + gap / 2);
  }
  return out;
}

Tally work_off(const Plan& plan, ResultFile& file, const std::vector<Json>& rows) { return Work(plan, file).run(rows); }

ResultFile::Order row_order(const Plan& plan) {
  const std::map<std::string, std::size_t> by_key = series_by_key(plan);
  const Json key = plan.series.empty() ? Json::object() : plan.series.front().key;
  return [by_key, key](const Json& row) {
    const auto found = by_key.find(key_of(row, key));
    return std::pair<std::size_t, std::uint64_t>(found == by_key.end() ? by_key.size() : found->second,
                                                 row.at("budget").get<std::uint64_t>());
  };
}

} // namespace dtrmc::sweep
