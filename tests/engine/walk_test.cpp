// The walk: recompute, frozen parameters, micro-batches, and that a wrong count shows.
#include "engine/walk.h"

#include <ATen/TensorOperators.h>
#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <filesystem>

namespace burnish {
namespace {

const std::string kLlama = std::string(BURNISH_TEST_DATA) + "/golden/llama";

std::unique_ptr<Model> load(at::ScalarType dtype,
                            const std::function<bool(const ParameterDeclaration&)>& trained) {
  ModelOptions options;
  options.dtypes.values = dtype;
  options.trained = trained;
  return load_model(resolve_model(kLlama), options);
}

bool all(const ParameterDeclaration&) {
  return true;
}

Batch batch_of(const std::vector<std::vector<int32_t>>& segments) {
  Batch batch;
  for (const auto& ids : segments) {
    Row row;
    append_segment(row, ids, std::vector<uint8_t>(ids.size(), 1));
    batch.ids.insert(batch.ids.end(), row.ids.begin(), row.ids.end());
    batch.labels.insert(batch.labels.end(), row.labels.begin(), row.labels.end());
    batch.segments.append(row.segments);
    batch.num_targets += row.num_targets();
  }
  return batch;
}

const Batch kBatch = batch_of({{5, 17, 3, 99, 4, 4}, {8}, {120, 7, 7, 30, 2}});

double worst_difference(const Model& a, const Model& b) {
  double worst = 0;
  for (size_t i = 0; i < a.parameters->all().size(); ++i) {
    const at::Tensor &ga = a.parameters->all()[i].gradient, &gb = b.parameters->all()[i].gradient;
    worst = std::max(worst, (ga - gb).abs().max().item<double>());
  }
  return worst;
}

TEST(Walk, RecomputeGivesTheSameBits) {
  const auto kept = load(at::kFloat, all), again = load(at::kFloat, all);
  const auto a = forward_backward(*kept, kBatch, 0.1, Recompute::none);
  const auto b = forward_backward(*again, kBatch, 0.1, Recompute::unit);
  EXPECT_EQ(a.loss, b.loss);
  EXPECT_EQ(worst_difference(*kept, *again), 0.0);
}

TEST(Walk, MicroBatchesAddUpToTheWhole) {
  const auto whole = load(at::kDouble, all), parts = load(at::kDouble, all);
  const double scale = 1.0 / static_cast<double>(kBatch.num_targets);
  const double loss = forward_backward(*whole, kBatch, scale, Recompute::none).loss;
  double sum = 0;
  for (const auto& ids :
       std::vector<std::vector<int32_t>>{{5, 17, 3, 99, 4, 4}, {8}, {120, 7, 7, 30, 2}})
    sum += forward_backward(*parts, batch_of({ids}), scale, Recompute::none).loss;
  EXPECT_NEAR(sum, loss, 1e-12);
  EXPECT_LE(worst_difference(*whole, *parts), 1e-12);
}

// Negative control: dividing each micro-batch by its own count is seen.
TEST(Walk, AWrongCountShows) {
  const auto whole = load(at::kDouble, all), wrong = load(at::kDouble, all);
  forward_backward(*whole, kBatch, 1.0 / static_cast<double>(kBatch.num_targets), Recompute::none);
  for (const auto& ids :
       std::vector<std::vector<int32_t>>{{5, 17, 3, 99, 4, 4}, {120, 7, 7, 30, 2}}) {
    const Batch part = batch_of({ids});
    forward_backward(*wrong, part, 0.5 / static_cast<double>(part.num_targets), Recompute::none);
  }
  EXPECT_GE(worst_difference(*whole, *wrong), 1e-5);
}

TEST(Walk, FrozenParametersChangeNoOtherGradient) {
  const auto full = load(at::kDouble, all);
  const auto upper = load(at::kDouble, [](const ParameterDeclaration& p) { return p.unit >= 2; });
  forward_backward(*full, kBatch, 0.1, Recompute::none);
  forward_backward(*upper, kBatch, 0.1, Recompute::none);
  for (size_t i = 0; i < full->parameters->all().size(); ++i) {
    const Weight& weight = upper->parameters->all()[i];
    if (!weight.trained()) continue;
    const at::Tensor difference = weight.gradient - full->parameters->all()[i].gradient;
    EXPECT_LE(difference.abs().max().item<double>(), 1e-14) << full->declaration.parameters[i].name;
  }
  EXPECT_EQ(upper->parameters->lowest_trained_unit(), 2);
}

TEST(Walk, OnlyTheHeadTrained) {
  const auto full = load(at::kDouble, all);
  const auto head =
      load(at::kDouble, [](const ParameterDeclaration& p) { return p.name == "lm_head.weight"; });
  forward_backward(*full, kBatch, 0.1, Recompute::none);
  forward_backward(*head, kBatch, 0.1, Recompute::unit);
  for (size_t i = 0; i < full->parameters->all().size(); ++i) {
    const Weight& weight = head->parameters->all()[i];
    if (weight.trained())
      EXPECT_LE((weight.gradient - full->parameters->all()[i].gradient).abs().max().item<double>(),
                1e-14);
  }
}

TEST(Walk, NoTargetIsLossZeroAndNoGradient) {
  const auto model = load(at::kFloat, all);
  Batch batch = kBatch;
  batch.labels.assign(batch.labels.size(), kIgnoreLabel);
  batch.num_targets = 0;
  const auto result = forward_backward(*model, batch, 0.0, Recompute::none);
  EXPECT_EQ(result.loss, 0.0);
  EXPECT_EQ(result.targets, 0);
  for (const Weight& weight : model->parameters->all())
    EXPECT_EQ(weight.gradient.abs().max().item<double>(), 0.0);
}

// The directional derivative of the loss along each parameter, in fp64, by central differences.
TEST(Walk, GradientsAreDerivatives) {
  const auto model = load(at::kDouble, all);
  forward_backward(*model, kBatch, 0.1, Recompute::none);
  for (size_t i = 0; i < model->parameters->all().size(); ++i) {
    const Weight& weight = model->parameters->all()[i];
    at::Tensor value = weight.value.detach();
    const at::Tensor direction = at::Tensor(weight.gradient).sign();
    const double expected = (weight.gradient * direction).sum().item<double>();
    constexpr double kStep = 1e-6;
    value.add_(direction, kStep);
    const double above = forward_loss(*model, kBatch, 0.1).loss;
    value.add_(direction, -2 * kStep);
    const double below = forward_loss(*model, kBatch, 0.1).loss;
    value.add_(direction, kStep);
    EXPECT_NEAR((above - below) / (2 * kStep), expected, 1e-6 * std::max(1.0, std::abs(expected)))
        << model->declaration.parameters[i].name;
  }
}

}  // namespace
}  // namespace burnish
