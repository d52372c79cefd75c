#!/bin/sh
# Sets simulated, priced and formula times side by side: Pjesivac-Grbovic 2007, figures 4.21, 4.22 and 6.1, table 6.1.
# Simulates what the store lacks, each experiment on the Hockney platform that it names and on its LogGP twin, measures
# the parameters of both, prices all schedules and evaluates all formulas. Writes into DIRECTORY
#
#     models.db           measurements and parameters
#     models.csv          a line a point, model and set of parameters: simulated, formula, priced, in microseconds
#     ratios.md           formula / simulated and priced / simulated: median, least, largest, per experiment
#     table_6_1.md        best segment sizes, those within 5 and 10 %, beside the published ones (pjesivac_table_6_1.csv)
#     models_NAME.svg     the figures, if gnuplot is there
#
# usage: sh experiments/models.sh [DIRECTORY]    (default: models)
# TUTTI: the command (default build/tutti). JOBS: simulations at once (default 1). EXPERIMENTS: the directory with the
# experiments (default: of this file).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tutti=${TUTTI:-$here/../build/tutti}
experiments=${EXPERIMENTS:-$here}
out=${1:-models}
mkdir -p "$out"
TUTTI_PLATFORM_PATH=${TUTTI_PLATFORM_PATH:-$here/../platforms}
export TUTTI_PLATFORM_PATH
db=$out/models.db
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

name_of() { # FILE: its platform
  sed -n 's/.*<platform name="\([^"]*\)".*/\1/p' "$1"
}

simulate() { # EXPERIMENT: its points alone, on the neutral platforms of its cluster, NAME and NAME_loggp
  platform=$(name_of "$experiments/$1.xml")
  platform=${platform%_loggp} platform=${platform%_senders} platform=${platform%_ob1}
  sed "/<step>/d; /<claim/,/<\/claim>/d; /<differs>/,/<\/differs>/d
    s/<platform name=\"[^\"]*\"/<platform name=\"$platform\"/" "$experiments/$1.xml" >"$work/$1.xml"
  sed "s/<platform name=\"$platform\"/<platform name=\"${platform}_loggp\"/" "$work/$1.xml" >"$work/$1_loggp.xml"
  for file in "$work/$1.xml" "$work/$1_loggp.xml"; do
    "$tutti" bench "$file" --db "$db" -j "${JOBS:-1}" -q
    "$tutti" params "$(name_of "$file")" --db "$db" -q >/dev/null
    echo "$1|$(name_of "$file")" >>"$work/experiments"
  done
}

sql() { # STATEMENTS, with the measurements as "store"
  sqlite3 -batch "$work/all.db" "ATTACH '$db' AS store; $1"
}

points_of() { # PLATFORM COLLECTIVE COLUMN: its values, with commas
  sql "SELECT group_concat(value) FROM (SELECT DISTINCT $3 AS value FROM store.measurement s
    JOIN store.environment e ON e.id = s.environment JOIN store.method m ON m.id = s.method
    WHERE e.platform = '$1' AND m.collective = '$2' ORDER BY 1)"
}

predict() { # PLATFORM COLLECTIVE PARAMETERS MODELS
  methods=$(points_of "$1" "$2" m.name | sed 's/^/--method=/; s/,/ --method=/g')
  rm -f "$work/predicted.db"
  "$tutti" predict "$2" --platform "$1" --db "$db" $methods --ranks "$(points_of "$1" "$2" ranks)" \
    --size "$(points_of "$1" "$2" rank_B)" --parameters "$3" --model "$4" --by both --output-db "$work/predicted.db" >/dev/null
  sql "ATTACH '$work/predicted.db' AS predicted;
    INSERT INTO prediction SELECT e.platform, m.name, p.ranks, p.rank_B, '$3', substr(e.library, 1, instr(e.library, ' ') - 1),
      e.library LIKE '%by formula,%', p.median_s FROM predicted.measurement p
      JOIN predicted.environment e ON e.id = p.environment JOIN predicted.method m ON m.id = p.method"
}

best_segment() { # PLATFORM PARAMETERS MODEL [OPTION]: closed form, or searched
  "$tutti" predict bcast --platform "$1" --db "$db" --ranks 64 --size 768KB,2MB --parameters "$2" --model "$3" \
    --segments best --by formula --output-db "$work/best.db" ${4:-} >/dev/null
  sql "ATTACH '$work/best.db' AS best;
    INSERT INTO closed SELECT '$1', rank_B, '$3', '$2', '${4:-}', substr(name, 20), median_s FROM best.measurement
      JOIN best.method m ON m.id = method WHERE name GLOB 'bcast/split-binary/*'"
  rm "$work/best.db"
}

