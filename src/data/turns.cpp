#include "data/turns.h"

#include <algorithm>

namespace burnish {
namespace {

bool is_own(const Origin& origin) {
  return origin.message >= 0 && (origin.part == Part::content || origin.part == Part::reasoning ||
                                 origin.part == Part::tool_call);
}

// Collects the runs one after another; a run of another message closes the turn.
class TurnFinder {
 public:
  void take(const OriginRun& run) {
    const Origin& origin = run.origin;
    if (run.span.begin == run.span.end || origin.part == Part::template_text) return;
    if (origin.message != message_) begin_message(run);
    if (origin.part == Part::role) {
      if (!has_own_) {
        turn_.has_role = true;
        turn_.role_end = run.span.end;
        turn_.own = {run.span.end, run.span.end};
      }
    } else if (is_own(origin)) {
      if (!has_own_) turn_.own.begin = run.span.begin;
      has_own_ = true;
      turn_.own.end = run.span.end;
      turn_.ends_in_tool_call = origin.part == Part::tool_call;
    } else if (!has_own_) {
      turn_.room_begin = run.span.end;
    }
    last_end_ = run.span.end;
  }

  std::vector<Turn> finish(size_t text_end) {
    close(text_end);
    return std::move(turns_);
  }

 private:
  void begin_message(const OriginRun& run) {
    close(run.span.begin);
    message_ = run.origin.message;
    turn_ = {};
    turn_.message = message_;
    turn_.room_begin = last_end_;
    has_own_ = false;
  }
  void close(size_t room_end) {
    if (message_ < 0 || (!has_own_ && !turn_.has_role)) return;
    turn_.room_end = room_end;
    turns_.push_back(turn_);
  }

  std::vector<Turn> turns_;
  Turn turn_;
  int32_t message_ = -1;
  bool has_own_ = false;
  size_t last_end_ = 0;
};

}  // namespace

std::vector<Turn> find_turns(const Rendered& rendered) {
  TurnFinder finder;
  for (const OriginRun& run : rendered.origins) finder.take(run);
  return finder.finish(rendered.text.size());
}

}  // namespace burnish
