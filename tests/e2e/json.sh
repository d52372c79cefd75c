#!/bin/sh
# Tables for programs: every key that a command prints with --json is in the schema, and of its type; --csv has a header
# of keys and rows of as many fields; on a terminal, text is as wide as the terminal at most.
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

while read -r code command; do
  run "$code" $command --json
  listed "$command"
done <<COMMANDS
0 algorithms
0 platform list
0 platform show bgp
0 platform check $source/platforms/bgp.xml
0 lint --list-codes
0 map bcast $grig
0 map bcast $grig --times
0 map bcast $grig --decision rule.txt
0 penalty rule.txt bcast/linear $grig --worst 2
0 penalty --against bcast/linear rule.txt $grig --times
0 penalty --against bcast/linear rule.txt $grig --ranks 4,5
0 predict bcast $grig --model loggp --by both
0 predict bcast -P 2..4 $grig --model loggp --times
1 guidelines $grig --decision bad.txt --tolerance 0
0 guidelines --list
0 learn quadtree bcast $grig
0 learn c45 bcast $grig
COMMANDS

while read -r code command; do
  run "$code" $command --csv
  python3 - "$schema" <<'PYTHON' || die "$command --csv: $(head -3 out)"
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
done <<COMMANDS
0 map bcast $grig
0 penalty rule.txt bcast/linear $grig
0 penalty --against bcast/linear rule.txt $grig --times
0 predict bcast $grig --model loggp
1 guidelines $grig --decision bad.txt --tolerance 0
0 guidelines --list
COMMANDS

# As wide as the terminal.
for columns in 60 79 132; do
  COLUMNS=$columns python3 - "$tutti" penalty rule.txt bcast/split-binary/1KB $grig >wide <<'PYTHON'
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
text = b""
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    text += piece
os.waitpid(pid, 0)
sys.stdout.write(text.decode().replace("\r\n", "\n"))
PYTHON
  sed '1,2d; /its choice/d' wide | awk -v most="$columns" 'length($0) > most { bad = 1 } END { exit bad || NR < 3 }' ||
    die "wider than $columns columns: $(cat wide)"
  grep -q ' 114\.01 ' wide || die "columns are missing: $(cat wide)"
done

echo "every key of 17 documents is in the schema, 6 CSV documents, 3 widths"
