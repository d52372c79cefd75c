#!/bin/sh
# Algorithms outside Tutti: `tutti new algorithm` writes a plug-in of each collective that compiles and is proven; it is
# measured and checked as an algorithm of the catalogue; one that was built against another interface, is faulty, or is
# named by an experiment is refused.
#
# usage: plugin.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need make make
CPPFLAGS=-I$source/include CFLAGS="-O1 -Wall -Wextra -Werror"
export CPPFLAGS CFLAGS

compile() { # NAME [FLAGS]: NAME.c is NAME.so
  name_of=$1
  shift
  # shellcheck disable=SC2086 # words
  cc $CFLAGS "$@" $CPPFLAGS -fPIC -shared -o "$name_of.so" "$name_of.c" >log 2>&1 || die "$name_of.c: $(cat log)"
}

# ---- of every collective ----

for collective in bcast barrier scatter scatterv gather gatherv allgather allgatherv alltoall alltoallv alltoallw \
  reduce reduce_scatter_block reduce_scatter allreduce scan exscan; do
  run 0 new algorithm mine --collective $collective -o $collective
  make -C $collective check TUTTI="$tutti" RANKS="1 2 7" >log 2>&1 || die "$collective is not proven: $(tail -n 5 log)"
  make -C $collective baseline gate TUTTI="$tutti" GATE='--tolerance 0' >log.gate 2>&1 || die "$collective: $(cat log.gate)"
  grep -q '^mine.baseline: 3 points, all equal to the baseline$' log.gate || die "$collective: $(cat log.gate)"
  [ "$(grep -c "^$collective/mine on [127] rank.*: verified$" log)" -ge 6 ] || die "$collective: $(cat log)"
done
rm exscan/mine.baseline # the command that is named begins it
make -C exscan gate TUTTI="$tutti" >out 2>err && die "compared with a baseline that is not there: $(cat out)"
expect '^tutti: mine.baseline: is not there: restore it from version control, or begin it with: tutti --plugin .*/mine.so check '
(cd exscan && sed -n 's/^tutti: .*begin it with: tutti/"$tutti"/; s/EXPERIMENT/mine/; s/^"/&/p' ../err >../command && . ../command) >out 2>log ||
  die "the command that is named: $(cat command out log)"
[ -s exscan/mine.baseline ] || die "no baseline: $(cat out)"
run 0 new algorithm mine --collective bcast
run 2 new algorithm mine --collective bcast
expect 'mine/mine.c: is there already'
run 2 new algorithm binomial --collective bcast
expect 'there is an algorithm bcast/binomial already'
run 2 new algorithm My/Own --collective bcast
expect "'My/Own': the name of an algorithm is of at most 40 small letters"
run 2 new algorithm other
expect 'of which collective'
run 2 new algorithm bcst/other
expect "bcst"
run 2 new algorithm bcast/other --collective reduce
expect "'bcast/other' or --collective reduce"
run 0 new algorithm bcast/named
grep -q 'name = "named"' named/named.c || die "COLLECTIVE/NAME: $(ls named)"

# The order of the operands is part of the proof, and so is the temporary that two operands are received into.
cp allreduce/mine.c order.c
sed -i 's/from == call->rank ? own : arriving, result)/result, from == call->rank ? own : arriving)/' order.c
sed 's/tutti_add_after(builder, ready, done);//' allreduce/mine.c >race.c
for fault in order race; do
  cmp -s allreduce/mine.c $fault.c && die "no fault was planted: $fault"
  compile $fault
  run 1 --plugin $fault.so schedule allreduce/mine -P 5 -n 3 --show 1
  expect '^tutti: allreduce/mine, 5 ranks, 3 elements: rank [0-9]'
  expect '^rank 1: [0-9]+ vertices'
