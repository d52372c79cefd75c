#!/bin/sh
# Steps and claims of experiments compare published with measured values, for one experiment and for a folder.
. "$2/tests/e2e/begin.sh"
need smpirun libsimgrid-dev

experiment() { # NAME TAKES BODY
  printf '<experiment name="%s" source="Somebody 2007, %s" takes="%s">\n%s\n</experiment>\n' "$1" "$1" "$2" "$3" >"all/$1.xml"
}

sweep='<platform name="grig_fast_ethernet"/>
<sweep collective="bcast"><ranks>2 4 8</ranks><sizes>1KB 64KB</sizes>
<method algorithm="linear"/><method algorithm="binomial"/></sweep>'
faster='<claim what="binomial is faster" published="true">
  SELECT (SELECT us FROM points WHERE method = '"'bcast/binomial'"' AND ranks = 8 AND bytes = 65536)
       &lt; (SELECT us FROM points WHERE method = '"'bcast/linear'"' AND ranks = 8 AND bytes = 65536)</claim>'
keep='<step>penalty bcast/linear --keep --platform grig_fast_ethernet</step>
<claim what="mean penalty of linear" published="1" unit="%" within="1000x">
  SELECT mean_percent FROM penalties WHERE decision = '"'bcast/linear'"'</claim>'

mkdir all
experiment quick 5s "$sweep$faster$keep"

# One experiment: points, step, claims; the second time there is nothing to do.
run 0 bench all/quick.xml -q -j 2
expect 'quick: 12 points measured, 0 there already'
expect '^  binomial is faster +true +true +- +reproduced$'
expect '^  mean penalty of linear +1 % \(within 1000x\) +[0-9.e+]+ % +[0-9.]+ +reproduced$'
expect '^quick, Somebody 2007, quick: reproduced$'
run 0 bench all/quick.xml -q
expect 'quick: 0 points measured, 12 there already'
run 0 bench all/quick.xml -q --json
expect '"experiment": "quick", "source": "Somebody 2007, quick", "verdict": "reproduced"'
expect '"what": "binomial is faster", "published": "true", "unit": null, "within": null, "from": null, "kind": "prediction", "measured": 1, "ratio": null'

# What the platform was told is not counted, and what follows from formulas is told apart.
experiment told 1s "$sweep$faster
<claim what=\"input\" kind=\"calibration\" published=\"12\">SELECT count(*) FROM points</claim>
<claim what=\"sum\" kind=\"formula\" published=\"12\" within=\"1%\" from=\"rounding\">SELECT count(*) FROM points</claim>"
run 0 bench all/told.xml -q
expect '^  input +12 +12 +1.00 +reproduced \(calibration\)$'
expect '^  sum +12 \(within 1%\) +12 +1.00 +reproduced \(formula\)$'
expect '^2 claims, 1 of them tests a prediction; 1 calibration input$'
run 0 bench all/told.xml -q --json
expect '"within": "1%", "from": "rounding", "kind": "formula"'
expect '"predictions": 1, "calibrations": 1'
experiment told 1s "$sweep<claim what=\"input\" kind=\"calibration\" published=\"12\">SELECT count(*) FROM points</claim>"
run 0 bench all/told.xml -q
expect '^told, Somebody 2007, told: calibration$'
sed -i 's/published="12"/published="13"/' all/told.xml
run 1 bench all/told.xml -q
expect '^  input +13 +12 +0.92 +differs, not explained \(calibration\)$'
sed -i 's/kind="calibration"/kind="self-check"/; s/published="13"/published="12"/' all/told.xml
run 0 bench all/told.xml -q
expect '^  input +12 +12 +1.00 +reproduced \(self-check\)$'
expect '^0 claims, 0 of them test a prediction; 1 self-check$'
expect '^told, Somebody 2007, told: self-check$'
run 0 bench --all --list all --json
expect '"predictions": 0, "calibrations": 0, "self_checks": 1, "host_timings": 0, "not_comparable": 0'
rm all/told.xml

# A claim that does not hold is an error until the file gives the reason.
wrong='<claim what="points" published="13">SELECT count(*) FROM points</claim>'
experiment wrong 1s "$wrong"
run 1 bench all/wrong.xml -q
expect '^  points +13 +12 +0.92 +differs, not explained$'
experiment wrong 1s "$wrong<differs>One
   is missing.</differs>"
