#!/bin/sh
# tutti params measures the parameters of a simulated platform, once, and compares them with the published ones.
#
# usage: params.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid

# Hockney: no overhead, the gap is the wire's.
run 0 params grig_fast_ethernet --db p.db --compare
expect 'grig_fast_ethernet: measured, stored in p.db'
expect '^Hockney, fit +alpha .* 110\.65 +110\.65 +0\.00 %$'
expect '^Hockney, fit +beta .* 0\.0851 +0\.0851 +0\.00 %$'
expect '^Hockney, extremes +beta .* 0\.0852055 +0\.0851 +0\.12 %$'
expect '^LogGP +o +\[us\] +0 +19\.5 +-100\.00 %$'
expect '^LogGP +L \+ 2o .* 110\.735 '   # alpha + beta
expect '^LogGP +g .* 1\.4467 '          # 17 bytes on the wire: 1 and SMPI's envelope
expect '^LogGP +G .* 0\.0851 '
expect '^computation +gamma .* 0\.0005 '
expect '^ +1048576 +89235\.2 +0 +0$'
[ "$(grep -c '^[a-z]*/[a-z]* *0\.0005$' out)" -eq 9 ] || die "not nine gammas: $(cat out)"
[ ! -d p.db.work ] || die "the work directory was left behind: $(ls p.db.work)"

# What is stored is not measured again, unless told to.
mv out first
run 0 params grig_fast_ethernet --db p.db --compare --largest 1KB
expect 'as measured before, from p.db'
cmp -s out first || die "stored values differ: $(diff out first)"
grep -q '^tutti:' err && die "more is stored than was asked for: $(cat err)"
run 0 params grig_fast_ethernet --db p.db --largest 2MB
expect '^tutti: grig_fast_ethernet: measured to 1MB; --again measures to 2MB$'
grep -q contradict err && die "a simulated machine contradicts itself: $(cat err)"
if command -v sqlite3 >/dev/null; then
  cp p.db long.db
  sqlite3 long.db "UPDATE parameter SET value_s = 3 * value_s WHERE quantity = 'gap' AND message_B = 65536"
  run 0 params grig_fast_ethernet --db long.db
  expect '^tutti: grig_fast_ethernet: warning: at 64KB the gap is .* PLogP and LogGP contradict Hockney'
fi
run 0 params grig_fast_ethernet --db p.db --again --quiet --largest 1KB
[ ! -s err ] || die "--quiet says $(cat err)"
expect '^ +1024 +88\.504 +0 +0$'
grep -q '^ *2048 ' out && die "--largest 1KB measured 2048 bytes: $(cat out)"

# Same command, same bytes.
run 0 params grig_fast_ethernet --db p.db --again --json
mv out first
run 0 params grig_fast_ethernet --db p.db --again --json
cmp -s out first || die "two measurements differ: $(diff out first)"

# Another file of the same name is another platform; overhead goes to the sender (parameters.h).
mkdir other
sed -e 's/"smpi\/ois" value="[^"]*"/"smpi\/ois" value="0:19.5e-6:0"/' \
  -e '/tutti\/published-[LogG]/d' \
  -e 's/bw="[^"]*" lat="[^"]*"/bw="11641443.5390Bps" lat="62.31985us"/' \
  -e 's/.*tutti\/source.*/&<prop id="tutti\/published-L" value="106.6us"\/><prop id="tutti\/published-o" value="19.5us"\/>\
<prop id="tutti\/published-g" value="20us"\/><prop id="tutti\/published-G" value="0.0859e-6"\/>\
<prop id="tutti\/published-gamma" value="1e-9"\/>/' "$source/platforms/grig_fast_ethernet.xml" >other/grig_fast_ethernet.xml
run 0 params other/grig_fast_ethernet.xml --db p.db --compare
expect 'grig_fast_ethernet: measured, stored in p.db'
expect '^LogGP +o .* 9\.75 +19\.5 +-50\.00 %$'
expect '^LogGP +L \+ 2o .* 145\.514 +145\.6 +-0\.06 %$'
expect '^LogGP +g .* 19\.5 +20 +-2\.50 %$'
expect '^LogGP +G .* 0\.0859 +0\.0859 +0\.00 %$'
expect '^PLogP +o_s\(0\) .* 19\.5 '
expect '^PLogP +o_r\(0\) +\[us\] +0 '
expect '^computation +gamma .* 0\.0005 +0\.001 +-50\.00 %$'
"$tutti" platform show other/grig_fast_ethernet.xml >out || die "platform show failed"
expect '^published L +106\.6 us$'
expect '^published gamma +0\.001 us/B$'

# Four ranks a node: the partner is on the next one.
run 0 params bgp --db p.db --largest 1KB
expect 'bgp: measured'
expect '^Hockney, fit +alpha .* 2\.997[0-9]* *$'
grep -q 'on one node' err && die "$(cat err)"

# The measuring program by itself.
simulate grig_fast_ethernet 3 "$build/smpi/tutti-params" --largest 100 >out
[ "$(tail -n 1 out)" = "tutti-end v=1 measurements=$(grep -c ^tutti-parameter out)" ] || die "the records end: $(cat out)"
grep -q '^tutti-pair v=1 ranks=0,1 nodes=2$' out || die "another pair: $(cat out)"
echo n0 >hosts
smpirun -np 1 -platform "$TUTTI_PLATFORM_PATH/grig_fast_ethernet.xml" -hostfile hosts -no-privatize \
  --log=root.thres:warning "$build/smpi/tutti-params" >out 2>err && die "one rank: status 0: $(cat out err)"
expect '^tutti-params: two ranks are needed, not 1$'

# A failed measurement stores nothing.
run 2 params fast_ethernet --db p.db --program "$build/smpi/tutti-pingpong"
expect '^tutti: fast_ethernet: tutti-params on 2 ranks failed'
run 2 params fast_ethernet --db p.db --program nowhere
expect '^tutti: no measuring program for flavor smpi: nowhere'
sed 's/radical="0-63"/radical="0-0"/' "$source/platforms/grig_fast_ethernet.xml" >one_host.xml
run 2 params ./one_host.xml --db p.db
expect '^tutti: \./one_host\.xml: measuring needs two hosts, it has 1$'
run 0 params fast_ethernet --db p.db --largest 8
expect 'fast_ethernet: measured, stored'
run 2 params here --db p.db
expect "^tutti: platform 'here' not found"
expect '^tutti: a real machine has no platform file: name its flavor with --flavor .mpich, openmpi.$'
run 2 params ./here.xml --db p.db
grep -q 'real machine' err && die "a path is no real machine: $(cat err)"
run 2 params grig_fast_ethernet --db p.db --flavor lam
expect "'lam' is none of smpi, fast, flow, mpich, openmpi, other"
run 2 params grig_fast_ethernet --db p.db --tolerance 2
run 2 params grig_fast_ethernet --db p.db --largest 1GB
run 2 params
echo "parameters are those of the platform, measured once and compared"
