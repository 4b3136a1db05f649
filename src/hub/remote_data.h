// A file of a data set on the hub, read where it is by ranges: nothing of it is written to disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "hub/connection.h"
#include "hub/names.h"
#include "hub/remote_file.h"

namespace burnish {

/// hf://datasets/ORG/NAME@REVISION/PATH: the way in which other tools write it too.
struct RemoteDataName {
  HubName name;
  std::string path;
  std::string text() const;
};

/// Whether `text` begins with hf://.
bool is_remote_data(std::string_view text);

/// @throws Error(usage) with what is wrong with it.
RemoteDataName parse_remote_data(std::string_view text);

/// The same file at the commit that its revision is now. Asks the hub, unless it names a commit.
/// @throws Error(io), Error(interrupted)
std::string pinned_remote_data(const std::string& text, const HubSettings& settings);

/// Of one thread.
class RemoteData {
 public:
  /// Asks the hub for commit, size and hash of the file.
  /// @throws Error(io): not there, no access, offline; Error(interrupted)
  RemoteData(const RemoteDataName& name, const HubSettings& settings);
  RemoteData(const RemoteData&) = delete;
  RemoteData& operator=(const RemoteData&) = delete;

  uint64_t size() const { return file_.size; }
  /// Of its content, as content_hash.h has it.
  const std::string& hash() const { return file_.hash(); }
  const std::string& url() const { return url_; }

  /// Fills `into` with the bytes from `offset` on; goes on where a connection was cut.
  /// @throws Error(io), also where the server gives another part than the one that was asked for;
  /// Error(internal) for bytes behind the end; Error(interrupted)
  void read(uint64_t offset, std::span<std::byte> into);

 private:
  struct Part;

  HubContext context_;
  HubConnection connection_;
  HubName name_;
  RemoteFile file_;
  std::string url_;
};

}  // namespace burnish
