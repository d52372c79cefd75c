/* MVAPICH2 2.3: MV2_..._TUNING, the number of an algorithm for all calls, or a
   list of such with sizes, which works only without indexed tuning
   (docs/reference/variables.md):

     MV2_ALLTOALL_TUNING=0:0-1023,3:1024-+   the first item whose upper bound is
   not below the block of a rank */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decision/libraries/export/export.h"
#include "decision/libraries/settings.h"

enum {
#define CODE(identifier, ...) LINT_##identifier,
#include "decision/libraries/mvapich2/codes.def"
#undef CODE
};

static const tutti_lint_code codes[] = {
#define CODE(identifier, ...) {__VA_ARGS__},
#include "decision/libraries/mvapich2/codes.def"
#undef CODE
};

enum { IDS = 12 };

/* Algorithms by number (common_tuning.h), and those of the catalogue with the
   same name: what they send is not compared. Where the library has no number,
   number `instead` runs. */
static const struct mv2_collective {
  tutti_collective ours;
  const char *variable, *indexed; /* without MV2_ */
  int instead;
  const char *names[IDS], *methods[IDS];
} collectives[] = {
    {TUTTI_COLL_ALLREDUCE,
     "INTER_ALLREDUCE_TUNING",
     "USE_INDEXED_ALLREDUCE_TUNING",
     1,
     {NULL, "recursive doubling", "reduce_scatter + allgather", "multicast, two levels", "multicast, reduce_scatter",
      [8] = "reduce_scatter + allgather as collectives", [9] = "ring", [11] = "socket aware, two levels"},
     {NULL, "recursive-doubling", "rabenseifner", [9] = "ring"}},
    {TUTTI_COLL_ALLGATHER,
     "INTER_ALLGATHER_TUNING",
     "USE_INDEXED_ALLGATHER_TUNING",
     2,
     {NULL, "recursive doubling on nodes", "recursive doubling", "Bruck's", "ring", "direct", "direct spread",
      "gather + bcast", "two levels", "ring on nodes", "direct, two levels", "ring, two levels"},
     {NULL, NULL, "recursive-doubling", "bruck", "ring"}},
    {TUTTI_COLL_ALLTOALL,
     "ALLTOALL_TUNING",
     "USE_INDEXED_ALLTOALL_TUNING",
     0,
     {"Bruck's", "recursive doubling", "scattered", "pairwise"},
     {"bruck", [3] = "pairwise"}},
};

enum { COLLECTIVES = sizeof collectives / sizeof *collectives };

static const struct mv2_collective *find_collective(tutti_collective collective)
{
  for (int i = 0; i < COLLECTIVES; i++)
    if (collectives[i].ours == collective)
      return &collectives[i];
  return NULL;
}

/* ---- writing: one algorithm a collective ---- */

static int id_of(const tutti_method *method)
{
  const struct mv2_collective *collective = find_collective(method->algorithm->collective);
  const tutti_method plain = tutti_method_default(method->algorithm);
  for (int id = 0; collective && id < IDS && tutti_method_compare(&plain, method) == 0; id++)
    if (collective->methods[id] && strcmp(collective->methods[id], method->algorithm->name) == 0)
      return id;
  return -1;
}

/* On all numbers of ranks. */
static bool supports(const tutti_method *method, int ranks)
{
  return id_of(method) >= 0 && tutti_target_applies(method, ranks) && tutti_target_applies(method, 3) &&
         tutti_target_applies(method, 40);
}

static tutti_size_unit unit(tutti_collective collective)
{
  return find_collective(collective) ? TUTTI_UNIT_NONE : TUTTI_UNIT_ABSENT;
}

