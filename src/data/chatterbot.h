// The English conversations of the PyPI package chatterbot-corpus as JSON lines: what
// `burnish quickstart` trains on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "data/conversation.h"

namespace burnish {

/// Reads every .yml file of a folder (chatterbot_corpus/data/english), in the order of their names:
/// each list under `conversations` whose turns are user and assistant by turns. Scalars are taken
/// as written ("yes", "1.0"). Lists of fewer than two turns are left out, an odd last turn too, and
/// with a warning a text that stands where a list should.
/// @throws Error(data) with file:line for what is no such file, Error(io) for a missing folder.
std::vector<Conversation> read_chatterbot(const std::filesystem::path& folder);

struct ChatterbotSplit {
  std::vector<Conversation> train, held_out;
};

/// Splits by conversation, seeded. Conversations that share an exchange (a question with its
/// answer) go to the same side, so that none of a held-out one appears in train.
/// @param held_out_share of the conversations, in (0, 1); met to within one group of them
ChatterbotSplit split_conversations(std::vector<Conversation> conversations, double held_out_share,
                                    uint64_t seed);

/// {"messages": [...]} a line, written aside and renamed.
void write_conversations(const std::filesystem::path& file,
                         const std::vector<Conversation>& conversations);

}  // namespace burnish
