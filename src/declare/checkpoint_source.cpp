#include "declare/checkpoint_source.h"

#include <cstring>

#include "base/error.h"
#include "declare/found_tensor.h"
#include "format/safetensors.h"

namespace burnish {
namespace {

constexpr const char* kEmbedding = "model.embed_tokens.weight";
constexpr const char* kHead = "lm_head.weight";

using Tensors = std::map<std::string, FoundTensor>;

std::set<std::string> declared_names(const ModelDeclaration& declaration) {
  std::set<std::string> names = {kHead};
  for (const ParameterDeclaration& parameter : declaration.parameters) names.insert(parameter.name);
  return names;
}

// Under the names of the declaration, with "model." put before those that lack it.
Tensors by_declared_name(Tensors tensors, const std::set<std::string>& declared,
                         const std::string& where) {
  Tensors renamed;
  for (auto& [name, tensor] : tensors) {
    if (name.ends_with(".rotary_emb.inv_freq")) continue;
    const bool lacks_prefix = declared.count(name) == 0 && declared.count("model." + name) != 0;
    const std::string wanted = lacks_prefix ? "model." + name : name;
    if (!renamed.emplace(wanted, std::move(tensor)).second)
      throw Error(ErrorCode::model, "tensor " + wanted + " is there with and without \"model.\"",
                  where, "Keep one of the two");
  }
  return renamed;
}

std::vector<float> values_of(const FoundTensor& tensor) {
  std::vector<float> values(static_cast<size_t>(tensor.num_elements()));
  tensor.read(values);
  return values;
}

bool same_data(const FoundTensor& a, const FoundTensor& b) {
  if (a.shape != b.shape) return false;
  if (a.dtype == b.dtype && a.plain && b.plain)
    return std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
  const std::vector<float> left = values_of(a), right = values_of(b);
  return std::memcmp(left.data(), right.data(), left.size() * sizeof(float)) == 0;
}

void untie(ModelDeclaration& declaration, std::vector<std::string>& warnings) {
  ModelConfig config = declaration.config;
  config.tied_embeddings = false;
  config.source_json["tie_word_embeddings"] = false;
  declaration = declare_model(config);
  warnings.push_back(std::string("the config ties the embeddings, but ") + kHead +
                     " differs from " + kEmbedding + ": both are kept, and the model is untied");
}

// A tied model stores one matrix; some writers store both, or the head alone.
void settle_tied_head(Tensors& tensors, ModelDeclaration& declaration,
                      std::vector<std::string>& warnings) {
  const auto head = tensors.find(kHead);
  if (!declaration.config.tied_embeddings || head == tensors.end()) return;
  const auto embedding = tensors.find(kEmbedding);
  if (embedding == tensors.end()) {
    tensors.emplace(kEmbedding, head->second);
    tensors.erase(kHead);
    return;
  }
  const bool same = same_data(embedding->second, head->second);
  for (const auto& read : {embedding, head}) read->second.file->release(read->second.bytes);
  if (same)
    tensors.erase(kHead);
  else
    untie(declaration, warnings);
}

void require_all(const Tensors& tensors, const ModelDeclaration& declaration,
                 const std::string& where) {
  std::string first;
  size_t missing = 0;
  for (const ParameterDeclaration& parameter : declaration.parameters)
    if (tensors.count(parameter.name) == 0 && missing++ == 0) first = parameter.name;
  if (missing == 0) return;
  throw Error(ErrorCode::model,
              "tensor " + first + " is missing" +
                  (missing == 1 ? "" : ", and " + std::to_string(missing - 1) + " more"),
              where,
              first == kHead
                  ? "If the head is the embedding, the config must say "
                    "\"tie_word_embeddings\": true"
                  : "The checkpoint is not whole, or its config.json is of another model");
}

void require_shape(const ParameterDeclaration& parameter, const FoundTensor& tensor,
                   const std::string& where) {
  const std::string here = where + ", tensor " + parameter.name;
  if (tensor.shape != parameter.shape)
    throw Error(ErrorCode::model,
                "its shape is " + shape_text(tensor.shape) + ", the config makes it " +
                    shape_text(parameter.shape),
                here);
  if (!tensor.holds_weights())
    throw Error(ErrorCode::model,
                "its dtype is " + std::string(safetensors_name(tensor.dtype)) +
                    ", which is no floating-point kind",
                here);
}

void leave_out_others(Tensors& tensors, const ModelDeclaration& declaration,
                      std::vector<std::string>& warnings) {
  std::set<std::string> declared;
  for (const ParameterDeclaration& parameter : declaration.parameters)
    declared.insert(parameter.name);
  constexpr size_t kNamed = 5;
  std::string names;
  size_t count = 0;
  for (auto it = tensors.begin(); it != tensors.end();) {
    if (declared.count(it->first) != 0) {
      ++it;
      continue;
    }
    if (count++ < kNamed) names += (names.empty() ? "" : ", ") + it->first;
    it = tensors.erase(it);
  }
  if (count == 0) return;
  if (count > kNamed) names += ", and " + std::to_string(count - kNamed) + " more";
  warnings.push_back("unexpected tensors are left out (no part of this model): " + names);
}

class FoundSource : public CheckpointSource {
 public:
  explicit FoundSource(FoundTensors found) : found_(std::move(found)) {}

  const std::vector<int64_t>& shape_of(const std::string& name) const override {
    return at(name).shape;
  }
  DType dtype_of(const std::string& name) const override { return at(name).dtype; }

  const std::string& stored_type(const std::string& name) const override { return at(name).type; }

  void read_f32(const std::string& name, std::span<float> out) const override {
    const FoundTensor& tensor = at(name);
    const auto count = static_cast<size_t>(tensor.num_elements());
    if (out.size() != count)
      throw Error(
          ErrorCode::internal,
          "room for " + std::to_string(out.size()) + " of " + std::to_string(count) + " elements",
          "tensor " + name);
    tensor.read(out);
  }

  bool has(const std::string& name) const override { return found_.tensors.count(name) != 0; }

  std::optional<std::span<const std::byte>> stored_bytes(const std::string& name) const override {
    const FoundTensor& tensor = at(name);
    if (!tensor.plain) return std::nullopt;
    return tensor.bytes;
  }

  void release(const std::string& name) const override {
    const FoundTensor& tensor = at(name);
    tensor.file->release(tensor.bytes);
  }

  const std::vector<std::string>& warnings() const override { return found_.warnings; }

 private:
  const FoundTensor& at(const std::string& name) const {
    const auto found = found_.tensors.find(name);
    if (found == found_.tensors.end())
      throw Error(ErrorCode::internal, "the checkpoint has no such tensor", "tensor " + name);
    return found->second;
  }

  FoundTensors found_;
};

}  // namespace

std::unique_ptr<CheckpointSource> open_checkpoint(const ModelSource& source,
                                                  ModelDeclaration& declaration) {
  const std::string where = source.path.string();
  FoundTensors found = source.kind == ModelSource::Kind::gguf
                           ? found_in_gguf(source.path, declaration.config)
                           : found_in_folder(source.path);
  found.tensors = by_declared_name(std::move(found.tensors), declared_names(declaration), where);
  settle_tied_head(found.tensors, declaration, found.warnings);
  require_all(found.tensors, declaration, where);
  for (const ParameterDeclaration& parameter : declaration.parameters)
    require_shape(parameter, found.tensors.at(parameter.name), where);
  leave_out_others(found.tensors, declaration, found.warnings);
  return std::make_unique<FoundSource>(std::move(found));
}

}  // namespace burnish