done
expect 'touch the same element and neither waits for the other: receive from [0-9]+: output'
sed 's/^}$/  tutti_add_send(builder, call->size, tutti_no_data());\n}/' allreduce/mine.c >peer.c
compile peer
run 2 --plugin peer.so schedule allreduce/mine -P 5 -n 3 --show 1
expect '^tutti: allreduce/mine, 5 ranks, 3 elements: rank 0 of 5: vertex [0-9]+ has peer 5$'
expect '^rank 1: [0-9]+ vertices'
sed 's/int from = last - 1; from >= 0; from--/int from = 0; from < last; from++/' allreduce/mine.c >order.c
compile order
run 1 --plugin order.so schedule allreduce/mine -P 5 -n 3
expect 'rank [0-9]'

# Trees that depend on the rank, or on the length of the message beyond a thousand elements.
for first in call-\>rank 'call->count > 1000' 'call->nodes && call->count > 100 ? call->nodes[call->size - 1] : 0'; do
  cat >tree.c <<C
#include <tutti/plugin.h>
static void build(tutti_builder *builder, const tutti_call *call)
{
  const tutti_block own = tutti_block_of(TUTTI_INPUT, 0, call->count), result = tutti_block_of(TUTTI_OUTPUT, 0, call->count),
                    arriving = tutti_block_of(tutti_builder_temporary(builder, own.count), 0, own.count);
  for (int peer = 0; peer < call->size; peer++)
    if (peer != call->rank)
      tutti_add_send(builder, peer, own);
  const int first = (int)($first) % call->size;
  tutti_vertex_id done = call->rank == first ? tutti_add_copy(builder, own, result) : tutti_add_recv(builder, first, result);
  for (int i = 1; i < call->size; i++) {
    const int from = (first + i) % call->size;
    tutti_vertex_id ready = done;
    if (from != call->rank)
      tutti_add_after(builder, ready = tutti_add_recv(builder, from, arriving), done);
    done = tutti_add_reduce(builder, from == call->rank ? own : arriving, result);
    tutti_add_after(builder, done, ready);
  }
}
static const tutti_algorithm algorithms[] = {{.collective = TUTTI_COLL_ALLREDUCE, .name = "turned", .build = build,
  .domain = TUTTI_NEEDS_COMMUTATIVE, .substitute = "recursive-doubling", .source = "a test"}};
TUTTI_PLUGIN("tree", algorithms);
C
  compile tree
  "$tutti" --plugin ./tree.so algorithms allreduce --reproducible -P 5 >list 2>&1
  sed -n '/^allreduce\/turned /{s/  */ /gp;n;p;}' list
  "$tutti" --plugin ./tree.so schedule allreduce/turned -P 5 -n 3 2>&1
done >out
: >err
expect '^allreduce/turned no yes yes yes '
expect '^allreduce/turned yes yes yes no '
expect '^allreduce/turned yes yes no yes '
expect '^ +size: 5 ranks: element 0 of 10000 of rank 0, root 0, is combined in another order than element 0 of a shorter message$'
expect 'rank 1 combines element 0 in another order than rank 0, .*says .rounds_apart = true'
[ "$(grep -c 'verified$' out)" -eq 2 ] || die "not two are right: $(cat out)"

# ---- the pages ----

pages() { # PAGE.md: its commands, with this tutti; what it promises is printed
  block "$1" sh | sed "s|^tutti |$tutti |; s|^make .*|& TUTTI=$tutti RANKS=3|" >commands
  sh -eu commands >out 2>err || die "the commands of $1: $(cat out err)"
}
mkdir page && cd page || exit 1
block how-to/reductions.md 'c chain.c' >chain.c
pages how-to/reductions.md
block how-to/reductions.md text >text
grep -vxF -f out text >missing && die "the page promises '$(cat missing)', but: $(cat out)"
for ranks in 1 2 3 5 8; do
  for root in 0 1 2; do
    [ $root -ge $ranks ] || run 0 --plugin ./chain.so schedule reduce/chain-to-0 -P $ranks --root $root -n 10
  done
done
sed -i 's/reduce(builder, own, sum)/reduce(builder, sum, own)/' chain.c
compile chain
run 1 --plugin ./chain.so schedule reduce/chain-to-0 -P 8
grep -qxF "$(block how-to/reductions.md 'text fault')" err || grep -qxF "$(block how-to/reductions.md 'text fault')" out ||
  die "not what the page says: $(cat out err)"
