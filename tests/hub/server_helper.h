// A web server of the tests' own on 127.0.0.1 that answers with any bytes it is told to, and a hub
// made of it: revision, tree and resolve for one repository, until a test makes it misbehave.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace burnish::testing_hub {

struct Request {
  std::string path;                            ///< with the query
  std::map<std::string, std::string> headers;  ///< names in lower case
  std::string header(const std::string& name) const {
    return headers.count(name) != 0 ? headers.at(name) : "";
  }
};

/// The bytes that go out; then the connection is closed, after `stall_s` in silence.
struct Reply {
  std::string bytes;
  double stall_s = 0;
};

/// "HTTP/1.1 STATUS", Content-Length (unless `headers` has one), `headers`, the body.
Reply reply(int status, const std::string& body, const std::vector<std::string>& headers = {});

class Server {
 public:
  explicit Server(std::function<Reply(const Request&)> handler);
  ~Server();
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  std::vector<Request> requests() const;
  void forget_requests();

 private:
  void serve();
  void answer(int connection);
  std::function<Reply(const Request&)> handler_;
  int listener_ = -1;
  int port_ = 0;
  std::atomic<bool> ended_ = false;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  std::vector<std::jthread> connections_;
  std::jthread thread_;
};

inline const std::string kCommit(40, 'a');

struct HubFile {
  std::string content;
  bool lfs = false;
};

/// The name of a blob, computed by other code than the one that is tested.
std::string git_sha1(const std::string& content);
std::string sha256(const std::string& content);
std::string hash_of(const HubFile& file);

/// The repository `org/name` (a model, or a data set) at kCommit.
struct FakeHub {
  std::map<std::string, HubFile> files;
  /// Answers in place of the hub where it returns something. The number counts the requests of
  /// that path, from 0.
  std::function<std::optional<Reply>(const Request&, int)> instead;
  size_t page = 1000;  ///< files a page of the list

  Reply operator()(const Request& request);
  /// The part of a file that the request asks for.
  Reply file_reply(const Request& request, const std::string& content) const;

 private:
  Reply tree(const Request& request) const;
  std::mutex mutex_;
  std::map<std::string, int> counts_;
};

}  // namespace burnish::testing_hub
