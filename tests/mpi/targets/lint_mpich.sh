# MPICH, sourced by run.sh: programs die under files in which tutti lint finds errors, and run under others. Calls are
# explained, too: what `tutti explain` says runs is what runs.
printf 'bcast/scatter-ring ranks=..5 bytes=..1000\nbcast/in-order-binomial\nallgather/bruck bytes=..99\nallgather/ring\n' \
  >rules.txt
printf 'alltoall/pairwise bytes=..99\nalltoall/bruck\nreduce/rabenseifner bytes=..4000\nreduce/in-order-binomial\n' \
  >>rules.txt
printf 'barrier/bruck\n' >>rules.txt
run 0 export rules.txt --format "$format" -o whole
run 0 lint --target "$target" whole
launch 3 "$PWD/whole" bcast/in-order-binomial@1001 || die "the whole file: $(cat err)"

# The barrier, of which MPICH 4.1 has another.
leaf=$(sed -n 's/.*\({"algorithm=MPIR_Barrier_intra_[a-z_]*dissemination": .*}}\).*/\1/p' whole | sed q)
case $leaf in
*_k_*) barrier=k_dissemination other=dissemination ;;
*) barrier=dissemination other=k_dissemination ;;
esac

# broken NAME CODE SED-SCRIPT [CALL [EXPLAINED]]: the file with a fault; what the program calls
broken() {
  sed "$3" whole >"$1"
  cmp -s whole "$1" && die "$1: nothing is changed"
  "$tutti" lint --target "$target" "$1" >found && die "$1: nothing found"
  grep -q "\[$2\]" found || die "$1: no $2 in $(cat found)"
  launch 3 "$PWD/$1" "${4:-barrier/bruck@0}" && die "$1: the program has run: $(cat told)"
  return 0
}
broken json MPICH-001 '$d'
broken missing MPICH-002 's/"collective=bcast"/"collective=ibcast"/' bcast/in-order-binomial@8
broken value MPICH-004 "s/$leaf/1/"
broken key MPICH-005 's/"comm_size=any"/"comm_size=all"/'
broken collective MPICH-006 's/"collective=bcast"/"collective=broadcast"/'
broken algorithm MPICH-007 "s/MPIR_Barrier_intra_$barrier/MPIR_Barrier_intra_$other/"
broken foreign MPICH-008 "s/$leaf/{\"algorithm=MPIR_Bcast_intra_binomial\": {}}/"
broken chain MPICH-009 's/"avg_msg_size=any"/"avg_msg_size<=1000000"/'
broken after MPICH-010 's/"avg_msg_size<=4000"/"count=any"/'
broken leaf MPICH-012 "s/$leaf/{}/"
broken end MPICH-013 's/"is_op_built_in=yes"/"is_op_built_in=no"/' reduce/in-order-binomial@400
broken restricted MPICH-015 's/Allgather_intra_brucks/Allgather_intra_recursive_doubling/' allgather/bruck@8
broken beside MPICH-023 "s/$leaf/${leaf%\}}, \"k=2\": {}}/"

# Names of algorithms: lint knows those that the library reads, and of all that come and go no others.
library=$(ldd "$program" | sed -n 's/.*libmpich\.so.* => \([^ ]*\) .*/\1/p')
grep -ao 'algorithm=MPIR_[A-Za-z_]*' "$library" | sort -u >real
sed -n 's/^ALGORITHM("\([A-Za-z_]*\)".*/algorithm=MPIR_\1/p' "$source/src/decision/libraries/mpich/names.def" | sort -u - real >all
awk 'BEGIN { printf "{\"collective=barrier\": {" }
  { printf "%s\"comm_size<=%d\": {\"%s\": {}}", (NR == 1 ? "\n" : ",\n"), NR, $0 }
  END { print "}}" }' all >names
"$tutti" lint --target "$target" names >found
sed -n "s/.*'MPIR_\([A-Za-z_]*\)' is not known .MPICH-007.\$/algorithm=MPIR_\1/p" found | sort -u >unknown
comm -23 all unknown | diff - real >differences || die "names of lint (<) and of the library (>): $(cat differences)"
[ -s unknown ] || die "lint calls no algorithm unknown: $(cat found)"

