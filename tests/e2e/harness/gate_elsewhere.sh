#!/bin/sh
# docs/how-to/gate.md: its commands make a gate in a repository that is not Tutti's, for an algorithm and for a program; a
# planted slow-down is found as the page says, and the gate of its workflow writes the page of the run.
#
# usage: gate_elsewhere.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need smpicc libsimgrid-dev
need make make
page=how-to/gate.md
mkdir bin
ln -s "$tutti" bin/tutti # as where it is installed
PATH=$place/bin:$PATH CPPFLAGS=-I$source/include
export PATH CPPFLAGS

block $page sh >commands
sh -eux commands >out 2>&1 || die "the commands of the page: $(cat out)"
expect '^mine.baseline: 3 points, all equal to the baseline$'
if command -v git >/dev/null; then # what is committed is what was written, and not what is made
  git init -q perf && git -C perf add . || die "git"
  [ "$(git -C perf ls-files | tr '\n' ' ')" = ".gitignore Makefile README.md mine.baseline mine.c mine.xml " ] ||
    die "to be committed: $(git -C perf ls-files)"
fi
! make -C perf check TUTTI=no-such-tutti >out 2>&1 || die "make without tutti: $(cat out)"
expect "there is no 'no-such-tutti': make TUTTI=/path/of/tutti, or put it into PATH"
block $page 'c halo.c' >halo.c
block $page 'sh program' >commands
sh -eux commands >out 2>&1 || die "the program of the page: $(cat out)"
expect '^halo.baseline: 2 points, all equal to the baseline$'

# What a workflow by hand runs, in the environment that that of the page sets, with a slow-down.
block $page yaml | sed -n '/^env:/,/^jobs:/{s/ *#.*//; s/\${{ vars\.[A-Z_]* }}/https:\/\/host.example\/release/; s/^  \([A-Z_]*\): \(.*\)/export \1="\2"/p;}' >env
[ "$(grep -c = env)" -eq 2 ] && grep -q '="https:' env || die "the environment of the workflow: $(cat env)"
. ./env
cat >steps <<'SH'
make -C perf check
make -C perf gate GATE="--format github --junit gate.xml"
SH
cat >program <<'SH'
smpicc -O2 -o halo halo.c
tutti check --strict --baseline halo.baseline --subject 'halo=./halo' --tolerance 0.1% --format github --junit halo.xml --quiet
SH
CI=true GITHUB_STEP_SUMMARY=$place/summary GITHUB_WORKSPACE=$place
export CI GITHUB_STEP_SUMMARY GITHUB_WORKSPACE
sh -eux steps >out 2>&1 || die "the steps of the workflow: $(cat out)"
expect '^mine.baseline: 3 points, all equal to the baseline$'
sh -eux program >out 2>&1 || die "the program of the workflow: $(cat out)"
expect '^halo.baseline: 2 points, all equal to the baseline$'
[ -s halo.xml ] || die "no JUnit of the program"
grep -q '^### tutti check$' summary || die "no summary: $(cat out)"
# Packages that are not those of the committed digests are not installed. Here both programs only say what they are given.
for package in tutti tutti-smpi libtutti-dev; do echo "$package" >${package}_${VERSION}_amd64.deb; done
sha256sum ./*.deb | sed 's| \./| |' >tutti.sha256
printf '#!/bin/sh\ntrue\n' >bin/curl
printf '#!/bin/sh\necho "$@" >>installed\n' >bin/apt-get
chmod +x bin/curl bin/apt-get
block $page yaml | sed -n '/- name: tutti$/,/name: gate/s/^          \([a-z].*\)/\1/p' >download
block $page 'yaml gitlab' | sed -n 's/^    - \(for\|sha256sum\|apt-get install\) /\1 /p' >download.gitlab
for file in download download.gitlab; do
  rm -f installed
  sh -eux $file >out 2>&1 && grep -q 'libtutti-dev_' installed || die "$file: $(cat out)"
  rm -f installed
  cp tutti_${VERSION}_amd64.deb kept
  echo more >>tutti_${VERSION}_amd64.deb
  sh -eux $file >out 2>&1 && die "$file: installs a package of another content"
  [ ! -e installed ] || die "$file: $(cat installed)"
  mv kept tutti_${VERSION}_amd64.deb
done
rm bin/curl bin/apt-get ./*.deb

sed -i 's/^      tutti_add_send(builder, peer, own);/      for (int i = 0; i < (call->rank == 0 ? 2 : 1); i++)\n  &/
  s/^  combine(builder, call, own, .*/&\n  if (call->rank > 0)\n    tutti_add_recv(builder, 0, tutti_block_of(tutti_builder_temporary(builder, call->count), 0, call->count));/' perf/mine.c
sh -eux steps >out 2>&1 && die "the slow-down is not found: $(cat out)"
block $page text >text
grep -vxF -f out text >missing && die "the page promises '$(cat missing)', but: $(cat out)"
expect '^::error file=perf/mine.baseline,line=[0-9]+,title=worse than the baseline::allreduce/mine: 3 of 3 points'
expect ' \[gate\] |\[Makefile:[0-9]+: gate\] Error 1'
grep -q '| allreduce/mine ranks=16 bytes=8B |$' summary || die "no table: $(cat summary)"
xmllint --noout perf/gate.xml 2>/dev/null || ! command -v xmllint >/dev/null || die "no JUnit file"
echo "an algorithm and a program of another repository are gated"
