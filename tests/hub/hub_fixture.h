// A fake hub with a small model, and an empty cache for it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "format/bytes_helper.h"
#include "hub/server_helper.h"
#include "hub/snapshot.h"

namespace burnish::testing_hub {

/// Bytes without a pattern that a wrong offset could repeat.
inline std::string some_bytes(size_t size) {
  std::string bytes(size, '\0');
  uint32_t state = 12345;
  for (char& byte : bytes) byte = static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return bytes;
}

class HubTest : public testing::Test {
 protected:
  void SetUp() override {
    settings.endpoint = server.url();
    settings.cache = testing_bytes::scratch(
        std::string("cache_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::remove_all(settings.cache);
    settings.first_wait_s = 0.01;
    settings.stall_s = 1;
    hub.files = {{"config.json", {R"({"model_type":"llama"})"}},
                 {"model.safetensors", {some_bytes(300'000), true}},
                 {"tokenizer.json", {"{}"}},
                 {"pytorch_model.bin", {"pickle", true}},
                 {"onnx/model.onnx", {"onnx", true}}};
  }

  Snapshot fetch(const std::string& name = "org/name", Wanted wanted = Wanted::model,
                 const std::vector<std::string>& include = {}) {
    const auto kind =
        wanted == Wanted::everything ? Repository::Kind::dataset : Repository::Kind::model;
    return fetch_snapshot({parse_hub_name(name, kind), wanted, include}, settings);
  }
  std::string failure(const std::string& name = "org/name") {
    return testing_bytes::failure_of([&] { fetch(name); });
  }
  std::filesystem::path folder(const std::string& kind = "models") const {
    return settings.cache / (kind + "--org--name");
  }
  std::filesystem::path blob(const std::string& path) {
    return folder() / "blobs" / hash_of(hub.files.at(path));
  }
  /// Requests for one file's content.
  std::vector<Request> requests_of(const std::string& path) const {
    std::vector<Request> found;
    for (const Request& request : server.requests())
      if (request.path.ends_with("/" + path)) found.push_back(request);
    return found;
  }
  void expect_whole(const std::string& path = "model.safetensors") {
    EXPECT_EQ(read_text_file(folder() / "snapshots" / kCommit / path), hub.files.at(path).content);
  }

  FakeHub hub;
  Server server{[this](const Request& request) { return hub(request); }};
  HubSettings settings;
};

}  // namespace burnish::testing_hub
