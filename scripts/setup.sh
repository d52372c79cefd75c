#!/bin/sh
# Install, by package name, what Tutti needs to build, run and test on Debian 12. Packages that are there are left alone.
set -eu

packages="
  build-essential cmake ninja-build pkg-config file
  libsimgrid-dev
  mpich libmpich-dev openmpi-bin libopenmpi-dev
  libsqlite3-dev sqlite3 libxml2-dev libxml2-utils nettle-dev libcmocka-dev
  libbdd-dev libroaring-dev libbz2-dev
  gnuplot-nox graphviz fonts-dejavu-core python3 chromium chromium-driver
  help2man groff-base doxygen
  libjemalloc2 valgrind util-linux
  slurmctld slurmd slurm-client munge
"

missing=
for package in $packages; do
  if ! dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed; then
    missing="$missing $package"
  fi
done
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "setup.sh: this is not a Debian system; install the equivalents of:$missing" >&2
  exit 2
fi
as_root=
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "setup.sh: run as root, or install sudo; missing packages:$missing" >&2
    exit 2
  fi
  as_root=sudo
fi
echo "setup.sh: installing$missing"
$as_root apt-get update -q
# shellcheck disable=SC2086 # one word a package
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q \
  --no-install-recommends $missing
