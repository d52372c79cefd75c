#!/bin/sh
# Several things at once: groups that call at the same time, and the jobs of a file, in all placements, take as long by the
# fast engine as by SMPI, digit by digit, alone and together, on draws by a seed, ENGINE_SEED, that others may change; a
# single group takes what the scheme window measures; and what is no list of jobs is refused with its line.
#
# usage: engine_jobs.sh BUILD_DIR SOURCE_DIR
#   ENGINE_ROUNDS draws for each of ENGINE_PLATFORMS: to compare more.
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
. "$source/tests/e2e/draw.sh"

# ---- both engines ----

both() { # ARGUMENTS...: of tutti bench; adds the compared lines to $all
  run 0 bench "$@" --engine fast --csv
  sed 's/,fast,/,,/' out >fast
  run 0 bench "$@" --engine smpi --csv
  sed 's/,smpi,/,,/' out >smpi
  cmp -s fast smpi || die "$*: $(diff fast smpi)"
  all=$((all + $(wc -l <fast) - 1))
}
pick_placement() {
  draw 1000
  pick packed round-robin "random/seed=$drawn"
}
write_jobs() { # a line a job; their ranks in $ranks
  : >jobs.txt
  ranks=0
  draw 3
  for job in $(seq $((drawn + 2))); do
    pick 1 2 3 4 5 7 8
    size=$picked
    ranks=$((ranks + size))
    pick_placement
    placement=$picked
    pick alltoall/pairwise alltoall/bruck alltoall/linear allreduce/ring allreduce/rabenseifner bcast/binomial/1KB \
      bcast/chain/512 allgather/bruck gather/binomial scatter/binomial reduce/binomial barrier/bruck scan/linear \
      reduce_scatter/butterfly
    method=$picked
    pick 0 1 8 700 4000 16KB
    bytes=$picked
    pick 1 1 2 5
    echo "job$job $size $placement $method $bytes $picked" >>jobs.txt
  done
}
all=0
platforms=${ENGINE_PLATFORMS:-grig_mx boba_gige ./torus.xml ./supermuc.xml ./bgp.xml cisco_infiniband ./small.xml}
command -v smpirun >/dev/null || platforms=
for platform in $platforms; do
  case $platform in ./torus.xml | ./supermuc.xml | ./bgp.xml) few_nodes "$(basename "$platform" .xml)" ;; esac
  [ "$platform" != ./small.xml ] || { # nobody waits for receivers
    few_nodes torus
    sed 's/\(-thresh" value=\)"0"/\1"1000000"/; s/\(smpi\/or" value=\)"0:0:0"/\1"0:1e-6:1e-9"/' torus.xml >small.xml
  }
  for round in $(seq "${ENGINE_ROUNDS:-1}"); do
    pick 2x2 2x5 3x3 3x4 2x7 4x3
    groups=$picked
    pick_placement
    placement=$picked
    pick alltoall allreduce bcast allgather reduce barrier
    collective=$picked
    pick 8 700 4000
    both "$collective" --platform "$platform" --groups "$groups" -s "$picked" --placement "$placement" \
      --methods "$(case $collective in alltoall) echo pairwise,linear ;; allgather) echo ring ;; barrier) echo bruck ;;
        *) echo binomial,linear ;; esac | { [ $collective = allreduce ] && echo ring || cat; })"
    write_jobs
    draw 3
    [ "$platform" = ./small.xml ] && [ "$drawn" = 0 ] && drawn=1
    both --jobs jobs.txt --platform "$platform" -P $((ranks + drawn))
  done
done
[ -z "$platforms" ] || [ $all -gt 40 ] || die "only $all times were compared"
echo "$all lines are equal"

# ---- one group is the scheme window; the same bytes again ----

run 0 bench alltoall,bcast --platform torus -P 12 -s 8,3000 --scheme window --engine fast --db one.db -q
for call in alltoall/pairwise bcast/binomial; do
  run 0 bench "${call%/*}" --platform torus --groups 1x12 -s 8,3000 --methods "${call#*/}" --csv
  sed -n '/^torus/p' out | head -n 2 | cut -d, -f 8,11 >groups
  sqlite3 -separator , one.db "SELECT t.rank_B, printf('%.12g', median_s) FROM measurement t JOIN method m ON m.id = t.method
    WHERE m.name = '$call' ORDER BY 1" >window
  [ "$(awk -F, '{ printf "%s %.11g\n", $1, $2 }' groups)" = "$(awk -F, '{ printf "%s %.11g\n", $1, $2 }' window)" ] ||
    die "$call: $(cat groups window)"
