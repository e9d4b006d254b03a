// SPDX-License-Identifier: Apache-2.0
#include "host/papers/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "host/papers/runs.h"

namespace dtrmc::papers {

namespace {

class Checker {
 public:
  Checker(const Json& claims, const std::string& file, const Options& options)
      : all_(claims), file_(file), options_(options) {}

  std::vector<Finding> findings() {
    if (!all_.is_object() || !all_.contains("claims") || !all_["claims"].is_array()) {
      fail("must be an object with an array \"claims\"");
    }
    select();
    for (const Json* c : selected_) check(*c); // collects the runs
    findings_.clear();
    TraceStore traces(options_.find_trace);
    runs_.make(traces, options_.jobs, options_.progress);
    if (!regions_.empty()) regions_.make(traces, options_.atlas_options);
    traces_ = &traces;
    collecting_ = false;
    for (const Json* c : selected_) check(*c);
    traces_ = nullptr;
    return std::move(findings_);
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { throw ClaimsError(fmt::format("{}: {}", file_, reason)); }

  void select() {
    std::set<std::string> names;
    for (const Json& c : all_["claims"]) {
      if (!c.is_object()) fail("every claim must be an object");
      const std::string name = text(c, "claim");
      if (!names.insert(name).second) fail(fmt::format("claim '{}' is there twice", name));
      const std::string where = name + '\n' + text(c, "source") + '\n' + text(c, "trace");
      if (options_.only.empty() || where.find(options_.only) != std::string::npos) selected_.push_back(&c);
    }
    if (selected_.empty()) fail(fmt::format("no claim contains '{}'", options_.only));
  }

  std::string text(const Json& c, const char* key, const char* otherwise = nullptr) const {
    if (c.contains(key)) {
      if (c[key].is_string()) return c[key].get<std::string>();
    } else if (otherwise != nullptr) {
      return otherwise;
    }
    fail(fmt::format("claim '{}': \"{}\" must be there, a string", c.value("claim", std::string("?")), key));
  }

  // A ratio as published, checked.
  std::string ratio(const Json& c, const Json& value) const {
    if (value.is_string()) {
      const std::string s = value.get<std::string>();
      char* end = nullptr;
      const double number = std::strtod(s.c_str(), &end);
      if (!s.empty() && *end == '\0' && number > 0 && number <= 1) return s;
    }
    fail(fmt::format("claim '{}': a ratio must be a string, above 0 up to 1: {}", text(c, "claim"), value.dump()));
  }

  std::vector<std::string> ratios(const Json& c, const char* key) const {
    std::vector<std::string> out;
    if (!c.contains(key)) return out;
    if (!c[key].is_array()) fail(fmt::format("claim '{}': \"{}\" must be an array", text(c, "claim"), key));
    for (const Json& value : c[key]) out.push_back(ratio(c, value));
    return out;
  }

  RunKey key(const Json& c, const std::string& at) const {
    RunKey k;
    k.trace = text(c, "trace");
    k.heuristic = text(c, "heuristic", "dtr");
    k.ratio = at;
    k.limit = text(c, "overhead_limit", "60");
    if (c.contains("retain")) {
      if (!c["retain"].is_array()) fail(fmt::format("claim '{}': \"retain\" must be an array", text(c, "claim")));
      for (const Json& s : c["retain"]) {
        if (!s.is_number_unsigned())
          fail(fmt::format("claim '{}': \"retain\" holds storage numbers", text(c, "claim")));
        k.retained.push_back(s.get<trace::TensorId>());
      }
    }
    return k;
  }

  // Nothing while the runs are being collected, and where the heuristic is unknown.
  const RunOutcome* run(const Json& c, const std::string& at) {
    const RunKey k = key(c, at);
    if (collecting_) {
      runs_.want(k);
      return nullptr;
    }
    const RunOutcome& outcome = runs_.of(k);
    if (outcome.supported) return &outcome;
    add(c, "outcome at " + at, "-", "heuristic " + k.heuristic + " unknown", Verdict::kUnsupported);
    return nullptr;
  }

  void add(const Json& c, const std::string& what, const std::string& published, const std::string& ours,
           Verdict verdict) {
    findings_.push_back({text(c, "claim"), text(c, "source"), what, published, ours, verdict, {}});
  }
  void compare(const Json& c, const std::string& what, const std::string& published, const Json& ours) {
    add(c, what, published, shown(ours), agrees(published, ours) ? Verdict::kHolds : Verdict::kDiffers);
  }

  static std::string summary(const RunOutcome& outcome) {
    std::string out = shown(outcome.fields["status"]);
    if (outcome.fields["overhead"].is_number())
      out += fmt::format(" {:.4g}x", outcome.fields["overhead"].get<double>());
    return out;
  }
  static bool completes(const RunOutcome& outcome) { return outcome.fields["status"] == "ok"; }

  void check(const Json& c) {
    const std::string kind = text(c, "kind");
    if (kind == "run") {
      check_run(c);
    } else if (kind == "region") {
      check_region(c);
    } else if (kind == "bounds") {
      check_bounds(c);
    } else if (kind == "no_holes") {
      check_no_holes(c);
    } else if (kind == "quotient") {
      check_quotient(c);
    } else if (kind == "jaccard") {
      check_jaccard(c);
    } else if (kind == "explain") {
      check_explain(c);
    } else if (kind == "step") {
      check_step(c);
    } else if (kind == "unresolved") {
      for (const std::string& at : ratios(c, "ratios")) {
        if (const RunOutcome* o = run(c, at)) add(c, "outcome at " + at, "unresolved", summary(*o), Verdict::kOurs);
      }
    } else {
      fail(fmt::format("claim '{}': unknown kind '{}'", text(c, "claim"), kind));
    }
  }

  const Json& expectations(const Json& c) const {
    if (!c.contains("expect") || !c["expect"].is_object() || c["expect"].empty()) {
      fail(fmt::format("claim '{}': \"expect\" must be an object with published values", text(c, "claim")));
    }
    for (const auto& [path, value] : c["expect"].items()) {
      if (!value.is_string()) fail(fmt::format("claim '{}': \"{}\" must be a string", text(c, "claim"), path));
    }
    return c["expect"];
  }

  void check_run(const Json& c) {
    const Json& expect = expectations(c);
    const RunOutcome* outcome = run(c, ratio(c, c.value("ratio", Json())));
    if (outcome == nullptr) return;
    for (const auto& [path, value] : expect.items()) {
      compare(c, path, value.get<std::string>(), part_of(outcome->fields, path));
    }
  }

  void check_explain(const Json& c) {
    const Json& expect = expectations(c);
    const ExplainKey k{text(c, "trace"), text(c, "heuristic", "dtr"), ratio(c, c.value("works", Json())),
                       ratio(c, c.value("fails", Json())), text(c, "overhead_limit", "60")};
    if (collecting_) {
      runs_.want(k);
      return;
    }
    for (const auto& [path, value] : expect.items()) {
      compare(c, path, value.get<std::string>(), part_of(runs_.of(k), path));
    }
  }

  // The evictions while one operator is executed.
  void check_step(const Json& c) {
    const Json& expect = expectations(c);
    const std::string at = ratio(c, c.value("ratio", Json()));
    const Json created = c.value("operators_created", Json());
    if (!created.is_number_unsigned() || created.get<std::uint64_t>() == 0) {
      fail(fmt::format("claim '{}': \"operators_created\" must be a number above 0", text(c, "claim")));
    }
    const StepKey k{key(c, at), static_cast<trace::OperatorId>(created.get<std::uint64_t>() - 1)};
    if (collecting_) {
      runs_.want(k);
      return;
    }
    for (const auto& [path, value] : expect.items()) {
      compare(c, path, value.get<std::string>(), part_of(runs_.of(k), path));
    }
  }

  // ok .. oom, oom, .. ok: a failing sample that completes, or the other way round, is named.
  void check_region(const Json& c) {
    const std::string before = ratio(c, c.value("ok_before", Json()));
    const std::string after = ratio(c, c.value("ok_after", Json()));
    const std::vector<std::string> fails = ratios(c, "fails");
    if (fails.empty()) fail(fmt::format("claim '{}': \"fails\" must name ratios", text(c, "claim")));
    const RunOutcome* low = run(c, before);
    const RunOutcome* high = run(c, after);
    std::vector<const RunOutcome*> inner;
    inner.reserve(fails.size());
    for (const std::string& at : fails) inner.push_back(run(c, at));
    if (collecting_) exact(c, before, after, false);
    if (low == nullptr || high == nullptr) return;
    std::string wrong;
    for (std::size_t i = 0; i < fails.size(); ++i) {
      if (inner[i] == nullptr || inner[i]->fields["status"] == "oom") continue;
      wrong += fmt::format("{}{} {}", wrong.empty() ? "" : ", ", fails[i], summary(*inner[i]));
    }
    compare(c, "outcome at " + before, "ok", low->fields["status"]);
    add(c, fmt::format("outcome at {} to {}, {} samples", fails.front(), fails.back(), fails.size()), "oom",
        wrong.empty() ? "oom" : wrong, wrong.empty() ? Verdict::kHolds : Verdict::kDiffers);
    compare(c, "outcome at " + after, "ok", high->fields["status"]);
    exact(c, before, after, false);
  }

  // With an atlas: what lies between the samples, to the byte.
  void exact(const Json& c, const std::string& from, const std::string& to, bool bounds) {
    if (!options_.atlas || !has_intervals(text(c, "heuristic", "dtr"))) return;
    if (std::strtod(from.c_str(), nullptr) > std::strtod(to.c_str(), nullptr)) {
      fail(fmt::format("claim '{}': {} lies above {}", text(c, "claim"), from, to));
    }
    const RangeKey k{text(c, "trace"), text(c, "heuristic", "dtr"), text(c, "overhead_limit", "60"), from, to};
    if (collecting_) {
      regions_.want(k);
      return;
    }
    const atlas::Summary& summary = regions_.of(k);
    const LoadedTrace& trace = traces_->of(k.trace);
    const auto ratio_of = [&](std::uint64_t bytes) {
      return static_cast<double>(bytes) / static_cast<double>(trace.peak);
    };
    const auto one = [&](const std::optional<std::uint64_t>& bytes) {
      return bytes ? fmt::format("{} ({:.6f})", *bytes, ratio_of(*bytes)) : std::string("none");
    };
    const auto bytes = [](const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); };
    const std::vector<atlas::FailureRegion> regions = summary.failure_regions();
    Json all{{"from", trace.budget(from)},
             {"to", trace.budget(to)},
             {"intervals", summary.intervals()},
             {"first_ok", bytes(summary.first_ok())},
             {"stable_from", bytes(summary.stable_from())},
             {"failure_regions", Json::array()}};
    for (const atlas::FailureRegion& r : regions) all["failure_regions"].push_back({{"lo", r.lo}, {"hi", r.hi}});
    if (bounds) {
      add(c, "exact first-ok", text(c, "first_ok"), one(summary.first_ok()), Verdict::kExact);
      add(c, "exact stable-from", text(c, "stable_from"), one(summary.stable_from()), Verdict::kExact);
    }
    add(c, fmt::format("exact failure regions from {} to {} ({} intervals)", from, to, summary.intervals()),
        c.contains("fails") ? fmt::format("{} .. {}", text_of(c["fails"].front()), text_of(c["fails"].back())) : "-",
        fmt::format("{}", regions.size()), Verdict::kExact);
    findings_.back().exact = all;
    if (bounds && !shows_regions(c)) return; // the claims of the regions themselves name them
    constexpr std::size_t kShown = 6;
    std::vector<atlas::FailureRegion> largest = regions;
    std::stable_sort(largest.begin(), largest.end(),
                     [](const auto& a, const auto& b) { return a.hi - a.lo > b.hi - b.lo; });
    largest.resize(std::min(largest.size(), kShown));
    std::sort(largest.begin(), largest.end(), [](const auto& a, const auto& b) { return a.lo < b.lo; });
    for (const atlas::FailureRegion& r : largest) {
      add(c, fmt::format("  {:.6f} .. {:.6f}, {} bytes", ratio_of(r.lo), ratio_of(r.hi), r.hi - r.lo + 1), "",
          fmt::format("{} .. {}", r.lo, r.hi), Verdict::kExact);
    }
    if (regions.size() > kShown) {
      add(c, fmt::format("  and {} smaller", regions.size() - kShown), "", "", Verdict::kExact);
    }
  }
  static bool has_intervals(const std::string& heuristic) {
    try {
      return !sim::parse_heuristic(heuristic).reads_budget;
    } catch (const std::invalid_argument&) { // unknown: the claim says so
      return false;
    }
  }
  static std::string text_of(const Json& value) { return value.get<std::string>(); }
  // Whether no claim about a failure region of its trace is among those selected.
  bool shows_regions(const Json& c) const {
    return std::none_of(selected_.begin(), selected_.end(), [&](const Json* other) {
      return text(*other, "kind") == "region" && text(*other, "trace") == text(c, "trace");
    });
  }

