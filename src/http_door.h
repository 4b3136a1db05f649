// The one door to libcurl, which costs 9 ms to load: the hub room opens libburnish_http.so at the
// first request. One request, one answer; redirects, tokens and retries are the hub's business.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace burnish {

struct HttpRequest {
  std::string url;                   ///< http or https
  std::vector<std::string> headers;  ///< "Name: value"
  double connect_s = 20;             ///< the longest wait for a connection
  double stall_s = 30;               ///< under 100 bytes a second for this long is a stall
};

struct HttpResponse {
  int status = 0;                              ///< 0: none came
  std::map<std::string, std::string> headers;  ///< names in lower case; the last of repeated ones
  std::string redirect;                        ///< absolute URL; empty: none

  /// Empty where there is none.
  std::string header(const std::string& name) const {
    const auto found = headers.find(name);
    return found == headers.end() ? std::string() : found->second;
  }
};

struct HttpOutcome {
  enum class End {
    whole,    ///< the server says that this was all
    stopped,  ///< by `on_bytes` or `go_on`
    failed,   ///< no connection, cut, stalled: `reason`
  };
  End end = End::failed;
  HttpResponse response;
  std::string reason;     ///< printable ASCII
  bool hopeless = false;  ///< the same would happen again: a wrong certificate, no such proxy
};

/// Keeps its connections open between requests. Of one thread.
class HttpSession {
 public:
  virtual ~HttpSession() = default;
  /// GET. `on_bytes` gets each piece of the body after the headers came, and stops it by false;
  /// `go_on` is asked about once a second, also while nothing comes. What they throw comes out.
  virtual HttpOutcome get(
      const HttpRequest& request,
      const std::function<bool(const HttpResponse&, std::span<const std::byte>)>& on_bytes,
      const std::function<bool()>& go_on) = 0;
};

class Http {
 public:
  virtual ~Http() = default;
  virtual std::unique_ptr<HttpSession> open_session() = 0;
};

/// @throws Error(io) with the loader's message. Safe to call from several threads.
Http& open_http();

}  // namespace burnish
