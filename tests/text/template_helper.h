// What the template tests share.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/error.h"
#include "base/file.h"
#include "text/template/exact_json.h"
#include "text/template/template.h"

namespace burnish::test {

using Json = nlohmann::ordered_json;

inline Json read_json(const std::string& path) {
  const std::string full = std::string(BURNISH_TEST_DATA) + "/" + path;
  return parse_exact_json(read_text_file(full), full);
}

/// Renders with all variables from `context`.
inline std::string render(const std::string& source, const Json& context = Json::object()) {
  RenderInput input;
  input.extra = context;
  return Template::parse(source, "t").render(input).text;
}

inline Rendered render_messages(const std::string& source, const Json& messages,
                                bool add_generation_prompt = false) {
  RenderInput input;
  input.messages = messages;
  input.add_generation_prompt = add_generation_prompt;
  return Template::parse(source, "t").render(input);
}

/// The text of the error; "no error" if there is none. @param code what it must be
template <class Action>
std::string error_of(Action action, ErrorCode code) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "no error";
}

/// The text with each stretch marked by its origin: <0:content|hi>, template text bare.
inline std::string marked(const Rendered& rendered) {
  static const char* kParts[] = {"template", "role",  "content", "reasoning",
                                 "tool",     "tools", "other"};
  std::string result;
  for (const OriginRun& run : rendered.origins) {
    const std::string text = rendered.text.substr(run.span.begin, run.span.end - run.span.begin);
    if (run.origin == Origin{}) {
      result += text;
    } else {
      result += "<" + std::to_string(run.origin.message) + ":" +
                kParts[static_cast<int>(run.origin.part)] + "|" + text + ">";
    }
  }
  return result;
}

}  // namespace burnish::test