run 0 bench all/wrong.xml -q
expect '^Why it differs: One is missing\.$'
expect 'wrong: differs$'
experiment elsewhere 2s '<not-reproducible>No such machine.</not-reproducible>'
experiment slow 3h '<step>nonsense</step>'

# A claim that finds nothing was not checked, also one that is known to differ.
for reason in '' '<differs>It does not matter why.</differs>'; do
  experiment nothing 1s "$sweep$faster
<claim what=\"of nowhere\" published=\"2\">SELECT us FROM points WHERE platform = 'grig_fast_ehternet'</claim>$reason"
  run 1 bench all/nothing.xml -q
  expect '^  of nowhere +2 +- +- +not measured$'
  expect '^nothing, Somebody 2007, nothing: not measured$'
  expect "^tutti: all/nothing.xml:[0-9]+: claim 'of nowhere' was not checked: all is measured, and its query finds nothing"
  run 1 bench --all all --within 1s -q
  expect "claim 'of nowhere' was not checked"
done
run 0 bench --all --list all # which measures nothing
rm all/nothing.xml

# A folder: in order of time, up to a limit, verdicts of the store for the others.
run 0 bench --all --list all
awk '/^  (wrong|elsewhere|quick|slow) / { print $1 }' out | tr '\n' ' ' >order
[ "$(cat order)" = 'wrong elsewhere quick slow ' ] || die "not in order of time: $(cat out)"
expect '^1 reproduced, 1 differ, 1 not reproducible here, 0 not measured$'
run 0 bench --all all --within 1min --db fresh.db -q -j 2
expect '^  slow .* 3 h 0 min +left out$'
expect '^  quick +Somebody 2007, quick +5 s +8 s$'
expect '^  quick +Somebody 2007, quick +reproduced +2/2 '
run 0 bench --all all --list --db absent.db
expect '^0 reproduced, 0 differ, 1 not reproducible here, 2 not measured$'
[ ! -e absent.db ] || die '--list made a store'
[ ! -s err ] || die "unexpected: $(cat err)"

# By the fast engine all that it measures: an experiment with what a library runs stays as it is.
mkdir engines
sed 's|penalty bcast/linear|& --engine $engine|' all/quick.xml >engines/quick.xml
sed 's|name="quick"|name="mixed"|; s|<method algorithm="linear"/>|&<method algorithm="native"/>|' engines/quick.xml >engines/mixed.xml
run 2 bench --all engines --orders 2 --db engines.db
expect '\-\-orders goes with one experiment, or with --all --engine fast'
run 0 bench --all engines --engine fast --orders 2 --db engines.db
expect '1 of 2 experiments are measured as their files say: the engine fast does not measure all of what they ask for'
rows_of() { # STORE: flavor|rows|last launch|rows of native
  sqlite3 "$1" "SELECT flavor, count(*), max(launch), sum(name = 'bcast/native') FROM measurement
    JOIN method ON method.id = method JOIN environment ON environment.id = environment GROUP BY 1" | tr '\n' ' '
}
[ "$(rows_of engines.db)" = 'fast|24|1|0 smpi|18|0|6 ' ] || die "rows of engines: $(rows_of engines.db)"
printf '<experiment name="steps"><step>bench $here/quick.xml --db $db --engine $engine</step></experiment>' >engines/steps.xml
run 0 bench engines/steps.xml --engine fast --db steps.db -q # which measures nothing itself
[ "$(rows_of steps.db)" = 'fast|12|0|0 ' ] || die "rows of steps: $(rows_of steps.db)"

# A step that fails is named with its last output, and the others run.
run 2 bench --all all --db late.db -q -j 2
expect "all/slow.xml:2: step 'nonsense': status 2: tutti: unknown subcommand 'nonsense'"
expect '^  quick .* reproduced +2/2 '
run 0 bench --all all --list --db late.db --json
expect '"experiment": "slow", .*"verdict": "not measured"'

# Words of a step: quotes, the store, the folder of the file.
experiment words 1s "<step>bench \$here/quick.xml --db \$db -q -j \$jobs</step><step>penalty 'bcast/linear' --keep=\"by name\" --platform grig_fast_ethernet</step>"
run 2 bench all/words.xml --db words.db -q
expect "step 'penalty .*: status 2: tutti: tutti-penalty: field 'decision' is not one word"
sed -i 's/by name/by-name/' all/words.xml
run 0 bench all/words.xml --db words.db -q
sqlite3 words.db "SELECT decision FROM decision_penalty ORDER BY 1" >kept 2>/dev/null || need sqlite3 sqlite3
[ "$(tr '\n' ' ' <kept)" = 'bcast/linear by-name ' ] || die "kept: $(cat kept)"

