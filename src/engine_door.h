// The one door to libtorch. The executable opens libburnish_engine.so when a command needs tensors
// and gets this interface of plain types; nothing else crosses.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "recipe/recipe.h"

namespace burnish {

struct TrainRequest {
  Recipe recipe;
  std::vector<std::string> warnings;  ///< of the recipe, for the log
  bool resume = false;
  double process_start_s = 0;  ///< CLOCK_REALTIME of the process start: startup_s counts from here
  bool quiet = false;          ///< no progress line
};

/// The fields of `burnish train --json`: at least the peer's (tokens, tokens_per_s,
/// cpu_s_per_token, startup_s, peak_rss_mib, losses), and evaluations, answers, folders.
using TrainSummary = nlohmann::ordered_json;

struct RunModelRequest {
  std::string model, input, output;  ///< output is a .safetensors file
  DType dtype = DType::f32;
  bool gradients = false;
};

struct SamplingOptions {
  double temperature = 0.0;  ///< 0: greedy
  double top_p = 1.0;
  int64_t top_k = 0;  ///< 0: all
  double min_p = 0.0;
  uint64_t seed = 0;
  int64_t max_tokens = 512;
};

/// A loaded model that answers. Keeps its KV cache between turns where the prefix allows.
class Chat {
 public:
  virtual ~Chat() = default;
  /// `messages`: the conversation so far, the last one the user's. `on_text` gets whole UTF-8
  /// characters as they come. Returns the answer.
  virtual std::string answer(const nlohmann::ordered_json& messages, const SamplingOptions& options,
                             const std::function<void(const std::string&)>& on_text) = 0;
};

class Engine {
 public:
  virtual ~Engine() = default;
  virtual TrainSummary train(const TrainRequest& request) = 0;
  virtual void run_model(const RunModelRequest& request) = 0;
  virtual std::unique_ptr<Chat> open_chat(const std::string& model) = 0;
  /// Libraries, kernels chosen, measured matrix rate (GFLOP/s): the tensor half of `doctor`.
  virtual nlohmann::ordered_json doctor() = 0;
};

/// Opens the library beside the executable. @throws Error(io) with the loader's message.
/// Messages of libtorch never reach the terminal as traces: they become Error.
Engine& open_engine();

}  // namespace burnish
