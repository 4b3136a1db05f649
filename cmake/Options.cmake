set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
# -O3 is for the rooms that compute (Rooms.cmake): elsewhere it costs build time and brings nothing
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

set(BURNISH_SANITIZE "" CACHE STRING "Sanitizers, as for -fsanitize")
set(BURNISH_LIBTORCH "" CACHE PATH "The folder that holds libtorch's include/ and lib/")
set(BURNISH_ARROW "" CACHE PATH "The folder of the pyarrow package, which holds Apache Arrow's libraries")
option(BURNISH_TESTS "Build the tests and benchmarks" ON)
option(BURNISH_FUZZ "Build the fuzzers (needs clang)" OFF)

# -ffp-contract=off: the same number from the same source, whatever the processor.
add_compile_definitions(BURNISH_VERSION="${PROJECT_VERSION}")
add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffp-contract=off)
# GCC 12 sees faults in std::string's operator+ that are not there (GCC bug 105329)
add_compile_options($<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
if(BURNISH_SANITIZE)
  add_compile_options(-fsanitize=${BURNISH_SANITIZE} -fno-omit-frame-pointer -O1 -g1)
  add_link_options(-fsanitize=${BURNISH_SANITIZE})
endif()

find_program(CCACHE ccache)
if(CCACHE)  # which must be told that precompiled headers are fine
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
  add_compile_options($<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