# A step is what somebody else wrote: it writes only to its store and below $work, and starts no program of its own.
step() { # TEXT: an experiment with this step
  experiment steps 1s "<step>$1</step>"
}
refused() { # TEXT REASON: the step is refused, and nothing is there afterwards
  step "$1"
  run 2 bench all/steps.xml --db words.db -q
  expect "all/steps.xml:2: step .*: $2"
  [ ! -e stolen ] || die "step '$1' wrote a file"
}
no="not allowed in a step of an experiment, unless by tutti bench --trust"
below="a step of an experiment may only write below "
refused 'learn c45 bcast --platform grig_fast_ethernet -o stolen' "tutti learn: --output: $below"
refused 'learn c45 bcast --platform grig_fast_ethernet --outp=stolen' "tutti learn: --output: $below"
refused 'learn c45 bcast --platform grig_fast_ethernet -o $work/../../stolen' "tutti learn: --output: $below"
refused 'bench $here/quick.xml --launcher touch --launcher-args stolen' "tutti bench: --launcher: $no"
refused 'bench $here/quick.xml --program ./touch' "tutti bench: --program: $no"
refused 'bench $here/quick.xml --trust' "tutti bench: --trust: $no"
refused 'bench $here/quick.xml --db stolen' 'tutti bench: --db: a step of an experiment may only name its own store'
refused 'predict bcast --platform grig_mx --parameters published -P 4 -s 8 --output-db stolen' 'tutti predict: --output-db: a step'
refused 'whatif grig_mx --set latency=1us -o stolen' "tutti whatif: $no"
refused 'merge stolen words.db' "tutti import: $no"
refused 'check $here/quick.xml --update' "tutti check: $no"
refused 'bench $here/steps.xml' '.*steps of steps more than 4 deep'
mkdir -p outside words.db.work/steps # a link that came with the store, or with the files of somebody else
chmod 700 words.db.work words.db.work/steps
ln -s "$PWD/outside" words.db.work/steps/link
ln -s "$PWD/outside/file" words.db.work/steps/file
refused 'learn c45 bcast --platform grig_fast_ethernet -o $work/link/rules' "tutti learn: --output: $below"
refused 'learn c45 bcast --platform grig_fast_ethernet -o $work/file' "tutti learn: --output: $below"
[ -z "$(ls outside)" ] || die "a step wrote through a link: $(ls outside)"
# Nor does it read what it likes, by an argument or an option; a link does not lead out, and nothing is told of what is there.
reads='a step of an experiment may only read '
mkdir -p all/sub outside/more
echo 'root:x:0:0:root' >outside/secret
cp all/quick.xml outside/private.xml
ln -s ../outside/secret all/secret
ln -s ../outside all/away
for file in "$PWD/outside/secret" outside/secret ./outside/secret '$here/../outside/secret' '$here/secret' '$here/away/secret' \
  '$here/sub/../../outside/secret' '$work/../../outside/secret' "$PWD/outside/absent" /dev/stdin /dev/fd/0 /proc/self/environ; do
  refused "penalty $file --collective bcast --platform grig_fast_ethernet" "tutti: .*$reads"
  ! grep -q 'root:' out err || die "a step told what is in $file"
done
refused "penalty bcast/linear --against $PWD/outside/secret --collective bcast --platform grig_fast_ethernet" "$reads"
refused "map bcast --platform grig_fast_ethernet --decision outside/secret" "$reads"
refused "predict bcast --platform $PWD/outside/privat.xml --parameters published -P 4 -s 8" "$reads"
refused "params outside/private.xml" "$reads"
refused "group centralized -P 4 --platform $PWD/outside/private.xml" "$reads"
refused "learn c45 bcast --platform grig_fast_ethernet --points outside/private.xml" "$reads"
refused "bench $PWD/outside/private.xml" "$reads"
refused 'bench $here/away/absent.xml' "$reads"
refused 'bench $here/away' "$reads"
cp "$source/platforms/grig_fast_ethernet.xml" all/sub/mine.xml
step 'predict bcast --platform $here/sub/mine.xml --parameters published -P 4 -s 8 --method bcast/linear'
run 0 bench all/steps.xml --db words.db -q
# Nor does a program that it starts: what an experiment of a step names, and what the program itself is given.
nested() { # ATTRIBUTES PLATFORM METHODS
  printf '<experiment name="nested"><platform name="%s"/><sweep collective="bcast" %s><ranks>4</ranks><sizes>8</sizes>%s</sweep></experiment>\n' \
    "$2" "$1" "$3" >all/nested.xml
}
printf '0s\n1us\n0s\n0s\n' | tee outside/delays >all/delays
echo bcast/linear | tee outside/rules >all/rules
linear='<method algorithm="linear"/>'
for file in /etc/passwd ../outside/delays "$PWD/outside/delays" away/delays; do
  nested "arrival=\"trace/$file\"" grig_fast_ethernet "$linear"
  refused 'bench $here/nested.xml' "$reads"
