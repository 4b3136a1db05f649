#!/bin/sh
# Builds a wheel as `pip install .` does, with Debian's libraries put into it, so that it runs on other
# systems too:  wheel.sh FOLDER. Takes the `python` and `auditwheel` of PATH, and that python's torch.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
mkdir -p "$1"
plain=$(mktemp -d)
trap 'rm -rf "$plain"' EXIT
python -m pip --disable-pip-version-check wheel -q "$root" --no-build-isolation --no-deps -w "$plain"
# libtorch and Arrow are those of the torch and pyarrow packages
auditwheel repair "$plain"/*.whl -w "$1" --exclude 'libtorch*' --exclude 'libc10*' --exclude 'libgomp*' \
  --exclude 'libarrow*' --exclude 'libparquet*'
