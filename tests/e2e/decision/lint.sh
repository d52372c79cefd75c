#!/bin/sh
# tutti lint: silent about what tutti export writes, its exit status, its output, and the page that lists the codes.
#
# usage: lint.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# The rules of tests/mpi/targets, which are tested on the libraries.
rules_of() { # SCRIPT FILE
  sed -n "/>$2 <<'END'/,/^END\$/p" "$source/tests/mpi/targets/$1.sh" | sed '1d;$d'
}
rules_of openmpi rules.txt >openmpi.txt
rules_of mpich all.txt >mpich.txt
for pair in openmpi:openmpi-4.1 openmpi:openmpi-5 openmpi:openmpi-6 mpich:mpich-4.0 mpich:mpich-4.1 mpich:tutti; do
  target=${pair#*:}
  run 0 export "${pair%:*}.txt" --format "$target" -o "$target"
  run 0 lint --target "$target" "$target"
  expect ": 0 errors, 0 warnings, [0-9]* notes?$"
  grep -E 'OMPI-111|MPICH-027' out && die "notes on what the writer of $target does on purpose"
done
for target in openmpi-4.1 openmpi-5 openmpi-6; do # a comment, or JSON, says which
  run 0 lint $target
  expect "^$target for $target[.0-9]*: "
done
printf 'allreduce/ring bytes=64KB..\nallreduce/two-tree\nallgather/pat\n' >rules_nccl.txt
for target in nccl ncclx; do # recognized by their content
  run 0 export rules_nccl.txt --format $target -o $target
  run 0 lint $target
  expect "^$target for $target: 0 errors, 0 warnings, 0 notes$"
  run 0 explain allreduce --decision $target -P 8 --ranks-per-node 4 -s 64KB --json
  expect '"algorithm": "ring, simple", "method": "allreduce/ring"'
  run 2 export rules_nccl.txt --format $target -P 2..1000000 -o large # a line for each number of ranks
  expect 'more than 100000 lines: export fewer numbers of ranks'
  [ ! -e large ] || die "$target: a part of a file"
done
printf 'tutti-decision 1\ntree bcast\nattribute bytes\nbytes <= 8 : linear\nbytes > 8 : binary\n' >tree
run 0 lint --help
expect "^Targets: openmpi-4.0, openmpi-4.1, openmpi-5, openmpi-6, mpich-4.0 to mpich-5,\$"
run 0 lint tree
run 0 lint "$source/experiments/hand_rule.txt"

# Places, severities and advice; the target is recognized.
printf '1 # one\n7 1 0 2\n8 1 0 0 # no rule for 0 bytes\n1001 10 0 0\n' >rules.conf
run 1 lint rules.conf
expect '^rules.conf:3:1: error: .* \[OMPI-006\]$'
expect '^rules.conf:4:6: error: .* \[OMPI-007\]$'
expect '^rules.conf for openmpi-4.1.4: 2 errors, 0 warnings, 0 notes$'
run 1 lint openmpi-5 rules.conf
expect '^openmpi-5 for openmpi-5: 0 errors'

# Notes alone are not a fault.
printf '1 7 1 8 1\n0 6 0 0\n' >note
run 0 lint note
expect ': note: '
run 0 lint --no-notes note
grep -q ': note: ' out && die "a note: $(cat out)"

# On a terminal sentences are folded.
if command -v script >/dev/null; then
  echo '{"collective=bcast":{"algorithm=MPIR_Bcast_intra_binomial":{}}}' >few
  COLUMNS=80 script -qc "'$tutti' lint --target mpich-4.0 few" /dev/null </dev/null | tr -d '\r' >folded
  grep -q 'MPICH-002' folded || die "no finding: $(cat folded)"
  ! awk 'length($0) > 80' folded | grep . || die "wider than 80 columns: $(cat folded)"
fi

run 0 lint --activate note
expect "^export OMPI_MCA_coll_tuned_dynamic_rules_filename='$PWD/note'\$"
run 0 lint --activate --target openmpi-5 note
expect '^export OMPI_MCA_coll=\^han$'
: >empty
run 1 lint empty
expect '^empty:1:1: error: the file cannot be read: it is empty; --target says which library it is for \[TUTTI-001\]$'
echo 0 >none
run 0 lint --activate --target openmpi-4.1 none
expect '^none:1:1: note: no rules: .* \[OMPI-028\]$'
expect '^none has no rules: there is nothing to install$'
! grep -q export out || die "installs a file without rules: $(cat out)"
# MPICH has an algorithm for each call, and these may be the library's own: three commands say the same.
printf 'bcast/native\n' >left
for target in mpich-4.0 mpich-4.1 openmpi-4.1; do
  run 0 export left --format $target -o own.$target
  expect "own choice everywhere: there is nothing to install"
  run 0 lint --activate --target $target own.$target
  expect '^own.*: there is nothing to install$'
  ! grep -q export out || die "installs the library's own choice: $(cat out)"
  run 2 compare untuned own.$target --platform here -P 2 -s 8
  expect "own choice everywhere: there is nothing to install"
done
run 0 lint --activate left
expect '^export TUTTI_DECISION='
run 0 lint --activate mpich-4.0
expect '^export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE='

# What a file is; one that is not judged does not keep the others from being so.
printf '# site\nUCX_TLS=ucp\n' >ucx.conf
printf '[team_size=4]\nUCC_TL_UCP_TUNE=allreduce:0-4k:@0\n' >ucc.conf
printf 'btl = ^openib\ncoll_tuned_bcast_algorithm = 6\n' >mca-params.conf
printf '1\nbcast\n1\n2\n1\n1\n1\n0 tuned\n' >han.rules
echo 'Dear reader' >letter
run 2 lint ucx.conf rules.conf letter
expect '^tutti: ucx.conf: variables of UCX; such files are not judged$'
expect '^tutti: letter: no tuning file that is known: .*lint.md'
expect '^rules.conf for openmpi-4.1.4: 2 errors'
run 0 lint --activate ucc.conf
expect '^export UCC_CONFIG_FILE='
echo "export UCC_TL_UCP_TUNE='bcast:@dbt'" >ucc.sh
run 0 lint --activate ucc.sh
expect "^\\. '$PWD/ucc.sh'\$"
run 0 explain allreduce -P 4 -s 8 --decision ucc.conf
expect "knomial, UCC's radix"
run 2 lint --json ucx.conf rules.conf
expect '"target": null, "kind": "ucx-variables", "refused": "ucx.conf: variables of UCX; '
expect '"kind": "openmpi-rules", "refused": null'
run 1 lint mca-params.conf
expect '^mca-params.conf:2:1: warning: .* \[OMPI-305\]$'
run 0 lint --activate han.rules
expect "^han.rules: rules of Open MPI's coll/han$"
expect "^export OMPI_MCA_coll_han_dynamic_rules_filename='$PWD/han.rules'\$"
run 2 lint --target mpich-4.0 han.rules
expect "^tutti: han.rules: rules of Open MPI's coll/han, no file for mpich-4.0$"
for file in ucx.conf letter; do
  run 2 explain bcast -P 8 -s 8 --decision "$PWD/$file"
  expect "^tutti: .*/$file: (variables of UCX|no tuning file)"
done
run 0 explain bcast -P 8 -s 8 --decision "$PWD/mca-params.conf"
expect 'coll_tuned_use_dynamic_rules is not set'
run 2 compare untuned han.rules --platform here -P 2 -s 8
expect 'han.rules: rules of .*: only lint and explain read such files$'

run 1 lint --json rules.conf note
command -v python3 >/dev/null && { python3 -m json.tool out >/dev/null || die 'not JSON'; }
expect '"line": 4, "column": 6, "code": "OMPI-007", "severity": "error"'
run 1 lint --json rules.conf note
cp out again
run 1 lint --json rules.conf note
cmp -s out again || die 'the same command, other bytes'

run 2 lint
run 2 lint --target openmpi-3 rules.conf
expect "'openmpi-3' .*is no library"
run 2 lint missing
expect 'missing: No such file'

# A variable that names no file makes MPICH crash, whatever is in the file at hand.
echo bcast/in-order-binomial >binomial.txt
run 0 export binomial.txt --format mpich -o here.json
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=none.json run 0 lint here.json
expect '^tutti: warning: the variable MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names none.json: No such file'
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=none.json run 0 explain bcast -P 8 -s 8 --decision here.json
expect '^tutti: warning: the variable MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE names none.json: No such file'
run 0 export bcast/binomial --format openmpi -o here.rules
OMPI_MCA_coll_tuned_dynamic_rules_filename=none.rules run 0 lint here.rules
expect '^tutti: warning: OMPI_MCA_coll_tuned_dynamic_rules_filename of the environment names none.rules, which cannot be read: Open MPI'
OMPI_MCA_coll_tuned_dynamic_rules_filename=none.rules run 0 explain bcast -P 8 -s 8 --decision here.rules
expect '^tutti: warning: OMPI_MCA_coll_tuned_dynamic_rules_filename of the environment names none.rules'
MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=here.json run 0 lint here.json
grep -q warning: err && die "the file is there: $(cat err)"

# The page has all codes, and no others, with their words.
run 0 lint --list-codes
while read -r code severity title; do
  grep -qF "| $code | $severity | $title |" "$source/docs/reference/lint.md" || die "docs/reference/lint.md does not have: $code $title"
done <out
[ "$(grep -c '^| [A-Z]*-[0-9]' "$source/docs/reference/lint.md")" -eq "$(wc -l <out)" ] || die 'docs/reference/lint.md has other codes'
run 0 lint --list-codes --json
command -v python3 >/dev/null && { python3 -m json.tool out >/dev/null || die 'not JSON'; }
echo '1 passed, 0 failed'
