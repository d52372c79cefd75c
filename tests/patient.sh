# For tests on a busy machine: nothing fails because it takes long, and what is tried again is counted.

PATIENCE=3600 # seconds after which a program is taken to hang

within() { # TENTHS COMMAND...: wait until COMMAND succeeds, for so many tenths of a second at most
  tenths=$1
  shift
  while ! "$@" >/dev/null 2>&1; do
    tenths=$((tenths - 1))
    [ $tenths -gt 0 ] || return 1
    sleep 0.1
  done
}

wait_until() { # COMMAND...
  within $((10 * PATIENCE)) "$@"
}

# Try again what other work of the machine can spoil: retry TRIES REASON COMMAND... prints how many tries it took, and
# scripts/test.sh lists that.
retry() {
  tries_left=$1 reason=$2 tries=1
  shift 2
  until "$@"; do
    tries_left=$((tries_left - 1))
    [ $tries_left -gt 0 ] || return 1
    tries=$((tries + 1))
  done
  [ $tries -eq 1 ] || echo "retried: $reason: $tries tries"
}
