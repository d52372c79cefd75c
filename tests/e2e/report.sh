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
for id in overview platforms maps penalties groups results claims provenance; do
  grep -q "<section id=\"$id\"" page.html || die "no section $id"
done
grep -Eq 'https?://|url\(|@import|<link[^>]*href="[^d#]' page.html && die "the page asks for something"
if command -v xmllint >/dev/null; then # which knows HTML 4 only
  xmllint --html --noout page.html 2>&1 | grep error | grep -Ev ': Tag (header|nav|main|section|article|footer|figure|figcaption|details|summary|svg|path|text) invalid' >faults
  [ ! -s faults ] || die "$(cat faults)"
fi

# What no row is of: no command of the page is about it.
run 0 report -o torus.html --db my.db --platform torus
grep -q 'fast_ethernet' torus.html && die "--platform torus has another one"
grep -q 'No collective operation was measured' torus.html || die "nothing is said of missing maps"
run 2 report -o none.html --db my.db --platform nowhere
expect "'nowhere'.*fast_ethernet.*torus"
run 2 report -o none.html --db missing.db
run 2 report -o none.html --db my.db --decision missing.rules
run 2 report -o . --db my.db
[ ! -e none.html ] || die "a page in spite of a fault"

# --- pictures ---

for picture in map-1 map-1-library-openmpi-4.1-loss map-1-bcast.tree-picks group-time-1; do
  head -c 200 plots/$picture.svg | grep -q '<svg' || die "no $picture.svg"
  [ "$(head -c 4 plots/$picture.pdf)" = %PDF ] || die "no $picture.pdf"
done
ls plots/sort-time-*.svg plots/range-time-*.pdf >/dev/null || die "no charts of sorts and ranges"

# --- the page in a browser ---

python3 "$source/tests/e2e/report_data.py" page.html my.db || die "the data of the page"
need chromium chromium
need chromedriver chromium-driver
timeout $PATIENCE python3 "$source/tests/e2e/report_page.py" page.html ${TUTTI_SCREENSHOTS:+"$TUTTI_SCREENSHOTS"} ||
  die "the page in Chromium"
exit 0
