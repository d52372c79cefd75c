#!/bin/sh
# docs/reference/store.md: every view of a store can be read, every column of the views that it lists is on the page, its
# examples run, and what the views say is what the command says.
#
# usage: views.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3

run 0 bench bcast --platform grig_mx -P 4,8 -s '1..32KB*8' --db results.db -q
cat >real.txt <<'RECORDS'
tutti-run v=1 tutti=0.1.0 flavor=openmpi library=Open-MPI-4.1.4 ranks=8 ranks_per_node=2
tutti-measurement v=1 method=reduce/linear scheme=window ranks=8 root=0 count=8 type_B=1 repetitions=3 launch=0 minimum_s=1e-06 median_s=2e-06 mean_s=2e-06 maximum_s=4e-06
tutti-measurement v=1 method=reduce/linear scheme=window ranks=8 root=0 count=8 type_B=1 repetitions=3 launch=1 minimum_s=2e-06 median_s=5e-06 mean_s=5e-06 maximum_s=9e-06
tutti-measurement v=1 method=reduce/linear scheme=window ranks=8 root=0 count=8 type_B=1 repetitions=3 launch=2 minimum_s=3e-06 median_s=3e-06 mean_s=4e-06 maximum_s=6e-06
tutti-measurement v=1 method=reduce/linear scheme=window ranks=8 root=0 count=9 type_B=1 repetitions=3 launch=0 minimum_s=1e-06 median_s=2e-06 mean_s=2e-06 maximum_s=4e-06
tutti-measurement v=1 method=reduce/linear scheme=window ranks=8 root=0 count=9 type_B=1 repetitions=3 launch=1 minimum_s=1e-06 median_s=4e-06 mean_s=4e-06 maximum_s=4e-06
tutti-end v=1 measurements=5
RECORDS
run 0 import --format tutti real.txt --platform cluster --db results.db
ask() { sqlite3 "file:results.db?mode=ro" "$@" || die "sqlite3: $*"; }

views=$(ask "SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY 1")
[ "$(echo "$views" | wc -l)" -ge 14 ] || die "too few views: $views"
for view in $views; do
  ask "SELECT * FROM $view" >rows
  [ $view = measurement_counts ] || grep -q "^| .*\`$view\`" "$source/docs/reference/store.md" || die "store.md lacks $view"
done
for view in environments counts measurements points best_methods; do
  for column in $(ask "SELECT name FROM pragma_table_info('$view')"); do
    grep -q "^| .*\`$column\`.* | " "$source/docs/reference/store.md" || die "store.md lacks the column $column of $view"
  done
done

# All times, and the least of each point, are those that a map has.
select() { ask -separator , "SELECT $1 FROM $2 WHERE collective = 'bcast' AND flavor = 'smpi'" | sort; }
run 0 map bcast --db results.db --platform grig_mx --times --csv
sed 1d out | cut -d, -f7- | sort >map.csv
[ "$(wc -l <map.csv)" -gt 100 ] || die "few times: $(cat map.csv)"
select "ranks, rank_B, method, printf('%.12g', median_s)" points >points.csv
awk -F, '{ printf "%s,%s,%s,%.12g\n", $1, $2, $3, $4 }' map.csv | sort | cmp -s - points.csv || die "other times: $(diff map.csv points.csv | head)"
select "ranks, rank_B, printf('%.12g', median_s)" best_methods >best.csv
run 0 map bcast --db results.db --platform grig_mx --csv
sed 1d out | awk -F, '{ printf "%s,%s,%.12g\n", $7, $8, $10 }' | sort | cmp -s - best.csv || die "other best times: $(cat best.csv)"

# Launches are joined as the command joins them: medians of 2, 5, 3 and of 2, 4 us.
run 0 map reduce --db results.db --platform cluster --times --csv
[ "$(sed 1d out | cut -d, -f10)" = "$(printf '3e-06\n3e-06')" ] || die "medians of launches: $(cat out)"
[ "$(ask "SELECT launches, printf('%g', median_s), printf('%g', minimum_s), printf('%g', maximum_s) FROM points
  WHERE platform = 'cluster' ORDER BY count")" = "$(printf '3|3e-06|1e-06|9e-06\n2|3e-06|1e-06|4e-06')" ] ||
  die "launches: $(ask "SELECT * FROM points WHERE platform = 'cluster'")"

# The examples of the page.
example() { # INFO COMMAND...: prints at least 8 lines with a method or its ratio
  block reference/store.md "$1" >example
  shift
  "$@" example >out 2>err || die "$*: $(cat out err)"
  [ "$(wc -l <out)" -ge 8 ] || die "$*: $(cat out)"
}
example 'sh sqlite3' sh -eu
expect '^8,4096,bcast/'
skipped=
if python3 -c 'import pandas' 2>/dev/null; then
  example 'python pandas' python3
  expect '^ranks,rank_B,bcast/'
  expect '^8,4096,.*,1\.0'
else
  skipped="$skipped python3-pandas"
fi
if Rscript -e 'library(RSQLite)' >/dev/null 2>&1; then
  example 'r R' Rscript --vanilla
  expect '^8,4096,.*"bcast/'
else
  skipped="$skipped r-cran-rsqlite"
fi
echo "$(echo "$views" | wc -l) views${skipped:+; not there:$skipped}"
