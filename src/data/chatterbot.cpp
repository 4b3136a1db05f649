#include "data/chatterbot.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/log.h"
#include "base/random.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {
using Json = nlohmann::ordered_json;

std::vector<fs::path> yaml_files(const fs::path& folder) {
  std::error_code failure;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(folder, failure), end; !failure && it != end;
       it.increment(failure))
    if (it->path().extension() == ".yml") files.push_back(it->path());
  if (failure)
    throw Error(ErrorCode::io, "cannot be read: " + failure.message(), folder.string(),
                "It must be chatterbot_corpus/data/english of the package chatterbot-corpus");
  if (files.empty()) throw Error(ErrorCode::data, "there are no .yml files", folder.string());
  std::sort(files.begin(), files.end());
  return files;
}

// yaml-cpp counts lines from 0.
SourceLine place(const fs::path& file, const YAML::Mark& mark) {
  return {file.string(), std::max(mark.line, 0) + 1};
}

Conversation conversation_of(const YAML::Node& turns, const fs::path& file) {
  Conversation conversation;
  conversation.where = place(file, turns.Mark());
  const size_t even = turns.size() / 2 * 2;
  for (size_t t = 0; t < even; ++t) {
    if (!turns[t].IsScalar() && !turns[t].IsNull())
      throw Error(ErrorCode::data, "a turn must be a text", place_of(place(file, turns[t].Mark())));
    conversation.messages.push_back(
        {{"role", t % 2 == 0 ? "user" : "assistant"}, {"content", turns[t].Scalar()}});
  }
  return conversation;
}

void read_file(const fs::path& file, std::vector<Conversation>& conversations) {
  try {
    const YAML::Node root = YAML::Load(read_text_file(file));
    const YAML::Node lists = root.IsMap() ? root["conversations"] : YAML::Node();
    if (!lists.IsSequence())
      throw Error(ErrorCode::data, "there is no list `conversations`", file.string());
    for (const YAML::Node& turns : lists) {
      if (turns.IsScalar()) {  // a slip of indentation: trivia.yml of 1.3.3 has one
        log_warning(place_of(place(file, turns.Mark())) + ": a text is no conversation: left out");
        continue;
      }
      if (!turns.IsSequence())
        throw Error(ErrorCode::data, "a conversation must be a list of turns",
                    place_of(place(file, turns.Mark())));
      if (turns.size() >= 2) conversations.push_back(conversation_of(turns, file));
    }
  } catch (const YAML::Exception& error) {
    throw Error(ErrorCode::data, "not YAML: " + error.msg, place_of(place(file, error.mark)));
  }
}

// Conversations that share an exchange, as a forest of parents.
class Groups {
 public:
  explicit Groups(const std::vector<Conversation>& conversations) : parent_(conversations.size()) {
    std::iota(parent_.begin(), parent_.end(), size_t{0});
    std::map<std::string, size_t> first_with;
    for (size_t i = 0; i < conversations.size(); ++i) {
      const Json& messages = conversations[i].messages;
      for (size_t t = 0; t + 1 < messages.size(); t += 2) {
        const std::string exchange =
            Json{messages[t]["content"], messages[t + 1]["content"]}.dump();
        const auto [found, is_new] = first_with.try_emplace(exchange, i);
        if (!is_new) parent_[root_of(i)] = root_of(found->second);
      }
    }
  }

  size_t root_of(size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }

 private:
  std::vector<size_t> parent_;
};

}  // namespace

std::vector<Conversation> read_chatterbot(const fs::path& folder) {
  std::vector<Conversation> conversations;
  for (const fs::path& file : yaml_files(folder)) read_file(file, conversations);
  return conversations;
}

ChatterbotSplit split_conversations(std::vector<Conversation> conversations, double held_out_share,
                                    uint64_t seed) {
  if (!(held_out_share > 0 && held_out_share < 1))
    throw Error(ErrorCode::usage, "the held-out share must lie between 0 and 1, not " +
                                      std::to_string(held_out_share));
  Groups groups(conversations);
  std::map<size_t, size_t> size_of_group;
  for (size_t i = 0; i < conversations.size(); ++i) ++size_of_group[groups.root_of(i)];
  const auto wanted =
      static_cast<size_t>(held_out_share * static_cast<double>(conversations.size()));
  std::map<size_t, bool> is_held_out;
  size_t held_out = 0;
  for (const int64_t i : permutation(static_cast<int64_t>(conversations.size()), seed, 0)) {
    const size_t group = groups.root_of(static_cast<size_t>(i));
    if (is_held_out.count(group) != 0) continue;
    is_held_out[group] = held_out + size_of_group[group] <= wanted;
    if (is_held_out[group]) held_out += size_of_group[group];
  }
  ChatterbotSplit split;
  for (size_t i = 0; i < conversations.size(); ++i) {
    auto& side = is_held_out[groups.root_of(i)] ? split.held_out : split.train;
    side.push_back(std::move(conversations[i]));
  }
  return split;
}

void write_conversations(const fs::path& file, const std::vector<Conversation>& conversations) {
  AtomicFile out(file);
  for (const Conversation& conversation : conversations)
    out.write(Json{{"messages", conversation.messages}}.dump() + "\n");
  out.commit();
}

}  // namespace burnish
