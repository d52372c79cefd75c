/* The schema: who was measured (method, or the builder of groups), under what (environment), and the numbers. Sizes are
 * bytes (_B), times seconds
 * (_s). The key of a measurement is what tutti_store_add() replaces by. */
#include "store/store_sql.h"

#include <stddef.h>

/* Groups that were built. Where exact is 1 the number of members was asked for, and fraction is members / ranks; times
 * are NULL where there was no clock; a fingerprint is 16 hexadecimal digits. */
#define GROUP_TABLE                                                                                                    \
  "CREATE TABLE group_build ("                                                                                         \
  "  environment INTEGER NOT NULL REFERENCES environment (id),"                                                        \
  "  builder TEXT NOT NULL CHECK (builder <> ''),"                                                                     \
  "  ranks INTEGER NOT NULL CHECK (ranks >= 1),"                                                                       \
  "  ranks_per_node INTEGER NOT NULL CHECK (ranks_per_node >= 1),"                                                     \
  "  branching INTEGER NOT NULL CHECK (branching >= 2),"                                                               \
  "  fraction REAL NOT NULL CHECK (fraction BETWEEN 0 AND 1),"                                                         \
  "  exact INTEGER NOT NULL CHECK (exact IN (0, 1)),"                                                                  \
  "  seed INTEGER NOT NULL CHECK (seed >= 0),"                                                                         \
  "  colours INTEGER NOT NULL CHECK (colours >= 1),"                                                                   \
  "  node_ranks INTEGER NOT NULL CHECK (node_ranks >= 1),"                                                             \
  "  repetitions INTEGER NOT NULL CHECK (repetitions >= 0),"                                                           \
  "  minimum_s REAL CHECK (minimum_s >= 0),"                                                                           \
  "  median_s REAL CHECK (median_s >= minimum_s),"                                                                     \
  "  mean_s REAL CHECK (mean_s >= 0),"                                                                                 \
  "  maximum_s REAL CHECK (maximum_s >= median_s),"                                                                    \
  "  start INTEGER NOT NULL, upward INTEGER NOT NULL, relocation INTEGER NOT NULL, downward INTEGER NOT NULL,"         \
  "  balance INTEGER NOT NULL, hash INTEGER NOT NULL, scan INTEGER NOT NULL, reduction INTEGER NOT NULL,"              \
  "  finish INTEGER NOT NULL, lookup INTEGER NOT NULL,"                                                                \
  "  sent_B INTEGER NOT NULL CHECK (sent_B >= 0),"                                                                     \
  "  members INTEGER NOT NULL CHECK (members BETWEEN 0 AND ranks),"                                                    \
  "  groups INTEGER NOT NULL CHECK (groups BETWEEN 0 AND colours),"                                                    \
  "  fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 16),"                                                      \
  "  size INTEGER NOT NULL CHECK (size BETWEEN 0 AND members),"                                                        \
  "  height INTEGER NOT NULL, degree INTEGER NOT NULL, critical_path INTEGER NOT NULL,"                                \
  "  largest_message_B INTEGER NOT NULL, memory_B INTEGER NOT NULL, endpoint_B INTEGER NOT NULL,"                      \
  "  messages INTEGER NOT NULL AS (upward + relocation + downward + balance + hash + scan),"                           \
  "  CHECK ((repetitions = 0) = (median_s IS NULL)),"                                                                  \
  "  PRIMARY KEY (" BUILD_KEY ")"                                                                                      \
  ") STRICT, WITHOUT ROWID;"

#define BUILD_KEY "environment, builder, ranks, ranks_per_node, branching, fraction, exact, seed, colours, node_ranks"

/* Measured parameters of the models; of: the operation and type of gamma. The value is in the column of its unit. */
#define PARAMETER_TABLE                                                                                                \
  "CREATE TABLE parameter ("                                                                                           \
  "  environment INTEGER NOT NULL REFERENCES environment (id),"                                                        \
  "  quantity TEXT NOT NULL CHECK (quantity <> ''),"                                                                   \
  "  of TEXT NOT NULL,"                                                                                                \
  "  message_B INTEGER NOT NULL CHECK (message_B >= 0),"                                                               \
  "  value_s REAL CHECK (value_s >= 0),"                                                                               \
  "  value_s_per_B REAL CHECK (value_s_per_B >= 0),"                                                                   \
  "  CHECK ((value_s IS NULL) <> (value_s_per_B IS NULL)),"                                                            \
  "  PRIMARY KEY (environment, quantity, of, message_B)"                                                               \
  ") STRICT, WITHOUT ROWID;"

