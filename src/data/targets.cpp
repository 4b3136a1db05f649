#include "data/targets.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "data/generation_prompt.h"
#include "data/turns.h"

namespace burnish {
namespace {

struct SpecialToken {
  ByteSpan span;
  int32_t id = 0;
};

class AssistantTurns {
 public:
  AssistantTurns(const TargetInput& input, const RenderOptions& options)
      : input_(input),
        options_(options),
        text_(input.rendered.text),
        prompt_(input.text, input.render_input, input.rendered.text) {}

  // (message, span) of every assistant turn, in order.
  std::vector<std::pair<int32_t, ByteSpan>> find() const {
    std::vector<std::pair<int32_t, ByteSpan>> spans;
    const std::vector<Turn> turns = find_turns(input_.rendered);
    size_t gap_begin = 0;
    int32_t next_message = 0;
    for (size_t i = 0; i <= turns.size(); ++i) {
      const bool at_end = i == turns.size();
      const int32_t message = at_end ? num_messages() : turns[i].message;
      const size_t gap_end = at_end ? text_.size() : turns[i].own.begin;
      add_invisible(spans, next_message, message, {gap_begin, gap_end});
      if (at_end) break;
      if (is_assistant(message)) spans.emplace_back(message, span_of(turns[i]));
      gap_begin = turns[i].own.end;
      next_message = std::max(next_message, message + 1);
    }
    return spans;
  }

 private:
  int32_t num_messages() const { return static_cast<int32_t>(input_.conversation.messages.size()); }
  bool is_assistant(int32_t message) const {
    return message < num_messages() && input_.conversation.messages[message]["role"] == "assistant";
  }

  // Empty where it cannot be told.
  ByteSpan span_of(const Turn& turn) const {
    if (turn.own.begin < turn.own.end) {
      const auto start =
          prompt_.end_in(text_, {turn.room_begin, turn.own.begin, turn.role_end, turn.own.begin});
      return {start.value_or(turn.own.begin),
              end_of_turn(turn.own.end, turn.room_end, turn.ends_in_tool_call)};
    }
    // an empty answer: the prompt that the printed role is part of
    const auto start =
        prompt_.end_in(text_, {turn.room_begin, turn.role_end, turn.role_end, turn.room_end});
    return start ? empty_answer(*start, turn.room_end) : ByteSpan{};
  }

  // Messages first..last-1 left no byte of their own, not even a role: the template spells the
  // assistant's header itself and the answer is empty. Each of them has one header in the gap; the
  // last header is the following message's if that is the assistant's too.
  void add_invisible(std::vector<std::pair<int32_t, ByteSpan>>& spans, int32_t first, int32_t last,
                     ByteSpan gap) const {
    if (prompt_.text().empty()) return;
    std::vector<int32_t> messages;
    for (int32_t m = first; m < last; ++m)
      if (is_assistant(m)) messages.push_back(m);
    if (messages.empty() || holds_message_text(gap)) return;
    std::vector<size_t> starts;
    const std::string_view room = text_.substr(0, gap.end);
    for (size_t at = room.find(prompt_.text(), gap.begin); at != std::string_view::npos;
         at = room.find(prompt_.text(), at + prompt_.text().size()))
      starts.push_back(at + prompt_.text().size());
    if (starts.size() != messages.size() + (is_assistant(last) ? 1 : 0)) return;
    for (size_t k = 0; k < messages.size(); ++k) {
      const size_t room_end = k + 1 < starts.size() ? starts[k + 1] : gap.end;
      spans.emplace_back(messages[k], empty_answer(starts[k], room_end));
    }
  }

  bool holds_message_text(ByteSpan gap) const {
    const auto& runs = input_.rendered.origins;
    return std::any_of(runs.begin(), runs.end(), [&](const OriginRun& run) {
      return run.origin.part != Part::template_text && run.origin.part != Part::role &&
             run.span.begin < gap.end && gap.begin < run.span.end;
    });
  }

  // The end-of-turn token with what the template writes before it; nothing where it writes none.
  ByteSpan empty_answer(size_t start, size_t room_end) const {
    return {start, end_of_turn(start, room_end, false)};
  }

  // The special tokens among the template's bytes from `begin` to `end`.
  std::vector<SpecialToken> special_tokens(size_t begin, size_t end) const {
    const auto& offsets = input_.encoding.offsets;
    const auto eos = input_.text.tokenizer.special_tokens().eos_id;
    std::vector<SpecialToken> found;
    auto at = std::partition_point(offsets.begin(), offsets.end(),
                                   [&](const ByteSpan& span) { return span.begin < begin; });
    for (; at != offsets.end() && at->end <= end; ++at) {
      const int32_t id = input_.encoding.ids[at - offsets.begin()];
      if (at->begin < at->end && (input_.text.tokenizer.is_special(id) || id == eos))
        found.push_back({*at, id});
    }
    return found;
  }

