/* Points of a machine in the store, and the same points simulated. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "base/words.h"
#include "cli/fit/fit.h"
#include "cli/options/common.h"
#include "harness/engine/riders/measure.h"
#include "tutti/store.h"

const struct option_row points_table[] = {
    OPTION_STRING("from", "FILE", struct point_filter, database, "the store with the measured points",
                  .initial = "results.db"),
    OPTION_STRING("machine", "NAME", struct point_filter, machine, "by which name the machine was measured",
                  .otherwise = "the platform's"),
    OPTION_PARSE("collective", "LIST", struct point_filter, collectives, option_collectives,
                 "only points of these collectives: bcast,allreduce", .otherwise = "all"),
    OPTION_NUMBERS("ranks", struct point_filter, ranks, tutti_experiment_parse_rank_count,
                   "only points of these numbers of ranks", .letter = 'P'),
    OPTION_NUMBER("ranks-per-node", "N", struct point_filter, ranks_per_node, "only points of so many ranks on a node",
                  .min = 1, .otherwise = "any"),
    OPTION_SIZE("min-size", "BYTES", struct point_filter, min_size,
                "only points whose message, or all blocks together, has so many bytes at least"),
    OPTION_SIZE("max-size", "BYTES", struct point_filter, max_size, "or at most", .min = 1, .otherwise = "any"),
    OPTION_STRINGS("setting", "NAME=VALUE", struct point_filter, settings,
                   "only points measured under this setting, NAME= without any of that name; again for others"),
    OPTION_END};

/* ---- reading ---- */

const char *fit_setting(const char *settings, const char *name, size_t *length)
{
  const size_t own = strlen(name);
  for (const char *at = settings; *at; at += strspn(at, " ")) {
    if (strncmp(at, name, own) == 0 && at[own] == '=') {
      *length = strcspn(at + own + 1, " ");
      return at + own + 1;
    }
    at += strcspn(at, " ");
  }
  return NULL;
}

/* Whether NAME=VALUE is among the settings, or, for NAME=, no setting of that name. */
static bool agrees(const char *settings, const char *word)
{
  size_t length;
  char *name = tutti_xstrndup(word, strcspn(word, "="));
  const char *wanted = word + strlen(name) + (word[strlen(name)] == '='), *value = fit_setting(settings, name, &length);
  free(name);
  return *wanted ? value && strlen(wanted) == length && strncmp(value, wanted, length) == 0 : !value;
}

static bool is_wanted_environment(const struct point_filter *filter, const char *machine,
                                  const tutti_environment *environment)
{
  bool wanted = strcmp(environment->platform, machine) == 0 && !tutti_flavor_is_simulated(environment->flavor);
  for (size_t i = 0; i < filter->settings.count; i++)
    wanted = wanted && agrees(environment->settings ? environment->settings : "", filter->settings.items[i]);
  return wanted;
}

static bool is_wanted(const struct point_filter *filter, const tutti_measurement *point)
{
  bool ranks = filter->ranks.count == 0;
  for (int i = 0; i < filter->ranks.count; i++)
    ranks = ranks || filter->ranks.items[i] == (uint64_t)point->ranks;
  return ranks && point->median > 0 && point->total_bytes >= filter->min_size &&
         (filter->max_size == 0 || point->total_bytes <= filter->max_size) &&
         (filter->ranks_per_node == 0 || filter->ranks_per_node == point->ranks_per_node) &&
         (filter->collectives == 0 || filter->collectives & 1U << point->method.algorithm->collective);
}

static void read_entry(tutti_store *store, const tutti_store_contents *contents, const tutti_store_entry *entry,
                       const struct point_filter *filter, struct fit_points *points)
{
  const tutti_selection selection = tutti_store_entry_selection(contents, entry);
  const char *settings = contents->environments[entry->environment].settings;
  tutti_measurement *rows;
  size_t count;
  must(tutti_store_read(store, &selection, &rows, &count, &failure));
  for (size_t i = 0; i < count; i++)
    if (is_wanted(filter, &rows[i]))
      tutti_xpush(points, (struct fit_point){.measured = rows[i],
                                             .run = tutti_xstrdup(settings ? settings : ""),
                                             .seconds = NAN,
                                             .lower = NAN,
                                             .upper = NAN,
                                             .modelled = NAN});
  free(rows);
}

int fit_point_compare(const void *a, const void *b)
{
  const struct fit_point *left = a, *right = b;
  const tutti_measurement *one = &left->measured, *other = &right->measured;
  int order = THREE_WAY(one->total_bytes, other->total_bytes);
  if (order == 0)
    order = THREE_WAY(one->ranks, other->ranks);
  if (order == 0)
    order = THREE_WAY(one->ranks_per_node, other->ranks_per_node);
  if (order == 0)
    order = tutti_method_compare(&one->method, &other->method);
  return order ? order : strcmp(left->run, right->run);
}

