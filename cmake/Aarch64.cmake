# Toolchain of scripts/check_aarch64.sh: Debian's cross compiler, and Debian's libraries for aarch64
# unpacked in BURNISH_SYSROOT. The C library is the cross compiler's own.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES BURNISH_SYSROOT)
set(CMAKE_FIND_ROOT_PATH ${BURNISH_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(libraries ${BURNISH_SYSROOT}/usr/lib/aarch64-linux-gnu)
# system folders of the target, which the compiler does not know of
include_directories(SYSTEM ${BURNISH_SYSROOT}/usr/include ${BURNISH_SYSROOT}/usr/include/aarch64-linux-gnu)
# what libraries need of each other is looked up when the program starts
add_link_options(-L${libraries} -Wl,-rpath-link,${libraries} -Wl,--allow-shlib-undefined)