for experiment in pjesivac_figure_6_1 pjesivac_figure_6_1_mx pjesivac_figure_4_21_boba pjesivac_figure_4_21 pjesivac_figure_4_22; do
  simulate $experiment
done

sql "CREATE TABLE prediction (platform, method, ranks, bytes, parameters, model, formula, seconds);
  CREATE TABLE closed (platform, bytes, model, parameters, option, segment, seconds)"
while IFS='|' read -r experiment platform; do
  collective=$(sed -n 's/.*<sweep collective="\([a-z]*\)".*/\1/p' "$experiments/$experiment.xml")
  predict "$platform" "$collective" measured hockney,loggp,plogp
  case $platform in
    *_loggp) predict "$platform" "$collective" published loggp ;;
    *) predict "$platform" "$collective" published hockney,loggp ;;
  esac
done <"$work/experiments"

# A line a point, model and parameters.
sql "CREATE TABLE point AS
  SELECT e.platform, m.collective, m.name AS method, s.ranks, s.rank_B AS bytes, s.median_s AS simulated
    FROM store.measurement s JOIN store.environment e ON e.id = s.environment JOIN store.method m ON m.id = s.method;
  CREATE TABLE line AS SELECT p.*, f.model, f.parameters, f.seconds AS formula, s.seconds AS priced FROM point p
    JOIN prediction f ON f.formula AND (f.platform, f.method, f.ranks, f.bytes) = (p.platform, p.method, p.ranks, p.bytes)
    JOIN prediction s ON NOT s.formula AND (s.platform, s.method, s.ranks, s.bytes) = (p.platform, p.method, p.ranks, p.bytes)
      AND (s.model, s.parameters) = (f.model, f.parameters)
    ORDER BY p.collective, p.platform, f.model, f.parameters, p.method, p.ranks, p.bytes"
sql "SELECT count(*) FROM line" >"$work/lines"
[ "$(cat "$work/lines")" -eq "$(sql 'SELECT count(*) FROM prediction WHERE formula')" ] || { echo "models.sh: some points lack a prediction" >&2; exit 1; }
sqlite3 -batch -header -csv "$work/all.db" "SELECT platform, method, ranks, bytes, model, parameters,
  printf('%.6f', 1e6 * simulated) AS simulated_us, printf('%.6f', 1e6 * formula) AS formula_us,
  printf('%.6f', 1e6 * priced) AS priced_us FROM line" | tr -d '\r' >"$out/models.csv"

# Ratios: for each group of lines the median, least and largest.
sql "CREATE TABLE ratio AS SELECT *, row_number() OVER (PARTITION BY collective, platform, model, parameters, by ORDER BY value) AS place,
    count(*) OVER (PARTITION BY collective, platform, model, parameters, by) AS points
  FROM (SELECT line.*, 'formula' AS by, formula / simulated AS value FROM line
    UNION ALL SELECT line.*, 'priced', priced / simulated FROM line);
  CREATE TABLE spread AS SELECT collective, platform, model, parameters, by, points, min(value) AS least, max(value) AS most,
    avg(value) FILTER (WHERE place IN ((points + 1) / 2, points / 2 + 1)) AS median
  FROM ratio GROUP BY 1, 2, 3, 4, 5"
for by in priced formula; do
  echo "| $by / simulated: median (least .. largest) | points | Hockney | LogGP, published | LogGP, measured | PLogP, measured |"
  echo '|---|---|---|---|---|---|'
  sql "SELECT printf('| %s, \`%s\` | %d | %s | %s | %s | %s |', collective, platform, points,
      max(cell) FILTER (WHERE model = 'hockney' AND (parameters = 'published' OR platform LIKE '%\\_loggp' ESCAPE '\\')),
      max(cell) FILTER (WHERE model = 'loggp' AND parameters = 'published'),
      max(cell) FILTER (WHERE model = 'loggp' AND parameters = 'measured'), max(cell) FILTER (WHERE model = 'plogp'))
    FROM (SELECT *, printf('%.3f (%.3f .. %.3f)', median, least, most) AS cell FROM spread WHERE by = '$by')
    GROUP BY collective, platform ORDER BY collective, platform"
  echo
done >"$out/ratios.md"

# Table 6.1. Closed forms with the parameters that were published, the searched one with those that were measured.
for platform in grig_mx grig_fast_ethernet; do
  for model in hockney loggp; do
    best_segment $platform published $model
    best_segment $platform published $model --printed
  done
  best_segment $platform measured plogp
  best_segment ${platform}_loggp measured plogp
done

