// SPDX-License-Identifier: Apache-2.0
#include "host/explain/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/explain/series.h"

namespace dtrmc::explain {

namespace {

// Okabe and Ito's palette: told apart by the colour-blind; line styles carry the same in print without colour.
constexpr const char* kWorks = "#0072B2";
constexpr const char* kFails = "#D55E00";
constexpr double kWidth = 1080, kHeight = 640;
constexpr double kCostPanel = 250; // height of what is added below where both runs complete

struct Point {
  double x, y;
};

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else {
      out += c;
    }
  }
  return out;
}

// A round step that divides `span` into about `count` parts.
double tick_step(double span, int count) {
  const double raw = span / count;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

class Panel {
 public:
  Panel(double left, double top, double width, double height, double x0, double x1, double y1)
      : left_(left), top_(top), width_(width), height_(height), x0_(x0), x1_(x1 > x0 ? x1 : x0 + 1), y1_(y1) {}

  void frame(std::string& out, const std::string& title, const std::string& x_label, const std::string& y_label,
             double y_unit) const {
    const double x_step = std::max(1.0, tick_step(x1_ - x0_, 5));
    for (double v = std::ceil(x0_ / x_step) * x_step; v <= x1_ + x_step * 1e-9; v += x_step) {
      out += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' stroke='#333'/>", x(v),
                         top_ + height_, top_ + height_ + 4);
      out +=
          fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:.0f}</text>\n", x(v), top_ + height_ + 17, v);
    }
    const double y_step = tick_step(y1_ / y_unit, 4) * y_unit;
    for (double v = 0; v <= y1_ * (1 + 1e-9); v += y_step) {
      out += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#ddd'/>", left_, y(v),
                         left_ + width_, y(v));
      out +=
          fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{:g}</text>\n", left_ - 6, y(v) + 4, v / y_unit);
    }
    out += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='none' stroke='#333'/>\n",
                       left_, top_, width_, height_);
    out += fmt::format("<text x='{:.1f}' y='{:.1f}' font-weight='bold'>{}</text>\n", left_, top_ - 8, escaped(title));
    out += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", left_ + width_ / 2,
                       top_ + height_ + 34, escaped(x_label));
    out += fmt::format("<text transform='translate({:.1f},{:.1f}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       left_ - 44, top_ + height_ / 2, escaped(y_label));
  }

  // At most four points a pixel column are kept: first, smallest, largest, last.
  void curve(std::string& out, const std::vector<Point>& points, const char* colour, const char* style) const {
    std::string path;
    const auto put = [&](const Point& p) {
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x(p.x), y(p.y));
    };
    for (std::size_t begin = 0; begin < points.size();) {
      std::size_t end = begin;
      const double column = std::floor(x(points[begin].x));
      while (end < points.size() && std::floor(x(points[end].x)) == column) ++end;
      const auto less = [](const Point& a, const Point& b) { return a.y < b.y; };
      const auto [low, high] = std::minmax_element(points.begin() + static_cast<std::ptrdiff_t>(begin),
                                                   points.begin() + static_cast<std::ptrdiff_t>(end), less);
      put(points[begin]);
      if (end - begin > 2) {
        put(low < high ? *low : *high);
        put(low < high ? *high : *low);
      }
      if (end - begin > 1) put(points[end - 1]);
      begin = end;
    }
    if (points.size() == 1) { // a line of one point would not be seen
      out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3' fill='{}'/>\n", x(points[0].x), y(points[0].y), colour);
      return;
    }
    if (!path.empty()) {
      out += fmt::format("<polyline points='{}' fill='none' stroke='{}' {}/>\n", path, colour, style);
    }
  }

  void horizontal(std::string& out, double v, const char* colour) const {
    out += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' stroke-dasharray='7 4'/>\n",
                       left_, y(v), left_ + width_, y(v), colour);
  }
  void vertical(std::string& out, double v, const std::string& label, double label_y) const {
    out +=
        fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' stroke='#555' stroke-dasharray='2 3'/>",
                    x(v), top_, top_ + height_);
    const bool right = v > (x0_ + x1_) / 2;
    out += fmt::format("<text x='{:.1f}' y='{:.1f}' fill='#333' text-anchor='{}'>{}</text>\n", x(v) + (right ? -4 : 4),
                       top_ + height_ * label_y, right ? "end" : "start", escaped(label));
  }

 private:
  double x(double v) const { return left_ + width_ * (v - x0_) / (x1_ - x0_); }
  double y(double v) const { return top_ + height_ * (1 - v / y1_); }
  double left_, top_, width_, height_, x0_, x1_, y1_;
};

