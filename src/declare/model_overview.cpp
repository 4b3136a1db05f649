#include "declare/model_overview.h"

#include "base/error.h"
#include "base/hash.h"
#include "declare/gguf_sizes.h"
#include "format/json.h"
#include "text/load.h"

namespace burnish {
namespace {
using json = nlohmann::ordered_json;

void read_gguf(ModelOverview& overview) {
  const GgufFile file(overview.source.path);
  overview.family = file.need<std::string>("general.architecture");
  overview.config = sizes_of_gguf(file);
  overview.stored = stored_in_gguf(overview.source.path);
}

void read_folder(ModelOverview& overview) {
  const std::filesystem::path path = overview.source.path / "config.json";
  overview.config = parse_ordered_json_object(read_text_file(path), path.string());
  const auto type = overview.config.find("model_type");
  if (type != overview.config.end() && type->is_string())
    overview.family = type->get<std::string>();
  overview.stored = found_in_folder(overview.source.path);
}

std::map<std::string, TypeTotal> totals(const FoundTensors& stored) {
  std::map<std::string, TypeTotal> types;
  for (const auto& [name, tensor] : stored.tensors) {
    TypeTotal& total = types[tensor.type];
    ++total.tensors;
    total.elements += tensor.num_elements();
    total.bytes += static_cast<int64_t>(tensor.bytes.size());
  }
  return types;
}

// A file is shown whether or not all of it can be read or trained: what stands in the way is part
// of the picture.
std::optional<std::string> obstacle_to(const std::function<void()>& action) {
  try {
    action();
    return std::nullopt;
  } catch (const Error& error) {
    if (error.code() == ErrorCode::internal) throw;
    return error.what();
  }
}

void declare(ModelOverview& overview) {
  const auto obstacle = obstacle_to([&] {
    ModelDeclaration declaration = declare_model(load_config(overview.source));
    overview.checkpoint = open_checkpoint(overview.source, declaration);
    overview.config = declaration.config.source_json;
    overview.declaration = std::move(declaration);
  });
  overview.obstacle = obstacle.value_or("");
}

TextOverview read_text(const ModelSource& source) {
  TextOverview text;
  const auto tokenizer = obstacle_to([&] {
    const Tokenizer read = load_tokenizer(source);
    text.num_tokens = read.size();
    text.bos = read.special_tokens().bos;
    text.eos = read.special_tokens().eos;
  });
  const auto chat_template =
      obstacle_to([&] { text.has_template = load_template(source).has_value(); });
  for (const auto& problem : {tokenizer, chat_template})
    if (problem) text.problems.push_back(*problem);
  return text;
}

}  // namespace

int64_t ModelOverview::num_parameters() const {
  if (declaration) return declaration->num_parameters();
  int64_t total = 0;
  for (const auto& [type, of_type] : types) total += of_type.elements;
  return total;
}

int64_t ModelOverview::num_bytes() const {
  int64_t total = 0;
  for (const auto& [type, of_type] : types) total += of_type.bytes;
  return total;
}

std::optional<int64_t> ModelOverview::size(const char* key) const {
  const auto within = config.find("text_config");
  for (const json* object : {&config, within == config.end() ? nullptr : &*within}) {
    if (object == nullptr || !object->is_object()) continue;
    const auto found = object->find(key);
    if (found != object->end() && found->is_number_integer()) return found->get<int64_t>();
  }
  return std::nullopt;
}

ModelOverview overview_of(const ModelSource& source) {
  ModelOverview overview;
  overview.source = source;
  if (source.kind == ModelSource::Kind::gguf)
    read_gguf(overview);
  else
    read_folder(overview);
  overview.types = totals(overview.stored);
  declare(overview);
  overview.text = read_text(source);
  return overview;
}

std::string sha256_of_values(int64_t count, const std::function<void(std::span<float>)>& read) {
  std::vector<float> values(static_cast<size_t>(count));
  read(values);
  Hash hash(HashKind::sha256);
  hash.update(std::as_bytes(std::span(values)));
  return hash.hex();
}

}  // namespace burnish
