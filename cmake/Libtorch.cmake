# libtorch, linked by hand: find_package(Torch) on a CUDA build would want nvcc. Its include folder
# ships another fmt: rooms with tensors do not include fmt or spdlog.
burnish_installed(BURNISH_LIBTORCH torch)
if(NOT EXISTS ${BURNISH_LIBTORCH}/include/ATen/ATen.h)
  message(FATAL_ERROR "No libtorch in '${BURNISH_LIBTORCH}': run ./burnish, or pass -DBURNISH_LIBTORCH=DIR")
endif()
file(STRINGS ${BURNISH_LIBTORCH}/include/torch/headeronly/version.h torch_version REGEX "define TORCH_VERSION_(MAJOR|MINOR) ")
string(REGEX REPLACE "[^0-9;]" "" torch_version "${torch_version}")
list(JOIN torch_version "." burnish_torch_version)
if(burnish_torch_version VERSION_LESS 2.11)
  message(FATAL_ERROR "libtorch ${burnish_torch_version} in ${BURNISH_LIBTORCH} is too old: 2.11 or newer is needed")
endif()
add_library(burnish_torch INTERFACE)
target_include_directories(burnish_torch SYSTEM INTERFACE
  ${BURNISH_LIBTORCH}/include ${BURNISH_LIBTORCH}/include/torch/csrc/api/include)
target_link_directories(burnish_torch INTERFACE ${BURNISH_LIBTORCH}/lib)
# nothing of torch_cuda is referenced by name: --as-needed would drop it, and CUDA with it
set(torch_libraries -ltorch -ltorch_cpu -lc10)
if(EXISTS ${BURNISH_LIBTORCH}/lib/libtorch_cuda.so)
  list(APPEND torch_libraries -ltorch_cuda -lc10_cuda)
endif()
target_link_libraries(burnish_torch INTERFACE -Wl,--no-as-needed ${torch_libraries} -Wl,--as-needed Threads::Threads)
list(APPEND CMAKE_BUILD_RPATH ${BURNISH_LIBTORCH}/lib)
# at::parallel_for runs serially, without a word, in code that is compiled without it
target_compile_options(burnish_torch INTERFACE -fopenmp)
target_link_options(burnish_torch INTERFACE -fopenmp)