# The device layers, each by its variable. A file of CH4 that names what it does not have, or what does not serve, ends
# the program; one that leaves calls open does not. Debian's MPICH has no shared-memory layer, and ignores such a file.
mpich_layer() { # runs|dies|wrong CODE LEAF: allreduce
  printf '{"collective=allreduce": {"comm_type=intra": %s}}\n' "$3" >layer.json
  "$tutti" lint --target "$target" layer.json >found
  grep -q "^layer.json: a selection of MPICH's" found || die "not recognized: $(cat found)"
  [ "$2" = - ] && ! grep -q ': error:' found || grep -q "\[$2\]" found || die "no $2 in $(cat found)"
  does=runs
  launch 3 "$PWD/layer.json" allreduce/recursive-doubling@8 || does=dies
  ! grep -q 'sent 0 0 0' told || does=wrong # nobody has the sum
  [ "$does" = "$1" ] || die "$does: $3: $(cat told err)"
}
composition='composition=MPIDI_Allreduce_intra_composition'
mpich_layer runs - "{\"${composition}_beta\": {}}"
mpich_layer runs - "{\"comm_size<=2\": {\"${composition}_beta\": {}}, \"comm_size=any\": {\"${composition}_gamma\": {}}}"
mpich_layer runs - "{\"is_commutative=no\": {\"${composition}_beta\": {}}}"
mpich_layer dies MPICH-007 "{\"${composition}_omega\": {}}"
mpich_layer dies MPICH-008 '{"composition=MPIDI_Bcast_intra_composition_gamma": {}}'
mpich_layer dies MPICH-009 "{\"comm_size<=2\": {\"${composition}_beta\": {}}}"
mpich_layer wrong MPICH-015 "{\"${composition}_alpha\": {}}"
shared='{"algorithm=MPIDI_POSIX_mpi_allreduce_release_gather": {}}'
mpich_layer runs - "{\"is_multi_threaded=no\": {\"is_commutative=yes\": $shared}}"
mpich_layer runs MPICH-015 "$shared"
case $version in
4.0.*) grep -q '\[MPICH-036\]' found ;;
*) grep -q '\[MPICH-028\]' found ;;
esac || die "not a word about the layer: $(cat found)"
if [ "$version" = 4.0.2 ]; then # all compositions
  grep -ao 'composition=MPIDI_[A-Za-z_]*' "$library" | sort -u >real
  sed -n '/, 40[0-9],/!s/^DEVICE(CH4, [a-z_]*, "\([A-Za-z_]*\)".*/composition=\1/p' "$source/src/decision/libraries/mpich/devices.def" |
    sort -u | diff - real || die 'compositions of lint (<) and of the library (>)'
fi

# Compositions as they are written, on two nodes that the library makes of its ranks: the one that explain finds runs, for
# the program lives with it alone, and dies without it.
printf 'bcast/native/selector=alpha bytes=..99\nbcast/native/selector=beta bytes=..999\nbcast/native/selector=gamma\n' >layers.txt
case $version in
4.0.*) layer=mpich-ch4-4.0 ;;
*) layer=mpich-ch4-4.1 ;;
esac
run 0 export layers.txt --format "$layer" -o layer
cliques() { # FILE BYTES
  MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$PWD/$1 MPIR_CVAR_NUM_CLIQUES=2 timeout $PATIENCE mpiexec.mpich -n 4 \
    -env LD_PRELOAD "$count $build/mpich/libtest-yield.so" "$program" "bcast/in-order-binomial@$2" >told 2>err && grep -Eqx 'end|[0-9]+ faults' told
}
for bytes in 99 100 1000; do
  run 0 explain bcast -n 4 -s $bytes --ranks-per-node 2 --decision layer --json
  line=$(tr -d '\n' <out | sed 's/.*"line": \([0-9]*\)[^}]*"composition=.*/\1/')
  other='s/composition=MPIDI_Bcast_[a-z_]*/composition=MPIDI_Gather_intra_composition_alpha/'
  sed "$line!$other" layer >kept
  sed "$line$other" layer >lost
  cliques kept $bytes || die "not line $line for $bytes B: $(cat out told err)"
  ! cliques lost $bytes || die "without line $line $bytes B are sent all the same: $(cat out told)"
done

# comm_size< below a condition on the message holds for as many ranks, too.
binomial='{"algorithm=MPIR_Bcast_intra_binomial": {}}' ring='{"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}'
for bound in 3 2; do
  few="{\"avg_msg_size=any\": {\"comm_size<$bound\": $ring, \"comm_size=any\": $binomial}}"
  sed "s/$binomial/$few/" whole >less
  "$tutti" lint --target "$target" less >found
  grep -q '\[MPICH-016\]' found || die "no MPICH-016 in $(cat found)"
  run 0 explain bcast -n 3 -s 2000 --decision less --target "$target"
  launch 3 "$PWD/less" bcast/in-order-binomial@2000 || die "$(cat err)"
  case $bound in
  3) expect 'which is bcast/scatter-ring' && grep -q ': otherwise: ' told || die "comm_size<3 is not <= : $(cat told)" ;;
  2) expect 'which is bcast/in-order-binomial' && grep -q ': as decided: ' told || die "comm_size<2: $(cat told)" ;;
  esac
done

# explained RANKS COLLECTIVE@BYTES...
explained() {
  ranks=$1 named=
  shift
  for call; do
    run 0 explain "${call%@*}" -n "$ranks" -s "${call#*@}" --decision whole --target "$target" --json
    method=$(sed -n 's/.*"method": "\([^"]*\)".*/\1/p' out)
    [ "$method" != bcast/scatter-ring ] || call="$call#7,4,5,4,4"
    named="$named $method@${call#*@}"
  done
  told "$ranks" "$PWD/whole" $named
}
explained 5 bcast@1000 bcast@1001 allgather@99 allgather@100 alltoall@99 alltoall@100 reduce@4000 reduce@4004 barrier@0
explained 8 allgather@99 alltoall@100 reduce@4000
