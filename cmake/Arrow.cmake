# Apache Arrow's C++ libraries, out of the pyarrow package: by file, since their names carry a version.
burnish_installed(BURNISH_ARROW pyarrow)
file(GLOB arrow_libraries ${BURNISH_ARROW}/libarrow.so.* ${BURNISH_ARROW}/libparquet.so.*)
list(LENGTH arrow_libraries arrow_count)
if(NOT arrow_count EQUAL 2)
  message(FATAL_ERROR "No Apache Arrow in '${BURNISH_ARROW}': run ./burnish, or pass -DBURNISH_ARROW=DIR (pyarrow's folder)")
endif()
file(STRINGS ${BURNISH_ARROW}/include/arrow/util/config.h burnish_arrow_version REGEX "define ARROW_VERSION_STRING ")
string(REGEX REPLACE "[^0-9.]" "" burnish_arrow_version "${burnish_arrow_version}")
if(burnish_arrow_version VERSION_LESS 26)
  message(FATAL_ERROR "Apache Arrow ${burnish_arrow_version} in ${BURNISH_ARROW} is too old: 26 or newer is needed")
endif()

# Behind src/parquet_door.h, opened at the first Parquet file.
add_library(burnish_parquet SHARED src/parquet_door.cpp)
target_include_directories(burnish_parquet SYSTEM PRIVATE ${BURNISH_ARROW}/include)
target_link_libraries(burnish_parquet PRIVATE burnish_core ${arrow_libraries})
