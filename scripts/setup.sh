#!/bin/sh
# Install, by package name, what Tutti needs on Debian 12, 13 and unstable. Packages that are there are left alone.
#
# usage: setup.sh [demo|all]    what scripts/demo.sh needs, or (default) what building and testing all of it needs
set -eu
wanted=${1:-all}

# Who needs it, and the packages: PACKAGES("demo", ID, "names") in the list that the command has, too.
list=$(sed -n 's/^PACKAGES("\([a-z]*\)", [A-Z]*, "\(.*\)")$/\1 \2/p' "$(dirname "$0")/../src/harness/experiments/launch/packages.def")
[ -n "$list" ] || { echo "setup.sh: no list of packages beside it" >&2; exit 2; }
case $wanted in
demo) packages=$(echo "$list" | sed -n 's/^demo //p') ;;
all) packages=$(echo "$list" | sed 's/^[a-z]* //') ;;
*) echo "setup.sh: '$wanted' is neither demo nor all" >&2; exit 2 ;;
esac

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
echo "setup.sh: installing these Debian packages and what they depend on:$missing"
$as_root apt-get update -q
# shellcheck disable=SC2086 # one word a package
$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q \
  --no-install-recommends $missing
