#!/bin/sh
# SIGKILL of any process of a running sweep, at random times: tutti, a guard, smpirun, its shell, the simulator. Each
# time the store is sound, no process continues, and the same command ends with exactly the table of an undisturbed run.
#
# A hundred of them, where the suite has 24: kill.sh BUILD_DIR SOURCE_DIR 100
#
# usage: kill.sh BUILD_DIR SOURCE_DIR [KILLS [SEED]]
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/tables.sh"
need smpirun simgrid
need sqlite3 sqlite3
[ -r "$build/smpi/tutti-bench" ] || { echo "skipped: no tutti-bench for smpi"; exit 77; }
wanted=${3:-24} seed=${4:-1}

write_machine machine.xml
cat > kill.xml <<'XML'
<experiment name="kill">
  <platform file="machine.xml"/>
  <sweep collective="bcast" root="0">
    <ranks>4 9</ranks>
    <sizes>1..16KB*2 3 5 7 100 300 700 3000</sizes>
    <method algorithm="linear" segments="none 1KB"/>
    <method algorithm="binomial" segments="none 1KB 8KB"/>
    <method name="bcast/split-binary/1KB"/>
  </sweep>
  <sweep collective="allreduce">
    <ranks>4 9</ranks>
    <sizes>8..8KB*2 3 5 7 100 300 700 3000</sizes>
    <method name="allreduce/recursive-doubling"/>
  </sweep>
</experiment>
XML

sweep() { # DATABASE
  exec "$tutti" bench kill.xml --db "$1" -j 2 --chunk 80 > run.out 2> run.err
}

children_of() { # PROCESS: it and all below it, a line each
  echo "$1"
  for list in /proc/"$1"/task/*/children; do
    below=
    read -r below 2> /dev/null < "$list"
    for child in $below; do children_of "$child"; done
  done 2> /dev/null
}

pick() { # NUMBER WORDS...: word NUMBER modulo their number
  number=$1
  shift
  shift $((number % $#))
  echo "$1"
}

# Kill one process of a sweep after so many milliseconds; false if it was over by then.
strike() { # DATABASE MILLISECONDS NUMBER
  sweep "$1" &
  run=$!
  sleep "$(printf '0.%03d' "$2")"
  victim=$(pick "$3" $(children_of $run))
  role=$(cat /proc/"$victim"/comm 2> /dev/null) role="$role: $(tr '\0' ' ' 2> /dev/null < /proc/"$victim"/cmdline)"
  struck=no
  kill -KILL "$victim" 2> /dev/null && struck=yes
  wait $run 2> /dev/null
  code=$?
  [ $struck = yes ]
}

tell_role() { # NAME: COMMAND-LINE
  case $1 in
    "guard: "*) echo guard ;;
    *"tutti bench "*) echo tutti ;;
    *smpirun*) echo smpirun ;;
    *tutti-bench*) echo simulator ;;
    *) echo "a tool of smpirun's" ;;
  esac
}

resume() { # DATABASE
  (sweep "$1") || die "kill $kills (seed $seed, $role): the run after it: $(cat run.err)"
  check_store "$1"
  table "$1" > resumed.txt
  cmp -s reference.txt resumed.txt || die "kill $kills (seed $seed, $role): the table differs"
  [ ! -e "$1.work" ] || die "kill $kills (seed $seed, $role): left behind: $(ls "$1.work")"
}

start=$(now)
(sweep reference.db) || die "reference: $(cat run.err)"
duration=$(($(now) - start))
table reference.db > reference.txt
points=$(wc -l < reference.txt)

awk -v seed="$seed" -v duration=$duration -v count=$((50 * wanted)) 'BEGIN {
  srand(seed)
  for (i = 0; i < count; i++) printf "%d %d\n", rand() * 0.9 * duration % 1000, rand() * 1000
}' > moments
kills=0 failed=0
: > roles
while [ $kills -lt "$wanted" ] && read -r moment number <&3; do
  rm -rf killed.db*
  strike killed.db "$moment" "$number" || continue
  kills=$((kills + 1))
  tell_role "$role" >> roles
  case $code in
    0 | 137) ;;
    2) failed=$((failed + 1)) && [ "$(wc -l < run.err)" -eq 1 ] || die "not one sentence: $(cat run.err)" ;;
    *) die "kill $kills (seed $seed, $role): status $code: $(cat run.err)" ;;
  esac
  survivors killed.db
  check_store killed.db
  resume killed.db
done 3< moments
[ $kills -ge "$wanted" ] || die "only $kills kills of $wanted hit a process"
echo "$points points; $kills kills, after $failed of which tutti said what had happened; seed $seed:" \
  "$(sort roles | uniq -c | tr -s " " | tr '\n' ' ')"
