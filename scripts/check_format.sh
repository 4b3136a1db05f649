#!/bin/sh
# Refuses files that clang-format 14 would change. clang-format is taken from Debian's clang-format-14.
set -eu
cd "$(dirname "$0")/.."
command -v clang-format-14 >/dev/null || { [ "$(id -u)" -eq 0 ] && apt-get install -qq --no-install-recommends -y clang-format-14 >/dev/null; }
git ls-files -co --exclude-standard 'src/*.h' 'src/*.cpp' 'tests/*.h' 'tests/*.cpp' 'benchmarks/*.cpp' 'fuzz/*.cpp' |
  xargs -r clang-format-14 --dry-run --Werror
echo "format: clean"
