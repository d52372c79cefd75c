#!/bin/sh
# Schedules priced with the parameters that tutti params measures take as long as they do in simulation; and published
# formulas that are exact do, too.
#
# usage: priced.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need smpirun simgrid
need sqlite3 sqlite3
platform=grig_fast_ethernet

cat >some.xml <<XML
<experiment name="some">
  <platform name="$platform"/>
  <measure scheme="window"/>
  <sweep collective="bcast" root="0">
    <ranks>3 5 8 13</ranks>
    <sizes>1 1KB 20000 64KB</sizes>
    <method algorithm="linear"/>
    <method algorithm="binomial" segments="none 1KB"/>
    <method algorithm="binary" segments="1KB"/>
    <method algorithm="split-binary" segments="none 1KB"/>
    <method algorithm="pipeline" segments="none 1KB"/>
  </sweep>
  <sweep collective="reduce" root="0">
    <ranks>3 5 8 13</ranks>
    <sizes>1 1KB 20000 64KB</sizes>
    <method algorithm="binomial" segments="none 1KB"/>
    <method algorithm="pipeline" segments="1KB"/>
  </sweep>
  <sweep collective="allgather">
    <ranks>3 5 8 13</ranks>
    <sizes>1 1KB 20000</sizes>
    <method algorithm="bruck"/>
    <method algorithm="ring"/>
  </sweep>
</experiment>
XML
"$tutti" bench some.xml --db some.db --quiet >out 2>err || die "bench: $(cat err)"
"$tutti" params $platform --db some.db --quiet >out 2>err || die "params: $(cat err)"

predict() { # COLLECTIVE RANKS SIZES METHODS...: priced under PLogP and Hockney, Hockney by formula
  collective=$1 ranks=$2 sizes=$3
  shift 3
  for method in "$@"; do
    "$tutti" predict "$collective" --platform $platform --db some.db -P "$ranks" -m "$sizes" --parameters measured \
      --model hockney,plogp --by both --method "$collective/$method" --store predicted.db >out 2>err ||
      die "predict $collective/$method: $(cat out err)"
  done
}
predict bcast 3,5,8,13 1,1KB,20000,64KB linear binomial binomial/1KB binary/1KB split-binary split-binary/1KB pipeline \
  pipeline/1KB
predict reduce 3,5,8,13 1,1KB,20000,64KB binomial binomial/1KB pipeline/1KB
predict allgather 3,5,8,13 1,1KB,20000 bruck ring

sqlite3 some.db "ATTACH 'predicted.db' AS predicted;
  CREATE TABLE ratio AS SELECT m.name AS method, s.ranks, s.rank_B AS bytes, substr(e.library, 1, instr(e.library, ',') - 1) AS by, p.median_s / s.median_s AS value
    FROM measurement s JOIN method m ON m.id = s.method
    JOIN predicted.method n ON n.name = m.name
    JOIN predicted.measurement p ON p.method = n.id AND (p.ranks, p.rank_B) = (s.ranks, s.rank_B)
    JOIN predicted.environment e ON e.id = p.environment" || die "cannot join"

holds() { # WHAT CONDITION: counts of all, and of those beyond, of the ratios
  sqlite3 -separator ' ' some.db "SELECT $2 FROM ratio WHERE $1" >out || die "no ratios: $1"
  [ "$(cat out)" = "$3" ] || die "$1: $2 is $(cat out), not $3; the worst:
$(sqlite3 some.db "SELECT * FROM ratio WHERE $1 ORDER BY abs(value - 1) DESC LIMIT 5")"
}

# The simulated machine hides latency behind the messages that follow, which PLogP expresses and Hockney does not.
holds "by = 'plogp by schedule'" 'count(*), sum(abs(value - 1) > 0.01)' '200 0'
holds "by = 'plogp by schedule'" 'sum(abs(value - 1) > 0.001) <= 20' 1

# Without two messages in a row from one rank, Hockney, too, priced and by formula.
holds "by LIKE 'hockney%' AND method IN ('bcast/pipeline', 'allgather/ring')" 'count(*), sum(abs(value - 1) > 0.005)' '56 0'
holds "by = 'hockney by schedule' AND method = 'bcast/pipeline/1KB' AND bytes = 65536 AND ranks = 13" 'count(*), sum(value < 1.5)' '1 0'
echo "priced and simulated times agree"
