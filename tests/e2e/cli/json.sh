#!/bin/sh
# Tables for programs: every command that prints a table is checked; every key that it prints with --json is in the
# schema, and of its type, as are the keys of the sources; --csv has a header of keys and rows of as many fields; on a
# terminal, text is as wide as the terminal at most.
#
# usage: json.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3-minimal
schema=$source/docs/reference/tutti.schema.json
grig='--platform grig_fast_ethernet --db model.db'

listed() { # the keys in out
  python3 "$source/tests/e2e/json_keys.py" "$schema" out >faults || die "$*: $(cat faults)"
}

# What a model predicts is measured enough.
run 0 predict bcast -P 2..16 -s 1..256KB*4 --platform grig_fast_ethernet --model loggp --segments none,1KB,8KB \
  --output-db model.db
printf 'bcast/binomial bytes=0..512\nbcast/split-binary/1KB\n' >rule.txt
printf 'bcast/linear ranks=8..8\nbcast/binomial\n' >bad.txt # slower on 8 ranks than on 9

# The checker checks.
echo '{"plaform": "bgp"}' >out
python3 "$source/tests/e2e/json_keys.py" "$schema" out >faults && die "an unknown key is not found"
echo '{"platform": 1}' >out
python3 "$source/tests/e2e/json_keys.py" "$schema" out >faults && die "a wrong type is not found"

python3 "$source/tests/e2e/json_keys.py" "$schema" --sources "$source/src/cli" >faults ||
  die "keys of the sources: $(cat faults)"

run 0 bench bcast --platform grig_mx --engine fast -P 4 -s 8 --methods linear,binomial --db gap.db -q

# What is simulated: an experiment, a baseline.
cat >small.xml <<'END'
<experiment name="small" source="Nobody 1999"><platform name="fast_ethernet"/>
  <sweep collective="bcast" root="0"><ranks>2</ranks><sizes>1</sizes><method name="bcast/linear"/></sweep>
  <claim what="a byte" published="1" unit="us" within="50%">SELECT us FROM points LIMIT 1</claim>
  <claim what="nothing" published="1">SELECT us FROM points WHERE ranks = 99</claim></experiment>
END
cat >engines.xml <<'END'
<experiment name="engines"><platform name="fast_ethernet"/>
  <sweep collective="bcast"><ranks>4</ranks><sizes>1</sizes><method name="bcast/linear"/></sweep></experiment>
END
cat >group.xml <<'END'
<experiment name="group"><platform name="fast_ethernet"/><group branching="3" seed="7"><ranks>13</ranks>
  <fractions>0.5</fractions><builder name="centralized"/><builder name="chain"/></group></experiment>
END
cat >two.xml <<'END'
<experiment name="two"><platform name="fast_ethernet"/>
  <sweep collective="bcast"><ranks>2 4</ranks><sizes>1 16KB</sizes><method name="bcast/linear"/>
  <method name="bcast/binomial"/></sweep></experiment>
END
simulates() { # can experiments be simulated? By smpirun and a build of the flavor.
  command -v smpirun >/dev/null && [ -e "$build/smpi/tutti-bench" ]
}

if simulates; then
  run 0 check --update --baseline group.baseline group.xml -q
  # Worse, better, missing and new.
  sed -e '1s/2$/1/;/^end /d' -e '/group centralized/s/messages=[0-9]*/messages=1000/' -e '/group chain/s/messages=[0-9]*/messages=1/' \
    -e '/group chain/{p;s/seed=7/seed=8/;}' -e '/group centralized/s/ memory_B=[0-9]*//' group.baseline >changed.baseline
fi

# --- every command that offers --json or --csv, with both: STATUS SUBCOMMAND ARGUMENTS ---

# A comparison of two launches that the store has.
printf '1\n7\n1\n0\n1\n0 1 0 0\n' >pairs.rules
digest=$(sha256sum pairs.rules | cut -c1-32)
{
  echo "tutti-run v=1 tutti=$("$tutti" --version | cut -d' ' -f2) flavor=openmpi library=OpenMPI-4.1.4 ranks=4 ranks_per_node=4"
  for round in "1 after=$digest" "2 after=$digest" "1 after=untuned" "2 after=untuned"; do
    echo "tutti-comparison v=1 before=untuned ${round#* } collective=bcast scheme=occ ranks=4 root=0 size_B=1024" \
      "round=${round% *} first=after before_median_s=1.25e-06 after_median_s=1.5e-06"
  done
  echo "tutti-end v=1 measurements=4"
} >pairs
run 0 import --format tutti pairs --platform fake --db pairs.db

