#!/bin/sh
# Results of other benchmarks are imported, what is not understood is passed over and named, and they are used by map,
# penalty and guidelines.
#
# usage: import.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
need sqlite3 sqlite3
need python3 python3
samples=$source/tests/import

rows() { # how many measurements are stored
  sqlite3 it.db 'SELECT count(*) FROM measurement'
}

run 0 import "$samples/osu_bcast_5.txt" "$samples/osu_7.txt" -n 4 --ranks-per-node 2 --platform cluster \
  --library OpenMPI-4.1.4 --db it.db
expect '^10 measurements of 2 files, stored in it.db$'
expect '^    2: the size is not the same number of elements for each rank$'
expect '^  all are native, what the library chooses itself'
run 0 import - <"$samples/imb_2021.txt" --platform cluster --library 'Intel MPI 2021' --db it.db
expect '^7 measurements of 1 file, stored in it.db$'
expect ' standard input:[0-9]*: PingPong \(2 rows\)$'
run 0 import "$samples/repro_raw.txt" --format repro --platform cluster --library MPICH-4.0.2 --db it.db
run 0 import "$samples/repro_raw.txt" --platform cluster --library MPICH-4.0.2 --db it.db
expect '^  2 of them were stored before$'
[ "$(rows)" -eq 19 ] || die "$(rows) measurements"

# Files of several libraries, taken as launches of one.
sed 's/^4096  *[0-9.]*/4096 9999.5/' "$samples/osu_bcast_5.txt" >slow.txt
run 0 import "$samples/osu_bcast_5.txt" slow.txt -n 4 --platform slow --library OpenMPI-4.1.4 --db slow.db
expect 'warning: times of 1 point differ .*: bcast/native, 4 ranks, 4KB: 12.75 us in .*osu_bcast_5.txt:[0-9]*, 9999.5 us in slow.txt:[0-9]*$'

# Several settings choose together.
printf 'np,us,a,b\n4,1,x,y\n4,2,x,z\n4,3,w,z\n4,5,w,y\n' >settings.csv
run 0 import settings.csv --map ranks=np,us=us,setting:a=a,setting:b=b --collective barrier --platform set \
  --library OpenMPI-4.1.4 --db set.db
for chosen in '--setting a=x --setting b=z' '--setting b=z --setting a=x' '--setting a=x --setting c= --setting b=z'; do
  run 0 map barrier --platform set --native --db set.db $chosen
  expect '^ +0B +2\.000$'
done
run 2 map barrier --platform set --native --db set.db --setting b=z --setting a=q

# They are never mixed, and can be looked at.
run 0 map bcast --platform cluster --db it.db --native --flavor openmpi
expect '^bcast on cluster, scheme osu \(bcast/native alone, communicator sizes: 1, message sizes: 4\)$'
expect '^ +4KB +12\.750$'
run 2 map bcast --platform cluster --db it.db --native
expect 'choose one by adding:'
run 2 penalty bcast/native --platform cluster --db it.db --native --scheme repro
expect 'nothing to compare with: bcast/native alone was measured'
run 0 guidelines --platform cluster --db it.db --scheme imb --decision native
expect '^ +1 +0 +0  barrier <= allreduce\(least size\)$'
expect '^  0 of 4 checks violated by more than 5 %, at 0 of 7 points$'
run 2 guidelines --platform cluster --db it.db --decision native
expect 'choose one by adding:'

# Native times alone are shown as what they are, with what to measure: no map, nothing to gain, nothing to learn from.
run 0 map bcast --platform cluster --db it.db --flavor openmpi
grep -Eq 'letter|Gain|share' out && die "a map of what has no choice: $(cat out)"
expect 'there is nothing to choose from; this measures algorithms:$'
expect '^  tutti bench bcast --platform cluster --flavor openmpi --of openmpi -P 4 -s 1B,2B,1KB,4KB --db it.db$'
run 2 map bcast --platform cluster --db it.db --flavor openmpi --plot none.svg
expect '--plot: there is no map: bcast/native alone was measured'
run 2 map bcast --platform cluster --db it.db --flavor openmpi --mine native
run 0 report --db it.db -o it.html --plots it.plots
grep -q 'tutti bench bcast --platform cluster --flavor openmpi --of openmpi -P 4 -s 1B,2B,1KB,4KB --db it.db' it.html ||
  die "the report does not say what to measure"
for vain in 'class="map"' 'Best methods' 'lost to the best' 'best single' nowhere 'none of its choices' 'Tutti osu'; do
  grep -q "$vain" it.html && die "a report of native times alone has '$vain'"
