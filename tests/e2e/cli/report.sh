# tutti report: a page of a store made by real sweeps, checked as a text and in a browser without a network.
#
# usage: report.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need python3 python3
need gnuplot gnuplot-nox
PYTHONDONTWRITEBYTECODE=1
export PYTHONDONTWRITEBYTECODE

# --- a store ---

mkdir claims
cat >claims/quick.xml <<'END'
<experiment name="quick" source="Nobody 1999, table 1 &amp; &lt;2&gt;" takes="5s">
  <platform name="fast_ethernet"/>
  <sweep collective="bcast" root="0">
    <ranks>2..8*2 12</ranks>
    <sizes>1 512B 8KB 64KB</sizes>
    <method name="bcast/linear"/>
    <method name="bcast/binomial"/>
    <method name="bcast/split-binary/8KB"/>
    <method name="bcast/pipeline/8KB"/>
  </sweep>
  <claim what="one byte to one rank" published="1" unit="us">SELECT us FROM points WHERE method = 'bcast/linear' AND
    ranks = 2 AND bytes = 1</claim>
</experiment>
END
cat >claims/never.xml <<'END'
<experiment name="never" source="Nobody 2000" takes="5s">
  <platform name="bgp"/>
  <sweep collective="bcast"><ranks>2</ranks><sizes>1</sizes><method name="bcast/linear"/></sweep>
  <claim what="is anything slow?" published="true">SELECT count(*) FROM points WHERE platform = 'bgp' AND us &gt; 1</claim>
</experiment>
END
cat >group.xml <<'END'
<experiment name="group">
  <platform name="torus"/>
  <group branching="3" seed="7">
    <ranks>27</ranks>
    <fractions>0.1 0.3 0.6 0.9</fractions>
    <builder name="centralized"/>
    <builder name="shrink-hash/no-filler"/>
  </group>
</experiment>
END
cat >sort.xml <<'END'
<experiment name="sort">
  <platform name="torus"/>
  <sort ranks="8" count="1..64*4" layer="ranges create-group"/>
</experiment>
END
cat >range.xml <<'END'
<experiment name="range">
  <platform name="torus"/>
  <range operation="scan" way="ranges native" ranks="8" size="ranks" count="1..64*4"/>
</experiment>
END
for experiment in claims/quick.xml group.xml sort.xml range.xml; do
  "$tutti" bench $experiment --db my.db -q >out 2>err
  [ $? -le 1 ] || die "$experiment: $(cat err)" # 1: the claim does not hold
done
run 0 params fast_ethernet --db my.db --largest 64KB -q
run 0 learn c45 bcast --platform fast_ethernet --db my.db -o bcast.tree --keep
printf 'bcast/linear ranks=..4\nbcast/binomial\n' >'rules <b>.txt'

# --- the page as a text ---

TUTTI_EXPERIMENTS=$place/claims
export TUTTI_EXPERIMENTS
report() { # FILE OPTIONS...
  file=$1
  shift
  run 0 report -o "$file" --db my.db --decision bcast.tree --decision 'rules <b>.txt' "$@"
}
report page.html --title 'Mine & <yours>' --plots plots
[ ! -s out ] || die "says: $(cat out)"
TZ=Asia/Tokyo report again.html --title 'Mine & <yours>' --plots plots_again
cmp page.html again.html || die "another page of the same store"
diff -r plots plots_again || die "other pictures of the same store"
run 0 report -o - --db my.db
[ "$(head -c 15 out)" = "<!DOCTYPE html>" ] || die "standard output has no page"

grep -q '<title>Mine &amp; &lt;yours&gt;</title>' page.html || die "the title"
grep -q 'rules &lt;b&gt;.txt' page.html && ! grep -q '<b>.txt' page.html || die "the name of a file is markup"
grep -q 'Nobody 1999, table 1 &amp; &lt;2&gt;' page.html || die "no source of a claim"
grep -q 'differs, not explained' page.html || die "no verdict"
grep -q 'is anything slow' page.html && die "a claim of what was never measured has a verdict"
for id in platforms maps penalties groups results claims provenance; do
  grep -q "<section id=\"$id\"" page.html || die "no section $id"
