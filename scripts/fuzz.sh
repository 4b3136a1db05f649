#!/bin/sh
# Runs each fuzzer from its kept corpus:  scripts/fuzz.sh [SECONDS_EACH [NAME...]]
# Needs Debian's clang-14 and libclang-rt-14-dev. New inputs go to build/fuzz/corpus, not to the kept one.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
libtorch=$(echo build/env/lib/python3*/site-packages/torch)
cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link -DBURNISH_SANITIZE=address,undefined -DBURNISH_FUZZ=ON \
  "-DBURNISH_LIBTORCH:PATH=$PWD/$libtorch" >build/fuzz-configure.log
names=${*:-$(ls fuzz/*_fuzz.cpp | xargs -n 1 basename | sed 's/_fuzz.cpp//')}
for name in $names; do
  cmake --build build/fuzz --target "${name}_fuzz"
  mkdir -p "build/fuzz/corpus/$name"
  "build/fuzz/${name}_fuzz" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -max_len=65536 \
    "build/fuzz/corpus/$name" "fuzz/corpus/$name"
done
