#include "harness/experiments/calibrate/points.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/numbers.h"
#include "base/text.h"
#include "base/words.h"
#include "tutti/store.h"

/* ---- reading ---- */

const char *tutti_fit_setting(const char *settings, const char *name, size_t *length)
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
  const char *wanted = word + strlen(name) + (word[strlen(name)] == '='),
             *value = tutti_fit_setting(settings, name, &length);
  free(name);
  return *wanted ? value && strlen(wanted) == length && strncmp(value, wanted, length) == 0 : !value;
}

static bool is_wanted_environment(const struct point_filter *filter, const char *machine,
                                  const tutti_environment *environment)
{
  bool wanted = strcmp(environment->platform, machine) == 0 && !tutti_flavor_is_simulated(environment->flavor);
  for (size_t i = 0; i < filter->setting_count; i++)
    wanted = wanted && agrees(environment->settings ? environment->settings : "", filter->settings[i]);
  return wanted;
}

static bool is_wanted(const struct point_filter *filter, const tutti_measurement *point)
{
  bool ranks = filter->ranks_count == 0;
  for (int i = 0; i < filter->ranks_count; i++)
    ranks = ranks || filter->ranks[i] == (uint64_t)point->ranks;
  return ranks && point->median > 0 && point->total_bytes >= filter->min_size &&
         (filter->max_size == 0 || point->total_bytes <= filter->max_size) &&
         (filter->ranks_per_node == 0 || filter->ranks_per_node == point->ranks_per_node) &&
         (filter->collectives == 0 || filter->collectives & 1U << point->method.algorithm->collective);
}

struct fit_point tutti_fit_point(const tutti_measurement *measured, char *run)
{
  return (struct fit_point){
      .measured = *measured, .run = run, .seconds = NAN, .lower = NAN, .upper = NAN, .modelled = NAN};
}

static tutti_status read_entry(tutti_store *store, const tutti_store_contents *contents, const tutti_store_entry *entry,
                               const struct point_filter *filter, struct fit_points *points, tutti_error *error)
{
  const tutti_selection selection = tutti_store_entry_selection(contents, entry);
  const char *settings = contents->environments[entry->environment].settings;
  tutti_measurement *rows;
  size_t count;
  const tutti_status status = tutti_store_read(store, &selection, &rows, &count, error);
  if (status != TUTTI_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    if (is_wanted(filter, &rows[i]))
      tutti_xpush(points, tutti_fit_point(&rows[i], tutti_xstrdup(settings ? settings : "")));
  free(rows);
  return TUTTI_OK;
}

int tutti_fit_point_compare(const void *a, const void *b)
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

/* No such machine was measured, or the other conditions leave no point. */
static tutti_status fail_missing(const struct point_filter *filter, const char *machine,
                                 const tutti_store_contents *contents, tutti_error *error)
{
  tutti_guess guess = {.word = machine};
  char meant[2 * TUTTI_GUESS_LENGTH];
  bool simulated = false;
  for (int i = 0; i < contents->environment_count; i++) {
    const tutti_environment *environment = &contents->environments[i];
    const bool same = strcmp(environment->platform, machine) == 0;
    if (tutti_flavor_is_simulated(environment->flavor)) {
      simulated = simulated || same;
      continue;
    }
    if (same)
      return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no such points of the machine '%s'", filter->database,
                        machine);
    tutti_guess_try(&guess, environment->platform);
  }
  return tutti_fail(error, TUTTI_ERR_ARGUMENT, "%s has no points measured on a real machine '%s'%s (--machine)%s",
                    filter->database, machine, tutti_guess_text(&guess, meant),
                    simulated ? ", only simulated ones" : "");
}

static tutti_status read_all(tutti_store *store, const struct point_filter *filter, const char *machine,
                             struct fit_points *points, tutti_error *error)
{
  tutti_store_contents contents;
  tutti_status status = tutti_store_contents_read(store, &contents, error);
  if (status != TUTTI_OK)
    return status;
  for (int i = 0; i < contents.entry_count && status == TUTTI_OK; i++) {
    const tutti_store_entry *entry = &contents.entries[i];
    if (entry->kind == TUTTI_ENTRY_MEASUREMENTS &&
        is_wanted_environment(filter, machine, &contents.environments[entry->environment]))
      status = read_entry(store, &contents, entry, filter, points, error);
  }
  if (status == TUTTI_OK && points->count == 0)
    status = fail_missing(filter, machine, &contents, error);
  tutti_store_contents_free(&contents);
  return status;
}

tutti_status tutti_fit_points_read(const struct point_filter *filter, const char *platform, struct fit_points *points,
                                   tutti_error *error)
{
  char meant[2 * TUTTI_GUESS_LENGTH];
  tutti_store *store;
  if (access(filter->database, F_OK) != 0 && errno == ENOENT) {
    char *word = tutti_xshell_word(filter->database);
    tutti_fail(error, TUTTI_ERR_IO,
               "%s: no such store of measurements%s; tutti import FILE ... --db %s makes one of what was measured on a "
               "real machine, tutti bench --flavor measures there",
               filter->database, tutti_guess_file(filter->database, ".db", meant), word);
    free(word);
    return TUTTI_ERR_IO;
  }
  tutti_status status = tutti_store_open_existing(filter->database, &store, error);
  if (status != TUTTI_OK)
    return status;
  status = read_all(store, filter, filter->machine ? filter->machine : platform, points, error);
  tutti_store_close(store);
  tutti_vector_sort(points, tutti_fit_point_compare);
  return status;
}

void tutti_fit_points_free(struct fit_points *points)
{
  for (size_t i = 0; i < points->count; i++)
    free(points->items[i].run);
  tutti_vector_free(points);
}

/* ---- those with a schedule ---- */

tutti_status tutti_fit_point_check(const struct fit_point *point, tutti_error *error)
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

size_t tutti_fit_points_choose(struct fit_points *points, size_t count)
{
  size_t kept = 0, left_out = 0;
  for (size_t i = 0; i < points->count; i++)
    if (tutti_fit_point_check(&points->items[i], NULL) == TUTTI_OK)
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
