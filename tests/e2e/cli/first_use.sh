#!/bin/sh
# What a new user meets first: sizes in every spelling, no size that is taken in silence, help with examples.
#
# usage: first_use.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# ---- one reader of sizes ----

for size in 10k 10K 10KB 10kb 10KiB 10Ki 10240 10240B 1.024e4 0.009765625MB; do
  run 0 explain bcast -P 16 -s $size --decision library:openmpi-4.1
  cp out explained.$size && cmp explained.10k explained.$size || die "explain reads $size otherwise"
  run 0 schedule bcast/binomial -P 4 -s $size
  expect '4 ranks, root 0, 10240 elements of 1 byte: verified$'
  run 0 schedule bcast/binomial/$size -P 4 -s 64K -t 4B
  expect '^bcast/binomial/10KB on 4 ranks, root 0, 16384 elements of 4 bytes: verified$'
  run 0 predict bcast -P 8 -s $size --platform grig_mx
  cp out predicted.$size && cmp predicted.10k predicted.$size || die "predict reads $size otherwise"
  expect '^bcast on 8 ranks of grig_mx, 10KB;'
done
run 2 schedule bcast/binomial -P 4 -s 10 -t 4
expect '10B are no elements of 4 bytes'
run 2 schedule bcast/binomial -P 4 -s 8 -n 8
expect 'count or --size'

# ---- what a catalogue line says ----

run 0 algorithms allreduce
[ "$(grep -c '^    results     ranks may get sums that differ in their last bits$' out)" -eq 4 ] ||
  die "of swing-latency, census and both forms of trivance-latency alone ranks may round apart: $(cat out)"
expect '^    Open MPI    -    MPICH  recursive_multiplying \(from 4\.3 on\)$'
expect '^    Open MPI    7 \(from 6\.0 on\)  MPICH  -$'
expect '^    Open MPI    3    MPICH  recursive_doubling$'
run 0 algorithms barrier
expect '^    Open MPI    4    MPICH  dissemination \(before 4\.1, then k_dissemination\)$'
run 0 algorithms bcast --json
expect '"mpich": "circ_graph"'
expect '"mpich_since": "5\.1"'
run 0 schedule allreduce/census -P 8
expect '^results          ranks may get sums that differ in their last bits$'
run 0 schedule allreduce/swing-latency -P 8 --no-verify --json
expect '"rounds_apart": true'
run 0 schedule allreduce/swing -P 8
grep -q 'last bits' out && die "the ranks of swing do not round apart: $(cat out)"

# ---- a real machine is not simulated: the library must be said ----

run 2 bench bcast --platform my-cluster -P 2 -s 8
expect "^tutti: platform 'my-cluster' not found: .*; a real machine has no such file: .* --flavor openmpi or mpich"
cp "$source/platforms/grig_mx.xml" mine.xml
run 2 bench bcast --platform mine -P 2 -s 8
expect "^tutti: platform 'mine' not found: say ./mine.xml for the file that is here"

run 2 schedule bcast/binomial -P 4 -s 1.00001KB
expect "'1.00001KB' is not a size, whole bytes such as 100, 8KB, 1.5MB, 64KiB, 2G or 1e3\$"
run 0 predict bcast -P 1e1 -s 8 --platform grig_mx
expect '^bcast on 10 ranks'
run 2 predict bcast -P 10B -s 8 --platform grig_mx
expect "'10B' is not a number of ranks"

# ---- no size and no number of ranks in silence ----

for default in 'predict bcast -s 8 --platform grig_mx|64' 'explain bcast -s 8 --decision bcast/binomial|64' \
  'schedule bcast/binomial -s 8|8' 'group chain|1024'; do
  run 0 ${default%|*}
  grep -q "^tutti: note: --ranks is not given: ${default#*|}$" err || die "${default%|*}: ranks in silence: $(cat err)"
  run 0 ${default%|*} -P 4
  [ ! -s err ] || die "${default%|*} -P 4 says: $(cat err)"
