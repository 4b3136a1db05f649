#include "text/tokenizer/normalizer.h"

#include <utf8proc.h>

#include <utility>
#include <vector>

#include "text/tokenizer/characters.h"
#include "text/tokenizer/normal_form.h"
#include "text/tokenizer/pattern.h"

namespace burnish {
namespace {

class FormNormalizer : public Normalizer {
 public:
  explicit FormNormalizer(NormalForm form) : form_(form) {}
  void apply(AlignedText& text, RegexScratch&) const override { normalize(text, form_); }

 private:
  NormalForm form_;
};

class Lowercase : public Normalizer {
 public:
  void apply(AlignedText& aligned, RegexScratch&) const override {
    const std::string_view text = aligned.text();
    AlignedText::Rewrite rewrite(aligned);
    for (size_t at = 0; at < text.size();) {
      const auto [code, length] = character_at(text, at);
      const ByteSpan origin = aligned.original(at, at + length);
      rewrite.put(lower(code), origin);
      if (code == kCapitalIWithDot) rewrite.put(char32_t{0x307}, origin);
      at += length;
    }
    rewrite.commit();
  }

 private:
  static constexpr char32_t kCapitalIWithDot = 0x130;  // the one character that becomes two

  static char32_t lower(char32_t code) {
    if (code == kCapitalIWithDot) return 'i';
    return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
  }
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string text) : prepended_(std::move(text)) {}

  void apply(AlignedText& aligned, RegexScratch&) const override {
    if (aligned.text().empty()) return;
    const size_t first = character_at(aligned.text(), 0).length;
    AlignedText::Rewrite rewrite(aligned);
    rewrite.put(prepended_, aligned.original(0, first));
    rewrite.keep(0, aligned.text().size());
    rewrite.commit();
  }

 private:
  std::string prepended_;
};

// What replaces a match stands for the match's last character.
class Replace : public Normalizer {
 public:
  Replace(Pattern pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void apply(AlignedText& aligned, RegexScratch& scratch) const override {
    const std::string_view text = aligned.text();
    AlignedText::Rewrite rewrite(aligned);
    size_t kept = 0;
    pattern_.for_each_match(text, scratch, [&](size_t begin, size_t end) {
      rewrite.keep(kept, begin);
      rewrite.put(content_, last_character(aligned, end));
      kept = end;
    });
    if (kept == 0 && rewrite.size() == 0) return;  // no match
    rewrite.keep(kept, text.size());
    rewrite.commit();
  }

 private:
  static ByteSpan last_character(const AlignedText& aligned, size_t end) {
    if (end == 0) return {aligned.span().begin, aligned.span().begin};
    return aligned.original(end - character_before(aligned.text(), end).length, end);
  }

  Pattern pattern_;
  std::string content_;
};

class Sequence : public Normalizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Normalizer>> members)
      : members_(std::move(members)) {}
  void apply(AlignedText& text, RegexScratch& scratch) const override {
    for (const auto& member : members_) member->apply(text, scratch);
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> members_;
};

std::unique_ptr<Normalizer> make(const JsonValue& json, int depth) {
  const std::string& type = json["type"].string();
  if (type == "NFC") return std::make_unique<FormNormalizer>(NormalForm::nfc);
  if (type == "NFD") return std::make_unique<FormNormalizer>(NormalForm::nfd);
  if (type == "NFKC") return std::make_unique<FormNormalizer>(NormalForm::nfkc);
  if (type == "NFKD") return std::make_unique<FormNormalizer>(NormalForm::nfkd);
  if (type == "Lowercase") return std::make_unique<Lowercase>();
  if (type == "Prepend") return std::make_unique<Prepend>(json["prepend"].string());
  if (type == "Replace")
    return std::make_unique<Replace>(Pattern::from_json(json["pattern"]), json["content"].string());
  if (type != "Sequence") json.unsupported("the normalizer '" + type + "' is not there yet");
  if (depth >= kDeepestSequence) json.refuse("the sequences are nested too deep");
  std::vector<std::unique_ptr<Normalizer>> members;
  for (const JsonValue& member : json["normalizers"].items())
    members.push_back(make(member, depth + 1));
  return std::make_unique<Sequence>(std::move(members));
}

}  // namespace

std::unique_ptr<Normalizer> make_normalizer(const JsonValue& json) {
  return json.is_null() ? nullptr : make(json, 0);
}

}  // namespace burnish
