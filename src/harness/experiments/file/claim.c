/* Claims asked of the store. Each is a table in a query of ours, so that by grammar alone it is one SELECT; the
 * authorizer refuses everything else a query may do. */
#include "tutti/claim.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "harness/store/private.h"

#define OWN(view, environments)                                                                                        \
  ", " view " AS NOT MATERIALIZED (SELECT * FROM main." view " WHERE environment IN " environments ")"
#define OWN_TIMES(view)                                                                                                \
  ", " view " AS NOT MATERIALIZED (SELECT 1e6 * median_s AS us, * FROM main." view " WHERE environment IN own)"

/* newest: the newest environment of each platform and flavor; of predictions, of each model. own: those without the
   other engine; parameters are SMPI's for both. Of several orders of start the first counts. The query of a view is
   pushed into it, so that keys are used. The first condition restricts environments. */
/* Of simulated rows those of the engine of the experiment; of all engines where it has none and measures nothing. */
static const char views[] =
    "WITH newest AS (SELECT id FROM environment WHERE %s AND id IN (SELECT max(id) FROM environment"
    "   GROUP BY platform, flavor, iif(flavor = 'model', library, '')))"
    ", own AS (SELECT id FROM newest JOIN environment USING (id)"
    "   WHERE %Q IN ('', flavor) OR flavor NOT IN ('smpi', '" TUTTI_FLAVOR_FAST "', '" TUTTI_FLAVOR_FLOW "'))"
    ", points AS NOT MATERIALIZED (SELECT platform, flavor, library, collective, method, scheme, ranks, ranks_per_node,"
    "   root, rank_B AS bytes, total_B AS total, 1e6 * median_s AS us FROM measurements"
    "   WHERE environment IN own AND arrival = 'none' AND noise = 'none'"
    "   AND (launch = 0 OR flavor NOT IN ('" TUTTI_FLAVOR_FAST "', '" TUTTI_FLAVOR_FLOW "')))"
    ", bests AS NOT MATERIALIZED (SELECT platform, flavor, library, collective, method, scheme, ranks, ranks_per_node,"
    "   root, bytes, total, min(us) AS us FROM points WHERE method NOT GLOB '*/native*'"
    "   GROUP BY platform, flavor, library, collective, scheme, ranks, ranks_per_node, root, bytes)" //
    OWN_TIMES("builds") OWN_TIMES("sorts") OWN_TIMES("ranges") OWN("maps", "own") OWN("penalties", "own")
        OWN("parameters", "newest") " SELECT * FROM (\n%s\n)";

const char *tutti_verdict_name(tutti_verdict verdict)
{
  static const char *const names[] = {[TUTTI_VERDICT_NOT_MEASURED] = "not measured",
                                      [TUTTI_VERDICT_REPRODUCED] = "reproduced",
                                      [TUTTI_VERDICT_DIFFERS] = "differs",
                                      [TUTTI_VERDICT_NOT_REPRODUCIBLE] = "not reproducible"};
  if (verdict >= TUTTI_VERDICT_CALIBRATION)
    return tutti_claim_kind_name((tutti_claim_kind)(verdict - TUTTI_VERDICT_CALIBRATION + TUTTI_CLAIM_CALIBRATION));
  return names[verdict];
}

