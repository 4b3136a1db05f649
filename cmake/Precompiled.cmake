# The heavy headers of libraries, parsed once for each kind of target: most of a build's time is theirs.
# Files still include what they use; -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON shows where one does not.
function(burnish_precompiled name)
  cmake_parse_arguments(set "" "" "LIKE;HEADERS;OPTIONS" ${ARGN})
  file(WRITE ${CMAKE_BINARY_DIR}/${name}.cpp "")
  add_library(${name} OBJECT ${CMAKE_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE ${set_LIKE})
  target_compile_options(${name} PRIVATE ${set_OPTIONS})
  target_precompile_headers(${name} PRIVATE ${set_HEADERS}
    <algorithm> <filesystem> <functional> <memory> <nlohmann/json.hpp> <optional> <string> <vector>)
endfunction()

# Everything is compiled as -fPIC, executables too: the headers were, and serve nothing else.
function(burnish_use_precompiled target name)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
  target_compile_options(${target} PRIVATE -fPIC)
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
