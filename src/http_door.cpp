// libcurl behind http_door.h. Proxies: the usual variables of the environment, read by libcurl.
#include "http_door.h"

#include <curl/curl.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace burnish {
namespace {

constexpr size_t kMostHeaderBytes = 256 * 1024;
constexpr long kStallBytesPerS = 100;

std::string printable(std::string_view text) {
  std::string kept(text.substr(0, 1000));
  std::replace_if(
      kept.begin(), kept.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return kept;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

bool is_hopeless(CURLcode code) {
  switch (code) {
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return true;
    default:
      return false;
  }
}

// What the callbacks of one request share. They return to C: an exception waits here.
struct Exchange {
  HttpResponse response;
  size_t header_bytes = 0;
  const std::function<bool(const HttpResponse&, std::span<const std::byte>)>& on_bytes;
  const std::function<bool()>& go_on;
  bool stopped = false;
  std::exception_ptr thrown;

  template <class Action>
  bool guarded(const Action& action) {
    try {
      stopped = stopped || !action();
    } catch (...) {
      thrown = std::current_exception();
      stopped = true;
    }
    return !stopped;
  }
};

size_t on_header(char* bytes, size_t, size_t size, void* context) {
  auto& exchange = *static_cast<Exchange*>(context);
  exchange.header_bytes += size;
  if (exchange.header_bytes > kMostHeaderBytes) return 0;
  const std::string_view line = trimmed({bytes, size});
  if (line.starts_with("HTTP/")) exchange.response = {};  // after 1xx, or of a proxy
  const size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return size;
  std::string name(line.substr(0, colon));
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  exchange.response.headers[name] = trimmed(line.substr(colon + 1));
  return size;
}

struct Context {
  Exchange& exchange;
  CURL* handle;
};

void read_status(CURL* handle, HttpResponse& response) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  response.status = static_cast<int>(status);
  const char* redirect = nullptr;
  curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &redirect);
  response.redirect = redirect == nullptr ? "" : redirect;
}

size_t on_body(char* bytes, size_t, size_t size, void* pointer) {
  const auto& [exchange, handle] = *static_cast<Context*>(pointer);
  read_status(handle, exchange.response);
  const auto body = std::as_bytes(std::span(bytes, size));
  return exchange.guarded(
             [&, &shared = exchange] { return shared.on_bytes(shared.response, body); })
             ? size
             : 0;
}

int on_progress(void* pointer, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& exchange = static_cast<Context*>(pointer)->exchange;
  return exchange.guarded([&] { return exchange.go_on(); }) ? 0 : 1;
}

class CurlSession : public HttpSession {
 public:
  HttpOutcome get(
      const HttpRequest& request,
      const std::function<bool(const HttpResponse&, std::span<const std::byte>)>& on_bytes,
      const std::function<bool()>& go_on) override {
    Exchange exchange{{}, 0, on_bytes, go_on, false, {}};
    Context context{exchange, handle_.get()};
    HttpOutcome outcome;
    const Headers headers = headers_of(request);
    prepare(request, headers.get(), context);
    const CURLcode code = curl_easy_perform(handle_.get());
    if (exchange.thrown) std::rethrow_exception(exchange.thrown);
    read_status(handle_.get(), exchange.response);
    outcome.response = std::move(exchange.response);
    outcome.end = exchange.stopped   ? HttpOutcome::End::stopped
                  : code == CURLE_OK ? HttpOutcome::End::whole
                                     : HttpOutcome::End::failed;
    outcome.hopeless = is_hopeless(code);
    outcome.reason = printable(message_[0] != '\0' ? message_ : curl_easy_strerror(code));
    return outcome;
  }

 private:
  using Headers = std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)>;

  static Headers headers_of(const HttpRequest& request) {
    curl_slist* list = nullptr;
    for (const std::string& header : request.headers)
      list = curl_slist_append(list, header.c_str());
    return {list, &curl_slist_free_all};
  }

  template <class Value>
  void set(CURLoption option, Value value) {
    curl_easy_setopt(handle_.get(), option, value);
  }

  void prepare(const HttpRequest& request, curl_slist* headers, Context& context) {
    curl_easy_reset(handle_.get());  // connections stay open
    message_[0] = '\0';
    set(CURLOPT_URL, request.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_HTTPHEADER, headers);
    set(CURLOPT_USERAGENT, "burnish/" BURNISH_VERSION);
    set(CURLOPT_FOLLOWLOCATION, 0L);
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(request.connect_s * 1000));
    set(CURLOPT_LOW_SPEED_LIMIT, kStallBytesPerS);
    set(CURLOPT_LOW_SPEED_TIME, std::max(1L, static_cast<long>(request.stall_s)));
    set(CURLOPT_BUFFERSIZE, 256L * 1024);
    set(CURLOPT_TCP_KEEPALIVE, 1L);
    set(CURLOPT_ERRORBUFFER, message_);
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, &context.exchange);
    set(CURLOPT_WRITEFUNCTION, &on_body);
    set(CURLOPT_WRITEDATA, &context);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &on_progress);
    set(CURLOPT_XFERINFODATA, &context);
    // a company's own certificates, as other tools take them
    for (const char* variable : {"SSL_CERT_FILE", "CURL_CA_BUNDLE"})
      if (const char* file = std::getenv(variable); file != nullptr && *file != '\0')
        set(CURLOPT_CAINFO, file);
  }

  std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> handle_{curl_easy_init(), &curl_easy_cleanup};
  char message_[CURL_ERROR_SIZE] = {};
};

class Curl : public Http {
 public:
  Curl() { curl_global_init(CURL_GLOBAL_DEFAULT); }
  std::unique_ptr<HttpSession> open_session() override { return std::make_unique<CurlSession>(); }
};

}  // namespace
}  // namespace burnish

/// What dlsym finds.
extern "C" __attribute__((visibility("default"))) burnish::Http* burnish_http() {
  static burnish::Curl curl;
  return &curl;
}