# Of the sizes that were simulated, those within so many percent of the best; neighbours in the list of all sizes are told
# as a range.
sql "CREATE TABLE candidate AS SELECT *, CASE WHEN method GLOB '*/*/*' THEN substr(method, 20) ELSE 'none' END AS segment FROM
    (SELECT platform, bytes, method, 'simulated' AS source, simulated AS seconds FROM point WHERE collective = 'bcast'
    UNION ALL SELECT platform, bytes, method, model || ', ' || parameters || ', ' || by,
      CASE by WHEN 'formula' THEN formula ELSE priced END FROM ratio WHERE collective = 'bcast');
  CREATE TABLE placed AS SELECT *, seconds / min(seconds) OVER same AS slower, row_number() OVER (PARTITION BY platform, bytes, source
        ORDER BY CASE segment WHEN 'none' THEN 1e30 ELSE CAST(segment AS INTEGER) *
          CASE WHEN segment LIKE '%MB' THEN 1048576 WHEN segment LIKE '%KB' THEN 1024 ELSE 1 END END) AS place
    FROM candidate WINDOW same AS (PARTITION BY platform, bytes, source);
  CREATE TABLE near AS SELECT platform, bytes, source, most, place, segment,
      place - row_number() OVER (PARTITION BY platform, bytes, source, most ORDER BY place) AS run
    FROM placed JOIN (SELECT 1.0 AS most UNION SELECT 1.05 UNION SELECT 1.1) ON slower <= most;
  CREATE TABLE told AS SELECT platform, bytes, source, most, group_concat(text, ', ') AS text FROM
    (SELECT a.platform, a.bytes, a.source, a.most, a.segment || CASE a.place WHEN r.last THEN '' ELSE ' .. ' || z.segment END AS text
      FROM (SELECT platform, bytes, source, most, min(place) AS first, max(place) AS last FROM near
          GROUP BY platform, bytes, source, most, run) r
        JOIN near a ON a.place = first AND (a.platform, a.bytes, a.source, a.most) = (r.platform, r.bytes, r.source, r.most)
        JOIN near z ON z.place = last AND (z.platform, z.bytes, z.source, z.most) = (r.platform, r.bytes, r.source, r.most)
      ORDER BY 1, 2, 3, 4, a.place)
    GROUP BY platform, bytes, source, most"
sqlite3 -batch "$work/all.db" '.mode csv' ".import $here/pjesivac_table_6_1.csv published"
{
  echo '| network, message | model | printed formula, published parameters | corrected formula | published |'
  echo '|---|---|---|---|---|'
  sql "SELECT printf('| %s, %s | %s | %s | %s | %s |', CASE WHEN c.platform LIKE '%mx%' THEN 'MX' ELSE 'TCP' END,
      CASE c.bytes WHEN 786432 THEN '768 KB' ELSE '2 MB' END,
      CASE c.model WHEN 'plogp' THEN 'PLogP, measured on ' || c.platform WHEN 'loggp' THEN 'LogGP' ELSE 'Hockney' END,
      coalesce(o.segment, '-'), c.segment, p.best_B || 'B')
    FROM closed c LEFT JOIN closed o ON o.option <> '' AND (o.platform, o.bytes, o.model) = (c.platform, c.bytes, c.model)
    JOIN published p ON CAST(p.bytes AS INTEGER) = c.bytes AND c.model = lower(p.source) AND c.platform LIKE CASE p.network WHEN 'mx' THEN '%mx%' ELSE '%fast%' END
    WHERE c.option = '' ORDER BY c.platform LIKE '%mx%' DESC, c.bytes, c.model, c.platform"
  echo
  echo '| network, message | source | best | simulated, that is slower than the best by | within 5 % | within 10 % |'
  echo '|---|---|---|---|---|---|'
  sql "SELECT printf('| %s, %s | published: %s | %s | | %s | %s |', upper(network), CASE bytes WHEN '786432' THEN '768 KB' ELSE '2 MB' END,
      source, best_B || 'B', within_5, within_10)
      FROM published WHERE source IN ('PLogP', 'measured') ORDER BY network, CAST(bytes AS INTEGER), source;
    SELECT printf('| %s, %s | %s on \`%s\` | %s | %.1f %% | %s | %s |', CASE WHEN b.platform LIKE '%mx%' THEN 'MX' ELSE 'TCP' END,
      CASE b.bytes WHEN 786432 THEN '768 KB' ELSE '2 MB' END, b.source, b.platform, b.text, 100 * (s.slower - 1), f.text, t.text)
    FROM told b JOIN told f ON f.most = 1.05 AND (f.platform, f.bytes, f.source) = (b.platform, b.bytes, b.source)
      JOIN told t ON t.most = 1.1 AND (t.platform, t.bytes, t.source) = (b.platform, b.bytes, b.source)
      JOIN placed s ON s.source = 'simulated' AND (s.platform, s.bytes, s.segment) = (b.platform, b.bytes, b.text)
    WHERE b.most = 1 AND (b.source IN ('simulated', 'plogp, measured, priced') OR b.source =
      CASE WHEN b.platform LIKE '%loggp' THEN 'loggp' ELSE 'hockney' END || ', published, priced')
    ORDER BY b.platform LIKE '%mx%' DESC, b.bytes, b.platform, b.source = 'simulated' DESC, b.source"
} >"$out/table_6_1.md"

