#define PCRE2_CODE_UNIT_WIDTH 8
#include "text/tokenizer/regex.h"

#include <pcre2.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace burnish {
namespace {

constexpr uint32_t kMatchLimit = 50'000'000;       // steps of one search
constexpr uint32_t kHeapLimit = 256 * 1024;        // KiB, of a search without compiled code
constexpr size_t kMachineStack = size_t{1} << 20;  // bytes of the compiled code's own stack

template <auto free_function>
struct Freed {
  template <class T>
  void operator()(T* pointer) const {
    free_function(pointer);
  }
};

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

}  // namespace

struct RegexScratch::State {
  std::unique_ptr<pcre2_match_data, Freed<pcre2_match_data_free>> match{
      pcre2_match_data_create(1, nullptr)};
  std::unique_ptr<pcre2_match_context, Freed<pcre2_match_context_free>> limits{
      pcre2_match_context_create(nullptr)};
  std::unique_ptr<pcre2_jit_stack, Freed<pcre2_jit_stack_free>> stack{
      pcre2_jit_stack_create(32 * 1024, kMachineStack, nullptr)};
};

RegexScratch::RegexScratch() : state_(std::make_unique<State>()) {
  pcre2_set_match_limit(state_->limits.get(), kMatchLimit);
  pcre2_set_heap_limit(state_->limits.get(), kHeapLimit);
  pcre2_jit_stack_assign(state_->limits.get(), nullptr, state_->stack.get());
}
RegexScratch::RegexScratch(RegexScratch&&) noexcept = default;
RegexScratch& RegexScratch::operator=(RegexScratch&&) noexcept = default;
RegexScratch::~RegexScratch() = default;

Regex::Regex(std::string_view pattern, std::string where) : where_(std::move(where)) {
  const std::string source = to_pcre2_syntax(pattern, where_);
  const std::unique_ptr<pcre2_compile_context, Freed<pcre2_compile_context_free>> context(
      pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
  int error = 0;
  size_t position = 0;
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(source.data()), source.size(),
                    PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error,
                    &position, context.get());
  if (code == nullptr)
    throw Error(ErrorCode::model,
                "the regular expression does not compile: " + message_of(error) + " (at byte " +
                    std::to_string(position) + " of \"" + source + "\")",
                where_);
  code_ = std::shared_ptr<pcre2_code>(code, pcre2_code_free);
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // where it fails, pcre2_match interprets
}

std::optional<ByteSpan> Regex::find(std::string_view text, size_t start,
                                    RegexScratch& scratch) const {
  RegexScratch::State& state = *scratch.state_;
  const auto search = [&](uint32_t options) {
    return pcre2_match(code_.get(), reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), start,
                       PCRE2_NO_UTF_CHECK | options, state.match.get(), state.limits.get());
  };
  int result = search(0);
  if (result == PCRE2_ERROR_JIT_STACKLIMIT) result = search(PCRE2_NO_JIT);
  if (result == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (result < 0)
    throw Error(
        ErrorCode::data,
        "the regular expression of the pre-tokenizer gave up on this text: " + message_of(result),
        where_, "Split the text, or use a tokenizer with a simpler pattern");
  const size_t* ends = pcre2_get_ovector_pointer(state.match.get());
  return ByteSpan{std::min(ends[0], ends[1]), ends[1]};  // \K may put the begin behind the end
}

}  // namespace burnish
