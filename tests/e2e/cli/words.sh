#!/bin/sh
# The words of a command line: those of other tools, other names of collectives and libraries, what is missing.
#
# usage: words.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"

# ---- words of other tools ----

run 0 --help
sed -n '/^Subcommands:$/,/^$/s/^  \([a-z-]*\) .*/\1/p' out >commands
[ "$(wc -l <commands)" -gt 20 ] || die "no list of subcommands: $(cat out)"
has_tune=$(grep -cx tune commands)

tried=0
for word in tune optimize plot run list undo install simulate record trace profile test verify \
  $(sed -n '/command_meanings/,/^ *{NULL/s/.*{"\([^"]*\)",.*/\1/p' "$source/src/cli/meaning.c"); do
  grep -qx -e "$word" commands && continue
  "$tutti" "$word" >out 2>err && die "tutti $word: status 0"
  { cat err && echo; } >>said
  tried=$((tried + 1))
done
# Each names a command that there is, with what that does.
awk -v RS= 'FILENAME == "commands" { n = split($0, names, "\n"); for (i = 1; i <= n; i++) known[names[i]]; next }
  { gsub(/[ \n]+/, " ") }
  !/^tutti: unknown subcommand .*: tutti [a-z-]+ [a-z].*; tutti --help lists all *$/ { print; next }
  { sub(/^.*\047: tutti /, ""); if (!($1 in known)) print }' commands said >wrong
[ ! -s wrong ] || die "no command is suggested: $(cat wrong)"
[ $tried -gt 100 ] || die "only $tried words were tried"
run 2 optimize
[ $has_tune -eq 1 ] || expect '^tutti: unknown subcommand .optimize.: tutti learn makes rules'
run 2 leanr
expect "^tutti: unknown subcommand 'leanr' \(did you mean 'learn'\?\): tutti --help lists them$"
run 2 xyzzy
expect "^tutti: unknown subcommand 'xyzzy': tutti --help lists them$"
run 2 platform ls
expect "^tutti platform: unknown verb 'ls' \(did you mean 'list'\?\): use list, "
run 2 bench bcast --np 3
expect "unrecognized option '--np' \(did you mean --ranks\?\)"

# ---- other names of collectives and libraries ----

same() { # "ARGUMENTS" "ARGUMENTS": print the same
  run 0 $1
  cp out first
  run 0 $2
  cmp -s first out || die "'$1' and '$2' differ: $(diff first out)"
}

run 0 bench MPI_Bcast,mpi_allreduce --platform grig_mx -P 2..8*2 -s 8,64KB --engine fast -q
expect '^bcast\+allreduce: '
same 'map bcast' 'map MPI_Bcast'
same 'predict reduce_scatter_block -P 8 -s 8 --platform grig_mx' 'predict MPI_Reduce_scatter_block -P 8 -s 8 --platform grig_mx'
same 'algorithms allgatherv' 'algorithms mpi_Allgatherv'
same 'schedule bcast/binomial -P 4 -n 4' 'schedule MPI_Bcast/binomial -P 4 -n 4'
same 'guidelines bcast allreduce --list' 'guidelines MPI_BCAST,Allreduce --list'
same 'explain bcast -P 8 -s 8 --decision bcast/binomial' 'explain MPI_Bcast -P 8 -s 8 --decision MPI_Bcast/binomial'
same 'penalty library:openmpi-4.1 --collective bcast' 'penalty library:openmpi-4.1 --collective MPI_Bcast'
same 'export bcast/binomial --format openmpi -P 2..8 --collective bcast' \
  'export bcast/binomial --format ompi -P 2..8 --collective MPI_Bcast'
same 'learn optimal bcast' 'learn optimal MPI_Bcast'
run 2 map MPI_Broadcast
expect "unknown collective 'MPI_Broadcast'"

run 0 export bcast/binomial --format openmpi-4.1 -P 2..8 -o bcast.rules
for version in ompi-4.1 open-mpi-4.1 OpenMPI-4.1 OMPI-4.1; do
  same 'export bcast/binomial --format openmpi-4.1 -P 2..8' "export bcast/binomial --format $version -P 2..8"
  same 'explain bcast -P 8 -s 8 --decision library:openmpi-4.1' "explain bcast -P 8 -s 8 --decision library:$version"
  same 'lint bcast.rules --target openmpi-4.1' "lint bcast.rules --target $version"