# The figures. On a LogGP platform Hockney's parameters are the measured ones, PLogP's always are.
command -v gnuplot >/dev/null || { echo "models.sh: no gnuplot, no figures" >&2; exit 0; }

curve() { # COLUMN X WHERE
  sql "SELECT DISTINCT $2 AS x, $1 FROM line WHERE platform = '$platform' AND $3 ORDER BY x" | tr '|' ' '
  printf '\n\n'
}

panel() { # PLATFORM TITLE X WHERE
  platform=$1
  titles="$titles \"$2\""
  case $1 in *_loggp) hockney=measured ;; *) hockney=published ;; esac
  curve simulated "$3" "$4"
  for by in priced formula; do
    curve "$by" "$3" "$4 AND model = 'hockney' AND parameters = '$hockney'"
    curve "$by" "$3" "$4 AND model = 'loggp' AND parameters = 'published'"
    curve "$by" "$3" "$4 AND model = 'plogp' AND parameters = 'measured'"
  done
}

# 1, 2 and 5 times each power of ten, from 1 us to 5 s.
time_tics=$(awk 'BEGIN {
  split("us ms s", unit)
  for (thousand = 1; thousand <= 3; thousand++)
    for (power = 1; power < (thousand < 3 ? 1000 : 10); power *= 10)
      for (digit = 1; digit <= 5; digit += digit == 1 ? 1 : 3)
        printf "%s\"%d %s\" %de-%d", n++ ? ", " : "", digit * power, unit[thousand], digit * power, 9 - 3 * thousand
}')

draw() { # NAME TITLE X_AXIS COLUMNS
  LC_ALL=C.UTF-8 gnuplot -d -c "$here/../plots/models.gp" "$work/data" "$out/models_$1.svg" svg "$2" "$3" \
    "set ytics ($time_tics); y_label = 'Time'" "$titles" "$4"
}

segment_bytes="(CASE WHEN method GLOB '*/*/*' THEN CAST(substr(method, 20) AS INTEGER) * CASE WHEN method LIKE '%MB' THEN 1048576
  WHEN method LIKE '%KB' THEN 1024 ELSE 1 END ELSE 2097152 END)"
for network in fast_ethernet mx; do
  titles=
  for machine in grig_$network grig_${network}_loggp; do
    panel $machine "$machine, 768 KB" "$segment_bytes" "collective = 'bcast' AND bytes = 786432"
    panel $machine "$machine, 2 MB" "$segment_bytes" "collective = 'bcast' AND bytes = 2097152"
  done >"$work/data"
  draw split_binary_$network 'Split-binary broadcast, 64 processes, by segment size' 'set xtics ("256 B" 256, "1 KB" 1024, "4 KB" 4096, "16 KB" 16384, "64 KB" 65536, "256 KB" 262144, "none" 2097152);
    x_label = "Segment size"' 2
done
for cluster in boba_gige grig_mx; do
  titles=
  for machine in $cluster ${cluster}_loggp; do
    for algorithm in linear double-ring recursive-doubling bruck; do
      panel $machine "$machine, $algorithm" ranks "method = 'barrier/$algorithm'"
    done
  done >"$work/data"
  draw barrier_$cluster 'Barriers' 'set xtics (2, 4, 8, 16, 32, 64); x_label = "Processes"' 4
done
for machine in boba_gige boba_gige_loggp; do
  titles=
  for segment in '' /1KB; do
    for algorithm in binomial pipeline; do
      for ranks in 8 24; do
        panel $machine "$algorithm$segment, $ranks processes" bytes "method = 'reduce/$algorithm$segment' AND ranks = $ranks"
      done
    done
  done >"$work/data"
  draw reduce_$machine "Reduce, $machine" 'set xtics ("1 B" 1, "64 B" 64, "4 KB" 4096, "256 KB" 262144, "8 MB" 8388608);
    x_label = "Message size"' 4
done