done

run 0 predict bcast -P 8 --platform grig_mx
grep -q '^tutti: note: --size is not given: 1KB$' err || die "predict takes a size in silence: $(cat err)"
run 0 explain bcast -P 8 --decision bcast/binomial
grep -q '^tutti: note: --size is not given: 1KB$' err || die "explain takes a size in silence: $(cat err)"
run 0 schedule bcast/binomial -P 4
grep -q '^tutti: note: --count is not given: 1024 elements$' err || die "schedule takes a size in silence: $(cat err)"
for command in "predict barrier --platform grig_mx" "explain barrier --decision barrier/bruck" "schedule barrier/bruck"; do
  run 0 $command -P 8
  [ ! -s err ] || die "$command: a barrier has no size: $(cat err)"
done
# ---- help: examples, whose options are read, exit status, and what to see; man pages have the same ----

commands=0 examples=0
helps() { # WORDS...: of a command, or of a command and its verb
  run 0 "$@" --help
  for part in '^Examples:$' 'Exit status: 0 ' '^See also: '; do
    expect "$part"
  done
  sed -n '/^Examples:$/,/^$/{/^  tutti /p}' out >examples
  [ -s examples ] || die "$* --help: no example: $(cat out)"
  while read -r program line; do
    case $line in
    "$1"*) run 0 ${line%% -- *} --help ;; # after -- the words are of another program
    *) die "$* --help: an example of another command: $program $line" ;;
    esac
    ! grep 'the last step is' err || die "$* --help: a range that does not end where it says: $line"
    examples=$((examples + 1))
  done <examples
  awk 'length($0) > 80' out >wide
  [ ! -s wide ] || die "$* --help is wider than 80 columns: $(cat wide)"
  grep -n ' $' out && die "$* --help: a blank at the end of a line"
  run 0 "$@" --help-all
  grep -n ' $' out && die "$* --help-all: a blank at the end of a line"
  grep -nE '^ {9,}--[a-z-]+  ' out && die "$* --help-all: an option that does not begin its line"
  has_page "tutti-$(echo "$@" | tr ' ' -)"
  commands=$((commands + 1))
}

# Rendered on 80 columns each example has a line of its own, which only those may pass that are wider themselves.
has_page() { # NAME: of a page, whose examples are in `examples`
  [ -d "$build/man" ] && command -v groff >/dev/null || return 0
  groff -Tascii -P-cbou -rLL=80n -man "$build/man/$1.1" >page 2>&1 || die "$1(1): $(cat page)"
  for part in EXAMPLES 'See also' 'Exit status: 0|EXIT STATUS'; do
    tr -s ' \n' ' ' <page | grep -Eq "$part" || die "$1(1) has no $part: $(cat page)"
  done
  sed 's/^ *//' page >lines
  sed 's/^ *//' examples | while read -r line; do
    grep -qxF -e "$line" lines || die "$1(1): no line is '$line': $(cat page)"
  done || exit 1
}

run 0 --help
awk 'length($0) > 80' out >wide
[ ! -s wide ] || die "--help is wider than 80 columns: $(cat wide)"
for part in '^Where to begin: `tutti doctor`' '^Examples:$' '^See also: '; do
  expect "$part"
done
sed -n '/^Examples:$/,/^$/{/^  tutti /p}' out >examples
while read -r program line; do
  run 0 $line --help
done <examples
has_page tutti
run 0 --help
sed -n '/^Subcommands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p' out >names
[ "$(wc -l <names)" -gt 20 ] || die "no list of subcommands: $(cat out)"
for command in $(cat names); do
  helps $command
  "$tutti" $command no-such-verb >out 2>err
  for verb in $(sed -n "s/^tutti $command: unknown verb 'no-such-verb': use //p" err | sed 's/,//g; s/ or / /'); do
    helps $command $verb
  done
done

