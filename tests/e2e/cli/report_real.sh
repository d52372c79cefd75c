#!/bin/sh
# tutti report of real machines: the rules of the page are those that its commands give, and its notes those of tutti map.
#
# usage: report_real.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/stores.sh"

# Bytes and microseconds, known to 10 %: binomial wins large messages, and wins others by luck.
cat >openmpi.times <<'END'
bcast/native 1 1 64 2 4096 6 65536 90
bcast/linear@openmpi 1 0.97 64 3 4096 7 65536 80
bcast/binomial@openmpi 1 3 64 1.9 4096 5.9 65536 20
allreduce/native 8 1 64 2
allreduce/recursive-doubling@openmpi 8 0.96 64 2
allreduce/ring@openmpi 8 3 64 1.93
END
sed 's/linear@openmpi/in-order-binomial@mpich/; s/binomial@openmpi/scatter-ring@mpich/; s/\/ring@openmpi/\/rabenseifner@mpich/
  s/@openmpi/@mpich/' openmpi.times >mpich.times
machine='ranks_per_node=4 cores=2' spread=' spread_percent=10'
library=OpenMPI-4.1.4
store real.db openmpi openmpi.times
library=MPICH-4.0.2
store real.db mpich mpich.times
run 0 report --db real.db -o page.html

# --- rules ---

# The rules of each map, and the command below them.
awk '/<article/ { map++ } { print >"map-" map ".html" }' page.html
as_text() {
  sed 's/<[^>]*>//g; s/&lt;/</g; s/&gt;/>/g; s/&#39;/'"'"'/g'
}
maps=0
for map in map-?.html; do
  grep -q '<article' $map || continue
  maps=$((maps + 1))
  sed -n '/<pre class="rules"/,/<\/pre>/p' $map | as_text | sed '/^$/d' >rules
  [ -s rules ] || die "$map: no rules"
  learn=$(grep -o 'tutti learn optimal [^<]*' $map) || die "$map: no command"
  (tutti() { "$build/tutti" "$@"; } && eval "$learn") >out 2>err || die "$learn: $(cat out err)"
  sed '1,/^attribute bytes/d; s/\.0\([)\/]\)/\1/g' "$(echo "$learn" | sed 's/.* -o \([^ ]*\).*/\1/')" >learnt
  cmp -s rules learnt || die "$learn gives $(cat learnt) where the page has $(cat rules)"
  cat rules >>all_rules
done
[ $maps -eq 4 ] || die "$maps maps instead of 4"
grep -q 'binomial@openmpi' all_rules && grep -q 'native' all_rules || die "nothing to compare: $(cat all_rules)"

# The library's own choice everywhere, here of allreduce, is nothing to install.
nothing=$(grep -l '<strong>There is nothing to install' map-?.html)
[ "$(echo $nothing | wc -w)" -eq "$(grep -c '^native ([48])$' all_rules)" ] || die "nothing to install in $nothing, but: $(cat all_rules)"
for map in $nothing; do
  grep -q 'tutti export\|tutti compare' $map && die "$map: installs what is nothing"
done

# --- two libraries in one store ---

# Titles tell them apart, and an environment has the number that --environment has.
as_text <page.html | grep '^[a-z]* on here' | sort >titles
[ -z "$(uniq -d titles)" ] && grep -q '^bcast on here, MPICH-4.0.2' titles || die "titles: $(cat titles)"
for number in 1 2; do
  flavor=$(as_text <page.html | sed -n "s/^E${number}here.*\(openmpi\|mpich\)\(OpenMPI\|MPICH\)-.*/\1/p")
  run 0 map bcast --platform here --environment $number --db real.db
  expect "@$flavor "
done
for option in '--flavor mpich' '--library MPICH-4.0.2' '--environment 2' '--scheme window --setting X= --flavor mpich'; do
  run 0 report --db real.db $option -o one.html
  [ "$(grep -c '<article' one.html)" -eq 2 ] && grep -q '@mpich' one.html && ! grep -q '@openmpi' one.html ||
    die "$option: $(as_text <one.html | grep ' on here')"
done
run 2 report --db real.db --library LAM-7 -o none.html
expect 'real.db: nothing was measured so; there is:'
expect '^  --environment 1  # here, openmpi, OpenMPI-4.1.4$'

