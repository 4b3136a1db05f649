#!/bin/sh
# Installs the wheel in WHEELS into a new environment, beside the torch that it was built with:
#   install_wheel.sh WHEELS ENVIRONMENT
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
torch=$("$root/build/env/bin/python" -c 'import importlib.metadata as m; print(m.version("torch"))')
rm -rf "$2"
/usr/bin/python3 -m venv "$2"
"$2/bin/python" -m pip --disable-pip-version-check install -q "torch==$torch" "$1"/*.whl
