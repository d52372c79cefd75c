#!/bin/sh
# docs/tutorial/real-cluster.md with Open MPI and MPICH on two ranks of this host: what it measures differs from machine to
# machine, and what follows from it does not: files that are learnt load, a file that is bad without doubt is found and mended,
# and a file that must fail does.
#
# usage: real_cluster.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
is_built() { # FLAVOR
  [ -x "$build/$1/tutti-bench" ]
}
is_built openmpi || is_built mpich || { echo "skipped: neither Open MPI nor MPICH is built"; exit 77; }
page=tutorial/real-cluster.md
mkdir bin
ln -s "$tutti" bin/tutti # as where it is installed
ln -s "$build" build
PATH=$place/bin:$PATH
OMPI_MCA_mpi_yield_when_idle=1 # on a busy machine ranks that wait give way
export PATH OMPI_MCA_mpi_yield_when_idle

follow() { # STATUS INFO: a block of the page, which is for $flavor, ends with it
  expected=$1
  block $page "$2" | sed "$changes; s/ --budget 30s$/ --budget 10s/" >commands # enough for the way, not for good rules
  sh -eu commands >out 2>err
  code=$?
  [ $code -eq "$expected" ] || return 1
}

# The way to a file that is proven to win here, or to the library left alone.
judge() { # FLAVOR CHANGES FILE VARIABLE: what the page says to change in the commands for it
  flavor=$1 changes=$2
  follow 0 sh || die "status $code of $(cat commands): $(tail -n 30 out err)"
  expect '^Tutti can measure\.$'
  expect '^  allreduce/native +[0-9.]+ '
  expect ' is faster with the file at [0-9]+ of |^Leave .* alone: '
  [ ! -e "$3" ] || expect "^export $4="
}

if is_built mpich; then
  judge mpich "s/openmpi/mpich/g; s/\.rules/.json/g" tutti-tune-mpich/tuned.json MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
  [ -e tutti-tune-mpich/tuned.json ] || cp tutti-tune-mpich/candidate.json tutti-tune-mpich/tuned.json # nothing won here
  follow 0 'sh mpich' || die "status $code: $(cat out err)"
  tr -d ' \n' <out | grep -q 'TUNING_JSON_FILE=.*tuned\.json' || die "doctor does not name the file: $(cat out)"
fi # what was measured stays in the store
is_built openmpi || exit 0
format=$(format_of openmpi)
judge openmpi "" tutti-tune-openmpi/tuned.rules OMPI_MCA_coll_tuned_dynamic_rules_filename

# The file that is there already.
block $page 'text site.rules' >site.rules
found() {
  rm -f results.db*
  follow 1 'sh site' && grep -Eq '^bcast +2 +1MB .* lost$' out
}
better() {
  rm -f results.db*
  follow 0 'sh better'
}
retry 5 "the bad file of the page is found" found || die "site.rules: status $code: $(cat out err)"
retry 5 "the mended file of the page loses nothing" better || die "better.rules: status $code: $(cat out err)"
expect "own choice"

follow 0 'sh install' || die "status $code: $(cat out err)"
tr -d ' \n' <out | grep -q 'filename=.*better\.rules' || die "doctor does not name the file: $(cat out)"
case $format in # from 5.0 on coll/han goes first
openmpi-4.1) follow 0 'sh proof' || die "a file is not read: $(cat out err)" ;;
esac
echo "from measurements to a file, and a bad file found and mended"
