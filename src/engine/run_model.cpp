// B rows, N tokens a row, T tokens that are not padding, V vocabulary.
#include "engine/run_model.h"

#include <ATen/ops/from_blob.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

#include "base/error.h"
#include "engine/tensor_file.h"
#include "engine/walk.h"

namespace burnish {
namespace {

std::vector<int64_t> integers(const StoredTensor& tensor, const std::string& file) {
  std::vector<int64_t> values;
  auto widen = [&]<class T>(T) {
    const auto* data = reinterpret_cast<const T*>(tensor.bytes.data());
    values.assign(data, data + tensor.bytes.size() / sizeof(T));
  };
  if (tensor.dtype == DType::i64)
    widen(int64_t{});
  else if (tensor.dtype == DType::i32)
    widen(int32_t{});
  else
    throw Error(ErrorCode::data,
                "tensor " + tensor.name + " is " + std::string(torch_name(tensor.dtype)), file,
                "Give int64 or int32");
  return values;
}

// The batch of the file, and where each of its tokens stands in the padded layout.
struct FileBatch {
  Batch batch;
  std::vector<int64_t> slots;
  std::vector<int64_t> shape;  ///< of input_ids
};

class BatchReader {
 public:
  BatchReader(const std::string& file, int64_t vocab_size)
      : file_(file), tensors_(file), vocab_size_(vocab_size) {}

  FileBatch read() {
    const StoredTensor& ids = need("input_ids");
    FileBatch result;
    result.shape = ids.shape;
    if (ids.shape.empty() || ids.shape.size() > 2 || ids.bytes.empty())
      throw Error(ErrorCode::data, "input_ids has shape " + shape_text(ids.shape), file_,
                  "Give [B, N] or [T], not empty");
    const int64_t N = ids.shape.back(), B = ids.shape.size() == 2 ? ids.shape[0] : 1;
    const std::vector<int64_t> all_ids = integers(ids, file_);
    const std::vector<int64_t> mask = like_ids("attention_mask", ids, 1);
    const std::vector<int64_t> labels = like_ids("labels", ids, kIgnoreLabel);
    const StoredTensor* cu = tensors_.find("cu_seqlens");
    if (cu != nullptr && B != 1)
      throw Error(ErrorCode::data, "cu_seqlens needs one row, not " + std::to_string(B), file_);
    for (int64_t b = 0; b < B; ++b)
      for (const auto& [begin, end] : pieces(cu, b, N))
        add_segment(result, all_ids, labels, mask, begin, end);
    return result;
  }

 private:
  using Piece = std::pair<int64_t, int64_t>;

  // Segments of row b in slots: by cu_seqlens, else the whole row.
  std::vector<Piece> pieces(const StoredTensor* cu, int64_t b, int64_t N) const {
    if (cu == nullptr) return {{b * N, (b + 1) * N}};
    const std::vector<int64_t> bounds = integers(*cu, file_);
    if (bounds.size() < 2 || bounds.front() != 0 || bounds.back() != N ||
        !std::is_sorted(bounds.begin(), bounds.end()) ||
        std::adjacent_find(bounds.begin(), bounds.end()) != bounds.end())
      throw Error(ErrorCode::data, "cu_seqlens must rise strictly from 0 to " + std::to_string(N),
                  file_);
    std::vector<Piece> result;
    for (size_t i = 1; i < bounds.size(); ++i) result.emplace_back(bounds[i - 1], bounds[i]);
    return result;
  }

  // Labels of the file are unshifted and may differ from the ids: token t's label is what position
  // t - 1 of the same segment must predict.
  void add_segment(FileBatch& out, const std::vector<int64_t>& ids,
                   const std::vector<int64_t>& labels, const std::vector<int64_t>& mask,
                   int64_t begin, int64_t end) const {
    Batch& batch = out.batch;
    const size_t first = batch.ids.size();
    for (int64_t slot = begin; slot < end; ++slot) {
      if (mask[slot] == 0) continue;
      check_id("input_ids", ids[slot]);
      if (labels[slot] != kIgnoreLabel) check_id("labels", labels[slot]);
      if (batch.ids.size() > first) {
        batch.labels.back() = static_cast<int32_t>(labels[slot]);
        batch.num_targets += labels[slot] != kIgnoreLabel;
      }
      batch.ids.push_back(static_cast<int32_t>(ids[slot]));
      batch.labels.push_back(kIgnoreLabel);
      out.slots.push_back(slot);
    }
    if (batch.ids.size() > first)
      batch.segments.append(Segments({0, static_cast<int32_t>(batch.ids.size() - first)}));
  }

