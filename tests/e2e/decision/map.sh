#!/bin/sh
# A small sweep, its decision map and the penalty of a rule of two lines: as in the golden files, and the picture the
# same twice. With TUTTI_GOLDEN=write the golden files are written instead, to be looked at and committed.
#
# usage: map.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
need smpirun simgrid
golden=$source/tests/golden

same_as_golden() { # FILE
  if [ "${TUTTI_GOLDEN:-}" = write ]; then
    mkdir -p "$golden" && cp "$1" "$golden/$1"
  fi
  diff -u "$golden/$1" "$1" >&2 || die "$1 differs from tests/golden/$1"
}

cat >small.xml <<'XML'
<experiment name="small">
  <platform name="grig_fast_ethernet"/>
  <sweep collective="bcast" root="0">
    <ranks>2 3 5 8 13 21</ranks>
    <sizes>1 64 1KB 8KB 64KB 256KB</sizes>
    <method algorithm="linear" segments="none"/>
    <method algorithm="binomial" segments="none 8KB"/>
    <method algorithm="split-binary" segments="1KB 8KB"/>
    <method algorithm="pipeline" segments="1KB 8KB"/>
  </sweep>
</experiment>
XML
cat >rule.txt <<'RULES'
bcast/binomial         bytes=0..512
bcast/split-binary/1KB
RULES

"$tutti" bench small.xml --db small.db --quiet >out 2>err || die "bench: $(cat err)"
[ ! -s err ] || die "bench says: $(cat err)"
grep -q '^small: 252 points measured, 0 there already' out || die "bench prints: $(cat out)"

"$tutti" map bcast --platform grig_fast_ethernet --db small.db >small.map 2>err || die "map: $(cat err)"
"$tutti" penalty bcast/linear bcast/pipeline/8KB rule.txt --platform grig_fast_ethernet --db small.db >small.penalty \
  --worst 3 2>>err || die "penalty: $(cat err)"
[ ! -s err ] || die "map or penalty says: $(cat err)"
same_as_golden small.map
same_as_golden small.penalty
run 0 penalty rule.txt --platform grig_fast_ethernet --db small.db
expect '^  rule.txt .* 21 ranks, 1B$'
grep -q 'loses' out && die "worst points that nobody asked for: $(cat out)"
run 0 penalty rule.txt --platform grig_fast_ethernet --db small.db --worst 1 --json
expect '"within_5_share": 0\.[0-9]+, "within_10_share": 0\.[0-9]+'
expect '"worst": \[\{"penalty_percent": 220\.4[0-9]*, "ranks": 21, "size_B": 1, "picked": "bcast/binomial", "best": "bcast/linear"\}\]'
run 2 penalty rule.txt --platform grig_fast_ethernet --db small.db --worst -1
expect "worst"

need gnuplot gnuplot-nox
need python3 python3
for picture in one.svg two.svg; do
  "$tutti" map bcast --platform grig_fast_ethernet --db small.db --plot $picture >plotted.map 2>err ||
    die "map --plot: $(cat err)"
  cmp small.map plotted.map || die "map prints something else when it draws"
done
cmp one.svg two.svg || die "two pictures of one map differ"
grep -q '<svg' one.svg && grep -q '</svg>' one.svg || die "the picture is none"
# Where a method stands, with or without the name of the collective.
for mine in binomial bcast/binomial; do
  run 0 map bcast --platform grig_fast_ethernet --db small.db --mine $mine
  expect '^ +8KB  1  4 \+48%  4 \+56%   4 \+55%   4 \+77%   3 \+95%$'
  expect '^  It is the fastest, or ties, at 12 of 36 points \(33.3 %\)\. It loses 88.60 % in the mean, at most 321.79 % \('
done
# Its picture shows that, by the sizes that were measured.
run 0 map bcast --platform grig_fast_ethernet --db small.db --mine binomial --plot mine.svg
shows() { # PICTURE TEXT...: the picture has these texts, each as a whole
  shown=$1
  shift
  for text; do
    grep -qF -- ">$text<" "$shown" || die "$shown does not show '$text'"
  done
}
shows mine.svg 'bcast on grig_fast_ethernet, 2 to 21 ranks, place of bcast/binomial, at each point the' \
  'fastest of its 2 forms, and time it loses'
