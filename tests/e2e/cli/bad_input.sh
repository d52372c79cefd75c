#!/bin/sh
# Bad input to every subcommand: exit status 2, one sentence that names the fault, no change of the store, no new file.
#
# usage: bad_input.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
grig=$source/platforms/grig_fast_ethernet.xml
TUTTI_EXPERIMENTS=$source/experiments # the build may be elsewhere
export TUTTI_EXPERIMENTS

# --- what is right: an experiment, and a store of its measurements made by the stand-in for smpirun ---

write_experiment() { # FILE PLATFORM COLLECTIVE RANKS SIZES METHOD
  cat >"$1" <<XML
<experiment name="bad">
  <platform name="$2"/>
  <sweep collective="$3" root="0">
    <ranks>$4</ranks>
    <sizes>$5</sizes>
    <method name="$6"/>
  </sweep>
</experiment>
XML
}

mkdir bin empty
ln -s "$source/tests/e2e/fake/smpirun" bin/smpirun
ln -s smpirun bin/mpiexec.mpich
version=$("$tutti" --version)
FAKE_TUTTI=${version#tutti }
export FAKE_TUTTI
printf '#!/bin/sh\n' >program && chmod +x program
write_experiment good.xml grig_fast_ethernet bcast '2 3' '8 1KB' bcast/linear
PATH="$place/bin:$PATH" "$tutti" bench good.xml --program ./program --db store.db >out 2>err || die "$(cat err)"

# --- what is wrong ---

echo 'neither XML nor a database, but long enough to be mistaken for one: 0123456789 0123456789 0123456789' >text
printf '<experiment name="x">\n  <platform' >malformed.xml
printf '<platform version="4.1">\n  <zone>\n' >platform.xml
printf 'bcast/linear\n\nbcast/magic bytes=0..8\n' >magic.rules
printf 'bcast/linear bytes=9..8\n' >empty.rules
write_experiment nowhere.xml nowhere bcast 2 8 bcast/linear
write_experiment bkast.xml grig_fast_ethernet bkast 2 8 bcast/linear
write_experiment crowded.xml grig_fast_ethernet bcast '2 65' 8 bcast/linear
write_experiment huge.xml grig_fast_ethernet bcast 2 99999999999999999999 bcast/linear
write_experiment larger.xml grig_fast_ethernet bcast 2 17179869184GB bcast/linear
write_experiment magic.xml grig_fast_ethernet bcast 2 8 bcast/magic
printf '<experiment name="real">\n  <platform kind="real" name="grig_mx" flavor="openmpi"/>\n' >simulated.xml
sed 1,2d good.xml >>simulated.xml
touch out err before after

state() { # everything that may not change: the files that there are, and their content
  ls -A
  cksum store.db text *.xml *.rules
}
state >before

# A sentence; below it, indented, a command to be pasted; and from the parser of options a hint how to get help, which may
# go over two lines.
one_sentence() {
  [ "$(sed -e '/^Try `/,$d' -e '2,$ { /^  tutti /d; }' err | wc -l)" -eq 1 ]
}

checked=0
programs=$PATH # where tutti finds other programs
refused() { # NAMED ARGUMENTS...: what the message must name
  named=$1
  shift
  PATH=$programs "$tutti" "$@" >out 2>err
  code=$?
  [ $code -eq 2 ] || die "tutti $*: status $code instead of 2: $(cat out err)"
  one_sentence || die "tutti $*: not one sentence: $(cat err)"
  grep -q '^tutti' err || die "tutti $*: does not say who speaks: $(cat err)"
  grep -qF -- "$named" err || die "tutti $*: does not name '$named': $(cat err)"
  state >after
  cmp -s before after || die "tutti $*: left something behind: $(diff before after)"
  checked=$((checked + 1))
}

# --- tutti, algorithms ---
refused "'nonsense'" nonsense
refused "did you mean 'bench'" bnech
refused "did you mean 'list'" platform lst
refused "did you mean 'allreduce'" algorithms alreduce
refused "did you mean 'binomial'" schedule bcast/binomal -P 4
refused "did you mean 'rabenseifner'" schedule allreduce/rab -P 4
refused "k=99999999999 is too large: at most 2147483647" schedule bcast/chain/k=99999999999 -P 4
refused "'-3' is not a number of ranks" schedule bcast/linear -P -3
refused "verify each (larger elements, such as -t 8, are fewer" schedule allgather/pat -P 64 -s 64KB
refused "did you mean 'grig_mx'" predict bcast -P 8 -s 8 --platform grig_mxx
refused "tutti bench: --of: unknown library 'openmi' (did you mean 'openmpi'?)" bench bcast -P 2 -s 8 --platform here --flavor openmpi --of openmi
refused "did you mean 'grig_fast_ethernet'" bench bcast -P 8 -s 8 --platform grig_fast_eth
refused "did you mean 'demo'" bench demoo
refused "did you mean 'optimal'" learn optmal bcast
refused "did you mean 'library:openmpi-4.1'" penalty library:openmp-4.1 --collective bcast --platform grig_mx
refused "did you mean 'openmpi'" export demo.tree --format opnmpi
refused "did you mean --platform" map bcast --platfrm grig_mx
refused "did you mean --size" predict bcast --siez=8 --platform grig_mx
refused "unknown collective 'bkast'" algorithms bkast
refused "'barrier'" algorithms bcast barrier

# --- bench ---
refused "which experiment" bench
refused "'good.xml'" bench bad.xml good.xml
refused "absent.xml: No such file" bench absent.xml --db store.db
refused "--segments: not with --methods" bench bcast -P 2 -s 8 --platform grig_mx --methods chain,linear --segments none,8KB --db store.db
refused "text:1: malformed XML" bench text --db store.db
refused "malformed.xml:2: malformed XML" bench malformed.xml --db store.db
refused "nowhere.xml:2: platform 'nowhere'" bench nowhere.xml --db store.db
refused "bkast.xml:3: unknown collective 'bkast'" bench bkast.xml --db store.db
refused "crowded.xml:4: 65 ranks" bench crowded.xml --db store.db
refused "huge.xml:5: <sizes>: '99999999999999999999'" bench huge.xml --db store.db
refused "larger.xml:5: <sizes>: '17179869184GB'" bench larger.xml --db store.db
refused "simulated.xml:2: platform grig_mx is a simulated one" bench simulated.xml --db store.db
refused "magic.xml:6: unknown bcast algorithm 'magic'" bench magic.xml --db store.db
refused "--jobs" bench good.xml --jobs 0
refused "tutti: bcast: the engine fast runs schedules" bench bcast --engine fast --methods bcast/native --platform grig_mx -P 4 -s 8
refused "tutti: scatter: 5000 ranks are more than the" bench scatter -P 5000 -s 8 --flavor mpich --platform here --program ./program --launcher bin/mpiexec.mpich
refused "text/store.db: Not a directory" bench good.xml --program ./program --db text/store.db
refused "text: cannot read it: it is not a database" bench good.xml --program ./program --db text
refused "no measuring program for flavor smpi: absent/tutti-bench" bench good.xml --program absent/tutti-bench
refused "absent/smpi/tutti-bench" bench good.xml --build-dir absent

# --- what was meant ---
refused "(did you mean bcast/binomial, " schedule binomial
refused "tutti predict: --size: '1KB..1MB' has 1047553 values: give the range a factor, 1KB..1MB*2" predict bcast --platform grig_mx -P 4 -s 1KB..1MB
refused "--ranks: '2,8..65536' has 65530 values: give the range a factor, FROM..TO*2" predict bcast --platform grig_mx -P 2,8..65536 -s 8
for list in 8,,16 ,8 8, '8, ,16'; do
  refused "--size: '$list' has an empty value" predict bcast --platform grig_mx -P 4 -s "$list"
done
refused "'bcast' is a collective: say a method (bcast/ALGORITHM), library:NAME or a file" penalty bcast --platform grig_mx --db store.db
refused "(did you mean bcast/binomial, " penalty binomial --platform grig_mx --db store.db
refused "openmpi-4.1: no such file (did you mean 'library:openmpi-4.1'?)" explain bcast -P 4 -s 8 --decision openmpi-4.1
refused "'logpp' (did you mean 'loggp'?)" predict bcast -P 4 -s 8 --platform grig_mx --model logpp
refused "'formla' (did you mean 'formula'?)" predict bcast -P 4 -s 8 --platform grig_mx --by formla
refused "'fsat' (did you mean 'fast'?)" bench bcast --platform grig_mx --engine fsat
refused "'ocx' (did you mean 'occ'?)" map bcast --scheme ocx --db store.db
refused "'osuu' (did you mean 'osu'?)" import --format osuu times.txt
refused "'openmpi-41' (did you mean 'openmpi-4.1'?)" lint --target openmpi-41 good.xml
refused "'openmpi-4.2' (did you mean 'openmpi-4.1'?)" lint --target openmpi-4.2 good.xml
refused "at 'rank' (did you mean 'ranks'?)" learn c45 bcast -a rank --platform grig_fast_ethernet --db store.db
for words in 'predict bcast -P 4 -s 8' 'explain bcast -P 4 -s 8 --sensitivity' 'penalty --collective bcast'; do
  refused "--parameters hockney:alpha=-1us,beta=1ns: alpha=-1us: a time is not negative" $words --platform grig_mx \
    --parameters hockney:alpha=-1us,beta=1ns
  refused "--parameters hockney:alpha=1us: hockney: beta is missing" $words --platform grig_mx --parameters hockney:alpha=1us
  refused "--gamma: '-1ns': a time is not negative" $words --platform grig_mx --gamma -1ns
done
refused "unknown parameters 'publishd' (did you mean 'published'?): known are measured, published, fitted, hockney:alpha=TIME,beta=TIME, loggp:" predict bcast -P 4 -s 8 --platform grig_mx --parameters publishd
refused "goof.xml: No such file or directory (did you mean './good.xml'?)" bench bcast -P 2 -s 8 --platform goof.xml
refused "./god.xml: No such file or directory (did you mean './good.xml'?)" bench bcast -P 2 -s 8 --platform ./god.xml
refused "empty/grig_m.xml: No such file or directory (did you mean 'grig_mx'?)" predict bcast -P 4 -s 8 --platform empty/grig_m.xml
refused "'latncy' (did you mean 'latency'?)" whatif grig_mx --set latncy=*2 -o changed.xml
refused "'tors' (did you mean 'torus'?)" whatif grig_mx --set topology=tors:2x2 -o changed.xml
refused "'sortd/1ms' (did you mean 'sorted'?)" map bcast --arrival sortd/1ms --db store.db
refused "'exponentil/1ms' (did you mean 'exponential'?)" map bcast --noise exponentil/1ms --db store.db
refused "'chian' (did you mean 'chain'?)" group chian -P 8
refused "which learner? For example: tutti learn c45 allreduce" learn allreduce
refused "no such store of measurements (did you mean 'store.db'?)" map bcast --db stroe.db
refused "tutti bench allgather --platform grig_mx" map allgather --db absent.db
refused "(did you mean 'grig_fast_ethernet'?)" report --platform grig_fast_ethernt --db store.db

# --- a collective's name is no file, whatever the folder has ---
mkdir allreduce
state >before
refused "of which sizes?" bench allreduce --platform grig_mx -P 2
refused "allreduce/: " bench allreduce/
rmdir allreduce
state >before

# --- map ---
refused "--times and --mine are two tables" map bcast --mine linear --times --csv --db store.db
refused "--check fits nothing: leave out --points" fit grig_mx --check --points 3 --from store.db
refused "which collective" map --platform grig_fast_ethernet --db store.db
refused "absent.db: no such store of measurements; this makes one:" map bcast --db absent.db
mkdir links && ln -s nowhere dangling.db && ln -s nowhere links/dangling.xml
state >before
refused "dangling.db: no such store of measurements; this makes one:" map bcast --db dangling.db
refused "links/dangling.xml: No such file or directory" platform show links/dangling.xml
! grep -q 'did you mean' err || die "a link that leads nowhere is meant: $(cat err)"
rm -r dangling.db links
state >before
refused "unknown collective 'bkast'" map bkast --platform grig_fast_ethernet --db store.db
refused "absent.db" map bcast --platform grig_fast_ethernet --db absent.db
refused "text: cannot read it: it is not a database" map bcast --platform grig_fast_ethernet --db text
refused "text/store.db: Not a directory" map bcast --platform grig_fast_ethernet --db text/store.db
refused "store.db: no measurement of bcast on platform nowhere matches; this makes some:" map bcast --platform nowhere --db store.db
refused "on platform fast_ethernt matches (did you mean 'fast_ethernet'?); this makes some:" map bcast --platform fast_ethernt --db store.db
refused "store.db: no measurement of reduce" map reduce --platform grig_fast_ethernet --db store.db
refused "unknown measuring scheme 'magic'" map bcast --platform grig_fast_ethernet --db store.db --scheme magic
refused "--root: '-1'" map bcast --platform grig_fast_ethernet --db store.db --root -1
refused "'map.gif' does not end with" map bcast --platform grig_fast_ethernet --db store.db --plot map.gif

# --- penalty ---
refused "which decision" penalty --platform grig_fast_ethernet --db store.db
refused "unknown bcast algorithm 'magic'" penalty bcast/magic --platform grig_fast_ethernet --db store.db
refused "'8Q' is not a size" penalty bcast/linear/8Q --platform grig_fast_ethernet --db store.db
refused "absent.rules: No such file or directory; a method is written COLLECTIVE/ALGORITHM, such as bcast/binomial" \
  penalty absent.rules --platform grig_fast_ethernet --db store.db
for method in bine bine/8KB; do
  refused "method 'bine' is not written COLLECTIVE/ALGORITHM[/SEGMENT] (did you mean bcast/bine" \
    penalty $method --platform grig_fast_ethernet --db store.db
done
refused "magic.rules:3: unknown bcast algorithm 'magic'" penalty magic.rules --platform grig_fast_ethernet --db store.db
refused "empty.rules:1:" penalty empty.rules --platform grig_fast_ethernet --db store.db
refused "text: cannot read it: it is not a database" penalty bcast/linear --platform grig_fast_ethernet --db text
refused "absent.db" penalty bcast/linear --platform grig_fast_ethernet --db absent.db

# --- platform ---
refused "list, show, check, new, hostfile or options" platform
refused "unknown verb 'magic'" platform magic
refused "Too many arguments" platform list all
refused "'absent'" platform show absent
refused "absent/machine.xml: No such file" platform show absent/machine.xml
refused "platform.xml:3: malformed XML" platform show ./platform.xml
refused "platform.xml:3: malformed XML" platform check ./platform.xml
refused "good.xml:1:" platform check ./good.xml
printf '<?xml version="1.0" encoding="euc-jp"?>\n<platform id="\377\217\033"/>\n' >encoding.xml
printf '\377\376<\0?\0x\0\000\330\000\330' >surrogates.xml
state >before
for file in encoding.xml surrogates.xml; do # in one line of our own
  for arguments in "platform check ./$file" "bench $file --db store.db"; do
    refused "malformed XML: bytes that its encoding does not have" $arguments
    [ "$(wc -l <err)" -eq 1 ] || die "the library of XML speaks for itself: $(cat err)"
  done
done
refused "absent/pingpong: No such file" platform check "$grig" --measure --pingpong absent/pingpong
refused "100000000 ranks on 3072 hosts" predict allreduce -P 100000000 -s 1MB --platform lumi # before any schedule is built
refused "room for 64 ranks" platform hostfile "$grig" --ranks 65 -o text
refused "--ranks: '0'" platform hostfile "$grig" --ranks 0
refused "--ranks: '4294967297'" platform hostfile "$grig" --ranks 4294967297
refused "--ranks" platform hostfile "$grig"
refused "text/hosts: Not a directory" platform hostfile "$grig" --ranks 3 -o text/hosts

# --- on a terminal sentences are folded, of arguments and of what is found later; what is to be pasted is not ---
terminal() { # ARGUMENTS...: on one of 80 columns, what it shows in `out`
  python3 -c "import pty, sys; pty.spawn(sys.argv[1:], lambda fd: __import__('os').read(fd, 9999))" \
    env COLUMNS=80 "$tutti" "$@" </dev/null | tr -d '\r' >out
}
for words in 'schedule bkast/linear' 'map bkast' 'predict bcast -P 4 -s 8 --platform grig_mx --parameters publishd'; do
  terminal $words
  wide=$(awk 'length($0) > 80' out)
  [ -z "$wide" ] || die "$words is wider than a terminal: $wide"
  [ "$(wc -l <out)" -ge 2 ] || die "$words: nothing is folded: $(cat out)"
done
terminal map bcast --platform grig_mx --db store-that-has-a-name-that-is-long-enough-for-a-command-that-is-wide.db
grep -Eq '^  tutti bench bcast --platform grig_mx .{60}' out || die "a command is folded: $(cat out)"

# --- schedule ---
refused "which method" schedule
refused "unknown collective 'bkast'" schedule bkast/linear
refused "unknown bcast algorithm 'magic'" schedule bcast/magic
refused "k=0 is not a whole number" schedule bcast/chain/k=0
refused "'0' is not a number of ranks" schedule bcast/linear -P 0
refused "--ranks: '-1'" schedule bcast/linear -P -1
refused "--ranks: '2147483648'" schedule bcast/linear -P 2147483648
refused "--count: '99999999999999999999'" schedule bcast/linear -n 99999999999999999999
refused "--type-size" schedule bcast/linear --type-size 0
refused "root 8 is not in a group of 8 ranks" schedule bcast/linear --root 8
refused "use larger segments" schedule bcast/pipeline/1B -P 2 -n 4294967295
refused "optima of scan are neither searched nor known" schedule scan/linear -P 4 -n 4 --optimum 1
refused "2 to 4 ranks, or one block, not 8 ranks and 2" schedule allreduce/ring -P 8 -n 8 --optimum 2
refused "of gather for 2 to 256 ranks, not 1" schedule gather/linear -P 1 -n 8 --optimum 1
refused "more than 65533 temporaries; use larger segments" \
  schedule reduce/two-level-pipelined/8B/ranks_per_node=4 -P 8 -n 1MB
refused "too many elements to verify each (--no-verify leaves the proof out)" schedule bcast/pipeline -P 2 -n 4294967295

# --- check ---
refused "or begin a gate for this repository: tutti check --init" check
refused "are of --init" check --force --baseline x
refused "takes --platform, --ranks, --gitlab and --force only" check --init --baseline x
refused "not the top of a git repository" check --init

# --- group ---
refused "500 members: there are only 100 processes" group -n 100,1000 --members 500
refused "500 members: there are only 100 processes" group centralized -n 100,1000 --members 500
refused "several colours, or nodes" group -n 16 --colours 2 --node-ranks 4
refused "--program: only with --platform" group chain -n 8 --program ./program
refused "--build-dir: only with --platform" group chain -n 8 --build-dir absent
refused "--jobs: only with --platform" group chain -n 8 --jobs 7
refused "text/store.db: Not a directory" group centralized -n 8 --db text/store.db
# Before it builds: there is no room for these.
refused "text/store.db: Not a directory" group centralized -n 2147483647 --db text/store.db

# --- programs that are not there ---
programs=$place/empty
refused smpirun bench good.xml --program ./program --db store.db
refused smpirun platform check "$grig" --measure --pingpong ./program
refused gnuplot map bcast --platform grig_fast_ethernet --db store.db --plot map.svg
refused gnuplot group -n 4,8 --y memory --plot groups.svg

"$tutti" map bcast --platform grig_fast_ethernet --db store.db >out 2>err ||
  die "the store is not read any more: $(cat err)"
grep -q 'bcast/linear' out || die "the store has changed: $(cat out)"

# --- tutti-bench and tutti-group, where there is a real smpirun ---
rejected() { # NAMED ARGUMENTS...: by $program on four ranks, of which one speaks
  named=$1
  shift
  smpirun -np 4 -platform "$grig" -hostfile hosts -no-privatize --log=root.thres:critical "$build/smpi/$program" \
    "$@" >out 2>err
  code=$?
  [ $code -eq 2 ] || die "$program $*: status $code instead of 2: $(cat out err)"
  [ "$(grep -c "^$program: " err)" -eq 1 ] || die "$program $*: not one sentence: $(cat err)"
  grep "^$program: " err | grep -qF -- "$named" || die "$program $*: does not name '$named': $(cat err)"
  ! grep -q '^tutti-end' out || die "$program $*: closes its records: $(cat out)"
  checked=$((checked + 1))
}
if command -v smpirun >/dev/null && [ -r "$build/smpi/tutti-bench" ]; then
  "$tutti" platform hostfile "$grig" --ranks 4 -o hosts || die "no hostfile"
  printf 'tutti-points v=1\nbcast/linear root=0 count=8\nbcast/linear root=4 count=8x\n' >bad.points
  program=tutti-bench
  rejected "nothing to measure"
  rejected "unknown bcast algorithm 'magic'" --method bcast/linear,bcast/magic
  rejected "'8Q' is not a size" --method bcast/linear --size 8,8Q
  rejected "10 is not a multiple of the element of 4 bytes" --method bcast/linear --size 10 --type-size 4
  rejected "root 4 is not in a group of 4 ranks" --method bcast/linear --root 4
  rejected "'scheme=magic'" --method bcast/linear --scheme magic
  rejected "absent.points: No such file" --points absent.points
  rejected "text:1: expected a tutti-points line" --points text
  rejected "bad.points:3: cannot use 'count=8x'" --points bad.points
  for spelling in -h --usage; do # SimGrid answers --help itself
    smpirun -np 4 -platform "$grig" -hostfile hosts -no-privatize --log=root.thres:critical "$build/smpi/tutti-bench" \
      $spelling >out 2>err || die "tutti-bench $spelling: $(cat out err)"
    [ "$(grep -c '^Usage: tutti-bench' out)" -eq 1 ] || die "tutti-bench $spelling prints no help: $(cat out err)"
  done
fi
if command -v smpirun >/dev/null && [ -r "$build/smpi/tutti-group" ]; then
  "$tutti" platform hostfile "$grig" --ranks 4 -o hosts || die "no hostfile"
  printf 'tutti-points v=1\nchain fraction=0.5\n' >good.points
  program=tutti-group
  rejected "nothing to build"
  rejected "nothing to build" --builder all
  rejected "unknown builder 'bogus'" --builder bogus --fraction 0.5
  rejected "fraction 7" --builder chain --fraction 7
  rejected "5 members: there are only 4 processes" --builder chain --members 5
  rejected "--repetitions: '0' is not a whole number from 1" --builder chain --fraction 0.5 --repetitions 0
  rejected "--ranks-per-node: '0'" --builder chain --fraction 0.5 --ranks-per-node 0
  rejected "--branching: '1'" --builder chain --fraction 0.5 --branching 1
  rejected "--seed: 'x'" --builder chain --fraction 0.5 --seed x
  rejected "--colours: '-1'" --builder chain --fraction 0.5 --colours -1
  rejected "--node-ranks: '4x'" --builder chain --fraction 0.5 --node-ranks 4x
  for option in builder fraction members branching seed colours node-ranks ranks-per-node repetitions; do
    rejected "--$option does not go with --points" --points good.points "--$option" 1
  done
fi
if command -v smpirun >/dev/null && [ -r "$build/smpi/tutti-sort" ]; then
  "$tutti" platform hostfile "$grig" --ranks 4 -o hosts || die "no hostfile"
  printf 'tutti-points v=1\nsample layer=- count=4\ncosts element_s=0\n' >late.points
  printf 'tutti-points v=1\njanus count=4\nsample count=4 layer=split\n' >layered.points
  program=tutti-sort
  rejected "nothing to sort"
  rejected "nothing to sort" --algorithm janus
  rejected "field 'algorithm' is 'bogus'" --count 4 --algorithm janus,bogus
  rejected "field 'layer' is 'rings'" --count 4 --layer rings
  rejected "janus needs a layer" --count 4 --layer -
  rejected "field 'order' is 'any'" --count 4 --order any
  rejected "field 'assignment' is 'lazy'" --count 4 --assignment lazy
  rejected "field 'distribution' is ''" --count 4 --distribution uniform,
  rejected "field 'type' is 'float'" --count 4 --type float
  rejected "field 'count' is '4KB'" --count 1,4KB
  rejected "elements for each of 4 ranks are too many" --count 999999999999
  rejected "field 'seed' is '-1'" --count 4 --seed -1
  rejected "cannot use 'element_s=1us'" --count 4 --element-s 1us
  rejected "cannot use 'entry_s=-1'" --count 4 --entry-s -1
  rejected "--repetitions: '0' is not a whole number from 1" --count 4 --repetitions 0
  rejected "--ranks-per-node: '0'" --count 4 --ranks-per-node 0
  rejected "late.points:3: costs stand before all points" --points late.points
  rejected "layered.points:3: sample has no layer" --points layered.points
  for option in algorithm layer order assignment distribution type count seed element-s entry-s ranks-per-node \
    repetitions; do
    rejected "--$option does not go with --points" --points late.points "--$option" 1
  done
fi
echo "$checked wrong commands, each told in a sentence"
