#include "hub/settings.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "base/error.h"
#include "base/file.h"

namespace burnish {
namespace fs = std::filesystem;
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

fs::path folder_of(const std::string& text) {
  if (text != "~" && !text.starts_with("~/")) return text;
  return variable("HOME") + text.substr(1);
}

fs::path hub_home() {
  if (const std::string home = variable("HF_HOME"); !home.empty()) return folder_of(home);
  const std::string cache = variable("XDG_CACHE_HOME");
  return folder_of(cache.empty() ? "~/.cache" : cache) / "huggingface";
}

fs::path cache_folder() {
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
    if (const std::string cache = variable(name); !cache.empty()) return folder_of(cache);
  return hub_home() / "hub";
}

bool is_true(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text == "1" || text == "ON" || text == "YES" || text == "TRUE";
}

std::string without_white_space(std::string text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  text.erase(std::find_if_not(text.rbegin(), text.rend(), is_space).base(), text.end());
  text.erase(text.begin(), std::find_if_not(text.begin(), text.end(), is_space));
  return text;
}

std::string token() {
  if (is_true(variable("HF_HUB_DISABLE_IMPLICIT_TOKEN"))) return {};
  std::string where = "HF_TOKEN";
  std::string text = without_white_space(variable("HF_TOKEN"));
  if (text.empty()) {
    const std::string named = variable("HF_TOKEN_PATH");
    const fs::path file = named.empty() ? hub_home() / "token" : folder_of(named);
    where = file.string();
    std::error_code ignored;
    if (!fs::exists(file, ignored)) return {};
    text = without_white_space(read_text_file(file));
  }
  // it becomes part of a header: a line end in it would begin another one
  const bool plain =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7F; });
  if (!plain || text.size() > 4096)
    throw Error(ErrorCode::usage, "this is no token: it holds spaces or control characters", where,
                "Copy it again from the settings of your account");
  return text;
}

std::string endpoint() {
  std::string text = variable("HF_ENDPOINT");
  if (text.empty()) return HubSettings{}.endpoint;
  while (text.ends_with('/')) text.pop_back();
  const bool plain =
      std::all_of(text.begin(), text.end(), [](unsigned char c) { return c > ' ' && c < 0x7F; });
  if (!plain || !(text.starts_with("https://") || text.starts_with("http://")))
    throw Error(ErrorCode::usage, "the endpoint `" + text + "` is no http or https URL",
                "HF_ENDPOINT", "Write it as https://huggingface.co");
  return text;
}

}  // namespace

HubSettings hub_settings() {
  HubSettings settings;
  settings.endpoint = endpoint();
  settings.token = token();
  settings.cache = cache_folder();
  settings.offline =
      is_true(variable("HF_HUB_OFFLINE")) || is_true(variable("TRANSFORMERS_OFFLINE"));
  return settings;
}

}  // namespace burnish
