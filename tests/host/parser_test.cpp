// SPDX-License-Identifier: Apache-2.0
// The trace parser: what it accepts, and for everything else the line and the reason.
#include "host/trace/parser.h"

#include <zlib.h>
#include <zstd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "host/trace/line_reader.h"
#include "host/trace/lookup.h"

using namespace dtrmc;
using Catch::Matchers::Contains;
using trace::parse_text;
using trace::Schedule;
using trace::StepKind;

namespace {

const std::string kStart = R"({"INSTRUCTION":"ANNOTATE","ANNOTATION":"START"})"
                           "\n";

std::string constant(const std::string& name, const std::string& size) {
  return R"({"INSTRUCTION":"CONSTANT","NAME":")" + name + "\"}\n" + R"({"INSTRUCTION":"MEMORY","NAME":")" + name +
         R"(","MEMORY":")" + size + "\"}\n";
}

struct Out {
  std::string name;
  std::string size;
  std::string alias;
};

std::string call(const std::string& args, const std::vector<Out>& outs, const std::string& time = "\"5\"") {
  std::string results;
  std::string rest;
  for (const Out& out : outs) {
    results += (results.empty() ? "\"" : ",\"") + out.name + "\"";
    rest += R"({"INSTRUCTION":"MEMORY","NAME":")" + out.name + R"(","MEMORY":)" + out.size + "}\n";
    rest += R"({"INSTRUCTION":"ALIAS","NAME":")" + out.name + R"(","ALIAS":)" + out.alias + "}\n";
  }
  return R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[)" + args + R"(],"RESULT":[)" + results + R"(],"TIME":)" + time +
         "}\n" + rest;
}

std::string mutate(const std::string& args, const std::string& indices) {
  return R"({"INSTRUCTION":"MUTATE","NAME":"g_","ARGS":[)" + args + R"(],"MUTATE":[)" + indices + R"(],"TIME":"3"})" +
         "\n";
}
std::string copy(const std::string& kind, const std::string& to, const std::string& from) {
  return R"({"INSTRUCTION":")" + kind + R"(","DST":")" + to + R"(","SRC":")" + from + "\"}\n";
}
std::string release(const std::string& name) { return R"({"INSTRUCTION":"RELEASE","NAME":")" + name + "\"}\n"; }

// The message of the error that `text` must cause.
std::string error_of(const std::string& text) {
  try {
    parse_text(text, "t.log");
  } catch (const trace::TraceError& error) {
    std::string message = error.what();
    CHECK(message.find('\n') == std::string::npos);
    return message;
  }
  return "no error";
}

class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& content)
      : path_(std::filesystem::temp_directory_path() / ("dtrmc-parser-test-" + name)) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

std::string error_of_file(const std::string& path) {
  try {
    trace::parse_file(path);
  } catch (const trace::TraceError& error) {
    return error.what();
  }
  return "no error";
}