done
grep -q '<td class="n">12.75</td>' it.html || die "the report has no times"
grep -q 'OpenMPI-4.1.4, osu-5.9' it.html || die "the report does not name the program that measured"
[ -z "$(ls it.plots)" ] || die "pictures of maps that are none: $(ls it.plots)"
run 2 learn optimal bcast --platform cluster --db it.db --flavor openmpi
expect 'nothing to learn from: bcast/native alone was measured'
run 2 learn optimal reduce --platform cluster --db it.db
expect '^  tutti bench reduce --platform cluster .* --db it.db$'

# A forced algorithm is that method: told by an option, by the log of the job, by the environment of a pipe.
run 0 import "$samples/osu_bcast_5.txt" -n 4 --platform told --library OpenMPI-4.1.4 --db told.db --as bcast/chain@openmpi
expect '^4 measurements of 1 file, stored in told.db$'
{
  echo '+ export OMPI_MCA_coll_tuned_use_dynamic_rules=1'
  echo '+ mpirun -np 4 --mca coll_tuned_bcast_algorithm 6 ./osu_bcast'
  cat "$samples/osu_bcast_5.txt"
} >job.log
run 0 import job.log -n 4 --platform told --library OpenMPI-4.1.4 --db told.db
expect '^  job.log:6: bcast/binomial@openmpi \(OMPI_MCA_coll_tuned_bcast_algorithm=6\)$'
run 0 learn optimal bcast --platform told --db told.db
run 0 import job.log -n 4 --platform told --library OpenMPI-4.1.4 --db told.db --as bcast/native
MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather run 0 import - <"$samples/osu_bcast_5.txt" -n 4 --platform told \
  --library MPICH-4.0.2 --db told.db
sqlite3 told.db 'SELECT name FROM method ORDER BY 1' >methods
[ "$(paste -sd , methods)" = bcast/binomial@openmpi,bcast/chain@openmpi,bcast/native,bcast/scatter-ring@mpich ] ||
  die "methods: $(cat methods)"
run 2 import job.log -n 4 --platform told --library MPICH-4.0.2 --db told.db --as bcast/chain@openmpi
expect '--as bcast/chain@openmpi: the library is of the kind mpich'
run 2 import job.log -n 4 --platform told --library OpenMPI-4.1.4 --db told.db --as bcast/chain@openmpi --as bcast/linear
expect 'one method a collective'
run 2 import job.log -n 4 --platform told --library OpenMPI-4.1.4 --db told.db --as reduce/chain@openmpi
expect 'no times of reduce in these files'

# Another run of the same points is a further launch, so that its points have a noise; the first one again is not.
awk '/^[0-9]/ { $2 *= 1.1 } { print }' "$samples/osu_bcast_5.txt" >second.txt
for file in "$samples/osu_bcast_5.txt" second.txt "$samples/osu_bcast_5.txt"; do
  run 0 import "$file" -n 4 --platform repeats --library OpenMPI-4.1.4 --db repeats.db
  cat out >>repeats.out
