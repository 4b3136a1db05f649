#include "train/run_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/log.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

// Everything else decides the numbers of the steps that are still to come.
constexpr std::array<std::string_view, 8> kMayChange{
    "train.end.", "checkpoint.",  "log.",          "evaluation.",
    "output",     "data.workers", "train.threads", "train.on_spike"};

void check_new(const fs::path& path) {
  if (!fs::exists(path)) return;
  if (!fs::is_directory(path))
    throw Error(ErrorCode::io, "a file is in the way of the run folder", path.string(),
                "Choose another `output`");
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    if (name == "run.lock" || name == "recipe.yaml.partial") continue;  // killed before it began
    throw Error(ErrorCode::io,
                "the folder holds another run (" + entry.path().filename().string() + ")",
                path.string(), "Go on with it by --resume, or choose another `output`");
  }
}

void check_resumed(const fs::path& path) {
  if (!fs::exists(path / "recipe.yaml"))
    throw Error(ErrorCode::io, "there is no run to resume", path.string(),
                "Start it without --resume");
}

int lock_folder(const fs::path& path) {
  const fs::path file = path / "run.lock";
  const int descriptor = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) throw_io_error(file, "create");
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  ::close(descriptor);
  throw Error(ErrorCode::io, "another process is running in this folder", path.string(),
              "Wait for it, or choose another `output`");
}

}  // namespace

void RunFolder::check(const fs::path& path, bool resume) {
  if (resume)
    check_resumed(path);
  else
    check_new(path);
}

RunFolder RunFolder::open(const fs::path& path, bool resume) {
  check(path, resume);
  make_folder(path);
  RunFolder folder(path, lock_folder(path));
  std::error_code ignored;
  fs::remove(folder.failure(), ignored);
  return folder;
}

RunFolder::~RunFolder() {
  if (lock_ >= 0) ::close(lock_);
}

RunFolder::RunFolder(RunFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {}

void RunFolder::record_failure(const Error& error, int64_t step) const noexcept {
  try {
    const nlohmann::ordered_json json{
        {"code", name_of(error.code())}, {"what", error.fact()}, {"where", error.where()},
        {"advice", error.advice()},      {"step", step},         {"time", utc_now()}};
    write_text_file(failure(),
                    json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const std::exception& second) {
    log_warning(std::string("failure.json could not be written: ") + second.what());
  }
}

std::vector<RecipeDifference> check_resumable(const Recipe& before, const Recipe& now) {
  std::vector<RecipeDifference> allowed;
  std::string refused;
  for (const RecipeDifference& difference : differences(before, now)) {
    const bool may =
        std::any_of(kMayChange.begin(), kMayChange.end(),
                    [&](std::string_view prefix) { return difference.key.starts_with(prefix); });
    if (may)
      allowed.push_back(difference);
    else
      refused += (refused.empty() ? "" : ", ") + difference.key + " (" + difference.before +
                 " -> " + difference.after + ")";
  }
  if (!refused.empty())
    throw Error(ErrorCode::recipe, "a resumed run cannot change " + refused, {},
                "Set it back, or start a new run with train.init_from");
  return allowed;
}

}  // namespace burnish
