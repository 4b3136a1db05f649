// Element types as checkpoints name them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace burnish {

enum class DType { f64, f32, f16, bf16, i64, i32, i16, i8, u8, boolean };

/// Bytes of one element.
size_t size_of(DType dtype);

/// safetensors' spelling: "F32", "BF16", "I64", "BOOL", ...
std::string_view safetensors_name(DType dtype);
std::optional<DType> dtype_of_safetensors_name(std::string_view name);

/// torch's spelling as in config.json's dtype and --dtype: "float32", "bfloat16", ...
std::string_view torch_name(DType dtype);
std::optional<DType> dtype_of_torch_name(std::string_view name);

}  // namespace burnish
