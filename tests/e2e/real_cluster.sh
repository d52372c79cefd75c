#!/bin/sh
# docs/tutorial/real-cluster.md with Open MPI on two ranks of this host: what it measures differs from machine to machine, and
# what follows from it does not: files that are learnt load, a file that is bad without doubt is found and mended, and a file
# that must fail does.
#
# usage: real_cluster.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
[ -x "$build/openmpi/tutti-bench" ] || { echo "skipped: Open MPI is not built"; exit 77; }
page=tutorial/real-cluster.md
mkdir bin
ln -s "$tutti" bin/tutti # as where it is installed
ln -s "$build" build
PATH=$place/bin:$PATH
OMPI_MCA_mpi_yield_when_idle=1 # on a busy machine ranks that wait give way
export PATH OMPI_MCA_mpi_yield_when_idle
format=$(format_of openmpi)

follow() { # STATUS INFO: a block of the page ends with it
  expected=$1
  block $page "$2" | sed "s/openmpi-4\.1/$format/" >commands
  sh -eu commands >out 2>err
  code=$?
  [ $code -eq "$expected" ] || return 1
}

# The way from measurements to a file that is judged, whether it wins here or there is nothing to win.
follow 0 sh || die "status $code of $(cat commands): $(tail -n 30 out err)"
expect '^Tutti can measure\.$'
expect '^  allreduce/native +[0-9.]+ '
expect "^allreduce\.rules for $format: 0 errors, 0 warnings"
expect '^export OMPI_MCA_coll_tuned_dynamic_rules_filename='
grep -q 'nothing to install' out || expect '^(won|unclear): '

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