const char *tutti_claim_kind_name(tutti_claim_kind kind)
{
  static const char *const names[] = {
      [TUTTI_CLAIM_PREDICTION] = "prediction",   [TUTTI_CLAIM_FORMULA] = "formula",
      [TUTTI_CLAIM_CALIBRATION] = "calibration", [TUTTI_CLAIM_SELF_CHECK] = "self-check",
      [TUTTI_CLAIM_HOST_TIMING] = "host-timing", [TUTTI_CLAIM_NOT_COMPARABLE] = "not-comparable"};
  return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

bool tutti_claim_is_counted(tutti_claim_kind kind)
{
  return kind < TUTTI_CLAIM_CALIBRATION;
}

/* ---- comparing ---- */

bool tutti_claim_holds(const tutti_claim *claim, double measured)
{
  double value = claim->value, distance = fabs(measured - value), slack = 1e-9 * (fabs(value) + fabs(measured));
  if (!isfinite(distance))
    return false;
  switch (claim->comparison) {
  case TUTTI_CLAIM_EQUAL:
    return distance <= slack;
  case TUTTI_CLAIM_RELATIVE:
    return distance <= claim->tolerance * fabs(value) + slack;
  case TUTTI_CLAIM_ABSOLUTE:
    return distance <= claim->tolerance + slack;
  case TUTTI_CLAIM_FACTOR:
    return measured >= value / claim->tolerance - slack && measured <= value * claim->tolerance + slack;
  case TUTTI_CLAIM_LESS:
    return measured < value - slack;
  case TUTTI_CLAIM_AT_MOST:
    return measured <= value + slack;
  case TUTTI_CLAIM_MORE:
    return measured > value + slack;
  case TUTTI_CLAIM_AT_LEAST:
    return measured >= value - slack;
  case TUTTI_CLAIM_BETWEEN:
    return measured >= value - slack && measured <= claim->tolerance + slack;
  case TUTTI_CLAIM_TRUTH:
    return (measured > 0 || measured < 0) == (value > 0);
  }
  return false;
}

/* Functions of SQL that a claim may call: those that give the same each time and whose work has a limit. */
static bool is_allowed(const char *function)
{
  static const char *const names[] = {
      "abs",   "avg",   "ceil",   "ceiling", "coalesce", "count", "dense_rank", "exp",          "first_value", "floor",
      "glob",  "iif",   "ifnull", "instr",   "lag",      "lead",  "last_value", "length",       "like",        "ln",
      "log",   "log10", "log2",   "lower",   "max",      "min",   "mod",        "nth_value",    "ntile",       "nullif",
      "pow",   "power", "rank",   "round",   "sign",     "sqrt",  "row_number", "substr",       "substring",   "sum",
      "total", "trim",  "trunc",  "typeof",  "upper",    "ltrim", "rtrim",      "percent_rank", "cume_dist"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (sqlite3_stricmp(function, names[i]) == 0)
      return true;
  return false;
}

static int only_read(void *context, int action, const char *a, const char *function, const char *database,
                     const char *trigger)
{
  (void)context, (void)a, (void)database, (void)trigger;
  bool reads = action == SQLITE_SELECT || action == SQLITE_READ || action == SQLITE_RECURSIVE ||
               (action == SQLITE_FUNCTION && is_allowed(function));
  return reads ? SQLITE_OK : SQLITE_DENY;
}

static tutti_status refuse(const tutti_experiment *experiment, const tutti_claim *claim, const char *reason,
                           tutti_error *error)
{
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s:%d: claim '%s' is not one SELECT of one number: %s",
                    experiment->path, claim->line, claim->what, reason);
}

/* ---- what a query may take ---- */

static int is_late(void *end)
{
  return tutti_clock(CLOCK_THREAD_CPUTIME_ID) > *(const double *)end;
}

/* Limits of a connection, and what they were before. */
static const struct {
  int id, limit;
} limits[] = {{SQLITE_LIMIT_LENGTH, TUTTI_CLAIM_TEXT}, {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1000}};

enum { LIMITS = sizeof limits / sizeof *limits };

struct former {
  int limits[LIMITS];
  sqlite3_int64 heap;
};

static void set_limits(sqlite3 *database, struct former *former)
{
  sqlite3_exec(database, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL); /* so that the limit counts what is sorted */
  sqlite3_set_authorizer(database, only_read, NULL);
  for (int i = 0; i < LIMITS; i++)
    former->limits[i] = sqlite3_limit(database, limits[i].id, limits[i].limit);
  former->heap = sqlite3_hard_heap_limit64(sqlite3_memory_used() + ((sqlite3_int64)TUTTI_CLAIM_MEGABYTES << 20));
}

static void reset_limits(sqlite3 *database, const struct former *former)
{
  sqlite3_hard_heap_limit64(former->heap);
  for (int i = 0; i < LIMITS; i++)
    sqlite3_limit(database, limits[i].id, former->limits[i]);
  sqlite3_progress_handler(database, 0, NULL, NULL);
  sqlite3_set_authorizer(database, NULL, NULL);
  sqlite3_exec(database, "PRAGMA temp_store = DEFAULT", NULL, NULL, NULL);
}

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

static const char *reason_of(sqlite3 *database, int code)
{
  if (code == SQLITE_INTERRUPT)
    return "it takes more than " TEXT_OF(TUTTI_CLAIM_SECONDS) " s";
  if (code == SQLITE_NOMEM)
    return "it takes more than " TEXT_OF(TUTTI_CLAIM_MEGABYTES) " MB";
  return sqlite3_errmsg(database);
}

/* ---- asking ---- */

/* The only number of a prepared query; *reason receives what is wrong with it, or NULL. */
static double only_number(sqlite3_stmt *statement, const char **reason)
{
  *reason = sqlite3_column_count(statement) == 1 ? NULL : "it has several columns";
  int code = *reason ? SQLITE_DONE : sqlite3_step(statement);
  if (code != SQLITE_ROW) {
    if (code != SQLITE_DONE)
      *reason = reason_of(sqlite3_db_handle(statement), code);
    return NAN;
  }
  int type = sqlite3_column_type(statement, 0);
  double number = type == SQLITE_NULL ? NAN : sqlite3_column_double(statement, 0);
  if (type == SQLITE_TEXT || type == SQLITE_BLOB)
    *reason = "it gives a text";
  else if (isinf(number))
    *reason = "it gives no finite number";
  else if (sqlite3_step(statement) == SQLITE_ROW)
    *reason = "it gives several rows";
  return number;
}

static const char all_environments[] = "1", no_environment[] = "0";

static tutti_status ask(const tutti_experiment *experiment, const tutti_claim *claim, tutti_store *store,
                        const char *environments, double *measured, tutti_error *error)
{
  double end = tutti_clock(CLOCK_THREAD_CPUTIME_ID) + TUTTI_CLAIM_SECONDS;
  char *sql = sqlite3_mprintf(views, environments, experiment->flavor ? experiment->flavor : "", claim->sql);
  const char *rest = NULL, *reason = NULL;
  sqlite3_stmt *statement = NULL;
  *measured = NAN;
  if (!sql)
    return tutti_fail(error, TUTTI_ERR_MEMORY, "%s: out of memory", experiment->path);
  sqlite3_progress_handler(store->database, 100000, is_late, &end);
  int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, &rest);
  if (code != SQLITE_OK)
    reason = reason_of(store->database, code);
  else if (rest[strspn(rest, " \t\r\n")])
    reason = "something follows it";
  else
    *measured = only_number(statement, &reason);
  tutti_status status = reason ? refuse(experiment, claim, reason, error) : TUTTI_OK;
  sqlite3_finalize(statement);
  sqlite3_free(sql);
  return status;
}

