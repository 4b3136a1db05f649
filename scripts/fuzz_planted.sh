#!/bin/sh
# Shows that each fuzzer finds a planted bug within a minute:  scripts/fuzz_planted.sh [NAME...]
# fuzz/planted/NAME.patch goes into a copy of the tree, build/planted. The kept corpus alone must not
# show the bug, and what the fuzzer finds must be no fault of the tree as it is.
set -eu
cd "$(dirname "$0")/.."
names=${*:-$(basename -a -s .patch fuzz/planted/*.patch)}
copy=build/planted

scripts/fuzz.sh 0 $names
rm -rf "$copy/src" "$copy/build/fuzz/corpus" "$copy/build/fuzz/found"
mkdir -p "$copy"
tar -cf - CMakeLists.txt cmake src fuzz scripts | tar -C "$copy" -xf -
for name in $names; do patch -s -d "$copy" -p1 <"fuzz/planted/$name.patch"; done
"$copy/scripts/fuzz.sh" 0 $names >"$copy/kept.log" 2>&1 || {
  cat "$copy/kept.log" >&2
  echo "fuzz: the copy does not build, or the kept corpus shows the bug already" >&2
  exit 1
}

for name in $names; do
  begin=$(date +%s)
  if "$copy/scripts/fuzz.sh" 60 "$name" >"$copy/$name.log" 2>&1; then
    echo "fuzz: $name did not find its planted bug within 60 s" >&2
    exit 1
  fi
  end=$(date +%s)
  build/fuzz/"${name}_fuzz" "$copy/build/fuzz/found/$name-"* >"$copy/$name.unplanted.log" 2>&1 || {
    echo "fuzz: $name found a fault that nobody planted ($copy/$name.unplanted.log)" >&2
    exit 1
  }
  echo "$name: found after $((end - begin)) s: $(grep -m 1 SUMMARY "$copy/$name.log")"
done