done
run 2 schedule bcast/binomial@OpenMPI -P 4
expect '^tutti: bcast/binomial@openmpi: what an MPI library does has no schedule'
for flavor in openmpi ompi OpenMPI open-mpi; do
  same 'bench bcast --flavor openmpi --platform mine -P 2 -s 8 --write -' \
    "bench bcast --flavor $flavor --platform mine -P 2 -s 8 --write -"
done
printf '# OSU MPI Broadcast Latency Test\n# Size       Avg Latency(us)\n1                       1.50\n8                       1.75\n' >osu.txt
run 0 import osu.txt --platform mine --library ompi-4.1.4 -P 4 --db own.db
run 0 map bcast --platform mine --library OpenMPI-4.1.4 --native --db own.db
run 0 map bcast --platform mine --library ompi-4.1.4 --flavor Open-MPI --native --db own.db
run 2 import osu.txt --platform mine --library x --flavor smpi -P 4 --db own.db
expect "'smpi' is none of mpich, openmpi, other"

# ---- a sweep of all collectives ----

run 0 bench all --platform grig_mx -P 4 -s 64 --engine fast -q --db all.db
expect '^all: [0-9]+ points measured'
for collective in $("$tutti" algorithms | sed -n 's/^\([a-z_]*\)\/.*/\1/p' | sort -u); do
  run 0 map $collective --platform grig_mx --db all.db
done

# ---- names of a library's own choice ----

run 0 bench bcast --platform grig_mx -P 4,8 -s 8,64KB --methods binomial,native -q --db two.db
for called in untuned native bcast/untuned; do
  run 0 penalty bcast/native --db two.db
  sed -n '$s/^ *[^ ]* *//p' out >first
  run 0 penalty $called --collective bcast --db two.db
  sed -n '$s/^ *[^ ]* *//p' out | cmp -s - first || die "penalty $called: $(cat out)"
  run 0 map bcast --decision $called --db two.db
  run 0 export $called --collective bcast --format openmpi -P 2..8
  run 0 guidelines --decision ${called#bcast/} --db two.db
  run 0 report --decision $called -o report.html --db two.db
done
for called in library:openmpi-4.1 library:ompi-4.1; do
  run 0 penalty $called --collective bcast
  run 0 map bcast --decision $called
  run 0 export $called --collective bcast --format openmpi -P 2..8
  run 0 guidelines --decision $called
  run 0 report --decision $called -o report.html
done
run 2 report --decision library:lam -o report.html
expect "unknown library 'library:lam'"
run 2 penalty untuned
expect 'untuned decides for any collective: say which with --collective'
for called in untuned native library:openmpi-4.1; do
  run 2 compare $called missing.rules --flavor openmpi
  expect '^tutti: missing.rules: '
done
run 2 compare library:mpich-4.0 untuned --flavor openmpi
expect 'library:mpich-4.0 is not openmpi, which is measured'

# ---- explain without a decision: the library that is installed, or that was measured ----

mkdir bin
printf '#!/bin/sh\necho "mpiexec.openmpi (OpenRTE) 4.1.4"\n' >bin/mpiexec.openmpi
printf '#!/bin/sh\nprintf "HYDRA build details:\\n    Version:      4.0.2\\n"\n' >bin/mpiexec.mpich
chmod +x bin/mpiexec.*
PATH=$place/bin:$PATH
run 0 explain bcast -P 8 -s 8
expect ' by library:openmpi-4.1$'
expect '^tutti: note: explained is the own choice of OpenMPI-4.1.4, which is installed; of MPICH-4.0.2: --flavor mpich$'
for called in untuned native library:openmpi-4.1; do
  same 'explain bcast -P 8 -s 8' "explain bcast -P 8 -s 8 --decision $called"
done
run 0 explain bcast -P 8 -s 8 --flavor mpich
expect ' by library:mpich-4.0$'
run 0 explain bcast -P 8 -s 8 --library MPICH-4.2.1
expect ' by mpich-4.2.1$'
run 0 explain bcast -P 4 -s 8 --platform mine --db own.db
expect 'own choice of openmpi-4.1.4, which was measured on mine$'
printf '#!/bin/sh\necho "mpiexec.openmpi (OpenRTE) 5.0.1"\n' >bin/mpiexec.openmpi
run 2 explain bcast -P 8 -s 8 --flavor openmpi
expect 'what openmpi-5.0.1 chooses itself is not known \(OpenMPI-5.0.1, which is installed'
run 2 compare library:openmpi-4.1 untuned
expect 'library:openmpi-4.1: OpenMPI-5.0.1 is installed, and would be measured'

# ---- help: the options of every day, and all of them ----

options_of() { # the options that `out` lists
  sed -n 's/^  \(-.,\|   \) \(--[a-z0-9-]*\).*/\2/p' out
}

for command in $(cat commands); do
  run 0 $command --help-all
  options_of | sort >all
  grep -q -e ' more options: ' out && die "$command --help-all leaves some out: $(cat out)"
  run 0 $command --help
  options_of | sort >few
  [ -z "$(comm -23 few all)" ] || die "$command --help has what --help-all has not: $(comm -23 few all)"
  left=$(comm -13 few all | grep -c .)
  case $left in
  0) ! grep -q -e --help-all out && [ "$(wc -l <all)" -le 18 ] || die "$command --help: $(cat out)" ;;
  *) [ "$(tail -n 1 out)" = "$left more options: tutti $command --help-all" ] && [ "$(wc -l <few)" -le 18 ] ||
    die "$command --help leaves $left out: $(cat out)" ;;
  esac