  bool opens_a_turn(const ByteSpan& token) const {
    const std::string_view header = prompt_.text();
    return header.substr(0, token.end - token.begin) ==
           text_.substr(token.begin, token.end - token.begin);
  }

  // The first special token behind the message ends its turn. Special tokens directly behind it
  // belong to it where they lead to the eos token; behind a tool call, whose own closing marker may
  // be special, so does anything that leads to the eos token.
  size_t end_of_turn(size_t begin, size_t room_end, bool behind_tool_call) const {
    const auto eos = input_.text.tokenizer.special_tokens().eos_id;
    std::optional<size_t> first_end;
    size_t chain_end = begin;
    for (const SpecialToken& token : special_tokens(begin, room_end)) {
      const bool follows = !first_end || token.span.begin == chain_end || behind_tool_call;
      if (opens_a_turn(token.span) || !follows) break;
      if (token.id == eos) return with_newline(token.span.end);
      if (!first_end) first_end = token.span.end;
      chain_end = token.span.end;
    }
    return first_end ? with_newline(*first_end) : begin;
  }

  size_t with_newline(size_t end) const {
    return options_.trailing_newline && end < text_.size() && text_[end] == '\n' ? end + 1 : end;
  }

  const TargetInput& input_;
  const RenderOptions& options_;
  std::string_view text_;
  GenerationPrompt prompt_;
};

[[noreturn]] void fail(const TargetInput& input, std::string what, std::string advice = {}) {
  throw Error(ErrorCode::data, std::move(what), place_of(input.conversation.where),
              std::move(advice));
}

bool has_assistant(const Conversation& conversation) {
  return std::any_of(conversation.messages.begin(), conversation.messages.end(),
                     [](const auto& message) { return message["role"] == "assistant"; });
}

std::vector<ByteSpan> assistant_spans(const TargetInput& input, const RenderOptions& options) {
  std::vector<ByteSpan> spans;
  if (input.rendered.has_generation_tag) {
    spans = input.rendered.generation;
  } else {
    for (const auto& [message, span] : AssistantTurns(input, options).find()) spans.push_back(span);
  }
  return spans;
}

std::vector<ByteSpan> merged(std::vector<ByteSpan> spans) {
  std::sort(spans.begin(), spans.end(),
            [](const ByteSpan& a, const ByteSpan& b) { return a.begin < b.begin; });
  std::vector<ByteSpan> result;
  for (const ByteSpan& span : spans) {
    if (span.begin >= span.end) continue;
    if (!result.empty() && span.begin <= result.back().end)
      result.back().end = std::max(result.back().end, span.end);
    else
      result.push_back(span);
  }
  return result;
}

}  // namespace

std::vector<ByteSpan> target_spans(const TargetInput& input, const RenderOptions& options) {
  const std::string& mask = options.mask;
  constexpr std::array<std::string_view, 5> kMasks{"assistant", "last", "completion", "generation",
                                                   "all"};
  if (std::find(kMasks.begin(), kMasks.end(), mask) == kMasks.end())
    throw Error(ErrorCode::recipe, "unknown mask '" + mask + "'", "data.mask",
                "It is one of assistant, last, all, completion, generation");
  if (mask == "all") return {{0, input.rendered.text.size()}};
  if (mask == "generation" && !input.rendered.has_generation_tag)
    fail(input, "mask generation, but the chat template has no {% generation %} block",
         "Use mask assistant, which needs none");
  if (!has_assistant(input.conversation))
    fail(input, "no assistant turn: nothing to train on",
         "Add the answer, or skip such rows with skip_bad_lines");
  const auto& messages = input.conversation.messages;
  if (mask == "completion" && messages.back()["role"] != "assistant")
    fail(input, "mask completion, but the last message is not the assistant's",
         "Use mask last or assistant");
  std::vector<ByteSpan> spans = assistant_spans(input, options);
  if ((mask == "last" || mask == "completion") && !spans.empty()) spans = {spans.back()};
  spans = merged(std::move(spans));
  if (spans.empty())
    fail(input, "the chat template renders no assistant text of this conversation",
         "Look at it with: burnish data inspect");
  return spans;
}

}  // namespace burnish
