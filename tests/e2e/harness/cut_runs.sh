#!/bin/sh
# What TUTTI_PROFILE and TUTTI_TRACE recorded of a program that ends before MPI_Finalize() is kept, and is not taken for
# that of a whole run.
#
# usage: cut_runs.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

launch() { # FLAVOR ARGUMENTS...: on 3 ranks
  flavor=$1
  shift
  case $flavor in openmpi) more=--oversubscribe ;; *) more= ;; esac
  timeout "$PATIENCE" mpiexec.$flavor $more -n 3 env LD_PRELOAD="$build/$flavor/libtutti_mpi.so" \
    TUTTI_PROFILE="${path-}app.profile" TUTTI_TRACE="${path-}app.trace" ./program "$@" >log 2>&1
}

"$tutti" bench allreduce --platform grig_mx -P 3 -s 4B --engine fast -q >out 2>err || die "$(cat err)"

some=
for flavor in mpich openmpi; do
  [ -e "$build/$flavor/libtutti_mpi.so" ] && command -v mpiexec.$flavor mpicc.$flavor >/dev/null || continue
  some=yes
  mpicc.$flavor -g -o program "$source/tests/interpose/cut.c" || die "cut.c does not compile"
  rm -f app.*

  # A whole run leaves two files; a run that is cut after it leaves these, and more.
  launch $flavor whole || die "a whole run: $(cat log)"
  [ "$(echo app.*)" = "app.profile app.trace" ] || die "a whole run leaves $(echo app.*)"
  cp app.profile whole.profile && cp app.trace whole.trace || die "cp"
  for how in abort exit segv abrt term kill; do
    rm -f app.profile.* app.trace.*
    launch $flavor $how
    cmp -s app.profile whole.profile && cmp -s app.trace whole.trace || die "$flavor, $how: the files before are changed"
    for rank in 0 1 2; do
      [ -f app.profile.$rank ] && [ -f app.trace.$rank ] || die "$flavor, $how: rank $rank left $(echo app.*)"
    done
    run 2 replay app.trace --platform grig_mx
    expect "^tutti: app.trace: cut: the program ended before MPI_Finalize; its ranks had made (from (39|40) calls .*|40 calls each): only the"
    run 0 advise app.profile --platform grig_mx --engine fast
    expect '^tutti: warning: app.profile: cut: the program ended before MPI_Finalize; its ranks had made (from (39|40) calls|40 calls each)'
    tr '\n' ' ' <out | grep -q 'collectives; how much of that is waiting for the last rank, which no method can save, is not known\.' ||
      die "$flavor, $how: waiting: $(cat out)"
    expect 'program\(cut\)'
    expect 'allreduce'
  done

  # Which rank ended the program is not known of several that came as far: all of them are named.
  rm -f app.trace
  for rank in 0 1 2; do # calls of the head: little-endian, after four words, four numbers, two of 8 bytes, and two more
    [ $rank = 1 ] && calls=047 || calls=050
    printf "\\$calls" | dd of=app.trace.$rank bs=1 seek=$((16 + 16 + 16 + 64 + 48 + 16 + 8 + 8 + 8)) conv=notrunc 2>dd || die dd
  done
  run 2 replay app.trace --platform grig_mx
  expect 'had made from 39 calls \(rank 1\) to 40 \(ranks 0, 2\): only'
  cp app.trace.0 app.trace.1 && printf '\001' | dd of=app.trace.1 bs=1 seek=$((16 + 16 + 16 + 64 + 48 + 4)) conv=notrunc 2>dd || die dd
  run 2 replay app.trace --platform grig_mx
  expect 'its ranks had made 40 calls each: only'

  run 0 import --format tutti app.profile --platform here --db cut.db
  expect '^tutti: warning: app.profile: cut: '
  rm -f cut.db

  # Without a run before; a rank whose file is gone; files of another run; no files.
  rm -f app.profile app.trace app.profile.2
  run 0 advise app.profile --platform grig_mx --engine fast
  expect ', of 1 ranks nothing was found$'
  cp app.trace.1 app.trace.2
  run 2 replay app.trace --platform grig_mx
  expect ', of 1 ranks nothing was found: only'
  rm -f app.*
  run 2 advise app.profile --platform grig_mx --engine fast
  expect '^tutti: app.profile: No such file'

  # More than fits into one part of the file; files that are no heads, are short, and links.
  launch $flavor kill 60000
  [ "$(wc -c <app.trace.0)" -gt 150000 ] || die "$flavor: a long trace has $(wc -c <app.trace.0) bytes"
  run 2 replay app.trace --platform grig_mx
  expect "60040 (calls each|\\(rank)"
  run 0 advise app.profile --platform grig_mx --engine fast
  : >app.trace.1
  head -c 100 app.trace.0 >app.trace.2
  run 2 replay app.trace --platform grig_mx
  expect ', of 2 ranks nothing was found: only'
  dd if=/dev/urandom of=app.profile.0 bs=64 seek=65 count=3 conv=notrunc 2>dd || die dd
  "$tutti" advise app.profile --platform grig_mx --engine fast >out 2>err
  [ $? -le 2 ] || die "advise of garbage: $(cat err)"
  rm -f app.*
  echo precious >elsewhere
  ln -s elsewhere app.trace.0 && ln -s elsewhere app.profile.1 || die "ln"
  path=$place/ launch $flavor whole 60000 || die "$flavor: with links: $(cat log)"
  [ "$(cat elsewhere)" = precious ] || die "a link was followed"
  [ "$(echo app.*)" = "app.profile app.trace" ] || die "a whole run leaves $(echo app.*)"
  run 0 replay app.trace --platform grig_mx
done
[ -n "$some" ] || { echo "skipped: no interposer for MPICH or Open MPI"; exit 77; }
