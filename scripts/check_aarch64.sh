#!/bin/sh
# Builds the kernels for aarch64 with Debian's cross compiler and runs their tests under qemu-user.
# Everything for the other processor lies in build/aarch64: the system's own packages stay as they are.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
here=$root/build/aarch64
sysroot=$here/sysroot
triple=aarch64-linux-gnu
"$root/scripts/setup.sh" --cross-packages

apt_for_arm64() {
  apt-get -qq -o APT::Architectures="arm64" -o APT::Architecture=arm64 -o Dir::State::status=/dev/null \
    -o Dir::State::lists="$here/lists" -o Dir::Cache="$here/cache" "$@"
}

unpack_debian_packages() {
  [ ! -e "$here/sysroot.done" ] || return 0
  rm -rf "$sysroot" "$here/debs"
  mkdir -p "$sysroot" "$here/debs" "$here/lists/partial" "$here/cache/archives/partial"
  apt_for_arm64 update
  (cd "$here/debs" && apt_for_arm64 download \
    libfmt-dev libfmt9 libspdlog-dev libspdlog1.10 libsimdjson-dev libsimdjson14 libyaml-cpp-dev libyaml-cpp0.7 \
    libpcre2-dev libpcre2-8-0 libutf8proc-dev libutf8proc2 libssl-dev libssl3 libcurl4-openssl-dev libcurl4 \
    libhwy-dev libhwy1 libgtest-dev libgmock-dev googletest nlohmann-json3-dev libcli11-dev libgomp1)
  for package in "$here"/debs/*.deb; do dpkg -x "$package" "$sysroot"; done
  touch "$here/sysroot.done"
}

unpack_wheels() {
  [ ! -e "$here/python.done" ] || return 0
  rm -rf "$here/wheels" "$here/python"
  version=$("$root/build/env/bin/python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
  "$root/build/env/bin/python" -m pip --disable-pip-version-check download -q --no-deps --only-binary=:all: \
    --platform manylinux_2_28_aarch64 --python-version "$version" -d "$here/wheels" \
    -r "$root/scripts/requirements-build.txt"
  for wheel in "$here"/wheels/*.whl; do "$root/build/env/bin/python" -m zipfile -e "$wheel" "$here/python"; done
  touch "$here/python.done"
}

mkdir -p "$here"
unpack_debian_packages
unpack_wheels
cmake -S "$root" -B "$here/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_TOOLCHAIN_FILE="$root/cmake/Aarch64.cmake" -DBURNISH_SYSROOT="$sysroot" \
  -DBURNISH_LIBTORCH="$here/python/torch" -DBURNISH_ARROW="$here/python/pyarrow" >"$here/configure.log"
cmake --build "$here/build" --target test_kernel
libraries=$sysroot/usr/lib/$triple:$sysroot/lib/$triple:$here/python/torch/lib:$here/build
for library in "$here"/python/torch.libs; do libraries=$libraries:$library; done
qemu-aarch64-static -L "/usr/$triple" -E "LD_LIBRARY_PATH=$libraries" "$here/build/test_kernel" "$@"