std::string gzip(const std::string& text) {
  z_stream stream = {};
  REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(text.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

// Two names of x, one view, one in-place operator.
std::string sample() {
  return kStart + constant("x", "16") + call("\"x\",\"x\"", {{"y", "\"8\"", "\"-1\""}, {"v", "\"16\"", "\"0\""}}) +
         copy("COPY", "z", "y") + mutate("\"y\"", "0") + release("z") + release("never_defined");
}

} // namespace

TEST_CASE("a log becomes dense ids and steps") {
  const Schedule s = parse_text(sample(), "folder/t.log.gz");
  CHECK(s.name == "t");
  REQUIRE(s.operators.size() == 3);
  REQUIRE(s.tensors.size() == 4);
  REQUIRE(s.storages.size() == 3);
  CHECK(s.tensor_name(0) == "x");
  CHECK(s.tensor_name(1) == "y");
  CHECK(s.tensor_name(2) == "v");
  CHECK(s.tensor_name(3) == "y$");
  CHECK(s.tensors[2].alias == 0);
  CHECK(s.tensors[2].storage == s.tensors[0].storage);
  CHECK(s.storages[s.tensors[3].storage].size == 8);
  CHECK(s.storage_name(2) == "y$");
  CHECK(s.operators[1].input_count == 2);
  CHECK(s.operators[1].line == 4);
  CHECK(s.operator_name(2) == "g_");
  CHECK(s.total_cost == 8);
  const std::vector<std::pair<StepKind, std::uint32_t>> expected = {
      {StepKind::kConstant, 0}, {StepKind::kCompute, 1}, {StepKind::kGet, 1},
      {StepKind::kCompute, 2},  {StepKind::kRelease, 1}, {StepKind::kRelease, 1},
      {StepKind::kPin, 0},      {StepKind::kPin, 3},     {StepKind::kPin, 2}};
  REQUIRE(s.steps.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    INFO(i);
    CHECK(s.steps[i].kind == expected[i].first);
    CHECK(s.steps[i].id == expected[i].second);
  }
}

TEST_CASE("CRLF, blank lines, plain integers and anything before START are accepted") {
  std::string text = "{\"INSTRUCTION\":\"NONSENSE\"}\r\n\r\n" + sample();
  std::string crlf;
  for (const char c : text) crlf += c == '\n' ? std::string("\r\n\n") : std::string(1, c);
  CHECK(parse_text(crlf, "t").steps.size() == 9);
  CHECK(parse_text(kStart + constant("x", "1") + call("\"x\"", {{"y", "8", "-1"}}, "7"), "t").total_cost == 7);
}

TEST_CASE("MUTATE renames, and COPY_FROM rebinds, releasing the old tensor first") {
  const Schedule s = parse_text(kStart + constant("a", "4") + constant("b", "4") + mutate("\"a\"", "0") +
                                    copy("COPY_FROM", "a", "b") + mutate("\"b\"", "0"),
                                "t");
  CHECK(s.tensor_name(2) == "a$");
  CHECK(s.tensor_name(3) == "b$");
  // a means b's tensor (id 1) after COPY_FROM, and still does after b was mutated.
  CHECK(s.steps[s.steps.size() - 2].kind == StepKind::kPin);
  CHECK(s.steps[s.steps.size() - 2].id == 1);
  CHECK(s.steps.back().id == 3);
}

TEST_CASE("gzip and zstd are recognised by content, also as several members") {
  const std::string text = sample();
  const TemporaryFile gz("gz", gzip(text.substr(0, 100)) + gzip(text.substr(100)));
  const TemporaryFile zst("zst", zstd(text.substr(0, 100)) + zstd(text.substr(100)));
  CHECK(trace::parse_file(gz.path()).steps.size() == 9);
  CHECK(trace::parse_file(zst.path()).steps.size() == 9);
}

TEST_CASE("truncated and damaged compressed files are named as such") {
  const std::string gz = gzip(sample());
  const std::string zst = zstd(sample());
  for (std::size_t length = 4; length < gz.size(); length += 7) {
    const TemporaryFile file("cut", gz.substr(0, length));
    CHECK_THAT(error_of_file(file.path()), Contains("gzip") && Contains("truncated"));
  }
  for (std::size_t length = 4; length < zst.size(); length += 7) {
    const TemporaryFile file("cut", zst.substr(0, length));
    CHECK_THAT(error_of_file(file.path()), Contains("zstd") && Contains("truncated"));
  }
  std::string damaged = gz;
  damaged[gz.size() - 6] = static_cast<char>(damaged[gz.size() - 6] ^ 1); // the checksum
  const TemporaryFile file("damaged", damaged);
  CHECK_THAT(error_of_file(file.path()), Contains("damaged"));
}

TEST_CASE("files that are no traces") {
  CHECK_THAT(error_of(""), Contains("t.log: the file is empty"));
  CHECK_THAT(error_of("\n\r\n"), Contains("empty") || Contains("no ANNOTATE START"));
  CHECK_THAT(error_of(constant("x", "1")), Contains("no ANNOTATE START"));
  CHECK_THAT(error_of(std::string("\x7f\x45\x4c\x46\0\1\2", 7)), Contains("t.log:1: not JSON"));
  CHECK_THAT(error_of(kStart + "\n[1,2]\n"), Contains("t.log:3: not a JSON object"));
  CHECK_THAT(error_of(kStart + "{\"A\":1}\n"), Contains("t.log:2:") && Contains("INSTRUCTION"));
  CHECK_THAT(error_of(kStart + "{\"INSTRUCTION\":7}\n"), Contains("t.log:2: INSTRUCTION is not a string"));
  CHECK_THAT(error_of(kStart + "{\"INSTRUCTION\":\"JUMP\"}\n"), Contains("unknown INSTRUCTION 'JUMP'"));
  CHECK_THAT(error_of_file("/"), Contains("is a directory"));
  CHECK_THAT(error_of_file("/nonexistent/x.log"), Contains("cannot be opened"));
  CHECK_THAT(error_of(kStart + std::string(trace::LineReader::kMaxLine + 200000, 'a')),
             Contains("t.log:2: a line longer"));
}

TEST_CASE("names: unknown, doubled, forged") {
  CHECK_THAT(error_of(kStart + call("\"x\"", {{"y", "1", "-1"}})), Contains("t.log:2: unknown name 'x' in ARGS"));
  CHECK_THAT(error_of(kStart + copy("COPY", "y", "x")), Contains("unknown name 'x' in SRC"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + copy("COPY_FROM", "y", "x")), Contains("unknown name 'y' in DST"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + copy("COPY_FROM", "x", "y")), Contains("unknown name 'y' in SRC"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + constant("x", "1")), Contains("t.log:4: 'x' is defined twice"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + call("\"x\"", {{"x", "1", "-1"}})),
             Contains("'x' is defined twice"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + copy("COPY", "x", "x")), Contains("'x' is defined twice"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + call("\"x\"", {{"y", "1", "-1"}, {"y", "1", "-1"}})),
             Contains("RESULT holds 'y' twice"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + mutate("\"x\"", "0") + constant("x$", "1")),
             Contains("'x$' is already the name of a tensor"));
  CHECK_THAT(error_of(kStart + constant("a\\nb", "1")), Contains("control characters"));
}

TEST_CASE("references: released more often than referenced") {
  CHECK_THAT(error_of(kStart + constant("x", "1") + release("x") + release("x")),
             Contains("t.log:5: 'x' is released more often than it is referenced"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + release("x") + mutate("\"x\"", "0")),
             Contains("released more often"));
  CHECK_THAT(error_of(kStart + constant("x", "1") + constant("y", "1") + release("x") + copy("COPY_FROM", "x", "y")),
             Contains("released more often"));
  CHECK(error_of(kStart + constant("x", "1") + copy("COPY", "y", "x") + release("x") + release("x")) == "no error");
}

TEST_CASE("CALL: results, MEMORY and ALIAS lines") {
  const std::string x = kStart + constant("x", "1");
  CHECK_THAT(error_of(x + call("\"x\"", {})), Contains("t.log:4:") && Contains("empty RESULT"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "1", "1"}})), Contains("t.log:6: ALIAS 1 is out of range"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "1", "-2"}})), Contains("ALIAS -2 is out of range"));
  const std::string whole = x + call("\"x\"", {{"y", "1", "-1"}, {"z", "1", "-1"}});
  std::size_t at = x.size();
  for (int lines = 0; lines < 4; ++lines) { // cut after the CALL line and after each but the last that belongs to it
    at = whole.find('\n', at) + 1;
    CHECK_THAT(error_of(whole.substr(0, at)), Contains("the file ends inside the CALL of line 4"));
  }
  CHECK_THAT(error_of(whole.substr(0, whole.size() - 10)), Contains("t.log:8: not JSON"));
  const std::string first = x + R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[],"RESULT":["y"],"TIME":"1"})" + "\n";
  CHECK_THAT(error_of(first + release("x")), Contains("t.log:5: 'RELEASE' where the MEMORY line of 'y' must stand"));
  CHECK_THAT(error_of(first + R"({"INSTRUCTION":"MEMORY","NAME":"w","MEMORY":"1"})"),
             Contains("MEMORY of 'w' where that of 'y' must stand"));
  CHECK_THAT(error_of(x + R"({"INSTRUCTION":"MEMORY","NAME":"w","MEMORY":"1"})"), Contains("follows no CALL"));
  CHECK_THAT(error_of(kStart + R"({"INSTRUCTION":"CONSTANT","NAME":"w"})"), Contains("ends inside the CONSTANT"));
  for (const char* field : {"NAME", "ARGS", "RESULT", "TIME"}) {
    std::string text = call("\"x\"", {{"y", "1", "-1"}});
    text.replace(text.find("\"" + std::string(field) + "\""), std::string(field).size() + 2, "\"OTHER\"");
    INFO(field);
    CHECK_THAT(error_of(x + text), Contains("t.log:4: CALL lacks the field " + std::string(field)));
  }
  CHECK_THAT(error_of(x + R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":"x","RESULT":["y"],"TIME":"1"})"),
             Contains("ARGS is not an array"));
  CHECK_THAT(error_of(x + R"({"INSTRUCTION":"CALL","NAME":"f","ARGS":[1],"RESULT":["y"],"TIME":"1"})"),
             Contains("ARGS holds something that is not a string"));
}