done
set -- bench alltoall --platform torus -P 128 --groups 8x16 -s 1KB --placement packed,round-robin,random
run 0 "$@" --json
mv out first
run 0 "$@" --json
cmp -s first out || die "other bytes in a second run"
run 0 "$@"
expect '^alltoall/linear  .* 1KB  round-robin  .*  [4-9]\.[0-9]* '
expect '^1KB, round-robin: alltoall/[a-z-]* suffers least \('
expect '^1KB, packed: no method takes 1 % longer than alone; the fastest is alltoall/'
run 0 bench allgather --platform torus --groups 2x3 -s 8 --methods bruck,swing,recursive-doubling,bine-send,native
expect '^  left out: allgather/swing on 3 ranks, for example: needs an even number of ranks$'
expect '^  left out: allgather/recursive-doubling, allgather/bine-send on 3 ranks, for example: needs .* a power of two$'
expect '^  left out: allgather/native on 3 ranks, for example: allgather/native: the engine runs schedules, not a library;'
[ ! -e results.db ] || die "a store of what is not to be stored"

# What a library chooses, which SMPI alone runs: a group of all ranks takes what tutti-bench measures; real machines run it.
if [ -n "$platforms" ]; then
  run 0 bench alltoall --platform cisco_infiniband -P 5 -s 700 --methods native --scheme window --db native.db -q
  run 0 bench alltoall --platform cisco_infiniband --groups 1x5 -s 700 --methods native --engine smpi --csv
  [ "$(sed -n 2p out | cut -d, -f11)" = "$(sqlite3 native.db "SELECT printf('%.12g', median_s) FROM measurement")" ] ||
    die "another time of native: $(cat out)"
fi
printf 'a 2 round-robin allreduce/native 8KB 2\nb 2 round-robin alltoall/bruck 1KB\n' >jobs.txt
for flavor in mpich openmpi; do
  [ -x "$build/$flavor/tutti-jobs" ] && command -v mpiexec.$flavor >/dev/null || continue
  more=$([ $flavor = mpich ] || echo --oversubscribe)
  jobs() { # STATUS ARGUMENT...: on 5 ranks
    wanted=$1
    shift
    timeout "$PATIENCE" mpiexec.$flavor $more -n 5 "$build/$flavor/tutti-jobs" "$@" </dev/null >out 2>err
    status=$?
    [ $status = "$wanted" ] || die "$flavor: tutti-jobs $*: status $status: $(cat err)"
  }
  while read -r arguments; do # what is wrong is said once, though every rank finds it
    read -r wrong
    # shellcheck disable=SC2086 # words
    jobs 2 $arguments
    [ "$(grep -c '^tutti-jobs: ' err)" = 1 ] && grep -qx "tutti-jobs: $wrong" err || die "$flavor: $arguments: $(cat err)"
  done <<'END'
jobs.txt 7
jobs.txt: there is no job 7: it has 2 jobs, which count from 0
jobs.txt x
'x' is no number of a job
jobs.txt 1 2
unexpected argument '2'
none.txt
none.txt: No such file or directory
END
  timeout "$PATIENCE" mpiexec.$flavor $more -n 2 "$build/$flavor/tutti-pingpong" --help </dev/null >out 2>err
  grep -q '^Usage: tutti-pingpong ' out || die "$flavor: $(cat out err)"
  jobs 0 --help
  grep -q '^Usage: tutti-jobs .*FILE \[JOB\]$' out || die "$flavor: $(cat out err)"
  for job in '' 1; do # one rank is idle
    jobs 0 jobs.txt $job
    awk -F'seconds=' '/^tutti-job v=1 job=(0 name=a|1 name=b) / && $2 > 0 && $2 < 100 { times++ } /^tutti-jobs-end v=1$/ { end = 1 }
      END { exit !(times == '"$([ -n "$job" ] && echo 1 || echo 2)"' && end) }' out || die "$flavor: $(cat out)"
  done
done

# ---- what is refused ----

