// A tokenizer as tokenizer.json (or a GGUF vocabulary) describes it: added tokens, normalizer,
// pre-tokenizer, model, post-processor, decoder; each stage one file, followed literally.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/span.h"

namespace burnish {

class GgufFile;
struct TokenizerPipeline;

struct Encoding {
  std::vector<int32_t> ids;
  /// For each id, the bytes of the given text that it covers (whole characters: every byte token of
  /// one character carries that character's span; tokens of the post-processor are empty at 0).
  std::vector<ByteSpan> offsets;
};

struct EncodeOptions {
  /// Runs the post-processor (a BOS and the like). Rendered chats are encoded without.
  bool add_special_tokens = false;
  /// Sorted parts of the text in which no added token is recognised: message text that must never
  /// become a control token. An added token that touches such a part is not cut out.
  std::span<const ByteSpan> plain = {};
};

struct SpecialTokens {
  std::optional<std::string> bos, eos, pad, unk;
  std::optional<int32_t> bos_id, eos_id, pad_id, unk_id;
};

class Tokenizer {
 public:
  /// tokenizer.json + tokenizer_config.json (+ special_tokens_map.json, added_tokens.json).
  /// @throws Error(model) naming file and key; Error(unsupported) for a component not yet there.
  static Tokenizer from_folder(const std::filesystem::path& folder);
  /// `name` stands for the files in errors; an empty configuration is none.
  static Tokenizer from_json(std::string_view tokenizer_json,
                             std::string_view tokenizer_config_json, const std::string& name);
  /// The contents of such files by their names, tokenizer.json among them; `folder` stands in
  /// errors.
  using Files = std::map<std::string, std::string>;
  static Tokenizer from_files(Files files, const std::filesystem::path& folder);
  /// Byte-level BPE (tokenizer.ggml.model "gpt2") with a known tokenizer.ggml.pre.
  static Tokenizer from_gguf(const GgufFile& gguf);

  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;
  ~Tokenizer();

  /// Thread-safe. @throws Error(data) for text that is not UTF-8, with the byte offset.
  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;

  /// Invalid UTF-8 becomes U+FFFD. @throws Error(data) for an id outside the vocabulary.
  std::string decode(std::span<const int32_t> ids, bool skip_special_tokens = false) const;

  std::optional<int32_t> id_of(std::string_view token) const;
  const std::string& token_of(int32_t id) const;
  bool is_special(int32_t id) const;
  /// Largest id + 1, added tokens included. A model's embedding may have more rows.
  int32_t size() const;
  const SpecialTokens& special_tokens() const;

  /// The files that an export copies or writes beside the weights: name -> content. For a GGUF
  /// vocabulary these are made (tokenizer.json, tokenizer_config.json) such that the tokenizers
  /// package encodes alike.
  Files files() const;

  /// This tokenizer with more special tokens, numbered on from size() (one that is there keeps its
  /// id), and with `eos`, if given, as the token that ends. Its files say so too.
  /// @throws Error(recipe) for an empty token, and for an `eos` that is no token.
  Tokenizer extended(std::span<const std::string> tokens,
                     const std::optional<std::string>& eos) const;

 private:
  explicit Tokenizer(std::unique_ptr<TokenizerPipeline> pipeline);
  std::unique_ptr<TokenizerPipeline> pipeline_;
};

}  // namespace burnish