TEST_CASE("MUTATE: indices and names") {
  const std::string x = kStart + constant("x", "1");
  CHECK_THAT(error_of(x + mutate("\"x\"", "1")), Contains("t.log:4: MUTATE index 1 is out of range"));
  CHECK_THAT(error_of(x + mutate("\"x\"", "-1")), Contains("MUTATE index -1 is out of range"));
  CHECK_THAT(error_of(x + mutate("\"x\"", "")), Contains("names no argument"));
  CHECK_THAT(error_of(x + mutate("\"x\"", "0,0")), Contains("makes the tensor 'x$', which exists"));
  CHECK_THAT(error_of(x + mutate("\"x\"", "0.5")), Contains("neither a whole number"));
  CHECK_THAT(error_of(x + copy("COPY", "y", "x") + mutate("\"x\"", "0") + mutate("\"y\"", "0")),
             Contains("makes the tensor 'x$', which exists"));
  CHECK(error_of(x + mutate("\"x\"", "0") + mutate("\"x\"", "0")) == "no error"); // x$, then x$$
}

TEST_CASE("numbers out of range are refused, whatever they are written as") {
  const std::string x = kStart + constant("x", "1");
  CHECK_THAT(error_of(kStart + constant("x", "-5")), Contains("t.log:3: MEMORY is negative"));
  CHECK_THAT(error_of(kStart + constant("x", "100000000000000000000000")), Contains("beyond 2^62"));
  CHECK_THAT(error_of(kStart + constant("x", "4611686018427387905")), Contains("beyond 2^62"));
  CHECK(error_of(kStart + constant("x", "4611686018427387904")) == "no error");
  CHECK_THAT(error_of(kStart + constant("x", "")), Contains("not a whole number"));
  CHECK_THAT(error_of(kStart + constant("x", "1.5")), Contains("not a whole number"));
  CHECK_THAT(error_of(kStart + constant("x", "ten")), Contains("not a whole number"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "100000000000000000000000", "-1"}})), Contains("t.log:5:"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "18446744073709551615", "-1"}})), Contains("beyond 2^62"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "1e3", "-1"}})), Contains("neither a whole number"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "null", "-1"}})), Contains("neither a whole number"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "1", "-1"}}, "-1")), Contains("t.log:4: TIME is negative"));
  // Sums that would leave the simulator's exact range.
  CHECK_THAT(error_of(kStart + constant("x", "4611686018427387904") + constant("y", "1")),
             Contains("sum of all sizes"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "1", "-1"}}, "4611686018427387904") + call("\"x\"", {{"z", "1", "-1"}})),
             Contains("sum of all TIMEs"));
  CHECK_THAT(error_of(x + call("\"x\"", {{"y", "1", "-1"}, {"z", "1", "-1"}}, "4000000000000000000")),
             Contains("sum of all storages' costs"));
}

