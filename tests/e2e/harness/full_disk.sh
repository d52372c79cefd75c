#!/bin/sh
# The disk becomes full at several stages: under the store, under the work directory, under output files. Each time the
# command prints one sentence and ends with status 2, and the store is sound. With free space the same command measures the
# rest, with exactly the table of an undisturbed run.
#
# usage: full_disk.sh BUILD_DIR SOURCE_DIR
set -u
if [ -z "${FULL_DISK_NAMESPACE:-}" ]; then # a file system of our own, in a name space of mounts of our own
  own="unshare -m"
  [ "$(id -u)" -eq 0 ] || own="unshare -rm"
  $own sh -c 'mount -t tmpfs none /mnt' 2> /dev/null || own="unshare -rm"
  $own sh -c 'mount -t tmpfs none /mnt' 2> /dev/null || { echo "skipped: no file system may be mounted here"; exit 77; }
  FULL_DISK_NAMESPACE=1 exec $own sh "$0" "$@"
fi
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/tables.sh"
need smpirun simgrid
need sqlite3 sqlite3
[ -r "$build/smpi/tutti-bench" ] || { echo "skipped: no tutti-bench for smpi"; exit 77; }

write_machine machine.xml
cat > disk.xml <<'XML'
<experiment name="disk">
  <platform file="machine.xml"/>
  <sweep collective="bcast" root="0">
    <ranks>4 9 12</ranks>
    <sizes>1..64KB*2</sizes>
    <method algorithm="linear" segments="none 1KB"/>
    <method algorithm="binomial" segments="none 1KB 8KB"/>
    <method name="bcast/split-binary/1KB"/>
  </sweep>
</experiment>
XML
mkdir disk
trap 'umount disk; rm -rf "$place"' EXIT

new_disk() { # KILOBYTES
  mountpoint -q disk && umount disk
  mount -t tmpfs -o size="$1"k none disk || die "cannot mount $1 KB"
}

fill_disk() { # but for so many kilobytes
  free=$(df -k --output=avail disk | tail -n 1)
  [ "$free" -le "$1" ] || dd if=/dev/zero of=disk/filling bs=1024 count=$((free - $1)) 2> /dev/null
}

bench() { # DATABASE
  "$tutti" bench disk.xml --db "$1" -j 2 --chunk 30 -q > out 2> err
  code=$?
}

one_sentence() { # FOR-WHAT
  [ $code -eq 2 ] || die "$1: status $code: $(cat out err)"
  [ "$(wc -l < err)" -eq 1 ] || die "$1: not one sentence: $(cat err)"
  grep -Eqi "no space|full" err || die "$1: does not say that the disk is full: $(cat err)"
  grep -Eq "disk/|output" err || die "$1: does not name the file: $(cat err)"
}

look() { # the store as it lies on the full disk
  rm -rf look && mkdir look
  [ ! -e disk/store.db ] || cp disk/store.db* look/ 2> cp.err || grep -q directory cp.err || die "$(cat cp.err)"
  check_store look/store.db
}

bench reference.db
[ $code -eq 0 ] || die "reference: $(cat err)"
table reference.db > reference.txt
full=$(($(wc -c < reference.db) / 1024))

# --- the store and its work directory on a disk with too little room ---
failed=0
for room in 0 4 8 12 16 24 32 40 56 72 96 128 160 192 256; do
  new_disk 4096
  fill_disk $room
  bench disk/store.db
  if [ $code -ne 0 ]; then
    failed=$((failed + 1))
    one_sentence "$room KB"
    said=$(cat err)
  fi
  survivors disk/store.db
  look # sqlite3 itself wants room on the disk of a store
  before=$(rows look/store.db)
  rm -f disk/filling
  bench disk/store.db
  [ $code -eq 0 ] || die "$room KB: with room again: $(cat err)"
  check_store disk/store.db
  table disk/store.db > resumed.txt
  cmp -s reference.txt resumed.txt || die "$room KB: the table differs"
  [ ! -e disk/store.db.work ] || die "$room KB: left behind: $(ls disk/store.db.work)"
  echo "$room KB: $before points stored: ${said:-enough}"
  said=
done
[ $failed -ge 4 ] || die "only $failed of the disks were too small"

# --- what else is written: nothing half written is left, and what was there stays ---
refused() { # FILE SUBCOMMAND...: which writes the file
  file=$1
  shift
  new_disk 256
  echo "before" > "$file"
  fill_disk 0
  "$tutti" "$@" > out 2> err
  code=$?
  one_sentence "$1"
  [ "$(cat "$file")" = before ] || die "$1: what was in $file is lost: $(head -c 200 "$file")"
  [ "$(ls disk | wc -l)" -le 2 ] || die "$1: left behind: $(ls disk)"
}

rules="bcast/binomial"
echo "$rules" > rules.txt
refused disk/rules.c export rules.txt --format c -o disk/rules.c
refused disk/map.svg map bcast --db reference.db --platform ./machine.xml --plot disk/map.svg
refused disk/tree learn quadtree bcast --db reference.db --platform ./machine.xml -o disk/tree
"$tutti" map bcast --db reference.db --platform ./machine.xml > /dev/full 2> err
code=$?
one_sentence "map > /dev/full"
echo ok
