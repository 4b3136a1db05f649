#include "engine_door.h"

#include <c10/util/Exception.h>
#include <torch/headeronly/version.h>

#include <ATen/Parallel.h>
#include <ATen/Version.h>

#include <ctime>

#include "base/error.h"
#include "engine/out_of_memory.h"
#include "engine/run_model.h"
#include "generate/generator.h"
#include "kernel/half_product.h"
#include "kernel/kernel_choice.h"
#include "kernel/matrix_rate.h"
#include "train/trainer.h"

namespace burnish {
namespace {

[[noreturn]] void refuse_for_memory() {
  throw Error(ErrorCode::memory, "out of memory", {}, "End other programs, or take fewer tokens");
}

// libtorch's other failures are bugs here: all that a user can cause was refused before.
template <class Action>
auto guarded(Action action) {
  try {
    return action();
  } catch (const c10::Error& error) {
    if (is_out_of_memory(error)) refuse_for_memory();
    throw Error(ErrorCode::internal, error.what_without_backtrace(), "libtorch");
  } catch (const std::bad_alloc&) {
    refuse_for_memory();
  }
}

class LoadedChat : public Chat {
 public:
  explicit LoadedChat(const std::string& name)
      : source_(resolve_model(name)),
        model_(load_model(source_, {})),
        text_(load_text(source_)),
        generator_(*model_, text_) {}

  std::string answer(const nlohmann::ordered_json& messages, const SamplingOptions& options,
                     const std::function<void(const std::string&)>& on_text) override {
    return guarded([&] { return generator_.answer(messages, options, on_text); });
  }

 private:
  ModelSource source_;
  std::unique_ptr<Model> model_;
  TextFiles text_;
  Generator generator_;
};

class LibtorchEngine : public Engine {
 public:
  TrainSummary train(const TrainRequest& request) override {
    return guarded([&] { return burnish::train(request); });
  }
  void run_model(const RunModelRequest& request) override {
    guarded([&] {
      run_model_file(request);
      return 0;
    });
  }
  std::unique_ptr<Chat> open_chat(const std::string& model) override {
    return guarded([&] { return std::make_unique<LoadedChat>(model); });
  }
  nlohmann::ordered_json doctor() override {
    return {{"libtorch", TORCH_VERSION},
            {"cuda", at::hasCUDA()},
            {"threads", at::get_num_threads()},
            {"kernels", kernel_targets()},
            {"bf16_product", half_product_name()},
            {"matrix_gflops", measure_matrix_gflops(1.0)},
            {"matrix_gflops_bf16", measure_matrix_gflops(0.5, at::kBFloat16)}};
  }
};

}  // namespace
}  // namespace burnish

extern "C" burnish::Engine* burnish_engine() {
  static burnish::LibtorchEngine engine;
  return &engine;
}