# Whose methods can be best, as in tutti map, and the commands of the page say it, too.
run 0 report --db real.db --flavor openmpi --native -o native.html
grep -q '"name":"bcast/native"[^}]*"candidate":true' native.html || die "--native: native cannot be best"
grep -o 'tutti map bcast [^<]*' native.html | grep -q -- ' --native$' || die "$(grep -o 'tutti map bcast [^<]*' native.html)"
grep -q '"name":"bcast/native"[^}]*"candidate":true' page.html && die "native is best where it is not in the race"
run 0 report --db real.db --of mpich -o one.html
[ "$(grep -c '<article' one.html)" -eq 2 ] && ! grep -q '@openmpi' one.html || die "--of mpich: $(as_text <one.html | grep ' on here')"
grep -o 'tutti map bcast [^<]*' one.html | grep -q -- ' --of mpich$' || die "$(grep -o 'tutti map bcast [^<]*' one.html)"
run 2 report --db real.db --of tutti -o none.html
expect 'real.db: nothing was measured with that root, arrival pattern and noise, and of that implementation'

# Of several roots one.
cp real.db roots.db
grep -v allreduce records | sed 's/root=0/root=3/; s/measurements=[0-9]*/measurements=12/' >rooted
run 0 import --format tutti rooted --db roots.db --platform here
run 0 report --db roots.db -o roots.html
[ "$(as_text <roots.html | grep -c '^bcast on here, MPICH-4.0.2, root [03]$')" -eq 2 ] || die "$(as_text <roots.html | grep '^bcast on')"
run 0 report --db roots.db --root 3 -o one.html
[ "$(grep -c '<h3>allreduce' one.html) $(grep -c '<h3>bcast' one.html)" = "2 1" ] || die "--root 3: $(grep '<h3>' one.html)"
[ "$(grep -o 'tutti [a-z]* bcast [^<]*' one.html | grep -vc -- ' --root 3$')" -eq 0 ] || die "$(grep -o 'tutti [a-z]* bcast [^<]*' one.html)"

# MPICH reads JSON.
as_text <page.html >text
grep -q -- '--format mpich -o bcast.json ' text && grep -q 'untuned bcast.json --between -o mended-bcast.json ' text &&
  grep -q -- '--format openmpi -o bcast.rules ' text || die "names of files: $(grep 'tutti export' text)"

# --- other libraries ---

# A map of a library's own algorithms says nothing of another library's rules or files: nobody runs these choices there.
run 0 learn optimal bcast --platform here --flavor openmpi --db real.db -o open.tree
run 0 report --db real.db --decision open.tree --csv
grep '^[a-z]*,here,MPICH' out | grep 'library:openmpi\|open.tree' && die "rules of Open MPI in MPICH's maps"
grep '^[a-z]*,here,OpenMPI' out | grep 'library:mpich' && die "rules of MPICH in Open MPI's maps"
expect '^bcast,here,OpenMPI.*,open.tree,'
expect '^bcast,here,MPICH.*,library:mpich-4.0,'
as_text <page.html | grep 'Without tuning' >untuned
[ "$(grep -c 'Without tuning, [a-z]*/native takes' untuned)" -eq 4 ] || die "$(cat untuned)"
grep -q 'mpi-\|mpich' untuned && die "rules of libraries where native was measured: $(cat untuned)"

# --- notes ---

# What tutti map says of ties, noise and ranks that took turns stands on the page.
for map in map-?.html; do
  shown=$(grep -o 'tutti map [^<]*' $map) || die "$map: no command"
  run 0 $(echo "$shown" | sed 's/^tutti //')
  grep -E '^  (Close|Ties|Incomplete|Noise|Oversubscribed|Cannot)|^    at ' out | sed 's/^ *//' >notes
  [ "$(grep -c '^Close: \|^Ties: \|^Noise: \|^Oversubscribed: 4 ranks took turns on 2 cores a node' notes)" -eq 3 ] || die "$shown: $(cat out)"
  sed -n '/<ul class="notes"/,/<\/ul>/p' $map | as_text | sed '/^$/d' >page_notes
  cmp -s notes page_notes || die "$map has $(cat page_notes) where tutti map has $(cat notes)"
done

# --- in a browser ---

as_text <page.html | grep -q 'noise of both counts as 0: .*native at [0-9]* of [0-9]* points' || die "no word of noise"
sed '1s/.*/bcast\/native 1 0.5 64 0.5 4096 1 65536 90/' openmpi.times >faster.times
library=OpenMPI-4.1.4
store faster.db openmpi faster.times
run 0 import --format tutti records --db faster.db --platform cluster_of_2_names_of_hosts
run 0 report --db faster.db -o faster.html
need python3 python3
need chromium chromium
need chromedriver chromium-driver
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE
timeout $PATIENCE python3 "$source/tests/e2e/report_real_page.py" faster.html || die "the page in Chromium"
exit 0
