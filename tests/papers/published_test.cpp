// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "host/papers/claims.h"

using namespace dtrmc::papers;

TEST_CASE("numbers agree in the digits in which they were published") {
  CHECK(agrees("2.24", Json(2.2406)));
  CHECK(agrees("2.24", Json(2.235)));
  CHECK_FALSE(agrees("2.24", Json(2.2451)));
  CHECK(agrees("0.987e9", Json(std::uint64_t{986579316})));
  CHECK_FALSE(agrees("0.988e9", Json(std::uint64_t{986579316})));
  CHECK(agrees("2.8228e-9", Json(2.82280479e-9)));
  CHECK(agrees("2634399100", Json(std::uint64_t{2634399100})));
  CHECK_FALSE(agrees("2634399100", Json(std::uint64_t{2634399101})));
  CHECK(agrees("1.2815882442398483", Json(1.2815882442398483)));
  CHECK_FALSE(agrees("1.2815882442398483", Json(1.2815882442398486)));
  CHECK(agrees("oom", Json("oom")));
  CHECK_FALSE(agrees("oom", Json("ok")));
  CHECK_FALSE(agrees("1.5", Json(nullptr)));
}

TEST_CASE("parts of a value") {
  const Json value = Json::parse(R"({"a": [{"k": 1, "n": 2, "v": 5}, {"k": 1, "n": 3, "v": {"w": 7}}]})");
  CHECK(part_of(value, "a[k=1,n=3].v.w") == Json(7));
  CHECK(part_of(value, "a[k=1].v") == Json(5));
  CHECK(part_of(value, "a.1.n") == Json(3));
  CHECK(part_of(value, "a[k=9].v").is_null());
  CHECK(part_of(value, "b.c").is_null());
}

TEST_CASE("the built-in claims are well-formed, and each wrong file is refused in words") {
  CHECK(published_claims()["claims"].size() > 70);
  Options options;
  options.find_trace = [](const std::string&) -> std::string { throw ClaimsError("asked for a trace"); };
  for (const char* text :
       {"[]", R"({"claims": 1})", R"({"claims": []})", R"({"claims": [1]})", R"({"claims": [{"claim": "a"}]})",
        R"({"claims": [{"claim": "a", "source": "s", "trace": "t", "kind": "x"}]})",
        R"({"claims": [{"claim": "a", "source": "s", "trace": "t", "kind": "run", "ratio": "2",
                               "expect": {"status": "ok"}}]})",
        R"({"claims": [{"claim": "a", "source": "s", "trace": "t", "kind": "run", "ratio": "0.2",
                               "expect": {"status": 1}}]})"}) {
    INFO(text);
    CHECK_THROWS_AS(check_claims(Json::parse(text), "file", options), ClaimsError);
  }
}
