#!/bin/sh
# tutti params on this machine: two processes, small messages; values that any machine must give.
#
# usage: params_real.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
OMPI_MCA_op=^avx
export OMPI_MCA_op

check() { # out: JSON; every time above 0 and below a second, and sizes in order
  awk -v flavor="$1" '
    function number(name) { match($0, "\"" name "\": [-0-9.e+]+"); return substr($0, RSTART + length(name) + 4, RLENGTH) + 0 }
    BEGIN { names = split("hockney_alpha_s extreme_alpha_s gamma_s_per_B delta_s_per_B loggp_g_s", name, " ") }
    {
      for (i = 1; i <= names; i++)
        if (index($0, "\"" name[i] "\": ")) {
          value = number(name[i])
          if (!(value > 0 && value < 1)) { print $0; bad = 1 }
          seen++
        }
    }
    /"m_B"/ {
      if (number("m_B") < last || !(number("g_s") > 0)) { print $0; bad = 1 }
      if (number("o_s_s") > number("g_s") || number("o_r_s") > number("g_s")) { print $0; bad = 1 }
      last = number("m_B")
      points++
    }
    /"quantity": "gamma"/ { gammas++ }
    END { if (bad || seen != 5 || points < 14 || last != 4096 || gammas != 9) { print seen, points, last, gammas; exit 1 } }
  ' out
}

measure() { # FLAVOUR: what is measured makes sense
  rm -f p.db
  "$tutti" params here --flavor "$1" --oversubscribe --db p.db --largest 4KB --json >out 2>err || die "$1: $(cat err)"
  grep -q "here: measured, stored in p.db" err || die "$1: $(cat err)"
  grep -q "on one node" err || die "$1 does not say that both processes are on one node: $(cat err)"
  check "$1"
}

# Messages in a row and in round trips are the same; if rows left the caches, every try would give a warning.
agree() { # FLAVOUR
  run 0 params here --flavor "$1" --oversubscribe --db "a$1.db" --again --largest 128KB --tolerance 0.9
  ! grep -q "contradict" err
}

done=0
for flavor in mpich openmpi; do
  [ -x "$build/$flavor/tutti-params" ] || continue
  command -v mpiexec.$flavor >/dev/null || continue
  retry 20 "times on a busy machine" measure $flavor || die "$flavor: $(cat out)"
  mv out first
  "$tutti" params here --flavor $flavor --oversubscribe --db p.db --json >out 2>err || die "$flavor: $(cat err)"
  grep -q "as measured before" err && cmp -s out first || die "$flavor measured again: $(cat err)"
  grep -q "^tutti:" err && die "$flavor was asked for nothing that the store has not: $(cat err)"
  run 0 params here --flavor $flavor --oversubscribe --db p.db --json --largest 64KB --tolerance 0.2
  cmp -s out first || die "$flavor measured again: $(cat err)"
  expect '^tutti: here: measured to 4KB; --again measures to 64KB$'
  expect '^tutti: here: the store does not record --max-error; --again measures with 0.2$'
  run 2 params here --flavor $flavor --oversubscribe --db p.db --compare
  expect "^tutti: platform 'here' not found"
  expect '^tutti: a real machine has no platform file to compare with: leave out --compare$'
  retry 20 "gaps on a busy machine" agree $flavor || die "$flavor: gaps contradict half round trips: $(cat err)"
  done=$((done + 1))
done
[ $done -gt 0 ] || { echo "skipped: neither MPICH nor Open MPI"; exit 77; }
echo "$done flavors measured"