  // Samples below first_ok fail, it completes; the last failing sample is below stable_from, all from there complete.
  void check_bounds(const Json& c) {
    const std::string first = ratio(c, c.value("first_ok", Json()));
    const std::string stable = ratio(c, c.value("stable_from", Json()));
    const std::vector<std::string> below = ratios(c, "fails_below");
    const std::vector<std::string> above = ratios(c, "completes_above");
    const RunOutcome* at_first = run(c, first);
    const RunOutcome* at_stable = run(c, stable);
    // Where the paper has many unresolved samples, and sets them aside, one that thrashes here may be one of them.
    const bool set_aside = c.value("thrash_set_aside", false);
    std::string wrong_below, wrong_above, aside;
    for (const std::string& at : below) {
      const RunOutcome* o = run(c, at);
      if (o != nullptr && completes(*o)) wrong_below += fmt::format(" {} {}", at, summary(*o));
    }
    for (const std::string& at : above) {
      const RunOutcome* o = run(c, at);
      if (o != nullptr && set_aside && o->fields["status"] == "thrash") {
        aside += fmt::format(" {} thrash", at);
      } else if (o != nullptr && !completes(*o)) {
        wrong_above += fmt::format(" {} {}", at, summary(*o));
      }
    }
    if (!aside.empty()) aside = ", set aside:" + aside;
    if (collecting_ && !below.empty()) exact(c, below.back(), stable, true);
    if (at_first == nullptr || at_stable == nullptr) return;
    compare(c, "first-ok " + first, "ok", at_first->fields["status"]);
    if (!below.empty()) {
      add(c, fmt::format("samples below, {}", below.size()), "none completes",
          wrong_below.empty() ? "none completes" : wrong_below.substr(1),
          wrong_below.empty() ? Verdict::kHolds : Verdict::kDiffers);
    }
    compare(c, "stable-from " + stable, "ok", at_stable->fields["status"]);
    if (!above.empty()) {
      add(c, fmt::format("samples above, {}", above.size()), "all complete",
          wrong_above.empty() ? "all complete" + aside : wrong_above.substr(1),
          wrong_above.empty() ? Verdict::kHolds : Verdict::kDiffers);
    }
    if (!below.empty()) exact(c, below.back(), stable, true);
  }

