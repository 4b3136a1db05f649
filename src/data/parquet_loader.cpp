// open_parquet(): libburnish_parquet.so beside this, with libparquet of the pyarrow package.
#include "base/shared_library.h"
#include "parquet_door.h"

namespace burnish {
namespace {

Parquet* load_parquet() {
  void* symbol = load_symbol(library_beside("libburnish_parquet.so"), "burnish_parquet",
                             "the reader of Parquet files",
                             "Build the target burnish_parquet; pyarrow must be where it was then");
  return reinterpret_cast<Parquet* (*)()>(symbol)();
}

}  // namespace

Parquet& open_parquet() {
  static Parquet& parquet = *load_parquet();
  return parquet;
}

}  // namespace burnish
