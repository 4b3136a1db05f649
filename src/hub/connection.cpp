#include "hub/connection.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace burnish {
namespace {

constexpr int kMostRedirects = 10;
constexpr size_t kMostPassedOver = 64 * 1024;

// A short body that nobody wants is read, so that the connection stays open.
class PassedOver {
 public:
  bool take(std::span<const std::byte> bytes) {
    return (count_ += bytes.size()) <= kMostPassedOver;
  }

 private:
  size_t count_ = 0;
};

bool is_content(const HttpResponse& response) {
  return response.status == 200 || response.status == 206;
}

// Scheme, host and port as they stand in the URL: equal text, equal origin.
std::string_view origin_of(std::string_view url) {
  const size_t scheme = url.find("://");
  if (scheme == url.npos) return {};
  return url.substr(0, std::min(url.find_first_of("/?#\\", scheme + 3), url.size()));
}

// A server's words, as far as a terminal may show them.
std::string words_of(const HttpResponse& response) {
  std::string text = response.header("x-error-message").substr(0, 200);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return text.empty() ? text : " (" + text + ")";
}

std::string kind_text(const HubName& name) {
  return name.repository.kind == Repository::Kind::model ? "model" : "data set";
}

[[noreturn]] void refuse_access(const HttpResponse& response, const HubName& name,
                                const HubSettings& settings) {
  const std::string page = page_url(settings.endpoint, name.repository);
  const std::string& repository = name.repository.name;
  const bool known = !settings.token.empty();
  if (response.header("x-error-code") == "GatedRepo")
    throw Error(ErrorCode::io, repository + " is gated: its terms must be accepted first", page,
                known ? "Accept them on that page with the account that the token belongs to"
                      : "Accept them on that page, make a token in the settings of your "
                        "account, and set HF_TOKEN to it");
  if (known)
    throw Error(ErrorCode::io,
                fmt::format("the token gives no access to {} ({}){}", repository, response.status,
                            words_of(response)),
                page, "Check the name and HF_TOKEN; if it is gated, accept its terms on that page");
  throw Error(ErrorCode::io,
              fmt::format("there is no {} {}, or it is private or gated ({}){}", kind_text(name),
                          repository, response.status, words_of(response)),
              page,
              "Check the name; if it is gated, accept its terms on that page; set HF_TOKEN to a "
              "token of your account");
}

[[noreturn]] void refuse_missing(const HttpResponse& response, const std::string& url,
                                 const HubName& name, const HubSettings& settings) {
  const std::string page = page_url(settings.endpoint, name.repository);
  const std::string code = response.header("x-error-code");
  if (code == "RevisionNotFound")
    throw Error(ErrorCode::io,
                fmt::format("{} has no revision `{}`", name.repository.name, name.revision), page,
                "Name a branch, a tag or a commit that its page shows");
  if (code == "EntryNotFound")
    throw Error(ErrorCode::io, "the hub has no such file (404)", url,
                "Look at the files on " + page);
  throw Error(ErrorCode::io,
              fmt::format("there is no {} {} (404)", kind_text(name), name.repository.name), url,
              name.repository.kind == Repository::Kind::model
                  ? "Check the name; data sets are got with --dataset"
                  : "Check the name; models are got without --dataset");
}

}  // namespace

HubConnection::HubConnection(const HubContext& context)
    : context_(context), session_(open_http().open_session()) {}