pages how-to/plug-in.md
expect '^allreduce/mine on 8 ranks.*: verified$'
cd ..

# ---- as one of the catalogue ----

cd mine || exit 1
make TUTTI="$tutti" >log 2>&1 || die "make: $(cat log)"
run 0 algorithms bcast --plugin mine.so
expect '^bcast/mine$'
run 2 schedule bcast/mine
expect "unknown bcast algorithm 'mine'.* --plugin FILE.so"
TUTTI_PLUGINS=$PWD/mine.so
export TUTTI_PLUGINS
run 0 schedule bcast/mine
unset TUTTI_PLUGINS
run 0 predict bcast --plugin=mine.so -P 8 -s 1KB --platform grig_mx --by schedule
expect '^ *bcast/mine '
make check TUTTI="$tutti" RANKS=4 >log 2>&1 || die "check: $(cat log)"
make bench TUTTI="$tutti" >out 2>&1 || die "bench: $(cat out)"
expect ' points measured'
run 0 --plugin mine.so map bcast --platform fast_ethernet --scheme window --db mine.db
run 2 map bcast --platform fast_ethernet --scheme window --db mine.db
expect '^tutti: mine.db: bcast/mine was measured with a plug-in \(code [0-9a-f]{8}\): add --plugin FILE.so$'

# The report says which plug-in it was: its file, and the code that the rows have.
run 0 --plugin mine.so report --db mine.db -o page.html
code=$(sqlite3 mine.db "SELECT DISTINCT code FROM measurement WHERE code <> 'none'")
sed 's/<[^>]*>/ /g; s/  */ /g' page.html | grep "^ bcast/mine $PWD/mine.so $code *$" >/dev/null ||
  die "the report does not name mine.so with $code: $(grep -i 'plug-in' page.html)"
# Commands of the page can be pasted: they load it, too.
sed 's/<[^>]*>/ /g' page.html | grep -o 'tutti map bcast .*--plugin [^ ]*' | sed 's/^tutti/run 0/' >paste
[ -s paste ] || die "no command of the page has the plug-in: $(grep -o 'tutti map[^<]*' page.html)"
. ./paste
expect '^bcast on fast_ethernet'
run 0 bench bcast --platform fast_ethernet --engine fast -P 4 -s 8B --methods linear --db plain.db
run 0 --plugin mine.so report --db plain.db -o plain.html
grep -q 'Plug-ins' plain.html && die "plug-ins on a page without any"

# What is measured is the plug-in as it is: a changed one is measured anew, and times of the one before are left out.
run 0 --plugin mine.so bench mine.xml --db mine.db
expect ' 0 points measured'
sed 's/^static void build/static int other;\n__attribute__((constructor)) static void mark(void) { other = 1; }\n&/' mine.c >changed.c
compile changed
run 0 --plugin changed.so map bcast --platform fast_ethernet --scheme window --db mine.db
expect 'note: mine.db: [0-9]+ measurements of plug-ins as they were before they changed are left out: tutti bench'
grep -q 'bcast/mine' out && die "times of the plug-in before its change: $(cat out)"
run 0 --plugin changed.so bench mine.xml --db mine.db
sed -n 's/^.*: \([0-9]*\) points* measured.*/\1/p' out >again
[ "$(cat again)" -gt 0 ] || die "a changed plug-in was not measured anew: $(cat out)"
printf '%s\n' 'tutti-points v=1' 'bcast/mine count=8 code=0123456789abcdef' >other.points
TUTTI_PLUGINS=$PWD/mine.so "$build/fast/tutti-bench" --ranks 4 --platform "$source/platforms/fast_ethernet.xml" --points other.points >out 2>err && die "of another plug-in: $(cat out)"
grep -q 'code=0123456789abcdef: the plug-in that is loaded has code' err || die "not refused: $(cat err)"
[ "$(sqlite3 mine.db "SELECT count(DISTINCT code) FROM measurement WHERE code <> 'none'")" -eq 2 ] || die "no rows of both"
run 0 --plugin mine.so bench mine.xml --db mine.db
expect ' 0 points measured'
run 0 merge mine.db --db merged.db
run 0 --plugin mine.so bench mine.xml --db merged.db
expect ' 0 points measured'

