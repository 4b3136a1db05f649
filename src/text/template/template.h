// Chat templates: Jinja as transformers runs it (ImmutableSandboxedEnvironment, trim_blocks,
// lstrip_blocks, loopcontrols, {% generation %}), with provenance: for every byte of the output,
// which message it came from and which part of it.
#pragma once

#include <cstdint>
#include <ctime>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "text/span.h"
#include "text/template/origin.h"

namespace burnish {

struct OriginRun {
  ByteSpan span;
  Origin origin;
};

struct Rendered {
  std::string text;
  /// Runs that cover the whole text in order.
  std::vector<OriginRun> origins;
  /// The bodies of {% generation %} blocks, in order.
  std::vector<ByteSpan> generation;
  bool has_generation_tag = false;  ///< the template contains the tag
};

struct RenderInput {
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  nlohmann::ordered_json tools;      ///< null: none
  nlohmann::ordered_json documents;  ///< null: none
  bool add_generation_prompt = false;
  std::map<std::string, std::string> special_tokens;                ///< bos_token, eos_token, ...
  nlohmann::ordered_json extra = nlohmann::ordered_json::object();  ///< any other variable
  std::time_t now = 0;  ///< what strftime_now sees (UTC), so that data can be made again
};

class Template {
 public:
  /// @throws Error(model) with NAME:line:column.
  static Template parse(std::string source, std::string name);

  Template(Template&&) noexcept;
  Template& operator=(Template&&) noexcept;
  ~Template();

  /// Thread-safe. @throws Error(data) for what the template raises (raise_exception: its text), for
  /// a wrong operation (with NAME:line:column), and for a limit that was passed.
  Rendered render(const RenderInput& input, const RenderLimits& limits = {}) const;

  const std::string& source() const;

 private:
  struct Program;
  explicit Template(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program_;
};

}  // namespace burnish
