#include "text/tokenizer/pre_tokenizer.h"

namespace burnish {
namespace {

std::unique_ptr<PreTokenizer> make(const JsonValue& json, int depth) {
  const std::string& type = json["type"].string();
  if (type == "Sequence") return make_sequence_pre_tokenizer(json, depth);
  if (type == "Split") return make_split_pre_tokenizer(json);
  if (type == "ByteLevel") return make_byte_level_pre_tokenizer(json);
  if (type == "Digits") return make_digits_pre_tokenizer(json);
  if (type == "Metaspace") return make_metaspace_pre_tokenizer(json);
  json.unsupported("the pre-tokenizer '" + type + "' is not there yet");
}

class Sequence : public PreTokenizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<PreTokenizer>> members)
      : members_(std::move(members)) {}

  void apply(PreTokenized& pre, RegexScratch& scratch) const override {
    for (const auto& member : members_) {
      if (pre.bytes) spell_bytes(pre);
      member->apply(pre, scratch);
    }
  }

 private:
  std::vector<std::unique_ptr<PreTokenizer>> members_;
};

}  // namespace

std::unique_ptr<PreTokenizer> make_sequence_pre_tokenizer(const JsonValue& json, int depth) {
  if (depth >= kDeepestSequence) json.refuse("the sequences are nested too deep");
  std::vector<std::unique_ptr<PreTokenizer>> members;
  for (const JsonValue& member : json["pretokenizers"].items())
    members.push_back(make(member, depth + 1));
  return std::make_unique<Sequence>(std::move(members));
}

std::unique_ptr<PreTokenizer> make_pre_tokenizer(const JsonValue& json) {
  return json.is_null() ? nullptr : make(json, 0);
}

}  // namespace burnish