static tutti_status write_variables(const tutti_export_part *parts, int count, const char *comment, FILE *stream,
                                    tutti_error *error)
{
  fprintf(stream, TUTTI_TUNING_TARGET "mvapich2\n");
  tutti_target_print_comment(comment, "# ", stream);
  for (int i = 0; i < count; i++) {
    const tutti_step_table *table = &parts[i].table;
    const int method = table->rows[0].steps[0].method;
    if (method >= 0)
      fprintf(stream, "export MV2_%s=%d\n", find_collective(table->collective)->variable,
              id_of(&table->methods[method]));
  }
  return tutti_target_written(stream, error);
}

/* ---- reading ---- */

struct mv2_item {
  const char *begin, *end; /* in the value */
  long id, min, max;       /* max LONG_MAX: no end */
};

/* The item at a place, as strtok_r() and "([0-9]+):([0-9]+)-([0-9]+|\+)" find
 * it; false: it does not match. */
static bool read_item(const char *at, struct mv2_item *item)
{
  char *end;
  *item = (struct mv2_item){.begin = at, .end = at + strcspn(at, ",")};
  item->id = strtol(at, &end, 10);
  if (end == at || *end != ':')
    return false;
  const char *min = end + 1;
  item->min = strtol(min, &end, 10);
  if (end == min || *end != '-' || end >= item->end)
    return false;
  const char *max = end + 1;
  item->max = strtol(max, &end, 10);
  if (*max == '+')
    item->max = LONG_MAX;
  return *max == '+' || (end > max && *max != '-');
}

/* Characters of an item in messages. */
static int shown(const struct mv2_item *item)
{
  return item->end - item->begin < 60 ? (int)(item->end - item->begin) : 60;
}

static bool is_list(const struct setting *setting)
{
  return strchr(setting->value, ',') != NULL;
}

/* Whether either of the two variables, both of which are on, is left on. */
static bool is_indexed(const struct settings *settings, const struct mv2_collective *collective)
{
  const struct setting *all = tutti_settings_find(settings, "USE_INDEXED_TUNING"),
                       *one = tutti_settings_find(settings, collective->indexed);
  return !all || atoi(all->value) != 0 || !one || atoi(one->value) != 0;
}

static void check_id(struct tuning_file *file, const struct mv2_collective *collective, size_t at, long id)
{
  if (id < 0 || id >= IDS || !collective->names[id])
    tutti_tuning_report(file, LINT_MV2_ID, at, "%s %ld", tutti_collective_name(collective->ours), id);
}

static void check_list(struct tuning_file *file, const struct settings *settings,
                       const struct mv2_collective *collective, const struct setting *setting)
{
  struct mv2_item item;
  long before = -1;
  if (is_indexed(settings, collective))
    tutti_tuning_report(file, LINT_MV2_LIST, setting->value_at, "MV2_%s", setting->name);
  else if (collective->ours != TUTTI_COLL_ALLTOALL)
    tutti_tuning_report(file, LINT_MV2_LEVELS, setting->value_at, "MV2_%s", setting->name);
  for (const char *at = setting->value; *at; at = *item.end ? item.end + 1 : item.end) {
    const bool good = read_item(at, &item);
    const size_t place = setting->value_at + (size_t)(at - setting->value);
    if (!good) {
      tutti_tuning_report(file, LINT_MV2_ITEM, place, "'%.*s'", shown(&item), at);
      continue;
    }
    check_id(file, collective, place, item.id);
    if (item.min != before && item.min != before + 1)
      tutti_tuning_report(file, LINT_MV2_GAP, place, "%ld", item.min);
    before = item.max == LONG_MAX ? before : item.max;
  }
}

static tutti_status read_settings(struct tuning_file *file, void *rules, tutti_error *error)
{
  struct settings *settings = rules;
  bool any = false;
  (void)error;
  tutti_settings_read(file, "MV2_", settings);
  for (int c = 0; c < COLLECTIVES; c++) {
    const struct setting *setting = tutti_settings_find(settings, collectives[c].variable);
    any = any || setting;
    if (setting && !setting->computed && is_list(setting))
      check_list(file, settings, &collectives[c], setting);
    else if (setting && !setting->computed)
      check_id(file, &collectives[c], setting->value_at, atol(setting->value));
  }
  if (!any)
    tutti_tuning_report(file, LINT_MV2_NONE, settings->count ? settings->items[0].at : 0, "no MV2_..._TUNING");
  tutti_settings_check_twice(file, settings, LINT_MV2_TWICE);
  return TUTTI_OK;
}