TEST_CASE("traces are found by path and by name, and a miss lists what was tried") {
  const std::string name = "dtrmc-lookup-test";
  const auto root = std::filesystem::temp_directory_path() / "dtrmc-lookup-test";
  std::filesystem::create_directories(root / "traces/public");
  std::ofstream(root / "traces/public" / (name + ".jsonl")) << kStart;
  const char* before = std::getenv("DTRMC_SHARED");
  const std::string saved = before != nullptr ? before : "";
  setenv("DTRMC_SHARED", root.c_str(), 1);
  CHECK(trace::find_trace(name) == (root / "traces/public" / (name + ".jsonl")).string());
  CHECK(trace::find_trace(root.string() + "/traces/public/" + name + ".jsonl").size() > name.size());
  CHECK_THROWS_WITH(trace::find_trace("no-such-trace"), Contains("no such trace") && Contains(root.string()));
  CHECK_THROWS_WITH(trace::find_trace("/no/such/path.log"), Contains("no such file"));
  CHECK_THROWS_WITH(trace::find_trace(""), Contains("empty"));
  if (before != nullptr) {
    setenv("DTRMC_SHARED", saved.c_str(), 1);
  } else {
    unsetenv("DTRMC_SHARED");
  }
  std::filesystem::remove_all(root);
}