# The platform is named once, in the experiment.
cp -r ../bcast elsewhere && cp "$source/platforms/fast_ethernet.xml" df.xml
sed -i 's|platform name="fast_ethernet"|platform file="../df.xml"|' elsewhere/mine.xml
make -C elsewhere bench TUTTI="$tutti" >out 2>&1 || die "bench on another platform: $(cat out)"
expect '^bcast on df, '

# The gate: a slow-down of the plug-in is found; without the plug-in nothing can be compared.
cat >gate.xml <<'END'
<experiment name="gate"><platform name="fast_ethernet"/><measure scheme="window"/>
  <sweep collective="bcast" root="0"><ranks>4 7</ranks><sizes>8B 1KB</sizes><method algorithm="mine"/></sweep></experiment>
END
run 0 --plugin mine.so check --update --baseline gate.baseline gate.xml -q
grep -q '^bcast/mine ranks=7 root=0 bytes=1KB time_s=' gate.baseline || die "no line of the plug-in: $(cat gate.baseline)"
run 0 --plugin mine.so check --strict --baseline gate.baseline -q
sed -i 's/    if (peer != call->root)/    if (peer != call->root \&\& tutti_add_send(builder, peer, tutti_no_data()) < 1000)/
  s/^      tutti_add_recv(builder, call->root, segment);/      tutti_add_recv(builder, call->root, tutti_no_data());\n&/' mine.c
sed -i 's/    if (call->rank != call->root)$/    if (call->rank != call->root) {/; s/^      tutti_add_recv(builder, call->root, segment);/&\n    }/' mine.c
compile mine
run 0 --plugin mine.so schedule bcast/mine -P 7
run 1 --plugin mine.so check --strict --baseline gate.baseline -q
expect '^  worse: bcast/mine, 4 of 4 points$'
expect ' messages  '
run 2 check --baseline gate.baseline -q
expect "gate.baseline:[0-9]+: unknown bcast algorithm 'mine'.*--plugin FILE.so"
cd ..

# One that is wrong, though its times are as they were, has none.
sed 's/from == call->rank ? own : arriving, result)/own, result)/' allreduce/mine.c >order.c
compile order
cp allreduce/mine.baseline order.baseline
run 0 --plugin allreduce/mine.so check --baseline order.baseline -q
run 2 --plugin ./order.so check --baseline order.baseline -q
expect '^tutti: allreduce/mine, [0-9]+ ranks, [0-9]+ elements: rank [0-9]+ ends with the wrong content.*: it holds .*, not element 0 of ranks 0 to'
# bench and whatif prove it, too, before they measure it.
mkdir proof && cd proof || exit 1
run 2 --plugin ../order.so bench allreduce --methods mine --platform fast_ethernet -P 5 -s 8,1KB --db order.db --engine fast
expect '^tutti: allreduce/mine, 5 ranks, 8 elements: rank [0-9]+ ends with the wrong content in element 0 of its output: it holds'
[ "$(ls)" = "$(printf 'err\nout')" ] || die "a store of nothing is left: $(ls)"
run 0 bench allreduce --methods ring --platform fast_ethernet -P 5 -s 8 --db kept.db --engine fast
run 2 --plugin ../order.so bench allreduce --methods mine --platform fast_ethernet -P 5 -s 8,1KB --db kept.db --engine fast
[ "$(sqlite3 kept.db 'SELECT count(*) FROM measurement')" -eq 1 ] || die "a wrong algorithm was measured, or the store lost one"
run 2 --plugin ../order.so whatif fast_ethernet ../allreduce/mine.xml --set 'bandwidth=*2' -P 5 --db order.db
expect '^tutti: allreduce/mine, 5 ranks, [0-9]+ elements: rank '
run 0 --plugin ../order.so bench allreduce --methods mine --platform fast_ethernet -P 5 -s 8 --db order.db --engine fast --no-verify
expect '1 point measured'
cd ..