refuse() { # PATTERN LINE...: of a file of jobs
  printf '%s\n' "$2" >bad.txt
  run 2 bench --jobs bad.txt --platform torus
  expect "^tutti( bench)?: $1"
}
refuse 'bad\.txt:1: a job is NAME RANKS PLACEMENT METHOD BYTES' 'a 4 packed barrier/bruck'
refuse 'bad\.txt:1: a job is ' 'a 4 packed barrier/bruck 0 1 2'
refuse "bad\.txt:2: 'x' is no number of ranks" '# jobs
a x packed barrier/bruck 0'
refuse "bad\.txt:1: '0' is no number of ranks" 'a 0 packed barrier/bruck 0'
refuse "bad\.txt:1: '0' is no number of repetitions" 'a 4 packed barrier/bruck 0 0'
refuse "bad\.txt:1: unknown placement 'pakced'" 'a 4 pakced barrier/bruck 0'
refuse "bad\.txt:1: not a placement: 'random/seed=-1'" 'a 4 random/seed=-1 barrier/bruck 0'
refuse "bad\.txt:1: .*barier" 'a 4 packed barier/bruck 0'
refuse "bad\.txt:1: .*'8XB'" 'a 4 packed bcast/binomial 8XB'
refuse "bad\.txt:2: 'a' is the name of the job in line 1" 'a 4 packed bcast/binomial 8
a 4 packed bcast/binomial 8'
refuse 'bad\.txt:1: the name of a job has ' 'a$b 4 packed bcast/binomial 8'
refuse 'bad\.txt:1: .*power of two' 'a 3 packed allgather/recursive-doubling 8'
refuse "bad\.txt:1: the engine runs schedules, not a library; --engine smpi runs 'native'" 'a 4 packed alltoall/native 8'
refuse 'bad\.txt:1: jobs run schedules and what a library chooses by itself, not ' 'a 4 packed alltoall/bruck@smpi 8'
refuse 'bad\.txt: has no jobs' '# none'
refuse '[0-9]+ ranks: platform torus has room for' 'a 4000000 packed bcast/binomial 8'
run 2 bench --jobs missing.txt --platform torus
expect "'missing\.txt' is neither a number of jobs, from 1 to 4096, nor a file of jobs: No such file"
sed 's/<prop id="smpi\/test".*/<prop id="network\/optim" value="Full"\/>/' "$source/platforms/torus.xml" >full.xml
mkdir apart
cat >apart/full.xml <<'END'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/></zone>
</platform>
END
while read -r pattern arguments; do
  # shellcheck disable=SC2086 # words
  run 2 bench $arguments
  expect "$(echo "$pattern" | tr _ ' ')"
done <<'END'
is_no_number_of_groups alltoall --platform torus --groups 8y16 -s 8
is_no_number_of_groups alltoall --platform torus --groups 0x16 -s 8
is_no_number_of_groups alltoall --platform torus --groups 8x16x2 -s 8
is_no_number_of_groups alltoall --platform torus --groups 4000x4000000 -s 8
unknown_placement alltoall --platform torus --groups 2x2 -s 8 --placement packed,scattered
on_which_platform alltoall --groups 2x2 -s 8
which_collective --platform torus --groups 2x2 -s 8
of_which_sizes alltoall --platform torus --groups 2x2
the_groups_have_4_ranks alltoall --platform torus --groups 2x2 -s 8 -P 3
one_number_of_ranks alltoall --platform torus --groups 2x2 -s 8 -P 4,8
has_room_for alltoall --platform grig_mx --groups 4000x16 -s 8
goes_with_--groups_or alltoall --platform torus -P 4 -s 8 --placement packed
stores_nothing.*--db_x.db alltoall --platform torus --groups 2x2 -s 8 --db x.db
stores_nothing.*--noise alltoall --platform torus --groups 2x2 -s 8 --noise none
not_measured_on_a_real_machine:_there_tutti-jobs_.*_tutti-jobs_FILE$ alltoall --platform x --flavor mpich --groups 2x2 -s 8
--groups_and_--jobs_FILE alltoall --platform torus --groups 2x2 --jobs jobs.txt -s 8
no_alltoall alltoall --platform torus --jobs jobs.txt
no_option_-s_8 --platform torus --jobs jobs.txt -s 8
not_measured_on_a_real_machine:_there_.*_tutti-jobs_jobs.txt$ --platform x --flavor mpich --jobs jobs.txt
for_3_ranks:_needs_a_number_of_ranks_that_is_a_power_of_two allgather --platform torus --groups 2x3 -s 8 --methods swing-torus
full.xml:[0-9]*:_SimGrid_ends_with_the_first_message_from_host_'a'_to_host_'b' bcast --platform ./apart/full.xml --groups 1x2 -s 8
schedules alltoall --platform torus --groups 2x2 -s 8 --methods native
the_engine_does_not_know_network/optim="Full",_only_Lazy;_--engine_smpi_simulates_it bcast --platform ./full.xml --groups 2x2 -s 8
neither_a_number bcast --platform torus -P 4 -s 8 -j many
SMPI_counts_those_of_one_in_an_int bcast --platform grig_mx --groups 1x2 -s 2GB --methods linear --engine smpi
END
