#!/bin/sh
# Pictures of groups: equal twice, with everything that they must show; errors come before anything is built.
#
# usage: group_plot.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
checked=0

refused() { # NAMED ARGUMENTS...: status 2, nothing built, a message that names what is at fault, no picture
  named=$1
  shift
  "$tutti" group "$@" >out 2>err
  code=$?
  [ $code -eq 2 ] || die "tutti group $*: status $code instead of 2: $(cat out err)"
  [ ! -s out ] || die "tutti group $*: built all the same: $(cat out)"
  grep -qF -- "$named" err || die "tutti group $*: does not name '$named': $(cat err)"
  [ ! -e no.svg ] || die "tutti group $*: drew all the same"
  checked=$((checked + 1))
}

refused "--plot: 'no.gif' does not end with" -n 20,40 --plot no.gif --y memory
refused "--y: only with --plot" -n 20,40 --y memory
refused "--x: only with --plot" -n 20,40 --x ranks
refused "--title: only with --plot" -n 20,40 --title x
refused "--relative: only with --plot" -n 20,40 --relative chain
refused "--y: 'speed' is not one of: time, messages, memory, message" -n 20,40 --plot no.svg --y speed
refused "--x: 'time' is not one of: fraction, ranks" -n 20,40 --plot no.svg --x time
refused "choose by --y messages, --y memory or --y message" -n 20,40 --plot no.svg
refused "--y time: there are no times within this process" -n 20,40 --plot no.svg --y time
refused "several values of --ranks or of --fraction" -n 20,20 --plot no.svg --y memory
refused "--x ranks: a curve needs several values of --ranks" -f 0.3,0.6 --plot no.svg --x ranks --y memory
refused "--x fraction: a curve needs several values" -n 20,40 --plot no.svg --x fraction --y memory
refused "choose by --x ranks or --x fraction" -n 20,40 -f 0.3,0.6 --plot no.svg --y memory
refused "--fraction and --members do not go on one axis" -f 0.3 --members 7 --plot no.svg --y memory
refused "--relative: centralized is not among the builders" chain -n 20,40 --plot no.svg --y memory --relative centralized
refused "--relative: unknown" -n 20,40 --plot no.svg --y memory --relative magic
refused "--relative: builder chain: several colours" -n 20,40 --colours 2 --plot no.svg --y memory --relative chain

need gnuplot gnuplot-nox
drawn() { # PICTURE ARGUMENTS...: the same picture twice, and the text as without it
  picture=$1
  shift
  for file in "$picture.svg" "$picture.again.svg"; do
    "$tutti" group "$@" --plot "$file" >"$picture.text" 2>err || die "tutti group $*: $(cat err)"
    [ ! -s err ] || die "tutti group $* says: $(cat err)"
  done
  cmp "$picture.svg" "$picture.again.svg" || die "tutti group $* draws something else the second time"
  grep -q '<svg' "$picture.svg" && grep -q '</svg>' "$picture.svg" || die "tutti group $*: the picture is none"
}

shows() { # PICTURE TEXT...
  picture=$1
  shift
  for text; do
    grep -qF -- ">$text<" "$picture.svg" || die "$picture.svg does not show '$text'"
  done
}

drawn memory -n 16,32,64 --seed 7 --y memory
shows memory 16 32 64 1KB Processes "Largest memory of a process [bytes]" "in-process: fraction=0.3, branching factor 3, seed 7"
"$tutti" group -n 16,32,64 --seed 7 >plain.text || die "no table"
cmp plain.text memory.text || die "tutti group prints something else when it draws"
builders=$(awk '$2 == "-" { print $1 }' plain.text | sort -u)
[ "$(echo "$builders" | wc -l)" -ge 3 ] || die "few builders: $builders"
for builder in $builders; do
  shows memory "$builder"
done

drawn titled -n 16,32,64 --y message --title "Groups of mine"
shows titled 16 32 64 "Groups of mine" "Largest message [bytes]"
drawn relative -n 100 -f 0.1,0.5,0.9 centralized shrink-hash/no-filler --y messages --relative centralized
shows relative 0.1 0.5 0.9 1 2 "Messages, relative to centralized" "in-process: 100 processes, branching factor 3, seed 1"
drawn ranks -n 20,40 -f 0.3,0.6 shrink-hash/no-filler --x ranks --y message
shows ranks fraction=0.3 fraction=0.6 20 40
drawn fractions -n 20,1000 --members 5,10,20 -b all --x fraction --y messages
shows fractions "20 processes" "1,000 processes" 5 10 20 Members
for suffix in png pdf; do
  "$tutti" group -n 20,40 --plot "p.$suffix" --y message >out 2>err || die "no .$suffix: $(cat err)"
  [ -s "p.$suffix" ] || die "an empty .$suffix"
done

# Times: a point that was simulated is not simulated again to be drawn.
if command -v smpirun >/dev/null && [ -r "$build/smpi/tutti-group" ]; then
  set -- -n 8,16 -f 0.3,0.6 centralized chain --platform torus --db groups.db --quiet
  printf '#!/bin/sh\nexit 1\n' >never && chmod +x never
  "$tutti" group "$@" >table 2>err || die "tutti group $*: $(cat err)"
  drawn times "$@" --program ./never --x ranks
  shows times "Time [us]" fraction=0.3 fraction=0.6 8 16 chain "torus: branching factor 3, seed 1"
  drawn ratios "$@" --program ./never --x fraction --relative centralized
  shows ratios "Time, relative to centralized" "8 processes" "16 processes"
fi
python3 "$source/tests/e2e/picture.py" colours "$source/plots/palette.gp" memory.svg fractions.svg || die "colours"
echo "$checked pictures refused, the others the same twice"
