// SPDX-License-Identifier: Apache-2.0
#include "host/trace/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "host/trace/instruction.h"

namespace dtrmc::trace {

namespace {

// Ids travel in 28 bits of a platform action word (firmware/protocol.h).
constexpr std::size_t kMaxIds = std::size_t{1} << 28;

std::string stem(const std::string& file) {
  std::string name = file.substr(file.find_last_of('/') + 1);
  for (const char* extension : {".gz", ".zst", ".log", ".jsonl"}) {
    const std::string_view ending(extension);
    if (name.size() > ending.size() && name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      name.resize(name.size() - ending.size());
    }
  }
  return name;
}

struct Output {
  std::string name;
  std::uint64_t size;      // bytes; of the own storage
  std::int64_t alias = -1; // index into the inputs
};

class Parser {
 public:
  explicit Parser(LineReader& lines) : in_(lines) { schedule_.name = stem(lines.file()); }

  Schedule run() {
    skip_to_start();
    while (in_.next()) instruction();
    pin_survivors();
    return std::move(schedule_);
  }

 private:
  void skip_to_start() {
    while (in_.next()) {
      if (in_.kind() == "ANNOTATE" && in_.text("ANNOTATION") == "START") return;
    }
    const LineReader& lines = in_.lines();
    throw TraceError(lines.file(), 0,
                     lines.line_number() == 0
                         ? "the file is empty; a simrd log begins with an ANNOTATE START line"
                         : fmt::format("no ANNOTATE START line in {} lines; nothing to replay", lines.line_number()));
  }

  void instruction() {
    const std::string& kind = in_.kind();
    if (kind == "CALL") {
      call();
    } else if (kind == "RELEASE") {
      const auto found = names_.find(in_.text("NAME"));
      if (found != names_.end()) release(found->second, found->first);
    } else if (kind == "COPY") {
      const std::string name = in_.text("DST");
      require_new(name);
      const TensorId tensor = resolve(in_.text("SRC"), "SRC");
      define(name, tensor);
      get(tensor);
    } else if (kind == "COPY_FROM") {
      copy_from();
    } else if (kind == "MUTATE") {
      mutate();
    } else if (kind == "CONSTANT") {
      constant();
    } else if (kind == "ANNOTATE") {
      in_.text("ANNOTATION"); // BACKWARD and others: no effect on replay
    } else if (kind == "MEMORY" || kind == "ALIAS") {
      in_.fail(fmt::format("{} of {} follows no CALL or CONSTANT that has such a result", kind,
                           in_quotes(in_.text("NAME"))));
    } else {
      in_.fail(
          fmt::format("unknown INSTRUCTION {}; known: ANNOTATE, CONSTANT, CALL, MEMORY, ALIAS, MUTATE, COPY, "
                      "COPY_FROM, RELEASE",
                      in_quotes(kind)));
    }
  }

  void constant() {
    const std::string name = in_.text("NAME");
    const std::uint64_t line = in_.line_number();
    require_new(name);
    require_new_tensor(name);
    follow("MEMORY", name, "CONSTANT", line);
    const std::vector<Output> outputs = {{name, in_.quantity("MEMORY"), -1}};
    add_operator("constant", line, {}, 0, outputs);
    define(name, static_cast<TensorId>(schedule_.tensors.size() - 1));
    schedule_.steps.push_back({StepKind::kConstant, last_operator()});
  }

  void call() {
    const std::string op = in_.text("NAME");
    const std::uint64_t line = in_.line_number();
    const std::vector<TensorId> inputs = resolve_all();
    const std::uint64_t cost = in_.quantity("TIME");
    std::vector<Output> outputs;
    const std::vector<std::string> results = in_.names("RESULT");
    if (results.empty()) in_.fail(fmt::format("CALL of {} has an empty RESULT; give it a result", in_quotes(op)));
    std::unordered_set<std::string> distinct;
    for (const std::string& name : results) {
      require_new(name);
      require_new_tensor(name);
      if (!distinct.insert(name).second) {
        in_.fail(fmt::format("RESULT holds {} twice; results need distinct names", in_quotes(name)));
      }
    }
    for (const std::string& name : results) {
      follow("MEMORY", name, "CALL", line);
      const std::uint64_t size = in_.quantity("MEMORY");
      follow("ALIAS", name, "CALL", line);
      const std::int64_t alias = in_.index("ALIAS");
      if (alias < -1 || alias >= static_cast<std::int64_t>(inputs.size())) {
        in_.fail(fmt::format("ALIAS {} is out of range: the CALL in line {} has {} ARGS (-1: own storage)", alias, line,
                             inputs.size()));
      }
      outputs.push_back({name, size, alias});
    }
    const auto first = static_cast<TensorId>(schedule_.tensors.size());
    add_operator(op, line, inputs, cost, outputs);
    for (std::size_t i = 0; i < results.size(); ++i) define(results[i], first + static_cast<TensorId>(i));
    schedule_.steps.push_back({StepKind::kCompute, last_operator()});
  }

