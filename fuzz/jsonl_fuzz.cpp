// Any bytes as a data file: rows, or an Error of ours; never a crash, a hang, or text that is not
// UTF-8.
#include <cstddef>
#include <cstdint>

#include "base/log.h"
#include "check_error.h"
#include "data/jsonl.h"
#include "input_file.h"

namespace {

// dump() refuses text that is not UTF-8 by an exception that nobody catches.
void must_be_printable(const burnish::Conversation& row) {
  (void)nlohmann::ordered_json{row.messages, row.tools, row.text}.dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  burnish::set_log_quiet(true);
  const burnish::fuzz::InputFile input(data, size);
  for (const bool skip : {false, true}) {
    try {
      for (const auto& row : burnish::read_jsonl(input.path(), {"auto", skip, false}).rows)
        must_be_printable(row);
    } catch (const burnish::Error& error) {
      burnish::fuzz::check(error);
    }
  }
  return 0;
}
