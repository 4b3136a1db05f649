#include "hub/server_helper.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

namespace burnish::testing_hub {
namespace {

std::string hex_digest(const EVP_MD* algorithm, const std::string& bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_Digest(bytes.data(), bytes.size(), digest, &size, algorithm, nullptr);
  std::string text;
  for (unsigned int i = 0; i < size; ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", digest[i]);
    text += digits;
  }
  return text;
}

bool send_all(int connection, const std::string& bytes) {
  for (size_t sent = 0; sent < bytes.size();) {
    const ssize_t n = ::send(connection, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (n <= 0) return false;
    sent += static_cast<size_t>(n);
  }
  return true;
}

Request parse(const std::string& text) {
  Request request;
  const size_t first = text.find(' '), second = text.find(' ', first + 1);
  request.path = text.substr(first + 1, second - first - 1);
  for (size_t begin = text.find("\r\n") + 2; begin < text.size();) {
    const size_t end = text.find("\r\n", begin), colon = text.find(": ", begin);
    if (end == std::string::npos || end == begin || colon > end) break;
    std::string name = text.substr(begin, colon - begin);
    std::transform(name.begin(), name.end(), name.begin(), ::tolower);
    request.headers[name] = text.substr(colon + 2, end - colon - 2);
    begin = end + 2;
  }
  return request;
}

}  // namespace

Reply reply(int status, const std::string& body, const std::vector<std::string>& headers) {
  std::string text = "HTTP/1.1 " + std::to_string(status) + " x\r\nConnection: close\r\n";
  bool has_length = false;
  for (const std::string& header : headers) {
    text += header + "\r\n";
    has_length = has_length || header.starts_with("Content-Length") ||
                 header.starts_with("Transfer-Encoding") || header == "X-No-Length: 1";
  }
  if (!has_length) text += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  return {text + "\r\n" + body};
}

Server::Server(std::function<Reply(const Request&)> handler) : handler_(std::move(handler)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address);
  ::listen(listener_, 64);
  socklen_t size = sizeof address;
  ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this] { serve(); });
}

Server::~Server() {
  ended_ = true;
  thread_.join();
  ::close(listener_);
  connections_.clear();
}

std::vector<Request> Server::requests() const {
  const std::scoped_lock lock(mutex_);
  return requests_;
}

void Server::forget_requests() {
  const std::scoped_lock lock(mutex_);
  requests_.clear();
}

void Server::serve() {
  while (!ended_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, 20) <= 0) continue;
    const int connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) continue;
    connections_.emplace_back([this, connection] { answer(connection); });
  }
}

void Server::answer(int connection) {
  std::string text;
  char buffer[4096];
  while (text.find("\r\n\r\n") == std::string::npos) {
    const ssize_t n = ::recv(connection, buffer, sizeof buffer, 0);
    if (n <= 0) break;
    text.append(buffer, static_cast<size_t>(n));
  }
  const Request request = parse(text);
  {
    const std::scoped_lock lock(mutex_);
    requests_.push_back(request);
  }
  const Reply answer = handler_(request);
  if (send_all(connection, answer.bytes)) {
    using Clock = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::duration<double>(answer.stall_s);
    while (Clock::now() < end && !ended_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  ::shutdown(connection, SHUT_RDWR);
  ::close(connection);
}

std::string git_sha1(const std::string& content) {
  return hex_digest(EVP_sha1(),
                    "blob " + std::to_string(content.size()) + std::string(1, '\0') + content);
}

std::string sha256(const std::string& content) {
  return hex_digest(EVP_sha256(), content);
}

std::string hash_of(const HubFile& file) {
  return file.lfs ? sha256(file.content) : git_sha1(file.content);
}

Reply FakeHub::file_reply(const Request& request, const std::string& content) const {
  const std::string range = request.header("range");
  if (range.empty()) return reply(200, content);
  const size_t first = std::stoul(range.substr(range.find('=') + 1));
  const std::string size = std::to_string(content.size());
  if (first >= content.size()) return reply(416, "", {"Content-Range: bytes */" + size});
  const std::string last = range.substr(range.find('-') + 1);
  const size_t end = last.empty() ? content.size() : std::min(std::stoul(last) + 1, content.size());
  return reply(206, content.substr(first, end - first),
               {"Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(end - 1) +
                "/" + size});
}

Reply FakeHub::tree(const Request& request) const {
  const size_t cursor = request.path.find("cursor=");
  const size_t begin =
      cursor == std::string::npos ? 0 : std::stoul(request.path.substr(cursor + 7));
  std::string list;
  size_t index = 0;
  for (const auto& [path, file] : files) {
    const size_t i = index++;
    if (i < begin || i >= begin + page) continue;
    const std::string size = std::to_string(file.content.size());
    list += list.empty() ? "" : ",";
    list += R"({"type":"file","path":")" + path + R"(","size":)" + size + R"(,"oid":")" +
            git_sha1(file.lfs ? "pointer" : file.content) + '"';
    if (file.lfs)
      list += R"(,"lfs":{"oid":")" + sha256(file.content) + R"(","size":)" + size +
              R"(,"pointerSize":130})";
    list += "}";
  }
  std::vector<std::string> headers;
  if (begin + page < files.size())
    headers.push_back("Link: <http://" + request.header("host") + "/api/models/org/name/tree/" +
                      kCommit + "?recursive=true&cursor=" + std::to_string(begin + page) +
                      ">; rel=\"next\"");
  return reply(
      200,
      R"([{"type":"directory","path":"folder","oid":"x"})" + (list.empty() ? "" : "," + list) + "]",
      headers);
}

Reply FakeHub::operator()(const Request& request) {
  int count = 0;
  {
    const std::scoped_lock lock(mutex_);
    count = counts_[request.path]++;
  }
  if (instead)
    if (const auto answer = instead(request, count)) return *answer;
  for (const std::string kind : {"models", "datasets"}) {
    const std::string api = "/api/" + kind + "/org/name";
    if (request.path.starts_with(api + "/revision/"))
      return reply(200, R"({"id":"org/name","sha":")" + kCommit + "\"}");
    if (request.path.starts_with(api + "/tree/" + kCommit)) return tree(request);
    const std::string resolve = (kind == "models" ? "/org/name" : "/datasets/org/name") +
                                std::string("/resolve/") + kCommit;
    if (!request.path.starts_with(resolve + "/")) continue;
    const auto file = files.find(request.path.substr(resolve.size() + 1));
    if (file == files.end()) return reply(404, "", {"X-Error-Code: EntryNotFound"});
    return file_reply(request, file->second.content);
  }
  return reply(404, "", {"X-Error-Code: RepoNotFound"});
}

}  // namespace burnish::testing_hub