struct Curves {
  std::vector<Point> use, pinned, nesting;
};

// Peaks of each step between two positions.
Curves by_step(const std::vector<Sample>& all, double from, double to) {
  Curves out;
  for (std::size_t i = 0; i < all.size();) {
    const double at = std::floor(all[i].at);
    double use = 0, pinned = 0, nesting = 0;
    for (; i < all.size() && std::floor(all[i].at) == at; ++i) {
      use = std::max(use, static_cast<double>(all[i].use));
      pinned = std::max(pinned, static_cast<double>(all[i].pinned));
      nesting = std::max(nesting, static_cast<double>(all[i].nesting));
    }
    if (at < from || at > to) continue;
    out.use.push_back({at, use});
    out.pinned.push_back({at, pinned});
    out.nesting.push_back({at, nesting});
  }
  return out;
}

// Every allocation from step `from` to step `to`, by number.
Curves by_allocation(const std::vector<Sample>& all, std::size_t from, std::size_t to) {
  Curves out;
  double number = 0;
  for (const Sample& s : all) {
    if (s.step < from || s.step > to) continue;
    number += 1;
    out.use.push_back({number, static_cast<double>(s.use)});
    out.pinned.push_back({number, static_cast<double>(s.pinned)});
    out.nesting.push_back({number, static_cast<double>(s.nesting)});
  }
  return out;
}

double top_of(const std::vector<Point>& a, const std::vector<Point>& b, double top = 1) {
  for (const Point& p : a) top = std::max(top, p.y);
  for (const Point& p : b) top = std::max(top, p.y);
  return top;
}

double position(const std::vector<Sample>& all, std::size_t step) {
  for (const Sample& s : all) {
    if (s.step >= step) return std::floor(s.at);
  }
  return all.empty() ? 0 : std::floor(all.back().at);
}

void row(std::string& out, const Explanation& e, const Curves& works, const Curves& fails, double left, double width,
         double x0, double x1, const std::string& title, const std::string& x_label, double first, bool mark) {
  const double budgets = static_cast<double>(std::max(e.works.budget, e.fails.budget));
  const double memory_top = 1.06 * std::max(budgets, top_of(works.use, fails.use));
  const Panel memory(left, 70, width, 230, x0, x1, memory_top);
  memory.frame(out, title + ": memory", x_label, "memory (GB)", 1e9);
  memory.horizontal(out, static_cast<double>(e.works.budget), kWorks);
  memory.horizontal(out, static_cast<double>(e.fails.budget), kFails);
  memory.curve(out, works.use, kWorks, "stroke-width='1.2'");
  memory.curve(out, fails.use, kFails, "stroke-width='1.2'");
  memory.curve(out, works.pinned, kWorks, "stroke-width='1.4' stroke-dasharray='2 2'");
  memory.curve(out, fails.pinned, kFails, "stroke-width='1.4' stroke-dasharray='2 2'");
  if (mark) memory.vertical(out, first, "first difference", 0.5);
  const Panel nesting(left, 370, width, 210, x0, x1, 1.1 * std::max(4.0, top_of(works.nesting, fails.nesting)));
  nesting.frame(out, title + ": nesting of materialisations", x_label, "nesting", 1);
  nesting.curve(out, fails.nesting, kFails, "stroke-width='1.2'");
  nesting.curve(out, works.nesting, kWorks, "stroke-width='1.6'");
  if (mark) nesting.vertical(out, first, "first difference", 0.08);
}

// Rematerialisation up to each step, in parts of the baseline's compute.
std::vector<Point> accumulated(const trace::Schedule& schedule, const std::vector<Sample>& all, const Explanation& e,
                               std::uint64_t StepCost::*side) {
  std::vector<Point> out;
  const double total = static_cast<double>(std::max<std::uint64_t>(schedule.total_cost, 1));
  double sum = 0;
  std::size_t i = 0;
  for (const StepCost& c : e.step_costs) {
    while (i + 1 < all.size() && all[i].step < c.step) ++i;
    const double at = all.empty() ? 0 : std::floor(all[i].at);
    if (out.empty()) out.push_back({0, 0});
    out.push_back({at, sum}); // a step upwards
    sum += static_cast<double>(c.*side) / total;
    out.push_back({at, sum});
  }
  if (!all.empty()) out.push_back({std::floor(all.back().at), sum});
  return out;
}

} // namespace