done
drawn=$(grep -o '<path class="line s' page.html | wc -l) explained=$(grep -o '<span class="key">' page.html | wc -l)
[ "$explained" -gt 0 ] && [ "$drawn" -eq $((2 * explained)) ] || die "$drawn lines of charts and of keys, $explained explained"
grep -Eq 'https?://|url\(|@import|<link[^>]*href="[^d#]' page.html && die "the page asks for something"
check_markup() { # PAGE.html FOLDER: the page is HTML, the pictures are XML
  command -v xmllint >/dev/null || return 0
  # which knows HTML 4 only
  xmllint --html --noout "$1" 2>&1 | grep error | grep -Ev ': Tag (header|nav|main|section|article|footer|figure|figcaption|details|summary|svg|path|text) invalid' >faults
  [ ! -s faults ] || die "$(cat faults)"
  xmllint --noout "$2"/*.svg || die "pictures of $1"
}
check_markup page.html plots

# Names of other people's stores, of which each would end something.
name='a]]>--><b c="&'"'"'</script></svg><!--'
cat >hostile.records <<RECORDS
tutti-run v=1 tutti=0.1.0 flavor=openmpi library=L]]>--></script>&-1 ranks=4 ranks_per_node=1
$(for case in linear,8,1e-6 binomial,8,2e-6 linear,64,2e-6 binomial,64,1e-6; do
    IFS=, read -r method count seconds <<CASE
$case
CASE
    echo "tutti-measurement v=1 method=bcast/$method scheme=window ranks=4 root=0 count=$count type_B=1 repetitions=9" \
      "minimum_s=$seconds median_s=$seconds mean_s=$seconds maximum_s=$seconds"
  done)
tutti-end v=1 measurements=4
RECORDS
run 0 import --format tutti hostile.records --db hostile.db --platform "$name"
printf 'bcast/linear\n' >"$(printf 'r]]>--><\033[31m.rules')"
run 0 report --db hostile.db -o hostile.html --title "$name" --decision r*.rules --plots hostile
check_markup hostile.html hostile
[ "$(grep -o '</script>' hostile.html | wc -l)" = "$(grep -o '</script>' page.html | wc -l)" ] || die "a name ends a script"
! grep -q "$(printf '\033')" hostile.html hostile/*.svg || die "a name orders a terminal"

# What a reader wants to know comes first; parameters come last.
grep -o '<section id="[a-z]*"' page.html | tr -d '\n' >order
[ "$(sed 's/<section id="\([a-z]*\)"/\1 /g' order)" = "maps groups results claims penalties provenance platforms " ] ||
  die "the order of sections: $(cat order)"
grep -q 'Recommended rules' page.html || die "no rules are recommended"

# The commands that are shown make a file of the rules.
grep -o 'tutti learn optimal bcast[^<]*' page.html | sed "s|^tutti|\"\$tutti\"|" >learn.sh
tutti=$tutti sh ./learn.sh >out 2>err || die "$(cat learn.sh): $(cat err)"
run 0 export bcast.tree --format openmpi -o bcast.rules
run 0 report --db my.db --json
python3 - out <<'END' || die "$(cat out)"
import json, sys
rows = json.load(open(sys.argv[1]))["penalties"]
kinds = {row["kind"]: row for row in rows if row["collective"] == "bcast"}
assert {"recommended", "library", "best single method"} <= set(kinds), kinds
assert kinds["recommended"]["mean_percent"] <= 1 and "linear" in kinds["recommended"]["rules"]
END

# What a library lacks: the page says what tutti export says of the file.
run 0 bench bcast --platform grig_mx --engine fast -P 16,32 -s 8B,1KB,4KB --methods linear,k-ary --db lacks.db
run 0 report --db lacks.db -o lacks.html
for command in learn export; do
  grep -o "tutti $command [^<]*" lacks.html | sed "1s|^tutti|\"\$tutti\"|; q" >command.sh
  tutti=$tutti sh ./command.sh >out 2>err || die "$(cat command.sh): $(cat out err)"
done
written=$(sed -n 's/^bcast: decided by bcast.tree; //p' err)
echo "$written" | grep -q '[1-9][0-9]* of 6 points .* replaced; .* as written: mean' || die "replaces nothing: $(cat err)"
grep -qF "Where the library lacks a method, another one stands in the file: $written." lacks.html || die "the page does not say '$written': $(grep 'stands in the file' lacks.html)"
grep -q 'stands in the file' page.html && die "says of a file that has all rules: $(grep 'stands in the file' page.html)"

# What no row is of: no command of the page is about it.
run 0 report -o torus.html --db my.db --platform torus
grep -q 'fast_ethernet' torus.html && die "--platform torus has another one"
for id in overview maps penalties; do
  grep -q "id=\"$id\"\|href=\"#$id\"" torus.html && die "a section $id without data"
done

# The path of a platform file means the file as it is now.
cp "$source/platforms/torus.xml" torus.xml
run 0 report -o now.html --db my.db --platform ./torus.xml
cmp now.html torus.html || die "the path of the file that was measured is another platform"
echo '<!-- edited -->' >>torus.xml
run 2 report -o none.html --db my.db --platform ./torus.xml
expect "nothing was measured on the platform 'torus' as its file is now, only on: fast_ethernet, torus"
run 2 report -o none.html --db my.db --platform nowhere
expect "'nowhere'.*fast_ethernet.*torus"
run 2 report -o none.html --db missing.db
run 2 report -o none.html --db my.db --decision missing.rules

# After a platform file was edited: bench names the older rows, a name means the file as it is now where there are both,
# and two maps of one report have two names.
cp "$source/platforms/fast_ethernet.xml" mine.xml
TUTTI_PLATFORM_PATH=$TUTTI_PLATFORM_PATH:$place
run 0 bench bcast --platform mine -P 2,4 -s 8B,1KB --methods linear,binomial --db edited.db
grep -q note: err && die "older rows of a file that was not edited: $(cat err)"
older=$(sha256sum mine.xml | cut -c 1-8)
echo '<!-- edited -->' >>mine.xml
run 0 bench bcast --platform mine -P 2,4 -s 8B,1KB --methods linear,binomial --db edited.db
expect "note: edited.db: 8 measurements of bcast of .* as it was before it changed .*: --platform-hash $older shows them"
run 0 map bcast --platform mine --db edited.db
expect "8 measurements of bcast of mine as it was before .*$older"
run 0 map bcast --platform mine --platform-hash "$older" --db edited.db
run 0 report -o edited.html --db edited.db
grep -o '<h3>bcast[^<]*' edited.html | cut -c 5- >titles
printf '%s\n' 'bcast on mine' "bcast on mine (as its file was, $older)" | cmp - titles || die "titles: $(cat titles)"
rm mine.xml
run 0 report -o edited.html --db edited.db
grep -q "<h3>bcast on mine (its file $older)</h3>" edited.html || die "of two unknown files none is named"

# A collective that the library has no choice of algorithms for gets rules, but no file of them.
run 0 bench alltoallw --platform grig_mx -P 4 -s 8 --engine fast --db alltoallw.db -q
run 0 report -o alltoallw.html --db alltoallw.db
grep -q 'There is no file of it for a library: openmpi-4.1 has no choice of algorithms for alltoallw.' alltoallw.html ||
  die "why there is no file is not said"
! grep -q 'tutti export' alltoallw.html || die "a command that would be refused"

# A method without its collective is one of each that has it.
run 0 report -o whole.html --db my.db --decision bcast/split-binary/8KB
mkdir -p split-binary/8KB # a folder is no file of rules
run 0 report -o word.html --db my.db --decision split-binary/8KB
cmp whole.html word.html || die "a method without its collective is another one"
run 2 report -o . --db my.db
[ ! -e none.html ] || die "a page in spite of a fault"

# --- pictures ---

for picture in map-1 map-1-library-openmpi-4.1-loss map-1-bcast.tree-picks group-time-1; do
  head -c 200 plots/$picture.svg | grep -q '<svg' || die "no $picture.svg"
  [ "$(head -c 4 plots/$picture.pdf)" = %PDF ] || die "no $picture.pdf"
done
ls plots/sort-time-*.svg plots/range-time-*.pdf >/dev/null || die "no charts of sorts and ranges"

# One palette for pictures and page.
sed -n '/^#map-/p; /^:root{--series/p; /id="tutti-data"/p' page.html >page.colours
grep -q 'series-6' page.colours && grep -q '"losses"' page.colours || die "the page has other colours"
python3 "$source/tests/e2e/picture.py" colours "$source/plots/palette.gp" page.colours plots/map-1*.svg plots/group-time-1.svg ||
  die "colours"

# --- the page in a browser ---

python3 "$source/tests/e2e/report_data.py" page.html my.db || die "the data of the page"
need chromium chromium
need chromedriver chromium-driver
timeout $PATIENCE python3 "$source/tests/e2e/report_page.py" page.html ${TUTTI_SCREENSHOTS:+"$TUTTI_SCREENSHOTS"} ||
  die "the page in Chromium"
exit 0
