#!/bin/sh
# Parts of a sweep that were measured separately are merged into exactly the table of one run; equal and different values of
# the same point are distinguished; all or nothing.
#
# usage: merge.sh BUILD_DIR SOURCE_DIR
set -u
. "$2/tests/e2e/begin.sh"
. "$source/tests/e2e/tables.sh"
need smpirun simgrid
need sqlite3 sqlite3
[ -r "$build/smpi/tutti-bench" ] || { echo "skipped: no tutti-bench for smpi"; exit 77; }

write_machine machine.xml
sed 's/20us/50us/' machine.xml > other.xml
write_sweep() { # FILE PLATFORM RANKS
  cat > "$1" <<XML
<experiment name="merge">
  <platform file="$2"/>
  <sweep collective="bcast" root="0">
    <ranks>$3</ranks>
    <sizes>1..4KB*4</sizes>
    <method name="bcast/linear"/>
    <method name="bcast/binomial"/>
  </sweep>
</experiment>
XML
}

write_sweep whole.xml machine.xml "4 8"
write_sweep left.xml machine.xml "4"
write_sweep right.xml machine.xml "8"
write_sweep other-machine.xml other.xml "4"
for each in whole left right other-machine; do run 0 bench $each.xml --db $each.db -q; done
table whole.db > whole.txt
same() { # DATABASE
  check_store "$1"
  table "$1" > table.txt
  cmp -s whole.txt table.txt || die "$1: the table differs"
}

run 0 merge left.db right.db --db both.db
expect "left.db: 14 rows added, 0 there already$"
expect "right.db: 14 rows added, 0 there already$"
same both.db
run 0 merge whole.db --db both.db
expect "whole.db: 0 rows added, 28 there already$"
run 0 merge right.db --db left.db
same left.db
run 0 bench whole.xml --db left.db
expect "0 points measured, 28 there already"

# Another machine is another environment.
run 0 merge other-machine.db --db both.db
expect "other-machine.db: 14 rows added, 0 there already$"
[ "$(sqlite3 both.db 'SELECT count(*) FROM environment')" -eq 2 ] || die "not two environments"

# Other values: the later ones, or the earlier.
cp whole.db changed.db
sqlite3 changed.db "UPDATE measurement SET maximum_s = 1 WHERE ranks = 4"
cp whole.db kept.db
run 0 merge changed.db --db kept.db --keep
expect "changed.db: 0 rows added, 14 there already, 14 with other values, which were left$"
same kept.db
run 0 merge changed.db --db kept.db
expect "14 with other values, which were replaced$"
[ "$(sqlite3 kept.db 'SELECT count(*) FROM measurement WHERE maximum_s = 1')" -eq 14 ] || die "not replaced"
cp whole.db less.db
sqlite3 less.db "DELETE FROM measurement WHERE (method, ranks, count) = (SELECT method, ranks, count FROM measurement LIMIT 1)"
run 0 merge whole.db --db less.db
expect "whole.db: 1 row added, 27 there already$"
run 0 merge changed.db whole.db --db kept.db
same kept.db

# Other kinds of rows, and a survey of parameters, which is one.
run 0 group shrink-hash/no-filler -n 32 --db survey.db --platform ./machine.xml -q
sqlite3 survey.db "INSERT INTO parameter SELECT id, 'gap', '', 1, 1e-6, NULL FROM environment
  UNION SELECT id, 'gap', '', 1024, 2e-6, NULL FROM environment
  UNION SELECT id, 'gamma', 'sum/double', 1024, NULL, 3e-10 FROM environment"
run 0 merge survey.db --db parts.db
run 0 merge survey.db --db parts.db
expect "survey.db: 0 rows added, [0-9]+ there already$"
for kind in parameter group_build; do
  columns=$(sqlite3 survey.db "SELECT group_concat(name) FROM pragma_table_info('$kind') WHERE name <> 'environment'")
  sqlite3 survey.db "SELECT $columns FROM $kind ORDER BY 1, 2, 3" > one.txt
  sqlite3 parts.db "SELECT $columns FROM $kind ORDER BY 1, 2, 3" > two.txt
  [ -s one.txt ] && cmp -s one.txt two.txt || die "$kind differs, or is empty"
done
sqlite3 parts.db "DELETE FROM parameter WHERE quantity = 'gamma'"
run 0 merge survey.db --db parts.db
expect "survey.db: 0 rows added, [0-9]+ there already, 1 with other values, which were replaced$"
sqlite3 parts.db "SELECT count(*) FROM parameter" > two.txt
sqlite3 survey.db "SELECT count(*) FROM parameter" | cmp -s - two.txt || die "the survey was not taken as a whole"

# A store of version 4, as other machines may still write it: what it does not have is as it was then.
sed -n 's/^[1-4]-[4-8] //p' "$source/tests/store/earlier.sql" | grep -E '^(CREATE|PRAGMA)' | sqlite3 old.db
sqlite3 old.db "ATTACH 'left.db' AS left;
  INSERT INTO environment SELECT id, platform, platform_hash, flavor, library, tutti FROM left.environment;
  INSERT INTO method SELECT * FROM left.method;
  INSERT INTO measurement SELECT environment, method, scheme, ranks, ranks_per_node, root, count, type_B, rank_B, total_B,
    repetitions, minimum_s, median_s, mean_s, maximum_s FROM left.measurement"
run 0 merge old.db --db aged.db
table left.db > before.txt
table aged.db | cmp -s - before.txt || die "an older store was not merged as it is"

# All or nothing; no file is made after an error.
sqlite3 newer.db "PRAGMA user_version = 99; PRAGMA application_id = 0x54757474; CREATE TABLE t (x)"
run 2 merge left.db newer.db --db fresh.db
expect "newer.db: a store of version 99"
[ ! -e fresh.db ] || die "fresh.db was made"
run 2 merge left.db missing.db --db fresh.db
expect "missing.db: no such store"
cp whole.db damaged.db
sqlite3 damaged.db ".dbconfig defensive off" "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'maximum_s', 'most_s') WHERE name = 'measurement'" >/dev/null
table both.db > before.txt
run 2 merge changed.db damaged.db --db both.db
expect "damaged.db: not as Tutti makes a store of version [0-9]+: table measurement lacks the column maximum_s"
table both.db | cmp -s - before.txt || die "half of it was merged"
run 2 merge both.db --db both.db
expect "both.db: is the store that others are merged into"
echo ok