/* Measurements; arrival: how late the ranks came, noise: what interrupted them. The columns of the key come first:
 * SQLite 3.40 takes such a table for damaged otherwise (PRAGMA integrity_check). */
#define MEASUREMENT_TABLE(name)                                                                                        \
  "CREATE TABLE " name " ("                                                                                            \
  "  environment INTEGER NOT NULL REFERENCES environment (id),"                                                        \
  "  method INTEGER NOT NULL REFERENCES method (id),"                                                                  \
  "  scheme TEXT NOT NULL CHECK (scheme <> ''),"                                                                       \
  "  ranks INTEGER NOT NULL CHECK (ranks >= 1),"                                                                       \
  "  ranks_per_node INTEGER NOT NULL CHECK (ranks_per_node >= 1),"                                                     \
  "  root INTEGER NOT NULL CHECK (root BETWEEN 0 AND ranks - 1),"                                                      \
  "  count INTEGER NOT NULL CHECK (count >= 0),"                                                                       \
  "  type_B INTEGER NOT NULL CHECK (type_B >= 1 OR (type_B = 0 AND count = 0)),"                                       \
  "  arrival TEXT NOT NULL DEFAULT 'none' CHECK (arrival <> ''),"                                                      \
  "  noise TEXT NOT NULL DEFAULT 'none' CHECK (noise <> ''),"                                                          \
  "  rank_B INTEGER NOT NULL CHECK (rank_B = count * type_B),"                                                         \
  "  total_B INTEGER NOT NULL CHECK (total_B >= 0),"                                                                   \
  "  repetitions INTEGER NOT NULL CHECK (repetitions >= 1),"                                                           \
  "  minimum_s REAL NOT NULL CHECK (minimum_s >= 0 OR scheme = 'occ'),"                                                \
  "  median_s REAL NOT NULL CHECK (median_s >= minimum_s),"                                                            \
  "  mean_s REAL NOT NULL CHECK (mean_s >= 0 OR scheme = 'occ'),"                                                      \
  "  maximum_s REAL NOT NULL CHECK (maximum_s >= median_s),"                                                           \
  "  PRIMARY KEY (environment, method, scheme, ranks, ranks_per_node, root, count, type_B, arrival, noise)"            \
  ") STRICT, WITHOUT ROWID;"

/* Its columns but arrival and noise, which version 4 did not have. */
#define OLD_COLUMNS                                                                                                    \
  "environment, method, scheme, ranks, ranks_per_node, root, count, type_B, rank_B, total_B, repetitions, minimum_s,"  \
  " median_s, mean_s, maximum_s"

/* The key grows, so the table is made anew; all in the one transaction that brings a store up to date. */
#define MEASUREMENT_REBUILD                                                                                            \
  MEASUREMENT_TABLE("measurement_5")                                                                                   \
  "INSERT INTO measurement_5 (" OLD_COLUMNS ") SELECT " OLD_COLUMNS " FROM measurement;"                               \
  "DROP TABLE measurement; ALTER TABLE measurement_5 RENAME TO measurement;"

#define VERSION "PRAGMA user_version = 5;"

/* 0x54757474 is STORE_APPLICATION_ID; 5 is STORE_SCHEMA_VERSION. The checks repeat what store_check.c says in words. */
const char tutti_store_schema[] = "CREATE TABLE environment ("
                                  "  id INTEGER PRIMARY KEY,"
                                  "  platform TEXT NOT NULL CHECK (platform <> ''),"
                                  "  platform_hash TEXT NOT NULL,"
                                  "  flavor TEXT NOT NULL CHECK (flavor <> ''),"
                                  "  library TEXT NOT NULL CHECK (library <> ''),"
                                  "  tutti TEXT NOT NULL CHECK (tutti <> ''),"
                                  "  UNIQUE (platform, platform_hash, flavor, library, tutti)"
                                  ") STRICT;"
                                  "CREATE TABLE method ("
                                  "  id INTEGER PRIMARY KEY,"
                                  "  name TEXT NOT NULL UNIQUE,"
                                  "  collective TEXT NOT NULL CHECK (name GLOB collective || '/?*')"
                                  ") STRICT;" MEASUREMENT_TABLE("measurement") GROUP_TABLE PARAMETER_TABLE
    "PRAGMA application_id = 0x54757474;" VERSION;