std::string to_svg(const trace::Schedule& schedule, const Explanation& e) {
  const bool cost = e.kind == Kind::kCost;
  const double height = kHeight + (cost ? kCostPanel : 0);
  const std::vector<Sample> works = samples(schedule, e.works.log);
  const std::vector<Sample> fails = samples(schedule, e.fails.log);
  const double end = position(fails, e.failing_step);
  double first = end; // of either run
  if (e.fails_first) first = std::min(first, position(fails, e.fails_first->by.step));
  if (e.works_first) first = std::min(first, position(works, e.works_first->by.step));
  const double margin = std::max(3.0, 0.1 * (end - first));
  const double x0 = std::max(0.0, std::floor(first - margin));
  const double x1 = std::ceil(end + margin);
  std::string out = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}' "
      "font-family='DejaVu Sans, Helvetica, sans-serif' font-size='12'>\n<rect width='100%' height='100%' "
      "fill='white'/>\n",
      kWidth, height);
  const auto overhead = [&](const Side& side) {
    return static_cast<double>(side.result.record.clock) /
           static_cast<double>(std::max<std::uint64_t>(schedule.total_cost, 1));
  };
  out += fmt::format("<text x='70' y='22' font-size='14' font-weight='bold'>{}: {}</text>\n", escaped(schedule.name),
                     cost ? fmt::format("overhead {:.3f}x at {} bytes, {:.3f}x at {} bytes", overhead(e.works),
                                        e.works.budget, overhead(e.fails), e.fails.budget)
                          : fmt::format("works at {} bytes, ends {} at {} bytes", e.works.budget,
                                        record::to_string(e.fails.result.record.status), e.fails.budget));
  const std::string op =
      schedule.steps[e.failing_step].kind == trace::StepKind::kPin
          ? fmt::format("pinning storage {} at the end",
                        schedule.storages[schedule.tensors[schedule.steps[e.failing_step].id].storage].root)
          : fmt::format("operator {} '{}'", e.failing_operator, schedule.operator_name(e.failing_operator));
  row(out, e, by_step(works, x0, x1), by_step(fails, x0, x1), 70, 430, x0, x1, "from the first difference on",
      "operator (peak of each)", first, true);
  const std::size_t from = e.failing_step;
  const Curves in_works = by_allocation(works, from, from);
  const Curves in_fails = by_allocation(fails, from, from);
  row(out, e, in_works, in_fails, 600, 450, 1,
      static_cast<double>(std::max<std::size_t>({2, in_works.use.size(), in_fails.use.size()})), "within " + op,
      "allocation", 0, false);
  if (cost) {
    const std::vector<Point> cheap = accumulated(schedule, works, e, &StepCost::works);
    const std::vector<Point> dear = accumulated(schedule, fails, e, &StepCost::fails);
    const double last = std::max(works.empty() ? 1 : works.back().at, fails.empty() ? 1 : fails.back().at);
    const Panel panel(70, kHeight + 10, 980, kCostPanel - 90, 0, last, 1.08 * std::max(0.01, top_of(cheap, dear, 0)));
    panel.frame(out, "rematerialisation up to each operator", "operator", "x of baseline compute", 1);
    panel.curve(out, dear, kFails, "stroke-width='1.6'");
    panel.curve(out, cheap, kWorks, "stroke-width='1.6'");
    panel.vertical(out, first, "first difference", 0.3);
    panel.vertical(out, end, "largest part of the difference", 0.55);
  }
  const char* const names[] = {cost ? "cheap" : "works", cost ? "dear" : "fails"};
  const double y = height - 10;
  const auto legend = [&](double x, const char* colour, const char* style, const std::string& text) {
    out += fmt::format("<line x1='{:.0f}' y1='{:.0f}' x2='{:.0f}' y2='{:.0f}' stroke='{}' {}/>", x, y - 4, x + 30,
                       y - 4, colour, style);
    out += fmt::format("<text x='{:.0f}' y='{:.0f}'>{}</text>\n", x + 36, y, text);
  };
  legend(70, kWorks, "stroke-width='1.8'", fmt::format("{}: in use, nesting", names[0]));
  legend(270, kFails, "stroke-width='1.8'", fmt::format("{}: in use, nesting", names[1]));
  legend(470, kWorks, "stroke-width='1.8' stroke-dasharray='2 2'", fmt::format("{}: pinned", names[0]));
  legend(630, kFails, "stroke-width='1.8' stroke-dasharray='2 2'", fmt::format("{}: pinned", names[1]));
  legend(790, "#333", "stroke-dasharray='7 4'", "budget, in the run's colour");
  return out + "</svg>\n";
}

} // namespace dtrmc::explain
