# The versions behind `burnish --version`: handed to src/base/built_with.cpp alone, so that another
# one compiles one file.
function(burnish_header_version result header pattern)
  file(STRINGS ${header} lines REGEX "define ${pattern}")
  string(REGEX MATCHALL " [0-9]+" numbers "${lines}")
  string(REPLACE " " "" numbers "${numbers}")
  list(JOIN numbers "." version)
  set(${result} ${version} PARENT_SCOPE)
endfunction()
burnish_header_version(pcre2_version ${burnish_pcre2_INCLUDE}/pcre2.h "PCRE2_(MAJOR|MINOR) ")
burnish_header_version(utf8proc_version ${burnish_utf8proc_INCLUDE}/utf8proc.h "UTF8PROC_VERSION_")
burnish_header_version(highway_version ${burnish_highway_INCLUDE}/hwy/highway.h "HWY_(MAJOR|MINOR|PATCH) ")

string(TOLOWER "${CMAKE_BUILD_TYPE}" build_type)
set(built_with
  "burnish ${PROJECT_VERSION}"
  "build ${build_type} for ${CMAKE_SYSTEM_NAME} ${CMAKE_SYSTEM_PROCESSOR}"
  "compiler ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}"
  "CLI11 ${CLI11_VERSION}"
  "curl ${CURL_VERSION_STRING}"
  "fmt ${fmt_VERSION}"
  "highway ${highway_version}"
  "nlohmann_json ${nlohmann_json_VERSION}"
  "openssl ${OPENSSL_VERSION}"
  "pcre2 ${pcre2_version}"
  "simdjson ${simdjson_VERSION}"
  "spdlog ${spdlog_VERSION}"
  "utf8proc ${utf8proc_version}"
  "yaml-cpp ${yaml-cpp_VERSION}")
if(burnish_torch_version)
  list(APPEND built_with "arrow ${burnish_arrow_version}" "libtorch ${burnish_torch_version}")
endif()
list(JOIN built_with "\\n" built_with)
set_source_files_properties(src/base/built_with.cpp PROPERTIES
  COMPILE_DEFINITIONS "BURNISH_BUILT_WITH=\"${built_with}\"")
