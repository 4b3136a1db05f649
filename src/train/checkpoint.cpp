#include "train/checkpoint.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/file.h"
#include "base/hash.h"
#include "engine/tensor_file.h"

namespace burnish {
namespace fs = std::filesystem;
using nlohmann::ordered_json;
namespace {

constexpr char kWeights[] = "weights.safetensors";
constexpr char kMoments[] = "moments.safetensors";  // and the master weights, where there are any
constexpr char kState[] = "state.json";
constexpr char kPrefix[] = "step-";
constexpr char kPartial[] = ".partial";

bool is_partial(const fs::path& path) {
  return path.extension() == kPartial;
}

bool is_checkpoint(const fs::path& path) {
  return path.filename().string().starts_with(kPrefix) && !is_partial(path);
}

std::string save_weights(const fs::path& file, const Model& model) {
  std::vector<TensorToWrite> tensors;
  for (size_t i = 0; i < model.declaration.parameters.size(); ++i)
    tensors.push_back(
        tensor_to_write(model.declaration.parameters[i].name, model.parameters->all()[i].value));
  return write_safetensors(file, tensors, {{"format", "pt"}});
}

std::string save_moments(const fs::path& file, Optimizer& optimizer) {
  std::vector<TensorToWrite> tensors;
  for (const Optimizer::State& state : optimizer.state())
    tensors.push_back(tensor_to_write(state.name, state.tensor));
  return write_safetensors(file, tensors, {{"format", "pt"}});
}

// What a parameter is stored as; another shape or type is refused, the type not where `converts`.
void fill(const SafetensorsFile& file, const std::string& path, const std::string& name,
          const at::Tensor& into, bool converts = false) {
  const StoredTensor* stored = file.find(name);
  if (stored == nullptr) throw Error(ErrorCode::model, "tensor " + name + " is missing", path);
  const bool same_type = stored->dtype == dtype_of(into);
  if (stored->shape != into.sizes().vec() || !(same_type || converts))
    throw Error(ErrorCode::model,
                "tensor " + name + " is " + std::string(safetensors_name(stored->dtype)) + " " +
                    shape_text(stored->shape) + ", expected " +
                    std::string(safetensors_name(dtype_of(into))) + " " +
                    shape_text(into.sizes().vec()),
                path);
  if (same_type)
    std::memcpy(into.mutable_data_ptr(), stored->bytes.data(), stored->bytes.size());
  else
    into.copy_(at::from_blob(const_cast<std::byte*>(stored->bytes.data()), stored->shape,
                             scalar_type_of(stored->dtype, name)));
  file.file().release(stored->bytes);
}

void check_hash(const fs::path& checkpoint, const ordered_json& hashes, const char* name) {
  const fs::path file = checkpoint / name;
  const std::string expected = hashes.value(name, "");
  if (sha256_of_file(file) != expected)
    throw Error(ErrorCode::model, "the file is not what was written (SHA-256 differs)",
                file.string(), "Remove this checkpoint's folder to resume from an older one");
}

ordered_json read_state_json(const fs::path& checkpoint) {
  const fs::path file = checkpoint / kState;
  try {
    return ordered_json::parse(read_text_file(file));
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::model, error.what(), file.string());
  }
}

}  // namespace

ordered_json to_json(const TrainState& s) {
  return {{"step", s.step},
          {"updates", s.updates},
          {"tokens", s.tokens},
          {"targets", s.targets},
          {"train_seconds", s.train_seconds},
          {"stream",
           {{"epoch", s.stream.epoch},
            {"sample", s.stream.sample},
            {"token", s.stream.token},
            {"row", s.stream.row}}},
          {"best_loss", s.best_loss ? ordered_json(*s.best_loss) : ordered_json()},
          {"best_step", s.best_step},
          {"evaluations_without_gain", s.evaluations_without_gain},
          {"loss_scale", s.loss_scale},
          {"steps_since_loss_scale_change", s.steps_since_loss_scale_change},
          {"shared_tokens", s.shared_tokens},
          {"stepped_down", s.stepped_down},
          {"recipe", s.recipe_yaml},
          {"data_sha256", s.data_sha256}};
}