done
for file in /etc/passwd ../outside/rules away/rules; do
  nested '' grig_fast_ethernet "<decision file=\"$file\"/>"
  refused 'bench $here/nested.xml' "$reads"
  nested '' "$file" "$linear"
  refused 'bench $here/nested.xml' "$reads"
done
for option in engine orders jobs job-timeout chunk again; do
  for file in /etc/passwd ../../outside/rules; do
    refused "bench \$here/quick.xml --$option=$file" 'status 2: '
  done
done
for engine in smpi fast; do
  nested 'arrival="trace/delays"' grig_fast_ethernet "$linear<decision file=\"rules\"/>"
  step "bench \$here/nested.xml --engine $engine -q"
  run 0 bench all/steps.xml --db nested.db -q
done
printf 'tutti-points v=1\nbcast/linear root=0 count=8 type_B=1\n' | tee outside/points >all/points
measures() { # FILE PROGRAM...: what a step may read is $here, and where programs are started
  file=$1
  shift
  (cd all && TUTTI_READS="$(pwd -P)/sub" "$@" --points "$file") >out 2>err
}
grig=$source/platforms/grig_fast_ethernet.xml
for file in ../outside/points "$PWD/outside/points" away/points; do
  measures "$file" "$build/fast/tutti-bench" --platform sub/mine.xml --ranks 4 && die "a program of a step read $file"
  expect 'may only read what the step may read'
done
measures points "$build/fast/tutti-bench" --platform sub/mine.xml --ranks 4 || die "a program of a step reads nothing: $(cat err)"
measures ../outside/points smpirun -np 4 -platform "$grig" -no-privatize --log=root.thres:critical "$build/smpi/tutti-bench"
expect 'tutti-bench: ../outside/points: .*may only read what the step may read'
measures points smpirun -np 4 -platform "$grig" -no-privatize --log=root.thres:critical "$build/smpi/tutti-bench" ||
  die "a simulated program of a step reads nothing: $(cat err)"
rm -r all/nested.xml all/points all/delays all/rules
for command in bench group params; do
  refused "$command x --job-timeout soon" "status 2: Try .tutti $command --help" # the value is wrong, not the option
done
step 'bench $here/quick.xml --db $db -q --job-timeout 2h'
run 0 bench all/steps.xml --db words.db -q
step 'learn c45 bcast --platform grig_fast_ethernet -o $work/rules'
run 0 bench all/steps.xml --db words.db -q
[ -s words.db.work/steps/rules ] || die 'a step cannot write below $work'
step 'learn c45 bcast --platform grig_fast_ethernet -o stolen'
run 0 bench all/steps.xml --db words.db -q --trust
[ -s stolen ] || die '--trust does not trust'
rm -r stolen words.db.work all/steps.xml

# A faulty file of the folder is named by the report, too.
mkdir experiments
sed 's/published="true"/published="fast"/' all/quick.xml >experiments/quick.xml
run 2 report --db results.db -o report.html
expect 'experiments/quick\.xml:4: published="fast" is no number'
rm -r experiments

# Invalid claims.
experiment evil 1s '<claim what="all" published="0">DELETE FROM measurement</claim>'
run 2 bench all/evil.xml -q
expect "all/evil.xml:2: claim 'all' is not one SELECT of one number: near \"DELETE\": syntax error"
run 0 bench all/quick.xml -q
expect '12 there already'

run 2 bench --list all/quick.xml
expect '\-\-list and --within go with --all'
run 2 bench --all --within soon all
expect "'soon' is no time"
run 2 bench --all nowhere
expect 'nowhere: No such file or directory'
run 2 penalty bcast/linear bcast/binomial --keep=x --platform grig_fast_ethernet
expect '\-\-store-as=x: one name for 2 decisions'
echo "$name: ok"
