#!/bin/sh
# clang-tidy 14 on the files without tensors that changed since the last commit but one (or those named).
# The tensor rooms are left to the compiler: libtorch's headers cost tidy minutes a file.
set -eu
cd "$(dirname "$0")/.."
command -v clang-tidy-14 >/dev/null || { [ "$(id -u)" -eq 0 ] && apt-get install -qq --no-install-recommends -y clang-tidy-14 >/dev/null; }
files=${*:-$(git diff --name-only --diff-filter=AM "$(git rev-parse --verify -q HEAD~1 || git hash-object -t tree /dev/null)" -- 'src/*.cpp' |
  grep -vE '^src/(kernel|comm|model|adapter|engine|generate|train)/|engine_door' || true)}
[ -n "$files" ] || { echo "tidy: nothing changed"; exit 0; }
# without GCC's precompiled headers, which clang cannot read
mkdir -p build/tidy
sed -E 's# -(Winvalid-pch|fpch-preprocess)##g; s# -include [^ ]*cmake_pch.hxx##' \
  build/release/compile_commands.json >build/tidy/compile_commands.json
echo "$files" | xargs -n 4 -P 2 clang-tidy-14 -p build/tidy --quiet
echo "tidy: clean"