  void check_no_holes(const Json& c) {
    const std::vector<std::string> samples = ratios(c, "samples");
    if (samples.size() < 3) fail(fmt::format("claim '{}': \"samples\" must name at least 3 ratios", text(c, "claim")));
    std::string holes, last_ok;
    std::string failed; // since the last sample that completed
    bool known = true;
    for (const std::string& at : samples) {
      const RunOutcome* o = run(c, at);
      if (o == nullptr) {
        known = false;
        continue;
      }
      if (completes(*o)) {
        if (!failed.empty()) holes += failed;
        failed.clear();
        last_ok = at;
      } else if (!last_ok.empty() && o->fields["status"] == "oom") {
        failed += " " + at;
      }
    }
    if (!known) return;
    add(c, fmt::format("holes among {} samples, {} to {}", samples.size(), samples.front(), samples.back()), "none",
        holes.empty() ? "none" : holes.substr(1), holes.empty() ? Verdict::kHolds : Verdict::kDiffers);
  }

  void check_quotient(const Json& c) {
    const std::string of = ratio(c, c.value("of", Json()));
    const std::string over = ratio(c, c.value("over", Json()));
    const RunOutcome* a = run(c, of);
    const RunOutcome* b = run(c, over);
    if (a == nullptr || b == nullptr) return;
    Json ours;
    if (a->fields["overhead"].is_number() && b->fields["overhead"].is_number()) {
      ours = a->fields["overhead"].get<double>() / b->fields["overhead"].get<double>();
    }
    compare(c, fmt::format("overhead at {} over that at {}", of, over), text(c, "value"), ours);
  }

