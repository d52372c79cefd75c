#!/bin/sh
# tutti lint --fix: what can be meant in one way only is mended, the rest is left and said; and what of a file is in effect.
#
# usage: lint_fix.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

fix() { # STATUS FILE TARGET: into fixed; nothing that was mended is left
  rm -f fixed
  run "$1" lint --fix "$2" --target "$3" -o fixed
  cp out said
  mended=$(grep -c ': mended: ' said)
  expect "^$mended faults? mended; fixed for $3"
  grep -o ': mended: .*\[[A-Z]*-[0-9]*\]$' said | grep -o '[A-Z]*-[0-9]*\]$' | sort -u >codes
  "$tutti" lint fixed --target "$3" >left 2>err
  while read -r code; do
    ! grep -q "$code" left || die "$2: $code was mended and is there: $(cat said left)"
  done <codes
  # Again there is nothing to mend, and the same bytes.
  "$tutti" lint --fix fixed --target "$3" -o again >out 2>err
  grep -q '^0 faults mended; ' out && cmp -s fixed again || die "$2: mended twice: $(cat out)"
}
text() { # FILE: without comments, words with one blank between
  sed 's/#.*//' "$1" | tr -s ' \n' ' '
}

# --- rules of Open MPI ---

# A wrong count hides what is wrong after it; the second block does not begin at 0 bytes; 1024 is no segment of bcast 1.
printf '2\n7\n2\n2 1 # two\n0 1 0 1024\n8 3\n1 6 0 0\n1024 6 0 8192\n3 2\n2 1\n0 3 0 0\n' >openmpi.rules
run 1 lint openmpi.rules
expect "^In effect: nothing: the library's own choice everywhere; line 6: All numbers after it"
fix 0 openmpi.rules openmpi-4.1
[ "$(text fixed)" = '2 7 2 2 1 0 1 0 0 8 3 0 0 0 0 1 6 0 0 1024 6 0 8192 3 1 2 1 0 3 0 0 ' ] || die "mended: $(cat fixed)"
grep -q '# two' fixed || die "the comment is gone: $(cat fixed)"
grep -q "^In effect: rules for bcast, alltoall; the library's own choice for all else$" said || die "in effect: $(cat said)"
[ "$(cat openmpi.rules | cksum)" = "$(printf '2\n7\n2\n2 1 # two\n0 1 0 1024\n8 3\n1 6 0 0\n1024 6 0 8192\n3 2\n2 1\n0 3 0 0\n' | cksum)" ] ||
  die "the file itself was changed"
run 0 lint fixed --json
expect '"in_effect":'
expect '"rule_count":'

# No algorithm 10, and a number that may be octal, can be meant in several ways: they stay.
printf '1\n7\n1\n8 1\n010 10 0 0\n' >openmpi.rules
fix 1 openmpi.rules openmpi-4.1
grep -q 'OMPI-007' said && grep -q 'OMPI-009' said || die "not left: $(cat said)"
[ "$(text fixed)" = '1 7 1 8 2 0 0 0 0 010 10 0 0 ' ] || die "mended: $(cat fixed)"

# Parameters, with what an editor of another system leaves behind.
printf '\357\273\277coll_tuned_use_dynamic_rules = 1\r\nOMPI_MCA_coll_tuned_bcast_algorithm = 6\r\n' >params.conf
fix 0 params.conf openmpi-4.1
printf 'coll_tuned_use_dynamic_rules = 1\ncoll_tuned_bcast_algorithm = 6\n' | cmp -s - fixed || die "parameters: $(cat said fixed)"

# --- selections of MPICH ---

leaf='{"algorithm=MPIR_Bcast_intra_binomial":{}}'
small="\"avg_msg_size<=8\":{\"comm_size<8\":$leaf,\"comm_size=any\":$leaf},\"avg_msg_size=any\":$leaf"
inter='"comm_type=inter":{"algorithm=MPIR_Bcast_inter_remote_send_local_bcast":{}}'
printf '\357\273\277{"collective=bcast":{"comm_type=intra":{%s},%s}}\n' "$small" "$inter" >mpich.json
for target in mpich-4.0 mpich-5; do
  run 1 lint mpich.json --target $target
  fix 0 mpich.json $target
  grep -q '"comm_size<=7"' fixed || die "comm_size: $(sed q fixed)"
  python3 -c 'import json, sys; json.load(open(sys.argv[1], encoding="ascii"))' fixed || die "no JSON: $(cat fixed)"
  grep -q "^In effect: rules for bcast; the library's own choice for all else$" said || die "in effect: $(cat said)"
done
echo '{}' >mpich.json
fix 0 mpich.json mpich-4.0
cp fixed whole.json
size=$(wc -c <whole.json)
{ cat whole.json; awk -v blanks=$((4096 - size % 4096)) 'BEGIN { printf "%*s", blanks, "" }'; } >mpich.json
fix 0 mpich.json mpich-4.0
[ "$(wc -c <fixed)" -eq $(($(wc -c <mpich.json) + 1)) ] || die "a page: $(cat said)"

# --- Tutti's own rules ---

printf 'bcast/binomial ranks=2..8\nbcast/linear ranks=4 # never\nbcast/chain\n' >own.rules
fix 0 own.rules tutti
printf 'bcast/binomial ranks=2..8\nbcast/chain\n' | cmp -s - fixed || die "rules: $(cat fixed)"

# --- all that the fuzzers begin with: a mended file has no fault of a kind that was mended ---

tried=0
for seed in "$source"/tests/fuzz/seeds/*.tuning; do
  case $seed in */mpich*) target=mpich-4.0 ;; */openmpi6*) target=openmpi-6 ;; *) target=openmpi-4.1 ;; esac
  "$tutti" lint "$seed" --target $target >out 2>err
  status=$?
  [ $status -le 1 ] || continue
  "$tutti" lint --fix "$seed" --target $target -o fixed >out 2>err
  fix $? "$seed" $target
  tried=$((tried + 1))
done
[ $tried -gt 4 ] || die "$tried seeds were judged"

# --- usage ---

run 2 lint --fix own.rules
expect '^tutti lint: --fix and --output go together'
run 2 lint -o fixed own.rules
expect '^tutti lint: --fix and --output go together'
run 2 lint --fix own.rules -o own.rules
expect 'own.rules: would be replaced, and is the file of FILE, too'
ln -s own.rules link.rules
run 2 lint --fix own.rules -o link.rules
expect 'would be replaced'
run 2 lint --fix own.rules params.conf -o fixed
expect '^tutti lint: --fix mends one file at a time'
run 2 lint --fix own.rules -o fixed --json
expect '^tutti lint: --fix prints text'
echo nonsense >nonsense
rm -f fixed
run 2 lint --fix nonsense -o fixed
[ ! -e fixed ] || die "a file of nothing"
exit 0