const char *tutti_store_migration(int version)
{
  if (version < 2)
    return MEASUREMENT_REBUILD GROUP_TABLE PARAMETER_TABLE VERSION;
  return version < 3 ? MEASUREMENT_REBUILD PARAMETER_TABLE VERSION : MEASUREMENT_REBUILD VERSION;
}

_Static_assert(STORE_SCHEMA_VERSION == 5 && STORE_APPLICATION_ID == 0x54757474, "store_schema has the same numbers");

/* In WAL a commit survives the end of the process without a sync each; a sync is what only a power failure needs. */
const char tutti_store_settings[] = "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;";

/* CROSS JOIN keeps the order: the few environments first, then the index of measurement. */
#define OF_ENVIRONMENT                                                                                                 \
  " WHERE (?1 IS NULL OR e.platform = ?1)"                                                                             \
  " AND (?2 IS NULL OR substr(e.platform_hash, 1, length(?2)) = ?2)"                                                   \
  " AND (?3 IS NULL OR e.flavor = ?3)"                                                                                 \
  " AND (?4 IS NULL OR e.library = ?4)"                                                                                \
  " AND (?5 IS NULL OR e.tutti = ?5)"

const char tutti_store_of_environment[] = OF_ENVIRONMENT;

/* In a store that is only read and was not brought up to date. */
#define OLD_MEASUREMENT "(SELECT " OLD_COLUMNS ", 'none' AS arrival, 'none' AS noise FROM measurement)"

#define SELECTED(table)                                                                                                \
  " FROM environment e CROSS JOIN " table " m ON m.environment = e.id JOIN method d ON d.id = "                        \
  "m.method" OF_ENVIRONMENT " AND (?6 IS NULL OR d.collective = ?6)"                                                   \
  " AND (?7 IS NULL OR m.scheme = ?7)"                                                                                 \
  " AND (?8 = 0 OR m.ranks_per_node = ?8)"                                                                             \
  " AND (?9 IS NULL OR m.arrival = ?9) AND (?10 IS NULL OR m.noise = ?10)"

#define CONDITIONS(table)                                                                                              \
  "SELECT DISTINCT e.platform, e.platform_hash, e.flavor, e.library, e.tutti, m.scheme" SELECTED(                      \
      table) " ORDER BY 1, 2, 3, 4, 5, 6"

#define MEASURED_IN(table) "SELECT DISTINCT m.environment" SELECTED(table)

#define ROWS(table)                                                                                                    \
  "SELECT m.environment, m.method, m.scheme, m.ranks, m.ranks_per_node, m.root, m.count, m.type_B, m.arrival, "        \
  "m.noise,"                                                                                                           \
  " m.rank_B, m.total_B, m.repetitions, m.minimum_s, m.median_s, m.mean_s, m.maximum_s, d.name" SELECTED(              \
      table) " ORDER BY m.environment, m.method"

#define HAS(table)                                                                                                     \
  "SELECT EXISTS (SELECT 1 FROM " table " WHERE environment = ?1"                                                      \
  " AND method = (SELECT id FROM method WHERE name = ?2) AND scheme = ?3 AND ranks = ?4"                               \
  " AND ranks_per_node = ?5 AND root = ?6 AND count = ?7 AND type_B = ?8 AND arrival = ?9 AND noise = ?10)"

#define KEY "environment, method, scheme, ranks, ranks_per_node, root, count, type_B, arrival, noise"

#define BUILD_SELECTED                                                                                                 \
  " FROM environment e CROSS JOIN group_build b ON b.environment = e.id" OF_ENVIRONMENT                                \
  " AND (?6 = 0 OR b.ranks_per_node = ?6)"