  void check_jaccard(const Json& c) {
    const std::string at_a = ratio(c, c.value("a", Json()));
    const std::string at_b = ratio(c, c.value("b", Json()));
    const RunOutcome* a = run(c, at_a);
    const RunOutcome* b = run(c, at_b);
    if (a == nullptr || b == nullptr) return;
    std::uint64_t both = 0, either = 0;
    for (std::size_t s = 0; s < a->evicted.size(); ++s) {
      both += a->evicted[s] != 0 && b->evicted[s] != 0 ? 1 : 0;
      either += a->evicted[s] != 0 || b->evicted[s] != 0 ? 1 : 0;
    }
    compare(c, fmt::format("Jaccard index of the storages evicted at {} and {}", at_a, at_b), text(c, "value"),
            either == 0 ? Json(nullptr) : Json(static_cast<double>(both) / static_cast<double>(either)));
  }

  const Json& all_;
  const std::string& file_;
  const Options& options_;
  Runs runs_;
  Regions regions_;
  const TraceStore* traces_ = nullptr; // once the runs are made
  std::vector<const Json*> selected_;
  std::vector<Finding> findings_;
  bool collecting_ = true;
};

} // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kDiffers:
      return "DIFFERS";
    case Verdict::kOurs:
      return "ours";
    case Verdict::kExact:
      return "exact";
    case Verdict::kUnsupported:
      return "unsupported";
  }
  return "";
}

std::vector<Finding> check_claims(const Json& claims, const std::string& file, const Options& options) {
  return Checker(claims, file, options).findings();
}

bool all_hold(const std::vector<Finding>& findings) {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& f) {
    return f.verdict == Verdict::kDiffers || f.verdict == Verdict::kUnsupported;
  });
}

} // namespace dtrmc::papers