/* A count is 0 without measurements, and a comparison with one false: if all claims have the same answer for no
   environment, nothing was found. */
static tutti_status drop_unfounded(const tutti_experiment *experiment, tutti_store *store,
                                   tutti_claim_outcome *outcomes, tutti_error *error)
{
  bool found = false;
  double nothing;
  tutti_status status = TUTTI_OK;
  for (int i = 0; i < experiment->claim_count && status == TUTTI_OK && !found; i++)
    if (!isnan(outcomes[i].measured)) {
      status = ask(experiment, &experiment->claims[i], store, no_environment, &nothing, error);
      found = isnan(nothing) || fabs(nothing - outcomes[i].measured) > 0;
    }
  for (int i = 0; i < experiment->claim_count && status == TUTTI_OK && !found; i++)
    outcomes[i].measured = NAN;
  return status;
}

static tutti_status ask_all(const tutti_experiment *experiment, tutti_store *store, tutti_claim_outcome *outcomes,
                            tutti_error *error)
{
  tutti_status status = TUTTI_OK;
  struct former former;
  set_limits(store->database, &former);
  for (int i = 0; i < experiment->claim_count && status == TUTTI_OK; i++)
    status = ask(experiment, &experiment->claims[i], store, all_environments, &outcomes[i].measured, error);
  if (status == TUTTI_OK)
    status = drop_unfounded(experiment, store, outcomes, error);
  reset_limits(store->database, &former);
  return status;
}