# What a program called.
{
  echo "tutti-run v=1 tutti=0.1.0 flavor=smpi library=SimGrid-3.32 ranks=16 ranks_per_node=1"
  echo "tutti-program v=1 program=app ranks=16 elapsed_s=2 collectives_s=8 calls=1600 left_out=0"
  echo "tutti-call v=1 program=app site=app+0x1 communicator=MPI_COMM_WORLD comm_ranks=16 comm_nodes=16 collective=bcast" \
    "ran=bcast/linear size_B=16 type=MPI_BYTE type_B=1 operation=- root_least=0 root_most=0 calls=1600 total_s=8 slowest_s=1" \
    "minimum_s=0.001 maximum_s=0.01 between_s=2 waiting_s=1 spread_s=0.001 last_rank=3 samples=100"
  echo "tutti-end v=1 measurements=2"
} >app.profile

# Points of a real machine.
run 0 import --format pico "$source/tests/import/pico_measured.tsv" --db pico.db

# A platform with a finding.
sed '/<config>/,/<\/config>/d' "$source/platforms/grig_mx.xml" >loose.xml

# Jobs at the same time.
printf 'a 4 packed bcast/binomial 8\nb 4 round-robin barrier/bruck 0 3\n' >jobs.txt

# A library whose times are known, to tune.
mkdir bin
ln -s "$source/tests/e2e/fake/mpiexec" bin/mpiexec.openmpi
printf '#!/bin/sh\n' >program && chmod +x program
echo 'bcast 0 10000000 0.5' >times && echo 'bcast/binomial@openmpi 0.5' >methods && : >log
FAKE_TUTTI=$tutti FAKE_TIMES=$place/times FAKE_LOG=$place/log FAKE_METHODS=$place/methods PATH=$place/bin:$PATH
export FAKE_TUTTI FAKE_TIMES FAKE_LOG FAKE_METHODS

cat >documents <<END
0 tune bcast --flavor openmpi -P 2 -s 8 --budget 1s --program ./program --platform fake --oversubscribe --dir tuned -q
0 compare untuned pairs.rules --collective bcast -P 4 -s 1KB,2KB --stored --pairs --platform fake --db pairs.db
0 compare untuned pairs.rules --within 5 --collective bcast -P 4 -s 1KB,2KB --stored --pairs --platform fake --db pairs.db
0 advise app.profile $grig
0 algorithms
0 algorithms exscan --reproducible
0 replay $source/tests/fuzz/seeds/small.workload --platform grig_mx
0 forecast $source/tests/fuzz/seeds/small.workload --platform grig_mx --set latency=*0.5 --sensitivity
0 whatif grig_mx --set latency=*0.5 --trace $source/tests/fuzz/seeds/small.workload --decision allreduce/bucket --db whatif.db --sensitivity
0 schedule reduce/binomial/64B -P 4 -n 20 --type-size 8 --root 1
0 schedule barrier/bruck -P 4 --no-verify
0 schedule bcast/binomial -P 4 -n 4 --optimum 2
0 schedule allgather/bruck -P 5 -n 4 --optimum 1
0 import model.db --db merged.db
0 import --format tutti pairs --platform fake --db pairs.db
0 import $source/tests/import/osu_7.txt -P 4 --platform fake --library X --db x.db
0 fit slingshot_dragonfly --machine lumi --from pico.db --vary latency=0.1..10
0 fit --check slingshot_dragonfly --machine lumi --from pico.db
0 bench alltoall,barrier --platform torus --groups 2x4 -s 8,1KB --placement packed,random
0 bench --platform torus --jobs jobs.txt
0 platform list
0 platform show bgp
0 platform check $source/platforms/bgp.xml
0 platform check loose.xml
0 lint --list-codes
1 lint broken.rules
0 synthesize bcast --platform torus -P 4 -s 1KB --budget 0.1s -q -o bcast.xml
0 map bcast $grig
0 map bcast $grig --times
0 map bcast $grig --mine binomial
0 map bcast --platform grig_mx --db gap.db --gap
0 map bcast $grig --decision rule.txt
0 place bcast/binomial --platform grig_mx -P 4,8 -s 8,64KB --methods linear -q -o narrow
0 penalty rule.txt bcast/linear $grig --worst 2
0 penalty --against bcast/linear rule.txt $grig --times
0 penalty --against bcast/linear rule.txt $grig --ranks 4,5
0 predict bcast $grig --model loggp --by both
0 predict bcast -P 2..4 $grig --model loggp --times
0 predict allreduce --platform leonardo -P 4 --method allreduce/ring
1 guidelines $grig --decision bad.txt --tolerance 0
0 guidelines --list
0 learn quadtree bcast $grig
0 learn c45 bcast $grig
0 explain bcast -P 8 -s 512 --decision rule.txt
0 explain bcast -P 8 -s 513 --decision rule.txt $grig
0 explain bcast -P 8 -s 513 --decision rule.txt $grig --sensitivity
0 export rule.txt --format mpich -o mpich.json $grig
0 group centralized chain -P 27 --members 5,9
0 rank-maps contiguous decreasing
0 report $grig
1 bench --all lists --list --db model.db
END
cat >simulated <<END
0 platform options bgp
1 bench small.xml --db small.db -q
1 check --baseline changed.baseline -q
0 check --engines engines.xml -q
0 doctor
0 params fast_ethernet --largest 1KB --compare --db params.db -q
0 group centralized -P 27 --platform fast_ethernet --db group.db -q
0 whatif fast_ethernet --set latency=*0.5 two.xml --db whatif.db --all -q
0 explain bcast -P 8 -s 513 --decision rule.txt --platform fast_ethernet --db params.db
END
mkdir lists
cp small.xml group.xml lists
printf '1 0 1 0 1\n0 99 0 0\n' >broken.rules

