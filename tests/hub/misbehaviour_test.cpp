// A hub that does everything wrong, one thing at a time.
#include <csignal>

#include "base/interrupt.h"
#include "hub/hub_fixture.h"

namespace burnish {
namespace {
namespace fs = std::filesystem;
using namespace testing_hub;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr const char* kWeights = "model.safetensors";

bool asks_for(const Request& request, const std::string& path) {
  return request.path.ends_with("/" + path);
}

class HubMisbehaviour : public HubTest {
 protected:
  /// Answers the first `times` requests for the weights so, the others rightly.
  void answer_weights(int times, const std::function<Reply(const Request&)>& answer) {
    hub.instead = [=](const Request& request, int count) -> std::optional<Reply> {
      if (!asks_for(request, kWeights) || count >= times) return std::nullopt;
      return answer(request);
    };
  }
  void answer_api(const Reply& answer, const std::string& part = "/api/") {
    hub.instead = [=](const Request& request, int) -> std::optional<Reply> {
      if (request.path.find(part) == std::string::npos) return std::nullopt;
      return answer;
    };
  }
  const std::string& weights() { return hub.files[kWeights].content; }
  void expect_no_weights() { EXPECT_FALSE(fs::exists(blob(kWeights))); }
};

TEST_F(HubMisbehaviour, NotFound) {
  EXPECT_THAT(failure("org/other"),
              AllOf(HasSubstr("io: "), HasSubstr("no model org/other (404)")));
  answer_api(reply(404, "", {"X-Error-Code: RevisionNotFound"}));
  EXPECT_THAT(failure("org/name@v9"), HasSubstr("org/name has no revision `v9`"));
  answer_weights(99,
                 [](const Request&) { return reply(404, "", {"X-Error-Code: EntryNotFound"}); });
  EXPECT_THAT(failure(), HasSubstr("no such file (404)"));
}

TEST_F(HubMisbehaviour, NoAccess) {
  answer_api(reply(401, "", {"X-Error-Message: Invalid username \x1b[31m or password."}));
  EXPECT_THAT(failure(), AllOf(HasSubstr("private or gated (401)"), HasSubstr("HF_TOKEN"),
                               HasSubstr(server.url() + "/org/name"), Not(HasSubstr("\x1b"))));
  answer_api(reply(403, "", {"X-Error-Code: GatedRepo"}));
  EXPECT_THAT(failure(), AllOf(HasSubstr("org/name is gated"), HasSubstr("set HF_TOKEN")));
  settings.token = "hf_secret";
  EXPECT_THAT(failure(), AllOf(HasSubstr("with the account that the token belongs to"),
                               Not(HasSubstr("hf_secret"))));
  answer_api(reply(403, ""));
  EXPECT_THAT(failure(), HasSubstr("the token gives no access to org/name (403)"));
}

TEST_F(HubMisbehaviour, TheTokenGoesToTheHubAlone) {
  settings.token = "hf_secret";
  Server other([this](const Request& request) { return hub.file_reply(request, weights()); });
  answer_weights(99, [&](const Request&) {
    return reply(302, "moved", {"Location: " + other.url() + "/cdn?signature=1"});
  });
  fetch();
  expect_whole();
  ASSERT_THAT(other.requests(), SizeIs(1));
  EXPECT_EQ(other.requests()[0].header("authorization"), "");
  for (const Request& request : server.requests())
    EXPECT_EQ(request.header("authorization"), "Bearer hf_secret") << request.path;
}

TEST_F(HubMisbehaviour, TheTokenStaysOnARedirectWithinTheHub) {
  settings.token = "hf_secret";
  hub.instead = [](const Request& request, int) -> std::optional<Reply> {
    if (request.path.find("/revision/main") == std::string::npos) return std::nullopt;
    return reply(307, "", {"Location: /api/models/org/name/revision/moved"});
  };
  fetch();
  EXPECT_THAT(server.requests()[1].path, HasSubstr("/revision/moved"));
  EXPECT_EQ(server.requests()[1].header("authorization"), "Bearer hf_secret");
}

TEST_F(HubMisbehaviour, RedirectsWithoutEnd) {
  answer_api(reply(302, "", {"Location: /api/again"}));
  EXPECT_THAT(failure(), HasSubstr("redirected more than 10 times"));
  EXPECT_THAT(server.requests(), SizeIs(11));
}

TEST_F(HubMisbehaviour, RedirectsToOtherProtocols) {
  answer_weights(99,
                 [](const Request&) { return reply(302, "", {"Location: file:///etc/passwd"}); });
  EXPECT_THAT(failure(), HasSubstr("io: "));
  expect_no_weights();
}

TEST_F(HubMisbehaviour, TooManyRequests) {
  answer_weights(2, [](const Request&) { return reply(429, "", {"Retry-After: 0"}); });
  fetch();
  expect_whole();
}

TEST_F(HubMisbehaviour, RetryAfterIsWaitedFor) {
  answer_weights(1, [](const Request&) { return reply(429, "", {"Retry-After: 1"}); });
  const auto start = std::chrono::steady_clock::now();
  fetch();
  EXPECT_GE(std::chrono::steady_clock::now() - start, std::chrono::milliseconds(990));
}

TEST_F(HubMisbehaviour, WaitsAreBounded) {
  answer_api(reply(429, "", {"Retry-After: 86400"}));
  EXPECT_THAT(failure(), AllOf(HasSubstr("(429)"), HasSubstr("a wait of 86400 s")));
  answer_api(reply(429, "", {"Retry-After: -5"}));
  server.forget_requests();
  EXPECT_THAT(failure(), HasSubstr("tried 5 times"));
  EXPECT_THAT(server.requests(), SizeIs(5));
}

TEST_F(HubMisbehaviour, ServerTroublePasses) {
  answer_weights(3, [](const Request&) { return reply(503, "busy"); });
  fetch();
  expect_whole();
}

TEST_F(HubMisbehaviour, ServerTroubleThatStays) {
  answer_weights(99, [](const Request&) { return reply(500, std::string(200'000, 'x')); });
  EXPECT_THAT(failure(), AllOf(HasSubstr("trouble (500)"), HasSubstr("tried 5 times")));
  EXPECT_THAT(requests_of(kWeights), SizeIs(5));
}

TEST_F(HubMisbehaviour, NobodyListens) {
  settings.endpoint = "http://127.0.0.1:1";
  EXPECT_THAT(failure(), AllOf(HasSubstr("io: "), HasSubstr("tried 5 times")));
}

TEST_F(HubMisbehaviour, ACutConnectionIsTakenUp) {
  answer_weights(1, [&](const Request&) {
    return reply(200, weights().substr(0, 100'000),
                 {"Content-Length: " + std::to_string(weights().size())});
  });
  fetch();
  expect_whole();
  ASSERT_THAT(requests_of(kWeights), SizeIs(2));
  EXPECT_EQ(requests_of(kWeights)[1].header("range"), "bytes=100000-");
}

TEST_F(HubMisbehaviour, ACutWithoutALengthIsTakenUp) {
  answer_weights(1, [&](const Request&) {
    return reply(200, weights().substr(0, 12'345), {"X-No-Length: 1"});
  });
  fetch();
  expect_whole();
  EXPECT_EQ(requests_of(kWeights)[1].header("range"), "bytes=12345-");
}

TEST_F(HubMisbehaviour, CutsWithoutProgressEnd) {
  answer_weights(99, [&](const Request& request) {
    Reply cut = hub.file_reply(request, weights());
    cut.bytes.resize(cut.bytes.find("\r\n\r\n") + 5);  // one byte a connection
    return cut;
  });
  EXPECT_THAT(failure(), HasSubstr("tried 5 times"));
  EXPECT_THAT(requests_of(kWeights), SizeIs(5));
}

TEST_F(HubMisbehaviour, AServerThatKnowsNoRangesBeginsAgain) {
  answer_weights(99, [&](const Request& request) {
    if (request.header("range").empty())
      return reply(200, weights().substr(0, 100'000),
                   {"Content-Length: " + std::to_string(weights().size())});
    return reply(200, weights());
  });
  fetch();
  expect_whole();
}

TEST_F(HubMisbehaviour, TheWrongPartIsNotTaken) {
  answer_weights(2, [&](const Request& request) {
    if (request.header("range").empty())
      return reply(200, weights().substr(0, 100'000),
                   {"Content-Length: " + std::to_string(weights().size())});
    return reply(206, weights().substr(50'000, 9), {"Content-Range: bytes 50000-50008/300000"});
  });
  fetch();
  expect_whole();
  EXPECT_THAT(requests_of(kWeights), SizeIs(3));
}

TEST_F(HubMisbehaviour, WrongLengths) {
  for (const std::string& body : {weights().substr(1), weights() + "x", std::string()}) {
    fs::remove_all(settings.cache);
    server.forget_requests();
    answer_weights(99, [&](const Request&) { return reply(200, body); });
    EXPECT_THAT(failure(), AllOf(HasSubstr("not what the hub lists"), HasSubstr("bytes")));
    EXPECT_THAT(requests_of(kWeights), SizeIs(2));  // thrown away, and once more
    expect_no_weights();
    EXPECT_FALSE(fs::exists(folder() / "refs" / "main"));
  }
}

TEST_F(HubMisbehaviour, ABodyWithoutEnd) {
  const std::string chunk = "1000\r\n" + std::string(0x1000, 'x') + "\r\n";
  answer_weights(99, [&](const Request&) {
    Reply endless = reply(200, "", {"Transfer-Encoding: chunked"});
    for (int i = 0; i < 200; ++i) endless.bytes += chunk;
    endless.stall_s = 60;
    return endless;
  });
  EXPECT_THAT(failure(), HasSubstr("longer than its 300000 bytes"));
  EXPECT_FALSE(fs::exists(blob(kWeights).string() + ".incomplete"));
}

TEST_F(HubMisbehaviour, AWrongHashIsFetchedOnceMore) {
  std::string other = weights();
  other[7] ^= 1;
  answer_weights(1, [&](const Request&) { return reply(200, other); });
  fetch();
  expect_whole();
  EXPECT_THAT(requests_of(kWeights), SizeIs(2));
}

TEST_F(HubMisbehaviour, AWrongHashThatStays) {
  std::string other = weights();
  other.back() ^= 1;
  answer_weights(99, [&](const Request&) { return reply(200, other); });
  EXPECT_THAT(failure(), AllOf(HasSubstr("its hash is " + sha256(other)),
                               HasSubstr("not " + sha256(weights()))));
  EXPECT_THAT(requests_of(kWeights), SizeIs(2));
  expect_no_weights();
  EXPECT_FALSE(fs::exists(blob(kWeights).string() + ".incomplete"));
}

TEST_F(HubMisbehaviour, GitHashesAreCheckedToo) {
  hub.instead = [](const Request& request, int) -> std::optional<Reply> {
    if (!asks_for(request, "tokenizer.json")) return std::nullopt;
    return reply(200, "[]");
  };
  EXPECT_THAT(failure(), HasSubstr("its hash is " + git_sha1("[]")));
}

TEST_F(HubMisbehaviour, LeftoversThatAreWrongAreThrownAway) {
  for (const size_t size : {size_t{1000}, weights().size(), weights().size() + 5}) {
    fs::remove_all(settings.cache);
    fs::create_directories(folder() / "blobs");
    testing_bytes::write_bytes(blob(kWeights).string() + ".incomplete", std::string(size, 'x'));
    fetch();
    expect_whole();
  }
}

TEST_F(HubMisbehaviour, AStallIsCut) {
  answer_weights(1, [&](const Request&) {
    return Reply{reply(200, weights().substr(0, 150'000),
                       {"Content-Length: " + std::to_string(weights().size())})
                     .bytes,
                 60};
  });
  fetch();
  expect_whole();
  EXPECT_EQ(requests_of(kWeights)[1].header("range"), "bytes=150000-");
}

TEST_F(HubMisbehaviour, ListsThatLie) {
  const std::string sha1(40, 'b');
  const auto entry = [&](const std::string& path, const std::string& size = "1",
                         const std::string& rest = "") {
    return R"([{"type":"file","path":)" + path + R"(,"size":)" + size + R"(,"oid":")" + sha1 +
           "\"" + rest + "}]";
  };
  for (const std::string& list :
       {std::string("<html>Sign in</html>"),
        std::string("[1"),
        std::string("{}"),
        std::string("[]}, \"x\": {"),
        std::string(100, '['),
        std::string("\xff\xfe"),
        entry(R"("../../../.bashrc")"),
        entry(R"("/etc/passwd")"),
        entry(R"("a/../../b")"),
        entry(R"("")"),
        entry(R"("a\u0000b")"),
        entry(R"("a\nb")"),
        entry("7"),
        entry("null"),
        entry(R"("a")", "-1"),
        entry(R"("a")", "1e300"),
        entry(R"("a")", "99999999999999999"),
        entry(R"("a")", "\"1\""),
        entry(R"("a")", "1", R"(,"lfs":{"oid":"../../x","size":1})"),
        entry(R"("a")", "1", R"(,"lfs":7)"),
        entry(R"("a")", "1", R"(,"oid":")" + sha1 + "\""),
        R"([{"type":"file","path":"a","size":1,"oid":"../../../../x"}])" + std::string(),
        R"([{"type":"file","path":"a","size":1,"oid":")" + sha1 +
            R"("},{"type":"file","path":"a","size":1,"oid":")" + sha1 + R"("}])"}) {
    answer_api(reply(200, list), "/tree/");
    EXPECT_THAT(failure(), HasSubstr("model: " + server.url())) << list;
    EXPECT_FALSE(fs::exists(folder() / "snapshots")) << list;
    EXPECT_FALSE(fs::exists(folder() / "trees")) << list;
  }
}

TEST_F(HubMisbehaviour, CommitsThatAreNone) {
  for (const char* answer : {"{}", R"({"sha":"../../x"})", R"({"sha":7})", "[]", "",
                             R"({"sha":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"})"}) {
    answer_api(reply(200, answer), "/revision/");
    EXPECT_THAT(failure(), HasSubstr("model: ")) << answer;
  }
}

TEST_F(HubMisbehaviour, AHugeListIsNotRead) {
  answer_api(reply(200, std::string(33 << 20, ' ')), "/tree/");
  EXPECT_THAT(failure(), HasSubstr("longer than 33554432 bytes"));
}

TEST_F(HubMisbehaviour, PagesWithoutEnd) {
  answer_api(reply(200, "[]", {"Link: </api/models/org/name/tree/x?c=1>; rel=\"next\""}), "/tree/");
  EXPECT_THAT(failure(), HasSubstr("io: "));  // a page is named by a whole URL
  answer_api(reply(200, "[]", {"Link: <" + server.url() + "/tree/>; rel=\"next\""}), "/tree/");
  EXPECT_THAT(failure(), HasSubstr("the list is longer"));
}

TEST_F(HubMisbehaviour, AFileAndAFolderOfOneName) {
  hub.files["config.json/x"] = {"y"};
  EXPECT_THAT(
      testing_bytes::failure_of([&] { fetch("org/name", Wanted::model, {"config.json*"}); }),
      HasSubstr("io: "));
}

TEST_F(HubMisbehaviour, HeadersWithoutEnd) {
  std::string headers = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 10'000; ++i)
    headers += "X-" + std::to_string(i) + ": " + std::string(50, 'x') + "\r\n";
  answer_weights(99, [&](const Request&) { return Reply{headers}; });
  EXPECT_THAT(failure(), HasSubstr("io: "));
}

TEST_F(HubMisbehaviour, CtrlCLeavesWhatIsThere) {
  watch_for_interrupt();
  answer_weights(1, [&](const Request&) {
    Reply slow = reply(200, weights().substr(0, 200'000),
                       {"Content-Length: " + std::to_string(weights().size())});
    std::thread([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ::kill(::getpid(), SIGINT);
    }).detach();
    slow.stall_s = 60;
    return slow;
  });
  settings.stall_s = 30;
  const std::string stopped = failure();
  clear_interrupt();
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  EXPECT_THAT(stopped, AllOf(HasSubstr("interrupted: "), HasSubstr("goes on where it stopped")));
  EXPECT_EQ(fs::file_size(blob(kWeights).string() + ".incomplete"), 200'000U);
  fetch();
  expect_whole();
  EXPECT_EQ(requests_of(kWeights)[1].header("range"), "bytes=200000-");
}

}  // namespace
}  // namespace burnish
