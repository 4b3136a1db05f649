// The key-value part of a GGUF file.
#pragma once

#include <map>
#include <string>

#include "format/gguf.h"
#include "format/gguf_reader.h"

namespace burnish {

/// Reads `count` pairs at the reader's position.
std::map<std::string, GgufValue> read_gguf_metadata(GgufReader& reader, uint64_t count);

/// A name in UTF-8; `what` is "key" or "tensor".
std::string read_gguf_name(GgufReader& reader, const std::string& what);

}  // namespace burnish
