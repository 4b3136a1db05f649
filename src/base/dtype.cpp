#include "base/dtype.h"

#include <array>

namespace burnish {
namespace {

struct Row {
  DType dtype;
  size_t bytes;
  std::string_view safetensors, torch;
};

constexpr std::array kRows = {
    Row{DType::f64, 8, "F64", "float64"}, Row{DType::f32, 4, "F32", "float32"},
    Row{DType::f16, 2, "F16", "float16"}, Row{DType::bf16, 2, "BF16", "bfloat16"},
    Row{DType::i64, 8, "I64", "int64"},   Row{DType::i32, 4, "I32", "int32"},
    Row{DType::i16, 2, "I16", "int16"},   Row{DType::i8, 1, "I8", "int8"},
    Row{DType::u8, 1, "U8", "uint8"},     Row{DType::boolean, 1, "BOOL", "bool"},
};

const Row& row_of(DType dtype) {
  return kRows[static_cast<size_t>(dtype)];
}

}  // namespace

size_t size_of(DType dtype) {
  return row_of(dtype).bytes;
}
std::string_view safetensors_name(DType dtype) {
  return row_of(dtype).safetensors;
}
std::string_view torch_name(DType dtype) {
  return row_of(dtype).torch;
}

std::optional<DType> dtype_of_safetensors_name(std::string_view name) {
  for (const Row& row : kRows)
    if (row.safetensors == name) return row.dtype;
  return std::nullopt;
}

std::optional<DType> dtype_of_torch_name(std::string_view name) {
  for (const Row& row : kRows)
    if (row.torch == name) return row.dtype;
  return std::nullopt;
}

}  // namespace burnish