# One that crashes is named, and its rank.
for crash in '*(volatile int *)0 = 1:segmentation fault' '__builtin_trap():' 'abort():aborted'; do
  sed "s/^{\$/{ if (call->rank == 2) { ${crash%%:*}; }/; s/^#include <tutti/#include <stdlib.h>\n&/" allreduce/mine.c >crash.c
  CFLAGS=-O1 compile crash
  run 2 --plugin ./crash.so schedule allreduce/mine -P 5
  expect "^tutti: allreduce/mine, 5 ranks, 1024 elements: build\(\) crashed \(${crash#*:}.*\) for rank 2 of 5 ranks\$"
done

# One that takes segments is proven with segments, too: here the second one is sent twice.
cp bcast/mine.c segments.c
grep -q 'parameters = TUTTI_TAKES_SEGMENT,' segments.c || die "the template shows no segments: $(cat segments.c)"
compile segments
run 0 --plugin ./segments.so schedule bcast/mine -P 5 -n 10
mkdir cut
sed 's/^        tutti_add_send.*/{\n&\nif (call->parameters.segment_bytes \&\& call->parameters.segment_bytes < call->count)\n&\n}/' segments.c >cut/mine.c
cmp -s segments.c cut/mine.c && die "nothing is planted in cut/mine.c"
cp bcast/Makefile bcast/mine.xml cut
make -C cut check TUTTI="$tutti" RANKS="1 2 7" >out 2>err && die "a fault of segments is proven: $(cat out)"
expect '^tutti: bcast/mine/143B, 2 ranks, root 0, 1000 elements: '
run 2 --plugin cut/mine.so check --update --baseline cut.baseline mine/gate.xml -q
expect '^tutti: bcast/mine/[0-9A-Z]*B, [47] ranks, '

# One that waits for ever is not begun.
sed 's/    if (peer != call->root)/    if (peer != call->root \&\& peer != 2)/' bcast/mine.c >stuck.c
cmp -s bcast/mine.c stuck.c && die "nothing is planted in stuck.c"
compile stuck
for engine in smpi fast; do
  run 2 --plugin ./stuck.so check --update --baseline stuck.baseline --engine $engine mine/gate.xml -q
  expect '^tutti: bcast/mine, [47] ranks, .*: rank 2'
  ! grep -q Oops err || die "it was simulated: $(cat err)"
done
[ ! -e stuck.baseline ] || die "a baseline of what is wrong"

# Two plug-ins: in the order of the command line, whatever their addresses are.
sed 's/"mine"/"first"/' bcast/mine.c >first.c
compile first
for order in 'first.so bcast/mine.so' 'bcast/mine.so first.so'; do
  # shellcheck disable=SC2086 # words
  set -- $order
  run 0 --plugin "$1" --plugin "$2" predict bcast -P 8 -s 1KB --platform grig_mx --by schedule
  mv out one
  run 0 --plugin "$1" --plugin "$2" predict bcast -P 8 -s 1KB --platform grig_mx --by schedule
  cmp one out || die "the order of plug-ins changes from run to run"
done
run 2 --plugin bcast/mine.so --plugin mine/mine.so algorithms
expect 'mine/mine.so: bcast/mine: there is an algorithm of that name already'
run 0 --plugin bcast/mine.so --plugin bcast/mine.so algorithms bcast
[ "$(grep -c '^bcast/mine$' out)" -eq 1 ] || die "a plug-in is loaded twice"

# Measuring programs of other MPIs load it, too.
for flavor in mpich openmpi; do
  [ -e "$build/$flavor/tutti-bench" ] || continue
  command -v mpiexec.$flavor >/dev/null || continue
  [ $flavor = openmpi ] && more=--oversubscribe || more=
  # shellcheck disable=SC2086
  TUTTI_PLUGINS=$PWD/bcast/mine.so mpiexec.$flavor $more -n 3 "$build/$flavor/tutti-bench" --method bcast/mine --size 1KB \
    --repetitions 3 >out 2>err || die "$flavor: $(cat out err)"
  expect 'method=bcast/mine '
done

# ---- refused ----