HubConnection::Answer HubConnection::get(const std::string& url, const std::string& range,
                                         const OnBytes& on_bytes) {
  HttpRequest request;
  request.url = url;
  request.stall_s = context_.settings.stall_s;
  const std::string_view home = origin_of(context_.settings.endpoint);
  for (int redirects = 0; redirects <= kMostRedirects; ++redirects) {
    Answer answer;
    answer.from_endpoint = origin_of(request.url) == home;
    request.headers = {"Accept-Encoding: identity"};
    if (!range.empty()) request.headers.push_back("Range: " + range);
    if (answer.from_endpoint && !context_.settings.token.empty())
      request.headers.push_back("Authorization: Bearer " + context_.settings.token);
    PassedOver passed_over;
    const auto unless_redirect = [&](const HttpResponse& response,
                                     std::span<const std::byte> bytes) {
      if (response.redirect.empty()) return on_bytes(response, bytes);
      return passed_over.take(bytes);
    };
    answer.outcome = session_->get(request, unless_redirect, context_.go_on);
    check_go_on(context_, url);
    std::string next = answer.outcome.response.redirect;
    if (next.empty()) return answer;
    if (request.url.starts_with("https:") && !next.starts_with("https:"))
      throw Error(ErrorCode::io, "it is redirected from https to another protocol", url,
                  "Whoever does that cannot be trusted: look at the network or HF_ENDPOINT");
    request.url = std::move(next);
  }
  throw Error(ErrorCode::io, fmt::format("it is redirected more than {} times", kMostRedirects),
              url, "Look at HF_ENDPOINT, or try again later");
}

HubConnection::Answer HubConnection::get_content(const std::string& url, const std::string& range,
                                                 const OnBytes& on_bytes) {
  PassedOver passed_over;
  return get(url, range, [&](const HttpResponse& response, std::span<const std::byte> bytes) {
    return is_content(response) ? on_bytes(response, bytes) : passed_over.take(bytes);
  });
}

HubConnection::Text HubConnection::read(const std::string& url, size_t limit, const HubName& name,
                                        int tries) {
  Patience patience(context_, tries);
  for (;;) {
    Text text;
    const auto collect = [&](const HttpResponse&, std::span<const std::byte> bytes) {
      if (bytes.size() > limit - text.body.size())
        throw Error(ErrorCode::io, fmt::format("the answer is longer than {} bytes", limit), url,
                    "This is no hub: look at HF_ENDPOINT");
      text.body.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      return true;
    };
    Answer answer = get(url, "", collect);
    text.response = answer.outcome.response;
    if (const auto reason = passing_failure(answer)) {
      patience.after_failure(*reason, url, text.response.header("retry-after"), 0);
      continue;
    }
    if (answer.outcome.end != HttpOutcome::End::whole)
      throw Error(ErrorCode::io, answer.outcome.reason, url, "Check the network and HF_ENDPOINT");
    if (text.response.status != 200) refuse_status(text.response, url, name, context_.settings);
    return text;
  }
}

std::optional<std::string> passing_failure(const HubConnection::Answer& answer) {
  const HttpOutcome& outcome = answer.outcome;
  const int status = outcome.response.status;
  if (status == 429) return "the hub has had too many requests (429)";
  if (status == 408 || status == 500 || (status >= 502 && status <= 504))
    return fmt::format("the server has trouble ({})", status);
  if (status == 403 && !answer.from_endpoint) return "the link of the download has expired (403)";
  if (outcome.end == HttpOutcome::End::failed && !outcome.hopeless) return outcome.reason;
  return std::nullopt;
}

ContentFailure content_failure(const HubConnection::Answer& answer, const std::string& url,
                               const HubName& name, const HubSettings& settings) {
  const HttpResponse& response = answer.outcome.response;
  if (const auto reason = passing_failure(answer)) return {*reason, response.header("retry-after")};
  if (!is_content(response) && response.status != 0) refuse_status(response, url, name, settings);
  if (answer.outcome.end == HttpOutcome::End::failed)
    throw Error(ErrorCode::io, answer.outcome.reason, url, "Check the network and HF_ENDPOINT");
  return {"the connection was cut", ""};
}

void refuse_status(const HttpResponse& response, const std::string& url, const HubName& name,
                   const HubSettings& settings) {
  const int status = response.status;
  if (status == 401 || status == 403) refuse_access(response, name, settings);
  if (status == 404) refuse_missing(response, url, name, settings);
  throw Error(ErrorCode::io, fmt::format("the server answers {}{}", status, words_of(response)),
              url, "Look at HF_ENDPOINT, or try again later");
}

}  // namespace burnish