done
run 0 bench --help
for option in --platform --ranks --size --db --json; do
  options_of | grep -qx -e $option || die "bench --help has no $option: $(cat out)"
done
options_of | grep -qx -e --slurm-args && die "bench --help has --slurm-args: $(cat out)"
run 0 bench --help-all
options_of | grep -qx -e --slurm-args || die "bench --help-all has no --slurm-args: $(cat out)"

# ---- all that is missing is asked for at once ----

run 2 whatif
expect 'which platform\?; which change\? --set EDIT'
run 2 replay
expect 'which trace\?; on which platform\? --platform NAME'
run 2 compare
expect 'which before\?; which after\?'
run 2 export
expect 'which decision\?; in which format\? --format NAME'

run 2 bench allreduce
tr '\n' ' ' <err >line
for missing in 'on which platform?' 'with how many ranks?' 'of which sizes?'; do
  grep -qF "$missing" line || die "bench asks for less than '$missing': $(cat err)"
done
run 2 import
tr '\n' ' ' <err >line
for missing in 'which file?' '--platform NAME is missing' '--library NAME is missing'; do
  grep -qF -e "$missing" line || die "import asks for less than '$missing': $(cat err)"
done

# ---- commands for research stand apart ----

run 0 --help
sed -n '/^ research:$/,/^ [a-z]\|^$/s/^  \([a-z-]*\) .*/\1/p' out | sort | tr '\n' ' ' >found
[ "$(cat found)" = 'fit group params predict ' ] || die "for research are: $(cat found)"

# ---- what goes to standard error cuts no row of standard output in two ----

run 0 bench bcast --platform grig_mx -P 64 -s 1KB --segments none,16B,32B,64B,128B,256B,512B --engine fast -q --db long.db
"$tutti" explain bcast --decision bcast/binomial --platform grig_mx --top 1000 --db long.db >both 2>&1 || die "$(cat both)"
"$tutti" explain bcast --decision bcast/binomial --platform grig_mx --top 1000 --db long.db >rows 2>notes
[ "$(grep -c . notes)" -ge 2 ] && [ "$(wc -c <rows)" -gt 8192 ] || die "no notes beside rows: $(cat notes rows)"
sort rows notes >apart
sort both | cmp -s - apart || die "rows are cut: $(cat both)"

echo "$tried words of other tools name a command"
