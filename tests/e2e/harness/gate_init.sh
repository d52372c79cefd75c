#!/bin/sh
# tutti check --init in repositories with an algorithm and a program, and with neither: what it writes is what it says, nothing
# is replaced, `tutti check` is the gate of the workflow, and a regression that is planted in either is found.
#
# usage: gate_init.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need smpicc libsimgrid-dev
need git git
mkdir bin
ln -s "$tutti" bin/tutti
PATH=$place/bin:$PATH
export PATH

# Neither: the catalogue is watched. Outside of a repository nothing is written.
mkdir none && cd none || exit 1
run 2 check --init
expect 'this is not the top of a git repository'
git init -q .
run 2 check
expect 'tutti check --init'
run 0 check --init --quiet --ranks 4
expect '^  git add tutti.gate tutti.baseline .github/workflows/tutti.yml$'
expect '^Tutti for bcast, reduce, allreduce, allgather, alltoall on fast_ethernet'
grep -q '^allreduce/ring ranks=4 bytes=64KB time_s=' tutti.baseline || die "not watched: $(cat tutti.baseline)"
run 0 check --quiet
expect '^tutti.baseline: [1-9][0-9]+ points, all equal to the baseline$'
cp tutti.baseline before
run 2 check --init
expect 'tutti.gate is there already: --force replaces it'
cmp -s tutti.baseline before || die "the baseline was replaced"
run 0 check --init --quiet --force --gitlab --platform grig_mx
expect 'git add .* .gitlab-ci.yml$'
grep -qx 'points grig_mx' tutti.baseline || die "not the platform: $(cat tutti.baseline)"
cp tutti.baseline before
run 2 check --init --force --platform ./no.xml
expect 'no.xml: No such file'
cmp -s tutti.baseline before && [ ! -e .tutti.baseline.new ] || die "a failure leaves files"
cp "$source/platforms/grig_mx.xml" own.xml
run 0 check --init --force --platform ./own.xml --ranks 4
expect 'git add .* ./own.xml$'
run 0 check --quiet
sed -i 's/lat="[^"]*"/lat="1ms"/g' own.xml
run 1 check --quiet
cd ..

# Both, as docs/how-to/gate.md has them, with a program that prints no time and one that does not compile, in a folder too.
mkdir both && cd both || exit 1
git init -q .
run 0 new algorithm mine --collective allreduce -o perf
mkdir src build && block how-to/gate.md 'c halo.c' >src/halo.c && rm block
printf '#include <mpi.h>\nint main(int c, char **v)\n{\n  MPI_Init(&c, &v);\n  MPI_Finalize();\n  return 0;\n}\n' >silent.c
sed 's/MPI_Init/no_such_function/' silent.c >broken.c
cp silent.c "my prog.c"
cp silent.c build/made.c
touch .gitlab-ci.yml
printf '%s\n' out err named written kept.c tutti.xml >.git/info/exclude
git add . && git -c user.name=a -c user.email=a@b commit -qm begun || die "git"
run 0 check --init --quiet
expect '^  program broken.c: left out: smpicc does not compile it: .*no_such_function'
expect '^  program my prog.c: left out: a path has letters'
expect '^  program silent.c: left out: silent on 4 ranks: prints no line with a time'
expect '^  program src/halo.c: taken$'
expect '^  plugin  perf/mine.c: taken$'
expect '^  include: /.gitlab/tutti.yml$'
! grep -q made out || die "a folder of a build is searched"
sed -n 's/^  git add //p' out | sed q | tr ' ' '\n' | sort >named
git status --porcelain -uall | sed 's/^?? //' | sort >written
cmp -s named written || die "written: $(cat written), named: $(cat named)"
block how-to/gate.md yaml >page.yml
cmp -s page.yml .github/workflows/tutti.yml || die "the page has another workflow: $(diff page.yml .github/workflows/tutti.yml)"
block how-to/gate.md 'yaml gitlab' >page.yml
cmp -s page.yml .gitlab/tutti.yml || die "the page has another job: $(diff page.yml .gitlab/tutti.yml)"
rm page.yml block

# The step of the workflow, which is also that of GitLab.
step=$(sed -n 's/^ *run: \(tutti check .*\)/\1/p' .github/workflows/tutti.yml)
CI=true GITHUB_STEP_SUMMARY=$place/summary GITHUB_WORKSPACE=$place/both
export CI GITHUB_STEP_SUMMARY GITHUB_WORKSPACE
sh -c "$step" >out 2>err || die "$step: $(cat out err)"
expect '^tutti.baseline: 8 points, all equal to the baseline$'

# A regression of the algorithm, of the program, a source that does not compile, and a gate that names what it may not.
cp perf/mine.c kept.c
sed -i 's/^      tutti_add_send(builder, peer, own);/      for (int i = 0; i < (call->rank == 0 ? 2 : 1); i++)\n  &/
  s/^  combine(builder, call, own, .*/&\n  if (call->rank > 0)\n    tutti_add_recv(builder, 0, tutti_block_of(tutti_builder_temporary(builder, call->count), 0, call->count));/' perf/mine.c
sh -c "$step" >out 2>err
[ $? -eq 1 ] || die "the algorithm that sends twice is not found: $(cat out err)"
expect '^::error file=tutti.baseline,line=[0-9]+,title=worse than the baseline::allreduce/mine: 6 of 6 points'
run 0 check --update --quiet
run 0 check --quiet
cp kept.c perf/mine.c
run 0 check --update --quiet
sed -i 's/  MPI_Barrier(MPI_COMM_WORLD);/&\n  MPI_Barrier(MPI_COMM_WORLD);/' src/halo.c
sh -c "$step" >out 2>err
[ $? -eq 1 ] || die "the program with another barrier is not found: $(cat out err)"
expect '^::error file=tutti.baseline.*halo'
echo '#error' >>perf/mine.c
rm -f tutti.xml
sh -c "$step" >out 2>err
[ $? -eq 2 ] || die "a source that does not compile: $(cat out err)"
expect 'tutti.gate: mine: cc does not compile it: perf/mine.c:[0-9]*:'
expect '^::error .*title=nothing was compared::tutti.gate: mine'
grep -q '<error' tutti.xml || die "no JUnit"
for line in 'plugin mine ../mine.c' 'program -o halo.c' 'program halo -lm' 'run sh x' 'plugin mine' 'program x /etc/x.c' \
  'program x $(id).c'; do
  printf 'tutti-gate 1\n%s\n' "$line" >tutti.gate
  run 2 check
  expect '^tutti: tutti.gate:2: '
done
[ -z "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'tutti-gate.*' -newer kept.c -user "$(id -un)" | sed q)" ] || die "a folder stays"
echo "repositories of three kinds have a gate"