#define BUILD_COLUMNS                                                                                                  \
  BUILD_KEY ", repetitions, minimum_s, median_s, mean_s, maximum_s, start, upward, relocation, downward, balance,"     \
            " hash, scan, reduction, finish, lookup, sent_B, members, groups, fingerprint, size, height, degree,"      \
            " critical_path, largest_message_B, memory_B, endpoint_B"

#define PARAMETER_SELECTED " FROM environment e CROSS JOIN parameter p ON p.environment = e.id" OF_ENVIRONMENT

static const char *const statements[STORE_RESULT_STATEMENTS] = {
    [STORE_BEGIN_READ] = "BEGIN",
    [STORE_BEGIN_WRITE] = "BEGIN IMMEDIATE",
    [STORE_COMMIT] = "COMMIT",
    [STORE_ROLLBACK] = "ROLLBACK",
    [STORE_ENVIRONMENT_FIND] = "SELECT id FROM environment WHERE platform = ?1 AND platform_hash = ?2 AND flavor = ?3"
                               " AND library = ?4 AND tutti = ?5",
    [STORE_ENVIRONMENT_ADD] = "INSERT INTO environment (platform, platform_hash, flavor, library, tutti)"
                              " VALUES (?1, ?2, ?3, ?4, ?5) ON CONFLICT DO NOTHING",
    [STORE_METHOD_FIND] = "SELECT id FROM method WHERE name = ?1",
    [STORE_METHOD_ADD] = "INSERT INTO method (name, collective) VALUES (?1, ?2) ON CONFLICT (name) DO NOTHING",
    [STORE_PUT] =
        "INSERT INTO measurement (" KEY ", rank_B, total_B, repetitions, minimum_s, median_s, mean_s, maximum_s)"
        " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)"
        " ON CONFLICT (" KEY ") DO UPDATE SET rank_B = excluded.rank_B, total_B = excluded.total_B,"
        " repetitions = excluded.repetitions, minimum_s = excluded.minimum_s, median_s = excluded.median_s,"
        " mean_s = excluded.mean_s, maximum_s = excluded.maximum_s",
    [STORE_HAS] = HAS("measurement"),
    [STORE_CONDITIONS] = CONDITIONS("measurement"),
    [STORE_MEASURED_IN] = MEASURED_IN("measurement"),
    [STORE_ROWS] = ROWS("measurement"),
    [STORE_BUILD_PUT] = "INSERT OR REPLACE INTO group_build (" BUILD_COLUMNS ") VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
                        " ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27,"
                        " ?28, ?29, ?30, ?31, ?32, ?33, ?34, ?35, ?36)",
    [STORE_BUILD_CONDITIONS] =
        "SELECT DISTINCT e.platform, e.platform_hash, e.flavor, e.library, e.tutti" BUILD_SELECTED
        " ORDER BY 1, 2, 3, 4, 5",
    [STORE_BUILD_ROWS] = "SELECT " BUILD_COLUMNS BUILD_SELECTED,
    [STORE_PARAMETER_CLEAR] = "DELETE FROM parameter WHERE environment = ?1",
    [STORE_PARAMETER_PUT] = "INSERT INTO parameter (environment, quantity, of, message_B, value_s, value_s_per_B)"
                            " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [STORE_PARAMETER_CONDITIONS] =
        "SELECT DISTINCT e.platform, e.platform_hash, e.flavor, e.library, e.tutti" PARAMETER_SELECTED
        " ORDER BY 1, 2, 3, 4, 5",
    [STORE_PARAMETER_ROWS] = "SELECT p.environment, p.quantity, p.of, p.message_B, p.value_s, p.value_s_per_B,"
                             " e.library" PARAMETER_SELECTED,
};

const char *tutti_store_sql(enum store_statement statement, int version)
{
  if (version >= 5)
    return statements[statement];
  switch (statement) {
  case STORE_HAS:
    return HAS(OLD_MEASUREMENT);
  case STORE_CONDITIONS:
    return CONDITIONS(OLD_MEASUREMENT);
  case STORE_MEASURED_IN:
    return MEASURED_IN(OLD_MEASUREMENT);
  case STORE_ROWS:
    return ROWS(OLD_MEASUREMENT);
  default:
    return statements[statement];
  }
}
