// SPDX-License-Identifier: Apache-2.0
#include "host/explain/picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "host/explain/series.h"

namespace dtrmc::explain {

namespace {

// Okabe and Ito's palette: told apart by the colour-blind. One run is a wide pale line, the other a thin one above it,
// so that both are seen where they agree, in print without colour, too.
struct Style {
  const char* colour;
  const char* line;
  double dot; // radius
};
constexpr Style kWorks = {"#56B4E9", "stroke-width='4' stroke-linejoin='round'", 5};
constexpr Style kFails = {"#D55E00", "stroke-width='1.3' stroke-linejoin='round'", 3};
// Dashes of the budgets: where they are too close to be two lines, they take turns.
constexpr const char* kWorksDashes = "stroke-width='2.5' stroke-dasharray='8 8'";
constexpr const char* kFailsDashes = "stroke-width='1.3' stroke-dasharray='8 8' stroke-dashoffset='8'";
constexpr const char* kFirstMark = "stroke='#333' stroke-dasharray='2 3'";
constexpr const char* kLargestMark = "stroke='#333' stroke-dasharray='9 3 2 3'";

constexpr double kWidth = 1080;
constexpr double kTop = 64; // of the first row; then the rows, each with its axis and the gap below
constexpr double kMemory = 200, kPinned = 140, kNesting = 150, kCost = 160;
constexpr double kGap = 58, kTitle = 24, kLegendLine = 20;

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

// About as wide as the font draws it, px. UTF-8: bytes that go on with a character take no place.
double text_width(const std::string& text, double size, bool bold) {
  const auto characters = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return static_cast<double>(characters) * size * (bold ? 0.68 : 0.6);
}

std::string shortened(std::string text, double size, double width) { // in bold
  if (text_width(text, size, true) <= width) return text;
  while (!text.empty() && text_width(text + "...", size, true) > width) {
    while ((text.back() & 0xC0) == 0x80 && text.size() > 1) text.pop_back();
    text.pop_back();
  }
  return text + "...";
}

struct Unit {
  double bytes;
  const char* name;
};
Unit unit_of(double bytes) {
  for (const Unit unit : {Unit{1e9, "GB"}, Unit{1e6, "MB"}, Unit{1e3, "kB"}}) {
    if (bytes >= unit.bytes) return unit;
  }
  return {1, "bytes"};
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

  void frame(std::string& out, const std::string& x_label, const std::string& y_label, double y_unit) const {
    const double x_step = std::max(1.0, tick_step(x1_ - x0_, 5));
    const auto first = static_cast<std::int64_t>(std::ceil(x0_ / x_step));
    const auto last = static_cast<std::int64_t>(std::floor(x1_ / x_step + 1e-9));
    for (std::int64_t i = first; i <= last; ++i) {
      const double v = static_cast<double>(i) * x_step;
      out += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' stroke='#333'/>", x(v),
                         top_ + height_, top_ + height_ + 4);
      out +=
          fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:.0f}</text>\n", x(v), top_ + height_ + 17, v);
    }
    const double y_step = tick_step(y1_ / y_unit, 4) * y_unit;
    for (std::int64_t i = 0; i <= static_cast<std::int64_t>(y1_ / y_step + 1e-9); ++i) {
      const double v = static_cast<double>(i) * y_step;
      out += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='#ddd'/>", left_, y(v),
                         left_ + width_, y(v));
      out +=
          fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{:g}</text>\n", left_ - 6, y(v) + 4, v / y_unit);
    }
    out += fmt::format("<rect x='{:.1f}' y='{:.1f}' width='{:.1f}' height='{:.1f}' fill='none' stroke='#333'/>\n",
                       left_, top_, width_, height_);
    out += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", left_ + width_ / 2,
                       top_ + height_ + 34, escaped(x_label));
    out += fmt::format("<text transform='translate({:.1f},{:.1f}) rotate(-90)' text-anchor='middle'>{}</text>\n",
                       left_ - 48, top_ + height_ / 2, escaped(y_label));
  }

  // At most four points a pixel column are kept: first, smallest, largest, last.
  void curve(std::string& out, const std::vector<Point>& points, const Style& style) const {
    if (points.size() < 2) return; // seen as a dot
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
    out += fmt::format("<polyline points='{}' fill='none' stroke='{}' {}/>\n", path, style.colour, style.line);
  }
  // A curve of one point. True: it is one.
  bool dot(std::string& out, const std::vector<Point>& points, const Style& style) const {
    if (points.size() != 1) return false;
    out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:g}' fill='{}' stroke='#333'/>\n", x(points[0].x),
                       y(points[0].y), style.dot, style.colour);
    return true;
  }

  void horizontal(std::string& out, double v, const char* colour, const char* dashes) const {
    out += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' stroke='{}' {}/>\n", left_, y(v),
                       left_ + width_, y(v), colour, dashes);
  }
  void vertical(std::string& out, double v, const char* mark) const {
    out += fmt::format("<line x1='{0:.1f}' y1='{1:.1f}' x2='{0:.1f}' y2='{2:.1f}' {3}/>\n", x(v), top_, top_ + height_,
                       mark);
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

// Every allocation of a step, by number.
Curves by_allocation(const std::vector<Sample>& all, std::size_t step) {
  Curves out;
  double number = 0;
  for (const Sample& s : all) {
    if (s.step != step) continue;
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

// Entries from left to right, in as many lines as they take.
class Legend {
 public:
  explicit Legend(double top) : y_(top) {}
  void line(std::string& out, const std::string& attributes, const std::string& text) {
    place(text);
    out += fmt::format("<line x1='{:.1f}' y1='{:.1f}' x2='{:.1f}' y2='{:.1f}' {}/>", x_, y_ - 4, x_ + kMark, y_ - 4,
                       attributes);
    write(out, text);
  }
  void run(std::string& out, const Style& style, const std::string& text) {
    line(out, fmt::format("stroke='{}' {}", style.colour, style.line), text);
  }
  void dot(std::string& out, const Style& style, const std::string& text) {
    place(text);
    out += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='{:g}' fill='{}' stroke='#333'/>", x_ + kMark / 2, y_ - 4,
                       style.dot, style.colour);
    write(out, text);
  }
  double bottom() const { return y_ + kLegendLine / 2; }

 private:
  void place(const std::string& text) {
    width_ = kMark + 6 + text_width(text, 12, false) + 24;
    if (x_ + width_ <= kWidth || x_ == kLeft) return;
    x_ = kLeft;
    y_ += kLegendLine;
  }
  void write(std::string& out, const std::string& text) {
    out += fmt::format("<text x='{:.1f}' y='{:.1f}'>{}</text>\n", x_ + kMark + 6, y_, escaped(text));
    x_ += width_;
  }

  static constexpr double kLeft = 70, kMark = 32;
  double x_ = kLeft;
  double y_;
  double width_ = 0; // of the entry at hand
};

struct Column {
  std::string title;
  std::string x_label;
  double left, width, x0, x1;
};

struct Dots {
  bool works = false;
  bool fails = false;
};

// Memory, pinned bytes and nesting, one below the other. `mark`: where the runs first differ.
void draw(std::string& out, const Explanation& e, const Curves& works, const Curves& fails, const Column& column,
          std::optional<double> mark, Dots& dots) {
  out += fmt::format("<text x='{:.1f}' y='{:.1f}' font-weight='bold'>{}</text>\n", column.left, kTop - 12,
                     escaped(shortened(column.title, 12, column.width)));
  double top = kTop;
  const auto panel = [&](double height, double largest, const std::string& label, const Unit& unit, auto curve,
                         bool budgets) {
    const Panel p(column.left, top, column.width, height, column.x0, column.x1, largest);
    p.frame(out, column.x_label, label, unit.bytes);
    if (mark) p.vertical(out, *mark, kFirstMark);
    if (budgets) {
      p.horizontal(out, static_cast<double>(e.works.budget), kWorks.colour, kWorksDashes);
      p.horizontal(out, static_cast<double>(e.fails.budget), kFails.colour, kFailsDashes);
    }
    p.curve(out, works.*curve, kWorks);
    p.curve(out, fails.*curve, kFails);
    if (p.dot(out, works.*curve, kWorks)) dots.works = true;
    if (p.dot(out, fails.*curve, kFails)) dots.fails = true;
    top += height + kGap;
  };
  const double budget = static_cast<double>(std::max(e.works.budget, e.fails.budget));
  const auto bytes = [&](double height, const char* name, double most, auto curve, bool budgets) {
    const Unit unit = unit_of(most);
    panel(height, 1.06 * most, fmt::format("{} ({})", name, unit.name), unit, curve, budgets);
  };
  bytes(kMemory, "in use", std::max(budget, top_of(works.use, fails.use)), &Curves::use, true);
  bytes(kPinned, "pinned", top_of(works.pinned, fails.pinned), &Curves::pinned, false);
  panel(kNesting, 1.1 * std::max(4.0, top_of(works.nesting, fails.nesting)), "nesting", {1, ""}, &Curves::nesting,
        false);
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
  const std::vector<Sample> works = samples(schedule, e.works.log);
  const std::vector<Sample> fails = samples(schedule, e.fails.log);
  const double end = position(fails, e.failing_step);
  double first = end; // of either run
  if (e.fails_first) first = std::min(first, position(fails, e.fails_first->by.step));
  if (e.works_first) first = std::min(first, position(works, e.works_first->by.step));
  const double margin = std::max(3.0, 0.1 * (end - first));
  const double x0 = std::max(0.0, std::floor(first - margin));
  const double x1 = std::ceil(end + margin);
  std::string out;
  const auto overhead = [&](const Side& side) {
    return static_cast<double>(side.result.record.clock) /
           static_cast<double>(std::max<std::uint64_t>(schedule.total_cost, 1));
  };
  const std::string both = cost ? fmt::format(": overhead {:.3f}x at {} bytes, {:.3f}x at {} bytes", overhead(e.works),
                                              e.works.budget, overhead(e.fails), e.fails.budget)
                                : fmt::format(": works at {} bytes, ends {} at {} bytes", e.works.budget,
                                              record::to_string(e.fails.result.record.status), e.fails.budget);
  const std::string name = shortened(schedule.name, 14, kWidth - 90 - text_width(both, 14, true));
  out += fmt::format("<text x='70' y='22' font-size='14' font-weight='bold'>{}</text>\n", escaped(name + both));
  const std::string op =
      schedule.steps[e.failing_step].kind == trace::StepKind::kPin
          ? fmt::format("pinning storage {} at the end",
                        schedule.storages[schedule.tensors[schedule.steps[e.failing_step].id].storage].root)
          : fmt::format("operator {} '{}'", e.failing_operator, schedule.operator_name(e.failing_operator));
  Dots dots;
  draw(out, e, by_step(works, x0, x1), by_step(fails, x0, x1),
       {"around the first difference and " + std::string(cost ? "the dearest step" : "the failure"),
        "operator (largest of each)", 70, 430, x0, x1},
       first, dots);
  const Curves in_works = by_allocation(works, e.failing_step);
  const Curves in_fails = by_allocation(fails, e.failing_step);
  const double last_in = static_cast<double>(std::max<std::size_t>({2, in_works.use.size(), in_fails.use.size()}));
  draw(out, e, in_works, in_fails, {"within " + op, "allocation", 600, 450, 1 - 0.02 * (last_in - 1), last_in},
       std::nullopt, dots);
  double bottom = kTop + kMemory + kPinned + kNesting + 3 * kGap;
  if (cost) {
    bottom += kTitle;
    const std::vector<Point> cheap = accumulated(schedule, works, e, &StepCost::works);
    const std::vector<Point> dear = accumulated(schedule, fails, e, &StepCost::fails);
    const double last = std::max(works.empty() ? 1 : works.back().at, fails.empty() ? 1 : fails.back().at);
    const Panel panel(70, bottom, 980, kCost, 0, last, 1.08 * std::max(0.01, top_of(cheap, dear, 0)));
    out += fmt::format("<text x='70' y='{:.1f}' font-weight='bold'>rematerialisation up to each operator</text>\n",
                       bottom - 12);
    panel.frame(out, "operator", "x of compute", 1);
    panel.vertical(out, first, kFirstMark);
    panel.vertical(out, end, kLargestMark);
    panel.curve(out, cheap, kWorks);
    panel.curve(out, dear, kFails);
    bottom += kCost + kGap;
  }
  const char* const works_name = cost ? "cheap" : "works";
  const char* const fails_name = cost ? "dear" : "fails";
  Legend legend(bottom);
  legend.run(out, kWorks, fmt::format("run that {}", cost ? "is cheap" : works_name));
  legend.run(out, kFails, fmt::format("run that {}", cost ? "is dear" : fails_name));
  legend.line(out, fmt::format("stroke='{}' {}", kWorks.colour, kWorksDashes), fmt::format("{}: budget", works_name));
  legend.line(out, fmt::format("stroke='{}' {}", kFails.colour, kFailsDashes), fmt::format("{}: budget", fails_name));
  legend.line(out, kFirstMark, "first difference");
  if (cost) legend.line(out, kLargestMark, "largest part of the difference");
  if (dots.works) legend.dot(out, kWorks, fmt::format("{}: a single allocation", works_name));
  if (dots.fails) legend.dot(out, kFails, fmt::format("{}: a single allocation", fails_name));
  return fmt::format(
             "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}' "
             "font-family='DejaVu Sans, Helvetica, sans-serif' font-size='12'>\n<rect width='100%' height='100%' "
             "fill='white'/>\n",
             kWidth, legend.bottom()) +
         out + "</svg>\n";
}

} // namespace dtrmc::explain
