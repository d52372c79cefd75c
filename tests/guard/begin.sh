# Sourced by what runs commands on files that try to reach beyond themselves, whose arguments are BUILD_DIR SOURCE_DIR
# [COUNT [...]]: changes to a new directory, with a file that must not be written and one that must not be read, and
# folders files and tmp.
build=$(cd "$1" && pwd -P) source=$(cd "$2" && pwd -P) count=${3:-200}
tutti=$build/tutti guard=$build/tests/guard
work=$(mktemp -d) && work=$(cd "$work" && pwd -P) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
"$guard" true 2>/dev/null || { echo "skipped: system calls cannot be watched here"; exit 77; }
mkdir "$work/files" "$work/tmp" && cd "$work" || exit 2
export TMPDIR="$work/tmp" ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0"
echo mine >victim.txt
echo 'not to be told' >secret.txt
chmod 644 ./*.txt
faults=0

watched() { # [OPTION OF THE GUARD]... COMMAND...: the status in $status; what the guard refuses is a failure of $file
  "$guard" --write "$work/s.db*" --write "$work/tmp/*" --never "$work/secret.txt" --run "$build/*" "$@" >out 2>err </dev/null
  status=$?
  [ $status -ne 99 ] || fault "$(grep '^guard: ' err)"
  ! grep -q 'not to be told' out err || fault "a file beside it is told: $(cat out err)"
  [ $status -lt 125 ] || fault "status $status: $(tail -n 3 err)"
}
fault() {
  echo "$(basename "$file"): $*" >&2
  mkdir -p "$build/tests/findings" && cp -r "$file" "$build/tests/findings/"
  faults=$((faults + 1))
}
check_victim() {
  [ "$(cat victim.txt)" = mine ] || { echo "the file of another was changed" >&2; faults=$((faults + 1)); }
}
