#!/bin/sh
# Makes the store of the present version of the schema for test_migration: the rows of the version before, merged into a
# new store, and rows of records. Run it after VERSION in src/decision/results/kinds.def was raised.
#
# usage: make.sh BUILD_DIR [RECORDS...]   (RECORDS: what tutti import --format tutti reads)
set -eu
folder=$(dirname "$0")
tutti=$1/tutti
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

last=8 # those before are in earlier.sql
while [ -e "$folder/version_$((last + 1)).sql" ]; do last=$((last + 1)); done
sqlite3 "$work/last.db" <"$folder/version_$last.sql"
"$tutti" merge "$work/last.db" --db "$work/new.db" >/dev/null
for records; do
  "$tutti" import --format tutti "$records" --platform cluster --db "$work/new.db"
done
version=$(sqlite3 "$work/new.db" 'PRAGMA user_version')
if [ "$version" -ne $((last + 1)) ]; then
  echo "make.sh: the program makes stores of version $version, and there are files up to version_$last.sql:" \
    "raise VERSION, or, if no release has version $version yet, remove its file first" >&2
  exit 1
fi
{
  echo "-- A store of version $version, as it was made then."
  sqlite3 "$work/new.db" .dump | grep -v '^PRAGMA foreign_keys'
  sqlite3 "$work/new.db" "SELECT 'PRAGMA application_id = ' || application_id || ';' FROM pragma_application_id"
  echo "PRAGMA user_version = $version;"
} >"$folder/version_$version.sql"
echo "tests/store/version_$version.sql: $(grep -c '^INSERT' "$folder/version_$version.sql") rows"
