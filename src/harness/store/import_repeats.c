/* Importing: repeats. A repeated import is stored once; the output of another run for stored points becomes a further
   launch of them, as from tutti bench --launches. */
#include <search.h>
#include <stdlib.h>

#include "harness/store/import_file.h"
#include "harness/store/private.h"
#include "harness/store/rows.h"

/* Stored rows of a point: the number of launches, and the launch with the given times, or -1. */
struct known {
  int launches, same;
};

/* A row by its point, with `number` as the number of stored launches, or by its point and times, with `number` as the
   launch that has them. */
struct seen_row {
  const tutti_measurement *row;
  int number;
};

struct tutti_import_seen {
  int64_t environment;
  tutti_collective collective;
  tutti_scheme scheme;
  void *rows;           /* of all launches that were stored before */
  void *points, *timed; /* trees of rows (tsearch(3)) */
};

/* ---- rows ---- */

static int compare_points(const void *left, const void *right)
{
  const tutti_measurement *one = ((const struct seen_row *)left)->row, *other = ((const struct seen_row *)right)->row;
  if (one->count != other->count) /* which most rows differ in, and is seen at once */
    return one->count < other->count ? -1 : 1;
  tutti_measurement a = *one, b = *other;
  a.launch = b.launch = 0;
  return tutti_row_compare(tutti_kind_of(TUTTI_ROW_MEASUREMENT), &a, &b);
}

static int compare_times(const void *left, const void *right)
{
  const tutti_measurement *a = ((const struct seen_row *)left)->row, *b = ((const struct seen_row *)right)->row;
  const double x[] = {a->repetitions, a->minimum, a->median, a->mean, a->maximum},
               y[] = {b->repetitions, b->minimum, b->median, b->mean, b->maximum};
  int order = compare_points(left, right);
  for (size_t i = 0; i < sizeof x / sizeof *x && order == 0; i++)
    order = (x[i] > y[i]) - (x[i] < y[i]);
  return order;
}

/* The entry of a row in a tree, made if it is missing. */
static struct seen_row *seen_row_of(void **tree, const tutti_measurement *row,
                                    int (*compare)(const void *, const void *))
{
  const struct seen_row key = {.row = row};
  struct seen_row **found = tfind(&key, tree, compare);
  if (found)
    return *found;
  struct seen_row *entry = tutti_xmalloc(sizeof *entry);
  *entry = key;
  if (!tsearch(entry, tree, compare))
    tutti_out_of_memory();
  return entry;
}

static void note(struct tutti_import_seen *seen, const tutti_measurement *row, int launch)
{
  struct seen_row *point = seen_row_of(&seen->points, row, compare_points);
  if (launch >= point->number)
    point->number = launch + 1;
  seen_row_of(&seen->timed, row, compare_times)->number = launch;
}

static struct known find(const struct tutti_import_seen *seen, const tutti_measurement *row)
{
  const struct seen_row key = {.row = row};
  struct seen_row **point = tfind(&key, &seen->points, compare_points),
                  **same = tfind(&key, &seen->timed, compare_times);
  return (struct known){point ? (*point)->number : 0, same ? (*same)->number : -1};
}

bool tutti_import_points_add(void **points, const tutti_measurement *row)
{
  struct seen_row *entry = seen_row_of(points, row, compare_points);
  return entry->number++ == 0;
}

void tutti_import_points_free(void **points)
{
  tdestroy(*points, free);
  *points = NULL;
}

/* ---- stored rows of an environment ---- */

static int compare_seen(const void *left, const void *right)
{
  const struct tutti_import_seen *a = left, *b = right;
  if (a->environment != b->environment)
    return a->environment < b->environment ? -1 : 1;
  return a->collective != b->collective ? (int)a->collective - (int)b->collective : (int)a->scheme - (int)b->scheme;
}

static void free_seen(void *item)
{
  struct tutti_import_seen *seen = item;
  tutti_import_points_free(&seen->points);
  tutti_import_points_free(&seen->timed);
  free(seen->rows);
  free(seen);
}

void tutti_import_seen_free(void **all)
{
  tdestroy(*all, free_seen);
  *all = NULL;
}

/* The stored rows of the environment, collective and scheme of a row: read once, and kept while the import lasts. */
static tutti_status look_up(void **all, const tutti_measurement *row, tutti_store *store, int64_t environment,
                            struct tutti_import_seen **seen, tutti_error *error)
{
  const struct tutti_import_seen key = {
      .environment = environment, .collective = row->method.algorithm->collective, .scheme = row->scheme};
  const tutti_selection selection = {
      .environment = environment, .collective = key.collective, .scheme = (int)key.scheme};
  struct tutti_import_seen **found = tfind(&key, all, compare_seen);
  size_t count;
  if (found) {
    *seen = *found;
    return TUTTI_OK;
  }
  *seen = tutti_xmalloc(sizeof **seen);
  **seen = key;
  if (!tsearch(*seen, all, compare_seen))
    tutti_out_of_memory();
  tutti_status status =
      tutti_store_read_rows(store, TUTTI_ROW_MEASUREMENT, &selection, &(*seen)->rows, &count, NULL, error);
  const tutti_measurement *rows = (*seen)->rows;
  for (size_t i = 0; status == TUTTI_OK && i < count; i++)
    note(*seen, &rows[i], rows[i].launch);
  return status;
}

/* Whether a table, or a part of it, was imported before: all its times equal stored ones. One equal time alone proves
   nothing: benchmarks print few digits. */
static bool is_stored(const struct tutti_import_seen *seen, const tutti_import_item *items, size_t count)
{
  bool any = false;
  for (size_t i = 0; i < count; i++) {
    const struct known known = find(seen, &items[i].measurement);
    if (known.launches > 0 && known.same < 0)
      return false;
    any = any || known.same >= 0;
  }
  return any;
}

tutti_status tutti_import_store_table(const tutti_import_item *items, size_t count, tutti_store *store,
                                      int64_t environment, void **all, tutti_import_stored *counts, tutti_error *error)
{
  struct tutti_import_seen *seen;
  tutti_status status = look_up(all, &items->measurement, store, environment, &seen, error);
  const bool again = status == TUTTI_OK && is_stored(seen, items, count);
  for (size_t i = 0; i < count && status == TUTTI_OK; i++) {
    tutti_measurement measurement = items[i].measurement;
    const struct known known = find(seen, &measurement);
    const bool same = again && known.same >= 0;
    measurement.launch = same ? known.same : known.launches;
    counts->replaced += same;
    counts->repeated += !same && known.launches > 0;
    status = tutti_store_add(store, environment, &measurement, 1, error);
    note(seen, &items[i].measurement, measurement.launch);
  }
  return status;
}
