# For tests that disturb a sweep: a platform, the whole table of a store to the last bit, and processes that still run.

write_machine() { # FILE
  cat > "$1" <<'XML'
<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <config>
    <prop id="maxmin/concurrency-limit" value="1"/>
    <prop id="smpi/simulate-computation" value="no"/>
    <prop id="smpi/wtime" value="0"/>
    <prop id="smpi/bw-factor" value="0:1"/>
    <prop id="smpi/lat-factor" value="0:1"/>
  </config>
  <cluster id="c" prefix="n" suffix="" radical="0-31" speed="1Gf" bw="125MBps" lat="20us"/>
</platform>
XML
}

table() { # DATABASE: all of it, ordered, to the last bit
  sqlite3 "$1" "SELECT e.platform, e.platform_hash, e.flavor, e.library, e.tutti, m.name, scheme, ranks,
      ranks_per_node, root, count, type_B, rank_B, total_B, repetitions, printf('%!.17g', minimum_s),
      printf('%!.17g', median_s), printf('%!.17g', mean_s), printf('%!.17g', maximum_s)
    FROM measurement JOIN method m ON m.id = method JOIN environment e ON e.id = environment ORDER BY 1, 2, 3, 4, 5,
      6, 7, 8, 9, 10, 11, 12" || die "cannot read $1"
}

rows() { # DATABASE: points stored, 0 if there is no table yet
  [ -e "$1" ] || { echo 0; return; }
  sqlite3 "$1" 'SELECT count(*) FROM measurement' 2> /dev/null || echo 0
}

check_store() { # DATABASE: sound, if it is there
  [ ! -e "$1" ] || [ "$(sqlite3 "$1" 'PRAGMA integrity_check; PRAGMA foreign_key_check')" = ok ] || die "$1 is damaged"
}

# Processes that work in the work directory of a database; a killed one may take a moment to go.
survivors() { # DATABASE
  wait_until nobody_in "$place/$1.work" || die "still running after the kill: $found"
}

nobody_in() { # DIRECTORY
  ! found=$(ls -l /proc/[0-9]*/cwd 2> /dev/null | grep -F " $1")
}

now() { # milliseconds
  echo $(($(date +%s%N) / 1000000))
}