if [ -d "$build/man" ] && command -v groff >/dev/null; then
  groff -Tascii -P-cbou -rLL=80n -man "$build/man/tutti-whatif.1" >page
  for word in latency overhead speed loopback-latency hosts topology network XPATH; do
    grep -Eq "^ +$word=" page || die "tutti-whatif(1): no edit $word= begins a line: $(cat page)"
  done
fi

# ---- files and folders ----

printf 'bcast/in-order-binomial\n' >rules.txt
run 0 export rules.txt --format mpich-4.1 -o rules.json --ranks 2..64 --force
run 0 lint rules.json
expect ' for mpich-4\.1'
"$tutti" export rules.txt --format mpich-4.1 -o /dev/stdout --ranks 2..64 --force 2>err | cat >piped
cmp -s piped rules.json || die "another file through a pipe: $(cat err)"
for path in - /dev/stdout; do
  run 0 export bcast/binomial --format openmpi -o $path --ranks 2..64 --force
  grep -q OMPI_MCA err && die "-o $path: advice about no file: $(cat err)"
done
run 0 export rules.txt --format mpich-4.1 -o /dev/null --ranks 2..64 --force
[ -c /dev/null ] || die "/dev/null was replaced"
head -c 2000 "$tutti" >binary
run 2 lint binary
expect '^tutti: binary: is no text file$'
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
  chmod 755 . && mkdir locked && chmod 555 locked
  setpriv --reuid=65534 --clear-groups "$tutti" merge --db locked/x.db locked/y.db >out 2>err
  "$tutti" predict bcast -P 4 -s 8 --platform grig_mx --model loggp --output-db y.db >out 2>err || die "predict: $(cat err)"
  chmod 644 y.db
  setpriv --reuid=65534 --clear-groups "$tutti" merge --db locked/x.db y.db >out 2>err && die "wrote into a locked folder"
  expect '^tutti: locked/x.db: cannot make it: Permission denied$'
fi

# What all ranks are promised is not computed anew for each: a proof for many ranks takes seconds.
timeout 60 "$tutti" schedule allreduce/recursive-doubling -P 30000 -s 8 >out 2>err || die "30,000 ranks: $(cat err)"
expect '^allreduce/recursive-doubling on 30000 ranks, 8 elements of 1 byte: verified$'

# ---- patience: on a terminal, what takes more than two seconds shows a bar, with what it is at and a share ----

if command -v script >/dev/null; then
  timeout 120 script -qc "'$tutti' schedule allreduce/ring -P 900 -n 900" /dev/null </dev/null >shown
  tr '\r' '\n' <shown >out
  expect '^\[#*-*\]  ?[0-9]+ %  [0-9]+ s  proof: [a-z]+ \(--no-verify leaves it out\)'
  grep -q 'still at work after [^:]*:' out && die "lines and a bar: $(cat out)"
  grep -q "^$(printf '\033')\[Kallreduce/ring on 900 ranks" out || die "the bar stays: $(cat -v out)"
fi

# learn, penalty and explain, too; a store of a thousand points makes them last so long.
run 0 bench bcast --platform grig_mx -P 2..64 -s 1..1MB*2 --engine fast --db many.db -q
patient() { # PHASE ARGUMENTS...
  phase=$1
  shift
  timeout 120 script -qc "'$tutti' $* --platform grig_mx --db many.db" /dev/null </dev/null >shown
  tr '\r' '\n' <shown >out
  expect "^\[#*-*\]  ?[0-9]+ %  [0-9]+ s  $phase"
}
if command -v script >/dev/null; then
  patient 'learn without the points that are tested' learn optimal bcast --folds 50
  patient 'ask the models' penalty model:hockney,loggp,plogp --by schedule --collective bcast --worst 3
fi
run 0 explain allreduce -P 8 -s 8KB --decision allreduce/rabenseifner
grep -q 'which is' out && die "explain says a name twice: $(cat out)"

echo "10 spellings of a size in 4 places; no size is taken in silence; $examples examples in the help of $commands commands"