refused() { # PLUGIN WORDS
  run 2 --plugin "$1" algorithms bcast
  expect "$2"
}
mkdir newer && cp -r "$source/include/tutti" newer
sed -i 's/\(define TUTTI_PLUGIN_INTERFACE\) .*/\1 99/' newer/tutti/plugin.h
cp bcast/mine.c newer.c
CPPFLAGS=-Inewer compile newer
refused newer.so '^tutti: newer.so: was built against version 99 of the interface of plug-ins, Tutti .* has version [0-9]+: build it again'
cp "$source/include/tutti/plugin.h" newer/tutti
sed -i 's/^  int openmpi_id; /  int openmpi_id, more[8];/' newer/tutti/algorithm.h
CPPFLAGS=-Inewer compile newer
refused newer.so 'was built against headers of another Tutti'
echo 'int x;' >x.c
compile x
refused x.so 'x.so: is no plug-in of Tutti'
echo 'void tutti_add_nothing(void); void f(void); void f(void) { tutti_add_nothing(); }' >x.c
compile x
refused x.so 'x.so: cannot be loaded: .*tutti_add_nothing.*another version'
refused x.c 'x.c: cannot be loaded'
refused none.so 'none.so: there is no such plug-in'
described() { # DESCRIPTOR WORDS: an algorithm with this member
  sed "s/.name = \"mine\"/$1/" bcast/mine.c >x.c
  compile x
  refused x.so "$2"
}
described '.name = "binomial"' 'bcast/binomial: there is an algorithm of that name already'
described '.name = "a b"' 'algorithm 0 needs a collective, and a name'
described '.name = "native"' 'algorithm 0 needs a collective, and a name'
described '.name = "x", .openmpi_id = 1' 'bcast/x: names in MPI libraries'
described '.name = "x", .default_k = 2' 'bcast/x: default_k'
described '.name = "x", .domain = TUTTI_NEEDS_EVEN' 'bcast/x: it has a domain'
described '.name = "x", .domain = TUTTI_NEEDS_EVEN, .substitute = "two-level"' 'bcast/x: it has a domain'
described '.name = "x", .parts = {{"inner", TUTTI_COLL_BCAST, "none"}}, .substitute = "linear"' 'bcast/x: a part'
run 2 algorithms --plugin
expect '--plugin: which FILE.so'

# ---- segments, as the page has them ----

block how-to/plug-in.md 'c line.c' >line.c
block how-to/plug-in.md 'sh segments' >commands
mkdir bin && ln -s "$tutti" bin/tutti
compile line
for size in 1KB 3 1MB none; do
  "$tutti" --plugin ./line.so schedule bcast/line/$size -P 4 -n 10000 >out 2>err || die "line/$size: $(cat err)"
  expect 'verified'
done
PATH=$place/bin:$PATH sh -eu commands >out 2>err || die "the commands of the page: $(cat out err)"
expect '^messages +30 \(at most 10 sent by one rank\)'
tr '\n' ' ' <out | grep -q 'bcast/line, at each point the fastest of its 3 forms, among' || die "not all forms: $(cat out)"
rm -rf results.db bin

# ---- an experiment names no program ----

echo 'static int loaded; __attribute__((constructor)) void mark(void); void mark(void) { loaded++; }' >mark.c
sed -i 's/^static int/#include <stdio.h>\nstatic int/; s/loaded++;/loaded++; fclose(fopen("marked", "w"));/' mark.c
compile mark
for step in "--plugin $PWD/mark.so rank-maps" "rank-maps --plugin=$PWD/mark.so" "predict bcast --plugin $PWD/mark.so"; do
  printf '<experiment name="steps"><platform name="fast_ethernet"/><step>%s</step></experiment>\n' "$step" >steps.xml
  run 2 bench steps.xml --db steps.db -q
  expect 'not allowed in a step of an experiment'
  [ ! -e marked ] || die "an experiment loaded a plug-in: $step"
done
run 2 bench steps.xml --db steps.db -q --trust
[ -e marked ] || die "with --trust a plug-in is not loaded"
echo "17 collectives proven; a slow-down of a plug-in found"
