// What the environment says about the hub: the variables that huggingface_hub reads too.
#pragma once

#include <filesystem>
#include <string>

namespace burnish {

struct HubSettings {
  std::string endpoint = "https://huggingface.co";  ///< HF_ENDPOINT, without a slash at its end
  std::string token;                                ///< HF_TOKEN, or the file HF_HOME/token
  std::filesystem::path cache;                      ///< HF_HUB_CACHE, or HF_HOME/hub
  bool offline = false;                             ///< HF_HUB_OFFLINE: the cache alone
  int connections = 4;                              ///< files fetched at the same time
  double stall_s = 30;                              ///< a server that sends nothing for so long
  double first_wait_s = 1;                          ///< before a second try; doubles each time
  double longest_wait_s = 120;                      ///< that a server may ask for (Retry-After)
};

/// HF_HOME defaults to XDG_CACHE_HOME/huggingface or ~/.cache/huggingface; a leading ~ is the home
/// folder. @throws Error(usage) for an endpoint that is no http(s) URL or a token that is no token.
HubSettings hub_settings();

}  // namespace burnish