  void mutate() {
    const std::string op = in_.text("NAME");
    const std::vector<std::string> arguments = in_.names("ARGS");
    const std::vector<TensorId> inputs = resolve_all();
    const std::uint64_t cost = in_.quantity("TIME");
    const std::vector<std::int64_t> indices = in_.indices("MUTATE");
    if (indices.empty()) in_.fail(fmt::format("MUTATE by {} names no argument that it changes", in_quotes(op)));
    std::vector<Output> outputs;
    std::unordered_set<std::string> distinct;
    for (const std::int64_t index : indices) {
      if (index < 0 || index >= static_cast<std::int64_t>(inputs.size())) {
        in_.fail(fmt::format("MUTATE index {} is out of range: there are {} ARGS", index, inputs.size()));
      }
      const TensorId old = inputs[static_cast<std::size_t>(index)];
      std::string name = std::string(schedule_.tensor_name(old)) + '$';
      if (!distinct.insert(name).second || tensor_names_.count(name) > 0) {
        in_.fail(
            fmt::format("MUTATE makes the tensor {}, which exists: mutate a tensor once, then write COPY_FROM for "
                        "its other names",
                        in_quotes(name)));
      }
      outputs.push_back({std::move(name), schedule_.storages[schedule_.tensors[old].storage].size, -1});
    }
    const auto first = static_cast<TensorId>(schedule_.tensors.size());
    add_operator(op, in_.line_number(), inputs, cost, outputs);
    schedule_.steps.push_back({StepKind::kCompute, last_operator()});
    for (std::size_t i = 0; i < indices.size(); ++i) {
      const std::string& name = arguments[static_cast<std::size_t>(indices[i])];
      TensorId& bound = names_.find(name)->second;
      const TensorId old = bound;
      bound = first + static_cast<TensorId>(i);
      release(old, name);
    }
  }

  void copy_from() {
    const std::string destination = in_.text("DST");
    const TensorId old = resolve(destination, "DST");
    const TensorId tensor = resolve(in_.text("SRC"), "SRC");
    release(old, destination);
    names_.find(destination)->second = tensor;
    get(tensor);
  }

  // Reads the line that must follow: `kind` of `name`, which belongs to the `owner` in `line`.
  void follow(const char* kind, const std::string& name, const char* owner, std::uint64_t line) {
    if (!in_.next()) {
      in_.fail(
          fmt::format("the file ends inside the {} of line {}: the {} line of {} is missing; is the file truncated?",
                      owner, line, kind, in_quotes(name)));
    }
    if (in_.kind() != kind) {
      in_.fail(fmt::format("{} where the {} line of {} must stand ({} in line {})", in_quotes(in_.kind()), kind,
                           in_quotes(name), owner, line));
    }
    const std::string found = in_.text("NAME");
    if (found != name) {
      in_.fail(fmt::format("{} of {} where that of {} must stand ({} in line {})", kind, in_quotes(found),
                           in_quotes(name), owner, line));
    }
  }

  std::vector<TensorId> resolve_all() {
    std::vector<TensorId> out;
    for (const std::string& name : in_.names("ARGS")) out.push_back(resolve(name, "ARGS"));
    return out;
  }

  TensorId resolve(const std::string& name, const char* field) {
    const auto found = names_.find(name);
    if (found == names_.end())
      in_.fail(fmt::format("unknown name {} in {}; nothing defined it", in_quotes(name), field));
    return found->second;
  }

  void require_new(const std::string& name) {
    if (names_.count(name) > 0) {
      in_.fail(fmt::format("{} is defined twice; use COPY_FROM to rebind a name", in_quotes(name)));
    }
  }
  void require_new_tensor(const std::string& name) {
    if (tensor_names_.count(name) > 0) {
      in_.fail(fmt::format("{} is already the name of a tensor, made by a MUTATE; rename the result", in_quotes(name)));
    }
  }

  void define(const std::string& name, TensorId tensor) {
    names_.emplace(name, tensor);
    order_.push_back(name);
  }

