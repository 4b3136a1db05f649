#!/bin/sh
# Installs what Burnish needs and builds it. Every step looks first at what is there, so that a
# set-up that was interrupted goes on where it stopped.
#   setup.sh PRESET TARGET...         Debian packages, libtorch, configure, build
#   setup.sh --quickstart-packages    the model and the conversations that `burnish quickstart` uses
#   setup.sh --wheel-packages         what builds and repairs the wheel (scripts/check_wheel.sh)
#   setup.sh --cross-packages         Debian's cross compiler and qemu (scripts/check_aarch64.sh)
#   setup.sh --peer-packages          transformers and its kin, for scripts/parity and benchmarks
# BURNISH_LIBTORCH=DIR takes the libtorch (2.11 or newer) in DIR in place of the PyPI package.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)
env=$root/build/env
debian_packages=$(cat "$root/scripts/debian-packages.txt")

case "$(uname -s) $(uname -m)" in
  "Linux x86_64" | "Linux aarch64") ;;
  *)
    echo "burnish: $(uname -s) on $(uname -m) is not supported: Burnish runs on Linux on x86-64 and aarch64" >&2
    exit 1
    ;;
esac

install_debian_packages() {  # PACKAGE...
  missing=
  for package in "$@"; do
    case $(dpkg-query -W -f='${db:Status-Abbrev}' "$package" 2>/dev/null || true) in
      ii*) ;;
      *) missing="$missing $package" ;;
    esac
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    echo "burnish: these Debian packages are missing. Install them, then start burnish again:" >&2
    echo "  sudo apt-get update && sudo apt-get install --no-install-recommends -y$missing" >&2
    exit 1
  fi
  echo "burnish: installing Debian packages:$missing"
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends -y $missing >/dev/null
}

# The environment is made aside and renamed, so that a half-made one is never taken for whole.
make_environment() {
  [ -x "$env/bin/pip" ] && return 0
  rm -rf "$env" "$env.partial"
  mkdir -p "$(dirname "$env")"
  /usr/bin/python3 -m venv "$env.partial"
  mv "$env.partial" "$env"
  # a moved environment keeps the old path in its scripts: made whole again in place
  /usr/bin/python3 -m venv --upgrade "$env"
}

pip_install() {  # NAME FLAGS REQUIREMENTS...: once, recorded by a stamp that holds the requirements
  name=$1
  shift
  stamp=$env/$name.installed
  [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$*" ] && return 0
  make_environment
  echo "burnish: fetching $* (PyPI)"
  "$env/bin/python" -m pip --disable-pip-version-check install -q "$@"
  echo "$*" >"$stamp"
}

# Without an NVIDIA GPU the CPU build, where the configured index has it; else PyPI's own, which does not
# load without CUDA's libraries: those are its dependencies.
install_torch() {  # FLAGS for the CPU build...
  requirement=$(grep '^torch==' "$root/scripts/requirements-build.txt")
  stamp=$env/libtorch.installed
  [ -e "$stamp" ] && [ "$(cat "$stamp")" = "$requirement" ] && return 0
  make_environment
  echo "burnish: fetching $requirement (PyPI)"
  pip="$env/bin/python -m pip --disable-pip-version-check install -q"
  if [ -e /proc/driver/nvidia/version ] || ! $pip "$@" "$requirement+cpu" 2>/dev/null; then
    $pip "$requirement"
  fi
  echo "$requirement" >"$stamp"
}

install_arrow() {
  pip_install arrow --no-deps $(grep '^pyarrow==' "$root/scripts/requirements-build.txt")
}

case $1 in
  --quickstart-packages)
    pip_install quickstart --no-deps $(cat "$root/scripts/requirements-quickstart.txt")
    exit 0
    ;;
  --wheel-packages)
    install_debian_packages $debian_packages
    install_torch --no-deps
    install_arrow
    pip_install wheel $(cat "$root/scripts/requirements-wheel.txt")
    exit 0
    ;;
  --cross-packages)
    install_debian_packages $debian_packages g++-aarch64-linux-gnu qemu-user-static
    make_environment
    exit 0
    ;;
  --peer-packages)
    env=$root/build/peers/env
    install_torch
    pip_install peers $(cat "$root/scripts/requirements-peers.txt")
    exit 0
    ;;
esac

preset=$1
shift
install_debian_packages $debian_packages
if [ -n "${BURNISH_LIBTORCH:-}" ]; then
  libtorch=$BURNISH_LIBTORCH
else
  install_torch --no-deps
  libtorch=$(echo "$env"/lib/python3*/site-packages/torch)
fi
install_arrow
arrow=$(echo "$env"/lib/python3*/site-packages/pyarrow)
build=$root/build/$preset
if [ ! -e "$build/build.ninja" ] || ! grep -qx "BURNISH_LIBTORCH:PATH=$libtorch" "$build/CMakeCache.txt" ||
  ! grep -qx "BURNISH_ARROW:PATH=$arrow" "$build/CMakeCache.txt"; then
  echo "burnish: configuring ($preset)"
  mkdir -p "$build"
  (cd "$root" && cmake --preset "$preset" "-DBURNISH_LIBTORCH:PATH=$libtorch" "-DBURNISH_ARROW:PATH=$arrow") >"$build/configure.log" 2>&1 || {
    tail -30 "$build/configure.log" >&2
    exit 1
  }
fi
touch "$build/building.stamp"
echo "burnish: building ($preset; the first time takes minutes)"
cmake --build "$build" --target "$@"
mv "$build/building.stamp" "$build/built.stamp"