  void check_id(const std::string& tensor, int64_t id) const {
    if (id < 0 || id >= vocab_size_)
      throw Error(ErrorCode::data,
                  tensor + " holds " + std::to_string(id) + ", the vocabulary ends at " +
                      std::to_string(vocab_size_ - 1),
                  file_);
  }

  const StoredTensor& need(const std::string& name) const {
    const StoredTensor* tensor = tensors_.find(name);
    if (tensor == nullptr) throw Error(ErrorCode::data, "tensor " + name + " is missing", file_);
    return *tensor;
  }

  std::vector<int64_t> like_ids(const std::string& name, const StoredTensor& ids,
                                int64_t fallback) const {
    const StoredTensor* tensor = tensors_.find(name);
    if (tensor == nullptr) return std::vector<int64_t>(integers(ids, file_).size(), fallback);
    if (tensor->shape != ids.shape)
      throw Error(
          ErrorCode::data,
          name + " has shape " + shape_text(tensor->shape) + ", input_ids " + shape_text(ids.shape),
          file_);
    return integers(*tensor, file_);
  }

  std::string file_;
  SafetensorsFile tensors_;
  int64_t vocab_size_;
};

at::Tensor logits_in_layout(const Model& model, const FileBatch& file, int64_t vocab_size) {
  std::vector<int64_t> ids(file.batch.ids.begin(), file.batch.ids.end());
  const at::Tensor ids_T = at::from_blob(ids.data(), {static_cast<int64_t>(ids.size())}, at::kLong);
  const at::Tensor logits_TV = forward_logits(model, ids_T, file.batch.segments);
  std::vector<int64_t> shape = file.shape;
  shape.push_back(vocab_size);
  at::Tensor out = at::zeros(shape, logits_TV.options());
  at::Tensor flat = out.view({-1, vocab_size});
  for (size_t t = 0; t < file.slots.size(); ++t) flat[file.slots[t]].copy_(logits_TV[t]);
  return out;
}

}  // namespace

void run_model_file(const RunModelRequest& request) {
  ModelOptions options;
  if (request.dtype == DType::i64)
    throw Error(ErrorCode::unsupported, "models do not run in int64");
  options.dtypes.values = scalar_type_of(request.dtype, "--dtype");
  if (options.dtypes.values != at::kDouble) options.dtypes.gradients = at::kFloat;
  options.trained = [&](const auto&) { return request.gradients; };
  const auto model = load_model(resolve_model(request.model), options);
  const int64_t vocab_size = model->declaration.config.vocab_size;
  const FileBatch file = BatchReader(request.input, vocab_size).read();
  const int64_t longest = file.batch.segments.longest();
  if (longest > model->declaration.config.max_position_embeddings)
    throw Error(ErrorCode::data,
                "a segment of " + std::to_string(longest) +
                    " tokens is longer than max_position_embeddings",
                request.input);

  std::vector<TensorToWrite> results{
      tensor_to_write("logits", logits_in_layout(*model, file, vocab_size))};
  const int64_t targets = file.batch.num_targets;
  const double scale = targets > 0 ? 1.0 / static_cast<double>(targets) : 0.0;
  const WalkResult walked = request.gradients
                                ? forward_backward(*model, file.batch, scale, Recompute::none)
                                : forward_loss(*model, file.batch, scale);
  results.push_back(tensor_to_write("loss", at::zeros({}, at::kDouble).fill_(walked.loss)));
  results.push_back(tensor_to_write("targets", at::zeros({}, at::kLong).fill_(targets)));
  if (request.gradients)
    for (size_t i = 0; i < model->declaration.parameters.size(); ++i)
      results.push_back(tensor_to_write(model->declaration.parameters[i].name,
                                        model->parameters->all()[i].gradient));
  write_safetensors(request.output, results, {{"format", "pt"}});
}

}  // namespace burnish
