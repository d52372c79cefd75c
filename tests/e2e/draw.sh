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