/* Why there are no points: no such machine was measured, or the other options leave none. */
static void refuse(const struct point_filter *filter, const char *machine, const tutti_store_contents *contents)
{
  tutti_guess guess = {.word = machine};
  char meant[2 * TUTTI_GUESS_LENGTH];
  bool simulated = false;
  for (int i = 0; i < contents->environment_count; i++) {
    const tutti_environment *environment = &contents->environments[i];
    if (tutti_flavor_is_simulated(environment->flavor)) {
      simulated = simulated || strcmp(environment->platform, machine) == 0;
      continue;
    }
    if (strcmp(environment->platform, machine) == 0)
      die("%s has no such points of the machine '%s'", filter->database, machine);
    tutti_guess_try(&guess, environment->platform);
  }
  die("%s has no points measured on a real machine '%s'%s (--machine)%s", filter->database, machine,
      tutti_guess_text(&guess, meant), simulated ? ", only simulated ones" : "");
}

static void read_all(tutti_store *store, const struct point_filter *filter, const char *machine,
                     struct fit_points *points)
{
  tutti_store_contents contents;
  must(tutti_store_contents_read(store, &contents, &failure));
  for (int i = 0; i < contents.entry_count; i++) {
    const tutti_store_entry *entry = &contents.entries[i];
    if (entry->kind == TUTTI_ENTRY_MEASUREMENTS &&
        is_wanted_environment(filter, machine, &contents.environments[entry->environment]))
      read_entry(store, &contents, entry, filter, points);
  }
  if (points->count == 0)
    refuse(filter, machine, &contents);
  tutti_store_contents_free(&contents);
}

void fit_points_read(const struct point_filter *filter, const char *platform, struct fit_points *points)
{
  char meant[2 * TUTTI_GUESS_LENGTH];
  if (access(filter->database, F_OK) != 0 && errno == ENOENT)
    die("%s: no such store of measurements%s; tutti import FILE ... --db %s makes one of what was measured on a real "
        "machine, tutti bench --flavor measures there",
        filter->database, tutti_guess_file(filter->database, ".db", meant), tutti_xshell_word(filter->database));
  tutti_store *store = store_open_existing(filter->database);
  read_all(store, filter, filter->machine ? filter->machine : platform, points);
  store_close(store);
  tutti_vector_sort(points, fit_point_compare);
}

void fit_points_free(struct fit_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    free(points->items[i].run);
  tutti_vector_free(points);
}

/* ---- simulating ---- */

const char *fit_point_format(const struct fit_point *point, char text[TUTTI_METHOD_LENGTH + 64])
{
  char name[TUTTI_METHOD_LENGTH];
  snprintf(text, TUTTI_METHOD_LENGTH + 64, "%s, %d ranks", tutti_method_format(&point->measured.method, name),
           point->measured.ranks);
  return text;
}

bool fit_point_has_schedule(const struct fit_point *point)
{
  return fit_point_check(point, NULL) == TUTTI_OK;
}

tutti_status fit_point_check(const struct fit_point *point, tutti_error *error)
{
  const tutti_measurement *m = &point->measured;
  tutti_method method = m->method;
  method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  const tutti_call call = {
      .size = m->ranks, .root = m->root, .count = m->count, .type_size = m->type_size, .commutative = true};
  return tutti_method_is_native(&method) ? tutti_fail(error, TUTTI_ERR_UNSUPPORTED, "%s/native has no schedule",
                                                      tutti_collective_name(method.algorithm->collective))
                                         : tutti_method_check(&method, &call, error);
}

/* The position of the chosen point in part @p part of @p count consecutive parts of @p all points. Golden sections keep
   the choice from following the order of the methods. */
static size_t place_in(size_t part, size_t count, size_t all)
{
  const double golden = 0.6180339887498949, shift = (double)(part + 1) * golden;
  return (size_t)(((double)part + shift - floor(shift)) * (double)all / (double)count);
}

size_t fit_points_choose(struct fit_points *points, size_t count)
{
  size_t kept = 0, left_out = 0;
  for (size_t i = 0; i < points->count; i++)
    if (fit_point_has_schedule(&points->items[i]))
      points->items[kept++] = points->items[i];
    else
      free(points->items[i].run);
  left_out = points->count - kept;
  points->count = kept;
  if (count == 0 || kept <= count)
    return left_out;
  for (size_t i = 0, part = 0; i < kept; i++)
    if (part < count && i == place_in(part, count, kept))
      points->items[part++] = points->items[i];
    else
      free(points->items[i].run);
  points->count = count;
  return left_out;
}

tutti_status fit_point_simulate(struct fit_point *point, const struct engine_machine *machine, tutti_error *error)
{
  struct engine_machine own = *machine;
  struct engine_start start = {.order = NULL};
  tutti_measurement simulated = point->measured;
  simulated.method.implementation = TUTTI_IMPLEMENTATION_TUTTI;
  simulated.scheme = TUTTI_SCHEME_WINDOW;
  simulated.launch = 0;
  own.hosts = point->hosts;
  own.ranks_per_node = point->measured.ranks_per_node;
  own.cores = own.cores > own.ranks_per_node ? own.cores : own.ranks_per_node;
  const tutti_status status = tutti_engine_measure(&own, &simulated, NULL, &start, &point->seconds, error);
  tutti_start_free(&start);
  return status;
}
