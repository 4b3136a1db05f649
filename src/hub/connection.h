// Requests to the hub: redirects, the token, tries again, and what its refusals mean.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http_door.h"
#include "hub/names.h"
#include "hub/patience.h"

namespace burnish {

/// Of one thread.
class HubConnection {
 public:
  /// @param context  must outlive the connection
  explicit HubConnection(const HubContext& context);

  struct Answer {
    HttpOutcome outcome;
    bool from_endpoint = true;  ///< false: the last redirect led to another host
  };
  using OnBytes = std::function<bool(const HttpResponse&, std::span<const std::byte>)>;

  /// One GET along at most 10 redirects. The token goes to the endpoint's scheme, host and port and
  /// nowhere else; a redirect from https to http is refused.
  /// @param range  e.g. "bytes=100-"; empty: all. @throws Error(io), Error(interrupted)
  Answer get(const std::string& url, const std::string& range, const OnBytes& on_bytes);

  /// As get(), for a file's content: only the bytes of 200 and 206 are handed on.
  Answer get_content(const std::string& url, const std::string& range, const OnBytes& on_bytes);

  struct Text {
    std::string body;
    HttpResponse response;
  };
  /// A whole small answer, tried again where that makes sense.
  /// @param name  what was asked for, for messages
  /// @throws Error(io) for one of more than `limit` bytes, and what refuse_status() throws
  Text read(const std::string& url, size_t limit, const HubName& name,
            int tries = Patience::kTries);

  const HubContext& context() const { return context_; }

 private:
  const HubContext& context_;
  std::unique_ptr<HttpSession> session_;
};

/// Why another try may go better: no answer, 408, 429, 5xx, an expired link of another host.
std::optional<std::string> passing_failure(const HubConnection::Answer& answer);

struct ContentFailure {
  std::string reason, retry_after;
};
/// Of an answer that did not bring all of its content: why another try may.
/// @throws Error(io) where none may, and what refuse_status() throws
ContentFailure content_failure(const HubConnection::Answer& answer, const std::string& url,
                               const HubName& name, const HubSettings& settings);

/// Turns a status into an Error(io): 401, 403, 404 (repository, revision or file), any other.
[[noreturn]] void refuse_status(const HttpResponse& response, const std::string& url,
                                const HubName& name, const HubSettings& settings);

}  // namespace burnish
