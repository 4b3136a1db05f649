#include "base/error.h"

#include <utility>

namespace burnish {

Error::Error(ErrorCode code, std::string what, std::string where, std::string advice)
    : code_(code), fact_(std::move(what)), where_(std::move(where)), advice_(std::move(advice)) {
  if (!where_.empty()) text_ = where_ + ": ";
  text_ += fact_;
  if (!advice_.empty()) text_ += ". " + advice_;
}

const char* name_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return "usage";
    case ErrorCode::recipe:
      return "recipe";
    case ErrorCode::data:
      return "data";
    case ErrorCode::model:
      return "model";
    case ErrorCode::unsupported:
      return "unsupported";
    case ErrorCode::io:
      return "io";
    case ErrorCode::not_finite:
      return "not_finite";
    case ErrorCode::spike:
      return "spike";
    case ErrorCode::memory:
      return "memory";
    case ErrorCode::interrupted:
      return "interrupted";
    case ErrorCode::internal:
      return "internal";
  }
  return "internal";
}

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::usage:
      return 2;
    case ErrorCode::recipe:
      return 3;
    case ErrorCode::data:
      return 4;
    case ErrorCode::model:
      return 5;
    case ErrorCode::unsupported:
      return 6;
    case ErrorCode::io:
      return 7;
    case ErrorCode::not_finite:
      return 8;
    case ErrorCode::spike:
      return 9;
    case ErrorCode::memory:
      return 10;
    case ErrorCode::interrupted:
      return 130;
    case ErrorCode::internal:
      return 70;
  }
  return 70;
}

}  // namespace burnish
