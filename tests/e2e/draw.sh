# Sourced by tests of the fast engine: draws by a seed, ENGINE_SEED, that others may change.

# draw LIMIT: the next number below LIMIT (a linear congruential generator, Numerical Recipes).
random=${ENGINE_SEED:-19}
draw() {
  random=$(((random * 1664525 + 1013904223) % 4294967296))
  drawn=$((random / 65536 % $1))
}
# pick WORD...: one of them.
pick() {
  draw $#
  shift "$drawn"
  picked=$1
}
# few_nodes MACHINE: its platform file with few nodes, which end in several islands and close the rings of a torus. A start
# of SMPI takes a second for 32,768 nodes, and a test has hundreds of starts.
few_nodes() {
  sed 's/radical="0-32767"/radical="0-127"/; s/topo_parameters="32,32,32"/topo_parameters="4,4,8"/
    s/radical="0-9215"/radical="0-15"/; s/topo_parameters="2;512,18;1,128;1,1"/topo_parameters="2;4,4;1,2;1,1"/' \
    "$source/platforms/$1.xml" >"$1.xml"
  grep -q 'topo_parameters="[24][;,]4,' "$1.xml" || die "$1.xml has not few nodes"
}
