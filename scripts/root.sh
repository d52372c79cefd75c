#!/bin/sh
# Run a command on another release of Debian: in a system of its own below a directory, made with debootstrap if it is not
# there, with what scripts/setup.sh installs. There the source is /tutti (read-only) and the build is /build. Mounts are
# seen there only, and go with the command and all that it starts.
#
# usage: root.sh [--mirror URL] [--expired] RELEASE DIRECTORY [COMMAND...]    as root; without a command: all tests
#   sh scripts/root.sh trixie /var/tmp/trixie sh scripts/test.sh -R unit
#   sh scripts/root.sh sid /var/tmp/sid sh -c 'cd /tmp && sh /tutti/scripts/demo.sh'
# The mirror is the one from which this system has its packages, unless it is named; --expired takes one that is a copy of
# a past day.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
mirror='' expired=''

fail() {
  echo "root.sh: $*" >&2
  exit 2
}

while :; do
  case ${1:-} in
  --mirror) mirror=${2:?root.sh: --mirror needs a URL} && shift 2 ;;
  --expired) expired=1 && shift ;;
  *) break ;;
  esac
done
[ $# -ge 2 ] || fail "usage: root.sh [--mirror URL] [--expired] RELEASE DIRECTORY [COMMAND...]"
release=$1
[ "$(id -u)" -eq 0 ] || fail "only root can make and enter another system"
mkdir -p "$2" && root=$(cd "$2" && pwd)
shift 2
[ $# -gt 0 ] || set -- sh scripts/test.sh

make_system() {
  command -v debootstrap >/dev/null || fail "no debootstrap (Debian: apt-get install debootstrap)"
  [ -n "$mirror" ] || mirror=$(apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' |
    sed -n 's/^Debian Debian //p' | sed q)
  [ -n "$mirror" ] || fail "this system has no packages of Debian: say --mirror URL"
  debootstrap --variant=minbase "$release" "$root" "$mirror"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # packages start no services there
  chmod +x "$root/usr/sbin/policy-rc.d"
  [ -z "$expired" ] || echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/expired"
  echo "127.0.1.1 $(hostname)" >>"$root/etc/hosts" # MPICH's mpiexec looks itself up
  mkdir -p "$root/tutti" "$root/build"
}
[ -d "$root/build" ] || make_system

export root source
exec unshare --mount --pid --fork --kill-child sh -euc '
  mount --bind "$source" "$root/tutti"
  mount -o remount,bind,ro "$root/tutti"
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/dev/shm"
  trap "exit 130" INT TERM
  exec 3<&0
  chroot "$root" env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    TERM="${TERM:-dumb}" ${http_proxy:+"http_proxy=$http_proxy"} ${https_proxy:+"https_proxy=$https_proxy"} \
    TUTTI_BUILD=/build sh -c "cd /tutti && sh scripts/setup.sh && exec \"\$@\"" root.sh "$@" <&3 &
  wait $!' root.sh "$@"
