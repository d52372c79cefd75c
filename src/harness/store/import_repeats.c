/* Importing: repeats. A repeated import is stored once; the output of another run for stored points becomes a further
   launch of them, as from tutti bench --launches. */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/splitmix64.h"
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
  const tutti_measurement *row; /* NULL: free */
  uint32_t hash;                /* so that rows of others are not looked at */
  int number;
};

/* Rows by hash: a place is looked for from where the hash says on; at least half of the places are free. */
struct seen_rows {
  struct seen_row *places;
  size_t capacity, count; /* the first a power of two */
  bool timed;             /* by their times, too */
};

struct tutti_import_seen {
  int64_t environment;
  tutti_collective collective;
  tutti_scheme scheme;
  void *rows; /* of all launches that were stored before */
  struct seen_rows points, timed;
};

/* ---- rows ---- */

static bool is_same_point(const tutti_measurement *one, const tutti_measurement *other)
{
  if (one->count != other->count) /* which most rows differ in, and is seen at once */
    return false;
  tutti_measurement a = *one, b = *other;
  a.launch = b.launch = 0;
  return tutti_row_compare(tutti_kind_of(TUTTI_ROW_MEASUREMENT), &a, &b) == 0;
}

static bool has_same_times(const tutti_measurement *a, const tutti_measurement *b)
{
  return a->repetitions == b->repetitions && a->minimum == b->minimum && a->median == b->median && a->mean == b->mean &&
         a->maximum == b->maximum;
}

static uint32_t hash(const tutti_measurement *row, bool timed)
{
  uint64_t bits = 0, all = row->count;
  if (timed)
    memcpy(&bits, &row->median, sizeof bits);
  all = tutti_splitmix64(all) ^ bits;
  all = tutti_splitmix64(all) ^ ((uint64_t)row->ranks << 32 | (uint32_t)row->root);
  all = tutti_splitmix64(all) ^ (uintptr_t)row->method.algorithm ^ (uint64_t)row->ranks_per_node << 48;
  const tutti_parameters *method = &row->method.parameters;
  return (uint32_t)tutti_splitmix64(tutti_splitmix64(all) ^ method->segment_bytes ^ (uint64_t)method->k << 32 ^
                                    (uint64_t)method->outstanding << 52);
}

/* Where a row is, or the free place where it would be. */
static struct seen_row *place_of(const struct seen_rows *rows, const tutti_measurement *row, uint32_t hash)
{
  size_t at = hash & (rows->capacity - 1);
  for (const struct seen_row *place; (place = &rows->places[at])->row; at = (at + 1) & (rows->capacity - 1))
    if (place->hash == hash && is_same_point(place->row, row) && (!rows->timed || has_same_times(place->row, row)))
      break;
  return &rows->places[at];
}

static const struct seen_row *look_for(const struct seen_rows *rows, const tutti_measurement *row)
{
  const struct seen_row *found = rows->capacity > 0 ? place_of(rows, row, hash(row, rows->timed)) : NULL;
  return found && found->row ? found : NULL;
}

static void grow(struct seen_rows *rows)
{
  const struct seen_rows before = *rows;
  rows->capacity = before.capacity > 0 ? 2 * before.capacity : 64;
  rows->places = tutti_xcalloc(rows->capacity, sizeof *rows->places);
  for (size_t i = 0; i < before.capacity; i++) {
    size_t at = before.places[i].hash & (rows->capacity - 1);
    while (before.places[i].row && rows->places[at].row)
      at = (at + 1) & (rows->capacity - 1);
    if (before.places[i].row)
      rows->places[at] = before.places[i];
  }
  free(before.places);
}

/* The entry of a row, made if it is missing. */
static struct seen_row *seen_row_of(struct seen_rows *rows, const tutti_measurement *row)
{
  if (2 * rows->count >= rows->capacity)
    grow(rows);
  const uint32_t hashed = hash(row, rows->timed);
  struct seen_row *found = place_of(rows, row, hashed);
  if (!found->row) {
    *found = (struct seen_row){.row = row, .hash = hashed};
    rows->count++;
  }
  return found;
}

static void note(struct tutti_import_seen *seen, const tutti_measurement *row, int launch)
{
  struct seen_row *point = seen_row_of(&seen->points, row);
  if (launch >= point->number)
    point->number = launch + 1;
  seen_row_of(&seen->timed, row)->number = launch;
}

static struct known find(const struct tutti_import_seen *seen, const tutti_measurement *row)
{
  const struct seen_row *point = look_for(&seen->points, row), *same = look_for(&seen->timed, row);
  return (struct known){point ? point->number : 0, same ? same->number : -1};
}

int *tutti_import_points_add(void **points, const tutti_measurement *row)
{
  if (!*points)
    *points = tutti_xcalloc(1, sizeof(struct seen_rows));
  return &seen_row_of(*points, row)->number;
}

const int *tutti_import_points_find(void *const *points, const tutti_measurement *row)
{
  const struct seen_row *found = *points ? look_for(*points, row) : NULL;
  return found ? &found->number : NULL;
}

void tutti_import_points_free(void **points)
{
  struct seen_rows *rows = *points;
  if (rows)
    free(rows->places);
  free(rows);
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
  free(seen->points.places);
  free(seen->timed.places);
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
  const struct tutti_import_seen key = {.environment = environment,
                                        .collective = row->method.algorithm->collective,
                                        .scheme = row->scheme,
                                        .timed.timed = true};
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

enum { BATCH = 256 };

tutti_status tutti_import_store_table(const tutti_import_item *items, size_t count, tutti_store *store,
                                      int64_t environment, void **all, tutti_import_stored *counts, tutti_error *error)
{
  struct tutti_import_seen *seen;
  tutti_status status = look_up(all, &items->measurement, store, environment, &seen, error);
  const bool again = status == TUTTI_OK && is_stored(seen, items, count);
  tutti_measurement *batch = tutti_xmalloc(BATCH * sizeof *batch);
  for (size_t begin = 0, length; begin < count && status == TUTTI_OK; begin += length) {
    length = count - begin < BATCH ? count - begin : BATCH;
    for (size_t i = 0; i < length; i++) {
      const tutti_measurement *row = &items[begin + i].measurement;
      const struct known known = find(seen, row);
      const bool same = again && known.same >= 0;
      batch[i] = *row;
      batch[i].launch = same ? known.same : known.launches;
      counts->replaced += same;
      counts->repeated += !same && known.launches > 0;
      note(seen, row, batch[i].launch);
    }
    status = tutti_store_add(store, environment, batch, length, error);
  }
  free(batch);
  return status;
}