  void get(TensorId tensor) {
    ++references_[tensor];
    schedule_.steps.push_back({StepKind::kGet, tensor});
  }

  void release(TensorId tensor, const std::string& name) {
    if (references_[tensor] == 0) {
      in_.fail(fmt::format("{} is released more often than it is referenced (tensor {})", in_quotes(name),
                           in_quotes(schedule_.tensor_name(tensor))));
    }
    --references_[tensor];
    schedule_.steps.push_back({StepKind::kRelease, tensor});
  }

  OperatorId last_operator() const { return static_cast<OperatorId>(schedule_.operators.size() - 1); }

  // `total` += `amount`, with an error once the sum leaves the range in which the simulator's sums are exact.
  void accumulate(std::uint64_t& total, std::uint64_t amount, const char* what) {
    if (amount > kMaxQuantity - total) in_.fail(fmt::format("the sum of all {} passes 2^62; is the unit right?", what));
    total += amount;
  }

  void add_operator(const std::string& name, std::uint64_t line, const std::vector<TensorId>& inputs,
                    std::uint64_t cost, const std::vector<Output>& outputs) {
    Schedule& s = schedule_;
    if (s.tensors.size() + outputs.size() >= kMaxIds || s.inputs.size() + inputs.size() > UINT32_MAX) {
      in_.fail("more than 2^28 tensors or 2^32 arguments; split the trace");
    }
    const auto op = static_cast<OperatorId>(s.operators.size());
    accumulate(s.total_cost, cost, "TIMEs");
    std::vector<StorageId> touched;
    for (const Output& output : outputs) {
      const auto tensor = static_cast<TensorId>(s.tensors.size());
      StorageId storage = 0;
      if (output.alias < 0) {
        accumulate(total_size_, output.size, "sizes");
        storage = static_cast<StorageId>(s.storages.size());
        s.storages.push_back({output.size, tensor});
      } else {
        storage = s.tensors[inputs[static_cast<std::size_t>(output.alias)]].storage;
      }
      touched.push_back(storage);
      s.tensors.push_back({op, storage, static_cast<std::int32_t>(output.alias)});
      s.tensor_name_text += output.name;
      s.tensor_name_end.push_back(s.tensor_name_text.size());
      tensor_names_.insert(output.name);
      references_.push_back(1);
    }
    std::sort(touched.begin(), touched.end());
    const auto distinct = std::unique(touched.begin(), touched.end()) - touched.begin();
    for (std::ptrdiff_t i = 0; i < distinct; ++i) accumulate(total_weight_, cost, "storages' costs");
    const auto entry = operator_names_.emplace(name, static_cast<std::uint32_t>(s.operator_names.size()));
    if (entry.second) s.operator_names.push_back(name);
    s.operators.push_back({cost, static_cast<std::uint32_t>(s.inputs.size()), static_cast<std::uint32_t>(inputs.size()),
                           static_cast<TensorId>(s.tensors.size() - outputs.size()),
                           static_cast<std::uint32_t>(outputs.size()), entry.first->second,
                           static_cast<std::uint32_t>(std::min<std::uint64_t>(line, UINT32_MAX))});
    s.inputs.insert(s.inputs.end(), inputs.begin(), inputs.end());
  }

  // The output condition: what a log name still holds at the end must be resident.
  void pin_survivors() {
    for (const std::string& name : order_) {
      const TensorId tensor = names_.find(name)->second;
      if (references_[tensor] > 0) schedule_.steps.push_back({StepKind::kPin, tensor});
    }
  }

  InstructionReader in_;
  Schedule schedule_;
  std::unordered_map<std::string, TensorId> names_; // log names
  std::vector<std::string> order_;                  // log names in order of first definition
  std::unordered_set<std::string> tensor_names_;
  std::unordered_map<std::string, std::uint32_t> operator_names_;
  std::vector<std::uint64_t> references_; // external ones, by tensor
  std::uint64_t total_size_ = 0;          // bytes, of all storages
  std::uint64_t total_weight_ = 0;        // ns, sum over storages of the operators that write them: bounds cost sums
};

Schedule parse(std::unique_ptr<ByteSource> source, const std::string& file) {
  LineReader lines(std::move(source), file);
  return Parser(lines).run();
}

} // namespace

Schedule parse_file(const std::string& path) { return parse(open_file(path), path); }

Schedule parse_text(std::string_view text, const std::string& file) { return parse(open_text(text), file); }

} // namespace dtrmc::trace
