#!/bin/sh
# The fast engine: its times are those of SMPI, digit by digit, on points drawn at random by a seed, ENGINE_SEED,
# that others may change; and what it does not know it refuses with the line of the platform file.
#
# usage: engine.sh BUILD_DIR SOURCE_DIR
#   ENGINE_ROUNDS draws for each of ENGINE_PLATFORMS, from ENGINE_RANKS and ENGINE_SIZES, lists of words: to compare more.
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
platforms=$source/platforms
. "$source/tests/e2e/draw.sh"

# One point a launch: under SMPI a point changes the order in which the ranks start in the next one.
compare() {
  for engine in "fast" "smpi --chunk 1"; do
    # Behind a barrier a disturbed call may take no time of its own.
    # shellcheck disable=SC2086
    "$tutti" bench "$@" --engine $engine --db "$db" -q >out 2>err || expect 'no time to store'
  done
  rm -rf "$db.work"
}
equal() {
  sqlite3 "$1" "
    WITH of AS (SELECT e.flavor, m.* FROM measurement m JOIN environment e ON e.id = m.environment)
    SELECT count(*) || ' ' || coalesce(sum(f.median_s = s.median_s), 0) FROM of f JOIN of s
    USING (method, scheme, ranks, root, count, type_B, arrival, noise) WHERE f.flavor = 'fast' AND s.flavor = 'smpi'"
}
# SimGrid 4 breaks some ties of messages at the same time otherwise (docs/how-to/other-systems.md).
smpirun --version | grep -q 'SimGrid version 3\.32' && least=100 || least=90
all=0 same=0
for platform in ${ENGINE_PLATFORMS:-grig_mx grig_mx_ob1 boba_gige_loggp ./torus.xml cisco_infiniband ./bgp.xml ./supermuc.xml ./dragonfly.xml ./plus.xml \
  ./backbone.xml ./switch.xml ./ports.xml ./cables.xml ./eager.xml ./gap.xml ./touch.xml ./small.xml ./defaults.xml ./instant.xml}; do
  case $platform in
    ./torus.xml | ./bgp.xml | ./supermuc.xml) few_nodes "$(basename "$platform" .xml)" ;;
    *dragonfly.xml)
      sed 's/topology="TORUS"/topology="DRAGONFLY"/; s/topo_parameters="[^"]*"/topo_parameters="3,1;2,2;4,1;2"/
        s/radical="[^"]*"/radical="0-47"/' "$platforms/bgp.xml" >"$platform" ;;
    *plus.xml) # two ranks a node, whose two cards are one link
      "$tutti" platform new dragonfly+ 3x2x2 --latency 1.9us --bandwidth 2GBps --nics 2 --ranks-per-node 2 -o "$platform" \
        >out 2>err || die "$(cat err)" ;;
    *backbone.xml)
      sed 's/loopback_bw=/bb_bw="1GBps" bb_lat="1us" limiter_link="800MBps" loopback_bw=/' \
        "$platforms/cisco_infiniband.xml" >"$platform" ;;
    *switch.xml) # which loses throughput when more than so many messages meet, as its ports do
      sed 's/loopback_bw=/bb_bw="5GBps" bb_lat="0us" loopback_bw=/
        s/\( *\)<cluster /\1<prop id="tutti\/backbone-contention" value="5\/0.4"\/>\n&/
        s/\( *\)<cluster /\1<prop id="tutti\/port-contention" value="2\/0.3"\/>\n&/' \
        "$platforms/cisco_infiniband.xml" >"$platform" ;;
    *ports.xml)
      "$tutti" whatif boba_gige --set port-contention=2/0.25 -o "$platform" >out 2>err || die "$(cat err)" ;;
    *cables.xml) # which carry one message at a time, unlike the backbone; two ranks a node
      "$tutti" whatif boba_gige --set backbone-bandwidth=200MBps --set backbone-latency=0us --set backbone-contention=2/0.3 \
        --set loopback-latency=1us --set loopback-bandwidth=1GBps --set ranks_per_node=2 -o "$platform" >out 2>err ||
        die "$(cat err)" ;;
    *eager.xml) # the sender does not wait
      sed 's/\(detached-thresh" value=\)"0"/\1"4001"/; s/\(smpi\/or" value=\)"0:0:0"/\1"0:1e-6:1e-9;1000:2e-6:0"/' \
        "$platforms/grig_mx_loggp.xml" >"$platform" ;;
    *gap.xml) # a rank receives one message at a time, eager ones and others
      sed 's/\(detached-thresh" value=\)"0"/\1"1001"/; s/\(smpi\/or" value=\)"0:0:0"/\1"0:1e-6:1e-9"/
        s/\( *\)<cluster /\1<prop id="tutti\/receive-gap-s" value="3.3e-6"\/>\n&/' "$platforms/grig_mx_loggp.xml" >"$platform" ;;
    *touch.xml) # temporaries are touched first
      sed 's/\( *\)<cluster /\1<prop id="tutti\/first-touch-s" value="3.3e-10"\/>\n&/' "$platforms/grig_mx.xml" >"$platform" ;;
    *defaults.xml) # SimGrid's own factors, weights and window, and flows of the other way
      few_nodes torus
      sed '/<prop id="\(smpi\|network\)\//d' torus.xml >"$platform" ;;
    *instant.xml) # links that take no time; both ways of a cable are one link
      few_nodes torus
      sed 's/ lat="100ns"/ lat="0us"/; s/SPLITDUPLEX/SHARED/; /crosstraffic/d' torus.xml >"$platform" ;;
    *small.xml) # nor does the wire; MPI_Init takes its time, and latencies bound no rate
      few_nodes torus
      sed 's/<prop id="smpi\/test".*/<prop id="smpi\/init" value="0.01"\/>/; s/\(TCP-gamma" value=\)"[^"]*"/\1"0"/
        s/\(-thresh" value=\)"0"/\1"1000000"/; s/\(smpi\/or" value=\)"0:0:0"/\1"0:1e-6:1e-9"/' \
        torus.xml >"$platform" ;; # the one of few nodes
  esac
  "$tutti" platform options "$platform" >options 2>err || die "$platform: $(cat err)"
  [ ! -s err ] || { echo "left out: $(cat err)" && continue; } # SimGrid 4 charges overheads of several pieces otherwise
  db=$(basename "$platform" .xml).db
  for round in $(seq "${ENGINE_ROUNDS:-3}"); do
    pick allgather allgatherv alltoall alltoallv allreduce barrier bcast gather gatherv reduce reduce_scatter_block \
      scatter scan exscan
    collective=$picked
    # shellcheck disable=SC2086 # words
    pick ${ENGINE_RANKS:-2 3 4 5 7 8 11 13 16}
    ranks=$picked
    # shellcheck disable=SC2086
    pick ${ENGINE_SIZES:-8 64 1KB 4000 16KB}
    size=$picked
    pick none uniform/20us/seed=5 straggler/50us/seed=3
    arrival=$picked
    pick none none exponential/2us/seed=1 detour/30us/4us/seed=2 \
      spread/5%/outliers=10%/by=3/seed=4
    noise=$picked
    pick occ window
    scheme=$picked
    draw "$ranks"
    case $collective in bcast | gather | gatherv | reduce | scatter) root=$drawn ;; *) root=0 ;; esac
    compare "$collective" --platform "$platform" -P "$ranks" -s "$size" --root "$root" --arrival "$arrival" \
      --noise "$noise" --scheme "$scheme"
  done
  found=$(equal "$db")
  [ "${found% *}" -gt 5 ] && [ $((100 * ${found#* })) -ge $((least * ${found% *})) ] ||
    die "$platform: compared and equal: $found"
  all=$((all + ${found% *})) same=$((same + ${found#* }))
done
# Temporaries are large enough to be touched first.
compare reduce_scatter_block,allreduce,alltoall --platform ./touch.xml -P 5 -s 150KB
[ "$(equal touch.db)" != "$found" ] && [ "$(equal touch.db | awk '{ print $1 - $2 }')" = 0 ] || die "first touch: $(equal touch.db)"
[ $all -gt 50 ] || die "only $all points were compared"
echo "$same of $all points are equal"

# The same bytes again; and 4,096 ranks that SMPI does not run here.
run 0 bench bcast,reduce --platform bgp -P 4096 -s 64KB --methods binomial/8KB --engine fast --db big.db -q
run 0 bench bcast,reduce --platform bgp -P 4096 -s 64KB --methods binomial/8KB --engine fast --db again.db -q
times='SELECT quote(median_s) FROM measurement ORDER BY method'
[ "$(sqlite3 big.db "$times")" = "$(sqlite3 again.db "$times")" ] || die "not the same times twice"

# ---- what asks for it: an option, a file; in any number of jobs; in several orders of start ----

sweep="bcast,allreduce --platform grig_mx -P 8,16 -s 8,64KB"
run 0 bench $sweep --engine fast --orders 4 --write orders.xml
grep -q '<experiment name="bcast+allreduce" engine="fast">' orders.xml || die "no engine in $(cat orders.xml)"
grep -q '<measure orders="4"/>' orders.xml || die "no orders in $(cat orders.xml)"
all='SELECT m.name, t.ranks, t.rank_B, t.launch, quote(t.median_s) FROM measurement t JOIN method m ON m.id = t.method
  JOIN environment e ON e.id = t.environment WHERE e.flavor = "fast" ORDER BY 1, 2, 3, 4'
run 0 bench orders.xml --db orders.db -q -j 1
run 0 bench $sweep --engine fast --orders 2 --db jobs.db -q -j 3
run 0 bench orders.xml --db jobs.db -q -j 3
sqlite3 orders.db "$all" >one && sqlite3 jobs.db "$all" >three
[ -s one ] && cmp one three || die "other times with 3 jobs, or in two runs"
[ "$(cut -d'|' -f4 one | sort -u | tr '\n' ' ')" = "0 1 2 3 " ] || die "not four orders"
run 0 map allreduce --platform grig_mx --db orders.db --json --times
sed -n '/"noise_s"/,$p' out | grep -q '[1-9]e-06' || die "no spread of the orders: $(cat out)"
# SMPI has one order, which is the first.
run 0 bench orders.xml --engine smpi --db orders.db -q
[ "$(sqlite3 orders.db 'SELECT max(launch) FROM measurement t JOIN environment e ON e.id = t.environment
  WHERE flavor = "smpi"')" = 0 ] || die "SMPI in several orders"
run 2 bench $sweep --orders 2 --db orders.db
expect 'only the engines fast and flow start the ranks in several orders'

# A store with rows of both asks which: by a line that can be pasted. Of a user's own file what is missing is measured
# from that file again.
cp "$TUTTI_PLATFORM_PATH/grig_mx.xml" own.xml
for engine in fast smpi; do
  run 0 bench bcast --platform ./own.xml -P 4 -s 8 --methods linear --engine $engine --db own.db -q
done
for platform in '' '--platform own' '--platform ./own.xml'; do
  # shellcheck disable=SC2086
  run 2 map alltoall --db own.db $platform
  expect '^  tutti bench alltoall --platform \./own\.xml -P 2\.\.16\*2 -s 4B\.\.1MB\*4 --db own\.db$'
done
run 2 map bcast --platform grig_mx --db orders.db
expect "^  --engine fast  # fast, library 'Engine-1'"
run 0 map bcast --platform grig_mx --db orders.db --json $(sed -n 's/^ *\(--engine fast\)  # fast.*/\1/p' err)
mv out pasted
run 0 map bcast --platform grig_mx --db orders.db --json --engine fast
cmp out pasted || die "--engine fast shows other rows"
run 2 map bcast --platform grig_mx --db orders.db --engine fast --flavor mpich
expect '--engine and --flavor'
# Claims see the rows of the engine of their experiment.
for engine in fast smpi; do
  other=$([ $engine = fast ] && echo smpi || echo fast)
  sed "s/engine=\"fast\"/engine=\"$engine\"/; /<.experiment>/d" orders.xml >claims.xml
  cat >>claims.xml <<EOF
<claim what="own" published="&gt; 0">SELECT count(*) FROM points WHERE flavor = '$engine'</claim>
<claim what="each once" published="true">SELECT count(*) = count(DISTINCT method || ' ' || ranks || ' ' || bytes) FROM points</claim>
<claim what="other" published="0">SELECT count(*) FROM points WHERE flavor = '$other'</claim>
</experiment>
EOF
  run 0 bench claims.xml --db orders.db -q
  expect '^bcast\+allreduce: reproduced'
done

# Both engines say the same of a call that takes no longer than the barrier after it.
for engine in fast smpi; do
  run 2 bench gather --platform supermuc -P 17 -s 1 --root 3 --methods linear --scheme occ --engine $engine \
    --arrival uniform/20us/seed=5 --noise detour/30us/4us/seed=2 --db without.db -q
  sed -n 's/ (see .*//; s/.*with status 2 while//p' err >said.$engine
done
[ -s said.fast ] && cmp said.fast said.smpi || die "other words: $(cat said.*)"

# What it does not know.
sed 's/topo_parameters="[^"]*"/topo_parameters="5,1;2,2;4,1;2"/; s/topology="TORUS"/topology="DRAGONFLY"/
  s/radical="[^"]*"/radical="0-79"/' "$platforms/bgp.xml" >groups.xml
run 2 bench bcast --platform ./groups.xml -P 4 -s 8 --engine fast --db none.db -q
expect 'a dragonfly of 5 groups with 4 routers a chassis'
run 2 bench bcast --platform grig_mx --flavor mpich -P 2 -s 8 --engine fast --db none.db
expect 'the engine fast simulates a platform, and there is none'
run 0 bench bcast --platform grig_mx -P 4 -s 8 --methods native,binomial --engine fast --db native.db -q
expect '1 point measured, 0 there already, 1 of a library, which the engine does not run,'
run 2 bench bcast --platform grig_mx -P 4 -s 8 --methods native --engine fast --db nothing.db -q
expect '^tutti: .*: the engine fast runs schedules; what a library runs \(native, @smpi\) SMPI alone can run: --engine smpi$'
[ ! -e nothing.db ] || die "a sweep of nothing made a store"