# Verbs are words of the synopsis in small letters.
commands() {
  for command in $("$tutti" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z-]*\) .*/\1/p'); do
    verbs=$("$tutti" "$command" --help | sed -n "s/^ *\(Usage\|or\): *tutti $command \[OPTION...\] \([a-z][a-z-]*\).*/\2/p" | sort -u)
    [ -z "$verbs" ] && echo "$command"
    for verb in $verbs; do echo "$command $verb"; done
  done
}
commands >commands
[ "$(wc -l <commands)" -ge 20 ] || die "not the commands of tutti --help: $(cat commands)"
while read -r command; do
  "$tutti" $command --help >help || die "$command --help: $(cat help)"
  grep -q -e '--json' -e '--csv' help || continue
  cat documents simulated | grep -q "^[0-9] $command\( \|\$\)" || die "no check of the table of tutti $command"
done <commands

csv() { # the CSV in out
  python3 - "$schema" <<'PYTHON' || die "$* --csv: $(head -3 out)"
import csv, json, sys
row = json.load(open(sys.argv[1]))["$defs"]["row"]["properties"]
lines = open("out", newline="", encoding="utf-8").read()
assert lines.endswith("\r\n")
for table in lines.split("\r\n\r\n"):
    header, *rows = csv.reader(table.splitlines())
    assert len(set(header)) == len(header) and header, header
    assert all(key.split(".")[0] in row for key in header), header
    assert all(len(fields) == len(header) for fields in rows)
    assert rows or "violations" not in header
PYTHON
}

count=0
simulates && cat simulated >>documents
while read -r code command; do
  run "$code" $command --json
  listed "$command"
  run "$code" $command --csv
  csv "$command"
  count=$((count + 1))
done <documents

# What has --latex prints tabulars with as many columns in each row.
for command in "compare untuned pairs.rules --collective bcast -P 4 -s 1KB,2KB --stored --pairs --platform fake --db pairs.db" \
  "map bcast $grig" "penalty rule.txt bcast/linear $grig" "penalty --against bcast/linear rule.txt $grig --times"; do
  run 0 $command --latex
  awk '/^.begin{tabular}{[lr]*}$/ { columns = length($0) - 17; tables++; next }
       /^.(hline|end{tabular})$/ || /^$/ { next }
       { gsub(/\\&/, ""); if (gsub(/ & /, "") != columns - 1 || !/ \\\\$/) bad = $0 }
       END { if (bad || !tables) { print bad; exit 1 } }' out >faults || die "$command --latex: $(cat faults out)"
done

# As wide as the terminal.
on_terminal() { # COLUMNS COMMAND...
  columns=$1
  shift
  COLUMNS=$columns python3 - "$tutti" "$@" >wide <<'PYTHON'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
ended = False
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:  # no process has the terminal; what the kernel still had to hand over comes when it is asked again
        piece = b""
    text += piece
    if not piece and ended:
        break
    if not piece:
        os.waitpid(pid, 0)
        ended = True
sys.stdout.write(text.decode().replace("\r\n", "\n"))
PYTHON
  # A word after a heading, such as the path of a file, is not broken.
  awk -v most="$columns" 'length($0) > most { sub(/^ *[^ ]+ +/, ""); if (/ /) bad = 1 } END { exit bad || NR < 3 }' wide ||
    die "$*: wider than $columns columns: $(cat wide)"
}
for columns in 60 79 132; do
  on_terminal $columns penalty rule.txt bcast/split-binary/1KB $grig
  grep -q ' 114\.01 ' wide || die "columns are missing: $(cat wide)"
done
while read -r command; do
  on_terminal 80 $command
done <<COMMANDS
algorithms
algorithms exscan --reproducible
guidelines --list
guidelines $grig
map bcast --times $grig
penalty rule.txt --against bcast/linear --times $grig
map bcast --mine bcast/binomial $grig
explain bcast -P 8 -s 1KB --decision bcast/binomial $grig
learn c45 bcast $grig
place bcast/binomial --platform grig_mx -P 4,8 -s 8,64KB --methods linear -q -o narrow
platform list
platform show slingshot_dragonfly
whatif grig_mx --set latency=*0.5 --set bandwidth=*2 bcast -P 4,8 -s 8B,1KB --engine fast --db narrow.db --quiet
group -P 64 --platform grig_mx --engine fast --db narrow.db --quiet
COMMANDS

simulates || { echo "skipped: no smpirun (Debian: apt-get install simgrid) or no flavor smpi; the rest passed"; exit 77; }
echo "every key of $count documents is in the schema, as JSON and as CSV, 3 widths"