/* ---- explaining ---- */

static void run(struct explaining *explaining, const struct mv2_collective *collective, long id)
{
  const int ranks = explaining->call->ranks;
  const bool known = id >= 0 && id < IDS && collective->names[id];
  if (!known)
    id = collective->instead;
  tutti_explain_name(explaining, "%s", collective->names[id]);
  const tutti_algorithm *algorithm =
      collective->methods[id] ? tutti_algorithm_find(collective->ours, collective->methods[id]) : NULL;
  explaining->answer->known = algorithm && tutti_target_applies(&(tutti_method){.algorithm = algorithm}, ranks);
  if (explaining->answer->known)
    explaining->answer->method = tutti_method_default(algorithm);
}

static void run_list(struct explaining *explaining, const struct mv2_collective *collective,
                     const struct setting *setting)
{
  const uint64_t bytes = explaining->call->rank_bytes;
  struct mv2_item item;
  for (const char *at = setting->value; read_item(at, &item); at = item.end + 1) {
    const bool last = !*item.end || item.max == LONG_MAX;
    if (!last && bytes > (uint64_t)item.max) {
      tutti_explain_at_least(explaining, (uint64_t)item.max + 1);
      continue;
    }
    tutti_explain_step(explaining, setting->value_at + (size_t)(at - setting->value), "%.*s", shown(&item), at);
    if (!last)
      tutti_explain_at_most(explaining, (uint64_t)item.max);
    run(explaining, collective, item.id);
    return;
  }
  tutti_explain_name(explaining, "%s", "undefined");
}

static tutti_status explain(struct explaining *explaining, tutti_error *error)
{
  const struct settings *settings = explaining->tuning->rules;
  const struct mv2_collective *collective = find_collective(explaining->call->collective);
  const struct setting *setting = collective ? tutti_settings_find(settings, collective->variable) : NULL;
  (void)error;
  tutti_settings_step_launch(explaining, settings);
  if (!setting) {
    tutti_explain_step(explaining, NO_PLACE, "no variable selects an algorithm of it");
    explaining->answer->own_choice = true;
    tutti_explain_name(explaining, "%s", "MVAPICH2's own choice");
    return TUTTI_OK;
  }
  tutti_explain_step(explaining, setting->at, "MV2_%s = %.60s", setting->name, setting->value);
  if (setting->computed)
    tutti_explain_name(explaining, "%s", "unknown");
  else if (!is_list(setting))
    run(explaining, collective, atol(setting->value));
  else if (!is_indexed(settings, collective))
    run_list(explaining, collective, setting);
  else {
    tutti_explain_step(explaining, setting->at, "a list is not read under indexed tuning (MV-002)");
    tutti_explain_name(explaining, "%s", "undefined");
  }
  return TUTTI_OK;
}

/* ---- the library ---- */

static const tutti_target targets[] = {
    {
        .name = "mvapich2",
        .summary = "variables MV2_..._TUNING of MVAPICH2 2.3, one algorithm a "
                   "collective",
        .single = true,
        .use = ". %s",
        .unit = unit,
        .supports = supports,
        .write = write_variables,
    },
    {0},
};

const tutti_library tutti_library_mvapich2 = {
    .name = "mvapich2",
    .targets = targets,
    .versions = "mvapich2",
    .codes = codes,
    .code_count = sizeof codes / sizeof *codes,
    .rules_bytes = sizeof(struct settings),
    .read = read_settings,
    .free_rules = tutti_settings_free,
    .explain = explain,
};