done
[ "$(grep ' of them ' repeats.out)" = '  4 of them repeat points of other runs: further launches, of which the median counts
  4 of them were stored before' ] || die "repeats: $(cat repeats.out)"
[ "$(sqlite3 repeats.db 'SELECT count(*), max(launch) FROM measurement')" = '8|1' ] || die "not two launches"

# A table of PICO says itself which machine, library, run and method each row is of; forms of a method with one schedule
# stand beside each other, and the nodes of a run are known by their digest.
run 0 import --format pico "$samples/pico_measured.tsv" "$samples/pico_allocations.tsv" --db pico.db
expect '^9 measurements of 2 files, stored in pico.db$'
expect '^    3: methods that Tutti does not have$'
expect 'pico_measured.tsv:5: allreduce/rabenseifner_ompi$'
expect 'pico_measured.tsv:[0-9]*: bcast/BINE-BINOMIAL_TREE-UTOFU-4096-3$'
run 0 import --format pico "$samples/pico_measured.tsv" "$samples/pico_allocations.tsv" --db pico.db
expect '^  9 of them were stored before$'
[ "$(sqlite3 pico.db "SELECT count(*), count(DISTINCT settings), sum(hosts <> '') FROM environment")" = '7|7|3' ] ||
  die "environments: $(sqlite3 pico.db 'SELECT * FROM environment')"
run 0 map allreduce --platform lumi --db pico.db --setting variant= --native
expect 'scheme pico'
run 2 import --format pico "$samples/pico_measured.tsv" --platform lumi --db none.db
expect 'cannot be combined with --format pico'
run 2 import "$samples/pico_measured.tsv" -n 4 --platform lumi --library OpenMPI-4.1.4 --db none.db
expect 'a table of PICO says itself where it was measured: use --format pico alone$'

# A folder of results of PICO: metadata, an archive and a plain folder, whose files have the times of a method at a size.
mkdir -p results/lumi/2025_01_02___03_04_05/0 results/lumi/2025_01_02___03_04_06/1 results/lumi/2025_01_02___03_04_06/2
{
  echo 'timestamp,test_id,nnodes,tasks_per_node,collective_type,mpi_lib,mpi_lib_version,gpu,notes'
  echo '2025_01_02___03_04_05,0,4,2,ALLREDUCE,CRAY_MPICH,8.1.29,no,"one, two"'
  echo '2025_01_02___03_04_06,1,2,1,allgather,CRAY_MPICH,8.1.29,no,'
  echo '2025_01_02___03_04_06,2,2,1,bcast,CRAY_MPICH,8.1.29,no,'
} >results/lumi_metadata.csv
printf 'highest\n3000\n1000\n2000\n' >results/lumi/2025_01_02___03_04_05/0/8_ring_over_int32.csv
printf 'rank,highest\n0,1500\n' >results/lumi/2025_01_02___03_04_05/0/64_default_mpich_int32.csv
printf 'highest\n500\n' >results/lumi/2025_01_02___03_04_06/1/16_bine_send_remap_over_int32.csv
printf 'highest\n500\n' >results/lumi/2025_01_02___03_04_06/2/4_no_such_method_over_int32.csv
printf 'MPI_Rank,allocation\n0,nid005001\n1,nid005001\n2,nid005002\n' >results/lumi/2025_01_02___03_04_05/alloc.csv
(cd results/lumi && tar -czf 2025_01_02___03_04_05.tar.gz 2025_01_02___03_04_05 && rm -r 2025_01_02___03_04_05)
run 0 import --format pico results --db folder.db
expect '^3 measurements of 4 files, stored in folder.db$'
expect '/4_no_such_method_over_int32.csv: bcast/no_such_method_over$'
for method in a b c d e; do sed -n "s/ring_over/${method}_ompi/p" "$samples/pico_measured.tsv"; done >rows
cat "$samples/pico_measured.tsv" rows >many.tsv
run 0 import --format pico many.tsv --db many.db
expect '^      and 5 more \(--verbose names all\)$'
run 0 import --format pico many.tsv --db many.db -v
expect ': allreduce/e_ompi$'
[ "$(sqlite3 folder.db "SELECT name, ranks, ranks_per_node, count, round(1e9 * minimum_s), round(1e9 * median_s),
    round(1e9 * maximum_s), settings, hosts <> '' FROM measurement JOIN environment ON environment.id = environment JOIN method ON method.id = method
    ORDER BY name")" = "$(
  cat <<'EOF'
allgather/bine-send|2|1|8|500.0|500.0|500.0|run=2025_01_02___03_04_06/1|0
allreduce/native|8|2|64|1500.0|1500.0|1500.0|note=one,_two run=2025_01_02___03_04_05/0|1
allreduce/ring|8|2|8|1000.0|2000.0|3000.0|note=one,_two run=2025_01_02___03_04_05/0|1
EOF
)" ] || die "folder: $(sqlite3 folder.db 'SELECT * FROM measurement JOIN environment ON environment.id = environment')"
run 2 import -v results --platform m --library MPICH-4.0.2 --db none.db
expect '^    results/lumi_metadata.csv$' # no file of a known benchmark
mv results/lumi/2025_01_02___03_04_06/2/4_no_such_method_over_int32.csv results/lumi/2025_01_02___03_04_06/2/4_ring_over_double.csv
times=results/lumi/2025_01_02___03_04_06/2
mv $times/4_ring_over_double.csv $times/4_pipeline_over_double.csv
printf 'highest\n5\nx\nAverage runtime: 0.000005\n' >$times/8_pipeline_over.csv
: >$times/16_pipeline_over.csv
echo broken >results/lumi/2025_01_02___03_04_07.tar.gz
run 2 import --format pico --strict results --db none.db
expect "$times/16_pipeline_over.csv: no times"
run 0 import --format pico results --db types.db
expect '^5 measurements of 7 files, stored in types.db$'
expect '      results/lumi/2025_01_02___03_04_07: cannot be unpacked: '
expect "8_pipeline_over.csv:3: 'x'$"
[ "$(sqlite3 types.db "SELECT count, type_B, repetitions FROM measurement JOIN method ON method.id = method
  WHERE name LIKE 'bcast/%' ORDER BY 1" | paste -sd ' ')" = '4|8|1 8|4|1' ] || die "types: $(sqlite3 types.db 'SELECT * FROM measurement')"
rm results/lumi/2025_01_02___03_04_07.tar.gz $times/*_pipeline_over*

# A summary serves where the files of times are missing; buffers on GPUs stand apart.
{
  echo 'collective_type,array_dim,buffer_size,algo_name,datatype,mean,median,min,max,nnodes,tasks_per_node,n_iter,system,timestamp,test_id,gpu_lib,gpu_lib_version,notes,mpi_lib,mpi_lib_version'
  echo 'ALLREDUCE,8,32,ring_over,int32,9,9,9,9,4,2,50,lumi,2025_01_02___03_04_05,0,,,,CRAY_MPICH,8.1.29' # is there
  echo 'BCAST,8,64,default_nccl,double,3,2,1,4,4,2,50,lumi,2025_01_02___03_04_08,0,CUDA,12.1,null,NCCL,2.20'
  echo 'BCAST,8,64,default_nccl,odd,3,2,1,4,4,2,50,lumi,2025_01_02___03_04_08,0,CUDA,12.1,null,NCCL,2.20'
} >results/lumi/summary.csv
mkdir -p results/lumi/2025_01_02___03_04_05/9 && mv results/lumi/summary.csv results/lumi/2025_01_02___03_04_05/9
run 0 import --format pico results --db summary.db
expect "9/summary.csv:4: 'odd'"
[ "$(sqlite3 summary.db "SELECT flavor, library, settings, count, type_B, ranks, repetitions, round(1e9 * median_s) FROM environment e
  JOIN measurement ON environment = e.id WHERE settings LIKE 'gpu%'")" = \
  'other|NCCL-2.20|gpu=CUDA-12.1 run=2025_01_02___03_04_08/0|8|8|8|50|2.0' ] || die "summary: $(sqlite3 summary.db 'SELECT * FROM environment')"
[ "$(sqlite3 summary.db 'SELECT count(*) FROM measurement')" -eq 4 ] || die 'a summary repeats what its files have'
rm -r results/lumi/2025_01_02___03_04_05

# What others packed is data: links and pipes are passed over, nothing is written beside the store, and there is an end.
mkdir -p odd/2025_01_02___03_04_05/0 empty
cp results/lumi_metadata.csv odd/lumi_metadata.csv
printf 'highest\n7000\n' >elsewhere.csv
ln -s ../../../elsewhere.csv odd/2025_01_02___03_04_05/0/8_ring_over_int32.csv
mkfifo odd/2025_01_02___03_04_05/0/16_ring_over_int32.csv odd/2025_01_02___03_04_07.tar.gz
ln -s / odd/2025_01_02___03_04_05/root
run 2 import --format pico odd --db odd.db
expect 'odd: no times \(COUNT_ALGORITHM_TYPE.csv\)'
printf 'highest\n3000\n' >odd/2025_01_02___03_04_05/0/64_ring_over_int32.csv
ln odd/2025_01_02___03_04_05/0/64_ring_over_int32.csv odd/2025_01_02___03_04_05/0/32_ring_over_int32.csv
(cd odd && tar -cf - 2025_01_02___03_04_05 elsewhere.csv ../elsewhere.csv 2>/dev/null | gzip >'host:x.tar.gz' && rm -r 2025_01_02___03_04_05)
TMPDIR=$PWD/empty run 0 import --format pico odd --db odd.db
expect '^1 measurement of 2 files, stored in odd.db$' # the other name of the same file is a hard link
[ -z "$(ls empty)" ] || die "an archive was unpacked: $(ls empty)"
(cd odd && mkdir -p deep && cp 'host:x.tar.gz' deep/0.tar.gz && for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
  tar -czf deep/next deep/*.tar.gz && rm deep/*.tar.gz && mv deep/next deep/$i.tar.gz
done)
run 0 import --format pico odd --db deep.db
expect 'too many archives in each other'
rm -r odd/deep
python3 - <<'END'
import gzip, tarfile
entry = tarfile.TarInfo('2025_01_02___03_04_05/0/zeros.bin')
entry.size = 5 << 30
with open('odd/zeros.tar.gz', 'wb') as packed:
    packed.write(gzip.compress(entry.tobuf()) + gzip.compress(bytes(16 << 20)) * (5 << 6))
END
run 0 import --format pico odd --db zeros.db
expect 'odd/zeros: unpacks to more than 4 GB'
rm -r odd

rm results/lumi_metadata.csv
run 2 import --format pico results --db none.db
expect 'results: no file of metadata'

# The launcher's line says the number of ranks, which --ranks must not contradict, and that ranks failed.
{
  echo '+ mpirun -np 16 ./osu_bcast'
  cat "$samples/osu_bcast_5.txt"
  echo 'mpirun noticed that process rank 3 with PID 0 on node n1 exited on signal 9 (Killed).'
} >killed.log
run 2 import killed.log -P 8 --platform ranks --library OpenMPI-4.1.4 --db none.db
expect 'killed.log:3: line 1 starts 16 ranks, --ranks says 8 \(4 rows\)'
run 0 import killed.log --platform ranks --library OpenMPI-4.1.4 --db ranks.db
expect "^killed.log:[0-9]+: ranks failed \('mpirun noticed that process rank 3 .* \(Killed\).'\): times may be missing"
[ "$(sqlite3 ranks.db 'SELECT DISTINCT ranks FROM measurement')" = 16 ] || die "not of 16 ranks"
run 0 import "$samples/imb_2021.txt" -P 8 --platform ranks --library 'Intel MPI 2021' --db ranks.db
expect '^  --ranks 8 is not used where the benchmark prints the number itself$'

# Under a tuning file the library's times are a set of their own, as those of tutti bench are; what is not understood is
# refused.
{
  echo '+ srun --export=ALL,OMPI_MCA_coll_tuned_use_dynamic_rules=1,OMPI_MCA_coll_tuned_dynamic_rules_filename=/etc/r -n 4 b'
  cat "$samples/osu_bcast_5.txt"
} >job.log
run 0 import job.log "$samples/osu_bcast_5.txt" -n 4 --platform file --library OpenMPI-4.1.4 --db file.db
expect '^  job.log:5: native under a tuning file \(OMPI_MCA_coll_tuned_dynamic_rules_filename=/etc/r OMPI_MCA_'
run 2 map bcast --platform file --db file.db
expect 'choose one by adding:'
run 0 map bcast --platform file --db file.db --setting OMPI_MCA_coll_tuned_dynamic_rules_filename=/etc/r
sed 's/--export=ALL,/--tell /; s/=1,/ 1 /' job.log >unclear.log
run 2 import unclear.log -n 4 --platform file --library OpenMPI-4.1.4 --db none.db
expect 'unclear.log:5: .* not OMPI_MCA_coll_tuned_use_dynamic_rules=1'

# A strict import stores all or nothing: the second file has a fault in its seventh line.
sed 's/^4096 .*/4096 much/' "$samples/osu_bcast_5.txt" >broken.txt
run 2 import --strict "$samples/osu_7.txt" broken.txt -n 8 --platform cluster --library OpenMPI-4.1.4 --db it.db
expect "broken.txt:7: not a time: 'much'"
[ "$(rows)" -eq 19 ] || die "half an import was stored: $(rows)"
run 2 import --strict broken.txt -n 8 --platform cluster --library OpenMPI-4.1.4 --db none.db
run 0 import broken.txt -n 8 --platform cluster --library OpenMPI-4.1.4 --db broken.db --json
grep -q '"why": "not a time"' out || die "JSON does not say what was passed over: $(cat out)"

# Forms of a call stand apart from the blocking one; a folder and a log of several benchmarks never fail for a part.
mkdir logs
cp "$samples/osu_bcast_5.txt" "$samples/osu_ibcast.txt" "$source/README.md" logs
sed 's/Broadcast/Broadcast Persistent/' "$samples/osu_bcast_5.txt" >logs/persistent.txt
: >logs/empty.txt
run 0 import logs -n 4 --platform cluster --library 'HPE MPI 1.3' --db forms.db
expect '^9 measurements of 5 files, stored in forms.db$'
expect '^    2: no known benchmark printed this'
[ "$(sqlite3 forms.db 'SELECT flavor, settings, count(*) FROM environment JOIN measurement ON environment = environment.id
  GROUP BY settings ORDER BY 2' | paste -sd ' ')" = 'other||4 other|form=nonblocking|1 other|form=persistent|4' ] ||
  die "forms: $(sqlite3 forms.db 'SELECT * FROM environment')"
run 0 import logs/persistent.txt -n 4 --platform again --library OpenMPI-4.1.4 --db forms.db
run 0 map bcast --platform again --db forms.db
expect '^  tutti bench bcast --platform again ' # a form is no variable
run 2 map bcast --platform cluster --db forms.db
expect 'choose one by adding:'
run 0 map bcast --platform cluster --flavor other --db forms.db --setting form=persistent
expect '^  tutti import FILE --platform cluster --library LIBRARY --as bcast/ALGORITHM --db forms.db$'
expect ' +4KB +12\.750$'
run 2 import "$samples/osu_bcast_5.txt" --platform cluster --library OpenMPI-4.1.4 --db none.db
expect 'say it with --ranks$'
expect 'osu_bcast_5.txt:2: Broadcast Latency Test v5.9 \(4 rows\)'
run 2 import "$samples/osu_bcast_5.txt" -n 4 --platform cluster --library Unheard --flavor heard --db none.db
run 2 import "$samples/osu_bcast_5.txt" -n 4 --library OpenMPI-4.1.4 --db none.db
run 2 import "$samples/osu_bcast_5.txt" -n 4 --platform cluster --db none.db
run 2 import -n 4 --platform cluster --library OpenMPI-4.1.4 --db none.db
run 2 import absent.txt -n 4 --platform cluster --library OpenMPI-4.1.4 --db none.db
expect 'absent.txt: No such file'
run 2 import "$source/README.md" -n 4 --platform cluster --library OpenMPI-4.1.4 --db none.db
[ ! -e none.db ] || die "a store was made of what was refused"

# What Tutti measures by is said by its own schemes only.
cat >it.xml <<'XML'
<experiment name="it"><platform name="grig_fast_ethernet"/><measure scheme="osu"/>
  <sweep collective="barrier"><ranks>2</ranks></sweep></experiment>
XML
run 2 bench it.xml --db none.db
expect "it.xml:1: unknown measuring scheme 'osu': known are occ, window"
# The commands of the page: the first block is a session, the second prints what stands below it.
mkdir page && cd page || exit 1
mkdir tests
PATH=$build:$PATH
ln -s "$samples" tests/import
cp "$samples/osu_bcast_5.txt" osu_bcast.txt
cp "$samples/osu_allreduce_5_full.txt" osu_allreduce.txt
sed 's/^\([0-9]* *\)[0-9.]*$/\11.00/' osu_bcast.txt >binomial.txt # faster than what the library chooses
cp "$samples/imb_2021.txt" imb.txt
mkdir gather
cp "$samples/nccl.txt" all_reduce.log
cp "$samples/ompi_detail.txt" gather/detail.out
cp "$samples/table.csv" t.csv
{
  echo '#Nnodes Message_size Best_Algorithm Best_Latency Ref_Algorithm Ref_Latency Speedup'
  echo '2 1 binomial 64.33(0.94) tuned 107.78(0.61) 1.68'
} >gather/best.out
run 0 import gather/best.out --platform best --library OpenMPI-4.1.4 --ranks-per-node 2 --db best.db
cd gather # the folder says the collective from within, too
run 0 import best.out --platform best --library OpenMPI-4.1.4 --ranks-per-node 2 --db ../best.db
mv out err ..
cd ..
manual=$source/docs/how-to/import.md
sed -n '/ FOLDER/d; s/^    tutti/tutti/p' "$manual" >commands
[ "$(wc -l <commands)" -ge 5 ] || die "the page has lost its commands: $(cat commands)"
while IFS= read -r command; do
  sh -c "$command" >out 2>err || die "$command: $(cat out err)"
  case $command in
  *' map '*) expect '^  B +bcast/binomial@openmpi +4 +100.0 %' ;;
  *' guidelines '*) expect '^  0 of [0-9]+ checks violated' ;;
  *) expect '^[0-9]+ measurements of [12] files?, stored in results.db$' ;;
  esac
done <commands
run 0 penalty bcast/native --platform mycluster --scheme osu
sed -n '/^    \$ tutti/,/^$/{s/^    //p}' "$manual" >session
sh -c "$(sed -n 's/^\$ //p' session)" >out 2>&1 || die "$(cat session out)"
grep -v '^\$ ' session | diff - out >&2 || die "the page shows another output"
echo "19 measurements of four programs"