TrainState train_state_from_json(const ordered_json& json, const std::string& where) {
  try {
    TrainState s;
    json.at("step").get_to(s.step);
    json.at("updates").get_to(s.updates);
    json.at("tokens").get_to(s.tokens);
    json.at("targets").get_to(s.targets);
    json.at("train_seconds").get_to(s.train_seconds);
    const ordered_json& stream = json.at("stream");
    stream.at("epoch").get_to(s.stream.epoch);
    stream.at("sample").get_to(s.stream.sample);
    stream.at("token").get_to(s.stream.token);
    stream.at("row").get_to(s.stream.row);
    if (!json.at("best_loss").is_null()) s.best_loss = json.at("best_loss").get<double>();
    json.at("best_step").get_to(s.best_step);
    json.at("evaluations_without_gain").get_to(s.evaluations_without_gain);
    s.loss_scale = json.value("loss_scale", 1.0);
    s.steps_since_loss_scale_change = json.value("steps_since_loss_scale_change", int64_t{0});
    s.shared_tokens = json.value("shared_tokens", int64_t{0});
    s.stepped_down = json.value("stepped_down", false);
    json.at("recipe").get_to(s.recipe_yaml);
    json.at("data_sha256").get_to(s.data_sha256);
    return s;
  } catch (const nlohmann::json::exception& error) {
    throw Error(ErrorCode::model, error.what(), where);
  }
}

void CheckpointFolder::save(const TrainState& state, const Model& model, Optimizer* optimizer,
                            int64_t keep) const {
  const fs::path final_path = of_step(state.step);
  if (fs::exists(final_path)) return;  // the interrupt came right after a regular save
  fs::path partial = final_path;
  partial += kPartial;
  fs::remove_all(partial);
  make_folder(partial);
  ordered_json json = to_json(state);
  json["sha256"] = {{kWeights, save_weights(partial / kWeights, model)}};
  if (optimizer != nullptr) json["sha256"][kMoments] = save_moments(partial / kMoments, *optimizer);
  write_text_file(partial / kState, json.dump(2) + "\n");
  rename_durably(partial, final_path);

  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(folder_))
    if (is_checkpoint(entry.path())) all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  for (size_t i = 0; i + static_cast<size_t>(keep) < all.size(); ++i) fs::remove_all(all[i]);
}

fs::path CheckpointFolder::of_step(int64_t step) const {
  const std::string digits = std::to_string(step);
  return folder_ / (kPrefix + std::string(digits.size() < 8 ? 8 - digits.size() : 0, '0') + digits);
}

std::optional<fs::path> CheckpointFolder::newest() const {
  if (!fs::is_directory(folder_)) return std::nullopt;
  std::optional<fs::path> newest;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    if (is_partial(entry.path()))
      fs::remove_all(entry.path());
    else if (is_checkpoint(entry.path()) && (!newest || entry.path() > *newest))
      newest = entry.path();
  }
  return newest;
}

TrainState load_checkpoint(const fs::path& checkpoint, Model& model, Optimizer* optimizer) {
  at::NoGradGuard no_grad;
  const ordered_json json = read_state_json(checkpoint);
  const ordered_json hashes = json.value("sha256", ordered_json::object());
  check_hash(checkpoint, hashes, kWeights);
  const SafetensorsFile weights(checkpoint / kWeights);
  const bool alone = optimizer == nullptr;
  for (size_t i = 0; i < model.declaration.parameters.size(); ++i) {
    const Weight& weight = model.parameters->all()[i];
    fill(weights, (checkpoint / kWeights).string(), model.declaration.parameters[i].name,
         alone ? exact(weight) : weight.value, /*converts=*/alone);
    if (alone) round_to_value(weight);
  }
  if (optimizer != nullptr) {
    check_hash(checkpoint, hashes, kMoments);
    const SafetensorsFile moments(checkpoint / kMoments);
    for (const Optimizer::State& state : optimizer->state())
      fill(moments, (checkpoint / kMoments).string(), state.name, state.tensor);
  }
  TrainState state = train_state_from_json(json, (checkpoint / kState).string());
  if (optimizer != nullptr) optimizer->set_updates(state.updates);
  return state;
}

}  // namespace burnish
