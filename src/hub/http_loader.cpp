// open_http(): libburnish_http.so beside the library that this is part of, or beside the program.
#include "base/shared_library.h"
#include "http_door.h"

namespace burnish {
namespace {

Http* load_http() {
  void* symbol =
      load_symbol(library_beside("libburnish_http.so"), "burnish_http", "the network part",
                  "Build the target burnish_http; libcurl must be installed");
  return reinterpret_cast<Http* (*)()>(symbol)();
}

}  // namespace

Http& open_http() {
  static Http& http = *load_http();
  return http;
}

}  // namespace burnish
