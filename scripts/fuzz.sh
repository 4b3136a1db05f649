#!/bin/sh
# Runs each fuzzer from its kept corpus:  scripts/fuzz.sh [SECONDS_EACH [NAME...]]
# 0 seconds: only what is in the corpus. New inputs go to build/fuzz/corpus, not to the kept one;
# what a fuzzer finds goes to build/fuzz/found.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:-60}
[ $# -eq 0 ] || shift
names=${*:-$(basename -a fuzz/*_fuzz.cpp | sed 's/_fuzz.cpp//')}

missing=
for package in clang-14 libclang-rt-14-dev $(grep -v python3-venv scripts/debian-packages.txt); do
  case $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true) in
    ii*) ;;
    *) missing="$missing $package" ;;
  esac
done
if [ -n "$missing" ]; then
  echo "fuzz: these Debian packages are missing. Install them, then start again:" >&2
  echo "  sudo apt-get install --no-install-recommends -y$missing" >&2
  exit 1
fi
for name in $names; do
  [ -e "fuzz/${name}_fuzz.cpp" ] || { echo "fuzz: there is no fuzz/${name}_fuzz.cpp" >&2; exit 1; }
done

# a copy of the tree (fuzz_planted.sh) shares what ccache holds; precompiled headers cannot be shared
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
mkdir -p build/fuzz/found
cmake -S . -B build/fuzz -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++-14 \
  -DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link -DBURNISH_SANITIZE=address,undefined -DBURNISH_FUZZ=ON \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  >build/fuzz/configure.log 2>&1 || { cat build/fuzz/configure.log >&2; exit 1; }
cmake --build build/fuzz -j "$(nproc)" --target $(for name in $names; do echo "${name}_fuzz"; done)

limit=-max_total_time=$seconds
[ "$seconds" != 0 ] || limit=-runs=0
failed=
for name in $names; do
  mkdir -p "build/fuzz/corpus/$name"
  echo "fuzz: $name, $seconds s"
  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 "build/fuzz/${name}_fuzz" "$limit" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 \
    -artifact_prefix="build/fuzz/found/$name-" "build/fuzz/corpus/$name" "fuzz/corpus/$name" \
    >"build/fuzz/$name.log" 2>&1 || failed="$failed $name"
  grep -E '^stat::|^Done|ERROR|SUMMARY|runtime error' "build/fuzz/$name.log" || true
done
[ -z "$failed" ] || { echo "fuzz: found a fault:$failed (build/fuzz/NAME.log)" >&2; exit 1; }