[ ! -s err ] || die "gnuplot warns: $(cat err)"
for text in 4 '50 to 100 %' '100 to 200 %' '200 % and more' 'below 5 %' 1B 64B 1KB 8KB 64KB 256KB; do
  grep -q ">$text *<" mine.svg || die "the picture of --mine has no '$text'"
done
# What is written at the points is explained.
shows mine.svg '1, 2, ...  place among 7 methods'
grep -q 'more time than' mine.svg && die "a sign is explained that is not drawn"
# Where there is room, what is lost stands in the cells, too.
sed 's/<sizes>.*</<sizes>64 8KB</' small.xml >few.xml
run 0 map bcast --platform grig_fast_ethernet --db small.db --points few.xml --mine binomial --plot few.svg
[ ! -s err ] || die "gnuplot warns: $(cat err)"
grep -q '>4 +48 % *<' few.svg || die "no loss in the cells: $(grep -o '>[^<]*%[^<]*<' few.svg)"
shows few.svg '1, 2, ...  place among 7 methods' '+10 %  more time than the fastest'
cmp -s mine.svg one.svg && die "the picture of --mine is that of the best"
# A name without parameters is one of all forms that were measured.
run 0 bench bcast --platform grig_mx --engine fast -P 4,8 -s 8KB,1MB --methods pipeline,pipeline/8KB,binomial --db forms.db -q
run 0 map bcast --platform grig_mx --db forms.db --mine pipeline
tr '\n' ' ' <out | grep -q 'bcast/pipeline, at each point the fastest of its 2 forms, among' || die "not all forms: $(cat out)"
expect '^  It is the fastest, or ties, at [23] of 4 points'
expect '^ +1MB +1 +1$'
run 0 map bcast --platform grig_mx --db forms.db --mine pipeline/8KB
expect '^ +1MB +1 +1$'
expect 'bcast/pipeline/8KB among'
run 0 map bcast --platform grig_mx --db forms.db --mine pipeline/none
expect '^ +1MB +3 .* 3 '
run 0 map bcast --platform grig_mx --db forms.db --mine pipeline --csv
run 0 bench bcast --platform grig_mx --engine fast -P 4,8 -s 8KB,1MB --methods pipeline/8KB,binomial --db form.db -q
run 0 map bcast --platform grig_mx --db form.db --mine pipeline
expect '^ +1MB +1 +1$'
# Nothing is a percentage of no time, which stores of older versions have of coarse clocks.
for form in scatter-ring:0.01 k-nomial:1.00; do
  printf '# OSU MPI Broadcast Latency Test v7.0\n# Size       Avg Latency(us)\n8            %s\n' ${form#*:} >osu.txt
  run 0 import osu.txt -P 4 --platform coarse --flavor mpich --library MPICH-4.0.2 --as bcast/${form%:*}@mpich --db coarse.db
done
sqlite3 coarse.db 'UPDATE measurement SET median_s = 0, mean_s = 0, minimum_s = 0, maximum_s = 0 WHERE median_s < 5e-7'
run 0 map bcast --platform coarse --scheme osu --db coarse.db --mine scatter-ring@mpich --csv
tr -d '\r' <out | grep -q ',4,8,1,0,0,$' || die "a percentage of no time: $(cat out)"
run 2 map bcast --platform grig_fast_ethernet --db small.db --mine linear/8KB
expect 'linear/8KB was not measured'
# What native methods were measured count among the gains.
sed 's/<method algorithm="linear"[^>]*>/&<method algorithm="native"\/>/' small.xml >native.xml
run 0 bench native.xml --db small.db --quiet
run 0 map bcast --platform grig_fast_ethernet --db small.db
expect '^    bcast/native +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9]+ ranks, [0-9]+K?B +36$'
run 0 map bcast --platform grig_fast_ethernet --db small.db --decision rule.txt
grep -q Gain out && die "a decision has gains: $(cat out)"

# Ranks for which there is no room on the terminal follow below.
if command -v script >/dev/null; then
  COLUMNS=12 script -qc "'$tutti' map bcast --platform grig_fast_ethernet --db small.db" /dev/null </dev/null >folded
  [ "$(grep -Ec '^ +ranks' folded)" = 2 ] && [ "$(grep -Ec '^ +256KB' folded)" = 2 ] || die "not folded: $(cat folded)"
fi

# Letters where there is room, with "=" where another method ties.
[ "$(grep -o '>B=<' one.svg | wc -l)" = 3 ] && [ "$(grep -o '>L<' one.svg | wc -l)" = 8 ] ||
  die "the picture shows neither ties nor where they are not"
# The title says what is shown, or what --title says.
shows one.svg "bcast on grig_fast_ethernet, 2 to 21 ranks, fastest of Tutti's methods" \
  'Message, or block of a rank [bytes]' 'Communicator size [ranks]'
grep -qE '(scheme|occ)' one.svg && die "a word of the program in the title"
run 0 map bcast --platform grig_fast_ethernet --db small.db --title "Mine & <yours>, 'x'" --plot titled.svg
shows titled.svg "Mine &amp; &lt;yours>, 'x'"
run 0 map bcast --platform grig_fast_ethernet --db small.db --decision rule.txt --loss --plot loss.svg
shows loss.svg 'bcast on grig_fast_ethernet, 2 to 21 ranks, time that rule.txt loses'
run 0 map bcast --platform grig_fast_ethernet --db small.db --decision rule.txt --title Picks --plot picks.svg
shows picks.svg Picks
run 2 map bcast --platform grig_fast_ethernet --db small.db --title Mine
expect '^tutti map: --title: only with --plot'
run 0 predict bcast -P 4 -s 8KB,64KB --platform grig_fast_ethernet --model loggp --plot one_size.svg
grep -qF "bcast on grig_fast_ethernet, 4 ranks, fastest of Tutti's methods, predicted by loggp" one_size.svg || die "no title"
run 0 predict bcast -P 4,8 -s 8KB,64KB --platform grig_fast_ethernet --model loggp --title Predicted --plot predicted.svg
shows predicted.svg Predicted
# Tics are where points were measured, each of them; a label where there is room, and nowhere else.
python3 "$source/tests/e2e/picture.py" tics one.svg x 6 1B 64B 1KB 8KB 64KB 256KB || die "tics of sizes"
python3 "$source/tests/e2e/picture.py" tics one.svg y 6 2 3 5 8 13 21 || die "tics of ranks"
run 0 predict bcast -P 3,5,7..60*2,59..64 -s 100,110,120,5000,70000,3000000 --platform grig_fast_ethernet --model loggp --plot odd.svg
python3 "$source/tests/e2e/picture.py" tics odd.svg x 6 100B 5000B 70000B 3000000B || die "tics of odd sizes"
python3 "$source/tests/e2e/picture.py" tics odd.svg y 12 3 5 7 14 28 56 64 || die "tics of odd ranks"
# Times against the message size: a curve a method, a panel a number of ranks, and nothing else is printed for it.
run 0 map bcast --platform grig_fast_ethernet --db small.db --csv
mv out plain.csv
run 0 map bcast --platform grig_fast_ethernet --db small.db --csv --curves linear,binomial,pipeline/8KB -P 21 --plot curves.svg
grep -E 'size_B|,21,[0-9]*,' plain.csv | cmp - out || die "map prints something else when it draws curves"
[ ! -s err ] || die "gnuplot warns: $(cat err)"
shows curves.svg 'bcast on grig_fast_ethernet, 21 ranks: time against message size' 'Time [us]' 'Message, or block of a rank [bytes]' \
  linear 'binomial, fastest of 2 forms' pipeline/8KB
python3 "$source/tests/e2e/picture.py" tics curves.svg x 6 1B 64B 1KB 8KB 64KB 256KB || die "tics of curves"
[ "$(grep -o "xlink:href='#gpPt[0-9]*' transform" curves.svg | sort -u | wc -l)" = 3 ] || die "not three kinds of marks"
[ "$(grep -c "xlink:href='#gpPt[0-9]*' transform" curves.svg)" = 21 ] || die "not a mark at each of 18 points and in the legend"
run 0 map bcast --platform grig_fast_ethernet --db small.db --curves linear,split-binary/8KB --plot panels.svg --title 'All panels'
shows panels.svg 'All panels' '2 ranks' '3 ranks' '5 ranks' '8 ranks' '13 ranks' '21 ranks'
python3 "$source/tests/e2e/picture.py" colours "$source/plots/palette.gp" curves.svg panels.svg || die "colours of curves"
# A map is cut to some ranks and sizes, in all its forms: the rest is as it was.
for form in '--csv' '--csv --times' '--json' '--json --mine binomial' '' '--latex' '--csv --mine binomial'; do
  run 0 map bcast --platform grig_fast_ethernet --db small.db -P 5,21 -s 1,8KB $form
  [ ! -s err ] || die "map $form says: $(cat err)"
  cp out "cut$form"
done
sed 1d plain.csv | grep -E ',(5|21),(1|8192),' >wanted && sed 1d cut--csv | cmp - wanted || die "the cut map: $(cat cut--csv)"
[ "$(grep -cE ',(5|21),(1|8192),' 'cut--csv --times')" = "$(($(wc -l <'cut--csv --times') - 1))" ] || die "other points are in the cut: $(cat 'cut--csv --times')"
tr -d '\n' <cut--json | grep -q '"ranks": \[5, 21\], "sizes_B": \[1, 8192\],' || die "the axes of the cut: $(head -c 600 cut--json)"
grep -qx '  *size  5 21 *' cut || die "the grid of the cut: $(cat cut)"
[ "$(grep -c ' & ' cut--latex)" = 5 ] && grep -qx '\\begin{tabular}{.*}' cut--latex || die "the tabular of the cut: $(cat cut--latex)"
run 0 map bcast --platform grig_fast_ethernet --db small.db -P 5,6,21 -s 1,9 --csv
expect '^tutti: note: --ranks: not measured: 6$'
expect '^tutti: note: --size: not measured: 9$'
run 2 map bcast --platform grig_fast_ethernet --db small.db -P 6
expect '--ranks: nothing was measured on so many ranks'
run 2 map bcast --platform grig_fast_ethernet --db small.db -P 5 -s 9
expect '--size: nothing was measured of these sizes'
run 0 penalty bcast/linear --platform grig_fast_ethernet --db small.db --latex
expect '^bcast/linear & .* \\\\$'
# Where several launches say how well a time is known, each point has a bar.
{
  echo 'tutti-run v=1 tutti=0.1.0 flavor=openmpi library=Library-1 ranks=8 ranks_per_node=1'
  for launch in 0 1 2 3 4 5 6; do
    for point in linear:8 linear:64 linear:512 binomial:8 binomial:64 binomial:512; do
      time=$((${point#*:} + launch * 3))e-6
      echo "tutti-measurement v=1 method=bcast/${point%:*} scheme=window ranks=8 root=0 count=${point#*:} type_B=1 repetitions=9" \
        "launch=$launch minimum_s=$time median_s=$time mean_s=$time maximum_s=$time"
    done
  done
  echo 'tutti-end v=1 measurements=42'
} >launches.records
run 0 import --format tutti launches.records --db launches.db --platform mine
run 0 map bcast --db launches.db --curves linear,binomial --plot bars.svg
bars() { # PICTURE: how many curves, black or orange, have bars, vertical lines
  grep -cE "stroke='rgb\(( +0|230), [^']*'  d='[^']* M([0-9.]+),[0-9.]+ L\2," "$1"
}
[ "$(bars bars.svg)" = 2 ] && [ "$(bars curves.svg)" = 0 ] || die "bars: $(bars bars.svg) and $(bars curves.svg)"
run 2 map bcast --platform grig_fast_ethernet --db small.db --curves linear
expect '^tutti map: --curves draws to the --plot FILE'
run 2 map bcast --platform grig_fast_ethernet --db small.db --curves linear --mine binomial --plot no.svg
run 2 map bcast --platform grig_fast_ethernet --db small.db --curves linear,magic --plot no.svg
expect 'magic'
run 2 map bcast --platform grig_fast_ethernet --db small.db --curves chain --plot no.svg
expect '--curves: bcast/chain was not measured'
run 2 map bcast --platform grig_fast_ethernet --db small.db --curves linear -P 4 --plot no.svg
expect '--ranks: nothing was measured on so many ranks'
[ ! -e no.svg ] || die "a picture of what is refused"
# A page is as wide as the column of a paper, 8.4 cm, whatever it shows.
for what in '' '--mine binomial' '--curves linear,binomial' '--curves linear,binomial -P 8'; do
  run 0 map bcast --platform grig_fast_ethernet --db small.db $what --plot page.pdf
  grep -aqE '/MediaBox \[ 0 0 238(\.[0-9]+)? ' page.pdf || die "the page is not 8.4 cm wide: $(grep -a MediaBox page.pdf)"
  grep -aq /Subtype./Image page.pdf && die "the page is no vector graphics"
done
# Where there is none, dots, and the letters of each method once.
run 0 predict bcast -P 2..60 -s 1..4MB*2 --platform grig_fast_ethernet --model loggp --segments none,1KB,8KB,32KB \
  --plot dense.svg
for letters in L S1 S2 S3 P3; do
  [ "$(grep -o ">$letters<" dense.svg | wc -l)" = 1 ] || die "not one '$letters' in the dense picture"
done
# The letters are within their colour, where it is wide enough for them.
run 0 bench bcast --platform grig_mx --engine fast -P 2..40 -s 1B..256KB*2 --db many.db -q \
  --methods linear,binomial,k-ary,chain,scatter-ring,scatter-recursive-doubling,split-binary/8KB,pipeline/8KB
run 0 map bcast --platform grig_mx --db many.db --plot many.svg
for picture in dense many; do
  python3 "$source/tests/e2e/map_letters.py" $picture.svg || die "letters of $picture.svg"
done
python3 "$source/tests/e2e/picture.py" colours "$source/plots/palette.gp" one.svg mine.svg few.svg loss.svg picks.svg dense.svg \
  many.svg || die "colours"
for method in $(awk '$2 ~ "^bcast/" { print $2 }' small.map); do
  grep -qF "${method#bcast/}" one.svg || die "$method is not in the picture"
done
# Names of other people's stores: a picture stays well-formed, and nothing speaks to the terminal.
name='a]]>b<&"'
cat >hostile.records <<'RECORDS'
tutti-run v=1 tutti=0.1.0 flavor=openmpi library=Library-1 ranks=4 ranks_per_node=1
tutti-measurement v=1 method=bcast/linear scheme=window ranks=4 root=0 count=8 type_B=1 repetitions=9 minimum_s=1e-6 median_s=1e-6 mean_s=1e-6 maximum_s=1e-6
tutti-measurement v=1 method=bcast/binomial scheme=window ranks=4 root=0 count=64 type_B=1 repetitions=9 minimum_s=1e-6 median_s=1e-6 mean_s=1e-6 maximum_s=1e-6
tutti-end v=1 measurements=2
RECORDS
run 0 import --format tutti hostile.records --db hostile.db --platform "$name"
run 0 map bcast --db hostile.db --platform "$name" --plot hostile.svg
! command -v xmllint >/dev/null || xmllint --noout hostile.svg || die "the picture is no XML"
grep -qF 'a]]&gt;b&lt;&amp;"' hostile.svg || die "the picture has another name"
escape=$(printf 'a\033[31mb')
run 2 import --format tutti hostile.records --db new.db --platform "$escape"
! grep -q "$(printf '\033')" out err || die "an escape sequence is printed"
echo "252 points, map and penalty as in the golden files, the picture the same twice"