/* ---- verdicts ---- */

/* By those that are counted alone; by the others where there is nothing else. */
static tutti_verdict verdict_of(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes)
{
  bool claims = tutti_claims_count(experiment, outcomes).claims > 0;
  int of[TUTTI_VERDICT_NOT_REPRODUCIBLE] = {0};
  for (int i = 0; i < experiment->claim_count; i++)
    of[outcomes[i].verdict] += !claims || tutti_claim_is_counted(experiment->claims[i].kind);
  bool measured = of[TUTTI_VERDICT_REPRODUCED] + of[TUTTI_VERDICT_DIFFERS] > 0 && of[TUTTI_VERDICT_NOT_MEASURED] == 0;
  if (experiment->not_reproducible)
    return TUTTI_VERDICT_NOT_REPRODUCIBLE;
  if (!claims && measured)
    return (tutti_verdict)(TUTTI_VERDICT_CALIBRATION + experiment->claims[0].kind - TUTTI_CLAIM_CALIBRATION);
  if (!claims)
    return TUTTI_VERDICT_NOT_MEASURED;
  if (of[TUTTI_VERDICT_DIFFERS] > 0)
    return TUTTI_VERDICT_DIFFERS;
  return measured ? TUTTI_VERDICT_REPRODUCED : TUTTI_VERDICT_NOT_MEASURED;
}

tutti_status tutti_claims_evaluate(const tutti_experiment *experiment, tutti_store *store,
                                   tutti_claim_outcome *outcomes, tutti_verdict *verdict, tutti_error *error)
{
  for (int i = 0; i < experiment->claim_count; i++)
    outcomes[i].measured = NAN;
  tutti_status status = store ? ask_all(experiment, store, outcomes, error) : TUTTI_OK;
  for (int i = 0; i < experiment->claim_count; i++)
    if (isnan(outcomes[i].measured))
      outcomes[i].verdict = TUTTI_VERDICT_NOT_MEASURED;
    else
      outcomes[i].verdict = tutti_claim_holds(&experiment->claims[i], outcomes[i].measured) ? TUTTI_VERDICT_REPRODUCED
                                                                                            : TUTTI_VERDICT_DIFFERS;
  *verdict = verdict_of(experiment, outcomes);
  return status;
}

int tutti_claims_unexplained(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes)
{
  int count = 0;
  for (int i = 0; i < experiment->claim_count; i++)
    count += outcomes[i].verdict == TUTTI_VERDICT_DIFFERS && !experiment->claims[i].differs;
  return count;
}

tutti_claim_counts tutti_claims_count(const tutti_experiment *experiment, const tutti_claim_outcome *outcomes)
{
  tutti_claim_counts counts = {0};
  for (int i = 0; i < experiment->claim_count; i++) {
    tutti_claim_kind kind = experiment->claims[i].kind;
    bool counted = tutti_claim_is_counted(kind), holds = outcomes[i].verdict == TUTTI_VERDICT_REPRODUCED;
    counts.claims += counted;
    counts.holding += counted && holds;
    counts.of[kind]++;
    counts.holding_of[kind] += holds;
  }
  return counts;
}
